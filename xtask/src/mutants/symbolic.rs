//! Bugs planted in the symbolic engine.

use super::{CASES, Mutant, Test, mutant};

const SATURATE: &str = "crates/brine-sat/src/product/saturate.rs";
const PRODUCT: &str = "crates/brine-sat/src/product/mod.rs";

/// Each is one mistake in one idea.
pub(super) const MUTANTS: [Mutant; 16] = [
    // Shows about once in thousands of nets (docs/symbolic.md, accepting cycles).
    Mutant {
        name: "recurring: only new states are fired",
        file: SATURATE,
        from: "let source = self.stack[index].node;",
        to: "let whole = self.stack[index].node;
            let source = self.dd.minus(whole, before)?;",
        more: &[
            (
                SATURATE,
                "let value = self.stack[index].value;\n        let mut lowest = index;\n        \
                 self.prepare(events, value)?;",
                "let value = self.stack[index].value;\n        let mut lowest = index;
                let before = self.stack[index].fired;
                self.stack[index].fired = self.stack[index].node;
                self.prepare(events, value)?;",
            ),
            (
                PRODUCT,
                "Slot { value, node, kept, dirty: true }",
                "Slot { value, node, kept, dirty: true, fired: NodeId::EMPTY }",
            ),
            (PRODUCT, "    dirty: bool,\n}", "    dirty: bool,\n    fired: NodeId,\n}"),
            (PRODUCT, "[s.node, s.kept]", "[s.node, s.kept, s.fired]"),
        ],
        test: Test::Symbolic,
        cases: 60_000,
    },
    Mutant {
        name: "saturate: the residual is missing from a cache key",
        file: SATURATE,
        from: "let key = op::FIRE | u32::from(O::WATCHES);
        if let Some(r) = self.dd.client_cache.get(key, node.raw(), residual.raw()) {",
        to: "let key = op::FIRE | u32::from(O::WATCHES);
        if let Some(r) = self.dd.client_cache.get(key, node.raw(), 0) {",
        more: &[(
            SATURATE,
            "self.dd.client_cache.put(key, node.raw(), residual.raw(), result);",
            "self.dd.client_cache.put(key, node.raw(), residual.raw(), result);
        self.dd.client_cache.put(op::FIRE | u32::from(O::WATCHES), node.raw(), 0, result);",
        )],
        test: Test::Symbolic,
        cases: CASES,
    },
    mutant(
        Test::Symbolic,
        "abstraction: an arc is dropped",
        "crates/brine-scc/src/incremental.rs",
        "self.arcs.push((from, to));",
        "if from <= to {
            self.arcs.push((from, to));
        }",
    ),
    mutant(
        Test::Symbolic,
        "dead: a wrong table of constant words",
        "crates/brine-sat/src/product/control.rs",
        "self.states.iter().map(|(q, _)| accepted[q.index()]).collect()",
        "self.states.iter().map(|_| accepted[0]).collect()",
    ),
    mutant(
        Test::Symbolic,
        "product: transitions without effect are skipped",
        PRODUCT,
        "for tail in events {",
        "for tail in events {
        if model.changes_nothing(tail) {
            continue;
        }",
    ),
    mutant(
        Test::Symbolic,
        "detect: the first fair set is not visited",
        "crates/brine-scc/src/detect.rs",
        "for j in 0..product.control.fair_sets()",
        "for j in 1..product.control.fair_sets()",
    ),
    mutant(
        Test::Symbolic,
        "detect: steps may leave the accepting component",
        "crates/brine-scc/src/incremental.rs",
        "residual: product.inner(residual)",
        "residual",
    ),
    mutant(
        Test::Symbolic,
        "tasks: the automaton reads the source",
        "crates/brine-sat/src/product/tasks.rs",
        "let read = READING.read(source, target);",
        "let read = value;",
    ),
    mutant(
        Test::Symbolic,
        "residual: a sum is decided one token too early",
        "crates/brine-sat/src/product/residual.rs",
        "sum + least > *bound",
        "sum + least >= *bound",
    ),
    mutant(
        Test::Symbolic,
        "control: marks that every cycle has are not always there",
        "crates/brine-sat/src/product/control.rs",
        "let has = |q: StateId, m| m & j != 0 || needed(known, q) & j == 0;",
        "let has = |_: StateId, m| m & j != 0;",
    ),
    mutant(
        Test::Symbolic,
        "must: events that touch levels below count as certain",
        "crates/brine-scc/src/must.rs",
        ".filter(|_| product.is_local(task))",
        "",
    ),
    mutant(
        Test::Symbolic,
        "garbage: what is kept is collected",
        PRODUCT,
        "flat_map(|s| [s.node, s.kept])",
        "map(|s| s.node)",
    ),
    mutant(
        Test::Symbolic,
        "hull: a state may be its own reason",
        "crates/brine-scc/src/hull.rs",
        "let reached = closure(product, region, next)?;",
        "let _ = next;
        let reached = closure(product, region, fair)?;",
    ),
    mutant(
        Test::Symbolic,
        "level sets: members of a level that has some are lost",
        "crates/brine-sat/src/level_sets.rs",
        "members.extend_from_slice(old);",
        "let _ = old;",
    ),
    mutant(
        Test::Symbolic,
        "tailset: those that do not touch a level are lost beside those that do",
        "crates/brine-sat/src/tailset.rs",
        "let base = if to == value { stay } else { SetId::EMPTY };",
        "let base = SetId::EMPTY;",
    ),
    mutant(
        Test::Symbolic,
        "guards: those of lower levels are forgotten",
        "crates/brine-sat/src/guards.rs",
        "let result = self.with(GuardSet(rest), left);",
        "let _ = rest;
        let result = self.with(GuardSet::NONE, left);",
    ),
];
