//! What engines rely on: letters of markings, impossible letters, constant words, classes.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod common;

use brine_ltl::{
    Class, ConstantWords, Formula, Formulas, Options, Symbols, Translator, holds_on_lasso,
    is_stutter_invariant, parse, translate,
};
use brine_net::{Net, NetBuilder, Rng};
use common::{random_formula, random_over};

fn net() -> Net {
    let mut b = NetBuilder::new("n");
    let (p, q) = (b.place("p", 1), b.place("q", 0));
    b.transition("take", &[(p, 1)], &[(q, 2)]);
    b.transition("pair", &[(q, 2)], &[(p, 1)]);
    b.transition("both", &[(p, 1), (q, 1)], &[]);
    b.transition("many", &[(q, 3)], &[]);
    b.build().unwrap()
}

/// A random formula whose atoms are about the net.
fn about_the_net(fs: &mut Formulas, r: &mut Rng, symbols: &mut Symbols) -> (Formula, String) {
    let atoms = [
        "p >= 1",
        "p >= 2",
        "q <= 0",
        "p + q <= 2",
        "fireable(take)",
        "fireable(pair)",
        "fireable(both)",
        "fireable(take, both)",
        "fireable(pair, many)",
        "deadlock",
        "q >= 3",
        "p <= q",
    ];
    let leaves: Vec<Formula> =
        (0..3).map(|_| parse(atoms[r.index(atoms.len())], fs, symbols).unwrap()).collect();
    let size = 2 + r.index(6);
    let f = random_over(fs, r, size, &leaves);
    (f, fs.print(f, symbols))
}

/// With knowledge about the net, automata still agree with the evaluator on every lasso
/// of markings (any sequence of markings, not only runs: more than is needed).
#[test]
fn knowledge_about_atoms_is_right() {
    let net = net();
    let mut r = Rng::new(common::seed());
    let mut smaller = 0;
    for _ in 0..common::cases(600) {
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&net));
        let (f, text) = about_the_net(&mut fs, &mut r, &mut symbols);
        let options = Options { net: Some(&net), ..Options::default() };
        let a = translate(&fs, f, &options).unwrap();
        let ba = Translator::new(&fs, f, &options).unwrap().ba().unwrap();
        smaller += usize::from(
            a.num_states() < translate(&fs, f, &Options::default()).unwrap().num_states(),
        );
        for _ in 0..20 {
            let n = 1 + r.index(4);
            let prefix = r.index(n);
            let markings: Vec<[u32; 2]> =
                (0..n).map(|_| [r.index(4) as u32, r.index(5) as u32]).collect();
            let expected = holds_on_lasso(&fs, f, prefix, n - prefix, |atom, i| {
                fs.atom(atom).eval(&net, &markings[i]).unwrap()
            });
            let word: Vec<u64> = markings.iter().map(|m| a.letter(&net, m)).collect();
            let found = a.accepts(&word[..prefix], &word[prefix..]);
            assert_eq!(found, expected, "{text} on {markings:?} from {prefix}");
            assert_eq!(ba.accepts(&word[..prefix], &word[prefix..]), expected, "{text}");
        }
    }
    assert!(smaller > 10, "knowledge made only {smaller} automata smaller");
}

#[test]
fn atoms_of_automata() {
    let net = net();
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&net));
    let options = Options { net: Some(&net), ..Options::default() };
    // One input place: fireability is a comparison, and take is fireable when p >= 1.
    let f = parse("G(fireable(take) -> F p >= 1)", &mut fs, &mut symbols).unwrap();
    let a = translate(&fs, f, &options).unwrap();
    assert_eq!((a.num_states(), a.edges().len()), (1, 1));
    assert!(a.label(a.edges()[0].label).is_true());
    // p >= 2 cannot hold without p >= 1.
    let f = parse("F(p >= 2 & p <= 0)", &mut fs, &mut symbols).unwrap();
    assert_eq!(translate(&fs, f, &options).unwrap().edges().len(), 0);
    let f = parse("F(deadlock & fireable(both))", &mut fs, &mut symbols).unwrap();
    assert_eq!(translate(&fs, f, &options).unwrap().edges().len(), 0);
}

/// The table of constant words against the general word check, all letters and states.
#[test]
fn constant_words() {
    let mut r = Rng::new(common::seed());
    for _ in 0..common::cases(300) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(8);
        let f = random_formula(&mut fs, &mut r, size, 3);
        let a = translate(&fs, f, &Options::default()).unwrap();
        let mut words = ConstantWords::new(&a);
        for letter in 0..1u64 << a.atoms().len() {
            let accepted = words.accepted(letter).to_vec();
            for q in a.states() {
                assert_eq!(accepted[q.index()], a.accepts_from(q, &[], &[letter]));
            }
        }
        assert!(words.classes() <= 1 << a.atoms().len());
    }
}

/// Stutter-invariance against its definition: some word and a stretched copy differ.
#[test]
fn stuttering() {
    let mut r = Rng::new(common::seed());
    let (mut invariant, mut sensitive) = (0, 0);
    for _ in 0..common::cases(600) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(7);
        let f = random_formula(&mut fs, &mut r, size, 2);
        let a = translate(&fs, f, &Options::default()).unwrap();
        let atoms = a.atoms().len();
        let mut differs = false;
        for _ in 0..60 {
            let word = common::Word::random(&mut r, atoms);
            let mut stretch = |letters: &[u64]| -> Vec<u64> {
                letters.iter().flat_map(|&l| vec![l; 1 + r.index(3)]).collect()
            };
            let (prefix, cycle) = (stretch(&word.prefix), stretch(&word.cycle));
            differs |= a.accepts(&word.prefix, &word.cycle) != a.accepts(&prefix, &cycle);
        }
        let claim = is_stutter_invariant(&fs, f, &Options::default()).unwrap();
        let text = fs.print(f, &Symbols::open());
        assert!(!(claim && differs), "{text} is sensitive to stuttering");
        invariant += usize::from(claim);
        sensitive += usize::from(differs && !claim);
    }
    println!("{invariant} invariant, {sensitive} shown to be sensitive");
    assert!(invariant > 50 && sensitive > 50);
}

#[test]
fn classes_mean_what_they_say() {
    let mut r = Rng::new(common::seed());
    let mut seen = [0; 4];
    for _ in 0..common::cases(600) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(6);
        let f = random_formula(&mut fs, &mut r, size, 2);
        let a = translate(&fs, f, &Options::default()).unwrap();
        let class = a.class();
        seen[class as usize] += 1;
        for _ in 0..20 {
            let word = common::Word::random(&mut r, a.atoms().len());
            if class == Class::Terminal && a.accepts(&word.prefix, &word.cycle) {
                // A state that accepts everything is reached, so some extension of a long
                // prefix with anything is accepted.
                let mut long = word.prefix.clone();
                for _ in 0..a.num_states() + 1 {
                    long.extend(&word.cycle);
                }
                let other = common::Word::random(&mut r, a.atoms().len());
                let prefix = [long, other.prefix].concat();
                assert!(a.accepts(&prefix, &other.cycle), "{}", fs.print(f, &Symbols::open()));
            }
        }
    }
    println!("terminal, weak, inherently weak, general: {seen:?}");
    assert!(seen[0] > 20 && seen[1] > 5 && seen[3] > 5);
}
