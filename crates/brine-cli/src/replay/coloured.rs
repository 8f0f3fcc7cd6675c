//! Runs of coloured nets, judged on the coloured net itself.
//!
//! A step is `transition[x=value,..]`, with the variables in the order of the net, as Brine
//! writes it; the transition by its id or its name. *What is not tried here*: steps that name no
//! binding, and formulas that speak of single colours. Then nothing is said, and the caller
//! unfolds the net.

use super::files::{RunEnd, ToldRun};
use super::why::Failure;
use super::{Judgement, RunQuestion, facts};
use brine_check::coloured::ColouredProperty;
use brine_check::show::replayed_coloured_trace;
use brine_coloured::net::ColouredTransition;
use brine_coloured::{ColouredNet, ColouredRun, ColouredStep, part_of};
use brine_ltl::{Formula, Formulas, Symbols};
use brine_net::{Run, TransitionId};
use brine_pnml::coloured_symbols;
use brine_replay::{
    ReplayError, coloured_beginning_word, coloured_word, replay_coloured, replay_coloured_beginning,
};

/// Replays all runs, if that can be done without unfolding.
pub(super) fn judge_all(
    net: &ColouredNet,
    question: &RunQuestion<'_>,
    runs: &[ToldRun],
) -> Option<Vec<Judgement>> {
    let (mut formulas, mut symbols) = (Formulas::new(), coloured_symbols(net));
    let asked = question.read(&mut formulas, &mut symbols).ok()?;
    let judge = |told: &ToldRun| {
        let (run, asked) = (resolve(net, told)?, asked.of(told).ok()?);
        let (formulas, symbols) = (&formulas, &symbols);
        Some(ColouredQuestion { net, formulas, symbols, asked: &asked }.judge(told, &run))
    };
    runs.iter().map(judge).collect()
}

/// The steps that a run names.
fn resolve(net: &ColouredNet, told: &ToldRun) -> Option<ColouredRun> {
    let steps = told.steps.iter().map(|s| step_of(net, &s.name));
    let mut prefix = steps.collect::<Option<Vec<ColouredStep>>>()?;
    let cycle = prefix.split_off(told.home());
    Some(ColouredRun { prefix, cycle })
}

/// The step of a name, if there is exactly one.
fn step_of(net: &ColouredNet, text: &str) -> Option<ColouredStep> {
    let by = |called: fn(&ColouredTransition) -> &str| {
        let of = |(number, t): (usize, &ColouredTransition)| {
            let binding = binding_of(net, t, text.strip_prefix(called(t))?)?;
            Some(ColouredStep { transition: TransitionId(number as u32), binding })
        };
        let mut found = net.transitions.iter().enumerate().filter_map(of);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    };
    by(|t| &t.id).or_else(|| by(|t| &t.name))
}

/// The values in `[x=value,..]`; nothing for a transition without variables.
fn binding_of(
    net: &ColouredNet,
    transition: &ColouredTransition,
    rest: &str,
) -> Option<Box<[u32]>> {
    if transition.variables.is_empty() {
        return rest.is_empty().then(Box::default);
    }
    let mut rest = rest.strip_prefix('[')?;
    let mut values = Vec::with_capacity(transition.variables.len());
    for (i, variable) in transition.variables.iter().enumerate() {
        rest = rest.strip_prefix(variable.name.as_str())?.strip_prefix('=')?;
        let end = match transition.variables.get(i + 1) {
            Some(next) => format!(",{}=", next.name),
            None => "]".to_owned(),
        };
        let sort = net.sorts.get(variable.sort);
        let after = |v: &u32| {
            let rest = rest.strip_prefix(&*sort.label(*v))?;
            let fits = rest.starts_with(&end) && (end != "]" || rest == "]");
            fits.then_some(rest)
        };
        let value = (0..sort.size()).find(|v| after(v).is_some())?;
        rest = after(&value)?.get(1..)?;
        values.push(value);
    }
    rest.is_empty().then(|| values.into())
}

/// What is asked about the runs.
struct ColouredQuestion<'a> {
    net: &'a ColouredNet,
    formulas: &'a Formulas,
    symbols: &'a Symbols,
    asked: &'a [Formula],
}

impl ColouredQuestion<'_> {
    fn judge(&self, told: &ToldRun, run: &ColouredRun) -> Judgement {
        let ColouredQuestion { net, formulas, asked, .. } = *self;
        let steps: Vec<ColouredStep> = run.steps().cloned().collect();
        let whole = replay_coloured(net, formulas, Formula::FALSE, run);
        let ends = match (told.ends, &whole) {
            (RunEnd::Open, Ok(())) => RunEnd::Dead,
            (ends, _) => ends,
        };
        let open = ends == RunEnd::Open;
        let beginning = |formula| coloured_beginning_word(net, formulas, formula, &steps);
        let right = if open { beginning(Formula::FALSE).map(|_| ()) } else { whole };
        if let Err(error) = right {
            return Judgement::failed(told, ends, self.explain(told, run, &error));
        }
        let mut judged = Vec::with_capacity(asked.len());
        for formula in asked {
            let violated = match open {
                true => replay_coloured_beginning(net, formulas, *formula, &steps).map(Some),
                false => replay_coloured(net, formulas, *formula, run).map(|()| {
                    let word = coloured_word(net, formulas, *formula, run).ok();
                    word.and_then(|word| word.violated_after(formulas, *formula))
                }),
            };
            match violated {
                Ok(after) => judged.push((true, after)),
                Err(ReplayError::Satisfies) => judged.push((false, None)),
                Err(error) => {
                    return Judgement::failed(told, ends, self.explain(told, run, &error));
                }
            }
        }
        // A run that touches too many colours is judged, but not shown.
        let part = part_of(net, run);
        let trace = part.and_then(|(part, run_of_part)| {
            let formula = asked.first().copied().unwrap_or(Formula::TRUE);
            let word = match open {
                true => beginning(formula),
                false => coloured_word(net, formulas, formula, run),
            };
            let property = ColouredProperty { net, formulas, formula };
            let facts = facts(told, open, &judged);
            let part = (&part, &run_of_part);
            let mut trace =
                replayed_coloured_trace(property, self.symbols, part, facts, &word.ok()?);
            if asked.is_empty() {
                trace.rows.clear();
            }
            Some(trace)
        });
        let (home, steps) = (told.home(), told.steps.len());
        Judgement { home, steps, ends, formulas: judged, failure: None, unfair: None, trace }
    }

    /// Why a run is none: the tokens that a step lacks, or its guard.
    fn explain(&self, told: &ToldRun, run: &ColouredRun, error: &ReplayError) -> Failure {
        let last = told.steps.len();
        let (step, why) = match error {
            ReplayError::NotEnabled { step, .. } => {
                let name = &told.steps[step - 1].name;
                let because = self.lacking(run, step - 1);
                (Some(*step), format!("\"{name}\" is not enabled: {because}"))
            }
            ReplayError::NotClosed | ReplayError::NotDead | ReplayError::NotSettled => {
                (Some(last), error.to_string())
            }
            ReplayError::TooManyTokens(step) | ReplayError::CannotTell(step) => {
                (Some(*step), error.to_string())
            }
            other => (None, other.to_string()),
        };
        Failure { step, why }
    }

    /// What the step of this number lacks, from 0.
    fn lacking(&self, run: &ColouredRun, step: usize) -> String {
        let unknown = || "its tokens are not there, or its guard does not hold".to_owned();
        let Some((part, whole)) = part_of(self.net, run) else { return unknown() };
        let mut marking = part.initial_marking();
        let steps: Vec<TransitionId> = Run::steps(&whole).collect();
        for &t in &steps[..step] {
            if !part.fire_in_place(t, &mut marking) {
                return unknown();
            }
        }
        let short =
            part.transition(steps[step]).pre.iter().filter(|(p, n)| marking[p.index()] < *n);
        let told: Vec<String> = short
            .map(|&(p, n)| {
                format!("{} has {}, it takes {n}", part.place(p).id(), marking[p.index()])
            })
            .collect();
        match told.is_empty() {
            true => "its guard does not hold for this binding".to_owned(),
            false => told.join(", "),
        }
    }
}
