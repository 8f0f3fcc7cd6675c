//! `brine analyse`: everything that is usually asked about a net at once, each answer with what
//! shows it.
//!
//! Cheap things come first: the structure, a growing run, walks that look at everything at once.
//! Then a dead marking is searched for with all stages, because a run shows it best; and then all
//! reachable markings are found, which settle the rest together. What a budget leaves open is said
//! to be open.

mod print;
mod report;
mod search;
mod workflow;

use crate::clock::Clock;
use crate::exit::Exit;
use crate::limits::{LimitArgs, peak_mem_mib};
use crate::model::{file_name, keep};
use crate::told::{self, Told, tell};
use crate::watchdog::Watchdog;
use brine_net::Structure;
use brine_pnml::UnfoldLimits;
use report::AnalysisReport;
use search::Analysis;
use std::path::PathBuf;

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

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let report = AnalysisReport::new(file_name(&args.model), args.full, clock.began());
    tell(&clock, args.json, report, |dog| analyse(args, &clock, dog))
}

fn analyse(args: &Args, clock: &Clock, dog: &Watchdog<Told<AnalysisReport>>) -> anyhow::Result<()> {
    let control = clock.control();
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let file = crate::model::load_file(&source, &control)?;
    crate::model::show_warnings(&file.warnings, args.quiet);
    let model = keep(file.unfold(&UnfoldLimits::default(), &control)?);
    let name = crate::model::name(&model.net, &args.model);
    let structure = keep(keep(Structure::within(&model.net, &control)));
    let mut analysis = Analysis::new(model, structure, clock)?;
    // Whatever is known is there when the watchdog has to speak.
    let tell = |analysis: &Analysis| dog.words().report.fill(&name, analysis);
    tell(&analysis);
    analysis.look_around()?;
    tell(&analysis);
    analysis.find_deadlock()?;
    tell(&analysis);
    let stopped = analysis.ask_markings();
    tell(&analysis);
    analysis.check_workflow()?;
    tell(&analysis);
    match stopped {
        Some(stop) => Err(stop.into()),
        None => Ok(()),
    }
}

impl told::Report for AnalysisReport {
    fn measure(&mut self) {
        self.time_s = self.since.elapsed().as_secs_f64();
        self.peak_mem_mib = peak_mem_mib();
    }

    fn reason(&mut self) -> &mut Option<&'static str> {
        &mut self.reason
    }

    fn print_human(&self) {
        print::print_human(self);
    }
}
