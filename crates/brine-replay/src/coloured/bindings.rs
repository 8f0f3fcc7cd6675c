//! Whether some binding of a transition is enabled: a backtracking search.
//!
//! A colour term that is certainly taken (it is a summand, not below a subtraction) must find a
//! token. In each step the term with the fewest fitting tokens, by what is bound so far, gives
//! its open variables the values of each of them in turn; a conjunct of the guard is tested as
//! soon as its variables are bound; a variable that no such term binds is tried with all its
//! values, one that occurs in neither inputs nor guard with the first. A complete binding is
//! believed only if its guard holds and all its arcs find their tokens ([`enabled`]), so terms
//! only prune. Nothing is pruned wrongly: what is pruned lacks a token that its arc takes, or
//! breaks its guard. Cost: what fits, counted by `work`; when that is used up nothing is claimed.

use super::Fault;
use super::terms::{Colour, known, multiset, pay, preimage, satisfied};
use super::tokens::Tokens;
use brine_coloured::guards::GuardOp;
use brine_coloured::net::{ColouredArc, ColouredTransition, Variable};
use brine_coloured::terms::{Bag, BagOp, Component};

/// Whether a variable may have this value.
pub(super) fn allowed(variable: &Variable, value: u32) -> bool {
    match &variable.part {
        Some(part) => part.binary_search(&value).is_ok(),
        None => value < variable.size,
    }
}

/// Whether the guard holds and every arc finds its tokens.
pub(super) fn enabled(
    transition: &ColouredTransition,
    bound: &[Option<u32>],
    marking: &[Tokens],
    work: &mut u64,
) -> Result<bool, Fault> {
    pay(work, 1)?;
    if transition.guard.iter().any(|conjunct| satisfied(conjunct, bound) != Some(true)) {
        return Ok(false);
    }
    for arc in &transition.inputs {
        if !marking[arc.place].include(&multiset(&arc.bag, bound, work)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The terms that an expression certainly has, as lists of components.
fn certain(bag: &Bag) -> Vec<Vec<&Component>> {
    let mut stack: Vec<Vec<Vec<&Component>>> = Vec::new();
    for op in &bag.ops {
        let terms = match op {
            BagOp::Push { count: 0, .. } | BagOp::Empty => Vec::new(),
            BagOp::Push { colour, .. } => vec![colour.iter().collect()],
            BagOp::Add(n) => stack.split_off(stack.len().saturating_sub(*n)).concat(),
            BagOp::Times(factor) => {
                let terms = stack.pop().unwrap_or_default();
                if *factor == 0 { Vec::new() } else { terms }
            }
            BagOp::Subtract => {
                stack.truncate(stack.len().saturating_sub(2));
                Vec::new()
            }
            BagOp::Cross(n) => {
                // One of each is enough: the more so, the more terms a factor has.
                let factors = stack.split_off(stack.len().saturating_sub(*n));
                let whole = !factors.iter().any(Vec::is_empty);
                let firsts = factors.iter().filter_map(|f| f.first()).flatten().copied();
                if whole { vec![firsts.collect()] } else { Vec::new() }
            }
        };
        stack.push(terms);
    }
    stack.pop().unwrap_or_default()
}

/// A term that must find a token.
struct Needed<'n> {
    place: usize,
    term: Vec<&'n Component>,
}

/// The terms of an arc that must find a token.
fn needs(arc: &ColouredArc) -> Vec<Needed<'_>> {
    let place = arc.place;
    certain(&arc.bag).into_iter().map(|term| Needed { place, term }).collect()
}

impl Needed<'_> {
    /// The components whose values are known, and these.
    fn known(&self, bound: &[Option<u32>]) -> (Vec<usize>, Vec<u32>) {
        let value = |(i, c): (usize, &&Component)| match *c {
            Component::Each(values) => Some((i, *values.first()?)),
            other => Some((i, known(other, bound)?)),
        };
        self.term.iter().enumerate().filter_map(value).unzip()
    }

    /// Whether a token's colour would bind one of its variables.
    fn is_open(&self, bound: &[Option<u32>]) -> bool {
        self.term.iter().any(|c| opens(c, bound).is_some())
    }
}

/// The open variable of a component whose value tells that of the variable.
fn opens(component: &Component, bound: &[Option<u32>]) -> Option<usize> {
    match component {
        Component::Variable { variable, map } if bound[*variable].is_none() => {
            preimage(map, 0).map(|_| *variable)
        }
        _ => None,
    }
}

/// What is left to try at one depth of the search.
struct Level {
    /// The values of some variables, the next one last.
    left: Vec<Vec<(usize, u32)>>,
    /// The variables that the current one has bound.
    bound: Vec<usize>,
}

/// A binding that is enabled.
pub(super) fn find(
    transition: &ColouredTransition,
    marking: &mut [Tokens],
    work: &mut u64,
) -> Result<Option<Vec<Option<u32>>>, Fault> {
    let needed: Vec<Needed<'_>> = transition.inputs.iter().flat_map(needs).collect();
    let mut bound = free(transition);
    if !bound.contains(&None) {
        return Ok(enabled(transition, &bound, marking, work)?.then_some(bound));
    }
    let mut levels = vec![next(transition, &needed, &bound, marking, work)?];
    while let Some(level) = levels.last_mut() {
        level.bound.drain(..).for_each(|x| bound[x] = None);
        let Some(values) = level.left.pop() else {
            levels.pop();
            continue;
        };
        pay(work, 1)?;
        for (x, value) in values {
            bound[x] = Some(value);
            level.bound.push(x);
        }
        if transition.guard.iter().any(|conjunct| satisfied(conjunct, &bound) == Some(false)) {
            continue;
        }
        if !bound.contains(&None) {
            if enabled(transition, &bound, marking, work)? {
                return Ok(Some(bound));
            }
            continue;
        }
        levels.push(next(transition, &needed, &bound, marking, work)?);
    }
    Ok(None)
}

/// The variables that only outputs name, with their first value; the others open.
fn free(transition: &ColouredTransition) -> Vec<Option<u32>> {
    let first = |x: &Variable| x.part.as_ref().map_or(Some(0), |part| part.first().copied());
    let mut bound: Vec<Option<u32>> = transition.variables.iter().map(first).collect();
    let mut open = |component: &Component| {
        if let Component::Variable { variable, .. } = component {
            bound[*variable] = None;
        }
    };
    for op in transition.inputs.iter().flat_map(|arc| &arc.bag.ops) {
        if let BagOp::Push { colour, .. } = op {
            colour.iter().for_each(&mut open);
        }
    }
    for op in transition.guard.iter().flatten() {
        if let GuardOp::Compare(_, a, b) = op {
            [a, b].into_iter().for_each(&mut open);
        }
    }
    bound
}

/// What to try next: the fitting tokens of the term that has the fewest, or all values of an
/// open variable.
fn next(
    transition: &ColouredTransition,
    needed: &[Needed<'_>],
    bound: &[Option<u32>],
    marking: &mut [Tokens],
    work: &mut u64,
) -> Result<Level, Fault> {
    let mut best: Option<(usize, &Needed<'_>)> = None;
    for term in needed {
        let (components, values) = term.known(bound);
        let fitting = marking[term.place].having(&components, &values).len();
        if fitting == 0 {
            return Ok(Level { left: Vec::new(), bound: Vec::new() });
        }
        if term.is_open(bound) && best.is_none_or(|(fewest, _)| fitting < fewest) {
            best = Some((fitting, term));
        }
    }
    let left = match best {
        Some((fitting, term)) => {
            pay(work, fitting as u64)?;
            let (components, values) = term.known(bound);
            let colours = marking[term.place].having(&components, &values).iter();
            colours.filter_map(|colour| binds(transition, term, colour, bound)).collect()
        }
        None => choices(transition, bound, work)?,
    };
    Ok(Level { left, bound: Vec::new() })
}

/// The values that a token's colour gives to the open variables of a term; `None` if it does
/// not fit.
fn binds(
    transition: &ColouredTransition,
    term: &Needed<'_>,
    colour: &Colour,
    bound: &[Option<u32>],
) -> Option<Vec<(usize, u32)>> {
    let mut values: Vec<(usize, u32)> = Vec::new();
    for (component, &value) in term.term.iter().zip(colour) {
        let Component::Variable { variable, map } = component else { continue };
        if opens(component, bound).is_none() {
            continue;
        }
        let value = preimage(map, value)?;
        match values.iter().find(|(x, _)| x == variable) {
            Some((_, before)) if *before != value => return None,
            Some(_) => {}
            None if allowed(&transition.variables[*variable], value) => {
                values.push((*variable, value));
            }
            None => return None,
        }
    }
    Some(values)
}

/// All values of the first open variable.
fn choices(
    transition: &ColouredTransition,
    bound: &[Option<u32>],
    work: &mut u64,
) -> Result<Vec<Vec<(usize, u32)>>, Fault> {
    let Some(x) = bound.iter().position(Option::is_none) else { return Ok(Vec::new()) };
    let variable = &transition.variables[x];
    pay(work, u64::from(variable.size))?;
    let values = (0..variable.size).rev().filter(|&v| allowed(variable, v));
    Ok(values.map(|v| vec![(x, v)]).collect())
}
