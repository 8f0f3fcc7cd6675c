//! EP10 Table 1 in kind: persistent sets without proviso, with the safety and with the liveness
//! provisos of the paper.
//!
//! Writes `docs/experiments/ep10.md`, or for models of BEEM `ep10-beem.md`. Strong sets, as the safety provisos need them.

use super::provisos::{Collection, KeptRuns, proviso};
use anyhow::Context;
use brine_explicit::provisos::Proviso;
use brine_explicit::stubborn::{Choice, Strength};
use std::fmt::Write;
use std::path::Path;

/// The columns; the last two are Brine's own.
const COLUMNS: [&str; 11] = [
    "None", "Full", "C2S_s", "C2S_e", "C2S_q", "C2L_s", "C2L_c", "C2L_c*", "C2L_q", "Delegate",
    "Acyclic",
];

/// Measures and writes the page.
pub(super) fn measure_and_write(
    collection: &Collection,
    most: u64,
    mut kept: KeptRuns,
) -> anyhow::Result<()> {
    let provisos: Vec<Proviso> =
        COLUMNS.iter().map(|name| proviso(name)).collect::<anyhow::Result<_>>()?;
    let choice = Choice { strength: Strength::Strong, ..Choice::default() };
    let options = match collection {
        Collection::Ours => String::new(),
        Collection::Beem(_) => format!(" --beem --most {most}"),
    };
    let mut text = format!(
        "# Provisos: the table of EP10\n\n\
         Written by `cargo xtask tables ep10{options}`. States of the graph, in the order of the model; \
         strong stubborn sets. Full is the whole state space, None the sets without proviso: \
         the bounds between which the provisos lie. C2S are for safety, C2L for liveness; `_q` \
         is breadth first; Delegate (safety) and Acyclic (liveness) are Brine's own rules. What \
         it means: [provisos.md](provisos.md).\n\n",
    );
    writeln!(text, "| model | {} |", COLUMNS.join(" | "))?;
    writeln!(text, "|---|{}", "--:|".repeat(COLUMNS.len()))?;
    let mut better = [0; 5];
    let mut all = collection.models(most)?;
    for model in collection.large_models()? {
        if all.iter().all(|m| m.name != model.name) {
            all.push(model);
        }
    }
    for model in &all {
        let runs = kept.run(model, 0, &provisos, choice)?;
        let states: Vec<u64> = runs.iter().map(|r| r.states).collect();
        let cells: Vec<String> = states.iter().map(u64::to_string).collect();
        writeln!(text, "| {} | {} |", model.name, cells.join(" | "))?;
        let of = |name: &str| COLUMNS.iter().position(|c| *c == name).map_or(0, |i| states[i]);
        better[0] += usize::from(of("C2S_e") == of("None"));
        better[1] += usize::from(of("C2L_c*") < of("C2L_s"));
        better[2] += usize::from(of("C2L_c*") > of("C2L_s"));
        better[3] += usize::from(of("Acyclic") < of("C2L_c*"));
        better[4] += usize::from(of("Acyclic") > of("C2L_c*"));
    }
    let nets = all.len();
    writeln!(text, "\nThe paper's findings:\n")?;
    writeln!(
        text,
        "- C2S_e adds nothing to the bare sets on {} of {nets} models (in the paper on 8 of 10).",
        better[0]
    )?;
    writeln!(
        text,
        "- C2L_c* is smaller than C2L_s on {} models and larger on {} (in the paper 8 and 2 of 10).",
        better[1], better[2]
    )?;
    writeln!(
        text,
        "- Acyclic is smaller than C2L_c* on {} models and larger on {}.",
        better[3], better[4]
    )?;
    let file = format!("../docs/experiments/ep10{}.md", collection.suffix());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
