//! `brine analyse`: everything that is usually asked about a net at once
//! ([`brine_check::analysis`]).

mod print;

use crate::clock::Clock;
use crate::exit::Exit;
use crate::limits::{LimitArgs, peak_mem_mib};
use crate::model::{file_name, keep};
use crate::told::{self, Told, tell};
use crate::watchdog::Watchdog;
use brine_check::Budget;
use brine_check::analysis::{self, Analysis, AnalysisError, AnalysisQuestion};
use brine_net::Structure;
use brine_pnml::UnfoldLimits;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Answer the usual questions about a net: deadlock, bounds, liveness, home markings, soundness
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine analyse pnml/philosophers-5.pnml
  brine analyse model.pnml --full --timeout 60
  brine analyse model.pnml --json | jq .live

Places and transitions of a coloured net are the coloured ones: a place holds the tokens of all
colours, a transition can fire if one of its bindings can.

Exit code: 0 the command did its work, 2 bad input, 3 a budget ran out.")]
pub(crate) struct Args {
    /// The net, a PNML file; also compressed (.gz), in a contest archive (.tgz) or a folder, or -
    /// for stdin
    model: PathBuf,
    /// List all places and transitions, and whole runs
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// No warnings
    #[arg(long)]
    quiet: bool,
}

/// What the command tells.
#[derive(Serialize, Debug)]
struct AnalysisReport {
    #[serde(flatten)]
    analysis: Analysis,
    time_s: f64,
    peak_mem_mib: Option<f64>,
    #[serde(skip)]
    full: bool,
    #[serde(skip)]
    since: Instant,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let mut analysis = Analysis::default();
    analysis.model = file_name(&args.model);
    let (time_s, peak_mem_mib) = (0.0, None);
    let report =
        AnalysisReport { analysis, time_s, peak_mem_mib, full: args.full, since: clock.began() };
    tell(&clock, args.json, report, |dog| analyse(args, &clock, dog))
}

fn analyse(args: &Args, clock: &Clock, dog: &Watchdog<Told<AnalysisReport>>) -> anyhow::Result<()> {
    let control = clock.control();
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let file = crate::model::load_file(&source, &control)?;
    crate::model::show_warnings(&file.warnings, args.quiet);
    let model = keep(file.unfold(&UnfoldLimits::default(), &control)?);
    let mut found = Analysis::default();
    found.model = crate::model::name(&model.net, &args.model);
    let structure = &Structure::within(&model.net, &control);
    let budget = Budget {
        time: clock.time_after(clock.used_before(0)),
        memory: clock.memory(),
        resident: clock.resident(),
        ..Budget::default()
    };
    let (net, groups) = (&model.net, model.coloured.as_ref());
    let question = AnalysisQuestion { net, groups, structure: &structure, budget };
    // Whatever is known is there when the watchdog has to speak.
    let tell = &mut |found: &Analysis| dog.words().report.analysis = found.clone();
    analysis::analyse(question, &mut found, tell).map_err(|error| match error {
        AnalysisError::Stop(stop) => stop.into(),
        AnalysisError::Decide(error) => error.into(),
    })
}

impl told::Report for AnalysisReport {
    fn measure(&mut self) {
        self.time_s = self.since.elapsed().as_secs_f64();
        self.peak_mem_mib = peak_mem_mib();
    }

    fn reason(&mut self) -> &mut Option<&'static str> {
        &mut self.analysis.reason
    }

    fn print_human(&self) {
        print::print_human(self);
    }
}
