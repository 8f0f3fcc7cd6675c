//! The same questions through the real binary: files, JSON, exit codes.

use crate::case::{Asked, CaseAnswer, Failure};
use crate::configuration::Configuration;
use crate::space::expected;
use brine_check::replay;
use brine_net::{Run, TransitionId};
use brine_pnml::write_pnml;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Who takes so much longer than its time has hung.
pub(crate) const GRACE: Duration = Duration::from_secs(60);

/// A `brine` to ask, and a folder for its files.
#[derive(Debug)]
pub struct Binary {
    program: PathBuf,
    folder: TempDir,
}

impl Binary {
    /// Takes a `brine`.
    pub fn new(program: &Path) -> std::io::Result<Binary> {
        Ok(Binary { program: program.to_owned(), folder: TempDir::new()? })
    }

    /// Asks through the binary. Whatever it prints must fit: the exit code to the verdict,
    /// the witness to the net and the formula, the witness file to the witness.
    pub(crate) fn ask(
        &self,
        asked: &Asked<'_>,
        configuration: &Configuration,
    ) -> Result<CaseAnswer, Failure> {
        let model = self.folder.path().join("model.pnml");
        let witness = self.folder.path().join("witness.json");
        let mut pnml = Vec::new();
        write_pnml(&asked.subject.net, &mut pnml).map_err(|e| Failure::new(e.to_string()))?;
        std::fs::write(&model, pnml).map_err(|e| Failure::new(e.to_string()))?;
        let _ = std::fs::remove_file(&witness);
        let mut command = Command::new(&self.program);
        command.arg(configuration.command()).arg(&model).args(&configuration.words[1..]);
        let time = asked.subject.time();
        command.args(["--json", "--timeout", &time.as_secs().to_string()]);
        if let Some(bytes) = configuration.memory {
            command.args(["--memory", &(bytes >> 20).max(1).to_string()]);
        }
        if configuration.command() == "check" {
            command.args(["--ltl", asked.text]).arg("--witness").arg(&witness);
        }
        let output = self.run(&mut command, time)?;
        let code = output.status.code();
        let failure = |what: &str| {
            let [out, err] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
            Failure::new(format!("{what}; exit code {code:?}, stdout: {out}, stderr: {err}"))
        };
        if code == Some(2) {
            let clean = output.stdout.is_empty() && !output.stderr.is_empty() && !witness.exists();
            return if clean {
                Ok(CaseAnswer::Refused)
            } else {
                Err(failure("not refused cleanly"))
            };
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let entry: Value = serde_json::from_str(&text).map_err(|e| failure(&e.to_string()))?;
        if configuration.command() == "check" {
            let file = std::fs::read_to_string(&witness).unwrap_or_default();
            verdict(asked, code, &entry, &file).map_err(|what| failure(&what))
        } else {
            counts(asked, configuration, code, &entry).map_err(|what| failure(&what))
        }
    }

    /// Runs the command to its end, or kills it.
    fn run(&self, command: &mut Command, time: Duration) -> Result<Output, Failure> {
        let error = |e: std::io::Error| Failure::new(format!("{}: {e}", self.program.display()));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(error)?;
        let deadline = Instant::now() + time + GRACE;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // Both are read while it runs: a long run does not fit into the buffer of a pipe.
        std::thread::scope(|scope| {
            let [stdout, stderr] = [
                scope.spawn(move || stdout.map(whole).unwrap_or_default()),
                scope.spawn(move || stderr.map(whole).unwrap_or_default()),
            ];
            let status = loop {
                if let Some(status) = child.try_wait().map_err(error)? {
                    break status;
                }
                if Instant::now() > deadline {
                    child.kill().map_err(error)?;
                    return Err(Failure::new("does not end"));
                }
                std::thread::sleep(Duration::from_micros(500));
            };
            let [stdout, stderr] = [stdout, stderr].map(|text| text.join().unwrap_or_default());
            Ok(Output { status, stdout, stderr })
        })
    }
}

/// All bytes of a stream; what came before it broke, if it does.
fn whole(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

/// Reads the JSON of `brine check` and checks all that can be checked.
fn verdict(
    asked: &Asked<'_>,
    code: Option<i32>,
    entry: &Value,
    file: &str,
) -> Result<CaseAnswer, String> {
    let witness = &entry["witness"];
    let (answer, exit) = match entry["verdict"].as_str() {
        Some("holds") => (CaseAnswer::Holds, 0),
        Some("violated") => (CaseAnswer::Violated, 1),
        Some("unknown") => (CaseAnswer::Unknown, 3),
        other => return Err(format!("verdict {other:?}")),
    };
    if code != Some(exit) {
        return Err(format!("exit code for {answer:?}"));
    }
    if answer != CaseAnswer::Violated || witness.is_null() {
        let silent = witness.is_null() && file.is_empty();
        return if silent { Ok(answer) } else { Err("a witness of nothing".to_owned()) };
    }
    let line: Value = serde_json::from_str(file).map_err(|e| format!("witness file: {e}"))?;
    if line["prefix"] != witness["prefix"] || line["cycle"] != witness["cycle"] {
        return Err("the witness file shows another run".to_owned());
    }
    let run = Run { prefix: ids(asked, &line["prefix"])?, cycle: ids(asked, &line["cycle"])? };
    replay(&asked.subject.net, &asked.formulas, asked.formula, &run).map_err(|e| e.to_string())?;
    Ok(answer)
}

/// The transitions with these names.
fn ids(asked: &Asked<'_>, names: &Value) -> Result<Vec<TransitionId>, String> {
    let net = &asked.subject.net;
    let id = |name: &Value| {
        let at = net.transition_ids().find(|&t| name.as_str() == Some(&*net.transition(t).id()));
        at.ok_or_else(|| format!("no transition {name}"))
    };
    names.as_array().ok_or("no list of names")?.iter().map(id).collect()
}

/// Compares the numbers of `brine states` and `brine explore` with those of brute force.
fn counts(
    asked: &Asked<'_>,
    configuration: &Configuration,
    code: Option<i32>,
    entry: &Value,
) -> Result<CaseAnswer, String> {
    let reason = entry["reason"].as_str();
    if (code == Some(3)) != reason.is_some() || !matches!(code, Some(0 | 3)) {
        return Err("exit code and reason do not fit".to_owned());
    }
    if reason.is_some() {
        return Ok(CaseAnswer::Unknown);
    }
    let kripke = &asked.subject.kripke;
    let number = |name: &str| match &entry[name] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let Some(right) = expected(&asked.subject.net, kripke.complete, kripke.markings.len()) else {
        return Ok(CaseAnswer::Counted);
    };
    let reduced = configuration.words.iter().any(|w| w == "--por");
    let mut pairs = vec![];
    if !reduced {
        pairs.extend([("states", right.states), ("transitions", right.edges)]);
    }
    if configuration.command() == "states" {
        pairs.push(("max_token_in_place", right.max_token_in_place));
        pairs.push(("max_token_per_marking", right.max_token_per_marking));
    } else {
        let dead = (0..kripke.next.len()).filter(|&m| kripke.is_dead(&asked.subject.net, m));
        pairs.push(("deadlocks", dead.count() as u64));
    }
    match pairs.into_iter().find(|(name, value)| number(name) != value.to_string()) {
        Some((name, value)) => Err(format!("{name} is {}, expected {value}", number(name))),
        None => Ok(CaseAnswer::Counted),
    }
}
