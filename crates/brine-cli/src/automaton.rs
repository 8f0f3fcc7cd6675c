//! `brine automaton`: the Büchi automaton of a formula, or of a file.

use crate::exit::Exit;
use anyhow::{Context, anyhow, bail};
use brine_ltl::{
    Automaton, Formulas, KnownLanguage, Language, Options, Symbols, Translator, parse, read_hoa,
};
use std::borrow::Cow;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Translate an LTL formula (as given, not negated) into a Büchi automaton, or read one
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  brine automaton 'G(a -> F b)'\n  \
    brine automaton 'F(\"Fork 1\" >= 1)' --format dot | dot -Tsvg > a.svg\n  \
    brine automaton - --format stats < formulas.txt\n  \
    brine automaton --read automaton.hoa --type ba --format dot\n\n\
    Without a net every name is welcome; quote names that begin with F, G or X.")]
pub(crate) struct Args {
    /// The formula; - reads one formula per line from standard input
    #[arg(value_name = "LTL", allow_hyphen_values = true, required_unless_present = "read")]
    formula: Option<String>,
    /// Read an automaton in HOA format instead: (generalised) Büchi acceptance, explicit labels;
    /// - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "formula")]
    read: Option<PathBuf>,
    /// What to print: the automaton in HOA, as a DOT graph, or its figures as CSV
    #[arg(long, value_enum, default_value_t = Format::Hoa)]
    format: Format,
    /// Transition-based generalised acceptance, or accepting states
    #[arg(long = "type", value_enum, default_value_t = AutomatonType::Tgba)]
    kind: AutomatonType,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Hoa,
    Dot,
    Stats,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum AutomatonType {
    Tgba,
    Ba,
}

const HEADER: &str = "states,edges,acceptance_sets,class,stutter_invariant,safety,guarantee,\
                      obligation,time_ms";

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    if args.formula.as_deref() != Some("-") {
        let text = match (&args.formula, &args.read) {
            (_, Some(path)) => read(path, args)?,
            (Some(formula), _) => answer(formula, args).map_err(|e| anyhow!("the formula: {e}"))?,
            (None, None) => bail!("expected a formula, or --read FILE"),
        };
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
        AutomatonType::Tgba => translator.tgba()?,
        AutomatonType::Ba => translator.ba()?,
    };
    Ok(match args.format {
        Format::Hoa => automaton.to_hoa(source.trim(), &symbols),
        Format::Dot => automaton.to_dot(source.trim(), &symbols),
        Format::Stats => stats(&automaton, &mut translator, start)?,
    })
}

/// What to print for an automaton in a file.
fn read(path: &Path, args: &Args) -> anyhow::Result<String> {
    let start = Instant::now();
    let name = path.display().to_string();
    let text = match path.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin().lock()),
        false => std::fs::read_to_string(path),
    };
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let mut symbols = Symbols::open();
    let automaton = read_hoa(&text, &mut symbols).map_err(|e| anyhow!("{name}: {e}"))?;
    let automaton = match args.kind {
        AutomatonType::Tgba => Cow::Borrowed(&automaton),
        AutomatonType::Ba => automaton.degeneralised(),
    };
    Ok(match args.format {
        Format::Hoa => automaton.to_hoa(&name, &symbols),
        Format::Dot => automaton.to_dot(&name, &symbols),
        Format::Stats => {
            let KnownLanguage { stutter_invariant, language } =
                automaton.known_language(&Options::default())?;
            stats_line(&automaton, stutter_invariant, language, start)
        }
    })
}

fn stats(a: &Automaton, translator: &mut Translator<'_>, start: Instant) -> anyhow::Result<String> {
    let language = translator.language()?;
    let stutter_invariant = translator.is_stutter_invariant()?;
    Ok(stats_line(a, Some(stutter_invariant), Some(language), start))
}

/// A line of CSV; what is not known is empty.
fn stats_line(
    a: &Automaton,
    stutter_invariant: Option<bool>,
    language: Option<Language>,
    start: Instant,
) -> String {
    let bit = |known: Option<bool>| known.map_or("", |yes| if yes { "1" } else { "0" });
    format!(
        "{},{},{},{},{},{},{},{},{:.3}\n",
        a.num_states(),
        a.edges().len(),
        a.num_marks(),
        a.class(),
        bit(stutter_invariant),
        bit(language.map(|l| l.safety)),
        bit(language.map(|l| l.guarantee)),
        bit(language.map(|l| l.obligation)),
        start.elapsed().as_secs_f64() * 1e3
    )
}
