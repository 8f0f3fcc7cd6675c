//! Promela, for Spin.
//!
//! A place is a variable, a transition a `d_step` of one loop: it looks, takes and puts as one step,
//! and where nothing is enabled the process waits at an `end` label, which Spin takes for a run
//! whose last state repeats for ever. That is what Brine means by a run. Spin reads a letter at
//! every step, so formulas with `X` would mean the same only if every firing were exactly one step
//! of Spin; they are refused. Each part of the formula becomes a macro, operands first.
//!
//! Not translated: places that can pass 2^31 - 1 tokens wrap around in Spin. Nets whose initial
//! marking or weights come near are refused; the caller must know the others to be bounded.

use super::{Words, changed, effect, place};
use brine_ltl::{Formula, Formulas};
use brine_net::Net;
use std::fmt::Write;

const WORDS: Words = Words {
    not: "!",
    and: "&&",
    or: "||",
    next: None,
    finally: "<>",
    globally: "[]",
    until: "U",
    truth: ["false", "true"],
};

/// The model with its claim.
pub(super) fn text(net: &Net, formulas: &Formulas, formula: Formula) -> anyhow::Result<String> {
    let mut out = String::new();
    for (i, place) in net.places().enumerate() {
        writeln!(out, "int p{i} = {};", place.initial)?;
    }
    out.push_str("active proctype net() {\nend: do\n");
    for t in net.transition_ids() {
        write!(out, ":: d_step {{ {} -> skip", WORDS.enabled(net, t))?;
        for (p, change) in effect(net, t) {
            write!(out, "; {} = {}", place(p), changed(p, change))?;
        }
        out.push_str(" }\n");
    }
    out.push_str("od }\n");
    let name = |f: Formula| format!("f{}", f.index());
    for f in formulas.subformulas(formula) {
        writeln!(out, "#define {} {}", name(f), WORDS.part(net, formulas, f, &name)?)?;
    }
    writeln!(out, "ltl asked {{ f{} }}", formula.index())?;
    Ok(out)
}
