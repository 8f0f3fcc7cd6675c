//! Saturation and images, once for all relations (MVDBM16 Algorithms 1 to 4).
//!
//! A relation is given by its *local steps* ([`Steps`]): from a value at a level it leads to
//! other values there, and says what *rest* remains to be done below. [`image`] takes one
//! step, [`saturate`] computes a closure ([`Saturable`]). Plain events, constrained ones, the
//! product with an automaton and learned relations are instances.
//!
//! ```text
//! image(n, rest)     { i' v' | i v in n, (i', r) a move of rest from i, v' in image(v, r) }
//! relprod(n, rest)   fire_node(image(n, rest)), with relprod in place of image below
//! saturate(n)        fire_node({ i saturate(v) | i v in n })
//! fire_node(n)       the least n' with n in n' and relprod(n', events of this level) in n'
//! ```
//!
//! *Saturated.* A node of level k is saturated when it is closed under the events whose top
//! level is at most k. What else this depends on, if anything (a constraint, a residual), is
//! the node's context, [`Saturable::Under`].
//!
//! *Invariant.* `relprod` is given saturated nodes and returns saturated nodes; `fire_node` is
//! given nodes whose children are saturated. All slots of an open frame are saturated: they
//! start so, images come back so, and a union of sets closed under the same steps is closed.
//!
//! *Why it is right.* When `fire` ends, each slot of the frame has been fired, as a whole, since
//! it last changed; so the frame is closed under the events with top k as well. (Observers rely
//! on "as a whole": `brine_scc`'s recurring states.)
//!
//! *New parts only* ([`Saturable::NEW_ONLY`]). Images distribute over unions, and closures of
//! them as well; so it is enough to fire from what a slot gained since it was fired last, a
//! part that is in general not saturated. `relprod` then takes any node and still returns
//! saturated ones: where a step leaves the rest of a node as it is, that rest is saturated
//! first. It pays where most events have their top near the root: their slots grow in
//! many small steps, and each step would look at everything again.
//!
//! *Garbage* is collected in `fire_slot` and nowhere else. Whatever is alive then hangs on a
//! frame or is protected. A key must stay alive until its result is stored: a collection would
//! give its id to another node. So `saturate` and `fire_node` protect their argument; that of
//! `relprod` lies below a slot.
//!
//! *Cost.* Each pair of a node and a context, or a node and a rest, is worked out once as
//! long as the cache holds it. Depth of the recursion: the number of levels.

use brine_dd::{Dd, Frames, Key, NodeId, Slot, Stop};

use crate::model::Level;

/// What the driver keeps in the cache; part of every key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The closure of a node.
    Saturate,
    /// The closure of a node whose children are saturated.
    Fire,
    /// The saturated image of a saturated node.
    RelProd,
    /// The image of a node.
    Image,
}

/// A relation as local steps.
pub trait Steps {
    /// What a step still has to do from some level down. Equal ones must be equal for
    /// [`Self::image_key`].
    type Rest: Copy;
    /// A place in the moves of a rest.
    type Cursor;
    /// Why a computation ends early.
    type Stop: From<Stop>;

    /// The diagrams, and the nodes under construction.
    fn parts(&mut self) -> (&mut Dd, &mut Frames);

    /// Names the image of `node` under `rest`.
    fn image_key(&self, op: Operation, node: NodeId, rest: Self::Rest) -> Key;

    /// The image of `node` if `rest` leaves all levels from here down alone.
    fn identity(&mut self, node: NodeId, rest: Self::Rest) -> Result<Option<NodeId>, Self::Stop>;

    /// The highest level at which `rest` has something to do.
    fn top(&self, rest: Self::Rest) -> Level;

    /// True when `rest` passes a level unchanged, from every value to the same value.
    #[inline]
    fn passes(&self, rest: Self::Rest, level: Level) -> bool {
        self.top(rest) < level
    }

    /// The image of one more node is about to be computed. Counts work ([`Dd::tick`]) where a
    /// walk may go on for long without making nodes.
    #[inline]
    fn descend(&mut self) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// Begins to go through the moves of `rest` at `level`.
    fn start(&mut self, rest: Self::Rest, level: Level) -> Result<Self::Cursor, Self::Stop>;

    /// Goes to the moves from `value`, which is larger than those before.
    fn seek(&mut self, cursor: &mut Self::Cursor, value: u32) -> Result<(), Self::Stop>;

    /// The next move from there: where it leads, and what remains below. `below` is what may
    /// follow the value in the set whose image is computed.
    fn next(
        &mut self,
        cursor: &mut Self::Cursor,
        below: NodeId,
    ) -> Result<Option<(u32, Self::Rest)>, Self::Stop>;
}

/// A relation whose closure can be computed by saturation. The last methods are for whoever
/// watches.
pub trait Saturable: Steps {
    /// What the closure of a node depends on besides the node.
    type Under: Copy;

    /// Events are fired from what is new in a slot, not again from the whole. Then
    /// [`Self::close_identity`] has to close its image.
    const NEW_ONLY: bool = false;

    /// Names the closure of `node`.
    fn closure_key(&self, op: Operation, node: NodeId, under: Self::Under) -> Key;

    /// True when no event with top at most `level` leads anywhere.
    fn is_closed(&self, under: Self::Under, level: Level) -> bool;

    /// What the closure of what follows `value` at `level` depends on.
    fn child(&mut self, under: Self::Under, level: Level, value: u32) -> Self::Under;

    /// What the closure of the image under `rest` depends on.
    fn target(&self, rest: Self::Rest) -> Self::Under;

    /// True when there are events with top `level`.
    fn has_events(&self, level: Level) -> bool;

    /// The events with top `level`, if there are any.
    fn events(
        &mut self,
        under: Self::Under,
        level: Level,
    ) -> Result<Option<Self::Rest>, Self::Stop>;

    /// The closure of what [`Steps::identity`] returned for a saturated node.
    #[inline]
    fn close_identity(
        &mut self,
        image: NodeId,
        rest: Self::Rest,
        level: Level,
    ) -> Result<NodeId, Self::Stop> {
        let _ = (rest, level);
        Ok(image)
    }

    /// Collects garbage if it is time.
    fn collect_if_due(&mut self) {
        let (dd, frames) = self.parts();
        if dd.collection_due() {
            dd.collect(frames.nodes());
        }
    }

    /// The driver goes on below `value`.
    #[inline]
    fn enter(&mut self, value: u32) {
        let _ = value;
    }

    /// The driver is back from there.
    #[inline]
    fn leave(&mut self) {}

    /// The events of a level are about to be fired on a node.
    #[inline]
    fn begin(&mut self) {}

    /// Events were fired, and the image was not empty; it has not been added yet.
    #[inline]
    fn fired(&mut self, fired: Fired<Self::Rest>) -> Result<(), Self::Stop> {
        let _ = fired;
        Ok(())
    }

    /// An image was computed at `level`; it is not saturated yet.
    #[inline]
    fn reached(&mut self, image: NodeId, level: Level) -> Result<(), Self::Stop> {
        let _ = (image, level);
        Ok(())
    }

    /// The node begun last is saturated.
    #[inline]
    fn saturated(
        &mut self,
        node: NodeId,
        under: Self::Under,
        level: Level,
    ) -> Result<(), Self::Stop> {
        let _ = (node, under, level);
        Ok(())
    }
}

/// Events with top `level` led from one value to another.
#[derive(Clone, Copy, Debug)]
pub struct Fired<R> {
    /// The level.
    pub level: Level,
    /// The value before.
    pub from: u32,
    /// The value after.
    pub to: u32,
    /// What may follow the value before.
    pub source: NodeId,
    /// What was done below.
    pub rest: R,
    /// Where the frame of the node begins.
    pub frame: usize,
}

/// The closure of `node` under the events with top at most `level`.
pub fn saturate<S: Saturable>(
    s: &mut S,
    node: NodeId,
    under: S::Under,
    level: Level,
) -> Result<NodeId, S::Stop> {
    if node.is_terminal() || s.is_closed(under, level) {
        return Ok(node);
    }
    let key = s.closure_key(Operation::Saturate, node, under);
    if let Some(r) = s.parts().0.client_cache.get(key) {
        return Ok(r);
    }
    let depth = protect(s, node);
    let base = s.parts().1.len();
    let mut at = node;
    while at != NodeId::EMPTY {
        let n = s.parts().0.node(at);
        at = n.right;
        let child_under = s.child(under, level, n.value);
        s.enter(n.value);
        let child = saturate(s, n.down, child_under, level.below())?;
        s.leave();
        s.parts().1.push(n.value, child);
    }
    let result = fire(s, base, under, level)?;
    debug_assert!(s.parts().0.is_subset(node, result), "a closure contains its set");
    unprotect(s, depth);
    s.parts().0.client_cache.put(key, result);
    Ok(result)
}

/// The closure of a node whose children are saturated.
pub fn fire_node<S: Saturable>(
    s: &mut S,
    node: NodeId,
    under: S::Under,
    level: Level,
) -> Result<NodeId, S::Stop> {
    if node.is_terminal() || !s.has_events(level) {
        return Ok(node);
    }
    let key = s.closure_key(Operation::Fire, node, under);
    if let Some(r) = s.parts().0.client_cache.get(key) {
        return Ok(r);
    }
    let depth = protect(s, node);
    let (dd, frames) = s.parts();
    let base = frames.open(dd, node);
    let result = fire(s, base, under, level)?;
    debug_assert!(s.parts().0.is_subset(node, result), "a closure contains its set");
    unprotect(s, depth);
    s.parts().0.client_cache.put(key, result);
    Ok(result)
}

/// Keeps the argument of an operation alive while its result is computed. Returns how many
/// nodes were protected before.
#[inline]
fn protect<S: Steps>(s: &mut S, node: NodeId) -> usize {
    let dd = s.parts().0;
    let depth = dd.protected_len();
    dd.protect(node);
    depth
}

/// Ends what [`protect`] began, before which `depth` nodes were protected.
#[inline]
fn unprotect<S: Steps>(s: &mut S, depth: usize) {
    let dd = s.parts().0;
    debug_assert!(dd.protected_len() == depth + 1, "a protection inside was not ended");
    dd.unprotect_to(depth);
}

/// Fires the events with top `level` on the frame above `base` until nothing changes; closes
/// the frame and returns its node.
fn fire<S: Saturable>(
    s: &mut S,
    base: usize,
    under: S::Under,
    level: Level,
) -> Result<NodeId, S::Stop> {
    let Some(events) = s.events(under, level)? else {
        let (dd, frames) = s.parts();
        return Ok(frames.close(dd, base)?);
    };
    s.begin();
    let mut next = base;
    while next < s.parts().1.len() {
        if s.parts().1[next].dirty {
            next = fire_slot(s, base, next, events, level)?;
        } else {
            next += 1;
        }
    }
    debug_assert!((base..s.parts().1.len()).all(|i| !s.parts().1[i].dirty), "all were fired");
    let (dd, frames) = s.parts();
    let node = frames.close(dd, base)?;
    s.saturated(node, under, level)?;
    Ok(node)
}

/// Fires all events from one slot, as a whole. Returns the lowest index that may be dirty now.
fn fire_slot<S: Saturable>(
    s: &mut S,
    base: usize,
    mut index: usize,
    events: S::Rest,
    level: Level,
) -> Result<usize, S::Stop> {
    s.collect_if_due();
    let (dd, frames) = s.parts();
    // A place that grows without end makes slots, not nodes.
    dd.tick()?;
    frames[index].dirty = false;
    let from = frames[index].value;
    let mut lowest = index;
    let mut cursor = s.start(events, level)?;
    s.seek(&mut cursor, from)?;
    let protected = s.parts().0.protected_len();
    let part = if S::NEW_ONLY { Some(new_part(s, index)?) } else { None };
    loop {
        let source = part.unwrap_or(s.parts().1[index].node);
        let Some((to, rest)) = s.next(&mut cursor, source)? else { break };
        s.enter(to);
        let image = relprod(s, source, rest, level.below())?;
        s.leave();
        if image == NodeId::EMPTY {
            continue;
        }
        s.fired(Fired { level, from, to, source, rest, frame: base })?;
        let (dd, frames) = s.parts();
        if let Some((at, inserted)) = frames.add(dd, base, to, image)? {
            index += usize::from(inserted && at <= index);
            lowest = lowest.min(at);
        }
    }
    s.parts().0.unprotect_to(protected);
    Ok(lowest)
}

/// What a slot holds and was not fired from yet, protected. From now on it counts as fired.
fn new_part<S: Saturable>(s: &mut S, index: usize) -> Result<NodeId, Stop> {
    let (dd, frames) = s.parts();
    let Slot { node, done, .. } = frames[index];
    debug_assert!(dd.is_subset(done, node), "a slot only grows");
    let new = dd.minus(node, done)?;
    frames[index].done = node;
    dd.protect(new);
    Ok(new)
}

/// The saturated image of a saturated node of `level` (of any node, if [`Saturable::NEW_ONLY`]).
fn relprod<S: Saturable>(
    s: &mut S,
    node: NodeId,
    rest: S::Rest,
    level: Level,
) -> Result<NodeId, S::Stop> {
    if let Some(image) = s.identity(node, rest)? {
        return s.close_identity(image, rest, level);
    }
    let key = s.image_key(Operation::RelProd, node, rest);
    if let Some(r) = s.parts().0.client_cache.get(key) {
        return Ok(r);
    }
    let base = s.parts().1.len();
    moves(s, node, rest, level, |s, down, rest, to| {
        s.enter(to);
        let image = relprod(s, down, rest, level.below())?;
        s.leave();
        let (dd, frames) = s.parts();
        frames.add(dd, base, to, image)?;
        Ok(())
    })?;
    let (dd, frames) = s.parts();
    let image = frames.close(dd, base)?;
    s.reached(image, level)?;
    let result = fire_node(s, image, s.target(rest), level)?;
    s.parts().0.client_cache.put(key, result);
    Ok(result)
}

/// The states that `rest` leads to from those of `node`, a set of states from `level` down.
pub fn image<S: Steps>(
    s: &mut S,
    node: NodeId,
    rest: S::Rest,
    level: Level,
) -> Result<NodeId, S::Stop> {
    if let Some(image) = s.identity(node, rest)? {
        return Ok(image);
    }
    let key = s.image_key(Operation::Image, node, rest);
    if let Some(r) = s.parts().0.client_cache.get(key) {
        return Ok(r);
    }
    let base = s.parts().1.len();
    moves(s, node, rest, level, |s, down, rest, to| {
        let image = image(s, down, rest, level.below())?;
        let (dd, frames) = s.parts();
        frames.add(dd, base, to, image)?;
        Ok(())
    })?;
    let (dd, frames) = s.parts();
    let result = frames.close(dd, base)?;
    s.parts().0.client_cache.put(key, result);
    Ok(result)
}

/// Calls `go` for each arc of `node` and each move of `rest` from its value: with what follows
/// the value, what remains to be done below, and where the move leads.
#[inline]
fn moves<S: Steps>(
    s: &mut S,
    node: NodeId,
    rest: S::Rest,
    level: Level,
    mut go: impl FnMut(&mut S, NodeId, S::Rest, u32) -> Result<(), S::Stop>,
) -> Result<(), S::Stop> {
    debug_assert!(node != NodeId::EMPTY, "nothing follows a value that is there");
    debug_assert!(s.top(rest) <= level, "what was to be done above was forgotten");
    s.descend()?;
    let mut at = node;
    if s.passes(rest, level) {
        while at != NodeId::EMPTY {
            let n = s.parts().0.node(at);
            at = n.right;
            go(s, n.down, rest, n.value)?;
        }
        return Ok(());
    }
    let mut cursor = s.start(rest, level)?;
    while at != NodeId::EMPTY {
        let n = s.parts().0.node(at);
        at = n.right;
        s.seek(&mut cursor, n.value)?;
        while let Some((to, next)) = s.next(&mut cursor, n.down)? {
            debug_assert!(n.down.is_terminal() || s.top(next) < level, "rests lie below");
            go(s, n.down, next, to)?;
        }
    }
    Ok(())
}
