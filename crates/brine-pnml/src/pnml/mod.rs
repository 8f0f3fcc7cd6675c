//! PNML in and out: place/transition nets and symmetric nets of ISO/IEC 15909-2, as the
//! Model Checking Contest uses them.
//!
//! The reader streams (no document tree): memory is that of the net plus an index of
//! ids, whatever the size of the file. What is read: several and nested pages, names and
//! ids, initial markings, arc weights, reference places and transitions, the NUPN
//! tool-specific part. What is skipped: a known list of elements and attributes that are
//! decoration, and other tools' parts (with a warning where their words are suspicious).
//! Every other attribute and element is an error, because it may change what the net means
//! (capacities, inhibitor arcs, priorities).
//!
//! One file per concern: `walk` walks pages and nodes, `ptnet` and `symmetric` read what
//! they say in each type of net, `labels` reads the labels, `extras` those of other tools'
//! dialects, `tapaal` TAPAAL's own files, `tools` skips parts of tools, `nupn` reads the
//! units, `symbols` interns ids and resolves references; the type of the net is decided in
//! `net_type`; `positions` reads, in a pass of its own, where an editor drew the nodes. Symmetric nets are checked and unfolded by `crate::coloured`.

mod error;
mod extras;
mod labels;
mod net_type;
mod nupn;
mod positions;
mod ptnet;
mod symbols;
mod symmetric;
mod tapaal;
pub(crate) mod tools;
mod walk;
mod write;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::{AnyNet, Model, NetFile};
use brine_coloured::{ColouredNet, UnfoldLimits, unfold};
use brine_net::Net;
use brine_run::{Control, Stop};
pub use error::ReadError;
use error::ReadFailure;
pub use positions::{Positions, read_positions};
pub use write::write_pnml;

/// Reads a net from a PNML file. A coloured net is unfolded; see [`read_model`] for what
/// its places and transitions were.
///
/// ```no_run
/// let net = brine_pnml::read_pnml("pnml/philosophers-5.pnml".as_ref())?;
/// println!("{} places", net.places().len());
/// # Ok::<(), brine_pnml::ReadError>(())
/// ```
pub fn read_pnml(path: &Path) -> Result<Net, ReadError> {
    Ok(read_model(path, &UnfoldLimits::default())?.net)
}

/// Reads a net from a PNML file, with its coloured side if it has one.
pub fn read_model(path: &Path, limits: &UnfoldLimits) -> Result<Model, ReadError> {
    read_model_within(path, limits, &Control::default())
}

/// The same under a control: reading, unfolding and completing the net.
pub fn read_model_within(
    path: &Path,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Model, ReadError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| ReadError::open(&name, &e))?;
    let metadata = file.metadata().map_err(|e| ReadError::open(&name, &e))?;
    if metadata.is_dir() {
        return Err(ReadError::Io {
            file: name,
            message: "is a directory, expected a PNML file".to_owned(),
        });
    }
    read_model_from_within(file, &name, limits, control)
}

/// Reads a net from any byte stream, as [`read_pnml`] does; `name` stands for the file in
/// errors. The stream needs no buffering of its own.
///
/// ```
/// let pnml = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
///   <page id="g"><place id="p"><initialMarking><text>2</text></initialMarking></place>
///   <transition id="t"/><arc id="a" source="p" target="t"/></page></net></pnml>"#;
/// let net = brine_pnml::read_pnml_from(pnml.as_bytes(), "example").unwrap();
/// assert_eq!(net.initial_marking(), [2]);
///
/// let error = brine_pnml::read_pnml_from("<pnml>".as_bytes(), "example").unwrap_err();
/// assert_eq!(error.to_string(), "example:1:7: the file ends too early, expected </pnml>");
/// ```
pub fn read_pnml_from(input: impl Read, name: &str) -> Result<Net, ReadError> {
    Ok(read_model_from(input, name, &UnfoldLimits::default())?.net)
}

/// Reads a net from any byte stream, as [`read_model`] does.
pub fn read_model_from(
    input: impl Read,
    name: &str,
    limits: &UnfoldLimits,
) -> Result<Model, ReadError> {
    read_model_from_within(input, name, limits, &Control::default())
}

/// The same under a control.
pub fn read_model_from_within(
    input: impl Read,
    name: &str,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Model, ReadError> {
    read_net_file(input, name, control)?.unfold(limits, control)
}

/// Reads a file's net as it is, under a control; a coloured one is not unfolded.
pub fn read_net_file(
    input: impl Read,
    name: &str,
    control: &Control,
) -> Result<NetFile, ReadError> {
    let mut input = Watched { input, control, stopped: None };
    let (net, warnings) = walk::read(&mut input, control)
        .map_err(|failure| input.stopped.map_or(failure, ReadFailure::Stopped).in_file(name))?;
    Ok(NetFile { file: name.to_owned(), net, warnings: warnings.lines(name) })
}

impl NetFile {
    /// The model that engines for place/transition nets see: a coloured net is unfolded.
    pub fn unfold(self, limits: &UnfoldLimits, control: &Control) -> Result<Model, ReadError> {
        let NetFile { file, net, warnings } = self;
        let model = match net {
            AnyNet::Plain(net) => Model::new(net),
            AnyNet::Coloured(net) => unfold_in(&file, &net, limits, control)?,
        };
        Ok(Model { warnings, ..model })
    }
}

/// Unfolds a coloured net of a file.
pub fn unfold_in(
    file: &str,
    net: &ColouredNet,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Model, ReadError> {
    let unfolded = unfold(net, limits, control);
    unfolded.map(Model::unfolded).map_err(|e| ReadFailure::from(e).in_file(file))
}

/// An input that ends when a budget does. Each read looks at the control: they are of 64 KiB,
/// which takes the reader about a millisecond.
struct Watched<'c, R> {
    input: R,
    control: &'c Control,
    stopped: Option<Stop>,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.stopped = self.control.look().err();
        match self.stopped {
            Some(stop) => Err(std::io::Error::other(stop)),
            None => self.input.read(buffer),
        }
    }
}

#[cfg(test)]
mod tests;
