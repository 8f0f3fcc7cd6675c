//! Sets of reachable markings by what is true in them, CTL included.
//!
//! ```text
//! select(f)     =  { m in R | f is true in m }            f a boolean combination of atoms
//! next(S)       =  { m in R | m -> m' for some m' in S }
//! until(F, G)   =  the least set with G and all m in F with m -> m' in the set
//! globally(F)   =  the largest set within F of markings that are dead or have a successor in it
//! ```
//!
//! R are the reachable markings. Backward events are events again: they put what transitions take
//! and take what they put. Sources that are not reachable creep in, so every step is constrained:
//! `until` is constrained saturation ([`crate::constrained`]) with F as the constraint (Zhao and
//! Ciardo), `next` a constrained image. A path may end in a dead marking, which is why dead
//! markings of F belong to `globally(F)`.
//!
//! Atoms are decided on the way down the diagram: fireability with the set of guards that are not
//! passed yet ([`crate::guards`]); a linear comparison with what is left of its bound, and it is
//! decided for all markings below a node as soon as the least and the most that they add say so.
//!
//! *Invariant.* Every set is a subset of R. Sets that are kept are protected from garbage
//! collection, which happens inside of closures only.
//!
//! Cost: `globally` takes as many images as the longest path in F that leads nowhere.

use brine_dd::{Control, Dd, NodeId, Stop, with_deep_stack};
use brine_ltl::{Atom, Ctl, CtlNode, Formula, Formulas, Linear, Node};
use brine_net::order::Layout;
use brine_net::{Net, PlaceId, TransitionId};
use rustc_hash::FxHashMap;

use crate::constrained::Constrained;
use crate::guards::{GuardSet, Guards, Passed};
use crate::model::{Level, LevelModel, TailId};
use crate::saturate::Saturation;
use crate::search::reach_with;
use crate::tailset::TailSet;

/// The reachable markings of a net, ready for questions about them.
#[derive(Debug)]
pub struct Branching {
    /// Goes backward.
    pub(crate) engine: Saturation,
    pub(crate) reached: NodeId,
    pub(crate) initial: NodeId,
    /// All events that go backward, the ones that change nothing included.
    backward: Option<TailSet>,
    pub(crate) guards: Guards,
    dead: Option<NodeId>,
    /// Whether the initial marking can be reached from everywhere, once it was asked.
    reversible: Option<bool>,
}

/// The least and the most that a sum comes to below a node.
type Extent = (i64, i64);

impl Branching {
    /// Computes the reachable markings with this layout.
    pub fn new(net: &Net, layout: &Layout, control: &Control) -> Result<Self, Stop> {
        let (engine, reached) = reach_with(net, layout, control)?;
        let Saturation { mut dd, mut model, .. } = engine;
        let forward = model.events.clone();
        let reversed = model.reversed_events(net, control)?;
        // What was remembered is about events that go forward.
        dd.client_cache.clear();
        let mut engine = Saturation::with_events(model, dd, &reversed);
        engine.model.events = forward;
        let backward = (!reversed.is_empty()).then(|| engine.sets.intern(&engine.model, reversed));
        let initial = engine.initial()?;
        let mut branching = Branching {
            engine,
            reached,
            initial,
            backward,
            guards: Guards::new(),
            dead: None,
            reversible: None,
        };
        branching.protect_kept();
        Ok(branching)
    }

    /// The reachable markings.
    pub fn reached(&self) -> NodeId {
        self.reached
    }

    /// The diagrams.
    pub fn dd(&self) -> &Dd {
        &self.engine.dd
    }

    /// Levels of the diagram.
    pub fn levels(&self) -> usize {
        self.engine.model.level_count()
    }

    /// Works under another control from now on; its work is counted from now.
    pub fn set_control(&mut self, control: Control) {
        let done = self.engine.dd.stats().ticks;
        let work = control.work.map(|work| work.saturating_add(done));
        self.engine.dd.set_control(Control { work, ..control });
    }

    /// Whether the initial marking satisfies a formula.
    pub fn satisfies(&mut self, fs: &Formulas, ctl: &Ctl) -> Result<bool, Stop> {
        self.guarded(|b| b.decide(fs, ctl))
    }

    /// The least and the most that a sum comes to in reachable markings.
    pub fn extent(&mut self, terms: &[(PlaceId, i64)]) -> Result<Extent, Stop> {
        let weights = self.weights(terms);
        let extents = self.extents(&weights)?;
        Ok(extents[&self.reached])
    }

    /// Sets of markings for whoever puts them together: see [`MarkingSets`]. Nothing is kept.
    pub fn with_sets<T: Send>(
        &mut self,
        work: impl FnOnce(&mut MarkingSets<'_>) -> Result<T, Stop> + Send,
    ) -> Result<T, Stop> {
        self.guarded(|branching| work(&mut MarkingSets { branching }))
    }

    /// Works on a stack that is deep enough, and leaves nothing behind.
    pub(crate) fn guarded<T: Send>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Stop> + Send,
    ) -> Result<T, Stop> {
        let levels = self.levels();
        // A thread that the system refuses is a lack of memory.
        let result = with_deep_stack(levels, || work(self)).unwrap_or(Err(Stop::Memory));
        if result.is_err() {
            self.engine.frames.clear();
            self.engine.dd.recover();
        }
        self.protect_kept();
        result
    }

    /// Protects what is kept, and nothing else: a stop ends all protection.
    fn protect_kept(&mut self) {
        self.engine.dd.unprotect_to(0);
        for set in [Some(self.reached), Some(self.initial), self.dead].into_iter().flatten() {
            self.engine.dd.protect(set);
        }
    }

    fn decide(&mut self, fs: &Formulas, ctl: &Ctl) -> Result<bool, Stop> {
        // `EF f` at the very top: something satisfies f.
        let mut root = ctl.root();
        let mut negated = false;
        while let CtlNode::Not(f) = ctl.nodes()[root] {
            (root, negated) = (f, !negated);
        }
        let reaches = match ctl.nodes()[root] {
            CtlNode::ExistsUntil(f, g) if ctl.nodes()[f] == CtlNode::State(Formula::TRUE) => {
                Some(g)
            }
            _ => None,
        };
        let last = reaches.unwrap_or(root);
        let mut sets: Vec<NodeId> = Vec::with_capacity(last + 1);
        for node in &ctl.nodes()[..=last] {
            let set = self.node(fs, node, &sets)?;
            debug_assert!(self.engine.dd.is_subset(set, self.reached), "only reachable markings");
            self.engine.dd.protect(set);
            sets.push(set);
        }
        let holds = match reaches {
            Some(_) => sets[last] != NodeId::EMPTY,
            None => self.engine.dd.intersect(sets[last], self.initial)? != NodeId::EMPTY,
        };
        Ok(holds != negated)
    }

    fn node(&mut self, fs: &Formulas, node: &CtlNode, sets: &[NodeId]) -> Result<NodeId, Stop> {
        match node {
            CtlNode::State(f) => self.select(fs, *f),
            CtlNode::Not(f) => self.engine.dd.minus(self.reached, sets[*f]),
            CtlNode::And(list) => {
                let mut all = self.reached;
                for &f in list {
                    all = self.engine.dd.intersect(all, sets[f])?;
                }
                Ok(all)
            }
            CtlNode::Or(list) => {
                let mut any = NodeId::EMPTY;
                for &f in list {
                    any = self.engine.dd.union(any, sets[f])?;
                }
                Ok(any)
            }
            CtlNode::ExistsNext(f) => self.next(sets[*f], self.reached),
            CtlNode::ExistsUntil(f, g) => self.until(sets[*f], sets[*g]),
            CtlNode::ExistsGlobally(f) => self.globally(sets[*f]),
        }
    }

    /// The markings of `within` with a successor in `set`.
    fn next(&mut self, set: NodeId, within: NodeId) -> Result<NodeId, Stop> {
        let Some(backward) = self.backward else { return Ok(NodeId::EMPTY) };
        if set == NodeId::EMPTY || within == NodeId::EMPTY {
            return Ok(NodeId::EMPTY);
        }
        let top = self.engine.top_level();
        Constrained::new(&mut self.engine).image(set, backward, within, top)
    }

    pub(crate) fn until(&mut self, f: NodeId, g: NodeId) -> Result<NodeId, Stop> {
        if f == NodeId::EMPTY || g == NodeId::EMPTY {
            return Ok(g);
        }
        // If every marking leads to every other, `EF g` holds everywhere.
        if f == self.reached && self.is_reversible()? {
            return Ok(self.reached);
        }
        self.engine.reach_within(g, f)
    }

    /// Whether the initial marking can be reached from everywhere: one closure, once.
    pub(crate) fn is_reversible(&mut self) -> Result<bool, Stop> {
        if let Some(reversible) = self.reversible {
            return Ok(reversible);
        }
        let leads_back = self.engine.reach_within(self.initial, self.reached)?;
        Ok(*self.reversible.insert(leads_back == self.reached))
    }

    fn globally(&mut self, f: NodeId) -> Result<NodeId, Stop> {
        let dead = self.dead()?;
        let dead = self.engine.dd.intersect(f, dead)?;
        let mut set = f;
        loop {
            let goes_on = self.next(set, set)?;
            let next = self.engine.dd.union(goes_on, dead)?;
            if next == set {
                return Ok(set);
            }
            debug_assert!(self.engine.dd.is_subset(next, set), "it only shrinks");
            set = next;
        }
    }

    /// The dead markings.
    pub(crate) fn dead(&mut self) -> Result<NodeId, Stop> {
        if let Some(dead) = self.dead {
            return Ok(dead);
        }
        let all: Vec<TransitionId> =
            (0..self.engine.model.events.len() as u32).map(TransitionId).collect();
        let alive = self.fireable(&all)?;
        let dead = self.engine.dd.minus(self.reached, alive)?;
        self.engine.dd.protect(dead);
        self.dead = Some(dead);
        Ok(dead)
    }

    /// The markings that satisfy a boolean combination of atoms.
    fn select(&mut self, fs: &Formulas, formula: Formula) -> Result<NodeId, Stop> {
        let mut sets: FxHashMap<Formula, NodeId> = FxHashMap::default();
        for f in fs.subformulas(formula) {
            let set = match fs.node(f) {
                Node::True => self.reached,
                Node::False => NodeId::EMPTY,
                Node::Atom(a) => self.atom(fs.atom(a))?,
                Node::Not(g) => self.engine.dd.minus(self.reached, sets[&g])?,
                Node::And(list) => {
                    let mut all = self.reached;
                    for g in fs.list(list) {
                        all = self.engine.dd.intersect(all, sets[g])?;
                    }
                    all
                }
                Node::Or(list) => {
                    let mut any = NodeId::EMPTY;
                    for g in fs.list(list) {
                        any = self.engine.dd.union(any, sets[g])?;
                    }
                    any
                }
                Node::Implies(g, h) => {
                    let left = self.engine.dd.minus(self.reached, sets[&g])?;
                    self.engine.dd.union(left, sets[&h])?
                }
                Node::Iff(g, h) => {
                    let differ = self.differ(sets[&g], sets[&h])?;
                    self.engine.dd.minus(self.reached, differ)?
                }
                Node::Xor(g, h) => self.differ(sets[&g], sets[&h])?,
                Node::X(_)
                | Node::F(_)
                | Node::G(_)
                | Node::U(..)
                | Node::R(..)
                | Node::W(..)
                | Node::M(..) => unreachable!("only combinations of atoms are selected"),
            };
            sets.insert(f, set);
        }
        Ok(sets[&formula])
    }

    fn differ(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        let (left, right) = (self.engine.dd.minus(a, b)?, self.engine.dd.minus(b, a)?);
        self.engine.dd.union(left, right)
    }

    fn atom(&mut self, atom: &Atom) -> Result<NodeId, Stop> {
        match atom {
            Atom::Fireable(transitions) => self.fireable(transitions),
            Atom::Deadlock => self.dead(),
            Atom::Linear(linear) => self.linear(linear),
            // A net says nothing about names.
            Atom::Prop(_) => Ok(NodeId::EMPTY),
        }
    }

    /// The markings in which some transition of a list is enabled.
    fn fireable(&mut self, transitions: &[TransitionId]) -> Result<NodeId, Stop> {
        let model = &self.engine.model;
        let events = transitions.iter().map(|t| model.events[t.index()]);
        let events: Vec<TailId> = events.collect();
        match self.guards.of_events(&self.engine.model, events.into_iter()) {
            Passed::Enabled => Ok(self.reached),
            Passed::Left(set) => {
                let top = self.engine.top_level();
                self.enabled_below(self.reached, set, top, &mut FxHashMap::default())
            }
        }
    }

    fn enabled_below(
        &mut self,
        node: NodeId,
        set: GuardSet,
        level: Level,
        memo: &mut FxHashMap<(NodeId, GuardSet), NodeId>,
    ) -> Result<NodeId, Stop> {
        if set == GuardSet::NONE || node.is_terminal() {
            return Ok(NodeId::EMPTY);
        }
        if let Some(&known) = memo.get(&(node, set)) {
            return Ok(known);
        }
        self.engine.dd.tick()?;
        let base = self.engine.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.engine.dd.node(at);
            at = n.right;
            let left = match self.guards.top(set) == level {
                true => self.guards.step(&self.engine.model, set, n.value),
                false => Passed::Left(set),
            };
            let below = match left {
                Passed::Enabled => n.down,
                Passed::Left(left) => self.enabled_below(n.down, left, level.below(), memo)?,
            };
            self.engine.frames.add(&mut self.engine.dd, base, n.value, below)?;
        }
        let result = self.engine.frames.close(&mut self.engine.dd, base)?;
        memo.insert((node, set), result);
        Ok(result)
    }

    /// Of every level, the places that a sum counts: position and coefficient.
    fn weights(&self, terms: &[(PlaceId, i64)]) -> Vec<Vec<(usize, i64)>> {
        let of: FxHashMap<PlaceId, i64> = terms.iter().fold(FxHashMap::default(), |mut map, t| {
            *map.entry(t.0).or_default() += t.1;
            map
        });
        let places = |space: &crate::local::LocalSpace| {
            let counted = |(i, p): (usize, &PlaceId)| of.get(p).map(|&c| (i, c));
            space.places.iter().enumerate().filter_map(counted).collect()
        };
        self.engine.model.levels.iter().map(places).collect()
    }

    /// What a local state adds to a sum.
    fn value_of(model: &LevelModel, weights: &[(usize, i64)], level: usize, value: u32) -> i64 {
        let space = &model.levels[level];
        weights.iter().fold(0, |sum: i64, &(i, c)| {
            sum.saturating_add(c.saturating_mul(i64::from(space.tokens_in(value, i))))
        })
    }

    /// Of every node below the reachable markings, the least and the most that the levels from it
    /// down add to a sum.
    fn extents(
        &mut self,
        weights: &[Vec<(usize, i64)>],
    ) -> Result<FxHashMap<NodeId, Extent>, Stop> {
        let mut extents: FxHashMap<NodeId, Extent> = FxHashMap::default();
        extents.insert(NodeId::UNIT, (0, 0));
        let levels = self.engine.dd.levels(self.reached);
        for (depth, nodes) in levels.iter().enumerate().rev() {
            let level = levels.len() - depth;
            for &node in nodes {
                self.engine.dd.tick()?;
                let dd = &self.engine.dd;
                let of_arc = |(value, down): (u32, NodeId)| {
                    let add = Self::value_of(&self.engine.model, &weights[level], level, value);
                    let (least, most) = extents[&down];
                    (least.saturating_add(add), most.saturating_add(add))
                };
                let both = |a: Extent, b: Extent| (a.0.min(b.0), a.1.max(b.1));
                let extent = dd.arcs(node).map(of_arc).reduce(both).unwrap_or((0, 0));
                extents.insert(node, extent);
            }
        }
        Ok(extents)
    }

    fn linear(&mut self, linear: &Linear) -> Result<NodeId, Stop> {
        let weights = self.weights(&linear.terms);
        let extents = self.extents(&weights)?;
        let walk = &mut LinearWalk { weights, extents, memo: FxHashMap::default() };
        self.at_most(self.reached, linear.bound, self.levels(), walk)
    }

    /// The vectors below a node whose sum is at most `bound`.
    fn at_most(
        &mut self,
        node: NodeId,
        bound: i64,
        level: usize,
        walk: &mut LinearWalk,
    ) -> Result<NodeId, Stop> {
        if node == NodeId::EMPTY {
            return Ok(node);
        }
        // Lists of arcs begin in the middle only inside of this loop, so the node is a known one.
        let (least, most) = walk.extents[&node];
        if most <= bound {
            return Ok(node);
        }
        if least > bound {
            return Ok(NodeId::EMPTY);
        }
        if let Some(&known) = walk.memo.get(&(node, bound)) {
            return Ok(known);
        }
        self.engine.dd.tick()?;
        let base = self.engine.frames.len();
        let mut at = node;
        while at != NodeId::EMPTY {
            let n = self.engine.dd.node(at);
            at = n.right;
            let add = Self::value_of(&self.engine.model, &walk.weights[level], level, n.value);
            let below = self.at_most(n.down, bound.saturating_sub(add), level - 1, walk)?;
            self.engine.frames.add(&mut self.engine.dd, base, n.value, below)?;
        }
        let result = self.engine.frames.close(&mut self.engine.dd, base)?;
        walk.memo.insert((node, bound), result);
        Ok(result)
    }
}

/// Sets of reachable markings, and what leads into them. Each set that is given back is protected
/// from garbage collection until the work on the sets is over.
#[derive(Debug)]
pub struct MarkingSets<'b> {
    branching: &'b mut Branching,
}

impl MarkingSets<'_> {
    fn kept(&mut self, set: NodeId) -> NodeId {
        self.branching.engine.dd.protect(set);
        set
    }

    /// The diagrams.
    pub fn dd(&mut self) -> &mut Dd {
        &mut self.branching.engine.dd
    }

    /// The reachable markings.
    pub fn reached(&self) -> NodeId {
        self.branching.reached
    }

    /// The initial marking.
    pub fn initial(&self) -> NodeId {
        self.branching.initial
    }

    /// The markings in which nothing is enabled.
    pub fn dead(&mut self) -> Result<NodeId, Stop> {
        self.branching.dead()
    }

    /// The markings that satisfy an atom.
    pub fn atom(&mut self, atom: &Atom) -> Result<NodeId, Stop> {
        let set = self.branching.atom(atom)?;
        Ok(self.kept(set))
    }

    /// The markings with a successor in the set; dead ones succeed themselves.
    pub fn before(&mut self, set: NodeId) -> Result<NodeId, Stop> {
        let next = self.branching.next(set, self.branching.reached)?;
        self.kept(next);
        let dead = self.dead()?;
        let dead = self.branching.engine.dd.intersect(dead, set)?;
        let all = self.branching.engine.dd.union(next, dead)?;
        Ok(self.kept(all))
    }

    /// The least set with `goal` and what leads into it from `within`.
    pub fn until(&mut self, within: NodeId, goal: NodeId) -> Result<NodeId, Stop> {
        let set = self.branching.until(within, goal)?;
        Ok(self.kept(set))
    }

    /// `a | b`
    pub fn union(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        let set = self.branching.engine.dd.union(a, b)?;
        Ok(self.kept(set))
    }

    /// `a & b`
    pub fn intersect(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        let set = self.branching.engine.dd.intersect(a, b)?;
        Ok(self.kept(set))
    }

    /// `a` without `b`
    pub fn minus(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Stop> {
        let set = self.branching.engine.dd.minus(a, b)?;
        Ok(self.kept(set))
    }
}

/// What is known on the way down with a sum.
struct LinearWalk {
    weights: Vec<Vec<(usize, i64)>>,
    extents: FxHashMap<NodeId, Extent>,
    memo: FxHashMap<(NodeId, i64), NodeId>,
}
