//! The set of markings found so far: an arena of packed words and an open-addressing table.
//!
//! A marking's id is its position in the arena. The table has a power of two of 32-bit
//! slots, 2^c; ids need fewer than c bits because the table is never full, and the other
//! 32 - c bits of a slot keep a piece of the hash (the *tag*), so that most probes that
//! meet another marking are told apart without touching the arena. Whenever the tag agrees,
//! the words are compared in full: the set is exact.
//!
//! Growing the table needs no second copy: the old one is dropped and the slots are filled
//! again from the arena. Memory: 8 bytes per word of the marking and 4 bytes per slot at a
//! load between 0.4 and 0.8.
//!
//! Hashing: a folded 128-bit multiplication per word and a murmur-style finaliser. Linear
//! probing needs well mixed low bits; an Fx-style product alone clusters badly here.

use crate::layout::Layout;
use crate::meter::Meter;
use brine_run::Stop;

/// Number of a marking in its store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MarkingId(pub u32);

impl MarkingId {
    /// The first marking of a store: the initial one of a net.
    pub const INITIAL: MarkingId = MarkingId(0);

    /// The number as `usize`.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The marking that was found after this one.
    #[inline]
    pub(crate) fn next(self) -> MarkingId {
        MarkingId(self.0 + 1)
    }
}

/// No id and no tag can make this slot: ids stay below the number of slots minus one.
const EMPTY: u32 = u32::MAX;
const FIRST_SLOT_BITS: u32 = 8;
/// The table grows when it is fuller than this share (in 1/16).
const MAX_LOAD_16: usize = 13;
const MAX_MARKINGS: usize = (1 << 31) - 1;

/// An exact set of packed markings with dense ids.
#[derive(Debug)]
pub struct StateStore {
    words: usize,
    arena: Vec<u64>,
    table: Vec<u32>,
    slot_bits: u32,
    len: usize,
}

/// Mixes the words of a marking into 64 bits.
#[inline]
fn hash(words: &[u64]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut h: u64 = 0x2545_F491_4F6C_DD1D;
    for &w in words {
        let product = u128::from(h ^ w) * u128::from(K);
        h = (product as u64 ^ (product >> 64) as u64).wrapping_add(0xA076_1D64_78BD_642F);
    }
    finalise(h)
}

/// The finaliser of MurmurHash3: every input bit changes every output bit with chance 1/2.
#[inline]
pub(crate) fn finalise(mut h: u64) -> u64 {
    h ^= h >> 33;
    h = h.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    h ^= h >> 33;
    h = h.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    h ^ (h >> 33)
}

/// Slots for a batch of look-ups, kept to spare allocations.
#[derive(Debug, Default)]
pub struct Batch {
    hashes: Vec<u64>,
    slots: Vec<u32>,
}

impl StateStore {
    /// An empty store for markings of so many words.
    pub fn new(words: usize) -> Self {
        let slots = 1 << FIRST_SLOT_BITS;
        StateStore {
            words,
            arena: Vec::new(),
            table: vec![EMPTY; slots],
            slot_bits: FIRST_SLOT_BITS,
            len: 0,
        }
    }

    /// The number of markings.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no marking yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All markings found so far, in the order in which they were found.
    pub fn ids(&self) -> impl Iterator<Item = MarkingId> + use<> {
        (0..self.len as u32).map(MarkingId)
    }

    /// Words per marking.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Bytes taken by arena and table, as far as they are filled.
    pub fn bytes(&self) -> u64 {
        (self.arena.len() * 8 + self.table.len() * 4) as u64
    }

    /// Bytes allocated for arena and table.
    pub fn allocated(&self) -> u64 {
        (self.arena.capacity() * 8 + self.table.capacity() * 4) as u64
    }

    /// The packed words of a marking.
    #[inline]
    pub fn get(&self, id: MarkingId) -> &[u64] {
        let start = id.index() * self.words;
        &self.arena[start..start + self.words]
    }

    /// Finds or adds a marking; the flag says whether it is new.
    pub fn intern(&mut self, m: &[u64], meter: &mut Meter) -> Result<(MarkingId, bool), Stop> {
        self.make_room(1, meter)?;
        let h = hash(m);
        let slot = self.table[self.home(h)];
        self.resolve(h, slot, m, meter)
    }

    /// Finds or adds `count` markings laid end to end in `all`; `found` gets one entry for each.
    ///
    /// Looking up one marking waits for memory twice; here the first wait of the whole batch
    /// is shared, because all first slots are read before any of them is used.
    pub fn intern_batch(
        &mut self,
        all: &[u64],
        batch: &mut Batch,
        found: &mut Vec<(MarkingId, bool)>,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let count = all.len() / self.words;
        self.make_room(count, meter)?;
        batch.hashes.clear();
        batch.hashes.extend(all.chunks_exact(self.words).map(hash));
        batch.slots.clear();
        batch.slots.extend(batch.hashes.iter().map(|&h| self.table[self.home(h)]));
        for (i, m) in all.chunks_exact(self.words).enumerate() {
            found.push(self.resolve(batch.hashes[i], batch.slots[i], m, meter)?);
        }
        Ok(())
    }

    #[inline]
    fn home(&self, h: u64) -> usize {
        (h & ((1 << self.slot_bits) - 1)) as usize
    }

    /// Ends a look-up whose first slot, perhaps read some time ago, is `first`.
    #[inline]
    fn resolve(
        &mut self,
        h: u64,
        first: u32,
        m: &[u64],
        meter: &mut Meter,
    ) -> Result<(MarkingId, bool), Stop> {
        debug_assert_eq!(m.len(), self.words, "markings of one layout");
        debug_assert!(self.len < self.table.len(), "an empty slot ends every look-up");
        let id_mask = (1u32 << self.slot_bits) - 1;
        let tag = ((h >> 32) as u32) & !id_mask;
        let mut at = self.home(h);
        // A slot never changes once it is filled, so an early read may only be a stale EMPTY.
        let mut slot = if first == EMPTY { self.table[at] } else { first };
        while slot != EMPTY {
            if slot & !id_mask == tag && self.get(MarkingId(slot & id_mask)) == m {
                return Ok((MarkingId(slot & id_mask), false));
            }
            at = (at + 1) & id_mask as usize;
            slot = self.table[at];
        }
        let id = self.len as u32;
        meter.reserve(&mut self.arena, self.words)?;
        self.arena.extend_from_slice(m);
        self.table[at] = tag | id;
        self.len += 1;
        Ok((MarkingId(id), true))
    }

    /// Grows the table so that `more` markings can be added.
    fn make_room(&mut self, more: usize, meter: &mut Meter) -> Result<(), Stop> {
        let need = self.len + more;
        if need * 16 <= self.table.len() * MAX_LOAD_16 {
            return Ok(());
        }
        if need > MAX_MARKINGS {
            return Err(Stop::Memory);
        }
        let mut bits = self.slot_bits;
        while need * 16 > (1usize << bits) * MAX_LOAD_16 {
            bits += 1;
        }
        if bits > 31 {
            return Err(Stop::Memory);
        }
        meter.charge(4 * ((1u64 << bits) - self.table.len() as u64))?;
        self.rehash(bits)
    }

    /// Fills a table of 2^bits slots from the arena.
    fn rehash(&mut self, bits: u32) -> Result<(), Stop> {
        let slots = 1usize << bits;
        self.table = Vec::new();
        self.table.try_reserve_exact(slots).map_err(|_| Stop::Memory)?;
        self.table.resize(slots, EMPTY);
        self.slot_bits = bits;
        let id_mask = slots - 1;
        for (id, m) in self.arena.chunks_exact(self.words).enumerate() {
            let h = hash(m);
            let mut at = (h as usize) & id_mask;
            while self.table[at] != EMPTY {
                at = (at + 1) & id_mask;
            }
            self.table[at] = (((h >> 32) as u32) & !(id_mask as u32)) | id as u32;
        }
        Ok(())
    }

    /// Forgets all markings and gives the memory back.
    pub(crate) fn clear(&mut self, meter: &mut Meter) {
        meter.release(&mut self.arena);
        meter.refund(4 * (self.table.len() - (1 << FIRST_SLOT_BITS)) as u64);
        *self = StateStore::new(self.words);
    }

    /// Moves every marking from the old layout to the new one; ids stay.
    pub fn repack(&mut self, old: &Layout, new: &Layout, meter: &mut Meter) -> Result<(), Stop> {
        let mut arena: Vec<u64> = Vec::new();
        meter.reserve(&mut arena, self.len * new.words())?;
        arena.resize(self.len * new.words(), 0);
        let pairs = self.arena.chunks_exact(old.words()).zip(arena.chunks_exact_mut(new.words()));
        for (from, to) in pairs {
            meter.tick()?;
            new.convert(old, from, to);
        }
        meter.release(&mut self.arena);
        self.arena = arena;
        self.words = new.words();
        self.rehash(self.slot_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_run::Control;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_hash_map_through_many_growths() {
        let mut meter = Meter::new(Control::default());
        let mut store = StateStore::new(2);
        let mut model: HashMap<[u64; 2], MarkingId> = HashMap::new();
        let mut rng = brine_net::Rng::new(1);
        // Enough markings that equal tags of different ones occur.
        for _ in 0..400_000 {
            let m = [u64::from(rng.below(2000)), u64::from(rng.below(150))];
            let next = MarkingId(model.len() as u32);
            let (id, new) = store.intern(&m, &mut meter).unwrap();
            assert_eq!(new, !model.contains_key(&m));
            assert_eq!(id, *model.entry(m).or_insert(next));
            assert_eq!(store.get(id), m);
        }
        assert_eq!(store.len(), model.len());
    }

    #[test]
    fn a_batch_finds_what_single_look_ups_find_even_with_repeats() {
        let mut meter = Meter::new(Control::default());
        let (mut one, mut many) = (StateStore::new(1), StateStore::new(1));
        let (mut batch, mut found) = (Batch::default(), Vec::new());
        for round in 0..500u64 {
            let all: Vec<u64> = (0..round % 17).map(|i| (round * i * i) % 97).collect();
            found.clear();
            many.intern_batch(&all, &mut batch, &mut found, &mut meter).unwrap();
            let single: Vec<_> =
                all.iter().map(|&m| one.intern(&[m], &mut meter).unwrap()).collect();
            assert_eq!(found, single);
        }
    }

    #[test]
    fn the_memory_budget_is_kept() {
        let mut meter = Meter::new(Control { charged: Some(1 << 16), ..Control::default() });
        let mut store = StateStore::new(1);
        let error = (0..1 << 20).find_map(|i| store.intern(&[i], &mut meter).err());
        assert_eq!(error, Some(Stop::Memory));
        assert!(store.bytes() <= (1 << 16) + 1024, "{} bytes", store.bytes());
        assert!(store.len() > 2_000);
    }

    /// Consecutive integers, the worst case of weak hashes, must not cluster.
    #[test]
    fn probes_stay_short_on_regular_data() {
        let slots = 1 << 16;
        let mut load = vec![0u32; slots];
        for i in 0..slots as u64 {
            load[(hash(&[i << 20]) as usize) & (slots - 1)] += 1;
        }
        let worst = load.iter().max().unwrap();
        assert!(*worst <= 12, "{worst} of 65,536 words share one slot");
    }
}
