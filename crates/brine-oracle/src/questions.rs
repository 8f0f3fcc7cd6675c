//! Brute force for every question that is not LTL: the whole marking graph, and definitions.
//!
//! A [`BranchingTree`] has all operators of CTL, each evaluated by its own fixpoint equation on
//! maximal paths, one marking at a time; nothing is rewritten into anything else, so that mistakes
//! in rewriting show. Its text is what users would write.

use brine_net::{Net, PlaceId, Rng, TransitionId};
use std::collections::HashMap;

/// All reachable markings and the steps between them; a dead marking has none.
#[derive(Clone, Debug)]
pub struct QuestionGraph {
    /// The markings; the first one is the initial one.
    pub markings: Vec<Vec<u32>>,
    steps: Vec<Vec<(TransitionId, usize)>>,
}

/// A formula of CTL with atoms about places and transitions, by their numbers.
#[derive(Clone, Debug)]
pub enum BranchingTree {
    /// `p >= n`
    AtLeast(usize, u32),
    /// `p <= q`
    AtMostPlace(usize, usize),
    /// `fireable(t)`
    Fireable(usize),
    /// `deadlock`
    Deadlock,
    /// `!f`
    Not(Box<BranchingTree>),
    /// `f & g`, `f | g`, `f -> g`
    Boolean(&'static str, Box<BranchingTree>, Box<BranchingTree>),
    /// `EX f` and so on: quantifier, operator.
    Unary(char, char, Box<BranchingTree>),
    /// `E(f U g)` and so on.
    Binary(char, char, Box<BranchingTree>, Box<BranchingTree>),
}

use BranchingTree::{AtLeast, AtMostPlace, Binary, Boolean, Deadlock, Fireable, Not, Unary};

impl BranchingTree {
    /// A random formula about a net, at most so deep.
    pub fn random(rng: &mut Rng, net: &Net, depth: u32) -> Self {
        let (places, transitions) = (net.places().len() as u32, net.transitions().len() as u32);
        BranchingTree::random_over(rng, (places, transitions), depth)
    }

    /// A random formula about so many places and transitions, at most so deep.
    pub fn random_over(rng: &mut Rng, size: (u32, u32), depth: u32) -> Self {
        let (places, transitions) = size;
        if depth == 0 || rng.chance(15) {
            return match rng.below(8) {
                0 => Deadlock,
                1 | 2 if places > 1 => {
                    AtMostPlace(rng.below(places) as usize, rng.below(places) as usize)
                }
                3..6 if transitions > 0 => Fireable(rng.below(transitions) as usize),
                _ => AtLeast(rng.below(places.max(1)) as usize, 1 + rng.below(2)),
            };
        }
        let f = Box::new(BranchingTree::random_over(rng, size, depth - 1));
        match rng.below(10) {
            0 => Not(f),
            1 | 2 => {
                let g = Box::new(BranchingTree::random_over(rng, size, depth - 1));
                Boolean(["&", "|", "->"][rng.index(3)], f, g)
            }
            3..8 => Unary(['E', 'A'][rng.index(2)], ['X', 'F', 'G', 'F', 'G'][rng.index(5)], f),
            _ => {
                let g = Box::new(BranchingTree::random_over(rng, size, depth - 1));
                Binary(['E', 'A'][rng.index(2)], ['U', 'W', 'R', 'M'][rng.index(4)], f, g)
            }
        }
    }

    /// As users write it, by the ids of the net.
    pub fn text(&self, net: &Net) -> String {
        let places: Vec<String> = net.places().map(|p| p.id().into_owned()).collect();
        let transitions: Vec<String> = net.transitions().map(|t| t.id().into_owned()).collect();
        self.text_with(&places, &transitions)
    }

    /// The same by these ids.
    pub fn text_with(&self, places: &[String], transitions: &[String]) -> String {
        let of = |f: &BranchingTree| f.text_with(places, transitions);
        match self {
            AtLeast(p, n) => format!("(\"{}\" >= {n})", places[*p]),
            AtMostPlace(p, q) => format!("(\"{}\" <= \"{}\")", places[*p], places[*q]),
            Fireable(t) => format!("fireable(\"{}\")", transitions[*t]),
            Deadlock => "deadlock".to_owned(),
            Not(f) => format!("!({})", of(f)),
            Boolean(op, f, g) => format!("(({}) {op} ({}))", of(f), of(g)),
            Unary(q, op, f) => format!("{q}{op} ({})", of(f)),
            Binary(q, op, f, g) => format!("{q}(({}) {op} ({}))", of(f), of(g)),
        }
    }
}

/// What the places and transitions of a question are in the net: a place has the tokens of all
/// of its members, a transition is enabled if one of its members is.
#[derive(Clone, Debug)]
pub struct QuestionGroups {
    /// By place of the question.
    pub places: Vec<Vec<PlaceId>>,
    /// By transition of the question.
    pub transitions: Vec<Vec<TransitionId>>,
}

impl QuestionGroups {
    /// Those of the net itself.
    pub fn of_net(net: &Net) -> Self {
        QuestionGroups {
            places: net.place_ids().map(|p| vec![p]).collect(),
            transitions: net.transition_ids().map(|t| vec![t]).collect(),
        }
    }

    fn tokens(&self, p: usize, marking: &[u32]) -> u64 {
        self.places[p].iter().map(|p| u64::from(marking[p.index()])).sum()
    }
}

impl QuestionGraph {
    /// Explores all markings; `None` if there are more than `limit`, or too many tokens.
    pub fn new(net: &Net, limit: usize) -> Option<Self> {
        let initial = net.initial_marking();
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut graph = QuestionGraph { markings: vec![initial], steps: Vec::new() };
        while graph.steps.len() < graph.markings.len() {
            let marking = graph.markings[graph.steps.len()].clone();
            let mut steps = Vec::new();
            for t in net.transition_ids().filter(|&t| is_enabled(net, &marking, t)) {
                let mut after = marking.clone();
                net.transition(t).pre.iter().for_each(|&(p, w)| after[p.index()] -= w);
                for &(p, w) in net.transition(t).post {
                    after[p.index()] = after[p.index()].checked_add(w)?;
                }
                let number = *numbers.entry(after.clone()).or_insert(graph.markings.len());
                if number == graph.markings.len() {
                    graph.markings.push(after);
                }
                steps.push((t, number));
            }
            graph.steps.push(steps);
            if graph.markings.len() > limit {
                return None;
            }
        }
        Some(graph)
    }

    /// A dead marking can be reached.
    pub fn has_deadlock(&self) -> bool {
        self.steps.iter().any(Vec::is_empty)
    }

    /// No place ever holds more than one token.
    pub fn is_one_safe(&self) -> bool {
        self.markings.iter().flatten().all(|&tokens| tokens <= 1)
    }

    /// Some place never changes.
    pub fn has_stable_place(&self) -> bool {
        let first = &self.markings[0];
        (0..first.len()).any(|p| self.markings.iter().all(|m| m[p] == first[p]))
    }

    /// Every transition can fire.
    pub fn is_quasi_live(&self, net: &Net) -> bool {
        let fires = |t: TransitionId| self.steps.iter().flatten().any(|step| step.0 == t);
        net.transition_ids().all(fires)
    }

    /// From every marking every transition can fire again.
    pub fn is_live(&self, net: &Net) -> bool {
        (0..self.markings.len()).all(|from| {
            let mut seen = vec![false; self.markings.len()];
            let mut fired = vec![false; net.transitions().len()];
            let mut open = vec![from];
            seen[from] = true;
            while let Some(m) = open.pop() {
                for &(t, to) in &self.steps[m] {
                    fired[t.index()] = true;
                    if !std::mem::replace(&mut seen[to], true) {
                        open.push(to);
                    }
                }
            }
            fired.into_iter().all(|fired| fired)
        })
    }

    /// A member of the group is enabled in some reachable marking.
    pub fn can_fire(&self, group: &[TransitionId]) -> bool {
        self.steps.iter().flatten().any(|step| group.contains(&step.0))
    }

    /// From every marking one can be reached in which a member of the group is enabled.
    pub fn can_always_fire(&self, group: &[TransitionId]) -> bool {
        let fires = |steps: &Vec<(TransitionId, usize)>| steps.iter().any(|s| group.contains(&s.0));
        let wanted: Vec<bool> = self.steps.iter().map(fires).collect();
        (0..self.markings.len()).all(|from| self.leads_to(from, &wanted))
    }

    /// The marking can be reached from every reachable one.
    pub fn is_home(&self, marking: &[u32]) -> bool {
        let wanted: Vec<bool> = self.markings.iter().map(|m| m == marking).collect();
        (0..self.markings.len()).all(|from| self.leads_to(from, &wanted))
    }

    fn leads_to(&self, from: usize, wanted: &[bool]) -> bool {
        let (mut seen, mut open) = (vec![false; self.markings.len()], vec![from]);
        seen[from] = true;
        while let Some(m) = open.pop() {
            if wanted[m] {
                return true;
            }
            for &(_, to) in &self.steps[m] {
                if !std::mem::replace(&mut seen[to], true) {
                    open.push(to);
                }
            }
        }
        false
    }

    /// The most tokens that places hold together.
    pub fn bound(&self, places: &[usize]) -> i64 {
        let sum = |m: &Vec<u32>| places.iter().map(|&p| i64::from(m[p])).sum();
        self.markings.iter().map(sum).max().unwrap_or(0)
    }

    /// Whether places together always hold as many tokens.
    pub fn is_constant(&self, places: &[usize]) -> bool {
        let sum = |m: &Vec<u32>| -> i64 { places.iter().map(|&p| i64::from(m[p])).sum() };
        self.markings.iter().all(|m| sum(m) == sum(&self.markings[0]))
    }

    /// Whether the initial marking satisfies a formula.
    pub fn satisfies(&self, net: &Net, tree: &BranchingTree) -> bool {
        self.satisfies_grouped(net, &QuestionGroups::of_net(net), tree)
    }

    /// The same of a formula about groups of places and transitions.
    pub fn satisfies_grouped(
        &self,
        net: &Net,
        groups: &QuestionGroups,
        tree: &BranchingTree,
    ) -> bool {
        self.truth((net, groups), tree)[0]
    }

    fn truth(&self, of: (&Net, &QuestionGroups), tree: &BranchingTree) -> Vec<bool> {
        let (net, groups) = of;
        let by = |f: &dyn Fn(&[u32]) -> bool| self.markings.iter().map(|m| f(m)).collect();
        match tree {
            AtLeast(p, n) => by(&|m| groups.tokens(*p, m) >= u64::from(*n)),
            AtMostPlace(p, q) => by(&|m| groups.tokens(*p, m) <= groups.tokens(*q, m)),
            Fireable(t) => by(&|m| groups.transitions[*t].iter().any(|&t| is_enabled(net, m, t))),
            Deadlock => self.steps.iter().map(Vec::is_empty).collect(),
            Not(f) => self.truth(of, f).iter().map(|f| !f).collect(),
            Boolean(op, f, g) => {
                let (f, g) = (self.truth(of, f), self.truth(of, g));
                let both = f.iter().zip(&g);
                match *op {
                    "&" => both.map(|(f, g)| *f && *g).collect(),
                    "|" => both.map(|(f, g)| *f || *g).collect(),
                    _ => both.map(|(f, g)| !f || *g).collect(),
                }
            }
            Unary(quantifier, op, f) => {
                let f = self.truth(of, f);
                let one = |m: usize, set: &[bool]| self.one(m, set, *quantifier, *op == 'G');
                match op {
                    'X' => (0..f.len())
                        .map(|m| match quantifier {
                            'E' => self.steps[m].iter().any(|s| f[s.1]),
                            _ => self.steps[m].iter().all(|s| f[s.1]),
                        })
                        .collect(),
                    'F' => self.fixpoint(false, |m, set| f[m] || one(m, set)),
                    _ => self.fixpoint(true, |m, set| f[m] && one(m, set)),
                }
            }
            Binary(quantifier, op, f, g) => {
                let (f, g) = (self.truth(of, f), self.truth(of, g));
                let weak = matches!(op, 'W' | 'R');
                let one = |m: usize, set: &[bool]| self.one(m, set, *quantifier, weak);
                match op {
                    'U' | 'W' => self.fixpoint(weak, |m, set| g[m] || f[m] && one(m, set)),
                    _ => self.fixpoint(weak, |m, set| g[m] && (f[m] || one(m, set))),
                }
            }
        }
    }

    /// Whether one maximal path, or each, goes on in the set; a path that ends does if `weak`.
    fn one(&self, m: usize, set: &[bool], quantifier: char, weak: bool) -> bool {
        let steps = &self.steps[m];
        match quantifier {
            _ if steps.is_empty() => weak,
            'E' => steps.iter().any(|s| set[s.1]),
            _ => steps.iter().all(|s| set[s.1]),
        }
    }

    fn fixpoint(&self, from: bool, next: impl Fn(usize, &[bool]) -> bool) -> Vec<bool> {
        let mut set = vec![from; self.markings.len()];
        loop {
            let after: Vec<bool> = (0..set.len()).map(|m| next(m, &set)).collect();
            if after == set {
                return set;
            }
            set = after;
        }
    }
}

fn is_enabled(net: &Net, m: &[u32], t: TransitionId) -> bool {
    net.transition(t).pre.iter().all(|&(p, w)| m[p.index()] >= w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    #[test]
    fn answers_that_can_be_checked_by_hand() {
        let mut b = NetBuilder::new("n");
        let (on, off, gone) = (b.place("p0", 1), b.place("p1", 0), b.place("p2", 0));
        b.transition("t0", &[(on, 1)], &[(off, 1)]);
        b.transition("t1", &[(off, 1)], &[(on, 1)]);
        b.transition("t2", &[(off, 1)], &[(gone, 1)]);
        let net = b.build().unwrap();
        let graph = QuestionGraph::new(&net, 9).unwrap();
        assert!(graph.has_deadlock() && graph.is_one_safe() && graph.is_quasi_live(&net));
        assert!(!graph.is_live(&net) && !graph.has_stable_place());
        assert_eq!(graph.bound(&[0, 1]), 1);
        let off = || Box::new(AtLeast(1, 1));
        let on = || Box::new(AtLeast(0, 1));
        let not_gone = || Box::new(Not(Box::new(AtLeast(2, 1))));
        for (tree, expected) in [
            (Unary('A', 'F', off()), true),
            (Unary('A', 'F', Box::new(AtLeast(2, 1))), false),
            (Unary('E', 'G', not_gone()), true),
            (Unary('A', 'G', Box::new(Unary('E', 'F', on()))), false),
            (Unary('E', 'F', Box::new(Unary('A', 'X', Box::new(AtLeast(0, 9))))), true),
            (Unary('E', 'F', Box::new(Unary('E', 'G', Box::new(Deadlock)))), true),
            (Binary('A', 'U', on(), off()), true),
            (Binary('A', 'W', not_gone(), Box::new(Deadlock)), true),
        ] {
            assert_eq!(graph.satisfies(&net, &tree), expected, "{}", tree.text(&net));
        }
    }
}
