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
//! - [`control`](Control): the automaton's side, and what its shape tells.
//! - `labels`, `residual`: letters, partially evaluated level by level (`StepConstraint`).
//! - `tasks`: rests of events together with a residual: what an image still has to do.
//! - `saturate`: `ProdSaturate` and `ProdRelProd` (Algorithms 3 and 4).
//! - `image`: one step forward or backward, without closure.
//! - `select`: product states by control state. `dead`: product states that are dead.

mod control;
mod dead;
mod image;
mod labels;
mod residual;
mod saturate;
mod select;
mod tasks;

pub use control::{Control, Filter};
pub use residual::Residual;
pub use saturate::{Firing, Halt, Observer, Saturated, Silent};
pub use tasks::Task;

use crate::guards::{Guards, Passed};
use crate::model::{Level, Model};
use crate::tailset::{TailSet, TailSets};
use brine_dd::{Abort, Dd, NodeId};
use brine_ltl::Reading;
use brine_net::{Bounds, Net};
use residual::Residuals;
use rustc_hash::FxHashMap;
use tasks::{Sources, Tasks};

/// Tags of operations in the client cache whose second operand is no node. Those that
/// saturate come in two kinds: with and without an observer.
mod op {
    use brine_dd::Dd;
    pub(super) const SATURATE: u32 = Dd::B_IS_NOT_A_NODE;
    pub(super) const FIRE: u32 = Dd::B_IS_NOT_A_NODE | 2;
    pub(super) const RELPROD: u32 = Dd::B_IS_NOT_A_NODE | 4;
    pub(super) const IMAGE: u32 = Dd::B_IS_NOT_A_NODE | 6;
    pub(super) const SELECT: u32 = Dd::B_IS_NOT_A_NODE | 7;
    pub(super) const HAS: u32 = Dd::B_IS_NOT_A_NODE | 8;
    pub(super) const DEAD: u32 = Dd::B_IS_NOT_A_NODE | 9;
    pub(super) const FOR_EVER: u32 = Dd::B_IS_NOT_A_NODE | 10;
}

/// The automaton has read the marking it stands beside: what is left of its labels speaks of
/// the marking that a step leads to, which is built level by level.
pub const READING: Reading = Reading::Target;

/// For each control state, those it is related to.
type Relation = Box<[Box<[u32]>]>;

/// One arc of the node under construction.
#[derive(Clone, Copy, Debug)]
struct Slot {
    value: u32,
    node: NodeId,
    /// States here that an observer wants to remember.
    kept: NodeId,
    /// Changed since the events were last fired from here.
    dirty: bool,
}

impl Slot {
    fn new(value: u32, node: NodeId, kept: NodeId) -> Self {
        Slot { value, node, kept, dirty: true }
    }
}

/// The product of a net and an automaton.
#[derive(Debug)]
pub struct Product<'a> {
    /// The diagrams.
    pub dd: Dd,
    /// The automaton.
    pub control: Control<'a>,
    net: &'a Net,
    model: Model,
    sets: TailSets,
    residuals: Residuals,
    tasks: Tasks,
    guards: Guards,
    /// Those of all transitions, once they were needed.
    all_guards: Option<Passed>,
    /// Successors of control states by letter class, as they get known.
    relations: FxHashMap<(Residual, bool), Relation>,
    /// Control states that accept a letter of a class for ever, as they get known.
    for_ever: FxHashMap<Residual, Vec<bool>>,
    /// Events by top level; level 0 for those that touch no place.
    events: Vec<Option<TailSet>>,
    reversed: Option<Vec<Option<TailSet>>>,
    root: Residual,
    stack: Vec<Slot>,
    /// Local states above the node that is being worked on, top level first.
    path: Vec<u32>,
    /// How many nodes are being fired around the one that is worked on.
    firing: usize,
}

impl<'a> Product<'a> {
    /// Prepares the product; `bounds` are proven bounds of the places.
    pub fn new(
        net: &'a Net,
        model: Model,
        bounds: &Bounds,
        control: Control<'a>,
        dd: Dd,
    ) -> Product<'a> {
        let (residuals, root) = Residuals::new(net, &model, bounds, &control);
        let mut sets = TailSets::new();
        let events = by_top(&model, &mut sets, model.events.iter().copied());
        Product {
            dd,
            control,
            net,
            model,
            sets,
            residuals,
            tasks: Tasks::default(),
            guards: Guards::new(),
            all_guards: None,
            relations: FxHashMap::default(),
            for_ever: FxHashMap::default(),
            events,
            reversed: None,
            root,
            stack: Vec::new(),
            path: Vec::new(),
            firing: 0,
        }
    }

    /// The net.
    pub fn net(&self) -> &'a Net {
        self.net
    }

    /// The events over levels.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The highest level of the net.
    pub fn top(&self) -> Level {
        Level(self.model.level_count() as u32)
    }

    /// The residual above the top level: nothing is known yet.
    pub fn root(&self) -> Residual {
        self.root
    }

    /// The same residual for the automaton's edges inside accepting components only.
    pub fn inner(&mut self, residual: Residual) -> Residual {
        self.residuals.inner(residual)
    }

    /// Local states above the node that is being worked on, top level first.
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    /// True when no node is being fired above: the states above are the initial ones.
    pub fn on_spine(&self) -> bool {
        self.firing == 0
    }

    /// The initial product states: the automaton has read the initial marking, as
    /// [`Reading::start`] says.
    pub fn initial(&mut self) -> Result<NodeId, Abort> {
        let letter = self.residual_of(self.model.initial[1..].iter().rev().copied().collect());
        let mut set = NodeId::EMPTY;
        for &q in self.successors(letter, false)[0].clone().iter().rev() {
            set = self.dd.make_node(q, NodeId::UNIT, set)?;
        }
        for level in 1..self.model.levels.len() {
            set = self.dd.make_node(self.model.initial[level], set, NodeId::EMPTY)?;
        }
        Ok(set)
    }

    /// The residual after the local states of all levels (top level first).
    fn residual_of(&mut self, vector: Vec<u32>) -> Residual {
        let mut residual = self.root;
        for (level, value) in (1..=vector.len() as u32).rev().zip(vector) {
            residual = self.step(residual, Level(level), value);
        }
        residual
    }

    /// The residual below `level` when it has the local state `value`.
    #[inline]
    pub fn step(&mut self, residual: Residual, level: Level, value: u32) -> Residual {
        if self.residuals.next(residual) < level || residual == Residual::STUCK {
            return residual;
        }
        self.residuals.step(&self.model, residual, value)
    }

    /// For each control state its successors (predecessors if `backward`) under a known
    /// letter class.
    pub fn successors(&mut self, class: Residual, backward: bool) -> &[Box<[u32]>] {
        let (control, residuals) = (&self.control, &self.residuals);
        self.relations.entry((class, backward)).or_insert_with(|| {
            let (labels, inner) = residuals.letter_class(class);
            let forward = control.successors(|l| labels.binary_search(&l.0).is_ok(), inner);
            if backward { reverse(&forward) } else { forward }.into()
        })
    }

    /// The task of the events with top `level` under `residual`; `None` without events.
    pub fn events_at(&mut self, level: Level, residual: Residual) -> Result<Option<Task>, Abort> {
        match self.events[level.index()] {
            Some(events) if residual != Residual::STUCK => {
                self.task(events, residual, false).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn task(&mut self, rests: TailSet, r: Residual, backward: bool) -> Result<Task, Abort> {
        let sources = Sources {
            model: &mut self.model,
            sets: &mut self.sets,
            residuals: &mut self.residuals,
        };
        self.tasks.intern(&sources, rests, r, backward)
    }

    /// The level at which the task has something to do next.
    #[inline]
    pub fn next_level(&self, task: Task) -> Level {
        self.tasks.next(task)
    }

    /// Makes the moves of a task from `value` at its next level known.
    #[inline]
    pub fn prepare(&mut self, task: Task, value: u32) -> Result<(), Abort> {
        let mut sources = Sources {
            model: &mut self.model,
            sets: &mut self.sets,
            residuals: &mut self.residuals,
        };
        self.tasks.prepare(&mut sources, task, value)
    }

    /// The `i`-th move from `value`, once it was prepared: the local state that the task's
    /// next level goes to, and what is left to do below.
    #[inline]
    pub fn get_move(&self, task: Task, value: u32, i: usize) -> Option<(u32, Task)> {
        self.tasks.get(task, value, i)
    }

    /// True when an event of the task has nothing left to do below: it leaves all levels
    /// there alone, whatever they are.
    pub fn is_local(&self, task: Task) -> bool {
        self.sets.has_done(self.tasks.parts(task).0)
    }

    /// The letter class that the task will let the automaton read, if it is known already.
    pub fn known_class(&self, task: Task) -> Option<Residual> {
        let residual = self.tasks.parts(task).1;
        (self.residuals.next(residual) == Level(0)).then_some(residual)
    }

    /// The letter class of a task that has reached level 0, and whether it goes backward.
    pub fn letter_class(&self, task: Task) -> (Residual, bool) {
        (self.tasks.parts(task).1, self.tasks.is_backward(task))
    }

    /// Starts a node under construction; returns where it begins.
    pub fn open_frame(&self) -> usize {
        self.stack.len()
    }

    /// Adds `image` to the arc of `value` of the node that begins at `base`, and remembers
    /// `kept` there. Returns where, and whether the arc is new, if the arc has changed.
    pub fn add(
        &mut self,
        base: usize,
        value: u32,
        image: NodeId,
        kept: NodeId,
    ) -> Result<Option<(usize, bool)>, Abort> {
        if image == NodeId::EMPTY {
            return Ok(None);
        }
        match self.stack[base..].binary_search_by_key(&value, |s| s.value) {
            Ok(i) => {
                let slot = self.stack[base + i];
                self.stack[base + i].kept = self.dd.union(slot.kept, kept)?;
                let node = self.dd.union(slot.node, image)?;
                if node == slot.node {
                    return Ok(None);
                }
                self.stack[base + i].node = node;
                self.stack[base + i].dirty = true;
                Ok(Some((base + i, false)))
            }
            Err(i) => {
                self.stack.insert(base + i, Slot::new(value, image, kept));
                Ok(Some((base + i, true)))
            }
        }
    }

    /// Ends the node that begins at `base`: the node, and the node of what was kept.
    pub fn close_frame(&mut self, base: usize) -> Result<(NodeId, NodeId), Abort> {
        let (mut node, mut kept) = (NodeId::EMPTY, NodeId::EMPTY);
        while self.stack.len() > base {
            if let Some(slot) = self.stack.pop() {
                node = self.dd.make_node(slot.value, slot.node, node)?;
                kept = self.dd.make_node(slot.value, slot.kept, kept)?;
            }
        }
        Ok((node, kept))
    }

    /// Forgets nodes under construction after a saturation that did not come to its end.
    pub fn abandon(&mut self) {
        self.stack.clear();
        self.path.clear();
        self.firing = 0;
    }

    /// Collects garbage if it is time. Alive is what is protected and what hangs on nodes
    /// under construction.
    fn collect_if_due(&mut self) {
        if self.dd.collection_due() {
            self.dd.collect(self.stack.iter().flat_map(|s| [s.node, s.kept]));
        }
    }
}

/// The sets of events by their highest level.
fn by_top(
    model: &Model,
    sets: &mut TailSets,
    events: impl Iterator<Item = crate::TailId>,
) -> Vec<Option<TailSet>> {
    let mut tails = vec![Vec::new(); model.levels.len()];
    for tail in events {
        let level = model.split(tail).map_or(Level(0), |s| s.0);
        tails[level.index()].push(tail);
    }
    tails.into_iter().map(|t| (!t.is_empty()).then(|| sets.intern(model, t))).collect()
}

fn reverse(successors: &[Box<[u32]>]) -> Vec<Box<[u32]>> {
    let mut reversed = vec![Vec::new(); successors.len()];
    for (q, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|&t| reversed[t as usize].push(q as u32));
    }
    reversed.into_iter().map(Vec::into_boxed_slice).collect()
}
