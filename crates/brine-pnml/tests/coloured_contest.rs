//! The coloured nets of the contest's development set, if it is there: their unfoldings are
//! not larger than the contest's own, and have the expected numbers of markings and edges.

use brine_net::Net;
use brine_oracle::count_states;
use brine_pnml::{Model, UnfoldLimits, read_model, read_pnml};
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/mcc");
    if !path.is_dir() {
        println!("skipped: no contest data at {}", path.display());
        return None;
    }
    Some(path)
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("contest data");
    text.lines().map(str::to_owned).collect()
}

fn coloured(data: &Path, name: &str) -> Model {
    let path = data.join("models").join(name).join("model.pnml");
    read_model(&path, &UnfoldLimits::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn size(net: &Net) -> [usize; 3] {
    let arcs = net.transitions().iter().map(|t| t.pre.len() + t.post.len()).sum();
    [net.places().len(), net.transitions().len(), arcs]
}

#[test]
fn unfoldings_are_not_larger_than_the_contest_s_own() {
    let Some(data) = data() else { return };
    let mut compared = 0;
    for name in lines(&data.join("dev.txt")).iter().filter(|n| n.contains("-COL-")) {
        let ours = size(&coloured(&data, name).net);
        let path = data.join("models").join(name.replace("-COL-", "-PT-")).join("model.pnml");
        if path.exists() {
            let theirs = size(&read_pnml(&path).expect("a net"));
            assert!((0..3).all(|i| ours[i] <= theirs[i]), "{name}: {ours:?} {theirs:?}");
            compared += 1;
        }
    }
    println!("{compared} pairs");
    assert!(compared > 0);
}

#[test]
fn small_state_spaces_are_the_expected_ones() {
    let Some(data) = data() else { return };
    let smoke = lines(&data.join("smoke.txt"));
    let expected = lines(&data.join("expected-states.csv"));
    for name in smoke.iter().filter(|n| n.contains("-COL-")) {
        let row = expected.iter().find(|row| row.starts_with(&format!("{name},")));
        let row = row.unwrap_or_else(|| panic!("{name} has no expected numbers"));
        let model = coloured(&data, name);
        let found = count_states(&model.net, 100_000).expect("small");
        let in_place = found.max_token_in_place.max(model.most_idle_tokens());
        let in_marking = found.max_token_per_marking + model.idle_tokens();
        let (states, edges) = (found.states, found.edges);
        assert_eq!(*row, format!("{name},{states},{edges},{in_place},{in_marking}"));
    }
}
