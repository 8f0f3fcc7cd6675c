//! What a row was made from, so that rows that do not belong together are not taken for one
//! campaign.
//!
//! The fingerprint of a row is three hashes, joined by dashes: of the model's file; of the
//! property (the formula, or the whole property file and the id in it); and of the setup, which
//! stands in the columns `version`, `options` and `limits` as text. A row counts for a run if
//! its fingerprint is the one that the run would get now. Host and date are written down but
//! are no part of it: the parts of a campaign may be made on many machines, on many days.
//!
//! The build is told by the hash of the program's own file, since versions do not change with
//! every change of the code. Hashes are FNV-1a with 64 bits: they tell files apart that differ
//! by accident, not those that someone made to look alike.

use crate::plan::Limits;
use crate::results::ResultRow;
use crate::runs::PlannedRun;
use anyhow::Context;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A hash of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hash(u64);

impl Hash {
    const START: Hash = Hash(0xcbf2_9ce4_8422_2325);

    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash::START.and(bytes)
    }

    /// The hash of what was hashed so far and these bytes.
    #[must_use]
    pub fn and(self, bytes: &[u8]) -> Hash {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Hash(bytes.iter().fold(self.0, step))
    }

    /// The hash of a file's content.
    pub fn of_file(path: &Path) -> anyhow::Result<Hash> {
        let bytes =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Hash::of(&bytes))
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The version of Brine with the hash of a program's file: `0.1.0+0123456789abcdef`.
pub fn version(program: &Path) -> anyhow::Result<String> {
    Ok(format!("{}+{}", env!("CARGO_PKG_VERSION"), Hash::of_file(program)?))
}

/// What a row of a run depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    version: String,
    options: String,
    limits: String,
    fingerprint: String,
}

impl Origin {
    /// The origin of the rows of a run.
    pub fn of(run: &PlannedRun, version: &str, limits: &Limits) -> Origin {
        let limits = limits.to_string();
        let setup = [version, &run.options, &limits].join("\n");
        let PlannedRun { model_hash, property_hash, .. } = run;
        Origin {
            version: version.to_owned(),
            options: run.options.clone(),
            limits,
            fingerprint: format!("{model_hash}-{property_hash}-{}", Hash::of(setup.as_bytes())),
        }
    }

    /// Writes the origin into a row.
    pub fn sign(&self, row: &mut ResultRow, date: SystemTime) {
        row.version = Some(self.version.clone());
        row.options = Some(self.options.clone());
        row.limits = Some(self.limits.clone());
        row.fingerprint = Some(self.fingerprint.clone());
        row.host = Some(host());
        row.date = Some(iso_date(date));
    }

    /// In what a row's origin differs from this one; empty if it is the same.
    pub fn differences(&self, row: &ResultRow) -> Vec<String> {
        let Some(fingerprint) = &row.fingerprint else {
            return vec!["no fingerprint: made by a version of Brine that wrote none".to_owned()];
        };
        if *fingerprint == self.fingerprint {
            return Vec::new();
        }
        let mut found = Vec::new();
        let part = |text: &str, i: usize| text.split('-').nth(i).map(str::to_owned);
        for (i, what) in
            ["the model's file has changed", "the property has changed"].into_iter().enumerate()
        {
            if part(fingerprint, i) != part(&self.fingerprint, i) {
                found.push(what.to_owned());
            }
        }
        for (name, old, new) in [
            ("version", &row.version, &self.version),
            ("options", &row.options, &self.options),
            ("limits", &row.limits, &self.limits),
        ] {
            let old = old.as_deref().unwrap_or_default();
            if old != new {
                found.push(format!("{name} \"{old}\", now \"{new}\""));
            }
        }
        if found.is_empty() {
            found.push("the fingerprint does not fit the row".to_owned());
        }
        found
    }
}

/// The name of this machine.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// A moment in UTC, as ISO 8601 writes it, to the second.
fn iso_date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the day that leap years have more is their last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) =
        (era * 400 + year + month / 10, if month < 10 { month + 3 } else { month - 9 });
    let [hour, minute, second] = [rest / 3600, rest / 60 % 60, rest % 60];
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Word, tests::row};
    use std::time::Duration;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let date = |seconds| iso_date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(date(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(date(1_794_946_009), "2026-11-17T20:06:49Z");
    }

    #[test]
    fn hashes_are_those_of_fnv() {
        assert_eq!(Hash::of(b"").to_string(), "cbf29ce484222325");
        assert_eq!(Hash::of(b"foobar").to_string(), "85944171f73967e8");
        assert_eq!(Hash::of(b"foo").and(b"bar"), Hash::of(b"foobar"));
    }

    fn run(options: &str, model: &[u8]) -> PlannedRun {
        PlannedRun {
            model: "m".to_owned(),
            property: "p".to_owned(),
            config: "c".to_owned(),
            repetition: 1,
            expected: None,
            args: Vec::new(),
            options: options.to_owned(),
            model_hash: Hash::of(model),
            property_hash: Hash::of(b"p"),
            tool: None,
        }
    }

    #[test]
    fn differences_are_named_and_host_and_date_are_none() {
        let limits = Limits { time_s: 10.0, memory_mib: 512, cpu_s: None, cores: None };
        let origin = Origin::of(&run("--engine explicit", b"net"), "1+a", &limits);
        let mut row = row(["m", "p", "c"], Word::Holds, 1.0);
        assert!(origin.differences(&row)[0].starts_with("no fingerprint"));
        origin.sign(&mut row, UNIX_EPOCH);
        row.host = Some("elsewhere".to_owned());
        assert_eq!(origin.differences(&row), Vec::<String>::new());
        let other = |run: PlannedRun, version: &str, limits: Limits| {
            Origin::of(&run, version, &limits).differences(&row)
        };
        let same = || run("--engine explicit", b"net");
        assert_eq!(other(same(), "1+b", limits), ["version \"1+a\", now \"1+b\""]);
        assert_eq!(
            other(run("", b"net"), "1+a", limits),
            ["options \"--engine explicit\", now \"\""]
        );
        let longer = Limits { time_s: 20.0, ..limits };
        let words = "limits \"10 s, 512 MiB\", now \"20 s, 512 MiB\"";
        assert_eq!(other(same(), "1+a", longer), [words]);
        let processor = Limits { cpu_s: Some(5), ..limits };
        let words = "limits \"10 s, 512 MiB\", now \"10 s, 512 MiB, 5 s of processor time\"";
        assert_eq!(other(same(), "1+a", processor), [words]);
        let model = other(run("--engine explicit", b"another"), "1+a", limits);
        assert_eq!(model, ["the model's file has changed"]);
        let property = PlannedRun { property_hash: Hash::of(b"q"), ..same() };
        assert_eq!(other(property, "1+a", limits), ["the property has changed"]);
    }
}
