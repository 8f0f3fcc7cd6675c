//! Layers of a graph whose edges put off untils: the order in which runs fall through it.
//!
//! A strongly connected component in which all edges put off an until U may keep runs, in a layer
//! `absent U`; one without edges inside needs no rule; any other one has a run that is accepted
//! or, in the graph of `anywhere`, needs another reason. Components are taken sinks first; each
//! gets the lowest layer that its edges allow. So few layers are needed for many components.

use rustc_hash::FxHashMap;
use std::fmt;

/// The rule of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// All edges inside put this until off.
    Absent(u32),
    /// There are none.
    Transient,
    /// Firing lowers a sum, and dead ends are excluded for the covers that do not put it off.
    Falls(Option<u32>, Vec<(u32, u64)>),
}

/// The layers of a certificate.
#[derive(Default, Debug)]
pub(super) struct Layers {
    pub(super) rules: Vec<Rule>,
}

impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            match rule {
                Rule::Absent(until) => writeln!(f, "layer absent {until}")?,
                Rule::Transient => writeln!(f, "layer transient")?,
                Rule::Falls(until, weights) => {
                    let until = until.map_or_else(|| "-".to_owned(), |u| u.to_string());
                    write!(f, "layer falls {until}")?;
                    weights.iter().try_for_each(|(p, w)| write!(f, " {p}:{w}"))?;
                    writeln!(f)?;
                }
            }
        }
        Ok(())
    }
}

/// A graph: for each node, the nodes that it leads to with what the edge puts off.
#[derive(Default, Debug)]
pub(super) struct Graph {
    pub(super) edges: Vec<Vec<(u32, u32)>>,
    /// The sets that are put off, by their numbers.
    pub(super) sets: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
}

impl Graph {
    /// The number of a set of untils.
    pub(super) fn set(&mut self, put_off: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(put_off) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(put_off.to_vec());
        self.numbers.insert(put_off.to_vec(), number);
        number
    }

    /// The strongly connected components, sinks first (Tarjan, without recursion).
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        let n = self.edges.len();
        let (mut index, mut low) = (vec![u32::MAX; n], vec![0_u32; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut all, mut count) = (Vec::new(), Vec::new(), 0);
        for root in 0..n as u32 {
            if index[root as usize] != u32::MAX {
                continue;
            }
            let mut calls: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some(&mut (v, ref mut at)) = calls.last_mut() {
                let node = v as usize;
                if *at == 0 {
                    (index[node], low[node]) = (count, count);
                    count += 1;
                    stack.push(v);
                    on_stack[node] = true;
                }
                if let Some(&(w, _)) = self.edges[node].get(*at) {
                    *at += 1;
                    if index[w as usize] == u32::MAX {
                        calls.push((w, 0));
                    } else if on_stack[w as usize] {
                        low[node] = low[node].min(index[w as usize]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[node]);
                }
                if low[node] == index[node] {
                    let from = stack.iter().rposition(|&w| w == v).unwrap_or(0);
                    let component = stack.split_off(from);
                    component.iter().for_each(|&w| on_stack[w as usize] = false);
                    all.push(component);
                }
            }
        }
        all
    }

    /// The untils that all edges inside a component put off; `None` if there is no edge inside.
    pub(super) fn absent(&self, inside: impl Fn(u32) -> bool, nodes: &[u32]) -> Option<Vec<u32>> {
        let mut common: Option<Vec<u32>> = None;
        for &(to, set) in nodes.iter().flat_map(|&v| &self.edges[v as usize]) {
            if inside(to) {
                let set = &self.sets[set as usize];
                match &mut common {
                    None => common = Some(set.clone()),
                    Some(common) => common.retain(|u| set.contains(u)),
                }
            }
        }
        common
    }
}

impl Layers {
    /// A layer for each node; `None` if some component keeps a run that is accepted.
    pub(super) fn assign(&mut self, graph: &Graph) -> Option<Vec<u32>> {
        let base = self.rules.len() as u32;
        let mut untils: Vec<u32> = graph.sets.iter().flatten().copied().collect();
        untils.sort_unstable();
        untils.dedup();
        let cycle: Vec<Rule> =
            untils.into_iter().map(Rule::Absent).chain([Rule::Transient]).collect();
        let rule = |layer: u32| &cycle[(layer - base) as usize % cycle.len()];
        const NONE: u32 = u32::MAX;
        let mut layer = vec![NONE; graph.edges.len()];
        let mut highest = 0;
        let mut component_of = vec![NONE; graph.edges.len()];
        for (number, nodes) in graph.components().into_iter().enumerate() {
            nodes.iter().for_each(|&v| component_of[v as usize] = number as u32);
            let inside = |to: u32| component_of[to as usize] == number as u32;
            let absent = graph.absent(inside, &nodes);
            if absent.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
            let out =
                || nodes.iter().flat_map(|&v| &graph.edges[v as usize]).filter(|e| !inside(e.0));
            let floor = out().map(|e| layer[e.0 as usize]).max().unwrap_or(base);
            let fits = |candidate: u32| match rule(candidate) {
                Rule::Absent(u) => {
                    let keeps = |e: &&(u32, u32)| graph.sets[e.1 as usize].contains(u);
                    absent.as_ref().is_none_or(|a| a.contains(u))
                        && out().filter(|e| layer[e.0 as usize] == candidate).all(|e| keeps(&e))
                }
                _ => absent.is_none() && out().all(|e| layer[e.0 as usize] < candidate),
            };
            // Each rule comes once in a cycle, and above the floor only the component itself counts.
            let chosen = (floor..=floor + cycle.len() as u32).find(|&l| fits(l))?;
            nodes.iter().for_each(|&v| layer[v as usize] = chosen);
            highest = highest.max(chosen + 1);
        }
        let used = highest.saturating_sub(base) as usize;
        self.rules.extend((0..used).map(|i| cycle[i % cycle.len()].clone()));
        Some(layer)
    }
}
