//! PRISM's language, for Storm: a Markov decision process in which nothing is left to chance.
//!
//! Every choice is the scheduler's, so a scheduler is a run, and "with probability 1 under every
//! scheduler" is "in all runs": the least probability is 0 or 1, as schedulers with finite memory
//! reach it. A dead marking has a step to itself.

use super::{COMMON, bounds, changed, effect, joined, place};
use brine_ltl::{Formula, Formulas};
use brine_net::Net;
use std::fmt::Write;

/// The model; its first line has the property.
pub(super) fn text(net: &Net, formulas: &Formulas, formula: Formula) -> anyhow::Result<String> {
    let bounds = bounds(net)?;
    let asked = COMMON.formula(net, formulas, formula)?;
    let mut out = format!("// asked: P>=1 [ {asked} ]\nmdp\nmodule net\n");
    for (p, bound) in net.place_ids().zip(&bounds) {
        // A range of one number is none in PRISM.
        let (most, initial) = (bound.max(&1), net.place(p).initial);
        writeln!(out, "  {} : [0..{most}] init {initial};", place(p))?;
    }
    let mut all = Vec::new();
    for t in net.transition_ids() {
        let enabled = COMMON.enabled(net, t);
        let parts = effect(net, t).into_iter();
        let parts: Vec<String> =
            parts.map(|(p, change)| format!("({}' = {})", place(p), changed(p, change))).collect();
        let update = if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") };
        writeln!(out, "  [] {enabled} -> {update};")?;
        all.push(enabled);
    }
    writeln!(out, "  [] (! {}) -> true;\nendmodule", joined(&all, "|", "false"))?;
    Ok(out)
}
