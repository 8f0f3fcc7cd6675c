//! `brine info`: what a net looks like and what its structure proves.

mod commands;
mod matrix;
mod names;
mod print;

use crate::clock::Clock;
use crate::exit::{Exit, is_too_large, stop_of};
use crate::limits::LimitArgs;
use crate::model::keep;
use crate::watchdog::{LastWords, Watchdog};
use brine_coloured::{ColouredNet, Skeleton, merge, unfold};
use brine_net::order::{Candidate, candidates_within};
use brine_net::{
    Net, NupnCheck, NupnProblem, PlaceId, Structure, TransitionId, UnitSafety, UnitSource,
    write_dot,
};
use brine_pins::NetModel;
use brine_pnml::{AnyNet, Groups, Model, UnfoldLimits};
use brine_run::{Control, Stop};
use matrix::Audited;
use print::print_human;
use serde::Serialize;
use std::path::PathBuf;

/// Show a net's size and what its structure proves: invariants, bounds, units
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine info pnml/kanban-5.pnml --invariants
  brine info pnml/philosophers-5.pnml --transitions --grep take")]
pub(crate) struct Args {
    /// The net, a PNML file, or a model, a .gcl or .dve file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder, or - for stdin
    model: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print the net in the DOT language instead
    #[arg(long, conflicts_with_all = ["json", "matrix", "invariants", "audit"])]
    dot: bool,
    /// Add the dependency matrix: - copy, r read, w write, W may-write, + read and write
    #[arg(long)]
    matrix: bool,
    /// Compare the matrix with what the model does in its first N reachable states
    #[arg(long, value_name = "N")]
    audit: Option<usize>,
    /// Add the P-semiflows
    #[arg(long)]
    invariants: bool,
    /// List the places, or the variables, instead: id, name, tokens at the start
    #[arg(long, conflicts_with_all = ["dot", "matrix", "invariants", "audit"])]
    places: bool,
    /// List the transitions, or the steps, instead: id and name
    #[arg(long, conflicts_with_all = ["dot", "matrix", "invariants", "audit"])]
    transitions: bool,
    /// List only those with this word in their id or name, in upper or lower case
    #[arg(long, value_name = "WORD", conflicts_with_all = ["dot", "matrix", "invariants", "audit"])]
    grep: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The JSON document; `null` is what was not computed.
#[derive(Serialize, Debug, Default)]
struct NetReport {
    model: String,
    /// Once the net was read.
    #[serde(flatten)]
    size: Option<NetSize>,
    coloured: Option<ColouredReport>,
    nupn: Option<NupnReport>,
    semiflows: Option<SemiflowReport>,
    flows: Option<FlowReport>,
    bounds: Option<BoundReport>,
    units: Option<UnitReport>,
    /// The orders that `states` would try first, best first.
    orders: Option<Vec<OrderReport>>,
    /// Once the whole structure is known.
    #[serde(flatten)]
    lists: Option<InfoLists>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<matrix::Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<Audited>,
    read_s: f64,
    analysis_s: f64,
    /// The budget that ended before everything was known.
    reason: Option<&'static str>,
}

/// How large the net is.
#[derive(Serialize, Debug)]
struct NetSize {
    kind: &'static str,
    places: usize,
    transitions: usize,
    arcs: usize,
    max_weight: u32,
    initial_tokens: u64,
    marked_places: usize,
}

/// Places and transitions that stand out.
#[derive(Serialize, Debug)]
struct InfoLists {
    source_transitions: Vec<String>,
    sink_transitions: Vec<String>,
    neutral_transitions: Vec<String>,
    dead_transitions: Vec<String>,
    isolated_places: Vec<String>,
    constant_places: Vec<String>,
}

/// The net before it was unfolded.
#[derive(Serialize, Debug)]
struct ColouredReport {
    places: usize,
    transitions: usize,
    arcs: usize,
    /// Tokens that no transition ever takes or puts; they are in no unfolded place.
    idle_tokens: u64,
    /// Transitions without a binding that can occur.
    dead_transitions: Vec<String>,
    #[serde(flatten)]
    sizes: Option<ColouredSizes>,
}

/// Sizes of the nets that questions about a coloured net are asked of.
#[derive(Serialize, Clone, Copy, Debug)]
struct ColouredSizes {
    /// Places whose tokens the skeleton counts.
    skeleton_places: usize,
    /// Transitions that are enabled exactly when the skeleton says so.
    skeleton_exact: usize,
    /// Places and transitions with colours merged that behave alike; `null` if there are none, or
    /// if they are too many to be counted.
    merged_places: Option<usize>,
    merged_transitions: Option<usize>,
}

impl ColouredSizes {
    fn new(net: &ColouredNet, control: &Control) -> anyhow::Result<Self> {
        let skeleton = Skeleton::new(net, control)?;
        let plain = skeleton.net();
        let merged = merge(net, control)?
            .and_then(|merged| unfold(&merged.net, &UnfoldLimits::default(), control).ok())
            .map(|unfolded| unfolded.net);
        control.look()?;
        Ok(ColouredSizes {
            skeleton_places: plain.place_ids().filter(|&p| skeleton.knows(p)).count(),
            skeleton_exact: plain.transition_ids().filter(|&t| skeleton.is_exact(t)).count(),
            merged_places: merged.as_ref().map(|net| net.places().len()),
            merged_transitions: merged.as_ref().map(|net| net.transitions().len()),
        })
    }
}

impl ColouredReport {
    /// Before it is unfolded.
    fn new(net: &ColouredNet, sizes: ColouredSizes) -> Self {
        ColouredReport {
            places: net.places.len(),
            transitions: net.transitions.len(),
            arcs: net.arcs,
            idle_tokens: 0,
            dead_transitions: Vec::new(),
            sizes: Some(sizes),
        }
    }
}

/// What the NUPN part is worth.
#[derive(Serialize, Debug)]
struct NupnReport {
    units: usize,
    claimed_safe: bool,
    /// `proved`, `not proved`, `refuted` or `malformed`.
    safety: &'static str,
    detail: Option<String>,
    proved_units: usize,
}

#[derive(Serialize, Debug)]
struct SemiflowReport {
    count: usize,
    falling: usize,
    complete: bool,
    work: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<String>>,
}

#[derive(Serialize, Debug)]
struct FlowReport {
    count: usize,
    complete: bool,
}

#[derive(Serialize, Debug)]
struct BoundReport {
    bounded_places: usize,
    /// The largest bound, if all places have one.
    max: Option<u64>,
    safe: bool,
    /// A transition that can fire for ever and only adds tokens.
    unbounded_by: Option<String>,
}

#[derive(Serialize, Debug)]
struct UnitReport {
    source: &'static str,
    groups: usize,
    places: usize,
    largest: usize,
}

/// A candidate order.
#[derive(Serialize, Debug)]
struct OrderReport {
    order: String,
    levels: usize,
    score: f64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.places || args.transitions || args.grep.is_some() {
        return names::run(args);
    }
    if crate::model::is_language(&args.model) {
        return commands::run(args);
    }
    let clock = Clock::start(&args.limits);
    let report = NetReport { model: crate::model::file_name(&args.model), ..NetReport::default() };
    let told = ToldInfo { json: args.json, dot: args.dot.then(Vec::new), report };
    let dog = Watchdog::start(clock.fence(1), told);
    let result = look_at(args, &clock, &dog);
    match (result.as_ref().err().and_then(stop_of), result) {
        (Some(stop), _) => Ok(dog.finish().speak(stop)),
        (None, Ok(())) => Ok(dog.finish().print()),
        (None, Err(error)) if is_too_large(&error) => {
            let mut told = dog.finish();
            told.report.reason = Some("unsupported");
            if told.dot.is_none() {
                told.print();
            }
            Err(error)
        }
        (None, Err(error)) => Err(error),
    }
}

/// Reads the net and works out one part after the other.
fn look_at(args: &Args, clock: &Clock, dog: &Watchdog<ToldInfo>) -> anyhow::Result<()> {
    let control = clock.control();
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let file = crate::model::load_file(&source, &control)?;
    crate::model::show_warnings(&file.warnings, false);
    let sizes = match &file.net {
        AnyNet::Coloured(net) => {
            let sizes = ColouredSizes::new(net, &control)?;
            let report = &mut dog.words().report;
            report.model = crate::model::name_or_file(&net.name, &args.model);
            report.coloured = Some(ColouredReport::new(net, sizes));
            Some(sizes)
        }
        AnyNet::Plain(_) => None,
    };
    let model = keep(file.unfold(&UnfoldLimits::default(), &control)?);
    let Model { net, coloured, .. } = model;
    if args.dot {
        let mut text = Vec::new();
        write_dot(net, &mut text)?;
        control.look()?;
        dog.words().dot = Some(text);
        return Ok(());
    }
    let read_s = clock.seconds();
    let size = size_of(net, coloured.is_some());
    let coloured = coloured.as_ref().map(|groups| coloured_report(groups, sizes));
    {
        let report = &mut dog.words().report;
        report.model = crate::model::name(net, &args.model);
        (report.size, report.coloured, report.read_s) = (Some(size), coloured, read_s);
    }
    let structure = keep(Structure::within(net, &control));
    dog.words().report.analysis_s = clock.seconds() - read_s;
    say_structure(args, net, structure, dog);
    if let Some(stop) = structure.stopped {
        return Err(stop.into());
    }
    dog.words().report.orders = Some(order_report(net, structure, &control)?);
    if args.matrix {
        let matrix = matrix::Matrix::new(&NetModel::new(net, &structure.bounds));
        dog.words().report.matrix = Some(matrix);
        control.look()?;
    }
    if let Some(limit) = args.audit {
        let audit = Audited::new(&NetModel::new(net, &structure.bounds), limit)?;
        dog.words().report.audit = Some(audit);
    }
    Ok(())
}

/// What the structure tells. Of one that is not complete, the invariants and bounds found so far.
fn say_structure(args: &Args, net: &Net, structure: &Structure, dog: &Watchdog<ToldInfo>) {
    let whole = structure.stopped.is_none();
    let semiflows = &structure.semiflows;
    let list = || semiflows.flows.iter().map(|flow| flow.equation(net)).collect();
    let semiflows = SemiflowReport {
        count: semiflows.flows.len(),
        falling: semiflows.flows.iter().filter(|f| f.falls).count(),
        complete: semiflows.complete,
        work: semiflows.work,
        list: args.invariants.then(list),
    };
    let flows = &structure.flows;
    let flows = FlowReport { count: flows.flows.len(), complete: flows.complete };
    let bounds = Some(bound_report(net, structure)).filter(|b| whole || b.bounded_places > 0);
    let nupn = structure.nupn.as_ref().map(|check| nupn_report(net, check));
    let units = whole.then(|| unit_report(structure));
    let lists = whole.then(|| lists_of(net, structure));
    let report = &mut dog.words().report;
    report.semiflows = Some(semiflows);
    report.flows = whole.then_some(flows);
    (report.bounds, report.nupn, report.units, report.lists) = (bounds, nupn, units, lists);
}

/// What is known so far, and how it is told.
#[derive(Debug)]
struct ToldInfo {
    json: bool,
    /// The drawing, if that is wanted instead.
    dot: Option<Vec<u8>>,
    report: NetReport,
}

impl ToldInfo {
    /// Prints everything; the exit code.
    fn print(&mut self) -> Exit {
        let report = &self.report;
        if let Some(dot) = &self.dot {
            print!("{}", String::from_utf8_lossy(dot));
        } else if self.json {
            // A report is made of numbers, words and lists: it can be written.
            print!("{}\n", serde_json::to_string(report).unwrap_or_default());
        } else {
            let mut text = Vec::new();
            // Writing to memory does not fail.
            let _ = print_human(report, &mut text);
            print!("{}", String::from_utf8_lossy(&text));
        }
        let wrong = report.audit.as_ref().is_some_and(|a| a.violation.is_some());
        match report.reason {
            _ if wrong => Exit::Internal,
            Some(_) => Exit::Unknown,
            None => Exit::Done,
        }
    }
}

impl LastWords for ToldInfo {
    fn speak(&mut self, stop: Stop) -> Exit {
        self.report.reason = Some(stop.word());
        if self.dot.take().is_some() {
            eprintln!("error: {}: {stop}", self.report.model);
            return Exit::Unknown;
        }
        self.print()
    }
}

fn size_of(net: &Net, coloured: bool) -> NetSize {
    let arcs = || net.transitions().flat_map(|t| t.pre.iter().chain(t.post));
    NetSize {
        kind: if coloured { "unfolded coloured" } else { "P/T" },
        places: net.places().len(),
        transitions: net.transitions().len(),
        arcs: arcs().count(),
        max_weight: arcs().map(|a| a.1).max().unwrap_or(0),
        initial_tokens: net.places().map(|p| u64::from(p.initial)).sum(),
        marked_places: net.places().filter(|p| p.initial > 0).count(),
    }
}

fn lists_of(net: &Net, structure: &Structure) -> InfoLists {
    let places = |ids: &[PlaceId]| ids.iter().map(|&p| net.place(p).id().into_owned()).collect();
    let transitions =
        |ids: &[TransitionId]| ids.iter().map(|&t| net.transition(t).id().into_owned()).collect();
    let facts = &structure.facts;
    InfoLists {
        source_transitions: transitions(&facts.source_transitions),
        sink_transitions: transitions(&facts.sink_transitions),
        neutral_transitions: transitions(&facts.neutral_transitions),
        dead_transitions: transitions(&facts.dead_transitions),
        isolated_places: places(&facts.isolated_places),
        constant_places: places(&facts.constant_places),
    }
}

fn coloured_report(coloured: &Groups, sizes: Option<ColouredSizes>) -> ColouredReport {
    let dead = coloured.transitions.iter().filter(|t| t.transitions.is_empty());
    ColouredReport {
        places: coloured.places.len(),
        transitions: coloured.transitions.len(),
        arcs: coloured.arcs,
        idle_tokens: coloured.places.iter().map(|p| p.idle_tokens()).sum(),
        dead_transitions: dead.map(|t| t.id.clone()).collect(),
        sizes,
    }
}

/// The first candidates; a search tries them in this order and keeps what works.
fn order_report(
    net: &Net,
    structure: &Structure,
    control: &Control,
) -> Result<Vec<OrderReport>, Stop> {
    let report = |c: Candidate| OrderReport {
        order: c.spec.to_string(),
        levels: c.layout.levels.len(),
        score: c.score,
    };
    let all = candidates_within(net, structure, control)?;
    Ok(all.into_iter().take(6).map(report).collect())
}

fn bound_report(net: &Net, structure: &Structure) -> BoundReport {
    let bounds = &structure.bounds;
    let filler = structure.facts.unbounded_by_source(&structure.incidence);
    BoundReport {
        bounded_places: net.place_ids().filter(|&p| bounds.of(p).is_some()).count(),
        max: bounds.max(),
        safe: bounds.is_safe(),
        unbounded_by: filler.map(|t| net.transition(t).id().into_owned()),
    }
}

fn unit_report(structure: &Structure) -> UnitReport {
    let units = structure.units();
    UnitReport {
        source: match units.source {
            UnitSource::Nupn => "NUPN",
            UnitSource::Semiflows => "semiflows",
        },
        groups: units.groups.len(),
        places: units.groups.iter().map(Vec::len).sum(),
        largest: units.groups.iter().map(Vec::len).max().unwrap_or(0),
    }
}

fn nupn_report(net: &Net, check: &NupnCheck) -> NupnReport {
    let unit = |u: usize| net.nupn().map_or_else(String::new, |n| n.units[u].id.clone());
    let (safety, detail) = match (&check.problem, check.safety) {
        (Some(problem), _) => ("malformed", Some(describe(net, problem, unit))),
        (None, Some(UnitSafety::Proved)) => ("proved", None),
        (None, Some(UnitSafety::Refuted(u))) => {
            let detail = format!("two tokens at the start on the path to unit {}", unit(u));
            ("refuted", Some(detail))
        }
        (None, Some(UnitSafety::NotProved(t))) => {
            ("not proved", Some(format!("transition {}", net.transition(t).id())))
        }
        (None, None) => ("not proved", None),
    };
    NupnReport {
        units: check.proved_units.len(),
        claimed_safe: check.claimed_safe,
        safety,
        detail,
        proved_units: check.proved_units.iter().filter(|p| **p).count(),
    }
}

fn describe(net: &Net, problem: &NupnProblem, unit: impl Fn(usize) -> String) -> String {
    let place = |p: PlaceId| net.place(p).id();
    match *problem {
        NupnProblem::PlaceWithoutUnit(p) => format!("place {} is in no unit", place(p)),
        NupnProblem::PlaceInTwoUnits(p) => format!("place {} is in two units", place(p)),
        NupnProblem::NotATree(u) => format!("unit {} is not in one place of a tree", unit(u)),
        NupnProblem::NotUnderRoot(u) => format!("unit {} is not under the root", unit(u)),
    }
}
