//! CTL from the initial marking outwards: only what the answer depends on is explored.
//!
//! ```text
//! value(m, EX f)      some successor of m satisfies f
//! value(m, E(f U g))  search through markings of f, until one of g is met
//! value(m, EG f)      search depth first through markings of f, until the path closes or ends
//! ```
//!
//! Operands are evaluated in the same way where a search comes by (Vergauwen and Lewi; on the fly
//! as in the dependency graphs of Liu and Smolka). What is found is remembered for each pair of a
//! marking and an operator, so that no pair is evaluated twice.
//!
//! *Limits.* A search in vain must see every marking, and one that stands inside another must not
//! use up its time. So each has a limit of steps, a sixteenth of the one around it, and the values
//! are three: true, false, open. A search that passed by something open and found nothing is
//! open itself; only one that saw nothing but false says false. A call is a number of searches that
//! begin anew, of lengths 1, 1, 2, 1, 1, 2, 4, 1, ... (Luby, Sinclair and Zuckerman), and each goes
//! through successors in another order: what one has found serves the next.
//!
//! *Why this is right.* True is only said of a marking with a path that shows it: those on the
//! way from the start of an `EU` search to its end, and those on the path of an `EG` search that
//! has closed or has ended in a dead marking. False is only said by a search that is complete: all
//! that it has seen has been left, and no value was open. A marking that an `EG` search has left
//! for good is on no cycle of f, or a path through it would have been found to close.
//!
//! *Invariant.* A value that is remembered is final. Values belong to one generation of marking
//! numbers ([`LocalValues`]); they are forgotten when the markings are.
//!
//! Cost: in the worst case that of the whole marking graph for each operator; one byte for each
//! pair, four an edge. Recursion is over the formula, on a stack that is deep enough for it.

use crate::fire::Step;
use crate::markings::Markings;
use crate::meter::Meter;
use crate::store::MarkingId;
use brine_ltl::{Ctl, CtlId, CtlNode, Formula, Formulas, Node};
use brine_net::{Net, Rng, TransitionId};
use brine_run::{Control, Stop, with_deep_stack};
use rustc_hash::{FxHashMap, FxHashSet};

/// What part of the steps of a search one inside of it gets.
const INNER_SHARE: u64 = 16;
/// The least steps of a search.
const LEAST_STEPS: u64 = 256;
/// A call is divided into searches of this part of its steps, and of at least so many.
const SEARCHES: u64 = 12;
const LEAST_SEARCH: u64 = 4_096;

/// Markings of one net as far as they were explored.
#[derive(Debug)]
pub struct LocalGraph<'n> {
    markings: Markings<'n>,
    /// Where the successors of a marking begin in `targets`, and how many there are.
    edges: Vec<Option<(u32, u32)>>,
    targets: Vec<MarkingId>,
    generation: u32,
}

/// What is known about one formula: values of its operators in markings.
#[derive(Clone, Debug, Default)]
pub struct LocalValues {
    generation: u32,
    /// By operator and marking; 0 is open.
    values: Vec<Vec<u8>>,
    /// How often it was asked.
    calls: u64,
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;

impl LocalValues {
    fn note(
        &mut self,
        m: MarkingId,
        at: CtlId,
        value: bool,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let values = &mut self.values[at];
        if values.len() <= m.index() {
            let more = m.index() + 1 - values.len();
            meter.reserve(values, more)?;
            values.resize(m.index() + 1, 0);
        }
        let value = if value { TRUE } else { FALSE };
        debug_assert!(values[m.index()] == 0 || values[m.index()] == value, "values are final");
        values[m.index()] = value;
        Ok(())
    }
}

/// 1, 1, 2, 1, 1, 2, 4, 1, ...: the number at this place, counted from 1.
fn luby(place: u64) -> u64 {
    let mut place = place.max(1);
    loop {
        // The least power of two beyond it: at the last place before one, its half.
        let beyond = (place + 1).next_power_of_two();
        if beyond == place + 1 {
            return beyond / 2;
        }
        place -= beyond / 2 - 1;
    }
}

impl<'n> LocalGraph<'n> {
    /// Only the initial marking is known.
    pub fn new(markings: Markings<'n>) -> Self {
        LocalGraph { markings, edges: Vec::new(), targets: Vec::new(), generation: 1 }
    }

    /// Bytes in use.
    pub fn held(&self) -> u64 {
        self.markings.meter.used()
    }

    /// Forgets all markings but the initial one, and with them all values.
    pub fn forget(&mut self) -> Result<(), Stop> {
        (self.edges, self.targets) = (Vec::new(), Vec::new());
        self.generation += 1;
        self.markings.forget_markings()?;
        // Values are charged here as well, and nobody gives them back one by one.
        let (used, control) = (self.markings.store().allocated(), self.markings.meter.control());
        self.markings.meter.restart(control, used);
        Ok(())
    }

    /// Whether a marking satisfies a node of a formula, if so many steps tell.
    pub fn value(
        &mut self,
        (fs, ctl): (&Formulas, &Ctl),
        (m, at): (MarkingId, CtlId),
        values: &mut LocalValues,
        steps: u64,
        control: &Control,
    ) -> Result<Option<bool>, Stop> {
        self.markings.meter.resume(control.without_work());
        self.renew(ctl, values);
        let least = (steps / SEARCHES).max(LEAST_SEARCH);
        let (mut left, mut searches) = (steps, 0);
        while left > 0 {
            values.calls += 1;
            searches += 1;
            let limit = least.saturating_mul(luby(searches)).min(left);
            left -= limit;
            let mut search = LocalSearch {
                fs,
                ctl,
                rng: Rng::new(values.calls),
                breadth_first: values.calls % 2 == 1,
                values,
                open: FxHashSet::default(),
                left: limit,
                unpacked: (None, Vec::new()),
                graph: self,
            };
            let run = || search.value(m, at, limit);
            // Boolean combinations inside of states are walked through, too. A thread that the
            // system refuses is a lack of memory.
            let deep = ctl.nodes().len() + fs.len();
            let value = with_deep_stack(deep, run).unwrap_or(Err(Stop::Memory))?;
            if value.is_some() {
                return Ok(value);
            }
        }
        Ok(None)
    }

    /// Values of another generation are forgotten.
    fn renew(&self, ctl: &Ctl, values: &mut LocalValues) {
        if values.generation != self.generation {
            *values = LocalValues { generation: self.generation, ..LocalValues::default() };
            values.values = vec![Vec::new(); ctl.nodes().len()];
        }
    }

    /// The tokens of a marking, by place.
    pub fn marking(&self, m: MarkingId) -> Vec<u32> {
        self.markings.marking(m)
    }

    /// The markings of a run from a marking, that one first; `None` if it cannot be fired.
    pub fn along(
        &mut self,
        from: MarkingId,
        run: impl Iterator<Item = TransitionId>,
        control: &Control,
    ) -> Result<Option<Vec<MarkingId>>, Stop> {
        self.markings.meter.resume(control.without_work());
        let (mut list, mut enabled) = (vec![from], Vec::new());
        let mut at = from;
        for t in run {
            enabled.clear();
            self.markings.enabled(at, &mut enabled);
            let step = enabled.iter().copied().find(|&s| self.markings.firing().transition(s) == t);
            let Some(step) = step else { return Ok(None) };
            (at, _) = self.markings.fire(at, step)?;
            self.markings.meter.tick()?;
            list.push(at);
        }
        Ok(Some(list))
    }

    /// The markings of a run by chance, at most so long.
    pub fn stroll(
        &mut self,
        from: MarkingId,
        steps: usize,
        control: &Control,
    ) -> Result<Vec<MarkingId>, Stop> {
        self.markings.meter.resume(control.without_work());
        let mut rng = Rng::new(steps as u64);
        let (mut list, mut enabled) = (vec![from], Vec::new());
        let mut at = from;
        for _ in 0..steps {
            enabled.clear();
            self.markings.enabled(at, &mut enabled);
            if enabled.is_empty() {
                break;
            }
            (at, _) = self.markings.fire(at, enabled[rng.index(enabled.len())])?;
            self.markings.meter.tick()?;
            list.push(at);
        }
        Ok(list)
    }

    /// The successors of a marking, each once.
    pub fn after(&mut self, m: MarkingId, control: &Control) -> Result<Vec<MarkingId>, Stop> {
        self.markings.meter.resume(control.without_work());
        let (first, count) = self.successors(m)?;
        let mut list = self.targets[first..first + count].to_vec();
        list.sort_unstable();
        list.dedup();
        Ok(list)
    }

    /// Remembers the value of a node in a marking, which was found in another way.
    pub fn note(
        &mut self,
        ctl: &Ctl,
        (m, at): (MarkingId, CtlId),
        value: bool,
        values: &mut LocalValues,
    ) -> Result<(), Stop> {
        self.renew(ctl, values);
        values.note(m, at, value, &mut self.markings.meter)
    }

    /// Where the successors of a marking are.
    fn successors(&mut self, m: MarkingId) -> Result<(usize, usize), Stop> {
        if let Some(&Some((first, count))) = self.edges.get(m.index()) {
            return Ok((first as usize, count as usize));
        }
        let (mut enabled, mut found): (Vec<Step>, Vec<(MarkingId, bool)>) = Default::default();
        self.markings.enabled(m, &mut enabled);
        self.markings.fire_all(m, &enabled, &mut found)?;
        let meter = &mut self.markings.meter;
        let first = u32::try_from(self.targets.len()).map_err(|_| Stop::Memory)?;
        for &(target, _) in &found[..enabled.len()] {
            meter.push(&mut self.targets, target)?;
        }
        if self.edges.len() <= m.index() {
            let more = m.index() + 1 - self.edges.len();
            meter.reserve(&mut self.edges, more)?;
            self.edges.resize(m.index() + 1, None);
        }
        self.edges[m.index()] = Some((first, enabled.len() as u32));
        Ok((first as usize, enabled.len()))
    }
}

/// One call.
struct LocalSearch<'s, 'n> {
    fs: &'s Formulas,
    ctl: &'s Ctl,
    graph: &'s mut LocalGraph<'n>,
    values: &'s mut LocalValues,
    /// Pairs that this call has left open.
    open: FxHashSet<(CtlId, MarkingId)>,
    rng: Rng,
    breadth_first: bool,
    /// Steps that are left.
    left: u64,
    /// A marking and its tokens.
    unpacked: (Option<MarkingId>, Vec<u32>),
}

/// A marking on the path of an `EG` search.
struct PathStep {
    marking: MarkingId,
    successors: Vec<MarkingId>,
    /// Something on from here is open.
    open: bool,
}

/// An `EG` search.
#[derive(Default)]
struct PathSearch {
    path: Vec<PathStep>,
    on_path: FxHashSet<MarkingId>,
    /// Those that were left, and whether something on from there is open.
    done: FxHashMap<MarkingId, bool>,
}

impl PathSearch {
    /// Leaves the last marking of the path for good; that marking, if nothing on from it is open.
    fn leave(&mut self) -> Option<MarkingId> {
        let PathStep { marking, open, .. } = self.path.pop()?;
        self.on_path.remove(&marking);
        self.done.insert(marking, open);
        if let (true, Some(before)) = (open, self.path.last_mut()) {
            before.open = true;
        }
        (!open).then_some(marking)
    }
}

impl LocalSearch<'_, '_> {
    /// The value of an operator in a marking; `None` if it is open.
    fn value(&mut self, m: MarkingId, at: CtlId, limit: u64) -> Result<Option<bool>, Stop> {
        if let Some(known) = self.known(m, at) {
            return Ok(Some(known));
        }
        if self.left == 0 || self.open.contains(&(at, m)) {
            return Ok(None);
        }
        self.left -= 1;
        self.graph.markings.meter.tick()?;
        let ctl = self.ctl;
        let value = match &ctl.nodes()[at] {
            CtlNode::State(f) => Some(self.truth(m, *f)),
            CtlNode::Not(f) => self.value(m, *f, limit)?.map(|f| !f),
            CtlNode::And(list) => self.combined(m, list, false, limit)?,
            CtlNode::Or(list) => self.combined(m, list, true, limit)?,
            CtlNode::ExistsNext(f) => self.next(m, *f, limit)?,
            CtlNode::ExistsUntil(f, g) => self.until(m, at, (*f, *g), limit)?,
            CtlNode::ExistsGlobally(f) => self.globally(m, at, *f, limit)?,
        };
        match value {
            Some(value) => self.note(m, at, value)?,
            None => {
                self.open.insert((at, m));
            }
        }
        Ok(value)
    }

    fn note(&mut self, m: MarkingId, at: CtlId, value: bool) -> Result<(), Stop> {
        self.values.note(m, at, value, &mut self.graph.markings.meter)
    }

    /// What is remembered.
    fn known(&self, m: MarkingId, at: CtlId) -> Option<bool> {
        match self.values.values[at].get(m.index()) {
            Some(&TRUE) => Some(true),
            Some(&FALSE) => Some(false),
            _ => None,
        }
    }

    /// The truth of a boolean combination of atoms.
    fn truth(&mut self, m: MarkingId, f: Formula) -> bool {
        if self.unpacked.0 != Some(m) {
            self.unpacked = (Some(m), self.graph.markings.marking(m));
        }
        is_true(self.graph.markings.net(), &self.unpacked.1, self.fs, f)
    }

    /// `f & g & ...` if `decides` is false, `f | g | ...` if it is true. What costs no search comes
    /// first.
    fn combined(
        &mut self,
        m: MarkingId,
        list: &[CtlId],
        decides: bool,
        limit: u64,
    ) -> Result<Option<bool>, Stop> {
        let ctl = self.ctl;
        let is_state = |&f: &CtlId| matches!(ctl.nodes()[f], CtlNode::State(_));
        let (states, rest): (Vec<CtlId>, Vec<CtlId>) = list.iter().partition(|f| is_state(f));
        let mut all = Some(!decides);
        for f in states.into_iter().chain(rest) {
            match self.value(m, f, limit)? {
                Some(value) if value == decides => return Ok(Some(decides)),
                Some(_) => (),
                None => all = None,
            }
        }
        Ok(all)
    }

    fn next(&mut self, m: MarkingId, f: CtlId, limit: u64) -> Result<Option<bool>, Stop> {
        let mut any = Some(false);
        for to in self.successors(m)? {
            match self.value(to, f, limit)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => (),
                None => any = None,
            }
        }
        Ok(any)
    }

    /// The successors of a marking, each once.
    fn successors(&mut self, m: MarkingId) -> Result<Vec<MarkingId>, Stop> {
        let (first, count) = self.graph.successors(m)?;
        self.left = self.left.saturating_sub(1 + count as u64 / 8);
        let mut list = self.graph.targets[first..first + count].to_vec();
        list.sort_unstable();
        list.dedup();
        Ok(list)
    }

    /// `E(f U g)`
    fn until(
        &mut self,
        start: MarkingId,
        at: CtlId,
        (f, g): (CtlId, CtlId),
        limit: u64,
    ) -> Result<Option<bool>, Stop> {
        let inner = (limit / INNER_SHARE).max(LEAST_STEPS);
        let stop_at = self.left.saturating_sub(limit);
        let mut from: FxHashMap<MarkingId, MarkingId> = FxHashMap::default();
        from.insert(start, start);
        let mut frontier = std::collections::VecDeque::from([start]);
        let mut open = false;
        while let Some(m) = self.take(&mut frontier) {
            if self.left <= stop_at {
                return Ok(None);
            }
            let known = self.known(m, at);
            if known == Some(false) {
                continue;
            }
            let there = if known.is_some() { known } else { self.value(m, g, inner)? };
            if there == Some(true) {
                let mut back = m;
                while back != start {
                    self.note(back, at, true)?;
                    back = from[&back];
                }
                return Ok(Some(true));
            }
            let on = self.value(m, f, inner)?;
            open |= there.is_none() || on.is_none();
            if on == Some(true) {
                let mut list = self.successors(m)?;
                self.shuffle(&mut list);
                for to in list {
                    if let std::collections::hash_map::Entry::Vacant(entry) = from.entry(to) {
                        entry.insert(m);
                        frontier.push_back(to);
                    }
                }
            }
        }
        if open {
            return Ok(None);
        }
        for &m in from.keys() {
            self.note(m, at, false)?;
        }
        Ok(Some(false))
    }

    fn take(&self, frontier: &mut std::collections::VecDeque<MarkingId>) -> Option<MarkingId> {
        if self.breadth_first { frontier.pop_front() } else { frontier.pop_back() }
    }

    /// Another order of successors, unless the search goes by breadth.
    fn shuffle(&mut self, list: &mut [MarkingId]) {
        if !self.breadth_first {
            for i in (1..list.len()).rev() {
                list.swap(i, self.rng.index(i + 1));
            }
        }
    }

    /// `EG f`
    fn globally(
        &mut self,
        start: MarkingId,
        at: CtlId,
        f: CtlId,
        limit: u64,
    ) -> Result<Option<bool>, Stop> {
        let inner = (limit / INNER_SHARE).max(LEAST_STEPS);
        let stop_at = self.left.saturating_sub(limit);
        let mut search = PathSearch::default();
        if self.enter(&mut search, start, (at, f), inner)? {
            return self.path_shows(&search.path, at);
        }
        while let Some(last) = search.path.last_mut() {
            if self.left <= stop_at {
                return Ok(None);
            }
            let Some(to) = last.successors.pop() else {
                if let Some(left) = search.leave() {
                    self.note(left, at, false)?;
                }
                continue;
            };
            let shows = if search.on_path.contains(&to) {
                true
            } else if let Some(&open) = search.done.get(&to) {
                last.open |= open;
                false
            } else {
                self.enter(&mut search, to, (at, f), inner)?
            };
            if shows {
                return self.path_shows(&search.path, at);
            }
        }
        Ok(if search.done[&start] { None } else { Some(false) })
    }

    /// An `EG` search comes to a marking; whether it is known now that its path goes on for ever, or
    /// to a dead marking.
    fn enter(
        &mut self,
        search: &mut PathSearch,
        m: MarkingId,
        (at, f): (CtlId, CtlId),
        inner: u64,
    ) -> Result<bool, Stop> {
        let holds = match self.known(m, at) {
            Some(true) => return Ok(true),
            Some(false) => Some(false),
            None => self.value(m, f, inner)?,
        };
        if holds != Some(true) {
            search.done.insert(m, holds.is_none());
            if let (None, Some(last)) = (holds, search.path.last_mut()) {
                last.open = true;
            }
            return Ok(false);
        }
        let mut successors = self.successors(m)?;
        let ends = successors.is_empty();
        self.shuffle(&mut successors);
        search.path.push(PathStep { marking: m, successors, open: false });
        search.on_path.insert(m);
        Ok(ends)
    }

    /// The path of an `EG` search closes, ends, or goes on where it is known to.
    fn path_shows(&mut self, path: &[PathStep], at: CtlId) -> Result<Option<bool>, Stop> {
        for step in path {
            self.note(step.marking, at, true)?;
        }
        Ok(Some(true))
    }
}

/// The truth of a boolean combination of atoms.
fn is_true(net: &Net, marking: &[u32], fs: &Formulas, f: Formula) -> bool {
    let of = |f: Formula| is_true(net, marking, fs, f);
    match fs.node(f) {
        Node::True => true,
        Node::False => false,
        // A net says nothing about names.
        Node::Atom(a) => fs.atom(a).eval(net, marking).unwrap_or(false),
        Node::Not(g) => !of(g),
        Node::And(list) => fs.list(list).iter().all(|&g| of(g)),
        Node::Or(list) => fs.list(list).iter().any(|&g| of(g)),
        Node::Implies(g, h) => !of(g) || of(h),
        Node::Iff(g, h) => of(g) == of(h),
        Node::Xor(g, h) => of(g) != of(h),
        _ => unreachable!("only combinations of atoms are evaluated"),
    }
}
