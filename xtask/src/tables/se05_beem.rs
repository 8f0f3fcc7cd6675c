//! SE05 Table 1 on BEEM's models of leader election, the kind of model that the paper measured.
//!
//! Writes `docs/experiments/se05-beem.md`, by the same pages as [`super::se05`].

use super::se05::{CHECKS, Se05Case, page};
use anyhow::{Context, anyhow};
use brine_dve::DveModel;
use brine_enumerate::check::{VectorOptions, check};
use brine_enumerate::edges::AllEdges;
use brine_enumerate::product::VectorProduct;
use brine_enumerate::vectors::Vectors;
use brine_explicit::check::prepared;
use brine_explicit::{Control, Emptiness, graph};
use brine_ltl::{Automaton, Class, Formulas};
use brine_pins::Labelled;
use std::path::Path;
use std::sync::Arc;

/// Models, and what says there that somebody was elected, and that node 0 knows about itself.
const MODELS: [(&str, &str, &str); 5] = [
    ("extinction.1", "leaders_num > 0", "Node_0.leader"),
    ("extinction.2", "leaders_num > 0", "Node_0.leader"),
    ("leader_election.1", "nr_leaders > 0", "Node_0.know == 1"),
    ("leader_election.2", "nr_leaders > 0", "Node_0.know == 1"),
    ("leader_election.3", "nr_leaders > 0", "Node_0.know == 1"),
];

/// Properties, with ELECTED and KNOWS for these expressions.
const PROPERTIES: [(&str, &str); 12] = [
    ("A", "F ELECTED"),
    ("B", "G not ELECTED"),
    ("C", "G (Node_0.got_msg -> F Node_0.wait)"),
    ("D", "G F Node_0.got_msg"),
    ("E", "F G not Node_0.got_msg"),
    ("F", "G (KNOWS -> G KNOWS)"),
    ("G", "F KNOWS"),
    ("H", "G F Node_0.wait -> F G Node_0.wait"),
    ("I", "G (Node_1.got_msg -> (Node_1.got_msg U Node_1.wait))"),
    ("J", "F G (Node_0.wait or KNOWS)"),
    ("K", "G (ELECTED -> F KNOWS)"),
    ("L", "F G Node_1.wait -> F ELECTED"),
];

/// Runs the task.
pub(super) fn run(data: &Path) -> anyhow::Result<()> {
    let mut cases = Vec::new();
    for (model, elected, knows) in MODELS {
        let path = data.join("models").join(format!("{model}.dve"));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for (name, formula) in PROPERTIES {
            eprintln!("{model} {name}");
            let formula = formula.replace("ELECTED", elected).replace("KNOWS", knows);
            cases.push(measure(&text, model, name, formula)?);
        }
    }
    let head = "Written by `cargo xtask tables se05 --beem`; deterministic. The models are BEEM's \
        `extinction` (Echo with extinction) and `leader_election` (Dolev, Klawe and Rodeh, or \
        Peterson); formulas are ours.";
    let text = page(&cases, head)?;
    print!("{text}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/experiments/se05-beem.md");
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn measure(
    text: &str,
    variant: &str,
    name: &'static str,
    formula: String,
) -> anyhow::Result<Se05Case> {
    let mut model = brine_dve::parse(text).map_err(|e| anyhow!("{variant}: {e}"))?;
    let automaton = Arc::new(violations(&mut model, &formula)?);
    let mut found = Vec::new();
    let mut cycle = false;
    for emptiness in CHECKS {
        let options = VectorOptions { emptiness: Some(emptiness), ..VectorOptions::default() };
        let answer = check(&model, &automaton, options, Control::default());
        let answer = answer.map_err(|m| anyhow!("{m:?}"))?;
        let run = answer.run?;
        cycle = run.is_some();
        found.push((answer.stats, run.map_or(0, |r| r.prefix.len() + r.cycle.len())));
    }
    let labelled = Labelled::new(&model, automaton.atoms());
    let vectors = Vectors::new(&labelled, Control::default())?;
    let (state_based, accepting) = prepared(&automaton, Emptiness::Ndfs);
    let mut product = VectorProduct::new(AllEdges::new(vectors), state_based, accepting);
    let (states, transitions) = graph::size(&mut product).map_err(|stop| anyhow!("{stop:?}"))?;
    let weak = automaton.class() <= Class::Weak;
    let variant = variant.to_owned();
    Ok(Se05Case { variant, name, formula, weak, states, transitions, cycle, found })
}

/// The automaton of the negated formula; what it speaks of becomes labels of the model.
fn violations(model: &mut DveModel, text: &str) -> anyhow::Result<Automaton> {
    let mut formulas = Formulas::new();
    let formula = model.formula(text, &mut formulas).map_err(|e| anyhow!("{text}: {e}"))?;
    let negation = formulas.not(formula);
    Ok(brine_ltl::translate(&formulas, negation, &brine_ltl::Options::default())?)
}
