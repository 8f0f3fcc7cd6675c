//! Proved facts against brute force on small random nets: no claim may be wrong.

use brine_net::{
    Net, NetBuilder, Nupn, PlaceId, Rng, Structure, Transition, TransitionId, Unit, UnitSafety,
};
use brine_oracle::{RandomNets, reachable_markings};

fn cases() -> u64 {
    std::env::var("BRINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(5_000)
}

/// A random tree of up to six units over the places.
fn random_nupn(net: &Net, rng: &mut Rng) -> Nupn {
    let count = 1 + rng.below(6) as usize;
    let mut units: Vec<Unit> =
        (0..count).map(|i| Unit { id: format!("u{i}"), ..Unit::default() }).collect();
    for child in 1..count {
        units[rng.below(child as u32) as usize].subunits.push(child);
    }
    for p in net.place_ids() {
        units[rng.below(count as u32) as usize].places.push(p);
    }
    Nupn { units, root: 0, safe: true }
}

fn with_nupn(net: &Net, nupn: Nupn) -> Net {
    let mut b = NetBuilder::new(net.name());
    for p in net.places() {
        b.named_place(&p.id(), &p.name(), p.initial);
    }
    for t in net.transitions() {
        b.named_transition(&t.id(), &t.name(), t.pre, t.post);
    }
    b.nupn(nupn);
    b.build().expect("valid")
}

/// A net whose start is as full as unit-safety allows.
fn machine_net(rng: &mut Rng) -> Net {
    let base = RandomNets { max_places: 10, max_transitions: 6, ..RandomNets::default() }.net(rng);
    let nupn = random_nupn(&base, rng);
    let mut initial = vec![0; base.places().len()];
    for p in base.place_ids() {
        initial[p.index()] = u32::from(rng.chance(70));
        if path_tokens(&nupn, &initial).iter().any(|&n| n > 1) {
            initial[p.index()] = 0;
        }
    }
    let mut b = NetBuilder::new("machines");
    for (p, tokens) in base.places().zip(initial) {
        b.place(&p.id(), tokens);
    }
    for t in base.transitions() {
        b.named_transition(&t.id(), &t.name(), t.pre, t.post);
    }
    b.nupn(nupn);
    b.build().expect("valid")
}

/// Tokens on the path from the root to each unit.
fn path_tokens(nupn: &Nupn, marking: &[u32]) -> Vec<u32> {
    let mut tokens = vec![0; nupn.units.len()];
    // Parents have smaller numbers here.
    for (u, unit) in nupn.units.iter().enumerate() {
        tokens[u] += unit.places.iter().map(|p| marking[p.index()]).sum::<u32>();
        for &child in &unit.subunits {
            tokens[child] += tokens[u];
        }
    }
    tokens
}

#[test]
fn nothing_proved_is_wrong() {
    let (mut checked, mut proved, mut broken_later, mut grouped) = (0, 0, 0, 0);
    for seed in 0..cases() {
        let mut rng = Rng::new(seed);
        let net = if rng.chance(50) {
            machine_net(&mut rng)
        } else {
            let net = RandomNets { max_weight: 2, ..RandomNets::default() }.net(&mut rng);
            let nupn = random_nupn(&net, &mut rng);
            with_nupn(&net, nupn)
        };
        let Some(markings) = reachable_markings(&net, 2_000) else { continue };
        checked += 1;
        let structure = Structure::new(&net);
        let (Some(nupn), Some(check)) = (net.nupn(), &structure.nupn) else {
            panic!("seed {seed}: no units")
        };
        let broken = |m: &Vec<u32>| path_tokens(nupn, m).iter().any(|&n| n > 1);
        match check.safety {
            Some(UnitSafety::Proved) => proved += 1,
            Some(UnitSafety::NotProved(_)) => {
                broken_later += usize::from(markings.iter().any(broken));
            }
            _ => {}
        }
        grouped += structure.semiflow_units.groups.len();
        for marking in &markings {
            let tokens = |group: &[PlaceId]| group.iter().map(|p| marking[p.index()]).sum::<u32>();
            for p in net.place_ids() {
                let tokens = u64::from(marking[p.index()]);
                assert!(structure.bounds.of(p).is_none_or(|b| tokens <= b), "seed {seed}: {p:?}");
            }
            let units = structure.nupn_units.iter().chain([&structure.semiflow_units]);
            for group in units.flat_map(|units| &units.groups) {
                assert!(tokens(group) <= 1, "seed {seed}: {group:?} in {marking:?}");
            }
            for (unit, _) in nupn.units.iter().zip(&check.proved_units).filter(|(_, p)| **p) {
                assert!(tokens(&unit.places) <= 1, "seed {seed}: {unit:?} in {marking:?}");
            }
            if check.is_proved() {
                let paths = path_tokens(nupn, marking);
                assert!(paths.iter().all(|&n| n <= 1), "seed {seed}: {paths:?} in {marking:?}");
            }
            for &p in &structure.facts.constant_places {
                assert_eq!(marking[p.index()], net.place(p).initial, "seed {seed}: {p:?}");
            }
            for &t in &structure.facts.dead_transitions {
                let enabled = net.transition(t).pre.iter().all(|&(p, w)| marking[p.index()] >= w);
                assert!(!enabled, "seed {seed}: {t:?}");
            }
        }
        if check.safety == Some(UnitSafety::Refuted(0)) {
            assert!(path_tokens(nupn, &net.initial_marking())[0] > 1);
        }
    }
    // The test is worth something only if all of this happens often: units that are safe,
    // and units that look safe at the start but are not.
    let enough = cases() as usize / 100;
    assert!(checked > 50 * enough && proved > 10 * enough, "{checked} {proved}");
    assert!(broken_later > enough && grouped > 10 * enough, "{broken_later} {grouped}");
}

fn unit(id: &str, places: &[PlaceId], subunits: &[usize]) -> Unit {
    Unit { id: id.to_owned(), places: places.to_vec(), subunits: subunits.to_vec() }
}

/// A process that forks into two and joins again: root place, two subunits.
fn fork_join(leak: bool) -> Net {
    let mut b = NetBuilder::new("fork-join");
    let root = b.place("root", 1);
    let [a1, a2] = [b.place("a1", 0), b.place("a2", 0)];
    let [b1, b2] = [b.place("b1", 0), b.place("b2", 0)];
    b.transition("fork", &[(root, 1)], &[(a1, 1), (b1, 1)]);
    b.transition("a", &[(a1, 1)], &[(a2, 1)]);
    b.transition("b", &[(b1, 1)], &[(b2, 1)]);
    let both = [(a2, 1), (b2, 1)];
    b.transition("join", if leak { &both[..1] } else { &both }, &[(root, 1)]);
    b.nupn(Nupn {
        units: vec![
            unit("u0", &[root], &[1, 2]),
            unit("u1", &[a1, a2], &[]),
            unit("u2", &[b1, b2], &[]),
        ],
        root: 0,
        safe: true,
    });
    b.build().expect("valid")
}

#[test]
fn fork_and_join_is_proved_and_a_leak_is_not() {
    let net = fork_join(false);
    // Without semiflows, by induction alone.
    let incidence = brine_net::Incidence::new(&net);
    let bounds = brine_net::Bounds::new(&net, &incidence, &[]);
    let dead = brine_net::Dead::new(&net, &incidence, &bounds, &[]);
    assert!(brine_net::check_nupn(&net, &[], &dead).is_some_and(|c| c.is_proved()));
    let structure = Structure::new(&net);
    assert!(structure.bounds.is_safe());
    let groups = &structure.units().groups;
    assert_eq!(groups, &[vec![PlaceId(1), PlaceId(2)], vec![PlaceId(3), PlaceId(4)]]);

    let net = fork_join(true);
    let structure = Structure::new(&net);
    let check = structure.nupn.as_ref().expect("units");
    assert_eq!(check.safety, Some(UnitSafety::NotProved(TransitionId(3))));
    assert!(structure.nupn_units.is_none());
    assert_eq!(structure.bounds.of(PlaceId(3)), None);
}

#[test]
fn exclusion_looks_above_the_unit_too() {
    // The token at `x` lies above the unit of `y`; `q` excludes `y` but not `x`.
    let mut b = NetBuilder::new("above");
    let (x, y, q) = (b.place("x", 1), b.place("y", 0), b.place("q", 1));
    let t = b.transition("t", &[(q, 1)], &[(y, 1)]);
    b.nupn(Nupn {
        units: vec![
            unit("root", &[], &[1, 3]),
            unit("a", &[x], &[2]),
            unit("u", &[y], &[]),
            unit("b", &[q], &[]),
        ],
        root: 0,
        safe: true,
    });
    let net = b.build().expect("valid");
    let check = Structure::new(&net).nupn.expect("units");
    assert_eq!(check.safety, Some(UnitSafety::NotProved(t)));
}

#[test]
fn exclusion_proves_mutual_exclusion() {
    // Two processes that enter only when the other's flag is off; one unit for both
    // critical places, which no semiflow covers.
    let mut b = NetBuilder::new("flags");
    let mut process = |i: u32| {
        ["rest", "wait", "critical", "off", "on"]
            .map(|name| b.place(&format!("{name}_{i}"), u32::from(name == "rest" || name == "off")))
    };
    let p = [process(0), process(1)];
    for (i, [[rest, wait, critical, off, on], [.., other_off, _]]) in
        [[p[0], p[1]], [p[1], p[0]]].into_iter().enumerate()
    {
        b.transition(&format!("ask_{i}"), &[(rest, 1), (off, 1)], &[(wait, 1), (on, 1)]);
        let enter = [(wait, 1), (other_off, 1)];
        b.transition(&format!("enter_{i}"), &enter, &[(critical, 1), (other_off, 1)]);
        b.transition(&format!("leave_{i}"), &[(critical, 1), (on, 1)], &[(rest, 1), (off, 1)]);
    }
    let mut units = vec![unit("root", &[], &[1, 2, 3, 4, 5])];
    units.push(unit("critical", &[p[0][2], p[1][2]], &[]));
    for [rest, wait, _, off, on] in p {
        units.push(unit(&format!("points_{}", rest.0), &[rest, wait], &[]));
        units.push(unit(&format!("flag_{}", off.0), &[off, on], &[]));
    }
    b.nupn(Nupn { units, root: 0, safe: true });
    let structure = Structure::new(&b.build().expect("valid"));
    assert!(structure.nupn.is_some_and(|check| check.is_proved()));
}

#[test]
fn units_of_wrong_shape() {
    use brine_net::NupnProblem::*;
    let net = fork_join(false);
    let all: Vec<PlaceId> = net.place_ids().collect();
    let problem = |units: Vec<Unit>| {
        let net = with_nupn(&net, Nupn { units, root: 0, safe: true });
        Structure::new(&net).nupn.and_then(|c| c.problem)
    };
    assert_eq!(problem(vec![unit("u", &all, &[])]), None);
    assert_eq!(problem(vec![unit("u", &all[1..], &[])]), Some(PlaceWithoutUnit(all[0])));
    let twice = vec![unit("u", &all, &[1]), unit("v", &all[2..3], &[])];
    assert_eq!(problem(twice), Some(PlaceInTwoUnits(all[2])));
    let circle = vec![unit("u", &all, &[]), unit("v", &[], &[2]), unit("w", &[], &[1])];
    assert_eq!(problem(circle), Some(NotUnderRoot(1)));
    let shared = vec![unit("u", &all, &[1, 1]), unit("v", &[], &[])];
    assert_eq!(problem(shared), Some(NotATree(1)));
    assert_eq!(problem(vec![unit("u", &all, &[0])]), Some(NotATree(0)));
}

#[test]
fn simple_facts() {
    let mut b = NetBuilder::new("facts");
    let [p, q, lonely] = [b.place("p", 1), b.place("q", 2), b.place("lonely", 3)];
    let source = b.transition("source", &[], &[(p, 1)]);
    let sink = b.transition("sink", &[(p, 1)], &[]);
    let dead = b.transition("dead", &[(q, 3)], &[(lonely, 1)]);
    let net = b.build().expect("valid");
    let Transition { pre, .. } = net.transition(dead);
    assert_eq!(pre, &[(q, 3)]);
    let structure = Structure::new(&net);
    let facts = &structure.facts;
    assert_eq!(facts.source_transitions, [source]);
    assert_eq!(facts.sink_transitions, [sink]);
    assert_eq!(facts.dead_transitions, [dead]);
    assert_eq!(facts.constant_places, [q, lonely]);
    assert!(facts.isolated_places.is_empty());
    assert_eq!(facts.unbounded_by_source(&structure.incidence), Some(source));
    assert_eq!(structure.bounds.of(q), Some(2));
    assert_eq!(structure.bounds.of(p), None);
}

#[test]
fn contest_counts_respect_the_bounds() {
    let mcc = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/mcc"));
    let Ok(table) = std::fs::read_to_string(mcc.join("expected-states.csv")) else {
        println!("skipped: no contest data at {}", mcc.display());
        return;
    };
    let mut checked = 0;
    for line in table.lines().skip(1).filter(|line| line.contains("-PT-")) {
        let fields: Vec<&str> = line.split(',').collect();
        let (name, most) = (fields[0], fields[3]);
        let net =
            brine_pnml::read_pnml(&mcc.join("models").join(name).join("model.pnml")).expect(name);
        let bound = Structure::new(&net).bounds.max();
        match most.parse::<u64>() {
            Ok(most) => assert!(bound.is_none_or(|b| b >= most), "{name}: {bound:?} < {most}"),
            Err(_) if most == "+inf" => assert_eq!(bound, None, "{name}"),
            Err(_) => continue,
        }
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}
