//! Which way the automaton has to go: distances to acceptance, and the labels that lead on.
//!
//! A run is accepted when it ends in a component of the automaton whose cycles can carry all
//! marks (a *good* component) and takes edges with each mark again and again. So from a state
//! outside of good components the aim is to get into one, by as few edges as possible; inside,
//! it is the edge with the next missing mark. For each state and aim this module knows the
//! labels of the edges that come closer: one of them has to become true.
//!
//! Only counts edges, as if every label could be true at any time: an estimate, used for
//! nothing but the order in which things are tried. Cost: (marks + 1) times the automaton.

use crate::letters::Move;
use crate::lists::Lists;
use brine_ltl::{Automaton, ComponentId, Edge, LabelId};
use std::collections::VecDeque;

/// The distance of a state from which the aim cannot be reached.
const NEVER: u32 = u32::MAX;

/// What a run wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    /// To enter a good component.
    Enter,
    /// To stay in it: there is no mark to collect.
    Stay,
    /// To take an edge with this mark, without leaving the component.
    Mark(u32),
}

/// Distances of all states of one automaton.
#[derive(Debug)]
pub(crate) struct Compass {
    states: u32,
    marks: u32,
    component: Vec<ComponentId>,
    /// Edges to the nearest good component, by state.
    enter: Vec<u32>,
    /// Inner edges before one with the mark, by mark and state.
    toward: Vec<Vec<u32>>,
    /// Labels that lead on, by aim (see [`Compass::row`]) and state.
    labels: Lists<LabelId>,
}

impl Compass {
    pub(crate) fn new(aut: &Automaton) -> Self {
        let known = aut.analysis();
        let inner = |e: &Edge| known.is_inside(e);
        let start: Vec<u32> =
            aut.states().map(|q| if known.has_accepting_cycle(q) { 0 } else { NEVER }).collect();
        let enter = distances(aut, start, &|_| true);
        let toward = (0..aut.num_marks())
            .map(|mark| {
                let mut start = vec![NEVER; aut.num_states()];
                let carries = |e: &&Edge| inner(e) && e.marks >> mark & 1 == 1;
                aut.edges().iter().filter(carries).for_each(|e| start[e.src.index()] = 0);
                distances(aut, start, &inner)
            })
            .collect();
        let mut compass = Compass {
            states: aut.num_states() as u32,
            marks: aut.num_marks(),
            component: aut.states().map(|q| known.component(q)).collect(),
            enter,
            toward,
            labels: Lists::new(),
        };
        compass.list_labels(aut);
        compass
    }

    /// For every aim and state the labels of the best edges.
    fn list_labels(&mut self, aut: &Automaton) {
        let marks = (0..self.marks).map(Aim::Mark);
        for aim in [Aim::Enter, Aim::Stay].into_iter().chain(marks) {
            for q in aut.states() {
                let value =
                    |e: &Edge| self.value(q.0, aim, Move { state: e.dst.0, marks: e.marks });
                let edges = aut.edges_of(q);
                let best = edges.iter().map(value).min();
                let mut labels: Vec<LabelId> = edges
                    .iter()
                    .filter(|e| value(e) != NEVER && Some(value(e)) == best)
                    .map(|e| e.label)
                    .collect();
                labels.sort_unstable();
                labels.dedup();
                self.labels.add(labels);
            }
        }
    }

    fn row(aim: Aim) -> u32 {
        match aim {
            Aim::Enter => 0,
            Aim::Stay => 1,
            Aim::Mark(k) => 2 + k,
        }
    }

    /// The aim of a run in state `q` that waits for `mark` once it is in a good component.
    pub(crate) fn aim(&self, q: u32, mark: Option<u32>) -> Aim {
        match mark {
            _ if self.enter[q as usize] > 0 => Aim::Enter,
            Some(k) => Aim::Mark(k),
            None => Aim::Stay,
        }
    }

    /// Whether a run in state `q` cannot be accepted whatever follows.
    pub(crate) fn is_lost(&self, q: u32) -> bool {
        self.enter[q as usize] == NEVER
    }

    /// Edges from state `q` to the nearest good component.
    pub(crate) fn rank(&self, q: u32) -> u32 {
        self.enter[q as usize]
    }

    /// How far the aim still is after a move from `q`; less is better.
    pub(crate) fn value(&self, q: u32, aim: Aim, to: Move) -> u32 {
        let stays = self.component[q as usize] == self.component[to.state as usize];
        match aim {
            Aim::Enter => self.enter[to.state as usize],
            _ if !stays => NEVER,
            Aim::Stay => 0,
            Aim::Mark(k) if to.marks >> k & 1 == 1 => 0,
            Aim::Mark(k) => self.toward[k as usize][to.state as usize].saturating_add(1),
        }
    }

    /// The labels of the edges from `q` that lead towards the aim.
    pub(crate) fn labels(&self, q: u32, aim: Aim) -> &[LabelId] {
        self.labels.of((Self::row(aim) * self.states + q) as usize)
    }
}

/// Distances to the states with distance 0 in `start`, along edges that pass `allowed`.
fn distances(aut: &Automaton, start: Vec<u32>, allowed: &dyn Fn(&Edge) -> bool) -> Vec<u32> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); start.len()];
    for e in aut.edges().iter().filter(|e| allowed(e)) {
        into[e.dst.index()].push(e.src.index());
    }
    let mut distance = start;
    let mut queue: VecDeque<usize> = (0..distance.len()).filter(|&q| distance[q] == 0).collect();
    while let Some(q) = queue.pop_front() {
        for &p in &into[q] {
            if distance[p] == NEVER {
                distance[p] = distance[q] + 1;
                queue.push_back(p);
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::{Formulas, Options, Symbols, parse, translate};
    use brine_net::{Net, NetBuilder};

    fn net() -> Net {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 1), b.place("q", 0));
        b.transition("t", &[(p, 1)], &[(q, 1)]);
        b.build().unwrap()
    }

    fn automaton(text: &str) -> Automaton {
        let mut fs = Formulas::new();
        let f = parse(text, &mut fs, &mut Symbols::of_net(&net())).unwrap();
        translate(&fs, f, &Options::default()).unwrap()
    }

    #[test]
    fn eventually_aims_at_its_label() {
        let aut = automaton("F (p = 0 & q = 1)");
        let compass = Compass::new(&aut);
        let q = aut.initial().0;
        assert_eq!((compass.rank(q), compass.aim(q, None)), (1, Aim::Enter));
        let labels = compass.labels(q, Aim::Enter);
        assert_eq!(labels.len(), 1);
        assert!(!aut.label(labels[0]).is_true());
    }

    #[test]
    fn recurrence_aims_at_each_mark() {
        let aut = automaton("G F p = 0 & G F q = 0");
        let compass = Compass::new(&aut);
        assert_eq!(aut.num_marks(), 2);
        let q = aut.initial().0;
        assert_eq!((compass.rank(q), compass.aim(q, Some(1))), (0, Aim::Mark(1)));
        let (a, b) = (compass.labels(q, Aim::Mark(0)), compass.labels(q, Aim::Mark(1)));
        assert!(!a.is_empty() && !b.is_empty() && a != b);
    }
}
