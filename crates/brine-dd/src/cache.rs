//! The lossy computed table.
//!
//! Maps `(op, a, b)` to a node. A new entry overwrites whatever lay in its place, so
//! look-ups cost one memory access and the table needs no upkeep. It starts small and
//! doubles while insertions keep throwing out live entries, up to a limit set by its
//! owner; losing an entry costs time, never correctness.
//!
//! A [`Key`] names an operation and its operands, and must contain *all* that the result
//! depends on. Each client of a cache has one enum of its operations ([`Operator`]), so that
//! two of them cannot be given the same number by accident.

use crate::table::{NodeId, mix};

/// The operations of one client of a [`Cache`]: an enum, whose variants are told apart by
/// their tags. Only one such enum may be used with one cache.
pub trait Operator: Copy {
    /// The number of the variant: different ones differ, and all lie below [`Key::TAGS`].
    fn tag(self) -> u32;
}

/// An operation with its operands: a node, a second node or a number, and perhaps a number
/// below [`Key::THIRD`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The tag in the lowest four bits, the third operand above them, and on top a bit that
    /// tells whether the second operand is a number.
    op: u32,
    a: u32,
    b: u32,
}

impl Key {
    /// Tags lie below this number.
    pub const TAGS: u32 = 1 << 4;
    /// Third operands lie below this number.
    pub const THIRD: u32 = 1 << 27;
    const SECOND_IS_NUMBER: u32 = 1 << 31;

    /// The key of an operation on one node.
    #[inline]
    pub fn of(op: impl Operator, a: NodeId) -> Key {
        Key::with_number(op, a, 0)
    }

    /// The key of an operation on a node and a number.
    #[inline]
    pub fn with_number(op: impl Operator, a: NodeId, b: u32) -> Key {
        debug_assert!(op.tag() < Key::TAGS);
        Key { op: op.tag() | Key::SECOND_IS_NUMBER, a: a.0, b }
    }

    /// The key of an operation on two nodes.
    #[inline]
    pub fn with_node(op: impl Operator, a: NodeId, b: NodeId) -> Key {
        debug_assert!(op.tag() < Key::TAGS);
        Key { op: op.tag(), a: a.0, b: b.0 }
    }

    /// The same key with one more operand.
    ///
    /// # Panics
    /// If it is not below [`Key::THIRD`]: cut off, it would name another result.
    #[inline]
    pub fn and(self, third: u32) -> Key {
        assert!(third < Key::THIRD, "the third operand does not fit into the key");
        debug_assert!(self.op & !Key::SECOND_IS_NUMBER < Key::TAGS, "there are three already");
        Key { op: self.op | third << 4, ..self }
    }

    /// True when `live` holds for all operands that are nodes.
    fn is_live(self, live: impl Fn(NodeId) -> bool) -> bool {
        let number = self.op & Key::SECOND_IS_NUMBER != 0;
        live(NodeId(self.a)) && (number || live(NodeId(self.b)))
    }

    #[inline]
    fn hash(self) -> usize {
        mix(self.op, self.a, self.b) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct CacheEntry {
    key: Key,
    result: u32,
}

/// No client makes this key: its tag and its third operand are the largest there are.
const FREE: CacheEntry = CacheEntry { key: Key { op: u32::MAX, a: 0, b: 0 }, result: 0 };
const INITIAL: usize = 1 << 10;
const MAX: usize = 1 << 26;

/// Look-ups, hits and stores of one cache.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct CacheStats {
    /// Calls of [`Cache::get`].
    pub lookups: u64,
    /// Look-ups that found their key.
    pub hits: u64,
    /// Calls of [`Cache::put`].
    pub stores: u64,
}

/// A direct-mapped, lossy table of results.
#[derive(Debug)]
pub struct Cache {
    entries: Vec<CacheEntry>,
    /// Entries overwritten since the table last grew.
    evictions: usize,
    max_entries: usize,
    stats: CacheStats,
}

impl Default for Cache {
    fn default() -> Self {
        Cache {
            entries: vec![FREE; INITIAL],
            evictions: 0,
            max_entries: MAX,
            stats: CacheStats::default(),
        }
    }
}

impl Cache {
    /// Limits the table to `bytes`, and to a gibibyte.
    pub fn set_max_bytes(&mut self, bytes: usize) {
        self.set_max_entries((bytes / size_of::<CacheEntry>()).min(MAX));
    }

    /// Limits the table to `entries` (rounded down to a power of two, at least one).
    pub fn set_max_entries(&mut self, entries: usize) {
        self.max_entries = 1 << entries.max(1).ilog2();
        if self.entries.len() > self.max_entries {
            self.entries = vec![FREE; self.max_entries];
        }
    }

    /// The result stored for this key, if it is still there.
    #[inline]
    pub fn get(&mut self, key: Key) -> Option<NodeId> {
        self.stats.lookups += 1;
        let e = self.entries[key.hash() & (self.entries.len() - 1)];
        if e.key.op == key.op && e.key.a == key.a && e.key.b == key.b {
            self.stats.hits += 1;
            return Some(NodeId(e.result));
        }
        None
    }

    /// Stores a result; may throw out another one.
    #[inline]
    pub fn put(&mut self, key: Key, result: NodeId) {
        debug_assert!(key.op != FREE.key.op);
        self.stats.stores += 1;
        let at = key.hash() & (self.entries.len() - 1);
        if self.entries[at].key.op != FREE.key.op {
            self.evictions += 1;
            if self.evictions > self.entries.len() / 2 && self.entries.len() < self.max_entries {
                self.grow();
                return self.put(key, result);
            }
        }
        self.entries[at] = CacheEntry { key, result: result.0 };
    }

    fn grow(&mut self) {
        self.evictions = 0;
        debug_assert!(self.entries.len().is_power_of_two(), "positions are masks of hashes");
        let mut entries = vec![FREE; self.entries.len() * 2];
        let mask = entries.len() - 1;
        for e in self.entries.iter().filter(|e| e.key.op != FREE.key.op) {
            entries[e.key.hash() & mask] = *e;
        }
        self.entries = entries;
    }

    /// Drops every entry with an operand or a result that is not `live`.
    pub(crate) fn sweep(&mut self, live: impl Fn(NodeId) -> bool) {
        for e in &mut self.entries {
            if e.key.op != FREE.key.op && !(e.key.is_live(&live) && live(NodeId(e.result))) {
                *e = FREE;
            }
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.entries.fill(FREE);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<CacheEntry>()
    }

    /// Counters since creation.
    pub fn stats(&self) -> CacheStats {
        self.stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Numbered(u32);

    impl Operator for Numbered {
        fn tag(self) -> u32 {
            self.0
        }
    }

    fn key(op: u32, a: u32, b: u32) -> Key {
        Key::with_number(Numbered(op), NodeId(a), b)
    }

    #[test]
    fn a_key_is_found_until_overwritten_and_never_confused() {
        let mut cache = Cache::default();
        cache.set_max_entries(64);
        for a in 2..2000u32 {
            cache.put(key(1, a, a + 1), NodeId(a * 3));
            assert_eq!(cache.get(key(1, a, a + 1)), Some(NodeId(a * 3)));
            assert_eq!(cache.get(key(2, a, a + 1)), None);
            assert_eq!(cache.get(key(1, a, a + 1).and(1)), None);
            assert_eq!(cache.get(Key::with_node(Numbered(1), NodeId(a), NodeId(a + 1))), None);
        }
        for a in 2..2000u32 {
            let found = cache.get(key(1, a, a + 1));
            assert!(found.is_none_or(|r| r == NodeId(a * 3)));
        }
    }

    #[test]
    fn growth_keeps_entries() {
        let mut cache = Cache::default();
        for a in 0..100_000u32 {
            cache.put(key(7, a, 0), NodeId(a));
        }
        let kept = (0..100_000u32).filter(|&a| cache.get(key(7, a, 0)).is_some()).count();
        assert!(kept > 30_000, "{kept} kept");
    }

    /// A number that happens to be the id of a dead node is no reason to forget.
    #[test]
    fn sweeping_looks_at_nodes_alone() {
        let mut cache = Cache::default();
        let (alive, dead) = (NodeId(2), NodeId(3));
        let keys = [
            (Key::with_node(Numbered(0), alive, alive), alive, true),
            (Key::with_node(Numbered(1), alive, dead), alive, false),
            (Key::with_node(Numbered(2), dead, alive), alive, false),
            (Key::with_node(Numbered(3), alive, alive), dead, false),
            (Key::with_number(Numbered(4), alive, dead.0).and(dead.0), alive, true),
        ];
        for (key, result, _) in keys {
            cache.put(key, result);
        }
        cache.sweep(|id| id != dead);
        for (key, _, stays) in keys {
            assert_eq!(cache.get(key).is_some(), stays, "{key:?}");
        }
    }
}
