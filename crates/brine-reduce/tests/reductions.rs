//! Structural reductions keep the traces: for *all* properties of a class at once.
//!
//! On small random nets all markings are enumerated, and the sets of traces of the net and of
//! the reduced net are compared by the subset construction: after the same letters, both must be
//! able to go on with the same letters, and, up to stuttering, both may stop changing letters
//! or neither. By König's lemma the infinite traces are then the same. Random runs of the
//! reduced net are lifted, and their traces compared.
//!
//! BRINE_CASES sets the number of reductions that are checked, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_models::{philosophers, slotted_ring};
use brine_net::{Net, NetBuilder, PlaceId, Rng, Run, TransitionId};
use brine_oracle::{grown_net, reachable_markings};
use brine_reduce::{Observed, PlaceValue, Preserves, ReduceOptions, Reduced, Rule, reduce};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const MARKINGS_MAX: usize = 200;
const CLASSES: [Preserves; 3] =
    [Preserves::AllLtl, Preserves::StutterInvariant, Preserves::StutterSafety];

/// What a property may see of a marking.
type Letter = Vec<u64>;

/// What the property sees: places, transitions, deadlock.
struct View {
    places: Vec<PlaceId>,
    transitions: Vec<TransitionId>,
    deadlock: bool,
}

fn is_enabled(net: &Net, m: &[u32], t: TransitionId) -> bool {
    net.transition(t).pre.iter().all(|&(p, w)| m[p.index()] >= w)
}

fn fire(net: &Net, m: &[u32], t: TransitionId) -> Vec<u32> {
    let mut m = m.to_vec();
    net.transition(t).pre.iter().for_each(|&(p, w)| m[p.index()] -= w);
    net.transition(t).post.iter().for_each(|&(p, w)| m[p.index()] += w);
    m
}

impl View {
    fn random(net: &Net, rng: &mut Rng) -> Self {
        let some = |rng: &mut Rng, n: usize, most: u32| -> BTreeSet<u32> {
            (0..rng.below(most + 1)).map(|_| rng.below(n as u32)).collect()
        };
        View {
            places: some(rng, net.places().len(), 2).into_iter().map(PlaceId).collect(),
            transitions: some(rng, net.transitions().len(), 2)
                .into_iter()
                .map(TransitionId)
                .collect(),
            deadlock: rng.chance(10),
        }
    }

    fn observed(&self, net: &Net) -> Observed {
        let mut observed = Observed::new(net);
        self.places.iter().for_each(|&p| observed.add_place(p));
        self.transitions.iter().for_each(|&t| observed.add_transition(t));
        if self.deadlock {
            observed.add_deadlock();
        }
        observed
    }

    fn letter(&self, net: &Net, m: &[u32]) -> Letter {
        let tokens = self.places.iter().map(|p| u64::from(m[p.index()]));
        let enabled = self.transitions.iter().map(|&t| u64::from(is_enabled(net, m, t)));
        tokens.chain(enabled).chain(self.dead(net, m)).collect()
    }

    /// The letter of a marking of the reduced net.
    fn reduced_letter(&self, reduced: &Reduced, m: &[u32]) -> Letter {
        let tokens = self.places.iter().map(|&p| match reduced.value(p) {
            PlaceValue::Constant(n) => n,
            PlaceValue::Scaled { place, factor, offset } => {
                u64::from(factor) * u64::from(m[place.index()]) + u64::from(offset)
            }
            PlaceValue::Lost => panic!("an observed place was lost"),
        });
        let enabled = self.transitions.iter().map(|&t| {
            u64::from(reduced.stand_in(t).is_some_and(|t| is_enabled(&reduced.net, m, t)))
        });
        tokens.chain(enabled).chain(self.dead(&reduced.net, m)).collect()
    }

    fn dead(&self, net: &Net, m: &[u32]) -> Option<u64> {
        self.deadlock.then(|| u64::from(net.transition_ids().all(|t| !is_enabled(net, m, t))))
    }
}

/// All markings with their letters and successors; a dead marking succeeds itself.
struct Graph {
    letters: Vec<Letter>,
    next: Vec<Vec<usize>>,
}

impl Graph {
    fn new(net: &Net, limit: usize, letter: impl Fn(&[u32]) -> Letter) -> Option<Graph> {
        let markings = reachable_markings(net, limit)?;
        let number: HashMap<&Vec<u32>, usize> =
            markings.iter().enumerate().map(|(i, m)| (m, i)).collect();
        let next = markings.iter().enumerate().map(|(i, m)| {
            let enabled = net.transition_ids().filter(|&t| is_enabled(net, m, t));
            let fired: Vec<usize> = enabled.map(|t| number[&fire(net, m, t)]).collect();
            if fired.is_empty() { vec![i] } else { fired }
        });
        let next = next.collect();
        Some(Graph { letters: markings.iter().map(|m| letter(m)).collect(), next })
    }

    /// What the next letters can be from a set of markings that look alike, with the sets they
    /// lead to. If `stutter`, the next *different* letters.
    fn moves(&self, from: &BTreeSet<usize>, stutter: bool) -> BTreeMap<&Letter, BTreeSet<usize>> {
        let mut moves: BTreeMap<&Letter, BTreeSet<usize>> = BTreeMap::new();
        let mut seen: HashSet<usize> = from.iter().copied().collect();
        let mut stack: Vec<usize> = from.iter().copied().collect();
        while let Some(m) = stack.pop() {
            for &n in &self.next[m] {
                if !stutter || self.letters[n] != self.letters[m] {
                    moves.entry(&self.letters[n]).or_default().insert(n);
                } else if seen.insert(n) {
                    stack.push(n);
                }
            }
        }
        moves
    }

    /// Some infinite run from one of the markings never changes its letter: take away, again
    /// and again, markings that all lead elsewhere.
    fn may_stop(&self, from: &BTreeSet<usize>) -> bool {
        let mut inside: HashSet<usize> = from.iter().copied().collect();
        let mut stack: Vec<usize> = from.iter().copied().collect();
        while let Some(m) = stack.pop() {
            let alike = self.next[m].iter().filter(|&&n| self.letters[n] == self.letters[m]);
            stack.extend(alike.copied().filter(|&n| inside.insert(n)));
        }
        loop {
            let before = inside.len();
            let stays = |m: &usize| {
                let alike = |n: &&usize| self.letters[**n] == self.letters[*m];
                self.next[*m].iter().filter(alike).any(|n| inside.contains(n))
            };
            let left: HashSet<usize> = inside.iter().copied().filter(stays).collect();
            inside = left;
            if inside.len() == before {
                return !inside.is_empty();
            }
        }
    }
}

/// Both have the same traces, as far as the class can tell.
fn same_traces(a: &Graph, b: &Graph, class: Preserves) -> bool {
    let stutter = class != Preserves::AllLtl;
    let start = (BTreeSet::from([0]), BTreeSet::from([0]));
    let mut seen = HashSet::from([start.clone()]);
    let mut stack = vec![start];
    if a.letters[0] != b.letters[0] {
        return false;
    }
    while let Some((x, y)) = stack.pop() {
        if class == Preserves::StutterInvariant && a.may_stop(&x) != b.may_stop(&y) {
            return false;
        }
        let (from_x, from_y) = (a.moves(&x, stutter), b.moves(&y, stutter));
        if !from_x.keys().eq(from_y.keys()) {
            return false;
        }
        let pairs = from_x.into_values().zip(from_y.into_values());
        stack.extend(pairs.filter(|pair| seen.insert(pair.clone())));
    }
    true
}

/// One net, seen in one way.
struct Case {
    net: Net,
    view: View,
    graph: Graph,
    seed: u64,
}

impl Case {
    fn random(seed: u64) -> Option<(Case, Rng)> {
        let mut rng = Rng::new(seed);
        let steps = 2 + rng.below(8);
        let net = grown_net(&mut rng, steps);
        let view = View::random(&net, &mut rng);
        let graph = Graph::new(&net, MARKINGS_MAX, |m| view.letter(&net, m))?;
        Some((Case { net, view, graph, seed }, rng))
    }

    fn reduce(&self, class: Preserves, rules: &[Rule]) -> Reduced {
        let options = ReduceOptions { rules: rules.to_vec(), ..ReduceOptions::default() };
        reduce(&self.net, &self.view.observed(&self.net), class, &options).unwrap()
    }

    /// The traces, as far as `class` can tell, are the same. `None`: the net is too large.
    fn keeps_traces(&self, reduced: &Reduced, class: Preserves) -> Option<bool> {
        let letter = |m: &[u32]| self.view.reduced_letter(reduced, m);
        let graph = Graph::new(&reduced.net, 2 * MARKINGS_MAX, letter)?;
        Some(same_traces(&self.graph, &graph, class))
    }

    fn context(&self, class: Preserves, rules: &[Rule], reduced: &Reduced) -> String {
        let View { places, transitions, deadlock } = &self.view;
        format!(
            "BRINE_SEED={} {class:?} {rules:?}, seen: {places:?} {transitions:?} {deadlock}\n\
             {:?}\n{:?}",
            self.seed, self.net, reduced.net
        )
    }

    /// Lifts a random run of the reduced net; true if it is a run with the same trace.
    fn lifts(&self, reduced: &Reduced, class: Preserves, rng: &mut Rng) -> bool {
        let (run, small) = random_run(&reduced.net, rng);
        let alike =
            |a: &[u32], b: &[u32]| self.view.letter(&self.net, a) == self.view.letter(&self.net, b);
        let Some(lifted) = reduced.lift(&self.net, &run, &alike, &|| false) else { return false };
        let Some(large) = play(&self.net, &lifted) else { return false };
        let small: Vec<Letter> =
            small.iter().map(|m| self.view.reduced_letter(reduced, m)).collect();
        let large: Vec<Letter> = large.iter().map(|m| self.view.letter(&self.net, m)).collect();
        let small = Trace::new(small, run.prefix.len(), class);
        let large = Trace::new(large, lifted.prefix.len(), class);
        match class {
            // Anything may follow once the cycle is closed.
            Preserves::StutterSafety => {
                let once = small.rounds(1);
                large.first(once.len()).starts_with(&once)
            }
            _ => {
                let enough = 2 * (small.prefix.len() + large.prefix.len())
                    + 2 * small.cycle.len() * large.cycle.len();
                small.first(enough) == large.first(enough)
            }
        }
    }
}

/// A random lasso of a net and the markings of its prefix and, once, of its cycle.
fn random_run(net: &Net, rng: &mut Rng) -> (Run, Vec<Vec<u32>>) {
    let mut markings = vec![net.initial_marking()];
    let mut fired = Vec::new();
    loop {
        let m = markings.last().unwrap();
        let enabled: Vec<TransitionId> =
            net.transition_ids().filter(|&t| is_enabled(net, m, t)).collect();
        if enabled.is_empty() {
            return (Run { prefix: fired, cycle: Vec::new() }, markings);
        }
        let t = enabled[rng.below(enabled.len() as u32) as usize];
        let after = fire(net, m, t);
        fired.push(t);
        if let Some(at) = markings.iter().position(|m| *m == after) {
            let cycle = fired.split_off(at);
            return (Run { prefix: fired, cycle }, markings);
        }
        markings.push(after);
    }
}

/// The markings of a lasso; `None` if it is not a run of the net.
fn play(net: &Net, run: &Run) -> Option<Vec<Vec<u32>>> {
    let mut markings = vec![net.initial_marking()];
    for &t in run.prefix.iter().chain(&run.cycle) {
        let m = markings.last().unwrap();
        is_enabled(net, m, t).then_some(())?;
        markings.push(fire(net, m, t));
    }
    if run.cycle.is_empty() {
        let dead = |t| !is_enabled(net, markings.last().unwrap(), t);
        net.transition_ids().all(dead).then_some(markings)
    } else {
        let last = markings.pop().unwrap();
        (last == markings[run.prefix.len()]).then_some(markings)
    }
}

/// A trace: letters before a cycle and on it. Without repetitions unless steps count.
struct Trace {
    prefix: Vec<Letter>,
    cycle: Vec<Letter>,
    stutter: bool,
}

impl Trace {
    fn new(mut letters: Vec<Letter>, prefix: usize, class: Preserves) -> Self {
        let cycle = letters.split_off(prefix);
        Trace { prefix: letters, cycle, stutter: class != Preserves::AllLtl }
    }

    /// The letters of the prefix and of so many rounds of the cycle.
    fn rounds(&self, n: usize) -> Vec<&Letter> {
        let mut result: Vec<&Letter> = Vec::new();
        let all = self.prefix.iter().chain(self.cycle.iter().cycle());
        for letter in all.take(self.prefix.len() + n * self.cycle.len()) {
            if !self.stutter || result.last() != Some(&letter) {
                result.push(letter);
            }
        }
        result
    }

    /// The beginning of the trace; it may be shorter if the letters no longer change.
    fn first(&self, n: usize) -> Vec<&Letter> {
        let mut result = self.rounds(n);
        result.truncate(n);
        result
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

#[test]
fn reduced_nets_have_the_same_traces_and_runs_are_lifted() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 20_000));
    let mut applied: BTreeMap<&'static str, [u64; 3]> = BTreeMap::new();
    let (mut checked, mut seed) = (0, first);
    while checked < count {
        let case = Case::random(seed);
        seed += 1;
        let Some((case, mut rng)) = case else { continue };
        for (i, class) in CLASSES.into_iter().enumerate() {
            let alone = vec![Rule::ALL[rng.below(Rule::ALL.len() as u32) as usize]];
            let some = Rule::ALL.into_iter().filter(|_| rng.chance(50)).collect();
            for rules in [Rule::ALL.to_vec(), alone, some] {
                let reduced = case.reduce(class, &rules);
                if !reduced.is_smaller() {
                    continue;
                }
                let Some(same) = case.keeps_traces(&reduced, class) else { continue };
                assert!(same, "{}", case.context(class, &rules, &reduced));
                let lifted = case.lifts(&reduced, class, &mut rng);
                assert!(lifted, "not lifted: {}", case.context(class, &rules, &reduced));
                checked += 1;
                for (rule, n) in reduced.counts() {
                    applied.entry(rule.name()).or_default()[i] += u64::from(n > 0);
                }
            }
        }
    }
    println!("seeds {first}..{seed}: {checked} checked, {applied:#?}");
    // With fewer cases some rules are too rare.
    if count >= 20_000 {
        for rule in Rule::ALL {
            let [all, stutter, safety] = applied[rule.name()];
            assert!((all > 20) == rule.preserves_all_ltl(), "{rule:?}: {all}");
            assert!(stutter + safety > 20, "{rule:?}: {stutter}, {safety}");
        }
    }
}

/// The first markings of a net, infinite or not.
fn first_markings(net: &Net, most: usize) -> Vec<Vec<u32>> {
    let mut markings = vec![net.initial_marking()];
    let mut seen: HashSet<Vec<u32>> = markings.iter().cloned().collect();
    let mut next = 0;
    while next < markings.len() && markings.len() < most {
        let m = markings[next].clone();
        next += 1;
        for t in net.transition_ids().filter(|&t| is_enabled(net, &m, t)) {
            let after = fire(net, &m, t);
            if seen.insert(after.clone()) {
                markings.push(after);
            }
        }
    }
    markings
}

/// What the reduction claims for good must be so in every marking that is seen: a transition
/// that nobody stands in for is never enabled, one whose stand-in takes nothing always is, and
/// constant places are constant. This is all that can be said of nets whose markings cannot be
/// enumerated.
fn claims_hold(net: &Net, view: &View, reduced: &Reduced, m: &[u32]) -> bool {
    let place = |&p: &PlaceId| match reduced.value(p) {
        PlaceValue::Constant(n) => u64::from(m[p.index()]) == n,
        PlaceValue::Scaled { factor, offset, .. } => {
            m[p.index()].checked_sub(offset).is_some_and(|rest| rest % factor == 0)
        }
        PlaceValue::Lost => false,
    };
    let transition = |&t: &TransitionId| match reduced.stand_in(t) {
        None => !is_enabled(net, m, t),
        Some(other) => !reduced.net.transition(other).pre.is_empty() || is_enabled(net, m, t),
    };
    view.places.iter().all(place) && view.transitions.iter().all(transition)
}

/// Grown nets of which some transitions put one token more than they should, so that many are
/// infinite. The lent idle transition as a stand-in would show at seed 14,341.
#[test]
fn claims_about_infinite_nets_hold() {
    let (first, cases) = (number("BRINE_SEED", 0), number("BRINE_CASES", 20_000));
    let (mut infinite, mut always, mut never) = (0, 0, 0);
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let steps = 2 + rng.below(10);
        let net = grown_net(&mut rng, steps);
        let mut b = NetBuilder::new("infinite");
        let places: Vec<PlaceId> = net.places().map(|p| b.place(&p.id(), p.initial)).collect();
        for t in net.transitions() {
            let mut post = t.post.to_vec();
            if rng.chance(15) {
                let more = places[rng.below(places.len() as u32) as usize];
                post.retain(|&(p, _)| p != more);
                post.push((more, t.pre.iter().find(|a| a.0 == more).map_or(1, |a| a.1 + 1)));
            }
            b.transition(&t.id(), t.pre, &post);
        }
        let net = b.build().unwrap();
        let view = View::random(&net, &mut rng);
        let markings = first_markings(&net, 300);
        infinite += u64::from(markings.len() >= 300);
        for class in CLASSES {
            let reduced =
                reduce(&net, &view.observed(&net), class, &ReduceOptions::default()).unwrap();
            let broken = markings.iter().find(|m| !claims_hold(&net, &view, &reduced, m));
            assert!(broken.is_none(), "BRINE_SEED={seed} {class:?}: {broken:?} in {net:?}");
            for &t in &view.transitions {
                match reduced.stand_in(t) {
                    None => never += 1,
                    Some(u) => always += u64::from(reduced.net.transition(u).pre.is_empty()),
                }
            }
        }
    }
    println!("{infinite} of {cases} nets infinite; {always} always enabled, {never} never");
    if cases >= 20_000 {
        assert!(infinite * 4 > cases && always > 20 && never > 20, "the test needs variety");
    }
}

/// Two tokens are always left for `h`, but only arithmetic modulo three tells. In the end it has
/// no arcs, like the idle transition that is lent for safety, which must not stand in for it:
/// it goes away, and `h` would seem to be dead.
#[test]
fn what_is_lent_does_not_stand_in() {
    let mut b = NetBuilder::new("lent");
    let [c, d, p, q, s, y, v] =
        [("c", 2), ("d", 1), ("p", 0), ("q", 0), ("s", 2), ("y", 0), ("v", 0)]
            .map(|(name, tokens)| b.place(name, tokens));
    let h = b.transition("h", &[(c, 2)], &[(c, 2), (p, 1)]);
    b.transition("u", &[(d, 1)], &[(c, 3)]);
    b.transition("w", &[(c, 3)], &[(d, 1)]);
    b.transition("f", &[(p, 1)], &[(q, 1)]);
    b.transition("g", &[(q, 1), (s, 1)], &[(q, 1), (v, 1)]);
    b.transition("a", &[(s, 1)], &[(y, 1)]);
    b.transition("b", &[(y, 1)], &[(v, 1)]);
    let net = b.build().unwrap();
    let mut observed = Observed::new(&net);
    observed.add_place(v);
    observed.add_transition(h);
    let reduced =
        reduce(&net, &observed, Preserves::StutterSafety, &ReduceOptions::default()).unwrap();
    let stand_in = reduced.stand_in(h).expect("h is always enabled");
    assert!(reduced.net.transition(stand_in).pre.is_empty(), "the test needs h to lose its arcs");
}

/// Fuses all places but `v`, and lifts the run that fires the one transition which takes
/// several tokens.
fn lift_over_fusion(net: &Net, v: PlaceId, late: bool) -> Option<Run> {
    let mut observed = Observed::new(net);
    observed.add_place(v);
    let options = ReduceOptions { rules: vec![Rule::FusedPlaces], ..ReduceOptions::default() };
    let reduced = reduce(net, &observed, Preserves::StutterInvariant, &options).unwrap();
    assert_eq!(reduced.net.places().len(), 2, "the test needs a fusion");
    let takes = |t: &TransitionId| reduced.net.transition(*t).pre.iter().any(|&(_, w)| w > 1);
    let t = reduced.net.transition_ids().find(takes).unwrap();
    let run = Run { prefix: vec![t], cycle: Vec::new() };
    reduced.lift(net, &run, &|_, _| true, &|| late)
}

/// A place that needs hundreds of millions of tokens from another one: a run of so many steps
/// is not spelled out.
#[test]
fn a_fusion_does_not_move_tokens_for_ever() {
    let mut b = NetBuilder::new("far");
    let (many, none, v) = (b.place("many", 300_000_000), b.place("none", 0), b.place("v", 0));
    b.transition("there", &[(many, 1)], &[(none, 1)]);
    b.transition("back", &[(none, 1)], &[(many, 1)]);
    b.transition("t", &[(none, 300_000_000)], &[(v, 1)]);
    let net = b.build().unwrap();
    assert_eq!(lift_over_fusion(&net, v, false), None);
}

/// A thousand places in a ring with a token each, all needed in one place: a thousand searches
/// and half a million steps, or none when it is late.
#[test]
fn a_fusion_looks_at_the_clock() {
    let mut b = NetBuilder::new("ring");
    let ring: Vec<PlaceId> = (0..1_000).map(|i| b.place(&format!("p{i}"), 1)).collect();
    let v = b.place("v", 0);
    for (i, &p) in ring.iter().enumerate() {
        b.transition(&format!("t{i}"), &[(p, 1)], &[(ring[(i + 1) % ring.len()], 1)]);
    }
    b.transition("all", &[(ring[0], 1_000)], &[(v, 1)]);
    let net = b.build().unwrap();
    assert_eq!(lift_over_fusion(&net, v, true), None);
    let run = lift_over_fusion(&net, v, false).unwrap();
    assert_eq!(run.prefix.len(), 999 * 1_000 / 2 + 1);
}

/// A rule that is used for a class it was not made for changes the traces, and this test
/// notices. (A perpetual part does no harm by itself.)
#[test]
fn rules_outside_of_their_class_are_caught() {
    let harmful = |r: &Rule| !r.preserves_all_ltl() && *r != Rule::PerpetualPart;
    let outside: Vec<Rule> = Rule::ALL.into_iter().filter(harmful).collect();
    let mut caught: BTreeMap<&'static str, u64> = outside.iter().map(|r| (r.name(), 0)).collect();
    for seed in 0..20_000 {
        let Some((case, _)) = Case::random(seed) else { continue };
        if caught.values().all(|&n| n > 0) {
            break;
        }
        for (used, asked) in CLASSES[1..].iter().zip(CLASSES) {
            for &rule in &outside {
                let reduced = case.reduce(*used, &[rule]);
                let differs = case.keeps_traces(&reduced, asked) == Some(false);
                *caught.entry(rule.name()).or_default() += u64::from(differs);
            }
        }
    }
    println!("{caught:?}");
    assert!(caught.values().all(|&n| n > 0), "{caught:?}");
}

/// Four times the net, about four times the work.
#[test]
fn the_work_grows_with_the_net() {
    for family in [philosophers, slotted_ring] {
        let work = |size: u32| {
            let net = family(size);
            let mut observed = Observed::new(&net);
            observed.add_place(PlaceId(0));
            let options = ReduceOptions::default();
            let reduced = reduce(&net, &observed, Preserves::StutterInvariant, &options).unwrap();
            let nodes = net.places().len() + net.transitions().len();
            println!(
                "{nodes} nodes, {} steps, {} places left",
                reduced.work(),
                reduced.net.places().len()
            );
            assert!(reduced.is_smaller());
            reduced.work()
        };
        assert!(work(8_000) < 6 * work(2_000));
    }
}
