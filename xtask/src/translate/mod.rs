//! `cargo xtask translate`: a net and a formula in the language of another model checker, so that
//! it answers the same question (docs/campaigns.md, other programs).
//!
//! Runs mean the same everywhere: a step is one firing, and a dead marking repeats for ever. The
//! first line of the output is a comment of the form `// asked: FORMULA` where the language has no
//! place for the formula itself.
//!
//! Formulas are written with seven operators; the others are spelled out by these. The text of each
//! part is made once, operands first (no recursion), and is refused when it gets too long: parts
//! that occur many times are written many times.

mod lola;
mod prism;
mod promela;
mod smv;

use anyhow::{Context, anyhow, bail};
use brine_ltl::{Atom, Formula, Formulas, Linear, Node, parse};
use brine_net::{Net, PlaceId, Structure, TransitionId};
use std::collections::HashMap;
use std::path::PathBuf;

/// Print a net and a formula in the language of another model checker
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The language
    #[arg(long, value_enum)]
    to: Language,
    /// The net
    model: PathBuf,
    /// A formula of LTL
    formula: String,
}

/// A language of another model checker.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    /// Spin
    Promela,
    /// Storm, as a Markov decision process without chance
    Prism,
    /// NuSMV and nuXmv
    Smv,
    /// LoLA
    Lola,
}

/// Longest text of a part of a formula.
const LONGEST: usize = 1 << 20;
/// Tokens and weights up to here are small for everybody.
const LARGEST: u32 = 1 << 24;

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let model = brine_pnml::read_model(&args.model, &brine_pnml::UnfoldLimits::default())?;
    let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
    let formula = parse(&args.formula, &mut formulas, &mut symbols)
        .map_err(|error| anyhow!("the formula: {error}"))?;
    print!("{}", translated(args.to, &model.net, &formulas, formula)?);
    Ok(())
}

fn translated(
    to: Language,
    net: &Net,
    formulas: &Formulas,
    formula: Formula,
) -> anyhow::Result<String> {
    let weights = net.transitions().flat_map(|t| t.pre.iter().chain(t.post)).map(|a| a.1);
    if net.places().map(|p| p.initial).chain(weights).any(|n| n > LARGEST) {
        bail!("numbers above {LARGEST} are not translated");
    }
    match to {
        Language::Promela => promela::text(net, formulas, formula),
        Language::Prism => prism::text(net, formulas, formula),
        Language::Smv => smv::text(net, formulas, formula),
        Language::Lola => lola::text(net, formulas, formula),
    }
}

/// How a language writes operators.
struct Words {
    not: &'static str,
    and: &'static str,
    or: &'static str,
    /// `None` if a step of the language is no firing.
    next: Option<&'static str>,
    finally: &'static str,
    globally: &'static str,
    until: &'static str,
    truth: [&'static str; 2],
}

/// The words of PRISM and of SMV.
const COMMON: Words = Words {
    not: "!",
    and: "&",
    or: "|",
    next: Some("X"),
    finally: "F",
    globally: "G",
    until: "U",
    truth: ["false", "true"],
};

impl Words {
    /// A part, given the texts of its operands.
    fn part(
        &self,
        net: &Net,
        formulas: &Formulas,
        f: Formula,
        of: &dyn Fn(Formula) -> String,
    ) -> anyhow::Result<String> {
        let Words { not, and, or, finally, globally, until, truth, .. } = self;
        let join = |parts: &[String], operator: &str| joined(parts, operator, truth[0]);
        let list = |list: &[Formula]| list.iter().map(|&g| of(g)).collect::<Vec<String>>();
        let negated = |a: Formula| format!("({not} {})", of(a));
        let two = |a: String, operator: &str, b: String| format!("({a} {operator} {b})");
        let both = |a: Formula, b: Formula| two(of(a), and, of(b));
        let always = |a: Formula| format!("({globally} {})", of(a));
        let same = |a, b| two(both(a, b), or, two(negated(a), and, negated(b)));
        Ok(match formulas.node(f) {
            Node::True => format!("({})", truth[1]),
            Node::False => format!("({})", truth[0]),
            Node::Atom(a) => self.atom(net, formulas.atom(a))?,
            Node::Not(a) => negated(a),
            Node::And(all) => join(&list(formulas.list(all)), and),
            Node::Or(all) => join(&list(formulas.list(all)), or),
            Node::Implies(a, b) => two(negated(a), or, of(b)),
            Node::Iff(a, b) => same(a, b),
            Node::Xor(a, b) => format!("({not} {})", same(a, b)),
            Node::X(a) => match self.next {
                Some(next) => format!("({next} {})", of(a)),
                None => bail!("formulas with X are not translated: a step there is no firing"),
            },
            Node::F(a) => format!("({finally} {})", of(a)),
            Node::G(a) => always(a),
            Node::U(a, b) => two(of(a), until, of(b)),
            Node::M(a, b) => two(of(b), until, both(a, b)),
            Node::W(a, b) => two(two(of(a), until, of(b)), or, always(a)),
            Node::R(a, b) => two(two(of(b), until, both(a, b)), or, always(b)),
        })
    }

    /// The whole formula in one text.
    fn formula(&self, net: &Net, formulas: &Formulas, f: Formula) -> anyhow::Result<String> {
        let mut texts: HashMap<Formula, String> = HashMap::new();
        for part in formulas.subformulas(f) {
            let of = |g: Formula| texts.get(&g).cloned().unwrap_or_default();
            let text = self.part(net, formulas, part, &of)?;
            if text.len() > LONGEST {
                bail!("the formula is too long when it is written out");
            }
            texts.insert(part, text);
        }
        texts.remove(&f).context("a formula is a part of itself")
    }

    fn atom(&self, net: &Net, atom: &Atom) -> anyhow::Result<String> {
        let Words { not, truth, .. } = self;
        let some = |list: &mut dyn Iterator<Item = TransitionId>| {
            let each: Vec<String> = list.map(|t| self.enabled(net, t)).collect();
            joined(&each, self.or, truth[0])
        };
        Ok(match atom {
            Atom::Linear(Linear { terms, bound }) => {
                let term = |(p, weight): &(PlaceId, i64)| match weight {
                    1 => place(*p),
                    0.. => format!("{weight} * {}", place(*p)),
                    _ => format!("(0 - {}) * {}", weight.unsigned_abs(), place(*p)),
                };
                let terms: Vec<String> = terms.iter().map(term).collect();
                let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
                let bound = match bound {
                    0.. => bound.to_string(),
                    _ => format!("0 - {}", bound.unsigned_abs()),
                };
                format!("({sum} <= {bound})")
            }
            Atom::Fireable(list) => some(&mut list.iter().copied()),
            Atom::Deadlock => format!("({not} {})", some(&mut net.transition_ids())),
            Atom::Prop(name) => bail!("\"{name}\" is nothing in this net"),
            Atom::Fires(_) => bail!("fires(...) has no counterpart here"),
        })
    }

    /// What a transition needs.
    fn enabled(&self, net: &Net, t: TransitionId) -> String {
        let need = |(p, weight): &(PlaceId, u32)| format!("{} >= {weight}", place(*p));
        let needs: Vec<String> = net.transition(t).pre.iter().map(need).collect();
        joined(&needs, self.and, self.truth[1])
    }
}

/// Parts with an operator between them; this if there are none.
fn joined(parts: &[String], operator: &str, none: &str) -> String {
    match parts {
        [] => format!("({none})"),
        parts => format!("({})", parts.join(&format!(" {operator} "))),
    }
}

/// Places have numbers for names, which every language takes.
fn place(p: PlaceId) -> String {
    format!("p{}", p.index())
}

/// What a transition does to the places that it changes.
fn effect(net: &Net, t: TransitionId) -> Vec<(PlaceId, i64)> {
    let node = net.transition(t);
    let mut all: HashMap<PlaceId, i64> = HashMap::new();
    node.pre.iter().for_each(|&(p, w)| *all.entry(p).or_default() -= i64::from(w));
    node.post.iter().for_each(|&(p, w)| *all.entry(p).or_default() += i64::from(w));
    let mut all: Vec<(PlaceId, i64)> = all.into_iter().filter(|(_, change)| *change != 0).collect();
    all.sort_unstable();
    all
}

/// The place after a change.
fn changed(p: PlaceId, change: i64) -> String {
    let sign = if change < 0 { '-' } else { '+' };
    format!("{} {sign} {}", place(p), change.unsigned_abs())
}

/// The most tokens of each place, proved by invariants.
fn bounds(net: &Net) -> anyhow::Result<Vec<u64>> {
    let structure = Structure::new(net);
    let bound = |p: PlaceId| {
        let told = || format!("no invariant bounds {}, so it has no range", net.place(p).id());
        structure.bounds.of(p).with_context(told)
    };
    net.place_ids().map(bound).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::Symbols;
    use brine_net::NetBuilder;

    /// `t` takes two tokens and puts one; `u` looks and changes nothing.
    pub(super) fn of(to: Language, formula: &str) -> anyhow::Result<String> {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 2), b.place("q", 0));
        b.transition("t", &[(p, 2)], &[(q, 1)]);
        b.transition("u", &[(p, 1)], &[(p, 1)]);
        let net = b.build().unwrap();
        let mut formulas = Formulas::new();
        let f = parse(formula, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        translated(to, &net, &formulas, f)
    }

    fn has_lines(text: &str, lines: &[&str]) {
        for line in lines {
            assert!(text.lines().any(|l| l == *line), "{line} in\n{text}");
        }
    }

    #[test]
    fn a_transition_is_one_step() {
        let asked = "G (fireable(t) -> F q >= 1)";
        let text = of(Language::Promela, asked).unwrap();
        has_lines(
            &text,
            &[
                "int p0 = 2;",
                ":: d_step { (p0 >= 2) -> skip; p0 = p0 - 2; p1 = p1 + 1 }",
                ":: d_step { (p0 >= 1) -> skip }",
            ],
        );
        assert!(text.contains("ltl asked") && text.contains("((p0 >= 2))"), "{text}");
        let text = of(Language::Prism, asked).unwrap();
        has_lines(
            &text,
            &[
                "  p0 : [0..2] init 2;",
                "  [] (p0 >= 2) -> (p0' = p0 - 2) & (p1' = p1 + 1);",
                "  [] (p0 >= 1) -> true;",
                "  [] (! ((p0 >= 2) | (p0 >= 1))) -> true;",
            ],
        );
        assert!(text.starts_with("// asked: P>=1 [ (G ((! ((p0 >= 2))) | (F "), "{text}");
        let text = of(Language::Smv, asked).unwrap();
        has_lines(
            &text,
            &[
                "  p0 : 0..2;",
                "  | ((p0 >= 2) & next(p0) = p0 - 2 & next(p1) = p1 + 1)",
                "  | ((p0 >= 1) & next(p0) = p0 & next(p1) = p1)",
            ],
        );
        assert!(text.contains("\nLTLSPEC (G ("), "{text}");
        let text = of(Language::Lola, asked).unwrap();
        has_lines(
            &text,
            &["PLACE p0, p1;", "MARKING p0: 2;", "TRANSITION t0 CONSUME p0: 2; PRODUCE p1: 1;"],
        );
        assert!(text.starts_with("// asked: A (G ((NOT ((p0 >= 2))) OR (F "), "{text}");
    }

    /// The operators that are spelled out, by their definitions.
    #[test]
    fn other_operators_are_spelled_out() {
        let line = |formula: &str| {
            let text = of(Language::Smv, formula).unwrap();
            let line = text.lines().find_map(|l| l.strip_prefix("LTLSPEC ")).unwrap().to_owned();
            line.replace("(p0 <= 0)", "a").replace("(p1 <= 0)", "b")
        };
        for (formula, spelled) in [
            ("p = 0 W q = 0", "((a U b) | (G a))"),
            ("p = 0 R q = 0", "((b U (a & b)) | (G b))"),
            ("p = 0 M q = 0", "(b U (a & b))"),
            ("p = 0 -> q = 0", "((! a) | b)"),
        ] {
            assert_eq!(line(formula), spelled, "{formula}");
        }
    }

    #[test]
    fn what_would_mean_something_else_is_refused() {
        let message = |to, formula: &str| of(to, formula).unwrap_err().to_string();
        assert!(message(Language::Promela, "X q = 0").contains("with X"));
        assert!(of(Language::Smv, "X q = 0").unwrap().contains("(X "));
        let mut deep = "q = 0".to_owned();
        for _ in 0..30 {
            deep = format!("({deep}) <-> (F p = 0)");
        }
        assert!(message(Language::Prism, &deep).contains("too long"));
    }
}
