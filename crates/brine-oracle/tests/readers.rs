//! Damaged files of every format that Brine reads: no panic, no hang, no memory beyond the
//! size of the file times a constant. (The plans of `brine bench` are damaged in
//! `crates/brine-cli/tests/faults.rs`.)
//!
//! BRINE_CASES sets the number of files of each format, BRINE_SEED the first seed. All formats
//! share one test: memory is counted for the whole process.

use brine_ltl::{Formulas, Options, Symbols, parse, read_hoa, translate};
use brine_models::{database_coloured, fork_join, philosophers_coloured, token_ring};
use brine_net::Rng;
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::mutate::Corpus;
use brine_oracle::nets::random_net;
use brine_oracle::number;
use brine_pnml::{UnfoldLimits, read_mcc, read_model_from, write_pnml};
use peak_alloc::PeakAlloc;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes that a reader may take for each byte of its input, and in any case.
const PER_BYTE: usize = 500;
const IN_ANY_CASE: usize = 4 << 20;
/// A reader that takes so long for a file of at most 64 KiB hangs.
const HANGS: Duration = Duration::from_secs(120);

/// A format: files to damage, words of the format, and its reader.
struct Format {
    name: &'static str,
    documents: Vec<Vec<u8>>,
    tokens: &'static [&'static str],
    /// Reads a file; the message if it is refused.
    read: fn(&[u8]) -> Result<(), String>,
}

fn outcome<T, E: ToString>(result: Result<T, E>) -> Result<(), String> {
    result.map(|_| ()).map_err(|e| e.to_string())
}

/// Readers of text are given what a file with other bytes would be refused for.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Unfolding is limited by what it makes, not by the size of the file.
const UNFOLD: UnfoldLimits =
    UnfoldLimits { places: 1_000, transitions: 1_000, arcs: 10_000, work: 100_000 };

const PNML_TOKENS: &[&str] = &[
    "<page id='g'>",
    "</page>",
    "<place id='x'>",
    "<transition id='y'/>",
    "<text>",
    "&amp;",
    "&#x10FFFF;",
    "<!--",
    "-->",
    "<![CDATA[",
    "<toolspecific tool='nupn' version='1.1'>",
    "<referencePlace id='r' ref='r'/>",
    "<inscription>",
    "xmlns:a='b'",
    "<unit id='u'>",
];

const COLOURED_TOKENS: &[&str] = &[
    "<successor>",
    "<all>",
    "<tuple>",
    "<numberof>",
    "<subtract>",
    "<productsort>",
    "<dot/>",
    "<finiteintrange start='0' end='4294967295'/>",
    "<cyclicenumeration>",
    "<or>",
    "<imply>",
    "<numberconstant value='4294967295'><positive/></numberconstant>",
    "<partition>",
    "<usersort declaration='Seat'/>",
    "<variable refvariable='x'/>",
    "<greaterthan>",
];

const MCC_TOKENS: &[&str] =
    &["<until>", "<next>", "<conjunction>", "</reach>", "<place>", "<integer-sum>", " x='1'"];

const LTL_TOKENS: &[&str] = &[
    "X ",
    " U ",
    "(",
    "!",
    " -> ",
    " <-> ",
    "fireable(",
    "deadlock",
    " + ",
    "9223372036854775807 * ",
    "F[2,5] ",
    "G[0:9999] ",
    "X[7]",
    "[] ",
    "<>",
    " and not ",
    "≤",
    "◇",
    "AG ",
    "-CS_21",
    "[",
    ":",
];

const HOA_TOKENS: &[&str] = &[
    "--BODY--",
    "--END--",
    "State: ",
    "Inf(",
    "Fin(",
    "{0 1}",
    "[t]",
    "AP: 99",
    "Start: 7",
    "States: 4000000000",
];

fn pnml_documents() -> Vec<Vec<u8>> {
    let random = (0..5).map(|seed| random_net(&mut Rng::new(seed)));
    let nets = [fork_join(2), token_ring(3)].into_iter().chain(random);
    let document = |net| {
        let mut bytes = Vec::new();
        write_pnml(&net, &mut bytes).expect("memory");
        bytes
    };
    nets.map(document).collect()
}

fn coloured_documents() -> Vec<Vec<u8>> {
    let nets = [philosophers_coloured(3), database_coloured(3)].into_iter();
    let document = |net: brine_models::symmetric::SymmetricNet| {
        let mut bytes = Vec::new();
        net.write_pnml(&mut bytes).expect("memory");
        bytes
    };
    nets.map(document).collect()
}

fn ltl_documents() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(1);
    let net = random_net(&mut rng);
    let mut formula = |_| {
        let mut fs = Formulas::new();
        let f = random_formula_over(&mut rng, AtomScope::of(&net), &mut fs, 5);
        fs.print(f, &Symbols::of_net(&net)).into_bytes()
    };
    let random: Vec<Vec<u8>> = (0..20).map(&mut formula).collect();
    let spelled = ["[](a && b -> <>[2,5] not c)", "G[1:3] p ≤ 1 and X[2] □ q <> 3 xnor a V b"];
    random.into_iter().chain(spelled.map(|text| text.as_bytes().to_vec())).collect()
}

/// The names of a net.
fn hoa_symbols() -> Symbols {
    Symbols::of_names(["p", "q"], ["t"])
}

/// Automata of these formulas.
fn hoa_documents(formulas: &[&str], symbols: fn() -> Symbols) -> Vec<Vec<u8>> {
    let hoa = |formula: &&str| {
        let (mut fs, mut symbols) = (Formulas::new(), symbols());
        let f = parse(formula, &mut fs, &mut symbols).expect("a formula");
        let automaton = translate(&fs, f, &Options::default()).expect("a small automaton");
        automaton.to_hoa(formula, &symbols).into_bytes()
    };
    formulas.iter().map(hoa).collect()
}

const MCC: &str = "<?xml version=\"1.0\"?><property-set xmlns=\"http://mcc.lip6.fr/\">\
    <property><id>n-LTLCardinality-00</id><description>d</description><formula><all-paths>\
    <globally><disjunction><integer-le><tokens-count><place>p</place><place>q</place>\
    </tokens-count><integer-constant>3</integer-constant></integer-le><negation><next><until>\
    <before><is-fireable><transition>t</transition><transition>u</transition></is-fireable>\
    </before><reach><finally><integer-lt><integer-constant>0</integer-constant><tokens-count>\
    <place>q</place></tokens-count></integer-lt></finally></reach></until></next></negation>\
    </disjunction></globally></all-paths></formula></property></property-set>";

fn formats() -> [Format; 6] {
    let read_net = |bytes: &[u8]| outcome(read_model_from(bytes, "f", &UNFOLD));
    [
        Format { name: "PNML", documents: pnml_documents(), tokens: PNML_TOKENS, read: read_net },
        Format {
            name: "coloured PNML",
            documents: coloured_documents(),
            tokens: COLOURED_TOKENS,
            read: read_net,
        },
        Format {
            name: "MCC",
            documents: vec![MCC.as_bytes().to_vec()],
            tokens: MCC_TOKENS,
            read: |b| outcome(read_mcc(&text(b), &mut Formulas::new(), &mut Symbols::open())),
        },
        Format {
            name: "LTL",
            documents: ltl_documents(),
            tokens: LTL_TOKENS,
            read: |b| outcome(parse(&text(b), &mut Formulas::new(), &mut Symbols::open())),
        },
        Format {
            name: "HOA",
            documents: hoa_documents(
                &["G (a -> F b)", "a U (b & X !c)", "F G a | G F b", "G F a & G F b", "false"],
                Symbols::open,
            ),
            tokens: HOA_TOKENS,
            read: |b| outcome(read_hoa(&text(b), &mut Symbols::open())),
        },
        Format {
            name: "HOA about a net",
            documents: hoa_documents(
                &["G (p <= 1 -> F fireable(t))", "G F p + q = 2 & G F deadlock", "X q > 2 * p"],
                hoa_symbols,
            ),
            tokens: HOA_TOKENS,
            read: |b| outcome(read_hoa(&text(b), &mut hoa_symbols())),
        },
    ]
}

/// Runs `work` under a watch: a case that hangs ends the process with its seed.
fn watched(work: impl FnOnce(&dyn Fn(&'static str, u64))) {
    let (started, watch) = channel::<(&str, u64)>();
    let dog = std::thread::spawn(move || {
        let mut last = ("nothing", 0);
        loop {
            match watch.recv_timeout(HANGS) {
                Ok(case) => last = case,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    eprintln!("{} hangs with BRINE_SEED={}", last.0, last.1);
                    std::process::abort();
                }
            }
        }
    });
    work(&|name, seed| started.send((name, seed)).expect("the watch is there"));
    drop(started);
    dog.join().expect("the watch ends");
}

#[test]
fn damaged_files_are_refused_in_good_order() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 6_000));
    watched(|start| {
        for format in formats() {
            let corpus = Corpus { documents: &format.documents, tokens: format.tokens };
            let (mut accepted, mut refused, mut most) = (0, 0, 0);
            for seed in first..first + count {
                start(format.name, seed);
                let bytes = corpus.draw(&mut Rng::new(seed));
                ALLOCATOR.reset_peak_usage();
                let before = ALLOCATOR.current_usage();
                let read = catch_unwind(AssertUnwindSafe(|| (format.read)(&bytes)));
                let used = ALLOCATOR.peak_usage().saturating_sub(before);
                let context = format!("{}, BRINE_SEED={seed}", format.name);
                assert!(used <= IN_ANY_CASE + PER_BYTE * bytes.len(), "{context}: {used} bytes");
                most = most.max(used / bytes.len().max(1_000));
                match read.unwrap_or_else(|_| panic!("{context}: a panic")) {
                    Ok(()) => accepted += 1,
                    Err(message) => {
                        assert!(!message.is_empty(), "{context}");
                        refused += 1;
                    }
                }
            }
            let name = format.name;
            println!("{name}: {accepted} accepted, {refused} refused, {most} bytes a byte");
            if count >= 1_000 {
                assert!(accepted * 200 > count && refused * 5 > count, "{name} is tested");
            }
        }
    });
}
