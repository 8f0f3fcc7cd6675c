//! How far a file's NUPN units may be trusted.
//!
//! A nested-unit Petri net (Garavel 2019) groups places into a tree of units. It is
//! *unit-safe* when, in every reachable marking, no two tokens lie in one unit or in a
//! unit and one above it: on every path from the root down there is at most one token.
//! The `safe` flag of a file claims this. A wrong claim must never change a verdict, so
//! it is proved here, by induction over the firing rule, or not used.
//!
//! *Shape.* Every place is in exactly one unit, and the units form a tree.
//!
//! *Start.* Each path holds at most one token in the initial marking.
//!
//! *Given.* A path to a leaf is given when a semiflow has room for one token only and
//! covers all its places; nothing is left to prove for it. A unit is given when it is the
//! end of a given path, or has subunits and all of them are given. It is enough to look
//! at paths to leaves, because they contain all others.
//!
//! *Step.* Let a marking be unit-safe and enable t. Call a unit *covered* when every path
//! through it is given or holds a token that t takes: some input of t lies in the unit or
//! above it, or the unit has subunits and each is covered or given. After t a path holds
//! at most one token if (a) outputs of t in units that are not given have weight one, and
//! no two of them lie on one path, and (b) every unit with an output is covered or given.
//! For (b): a path through the unit that is not given holds a token that t takes, by
//! unit-safety its only one, so it is empty before t puts the new one. A path that
//! receives no output only loses tokens.
//!
//! *Exclusion.* Where (b) fails for a path, the path may still be empty whenever t is
//! enabled: because each of its places is excluded by an input of t, either by a semiflow
//! with room for one token that contains both, or because it lies above the input's unit,
//! where unit-safety allows no second token. This is what proves mutual exclusion by
//! shared variables.
//!
//! A transition whose step fails may still be harmless (it may never be enabled), so
//! failure means "not proved". Transitions that are proved dead are left out. Units that
//! a semiflow shows to hold at most one token are proved one by one even if the whole
//! tree is not.
//!
//! Cost: arcs (and entries of semiflows) times the depth of the tree; exclusions are
//! looked for under a limit of elementary steps.

use crate::invariants::Semiflow;
use crate::{Dead, Net, Nupn, PlaceId, TransitionId};

/// Elementary steps for exclusions.
const MAX_STEPS: usize = 10_000_000;

/// Why the units of a file are no NUPN at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NupnProblem {
    /// The place is in no unit.
    PlaceWithoutUnit(PlaceId),
    /// The place is in two units.
    PlaceInTwoUnits(PlaceId),
    /// The unit (its index) is below two units, or below itself, or above the root.
    NotATree(usize),
    /// The unit (its index) cannot be reached from the root.
    NotUnderRoot(usize),
}

/// Whether the net is unit-safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitSafety {
    /// Proved: every path of units holds at most one token in every reachable marking.
    Proved,
    /// The step of the proof fails at this transition.
    NotProved(TransitionId),
    /// The initial marking has two tokens on the path to this unit (its index).
    Refuted(usize),
}

/// What was found out about the units of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NupnCheck {
    /// The file claims unit-safety.
    pub claimed_safe: bool,
    /// The shape is wrong: nothing below was computed.
    pub problem: Option<NupnProblem>,
    /// The verdict on unit-safety.
    pub safety: Option<UnitSafety>,
    /// For each unit: its own places are proved to hold at most one token together.
    pub proved_units: Vec<bool>,
}

impl NupnCheck {
    /// Unit-safety was proved.
    pub fn is_proved(&self) -> bool {
        self.safety == Some(UnitSafety::Proved)
    }
}

/// Checks the NUPN part of a net, if it has one. `flows` and `dead` are what is known
/// without it.
///
/// ```
/// use brine_net::{Bounds, Dead, Incidence, NetBuilder, Nupn, Unit, check_nupn};
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 1), b.place("q", 0));
/// b.transition("t", &[(p, 1)], &[(q, 1)]);
/// let unit = Unit { id: "u".into(), places: vec![p, q], subunits: vec![] };
/// b.nupn(Nupn { units: vec![unit], root: 0, safe: true });
/// let net = b.build().unwrap();
/// let incidence = Incidence::new(&net);
/// let bounds = Bounds::new(&net, &incidence, &[]);
/// let dead = Dead::new(&net, &incidence, &bounds, &[]);
/// assert!(check_nupn(&net, &[], &dead).unwrap().is_proved());
/// ```
pub fn check_nupn(net: &Net, flows: &[Semiflow], dead: &Dead) -> Option<NupnCheck> {
    let nupn = net.nupn()?;
    let mut check = NupnCheck {
        claimed_safe: nupn.safe,
        problem: None,
        safety: None,
        proved_units: vec![false; nupn.units.len()],
    };
    match UnitTree::new(net, nupn) {
        Err(problem) => check.problem = Some(problem),
        Ok(tree) => {
            let given = tree.given_by(flows);
            let mut step = StepProof::new(&tree, &given.leaves, Exclusions::new(net, flows));
            let safety = tree.prove(net, &mut step, dead);
            check.safety = Some(safety);
            check.proved_units = match safety {
                UnitSafety::Proved => vec![true; nupn.units.len()],
                _ => given.units,
            };
        }
    }
    Some(check)
}

/// The units' places as the file groups them, whether proved or not: a hint for orders,
/// never for verdicts. Units without places are left out.
pub fn nupn_grouping(nupn: &Nupn) -> Vec<Vec<PlaceId>> {
    nupn.units.iter().filter(|u| !u.places.is_empty()).map(|u| u.places.clone()).collect()
}

/// What semiflows alone show.
struct Given {
    /// The path to this leaf holds at most one token.
    leaves: Vec<bool>,
    /// The unit's own places hold at most one token.
    units: Vec<bool>,
}

/// The tree of units. Units without places below them are not part of it.
struct UnitTree<'a> {
    nupn: &'a Nupn,
    unit_of: Vec<usize>,
    parent: Vec<Option<usize>>,
    /// Number of subunits that have places, in themselves or below.
    children: Vec<usize>,
    /// Units, parents before children.
    order: Vec<usize>,
}

impl<'a> UnitTree<'a> {
    /// Checks the shape.
    fn new(net: &Net, nupn: &'a Nupn) -> Result<Self, NupnProblem> {
        let none = usize::MAX;
        let mut unit_of = vec![none; net.places().len()];
        let mut parent = vec![None; nupn.units.len()];
        for (u, unit) in nupn.units.iter().enumerate() {
            for &p in &unit.places {
                if unit_of[p.index()] != none {
                    return Err(NupnProblem::PlaceInTwoUnits(p));
                }
                unit_of[p.index()] = u;
            }
            for &child in &unit.subunits {
                if parent[child].is_some() || child == nupn.root {
                    return Err(NupnProblem::NotATree(child));
                }
                parent[child] = Some(u);
            }
        }
        if let Some(p) = net.place_ids().find(|p| unit_of[p.index()] == none) {
            return Err(NupnProblem::PlaceWithoutUnit(p));
        }
        let order = breadth_first(nupn)?;
        let mut children = vec![0; nupn.units.len()];
        for &u in order.iter().rev() {
            if let Some(v) =
                parent[u].filter(|_| children[u] > 0 || !nupn.units[u].places.is_empty())
            {
                children[v] += 1;
            }
        }
        Ok(UnitTree { nupn, unit_of, parent, children, order })
    }

    /// The unit and those above it.
    fn upwards(&self, unit: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(unit), |&u| self.parent[u])
    }

    /// What the semiflows show by themselves.
    fn given_by(&self, flows: &[Semiflow]) -> Given {
        let size = |u: usize| self.nupn.units[u].places.len();
        let count = self.nupn.units.len();
        let mut given =
            Given { leaves: vec![false; count], units: (0..count).map(|u| size(u) == 0).collect() };
        let mut hits = vec![0_usize; count];
        for flow in flows {
            let touched: Vec<usize> =
                flow.room_for_one().map(|p| self.unit_of[p.index()]).collect();
            touched.iter().for_each(|&u| hits[u] += 1);
            for &u in &touched {
                given.units[u] |= hits[u] == size(u);
                if self.children[u] == 0 && !given.leaves[u] {
                    given.leaves[u] = self.upwards(u).all(|v| hits[v] == size(v));
                }
            }
            touched.iter().for_each(|&u| hits[u] = 0);
        }
        given
    }

    fn prove(&self, net: &Net, step: &mut StepProof<'_>, dead: &Dead) -> UnitSafety {
        if let Some(unit) = self.crowded_path(net) {
            return UnitSafety::Refuted(unit);
        }
        for t in net.transition_ids() {
            if !dead.is_dead(t) && !step.keeps_safety(net, t) {
                return UnitSafety::NotProved(t);
            }
        }
        UnitSafety::Proved
    }

    /// A unit with two tokens on its path in the initial marking.
    fn crowded_path(&self, net: &Net) -> Option<usize> {
        let mut tokens = vec![0_u64; self.nupn.units.len()];
        for &u in &self.order {
            let above = self.parent[u].map_or(0, |v| tokens[v]);
            let own = self.nupn.units[u].places.iter().map(|&p| u64::from(net.place(p).initial));
            tokens[u] = above.saturating_add(own.sum());
            if tokens[u] > 1 {
                return Some(u);
            }
        }
        None
    }
}

/// All units, parents before children.
fn breadth_first(nupn: &Nupn) -> Result<Vec<usize>, NupnProblem> {
    let mut order = vec![nupn.root];
    let mut next = 0;
    while next < order.len() {
        order.extend(&nupn.units[order[next]].subunits);
        next += 1;
    }
    let mut seen = vec![false; nupn.units.len()];
    order.iter().for_each(|&u| seen[u] = true);
    match seen.iter().position(|s| !s) {
        Some(lost) => Err(NupnProblem::NotUnderRoot(lost)),
        None => Ok(order),
    }
}

/// The step of the proof. The counts are reset after each transition.
struct StepProof<'a> {
    tree: &'a UnitTree<'a>,
    given: Vec<bool>,
    /// Some input lies in the unit, or each of its subunits is covered or given.
    covered: Vec<bool>,
    /// Subunits that are neither covered nor given.
    bare_children: Vec<usize>,
    undo: Vec<usize>,
    /// Some output lies in the unit.
    outputs: Vec<bool>,
    exclusions: Exclusions<'a>,
}

impl<'a> StepProof<'a> {
    fn new(tree: &'a UnitTree<'a>, given_leaves: &[bool], exclusions: Exclusions<'a>) -> Self {
        let mut given = given_leaves.to_vec();
        let mut bare_children = tree.children.clone();
        for &u in tree.order.iter().rev() {
            given[u] |= tree.children[u] > 0 && bare_children[u] == 0;
            if let Some(v) = tree.parent[u].filter(|_| given[u]) {
                bare_children[v] -= 1;
            }
        }
        let count = given.len();
        StepProof {
            tree,
            given,
            covered: vec![false; count],
            bare_children,
            undo: Vec::new(),
            outputs: vec![false; count],
            exclusions,
        }
    }

    /// The step for one transition.
    fn keeps_safety(&mut self, net: &Net, t: TransitionId) -> bool {
        let transition = net.transition(t);
        for &(p, _) in transition.pre {
            self.cover(self.tree.unit_of[p.index()]);
        }
        let outputs: Vec<(usize, u32)> = transition
            .post
            .iter()
            .map(|&(p, w)| (self.tree.unit_of[p.index()], w))
            .filter(|&(u, _)| !self.given[u])
            .collect();
        let covered = |unit: usize| self.tree.upwards(unit).any(|u| self.covered[u]);
        let open: Vec<usize> = outputs.iter().map(|o| o.0).filter(|&u| !covered(u)).collect();
        let safe = outputs.iter().all(|&(_, w)| w == 1)
            && self.apart(&outputs)
            && (open.is_empty() || self.empty_before(transition.pre, &open));
        for u in self.undo.drain(..) {
            self.covered[u] = false;
            if let Some(v) = self.tree.parent[u].filter(|_| !self.given[u]) {
                self.bare_children[v] += 1;
            }
        }
        safe
    }

    /// Every path through one of these units that is neither given nor covered is empty
    /// when the inputs are marked.
    fn empty_before(&mut self, pre: &[(PlaceId, u32)], open: &[usize]) -> bool {
        let tree = self.tree;
        let mut budget = self.exclusions.begin(pre);
        for &(p, _) in pre {
            for u in tree.upwards(tree.unit_of[p.index()]) {
                budget &= self.exclusions.exclude(&tree.nupn.units[u].places);
            }
        }
        let empty =
            |u: usize| tree.nupn.units[u].places.iter().all(|&p| self.exclusions.is_excluded(p));
        // Above a unit that is not covered there is no input, so all of that must be empty.
        let above = open.iter().all(|&u| tree.upwards(u).skip(1).all(empty));
        let mut stack = open.to_vec();
        let mut below = true;
        while let Some(u) = stack.pop().filter(|_| below) {
            below = empty(u);
            let bare = |&&child: &&usize| !self.given[child] && !self.covered[child];
            stack.extend(tree.nupn.units[u].subunits.iter().filter(bare));
        }
        self.exclusions.end();
        budget && above && below
    }

    /// Marks a unit, and those above it that are covered by it.
    fn cover(&mut self, unit: usize) {
        let mut here = Some(unit);
        while let Some(u) = here.filter(|&u| !self.covered[u]) {
            self.covered[u] = true;
            self.undo.push(u);
            here = self.tree.parent[u].filter(|&v| {
                if !self.given[u] {
                    self.bare_children[v] -= 1;
                }
                self.bare_children[v] == 0
            });
        }
    }

    /// No two of these outputs lie on one path.
    fn apart(&mut self, outputs: &[(usize, u32)]) -> bool {
        let mut apart = true;
        for &(u, _) in outputs {
            apart &= !std::mem::replace(&mut self.outputs[u], true);
        }
        for &(u, _) in outputs {
            apart &= self.tree.upwards(u).skip(1).all(|v| !self.outputs[v]);
        }
        for &(u, _) in outputs {
            self.outputs[u] = false;
        }
        apart
    }
}

/// Which places are empty when certain others are marked.
struct Exclusions<'a> {
    flows: &'a [Semiflow],
    /// For each place, the semiflows in which it has room for one token.
    flows_of: Vec<Vec<usize>>,
    excluded: Vec<bool>,
    marked: Vec<PlaceId>,
    steps: usize,
}

impl<'a> Exclusions<'a> {
    fn new(net: &Net, flows: &'a [Semiflow]) -> Self {
        let mut flows_of = vec![Vec::new(); net.places().len()];
        for (i, flow) in flows.iter().enumerate() {
            flow.room_for_one().for_each(|p| flows_of[p.index()].push(i));
        }
        let excluded = vec![false; net.places().len()];
        Exclusions { flows, flows_of, excluded, marked: Vec::new(), steps: 0 }
    }

    /// Starts with what these inputs exclude by semiflows; false at the limit.
    fn begin(&mut self, pre: &[(PlaceId, u32)]) -> bool {
        let mut places = Vec::new();
        for &(p, _) in pre {
            for &i in &self.flows_of[p.index()] {
                places.extend(self.flows[i].room_for_one());
            }
            if self.steps + places.len() > MAX_STEPS {
                return false;
            }
        }
        self.exclude(&places)
    }

    /// Adds places; false at the limit.
    fn exclude(&mut self, places: &[PlaceId]) -> bool {
        self.steps += places.len();
        for &p in places {
            if !std::mem::replace(&mut self.excluded[p.index()], true) {
                self.marked.push(p);
            }
        }
        self.steps <= MAX_STEPS
    }

    fn is_excluded(&self, p: PlaceId) -> bool {
        self.excluded[p.index()]
    }

    /// Forgets everything for the next transition.
    fn end(&mut self) {
        for p in self.marked.drain(..) {
            self.excluded[p.index()] = false;
        }
    }
}
