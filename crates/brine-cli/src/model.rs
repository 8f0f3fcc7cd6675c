//! Loading a model named on the command line.

use crate::limits::usable_memory;
use anyhow::{anyhow, bail};
use brine_net::Net;
use brine_pins::gcl;
use brine_pnml::{Model, NetFile, UnfoldLimits, read_net_file};
use brine_run::Control;
use brine_sat::StateSpace;
use brine_source::{Source, Text};
use std::path::Path;

/// Whether the file holds guarded commands, by its name.
pub(crate) fn is_guarded_commands(path: &Path) -> bool {
    without_gz(path).extension().is_some_and(|e| e == "gcl")
}

/// Where a model comes from; what is compressed may expand to the memory budget.
pub(crate) fn source(path: &Path, memory: Option<u64>) -> Source {
    Source::new(path, memory.or_else(usable_memory))
}

/// Reads a net; a coloured one is unfolded.
pub(crate) fn load(source: &Source, control: &Control) -> anyhow::Result<Model> {
    Ok(load_file(source, control)?.unfold(&UnfoldLimits::default(), control)?)
}

/// Reads a net as it is.
pub(crate) fn load_file(source: &Source, control: &Control) -> anyhow::Result<NetFile> {
    if is_guarded_commands(source.path()) {
        let path = source.path().display();
        bail!("{path}: guarded commands are read by brine states, check and info");
    }
    source.with_model(|name, input| Ok(read_net_file(input, name, control)?))
}

/// A value that stays until the process ends. A command is over when it has said what it found
/// out; taking a net of a million nodes apart would only take time.
pub(crate) fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Tokens of a coloured net that never move are not in its unfolded net, but they are counted.
pub(crate) fn with_idle_tokens(model: &Model, space: StateSpace) -> StateSpace {
    StateSpace {
        max_in_place: space.max_in_place.max(model.most_idle_tokens()),
        max_in_marking: space.max_in_marking.saturating_add(model.idle_tokens()),
        ..space
    }
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
pub(crate) fn load_commands(source: &Source) -> anyhow::Result<gcl::GuardedCommands> {
    let Text { name, text } = source.model_text()?;
    gcl::parse(&text).map_err(|e| anyhow!("{name}:{}:{}: {}", e.line, e.column, e.message))
}

/// The path without the ending of compressed files.
fn without_gz(path: &Path) -> &Path {
    match path.extension() {
        Some(ending) if ending == "gz" => path.file_stem().map_or(path, Path::new),
        _ => path,
    }
}

/// What the output calls the model: the net's id, or else the file's name.
pub(crate) fn name(net: &Net, path: &Path) -> String {
    name_or_file(net.name(), path)
}

/// A name, or that of the file if it is empty.
pub(crate) fn name_or_file(name: &str, path: &Path) -> String {
    if name.is_empty() { file_name(path) } else { name.to_owned() }
}

/// The file's name without its ending; that of a folder is whole.
pub(crate) fn file_name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "stdin".to_owned();
    }
    let name = if path.is_dir() { path.file_name() } else { without_gz(path).file_stem() };
    name.map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}
