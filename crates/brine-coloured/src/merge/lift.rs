//! Runs of the merged net become runs of the net itself.
//!
//! Tokens get their colours back step by step. A variable whose class has one value has it; any
//! other is named once by the inputs, and takes the value from the least token of the class that
//! its term needs; what only outputs name takes the least value. Such a token is always there
//! (condition 2 of [`super`]). A cycle is repeated until the marking at its beginning is one that
//! was there before, or above one: choices depend on the marking alone, so from then on
//! everything repeats. Markings of one class are finitely many, but may be too many: then, or
//! when work runs out, there is no run.
//!
//! Invariant: the classes of the tokens are the marking of the merged run.

use super::Merged;
use super::refine::Partitions;
use crate::guards;
use crate::net::ColouredNet;
use crate::run::{ColouredRun, ColouredStep};
use crate::terms::{BagOp, Component, Map};
use brine_run::{Control, Stop};
use std::collections::BTreeMap;

/// Steps of a lifted cycle, at most.
const STEPS: usize = 200_000;
/// Tokens' colours that are looked at, at most.
const COLOURS: u64 = 20_000_000;

/// The tokens of a place: by classes, by colours.
type ClassTokens = BTreeMap<Vec<u32>, BTreeMap<Vec<u32>, u64>>;

/// A run of `net` that the run of the merged net stands for.
pub(super) fn lift(
    net: &ColouredNet,
    merged: &Merged,
    run: &ColouredRun,
    control: &Control,
) -> Result<Option<ColouredRun>, Stop> {
    let mut lifting =
        Lifting { net, partitions: &merged.partitions, marking: Vec::new(), work: COLOURS };
    match lifting.run(run, control)? {
        Ok(lifted) => Ok(Some(lifted)),
        Err(Failed) => Ok(None),
    }
}

/// Too much work, or a run that is none of the merged net.
struct Failed;

struct Lifting<'n> {
    net: &'n ColouredNet,
    partitions: &'n Partitions,
    marking: Vec<ClassTokens>,
    work: u64,
}

impl Lifting<'_> {
    fn run(
        &mut self,
        run: &ColouredRun,
        control: &Control,
    ) -> Result<Result<ColouredRun, Failed>, Stop> {
        let mut pace = control.pace();
        if self.start().is_err() {
            return Ok(Err(Failed));
        }
        let mut steps: Vec<ColouredStep> = Vec::new();
        for step in &run.prefix {
            pace.step()?;
            match self.step(step) {
                Ok(step) => steps.push(step),
                Err(failed) => return Ok(Err(failed)),
            }
        }
        if run.cycle.is_empty() {
            return Ok(Ok(ColouredRun { prefix: steps, cycle: Vec::new() }));
        }
        let mut begins = vec![(steps.len(), self.marking.clone())];
        loop {
            for step in &run.cycle {
                pace.step()?;
                match self.step(step) {
                    Ok(step) if steps.len() < STEPS => steps.push(step),
                    _ => return Ok(Err(Failed)),
                }
            }
            if let Some((at, _)) = begins.iter().find(|(_, before)| self.is_above(before)) {
                let cycle = steps.split_off(*at);
                return Ok(Ok(ColouredRun { prefix: steps, cycle }));
            }
            let colours: usize =
                self.marking.iter().flat_map(BTreeMap::values).map(BTreeMap::len).sum();
            if self.pay(1 + colours * (1 + begins.len())).is_err() {
                return Ok(Err(Failed));
            }
            pace.steps(colours)?;
            begins.push((steps.len(), self.marking.clone()));
        }
    }

    fn pay(&mut self, colours: usize) -> Result<(), Failed> {
        self.work = self.work.checked_sub(colours as u64).ok_or(Failed)?;
        Ok(())
    }

    /// Whether every token of `before` is here.
    fn is_above(&self, before: &[ClassTokens]) -> bool {
        before.iter().zip(&self.marking).all(|(before, now)| {
            before.iter().all(|(class, tokens)| {
                let now = now.get(class);
                let count = |colour| now.and_then(|n| n.get(colour)).copied().unwrap_or(0);
                tokens.iter().all(|(colour, &n)| n <= count(colour))
            })
        })
    }

    /// The initial marking.
    fn start(&mut self) -> Result<(), Failed> {
        self.marking = vec![ClassTokens::new(); self.net.places.len()];
        for (p, place) in self.net.places.iter().enumerate() {
            let Some(bag) = &place.initial else { continue };
            let tokens = bag.evaluate(&place.layout, &[], self.work).map_err(|_| Failed)?;
            self.pay(tokens.len())?;
            tokens.into_iter().for_each(|(colour, n)| self.put(p, colour, n));
        }
        Ok(())
    }

    fn classes(&self, place: usize, colour: &[u32]) -> Vec<u32> {
        let partitions = &self.partitions.components[place];
        colour.iter().zip(partitions).map(|(&v, partition)| partition.class(v)).collect()
    }

    fn components(&self, place: usize, colour: u64) -> Vec<u32> {
        let place = &self.net.places[place];
        (0..place.sort.len()).map(|i| place.layout.component(colour, i)).collect()
    }

    fn put(&mut self, place: usize, colour: u64, n: u64) {
        let colour = self.components(place, colour);
        let classes = self.classes(place, &colour);
        *self.marking[place].entry(classes).or_default().entry(colour).or_default() += n;
    }

    fn take(&mut self, place: usize, colour: u64, n: u64) -> Result<(), Failed> {
        let colour = self.components(place, colour);
        let classes = self.classes(place, &colour);
        let tokens = self.marking[place].get_mut(&classes).ok_or(Failed)?;
        let count = tokens.get_mut(&colour).ok_or(Failed)?;
        *count = count.checked_sub(n).ok_or(Failed)?;
        if *count == 0 {
            tokens.remove(&colour);
            if tokens.is_empty() {
                self.marking[place].remove(&classes);
            }
        }
        Ok(())
    }

    /// Gives a step its colours and fires it.
    fn step(&mut self, step: &ColouredStep) -> Result<ColouredStep, Failed> {
        let t = step.transition.index();
        let net = self.net;
        let transition = net.transitions.get(t).ok_or(Failed)?;
        let binding = self.binding(t, &step.binding)?;
        let holds = transition.guard.iter().all(|c| guards::holds(c, &binding));
        let admitted = transition.variables.iter().zip(&binding).all(|(x, &v)| x.admits(v));
        debug_assert!(holds && admitted, "guards and parts depend on classes alone");
        if !(holds && admitted) {
            return Err(Failed);
        }
        for arc in &transition.inputs {
            let layout = &net.places[arc.place].layout;
            let taken = arc.bag.evaluate(layout, &binding, self.work).map_err(|_| Failed)?;
            self.pay(taken.len())?;
            for (colour, n) in taken {
                self.take(arc.place, colour, n)?;
            }
        }
        for arc in &transition.outputs {
            let layout = &net.places[arc.place].layout;
            let put = arc.bag.evaluate(layout, &binding, self.work).map_err(|_| Failed)?;
            self.pay(put.len())?;
            put.into_iter().for_each(|(colour, n)| self.put(arc.place, colour, n));
        }
        Ok(ColouredStep { transition: step.transition, binding: binding.into() })
    }

    /// Values of the classes of a binding, such that the tokens are there.
    fn binding(&mut self, t: usize, classes: &[u32]) -> Result<Vec<u32>, Failed> {
        let transition = &self.net.transitions[t];
        let partitions = &self.partitions.variables[t];
        if classes.len() != partitions.len() {
            return Err(Failed);
        }
        let mut least = Vec::with_capacity(classes.len());
        let mut open = vec![false; classes.len()];
        for (x, (partition, &class)) in partitions.iter().zip(classes).enumerate() {
            let (value, size) = partition.least_and_size(class).ok_or(Failed)?;
            least.push(value);
            open[x] = size > 1;
        }
        let mut binding = least;
        // Tokens that terms of this step have chosen already.
        let mut chosen: BTreeMap<(usize, Vec<u32>), u64> = BTreeMap::new();
        for arc in &transition.inputs {
            for op in &arc.bag.ops {
                let BagOp::Push { count: 1.., colour, .. } = op else { continue };
                let is_open = |c: &Component| c.variable().is_some_and(|x| open[x]);
                if colour.iter().any(is_open) {
                    let token = self.token(arc.place, colour, &binding, &chosen)?;
                    bind(colour, &token, &open, &mut binding);
                    *chosen.entry((arc.place, token)).or_default() += 1;
                }
            }
        }
        Ok(binding)
    }

    /// The least token of the class of a term that no other term has chosen.
    fn token(
        &mut self,
        place: usize,
        colour: &[Component],
        binding: &[u32],
        chosen: &BTreeMap<(usize, Vec<u32>), u64>,
    ) -> Result<Vec<u32>, Failed> {
        let value = |c: &Component| match c {
            Component::Each(values) => values.first().copied(),
            other => other.value(binding),
        };
        let example: Vec<u32> = colour.iter().filter_map(value).collect();
        let tokens = self.marking[place].get(&self.classes(place, &example)).ok_or(Failed)?;
        let left = |(token, n): &(&Vec<u32>, &u64)| {
            chosen.get(&(place, (*token).clone())).is_none_or(|taken| taken < n)
        };
        let token = tokens.iter().find(left).map(|(token, _)| token.clone());
        self.pay(1 + chosen.len())?;
        token.ok_or(Failed)
    }
}

/// Gives the open variables of a term the values that a token has.
fn bind(colour: &[Component], token: &[u32], open: &[bool], binding: &mut [u32]) {
    for (component, &value) in colour.iter().zip(token) {
        if let Component::Variable { variable, map: map @ Map::Shift { .. } } = component
            && open[*variable]
            && let Some(value) = map.invert(value)
        {
            binding[*variable] = value;
        }
    }
}
