//! The synchronous product of a net and an automaton of violations (MVDBM16 section 4).
//!
//! A set of product states is a diagram with the levels of the net on top and the
//! automaton's control state at level 0. A product step fires an event and lets the
//! automaton read the *target* ([`READING`]): `(s, q) -> (s', q')` with `s -> s'`
//! by an event and `q -> q'` under `L(s')`. So a control state has read its own marking
//! already, and the initial product states are those that the automaton's initial state
//! reaches by reading the initial marking. Events that change no marking still make the
//! automaton move, and events that touch no place at all have their top at level 0.
//!
//! What a product consists of:
//! - `control`: the automaton, and what its shape tells.
//! - `letters`, with `labels` and `residual`: letters, partially evaluated level by level
//!   (`StepConstraint`), and how they make the automaton move.
//! - `events`: those of the net, by their tops.
//! - `tasks`: rests of events together with a residual: what an image still has to do.
//!
//! What can be done with it:
//! - `saturate`: `ProdSaturate` and `ProdRelProd` (Algorithms 3 and 4), and closures.
//! - `image`: one step, forward or backward, of all events or of those of one level.
//! - `select`: product states by control state. `dead`: product states that are dead.

mod control;
mod dead;
mod events;
mod image;
mod labels;
mod letters;
mod residual;
mod saturate;
mod select;
mod tasks;

pub use control::{ControlRelation, ControlState, ControlStates, Filter};
pub use residual::Residual;
pub use saturate::{Firing, Halt, Observer, Saturated};
pub use tasks::Task;

use crate::driver::Operation;
use crate::model::{Level, LevelModel};
use brine_dd::{Dd, Frames, NodeId, Operator, Stop};
use brine_ltl::Reading;
use brine_net::{Bounds, Net};
use dead::Guarded;
use events::Events;
use letters::LetterClasses;
use tasks::{Direction, Tasks};

/// The automaton has read the marking it stands beside: what is left of its labels speaks of
/// the marking that a step leads to, which is built level by level.
pub const READING: Reading = Reading::Target;

/// The operations of a product in the client cache. Those that saturate come in two kinds,
/// with and without an observer: the observer must be told once of each node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProductOp {
    Saturate,
    SaturateWatched,
    Fire,
    FireWatched,
    RelProd,
    RelProdWatched,
    Image,
    Select,
    Has,
    Dead,
    ForEver,
    SaturateWithin,
    FireWithin,
    RelProdWithin,
    InnerImageWithin,
}

impl Operator for ProductOp {
    #[inline]
    fn tag(self) -> u32 {
        self as u32
    }
}

impl ProductOp {
    #[inline]
    fn new(op: Operation, watched: bool) -> ProductOp {
        match (op, watched) {
            (Operation::Saturate, false) => ProductOp::Saturate,
            (Operation::Saturate, true) => ProductOp::SaturateWatched,
            (Operation::Fire, false) => ProductOp::Fire,
            (Operation::Fire, true) => ProductOp::FireWatched,
            (Operation::RelProd, false) => ProductOp::RelProd,
            (Operation::RelProd, true) => ProductOp::RelProdWatched,
            (Operation::Image, _) => ProductOp::Image,
        }
    }
}

/// Where cycles are searched: states from `level` down, below local states that have left
/// this residual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The highest level.
    pub level: Level,
    /// What is left of the automaton's labels.
    pub residual: Residual,
}

/// Where the driver is.
#[derive(Debug, Default)]
struct DriverPath {
    /// Local states above the node that is being worked on, top level first.
    path: Vec<u32>,
    /// How many nodes are being fired around the one that is worked on.
    firing: usize,
}

/// The product of a net and an automaton.
#[derive(Debug)]
pub struct Product<'a> {
    /// The diagrams.
    pub dd: Dd,
    /// The automaton.
    pub control: ControlStates<'a>,
    /// States that an observer remembers of the nodes under construction: alive as they are.
    pub kept: Frames,
    events: Events<'a>,
    letters: LetterClasses,
    tasks: Tasks,
    guarded: Guarded,
    frames: Frames,
    place: DriverPath,
}

impl<'a> Product<'a> {
    /// Prepares the product; `bounds` are proven bounds of the places.
    pub fn new(
        net: &'a Net,
        model: LevelModel,
        bounds: &Bounds,
        control: ControlStates<'a>,
        dd: Dd,
    ) -> Product<'a> {
        let letters = LetterClasses::new(net, &model, bounds, &control);
        Product {
            dd,
            control,
            kept: Frames::default(),
            events: Events::new(net, model),
            letters,
            tasks: Tasks::default(),
            guarded: Guarded::default(),
            frames: Frames::default(),
            place: DriverPath::default(),
        }
    }

    /// The net.
    pub fn net(&self) -> &'a Net {
        self.events.net
    }

    /// The marking of a vector of local states, top level first.
    pub fn marking(&self, vector: &[u32]) -> Vec<u32> {
        self.events.model.marking(vector)
    }

    /// All levels, with nothing known yet.
    pub fn whole(&self) -> Region {
        let level = Level(self.events.model.level_count() as u32);
        Region { level, residual: self.letters.root }
    }

    /// The same region with the automaton's edges inside accepting components only.
    pub fn inner(&mut self, region: Region) -> Region {
        Region { residual: self.letters.residuals.inner(region.residual), ..region }
    }

    /// Local states above the node that is being worked on, top level first.
    pub fn path(&self) -> &[u32] {
        &self.place.path
    }

    /// True when no node is being fired above: the states above are the initial ones.
    pub fn on_spine(&self) -> bool {
        self.place.firing == 0
    }

    /// The initial product states: the automaton has read the initial marking, as
    /// [`Reading::start`] says.
    pub fn initial(&mut self) -> Result<NodeId, Stop> {
        let model = &self.events.model;
        let vector: Vec<u32> = model.initial[1..].iter().rev().copied().collect();
        let Region { mut level, residual: mut letter } = self.whole();
        for &value in &vector {
            self.dd.tick()?;
            letter = self.letters.step(&self.events.model, letter, level, value);
            level = level.below();
        }
        let relation = self.letters.relation(&self.control, letter, false);
        let mut set = NodeId::EMPTY;
        for &q in self.letters.related(relation)[0].iter().rev() {
            set = self.dd.make_node(q.0, NodeId::UNIT, set)?;
        }
        for &value in vector.iter().rev() {
            set = self.dd.make_node(value, set, NodeId::EMPTY)?;
        }
        Ok(set)
    }

    /// Forgets nodes under construction after a saturation that did not come to its end.
    pub fn abandon(&mut self) {
        self.frames.clear();
        self.kept.clear();
        self.place = DriverPath::default();
    }

    /// The task of the events with top at the region's level; `None` without events.
    fn events_at(&mut self, region: Region, way: Direction) -> Result<Option<Task>, Stop> {
        let parts = (&mut self.tasks, &mut self.letters);
        self.events.task_at(parts, region.level, region.residual, way)
    }

    /// Makes the moves of a task from `value` at its next level known.
    #[inline]
    fn prepare(&mut self, task: Task, value: u32) -> Result<(), Stop> {
        self.tasks.prepare(&mut self.events.sources(&mut self.letters), task, value)
    }
}
