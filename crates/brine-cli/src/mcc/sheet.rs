//! Examinations of properties: all questions about one net, none starving the others.
//!
//! An examination is a list of queries. Those of a file are answered one by one; a property of the
//! whole net is one answer for all of them ([`Combination`]): "every transition can fire" is true
//! when all queries hold, and false as soon as one does not.

use super::Contest;
use super::answers::ContestQuestion;
use crate::entry::WitnessFile;
use crate::properties::NamedProperty;
use crate::rounds::{Share, play};
use brine_check::show::net_trace;
use brine_check::{Asker, Budget, DecideError, Decision, QueryAnswer, QueryCase, Reason, Verdict};
use brine_ltl::{Formulas, Query};
use brine_net::{Net, Run};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The contest's words for verdicts.
const TRUE: &str = "TRUE";
const FALSE: &str = "FALSE";

/// What came of one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TurnOutcome {
    /// This.
    Answered(QueryAnswer),
    /// More time may help.
    TooShort,
    /// Nothing more can be done.
    Hopeless,
}

/// How the answers to queries make those of an examination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Combination {
    /// Each is one of its own.
    Each,
    /// One question: do all hold?
    All(&'static str),
    /// One question: does any hold?
    Any(&'static str),
}

/// What is known about a sum before its bound is searched for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// A value that it has in a reachable marking.
    pub(super) value: i64,
    /// A value that it never passes.
    pub(super) most: Option<i64>,
}

/// The questions of an examination.
pub(super) struct Asked<'a> {
    /// One store for all queries, or one for each.
    pub(super) formulas: &'a [Formulas],
    pub(super) named: &'a [NamedProperty],
    /// Of the queries about bounds.
    pub(super) seen: Vec<Seen>,
    pub(super) combination: Combination,
    /// Something that belongs to them cannot be asked.
    pub(super) incomplete: bool,
}

impl Asked<'_> {
    /// The store of a query's formulas.
    fn formulas(&self, i: usize) -> &Formulas {
        if self.formulas.len() == 1 { &self.formulas[0] } else { &self.formulas[i] }
    }
}

/// What one run has shown about all queries.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// Answers, by the numbers of the queries.
    pub(super) answers: Vec<(usize, QueryAnswer)>,
    /// Values that their sums have in reachable markings.
    pub(super) values: Vec<(usize, i64)>,
}

/// What makes a new engine after one has given up, and what learns from runs.
type Hooks<'h, A> =
    (&'h mut dyn FnMut(&mut A) -> anyhow::Result<()>, &'h mut dyn FnMut(&Run) -> Learned);

/// A query that is open.
struct Member<C> {
    property: usize,
    /// The search for its answer, once it has begun.
    case: Option<QueryCase<C>>,
}

/// The queries and what is known of them.
pub(super) struct ContestSheet<'a> {
    contest: &'a Contest<'a>,
    /// What runs are runs of, unless they come with a net of their own.
    net: &'a Net,
    asked: Asked<'a>,
    questions: Vec<ContestQuestion>,
    /// Answered or given up.
    settled: Vec<bool>,
    /// How many queries about a part of the net are open.
    open_parts: usize,
    /// Some query has no answer, so that the whole may have none.
    gave_up: bool,
    witnesses: Option<WitnessFile>,
}

impl<'a> ContestSheet<'a> {
    /// Asks the questions, so that each will get a line whatever happens.
    pub(super) fn new(contest: &'a Contest<'a>, net: &'a Net, asked: Asked<'a>) -> Self {
        let questions: Vec<ContestQuestion> = match asked.combination {
            Combination::Each => {
                asked.named.iter().map(|p| ContestQuestion::Formula(p.name.clone())).collect()
            }
            Combination::All(name) | Combination::Any(name) => {
                vec![ContestQuestion::Formula(name.to_owned())]
            }
        };
        contest.watchdog.answers().ask(questions.iter().cloned());
        let witnesses = contest.args.witness.as_deref().map(WitnessFile::new);
        let settled = vec![false; asked.named.len()];
        let open_parts = asked.named.iter().filter(|p| !p.decides_all).count();
        let gave_up = asked.incomplete;
        ContestSheet { contest, net, asked, questions, settled, open_parts, gave_up, witnesses }
    }

    /// All queries take turns until the time is up. From runs that are found, others may learn.
    pub(super) fn answer<A: Asker>(
        mut self,
        asker: &mut A,
        renew: &mut dyn FnMut(&mut A) -> anyhow::Result<()>,
        learn: &mut dyn FnMut(&Run) -> Learned,
    ) -> anyhow::Result<()> {
        let members = (0..self.asked.named.len()).map(|property| Member { property, case: None });
        let watchdog = self.contest.watchdog;
        play(
            members.collect(),
            || !watchdog.time_left().is_zero(),
            |member, work| {
                Ok(self.turn(member, asker, (renew, learn), work)? == TurnOutcome::TooShort)
            },
        )?;
        self.conclude();
        self.witnesses.map_or(Ok(()), |file| file.write())
    }

    /// What all queries come to, if none of those that are about a part of the net is open.
    fn conclude(&mut self) {
        let mut parts = self.asked.named.iter().zip(&self.settled);
        let all_settled = parts.all(|(p, &settled)| settled || p.decides_all) && !self.gave_up;
        let word = match self.asked.combination {
            Combination::Each => return,
            Combination::All(_) => TRUE,
            Combination::Any(_) => FALSE,
        };
        if all_settled {
            let techniques = self.contest.techniques("", &[]);
            self.say(0, word, &techniques);
            self.settled.iter_mut().for_each(|settled| *settled = true);
        }
    }

    /// Answers the question of this number, if it is open.
    fn say(&self, question: usize, word: &str, techniques: &str) {
        let mut answers = self.contest.watchdog.answers();
        if answers.is_open(&self.questions[question]) {
            answers.answer(&self.questions[question], word, techniques);
        }
    }

    /// One query gets so much work: the easy ones are answered first.
    fn turn<A: Asker>(
        &mut self,
        member: &mut Member<A::Case>,
        asker: &mut A,
        (renew, learn): Hooks<'_, A>,
        work: u64,
    ) -> anyhow::Result<TurnOutcome> {
        let i = member.property;
        let left = self.contest.watchdog.time_left();
        if self.settled[i] || left.is_zero() {
            return Ok(TurnOutcome::Hopeless);
        }
        // Turns are equally hard, but not equally long: no query gets more than two shares.
        let open = self.settled.iter().filter(|settled| !**settled).count() as u32;
        // One that decides for all gets as much work as all others, and a quarter of the time.
        let (share, work) = match self.asked.named[i].decides_all {
            true => (left / 4, work.saturating_mul(u64::from(open))),
            false => (2 * left / open.max(1), work),
        };
        let slice = share.min(left);
        let mut budget = self.budget(slice);
        let memory = self.contest.watchdog.confinement().memory_bytes();
        let Share { work, held } = Share::new(open as usize, work, Some(memory));
        budget.schedule.ticks = work;
        let result = match &mut member.case {
            Some(case) => {
                case.note_seen(self.asked.seen[i].value);
                case.advance(asker, &budget, held)
            }
            None => {
                let case = self.case(asker, i);
                member.case.insert(case).advance(asker, &budget, held)
            }
        };
        let outcome = self.settle(i, slice, result, learn)?;
        if outcome == TurnOutcome::Hopeless {
            renew(asker)?;
        }
        Ok(outcome)
    }

    /// The search for the answer to a query.
    fn case<A: Asker>(&self, asker: &mut A, i: usize) -> QueryCase<A::Case> {
        let formulas = self.asked.formulas(i);
        match &self.asked.named[i].query {
            Query::AllRuns(f) => QueryCase::all_runs(asker, formulas, *f),
            Query::SomeRun(f) => QueryCase::some_run(asker, formulas, *f),
            Query::Bound(sum) => {
                let Seen { value, most } = self.asked.seen[i];
                QueryCase::bound(formulas, sum.clone(), value, most)
            }
            Query::Branching(ctl) => {
                let case = QueryCase::branching(formulas, ctl);
                // Of a whole net, the markings are asked once for all.
                let alone = self.asked.combination == Combination::Each;
                if alone { case } else { case.about_runs_only() }
            }
            Query::Whole(question) => QueryCase::whole(question.clone()),
        }
    }

    /// A slice of the time, and the memory that is left.
    fn budget(&self, slice: Duration) -> Budget {
        let watchdog = self.contest.watchdog;
        let cancel = watchdog.cancel();
        // What called the last property off has ended with it.
        cancel.store(false, Ordering::Relaxed);
        let memory = Some(watchdog.confinement().memory_left());
        let threads = self.contest.args.threads.count();
        Budget { time: Some(slice), memory, cancel, threads, ..Budget::default() }
    }

    /// Writes down what came of a slice.
    fn settle(
        &mut self,
        i: usize,
        slice: Duration,
        result: Result<(QueryAnswer, Decision), DecideError>,
        learn: &mut dyn FnMut(&Run) -> Learned,
    ) -> anyhow::Result<TurnOutcome> {
        let contest = self.contest;
        if contest.args.stats {
            eprintln!("{}", attempt_line(&self.asked.named[i], slice, &result));
        }
        let Ok((answer, decision)) = result else { return Ok(self.give_up(i)) };
        if let Some(file) = &mut self.witnesses {
            let trace = net_trace(self.net, None, &decision);
            file.add(&self.asked.named[i].name, trace.as_ref())?;
        }
        if let Some(run) = shown(&decision) {
            self.note_learned(learn(run));
        }
        match answer {
            QueryAnswer::Unknown(Reason::Timeout | Reason::Steps) => Ok(TurnOutcome::TooShort),
            QueryAnswer::Unknown(_) => Ok(self.give_up(i)),
            answer => {
                self.note(i, &answer, &contest.techniques(decision.engine, &decision.timeline));
                Ok(TurnOutcome::Answered(answer))
            }
        }
    }

    /// Notes what a run, or a look at everything, has shown.
    pub(super) fn note_learned(&mut self, learned: Learned) {
        let techniques = self.contest.techniques("hunt", &[]);
        for (j, answer) in learned.answers {
            if !self.settled[j] {
                self.note(j, &answer, &techniques);
            }
        }
        for (j, value) in learned.values {
            let seen = &mut self.asked.seen[j];
            seen.value = seen.value.max(value);
        }
    }

    fn give_up(&mut self, i: usize) -> TurnOutcome {
        self.settled[i] = true;
        // One about all parts at once is no part.
        self.gave_up |= !self.asked.named[i].decides_all;
        if self.asked.combination == Combination::Each {
            self.contest.watchdog.answers().give_up(&self.questions[i]);
        }
        TurnOutcome::Hopeless
    }

    /// Notes an answer to a query and to those that follow from it.
    fn note(&mut self, i: usize, answer: &QueryAnswer, techniques: &str) {
        let decides_all = self.asked.named[i].decides_all;
        let decides = match self.asked.combination {
            Combination::Each => return self.answer_all_like(i, answer, techniques),
            Combination::All(_) => decides_all || *answer == QueryAnswer::Fails,
            Combination::Any(_) => decides_all || *answer == QueryAnswer::Holds,
        };
        let was_open = !std::mem::replace(&mut self.settled[i], true);
        if decides {
            self.say(0, if *answer == QueryAnswer::Holds { TRUE } else { FALSE }, techniques);
            // Nothing else is of interest now.
            self.settled.iter_mut().for_each(|settled| *settled = true);
        } else if was_open {
            self.open_parts -= 1;
            if self.open_parts == 0 {
                self.conclude();
            }
        }
    }

    /// Answers a property and those that follow from it: the same query again, and the negation of a
    /// formula that all runs satisfy, which no run does (and a run there is).
    fn answer_all_like(&mut self, i: usize, answer: &QueryAnswer, techniques: &str) {
        let mut formulas = self.asked.formulas(i).clone();
        let opposite = match &self.asked.named[i].query {
            Query::AllRuns(f) if *answer == QueryAnswer::Holds => {
                Some(Query::AllRuns(formulas.not(*f)))
            }
            _ => None,
        };
        for j in 0..self.asked.named.len() {
            let query = &self.asked.named[j].query;
            let same = *query == self.asked.named[i].query;
            if (same || opposite.as_ref() == Some(query)) && !self.settled[j] {
                self.settled[j] = true;
                let word = match answer {
                    QueryAnswer::Number(number) => number.to_string(),
                    QueryAnswer::Holds if same => TRUE.to_owned(),
                    _ => FALSE.to_owned(),
                };
                self.say(j, &word, techniques);
            }
        }
    }
}

/// The run that an answer was found by.
fn shown(decision: &Decision) -> Option<&Run> {
    match &decision.verdict {
        Verdict::Violated(run) => run.as_ref(),
        _ => decision.example.as_ref(),
    }
}

fn attempt_line(
    property: &NamedProperty,
    slice: Duration,
    result: &Result<(QueryAnswer, Decision), DecideError>,
) -> String {
    let slice = slice.as_secs_f64();
    match result {
        Err(error) => format!("{}: slice {slice:.2} s: {error}", property.name),
        Ok((answer, decision)) => {
            let what = match answer {
                QueryAnswer::Holds => "holds".to_owned(),
                QueryAnswer::Fails => "violated".to_owned(),
                QueryAnswer::Number(number) => number.to_string(),
                QueryAnswer::Unknown(reason) => format!("unknown, {reason}"),
            };
            let time = decision.time.as_secs_f64();
            let engine = decision.engine;
            format!("{}: slice {slice:.2} s, {time:.2} s used: {what} ({engine})", property.name)
        }
    }
}
