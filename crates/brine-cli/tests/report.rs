//! `brine report`: what it writes, what it refuses, and what a browser makes of its page.

mod common {
    pub(crate) mod programs;
}

use std::path::Path;
use std::process::{Command, Output};

const HEADER: &str = "model,property,config,verdict,expected,correct,reason,time_s,peak_mem_mib,\
    automaton_states,automaton_class,stutter_invariant,product_states,peak_nodes,states_stored,\
    transitions,scc_calls,scc_prevented_recurring,scc_prevented_abstraction,scc_time_s,\
    witness_prefix,witness_cycle,exit\n";

/// Results of three configurations on `questions` properties. The last property is solved by
/// "alpha" alone; "gamma" is wrong on the first one.
fn results(questions: usize) -> String {
    let mut text = HEADER.to_owned();
    for q in 0..questions {
        for (c, config) in ["alpha", "beta", "gamma"].into_iter().enumerate() {
            let last = q + 1 == questions && c > 0;
            let wrong = q == 0 && c == 2;
            let verdict = match () {
                () if last => "unknown",
                () if wrong || q % 2 == 1 => "violated",
                () => "holds",
            };
            let expected = if q % 2 == 1 { "violated" } else { "holds" };
            let correct = if last {
                ""
            } else if wrong {
                "false"
            } else {
                "true"
            };
            let reason = if last { "timeout" } else { "" };
            let time = if last { 10.0 } else { 0.001 * (1 + q) as f64 * (1 + c) as f64 };
            text += &format!(
                "net-{},p<{q}>,{config},{verdict},{expected},{correct},{reason},{time},{},3,weak,\
                 true,{},99,,,4,3,1,0.0001,2,1,0\n",
                q / 4,
                5 + q,
                100 * q
            );
        }
    }
    text
}

fn report(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_brine"))
        .arg("report")
        .args(args)
        .current_dir(dir)
        .output()
        .expect("brine starts")
}

#[test]
fn page_plots_and_tables_are_written() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("r.csv"), results(8)).expect("written");
    let args = ["r.csv", "-o", "r.html", "--svg", "figures", "--markdown", "-"];
    let output = report(dir.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let markdown = String::from_utf8(output.stdout).expect("UTF-8");
    let wrong = "WRONG net-0 p\\<0\\> \\[gamma\\]: violated, expected holds";
    assert!(markdown.contains(wrong), "{markdown}");
    let solved = "| alpha | 8 | 4 | 4 | 0 | 0 | 0 | 0 | 1 |";
    assert!(markdown.lines().any(|l| l == solved), "{markdown}");
    assert!(markdown.contains("| alpha | 64 | 32 | 37.5 % | 12.5 % | 50.0 % |"), "{markdown}");
    for name in ["survival", "scatter-alpha-beta", "scatter-alpha-gamma", "scatter-beta-gamma"] {
        assert!(dir.path().join("figures").join(name).with_extension("svg").exists(), "{name}");
    }
    assert!(dir.path().join("r.html").exists());
}

#[test]
fn bad_input_is_refused() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let refused = |csv: &str, args: &[&str], what: &str| {
        std::fs::write(dir.path().join("r.csv"), csv).expect("written");
        let output = report(dir.path(), args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(what), "{what} in {text}");
        assert!(!dir.path().join("r.html").exists());
    };
    let page = ["r.csv", "-o", "r.html"];
    refused(&results(2).replace(",reason", ""), &page, "r.csv:1:1: no results of `brine bench`");
    refused(HEADER, &page, "r.csv: no rows");
    refused(&results(2).replace("holds", "perhaps"), &page, "r.csv:2: unknown variant `perhaps`");
    refused(&results(2), &["r.csv", "-o", "nowhere/r.html"], "cannot write nowhere/r.html");
    refused(&results(2), &["other.csv", "-o", "r.html"], "cannot read other.csv");
    refused(&results(2), &["r.csv"], "required");
}

/// What a browser shows of a page after its script has run.
fn dom(browser: &str, page: &Path, hash: &str) -> String {
    // A browser that hangs must not hang the tests.
    let output = Command::new("timeout")
        .args(["180", browser, "--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", page.with_extension("profile").display()))
        .args(["--dump-dom", &format!("file://{}{hash}", page.display())])
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is missing from a page that should show `results(8)` with two configurations chosen.
fn missing(dom: &str, points: usize, comparison: &str) -> Vec<String> {
    let count = |what: &str| dom.matches(what).count();
    let mut missing = Vec::new();
    let mut want = |is_there: bool, what: &str| {
        if !is_there {
            missing.push(what.to_owned());
        }
    };
    want(dom.contains("data-drawn=\"yes\""), "the end of the script");
    want(count("class=\"point ") == points, "a point for each property");
    want(count("class=\"guide\"") >= 2, "the diagonal");
    // One in the plot and one in the legend for each configuration.
    want(count("class=\"curve\"") == 6, "survival curves");
    want(dom.contains(comparison), "the comparison in words");
    want(dom.contains("WRONG net-0 p&lt;0&gt; [gamma]"), "the wrong verdict");
    want(dom.contains("<b>8 of 8</b><span>solved by some configuration"), "cards");
    want(dom.contains("<td>alpha</td><td>8</td><td>4</td><td>4</td>"), "solved counts");
    missing
}

#[test]
fn a_browser_shows_plots_and_numbers() {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let Some(browser) = common::programs::find(&names, "chromium") else { return };
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("r.csv"), results(8)).expect("written");
    assert_eq!(report(dir.path(), &["r.csv", "-o", "r.html"]).status.code(), Some(0));
    let page = dir.path().join("r.html");
    let first = dom(browser, &page, "");
    let words = "Both solved 7: “alpha” is faster on 7, “beta” on 0.";
    assert_eq!(missing(&first, 8, words), Vec::<String>::new(), "{first}");
    // A link chooses two configurations and a metric.
    let chosen = dom(browser, &page, "#x=gamma&y=beta&metric=memory");
    // Gamma's wrong verdict is a point, but nothing that it solved.
    let words = "Both solved 6: “gamma” is smaller on 0, “beta” on 0.";
    assert_eq!(missing(&chosen, 7, words), Vec::<String>::new(), "{chosen}");
    // The test can fail: without its script, the page lacks plots.
    let text = std::fs::read_to_string(&page).expect("the page").replace("draw();", "");
    std::fs::write(&page, text).expect("written");
    let broken = missing(&dom(browser, &page, ""), 8, words);
    assert!(broken.contains(&"survival curves".to_owned()), "{broken:?}");
}
