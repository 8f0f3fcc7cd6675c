//! The dependency matrix of MKBP14 for a net: transitions by places.

use brine_net::{Bounds, Dependency, Net, dependencies};
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
    read_write: u64,
    copy: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Row>>,
    #[serde(skip)]
    columns: Vec<String>,
}

/// One transition: one character per place.
#[derive(Serialize, Debug)]
struct Row {
    transition: String,
    dependencies: String,
}

impl Matrix {
    /// Computes the matrix of a net; `bounds` must be proved.
    pub(crate) fn new(net: &Net, bounds: &Bounds) -> Self {
        let (places, transitions) = (net.places().len(), net.transitions().len());
        let small = transitions <= MAX_ROWS && places <= MAX_COLUMNS;
        let mut matrix = Matrix {
            read: 0,
            write: 0,
            read_write: 0,
            copy: 0,
            rows: small.then(Vec::new),
            columns: net.places().iter().take(MAX_COLUMNS).map(|p| p.id.clone()).collect(),
        };
        for t in net.transition_ids() {
            let row = dependencies(net, bounds, t);
            matrix.copy += (places - row.len()) as u64;
            let mut text = vec![Dependency::Copy; if small { places } else { 0 }];
            for (p, dependency) in row {
                match dependency {
                    Dependency::Read => matrix.read += 1,
                    Dependency::Write => matrix.write += 1,
                    Dependency::ReadWrite => matrix.read_write += 1,
                    Dependency::Copy => matrix.copy += 1,
                }
                if small {
                    text[p.index()] = dependency;
                }
            }
            if let Some(rows) = &mut matrix.rows {
                rows.push(Row {
                    transition: net.transition(t).id.clone(),
                    dependencies: text.iter().map(Dependency::to_string).collect(),
                });
            }
        }
        matrix
    }

    /// Prints counts, and the matrix if it is small.
    pub(crate) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(
            out,
            "  matrix       {} read (r), {} write (w), {} read and write (+), {} copy (-)",
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
