//! Properties on reduced nets.
//!
//! [`ReducedProperty::new`] finds out what a formula sees of its net, reduces the net so that
//! the formula cannot tell the difference ([`brine_reduce`]), and restates the formula
//! for the reduced net: places that became constant are numbers, places that are counted in
//! larger units get coefficients, watched transitions are replaced by their stand-ins. Any
//! engine can then answer the restated property; a run is lifted back to the original net
//! ([`Restatement::lift`]), where it may not be found.

use crate::budget::Budget;
use crate::decide::Property;
use crate::restate::Restatement;
use brine_ltl::{Atom, AtomId, Class, Comparison, Expression, Formula, Formulas, Linear, Overflow};
use brine_net::{Net, Run, TransitionId};
use brine_reduce::{Observed, PlaceValue, Preserves, ReduceOptions, Reduced, reduce};

/// The largest class of rules that keeps the answer, by what is known about the automaton of
/// the violations: whether its language is stutter-invariant, and its class.
///
/// ```
/// use brine_check::class_of;
/// use brine_ltl::Class;
/// use brine_reduce::Preserves;
/// assert_eq!(class_of(None, Class::Terminal), Preserves::AllLtl);
/// assert_eq!(class_of(Some(true), Class::General), Preserves::StutterInvariant);
/// assert_eq!(class_of(Some(true), Class::Terminal), Preserves::StutterSafety);
/// ```
pub fn class_of(stutter_invariant: Option<bool>, violations: Class) -> Preserves {
    match (stutter_invariant, violations) {
        (Some(true), Class::Terminal) => Preserves::StutterSafety,
        (Some(true), _) => Preserves::StutterInvariant,
        _ => Preserves::AllLtl,
    }
}

/// A property, restated for a reduced net.
#[derive(Clone, Debug)]
pub struct ReducedProperty {
    reduced: Reduced,
    formulas: Formulas,
    formula: Formula,
    /// Violations were told to show in finite prefixes.
    safety: bool,
}

impl ReducedProperty {
    /// Reduces the net of a property. `None` if no rule applies, the budget of the options ends,
    /// or the formula cannot be restated (it has propositions that are not about nets, or its numbers get too large).
    ///
    /// ```
    /// use brine_check::{Budget, Chain, ExplicitEngine, Property, ReducedProperty, Verdict};
    /// use brine_check::decide_restated;
    /// use brine_ltl::{Formulas, Symbols, parse};
    /// use brine_reduce::{Preserves, ReduceOptions};
    /// use brine_net::{NetBuilder, Structure};
    /// let mut b = NetBuilder::new("relay");
    /// let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 0));
    /// b.transition("t", &[(p, 1)], &[(q, 1)]);
    /// b.transition("u", &[(q, 1)], &[(r, 1)]);
    /// let net = b.build().unwrap();
    /// let mut formulas = Formulas::new();
    /// let formula = parse("G r = 0", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
    /// let property = Property { net: &net, formulas: &formulas, formula };
    /// let options = ReduceOptions::default();
    /// let small = ReducedProperty::new(property, Preserves::StutterInvariant, &options).unwrap();
    /// let mut chain = Chain::default();
    /// chain.push(small);
    /// let net = chain.property(property).net;
    /// assert!(net.places().len() < 3);
    /// let structure = Structure::new(net);
    /// let mut engine = ExplicitEngine::new(net, &structure, None, 0);
    /// let budget = Budget::default();
    /// let decision = decide_restated(&mut engine, &chain, property, &budget).unwrap();
    /// let Verdict::Violated(Some(run)) = decision.verdict else { panic!() };
    /// assert_eq!(run.prefix.len(), 2);
    /// ```
    pub fn new(
        property: Property<'_>,
        preserves: Preserves,
        options: &ReduceOptions,
    ) -> Option<Self> {
        let observed = observed(property)?;
        let reduced = reduce(property.net, &observed, preserves, options).ok()?;
        if !reduced.is_smaller() {
            return None;
        }
        let mut formulas = property.formulas.clone();
        let restate = |fs: &mut Formulas, atom: AtomId| restate(fs, atom, &reduced);
        let formula = formulas.replace_atoms(property.formula, restate).ok()?;
        let safety = preserves == Preserves::StutterSafety;
        Some(ReducedProperty { reduced, formulas, formula, safety })
    }

    /// The reduced net and how it came about.
    pub fn reduced(&self) -> &Reduced {
        &self.reduced
    }
}

impl Restatement for ReducedProperty {
    fn property(&self) -> Property<'_> {
        Property { net: &self.reduced.net, formulas: &self.formulas, formula: self.formula }
    }

    fn lift(&self, original: Property<'_>, run: Run, budget: &Budget) -> Option<Run> {
        let Property { net, formulas, formula } = original;
        let atoms = formulas.atoms_of(formula);
        let letter = |marking: &[u32]| -> Vec<Option<bool>> {
            atoms.iter().map(|&a| formulas.atom(a).eval(net, marking)).collect()
        };
        let looks_alike = |a: &[u32], b: &[u32]| letter(a) == letter(b);
        self.reduced.lift(net, &run, &looks_alike, &budget.watch())
    }

    /// The run ends anyhow after one round of its cycle; the bad prefix may need more if the
    /// automaton that found it is not terminal, though that of the original is.
    fn may_lose_the_violation(&self) -> bool {
        self.safety
    }
}

/// What the property sees. `None` if it has a proposition that is not about nets.
fn observed(property: Property<'_>) -> Option<Observed> {
    let mut observed = Observed::new(property.net);
    for atom in property.formulas.atoms_of(property.formula) {
        match property.formulas.atom(atom) {
            Atom::Linear(linear) => linear.terms.iter().for_each(|&(p, _)| observed.add_place(p)),
            Atom::Fireable(transitions) => {
                transitions.iter().for_each(|&t| observed.add_transition(t));
            }
            Atom::Deadlock => observed.add_deadlock(),
            // Rules merge transitions, leave some out, and fire others later.
            Atom::Prop(_) | Atom::Fires(_) => return None,
        }
    }
    Some(observed)
}

/// What an atom of the original net says about the reduced one.
fn restate(fs: &mut Formulas, atom: AtomId, reduced: &Reduced) -> Result<Formula, Overflow> {
    match fs.atom(atom).clone() {
        Atom::Linear(linear) => {
            let bound = Expression::constant(linear.bound);
            fs.compare(sum(&linear, reduced)?, Comparison::Le, bound)
        }
        Atom::Fireable(transitions) => {
            let now: Vec<TransitionId> =
                transitions.iter().filter_map(|&t| reduced.stand_in(t)).collect();
            let free = |net: &Net, t: TransitionId| net.transition(t).pre.is_empty();
            let always = now.iter().any(|&t| free(&reduced.net, t));
            Ok(if always { Formula::TRUE } else { fs.fireable(now) })
        }
        Atom::Fires(_) => Atom::refuse_event(),
        Atom::Deadlock | Atom::Prop(_) => Ok(fs.atom_formula(atom)),
    }
}

/// The left-hand side of a comparison over the places of the reduced net.
fn sum(linear: &Linear, reduced: &Reduced) -> Result<Expression, Overflow> {
    let mut sum = Expression::default();
    for &(p, coefficient) in &linear.terms {
        let tokens = match reduced.value(p) {
            PlaceValue::Constant(n) => {
                Expression::constant(i64::try_from(n).map_err(|_| Overflow)?)
            }
            PlaceValue::Scaled { place, factor, offset } => {
                Expression { terms: vec![(place, i64::from(factor))], constant: i64::from(offset) }
            }
            // Observed places are never lost; refuse rather than guess.
            PlaceValue::Lost => return Err(Overflow),
        };
        sum = sum.add_scaled(&tokens, coefficient)?;
    }
    Ok(sum)
}
