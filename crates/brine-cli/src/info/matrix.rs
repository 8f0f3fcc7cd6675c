//! The dependency matrix of MKBP14: groups by slots, which are transitions by places for a
//! net, and commands by variables for guarded commands.

use brine_pins::{Dependency, GroupId, Pins, SlotId, audit};
use serde::Serialize;
use std::io::Write;

/// Rows and columns up to which the matrix itself is shown.
const MAX_ROWS: usize = 200;
const MAX_COLUMNS: usize = 80;
/// Columns are headed by names as long as the lines stay shorter than this.
const MAX_WIDTH: usize = 120;

/// Counts of each kind of entry, and the matrix itself when it is small.
#[derive(Serialize, Debug)]
pub(crate) struct Matrix {
    read: u64,
    write: u64,
    may_write: u64,
    read_write: u64,
    copy: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Row>>,
    #[serde(skip)]
    columns: Vec<String>,
}

/// One transition or command: one character per slot.
#[derive(Serialize, Debug)]
struct Row {
    transition: String,
    dependencies: String,
}

impl Matrix {
    /// Computes the matrix of a model.
    pub(crate) fn new(model: &dyn Pins) -> Self {
        let (slots, groups) = (model.slots(), model.groups());
        let small = groups <= MAX_ROWS && slots <= MAX_COLUMNS;
        let names = (0..slots.min(MAX_COLUMNS) as u32).map(|s| model.slot_name(SlotId(s)));
        let mut matrix = Matrix {
            read: 0,
            write: 0,
            may_write: 0,
            read_write: 0,
            copy: 0,
            rows: small.then(Vec::new),
            columns: names.collect(),
        };
        for group in (0..groups as u32).map(GroupId) {
            let entries = model.row(group).combined();
            matrix.copy += (slots - entries.len()) as u64;
            let mut text = vec![Dependency::Copy; if small { slots } else { 0 }];
            for (slot, dependency) in entries {
                match dependency {
                    Dependency::Read => matrix.read += 1,
                    Dependency::MustWrite => matrix.write += 1,
                    Dependency::MayWrite => matrix.may_write += 1,
                    Dependency::ReadWrite => matrix.read_write += 1,
                    Dependency::Copy => matrix.copy += 1,
                }
                if small {
                    text[slot.index()] = dependency;
                }
            }
            if let Some(rows) = &mut matrix.rows {
                rows.push(Row {
                    transition: model.group_name(group),
                    dependencies: text.iter().map(Dependency::to_string).collect(),
                });
            }
        }
        matrix
    }

    /// Prints counts, and the matrix if it is small.
    pub(crate) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let may = match self.may_write {
            0 => String::new(),
            n => format!("{n} may-write (W), "),
        };
        writeln!(
            out,
            "  matrix       {} read (r), {} write (w), {may}{} read and write (+), {} copy (-)",
            self.read, self.write, self.read_write, self.copy
        )?;
        let Some(rows) = &self.rows else { return Ok(()) };
        let head = rows.iter().map(|r| r.transition.chars().count()).max().unwrap_or(0);
        let named = head + self.columns.iter().map(|c| c.chars().count() + 1).sum::<usize>();
        if named <= MAX_WIDTH {
            let widths: Vec<usize> = self.columns.iter().map(|c| c.chars().count()).collect();
            writeln!(out, "{:head$} {}", "", self.columns.join(" "))?;
            for row in rows {
                let mut line = format!("{:head$}", row.transition);
                for (entry, &width) in row.dependencies.chars().zip(&widths) {
                    line.push_str(&format!(" {entry:width$}"));
                }
                writeln!(out, "{}", line.trim_end())?;
            }
        } else {
            writeln!(out, "columns: {}", self.columns.join(" "))?;
            for row in rows {
                writeln!(out, "{:head$} {}", row.transition, row.dependencies)?;
            }
        }
        Ok(())
    }
}

/// What the model does, compared with what its matrix says.
#[derive(Serialize, Debug)]
pub(crate) struct Audited {
    states: usize,
    complete: bool,
    pub(crate) violation: Option<String>,
}

impl Audited {
    /// Looks at the first `limit` reachable states.
    pub(crate) fn new(model: &dyn Pins, limit: usize) -> anyhow::Result<Self> {
        let audit = audit(model, limit)?;
        let say = |v: brine_pins::Violation| format!("{} {}", model.group_name(v.group), v.kind);
        let violation = audit.violation.map(say);
        Ok(Audited { states: audit.states, complete: audit.complete, violation })
    }

    pub(crate) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let which = if self.complete { "all" } else { "the first" };
        match &self.violation {
            None => {
                writeln!(out, "  audit        right on {which} {} reachable states", self.states)
            }
            Some(what) => writeln!(out, "  audit        the matrix is wrong: {what}"),
        }
    }
}
