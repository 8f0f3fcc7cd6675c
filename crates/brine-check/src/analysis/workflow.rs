//! Workflow nets and their soundness (van der Aalst).
//!
//! A workflow net has one place without input (the start), one place without output (the end), and
//! every node lies on a path from the one to the other; its only token is in the start. It is
//! *sound* if
//!
//! 1. from every reachable marking the final one can be reached (one token in the end, none elsewhere),
//! 2. whenever there is a token in the end, the marking is the final one,
//! 3. every transition can fire.

use super::{AnalysisError, AnalysisSearch, Reached, WorkflowFacts};
use brine_ltl::{Comparison, Ctl, Expression, Formula, Formulas};
use brine_net::{Incidence, Net, PlaceId, Structure};
use brine_run::Stop;
use std::ops::Deref;

/// What the arcs say.
pub(super) enum WorkflowShape {
    /// From this place to that one.
    Workflow(PlaceId, PlaceId),
    /// It is none, because of this.
    Other(String),
}

impl WorkflowShape {
    /// Looks at the arcs. Cost: linear.
    pub(super) fn of(net: &Net, incidence: &Incidence) -> Self {
        let only = |list: Vec<PlaceId>, what: &str| match list[..] {
            [p] => Ok(p),
            [] => Err(format!("no place is without {what}")),
            _ => Err(format!("{} places are without {what}", list.len())),
        };
        let starts = net.place_ids().filter(|&p| incidence.producers(p).is_empty()).collect();
        let ends = net.place_ids().filter(|&p| incidence.consumers(p).is_empty()).collect();
        let found = only(starts, "input").and_then(|s| only(ends, "output").map(|e| (s, e)));
        let (start, end) = match found {
            Ok(found) => found,
            Err(why) => return WorkflowShape::Other(why),
        };
        let marked = net.place_ids().filter(|&p| net.place(p).initial > 0).collect::<Vec<_>>();
        if marked != [start] || net.place(start).initial != 1 {
            let why = format!("the only token at the start is not in {}", net.place(start).id());
            return WorkflowShape::Other(why);
        }
        if let Some(t) = net.transitions().find(|t| t.pre.is_empty() || t.post.is_empty()) {
            return WorkflowShape::Other(format!("{} has no input or no output", t.id()));
        }
        for (from, forward) in [(start, true), (end, false)] {
            if let Some(p) = unreached(net, incidence, from, forward) {
                let (node, from) = (net.place(p).id(), net.place(from).id());
                return WorkflowShape::Other(match forward {
                    true => format!("no path leads from {from} to {node}"),
                    false => format!("no path leads from {node} to {from}"),
                });
            }
        }
        WorkflowShape::Workflow(start, end)
    }
}

/// A place that no path along the arcs leads to. Every transition has inputs and outputs, so it is
/// enough to look at places.
fn unreached(net: &Net, incidence: &Incidence, from: PlaceId, forward: bool) -> Option<PlaceId> {
    let mut seen = vec![false; net.places().len()];
    let mut open = vec![from];
    seen[from.index()] = true;
    while let Some(p) = open.pop() {
        let along = if forward { incidence.consumers(p) } else { incidence.producers(p) };
        for &(t, _) in along {
            let transition = net.transition(t);
            let next = if forward { transition.post } else { transition.pre };
            for &(q, _) in next {
                if !std::mem::replace(&mut seen[q.index()], true) {
                    open.push(q);
                }
            }
        }
    }
    net.place_ids().find(|p| !seen[p.index()])
}

impl WorkflowFacts {
    /// Checks soundness, if the net is a workflow net.
    pub(super) fn check<S: Deref<Target = Structure>>(
        shape: WorkflowShape,
        analysis: &mut AnalysisSearch<'_, S>,
    ) -> Result<Self, AnalysisError> {
        let mut found = WorkflowFacts {
            is_workflow_net: true,
            because: None,
            start: None,
            end: None,
            sound: None,
            violations: Vec::new(),
            run: None,
        };
        let (start, end) = match shape {
            WorkflowShape::Workflow(start, end) => (start, end),
            WorkflowShape::Other(why) => {
                (found.is_workflow_net, found.because) = (false, Some(why));
                return Ok(found);
            }
        };
        let net = analysis.net;
        found.start = Some(net.place(start).id().into_owned());
        let end_id = net.place(end).id().into_owned();
        let mut fs = Formulas::new();
        let Some((has_ended, is_final)) = states(&mut fs, net, end) else { return Ok(found) };
        let mut open = false;
        let not_final = fs.not(is_final);
        // With tokens left behind, and stuck before the end.
        let left_over = fs.and([has_ended, not_final]);
        let dead = fs.deadlock();
        let stuck = fs.and([dead, not_final]);
        for (state, what) in [
            (left_over, format!("a token can be in {end_id} while others are left")),
            (stuck, format!("a run can end before {end_id} holds the only token")),
        ] {
            match analysis.reach(&fs, state)? {
                Reached::Yes(run) => {
                    found.violations.push(what);
                    found.run = found.run.or(run);
                }
                Reached::No(_) => (),
                Reached::Open => open = true,
            }
        }
        if found.violations.is_empty() {
            let possible = Ctl::always_possible(&mut fs, is_final);
            match analysis.holds(&fs, &possible) {
                Ok(true) => (),
                Ok(false) => {
                    found.violations.push(format!("{end_id} can become impossible to reach"));
                }
                Err(Stop::Cancelled) => return Err(Stop::Cancelled.into()),
                Err(_) => open = true,
            }
        }
        for transition in &analysis.transitions {
            match transition.can_fire {
                Some(true) => (),
                Some(false) => found.violations.push(format!("{} can never fire", transition.id)),
                None => open = true,
            }
        }
        found.end = Some(end_id);
        let violated = !found.violations.is_empty();
        found.sound = if violated { Some(false) } else { (!open).then_some(true) };
        Ok(found)
    }
}

/// "The end holds a token" and "it holds the only one".
fn states(fs: &mut Formulas, net: &Net, end: PlaceId) -> Option<(Formula, Formula)> {
    let others: Vec<PlaceId> = net.place_ids().filter(|&p| p != end).collect();
    let at_end = || Expression::places(&[end]);
    let mut compare = |left: Expression, comparison, number| {
        fs.compare(left, comparison, Expression::constant(number)).ok()
    };
    let has_ended = compare(at_end(), Comparison::Ge, 1)?;
    let one = compare(at_end(), Comparison::Eq, 1)?;
    let none = compare(Expression::places(&others), Comparison::Le, 0)?;
    Some((has_ended, fs.and([one, none])))
}
