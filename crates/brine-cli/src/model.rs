//! Loading a model named on the command line.

use anyhow::{Context, anyhow, bail};
use brine_net::UnfoldLimits;
use brine_net::{Model, Net};
use brine_pins::gcl;
use std::path::Path;

/// Whether the file holds guarded commands, by its name.
pub(crate) fn is_guarded_commands(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "gcl")
}

/// Reads a net; a coloured one is unfolded.
pub(crate) fn load(path: &Path) -> anyhow::Result<Model> {
    if is_guarded_commands(path) {
        bail!("{}: guarded commands are read by brine states, check and info", path.display());
    }
    Ok(brine_net::read_model(path, &UnfoldLimits::default())?)
}

/// Tells what the reader of the net noticed.
pub(crate) fn show_warnings(warnings: &[String], quiet: bool) {
    if !quiet {
        for warning in warnings {
            eprintln!("{warning}");
        }
    }
}

/// Reads a model in the language of guarded commands.
pub(crate) fn load_commands(path: &Path) -> anyhow::Result<gcl::Model> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    gcl::parse(&text)
        .map_err(|e| anyhow!("{}:{}:{}: {}", path.display(), e.line, e.column, e.message))
}

/// What the output calls the model: the net's id, or else the file's name.
pub(crate) fn name(net: &Net, path: &Path) -> String {
    if net.name().is_empty() { file_name(path) } else { net.name().to_owned() }
}

/// The file's name without its ending.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}
