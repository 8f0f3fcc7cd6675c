//! The product states that are left, one by one: breadth first, from the initial marking, as far
//! as the automaton is not in a state that is harmless anywhere.

use super::anywhere::Anywhere;
use super::layers::{Graph, Layers};
use super::tableau::{Tableau, holds};
use super::{Left, NoCertificate};
use brine_run::{Control, Stop};
use brine_verify::{Literal, Marking, System};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt;

/// Most product states.
const NODES: usize = 30_000_000;

/// Product states with their layers.
#[derive(Default)]
pub(super) struct Explicit {
    markings: Vec<Marking>,
    /// For each marking, its states and their layers.
    cells: Vec<Vec<(u32, u32)>>,
}

/// What is known about one marking.
#[derive(Default)]
struct Seen {
    /// Its automaton states with their numbers in the graph.
    nodes: Vec<(u32, u32)>,
    values: Option<Box<[bool]>>,
    successors: Option<Box<[u32]>>,
}

struct Search<'a> {
    system: &'a System,
    numbers: FxHashMap<Marking, u32>,
    markings: Vec<Marking>,
    seen: Vec<Seen>,
    graph: Graph,
    queue: VecDeque<(u32, u32, u32)>,
    edges: usize,
}

impl Explicit {
    /// Stops for lack of work after so many edges.
    pub(super) fn new(
        left: &Left<'_>,
        tableau: &mut Tableau<'_>,
        layers: &mut Layers,
        most_edges: usize,
        control: &Control,
    ) -> Result<Self, NoCertificate> {
        let &Left { system, conflicts, anywhere, .. } = left;
        let mut search = Search {
            system,
            numbers: FxHashMap::default(),
            markings: Vec::new(),
            seen: Vec::new(),
            graph: Graph::default(),
            queue: VecDeque::new(),
            edges: 0,
        };
        let start = search.marking(system.start());
        search.node(start, 0);
        let mut pace = control.pace();
        while let Some((marking, state, node)) = search.queue.pop_front() {
            pace.steps(8)?;
            search.expand(marking, state, node, tableau, conflicts, anywhere)?;
            if search.graph.edges.len() > NODES || search.edges > most_edges {
                return Err(Stop::Work.into());
            }
        }
        let layer = layers.assign(&search.graph).ok_or(NoCertificate::Violated)?;
        let cells = search.seen.into_iter().map(|seen| {
            let mut cells: Vec<(u32, u32)> =
                seen.nodes.iter().map(|&(state, node)| (state, layer[node as usize])).collect();
            cells.sort_unstable();
            cells
        });
        Ok(Explicit { cells: cells.collect(), markings: search.markings })
    }
}

impl Search<'_> {
    fn marking(&mut self, marking: Marking) -> u32 {
        if let Some(&number) = self.numbers.get(&marking) {
            return number;
        }
        let number = self.markings.len() as u32;
        self.markings.push(marking.clone());
        self.seen.push(Seen::default());
        self.numbers.insert(marking, number);
        number
    }

    fn node(&mut self, marking: u32, state: u32) -> u32 {
        let nodes = &mut self.seen[marking as usize].nodes;
        if let Some(&(_, node)) = nodes.iter().find(|n| n.0 == state) {
            return node;
        }
        let node = self.graph.edges.len() as u32;
        nodes.push((state, node));
        self.graph.edges.push(Vec::new());
        self.queue.push_back((marking, state, node));
        node
    }

    fn expand(
        &mut self,
        marking: u32,
        state: u32,
        node: u32,
        tableau: &mut Tableau<'_>,
        conflicts: &[Vec<Literal>],
        anywhere: &Anywhere,
    ) -> Result<(), NoCertificate> {
        let seen = &mut self.seen[marking as usize];
        if seen.values.is_none() {
            let here = &self.markings[marking as usize];
            seen.values = Some(tableau.parts.values(here, &self.system.enabled(here)).into());
        }
        let values = seen.values.as_deref().unwrap_or_default();
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for (cover, target) in tableau.edges(state, conflicts)? {
            if !anywhere.is_harmless(*target) && holds(cover, values) {
                targets.push((*target, self.graph.set(&cover.put_off)));
            }
        }
        if targets.is_empty() {
            return Ok(());
        }
        if self.seen[marking as usize].successors.is_none() {
            let after = self.successors(marking)?;
            self.seen[marking as usize].successors = Some(after);
        }
        let after = self.seen[marking as usize].successors.take().unwrap_or_default();
        let mut edges = Vec::with_capacity(after.len() * targets.len());
        for &next in &after {
            for &(target, set) in &targets {
                edges.push((self.node(next, target), set));
            }
        }
        self.seen[marking as usize].successors = Some(after);
        self.edges += edges.len();
        self.graph.edges[node as usize] = edges;
        Ok(())
    }

    /// The markings after one step; a dead one repeats.
    fn successors(&mut self, marking: u32) -> Result<Box<[u32]>, NoCertificate> {
        let here = self.markings[marking as usize].clone();
        let enabled = self.system.enabled(&here);
        if enabled.is_empty() {
            return Ok([marking].into());
        }
        let mut all = Vec::with_capacity(enabled.len());
        for t in enabled {
            let next = self.system.fire(t, &here).ok_or(Stop::Overflow)?;
            all.push(self.marking(next));
        }
        all.sort_unstable();
        all.dedup();
        Ok(all.into())
    }
}

impl fmt::Display for Explicit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (marking, cells) in self.markings.iter().zip(&self.cells) {
            if cells.is_empty() {
                continue;
            }
            write!(f, "marking")?;
            marking.iter().try_for_each(|(p, n)| write!(f, " {p}:{n}"))?;
            write!(f, " @")?;
            cells.iter().try_for_each(|(state, layer)| write!(f, " {state}/{layer}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
