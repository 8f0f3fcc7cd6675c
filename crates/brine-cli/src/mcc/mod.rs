//! `brine mcc`: one examination of the Model Checking Contest on one model.
//!
//! The contest's BenchKit says by environment variables what to do and what may be used,
//! and reads one line for each answer. Answers are printed and flushed as they are found, so
//! whatever happens later, they count. Nothing here may overstay: properties take turns
//! ([`brine_run::Deepening`]), and a watchdog ends the run in good order when an engine
//! does not ([`watchdog`]).

mod answers;
mod confinement;
mod examination;
mod properties;
mod sheet;
mod state_space;
mod watchdog;

use crate::engine::EngineArgs;
use crate::exit::{Exit, is_too_large, stop_of};
use crate::limits::ThreadArgs;
use crate::model::keep;
use anyhow::bail;
use brine_check::coloured::ColouredModel;
use brine_check::{EngineSpec, Tried};
use brine_net::{Net, Structure};
use brine_pnml::{AnyNet, Model, NetFile, UnfoldLimits};
use confinement::Confinement;
use examination::Examination;
use properties::Subject;
use std::path::{Path, PathBuf};
use watchdog::ContestWatchdog;

/// Run an examination of the Model Checking Contest
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine mcc models/Philosophers-PT-000005 --examination LTLFireability --timeout 300
  BK_EXAMINATION=StateSpace BK_TIME_CONFINEMENT=3600 BK_MEMORY_CONFINEMENT=16384 brine mcc

Examinations: LTLCardinality, LTLFireability, CTLCardinality, CTLFireability,
ReachabilityCardinality, ReachabilityFireability, UpperBounds, StateSpace, ReachabilityDeadlock,
OneSafe, StableMarking, QuasiLiveness, Liveness. Exit code: 0 everything was answered, 2 bad input, 3 something was not.")]
pub(crate) struct Args {
    /// The folder of model.pnml and the property files, or an archive (.tgz) of it
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// What to compute
    #[arg(long, value_name = "NAME", env = "BK_EXAMINATION", value_parser = examination::parse)]
    examination: Option<Examination>,
    #[command(flatten)]
    confinement: Confinement,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write violating runs to a file as JSON lines, or as DOT if it ends in .dot
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Print each attempt to stderr: its slice of the time, and what came of it
    #[arg(help_heading = "Output", long)]
    stats: bool,
}

/// What an examination works with.
struct Contest<'a> {
    args: &'a Args,
    spec: EngineSpec,
    /// Whether the net of the file is coloured.
    coloured: bool,
    watchdog: &'a ContestWatchdog,
}

/// A coloured net is unfolded at once for formulas of CTL, if it is no larger and takes no more than
/// this part of the time.
const SMALL_UNFOLDED: UnfoldLimits =
    UnfoldLimits { places: 20_000, transitions: 50_000, arcs: 400_000, work: 20_000_000 };
const UNFOLD_SHARE: u32 = 8;

/// A plain net, or an unfolded one.
#[derive(Clone, Copy)]
struct ContestNet<'a> {
    model: &'a Model,
    /// That of the model.
    net: &'a Net,
    structure: &'a &'a Structure,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let Some(examination) = args.examination else {
        bail!("no examination: give --examination or set BK_EXAMINATION");
    };
    if examination == Examination::Together {
        println!("DO_NOT_COMPETE");
        return Ok(Exit::Done);
    }
    if args.witness.as_deref() == Some(Path::new("-")) {
        bail!("stdout is for the contest's answers; give --witness a file");
    }
    let spec = args.engine.spec()?;
    let watchdog = ContestWatchdog::start(args.confinement);
    match examine(args, spec, examination, &watchdog) {
        // What could not be begun cannot be computed.
        Err(error) if is_too_large(&error) || stop_of(&error).is_some() => eprintln!("{error}"),
        result => result?,
    }
    let mut answers = watchdog.finish();
    let complete = answers.close();
    Ok(if complete { Exit::Done } else { Exit::Unknown })
}

/// Loads the model and answers the questions.
fn examine(
    args: &Args,
    spec: EngineSpec,
    examination: Examination,
    watchdog: &ContestWatchdog,
) -> anyhow::Result<()> {
    let control = watchdog.control();
    let source = crate::model::source(&args.dir, Some(args.confinement.memory_bytes()));
    if source.is_stdin() {
        bail!("-: standard input is read only once, expected a folder or an archive");
    }
    let mut file = crate::model::load_file(&source, &control)?;
    crate::model::show_warnings(&file.warnings, false);
    let coloured = matches!(file.net, AnyNet::Coloured(_));
    let contest = Contest { args, spec, coloured, watchdog };
    let subject = match examination {
        Examination::Properties(file) => Some(Subject::File(&source, file)),
        Examination::Global(property) => Some(Subject::Global(property)),
        Examination::StateSpace | Examination::Together => None,
    };
    if coloured
        && matches!(subject, Some(Subject::File(_, "CTLCardinality.xml" | "CTLFireability.xml")))
    {
        // Formulas of CTL are mostly answered from single markings, which a small net has at once.
        match file.unfold(&SMALL_UNFOLDED, &control.at_most(watchdog.time_left() / UNFOLD_SHARE)) {
            Ok(model) => return examine_plain(&contest, model, subject),
            Err(_) => file = crate::model::load_file(&source, &control)?,
        }
    }
    let file = match (subject, &contest.spec, file) {
        // On a coloured net nothing is unfolded before it is needed.
        (
            Some(subject),
            &EngineSpec::Auto { stages, order: None },
            NetFile { net: AnyNet::Coloured(net), .. },
        ) => {
            let model = keep(ColouredModel::new(net).within(control));
            return properties::run_coloured(&contest, model, stages, subject);
        }
        (_, _, file) => file,
    };
    let model = file.unfold(&UnfoldLimits::default(), &control)?;
    examine_plain(&contest, model, subject)
}

/// Answers the questions about a plain net, or an unfolded one.
fn examine_plain(
    contest: &Contest<'_>,
    model: Model,
    subject: Option<Subject<'_>>,
) -> anyhow::Result<()> {
    let model = keep(model);
    let structure = keep(keep(Structure::within(&model.net, &contest.watchdog.control())));
    let net = ContestNet { model, net: &model.net, structure };
    match subject {
        Some(subject) => properties::run(contest, net, subject),
        None => state_space::run(contest, net),
    }
}

impl Contest<'_> {
    /// The contest's names for the techniques behind an answer of an engine, after these steps.
    fn techniques(&self, engine: &str, steps: &[Tried]) -> String {
        // Steps on the coloured net come first in `auto`; without them the net was unfolded.
        let on_colours = |s: &Tried| s.what == "skeleton" || s.what.starts_with("coloured hunt");
        let unfolded = !steps.iter().any(on_colours) || steps.iter().any(|s| s.what == "unfolding");
        let unfolding = if self.coloured && unfolded { "UNFOLDING_TO_PT " } else { "" };
        let search = match engine {
            "hunt" | "local" => "EXPLICIT",
            "explicit" => "EXPLICIT STATE_COMPRESSION",
            "simplification" | "skeleton" | "structure" => "QUERY_REDUCTION TOPOLOGICAL",
            _ => "DECISION_DIAGRAMS TOPOLOGICAL",
        };
        let threads = self.args.threads.count();
        let processing = if threads > 1 { "PARALLEL_PROCESSING" } else { "SEQUENTIAL_PROCESSING" };
        format!("{processing} {unfolding}{search}")
    }
}
