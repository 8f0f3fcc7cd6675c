//! `brine check`: does a model satisfy a property? LTL over all runs, reachability, CTL.

mod certificate;
mod coloured;
mod sheet;
mod turns;

use crate::clock::Clock;
use crate::engine::{EngineArgs, plain};
use crate::entry::Entry;
use crate::exit::{Exit, stop_of};
use crate::formula_files::{GivenFormula, given};
use crate::limits::{LimitArgs, ThreadArgs, peak_mem_mib};
use crate::model::{LanguageModel, keep};
use crate::properties::{self, NamedProperty, option_of};
use crate::runs::RunArgs;
use crate::watchdog::{LastWords, Watchdog};
use anyhow::{Context, anyhow, bail};
use brine_check::show::Trace;
use brine_check::{
    Asked, Budget, DecideError, Decision, ModelAnswerer, NetAnswerer, NoVerdict, TextKind, Verdict,
};
use brine_dve::DveModel;
use brine_explicit::por::PorUse;
use brine_ltl::{Formulas, Symbols, read_hoa};
use brine_net::Structure;
use brine_pnml::{NetFile, UnfoldLimits};
use brine_run::{Control, Shelf};
use brine_source::{Source, Text};
use clap::FromArgMatches;
use sheet::Sheet;
use std::cell::{Cell, LazyCell};
use std::fmt::{Display, Write};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use turns::ask_all;

/// Check properties of a net or of a model: LTL, reachability, CTL
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("properties").args(["ltl", "reach", "ctl", "mcc", "hoa", "property"]).required(true).multiple(true))]
#[command(after_help = "More options, and examples: brine check --help")]
#[command(after_long_help = "\
Examples:
  brine check pnml/philosophers-5.pnml --ltl 'G F fireable(put_0)'
  brine check pnml/philosophers-5.pnml --ltl '[](eat_0 == 1 -> F[1,9] eat_0 == 0)' --timeout 5m
  brine check pnml/philosophers-5.pnml --reach 'EF deadlock' --ctl 'AG EF eat_0 >= 1'
  brine check model.pnml --ltl @formulas.txt
  brine check model.pnml --mcc LTLCardinality.xml --only 3,7-9 --json --memory 2G
  brine check Philosophers-PT-000005.tgz --mcc LTLFireability
  brine check model.pnml --hoa violations.hoa
  brine check mutex.dve --ltl 'G(P_0.wait -> F P_0.CS)' --ltl 'G F turn == 1'
  brine check mutex.prop1.dve --property
  brine check pnml/philosophers-5.pnml --ltl 'G !deadlock' --html run.html
  brine check pnml/philosophers-5.pnml --ltl 'G eat_0 <= 1' --certificate proof.gz

Names that are no plain words go in double quotes: 'G \"P-1\" + \"Fork 1\" <= 1'. The syntax,
with the spellings of other tools: docs/ltl.md.

Exit code: 0 every property holds, 1 at least one is violated, 2 bad input,
3 a budget ran out, 4 internal error.")]
pub(crate) struct Args {
    /// The net, a PNML file, or a model, a .gcl or .dve file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder, or - for stdin
    model: PathBuf,
    /// A formula, or @FILE with one per line, as "name: formula"; may be given several times
    #[arg(help_heading = "Properties", long, value_name = "FORMULA", allow_hyphen_values = true)]
    ltl: Vec<String>,
    /// Whether a marking can be reached, 'EF f', or all are like this, 'AG f', where f is about one
    /// moment; may be given several times
    #[arg(help_heading = "Properties", long, value_name = "FORMULA", allow_hyphen_values = true)]
    reach: Vec<String>,
    /// A formula of CTL, as 'AG EF p >= 1' or 'E[p >= 1 U q = 0]'; may be given several times
    #[arg(help_heading = "Properties", long, value_name = "FORMULA", allow_hyphen_values = true)]
    ctl: Vec<String>,
    /// A property file of the Model Checking Contest; looked up beside the model, too, if that is
    /// in an archive or a folder
    #[arg(help_heading = "Properties", long, value_name = "FILE")]
    mcc: Option<PathBuf>,
    /// Only these properties of the file: numbers from 0, ranges as 3-5, or ids, separated by commas
    #[arg(
        help_heading = "Properties",
        long,
        value_name = "LIST",
        value_delimiter = ',',
        requires = "mcc"
    )]
    only: Vec<String>,
    /// An automaton in HOA format that accepts the violations; may be given several times. Its
    /// atomic propositions are formulas about one moment, such as "p <= 1" or "fireable(t)"
    #[arg(help_heading = "Properties", long, value_name = "FILE")]
    hoa: Vec<PathBuf>,
    /// The property process of a .dve file, which accepts the violations
    #[arg(help_heading = "Properties", long)]
    property: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Time and memory for each property
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    runs: RunArgs,
    /// Write a proof that the property holds, for brine verify; without one it counts as unknown
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print figures of the search
    #[arg(help_heading = "Output", long, hide_short_help = true)]
    stats: bool,
    /// Print what was tried, for how long, and what decided, to stderr
    #[arg(help_heading = "Output", long, hide_short_help = true)]
    explain: bool,
    /// Print one JSON document per property
    #[arg(help_heading = "Output", long)]
    json: bool,
    /// Print verdicts only: no runs, no progress
    #[arg(help_heading = "Output", long)]
    quiet: bool,
}

/// Says what is wrong with these options of `brine check`, if something is; the question itself
/// is not among them.
pub(crate) fn check_options(options: &[String]) -> Result<(), String> {
    let command = <Args as clap::Args>::augment_args(clap::Command::new("check"));
    let question = ["check", "model.pnml", "--ltl", "true"].into_iter();
    let words = question.chain(options.iter().map(String::as_str));
    let args = command.try_get_matches_from(words).and_then(|m| Args::from_arg_matches(&m));
    let args = args.map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.trim_start_matches("error: ").to_owned()
    })?;
    args.engine.spec().map(|_| ()).map_err(|error| error.to_string())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    args.runs.ensure(args.json)?;
    let dog = Watchdog::start(clock.fence(1), Sheet::new(args, clock));
    dog.listen_for_interrupts();
    let result = if crate::model::is_language(&args.model) {
        run_language(args, &dog)
    } else {
        run_net(args, &clock, &dog)
    };
    match result.as_ref().err().and_then(stop_of) {
        // Set-up that takes too long for the first property does so for all.
        Some(stop) => Ok(dog.finish().speak(stop)),
        None => result,
    }
}

/// Loads the net and decides all properties.
fn run_net(args: &Args, clock: &Clock, dog: &Watchdog<Sheet>) -> anyhow::Result<Exit> {
    if args.property {
        bail!("--property is for .dve files; nets have none");
    }
    let control = clock.control();
    let source = args.source();
    let file = load(&source, &control, dog)?;
    crate::model::show_warnings(&file.warnings, args.quiet);
    let file = match coloured::Attempt::new(args, &source, file)? {
        coloured::Attempt::Possible(questions) => return questions.ask(args, clock, dog),
        coloured::Attempt::Unfold(file) => *file,
    };
    let loaded = keep(file.unfold(&UnfoldLimits::default(), &control)?);
    let mut formulas = Formulas::new();
    let mut symbols = ManuallyDrop::new(loaded.symbols());
    control.look()?;
    let net = &loaded.net;
    let questions = read_questions(args, &source, &mut formulas, &mut symbols)?;
    certificate::ensure(args, &questions)?;
    let model = crate::model::name(net, &args.model);
    // The structure is worked out when it is needed, by whichever property that is.
    let now = keep(Cell::new(control.deadline));
    let resident = control.resident;
    let structure = keep(LazyCell::new(move || {
        let control = Control { deadline: now.get(), resident, ..Control::default() };
        Structure::within(net, &control)
    }));
    if let Some(page) = &mut dog.words().page {
        page.net(net);
    }
    let (formulas, shelf) = (keep(formulas), keep(Shelf::default()));
    let about = (net, structure);
    let answerer =
        NetAnswerer::new(args.engine.spec()?, about, (formulas, &symbols), shelf, &control);
    let mut answerer = ManuallyDrop::new(answerer.map_err(plain)?);
    let begin = |budget: &Budget| now.set(budget.deadline(Instant::now()));
    if let Some(file) = &args.certificate {
        let mut proving = certificate::Proving { inner: &mut *answerer, file, net, structure };
        return ask_all(args, dog, &model, &questions, &mut proving, &begin);
    }
    ask_all(args, dog, &model, &questions, &mut *answerer, &begin)
}

/// Reads the net, and where it is drawn if that is asked for.
fn load(source: &Source, control: &Control, dog: &Watchdog<Sheet>) -> anyhow::Result<NetFile> {
    if dog.words().page.is_none() {
        return crate::model::load_file(source, control);
    }
    let (file, positions) = crate::page::load_drawn(source, control)?;
    if let Some(page) = &mut dog.words().page {
        page.positions(positions);
    }
    Ok(file)
}

/// The same for a model that is no net.
fn run_language(args: &Args, dog: &Watchdog<Sheet>) -> anyhow::Result<Exit> {
    let source = args.source();
    if args.certificate.is_some() {
        bail!("--certificate needs a net; models of .gcl and .dve files have no certificates");
    }
    let mut loaded = crate::model::load_language(&source)?;
    let engine = args.engine.spec()?.build_for_model(loaded.is_explicit())?;
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::open();
    let questions = match &mut loaded {
        LanguageModel::Commands(_) if args.property => {
            bail!("--property is for .dve files; guarded commands have none");
        }
        LanguageModel::Commands(model) => {
            symbols = Symbols::of_names(model.slot_names(), model.group_names());
            read_questions(args, &source, &mut formulas, &mut symbols)?
        }
        LanguageModel::Dve(model) => read_dve_questions(args, model, &mut formulas)?,
    };
    let name = crate::model::file_name(&args.model);
    let (model, formulas, symbols) = (loaded.pins(), &formulas, &symbols);
    let mut answerer = ModelAnswerer { model, engine, formulas, symbols };
    ask_all(args, dog, &name, &questions, &mut answerer, &|_| ())
}

/// What is asked about a DVE model: formulas in its own expressions, and its property process.
fn read_dve_questions(
    args: &Args,
    model: &mut DveModel,
    formulas: &mut Formulas,
) -> anyhow::Result<Vec<CheckQuestion>> {
    if args.mcc.is_some() || !args.hoa.is_empty() || !args.reach.is_empty() || !args.ctl.is_empty()
    {
        bail!("--mcc, --hoa, --reach and --ctl need a net; a .dve file has --ltl and --property");
    }
    let mut questions = Vec::new();
    for given in given("--ltl", &args.ltl)? {
        let formula = model.formula(&given.text, formulas);
        let formula = formula.map_err(|e| given.complaint_at_start("--ltl", &e.to_string()))?;
        questions.push(CheckQuestion { name: given.name, asked: Asked::Formula(formula) });
    }
    if args.property {
        let path = args.model.display();
        let automaton = model
            .property()
            .map_err(|e| anyhow!("{path}:{}:{}: {}", e.line, e.column, e.message))?
            .ok_or_else(|| {
                anyhow!("{path}: no property process; \"system async property NAME;\"")
            })?;
        let asked = Asked::Automaton(Box::new(automaton));
        questions.push(CheckQuestion { name: PROPERTY.to_owned(), asked });
    }
    Ok(questions)
}

/// What the output calls the property process.
const PROPERTY: &str = "property";

impl Args {
    /// The properties that are given as text, or in files.
    fn texts(&self) -> anyhow::Result<Vec<(TextKind, Vec<GivenFormula>)>> {
        let Args { ltl, reach, ctl, .. } = self;
        let kinds = [(TextKind::Ltl, ltl), (TextKind::Reach, reach), (TextKind::Ctl, ctl)];
        kinds.into_iter().map(|(kind, words)| Ok((kind, given(option_of(kind), words)?))).collect()
    }

    /// Where the model comes from; what is compressed may expand to the memory budget.
    fn source(&self) -> Source {
        crate::model::source(&self.model, self.limits.memory_bytes())
    }

    /// What a property that has used so much time may use, if its turn begins now.
    fn budget(&self, clock: &Clock, used: Duration) -> Budget {
        Budget {
            time: clock.time_after(used),
            memory: clock.memory_left(),
            resident: clock.resident(),
            threads: self.threads.count(),
            ..Budget::default()
        }
    }
}

/// One property, with the name that the output gives it.
struct CheckQuestion {
    name: String,
    asked: Asked,
}

/// All properties named on the command line, in order.
fn read_questions(
    args: &Args,
    source: &Source,
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<CheckQuestion>> {
    let mut named = Vec::new();
    for (kind, texts) in args.texts()? {
        named.extend(properties::from_texts(kind, &texts, formulas, symbols)?);
        let shadowing = symbols.take_shadowing();
        let warning = |s: &_| format!("warning: {}: {s}", option_of(kind));
        let warnings: Vec<String> = shadowing.iter().map(warning).collect();
        crate::model::show_warnings(&warnings, args.quiet);
    }
    if let Some(path) = &args.mcc {
        let file = properties::from_mcc(source, path, formulas, symbols)?;
        let chosen = properties::choose(file, &args.only)
            .with_context(|| format!("--only, for {}", path.display()))?;
        named.extend(chosen);
    }
    let mut all = Vec::with_capacity(named.len());
    for NamedProperty { name, query, .. } in named {
        let asked = match Asked::of(query, formulas) {
            Ok(Asked::Branching(_)) if crate::model::is_language(&args.model) => {
                bail!("{name}: CTL needs a net; guarded commands have --ltl and --reach")
            }
            Ok(asked) => asked,
            Err(NoVerdict::Number) => {
                bail!("{name} asks for a number: brine mcc --examination UpperBounds tells it")
            }
            Err(NoVerdict::Whole) => bail!("{name} is about a whole net: brine analyse tells it"),
        };
        all.push(CheckQuestion { name, asked });
    }
    for path in &args.hoa {
        let Text { name, text } = source.property_file(path)?;
        let automaton = read_hoa(&text, symbols).map_err(|e| anyhow!("{name}: {e}"))?;
        let name = path.display().to_string();
        all.push(CheckQuestion { name, asked: Asked::Automaton(Box::new(automaton)) });
    }
    Ok(all)
}

fn explain(property: &str, decision: &Decision) {
    let time = decision.time.as_secs_f64();
    match &decision.verdict {
        Verdict::Unknown(_) => eprintln!("{property}: not decided after {time:.3} s"),
        _ => eprintln!("{property}: decided by {} after {time:.3} s", decision.engine),
    }
    decision.timeline.iter().for_each(|step| eprintln!("{step}"));
}

fn exit_of(result: &Result<Decision, DecideError>) -> Exit {
    match result.as_ref().map(|d| &d.verdict) {
        Ok(Verdict::Holds) => Exit::Done,
        Ok(Verdict::Violated(_)) => Exit::Violated,
        Ok(Verdict::Unknown(_)) => Exit::Unknown,
        Err(_) => Exit::Internal,
    }
}

/// The text of an answer.
fn answer(
    args: &Args,
    trace: Option<&Trace>,
    model: &str,
    question: &CheckQuestion,
    result: &Result<Decision, DecideError>,
    notes: &[String],
) -> anyhow::Result<String> {
    if let Err(error) = result {
        eprintln!("internal error: {}: {error} (please report this)", question.name);
    }
    if args.json {
        let entry = Entry::new(trace, model, &question.name, result, peak_mem_mib(), notes);
        let has_stages = args.engine.spec().is_ok_and(|s| s.is_auto())
            && !crate::model::is_language(&args.model);
        let entry = if has_stages { entry.of_auto() } else { entry };
        return Ok(serde_json::to_string(&entry)? + "\n");
    }
    let name = &question.name;
    let Ok(decision) = result else { return Ok(format!("{name}: internal error\n")) };
    let time = decision.time.as_secs_f64();
    let mut text = match &decision.verdict {
        Verdict::Holds => {
            let run = match trace {
                Some(trace) if !args.quiet => args.runs.text(trace),
                _ => String::new(),
            };
            format!("{name}: holds ({time:.3} s)\n{run}")
        }
        Verdict::Unknown(reason) => unknown(name, reason, time),
        Verdict::Violated(_) => {
            let run = match trace {
                Some(trace) if !args.quiet => args.runs.text(trace),
                Some(_) => String::new(),
                // That no run is like this is not shown by one.
                None if matches!(question.asked, Asked::SomeRun(_) | Asked::Branching(_)) => {
                    String::new()
                }
                None => "  no run is shown: none was found in time\n".to_owned(),
            };
            format!("{name}: violated ({time:.3} s)\n{run}")
        }
    };
    if !args.quiet {
        for note in notes {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  note: {note}");
        }
    }
    if args.stats {
        // Writing to a string does not fail.
        let _ = write_stats(decision, &mut text);
    }
    Ok(text)
}

/// A line about a property without an answer.
fn unknown(name: &str, reason: &dyn Display, seconds: f64) -> String {
    format!("{name}: unknown, {reason} ({seconds:.3} s)\n")
}

fn write_stats(decision: &Decision, out: &mut String) -> std::fmt::Result {
    if let Some(a) = &decision.automaton {
        writeln!(out, "  automaton: {} states, {} edges, {}", a.states, a.edges, a.class.name())?;
    }
    if let Some(s) = &decision.stats.search {
        writeln!(
            out,
            "  search: {}, {} product states, {} transitions, depth {}, stack {}",
            decision.stats.emptiness.unwrap_or("-"),
            s.states,
            s.transitions,
            s.depth,
            s.stack
        )?;
    }
    match decision.stats.por {
        Some(PorUse::Applied { proviso, expanded }) => {
            writeln!(out, "  reduction: {}, {expanded} markings expanded", proviso.name())?;
        }
        Some(PorUse::NotApplied(reason)) => writeln!(out, "  reduction: not applied, {reason}")?,
        None => (),
    }
    if let Some(scc) = &decision.stats.scc {
        let order = decision.stats.order.map_or_else(|| "-".to_owned(), |o| o.to_string());
        writeln!(out, "  order: {order}, {} nodes", decision.stats.peak_nodes.unwrap_or(0))?;
        writeln!(
            out,
            "  cycles: {} fixpoints in {:.3} s, {} prevented by recurring states, {} by abstraction, \
             {} put off",
            scc.calls,
            scc.time.as_secs_f64(),
            scc.prevented_recurring,
            scc.prevented_abstraction,
            scc.put_off
        )?;
    }
    if let Some(c) = &decision.certificate {
        writeln!(
            out,
            "  certificate: {} bytes, made in {:.3} s, checked in {:.3} s; {}",
            c.bytes,
            c.time.as_secs_f64(),
            c.verify_time.as_secs_f64(),
            c.verified
        )?;
    }
    if let (Some(bytes), Some(stored)) = (decision.stats.peak_bytes, decision.stats.states_stored) {
        writeln!(out, "  memory: {stored} markings, {:.1} MiB", bytes as f64 / (1 << 20) as f64)?;
    }
    Ok(())
}
