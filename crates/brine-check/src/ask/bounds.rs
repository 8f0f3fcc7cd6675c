//! CTL between formulas of LTL: what runs can say about a formula that speaks of other runs as well.
//!
//! For every node n there are two formulas, n with its quantifiers left out where that is safe:
//!
//! ```text
//! m satisfies n             =>  all runs from m satisfy over(n)
//! some run from m satisfies under(n)  =>  m satisfies n               under(n) = !over(!n)
//!
//! over(E(f U g)) = over(f) | over(g)        over(!E(f U g)) = !(under(f) U under(g))
//! over(EG f)     = over(f)                  over(!EG f)     = !G under(f)
//! over(EX f)     = true                     over(!EX f)     = dead | X !under(f)
//! ```
//!
//! and both are f for a boolean combination of atoms, and go through `&` and `|`. Besides, for a path
//! operator, `strong` is such that
//!
//! ```text
//! m satisfies E(f U g)  =>  some run from m satisfies strong = over(f) U over(g)
//! m satisfies EG f      =>  some run from m satisfies strong = G over(f)
//! m satisfies EX f      =>  some run from m satisfies strong = !dead & X over(f)
//! ```
//!
//! *Why this is right.* By induction. If m satisfies `!E(f U g)`, no path from m has g after f; if
//! a run from m satisfied `under(f) U under(g)`, its markings would satisfy f, then g, since the
//! rest of a run is a run from where it begins. If m satisfies `E(f U g)`, m itself satisfies f or g,
//! and so do all runs from m what is over these; and on the path that shows it, markings satisfy f,
//! then g, so that the rest of the path from each of them satisfies what is over it. A path that ends
//! is a run that repeats its last marking, which makes no difference but for `X`; so that is only
//! believed where the marking is not dead.
//!
//! Cost: linear in the formula, which is stored with all that is shared.

use brine_ltl::{Ctl, CtlId, CtlNode, Formula, Formulas};

/// What runs can say about each node of a formula.
#[derive(Debug)]
pub(crate) struct CtlBounds {
    nodes: Vec<NodeBounds>,
}

/// What runs can say about a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeBounds {
    /// All runs from a marking that satisfies the node satisfy this.
    pub(crate) over: Formula,
    /// A marking from which some run satisfies this satisfies the node.
    pub(crate) under: Formula,
    /// Some run from a marking that satisfies the node satisfies this; of path operators.
    pub(crate) strong: Option<Formula>,
}

impl CtlBounds {
    /// Those of all nodes.
    pub(crate) fn new(fs: &mut Formulas, ctl: &Ctl) -> Self {
        let mut bounds = CtlBounds { nodes: Vec::with_capacity(ctl.nodes().len()) };
        for node in ctl.nodes() {
            let made = bounds.node(fs, node);
            bounds.nodes.push(made);
        }
        bounds
    }

    /// Those of one.
    pub(crate) fn of(&self, at: CtlId) -> NodeBounds {
        self.nodes[at]
    }

    fn node(&self, fs: &mut Formulas, node: &CtlNode) -> NodeBounds {
        let over =
            |list: &[CtlId]| -> Vec<Formula> { list.iter().map(|&o| self.of(o).over).collect() };
        let under =
            |list: &[CtlId]| -> Vec<Formula> { list.iter().map(|&o| self.of(o).under).collect() };
        match node {
            CtlNode::State(f) => NodeBounds { over: *f, under: *f, strong: None },
            CtlNode::Not(f) => {
                // What is under the negation is not over the node, and the other way round.
                let f = self.of(*f);
                NodeBounds { over: fs.not(f.under), under: fs.not(f.over), strong: None }
            }
            CtlNode::And(list) => {
                NodeBounds { over: fs.and(over(list)), under: fs.and(under(list)), strong: None }
            }
            CtlNode::Or(list) => {
                NodeBounds { over: fs.or(over(list)), under: fs.or(under(list)), strong: None }
            }
            CtlNode::ExistsNext(f) => {
                let f = self.of(*f);
                let dead = fs.deadlock();
                let alive = fs.not(dead);
                let (under, strong) = (fs.x(f.under), fs.x(f.over));
                let (under, strong) = (fs.and([alive, under]), fs.and([alive, strong]));
                NodeBounds { over: Formula::TRUE, under, strong: Some(strong) }
            }
            CtlNode::ExistsUntil(f, g) => {
                let (f, g) = (self.of(*f), self.of(*g));
                let over = fs.or([f.over, g.over]);
                let (under, strong) = (fs.u(f.under, g.under), fs.u(f.over, g.over));
                NodeBounds { over, under, strong: Some(strong) }
            }
            CtlNode::ExistsGlobally(f) => {
                let f = self.of(*f);
                let (under, strong) = (fs.g(f.under), fs.g(f.over));
                NodeBounds { over: f.over, under, strong: Some(strong) }
            }
        }
    }
}

/// What a node comes to in a dead marking, from which there is one path, which ends there.
pub(crate) fn in_dead_marking(fs: &mut Formulas, ctl: &Ctl, at: CtlId) -> Formula {
    let mut made: Vec<Formula> = Vec::with_capacity(at + 1);
    for node in &ctl.nodes()[..=at] {
        let all = |list: &[CtlId]| -> Vec<Formula> { list.iter().map(|&o| made[o]).collect() };
        made.push(match node {
            CtlNode::State(f) => *f,
            CtlNode::Not(f) => fs.not(made[*f]),
            CtlNode::And(list) => fs.and(all(list)),
            CtlNode::Or(list) => fs.or(all(list)),
            CtlNode::ExistsNext(_) => Formula::FALSE,
            CtlNode::ExistsUntil(_, f) | CtlNode::ExistsGlobally(f) => made[*f],
        });
    }
    made[at]
}
