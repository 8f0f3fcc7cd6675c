//! Scaled places: tokens that only ever move in bundles are counted in bundles.
//!
//! *Applies* to a place p whose changes have a common divisor g > 1. *Does*: with m the
//! initial marking and r = m mod g, the place now holds (m - r)/g bundles; a transition that
//! takes a and puts b takes a' = max(0, ceil((a - r)/g)) and puts a' + (b - a)/g. In the
//! property, p is g p' + r. *Preserves* all of LTL and `deadlock`.
//!
//! *Why*: M(p) = g M'(p) + r in all reachable markings, by induction. The transition is
//! enabled iff g M'(p) + r >= a iff M'(p) >= (a - r)/g iff M'(p) >= a', since M'(p) is a
//! natural number. What it puts is a natural number: a' + (b - a)/g >= (b - r)/g > -1.

use super::Rule;
use super::draft::Draft;
use brine_net::PlaceId;

pub(super) fn apply(draft: &mut Draft, p: PlaceId) -> bool {
    let changes = draft.changes(p);
    let bundle = changes.iter().fold(0, |g, &(_, change)| gcd(g, change.unsigned_abs()));
    let Some(bundle) = u32::try_from(bundle).ok().filter(|&g| g > 1) else { return false };
    let rest = draft.initial(p) % bundle;
    let (factor, offset) = draft.unit[p.index()];
    let wider = factor.checked_mul(bundle);
    let further = factor.checked_mul(rest).and_then(|r| r.checked_add(offset));
    let (Some(factor), Some(offset)) = (wider, further) else { return false };
    draft.unit[p.index()] = (factor, offset);
    draft.initial[p.index()] /= bundle;
    for (t, change) in changes {
        let takes = draft.arcs(t).takes(p).saturating_sub(rest).div_ceil(bundle);
        let puts = i64::from(takes) + change / i64::from(bundle);
        // Proved above.
        debug_assert!(puts >= 0 && puts <= i64::from(draft.arcs(t).puts(p)), "{puts}");
        draft.set_weights(t, p, takes, u32::try_from(puts).unwrap_or(0));
    }
    draft.count(Rule::ScaledPlace);
    true
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
