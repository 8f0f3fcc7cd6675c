//! A net with all that can be known about it without an engine.

use brine_net::{Net, Structure};
use brine_oracle::Kripke;
use std::time::Duration;

/// Markings that brute force looks at.
const MARKINGS_MAX: usize = 60;

/// So long may a question take; nothing depends on it but how many questions are answered.
const TIME: Duration = Duration::from_secs(20);
/// The same for nets that brute force cannot enumerate: most of them are infinite.
const TIME_OF_LARGE: Duration = Duration::from_secs(1);

/// A net, its structure, and its markings (a part of them if there are too many).
#[derive(Debug)]
pub struct Subject {
    /// The net.
    pub net: Net,
    /// What its structure tells.
    pub structure: Box<Structure>,
    /// What brute force enumerates.
    pub kripke: Kripke,
}

impl Subject {
    /// Learns about a net.
    pub fn new(net: Net) -> Subject {
        let structure = Box::new(Structure::new(&net));
        let kripke = Kripke::part(&net, MARKINGS_MAX);
        Subject { net, structure, kripke }
    }

    /// The time for a question about this net.
    pub(crate) fn time(&self) -> Duration {
        if self.kripke.complete { TIME } else { TIME_OF_LARGE }
    }
}
