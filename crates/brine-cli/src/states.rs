//! `brine states`: the state space.

mod commands;

use crate::clock::Clock;
use crate::engine::{engine_of, plain};
use crate::exit::Exit;
use crate::limits::{LimitArgs, ThreadArgs, peak_mem_mib};
use crate::model::{file_name, is_language, keep, with_idle_tokens};
use crate::order::OrderArgs;
use crate::pins::{Figures, PinsArgs};
use crate::progress::ProgressLine;
use crate::told::{self, Told, tell};
use crate::watchdog::Watchdog;
use anyhow::Context;
use brine_campaign::files::{ensure_writable, replace};
use brine_campaign::report::{DiagramShape, diagram_plot};
use brine_check::{
    Budget, EngineName, EngineOptions, Reached, SpaceQuestion, SpaceSize, SpaceSpec, SpaceStep,
    state_space,
};
use brine_net::Structure;
use brine_sat::StateSpace;
use brine_source::Source;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Compute the state space: states, transitions, token bounds
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  brine states pnml/philosophers-20.pnml
  brine states model.pnml --order units/sloan/reversed --timeout 60 --memory 4096 --json
  brine states model.pnml --order auto --svg diagram.svg

An unbounded net is reported as +inf when a growing run was found (and replayed). A search
that runs out of its budget ends with exit code 3; what was counted before is printed.")]
pub(crate) struct Args {
    /// The net, a PNML file, or a model, a .gcl or .dve file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder, or - for stdin
    model: PathBuf,
    /// How to compute
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engine_of(SpaceSpec::ENGINES))]
    engine: EngineName,
    #[command(flatten)]
    pins: PinsArgs,
    #[command(flatten)]
    order: OrderArgs,
    /// Search the net as it is: no reduction, no equations
    #[arg(long)]
    no_reduction: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print how the answer was found: trials, nodes, caches
    #[arg(help_heading = "Output", long)]
    stats: bool,
    /// Draw the decision diagram: nodes by level, and nodes while it was made. A net that is
    /// counted without a diagram has none; --order asks for one
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(help_heading = "Output", long)]
    json: bool,
    /// No progress
    #[arg(help_heading = "Output", long)]
    quiet: bool,
}

/// The JSON document of docs/user-guide.md; `null` is what was not computed.
#[derive(Serialize, Debug, Default)]
struct StatesReport {
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
    /// If the reachable markings are the solutions of so many invariants.
    #[serde(skip_serializing_if = "Option::is_none")]
    invariants: Option<usize>,
    /// If the net falls into so many parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<usize>,
    /// With `--engine pins`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pins: Option<Figures>,
    /// What the model's text forbids, if it was met.
    #[serde(skip_serializing_if = "Option::is_none")]
    complaint: Option<Complaint>,
    #[serde(skip)]
    since: Option<Instant>,
}

/// What the model's text forbids and some states do.
#[derive(Serialize, Debug)]
struct Complaint {
    states: u64,
    first: String,
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
    /// The options that say how to compute.
    fn options(&self) -> EngineOptions {
        let mut options = EngineOptions { engine: Some(self.engine), ..EngineOptions::default() };
        self.pins.fill(&mut options);
        self.order.fill(&mut options);
        options
    }

    /// What the search may use. Explicit search counts its own bytes, diagrams those of the
    /// process.
    fn budget(&self, clock: &Clock) -> Budget {
        let explicit = self.engine == EngineName::Explicit;
        Budget {
            time: clock.time_after(clock.used_before(0)),
            memory: clock.memory_left().filter(|_| explicit),
            resident: if explicit { clock.resident() } else { self.limits.memory_bytes() },
            threads: self.threads.count(),
            ..Budget::default()
        }
    }

    fn source(&self) -> Source {
        crate::model::source(&self.model, self.limits.memory_bytes())
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let report = StatesReport {
        model: file_name(&args.model),
        since: Some(clock.began()),
        ..StatesReport::default()
    };
    tell(&clock, args.json, report, |dog| {
        if is_language(&args.model) {
            let model = crate::model::load_language(&args.source())?;
            commands::search(args, &model, &clock, dog)
        } else {
            search_net(args, &clock, dog)
        }
    })
}

impl told::Report for StatesReport {
    fn measure(&mut self) {
        self.time_s = self.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        self.peak_mem_mib = peak_mem_mib();
    }

    fn reason(&mut self) -> &mut Option<&'static str> {
        &mut self.reason
    }

    fn print_human(&self) {
        print_human(self);
    }
}

/// Computes and measures the state space of a net.
fn search_net(
    args: &Args,
    clock: &Clock,
    dog: &Watchdog<Told<StatesReport>>,
) -> anyhow::Result<()> {
    let mut spec = SpaceSpec::new(&args.options())?;
    if args.no_reduction {
        spec = spec.without_reduction()?;
    }
    dog.words().report.engine = spec.name();
    let control = clock.control();
    let loaded = keep(crate::model::load(&args.source(), &control)?);
    crate::model::show_warnings(&loaded.warnings, args.quiet);
    let net = &loaded.net;
    dog.words().report.model = crate::model::name(net, &args.model);
    let structure = keep(Structure::within(net, &control));
    let budget = args.budget(clock);
    // Explicit search shows how far it is by itself.
    let mut listener = Listener::new(args, dog)?;
    let size = with_progress(args.quiet || spec == SpaceSpec::Explicit, |progress| {
        let progress = Some(progress);
        let question = SpaceQuestion { net, structure, spec: &spec, budget: &budget, progress };
        state_space(&question, &mut |step| match step {
            SpaceStep::Measured(space) => {
                dog.words().report.say_measured(&with_idle_tokens(loaded, space.clone()));
            }
            step => listener.hear(&step),
        })
    });
    let size = size.map_err(plain)?;
    match size {
        SpaceSize::Unbounded => dog.words().report.say_unbounded(),
        SpaceSize::Finite(space) => {
            dog.words().report.say_measured(&with_idle_tokens(loaded, space));
        }
    }
    listener.finish()
}

/// Who listens to the search: keeps what became known, and shows how far it is.
struct Listener<'a> {
    args: &'a Args,
    dog: &'a Watchdog<Told<StatesReport>>,
    line: ProgressLine,
    /// Whether the picture that was asked for was drawn.
    drawn: anyhow::Result<bool>,
}

impl<'a> Listener<'a> {
    fn new(args: &'a Args, dog: &'a Watchdog<Told<StatesReport>>) -> anyhow::Result<Self> {
        args.svg.iter().try_for_each(|file| ensure_writable(file).context("--svg"))?;
        Ok(Listener { args, dog, line: ProgressLine::new(args.quiet), drawn: Ok(false) })
    }

    fn hear(&mut self, step: &SpaceStep<'_>) {
        let Listener { args, dog, .. } = *self;
        match step {
            SpaceStep::Counting(counts) => {
                self.line.say(|| format!("{} states, {} expanded", counts.states, counts.expanded));
            }
            SpaceStep::Counted(counts) => {
                self.line.finish();
                let report = &mut dog.words().report;
                report.states = Some(counts.states.to_string());
                report.transitions = Some(counts.transitions.to_string());
            }
            SpaceStep::Measured(space) => dog.words().report.say_measured(space),
            SpaceStep::Solved { states, invariants } => {
                let report = &mut dog.words().report;
                report.states = Some(states.to_string());
                report.invariants = Some(*invariants);
                if args.stats {
                    eprintln!("invariants: {invariants}");
                }
            }
            SpaceStep::Divided { states, parts, kinds } => {
                let report = &mut dog.words().report;
                report.states = Some(states.to_string());
                report.parts = Some(*parts);
                if args.stats {
                    eprintln!("parts: {parts}, of which {kinds} differ");
                }
            }
            SpaceStep::Found(found) => {
                dog.words().report.say_found(found);
                if args.stats {
                    print_stats(found);
                }
                if let Some(file) = &args.svg {
                    self.drawn = self.draw(found, file).map(|()| true);
                }
            }
        }
    }

    fn draw(&self, found: &Reached, file: &Path) -> anyhow::Result<()> {
        let mut title = format!("{}: {} nodes", self.dog.words().report.model, found.nodes);
        if let Some(order) = found.order {
            let _ = write!(title, ", order {order}");
        }
        let Reached { widths, growth, .. } = found;
        replace(file, &diagram_plot(&DiagramShape { title: &title, widths, growth })?)
    }

    /// Says what became of the picture.
    fn finish(self) -> anyhow::Result<()> {
        if !self.drawn? && self.args.svg.is_some() {
            eprintln!(
                "no picture: the markings were counted without a diagram of the net; --order auto \
                 --no-reduction makes one"
            );
        }
        Ok(())
    }
}

/// Runs a search that shows on the terminal how far it is.
fn with_progress<T>(quiet: bool, search: impl FnOnce(Arc<brine_run::Progress>) -> T) -> T {
    let progress = Arc::new(brine_run::Progress::default());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Without a thread for it, there is no progress to be seen.
        let _ = std::thread::Builder::new()
            .spawn_scoped(scope, || show_progress(quiet, &progress, &done));
        let result = search(progress.clone());
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Shows how far the search is, until it is done.
fn show_progress(quiet: bool, watched: &brine_run::Progress, done: &AtomicBool) {
    let mut line = ProgressLine::new(quiet);
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

impl StatesReport {
    fn say_unbounded(&mut self) {
        self.states = Some(UNBOUNDED.to_owned());
        self.transitions = Some(UNBOUNDED.to_owned());
        self.max_token_in_place = Some(Tokens::Unbounded(UNBOUNDED));
        self.max_token_per_marking = Some(Tokens::Unbounded(UNBOUNDED));
    }

    fn say_found(&mut self, found: &Reached) {
        self.states = Some(found.states.to_string());
        self.order = found.order.map(|order| order.to_string());
        self.peak_nodes = Some(found.dd.peak_nodes);
        self.final_nodes = Some(found.nodes);
        self.pins = found.pins.as_ref().map(Figures::new);
    }

    fn say_measured(&mut self, space: &StateSpace) {
        self.transitions = space.edges.as_ref().map(ToString::to_string);
        self.max_token_in_place = Some(Tokens::Finite(space.max_in_place));
        self.max_token_per_marking = Some(Tokens::Finite(space.max_in_marking));
    }
}

fn print_stats(found: &Reached) {
    let stats = found.dd;
    eprintln!("trials: {}", found.trials);
    eprintln!("levels: {}", found.levels);
    if let Some(figures) = &found.pins {
        Figures::new(figures).print();
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

fn print_human(r: &StatesReport) {
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
    if let Some(Complaint { states, first }) = &r.complaint {
        println!("  note: {first} (in {states} of the states)");
    }
    let how = match (&r.order, r.invariants, r.parts) {
        (Some(order), ..) => format!("order {order}, "),
        (None, Some(n), _) => format!("all solutions of {n} invariants, "),
        (None, None, Some(n)) => format!("{n} parts that share nothing, "),
        (None, None, None) => String::new(),
    };
    println!("  {how}{:.3} s, {:.0} MiB", r.time_s, r.peak_mem_mib.unwrap_or(0.0));
}
