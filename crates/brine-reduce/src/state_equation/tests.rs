//! Certificates and answers against brute force.

use super::certificate::Suggestion;
use super::{Constraint, Proof, StateEquation};
use brine_net::{Net, NetBuilder, PlaceId, Rng, Structure, TransitionId};
use brine_oracle::{RandomNets, reachable_markings};
use std::collections::HashSet;

fn random_constraint(rng: &mut Rng, net: &Net) -> Constraint {
    let mut terms: Vec<(PlaceId, i64)> =
        net.place_ids().map(|p| (p, i64::from(rng.below(5)) - 2)).collect();
    terms.retain(|&(_, c)| c != 0 && rng.chance(50));
    Constraint { terms, bound: i64::from(rng.below(9)) - 5 }
}

fn satisfies(marking: &[u32], constraint: &Constraint) -> bool {
    let terms = constraint.terms.iter();
    terms.map(|&(p, c)| c * i64::from(marking[p.index()])).sum::<i64>() <= constraint.bound
}

fn random_net(rng: &mut Rng) -> Option<(Net, Vec<Vec<u32>>)> {
    let flavour = RandomNets { max_places: 4, max_transitions: 4, ..RandomNets::default() };
    let net = flavour.net(rng);
    let markings = reachable_markings(&net, 200)?;
    Some((net, markings))
}

/// Whatever is suggested: what the exact check accepts is true.
#[test]
fn only_true_certificates_are_accepted() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..6_000 {
        let mut rng = Rng::new(seed);
        let Some((net, markings)) = random_net(&mut rng) else { continue };
        let structure = Structure::new(&net);
        let equation = StateEquation::new(&net, &structure);
        let count = 1 + rng.below(2);
        let constraints: Vec<Constraint> =
            (0..count).map(|_| random_constraint(&mut rng, &net)).collect();
        let possible = markings.iter().any(|m| constraints.iter().all(|c| satisfies(m, c)));
        for _ in 0..40 {
            let lambda: Vec<i128> =
                constraints.iter().map(|_| i128::from(rng.below(4)) - 1).collect();
            let y = net.place_ids().map(|_| i128::from(rng.below(7)) - 3).collect();
            let proved = equation.proves(&constraints, &Suggestion { lambda, y });
            assert!(!(proved && possible), "seed {seed}: {constraints:?} on {net:?}");
            accepted += u32::from(proved);
            refused += u32::from(!proved && !possible);
        }
    }
    println!("{accepted} accepted, {refused} refused of what is impossible");
    assert!(accepted > 2_000 && refused > 2_000, "{accepted}, {refused}");
}

/// Exclusion is never wrong, and finds most of what is impossible in such small nets.
#[test]
fn what_is_excluded_is_impossible() {
    let (mut excluded, mut impossible) = (0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let Some((net, markings)) = random_net(&mut rng) else { continue };
        let structure = Structure::new(&net);
        let mut equation = StateEquation::new(&net, &structure);
        for _ in 0..4 {
            let constraints =
                [random_constraint(&mut rng, &net), random_constraint(&mut rng, &net)];
            let possible = markings.iter().any(|m| constraints.iter().all(|c| satisfies(m, c)));
            let proof = equation.excludes(&constraints, None);
            assert!(!(possible && proof.is_some()), "seed {seed}: {constraints:?} on {net:?}");
            impossible += u32::from(!possible);
            excluded += u32::from(proof.is_some());
        }
        assert_eq!(equation.stats().unproved, 0, "seed {seed}");
    }
    println!("{excluded} of {impossible} excluded");
    assert!(excluded * 10 > impossible * 8, "{excluded} of {impossible}");
}

/// Two tokens that go round between p and q; one can swallow the other, but the last one stays.
/// The equation alone thinks that each can be swallowed.
#[test]
fn a_trap_excludes_what_the_equation_allows() {
    let mut b = NetBuilder::new("trap");
    let (p, q) = (b.place("p", 2), b.place("q", 0));
    b.transition("go", &[(p, 1)], &[(q, 1)]);
    b.transition("back", &[(q, 1)], &[(p, 1)]);
    b.transition("swallow", &[(p, 1), (q, 1)], &[(p, 1)]);
    let net = b.build().expect("valid");
    let structure = Structure::new(&net);
    let mut equation = StateEquation::new(&net, &structure);
    let empty = Constraint { terms: vec![(p, 1), (q, 1)], bound: 0 };
    assert_eq!(equation.excludes(&[empty], None), Some(Proof::Traps));
    let heavy = Constraint { terms: vec![(p, -1), (q, -1)], bound: -3 };
    assert_eq!(equation.excludes(&[heavy], None), Some(Proof::Equation));
}

/// Sets of transitions that run out: no reachable cycle uses them alone.
#[test]
fn what_runs_out_has_no_cycle() {
    let (mut out, mut cycles) = (0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let Some((net, markings)) = random_net(&mut rng) else { continue };
        let structure = Structure::new(&net);
        let mut equation = StateEquation::new(&net, &structure);
        let chosen: Vec<TransitionId> = net.transition_ids().filter(|_| rng.chance(70)).collect();
        let cyclic = has_cycle(&net, &markings, &chosen);
        let proved = equation.runs_out(&chosen, None);
        assert!(!(cyclic && proved), "seed {seed}: {chosen:?} on {net:?}");
        out += u32::from(proved);
        cycles += u32::from(cyclic);
        assert_eq!(equation.stats().unproved, 0, "seed {seed}");
    }
    println!("{out} sets run out, {cycles} have cycles");
    assert!(out > 500 && cycles > 100, "{out}, {cycles}");
}

/// Does the marking graph have a cycle of these transitions? Markings from which no step leads
/// on are taken away until nothing changes; what is left has one.
fn has_cycle(net: &Net, markings: &[Vec<u32>], chosen: &[TransitionId]) -> bool {
    let after = |m: &Vec<u32>, t: TransitionId| -> Option<Vec<u32>> {
        let (mut m, t) = (m.clone(), net.transition(t));
        for &(p, w) in t.pre {
            m[p.index()] = m[p.index()].checked_sub(w)?;
        }
        t.post.iter().for_each(|&(p, w)| m[p.index()] += w);
        Some(m)
    };
    let mut left: HashSet<Vec<u32>> = markings.iter().cloned().collect();
    loop {
        let goes_on = |m: &Vec<u32>| {
            chosen.iter().any(|&t| after(m, t).is_some_and(|next| left.contains(&next)))
        };
        let next: HashSet<Vec<u32>> = left.iter().filter(|m| goes_on(m)).cloned().collect();
        if next.len() == left.len() {
            return !left.is_empty();
        }
        left = next;
    }
}
