//! Rewriting rules for the temporal operators.
//!
//! Letters in the comments: e is a pure eventuality (`e = F e`), u purely universal
//! (`u = G u`), q both (suspendable: `q = X q`). "f => g" is the syntactic implication of
//! [`crate::implication`]. Rules that depend on the style ask `splits()`. Each rule is one
//! line of algebra in its comment; the first rule that applies wins and the driver comes back
//! for more.

use crate::formula::{Formula, Node};
use crate::simplify::Rewriter;

impl Rewriter<'_> {
    pub(crate) fn rewrite_x(&mut self, f: Formula, a: Formula) -> Formula {
        // X q = q
        if self.suspendable(a) { a } else { f }
    }

    pub(crate) fn rewrite_f(&mut self, f: Formula, a: Formula) -> Formula {
        // F e = e
        if self.eventual(a) {
            return a;
        }
        match self.fs.node(a) {
            // F X b = X F b
            Node::X(b) => {
                let eventually = self.fs.f(b);
                self.fs.x(eventually)
            }
            // F (b U c) = F c
            Node::U(_, c) => self.fs.f(c),
            // F (b M c) = F (b & c)
            Node::M(b, c) => {
                let both = self.fs.and([b, c]);
                self.fs.f(both)
            }
            // F (b W c) = F (c | G b)
            Node::W(b, c) => {
                let always = self.fs.g(b);
                let either = self.fs.or([c, always]);
                self.fs.f(either)
            }
            // F (b R c) = F ((b & c) | G c)
            Node::R(b, c) if !self.splits() => {
                let (both, always) = (self.fs.and([b, c]), self.fs.g(c));
                let either = self.fs.or([both, always]);
                self.fs.f(either)
            }
            // F (b & q) = F b & q
            Node::And(l) => {
                let list = self.fs.list(l).to_vec();
                let (mut out, rest) = self.split(list, Self::suspendable);
                if out.is_empty() {
                    return f;
                }
                let rest = self.fs.and(rest);
                out.push(self.fs.f(rest));
                self.fs.and(out)
            }
            // F (b | e) = F b | e, but F (u | q) stays
            Node::Or(l) if !self.splits() => {
                let list = self.fs.list(l).to_vec();
                self.eventual_disjuncts_out(f, list)
            }
            // F G (b & X c) = F G (b & c), F G (b | e) = F (G b | G e)
            Node::G(b) => self.rewrite_fg(f, b),
            _ => f,
        }
    }

    fn eventual_disjuncts_out(&mut self, f: Formula, list: Vec<Formula>) -> Formula {
        let (mut out, mut rest) = self.split(list, Self::eventual);
        if rest.iter().all(|&g| self.universal(g)) {
            let (suspendable, others) = self.split(out, Self::suspendable);
            rest.extend(suspendable);
            out = others;
        }
        if out.is_empty() {
            return f;
        }
        let rest = self.fs.or(rest);
        out.push(self.fs.f(rest));
        self.fs.or(out)
    }

    fn rewrite_fg(&mut self, f: Formula, b: Formula) -> Formula {
        let conjuncts = self.conjuncts(b);
        let stripped: Vec<Formula> = conjuncts.iter().map(|&c| self.without_x(c)).collect();
        if stripped != conjuncts {
            let all = self.fs.and(stripped);
            let always = self.fs.g(all);
            return self.fs.f(always);
        }
        let disjuncts = self.disjuncts(b);
        let (eventual, rest) = self.split(disjuncts, Self::eventual);
        if eventual.is_empty() || rest.is_empty() {
            return f;
        }
        let (eventual, rest) = (self.fs.or(eventual), self.fs.or(rest));
        let (often, always) = (self.fs.g(eventual), self.fs.g(rest));
        let either = self.fs.or([often, always]);
        self.fs.f(either)
    }

    fn without_x(&self, f: Formula) -> Formula {
        match self.fs.node(f) {
            Node::X(a) => a,
            _ => f,
        }
    }

    pub(crate) fn rewrite_g(&mut self, f: Formula, a: Formula) -> Formula {
        // G u = u
        if self.universal(a) {
            return a;
        }
        match self.fs.node(a) {
            // G X b = X G b
            Node::X(b) => {
                let always = self.fs.g(b);
                self.fs.x(always)
            }
            // G (b R c) = G c
            Node::R(_, c) => self.fs.g(c),
            // G (b W c) = G (b | c)
            Node::W(b, c) => {
                let either = self.fs.or([b, c]);
                self.fs.g(either)
            }
            // G (b M c) = G c & G F b
            Node::M(b, c) => {
                let eventually = self.fs.f(b);
                let (often, always) = (self.fs.g(eventually), self.fs.g(c));
                self.fs.and([often, always])
            }
            // G (b U c) = G (b | c) & G F c
            Node::U(b, c) => {
                let eventually = self.fs.f(c);
                let either = self.fs.or([b, c]);
                let (often, always) = (self.fs.g(eventually), self.fs.g(either));
                self.fs.and([often, always])
            }
            // G (b | q) = G b | q
            Node::Or(l) => {
                let list = self.fs.list(l).to_vec();
                let (mut out, rest) = self.split(list, Self::suspendable);
                if out.is_empty() {
                    return f;
                }
                let rest = self.fs.or(rest);
                out.push(self.fs.g(rest));
                self.fs.or(out)
            }
            // G (b & e) = G b & G e; G (b & u) = G b & u
            Node::And(l) => {
                let list = self.fs.list(l).to_vec();
                let (out, rest) = self.split(list, |s, g| s.eventual(g) || s.universal(g));
                if out.is_empty() {
                    return f;
                }
                let mut all: Vec<Formula> = out.into_iter().map(|g| self.fs.g(g)).collect();
                let rest = self.fs.and(rest);
                all.push(self.fs.g(rest));
                self.fs.and(all)
            }
            // G F (b | X c) = G F (b | c), G F (b & u) = G F b & F u
            Node::F(b) => self.rewrite_gf(f, b),
            _ => f,
        }
    }

    fn rewrite_gf(&mut self, f: Formula, b: Formula) -> Formula {
        let disjuncts = self.disjuncts(b);
        let stripped: Vec<Formula> = disjuncts.iter().map(|&c| self.without_x(c)).collect();
        if stripped != disjuncts {
            let any = self.fs.or(stripped);
            let eventually = self.fs.f(any);
            return self.fs.g(eventually);
        }
        let conjuncts = self.conjuncts(b);
        let (universal, rest) = self.split(conjuncts, Self::universal);
        if universal.is_empty() || rest.is_empty() {
            return f;
        }
        let (universal, rest) = (self.fs.and(universal), self.fs.and(rest));
        let (finally, eventually) = (self.fs.f(universal), self.fs.f(rest));
        let often = self.fs.g(eventually);
        self.fs.and([finally, often])
    }

    pub(crate) fn rewrite_u(&mut self, f: Formula, a: Formula, b: Formula) -> Formula {
        // a U e = e; a => b: a U b = b
        if self.eventual(b) || self.implies(a, b) {
            return b;
        }
        // a U u = G (a | u) & F u
        if self.splits() && self.universal(b) {
            let either = self.fs.or([a, b]);
            let (always, eventually) = (self.fs.g(either), self.fs.f(b));
            return self.fs.and([always, eventually]);
        }
        // !a => b: a U b = F b
        if self.covers(a, b) {
            return self.fs.f(b);
        }
        // u U b = b | (u & F b)
        if self.splits() && self.universal(a) {
            let eventually = self.fs.f(b);
            let meanwhile = self.fs.and([a, eventually]);
            return self.fs.or([b, meanwhile]);
        }
        match (self.fs.node(a), self.fs.node(b)) {
            // X c U X d = X (c U d)
            (Node::X(c), Node::X(d)) => {
                let until = self.fs.u(c, d);
                return self.fs.x(until);
            }
            // a => c: a U (c U d) = c U d; c => a: a U (c U d) = a U d
            (_, Node::U(c, d)) => {
                if self.implies(a, c) {
                    return b;
                }
                if self.implies(c, a) {
                    return self.fs.u(a, d);
                }
            }
            // a => c: a U (c W d) = c W d
            (_, Node::W(c, _)) if self.implies(a, c) => return b,
            // (c U b) U b = c U b; (c W b) U b = c U b
            (Node::U(c, d) | Node::W(c, d), _) if d == b => return self.fs.u(c, b),
            // a U (a & c) = c M a
            (_, Node::And(l)) if self.fs.list(l).contains(&a) => {
                let rest: Vec<_> = self.fs.list(l).iter().copied().filter(|&g| g != a).collect();
                let rest = self.fs.and(rest);
                return self.fs.m(rest, a);
            }
            _ => {}
        }
        // (c | d) U b = c U b if d => b
        if let Some(less) = self.without_disjuncts_implying(a, b) {
            return self.fs.u(less, b);
        }
        // a U (c | e) = (a U c) | e
        let disjuncts = self.disjuncts(b);
        let (mut out, rest) = self.split(disjuncts, Self::eventual);
        if !out.is_empty() {
            let rest = self.fs.or(rest);
            out.push(self.fs.u(a, rest));
            return self.fs.or(out);
        }
        // a U (c & q) = (a U c) & q
        let conjuncts = self.conjuncts(b);
        let (mut out, rest) = self.split(conjuncts, Self::suspendable);
        if !out.is_empty() {
            let rest = self.fs.and(rest);
            out.push(self.fs.u(a, rest));
            return self.fs.and(out);
        }
        f
    }

    pub(crate) fn rewrite_w(&mut self, f: Formula, a: Formula, b: Formula) -> Formula {
        // a => b: a W b = b
        if self.implies(a, b) {
            return b;
        }
        // !a => b: a W b = true
        if self.covers(a, b) {
            return Formula::TRUE;
        }
        // u W b = u | b
        if self.universal(a) {
            return self.fs.or([a, b]);
        }
        // a W e = G a | e
        if self.splits() && self.eventual(b) {
            let always = self.fs.g(a);
            return self.fs.or([always, b]);
        }
        match (self.fs.node(a), self.fs.node(b)) {
            // X c W X d = X (c W d)
            (Node::X(c), Node::X(d)) => {
                let until = self.fs.w(c, d);
                return self.fs.x(until);
            }
            // a => c: a W (c W d) = c W d; c => a: a W (c W d) = a W d
            (_, Node::W(c, d)) => {
                if self.implies(a, c) {
                    return b;
                }
                if self.implies(c, a) {
                    return self.fs.w(a, d);
                }
            }
            // c => a: a W (c U d) = a W d
            (_, Node::U(c, d)) if self.implies(c, a) => return self.fs.w(a, d),
            // (c W b) W b = c W b
            (Node::W(_, d), _) if d == b => return a,
            // a W (a & c) = c R a
            (_, Node::And(l)) if self.fs.list(l).contains(&a) => {
                let rest: Vec<_> = self.fs.list(l).iter().copied().filter(|&g| g != a).collect();
                let rest = self.fs.and(rest);
                return self.fs.r(rest, a);
            }
            _ => {}
        }
        // (c | d) W b = c W b if d => b
        if let Some(less) = self.without_disjuncts_implying(a, b) {
            return self.fs.w(less, b);
        }
        // a W (c | e) = (a W c) | e
        let disjuncts = self.disjuncts(b);
        let (mut out, rest) = self.split(disjuncts, Self::eventual);
        if !out.is_empty() && !rest.is_empty() {
            let rest = self.fs.or(rest);
            out.push(self.fs.w(a, rest));
            return self.fs.or(out);
        }
        f
    }

    /// `a` without the disjuncts that imply `b`, if there are such and others.
    fn without_disjuncts_implying(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        let disjuncts = self.disjuncts(a);
        let (dropped, rest) = self.split(disjuncts, |s, d| s.implies(d, b));
        (!dropped.is_empty()).then(|| self.fs.or(rest))
    }

    /// `a` without the conjuncts that `b` implies, if there are such.
    fn without_conjuncts_implied(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        let conjuncts = self.conjuncts(a);
        let (dropped, rest) = self.split(conjuncts, |s, c| s.implies(b, c));
        (!dropped.is_empty()).then(|| self.fs.and(rest))
    }

    pub(crate) fn rewrite_r(&mut self, f: Formula, a: Formula, b: Formula) -> Formula {
        // a R u = u; b => a: a R b = b
        if self.universal(b) || self.implies(b, a) {
            return b;
        }
        // a => !b: a R b = G b
        if self.excludes(a, b) {
            return self.fs.g(b);
        }
        // e R b = G b | (e & b)
        if self.splits() && self.eventual(a) {
            let (always, both) = (self.fs.g(b), self.fs.and([a, b]));
            return self.fs.or([always, both]);
        }
        match (self.fs.node(a), self.fs.node(b)) {
            // X c R X d = X (c R d)
            (Node::X(c), Node::X(d)) => {
                let release = self.fs.r(c, d);
                return self.fs.x(release);
            }
            // c => a: a R (c R d) = c R d; a => c: a R (c R d) = a R d
            (_, Node::R(c, d)) => {
                if self.implies(c, a) {
                    return b;
                }
                if self.implies(a, c) {
                    return self.fs.r(a, d);
                }
            }
            // c => a: a R (c M d) = c M d
            (_, Node::M(c, _)) if self.implies(c, a) => return b,
            // (c R b) R b = c R b; (c M b) R b = c R b
            (Node::R(c, d) | Node::M(c, d), _) if d == b => return self.fs.r(c, b),
            // a R (a | c) = c W a
            (_, Node::Or(l)) if self.fs.list(l).contains(&a) => {
                let rest: Vec<_> = self.fs.list(l).iter().copied().filter(|&g| g != a).collect();
                let rest = self.fs.or(rest);
                return self.fs.w(rest, a);
            }
            _ => {}
        }
        // (c & d) R b = c R b if b => d
        if let Some(less) = self.without_conjuncts_implied(a, b) {
            return self.fs.r(less, b);
        }
        // a R (c & u) = (a R c) & u
        let conjuncts = self.conjuncts(b);
        let (mut out, rest) = self.split(conjuncts, Self::universal);
        if !out.is_empty() {
            let rest = self.fs.and(rest);
            out.push(self.fs.r(a, rest));
            return self.fs.and(out);
        }
        // a R (c | q) = (a R c) | q
        let disjuncts = self.disjuncts(b);
        let (mut out, rest) = self.split(disjuncts, Self::suspendable);
        if !out.is_empty() {
            let rest = self.fs.or(rest);
            out.push(self.fs.r(a, rest));
            return self.fs.or(out);
        }
        f
    }

    pub(crate) fn rewrite_m(&mut self, f: Formula, a: Formula, b: Formula) -> Formula {
        // b => a: a M b = b
        if self.implies(b, a) {
            return b;
        }
        // a => !b: a M b = false
        if self.excludes(a, b) {
            return Formula::FALSE;
        }
        // e M b = e & b
        if self.eventual(a) {
            return self.fs.and([a, b]);
        }
        // a M u = F a & u
        if self.splits() && self.universal(b) {
            let eventually = self.fs.f(a);
            return self.fs.and([eventually, b]);
        }
        match (self.fs.node(a), self.fs.node(b)) {
            // X c M X d = X (c M d)
            (Node::X(c), Node::X(d)) => {
                let release = self.fs.m(c, d);
                return self.fs.x(release);
            }
            // c => a: a M (c M d) = c M d; a => c: a M (c M d) = a M d
            (_, Node::M(c, d)) => {
                if self.implies(c, a) {
                    return b;
                }
                if self.implies(a, c) {
                    return self.fs.m(a, d);
                }
            }
            // a => c: a M (c R d) = a M d
            (_, Node::R(c, d)) if self.implies(a, c) => return self.fs.m(a, d),
            // (c M b) M b = c M b
            (Node::M(_, d), _) if d == b => return a,
            // a M (a | c) = c U a
            (_, Node::Or(l)) if self.fs.list(l).contains(&a) => {
                let rest: Vec<_> = self.fs.list(l).iter().copied().filter(|&g| g != a).collect();
                let rest = self.fs.or(rest);
                return self.fs.u(rest, a);
            }
            _ => {}
        }
        // (c & d) M b = c M b if b => d
        if let Some(less) = self.without_conjuncts_implied(a, b) {
            return self.fs.m(less, b);
        }
        // a M (c & u) = (a M c) & u
        let conjuncts = self.conjuncts(b);
        let (mut out, rest) = self.split(conjuncts, Self::universal);
        if !out.is_empty() && !rest.is_empty() {
            let rest = self.fs.and(rest);
            out.push(self.fs.m(a, rest));
            return self.fs.and(out);
        }
        // (c & q) M b = (c M b) & q
        let conjuncts = self.conjuncts(a);
        let (mut out, rest) = self.split(conjuncts, Self::suspendable);
        if !out.is_empty() {
            let rest = self.fs.and(rest);
            out.push(self.fs.m(rest, b));
            return self.fs.and(out);
        }
        f
    }
}
