//! Stubborn sets of random nets, against the definitions D1, D2, V and I taken literally.

use super::*;
use crate::layout::{Bound, Layout};
use brine_ltl::{Comparison, Expression, Formula, Formulas, Options, Translator};
use brine_models::philosophers_atomic;
use brine_net::{PlaceId, Rng};
use brine_oracle::RandomNets;
use brine_run::Control;
use std::collections::HashSet;

/// Sequences outside a set that visit more markings than this are not followed to the end.
const FOLLOW_MAX: usize = 300;

fn fire(net: &Net, t: Step, m: &[u32]) -> Option<Vec<u32>> {
    let (t, mut m) = (net.transition(TransitionId(t.0)), m.to_vec());
    for &(p, w) in t.pre {
        m[p.index()] = m[p.index()].checked_sub(w)?;
    }
    t.post.iter().for_each(|&(p, w)| m[p.index()] += w);
    Some(m)
}

/// The markings that sequences outside the set lead to.
fn followed(net: &Net, set: &[Step], m: &[u32]) -> Vec<Vec<u32>> {
    let mut seen = HashSet::from([m.to_vec()]);
    let mut all = vec![m.to_vec()];
    let mut next = 0;
    while let Some(m) = all.get(next).cloned() {
        for found in outside(net, set).filter_map(|u| fire(net, u, &m)) {
            if seen.len() < FOLLOW_MAX && seen.insert(found.clone()) {
                all.push(found);
            }
        }
        next += 1;
    }
    all
}

/// Whether `t` stays enabled under all sequences outside the set.
fn is_key(net: &Net, set: &[Step], m: &[u32], t: Step) -> bool {
    followed(net, set, m).iter().all(|m| fire(net, t, m).is_some())
}

/// Whether some sequence outside the set enables `t`.
fn can_happen(net: &Net, set: &[Step], m: &[u32], t: Step) -> bool {
    followed(net, set, m).iter().any(|m| fire(net, t, m).is_some())
}

fn outside<'a>(net: &Net, set: &'a [Step]) -> impl Iterator<Item = Step> + use<'a> {
    (0..net.transitions().len() as u32).map(Step).filter(|u| !set.contains(u))
}

/// D1 for one member: whatever sequence leads to `t`, it can also be fired after `t`. Follows
/// all sequences in parallel without and with `t` in front (`None`: that got stuck).
fn commutes(net: &Net, set: &[Step], m: &[u32], t: Step) -> bool {
    type Pair = (Vec<u32>, Option<Vec<u32>>);
    let start: Pair = (m.to_vec(), fire(net, t, m));
    let mut seen: HashSet<Pair> = HashSet::from([start.clone()]);
    let mut pending = vec![start];
    while let Some((m, after_t)) = pending.pop() {
        let now = fire(net, t, &m);
        if now.is_some() && now != after_t {
            return false;
        }
        for u in outside(net, set) {
            let Some(next) = fire(net, u, &m) else { continue };
            let pair = (next, after_t.as_ref().and_then(|a| fire(net, u, a)));
            if seen.len() < FOLLOW_MAX && seen.insert(pair.clone()) {
                pending.push(pair);
            }
        }
    }
    true
}

/// Checks the set of one marking; returns whether it is a proper one.
fn check(
    net: &Net,
    ms: &Markings<'_>,
    at: MarkingId,
    visible: &[Step],
    (stubborn, strength): (&mut Stubborn, Strength),
) -> bool {
    let mut enabled = Vec::new();
    ms.enabled(at, &mut enabled);
    let m = ms.marking(at);
    let set = stubborn.set(ms, at, &enabled).to_vec();
    assert_eq!(set.is_empty(), enabled.is_empty());
    assert!(set.iter().all(|t| enabled.contains(t)));
    if set.len() == enabled.len() {
        return false;
    }
    let context = || format!("{set:?} of {enabled:?} at {m:?}, {visible:?} visible, in {net:?}");
    assert!(set.iter().all(|&t| commutes(net, &set, &m, t)), "D1: {}", context());
    let keys: Vec<Step> = set.iter().copied().filter(|&t| is_key(net, &set, &m, t)).collect();
    assert!(!keys.is_empty(), "D2: {}", context());
    if strength == Strength::Strong {
        assert_eq!(keys, set, "strong D2: {}", context());
    }
    if enabled.iter().any(|t| !visible.contains(t)) {
        assert!(keys.iter().any(|t| !visible.contains(t)), "I: {}", context());
    }
    if set.iter().any(|t| visible.contains(t)) {
        // The disabled members are not told; that none is missing shows in what can happen
        // outside the set.
        let seen_outside =
            visible.iter().any(|&t| !set.contains(&t) && can_happen(net, &set, &m, t));
        assert!(!seen_outside, "V: {}", context());
    }
    true
}

#[test]
fn sets_satisfy_the_definitions() {
    let mut proper = 0;
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let flavour = RandomNets {
            max_places: 8,
            max_transitions: 8,
            max_arcs: 1 + rng.below(3),
            max_weight: 1 + rng.below(3),
            max_tokens: 1 + rng.below(3),
            balanced: [50, 100][rng.below(2) as usize],
        };
        let net = flavour.net(&mut rng);
        let order: Vec<TransitionId> = net.transition_ids().collect();
        let bounds = vec![Bound::Guess(3); net.places().len()];
        let mut ms = Markings::new(&net, &bounds, &order, Control::default()).unwrap();
        let mut next = MarkingId::INITIAL;
        while next.index() < ms.store().len().min(30) {
            let mut enabled = Vec::new();
            ms.enabled(next, &mut enabled);
            ms.fire_all(next, &enabled, &mut Vec::new()).unwrap();
            next = next.next();
        }
        let dependencies = Dependencies::new(&net, &order);
        let share = rng.below(70);
        let visible: Vec<Step> =
            (0..order.len() as u32).map(Step).filter(|_| rng.chance(share)).collect();
        for strength in [Strength::Strong, Strength::Weak] {
            let choice = Choice { strength, tries: 1 + rng.below(5) as usize };
            let mut stubborn = Stubborn::new(&dependencies, visible.clone(), choice);
            for at in ms.store().ids().take(30) {
                proper += u32::from(check(&net, &ms, at, &visible, (&mut stubborn, strength)));
            }
        }
    }
    assert!(proper > 5_000, "only {proper} proper sets");
}

#[test]
fn the_set_depends_on_the_marking_alone() {
    let net = philosophers_atomic(6);
    let order: Vec<TransitionId> = net.transition_ids().collect();
    let bounds = vec![Layout::unknown_bound(); net.places().len()];
    let mut ms = Markings::new(&net, &bounds, &order, Control::default()).unwrap();
    crate::explore::explore(&mut ms, &mut |_| ()).unwrap();
    let dependencies = Dependencies::new(&net, &order);
    let mut stubborn = Stubborn::new(&dependencies, vec![Step(1), Step(2)], Choice::default());
    let all: Vec<MarkingId> = ms.store().ids().collect();
    let mut set_of = |at: MarkingId| {
        let mut enabled = Vec::new();
        ms.enabled(at, &mut enabled);
        stubborn.set(&ms, at, &enabled).to_vec()
    };
    let forwards: Vec<Vec<Step>> = all.iter().map(|&at| set_of(at)).collect();
    let backwards: Vec<Vec<Step>> = all.iter().rev().map(|&at| set_of(at)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
    assert!(forwards.iter().any(|set| set.len() == 1));
}

/// A reader and a taker of one place: weak sets profit, because the reader may be disabled.
#[test]
fn weak_sets_can_be_smaller() {
    let mut b = brine_net::NetBuilder::new("n");
    let (p, q, r, s) = (b.place("p", 1), b.place("q", 1), b.place("r", 1), b.place("s", 0));
    b.transition("key", &[(q, 1)], &[(s, 1)]);
    b.transition("read", &[(p, 1), (q, 1)], &[(p, 1), (s, 1)]);
    b.transition("take", &[(p, 1), (r, 1)], &[(s, 1)]);
    let net = b.build().unwrap();
    let order: Vec<TransitionId> = net.transition_ids().collect();
    let bounds = vec![Layout::unknown_bound(); 4];
    let ms = Markings::new(&net, &bounds, &order, Control::default()).unwrap();
    let dependencies = Dependencies::new(&net, &order);
    let size = |strength| {
        let choice = Choice { strength, tries: 1 };
        Stubborn::new(&dependencies, vec![], choice)
            .set(&ms, MarkingId::INITIAL, &[0, 1, 2].map(Step))
            .len()
    };
    assert_eq!((size(Strength::Strong), size(Strength::Weak)), (3, 2));
}

/// A boolean combination of everything that can be asked about one marking.
fn random_state(rng: &mut Rng, net: &Net, fs: &mut Formulas, depth: u32) -> Formula {
    let place = |rng: &mut Rng| PlaceId(rng.below(net.places().len() as u32));
    match if depth == 0 { rng.below(4) } else { rng.below(8) } {
        0 | 1 => {
            let mut sum = Expression::places(&[place(rng)]);
            if rng.chance(40) {
                let other = Expression::places(&[place(rng)]);
                sum = sum.add_scaled(&other, [-1, 1, 2][rng.index(3)]).unwrap();
            }
            let number = Expression::constant(i64::from(rng.below(3)));
            let comparison = [Comparison::Le, Comparison::Ge, Comparison::Eq][rng.index(3)];
            fs.compare(sum, comparison, number).unwrap()
        }
        2 => fs.deadlock(),
        3 => {
            let count = net.transitions().len() as u32;
            let some = (0..1 + rng.below(2)).map(|_| TransitionId(rng.below(count))).collect();
            fs.fireable(some)
        }
        4 => {
            let f = random_state(rng, net, fs, depth - 1);
            fs.not(f)
        }
        combined => {
            let parts = [0, 1].map(|_| random_state(rng, net, fs, depth - 1));
            if combined < 6 { fs.and(parts) } else { fs.or(parts) }
        }
    }
}

/// Steps to the nearest marking that satisfies the goal, and how many edges were left out; `None`
/// if there are too many markings.
fn distance(
    ms: &mut Markings<'_>,
    is_goal: &dyn Fn(&[u32]) -> bool,
    edges: &mut dyn FnMut(&Markings<'_>, MarkingId, &[Step]) -> Vec<Step>,
) -> Option<(Option<usize>, usize)> {
    let (mut far, mut next, mut left_out) = (vec![0], 0, 0);
    while next < far.len() {
        let at = MarkingId(next as u32);
        if is_goal(&ms.marking(at)) {
            return Some((Some(far[next]), left_out));
        }
        let mut enabled = Vec::new();
        ms.enabled(at, &mut enabled);
        let kept = edges(ms, at, &enabled);
        left_out += enabled.len() - kept.len();
        for t in kept {
            let (_, is_new) = ms.fire(at, t).unwrap();
            if is_new {
                far.push(far[next] + 1);
            }
        }
        next += 1;
        if next > 3_000 {
            return None;
        }
    }
    Some((None, left_out))
}

/// Sets towards a goal keep a shortest run to it, in random nets with random goals.
#[test]
fn goals_stay_as_near_as_they_are() {
    let (mut reached, mut unreachable, mut left_out) = (0, 0, 0);
    for seed in 0..6_000 {
        let mut rng = Rng::new(seed);
        let flavour = RandomNets {
            max_places: 7,
            max_transitions: 8,
            max_arcs: 1 + rng.below(3),
            max_weight: 1 + rng.below(2),
            max_tokens: 1 + rng.below(2),
            balanced: [80, 100][rng.below(2) as usize],
        };
        let net = flavour.net(&mut rng);
        let mut fs = Formulas::new();
        let depth = rng.below(4);
        let state = random_state(&mut rng, &net, &mut fs, depth);
        let formula = fs.f(state);
        let options = Options { net: Some(&net), ..Options::default() };
        let Ok(automaton) = Translator::new(&fs, formula, &options).and_then(|mut t| t.tgba())
        else {
            continue;
        };
        let automaton = std::sync::Arc::new(automaton);
        let order = crate::setup::firing_order(&net, seed % 3);
        let initial = automaton.initial();
        let Some(edge) = automaton.edges_of(initial).iter().find(|e| e.dst != initial) else {
            continue;
        };
        let label = automaton.label(edge.label).clone();
        let Some(goal) = Goal::new(&label, &automaton, &net, &order) else { continue };
        let dependencies = Dependencies::new(&net, &order);
        let mut stubborn = Stubborn::towards(&dependencies, goal);
        let atoms = automaton.atoms();
        let is_goal = |m: &[u32]| {
            let holds = |i: &usize| atoms[*i].eval(&net, m) == Some(true);
            let letter = (0..atoms.len()).filter(holds).fold(0, |l, i| l | 1_u64 << i);
            label.accepts(letter)
        };
        let bounds = vec![Bound::Guess(3); net.places().len()];
        let fresh = || Markings::new(&net, &bounds, &order, Control::default()).unwrap();
        let all = distance(&mut fresh(), &is_goal, &mut |_, _, enabled| enabled.to_vec());
        let Some((expected, _)) = all else { continue };
        let mut set = |ms: &Markings<'_>, at: MarkingId, enabled: &[Step]| {
            let set = stubborn.set(ms, at, enabled).to_vec();
            assert!(set.iter().all(|t| enabled.contains(t)));
            set
        };
        let (found, dropped) = distance(&mut fresh(), &is_goal, &mut set).unwrap();
        assert_eq!(
            found,
            expected,
            "seed {seed}: {} in {net:?}",
            fs.print(state, &brine_ltl::Symbols::of_net(&net))
        );
        reached += usize::from(expected.is_some_and(|steps| steps > 0));
        unreachable += usize::from(expected.is_none());
        left_out += dropped;
    }
    assert!(reached > 800 && unreachable > 500, "{reached} reached, {unreachable} not");
    assert!(left_out > 2_000, "{left_out} edges left out");
}
