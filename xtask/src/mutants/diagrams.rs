//! Planted bugs: decision diagrams and the state space by saturation.

use super::{Mutant, Test, mutant};

const SETS: &str = "crates/brine-dd/src/set_ops.rs";
const CACHE: &str = "crates/brine-dd/src/cache.rs";
const GC: &str = "crates/brine-dd/src/gc.rs";
const DRIVER: &str = "crates/brine-sat/src/driver.rs";
const CONSTRAINED: &str = "crates/brine-sat/src/constrained.rs";

pub(super) const MUTANTS: [Mutant; 18] = [
    mutant(
        Test::Diagrams,
        "intersection: a rest that only one has belongs to both",
        SETS,
        "break if x == y { x } else { NodeId::EMPTY };",
        "break x;",
    ),
    mutant(
        Test::Diagrams,
        "inclusion: what was once found out holds the other way, too",
        SETS,
        "self.set_cache.put(key, if included",
        "self.set_cache.put(Key::with_node(SetOp::Subset, b, a), if included",
    ),
    mutant(
        Test::Diagrams,
        "difference shares its cache entries with union",
        SETS,
        "Key::with_node(SetOp::Minus, a, b)",
        "Key::with_node(SetOp::Union, a, b)",
    ),
    mutant(
        Test::Diagrams,
        "cache: the operation is no part of the key",
        CACHE,
        "if e.key.op == key.op && e.key.a == key.a && e.key.b == key.b {",
        "if e.key.op != u32::MAX && e.key.a == key.a && e.key.b == key.b {",
    ),
    mutant(
        Test::Diagrams,
        "garbage: the cache remembers results that are gone",
        CACHE,
        "!(e.key.is_live(&live) && live(NodeId(e.result)))",
        "!e.key.is_live(&live)",
    ),
    mutant(
        Test::Diagrams,
        "garbage: the cache remembers operands that are gone",
        CACHE,
        "live(NodeId(self.a)) && (number || live(NodeId(self.b)))",
        "live(NodeId(self.a)) || number",
    ),
    mutant(Test::Diagrams, "garbage: children are not marked", GC, "stack.push(n.down);", ""),
    mutant(
        Test::Diagrams,
        "table: swept nodes are still found",
        "crates/brine-dd/src/table.rs",
        "self.slots.fill(0);",
        "",
    ),
    mutant(
        Test::Running,
        "attempts: the first in time decides",
        "crates/brine-run/src/side_by_side.rs",
        "if decided && i < needed {",
        "if decided {",
    ),
    mutant(
        Test::Saturation,
        "garbage: nodes are remembered as saturated that are gone",
        CACHE,
        "live(NodeId(self.a)) && (number || live(NodeId(self.b)))",
        "number || live(NodeId(self.a)) && live(NodeId(self.b))",
    ),
    mutant(
        Test::Saturation,
        "frames: a slot that grows is not looked at again",
        "crates/brine-dd/src/frames.rs",
        "self.slots[base + i] = Slot { value, node: new, dirty: true };",
        "self.slots[base + i] = Slot { value, node: new, dirty: false };",
    ),
    mutant(
        Test::Saturation,
        "saturation: slots before the one that fires are not fired again",
        DRIVER,
        "lowest = lowest.min(at);",
        "",
    ),
    mutant(
        Test::Saturation,
        "saturation: children are not saturated first",
        DRIVER,
        "let child = saturate(s, n.down, child_under, level.below())?;",
        "let _ = child_under;
        let child = n.down;",
    ),
    mutant(
        Test::Saturation,
        "saturation: the key of a node being fired may be collected",
        DRIVER,
        "let depth = protect(s, node);\n    let (dd, frames) = s.parts();",
        "let (dd, frames) = s.parts();\n    let depth = dd.protected_len();",
    ),
    mutant(
        Test::Saturation,
        "saturation: images are not saturated",
        DRIVER,
        "let result = fire_node(s, image, s.target(rest), level)?;",
        "let result = image;",
    ),
    mutant(
        Test::Saturation,
        "constrained: what a step leaves alone need not lie in the constraint",
        CONSTRAINED,
        "Some(image) => Ok(Some(self.relation.parts().0.intersect(image, within)?)),",
        "Some(image) => Ok(Some(image)),",
    ),
    mutant(
        Test::Saturation,
        "constrained: what a step leaves alone is saturated already",
        CONSTRAINED,
        "driver::saturate(self, image, under, level)",
        "let _ = (under, level);
        Ok(image)",
    ),
    mutant(
        Test::Saturation,
        "constrained: a long constraint is looked up by position",
        CONSTRAINED,
        "arcs.binary_search_by_key(&value, |a| a.0).ok().map(|i| arcs[i].1)",
        "arcs.get(value as usize).map(|a| a.1)",
    ),
];
