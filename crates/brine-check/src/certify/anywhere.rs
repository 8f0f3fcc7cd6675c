//! Automaton states that are harmless whatever the marking is: no run that is accepted goes on
//! from them, by facts about all reachable markings alone.
//!
//! Every state that can follow the first step is expanded; its covers are asked about, and those
//! that no reachable marking satisfies are conflicts. What is left is a graph. A strongly
//! connected component of it keeps no accepted run if all its edges put off the same until, or if
//! the transitions that can fire inside run out of tokens and no dead marking fits
//! ([`brine_verify::firing`], [`brine_verify::no_dead_end`]). A state is harmless if that is so
//! for all components that it leads to.

use super::NoCertificate;
use super::layers::{Graph, Layers, Rule};
use super::prover::Prover;
use super::tableau::Tableau;
use brine_run::Control;
use brine_verify::Literal;
use std::collections::BTreeMap;
use std::fmt;

/// Most states and edges that are looked at.
const STATES: usize = 1_000;
const EDGES: usize = 10_000;
/// Most edges of a component whose transitions are looked at.
const INSIDE: usize = 64;

/// The layers of the states that are harmless.
#[derive(Default, Debug)]
pub(super) struct Anywhere {
    layers: BTreeMap<u32, u32>,
}

/// The states that can follow the first step.
struct Abstraction {
    graph: Graph,
    /// For each edge of the graph, the literals of its cover.
    literals: Vec<Vec<Vec<Literal>>>,
    /// Whether a state was expanded.
    done: Vec<bool>,
}

impl Anywhere {
    pub(super) fn new(
        tableau: &mut Tableau<'_>,
        prover: &mut Prover<'_>,
        first: &[u32],
        layers: &mut Layers,
        control: &Control,
    ) -> Result<Self, NoCertificate> {
        let mut anywhere = Anywhere::default();
        let Some(abstraction) = Abstraction::new(tableau, prover, first, control)? else {
            return Ok(anywhere);
        };
        for nodes in abstraction.graph.components() {
            control.look()?;
            let inside = |to: u32| nodes.contains(&to);
            let out = nodes.iter().flat_map(|&v| &abstraction.graph.edges[v as usize]);
            let open = out.filter(|e| !inside(e.0)).any(|e| !anywhere.is_harmless(e.0));
            if open || !nodes.iter().all(|&v| abstraction.done[v as usize]) {
                continue;
            }
            let rule = match abstraction.graph.absent(inside, &nodes).as_deref() {
                None => Some(Rule::Transient),
                Some([until, ..]) => Some(Rule::Absent(*until)),
                Some([]) => abstraction.falls(&nodes, prover, control),
            };
            if let Some(rule) = rule {
                let layer = layers.rules.len() as u32;
                layers.rules.push(rule);
                anywhere.layers.extend(nodes.iter().map(|&v| (v, layer)));
            }
        }
        Ok(anywhere)
    }

    /// Whether nothing more needs to be said about product states with this automaton state.
    pub(super) fn is_harmless(&self, state: u32) -> bool {
        self.layers.contains_key(&state)
    }
}

impl fmt::Display for Anywhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.layers.iter().try_for_each(|(state, layer)| writeln!(f, "any {state} {layer}"))
    }
}

impl Abstraction {
    /// `None` if there are too many.
    fn new(
        tableau: &mut Tableau<'_>,
        prover: &mut Prover<'_>,
        first: &[u32],
        control: &Control,
    ) -> Result<Option<Self>, NoCertificate> {
        let mut abstraction =
            Abstraction { graph: Graph::default(), literals: Vec::new(), done: Vec::new() };
        let mut todo = first.to_vec();
        let mut edges_seen = 0;
        while let Some(state) = todo.pop() {
            let at = state as usize;
            if abstraction.done.len() <= at {
                abstraction.done.resize(at + 1, false);
                abstraction.graph.edges.resize(at + 1, Vec::new());
                abstraction.literals.resize(at + 1, Vec::new());
            }
            if std::mem::replace(&mut abstraction.done[at], true) {
                continue;
            }
            let edges = tableau.edges(state, prover.conflicts())?.to_vec();
            edges_seen += edges.len();
            if at > STATES || edges_seen > EDGES {
                return Ok(None);
            }
            for (cover, to) in edges {
                control.look()?;
                if cover.literals.len() > 1 && prover.excludes(&cover.literals, control) {
                    continue;
                }
                let set = abstraction.graph.set(&cover.put_off);
                abstraction.graph.edges[at].push((to, set));
                abstraction.literals[at].push(cover.literals);
                todo.push(to);
            }
        }
        Ok(Some(abstraction))
    }

    /// The rule that runs inside run out of tokens, if that is so.
    fn falls(&self, nodes: &[u32], prover: &mut Prover<'_>, control: &Control) -> Option<Rule> {
        let mut covers: Vec<(&[Literal], &[u32])> = Vec::new();
        for &v in nodes {
            let edges = self.graph.edges[v as usize].iter().zip(&self.literals[v as usize]);
            for (&(to, set), literals) in edges {
                if nodes.contains(&to) {
                    covers.push((literals, &self.graph.sets[set as usize]));
                }
            }
        }
        if covers.len() > INSIDE {
            return None;
        }
        let literals: Vec<&[Literal]> = covers.iter().map(|c| c.0).collect();
        let until = self.without_dead_ends(&covers, prover, control)?;
        let weights = match prover.ranking(&prover.firing(&literals), control) {
            Some(weights) => weights,
            None => {
                prover.all_semiflows();
                prover.ranking(&prover.firing(&literals), control)?
            }
        };
        Some(Rule::Falls(until, weights))
    }

    /// An until such that no dead marking satisfies a cover that does not put it off; `None`
    /// inside if that is so for all covers.
    fn without_dead_ends(
        &self,
        covers: &[(&[Literal], &[u32])],
        prover: &mut Prover<'_>,
        control: &Control,
    ) -> Option<Option<u32>> {
        let deadlock = prover.deadlock()?;
        let mut ends = Vec::new();
        for &(literals, put_off) in covers {
            let mut dead = literals.to_vec();
            let lives = match dead.binary_search(&(deadlock, false)) {
                Ok(_) => true,
                Err(_) => {
                    if let Err(at) = dead.binary_search(&(deadlock, true)) {
                        dead.insert(at, (deadlock, true));
                    }
                    dead.len() > 1 && prover.excludes(&dead, control)
                }
            };
            if !lives {
                ends.push(put_off);
            }
        }
        match ends.split_first() {
            None => Some(None),
            Some((first, rest)) => {
                first.iter().find(|u| rest.iter().all(|e| e.contains(u))).map(|&u| Some(u))
            }
        }
    }
}
