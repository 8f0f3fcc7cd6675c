//! The product of a net with an automaton that reads events as well.
//!
//! As in [`crate::product`], but the letter of a position is that of its marking together with the
//! events that the step from there is: which of the automaton's `fires(...)` name its transition.
//! So the moves of the automaton depend on the edge of the net, and two edges between the same
//! markings are two edges of the product. At a dead marking nothing fires, for ever.
//!
//! Transitions that the automaton cannot tell apart are in one *event class*; letters are numbered
//! for pairs of a marking's letter and a class, once each. Nothing is reduced here.

use crate::fire::Step;
use crate::graph::{Cursor, GraphStateId};
use crate::letters::{Moves, Reader};
use crate::markings::Markings;
use crate::meter::Meter;
use crate::pairs::Pairs;
use crate::space::Space;
use crate::store::MarkingId;
use brine_ltl::{Atom, Automaton};
use brine_run::Stop;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An edge as seen from its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FairEdge {
    pub(super) target: GraphStateId,
    /// The automaton's marks.
    pub(super) marks: u64,
    /// What the net fires; nothing where a dead marking repeats.
    pub(super) step: Option<Step>,
}

const UNREAD: u32 = u32::MAX;

/// What the automaton reads of steps.
#[derive(Debug)]
struct EventClasses {
    /// By step.
    of: Vec<u32>,
    /// By class: the atoms that are true of the step. Class 0 has none.
    letters: Vec<u64>,
}

impl EventClasses {
    fn new(aut: &Automaton, ms: &Markings<'_>) -> Self {
        let firing = ms.firing();
        let mut letters = vec![0];
        let class = |step| {
            let t = firing.transition(step);
            let mut letter = 0;
            for (i, atom) in aut.atoms().iter().enumerate() {
                if let Atom::Fires(named) = atom {
                    letter |= u64::from(named.binary_search(&t).is_ok()) << i;
                }
            }
            let known = letters.iter().position(|&l| l == letter);
            known.unwrap_or_else(|| {
                letters.push(letter);
                letters.len() - 1
            }) as u32
        };
        EventClasses { of: firing.steps().map(class).collect(), letters }
    }

    fn of(&self, step: Option<Step>) -> u32 {
        step.map_or(0, |step| self.of[step.index()])
    }
}

/// A product under construction.
#[derive(Debug)]
pub(super) struct FairProduct<'n> {
    space: Space<Markings<'n>>,
    reader: Reader,
    classes: EventClasses,
    moves: Moves,
    /// By marking: the number of its letter without events.
    letter_of: Vec<u32>,
    /// The letters behind these numbers.
    letters: FxHashMap<u32, u64>,
    /// Numbers of letters with events, by those without and class.
    joined: FxHashMap<(u32, u32), u32>,
    pairs: Pairs,
    initial: u32,
    all_marks: u64,
}

impl<'n> FairProduct<'n> {
    pub(super) fn new(space: Space<Markings<'n>>, aut: Arc<Automaton>) -> Self {
        let ms = space.markings();
        FairProduct {
            reader: Reader::new(&aut, ms.firing()),
            classes: EventClasses::new(&aut, ms),
            letter_of: Vec::new(),
            letters: FxHashMap::default(),
            joined: FxHashMap::default(),
            pairs: Pairs::new(aut.num_states()),
            initial: aut.initial().0,
            all_marks: aut.all_marks(),
            moves: Moves::new(aut),
            space,
        }
    }

    pub(super) fn initial(&mut self) -> Result<GraphStateId, Stop> {
        self.pairs.number(MarkingId::INITIAL, self.initial, &mut self.space.markings_mut().meter)
    }

    pub(super) fn all_marks(&self) -> u64 {
        self.all_marks
    }

    pub(super) fn meter(&mut self) -> &mut Meter {
        &mut self.space.markings_mut().meter
    }

    pub(super) fn markings(&self) -> &Markings<'n> {
        self.space.markings()
    }

    pub(super) fn into_space(self) -> Space<Markings<'n>> {
        self.space
    }

    /// The steps that are enabled in a state.
    pub(super) fn enabled(&mut self, s: GraphStateId, out: &mut Vec<Step>) -> Result<(), Stop> {
        self.space.enabled(self.pairs.pair(s).0, out)
    }

    /// The successor at the cursor, which moves on; `None` at the end.
    pub(super) fn next(
        &mut self,
        s: GraphStateId,
        cursor: &mut Cursor,
    ) -> Result<Option<FairEdge>, Stop> {
        let (m, q) = self.pairs.pair(s);
        self.space.markings_mut().meter.tick()?;
        let letter = self.letter(m)?;
        let degree = self.space.degree(m)?;
        while cursor.major < degree.max(1) {
            let dead = degree == 0;
            let step = if dead { None } else { Some(self.space.step(m, cursor.major)?) };
            let class = self.classes.of(step);
            let letter = self.with_events(letter, class)?;
            let Some(&chosen) = self.moves.of(letter, q).get(cursor.minor as usize) else {
                *cursor = Cursor { major: cursor.major + 1, minor: 0 };
                continue;
            };
            let marking = if dead { m } else { self.space.target(m, cursor.major)? };
            cursor.minor += 1;
            let meter = &mut self.space.markings_mut().meter;
            let target = self.pairs.number(marking, chosen.state, meter)?;
            return Ok(Some(FairEdge { target, marks: chosen.marks, step }));
        }
        Ok(None)
    }

    /// The number of a marking's letter without events.
    fn letter(&mut self, m: MarkingId) -> Result<u32, Stop> {
        if let Some(&letter) = self.letter_of.get(m.index())
            && letter != UNREAD
        {
            return Ok(letter);
        }
        let ms = self.space.markings_mut();
        let letter = self.reader.letter(ms.store().get(m), ms);
        let number = self.moves.number(letter, &mut ms.meter)?;
        self.letters.insert(number, letter);
        let known = ms.store().len();
        if self.letter_of.len() <= m.index() {
            let more = known - self.letter_of.len();
            ms.meter.reserve(&mut self.letter_of, more)?;
            self.letter_of.resize(known, UNREAD);
        }
        self.letter_of[m.index()] = number;
        Ok(number)
    }

    /// The number of a letter together with the events of a class.
    #[inline]
    fn with_events(&mut self, letter: u32, class: u32) -> Result<u32, Stop> {
        if class == 0 {
            return Ok(letter);
        }
        if let Some(&number) = self.joined.get(&(letter, class)) {
            return Ok(number);
        }
        let joined = self.letters[&letter] | self.classes.letters[class as usize];
        let number = self.moves.number(joined, &mut self.space.markings_mut().meter)?;
        self.joined.insert((letter, class), number);
        Ok(number)
    }
}
