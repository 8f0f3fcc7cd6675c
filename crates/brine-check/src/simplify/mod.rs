//! A property against its net: what can be decided without looking at the state space.
//!
//! ```text
//! simplify(formula):
//!     replace atoms by what they are worth in this net      (atoms, knowledge)
//!     use the values of all atoms at the start              (start)
//!     forget letters that no reachable marking has          (letters)
//!     follow the first steps of all runs                    (unfold)
//!     look for components where runs can stay for ever      (recurrence)
//!     all but the first again, as long as the formula changes
//! ```
//!
//! The result is equivalent to the formula on every run of the net, so a constant is an
//! answer: `true` means that the property holds, `false` that every run violates it. What is
//! used are facts about all reachable markings, each one proved: bounds and dead
//! transitions of [`brine_net::Structure`], the state equation with exact certificates
//! ([`brine_reduce::state_equation`]), and the initial marking itself.
//!
//! The net may be one that only over-approximates the runs in question, the skeleton of a coloured
//! net: `view` says what may be assumed then, and every other file asks there.
//!
//! Everything that one formula learns about the net is kept for the next one. How much time
//! goes into it is up to the caller's [`Budget`]; when it is over, the formula is returned as far
//! as it got. See `docs/simplification.md`.

mod atoms;
mod cubes;
mod knowledge;
mod letters;
mod needs;
mod recurrence;
mod sample;
mod start;
mod unfold;
mod vacuity;
mod view;

pub use knowledge::Impossibility;
pub(crate) use vacuity::left_sides;
pub(crate) use view::NetView;

use crate::budget::Budget;
use crate::decide::Property;
use crate::restate::Restatement;
use brine_ltl::{Atom, Conjunction, Formula, Formulas, Translations};
use brine_net::{Net, Run, Structure};
use brine_reduce::state_equation::EquationStats;
use brine_run::{Control, Stop};
pub(crate) use knowledge::Knowledge;
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Times that the initial marking and the letters are used in turn.
const ROUNDS: usize = 3;

/// One thing that was found out and used.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// The atom has this value in every reachable marking.
    Constant {
        /// The atom.
        atom: Atom,
        /// Its value.
        value: bool,
        /// Why it cannot have the other one.
        reason: Impossibility,
    },
    /// The atom speaks of places that never change or of transitions that do not matter, and
    /// was replaced by a smaller one.
    Smaller(Atom),
    /// The values of the atoms in the initial marking made the formula smaller.
    Start,
    /// No reachable marking satisfies all of these literals.
    Excluded {
        /// The literals.
        literals: Conjunction,
        /// Why.
        reason: Impossibility,
    },
    /// The formula was rewritten with what is known about its atoms.
    Rewritten,
    /// The automaton of the negation has no run over the letters that can occur.
    NoViolation,
    /// The automaton of the formula has no run over the letters that can occur.
    NoModel,
    /// One of the two automata gets stuck on the first steps of every run.
    FirstSteps,
    /// One of the two automata has no component in which a run of the net can stay.
    NoRecurrence,
}

/// A formula after simplification.
#[derive(Clone, Debug)]
pub struct SimplifiedFormula {
    /// The store of the formula.
    pub formulas: Formulas,
    /// Equivalent to the original formula on every run that was asked about.
    pub formula: Formula,
    /// What no reachable marking satisfies: to be passed on to the translation, as
    /// [`brine_ltl::Options::excluded`].
    pub excluded: Vec<Conjunction>,
    /// What was found out, in order.
    pub findings: Vec<Finding>,
}

impl SimplifiedFormula {
    /// The verdict, if the formula became a constant: does it hold on all runs (`true`) or on
    /// none (`false`)?
    pub fn constant(&self) -> Option<bool> {
        match self.formula {
            Formula::TRUE => Some(true),
            Formula::FALSE => Some(false),
            _ => None,
        }
    }
}

/// A formula after simplification, with the net whose runs it is about.
#[derive(Clone, Debug)]
pub struct Simplified<'a> {
    /// The net, as it was.
    pub net: &'a Net,
    /// What became of the formula.
    pub now: SimplifiedFormula,
}

impl Deref for Simplified<'_> {
    type Target = SimplifiedFormula;

    fn deref(&self) -> &SimplifiedFormula {
        &self.now
    }
}

impl Restatement for Simplified<'_> {
    fn property(&self) -> Property<'_> {
        Property { net: self.net, formulas: &self.formulas, formula: self.formula }
    }

    /// Runs stay what they are. One that goes on growing may be one only for the simplified
    /// formula, whose atoms are fewer: those that are gone may change some day.
    fn lift(&self, _: Property<'_>, run: Run, _: &Budget) -> Option<Run> {
        Some(run)
    }
}

/// When to give up a question that may take so long.
fn patience(control: &Control, longest: Duration) -> Instant {
    let end = Instant::now() + longest;
    control.deadline.map_or(end, |deadline| deadline.min(end))
}

/// Simplifies formulas about one net.
///
/// ```
/// use brine_check::{Budget, Simplifier};
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let structure = Structure::new(&net);
/// let mut simplifier = Simplifier::new(&net, &structure);
/// let mut formulas = Formulas::new();
/// let formula = parse("G(on + off = 1)", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let simplified = simplifier.simplify(&formulas, formula, &Budget::default());
/// assert_eq!(simplified.constant(), Some(true));
/// ```
#[derive(Debug)]
pub struct Simplifier<'a> {
    knowledge: Knowledge<'a>,
}

impl<'a> Simplifier<'a> {
    /// Prepares for questions about a net.
    pub fn new(net: &'a Net, structure: &'a Structure) -> Self {
        match Self::within(net, structure, &Control::default()) {
            Ok(simplifier) => simplifier,
            Err(stop) => unreachable!("nothing stops it, but: {stop}"),
        }
    }

    /// The same under a control.
    pub fn within(net: &'a Net, structure: &'a Structure, control: &Control) -> Result<Self, Stop> {
        Ok(Simplifier { knowledge: Knowledge::new(NetView::of_net(net), structure, control)? })
    }

    /// The same, sharing translations with others.
    pub(crate) fn with_translations(mut self, translations: Arc<Translations>) -> Self {
        self.knowledge.translations = translations;
        self
    }

    /// Linear programs solved so far.
    pub fn stats(&self) -> EquationStats {
        self.knowledge.stats()
    }

    /// Simplifies a formula as far as the budget's time allows.
    pub fn simplify(
        &mut self,
        formulas: &Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Simplified<'a> {
        let now = self.knowledge.simplify(formulas, formula, budget);
        Simplified { net: self.knowledge.view.net(), now }
    }
}

impl Simplifier<'_> {
    /// What a boolean combination of atoms is in every reachable marking: the same with fewer
    /// atoms, or a constant. The store gets the new formula.
    pub fn simplify_everywhere(
        &mut self,
        formulas: &mut Formulas,
        state: Formula,
        budget: &Budget,
    ) -> Formula {
        let knowledge = &mut self.knowledge;
        let clock = budget.control();
        let (excluded, findings) = (Vec::new(), Vec::new());
        let mut here =
            SimplifiedFormula { formulas: formulas.clone(), formula: state, excluded, findings };
        // Nothing about the start: it is one marking of many.
        knowledge.decide_atoms(&mut here, &clock);
        // What is known was written into a store of its own.
        let state = here.formulas.substitute(here.formula, formulas, |fs, a| {
            let atom = fs.intern_atom(here.formulas.atom(a).clone());
            fs.atom_formula(atom)
        });
        if state == Formula::TRUE || state == Formula::FALSE || clock.is_over() {
            return state;
        }
        for (wanted, constant) in [(state, Formula::TRUE), (formulas.not(state), Formula::FALSE)] {
            let always = formulas.g(wanted);
            let found = knowledge.simplify(formulas, always, &Budget::of(&clock));
            if found.formula == Formula::TRUE {
                return constant;
            }
        }
        state
    }
}

impl Knowledge<'_> {
    /// Simplifies a formula as far as the budget's time allows.
    pub(crate) fn simplify(
        &mut self,
        formulas: &Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> SimplifiedFormula {
        let clock = budget.control();
        let (formulas, excluded, findings) = (formulas.clone(), Vec::new(), Vec::new());
        let mut simplified = SimplifiedFormula { formulas, formula, excluded, findings };
        self.use_start(&mut simplified);
        self.decide_atoms(&mut simplified, &clock);
        for _ in 0..ROUNDS {
            self.use_start(&mut simplified);
            let before = simplified.formula;
            if simplified.constant().is_some() || clock.is_over() {
                break;
            }
            self.use_letters(&mut simplified, &clock);
            if simplified.formula == before {
                break;
            }
        }
        debug_assert!(
            simplified.excluded.iter().all(|literals| !self.holds_at_start(literals)),
            "the initial marking is reachable"
        );
        simplified
    }

    fn use_start(&self, simplified: &mut SimplifiedFormula) {
        let new = start::at_start(&mut simplified.formulas, simplified.formula, |fs, a| {
            self.view.value_at_start(fs.atom(a))
        });
        if new != simplified.formula {
            simplified.formula = new;
            simplified.findings.push(Finding::Start);
        }
    }
}
