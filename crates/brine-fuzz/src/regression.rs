//! Failing cases as folders, and folders as cases.
//!
//! A folder holds `model.pnml`, `formula.txt` and `configurations.txt`, which has a line for
//! each configuration and comments after `#`. `crates/brine-cli/tests/fuzz.rs` asks them all.

use crate::{Case, Configuration, Failing};
use anyhow::{Context, anyhow};
use brine_oracle::shrink::NetAndFormula;
use brine_pnml::{read_pnml, write_pnml};
use std::fs;
use std::path::{Path, PathBuf};

const MODEL: &str = "model.pnml";
const FORMULA: &str = "formula.txt";
const CONFIGURATIONS: &str = "configurations.txt";

/// Where regressions live.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions")
}

/// Writes a case into a folder of its own below `folder`.
pub fn write(folder: &Path, failing: &Failing) -> anyhow::Result<PathBuf> {
    let Failing { seed, case, failure, .. } = failing;
    let path = folder.join(format!("seed-{seed}"));
    fs::create_dir_all(&path)?;
    let mut pnml = Vec::new();
    write_pnml(&case.question.net, &mut pnml)?;
    fs::write(path.join(MODEL), pnml)?;
    fs::write(path.join(FORMULA), format!("{}\n", case.question.formula))?;
    let mut lines: String = failure.message.lines().map(|line| format!("# {line}\n")).collect();
    for configuration in &case.configurations {
        lines.push_str(&format!("{configuration}\n"));
    }
    fs::write(path.join(CONFIGURATIONS), lines)?;
    Ok(path)
}

/// Reads a case from its folder.
pub fn read(path: &Path) -> anyhow::Result<Case> {
    let text = |name: &str| {
        let file = path.join(name);
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
    };
    let net = read_pnml(&path.join(MODEL))?;
    let formula = text(FORMULA)?.trim().to_owned();
    let lines = text(CONFIGURATIONS)?;
    let lines = lines.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let parse = |line: &str| line.parse::<Configuration>().map_err(|e| anyhow!("{line}: {e}"));
    let configurations = lines.map(parse).collect::<anyhow::Result<_>>()?;
    Ok(Case { question: NetAndFormula { net, formula }, configurations })
}

/// All cases below a folder, with their names.
pub fn read_all(folder: &Path) -> anyhow::Result<Vec<(String, Case)>> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            cases.push((name, read(&path)?));
        }
    }
    cases.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(cases)
}
