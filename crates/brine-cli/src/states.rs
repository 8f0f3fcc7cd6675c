//! `brine states`: the state space.

mod commands;
mod one_by_one;

use crate::exit::Exit;
use crate::limits::{LimitArgs, ThreadArgs, peak_mem_mib};
use crate::model::{file_name, is_guarded_commands};
use crate::order::OrderArgs;
use crate::pins::{Figures, PinsArgs};
use crate::progress::Progress;
use crate::space::{Reached, Search, Step, Way, compute, is_unbounded};
use anyhow::bail;
use brine_dd::{Abort, Limits};
use brine_net::Structure;
use brine_sat::StateSpace;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Compute the state space: states, transitions, token bounds
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  brine states pnml/philosophers-20.pnml
  brine states model.pnml --order units/sloan/reversed --timeout 60 --memory 4096 --json

An unbounded net is reported as +inf when a growing run was found (and replayed). A search
that runs out of its budget ends with exit code 3; what was counted before is printed.")]
pub(crate) struct Args {
    /// The net, a PNML file, or guarded commands, a .gcl file
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

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let mut report = if is_guarded_commands(&args.model) {
        let model = crate::model::load_commands(&args.model)?;
        let mut report = Report { model: file_name(&args.model), ..Report::default() };
        commands::search(args, &model, start, &mut report)?;
        report
    } else {
        search_net(args, start)?
    };
    report.time_s = start.elapsed().as_secs_f64();
    report.peak_mem_mib = peak_mem_mib();
    let exit = if report.reason.is_some() { Exit::Unknown } else { Exit::Done };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print_human(&report);
    }
    Ok(exit)
}

/// Computes and measures the state space of a net.
fn search_net(args: &Args, start: Instant) -> anyhow::Result<Report> {
    let way = args.way()?;
    let loaded = crate::model::load(&args.model)?;
    crate::model::show_warnings(&loaded.warnings, args.quiet);
    let net = &loaded.net;
    let structure = Structure::new(net);
    let mut report = Report {
        model: crate::model::name(net, &args.model),
        engine: args.engine.name(),
        ..Report::default()
    };
    if is_unbounded(net, &structure) {
        report.say_unbounded();
    } else if args.engine == Engine::Explicit {
        if args.order.named().is_some() {
            bail!("--order is for decision diagrams; --engine explicit has none");
        }
        let stopped = one_by_one::search(args, &loaded, &structure, start, &mut report).err();
        report.reason = stopped.map(crate::explore::reason);
    } else {
        let candidates = args.order.candidates(net, &structure)?;
        with_limits(args, start, |limits| {
            let search = Search { way, candidates, limits, threads: args.threads.count() };
            compute(&loaded, &structure, search, |step| match step {
                Step::Found(found) => {
                    report.say_found(found);
                    if args.stats {
                        print_stats(found);
                    }
                }
                Step::Measured(space) => report.say_measured(&space),
                Step::GaveUp(abort) => report.reason = Some(reason(abort)),
            });
        });
    }
    Ok(report)
}

/// Runs a search under the limits of the command line, with progress on the terminal.
fn with_limits<T>(args: &Args, start: Instant, search: impl FnOnce(&Limits) -> T) -> T {
    let progress = Arc::new(brine_dd::Progress::default());
    let limits = Limits {
        memory: args.limits.memory_bytes().map_or(usize::MAX, |b| b as usize),
        deadline: args.limits.deadline(start),
        progress: Some(progress.clone()),
        ..Limits::default()
    };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Without a thread for it, there is no progress to be seen.
        let _ = std::thread::Builder::new()
            .spawn_scoped(scope, || show_progress(args.quiet, &progress, &done));
        let result = search(&limits);
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Shows how far the search is, until it is done.
fn show_progress(quiet: bool, watched: &brine_dd::Progress, done: &AtomicBool) {
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

/// The name that JSON gives to a reason.
fn reason(abort: Abort) -> &'static str {
    match abort {
        Abort::Memory => "memory",
        Abort::Timeout | Abort::Ticks => "timeout",
        Abort::Cancelled => "cancelled",
        Abort::Overflow => "overflow",
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
