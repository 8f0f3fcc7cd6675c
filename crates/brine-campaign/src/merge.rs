//! `brine bench --merge`: the parts of a campaign in one file.

use crate::files::replace;
use crate::results::{self, ResultRow, header};
use anyhow::bail;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Joins results files. Lines that occur twice, times and all, are the same run and are
/// kept once: a file may be named twice, or be the join of others.
pub fn merge(parts: &[PathBuf], out: &Path) -> anyhow::Result<Vec<ResultRow>> {
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

/// Runs of which there are rows with different fingerprints: these are not one campaign.
pub fn mixed(rows: &[ResultRow]) -> Vec<String> {
    let mut first: HashMap<([&str; 3], Option<u32>), &ResultRow> = HashMap::new();
    let mut mixed = Vec::new();
    for row in rows {
        let key = ([row.model.as_str(), &row.property, &row.config], row.repetition);
        let other = *first.entry(key).or_insert(row);
        if other.fingerprint != row.fingerprint {
            let told = |row: &ResultRow| {
                let texts = [&row.version, &row.options, &row.limits, &row.host];
                texts.map(|t| t.as_deref().unwrap_or("?").to_owned()).join(", ")
            };
            mixed.push(format!(
                "MIXED {}: made from different things: {}; {}",
                row.name(),
                told(other),
                told(row)
            ));
        }
    }
    mixed
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
        assert_eq!(mixed(&rows), [""; 0]);
        let bad = file("bad.csv", "a,b\n");
        assert!(merge(&[bad], &out).unwrap_err().to_string().contains("missing columns"));
        assert_eq!(results::read(&out).unwrap(), rows, "nothing was written");
    }

    #[test]
    fn parts_of_different_campaigns_are_told() {
        let made = |property: &str, repetition, version: &str| ResultRow {
            repetition: Some(repetition),
            version: Some(version.to_owned()),
            fingerprint: Some(version.to_owned()),
            ..row(["m", property, "c"], Word::Holds, 1.0)
        };
        let rows = [made("p", 1, "1+a"), made("p", 2, "1+b"), made("q", 1, "1+b")];
        assert_eq!(mixed(&rows), [""; 0], "other runs may come from elsewhere");
        let mixed = mixed(&[made("p", 1, "1+a"), made("p", 1, "1+b")]);
        let line = "MIXED m p [c]: made from different things: 1+a, ?, ?, ?; 1+b, ?, ?, ?";
        assert_eq!(mixed, [line]);
    }
}
