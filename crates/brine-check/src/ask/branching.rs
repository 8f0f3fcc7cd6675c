//! A formula of CTL: what can be said about runs first, then all markings.
//!
//! A boolean combination is taken apart: the initial marking satisfies it or not by what its parts
//! are worth there. About a part that is a path operator, a few questions of LTL are asked
//! ([`super::bounds`] says what `strong` and `under` are, and why):
//!
//! 1. no run satisfies `strong`: the part is false. If there is such a run, it is a *candidate*:
//!    it may show the part, if what it comes by is looked at closely ([`crate::follow`]).
//! 2. some run satisfies `under`: the part is true.
//! 3. the part is `EF g`, and a dead marking in which g is true can be reached: the part is true.
//! 4. the part is `E(f U !h)`, and no run satisfies `strong` of h: `!h` is true at once, and so is
//!    the part.
//!
//! For `AG EF f`, which is `!EF !EF f` and says that f can always become true again, these are
//! `G F f`, a dead marking without f, and whether f can become true at all.
//!
//! *Everywhere.* Operators inside of others are asked about in all reachable markings at once: if no
//! run satisfies `F strong`, the operator is false in each of them, and if all runs satisfy `G under`,
//! it is true in each. Then it is a constant, and the formula becomes simpler. `EF f` is the same
//! everywhere if the initial marking can always be reached again ([`crate::home`]).

use super::Asker;
use super::bounds::{CtlBounds, in_dead_marking};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, RunQuestion};
use crate::follow::{Candidate, FollowedNode};
use crate::verdict::{Reason, Verdict};
use brine_explicit::local::LocalValues;
use brine_ltl::{Ctl, CtlId, CtlNode, Formula, Formulas};
use brine_net::Run;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The proof that the initial marking can always be reached again has this part of the time, and at
/// most this long.
const RETURN_SHARE: u32 = 4;
const RETURN_MOST: Duration = Duration::from_secs(4);
/// How many questions are asked about all reachable markings at most.
const MOST_EVERYWHERE: usize = 16;

/// Questions about all runs that may decide a formula of CTL, or parts of it.
pub(super) struct QuickQuestions<C> {
    formulas: Formulas,
    ctl: Ctl,
    /// The largest parts that have no boolean operator outside, by their nodes.
    parts: Vec<QuickPart<C>>,
    /// Operators inside of others, and what each is everywhere if the question holds.
    everywhere: Vec<(C, EverywhereRule)>,
    /// How often all of them went on.
    turns: u64,
}

/// A part of the formula: the initial marking satisfies it or not.
struct QuickPart<C> {
    at: CtlId,
    value: Option<bool>,
    open: Vec<(C, Formula, QuickRule)>,
    /// It has path operators inside, so that looking at markings closely may help.
    nested: bool,
    /// A run that may show it.
    candidate: Option<Run>,
    /// There is one, but of another net.
    led_astray: bool,
}

/// What a verdict about all runs says about a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct QuickRule {
    holds: Option<bool>,
    fails: Option<bool>,
}

/// What a question about all reachable markings says about an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct EverywhereRule {
    at: CtlId,
    /// Its value everywhere, if the question holds.
    holds: bool,
    /// It is `EF f`, and a violation shows it in the initial marking: if that can always be reached
    /// again, it is true everywhere.
    comes_back: bool,
}

/// What came of a turn.
pub(super) enum QuickOutcome {
    /// The formula has this value, for the reason in the decision.
    Decided(bool, Box<Decision>),
    /// A node has this value in all reachable markings.
    Everywhere(CtlId, bool),
    /// Nothing new.
    Open,
}

impl<C> QuickQuestions<C> {
    /// The questions about a formula; about operators inside of others only if `everywhere`.
    pub(super) fn new<A: Asker<Case = C>>(
        asker: &mut A,
        fs: &Formulas,
        ctl: &Ctl,
        everywhere: bool,
    ) -> Self {
        let mut fs = fs.clone();
        let bounds = CtlBounds::new(&mut fs, ctl);
        let parts = parts(ctl);
        let asked =
            if everywhere { asked_everywhere(&mut fs, ctl, &bounds, &parts) } else { Vec::new() };
        let mut of_part = |at: CtlId| {
            let questions = questions(&mut fs, ctl, &bounds, at);
            let begin = |(f, rule): (Formula, QuickRule)| (asker.begin(&fs, f), f, rule);
            let open = questions.into_iter().map(begin).collect();
            let is_path = |o: &CtlId| !matches!(ctl.nodes()[*o], CtlNode::State(_));
            let next = matches!(ctl.nodes()[at], CtlNode::ExistsNext(_));
            let nested = next || ctl.nodes()[at].operands().iter().any(is_path);
            QuickPart { at, value: None, open, nested, candidate: None, led_astray: false }
        };
        let parts = parts.into_iter().map(&mut of_part).collect();
        let begin = |(f, rule): (Formula, EverywhereRule)| (asker.begin(&fs, f), rule);
        let everywhere = asked.into_iter().map(begin).collect();
        QuickQuestions { formulas: fs, ctl: ctl.clone(), parts, everywhere, turns: 0 }
    }

    /// Whether none is open.
    pub(super) fn is_empty(&self) -> bool {
        self.everywhere.is_empty()
            && self.parts.iter().all(|part| part.open.is_empty() && !part.nested)
    }

    /// Goes on with all of them.
    pub(super) fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        values: &mut LocalValues,
        budget: &Budget,
        held: u64,
    ) -> Result<QuickOutcome, DecideError> {
        let start = Instant::now();
        self.turns += 1;
        for i in 0..self.parts.len() {
            let fs = &self.formulas;
            let decision = self.parts[i].advance(asker, fs, &budget.since(start), held)?;
            let decision = match decision {
                None => self.follow(i, asker, values, &budget.since(start))?,
                decided => decided,
            };
            let Some(decision) = decision else { continue };
            if let Some(value) = self.value(self.ctl.root()) {
                // A run shows the whole only if there is nothing but this part, or its negation.
                let (at, root) = (self.parts[i].at, self.ctl.root());
                let whole = at == root || self.ctl.nodes()[root] == CtlNode::Not(at);
                let verdict = Verdict::Unknown(Reason::Steps);
                let decision = if whole { decision } else { Decision { verdict, ..decision } };
                return Ok(QuickOutcome::Decided(value, Box::new(decision)));
            }
        }
        // What is decided at once needs none of these.
        let mut i = if self.turns == 1 { self.everywhere.len() } else { 0 };
        while i < self.everywhere.len() {
            let (case, rule) = &mut self.everywhere[i];
            let rule = *rule;
            match asker.advance(case, &budget.since(start), held)?.verdict {
                Verdict::Holds => return Ok(QuickOutcome::Everywhere(rule.at, rule.holds)),
                Verdict::Violated(_) => {
                    let comes_back = rule.comes_back && {
                        let share = budget.since(start).share(RETURN_SHARE, RETURN_MOST);
                        asker.always_returns(&share)?
                    };
                    if comes_back {
                        return Ok(QuickOutcome::Everywhere(rule.at, true));
                    }
                    self.everywhere.remove(i);
                }
                Verdict::Unknown(_) => i += 1,
            }
        }
        Ok(QuickOutcome::Open)
    }

    /// Looks closely at what a run comes by that may show a part.
    fn follow<A: Asker<Case = C>>(
        &mut self,
        i: usize,
        asker: &mut A,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Result<Option<Decision>, DecideError> {
        let part = &mut self.parts[i];
        if !part.nested || part.value.is_some() {
            return Ok(None);
        }
        let node = FollowedNode { formulas: &self.formulas, ctl: &self.ctl, at: part.at };
        let next = matches!(self.ctl.nodes()[part.at], CtlNode::ExistsNext(_));
        let candidate = match &part.candidate {
            Some(run) => Candidate::Run(run),
            // Its engines are asked here already; of a coloured net they are others.
            None if !next && !part.led_astray => return Ok(None),
            None => Candidate::Open,
        };
        part.value = asker.follow(node, candidate, values, budget)?;
        if part.value.is_some() {
            part.open.clear();
        }
        Ok(part.value.map(|_| Decision::open("local")))
    }

    /// What the parts that are known make of a node outside of path operators.
    fn value(&self, at: CtlId) -> Option<bool> {
        let combined = |list: &[CtlId], decides: bool| {
            let values: Vec<Option<bool>> = list.iter().map(|&o| self.value(o)).collect();
            match (values.contains(&Some(decides)), values.contains(&None)) {
                (true, _) => Some(decides),
                (false, true) => None,
                (false, false) => Some(!decides),
            }
        };
        match &self.ctl.nodes()[at] {
            CtlNode::Not(f) => self.value(*f).map(|f| !f),
            CtlNode::And(list) => combined(list, false),
            CtlNode::Or(list) => combined(list, true),
            _ => self.parts.iter().find(|part| part.at == at).and_then(|part| part.value),
        }
    }
}

impl<C> QuickPart<C> {
    /// Goes on with the questions of this part; the decision behind its value, once there is one.
    fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        fs: &Formulas,
        budget: &Budget,
        held: u64,
    ) -> Result<Option<Decision>, DecideError> {
        let (start, mut i) = (Instant::now(), 0);
        while i < self.open.len() {
            let (case, formula, rule) = &mut self.open[i];
            let mut decision = asker.advance(case, &budget.since(start), held)?;
            let says = match &decision.verdict {
                Verdict::Holds => rule.holds,
                Verdict::Violated(run) => {
                    if rule.fails.is_none() && rule.holds == Some(false) {
                        let here = decision.run_net.is_none() && decision.coloured_run.is_none();
                        self.candidate = run.clone().filter(|_| here);
                        self.led_astray = !here;
                    }
                    rule.fails
                }
                Verdict::Unknown(_) => {
                    i += 1;
                    continue;
                }
            };
            if says.is_some() {
                let question = RunQuestion { formulas: fs.clone(), formula: *formula };
                decision.run_question = Some(Arc::new(question));
                self.value = says;
                self.open.clear();
                return Ok(Some(decision));
            }
            self.open.remove(i);
        }
        Ok(None)
    }
}

/// The largest parts of a formula that have no boolean operator outside.
fn parts(ctl: &Ctl) -> Vec<CtlId> {
    let (mut parts, mut open) = (Vec::new(), vec![ctl.root()]);
    while let Some(at) = open.pop() {
        match &ctl.nodes()[at] {
            CtlNode::Not(f) => open.push(*f),
            CtlNode::And(list) | CtlNode::Or(list) => open.extend(list),
            _ if !parts.contains(&at) => parts.push(at),
            _ => (),
        }
    }
    parts
}

/// The questions about a part, each with what it may say.
fn questions(
    fs: &mut Formulas,
    ctl: &Ctl,
    bounds: &CtlBounds,
    at: CtlId,
) -> Vec<(Formula, QuickRule)> {
    let mut list = Vec::new();
    if let CtlNode::State(f) = ctl.nodes()[at] {
        list.push((f, QuickRule { holds: Some(true), fails: Some(false) }));
    }
    let under = bounds.of(at).under;
    let Some(strong) = bounds.of(at).strong else { return list };
    let exact = under == strong;
    let none = fs.not(strong);
    list.push((none, QuickRule { holds: Some(false), fails: exact.then_some(true) }));
    if !exact {
        let none = fs.not(under);
        list.push((none, QuickRule { holds: None, fails: Some(true) }));
    }
    if let CtlNode::ExistsUntil(f, g) = ctl.nodes()[at]
        && ctl.nodes()[f] == CtlNode::State(Formula::TRUE)
        && !exact
    {
        let dead = fs.deadlock();
        let there = in_dead_marking(fs, ctl, g);
        let ends = fs.and([dead, there]);
        let never = fs.not(ends);
        list.push((fs.g(never), QuickRule { holds: None, fails: Some(true) }));
    }
    if let CtlNode::ExistsUntil(_, g) = ctl.nodes()[at]
        && let CtlNode::Not(path) = ctl.nodes()[g]
        && let Some(strong) = bounds.of(path).strong
    {
        list.push((fs.not(strong), QuickRule { holds: Some(true), fails: None }));
    }
    // A rule that cannot say anything, or a question that has one answer, is none.
    list.retain(|(f, rule)| match *f {
        Formula::TRUE => rule.holds.is_some(),
        Formula::FALSE => rule.fails.is_some(),
        _ => true,
    });
    list
}

/// Questions about operators that are inside of others: if one holds, the operator has this value
/// in all reachable markings.
fn asked_everywhere(
    fs: &mut Formulas,
    ctl: &Ctl,
    bounds: &CtlBounds,
    parts: &[CtlId],
) -> Vec<(Formula, EverywhereRule)> {
    let mut list = Vec::new();
    for at in (0..ctl.nodes().len()).filter(|at| !parts.contains(at)) {
        let Some(strong) = bounds.of(at).strong else { continue };
        let none = fs.not(strong);
        let always = fs.g(bounds.of(at).under);
        let possible = match ctl.nodes()[at] {
            CtlNode::ExistsUntil(f, _) => ctl.nodes()[f] == CtlNode::State(Formula::TRUE),
            _ => false,
        };
        let comes_back = possible && bounds.of(at).under == strong;
        for (f, holds) in [(fs.g(none), false), (always, true)] {
            if f != Formula::FALSE {
                list.push((f, EverywhereRule { at, holds, comes_back: comes_back && !holds }));
            }
        }
    }
    list.truncate(MOST_EVERYWHERE);
    list
}
