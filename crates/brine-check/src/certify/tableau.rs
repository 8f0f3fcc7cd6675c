//! The checker's tableau, as far as it is needed: states numbered, covers kept.

use super::NoCertificate;
use brine_verify::{Cover, FALSE, Literal, Parts, System};
use rustc_hash::FxHashMap;
use std::fmt;

/// Automaton states: sets of formulas. State 0 is the root.
pub(super) struct Tableau<'p> {
    pub(super) parts: &'p Parts,
    states: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
    edges: Vec<Option<Vec<(Cover, u32)>>>,
}

impl<'p> Tableau<'p> {
    pub(super) fn new(parts: &'p Parts, root: u32) -> Self {
        let (states, numbers, edges) = Default::default();
        let mut tableau = Tableau { parts, states, numbers, edges };
        let start = parts.normal(vec![root]).unwrap_or_else(|| vec![FALSE]);
        if root != FALSE {
            tableau.number(start);
        }
        tableau
    }

    fn number(&mut self, set: Vec<u32>) -> u32 {
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = self.states.len() as u32;
        self.states.push(set.clone());
        self.edges.push(None);
        self.numbers.insert(set, number);
        number
    }

    /// The covers of a state with the states that they lead to.
    pub(super) fn edges(
        &mut self,
        state: u32,
        conflicts: &[Vec<Literal>],
    ) -> Result<&[(Cover, u32)], NoCertificate> {
        if self.edges[state as usize].is_none() {
            let covers = self.parts.covers(&self.states[state as usize], conflicts)?;
            let edges = covers.into_iter().map(|c| (self.number(c.next.clone()), c));
            let edges: Vec<(Cover, u32)> = edges.map(|(n, c)| (c, n)).collect();
            self.edges[state as usize] = Some(edges);
        }
        Ok(self.edges[state as usize].as_deref().unwrap_or_default())
    }

    /// The states after the initial marking.
    pub(super) fn first(
        &mut self,
        system: &System,
        conflicts: &[Vec<Literal>],
    ) -> Result<Vec<u32>, NoCertificate> {
        let start = system.start();
        let values = self.parts.values(&start, &system.enabled(&start));
        let edges = self.edges(0, conflicts)?.iter();
        let mut first: Vec<u32> = edges.filter(|e| holds(&e.0, &values)).map(|e| e.1).collect();
        first.sort_unstable();
        first.dedup();
        Ok(first)
    }
}

/// Whether the literals of a cover have these values.
pub(super) fn holds(cover: &Cover, values: &[bool]) -> bool {
    cover.literals.iter().all(|&(atom, value)| values[atom as usize] == value)
}

impl fmt::Display for Tableau<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for set in &self.states {
            write!(f, "state")?;
            set.iter().try_for_each(|part| write!(f, " {part}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
