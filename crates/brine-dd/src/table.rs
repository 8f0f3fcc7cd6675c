//! Node storage and unique table.
//!
//! Nodes lie in one growing array, 12 bytes each, and are named by their index. The
//! unique table is an open-addressing array of `(hash, id)` pairs, so that a probe
//! that meets a stranger does not touch its node, and growing never re-reads nodes.
//!
//! *Hashing.* Linear probing needs hashes whose low bits are good: a plain
//! multiplicative hash of small integers clusters so badly that runs get twenty times
//! slower (Dekker-PT-015: 8 s against 0.3 s). We finish with a murmur-style mixer.
//!
//! *Invariant.* A slot is 0 (free) or holds the id of a live node in its low half and
//! that node's 32-bit hash, which also gives its position, in its high half; each live node
//! above the terminals is in exactly one slot, reachable from its hash position without
//! crossing a free slot.

/// The name of a diagram, i.e. of the set that it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The empty set (of vectors of any length).
    pub const EMPTY: NodeId = NodeId(0);
    /// The set that holds just the empty vector.
    pub const UNIT: NodeId = NodeId(1);

    /// The id as a number, for use in keys of caches and tables of other crates.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The inverse of [`NodeId::raw`].
    pub fn from_raw(raw: u32) -> NodeId {
        NodeId(raw)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// True for `EMPTY` and `UNIT`.
    pub fn is_terminal(self) -> bool {
        self.0 < 2
    }
}

/// One element of a list: an arc with its target and the rest of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListNode {
    /// The value of the first component.
    pub value: u32,
    /// What may follow this value: a set of vectors shorter by one; never empty.
    pub down: NodeId,
    /// The same set's vectors with larger first values; `EMPTY` ends the list.
    pub right: NodeId,
}

/// Mixes three words into 64 well-distributed bits.
#[inline]
pub(crate) fn mix(a: u32, b: u32, c: u32) -> u64 {
    let mut h =
        (u64::from(a) << 32 | u64::from(b)) ^ u64::from(c).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h ^= h >> 32;
    h = h.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h ^= h >> 32;
    h = h.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h ^ (h >> 32)
}

const INITIAL_SLOTS: usize = 1 << 10;

/// All nodes with the table that makes them unique.
#[derive(Debug)]
pub(crate) struct NodeTable {
    nodes: Vec<ListNode>,
    slots: Vec<u64>,
    /// Ids of swept nodes, to be used again.
    free: Vec<NodeId>,
    live: usize,
}

impl NodeTable {
    pub(crate) fn new() -> Self {
        let end = ListNode { value: 0, down: NodeId::EMPTY, right: NodeId::EMPTY };
        NodeTable {
            nodes: vec![end, end],
            slots: vec![0; INITIAL_SLOTS],
            free: Vec::new(),
            live: 0,
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> ListNode {
        self.nodes[id.index()]
    }

    /// Nodes in use, terminals not counted.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// One more than the largest id ever given out.
    pub(crate) fn id_bound(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<ListNode>()
            + self.slots.len() * 8
            + self.free.capacity() * 4
    }

    /// Bytes that the next insertion may add; zero when it grows nothing.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        let mut more = 0;
        if self.free.is_empty() && self.nodes.len() == self.nodes.capacity() {
            more += self.nodes.capacity() * size_of::<ListNode>();
        }
        if self.slots_full() {
            more += self.slots.len() * 16;
        }
        more
    }

    #[inline]
    fn slots_full(&self) -> bool {
        self.live * 8 >= self.slots.len() * 5
    }

    /// Looks the node up; `Err` holds the hash to insert it under.
    #[inline]
    pub(crate) fn find(&self, n: ListNode) -> Result<NodeId, u64> {
        let hash = mix(n.value, n.down.0, n.right.0) >> 32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(hash);
            }
            if slot >> 32 == hash {
                let id = NodeId(slot as u32);
                if self.nodes[id.index()] == n {
                    return Ok(id);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Inserts a node that [`find`](Self::find) did not find. `None` when ids run out.
    pub(crate) fn insert(&mut self, n: ListNode, hash: u64) -> Option<NodeId> {
        debug_assert!(n.down != NodeId::EMPTY, "an arc to the empty set");
        debug_assert!(self.find(n) == Err(hash), "the node is there already");
        if self.slots_full() {
            self.grow_slots();
        }
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.index()] = n;
                id
            }
            None => {
                let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
                self.nodes.push(n);
                id
            }
        };
        self.live += 1;
        place(&mut self.slots, hash, id);
        debug_assert!(self.all_accounted_for(), "a node is neither live nor free, or both");
        Some(id)
    }

    /// Each id but those of the terminals is either live or free.
    fn all_accounted_for(&self) -> bool {
        self.live + self.free.len() + 2 == self.nodes.len()
    }

    fn grow_slots(&mut self) {
        let mut slots = vec![0; self.slots.len() * 2];
        for &slot in self.slots.iter().filter(|&&s| s != 0) {
            place(&mut slots, slot >> 32, NodeId(slot as u32));
        }
        self.slots = slots;
    }

    /// Keeps the nodes for which `marked` holds; ids of the others may be used again.
    pub(crate) fn sweep(&mut self, marked: impl Fn(NodeId) -> bool) {
        self.free.clear();
        self.slots.fill(0);
        self.live = 0;
        for i in (2..self.nodes.len()).rev() {
            let id = NodeId(i as u32);
            if marked(id) {
                let n = self.nodes[i];
                place(&mut self.slots, mix(n.value, n.down.0, n.right.0) >> 32, id);
                self.live += 1;
            } else {
                self.free.push(id);
                if cfg!(debug_assertions) {
                    self.nodes[i].down = NodeId::EMPTY;
                }
            }
        }
        debug_assert!(self.all_accounted_for(), "a node is neither live nor free, or both");
    }
}

#[inline]
fn place(slots: &mut [u64], hash: u64, id: NodeId) {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while slots[at] != 0 {
        at = (at + 1) & mask;
    }
    slots[at] = hash << 32 | u64::from(id.0);
}
