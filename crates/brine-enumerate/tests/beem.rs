//! Published state counts of BEEM, where the data lies beside the repository. Models with few
//! states only; `cargo xtask beem` counts them all.

use brine_enumerate::explore::explore;
use brine_enumerate::vectors::Vectors;
use brine_run::Control;
use std::path::Path;

/// Larger state spaces are left out.
const MOST: u64 = 20_000;

#[test]
fn published_counts_are_met() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/beem");
    let Ok(expected) = std::fs::read_to_string(data.join("expected-states.csv")) else {
        println!("skipped: there is no {}", data.display());
        return;
    };
    let mut seen = 0;
    for line in expected.lines().skip(1) {
        let Some((name, states)) = line.split_once(',') else { continue };
        let Ok(states) = states.parse::<u64>() else { continue };
        if states > MOST {
            continue;
        }
        let text = std::fs::read_to_string(data.join(format!("models/{name}.dve")));
        let model = brine_dve::parse(&text.expect("a model")).expect("DVE");
        let mut vectors = Vectors::new(&model, Control::default()).expect("an initial state");
        let counts = explore(&mut vectors, &mut |_| ()).expect("no limit");
        assert_eq!(counts.states, states, "{name}");
        seen += 1;
    }
    assert!(seen > 20, "{seen} models");
}
