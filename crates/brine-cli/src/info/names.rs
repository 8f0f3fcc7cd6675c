//! `brine info --places`, `--transitions`, `--grep`: what formulas and runs may name.
//!
//! Lines of columns: the id, the name where it is another one, and of places the tokens at the start.
//! Cost: the names, made one by one.

use super::Args;
use crate::clock::Clock;
use crate::exit::Exit;
use crate::walked::{WalkedModel, load_walked};
use brine_check::shorten::RunFacts;
use brine_check::show::Trace;
use brine_net::Run;
use brine_pins::GroupId;
use serde::Serialize;

/// The JSON document.
#[derive(Serialize, Debug)]
struct NameReport {
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place_list: Option<Vec<NamedNode>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transition_list: Option<Vec<NamedNode>>,
}

#[derive(Serialize, Debug)]
struct NamedNode {
    id: String,
    name: String,
    /// What a place or variable holds at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    initial: Option<String>,
}

impl NamedNode {
    fn has(&self, word: &str) -> bool {
        [&self.id, &self.name].iter().any(|text| text.to_lowercase().contains(word))
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let control = clock.control();
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let model = load_walked(&source, &control, false)?;
    let word = args.grep.as_ref().map(|word| word.to_lowercase());
    let wanted = |node: &NamedNode| word.as_ref().is_none_or(|word| node.has(word));
    // A word alone is looked for everywhere.
    let both = !args.places && !args.transitions;
    let listed = |yes: bool, list: Vec<NamedNode>| {
        yes.then(|| list.into_iter().filter(|n| wanted(n)).collect::<Vec<_>>())
    };
    let place_list = listed(both || args.places, places(&model));
    control.look()?;
    let transition_list = listed(both || args.transitions, transitions(&model));
    control.look()?;
    let name = model.net().map_or("", brine_net::Net::name);
    let model = crate::model::name_or_file(name, &args.model);
    let report = NameReport { model, place_list, transition_list };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
        return Ok(Exit::Done);
    }
    let lists = [("place", &report.place_list), ("transition", &report.transition_list)];
    let several = lists.iter().filter(|l| l.1.is_some()).count() > 1;
    for (kind, list) in lists {
        for node in list.iter().flat_map(|list| list.iter()) {
            let kind = if several { format!("{kind:<11} ") } else { String::new() };
            let name = if node.name == node.id { "" } else { &node.name };
            let initial = node.initial.as_deref().filter(|n| *n != "0");
            let initial = initial.map(|n| format!("  = {n}")).unwrap_or_default();
            let line = format!("{kind}{:<24} {name}{initial}", node.id);
            println!("{}", line.trim_end());
        }
    }
    Ok(Exit::Done)
}

fn places(model: &WalkedModel) -> Vec<NamedNode> {
    if let Some(net) = model.net() {
        let node = |p: brine_net::Place<'_>| NamedNode {
            id: p.id().into_owned(),
            name: p.name().into_owned(),
            initial: Some(p.initial.to_string()),
        };
        return net.places().map(node).collect();
    }
    let open = RunFacts { open: true, ..RunFacts::default() };
    let trace: Trace = model.trace(&Run::default(), open, None);
    let all = trace.place_ids.iter().zip(&trace.places).zip(&trace.initial).enumerate();
    let node = |(p, ((id, name), &value)): (usize, ((&String, &String), &u32))| NamedNode {
        id: id.clone(),
        name: name.clone(),
        initial: Some(trace.value(p, value)),
    };
    all.map(node).collect()
}

fn transitions(model: &WalkedModel) -> Vec<NamedNode> {
    match model {
        WalkedModel::Net(model) => {
            let node = |t: brine_net::Transition<'_>| NamedNode {
                id: t.id().into_owned(),
                name: t.name().into_owned(),
                initial: None,
            };
            model.net.transitions().map(node).collect()
        }
        WalkedModel::Language(model) => {
            let model = model.pins();
            let node = |g: u32| {
                let id = model.group_name(GroupId(g));
                NamedNode { name: id.clone(), id, initial: None }
            };
            (0..model.groups() as u32).map(node).collect()
        }
    }
}
