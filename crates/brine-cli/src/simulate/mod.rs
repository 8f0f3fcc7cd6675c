//! `brine simulate`: walk through a model, by chance or by hand.
//!
//! Steps are fired by the replay, so what is walked is a run; it is shown as the runs of `brine
//! check` are, and its JSON is what `brine replay` takes. By chance each enabled step is as likely
//! as any other, and the same seed gives the same run. By hand: [`prompt`].

mod prompt;

use crate::clock::Clock;
use crate::exit::{Exit, stop_of};
use crate::formula_files::GivenFormula;
use crate::limits::LimitArgs;
use crate::runs::{LookArgs, WitnessJson, write_run};
use crate::walked::{WalkedModel, load_walked};
use crate::watchdog::{LastWords, Watchdog};
use anyhow::bail;
use brine_check::shorten::RunFacts;
use brine_check::show::Trace;
use brine_ltl::{Formula, Formulas, Symbols};
use brine_net::{Rng, Run, TransitionId};
use brine_replay::Refusal;
use brine_run::{Control, Stop};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Steps of a run by chance, unless somebody says otherwise.
const STEPS: usize = 20;

/// Walk through a model, by chance or by hand
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine simulate pnml/philosophers-5.pnml --steps 8 --seed 3
  brine simulate pnml/philosophers-5.pnml --ltl 'G eat_0 = 0' --json
  brine simulate pnml/philosophers-5.pnml --interactive

On a terminal, without --seed, --steps and --json, you choose the steps: type a number or a name,
or help. The same seed gives the same run.")]
pub(crate) struct Args {
    /// The net, a PNML file, or a model, a .gcl or .dve file; also compressed (.gz), in a contest
    /// archive (.tgz) or a folder, or - for stdin
    model: PathBuf,
    /// Take steps by chance, with this seed [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// So many steps, if no dead end comes before [default: 20]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Choose the steps at a prompt, even if stdin is no terminal; --steps are taken by chance before
    #[arg(long)]
    interactive: bool,
    /// A formula whose parts are told along the run
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    ltl: Option<String>,
    #[command(flatten)]
    look: LookArgs,
    /// Write the run to a file: JSON lines, DOT if it ends in .dot, a picture if in .svg
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    witness: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print the run as one JSON document
    #[arg(help_heading = "Output", long)]
    json: bool,
    /// Print no warnings
    #[arg(help_heading = "Output", long)]
    quiet: bool,
}

/// The JSON document.
#[derive(Serialize, Debug)]
struct SimulateReport<'a> {
    model: &'a str,
    seed: Option<u64>,
    witness: WitnessJson<'a>,
}

/// All that can be said when a budget ends.
struct Unfinished {
    json: bool,
}

impl LastWords for Unfinished {
    fn speak(&mut self, stop: Stop) -> Exit {
        let reason = stop.word();
        match self.json {
            true => println!("{}", serde_json::json!({ "witness": null, "reason": reason })),
            false => println!("not simulated: {reason}"),
        }
        Exit::Unknown
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let by_chance = args.seed.is_some() || args.steps.is_some() || args.json;
    let prompts = args.interactive || std::io::stdin().is_terminal() && !by_chance;
    if prompts && args.json && !args.interactive {
        bail!("--json needs --steps, --seed or --interactive");
    }
    if prompts && args.model.as_os_str() == "-" {
        bail!("the model comes from stdin, so nobody can choose steps there");
    }
    if let Some(path) = &args.witness {
        crate::files::ensure_writable(path)?;
    }
    let dog = Watchdog::start(clock.fence(1), Unfinished { json: args.json });
    let result = simulate(args, prompts, &clock.control());
    match result.as_ref().err().and_then(stop_of) {
        Some(stop) => Ok(dog.finish().speak(stop)),
        None => {
            drop(dog.finish());
            result
        }
    }
}

fn simulate(args: &Args, prompts: bool, control: &Control) -> anyhow::Result<Exit> {
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let mut model = load_walked(&source, control, args.quiet)?;
    let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
    let texts: Vec<GivenFormula> = args.ltl.iter().map(|t| GivenFormula::of_text(t)).collect();
    let asked = model.read_formulas(&texts, &mut formulas, &mut symbols)?;
    let mut walk = Walk::new(&model)?;
    let chance = args.steps.unwrap_or(if prompts { 0 } else { STEPS });
    let mut rng = Rng::new(args.seed.unwrap_or(0));
    for _ in 0..chance {
        control.look()?;
        if !walk.step_by_chance(&mut rng)? {
            break;
        }
    }
    let shown = Shown { formulas: &formulas, symbols: &symbols, formula: asked.first().copied() };
    if prompts {
        // The prompt talks on the output that the run goes to, unless that is to be JSON.
        prompt::ask(&mut walk, &shown, &args.look, rng, args.json)?;
    }
    let trace = walk.trace(&shown);
    let name = model.net().map_or("", brine_net::Net::name);
    let name = crate::model::name_or_file(name, &args.model);
    if args.json {
        let seed = (chance > 0).then(|| args.seed.unwrap_or(0));
        let report = SimulateReport { model: &name, seed, witness: WitnessJson::new(&trace) };
        println!("{}", serde_json::to_string(&report)?);
    } else {
        write_run(&args.look, &trace);
    }
    if let Some(path) = &args.witness {
        let mut file = crate::entry::WitnessFile::new(path);
        file.add("", Some(&trace))?;
        file.write()?;
    }
    Ok(Exit::Done)
}

/// What is told along the run.
struct Shown<'a> {
    formulas: &'a Formulas,
    symbols: &'a Symbols,
    formula: Option<Formula>,
}

/// A run so far.
struct Walk<'a> {
    model: &'a WalkedModel,
    steps: Vec<TransitionId>,
    /// The marking before each step, and the one after the last.
    markings: Vec<Vec<u32>>,
    /// What is enabled after the last.
    enabled: Vec<TransitionId>,
}

impl<'a> Walk<'a> {
    fn new(model: &'a WalkedModel) -> anyhow::Result<Self> {
        let markings = vec![model.replayable().initial()];
        let mut walk = Walk { model, steps: Vec::new(), markings, enabled: Vec::new() };
        walk.look()?;
        Ok(walk)
    }

    fn marking(&self) -> &[u32] {
        self.markings.last().map_or(&[], Vec::as_slice)
    }

    /// Finds out what is enabled.
    fn look(&mut self) -> anyhow::Result<()> {
        let walker = self.model.replayable();
        let mut enabled = Vec::new();
        for t in (0..walker.transitions() as u32).map(TransitionId) {
            if walker.enables(t, self.marking())? {
                enabled.push(t);
            }
        }
        self.enabled = enabled;
        Ok(())
    }

    /// Fires an enabled transition.
    fn step(&mut self, t: TransitionId) -> anyhow::Result<()> {
        let walker = self.model.replayable();
        let mut marking = self.marking().to_vec();
        let name = walker.name(t);
        walker.step(t, &mut marking).map_err(|refusal| match refusal {
            Refusal::NotEnabled => anyhow::anyhow!("{name} is not enabled"),
            Refusal::TooManyTokens => anyhow::anyhow!("{name} would put more than 2^32 tokens"),
            Refusal::Ambiguous => anyhow::anyhow!(
                "{name} has several successors, so its name does not tell a step: cut it into \
                 several groups"
            ),
            Refusal::Model(error) => anyhow::anyhow!("{error}"),
        })?;
        self.steps.push(t);
        self.markings.push(marking);
        self.look()
    }

    /// One of the enabled transitions; false at a dead end.
    fn step_by_chance(&mut self, rng: &mut Rng) -> anyhow::Result<bool> {
        let Some(&t) = self.enabled.get(rng.index(self.enabled.len())) else { return Ok(false) };
        self.step(t)?;
        Ok(true)
    }

    /// Takes the last step back; false if there is none.
    fn undo(&mut self) -> anyhow::Result<bool> {
        if self.steps.pop().is_none() {
            return Ok(false);
        }
        self.markings.pop();
        self.look()?;
        Ok(true)
    }

    /// The run so far: whole if it ends in a dead marking.
    fn trace(&self, shown: &Shown<'_>) -> Trace {
        let open = !self.enabled.is_empty();
        let run = Run { prefix: self.steps.clone(), cycle: Vec::new() };
        let wording = shown.formula.map(|f| (shown.formulas, f, shown.symbols));
        let violated_after = wording.and_then(|(formulas, f, _)| {
            let word = self.model.word(formulas, f, &run, true).ok()?;
            word.violated_after(formulas, f)
        });
        // What follows the violation is part of what was walked: all of it is shown.
        let violated_after = violated_after.filter(|&k| open && k == self.steps.len());
        let facts =
            RunFacts { found: self.steps.len(), violated_after, open, ..RunFacts::default() };
        self.model.trace(&run, facts, wording)
    }
}
