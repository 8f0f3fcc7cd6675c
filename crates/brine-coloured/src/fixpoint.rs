//! Which colours each place can hold, and which bindings of each transition can occur.
//!
//! The least fixpoint of two rules: a colour of the initial marking can occur; if every
//! colour that a binding takes can occur and its guard holds, the binding can occur, and
//! so can every colour it puts. Counts are ignored, so the result may be larger than what
//! is reachable, but never smaller: by induction over the length of a run, every token in
//! a reachable marking has a colour that can occur here.
//!
//! It is computed colour by colour from a queue (semi-naive evaluation): only bindings
//! that use the new colour are looked for. See `join` for why each is found once.

use rustc_hash::FxHashSet;
use std::collections::VecDeque;

use crate::bindings::Bindings;
use crate::join::{Join, SearchWork};
use crate::net::ColouredNet;
use crate::plan::{JoinPlan, Plans, Trigger};
use crate::relation::ColourRelation;
use crate::terms::TooMany;
use crate::unfold::{UnfoldError, UnfoldLimits, too_large};
use brine_run::Control;

/// The result: per place the colours (ascending), per transition the bindings (ascending).
#[derive(Debug)]
pub(crate) struct Occurring {
    pub(crate) colours: Vec<Vec<u64>>,
    pub(crate) bindings: Vec<Bindings>,
}

/// Computes the fixpoint.
pub(crate) fn occurring(
    net: &ColouredNet,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Occurring, UnfoldError> {
    let mut fixpoint = Fixpoint::new(net, limits, control);
    fixpoint.start()?;
    while let Some((place, colour)) = fixpoint.queue.pop_front() {
        fixpoint.relations[place].insert(colour);
        for i in 0..fixpoint.triggered[place].len() {
            let (transition, plan) = fixpoint.triggered[place][i];
            fixpoint.find(transition, plan, colour)?;
        }
    }
    let Fixpoint { seen, mut bindings, relations, queue, .. } = fixpoint;
    drop((relations, queue));
    let mut colours: Vec<Vec<u64>> = seen.into_iter().map(|s| s.into_iter().collect()).collect();
    colours.iter_mut().for_each(|c| c.sort_unstable());
    for list in &mut bindings {
        control.look()?;
        list.sort();
    }
    Ok(Occurring { colours, bindings })
}

struct Fixpoint<'n> {
    net: &'n ColouredNet,
    limits: &'n UnfoldLimits,
    relations: Vec<ColourRelation>,
    plans: Vec<Plans>,
    /// Per place: the plans (transition, number) that a new colour there triggers.
    triggered: Vec<Vec<(usize, usize)>>,
    queue: VecDeque<(usize, u64)>,
    /// Per place: the colours that are or were in the queue.
    seen: Vec<FxHashSet<u64>>,
    bindings: Vec<Bindings>,
    places: u64,
    transitions: u64,
    work: SearchWork<'n>,
}

impl<'n> Fixpoint<'n> {
    fn new(net: &'n ColouredNet, limits: &'n UnfoldLimits, control: &'n Control) -> Self {
        let mut relations: Vec<ColourRelation> =
            net.places.iter().map(|p| ColourRelation::new(p.layout.clone())).collect();
        let plans: Vec<Plans> =
            net.transitions.iter().map(|t| Plans::new(t, &mut relations)).collect();
        let mut triggered = vec![Vec::new(); net.places.len()];
        for (t, transition) in plans.iter().enumerate() {
            for (i, plan) in transition.plans.iter().enumerate() {
                match plan.trigger {
                    Trigger::Pattern(p) => triggered[transition.patterns[p].place].push((t, i)),
                    Trigger::Arc(a) => triggered[net.transitions[t].inputs[a].place].push((t, i)),
                    Trigger::Start | Trigger::Everything => {}
                }
            }
        }
        Fixpoint {
            net,
            limits,
            relations,
            plans,
            triggered,
            queue: VecDeque::new(),
            seen: vec![FxHashSet::default(); net.places.len()],
            bindings: net.transitions.iter().map(|t| Bindings::new(t.variables.len())).collect(),
            places: 0,
            transitions: 0,
            work: SearchWork { left: limits.work, pace: control.pace(), stopped: None },
        }
    }

    /// The initial marking, and the bindings that take nothing.
    fn start(&mut self) -> Result<(), UnfoldError> {
        for (i, place) in self.net.places.iter().enumerate() {
            let Some(bag) = &place.initial else { continue };
            let tokens = bag.evaluate(&place.layout, &[], self.limits.places);
            let tokens = tokens.map_err(|TooMany| too_large(self.net))?;
            for (colour, _) in tokens {
                self.occurs(i, colour)?;
            }
        }
        for t in 0..self.plans.len() {
            for i in 0..self.plans[t].plans.len() {
                if matches!(self.plans[t].plans[i].trigger, Trigger::Start) {
                    self.find(t, i, 0)?;
                }
            }
        }
        Ok(())
    }

    /// A colour can occur in a place.
    fn occurs(&mut self, place: usize, colour: u64) -> Result<(), UnfoldError> {
        if self.seen[place].insert(colour) {
            self.places += 1;
            if self.places > self.limits.places {
                return Err(too_large(self.net));
            }
            self.queue.push_back((place, colour));
        }
        Ok(())
    }

    /// Runs a plan, and lets the bindings it finds occur.
    fn find(&mut self, t: usize, plan: usize, colour: u64) -> Result<(), UnfoldError> {
        let transition = &self.net.transitions[t];
        let plan: &JoinPlan = &self.plans[t].plans[plan];
        let join = Join {
            transition,
            plans: &self.plans[t],
            relations: &self.relations,
            widest: self.limits.places,
            turn: 0,
        };
        let room = self.limits.transitions - self.transitions;
        let found = &mut self.bindings[t];
        let known = found.len();
        let mut report = |binding: &[u32], _: &mut SearchWork<'_>| {
            if (found.len() - known) as u64 == room {
                return Err(TooMany);
            }
            found.push(binding);
            Ok(())
        };
        let result = join.run(plan, colour, &mut self.work, &mut report);
        result.map_err(|TooMany| self.ended())?;
        let found = self.bindings[t].len();
        self.transitions += (found - known) as u64;
        for i in known..found {
            for arc in &transition.outputs {
                let layout = &self.net.places[arc.place].layout;
                let put = arc.bag.evaluate(layout, self.bindings[t].get(i), self.limits.places);
                let put = put.map_err(|TooMany| too_large(self.net))?;
                self.work.pace.steps(put.len())?;
                for (colour, _) in put {
                    self.occurs(arc.place, colour)?;
                }
            }
        }
        Ok(())
    }

    /// Why a search for bindings ended.
    fn ended(&self) -> UnfoldError {
        self.work.stopped.map_or_else(|| too_large(self.net), UnfoldError::Stopped)
    }
}
