//! `cargo xtask versus`: two binaries on the same panel, in turns.
//!
//! Each property of the LTL panel, or each net of the state-space panel, is given to both, one
//! process at a time, the first one first for every second row. So whatever else the machine
//! does meets both alike. What is compared: the answers, CPU time, and the peak memory that the
//! binaries report.
//!
//! Processes are started plainly and not as jobs of `brine-campaign`: the program that sets a
//! job's limits would be counted with it, and costs as much as a small check.

use crate::mcc::{build_binary, data_dir};
use anyhow::Context;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Run two binaries in turns on a panel and compare CPU time, memory and answers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The binary to compare with
    #[arg(long, value_name = "FILE")]
    old: PathBuf,
    /// The other one; by default the release build of this folder
    #[arg(long, value_name = "FILE")]
    new: Option<PathBuf>,
    /// Which panel
    #[arg(long, value_enum, default_value = "ltl")]
    panel: Panel,
    /// Seconds for each question
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Where the results go
    #[arg(long, default_value = "target/versus.csv")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Panel {
    /// `ltl-panel.csv`: `brine check`
    Ltl,
    /// `states.csv`: `brine states`
    States,
}

/// A question of a panel; nets of the state-space panel have no property.
#[derive(Deserialize, Debug)]
struct PanelQuestion {
    instance: String,
    #[serde(default)]
    examination: String,
    #[serde(default)]
    index: String,
}

/// What one binary made of it.
#[derive(Debug)]
struct PanelAnswer {
    /// The verdict, or the number of states; empty if there is none.
    answer: String,
    cpu_s: f64,
    peak_mib: f64,
}

/// One row of the results.
#[derive(Serialize, Debug)]
struct VersusRow<'a> {
    instance: &'a str,
    examination: &'a str,
    index: &'a str,
    answer_old: &'a str,
    answer_new: &'a str,
    cpu_s_old: f64,
    cpu_s_new: f64,
    peak_mib_old: f64,
    peak_mib_new: f64,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let new = args.new.clone().map_or_else(build_binary, Ok)?;
    let file = match args.panel {
        Panel::Ltl => "../peers/ltl-panel.csv",
        Panel::States => "../peers/states.csv",
    };
    let questions = csv::Reader::from_path(data.join(file)).context("the panel")?;
    let mut writer = csv::Writer::from_path(&args.out)?;
    let mut pairs = Vec::new();
    for (i, question) in questions.into_deserialize().enumerate() {
        let question: PanelQuestion = question?;
        if !question.instance.contains(&args.filter) {
            continue;
        }
        let ask = |binary: &Path| ask(args, &data, binary, &question);
        let (a, b) = if i % 2 == 0 {
            let a = ask(&args.old)?;
            (a, ask(&new)?)
        } else {
            let b = ask(&new)?;
            (ask(&args.old)?, b)
        };
        let PanelQuestion { instance, examination, index } = &question;
        writer.serialize(VersusRow {
            instance,
            examination,
            index,
            answer_old: &a.answer,
            answer_new: &b.answer,
            cpu_s_old: a.cpu_s,
            cpu_s_new: b.cpu_s,
            peak_mib_old: a.peak_mib,
            peak_mib_new: b.peak_mib,
        })?;
        writer.flush()?;
        if !a.answer.is_empty() && !b.answer.is_empty() && a.answer != b.answer {
            println!("DIFFERENT {instance} {examination} {index}: {} {}", a.answer, b.answer);
        }
        pairs.push((a, b));
    }
    summarise(&pairs);
    Ok(())
}

/// Asks one binary.
fn ask(
    args: &Args,
    data: &Path,
    binary: &Path,
    question: &PanelQuestion,
) -> anyhow::Result<PanelAnswer> {
    let folder = data.join("models").join(&question.instance);
    let model = folder.join("model.pnml");
    let mut command = Command::new(binary);
    match args.panel {
        Panel::Ltl => {
            let properties = folder.join(format!("{}.xml", question.examination));
            command.arg("check").arg(model).arg("--mcc").arg(properties);
            command.args(["--only", &question.index, "--threads", "1"]);
        }
        Panel::States => {
            command.arg("states").arg(model);
        }
    }
    command.args(["--json", "--timeout", &args.timeout.to_string(), "--memory", "6144"]);
    let before = cpu_of_children()?;
    let output = command.stderr(Stdio::null()).output().context("a binary")?;
    let cpu_s = cpu_of_children()? - before;
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let answer = match args.panel {
        Panel::Ltl => Some(text("verdict")).filter(|v| v != "unknown").unwrap_or_default(),
        Panel::States => format!("{} {}", text("states"), text("transitions")).trim().to_owned(),
    };
    let peak_mib = line["peak_mem_mib"].as_f64().unwrap_or(0.0);
    Ok(PanelAnswer { answer, cpu_s, peak_mib })
}

/// CPU seconds of all processes that this one has waited for.
fn cpu_of_children() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(microseconds as f64 / 1e6)
}

/// Sums and medians, over all rows and over those that both answered.
fn summarise(pairs: &[(PanelAnswer, PanelAnswer)]) {
    let answered =
        |a: &&(PanelAnswer, PanelAnswer)| !a.0.answer.is_empty() && !a.1.answer.is_empty();
    let solved: Vec<_> = pairs.iter().filter(answered).collect();
    let count = |of: fn(&(PanelAnswer, PanelAnswer)) -> &PanelAnswer| {
        pairs.iter().filter(|pair| !of(pair).answer.is_empty()).count()
    };
    let (old, new) = (count(|p| &p.0), count(|p| &p.1));
    println!("{} questions, {old} and {new} answered, {} by both", pairs.len(), solved.len());
    println!("| | rows | old | new | ratio |\n|---|---|---|---|---|");
    for (name, of) in
        [("CPU s", (|a| a.cpu_s) as fn(&PanelAnswer) -> f64), ("peak MiB", |a| a.peak_mib)]
    {
        for (which, rows) in [("all", pairs.iter().collect()), ("answered", solved.clone())] {
            let rows: Vec<&(PanelAnswer, PanelAnswer)> = rows;
            let (a, b): (Vec<f64>, Vec<f64>) = rows.iter().map(|p| (of(&p.0), of(&p.1))).unzip();
            let sums = (a.iter().sum::<f64>(), b.iter().sum::<f64>());
            let medians = (median(a), median(b));
            for (kind, (a, b)) in [("sum", sums), ("median", medians)] {
                println!("| {name}, {kind} | {which} | {a:.4} | {b:.4} | {:.3} |", b / a);
            }
        }
    }
}

/// The median; 0 of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
