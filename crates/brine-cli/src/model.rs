//! Loading a model named on the command line.

use anyhow::{Context, anyhow, bail};
use brine_net::Net;
use brine_pins::gcl;
use brine_pnml::{Model, UnfoldLimits};
use brine_run::Control;
use std::io::Read;
use std::path::Path;

/// Whether the file holds guarded commands, by its name.
pub(crate) fn is_guarded_commands(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "gcl")
}

/// Reads a net; a coloured one is unfolded.
pub(crate) fn load(path: &Path, control: &Control) -> anyhow::Result<Model> {
    if is_guarded_commands(path) {
        bail!("{}: guarded commands are read by brine states, check and info", path.display());
    }
    let read = brine_pnml::read_model_within(path, &UnfoldLimits::default(), control);
    read.map_err(|error| {
        let error = anyhow::Error::new(error);
        match is_property_file(path) {
            true => {
                anyhow!("{error} (this is a property file: give it to --mcc, and the net here)")
            }
            false => error,
        }
    })
}

/// Whether an XML file begins as the contest's property files do.
fn is_property_file(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(4096).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let mut tags = text.split('<').skip(1).filter(|tag| !tag.starts_with(['?', '!']));
    read.is_ok() && tags.next().is_some_and(|tag| tag.starts_with("property-set"))
}

/// A value that stays until the process ends. A command is over when it has said what it found
/// out; taking a net of a million nodes apart would only take time.
pub(crate) fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
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
