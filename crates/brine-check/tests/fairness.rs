//! Events and fairness: every engine against brute force, or a clean "unsupported".

use brine_check::{
    Budget, Decider, EngineName, EngineSpec, FairProperty, Property, Reason, Verdict,
};
use brine_net::Structure;
use brine_oracle::{FairPair, random_fair_pairs};
use brine_run::Control;
use std::collections::BTreeMap;

/// The engines, and whether they take such questions.
fn engines() -> Vec<(EngineSpec, bool)> {
    let of = |name: EngineName| format!("--engine {}", name.name()).parse().unwrap();
    EngineName::ALL.into_iter().map(|name| (of(name), knows_events(name))).collect()
}

fn knows_events(name: EngineName) -> bool {
    matches!(name, EngineName::Auto | EngineName::Explicit | EngineName::Symbolic)
}

fn ask(pair: FairPair<'_>, spec: &EngineSpec) -> Verdict {
    let FairPair { net, formulas, formula, fairness, .. } = pair;
    let structure = &Structure::new(net);
    let mut decider: Decider<'_> = spec.build(net, &structure, &Control::default()).unwrap();
    let asked = FairProperty { property: Property { net, formulas, formula }, fairness };
    decider.decide(asked, &Budget::default()).unwrap().verdict
}

fn text(pair: &FairPair<'_>) -> String {
    let symbols = brine_ltl::Symbols::of_net(pair.net);
    format!("{} {:?}", pair.formulas.print(pair.formula, &symbols), pair.fairness)
}

#[test]
fn engines_agree_with_brute_force_or_say_that_they_cannot() {
    let engines = engines();
    let mut counts: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    random_fair_pairs(400, |pair, _| {
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
                    assert!(run.is_some() || plain, "a run is found");
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
