//! Every question that is not LTL, by every way that answers it, against brute force: CTL, bounds,
//! dead markings, one-safety, stable places, quasi-liveness, liveness; and one question asked as LTL,
//! as reachability and as CTL.
//!
//! BRINE_CASES sets the number of nets, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::coloured::{ColouredAuto, ColouredModel};
use brine_check::{
    AllMarkings, Budget, ColouredAsker, Decider, EngineName, EngineOptions, MarkingsAnswer,
    MarkingsQuestion, MarkingsWays, PlainAsker, QueryAnswer, QueryCase, RecurrenceQuestion,
    Schedule, Stages, always_returns,
};
use brine_explicit::local::LocalValues;
use brine_ltl::{Comparison, Ctl, Expression, Formulas, Query, Symbols, WholeNet, parse_query};
use brine_models::coloured_pairs::NaivePair;
use brine_models::{random_moves, random_symmetric};
use brine_net::{Net, NetBuilder, PlaceId, Rng, Structure, TransitionId};
use brine_oracle::nets::random_net;
use brine_oracle::{BranchingTree, QuestionGraph, QuestionGroups, number};
use brine_pnml::coloured_symbols;
use brine_run::{Control, Shelf};
use std::ops::Deref;

/// Nets with more markings are left out.
const MARKINGS: usize = 300;
/// Formulas of CTL about each net.
const FORMULAS: usize = 4;

/// A net and all that brute force knows.
struct Case {
    net: Net,
    graph: QuestionGraph,
    seed: u64,
}

/// Calls `ask` with random nets: `BRINE_CASES` of them, or `count`.
fn each_net(count: u64, mut ask: impl FnMut(&Case, &mut Rng)) {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", count));
    let (mut seed, mut nets) = (first, 0);
    while nets < count {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        if let Some(graph) = QuestionGraph::new(&net, MARKINGS) {
            nets += 1;
            ask(&Case { net, graph, seed }, &mut rng);
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {nets} nets");
}

/// One of the ways to find all markings.
fn random_ways(rng: &mut Rng) -> MarkingsWays {
    let explicit = rng.chance(50);
    MarkingsWays { explicit, symbolic: !explicit, order: None }
}

/// Diagrams collect garbage and forget as often as can be.
fn random_budget(rng: &mut Rng) -> Budget {
    let gc_interval = rng.chance(50).then(|| 1 + rng.below(50) as usize);
    let cache_entries = rng.chance(30).then(|| 1 << rng.below(8));
    Budget { schedule: Schedule { ticks: None, gc_interval, cache_entries }, ..Budget::default() }
}

/// The answer of all stages, or of one engine, to a query.
fn answer(
    net: &Net,
    fs: &Formulas,
    query: &Query,
    engine: EngineName,
    budget: &Budget,
) -> QueryAnswer {
    let structure = &Structure::new(net);
    let options = EngineOptions { engine: Some(engine), ..EngineOptions::default() };
    let spec = options.spec().unwrap();
    let decider: Decider<'_> = spec.build(net, &structure, &budget.control()).unwrap();
    let shelf = Shelf::default();
    let mut asker =
        PlainAsker::new(net, decider, &shelf).with_markings(&structure, spec.markings().unwrap());
    let mut case = match query {
        Query::AllRuns(f) => QueryCase::all_runs(&mut asker, fs, *f),
        Query::SomeRun(f) => QueryCase::some_run(&mut asker, fs, *f),
        Query::Branching(ctl) => QueryCase::branching(fs, ctl),
        Query::Bound(sum) => {
            let seen = sum.terms.iter().map(|&(p, c)| c * i64::from(net.place(p).initial)).sum();
            QueryCase::bound(fs, sum.clone(), seen, None)
        }
        Query::Whole(question) => QueryCase::whole(question.clone()),
    };
    case.advance(&mut asker, budget, u64::MAX).unwrap().0
}

const ENGINES: [EngineName; 3] = [EngineName::Auto, EngineName::Explicit, EngineName::Symbolic];

fn verdict(holds: bool) -> QueryAnswer {
    if holds { QueryAnswer::Holds } else { QueryAnswer::Fails }
}

#[test]
fn ctl_agrees_with_brute_force() {
    let (mut held, mut asked) = (0, 0);
    each_net(120, |case, rng| {
        let Case { net, graph, seed } = case;
        let (structure, budget) = (&Structure::new(net), random_budget(rng));
        let mut markings = AllMarkings::new(net, &structure, random_ways(rng));
        for _ in 0..FORMULAS {
            let depth = 1 + rng.below(4);
            let tree = BranchingTree::random(rng, net, depth);
            let (text, expected) = (tree.text(net), graph.satisfies(net, &tree));
            let mut fs = Formulas::new();
            let query = parse_query(&text, &mut fs, &mut Symbols::of_net(net)).unwrap();
            let engine = ENGINES[rng.index(3)];
            let answered = answer(net, &fs, &query, engine, &budget);
            assert_eq!(answered, verdict(expected), "seed {seed}: {text} by {engine:?}\n{net:?}");
            if let Query::Branching(ctl) = query {
                look_around(case, (&fs, &ctl), expected, &text, rng);
                let question = MarkingsQuestion::Satisfies(ctl);
                // A search that is stopped leaves nothing behind that harms the next one.
                for work in [20, 60, 150, 400] {
                    let little = Control { work: Some(work), ..budget.control() };
                    if let Ok((found, _)) = markings.answer(&fs, &question, &little) {
                        let truth = MarkingsAnswer::Truth(expected);
                        assert_eq!(found, truth, "seed {seed}, work {work}: {text}\n{net:?}");
                    }
                }
                let found = markings.answer(&fs, &question, &budget.control()).unwrap().0;
                assert_eq!(found, MarkingsAnswer::Truth(expected), "seed {seed}: {text}\n{net:?}");
                asked += 1;
                held += usize::from(expected);
            }
        }
    });
    assert!(held > 0 && held < asked, "{held} of {asked} hold");
}

/// The look outwards from the initial marking, with little work at first and then as much as it
/// wants: what it says must be right, and in the end it must have said it.
fn look_around(
    Case { net, seed, .. }: &Case,
    (fs, ctl): (&Formulas, &Ctl),
    expected: bool,
    text: &str,
    rng: &mut Rng,
) {
    let structure = &Structure::new(net);
    let mut markings = AllMarkings::new(net, &structure, MarkingsWays::default());
    let mut values = LocalValues::default();
    for work in [1 + rng.below(10), 20, 100 + rng.below(300), 2_000, 40_000, 1_000_000, 50_000_000]
    {
        let little = Control { work: Some(work.into()), ..Control::default() };
        if let Some(found) = markings.look_around(fs, ctl, &mut values, &little) {
            assert_eq!(found, expected, "seed {seed}, work {work}: {text}\n{net:?}");
            return;
        }
    }
    panic!("seed {seed}: no answer to {text}\n{net:?}");
}

/// No run satisfies `G F b >= 1`, and still b can be marked all along one that never does it: what
/// runs say about a path does not settle operands that speak of other runs.
#[test]
fn operands_that_speak_of_other_runs_are_not_stripped() {
    let mut b = NetBuilder::new("tempted");
    let (a, mark, end) = (b.place("a", 1), b.place("b", 0), b.place("c", 0));
    b.transition("stay", &[(a, 1)], &[(a, 1)]);
    b.transition("go", &[(a, 1)], &[(mark, 1)]);
    b.transition("leave", &[(mark, 1)], &[(end, 1)]);
    let net = b.build().unwrap();
    for (text, holds) in [("EG EF b >= 1", true), ("AF AG b = 0", false)] {
        let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&net));
        let query = parse_query(text, &mut fs, &mut symbols).unwrap();
        for engine in ENGINES {
            let answered = answer(&net, &fs, &query, engine, &Budget::default());
            assert_eq!(answered, verdict(holds), "{text} by {engine:?}");
        }
    }
}

/// What is proved about the way back to the initial marking is so.
#[test]
fn the_initial_marking_is_reached_again_where_that_is_proved() {
    let mut seen = [[0; 2]; 2];
    each_net(400, |Case { net, graph, seed }, _| {
        let structure = &Structure::new(net);
        let structure: &dyn Deref<Target = Structure> = &structure;
        let found = always_returns(net, structure, Stages::default(), &Budget::default()).unwrap();
        let is_home = graph.is_home(&graph.markings[0]);
        assert!(is_home || !found, "seed {seed}: {net:?}");
        seen[usize::from(found)][usize::from(is_home)] += 1;
    });
    println!("not proved: {:?}, proved: {:?}", seen[0], seen[1]);
    assert!(seen[1][1] > 0, "{seen:?}");
}

#[test]
fn bounds_agree_with_brute_force() {
    let mut most = 0;
    each_net(120, |Case { net, graph, seed }, rng| {
        let places: Vec<usize> = (0..net.places().len()).filter(|_| rng.chance(40)).collect();
        let expected = graph.bound(&places);
        most = most.max(expected);
        let ids: Vec<PlaceId> = places.iter().map(|&p| PlaceId(p as u32)).collect();
        let query = Query::Bound(Expression::places(&ids));
        let (engine, budget) = (ENGINES[rng.index(3)], random_budget(rng));
        let answered = answer(net, &Formulas::new(), &query, engine, &budget);
        assert_eq!(answered, QueryAnswer::Number(expected), "seed {seed}: {places:?}\n{net:?}");
        let structure = &Structure::new(net);
        let mut markings = AllMarkings::new(net, &structure, random_ways(rng));
        let question = MarkingsQuestion::Extent(ids.iter().map(|&p| (p, 1)).collect());
        let found = markings.answer(&Formulas::new(), &question, &budget.control()).unwrap().0;
        let MarkingsAnswer::Extent(_, found) = found else { panic!("{found:?}") };
        assert_eq!(found, expected, "seed {seed}: {places:?}\n{net:?}");
    });
    assert!(most > 1);
}

/// Do all answers hold?
fn all(case: &Case, queries: &[(Formulas, Query)], engine: EngineName) -> bool {
    let budget = Budget::default();
    queries
        .iter()
        .all(|(fs, query)| answer(&case.net, fs, query, engine, &budget) == QueryAnswer::Holds)
}

/// All runs keep the tokens of a place in this relation.
fn always(p: PlaceId, comparison: Comparison, number: i64) -> (Formulas, Query) {
    let mut fs = Formulas::new();
    let place = Expression::places(&[p]);
    let compared = fs.compare(place, comparison, Expression::constant(number)).unwrap();
    let query = Query::AllRuns(fs.g(compared));
    (fs, query)
}

#[test]
fn properties_of_whole_nets_agree_with_brute_force() {
    let mut seen = [[0; 2]; 5];
    each_net(60, |case, rng| {
        let Case { net, graph, seed } = case;
        let engine = ENGINES[rng.index(3)];
        let mut check = |i: usize, name: &str, found: bool, expected: bool| {
            assert_eq!(found, expected, "seed {seed}: {name} by {engine:?}\n{net:?}");
            seen[i][usize::from(expected)] += 1;
        };
        let mut fs = Formulas::new();
        let dead = fs.deadlock();
        let query = Query::SomeRun(fs.f(dead));
        let found = answer(net, &fs, &query, engine, &Budget::default());
        check(0, "deadlock", found == QueryAnswer::Holds, graph.has_deadlock());
        let safe: Vec<_> = net.place_ids().map(|p| always(p, Comparison::Le, 1)).collect();
        check(1, "one-safe", all(case, &safe, engine), graph.is_one_safe());
        let stable = net.place_ids().any(|p| {
            let initial = i64::from(net.place(p).initial);
            all(case, &[always(p, Comparison::Eq, initial)], engine)
        });
        check(2, "stable", stable, graph.has_stable_place());
        let of_each = |make: &dyn Fn(&mut Formulas, TransitionId) -> Query| -> Vec<_> {
            let one = |t| {
                let mut fs = Formulas::new();
                let query = make(&mut fs, t);
                (fs, query)
            };
            net.transition_ids().map(one).collect()
        };
        let can_fire = of_each(&|fs, t| {
            let fireable = fs.fireable(vec![t]);
            Query::SomeRun(fs.f(fireable))
        });
        check(3, "quasi-live", all(case, &can_fire, engine), graph.is_quasi_live(net));
        let live = of_each(&|fs, t| {
            let fireable = fs.fireable(vec![t]);
            Query::Branching(Ctl::always_possible(fs, fireable))
        });
        check(4, "live", all(case, &live, engine), graph.is_live(net));
        let (places, transitions) = (net.place_ids().collect(), net.transition_ids().collect());
        let whole = [
            (1, WholeNet::AtMost(places, 1), graph.is_one_safe()),
            (2, WholeNet::SomeConstant(net.place_ids().collect()), graph.has_stable_place()),
            (3, WholeNet::CanFire(transitions), graph.is_quasi_live(net)),
            (4, WholeNet::Live(net.transition_ids().collect()), graph.is_live(net)),
        ];
        for (i, question, expected) in whole {
            let (name, query) = (format!("{question:?}"), Query::Whole(question));
            let found = answer(net, &Formulas::new(), &query, engine, &random_budget(rng));
            check(i, &name, found == QueryAnswer::Holds, expected);
        }
        recurrence_agrees(case, rng);
    });
    assert!(seen.iter().flatten().all(|&n| n > 0), "{seen:?}");
}

/// What comes back, of all transitions at once: each live or not, home markings.
fn recurrence_agrees(Case { net, graph, seed }: &Case, rng: &mut Rng) {
    let (structure, budget) = (&Structure::new(net), random_budget(rng));
    let ways = random_ways(rng);
    let mut markings = AllMarkings::new(net, &structure, ways);
    // Some groups have several members, as those of a coloured net.
    let members = |t: TransitionId| {
        let other = TransitionId(rng.below(net.transitions().len() as u32));
        if rng.chance(70) { vec![t] } else { vec![t, other] }
    };
    let groups: Vec<Vec<TransitionId>> = net.transition_ids().map(members).collect();
    let mut ask = |all_or_nothing: bool, control: &Control| {
        let question = RecurrenceQuestion { groups: groups.clone(), all_or_nothing };
        let question = MarkingsQuestion::Recurrence(question);
        let answer = markings.answer(&Formulas::new(), &question, control);
        match answer.map(|(answer, _)| answer) {
            Ok(MarkingsAnswer::Recurrence(found)) => Some(found),
            Ok(other) => panic!("{other:?}"),
            Err(_) => None,
        }
    };
    let what = format!("seed {seed}, {ways:?}, {groups:?}\n{net:?}");
    let live: Vec<bool> = groups.iter().map(|g| graph.can_always_fire(g)).collect();
    for work in [30, 100, 300] {
        // A search that is stopped leaves nothing behind that harms the next one.
        ask(false, &Control { work: Some(work), ..budget.control() });
    }
    let found = ask(false, &budget.control()).unwrap();
    assert_eq!(found.live, live, "{what}");
    let can_fire: Vec<bool> = groups.iter().map(|g| graph.can_fire(g)).collect();
    assert_eq!(found.can_fire, can_fire, "{what}");
    assert_eq!(found.reversible, graph.is_home(&graph.markings[0]), "{what}");
    match &found.home {
        Some(home) => assert!(graph.is_home(home), "{home:?} of {what}"),
        None => assert!(!graph.markings.iter().any(|m| graph.is_home(m)), "{what}"),
    }
    // All markings are kept now, and a search about them is stopped in the middle: they must not be
    // taken for garbage afterwards.
    for work in [1, 2, 5, 10, 20, 40, 80] {
        ask(false, &Control { work: Some(work), ..budget.control() });
        assert_eq!(ask(false, &budget.control()).as_ref(), Some(&found), "after {work}, {what}");
    }
    let found = ask(true, &budget.control()).unwrap();
    assert_eq!(found.is_live(), live.iter().all(|&live| live), "{what}");
}

#[test]
fn a_question_has_one_answer_as_ltl_as_reachability_and_as_ctl() {
    let mut asked = 0;
    each_net(60, |Case { net, graph, seed }, rng| {
        let inner = BranchingTree::random(rng, net, 0);
        let tree = BranchingTree::Unary('A', 'G', Box::new(inner.clone()));
        let expected = graph.satisfies(net, &tree);
        let mut fs = Formulas::new();
        let query = parse_query(&tree.text(net), &mut fs, &mut Symbols::of_net(net)).unwrap();
        let Query::AllRuns(f) = query else { panic!("{query:?}") };
        let brine_ltl::Node::G(state) = fs.node(f) else {
            // It was folded to a constant.
            return;
        };
        asked += 1;
        let ltl = answer(net, &fs, &Query::AllRuns(f), EngineName::Explicit, &Budget::default());
        let not = fs.not(f);
        let some = answer(net, &fs, &Query::SomeRun(not), EngineName::Symbolic, &Budget::default());
        let ctl = Query::Branching(Ctl::always(&mut fs, state));
        let ctl = answer(net, &fs, &ctl, EngineName::Auto, &Budget::default());
        let text = tree.text(net);
        assert_eq!(ltl, verdict(expected), "seed {seed}: {text} as LTL\n{net:?}");
        assert_eq!(some, verdict(!expected), "seed {seed}: {text} as reachability\n{net:?}");
        assert_eq!(ctl, verdict(expected), "seed {seed}: {text} as CTL\n{net:?}");
    });
    assert!(asked > 0);
}

/// Questions about coloured nets, by coloured places and transitions, against the naive unfolding.
#[test]
fn coloured_questions_agree_with_brute_force() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 60));
    let (mut seed, mut nets) = (first, 0);
    let mut seen = [[0; 2]; 5];
    while nets < count {
        let mut rng = Rng::new(seed);
        let source = match seed % 2 {
            0 => random_symmetric::net(&mut rng),
            _ => random_moves::net(&mut rng),
        };
        seed += 1;
        let Some(pair) = NaivePair::new(&source) else { continue };
        let Some(graph) = QuestionGraph::new(&pair.naive, MARKINGS) else { continue };
        nets += 1;
        coloured_net_agrees(&pair, &graph, &mut rng, seed - 1, &mut seen);
    }
    println!("seeds {first}..{seed}: {nets} nets, {seen:?}");
    assert!(seen.iter().flatten().all(|&n| n > 0), "{seen:?}");
}

fn coloured_net_agrees(
    pair: &NaivePair,
    graph: &QuestionGraph,
    rng: &mut Rng,
    seed: u64,
    seen: &mut [[u32; 2]; 5],
) {
    let NaivePair { coloured, naive, .. } = pair;
    // A question borrows the shelf that it stands on: both stay.
    let model: &'static ColouredModel = Box::leak(Box::new(ColouredModel::new(coloured.clone())));
    let shelves = (Box::leak(Box::default()), Box::leak(Box::default()));
    let all = Stages {
        simplification: true,
        reduction: true,
        hunt: true,
        explicit: true,
        symbolic: true,
    };
    let auto = ColouredAuto::new(model, all);
    let mut asker = ColouredAsker::new(model, auto, shelves.0, shelves.1);
    let groups =
        QuestionGroups { places: pair.places.clone(), transitions: pair.transitions.clone() };
    let places: Vec<String> = coloured.places.iter().map(|p| p.id.clone()).collect();
    let transitions: Vec<String> = coloured.transitions.iter().map(|t| t.id.clone()).collect();
    let size = (places.len() as u32, transitions.len() as u32);
    let budget = Budget { memory: Some(64 << 20), ..Budget::default() };
    for _ in 0..FORMULAS {
        let depth = 1 + rng.below(3);
        let tree = BranchingTree::random_over(rng, size, depth);
        let text = tree.text_with(&places, &transitions);
        let expected = graph.satisfies_grouped(naive, &groups, &tree);
        let mut fs = Formulas::new();
        let query = parse_query(&text, &mut fs, &mut coloured_symbols(coloured)).unwrap();
        let mut case = match &query {
            Query::AllRuns(f) => QueryCase::all_runs(&mut asker, &fs, *f),
            Query::SomeRun(f) => QueryCase::some_run(&mut asker, &fs, *f),
            Query::Branching(ctl) => QueryCase::branching(&fs, ctl),
            other => panic!("{other:?}"),
        };
        let answered = case.advance(&mut asker, &budget, u64::MAX).unwrap().0;
        assert_eq!(answered, verdict(expected), "seed {seed}: {text}");
        let kind = if matches!(query, Query::Branching(_)) { 0 } else { 1 };
        seen[kind][usize::from(expected)] += 1;
    }
    // The bound of a place, all colours together.
    let p = rng.index(places.len());
    let members: Vec<usize> = pair.places[p].iter().map(|p| p.index()).collect();
    let expected = graph.bound(&members);
    let sum = Expression::places(&[PlaceId(p as u32)]);
    let mut case = QueryCase::bound(&Formulas::new(), sum, 0, None);
    let answered = case.advance(&mut asker, &budget, u64::MAX).unwrap().0;
    assert_eq!(answered, QueryAnswer::Number(expected), "seed {seed}: {}", places[p]);
    seen[2][usize::from(expected > 1)] += 1;
    // A coloured transition is live if one of its bindings always comes back.
    let ids: Vec<TransitionId> = (0..transitions.len()).map(|t| TransitionId(t as u32)).collect();
    let live = pair.transitions.iter().all(|group| graph.can_always_fire(group));
    let sums: Vec<Vec<usize>> =
        pair.places.iter().map(|list| list.iter().map(|p| p.index()).collect()).collect();
    let constant = sums.iter().any(|sum| graph.is_constant(sum));
    let one_safe = sums.iter().all(|sum| graph.bound(sum) <= 1);
    let can_fire = pair.transitions.iter().all(|group| graph.can_fire(group));
    let of_places = || (0..places.len()).map(|p| PlaceId(p as u32)).collect();
    for (question, expected) in [
        (WholeNet::Live(ids.clone()), live),
        (WholeNet::CanFire(ids), can_fire),
        (WholeNet::SomeConstant(of_places()), constant),
        (WholeNet::AtMost(of_places(), 1), one_safe),
    ] {
        let name = format!("{question:?}");
        let mut case = QueryCase::whole(question);
        let answered = case.advance(&mut asker, &budget, u64::MAX).unwrap().0;
        assert_eq!(answered, verdict(expected), "seed {seed}: {name}\n{naive:?}");
    }
    seen[3][usize::from(live)] += 1;
    let mut fs = Formulas::new();
    let dead = fs.deadlock();
    let dead = fs.f(dead);
    let mut case = QueryCase::some_run(&mut asker, &fs, dead);
    let answered = case.advance(&mut asker, &budget, u64::MAX).unwrap().0;
    assert_eq!(answered, verdict(graph.has_deadlock()), "seed {seed}: deadlock\n{naive:?}");
    seen[4][usize::from(graph.has_deadlock())] += 1;
}
