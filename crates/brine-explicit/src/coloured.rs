//! The markings of a coloured net: what [`crate::markings`] is to a plain one.
//!
//! A marking is one multiset of colours for each place, stored as numbers of [`Bags`], two to a
//! word of the same exact store that plain markings have. Equal multisets have equal
//! numbers, so equal markings have equal words. Firing copies a row of numbers and makes a few
//! nodes for each token that moves, however many tokens there are.
//!
//! A step is a binding, by its number in [`Enabling`]. The tokens that joins search are those of
//! one marking, the *position*; asked for another one, the difference of the two is worked
//! out place by place, and the enabled bindings are brought up to date from it. Walks move by one
//! step at a time, searches from one marking to a close one. Invariant: while `position` is
//! a marking, tokens and lists are those of that marking; an error on the way leaves none, and
//! the next question begins with all tokens.
//!
//! *Lists that leave something out.* Walks keep a few bindings of each transition, searches many.
//! A list that is cut is never empty, so a marking without steps is dead; and from the first list
//! on that a search gets cut, [`Expand::leaves_out`] holds.
//!
//! Directions come from the net without its colours (`shape`): for them it does not matter that
//! it has more runs.

use crate::fire::Step;
use crate::meter::Meter;
use crate::space::Space;
use crate::store::{MarkingId, StateStore, finalise};
use crate::successors::{Expand, ReducedEdges, Successors};
use brine_coloured::bags::{BYTES_PER_NODE, BagId, Bags};
use brine_coloured::enabling::{BindingId, Enabling, TokenChange};
use brine_coloured::terms::{Bag, BagOp, Component};
use brine_coloured::{ColouredNet, ColouredRun, ColouredStep};
use brine_ltl::{Atom, Automaton};
use brine_net::{Net, NetBuilder, PlaceId, TransitionId};
use brine_run::{Control, Shared, Stop};
use std::convert::Infallible;
use std::sync::Arc;

/// Most colours in a place at the start.
const INITIAL_COLOURS: u64 = 1 << 22;
/// With more bindings than this a walk begins with none.
const KNOWN_BINDINGS: usize = 1 << 20;

/// How many enabled bindings of a transition are listed at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListLimits {
    /// In walks.
    pub walks: usize,
    /// In searches.
    pub searches: usize,
}

impl Default for ListLimits {
    fn default() -> Self {
        ListLimits { walks: 12, searches: 200 }
    }
}

/// The markings of a coloured net found so far, and the rule that finds more.
#[derive(Debug)]
pub struct ColouredMarkings<'n> {
    net: Shared<'n, ColouredNet>,
    shape: Arc<Net>,
    bags: Bags,
    /// Of them, those that the initial marking needs.
    initial_nodes: usize,
    initial: Vec<u64>,
    store: StateStore,
    meter: Meter,
    enabling: Enabling,
    /// The marking whose bindings are listed.
    position: Option<MarkingId>,
    /// The multisets of that marking.
    row: Vec<u64>,
    /// Bytes charged for nodes and bindings.
    charged: u64,
    limits: ListLimits,
    /// Whether the lists are for a search.
    searches: bool,
    cut: bool,
    recent: Vec<Step>,
    changes: Vec<TokenChange>,
    scratch: Vec<u64>,
}

/// The multiset of a place in a row of words.
#[inline]
fn bag_of(row: &[u64], place: usize) -> BagId {
    BagId((row[place / 2] >> (32 * (place % 2))) as u32)
}

fn set_bag(row: &mut [u64], place: usize, bag: BagId) {
    let shift = 32 * (place % 2);
    let word = &mut row[place / 2];
    *word = *word & !(u64::from(u32::MAX) << shift) | u64::from(bag.0) << shift;
}

impl<'n> ColouredMarkings<'n> {
    /// The initial marking, [`MarkingId::INITIAL`], for walks.
    pub fn new(
        net: impl Into<Shared<'n, ColouredNet>>,
        limits: ListLimits,
        control: Control,
    ) -> Result<Self, Stop> {
        let net = net.into();
        let control = control.without_work();
        let shape = Arc::new(shape(&net)?);
        let mut pace = control.pace();
        let mut bags = Bags::default();
        let mut initial = vec![0; net.places.len().div_ceil(2).max(1)];
        for (p, place) in net.places.iter().enumerate() {
            let Some(bag) = &place.initial else { continue };
            let tokens = bag.evaluate(&place.layout, &[], INITIAL_COLOURS);
            let mut here = BagId::EMPTY;
            for (colour, count) in tokens.map_err(|_| Stop::Memory)? {
                pace.steps(8)?;
                here = bags.with(here, colour, count).map_err(|_| Stop::Overflow)?;
            }
            set_bag(&mut initial, p, here);
        }
        Self::begin((net, shape), (bags, initial), (limits, false), control)
    }

    fn begin(
        (net, shape): (Shared<'n, ColouredNet>, Arc<Net>),
        (bags, initial): (Bags, Vec<u64>),
        (limits, searches): (ListLimits, bool),
        control: Control,
    ) -> Result<Self, Stop> {
        let most = if searches { limits.searches } else { limits.walks };
        let enabling = Enabling::new(&net, most, &mut control.pace())?;
        let mut store = StateStore::new(initial.len());
        let mut meter = Meter::new(control);
        meter.set_nodes(net.places.len() + net.transitions.len());
        store.intern(&initial, &mut meter)?;
        let mut markings = ColouredMarkings {
            net,
            shape,
            initial_nodes: bags.nodes(),
            bags,
            store,
            meter,
            enabling,
            position: None,
            row: initial.clone(),
            charged: 0,
            limits,
            searches,
            cut: false,
            recent: Vec::new(),
            changes: Vec::new(),
            scratch: vec![0; initial.len()],
            initial,
        };
        markings.charge_more()?;
        Ok(markings)
    }

    /// The tokens of a marking: (place, colour, count), ascending.
    pub fn tokens_of(&self, m: MarkingId) -> Vec<(usize, u64, u64)> {
        let mut tokens = Vec::new();
        for p in 0..self.net.places.len() {
            let bag = bag_of(self.store.get(m), p);
            self.bags.each(bag, &mut |colour, count| tokens.push((p, colour, count)));
        }
        tokens
    }

    /// Charges for what was made since the last time.
    fn charge_more(&mut self) -> Result<(), Stop> {
        let bytes = self.bytes();
        if bytes > self.charged {
            self.meter.charge(bytes - self.charged)?;
        } else {
            self.meter.refund(self.charged - bytes);
        }
        self.charged = bytes;
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bags.nodes() as u64 * BYTES_PER_NODE + self.enabling.binding_bytes()
    }

    /// Brings tokens and lists to a marking.
    fn go_to(&mut self, m: MarkingId) -> Result<(), Stop> {
        if self.position == Some(m) {
            return Ok(());
        }
        let began = self.position.take().is_some();
        let mut pace = self.meter.pace();
        if !began {
            self.enabling.clear(&self.net, &mut pace)?;
            self.row.fill(0);
        }
        let words = self.store.get(m);
        self.changes.clear();
        for p in 0..self.net.places.len() {
            let (old, new) = (bag_of(&self.row, p), bag_of(words, p));
            let place = p as u32;
            self.bags.differences(old, new, &mut |colour, old, new| {
                self.changes.push(TokenChange { place, colour, old, new });
            });
        }
        pace.steps(self.changes.len())?;
        self.enabling.advance(&self.net, &self.changes, &mut pace)?;
        self.row.copy_from_slice(words);
        debug_assert!(self.agrees(), "the tokens are those of the marking");
        self.position = Some(m);
        self.recent.clear();
        self.recent.extend(self.enabling.recent().iter().map(|b| Step(b.0)));
        self.charge_more()
    }

    /// Whether the tokens that changed last are those of the row.
    fn agrees(&self) -> bool {
        let count =
            |c: &TokenChange| self.bags.count(bag_of(&self.row, c.place as usize), c.colour);
        self.changes.iter().all(|c| c.new == count(c))
    }

    /// Tokens of a place in a marking, of all colours.
    fn total(&self, m: MarkingId, place: usize) -> u64 {
        self.bags.total(bag_of(self.store.get(m), place))
    }

    /// Whether a linear atom holds where a place has these tokens.
    fn holds(atom: &Atom, tokens: impl Fn(PlaceId) -> i128) -> bool {
        match atom {
            Atom::Linear(linear) => {
                let sum: i128 = linear.terms.iter().map(|&(p, c)| i128::from(c) * tokens(p)).sum();
                sum <= i128::from(linear.bound)
            }
            Atom::Fireable(_) | Atom::Deadlock | Atom::Prop(_) => false,
        }
    }

    /// Whether one of some transitions has an enabled binding after the present changes, which
    /// have been put.
    fn one_fireable(&mut self, transitions: impl Iterator<Item = usize>) -> Result<bool, Stop> {
        let mut pace = self.meter.pace();
        for t in transitions {
            if self.enabling.is_fireable(&self.net, t, &self.changes, &mut pace)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The truth of atoms about enabled transitions after the present changes.
    fn fireable_after(&mut self, atoms: &[Atom], touched: u64) -> Result<u64, Stop> {
        let mut letter = 0;
        for (i, atom) in atoms.iter().enumerate().filter(|(i, _)| touched >> i & 1 == 1) {
            let holds = match atom {
                Atom::Fireable(ts) => self.one_fireable(ts.iter().map(|t| t.index()))?,
                Atom::Deadlock => !self.one_fireable(0..self.net.transitions.len())?,
                Atom::Linear(_) | Atom::Prop(_) => false,
            };
            letter |= u64::from(holds) << i;
        }
        Ok(letter)
    }
}

impl Expand for ColouredMarkings<'_> {
    fn meter(&self) -> &Meter {
        &self.meter
    }

    fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn known(&self) -> usize {
        self.store.len()
    }

    fn allocated(&self) -> u64 {
        self.store.allocated() + self.charged
    }

    fn enabled(&mut self, m: MarkingId, out: &mut Vec<Step>) -> Result<(), Stop> {
        self.go_to(m)?;
        self.cut |= !self.enabling.is_complete();
        let from = out.len();
        for t in 0..self.net.transitions.len() {
            out.extend(self.enabling.list(t).iter().map(|b| Step(b.0)));
        }
        if self.searches {
            out[from..].sort_unstable();
        }
        Ok(())
    }

    fn enabled_after(
        &mut self,
        _: &[Step],
        _: Step,
        child: MarkingId,
        out: &mut Vec<Step>,
    ) -> Result<(), Stop> {
        self.enabled(child, out)
    }

    fn leaves_out(&self) -> bool {
        self.cut
    }

    fn fire(&mut self, from: MarkingId, step: Step) -> Result<(MarkingId, bool), Stop> {
        self.go_to(from)?;
        self.enabling.effect(&self.net, BindingId(step.0), &mut self.changes)?;
        self.scratch.copy_from_slice(&self.row);
        for c in &self.changes {
            let bag = bag_of(&self.scratch, c.place as usize);
            debug_assert_eq!(self.bags.count(bag, c.colour), c.old, "fired where it is enabled");
            let bag = self.bags.with(bag, c.colour, c.new).map_err(|_| Stop::Overflow)?;
            set_bag(&mut self.scratch, c.place as usize, bag);
        }
        self.charge_more()?;
        self.store.intern(&self.scratch, &mut self.meter)
    }
}

impl Successors for ColouredMarkings<'_> {
    type Run = ColouredRun;
    type Reader = Vec<Atom>;
    type Reduction = Infallible;

    /// For searches: longer lists.
    fn fresh(&self, control: Control) -> Result<Self, Stop> {
        let mut bags = self.bags.clone();
        bags.truncate(self.initial_nodes);
        let (net, initial) = ((self.net.clone(), self.shape.clone()), self.initial.clone());
        Self::begin(net, (bags, initial), (self.limits, true), control)
    }

    fn forget(&mut self) -> Result<(), Stop> {
        self.store.clear(&mut self.meter);
        self.store.intern(&self.initial, &mut self.meter)?;
        if self.position.is_some() {
            // The tokens follow while both multisets are known.
            self.position = Some(MarkingId(u32::MAX));
            self.go_to(MarkingId::INITIAL)?;
        }
        self.bags.truncate(self.initial_nodes);
        if self.enabling.known() > KNOWN_BINDINGS {
            self.position = None;
            self.enabling.forget_bindings(&self.net, &mut self.meter.pace())?;
        }
        self.charge_more()
    }

    fn reseed(&mut self, seed: u64) {
        self.enabling.set_turn(seed);
    }

    fn affected(&self, _: Step) -> &[Step] {
        &self.recent
    }

    #[inline]
    fn class(&self, step: Step) -> usize {
        self.enabling.binding(BindingId(step.0)).0
    }

    /// Half of the orders put one transition with all its bindings before another.
    fn preference(&self, step: Step, salt: u64) -> u64 {
        let binding = finalise(salt ^ u64::from(step.0));
        if salt & 1 == 0 {
            return binding;
        }
        let transition = finalise(salt ^ self.class(step) as u64);
        transition >> 32 << 32 | binding >> 32
    }

    fn classes(&self) -> Vec<TransitionId> {
        (0..self.net.transitions.len() as u32).map(TransitionId).collect()
    }

    fn shape(&self) -> &Net {
        &self.shape
    }

    /// Where a token of one colour may be replaced by one of another, the sum stays as it is, but
    /// not what is enabled.
    fn changed_places(&self, class: usize) -> Vec<PlaceId> {
        let t = &self.net.transitions[class];
        let other = |place: usize, arcs: &[brine_coloured::net::ColouredArc]| {
            arcs.iter().find(|arc| arc.place == place).map(|arc| arc.bag.clone())
        };
        let taken = t.inputs.iter().filter(|a| other(a.place, &t.outputs).as_ref() != Some(&a.bag));
        let put = t.outputs.iter().filter(|a| other(a.place, &t.inputs).is_none());
        taken.chain(put).map(|arc| PlaceId(arc.place as u32)).collect()
    }

    fn tokens(&self, m: MarkingId, place: PlaceId) -> u32 {
        u32::try_from(self.total(m, place.index())).unwrap_or(u32::MAX)
    }

    fn reader(&self, aut: &Automaton) -> Vec<Atom> {
        aut.atoms().to_vec()
    }

    fn letter(&mut self, reader: &Vec<Atom>, m: MarkingId) -> Result<u64, Stop> {
        self.go_to(m)?;
        let fireable = |t: usize| !self.enabling.list(t).is_empty();
        let mut letter = 0;
        for (i, atom) in reader.iter().enumerate() {
            let holds = match atom {
                Atom::Fireable(ts) => ts.iter().any(|t| fireable(t.index())),
                Atom::Deadlock => !(0..self.net.transitions.len()).any(fireable),
                _ => Self::holds(atom, |p| i128::from(self.total(m, p.index()))),
            };
            letter |= u64::from(holds) << i;
        }
        Ok(letter)
    }

    fn letter_after(
        &mut self,
        reader: &Vec<Atom>,
        (old, touched): (u64, u64),
        m: MarkingId,
        step: Step,
    ) -> Result<u64, Stop> {
        self.go_to(m)?;
        self.enabling.effect(&self.net, BindingId(step.0), &mut self.changes)?;
        let mut letter = old & !touched;
        let mut rest = 0;
        for (i, atom) in reader.iter().enumerate().filter(|(i, _)| touched >> i & 1 == 1) {
            if let Atom::Fireable(_) | Atom::Deadlock = atom {
                rest |= 1 << i;
                continue;
            }
            let tokens = |p: PlaceId| {
                let here = self.changes.iter().filter(|c| c.place == p.0);
                let change: i128 = here.map(|c| i128::from(c.new) - i128::from(c.old)).sum();
                i128::from(self.total(m, p.index())) + change
            };
            letter |= u64::from(Self::holds(atom, tokens)) << i;
        }
        if rest != 0 {
            let changes = std::mem::take(&mut self.changes);
            self.enabling.put(&changes);
            self.changes = changes;
            let fireable = self.fireable_after(reader, rest);
            self.enabling.put_back(&self.changes);
            letter |= fireable?;
        }
        Ok(letter)
    }

    /// Runs that grow for ever are not looked for.
    fn has_sources(&self) -> bool {
        false
    }

    fn looks_unbounded(&self) -> bool {
        false
    }

    fn repeats(&self, _: &[Atom], _: MarkingId, _: MarkingId, _: &[Step]) -> bool {
        false
    }

    fn run(&self, prefix: &[Step], cycle: &[Step]) -> ColouredRun {
        let step = |s: &Step| {
            let (t, binding) = self.enabling.binding(BindingId(s.0));
            ColouredStep { transition: TransitionId(t as u32), binding: binding.into() }
        };
        ColouredRun {
            prefix: prefix.iter().map(step).collect(),
            cycle: cycle.iter().map(step).collect(),
        }
    }

    fn run_length(run: &ColouredRun) -> usize {
        run.steps().count()
    }
}

impl<M> ReducedEdges<M> for Infallible {
    fn degree(&mut self, _: &mut Space<M>, _: MarkingId) -> Result<u32, Stop> {
        match *self {}
    }

    fn target(&mut self, _: &mut Space<M>, _: MarkingId, _: u32) -> Result<MarkingId, Stop> {
        match *self {}
    }
}

/// The net without its colours: the same places and transitions, arcs weighted by about the tokens
/// they move. Only good for directions.
fn shape(net: &ColouredNet) -> Result<Net, Stop> {
    let mut builder = NetBuilder::new(&net.name);
    for (i, _) in net.places.iter().enumerate() {
        builder.place(&format!("p{i}"), 0);
    }
    for (i, t) in net.transitions.iter().enumerate() {
        let arcs = |arcs: &[brine_coloured::net::ColouredArc]| -> Vec<(PlaceId, u32)> {
            arcs.iter().map(|a| (PlaceId(a.place as u32), weight(&a.bag))).collect()
        };
        builder.transition(&format!("t{i}"), &arcs(&t.inputs), &arcs(&t.outputs));
    }
    builder.build().map_err(|_| Stop::Overflow)
}

/// About how many tokens a multiset has.
fn weight(bag: &Bag) -> u32 {
    let size = |op: &BagOp| match op {
        BagOp::Push { count, colour, .. } => {
            let each = colour.iter().map(|c| match c {
                Component::Each(values) => values.len() as u64,
                _ => 1,
            });
            each.fold(*count, u64::saturating_mul)
        }
        _ => 0,
    };
    let tokens = bag.ops.iter().map(size).fold(0, u64::saturating_add);
    tokens.clamp(1, 1 << 20) as u32
}
