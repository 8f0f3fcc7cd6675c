//! A net with all that can be known about it without an engine.

use brine_net::{Net, Structure};
use brine_oracle::Kripke;

/// Markings that brute force looks at.
const MARKINGS_MAX: usize = 60;

/// A net, its structure, and its markings (a part of them if there are too many).
#[derive(Debug)]
pub struct Subject {
    /// The net.
    pub net: Net,
    /// What its structure tells.
    pub structure: Structure,
    /// What brute force enumerates.
    pub kripke: Kripke,
}

impl Subject {
    /// Learns about a net.
    pub fn new(net: Net) -> Subject {
        let structure = Structure::new(&net);
        let kripke = Kripke::part(&net, MARKINGS_MAX);
        Subject { net, structure, kripke }
    }
}
