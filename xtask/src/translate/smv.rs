//! The language of NuSMV and nuXmv: one relation between markings, which a dead one has to itself.

use super::{COMMON, bounds, changed, effect, joined, place};
use brine_ltl::{Formula, Formulas};
use brine_net::Net;
use std::collections::HashMap;
use std::fmt::Write;

/// The model with its specification.
pub(super) fn text(net: &Net, formulas: &Formulas, formula: Formula) -> anyhow::Result<String> {
    let words = super::Words { truth: ["FALSE", "TRUE"], ..COMMON };
    let bounds = bounds(net)?;
    let mut out = "MODULE main\nVAR\n".to_owned();
    for (p, bound) in net.place_ids().zip(&bounds) {
        writeln!(out, "  {} : 0..{bound};", place(p))?;
    }
    let initial = |p| format!("{} = {}", place(p), net.place(p).initial);
    let initial: Vec<String> = net.place_ids().map(initial).collect();
    writeln!(out, "INIT\n  {};\nTRANS", joined(&initial, "&", "TRUE"))?;
    let next = |changes: &HashMap<_, i64>| {
        let each = net.place_ids().map(|p| match changes.get(&p) {
            Some(&change) => format!(" & next({}) = {}", place(p), changed(p, change)),
            None => format!(" & next({0}) = {0}", place(p)),
        });
        each.collect::<String>()
    };
    let all: Vec<String> = net.transition_ids().map(|t| words.enabled(net, t)).collect();
    let stays = next(&HashMap::new());
    writeln!(out, "  ((! {}){stays})", joined(&all, "|", "FALSE"))?;
    for (t, enabled) in net.transition_ids().zip(&all) {
        writeln!(out, "  | ({enabled}{})", next(&effect(net, t).into_iter().collect()))?;
    }
    writeln!(out, ";\nLTLSPEC {}", words.formula(net, formulas, formula)?)?;
    Ok(out)
}
