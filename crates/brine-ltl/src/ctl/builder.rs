//! Makes formulas of CTL: equal nodes are shared, and what has a simpler equal becomes that.
//!
//! Every node is made together with its negation, so that negations stand right above path
//! operators only. `AG`, `AF` and the others are negations here; in their words the rules are, with
//! their duals:
//!
//! ```text
//! E(f U (g | h)) = E(f U g) | E(f U h)      EX (f | g) = EX f | EX g
//! E(f U E(f U g)) = E(f U g)                EG EG f = EG f
//! EF E(f U g) = EF g                        E((f | g) U g) = E(f U g)
//! EF AF f = EF f                            EF A(f U g) = EF g        AF A(f U g) = AF g
//! EF EX f = EX EF f
//! E(f U p) = p          AF p = p            for p that is possible: EF g, or made of such by & | EX
//! EG i = i                                  for i that is the negation of one: AG g, ...
//! EG (f & i) = EG f & i                     E((f & i) U g) = g | i & E(f U g)
//! f & (f | g) = f                           f & !f = false
//! ```
//!
//! *Why this is right.* A marking that leads to one where p is possible can do what that one can, so
//! p holds there as well: on a path, p holds up to where it held last, and i from where it held
//! first. What can be reached after some steps and one more can be reached after one and some
//! more. `A(f U g)` and `AF f` need g, or f, on every maximal path, of which there is one, and they
//! hold where g, or f, does. The others are the definitions. None of them needs a path to be
//! infinite.
//!
//! *Invariant.* Operands have smaller numbers than what they are operands of; `negations` is its own
//! inverse. Cost: linear in the operands of a node; nothing is copied, so a formula has at most
//! twice as many nodes for each `|` below an `E`.

use super::{Ctl, CtlId, CtlNode};
use crate::formula::{Formula, Formulas};
use brine_net::Interner;

/// Makes formulas of CTL.
#[derive(Debug, Default)]
pub struct CtlBuilder {
    nodes: Interner<CtlNode>,
    /// Of each node.
    negations: Vec<CtlId>,
    shapes: Vec<Shape>,
}

/// What is known of the markings that satisfy a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Shape {
    /// A marking from which one can be reached is one.
    possible: bool,
    /// Every marking that can be reached from one is one.
    invariant: bool,
}

impl Shape {
    fn negation(self) -> Self {
        Shape { possible: self.invariant, invariant: self.possible }
    }
}

impl CtlBuilder {
    /// An empty one.
    pub fn new() -> Self {
        CtlBuilder::default()
    }

    /// A node and its negation.
    fn pair(&mut self, node: CtlNode, negation: impl FnOnce(CtlId) -> CtlNode) -> CtlId {
        if let Some(known) = self.nodes.find(&node) {
            return known as CtlId;
        }
        let shape = self.shape(&node);
        let id = self.nodes.intern(node) as CtlId;
        let not = self.nodes.intern(negation(id)) as CtlId;
        debug_assert_eq!((id + 1, id + 2), (not, self.nodes.len()), "both are new");
        for id in [id, not] {
            debug_assert!(self.nodes[id].operands().iter().all(|&o| o < id), "operands come first");
        }
        self.negations.extend([not, id]);
        self.shapes.extend([shape, shape.negation()]);
        id
    }

    fn shape(&self, node: &CtlNode) -> Shape {
        let all = |list: &[CtlId], of: fn(Shape) -> bool| list.iter().all(|&o| of(self.shapes[o]));
        match node {
            CtlNode::And(list) | CtlNode::Or(list) => Shape {
                possible: all(list, |shape| shape.possible),
                invariant: all(list, |shape| shape.invariant),
            },
            CtlNode::ExistsUntil(f, _) => {
                Shape { possible: self.constant(*f) == Some(true), invariant: false }
            }
            CtlNode::ExistsNext(f) => {
                Shape { possible: self.shapes[*f].possible, invariant: false }
            }
            _ => Shape::default(),
        }
    }

    /// A boolean combination of atoms.
    pub fn state(&mut self, fs: &mut Formulas, f: Formula) -> CtlId {
        let not = fs.not(f);
        self.pair(CtlNode::State(f), |_| CtlNode::State(not))
    }

    fn constant(&self, id: CtlId) -> Option<bool> {
        match self.nodes[id] {
            CtlNode::State(Formula::TRUE) => Some(true),
            CtlNode::State(Formula::FALSE) => Some(false),
            _ => None,
        }
    }

    /// `!f`
    pub fn not(&self, f: CtlId) -> CtlId {
        self.negations[f]
    }

    /// `f & g & ...`; boolean operands become one.
    pub fn and(&mut self, fs: &mut Formulas, list: &[CtlId]) -> CtlId {
        let (mut states, mut rest) = (Vec::new(), Vec::new());
        let mut add = |id: CtlId| match self.nodes[id] {
            CtlNode::State(s) => states.push(s),
            _ => rest.push(id),
        };
        for &id in list {
            match &self.nodes[id] {
                CtlNode::And(inner) => inner.iter().for_each(|&id| add(id)),
                _ => add(id),
            }
        }
        let state = fs.and(states);
        rest.sort_unstable();
        rest.dedup();
        let is_in = |id: CtlId| rest.binary_search(&id).is_ok();
        if state == Formula::FALSE || rest.iter().any(|&id| is_in(self.not(id))) {
            return self.state(fs, Formula::FALSE);
        }
        // What is weaker than another operand says nothing.
        let weaker = |id: CtlId| match &self.nodes[id] {
            CtlNode::Or(inner) => inner.iter().any(|&id| is_in(id)),
            _ => false,
        };
        let mut kept: Vec<CtlId> = rest.iter().copied().filter(|&id| !weaker(id)).collect();
        if state != Formula::TRUE || kept.is_empty() {
            kept.push(self.state(fs, state));
            kept.sort_unstable();
        }
        if let [one] = kept[..] {
            return one;
        }
        let mut negations: Vec<CtlId> = kept.iter().map(|&id| self.not(id)).collect();
        negations.sort_unstable();
        self.pair(CtlNode::And(kept), |_| CtlNode::Or(negations))
    }

    /// `f | g | ...`; boolean operands become one.
    pub fn or(&mut self, fs: &mut Formulas, list: &[CtlId]) -> CtlId {
        let negations: Vec<CtlId> = list.iter().map(|&id| self.not(id)).collect();
        let not = self.and(fs, &negations);
        self.not(not)
    }

    /// `EX f`; `EX true` says that the state is not dead.
    pub fn exists_next(&mut self, fs: &mut Formulas, f: CtlId) -> CtlId {
        let list = match &self.nodes[f] {
            CtlNode::Or(list) => list.clone(),
            _ => vec![f],
        };
        let mut one = |f: CtlId| match self.constant(f) {
            Some(false) => f,
            Some(true) => {
                let dead = fs.deadlock();
                let alive = fs.not(dead);
                self.state(fs, alive)
            }
            None => self.pair(CtlNode::ExistsNext(f), CtlNode::Not),
        };
        let made: Vec<CtlId> = list.into_iter().map(&mut one).collect();
        self.or(fs, &made)
    }

    /// `E(f U g)`
    pub fn exists_until(&mut self, fs: &mut Formulas, f: CtlId, g: CtlId) -> CtlId {
        // With each, how many steps come before it: `EF EX g` is `EX EF g`.
        let (mut open, mut made) = (vec![(g, 0_usize)], Vec::new());
        while let Some((g, steps)) = open.pop() {
            let folds = self.constant(g).is_some() || self.constant(f) == Some(false) || f == g;
            let reached = if folds || self.shapes[g].possible {
                g
            } else if let CtlNode::Or(list) = &self.nodes[g] {
                open.extend(list.iter().map(|&g| (g, steps)));
                continue;
            } else if self.constant(f) == Some(true)
                && let Some(aim) = self.aim(fs, g)
            {
                open.push((aim, steps));
                continue;
            } else if self.constant(f) == Some(true)
                && let CtlNode::ExistsNext(g) = self.nodes[g]
            {
                open.push((g, steps + 1));
                continue;
            } else if matches!(self.nodes[g], CtlNode::ExistsUntil(before, _) if before == f) {
                g
            } else {
                self.until(fs, f, g)
            };
            let after = (0..steps).fold(reached, |f, _| self.exists_next(fs, f));
            made.push(after);
        }
        self.or(fs, &made)
    }

    /// What has to be reached so that a node holds, and where it does hold: `g` of `E(f U g)`,
    /// `AF g` and `A(f U g)`.
    fn aim(&self, fs: &mut Formulas, id: CtlId) -> Option<CtlId> {
        match &self.nodes[id] {
            CtlNode::ExistsUntil(_, g) => Some(*g),
            CtlNode::Not(f) => match self.nodes[*f] {
                CtlNode::ExistsGlobally(g) => Some(self.not(g)),
                _ => None,
            },
            CtlNode::And(_) => self.aim_of_all(fs, id),
            _ => None,
        }
    }

    /// `g`, if this is `A(f U g)`: `!EG !g & !E(!g U (!f & !g))`.
    fn aim_of_all(&self, fs: &mut Formulas, id: CtlId) -> Option<CtlId> {
        let CtlNode::And(list) = &self.nodes[id] else { return None };
        let &[a, b] = &list[..] else { return None };
        let path = |id: CtlId| match self.nodes[id] {
            CtlNode::Not(f) => Some(&self.nodes[f]),
            _ => None,
        };
        let (never, neither) = match (path(a)?, path(b)?) {
            (CtlNode::ExistsGlobally(never), CtlNode::ExistsUntil(before, neither))
            | (CtlNode::ExistsUntil(before, neither), CtlNode::ExistsGlobally(never))
                if before == never =>
            {
                (*never, *neither)
            }
            _ => return None,
        };
        self.is_stronger(fs, neither, never).then(|| self.not(never))
    }

    /// Whether `f & g` is f, as far as that is seen.
    fn is_stronger(&self, fs: &mut Formulas, f: CtlId, g: CtlId) -> bool {
        match (&self.nodes[f], &self.nodes[g]) {
            (CtlNode::And(list), _) if list.contains(&g) => true,
            (CtlNode::And(list), CtlNode::And(of)) => of.iter().all(|o| list.contains(o)),
            (CtlNode::State(f), CtlNode::State(g)) => fs.and([*f, *g]) == *f,
            _ => f == g,
        }
    }

    /// `E(f U g)`, where g is settled; of f, what g says and what stays true is taken apart.
    fn until(&mut self, fs: &mut Formulas, f: CtlId, g: CtlId) -> CtlId {
        let f = match &self.nodes[f] {
            CtlNode::Or(list) if list.contains(&g) => {
                let rest: Vec<CtlId> = list.iter().copied().filter(|&o| o != g).collect();
                self.or(fs, &rest)
            }
            _ => f,
        };
        let (stays, rest) = self.take_apart(f);
        if stays.is_empty() {
            return self.pair(CtlNode::ExistsUntil(f, g), CtlNode::Not);
        }
        let rest = self.and(fs, &rest);
        let reached = match self.constant(rest) == Some(false) || rest == g {
            true => g,
            false => self.pair(CtlNode::ExistsUntil(rest, g), CtlNode::Not),
        };
        let mut both = stays;
        both.push(reached);
        let both = self.and(fs, &both);
        self.or(fs, &[g, both])
    }

    /// The operands of an `&` that stay true, and the others.
    fn take_apart(&self, f: CtlId) -> (Vec<CtlId>, Vec<CtlId>) {
        match &self.nodes[f] {
            CtlNode::And(list) => list.iter().partition(|&&o| self.shapes[o].invariant),
            _ if self.shapes[f].invariant => (vec![f], Vec::new()),
            _ => (Vec::new(), vec![f]),
        }
    }

    /// `EF f`
    pub fn exists_finally(&mut self, fs: &mut Formulas, f: CtlId) -> CtlId {
        let always = self.state(fs, Formula::TRUE);
        self.exists_until(fs, always, f)
    }

    /// `EG f`
    pub fn exists_globally(&mut self, fs: &mut Formulas, f: CtlId) -> CtlId {
        let not = self.not(f);
        let f = self.aim_of_all(fs, not).map_or(f, |aim| self.not(aim));
        if self.constant(f).is_some() || matches!(self.nodes[f], CtlNode::ExistsGlobally(_)) {
            return f;
        }
        let (mut stays, rest) = self.take_apart(f);
        if rest.is_empty() {
            return f;
        }
        let rest = self.and(fs, &rest);
        stays.push(match matches!(self.nodes[rest], CtlNode::ExistsGlobally(_)) {
            true => rest,
            false => self.pair(CtlNode::ExistsGlobally(rest), CtlNode::Not),
        });
        self.and(fs, &stays)
    }

    /// The formula with this node as its root: what does not belong to it is left out.
    pub fn finish(&self, root: CtlId) -> Ctl {
        Ctl { nodes: (0..=root).map(|id| self.nodes[id].clone()).collect() }.part(root)
    }
}
