//! Bugs planted in partial-order reduction: in each family of provisos, in each rule of stubborn
//! sets, and in the conditions of their use.

use super::{Mutant, Test, mutant};

const DANGER: &str = "crates/brine-explicit/src/provisos/danger.rs";
const SEARCH: &str = "crates/brine-explicit/src/provisos/search.rs";
const QUEUE: &str = "crates/brine-explicit/src/provisos/queue.rs";
const FATES: &str = "crates/brine-explicit/src/provisos/fates.rs";
const STUBBORN: &str = "crates/brine-explicit/src/stubborn/mod.rs";
const TABLES: &str = "crates/brine-explicit/src/stubborn/tables.rs";
const NEEDS: &str = "crates/brine-explicit/src/stubborn/needs.rs";
const COMPONENTS: &str = "crates/brine-explicit/src/stubborn/components.rs";
const VISIBLE: &str = "crates/brine-explicit/src/stubborn/visible.rs";
const POR: &str = "crates/brine-explicit/src/por.rs";

/// Each is one mistake in one idea.
pub(super) const MUTANTS: [Mutant; 30] = [
    mutant(
        Test::Provisos,
        "proviso Source: self-loops are forgotten",
        DANGER,
        "(Danger::Stack, _) if !dest.is_on_stack() => Ok(()),",
        "(Danger::Stack, _) if !dest.is_on_stack() || target == s => Ok(()),",
    ),
    mutant(
        Test::Provisos,
        "proviso CondSource: the initial state counts as expanded",
        DANGER,
        "if !dest.is_on_stack() || dest.expanded => Ok(())",
        "if !dest.is_on_stack() || dest.expanded || dest.depth == 1 => Ok(())",
    ),
    mutant(
        Test::Provisos,
        "proviso Dest: the initial state is not expanded",
        SEARCH,
        "let dangerous = state.mark &&",
        "let dangerous = state.mark && state.depth > 1 &&",
    ),
    mutant(
        Test::Provisos,
        "proviso CondDest: the parent counts as marked",
        DANGER,
        "(Danger::Cond, End::Dest) if source.mark => Ok(()),",
        "(Danger::Cond, End::Dest) if source.mark || dest.depth + 1 == source.depth => Ok(()),",
    ),
    mutant(
        Test::Provisos,
        "proviso Colored: a red child leaves its parent orange",
        DANGER,
        "self.turn_purple(s)?;\n        match self.highlink(child)? {",
        "match self.highlink(child)? {",
    ),
    mutant(
        Test::Provisos,
        "proviso Weighted: weights off by one",
        SEARCH,
        "is_none_or(|&e| e < depth)",
        "is_none_or(|&e| e + 1 < depth)",
    ),
    mutant(
        Test::Provisos,
        "proviso Weighted: red states are no danger",
        DANGER,
        "} else if self.links.is_none() {\n            return self.expand();",
        "} else if self.links.is_none() {\n            return Ok(());",
    ),
    mutant(
        Test::Provisos,
        "proviso Deepest: the highest instead of the deepest",
        DANGER,
        "depth_of(t) > depth_of(stack_state)",
        "depth_of(t) < depth_of(stack_state)",
    ),
    mutant(
        Test::Provisos,
        "proviso Unknown: the first known successor is lost",
        SEARCH,
        "for i in first..self.deferred.len()",
        "for i in first + 1..self.deferred.len()",
    ),
    mutant(
        Test::Provisos,
        "proviso Known: only the last known successor is looked at",
        SEARCH,
        "        if live.end == End::Dest && live.sorted && target != s {",
        "        if live.end == End::Source && live.sorted && self.top().next > 0 {\n            return Ok(());\n        }\n        if live.end == End::Dest && live.sorted && target != s {",
    ),
    mutant(
        Test::Provisos,
        "proviso Scan: states that wait for others become green",
        SEARCH,
        "if state.colour != Colour::Orange || !self.waits_only_for_child(i)? {",
        "if state.colour != Colour::Orange {",
    ),
    mutant(
        Test::Provisos,
        "proviso Dead: edges do not join components",
        SEARCH,
        "components.join(target);",
        "let _ = components;",
    ),
    mutant(
        Test::Provisos,
        "proviso Highlink: nothing is inherited",
        DANGER,
        "if deep != high {",
        "if deep != high && frame.link == Some(to) {",
    ),
    mutant(
        Test::Provisos,
        "proviso Highlink: the highest link instead of the deepest",
        DANGER,
        "if self.states.get(old).depth > self.states.get(to).depth {",
        "if self.states.get(old).depth < self.states.get(to).depth {",
    ),
    mutant(
        Test::Provisos,
        "proviso C2S_s: any other state will do",
        SEARCH,
        "if !state.is_on_stack() || relies {",
        "if t != s || relies {",
    ),
    mutant(
        Test::Provisos,
        "proviso C2S_e: any expanded state on the stack will do",
        SEARCH,
        "!self.none_expanded_below(state.depth)",
        "!self.none_expanded_below(1)",
    ),
    mutant(
        Test::Provisos,
        "proviso C2L_q: a state counts as behind itself",
        QUEUE,
        "at > position.get(s)",
        "at >= position.get(s)",
    ),
    mutant(
        Test::Provisos,
        "proviso Acyclic: the walk ends after one step",
        FATES,
        "Fate::Reduced if self.seen.insert(target)",
        "Fate::Reduced if from == s && self.seen.insert(target)",
    ),
    mutant(
        Test::Provisos,
        "proviso Acyclic: safe in spite of undecided states",
        FATES,
        "Fate::Undecided => open = true,",
        "Fate::Undecided => open = from == s,",
    ),
    mutant(
        Test::Provisos,
        "proviso Delegate: chains are not followed",
        FATES,
        "if self.end_of_chain(target, lts.meter())? != s {",
        "if target != s {",
    ),
    mutant(
        Test::Units,
        "stubborn: readers do not conflict with takers",
        TABLES,
        "[|a| a.taken > 0, |a|",
        "[|a| a.taken > a.put, |a|",
    ),
    mutant(
        Test::Units,
        "stubborn: producers that need what is there are left out",
        NEEDS,
        "producer.needs <= self.tokens(p)",
        "producer.needs < self.tokens(p)",
    ),
    mutant(
        Test::Units,
        "stubborn: visible transitions are not drawn in",
        NEEDS,
        "i == list.len() && self.visible.has(t)",
        "i > list.len() && self.visible.has(t)",
    ),
    mutant(
        Test::Units,
        "stubborn: a visible key will do",
        STUBBORN,
        "first_invisible.is_none() || !self.visible.has(t)",
        "first_invisible.is_none() || self.tables.steps() > 0 || !self.visible.has(t)",
    ),
    mutant(
        Test::Units,
        "stubborn: weak members draw in nothing",
        TABLES,
        "                self.weak.items.push(self.consumers(p));\n",
        "",
    ),
    mutant(
        Test::Units,
        "stubborn: components below are forgotten",
        COMPONENTS,
        "above.heavy |= heavy;",
        "above.heavy |= heavy && above.low > u32::MAX - 1;",
    ),
    mutant(
        Test::Por,
        "reduction: fireability watches no place",
        VISIBLE,
        "watched[p.index()] = true",
        "watched[p.index()] = false",
    ),
    mutant(
        Test::Por,
        "reduction: used for every formula",
        POR,
        "Some(false) => return Err(\"the formula is not stutter-invariant\"),",
        "Some(false) => (),",
    ),
    mutant(
        Test::Por,
        "reduction: safety rules for liveness",
        POR,
        "Promise::Liveness => Proviso::OnTheFly { live: true },",
        "Promise::Liveness => Proviso::OnTheFly { live: false },",
    ),
    mutant(
        Test::Por,
        "reduction: deadlock is an atom like others",
        VISIBLE,
        "if only { Sight::Deadlocks } else { Sight::All }",
        "if only { Sight::Deadlocks } else { Sight::Some(Vec::new()) }",
    ),
];
