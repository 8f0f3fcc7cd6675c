//! `brine replay`: is this a run of the model, and does it violate a formula?
//!
//! Runs are read from files ([`files`]) and judged by `brine-replay`, which shares nothing with
//! the engines: so this checks what Brine, another tool or a person claims. A coloured net is not
//! unfolded if the steps say their bindings and the formula speaks of coloured places.

mod coloured;
mod files;
mod why;

use crate::clock::Clock;
use crate::exit::{Exit, stop_of};
use crate::fairness::FairArgs;
use crate::formula_files::{GivenFormula, given};
use crate::limits::LimitArgs;
use crate::properties::from_mcc;
use crate::runs::{LookArgs, WitnessJson, write_run};
use crate::walked::{WalkedModel, read_ltl};
use crate::watchdog::{LastWords, Watchdog};
use anyhow::bail;
use brine_check::shorten::RunFacts;
use brine_check::show::Trace;
use brine_ltl::{Formula, Formulas, NameKind, Query, Symbols};
use brine_net::{Fairness, Net, Run, TransitionId};
use brine_pnml::{AnyNet, NetFile, UnfoldLimits};
use brine_replay::{ReplayError, beginning_word, replay_beginning, replay_on, why_fair};
use brine_run::{Control, Stop};
use brine_source::Source;
use files::{RunEnd, ToldRun, read_runs};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use why::{Failure, explain, span};

/// Check that a run is one of the model, and violates a formula
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine check pnml/philosophers-5.pnml --ltl 'G eat_0 = 0' --witness run.json
  brine replay pnml/philosophers-5.pnml run.json --ltl 'G eat_0 = 0'
  brine replay pnml/philosophers-ordered-5.pnml run.json --ltl 'G F fires(put_0)' --fair weak
  brine simulate pnml/philosophers-5.pnml --steps 9 --json | brine replay pnml/philosophers-5.pnml -

RUN is JSON of --witness, of check --json or of simulate --json; an XML trace of TAPAAL's
verifypn; or text with one step per line, \"repeat\" before what repeats, \"dead\" at a dead end.

Exit code: 0 each run is one, violates each formula given, and is fair if that is asked for; 1 not; 2 bad input; 3 a budget ran
out; 4 internal error.")]
pub(crate) struct Args {
    /// The net, a PNML file, or a model, a .gcl or .dve file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder
    model: PathBuf,
    /// The file with the run; - for stdin
    run: PathBuf,
    /// A formula that the run is to violate, or @FILE with formulas; may be given several times
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    ltl: Vec<String>,
    /// A property file of the Model Checking Contest: each run is to violate the formula that it
    /// was found for, by the name in its JSON
    #[arg(long, value_name = "FILE", conflicts_with = "ltl")]
    mcc: Option<PathBuf>,
    #[command(flatten)]
    fair: FairArgs,
    #[command(flatten)]
    look: LookArgs,
    /// Write the run to a file: JSON lines, DOT if it ends in .dot, a picture if in .svg
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    witness: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON document per run
    #[arg(help_heading = "Output", long)]
    json: bool,
    /// Print one line per run and formula, not the run itself
    #[arg(help_heading = "Output", long)]
    quiet: bool,
}

/// What is said of one run.
#[derive(Serialize, Debug)]
struct ReplayReport<'a> {
    model: &'a str,
    property: Option<&'a str>,
    /// Whether it is a run of the model.
    is_run: bool,
    /// The formulas, and whether the run violates them.
    formulas: Vec<FormulaReport<'a>>,
    /// The step at which it fails, from 1.
    step: Option<usize>,
    why: Option<String>,
    witness: Option<WitnessJson<'a>>,
}

#[derive(Serialize, Debug)]
struct FormulaReport<'a> {
    formula: &'a str,
    violated: bool,
    /// After so many steps, whatever follows.
    violated_after: Option<usize>,
}

/// What came of one run.
struct Judgement {
    /// Steps before the cycle, all steps, and how it goes on.
    home: usize,
    steps: usize,
    ends: RunEnd,
    /// The formulas: whether it violates them, and after how many steps whatever follows.
    formulas: Vec<(bool, Option<usize>)>,
    failure: Option<Failure>,
    /// Why it is not fair, if that was asked for and is so.
    unfair: Option<String>,
    trace: Option<Trace>,
}

impl Judgement {
    fn failed(told: &ToldRun, ends: RunEnd, failure: Failure) -> Self {
        let (home, steps) = (told.home(), told.steps.len());
        let (formulas, failure) = (Vec::new(), Some(failure));
        Judgement { home, steps, ends, formulas, failure, unfair: None, trace: None }
    }

    /// The same with a word on whether the run is fair. A beginning is one of a fair run.
    fn with_fairness(mut self, net: Option<&Net>, fairness: &Fairness, run: &Run) -> Self {
        let (Some(net), None) = (net, &self.failure) else { return self };
        if self.ends != RunEnd::Open {
            let error = why_fair(net, fairness, run).err();
            self.unfair = error.map(|error| error.to_string());
            self.trace = self.trace.map(|trace| trace.with_fairness(net, fairness, run));
        }
        self
    }

    fn is_right(&self) -> bool {
        self.failure.is_none() && self.unfair.is_none() && self.formulas.iter().all(|f| f.0)
    }
}

impl ToldRun {
    /// Steps before the cycle.
    fn home(&self) -> usize {
        match self.ends {
            RunEnd::Cycle(home) => home,
            RunEnd::Open | RunEnd::Dead => self.steps.len(),
        }
    }
}

/// All that can be said when a budget ends.
struct Unjudged {
    json: bool,
}

impl LastWords for Unjudged {
    fn speak(&mut self, stop: Stop) -> Exit {
        let reason = stop.word();
        match self.json {
            true => println!("{}", serde_json::json!({ "is_run": null, "reason": reason })),
            false => println!("not replayed: {reason}"),
        }
        Exit::Unknown
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    if args.model.as_os_str() == "-" && args.run.as_os_str() == "-" {
        bail!("the model and the run cannot both come from stdin");
    }
    if let Some(path) = &args.witness {
        crate::files::ensure_writable(path)?;
    }
    let dog = Watchdog::start(clock.fence(1), Unjudged { json: args.json });
    let result = replay_all(args, &clock.control());
    match result.as_ref().err().and_then(stop_of) {
        Some(stop) => Ok(dog.finish().speak(stop)),
        None => {
            drop(dog.finish());
            result
        }
    }
}

fn replay_all(args: &Args, control: &Control) -> anyhow::Result<Exit> {
    let memory = args.limits.memory_bytes();
    let file = crate::model::source(&args.run, memory).model_text()?;
    let runs = read_runs(&file)?;
    let source = crate::model::source(&args.model, memory);
    let given = given("--ltl", &args.ltl)?;
    let question = RunQuestion { source: &source, texts: &given, file: args.mcc.as_deref() };
    if question.file.is_some() && crate::model::is_language(&args.model) {
        bail!("--mcc needs a net");
    }
    let mut model = if crate::model::is_language(&args.model) {
        WalkedModel::Language(crate::model::load_language(&source)?)
    } else {
        let net = crate::model::load_file(&source, control)?;
        crate::model::show_warnings(&net.warnings, args.quiet);
        if let AnyNet::Coloured(coloured) = &net.net
            && args.fair.is_none()
            && let Some(judged) = coloured::judge_all(coloured, &question, &runs)
        {
            return tell_all(args, &given, &coloured.name, &runs, judged);
        }
        WalkedModel::Net(Box::new(unfolded(net, control)?))
    };
    let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
    let asked = match question.file {
        Some(_) => question.read(&mut formulas, &mut symbols)?,
        None => AskedFormulas::Each(model.read_formulas(&given, &mut formulas, &mut symbols)?),
    };
    let mut steps = model.symbols();
    let fairness = match model.net() {
        Some(net) => args.fair.of_net(net, &mut steps)?,
        None => {
            args.fair.refuse("fairness is for nets")?;
            Fairness::default()
        }
    };
    let mut judged = Vec::with_capacity(runs.len());
    for told in &runs {
        let run = resolve(&file.name, told, &mut steps)?;
        let asked = asked.of(told)?;
        let judgement = judge(&model, &formulas, &symbols, &asked, told, &run);
        judged.push(judgement.with_fairness(model.net(), &fairness, &run));
    }
    let name = model.net().map_or_else(String::new, |net| net.name().to_owned());
    tell_all(args, &given, &name, &runs, judged)
}

/// What the runs are to violate.
struct RunQuestion<'a> {
    source: &'a Source,
    texts: &'a [GivenFormula],
    file: Option<&'a Path>,
}

impl RunQuestion<'_> {
    /// Reads it, of a net.
    fn read(
        &self,
        formulas: &mut Formulas,
        symbols: &mut Symbols,
    ) -> anyhow::Result<AskedFormulas> {
        let Some(path) = self.file else {
            return Ok(AskedFormulas::Each(read_ltl(self.texts, formulas, symbols)?));
        };
        let mut named = HashMap::new();
        for property in from_mcc(self.source, path, formulas, symbols)? {
            // What some run is to satisfy is shown by a run that violates the negation.
            match property.query {
                Query::AllRuns(formula) => drop(named.insert(property.name, formula)),
                Query::SomeRun(f) => drop(named.insert(property.name, formulas.not(f))),
                Query::Branching(_) | Query::Bound(_) | Query::Whole(_) => (),
            }
        }
        Ok(AskedFormulas::ByName(named))
    }
}

/// The formulas of the runs.
enum AskedFormulas {
    /// Each run is to violate all of them.
    Each(Vec<Formula>),
    /// Each run is to violate that of its own property.
    ByName(HashMap<String, Formula>),
}

impl AskedFormulas {
    fn of(&self, told: &ToldRun) -> anyhow::Result<Vec<Formula>> {
        match (self, &told.property) {
            (AskedFormulas::Each(all), _) => Ok(all.clone()),
            (AskedFormulas::ByName(named), Some(name)) => match named.get(name) {
                Some(&formula) => Ok(vec![formula]),
                None => bail!("--mcc: no formula about runs is called \"{name}\""),
            },
            (AskedFormulas::ByName(_), None) => {
                bail!("--mcc: the run does not say its property; --ltl takes a formula")
            }
        }
    }
}

fn unfolded(net: NetFile, control: &Control) -> anyhow::Result<brine_pnml::Model> {
    Ok(net.unfold(&UnfoldLimits::default(), control)?)
}

/// The transitions that a run names.
fn resolve(file: &str, told: &ToldRun, symbols: &mut Symbols) -> anyhow::Result<Run> {
    let mut all = Vec::with_capacity(told.steps.len());
    for step in &told.steps {
        let at = step.at;
        let found = symbols.transitions(&step.name);
        let found = found.map_err(|e| {
            let trouble = symbols.trouble(NameKind::Transition, &e);
            anyhow::anyhow!("{file}:{at}: {trouble}")
        })?;
        match found[..] {
            [t] => all.push(t),
            _ => bail!(
                "{file}:{at}: \"{}\" has {} bindings, expected one, as \"{}[x=1]\"",
                step.name,
                found.len(),
                step.name
            ),
        }
    }
    let cycle = all.split_off(told.home());
    Ok(Run { prefix: all, cycle })
}

/// Replays one run of a model that is not coloured, or is unfolded.
fn judge(
    model: &WalkedModel,
    formulas: &Formulas,
    symbols: &Symbols,
    asked: &[Formula],
    told: &ToldRun,
    run: &Run,
) -> Judgement {
    let walker = model.replayable();
    let steps: Vec<TransitionId> = run.steps().collect();
    // Each run violates what is false.
    let whole = replay_on(&*walker, formulas, Formula::FALSE, run);
    let ends = match (told.ends, &whole) {
        // A beginning that ends in a dead marking is a whole run.
        (RunEnd::Open, Ok(())) => RunEnd::Dead,
        (ends, _) => ends,
    };
    let open = ends == RunEnd::Open;
    let right = match open {
        true => beginning_word(&*walker, formulas, Formula::FALSE, &steps).map(|_| ()),
        false => whole,
    };
    if let Err(error) = right {
        return Judgement::failed(told, ends, explain(model, run, &error));
    }
    let mut judged = Vec::with_capacity(asked.len());
    for formula in asked {
        let violated = match open {
            true => replay_beginning(&*walker, formulas, *formula, &steps).map(Some),
            false => replay_on(&*walker, formulas, *formula, run).map(|()| {
                let word = model.word(formulas, *formula, run, false).ok();
                word.and_then(|word| word.violated_after(formulas, *formula))
            }),
        };
        match violated {
            Ok(after) => judged.push((true, after)),
            Err(ReplayError::Satisfies) => judged.push((false, None)),
            Err(error) => return Judgement::failed(told, ends, explain(model, run, &error)),
        }
    }
    let facts = facts(told, open, &judged);
    let wording = asked.first().map(|f| (formulas, *f, symbols));
    let trace = Some(model.trace(run, facts, wording));
    let (home, steps) = (told.home(), told.steps.len());
    Judgement { home, steps, ends, formulas: judged, failure: None, unfair: None, trace }
}

/// What is known of a run that was replayed: it is shown as it was told.
fn facts(told: &ToldRun, open: bool, judged: &[(bool, Option<usize>)]) -> RunFacts {
    let violated_after = judged.first().and_then(|f| f.1).filter(|_| open);
    RunFacts { found: told.steps.len(), violated_after, open, ..RunFacts::default() }
}

/// Says what came of each run.
fn tell_all(
    args: &Args,
    given: &[GivenFormula],
    model: &str,
    runs: &[ToldRun],
    judged: Vec<Judgement>,
) -> anyhow::Result<Exit> {
    let model = crate::model::name_or_file(model, &args.model);
    let mut exit = Exit::Done;
    let mut file = args.witness.as_deref().map(crate::entry::WitnessFile::new);
    for (number, (told, judgement)) in runs.iter().zip(&judged).enumerate() {
        let name = match (&told.property, runs.len()) {
            (Some(name), _) => format!("{name}: "),
            (None, 1) => String::new(),
            (None, _) => format!("run {}: ", number + 1),
        };
        let named = told.property.iter().filter(|_| args.mcc.is_some());
        let names: Vec<&str> = given.iter().map(|g| &*g.name).chain(named.map(|n| &**n)).collect();
        if args.json {
            let report = report(&names, &model, told, judgement);
            println!("{}", serde_json::to_string(&report)?);
        } else {
            tell(args, &name, &names, judgement);
        }
        if let Some(file) = &mut file {
            file.add(told.property.as_deref().unwrap_or(""), judgement.trace.as_ref())?;
        }
        if !judgement.is_right() {
            exit = Exit::Violated;
        }
    }
    if let Some(file) = file {
        file.write()?;
    }
    Ok(exit)
}

fn report<'a>(
    names: &[&'a str],
    model: &'a str,
    told: &'a ToldRun,
    judgement: &'a Judgement,
) -> ReplayReport<'a> {
    let failure = judgement.failure.as_ref();
    let verdicts = names.iter().zip(&judgement.formulas);
    ReplayReport {
        model,
        property: told.property.as_deref(),
        is_run: failure.is_none(),
        formulas: verdicts
            .map(|(&formula, &(violated, violated_after))| FormulaReport {
                formula,
                violated,
                violated_after,
            })
            .collect(),
        step: failure.and_then(|f| f.step),
        why: failure.map(|f| f.why.clone()).or_else(|| judgement.unfair.clone()),
        witness: judgement.trace.as_ref().map(WitnessJson::new),
    }
}

/// The lines for people.
fn tell(args: &Args, name: &str, names: &[&str], judgement: &Judgement) {
    if let Some(Failure { step, why }) = &judgement.failure {
        let at = step.map(|s| format!("step {s}: ")).unwrap_or_default();
        println!("{name}not a run of this model: {at}{why}");
        return;
    }
    let steps = match judgement.steps {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let how = match judgement.ends {
        RunEnd::Open => format!("the beginning of a run, {steps}"),
        RunEnd::Dead => format!("a run of {steps} to a dead marking"),
        RunEnd::Cycle(home) => {
            let verb = if judgement.steps - home == 1 { "repeats" } else { "repeat" };
            format!("a run of {steps}; {} {verb} for ever", span(home, judgement.steps))
        }
    };
    println!("{name}{how}");
    debug_assert!(judgement.home <= judgement.steps, "the cycle is a part of the run");
    for (formula, verdict) in names.iter().zip(&judgement.formulas) {
        let words = match (verdict, judgement.ends) {
            ((true, Some(k)), _) => format!("violated after step {k}, whatever follows"),
            ((true, None), _) => "violated".to_owned(),
            ((false, _), RunEnd::Open) => "not violated whatever follows".to_owned(),
            ((false, _), _) => "satisfied".to_owned(),
        };
        println!("  {formula}: {words}");
    }
    if let Some(why) = &judgement.unfair {
        println!("  {why}");
    }
    if let (Some(trace), false) = (&judgement.trace, args.quiet) {
        write_run(&args.look, trace);
    }
}
