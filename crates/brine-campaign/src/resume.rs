//! Which rows of a results file a campaign may keep, and which runs it has to make.
//!
//! A row counts for the run of its name (model, property, configuration, repetition) if it was
//! made from the same things ([`Origin`]). A row of the same name with another origin is
//! neither kept nor lost without a word: the campaign refuses to begin, unless it was told to
//! make such runs again. Rows of no run of the campaign are left alone.

use crate::origin::Origin;
use crate::results::{ResultRow, Word};
use crate::runs::PlannedRun;
use std::collections::{BTreeMap, HashMap};

/// Rows that are made again although nothing has changed.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retry {
    /// Those that ended in an error: refused, crashed, an internal error
    Errors,
    /// Those without a verdict
    Unknown,
}

impl Retry {
    fn wants(self, row: &ResultRow) -> bool {
        match self {
            Retry::Errors => row.failed(),
            Retry::Unknown => row.verdict == Word::Unknown,
        }
    }
}

/// What a results file means for a campaign.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// For each row, the run that it is kept for; its own number of runs stands for none.
    pub(crate) kept: Vec<Option<usize>>,
    /// For each row, whether it has to go.
    pub(crate) dropped: Vec<bool>,
    /// The runs without a row.
    pub(crate) missing: Vec<usize>,
    /// Rows with another origin, by what differs.
    pub(crate) changed: BTreeMap<String, Vec<usize>>,
}

/// Compares rows with the runs of a campaign; `origins` are those of the runs.
pub(crate) fn sort_out(
    runs: &[PlannedRun],
    origins: &[Origin],
    rows: &[ResultRow],
    retry: Option<Retry>,
) -> Sorted {
    let mut index: HashMap<([&str; 3], u32), usize> = HashMap::new();
    for (i, run) in runs.iter().enumerate() {
        index.insert((run.key(), run.repetition), i);
    }
    let mut sorted = Sorted::default();
    let mut done = vec![false; runs.len()];
    let mut unnumbered: HashMap<[&str; 3], u32> = HashMap::new();
    for (r, row) in rows.iter().enumerate() {
        let key = [row.model.as_str(), &row.property, &row.config];
        // In files without that column, repetitions stand in their order.
        let repetition = row.repetition.unwrap_or_else(|| {
            let count = unnumbered.entry(key).or_default();
            *count += 1;
            *count
        });
        let run = index.get(&(key, repetition)).copied();
        let differences = run.map_or_else(Vec::new, |i| origins[i].differences(row));
        let again = run.is_some() && retry.is_some_and(|retry| retry.wants(row));
        if !differences.is_empty() {
            sorted.changed.entry(differences.join("; ")).or_default().push(r);
        } else if let Some(i) = run.filter(|_| !again) {
            done[i] = true;
        }
        let dropped = again || !differences.is_empty();
        sorted.dropped.push(dropped);
        sorted.kept.push(run.filter(|_| !dropped));
    }
    sorted.missing = (0..runs.len()).filter(|&i| !done[i]).collect();
    sorted
}

/// Names of rows that are listed for each difference.
const LISTED: usize = 10;

impl Sorted {
    /// Says which rows have another origin, and in what they differ.
    pub(crate) fn told(&self, rows: &[ResultRow]) -> String {
        let mut text = String::new();
        for (difference, of) in &self.changed {
            let count = of.len();
            let plural = if count == 1 { "row" } else { "rows" };
            text += &format!("{count} {plural}: {difference}\n");
            for &r in of.iter().take(LISTED) {
                text += &format!("  {}\n", rows[r].name());
            }
            if count > LISTED {
                text += &format!("  and {} more\n", count - LISTED);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Hash;
    use crate::plan::Limits;
    use crate::results::tests::row;
    use std::time::UNIX_EPOCH;

    const LIMITS: Limits = Limits { time_s: 10.0, memory_mib: 512, cpu_s: None, cores: None };

    fn run(property: &str, repetition: u32) -> PlannedRun {
        PlannedRun {
            model: "m".to_owned(),
            property: property.to_owned(),
            config: "c".to_owned(),
            repetition,
            expected: None,
            args: Vec::new(),
            options: String::new(),
            model_hash: Hash::of(b""),
            property_hash: Hash::of(b""),
            tool: None,
        }
    }

    fn origins(runs: &[PlannedRun]) -> Vec<Origin> {
        runs.iter().map(|run| Origin::of(run, "1+a", &LIMITS)).collect()
    }

    /// A row as the campaign would make it.
    fn made(run: &PlannedRun, version: &str) -> ResultRow {
        let mut row = row([&run.model, &run.property, &run.config], Word::Holds, 1.0);
        row.repetition = Some(run.repetition);
        Origin::of(run, version, &LIMITS).sign(&mut row, UNIX_EPOCH);
        row
    }

    #[test]
    fn only_missing_repetitions_are_made() {
        let runs = [run("p", 1), run("p", 2), run("q", 1), run("q", 2), run("r", 1)];
        let rows = [
            made(&runs[1], "1+a"),
            made(&runs[2], "1+a"),
            made(&runs[3], "1+a"),
            made(&run("x", 1), "0"),
        ];
        let sorted = sort_out(&runs, &origins(&runs), &rows, None);
        assert_eq!(sorted.missing, [0, 4]);
        assert_eq!(sorted.kept, [Some(1), Some(2), Some(3), None]);
        assert_eq!(sorted.dropped, [false; 4], "rows of other plans are left alone");
        assert_eq!(sort_out(&runs, &origins(&runs), &[], None).missing.len(), 5);
    }

    #[test]
    fn rows_of_another_origin_are_named() {
        let runs = [run("p", 1), run("q", 1)];
        let rows = [made(&runs[0], "1+a"), made(&runs[1], "1+b")];
        let sorted = sort_out(&runs, &origins(&runs), &rows, None);
        assert_eq!(
            (sorted.missing.as_slice(), sorted.dropped.as_slice()),
            (&[1][..], &[false, true][..])
        );
        assert_eq!(sorted.told(&rows), "1 row: version \"1+b\", now \"1+a\"\n  m q [c]\n");
    }

    #[test]
    fn rows_without_numbers_stand_in_their_order_and_without_fingerprints_are_changed() {
        let runs = [run("p", 1), run("p", 2)];
        let old = || ResultRow { repetition: None, fingerprint: None, ..made(&runs[0], "1+a") };
        let sorted = sort_out(&runs, &origins(&runs), &[old(), old(), old()], None);
        assert_eq!(sorted.dropped, [true, true, false], "the third is of no run");
        assert_eq!(sorted.changed.len(), 1);
        let numbers =
            [ResultRow { repetition: None, ..made(&runs[0], "1+a") }, made(&runs[1], "1+a")];
        assert_eq!(sort_out(&runs, &origins(&runs), &numbers, None).missing, [0; 0]);
    }

    #[test]
    fn errors_and_open_runs_are_made_again_when_asked_for() {
        let runs = ["p", "q", "r"].map(|p| run(p, 1));
        let unknown = |run: &PlannedRun, reason: &str| ResultRow {
            verdict: Word::Unknown,
            reason: Some(reason.to_owned()),
            ..made(run, "1+a")
        };
        let rows =
            [made(&runs[0], "1+a"), unknown(&runs[1], "timeout"), unknown(&runs[2], "crash")];
        let missing = |retry| sort_out(&runs, &origins(&runs), &rows, retry).missing;
        assert_eq!(missing(None), [0; 0]);
        assert_eq!(missing(Some(Retry::Errors)), [2]);
        assert_eq!(missing(Some(Retry::Unknown)), [1, 2]);
    }
}
