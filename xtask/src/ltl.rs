//! `cargo xtask ltl`: sizes of automata against the reference figures in `../shared/ltl`.

use anyhow::{Context, Result};
use brine_ltl::{Formulas, Limits, Symbols, parse, translate};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Translates the reference formulas and prints sizes, verdicts and times beside Spot's.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Directory with the formula sets.
    #[arg(long, default_value = "../shared/ltl")]
    dir: PathBuf,
    /// List the formulas whose automata are larger than the reference.
    #[arg(long)]
    larger: bool,
}

/// One line of a formula set.
#[derive(serde::Deserialize)]
struct Row {
    formula: String,
    tgba_states: usize,
    ba_states: usize,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    for file in ["mcc-formulas.csv", "random-formulas.csv"] {
        table(&args.dir.join(file), args)?;
    }
    Ok(())
}

fn table(path: &Path, args: &Args) -> Result<()> {
    let mut reader =
        csv::Reader::from_path(path).with_context(|| format!("reading {}", path.display()))?;
    let mut states = (0, 0);
    let mut ba = (0, 0);
    let mut time = Duration::ZERO;
    let mut slowest = (Duration::ZERO, String::new());
    let mut rows = 0;
    for row in reader.deserialize() {
        let row: Row = row?;
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
        let f = parse(&row.formula, &mut fs, &mut symbols)?;
        let start = Instant::now();
        let a = translate(&fs, f, &Limits::default())?;
        let took = start.elapsed();
        time += took;
        slowest = slowest.max((took, row.formula.clone()));
        states.0 += a.num_states();
        states.1 += row.tgba_states;
        ba.1 += row.ba_states;
        if args.larger && a.num_states() != row.tgba_states {
            println!(
                "{:+} {} {} {}",
                a.num_states() as i64 - row.tgba_states as i64,
                a.num_states(),
                row.tgba_states,
                row.formula
            );
        }
        rows += 1;
    }
    println!(
        "{} {rows}: tgba {:?} {:.3}, ba {:?}, {:?} each, slowest {:?}",
        path.display(),
        states,
        states.0 as f64 / states.1 as f64,
        ba,
        time / rows,
        slowest
    );
    Ok(())
}
