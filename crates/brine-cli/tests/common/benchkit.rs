//! BenchKit's calls: the script in the folder of a model, the environment, the lines.
//!
//! Also a part of `cargo xtask package`.

use anyhow::bail;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How late an answer may be.
const GRACE: Duration = Duration::from_secs(5);

/// The examinations, and the file of each that has one.
pub(crate) const EXAMINATIONS: [(&str, Option<&str>); 13] = [
    ("StateSpace", None),
    ("ReachabilityDeadlock", None),
    ("OneSafe", None),
    ("StableMarking", None),
    ("QuasiLiveness", None),
    ("Liveness", None),
    ("UpperBounds", Some("UpperBounds.xml")),
    ("ReachabilityCardinality", Some("ReachabilityCardinality.xml")),
    ("ReachabilityFireability", Some("ReachabilityFireability.xml")),
    ("CTLCardinality", Some("CTLCardinality.xml")),
    ("CTLFireability", Some("CTLFireability.xml")),
    ("LTLCardinality", Some("LTLCardinality.xml")),
    ("LTLFireability", Some("LTLFireability.xml")),
];

/// How BenchKit calls.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// The folder with the script; the program is in `bin` there.
    pub(crate) kit: &'a Path,
    /// Another program instead.
    pub(crate) program: Option<&'a Path>,
    /// BK_TIME_CONFINEMENT.
    pub(crate) seconds: u64,
}

impl Call<'_> {
    /// One call in the folder of a model: what is printed.
    pub(crate) fn ask(&self, here: &Path, examination: &str) -> anyhow::Result<String> {
        let start = Instant::now();
        let mut command = Command::new("bash");
        command
            .arg(self.kit.join("BenchKit_head.sh"))
            .current_dir(here)
            .env_remove("BRINE")
            .env("BK_BIN_PATH", self.kit.join("bin"))
            .env("BK_EXAMINATION", examination)
            .env("BK_TIME_CONFINEMENT", self.seconds.to_string())
            .env("BK_MEMORY_CONFINEMENT", "4096")
            .env("BK_TOOL", "brine");
        if let Some(program) = self.program {
            command.env("BRINE", program);
        }
        let output = command.output()?;
        if start.elapsed() > Duration::from_secs(self.seconds) + GRACE {
            bail!("{:.1} s are too many", start.elapsed().as_secs_f64());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The ids of a property file.
pub(crate) fn ids(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(path)?;
    let after = text.split("<id>").skip(1);
    Ok(after.filter_map(|part| Some(part.split_once("</id>")?.0.trim().to_owned())).collect())
}

/// Whether the lines have the contest's form: one for each of the `ids`, or for the examination.
pub(crate) fn check(
    examination: &str,
    ids: Option<&[String]>,
    printed: &str,
) -> anyhow::Result<()> {
    let lines: Vec<Vec<&str>> = printed.lines().map(|l| l.split_whitespace().collect()).collect();
    let value_is_fine = |value: &str| match examination {
        "UpperBounds" => value.parse::<u64>().is_ok(),
        _ => matches!(value, "TRUE" | "FALSE"),
    };
    let mut told = Vec::new();
    for line in &lines {
        match line[..] {
            ["CANNOT_COMPUTE"] => told.push(examination),
            ["STATE_SPACE", what, number, "TECHNIQUES", ..] if examination == "StateSpace" => {
                let known =
                    ["STATES", "TRANSITIONS", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"];
                if !known.contains(&what) || !number.starts_with(|c: char| c.is_ascii_digit()) {
                    bail!("what is {what} {number}?");
                }
                told.push(what);
            }
            ["FORMULA", id, "CANNOT_COMPUTE"] => told.push(id),
            ["FORMULA", id, value, "TECHNIQUES", ..] if value_is_fine(value) => told.push(id),
            _ => bail!("what is \"{}\"?", line.join(" ")),
        }
    }
    let count = told.len();
    told.sort_unstable();
    told.dedup();
    if told.len() != count {
        bail!("something is told twice");
    }
    match ids {
        Some(ids) if ids.len() != count => bail!("{count} lines for {} properties", ids.len()),
        Some(ids) => ids.iter().try_for_each(|id| match told.contains(&id.as_str()) {
            true => Ok(()),
            false => bail!("no line for {id}"),
        }),
        None if count == 0 => bail!("nothing was told"),
        None => Ok(()),
    }
}
