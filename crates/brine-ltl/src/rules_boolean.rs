//! Rewriting rules for conjunctions and disjunctions.
//!
//! Operands that another operand implies (or that imply another) disappear, operands
//! that exclude each other decide the whole, and operands of the same kind are joined:
//! the conjunction of two `a R _` is one, and so on. The two functions are duals.

use crate::formula::{Formula, Node};
use crate::simplify::Rewriter;

/// Which operator joins operands, and what is joined of them.
enum SharedSide {
    /// `(a U b) & (c U b) = (a & c) U b`: the right operands are equal.
    SameRight,
    /// `(a R b) & (a R c) = a R (b & c)`: the left operands are equal.
    SameLeft,
}

impl Rewriter<'_> {
    pub(crate) fn rewrite_and(&mut self, f: Formula, list: Vec<Formula>) -> Formula {
        // a => b: a & b = a; a => !b: a & b = false
        for (i, &a) in list.iter().enumerate() {
            for (j, &b) in list.iter().enumerate() {
                if i < j && self.excludes(a, b) {
                    return Formula::FALSE;
                }
                if i != j && self.implies(a, b) {
                    return self.fs.and(list.iter().copied().filter(|&g| g != b));
                }
            }
        }
        let merged = self.booleans_together(&list, true);
        if merged != f {
            return merged;
        }
        for (i, &a) in list.iter().enumerate() {
            for &b in &list[i + 1..] {
                let pair = match self.and_pair(a, b) {
                    Some(pair) => pair,
                    None => match self.and_pair(b, a) {
                        Some(pair) => pair,
                        None => continue,
                    },
                };
                let rest = list.iter().copied().filter(|&g| g != a && g != b);
                let all: Vec<Formula> = rest.chain([pair]).collect();
                return self.fs.and(all);
            }
        }
        // q & X f = X (q & f)
        self.below_next(f, list, true)
    }

    pub(crate) fn rewrite_or(&mut self, f: Formula, list: Vec<Formula>) -> Formula {
        // a => b: a | b = b; !a => b: a | b = true
        for (i, &a) in list.iter().enumerate() {
            for (j, &b) in list.iter().enumerate() {
                if i < j && self.covers(a, b) {
                    return Formula::TRUE;
                }
                if i != j && self.implies(a, b) {
                    return self.fs.or(list.iter().copied().filter(|&g| g != a));
                }
            }
        }
        let merged = self.booleans_together(&list, false);
        if merged != f {
            return merged;
        }
        for (i, &a) in list.iter().enumerate() {
            for &b in &list[i + 1..] {
                let pair = match self.or_pair(a, b) {
                    Some(pair) => pair,
                    None => match self.or_pair(b, a) {
                        Some(pair) => pair,
                        None => continue,
                    },
                };
                let rest = list.iter().copied().filter(|&g| g != a && g != b);
                let all: Vec<Formula> = rest.chain([pair]).collect();
                return self.fs.or(all);
            }
        }
        // q | X f = X (q | f)
        self.below_next(f, list, false)
    }

    /// Brings the boolean operands, taken together, into their one form.
    fn booleans_together(&mut self, list: &[Formula], is_and: bool) -> Formula {
        let (boolean, mut rest) =
            self.split(list.to_vec(), |s, g| s.facts.shapes.of(s.fs, g).boolean);
        if boolean.len() > 1 {
            let all = if is_and { self.fs.and(boolean) } else { self.fs.or(boolean) };
            rest.push(self.boolean(all));
        } else {
            rest.extend(boolean);
        }
        if is_and { self.fs.and(rest) } else { self.fs.or(rest) }
    }

    /// Moves suspendable operands below `X` when there is one to go to.
    fn below_next(&mut self, f: Formula, list: Vec<Formula>, is_and: bool) -> Formula {
        let next = list.iter().find_map(|&g| match self.fs.node(g) {
            Node::X(a) => Some((g, a)),
            _ => None,
        });
        let Some((x, a)) = next else { return f };
        if !self.splits() {
            return f;
        }
        let others: Vec<Formula> = list.into_iter().filter(|&g| g != x).collect();
        let (mut inside, mut outside) = self.split(others, Self::suspendable);
        if inside.is_empty() {
            return f;
        }
        inside.push(a);
        let inside = if is_and { self.fs.and(inside) } else { self.fs.or(inside) };
        outside.push(self.fs.x(inside));
        if is_and { self.fs.and(outside) } else { self.fs.or(outside) }
    }

    /// `a & b` as one formula, when there is a rule for it.
    fn and_pair(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match (self.fs.node(a), self.fs.node(b)) {
            // X c & X d = X (c & d)
            (Node::X(c), Node::X(d)) => {
                let both = self.fs.and([c, d]);
                Some(self.fs.x(both))
            }
            // G c & G d = G (c & d), but eventualities stay apart: each has its promise
            (Node::G(c), Node::G(d)) if !self.eventual(c) && !self.eventual(d) => {
                let both = self.fs.and([c, d]);
                Some(self.fs.g(both))
            }
            // F G c & F G d = F G (c & d)
            (Node::F(c), Node::F(d)) => match (self.fs.node(c), self.fs.node(d)) {
                (Node::G(_), Node::G(_)) => {
                    let both = self.fs.and([c, d]);
                    Some(self.fs.f(both))
                }
                _ => None,
            },
            (Node::U(..), Node::U(..)) | (Node::W(..), Node::W(..)) => {
                self.join(a, b, SharedSide::SameRight, true)
            }
            (Node::R(..), Node::R(..)) | (Node::M(..), Node::M(..)) => {
                self.join(a, b, SharedSide::SameLeft, true)
            }
            // (c U d) & (e W d) = (c & e) U d
            (Node::U(c, d), Node::W(e, g)) if d == g => {
                let both = self.fs.and([c, e]);
                Some(self.fs.u(both, d))
            }
            // (c M d) & (c R e) = c M (d & e)
            (Node::M(c, d), Node::R(g, e)) if c == g => {
                let both = self.fs.and([d, e]);
                Some(self.fs.m(c, both))
            }
            // F d & (c W d) = c U d
            (Node::F(d), Node::W(c, g)) if d == g => Some(self.fs.u(c, d)),
            // F c & (c R d) = c M d
            (Node::F(c), Node::R(g, d)) if c == g => Some(self.fs.m(c, d)),
            // c & X G c = G c; d & X (c R d) waits for c
            (_, Node::X(x)) if self.fs.node(x) == Node::G(a) => Some(x),
            // d & (c | X (c R d)) = c R d
            (_, Node::Or(l)) => {
                let list = self.fs.list(l).to_vec();
                self.unrolled(&list, a, false)
            }
            _ => None,
        }
    }

    /// `a | b` as one formula, when there is a rule for it.
    fn or_pair(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match (self.fs.node(a), self.fs.node(b)) {
            // X c | X d = X (c | d)
            (Node::X(c), Node::X(d)) => {
                let either = self.fs.or([c, d]);
                Some(self.fs.x(either))
            }
            // F c | F d = F (c | d)
            (Node::F(c), Node::F(d)) => {
                let either = self.fs.or([c, d]);
                Some(self.fs.f(either))
            }
            // G F c | G F d = G F (c | d)
            (Node::G(c), Node::G(d)) => match (self.fs.node(c), self.fs.node(d)) {
                (Node::F(_), Node::F(_)) => {
                    let either = self.fs.or([c, d]);
                    Some(self.fs.g(either))
                }
                _ => None,
            },
            // F u | q = F (u | q)
            (Node::F(u), _) if self.universal(u) && self.suspendable(b) => {
                let either = self.fs.or([u, b]);
                Some(self.fs.f(either))
            }
            (Node::U(..), Node::U(..)) | (Node::W(..), Node::W(..)) => {
                self.join(a, b, SharedSide::SameLeft, false)
            }
            (Node::R(..), Node::R(..)) | (Node::M(..), Node::M(..)) => {
                self.join(a, b, SharedSide::SameRight, false)
            }
            // (c W d) | (c U e) = c W (d | e)
            (Node::W(c, d), Node::U(g, e)) if c == g => {
                let either = self.fs.or([d, e]);
                Some(self.fs.w(c, either))
            }
            // (c R d) | (e M d) = (c | e) R d
            (Node::R(c, d), Node::M(e, g)) if d == g => {
                let either = self.fs.or([c, e]);
                Some(self.fs.r(either, d))
            }
            // G c | (c U d) = c W d
            (Node::G(c), Node::U(g, d)) if c == g => Some(self.fs.w(c, d)),
            // G d | (c M d) = c R d
            (Node::G(d), Node::M(c, g)) if d == g => Some(self.fs.r(c, d)),
            // c | X F c = F c
            (_, Node::X(x)) if self.fs.node(x) == Node::F(a) => Some(x),
            // d | (c & X (c U d)) = c U d
            (_, Node::And(l)) => {
                let list = self.fs.list(l).to_vec();
                self.unrolled(&list, a, true)
            }
            _ => None,
        }
    }

    /// Recognises one unrolling of a temporal operator: `end` beside the operands `c` and
    /// `X (c op end)` of an inner list is `c op end`. For `until` the inner list is a
    /// conjunction (U, W), otherwise a disjunction (R, M).
    fn unrolled(&mut self, list: &[Formula], end: Formula, until: bool) -> Option<Formula> {
        let inner = list.iter().copied().filter_map(|g| match self.fs.node(g) {
            Node::X(x) => Some((g, x)),
            _ => None,
        });
        for (x, whole) in inner.collect::<Vec<_>>() {
            let keep = match (self.fs.node(whole), until) {
                (Node::U(c, d) | Node::W(c, d), true) if d == end => c,
                (Node::R(c, d) | Node::M(c, d), false) if d == end => c,
                _ => continue,
            };
            let rest: Vec<Formula> = list.iter().copied().filter(|&g| g != x).collect();
            let rest = if until { self.fs.and(rest) } else { self.fs.or(rest) };
            if rest == keep {
                return Some(whole);
            }
        }
        None
    }

    /// Joins two formulas with the same binary operator that share an operand.
    fn join(&mut self, a: Formula, b: Formula, join: SharedSide, is_and: bool) -> Option<Formula> {
        let (Node::U(c, d) | Node::R(c, d) | Node::W(c, d) | Node::M(c, d)) = self.fs.node(a)
        else {
            return None;
        };
        let (Node::U(e, g) | Node::R(e, g) | Node::W(e, g) | Node::M(e, g)) = self.fs.node(b)
        else {
            return None;
        };
        let mut together = |x, y| if is_and { self.fs.and([x, y]) } else { self.fs.or([x, y]) };
        let (left, right) = match join {
            SharedSide::SameRight if d == g => (together(c, e), d),
            SharedSide::SameLeft if c == e => (c, together(d, g)),
            _ => return None,
        };
        Some(match self.fs.node(a) {
            Node::U(..) => self.fs.u(left, right),
            Node::R(..) => self.fs.r(left, right),
            Node::W(..) => self.fs.w(left, right),
            _ => self.fs.m(left, right),
        })
    }
}
