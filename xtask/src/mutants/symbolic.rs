//! Bugs planted in the symbolic engine.

use super::{Mutant, Test, mutant};

const SATURATE: &str = "crates/brine-sat/src/product/saturate.rs";
const IMAGE: &str = "crates/brine-sat/src/product/image.rs";
const TASKS: &str = "crates/brine-sat/src/product/tasks.rs";
const DRIVER: &str = "crates/brine-sat/src/driver.rs";
const FRAMES: &str = "crates/brine-dd/src/frames.rs";

/// Each is one mistake in one idea.
pub(super) const MUTANTS: [Mutant; 18] = [
    // Shows about once in thousands of nets (docs/symbolic.md, accepting cycles).
    Mutant {
        name: "recurring: only new states are fired",
        file: DRIVER,
        from: "let source = s.parts().1[index].node;",
        to: "let whole = s.parts().1[index].node;
        let source = s.narrow(whole, before)?;",
        more: &[
            (
                DRIVER,
                "frames[index].dirty = false;",
                "frames[index].dirty = false;
    let before = frames[index].fired;
    frames[index].fired = frames[index].node;",
            ),
            (
                DRIVER,
                "    /// The driver goes on below `value`.",
                "    fn narrow(&mut self, whole: NodeId, _: NodeId) -> Result<NodeId, Self::Stop> {
        Ok(whole)
    }

    /// The driver goes on below `value`.",
            ),
            (
                SATURATE,
                "    #[inline]
    fn enter(&mut self",
                "    fn narrow(&mut self, whole: NodeId, before: NodeId) -> Result<NodeId, Halt> {
        Ok(self.product.dd.minus(whole, before)?)
    }

    #[inline]
    fn enter(&mut self",
            ),
            (FRAMES, "    pub dirty: bool,", "    pub dirty: bool,\n    pub fired: NodeId,"),
            (FRAMES, "node, dirty: true }", "node, dirty: true, fired: NodeId::EMPTY }"),
            (
                FRAMES,
                "node: image, dirty: true }",
                "node: image, dirty: true, fired: NodeId::EMPTY }",
            ),
            (
                FRAMES,
                "self.slots[base + i] = Slot { value, node: new, dirty: true };",
                "let fired = self.slots[base + i].fired;
                self.slots[base + i] = Slot { value, node: new, dirty: true, fired };",
            ),
            (
                FRAMES,
                "self.slots.iter().map(|s| s.node)",
                "self.slots.iter().flat_map(|s| [s.node, s.fired])",
            ),
        ],
        test: Test::Symbolic,
        cases: 60_000,
    },
    mutant(
        Test::Symbolic,
        "saturate: the residual is missing from a cache key",
        SATURATE,
        "Key::with_number(ProductOp::new(op, O::WATCHES), node, residual.raw())",
        "let known = if op == Operation::Fire { 0 } else { residual.raw() };
        Key::with_number(ProductOp::new(op, O::WATCHES), node, known)",
    ),
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
        "crates/brine-sat/src/product/events.rs",
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
        "let region = product.inner(region);",
        "",
    ),
    mutant(
        Test::Symbolic,
        "tasks: the automaton reads the source",
        TASKS,
        "let read = if way == Way::Forward { to } else { value };",
        "let read = value;",
    ),
    mutant(
        Test::Product,
        "tasks: backward, states are closed where one comes from",
        TASKS,
        "*above = sources.residuals.step(sources.model, *above, to);",
        "*above = sources.residuals.step(sources.model, *above, value);",
    ),
    mutant(
        Test::Product,
        "image: targets need not lie inside accepting components",
        SATURATE,
        "self.backward || self.product.child_has(level, to, below, Filter::INNER)",
        "let _ = (level, to, below, Filter::INNER);
        true",
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
        "let has = |q: StateId, m| m & j != 0 || c.needed[c.of[q.index()]] & j == 0;",
        "let has = |_: StateId, m| m & j != 0;",
    ),
    mutant(
        Test::Symbolic,
        "must: events that touch levels below count as certain",
        IMAGE,
        "if known && self.events.sets.has_done(rests) {",
        "let _ = rests;
            if known {",
    ),
    mutant(
        Test::Symbolic,
        "garbage: what is kept is collected",
        SATURATE,
        "frames.nodes().chain(kept.nodes())",
        "kept.nodes().take(0).chain(frames.nodes())",
    ),
    mutant(
        Test::Symbolic,
        "hull: a state may be its own reason",
        "crates/brine-scc/src/hull.rs",
        "let reached = product.closure(region, next)?;",
        "let _ = next;
        let reached = product.closure(region, fair)?;",
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
