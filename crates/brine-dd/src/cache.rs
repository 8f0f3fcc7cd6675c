//! The lossy computed table.
//!
//! Maps `(op, a, b)` to a node. A new entry overwrites whatever lay in its place, so
//! look-ups cost one memory access and the table needs no upkeep. It starts small and
//! doubles while insertions keep throwing out live entries, up to a limit set by its
//! owner; losing an entry costs time, never correctness.
//!
//! `op` carries a tag and, for operations with a third operand, that operand: every
//! key must contain *all* that the result depends on.

use crate::table::{NodeId, mix};

#[derive(Clone, Copy, Debug)]
struct Entry {
    op: u32,
    a: u32,
    b: u32,
    result: u32,
}

const FREE: Entry = Entry { op: u32::MAX, a: 0, b: 0, result: 0 };
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
    entries: Vec<Entry>,
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
        self.set_max_entries((bytes / size_of::<Entry>()).min(MAX));
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
    pub fn get(&mut self, op: u32, a: u32, b: u32) -> Option<NodeId> {
        self.stats.lookups += 1;
        let e = self.entries[mix(op, a, b) as usize & (self.entries.len() - 1)];
        if e.op == op && e.a == a && e.b == b {
            self.stats.hits += 1;
            return Some(NodeId(e.result));
        }
        None
    }

    /// Stores a result; may throw out another one.
    #[inline]
    pub fn put(&mut self, op: u32, a: u32, b: u32, result: NodeId) {
        debug_assert!(op != u32::MAX);
        self.stats.stores += 1;
        let at = mix(op, a, b) as usize & (self.entries.len() - 1);
        if self.entries[at].op != u32::MAX {
            self.evictions += 1;
            if self.evictions > self.entries.len() / 2 && self.entries.len() < self.max_entries {
                self.grow();
                return self.put(op, a, b, result);
            }
        }
        self.entries[at] = Entry { op, a, b, result: result.0 };
    }

    fn grow(&mut self) {
        self.evictions = 0;
        let mut entries = vec![FREE; self.entries.len() * 2];
        let mask = entries.len() - 1;
        for e in self.entries.iter().filter(|e| e.op != u32::MAX) {
            entries[mix(e.op, e.a, e.b) as usize & mask] = *e;
        }
        self.entries = entries;
    }

    /// Drops every entry for which `keep(op, a, b, result)` is false.
    pub fn retain(&mut self, keep: impl Fn(u32, u32, u32, NodeId) -> bool) {
        for e in &mut self.entries {
            if e.op != u32::MAX && !keep(e.op, e.a, e.b, NodeId(e.result)) {
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
        self.entries.len() * size_of::<Entry>()
    }

    /// Counters since creation.
    pub fn stats(&self) -> CacheStats {
        self.stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_until_overwritten_and_never_confused() {
        let mut cache = Cache::default();
        cache.set_max_entries(64);
        for a in 2..2000u32 {
            cache.put(1, a, a + 1, NodeId(a * 3));
            assert_eq!(cache.get(1, a, a + 1), Some(NodeId(a * 3)));
            assert_eq!(cache.get(2, a, a + 1), None);
        }
        for a in 2..2000u32 {
            let found = cache.get(1, a, a + 1);
            assert!(found.is_none_or(|r| r == NodeId(a * 3)));
        }
    }

    #[test]
    fn growth_keeps_entries() {
        let mut cache = Cache::default();
        for a in 0..100_000u32 {
            cache.put(7, a, 0, NodeId(a));
        }
        let kept = (0..100_000u32).filter(|&a| cache.get(7, a, 0).is_some()).count();
        assert!(kept > 30_000, "{kept} kept");
    }
}
