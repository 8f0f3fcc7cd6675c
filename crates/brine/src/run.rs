//! A run that shows something: steps, markings, and what is true where.

use crate::Model;
use brine_check::show::{self, Look, Trace, add_run};
use brine_net::Net;
use brine_page::WebPage;
use std::sync::Arc;

/// A run that was replayed, as a table: one position for the first marking and one after each step.
///
/// A run goes on for ever: after its last step it repeats from [`Run::cycle_start`], or stays in a
/// dead marking, or is only a beginning after which the formula is violated whatever follows.
#[derive(Clone, Debug)]
pub struct Run {
    trace: Trace,
    subject: RunOf,
}

/// What a run is a run of.
#[derive(Clone, Debug)]
pub(crate) enum RunOf {
    /// The net of a model.
    Net(Model),
    /// The part of an unfolded net that it touches.
    Part(Arc<Net>),
    /// A model that is no net.
    Language,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunStep {
    /// The id of the transition.
    pub transition: String,
    /// What people call it.
    pub name: String,
    /// Places whose tokens change: the number of the place, tokens before, tokens after.
    pub changes: Vec<(usize, u32, u32)>,
}

/// A part of the formula along a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunRow {
    /// The part.
    pub formula: String,
    /// Its truth at each position; `None` is open.
    pub values: Vec<Option<bool>>,
}

impl Run {
    pub(crate) fn new(trace: Trace, subject: RunOf) -> Self {
        Run { trace, subject }
    }

    /// Adds it to a page, with its net; its number there, and what it is in words.
    pub(crate) fn add_to(&self, page: &mut WebPage) -> (usize, String) {
        let net = match &self.subject {
            RunOf::Net(model) => model.net().ok().map(|net| (net, true)),
            RunOf::Part(part) => Some((&**part, false)),
            RunOf::Language => None,
        };
        let (what, proof) = show::headline(&self.trace);
        (add_run(page, net, &self.trace, &|_| None), format!("{what}{proof}."))
    }

    /// The ids of the places, or the variables.
    pub fn places(&self) -> &[String] {
        self.trace.place_ids.as_slice()
    }

    /// The steps that show it.
    pub fn steps(&self) -> Vec<RunStep> {
        let step = |s: &show::TraceStep| RunStep {
            transition: s.id.clone(),
            name: s.label.clone(),
            changes: s.changes.clone(),
        };
        self.trace.steps.iter().map(step).collect()
    }

    /// How many steps these are.
    pub fn len(&self) -> usize {
        self.trace.steps.len()
    }

    /// Whether the first marking shows it by itself.
    pub fn is_empty(&self) -> bool {
        self.trace.steps.is_empty()
    }

    /// All markings, by position: one more than there are steps.
    pub fn markings(&self) -> Vec<Vec<u32>> {
        let mut marking = self.trace.initial.clone();
        let mut all = vec![marking.clone()];
        for step in &self.trace.steps {
            step.changes.iter().for_each(|&(p, _, after)| marking[p] = after);
            all.push(marking.clone());
        }
        all
    }

    /// What the model calls a value of a variable; of a net, the number of tokens.
    pub fn value(&self, place: usize, value: u32) -> String {
        self.trace.value(place, value)
    }

    /// The formula and its parts along the run.
    pub fn truth(&self) -> Vec<RunRow> {
        let row = |r: &show::Row| RunRow { formula: r.text.clone(), values: r.values.clone() };
        self.trace.rows.iter().map(row).collect()
    }

    /// Whether the formula looks at a place, or the run needs it.
    pub fn is_needed(&self, place: usize) -> bool {
        self.trace.needed.get(place).copied().unwrap_or(false)
    }

    /// The position to which the run goes back after its last step, if it repeats.
    pub fn cycle_start(&self) -> Option<usize> {
        (!self.trace.dead && !self.trace.is_beginning()).then_some(self.trace.home)
    }

    /// Whether it ends in a marking in which nothing is enabled.
    pub fn ends_dead(&self) -> bool {
        self.trace.dead && !self.trace.is_beginning()
    }

    /// After so many steps the formula is violated whatever follows.
    pub fn violated_after(&self) -> Option<usize> {
        self.trace.facts.violated_after
    }

    /// Whether it was proved that no run is shorter.
    pub fn is_shortest(&self) -> bool {
        self.trace.is_shortest()
    }

    /// Whether it shows what some run is to do, instead of a violation.
    pub fn is_example(&self) -> bool {
        self.trace.is_example
    }

    /// The ids of all steps before the cycle.
    pub fn prefix(&self) -> &[String] {
        &self.trace.prefix
    }

    /// The ids of the steps that repeat for ever; empty if the run ends in a dead marking.
    pub fn cycle(&self) -> &[String] {
        &self.trace.cycle
    }

    /// The run in words, in lines of this width.
    pub fn text(&self, width: usize) -> String {
        show::text(&self.trace, &Look { width, ..Look::default() })
    }

    /// The run as a picture.
    pub fn svg(&self) -> String {
        show::svg(&self.trace)
    }

    /// The run as a graph in DOT.
    pub fn dot(&self) -> String {
        show::dot(&self.trace)
    }
}
