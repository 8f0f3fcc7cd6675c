//! The properties of one `brine check` and what has been said about them: what the watchdog
//! finds when it has to speak.
//!
//! Properties are answered in rounds, and answers are printed in the order of the properties: an
//! answer waits here for those before it. Whoever ends the command early prints what waits, too.
//!
//! Invariant: once the properties were read, `slots` has, in order, those of which nothing was
//! printed, and the first of them has no answer whenever the lock is free.

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
use brine_page::ShownAnswer;
use brine_run::Stop;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

pub(super) struct Sheet {
    json: bool,
    clock: Clock,
    model: String,
    /// What the properties are called, until they were read; worked out only if somebody asks.
    names: Option<Box<dyn FnOnce() -> Vec<String> + Send>>,
    slots: VecDeque<Slot>,
    /// Slots that were taken away, from the front.
    printed: usize,
    /// The property that is looked at, and since when.
    now: Option<(usize, Instant)>,
    /// How many properties were begun.
    begun: usize,
    /// The runs found so far.
    pub(super) file: Option<WitnessFile>,
    /// The same as a page.
    pub(super) page: Option<PageFile>,
    /// What the properties so far come to.
    pub(super) exit: Exit,
}

/// A property of which nothing was printed.
struct Slot {
    name: String,
    /// Time spent on it.
    used: Duration,
    answer: Option<Answer>,
}

impl Slot {
    fn new(name: String) -> Self {
        Slot { name, used: Duration::ZERO, answer: None }
    }
}

/// What came of a property.
pub(super) struct Answer {
    /// What is printed.
    pub(super) text: String,
    pub(super) exit: Exit,
    /// Its run.
    pub(super) trace: Option<Trace>,
    /// What the page says.
    pub(super) shown: Option<ShownAnswer>,
}

impl Sheet {
    /// Before anything is known but the command line.
    pub(super) fn new(args: &Args, clock: Clock) -> Self {
        Sheet {
            json: args.json,
            clock,
            model: crate::model::file_name(&args.model),
            names: Some(Box::new(names(args))),
            slots: VecDeque::new(),
            printed: 0,
            now: None,
            begun: 0,
            file: args.runs.witness.as_deref().map(WitnessFile::new),
            page: PageFile::new(&args.runs),
            exit: Exit::Done,
        }
    }

    /// What is asked, now that the model and the properties were read.
    pub(super) fn ask(&mut self, model: &str, names: impl Iterator<Item = String>) {
        self.model = model.to_owned();
        self.names = None;
        self.slots = names.map(Slot::new).collect();
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

    /// The clock of the command.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// The property of this number is looked at from now on; the time that it has used.
    pub(super) fn begin(&mut self, dog: &Watchdog<Sheet>, number: usize) -> Duration {
        let first = number >= self.begun;
        self.begun = self.begun.max(number + 1);
        dog.postpone(self.clock.fence(self.begun as u32).moment);
        self.now = Some((number, Instant::now()));
        let Some(slot) = self.slots.get_mut(number - self.printed) else { return Duration::ZERO };
        if first {
            slot.used = self.clock.used_before(number);
        }
        slot.used
    }

    /// It is left, and may be taken up again; the time that it has used.
    pub(super) fn pause(&mut self) -> Duration {
        let Some((number, since)) = self.now.take() else { return Duration::ZERO };
        let Some(slot) = self.slots.get_mut(number - self.printed) else { return Duration::ZERO };
        slot.used += since.elapsed();
        slot.used
    }

    /// The property of this number was answered. Prints what need not wait any longer.
    pub(super) fn settle(&mut self, number: usize, answer: Answer) -> anyhow::Result<()> {
        if let Some(slot) = self.slots.get_mut(number - self.printed) {
            slot.answer = Some(answer);
        }
        while self.slots.front().is_some_and(|slot| slot.answer.is_some())
            && let Some(Slot { name, answer: Some(answer), .. }) = self.slots.pop_front()
        {
            self.printed += 1;
            self.print(&name, answer)?;
        }
        Ok(())
    }

    fn print(&mut self, name: &str, answer: Answer) -> anyhow::Result<()> {
        let Answer { text, exit, trace, shown } = answer;
        print!("{text}");
        self.exit = self.exit.worse(exit);
        if let (Some(page), Some(shown)) = (&mut self.page, shown) {
            page.show(shown);
        }
        self.file.iter_mut().try_for_each(|file| file.add(name, trace.as_ref()))
    }

    /// Writes the runs, if they were asked for.
    pub(super) fn write_runs(&self) -> anyhow::Result<()> {
        self.page.iter().try_for_each(PageFile::write)?;
        self.file.iter().try_for_each(WitnessFile::write)
    }
}

impl LastWords for Sheet {
    fn speak(&mut self, stop: Stop) -> Exit {
        self.pause();
        if let Some(names) = self.names.take() {
            self.slots = names().into_iter().map(Slot::new).collect();
            if let Some(first) = self.slots.front_mut() {
                first.used = self.clock.used_before(0);
            }
        }
        for Slot { name, used, answer } in std::mem::take(&mut self.slots) {
            if let Some(answer) = answer {
                if let Err(error) = self.print(&name, answer) {
                    eprintln!("error: {error:#}");
                }
                continue;
            }
            let time = used.as_secs_f64();
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
