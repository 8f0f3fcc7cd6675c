//! Our automata in an independent reader of HOA, the `hoars` crate. Not in the gate: building
//! the reader takes most of a minute. `cargo test -p brine-benches --test hoa`; BRINE_CASES
//! scales it.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use brine_ltl::{Automaton, Options, Symbols, Translator};
use brine_net::Rng;
use brine_oracle::formulas::{AtomScope, random_formula_over};

fn eval(label: &hoars::AbstractLabelExpression, letter: u64) -> bool {
    use hoars::AbstractLabelExpression as L;
    match label {
        L::Boolean(b) => *b,
        L::Integer(i) => letter >> i & 1 == 1,
        L::Negated(l) => !eval(l, letter),
        L::Conjunction(ls) => ls.iter().all(|l| eval(l, letter)),
        L::Disjunction(ls) => ls.iter().any(|l| eval(l, letter)),
    }
}

/// What the `hoars` crate makes of our text must be the automaton it came from.
fn check_with_hoars(text: &str, a: &Automaton) {
    let read = hoars::input::from_hoa(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    read.verify().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(read.num_states(), Some(a.num_states()));
    assert_eq!(read.aps().len(), a.atoms().len());
    assert_eq!(read.acceptance().0, a.num_marks() as usize);
    let start = read.start()[0].get_singleton();
    assert_eq!(start, Some(a.initial().0));
    for (state, q) in read.body().iter().zip(a.states()) {
        assert_eq!(state.id(), q.0);
        assert_eq!(state.edges().len(), a.edges_of(q).len());
        for (edge, ours) in state.edges().iter().zip(a.edges_of(q)) {
            assert_eq!(edge.target(), Some(ours.dst.0));
            let marks = edge.acceptance_signature().iter().fold(0u64, |m, &i| m | 1 << i);
            assert_eq!(marks, ours.marks, "{text}");
            let hoars::LabelExpression::Abstract(theirs) = &edge.label().0 else {
                panic!("hoars keeps labels as written");
            };
            for letter in 0..1u64 << a.atoms().len() {
                let expected = a.label(ours.label).accepts(letter);
                assert_eq!(eval(theirs, letter), expected, "{text}");
            }
        }
    }
}

#[test]
fn output_is_what_an_independent_reader_reads() {
    let mut rng = Rng::new(brine_oracle::number("BRINE_SEED", 1));
    let scope = AtomScope { places: 3, transitions: 2, deadlock: true, events: false, tokens: 2 };
    for _ in 0..brine_oracle::number("BRINE_CASES", 2_000) {
        let mut formulas = brine_ltl::Formulas::new();
        let depth = 1 + rng.index(4) as u32;
        let formula = random_formula_over(&mut rng, scope, &mut formulas, depth);
        let symbols = Symbols::of_names(["p", "q", "r"], ["t", "u"]);
        let name = formulas.print(formula, &symbols);
        let options = Options::default();
        let mut translator = Translator::new(&formulas, formula, &options).unwrap();
        for automaton in [translator.tgba().unwrap(), translator.ba().unwrap()] {
            check_with_hoars(&automaton.to_hoa(&name, &symbols), &automaton);
        }
    }
}
