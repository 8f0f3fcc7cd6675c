//! `brine verify`: does this certificate prove the property? Judged by `brine-verify` alone.

use crate::clock::Clock;
use crate::exit::Exit;
use crate::formula_files::given;
use crate::limits::LimitArgs;
use crate::properties::{self, NamedProperty, option_of};
use crate::watchdog::{LastWords, Watchdog};
use anyhow::{Context, bail};
use brine_check::TextKind;
use brine_ltl::{Formula, Formulas, Query, Symbols};
use brine_run::Stop;
use brine_source::Source;
use brine_verify::{Refusal, Verified};
use serde::Serialize;
use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;

/// Check a proof that a property holds, as brine check --certificate writes it
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("properties").args(["ltl", "reach", "mcc"]).required(true))]
#[command(after_help = "\
Examples:
  brine check pnml/philosophers-5.pnml --ltl 'G eat_0 <= 1' --certificate proof.gz
  brine verify pnml/philosophers-5.pnml --ltl 'G eat_0 <= 1' proof.gz
  brine verify model.pnml --mcc LTLCardinality.xml --only 3 proof.gz

The checker shares nothing with the engines but the readers of nets and formulas: the format, and
why what it checks is enough, is told in docs/certificates.md.

Exit code: 0 verified, 1 not a proof of this property, 2 bad input or not a certificate, 3 a budget
ran out, 4 internal error.")]
pub(crate) struct Args {
    /// The net, a PNML file; also compressed (.gz), in a contest archive (.tgz) or a folder
    model: PathBuf,
    /// The certificate; - for stdin
    certificate: PathBuf,
    /// The formula that holds on all runs
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    ltl: Option<String>,
    /// 'AG f', which holds, or 'EF f', which does not
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    reach: Option<String>,
    /// A property file of the Model Checking Contest; --only chooses the property
    #[arg(long, value_name = "FILE")]
    mcc: Option<PathBuf>,
    /// The property of the file: its number from 0, or its id
    #[arg(long, value_name = "PROPERTY", requires = "mcc")]
    only: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// What is said of a certificate.
#[derive(Serialize, Debug)]
struct VerifyReport<'a> {
    model: &'a str,
    property: &'a str,
    verified: bool,
    /// Where it fails, and why.
    line: Option<u64>,
    why: Option<&'a str>,
    time_s: f64,
    lines: Option<u64>,
    automaton_states: Option<u64>,
    markings: Option<u64>,
    product_states: Option<u64>,
    facts: Option<u64>,
    conflicts: Option<u64>,
}

/// What is said when a budget runs out.
struct Unverified;

impl LastWords for Unverified {
    fn speak(&mut self, stop: Stop) -> Exit {
        eprintln!("not verified: {}", stop.word());
        Exit::Unknown
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let dog = Watchdog::start(clock.fence(1), Unverified);
    if crate::model::is_language(&args.model) {
        bail!("{}: only nets have certificates", args.model.display());
    }
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let loaded = crate::model::load(&source, &clock.control())?;
    let mut formulas = Formulas::new();
    let mut symbols = loaded.symbols();
    let (property, formula) = question(args, &source, &mut formulas, &mut symbols)?;
    let name = args.certificate.display().to_string();
    let start = Instant::now();
    let answer = if name == "-" {
        brine_verify::verify(&loaded.net, &formulas, formula, std::io::stdin().lock())
    } else {
        let file = File::open(&args.certificate).with_context(|| name.clone())?;
        brine_verify::verify(&loaded.net, &formulas, formula, file)
    };
    let time = start.elapsed().as_secs_f64();
    drop(dog.finish());
    let model = crate::model::name(&loaded.net, &args.model);
    tell(args, &model, &property, &name, answer, time)
}

/// The one property that is asked about.
fn question(
    args: &Args,
    source: &Source,
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<(String, Formula)> {
    let mut named: Vec<NamedProperty> = Vec::new();
    for (kind, text) in [(TextKind::Ltl, &args.ltl), (TextKind::Reach, &args.reach)] {
        let texts = given(option_of(kind), &text.iter().cloned().collect::<Vec<_>>())?;
        named.extend(properties::from_texts(kind, &texts, formulas, symbols)?);
    }
    if let Some(path) = &args.mcc {
        let file = properties::from_mcc(source, path, formulas, symbols)?;
        let only: Vec<String> = args.only.iter().cloned().collect();
        named.extend(properties::choose(file, &only).context("--only")?);
    }
    let count = named.len();
    let Some(NamedProperty { name, query, .. }) = named.pop().filter(|_| count == 1) else {
        bail!("{count} properties, and a certificate is about one; --only chooses it")
    };
    match query {
        Query::AllRuns(formula) => Ok((name, formula)),
        Query::SomeRun(formula) => Ok((name, formulas.not(formula))),
        Query::Branching(_) | Query::Bound(_) | Query::Whole(_) => {
            bail!("{name}: certificates are about formulas on all runs")
        }
    }
}

/// Says what came of it.
fn tell(
    args: &Args,
    model: &str,
    property: &str,
    file: &str,
    answer: Result<Verified, Refusal>,
    time_s: f64,
) -> anyhow::Result<Exit> {
    let (verified, line, why) = match &answer {
        Ok(verified) => (Some(verified), None, None),
        Err(Refusal::NoProof { line, message }) => (None, Some(*line), Some(&**message)),
        Err(Refusal::Unreadable { line, message }) => {
            bail!("{file}:{line}: {message}; expected a certificate of brine check --certificate")
        }
    };
    if args.json {
        let report = VerifyReport {
            model,
            property,
            verified: verified.is_some(),
            line: line.filter(|&l| l > 0),
            why,
            time_s,
            lines: verified.map(|v| v.lines),
            automaton_states: verified.map(|v| v.states),
            markings: verified.map(|v| v.markings),
            product_states: verified.map(|v| v.product_states),
            facts: verified.map(|v| v.facts),
            conflicts: verified.map(|v| v.conflicts),
        };
        println!("{}", serde_json::to_string(&report)?);
    } else if !args.quiet {
        match (verified, why) {
            (Some(verified), _) => println!("{property}: verified ({time_s:.3} s)\n  {verified}"),
            (None, why) => {
                let at =
                    line.filter(|&l| l > 0).map_or_else(String::new, |l| format!("line {l}: "));
                println!("{property}: not a proof: {at}{}", why.unwrap_or_default());
            }
        }
    }
    Ok(if answer.is_ok() { Exit::Done } else { Exit::Violated })
}
