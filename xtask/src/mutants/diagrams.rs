//! Planted bugs: decision diagrams and the state space by saturation.

use super::{Mutant, Test, mutant};

const SETS: &str = "crates/brine-dd/src/set_ops.rs";
const CACHE: &str = "crates/brine-dd/src/cache.rs";
const GC: &str = "crates/brine-dd/src/gc.rs";
const SATURATE: &str = "crates/brine-sat/src/saturate.rs";

pub(super) const MUTANTS: [Mutant; 15] = [
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
        "self.set_cache.put(SUBSET, a.0, b.0, if included",
        "self.set_cache.put(SUBSET, b.0, a.0, if included",
    ),
    mutant(
        Test::Diagrams,
        "difference shares its cache entries with union",
        SETS,
        "const MINUS: u32 = 2;",
        "const MINUS: u32 = 0;",
    ),
    mutant(
        Test::Diagrams,
        "cache: the operation is no part of the key",
        CACHE,
        "if e.op == op && e.a == a && e.b == b {",
        "if e.op != u32::MAX && e.a == a && e.b == b {",
    ),
    mutant(
        Test::Diagrams,
        "garbage: the cache remembers results that are gone",
        GC,
        "live(NodeId(a)) && live(NodeId(b)) && live(r));",
        "live(NodeId(a)) && live(NodeId(b)));",
    ),
    mutant(
        Test::Diagrams,
        "garbage: the cache remembers operands that are gone",
        GC,
        "live(NodeId(a)) && live(NodeId(b)) && live(r));",
        "live(NodeId(a)) && live(r));",
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
        "garbage: results of saturation that are gone are remembered",
        GC,
        "|| live(NodeId(b))) && live(r)",
        "|| live(NodeId(b)))",
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
        SATURATE,
        "lowest = lowest.min(at);",
        "",
    ),
    mutant(
        Test::Saturation,
        "saturation: children are not saturated first",
        SATURATE,
        "let child = self.saturate(n.down, Level(level.0 - 1))?;",
        "let child = n.down;",
    ),
    mutant(
        Test::Saturation,
        "saturation: the key of a node being fired may be collected",
        SATURATE,
        "self.dd.protect(node);\n        let base = self.frames.open(&self.dd, node);",
        "let base = self.frames.open(&self.dd, node);",
    ),
    mutant(
        Test::Saturation,
        "saturation: images are not saturated",
        SATURATE,
        "let result = self.fire_node(image, level)?;",
        "let result = image;",
    ),
];
