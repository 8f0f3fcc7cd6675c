//! Formulas as other tools write them: each spelling means the same as the plain one, bounded
//! operators mean what they say, and what is not LTL is told.

#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod common;

use brine_ltl::{Formula, Formulas, Symbols, holds_on_lasso, parse};
use brine_net::Rng;
use brine_net::{Net, NetBuilder};
use common::{cases, seed};

/// The table of docs/ltl.md: a spelling and the plain one.
const SAME: &[(&str, &str)] = &[
    // LTSmin
    ("[] a", "G a"),
    ("<> a", "F a"),
    ("[](p == 1 -> <> q == 2)", "G (p = 1 -> F q = 2)"),
    ("a && b || c", "a & b | c"),
    ("[]<>a", "G F a"),
    ("X[] a", "X G a"),
    ("a U <> b", "a U F b"),
    ("p <> 3", "p != 3"),
    ("<> p <> 3", "F p != 3"),
    ("F <> a", "F F a"),
    ("!<>a", "!F a"),
    // TAPAAL
    ("not a and b or c", "(!a & b) | c"),
    ("not (a or b)", "!(a | b)"),
    ("not G not a", "!G !a"),
    ("G not p <= 1", "G !(p <= 1)"),
    // nuXmv
    ("a V b", "a R b"),
    ("a xnor b", "a <-> b"),
    ("a xnor b | c", "(a <-> b) | c"),
    ("TRUE U a & !FALSE", "F a"),
    ("GFALSE | G F FALSE", "false"),
    // Spot
    ("a ^ b", "a xor b"),
    ("a xor b | c", "(a xor b) | c"),
    ("a | b xor c & d", "a | (b xor (c & d))"),
    ("~a /\\ b \\/ c", "!a & b | c"),
    ("a --> b <--> c", "a -> (b <-> c)"),
    ("a => b <=> c", "a -> (b <-> c)"),
    ("X[3] a", "X X X a"),
    ("X[0] a", "a"),
    ("F[2:5] a", "F[2,5] a"),
    ("F[2..5] a", "F[2,5] a"),
    ("F[2 .. 5] a", "F[2,5] a"),
    ("F[2 ..5] a", "F[2,5] a"),
    ("F[2,5] a", "X X (a | X (a | X (a | X a)))"),
    ("G[2,4]a", "X X (a & X (a & X a))"),
    ("G[0,0](a | b)", "a | b"),
    ("F[3:] a", "X X X F a"),
    ("G[2..] a", "X X G a"),
    ("GF[1,2] a U b", "(G (X (a | X a))) U b"),
    ("[][0,1] a & <>[1,1] b", "(a & X a) & X b"),
    // signs
    ("□ a ∧ ◇ b ∨ ○ c", "G a & F b | X c"),
    ("¬a → b ↔ c ⊕ d", "!a -> (b <-> (c xor d))"),
    ("⬜ p ≤ 1", "G p <= 1"),
    ("p ≥ 1 & q ≠ 2", "p >= 1 & q != 2"),
    ("a ⇒ b ⇔ c", "a -> (b <-> c)"),
    ("◯[2] a & ⋄[0,1] b", "X X a & (b | X b)"),
];

#[test]
fn spellings_of_other_tools() {
    for (theirs, ours) in SAME {
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
        let read = |text: &str, fs: &mut Formulas, symbols: &mut Symbols| {
            parse(text, fs, symbols).unwrap_or_else(|e| panic!("{text}: {e}"))
        };
        let a = read(theirs, &mut fs, &mut symbols);
        let b = read(ours, &mut fs, &mut symbols);
        assert_eq!(a, b, "{theirs} is not {ours} but {}", fs.print(a, &symbols));
    }
}

/// The table of the documentation lists what is tested here, and nothing else.
#[test]
fn the_docs_list_the_spellings() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ltl.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    for sign in "□⬜◻◇⋄♢○◯∧∨¬→⇒⟹↔⇔⟺⊕≤≥≠".chars() {
        assert!(docs.contains(sign), "{sign}");
        let text = match sign {
            '≤' | '≥' | '≠' => format!("p {sign} 1"),
            '□' | '⬜' | '◻' | '◇' | '⋄' | '♢' | '○' | '◯' | '¬' => {
                format!("{sign} a")
            }
            _ => format!("a {sign} b"),
        };
        assert!(parse(&text, &mut Formulas::new(), &mut Symbols::open()).is_ok(), "{text}");
    }
    for word in ["not", "and", "or", "xor", "xnor", "V", "TRUE", "FALSE", "-->", "<-->", "F[i:j]"] {
        assert!(docs.contains(&format!("`{word}`")), "{word}");
    }
}

/// Position by position: what bounded operators mean, without writing them out.
fn bounded(inner: &[bool], prefix: usize, op: char, from: usize, to: usize, at: usize) -> bool {
    let n = inner.len();
    let value =
        |i: usize| if i < n { inner[i] } else { inner[prefix + (i - prefix) % (n - prefix)] };
    match op {
        'F' => (at + from..=at + to).any(value),
        'G' => (at + from..=at + to).all(value),
        _ => value(at + from),
    }
}

#[test]
fn bounded_operators_on_random_words() {
    let mut r = Rng::new(seed());
    for case in 0..cases(3_000) {
        let (prefix, cycle) = (r.index(5), 1 + r.index(5));
        let letters: Vec<[bool; 2]> =
            (0..prefix + cycle).map(|_| [r.index(3) == 0, r.index(2) == 0]).collect();
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
        let inner_text = ["a", "(a | b)", "(a & b)", "(a U b)", "!X a", "G (a | b)"][r.index(6)];
        let (op, from) = (['F', 'G', 'X'][r.index(3)], r.index(5));
        let to = from + r.index(7);
        let text = match op {
            'X' => format!("X[{from}] {inner_text}"),
            _ => format!("{op}[{from},{to}] {inner_text}"),
        };
        let inner = parse(inner_text, &mut fs, &mut symbols).unwrap();
        let f = parse(&text, &mut fs, &mut symbols).unwrap();
        // Each suffix of the word is a word: its positions, then the cycle once more.
        let holds = |f: Formula, at: usize| {
            let word: Vec<[bool; 2]> =
                letters[at..].iter().chain(&letters[prefix..]).copied().collect();
            let before = word.len() - cycle;
            holds_on_lasso(&fs, f, before, cycle, |atom, i| {
                word[i][usize::from(fs.atom(atom).print(&symbols) == "b")]
            })
        };
        let values: Vec<bool> = (0..letters.len()).map(|i| holds(inner, i)).collect();
        for at in 0..letters.len() {
            let expected = bounded(&values, prefix, op, from, to, at);
            assert_eq!(holds(f, at), expected, "case {case}: {text} at {at} of {letters:?}");
        }
    }
}

#[test]
fn bounds_have_limits() {
    let error = |text: &str| {
        let e = parse(text, &mut Formulas::new(), &mut Symbols::open()).unwrap_err();
        (e.column, e.message)
    };
    assert_eq!(error("G F[5,2] a"), (5, "no step is from 5 to 2".into()));
    for text in ["X[10002] a", "F[0,5001] a", "G[20000,] a", "X[4294967295] X a"] {
        let (column, message) = error(text);
        assert!(column == 1 && message.contains("at most 10000 operators"), "{text}: {message}");
    }
    // What is copied counts, and all of a formula counts together.
    let wide: Vec<String> = (0..100).map(|i| format!("a{i}")).collect();
    assert!(error(&format!("F[0,200]({})", wide.join("|"))).1.contains("at most 10000"));
    assert!(error(&"G F[0,3] ".repeat(10_000)).1.contains("missing here"));
    assert!(error(&("G F[0,3] ".repeat(10_000) + "a")).1.contains("at most 10000"));
    for text in ["X[ ] a", "X[a] a", "X[1,2] a", "X[!] a", "X[1 a", "X[99999999999] a"] {
        assert!(
            error(text).1.contains("as in X[3]") || error(text).0 == 2,
            "{text}: {:?}",
            error(text)
        );
    }
    for text in ["F[3] a", "F[,2] a", "F[1,2,3] a", "G[1;2] a", "F[1.2] a", "F[1", "G[-1,2] a"] {
        let (column, message) = error(text);
        assert!(column > 1 && !message.is_empty(), "{text}: {message}");
    }
}

fn net() -> Net {
    let mut b = NetBuilder::new("odd names");
    let names =
        ["P-CS_21", "P", "CS_21", "a:b", "c/d", "e[0]", "and", "not", "E", "x,y", "G1", "p", "€"];
    let places: Vec<_> = names.iter().map(|name| b.place(name, 1)).collect();
    let spaced = b.named_place("id7", "Fork 1", 1);
    b.transition("t-1", &[(places[0], 1)], &[(spaced, 1)]);
    b.transition("t", &[(places[1], 1)], &[]);
    b.transition("take", &[(places[1], 1)], &[]);
    b.build().unwrap()
}

fn error(source: &str) -> (usize, String) {
    let mut symbols = Symbols::of_net(&net());
    let result = parse(source, &mut Formulas::new(), &mut symbols);
    let e = result.map(|_| panic!("{source} is accepted")).unwrap_err();
    (e.column, e.message)
}

fn same(a: &str, b: &str) {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&net()));
    let left = parse(a, &mut fs, &mut symbols).unwrap_or_else(|e| panic!("{a}: {e}"));
    assert_eq!(left, parse(b, &mut fs, &mut symbols).unwrap(), "{a}");
}

#[test]
fn names_that_need_quotes() {
    for (formula, column, name) in [
        ("G P-CS_21 <= 1", 3, "P-CS_21"),
        ("GP-CS_21 <= 1", 2, "P-CS_21"),
        ("F (p + a:b >= 1)", 8, "a:b"),
        ("c/d = 1", 1, "c/d"),
        ("G e[0]<=1", 3, "e[0]"),
        ("p + x,y <= 2", 5, "x,y"),
        ("€ = 1", 1, "€"),
    ] {
        let (at, message) = error(formula);
        let start = format!("there is a place called \"{name}\": put it in double quotes");
        assert!(message.starts_with(&start), "{formula}: {message}");
        assert_eq!(at, column, "{formula}");
        same(
            &formula.replace(name, &format!("\"{name}\"")).replace("G\"", "G \""),
            &formula.replace(name, &format!(" \"{name}\"")),
        );
    }
    // Both places exist: with spaces it is their difference, and nobody has to guess.
    same("G P - CS_21 <= 1", "G (P <= CS_21 + 1)");
    same("G p-P <= 1", "G (p - P <= 1)");
    let (column, message) = error("fireable(t-1)");
    assert!(column == 10 && message.contains("transition called \"t-1\""), "{message}");
    same("fireable(\"t-1\", t)", "fireable(t, \"t-1\")");
    // Only where it may stand: there is no place t-1, and no transition P-CS_21.
    assert!(error("t-1 <= 2").1.contains("\"t\" is a transition"));
    assert!(error("G Fork 1 >= 1").1.contains("\"Fork 1\" is a place: put it in double quotes"));
    assert_eq!(error("p ? 1").1, "unknown operator '?' (names with it need double quotes)");
}

#[test]
fn places_and_transitions_are_told_apart() {
    let (column, message) = error("F fireable(p)");
    assert_eq!(column, 12);
    assert_eq!(message, "\"p\" is a place; fireable takes transitions: write \"p\" >= 1");
    let (column, message) = error("G p + take <= 1");
    assert_eq!(column, 7);
    assert_eq!(message, "\"take\" is a transition, no number of tokens: write fireable(\"take\")");
    assert!(error("G tkae <= 1").1.contains("did you mean fireable(\"take\")?"));
    assert!(error("fireable(CS21)").1.contains("did you mean the place \"CS_21\"?"));
}

#[test]
fn ctl_and_the_past_are_told() {
    for (formula, hint) in [
        ("AG p <= 1", "write G f for AG f"),
        ("AG(p <= 1)", "write G f for AG f"),
        ("AF deadlock", "write F f for AF f"),
        ("AX (p = 1)", "write X f for AX f"),
        ("EF p = 2", "EF f holds if G !f is violated"),
        ("EG p = 2", "EG f holds if F !f is violated"),
        ("EXp = 2", "EX f holds if X !f is violated"),
        ("A G p = 1", "leave out the A"),
        ("A[p = 1 U p = 2]", "leave out the A"),
        ("A (p = 1 U p = 2)", "leave out the A"),
        ("A <> p = 2", "leave out the A"),
        ("A [] p = 2", "leave out the A"),
        ("AGEF p = 1", "write G f for AG f"),
        ("AGdeadlock", "write G f for AG f"),
        ("p = 1 -> AG p = 1", "write G f for AG f"),
    ] {
        let message = error(formula).1;
        assert!(message.contains("is CTL") && message.contains(hint), "{formula}: {message}");
    }
    for formula in
        ["Y p = 1", "H (p = 1)", "O p = 1", "G (p = 1 S P = 1)", "p = 1 T P = 1", "Z p=1"]
    {
        assert!(error(formula).1.contains("about the past"), "{formula}: {:?}", error(formula));
    }
    // E is a place here: its name wins, and then it is compared with nothing.
    same("E >= 1", "\"E\" >= 1");
    assert!(!error("E").1.contains("CTL"));
    // Without a net, all letters may be propositions.
    for formula in ["A & E | Y", "AG -> S", "G A", "X O U H", "(A) | EF"] {
        assert!(parse(formula, &mut Formulas::new(), &mut Symbols::open()).is_ok(), "{formula}");
    }
    for formula in ["AG a", "A G a", "E[a U b]", "EF(a)"] {
        let e = parse(formula, &mut Formulas::new(), &mut Symbols::open()).unwrap_err();
        assert!(e.message.contains("is CTL"), "{formula}: {e}");
    }
}

/// Words are operators where an operator must stand, and names where a name must stand.
#[test]
fn places_called_like_words() {
    same("and >= 1 and not >= 1", "\"and\" >= 1 & \"not\" >= 1");
    same("not not + and >= 1", "!(\"not\" + \"and\" >= 1)");
    same("not (and = 1)", "!(\"and\" = 1)");
    same("not <> 1", "\"not\" != 1");
    same("G not p = 1", "G !(p = 1)");
    same("G1 >= 1", "\"G1\" >= 1");
    assert!(error("or p = 1").1.contains("or needs a formula on its left"));
    assert!(error("p = 1 or").1.contains("a formula is missing here"));
}

/// Names like the new words are printed so that they read back.
#[test]
fn printed_names_read_back() {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    for name in
        ["not", "and", "or", "xor", "xnor", "TRUE", "FALSE", "A", "AG", "Y", "S", "a[1]", "<>"]
    {
        let (a, b) = (fs.prop(name), fs.prop("b"));
        let parts = [fs.u(a, b), fs.x(a), fs.not(a), fs.and([a, b])];
        for f in parts {
            let text = fs.print(f, &symbols);
            assert_eq!(parse(&text, &mut fs, &mut symbols).unwrap(), f, "{text}");
        }
        let text = format!("\"{name}\" <> 3");
        let f = parse(&text, &mut fs, &mut symbols).unwrap();
        let text = fs.print(f, &symbols);
        assert_eq!(parse(&text, &mut fs, &mut symbols).unwrap(), f, "{text}");
    }
}

/// Random texts of the new words: an error with a place, or a formula that reads back.
#[test]
fn random_texts_are_read_or_refused_in_good_order() {
    let words = [
        "a",
        "p",
        "not",
        "and",
        "or",
        "[]",
        "<>",
        "X",
        "F[1,2]",
        "G[0:1]",
        "X[2]",
        "[",
        "]",
        ":",
        ",",
        "(",
        ")",
        "U",
        "V",
        "==",
        "≤",
        "1",
        "2",
        "-",
        "+",
        "¬",
        "∧",
        "◇",
        "A",
        "AG",
        "E",
        "Y",
        "S",
        "P-CS_21",
        "fireable(",
        "t",
        "?",
        "\"p\"",
        "..",
        "xnor",
        "->",
        "TRUE",
        "Fork 1",
        "é",
    ];
    let mut r = Rng::new(seed());
    let mut accepted = 0;
    for case in 0..cases(60_000) {
        let mut text = String::new();
        for _ in 0..1 + r.index(7) {
            text += words[r.index(words.len())];
            text += [" ", ""][r.index(2)];
        }
        let mut symbols = if case % 2 == 0 { Symbols::open() } else { Symbols::of_net(&net()) };
        let mut fs = Formulas::new();
        match parse(&text, &mut fs, &mut symbols) {
            Err(e) => {
                assert!(!e.message.is_empty() && e.line == 1, "{text}");
                assert!((1..=text.chars().count() + 1).contains(&e.column), "{text}: {e}");
            }
            Ok(f) => {
                accepted += 1;
                let again = fs.print(f, &symbols);
                assert_eq!(parse(&again, &mut fs, &mut symbols), Ok(f), "{text} as {again}");
            }
        }
    }
    println!("{accepted} accepted");
    assert!(accepted > 200);
}
