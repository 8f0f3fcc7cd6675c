//! HOA: our reader on our output and on others'. (`benches/hoa.rs` gives our output to an
//! independent reader.)
#![allow(clippy::unwrap_used)] // helpers of tests may panic

mod common;

use brine_ltl::{Formulas, Options, Symbols, Translator, parse, read_hoa};
use brine_net::Rng;
use common::random_formula;

#[test]
fn output_is_read_back() {
    let mut r = Rng::new(common::seed());
    for _ in 0..common::cases(400) {
        let mut fs = Formulas::new();
        let size = 1 + r.index(8);
        let f = random_formula(&mut fs, &mut r, size, 3);
        let symbols = Symbols::open();
        let name = fs.print(f, &symbols);
        let options = Options::default();
        let mut translator = Translator::new(&fs, f, &options).unwrap();
        for a in [translator.tgba().unwrap(), translator.ba().unwrap()] {
            let text = a.to_hoa(&name, &symbols);
            let again = read_hoa(&text, &mut Symbols::open()).unwrap();
            assert_eq!(again, a, "{text}");
            assert_eq!(again.to_hoa(&name, &symbols), text);
        }
    }
}

#[test]
fn atoms_survive_the_round_trip() {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    let source = "G(2*p + q <= r + 3 -> F fireable(t1, \"t 2\")) & G F deadlock & X \"a \\\"b\"";
    let f = parse(source, &mut fs, &mut symbols).unwrap();
    let a = brine_ltl::translate(&fs, f, &Options::default()).unwrap();
    let text = a.to_hoa(source, &symbols);
    assert_eq!(read_hoa(&text, &mut symbols).unwrap(), a, "{text}");
}

/// Forms that we do not write ourselves.
#[test]
fn other_peoples_files() {
    let mut symbols = Symbols::open();
    let text = r#"HOA: v1 /* a comment */ tool: "x" "y" name: "GFa, twice started"
        States: 2 Start: 0 Start: 1 acc-name: Buchi
        AP: 2 "a" "p >= 2" Alias: @x 0 Alias: @y !(@x | 1)
        Acceptance: 3 (Inf(0) & Inf(2)) properties: state-labels
        --BODY--
        State: [@x] 0 "named" {0 2} 0 1
        State: [@y | !0&1] 1 {2} 0 1 {0}
        --END--"#;
    let a = read_hoa(text, &mut symbols).unwrap();
    assert_eq!((a.num_states(), a.num_marks(), a.edges().len()), (3, 2, 8));
    // Atom 1 is p <= 1 after normalisation, and nothing depends on it.
    assert!(a.accepts(&[], &[1]));
    assert!(a.accepts(&[], &[0]));
    assert!(a.accepts(&[2], &[0, 3]));
}

#[test]
fn bad_files_are_refused_with_a_place() {
    let head = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\n";
    let fail = |text: &str| {
        let e = read_hoa(text, &mut Symbols::open()).unwrap_err();
        (e.line, e.message)
    };
    let with = |rest: &str| fail(&format!("{head}{rest}"));
    assert_eq!(fail("").0, 1);
    assert!(fail("HOA: v2 --BODY-- --END--").1.contains("version"));
    assert_eq!(with("Acceptance: 1 Fin(0)\n--BODY-- --END--").0, 5);
    assert!(with("Acceptance: 2 Inf(0)|Inf(1)\n--BODY-- --END--").1.contains("generalised"));
    assert!(with("Acceptance: 1 Inf(1)\n--BODY-- --END--").1.contains("does not exist"));
    assert!(with("--BODY--\n--END--").1.contains("Acceptance"));
    let body =
        |edges: &str| with(&format!("Acceptance: 0 t\n--BODY--\nState: 0\n{edges}\n--END--"));
    assert_eq!(body("[0] 0&0").0, 8);
    assert!(body("[0] 0&0").1.contains("universal branching is not supported: convert"));
    assert!(body("0").1.contains("implicit"));
    assert!(body("[1] 0").1.contains("atomic proposition 1"));
    assert!(body("[0 0").1.contains("expected ']'"));
    assert!(body("[(0] 0").1.contains("never closed"));
    assert!(body("[0] 7").1.contains("States: 1"));
    assert!(body("[0] 0 {0}").1.contains("does not exist"));
    assert!(body("[0] 0 $").1.contains("not part of HOA"));
    assert!(body("[0] 0\nState: 0\n[0] 0").1.contains("state 0 is described twice"));
    for condition in ["1 Inf(0) Inf(0)", "1 (Inf(0)", "1 Inf(0))", "1 &Inf(0)", "1 Inf(0)&", "0 f"]
    {
        let (line, message) = with(&format!("Acceptance: {condition}\n--BODY--\n--END--"));
        assert!(message.contains("conjunction of Inf(i)"), "{condition}: {message}");
        assert!(line >= 5, "{condition}");
    }
    for header in ["States: 1", "AP: 0", "Acceptance: 0 t"] {
        let twice = format!("Acceptance: 0 t\n{header}\n--BODY--\n--END--");
        assert!(with(&twice).1.contains("a second"), "{header}");
    }
    let deep = format!("[{}0{}] 0", "!(".repeat(100_000), ")".repeat(100_000));
    let text = format!("{head}Acceptance: 0 t\n--BODY--\nState: 0\n{deep}\n--END--");
    assert!(read_hoa(&text, &mut Symbols::open()).is_ok());
}

/// Numbers of states are no reason to take memory for them.
#[test]
fn more_states_than_the_file_describes_are_refused() {
    let file = |states: &str, from: &str| {
        format!(
            "HOA: v1 {states} Start: 0 AP: 0 Acceptance: 1 Inf(0)\n\
             --BODY-- State: 0 [t] 0 {{0}} State: {from} [t] 0 --END--"
        )
    };
    let read = |source: String| read_hoa(&source, &mut Symbols::open()).map(|a| a.num_states());
    assert_eq!(read(file("States: 3", "2")), Ok(3));
    assert_eq!(read(file("", "2")), Ok(3));
    for (states, from) in [("States: 4000000000", "1"), ("", "4294967295"), ("", "4000000000")] {
        let error = read(file(states, from)).unwrap_err();
        assert!(error.message.contains("more than this file describes"), "{error}");
    }
}

/// Names of a net: propositions are formulas about one moment, or refused where they stand.
#[test]
fn propositions_are_formulas_about_the_net() {
    let mut b = brine_net::NetBuilder::new("n");
    let p = b.place("p", 1);
    b.transition("t", &[(p, 1)], &[]);
    let net = b.build().unwrap();
    let read = |atoms: &str, label: &str| {
        let text = format!(
            "HOA: v1\nStates: 1\nStart: 0\nAP: {atoms}\nAcceptance: 0 t\n--BODY--\nState: 0\n\
             [{label}] 0\n--END--"
        );
        read_hoa(&text, &mut Symbols::of_net(&net))
    };
    let a = read("2 \"p = 1\" \"!(p >= 1 & fireable(t)) <-> deadlock\"", "0 & 1").unwrap();
    // p <= 1, p <= 0, fireable(t), deadlock.
    assert_eq!(a.atoms().len(), 4);
    let marked = a.letter(&net, &[1]);
    assert!(a.accepts(&[], &[marked]) && !a.accepts(&[], &[a.letter(&net, &[0])]));
    assert!(!a.accepts(&[], &[a.letter(&net, &[2])]), "two are not one");
    assert!(read("1 \"0 <= 1\"", "!0").unwrap().edges().is_empty(), "false is no letter");
    for (name, message) in [
        ("q <= 1", "q"),
        ("p", "expected an atom such as p <= 1"),
        ("F p <= 1", "a temporal operator"),
        ("p <=", "expected an atom such as"),
        ("fireable(p)", "expected an atom such as"),
    ] {
        let error = read(&format!("2 \"deadlock\"\n  \"{name}\""), "t").unwrap_err();
        assert_eq!((error.line, error.column), (5, 3), "{error}");
        assert!(error.message.contains("atomic proposition 1, "), "{error}");
        assert!(error.message.contains(message), "{error}");
    }
    let sums: Vec<String> = (0..65).map(|i| format!("\"p <= {i}\"")).collect();
    assert!(read(&format!("64 {}", sums[..64].join(" ")), "0 | 63").is_ok());
    let pairs: Vec<String> = (0..33).map(|i| format!("\"p = {}\"", 3 * i)).collect();
    let error = read(&format!("33 {}", pairs.join(" ")), "t").unwrap_err();
    assert!(error.message.contains("more than 64 different atoms"), "{error}");
}

/// A label that is small as a diagram and huge as cubes is refused, and soon.
#[test]
fn labels_with_too_many_cubes_are_refused() {
    let names: Vec<String> = (0..60).map(|i| format!("\"a{i}\"")).collect();
    let mut text = format!("HOA: v1 States: 1 Start: 0 AP: 60 {} Alias: @x0 0\n", names.join(" "));
    for i in 1..60 {
        let before = i - 1;
        text.push_str(&format!("Alias: @x{i} @x{before} & !{i} | !@x{before} & {i}\n"));
    }
    let file = |last: u32| format!("{text}Acceptance: 0 t --BODY-- State: 0 [@x{last}] 0 --END--");
    assert!(read_hoa(&file(8), &mut Symbols::open()).is_ok());
    let error = read_hoa(&file(59), &mut Symbols::open()).unwrap_err();
    assert!(error.message.contains("too large"), "{error}");
}
