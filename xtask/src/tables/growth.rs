//! How state spaces grow: nets of our own generators, each twice as large as the one before, until
//! one takes longer than the limit. Once as `brine states` does it, and once by saturation of the
//! whole net, which has a diagram whose nodes can be counted.
//!
//! Writes `docs/experiments/growth.md`.

use crate::mcc::build_binary;
use crate::state_space::{SpaceAnswer, SpaceLimit, run_states};
use anyhow::{Context, bail};
use brine_models::{Family, family};
use std::fmt::Write;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Families with their first size; for counters the size is the largest digit, for four digits.
const ROWS: [(&str, u32); 5] =
    [("philosophers", 10), ("kanban", 5), ("fms", 5), ("counters", 250), ("slotted-ring", 5)];
const DIGITS: u32 = 4;
/// No family has more rows.
const MOST_DOUBLINGS: u32 = 14;
const MEMORY_MIB: u64 = 6144;

/// Measures and writes the page.
pub(super) fn measure_and_write(binary: Option<PathBuf>, cpu_s: u64) -> anyhow::Result<()> {
    let binary = binary.map_or_else(build_binary, Ok)?;
    let model = std::env::temp_dir().join(format!("brine-growth-{}.pnml", std::process::id()));
    let mut text = format!(
        "# How state spaces grow\n\n\
         Written by `cargo xtask tables growth --seconds {cpu_s}`: nets of `cargo xtask gen-models`, twice as large from \
         row to row, up to the last that ends in {cpu_s} s of CPU and {MEMORY_MIB} MiB. CPU seconds \
         are those of the whole command, reading the file included. The last columns are \
         those of `--no-reduction`: saturation of the net as it is; for counters n is the largest \
         of {DIGITS} digits.\n"
    );
    for (name, first) in ROWS {
        let Some(family) = family(name) else { bail!("there is no family {name}") };
        writeln!(
            text,
            "\n## {name}\n\n| n | states | CPU (s) | by | CPU (s), saturation | nodes, peak |"
        )?;
        writeln!(text, "|--:|--:|--:|---|--:|--:|")?;
        let mut plain_ends = true;
        for size in (0..MOST_DOUBLINGS).map(|k| first << k) {
            write_net(family, size, &model)?;
            let ask = |options: &[&str]| {
                let options: Vec<String> = options.iter().map(|&o| o.to_owned()).collect();
                run_states(&binary, &model, SpaceLimit::Cpu(cpu_s), MEMORY_MIB, &options)
            };
            let default = ask(&[])?;
            let plain = if plain_ends { Some(ask(&["--no-reduction"])?) } else { None };
            let plain = plain.filter(SpaceAnswer::is_complete);
            plain_ends = plain.is_some();
            if let (true, Some(plain)) = (default.is_complete(), &plain) {
                anyhow::ensure!(default.told == plain.told, "{name} {size}: two answers");
            }
            let row = row(size, Some(&default).filter(|a| a.is_complete()), plain.as_ref())?;
            println!("{name} {row}");
            if !default.is_complete() && !plain_ends {
                break;
            }
            writeln!(text, "{row}")?;
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/experiments/growth.md");
    std::fs::remove_file(&model)?;
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn write_net(family: &Family, size: u32, path: &Path) -> anyhow::Result<()> {
    let (size, tokens) =
        if family.name == "counters" { (DIGITS, Some(size)) } else { (size, None) };
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(family.write_pnml(size, tokens, &mut BufWriter::new(file))?)
}

fn row(
    size: u32,
    default: Option<&SpaceAnswer>,
    plain: Option<&SpaceAnswer>,
) -> anyhow::Result<String> {
    let mut row = format!("| {size} |");
    let states = default.or(plain).map(|a| digits(&a.told.states));
    write!(row, " {} |", states.unwrap_or_default())?;
    match default {
        Some(answer) => write!(row, " {:.2} | {} |", answer.cpu_s, how(answer))?,
        None => write!(row, " - | |")?,
    }
    match plain {
        Some(answer) => write!(row, " {:.2} | {} |", answer.cpu_s, answer.peak_nodes)?,
        None => write!(row, " - | |")?,
    }
    Ok(row)
}

/// What the answer came by.
fn how(answer: &SpaceAnswer) -> String {
    if answer.order.is_empty() { "invariants".to_owned() } else { answer.order.clone() }
}

/// A number of many digits as a power of ten.
fn digits(number: &str) -> String {
    if number.len() <= 9 {
        return number.to_owned();
    }
    let (first, rest) = number.split_at(1);
    format!("{first}.{} * 10^{}", &rest[..2], rest.len())
}
