//! Every other question, in terms of those about all runs.
//!
//! | query | asked as |
//! |---|---|
//! | all runs satisfy f | itself |
//! | some run satisfies f | not: all runs satisfy `!f` |
//! | the most that a sum comes to | all runs satisfy `G sum <= k`, for a growing k |
//! | CTL | of all reachable markings ([`crate::branching`]), after what runs say about it |
//! | is every transition live, is some place constant, ...? | of all reachable markings, in one go |
//!
//! So every stage of `auto` (hunt, simplification, reduction, explicit and symbolic search, on plain
//! and on coloured nets) answers all of them, and every run that is shown was replayed.
//! A formula of CTL is first looked at from the initial marking outwards, which tells what depends
//! on few markings. Where the question is one about markings alone, or CTL, the set of all reachable markings takes
//! turns with that: it is found once, for all questions about a net.

mod asker;
mod bound;
pub(crate) mod bounds;
mod branching;

pub use asker::{Asker, ColouredAsker, PlainAsked, PlainAsker, StoredFormula};
pub use bound::BoundCase;

use crate::branching::{MarkingsAnswer, MarkingsQuestion, RecurrenceQuestion};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision};
use crate::verdict::{Reason, Verdict};
use branching::{QuickOutcome, QuickQuestions};
use brine_explicit::local::LocalValues;
use brine_ltl::{Ctl, Expression, Formula, Formulas, Node, WholeNet};
use brine_net::{PlaceId, TransitionId};
use brine_run::GROWTH;
use std::time::{Duration, Instant};

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryAnswer {
    /// Yes.
    Holds,
    /// No.
    Fails,
    /// The most that the sum comes to.
    Number(i64),
    /// None.
    Unknown(Reason),
}

/// A query on its way.
pub struct QueryCase<C> {
    kind: CaseKind<C>,
    /// The same as a question to all reachable markings, where it is one, and its store.
    markings: Option<(Formulas, MarkingsQuestion)>,
    /// What the markings around the initial one have said.
    values: LocalValues,
    /// The states of a formula of CTL were simplified.
    simplified: bool,
    /// The reachable markings are left to others.
    runs_only: bool,
    /// The work of the next round.
    work: u64,
    spent: Duration,
}

enum CaseKind<C> {
    /// Do all runs satisfy it? The answer is the opposite if `opposite`.
    Runs { case: C, opposite: bool },
    /// How much at most?
    Bound(Box<BoundCase<C>>),
    /// Does the initial marking satisfy it?
    Branching(Option<Box<QuickQuestions<C>>>),
    /// Only all markings know.
    Whole(WholeNet),
}

/// The work of the first round.
const FIRST_WORK: u64 = 60_000;

/// Steps of a look around for a unit of work: they cost little.
const LOCAL_STEPS: u64 = 8;

/// What is found out about the states of a formula of CTL takes this part of the time, and at most
/// this long.
const SIMPLIFY_SHARE: u32 = 8;
const SIMPLIFY_MOST: Duration = Duration::from_millis(500);

impl<C> QueryCase<C> {
    fn new(kind: CaseKind<C>, markings: Option<(Formulas, MarkingsQuestion)>) -> Self {
        let values = LocalValues::default();
        let (work, spent) = (FIRST_WORK, Duration::ZERO);
        QueryCase { kind, markings, values, simplified: false, runs_only: false, work, spent }
    }

    /// Do all runs satisfy the formula?
    pub fn all_runs<A: Asker<Case = C>>(asker: &mut A, fs: &Formulas, formula: Formula) -> Self {
        let case = asker.begin(fs, formula);
        let mut fs = fs.clone();
        let ctl = match fs.node(formula) {
            Node::G(f) if fs.is_boolean(f) => Some(Ctl::always(&mut fs, f)),
            _ => None,
        };
        let markings = ctl.map(|ctl| (fs, MarkingsQuestion::Satisfies(ctl)));
        QueryCase::new(CaseKind::Runs { case, opposite: false }, markings)
    }

    /// Does some run satisfy the formula?
    pub fn some_run<A: Asker<Case = C>>(asker: &mut A, fs: &Formulas, formula: Formula) -> Self {
        let mut fs = fs.clone();
        let negation = fs.not(formula);
        let case = asker.begin(&fs, negation);
        let ctl = match fs.node(formula) {
            Node::F(f) if fs.is_boolean(f) => Some(Ctl::finally(&mut fs, f)),
            _ => None,
        };
        let markings = ctl.map(|ctl| (fs, MarkingsQuestion::Satisfies(ctl)));
        QueryCase::new(CaseKind::Runs { case, opposite: true }, markings)
    }

    /// What is the most that a sum comes to? `seen` is a value that it has in a reachable marking,
    /// `most` one that it never passes.
    pub fn bound(fs: &Formulas, sum: Expression, seen: i64, most: Option<i64>) -> Self {
        let extent = MarkingsQuestion::Extent(sum.terms.clone());
        let markings = (sum.constant == 0).then(|| (fs.clone(), extent));
        QueryCase::new(CaseKind::Bound(Box::new(BoundCase::new(fs, sum, seen, most))), markings)
    }

    /// Does the initial marking satisfy the formula?
    pub fn branching(fs: &Formulas, ctl: &Ctl) -> Self {
        let markings = (fs.clone(), MarkingsQuestion::Satisfies(ctl.clone()));
        QueryCase::new(CaseKind::Branching(None), Some(markings))
    }

    /// What do all reachable markings together say?
    pub fn whole(asked: WholeNet) -> Self {
        let groups = |list: &[TransitionId]| list.iter().map(|&t| vec![t]).collect();
        let sums = |list: &[PlaceId]| list.iter().map(|&p| vec![(p, 1)]).collect();
        let question = match &asked {
            WholeNet::Live(transitions) => {
                let groups = groups(transitions);
                MarkingsQuestion::Recurrence(RecurrenceQuestion { groups, all_or_nothing: true })
            }
            WholeNet::CanFire(transitions) => MarkingsQuestion::CanFire(groups(transitions)),
            WholeNet::SomeConstant(places) | WholeNet::AtMost(places, _) => {
                MarkingsQuestion::Extents(sums(places))
            }
        };
        QueryCase::new(CaseKind::Whole(asked), Some((Formulas::new(), question)))
    }

    /// The same, which leaves the reachable markings to others.
    pub fn about_runs_only(self) -> Self {
        QueryCase { runs_only: true, ..self }
    }

    /// A sum has this value in some reachable marking.
    pub fn note_seen(&mut self, value: i64) {
        if let CaseKind::Bound(case) = &mut self.kind {
            case.note_seen(value);
        }
    }

    /// Simplifies a formula of CTL by what is known about its states, and asks what runs say.
    fn begin<A: Asker<Case = C>>(&mut self, asker: &mut A, budget: &Budget) {
        if let CaseKind::Branching(quick @ None) = &mut self.kind
            && let Some((fs, MarkingsQuestion::Satisfies(ctl))) = &mut self.markings
        {
            if !std::mem::replace(&mut self.simplified, true) {
                let start = Instant::now();
                let share = budget.time.map(|time| (time / SIMPLIFY_SHARE).min(SIMPLIFY_MOST));
                let budget = Budget { time: share, ..budget.clone() };
                let simpler =
                    ctl.rebuilt(fs, |fs, f| asker.simplify_state(fs, f, &budget.since(start)));
                if simpler != *ctl {
                    // Values belong to the operators that they were found for.
                    (*ctl, self.values) = (simpler, LocalValues::default());
                }
            }
            *quick = Some(Box::new(QuickQuestions::new(asker, fs, ctl, !self.runs_only)));
        }
    }

    /// Goes on with the questions about runs.
    fn advance_runs<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<(QueryAnswer, Decision), DecideError> {
        let start = Instant::now();
        loop {
            self.begin(asker, &budget.since(start));
            let CaseKind::Branching(quick) = &mut self.kind else {
                return self.kind.advance(asker, &budget.since(start), held);
            };
            let outcome = match quick {
                Some(quick) => {
                    quick.advance(asker, &mut self.values, &budget.since(start), held)?
                }
                None => QuickOutcome::Open,
            };
            match outcome {
                QuickOutcome::Decided(holds, decision) => {
                    let decision = decision.about_branching(holds);
                    return Ok((decision.verdict.answer(), decision));
                }
                QuickOutcome::Everywhere(at, value) => {
                    *quick = None;
                    if let Some((fs, MarkingsQuestion::Satisfies(ctl))) = &mut self.markings {
                        *ctl = ctl.with_value(fs, at, value);
                        self.values = LocalValues::default();
                    }
                }
                QuickOutcome::Open => {
                    let over = quick.as_ref().is_none_or(|quick| quick.is_empty());
                    let reason = match over && !asker.asks_markings(false) {
                        true => Reason::Unsupported("this engine does not answer CTL".to_owned()),
                        false => Reason::Steps,
                    };
                    let open = Decision::unknown("markings", reason);
                    return Ok((open.verdict.answer(), open));
                }
            }
        }
    }

    /// Goes on within a budget; `held` is how many bytes its search may hold while it is left.
    ///
    /// Where there are two ways, they take turns of growing work.
    pub fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<(QueryAnswer, Decision), DecideError> {
        let beside = !matches!(self.kind, CaseKind::Branching(_) | CaseKind::Whole(_));
        if self.runs_only || self.markings.is_none() || !asker.asks_markings(beside) {
            return self.advance_runs(asker, budget, held);
        }
        let start = Instant::now();
        let most = budget.schedule.ticks.unwrap_or(u64::MAX);
        loop {
            let mut turn = budget.since(start);
            turn.schedule.ticks = Some(self.work.min(most));
            if let Some(holds) = self.look_around(asker, &turn) {
                self.spent += start.elapsed();
                let verdict = if holds { Verdict::Holds } else { Verdict::Violated(None) };
                let open = Decision::open("local");
                let decision = Decision { verdict, time: self.spent, ..open };
                return Ok((decision.verdict.answer(), decision));
            }
            let mut turn = budget.since(start);
            turn.schedule.ticks = Some(self.work.min(most));
            let (answer, decision) = self.advance_runs(asker, &turn, held)?;
            if !matches!(answer, QueryAnswer::Unknown(_)) {
                return Ok((answer, decision));
            }
            let mut turn = budget.since(start);
            turn.schedule.ticks = Some(self.work.min(most));
            let answer = self.ask_markings(asker, &turn);
            let mut decision =
                Decision { timeline: decision.timeline, ..Decision::open("markings") };
            decision.time = self.spent + start.elapsed();
            match answer {
                Ok((answer, engine)) => {
                    decision.engine = engine;
                    decision.verdict = match answer {
                        QueryAnswer::Fails => Verdict::Violated(None),
                        _ => Verdict::Holds,
                    };
                    return Ok((answer, decision));
                }
                Err(Reason::Steps) if self.work < most => {
                    self.work = self.work.saturating_mul(GROWTH);
                }
                Err(reason) => {
                    self.spent += start.elapsed();
                    decision.verdict = Verdict::Unknown(reason.clone());
                    return Ok((QueryAnswer::Unknown(reason), decision));
                }
            }
        }
    }

    /// What the markings around the initial one say about a formula of CTL.
    fn look_around<A: Asker<Case = C>>(&mut self, asker: &mut A, turn: &Budget) -> Option<bool> {
        let (CaseKind::Branching(_), Some((fs, MarkingsQuestion::Satisfies(ctl)))) =
            (&self.kind, &self.markings)
        else {
            return None;
        };
        let mut turn = turn.clone();
        turn.schedule.ticks = turn.schedule.ticks.map(|work| work.saturating_mul(LOCAL_STEPS));
        asker.look_around(fs, ctl, &mut self.values, &turn)
    }

    fn ask_markings<A: Asker<Case = C>>(
        &self,
        asker: &mut A,
        budget: &Budget,
    ) -> Result<(QueryAnswer, &'static str), Reason> {
        let Some((fs, question)) = &self.markings else { return Err(Reason::Steps) };
        budget.control().enter("all markings", None);
        let (answer, engine) = asker.ask_markings(fs, question, budget)?;
        let says = |holds: bool| if holds { QueryAnswer::Holds } else { QueryAnswer::Fails };
        let answer = match answer {
            MarkingsAnswer::Truth(truth) => says(truth),
            MarkingsAnswer::Extent(_, most) => QueryAnswer::Number(most),
            MarkingsAnswer::Extents(extents) => says(match &self.kind {
                CaseKind::Whole(WholeNet::AtMost(_, number)) => {
                    extents.iter().all(|(_, most)| most <= number)
                }
                _ => extents.iter().any(|(least, most)| least == most),
            }),
            MarkingsAnswer::CanFire(can) => says(can.iter().all(|&can| can)),
            MarkingsAnswer::Recurrence(found) => says(found.is_live()),
        };
        Ok((answer, engine))
    }
}

impl<C> CaseKind<C> {
    fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<(QueryAnswer, Decision), DecideError> {
        match self {
            CaseKind::Runs { case, opposite } => {
                let decision = asker.advance(case, budget, held)?;
                let decision = if *opposite { decision.for_some_run() } else { decision };
                Ok((decision.verdict.answer(), decision))
            }
            CaseKind::Bound(case) => case.advance(asker, budget, held),
            CaseKind::Whole(_) => {
                let what = "this engine does not answer questions about all markings".to_owned();
                let reason = match asker.asks_markings(false) {
                    true => Reason::Steps,
                    false => Reason::Unsupported(what),
                };
                let open = Decision::unknown("markings", reason);
                Ok((open.verdict.answer(), open))
            }
            CaseKind::Branching(_) => unreachable!("it is not asked like this"),
        }
    }
}

impl Verdict {
    /// The answer that a verdict is.
    pub fn answer(&self) -> QueryAnswer {
        match self {
            Verdict::Holds => QueryAnswer::Holds,
            Verdict::Violated(_) => QueryAnswer::Fails,
            Verdict::Unknown(reason) => QueryAnswer::Unknown(reason.clone()),
        }
    }
}

impl Decision {
    /// A decision about all runs that settles a formula of CTL, as one about that. The run of a
    /// violation shows it, if it is one of the net that was asked about.
    fn about_branching(mut self, holds: bool) -> Self {
        let here = self.run_net.is_none() && self.coloured_run.is_none();
        let run = match std::mem::replace(&mut self.verdict, Verdict::Holds) {
            Verdict::Violated(run) if here => run,
            _ => None,
        };
        if run.is_none() {
            (self.run_question, self.run_net, self.coloured_run) = (None, None, None);
        }
        match holds {
            true => self.example = run,
            false => self.verdict = Verdict::Violated(run),
        }
        self.vacuous.clear();
        self
    }

    /// A decision about all runs, as one about some run: the run that violates the one shows that
    /// the other holds.
    pub fn for_some_run(mut self) -> Self {
        self.verdict = match self.verdict {
            Verdict::Holds => Verdict::Violated(None),
            Verdict::Violated(run) => {
                self.example = run;
                Verdict::Holds
            }
            unknown @ Verdict::Unknown(_) => unknown,
        };
        self.vacuous.clear();
        self
    }
}
