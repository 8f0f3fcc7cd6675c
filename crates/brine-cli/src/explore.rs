//! `brine explore`: generate reachable markings one by one, all of them or a reduced graph.

use crate::clock::Clock;
use crate::exit::Exit;
use crate::limits::{LimitArgs, peak_mem_mib};
use crate::model::keep;
use crate::por::PorArgs;
use crate::progress::ProgressLine;
use crate::told::{self, Told, tell};
use crate::watchdog::Watchdog;
use anyhow::bail;
use brine_check::{SpaceStep, explored_space, reduced_space};
use brine_explicit::explore::{Exploration, explore};
use brine_explicit::markings::Markings;
use brine_explicit::por::Por;
use brine_explicit::provisos::{Promise, Proviso};
use brine_explicit::reduction::{Effort, Reduction};
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::space::Space;
use brine_explicit::stubborn::{Choice, Dependencies, Strength, Stubborn};
use brine_net::Structure;
use brine_pins::PinsStop;
use brine_run::{Control, Stop};
use brine_source::Source;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Explore the state space explicitly: states, transitions, speed
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine explore pnml/philosophers-5.pnml --json
  brine explore pnml/philosophers-5.pnml --por --proviso HighlinkDeepestDestScan --seed 7
  brine explore --list-provisos")]
pub(crate) struct Args {
    /// The net, a PNML file, or a model, a .gcl or .dve file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder, or - for stdin
    #[arg(required_unless_present = "list_provisos")]
    model: Option<PathBuf>,
    #[command(flatten)]
    por: PorArgs,
    /// List the provisos of --por, with one line about each
    #[arg(help_heading = "Search", long)]
    list_provisos: bool,
    /// Shuffle the transition order with this seed; 0 keeps the order of the file
    #[arg(help_heading = "Search", long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON document
    #[arg(help_heading = "Output", long)]
    json: bool,
    /// No progress
    #[arg(help_heading = "Output", long)]
    quiet: bool,
}

/// The JSON document of docs/user-guide.md.
#[derive(Serialize, Debug, Default)]
struct ExploreReport {
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
    /// When the first marking was there.
    #[serde(skip)]
    since: Option<Instant>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.list_provisos {
        return list_provisos(args.json);
    }
    let Some(model) = &args.model else { anyhow::bail!("no model given") };
    let clock = Clock::start(&args.limits);
    let report = ExploreReport {
        model: crate::model::file_name(model),
        proviso: args.por.por().map(|por| proviso_of(por).name()),
        ..ExploreReport::default()
    };
    tell(&clock, args.json, report, |dog| search(args, model, &clock, dog))
}

/// Loads the net and explores it, keeping what is counted on the way.
fn search(
    args: &Args,
    model: &Path,
    clock: &Clock,
    dog: &Watchdog<Told<ExploreReport>>,
) -> anyhow::Result<()> {
    let control = clock.control();
    let source = crate::model::source(model, args.limits.memory_bytes());
    if crate::model::is_language(model) {
        return search_language(args, &source, clock, dog);
    }
    let loaded = keep(crate::model::load(&source, &control)?);
    crate::model::show_warnings(&loaded.warnings, args.quiet);
    let net = &loaded.net;
    dog.words().report.model = crate::model::name(net, model);
    let order = firing_order(net, args.seed);
    let bounds = place_bounds(net, &Structure::within(net, &control).bounds);
    control.look()?;
    let limits = Control {
        deadline: control.deadline,
        charged: clock.memory_left(),
        resident: clock.resident(),
        ..Control::default()
    };
    let mut ms = Markings::new(net, &bounds, &order, limits)?;
    dog.words().report.since = Some(Instant::now());
    let mut progress = ProgressLine::new(args.quiet);
    let mut watch = |e: &Exploration| {
        dog.words().report.say(e);
        progress.say(|| format!("{} states, {} expanded", e.states, e.expanded));
    };
    let result = match args.por.por() {
        None => explore(&mut ms, &mut watch),
        Some(por) => {
            let dependencies = Dependencies::new(net, &order);
            let mut space = Space::new(ms);
            let result = explore_reduced(&mut space, &dependencies, por, &mut watch);
            ms = space.into_markings();
            result
        }
    };
    progress.finish();
    let mut told = dog.words();
    told.report.bytes_per_state = ms.store().bytes() as f64 / ms.store().len() as f64;
    told.report.words_per_state = ms.store().words();
    told.report.repacks = ms.repacks();
    told.report.reason = result.err().map(Stop::word);
    Ok(())
}

/// The same for a model that is no net.
fn search_language(
    args: &Args,
    source: &Source,
    clock: &Clock,
    dog: &Watchdog<Told<ExploreReport>>,
) -> anyhow::Result<()> {
    let loaded = crate::model::load_language(source)?;
    let limits = Control {
        charged: clock.memory_left(),
        resident: clock.resident(),
        deadline: clock.control().deadline,
        ..Control::default()
    };
    dog.words().report.since = Some(Instant::now());
    let mut progress = ProgressLine::new(args.quiet);
    let mut watch = |step: SpaceStep<'_>| {
        if let SpaceStep::Counting(e) = step {
            dog.words().report.say(e);
            progress.say(|| format!("{} states, {} expanded", e.states, e.expanded));
        }
    };
    let model = loaded.pins();
    let result = match args.por.por() {
        None => explored_space(model, args.seed, limits, &mut watch),
        Some(por) => {
            let proviso = proviso_of(por);
            reduced_space(model, (proviso, choice_of(por)), args.seed, limits, &mut watch)
        }
    };
    progress.finish();
    let mut told = dog.words();
    match result {
        Ok(space) => {
            told.report.bytes_per_state = space.bytes as f64 / space.counts.states as f64;
            told.report.words_per_state = space.words;
        }
        Err(PinsStop::Stop(stop)) => told.report.reason = Some(stop.word()),
        Err(PinsStop::Model(error)) => bail!("{}: {error}", source.path().display()),
    }
    Ok(())
}

impl told::Report for ExploreReport {
    fn measure(&mut self) {
        self.time_s = self.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        let time_s = self.time_s;
        let speed = |states: u64| (time_s > 0.0).then(|| states as f64 / time_s);
        self.states_per_s = self.states.and_then(speed);
        self.peak_mem_mib = peak_mem_mib();
    }

    fn reason(&mut self) -> &mut Option<&'static str> {
        &mut self.reason
    }

    fn print_human(&self) {
        print_human(self);
    }
}

impl ExploreReport {
    /// What was counted so far.
    fn say(&mut self, counts: &Exploration) {
        self.states = Some(counts.states);
        self.transitions = Some(counts.transitions);
        self.expanded = Some(counts.expanded);
        self.deadlocks = Some(counts.deadlocks);
        self.depth = Some(counts.depth);
    }
}

/// The proviso to use.
fn proviso_of(por: Por) -> Proviso {
    por.proviso.unwrap_or(Proviso::OnTheFly { live: true })
}

/// How stubborn sets are chosen: for safety provisos, strong ones.
fn choice_of(por: Por) -> Choice {
    let safety = proviso_of(por).promise() == Promise::Safety;
    let strength = if safety { Strength::Strong } else { por.choice.strength };
    Choice { strength, ..por.choice }
}

/// Explores the reduced graph; without a property, every transition is invisible.
fn explore_reduced(
    space: &mut Space<Markings<'_>>,
    dependencies: &Dependencies,
    por: Por,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Exploration, Stop> {
    let stubborn = Stubborn::new(dependencies, Vec::new(), choice_of(por));
    let mut reduction = Reduction::new(stubborn, proviso_of(por), Effort::Always);
    let counts = reduction.explore(space, &mut |c| watch(&c.into()))?;
    Ok((&counts).into())
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

fn print_human(r: &ExploreReport) {
    match (r.states, r.transitions) {
        (Some(states), Some(transitions)) => {
            let at_least = if r.reason.is_some() { "at least " } else { "" };
            println!("{}: {at_least}{states} states, {transitions} transitions", r.model);
            let (deadlocks, depth) = (r.deadlocks.unwrap_or(0), r.depth.unwrap_or(0));
            match &r.proviso {
                None => println!("  {deadlocks} deadlocks, breadth-first depth {depth}"),
                Some(proviso) => println!(
                    "  {deadlocks} deadlocks, reduced with {proviso}, {} states expanded",
                    r.expanded.unwrap_or(0)
                ),
            }
        }
        _ => println!("{}: unknown ({})", r.model, r.reason.unwrap_or("stopped")),
    }
    if let (Some(_), Some(reason)) = (r.states, r.reason) {
        println!("  the rest: unknown ({reason})");
    }
    println!(
        "  {:.3} s{}, {:.1} bytes per state, {:.0} MiB in all",
        r.time_s,
        r.states_per_s.map_or_else(String::new, |s| format!(", {s:.0} states/s")),
        r.bytes_per_state,
        r.peak_mem_mib.unwrap_or(0.0)
    );
}
