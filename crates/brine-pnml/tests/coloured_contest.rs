//! The coloured nets of the contest, if they are there: each is read or ends at its limit, and
//! those of the development set are not larger than the contest's own unfoldings and have the
//! expected numbers of markings and edges.

use brine_net::Net;
use brine_oracle::count_states;
use brine_pnml::{Model, ReadError, UnfoldLimits, read_model, read_pnml};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

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
    let arcs = net.transitions().map(|t| t.pre.len() + t.post.len()).sum();
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

/// What is unfolded here: more would take the test too long.
const LIMITS: UnfoldLimits =
    UnfoldLimits { places: 1_000_000, transitions: 1_000_000, arcs: 20_000_000, work: 100_000_000 };

/// Reads every coloured instance below a folder and lists what came of it: it is read, or it is
/// larger than the limits allow. Returns how many there were, and how many were too large.
fn outcomes(models: &Path) -> (usize, usize) {
    let folders = std::fs::read_dir(models).expect("contest data");
    let mut paths: Vec<PathBuf> = folders.map(|f| f.expect("contest data").path()).collect();
    paths.retain(|path| path.to_string_lossy().contains("-COL-"));
    paths.sort();
    let mut too_large = 0;
    for path in &paths {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let start = Instant::now();
        let outcome = match read_model(&path.join("model.pnml"), &LIMITS) {
            Ok(model) => {
                let [places, transitions, arcs] = size(&model.net);
                format!("{places} places, {transitions} transitions, {arcs} arcs")
            }
            Err(ReadError::TooLarge { message, .. }) => {
                too_large += 1;
                message
            }
            Err(error) => panic!("{name}: {error}"),
        };
        println!("{name}: {outcome} ({:.1} s)", start.elapsed().as_secs_f64());
    }
    (paths.len(), too_large)
}

#[test]
fn every_coloured_instance_of_the_development_set_is_read() {
    let Some(data) = data() else { return };
    let (read, too_large) = outcomes(&data.join("models"));
    println!("{read} instances, {too_large} too large");
    assert!(read > 0 && too_large == 0);
}

/// `cargo test -p brine-pnml --profile fast --test coloured_contest large -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; unpacks the large set into target/large"]
fn every_coloured_instance_of_the_large_set_is_read_or_ends_at_its_limit() {
    let Some(data) = data() else { return };
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/large");
    let unpacked = Command::new(data.join("unpack")).arg(&models).arg("large").status();
    assert!(unpacked.expect("the script of the contest data").success());
    let (read, too_large) = outcomes(&models);
    println!("{read} instances, {too_large} too large");
    assert!(read > 0 && too_large * 2 < read, "most are read");
}
