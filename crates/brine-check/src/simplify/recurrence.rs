//! Components of an automaton in which no run of the net can stay.
//!
//! A run that an automaton accepts stays in one strongly connected component S from some
//! point on: from then on all markings satisfy labels of edges inside S. Then
//!
//! - either the net comes to a dead marking, which satisfies for each mark the label of an
//!   edge inside S that carries it. Impossible if for some mark every cube of these labels
//!   excludes a deadlock;
//! - or it fires for ever, and only transitions that can fire between two markings of S.
//!   Impossible if these *run out*: a weighted sum of tokens falls with each of them
//!   ([`brine_reduce::state_equation::StateEquation::runs_out`]).
//!
//! This is true of the runs of a coloured net, too, whose skeleton the net is: "dead" then says
//! that no binding is enabled, and a run that fires for ever does so in the skeleton.
//!
//! If both are impossible for every component with all marks, the automaton accepts no run of
//! the net. So a property `G F !fireable(t)` is proved when everything that can
//! happen beside an enabled t comes to an end, and a net whose runs all end has only its
//! deadlocks to look at.
//!
//! Which transitions can fire inside S is over-approximated, cube by cube, by bounds of single
//! places and by semiflows. Cost: transitions x cubes x the semiflows at their places; one
//! linear program for each new set of transitions; the answers are kept.

use super::knowledge::Knowledge;
use super::needs::PlaceNeeds;
use brine_ltl::{Atom, Automaton, Cube, Edge};
use brine_net::TransitionId;
use brine_run::Control;

/// Components with more cubes inside are not looked at.
const CUBES: usize = 64;

impl Knowledge<'_> {
    /// Is it proved that the automaton accepts no run of the net?
    pub(super) fn accepts_no_run(&mut self, automaton: &Automaton, clock: &Control) -> bool {
        let known = automaton.analysis();
        let mut inner: Vec<Vec<Edge>> = vec![Vec::new(); known.num_components()];
        for &e in automaton.edges() {
            if known.is_inside(&e) && known.has_accepting_cycle(e.src) {
                inner[known.component(e.src).index()].push(e);
            }
        }
        inner
            .into_iter()
            .all(|edges| edges.is_empty() || self.no_run_stays(automaton, &edges, clock))
    }

    fn no_run_stays(&mut self, automaton: &Automaton, edges: &[Edge], clock: &Control) -> bool {
        let cubes = cubes_of(automaton, edges.iter());
        if cubes.len() > CUBES || clock.is_over() {
            return false;
        }
        let firing = self.firing_inside(automaton, &cubes);
        self.run_out(firing, clock) && self.no_run_ends(automaton, edges, clock)
    }

    /// The transitions that may fire between two markings that satisfy some of the cubes.
    fn firing_inside(&self, automaton: &Automaton, cubes: &[Cube]) -> Vec<TransitionId> {
        let needs: Vec<PlaceNeeds> = cubes
            .iter()
            .filter_map(|&cube| PlaceNeeds::new(self, &literals(automaton, cube)))
            .collect();
        let dead = &self.structure.facts.dead_transitions;
        let transitions = self.view.net().transition_ids();
        transitions
            .filter(|t| dead.binary_search(t).is_err())
            .filter(|&t| needs.iter().any(|needs| needs.allow_before(self, t)))
            .filter(|&t| needs.iter().any(|needs| needs.allow_after(self, t)))
            .collect()
    }

    /// Is every dead marking excluded for some mark?
    fn no_run_ends(&mut self, automaton: &Automaton, edges: &[Edge], clock: &Control) -> bool {
        let marks = automaton.num_marks();
        let carries = |e: &&Edge, mark: u32| marks == 0 || e.marks >> mark & 1 == 1;
        (0..marks.max(1)).any(|mark| {
            let cubes = cubes_of(automaton, edges.iter().filter(|e| carries(e, mark)));
            cubes.into_iter().all(|cube| {
                let mut dead = literals(automaton, cube);
                dead.push((&Atom::Deadlock, true));
                self.excludes(&dead, clock).is_some()
            })
        })
    }
}

/// The different cubes of the edges' labels.
fn cubes_of<'a>(automaton: &Automaton, edges: impl Iterator<Item = &'a Edge>) -> Vec<Cube> {
    let mut cubes: Vec<Cube> =
        edges.flat_map(|e| automaton.label(e.label).cubes.iter().copied()).collect();
    cubes.sort_unstable();
    cubes.dedup();
    cubes
}

/// The literals of a cube.
pub(super) fn literals(automaton: &Automaton, cube: Cube) -> Vec<(&Atom, bool)> {
    let atoms = automaton.atoms().iter().enumerate();
    atoms
        .filter(|(i, _)| (cube.pos | cube.neg) >> i & 1 == 1)
        .map(|(i, atom)| (atom, cube.pos >> i & 1 == 1))
        .collect()
}
