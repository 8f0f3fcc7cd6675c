//! LoLA's format of place/transition nets.

use super::{Words, place};
use brine_ltl::{Formula, Formulas};
use brine_net::{Net, PlaceId};
use std::fmt::Write;

const WORDS: Words = Words {
    not: "NOT",
    and: "AND",
    or: "OR",
    next: Some("X"),
    finally: "F",
    globally: "G",
    until: "U",
    truth: ["FALSE", "TRUE"],
};

/// The net; its first line has the formula.
pub(super) fn text(net: &Net, formulas: &Formulas, formula: Formula) -> anyhow::Result<String> {
    let mut out = format!("// asked: A {}\n", WORDS.formula(net, formulas, formula)?);
    let list = |arcs: &[(PlaceId, u32)]| {
        let each = arcs.iter().map(|&(p, weight)| format!("{}: {weight}", place(p)));
        each.collect::<Vec<String>>().join(", ")
    };
    let places: Vec<String> = net.place_ids().map(place).collect();
    let marked: Vec<(PlaceId, u32)> =
        net.place_ids().map(|p| (p, net.place(p).initial)).filter(|(_, n)| *n > 0).collect();
    writeln!(out, "PLACE {};\nMARKING {};", places.join(", "), list(&marked))?;
    for t in net.transition_ids() {
        let (node, number) = (net.transition(t), t.index());
        let (takes, puts) = (list(node.pre), list(node.post));
        writeln!(out, "TRANSITION t{number} CONSUME {takes}; PRODUCE {puts};")?;
    }
    Ok(out)
}
