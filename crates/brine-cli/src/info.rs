//! `brine info`: what a net looks like and what its structure proves.

mod commands;
mod matrix;

use crate::exit::Exit;
use brine_net::invariants::Semiflow;
use brine_net::order::{Candidate, candidates};
use brine_net::{
    Coloured, Model, Net, NupnCheck, NupnProblem, PlaceId, Structure, TransitionId, UnitSafety,
    UnitSource, write_dot,
};
use brine_pins::NetModel;
use matrix::Audited;
use serde::Serialize;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Show a net's size and what its structure proves: invariants, bounds, units
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: brine info pnml/kanban-5.pnml --invariants")]
pub(crate) struct Args {
    /// The net, a PNML file, or guarded commands, a .gcl file
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
}

/// The JSON document.
#[derive(Serialize, Debug)]
struct Report {
    model: String,
    kind: &'static str,
    places: usize,
    transitions: usize,
    arcs: usize,
    max_weight: u32,
    initial_tokens: u64,
    marked_places: usize,
    coloured: Option<ColouredReport>,
    nupn: Option<NupnReport>,
    semiflows: SemiflowReport,
    flows: FlowReport,
    bounds: BoundReport,
    units: UnitReport,
    /// The orders that `states` would try first, best first.
    orders: Vec<OrderReport>,
    source_transitions: Vec<String>,
    sink_transitions: Vec<String>,
    neutral_transitions: Vec<String>,
    dead_transitions: Vec<String>,
    isolated_places: Vec<String>,
    constant_places: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<matrix::Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<Audited>,
    read_s: f64,
    analysis_s: f64,
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
    if crate::model::is_guarded_commands(&args.model) {
        return commands::run(args);
    }
    let start = Instant::now();
    let Model { net, coloured, warnings } = crate::model::load(&args.model)?;
    crate::model::show_warnings(&warnings, false);
    let read_s = start.elapsed().as_secs_f64();
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.dot {
        write_dot(&net, &mut out)?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    let structure = Structure::new(&net);
    let analysis_s = start.elapsed().as_secs_f64() - read_s;
    let mut report = report(&net, &structure, crate::model::name(&net, &args.model));
    (report.read_s, report.analysis_s) = (read_s, analysis_s);
    report.coloured = coloured.as_ref().map(coloured_report);
    if coloured.is_some() {
        report.kind = "unfolded coloured";
    }
    if args.matrix {
        report.matrix = Some(matrix::Matrix::new(&NetModel::new(&net, &structure.bounds)));
    }
    if let Some(limit) = args.audit {
        report.audit = Some(Audited::new(&NetModel::new(&net, &structure.bounds), limit)?);
    }
    if args.invariants {
        let flows = &structure.semiflows.flows;
        report.semiflows.list = Some(flows.iter().map(|flow| equation(&net, flow)).collect());
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        print_human(&report, &mut out)?;
    }
    out.flush()?;
    let wrong = report.audit.is_some_and(|a| a.violation.is_some());
    Ok(if wrong { Exit::Internal } else { Exit::Done })
}

fn report(net: &Net, structure: &Structure, model: String) -> Report {
    let arcs = || net.transitions().iter().flat_map(|t| t.pre.iter().chain(&t.post));
    let places = |ids: &[PlaceId]| ids.iter().map(|&p| net.place(p).id.clone()).collect();
    let transitions =
        |ids: &[TransitionId]| ids.iter().map(|&t| net.transition(t).id.clone()).collect();
    let facts = &structure.facts;
    let semiflows = &structure.semiflows;
    Report {
        model,
        kind: "P/T",
        places: net.places().len(),
        transitions: net.transitions().len(),
        arcs: arcs().count(),
        max_weight: arcs().map(|a| a.1).max().unwrap_or(0),
        initial_tokens: net.places().iter().map(|p| u64::from(p.initial)).sum(),
        marked_places: net.places().iter().filter(|p| p.initial > 0).count(),
        coloured: None,
        nupn: structure.nupn.as_ref().map(|check| nupn_report(net, check)),
        semiflows: SemiflowReport {
            count: semiflows.flows.len(),
            falling: semiflows.flows.iter().filter(|f| f.falls).count(),
            complete: semiflows.complete,
            work: semiflows.work,
            list: None,
        },
        flows: FlowReport {
            count: structure.flows.flows.len(),
            complete: structure.flows.complete,
        },
        bounds: bound_report(net, structure),
        units: unit_report(structure),
        orders: order_report(net, structure),
        source_transitions: transitions(&facts.source_transitions),
        sink_transitions: transitions(&facts.sink_transitions),
        neutral_transitions: transitions(&facts.neutral_transitions),
        dead_transitions: transitions(&facts.dead_transitions),
        isolated_places: places(&facts.isolated_places),
        constant_places: places(&facts.constant_places),
        matrix: None,
        audit: None,
        read_s: 0.0,
        analysis_s: 0.0,
    }
}

fn coloured_report(coloured: &Coloured) -> ColouredReport {
    let dead = coloured.transitions.iter().filter(|t| t.transitions.is_empty());
    ColouredReport {
        places: coloured.places.len(),
        transitions: coloured.transitions.len(),
        arcs: coloured.arcs,
        idle_tokens: coloured.places.iter().map(|p| p.idle_tokens()).sum(),
        dead_transitions: dead.map(|t| t.id.clone()).collect(),
    }
}

/// The first candidates; a search tries them in this order and keeps what works.
fn order_report(net: &Net, structure: &Structure) -> Vec<OrderReport> {
    let report = |c: Candidate| OrderReport {
        order: c.spec.to_string(),
        levels: c.layout.levels.len(),
        score: c.score,
    };
    candidates(net, structure).into_iter().take(6).map(report).collect()
}

fn bound_report(net: &Net, structure: &Structure) -> BoundReport {
    let bounds = &structure.bounds;
    let filler = structure.facts.unbounded_by_source(&structure.incidence);
    BoundReport {
        bounded_places: net.place_ids().filter(|&p| bounds.of(p).is_some()).count(),
        max: bounds.max(),
        safe: bounds.is_safe(),
        unbounded_by: filler.map(|t| net.transition(t).id.clone()),
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
            ("not proved", Some(format!("transition {}", net.transition(t).id)))
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
    let place = |p: PlaceId| &net.place(p).id;
    match *problem {
        NupnProblem::PlaceWithoutUnit(p) => format!("place {} is in no unit", place(p)),
        NupnProblem::PlaceInTwoUnits(p) => format!("place {} is in two units", place(p)),
        NupnProblem::NotATree(u) => format!("unit {} is not in one place of a tree", unit(u)),
        NupnProblem::NotUnderRoot(u) => format!("unit {} is not under the root", unit(u)),
    }
}

/// A semiflow as an equation: `p + 2 q = 3`, or `<=` when the sum may fall.
fn equation(net: &Net, flow: &Semiflow) -> String {
    let term = |&(p, w): &(PlaceId, u64)| match w {
        1 => net.place(p).id.clone(),
        _ => format!("{w} {}", net.place(p).id),
    };
    let sum: Vec<String> = flow.weights.iter().map(term).collect();
    let relation = if flow.falls { "<=" } else { "=" };
    format!("{} {relation} {}", sum.join(" + "), flow.value)
}

fn print_human(r: &Report, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{}: {} net, {} places, {} transitions, {} arcs (largest weight {})",
        r.model, r.kind, r.places, r.transitions, r.arcs, r.max_weight
    )?;
    if let Some(coloured) = &r.coloured {
        print_coloured(coloured, out)?;
    }
    let (tokens, marked) = (r.initial_tokens, r.marked_places as u64);
    writeln!(out, "  start        {} in {}", many(tokens, "token"), many(marked, "place"))?;
    match &r.nupn {
        None => writeln!(out, "  NUPN         none")?,
        Some(nupn) => print_nupn(nupn, out)?,
    }
    let completeness = |complete| if complete { "all minimal ones" } else { "there may be more" };
    writeln!(
        out,
        "  invariants   {} P-semiflows ({}{}), {} P-flows ({})",
        r.semiflows.count,
        completeness(r.semiflows.complete),
        match r.semiflows.falling {
            0 => String::new(),
            n => format!("; {n} may fall"),
        },
        r.flows.count,
        if r.flows.complete { "a basis" } else { "part of a basis" }
    )?;
    print_bounds(r, out)?;
    writeln!(
        out,
        "  units        {} proved groups with {} of {} places, from {} (largest {})",
        r.units.groups, r.units.places, r.places, r.units.source, r.units.largest
    )?;
    if let Some(first) = r.orders.first() {
        let others: Vec<&str> = r.orders[1..].iter().map(|o| o.order.as_str()).collect();
        writeln!(
            out,
            "  order        {} ({} levels) first, then {}",
            first.order,
            first.levels,
            others.join(", ")
        )?;
    }
    print_names("constant", "places that never change", &r.constant_places, out)?;
    print_names("isolated", "places without arcs", &r.isolated_places, out)?;
    print_names("dead", "transitions that can never fire", &r.dead_transitions, out)?;
    print_names("source", "transitions without input", &r.source_transitions, out)?;
    print_names("sink", "transitions without output", &r.sink_transitions, out)?;
    print_names("neutral", "transitions that change nothing", &r.neutral_transitions, out)?;
    for equation in r.semiflows.list.iter().flatten() {
        writeln!(out, "  invariant    {equation}")?;
    }
    r.matrix.iter().try_for_each(|matrix| matrix.print(out))?;
    r.audit.iter().try_for_each(|audit| audit.print(out))
}

/// A count with its noun.
fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn print_coloured(c: &ColouredReport, out: &mut impl Write) -> std::io::Result<()> {
    let (p, t, a) = (c.places, c.transitions, c.arcs);
    writeln!(out, "  unfolded     from {p} places, {t} transitions, {a} arcs")?;
    if c.idle_tokens > 0 {
        let tokens = many(c.idle_tokens, "token");
        writeln!(out, "               {tokens} that no transition moves left out")?;
    }
    print_names("no binding", "coloured transitions that can never fire", &c.dead_transitions, out)
}

fn print_nupn(nupn: &NupnReport, out: &mut impl Write) -> std::io::Result<()> {
    let claim = if nupn.claimed_safe { "claims" } else { "does not claim" };
    let detail = nupn.detail.as_ref().map_or_else(String::new, |d| format!(" ({d})"));
    let (units, safety, proved) = (nupn.units, nupn.safety, nupn.proved_units);
    writeln!(out, "  NUPN         {units} units, {claim} unit-safety: {safety}{detail}")?;
    if safety == "not proved" {
        writeln!(out, "               {proved} units proved one by one; the claim is not used")?;
    }
    Ok(())
}

fn print_bounds(r: &Report, out: &mut impl Write) -> std::io::Result<()> {
    let text = match (&r.bounds.unbounded_by, r.bounds.max) {
        (Some(t), _) => format!("unbounded: {t} can fire for ever and only adds tokens"),
        (None, Some(_)) if r.bounds.safe => "every place holds at most one token".to_owned(),
        (None, Some(max)) => format!("every place is bounded, by at most {max}"),
        (None, None) => format!("{} of {} places bounded", r.bounds.bounded_places, r.places),
    };
    writeln!(out, "  bounds       {text}")
}

/// One line for a list of names, the first few written out; none for an empty list.
fn print_names(
    label: &str,
    what: &str,
    names: &[String],
    out: &mut impl Write,
) -> std::io::Result<()> {
    const SHOWN: usize = 6;
    if names.is_empty() {
        return Ok(());
    }
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    let shown = names[..names.len().min(SHOWN)].join(", ");
    writeln!(out, "  {label:12} {} {what}: {shown}{more}", names.len())
}
