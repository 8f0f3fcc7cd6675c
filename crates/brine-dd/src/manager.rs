//! The manager: nodes, caches, protected roots and their [`Control`] in one place.
//!
//! Work is counted in *ticks*: nodes looked up in the unique table. At least every 2^15 ticks the control
//! is looked at, so that its limits hold within a fraction of a second at a cost that cannot be
//! measured. A limit of work ends at the same tick on every machine.

use crate::cache::{Cache, CacheStats};
use crate::shape::Growth;
use crate::table::{ListNode, NodeId, NodeTable};
use brine_run::{Control, Stop, resident_bytes};
use std::sync::atomic::Ordering;

/// The most ticks between two looks at the control.
const POLL: u64 = 1 << 15;
/// Ticks before the second look.
const FIRST_POLL: u64 = 64;

/// Counters of a [`Dd`].
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct DdStats {
    /// Nodes alive now (garbage that was not collected yet included).
    pub nodes: usize,
    /// The largest number of nodes alive at any time.
    pub peak_nodes: usize,
    /// Garbage collections so far.
    pub collections: u64,
    /// Calls of `make_node`.
    pub ticks: u64,
    /// The cache of the set algebra.
    pub set_cache: CacheStats,
    /// The cache of the operations that clients define.
    pub client_cache: CacheStats,
}

/// A manager of decision diagrams.
///
/// Node ids stay valid until a call of [`Dd::collect`] that finds them neither
/// protected nor below a protected node; no other operation frees anything.
#[derive(Debug)]
pub struct Dd {
    pub(crate) table: NodeTable,
    pub(crate) set_cache: Cache,
    /// For operations defined by the client (saturation); swept together with the nodes.
    pub client_cache: Cache,
    /// Lists under construction; a stack shared by all recursive operations.
    pub(crate) scratch: Vec<(u32, NodeId)>,
    /// Shadow stack of nodes that must survive a collection.
    pub(crate) protected: Vec<NodeId>,
    pub(crate) control: Control,
    pub(crate) ticks: u64,
    next_poll: u64,
    pub(crate) gc_threshold: usize,
    pub(crate) min_garbage: usize,
    pub(crate) peak: usize,
    pub(crate) collections: u64,
    pub(crate) growth: Growth,
}

impl Default for Dd {
    fn default() -> Self {
        Dd::new(Control::default())
    }
}

impl Dd {
    /// Collections start when this many nodes were made since the last one.
    const MIN_GARBAGE: usize = 1 << 20;

    /// An empty manager that works under a control.
    pub fn new(control: Control) -> Self {
        // Caches grow by themselves: together they may take a quarter of the memory.
        let cache = || {
            let mut cache = Cache::default();
            cache.set_max_bytes(control.resident.map_or(usize::MAX, |b| b as usize) / 8);
            if let Some(entries) = control.upkeep.cache_entries {
                cache.set_max_entries(entries);
            }
            cache
        };
        Dd {
            table: NodeTable::new(),
            set_cache: cache(),
            client_cache: cache(),
            scratch: Vec::new(),
            protected: Vec::new(),
            gc_threshold: control.upkeep.gc_interval.unwrap_or(Self::MIN_GARBAGE),
            min_garbage: control.upkeep.gc_interval.unwrap_or(Self::MIN_GARBAGE),
            control,
            ticks: 0,
            next_poll: 0,
            peak: 0,
            collections: 0,
            growth: Growth::default(),
        }
    }

    /// Replaces the control (ticks go on counting).
    pub fn set_control(&mut self, control: Control) {
        self.control = control;
        self.next_poll = 0;
    }

    /// The control in force.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The node behind an id; terminals have none.
    #[inline]
    pub fn node(&self, id: NodeId) -> ListNode {
        debug_assert!(!id.is_terminal(), "terminals have no parts");
        debug_assert!(self.table.get(id).down != NodeId::EMPTY, "the node was collected");
        self.table.get(id)
    }

    /// The unique node `(value, down, right)`; `right` itself when `down` is empty.
    ///
    /// Invariant, asserted here: values ascend along `right`, and all vectors end at the same
    /// level (here: `down` ends them, or it does not, as below `right`).
    #[inline]
    pub fn make_node(&mut self, value: u32, down: NodeId, right: NodeId) -> Result<NodeId, Stop> {
        if down == NodeId::EMPTY {
            return Ok(right);
        }
        debug_assert!(right != NodeId::UNIT, "the empty vector has no place in a list");
        debug_assert!(right == NodeId::EMPTY || self.node(right).value > value, "values ascend");
        debug_assert!(
            right == NodeId::EMPTY || down.is_terminal() == self.node(right).down.is_terminal(),
            "vectors of different length in one set"
        );
        self.ticks += 1;
        let n = ListNode { value, down, right };
        match self.table.find(n) {
            Ok(id) => Ok(id),
            Err(hash) => self.insert(n, hash),
        }
    }

    #[cold]
    fn insert(&mut self, n: ListNode, hash: u64) -> Result<NodeId, Stop> {
        if self.ticks >= self.next_poll {
            self.poll()?;
        }
        let more = self.table.growth();
        if more > 1 << 16
            && let Some(most) = self.control.resident
            && resident_bytes().saturating_add(more) as u64 > most
        {
            return Err(Stop::Memory);
        }
        let id = self.table.insert(n, hash).ok_or(Stop::Memory)?;
        self.peak = self.peak.max(self.table.live());
        Ok(id)
    }

    /// Counts one step of work of a client that may go on for long without making nodes.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Looks at the work and the control; called now and then by operations that make nodes.
    pub fn poll(&mut self) -> Result<(), Stop> {
        let most = self.control.work.unwrap_or(u64::MAX);
        // More often in the beginning, so that the growth of small diagrams can be seen.
        let step = (self.ticks / 8).clamp(FIRST_POLL, POLL);
        self.next_poll = (self.ticks + step).min(most).max(self.ticks + 1);
        self.growth.note(self.ticks, self.table.live());
        if let Some(progress) = &self.control.progress {
            progress.work.store(self.ticks, Ordering::Relaxed);
        }
        if self.ticks >= most { Err(Stop::Work) } else { self.look() }
    }

    /// Looks at the control, whatever work was done.
    pub fn look(&self) -> Result<(), Stop> {
        if let Some(progress) = &self.control.progress {
            progress.nodes.store(self.table.live() as u64, Ordering::Relaxed);
        }
        self.control.look()
    }

    /// Turns the scratch list above `base` into nodes in front of `rest`, and drops it.
    pub(crate) fn finish_list(&mut self, base: usize, rest: NodeId) -> Result<NodeId, Stop> {
        debug_assert!(base <= self.scratch.len(), "an inner list was not finished");
        let mut list = rest;
        while self.scratch.len() > base {
            if let Some((value, down)) = self.scratch.pop() {
                list = self.make_node(value, down, list)?;
            }
        }
        Ok(list)
    }

    /// A list of arcs with ascending values; arcs to the empty set are left out.
    pub fn make_list(&mut self, arcs: &[(u32, NodeId)]) -> Result<NodeId, Stop> {
        let mut list = NodeId::EMPTY;
        for &(value, down) in arcs.iter().rev() {
            list = self.make_node(value, down, list)?;
        }
        Ok(list)
    }

    /// The set that holds just this vector.
    pub fn singleton(&mut self, vector: &[u32]) -> Result<NodeId, Stop> {
        let mut set = NodeId::UNIT;
        for &value in vector.iter().rev() {
            set = self.make_node(value, set, NodeId::EMPTY)?;
        }
        Ok(set)
    }

    /// The arcs of the MDD node that starts at `id`.
    pub fn arcs(&self, id: NodeId) -> Arcs<'_> {
        Arcs { dd: self, at: id }
    }

    /// Protects a node from collection until [`Dd::unprotect_to`] goes below this depth.
    #[inline]
    pub fn protect(&mut self, id: NodeId) {
        self.protected.push(id);
    }

    /// How many nodes are protected.
    #[inline]
    pub fn protected_len(&self) -> usize {
        self.protected.len()
    }

    /// Replaces the protected node at `index`.
    #[inline]
    pub fn set_protected(&mut self, index: usize, id: NodeId) {
        self.protected[index] = id;
    }

    /// Ends the protection of all but the first `len`.
    #[inline]
    pub fn unprotect_to(&mut self, len: usize) {
        debug_assert!(len <= self.protected.len(), "protection was ended twice");
        self.protected.truncate(len);
    }

    /// Counters so far.
    pub fn stats(&self) -> DdStats {
        DdStats {
            nodes: self.table.live(),
            peak_nodes: self.peak,
            collections: self.collections,
            ticks: self.ticks,
            set_cache: self.set_cache.stats(),
            client_cache: self.client_cache.stats(),
        }
    }

    /// Bytes held by nodes, tables and caches.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.set_cache.bytes() + self.client_cache.bytes()
    }
}

/// Iterator over the arcs of one MDD node.
#[derive(Debug)]
pub struct Arcs<'a> {
    dd: &'a Dd,
    at: NodeId,
}

impl Iterator for Arcs<'_> {
    type Item = (u32, NodeId);

    fn next(&mut self) -> Option<(u32, NodeId)> {
        if self.at.is_terminal() {
            return None;
        }
        let n = self.dd.node(self.at);
        self.at = n.right;
        Some((n.value, n.down))
    }
}
