//! The JSON of `brine check` (docs/user-guide.md), and the witness file.

use crate::files::replace;
use crate::runs::WitnessJson;
use brine_check::show::{self, Trace};
use brine_check::{DecideError, Decision, Verdict};
use brine_explicit::por::PorUse;
use brine_run::Stop;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// One line of JSON: one property.
#[derive(Serialize, Debug)]
pub(crate) struct Entry<'a> {
    model: &'a str,
    property: &'a str,
    verdict: &'static str,
    reason: Option<&'static str>,
    engine: Option<&'static str>,
    time_s: f64,
    peak_mem_mib: Option<f64>,
    automaton: Option<AutomatonJson>,
    stats: StatsJson,
    witness: Option<WitnessJson<'a>>,
    /// The stage of `auto` that decided.
    stage: Option<&'static str>,
    notes: &'a [String],
    /// The certificate that was written.
    certificate: Option<CertificateJson>,
}

/// A certificate: its size, and the seconds that making and checking it took.
#[derive(Serialize, Debug)]
struct CertificateJson {
    bytes: u64,
    time_s: f64,
    verify_s: f64,
}

#[derive(Serialize, Debug)]
struct AutomatonJson {
    states: usize,
    edges: usize,
    class: &'static str,
    stutter_invariant: Option<bool>,
}

/// Figures; what the engine does not have is null.
#[derive(Serialize, Debug, Default)]
struct StatsJson {
    product_states: Option<String>,
    peak_nodes: Option<u64>,
    scc_calls: Option<u64>,
    scc_prevented_recurring: Option<u64>,
    scc_prevented_abstraction: Option<u64>,
    scc_time_s: Option<f64>,
    states_stored: Option<u64>,
    emptiness: Option<&'static str>,
    transitions: Option<u64>,
    depth: Option<u64>,
    stack: Option<u64>,
    por: Option<PorJson>,
    order: Option<String>,
}

/// Whether partial-order reduction was applied.
#[derive(Serialize, Debug)]
struct PorJson {
    applied: bool,
    proviso: Option<String>,
    expanded: Option<u64>,
    reason: Option<&'static str>,
}

impl<'a> Entry<'a> {
    pub(crate) fn new(
        trace: Option<&'a Trace>,
        model: &'a str,
        property: &'a str,
        result: &Result<Decision, DecideError>,
        peak_mem_mib: Option<f64>,
        notes: &'a [String],
    ) -> Self {
        let decision = result.as_ref().ok();
        let (verdict, reason) = match decision.map(|d| &d.verdict) {
            Some(Verdict::Holds) => ("holds", None),
            Some(Verdict::Violated(_)) => ("violated", None),
            Some(Verdict::Unknown(reason)) => ("unknown", Some(reason.word())),
            None => ("unknown", Some("internal-error")),
        };
        let automaton = decision.and_then(|d| d.automaton.as_ref()).map(|a| AutomatonJson {
            states: a.states,
            edges: a.edges,
            class: a.class.name(),
            stutter_invariant: a.stutter_invariant,
        });
        Entry {
            model,
            property,
            verdict,
            reason,
            engine: decision.map(|d| d.engine),
            time_s: decision.map_or(0.0, |d| d.time.as_secs_f64()),
            peak_mem_mib,
            automaton,
            stats: decision.map_or_else(StatsJson::default, stats_json),
            witness: trace.map(WitnessJson::new),
            stage: None,
            notes,
            certificate: decision.and_then(|d| d.certificate).map(|c| CertificateJson {
                bytes: c.bytes,
                time_s: c.time.as_secs_f64(),
                verify_s: c.verify_time.as_secs_f64(),
            }),
        }
    }

    /// The same of `auto`, whose stages answer in their own names.
    pub(crate) fn of_auto(self) -> Self {
        let stage = self.engine.filter(|_| self.verdict != "unknown");
        Entry { stage, ..self }
    }

    /// A property that a budget left without an answer.
    pub(crate) fn unknown(
        model: &'a str,
        property: &'a str,
        stop: Stop,
        time_s: f64,
        peak_mem_mib: Option<f64>,
    ) -> Self {
        Entry {
            model,
            property,
            verdict: "unknown",
            reason: Some(stop.word()),
            engine: None,
            time_s,
            peak_mem_mib,
            automaton: None,
            stats: StatsJson::default(),
            witness: None,
            stage: None,
            notes: &[],
            certificate: None,
        }
    }
}

fn stats_json(decision: &Decision) -> StatsJson {
    let stats = &decision.stats;
    StatsJson {
        product_states: stats.product_states.as_ref().map(ToString::to_string),
        peak_nodes: stats.peak_nodes,
        scc_calls: stats.scc.map(|s| s.calls),
        scc_prevented_recurring: stats.scc.map(|s| s.prevented_recurring),
        scc_prevented_abstraction: stats.scc.map(|s| s.prevented_abstraction),
        scc_time_s: stats.scc.map(|s| s.time.as_secs_f64()),
        order: stats.order.map(|o| o.to_string()),
        states_stored: stats.states_stored,
        emptiness: stats.emptiness,
        transitions: stats.search.map(|s| s.transitions),
        depth: stats.search.map(|s| s.depth),
        stack: stats.search.map(|s| s.stack),
        por: stats.por.map(por_json),
    }
}

fn por_json(por: PorUse) -> PorJson {
    match por {
        PorUse::Applied { proviso, expanded } => PorJson {
            applied: true,
            proviso: Some(proviso.name()),
            expanded: Some(expanded),
            reason: None,
        },
        PorUse::NotApplied(reason) => {
            PorJson { applied: false, proviso: None, expanded: None, reason: Some(reason) }
        }
    }
}

/// Violating runs, collected and written at the end.
#[derive(Debug)]
pub(crate) struct WitnessFile {
    path: PathBuf,
    text: String,
}

/// One line of the witness file.
#[derive(Serialize, Debug)]
struct WitnessLine<'a> {
    property: &'a str,
    #[serde(flatten)]
    witness: WitnessJson<'a>,
}

impl WitnessFile {
    pub(crate) fn new(path: &Path) -> Self {
        WitnessFile { path: path.to_owned(), text: String::new() }
    }

    /// Adds a run, if there is one.
    pub(crate) fn add(&mut self, property: &str, trace: Option<&Trace>) -> anyhow::Result<()> {
        let Some(trace) = trace else { return Ok(()) };
        let ending = self.path.extension().and_then(|e| e.to_str());
        match ending {
            Some("dot") => self.text.push_str(&show::dot(trace)),
            // A picture is one document: the first run.
            Some("svg") if self.text.is_empty() => self.text.push_str(&show::svg(trace)),
            Some("svg") => (),
            _ => {
                let line = WitnessLine { property, witness: WitnessJson::new(trace) };
                self.text.push_str(&serde_json::to_string(&line)?);
                self.text.push('\n');
            }
        }
        Ok(())
    }

    /// Writes everything.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        if self.path.as_os_str() == "-" {
            print!("{}", self.text);
            return Ok(());
        }
        replace(&self.path, &self.text)
    }
}
