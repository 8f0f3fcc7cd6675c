//! Loading a model named on the command line.

use brine_net::Net;
use std::path::Path;

/// Reads a net.
pub(crate) fn load(path: &Path) -> anyhow::Result<Net> {
    Ok(brine_net::read_pnml(path)?)
}

/// What the output calls the model: the net's id, or else the file's name.
pub(crate) fn name(net: &Net, path: &Path) -> String {
    if net.name().is_empty() {
        path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
    } else {
        net.name().to_owned()
    }
}
