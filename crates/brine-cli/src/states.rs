//! `brine states`: the state space.

mod commands;
mod one_by_one;

use crate::clock::Clock;
use crate::exit::{Exit, stop_of};
use crate::limits::{LimitArgs, ThreadArgs, peak_mem_mib};
use crate::model::{file_name, is_guarded_commands, keep};
use crate::order::OrderArgs;
use crate::pins::{Figures, PinsArgs};
use crate::progress::Progress;
use crate::space::{Reached, Search, Step, Way, compute, is_unbounded};
use crate::watchdog::{LastWords, Watchdog};
use anyhow::bail;
use brine_net::Structure;
use brine_run::{Control, Stop};
use brine_sat::StateSpace;
use brine_source::Source;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Compute the state space: states, transitions, token bounds
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  brine states pnml/philosophers-20.pnml
  brine states model.pnml --order units/sloan/reversed --timeout 60 --memory 4096 --json

An unbounded net is reported as +inf when a growing run was found (and replayed). A search
that runs out of its budget ends with exit code 3; what was counted before is printed.")]
pub(crate) struct Args {
    /// The net, a PNML file, or guarded commands, a .gcl file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder, or - for stdin
    model: PathBuf,
    /// How to compute
    #[arg(long, value_enum, default_value = "auto")]
    engine: Engine,
    #[command(flatten)]
    pins: PinsArgs,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print how the answer was found: trials, nodes, caches
    #[arg(long)]
    stats: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long)]
    quiet: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Engine {
    /// Symbolic for nets, pins for guarded commands
    Auto,
    /// Saturation over the net's own events
    Symbolic,
    /// One marking at a time, as brine explore does
    Explicit,
    /// Relations learned through the state-vector interface
    Pins,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Engine::Auto | Engine::Symbolic => "symbolic",
            Engine::Explicit => "explicit",
            Engine::Pins => "pins",
        }
    }
}

/// The JSON document of docs/user-guide.md; `null` is what was not computed.
#[derive(Serialize, Debug, Default)]
struct Report {
    model: String,
    states: Option<String>,
    transitions: Option<String>,
    max_token_in_place: Option<Tokens>,
    max_token_per_marking: Option<Tokens>,
    engine: &'static str,
    order: Option<String>,
    time_s: f64,
    peak_mem_mib: Option<f64>,
    peak_nodes: Option<usize>,
    final_nodes: Option<usize>,
    reason: Option<&'static str>,
    /// With `--engine pins`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pins: Option<Figures>,
}

/// A number of tokens, or `"+inf"`.
#[derive(Serialize, Debug)]
#[serde(untagged)]
enum Tokens {
    Finite(u64),
    Unbounded(&'static str),
}

const UNBOUNDED: &str = "+inf";

impl Args {
    fn way(&self) -> anyhow::Result<Way<'_>> {
        match (self.engine, self.pins.given()) {
            (Engine::Pins, _) => Ok(Way::Pins(&self.pins)),
            (_, Some(option)) => bail!("{option} needs --engine pins"),
            (_, None) => Ok(Way::Saturation),
        }
    }
}

impl Args {
    fn source(&self) -> Source {
        crate::model::source(&self.model, self.limits.memory_bytes())
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let report = Report { model: file_name(&args.model), ..Report::default() };
    let dog = Watchdog::start(clock.fence(1), Told { json: args.json, clock, report });
    let result = if is_guarded_commands(&args.model) {
        let model = crate::model::load_commands(&args.source())?;
        commands::search(args, &model, &clock, &dog)
    } else {
        search_net(args, &clock, &dog)
    };
    match (result.as_ref().err().and_then(stop_of), result) {
        (Some(stop), _) => Ok(dog.finish().speak(stop)),
        (None, Ok(())) => Ok(dog.finish().print()),
        (None, Err(error)) => Err(error),
    }
}

/// What is known so far, and how it is told.
#[derive(Debug)]
struct Told {
    json: bool,
    clock: Clock,
    report: Report,
}

impl Told {
    /// Prints everything; the exit code.
    fn print(&mut self) -> Exit {
        self.report.time_s = self.clock.seconds();
        self.report.peak_mem_mib = peak_mem_mib();
        match serde_json::to_string(&self.report) {
            Ok(line) if self.json => println!("{line}"),
            _ => print_human(&self.report),
        }
        if self.report.reason.is_some() { Exit::Unknown } else { Exit::Done }
    }
}

impl LastWords for Told {
    fn speak(&mut self, stop: Stop) -> Exit {
        self.report.reason = Some(stop.word());
        self.print()
    }
}

/// Computes and measures the state space of a net.
fn search_net(args: &Args, clock: &Clock, dog: &Watchdog<Told>) -> anyhow::Result<()> {
    let way = args.way()?;
    if args.engine == Engine::Explicit && args.order.named().is_some() {
        bail!("--order is for decision diagrams; --engine explicit has none");
    }
    dog.words().report.engine = args.engine.name();
    let control = clock.control();
    let loaded = keep(crate::model::load(&args.source(), &control)?);
    crate::model::show_warnings(&loaded.warnings, args.quiet);
    let net = &loaded.net;
    dog.words().report.model = crate::model::name(net, &args.model);
    let structure = keep(Structure::within(net, &control));
    if is_unbounded(net, structure, &control)? {
        dog.words().report.say_unbounded();
    } else if args.engine == Engine::Explicit {
        one_by_one::search(args, loaded, structure, clock, dog)?;
    } else {
        let candidates = args.order.candidates(net, structure, &control)?;
        with_limits(args, clock, |control| {
            let search = Search { way, candidates, control };
            compute(loaded, structure, search, |step| match step {
                Step::Found(found) => {
                    dog.words().report.say_found(found);
                    if args.stats {
                        print_stats(found);
                    }
                }
                Step::Measured(space) => dog.words().report.say_measured(&space),
                Step::GaveUp(stop) => dog.words().report.reason = Some(stop.word()),
            });
        });
    }
    Ok(())
}

/// Runs a search under the limits of the command line, with progress on the terminal.
fn with_limits<T>(args: &Args, clock: &Clock, search: impl FnOnce(&Control) -> T) -> T {
    let progress = Arc::new(brine_run::Progress::default());
    let control = Control {
        resident: args.limits.memory_bytes(),
        deadline: clock.control().deadline,
        threads: args.threads.count(),
        progress: Some(progress.clone()),
        ..Control::default()
    };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Without a thread for it, there is no progress to be seen.
        let _ = std::thread::Builder::new()
            .spawn_scoped(scope, || show_progress(args.quiet, &progress, &done));
        let result = search(&control);
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Shows how far the search is, until it is done.
fn show_progress(quiet: bool, watched: &brine_run::Progress, done: &AtomicBool) {
    let mut line = Progress::new(quiet);
    let mut wait = Duration::from_millis(1);
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(wait);
        wait = (wait * 2).min(Duration::from_millis(100));
        line.say(|| {
            let [nodes, level, trial] =
                [&watched.nodes, &watched.level, &watched.trial].map(|n| n.load(Ordering::Relaxed));
            format!("order {trial}, level {level} saturated, {nodes} nodes")
        });
    }
    line.finish();
}

impl Report {
    fn say_unbounded(&mut self) {
        self.states = Some(UNBOUNDED.to_owned());
        self.transitions = Some(UNBOUNDED.to_owned());
        self.max_token_in_place = Some(Tokens::Unbounded(UNBOUNDED));
        self.max_token_per_marking = Some(Tokens::Unbounded(UNBOUNDED));
    }

    fn say_found(&mut self, found: &Reached) {
        self.states = Some(found.states.to_string());
        self.order = Some(found.order.clone());
        self.peak_nodes = Some(found.dd.peak_nodes);
        self.final_nodes = Some(found.nodes);
        self.pins = found.pins.clone();
    }

    fn say_measured(&mut self, space: &StateSpace) {
        self.transitions = Some(space.edges.to_string());
        self.max_token_in_place = Some(Tokens::Finite(space.max_in_place));
        self.max_token_per_marking = Some(Tokens::Finite(space.max_in_marking));
    }
}

fn print_stats(found: &Reached) {
    let stats = found.dd;
    eprintln!("trials: {}", found.trials);
    eprintln!("levels: {}", found.levels);
    if let Some(figures) = &found.pins {
        figures.print();
    }
    eprintln!("node look-ups: {}", stats.ticks);
    eprintln!("garbage collections: {}", stats.collections);
    for (name, cache) in [("set", stats.set_cache), ("saturation", stats.client_cache)] {
        eprintln!(
            "{name} cache: {} look-ups, {} hits, {} stores",
            cache.lookups, cache.hits, cache.stores
        );
    }
}

fn print_human(r: &Report) {
    if let (None, Some(reason)) = (&r.states, r.reason) {
        println!("{}: unknown ({reason})", r.model);
    } else {
        println!("{}", r.model);
    }
    let tokens = |t: &Option<Tokens>| {
        t.as_ref().map(|t| match t {
            Tokens::Finite(n) => n.to_string(),
            Tokens::Unbounded(s) => (*s).to_owned(),
        })
    };
    let lines = [
        ("states", r.states.clone()),
        ("transitions", r.transitions.clone()),
        ("max tokens in a place", tokens(&r.max_token_in_place)),
        ("max tokens per marking", tokens(&r.max_token_per_marking)),
        // What was counted stands; the budget ended before the rest was.
        ("the rest", r.reason.filter(|_| r.states.is_some()).map(|r| format!("unknown ({r})"))),
    ];
    for (what, number) in lines {
        number.iter().for_each(|number| println!("  {what:22} {number}"));
    }
    let order = r.order.as_ref().map_or_else(String::new, |o| format!("order {o}, "));
    println!("  {order}{:.3} s, {:.0} MiB", r.time_s, r.peak_mem_mib.unwrap_or(0.0));
}
