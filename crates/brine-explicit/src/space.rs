//! The marking graph, built as far as somebody looks at it.
//!
//! A search over a product visits a marking once per automaton state, and nested searches
//! visit it again. So edges are remembered: the first look at a marking lists its enabled
//! transitions (from the list of the marking it was reached from, when that is at hand), and
//! an edge is fired when its target is first asked for. A depth-first search that finds a
//! counterexample early has then generated only what it looked at.
//!
//! The memory of edges is a cache, nothing else: it may be dropped at any time (it is, when
//! it reaches its share of the memory budget), and is filled again on demand. The k-th edge
//! of a marking is always the same one, so searches may hold on to (marking, k).
//!
//! A dead marking has no edge here; that it stutters is the product's business.

use crate::fire::Step;
use crate::markings::Markings;
use crate::store::MarkingId;
use crate::successors::Expand;
use brine_net::TransitionId;
use brine_run::{Control, Stop};

/// The edge was not fired yet.
const UNFIRED: MarkingId = MarkingId(u32::MAX);
/// The marking has no edges in the cache.
const UNLISTED: u32 = u32::MAX;

/// A transition, and where it leads once that is known.
#[derive(Clone, Copy, Debug)]
struct Edge {
    step: Step,
    target: MarkingId,
}

/// A lazily generated marking graph.
#[derive(Debug)]
pub struct Space<M> {
    ms: M,
    /// Where the marking's edges begin: first an entry whose `step` is their number.
    start: Vec<u32>,
    edges: Vec<Edge>,
    /// How the newest marking was found: (from, step, to). Its enabled list is derived from it.
    last: Option<(MarkingId, Step, MarkingId)>,
    list: Vec<Step>,
    parent: Vec<Step>,
    drops: u32,
}

impl<M: Expand> Space<M> {
    /// A graph of which nothing but the initial marking ([`MarkingId::INITIAL`]) is known.
    pub fn new(ms: M) -> Self {
        Space {
            ms,
            start: Vec::new(),
            edges: Vec::new(),
            last: None,
            list: Vec::new(),
            parent: Vec::new(),
            drops: 0,
        }
    }

    /// The markings found so far.
    pub fn markings(&self) -> &M {
        &self.ms
    }

    /// The markings found so far, without the edges.
    pub fn into_markings(self) -> M {
        self.ms
    }

    /// The markings found so far, to be extended.
    pub fn markings_mut(&mut self) -> &mut M {
        &mut self.ms
    }

    /// How often the remembered edges were dropped to keep the memory budget.
    pub fn drops(&self) -> u32 {
        self.drops
    }

    /// Starts a new account under a new control; what is stored so far stays and is counted.
    pub fn restart(&mut self, control: Control) {
        let own =
            self.start.capacity() * size_of::<u32>() + self.edges.capacity() * size_of::<Edge>();
        let used = own as u64 + self.ms.allocated();
        self.ms.meter_mut().restart(control, used);
    }

    /// The number of edges that leave a marking; 0 when it is dead.
    pub fn degree(&mut self, m: MarkingId) -> Result<u32, Stop> {
        let at = self.listed(m)?;
        Ok(self.edges[at].step.0)
    }

    /// The target of the k-th edge of a marking.
    #[inline]
    pub fn target(&mut self, m: MarkingId, k: u32) -> Result<MarkingId, Stop> {
        let at = self.listed(m)? + 1 + k as usize;
        let Edge { step, target } = self.edges[at];
        if target != UNFIRED {
            return Ok(target);
        }
        let (target, new) = self.ms.fire(m, step)?;
        self.edges[at].target = target;
        if new {
            self.last = Some((m, step, target));
        }
        Ok(target)
    }

    /// The step of the k-th edge of a marking.
    pub fn step(&mut self, m: MarkingId, k: u32) -> Result<Step, Stop> {
        let at = self.listed(m)? + 1 + k as usize;
        Ok(self.edges[at].step)
    }

    /// The enabled steps of a marking, in their order: the k-th is that of the k-th edge.
    pub(crate) fn enabled(&mut self, m: MarkingId, out: &mut Vec<Step>) -> Result<(), Stop> {
        let at = self.listed(m)?;
        let count = self.edges[at].step.index();
        out.clear();
        out.extend(self.edges[at + 1..at + 1 + count].iter().map(|e| e.step));
        Ok(())
    }

    /// Where the edges of a marking are; lists them first if they are not there.
    #[inline]
    fn listed(&mut self, m: MarkingId) -> Result<usize, Stop> {
        match self.start.get(m.index()) {
            Some(&at) if at != UNLISTED => Ok(at as usize),
            _ => self.list_edges(m),
        }
    }

    fn list_edges(&mut self, m: MarkingId) -> Result<usize, Stop> {
        self.ms.meter_mut().tick()?;
        self.list.clear();
        let parent = self.last.filter(|&(_, _, to)| to == m);
        match parent.map(|(from, step, _)| (self.copy_list(from), step)) {
            Some((true, step)) => {
                self.ms.enabled_after(&self.parent, step, m, &mut self.list)?;
            }
            _ => self.ms.enabled(m, &mut self.list)?,
        }
        let need = self.list.len() + 1;
        if self.over_share(need) {
            self.make_room()?;
        }
        let known = self.ms.known();
        if self.start.len() <= m.index() {
            let more = known - self.start.len();
            self.ms.meter_mut().reserve(&mut self.start, more)?;
            self.start.resize(known, UNLISTED);
        }
        if self.ms.meter_mut().reserve(&mut self.edges, need).is_err() {
            self.make_room()?;
            self.ms.meter_mut().reserve(&mut self.edges, need)?;
        }
        let at = self.edges.len();
        self.edges.push(Edge { step: Step(self.list.len() as u32), target: UNFIRED });
        self.edges.extend(self.list.iter().map(|&step| Edge { step, target: UNFIRED }));
        self.start[m.index()] = at as u32;
        Ok(at)
    }

    /// Copies the enabled list of a marking into `self.parent`, if it is in the cache.
    fn copy_list(&mut self, from: MarkingId) -> bool {
        let at = self.start.get(from.index()).copied().unwrap_or(UNLISTED);
        if at == UNLISTED {
            return false;
        }
        let at = at as usize;
        let count = self.edges[at].step.index();
        self.parent.clear();
        self.parent.extend(self.edges[at + 1..at + 1 + count].iter().map(|e| e.step));
        true
    }

    /// Whether `more` edges would pass half of the memory budget, or the range of an index.
    fn over_share(&self, more: usize) -> bool {
        let entries = self.edges.len() + more;
        let bytes = (entries * std::mem::size_of::<Edge>()) as u64;
        entries >= UNLISTED as usize || self.ms.meter().budget().is_some_and(|b| bytes > b / 2)
    }

    /// Drops the edges, if they can be listed again: lists that leave something out may leave
    /// out something else the next time.
    fn make_room(&mut self) -> Result<(), Stop> {
        if self.ms.leaves_out() {
            return Err(Stop::Memory);
        }
        self.drop_edges();
        Ok(())
    }

    /// Forgets all edges. Nothing but time is lost.
    pub fn drop_edges(&mut self) {
        debug_assert!(!self.ms.leaves_out(), "the k-th edge stays the k-th edge");
        self.ms.meter_mut().release(&mut self.edges);
        self.start.fill(UNLISTED);
        self.drops += 1;
    }
}

impl Space<Markings<'_>> {
    /// The transition of the k-th edge of a marking.
    pub fn transition(&mut self, m: MarkingId, k: u32) -> Result<TransitionId, Stop> {
        let step = self.step(m, k)?;
        Ok(self.ms.firing().transition(step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use brine_net::{Net, NetBuilder, PlaceId};

    fn ring(n: usize, tokens: u32) -> Net {
        let mut b = NetBuilder::new("ring");
        let p: Vec<PlaceId> =
            (0..n).map(|i| b.place(&format!("p{i}"), if i == 0 { tokens } else { 0 })).collect();
        for i in 0..n {
            b.transition(&format!("t{i}"), &[(p[i], 1)], &[(p[(i + 1) % n], 1)]);
        }
        b.build().unwrap()
    }

    fn space(net: &Net, memory: Option<u64>) -> Space<Markings<'_>> {
        let bounds = vec![Layout::unknown_bound(); net.places().len()];
        let order: Vec<TransitionId> = net.transition_ids().collect();
        let limits = Control { charged: memory, ..Control::default() };
        Space::new(Markings::new(net, &bounds, &order, limits).unwrap())
    }

    /// Visits everything depth first, dropping the cache every `every` steps.
    fn walk(space: &mut Space<Markings<'_>>, every: usize) -> Vec<Vec<(u32, Vec<u32>)>> {
        let mut stack = vec![MarkingId::INITIAL];
        let (mut seen, mut steps) = (vec![true], 0);
        while let Some(m) = stack.pop() {
            for k in 0..space.degree(m).unwrap() {
                steps += 1;
                if steps % every == 0 {
                    space.drop_edges();
                }
                let t = space.target(m, k).unwrap();
                if t.index() >= seen.len() {
                    seen.push(true);
                    stack.push(t);
                }
            }
        }
        (0..seen.len() as u32)
            .map(MarkingId)
            .map(|m| {
                (0..space.degree(m).unwrap())
                    .map(|k| {
                        let t = space.target(m, k).unwrap();
                        (space.transition(m, k).unwrap().0, space.markings().marking(t))
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn dropping_the_cache_changes_nothing() {
        let net = ring(5, 4);
        let reference = walk(&mut space(&net, None), usize::MAX);
        assert_eq!(reference.len(), 70, "4 tokens in 5 places");
        for every in [1, 2, 7] {
            let mut other = space(&net, None);
            assert_eq!(walk(&mut other, every), reference);
            assert!(other.drops() > 10);
        }
    }

    #[test]
    fn the_cache_yields_before_the_budget_ends() {
        let net = ring(6, 12);
        let mut small = space(&net, Some(400_000));
        let all = walk(&mut small, usize::MAX);
        assert_eq!(all.len(), 6188, "12 tokens in 6 places");
        assert!(small.drops() > 0);
    }
}
