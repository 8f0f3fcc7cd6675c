//! Reading formulas: the text syntax, bad input.

#![allow(clippy::unwrap_used)] // helpers of tests may panic
use brine_ltl::{Formula, Formulas, Symbols, parse};
use brine_net::{Net, NetBuilder};
use std::path::PathBuf;

fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

fn read(source: &str) -> (Formulas, Symbols, Formula) {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    let f = parse(source, &mut fs, &mut symbols).unwrap();
    (fs, symbols, f)
}

fn printed(source: &str) -> String {
    let (fs, symbols, f) = read(source);
    fs.print(f, &symbols)
}

fn philosophers() -> Net {
    let mut b = NetBuilder::new("forks");
    let fork = b.named_place("f1", "Fork 1", 1);
    let hand = b.place("hand", 0);
    let other = b.place("Fork", 0);
    b.transition("take", &[(fork, 1)], &[(hand, 1)]);
    b.transition("drop", &[(hand, 1)], &[(fork, 1), (other, 1)]);
    b.build().unwrap()
}

fn error(source: &str) -> (usize, String) {
    let mut symbols = Symbols::of_net(&philosophers());
    let e = parse(source, &mut Formulas::new(), &mut symbols).unwrap_err();
    (e.column, e.message)
}

#[test]
fn strengths_and_grouping() {
    assert_eq!(printed("a -> b -> c"), "a -> (b -> c)");
    assert_eq!(printed("(a -> b) -> c"), "(a -> b) -> c");
    assert_eq!(printed("a U b U c & d | e xor g"), "e xor g | a U (b U c) & d");
    assert_eq!(printed("!a U X b & c"), "!a U X b & c");
    assert_eq!(printed("!(a U b)"), "!(a U b)");
    assert_eq!(printed("GFa"), "G F a");
    assert_eq!(printed("FGFG(a <-> b)"), "F G F G (a <-> b)");
    assert_eq!(printed("1 U Gb"), "F G b");
    assert_eq!(printed("X(0)"), "false");
    assert_eq!(printed("a && b || c => d <=> e"), "c | a & b -> (d <-> e)");
    assert_eq!(printed("\"F1\" & \"a b\""), "\"F1\" & \"a b\"");
    assert_eq!(printed("X1 & a"), "\"X1\" & a");
}

#[test]
fn linear_atoms() {
    assert_eq!(printed("2*(p + q) - 4 >= 2*r"), "p + q > r + 1");
    assert_eq!(printed("(p) + q <= 3"), "p + q <= 3");
    assert_eq!(printed("((p >= 1) & (q + 1 > r))"), "p > 0 & q + 1 > r");
    assert_eq!(printed("p = 2"), "p = 2");
    assert_eq!(printed("!(p - q = 2)"), "!p = q + 2");
    assert_eq!(printed("G p <> 2 U p <= 2 & p > 0"), "G p != 2 U p <= 2 & p > 0");
    assert_eq!(printed("p <= 2 & q > 1"), "p <= 2 & q > 1");
    assert_eq!(printed("-p <= -1"), "p > 0");
    assert_eq!(printed("p >= 0"), "true");
    assert_eq!(printed("3 <= 2"), "false");
    assert_eq!(printed("F p - q <= 1"), "F p <= q + 1");
    assert_eq!(printed("fireable(t1, \"t 2\") & deadlock"), "fireable(t1, \"t 2\") & deadlock");
}

#[test]
fn names_of_a_net() {
    let mut symbols = Symbols::of_net(&philosophers());
    let mut fs = Formulas::new();
    let f = parse("G(\"Fork 1\" + hand <= 1) & Fork >= 1", &mut fs, &mut symbols).unwrap();
    assert_eq!(fs.print(f, &symbols), "G f1 + hand <= 1 & \"Fork\" > 0");
    let g = parse("FGhand = 0 | Gfireable(take)", &mut fs, &mut symbols).unwrap();
    assert_eq!(fs.print(g, &symbols), "F G hand <= 0 | G fireable(take)");
}

/// A place may be called like an operator: where only a name can stand, it is one.
#[test]
fn places_called_like_operators() {
    let mut b = brine_net::NetBuilder::new("letters");
    let places = [b.place("G", 1), b.place("F", 0), b.place("p", 0)];
    b.transition("t", &[(places[0], 1)], &[(places[1], 1)]);
    let net = b.build().unwrap();
    let same = |short: &str, long: &str| {
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&net));
        let short = parse(short, &mut fs, &mut symbols).unwrap();
        assert_eq!(short, parse(long, &mut fs, &mut symbols).unwrap(), "{long}");
    };
    same("G >= 1", "\"G\" >= 1");
    same("G G + F >= 1", "G(\"G\" + \"F\" >= 1)");
    same("GF = 1", "G(\"F\" = 1)");
    same("G -1 <= p", "G(-1 <= p)");
}

#[test]
fn mistakes_are_located() {
    assert_eq!(error("G(hand >= 1"), (2, "this parenthesis is never closed".into()));
    assert_eq!(error("hand >= 1)"), (10, "this parenthesis was never opened".into()));
    assert_eq!(error(""), (1, "the formula is empty".into()));
    assert_eq!(error("hand >= 1 &"), (12, "a formula is missing here".into()));
    assert_eq!(error("()").0, 2);
    assert_eq!(
        error("hand >= 1 hand"),
        (11, "expected an operator (& | -> <-> xor U R W M), found \"hand\"".into())
    );
    let (column, message) = error("G hnad >= 1");
    assert_eq!((column, message.as_str()), (3, "unknown place \"hnad\" (did you mean \"hand\"?)"));
    let (column, message) = error("F fireable(tkae)");
    assert_eq!(column, 12);
    assert!(message.contains("did you mean \"take\""), "{message}");
    assert!(error("take").1.contains("fireable(\"take\")"));
    assert!(error("hand").1.contains("\"hand\" >= 1"));
    assert!(error("P(hand >= 1)").1.contains("unknown operator \"P\""));
    assert!(error("hand * hand >= 1").1.contains("linear"));
    assert!(error("hand >= 99999999999999999999").1.contains("too large"));
    assert!(error("hand + >= 1").1.contains("a number or a place is missing"));
    assert!(error("hand >= 1 & ? ").1.contains("unknown operator '?'"));
    assert!(error("U hand >= 1").1.contains("missing") || error("U hand >= 1").0 == 1);
    assert!(error("fireable()").1.contains("transition is missing"));
    assert!(error("2").1.contains("expected a comparison"));
    assert!(error("(hand + 1").1.contains("never closed"));
}

/// 100,000 levels of every operator: read, printed, read again, dropped.
#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let n = 100_000;
    for op in ["X ", "!", "!X ", "a U (", "(b | ", "(a & X(", "(", "-", "(p + (", "F(a & X "] {
        let opened = op.matches('(').count();
        let core = match op {
            "-" => "p <= 3",
            "(p + (" => "p",
            _ => "c",
        };
        let mut source = op.repeat(n) + core + &")".repeat(n * opened);
        if op == "(p + (" {
            source += " <= 3";
        }
        let (mut fs, mut symbols, f) = read(&source);
        let text = fs.print(f, &symbols);
        assert_eq!(parse(&text, &mut fs, &mut symbols).unwrap(), f);
    }
    let (_, message) = error(&"(".repeat(n));
    assert!(message.contains("never closed"));
}

#[test]
fn reference_formulas_read_back() {
    for file in ["ltl/mcc-formulas.csv", "ltl/random-formulas.csv"] {
        let Some(path) = shared(file) else { return };
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
        let text = std::fs::read_to_string(path).unwrap();
        let mut rows = 0;
        for line in text.lines().skip(1) {
            let source = line.split(',').next().unwrap();
            let f = parse(source, &mut fs, &mut symbols).unwrap();
            let again = fs.print(f, &symbols);
            assert_eq!(parse(&again, &mut fs, &mut symbols).unwrap(), f, "{source} as {again}");
            rows += 1;
        }
        assert!(rows >= 1000);
    }
}
