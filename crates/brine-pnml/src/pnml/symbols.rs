//! The ids of a file: each is kept once, in one string, and stands for a small number.
//!
//! Arcs may come before the nodes they join and references before what they refer to,
//! so an id is first a [`Symbol`] without meaning; its [`IdMeaning`] is set when the node
//! is read. The table is a linear-probing index over the spans of one arena: a map with
//! owned keys would hold every id of a large net a second time.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use brine_net::{PlaceId, TransitionId};

/// An interned id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol(u32);

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IdMeaning {
    /// Mentioned, not declared so far.
    Unknown,
    Place(PlaceId),
    Transition(TransitionId),
    /// A reference place: stands for what the other id stands for.
    PlaceReference(Symbol),
    /// A reference transition.
    TransitionReference(Symbol),
    Arc,
}

/// Why a symbol does not lead to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unresolved {
    /// This id is nowhere declared.
    Unknown(Symbol),
    /// References lead back to themselves.
    Circle(Symbol),
    /// The id belongs to an arc, or a reference place refers to a transition.
    WrongKind(Symbol),
}

/// An entry of the table: a symbol and a part of its hash, which settles most comparisons
/// and lets the table grow without looking at the ids.
#[derive(Clone, Copy, Debug)]
struct IdSlot {
    hash: u32,
    symbol: u32,
}

const EMPTY: IdSlot = IdSlot { hash: 0, symbol: u32::MAX };

/// All ids of a file.
#[derive(Debug, Default)]
pub(super) struct IdTable {
    text: String,
    /// End of each symbol's text; it starts where the one before ends.
    ends: Vec<usize>,
    meanings: Vec<IdMeaning>,
    table: Vec<IdSlot>,
}

impl IdTable {
    /// The symbol of an id; a new one means [`IdMeaning::Unknown`].
    pub(super) fn intern(&mut self, id: &str) -> Symbol {
        // At most half full.
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let hash = hash(id);
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at].symbol != EMPTY.symbol {
            let symbol = Symbol(self.table[at].symbol);
            if self.table[at].hash == hash && self.id(symbol) == id {
                return symbol;
            }
            at = (at + 1) & mask;
        }
        let symbol = Symbol(self.ends.len() as u32);
        self.table[at] = IdSlot { hash, symbol: symbol.0 };
        self.text.push_str(id);
        self.ends.push(self.text.len());
        self.meanings.push(IdMeaning::Unknown);
        debug_assert!(self.ends.len() * 2 <= self.table.len(), "at most half full");
        debug_assert!(self.id(symbol) == id, "the symbol of an id stands for it");
        symbol
    }

    /// The id of a symbol.
    pub(super) fn id(&self, symbol: Symbol) -> &str {
        let i = symbol.0 as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    pub(super) fn meaning(&self, symbol: Symbol) -> IdMeaning {
        self.meanings[symbol.0 as usize]
    }

    pub(super) fn set_meaning(&mut self, symbol: Symbol, meaning: IdMeaning) {
        self.meanings[symbol.0 as usize] = meaning;
    }

    /// Follows references to a place or a transition. What was found is remembered along
    /// the way, so long chains of references cost their length once.
    pub(super) fn resolve(&mut self, symbol: Symbol) -> Result<IdMeaning, Unresolved> {
        let node = self.follow(symbol)?;
        debug_assert!(matches!(node, IdMeaning::Place(_) | IdMeaning::Transition(_)), "a node");
        let mut here = symbol;
        while let IdMeaning::PlaceReference(next) | IdMeaning::TransitionReference(next) =
            self.meaning(here)
        {
            self.set_meaning(here, node);
            here = next;
        }
        Ok(node)
    }

    fn follow(&self, symbol: Symbol) -> Result<IdMeaning, Unresolved> {
        let mut here = symbol;
        let mut wanted = None;
        // More steps than symbols are a circle.
        for _ in 0..=self.meanings.len() {
            let meaning = self.meaning(here);
            let is_place = match meaning {
                IdMeaning::Unknown => return Err(Unresolved::Unknown(here)),
                IdMeaning::Arc => return Err(Unresolved::WrongKind(here)),
                IdMeaning::Place(_) | IdMeaning::PlaceReference(_) => true,
                IdMeaning::Transition(_) | IdMeaning::TransitionReference(_) => false,
            };
            if *wanted.get_or_insert(is_place) != is_place {
                return Err(Unresolved::WrongKind(here));
            }
            match meaning {
                IdMeaning::PlaceReference(next) | IdMeaning::TransitionReference(next) => {
                    here = next
                }
                _ => return Ok(meaning),
            }
        }
        Err(Unresolved::Circle(symbol))
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        let old = std::mem::replace(&mut self.table, vec![EMPTY; size]);
        for slot in old.into_iter().filter(|slot| slot.symbol != EMPTY.symbol) {
            let mut at = slot.hash as usize & (size - 1);
            while self.table[at].symbol != EMPTY.symbol {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = slot;
        }
    }
}

/// Fx mixes poorly in the low bits that index a table, so a finaliser follows.
fn hash(id: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(id.as_bytes());
    let mut h = hasher.finish();
    h ^= h >> 32;
    h = h.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (h ^ (h >> 29)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_keeps_its_symbol() {
        let mut symbols = IdTable::default();
        let ids: Vec<String> = (0..5000).map(|i| format!("p{i}")).collect();
        let numbers: Vec<Symbol> = ids.iter().map(|id| symbols.intern(id)).collect();
        for (id, &symbol) in ids.iter().zip(&numbers) {
            assert_eq!(symbols.intern(id), symbol);
            assert_eq!(symbols.id(symbol), id);
        }
        let empty = symbols.intern("");
        assert_eq!(symbols.id(empty), "");
        assert_eq!(symbols.ends.len(), 5001);
    }

    #[test]
    fn references_are_followed() {
        let mut symbols = IdTable::default();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|id| symbols.intern(id));
        symbols.set_meaning(a, IdMeaning::PlaceReference(b));
        assert_eq!(symbols.resolve(a), Err(Unresolved::Unknown(b)));
        symbols.set_meaning(b, IdMeaning::PlaceReference(c));
        symbols.set_meaning(c, IdMeaning::PlaceReference(b));
        assert_eq!(symbols.resolve(a), Err(Unresolved::Circle(a)));
        symbols.set_meaning(c, IdMeaning::Place(PlaceId(7)));
        assert_eq!(symbols.resolve(a), Ok(IdMeaning::Place(PlaceId(7))));
        symbols.set_meaning(d, IdMeaning::TransitionReference(a));
        assert_eq!(symbols.resolve(d), Err(Unresolved::WrongKind(a)));
    }
}
