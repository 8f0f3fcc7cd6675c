//! Nodes under construction: frames on one shared stack.
//!
//! Operations whose results do not come in ascending order (images, saturation) collect the
//! arcs of the node that they build in a *frame*: a run of slots at the end of one stack,
//! sorted by value. A frame ends where the stack ends, so inner operations open and close
//! theirs above it. The stack is also a root set for garbage collection: what is being
//! built hangs on a slot. Cost of an insertion: a binary search, a union when the value is
//! there already, a shift of the frame's slots when it is not.

use std::ops::{Index, IndexMut};

use crate::manager::Dd;
use crate::table::NodeId;
use brine_run::Stop;

/// One arc of a node under construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The value of the arc.
    pub value: u32,
    /// What may follow it; never empty.
    pub node: NodeId,
    /// Changed since its owner last looked; new slots are.
    pub dirty: bool,
    /// The part of `node` that its owner has dealt with, if it says so.
    pub done: NodeId,
}

/// A stack of frames.
///
/// ```
/// use brine_dd::{Dd, Frames, NodeId};
/// let (mut dd, mut frames) = (Dd::default(), Frames::default());
/// let frame = frames.len();
/// for value in [7, 3, 7] {
///     frames.add(&mut dd, frame, value, NodeId::UNIT)?;
/// }
/// let set = frames.close(&mut dd, frame)?;
/// assert_eq!(dd.vectors(set).collect::<Vec<_>>(), [[3], [7]]);
/// # Ok::<(), brine_dd::Stop>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Frames {
    slots: Vec<Slot>,
}

impl Frames {
    /// The end of the stack: where the next frame begins.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// True when no slot is in use.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Opens a frame with the arcs of `node`; returns where it begins.
    pub fn open(&mut self, dd: &Dd, node: NodeId) -> usize {
        let base = self.slots.len();
        let slot = |(value, node)| Slot { value, node, dirty: true, done: NodeId::EMPTY };
        self.slots.extend(dd.arcs(node).map(slot));
        base
    }

    /// Appends an arc whose value is larger than those of the open frame.
    #[inline]
    pub fn push(&mut self, value: u32, node: NodeId) {
        debug_assert!(node != NodeId::EMPTY, "something follows every value");
        self.slots.push(Slot { value, node, dirty: true, done: NodeId::EMPTY });
    }

    /// Adds `image` to the slot of `value` in the frame that begins at `base`. Returns where,
    /// and whether the slot is new, if that changed anything.
    pub fn add(
        &mut self,
        dd: &mut Dd,
        base: usize,
        value: u32,
        image: NodeId,
    ) -> Result<Option<(usize, bool)>, Stop> {
        if image == NodeId::EMPTY {
            return Ok(None);
        }
        match self.slots[base..].binary_search_by_key(&value, |s| s.value) {
            Ok(i) => {
                let old = self.slots[base + i].node;
                let done = self.slots[base + i].done;
                let new = dd.union(old, image)?;
                if new == old {
                    return Ok(None);
                }
                self.slots[base + i] = Slot { value, node: new, dirty: true, done };
                Ok(Some((base + i, false)))
            }
            Err(i) => {
                self.slots.insert(
                    base + i,
                    Slot { value, node: image, dirty: true, done: NodeId::EMPTY },
                );
                Ok(Some((base + i, true)))
            }
        }
    }

    /// Closes the frame that begins at `base`: drops its slots and returns its node.
    pub fn close(&mut self, dd: &mut Dd, base: usize) -> Result<NodeId, Stop> {
        debug_assert!(base <= self.slots.len(), "a frame below was closed before");
        let mut node = NodeId::EMPTY;
        while self.slots.len() > base {
            if let Some(slot) = self.slots.pop() {
                debug_assert!(slot.node != NodeId::EMPTY, "something follows every value");
                node = dd.make_node(slot.value, slot.node, node)?;
            }
        }
        Ok(node)
    }

    /// What follows `value` in the frame that begins at `base`; empty without such a slot.
    pub fn get(&self, base: usize, value: u32) -> NodeId {
        match self.slots[base..].binary_search_by_key(&value, |s| s.value) {
            Ok(i) => self.slots[base + i].node,
            Err(_) => NodeId::EMPTY,
        }
    }

    /// Forgets all frames.
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// What hangs on the slots: roots for [`Dd::collect`].
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.slots.iter().flat_map(|s| [s.node, s.done])
    }
}

impl Index<usize> for Frames {
    type Output = Slot;

    fn index(&self, i: usize) -> &Slot {
        &self.slots[i]
    }
}

impl IndexMut<usize> for Frames {
    fn index_mut(&mut self, i: usize) -> &mut Slot {
        &mut self.slots[i]
    }
}
