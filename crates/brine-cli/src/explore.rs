//! `brine explore`: generate reachable markings one by one, all of them or a reduced graph.

use crate::exit::Exit;
use crate::limits::{LimitArgs, peak_mem_mib};
use crate::por::PorArgs;
use crate::progress::Progress;
use brine_explicit::explore::{Exploration, explore};
use brine_explicit::markings::Markings;
use brine_explicit::meter::{Limits, Stop};
use brine_explicit::por::Por;
use brine_explicit::provisos::{Counts, Promise, Proviso};
use brine_explicit::reduction::{Effort, Reduction};
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::space::Space;
use brine_explicit::stubborn::{Choice, Dependencies, Strength, Stubborn};
use brine_net::Structure;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Explore the state space explicitly: states, transitions, speed
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine explore pnml/philosophers-5.pnml --json
  brine explore pnml/philosophers-5.pnml --por --proviso HighlinkDeepestDestScan --seed 7
  brine explore --list-provisos")]
pub(crate) struct Args {
    /// The net, a PNML file
    #[arg(required_unless_present = "list_provisos")]
    model: Option<PathBuf>,
    #[command(flatten)]
    por: PorArgs,
    /// List the provisos of --por, with one line about each
    #[arg(long)]
    list_provisos: bool,
    /// Shuffle the transition order with this seed; 0 keeps the order of the file
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

/// The JSON document of docs/user-guide.md.
#[derive(Serialize, Debug)]
struct Report {
    model: String,
    states: Option<u64>,
    transitions: Option<u64>,
    expanded: Option<u64>,
    proviso: Option<String>,
    time_s: f64,
    states_per_s: Option<f64>,
    deadlocks: Option<u64>,
    depth: Option<u64>,
    bytes_per_state: f64,
    words_per_state: usize,
    repacks: u32,
    peak_mem_mib: Option<f64>,
    reason: Option<&'static str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.list_provisos {
        return list_provisos(args.json);
    }
    let Some(model) = &args.model else { anyhow::bail!("no model given") };
    let loaded = crate::model::load(model)?;
    crate::model::show_warnings(&loaded.warnings, args.quiet);
    let net = loaded.net;
    let start = Instant::now();
    let limits = Limits {
        deadline: args.limits.deadline(start),
        memory: args.limits.memory_bytes(),
        cancel: None,
        steps: None,
    };
    let mut progress = Progress::new(args.quiet);
    let mut watch = |e: &Exploration| {
        progress.say(|| format!("{} states, {} expanded", e.states, e.expanded));
    };
    let order = firing_order(&net, args.seed);
    let bounds = place_bounds(&net, &Structure::new(&net).bounds);
    let mut ms = match Markings::new(&net, &bounds, &order, limits) {
        Ok(ms) => ms,
        Err(_) => anyhow::bail!("--memory is too small for even one marking of this net"),
    };
    let por = args.por.por();
    let result = match por {
        None => explore(&mut ms, &mut watch),
        Some(por) => {
            let dependencies = Dependencies::new(&net, &order);
            let mut space = Space::new(ms);
            let result = explore_reduced(&mut space, &dependencies, por, &mut watch);
            ms = space.into_markings();
            result
        }
    };
    progress.finish();
    let time_s = start.elapsed().as_secs_f64();
    let report = Report {
        proviso: por.map(|por| proviso_of(por).name()),
        ..report(&ms, result, time_s, crate::model::name(&net, model))
    };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print_human(&report);
    }
    Ok(if report.reason.is_some() { Exit::Unknown } else { Exit::Done })
}

/// The proviso to use.
fn proviso_of(por: Por) -> Proviso {
    por.proviso.unwrap_or(Proviso::OnTheFly { live: true })
}

/// Explores the reduced graph; without a property, every transition is invisible.
fn explore_reduced(
    space: &mut Space<'_>,
    dependencies: &Dependencies,
    por: Por,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Exploration, Stop> {
    let proviso = proviso_of(por);
    let safety = proviso.promise() == Promise::Safety;
    let strength = if safety { Strength::Strong } else { por.choice.strength };
    let stubborn = Stubborn::new(dependencies, Vec::new(), Choice { strength, ..por.choice });
    let mut reduction = Reduction::new(stubborn, proviso, Effort::Always);
    let exploration = |c: &Counts| Exploration {
        states: c.states,
        transitions: c.transitions,
        expanded: c.expanded,
        deadlocks: c.deadlocks,
        depth: c.depth,
    };
    let counts = reduction.explore(space, &mut |c| watch(&exploration(c)))?;
    Ok(exploration(&counts))
}

fn report(
    ms: &Markings<'_>,
    result: Result<Exploration, Stop>,
    time_s: f64,
    model: String,
) -> Report {
    let counts = result.ok();
    Report {
        model,
        states: counts.map(|c| c.states),
        transitions: counts.map(|c| c.transitions),
        expanded: counts.map(|c| c.expanded),
        proviso: None,
        time_s,
        states_per_s: counts.map(|c| c.states as f64 / time_s),
        deadlocks: counts.map(|c| c.deadlocks),
        depth: counts.map(|c| c.depth),
        bytes_per_state: ms.store().bytes() as f64 / ms.store().len() as f64,
        words_per_state: ms.store().words(),
        repacks: ms.repacks(),
        peak_mem_mib: peak_mem_mib(),
        reason: result.err().map(reason),
    }
}

/// Names every proviso, with a line about it.
fn list_provisos(json: bool) -> anyhow::Result<Exit> {
    if json {
        let entry = |p: &Proviso| serde_json::json!({ "name": p.name(), "about": p.about() });
        let all: Vec<serde_json::Value> = Proviso::all().iter().map(entry).collect();
        println!("{}", serde_json::Value::from(all));
    } else {
        for proviso in Proviso::all() {
            println!("{:32} {}", proviso.name(), proviso.about());
        }
    }
    Ok(Exit::Done)
}

/// The name that JSON gives to a reason.
pub(crate) fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Timeout | Stop::Steps => "timeout",
        Stop::Memory | Stop::Runaway => "memory",
        Stop::Overflow => "overflow",
        Stop::Cancelled => "cancelled",
    }
}

fn print_human(r: &Report) {
    match (r.states, r.transitions, r.reason) {
        (Some(states), Some(transitions), None) => {
            println!("{}: {states} states, {transitions} transitions", r.model);
            let (deadlocks, depth) = (r.deadlocks.unwrap_or(0), r.depth.unwrap_or(0));
            match &r.proviso {
                None => println!("  {deadlocks} deadlocks, breadth-first depth {depth}"),
                Some(proviso) => println!(
                    "  {deadlocks} deadlocks, reduced with {proviso}, {} states expanded",
                    r.expanded.unwrap_or(0)
                ),
            }
        }
        (_, _, reason) => println!("{}: unknown ({})", r.model, reason.unwrap_or("stopped")),
    }
    println!(
        "  {:.3} s{}, {:.1} bytes per state, {:.0} MiB in all",
        r.time_s,
        r.states_per_s.map_or_else(String::new, |s| format!(", {s:.0} states/s")),
        r.bytes_per_state,
        r.peak_mem_mib.unwrap_or(0.0)
    );
}
