//! Pages in a real browser: tokens on the page are those of the run, whatever is clicked.
//!
//! Markings are computed here, by firing in the net that was read from the file; what the page
//! shows is read from its elements after clicks and keys (`page/drive.js`). Without a browser
//! these tests say so and are skipped; what needs none is tested all the same.

#[path = "page/browser.rs"]
mod browser;
#[expect(dead_code, reason = "the tests of single commands use the rest")]
mod common;

use brine_net::{Net, Rng, TransitionId};
use brine_pnml::read_pnml;
use browser::{Sight, browser, drive, picture};
use common::{brine, file, model};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file of this test that does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let path = file(name, b"");
    std::fs::remove_file(&path).expect("just written");
    path
}

/// The page and the runs of `brine check`.
fn checked(name: &str, net: &Path, formulas: &[&str]) -> (String, Vec<Value>) {
    let (page, runs) = (fresh(&format!("{name}.html")), fresh(&format!("{name}.jsonl")));
    let mut options = vec!["--quiet"];
    formulas.iter().for_each(|f| options.extend(["--ltl", f]));
    let (page_name, runs_name) = (page.display().to_string(), runs.display().to_string());
    options.extend(["--html", &page_name, "--witness", &runs_name]);
    let output = brine("check", net, &options);
    assert!(page.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&runs).expect("runs");
    let lines = text.lines().map(|l| serde_json::from_str(l).expect("a line of JSON"));
    (std::fs::read_to_string(&page).expect("a page"), lines.collect())
}

/// The page of `brine show`.
fn shown(name: &str, net: &Path) -> String {
    let page = fresh(&format!("{name}.html"));
    let output = brine("show", net, &["--html", &page.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(&page).expect("a page")
}

fn named(net: &Net, id: &str) -> TransitionId {
    let found = net.transitions().position(|t| t.id() == id);
    TransitionId(found.unwrap_or_else(|| panic!("no {id}")) as u32)
}

/// The markings of a run in a net, position by position.
fn markings(net: &Net, steps: &[TransitionId]) -> Vec<Vec<u32>> {
    let mut all = vec![net.initial_marking()];
    for &t in steps {
        let mut next = all[all.len() - 1].clone();
        assert!(net.fire_in_place(t, &mut next), "not enabled");
        all.push(next);
    }
    all
}

fn enabled(net: &Net, marking: &[u32]) -> Vec<TransitionId> {
    let all = (0..net.transitions().len() as u32).map(TransitionId);
    all.filter(|&t| net.fire_in_place(t, &mut marking.to_vec())).collect()
}

/// What the page is to show of a marking.
fn tokens(net: &Net, marking: &[u32]) -> BTreeMap<String, Value> {
    net.places().zip(marking).map(|(p, &n)| (p.name().into_owned(), json!(n))).collect()
}

fn steps(run: &Value, keys: &[&str]) -> Vec<String> {
    let lists = keys.iter().flat_map(|k| run[k].as_array().expect("a list"));
    lists.map(|id| id.as_str().expect("an id").to_owned()).collect()
}

fn transitions(net: &Net, ids: &[String]) -> Vec<TransitionId> {
    ids.iter().map(|id| named(net, id)).collect()
}

const STARVES: &str = "G (right_0 = 1 -> F eat_0 = 1)";

#[test]
fn tokens_follow_a_run_that_repeats_in_all_ways_to_step() {
    let Some(browser) = browser() else { return };
    let path = model("philosophers-5.pnml");
    let net = read_pnml(&path).expect("a net");
    let (page, runs) = checked("repeats", &path, &[STARVES]);
    let prefix = steps(&runs[0], &["prefix"]).len();
    let ids = steps(&runs[0], &["prefix", "cycle"]);
    let count = ids.len();
    let positions = markings(&net, &transitions(&net, &ids));
    let mut acts = vec![json!(["nothing"])];
    let mut wanted = vec![0];
    // Once through, and round again.
    let again = (1..=count).chain(prefix + 1..=count).chain([prefix + 1]);
    for (i, position) in again.enumerate() {
        acts.push([json!(["click", "forward"]), json!(["key", "ArrowRight"])][i % 2].clone());
        wanted.push(position);
    }
    // Back into the first round, and to the start.
    for position in (prefix + 1..=count).rev().chain((0..=count).rev()) {
        acts.push([json!(["click", "back"]), json!(["key", "ArrowLeft"])][position % 2].clone());
        wanted.push(position);
    }
    for position in [count, 1, 2, 0] {
        acts.push(json!(["slider", position]));
        acts.push(json!(["list", position]));
        acts.push(json!(["strip", (position as f64 + 0.5) / (count as f64 + 1.0)]));
        wanted.extend([position; 3]);
    }
    acts.extend([json!(["key", "End"]), json!(["key", "Home"]), json!(["click", "last"])]);
    wanted.extend([count, 0, count]);
    let seen = drive(&browser, &page, &json!(acts), false);
    assert_eq!(seen.len(), wanted.len());
    for ((sight, &position), act) in seen.iter().zip(&wanted).zip(&acts) {
        assert_eq!(sight.tokens, tokens(&net, &positions[position]), "{act}: {position}");
        assert!(sight.place.starts_with(&format!("{position} / {count}")), "{act}: {sight:?}");
    }
    assert!(seen[1 + count].place.ends_with(", round 2"), "{}", seen[1 + count].place);
    assert!(seen[count].now.contains("goes on with step 2, for ever"), "{}", seen[count].now);
    // The truth at the start and after the first step.
    assert_eq!(seen[0].truth, ["false", "false", "false", "false"]);
    assert_eq!(seen[1].truth, ["false", "true", "false", "false"]);
}

#[test]
fn tokens_that_move_arrive() {
    let Some(browser) = browser() else { return };
    let path = model("philosophers-5.pnml");
    let net = read_pnml(&path).expect("a net");
    let (page, runs) = checked("moves", &path, &[STARVES]);
    let ids = steps(&runs[0], &["prefix", "cycle"]);
    let positions = markings(&net, &transitions(&net, &ids));
    let acts = json!([["click", "forward"], ["wait"], ["click", "forward"], ["wait"]]);
    let seen = drive(&browser, &page, &acts, true);
    // On the way, tokens were taken and none was put.
    let between: Vec<u32> =
        positions[0].iter().zip(&positions[1]).map(|(a, b)| *a.min(b)).collect();
    assert_eq!(seen[0].tokens, tokens(&net, &between));
    assert_eq!(seen[1].tokens, tokens(&net, &positions[1]));
    assert_eq!(seen[3].tokens, tokens(&net, &positions[2]));
}

#[test]
fn all_runs_are_on_one_page_and_their_ends_are_marked() {
    let Some(browser) = browser() else { return };
    let path = model("philosophers-5.pnml");
    let net = read_pnml(&path).expect("a net");
    let (page, runs) = checked("several", &path, &["G eat_0 <= 1", "G !deadlock", "F G eat_0 = 1"]);
    let acts = json!([
        ["nothing"],
        ["key", "End"],
        ["choose", 0],
        ["choose", 2],
        ["key", "End"],
        ["choose", 3],
        ["find", "fork_3"]
    ]);
    let seen = drive(&browser, &page, &acts, false);
    // The first with a run is shown first.
    let ends: Vec<Vec<u32>> = runs
        .iter()
        .map(|run| {
            let ids = steps(run, &["prefix", "cycle"]);
            let shown = run["violated_after"].as_u64().map_or(ids.len(), |n| n as usize);
            markings(&net, &transitions(&net, &ids[..shown])).pop().expect("a marking")
        })
        .collect();
    assert!(seen[0].words.starts_with("Violated. "), "{}", seen[0].words);
    assert_eq!(seen[1].tokens, tokens(&net, &ends[0]));
    assert!(seen[1].now.contains("violated now, whatever follows"), "{}", seen[1].now);
    assert_eq!(seen[2].words, "Holds. There is no run to show.");
    assert_eq!(seen[4].tokens, tokens(&net, &ends[1]));
    assert!(seen[5].words.starts_with("Click a green transition"), "{}", seen[5].words);
    assert_eq!(seen[6].chosen, ["fork_3"]);
}

/// A net with weights, arcs that read, arcs there and back, and more tokens than dots.
fn weights() -> PathBuf {
    let mut b = brine_net::NetBuilder::new("weights");
    let (p, q, r) = (b.place("p", 7), b.place("q", 0), b.place("r", 1));
    b.transition("three", &[(p, 3)], &[(q, 2)]);
    b.transition("reads", &[(q, 2)], &[(q, 2), (r, 1)]);
    b.transition("more", &[(r, 2)], &[(r, 1), (p, 4)]);
    b.transition("source", &[], &[(q, 1)]);
    let mut text = Vec::new();
    brine_pnml::write_pnml(&b.build().expect("a net"), &mut text).expect("written");
    file("weights.pnml", &text)
}

/// Fires what is enabled and clicks at what is not, and compares all the time.
#[test]
fn the_token_game_plays_by_the_rules() {
    let Some(browser) = browser() else { return };
    let nets = [model("kanban-5.pnml"), model("producer-consumer-5.pnml"), weights()];
    for (seed, path) in nets.into_iter().enumerate() {
        let name = path.display();
        let net = read_pnml(&path).expect("a net");
        let page = shown(&format!("game-{seed}"), &path);
        let mut rng = Rng::new(seed as u64);
        let mut history = vec![net.initial_marking()];
        let mut acts = vec![json!(["nothing"])];
        let mut wanted = history.clone();
        for _ in 0..40 {
            let now = history[history.len() - 1].clone();
            let can = enabled(&net, &now);
            // Sometimes one that is not enabled.
            let t = match rng.chance(80) && !can.is_empty() {
                true => can[rng.index(can.len())],
                false => TransitionId(rng.below(net.transitions().len() as u32)),
            };
            let mut next = now.clone();
            if rng.below(6) == 0 {
                acts.push(json!(["key", "u"]));
                if history.len() > 1 {
                    history.pop();
                }
            } else {
                let how = ["fire", "enter"][rng.index(2)];
                acts.push(json!([how, net.transition(t).name()]));
                if net.fire_in_place(t, &mut next) {
                    history.push(next);
                }
            }
            wanted.push(history[history.len() - 1].clone());
        }
        let seen = drive(&browser, &page, &json!(acts), false);
        for ((sight, marking), act) in seen.iter().zip(&wanted).zip(&acts) {
            assert_eq!(sight.tokens, tokens(&net, marking), "{name}: {act}");
            let can = enabled(&net, marking).into_iter();
            let mut can: Vec<String> = can.map(|t| net.transition(t).name().into_owned()).collect();
            can.sort();
            assert_eq!(sight.enabled, can, "{name}: {act}");
        }
        assert!(history.len() > 4, "{name}: hardly anything was fired");
    }
}

#[test]
fn a_run_that_was_written_can_be_loaded_and_a_wrong_one_is_told() {
    let Some(browser) = browser() else { return };
    let path = model("philosophers-5.pnml");
    let net = read_pnml(&path).expect("a net");
    let (_, runs) = checked("load", &path, &[STARVES]);
    let ids = steps(&runs[0], &["prefix", "cycle"]);
    let positions = markings(&net, &transitions(&net, &ids));
    let wrong = json!({"property": "x", "prefix": [ids[0], ids[0]], "cycle": []});
    let open = json!({"prefix": [ids[0]], "cycle": []});
    let text = format!("{}\n{wrong}\n{open}\nnonsense\n", runs[0]);
    let acts = json!([
        ["load", text],
        ["key", "ArrowRight"],
        ["key", "End"],
        ["choose", 2],
        ["choose", 3],
        ["choose", 4],
        // Leaves the run for the game, at the position where one is.
        ["choose", 1],
        ["key", "ArrowRight"],
        ["fire", "take_left_2"],
        ["key", "u"]
    ]);
    let seen = drive(&browser, &shown("load-page", &path), &acts, false);
    assert_eq!(seen[1].tokens, tokens(&net, &positions[1]));
    assert_eq!(seen[2].tokens, tokens(&net, &positions[ids.len()]));
    let first = &ids[0];
    assert!(
        seen[3].words.contains(&format!("step 2: {first} is not enabled")),
        "{}",
        seen[3].words
    );
    assert!(seen[4].words.contains("the run ends, but "), "{}", seen[4].words);
    assert!(seen[5].words.contains("Line 4 of the file is not a run"), "{}", seen[5].words);
    let mut played = positions[1].clone();
    assert!(net.fire_in_place(named(&net, "take_left_2"), &mut played));
    assert_eq!(seen[8].tokens, tokens(&net, &played));
    assert_eq!(seen[9].tokens, tokens(&net, &positions[1]));
    assert!(seen[8].words.starts_with("Click a green"), "{}", seen[8].words);
}

/// A cycle that adds tokens adds them each time.
#[test]
fn a_growing_cycle_grows_round_by_round() {
    let Some(browser) = browser() else { return };
    let mut b = brine_net::NetBuilder::new("pump");
    let (off, on, water) = (b.place("off", 1), b.place("on", 0), b.place("water", 0));
    b.transition("start", &[(off, 1)], &[(on, 1)]);
    b.transition("lift", &[(on, 1)], &[(on, 1), (water, 3)]);
    let net = b.build().expect("a net");
    let mut text = Vec::new();
    brine_pnml::write_pnml(&net, &mut text).expect("written");
    let path = file("pump.pnml", &text);
    let (page, runs) = checked("grows", &path, &["F water = 100"]);
    let (prefix, cycle) = (steps(&runs[0], &["prefix"]), steps(&runs[0], &["cycle"]));
    assert!(!cycle.is_empty());
    let rounds = std::iter::repeat_n(&cycle, 4).flatten();
    let ids: Vec<String> = prefix.iter().chain(rounds).cloned().collect();
    let positions = markings(&net, &transitions(&net, &ids));
    let acts: Vec<Value> = ids.iter().map(|_| json!(["click", "forward"])).collect();
    let back: Vec<Value> = ids.iter().map(|_| json!(["click", "back"])).collect();
    let seen = drive(&browser, &page, &json!([acts, back].concat()), false);
    let there = positions[1..].iter();
    for (sight, marking) in seen.iter().zip(there.chain(positions[..ids.len()].iter().rev())) {
        assert_eq!(sight.tokens, tokens(&net, marking), "{}", sight.place);
    }
}

/// Coloured philosophers whose unfolded net is drawn as a whole.
const PLAYED: u32 = 5;

#[test]
fn a_coloured_run_is_shown_in_the_unfolded_net_or_in_the_part_that_it_touches() {
    let Some(browser) = browser() else { return };
    for seats in [PLAYED, 40] {
        coloured_run(&browser, seats);
    }
}

fn coloured_run(browser: &Path, seats: u32) {
    let mut text = Vec::new();
    brine_models::philosophers_coloured(seats).write_pnml(&mut text).expect("written");
    let path = file(&format!("coloured-{seats}.pnml"), &text);
    let formula = format!("G fork >= {}", seats - 1);
    let (page, runs) = checked(&format!("coloured-{seats}"), &path, &[&formula]);
    let run = &runs[0];
    let count = run["steps"].as_array().expect("steps").len();
    let acts: Vec<Value> = (0..count).map(|_| json!(["click", "forward"])).collect();
    let seen = drive(browser, &page, &json!(acts), false);
    let end = run["markings"]["end"].as_object().expect("a marking");
    let marked = |sight: &Sight| -> BTreeMap<String, Value> {
        sight.tokens.clone().into_iter().filter(|(_, n)| *n != json!(0)).collect()
    };
    let in_part: BTreeMap<String, Value> = end
        .iter()
        .filter(|(id, _)| seen[0].tokens.contains_key(*id))
        .map(|(id, n)| (id.clone(), n.clone()))
        .collect();
    assert_eq!(marked(&seen[count - 1]), in_part);
    assert!(in_part.len() > 3, "{in_part:?}");
    assert!(count >= 1, "{run}");
    assert_eq!(
        seen[0].enabled.is_empty(),
        seats > PLAYED,
        "a part says nothing about what is enabled"
    );
}

/// Models without places: a table of variables.
#[test]
fn a_run_of_a_dve_model_shows_its_variables() {
    let Some(browser) = browser() else { return };
    let text = "byte n = 0; process P { state a, b; init a; trans a -> b { effect n = n + 2; }, \
                b -> a {}; } system async;";
    let path = file("counter.dve", text.as_bytes());
    let (page, _) = checked("dve", &path, &["G n < 3"]);
    let acts = json!([["nothing"], ["click", "forward"], ["key", "End"], ["key", "Home"]]);
    let seen = drive(&browser, &page, &acts, false);
    let values: Vec<&Value> = seen.iter().map(|s| &s.tokens["n"]).collect();
    assert_eq!(values, ["0", "2", "4", "0"]);
    let refused = brine("show", &path, &["--html", &fresh("dve-show.html").display().to_string()]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("this model has no places"), "{message}");
}

/// Names that would be markup if they were not escaped.
const NASTY: [&str; 4] =
    ["</script><b>", "\"'><img src=x onerror=bad()>", "<!--<script>&amp;", "&lt;${x}`\\"];

fn nasty() -> PathBuf {
    let mut b = brine_net::NetBuilder::new(NASTY[1]);
    let p = b.named_place("p", NASTY[0], 1);
    let q = b.named_place(NASTY[1], NASTY[1], 0);
    let t = b.named_transition("t", NASTY[2], &[], &[]);
    b.add_input(t, p, 1);
    b.add_output(t, q, 1);
    let u = b.named_transition("u", NASTY[3], &[], &[]);
    b.add_input(u, q, 1);
    b.add_output(u, p, 1);
    let mut text = Vec::new();
    brine_pnml::write_pnml(&b.build().expect("a net"), &mut text).expect("written");
    file("nasty.pnml", &text)
}

#[test]
fn names_never_become_markup() {
    let path = nasty();
    let (page, _) = checked("nasty", &path, &["G p = 1"]);
    for page in [page, shown("nasty-show", &path)] {
        assert!(!page.contains("<img") && !page.contains("</script><b>"), "not escaped");
        assert!(!page.contains("<!--"), "comments begin nothing");
        assert_eq!(page.matches("</script>").count(), 2, "the data and the scripts");
    }
    let Some(browser) = browser() else { return };
    let seen = drive(&browser, &shown("nasty-show", &path), &json!([["nothing"]]), false);
    assert_eq!(seen[0].tokens.get(NASTY[0]), Some(&json!(1)), "{:?}", seen[0].tokens);
}

/// Nothing in a page points to anywhere else.
#[test]
fn pages_need_no_network_and_are_the_same_each_time() {
    let path = model("philosophers-5.pnml");
    let page = shown("alone", &path);
    for word in ["src=", "href=", "@import", "url(", "fetch(", "XMLHttp", "import("] {
        assert!(!page.contains(word), "{word}");
    }
    let addresses = page.matches("http").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
    assert_eq!(page, shown("alone-again", &path));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let path = model("philosophers-5.pnml");
    let ltl = ["--ltl", "G eat_0 = 0"];
    for (options, words) in [
        (&["--html", "-"][..], "give --html a file"),
        (&["--html", "x.out", "--witness", "x.out"], "name the same file"),
        (&["--html", "/no/such/folder/x.html"], "cannot write"),
    ] {
        let output = brine("check", &path, &[&ltl, options].concat());
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(words), "{message}");
    }
}

/// The editor's positions are on the page, and odd ones are no error.
#[test]
fn nets_are_drawn_where_the_editor_put_them() {
    let node = |kind: &str, id: &str, x: &str, y: &str| {
        format!("<{kind} id='{id}'><graphics><position x='{x}' y='{y}'/></graphics></{kind}>\n")
    };
    let heights = |x: &str| -> Vec<String> {
        let nodes = [
            node("place", "p", "10", "500"),
            node("transition", "t", "110", "500"),
            node("place", "q", x, "500"),
        ];
        let arcs = "<arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'/>";
        let path = file("drawn.pnml", common::net(&(nodes.concat() + arcs)).as_bytes());
        let page = shown("drawn", &path);
        let spots = page.split("transform=\"translate(").skip(1);
        spots.map(|s| s.split(')').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(heights("210"), ["10 500", "210 500", "110 500"]);
    // Laid out instead.
    assert_ne!(heights("far away")[0], "10 500");
}

/// A run of a large net shows its part, and says so.
#[test]
fn of_a_large_net_the_part_that_the_run_touches_is_drawn() {
    let mut text = Vec::new();
    brine_pnml::write_pnml(&brine_models::philosophers(100), &mut text).expect("written");
    let path = file("philosophers-100.pnml", &text);
    let (page, _) = checked("large", &path, &["G (right_7 = 0 | fork_0 = 1)"]);
    assert!(page.contains("The part of the net that the run touches: "));
    assert!(!page.contains(">eat_50<"));
    let page = shown("large-show", &path);
    assert!(page.contains("300 of 1000 nodes are drawn"), "says what is drawn");
    assert!(page.contains("\"eat_50\""), "all can be found");
}

/// A page with two telephones: light and dark.
const TELEPHONES: &str = "<body style='margin:0;background:#888;display:flex;gap:20px;padding:10px'>\
    <iframe width=360 height=720 style='border:0;border-radius:18px' src='PAGE#run=1&step=2'></iframe>\
    <iframe width=360 height=720 style='border:0;border-radius:18px' src='PAGE#run=1&step=2&theme=dark'></iframe>";

/// The pictures of docs/page.md: `cargo test -p brine-cli --test page -- --ignored`.
#[test]
#[ignore = "writes docs/pictures"]
fn pictures_for_the_docs() {
    let Some(browser) = browser() else { return };
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    std::fs::create_dir_all(&docs).expect("a folder");
    checked("philosophers", &model("philosophers-5.pnml"), &[STARVES, "G !deadlock"]);
    checked("coloured-run", &model("philosophers-coloured-5.pnml"), &["F eat >= 1"]);
    let mut text = Vec::new();
    brine_pnml::write_pnml(&brine_models::token_ring(125), &mut text).expect("written");
    let large = file("token-ring-125.pnml", &text);
    checked("large-run", &large, &["!(G F work_0 = 1 & G F work_60 = 1)"]);
    let telephones = TELEPHONES.replace("PAGE", "philosophers.html");
    file("telephones.html", telephones.as_bytes());
    let desktop = (1080, 720);
    for (page, hash, size, to) in [
        ("philosophers", "run=1&step=3", desktop, "philosophers.png"),
        ("philosophers", "run=2&step=5&theme=dark", desktop, "philosophers-dark.png"),
        ("telephones", "", (760, 740), "philosophers-phone.png"),
        ("coloured-run", "run=1&step=2", desktop, "coloured.png"),
        ("large-run", "run=1&step=66", desktop, "large.png"),
    ] {
        let page = file("x", b"").with_file_name(format!("{page}.html"));
        picture(&browser, &page, hash, size, &docs.join(to));
    }
}
