//! The example of EP10 section 3: atomic philosophers, figure 1.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_explicit::markings::Markings;
use brine_explicit::provisos::{Counts, Proviso};
use brine_explicit::reduction::{Effort, Reduction};
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::space::Space;
use brine_explicit::stubborn::{Choice, Dependencies, Stubborn};
use brine_models::philosophers_atomic;
use brine_net::{Net, Structure};
use brine_run::Control;

fn explore(net: &Net, proviso: &str) -> Counts {
    let proviso = Proviso::from_name(proviso).unwrap();
    let order = firing_order(net, 0);
    let bounds = place_bounds(net, &Structure::new(net).bounds);
    let mut space = Space::new(Markings::new(net, &bounds, &order, Control::default()).unwrap());
    let stubborn = Stubborn::new(&Dependencies::new(net, &order), Vec::new(), Choice::default());
    let mut reduction = Reduction::new(stubborn, proviso, Effort::Always);
    reduction.explore(&mut space, &mut |_| ()).unwrap()
}

/// With four philosophers C2L_s keeps all 7 states and saves two transitions; the ideal has
/// five states, one of them, the initial one, expanded.
#[test]
fn four_philosophers_as_in_the_figure() {
    let net = philosophers_atomic(4);
    let counts = |proviso| {
        let Counts { states, transitions, expanded, .. } = explore(&net, proviso);
        (states, transitions, expanded)
    };
    assert_eq!(counts("Full"), (7, 16, 7));
    assert_eq!(counts("C2L_s"), (7, 14, 5));
    for proviso in ["C2L_c", "C2L_c*", "HighlinkDeepestDestScan", "Acyclic"] {
        assert_eq!(counts(proviso), (5, 8, 1), "{proviso}");
    }
}

/// The whole graph and that of C2L_s grow like Lucas numbers, that of C2L_c and C2L_c* has
/// n + 1 states.
#[test]
fn exponential_and_linear_growth() {
    for (n, lucas) in [(5, 11), (6, 18), (8, 47), (10, 123), (12, 322), (14, 843)] {
        let net = philosophers_atomic(n);
        assert_eq!(explore(&net, "Full").states, lucas);
        assert_eq!(explore(&net, "C2L_s").states, lucas);
        for proviso in ["None", "C2S_e", "C2L_c", "C2L_c*", "Delegate", "Acyclic"] {
            assert_eq!(explore(&net, proviso).states, u64::from(n) + 1, "{proviso}, {n}");
        }
    }
}
