//! `cargo xtask ltl`: automata of the reference formulas beside Spot's figures.

use anyhow::{Context, Result};
use brine_ltl::{Formulas, Options, Symbols, Translator, parse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Translates the reference formulas and prints sizes, verdicts and times beside Spot's.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Directory with the formula sets.
    #[arg(long, default_value = "../shared/ltl")]
    dir: PathBuf,
    /// Also list each formula whose automata differ in size from the reference.
    #[arg(long)]
    list: bool,
}

/// One line of a formula set.
#[derive(serde::Deserialize)]
struct FormulaRow {
    formula: String,
    tgba_states: usize,
    tgba_edges: usize,
    ba_states: usize,
    ba_edges: usize,
    stutter_invariant: u8,
    safety: u8,
    guarantee: u8,
    obligation: u8,
}

/// Sums over a formula set, ours and the reference's.
#[derive(Default)]
struct Sums {
    rows: u32,
    tgba: [usize; 2],
    tgba_edges: [usize; 2],
    ba: [usize; 2],
    ba_edges: [usize; 2],
    disagreements: [u32; 4],
    tgba_time: Duration,
    ba_time: Duration,
    verdict_time: Duration,
    slowest: (Duration, String),
}

const VERDICTS: [&str; 4] = ["stutter_invariant", "safety", "guarantee", "obligation"];

pub(crate) fn run(args: &Args) -> Result<()> {
    for file in ["mcc-formulas.csv", "random-formulas.csv"] {
        let sums = measure(&args.dir.join(file), args.list)?;
        print(file, &sums);
    }
    Ok(())
}

fn measure(path: &Path, list: bool) -> Result<Sums> {
    let mut reader =
        csv::Reader::from_path(path).with_context(|| format!("reading {}", path.display()))?;
    let mut sums = Sums::default();
    for row in reader.deserialize() {
        let row: FormulaRow = row.with_context(|| format!("reading {}", path.display()))?;
        one(&row, &mut sums, list).with_context(|| format!("translating {}", row.formula))?;
    }
    Ok(sums)
}

fn one(row: &FormulaRow, sums: &mut Sums, list: bool) -> Result<()> {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    let options = Options::default();
    let start = Instant::now();
    let f = parse(&row.formula, &mut fs, &mut symbols)?;
    let mut translator = Translator::new(&fs, f, &options)?;
    let tgba = translator.tgba()?;
    let tgba_time = start.elapsed();
    let ba = translator.ba()?;
    let ba_time = start.elapsed();
    let language = translator.language()?;
    let verdicts = [
        translator.is_stutter_invariant()?,
        language.safety,
        language.guarantee,
        language.obligation,
    ];
    let all_time = start.elapsed();
    let expected = [row.stutter_invariant, row.safety, row.guarantee, row.obligation];
    for i in 0..4 {
        if verdicts[i] != (expected[i] == 1) {
            sums.disagreements[i] += 1;
            println!("{} should be {}: {}", VERDICTS[i], expected[i], row.formula);
        }
    }
    sums.rows += 1;
    let add = |sum: &mut [usize; 2], ours: usize, theirs: usize| {
        sum[0] += ours;
        sum[1] += theirs;
    };
    add(&mut sums.tgba, tgba.num_states(), row.tgba_states);
    add(&mut sums.tgba_edges, tgba.edges().len(), row.tgba_edges);
    add(&mut sums.ba, ba.num_states(), row.ba_states);
    add(&mut sums.ba_edges, ba.edges().len(), row.ba_edges);
    sums.tgba_time += tgba_time;
    sums.ba_time += ba_time - tgba_time;
    sums.verdict_time += all_time - ba_time;
    if all_time > sums.slowest.0 {
        sums.slowest = (all_time, row.formula.clone());
    }
    let (t, b) = (tgba.num_states(), ba.num_states());
    if list && (t, b) != (row.tgba_states, row.ba_states) {
        let difference = |ours: usize, theirs: usize| ours as i64 - theirs as i64;
        println!(
            "{:+} {:+} {t},{b} instead of {},{}: {}",
            difference(t, row.tgba_states),
            difference(b, row.ba_states),
            row.tgba_states,
            row.ba_states,
            row.formula
        );
    }
    Ok(())
}

fn print(file: &str, s: &Sums) {
    println!("{file}: {} formulas", s.rows);
    let line = |name: &str, [ours, theirs]: [usize; 2]| {
        println!("  {name:<12} {ours:>7}  Spot {theirs:>7}  x {:.3}", ours as f64 / theirs as f64);
    };
    line("TGBA states", s.tgba);
    line("TGBA edges", s.tgba_edges);
    line("BA states", s.ba);
    line("BA edges", s.ba_edges);
    for (name, count) in VERDICTS.iter().zip(s.disagreements) {
        println!("  {name:<18} {count} disagreements");
    }
    let each = |d: Duration| d.as_secs_f64() * 1e3 / f64::from(s.rows.max(1));
    println!(
        "  time per formula: TGBA {:.3} ms, then BA {:.3} ms, then verdicts {:.3} ms",
        each(s.tgba_time),
        each(s.ba_time),
        each(s.verdict_time)
    );
    println!("  slowest (all three): {:.1} ms, {}", s.slowest.0.as_secs_f64() * 1e3, s.slowest.1);
}
