//! Loading a model named on the command line.

use brine_net::UnfoldLimits;
use brine_net::{Model, Net};
use std::path::Path;

/// Reads a net; a coloured one is unfolded.
pub(crate) fn load(path: &Path) -> anyhow::Result<Model> {
    Ok(brine_net::read_model(path, &UnfoldLimits::default())?)
}

/// What the output calls the model: the net's id, or else the file's name.
pub(crate) fn name(net: &Net, path: &Path) -> String {
    if net.name().is_empty() {
        path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
    } else {
        net.name().to_owned()
    }
}
