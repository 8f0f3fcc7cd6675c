//! Does a union of cubes hold every letter?
//!
//! The letters are split along an atom that occurs in both polarities, until a part is
//! covered by a cube without literals left, or cannot be covered. Three rules make splits rare:
//!
//! - a cube without literals covers its part;
//! - k literals leave a cube 2^-k of the letters; cubes that have less than all of them
//!   together cannot cover them;
//! - an atom that occurs in one polarity only does not help where it has the other value,
//!   so the cubes that mention it may be left out.
//!
//! Exact up to [`SPLITS`] splits, far more than labels of translated formulas need; beyond
//! that the answer is no. Whoever asks must be able to live with a wrong no.

use crate::automaton::{Cube, MAX_ATOMS};

/// Most splits.
const SPLITS: usize = 10_000;

/// Is every letter in one of the cubes? May say no when that is hard to tell.
pub(crate) fn holds_every_letter(cubes: Vec<Cube>) -> bool {
    let mut parts = vec![cubes];
    for _ in 0..SPLITS {
        let Some(mut cubes) = parts.pop() else { return true };
        if cubes.contains(&Cube::default()) {
            continue;
        }
        if !may_cover(&cubes) {
            return false;
        }
        let pos = cubes.iter().fold(0, |all, c| all | c.pos);
        let neg = cubes.iter().fold(0, |all, c| all | c.neg);
        let one_sided = pos ^ neg;
        if one_sided != 0 {
            cubes.retain(|c| (c.pos | c.neg) & one_sided == 0);
            parts.push(cubes);
            continue;
        }
        let atom = pos & pos.wrapping_neg();
        let rest = |c: &Cube| Cube { pos: c.pos & !atom, neg: c.neg & !atom };
        parts.push(cubes.iter().filter(|c| c.neg & atom == 0).map(rest).collect());
        parts.push(cubes.iter().filter(|c| c.pos & atom == 0).map(rest).collect());
    }
    parts.is_empty()
}

/// Have the cubes, counted one by one, as many letters as there are?
fn may_cover(cubes: &[Cube]) -> bool {
    let share = |c: &Cube| {
        // A cube that asks for both values of an atom has no letters at all.
        let literals = (c.pos | c.neg).count_ones();
        if c.pos & c.neg == 0 { 1u128 << (MAX_ATOMS as u32 - literals) } else { 0 }
    };
    cubes.iter().map(share).sum::<u128>() >= 1 << MAX_ATOMS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of up to four cubes over two atoms, and random ones over five, against
    /// every letter.
    #[test]
    fn against_every_letter() {
        let all: Vec<Cube> = (0..16).map(|i| Cube { pos: i & 3, neg: i >> 2 }).collect();
        let mut covers = 0;
        for code in 0..1usize << 16 {
            let cubes = [code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12];
            let cubes = cubes.map(|i| all[i]).to_vec();
            covers += check(cubes, 2);
        }
        assert!(covers > 1000);
        let mut random = crate::small::Random(7);
        let mut covers = 0;
        for _ in 0..20_000 {
            let cubes = (0..random.below(24))
                .map(|_| {
                    let fixed = random.below(32) & random.below(32);
                    let pos = random.below(32) & fixed;
                    Cube { pos, neg: fixed & !pos }
                })
                .collect();
            covers += check(cubes, 5);
        }
        assert!(covers > 500, "{covers}");
    }

    fn check(cubes: Vec<Cube>, atoms: u32) -> usize {
        let expected = (0..1u64 << atoms).all(|l| cubes.iter().any(|c| c.accepts(l)));
        assert_eq!(holds_every_letter(cubes.clone()), expected, "{cubes:?}");
        usize::from(expected)
    }
}
