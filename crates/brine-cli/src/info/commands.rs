//! `brine info` for models that are no nets: size and matrix.

use super::Args;
use super::matrix::{Audited, Matrix};
use super::print::many;
use crate::clock::Clock;
use crate::exit::Exit;
use crate::model::LanguageModel;
use crate::watchdog::{LastWords, Watchdog};
use anyhow::bail;
use brine_run::Stop;
use serde::Serialize;
use std::io::Write;

/// The JSON document.
#[derive(Serialize, Debug)]
struct CommandsReport {
    model: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<usize>,
    variables: usize,
    commands: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<Audited>,
}

/// All that can be said when a budget ends: the parts are quick, or an audit of many states.
#[derive(Debug)]
struct Nothing {
    json: bool,
    model: String,
}

impl LastWords for Nothing {
    fn speak(&mut self, stop: Stop) -> Exit {
        let (model, reason) = (&self.model, stop.word());
        if self.json {
            println!("{}", serde_json::json!({ "model": model, "reason": reason }));
        } else {
            println!("{model}: unknown ({reason})");
        }
        Exit::Unknown
    }
}

/// Runs the command on a model that is no net.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.dot || args.invariants {
        bail!("--dot and --invariants need a net");
    }
    let clock = Clock::start(&args.limits);
    let name = crate::model::file_name(&args.model);
    let dog = Watchdog::start(clock.fence(1), Nothing { json: args.json, model: name.clone() });
    if let Err(stop) = clock.control().look() {
        return Ok(dog.finish().speak(stop));
    }
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let loaded = crate::model::load_language(&source)?;
    let model = loaded.pins();
    let (kind, noun, processes) = match &loaded {
        LanguageModel::Commands(_) => ("guarded commands", "command", None),
        LanguageModel::Dve(dve) => ("DVE", "group", Some(dve.processes())),
    };
    let report = CommandsReport {
        model: name,
        kind,
        processes,
        variables: model.slots(),
        commands: model.groups(),
        matrix: args.matrix.then(|| Matrix::new(model)),
        audit: args.audit.map(|limit| Audited::new(model, limit)).transpose()?,
    };
    let mut out = Vec::new();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        let (variables, commands) =
            (many(report.variables as u64, "variable"), many(report.commands as u64, noun));
        let processes = match report.processes {
            None => String::new(),
            Some(1) => " 1 process,".to_owned(),
            Some(n) => format!(" {n} processes,"),
        };
        writeln!(out, "{}: {},{processes} {variables}, {commands}", report.model, report.kind)?;
        report.matrix.iter().try_for_each(|m| m.print(&mut out))?;
        report.audit.iter().try_for_each(|a| a.print(&mut out))?;
    }
    let _words = dog.finish();
    print!("{}", String::from_utf8_lossy(&out));
    let wrong = report.audit.is_some_and(|a| a.violation.is_some());
    Ok(if wrong { Exit::Internal } else { Exit::Done })
}
