//! Who answers questions about all runs of one net: a plain one, or a coloured one.
//!
//! Other questions are asked in terms of these ([`super`]), and need not know which kind of net it
//! is, nor whether one engine answers or all of them.

use crate::auto::{Case, Stages};
use crate::branching::{AllMarkings, MarkingsAnswer, MarkingsQuestion, MarkingsWays};
use crate::budget::Budget;
use crate::coloured::{
    ColouredAuto, ColouredCase, ColouredModel, ColouredProperty, ColouredQuestion, restate_question,
};
use crate::decide::{DecideError, Decision, Property, decide};
use crate::follow::{Candidate, FollowedNode};
use crate::spec::Decider;
use crate::verdict::Reason;
use brine_explicit::local::LocalValues;
use brine_ltl::{Ctl, Expression, Formula, Formulas, Overflow};
use brine_net::{Net, Run, Structure};
use brine_run::{Search, Shelf};
use std::ops::Deref;

/// Answers questions about all runs of one net.
pub trait Asker {
    /// A search for an answer that can be left and taken up again.
    type Case;

    /// A new question: do all runs satisfy the formula?
    fn begin(&mut self, formulas: &Formulas, formula: Formula) -> Self::Case;

    /// A boolean combination of atoms that is true in the same reachable markings: simpler, if
    /// something is known.
    fn simplify_state(&mut self, _: &mut Formulas, formula: Formula, _: &Budget) -> Formula {
        formula
    }

    /// Goes on with a question; `held` is how many bytes its search may hold while it is left.
    fn advance(
        &mut self,
        case: &mut Self::Case,
        budget: &Budget,
        held: u64,
    ) -> Result<Decision, DecideError>;

    /// The most that a sum comes to on a run that was found, if that can be told.
    fn highest(&self, _: &Expression, _: &Run) -> Option<i64> {
        None
    }

    /// Whether all reachable markings can be asked; `beside`, whether they are to be where runs
    /// answer as well.
    fn asks_markings(&self, beside: bool) -> bool;

    /// Asks all reachable markings; the engine that has them.
    fn ask_markings(
        &mut self,
        formulas: &Formulas,
        question: &MarkingsQuestion,
        budget: &Budget,
    ) -> Result<(MarkingsAnswer, &'static str), Reason>;

    /// What the markings around the initial one say about a formula, if they tell within the
    /// budget; what was found is kept in `values` for the next time.
    fn look_around(
        &mut self,
        formulas: &Formulas,
        ctl: &Ctl,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Option<bool>;

    /// What comes of looking closely at the markings of a run from the initial marking that may show
    /// a node, or of asking about others.
    fn follow(
        &mut self,
        node: FollowedNode<'_>,
        candidate: Candidate<'_>,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Result<Option<bool>, DecideError>;

    /// Whether it is proved that every reachable marking leads to every other.
    fn always_returns(&mut self, budget: &Budget) -> Result<bool, DecideError>;
}

/// A formula and its store.
#[derive(Debug)]
pub struct StoredFormula {
    formulas: Formulas,
    formula: Formula,
}

/// Answers about a plain net.
pub struct PlainAsker<'n> {
    net: &'n Net,
    decider: Decider<'n>,
    shelf: &'n Shelf<StoredFormula>,
    markings: Option<AllMarkings<'n>>,
}

impl<'n> PlainAsker<'n> {
    /// Has questions decided; formulas are put on the shelf.
    pub fn new(net: &'n Net, decider: Decider<'n>, shelf: &'n Shelf<StoredFormula>) -> Self {
        PlainAsker { net, decider, shelf, markings: None }
    }

    /// The same, which may find all reachable markings in these ways.
    pub fn with_markings(
        self,
        structure: &'n dyn Deref<Target = Structure>,
        ways: MarkingsWays,
    ) -> Self {
        let markings = AllMarkings::new(self.net, structure, ways);
        PlainAsker { markings: Some(markings), ..self }
    }

    /// Has them decided by another one from now on.
    pub fn replace(&mut self, decider: Decider<'n>) {
        self.decider = decider;
    }

    /// Who decides.
    pub fn decider(&self) -> &Decider<'n> {
        &self.decider
    }
}

/// A question about a plain net.
pub enum PlainAsked<'n> {
    /// The searches of `auto` go on.
    Auto(Box<Case<'n>>),
    /// An engine begins a question anew in each turn.
    Engine(Property<'n>),
}

impl<'n> Asker for PlainAsker<'n> {
    type Case = PlainAsked<'n>;

    fn begin(&mut self, formulas: &Formulas, formula: Formula) -> PlainAsked<'n> {
        let stored = self.shelf.put(StoredFormula { formulas: formulas.clone(), formula });
        let property = Property { net: self.net, formulas: &stored.formulas, formula };
        debug_assert_eq!(stored.formula, formula);
        match &self.decider {
            Decider::Auto(auto) => PlainAsked::Auto(Box::new(auto.case(property))),
            Decider::Engine(_) => PlainAsked::Engine(property),
        }
    }

    fn advance(
        &mut self,
        case: &mut PlainAsked<'n>,
        budget: &Budget,
        held: u64,
    ) -> Result<Decision, DecideError> {
        match (case, &mut self.decider) {
            (PlainAsked::Auto(case), _) => {
                let result = case.advance(&budget.search_control());
                case.hold_at_most(held);
                result
            }
            (PlainAsked::Engine(property), Decider::Engine(engine)) => {
                decide(&mut **engine, *property, budget)
            }
            (PlainAsked::Engine(property), Decider::Auto(auto)) => auto.decide(*property, budget),
        }
    }

    fn simplify_state(
        &mut self,
        formulas: &mut Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Formula {
        match &self.decider {
            Decider::Auto(auto) => auto.simplify_state(formulas, formula, budget),
            Decider::Engine(_) => formula,
        }
    }

    fn highest(&self, sum: &Expression, run: &Run) -> Option<i64> {
        let mut marking = self.net.initial_marking();
        let value = |marking: &[u32]| {
            let mut terms = sum.terms.iter();
            terms.try_fold(sum.constant, |value, &(p, factor)| {
                value.checked_add(factor.checked_mul(i64::from(marking[p.index()]))?)
            })
        };
        let mut most = value(&marking)?;
        for t in run.steps() {
            if !self.net.fire_in_place(t, &mut marking) {
                return None;
            }
            most = most.max(value(&marking)?);
        }
        Some(most)
    }

    fn asks_markings(&self, beside: bool) -> bool {
        // An engine that was named answers by itself.
        self.markings.is_some() && (!beside || matches!(self.decider, Decider::Auto(_)))
    }

    fn ask_markings(
        &mut self,
        formulas: &Formulas,
        question: &MarkingsQuestion,
        budget: &Budget,
    ) -> Result<(MarkingsAnswer, &'static str), Reason> {
        let Some(markings) = &mut self.markings else { return Err(Reason::Steps) };
        markings.answer(formulas, question, &budget.search_control())
    }

    fn look_around(
        &mut self,
        formulas: &Formulas,
        ctl: &Ctl,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Option<bool> {
        let control = budget.search_control();
        self.markings.as_mut()?.look_around(formulas, ctl, values, &control)
    }

    fn follow(
        &mut self,
        node: FollowedNode<'_>,
        candidate: Candidate<'_>,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Result<Option<bool>, DecideError> {
        match (&mut self.markings, &self.decider) {
            (Some(markings), Decider::Auto(auto)) => {
                markings.follow(node, candidate, values, auto.stages(), budget)
            }
            _ => Ok(None),
        }
    }

    fn always_returns(&mut self, budget: &Budget) -> Result<bool, DecideError> {
        match (&mut self.markings, &self.decider) {
            (Some(markings), Decider::Auto(auto)) => markings.always_returns(auto.stages(), budget),
            _ => Ok(false),
        }
    }
}

/// Answers about a coloured net; formulas speak of coloured places and transitions.
pub struct ColouredAsker<'n> {
    model: &'n ColouredModel,
    auto: ColouredAuto<'n>,
    formulas: &'n Shelf<Formulas>,
    questions: &'n Shelf<ColouredQuestion<'n>>,
    /// Those of the unfolded net, once there is one.
    markings: Option<AllMarkings<'n>>,
}

impl<'n> ColouredAsker<'n> {
    /// Has questions decided; formulas and questions are put on the shelves.
    pub fn new(
        model: &'n ColouredModel,
        auto: ColouredAuto<'n>,
        formulas: &'n Shelf<Formulas>,
        questions: &'n Shelf<ColouredQuestion<'n>>,
    ) -> Self {
        ColouredAsker { model, auto, formulas, questions, markings: None }
    }
}

impl<'n> Asker for ColouredAsker<'n> {
    type Case = Box<ColouredCase<'n>>;

    fn begin(&mut self, formulas: &Formulas, formula: Formula) -> Box<ColouredCase<'n>> {
        let formulas = self.formulas.put(formulas.clone());
        let property = ColouredProperty { net: self.model.net(), formulas, formula };
        let question = self.questions.put(ColouredQuestion::new(property));
        Box::new(self.auto.case(question))
    }

    fn advance(
        &mut self,
        case: &mut Box<ColouredCase<'n>>,
        budget: &Budget,
        held: u64,
    ) -> Result<Decision, DecideError> {
        let result = case.advance(&budget.search_control());
        case.hold_at_most(held);
        result
    }
    fn asks_markings(&self, _: bool) -> bool {
        true
    }

    fn ask_markings(
        &mut self,
        formulas: &Formulas,
        question: &MarkingsQuestion,
        budget: &Budget,
    ) -> Result<(MarkingsAnswer, &'static str), Reason> {
        let control = budget.search_control();
        let (unfolded, structure) = self.model.plain_net(&control)?;
        let markings = self.markings.get_or_insert_with(|| {
            AllMarkings::new(&unfolded.net, structure, MarkingsWays::default())
        });
        let mut formulas = formulas.clone();
        let restated = restate_question(&mut formulas, question, &unfolded.groups);
        let (question, idle) = restated.map_err(|Overflow| Reason::overflow())?;
        let (answer, engine) = markings.answer(&formulas, &question, &control)?;
        let with_idle = |((least, most), idle): ((i64, i64), i64)| {
            (least.saturating_add(idle), most.saturating_add(idle))
        };
        let answer = match answer {
            MarkingsAnswer::Extent(least, most) => {
                let (least, most) = with_idle(((least, most), idle[0]));
                MarkingsAnswer::Extent(least, most)
            }
            MarkingsAnswer::Extents(extents) => {
                MarkingsAnswer::Extents(extents.into_iter().zip(idle).map(with_idle).collect())
            }
            other => other,
        };
        Ok((answer, engine))
    }

    fn look_around(
        &mut self,
        formulas: &Formulas,
        ctl: &Ctl,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Option<bool> {
        let control = budget.search_control();
        let (unfolded, structure) = self.model.plain_net(&control).ok()?;
        let markings = self.markings.get_or_insert_with(|| {
            AllMarkings::new(&unfolded.net, structure, MarkingsWays::default())
        });
        let mut formulas = formulas.clone();
        let question = MarkingsQuestion::Satisfies(ctl.clone());
        // The operators are the same in every restatement, and so are their values.
        let restated = restate_question(&mut formulas, &question, &unfolded.groups).ok()?;
        let (MarkingsQuestion::Satisfies(ctl), _) = restated else { return None };
        markings.look_around(&formulas, &ctl, values, &control)
    }

    /// Runs are those of parts of the unfolded net, so they are not followed.
    fn follow(
        &mut self,
        node: FollowedNode<'_>,
        _: Candidate<'_>,
        values: &mut LocalValues,
        budget: &Budget,
    ) -> Result<Option<bool>, DecideError> {
        let Ok((unfolded, structure)) = self.model.plain_net(&budget.control()) else {
            return Ok(None);
        };
        let markings = self.markings.get_or_insert_with(|| {
            AllMarkings::new(&unfolded.net, structure, MarkingsWays::default())
        });
        let mut formulas = node.formulas.clone();
        let question = MarkingsQuestion::Satisfies(node.ctl.clone());
        let restated = restate_question(&mut formulas, &question, &unfolded.groups);
        let Ok((MarkingsQuestion::Satisfies(ctl), _)) = restated else { return Ok(None) };
        let node = FollowedNode { formulas: &formulas, ctl: &ctl, at: node.at };
        markings.follow(node, Candidate::Open, values, Stages::default(), budget)
    }

    fn always_returns(&mut self, budget: &Budget) -> Result<bool, DecideError> {
        let Ok((unfolded, structure)) = self.model.plain_net(&budget.control()) else {
            return Ok(false);
        };
        let markings = self.markings.get_or_insert_with(|| {
            AllMarkings::new(&unfolded.net, structure, MarkingsWays::default())
        });
        markings.always_returns(Stages::default(), budget)
    }
}
