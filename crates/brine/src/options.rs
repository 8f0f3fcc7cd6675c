//! How a question is answered: by which engine, within which budget.

use crate::Error;
use brine_check::{Budget, EngineName, EngineOptions, EngineSpec, SpaceSpec};
use brine_run::{Control, Progress, Stop, resident_bytes, usable_bytes};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a process takes beside its tables, in bytes: what was freed but not given back.
const BESIDE: u64 = 8 << 20;

/// Which engine, how long, how much memory.
///
/// Without a word, `auto` answers, on all cores, in three quarters of the memory that is free, for
/// as long as it takes.
///
/// ```
/// use brine::{Engine, Options};
/// use std::time::Duration;
/// let options = Options::new().engine(Engine::Symbolic).timeout(Duration::from_secs(10));
/// let error = Options::new().words(["--engine", "explicit", "--order", "places/sloan"]);
/// assert!(error.is_err(), "explicit search has no order");
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Options {
    engine: EngineOptions,
    no_reduction: bool,
    timeout: Option<Duration>,
    memory_mib: Option<u64>,
    threads: Option<NonZeroUsize>,
    shortest: bool,
    cancel: Arc<AtomicBool>,
    progress: Option<Arc<Progress>>,
}

impl Options {
    /// `auto`, all cores, no limit of time.
    pub fn new() -> Self {
        Options::default()
    }

    /// Asks this engine.
    pub fn engine(mut self, engine: EngineName) -> Self {
        self.engine.engine = Some(engine);
        self
    }

    /// Takes options of engines as they stand on the command line, a word each: `--engine`,
    /// `--order`, `--por`, `--emptiness`, `--strategy` and so on, and `--no-reduction` of
    /// `brine states`. They replace the engine chosen before.
    pub fn words<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Result<Self, Error> {
        let words: Vec<&str> = words.into_iter().collect();
        self.no_reduction = words.contains(&"--no-reduction");
        let rest = words.into_iter().filter(|w| *w != "--no-reduction");
        let engine = EngineOptions::parse(rest)?;
        let named = self.engine.engine;
        self.engine = EngineOptions { engine: engine.engine.or(named), ..engine };
        if SpaceSpec::new(&self.engine).is_err() {
            self.engine.spec()?;
        }
        Ok(self)
    }

    /// Gives up after this time; reading the question counts.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// Gives up before it takes more than so many mebibytes.
    pub fn memory_mib(mut self, mib: u64) -> Self {
        self.memory_mib = Some(mib);
        self
    }

    /// At most so many searches at a time; verdicts do not depend on it.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Searches for a shortest run as long as the budget lasts.
    pub fn shortest(mut self) -> Self {
        self.shortest = true;
        self
    }

    /// A flag that calls the question off once it is set, from any thread.
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = flag;
        self
    }

    /// Where [`crate::Model::states`] and [`crate::Model::reachable`] show how far they are.
    pub fn progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The engine for a property.
    pub(crate) fn spec(&self) -> Result<EngineSpec, Error> {
        if self.no_reduction {
            return Err(Error::options("--no-reduction is for state spaces"));
        }
        Ok(self.engine.spec()?)
    }

    /// How a state space of a net is computed.
    pub(crate) fn space(&self) -> Result<SpaceSpec, Error> {
        let spec = SpaceSpec::new(&self.engine)?;
        Ok(if self.no_reduction { spec.without_reduction()? } else { spec })
    }

    pub(crate) fn engine_options(&self) -> Result<EngineOptions, Error> {
        if self.no_reduction {
            return Err(Error::options("--no-reduction is for nets"));
        }
        Ok(self.engine.clone())
    }

    /// Refuses what means nothing where all engines work together and choose their runs.
    pub(crate) fn ensure_budgets_only(&self) -> Result<(), Error> {
        if self.engine != EngineOptions::default() || self.no_reduction {
            return Err(Error::options("the engines answer together: name none of them"));
        }
        if self.shortest {
            return Err(Error::options("shortest runs are for single questions"));
        }
        Ok(())
    }

    pub(crate) fn wants_shortest(&self) -> bool {
        self.shortest
    }

    pub(crate) fn watched(&self) -> Option<Arc<Progress>> {
        self.progress.clone()
    }

    /// The budget of a question that begins now.
    pub(crate) fn start(&self) -> Limits {
        let memory = self.memory_mib.map(|mib| mib.saturating_mul(1 << 20)).or_else(usable_bytes);
        let resident = memory.map(|b| b.saturating_add(BESIDE + resident_bytes() as u64));
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Limits {
            began: Instant::now(),
            budget: Budget {
                time: self.timeout,
                memory,
                resident,
                cancel: self.cancel.clone(),
                threads: self.threads.map_or_else(cores, NonZeroUsize::get),
                ..Budget::default()
            },
        }
    }
}

/// The budget of one question, and when it began.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) began: Instant,
    budget: Budget,
}

impl Limits {
    /// What is left of it now.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.since(self.began)
    }

    /// Which of them ran out, when one did.
    pub(crate) fn stop(&self) -> Stop {
        self.control().look().err().unwrap_or(Stop::Memory)
    }

    /// The same for a pass.
    pub(crate) fn control(&self) -> Control {
        Control { charged: None, ..self.budget().control() }
    }
}
