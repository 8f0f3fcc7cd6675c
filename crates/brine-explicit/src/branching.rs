//! Questions of CTL on the whole marking graph, one marking at a time.
//!
//! ```text
//! E(F U G)  =  G, and backward along edges all markings of F that lead to one that is in
//! EG F      =  F; while a marking that is in and not dead has no successor that is in: out with it
//! ```
//!
//! The edges are stored once, backward; forward there is only their number. `EG` counts for every
//! marking the successors that are still in, so each edge is looked at once. A path that ends in
//! a dead marking is a maximal path, which is why dead markings stay.
//!
//! *Invariant.* `first[m]..first[m + 1]` are the positions of the sources of the edges into `m`,
//! one entry per edge. Sets have one entry per marking.
//!
//! Cost: four bytes an edge, eight a marking, and time linear in both for each operator.

use crate::markings::Markings;
use crate::store::MarkingId;
use brine_ltl::{Ctl, CtlNode, Formula, Formulas, Node};
use brine_net::Net;
use brine_run::{Control, Stop};
use rustc_hash::FxHashMap;

/// The reachable markings of a net and the edges between them.
#[derive(Debug)]
pub struct MarkingGraph<'n> {
    pub(crate) markings: Markings<'n>,
    /// How many edges leave each marking.
    out: Vec<u32>,
    /// Where the edges into each marking begin in `sources`.
    pub(crate) first: Vec<u32>,
    pub(crate) sources: Vec<u32>,
}

/// A set of markings, by their numbers.
type MarkingSet = Vec<bool>;

impl<'n> MarkingGraph<'n> {
    /// Explores all markings. The work is that of the meter.
    pub fn explore(mut markings: Markings<'n>) -> Result<Self, Stop> {
        let (mut out, mut targets): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let (mut enabled, mut found) = (Vec::new(), Vec::new());
        let mut next = MarkingId::INITIAL;
        while next.index() < markings.store().len() {
            enabled.clear();
            markings.enabled(next, &mut enabled);
            markings.fire_all(next, &enabled, &mut found)?;
            let meter = &mut markings.meter;
            meter.push(&mut out, enabled.len() as u32)?;
            for &(id, _) in &found[..enabled.len()] {
                meter.push(&mut targets, id.0)?;
            }
            meter.tick()?;
            meter.pause()?;
            next = next.next();
        }
        // Positions have 32 bits.
        if u32::try_from(targets.len()).is_err() {
            return Err(Stop::Memory);
        }
        let (first, sources) = reversed(&mut markings, &out, &targets)?;
        markings.meter.release(&mut targets);
        debug_assert_eq!(first.len(), out.len() + 1);
        Ok(MarkingGraph { markings, out, first, sources })
    }

    /// Whether the initial marking satisfies a formula.
    pub fn satisfies(&mut self, fs: &Formulas, ctl: &Ctl, control: &Control) -> Result<bool, Stop> {
        self.markings.meter.resume(control.without_work());
        let mut sets: Vec<MarkingSet> = Vec::with_capacity(ctl.nodes().len());
        for node in ctl.nodes() {
            let set = self.node(fs, node, &sets)?;
            self.markings.meter.look()?;
            sets.push(set);
        }
        Ok(sets[ctl.root()][0])
    }

    /// The least and the most that each of these sums comes to.
    pub fn extents(
        &mut self,
        sums: &[Vec<(brine_net::PlaceId, i64)>],
        control: &Control,
    ) -> Result<Vec<(i64, i64)>, Stop> {
        self.markings.meter.resume(control.without_work());
        let mut extents = vec![(i64::MAX, i64::MIN); sums.len()];
        for id in self.markings.store().ids() {
            self.markings.meter.tick()?;
            let marking = self.markings.marking(id);
            for (terms, (least, most)) in sums.iter().zip(&mut extents) {
                let sum = terms.iter().fold(0_i64, |sum, &(p, c)| {
                    sum.saturating_add(c.saturating_mul(i64::from(marking[p.index()])))
                });
                (*least, *most) = ((*least).min(sum), (*most).max(sum));
            }
        }
        Ok(extents)
    }

    /// How many markings there are.
    pub fn count(&self) -> usize {
        self.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    fn node(
        &mut self,
        fs: &Formulas,
        node: &CtlNode,
        sets: &[MarkingSet],
    ) -> Result<MarkingSet, Stop> {
        let all = 0..self.len();
        Ok(match node {
            CtlNode::State(f) => self.select(fs, *f)?,
            CtlNode::Not(f) => sets[*f].iter().map(|is_in| !is_in).collect(),
            CtlNode::And(list) => all.map(|m| list.iter().all(|&f| sets[f][m])).collect(),
            CtlNode::Or(list) => all.map(|m| list.iter().any(|&f| sets[f][m])).collect(),
            CtlNode::ExistsNext(f) => self.next(&sets[*f]),
            CtlNode::ExistsUntil(f, g) => self.until(&sets[*f], &sets[*g])?,
            CtlNode::ExistsGlobally(f) => self.globally(&sets[*f])?,
        })
    }

    fn select(&mut self, fs: &Formulas, formula: Formula) -> Result<MarkingSet, Stop> {
        let subformulas = fs.subformulas(formula);
        let mut set = Vec::with_capacity(self.len());
        for id in self.markings.store().ids() {
            self.markings.meter.tick()?;
            let marking = self.markings.marking(id);
            set.push(is_true(self.markings.net(), &marking, fs, &subformulas));
        }
        Ok(set)
    }

    fn sources(&self, m: usize) -> &[u32] {
        &self.sources[self.first[m] as usize..self.first[m + 1] as usize]
    }

    fn next(&self, f: &MarkingSet) -> MarkingSet {
        let mut set = vec![false; self.len()];
        for (m, _) in f.iter().enumerate().filter(|(_, is_in)| **is_in) {
            self.sources(m).iter().for_each(|&s| set[s as usize] = true);
        }
        set
    }

    fn until(&mut self, f: &MarkingSet, g: &MarkingSet) -> Result<MarkingSet, Stop> {
        let mut set = g.clone();
        let mut open: Vec<usize> = (0..self.len()).filter(|&m| g[m]).collect();
        while let Some(m) = open.pop() {
            self.markings.meter.tick()?;
            for i in self.first[m]..self.first[m + 1] {
                let s = self.sources[i as usize] as usize;
                if f[s] && !set[s] {
                    set[s] = true;
                    open.push(s);
                }
            }
        }
        Ok(set)
    }

    fn globally(&mut self, f: &MarkingSet) -> Result<MarkingSet, Stop> {
        let mut set = f.clone();
        // Successors that are in; those of dead markings are not counted.
        let mut left = vec![0_u32; self.len()];
        for (m, _) in f.iter().enumerate().filter(|(_, is_in)| **is_in) {
            self.sources(m).iter().for_each(|&s| left[s as usize] += 1);
        }
        let leads_nowhere = |m: &usize| f[*m] && left[*m] == 0 && self.out[*m] > 0;
        let mut open: Vec<usize> = (0..self.len()).filter(leads_nowhere).collect();
        open.iter().for_each(|&m| set[m] = false);
        while let Some(m) = open.pop() {
            self.markings.meter.tick()?;
            for i in self.first[m]..self.first[m + 1] {
                let s = self.sources[i as usize] as usize;
                left[s] -= 1;
                if set[s] && left[s] == 0 {
                    set[s] = false;
                    open.push(s);
                }
            }
        }
        Ok(set)
    }
}

/// The edges backward: where those into each marking begin, and where they come from.
fn reversed(
    markings: &mut Markings<'_>,
    out: &[u32],
    targets: &[u32],
) -> Result<(Vec<u32>, Vec<u32>), Stop> {
    let meter = &mut markings.meter;
    let mut first: Vec<u32> = Vec::new();
    meter.reserve(&mut first, out.len() + 1)?;
    first.resize(out.len() + 1, 0);
    targets.iter().for_each(|&t| first[t as usize + 1] += 1);
    for m in 0..out.len() {
        first[m + 1] += first[m];
    }
    let mut sources: Vec<u32> = Vec::new();
    meter.reserve(&mut sources, targets.len())?;
    sources.resize(targets.len(), 0);
    let mut at = first.clone();
    let mut edge = 0;
    for (m, &count) in out.iter().enumerate() {
        meter.tick()?;
        for &t in &targets[edge..edge + count as usize] {
            sources[at[t as usize] as usize] = m as u32;
            at[t as usize] += 1;
        }
        edge += count as usize;
    }
    Ok((first, sources))
}

/// The truth of a boolean combination of atoms; its subformulas come operands first.
fn is_true(net: &Net, marking: &[u32], fs: &Formulas, subformulas: &[Formula]) -> bool {
    let mut truth: FxHashMap<Formula, bool> = FxHashMap::default();
    let mut last = true;
    for &f in subformulas {
        last = match fs.node(f) {
            Node::True => true,
            Node::False => false,
            // A net says nothing about names.
            Node::Atom(a) => fs.atom(a).eval(net, marking).unwrap_or(false),
            Node::Not(g) => !truth[&g],
            Node::And(list) => fs.list(list).iter().all(|g| truth[g]),
            Node::Or(list) => fs.list(list).iter().any(|g| truth[g]),
            Node::Implies(g, h) => !truth[&g] || truth[&h],
            Node::Iff(g, h) => truth[&g] == truth[&h],
            Node::Xor(g, h) => truth[&g] != truth[&h],
            _ => unreachable!("only combinations of atoms are selected"),
        };
        truth.insert(f, last);
    }
    last
}
