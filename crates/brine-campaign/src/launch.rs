//! One run: a process of its own, watched until it ends.
//!
//! The run keeps the plan's limits by itself (`--timeout`, `--memory`). Should it not, the
//! watch kills its process group two seconds after the time limit, or when its memory is an
//! eighth (at least 64 MiB) over. Behind that stand the kernel's limits ([`crate::limited`]):
//! reserved but untouched stacks count as address space, so that one is set wider.

use crate::plan::Limits;
use crate::results::{Row, Word};
use crate::runs::Run;
use anyhow::Context;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a run may overstay by before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// Address space beyond memory: stacks for deep diagrams, arenas of threads.
const RESERVED: u64 = 4 << 30;

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Its row.
    pub(crate) row: Row,
    /// What it said about an error.
    pub(crate) message: Option<String>,
}

/// Makes a run; `None` if it was interrupted.
pub(crate) fn launch(
    program: &Path,
    run: &Run,
    limits: &Limits,
    interrupted: &AtomicBool,
) -> anyhow::Result<Option<Finished>> {
    let start = Instant::now();
    let mut child = command(program, run, limits)
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let stdout = child.stdout.take().context("no output")?;
    let stderr = child.stderr.take().context("no messages")?;
    let (lines, message, end) = std::thread::scope(|scope| {
        let lines = scope.spawn(move || read_line(stdout));
        let message = scope.spawn(move || first_line(stderr));
        let end = Watch::new(limits, start, interrupted).wait(&mut child);
        (lines.join(), message.join(), end)
    });
    let line = lines.ok().flatten().filter(|line| line.property_is(&run.property, run));
    Ok(match end? {
        End::Interrupted => None,
        end => Some(Finished {
            row: row(run, line, &end, start.elapsed()),
            message: message.ok().flatten(),
        }),
    })
}

fn command(program: &Path, run: &Run, limits: &Limits) -> Command {
    let memory = hard_memory(limits) + RESERVED;
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let cpu = (limits.time_s + GRACE.as_secs_f64()) * cores;
    let mut command = Command::new(program);
    command.arg("limited");
    command.args(["--address-space", &memory.to_string()]);
    command.args(["--cpu", &format!("{:.0}", cpu.ceil() + 1.0)]);
    command.args(["--parent", &std::process::id().to_string()]);
    command.args(["--", "check"]).args(&run.args).args(["--json", "--quiet"]);
    command.args(["--timeout", &limits.time_s.to_string()]);
    command.args(["--memory", &limits.memory_mib.to_string()]);
    // Configurations are compared core by core, unless a plan says otherwise.
    if !run.args.iter().any(|a| a.to_string_lossy().starts_with("--threads")) {
        command.args(["--threads", "1"]);
    }
    // A backtrace takes memory: with none left, the standard library would wait for itself.
    command.env_remove("RUST_BACKTRACE");
    // A group of its own: Ctrl-C reaches the campaign alone, which then ends its runs.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Bytes at which a run is killed.
fn hard_memory(limits: &Limits) -> u64 {
    let budget = limits.memory_mib << 20;
    budget + (budget / 8).max(64 << 20)
}

/// How a process ended.
#[derive(Debug)]
enum End {
    Exited(ExitStatus),
    /// Killed, for this reason, with this much memory seen before.
    Killed(&'static str, f64),
    Interrupted,
}

/// The watch over one process.
struct Watch<'a> {
    /// When it is killed.
    deadline: Instant,
    /// Mebibytes at which it is killed.
    memory: f64,
    interrupted: &'a AtomicBool,
    /// The most memory seen, in mebibytes.
    peak: f64,
}

impl<'a> Watch<'a> {
    fn new(limits: &Limits, start: Instant, interrupted: &'a AtomicBool) -> Self {
        let deadline = start + Duration::from_secs_f64(limits.time_s) + GRACE;
        let memory = hard_memory(limits) as f64 / (1 << 20) as f64;
        Watch { deadline, memory, interrupted, peak: 0.0 }
    }

    /// Waits for the process, kills it when it must go.
    fn wait(mut self, child: &mut Child) -> anyhow::Result<End> {
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(End::Exited(status));
            }
            if let Some(end) = self.verdict(child.id()) {
                // It may have gone by itself since; then there is no such group.
                let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
                child.wait()?;
                return Ok(end);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Why the process must go, if it must.
    fn verdict(&mut self, pid: u32) -> Option<End> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(End::Interrupted);
        }
        self.peak = self.peak.max(resident_mib(pid));
        if Instant::now() >= self.deadline {
            return Some(End::Killed("timeout", self.peak));
        }
        (self.peak > self.memory).then_some(End::Killed("memory", self.peak))
    }
}

/// The memory of a process now; 0 if it has gone.
fn resident_mib(pid: u32) -> f64 {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: u64 = statm.split(' ').nth(1).and_then(|p| p.parse().ok()).unwrap_or(0);
    pages as f64 * 4096.0 / (1 << 20) as f64
}

/// The line of JSON that `brine check` prints (docs/user-guide.md).
#[derive(Deserialize, Debug)]
struct Line {
    property: String,
    verdict: Word,
    reason: Option<String>,
    time_s: f64,
    peak_mem_mib: Option<f64>,
    automaton: Option<AutomatonLine>,
    stats: StatsLine,
    witness: Option<WitnessLine>,
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
struct WitnessLine {
    prefix: Vec<IgnoredAny>,
    cycle: Vec<IgnoredAny>,
}

impl Line {
    /// Whether this answers the run's question; a formula may go by a name of the plan's.
    fn property_is(&self, name: &str, run: &Run) -> bool {
        self.property == name || run.args.iter().any(|a| *a == *self.property)
    }
}

fn read_line(stdout: impl Read) -> Option<Line> {
    let mut text = String::new();
    let mut reader = BufReader::new(stdout);
    reader.read_line(&mut text).ok()?;
    let line = serde_json::from_str(&text).ok();
    drain(reader);
    line
}

fn first_line(stderr: impl Read) -> Option<String> {
    let mut text = Vec::new();
    let mut reader = BufReader::new(stderr);
    reader.by_ref().take(1 << 12).read_until(b'\n', &mut text).ok()?;
    drain(reader);
    let text = String::from_utf8_lossy(&text).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Reads on, so that the process never waits for its reader.
fn drain(mut reader: impl Read) {
    let _ = std::io::copy(&mut reader, &mut std::io::sink());
}

/// The row of a run that ended, with or without a line of JSON.
fn row(run: &Run, line: Option<Line>, end: &End, elapsed: Duration) -> Row {
    let exit = match end {
        End::Exited(status) => status.code().or(status.signal().map(|s| -s)),
        End::Killed(..) => Some(-(Signal::SIGKILL as i32)),
        End::Interrupted => None,
    };
    let verdict = line.as_ref().map_or(Word::Unknown, |l| l.verdict);
    let reason = match &line {
        Some(line) => line.reason.clone(),
        None => Some(reason(end).to_owned()),
    };
    let killed_at = if let End::Killed(_, peak) = end { Some(*peak) } else { None };
    let solved = verdict != Word::Unknown;
    let (automaton, witness) = match &line {
        Some(line) => (line.automaton.as_ref(), line.witness.as_ref()),
        None => (None, None),
    };
    let none = StatsLine::default();
    let stats = line.as_ref().map_or(&none, |l| &l.stats);
    Row {
        model: run.model.clone(),
        property: run.property.clone(),
        config: run.config.clone(),
        verdict,
        expected: run.expected,
        correct: run.expected.filter(|_| solved).map(|expected| verdict == expected),
        reason,
        time_s: line.as_ref().map_or(elapsed.as_secs_f64(), |l| l.time_s),
        peak_mem_mib: line.as_ref().and_then(|l| l.peak_mem_mib).or(killed_at),
        automaton_states: automaton.map(|a| a.states),
        automaton_class: automaton.map(|a| a.class.clone()),
        stutter_invariant: automaton.and_then(|a| a.stutter_invariant),
        product_states: stats.product_states.clone(),
        peak_nodes: stats.peak_nodes,
        states_stored: stats.states_stored,
        transitions: stats.transitions,
        scc_calls: stats.scc_calls,
        scc_prevented_recurring: stats.scc_prevented_recurring,
        scc_prevented_abstraction: stats.scc_prevented_abstraction,
        scc_time_s: stats.scc_time_s,
        witness_prefix: witness.map(|w| w.prefix.len() as u64),
        witness_cycle: witness.map(|w| w.cycle.len() as u64),
        exit,
    }
}

/// Why a process that printed nothing has no verdict.
fn reason(end: &End) -> &'static str {
    match end {
        End::Killed(reason, _) => reason,
        End::Exited(status) => match (status.code(), status.signal().map(Signal::try_from)) {
            (Some(2), _) => "error",
            // An allocation hit the limit of the address space.
            (Some(3), _) => "memory",
            (_, Some(Ok(Signal::SIGXCPU))) => "timeout",
            _ => "crash",
        },
        End::Interrupted => "interrupted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        Run {
            model: "m".to_owned(),
            property: "nice".to_owned(),
            config: "c".to_owned(),
            expected: Some(Word::Holds),
            args: ["m.pnml", "--ltl", "G true"].map(Into::into).to_vec(),
        }
    }

    const JSON: &str = r#"{"model":"x","property":"G true","verdict":"violated","reason":null,
        "engine":"symbolic","time_s":0.5,"peak_mem_mib":7.5,
        "automaton":{"states":2,"edges":3,"class":"weak","stutter_invariant":true},
        "stats":{"product_states":"12","peak_nodes":99,"scc_calls":4,"scc_prevented_recurring":3,
        "scc_prevented_abstraction":1,"scc_time_s":0.25,"states_stored":null},
        "witness":{"prefix":["t","u"],"cycle":["v"],"replayed":true}}"#;

    fn exited(code: i32) -> End {
        End::Exited(ExitStatus::from_raw(code << 8))
    }

    #[test]
    fn every_figure_of_the_json_has_its_column() {
        let line: Line = serde_json::from_str(JSON).unwrap();
        assert!(line.property_is("nice", &run()), "the plan's name stands for the formula");
        let row = row(&run(), Some(line), &exited(1), Duration::from_secs(9));
        assert!(row.wrong());
        let text = row.line().unwrap();
        let expected =
            "m,nice,c,violated,holds,false,,0.5,7.5,2,weak,true,12,99,,,4,3,1,0.25,2,1,1";
        assert_eq!(text.trim_end(), expected);
    }

    #[test]
    fn silence_is_explained_by_the_end() {
        let silent = |end: &End| {
            let row = row(&run(), None, end, Duration::from_secs(9));
            assert_eq!((row.verdict, row.correct, row.time_s), (Word::Unknown, None, 9.0));
            (row.reason.unwrap(), row.exit)
        };
        assert_eq!(silent(&exited(2)), ("error".to_owned(), Some(2)));
        assert_eq!(silent(&exited(4)), ("crash".to_owned(), Some(4)));
        let signal = |s: Signal| End::Exited(ExitStatus::from_raw(s as i32));
        assert_eq!(silent(&exited(3)), ("memory".to_owned(), Some(3)));
        assert_eq!(silent(&signal(Signal::SIGXCPU)), ("timeout".to_owned(), Some(-24)));
        assert_eq!(silent(&signal(Signal::SIGSEGV)), ("crash".to_owned(), Some(-11)));
        assert_eq!(silent(&End::Killed("memory", 5.0)), ("memory".to_owned(), Some(-9)));
    }

    /// Watches a shell command.
    fn watch(script: &str, time: Duration, memory: f64, interrupted: bool) -> End {
        let mut child = Command::new("sh").args(["-c", script]).process_group(0).spawn().unwrap();
        let interrupted = AtomicBool::new(interrupted);
        let deadline = Instant::now() + time;
        Watch { deadline, memory, interrupted: &interrupted, peak: 0.0 }.wait(&mut child).unwrap()
    }

    #[test]
    fn the_watch_ends_what_overstays_and_what_is_interrupted() {
        let (long, much) = (Duration::from_secs(600), 1000.0);
        let patient = watch("exit 3", long, much, false);
        assert!(matches!(patient, End::Exited(s) if s.code() == Some(3)));
        let sleeper = "sleep 600 & wait";
        assert!(matches!(watch(sleeper, long, much, true), End::Interrupted));
        let late = watch(sleeper, Duration::from_millis(20), much, false);
        assert!(matches!(late, End::Killed("timeout", peak) if peak > 0.0));
        assert!(matches!(watch(sleeper, long, 0.01, false), End::Killed("memory", _)));
    }
}
