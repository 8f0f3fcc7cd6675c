//! Saturation of five generated nets, each in the order that `brine states` ends up with.
//!
//! Timed: turning the net into events over levels, and reaching the fixpoint. Not timed:
//! making the net, its structure, the search for the order.

use brine_dd::Control;
use brine_models::{fms, kanban, philosophers, slotted_ring, token_ring};
use brine_net::order::{Layout, candidates};
use brine_net::{Net, Structure};
use brine_sat::{reach_with, reach_with_best};
use criterion::{BenchmarkId, Criterion};
use std::time::Duration;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let mut group = criterion.benchmark_group("saturation");
    let nets = [philosophers(200), kanban(20), fms(10), slotted_ring(12), token_ring(60)];
    for net in nets {
        let layout = best_layout(&net);
        group.bench_function(BenchmarkId::from_parameter(net.name()), |bencher| {
            bencher.iter(|| reach_with(&net, &layout, &Control::default()).expect("no limits"));
        });
    }
    group.finish();
    criterion.final_summary();
}

/// The layout with which the default search gets done.
fn best_layout(net: &Net) -> Layout {
    let structure = Structure::new(net);
    let all = candidates(net, &structure);
    let found = reach_with_best(net, &all, &Control::default()).expect("no limits");
    found.order.layout(net, &structure).expect("the order came from this net")
}
