//! Campaigns: models times properties times configurations, each run in a process of its own.
//!
//! A [`plan`] is read, spread out into [`runs`], compared with what the [`store`] has already;
//! the [`campaign`] makes the rest, one [`launch`] after the other, and a [`summary`] ends it. A
//! [`report`] turns rows of [`results`] into pages, plots and tables.

pub mod campaign;
pub mod child;
mod cores;
pub mod emit;
pub mod files;
pub mod launch;
#[cfg(target_os = "linux")]
pub mod limited;
pub mod merge;
pub mod origin;
pub mod plan;
pub mod pool;
pub mod report;
pub mod results;
mod resume;
pub mod runs;
pub mod store;
pub mod summary;
pub mod tool;

use std::io::Write;

/// Writes a line to standard error. If that fails, the failure cannot be reported.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
