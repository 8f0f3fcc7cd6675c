//! Published counts: states and edges of the contest's smoke set.
//! Skipped when the contest data is not beside the workspace.

use brine_explicit::explore::explore;
use brine_explicit::markings::Markings;
use brine_explicit::setup::{firing_order, place_bounds};
use brine_net::Structure;
use brine_pnml::read_pnml;
use brine_run::Control;
use std::path::Path;

#[test]
fn state_spaces_of_the_smoke_set() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/mcc");
    let (Ok(smoke), Ok(expected)) = (
        std::fs::read_to_string(data.join("smoke.txt")),
        std::fs::read_to_string(data.join("expected-states.csv")),
    ) else {
        println!("skipped: no contest data at {}", data.display());
        return;
    };
    let mut compared = 0;
    for name in smoke.lines().filter(|n| n.contains("-PT-")) {
        let line = expected.lines().find(|l| l.split(',').next() == Some(name));
        let numbers: Vec<Option<u64>> =
            line.unwrap_or_default().split(',').skip(1).map(|c| c.parse().ok()).collect();
        let [Some(states), transitions, ..] = numbers[..] else { continue };
        if states > 200_000 {
            continue;
        }
        let net = read_pnml(&data.join("models").join(name).join("model.pnml")).unwrap();
        let bounds = place_bounds(&net, &Structure::new(&net).bounds);
        let order = firing_order(&net, 0);
        let mut ms = Markings::new(&net, &bounds, &order, Control::default()).unwrap();
        let counts = explore(&mut ms, &mut |_| ()).unwrap();
        assert_eq!(counts.states, states, "{name}");
        if let Some(transitions) = transitions {
            assert_eq!(counts.transitions, transitions, "{name}");
        }
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} instances compared");
}
