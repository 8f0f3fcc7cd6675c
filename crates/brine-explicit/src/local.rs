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
//! open itself; only one that saw nothing but false says false. Every call has more steps than the
//! one before, and goes through successors in another order.
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
use crate::store::MarkingId;
use brine_ltl::{Ctl, CtlId, CtlNode, Formula, Formulas, Node};
use brine_net::{Net, Rng};
use brine_run::{Control, Stop, with_deep_stack};
use rustc_hash::{FxHashMap, FxHashSet};

/// What part of the steps of a search one inside of it gets.
const INNER_SHARE: u64 = 16;
/// The least steps of a search.
const LEAST_STEPS: u64 = 256;

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

    /// Whether the initial marking satisfies a formula, if so many steps tell.
    pub fn satisfies(
        &mut self,
        fs: &Formulas,
        ctl: &Ctl,
        values: &mut LocalValues,
        steps: u64,
        control: &Control,
    ) -> Result<Option<bool>, Stop> {
        self.markings.meter.resume(control.without_work());
        if values.generation != self.generation {
            *values = LocalValues { generation: self.generation, ..LocalValues::default() };
            values.values = vec![Vec::new(); ctl.nodes().len()];
        }
        values.calls += 1;
        let mut search = LocalSearch {
            fs,
            ctl,
            rng: Rng::new(values.calls),
            breadth_first: values.calls % 2 == 1,
            values,
            open: FxHashSet::default(),
            left: steps,
            unpacked: (None, Vec::new()),
            graph: self,
        };
        let run = || search.value(MarkingId::INITIAL, ctl.root(), steps);
        // Boolean combinations inside of states are walked through, too. A thread that the system
        // refuses is a lack of memory.
        with_deep_stack(ctl.nodes().len() + fs.len(), run).unwrap_or(Err(Stop::Memory))
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

impl LocalSearch<'_, '_> {
    /// The value of an operator in a marking; `None` if it is open.
    fn value(&mut self, m: MarkingId, at: CtlId, limit: u64) -> Result<Option<bool>, Stop> {
        match self.values.values[at].get(m.index()) {
            Some(&TRUE) => return Ok(Some(true)),
            Some(&FALSE) => return Ok(Some(false)),
            _ => (),
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
        let values = &mut self.values.values[at];
        if values.len() <= m.index() {
            let more = m.index() + 1 - values.len();
            self.graph.markings.meter.reserve(values, more)?;
            values.resize(m.index() + 1, 0);
        }
        let value = if value { TRUE } else { FALSE };
        debug_assert!(values[m.index()] == 0 || values[m.index()] == value, "values are final");
        values[m.index()] = value;
        Ok(())
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
            let known = self.values.values[at].get(m.index()).copied().unwrap_or(0);
            if known == FALSE {
                continue;
            }
            let there = match known {
                TRUE => Some(true),
                _ => self.value(m, g, inner)?,
            };
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
        let mut path: Vec<PathStep> = Vec::new();
        let mut on_path: FxHashSet<MarkingId> = FxHashSet::default();
        // Those that were left, and whether something on from there is open.
        let mut done: FxHashMap<MarkingId, bool> = FxHashMap::default();
        let mut next = Some(start);
        loop {
            if self.left <= stop_at {
                return Ok(None);
            }
            if let Some(m) = next.take() {
                let known = self.values.values[at].get(m.index()).copied().unwrap_or(0);
                let holds = match known {
                    TRUE => return self.path_shows(&path, at),
                    FALSE => Some(false),
                    _ => self.value(m, f, inner)?,
                };
                if holds == Some(true) {
                    let mut successors = self.successors(m)?;
                    let ends = successors.is_empty();
                    self.shuffle(&mut successors);
                    path.push(PathStep { marking: m, successors, open: false });
                    on_path.insert(m);
                    if ends {
                        return self.path_shows(&path, at);
                    }
                } else {
                    done.insert(m, holds.is_none());
                    if let (None, Some(last)) = (holds, path.last_mut()) {
                        last.open = true;
                    }
                }
            }
            let Some(last) = path.last_mut() else {
                return Ok(if done[&start] { None } else { Some(false) });
            };
            match last.successors.pop() {
                Some(to) if on_path.contains(&to) => return self.path_shows(&path, at),
                Some(to) => match done.get(&to) {
                    Some(&open) => last.open |= open,
                    None => next = Some(to),
                },
                None => {
                    let PathStep { marking, open, .. } = *last;
                    path.pop();
                    on_path.remove(&marking);
                    done.insert(marking, open);
                    if open {
                        if let Some(before) = path.last_mut() {
                            before.open = true;
                        }
                    } else {
                        self.note(marking, at, false)?;
                    }
                }
            }
        }
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
