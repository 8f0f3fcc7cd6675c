//! The hunt on coloured markings against brute force: random symmetric nets, unfolded by an
//! interpreter that shares no code, and the oracle.
//!
//! BRINE_CASES sets the number of nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::Question;
use brine_check::coloured::ColouredHunt;
use brine_coloured::{ColouredNet, ColouredRun, ColouredStep};
use brine_explicit::coloured::{ColouredMarkings, ListLimits};
use brine_explicit::fire::Step;
use brine_explicit::hunt::{HuntOptions, Ways};
use brine_explicit::store::MarkingId;
use brine_explicit::successors::{Expand, Successors};
use brine_ltl::{Atom, Comparison, Expression, Formula, Formulas, Linear, Options, translate};
use brine_models::{naive_unfolding, random_symmetric};
use brine_net::{Net, PlaceId, Rng, Run, TransitionId};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::{Kripke, holds, number};
use brine_replay::replay;
use brine_run::{Control, Search, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// No list of the random nets is cut.
const ALL_BINDINGS: ListLimits = ListLimits { walks: 24, searches: 100_000 };

/// A coloured net beside the naive unfolding, with names in place of numbers.
struct Pair {
    coloured: ColouredNet,
    naive: Net,
    places: BTreeMap<String, PlaceId>,
    transitions: BTreeMap<String, TransitionId>,
}

impl Pair {
    fn new(seed: u64) -> Option<Pair> {
        let source = random_symmetric::net(&mut Rng::new(seed));
        let coloured = source.coloured().ok()?;
        let naive = naive_unfolding::unfold(&source);
        let places = naive.place_ids().map(|p| (naive.place(p).id().into_owned(), p)).collect();
        let transitions =
            naive.transition_ids().map(|t| (naive.transition(t).id().into_owned(), t)).collect();
        Some(Pair { coloured, naive, places, transitions })
    }

    fn place(&self, place: usize, colour: u64) -> PlaceId {
        let p = &self.coloured.places[place];
        let label =
            |(i, &s)| self.coloured.sorts.get(s).label(p.layout.component(colour, i)).into_owned();
        let labels: Vec<String> = p.sort.iter().enumerate().map(label).collect();
        let colours = format!("{}[{}]", p.id, labels.join(","));
        *self.places.get(&colours).unwrap_or_else(|| &self.places[&p.id])
    }

    fn transition(&self, step: &ColouredStep) -> TransitionId {
        let t = &self.coloured.transitions[step.transition.index()];
        let part = |(v, &value): (&brine_coloured::net::Variable, &u32)| {
            format!("{}={}", v.name, self.coloured.sorts.get(v.sort).label(value))
        };
        let mut parts: Vec<String> = t.variables.iter().zip(&step.binding).map(part).collect();
        parts.sort();
        let name =
            if parts.is_empty() { t.id.clone() } else { format!("{}[{}]", t.id, parts.join(",")) };
        self.transitions[&name]
    }

    /// The naive transitions of a coloured one.
    fn bindings(&self, t: TransitionId) -> Vec<TransitionId> {
        let id = &self.coloured.transitions[t.index()].id;
        let of = |name: &str| name == id || name.starts_with(&format!("{id}["));
        self.transitions.iter().filter(|(name, _)| of(name)).map(|(_, &t)| t).collect()
    }

    /// The naive places of a coloured one.
    fn colours(&self, p: PlaceId) -> Vec<PlaceId> {
        let id = &self.coloured.places[p.index()].id;
        let of = |name: &str| name == id || name.starts_with(&format!("{id}["));
        self.places.iter().filter(|(name, _)| of(name)).map(|(_, &p)| p).collect()
    }

    fn marking(&self, ms: &ColouredMarkings<'_>, m: MarkingId) -> Vec<u64> {
        let mut marking = vec![0; self.naive.places().len()];
        for (place, colour, count) in ms.tokens_of(m) {
            marking[self.place(place, colour).index()] = count;
        }
        marking
    }

    fn enabled(&self, marking: &[u64]) -> BTreeSet<TransitionId> {
        let has = |t: &TransitionId| {
            self.naive.transition(*t).pre.iter().all(|&(p, w)| marking[p.index()] >= u64::from(w))
        };
        self.naive.transition_ids().filter(has).collect()
    }

    fn fire(&self, marking: &[u64], t: TransitionId) -> Vec<u64> {
        let mut after = marking.to_vec();
        let t = self.naive.transition(t);
        t.pre.iter().for_each(|&(p, w)| after[p.index()] -= u64::from(w));
        t.post.iter().for_each(|&(p, w)| after[p.index()] += u64::from(w));
        after
    }

    /// The letter of a marking, for the atoms of `atoms`.
    fn letter(&self, marking: &[u64], atoms: &[Atom]) -> u64 {
        let enabled = self.enabled(marking);
        let holds = |atom: &Atom| match atom {
            Atom::Linear(linear) => {
                let tokens = |p: PlaceId| -> i128 {
                    self.colours(p).iter().map(|p| i128::from(marking[p.index()])).sum()
                };
                let sum: i128 = linear.terms.iter().map(|&(p, c)| i128::from(c) * tokens(p)).sum();
                sum <= i128::from(linear.bound)
            }
            Atom::Fireable(ts) => {
                ts.iter().any(|&t| self.bindings(t).iter().any(|b| enabled.contains(b)))
            }
            Atom::Deadlock => enabled.is_empty(),
            Atom::Prop(_) | Atom::Fires(_) => false,
        };
        atoms.iter().enumerate().map(|(i, a)| u64::from(holds(a)) << i).sum()
    }

    /// The same formula over the naive net.
    fn restate(&self, fs: &Formulas, f: Formula, target: &mut Formulas) -> Formula {
        fs.substitute(f, target, |target, atom| match fs.atom(atom) {
            Atom::Linear(Linear { terms, bound }) => {
                let terms = terms
                    .iter()
                    .flat_map(|&(p, c)| self.colours(p).into_iter().map(move |q| (q, c)));
                let sum = Expression { terms: terms.collect(), constant: 0 };
                target.compare(sum, Comparison::Le, Expression::constant(*bound)).unwrap()
            }
            Atom::Fireable(ts) => {
                let all: Vec<TransitionId> = ts.iter().flat_map(|&t| self.bindings(t)).collect();
                if all.is_empty() { Formula::FALSE } else { target.fireable(all) }
            }
            Atom::Deadlock => target.deadlock(),
            Atom::Prop(_) | Atom::Fires(_) => unreachable!("formulas over markings of a net"),
        })
    }
}

fn name(pair: &Pair, ms: &ColouredMarkings<'_>, step: Step) -> TransitionId {
    pair.transition(&ms.run(&[step], &[]).prefix[0])
}

/// Atoms about every place, every transition, and death.
fn atoms(net: &ColouredNet) -> Vec<Atom> {
    let mut atoms = vec![Atom::Deadlock];
    for p in 0..net.places.len() as u32 {
        atoms.push(Atom::Linear(Linear { terms: vec![(PlaceId(p), 1)], bound: i64::from(p) }));
    }
    for t in 0..net.transitions.len() as u32 {
        atoms.push(Atom::Fireable(vec![TransitionId(t)]));
    }
    atoms
}

#[derive(Default, Debug)]
struct Seen {
    nets: u64,
    markings: u64,
    bindings: u64,
    dead: u64,
    cut: u64,
}

/// Breadth first: enabled bindings, successors and letters of up to 40 markings.
fn compare_space(pair: &Pair, seed: u64, seen: &mut Seen) {
    let control = Control::default();
    let walks = ColouredMarkings::new(&pair.coloured, ALL_BINDINGS, control.clone());
    let mut ms = walks.unwrap().fresh(control).unwrap();
    let atoms = atoms(&pair.coloured);
    for m in (0..40).map(MarkingId) {
        if m.index() >= ms.known() {
            break;
        }
        seen.markings += 1;
        let here = pair.marking(&ms, m);
        let mut steps = Vec::new();
        ms.enabled(m, &mut steps).unwrap();
        assert!(!ms.leaves_out(), "BRINE_SEED={seed}: a list was cut");
        let named: BTreeSet<TransitionId> = steps.iter().map(|&s| name(pair, &ms, s)).collect();
        let expected = pair.enabled(&here);
        assert_eq!(named.len(), steps.len(), "BRINE_SEED={seed}: each once");
        assert_eq!(named, expected, "BRINE_SEED={seed}: {here:?}");
        seen.dead += u64::from(steps.is_empty());
        let letter = ms.letter(&atoms, m).unwrap();
        assert_eq!(letter, pair.letter(&here, &atoms), "BRINE_SEED={seed}: {here:?}");
        for &step in steps.iter().take(30) {
            seen.bindings += 1;
            let there = pair.fire(&here, name(pair, &ms, step));
            let after = ms.letter_after(&atoms, (letter, u64::MAX), m, step).unwrap();
            assert_eq!(after, pair.letter(&there, &atoms), "BRINE_SEED={seed}: after a step");
            let (to, _) = ms.fire(m, step).unwrap();
            assert_eq!(pair.marking(&ms, to), there, "BRINE_SEED={seed}: {here:?}");
        }
    }
}

/// A walk with lists that are cut: what is listed is enabled, and only a transition without
/// enabled bindings has none listed.
fn compare_walk(pair: &Pair, seed: u64, seen: &mut Seen) {
    let limits = ListLimits { walks: 1 + (seed % 3) as usize, searches: 1 };
    let mut ms = ColouredMarkings::new(&pair.coloured, limits, Control::default()).unwrap();
    let mut rng = Rng::new(seed);
    let atoms = atoms(&pair.coloured);
    ms.reseed(seed);
    for _ in 0..2 {
        ms.forget().unwrap();
        let mut m = MarkingId::INITIAL;
        for _ in 0..25 {
            let mut steps = Vec::new();
            ms.enabled(m, &mut steps).unwrap();
            let here = pair.marking(&ms, m);
            let expected = pair.enabled(&here);
            let named: BTreeSet<TransitionId> = steps.iter().map(|&s| name(pair, &ms, s)).collect();
            assert!(named.is_subset(&expected), "BRINE_SEED={seed}: {named:?} {expected:?}");
            if !ms.leaves_out() {
                assert_eq!(named, expected, "BRINE_SEED={seed}");
            }
            let letter = ms.letter(&atoms, m).unwrap();
            assert_eq!(letter, pair.letter(&here, &atoms), "BRINE_SEED={seed}: {here:?}");
            let Some(&step) = steps.get(rng.index(steps.len().max(1))) else { break };
            let there = pair.fire(&here, name(pair, &ms, step));
            let after = ms.letter_after(&atoms, (letter, u64::MAX), m, step).unwrap();
            assert_eq!(after, pair.letter(&there, &atoms), "BRINE_SEED={seed}: after a step");
            m = ms.fire(m, step).unwrap().0;
        }
    }
    seen.cut += u64::from(ms.leaves_out());
}

#[test]
fn bindings_successors_and_letters_are_those_of_the_naive_unfolding() {
    let (first, cases) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let mut seen = Seen::default();
    for seed in first..first + cases {
        let Some(pair) = Pair::new(seed) else { continue };
        seen.nets += 1;
        compare_space(&pair, seed, &mut seen);
        compare_walk(&pair, seed, &mut seen);
    }
    println!("{seen:?}");
    if cases >= 1_000 {
        assert!(seen.nets * 10 >= cases * 9, "{seen:?}");
        assert!(seen.bindings > 2 * cases && seen.dead > cases / 10, "{seen:?}");
        assert!(seen.cut > cases / 20, "{seen:?}");
    }
}

/// What was found.
#[derive(Default, Debug)]
struct Found {
    pairs: u64,
    violated: u64,
    found: BTreeMap<&'static str, u64>,
    proved: BTreeMap<&'static str, u64>,
    open: BTreeMap<&'static str, u64>,
}

fn hunt(
    net: &ColouredNet,
    (fs, f): (&Formulas, Formula),
    limits: ListLimits,
    options: HuntOptions,
) -> Result<Option<ColouredRun>, Stop> {
    let mut fs = fs.clone();
    let negation = fs.not(f);
    let violations = translate(&fs, negation, &Options::default()).unwrap();
    let mut hunt = ColouredHunt::within(net, limits, options);
    hunt.begin(Question {
        violations: Arc::new(violations),
        stutter_invariant: None,
        reachability: false,
    });
    hunt.advance(&Control { charged: Some(256 << 20), ..Control::default() }).0
}

fn check_formula(pair: &Pair, kripke: &Kripke, seed: u64, rng: &mut Rng, seen: &mut Found) {
    let net = &pair.coloured;
    let scope = AtomScope {
        places: net.places.len() as u32,
        transitions: net.transitions.len() as u32,
        deadlock: true,
        events: false,
        tokens: 5,
    };
    let mut fs = Formulas::new();
    let depth = 1 + rng.below(3);
    let f = random_formula_over(rng, scope, &mut fs, depth);
    let mut plain = Formulas::new();
    let g = pair.restate(&fs, f, &mut plain);
    let Some(expected) = holds(&pair.naive, kripke, &plain, g) else { return };
    seen.pairs += 1;
    seen.violated += u64::from(!expected);
    let walks = Ways { walks: true, ..Ways::NONE };
    let near = Ways { neighbourhoods: true, ..Ways::NONE };
    let guided = Ways { guided_searches: true, ..Ways::NONE };
    let few = ListLimits { walks: 2, searches: 2 };
    for (name, ways, limits) in [
        ("walks", walks, ALL_BINDINGS),
        ("neighbourhoods", near, ALL_BINDINGS),
        ("guided", guided, ALL_BINDINGS),
        ("all", Ways::default(), ALL_BINDINGS),
        ("cut", Ways::default(), few),
    ] {
        let options = HuntOptions { seed, ways, rounds: Some(2) };
        match hunt(net, (&fs, f), limits, options) {
            Ok(None) => {
                assert!(expected, "BRINE_SEED={seed} {name}: a violation was missed");
                *seen.proved.entry(name).or_default() += 1;
            }
            Ok(Some(run)) => {
                let of =
                    |steps: &[ColouredStep]| steps.iter().map(|s| pair.transition(s)).collect();
                let run = Run { prefix: of(&run.prefix), cycle: of(&run.cycle) };
                let replayed = replay(&pair.naive, &plain, g, &run);
                assert!(replayed.is_ok(), "BRINE_SEED={seed} {name}: {replayed:?}");
                assert!(!expected, "BRINE_SEED={seed} {name}: {run:?}");
                *seen.found.entry(name).or_default() += 1;
            }
            Err(stop) => {
                assert_eq!(stop, Stop::Work, "BRINE_SEED={seed} {name}");
                *seen.open.entry(name).or_default() += 1;
            }
        }
    }
}

#[test]
fn what_the_hunt_says_is_true_and_it_finds_nearly_all_violations() {
    let (first, cases) = (number("BRINE_SEED", 0), number("BRINE_CASES", 2_000));
    let mut seen = Found::default();
    for seed in first..first + cases {
        let Some(pair) = Pair::new(seed) else { continue };
        let Some(kripke) = Kripke::new(&pair.naive, 300) else { continue };
        let mut rng = Rng::new(seed ^ 0xF0F0);
        for _ in 0..3 {
            check_formula(&pair, &kripke, seed, &mut rng, &mut seen);
        }
    }
    println!("{seen:?}");
    if cases >= 1_000 {
        let of = |map: &BTreeMap<&str, u64>, name: &str| map.get(name).copied().unwrap_or(0);
        assert!(seen.violated > cases / 4 && seen.pairs > cases, "{seen:?}");
        for name in ["neighbourhoods", "guided", "all"] {
            assert_eq!(of(&seen.found, name), seen.violated, "{name}: the products are small");
            assert_eq!(of(&seen.proved, name), seen.pairs - seen.violated, "{name}");
        }
        assert_eq!(of(&seen.proved, "walks"), 0, "walks prove nothing");
        for name in ["walks", "cut"] {
            assert!(of(&seen.found, name) * 100 >= seen.violated * 98, "{name}: {seen:?}");
        }
        assert!(of(&seen.open, "cut") > 0, "some lists are cut: {seen:?}");
    }
}
