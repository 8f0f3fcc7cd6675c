//! Runs a plan: finds the bindings that a trigger makes possible.
//!
//! Unfolding joins the colours that *can occur* in each place (`fixpoint`), the search for
//! enabled bindings those that *are* there (`enabling`, which also looks at counts).
//!
//! A depth-first search over the plan's steps with an explicit stack of cursors, one per
//! step: tests are passed once or not at all, look-ups and choices go through their
//! candidates. A step of which nothing came goes back to the last step that could change that
//! (conflict-directed backjumping, Prosser 1993): a transition that takes from four places which have
//! nothing in common, the last of them empty, is not tried with all tokens of the others.
//! Cost: the number of partial bindings that pass the tests so far.
//!
//! Why every binding is found exactly once: a colour enters its relation before its
//! triggers run, so a binding's inputs are complete exactly when the last of its colours
//! has entered. The triggers of that colour find it. Several patterns of the same arc may
//! agree with that colour; only the first of them reports.

use crate::guards;
use crate::net::ColouredTransition;
use crate::plan::{JoinPlan, JoinStep, Lookup, Pattern, Plans, Trigger};
use crate::relation::Relation;
use crate::terms::{Component, TooMany};
use brine_run::{Pace, Stop};

/// Where a step is.
enum StepCursor<'r> {
    /// A test, or a variable with one value: whether it is passed. False once left.
    Once(bool),
    /// The colours to try, and how many of them were tried.
    Colours(&'r [u64], usize),
    /// How many values were tried.
    Value(u32),
}

/// A step on the stack.
struct Frame<'r> {
    cursor: StepCursor<'r>,
    /// The earlier steps on which it depends that nothing came of its candidates so far.
    blame: u64,
    /// Whether a complete binding came of one.
    complete: bool,
}

/// Leaves the topmost step, whose candidates are used up. If no complete binding came of any,
/// none will before one of the steps to blame takes another candidate.
fn leave(stack: &mut Vec<Frame<'_>>) {
    let Some(left) = stack.pop() else { return };
    let mut complete = left.complete;
    if !complete {
        let below = 1_u64.checked_shl(stack.len() as u32).map_or(u64::MAX, |bit| bit - 1);
        let blame = left.blame & below;
        // With more steps than bits, the last one is always to blame.
        let keep = if stack.len() > 64 { stack.len() } else { 64 - blame.leading_zeros() as usize };
        for frame in stack.drain(keep..) {
            complete |= frame.complete;
        }
        stack.last_mut().into_iter().for_each(|top| top.blame |= blame);
    }
    stack.last_mut().into_iter().for_each(|top| top.complete |= complete);
}

/// Steps of the search that are left, and the budget that may end it before.
#[derive(Debug)]
pub(crate) struct SearchWork<'c> {
    pub(crate) left: u64,
    pub(crate) pace: Pace<'c>,
    /// Why the budget ended, if it did.
    pub(crate) stopped: Option<Stop>,
}

impl SearchWork<'_> {
    #[inline]
    fn spend(&mut self) -> Result<(), TooMany> {
        self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        self.stopped = self.pace.step().err();
        if self.stopped.is_some() { Err(TooMany) } else { Ok(()) }
    }
}

/// What is done with a binding; an error ends the search.
pub(crate) type Report<'f> = dyn FnMut(&[u32], &mut SearchWork<'_>) -> Result<(), TooMany> + 'f;

/// A transition and the colours known so far.
pub(crate) struct Join<'r, R> {
    pub(crate) transition: &'r ColouredTransition,
    pub(crate) plans: &'r Plans,
    pub(crate) relations: &'r [R],
    /// Most colours of one arc.
    pub(crate) widest: u64,
    /// Where to begin among the candidates of a step; it goes round.
    pub(crate) turn: u64,
}

/// Where to begin among so many candidates.
fn first(turn: u64, candidates: usize) -> usize {
    (turn % candidates.max(1) as u64) as usize
}

impl<'r, R: Relation> Join<'r, R> {
    /// Reports the bindings that `colour` (none at the start) makes possible; stops with an
    /// error when `work` is used up or `report` has enough.
    pub(crate) fn run(
        &self,
        plan: &JoinPlan,
        colour: u64,
        work: &mut SearchWork<'_>,
        report: &mut Report<'_>,
    ) -> Result<(), TooMany> {
        let mut binding = vec![0; self.transition.variables.len()];
        if let Trigger::Pattern(p) = plan.trigger
            && !self.unify(&self.plans.patterns[p], colour, &mut binding)
        {
            return Ok(());
        }
        let mut stack: Vec<Frame<'r>> = Vec::with_capacity(plan.steps.len());
        loop {
            let depth = stack.len();
            match plan.steps.get(depth) {
                Some(step) => {
                    let (cursor, blame) = (self.open(step, &binding)?, plan.depends[depth]);
                    stack.push(Frame { cursor, blame, complete: false });
                }
                None => {
                    if self.reports(plan, colour, &binding)? {
                        report(&binding, work)?;
                    }
                    stack.last_mut().into_iter().for_each(|top| top.complete = true);
                }
            }
            loop {
                work.spend()?;
                let depth = stack.len();
                let Some(top) = stack.last_mut() else { return Ok(()) };
                if self.advance(&plan.steps[depth - 1], &mut top.cursor, &mut binding) {
                    break;
                }
                leave(&mut stack);
            }
        }
    }

    /// Binds the variables of the trigger's pattern. Components that cannot be read off
    /// are left to the steps.
    fn unify(&self, pattern: &Pattern, colour: u64, binding: &mut [u32]) -> bool {
        let layout = self.relations[pattern.place].layout();
        let mut bound = vec![false; binding.len()];
        for (i, component) in pattern.colour.iter().enumerate() {
            let value = layout.component(colour, i);
            let agrees = match component {
                Component::Value(v) => *v == value,
                Component::Each(values) => values.binary_search(&value).is_ok(),
                Component::Variable { variable, map } => match map.invert(value) {
                    None => true,
                    Some(v) if bound[*variable] => binding[*variable] == v,
                    Some(v) => {
                        bound[*variable] = true;
                        binding[*variable] = v;
                        self.transition.variables[*variable].admits(v)
                    }
                },
            };
            if !agrees {
                return false;
            }
        }
        true
    }

    /// Starts a step.
    fn open(&self, step: &JoinStep, binding: &[u32]) -> Result<StepCursor<'r>, TooMany> {
        Ok(match step {
            JoinStep::Guard(g) => {
                StepCursor::Once(guards::holds(&self.transition.guard[*g], binding))
            }
            JoinStep::Contains(p) => {
                let Pattern { place, colour, .. } = &self.plans.patterns[*p];
                let relation = &self.relations[*place];
                let share = |(i, c): (usize, &Component)| {
                    relation.layout().weight(i, c.value(binding).unwrap_or(0))
                };
                StepCursor::Once(relation.contains(colour.iter().enumerate().map(share).sum()))
            }
            JoinStep::Holds(a) => {
                let relation = &self.relations[self.transition.inputs[*a].place];
                let taken = self.taken(*a, binding)?;
                StepCursor::Once(taken.iter().all(|&(colour, n)| relation.holds(colour, n)))
            }
            JoinStep::Bind { .. } => StepCursor::Once(true),
            JoinStep::Match(lookup) => StepCursor::Colours(self.candidates(lookup, binding), 0),
            JoinStep::Choose(_) => StepCursor::Value(0),
        })
    }

    /// The colours that agree with the known components of a pattern.
    fn candidates(&self, lookup: &Lookup, binding: &[u32]) -> &'r [u64] {
        let Pattern { place, colour, .. } = &self.plans.patterns[lookup.pattern];
        let relation = &self.relations[*place];
        let value = |i: usize| match &colour[i] {
            Component::Each(values) => values[0],
            other => other.value(binding).unwrap_or(0),
        };
        let key = lookup.key.iter().map(|&i| relation.layout().weight(i, value(i))).sum();
        relation.group(lookup.index, key)
    }

    /// Moves a step to its next candidate; false when there is none.
    fn advance(&self, step: &JoinStep, cursor: &mut StepCursor<'r>, binding: &mut [u32]) -> bool {
        match (step, cursor) {
            (JoinStep::Bind { variable, map, to }, StepCursor::Once(fresh)) => {
                let value = to.value(binding).and_then(|v| map.invert(v));
                match value.filter(|_| std::mem::take(fresh)) {
                    Some(v) => {
                        binding[*variable] = v;
                        self.transition.variables[*variable].admits(v)
                    }
                    None => false,
                }
            }
            (_, StepCursor::Once(passed)) => std::mem::take(passed),
            (JoinStep::Match(lookup), StepCursor::Colours(all, tried)) => {
                let (late, early) = all.split_at(first(self.turn, all.len()));
                while *tried < all.len() {
                    let i = *tried;
                    *tried += 1;
                    let colour = if i < early.len() { early[i] } else { late[i - early.len()] };
                    if self.extend(lookup, colour, binding) {
                        return true;
                    }
                }
                false
            }
            (JoinStep::Choose(variable), StepCursor::Value(tried)) => {
                let variable_of = &self.transition.variables[*variable];
                let choices = variable_of.choices();
                if *tried >= choices {
                    return false;
                }
                let start = first(self.turn, choices as usize) as u64;
                let i = (start + u64::from(*tried)) % u64::from(choices);
                binding[*variable] = variable_of.choice(i as u32);
                *tried += 1;
                true
            }
            _ => false,
        }
    }

    /// Binds the unknown variables of a pattern from a colour.
    fn extend(&self, lookup: &Lookup, colour: u64, binding: &mut [u32]) -> bool {
        let pattern = &self.plans.patterns[lookup.pattern];
        let layout = self.relations[pattern.place].layout();
        for &(i, variable) in &lookup.binds {
            let Component::Variable { map, .. } = &pattern.colour[i] else { return false };
            match map.invert(layout.component(colour, i)) {
                Some(v) if self.transition.variables[variable].admits(v) => binding[variable] = v,
                _ => return false,
            }
        }
        let agrees =
            |&i: &usize| pattern.colour[i].value(binding) == Some(layout.component(colour, i));
        lookup.tests.iter().all(agrees)
    }

    /// Whether this trigger is the one that reports a complete binding.
    fn reports(&self, plan: &JoinPlan, colour: u64, binding: &[u32]) -> Result<bool, TooMany> {
        match plan.trigger {
            Trigger::Pattern(p) => {
                let Pattern { place, input, certain, .. } = self.plans.patterns[p];
                let first = self.plans.patterns.iter().position(|pattern| {
                    pattern.place == place && self.agrees(pattern, colour, binding)
                });
                Ok(first == Some(p) && (certain || self.takes(input, colour, binding)?))
            }
            Trigger::Arc(a) => self.takes(a, colour, binding),
            Trigger::Everything => Ok(true),
            Trigger::Start => {
                for a in 0..self.transition.inputs.len() {
                    if !self.taken(a, binding)?.is_empty() {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Whether a colour is one of those that a pattern stands for under a binding.
    fn agrees(&self, pattern: &Pattern, colour: u64, binding: &[u32]) -> bool {
        let layout = self.relations[pattern.place].layout();
        pattern.colour.iter().enumerate().all(|(i, component)| {
            let value = layout.component(colour, i);
            match component {
                Component::Each(values) => values.binary_search(&value).is_ok(),
                other => other.value(binding) == Some(value),
            }
        })
    }

    /// Whether an arc takes a colour.
    fn takes(&self, input: usize, colour: u64, binding: &[u32]) -> Result<bool, TooMany> {
        let taken = self.taken(input, binding)?;
        Ok(taken.binary_search_by_key(&colour, |&(c, _)| c).is_ok())
    }

    fn taken(&self, input: usize, binding: &[u32]) -> Result<Vec<(u64, u64)>, TooMany> {
        let arc = &self.transition.inputs[input];
        arc.bag.evaluate(self.relations[arc.place].layout(), binding, self.widest)
    }
}
