//! The claim about runs: product states, closed under steps, with layers.
//!
//! A product state is a marking with a state of the automaton: what holds from there on. The
//! certificate lists
//!
//! - `state S f ..`: automaton states, each a set of formulas; state 0 is the root;
//! - `layer kind`: layers, numbered from 0;
//! - `any S L`: *all* reachable markings, with state S, in layer L;
//! - `marking p:n .. @ S/L ..`: this marking with each of these states, in these layers;
//! - `set S L N`: the markings of a [diagram](mod@crate::diagram) with state S, in layer L or a lower
//!   one (the lowest L of all sets with S that hold the marking is its layer).
//!
//! **Checked:** the initial marking with state 0 is in the list, or in a set, or `any 0`. From each product
//! state, each cover of its state whose literals hold leads, with every step of the net (a dead
//! marking steps to itself), to product states of the list, in the same layer or a lower one. An
//! edge that stays inside a layer keeps the layer's rule:
//!
//! - `absent U`: it puts off the until U;
//! - `transient`: there is none;
//! - `falls M p:w ..` (layers of `any` only): see [`crate::falls`].
//!
//! *Why then no run of the net violates the formula.* A run that does has an accepted sequence of
//! covers from the root (head of [`mod@crate::tableau`]), so it goes through product states of the
//! list for ever. Layers never rise, so it stays in one layer from some point on. There it puts
//! off U at every step, which is not accepted; or has no step to take; or fires transitions that
//! all lower a sum that is never negative, or stays dead where no cover that is needed can be
//! taken.

use crate::diagram::{Diagrams, EMPTY, Watch};
use crate::falls::{Falls, Inside};
use crate::formula::{Part, Parts};
use crate::linear::Facts;
use crate::system::{Marking, System};
use crate::tableau::{Cover, Literal};
use crate::text::Words;
use crate::{Refusal, refuse};
use rustc_hash::FxHashMap;

/// The rule of a layer.
#[derive(Debug)]
enum Layer {
    Absent(u32),
    Transient,
    Falls(Falls),
}

/// What was read of the claim.
#[derive(Default, Debug)]
pub(crate) struct Claims {
    states: Vec<Vec<u32>>,
    state_numbers: FxHashMap<Vec<u32>, u32>,
    layers: Vec<Layer>,
    /// The layer of all reachable markings with a state.
    any: FxHashMap<u32, u32>,
    diagrams: Diagrams,
    /// For each automaton state, its sets by layer, ascending.
    sets: FxHashMap<u32, Vec<(u32, u32)>>,
    markings: FxHashMap<Marking, u32>,
    /// For each marking, the states that it has and their layers, ascending.
    cells: Vec<Vec<(u32, u32)>>,
    product_states: u64,
}

/// A claim with all that it is checked against.
pub(crate) struct Product<'c> {
    pub(crate) system: &'c System,
    pub(crate) parts: &'c Parts,
    pub(crate) facts: &'c Facts<'c>,
    pub(crate) conflicts: &'c [Vec<Literal>],
    pub(crate) claims: &'c Claims,
}

/// A cover and the automaton state that it leads to.
type Edge = (Cover, u32);

impl Claims {
    /// One line of the claim; whether it was one.
    pub(crate) fn read(
        &mut self,
        word: &str,
        words: &mut Words<'_>,
        parts: &Parts,
        system: &System,
    ) -> Result<bool, Refusal> {
        match word {
            "state" => self.read_state(words, parts)?,
            "layer" => self.read_layer(words, parts, system)?,
            "any" => {
                let (state, layer) = (words.number("a state")?, words.number("a layer")?);
                words.end()?;
                self.ensure(state, layer)?;
                if self.any.insert(state, layer).is_some() {
                    return refuse(format!("state {state} has two layers"));
                }
            }
            "marking" => self.read_marking(words, system)?,
            "levels" => self.diagrams.read_levels(words, system)?,
            "dd" => self.diagrams.read_node(words)?,
            "set" => self.read_set(words)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_state(&mut self, words: &mut Words<'_>, parts: &Parts) -> Result<(), Refusal> {
        let set: Vec<u32> = words.numbers("a node")?;
        if !set.is_sorted_by(|a, b| a < b) || set.iter().any(|&f| f as usize >= parts.parts().len())
        {
            return refuse("the state is no ascending list of nodes");
        }
        let number = self.states.len() as u32;
        if self.state_numbers.insert(set.clone(), number).is_some() {
            return refuse("the same state is listed twice");
        }
        self.states.push(set);
        Ok(())
    }

    fn read_layer(
        &mut self,
        words: &mut Words<'_>,
        parts: &Parts,
        system: &System,
    ) -> Result<(), Refusal> {
        let layer = match words.word("a kind of layer")? {
            "absent" => {
                let until: u32 = words.number("a node")?;
                match parts.parts().get(until as usize) {
                    Some(Part::Until(..)) => Layer::Absent(until),
                    _ => return refuse(format!("node {until} is no until")),
                }
            }
            "transient" => Layer::Transient,
            "falls" => Layer::Falls(Falls::read(words, parts, system)?),
            _ => return Err(words.missing("absent, transient or falls")),
        };
        words.end()?;
        self.layers.push(layer);
        Ok(())
    }

    fn read_set(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        let (state, layer) = (words.number("a state")?, words.number("a layer")?);
        let node = words.number("a node")?;
        words.end()?;
        self.ensure(state, layer)?;
        let sets = self.sets.entry(state).or_default();
        if !self.diagrams.is_set(node) || sets.last().is_some_and(|s| s.0 >= layer) {
            return refuse("the node is no set of markings, or the layers do not ascend");
        }
        sets.push((layer, node));
        Ok(())
    }

    fn read_marking(&mut self, words: &mut Words<'_>, system: &System) -> Result<(), Refusal> {
        let mut marking: Vec<(u32, u32)> = Vec::new();
        loop {
            let word = words.word("PLACE:TOKENS or @")?;
            if word == "@" {
                break;
            }
            let (p, n) = word.split_once(':').ok_or_else(|| words.missing("PLACE:TOKENS"))?;
            let (p, n): (u32, u32) = (words.parse(p, "a place")?, words.parse(n, "tokens")?);
            if p as usize >= system.initial.len() || n == 0 || marking.last() >= Some(&(p, 0)) {
                return refuse("the marking is no ascending list of marked places");
            }
            marking.push((p, n));
        }
        let mut cells = Vec::new();
        while let Some(word) = words.next() {
            let (s, l) = word.split_once('/').ok_or_else(|| words.missing("STATE/LAYER"))?;
            let (s, l): (u32, u32) = (words.parse(s, "a state")?, words.parse(l, "a layer")?);
            self.ensure(s, l)?;
            cells.push((s, l));
        }
        if !cells.is_sorted_by(|a, b| a.0 < b.0) {
            return refuse("the states of a marking do not ascend");
        }
        self.product_states += cells.len() as u64;
        let number = self.cells.len() as u32;
        if self.markings.insert(marking.into(), number).is_some() {
            return refuse("the same marking is listed twice");
        }
        self.cells.push(cells);
        Ok(())
    }

    /// The state and the layer are there.
    fn ensure(&self, state: u32, layer: u32) -> Result<(), Refusal> {
        if state as usize >= self.states.len() || layer as usize >= self.layers.len() {
            return refuse(format!("there is no state {state}, or no layer {layer}"));
        }
        Ok(())
    }

    /// Automaton states, markings, and product states with a marking of their own.
    pub(crate) fn sizes(&self) -> (u64, u64, u64) {
        (self.states.len() as u64, self.cells.len() as u64, self.product_states)
    }
}

impl Product<'_> {
    /// Checks the claim.
    pub(crate) fn check(&self, root: u32) -> Result<(), Refusal> {
        let claims = self.claims;
        let Some(start) = self.parts.normal(vec![root]) else { return Ok(()) };
        if claims.states.first() != Some(&start) {
            return refuse("state 0 is not the root");
        }
        let initial = claims.markings.get(&self.system.start());
        let listed = initial.is_some_and(|&m| find(&claims.cells[m as usize], 0).is_some());
        let marking = self.system.start();
        let mut sets = claims.sets.get(&0).into_iter().flatten();
        let in_set = sets.any(|s| claims.diagrams.contains(s.1, &marking));
        if !listed && !in_set && !claims.any.contains_key(&0) {
            return refuse("the initial marking is not in the list");
        }
        let mut edges: Vec<Option<Vec<Edge>>> = vec![None; claims.states.len()];
        self.check_any(&mut edges)?;
        self.check_sets(&mut edges)?;
        for (marking, &number) in &claims.markings {
            self.check_marking(marking, number, &mut edges)?;
        }
        Ok(())
    }

    /// The edges of an automaton state; the target of a cover may be missing.
    fn edges<'e>(
        &self,
        state: u32,
        edges: &'e mut [Option<Vec<Edge>>],
    ) -> Result<&'e [Edge], Refusal> {
        let slot = &mut edges[state as usize];
        if slot.is_none() {
            let set = &self.claims.states[state as usize];
            let covers = self.parts.covers(set, self.conflicts);
            let covers = covers.map_err(|e| Refusal::no_proof(e.to_string()))?;
            let number = |c: &Cover| self.claims.state_numbers.get(&c.next).copied();
            *slot = Some(
                covers
                    .into_iter()
                    .map(|c| (number(&c).unwrap_or(NONE), c))
                    .map(|(n, c)| (c, n))
                    .collect(),
            );
        }
        Ok(slot.as_deref().unwrap_or_default())
    }

    /// All reachable markings, with the states of `any`.
    fn check_any(&self, edges: &mut [Option<Vec<Edge>>]) -> Result<(), Refusal> {
        let mut inside: FxHashMap<u32, Inside> = FxHashMap::default();
        let mut all: Vec<(u32, u32)> = self.claims.any.iter().map(|(&s, &l)| (s, l)).collect();
        all.sort_unstable();
        for (state, layer) in all {
            for (cover, target) in self.edges(state, edges)? {
                let Some(&to) = self.claims.any.get(target) else {
                    return refuse(format!("a cover of state {state} leads to no state of any"));
                };
                self.ensure_falling(layer, to, cover, Some(&mut inside))?;
            }
        }
        for (layer, inside) in inside {
            if let Some(Layer::Falls(falls)) = self.claims.layers.get(layer as usize) {
                falls.check(&inside, self.parts, self.system, self.facts, self.conflicts)?;
            }
        }
        Ok(())
    }

    /// An edge from one layer to another keeps the rules.
    fn ensure_falling(
        &self,
        from: u32,
        to: u32,
        cover: &Cover,
        inside: Option<&mut FxHashMap<u32, Inside>>,
    ) -> Result<(), Refusal> {
        if to > from {
            return refuse(format!("a step rises from layer {from} to layer {to}"));
        }
        if to < from {
            return Ok(());
        }
        match (&self.claims.layers[from as usize], inside) {
            (Layer::Absent(until), _) if cover.put_off.binary_search(until).is_ok() => Ok(()),
            (Layer::Falls(_), Some(inside)) => {
                inside.entry(from).or_default().add(cover);
                Ok(())
            }
            _ => refuse(format!("a step stays in layer {from} against its rule")),
        }
    }

    /// The sets of all states: what leaves one by a step goes into another one that is low enough.
    fn check_sets(&self, edges: &mut [Option<Vec<Edge>>]) -> Result<(), Refusal> {
        let mut all: Vec<(u32, &Vec<(u32, u32)>)> =
            self.claims.sets.iter().map(|(&state, sets)| (state, sets)).collect();
        all.sort_unstable();
        for (state, sets) in all {
            let edges = self.edges(state, edges)?;
            for &(layer, node) in sets {
                edges.iter().try_for_each(|edge| self.check_set(state, layer, node, edge))?;
            }
        }
        Ok(())
    }

    /// One cover, from the markings of a set.
    fn check_set(&self, state: u32, layer: u32, node: u32, edge: &Edge) -> Result<(), Refusal> {
        let (cover, target) = edge;
        let stays = match self.claims.layers[layer as usize] {
            Layer::Absent(until) => cover.put_off.binary_search(&until).is_ok(),
            Layer::Transient | Layer::Falls(_) => false,
        };
        let most = if stays { Some(layer) } else { layer.checked_sub(1) };
        if self.claims.any.get(target).is_some_and(|&l| Some(l) <= most) {
            return Ok(());
        }
        let low = |s: &&(u32, u32)| Some(s.0) <= most;
        let sets = self.claims.sets.get(target);
        let to = sets.and_then(|s| s.iter().rev().find(low)).map_or(EMPTY, |s| s.1);
        let watch = |dead: bool| {
            let (diagrams, atoms) = (&self.claims.diagrams, self.parts.atoms());
            Watch::new(diagrams, self.system, atoms, &cover.literals, dead)
        };
        if let (mut watch, Some(begin)) = watch(false) {
            for t in (0..self.system.steps.len() as u32).filter(|&t| self.facts.is_live(t)) {
                if !watch.included(&begin, node, Some(t), to) {
                    return refuse(format!("transition {t} leaves set {state} {layer} {node}"));
                }
            }
        }
        if let (mut watch, Some(begin)) = watch(true)
            && !watch.included(&begin, node, None, to)
        {
            return refuse(format!("a dead marking leaves set {state} {layer} {node}"));
        }
        Ok(())
    }

    /// One marking with all its states.
    fn check_marking(
        &self,
        marking: &Marking,
        number: u32,
        edges: &mut [Option<Vec<Edge>>],
    ) -> Result<(), Refusal> {
        let enabled = self.system.enabled(marking);
        let values = self.parts.values(marking, &enabled);
        let mut successors: Option<Vec<Option<u32>>> = None;
        for &(state, layer) in &self.claims.cells[number as usize] {
            for (cover, target) in self.edges(state, edges)? {
                if !cover.literals.iter().all(|&(atom, value)| values[atom as usize] == value) {
                    continue;
                }
                let anywhere = self.claims.any.get(target).copied();
                let after =
                    successors.get_or_insert_with(|| self.successors(marking, number, &enabled));
                for &next in after.iter() {
                    let here = next.and_then(|m| find(&self.claims.cells[m as usize], *target));
                    // In both: whichever is lower.
                    let Some(to) = here.into_iter().chain(anywhere).min() else {
                        return refuse(format!(
                            "a step leaves the list, from state {state} in the marking {marking:?}"
                        ));
                    };
                    self.ensure_falling(layer, to, cover, None)?;
                }
            }
        }
        Ok(())
    }

    /// The numbers of the markings after one step, where they are in the list.
    fn successors(&self, marking: &Marking, number: u32, enabled: &[u32]) -> Vec<Option<u32>> {
        if enabled.is_empty() {
            return vec![Some(number)];
        }
        let after = |&t: &u32| {
            let next = self.system.fire(t, marking)?;
            self.claims.markings.get(&next).copied()
        };
        let mut all: Vec<Option<u32>> = enabled.iter().map(after).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A state that is not in the list.
const NONE: u32 = u32::MAX;

/// The layer of a state among those of a marking.
fn find(cells: &[(u32, u32)], state: u32) -> Option<u32> {
    cells.binary_search_by_key(&state, |c| c.0).ok().map(|i| cells[i].1)
}
