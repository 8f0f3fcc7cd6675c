//! Commands that tell one thing at their end: what is known is kept in a report that can be
//! printed at any time, by the command or by the watchdog.

use crate::clock::Clock;
use crate::exit::{Exit, stop_of};
use crate::watchdog::{LastWords, Watchdog};
use brine_run::Stop;
use serde::Serialize;

/// What a command tells; as JSON it is what it serialises to.
pub(crate) trait Report: Serialize + Send + 'static {
    /// Writes down the time and memory that were used.
    fn measure(&mut self);

    /// Why not everything is known, if it is not.
    fn reason(&mut self) -> &mut Option<&'static str>;

    /// Prints it for people.
    fn print_human(&self);
}

/// What is known so far, and how it is told.
#[derive(Debug)]
pub(crate) struct Told<R> {
    json: bool,
    pub(crate) report: R,
}

impl<R: Report> Told<R> {
    /// Prints everything; the exit code.
    fn print(&mut self) -> Exit {
        self.report.measure();
        match serde_json::to_string(&self.report) {
            Ok(line) if self.json => println!("{line}"),
            _ => self.report.print_human(),
        }
        if self.report.reason().is_some() { Exit::Unknown } else { Exit::Done }
    }
}

impl<R: Report> LastWords for Told<R> {
    fn speak(&mut self, stop: Stop) -> Exit {
        *self.report.reason() = Some(stop.word());
        self.print()
    }
}

/// Runs a search that fills the report in, and prints it however the search ends.
pub(crate) fn tell<R: Report>(
    clock: &Clock,
    json: bool,
    report: R,
    search: impl FnOnce(&Watchdog<Told<R>>) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let dog = Watchdog::start(clock.fence(1), Told { json, report });
    let result = search(&dog);
    match (result.as_ref().err().and_then(stop_of), result) {
        (Some(stop), _) => Ok(dog.finish().speak(stop)),
        (None, Ok(())) => Ok(dog.finish().print()),
        (None, Err(error)) => Err(error),
    }
}
