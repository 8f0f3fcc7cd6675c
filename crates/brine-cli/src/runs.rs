//! How runs are found and shown: the options, and the JSON of a run.

use anyhow::Context;
use brine_check::FairBecause;
use brine_check::show::{self, Look, Trace};
use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Columns of what is no terminal.
const COLUMNS: usize = 100;

/// How runs are found and shown.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Runs")]
pub(crate) struct RunArgs {
    /// Search for a shortest run as long as the budget lasts, and say whether it is proved shortest
    #[arg(long)]
    pub(crate) shortest: bool,
    #[command(flatten)]
    look: LookArgs,
    /// Write violating runs to a file as JSON lines; as DOT if it ends in .dot, as a picture if it
    /// ends in .svg; - is stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    /// Write a page with the violating runs: the net, tokens that move, what is true when
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// How a run looks in the terminal.
#[derive(clap::Args, Debug)]
pub(crate) struct LookArgs {
    /// Show all places and all steps of a run
    #[arg(long)]
    full: bool,
    /// Show runs as lanes side by side: units of the net, or bindings of a coloured one
    #[arg(long)]
    lanes: bool,
    /// Colours: auto uses them on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,
}

/// When colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal.
    Auto,
    /// Even in a file.
    Always,
    /// Not at all.
    Never,
}

impl RunArgs {
    /// What is wrong with the options, before anything is searched.
    pub(crate) fn ensure(&self, json: bool) -> anyhow::Result<()> {
        let to_stdout = self.witness.as_deref().is_some_and(|p| p.as_os_str() == "-");
        if json && to_stdout {
            anyhow::bail!("--json already prints each witness; give --witness a file");
        }
        if let Some(path) = self.witness.as_deref().filter(|_| !to_stdout) {
            crate::files::ensure_writable(path).context("--witness")?;
        }
        if let Some(path) = &self.html {
            if path.as_os_str() == "-" {
                anyhow::bail!("--html - would mix the page with the verdicts; give --html a file");
            }
            if Some(path) == self.witness.as_ref() {
                anyhow::bail!("--html and --witness name the same file; give them two");
            }
            crate::files::ensure_writable(path).context("--html")?;
        }
        Ok(())
    }

    /// Whether a shortest run is sought as long as the budget lasts.
    pub(crate) fn shortest(&self) -> bool {
        self.shortest
    }

    /// A run for people.
    pub(crate) fn text(&self, trace: &Trace) -> String {
        let mut text = text_of_run(&self.look, trace);
        if self.shortest && !trace.is_shortest() {
            text.push_str("  not proved shortest: the search was not finished\n");
        }
        text
    }
}

/// A run for people.
pub(crate) fn text_of_run(look: &LookArgs, trace: &Trace) -> String {
    let (text, looks) = (show::text(trace, &look.look()), look.look());
    match show::lanes(trace, &looks) {
        _ if !look.lanes => text,
        // The text says what the run is; the table takes the place of its steps.
        Ok(table) => format!("{}\n{table}", text.lines().next().unwrap_or_default()),
        Err(why) => format!("{text}  {why}\n"),
    }
}

/// Prints it.
pub(crate) fn write_run(look: &LookArgs, trace: &Trace) {
    print!("{}", text_of_run(look, trace));
}

impl LookArgs {
    /// What the terminal allows and the options say.
    fn look(&self) -> Look {
        let terminal = std::io::stdout().is_terminal();
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let colour = match self.color {
            Colour::Auto => terminal && wanted,
            Colour::Always => true,
            Colour::Never => false,
        };
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        let size = terminal.then(terminal_size::terminal_size).flatten().map(|s| s.0.0.into());
        Look { width: columns.or(size).unwrap_or(COLUMNS), colour, full: self.full }
    }
}

/// A run: `cycle` repeats for ever; if it is empty, the last marking does.
#[derive(Serialize, Debug)]
pub(crate) struct WitnessJson<'a> {
    prefix: &'a [String],
    cycle: &'a [String],
    replayed: bool,
    /// Whether what is known of the run ends in a cycle, in a dead marking, or is open.
    ends: &'static str,
    /// After so many steps the property is violated whatever follows.
    violated_after: Option<usize>,
    /// Proved: no run is shorter.
    shortest: bool,
    /// Steps of the run as it was found.
    found_steps: usize,
    markings: MarkingsJson,
    /// The steps that explain the violation.
    steps: Vec<StepJson<'a>>,
    /// The formula and its parts: T, F or ? at each position of these steps.
    truth: Vec<TruthJson<'a>>,
    /// Why the run is fair, for each transition that fairness is asked for.
    fairness: Vec<FairJson<'a>>,
}

#[derive(Serialize, Debug)]
struct FairJson<'a> {
    transition: &'a str,
    /// Strong fairness, or weak.
    strong: bool,
    /// It fires in the cycle, it is disabled in the cycle, it is never enabled there, or the run
    /// ends in a dead marking.
    because: &'static str,
    /// The step of the run that fires it, or before which it is disabled, from 1.
    step: Option<usize>,
}

/// Tokens by place id; places without tokens are left out.
type MarkingJson = BTreeMap<String, u32>;

#[derive(Serialize, Debug)]
struct MarkingsJson {
    start: MarkingJson,
    /// Where the cycle begins.
    cycle: Option<MarkingJson>,
    /// After the last of the steps.
    end: MarkingJson,
}

#[derive(Serialize, Debug)]
struct StepJson<'a> {
    id: &'a str,
    name: &'a str,
    /// Tokens before and after, by place id.
    changes: BTreeMap<&'a str, [u32; 2]>,
}

#[derive(Serialize, Debug)]
struct TruthJson<'a> {
    formula: &'a str,
    values: String,
}

impl<'a> WitnessJson<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Self {
        let marking = |at: usize| {
            let tokens = trace.place_ids.iter().cloned().zip(trace.marking(at));
            tokens.filter(|(_, n)| *n > 0).collect::<MarkingJson>()
        };
        let has_cycle = !trace.dead && !trace.is_beginning();
        let step = |step: &'a show::TraceStep| {
            let change = |&(p, before, after): &(usize, u32, u32)| {
                (trace.place_ids[p].as_str(), [before, after])
            };
            let changes = step.changes.iter().map(change).collect();
            StepJson { id: &step.id, name: &step.label, changes }
        };
        let letter = |value: &Option<bool>| value.map_or('?', |v| if v { 'T' } else { 'F' });
        let truth = |row: &'a show::Row| TruthJson {
            formula: &row.text,
            values: row.values.iter().map(letter).collect(),
        };
        let fair = |fair: &'a show::FairRow| {
            let (because, step) = match fair.because {
                FairBecause::Fires(step) => ("fires", Some(step)),
                FairBecause::DisabledBefore(step) => ("disabled", Some(step)),
                FairBecause::NeverEnabled => ("never enabled", None),
                FairBecause::Dead => ("dead", None),
            };
            FairJson { transition: &fair.id, strong: fair.strong, because, step }
        };
        WitnessJson {
            prefix: &trace.prefix,
            cycle: &trace.cycle,
            // A violation that does not replay never becomes a decision.
            replayed: true,
            ends: match () {
                () if trace.facts.open => "open",
                () if trace.cycle.is_empty() => "dead",
                () => "cycle",
            },
            violated_after: trace.facts.violated_after,
            shortest: trace.is_shortest(),
            found_steps: trace.facts.found,
            markings: MarkingsJson {
                start: marking(0),
                cycle: has_cycle.then(|| marking(trace.home)),
                end: marking(trace.steps.len()),
            },
            steps: trace.steps.iter().map(step).collect(),
            truth: trace.rows.iter().map(truth).collect(),
            fairness: trace.fairness.iter().map(fair).collect(),
        }
    }
}
