//! The marking graph with only the edges that partial-order reduction leaves.
//!
//! For each marking that somebody looked at: its stubborn set, and its *fate*: reduced to that
//! set, or expanded (all edges). A fate, once decided, never changes, and it belongs to the
//! marking, not to a product state. So what a search sees is the product of a fixed graph
//! K' with the automaton, whatever order it searches in, and any emptiness check can be used.
//!
//! *Why the marking and not the product state.* The proof in `stubborn` compares runs of nets:
//! K and K' have the same words up to stuttering, so an automaton whose language is
//! stutter-invariant accepts a word of one exactly if it accepts a word of the other. If the
//! fate depended on the automaton's state, the graph that is left would depend on guesses the
//! automaton made earlier: take one that guesses whether the next block of equal letters has
//! even or odd length. Its language is stutter-invariant, but each guess may come with just
//! the expansions that make it fail. (The error was found in the literature's algorithm by
//! Siegel, CAV 2019; deterministic automata are safe from it.)
//!
//! Who decides ([`crate::provisos::fates`]): a depth-first search over the marking graph with one of the papers' provisos
//! before the product is searched, or a rule that decides when
//! a marking is first looked at .
//!
//! All of this is written for any state that [`Expand`] can expand; nets have [`Stubborn`] sets, and
//! models behind the state-vector interface those of `brine-enumerate`.
//!
//! The edges of a marking are numbered anew: first those of the stubborn set, then the others.
//! Memory: 5 bytes a marking, 4 for each edge of a proper stubborn set.

use crate::fire::Step;
use crate::graph::{GraphStateId, Notes};
use crate::markings::Markings;
use crate::meter::Meter;
use crate::provisos::fates::{FateRule, Fates};
use crate::provisos::lts::Lts;
use crate::provisos::{Counts, Proviso};
use crate::space::Space;
use crate::store::MarkingId;
use crate::stubborn::Stubborn;
use crate::successors::{Expand, ReducedEdges};
use brine_run::Stop;
use std::fmt::Debug;

/// Entry of `start`: the set was not computed.
const UNKNOWN: u32 = 0;
/// Entry of `start`: the set has all enabled transitions.
const ALL: u32 = 1;
/// Larger entries are positions in `members`, plus this.
const FIRST: u32 = 2;

/// A marking as a state of the marking graph: the numbers are the same.
#[inline]
fn state_of(m: MarkingId) -> GraphStateId {
    GraphStateId(m.0)
}

/// The inverse of [`state_of`].
#[inline]
fn marking_of(s: GraphStateId) -> MarkingId {
    MarkingId(s.0)
}

/// How the stubborn sets of states are computed.
pub trait StubbornSets<M>: Debug {
    /// The enabled members, ascending, of the set at a state with these enabled steps (ascending).
    fn set<'s>(&'s mut self, states: &mut M, at: MarkingId, enabled: &'s [Step]) -> &'s [Step];
}

impl<'n> StubbornSets<Markings<'n>> for Stubborn {
    #[inline]
    fn set<'s>(
        &'s mut self,
        markings: &mut Markings<'n>,
        at: MarkingId,
        enabled: &'s [Step],
    ) -> &'s [Step] {
        Stubborn::set(self, markings, at, enabled)
    }
}

/// The stubborn sets of markings, as positions among their edges.
#[derive(Debug)]
struct Sets<B> {
    stubborn: B,
    start: Notes<u32>,
    /// For each proper set its size, then the positions of its edges, ascending.
    members: Vec<u32>,
    enabled: Vec<Step>,
    effort: Effort,
    computed: u32,
    proper: u32,
}

/// How long to go on looking for stubborn sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// At every marking.
    Always,
    /// Until it turns out that hardly any marking can be reduced; then all are expanded.
    WhileItPays,
    /// Nowhere: all markings are expanded.
    Never,
}

/// With `WhileItPays`: after so many sets ...
const TRIAL: u32 = 1_000;
/// ... at least one in so many must leave something out.
const PAYS: u32 = 50;

impl<B> Sets<B> {
    /// Whether it was found that looking for sets does not pay.
    fn gives_up(&self) -> bool {
        match self.effort {
            Effort::Always => false,
            Effort::WhileItPays => self.computed >= TRIAL && self.proper < self.computed / PAYS,
            Effort::Never => true,
        }
    }

    fn size<M>(&mut self, space: &mut Space<M>, m: MarkingId) -> Result<u32, Stop>
    where
        M: Expand,
        B: StubbornSets<M>,
    {
        match self.start_of(space, m)? {
            ALL => space.degree(m),
            at => Ok(self.members[(at - FIRST) as usize]),
        }
    }

    /// The position, among all edges of a marking, of its i-th edge in the new numbering.
    #[inline]
    fn edge<M>(&mut self, space: &mut Space<M>, m: MarkingId, i: u32) -> Result<u32, Stop>
    where
        M: Expand,
        B: StubbornSets<M>,
    {
        let at = match self.start_of(space, m)? {
            ALL => return Ok(i),
            at => (at - FIRST) as usize,
        };
        let size = self.members[at];
        let set = &self.members[at + 1..at + 1 + size as usize];
        if i < size {
            return Ok(set[i as usize]);
        }
        // The (i - size)-th edge outside the set.
        Ok(set.iter().fold(i - size, |k, &member| k + u32::from(member <= k)))
    }

    #[inline]
    fn start_of<M>(&mut self, space: &mut Space<M>, m: MarkingId) -> Result<u32, Stop>
    where
        M: Expand,
        B: StubbornSets<M>,
    {
        match self.start.get(state_of(m)) {
            UNKNOWN => self.compute(space, m),
            at => Ok(at),
        }
    }

    fn compute<M>(&mut self, space: &mut Space<M>, m: MarkingId) -> Result<u32, Stop>
    where
        M: Expand,
        B: StubbornSets<M>,
    {
        if self.gives_up() {
            self.start.set(state_of(m), ALL, space.markings_mut().meter_mut())?;
            return Ok(ALL);
        }
        space.enabled(m, &mut self.enabled)?;
        self.computed += 1;
        let set = self.stubborn.set(space.markings_mut(), m, &self.enabled);
        let meter = space.markings_mut().meter_mut();
        let start = if set.len() == self.enabled.len() {
            ALL
        } else {
            self.proper += 1;
            meter.reserve(&mut self.members, set.len() + 1)?;
            let start = u32::try_from(self.members.len()).ok().and_then(|n| n.checked_add(FIRST));
            self.members.push(set.len() as u32);
            let mut wanted = set.iter().peekable();
            for (k, t) in self.enabled.iter().enumerate() {
                if wanted.next_if_eq(&t).is_some() {
                    self.members.push(k as u32);
                }
            }
            start.ok_or(Stop::Memory)?
        };
        self.start.set(state_of(m), start, meter)?;
        Ok(start)
    }
}

/// The marking graph with stubborn sets as its reduction function.
#[derive(Debug)]
struct ReducedGraph<'a, M, B> {
    space: &'a mut Space<M>,
    sets: &'a mut Sets<B>,
}

impl<M: Expand, B: StubbornSets<M>> Lts for ReducedGraph<'_, M, B> {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        Ok(state_of(MarkingId::INITIAL))
    }

    #[inline]
    fn degrees(&mut self, s: GraphStateId) -> Result<(u32, u32), Stop> {
        let m = marking_of(s);
        self.space.markings_mut().meter_mut().tick()?;
        Ok((self.sets.size(self.space, m)?, self.space.degree(m)?))
    }

    #[inline]
    fn target(&mut self, s: GraphStateId, i: u32) -> Result<GraphStateId, Stop> {
        let m = marking_of(s);
        let k = self.sets.edge(self.space, m, i)?;
        self.space.target(m, k).map(state_of)
    }

    fn meter(&mut self) -> &mut Meter {
        self.space.markings_mut().meter_mut()
    }
}

/// The stubborn sets and fates of markings.
#[derive(Debug)]
pub struct Reduction<B = Stubborn> {
    proviso: Proviso,
    sets: Sets<B>,
    fates: Fates,
}

impl<B> Reduction<B> {
    /// Nothing is decided yet. A proviso that has a rule decides when it is asked; for others
    /// `explore` must come first.
    pub fn new(stubborn: B, proviso: Proviso, effort: Effort) -> Self {
        let rule = proviso.rule().unwrap_or(FateRule::Always);
        let effort = if proviso == Proviso::Full { Effort::Never } else { effort };
        let sets = Sets {
            stubborn,
            start: Notes::new(),
            members: Vec::new(),
            enabled: Vec::new(),
            effort,
            computed: 0,
            proper: 0,
        };
        Reduction { proviso, sets, fates: Fates::new(rule) }
    }

    /// Starts again with another proviso; the stubborn sets stay.
    pub fn restart(&mut self, proviso: Proviso) {
        self.fates = Fates::new(proviso.rule().unwrap_or(FateRule::Always));
        self.proviso = proviso;
    }

    /// Explores the reduced marking graph and so decides the fate of all its markings.
    pub fn explore<M>(
        &mut self,
        space: &mut Space<M>,
        watch: &mut dyn FnMut(&Counts),
    ) -> Result<Counts, Stop>
    where
        M: Expand,
        B: StubbornSets<M>,
    {
        let mut lts = ReducedGraph { space, sets: &mut self.sets };
        self.proviso.explore(&mut lts, &mut self.fates, watch)
    }

    /// How many markings were expanded so far.
    pub fn expanded(&self) -> u64 {
        self.fates.expanded()
    }
}

impl<M: Expand, B: StubbornSets<M>> ReducedEdges<M> for Reduction<B> {
    #[inline]
    fn degree(&mut self, space: &mut Space<M>, m: MarkingId) -> Result<u32, Stop> {
        let mut lts = ReducedGraph { space, sets: &mut self.sets };
        if self.fates.is_expanded(&mut lts, state_of(m))? {
            space.degree(m)
        } else {
            self.sets.size(space, m)
        }
    }

    #[inline]
    fn target(&mut self, space: &mut Space<M>, m: MarkingId, i: u32) -> Result<MarkingId, Stop> {
        let k = self.sets.edge(space, m, i)?;
        space.target(m, k)
    }
}
