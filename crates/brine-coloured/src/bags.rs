//! Multisets of colours that share what they have in common.
//!
//! A marking may hold a hundred thousand tokens of different colours, and a step changes two of
//! them. So a multiset is a binary trie over the bits of its colours, highest first (Patricia:
//! branches only where colours differ), whose nodes are stored once. Changing one count makes a
//! node for each branch above it and shares the rest.
//!
//! Invariant: equal multisets have equal numbers. The shape of a trie depends on its colours
//! alone, a leaf has a count above zero, and equal nodes are interned: so equality is a
//! comparison of numbers, and the difference of two multisets costs what differs. Every node
//! knows its tokens, so the sum over all colours is read off the root.
//!
//! Cost: about as many steps as a colour has bits where others branch off, for a look-up and
//! for a change; 50 bytes a node.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Number of a multiset in its [`Bags`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BagId(pub u32);

impl BagId {
    /// The empty multiset.
    pub const EMPTY: BagId = BagId(0);
}

/// Bytes that a node takes, with its share of the table.
pub const BYTES_PER_NODE: u64 = 52;

/// A leaf (both children empty) or a branch (none is).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct BagNode {
    /// Of a leaf, its colour. Of a branch, the bits that its colours share, then a one where
    /// they differ first, then zeros.
    key: u64,
    /// Its tokens.
    total: u64,
    left: BagId,
    right: BagId,
}

impl BagNode {
    fn is_leaf(&self) -> bool {
        self.left == BagId::EMPTY
    }

    /// The bit on which a branch branches.
    fn bit(&self) -> u32 {
        self.key.trailing_zeros()
    }

    /// Whether a branch has a place for a colour.
    fn admits(&self, colour: u64) -> bool {
        (colour ^ self.key) >> self.bit() <= 1
    }

    fn child(&self, colour: u64) -> BagId {
        if colour >> self.bit() & 1 == 1 { self.right } else { self.left }
    }
}

/// More tokens than can be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyTokens;

/// A store of multisets.
#[derive(Clone, Debug)]
pub struct Bags {
    nodes: IndexSet<BagNode, FxBuildHasher>,
}

impl Default for Bags {
    fn default() -> Self {
        let mut nodes = IndexSet::default();
        nodes.insert(BagNode { key: 0, total: 0, left: BagId::EMPTY, right: BagId::EMPTY });
        Bags { nodes }
    }
}

impl Bags {
    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all but the first so many nodes, and so all multisets made since there were no more.
    pub fn truncate(&mut self, nodes: usize) {
        self.nodes.truncate(nodes.max(1));
    }

    fn node(&self, bag: BagId) -> BagNode {
        self.nodes[bag.0 as usize]
    }

    /// The tokens of a multiset, of all colours.
    pub fn total(&self, bag: BagId) -> u64 {
        self.node(bag).total
    }

    /// The tokens of one colour.
    pub fn count(&self, bag: BagId, colour: u64) -> u64 {
        let mut at = bag;
        while at != BagId::EMPTY {
            let node = self.node(at);
            if node.is_leaf() {
                return if node.key == colour { node.total } else { 0 };
            }
            if !node.admits(colour) {
                return 0;
            }
            at = node.child(colour);
        }
        0
    }

    /// The multiset with another count of one colour. Recursion: at most one call for each bit.
    pub fn with(&mut self, bag: BagId, colour: u64, count: u64) -> Result<BagId, TooManyTokens> {
        debug_assert!(colour < 1 << 63, "a layout has fewer colours");
        if bag == BagId::EMPTY {
            return Ok(self.leaf(colour, count));
        }
        let node = self.node(bag);
        if node.is_leaf() && node.key == colour {
            return Ok(self.leaf(colour, count));
        }
        if node.is_leaf() || !node.admits(colour) {
            if count == 0 {
                return Ok(bag);
            }
            let bit = 63 - (node.key ^ colour).leading_zeros();
            let key = (colour >> bit | 1) << bit;
            let new = self.leaf(colour, count);
            let (left, right) = if colour >> bit & 1 == 1 { (bag, new) } else { (new, bag) };
            return self.branch(key, left, right);
        }
        let child = self.with(node.child(colour), colour, count)?;
        let right = colour >> node.bit() & 1 == 1;
        match (child, right) {
            (BagId::EMPTY, true) => Ok(node.left),
            (BagId::EMPTY, false) => Ok(node.right),
            (child, true) => self.branch(node.key, node.left, child),
            (child, false) => self.branch(node.key, child, node.right),
        }
    }

    fn leaf(&mut self, key: u64, total: u64) -> BagId {
        if total == 0 {
            return BagId::EMPTY;
        }
        self.intern(BagNode { key, total, left: BagId::EMPTY, right: BagId::EMPTY })
    }

    fn branch(&mut self, key: u64, left: BagId, right: BagId) -> Result<BagId, TooManyTokens> {
        debug_assert!(left != BagId::EMPTY && right != BagId::EMPTY, "a branch has two sides");
        let total = self.total(left).checked_add(self.total(right)).ok_or(TooManyTokens)?;
        Ok(self.intern(BagNode { key, total, left, right }))
    }

    fn intern(&mut self, node: BagNode) -> BagId {
        BagId(self.nodes.insert_full(node).0 as u32)
    }

    /// All colours with their counts, ascending.
    pub fn each(&self, bag: BagId, f: &mut impl FnMut(u64, u64)) {
        let mut stack = vec![bag];
        while let Some(at) = stack.pop().filter(|&at| at != BagId::EMPTY) {
            let node = self.node(at);
            if node.is_leaf() {
                f(node.key, node.total);
            } else {
                stack.extend([node.right, node.left]);
            }
        }
    }

    /// The colours whose counts differ, with the count in `old` and that in `new`.
    pub fn differences(&self, old: BagId, new: BagId, f: &mut impl FnMut(u64, u64, u64)) {
        let mut stack = vec![(old, new)];
        while let Some((a, b)) = stack.pop() {
            if a == b {
                continue;
            }
            if a == BagId::EMPTY {
                self.each(b, &mut |colour, count| f(colour, 0, count));
                continue;
            }
            if b == BagId::EMPTY {
                self.each(a, &mut |colour, count| f(colour, count, 0));
                continue;
            }
            let (x, y) = (self.node(a), self.node(b));
            if x.key == y.key && x.is_leaf() && y.is_leaf() {
                f(x.key, x.total, y.total);
            } else if x.key == y.key && !x.is_leaf() && !y.is_leaf() {
                stack.extend([(x.right, y.right), (x.left, y.left)]);
            } else if Self::lies_below(&y, &x) {
                let right = y.key >> x.bit() & 1 == 1;
                let (other, same) = if right { (x.left, x.right) } else { (x.right, x.left) };
                stack.extend([(other, BagId::EMPTY), (same, b)]);
            } else if Self::lies_below(&x, &y) {
                let right = x.key >> y.bit() & 1 == 1;
                let (other, same) = if right { (y.left, y.right) } else { (y.right, y.left) };
                stack.extend([(BagId::EMPTY, other), (a, same)]);
            } else {
                stack.extend([(a, BagId::EMPTY), (BagId::EMPTY, b)]);
            }
        }
    }

    /// Whether all colours of a node have their place below one side of a branch.
    fn lies_below(node: &BagNode, branch: &BagNode) -> bool {
        !branch.is_leaf()
            && branch.admits(node.key)
            && (node.is_leaf() || node.bit() < branch.bit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::Rng;
    use std::collections::BTreeMap;

    /// Random changes of several multisets against ordered maps: counts, sums, order, equality
    /// and differences.
    #[test]
    fn multisets_are_maps_and_equal_ones_have_equal_numbers() {
        let mut rng = Rng::new(7);
        for round in 0..200 {
            let mut bags = Bags::default();
            let wide = [6, 40, 1 << 20, u32::MAX][round % 4];
            let mut made: Vec<(BagId, BTreeMap<u64, u64>)> = vec![(BagId::EMPTY, BTreeMap::new())];
            for _ in 0..120 {
                let (bag, mut map) = made[rng.index(made.len())].clone();
                let high = u64::from(rng.below(2)) << 62;
                let colour = u64::from(rng.below(wide)) | (high * u64::from(round % 3 == 0));
                let count = u64::from(rng.below(3));
                map.remove(&colour);
                if count > 0 {
                    map.insert(colour, count);
                }
                let new = bags.with(bag, colour, count).unwrap();
                assert_eq!(bags.total(new), map.values().sum::<u64>());
                assert_eq!(bags.count(new, colour), count);
                let mut listed = Vec::new();
                bags.each(new, &mut |c, n| listed.push((c, n)));
                assert!(listed.iter().copied().eq(map.clone()), "{listed:?} {map:?}");
                made.push((new, map));
            }
            for (a, x) in &made {
                let (b, y) = &made[rng.index(made.len())];
                assert_eq!(a == b, x == y);
                let mut moved = x.clone();
                bags.differences(*a, *b, &mut |colour, old, new| {
                    assert_ne!(old, new);
                    assert_eq!(moved.remove(&colour).unwrap_or(0), old);
                    if new > 0 {
                        moved.insert(colour, new);
                    }
                });
                assert_eq!(moved, *y);
            }
        }
    }

    #[test]
    fn more_tokens_than_can_be_counted_are_an_error() {
        let mut bags = Bags::default();
        let most = bags.with(BagId::EMPTY, 1, u64::MAX).unwrap();
        assert_eq!(bags.with(most, 2, 1), Err(TooManyTokens));
    }
}
