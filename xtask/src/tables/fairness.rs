//! `cargo xtask tables fairness`: properties of fair runs, symbolic against explicit search, and
//! against fairness written as a formula.
//!
//! Philosophers, a ring with a token, and readers with a writer are asked who is served. Each run
//! is a process with limits; the answers of all ways must agree. The third way asks, with the
//! explicit engine and no fairness, whether `fair -> property` holds on all runs, where `fair` says
//! in LTL what fairness is ([`brine_oracle::fair_formula`]): the automaton is exponential, so
//! that only the smallest nets are asked.

use crate::mcc::build_binary;
use anyhow::{Context, bail};
use brine_ltl::{Formulas, Symbols, parse};
use brine_models::{philosophers_ordered, token_ring};
use brine_net::{Fairness, Net, NetBuilder, PlaceId, TransitionId};
use brine_oracle::fair_formula;
use serde::Deserialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds and mebibytes for each run.
const TIME: &str = "60s";
const MEMORY: &str = "2G";
/// Fair transitions that a formula about fairness may name.
const MOST_IN_FORMULA: usize = 3;

/// Something to ask about.
struct FairCase {
    net: Net,
    ltl: String,
    /// Names of transitions.
    weak: Vec<String>,
    strong: Vec<String>,
}

/// The part of `brine check --json` that is used.
#[derive(Deserialize, Debug)]
struct Answer {
    verdict: String,
    time_s: f64,
}

/// Runs the task.
pub(super) fn run(binary: Option<PathBuf>) -> anyhow::Result<()> {
    let binary = binary.map_or_else(build_binary, Ok)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fairness");
    std::fs::create_dir_all(&folder)?;
    let mut table = String::from(
        "| net | property | fair | answer | symbolic | explicit | as a formula |\n\
         |---|---|---|---|--:|--:|--:|\n",
    );
    for case in cases()? {
        let path = folder.join(format!("{}.pnml", case.net.name()));
        let mut pnml = Vec::new();
        brine_pnml::write_pnml(&case.net, &mut pnml)?;
        std::fs::write(&path, pnml)?;
        let mut answers = Vec::new();
        for engine in ["symbolic", "explicit"] {
            let mut options = vec!["--ltl", &case.ltl, "--engine", engine];
            let (weak, strong) = (case.weak.join(","), case.strong.join(","));
            for (option, list) in [("--weak-fair", &weak), ("--strong-fair", &strong)] {
                if !list.is_empty() {
                    options.extend([option, list]);
                }
            }
            answers.push(ask(&binary, &path, &options)?);
        }
        answers.push(match case.as_formula()? {
            Some(text) => ask(&binary, &path, &["--ltl", &text, "--engine", "explicit"])?,
            None => None,
        });
        let known: Vec<&Answer> = answers.iter().flatten().collect();
        let verdict = known.first().map_or("unknown", |a| &a.verdict);
        if known.iter().any(|a| a.verdict != verdict) {
            bail!("{}: {} has different answers: {known:?}", case.net.name(), case.ltl);
        }
        let time = |answer: &Option<Answer>| {
            answer.as_ref().map_or("-".to_owned(), |a| format!("{:.3} s", a.time_s))
        };
        let times: Vec<String> = answers.iter().map(time).collect();
        writeln!(
            table,
            "| {} | `{}` | {} | {verdict} | {} |",
            case.net.name(),
            case.ltl,
            case.fairness(),
            times.join(" | ")
        )?;
        println!("{}", table.lines().last().unwrap_or_default());
    }
    std::fs::write(folder.join("table.md"), &table)?;
    println!("\n{table}");
    Ok(())
}

/// One answer; none if a budget ran out.
fn ask(binary: &Path, model: &Path, options: &[&str]) -> anyhow::Result<Option<Answer>> {
    let limits = ["--json", "--timeout", TIME, "--memory", MEMORY];
    let output =
        Command::new(binary).arg("check").arg(model).args(options).args(limits).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let answer: Answer = serde_json::from_str(&text).with_context(|| {
        format!("{options:?}: {text}{}", String::from_utf8_lossy(&output.stderr))
    })?;
    Ok((answer.verdict != "unknown").then_some(answer))
}

impl FairCase {
    fn fairness(&self) -> String {
        match (self.weak.len(), self.strong.len()) {
            (0, 0) => "-".to_owned(),
            (0, n) if n == self.net.transitions().len() => "strong".to_owned(),
            (n, 0) if n == self.net.transitions().len() => "weak".to_owned(),
            (weak, strong) => format!("{weak} weak, {strong} strong"),
        }
    }

    /// The property with fairness as a part of it, if that is not too large.
    fn as_formula(&self) -> anyhow::Result<Option<String>> {
        if self.weak.len() + self.strong.len() > MOST_IN_FORMULA {
            return Ok(None);
        }
        let (mut formulas, mut symbols) = (Formulas::new(), Symbols::of_net(&self.net));
        let property = parse(&self.ltl, &mut formulas, &mut symbols)?;
        let mut named = |names: &[String]| -> anyhow::Result<Vec<TransitionId>> {
            let mut all = Vec::new();
            for name in names {
                let found = symbols.transitions(name);
                all.extend(found.map_err(|e| anyhow::anyhow!("no transition {}", e.name))?);
            }
            Ok(all)
        };
        let fairness = Fairness::new(named(&self.weak)?, named(&self.strong)?);
        let formula = fair_formula(&mut formulas, property, &fairness);
        Ok(Some(formulas.print(formula, &symbols)))
    }
}

/// All questions.
fn cases() -> anyhow::Result<Vec<FairCase>> {
    let all = |net: &Net| net.transitions().map(|t| t.id().into_owned()).collect::<Vec<_>>();
    let mut cases = Vec::new();
    for n in [5, 10, 20, 50] {
        let net = philosophers_ordered(n);
        let ltl = "G F fires(put_0)".to_owned();
        let names = all(&net);
        let own = ["take_first_0", "take_second_0", "put_0"].map(str::to_owned).to_vec();
        for (weak, strong) in [(Vec::new(), own), (names.clone(), Vec::new()), (Vec::new(), names)]
        {
            cases.push(FairCase { net: net.clone(), ltl: ltl.clone(), weak, strong });
        }
    }
    for n in [5, 10, 20] {
        let net = token_ring(n);
        let (names, ltl) = (all(&net), "G (want_0 >= 1 -> F fires(start_0))".to_owned());
        for (weak, strong) in [(names.clone(), Vec::new()), (Vec::new(), names)] {
            cases.push(FairCase { net: net.clone(), ltl: ltl.clone(), weak, strong });
        }
    }
    for n in [5, 10, 20] {
        let net = readers_and_writer(n)?;
        let ltl = "G F fires(write)".to_owned();
        let (start, stop) = ("write".to_owned(), "written".to_owned());
        cases.push(FairCase {
            net: net.clone(),
            ltl: ltl.clone(),
            weak: vec![start.clone(), stop.clone()],
            strong: Vec::new(),
        });
        cases.push(FairCase { ltl, weak: vec![stop], strong: vec![start], net: net.clone() });
        let (names, ltl) = (all(&net), "G F fires(write)".to_owned());
        cases.push(FairCase { net, ltl, weak: Vec::new(), strong: names });
    }
    Ok(cases)
}

/// Readers read side by side, a writer alone: a reader needs one of n tickets, the writer all.
fn readers_and_writer(n: u32) -> anyhow::Result<Net> {
    let mut b = NetBuilder::new(&format!("readers-writer-{n}"));
    let tickets = b.place("tickets", n);
    let (idle, writes) = (b.place("writer_idle", 1), b.place("writes", 0));
    b.transition("write", &[(idle, 1), (tickets, n)], &[(writes, 1)]);
    b.transition("written", &[(writes, 1)], &[(idle, 1), (tickets, n)]);
    for i in 0..n {
        let (idle, reads): (PlaceId, PlaceId) =
            (b.place(&format!("reader_idle_{i}"), 1), b.place(&format!("reads_{i}"), 0));
        b.transition(&format!("read_{i}"), &[(idle, 1), (tickets, 1)], &[(reads, 1)]);
        b.transition(&format!("done_{i}"), &[(reads, 1)], &[(idle, 1), (tickets, 1)]);
    }
    Ok(b.build()?)
}
