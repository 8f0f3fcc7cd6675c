//! The table of what can be chosen: commands and engines (docs/user-guide.md) with options.
//!
//! A new engine is one line of [`TABLE`], a new option one [`Knob`]. Values are drawn from
//! all that an option takes, so that none is left out; some do not fit some nets or
//! properties and are refused, which is counted.

use crate::Configuration;
use brine_check::Schedule;
use brine_explicit::Emptiness;
use brine_explicit::provisos::Proviso;
use brine_net::Rng;
use brine_net::order::{Grouping, Heuristic, OrderSpec};

/// An option, or options that go together.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// How often it is used, in percent.
    percent: u32,
    /// Draws its words.
    draw: fn(&mut Rng) -> Vec<String>,
}

/// What is put to the test: a command or an engine, with its options.
#[derive(Clone, Copy, Debug)]
pub struct UnderTest {
    /// The words that choose it.
    pub words: &'static str,
    /// How often it is chosen, compared with the others.
    weight: u32,
    /// Its options.
    knobs: &'static [Knob],
    /// Bytes that the search may take.
    memory: u64,
    /// Whether decision diagrams are used.
    diagrams: bool,
}

const MIB: u64 = 1 << 20;

const ORDER: Knob = Knob { percent: 60, draw: order };
const EMPTINESS: Knob = Knob { percent: 60, draw: emptiness };
const SEED: Knob = Knob { percent: 50, draw: |rng| vec!["--seed".into(), text(rng.below(1_000))] };
const POR: Knob = Knob { percent: 50, draw: por };
const THREADS: Knob = Knob { percent: 20, draw: |_| vec!["--threads".into(), "2".into()] };
const STAGES: Knob = Knob { percent: 40, draw: stages };
const PINS: Knob = Knob { percent: 100, draw: pins };
const IDEAS: Knob = Knob { percent: 50, draw: ideas };

/// Everything that can be chosen.
pub const TABLE: &[UnderTest] = &[
    entry("check --engine auto", 4, &[ORDER, STAGES, THREADS], 8 * MIB, true),
    entry("check --engine hunt", 1, &[], MIB, false),
    entry("check --engine explicit", 6, &[EMPTINESS, SEED, POR], MIB, false),
    entry("check --engine symbolic", 6, &[ORDER, IDEAS, THREADS], 256 * MIB, true),
    entry("check --engine hull-el", 1, &[ORDER], 256 * MIB, true),
    entry("check --engine hull-owcty", 1, &[ORDER], 256 * MIB, true),
    entry("check --engine pins", 2, &[ORDER, PINS], 256 * MIB, true),
    entry("states --engine symbolic", 1, &[ORDER, THREADS], 256 * MIB, true),
    entry("states --engine explicit", 1, &[], 8 * MIB, false),
    entry("states --engine pins", 1, &[ORDER, PINS], 256 * MIB, true),
    entry("explore", 1, &[SEED, POR], MIB, false),
];

const fn entry(
    words: &'static str,
    weight: u32,
    knobs: &'static [Knob],
    memory: u64,
    diagrams: bool,
) -> UnderTest {
    UnderTest { words, weight, knobs, memory, diagrams }
}

/// Work of decision diagrams at most: enough for every net that is small enough for brute
/// force, and soon over for unbounded ones.
const TICKS: u64 = 30_000;

/// Draws a configuration.
pub fn draw(rng: &mut Rng) -> Configuration {
    let all: u32 = TABLE.iter().map(|e| e.weight).sum();
    let mut at = rng.below(all);
    let mut chosen = &TABLE[0];
    for entry in TABLE {
        chosen = entry;
        if at < entry.weight {
            break;
        }
        at -= entry.weight;
    }
    chosen.draw(rng)
}

impl UnderTest {
    fn draw(&self, rng: &mut Rng) -> Configuration {
        let mut words: Vec<String> = self.words.split(' ').map(str::to_owned).collect();
        for knob in self.knobs {
            if rng.chance(knob.percent) {
                words.extend((knob.draw)(rng));
            }
        }
        // Now and then, next to nothing: searches end anywhere.
        let little = 100 + u64::from(rng.below(50_000));
        let memory = if !self.diagrams && rng.chance(5) { little } else { self.memory };
        let schedule = if self.diagrams { schedule(rng) } else { Schedule::default() };
        Configuration { words, memory: Some(memory), schedule }
    }
}

/// Schedules that make rare things common: a collection at every opportunity, caches that
/// remember next to nothing, a budget that ends anywhere.
fn schedule(rng: &mut Rng) -> Schedule {
    let gc_interval = if rng.chance(50) { Some(1 + rng.below(50) as usize) } else { None };
    let cache_entries = if rng.chance(40) { Some(1 << rng.below(8)) } else { None };
    let ticks = if rng.chance(5) { 1 + u64::from(rng.below(2_000)) } else { TICKS };
    Schedule { ticks: Some(ticks), gc_interval, cache_entries }
}

fn text(value: impl ToString) -> String {
    value.to_string()
}

fn one_of<T: Clone>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u32) as usize].clone()
}

fn order(rng: &mut Rng) -> Vec<String> {
    let groupings: Vec<Option<Grouping>> =
        Grouping::ALL.into_iter().map(Some).chain([None, None]).collect();
    let spec = OrderSpec {
        grouping: one_of(rng, &groupings),
        heuristic: one_of(rng, &Heuristic::ALL),
        force: rng.chance(30),
        reversed: rng.chance(40),
    };
    vec!["--order".into(), text(spec)]
}

fn emptiness(rng: &mut Rng) -> Vec<String> {
    vec!["--emptiness".into(), text(one_of(rng, &Emptiness::ALL).name())]
}

fn por(rng: &mut Rng) -> Vec<String> {
    let mut words = vec!["--por".to_owned()];
    if rng.chance(70) {
        words.extend(["--proviso".to_owned(), one_of(rng, &Proviso::all()).name()]);
    }
    if rng.chance(50) {
        words.extend(["--stubborn", one_of(rng, &["strong", "weak"])].map(str::to_owned));
    }
    if rng.chance(50) {
        words.extend(["--tries".to_owned(), text(1 + rng.below(4))]);
    }
    words
}

/// Never all of those that can prove something.
fn stages(rng: &mut Rng) -> Vec<String> {
    let lists = ["hunt", "explicit", "symbolic", "hunt,explicit", "hunt,symbolic"];
    vec!["--without".into(), text(one_of(rng, &lists))]
}

fn ideas(rng: &mut Rng) -> Vec<String> {
    let all: [&[&str]; 4] = [
        &["--no-recurring"],
        &["--no-abstraction"],
        &["--no-recurring", "--no-abstraction"],
        &["--no-otf"],
    ];
    one_of(rng, &all).iter().map(|w| (*w).to_owned()).collect()
}

fn pins(rng: &mut Rng) -> Vec<String> {
    let mut words = Vec::new();
    if rng.chance(75) {
        let strategies = ["bfs", "bfs-prev", "chain", "sat"];
        words.extend(["--strategy", one_of(rng, &strategies)].map(str::to_owned));
    }
    if rng.chance(50) {
        let lists = ["--regroup", "--regroup=ru", "--regroup=cs", "--regroup=cw,rs,ru"];
        words.push(text(one_of(rng, &lists)));
    }
    for switch in ["--w2W", "--W2+"] {
        if rng.chance(30) {
            words.push(switch.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line of the table is drawn, and `brine` knows all words.
    #[test]
    fn everything_is_drawn_and_understood() {
        let mut rng = Rng::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..5_000 {
            let configuration = draw(&mut rng);
            if configuration.command() == "check" {
                let spec = configuration.engine().unwrap().spec();
                assert!(spec.is_ok(), "{configuration}: {spec:?}");
            }
            seen.extend(configuration.words);
        }
        for word in TABLE.iter().flat_map(|e| e.words.split(' ')) {
            assert!(seen.contains(word), "{word}");
        }
        assert!(seen.contains("--no-otf") && seen.contains("--tries") && seen.len() > 100);
    }
}
