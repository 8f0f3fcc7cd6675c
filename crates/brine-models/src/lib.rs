//! Our own nets: parametric families with known answers.
//!
//! These are generators, not models from elsewhere: each family's file says what it
//! models and where its structure comes from. Tests and benches of all crates use them;
//! `cargo xtask gen-models` writes them as PNML.

mod catalogue;
mod coloured;
pub mod coloured_pairs;
mod leader;
mod load;
mod manufacturing;
mod mutex;
pub mod naive_names;
pub mod naive_unfolding;
mod papers;
mod philosophers;
pub mod random_moves;
pub mod random_symmetric;
mod rings;
pub mod symmetric;

use Build::{Coloured, Plain};
use brine_net::{Net, NetBuilder, Nupn, PlaceId, Unit};
use brine_pnml::write_pnml;
use std::io::{self, Write};
use symmetric::SymmetricNet;

pub use catalogue::{CATALOGUE, CatalogueEntry, CountSource, HEADER, table_line};
pub use coloured::{database_coloured, philosophers_coloured};
pub use leader::leader_ring;
pub use load::{counters, load_balancer};
pub use manufacturing::{fms, kanban};
pub use mutex::{lamport, peterson};
pub use papers::{fork_join, producer_consumer};
pub use philosophers::{philosophers, philosophers_atomic, philosophers_ordered};
pub use rings::{slotted_ring, token_ring};

/// A parametric family of nets.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The family's name, as in file names and on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What `size` counts.
    pub size: &'static str,
    /// The smallest size that makes sense.
    pub min_size: u32,
    /// What `tokens` counts and its default, for families that use it.
    pub tokens: Option<(&'static str, u32)>,
    build: Build,
}

/// How a family's nets are made.
#[derive(Clone, Copy, Debug)]
enum Build {
    Plain(fn(u32, u32) -> Net),
    Coloured(fn(u32, u32) -> SymmetricNet),
}

impl Family {
    /// The net of this family for a size (raised to the smallest that makes sense).
    /// `tokens` is used by families that say so; `None` stands for the default.
    ///
    /// ```
    /// use brine_models::family;
    /// let net = family("philosophers").unwrap().net(5, None);
    /// assert_eq!(net.places().len(), 25);
    /// ```
    pub fn net(&self, size: u32, tokens: Option<u32>) -> Net {
        let (size, tokens) = self.parameters(size, tokens);
        match self.build {
            Plain(build) => build(size, tokens),
            Coloured(build) => symmetric::unfolded(&build(size, tokens)),
        }
    }

    /// Writes the net of this family for a size as PNML; a coloured one before unfolding.
    pub fn write_pnml(
        &self,
        size: u32,
        tokens: Option<u32>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (size, tokens) = self.parameters(size, tokens);
        match self.build {
            Plain(build) => write_pnml(&build(size, tokens), out),
            Coloured(build) => build(size, tokens).write_pnml(out),
        }
    }

    fn parameters(&self, size: u32, tokens: Option<u32>) -> (u32, u32) {
        let tokens = tokens.or(self.tokens.map(|t| t.1)).unwrap_or(0);
        (size.max(self.min_size), tokens)
    }

    /// The name of a net of this family: `kanban-5`, `counters-3-1000`.
    pub fn net_name(&self, size: u32, tokens: Option<u32>) -> String {
        match tokens.filter(|_| self.tokens.is_some()) {
            Some(tokens) => format!("{}-{size}-{tokens}", self.name),
            None => format!("{}-{size}", self.name),
        }
    }
}

/// The family called `name`.
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|f| f.name == name)
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "philosophers",
        about: "dining philosophers who take their forks one by one in any order; can deadlock",
        size: "seats",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| philosophers(n)),
    },
    Family {
        name: "philosophers-ordered",
        about: "dining philosophers who take the lower-numbered fork first; no deadlock",
        size: "seats",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| philosophers_ordered(n)),
    },
    Family {
        name: "philosophers-atomic",
        about: "dining philosophers who take both forks at once (EP10 figure 1)",
        size: "seats",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| philosophers_atomic(n)),
    },
    Family {
        name: "kanban",
        about: "four kanban cells, the second and third in parallel",
        size: "cards per cell",
        min_size: 1,
        tokens: None,
        build: Plain(|n, _| kanban(n)),
    },
    Family {
        name: "fms",
        about: "flexible manufacturing system with three machines and an assembly",
        size: "pallets per part",
        min_size: 1,
        tokens: None,
        build: Plain(|n, _| fms(n)),
    },
    Family {
        name: "slotted-ring",
        about: "slotted ring network",
        size: "nodes",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| slotted_ring(n)),
    },
    Family {
        name: "token-ring",
        about: "stations that may work while they hold the one token",
        size: "stations",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| token_ring(n)),
    },
    Family {
        name: "producer-consumer",
        about: "producer, buffer with timeout, consumer (MVDBM16 figure 6 for one cell)",
        size: "buffer cells",
        min_size: 1,
        tokens: None,
        build: Plain(|n, _| producer_consumer(n)),
    },
    Family {
        name: "fork-join",
        about: "a process that forks into two-state branches (MKBP14 figure 2 for two)",
        size: "branches",
        min_size: 1,
        tokens: None,
        build: Plain(|n, _| fork_join(n)),
    },
    Family {
        name: "peterson",
        about: "Peterson's mutual exclusion",
        size: "processes",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| peterson(n)),
    },
    Family {
        name: "lamport",
        about: "Lamport's fast mutual exclusion",
        size: "processes",
        min_size: 2,
        tokens: None,
        build: Plain(|n, _| lamport(n)),
    },
    Family {
        name: "load-balancer",
        about: "clients whose requests a balancer sends to the less busy of two servers",
        size: "clients",
        min_size: 1,
        tokens: None,
        build: Plain(|n, _| load_balancer(n)),
    },
    Family {
        name: "counters",
        about: "a number with several large digits: many tokens, heavy arcs",
        size: "digits",
        min_size: 1,
        tokens: Some(("the largest digit", 1000)),
        build: Plain(counters),
    },
    Family {
        name: "philosophers-coloured",
        about: "the philosophers as a coloured net",
        size: "seats",
        min_size: 2,
        tokens: None,
        build: Coloured(|n, _| philosophers_coloured(n)),
    },
    Family {
        name: "database-coloured",
        about: "a replicated database as a coloured net",
        size: "sites",
        min_size: 2,
        tokens: None,
        build: Coloured(|n, _| database_coloured(n)),
    },
];

/// Builds a net whose ids are all different and whose weights are small, as in this module.
fn finish(builder: NetBuilder) -> Net {
    match builder.build() {
        Ok(net) => net,
        Err(error) => unreachable!("a generator made an invalid net: {error}"),
    }
}

/// Units side by side under a root without places, claimed safe.
fn flat_nupn(groups: Vec<Vec<PlaceId>>) -> Nupn {
    let count = groups.len();
    let mut units =
        vec![Unit { id: "u0".to_owned(), places: Vec::new(), subunits: (1..=count).collect() }];
    for (i, places) in groups.into_iter().enumerate() {
        units.push(Unit { id: format!("u{}", i + 1), places, subunits: Vec::new() });
    }
    Nupn { units, root: 0, safe: true }
}

#[cfg(test)]
mod tests;
