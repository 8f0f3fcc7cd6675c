//! `cargo xtask simplify`: properties of the development set against their nets, without any
//! engine: how many become constants, whether rightly, and what it costs.

use crate::mcc::{Set, data_dir, instances};
use anyhow::{Context, bail};
use brine_check::{Budget, Finding, Simplifier};
use brine_ltl::Formulas;
use brine_net::Structure;
use brine_pnml::{UnfoldLimits, read_mcc, read_model};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Simplify the development set's properties and compare with the expected answers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only the properties of the panel in `../shared/peers`
    #[arg(long)]
    panel: bool,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Wall-clock seconds for each property
    #[arg(long, default_value_t = 2.0)]
    time: f64,
    /// Show what is left of each property that is not decided
    #[arg(long)]
    open: bool,
    /// Where the results go
    #[arg(long, default_value = "target/simplify.csv")]
    out: PathBuf,
}

/// One row of `expected-ltl.csv` or of the panel.
#[derive(Deserialize, Debug)]
struct ExpectedAnswers {
    formula: String,
    verdict: String,
}

/// One row of the results.
#[derive(Serialize, Debug)]
struct SimplifyRow {
    formula: String,
    expected: String,
    answer: &'static str,
    cpu_s: f64,
    programs: u64,
    by: String,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let file = data.join(if args.panel { "../peers/ltl-panel.csv" } else { "expected-ltl.csv" });
    let mut expected: HashMap<String, String> = HashMap::new();
    for row in csv::Reader::from_path(&file).context("the expected answers")?.deserialize() {
        let ExpectedAnswers { formula, verdict } = row?;
        expected.insert(formula, verdict);
    }
    let mut rows = Vec::new();
    for instance in instances(Set::Dev, &args.filter, &data)? {
        simplify_instance(args, &data.join("models").join(&instance), &expected, &mut rows)
            .with_context(|| instance)?;
    }
    let mut writer = csv::Writer::from_path(&args.out)?;
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    writer.flush()?;
    summarise(&rows)
}

fn simplify_instance(
    args: &Args,
    dir: &Path,
    expected: &HashMap<String, String>,
    rows: &mut Vec<SimplifyRow>,
) -> anyhow::Result<()> {
    let model = read_model(&dir.join("model.pnml"), &UnfoldLimits::default())?;
    let structure = Structure::new(&model.net);
    let start = cpu()?;
    let mut simplifier = Simplifier::new(&model.net, &structure);
    let mut before = (start, simplifier.stats().programs);
    for examination in ["LTLCardinality", "LTLFireability"] {
        let source = std::fs::read_to_string(dir.join(format!("{examination}.xml")))?;
        let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
        for property in read_mcc(&source, &mut formulas, &mut symbols)? {
            let Some(verdict) = expected.get(&property.id) else { continue };
            let Some(formula) = property.query.all_runs() else { continue };
            let time = Some(Duration::from_secs_f64(args.time));
            let budget = Budget { time, ..Budget::default() };
            let simplified = simplifier.simplify(&formulas, formula, &budget);
            let after = (cpu()?, simplifier.stats().programs);
            let answer = match simplified.constant() {
                Some(true) => "TRUE",
                Some(false) => "FALSE",
                None => "",
            };
            if args.open && answer.is_empty() {
                let left = simplified.formulas.print(simplified.formula, &symbols);
                println!("{} {verdict}: {left}", property.id);
            }
            rows.push(SimplifyRow {
                formula: property.id,
                expected: verdict.clone(),
                answer,
                cpu_s: after.0 - before.0,
                programs: after.1 - before.1,
                by: simplified.findings.last().map_or("nothing", word).to_owned(),
            });
            before = after;
        }
    }
    eprintln!("{} {:?}", dir.display(), simplifier.stats());
    Ok(())
}

/// The finding in a word.
fn word(finding: &Finding) -> &'static str {
    match finding {
        Finding::Constant { .. } => "atoms",
        Finding::Smaller(_) => "smaller atoms",
        Finding::Start => "initial marking",
        Finding::Excluded { .. } => "excluded letters",
        Finding::Rewritten => "rewriting",
        Finding::NoViolation => "no violation",
        Finding::NoModel => "no model",
        Finding::FirstSteps => "first steps",
        Finding::NoRecurrence => "no recurrence",
    }
}

/// CPU seconds of this process.
fn cpu() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok((usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6)
}

fn summarise(rows: &[SimplifyRow]) -> anyhow::Result<()> {
    println!("expected  rows  decided  wrong");
    for expected in ["TRUE", "FALSE"] {
        let of = || rows.iter().filter(|r| r.expected == expected);
        let decided = of().filter(|r| r.answer == expected).count();
        let wrong = of().filter(|r| !r.answer.is_empty() && r.answer != expected).count();
        println!("{expected:<8}  {:>4}  {decided:>7}  {wrong:>5}", of().count());
    }
    let mut by: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in rows.iter().filter(|r| !r.answer.is_empty()) {
        *by.entry((row.answer, &row.by)).or_default() += 1;
    }
    by.iter()
        .for_each(|((answer, by), count)| println!("{answer:<8}  {count:>4}  last finding: {by}"));
    let mut times: Vec<f64> = rows.iter().map(|r| r.cpu_s).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).unwrap_or(&f64::NAN);
    println!(
        "CPU s per property: median {:.4}, 90% {:.4}, 99% {:.4}, max {:.4}, sum {:.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        times.last().unwrap_or(&f64::NAN),
        times.iter().sum::<f64>(),
    );
    let wrong: Vec<&SimplifyRow> =
        rows.iter().filter(|r| !r.answer.is_empty() && r.answer != r.expected).collect();
    wrong.iter().for_each(|r| println!("WRONG {}: {} ({})", r.formula, r.answer, r.by));
    if !wrong.is_empty() {
        bail!("{} verdicts differ from the expected ones", wrong.len());
    }
    Ok(())
}
