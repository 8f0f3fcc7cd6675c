//! Bugs planted in the state-vector interface.

use super::{Mutant, Test, mutant};

const LDD_NEXT: &str = "crates/brine-pins/src/ldd_next.rs";
const LEARN: &str = "crates/brine-pins/src/learn.rs";
const MODEL: &str = "crates/brine-pins/src/gcl/model.rs";
const CHECK: &str = "crates/brine-pins/src/ltl/check.rs";
const HULL: &str = "crates/brine-pins/src/ltl/hull.rs";
const LABELS: &str = "crates/brine-pins/src/labels.rs";
const PRODUCT: &str = "crates/brine-pins/src/ltl/product.rs";

/// Each is one mistake in one idea.
pub(super) const MUTANTS: [Mutant; 18] = [
    mutant(
        Test::Pins,
        "ldd-next: the copy symbol is written",
        LDD_NEXT,
        "return Some((moves.value, Rest::Row(moves.next, relation)));",
        "let copied = moves.dependency == Dependency::MayWrite;
            let value = if copied { COPY } else { moves.value };
            return Some((value, Rest::Row(moves.next, relation)));",
    ),
    mutant(
        Test::Pins,
        "ldd-next: the rest of the row is missing from the cache key",
        LDD_NEXT,
        ".and(tail.raw())",
        ".and(tail.raw() & 0)",
    ),
    mutant(
        Test::Pins,
        "saturate: only the value 0 is learned from",
        "crates/brine-pins/src/saturate.rs",
        "self.learn_below(group, moves.value, below, depth)?;",
        "if moves.value == 0 {
            self.learn_below(group, moves.value, below, depth)?;
        }",
    ),
    mutant(
        Test::Pins,
        "learn: what a member does not write becomes 0",
        LEARN,
        "chain(new.or(old))",
        "chain(new.or(Some(0)))",
    ),
    mutant(
        Test::Pins,
        "learn: only the first of merged groups is asked",
        LEARN,
        "for member in &self.members {",
        "for member in self.members.iter().take(1) {",
    ),
    mutant(
        Test::Pins,
        "learn: values on may-write levels are not shifted",
        LEARN,
        "value.checked_add(1).ok_or(\"4294967295 does not fit\")?",
        "value",
    ),
    mutant(
        Test::Pins,
        "project: one value stands for all of a level that is not read",
        "crates/brine-pins/src/project.rs",
        "result = self.dd.union(result, below)?;",
        "result = below;",
    ),
    mutant(
        Test::Pins,
        "collect: relations are no roots",
        "crates/brine-pins/src/explorer.rs",
        "flat_map(|g| [g.asked, g.relation])",
        "map(|g| g.asked)",
    ),
    mutant(
        Test::Pins,
        "regroup: a copy lies below a must-write",
        "crates/brine-pins/src/matrix.rs",
        "(Copy, Read | MayWrite | ReadWrite)",
        "(Copy, Read | MustWrite | MayWrite | ReadWrite)",
    ),
    mutant(
        Test::Pins,
        "guarded commands: indices are not read",
        MODEL,
        "read.extend(index.reads());",
        "",
    ),
    mutant(
        Test::PinsLtl,
        "product: the automaton reads any letter",
        PRODUCT,
        "if targets.peek().is_some() && reading.holds(self, reads)? {",
        "if targets.peek().is_some() {",
    ),
    mutant(
        Test::PinsLtl,
        "product: the model fires before the automaton has read",
        PRODUCT,
        "Half::Fire(group) if phase == FIRE => {
                self.model.next",
        "Half::Fire(group) => {
                self.model.next",
    ),
    mutant(
        Test::PinsLtl,
        "product: half a step counts as a state of the product",
        PRODUCT,
        "phase == READ\n    }",
        "phase == READ || phase == FIRE\n    }",
    ),
    mutant(
        Test::PinsLtl,
        "hull: one round is enough",
        HULL,
        "if hull == before || hull == NodeId::EMPTY {",
        "if before != NodeId::EMPTY {",
    ),
    mutant(
        Test::PinsLtl,
        "dead states: every one is a violation",
        CHECK,
        "|values| product.accepts_for_ever(&slots, values)",
        "|values| Ok(product.accepts_for_ever(&slots, values)? || true)",
    ),
    mutant(
        Test::Models,
        "lasso: a cycle visits the first fair set only",
        "crates/brine-pins/src/ltl/lasso.rs",
        "for set in 0..self.product.fair_sets() {",
        "for set in 0..self.product.fair_sets().min(1) {",
    ),
    mutant(
        Test::Models,
        "labels: only the first group of an atom is asked",
        LABELS,
        "Meaning::AnyFires(looks) => self.any_fires(looks, values),",
        "Meaning::AnyFires(looks) => self.any_fires(&looks[..1], values),",
    ),
    mutant(
        Test::Models,
        "labels: a group is asked about the first slots that the atom reads",
        LABELS,
        "slots.iter().filter_map(|s| reads.binary_search(s).ok()).collect()",
        "(0..slots.len().min(reads.len())).collect()",
    ),
];
