//! Loading a model named on the command line.

use crate::limits::usable_memory;
use anyhow::{anyhow, bail};
use brine_dve::DveModel;
use brine_net::Net;
use brine_pins::Pins;
use brine_pins::gcl::{self, GuardedCommands};
use brine_pnml::{Model, NetFile, UnfoldLimits, read_net_file};
use brine_run::Control;
use brine_sat::StateSpace;
use brine_source::{Source, Text};
use std::path::Path;

/// A model that is no net.
pub(crate) enum LanguageModel {
    /// Guarded commands.
    Commands(GuardedCommands),
    /// A DVE model.
    Dve(Box<DveModel>),
}

impl LanguageModel {
    /// What engines see of it.
    pub(crate) fn pins(&self) -> &dyn Pins {
        match self {
            LanguageModel::Commands(model) => model,
            LanguageModel::Dve(model) => &**model,
        }
    }

    /// Whether states are searched one by one unless somebody asks for diagrams.
    pub(crate) fn is_explicit(&self) -> bool {
        matches!(self, LanguageModel::Dve(_))
    }
}

/// Whether the file holds a model that is no net, by its name.
pub(crate) fn is_language(path: &Path) -> bool {
    is_commands(path) || is_dve(path)
}

fn is_commands(path: &Path) -> bool {
    without_gz(path).extension().is_some_and(|e| e == "gcl")
}

fn is_dve(path: &Path) -> bool {
    without_gz(path).extension().is_some_and(|e| e == "dve")
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
    ensure_net(source)?;
    source.with_model(|name, input| Ok(read_net_file(input, name, control)?))
}

/// Refuses models that are no nets.
pub(crate) fn ensure_net(source: &Source) -> anyhow::Result<()> {
    if is_language(source.path()) {
        let path = source.path().display();
        bail!(
            "{path}: this command needs a net; models of .gcl and .dve files are read by brine states, check, explore and info"
        );
    }
    Ok(())
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

/// Reads a model that is no net.
pub(crate) fn load_language(source: &Source) -> anyhow::Result<LanguageModel> {
    let Text { name, text } = source.model_text()?;
    let at = |line, column, message| anyhow!("{name}:{line}:{column}: {message}");
    if is_dve(source.path()) {
        let model = brine_dve::parse(&text).map_err(|e| at(e.line, e.column, e.message))?;
        return Ok(LanguageModel::Dve(Box::new(model)));
    }
    let model = gcl::parse(&text).map_err(|e| at(e.line, e.column, e.message))?;
    Ok(LanguageModel::Commands(model))
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
