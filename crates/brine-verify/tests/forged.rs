//! Claims about violated properties, made without any engine: right beginnings, and product states
//! with layers of every kind, one by one, as diagrams, and everywhere. None may be accepted; of
//! properties that hold, some are.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_net::{NetBuilder, Rng};
use brine_oracle::{AnsweredPair, random_pairs, reachable_markings};
use brine_verify::{Claim, Part, Parts, System, verify};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The beginning of a certificate, and its automaton states.
fn beginning(pair: &AnsweredPair<'_>) -> (String, Parts, Vec<Vec<u32>>) {
    let system = System::new(pair.net);
    let mut parts = Parts::default();
    parts.add_atoms_of(pair.formulas, pair.formula).unwrap();
    parts.add_atom(Claim::Deadlock);
    let root = parts.add_negation(pair.formulas, pair.formula).unwrap();
    let mut states = vec![parts.normal(vec![root]).unwrap_or_default()];
    let mut at = 0;
    while at < states.len() && states.len() < 100 {
        for cover in parts.covers(&states[at], &[]).unwrap() {
            if !states.contains(&cover.next) {
                states.push(cover.next);
            }
        }
        at += 1;
    }
    let (places, transitions) = (system.initial.len(), system.steps.len());
    let fingerprint = system.fingerprint();
    let mut text = format!("brine-certificate 1\nnet {places} {transitions} {fingerprint:016x}\n");
    for atom in parts.atoms() {
        writeln!(text, "atom {atom}").unwrap();
    }
    for part in parts.parts().iter().skip(2) {
        writeln!(text, "node {part}").unwrap();
    }
    writeln!(text, "root {root}").unwrap();
    for state in &states {
        writeln!(text, "state {}", words(state)).unwrap();
    }
    (text, parts, states)
}

fn words(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn ended(mut text: String) -> String {
    let lines = text.lines().count();
    writeln!(text, "end {lines}").unwrap();
    text
}

/// What somebody would write who believes that the property holds.
fn forged(pair: &AnsweredPair<'_>, rng: &mut Rng) -> String {
    let (mut text, parts, states) = beginning(pair);
    let untils: Vec<usize> =
        (0..parts.parts().len()).filter(|&n| matches!(parts.parts()[n], Part::Until(..))).collect();
    let layers = 1 + rng.below(3);
    for _ in 0..layers {
        let until = untils.get(rng.below(untils.len().max(1) as u32) as usize);
        match (rng.below(4), until) {
            (0, _) => text += "layer transient\n",
            (1, _) => {
                let until = until.map_or("-".to_owned(), usize::to_string);
                write!(text, "layer falls {until}").unwrap();
                (0..pair.net.places().len()).for_each(|p| write!(text, " {p}:1").unwrap());
                text.push('\n');
            }
            (_, Some(until)) => writeln!(text, "layer absent {until}").unwrap(),
            (_, None) => text += "layer transient\n",
        }
    }
    let markings = reachable_markings(pair.net, 1_000).unwrap_or_default();
    match rng.below(3) {
        0 => {
            (0..states.len()).for_each(|s| writeln!(text, "any {s} {}", rng.below(layers)).unwrap())
        }
        1 => {
            for marking in &markings {
                text += "marking";
                for (p, n) in marking.iter().enumerate().filter(|m| *m.1 > 0) {
                    write!(text, " {p}:{n}").unwrap();
                }
                text += " @";
                (0..states.len()).for_each(|s| write!(text, " {s}/{}", rng.below(layers)).unwrap());
                text.push('\n');
            }
        }
        _ => {
            let root = diagram(&markings, pair.net.places().len(), &mut text);
            (0..states.len())
                .for_each(|s| writeln!(text, "set {s} {} {root}", rng.below(layers)).unwrap());
        }
    }
    ended(text)
}

/// Writes a diagram of the markings, prefix by prefix; its root.
fn diagram(markings: &[Vec<u32>], places: usize, text: &mut String) -> u32 {
    let order: Vec<u32> = (0..places as u32).collect();
    writeln!(text, "levels {}", words(&order)).unwrap();
    let mut nodes: BTreeMap<Vec<u32>, u32> = markings.iter().map(|m| (m.clone(), 1)).collect();
    let mut next = 2;
    for _ in 0..places {
        let mut above: BTreeMap<Vec<u32>, Vec<(u32, u32)>> = BTreeMap::new();
        for (mut prefix, node) in nodes {
            let value = prefix.pop().unwrap();
            above.entry(prefix).or_default().push((value, node));
        }
        nodes = BTreeMap::new();
        for (prefix, arcs) in above {
            text.push_str("dd");
            arcs.iter().for_each(|(value, node)| write!(text, " {value}:{node}").unwrap());
            text.push('\n');
            nodes.insert(prefix, next);
            next += 1;
        }
    }
    next - 1
}

#[test]
fn no_claim_about_a_violated_property_is_accepted() {
    let (mut refused, mut accepted) = ([0; 3], [0; 3]);
    random_pairs(4_000, |pair, rng| {
        for _ in 0..3 {
            let text = forged(&pair, rng);
            let kind = ["\nany ", "\nmarking ", "\nset "].iter().position(|w| text.contains(w));
            let answer = verify(pair.net, pair.formulas, pair.formula, text.as_bytes());
            if answer.is_ok() {
                assert!(pair.expected, "seed {}: accepted\n{text}", pair.seed);
            }
            let counts = if answer.is_ok() { &mut accepted } else { &mut refused };
            counts[kind.unwrap_or(0)] += 1;
        }
    });
    println!("refused {refused:?}, accepted {accepted:?}");
    assert!(refused.iter().all(|&n| n > 1_000) && accepted.iter().all(|&n| n > 100));
}

/// Bytes changed, packed or not: an answer, never a panic.
#[test]
fn damaged_bytes_are_refused_quietly() {
    let (mut read, mut refused) = (0, 0);
    random_pairs(500, |pair, rng| {
        let text = forged(&pair, rng).into_bytes();
        for _ in 0..10 {
            let mut bytes = text.clone();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len() as u32) as usize;
                match rng.below(4) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.truncate(at.max(1)),
                    2 => bytes[at] = b"0123456789 -+:/@\n\xFF"[rng.below(18) as usize],
                    _ => bytes.insert(at, b'0' + rng.below(10) as u8),
                }
            }
            match verify(pair.net, pair.formulas, pair.formula, &bytes[..]) {
                Ok(_) => assert!(pair.expected, "seed {}", pair.seed),
                Err(refusal) if refusal.is_unreadable() => refused += 1,
                Err(_) => read += 1,
            }
        }
    });
    assert!(read > 100 && refused > 100, "{read} {refused}");
}

/// A lamp goes off and stays off. Its sum of tokens falls, so nothing fires for ever; but the
/// dead marking repeats for ever.
#[test]
fn a_run_that_ends_in_a_dead_marking_stays_in_its_layer() {
    let mut builder = NetBuilder::new("lamp");
    let on = builder.place("on", 1);
    builder.transition("off", &[(on, 1)], &[]);
    let net = builder.build().unwrap();
    let mut formulas = brine_ltl::Formulas::new();
    let mut symbols = brine_ltl::Symbols::of_net(&net);
    let formula = brine_ltl::parse("F on >= 2", &mut formulas, &mut symbols).unwrap();
    let pair = AnsweredPair { net: &net, formulas: &formulas, formula, expected: false, seed: 0 };
    let text = ended(beginning(&pair).0 + "layer falls - 0:1\nany 0 0\n");
    let refusal = verify(&net, &formulas, formula, text.as_bytes()).unwrap_err();
    assert!(refusal.to_string().contains("dead marking"), "{refusal}");
    let rising = ended(beginning(&pair).0 + "layer falls -\nany 0 0\n");
    let refusal = verify(&net, &formulas, formula, rising.as_bytes()).unwrap_err();
    assert!(refusal.to_string().contains("transition 0 can fire"), "{refusal}");
}

/// A token moves from the first place to the second one; each claim that it never does is wrong in
/// one step.
#[test]
fn wrong_facts_and_weights_prove_nothing() {
    let mut builder = NetBuilder::new("move");
    let (from, to) = (builder.place("from", 1), builder.place("to", 0));
    builder.transition("move", &[(from, 1)], &[(to, 1)]);
    let net = builder.build().unwrap();
    let mut formulas = brine_ltl::Formulas::new();
    let mut symbols = brine_ltl::Symbols::of_net(&net);
    let formula = brine_ltl::parse("G to <= 0", &mut formulas, &mut symbols).unwrap();
    let fingerprint = System::new(&net).fingerprint();
    let begin = format!("brine-certificate 1\nnet 2 1 {fingerprint:016x}\natom atmost 0 1:1\n");
    let refused = |proof: &str, why: &str| {
        let text = ended(format!("{begin}{proof}root 0\n"));
        let refusal = verify(&net, &formulas, formula, text.as_bytes()).unwrap_err();
        assert!(refusal.to_string().contains(why), "{proof}: {refusal}");
    };
    refused("conflict -0\nfarkas 0:1\n", "do not lead to a contradiction");
    refused("fact flow 1:1\nconflict -0\nfarkas 0:1 / 0:1\n", "raises the sum");
    refused("fact flow 0:1 1:1\nconflict -0\nfarkas 0:1 / 0:1\n", "do not lead to a contradiction");
    refused("fact flow 0:1 1:1\nconflict -0\nfarkas 0:2 / 0:-1\n", "negative");
    refused("fact trap 1\n", "no place of the trap");
    refused("fact trap 0\n", "takes from the trap");
    refused("fact siphon 1\n", "puts into the siphon");
    refused("fact siphon 0\n", "marked at the start");
    refused("fact flow 0:1 1:1\nfact dead 0 0\n", "allows what transition 0 takes");
    refused("fact flow 0:1 1:-1\nfact bound 0 0\n", "negative number");
    refused("", "another formula");
}
