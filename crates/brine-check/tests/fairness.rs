//! Events and fairness: every engine against brute force, or a clean "unsupported".

use brine_check::{
    Budget, Decider, EngineName, EngineSpec, FairProperty, Property, Reason, Verdict,
};
use brine_net::Structure;
use brine_oracle::{FairPair, random_fair_pairs};
use brine_run::Control;
use std::collections::BTreeMap;

/// Those who take such questions.
fn knows_events(name: EngineName) -> bool {
    matches!(name, EngineName::Auto | EngineName::Explicit | EngineName::Symbolic)
}

fn ask(pair: FairPair<'_>, spec: &EngineSpec) -> Verdict {
    let FairPair { net, formulas, formula, fairness, .. } = pair;
    let structure = &Structure::new(net);
    let mut decider: Decider<'_> = spec.build(net, &structure, &Control::default()).unwrap();
    let asked = FairProperty { property: Property { net, formulas, formula }, fairness };
    let decision = decider.decide(asked, &Budget::default());
    let why = |error| panic!("BRINE_SEED={} {spec} {}: {error}", pair.seed, text(&pair));
    decision.unwrap_or_else(why).verdict
}

fn text(pair: &FairPair<'_>) -> String {
    let symbols = brine_ltl::Symbols::of_net(pair.net);
    format!("{} {:?}", pair.formulas.print(pair.formula, &symbols), pair.fairness)
}

/// Asks these engines about random pairs.
fn ask_about_pairs(names: &[EngineName], count: u64) {
    let of = |&name: &EngineName| -> (EngineSpec, bool) {
        (format!("--engine {}", name.name()).parse().unwrap(), knows_events(name))
    };
    let engines: Vec<(EngineSpec, bool)> = names.iter().map(of).collect();
    let mut counts: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    random_fair_pairs(count, |pair, _| {
        let plain = pair.fairness.is_none() && !pair.formulas.has_events(pair.formula);
        for (spec, knows) in &engines {
            let count = counts.entry(spec.to_string()).or_default();
            match ask(pair, spec) {
                Verdict::Holds => {
                    assert!(pair.expected, "BRINE_SEED={} {spec} {}", pair.seed, text(&pair));
                    count[0] += 1;
                }
                Verdict::Violated(run) => {
                    assert!(!pair.expected, "BRINE_SEED={} {spec} {}", pair.seed, text(&pair));
                    let shown = run.is_some() || plain;
                    assert!(shown, "BRINE_SEED={} {spec}: no run of {}", pair.seed, text(&pair));
                    count[1] += 1;
                }
                Verdict::Unknown(Reason::Unsupported(_)) if !knows && !plain => count[2] += 1,
                Verdict::Unknown(reason) => {
                    panic!("BRINE_SEED={} {spec} {reason}: {}", pair.seed, text(&pair))
                }
            }
        }
    });
    for (spec, [holds, violated, unsupported]) in counts {
        println!("{spec}: {holds} hold, {violated} violated, {unsupported} unsupported");
    }
}

#[test]
fn explicit_search_agrees_with_brute_force() {
    ask_about_pairs(&[EngineName::Explicit], 1_500);
}

#[test]
fn symbolic_search_agrees_with_brute_force() {
    ask_about_pairs(&[EngineName::Symbolic], 500);
}

#[test]
fn auto_agrees_with_brute_force() {
    ask_about_pairs(&[EngineName::Auto], 300);
}

#[test]
fn other_engines_say_that_they_cannot() {
    let all = EngineName::ALL.into_iter();
    ask_about_pairs(&all.filter(|&name| !knows_events(name)).collect::<Vec<_>>(), 200);
}
