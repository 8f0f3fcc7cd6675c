//! Questions that all reachable markings together answer: CTL, and the extent of a sum.
//!
//! The reachable markings are found once for all questions about a net, in two ways: as a graph, one
//! marking at a time ([`MarkingGraph`]), and as a diagram, with orders on trial ([`Branching`]).
//! Whichever is complete first answers from then on; turns are limited by work, so which one it is
//! does not depend on the clock.
//!
//! *Invariant.* A graph or a diagram that is kept is complete: it holds every reachable marking.
//!
//! *Why this is right.* Both give `EX`, `EU` and `EG` as sets, by their definitions on maximal
//! paths. If the initial marking can be reached from everywhere, `EF` holds everywhere or nowhere;
//! the diagram asks that once.

use crate::ask::bounds::CtlBounds;
use crate::auto::Stages;
use crate::budget::Budget;
use crate::decide::DecideError;
use crate::diagrams::Orders;
use crate::follow::{Candidate, FollowedNode, Trail, TrailError};
use crate::home::always_returns;
use crate::verdict::Reason;
use brine_explicit::branching::MarkingGraph;
use brine_explicit::local::{LocalGraph, LocalValues};
use brine_explicit::markings::Markings;
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::store::MarkingId;
use brine_ltl::{Ctl, Formulas};
use brine_net::order::OrderSpec;
use brine_net::{Net, PlaceId, Recurrence, Structure, TransitionId};
use brine_run::{Control, Stop};
use brine_sat::Branching;
use std::ops::Deref;
use std::time::Instant;

/// Steps of a look around at most.
const MOST_LOCAL_STEPS: u64 = 100_000_000;
/// Work of the questions along a run at most.
const MOST_TRAIL_WORK: u64 = 100_000_000;
/// What was explored for single formulas is forgotten when it takes this part of the memory.
const LOCAL_SHARE: u64 = 4;

/// What is asked of all reachable markings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MarkingsQuestion {
    /// Does the initial marking satisfy this?
    Satisfies(Ctl),
    /// What are the least and the most that this sum comes to?
    Extent(Vec<(PlaceId, i64)>),
    /// The same of several sums.
    Extents(Vec<Vec<(PlaceId, i64)>>),
    /// Of each group of transitions: is a member enabled in some reachable marking?
    CanFire(Vec<Vec<TransitionId>>),
    /// What comes back? Each group is live if one of its members can always become enabled again.
    Recurrence(RecurrenceQuestion),
}

/// Groups of transitions, and how much is wanted of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecurrenceQuestion {
    /// The groups.
    pub groups: Vec<Vec<TransitionId>>,
    /// Only whether all of them are live: if one is not, nothing else is to be relied on.
    pub all_or_nothing: bool,
}

/// What all reachable markings say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MarkingsAnswer {
    /// Whether the initial marking satisfies the formula.
    Truth(bool),
    /// The least and the most.
    Extent(i64, i64),
    /// The least and the most of each sum.
    Extents(Vec<(i64, i64)>),
    /// Of each group, whether a member can fire.
    CanFire(Vec<bool>),
    /// What comes back.
    Recurrence(Recurrence),
}

/// Which ways there are to find all markings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkingsWays {
    /// One by one.
    pub explicit: bool,
    /// As a diagram.
    pub symbolic: bool,
    /// With this order.
    pub order: Option<OrderSpec>,
}

impl Default for MarkingsWays {
    fn default() -> Self {
        MarkingsWays { explicit: true, symbolic: true, order: None }
    }
}

/// Answers from all reachable markings of a net.
pub struct AllMarkings<'n> {
    net: &'n Net,
    structure: &'n dyn Deref<Target = Structure>,
    ways: MarkingsWays,
    graph: Option<MarkingGraph<'n>>,
    /// Markings that were explored for single formulas, unless that came to its limits.
    local: Option<LocalGraph<'n>>,
    local_is_full: bool,
    /// Whether the initial marking can always be reached again, once that was asked.
    returns: Option<bool>,
    /// The most work that the graph was given without coming to its end.
    tried: u64,
    orders: Orders,
    diagram: Option<Branching>,
}

impl<'n> AllMarkings<'n> {
    /// Nothing is known yet.
    pub fn new(
        net: &'n Net,
        structure: &'n dyn Deref<Target = Structure>,
        ways: MarkingsWays,
    ) -> Self {
        let orders = Orders::of_net(ways.order);
        AllMarkings {
            net,
            structure,
            ways,
            graph: None,
            local: None,
            local_is_full: false,
            returns: None,
            tried: 0,
            orders,
            diagram: None,
        }
    }

    /// How many reachable markings there are, once all of them are known.
    pub fn count(&self) -> Option<String> {
        let diagram = || self.diagram.as_ref().map(|d| d.dd().count(d.reached()).to_string());
        self.graph.as_ref().map(|graph| graph.count().to_string()).or_else(diagram)
    }

    /// Answers within the work of the control; the engine that did.
    pub fn answer(
        &mut self,
        fs: &Formulas,
        question: &MarkingsQuestion,
        control: &Control,
    ) -> Result<(MarkingsAnswer, &'static str), Reason> {
        let explicit = self.find_graph(control);
        if let Some(graph) = &mut self.graph {
            let answer = match question {
                MarkingsQuestion::Satisfies(ctl) => {
                    graph.satisfies(fs, ctl, control).map(MarkingsAnswer::Truth)
                }
                MarkingsQuestion::Extent(terms) => graph
                    .extents(std::slice::from_ref(terms), control)
                    .map(|extents| MarkingsAnswer::Extent(extents[0].0, extents[0].1)),
                MarkingsQuestion::Extents(sums) => {
                    graph.extents(sums, control).map(MarkingsAnswer::Extents)
                }
                MarkingsQuestion::CanFire(groups) => {
                    graph.can_fire(groups, control).map(MarkingsAnswer::CanFire)
                }
                MarkingsQuestion::Recurrence(question) => {
                    graph.recurrence(&question.groups, control).map(MarkingsAnswer::Recurrence)
                }
            };
            return Ok((answer.map_err(Reason::from)?, "explicit"));
        }
        if !self.ways.symbolic {
            return Err(explicit.err().unwrap_or(Stop::Work).into());
        }
        self.find_diagram(control).map_err(Reason::from)?;
        let answer = self.ask_diagram(fs, question, control).map_err(Reason::from)?;
        Ok((answer, "symbolic"))
    }

    /// What the markings around the initial one say about a formula, if so much work tells: only
    /// those that the answer depends on are explored.
    pub fn look_around(
        &mut self,
        fs: &Formulas,
        ctl: &Ctl,
        values: &mut LocalValues,
        control: &Control,
    ) -> Option<bool> {
        if !self.ways.explicit || self.local_is_full || self.graph.is_some() {
            self.local = None;
            return None;
        }
        let result = self.look_locally(fs, ctl, values, control);
        self.after_look(result, control)
    }

    /// What a search among the markings around the initial one came to; they are forgotten when they
    /// take too much.
    fn after_look(
        &mut self,
        result: Result<Option<bool>, Stop>,
        control: &Control,
    ) -> Option<bool> {
        let full = |graph: &LocalGraph<'_>| {
            control.charged.is_some_and(|bytes| graph.held() > bytes / LOCAL_SHARE)
        };
        match result {
            Ok(value) => {
                // A few questions share what was explored; then it has to begin anew.
                if self.local.as_ref().is_some_and(full) {
                    self.local_is_full = self.forget_local().is_err();
                }
                value
            }
            Err(Stop::Memory) => {
                self.local_is_full = self.forget_local().is_err();
                None
            }
            Err(Stop::Overflow | Stop::Runaway) => {
                (self.local, self.local_is_full) = (None, true);
                None
            }
            Err(_) => None,
        }
    }

    fn look_locally(
        &mut self,
        fs: &Formulas,
        ctl: &Ctl,
        values: &mut LocalValues,
        control: &Control,
    ) -> Result<Option<bool>, Stop> {
        let charged = control.charged.map(|bytes| bytes / 2);
        let control = Control { charged, ..control.clone() };
        let steps = control.work.unwrap_or(MOST_LOCAL_STEPS).min(MOST_LOCAL_STEPS);
        let asked = (MarkingId::INITIAL, ctl.root());
        self.local_graph(&control)?.value((fs, ctl), asked, values, steps, &control)
    }

    fn local_graph(&mut self, control: &Control) -> Result<&mut LocalGraph<'n>, Stop> {
        if self.local.is_none() {
            let bounds = place_bounds(self.net, &self.structure.bounds);
            let order = firing_order(self.net, 0);
            let markings = Markings::new(self.net, &bounds, &order, control.without_work())?;
            self.local = Some(LocalGraph::new(markings));
        }
        // It was made above.
        self.local.as_mut().ok_or(Stop::Memory)
    }

    /// What a run, or what else the engines find, says about a node in the initial marking
    /// ([`crate::follow`]), if the work of the budget tells.
    pub fn follow(
        &mut self,
        node: FollowedNode<'_>,
        candidate: Candidate<'_>,
        values: &mut LocalValues,
        stages: Stages,
        budget: &Budget,
    ) -> Result<Option<bool>, DecideError> {
        if !self.ways.explicit || self.local_is_full || self.graph.is_some() {
            return Ok(None);
        }
        let control = budget.search_control();
        let result = match self.along_trail(node, candidate, values, stages, budget) {
            Ok(found) => Ok(found),
            Err(TrailError::Stop(stop)) => Err(stop),
            Err(TrailError::Decide(error)) => return Err(error),
        };
        Ok(self.after_look(result, &control))
    }

    /// Whether it is proved that the initial marking can always be reached again. It is tried once.
    pub fn always_returns(&mut self, stages: Stages, budget: &Budget) -> Result<bool, DecideError> {
        if let Some(known) = self.returns {
            return Ok(known);
        }
        // If it is stopped by an error, it is not tried again.
        self.returns = Some(false);
        let found = always_returns(self.net, self.structure, stages, budget)?;
        self.returns = Some(found);
        Ok(found)
    }

    fn along_trail(
        &mut self,
        FollowedNode { formulas, ctl, at }: FollowedNode<'_>,
        candidate: Candidate<'_>,
        values: &mut LocalValues,
        stages: Stages,
        budget: &Budget,
    ) -> Result<Option<bool>, TrailError> {
        let memory = budget.memory.map(|bytes| bytes / 2);
        let budget = Budget { memory, ..budget.clone() };
        let (net, structure) = (self.net, self.structure);
        let mut fs = formulas.clone();
        let bounds = CtlBounds::new(&mut fs, ctl);
        let graph = self.local_graph(&budget.control())?;
        let mut trail = Trail {
            net,
            structure,
            stages,
            graph,
            fs: &mut fs,
            ctl,
            bounds,
            values,
            left: budget.schedule.ticks.unwrap_or(MOST_TRAIL_WORK),
            budget: &budget,
            start: Instant::now(),
        };
        trail.initially(at, candidate)
    }

    fn forget_local(&mut self) -> Result<(), Stop> {
        self.local.as_mut().map_or(Ok(()), LocalGraph::forget)
    }

    /// Explores all markings one by one, unless that was tried with as much work.
    fn find_graph(&mut self, control: &Control) -> Result<(), Stop> {
        let work = control.work.unwrap_or(u64::MAX);
        let known = self.graph.is_some() || self.diagram.is_some();
        if known || !self.ways.explicit || work / 2 < self.tried {
            return Ok(());
        }
        let bounds = place_bounds(self.net, &self.structure.bounds);
        let order = firing_order(self.net, 0);
        // The rest is for the diagram.
        let charged = control.charged.map(|bytes| bytes / if self.ways.symbolic { 2 } else { 1 });
        let control = Control { charged, ..control.clone() };
        let markings = Markings::new(self.net, &bounds, &order, control)?;
        match MarkingGraph::explore(markings) {
            Ok(graph) => self.graph = Some(graph),
            Err(stop) => {
                self.tried = if stop == Stop::Work { work } else { u64::MAX };
                return Err(stop);
            }
        }
        Ok(())
    }

    fn find_diagram(&mut self, control: &Control) -> Result<(), Stop> {
        if self.diagram.is_some() {
            return Ok(());
        }
        let net = self.net;
        let done = self.orders.advance(net, self.structure, control, |candidate, control| {
            Branching::new(net, &candidate.layout, control)
        })?;
        self.diagram = Some(done.result);
        Ok(())
    }

    fn ask_diagram(
        &mut self,
        fs: &Formulas,
        question: &MarkingsQuestion,
        control: &Control,
    ) -> Result<MarkingsAnswer, Stop> {
        let Some(diagram) = &mut self.diagram else { return Err(Stop::Work) };
        diagram.set_control(self.orders.control(control));
        let ctl = match question {
            MarkingsQuestion::Extent(terms) => {
                let (least, most) = diagram.extent(terms)?;
                return Ok(MarkingsAnswer::Extent(least, most));
            }
            MarkingsQuestion::Extents(sums) => {
                let extents = sums.iter().map(|terms| diagram.extent(terms));
                return Ok(MarkingsAnswer::Extents(extents.collect::<Result<_, Stop>>()?));
            }
            MarkingsQuestion::CanFire(groups) => {
                return Ok(MarkingsAnswer::CanFire(diagram.can_fire(groups)?));
            }
            MarkingsQuestion::Recurrence(RecurrenceQuestion { groups, all_or_nothing }) => {
                let found = diagram.recurrence(self.net, groups, *all_or_nothing)?;
                return Ok(MarkingsAnswer::Recurrence(found));
            }
            MarkingsQuestion::Satisfies(ctl) => ctl,
        };
        diagram.satisfies(fs, ctl).map(MarkingsAnswer::Truth)
    }
}
