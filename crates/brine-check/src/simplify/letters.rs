//! Which letters can occur, and what that makes of the automata of the formula and its
//! negation.
//!
//! An edge of an automaton can be taken in a reachable marking only if one of the cubes of
//! its label holds in one. Cubes that are proved to hold nowhere are told to the
//! translation, which forgets them: boolean parts become simpler, edges go, and with them
//! states that no longer lead to acceptance. If the automaton of the negation has no run left that
//! starts in the initial marking, the formula holds; if the automaton of the formula itself
//! has none, no run satisfies it.
//!
//! Cost: a few translations, most of which the engines would make anyway, and one question to
//! the knowledge for each cube that no marking of the sample satisfies.

use super::knowledge::Knowledge;
use super::recurrence::literals;
use super::{Finding, SimplifiedFormula};
use brine_ltl::{
    Atom, Automaton, Conjunction, Cube, Formula, Formulas, Options, StateId, Translator,
};
use brine_run::Control;

/// Translations of one formula: new exclusions lead to another one.
const ROUNDS: usize = 4;
/// Automata with more states, and expansions with more terms, are not looked at.
const STATES: usize = 500;
const TERMS: usize = 2_000;
/// Most cubes of one automaton that are asked about.
const CUBES: usize = 200;

impl Knowledge<'_> {
    /// Decides the formula by its automata, or rewrites it with the letters that can occur.
    pub(super) fn use_letters(&mut self, simplified: &mut SimplifiedFormula, clock: &Control) {
        // Automata take named propositions, about which a net says nothing, for false. About events
        // markings say nothing.
        let atoms = simplified.formulas.atoms_of(simplified.formula);
        let is_open = |atom: &Atom| matches!(atom, Atom::Prop(_) | Atom::Fires(_));
        if atoms.iter().any(|&a| is_open(simplified.formulas.atom(a))) {
            return;
        }
        // Cheap questions about both automata before hard ones about either.
        let automata = [true, false].map(|negate| self.automaton(simplified, negate, clock));
        let cheap = [true, false].into_iter().zip(&automata).find_map(|(negate, automaton)| {
            let finding = self.gets_stuck(automaton.as_ref()?, negate)?;
            Some((negate, finding))
        });
        let decided = cheap.or_else(|| {
            [true, false].into_iter().zip(automata).find_map(|(negate, automaton)| {
                let finding = self.refute(simplified, automaton?, negate, clock)?;
                Some((negate, finding))
            })
        });
        match decided {
            Some((negate, finding)) => {
                simplified.formula = simplified.formulas.constant(negate);
                simplified.findings.push(finding);
            }
            None => self.rewrite(simplified, clock),
        }
    }

    /// Does the automaton come to an end on the first letters of every run?
    fn gets_stuck(&self, automaton: &Automaton, negated: bool) -> Option<Finding> {
        if self.first_steps(automaton).is_empty() {
            return Some(if negated { Finding::NoViolation } else { Finding::NoModel });
        }
        self.dies_out(automaton).then_some(Finding::FirstSteps)
    }

    /// Tries to prove that the automaton of the formula, or of its negation, accepts no run.
    fn refute(
        &mut self,
        simplified: &mut SimplifiedFormula,
        mut automaton: Automaton,
        negated: bool,
        clock: &Control,
    ) -> Option<Finding> {
        for _ in 0..ROUNDS {
            let before = simplified.excluded.len();
            self.exclude_labels(&automaton, simplified, clock);
            if simplified.excluded.len() == before {
                break;
            }
            automaton = self.automaton(simplified, negated, clock)?;
            if let Some(finding) = self.gets_stuck(&automaton, negated) {
                return Some(finding);
            }
        }
        self.accepts_no_run(&automaton, clock).then_some(Finding::NoRecurrence)
    }

    /// The automaton of the formula or of its negation, if it is not too large.
    fn automaton(
        &self,
        simplified: &mut SimplifiedFormula,
        negate: bool,
        clock: &Control,
    ) -> Option<Automaton> {
        let formula = simplified.formula;
        let target = if negate { simplified.formulas.not(formula) } else { formula };
        let cancel = || clock.is_over();
        let mut options = self.options(&simplified.excluded, &cancel);
        if negate {
            // With the limits of the engines, which ask for the same automaton.
            let Options { max_states, max_terms, .. } = Options::default();
            options = Options { max_states, max_terms, ..options };
        }
        let translator = Translator::new(&simplified.formulas, target, &options);
        let automaton = translator.and_then(|mut t| t.tgba()).ok();
        automaton.filter(|a| a.num_states() <= STATES)
    }

    fn options<'b>(
        &'b self,
        excluded: &'b [Conjunction],
        cancel: &'b dyn Fn() -> bool,
    ) -> Options<'b> {
        Options {
            max_states: STATES,
            max_terms: TERMS,
            cancel,
            net: self.view.exact_net(),
            excluded,
            kept: Some(&self.translations),
            ..Options::default()
        }
    }

    /// The states after the letter of the initial marking, as far as it is known.
    fn first_steps(&self, automaton: &Automaton) -> Vec<StateId> {
        let letters = self.view.letters_at_start(automaton);
        automaton.after_some(automaton.initial(), letters).collect()
    }

    /// Asks about the cubes of all labels that can be met after the first step.
    fn exclude_labels(
        &mut self,
        automaton: &Automaton,
        simplified: &mut SimplifiedFormula,
        clock: &Control,
    ) {
        let mut cubes: Vec<Cube> = Vec::new();
        let mut reached = vec![false; automaton.num_states()];
        let mut stack = self.first_steps(automaton);
        while let Some(q) = stack.pop() {
            if std::mem::replace(&mut reached[q.index()], true) {
                continue;
            }
            for edge in automaton.edges_of(q) {
                cubes.extend_from_slice(&automaton.label(edge.label).cubes);
                stack.push(edge.dst);
            }
        }
        cubes.sort_unstable();
        cubes.dedup();
        cubes.truncate(CUBES);
        for cube in cubes {
            let literals = literals(automaton, cube);
            if let Some(reason) = self.excludes(&literals, clock) {
                let literals: Conjunction =
                    literals.into_iter().map(|(atom, value)| (atom.clone(), value)).collect();
                if !simplified.excluded.contains(&literals) {
                    simplified.excluded.push(literals.clone());
                    simplified.findings.push(Finding::Excluded { literals, reason });
                }
            }
        }
    }

    /// Rewrites the formula with the letters that can occur, if that makes it smaller.
    fn rewrite(&self, simplified: &mut SimplifiedFormula, clock: &Control) {
        let size = |fs: &Formulas, f: Formula| fs.subformulas(f).len();
        let cancel = || clock.is_over();
        let options = self.options(&simplified.excluded, &cancel);
        let rewritten = Translator::new(&simplified.formulas, simplified.formula, &options)
            .and_then(|mut t| t.rewritten());
        if let Ok((formulas, formula)) = rewritten
            && size(&formulas, formula) < size(&simplified.formulas, simplified.formula)
        {
            (simplified.formulas, simplified.formula) = (formulas, formula);
            simplified.findings.push(Finding::Rewritten);
        }
    }
}
