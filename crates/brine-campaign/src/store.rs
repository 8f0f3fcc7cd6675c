//! The results file of a campaign that may be killed at any moment.
//!
//! Each row is appended by a single write of a whole line. So after a kill, the file holds
//! complete lines and at most one torn line at its end, which is cut off before going on:
//! no row is lost but the one being written, whose run is made again; none is doubled.
//! A lock on the file keeps a second campaign away.

use crate::files::beside;
use crate::results::{self, ResultRow, header, old_header, split_torn};
use anyhow::{Context, bail};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An open results file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    /// Whether the file has fewer columns than the rows that would be added.
    old: bool,
    /// The rows in the file.
    pub rows: Vec<ResultRow>,
}

impl Store {
    /// Opens a results file, or makes an empty one.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(cannot)?;
        // A device may never end (/dev/full does not), and none can be gone on with.
        if !file.metadata().with_context(cannot)?.is_file() {
            bail!("{}: no ordinary file, expected one for the results", path.display());
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("{}: another campaign is writing to this file", path.display())
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        }
        let mut text = String::new();
        file.read_to_string(&mut text)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let (whole, torn) = split_torn(&text);
        let old = whole.lines().next() == Some(old_header().trim_end());
        let rows = if whole.is_empty() {
            if !header().starts_with(torn) {
                bail!("{}:1:1: no results of `brine bench`: no header", path.display());
            }
            file.set_len(0).with_context(cannot)?;
            file.write_all(header().as_bytes()).with_context(cannot)?;
            Vec::new()
        } else {
            let rows = results::parse(path, whole)?;
            if !old && whole.lines().next() != Some(header().trim_end()) {
                bail!("{}:1:1: the columns are in another order than ours", path.display());
            }
            file.set_len(whole.len() as u64).with_context(cannot)?;
            rows
        };
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        Ok(Store { path: path.to_owned(), file, old, rows })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a row.
    pub fn append(&mut self, row: ResultRow) -> anyhow::Result<()> {
        debug_assert!(!self.old, "the header has a column for each cell");
        self.file
            .write_all(row.line()?.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.rows.push(row);
        Ok(())
    }

    /// Takes the marked rows out, and makes the file one to which rows can be added.
    pub fn drop_rows(&mut self, dropped: &[bool]) -> anyhow::Result<()> {
        if !self.old && !dropped.contains(&true) {
            return Ok(());
        }
        let mut dropped = dropped.iter();
        self.rows.retain(|_| dropped.next() != Some(&true));
        self.rewrite()
    }

    /// Puts all rows into this order. Rows of equal rank stay as they are.
    pub fn sort<R: Ord>(&mut self, rank: impl Fn(&ResultRow) -> R) -> anyhow::Result<()> {
        self.rows.sort_by_key(rank);
        self.rewrite()
    }

    /// Replaces the file as a whole by one with the rows as they are now. The new file is locked
    /// before it gets the name, so that no other campaign comes in between.
    fn rewrite(&mut self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        let mut text = header();
        for row in &self.rows {
            text.push_str(&row.line()?);
        }
        // A symbolic link stays one: the file behind it is replaced.
        let path = self.path.canonicalize().with_context(cannot)?;
        let write = || -> std::io::Result<File> {
            let mut new = beside(&path)?;
            new.as_file().lock()?;
            new.write_all(text.as_bytes())?;
            Ok(new.persist(&path)?)
        };
        let file = write().with_context(cannot)?;
        let _ = std::mem::replace(&mut self.file, file).unlock();
        self.old = false;
        Ok(())
    }
}

impl Drop for Store {
    /// Closing the file is not enough: a process that is just being started somewhere else in
    /// this one holds a copy of it, with the lock, until its program begins.
    fn drop(&mut self) {
        // If it fails there is nothing to do: the lock goes when the last copy is closed.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Word, tests::row};

    fn rows(store: &Store) -> Vec<&str> {
        store.rows.iter().map(|r| r.property.as_str()).collect()
    }

    #[test]
    fn torn_lines_are_cut_off_wherever_the_kill_came() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.csv");
        let mut store = Store::open(&path).unwrap();
        for p in ["p1", "p2"] {
            store.append(row(["m", p, "c"], Word::Holds, 1.0)).unwrap();
        }
        drop(store);
        let whole = std::fs::read_to_string(&path).unwrap();
        let complete = |n: usize| whole.lines().take(n).map(|l| l.len() + 1).sum::<usize>();
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let store = Store::open(&path).unwrap();
            let expected = ["p1", "p2"].iter().zip(2..).filter(|(_, n)| complete(*n) <= cut);
            assert_eq!(rows(&store), expected.map(|(p, _)| *p).collect::<Vec<_>>(), "at {cut}");
            drop(store);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.starts_with(&header()) && text.ends_with('\n'), "valid again: {text}");
        }
    }

    #[test]
    fn other_files_are_left_alone_and_two_writers_kept_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.csv");
        for text in ["my letters", "a,b\n1,2\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(Store::open(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "untouched");
        }
        let path = dir.path().join("s.csv");
        let _first = Store::open(&path).unwrap();
        let message = Store::open(&path).unwrap_err().to_string();
        assert!(message.contains("another campaign"), "{message}");
        let message = format!("{:#}", Store::open(Path::new("/nowhere/r.csv")).unwrap_err());
        assert!(message.starts_with("cannot write /nowhere/r.csv: "), "{message}");
    }

    #[test]
    fn sorting_keeps_repetitions_in_their_order() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.csv");
        let mut store = Store::open(&path).unwrap();
        for (p, time) in [("p2", 1.0), ("p1", 2.0), ("p2", 3.0), ("p1", 4.0)] {
            store.append(row(["m", p, "c"], Word::Holds, time)).unwrap();
        }
        store.sort(|r| r.property == "p2").unwrap();
        store.append(row(["m", "p3", "c"], Word::Holds, 5.0)).unwrap();
        let message = Store::open(&path).unwrap_err().to_string();
        assert!(message.contains("another campaign"), "still locked: {message}");
        drop(store);
        let times: Vec<f64> = Store::open(&path).unwrap().rows.iter().map(|r| r.time_s).collect();
        assert_eq!(times, [2.0, 4.0, 1.0, 3.0, 5.0], "what was added later is not lost");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn files_of_older_versions_stay_as_they_are_until_rows_are_added() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.csv");
        let line = row(["m", "p", "c"], Word::Holds, 1.0).line().unwrap();
        let cells: Vec<&str> = line.trim_end().split(',').collect();
        let old = old_header() + &cells[..crate::results::FIRST_COLUMNS].join(",") + "\n";
        std::fs::write(&path, &old).unwrap();
        let mut store = Store::open(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), old);
        store.drop_rows(&[false]).unwrap();
        store.append(row(["m", "q", "c"], Word::Holds, 1.0)).unwrap();
        drop(store);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(&header()));
        assert_eq!(rows(&Store::open(&path).unwrap()), ["p", "q"]);
    }
}
