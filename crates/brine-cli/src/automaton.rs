//! `brine automaton`: the Büchi automaton of a formula.

use crate::exit::Exit;
use anyhow::{anyhow, bail};
use brine_ltl::{Automaton, Formulas, Options, Symbols, Translator, parse};
use std::io::{BufRead, Write};
use std::time::Instant;

/// Translate an LTL formula (as given, not negated) into a Büchi automaton
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  brine automaton 'G(a -> F b)'\n  \
    brine automaton 'F(\"Fork 1\" >= 1)' --format dot | dot -Tsvg > a.svg\n  \
    brine automaton - --format stats < formulas.txt\n\n\
    Without a net every name is welcome; quote names that begin with F, G or X.")]
pub(crate) struct Args {
    /// The formula; - reads one formula per line from standard input
    #[arg(value_name = "LTL", allow_hyphen_values = true)]
    formula: String,
    /// What to print: the automaton in HOA, as a DOT graph, or its figures as CSV
    #[arg(long, value_enum, default_value_t = Format::Hoa)]
    format: Format,
    /// Transition-based generalised acceptance, or accepting states
    #[arg(long = "type", value_enum, default_value_t = Kind::Tgba)]
    kind: Kind,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Hoa,
    Dot,
    Stats,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Tgba,
    Ba,
}

const HEADER: &str = "states,edges,acceptance_sets,class,stutter_invariant,safety,guarantee,\
                      obligation,time_ms";

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    if args.formula != "-" {
        let text = answer(&args.formula, args).map_err(|e| anyhow!("the formula: {e}"))?;
        if args.format == Format::Stats {
            writeln!(out, "{HEADER}")?;
        }
        out.write_all(text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let mut formulas = 0;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let number = number + 1;
        let line = line.map_err(|e| anyhow!("standard input, line {number}: {e}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let text = answer(&line, args).map_err(|e| {
            // The formula is all of its line: only the column is its own.
            let error = e.to_string();
            match error.strip_prefix("line 1, ") {
                Some(column) => anyhow!("standard input, line {number}, {column}"),
                None => anyhow!("standard input, line {number}: {error}"),
            }
        })?;
        if formulas == 0 && args.format == Format::Stats {
            writeln!(out, "{HEADER}")?;
        }
        formulas += 1;
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    if formulas == 0 {
        bail!("standard input holds no formula (expected one per line)");
    }
    Ok(Exit::Done)
}

/// What to print for one formula.
fn answer(source: &str, args: &Args) -> anyhow::Result<String> {
    let start = Instant::now();
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    let f = parse(source, &mut fs, &mut symbols)?;
    let options = Options::default();
    let mut translator = Translator::new(&fs, f, &options)?;
    let automaton = match args.kind {
        Kind::Tgba => translator.tgba()?,
        Kind::Ba => translator.ba()?,
    };
    Ok(match args.format {
        Format::Hoa => automaton.to_hoa(source.trim(), &symbols),
        Format::Dot => automaton.to_dot(source.trim(), &symbols),
        Format::Stats => stats(&automaton, &mut translator, start)?,
    })
}

fn stats(a: &Automaton, translator: &mut Translator<'_>, start: Instant) -> anyhow::Result<String> {
    let language = translator.language()?;
    let stutter_invariant = translator.is_stutter_invariant()?;
    let class = a.class();
    Ok(format!(
        "{},{},{},{class},{},{},{},{},{:.3}\n",
        a.num_states(),
        a.edges().len(),
        a.num_marks(),
        u8::from(stutter_invariant),
        u8::from(language.safety),
        u8::from(language.guarantee),
        u8::from(language.obligation),
        start.elapsed().as_secs_f64() * 1e3
    ))
}
