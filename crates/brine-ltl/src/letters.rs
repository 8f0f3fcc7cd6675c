//! Sets of letters: edge labels as oxidd BDDs, numbered.
//!
//! Translation and reduction combine the same few labels over and over. So every BDD
//! that occurs gets a small number ([`Lab`]) and the results of the set operations are
//! remembered by number; a repeated operation costs one look-up in a small table and
//! equality is equality of numbers (BDDs are canonical).
//!
//! One BDD manager per thread serves all translations on that thread; its nodes are reclaimed
//! by oxidd when a [`Letters`] is dropped. It has room for [`FEW_NODES`]. When they do not
//! suffice, the thread gets a manager for [`NODES`], the sets move there under the numbers they
//! have (they are as many: equal in the one is equal in the other), and the operation is
//! repeated. When that one is full as well, the store is marked *exhausted*, gives up its sets
//! and the manager (translations that follow on this thread begin with an empty one), and
//! answers arbitrarily from then on: its owner must ask [`Letters::exhausted`] before believing
//! a result. Cost: a look-up, or one BDD operation the first time.

use crate::automaton::{Cube, Label, MAX_ATOMS};
use brine_net::Interner;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OutOfMemory};
use oxidd::{BooleanFunction, Function, HasLevel, Manager, ManagerRef};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A set of letters, numbered by its [`Letters`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lab(u32);

impl Lab {
    /// No letter.
    pub(crate) const FALSE: Lab = Lab(0);
    /// Every letter.
    pub(crate) const TRUE: Lab = Lab(1);
}

/// BDD nodes that a thread begins with. A larger store of oxidd 0.13 (`manager-index`) hands out
/// nodes in chunks of so many, and links all of a chunk when a thread stops using it; from 2 MiB
/// on it also asks for huge pages. Then the first node costs 2 MiB of memory, a fifth of a small
/// check, and the time to fill half of it.
const FEW_NODES: usize = 1 << 16;
/// Most BDD nodes on one thread.
const NODES: usize = 1 << 20;
/// Most cubes of a label: that of "an odd number of atoms hold" has half as many as letters.
const CUBES: usize = 1 << 16;
/// Entries of the apply cache.
const CACHE: usize = 1 << 13;

thread_local! {
    static ROOM: RefCell<Option<Room>> = const { RefCell::new(None) };
}

/// A manager with its variables, and how many nodes it can have.
#[derive(Clone)]
struct Room {
    manager: BDDManagerRef,
    vars: Vec<BDDFunction>,
    nodes: usize,
}

impl Room {
    fn new(nodes: usize) -> Self {
        let manager = new_manager(nodes, CACHE, 1);
        let vars = manager.with_manager_exclusive(|m| {
            m.add_vars(MAX_ATOMS as u32)
                .map(|i| BDDFunction::var(m, i).expect("an empty manager has room"))
                .collect()
        });
        Room { manager, vars, nodes }
    }

    /// The thread's, made anew if it has not this many nodes.
    fn of_thread(nodes: usize) -> Self {
        ROOM.with_borrow_mut(|room| {
            room.take_if(|room| room.nodes < nodes);
            room.get_or_insert_with(|| Room::new(nodes)).clone()
        })
    }

    fn constant(&self, value: bool) -> BDDFunction {
        self.manager.with_manager_shared(|m| match value {
            true => BDDFunction::t(m),
            false => BDDFunction::f(m),
        })
    }

    /// A function of another manager in this one; what is copied below it goes to `copies`, under
    /// the number that it has in `known`. Recursion is over atoms.
    fn copy(
        &self,
        f: &BDDFunction,
        known: &mut Interner<BDDFunction>,
        copies: &mut Vec<BDDFunction>,
    ) -> AllocResult<BDDFunction> {
        let Some((atom, yes, no)) = split(f) else {
            return Ok(self.constant(f.valid()));
        };
        if let Some(i) = known.find(f) {
            return Ok(copies[i as usize].clone());
        }
        let (yes, no) = (self.copy(&yes, known, copies)?, self.copy(&no, known, copies)?);
        let copy = self.vars[atom as usize].ite(&yes, &no)?;
        known.intern(f.clone());
        copies.push(copy.clone());
        debug_assert_eq!(known.len(), copies.len(), "a function is copied once");
        Ok(copy)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum LetterOp {
    And,
    Or,
    Minus,
}

/// The store of labels of one translation.
pub(crate) struct Letters {
    room: Room,
    functions: Interner<BDDFunction>,
    memo: FxHashMap<(LetterOp, Lab, Lab), Lab>,
    exhausted: bool,
}

impl Letters {
    /// An empty store over letters of up to [`MAX_ATOMS`] bits.
    pub(crate) fn new() -> Self {
        Self::within_room(Room::of_thread(FEW_NODES))
    }

    fn within_room(room: Room) -> Self {
        let functions = [false, true].map(|value| room.constant(value)).into_iter().collect();
        Letters { room, functions, memo: FxHashMap::default(), exhausted: false }
    }

    /// True when memory ran out: nothing computed since then may be used.
    pub(crate) fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// Does what needs nodes, if need be again with more room; `None` if that is not enough.
    fn with_room<T>(&mut self, work: impl Fn(&Self) -> AllocResult<T>) -> Option<T> {
        if self.exhausted {
            return None;
        }
        let result = work(self).or_else(|OutOfMemory| {
            self.grow()?;
            work(self)
        });
        if result.is_err() {
            self.give_up();
        }
        result.ok()
    }

    /// Forgets all sets, and the manager that they have filled.
    fn give_up(&mut self) {
        ROOM.with_borrow_mut(|room| room.take());
        *self = Letters { exhausted: true, ..Self::new() };
    }

    /// Moves all sets to a manager with more room, if this one is not the largest.
    fn grow(&mut self) -> AllocResult<()> {
        if self.room.nodes >= NODES {
            return Err(OutOfMemory);
        }
        let room = Room::of_thread(NODES);
        let (mut known, mut copies) = (Interner::new(), Vec::new());
        let copied = self.functions.iter().map(|f| room.copy(f, &mut known, &mut copies));
        let functions = copied.collect::<AllocResult<Interner<BDDFunction>>>()?;
        debug_assert_eq!(functions.len(), self.functions.len(), "sets keep their numbers");
        (self.room, self.functions) = (room, functions);
        Ok(())
    }

    fn function(&self, l: Lab) -> &BDDFunction {
        debug_assert!(self.exhausted || (l.0 as usize) < self.functions.len());
        // An exhausted store is asked about sets that it has forgotten.
        let last = self.functions.len() - 1;
        &self.functions[last.min(l.0 as usize)]
    }

    /// The letters in which atom `i` holds.
    pub(crate) fn atom(&mut self, i: usize) -> Lab {
        let f = self.room.vars[i].clone();
        Lab(self.functions.intern(f))
    }

    /// The letters not in `a`.
    pub(crate) fn not(&mut self, a: Lab) -> Lab {
        self.minus(Lab::TRUE, a)
    }

    /// Intersection.
    pub(crate) fn and(&mut self, a: Lab, b: Lab) -> Lab {
        match (a.min(b), a.max(b)) {
            (Lab::FALSE, _) => Lab::FALSE,
            (Lab::TRUE, l) => l,
            (l, m) if l == m => l,
            (l, m) => self.apply(LetterOp::And, l, m),
        }
    }

    /// Union.
    pub(crate) fn or(&mut self, a: Lab, b: Lab) -> Lab {
        match (a.min(b), a.max(b)) {
            (Lab::FALSE, l) => l,
            (Lab::TRUE, _) => Lab::TRUE,
            (l, m) if l == m => l,
            (l, m) => self.apply(LetterOp::Or, l, m),
        }
    }

    /// The letters in `a` but not in `b`.
    pub(crate) fn minus(&mut self, a: Lab, b: Lab) -> Lab {
        if a == b || a == Lab::FALSE || b == Lab::TRUE {
            Lab::FALSE
        } else if b == Lab::FALSE {
            a
        } else {
            self.apply(LetterOp::Minus, a, b)
        }
    }

    /// Is every letter of `a` in `b`?
    pub(crate) fn within(&mut self, a: Lab, b: Lab) -> bool {
        a == Lab::FALSE || b == Lab::TRUE || self.minus(a, b) == Lab::FALSE
    }

    /// Do `a` and `b` share a letter?
    pub(crate) fn meets(&mut self, a: Lab, b: Lab) -> bool {
        self.and(a, b) != Lab::FALSE
    }

    fn apply(&mut self, op: LetterOp, a: Lab, b: Lab) -> Lab {
        if let Some(&l) = self.memo.get(&(op, a, b)) {
            return l;
        }
        let result = self.with_room(|letters| {
            let (f, g) = (letters.function(a), letters.function(b));
            match op {
                LetterOp::And => f.and(g),
                LetterOp::Or => f.or(g),
                // not (f implies g)
                LetterOp::Minus => g.imp_strict(f),
            }
        });
        let l = result.map_or(Lab::FALSE, |f| Lab(self.functions.intern(f)));
        self.memo.insert((op, a, b), l);
        l
    }

    /// Some letter of the set, if there is one.
    pub(crate) fn pick(&self, l: Lab) -> Option<u64> {
        let mut f = self.function(l).clone();
        let mut letter = 0;
        while let Some((atom, yes, no)) = split(&f) {
            f = if no.satisfiable() {
                no
            } else {
                letter |= 1 << atom;
                yes
            };
        }
        f.satisfiable().then_some(letter)
    }

    /// Is the letter in the set?
    pub(crate) fn contains(&self, l: Lab, letter: u64) -> bool {
        let mut f = self.function(l).clone();
        while let Some((atom, yes, no)) = split(&f) {
            f = if letter >> atom & 1 == 1 { yes } else { no };
        }
        f.satisfiable()
    }

    /// The set behind a union of cubes.
    pub(crate) fn union_of(&mut self, label: &Label) -> Lab {
        label.cubes.iter().fold(Lab::FALSE, |all, cube| {
            let mut set = Lab::TRUE;
            for i in 0..MAX_ATOMS {
                if cube.pos >> i & 1 == 1 {
                    let atom = self.atom(i);
                    set = self.and(set, atom);
                }
                if cube.neg >> i & 1 == 1 {
                    let atom = self.atom(i);
                    set = self.minus(set, atom);
                }
            }
            self.or(all, set)
        })
    }

    /// A union of cubes, none of which can be left out, that holds all of `lower` and
    /// nothing outside `upper`.
    pub(crate) fn cubes_between(&mut self, lower: Lab, upper: Lab) -> Label {
        // Too many cubes are too many in any room as well; they are just counted twice.
        let cubes = self.with_room(|letters| {
            let mut cubes = Vec::new();
            cover(letters.function(lower), letters.function(upper), Cube::default(), &mut cubes)?;
            Ok(cubes)
        });
        let mut cubes = cubes.unwrap_or_default();
        cubes.sort_unstable();
        Label { cubes }
    }
}

/// Top variable and cofactors; `None` for constants.
fn split(f: &BDDFunction) -> Option<(u32, BDDFunction, BDDFunction)> {
    let level = f.with_manager_shared(|m, e| match m.get_node(e) {
        oxidd::Node::Inner(n) => Some(n.level()),
        oxidd::Node::Terminal(_) => None,
    })?;
    let (yes, no) = f.cofactors()?;
    Some((level, yes, no))
}

/// Minato and Morreale's irredundant cover: cubes whose union lies between `lower` and
/// `upper`; returns the union. Recursion is over atoms, of which there are at most 64.
fn cover(
    lower: &BDDFunction,
    upper: &BDDFunction,
    path: Cube,
    cubes: &mut Vec<Cube>,
) -> AllocResult<BDDFunction> {
    if !lower.satisfiable() {
        return Ok(lower.clone());
    }
    if upper.valid() {
        if cubes.len() >= CUBES {
            return Err(OutOfMemory);
        }
        cubes.push(path);
        return Ok(upper.clone());
    }
    let top = |f: &BDDFunction| split(f).map_or(u32::MAX, |(v, _, _)| v);
    let var = top(lower).min(top(upper));
    let cofactors = |f: &BDDFunction| match split(f) {
        Some((v, yes, no)) if v == var => (yes, no),
        _ => (f.clone(), f.clone()),
    };
    let ((l1, l0), (u1, u0)) = (cofactors(lower), cofactors(upper));
    let bit = 1u64 << var;
    let with = |pos: u64, neg: u64| Cube { pos: path.pos | pos, neg: path.neg | neg };
    // What only one side may cover needs the literal; the rest does without.
    let c0 = cover(&u1.imp_strict(&l0)?, &u0, with(0, bit), cubes)?;
    let c1 = cover(&u0.imp_strict(&l1)?, &u1, with(bit, 0), cubes)?;
    let rest = c0.imp_strict(&l0)?.or(&c1.imp_strict(&l1)?)?;
    let both = cover(&rest, &u0.and(&u1)?, path, cubes)?;
    let variable = lower.with_manager_shared(|m, _| BDDFunction::var(m, var))?;
    variable.ite(&c1.or(&both)?, &c0.or(&both)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::Rng;

    impl Letters {
        /// The set that holds just one letter over the first `atoms` atoms.
        fn letter(&mut self, letter: u64, atoms: usize) -> Lab {
            (0..atoms).fold(Lab::TRUE, |all, i| {
                let atom = self.atom(i);
                if letter >> i & 1 == 1 { self.and(all, atom) } else { self.minus(all, atom) }
            })
        }
    }

    /// All sets of letters over three atoms: operations, cubes and picks against bit sets.
    #[test]
    fn every_set_over_three_atoms() {
        let mut letters = Letters::new();
        let minterms: Vec<Lab> = (0..8).map(|l| letters.letter(l, 3)).collect();
        let all: Vec<Lab> = (0..256u32)
            .map(|bits| {
                (0..8)
                    .filter(|i| bits >> i & 1 == 1)
                    .fold(Lab::FALSE, |set, i| letters.or(set, minterms[i as usize]))
            })
            .collect();
        assert_eq!(all[255], Lab::TRUE);
        for (i, &a) in all.iter().enumerate() {
            let label = letters.cubes_between(a, a);
            assert_eq!(letters.union_of(&label), a);
            for l in 0..8 {
                assert_eq!(label.accepts(l), i >> l & 1 == 1);
            }
            for skipped in 0..label.cubes.len() {
                let mut less = label.clone();
                less.cubes.remove(skipped);
                assert_ne!(letters.union_of(&less), a, "cube {skipped} of {label:?}");
            }
            assert_eq!(letters.pick(a).is_some(), i > 0);
            assert!(letters.pick(a).is_none_or(|l| i >> l & 1 == 1));
            for (j, &b) in all.iter().enumerate() {
                assert_eq!(letters.and(a, b), all[i & j]);
                assert_eq!(letters.or(a, b), all[i | j]);
                assert_eq!(letters.minus(a, b), all[i & !j]);
                assert_eq!(letters.within(a, b), i & !j == 0);
            }
        }
        assert!(!letters.exhausted());
    }

    /// Sets keep their numbers and their letters when they move to a larger manager, in the
    /// middle of any operation: tight stores of several sizes against one with room.
    #[test]
    fn sets_survive_a_move_to_more_room() {
        let mut moved = 0;
        for nodes in (MAX_ATOMS + 2..MAX_ATOMS + 200).step_by(20) {
            let mut tight = Letters::within_room(Room::new(nodes));
            let mut roomy = Letters::new();
            let mut rng = Rng::new(nodes as u64);
            for step in 0..150 {
                let mut any = || Lab(rng.index(roomy.functions.len()) as u32);
                let (a, b) = (any(), any());
                let (atom, op) = (rng.index(10), rng.below(4));
                let [one, other] = [&mut tight, &mut roomy].map(|letters| {
                    let l = match op {
                        0 => letters.atom(atom),
                        1 => letters.and(a, b),
                        2 => letters.or(a, b),
                        _ => letters.minus(a, b),
                    };
                    (l, letters.pick(l), letters.cubes_between(l, l))
                });
                assert_eq!(one, other, "{nodes} nodes, step {step}");
            }
            assert!(!tight.exhausted());
            moved += usize::from(tight.room.nodes == NODES);
        }
        assert!(moved > 5, "{moved} stores were too tight");
    }

    /// One store that is exhausted, and kept, leaves room for the next ones.
    #[test]
    fn exhausted_stores_hold_nothing() {
        // "The two halves of a letter are equal", the halves far apart: 2^32 nodes.
        let equal_halves = |letters: &mut Letters, bits: usize| {
            (0..bits).fold(Lab::TRUE, |all, i| {
                let (a, b) = (letters.atom(i), letters.atom(i + 32));
                let (both, any) = (letters.and(a, b), letters.or(a, b));
                let differ = letters.minus(any, both);
                letters.minus(all, differ)
            })
        };
        let mut full = Letters::new();
        equal_halves(&mut full, 32);
        assert!(full.exhausted());
        for _ in 0..3 {
            let mut next = Letters::new();
            let set = equal_halves(&mut next, 10);
            assert!(!next.exhausted());
            assert!(next.contains(set, 5 | 5 << 32) && !next.contains(set, 5 | 4 << 32));
        }
        let any = full.atom(3);
        full.cubes_between(any, Lab(1000));
        assert!(full.exhausted() && full.functions.len() <= MAX_ATOMS + 2);
    }
}
