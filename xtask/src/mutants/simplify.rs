//! Bugs planted in the simplification of properties.

use super::{CASES, Mutant, Test, mutant};

const CERTIFICATE: &str = "crates/brine-reduce/src/state_equation/certificate.rs";
const RANKING: &str = "crates/brine-reduce/src/state_equation/ranking.rs";
const START: &str = "crates/brine-check/src/simplify/start.rs";
const ATOMS: &str = "crates/brine-check/src/simplify/atoms.rs";
const KNOWLEDGE: &str = "crates/brine-check/src/simplify/knowledge.rs";
const CUBES: &str = "crates/brine-check/src/simplify/cubes.rs";
const LETTERS: &str = "crates/brine-check/src/simplify/letters.rs";
const NEEDS: &str = "crates/brine-check/src/simplify/needs.rs";
const RECURRENCE: &str = "crates/brine-check/src/simplify/recurrence.rs";

/// Each is one mistake in one idea.
pub(super) const MUTANTS: [Mutant; 17] = [
    mutant(
        Test::Equation,
        "certificate: a transition may raise the sum",
        CERTIFICATE,
        "change <= 0",
        "change <= 1",
    ),
    mutant(
        Test::Equation,
        "certificate: equality counts as a contradiction",
        CERTIFICATE,
        "Some(most < least)",
        "Some(most <= least)",
    ),
    mutant(
        Test::Equation,
        "certificate: a constraint may count negatively",
        CERTIFICATE,
        "if lambda < 0 {",
        "if lambda < -1 {",
    ),
    mutant(
        Test::Equation,
        "certificate: tokens up to the bound are not counted",
        CERTIFICATE,
        "least = least.checked_add(w.checked_mul(i128::from(bound))?)?;",
        "least = least.min(w.min(i128::from(bound)));",
    ),
    Mutant {
        name: "ranking: sums that stay the same count as falling",
        file: RANKING,
        from: "ComparisonOp::Le, -1.0",
        to: "ComparisonOp::Le, 0.0",
        more: &[(RANKING, "change < 0", "change <= 0")],
        test: Test::Equation,
        cases: CASES,
    },
    mutant(
        Test::Simplify,
        "start: the initial letter is used below X",
        START,
        "Node::True | Node::False | Node::X(_) => g,",
        "Node::True | Node::False => g,\n            Node::X(a) => fs.x(at(a)),",
    ),
    mutant(
        Test::Simplify,
        "start: what is false now stays false",
        START,
        "Node::F(_) | Node::G(_) => g,",
        "Node::F(a) | Node::G(a) => at(a),",
    ),
    mutant(
        Test::Simplify,
        "atoms: transitions without output count as dead",
        ATOMS,
        "let dead = &self.structure.facts.dead_transitions;",
        "let dead = &self.structure.facts.sink_transitions;",
    ),
    mutant(
        Test::Simplify,
        "atoms: the first place counts as constant",
        ATOMS,
        "let places = &self.structure.facts.constant_places;",
        "let places: Vec<_> = self.net.place_ids().take(1).collect();",
    ),
    mutant(
        Test::Simplify,
        "knowledge: the more demanding transition is kept",
        KNOWLEDGE,
        "covers(&self.net.transition(t).pre, &self.net.transition(u).pre)",
        "covers(&self.net.transition(u).pre, &self.net.transition(t).pre)",
    ),
    mutant(
        Test::Simplify,
        "knowledge: one impossible alternative is enough",
        KNOWLEDGE,
        "Some(proof) => reason = reason.max(Reason::Linear(proof)),",
        "Some(proof) => return Some(Some(reason.max(Reason::Linear(proof)))),",
    ),
    mutant(
        Test::Simplify,
        "cubes: a negated comparison asks for one more",
        CUBES,
        "linear.bound.checked_neg()?.checked_sub(1)?",
        "linear.bound.checked_neg()?.checked_sub(2)?",
    ),
    mutant(
        Test::Simplify,
        "cubes: a cut asks for two places that hold too little",
        CUBES,
        "let mut bound = unit.checked_neg()?;",
        "let mut bound = unit.checked_mul(-2)?;",
    ),
    mutant(
        Test::Simplify,
        "letters: at the start nothing holds",
        LETTERS,
        "let letter = automaton.letter(self.net, &self.initial);",
        "let letter = automaton.letter(self.net, &self.initial) & 0;",
    ),
    mutant(
        Test::Simplify,
        "recurrence: dead markings are forgotten",
        RECURRENCE,
        "self.run_out(firing, clock) && self.no_run_ends(automaton, edges, clock)",
        "self.run_out(firing, clock) && !edges.is_empty()",
    ),
    mutant(
        Test::Simplify,
        "recurrence: one component stands for all",
        RECURRENCE,
        "inner.into_iter().all(|edges| {",
        "inner.into_iter().any(|edges| {",
    ),
    mutant(
        Test::Simplify,
        "needs: tokens taken are counted twice",
        NEEDS,
        "i128::from(bound) + i128::from(change)",
        "i128::from(bound) + 2 * i128::from(change)",
    ),
];
