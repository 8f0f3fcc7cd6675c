//! Answers, runs, numbers and automata as plain values.

use crate::errors::raise;
use brine::{Acceptance, Size};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A verdict and how it came about.
#[pyclass(frozen, module = "brine._brine")]
pub(crate) struct Answer {
    answer: brine::Answer,
}

impl Answer {
    pub(crate) fn new(answer: brine::Answer) -> Self {
        Answer { answer }
    }
}

#[pymethods]
impl Answer {
    #[getter]
    fn question(&self) -> &str {
        &self.answer.question
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        self.answer.verdict.word()
    }

    #[getter]
    fn reason(&self) -> Option<&str> {
        self.answer.reason.as_deref()
    }

    #[getter]
    fn engine(&self) -> &str {
        &self.answer.engine
    }

    #[getter]
    fn time(&self) -> f64 {
        self.answer.time.as_secs_f64()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.answer.notes.clone()
    }

    #[getter]
    fn figures(&self) -> Vec<(&'static str, String)> {
        self.answer.figures.iter().map(|f| (f.name, f.value.clone())).collect()
    }

    /// States, edges, class, whether it is stutter-invariant.
    #[getter]
    fn automaton(&self) -> Option<(usize, usize, &'static str, Option<bool>)> {
        let facts = self.answer.automaton.as_ref()?;
        Some((facts.states, facts.edges, facts.class, facts.stutter_invariant))
    }

    fn html(&self) -> String {
        self.answer.html()
    }

    #[getter]
    fn run(&self) -> Option<Run> {
        self.answer.run.clone().map(|run| Run { run })
    }
}

/// A run that was replayed.
#[pyclass(frozen, module = "brine._brine")]
pub(crate) struct Run {
    run: brine::Run,
}

/// A transition's id, its name, and what it changes: place, before, after.
type Step = (String, String, Vec<(usize, u32, u32)>);

#[pymethods]
impl Run {
    #[getter]
    fn places(&self) -> Vec<String> {
        self.run.places().to_vec()
    }

    #[getter]
    fn steps(&self) -> Vec<Step> {
        let steps = self.run.steps().into_iter();
        steps.map(|s| (s.transition, s.name, s.changes)).collect()
    }

    #[getter]
    fn markings(&self) -> Vec<Vec<u32>> {
        self.run.markings()
    }

    /// Parts of the formula with their truth at each position.
    #[getter]
    fn truth(&self) -> Vec<(String, Vec<Option<bool>>)> {
        self.run.truth().into_iter().map(|r| (r.formula, r.values)).collect()
    }

    #[getter]
    fn needed(&self) -> Vec<bool> {
        (0..self.run.places().len()).map(|p| self.run.is_needed(p)).collect()
    }

    fn value(&self, place: usize, value: u32) -> String {
        self.run.value(place, value)
    }

    #[getter]
    fn cycle_start(&self) -> Option<usize> {
        self.run.cycle_start()
    }

    #[getter]
    fn ends_dead(&self) -> bool {
        self.run.ends_dead()
    }

    #[getter]
    fn violated_after(&self) -> Option<usize> {
        self.run.violated_after()
    }

    #[getter]
    fn is_shortest(&self) -> bool {
        self.run.is_shortest()
    }

    #[getter]
    fn is_example(&self) -> bool {
        self.run.is_example()
    }

    #[getter]
    fn prefix(&self) -> Vec<String> {
        self.run.prefix().to_vec()
    }

    #[getter]
    fn cycle(&self) -> Vec<String> {
        self.run.cycle().to_vec()
    }

    fn text(&self, width: usize) -> String {
        self.run.text(width)
    }

    fn svg(&self) -> String {
        self.run.svg()
    }

    fn dot(&self) -> String {
        self.run.dot()
    }
}

/// The numbers of a state space, in decimal.
#[pyclass(frozen, module = "brine._brine")]
pub(crate) struct States {
    states: brine::States,
}

impl States {
    pub(crate) fn new(states: brine::States) -> Self {
        States { states }
    }
}

fn text(size: &Option<Size>) -> Option<String> {
    size.as_ref().map(Size::to_string)
}

#[pymethods]
impl States {
    #[getter]
    fn states(&self) -> Option<String> {
        text(&self.states.states)
    }

    #[getter]
    fn transitions(&self) -> Option<String> {
        text(&self.states.transitions)
    }

    #[getter]
    fn max_token_in_place(&self) -> Option<String> {
        text(&self.states.max_token_in_place)
    }

    #[getter]
    fn max_token_per_marking(&self) -> Option<String> {
        text(&self.states.max_token_per_marking)
    }

    #[getter]
    fn reason(&self) -> Option<&str> {
        self.states.reason.as_deref()
    }

    #[getter]
    fn engine(&self) -> &str {
        &self.states.engine
    }

    #[getter]
    fn order(&self) -> Option<&str> {
        self.states.order.as_deref()
    }

    #[getter]
    fn peak_nodes(&self) -> Option<usize> {
        self.states.peak_nodes
    }

    #[getter]
    fn time(&self) -> f64 {
        self.states.time.as_secs_f64()
    }
}

/// An automaton.
#[pyclass(frozen, get_all, module = "brine._brine")]
pub(crate) struct Automaton {
    states: usize,
    initial: usize,
    edges: Vec<(usize, usize, String, Vec<usize>)>,
    acceptance_sets: usize,
    atoms: Vec<String>,
    class_: &'static str,
    stutter_invariant: Option<bool>,
    safety: Option<bool>,
    guarantee: Option<bool>,
    obligation: Option<bool>,
    hoa: String,
    dot: String,
    svg: String,
}

impl Automaton {
    fn new(automaton: brine::Automaton) -> Self {
        let svg = automaton.svg();
        let edges = automaton.edges.into_iter();
        Automaton {
            states: automaton.states,
            initial: automaton.initial,
            edges: edges.map(|e| (e.from, e.to, e.label, e.sets)).collect(),
            acceptance_sets: automaton.acceptance_sets,
            atoms: automaton.atoms,
            class_: automaton.class,
            stutter_invariant: automaton.stutter_invariant,
            safety: automaton.safety,
            guarantee: automaton.guarantee,
            obligation: automaton.obligation,
            hoa: automaton.hoa,
            dot: automaton.dot,
            svg,
        }
    }
}

fn acceptance(kind: &str) -> PyResult<Acceptance> {
    match kind {
        "tgba" => Ok(Acceptance::Generalised),
        "ba" => Ok(Acceptance::States),
        other => Err(PyValueError::new_err(format!("unknown type \"{other}\": tgba or ba"))),
    }
}

/// The automaton of a formula.
#[pyfunction]
pub(crate) fn automaton(py: Python<'_>, formula: &str, kind: &str) -> PyResult<Automaton> {
    let kind = acceptance(kind)?;
    let automaton = py.detach(|| brine::automaton(formula, kind));
    Ok(Automaton::new(automaton.map_err(|e| raise(py, e))?))
}

/// The automaton of a text in HOA format.
#[pyfunction]
pub(crate) fn read_automaton(py: Python<'_>, hoa: &str, kind: &str) -> PyResult<Automaton> {
    let kind = acceptance(kind)?;
    let automaton = py.detach(|| brine::read_automaton(hoa, kind));
    Ok(Automaton::new(automaton.map_err(|e| raise(py, e))?))
}
