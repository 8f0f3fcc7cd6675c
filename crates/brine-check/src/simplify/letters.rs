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
//! Cost: a few translations, with limits below those of the engines, and one question to
//! the knowledge for each cube that no marking of the sample satisfies.

use super::knowledge::Knowledge;
use super::recurrence::literals;
use super::{Clock, Finding, Simplified};
use brine_ltl::{
    Atom, Automaton, Conjunction, Cube, Formula, Formulas, Options, StateId, Translator,
};

/// Translations of one formula: new exclusions lead to another one.
const ROUNDS: usize = 4;
/// Automata with more states, and expansions with more terms, are not looked at.
const STATES: usize = 500;
const TERMS: usize = 2_000;
/// Most cubes of one automaton that are asked about.
const CUBES: usize = 200;

impl Knowledge<'_> {
    /// Decides the formula by its automata, or rewrites it with the letters that can occur.
    pub(super) fn use_letters(&mut self, simplified: &mut Simplified, clock: &Clock<'_>) {
        // Automata take named propositions, about which a net says nothing, for false.
        let atoms = simplified.formulas.atoms_of(simplified.formula);
        if atoms.iter().any(|&a| matches!(simplified.formulas.atom(a), Atom::Prop(_))) {
            return;
        }
        for negate in [true, false] {
            for _ in 0..ROUNDS {
                let formula = simplified.formula;
                let target = if negate { simplified.formulas.not(formula) } else { formula };
                let Some(automaton) = self.automaton(simplified, target, clock) else { break };
                let first = self.first_steps(&automaton);
                if first.is_empty() {
                    simplified.formula = simplified.formulas.constant(negate);
                    simplified.findings.push(if negate {
                        Finding::NoViolation
                    } else {
                        Finding::NoModel
                    });
                    return;
                }
                let before = simplified.excluded.len();
                self.exclude_labels(&automaton, first, simplified, clock);
                if simplified.excluded.len() > before {
                    continue;
                }
                let finding = if self.dies_out(&automaton) {
                    Finding::FirstSteps
                } else if self.accepts_no_run(&automaton, clock) {
                    Finding::NoRecurrence
                } else {
                    break;
                };
                simplified.formula = simplified.formulas.constant(negate);
                simplified.findings.push(finding);
                return;
            }
        }
        self.rewrite(simplified, clock);
    }

    fn automaton(
        &self,
        simplified: &Simplified,
        formula: Formula,
        clock: &Clock<'_>,
    ) -> Option<Automaton> {
        let cancel = || clock.is_over();
        let options = self.options(&simplified.excluded, &cancel);
        Translator::new(&simplified.formulas, formula, &options).and_then(|mut t| t.tgba()).ok()
    }

    fn options<'b>(
        &'b self,
        excluded: &'b [Conjunction],
        cancel: &'b dyn Fn() -> bool,
    ) -> Options<'b> {
        let net = Some(self.net);
        Options {
            max_states: STATES,
            max_terms: TERMS,
            cancel,
            net,
            excluded,
            ..Options::default()
        }
    }

    /// The states after the letter of the initial marking.
    fn first_steps(&self, automaton: &Automaton) -> Vec<StateId> {
        let letter = automaton.letter(self.net, &self.initial);
        let edges = automaton.edges_of(automaton.initial()).iter();
        edges.filter(|e| automaton.label(e.label).accepts(letter)).map(|e| e.dst).collect()
    }

    /// Asks about the cubes of all labels that can be met after the first step.
    fn exclude_labels(
        &mut self,
        automaton: &Automaton,
        first: Vec<StateId>,
        simplified: &mut Simplified,
        clock: &Clock<'_>,
    ) {
        let mut cubes: Vec<Cube> = Vec::new();
        let mut reached = vec![false; automaton.num_states()];
        let mut stack = first;
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
            if let Some(reason) = self.excludes(&literals, clock.deadline) {
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
    fn rewrite(&self, simplified: &mut Simplified, clock: &Clock<'_>) {
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
