//! Events as markings: a question about what fires becomes one about a net that remembers it.
//!
//! Symbolic products read the marking that a step leads to. So the net gets places that say what
//! the last step was, and the formula looks one step ahead:
//!
//! ```text
//! fires(T)      becomes   !deadlock & X (the last step was one of T)
//! fireable(T)   becomes   fireable(all copies of T)
//! ```
//!
//! *Right.* At position i of a run that goes on, the step is the one that the marking of position
//! i + 1 remembers. At a dead marking nothing fires, for ever, and `deadlock` holds.
//!
//! Transitions that the formula cannot tell apart are in one class; class 0 is in no `fires(...)`.
//! Exactly one of the places of all classes is marked, at the start that of class 0, and a
//! transition moves that token to its own class: it has a *copy* for each class that the token may
//! come from. Enabledness and everything else about the old places is as it was; runs of both nets
//! are the same but for copies. A formula without events keeps its net, and each transition is its
//! only copy. Cost: transitions times classes; classes are few.

use crate::decide::{FairProperty, Property};
use brine_ltl::{Atom, AtomId, Comparison, Expression, Formula, Formulas};
use brine_net::order::Layout;
use brine_net::{Bounds, Net, NetBuilder, PlaceId, Run, TransitionId, Unit};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Nets with more copies are not built.
const MOST_COPIES: usize = 1_000_000;

/// A net that remembers what was fired last, and a formula about it.
#[derive(Debug)]
pub(crate) struct EventNet {
    /// `None`: the net of the question serves.
    net: Option<Net>,
    /// Transitions of the question.
    transitions: usize,
    /// The places that say what was fired last, by class; none of the net of the question.
    remembers: Vec<PlaceId>,
    pub(crate) formulas: Formulas,
    pub(crate) formula: Formula,
}

impl EventNet {
    /// `None` if the net would be too large, or cannot be built.
    pub(crate) fn new(asked: FairProperty<'_>) -> Option<EventNet> {
        let Property { net, formulas, formula } = asked.property;
        let transitions = net.transitions().len();
        let mut formulas = formulas.clone();
        if !formulas.has_events(formula) {
            let remembers = Vec::new();
            return Some(EventNet { net: None, transitions, remembers, formulas, formula });
        }
        let classes = Classes::new(net, &formulas, formula);
        if transitions.saturating_mul(classes.count()) > MOST_COPIES {
            return None;
        }
        let (new, remembers) = remembering(net, &classes)?;
        let restate = |fs: &mut Formulas, a: AtomId| -> Result<Formula, brine_ltl::Overflow> {
            let named = match fs.atom(a).clone() {
                Atom::Fires(named) => named,
                // Enabled if a copy is.
                Atom::Fireable(list) => {
                    let numbers =
                        (0..classes.count() * transitions).map(|t| TransitionId(t as u32));
                    let original = |t: &TransitionId| TransitionId(t.0 % transitions as u32);
                    let copies = numbers.filter(|t| list.binary_search(&original(t)).is_ok());
                    return Ok(fs.fireable(copies.collect()));
                }
                Atom::Linear(_) | Atom::Deadlock | Atom::Prop(_) => return Ok(fs.atom_formula(a)),
            };
            let of_it = |class: &usize| classes.members[*class].iter().any(|t| named.contains(t));
            let places = (0..classes.count()).filter(of_it).map(|class| (remembers[class], 1));
            let last = Expression { terms: places.collect(), constant: 0 };
            let was = fs.compare(last, Comparison::Ge, Expression::constant(1))?;
            let next = fs.x(was);
            let dead = fs.deadlock();
            let alive = fs.not(dead);
            Ok(fs.and([alive, next]))
        };
        let formula = formulas.replace_atoms(formula, restate).ok()?;
        Some(EventNet { net: Some(new), transitions, remembers, formulas, formula })
    }

    /// The net, given that of the question.
    pub(crate) fn net<'a>(&'a self, original: &'a Net) -> &'a Net {
        self.net.as_ref().unwrap_or(original)
    }

    /// Levels for it, given levels for the net of the question: what was fired last is next to the
    /// automaton, which every event touches as well.
    pub(crate) fn layout(&self, original: &Layout) -> Layout {
        let own = (!self.remembers.is_empty()).then(|| self.remembers.clone());
        Layout { levels: own.into_iter().chain(original.levels.iter().cloned()).collect() }
    }

    /// Bounds of its places, given those of the net of the question.
    pub(crate) fn bounds(&self, original: &Net, known: &Bounds) -> Bounds {
        let mut bounds = Bounds::unknown(self.net(original));
        for p in original.place_ids() {
            known.of(p).into_iter().for_each(|most| bounds.lower(p, most));
        }
        self.remembers.iter().for_each(|&p| bounds.lower(p, 1));
        bounds
    }

    /// The copies of a transition.
    pub(crate) fn copies(&self, t: TransitionId) -> Vec<TransitionId> {
        let copy = |class: usize| TransitionId((class * self.transitions + t.index()) as u32);
        (0..self.remembers.len().max(1)).map(copy).collect()
    }

    /// The run of the net of the question.
    pub(crate) fn lift(&self, run: Run) -> Run {
        let original = |t: &TransitionId| TransitionId((t.index() % self.transitions) as u32);
        let all = |steps: &[TransitionId]| steps.iter().map(original).collect();
        Run { prefix: all(&run.prefix), cycle: all(&run.cycle) }
    }
}

/// Transitions by what the formula says of them.
struct Classes {
    /// By transition.
    of: Vec<usize>,
    /// By class.
    members: Vec<Vec<TransitionId>>,
}

impl Classes {
    fn new(net: &Net, formulas: &Formulas, formula: Formula) -> Classes {
        let atoms = formulas.atoms_of(formula).into_iter().map(|a| formulas.atom(a));
        let mut named: Vec<Vec<usize>> = vec![Vec::new(); net.transitions().len()];
        let events = atoms.filter_map(|atom| match atom {
            Atom::Fires(list) => Some(list),
            _ => None,
        });
        for (i, list) in events.enumerate() {
            list.iter().for_each(|t| named[t.index()].push(i));
        }
        let mut numbers = BTreeMap::from([(Vec::new(), 0)]);
        let mut members = vec![Vec::new()];
        let mut of = Vec::with_capacity(named.len());
        for (t, names) in net.transition_ids().zip(named) {
            let class = *numbers.entry(names).or_insert(members.len());
            if class == members.len() {
                members.push(Vec::new());
            }
            members[class].push(t);
            of.push(class);
        }
        Classes { of, members }
    }

    fn count(&self) -> usize {
        self.members.len()
    }
}

/// The net with a place for each class. Copy `class` of transition `t` has the number
/// `class * transitions + t`, and takes the token from that class.
fn remembering(net: &Net, classes: &Classes) -> Option<(Net, Vec<PlaceId>)> {
    let mut names: FxHashSet<String> = net.places().map(|p| p.id().into_owned()).collect();
    names.extend(net.transitions().map(|t| t.id().into_owned()));
    let mut fresh = |stem: String| {
        let mut name = stem;
        while !names.insert(name.clone()) {
            name.push('~');
        }
        name
    };
    let mut b = NetBuilder::new(net.name());
    for place in net.places() {
        b.named_place(&place.id(), &place.name(), place.initial);
    }
    let remembers: Vec<PlaceId> = (0..classes.count())
        .map(|class| b.place(&fresh(format!("last_{class}")), u32::from(class == 0)))
        .collect();
    for (from, &taken) in remembers.iter().enumerate() {
        for (t, transition) in net.transition_ids().zip(net.transitions()) {
            let mut pre = transition.pre.to_vec();
            let mut post = transition.post.to_vec();
            pre.push((taken, 1));
            post.push((remembers[classes.of[t.index()]], 1));
            let id = fresh(format!("{}_after_{from}", transition.id()));
            b.transition(&id, &pre, &post);
        }
    }
    if let Some(nupn) = net.nupn() {
        let mut nupn = nupn.clone();
        let new = nupn.units.len();
        let (id, places) = ("last".to_owned(), remembers.clone());
        nupn.units.push(Unit { id, places, subunits: Vec::new() });
        nupn.units[nupn.root].subunits.push(new);
        b.nupn(nupn);
    }
    Some((b.build().ok()?, remembers))
}
