//! Branching time: formulas of CTL, and what a question about a model asks.
//!
//! A [`Ctl`] is a list of nodes, operands first, with boolean combinations of atoms as leaves.
//! It has three path operators; the others are written with them, which holds on maximal paths,
//! the ones that end in a dead marking included:
//!
//! ```text
//! EF f = E(true U f)    AG f = !EF !f    AF f = !EG !f    AX f = !EX !f
//! A(f U g) = !(E(!g U (!f & !g)) | EG !g)
//! E(f W g) = E(f U g) | EG f             A(f W g) = !E(!g U (!f & !g))
//! E(f M g) = E(g U (f & g))              A(f R g) = !E(!f U !g)
//! ```
//!
//! In a dead marking `EX f` is false and `AX f` true; `EG f` is true if f is.
//!
//! *Reading.* Texts and contest files share one way to read path quantifiers ([`Quantifiers`]): a
//! quantified path stands in the formula around it as a proposition of its own. When all is read,
//! [`Quantifiers::query`] says what is asked: one quantifier over a formula without others is a
//! question about runs, which LTL engines answer; everything else must be CTL.
//!
//! *Invariant.* A path is numbered after those inside it, so they are converted in order, without
//! recursion. Cost: linear in the formula.

mod builder;

pub use builder::CtlBuilder;

use crate::atom::Expression;
use crate::formula::{Formula, Formulas, Node};
use brine_net::{PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// What is asked about a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Do all runs satisfy the formula?
    AllRuns(Formula),
    /// Does some run satisfy the formula?
    SomeRun(Formula),
    /// Does the initial state satisfy this?
    Branching(Ctl),
    /// What is the most that this sum of token counts comes to?
    Bound(Expression),
    /// What do all reachable markings together say?
    Whole(WholeNet),
}

/// What is asked about all reachable markings together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WholeNet {
    /// Can each of these transitions become fireable again from every reachable marking?
    Live(Vec<TransitionId>),
    /// Is each of these transitions fireable in some reachable marking?
    CanFire(Vec<TransitionId>),
    /// Does one of these places have the same number of tokens in all reachable markings?
    SomeConstant(Vec<PlaceId>),
    /// Do these places never hold more than so many tokens each?
    AtMost(Vec<PlaceId>, i64),
}

impl Query {
    /// The formula, if all runs are to satisfy it.
    pub fn all_runs(&self) -> Option<Formula> {
        match self {
            Query::AllRuns(formula) => Some(*formula),
            _ => None,
        }
    }

    /// Whether this is `EF f` or `AG f`, where f is about one moment.
    pub fn is_reachability(&self, fs: &Formulas) -> bool {
        match self {
            Query::SomeRun(f) => matches!(fs.node(*f), Node::F(g) if fs.is_boolean(g)),
            Query::AllRuns(f) => matches!(fs.node(*f), Node::G(g) if fs.is_boolean(g)),
            Query::Branching(_) | Query::Bound(_) | Query::Whole(_) => false,
        }
    }
}

/// A node of a [`Ctl`], by its number.
pub type CtlId = usize;

/// The outermost operator of a formula of CTL.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CtlNode {
    /// A boolean combination of atoms.
    State(Formula),
    /// `!f`
    Not(CtlId),
    /// `f & g & ...`
    And(Vec<CtlId>),
    /// `f | g | ...`
    Or(Vec<CtlId>),
    /// `EX f`: some successor satisfies f.
    ExistsNext(CtlId),
    /// `E(f U g)`
    ExistsUntil(CtlId, CtlId),
    /// `EG f`: f all along a maximal path.
    ExistsGlobally(CtlId),
}

/// A formula of CTL: nodes, operands first; the last one is the formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ctl {
    nodes: Vec<CtlNode>,
}

impl CtlNode {
    /// The operands.
    pub fn operands(&self) -> Vec<CtlId> {
        match self {
            CtlNode::State(_) => Vec::new(),
            CtlNode::Not(a) | CtlNode::ExistsNext(a) | CtlNode::ExistsGlobally(a) => vec![*a],
            CtlNode::And(list) | CtlNode::Or(list) => list.clone(),
            CtlNode::ExistsUntil(a, b) => vec![*a, *b],
        }
    }

    fn with_operands(&self, of: impl Fn(CtlId) -> CtlId) -> CtlNode {
        match self {
            CtlNode::State(f) => CtlNode::State(*f),
            CtlNode::Not(a) => CtlNode::Not(of(*a)),
            CtlNode::And(list) => CtlNode::And(list.iter().map(|&a| of(a)).collect()),
            CtlNode::Or(list) => CtlNode::Or(list.iter().map(|&a| of(a)).collect()),
            CtlNode::ExistsNext(a) => CtlNode::ExistsNext(of(*a)),
            CtlNode::ExistsUntil(a, b) => CtlNode::ExistsUntil(of(*a), of(*b)),
            CtlNode::ExistsGlobally(a) => CtlNode::ExistsGlobally(of(*a)),
        }
    }
}

impl Ctl {
    /// All nodes, operands first.
    pub fn nodes(&self) -> &[CtlNode] {
        &self.nodes
    }

    /// The formula itself.
    pub fn root(&self) -> CtlId {
        self.nodes.len() - 1
    }

    /// The same with other boolean combinations of atoms.
    pub fn with_states<E>(
        &self,
        mut of: impl FnMut(Formula) -> Result<Formula, E>,
    ) -> Result<Ctl, E> {
        let node = |node: &CtlNode| match node {
            CtlNode::State(f) => of(*f).map(CtlNode::State),
            other => Ok(other.clone()),
        };
        Ok(Ctl { nodes: self.nodes.iter().map(node).collect::<Result<_, E>>()? })
    }

    /// The same, where boolean combinations of atoms have become others, and constants are folded.
    pub fn rebuilt(
        &self,
        fs: &mut Formulas,
        of: impl FnMut(&mut Formulas, Formula) -> Formula,
    ) -> Ctl {
        self.rebuild(fs, of, None)
    }

    /// The same, where a node has this value in all reachable states.
    pub fn with_value(&self, fs: &mut Formulas, at: CtlId, value: bool) -> Ctl {
        self.rebuild(fs, |_, f| f, Some((at, value)))
    }

    fn rebuild(
        &self,
        fs: &mut Formulas,
        mut of: impl FnMut(&mut Formulas, Formula) -> Formula,
        known: Option<(CtlId, bool)>,
    ) -> Ctl {
        let mut builder = CtlBuilder::new();
        let mut made: Vec<CtlId> = Vec::with_capacity(self.nodes.len());
        for (id, node) in self.nodes.iter().enumerate() {
            let all = |list: &[CtlId]| -> Vec<CtlId> { list.iter().map(|&o| made[o]).collect() };
            let id = match node {
                _ if known.is_some_and(|(at, _)| at == id) => {
                    let value = known.is_some_and(|(_, value)| value);
                    {
                        let value = fs.constant(value);
                        builder.state(fs, value)
                    }
                }
                CtlNode::State(f) => {
                    let f = of(fs, *f);
                    builder.state(fs, f)
                }
                CtlNode::Not(f) => builder.not(made[*f]),
                CtlNode::And(list) => builder.and(fs, &all(list)),
                CtlNode::Or(list) => builder.or(fs, &all(list)),
                CtlNode::ExistsNext(f) => builder.exists_next(fs, made[*f]),
                CtlNode::ExistsUntil(f, g) => builder.exists_until(fs, made[*f], made[*g]),
                CtlNode::ExistsGlobally(f) => builder.exists_globally(fs, made[*f]),
            };
            made.push(id);
        }
        match made.last() {
            Some(&root) => builder.finish(root),
            None => Ctl { nodes: Vec::new() },
        }
    }

    /// What stands at this node, as a formula of its own.
    pub fn part(&self, root: CtlId) -> Ctl {
        let mut wanted = vec![false; root + 1];
        wanted[root] = true;
        for id in (0..=root).rev() {
            if wanted[id] {
                self.nodes[id].operands().into_iter().for_each(|o| wanted[o] = true);
            }
        }
        let mut numbers: FxHashMap<CtlId, CtlId> = FxHashMap::default();
        let mut nodes = Vec::new();
        for id in (0..=root).filter(|&id| wanted[id]) {
            nodes.push(self.nodes[id].with_operands(|o| numbers[&o]));
            numbers.insert(id, nodes.len() - 1);
        }
        Ctl { nodes }
    }

    /// `EF f`
    pub fn finally(fs: &mut Formulas, f: Formula) -> Ctl {
        let mut builder = CtlBuilder::new();
        let f = builder.state(fs, f);
        let root = builder.exists_finally(fs, f);
        builder.finish(root)
    }

    /// `AG f`
    pub fn always(fs: &mut Formulas, f: Formula) -> Ctl {
        let mut builder = CtlBuilder::new();
        let f = builder.state(fs, f);
        let root = globally_for_all(fs, &mut builder, f);
        builder.finish(root)
    }

    /// `AG EF f`
    pub fn always_possible(fs: &mut Formulas, f: Formula) -> Ctl {
        let mut builder = CtlBuilder::new();
        let f = builder.state(fs, f);
        let possible = builder.exists_finally(fs, f);
        let root = globally_for_all(fs, &mut builder, possible);
        builder.finish(root)
    }
}

/// A path that some or all runs must satisfy.
#[derive(Clone, Copy, Debug)]
struct QuantifiedPath {
    exists: bool,
    path: Formula,
}

/// The path quantifiers that were read so far.
#[derive(Debug, Default)]
pub struct Quantifiers {
    paths: Vec<QuantifiedPath>,
    /// What stands for them.
    numbers: FxHashMap<Formula, usize>,
    /// What stands for a constant below `X`.
    constants: FxHashMap<Formula, Formula>,
}

impl Quantifiers {
    /// `E path` or `A path`, as a proposition.
    pub fn quantify(&mut self, fs: &mut Formulas, exists: bool, path: Formula) -> Formula {
        // No name of a model begins like this.
        let proposition = fs.prop(&format!("\u{0}path {}", self.paths.len()));
        self.numbers.insert(proposition, self.paths.len());
        self.paths.push(QuantifiedPath { exists, path });
        proposition
    }

    /// `X f`. A constant below it is kept: `EX true` is false in a dead marking.
    pub fn next(&mut self, fs: &mut Formulas, f: Formula) -> Formula {
        if f != Formula::TRUE && f != Formula::FALSE {
            return fs.x(f);
        }
        let name = if f == Formula::TRUE { "\u{0}true" } else { "\u{0}false" };
        let kept = fs.prop(name);
        self.constants.insert(kept, f);
        fs.x(kept)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// What a whole formula asks. `branching` says that `X` is that of CTL, which a dead marking
    /// does not satisfy; else one quantifier may stand before any formula of LTL.
    pub fn query(
        &self,
        fs: &mut Formulas,
        formula: Formula,
        branching: bool,
    ) -> Result<Query, String> {
        if let Some(query) = self.about_runs(fs, formula, branching) {
            return Ok(query);
        }
        let mut builder = CtlBuilder::new();
        let mut paths = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            let id = self.path(fs, &mut builder, &paths, *path)?;
            paths.push(id);
        }
        let root = self.state(fs, &mut builder, &paths, formula)?;
        Ok(Query::Branching(builder.finish(root)))
    }

    /// The question about runs that a formula is, if it is one.
    fn about_runs(&self, fs: &mut Formulas, formula: Formula, branching: bool) -> Option<Query> {
        let (inner, negated) = match fs.node(formula) {
            Node::Not(f) => (f, true),
            _ => (formula, false),
        };
        let Some(&number) = self.numbers.get(&inner) else {
            let plain = fs.is_boolean(formula) && !self.is_quantified(fs, formula);
            return plain.then_some(Query::AllRuns(formula));
        };
        let QuantifiedPath { exists, path } = self.paths[number];
        let sees_steps = fs.subformulas(path).iter().any(|&f| matches!(fs.node(f), Node::X(_)));
        if self.is_quantified(fs, path) || (branching && sees_steps) {
            return None;
        }
        let path = if negated { fs.not(path) } else { path };
        Some(if exists != negated { Query::SomeRun(path) } else { Query::AllRuns(path) })
    }

    /// Whether something in it stands for something else.
    fn is_quantified(&self, fs: &Formulas, f: Formula) -> bool {
        let stands = |f: &Formula| self.numbers.contains_key(f) || self.constants.contains_key(f);
        !self.paths.is_empty() && fs.subformulas(f).iter().any(stands)
    }

    /// A quantified path; those with smaller numbers are known.
    fn path(
        &self,
        fs: &mut Formulas,
        b: &mut CtlBuilder,
        paths: &[CtlId],
        QuantifiedPath { exists, path }: QuantifiedPath,
    ) -> Result<CtlId, String> {
        let of = |fs: &mut Formulas, b: &mut CtlBuilder, f| self.state(fs, b, paths, f);
        Ok(match fs.node(path) {
            Node::X(f) => {
                let f = of(fs, b, f)?;
                if exists { b.exists_next(fs, f) } else { next_for_all(fs, b, f) }
            }
            Node::F(f) => {
                let f = of(fs, b, f)?;
                if exists { b.exists_finally(fs, f) } else { finally_for_all(fs, b, f) }
            }
            Node::G(f) => {
                let f = of(fs, b, f)?;
                if exists { b.exists_globally(fs, f) } else { globally_for_all(fs, b, f) }
            }
            Node::U(f, g) => {
                let (f, g) = (of(fs, b, f)?, of(fs, b, g)?);
                until(fs, b, exists, f, g)
            }
            Node::M(f, g) => {
                let (f, g) = (of(fs, b, f)?, of(fs, b, g)?);
                let both = b.and(fs, &[f, g]);
                until(fs, b, exists, g, both)
            }
            Node::W(f, g) => {
                let (f, g) = (of(fs, b, f)?, of(fs, b, g)?);
                weak_until(fs, b, exists, f, g)
            }
            Node::R(f, g) => {
                let (f, g) = (of(fs, b, f)?, of(fs, b, g)?);
                let both = b.and(fs, &[f, g]);
                weak_until(fs, b, exists, g, both)
            }
            // From every state there is a maximal path, so a quantifier says nothing here.
            _ => of(fs, b, path)?,
        })
    }

    /// A boolean combination of atoms and of paths that are known.
    fn state(
        &self,
        fs: &mut Formulas,
        b: &mut CtlBuilder,
        paths: &[CtlId],
        formula: Formula,
    ) -> Result<CtlId, String> {
        let mut made: FxHashMap<Formula, CtlId> = FxHashMap::default();
        for f in fs.subformulas(formula) {
            let id = match fs.node(f) {
                Node::True | Node::False => b.state(fs, f),
                Node::Atom(_) => match (self.numbers.get(&f), self.constants.get(&f)) {
                    (Some(&number), _) => paths[number],
                    (_, Some(&constant)) => b.state(fs, constant),
                    _ => b.state(fs, f),
                },
                Node::Not(g) => b.not(made[&g]),
                Node::And(l) => {
                    let list: Vec<CtlId> = fs.list(l).iter().map(|g| made[g]).collect();
                    b.and(fs, &list)
                }
                Node::Or(l) => {
                    let list: Vec<CtlId> = fs.list(l).iter().map(|g| made[g]).collect();
                    b.or(fs, &list)
                }
                Node::Implies(g, h) => {
                    let left = b.not(made[&g]);
                    b.or(fs, &[left, made[&h]])
                }
                Node::Iff(g, h) => equal(fs, b, made[&g], made[&h]),
                Node::Xor(g, h) => {
                    let same = equal(fs, b, made[&g], made[&h]);
                    b.not(same)
                }
                _ => {
                    return Err("a temporal operator without a path quantifier: in CTL each of \
                                X F G U R W M stands right below an E or an A"
                        .to_owned());
                }
            };
            made.insert(f, id);
        }
        Ok(made[&formula])
    }
}

fn next_for_all(fs: &mut Formulas, b: &mut CtlBuilder, f: CtlId) -> CtlId {
    let not = b.not(f);
    let some = b.exists_next(fs, not);
    b.not(some)
}

fn globally_for_all(fs: &mut Formulas, b: &mut CtlBuilder, f: CtlId) -> CtlId {
    let not = b.not(f);
    let broken = b.exists_finally(fs, not);
    b.not(broken)
}

fn finally_for_all(fs: &mut Formulas, b: &mut CtlBuilder, f: CtlId) -> CtlId {
    let not = b.not(f);
    let never = b.exists_globally(fs, not);
    b.not(never)
}

/// `f U g`, over some path or over all.
fn until(fs: &mut Formulas, b: &mut CtlBuilder, exists: bool, f: CtlId, g: CtlId) -> CtlId {
    if exists {
        return b.exists_until(fs, f, g);
    }
    let (not_f, not_g) = (b.not(f), b.not(g));
    let neither = b.and(fs, &[not_f, not_g]);
    let broken = b.exists_until(fs, not_g, neither);
    let never = b.exists_globally(fs, not_g);
    let some = b.or(fs, &[broken, never]);
    b.not(some)
}

/// `f W g`, over some path or over all.
fn weak_until(fs: &mut Formulas, b: &mut CtlBuilder, exists: bool, f: CtlId, g: CtlId) -> CtlId {
    if exists {
        let (until, always) = (b.exists_until(fs, f, g), b.exists_globally(fs, f));
        return b.or(fs, &[until, always]);
    }
    let (not_f, not_g) = (b.not(f), b.not(g));
    let neither = b.and(fs, &[not_f, not_g]);
    let broken = b.exists_until(fs, not_g, neither);
    b.not(broken)
}

fn equal(fs: &mut Formulas, b: &mut CtlBuilder, f: CtlId, g: CtlId) -> CtlId {
    let (not_f, not_g) = (b.not(f), b.not(g));
    let (both, neither) = (b.and(fs, &[f, g]), b.and(fs, &[not_f, not_g]));
    b.or(fs, &[both, neither])
}
