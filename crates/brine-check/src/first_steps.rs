//! The first steps, taken beforehand: how most properties with `X` become stutter-invariant.
//!
//! People write `X` mostly at the beginning of a formula. After the letters of the first few
//! markings are read ([`Formulas::after`]), what remains to be satisfied is then often
//! stutter-invariant, and partial-order and structural reductions apply, which they do not as
//! long as steps are counted. On the contest's development set half of the properties are not
//! stutter-invariant; half of those are after one step, three quarters after two.
//!
//! Take all paths of k steps from the initial marking (a dead marking stays). Each leads to a
//! marking M_i, and leaves a formula f_i for the runs from there. The property is restated for
//! a new net: all places are empty but for one new place `start`; for each i there is a
//! transition that takes the token of `start` and puts M_i, and, if the f_i differ, a token
//! into a place that tells which one is meant. The formula is `start = 1 W (start = 0 & f)`,
//! with f = f_i, or the conjunction of all `told_i = 1 -> f_i`.
//!
//! Why right: as long as `start` is marked nothing else is, so nothing but the new transitions
//! is enabled (transitions that take nothing are refused), one of them fires at once, and from
//! then on the net behaves as the original one from M_i. A run of the original net satisfies
//! the formula iff its remainder after k steps satisfies f_i. `W` rather than `U` keeps a
//! safety property a safety property. A language quotient of a stutter-invariant language is
//! stutter-invariant, so going on never hurts; we stop as soon as all f_i are.
//!
//! Cost: markings of at most [`MAX_CELLS`] numbers together, the arcs of the new transitions, at
//! most [`MAX_ARCS`], and one translation for each
//! different f_i, at most [`MAX_FORMULAS`] a step.

use crate::budget::Budget;
use crate::decide::Property;
use crate::restate::Restatement;
use brine_ltl::{Comparison, Expression, Formula, Formulas, Node, Options, is_stutter_invariant};
use brine_net::{Net, NetBuilder, Nupn, PlaceId, Run, TransitionId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// The most steps taken.
const MAX_STEPS: usize = 3;
/// The most numbers in all markings of one step: they are kept twice for a while.
const MAX_CELLS: usize = 1 << 22;
/// The most arcs of the new transitions.
const MAX_ARCS: usize = 20_000;
/// The most different formulas.
const MAX_FORMULAS: usize = 16;

/// A property, restated so that its first steps are one.
#[derive(Clone, Debug)]
pub struct FirstSteps {
    net: Net,
    formulas: Formulas,
    formula: Formula,
    /// The paths that the new transitions stand for; these are the last of the net.
    paths: Vec<Vec<TransitionId>>,
}

/// A marking after some steps, how it was reached, and what remains to be satisfied.
struct ReachedMarking {
    marking: Vec<u32>,
    path: Vec<TransitionId>,
    rest: Formula,
}

impl FirstSteps {
    /// Takes steps until what remains is stutter-invariant. `None` if the property is so already,
    /// or is not after a few steps, or there are too many ways to take them.
    ///
    /// ```
    /// use brine_check::{Budget, Chain, ExplicitEngine, FirstSteps, Property, Verdict};
    /// use brine_check::decide_restated;
    /// use brine_ltl::{Formulas, Symbols, parse};
    /// use brine_net::{NetBuilder, Structure};
    /// let mut b = NetBuilder::new("lamp");
    /// let (on, off) = (b.place("on", 1), b.place("off", 0));
    /// b.transition("down", &[(on, 1)], &[(off, 1)]);
    /// b.transition("up", &[(off, 1)], &[(on, 1)]);
    /// let net = b.build().unwrap();
    /// let mut formulas = Formulas::new();
    /// let formula = parse("X G off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
    /// let property = Property { net: &net, formulas: &formulas, formula };
    /// let mut chain = Chain::default();
    /// chain.push(FirstSteps::new(property, &Budget::default()).unwrap());
    /// let net = chain.property(property).net;
    /// let structure = Structure::new(net);
    /// let mut engine = ExplicitEngine::new(net, &structure, None, 0);
    /// let budget = Budget::default();
    /// let decision = decide_restated(&mut engine, &chain, property, &budget).unwrap();
    /// assert!(decision.automaton.unwrap().stutter_invariant.unwrap());
    /// assert!(matches!(decision.verdict, Verdict::Violated(Some(_))));
    /// ```
    pub fn new(property: Property<'_>, budget: &Budget) -> Option<Self> {
        let net = property.net;
        if net.transitions().any(|t| t.pre.is_empty()) {
            return None;
        }
        let mut formulas = property.formulas.clone();
        let late = budget.watch();
        let mut judge = Judge { net, late: &late, known: FxHashMap::default() };
        if judge.accepts(&mut formulas, property.formula)? {
            return None;
        }
        let (marking, path) = (net.initial_marking(), Vec::new());
        let mut layer = vec![ReachedMarking { marking, path, rest: property.formula }];
        for _ in 0..MAX_STEPS {
            layer = step(net, &mut formulas, layer, &late)?;
            let mut different: Vec<Formula> = layer.iter().map(|r| r.rest).collect();
            different.sort_unstable();
            different.dedup();
            if different.len() > MAX_FORMULAS {
                return None;
            }
            let mut all = true;
            for &rest in &different {
                all = all && judge.accepts(&mut formulas, rest)?;
            }
            if all {
                return restate(net, formulas, layer, &different);
            }
        }
        None
    }
}

impl Restatement for FirstSteps {
    fn property(&self) -> Property<'_> {
        Property { net: &self.net, formulas: &self.formulas, formula: self.formula }
    }

    /// The first step is spelled out: one of the new transitions, and no other step is.
    fn lift(&self, _: Property<'_>, run: Run, _: &Budget) -> Option<Run> {
        let originals = self.net.transitions().len() - self.paths.len();
        debug_assert!(
            run.steps().enumerate().all(|(i, t)| (t.index() >= originals) == (i == 0)),
            "exactly the first step is a new transition"
        );
        let spell = |t: &TransitionId| match t.index().checked_sub(originals) {
            Some(i) => self.paths[i].clone(),
            None => vec![*t],
        };
        Some(Run { prefix: run.prefix.iter().flat_map(spell).collect(), cycle: run.cycle })
    }
}

/// Tells which formulas are stutter-invariant.
struct Judge<'a> {
    net: &'a Net,
    late: &'a dyn Fn() -> bool,
    known: FxHashMap<Formula, bool>,
}

impl Judge<'_> {
    /// Whether the formula is stutter-invariant; `None` if that takes too long.
    fn accepts(&mut self, formulas: &mut Formulas, formula: Formula) -> Option<bool> {
        if let Some(&known) = self.known.get(&formula) {
            return Some(known);
        }
        let next = |f: &Formula| matches!(formulas.node(*f), Node::X(_));
        let answer = if formulas.subformulas(formula).iter().any(next) {
            let options = Options { cancel: self.late, net: Some(self.net), ..Options::default() };
            is_stutter_invariant(formulas, formula, &options).ok()?
        } else {
            true
        };
        self.known.insert(formula, answer);
        Some(answer)
    }
}

/// One step further on all paths. `None` if there are too many, or the time is up.
fn step(
    net: &Net,
    formulas: &mut Formulas,
    layer: Vec<ReachedMarking>,
    late: &dyn Fn() -> bool,
) -> Option<Vec<ReachedMarking>> {
    let mut next: Vec<ReachedMarking> = Vec::new();
    let mut seen: FxHashSet<(Vec<u32>, Formula)> = FxHashSet::default();
    let (mut arcs, mut cells) = (0, 0);
    for ReachedMarking { marking, path, rest } in layer {
        if late() {
            return None;
        }
        let truth: FxHashMap<_, _> = formulas
            .atoms_of(rest)
            .into_iter()
            .map(|a| Some((a, formulas.atom(a).eval(net, &marking)?)))
            .collect::<Option<_>>()?;
        let rest = formulas.after(rest, |atom| truth[&atom]);
        if rest == Formula::TRUE {
            continue;
        }
        let mut reach = |marking: Vec<u32>, path: Vec<TransitionId>| {
            if seen.insert((marking.clone(), rest)) {
                arcs += marking.iter().filter(|&&n| n > 0).count() + 2;
                cells += marking.len();
                next.push(ReachedMarking { marking, path, rest });
            }
            arcs <= MAX_ARCS && cells <= MAX_CELLS
        };
        let mut dead = true;
        for t in net.transition_ids().filter(|&t| net.is_enabled(t, &marking)) {
            dead = false;
            let path = path.iter().copied().chain([t]).collect();
            reach(net.fire(t, &marking)?, path).then_some(())?;
        }
        if dead {
            reach(marking, path).then_some(())?;
        }
    }
    Some(next)
}

/// The new net and formula.
fn restate(
    net: &Net,
    mut formulas: Formulas,
    layer: Vec<ReachedMarking>,
    different: &[Formula],
) -> Option<FirstSteps> {
    let mut names: FxHashSet<Cow<'_, str>> = net.places().map(|p| p.id()).collect();
    names.extend(net.transitions().map(|t| t.id()));
    let fresh = |stem: &str| {
        let mut name = stem.to_owned();
        while names.contains(name.as_str()) {
            name.push('~');
        }
        name
    };
    let mut b = NetBuilder::new(net.name());
    for place in net.places() {
        b.named_place(&place.id(), &place.name(), 0);
    }
    let start = b.place(&fresh("start"), 1);
    let tell = different.len() > 1;
    let told: Vec<PlaceId> = (0..if tell { different.len() } else { 0 })
        .map(|i| b.place(&fresh(&format!("told_{i}")), 0))
        .collect();
    for t in net.transitions() {
        b.named_transition(&t.id(), &t.name(), t.pre, t.post);
    }
    for (i, reached) in layer.iter().enumerate() {
        let marked = net.place_ids().zip(&reached.marking).filter(|&(_, &n)| n > 0);
        let mut post: Vec<(PlaceId, u32)> = marked.map(|(p, &n)| (p, n)).collect();
        let which = different.binary_search(&reached.rest).ok().filter(|_| tell);
        post.extend(which.map(|which| (told[which], 1)));
        b.transition(&fresh(&format!("start_{i}")), &[(start, 1)], &post);
    }
    if let Some(nupn) = net.nupn() {
        b.nupn(with_unit(nupn, start, &told));
    }
    let formula = restated_formula(&mut formulas, start, &told, different)?;
    let paths = layer.into_iter().map(|reached| reached.path).collect();
    let new = b.build().ok()?;
    debug_assert!(
        new.transition_ids()
            .all(|t| new.is_enabled(t, &new.initial_marking())
                == (t.index() >= net.transitions().len())),
        "at the start the new transitions are enabled, and no others"
    );
    Some(FirstSteps { net: new, formulas, formula, paths })
}

/// `start = 1 W (start = 0 & f)`
fn restated_formula(
    formulas: &mut Formulas,
    start: PlaceId,
    told: &[PlaceId],
    different: &[Formula],
) -> Option<Formula> {
    let marked = |formulas: &mut Formulas, p: PlaceId| {
        let one = Expression::constant(1);
        formulas.compare(Expression::places(&[p]), Comparison::Ge, one).ok()
    };
    let mut rest = Vec::new();
    for (i, &f) in different.iter().enumerate() {
        rest.push(match told.get(i) {
            Some(&p) => {
                let told = marked(formulas, p)?;
                formulas.implies(told, f)
            }
            None => f,
        });
    }
    let waits = marked(formulas, start)?;
    rest.push(formulas.not(waits));
    let rest = formulas.and(rest);
    Some(formulas.w(waits, rest))
}

/// The units with one more for the new places, of which one is marked at any time.
fn with_unit(nupn: &Nupn, start: PlaceId, told: &[PlaceId]) -> Nupn {
    let mut nupn = nupn.clone();
    let places = std::iter::once(start).chain(told.iter().copied()).collect();
    let new = nupn.units.len();
    nupn.units.push(Unit { id: "start".to_owned(), places, subunits: Vec::new() });
    nupn.units[nupn.root].subunits.push(new);
    nupn
}
