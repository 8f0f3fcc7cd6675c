//! The properties of one `brine check` and what has been said about them: what the watchdog
//! finds when it has to speak.
//!
//! Invariant: once the properties were read, `open` names, in order, those of which nothing was
//! printed.

use super::{Args, unknown};
use crate::clock::Clock;
use crate::entry::{Entry, WitnessFile};
use crate::exit::Exit;
use crate::limits::peak_mem_mib;
use crate::page::PageFile;
use crate::properties;
use crate::watchdog::{LastWords, Watchdog};
use brine_check::show::Trace;
use brine_ltl::{Formulas, Symbols};
use brine_net::Net;
use brine_run::Stop;
use std::collections::VecDeque;
use std::time::Instant;

pub(super) struct Sheet {
    json: bool,
    clock: Clock,
    model: String,
    /// What the properties are called, until they were read; worked out only if somebody asks.
    names: Option<Box<dyn FnOnce() -> Vec<String> + Send>>,
    open: VecDeque<String>,
    /// When the first open property was begun.
    begun: Instant,
    /// The runs found so far.
    pub(super) file: Option<WitnessFile>,
    /// The same as a page.
    pub(super) page: Option<PageFile>,
    /// What the properties so far come to.
    pub(super) exit: Exit,
}

impl Sheet {
    /// Before anything is known but the command line.
    pub(super) fn new(args: &Args, clock: Clock) -> Self {
        Sheet {
            json: args.json,
            clock,
            model: crate::model::file_name(&args.model),
            names: Some(Box::new(names(args))),
            open: VecDeque::new(),
            begun: clock.began(),
            file: args.runs.witness.as_deref().map(WitnessFile::new),
            page: PageFile::new(&args.runs),
            exit: Exit::Done,
        }
    }

    /// What is asked, now that the model and the properties were read.
    pub(super) fn ask(&mut self, model: &str, names: impl Iterator<Item = String>) {
        self.model = model.to_owned();
        self.names = None;
        self.open = names.collect();
        if let Some(page) = &mut self.page {
            page.title(model);
        }
    }

    /// A run, for the page: of a net, all of it or a part, or of another model.
    pub(super) fn draw(&mut self, net: Option<(&Net, bool)>, trace: &Trace) {
        if let Some(page) = &mut self.page {
            page.run(net, trace);
        }
    }

    /// The property of this number is looked at from now on.
    pub(super) fn begin(&mut self, dog: &Watchdog<Sheet>, number: usize) {
        if number > 0 {
            self.begun = Instant::now();
        }
        dog.postpone(self.clock.fence(number as u32 + 1).moment);
    }

    /// The first open property was answered.
    pub(super) fn settle(&mut self, exit: Exit) {
        self.open.pop_front();
        self.exit = self.exit.worse(exit);
    }

    /// Writes the runs, if they were asked for.
    pub(super) fn write_runs(&self) -> anyhow::Result<()> {
        self.page.iter().try_for_each(PageFile::write)?;
        self.file.iter().try_for_each(WitnessFile::write)
    }
}

impl LastWords for Sheet {
    fn speak(&mut self, stop: Stop) -> Exit {
        let seconds = self.begun.elapsed().as_secs_f64();
        if let Some(names) = self.names.take() {
            self.open = names().into();
        }
        for (i, name) in self.open.drain(..).enumerate() {
            let time = if i == 0 { seconds } else { 0.0 };
            let entry = Entry::unknown(&self.model, &name, stop, time, peak_mem_mib());
            match serde_json::to_string(&entry) {
                Ok(line) if self.json => println!("{line}"),
                _ => print!("{}", unknown(&name, &stop.word(), time)),
            }
        }
        self.exit = self.exit.worse(Exit::Unknown);
        if let Err(error) = self.write_runs() {
            eprintln!("error: {error:#}");
        }
        self.exit
    }
}

/// What the properties on the command line are called, as far as that is known without the
/// model. What is wrong with them is told when they are read.
fn names(args: &Args) -> impl FnOnce() -> Vec<String> + Send + 'static {
    let (source, file, only) = (args.source(), args.mcc.clone(), args.only.clone());
    let texts = args.texts().unwrap_or_default();
    let mut names: Vec<String> = texts.into_iter().flat_map(|t| t.1).map(|g| g.name).collect();
    let automata: Vec<String> = args.hoa.iter().map(|p| p.display().to_string()).collect();
    let property = args.property;
    move || {
        if let Some(path) = file {
            let (mut formulas, mut symbols) = (Formulas::new(), Symbols::open());
            let read = properties::from_mcc(&source, &path, &mut formulas, &mut symbols);
            let chosen = read.and_then(|all| properties::choose(all, &only));
            names.extend(chosen.into_iter().flatten().map(|p| p.name));
        }
        names.extend(automata);
        names.extend(property.then(|| super::PROPERTY.to_owned()));
        names
    }
}
