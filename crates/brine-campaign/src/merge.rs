//! `brine bench --merge`: the parts of a campaign in one file.

use crate::files::replace;
use crate::results::{self, Row, header};
use anyhow::bail;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Joins results files. Lines that occur twice, times and all, are the same run and are
/// kept once: a file may be named twice, or be the join of others.
pub fn merge(parts: &[PathBuf], out: &Path) -> anyhow::Result<Vec<Row>> {
    if parts.is_empty() {
        bail!("--merge: no files");
    }
    let mut seen = HashSet::new();
    let mut text = header();
    let mut rows = Vec::new();
    for part in parts {
        for row in results::read(part)? {
            let line = row.line()?;
            if seen.insert(line.clone()) {
                text.push_str(&line);
                rows.push(row);
            }
        }
    }
    replace(out, &text)?;
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Word, tests::row};

    #[test]
    fn parts_are_joined_torn_lines_dropped_and_doubles_kept_once() {
        let dir = tempfile::tempdir().unwrap();
        let line = |p: &str| row(["m", p, "c"], Word::Holds, 1.0).line().unwrap();
        let file = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let a = file("a.csv", &(header() + &line("p") + "m,q,c,hol"));
        let b = file("b.csv", &(header() + &line("q") + &line("p")));
        let out = dir.path().join("out.csv");
        let rows = merge(&[a.clone(), b, a], &out).unwrap();
        let names: Vec<&str> = rows.iter().map(|r| r.property.as_str()).collect();
        assert_eq!(names, ["p", "q"]);
        assert_eq!(results::read(&out).unwrap(), rows);
        let bad = file("bad.csv", "a,b\n");
        assert!(merge(&[bad], &out).unwrap_err().to_string().contains("missing columns"));
        assert_eq!(results::read(&out).unwrap(), rows, "nothing was written");
    }
}
