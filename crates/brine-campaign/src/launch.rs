//! One run: `brine check` in a process of its own, and the row that comes of it.
//!
//! The run keeps the plan's limits by itself (`--timeout`, `--memory`). Should it not, it is
//! killed two seconds after the time limit, or when its memory is an eighth (at least 64 MiB)
//! over. Behind that stand the kernel's limits ([`crate::child`]): reserved but untouched stacks
//! count as address space, so that one is set wider.

use crate::child::{ChildEnd, Finished, Job};
use crate::origin::Origin;
use crate::plan::Limits;
use crate::results::{ResultRow, Word};
use crate::runs::PlannedRun;
use crate::tool::{ToolAnswer, ToolRun};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

/// What a run may overstay by before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// Address space beyond memory: stacks for deep diagrams, arenas of threads.
const RESERVED: u64 = 4 << 30;

/// Makes a run: its row, and what it said about an error. `None` if it was interrupted.
pub(crate) fn launch(
    program: &Path,
    run: &PlannedRun,
    limits: &Limits,
    origin: &Origin,
    cores: Vec<usize>,
    interrupted: &AtomicBool,
) -> anyhow::Result<Option<(ResultRow, Option<String>)>> {
    let date = SystemTime::now();
    let job = match &run.tool {
        Some(tool) => tool_job(tool, limits),
        None => job(program, run, limits),
    };
    let finished = Job { cores, ..job }.run(interrupted)?;
    if finished.end == ChildEnd::Interrupted {
        return Ok(None);
    }
    if let Some(tool) = &run.tool {
        let row = tool_row(run, tool, &finished);
        return Ok(Some(signed(row, run, origin, date, finished.message())));
    }
    let answer = CheckLine::all(&finished.stdout).into_iter().next();
    let answer = answer.filter(|a| a.property_is(&run.property, run));
    let mut row = ResultRow::open(&run.model, &run.property, &run.config);
    fill(&mut row, answer.as_ref(), &finished);
    Ok(Some(signed(row, run, origin, date, finished.message())))
}

/// The row with all that does not come from the process.
fn signed(
    mut row: ResultRow,
    run: &PlannedRun,
    origin: &Origin,
    date: SystemTime,
    message: Option<String>,
) -> (ResultRow, Option<String>) {
    row.repetition = Some(run.repetition);
    if let Some(expected) = run.expected {
        row.expect(expected);
    }
    origin.sign(&mut row, date);
    (row, message)
}

/// Another program knows nothing of limits: it is killed at them. Some reserve address space
/// without end, so that is not limited.
fn tool_job(tool: &ToolRun, limits: &Limits) -> Job {
    let mut job = Job::new(&tool.program);
    job.args(&tool.args);
    Job {
        time: Some(Duration::from_secs_f64(limits.time_s)),
        cpu_s: limits.cpu_s,
        memory: Some(limits.memory_mib << 20),
        whole_group: true,
        control_group: true,
        ..job
    }
}

/// The row of another program; times and memory are those of all that it started.
fn tool_row(run: &PlannedRun, tool: &ToolRun, finished: &Finished) -> ResultRow {
    let mut row = ResultRow::open(&run.model, &run.property, &run.config);
    fill(&mut row, None, finished);
    if let ChildEnd::Exited(status) = finished.end {
        match tool.read(&[&finished.stdout, &finished.stderr], status.code()) {
            ToolAnswer::Verdict(verdict) => (row.verdict, row.reason) = (verdict, None),
            ToolAnswer::GivesUp => row.reason = Some("unsupported".to_owned()),
            // An exit code says little about a program that we do not know.
            ToolAnswer::Nothing if status.code().is_some() => row.reason = Some("error".to_owned()),
            ToolAnswer::Nothing => (),
        }
    }
    row
}

fn job(program: &Path, run: &PlannedRun, limits: &Limits) -> Job {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let cpu_s = ((limits.time_s + GRACE.as_secs_f64()) * cores).ceil() as u64 + 1;
    let mut job = Job::new(program);
    job.args(["check"]).args(&run.args).args(["--json", "--quiet"]);
    job.args(["--timeout", &limits.time_s.to_string()]);
    job.args(["--memory", &limits.memory_mib.to_string()]);
    Job {
        time: Some(Duration::from_secs_f64(limits.time_s) + GRACE),
        cpu_s: Some(limits.cpu_s.map_or(cpu_s, |seconds| seconds.min(cpu_s))),
        memory: Some(hard_memory(limits)),
        address_space: Some(hard_memory(limits) + RESERVED),
        ..job
    }
}

/// Bytes at which a run is killed.
fn hard_memory(limits: &Limits) -> u64 {
    let budget = limits.memory_mib << 20;
    budget + (budget / 8).max(64 << 20)
}

/// The line of JSON that `brine check` prints about one property (docs/user-guide.md).
#[derive(Deserialize, Debug)]
pub struct CheckLine {
    /// The property's name.
    pub property: String,
    /// The verdict.
    pub verdict: Word,
    /// Who decided.
    pub engine: Option<String>,
    stage: Option<String>,
    reason: Option<String>,
    time_s: f64,
    peak_mem_mib: Option<f64>,
    automaton: Option<AutomatonLine>,
    stats: StatsLine,
    witness: Option<WitnessLengths>,
    certificate: Option<CertificateLine>,
}

#[derive(Deserialize, Debug)]
struct CertificateLine {
    bytes: u64,
    verify_s: f64,
}

#[derive(Deserialize, Debug)]
struct AutomatonLine {
    states: u64,
    class: String,
    stutter_invariant: Option<bool>,
}

#[derive(Deserialize, Debug, Default)]
struct StatsLine {
    product_states: Option<String>,
    peak_nodes: Option<u64>,
    states_stored: Option<u64>,
    transitions: Option<u64>,
    scc_calls: Option<u64>,
    scc_prevented_recurring: Option<u64>,
    scc_prevented_abstraction: Option<u64>,
    scc_time_s: Option<f64>,
}

/// Of a run that violates the property only the length is kept.
#[derive(Deserialize, Debug)]
struct WitnessLengths {
    prefix: Vec<IgnoredAny>,
    cycle: Vec<IgnoredAny>,
}

impl CheckLine {
    /// All answers in the output of `brine check --json`.
    pub fn all(stdout: &[u8]) -> Vec<CheckLine> {
        let lines = stdout.split(|byte| *byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    /// Whether this answers the run's question; a formula may go by a name of the plan's.
    fn property_is(&self, name: &str, run: &PlannedRun) -> bool {
        self.property == name || run.args.iter().any(|a| *a == *self.property)
    }
}

/// Fills the row of a process that has ended, with or without an answer.
pub fn fill(row: &mut ResultRow, answer: Option<&CheckLine>, finished: &Finished) {
    row.exit = finished.exit();
    row.cpu_s = Some(finished.cpu.as_secs_f64());
    let Some(answer) = answer else {
        row.reason = Some(finished.reason().to_owned());
        row.time_s = finished.wall.as_secs_f64();
        row.peak_mem_mib = finished.peak_mem_mib;
        return;
    };
    row.verdict = answer.verdict;
    row.reason = answer.reason.clone();
    row.time_s = answer.time_s;
    row.peak_mem_mib = answer.peak_mem_mib;
    row.stage = answer.stage.clone();
    if let Some(automaton) = &answer.automaton {
        row.automaton_states = Some(automaton.states);
        row.automaton_class = Some(automaton.class.clone());
        row.stutter_invariant = automaton.stutter_invariant;
    }
    let stats = &answer.stats;
    row.product_states = stats.product_states.clone();
    row.peak_nodes = stats.peak_nodes;
    row.states_stored = stats.states_stored;
    row.transitions = stats.transitions;
    row.scc_calls = stats.scc_calls;
    row.scc_prevented_recurring = stats.scc_prevented_recurring;
    row.scc_prevented_abstraction = stats.scc_prevented_abstraction;
    row.scc_time_s = stats.scc_time_s;
    row.certificate_bytes = answer.certificate.as_ref().map(|c| c.bytes);
    row.verify_s = answer.certificate.as_ref().map(|c| c.verify_s);
    if let Some(witness) = &answer.witness {
        row.witness_prefix = Some(witness.prefix.len() as u64);
        row.witness_cycle = Some(witness.cycle.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Hash;
    use nix::sys::signal::Signal;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn run() -> PlannedRun {
        PlannedRun {
            model: "m".to_owned(),
            property: "nice".to_owned(),
            config: "c".to_owned(),
            repetition: 1,
            expected: Some(Word::Holds),
            args: ["m.pnml", "--ltl", "G true"].map(Into::into).to_vec(),
            options: String::new(),
            model_hash: Hash::of(b""),
            property_hash: Hash::of(b""),
            tool: None,
        }
    }

    const JSON: &str = r#"{"model":"x","property":"G true","verdict":"violated","reason":null,
        "engine":"symbolic","stage":"symbolic","time_s":0.5,"peak_mem_mib":7.5,
        "automaton":{"states":2,"edges":3,"class":"weak","stutter_invariant":true},
        "stats":{"product_states":"12","peak_nodes":99,"scc_calls":4,"scc_prevented_recurring":3,
        "scc_prevented_abstraction":1,"scc_time_s":0.25,"states_stored":null},
        "witness":{"prefix":["t","u"],"cycle":["v"],"replayed":true}}"#;

    fn ended(end: ChildEnd) -> Finished {
        Finished {
            end,
            wall: Duration::from_secs(9),
            cpu: Duration::from_millis(1250),
            peak_mem_mib: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    }

    fn exited(code: i32) -> ChildEnd {
        ChildEnd::Exited(ExitStatus::from_raw(code << 8))
    }

    #[test]
    fn every_figure_of_the_json_has_its_column() {
        let answers = CheckLine::all(JSON.replace('\n', "").as_bytes());
        assert!(answers[0].property_is("nice", &run()), "the plan's name stands for the formula");
        let mut row = ResultRow::open("m", "nice", "c");
        fill(&mut row, answers.first(), &ended(exited(1)));
        row.expect(Word::Holds);
        assert!(row.wrong());
        let text = row.line().unwrap();
        let expected = "m,nice,c,violated,holds,false,,0.5,7.5,2,weak,true,12,99,,,4,3,1,0.25,2,1,\
                        1,1.25,,symbolic,,,,,,,,";
        assert_eq!(text.trim_end(), expected);
    }

    #[test]
    fn answers_of_older_versions_without_a_stage_are_read() {
        let old = JSON.replace("\"stage\":\"symbolic\",", "").replace('\n', "");
        assert_eq!(CheckLine::all(old.as_bytes()).len(), 1);
    }

    #[test]
    fn silence_is_explained_by_the_end() {
        let silent = |end: ChildEnd| {
            let mut row = ResultRow::open("m", "nice", "c");
            fill(&mut row, None, &ended(end));
            row.expect(Word::Holds);
            assert_eq!((row.verdict, row.correct, row.time_s), (Word::Unknown, None, 9.0));
            (row.reason.unwrap(), row.exit)
        };
        assert_eq!(silent(exited(2)), ("error".to_owned(), Some(2)));
        assert_eq!(silent(exited(4)), ("crash".to_owned(), Some(4)));
        let signal = |s: Signal| ChildEnd::Exited(ExitStatus::from_raw(s as i32));
        assert_eq!(silent(exited(3)), ("memory".to_owned(), Some(3)));
        assert_eq!(silent(signal(Signal::SIGXCPU)), ("timeout".to_owned(), Some(-24)));
        assert_eq!(silent(signal(Signal::SIGSEGV)), ("crash".to_owned(), Some(-11)));
        assert_eq!(silent(ChildEnd::Memory), ("memory".to_owned(), Some(-9)));
    }
}
