//! Automata against the lasso evaluator, and against the automata of negations.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod common;

use brine_ltl::{Automaton, Formula, Formulas, Options, Symbols, Translator, parse, translate};
use brine_net::Rng;
use common::{Word, all_words, intersects, random_formula, random_walk, satisfies};

/// Everything that can be wrong with the automata of `f` and its negation.
fn check(fs: &mut Formulas, f: Formula, r: &mut Rng, text: &str) {
    let negated = fs.not(f);
    let options = Options::default();
    let mut translator = Translator::new(fs, f, &options).unwrap();
    let yes = translator.tgba().unwrap();
    let ba = translator.ba().unwrap();
    assert!(ba.is_state_based() && ba.num_marks() == 1, "{text}: not state-based");
    let again = yes.degeneralised();
    let no = translate(fs, negated, &options).unwrap();
    assert!(!intersects(&yes, &no), "{text}: automaton and negation share a word");
    assert!(!intersects(&ba, &no), "{text}: state-based automaton and negation share a word");
    let atoms = yes.atoms().len();
    let mut words: Vec<Word> = (0..12).map(|_| Word::random(r, atoms)).collect();
    words.extend((0..6).filter_map(|_| random_walk(&yes, r)));
    words.extend((0..6).filter_map(|_| random_walk(&no, r)));
    words.extend(all_words(1, atoms));
    if atoms <= 3 {
        words.extend(all_words(2, atoms));
    }
    if atoms <= 2 {
        words.extend(all_words(3, atoms));
    }
    for word in &words {
        let expected = satisfies(fs, f, &yes, word);
        assert_eq!(accepts(&yes, word), expected, "{text} on {word:?}");
        assert_eq!(accepts(&ba, word), expected, "state-based {text} on {word:?}");
        assert_eq!(accepts(&again, word), expected, "degeneralised {text} on {word:?}");
        assert_eq!(accepts(&no, word), !expected, "!({text}) on {word:?}");
    }
}

fn accepts(a: &Automaton, word: &Word) -> bool {
    a.accepts(&word.prefix, &word.cycle)
}

#[test]
fn random_formulas() {
    let mut r = Rng::new(common::seed());
    for case in 0..common::cases(4_000) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(9);
        let atoms = 1 + r.index(3);
        let f = random_formula(&mut fs, &mut r, size, atoms);
        let text = format!("case {case}: {}", fs.print(f, &Symbols::open()));
        check(&mut fs, f, &mut r, &text);
    }
}

#[test]
fn reference_formulas() {
    let mut r = Rng::new(common::seed());
    for file in ["ltl/mcc-formulas.csv", "ltl/random-formulas.csv"] {
        let Some(path) = common::shared(file) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines().skip(1) {
            let source = line.split(',').next().unwrap();
            let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
            let f = parse(source, &mut fs, &mut symbols).unwrap();
            check(&mut fs, f, &mut r, source);
        }
    }
}

/// Verdicts on every reference formula, and total sizes within the bounds of the issue.
#[test]
fn reference_verdicts_and_sizes() {
    for (file, bound) in [("ltl/mcc-formulas.csv", 1.05), ("ltl/random-formulas.csv", 1.10)] {
        let Some(path) = common::shared(file) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        let (mut tgba, mut ba) = ([0, 0], [0, 0]);
        for line in text.lines().skip(1) {
            let columns: Vec<&str> = line.split(',').collect();
            let number = |i: usize| columns[i].parse::<usize>().unwrap();
            let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
            let f = parse(columns[0], &mut fs, &mut symbols).unwrap();
            let options = Options::default();
            let mut translator = Translator::new(&fs, f, &options).unwrap();
            let language = translator.language().unwrap();
            let verdicts = [
                translator.is_stutter_invariant().unwrap(),
                language.safety,
                language.guarantee,
                language.obligation,
            ];
            assert_eq!(verdicts.map(usize::from), [5, 6, 7, 8].map(number), "{}", columns[0]);
            tgba[0] += translator.tgba().unwrap().num_states();
            tgba[1] += number(1);
            ba[0] += translator.ba().unwrap().num_states();
            ba[1] += number(3);
        }
        println!("{file}: TGBA states {tgba:?}, BA states {ba:?}");
        for [ours, theirs] in [tgba, ba] {
            assert!(ours as f64 <= bound * theirs as f64, "{file}: {ours} states");
        }
    }
}
