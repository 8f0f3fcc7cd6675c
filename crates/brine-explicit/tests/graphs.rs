//! Every emptiness check on random graphs, against a naive search for accepting cycles.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

mod common;

use brine_explicit::Emptiness;
use brine_explicit::emptiness::{Accepts, shorten};
use brine_explicit::graph::{Cursor, Edge, Graph, GraphStateId, Lasso, SearchStats};
use brine_explicit::meter::Meter;
use brine_explicit::probe::{NeighbourhoodSearch, Probe, probe};
use brine_net::Rng;
use brine_run::{Control, Stop};
use common::{cases, first_seed};

const INITIAL: GraphStateId = GraphStateId(0);

struct Explicit {
    edges: Vec<Vec<Edge>>,
    accepting: Vec<bool>,
    all: u64,
    meter: Meter,
}

impl Graph for Explicit {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        Ok(INITIAL)
    }

    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        self.meter.tick()?;
        let edge = self.edges[s.index()].get(cursor.major as usize).copied();
        cursor.major += 1;
        Ok(edge)
    }

    fn accepting(&self, s: GraphStateId) -> bool {
        self.accepting[s.index()]
    }

    fn all_marks(&self) -> u64 {
        self.all
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }
}

/// `reach[i][j]`: a path of at least one edge leads from i to j.
fn closure(edges: &[Vec<Edge>]) -> Vec<Vec<bool>> {
    let n = edges.len();
    let mut reach = vec![vec![false; n]; n];
    for (s, out) in edges.iter().enumerate() {
        out.iter().for_each(|e| reach[s][e.target.index()] = true);
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    reach
}

impl Explicit {
    fn random(r: &mut Rng, accepts: Accepts) -> Explicit {
        let n = 1 + r.index(10);
        let density = 1 + r.index(3);
        let mut edges: Vec<Vec<Edge>> = (0..n)
            .map(|_| {
                let out = r.index(density + 2);
                (0..out)
                    .map(|_| Edge { target: GraphStateId(r.index(n) as u32), marks: 0 })
                    .collect()
            })
            .collect();
        let marks = if accepts == Accepts::Generalised { r.index(4) as u32 } else { 1 };
        let all = (1 << marks) - 1;
        let rare = 10 + r.below(60);
        let mut accepting: Vec<bool> = (0..n).map(|_| r.chance(rare)).collect();
        match accepts {
            Accepts::Generalised => {
                for e in edges.iter_mut().flatten() {
                    e.marks = (0..marks).filter(|_| r.chance(rare / 2)).map(|m| 1 << m).sum();
                }
                accepting.fill(false);
            }
            Accepts::StateBased => (),
            Accepts::Weak => {
                let reach = closure(&edges);
                for s in 0..n {
                    let first = (0..s).find(|&t| reach[s][t] && reach[t][s]);
                    accepting[s] = first.map_or(accepting[s], |t| accepting[t]);
                }
            }
            Accepts::Terminal => {
                // Accepting states lead to accepting states only, and never end.
                let reach = closure(&edges);
                let seeds = accepting.clone();
                for s in 0..n {
                    accepting[s] |= (0..n).any(|t| seeds[t] && reach[t][s]);
                }
                for s in (0..n).filter(|&s| accepting[s]) {
                    if edges[s].is_empty() {
                        edges[s].push(Edge { target: GraphStateId(s as u32), marks: 0 });
                    }
                }
            }
        }
        if accepts != Accepts::Generalised {
            for (s, out) in edges.iter_mut().enumerate() {
                out.iter_mut().for_each(|e| e.marks = u64::from(accepting[s]));
            }
        }
        Explicit { edges, accepting, all, meter: Meter::new(Control::default()) }
    }

    /// Is there a reachable component whose inner edges carry all marks?
    fn has_accepting_cycle(&self) -> bool {
        let reach = closure(&self.edges);
        (0..self.edges.len()).filter(|&s| (s == 0 || reach[0][s]) && reach[s][s]).any(|s| {
            let together = |t: usize| reach[s][t] && reach[t][s];
            let marks = (0..self.edges.len()).filter(|&t| together(t)).fold(0, |marks, t| {
                let inner = self.edges[t].iter().filter(|e| together(e.target.index()));
                inner.fold(marks, |marks, e| marks | e.marks)
            });
            marks & self.all == self.all
        })
    }

    /// Is this an accepting run? Parallel edges count together.
    fn accepts_lasso(&self, lasso: &Lasso) -> bool {
        let marks_of = |s: GraphStateId, t: GraphStateId| {
            let between: Vec<&Edge> =
                self.edges[s.index()].iter().filter(|e| e.target == t).collect();
            (!between.is_empty()).then(|| between.iter().fold(0, |m, e| m | e.marks))
        };
        let Some(&home) = lasso.cycle.first() else { return false };
        let path: Vec<GraphStateId> =
            lasso.prefix.iter().chain(&lasso.cycle).copied().chain([home]).collect();
        let connected = path.windows(2).all(|w| marks_of(w[0], w[1]).is_some());
        let cycle = &path[lasso.prefix.len()..];
        let marks = cycle.windows(2).filter_map(|w| marks_of(w[0], w[1])).fold(0, |m, x| m | x);
        path[0] == INITIAL && connected && marks & self.all == self.all
    }
}

fn check_seed(emptiness: Emptiness, seed: u64) -> bool {
    let mut graph = Explicit::random(&mut Rng::new(seed), emptiness.accepts());
    let expected = graph.has_accepting_cycle();
    let mut stats = SearchStats::default();
    let found = emptiness.search(&mut graph, &mut stats).unwrap();
    let context = || format!("{} with BRINE_SEED={seed}: {:?}", emptiness.name(), graph.edges);
    assert_eq!(found.is_some(), expected, "{}", context());
    if let Some(lasso) = &found {
        assert!(graph.accepts_lasso(lasso), "{lasso:?} of {}", context());
    }
    if let Some(lasso) = found {
        let long = lasso.prefix.len() + lasso.cycle.len();
        let weak = matches!(emptiness.accepts(), Accepts::Weak | Accepts::Terminal);
        let short = shorten(&mut graph, lasso, weak, 1 + seed as usize % 20).unwrap();
        assert!(graph.accepts_lasso(&short), "shortened by {} to {short:?}", emptiness.name());
        assert!(short.prefix.len() + short.cycle.len() <= long);
    }
    assert!(stats.states <= graph.edges.len() as u64);
    expected
}

#[test]
fn every_check_agrees_with_the_naive_search() {
    let (first, count) = (first_seed(), cases(20_000));
    for emptiness in Emptiness::ALL {
        let nonempty = (first..first + count).filter(|&seed| check_seed(emptiness, seed)).count();
        // The data must contain both answers, or the test says little.
        if count >= 1_000 {
            let share = nonempty as f64 / count as f64;
            assert!((0.15..0.85).contains(&share), "{}: {share}", emptiness.name());
        }
    }
}

/// Advances a search by random slices of work until it ends; what it came to and its work.
fn in_slices<T>(
    graph: &mut Explicit,
    r: &mut Rng,
    mut advance: impl FnMut(&mut Explicit) -> Result<T, Stop>,
) -> (T, u64) {
    let mut work = 0;
    graph.meter.restart(Control { work: Some(0), ..Control::default() }, 0);
    loop {
        match advance(graph) {
            Ok(result) => return (result, graph.meter.work()),
            Err(stop) => assert_eq!(stop, Stop::Work),
        }
        work += u64::from(r.below(4));
        graph.meter.resume(Control { work: Some(work), ..Control::default() });
    }
}

/// Searches that are left and taken up again find the same and count the same.
#[test]
fn slices_change_nothing() {
    let (first, count) = (first_seed(), cases(5_000));
    for seed in first..first + count {
        for emptiness in Emptiness::ALL {
            let r = &mut Rng::new(seed);
            let mut graph = Explicit::random(r, emptiness.accepts());
            let (mut stats, mut sliced) = (SearchStats::default(), SearchStats::default());
            let whole = emptiness.search(&mut graph, &mut stats).unwrap();
            let work = graph.meter.work();
            let mut search = emptiness.begin(INITIAL);
            let parts = in_slices(&mut graph, r, |graph| search.advance(graph, &mut sliced));
            let context = || format!("{} with BRINE_SEED={seed}", emptiness.name());
            assert_eq!((parts, sliced), ((whole, work), stats), "{}", context());
        }
        let r = &mut Rng::new(seed);
        let mut graph = Explicit::random(r, Accepts::Generalised);
        let limit = 1 + r.index(12);
        let (mut stats, mut sliced) = (SearchStats::default(), SearchStats::default());
        let whole = probe(&mut graph, limit, &mut stats).unwrap();
        let work = graph.meter.work();
        let mut near = NeighbourhoodSearch::new(&mut graph, INITIAL, limit).unwrap();
        let parts = in_slices(&mut graph, r, |graph| near.advance(graph, &mut sliced));
        assert_eq!((parts, sliced), ((whole, work), stats), "neighbourhood with BRINE_SEED={seed}");
    }
}

/// SE05: the checks that report at the earliest moment explore the same states.
#[test]
fn couvreur_and_geldenhuys_valmari_explore_the_same_part() {
    for seed in 0..5_000 {
        let mut graph = Explicit::random(&mut Rng::new(seed), Accepts::StateBased);
        let stats = [Emptiness::Gv, Emptiness::CouvreurState, Emptiness::Couvreur].map(|e| {
            let mut stats = SearchStats::default();
            e.search(&mut graph, &mut stats).unwrap();
            stats
        });
        assert_eq!((stats[0].states, stats[0].depth), (stats[1].states, stats[1].depth), "{seed}");
        assert!(stats[1].stack <= stats[0].stack, "Roots is no larger than Current ({seed})");
        assert_eq!(stats[0].transitions, stats[2].transitions, "{seed}");
    }
}

/// SE05 section 3.2: the new nested search never explores more than HPY or GMZ.
#[test]
fn the_new_nested_search_dominates_the_older_ones() {
    for seed in 0..5_000 {
        let mut graph = Explicit::random(&mut Rng::new(seed), Accepts::StateBased);
        let [new, hpy, gmz] = [Emptiness::Ndfs, Emptiness::Hpy, Emptiness::Gmz].map(|e| {
            let mut stats = SearchStats::default();
            e.search(&mut graph, &mut stats).unwrap();
            stats
        });
        assert!(new.states <= hpy.states && new.states <= gmz.states, "{seed}");
        assert!(new.transitions <= hpy.transitions, "{seed}");
    }
}

/// A neighbourhood of any size: what it finds is real, and "empty" is said only of the whole graph.
#[test]
fn a_look_around_is_never_wrong() {
    let (mut found, mut empty, mut not_near) = (0, 0, 0);
    for seed in 0..10_000 {
        let mut graph = Explicit::random(&mut Rng::new(seed), Accepts::Generalised);
        let limit = 1 + seed as usize % 12;
        match probe(&mut graph, limit, &mut SearchStats::default()).unwrap() {
            Probe::Found(lasso) => {
                assert!(graph.accepts_lasso(&lasso), "{seed}");
                found += 1;
            }
            Probe::Empty => {
                assert!(!graph.has_accepting_cycle(), "{seed}");
                empty += 1;
            }
            Probe::NotNear => not_near += 1,
        }
    }
    assert!(found > 1_000 && empty > 1_000 && not_near > 1_000, "{found} {empty} {not_near}");
}
