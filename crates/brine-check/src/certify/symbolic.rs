//! The product states that are left, as diagrams.
//!
//! ```text
//! Z(q) := the reachable markings, for each automaton state q that is not harmless anywhere
//! repeat, for each until U:
//!     lead(q) := the least sets with the markings of Z from which an edge inside Z does not put U
//!                off, and all of Z from which an edge leads into lead
//!     what is in Z and not in lead becomes a layer "absent U"; Z := lead
//! once nothing changes: what has no edge inside Z becomes a layer "transient"
//! ```
//!
//! until Z is empty or nothing changes at all. *Why the layers are right.* All edges from what is
//! taken out lead to what is taken out with it, and put U off, or to what was taken out before:
//! else it would be in lead. If something is left, every product state there starts an accepted
//! path; then what leads to it is no part of the claim, and the initial state must not be among
//! it. What leads nowhere near it is closed under steps.
//!
//! All of this goes backward on sets of reachable markings ([`brine_sat::MarkingSets`]), and product
//! states are pairs of reachable parts, whether or not they are reached together.

use super::anywhere::Anywhere;
use super::layers::{Layers, Rule};
use super::prover::ltl_atom;
use super::tableau::Tableau;
use super::{Left, NoCertificate};
use brine_dd::{Dd, NodeId};
use brine_ltl::Atom;
use brine_net::order::{Candidate, Layout, candidates_within};
use brine_net::{Net, PlaceId, Structure};
use brine_run::{Control, Stop};
use brine_sat::{Branching, MarkingSets, reach_with_best};
use brine_verify::Literal;
use rustc_hash::FxHashMap;
use std::fmt;

/// Most automaton states, and most layers.
const STATES: usize = 200;
const LAYERS: usize = 5_000;

/// Diagrams of product states.
#[derive(Default, Debug)]
pub(super) struct Symbolic {
    levels: Vec<PlaceId>,
    nodes: Vec<Vec<(u32, u32)>>,
    /// Automaton state, layer, node.
    sets: Vec<(u32, u32, u32)>,
}

/// An edge of the automaton: its literals as a set, what it puts off, where it leads.
struct SetEdge {
    holds: NodeId,
    put_off: Vec<u32>,
    /// `None`: to a state that is harmless anywhere.
    to: usize,
}

/// One set for each automaton state that takes part.
type Family = Vec<NodeId>;

/// The search on the sets.
struct Layering<'s, 'b> {
    sets: &'s mut MarkingSets<'b>,
    edges: Vec<Vec<SetEdge>>,
}

impl Symbolic {
    pub(super) fn new(
        left: &Left<'_>,
        tableau: &mut Tableau<'_>,
        layers: &mut Layers,
        control: &Control,
    ) -> Result<Self, NoCertificate> {
        let &Left { net, structure, conflicts, anywhere, .. } = left;
        let (states, edges) = involved(tableau, conflicts, anywhere)?;
        let layout = best_layout(net, structure, control)?;
        let mut branching = Branching::new(net, &layout, control)?;
        let base = layers.rules.len() as u32;
        let atoms: Vec<Atom> = tableau.parts.atoms().iter().map(ltl_atom).collect();
        let done = branching.with_sets(|sets| {
            let edges = edges_as_sets(sets, &atoms, &edges)?;
            let family = vec![sets.reached(); states.len()];
            let mut layering = Layering { sets, edges };
            let (left, taken) = layering.layers(family)?;
            let Some(taken) = layering.without(left, taken)? else { return Ok(None) };
            let levels = layout.levels.iter().rev().flatten().copied().collect();
            let mut symbolic = Symbolic { levels, ..Symbolic::default() };
            let mut numbers = FxHashMap::default();
            let mut below: Family = vec![NodeId::EMPTY; states.len()];
            let mut rules = Vec::new();
            for (number, (rule, family)) in (base..).zip(taken) {
                for (i, set) in family.into_iter().enumerate() {
                    if set != NodeId::EMPTY {
                        below[i] = layering.sets.union(below[i], set)?;
                        let node = symbolic.write(layering.sets.dd(), below[i], &mut numbers);
                        symbolic.sets.push((states[i], number, node));
                    }
                }
                rules.push(rule);
            }
            Ok(Some((symbolic, rules)))
        })?;
        let (symbolic, rules) = done.ok_or(NoCertificate::Violated)?;
        layers.rules.extend(rules);
        Ok(symbolic)
    }

    /// The number of a diagram's root, once all below it has numbers; without recursion.
    fn write(&mut self, dd: &Dd, root: NodeId, numbers: &mut FxHashMap<NodeId, u32>) -> u32 {
        numbers.insert(NodeId::UNIT, 1);
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if numbers.contains_key(&node) {
                stack.pop();
                continue;
            }
            let open = stack.len();
            stack.extend(dd.arcs(node).map(|a| a.1).filter(|below| !numbers.contains_key(below)));
            if stack.len() == open {
                let arcs: Vec<(u32, u32)> =
                    dd.arcs(node).map(|(value, below)| (value, numbers[&below])).collect();
                self.nodes.push(arcs);
                numbers.insert(node, self.nodes.len() as u32 + 1);
                stack.pop();
            }
        }
        numbers[&root]
    }
}

impl fmt::Display for Symbolic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sets.is_empty() {
            return Ok(());
        }
        write!(f, "levels")?;
        self.levels.iter().try_for_each(|p| write!(f, " {}", p.0))?;
        writeln!(f)?;
        for arcs in &self.nodes {
            write!(f, "dd")?;
            arcs.iter().try_for_each(|(value, node)| write!(f, " {value}:{node}"))?;
            writeln!(f)?;
        }
        let sets = &self.sets;
        sets.iter().try_for_each(|(state, layer, node)| writeln!(f, "set {state} {layer} {node}"))
    }
}

/// An edge between states that take part, by their positions.
type PlainEdge = (Vec<Literal>, Vec<u32>, usize);

/// The automaton states that the root leads to and that are not harmless, with the edges between
/// them.
fn involved(
    tableau: &mut Tableau<'_>,
    conflicts: &[Vec<Literal>],
    anywhere: &Anywhere,
) -> Result<(Vec<u32>, Vec<Vec<PlainEdge>>), NoCertificate> {
    let mut states = vec![0_u32];
    let mut positions: FxHashMap<u32, usize> = FxHashMap::from_iter([(0, 0)]);
    let mut all = Vec::new();
    while let Some(&state) = states.get(all.len()) {
        let mut edges = Vec::new();
        for (cover, to) in tableau.edges(state, conflicts)?.to_vec() {
            if anywhere.is_harmless(to) {
                continue;
            }
            let next = states.len();
            let position = *positions.entry(to).or_insert(next);
            if position == next {
                states.push(to);
            }
            edges.push((cover.literals, cover.put_off, position));
        }
        all.push(edges);
        if states.len() > STATES {
            return Err(Stop::Memory.into());
        }
    }
    Ok((states, all))
}

/// The order in which the reachable markings are found first, one place a level.
fn best_layout(net: &Net, structure: &Structure, control: &Control) -> Result<Layout, Stop> {
    let mut candidates: Vec<Candidate> = candidates_within(net, structure, control)?;
    for candidate in &mut candidates {
        let levels = std::mem::take(&mut candidate.layout.levels);
        candidate.layout.levels = levels.into_iter().flatten().map(|p| vec![p]).collect();
    }
    let found = reach_with_best(net, &candidates, control)?;
    let chosen = candidates.into_iter().find(|c| c.spec == found.order);
    Ok(chosen.map_or_else(|| Layout { levels: Vec::new() }, |c| c.layout))
}

fn edges_as_sets(
    sets: &mut MarkingSets<'_>,
    atoms: &[Atom],
    edges: &[Vec<PlainEdge>],
) -> Result<Vec<Vec<SetEdge>>, Stop> {
    let mut known: FxHashMap<u32, NodeId> = FxHashMap::default();
    let mut all = Vec::with_capacity(edges.len());
    for edges in edges {
        let mut of_state = Vec::with_capacity(edges.len());
        for (literals, put_off, to) in edges {
            let mut holds = sets.reached();
            for &(atom, value) in literals {
                let set = match known.get(&atom) {
                    Some(&set) => set,
                    None => sets.atom(&atoms[atom as usize])?,
                };
                known.insert(atom, set);
                holds = if value { sets.intersect(holds, set)? } else { sets.minus(holds, set)? };
            }
            if holds != NodeId::EMPTY {
                of_state.push(SetEdge { holds, put_off: put_off.clone(), to: *to });
            }
        }
        all.push(of_state);
    }
    Ok(all)
}

/// Rules with what is taken out under them, the first one first.
type Taken = Vec<(Rule, Family)>;

impl Layering<'_, '_> {
    /// The layers, and what is left.
    fn layers(&mut self, mut family: Family) -> Result<(Family, Taken), Stop> {
        let mut untils: Vec<u32> =
            self.edges.iter().flatten().flat_map(|e| e.put_off.iter().copied()).collect();
        untils.sort_unstable();
        untils.dedup();
        let mut taken: Taken = Vec::new();
        loop {
            let before = family.clone();
            for &until in &untils {
                let lead = self.lead(&family, until)?;
                self.take(Rule::Absent(until), &mut family, lead, &mut taken)?;
            }
            if family == before {
                let goes_on = self.sources(&family, &family, |_| true)?;
                self.take(Rule::Transient, &mut family, goes_on, &mut taken)?;
            }
            if family == before || taken.len() > LAYERS {
                return Ok((family, taken));
            }
        }
    }

    /// Makes a layer of what is in the family and not in what stays.
    fn take(
        &mut self,
        rule: Rule,
        family: &mut Family,
        stays: Family,
        taken: &mut Taken,
    ) -> Result<(), Stop> {
        let mut out = Vec::with_capacity(family.len());
        for (set, stays) in family.iter().zip(&stays) {
            out.push(self.sets.minus(*set, *stays)?);
        }
        if out.iter().any(|set| *set != NodeId::EMPTY) {
            taken.push((rule, out));
            *family = stays;
        }
        Ok(())
    }

    /// What of `within` has an edge of this kind into `targets`.
    fn sources(
        &mut self,
        within: &Family,
        targets: &Family,
        kind: impl Fn(&SetEdge) -> bool,
    ) -> Result<Family, Stop> {
        let mut before = Vec::with_capacity(targets.len());
        for &set in targets {
            before.push(self.sets.before(set)?);
        }
        let mut all = Vec::with_capacity(within.len());
        for (i, &here) in within.iter().enumerate() {
            let mut sources = NodeId::EMPTY;
            for edge in self.edges[i].iter().filter(|e| kind(e)) {
                let from = self.sets.intersect(edge.holds, before[edge.to])?;
                sources = self.sets.union(sources, from)?;
            }
            all.push(self.sets.intersect(sources, here)?);
        }
        Ok(all)
    }

    /// What of the family leads to an edge inside that does not put the until off.
    fn lead(&mut self, family: &Family, until: u32) -> Result<Family, Stop> {
        let base = self.sources(family, family, |e| e.put_off.binary_search(&until).is_err())?;
        self.closure(family, base)
    }

    /// The least family with the base and all of `within` from which an edge leads into it.
    fn closure(&mut self, within: &Family, base: Family) -> Result<Family, Stop> {
        let mut lead = base;
        let mut changed = vec![true; lead.len()];
        while changed.contains(&true) {
            for i in 0..lead.len() {
                if !std::mem::take(&mut changed[i]) {
                    continue;
                }
                // Back along the loops of the state, then to the states before it.
                let mut looping = NodeId::EMPTY;
                for edge in self.edges[i].iter().filter(|e| e.to == i) {
                    looping = self.sets.union(looping, edge.holds)?;
                }
                looping = self.sets.intersect(looping, within[i])?;
                lead[i] = self.sets.until(looping, lead[i])?;
                let before = self.sets.before(lead[i])?;
                for j in 0..lead.len() {
                    let mut more = lead[j];
                    for edge in self.edges[j].iter().filter(|e| e.to == i && j != i) {
                        let from = self.sets.intersect(edge.holds, before)?;
                        let from = self.sets.intersect(from, within[j])?;
                        more = self.sets.union(more, from)?;
                    }
                    changed[j] |= more != lead[j];
                    lead[j] = more;
                }
            }
        }
        Ok(lead)
    }

    /// The layers without what leads to the rest; `None` if the initial state does.
    fn without(&mut self, rest: Family, mut taken: Taken) -> Result<Option<Taken>, Stop> {
        if rest.iter().all(|set| *set == NodeId::EMPTY) {
            return Ok(Some(taken));
        }
        let everywhere = vec![self.sets.reached(); rest.len()];
        let bad = self.closure(&everywhere, rest)?;
        let initial = self.sets.initial();
        if self.sets.intersect(initial, bad[0])? != NodeId::EMPTY {
            return Ok(None);
        }
        for (_, family) in &mut taken {
            for (set, bad) in family.iter_mut().zip(&bad) {
                *set = self.sets.minus(*set, *bad)?;
            }
        }
        Ok(Some(taken))
    }
}
