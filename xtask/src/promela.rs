//! `cargo xtask promela`: a net and a formula in the language of Spin, so that another model
//! checker answers the same question.
//!
//! A place is a variable, a transition a `d_step` of one loop: it looks, takes and puts as one step,
//! and where nothing is enabled the process waits at an `end` label, which Spin takes for a run
//! whose last state repeats for ever. That is what Brine means by a run. Spin reads a letter at
//! every step, so formulas with `X` would mean the same only if every firing were exactly one step
//! of Spin; they are refused. Each part of the formula becomes a macro, operands first: no recursion.
//!
//! Not translated: places that can pass 2^31 - 1 tokens wrap around in Spin. Nets whose initial
//! marking or weights come near are refused; the caller must know the others to be bounded.

use anyhow::{anyhow, bail};
use brine_ltl::{Atom, Formula, Formulas, Node, parse};
use brine_net::{Net, PlaceId, TransitionId};
use std::fmt::Write;
use std::path::PathBuf;

/// Print a net and a formula as a model for Spin
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The net
    model: PathBuf,
    /// A formula of LTL without X
    formula: String,
}

/// Numbers in nets that Spin's `int` takes without thinking.
const LARGEST: u32 = 1 << 24;

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let model = brine_pnml::read_model(&args.model, &brine_pnml::UnfoldLimits::default())?;
    let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
    let formula = parse(&args.formula, &mut formulas, &mut symbols)
        .map_err(|error| anyhow!("the formula: {error}"))?;
    print!("{}", promela(&model.net, &formulas, formula)?);
    Ok(())
}

/// The model.
fn promela(net: &Net, formulas: &Formulas, formula: Formula) -> anyhow::Result<String> {
    let weights = net.transitions().flat_map(|t| t.pre.iter().chain(t.post)).map(|a| a.1);
    if net.places().map(|p| p.initial).chain(weights).any(|n| n > LARGEST) {
        bail!("numbers above {LARGEST} are not translated");
    }
    let mut out = String::new();
    for (i, place) in net.places().enumerate() {
        writeln!(out, "int p{i} = {};", place.initial)?;
    }
    out.push_str("active proctype net() {\nend: do\n");
    for t in net.transition_ids() {
        write!(out, ":: d_step {{ {}", enabled(net, t))?;
        out.push_str(" -> skip");
        let node = net.transition(t);
        for (p, weight) in node.pre {
            write!(out, "; p{0} = p{0} - {weight}", p.index())?;
        }
        for (p, weight) in node.post {
            write!(out, "; p{0} = p{0} + {weight}", p.index())?;
        }
        out.push_str(" }\n");
    }
    out.push_str("od }\n");
    for f in formulas.subformulas(formula) {
        writeln!(out, "#define f{} {}", f.index(), part(net, formulas, f)?)?;
    }
    writeln!(out, "ltl asked {{ f{} }}", formula.index())?;
    Ok(out)
}

/// What a transition needs.
fn enabled(net: &Net, t: TransitionId) -> String {
    let needs: Vec<String> = net
        .transition(t)
        .pre
        .iter()
        .map(|(p, weight)| format!("p{} >= {weight}", p.index()))
        .collect();
    if needs.is_empty() { "(true)".to_owned() } else { format!("({})", needs.join(" && ")) }
}

/// One operator over the macros of its operands.
fn part(net: &Net, formulas: &Formulas, f: Formula) -> anyhow::Result<String> {
    let name = |f: Formula| format!("f{}", f.index());
    let joined = |list: &[Formula], operator: &str| {
        let names: Vec<String> = list.iter().map(|&f| name(f)).collect();
        format!("({})", names.join(operator))
    };
    let two =
        |a: Formula, operator: &str, b: Formula| format!("({} {operator} {})", name(a), name(b));
    Ok(match formulas.node(f) {
        Node::True => "(true)".to_owned(),
        Node::False => "(false)".to_owned(),
        Node::Atom(a) => atom(net, formulas.atom(a))?,
        Node::Not(a) => format!("(! {})", name(a)),
        Node::And(list) => joined(formulas.list(list), " && "),
        Node::Or(list) => joined(formulas.list(list), " || "),
        Node::Implies(a, b) => two(a, "->", b),
        Node::Iff(a, b) => two(a, "<->", b),
        Node::Xor(a, b) => format!("(! {})", two(a, "<->", b)),
        Node::X(_) => bail!("formulas with X are not translated: steps of Spin are not firings"),
        Node::F(a) => format!("(<> {})", name(a)),
        Node::G(a) => format!("([] {})", name(a)),
        Node::U(a, b) => two(a, "U", b),
        Node::R(a, b) => two(a, "V", b),
        Node::W(a, b) => format!("({} || ([] {}))", two(a, "U", b), name(a)),
        Node::M(a, b) => format!("({} U ({} && {}))", name(b), name(a), name(b)),
    })
}

fn atom(net: &Net, atom: &Atom) -> anyhow::Result<String> {
    Ok(match atom {
        Atom::Linear(linear) => {
            let term = |(p, weight): &(PlaceId, i64)| format!("({weight}) * p{}", p.index());
            let terms: Vec<String> = linear.terms.iter().map(term).collect();
            let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
            format!("({sum} <= {})", linear.bound)
        }
        Atom::Fireable(list) => {
            let each: Vec<String> = list.iter().map(|&t| enabled(net, t)).collect();
            if each.is_empty() { "(false)".to_owned() } else { format!("({})", each.join(" || ")) }
        }
        Atom::Deadlock => {
            let each: Vec<String> = net.transition_ids().map(|t| enabled(net, t)).collect();
            if each.is_empty() {
                "(true)".to_owned()
            } else {
                format!("(! ({}))", each.join(" || "))
            }
        }
        Atom::Fires(_) => bail!("fires(...) has no counterpart here"),
        Atom::Prop(name) => bail!("\"{name}\" is nothing in this net"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::Symbols;
    use brine_net::NetBuilder;

    fn translated(formula: &str) -> anyhow::Result<String> {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 2), b.place("q", 0));
        b.transition("t", &[(p, 2)], &[(q, 1)]);
        b.transition("u", &[], &[(q, 1)]);
        let net = b.build().unwrap();
        let mut formulas = Formulas::new();
        let f = parse(formula, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        promela(&net, &formulas, f)
    }

    #[test]
    fn a_transition_is_one_step_and_every_part_has_a_name() {
        let text = translated("G (fireable(t) -> F q >= 1)").unwrap();
        for line in [
            "int p0 = 2;",
            ":: d_step { (p0 >= 2) -> skip; p0 = p0 - 2; p1 = p1 + 1 }",
            ":: d_step { (true) -> skip; p1 = p1 + 1 }",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
        }
        assert!(text.contains("ltl asked") && text.contains("((p0 >= 2))"), "{text}");
    }

    #[test]
    fn what_would_mean_something_else_is_refused() {
        assert!(translated("X q = 0").unwrap_err().to_string().contains("with X"));
    }
}
