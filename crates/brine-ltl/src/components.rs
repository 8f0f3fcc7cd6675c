//! Strongly connected components of small graphs, and the marks inside them.
//!
//! Tarjan's algorithm with an explicit stack. Everything that asks for cycles in this crate
//! asks here: automata, their products with words and with each other, the copies of a
//! degeneralisation.
//!
//! *Invariant.* Components are numbered successors first: an arc never leads to a component
//! with a larger number. So one sweep in the order of the numbers carries what is known
//! about successors back ([`Components::leading_to`]).
//!
//! Cost: linear in states and arcs.

/// Number of a strongly connected component; successors have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ComponentId(u32);

impl ComponentId {
    /// The number as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The strongly connected components of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Components {
    of: Vec<ComponentId>,
    count: usize,
}

impl Components {
    /// The components of the graph with states `0..n`, where `succ(q, i)` is the i-th
    /// successor of q.
    pub(crate) fn new(n: usize, succ: impl Fn(usize, usize) -> Option<u32>) -> Self {
        let found = Components::tarjan(n, &succ);
        debug_assert!(
            (0..n).all(|q| (0..)
                .map_while(|i| succ(q, i))
                .all(|r| found.of[r as usize] <= found.of[q])),
            "successors come first"
        );
        found
    }

    fn tarjan(n: usize, succ: &impl Fn(usize, usize) -> Option<u32>) -> Self {
        const NEW: u32 = u32::MAX;
        const OPEN: ComponentId = ComponentId(u32::MAX);
        let mut of = vec![OPEN; n];
        let mut low = vec![NEW; n];
        let (mut path, mut open) = (Vec::<(usize, usize, u32)>::new(), Vec::new());
        let (mut time, mut count) = (0, 0);
        for root in 0..n {
            if low[root] != NEW {
                continue;
            }
            low[root] = time;
            path.push((root, 0, time));
            open.push(root);
            time += 1;
            while let Some(top) = path.last_mut() {
                let (q, entered) = (top.0, top.2);
                let next = succ(q, top.1);
                top.1 += 1;
                match next.map(|r| r as usize) {
                    Some(r) if low[r] == NEW => {
                        low[r] = time;
                        path.push((r, 0, time));
                        open.push(r);
                        time += 1;
                    }
                    // Not yet in a component: on the stack of open states.
                    Some(r) if of[r] == OPEN => low[q] = low[q].min(low[r]),
                    Some(_) => {}
                    None => {
                        path.pop();
                        if low[q] == entered {
                            while let Some(r) = open.pop() {
                                of[r] = ComponentId(count);
                                if r == q {
                                    break;
                                }
                            }
                            count += 1;
                        }
                        if let Some(&(parent, _, _)) = path.last() {
                            low[parent] = low[parent].min(low[q]);
                        }
                    }
                }
            }
        }
        Components { of, count: count as usize }
    }

    /// The component of state `q`.
    pub(crate) fn of(&self, q: usize) -> ComponentId {
        self.of[q]
    }

    /// The number of components.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Is an arc from `src` to `dst` inside a component? Then it lies on a cycle.
    pub(crate) fn inside(&self, src: usize, dst: u32) -> bool {
        self.of[src] == self.of[dst as usize]
    }

    /// The states of each component.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count];
        for (q, c) in self.of.iter().enumerate() {
            members[c.index()].push(q);
        }
        members
    }

    /// For each component: the union of the marks on the arcs inside it, `None` when there
    /// is no such arc. Arcs are (source, target, marks).
    pub(crate) fn inner_marks(
        &self,
        arcs: impl IntoIterator<Item = (usize, u32, u64)>,
    ) -> Vec<Option<u64>> {
        let mut inner = vec![None; self.count];
        for (src, dst, marks) in arcs {
            if self.inside(src, dst) {
                *inner[self.of[src].index()].get_or_insert(0) |= marks;
            }
        }
        inner
    }

    /// The components of the graph that has the arcs `succ[q]`, as (target, marks), from state
    /// q, and the marks inside each as in [`Components::inner_marks`].
    pub(crate) fn with_marks(succ: &[Vec<(u32, u64)>]) -> (Self, Vec<Option<u64>>) {
        let found = Components::new(succ.len(), |q, i| succ[q].get(i).map(|a| a.0));
        let out = succ.iter().enumerate();
        let marks =
            found.inner_marks(out.flat_map(|(q, arcs)| arcs.iter().map(move |a| (q, a.0, a.1))));
        (found, marks)
    }

    /// For each component: is it in `goal` (by component), or does a path lead from it to one
    /// that is? `succ` is as in [`Components::new`].
    pub(crate) fn leading_to(
        &self,
        mut goal: Vec<bool>,
        succ: impl Fn(usize, usize) -> Option<u32>,
    ) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.of.len()).collect();
        order.sort_unstable_by_key(|&q| self.of[q]);
        for q in order {
            let mut targets = (0..).map_while(|i| succ(q, i));
            goal[self.of[q].index()] |= targets.any(|r| goal[self.of[r as usize].index()]);
        }
        goal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every graph on four states: components are mutual reachability, successors first.
    #[test]
    fn components_are_mutual_reachability() {
        for code in 0..1u32 << 16 {
            let succ: Vec<Vec<u32>> =
                (0..4).map(|q| (0..4).filter(|r| code >> (4 * q + r) & 1 == 1).collect()).collect();
            let mut reach = [[false; 4]; 4];
            for q in 0..4 {
                reach[q][q] = true;
                succ[q].iter().for_each(|&r| reach[q][r as usize] = true);
            }
            for (k, i, j) in (0..64).map(|x| (x / 16, x / 4 % 4, x % 4)) {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
            let step = |q: usize, i: usize| succ[q].get(i).copied();
            let c = Components::new(4, step);
            for (i, j) in (0..16).map(|x| (x / 4, x % 4)) {
                assert_eq!(c.of(i) == c.of(j), reach[i][j] && reach[j][i], "{succ:?}");
                assert!(!reach[i][j] || c.of(i) >= c.of(j), "{succ:?}");
            }
            for goal in (0..4).map(|q| c.of(q)) {
                let leads = c.leading_to((0..c.count()).map(|d| d == goal.index()).collect(), step);
                let expected = |q: usize| (0..4).any(|r| reach[q][r] && c.of(r) == goal);
                assert!((0..4).all(|q| leads[c.of(q).index()] == expected(q)), "{succ:?}");
            }
        }
    }
}
