//! `brine info` for guarded commands: size and matrix.

use super::matrix::{Audited, Matrix};
use super::{Args, many};
use crate::clock::Clock;
use crate::exit::Exit;
use crate::watchdog::{LastWords, Watchdog};
use anyhow::bail;
use brine_pins::Pins;
use brine_run::Stop;
use serde::Serialize;
use std::io::Write;

/// The JSON document.
#[derive(Serialize, Debug)]
struct CommandsReport {
    model: String,
    kind: &'static str,
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

/// Runs the command on a model of guarded commands.
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
    let model = crate::model::load_commands(&source)?;
    let report = CommandsReport {
        model: name,
        kind: "guarded commands",
        variables: model.slots(),
        commands: model.groups(),
        matrix: args.matrix.then(|| Matrix::new(&model)),
        audit: args.audit.map(|limit| Audited::new(&model, limit)).transpose()?,
    };
    let mut out = Vec::new();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        let (variables, commands) =
            (many(report.variables as u64, "variable"), many(report.commands as u64, "command"));
        writeln!(out, "{}: {}, {variables}, {commands}", report.model, report.kind)?;
        report.matrix.iter().try_for_each(|m| m.print(&mut out))?;
        report.audit.iter().try_for_each(|a| a.print(&mut out))?;
    }
    let _words = dog.finish();
    print!("{}", String::from_utf8_lossy(&out));
    let wrong = report.audit.is_some_and(|a| a.violation.is_some());
    Ok(if wrong { Exit::Internal } else { Exit::Done })
}
