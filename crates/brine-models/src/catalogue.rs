//! The nets in `pnml/` and what is known about them.

use super::{Family, family};
use brine_net::Net;
use brine_oracle::StateCounts;
use std::io::{self, Write};

/// Where the numbers of a net come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountSource {
    /// Counted by brute force, again in every test run.
    BruteForce,
    /// Published in the literature, and counted once by brute force when it was written down.
    Published(StateCounts),
    /// A closed formula, which small members of the family confirm.
    Formula(StateCounts),
}

impl CountSource {
    /// The word for it in `pnml/states.csv`.
    pub fn word(self) -> &'static str {
        match self {
            CountSource::BruteForce => "brute-force",
            CountSource::Published(_) => "published",
            CountSource::Formula(_) => "formula",
        }
    }
}

/// One net of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry {
    /// The family's name.
    pub family: &'static str,
    /// The family's size.
    pub size: u32,
    /// The second parameter, for families that have one.
    pub tokens: Option<u32>,
    /// Where the numbers come from.
    pub source: CountSource,
}

impl CatalogueEntry {
    /// The family.
    pub fn family(&self) -> &'static Family {
        match family(self.family) {
            Some(family) => family,
            None => unreachable!("the catalogue names an unknown family {}", self.family),
        }
    }

    /// The net.
    pub fn net(&self) -> Net {
        self.family().net(self.size, self.tokens)
    }

    /// Writes the file in `pnml/`.
    pub fn write_pnml(&self, out: &mut impl Write) -> io::Result<()> {
        self.family().write_pnml(self.size, self.tokens, out)
    }

    /// The name of the file in `pnml/`.
    pub fn file_name(&self) -> String {
        format!("{}.pnml", self.family().net_name(self.size, self.tokens))
    }
}

const fn counted(family: &'static str, size: u32) -> CatalogueEntry {
    CatalogueEntry { family, size, tokens: None, source: CountSource::BruteForce }
}

const fn known(family: &'static str, size: u32, source: CountSource) -> CatalogueEntry {
    CatalogueEntry { family, size, tokens: None, source }
}

const fn counts(states: u64, edges: u64, in_place: u64, in_marking: u64) -> StateCounts {
    StateCounts { states, edges, max_token_in_place: in_place, max_token_per_marking: in_marking }
}

/// The nets that are committed in `pnml/`.
pub const CATALOGUE: &[CatalogueEntry] = &[
    counted("philosophers", 5),
    // 3^n markings, n * 7 * 3^(n - 2) edges.
    known("philosophers", 20, CountSource::Formula(counts(3_486_784_401, 54_238_868_460, 1, 40))),
    counted("philosophers-ordered", 5),
    counted("philosophers-ordered", 10),
    counted("philosophers-atomic", 4),
    counted("philosophers-atomic", 10),
    counted("kanban", 1),
    counted("kanban", 2),
    known("kanban", 5, CountSource::Published(counts(2_546_432, 24_460_016, 5, 20))),
    counted("fms", 1),
    counted("fms", 2),
    known("fms", 5, CountSource::Published(counts(2_895_018, 23_527_185, 5, 21))),
    counted("slotted-ring", 3),
    counted("slotted-ring", 5),
    counted("token-ring", 5),
    counted("token-ring", 10),
    counted("producer-consumer", 1),
    counted("producer-consumer", 5),
    counted("fork-join", 2),
    counted("fork-join", 8),
    counted("peterson", 2),
    counted("peterson", 3),
    counted("lamport", 2),
    counted("lamport", 3),
    counted("load-balancer", 2),
    counted("load-balancer", 4),
    CatalogueEntry {
        family: "counters",
        size: 2,
        tokens: Some(100),
        source: CountSource::BruteForce,
    },
    // (m + 1)^d markings. Edges, for d digits up to m: up and down m * (m + 1)^(d - 1) each,
    // every carry and borrow m * (m + 1)^(d - 2).
    CatalogueEntry {
        family: "counters",
        size: 3,
        tokens: Some(1000),
        source: CountSource::Formula(counts(1_003_003_001, 2_008_006_000, 1000, 3000)),
    },
    counted("philosophers-coloured", 5),
    counted("database-coloured", 4),
];

/// The line of `pnml/states.csv` for a net, without the line's end.
///
/// ```
/// use brine_models::{CATALOGUE, HEADER, table_line};
/// use brine_oracle::count_states;
/// let entry = &CATALOGUE[0];
/// let line = table_line(entry, &count_states(&entry.net(), 1000).unwrap());
/// assert_eq!(line, "philosophers-5.pnml,philosophers,5,,243,945,1,10,brute-force");
/// assert_eq!(line.split(',').count(), HEADER.split(',').count());
/// ```
pub fn table_line(entry: &CatalogueEntry, counts: &StateCounts) -> String {
    let tokens = entry.tokens.map_or_else(String::new, |t| t.to_string());
    format!(
        "{},{},{},{tokens},{},{},{},{},{}",
        entry.file_name(),
        entry.family,
        entry.size,
        counts.states,
        counts.edges,
        counts.max_token_in_place,
        counts.max_token_per_marking,
        entry.source.word()
    )
}

/// The header of `pnml/states.csv`.
pub const HEADER: &str =
    "model,family,size,tokens,states,edges,max_token_in_place,max_token_per_marking,source";
