//! Conditions on sums of several places, counted by what is short of them.
//!
//! The markings in which a transition is enabled although it needs S >= w, where S is a sum of
//! places, are all those that meet its other conditions less those among them with S < w. The
//! latter are of few *kinds*: a kind says how many tokens each place of S has, and a marking
//! with S < w is of exactly one kind. To count the markings of a kind, the table of each place is
//! cleared but for one number. With several such conditions each is applied to all that stands
//! there already: what counted too much now counts too little, and the other way round.
//!
//! *Invariant*: the plain guards less those in excess count the markings that meet the
//! conditions so far. *Why*: for every guard g, |g and S >= w| = |g| - sum over kinds k of
//! |g and k|, since kinds exclude each other and are together S < w. *Cost*: at most
//! [`MOST_KINDS`] guards per transition.

use super::expansion::ExpandedGuard;
use super::kernel::Table;
use brine_net::PlaceId;
use brine_run::Stop;
use num_bigint::BigUint;

/// Guards of one transition.
const MOST_KINDS: usize = 64;

/// How many tokens some places have.
pub(super) type Tokens = Vec<(PlaceId, u64)>;

/// The kinds of markings in which the sum of factors (at least 1) times places is less than
/// `least`, where places have at most so many tokens; `None` if there are too many.
pub(super) fn kinds(terms: &[(PlaceId, i128, u64)], least: i128) -> Option<Vec<Tokens>> {
    if least <= 0 {
        return Some(Vec::new());
    }
    let mut all: Vec<(Tokens, i128)> = vec![(Vec::new(), least - 1)];
    for &(p, factor, most) in terms {
        debug_assert!(factor > 0, "a sum of places that are there");
        let mut longer = Vec::new();
        for (tokens, left) in all {
            for n in 0..=most {
                let left = left - factor * i128::from(n);
                if left < 0 {
                    break;
                }
                let mut tokens = tokens.clone();
                tokens.push((p, n));
                longer.push((tokens, left));
                if longer.len() > MOST_KINDS {
                    return None;
                }
            }
        }
        all = longer;
    }
    Some(all.into_iter().map(|k| k.0).collect())
}

/// The guards that count what `guard` counts and that is of no kind, for each list of kinds.
/// `weight` are the numbers of a place that has no table. `None` if there would be too many.
pub(super) fn without(
    guard: ExpandedGuard,
    short: &[Vec<Tokens>],
    weight: impl Fn(PlaceId) -> Result<Table, Stop>,
) -> Result<Option<Vec<ExpandedGuard>>, Stop> {
    let mut all = vec![guard];
    for kinds in short {
        if all.len() * (1 + kinds.len()) > MOST_KINDS {
            return Ok(None);
        }
        for i in 0..all.len() {
            for kind in kinds {
                let mut part = all[i].clone();
                part.is_excess = !part.is_excess;
                let mut is_empty = false;
                for &(p, tokens) in kind {
                    let at = part.tables.binary_search_by_key(&p, |t| t.0);
                    let table = match at {
                        Ok(i) => part.tables[i].1.clone(),
                        Err(_) => weight(p)?,
                    };
                    let only = |(n, number): (usize, &BigUint)| match n as u64 == tokens {
                        true => number.clone(),
                        false => BigUint::ZERO,
                    };
                    let table: Table = table.iter().enumerate().map(only).collect();
                    is_empty |= table.iter().all(|number| *number == BigUint::ZERO);
                    match at {
                        Ok(i) => part.tables[i].1 = table,
                        Err(i) => part.tables.insert(i, (p, table)),
                    }
                }
                if !is_empty {
                    all.push(part);
                }
            }
        }
    }
    Ok(Some(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_what_stays_below() {
        let (p, q) = (PlaceId(0), PlaceId(1));
        assert_eq!(kinds(&[(p, 1, 5), (q, 1, 5)], 1), Some(vec![vec![(p, 0), (q, 0)]]));
        let two = vec![vec![(p, 0), (q, 0)], vec![(p, 0), (q, 1)], vec![(p, 1), (q, 0)]];
        assert_eq!(kinds(&[(p, 1, 5), (q, 1, 1)], 2), Some(two));
        assert_eq!(kinds(&[(p, 2, 5)], 2), Some(vec![vec![(p, 0)]]));
        assert_eq!(kinds(&[(p, 1, 5)], 0), Some(vec![]));
        assert_eq!(kinds(&[(p, 1, 500)], 100), None, "too many");
    }
}
