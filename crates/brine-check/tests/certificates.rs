//! Certificates of random properties: what holds gets one that the checker accepts, and one that
//! was damaged is refused, or proves what the oracle says holds.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{CertifyOptions, NoCertificate, Property, certify_with};
use brine_net::{Rng, Structure};
use brine_oracle::random_pairs;
use brine_run::Control;
use brine_verify::verify;
use flate2::read::GzDecoder;
use std::io::Read;

/// The text of a packed certificate.
fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn what_holds_is_certified_and_what_does_not_is_not() {
    let (mut held, mut anywhere, mut facts, mut diagrams) = (0, 0, 0, 0);
    let pairs = random_pairs(3_000, |pair, rng| {
        let property = Property { net: pair.net, formulas: pair.formulas, formula: pair.formula };
        let structure = Structure::new(pair.net);
        let options = options(rng);
        match certify_with(property, &structure, options, &Control::default()) {
            Ok(certificate) => {
                assert!(pair.expected, "seed {}: a certificate of what is violated", pair.seed);
                diagrams += u64::from(unpacked(&certificate.bytes).contains("\nset "));
                held += 1;
                anywhere += u64::from(certificate.verified.markings <= 1);
                facts += u64::from(certificate.verified.facts > 0);
                let file = &certificate.bytes[..];
                let verified = verify(pair.net, pair.formulas, pair.formula, file).unwrap();
                assert_eq!(verified, certificate.verified);
            }
            Err(NoCertificate::Violated) => assert!(!pair.expected, "seed {}", pair.seed),
            Err(error) => panic!("seed {}, {options:?}: {error}", pair.seed),
        }
    });
    println!(
        "{held} of {pairs} hold, {anywhere} without markings, {facts} with facts, {diagrams} as diagrams"
    );
    assert!(held * 8 > pairs && anywhere > 0 && facts > 0 && diagrams > 0);
}

/// Every way to make a certificate, with and without facts, one by one and as diagrams.
fn options(rng: &mut Rng) -> CertifyOptions {
    CertifyOptions { few_edges: [0, 1_000_000][rng.below(2) as usize], facts: rng.chance(50) }
}

/// Damages one line of a certificate, as somebody who wants to cheat might.
fn damage(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let last = lines.len() - 1;
    let at = 2 + rng.below(last.saturating_sub(2).max(1) as u32) as usize;
    let at = at.min(last - 1);
    match rng.below(6) {
        0 => drop(lines.remove(at)),
        1 => {
            let copy = lines[at].clone();
            lines.insert(at, copy);
        }
        2 => {
            let other = 2 + rng.below((last - 2).max(1) as u32) as usize;
            lines.swap(at, other.min(last - 1));
        }
        3 => {
            // A word less.
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            let w = rng.below(words.len() as u32) as usize;
            words.remove(w);
            lines[at] = words.join(" ");
        }
        _ => {
            // Another number.
            let digits: Vec<usize> =
                lines[at].char_indices().filter(|c| c.1.is_ascii_digit()).map(|c| c.0).collect();
            if let Some(&i) = digits.get(rng.below(digits.len().max(1) as u32) as usize) {
                let digit = rng.below(10).to_string();
                lines[at].replace_range(i..=i, &digit);
            }
        }
    }
    let count = lines.len() - 1;
    *lines.last_mut().unwrap() = format!("end {count}");
    lines.join("\n") + "\n"
}

#[test]
fn damaged_certificates_prove_nothing_wrong() {
    // The last certificates: to be tried on other properties.
    let mut texts: Vec<String> = Vec::new();
    let (mut tried, mut accepted, mut refused, mut unreadable) = (0, 0, 0, 0);
    random_pairs(2_000, |pair, rng| {
        let property = Property { net: pair.net, formulas: pair.formulas, formula: pair.formula };
        let structure = Structure::new(pair.net);
        let made = certify_with(property, &structure, options(rng), &Control::default());
        if let Ok(certificate) = made {
            texts.push(unpacked(&certificate.bytes));
        }
        // Those of the same net, to which only the formula does not belong, are the dangerous ones.
        for text in texts.iter().rev().take(4) {
            for times in 0..3 {
                let damaged = (0..times).fold(text.clone(), |text, _| damage(&text, rng));
                tried += 1;
                match verify(pair.net, pair.formulas, pair.formula, damaged.as_bytes()) {
                    Ok(_) => {
                        assert!(pair.expected, "seed {}: accepted\n{damaged}", pair.seed);
                        accepted += 1;
                    }
                    Err(refusal) if refusal.is_unreadable() => unreadable += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    });
    println!("{tried} tried: {accepted} accepted, {refused} refused, {unreadable} unreadable");
    assert!(accepted > 0 && refused > accepted && unreadable > 0);
}

/// Violated properties with the certificate of the same net's true ones, whose formula is put in
/// place of the right one: only the claim is left to refuse.
#[test]
fn a_claim_about_a_violated_property_is_refused() {
    let mut tried = 0;
    random_pairs(2_000, |pair, rng| {
        if pair.expected {
            return;
        }
        let text = forged(&pair);
        for _ in 0..6 {
            let damaged = damage(&text, rng);
            tried += 1;
            let answer = verify(pair.net, pair.formulas, pair.formula, damaged.as_bytes());
            assert!(answer.is_err(), "seed {}: accepted\n{damaged}", pair.seed);
        }
        assert!(verify(pair.net, pair.formulas, pair.formula, text.as_bytes()).is_err());
    });
    assert!(tried > 1_000);
}

/// What somebody would write who believes that a violated property holds: the right beginning,
/// all reachable markings with some automaton states, and layers of each kind.
fn forged(pair: &brine_oracle::AnsweredPair<'_>) -> String {
    use brine_verify::{Claim, Part, Parts, System};
    let system = System::new(pair.net);
    let mut parts = Parts::default();
    parts.add_atoms_of(pair.formulas, pair.formula).unwrap();
    parts.add_atom(Claim::Deadlock);
    let root = parts.add_negation(pair.formulas, pair.formula).unwrap();
    let mut states = vec![parts.normal(vec![root]).unwrap()];
    let mut at = 0;
    while at < states.len() && states.len() < 200 {
        for cover in parts.covers(&states[at], &[]).unwrap() {
            if !states.contains(&cover.next) {
                states.push(cover.next);
            }
        }
        at += 1;
    }
    let (places, transitions) = (system.initial.len(), system.steps.len());
    let mut text =
        format!("brine-certificate 1\nnet {places} {transitions} {:016x}\n", system.fingerprint());
    parts.atoms().iter().for_each(|a| text += &format!("atom {a}\n"));
    parts.parts().iter().skip(2).for_each(|p| text += &format!("node {p}\n"));
    text += &format!("root {root}\n");
    for state in &states {
        let words: Vec<String> = state.iter().map(u32::to_string).collect();
        text += &format!("state {}\n", words.join(" "));
    }
    let untils = parts.parts().iter().enumerate().filter(|p| matches!(p.1, Part::Until(..)));
    let until = untils.map(|p| p.0).next_back();
    text += &until.map_or("layer transient\n".to_owned(), |u| format!("layer absent {u}\n"));
    let cells: Vec<String> = (0..states.len()).map(|s| format!("{s}/0")).collect();
    for marking in brine_oracle::reachable_markings(pair.net, 1_000).unwrap_or_default() {
        text += "marking";
        for (p, n) in marking.iter().enumerate().filter(|m| *m.1 > 0) {
            text += &format!(" {p}:{n}");
        }
        text += &format!(" @ {}\n", cells.join(" "));
    }
    let lines = text.lines().count();
    text + &format!("end {lines}\n")
}
