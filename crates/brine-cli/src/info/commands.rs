//! `brine info` for guarded commands: size and matrix.

use super::matrix::{Audited, Matrix};
use super::{Args, many};
use crate::exit::Exit;
use anyhow::bail;
use brine_pins::Pins;
use serde::Serialize;
use std::io::{BufWriter, Write};

/// The JSON document.
#[derive(Serialize, Debug)]
struct Report {
    model: String,
    kind: &'static str,
    variables: usize,
    commands: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<Audited>,
}

/// Runs the command on a model of guarded commands.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.dot || args.invariants {
        bail!("--dot and --invariants need a net");
    }
    let model = crate::model::load_commands(&crate::model::source(&args.model, None))?;
    let report = Report {
        model: crate::model::file_name(&args.model),
        kind: "guarded commands",
        variables: model.slots(),
        commands: model.groups(),
        matrix: args.matrix.then(|| Matrix::new(&model)),
        audit: args.audit.map(|limit| Audited::new(&model, limit)).transpose()?,
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        let (variables, commands) =
            (many(report.variables as u64, "variable"), many(report.commands as u64, "command"));
        writeln!(out, "{}: {}, {variables}, {commands}", report.model, report.kind)?;
        report.matrix.iter().try_for_each(|m| m.print(&mut out))?;
        report.audit.iter().try_for_each(|a| a.print(&mut out))?;
    }
    out.flush()?;
    let wrong = report.audit.is_some_and(|a| a.violation.is_some());
    Ok(if wrong { Exit::Internal } else { Exit::Done })
}
