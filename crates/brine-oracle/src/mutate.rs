//! Damaged files: what a reader must survive.
//!
//! A document of the corpus is changed in a few places: bytes flipped, pieces cut, doubled,
//! moved, repeated very often, taken from another document, or replaced by tokens that mean
//! something to the reader. Blind changes find the tokenizer's faults, tokens those behind it.

use brine_net::Rng;

/// Tokens that mean something in most formats: large numbers, brackets, keywords of nothing.
const COMMON: [&str; 14] = [
    "0",
    "-1",
    "4294967296",
    "18446744073709551616",
    "99999999999999999999999",
    "\"",
    "'",
    "<",
    ">",
    "((((((((",
    "))))))))",
    "\u{0}",
    "\u{fffd}",
    "\n",
];
/// A piece is repeated at most so often, and a document grows to at most so many bytes.
const REPEAT_MAX: u32 = 2_000;
/// The longest document that is made.
pub const LENGTH_MAX: usize = 1 << 16;

/// What documents are made from.
#[derive(Clone, Copy, Debug)]
pub struct Corpus<'a> {
    /// Whole documents.
    pub documents: &'a [Vec<u8>],
    /// Words of the format.
    pub tokens: &'a [&'a str],
}

impl Corpus<'_> {
    /// A damaged document.
    pub fn draw(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = self.documents[rng.below(self.documents.len() as u32) as usize].clone();
        for _ in 0..=rng.below(4) {
            self.damage(&mut bytes, rng);
        }
        bytes.truncate(LENGTH_MAX);
        bytes
    }

    fn damage(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        let length = bytes.len() as u32;
        let from = rng.below(length + 1) as usize;
        let reach = if rng.chance(10) { length } else { 30 };
        let to = (from + rng.below(reach + 1) as usize).min(bytes.len());
        let piece = bytes[from..to].to_vec();
        match rng.below(9) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..from, piece)),
            2 => {
                let elsewhere = rng.below(length + 1) as usize;
                bytes.splice(elsewhere..elsewhere, piece);
            }
            3 => bytes.truncate(from),
            4 => {
                let times = rng.below(REPEAT_MAX) as usize;
                let times = times.min(LENGTH_MAX / piece.len().max(1));
                bytes.splice(from..from, piece.repeat(times));
            }
            5 => {
                let other = &self.documents[rng.below(self.documents.len() as u32) as usize];
                let start = rng.below(other.len() as u32 + 1) as usize;
                let end = (start + rng.below(60) as usize).min(other.len());
                bytes.splice(from..to, other[start..end].iter().copied());
            }
            6 if from < bytes.len() => bytes[from] ^= 1 << rng.below(8),
            _ => {
                let all = self.tokens.len() + COMMON.len();
                let at = rng.below(all as u32) as usize;
                let token = self.tokens.get(at).unwrap_or_else(|| &COMMON[at - self.tokens.len()]);
                let to = if rng.chance(50) { from } else { to };
                bytes.splice(from..to, token.bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_differ_stay_short_and_come_back_for_the_same_seed() {
        let documents = [b"<a b='1'>text</a>".to_vec(), b"G (p U q)".to_vec()];
        let corpus = Corpus { documents: &documents, tokens: &["U", "</a>"] };
        let draw = |seed| corpus.draw(&mut Rng::new(seed));
        let drawn: std::collections::HashSet<Vec<u8>> = (0..1_000).map(draw).collect();
        assert!(drawn.len() > 800, "{}", drawn.len());
        assert!(drawn.iter().all(|d| d.len() <= LENGTH_MAX));
        assert!(drawn.iter().any(|d| d.len() > 5_000), "some are long");
        assert_eq!(draw(7), draw(7));
    }
}
