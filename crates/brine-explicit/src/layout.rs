//! How a marking is packed into 64-bit words.
//!
//! Each place that can change has a field of 1 to 32 bits inside one word. A field is
//! *proven* when a structural bound guarantees that the value fits; otherwise its width is
//! a guess that firing checks every time, and an overflow widens the field (the store is
//! repacked, see `StateStore::repack`). A place whose marking no transition changes takes
//! no bits at all: its value is the `base` of its field.
//!
//! Fields never straddle words. So a transition changes a word by one wrapping addition
//! (each field stays within its range, hence no carry ever leaves a field).

use brine_net::{Net, PlaceId};

/// What is known about the number of tokens that a place can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// No reachable marking has more tokens in the place.
    Proven(u32),
    /// Likely no more than this; checked when firing.
    Guess(u32),
}

/// Where the tokens of one place are found in a packed marking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Index of the word.
    pub word: u32,
    /// Position of the lowest bit.
    pub shift: u8,
    /// Width; 0 for a place that never changes.
    pub bits: u8,
    /// The value needs no check when tokens are added.
    pub proven: bool,
    /// Added to the stored bits: the constant value of a place without bits, else 0.
    pub base: u32,
}

impl Field {
    /// The largest value of the stored bits.
    pub fn mask(self) -> u64 {
        (1u64 << self.bits) - 1
    }

    /// The number of tokens in a packed marking.
    #[inline]
    pub fn get(self, words: &[u64]) -> u32 {
        self.base + ((words[self.word as usize] >> self.shift) & self.mask()) as u32
    }

    /// Adds the value to words whose field is zero.
    fn put(self, words: &mut [u64], value: u32) {
        words[self.word as usize] |= u64::from(value - self.base) << self.shift;
    }
}

/// The fields of all places of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    words: usize,
}

/// Width of the first guess for a place about which nothing is known.
const FIRST_GUESS_BITS: u8 = 4;

impl Layout {
    /// Lays out the places of a net; `bounds` has one entry per place.
    pub fn new(net: &Net, bounds: &[Bound]) -> Self {
        let changed = changed_places(net);
        let mut fields: Vec<Field> = net
            .places()
            .enumerate()
            .map(|(p, place)| {
                let (width, proven) = match bounds[p] {
                    Bound::Proven(b) => (bits_for(b.max(place.initial)), b >= place.initial),
                    Bound::Guess(b) => (bits_for(b.max(place.initial)), false),
                };
                let (bits, base) = if changed[p] { (width, 0) } else { (0, place.initial) };
                Field { word: 0, shift: 0, bits, proven, base }
            })
            .collect();
        let words = place_fields(&mut fields);
        Layout { fields, words }
    }

    /// The guess to start with when no bound of a place is known.
    pub fn unknown_bound() -> Bound {
        Bound::Guess((1 << FIRST_GUESS_BITS) - 1)
    }

    /// The same layout with wider fields, or `None` when 32 bits are not enough.
    /// `grow[p]` says which fields double their width.
    pub fn widened(&self, grow: &[bool]) -> Option<Layout> {
        let mut fields = self.fields.clone();
        for (field, _) in fields.iter_mut().zip(grow).filter(|(_, grow)| **grow) {
            if field.bits >= 32 {
                return None;
            }
            field.bits = (field.bits * 2).min(32);
        }
        let words = place_fields(&mut fields);
        Some(Layout { fields, words })
    }

    /// Words per packed marking, at least one.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The field of a place.
    pub fn field(&self, p: PlaceId) -> Field {
        self.fields[p.index()]
    }

    /// All fields, indexed by place.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Packs a marking whose values fit.
    pub fn pack(&self, marking: &[u32]) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for (field, &value) in self.fields.iter().zip(marking) {
            debug_assert!(u64::from(value - field.base) <= field.mask());
            field.put(&mut words, value);
        }
        words
    }

    /// Unpacks a marking.
    pub fn unpack(&self, words: &[u64]) -> Vec<u32> {
        self.fields.iter().map(|f| f.get(words)).collect()
    }

    /// Moves one packed marking from `old` to this layout.
    pub fn convert(&self, old: &Layout, from: &[u64], to: &mut [u64]) {
        to.fill(0);
        for (new, old) in self.fields.iter().zip(&old.fields) {
            new.put(to, old.get(from));
        }
    }
}

/// The places that some transition changes.
fn changed_places(net: &Net) -> Vec<bool> {
    let mut changed = vec![false; net.places().len()];
    for t in net.transitions() {
        for (p, _) in crate::fire::effect(t) {
            changed[p.index()] = true;
        }
    }
    changed
}

/// Bits that hold the values 0..=max, at least one.
fn bits_for(max: u32) -> u8 {
    (32 - max.leading_zeros()).max(1) as u8
}

/// Gives each field its word and shift, in place order; returns the number of words.
fn place_fields(fields: &mut [Field]) -> usize {
    let (mut word, mut used) = (0u32, 0u8);
    for field in fields.iter_mut() {
        if used + field.bits > 64 {
            word += 1;
            used = 0;
        }
        // A constant place after a full word reads (and masks away) bits of that word.
        field.word = word;
        field.shift = used.min(63);
        used += field.bits;
        debug_assert!(used <= 64, "a field does not straddle words");
    }
    word as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    fn net() -> Net {
        let mut b = NetBuilder::new("n");
        let places: Vec<PlaceId> = (0..40).map(|i| b.place(&format!("p{i}"), i % 3)).collect();
        for w in places.windows(2).skip(1) {
            b.transition(&format!("t{}", w[0].0), &[(w[0], 1)], &[(w[1], 1)]);
        }
        b.build().unwrap()
    }

    #[test]
    fn packing_and_widening_keep_every_value() {
        let net = net();
        let layout = Layout::new(&net, &[Bound::Guess(3); 40]);
        assert_eq!(layout.fields()[0].bits, 0, "p0 never changes");
        assert_eq!(layout.words(), 2);
        let marking: Vec<u32> =
            (0..40).map(|p| if p == 0 { 0 } else { (p * 7 % 4) as u32 }).collect();
        let packed = layout.pack(&marking);
        assert_eq!(layout.unpack(&packed), marking);
        let grow: Vec<bool> = (0..40).map(|p| p % 3 == 1).collect();
        let wide = layout.widened(&grow).unwrap();
        let mut moved = vec![0; wide.words()];
        wide.convert(&layout, &packed, &mut moved);
        assert_eq!(wide.unpack(&moved), marking);
        assert_eq!(wide.fields()[1].bits, 4);
    }

    #[test]
    fn a_bound_below_the_initial_marking_is_not_trusted() {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", 9);
        b.transition("t", &[(p, 1)], &[]);
        let net = b.build().unwrap();
        let field = Layout::new(&net, &[Bound::Proven(1)]).field(p);
        assert_eq!((field.bits, field.proven), (4, false));
    }

    #[test]
    fn thirty_two_bits_are_the_end() {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", u32::MAX);
        b.transition("t", &[(p, 1)], &[]);
        let net = b.build().unwrap();
        let layout = Layout::new(&net, &[Layout::unknown_bound()]);
        assert_eq!(layout.unpack(&layout.pack(&[u32::MAX])), [u32::MAX]);
        assert!(layout.widened(&[true]).is_none());
    }
}
