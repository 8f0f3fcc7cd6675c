//! Facts and conflicts with their proofs, line by line as the checker reads them.
//!
//! Whether literals exclude each other is asked of the knowledge that simplification uses; what
//! it affirms is proved again here, in a form that can be written down. The literals become
//! goals ([`brine_verify::Goals`]): first what needs no choice (comparisons, cuts), then case by
//! case. A goal is closed by one constraint outside of the bounds, two that contradict each
//! other, or the weights that refute the state equation, together with the facts that these rest
//! on. A step that the checker's own code refuses ends the attempt.

use crate::simplify::{Knowledge, NetView};
use brine_ltl::Atom;
use brine_net::{Net, PlaceId, Structure, TransitionId};
use brine_reduce::state_equation::{Constraint, Refutation, StateEquation};
use brine_run::{Control, Stop};
use brine_verify::{Claim, Facts, Goals, Inequality, Literal, System};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The longest that one linear program may take.
const PATIENCE: Duration = Duration::from_millis(1_000);
/// Most goals of one conflict, and most goals that come from a choice of input places.
const GOALS: usize = 20_000;
const SPLITS: usize = 64;
/// Most semiflows that become facts at once.
const SEMIFLOWS: usize = 5_000;

/// Weights of constraints, and of facts.
type Weights = (Vec<(u32, i128)>, Vec<(u32, i128)>);

/// One step of a proof: `case` or `cut`, of a literal and a transition.
#[derive(Clone, Copy, Debug)]
enum Split {
    Enabled(u32),
    Disabled(u32, u32),
}

/// Proves facts, and keeps their lines.
pub(super) struct Prover<'a> {
    structure: &'a Structure,
    system: &'a System,
    atoms: Vec<Claim>,
    /// The same as the engines write them.
    ltl_atoms: Vec<Atom>,
    facts: Facts<'a>,
    knowledge: Knowledge<'a>,
    equation: StateEquation<'a>,
    lines: String,
    conflicts: Vec<Vec<Literal>>,
    /// What was asked, and whether it is proved.
    asked: FxHashMap<Vec<Literal>, bool>,
    /// The facts of semiflows, and of weights that were used before.
    flows: FxHashMap<Vec<(u32, i128)>, u32>,
    traps: FxHashMap<Vec<u32>, u32>,
    has_dead: bool,
    /// For each place, the semiflow that bounds it best.
    best: Vec<Option<u32>>,
}

impl<'a> Prover<'a> {
    pub(super) fn new(
        net: &'a Net,
        structure: &'a Structure,
        system: &'a System,
        atoms: Vec<Claim>,
        control: &Control,
    ) -> Result<Self, Stop> {
        let mut best: Vec<Option<u32>> = vec![None; system.initial.len()];
        let flows = &structure.semiflows.flows;
        let bound = |flow: u32, p: PlaceId| {
            let flow = &flows[flow as usize];
            let weight = flow.weights.iter().find(|w| w.0 == p).map_or(1, |w| w.1);
            flow.value / weight
        };
        for (i, flow) in flows.iter().enumerate() {
            for &(p, w) in &flow.weights {
                let slot = &mut best[p.index()];
                if slot.is_none_or(|old| flow.value / w < bound(old, p)) {
                    *slot = Some(i as u32);
                }
            }
        }
        Ok(Prover {
            structure,
            system,
            ltl_atoms: atoms.iter().map(ltl_atom).collect(),
            atoms,
            facts: Facts::new(system),
            knowledge: Knowledge::new(NetView::of_net(net), structure, control)?,
            equation: StateEquation::within(net, structure, control)?,
            lines: String::new(),
            conflicts: Vec::new(),
            asked: FxHashMap::default(),
            flows: FxHashMap::default(),
            traps: FxHashMap::default(),
            has_dead: false,
            best,
        })
    }

    /// The lines of all facts and conflicts.
    pub(super) fn lines(&self) -> &str {
        &self.lines
    }

    /// Sets of literals that are proved to exclude each other.
    pub(super) fn conflicts(&self) -> &[Vec<Literal>] {
        &self.conflicts
    }

    /// The atoms that have one value in all reachable markings. Only here conflicts of a single
    /// literal are proved: the formula is written down without these atoms.
    pub(super) fn constants(&mut self, control: &Control) -> Result<Vec<(u32, bool)>, Stop> {
        let mut constants = Vec::new();
        for atom in 0..self.atoms.len() as u32 {
            for value in [true, false] {
                control.look()?;
                if self.excludes(&[(atom, value)], control) {
                    constants.push((atom, !value));
                    break;
                }
            }
        }
        Ok(constants)
    }

    /// Whether no reachable marking satisfies all literals (ascending); if so, its proof is
    /// written.
    pub(super) fn excludes(&mut self, literals: &[Literal], control: &Control) -> bool {
        if let Some(&known) = self.asked.get(literals) {
            return known;
        }
        let named: Vec<(Atom, bool)> =
            literals.iter().map(|&(a, v)| (self.ltl_atoms[a as usize].clone(), v)).collect();
        let asked: Vec<(&Atom, bool)> = named.iter().map(|(a, v)| (a, *v)).collect();
        let proved = self.knowledge.excludes(&asked, control).is_some()
            && self.prove(literals, control).is_some();
        if !control.is_over() {
            self.asked.insert(literals.to_vec(), proved);
        }
        proved
    }

    /// Writes a proof, or nothing.
    fn prove(&mut self, literals: &[Literal], control: &Control) -> Option<()> {
        self.write_dead();
        let mut goals = Goals::new(literals.to_vec(), &self.atoms).ok()?;
        // Facts must come before the conflict that uses them.
        let mut proof = String::from("conflict");
        for (atom, value) in literals {
            // Writing to a string does not fail.
            let _ = write!(proof, " {}{atom}", if *value { '+' } else { '-' });
        }
        proof.push('\n');
        let splits = self.begin(&mut goals, &mut proof)?;
        let mut depth = vec![0_usize];
        let mut closed = 0;
        while !goals.are_closed() {
            let at = depth.pop()?;
            closed += 1;
            if control.is_over() || closed > GOALS {
                return None;
            }
            let last = at == splits.len();
            let weights = self.contradiction(&goals, last, control);
            match (weights, splits.get(at)) {
                (Some((by, facts)), _) => {
                    goals.close(&by, &facts, &self.facts).ok()?;
                    write_farkas(&mut proof, &by, &facts);
                }
                (None, Some(&split)) => {
                    let before = goals.waiting();
                    self.split(&mut goals, split, &mut proof)?;
                    if goals.are_closed() {
                        break;
                    }
                    let opened = (goals.waiting() + 1).checked_sub(before)?;
                    depth.extend(std::iter::repeat_n(at + 1, opened));
                }
                (None, None) => return None,
            }
        }
        self.lines.push_str(&proof);
        self.conflicts.push(literals.to_vec());
        Some(())
    }

    /// Cuts, and choices with one side; the other choices, the small ones first.
    fn begin(&mut self, goals: &mut Goals, proof: &mut String) -> Option<Vec<Split>> {
        let (mut splits, mut size) = (Vec::new(), 1_usize);
        for (atom, value) in goals.literals.clone() {
            let (enabled, ts) = match &self.atoms[atom as usize] {
                Claim::AtMost(..) => continue,
                Claim::Fireable(ts) => (value, ts.clone()),
                Claim::Deadlock => (!value, (0..self.system.steps.len() as u32).collect()),
            };
            if enabled {
                splits.push((ts.len(), Split::Enabled(atom)));
                continue;
            }
            for t in ts {
                if !self.facts.is_live(t) {
                    continue;
                }
                let take = self.system.steps[t as usize].take.clone();
                if take.len() < 2 {
                    goals.case(atom, Some(t), &self.atoms, &self.facts).ok()?;
                    let _ = writeln!(proof, "case {atom} {t}");
                    if goals.are_closed() {
                        return Some(Vec::new());
                    }
                    continue;
                }
                if self.structure.bounds.of(PlaceId(take[0].0)).is_some() {
                    for &(p, _) in &take {
                        self.bound(p);
                    }
                }
                if goals.cut(atom, t, &self.atoms, &self.facts).is_ok() {
                    let _ = writeln!(proof, "cut {atom} {t}");
                }
                splits.push((take.len(), Split::Disabled(atom, t)));
            }
        }
        splits.sort_by_key(|s| s.0);
        let fits = |s: &(usize, Split)| match s.1 {
            Split::Enabled(_) => true,
            Split::Disabled(..) => {
                size = size.saturating_mul(s.0);
                size <= SPLITS
            }
        };
        Some(splits.into_iter().filter(fits).map(|s| s.1).collect::<Vec<_>>())
    }

    fn split(&self, goals: &mut Goals, split: Split, proof: &mut String) -> Option<()> {
        let (atom, t) = match split {
            Split::Enabled(atom) => (atom, None),
            Split::Disabled(atom, t) => (atom, Some(t)),
        };
        goals.case(atom, t, &self.atoms, &self.facts).ok()?;
        let t = t.map_or_else(String::new, |t| format!(" {t}"));
        let _ = writeln!(proof, "case {atom}{t}");
        Some(())
    }

    /// Weights that close the goal.
    fn contradiction(
        &mut self,
        goals: &Goals,
        thorough: bool,
        control: &Control,
    ) -> Option<Weights> {
        let assumed = goals.assumed();
        for (k, constraint) in assumed.iter().enumerate() {
            if let Some(facts) = self.outside(constraint) {
                return Some((vec![(k as u32, 1)], facts));
            }
        }
        if let Some((a, b)) = clash(assumed) {
            return Some((vec![(a, 1), (b, 1)], Vec::new()));
        }
        if !thorough && assumed.is_empty() {
            return None;
        }
        let constraints: Vec<Constraint> = assumed.iter().map(constraint).collect::<Option<_>>()?;
        let longest = Instant::now() + PATIENCE;
        let deadline = control.deadline.map_or(longest, |d| d.min(longest));
        let refutation = self.equation.refutes(&constraints, Some(deadline))?;
        self.weights(&constraints, refutation)
    }

    /// The facts that put a single constraint outside of the bounds of its places.
    fn outside(&mut self, constraint: &Inequality) -> Option<Vec<(u32, i128)>> {
        let mut least = 0_i128;
        let mut facts = Vec::new();
        for &(p, c) in constraint.terms.iter().filter(|t| t.1 < 0) {
            let known = self.structure.bounds.of(PlaceId(p))?;
            least = least.checked_add(c.checked_mul(known.into())?)?;
        }
        if least <= constraint.bound {
            return None;
        }
        for &(p, c) in constraint.terms.iter().filter(|t| t.1 < 0) {
            facts.push((self.bound(p)?, -c));
        }
        Some(facts)
    }

    /// A refutation of the state equation, in terms of facts.
    fn weights(&mut self, asked: &[Constraint], refutation: Refutation) -> Option<Weights> {
        let Refutation { lambda, traps, y } = refutation;
        let mut sum: FxHashMap<u32, i128> = FxHashMap::default();
        let mut add = |p: u32, c: i128| {
            let entry = sum.entry(p).or_default();
            *entry = entry.checked_add(c)?;
            Some(())
        };
        let y: Vec<(u32, i128)> =
            y.into_iter().enumerate().map(|(p, y)| (p as u32, y)).filter(|y| y.1 != 0).collect();
        y.iter().try_for_each(|&(p, c)| add(p, c))?;
        let with_traps = traps.iter().map(|(trap, w)| (trap, *w));
        for (constraint, weight) in asked.iter().zip(lambda.iter().copied()).chain(with_traps) {
            for &(p, c) in &constraint.terms {
                add(p.0, weight.checked_mul(c.into())?)?;
            }
        }
        let mut facts = Vec::new();
        if !y.is_empty() {
            facts.push((self.flow(y)?, 1));
        }
        for (trap, weight) in traps {
            let places = trap.terms.iter().map(|t| t.0.0).collect();
            facts.push((self.trap(places)?, weight));
        }
        let mut negative: Vec<(u32, i128)> = sum.into_iter().filter(|s| s.1 < 0).collect();
        negative.sort_unstable();
        for (p, c) in negative {
            facts.push((self.bound(p)?, c.checked_neg()?));
        }
        let by = (0..).zip(lambda).filter(|l| l.1 != 0).collect();
        Some((by, facts))
    }

    /// The fact that no live transition raises a weighted sum.
    fn flow(&mut self, terms: Vec<(u32, i128)>) -> Option<u32> {
        if let Some(&fact) = self.flows.get(&terms) {
            return Some(fact);
        }
        self.facts.add_flow(terms.clone()).ok()?;
        let number = self.facts.len() as u32 - 1;
        let _ = write!(self.lines, "fact flow");
        for (p, c) in &terms {
            let _ = write!(self.lines, " {p}:{c}");
        }
        self.lines.push('\n');
        self.flows.insert(terms, number);
        Some(number)
    }

    fn trap(&mut self, places: Vec<u32>) -> Option<u32> {
        if let Some(&fact) = self.traps.get(&places) {
            return Some(fact);
        }
        self.facts.add_trap(places.clone()).ok()?;
        let number = self.facts.len() as u32 - 1;
        self.write_list("fact trap", &places);
        self.traps.insert(places, number);
        Some(number)
    }

    fn write_list(&mut self, begin: &str, numbers: &[u32]) {
        self.lines.push_str(begin);
        for n in numbers {
            let _ = write!(self.lines, " {n}");
        }
        self.lines.push('\n');
    }

    /// The fact that bounds a place.
    fn bound(&mut self, p: u32) -> Option<u32> {
        if let Some((_, fact)) = self.facts.bound(p) {
            return Some(fact);
        }
        let flow = match self.best[p as usize] {
            Some(flow) => self.semiflow(flow)?,
            // Nothing raises it.
            None => self.flow(vec![(p, 1)])?,
        };
        self.facts.add_bound(p, flow).ok()?;
        let _ = writeln!(self.lines, "fact bound {p} {flow}");
        self.facts.bound(p).map(|b| b.1)
    }

    fn semiflow(&mut self, flow: u32) -> Option<u32> {
        let flow = &self.structure.semiflows.flows[flow as usize];
        self.flow(flow.weights.iter().map(|&(p, w)| (p.0, w.into())).collect())
    }

    /// The dead transitions, before anything else that may rest on them: those that take more
    /// than a semiflow or a bound allows, then what can never be marked.
    fn write_dead(&mut self) {
        if std::mem::replace(&mut self.has_dead, true) {
            return;
        }
        let structure = self.structure;
        for &TransitionId(t) in &structure.facts.dead_transitions {
            let take = self.system.steps[t as usize].take.clone();
            let flows = take.iter().filter_map(|a| self.best[a.0 as usize]).collect::<Vec<_>>();
            for flow in flows {
                let weights = &structure.semiflows.flows[flow as usize];
                let needs = |w: &(PlaceId, u64)| {
                    u128::from(w.1)
                        * u128::from(take.iter().find(|a| a.0 == w.0.0).map_or(0, |a| a.1))
                };
                if weights.weights.iter().map(needs).sum::<u128>() > weights.value.into()
                    && let Some(fact) = self.semiflow(flow)
                {
                    self.dead(t, fact);
                    break;
                }
            }
        }
        let unmarked = self.unmarked();
        if !unmarked.is_empty() && self.facts.add_siphon(unmarked.clone()).is_ok() {
            let fact = self.facts.len() as u32 - 1;
            self.write_list("fact siphon", &unmarked);
            let inside = |a: &(u32, u32)| unmarked.binary_search(&a.0).is_ok();
            let takes = |t: &u32| self.system.steps[*t as usize].take.iter().any(inside);
            let dead: Vec<u32> = (0..self.system.steps.len() as u32).filter(takes).collect();
            dead.into_iter().for_each(|t| self.dead(t, fact));
        }
    }

    fn dead(&mut self, t: u32, fact: u32) {
        if self.facts.is_live(t) && self.facts.add_dead(t, fact).is_ok() {
            let _ = writeln!(self.lines, "fact dead {t} {fact}");
        }
    }

    /// The places that the live transitions never mark.
    fn unmarked(&self) -> Vec<u32> {
        let mut marked: Vec<bool> = self.system.initial.iter().map(|&n| n > 0).collect();
        let mut open: Vec<u32> =
            (0..self.system.steps.len() as u32).filter(|&t| self.facts.is_live(t)).collect();
        loop {
            let before = open.len();
            open.retain(|&t| {
                let step = &self.system.steps[t as usize];
                let ready = step.take.iter().all(|a| marked[a.0 as usize]);
                if ready {
                    step.put.iter().for_each(|a| marked[a.0 as usize] = true);
                }
                !ready
            });
            if open.len() == before {
                break;
            }
        }
        (0..marked.len() as u32).filter(|&p| !marked[p as usize]).collect()
    }

    /// Makes facts of all semiflows.
    pub(super) fn all_semiflows(&mut self) {
        self.write_dead();
        let flows = self.structure.semiflows.flows.len().min(SEMIFLOWS);
        for flow in 0..flows as u32 {
            self.semiflow(flow);
        }
        for p in 0..self.system.initial.len() as u32 {
            if self.structure.bounds.of(PlaceId(p)).is_some() {
                self.bound(p);
            }
        }
    }

    /// The transitions that may fire between markings that satisfy some of these covers.
    pub(super) fn firing(&self, covers: &[&[Literal]]) -> Vec<u32> {
        brine_verify::firing(covers.iter().copied(), &self.atoms, self.system, &self.facts)
    }

    /// Weights of a sum that each of these transitions lowers.
    pub(super) fn ranking(&mut self, firing: &[u32], control: &Control) -> Option<Vec<(u32, u64)>> {
        let firing: Vec<TransitionId> = firing.iter().map(|&t| TransitionId(t)).collect();
        if !self.knowledge.run_out(firing.clone(), control) {
            return None;
        }
        let longest = Instant::now() + 2 * PATIENCE;
        let deadline = control.deadline.map_or(longest, |d| d.min(longest));
        let y = self.equation.ranking(&firing, Some(deadline))?;
        let weights = (0..).zip(y).filter(|y| y.1 > 0);
        weights.map(|(p, y)| Some((p, u64::try_from(y).ok()?))).collect()
    }

    /// The number of the atom "nothing is enabled".
    pub(super) fn deadlock(&self) -> Option<u32> {
        self.atoms.iter().position(|a| *a == Claim::Deadlock).map(|a| a as u32)
    }
}

fn write_farkas(proof: &mut String, by: &[(u32, i128)], facts: &[(u32, i128)]) {
    proof.push_str("farkas");
    // Writing to a string does not fail.
    for (k, w) in by {
        let _ = write!(proof, " {k}:{w}");
    }
    if !facts.is_empty() {
        proof.push_str(" /");
    }
    for (f, w) in facts {
        let _ = write!(proof, " {f}:{w}");
    }
    proof.push('\n');
}

/// Two constraints that contradict each other: `s <= b` and `-s <= c` with `b + c < 0`.
fn clash(assumed: &[Inequality]) -> Option<(u32, u32)> {
    let mut seen: FxHashMap<Vec<(u32, i128)>, u32> = FxHashMap::default();
    for (k, constraint) in (0..).zip(assumed) {
        let opposite: Vec<(u32, i128)> = constraint.terms.iter().map(|&(p, c)| (p, -c)).collect();
        if let Some(&other) = seen.get(&opposite)
            && assumed[other as usize].bound.checked_add(constraint.bound)? < 0
        {
            return Some((other, k));
        }
        let slot = seen.entry(constraint.terms.clone()).or_insert(k);
        if assumed[*slot as usize].bound > constraint.bound {
            *slot = k;
        }
    }
    None
}

/// The same for the state equation, if its numbers fit.
fn constraint(inequality: &Inequality) -> Option<Constraint> {
    let terms = inequality.terms.iter();
    let terms: Option<Vec<(PlaceId, i64)>> =
        terms.map(|&(p, c)| Some((PlaceId(p), i64::try_from(c).ok()?))).collect();
    Some(Constraint { terms: terms?, bound: i64::try_from(inequality.bound).ok()? })
}

/// The atom as formulas have it.
pub(super) fn ltl_atom(claim: &Claim) -> Atom {
    match claim {
        Claim::AtMost(terms, bound) => {
            let terms = terms.iter().map(|&(p, c)| (PlaceId(p), c)).collect();
            Atom::Linear(brine_ltl::Linear { terms, bound: *bound })
        }
        Claim::Fireable(ts) => Atom::Fireable(ts.iter().map(|&t| TransitionId(t)).collect()),
        Claim::Deadlock => Atom::Deadlock,
    }
}
