//! Union, intersection and difference of two generated sets.
//!
//! Each call works in a manager of its own whose caches are empty: what is timed is the
//! operation, neither the making of its operands nor a look-up of an earlier answer.

use brine_dd::{Dd, NodeId, Stop};
use brine_net::Rng;
use criterion::{BatchSize, BenchmarkId, Criterion};
use std::time::Duration;

type Operation = fn(&mut Dd, NodeId, NodeId) -> Result<NodeId, Stop>;

const OPERATIONS: [(&str, Operation); 3] =
    [("union", Dd::union), ("intersect", Dd::intersect), ("minus", Dd::minus)];

/// Vectors, levels, and values per level.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    vectors: usize,
    levels: usize,
    values: u32,
}

const SHAPES: [Shape; 3] = [
    Shape { name: "flat", vectors: 20_000, levels: 4, values: 64 },
    Shape { name: "even", vectors: 20_000, levels: 10, values: 8 },
    Shape { name: "deep", vectors: 2_000, levels: 200, values: 2 },
];

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for (name, operation) in OPERATIONS {
        let mut group = criterion.benchmark_group(name);
        for shape in SHAPES {
            let (a, b) = operands(shape);
            group.bench_function(BenchmarkId::from_parameter(shape.name), |bencher| {
                let setup = || {
                    let mut dd = Dd::default();
                    let (a, b) = (set_of(&mut dd, &a), set_of(&mut dd, &b));
                    (dd, a, b)
                };
                let run = |(mut dd, a, b)| {
                    let result = operation(&mut dd, a, b).expect("no limits");
                    (dd, result)
                };
                bencher.iter_batched(setup, run, BatchSize::PerIteration);
            });
        }
        group.finish();
    }
    criterion.final_summary();
}

/// Two sorted lists of vectors; about a third of each is in the other.
fn operands(shape: Shape) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let mut rng = Rng::new(1);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..shape.vectors {
        let vector: Vec<u32> = (0..shape.levels).map(|_| rng.below(shape.values)).collect();
        match rng.below(5) {
            0 | 1 => a.push(vector),
            2 | 3 => b.push(vector),
            _ => {
                a.push(vector.clone());
                b.push(vector);
            }
        }
    }
    for side in [&mut a, &mut b] {
        side.sort_unstable();
        side.dedup();
    }
    (a, b)
}

/// The diagram of sorted vectors, made without set operations.
fn set_of(dd: &mut Dd, vectors: &[Vec<u32>]) -> NodeId {
    let levels = vectors.first().map_or(0, Vec::len);
    // The nodes of the level below, each with the first vector that runs through it.
    let mut below: Vec<(&[u32], NodeId)> =
        vectors.iter().map(|v| (v.as_slice(), NodeId::UNIT)).collect();
    for level in (0..levels).rev() {
        below = below
            .chunk_by(|x, y| x.0[..level] == y.0[..level])
            .map(|run| {
                let arcs: Vec<(u32, NodeId)> = run.iter().map(|(v, n)| (v[level], *n)).collect();
                (run[0].0, dd.make_list(&arcs).expect("no limits"))
            })
            .collect();
    }
    below.first().map_or(NodeId::EMPTY, |top| top.1)
}
