//! From a decision to the trace of its run.

use super::trace::{Subject, Trace, Truth};
use crate::coloured::ColouredProperty;
use crate::decide::Decision;
use crate::model::ReplayedModel;
use crate::shorten::RunFacts;
use crate::verdict::Verdict;
use brine_ltl::{Atom, Formula, Formulas, Symbols};
use brine_net::{Net, Run};
use brine_pins::Pins;
use brine_replay::{RunWord, coloured_word, word_of};

/// A formula and what its names are; none for a question that is an automaton.
type Wording<'a> = Option<(&'a Formulas, Formula, &'a Symbols)>;

/// The run of a decision, if it has one.
pub fn run_of(decision: &Decision) -> Option<&Run> {
    match &decision.verdict {
        Verdict::Violated(run) => run.as_ref(),
        _ => decision.example.as_ref(),
    }
}

/// The trace of a run of a net.
pub fn net_trace(net: &Net, wording: Wording<'_>, decision: &Decision) -> Option<Trace> {
    let run = run_of(decision)?;
    let net = decision.run_net.as_deref().unwrap_or(net);
    let word = wording.and_then(|(fs, f, _)| word_of(net, fs, f, run).ok());
    Some(trace(Subject::Net(net), run, decision, wording, word.as_ref(), true))
}

/// The trace of a run of a model that is no net.
pub fn model_trace(model: &dyn Pins, wording: Wording<'_>, decision: &Decision) -> Option<Trace> {
    let run = run_of(decision)?;
    let replayed = ReplayedModel { model };
    let word = wording.and_then(|(fs, f, _)| word_of(&replayed, fs, f, run).ok());
    Some(trace(Subject::Model(model), run, decision, wording, word.as_ref(), true))
}

/// The trace of a run of a coloured net, in the part of its unfolding that the run touches.
pub fn coloured_trace(
    property: ColouredProperty<'_>,
    symbols: &Symbols,
    decision: &Decision,
) -> Option<Trace> {
    let ColouredProperty { net, formulas, formula } = property;
    let run = run_of(decision)?;
    let part = decision.run_net.as_deref()?;
    let coloured = decision.coloured_run.as_ref()?;
    let word = coloured_word(net, formulas, formula, coloured).ok();
    let wording = Some((formulas, formula, symbols));
    let mut trace = trace(Subject::Net(part), run, decision, wording, word.as_ref(), false);
    need_coloured_atoms(&mut trace, property);
    Some(trace)
}

/// The trace of a run of a coloured net that was replayed, in the part of its unfolding that it
/// touches.
pub fn replayed_coloured_trace(
    property: ColouredProperty<'_>,
    symbols: &Symbols,
    (part, run): (&Net, &Run),
    facts: RunFacts,
    word: &RunWord,
) -> Trace {
    let ColouredProperty { formulas, formula, .. } = property;
    let truth = Truth { formulas, formula, symbols, word, own_places: false };
    let mut trace = Trace::new(Subject::Net(part), run, facts, Some(truth));
    need_coloured_atoms(&mut trace, property);
    trace
}

/// The places that the formula looks at are needed in all their colours.
fn need_coloured_atoms(trace: &mut Trace, property: ColouredProperty<'_>) {
    let ColouredProperty { net, formulas, formula } = property;
    for atom in formulas.atoms_of(formula) {
        let places: Vec<usize> = match formulas.atom(atom) {
            Atom::Linear(linear) => linear.terms.iter().map(|t| t.0.index()).collect(),
            Atom::Fireable(list) => {
                let inputs = list.iter().flat_map(|t| &net.transitions[t.index()].inputs);
                inputs.map(|arc| arc.place).collect()
            }
            Atom::Deadlock => (0..net.places.len()).collect(),
            Atom::Prop(_) | Atom::Fires(_) => Vec::new(),
        };
        places.iter().for_each(|&p| need_colours(trace, &net.places[p].id));
    }
}

/// All colours of a place are needed. Only what is shown depends on it, so names tell.
fn need_colours(trace: &mut Trace, place: &str) {
    for (i, id) in trace.place_ids.iter().enumerate() {
        let rest = id.strip_prefix(place);
        trace.needed[i] |= rest.is_some_and(|r| r.is_empty() || r.starts_with('['));
    }
}

fn trace(
    subject: Subject<'_>,
    run: &Run,
    decision: &Decision,
    wording: Wording<'_>,
    word: Option<&RunWord>,
    own_places: bool,
) -> Trace {
    let found = RunFacts { found: run.len(), ..Default::default() };
    let facts = decision.run_facts.unwrap_or(found);
    let truth = wording.zip(word).map(|((formulas, formula, symbols), word)| Truth {
        formulas,
        formula,
        symbols,
        word,
        own_places,
    });
    let mut trace = Trace::new(subject, run, facts, truth);
    trace.is_example = decision.example.is_some();
    if trace.is_example {
        // The formula of a question about some run is the negation of what was asked.
        trace.rows.retain(|row| !row.temporal);
    }
    trace
}

/// Larger left sides of implications are not shown: shared parts make their text long.
const SHOWN: usize = 30;

/// What to say about a left side of an implication that is never true, of a property that holds.
pub fn vacuity_note(formulas: &Formulas, left: Formula, symbols: &Symbols) -> String {
    let words = match formulas.subformulas(left).len() {
        0..=SHOWN => formulas.print(left, symbols),
        _ => "the left side of an implication".to_owned(),
    };
    format!("an implication holds vacuously: {words} is never true")
}
