//! `brine check`: do all runs of a model satisfy a formula?

use crate::engine::EngineArgs;
use crate::entry::{Entry, WitnessFile};
use crate::exit::Exit;
use crate::limits::{LimitArgs, ThreadArgs, peak_mem_mib};
use crate::progress::Ticker;
use crate::properties::{self, Named};
use crate::subject::Subject;
use anyhow::{Context, bail};
use brine_check::{Budget, DecideError, Decision, ModelProperty, Property, Verdict};
use brine_explicit::por::PorUse;
use brine_ltl::{Formulas, Symbols};
use brine_net::Structure;
use std::cell::LazyCell;
use std::path::PathBuf;

/// Check LTL properties of a net or of guarded commands
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine check pnml/philosophers-5.pnml --ltl 'G F fireable(put_0)'
  brine check model.pnml --mcc LTLCardinality.xml --only 3,7 --json

Exit code: 0 every property holds, 1 at least one is violated, 2 bad input,
3 a budget ran out, 4 internal error.")]
pub(crate) struct Args {
    /// The net, a PNML file, or guarded commands, a .gcl file
    model: PathBuf,
    /// A formula; may be given several times
    #[arg(long, value_name = "FORMULA", required_unless_present = "mcc")]
    ltl: Vec<String>,
    /// A property file of the Model Checking Contest
    #[arg(long, value_name = "FILE")]
    mcc: Option<PathBuf>,
    /// Only these properties of the file: numbers from 0, or ids, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "mcc")]
    only: Vec<String>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Time and memory for each property
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write violating runs to a file as JSON lines, or as DOT if it ends in .dot; - is stdout
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Print figures of the search
    #[arg(long)]
    stats: bool,
    /// Print what was tried, for how long, and what decided, to stderr
    #[arg(long)]
    explain: bool,
    /// Print one JSON document per property
    #[arg(long)]
    json: bool,
    /// Print verdicts only: no runs, no progress
    #[arg(long)]
    quiet: bool,
}

/// Whether `brine check` knows these options; the question itself is not among them.
pub(crate) fn parse_options(options: &[String]) -> Result<(), clap::Error> {
    let command = <Args as clap::Args>::augment_args(clap::Command::new("check"));
    let question = ["check", "model.pnml", "--ltl", "true"].into_iter();
    command.try_get_matches_from(question.chain(options.iter().map(String::as_str))).map(|_| ())
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let to_stdout = args.witness.as_deref().is_some_and(|p| p.as_os_str() == "-");
    if args.json && to_stdout {
        bail!("--json already prints each witness; give --witness a file");
    }
    if crate::model::is_guarded_commands(&args.model) {
        return run_commands(args);
    }
    let loaded = crate::model::load(&args.model)?;
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::of_model(&loaded);
    let net = loaded.net;
    let questions = read_questions(args, &mut formulas, &mut symbols)?;
    let model = crate::model::name(&net, &args.model);
    let structure = LazyCell::new(|| Structure::new(&net));
    let mut decider = args.engine.build(&net, &structure)?;
    let budget = args.budget();
    ask_all(args, &net, &model, &questions, |question| {
        let property = Property { net: &net, formulas: &formulas, formula: question.formula };
        decider.decide(property, &budget)
    })
}

/// The same for a model of guarded commands.
fn run_commands(args: &Args) -> anyhow::Result<Exit> {
    let model = crate::model::load_commands(&args.model)?;
    let engine = args.engine.engine_of_commands()?;
    let mut formulas = Formulas::new();
    let mut symbols = Symbols::of_names(model.slot_names(), model.group_names());
    let questions = read_questions(args, &mut formulas, &mut symbols)?;
    let budget = args.budget();
    ask_all(args, &model, &crate::model::file_name(&args.model), &questions, |question| {
        let property =
            ModelProperty { model: &model, formulas: &formulas, formula: question.formula };
        engine.decide(property, &budget)
    })
}

impl Args {
    fn budget(&self) -> Budget {
        Budget {
            time: self.limits.timeout,
            memory: self.limits.memory_bytes(),
            threads: self.threads.count(),
            ..Budget::default()
        }
    }
}

/// Has each question decided, and prints what comes of it.
fn ask_all(
    args: &Args,
    subject: &dyn Subject,
    model: &str,
    questions: &[Named],
    mut decide: impl FnMut(&Named) -> Result<Decision, DecideError>,
) -> anyhow::Result<Exit> {
    let mut file = args.witness.as_deref().map(WitnessFile::new);
    let mut exit = Exit::Done;
    for question in questions {
        let ticker = Ticker::start(args.quiet, format!("checking {}", question.name));
        let result = decide(question);
        drop(ticker);
        if let (true, Ok(decision)) = (args.explain, &result) {
            explain(&question.name, decision);
        }
        match &result {
            Err(DecideError::BadOption(option)) => bail!("{}: {option}", question.name),
            Err(DecideError::Model(error)) => {
                // What was found before stands.
                file.iter().try_for_each(WitnessFile::write)?;
                bail!("{}: {error}", args.model.display());
            }
            _ => (),
        }
        exit = exit.worse(exit_of(&result));
        if let (Ok(decision), Some(file)) = (&result, &mut file) {
            file.add(subject, &question.name, decision)?;
        }
        print(args, subject, model, question, &result)?;
        crate::output::ensure()?;
    }
    if let Some(file) = file {
        file.write()?;
    }
    Ok(exit)
}

/// All properties named on the command line, in order.
fn read_questions(
    args: &Args,
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<Named>> {
    let mut all = properties::from_texts(&args.ltl, formulas, symbols)?;
    if let Some(path) = &args.mcc {
        let file = properties::from_mcc(path, formulas, symbols)?;
        let chosen = properties::choose(file, &args.only)
            .with_context(|| format!("--only, for {}", path.display()))?;
        all.extend(chosen);
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

fn print(
    args: &Args,
    subject: &dyn Subject,
    model: &str,
    question: &Named,
    result: &Result<Decision, DecideError>,
) -> anyhow::Result<()> {
    if let Err(error) = result {
        eprintln!("internal error: {}: {error} (please report this)", question.name);
    }
    if args.json {
        let entry = Entry::new(subject, model, &question.name, result, peak_mem_mib());
        println!("{}", serde_json::to_string(&entry)?);
        return Ok(());
    }
    let Ok(decision) = result else {
        println!("{}: internal error", question.name);
        return Ok(());
    };
    let time = decision.time.as_secs_f64();
    match &decision.verdict {
        Verdict::Holds => println!("{}: holds ({time:.3} s)", question.name),
        Verdict::Unknown(reason) => {
            println!("{}: unknown, {reason} ({time:.3} s)", question.name);
        }
        Verdict::Violated(witness) => {
            println!("{}: violated ({time:.3} s)", question.name);
            match witness {
                Some(witness) if !args.quiet => print!("{}", subject.text(witness)),
                Some(_) => (),
                None => println!("  no run is shown: none was found in time"),
            }
        }
    }
    if args.stats {
        print_stats(decision);
    }
    Ok(())
}

fn print_stats(decision: &Decision) {
    if let Some(a) = &decision.automaton {
        println!("  automaton: {} states, {} edges, {}", a.states, a.edges, a.class.name());
    }
    if let Some(s) = &decision.stats.search {
        println!(
            "  search: {}, {} product states, {} transitions, depth {}, stack {}",
            decision.stats.emptiness.unwrap_or("-"),
            s.states,
            s.transitions,
            s.depth,
            s.stack
        );
    }
    match decision.stats.por {
        Some(PorUse::Applied { proviso, expanded }) => {
            println!("  reduction: {}, {expanded} markings expanded", proviso.name());
        }
        Some(PorUse::NotApplied(reason)) => println!("  reduction: not applied, {reason}"),
        None => (),
    }
    if let Some(scc) = &decision.stats.scc {
        let order = decision.stats.order.map_or_else(|| "-".to_owned(), |o| o.to_string());
        println!("  order: {order}, {} nodes", decision.stats.peak_nodes.unwrap_or(0));
        println!(
            "  cycles: {} fixpoints in {:.3} s, {} prevented by recurring states, {} by abstraction",
            scc.calls,
            scc.time.as_secs_f64(),
            scc.prevented_recurring,
            scc.prevented_abstraction
        );
    }
    if let (Some(bytes), Some(stored)) = (decision.stats.peak_bytes, decision.stats.states_stored) {
        println!("  memory: {stored} markings, {:.1} MiB", bytes as f64 / (1 << 20) as f64);
    }
}
