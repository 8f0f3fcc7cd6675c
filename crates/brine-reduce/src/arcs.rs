//! Arithmetic on the arcs of transitions: lists of (place, weight), sorted, without zeros.

use brine_net::PlaceId;

/// Weights per place, sorted by place, none of them zero.
pub(super) type Weights = Vec<(PlaceId, u32)>;

/// What a transition takes and puts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TransitionArcs {
    pub(super) pre: Weights,
    pub(super) post: Weights,
}

impl TransitionArcs {
    /// Tokens taken from `p`.
    pub(super) fn takes(&self, p: PlaceId) -> u32 {
        weight(&self.pre, p)
    }

    /// Tokens put into `p`.
    pub(super) fn puts(&self, p: PlaceId) -> u32 {
        weight(&self.post, p)
    }

    /// The change of `p`.
    pub(super) fn change(&self, p: PlaceId) -> i64 {
        i64::from(self.puts(p)) - i64::from(self.takes(p))
    }

    /// The places that change, and by how much (never zero).
    pub(super) fn effect(&self) -> Vec<(PlaceId, i64)> {
        let both = union(&self.pre, &self.post).map(|(p, a, b)| (p, i64::from(b) - i64::from(a)));
        both.filter(|&(_, change)| change != 0).collect()
    }

    /// Nothing is put that was not taken.
    pub(super) fn only_takes(&self) -> bool {
        covers(&self.pre, &self.post)
    }

    /// All places, those on both sides twice.
    pub(super) fn places(&self) -> impl Iterator<Item = PlaceId> + '_ {
        self.pre.iter().chain(&self.post).map(|&(p, _)| p)
    }

    /// The transition that fires `self` and then `next`. `None` if a weight passes 32 bits.
    ///
    /// What `next` needs and `self` does not put has to be there before; what `self` puts and
    /// `next` does not take stays.
    pub(super) fn then(&self, next: &TransitionArcs) -> Option<TransitionArcs> {
        let missing = combine(&next.pre, &self.post, |a, b| Some(a.saturating_sub(b)))?;
        let left = combine(&self.post, &next.pre, |a, b| Some(a.saturating_sub(b)))?;
        Some(TransitionArcs {
            pre: combine(&self.pre, &missing, u32::checked_add)?,
            post: combine(&next.post, &left, u32::checked_add)?,
        })
    }

    /// All weights times `n`. `None` if one passes 32 bits.
    pub(super) fn times(&self, n: u32) -> Option<TransitionArcs> {
        let scale = |side: &Weights| -> Option<Weights> {
            side.iter().map(|&(p, w)| Some((p, w.checked_mul(n)?))).collect()
        };
        Some(TransitionArcs { pre: scale(&self.pre)?, post: scale(&self.post)? })
    }
}

/// Whether the places ascend and no weight is zero.
pub(super) fn is_in_order(side: &[(PlaceId, u32)]) -> bool {
    side.is_sorted_by(|a, b| a.0 < b.0) && side.iter().all(|&(_, w)| w > 0)
}

/// The weight at `p`, 0 if there is none.
pub(super) fn weight(side: &[(PlaceId, u32)], p: PlaceId) -> u32 {
    side.binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| side[i].1)
}

/// `large` has at least the weights of `small`.
pub(super) fn covers(large: &[(PlaceId, u32)], small: &[(PlaceId, u32)]) -> bool {
    small.len() <= large.len() && small.iter().all(|&(p, w)| weight(large, p) >= w)
}

/// The places of either list, with both weights.
fn union<'a>(
    a: &'a [(PlaceId, u32)],
    b: &'a [(PlaceId, u32)],
) -> impl Iterator<Item = (PlaceId, u32, u32)> + 'a {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    std::iter::from_fn(move || {
        let p = match (a.peek(), b.peek()) {
            (None, None) => return None,
            (Some(x), None) => x.0,
            (None, Some(y)) => y.0,
            (Some(x), Some(y)) => x.0.min(y.0),
        };
        let left = a.next_if(|x| x.0 == p).map_or(0, |x| x.1);
        let right = b.next_if(|y| y.0 == p).map_or(0, |y| y.1);
        Some((p, left, right))
    })
}

/// Combines two lists place by place; zeros are left out.
fn combine(
    a: &[(PlaceId, u32)],
    b: &[(PlaceId, u32)],
    op: fn(u32, u32) -> Option<u32>,
) -> Option<Weights> {
    let mut result = Weights::new();
    for (p, x, y) in union(a, b) {
        let w = op(x, y)?;
        if w > 0 {
            result.push((p, w));
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: PlaceId = PlaceId(0);
    const Q: PlaceId = PlaceId(1);

    #[test]
    fn one_after_the_other() {
        let a = TransitionArcs { pre: vec![(P, 1)], post: vec![(P, 2), (Q, 1)] };
        let b = TransitionArcs { pre: vec![(P, 3), (Q, 1)], post: vec![(Q, 5)] };
        let ab = a.then(&b).unwrap();
        assert_eq!(ab, TransitionArcs { pre: vec![(P, 2)], post: vec![(Q, 5)] });
        assert_eq!(ab.effect(), [(P, -2), (Q, 5)]);
        assert!(!ab.only_takes() && a.times(u32::MAX).is_none());
    }
}
