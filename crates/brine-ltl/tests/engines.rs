//! What engines rely on: letters of markings, impossible letters, constant words, classes.
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod common;

use brine_ltl::{
    Automaton, Class, ConstantWords, Formula, Formulas, Options, Reading, Symbols, Translations,
    Translator, holds_on_lasso, is_stutter_invariant, parse, translate,
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
    let mut seen = [0; 3];
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
    println!("terminal, weak, general: {seen:?}");
    assert!(seen[0] > 20 && seen[1] > 5 && seen[2] > 5);
}

/// Is there an accepting run of the product of the automaton and a system that is one lasso?
/// Written for any reading, with nothing but its definition and mutual reachability.
fn product_accepts(a: &Automaton, word: &common::Word, reading: Reading) -> bool {
    let letters = [word.prefix.clone(), word.cycle.clone()].concat();
    let (n, states) = (letters.len(), a.num_states());
    let next = |i: usize| if i + 1 < n { i + 1 } else { word.prefix.len() };
    let steps = |node: usize| {
        let (i, q) = (node / states, brine_ltl::StateId((node % states) as u32));
        let letter = reading.read(letters[i], letters[next(i)]);
        let edges = a.edges_of(q).iter().filter(move |e| a.label(e.label).accepts(letter));
        edges.map(move |e| (next(i) * states + e.dst.index(), e.marks))
    };
    // What is reachable by at least one step.
    let reachable = |from: usize| {
        let (mut seen, mut todo) = (vec![false; n * states], vec![from]);
        while let Some(node) = todo.pop() {
            for (to, _) in steps(node) {
                if !std::mem::replace(&mut seen[to], true) {
                    todo.push(to);
                }
            }
        }
        seen
    };
    let reach: Vec<Vec<bool>> = (0..n * states).map(reachable).collect();
    reading.start(a, letters[0]).into_iter().any(|q| {
        let start = q.index();
        let met = (0..n * states).filter(|&v| v == start || reach[start][v]);
        met.filter(|&v| reach[v][v]).any(|v| {
            let around = (0..n * states).filter(|&w| reach[v][w] && reach[w][v]);
            let inside = around.flat_map(steps).filter(|&(w, _)| reach[w][v] && reach[v][w]);
            inside.fold(0, |all, (_, marks)| all | marks) == a.all_marks()
        })
    })
}

/// Whichever end of a step a product reads: it accepts the runs that satisfy the formula.
#[test]
fn both_readings_mean_the_same() {
    let mut r = Rng::new(common::seed());
    let (mut yes, mut no) = (0, 0);
    for _ in 0..common::cases(200) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(6);
        let f = random_formula(&mut fs, &mut r, size, 2);
        let a = translate(&fs, f, &Options::default()).unwrap();
        for _ in 0..10 {
            let word = common::Word::random(&mut r, a.atoms().len());
            let expected = common::satisfies(&fs, f, &a, &word);
            for reading in [Reading::Source, Reading::Target] {
                let text = fs.print(f, &Symbols::open());
                let found = product_accepts(&a, &word, reading);
                assert_eq!(found, expected, "{text} on {word:?}, {reading:?}");
            }
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 200 && no > 200, "{yes} {no}");
}

/// What is kept is what would be made, for formulas over other atoms as well.
#[test]
fn kept_translations_are_those_that_would_be_made() {
    let mut r = Rng::new(common::seed());
    let kept = Translations::default();
    for _ in 0..common::cases(200) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(5);
        let f = random_formula(&mut fs, &mut r, size, 2);
        let mut other = Formulas::new();
        let leaves = ["c", "d"].map(|name| other.prop(name));
        let atoms = fs.atoms_of(f);
        let g = fs.substitute(f, &mut other, |_, a| leaves[a.index() % 2]);
        assert!(atoms.len() <= 2);
        for (fs, f) in [(&fs, f), (&other, g), (&fs, f)] {
            let options = Options { kept: Some(&kept), ..Options::default() };
            let mut translator = Translator::new(fs, f, &options).unwrap();
            let mut fresh = Translator::new(fs, f, &Options::default()).unwrap();
            assert_eq!(translator.tgba().unwrap(), fresh.tgba().unwrap());
            assert_eq!(
                translator.is_stutter_invariant().unwrap(),
                fresh.is_stutter_invariant().unwrap()
            );
        }
    }
    let counts = kept.counts();
    assert_eq!(counts.made + counts.reused, 3 * common::cases(200) as u64);
    assert!(counts.made <= common::cases(200) as u64, "{counts:?}");
}

/// Limits and letters that cannot occur are part of what is kept; what was stopped is not kept.
#[test]
fn what_differs_is_not_reused() {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    let f = parse("G(a -> F b)", &mut fs, &mut symbols).unwrap();
    let atoms: Vec<_> = fs.atoms_of(f).iter().map(|&a| fs.atom(a).clone()).collect();
    let excluded = [vec![(atoms[0].clone(), true)]];
    let kept = Translations::default();
    let base = Options { kept: Some(&kept), ..Options::default() };
    let stopped = Options { cancel: &|| true, ..base };
    assert!(translate(&fs, f, &stopped).is_err());
    let few = Options { max_states: 0, ..base };
    assert!(translate(&fs, f, &few).is_err());
    assert_eq!(translate(&fs, f, &base).unwrap().num_states(), 2);
    let never = Options { excluded: &excluded, ..base };
    assert_eq!(translate(&fs, f, &never).unwrap().num_states(), 1);
    assert_eq!((kept.counts().made, kept.counts().reused), (4, 0));
    assert!(translate(&fs, f, &few).is_err());
    assert_eq!((kept.counts().made, kept.counts().reused), (4, 1));
}
