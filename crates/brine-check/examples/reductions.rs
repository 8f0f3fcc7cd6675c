//! What structural reductions leave of contest nets.
//!
//! `cargo run --profile fast -p brine-check --example reductions -- DIR [FILTER [PROPERTIES]]`
//! reduces, for each instance in DIR (`../shared/mcc/models`) whose name contains FILTER, the
//! net for each property of its two files (the first PROPERTIES of each), and prints one
//! line of CSV: the class of the property, sizes before and after, CPU-bound milliseconds, how
//! often each rule was applied.

#![allow(clippy::unwrap_used, reason = "a tool for maintainers")]

use brine_check::{Budget, FirstSteps, Property, ReducedProperty, Restatement, class_of};
use brine_ltl::{Formula, Formulas, Options, Translator};
use brine_net::Net;
use brine_pnml::{Model, UnfoldLimits, read_mcc, read_model};
use brine_reduce::{Preserves, ReduceOptions, Rule};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip(1);
    let dir = PathBuf::from(args.next().expect("the folder with the instances"));
    let filter = args.next().unwrap_or_default();
    let most: usize = args.next().map_or(usize::MAX, |n| n.parse().expect("a number"));
    let mut instances: Vec<PathBuf> =
        std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    instances.sort();
    let rules = Rule::ALL.map(|r| r.name().replace(' ', "_")).join(",");
    println!("instance,property,class,places,transitions,places_left,transitions_left,ms,{rules}");
    for instance in instances.iter().filter(|path| path.to_string_lossy().contains(&filter)) {
        measure(instance, most);
    }
}

fn measure(instance: &Path, most: usize) {
    let name = instance.file_name().unwrap().to_string_lossy();
    let model = match read_model(&instance.join("model.pnml"), &UnfoldLimits::default()) {
        Ok(model) => model,
        Err(error) => return eprintln!("{name}: {error}"),
    };
    for file in ["LTLCardinality", "LTLFireability"] {
        let Ok(xml) = std::fs::read_to_string(instance.join(file).with_extension("xml")) else {
            continue;
        };
        measure_file(&format!("{name},{file}"), &model, &xml, most);
    }
}

fn measure_file(name: &str, model: &Model, xml: &str, most: usize) {
    let net = &model.net;
    let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
    let properties = read_mcc(xml, &mut formulas, &mut symbols).unwrap();
    for (i, property) in properties.iter().enumerate().take(most) {
        let Some(formula) = property.query.all_runs() else { continue };
        let class = class(net, &mut formulas, formula);
        let start = Instant::now();
        let property = Property { net, formulas: &formulas, formula };
        let steps = (class == Preserves::AllLtl)
            .then(|| FirstSteps::new(property, &Budget::default()))
            .flatten();
        let asked = steps.as_ref().map_or(property, Restatement::property);
        let class = match &steps {
            Some(_) => self::class(asked.net, &mut asked.formulas.clone(), asked.formula),
            None => class,
        };
        let small = ReducedProperty::new(asked, class, &ReduceOptions::default());
        let time = start.elapsed().as_secs_f64() * 1000.0;
        let left = small.as_ref().map_or(asked.net, |s| s.property().net);
        let first = if steps.is_some() { "-after-steps" } else { "" };
        let counts: Vec<String> = match &small {
            Some(small) => small.reduced().counts().map(|(_, n)| n.to_string()).collect(),
            None => Rule::ALL.iter().map(|_| "0".to_owned()).collect(),
        };
        println!(
            "{name}-{i:02},{class:?}{first},{},{},{},{},{time:.1},{}",
            net.places().len(),
            net.transitions().len(),
            left.places().len(),
            left.transitions().len(),
            counts.join(","),
        );
    }
}

/// The class of a formula; all of LTL if its automaton takes too long.
fn class(net: &Net, formulas: &mut Formulas, formula: Formula) -> Preserves {
    let negation = formulas.not(formula);
    let end = Instant::now() + Duration::from_secs(1);
    let cancel = move || Instant::now() >= end;
    let options = Options { net: Some(net), cancel: &cancel, ..Options::default() };
    let Ok(mut translator) = Translator::new(formulas, negation, &options) else {
        return Preserves::AllLtl;
    };
    match translator.tgba() {
        Ok(violations) => class_of(translator.is_stutter_invariant().ok(), violations.class()),
        Err(_) => Preserves::AllLtl,
    }
}
