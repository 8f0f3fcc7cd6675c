//! The same question with the same options has the same answer: verdict, run and figures,
//! whatever the number of threads. Only times and the memory of the process may differ.
//!
//! BRINE_CASES sets the number of random questions, BRINE_SEED the first seed.

use brine_check::Decision;
use brine_fuzz::{Asked, Configuration, Subject, draw_formula, draw_net, options};
use brine_net::Rng;
use brine_oracle::number;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// All of a decision but its times.
fn figures(decision: Option<Decision>) -> String {
    let Some(mut decision) = decision else { return "refused".to_owned() };
    if let Some(scc) = &mut decision.stats.scc {
        scc.time = Duration::ZERO;
    }
    let Decision { verdict, engine, automaton, stats, .. } = decision;
    format!("{engine} {verdict:?} {automaton:?} {stats:?}")
}

fn with_threads(configuration: &Configuration, threads: u32) -> Configuration {
    let mut configuration = configuration.clone();
    if let Some(at) = configuration.words.iter().position(|w| w == "--threads") {
        configuration.words.drain(at..at + 2);
    }
    configuration.words.extend(["--threads".to_owned(), threads.to_string()]);
    configuration
}

#[test]
fn decisions_are_the_same_again_and_with_threads() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 2_000));
    let mut seed = first;
    let (mut compared, mut refused) = (0, 0);
    while compared < count {
        let mut rng = Rng::new(seed);
        seed += 1;
        let subject = Subject::new(draw_net(&mut rng).0);
        // An infinite search ends with the clock, which is no two times the same.
        if !subject.kripke.complete {
            continue;
        }
        let text = draw_formula(&mut rng, &subject.net);
        // Large formulas take long to translate, and then the clock matters.
        if text.len() > 120 {
            continue;
        }
        let asked = Asked::new(&subject, &text).expect("a formula");
        let configuration = options::draw(&mut rng);
        if configuration.command() != "check" {
            continue;
        }
        let decide = |configuration: &Configuration| {
            let context = format!("BRINE_SEED={} {configuration}", seed - 1);
            figures(asked.decide(configuration).unwrap_or_else(|e| panic!("{context}: {e:?}")))
        };
        let once = decide(&configuration);
        let context = format!("BRINE_SEED={} {configuration}", seed - 1);
        assert_eq!(decide(&configuration), once, "{context}");
        for threads in [1, 3] {
            assert_eq!(decide(&with_threads(&configuration, threads)), once, "{context}");
        }
        compared += 1;
        refused += u64::from(once == "refused");
    }
    assert!(refused * 4 < compared, "{refused} of {compared} refused");
}

/// The JSON of a command without what may differ.
fn json(command: &str, net: &str, options: &[&str]) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(net);
    let mut brine = Command::new(env!("CARGO_BIN_EXE_brine"));
    brine.arg(command).arg(path).args(options).arg("--json");
    let output = brine.output().expect("brine starts");
    let mut entry: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    entry["stats"]["scc_time_s"] = Value::Null;
    for name in ["time_s", "peak_mem_mib", "states_per_s"] {
        entry[name] = Value::Null;
    }
    entry
}

#[test]
fn figures_of_larger_nets_are_the_same_again_and_with_threads() {
    let nets = ["philosophers-5.pnml", "slotted-ring-3.pnml", "kanban-2.pnml", "peterson-2.pnml"];
    for net in nets {
        for engine in ["auto", "explicit", "symbolic", "hull-el"] {
            for formula in ["G !deadlock", "F G !deadlock"] {
                let ask = |threads| {
                    json(
                        "check",
                        net,
                        &["--ltl", formula, "--engine", engine, "--threads", threads],
                    )
                };
                let once = ask("1");
                assert_ne!(once["verdict"], "unknown", "{net} {engine} {formula}");
                for threads in ["1", "2", "4"] {
                    assert_eq!(ask(threads), once, "{net} {engine} {formula}, {threads} threads");
                }
            }
        }
        let once = json("states", net, &["--threads", "1"]);
        for threads in ["1", "2", "4"] {
            assert_eq!(json("states", net, &["--threads", threads]), once, "{net} {threads}");
        }
        assert_eq!(json("explore", net, &[]), json("explore", net, &[]), "{net}");
    }
}
