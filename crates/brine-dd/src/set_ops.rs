//! Union, intersection, difference, inclusion, membership.
//!
//! Each operation has the same six steps: terminal cases, cache look-up, cofactors
//! (a merge of two ascending lists), recursion into `down`, make nodes, cache insert.
//! Lists are merged with a loop; only `down` recurses, so depth is the number of
//! levels. The merge stops as soon as the rest of the result is known to be the rest
//! of one operand, and shares it.

use crate::cache::{Key, Operator};
use crate::manager::Dd;
use crate::table::NodeId;
use brine_run::Stop;

/// The operations in the cache of the set algebra.
#[derive(Clone, Copy)]
enum SetOp {
    Union,
    Intersect,
    Minus,
    Subset,
}

impl Operator for SetOp {
    #[inline]
    fn tag(self) -> u32 {
        self as u32
    }
}

impl Dd {
    /// `a ∪ b`
    pub fn union(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        if a == b || b == NodeId::EMPTY {
            return Ok(a);
        }
        if a == NodeId::EMPTY {
            return Ok(b);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let key = Key::with_node(SetOp::Union, a, b);
        if let Some(r) = self.set_cache.get(key) {
            return Ok(r);
        }
        let base = self.scratch.len();
        let (mut x, mut y) = (a, b);
        let rest = loop {
            if x == y || y == NodeId::EMPTY {
                break x;
            }
            if x == NodeId::EMPTY {
                break y;
            }
            let (nx, ny) = (self.node(x), self.node(y));
            if nx.value < ny.value {
                self.scratch.push((nx.value, nx.down));
                x = nx.right;
            } else if nx.value > ny.value {
                self.scratch.push((ny.value, ny.down));
                y = ny.right;
            } else {
                let down = self.union(nx.down, ny.down)?;
                self.scratch.push((nx.value, down));
                x = nx.right;
                y = ny.right;
            }
        };
        let r = self.finish_list(base, rest)?;
        self.set_cache.put(key, r);
        Ok(r)
    }

    /// `a ∩ b`
    pub fn intersect(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        if a == b {
            return Ok(a);
        }
        if a == NodeId::EMPTY || b == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let key = Key::with_node(SetOp::Intersect, a, b);
        if let Some(r) = self.set_cache.get(key) {
            return Ok(r);
        }
        let base = self.scratch.len();
        let (mut x, mut y) = (a, b);
        let rest = loop {
            if x == y || y == NodeId::EMPTY {
                break if x == y { x } else { NodeId::EMPTY };
            }
            if x == NodeId::EMPTY {
                break NodeId::EMPTY;
            }
            let (nx, ny) = (self.node(x), self.node(y));
            if nx.value < ny.value {
                x = nx.right;
            } else if nx.value > ny.value {
                y = ny.right;
            } else {
                let down = self.intersect(nx.down, ny.down)?;
                self.scratch.push((nx.value, down));
                x = nx.right;
                y = ny.right;
            }
        };
        let r = self.finish_list(base, rest)?;
        self.set_cache.put(key, r);
        Ok(r)
    }

    /// `a \ b`
    pub fn minus(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        if a == b || a == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        if b == NodeId::EMPTY {
            return Ok(a);
        }
        let key = Key::with_node(SetOp::Minus, a, b);
        if let Some(r) = self.set_cache.get(key) {
            return Ok(r);
        }
        let base = self.scratch.len();
        let (mut x, mut y) = (a, b);
        let rest = loop {
            if x == y || x == NodeId::EMPTY {
                break NodeId::EMPTY;
            }
            if y == NodeId::EMPTY {
                break x;
            }
            let (nx, ny) = (self.node(x), self.node(y));
            if nx.value < ny.value {
                self.scratch.push((nx.value, nx.down));
                x = nx.right;
            } else if nx.value > ny.value {
                y = ny.right;
            } else {
                let down = self.minus(nx.down, ny.down)?;
                self.scratch.push((nx.value, down));
                x = nx.right;
                y = ny.right;
            }
        };
        let r = self.finish_list(base, rest)?;
        self.set_cache.put(key, r);
        Ok(r)
    }

    /// `a ⊆ b`; makes no nodes, so it cannot run out of anything.
    pub fn is_subset(&mut self, a: NodeId, b: NodeId) -> bool {
        if a == b || a == NodeId::EMPTY {
            return true;
        }
        if b == NodeId::EMPTY {
            return false;
        }
        let key = Key::with_node(SetOp::Subset, a, b);
        if let Some(r) = self.set_cache.get(key) {
            return r == NodeId::UNIT;
        }
        let (mut x, mut y) = (a, b);
        let included = loop {
            if x == y || x == NodeId::EMPTY {
                break true;
            }
            if y == NodeId::EMPTY {
                break false;
            }
            let (nx, ny) = (self.node(x), self.node(y));
            if nx.value < ny.value {
                break false;
            }
            if nx.value == ny.value {
                if !self.is_subset(nx.down, ny.down) {
                    break false;
                }
                x = nx.right;
            }
            y = ny.right;
        };
        self.set_cache.put(key, if included { NodeId::UNIT } else { NodeId::EMPTY });
        included
    }

    /// `vector ∈ set`
    pub fn contains(&self, set: NodeId, vector: &[u32]) -> bool {
        let mut at = set;
        for &value in vector {
            match self.child(at, value) {
                Some(down) => at = down,
                None => return false,
            }
        }
        at == NodeId::UNIT
    }

    /// What follows `value` in the list that starts at `id`.
    pub fn child(&self, id: NodeId, value: u32) -> Option<NodeId> {
        self.arcs(id).take_while(|a| a.0 <= value).find(|a| a.0 == value).map(|a| a.1)
    }

    /// Forgets half-built lists after an operation was aborted.
    pub fn recover(&mut self) {
        self.scratch.clear();
        self.protected.clear();
    }
}
