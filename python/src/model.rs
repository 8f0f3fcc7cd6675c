//! Models, nets built in code, sets of markings.

use crate::answer::{Answer, States};
use crate::errors::raise;
use crate::wait::{Handle, wait};
use brine::{Markings, NetBuilder, Options, PlaceId, Question};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// A model.
#[pyclass(frozen, module = "brine._brine")]
pub(crate) struct Model {
    inner: brine::Model,
}

/// Reads a file, an archive or a folder.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: &str) -> PyResult<Model> {
    let read = wait(py, None, &Handle::default(), || brine::load(path))?;
    Ok(Model { inner: read.map_err(|e| raise(py, e))? })
}

/// Reads a text: `pnml`, `dve` or `commands`.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, text: &str, language: &str) -> PyResult<Model> {
    let read = match language {
        "pnml" => brine::Model::from_pnml,
        "dve" => brine::Model::from_dve,
        "commands" => brine::Model::from_commands,
        other => return Err(PyValueError::new_err(format!("unknown language \"{other}\""))),
    };
    let read = wait(py, None, &Handle::default(), || read(text))?;
    Ok(Model { inner: read.map_err(|e| raise(py, e))? })
}

/// The ids of the properties of a contest file.
#[pyfunction]
pub(crate) fn contest_properties(py: Python<'_>, text: &str) -> PyResult<Vec<String>> {
    brine::contest_properties(text).map_err(|e| raise(py, e))
}

/// What may be said with each question.
#[derive(FromPyObject)]
struct Wishes {
    #[pyo3(item)]
    words: Vec<String>,
    #[pyo3(item)]
    timeout: Option<f64>,
    #[pyo3(item)]
    memory: Option<u64>,
    #[pyo3(item)]
    threads: Option<usize>,
    #[pyo3(item)]
    shortest: bool,
}

impl Wishes {
    fn options(&self, py: Python<'_>, handle: &Handle) -> PyResult<Options> {
        let words = self.words.iter().map(String::as_str);
        let mut options = Options::new().words(words).map_err(|e| raise(py, e))?;
        if let Some(seconds) = self.timeout {
            let time = Duration::try_from_secs_f64(seconds);
            let wrong = |_| PyValueError::new_err(format!("timeout={seconds} is not a usable time"));
            options = options.timeout(time.map_err(wrong)?);
        }
        if let Some(mib) = self.memory {
            options = options.memory_mib(mib);
        }
        if let Some(threads) = self.threads {
            let threads = NonZeroUsize::new(threads);
            let wrong = || PyValueError::new_err("threads=0: expected a number from 1");
            options = options.threads(threads.ok_or_else(wrong)?);
        }
        if self.shortest {
            options = options.shortest();
        }
        Ok(options.cancel(handle.cancel.clone()).progress(handle.progress.clone()))
    }
}

#[pymethods]
impl Model {
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings().to_vec()
    }

    /// Ids and names.
    fn places(&self) -> Vec<(String, String)> {
        self.inner.places().into_iter().map(|n| (n.id, n.name)).collect()
    }

    /// Ids and names.
    fn transitions(&self) -> Vec<(String, String)> {
        self.inner.transitions().into_iter().map(|n| (n.id, n.name)).collect()
    }

    /// Of the place/transition net: ids of places with their tokens at the start.
    fn initial_marking(&self, py: Python<'_>) -> PyResult<Vec<(String, u32)>> {
        let net = self.inner.net().map_err(|e| raise(py, e))?;
        Ok(net.places().map(|p| (p.id().into_owned(), p.initial)).collect())
    }

    /// Of the place/transition net: transition, place, weight, whether tokens are taken.
    fn arcs(&self, py: Python<'_>) -> PyResult<Vec<(String, String, u32, bool)>> {
        let net = self.inner.net().map_err(|e| raise(py, e))?;
        let mut all = Vec::new();
        for t in net.transitions() {
            for (arcs, takes) in [(t.pre, true), (t.post, false)] {
                let arc = |&(p, weight): &(PlaceId, u32)| {
                    (t.id().into_owned(), net.place(p).id().into_owned(), weight, takes)
                };
                all.extend(arcs.iter().map(arc));
            }
        }
        Ok(all)
    }

    fn pnml(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.pnml().map_err(|e| raise(py, e))
    }

    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.svg().map_err(|e| raise(py, e))
    }

    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.html().map_err(|e| raise(py, e))
    }

    fn dot(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.dot().map_err(|e| raise(py, e))
    }

    /// Asks a question of a kind.
    #[pyo3(signature = (kind, text, wishes, watcher=None))]
    fn check(
        &self,
        py: Python<'_>,
        kind: &str,
        text: (String, String),
        wishes: Wishes,
        watcher: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let (text, id) = text;
        let question = match kind {
            "ltl" => Question::ltl(text),
            "reach" => Question::reach(text),
            "ctl" => Question::ctl(text),
            "hoa" => Question::hoa(text),
            "contest" => Question::contest(text, id),
            "property" => Question::PropertyProcess,
            other => return Err(PyValueError::new_err(format!("unknown question \"{other}\""))),
        };
        let handle = Handle::default();
        let options = wishes.options(py, &handle)?;
        let ask = || self.inner.check(question, &options);
        let answer = wait(py, watcher.as_ref(), &handle, ask)?;
        Ok(Answer::new(answer.map_err(|e| raise(py, e))?))
    }

    /// Counts the states.
    #[pyo3(signature = (wishes, watcher=None))]
    fn states(
        &self,
        py: Python<'_>,
        wishes: Wishes,
        watcher: Option<Py<PyAny>>,
    ) -> PyResult<States> {
        let handle = Handle::default();
        let options = wishes.options(py, &handle)?;
        let states = wait(py, watcher.as_ref(), &handle, || self.inner.states(&options))?;
        Ok(States::new(states.map_err(|e| raise(py, e))?))
    }

    /// The usual questions about a net, as JSON.
    #[pyo3(signature = (wishes, watcher=None))]
    fn analyse(
        &self,
        py: Python<'_>,
        wishes: Wishes,
        watcher: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let handle = Handle::default();
        let options = wishes.options(py, &handle)?;
        let found = wait(py, watcher.as_ref(), &handle, || self.inner.analyse(&options))?;
        let found = found.map_err(|e| raise(py, e))?;
        serde_json::to_string(&found).map_err(|e| PyRuntimeError::new_err(e.to_string()))
    }

    /// The set of all markings.
    #[pyo3(signature = (wishes, watcher=None))]
    fn reachable(
        &self,
        py: Python<'_>,
        wishes: Wishes,
        watcher: Option<Py<PyAny>>,
    ) -> PyResult<Reachable> {
        let handle = Handle::default();
        let options = wishes.options(py, &handle)?;
        let set = wait(py, watcher.as_ref(), &handle, || self.inner.reachable(&options))?;
        Ok(Reachable { set: Arc::new(set.map_err(|e| raise(py, e))?) })
    }
}

/// A net that is built place by place.
#[pyclass(module = "brine._brine")]
pub(crate) struct Builder {
    net: NetBuilder,
    places: u32,
}

#[pymethods]
impl Builder {
    #[new]
    fn new(name: &str) -> Self {
        Builder { net: NetBuilder::new(name), places: 0 }
    }

    /// Adds a place; its number.
    fn place(&mut self, id: &str, name: &str, tokens: u32) -> u32 {
        self.places += 1;
        self.net.named_place(id, name, tokens).0
    }

    /// Adds a transition: places by number, with weights.
    fn transition(
        &mut self,
        id: &str,
        name: &str,
        takes: Vec<(u32, u32)>,
        puts: Vec<(u32, u32)>,
    ) -> PyResult<()> {
        let known = |list: &[(u32, u32)]| list.iter().all(|a| a.0 < self.places && a.1 > 0);
        if !(known(&takes) && known(&puts)) {
            return Err(PyValueError::new_err(format!("{id}: an arc without a place or a weight")));
        }
        let arcs = |list: Vec<(u32, u32)>| -> Vec<(PlaceId, u32)> {
            list.into_iter().map(|(p, weight)| (PlaceId(p), weight)).collect()
        };
        self.net.named_transition(id, name, &arcs(takes), &arcs(puts));
        Ok(())
    }

    /// The model.
    fn build(&self, py: Python<'_>) -> PyResult<Model> {
        let net = self.net.clone().build().map_err(brine::Error::from);
        let inner = net.and_then(brine::Model::from_net).map_err(|e| raise(py, e))?;
        Ok(Model { inner })
    }
}

/// The reachable markings.
#[pyclass(frozen, module = "brine._brine")]
pub(crate) struct Reachable {
    set: Arc<brine::Reachable>,
}

#[pymethods]
impl Reachable {
    /// How many, in decimal.
    fn count(&self, py: Python<'_>) -> String {
        py.detach(|| self.set.count().to_string())
    }

    /// The nodes of the diagram.
    fn nodes(&self) -> usize {
        self.set.nodes()
    }

    fn contains(&self, marking: Vec<u32>) -> bool {
        self.set.contains(&marking)
    }

    fn sample(&self, py: Python<'_>, seed: u64) -> Vec<u32> {
        py.detach(|| self.set.sample(seed))
    }

    fn iterate(&self) -> MarkingIterator {
        MarkingIterator { markings: Markings::of(self.set.clone()) }
    }
}

/// Markings one after the other.
#[pyclass(module = "brine._brine")]
pub(crate) struct MarkingIterator {
    markings: Markings<Arc<brine::Reachable>>,
}

#[pymethods]
impl MarkingIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Vec<u32>> {
        self.markings.next()
    }
}
