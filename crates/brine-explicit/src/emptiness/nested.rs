//! What the two nested searches that colour states share: `ndfs` and `gmz`.
//!
//! White: not seen. Cyan: on the blue stack. Blue: left by the blue search, not yet by a red
//! one. Red: left by both. Black (`gmz` alone): left by the blue search, and known to start no
//! accepting run.
//!
//! ```text
//! red(s):
//!   for t in post(s):
//!     if t cyan: report
//!     if t blue: t red; red(t)
//! ```
//!
//! The seed is the top of the blue stack and stays cyan during its red search, so no variable
//! for it is needed: every cyan state reaches the seed.

use super::Progress;
use crate::graph::{EdgeFrames, Graph, GraphStateId, Lasso, Notes, SearchStats};
use crate::meter::Meter;
use brine_run::Stop;
use std::ops::ControlFlow::{Break, Continue};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum NestedColour {
    #[default]
    White,
    Cyan,
    Blue,
    Red,
    Black,
}

/// Both searches.
#[derive(Debug)]
pub(super) struct Nested {
    pub(super) colour: Notes<NestedColour>,
    pub(super) blue: EdgeFrames,
    /// Empty unless a red search is on its way.
    red: EdgeFrames,
    entering: Option<GraphStateId>,
}

impl Nested {
    pub(super) fn new(initial: GraphStateId) -> Self {
        let (blue, red) = (EdgeFrames::new(), EdgeFrames::new());
        Nested { colour: Notes::new(), blue, red, entering: Some(initial) }
    }

    /// The blue search is to enter a white state.
    #[inline(always)]
    pub(super) fn enter(&mut self, s: GraphStateId) {
        self.entering = Some(s);
    }

    /// Enters the state that is to be entered; the top of the blue stack.
    #[inline(always)]
    pub(super) fn blue_top(
        &mut self,
        meter: &mut Meter,
        stats: &mut SearchStats,
    ) -> Result<Option<GraphStateId>, Stop> {
        if let Some(s) = self.entering.take() {
            debug_assert_eq!(self.colour.get(s), NestedColour::White, "entered once");
            self.colour.set(s, NestedColour::Cyan, meter)?;
            stats.state();
            self.blue.enter(s, meter, stats)?;
        }
        Ok(self.blue.top())
    }

    /// The blue search leaves its top state.
    #[inline(always)]
    pub(super) fn leave_blue(
        &mut self,
        colour: NestedColour,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        match self.blue.leave() {
            Some(s) => self.colour.set(s, colour, meter),
            None => Ok(()),
        }
    }

    /// A red search begins, from an accepting seed that is the top of the blue stack.
    pub(super) fn begin_red(
        &mut self,
        seed: GraphStateId,
        meter: &mut Meter,
        stats: &mut SearchStats,
    ) -> Result<(), Stop> {
        debug_assert_eq!(self.blue.top(), Some(seed));
        debug_assert_eq!(self.colour.get(seed), NestedColour::Cyan, "the seed is on the stack");
        self.red.enter(seed, meter, stats)
    }

    /// Whether a red search is on its way.
    #[inline(always)]
    pub(super) fn is_red(&self) -> bool {
        self.red.top().is_some()
    }

    /// One step of the red search. When it ends, the seed gets the colour `done` and is left.
    #[inline(never)]
    pub(super) fn red_step<G: Graph>(
        &mut self,
        graph: &mut G,
        done: NestedColour,
        stats: &mut SearchStats,
    ) -> Result<Progress, Stop> {
        let Some(edge) = self.red.next(graph, stats)? else {
            self.red.leave();
            if !self.is_red() {
                self.leave_blue(done, graph.meter())?;
            }
            return Ok(Continue(()));
        };
        match self.colour.get(edge.target) {
            NestedColour::Cyan => {
                let tail = self.red.states().skip(1);
                return Ok(Break(Some(Lasso::closing(self.blue.states(), tail, edge.target))));
            }
            NestedColour::Blue => {
                self.colour.set(edge.target, NestedColour::Red, graph.meter())?;
                self.red.enter(edge.target, graph.meter(), stats)?;
                stats.reached_depth(self.blue.len() + self.red.len());
            }
            _ => (),
        }
        Ok(Continue(()))
    }
}
