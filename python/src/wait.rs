//! Long calls: Python goes on, Ctrl-C ends them, and somebody may watch.
//!
//! The work is done by a thread of its own, with the interpreter released. The thread that called
//! waits, and looks every 50 ms whether a signal came in; then it sets the flag that calls the
//! question off, waits for the search to notice (searches look at it all the time), and raises what
//! the signal raised.

use brine::Progress;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);
/// The stack of the thread that works.
const STACK: usize = 16 << 20;

/// How to reach a search from outside.
#[derive(Default)]
pub(crate) struct Handle {
    pub(crate) cancel: Arc<AtomicBool>,
    pub(crate) progress: Arc<Progress>,
}

/// Does the work, and tells `watcher` now and then: seconds, nodes, level, trial.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    watcher: Option<&Py<PyAny>>,
    handle: &Handle,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let start = Instant::now();
    let watcher = watcher.map(|watcher| watcher.clone_ref(py));
    let looked = move |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        if let Some(watcher) = &watcher {
            let Progress { nodes, level, trial, .. } = &*handle.progress;
            let [nodes, level, trial] = [nodes, level, trial].map(|n| n.load(Ordering::Relaxed));
            watcher.call1(py, (start.elapsed().as_secs_f64(), nodes, level, trial))?;
        }
        Ok(())
    };
    py.detach(move || {
        std::thread::scope(|scope| {
            let (done, wake) = channel::<()>();
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work();
                // Nobody waits any more if the search was called off.
                let _ = done.send(());
                result
            })?;
            let mut outcome = Ok(());
            while outcome.is_ok() && wake.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                outcome = Python::attach(&looked);
            }
            if outcome.is_err() {
                handle.cancel.store(true, Ordering::Relaxed);
            }
            let result = worker.join();
            outcome?;
            result.map_err(|panic| {
                let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                let text = text.unwrap_or_default();
                pyo3::exceptions::PyRuntimeError::new_err(format!(
                    "internal error in Brine, please report it: {text}"
                ))
            })
        })
    })
}
