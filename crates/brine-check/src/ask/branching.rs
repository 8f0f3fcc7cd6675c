//! A formula of CTL: what can be said about runs first, then all markings.
//!
//! *Stripped.* Let `L(f)` be f without path quantifiers, a formula of LTL; `L(!f) = !L(f)`. Negations
//! pushed inward, f has quantifiers `E` and `A`. For a formula without `X`, where m is a marking:
//!
//! 1. f has no `A`, and some run from m satisfies `L(f)`: m satisfies f. The run itself shows each
//!    `E` on the way. (By induction: a run that satisfies `L(g)` from position i shows that its
//!    marking i satisfies g.)
//! 2. f has no `E`, and some run from m violates `L(f)`: m does not satisfy f. This is 1 for `!f`.
//! 3. f is `A` over a path formula whose operands have no `A`, and all runs satisfy `L(f)`: so does
//!    f, since by 1 operands hold wherever runs say so.
//! 4. f is `E` over a path formula whose operands have no `E`, and no run satisfies `L(f)`: f does
//!    not hold. This is 3 for `!f`.
//! 5. f is `EF g` (or `AG g`, the negation of `EF !g`), and a dead marking that satisfies `L(g)` can
//!    be reached: f holds. From a dead marking there is one maximal path, so quantifiers say nothing.
//! 6. f is `E(_ U g)`, where g is `A` over a path formula without quantifiers: if all runs satisfy
//!    `L(g)`, the initial marking satisfies g, and so f.
//!
//! Each is a question about all runs, one of whose answers decides f. A boolean combination is
//! taken apart first: the initial marking satisfies it or not by what its operands are worth there. For `AG EF f`, which says that
//! f can always become true again, these are `G F f` (3), a dead marking without f (5), and whether f
//! can become true at all (6).

use super::Asker;
use crate::budget::Budget;
use crate::decide::{DecideError, Decision};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{Ctl, CtlId, CtlNode, Formula, Formulas};

/// Questions about all runs that may decide a formula of CTL, or parts of it.
pub(super) struct QuickQuestions<C> {
    /// The formula, of which only what is outside of path operators is looked at here.
    ctl: Ctl,
    /// The largest parts that have no boolean operator outside, by their nodes.
    parts: Vec<QuickPart<C>>,
}

/// A part of the formula: the initial marking satisfies it or not.
struct QuickPart<C> {
    at: CtlId,
    value: Option<bool>,
    open: Vec<(C, QuickRule)>,
}

/// Which verdict about all runs decides, and what it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct QuickRule {
    /// It holds for all runs, or it does not.
    verdict: bool,
    says: bool,
}

impl<C> QuickQuestions<C> {
    pub(super) fn new<A: Asker<Case = C>>(asker: &mut A, fs: &Formulas, ctl: &Ctl) -> Self {
        let mut fs = fs.clone();
        let mut of_part = |at: CtlId| {
            let questions = questions(&mut fs, &ctl.part(at));
            let begin = |(f, rule): (Formula, QuickRule)| (asker.begin(&fs, f), rule);
            QuickPart { at, value: None, open: questions.into_iter().map(begin).collect() }
        };
        let parts = parts(ctl).into_iter().map(&mut of_part).collect();
        QuickQuestions { ctl: ctl.clone(), parts }
    }

    /// Whether none is open.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.open.is_empty())
    }

    /// Goes on with all of them; the answer and the decision behind it, if one decides.
    pub(super) fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<Option<(bool, Decision)>, DecideError> {
        for i in 0..self.parts.len() {
            let Some(decision) = self.parts[i].advance(asker, budget, held)? else { continue };
            if let Some(value) = self.value(self.ctl.root()) {
                // A run shows the whole only if there is nothing but this part.
                let whole = self.parts[i].at == self.ctl.root();
                let verdict = Verdict::Unknown(Reason::Steps);
                let decision = if whole { decision } else { Decision { verdict, ..decision } };
                return Ok(Some((value, decision)));
            }
        }
        Ok(None)
    }

    /// What the parts that are known make of a node outside of path operators.
    fn value(&self, at: CtlId) -> Option<bool> {
        let combined = |list: &[CtlId], decides: bool| {
            let values: Vec<Option<bool>> = list.iter().map(|&o| self.value(o)).collect();
            match (values.contains(&Some(decides)), values.contains(&None)) {
                (true, _) => Some(decides),
                (false, true) => None,
                (false, false) => Some(!decides),
            }
        };
        match &self.ctl.nodes()[at] {
            CtlNode::Not(f) if !is_quantified(&self.ctl, at) => self.value(*f).map(|f| !f),
            CtlNode::And(list) => combined(list, false),
            CtlNode::Or(list) => combined(list, true),
            _ => self.parts.iter().find(|part| part.at == at).and_then(|part| part.value),
        }
    }
}

impl<C> QuickPart<C> {
    /// Goes on with the questions of this part; the decision behind its value, once there is one.
    fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<Option<Decision>, DecideError> {
        let mut i = 0;
        while i < self.open.len() {
            let (case, rule) = &mut self.open[i];
            let decision = asker.advance(case, budget, held)?;
            let verdict = match decision.verdict {
                Verdict::Holds => true,
                Verdict::Violated(_) => false,
                Verdict::Unknown(_) => {
                    i += 1;
                    continue;
                }
            };
            if verdict == rule.verdict {
                self.value = Some(rule.says);
                self.open.clear();
                return Ok(Some(decision));
            }
            self.open.remove(i);
        }
        Ok(None)
    }
}

/// Whether a node is the negation of a path, which is a path with the other quantifier.
fn is_quantified(ctl: &Ctl, at: CtlId) -> bool {
    let CtlNode::Not(f) = ctl.nodes()[at] else { return false };
    matches!(ctl.nodes()[f], CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_))
}

/// The largest parts of a formula that have no boolean operator outside.
fn parts(ctl: &Ctl) -> Vec<CtlId> {
    let (mut parts, mut open) = (Vec::new(), vec![ctl.root()]);
    while let Some(at) = open.pop() {
        match &ctl.nodes()[at] {
            CtlNode::Not(f) if !is_quantified(ctl, at) => open.push(*f),
            CtlNode::And(list) | CtlNode::Or(list) => open.extend(list),
            _ if !parts.contains(&at) => parts.push(at),
            _ => (),
        }
    }
    parts
}

/// What a node is without its quantifiers.
#[derive(Clone, Copy, Debug)]
struct StrippedNode {
    formula: Formula,
    /// Quantifiers, when negations are pushed inward.
    exists: bool,
    all: bool,
}

impl StrippedNode {
    fn negation(self, fs: &mut Formulas) -> Self {
        StrippedNode { formula: fs.not(self.formula), exists: self.all, all: self.exists }
    }
}

/// The questions, each with what it may say.
fn questions(fs: &mut Formulas, ctl: &Ctl) -> Vec<(Formula, QuickRule)> {
    let nodes = ctl.nodes();
    if nodes.iter().any(|node| matches!(node, CtlNode::ExistsNext(_))) {
        return Vec::new();
    }
    let stripped = stripped(fs, ctl);
    let root = stripped[ctl.root()];
    let negation = fs.not(root.formula);
    let mut list = Vec::new();
    let mut ask = |f: Formula, verdict: bool, says: bool| {
        list.push((f, QuickRule { verdict, says }));
    };
    if !root.all {
        ask(negation, false, true);
    }
    if !root.exists {
        ask(root.formula, false, false);
    }
    let (at, negated) = match nodes[ctl.root()] {
        CtlNode::Not(f) => (f, true),
        _ => (ctl.root(), false),
    };
    // `at` is `E` over a path formula, or the formula is `A` over one.
    let operands: Vec<StrippedNode> = nodes[at].operands().iter().map(|&o| stripped[o]).collect();
    match nodes[at] {
        CtlNode::ExistsUntil(f, g) => {
            // The operands of an `A` are those of the `E`, negated.
            if operands.iter().all(|o| !o.exists) {
                let positive = if negated { root.formula } else { negation };
                ask(positive, true, negated);
            }
            let until = stripped[g];
            if nodes[f] == CtlNode::State(Formula::TRUE) && (until.exists || until.all) {
                let dead = fs.deadlock();
                let ends = fs.and([dead, until.formula]);
                let never = fs.not(ends);
                let never = fs.g(never);
                ask(never, false, !negated);
            }
            if is_universal(ctl, g) {
                ask(until.formula, true, !negated);
            }
        }
        CtlNode::ExistsGlobally(_) if operands.iter().all(|o| !o.exists) => {
            let positive = if negated { root.formula } else { negation };
            ask(positive, true, negated);
        }
        _ => (),
    }
    list
}

/// Whether a node is `A` over a path formula without quantifiers.
fn is_universal(ctl: &Ctl, at: CtlId) -> bool {
    let nodes = ctl.nodes();
    let CtlNode::Not(path) = nodes[at] else { return false };
    let is_path = matches!(nodes[path], CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_));
    is_path && nodes[path].operands().iter().all(|&o| matches!(nodes[o], CtlNode::State(_)))
}

/// All nodes without quantifiers.
fn stripped(fs: &mut Formulas, ctl: &Ctl) -> Vec<StrippedNode> {
    let mut made: Vec<StrippedNode> = Vec::with_capacity(ctl.nodes().len());
    for node in ctl.nodes() {
        let of: Vec<StrippedNode> = node.operands().iter().map(|&o| made[o]).collect();
        let formulas: Vec<Formula> = of.iter().map(|o| o.formula).collect();
        let (exists, all) = (of.iter().any(|o| o.exists), of.iter().any(|o| o.all));
        made.push(match node {
            CtlNode::State(f) => StrippedNode { formula: *f, exists: false, all: false },
            CtlNode::Not(_) => of[0].negation(fs),
            CtlNode::And(_) => StrippedNode { formula: fs.and(formulas), exists, all },
            CtlNode::Or(_) => StrippedNode { formula: fs.or(formulas), exists, all },
            CtlNode::ExistsUntil(..) => {
                StrippedNode { formula: fs.u(formulas[0], formulas[1]), exists: true, all }
            }
            CtlNode::ExistsGlobally(_) => {
                StrippedNode { formula: fs.g(formulas[0]), exists: true, all }
            }
            CtlNode::ExistsNext(_) => unreachable!("nothing is asked about steps"),
        });
    }
    made
}
