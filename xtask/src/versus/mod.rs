//! `cargo xtask versus`: two binaries on the same panel, or two forms of a net, in turns.
//!
//! Each property of the LTL panel, or each net of the state-space panel, is given to both, one
//! process at a time, the first one first for every second row. So whatever else the machine
//! does meets both alike. What is compared: the answers, CPU time, and the peak memory that the
//! binaries report. With `--panel forms`, one binary gets the same property of the same net
//! twice: about the place/transition form and about the coloured one.
//!
//! Processes are started plainly and not as jobs of `brine-campaign`: the program that sets a
//! job's limits would be counted with it, and costs as much as a small check.

mod forms;

use crate::mcc::{Set, build_binary, data_dir, instances, models};
use anyhow::{Context, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Run two binaries, or two forms of a net, in turns and compare CPU time, memory and answers
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The binary to compare with; not for `--panel forms`, where there is one binary
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,
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
    /// What the contest asks about both forms of a net, coloured and place/transition, in the
    /// development and the large set: `brine check`
    Forms,
}

impl Panel {
    /// What the two sides are called.
    fn sides(self) -> [&'static str; 2] {
        match self {
            Panel::Ltl | Panel::States => ["old", "new"],
            Panel::Forms => ["pt", "col"],
        }
    }
}

/// A question of a panel; nets of the state-space panel have no property.
#[derive(Deserialize, Debug)]
struct PanelQuestion {
    instance: String,
    #[serde(default)]
    examination: String,
    #[serde(default)]
    index: String,
    /// Where each side finds the net; both in the development set if this is not told.
    #[serde(skip)]
    folders: Option<[PathBuf; 2]>,
}

/// What one binary made of it.
#[derive(Debug)]
struct PanelAnswer {
    /// The verdict, or the number of states; empty if there is none.
    answer: String,
    cpu_s: f64,
    peak_mib: f64,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let new = args.new.clone().map_or_else(build_binary, Ok)?;
    let binaries = match (&args.old, args.panel) {
        (None, Panel::Forms) => [new.clone(), new],
        (Some(_), Panel::Forms) => bail!("--old does nothing with --panel forms"),
        (Some(old), _) => [old.clone(), new],
        (None, _) => bail!("--old FILE is missing: the binary to compare with"),
    };
    let mut questions = match args.panel {
        Panel::Ltl => read_panel(&data.join("../peers/ltl-panel.csv"))?,
        Panel::States => read_panel(&data.join("../peers/states.csv"))?,
        Panel::Forms => forms_panel(&data, &args.filter)?,
    };
    questions.retain(|question| question.instance.contains(&args.filter));
    let mut writer = csv::Writer::from_path(&args.out)?;
    writer.write_record(header(args.panel.sides()))?;
    let mut pairs = Vec::new();
    for (i, question) in questions.iter().enumerate() {
        let ask = |side: usize| ask(args, &data, &binaries[side], side, question);
        let (a, b) = if i % 2 == 0 {
            let a = ask(0)?;
            (a, ask(1)?)
        } else {
            let b = ask(1)?;
            (ask(0)?, b)
        };
        let PanelQuestion { instance, examination, index, .. } = question;
        writer.serialize((
            (instance, examination, index),
            (&a.answer, &b.answer),
            (a.cpu_s, b.cpu_s),
            (a.peak_mib, b.peak_mib),
        ))?;
        writer.flush()?;
        if differ(&a, &b) {
            println!("DIFFERENT {instance} {examination} {index}: {} {}", a.answer, b.answer);
        }
        pairs.push((a, b));
    }
    if args.panel == Panel::Forms {
        summarise_families(&questions, &pairs);
    }
    summarise(args.panel.sides(), &pairs);
    match pairs.iter().filter(|(a, b)| differ(a, b)).count() {
        0 => Ok(()),
        n => bail!("{n} answers differ"),
    }
}

/// The columns of the results.
fn header(sides: [&str; 2]) -> Vec<String> {
    let question = ["instance", "examination", "index"].map(str::to_owned).into_iter();
    let both = ["answer", "cpu_s", "peak_mib"].into_iter();
    question.chain(both.flat_map(|what| sides.map(|side| format!("{what}_{side}")))).collect()
}

/// Whether there are two answers, and they are not the same.
fn differ(a: &PanelAnswer, b: &PanelAnswer) -> bool {
    !a.answer.is_empty() && !b.answer.is_empty() && a.answer != b.answer
}

fn read_panel(file: &Path) -> anyhow::Result<Vec<PanelQuestion>> {
    let panel = csv::Reader::from_path(file).with_context(|| file.display().to_string())?;
    Ok(panel.into_deserialize().collect::<Result<_, _>>()?)
}

/// The properties that coloured nets share with their place/transition forms.
fn forms_panel(data: &Path, filter: &str) -> anyhow::Result<Vec<PanelQuestion>> {
    let mut folders: HashMap<String, PathBuf> = HashMap::new();
    for set in [Set::Dev, Set::Large] {
        let models = models(set, data)?;
        let names = instances(set, "", data)?;
        folders.extend(names.into_iter().map(|name| (name.clone(), models.join(name))));
    }
    let chosen = |name: &&String| name.contains("-COL-") && name.contains(filter);
    let coloured: BTreeSet<&String> = folders.keys().filter(chosen).collect();
    let mut questions = Vec::new();
    for name in coloured {
        let Some(plain) = folders.get(&name.replace("-COL-", "-PT-")) else { continue };
        let before = questions.len();
        for examination in ["LTLCardinality", "LTLFireability"] {
            let file = |folder: &Path| folder.join(format!("{examination}.xml"));
            for index in forms::shared(&file(&folders[name]), &file(plain))? {
                questions.push(PanelQuestion {
                    instance: name.clone(),
                    examination: examination.to_owned(),
                    index: index.to_string(),
                    folders: Some([plain.clone(), folders[name].clone()]),
                });
            }
        }
        if questions.len() == before {
            println!("{name}: no property is also asked about the place/transition form");
        }
    }
    Ok(questions)
}

/// Asks one side.
fn ask(
    args: &Args,
    data: &Path,
    binary: &Path,
    side: usize,
    question: &PanelQuestion,
) -> anyhow::Result<PanelAnswer> {
    let folder = match &question.folders {
        Some(folders) => folders[side].clone(),
        None => data.join("models").join(&question.instance),
    };
    let model = folder.join("model.pnml");
    let mut command = Command::new(binary);
    match args.panel {
        Panel::Ltl | Panel::Forms => {
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
        Panel::Ltl | Panel::Forms => {
            Some(text("verdict")).filter(|v| v != "unknown").unwrap_or_default()
        }
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
fn summarise([old, new]: [&str; 2], pairs: &[(PanelAnswer, PanelAnswer)]) {
    let answered =
        |a: &&(PanelAnswer, PanelAnswer)| !a.0.answer.is_empty() && !a.1.answer.is_empty();
    let solved: Vec<_> = pairs.iter().filter(answered).collect();
    let count = |of: fn(&(PanelAnswer, PanelAnswer)) -> &PanelAnswer| {
        pairs.iter().filter(|pair| !of(pair).answer.is_empty()).count()
    };
    let (a, b) = (count(|p| &p.0), count(|p| &p.1));
    println!("{} questions, {a} and {b} answered, {} by both", pairs.len(), solved.len());
    println!("| | rows | {old} | {new} | ratio |\n|---|---|---|---|---|");
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

/// By family of nets: equal and different answers, CPU time, and the median of its ratios, all
/// of them over the questions that both sides answered.
fn summarise_families(questions: &[PanelQuestion], pairs: &[(PanelAnswer, PanelAnswer)]) {
    let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, question) in questions.iter().enumerate() {
        let family = question.instance.split('-').next().unwrap_or_default();
        families.entry(family).or_default().push(i);
    }
    families.insert("all", (0..questions.len()).collect());
    println!(
        "| family | nets | properties | equal | different | only PT | only COL | CPU s, PT | COL | \
         COL/PT, median |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for (family, rows) in families {
        let nets: BTreeSet<&str> = rows.iter().map(|&i| &*questions[i].instance).collect();
        let mut both = Vec::new();
        let (mut different, mut only) = (0, [0, 0]);
        for (a, b) in rows.iter().map(|&i| &pairs[i]) {
            match (a.answer.is_empty(), b.answer.is_empty()) {
                (false, false) => both.push((a.cpu_s, b.cpu_s)),
                (false, true) => only[0] += 1,
                (true, false) => only[1] += 1,
                (true, true) => {}
            }
            different += usize::from(differ(a, b));
        }
        let ratio = median(both.iter().map(|(pt, col)| col / pt).collect());
        let (pt, col): (f64, f64) = both.iter().fold((0.0, 0.0), |s, t| (s.0 + t.0, s.1 + t.1));
        println!(
            "| {family} | {} | {} | {} | {different} | {} | {} | {pt:.2} | {col:.2} | {ratio:.2} |",
            nets.len(),
            rows.len(),
            both.len() - different,
            only[0],
            only[1]
        );
    }
}

/// The median; 0 of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
