//! The net seen from its places: who takes, who puts, and what each transition changes.
//!
//! Four compressed tables, each one vector of entries and one of offsets, sorted within
//! a row. A self-loop (weight taken = weight put) is an arc on both sides but no effect.
//! Cost: linear in the number of arcs, time and memory.

use crate::{Net, PlaceId, Transition, TransitionId};

/// Rows of entries in one vector.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PackedRows<T> {
    offsets: Vec<usize>,
    entries: Vec<T>,
}

impl<T> PackedRows<T> {
    fn row(&self, i: usize) -> &[T] {
        &self.entries[self.offsets[i]..self.offsets[i + 1]]
    }
}

/// The incidence of a [`Net`].
///
/// ```
/// use brine_net::{Incidence, NetBuilder};
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 1), b.place("q", 0));
/// let t = b.transition("t", &[(p, 3), (q, 1)], &[(p, 1), (q, 1)]);
/// let net = b.build().unwrap();
/// let incidence = Incidence::new(&net);
/// assert_eq!(incidence.effect(t), [(p, -2)]);
/// assert_eq!(incidence.consumers(p), [(t, 3)]);
/// assert_eq!(incidence.producers(q), [(t, 1)]);
/// assert!(incidence.changers(q).is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incidence {
    consumers: PackedRows<(TransitionId, u32)>,
    producers: PackedRows<(TransitionId, u32)>,
    changers: PackedRows<(TransitionId, i64)>,
    effects: PackedRows<(PlaceId, i64)>,
}

impl Incidence {
    /// Builds the tables.
    pub fn new(net: &Net) -> Self {
        let effects = effects(net);
        let arcs = |side: fn(Transition<'_>) -> &[(PlaceId, u32)]| {
            transpose(net.places().len(), || {
                net.transition_ids().flat_map(move |t| {
                    side(net.transition(t)).iter().map(move |&(p, w)| (p, (t, w)))
                })
            })
        };
        let changers = transpose(net.places().len(), || {
            net.transition_ids()
                .flat_map(|t| effects.row(t.index()).iter().map(move |&(p, e)| (p, (t, e))))
        });
        Incidence { consumers: arcs(|t| t.pre), producers: arcs(|t| t.post), changers, effects }
    }

    /// The transitions that take from a place, with the weight of the arc.
    pub fn consumers(&self, p: PlaceId) -> &[(TransitionId, u32)] {
        self.consumers.row(p.index())
    }

    /// The transitions that put into a place, with the weight of the arc.
    pub fn producers(&self, p: PlaceId) -> &[(TransitionId, u32)] {
        self.producers.row(p.index())
    }

    /// The transitions that change a place, with the change (never zero).
    pub fn changers(&self, p: PlaceId) -> &[(TransitionId, i64)] {
        self.changers.row(p.index())
    }

    /// The places that a transition changes, with the change (never zero).
    pub fn effect(&self, t: TransitionId) -> &[(PlaceId, i64)] {
        self.effects.row(t.index())
    }
}

/// What each transition changes: a merge of its sorted input and output arcs.
fn effects(net: &Net) -> PackedRows<(PlaceId, i64)> {
    let mut rows = PackedRows { offsets: vec![0], entries: Vec::new() };
    for t in net.transitions() {
        let mut pre = t.pre.iter().peekable();
        let mut post = t.post.iter().peekable();
        loop {
            let place = match (pre.peek(), post.peek()) {
                (None, None) => break,
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (Some(a), Some(b)) => a.0.min(b.0),
            };
            let taken = pre.next_if(|a| a.0 == place).map_or(0, |a| i64::from(a.1));
            let put = post.next_if(|b| b.0 == place).map_or(0, |b| i64::from(b.1));
            if put != taken {
                rows.entries.push((place, put - taken));
            }
        }
        let first = rows.offsets[rows.offsets.len() - 1];
        debug_assert!(rows.entries[first..].is_sorted_by(|a, b| a.0 < b.0), "rows are sorted");
        rows.offsets.push(rows.entries.len());
    }
    rows
}

/// Sorts pairs (place, entry) into one row per place, keeping their order.
fn transpose<T: Copy, I: Iterator<Item = (PlaceId, T)>>(
    places: usize,
    pairs: impl Fn() -> I,
) -> PackedRows<T> {
    let mut offsets = vec![0; places + 1];
    for (p, _) in pairs() {
        offsets[p.index() + 1] += 1;
    }
    for i in 0..places {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut entries: Vec<Option<T>> = vec![None; offsets[places]];
    for (p, entry) in pairs() {
        entries[next[p.index()]] = Some(entry);
        next[p.index()] += 1;
    }
    debug_assert!(next[..places] == offsets[1..], "every row is filled");
    PackedRows { offsets, entries: entries.into_iter().flatten().collect() }
}
