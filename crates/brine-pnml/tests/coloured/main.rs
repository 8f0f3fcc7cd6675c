//! The unfolding against a naive one, on random nets and on the contest's.

mod constructs;
mod errors;

use brine_models::symmetric::SymmetricNet;
use brine_models::{database_coloured, naive_unfolding as naive, random_symmetric as random};
use brine_net::{Net, Rng};
use brine_pnml::{Model, ReadError, UnfoldLimits, read_model_from};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Places with tokens, by name.
type Marking = BTreeMap<String, u64>;
type Step = (Marking, String, Marking);

/// A transition's name with its variables in alphabetical order.
fn sorted_name(id: &str) -> String {
    let Some((id, rest)) = id.split_once('[') else { return id.to_owned() };
    let mut parts: Vec<&str> = rest.trim_end_matches(']').split(',').collect();
    parts.sort_unstable();
    format!("{id}[{}]", parts.join(","))
}

/// The steps of the first rounds of a breadth-first search: all of them for small nets.
/// Places that `keep` does not name are left out.
fn steps(net: &Net, keep: &BTreeSet<Cow<'_, str>>) -> BTreeSet<Step> {
    const MOST: usize = 300;
    let marking = |vector: &[u64]| -> Marking {
        let places = net.places().zip(vector);
        let kept = places.filter(|(p, n)| **n > 0 && keep.contains(&p.id()));
        kept.map(|(p, &n)| (p.id().into_owned(), n)).collect()
    };
    let start: Vec<u64> = net.initial_marking().into_iter().map(u64::from).collect();
    let mut round = BTreeSet::from([start]);
    let mut seen = round.clone();
    let mut steps = BTreeSet::new();
    for _ in 0..6 {
        let mut next = BTreeSet::new();
        for before in &round {
            for t in net.transitions() {
                if t.pre.iter().any(|&(p, w)| before[p.index()] < u64::from(w)) {
                    continue;
                }
                let mut after = before.clone();
                t.pre.iter().for_each(|&(p, w)| after[p.index()] -= u64::from(w));
                t.post.iter().for_each(|&(p, w)| after[p.index()] += u64::from(w));
                steps.insert((marking(before), sorted_name(&t.id()), marking(&after)));
                if !seen.contains(&after) {
                    next.insert(after);
                }
            }
        }
        seen.extend(next.iter().cloned());
        // Both nets get the same rounds, so both stop at the same one.
        if seen.len() > MOST {
            break;
        }
        round = next;
    }
    steps
}

/// Compares the unfolding with the naive one.
fn compare(source: &SymmetricNet, model: &Model, seed: u64) -> usize {
    let naive = naive::unfold(source);
    let keep: BTreeSet<Cow<'_, str>> = model.net.places().map(|p| p.id()).collect();
    let smart_steps = steps(&model.net, &keep);
    assert_eq!(smart_steps, steps(&naive, &keep), "seed {seed}: {source:?}");
    // What was left out never moves, and is counted.
    let out = naive.places().filter(|p| !keep.contains(&p.id()));
    let tokens: u64 = out.map(|p| u64::from(p.initial)).sum();
    assert_eq!(tokens, model.idle_tokens(), "seed {seed}");
    let names: BTreeSet<Cow<'_, str>> = naive.places().map(|p| p.id()).collect();
    assert!(keep.is_subset(&names), "seed {seed}");
    assert!(model.net.transitions().len() <= naive.transitions().len(), "seed {seed}");
    smart_steps.len()
}

#[test]
fn random_nets_unfold_like_the_naive_ones() {
    let cases = std::env::var("BRINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let (mut with_steps, mut smaller, mut steps) = (0, 0, 0);
    for seed in 0..cases {
        let source = random::net(&mut Rng::new(seed));
        let model = source.unfold().unwrap_or_else(|e| panic!("seed {seed}: {e}\n{source:?}"));
        let found = compare(&source, &model, seed);
        with_steps += u64::from(found > 0);
        steps += found;
        let naive = naive::unfold(&source);
        smaller += u64::from(model.net.transitions().len() < naive.transitions().len());
    }
    println!("{cases} nets, {with_steps} with steps, {steps} steps, {smaller} smaller");
    assert!(with_steps * 3 > cases && smaller * 10 > cases, "the nets are too dull");
}

/// What the fixpoint leaves out can indeed never occur: it is the structural least one.
#[test]
fn every_transition_that_is_kept_has_marked_inputs_somewhere() {
    for seed in 0..300 {
        let model = random::net(&mut Rng::new(seed)).unfold().expect("valid");
        let mut marked: Vec<bool> = model.net.places().map(|p| p.initial > 0).collect();
        let mut left: Vec<_> = model.net.transitions().collect();
        loop {
            let before = left.len();
            left.retain(|t| {
                let enabled = t.pre.iter().all(|&(p, _)| marked[p.index()]);
                if enabled {
                    t.post.iter().for_each(|&(p, _)| marked[p.index()] = true);
                }
                !enabled
            });
            if left.len() == before {
                break;
            }
        }
        assert!(left.is_empty() && marked.iter().all(|&m| m), "seed {seed}");
    }
}

/// The black token comes last, so the colours of `p` are looked up and not matched.
#[test]
fn a_variable_twice_in_a_colour_has_one_value() {
    use brine_models::symmetric::{
        SymmetricPlace, SymmetricSort, SymmetricTerm, SymmetricTransition,
    };
    let place = |id: &str, sort| SymmetricPlace {
        id: id.to_owned(),
        sort,
        initial: Some(SymmetricTerm::All(sort)),
    };
    let net = SymmetricNet {
        name: "twice".to_owned(),
        sorts: vec![
            ("S".to_owned(), SymmetricSort::Range(1, 3)),
            ("P".to_owned(), SymmetricSort::Product(vec![0, 0])),
            ("D".to_owned(), SymmetricSort::Dot),
        ],
        variables: vec![("x".to_owned(), 0)],
        places: vec![place("p", 1), place("q", 2)],
        transitions: vec![SymmetricTransition {
            id: "t".to_owned(),
            guard: None,
            inputs: vec![
                (
                    0,
                    SymmetricTerm::Tuple(vec![
                        SymmetricTerm::Variable(0),
                        SymmetricTerm::Variable(0),
                    ]),
                ),
                (1, SymmetricTerm::Constant(2, 0)),
            ],
            outputs: vec![],
        }],
    };
    let model = net.unfold().expect("valid");
    assert_eq!((model.net.transitions().len(), model.idle_tokens()), (3, 6));
    assert_eq!(compare(&net, &model, 0), 3);
}

#[test]
fn names_that_could_clash_stay_different() {
    use brine_models::symmetric::{
        SymmetricPlace, SymmetricSort, SymmetricTerm, SymmetricTransition,
    };
    let names = ["a", "a,a", "b]", "x=1"].map(str::to_owned).to_vec();
    let place = |id: &str, sort| SymmetricPlace {
        id: id.to_owned(),
        sort,
        initial: Some(SymmetricTerm::All(sort)),
    };
    let net = SymmetricNet {
        name: "clash".to_owned(),
        sorts: vec![
            ("S".to_owned(), SymmetricSort::Finite(names)),
            ("D".to_owned(), SymmetricSort::Dot),
            ("P".to_owned(), SymmetricSort::Product(vec![0, 0])),
        ],
        variables: vec![("x".to_owned(), 2)],
        places: vec![place("p", 2), place("p[a,a]", 1)],
        transitions: vec![SymmetricTransition {
            id: "t".to_owned(),
            guard: None,
            inputs: vec![(0, SymmetricTerm::Variable(0)), (1, SymmetricTerm::All(1))],
            outputs: vec![],
        }],
    };
    let model = net.unfold().expect("valid");
    let ids: BTreeSet<Cow<'_, str>> = model.net.places().map(|p| p.id()).collect();
    assert_eq!((ids.len(), model.net.transitions().len()), (17, 16));
    assert!(ids.contains("p[a,a]#2"));
}

#[test]
fn limits_are_kept_and_named() {
    let mut bytes = Vec::new();
    database_coloured(4).write_pnml(&mut bytes).expect("memory");
    let read = |limits: UnfoldLimits| match read_model_from(bytes.as_slice(), "f", &limits) {
        Ok(_) => None,
        Err(ReadError::TooLarge { message, .. }) => Some(message),
        Err(error) => panic!("{error}"),
    };
    let all = UnfoldLimits::default();
    assert_eq!(read(all), None);
    let message = |limits| read(limits).expect("over the limit");
    assert_eq!(
        message(UnfoldLimits { places: 30, ..all }),
        "the coloured net unfolds to more than 30 places (at place \"sent\"), which is over the \
         limit; a smaller instance of the model may do"
    );
    assert!(message(UnfoldLimits { transitions: 20, ..all }).contains("20 transitions (at "));
    assert!(message(UnfoldLimits { arcs: 50, ..all }).contains("50 arcs (at "));
    assert!(message(UnfoldLimits { work: 100, ..all }).contains("100 steps of search"));
    // Exactly as large as the limits say is fine.
    let model = read_model_from(bytes.as_slice(), "f", &all).expect("valid").net;
    let arcs: usize = model.transitions().map(|t| t.pre.len() + t.post.len()).sum();
    let exact = UnfoldLimits {
        places: model.places().len() as u64,
        transitions: model.transitions().len() as u64,
        arcs: arcs as u64,
        ..all
    };
    assert_eq!(read(exact), None);
}

/// The full product of this net's variables has 10^24 bindings; propagation leaves 10.
#[test]
fn guards_and_markings_cut_the_product() {
    use brine_models::symmetric::{
        Condition, SymmetricComparison, SymmetricPlace, SymmetricSort, SymmetricTerm,
        SymmetricTransition,
    };
    let variables = 24;
    let equal = |a, b| {
        Condition::Compare(
            SymmetricComparison::Equal,
            SymmetricTerm::Variable(a),
            SymmetricTerm::Variable(b),
        )
    };
    let place = |id: &str| SymmetricPlace {
        id: id.to_owned(),
        sort: 0,
        initial: Some(SymmetricTerm::All(0)),
    };
    let net = SymmetricNet {
        name: "chain".to_owned(),
        sorts: vec![("S".to_owned(), SymmetricSort::Range(0, 9))],
        variables: (0..variables).map(|i| (format!("x{i}"), 0)).collect(),
        places: vec![place("p"), place("q")],
        transitions: vec![SymmetricTransition {
            id: "t".to_owned(),
            guard: Some(Condition::And((1..variables).map(|i| equal(i - 1, i)).collect())),
            inputs: vec![(0, SymmetricTerm::Variable(0))],
            outputs: vec![(
                1,
                SymmetricTerm::Add((0..variables).map(SymmetricTerm::Variable).collect()),
            )],
        }],
    };
    let model = net.unfold().expect("small");
    assert_eq!(model.net.transitions().len(), 10);
    assert_eq!(model.net.transition(brine_net::TransitionId(3)).post[0].1, variables as u32);
}
