//! Bugs planted in the hunt for violations: whatever makes a walk believe in a run that is
//! none, a dive miss one, or the replay believe in a run that changes some day.

use super::{Mutant, Test, mutant};

const WALK: &str = "crates/brine-explicit/src/hunt/walk.rs";
const GROWTH: &str = "crates/brine-explicit/src/hunt/growth.rs";
const GUIDED: &str = "crates/brine-explicit/src/hunt/guided.rs";
const COMPASS: &str = "crates/brine-explicit/src/hunt/compass.rs";
const FIELD: &str = "crates/brine-explicit/src/hunt/field.rs";
const LETTERS: &str = "crates/brine-explicit/src/letters.rs";
const REPLAY: &str = "crates/brine-check/src/replay.rs";

/// Each is one mistake.
pub(super) const MUTANTS: [Mutant; 12] = [
    mutant(
        Test::Hunt,
        "hunt: pairs of an earlier focus count as met",
        WALK,
        "        self.trail.seen.clear();\n",
        "",
    ),
    mutant(
        Test::Hunt,
        "hunt: one mark is enough",
        WALK,
        "if trail.marked.iter().all(|&m| m > first) {",
        "if trail.marked.is_empty() || trail.marked.iter().any(|&m| m > first) {",
    ),
    mutant(
        Test::Hunt,
        "hunt: every dead end is accepted",
        WALK,
        "any(|q| accepts[q] && possible(q))",
        "any(|q| accepts[q] || possible(q))",
    ),
    mutant(
        Test::Hunt,
        "hunt: states that were possible stay so",
        WALK,
        "let mut after = 0;",
        "let mut after = self.here.set;",
    ),
    mutant(
        Test::Hunt,
        "hunt: a component without all marks is good",
        COMPASS,
        "if known.has_accepting_cycle(q) { 0 }",
        "if known.marks(known.component(q)).is_some() { 0 }",
    ),
    mutant(
        Test::Hunt,
        "hunt: fireable atoms are not read again",
        FIELD,
        "inputs.for_each(|(p, _)| seen[p.index()] = true);",
        "inputs.for_each(|(p, _)| seen[p.index()] = false);",
    ),
    mutant(
        Test::Hunt,
        "hunt: an atom that was true stays true",
        LETTERS,
        "let mut letter = old & !touched;",
        "let mut letter = old;",
    ),
    mutant(
        Test::Hunt,
        "hunt: dives leave the last edge out",
        GUIDED,
        "if cursor.major == count {",
        "if cursor.major + 1 >= count {",
    ),
    mutant(
        Test::Hunt,
        "hunt: a marking that grows in one place only covers",
        GROWTH,
        "layout.fields().iter().all(|f| f.get(large) >= f.get(small))",
        "layout.fields().iter().any(|f| f.get(large) > f.get(small))",
    ),
    mutant(
        Test::Hunt,
        "hunt: sums may grow past their bound",
        GROWTH,
        "{ change <= 0 } else { change >= 0 }",
        "{ change <= 1 } else { change >= 0 }",
    ),
    mutant(
        Test::Replay,
        "replay: sums may grow past their bound",
        REPLAY,
        "grows == 0 || (grows < 0) == linear.eval(marking)",
        "grows == 0 || (grows < 0) == linear.eval(marking) || linear.eval(marking)",
    ),
    mutant(
        Test::Replay,
        "replay: a place that grows starves a transition",
        REPLAY,
        "growth[p.index()] == 0 && marking[p.index()] < w",
        "marking[p.index()] < w",
    ),
];
