//! Makes a failing question small.
//!
//! Greedy: of all questions that are one step simpler, the first that still fails is taken,
//! until none does. Formulas travel as text, so that they keep their meaning when places and
//! transitions are renumbered; a formula that names something that is gone does not read, and
//! is no candidate.

use brine_ltl::{Atom, Binary, Formula, Formulas, Linear, Node, Symbols, parse};
use brine_net::{Net, NetBuilder, PlaceId, Transition, TransitionId};

/// A net and a formula over it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetAndFormula {
    /// The net.
    pub net: Net,
    /// The formula, as text.
    pub formula: String,
}

/// Makes a question small that `fails`; at most `attempts` candidates are tried.
pub fn shrink(
    question: NetAndFormula,
    mut attempts: usize,
    mut fails: impl FnMut(&NetAndFormula) -> bool,
) -> NetAndFormula {
    let mut best = question;
    'smaller: loop {
        for candidate in simpler(&best) {
            if attempts == 0 {
                break 'smaller;
            }
            attempts -= 1;
            if fails(&candidate) {
                best = candidate;
                continue 'smaller;
            }
        }
        break;
    }
    best
}

/// All questions that are one step simpler, the boldest steps first.
fn simpler(question: &NetAndFormula) -> Vec<NetAndFormula> {
    let NetAndFormula { net, formula } = question;
    let with_net = |net: Net| NetAndFormula { net, formula: formula.clone() };
    let with_formula = |formula: String| NetAndFormula { net: net.clone(), formula };
    let nets = simpler_nets(net).into_iter().map(with_net);
    let formulas = simpler_formulas(net, formula).into_iter().map(with_formula);
    nets.chain(formulas).filter(|q| q != question && reads(q)).collect()
}

fn reads(question: &NetAndFormula) -> bool {
    let mut symbols = Symbols::of_net(&question.net);
    parse(&question.formula, &mut Formulas::new(), &mut symbols).is_ok()
}

/// Nets with one thing less.
fn simpler_nets(net: &Net) -> Vec<Net> {
    let mut nets = Vec::new();
    if net.nupn().is_some() {
        nets.push(rebuilt(net, |_| true, |_, n| n, |_, t| Some(OwnArcs::of(t))));
    }
    if net.transitions().len() > 1 {
        for gone in net.transition_ids() {
            let keep = |t, arcs: Transition<'_>| (t != gone).then(|| OwnArcs::of(arcs));
            nets.push(rebuilt(net, |_| true, |_, n| n, keep));
        }
    }
    if net.places().len() > 1 {
        for gone in net.place_ids() {
            nets.push(rebuilt(net, |p| p != gone, |_, n| n, |_, t| Some(OwnArcs::of(t))));
        }
    }
    for changed in net.place_ids() {
        let now = net.place(changed).initial;
        for less in [0, 1, now / 2, now.saturating_sub(1)].into_iter().filter(|&n| n < now) {
            let tokens = |p: PlaceId, n: u32| if p == changed { less } else { n };
            nets.push(rebuilt(net, |_| true, tokens, |_, t| Some(OwnArcs::of(t))));
        }
    }
    for changed in net.transition_ids() {
        for simple in simpler_transitions(net.transition(changed)) {
            let change = |t, arcs: Transition<'_>| {
                Some(if t == changed { simple.clone() } else { OwnArcs::of(arcs) })
            };
            nets.push(rebuilt(net, |_| true, |_, n| n, change));
        }
    }
    nets
}

/// The arcs of a transition, to be changed.
#[derive(Clone)]
struct OwnArcs {
    pre: Vec<(PlaceId, u32)>,
    post: Vec<(PlaceId, u32)>,
}

impl OwnArcs {
    fn of(t: Transition<'_>) -> Self {
        OwnArcs { pre: t.pre.to_vec(), post: t.post.to_vec() }
    }
}

/// The transition with an arc less, or a smaller weight.
fn simpler_transitions(t: Transition<'_>) -> Vec<OwnArcs> {
    let smaller = |arcs: &[(PlaceId, u32)]| {
        let mut all = Vec::new();
        for (i, &(_, weight)) in arcs.iter().enumerate() {
            for less in [0, 1, weight / 2, weight - 1].into_iter().filter(|&w| w < weight) {
                let mut arcs = arcs.to_vec();
                arcs[i].1 = less;
                all.push(arcs);
            }
        }
        all
    };
    let pre = smaller(t.pre).into_iter().map(|pre| OwnArcs { pre, post: t.post.to_vec() });
    let post = smaller(t.post).into_iter().map(|post| OwnArcs { pre: t.pre.to_vec(), post });
    pre.chain(post).collect()
}

/// A net of the places to keep, without units.
fn rebuilt(
    net: &Net,
    keep: impl Fn(PlaceId) -> bool,
    tokens: impl Fn(PlaceId, u32) -> u32,
    change: impl Fn(TransitionId, Transition<'_>) -> Option<OwnArcs>,
) -> Net {
    let mut b = NetBuilder::new(net.name());
    let mut number = vec![None; net.places().len()];
    for p in net.place_ids().filter(|&p| keep(p)) {
        let place = net.place(p);
        number[p.index()] =
            Some(b.named_place(&place.id(), &place.name(), tokens(p, place.initial)));
    }
    let arcs = |side: &[(PlaceId, u32)]| -> Vec<(PlaceId, u32)> {
        side.iter().filter_map(|&(p, w)| number[p.index()].map(|p| (p, w))).collect()
    };
    for (t, old) in net.transition_ids().zip(net.transitions()) {
        if let Some(new) = change(t, old) {
            b.named_transition(&old.id(), &old.name(), &arcs(&new.pre), &arcs(&new.post));
        }
    }
    // The ids are those of a valid net.
    b.build().unwrap_or_default()
}

/// Formulas in which one subformula has given way to one of its operands, a constant, or an
/// atom that says less.
fn simpler_formulas(net: &Net, text: &str) -> Vec<String> {
    let mut fs = Formulas::new();
    let mut symbols = Symbols::of_net(net);
    let Ok(formula) = parse(text, &mut fs, &mut symbols) else { return Vec::new() };
    let mut simpler = Vec::new();
    // The largest subformulas first.
    for &old in fs.subformulas(formula).iter().rev() {
        let mut operands = vec![Formula::TRUE, Formula::FALSE];
        fs.for_each_operand(old, |f| operands.push(f));
        operands.extend(simpler_atoms(&mut fs, old));
        for new in operands {
            simpler.push(replaced(&mut fs, formula, old, new));
        }
    }
    // By size, then by length: an equality is shorter than the comparison it is made of.
    let size = |f: Formula, text: &str| (fs.subformulas(f).len(), text.len());
    let texts = simpler.into_iter().map(|f| (f, fs.print(f, &symbols)));
    texts.filter(|(f, new)| size(*f, new) < size(formula, text)).map(|(_, new)| new).collect()
}

/// Atoms with a transition or a place less; none for what is no atom.
fn simpler_atoms(fs: &mut Formulas, f: Formula) -> Vec<Formula> {
    let Node::Atom(atom) = fs.node(f) else { return Vec::new() };
    let without = |length: usize, at: usize| (0..length).filter(move |&i| i != at);
    let atoms: Vec<Atom> = match fs.atom(atom) {
        Atom::Fireable(all) if all.len() > 1 => (0..all.len())
            .map(|gone| Atom::Fireable(without(all.len(), gone).map(|i| all[i]).collect()))
            .collect(),
        Atom::Fires(all) if all.len() > 1 => (0..all.len())
            .map(|gone| Atom::Fires(without(all.len(), gone).map(|i| all[i]).collect()))
            .collect(),
        Atom::Linear(Linear { terms, bound }) if terms.len() > 1 => (1..terms.len())
            .map(|gone| without(terms.len(), gone).map(|i| terms[i]).collect())
            .map(|terms| Atom::Linear(Linear { terms, bound: *bound }))
            .collect(),
        _ => Vec::new(),
    };
    let mut formula = |atom| {
        let id = fs.intern_atom(atom);
        fs.atom_formula(id)
    };
    atoms.into_iter().map(&mut formula).collect()
}

/// The formula with `new` in all places of `old`.
fn replaced(fs: &mut Formulas, formula: Formula, old: Formula, new: Formula) -> Formula {
    let mut now: std::collections::HashMap<Formula, Formula> = [(old, new)].into();
    for f in fs.subformulas(formula) {
        if now.contains_key(&f) {
            continue;
        }
        let at = |g: Formula| now.get(&g).copied().unwrap_or(g);
        let list = |l| fs.list(l).iter().map(|&g| at(g)).collect::<Vec<_>>();
        let result = match fs.node(f) {
            Node::True | Node::False | Node::Atom(_) => f,
            Node::Not(a) => fs.not(at(a)),
            Node::X(a) => fs.x(at(a)),
            Node::F(a) => fs.f(at(a)),
            Node::G(a) => fs.g(at(a)),
            Node::And(l) => {
                let list = list(l);
                fs.and(list)
            }
            Node::Or(l) => {
                let list = list(l);
                fs.or(list)
            }
            Node::Implies(a, b) => fs.binary(Binary::Implies, at(a), at(b)),
            Node::Iff(a, b) => fs.binary(Binary::Iff, at(a), at(b)),
            Node::Xor(a, b) => fs.binary(Binary::Xor, at(a), at(b)),
            Node::U(a, b) => fs.binary(Binary::U, at(a), at(b)),
            Node::R(a, b) => fs.binary(Binary::R, at(a), at(b)),
            Node::W(a, b) => fs.binary(Binary::W, at(a), at(b)),
            Node::M(a, b) => fs.binary(Binary::M, at(a), at(b)),
        };
        now.insert(f, result);
    }
    now.get(&formula).copied().unwrap_or(formula)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulas::{AtomScope, sized_formula};
    use crate::nets::random_net;
    use crate::{Kripke, holds};
    use brine_net::Rng;

    /// A fault that needs a place with two tokens and a formula with an X: that is all that
    /// must be left of any question that has both.
    #[test]
    fn only_what_matters_is_left() {
        let fails =
            |q: &NetAndFormula| q.net.places().any(|p| p.initial >= 2) && q.formula.contains('X');
        let mut shrunk = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let net = random_net(&mut rng);
            let mut fs = Formulas::new();
            let f = sized_formula(&mut rng, AtomScope::of(&net), &mut fs, 15);
            let formula = fs.print(f, &Symbols::of_net(&net));
            let question = NetAndFormula { net, formula };
            if !fails(&question) {
                continue;
            }
            let small = shrink(question, 10_000, fails);
            assert!(fails(&small));
            assert!(
                small.net.transitions().len() == 1 && small.net.places().len() <= 2,
                "{small:?}"
            );
            assert!(small.net.transition(TransitionId(0)).pre.is_empty());
            assert!(small.formula.len() < 25, "{}", small.formula);
            shrunk += 1;
        }
        assert!(shrunk > 20, "{shrunk}");
    }

    /// Shrinking keeps what it is told to keep, here a verdict that only the oracle knows.
    #[test]
    fn a_violation_stays_a_violation() {
        let violated = |q: &NetAndFormula| {
            let mut fs = Formulas::new();
            let parsed = parse(&q.formula, &mut fs, &mut Symbols::of_net(&q.net));
            let kripke = Kripke::new(&q.net, 40);
            let (Ok(f), Some(kripke)) = (parsed, kripke) else { return false };
            q.formula.contains('U') && holds(&q.net, &kripke, &fs, f) == Some(false)
        };
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 3), b.place("q", 0));
        b.transition("t", &[(p, 1)], &[(q, 1)]);
        b.transition("u", &[(q, 2)], &[(p, 2)]);
        let net = b.build().unwrap();
        let formula = "G (p >= 1 U q >= 3) | X X p + q <= 2".to_owned();
        let small = shrink(NetAndFormula { net, formula }, 1_000, violated);
        assert!(violated(&small));
        assert!(small.formula.len() <= 15, "{small:?}");
    }
}
