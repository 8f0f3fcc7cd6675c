//! Rows of results: the CSV that `brine bench` writes and `brine report` reads
//! (docs/campaigns.md).

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A verdict as files write it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// The contest writes TRUE.
    #[serde(alias = "TRUE")]
    Holds,
    /// The contest writes FALSE.
    #[serde(alias = "FALSE")]
    Violated,
    /// No answer.
    Unknown,
}

impl Word {
    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            Word::Holds => "holds",
            Word::Violated => "violated",
            Word::Unknown => "unknown",
        }
    }
}

/// One run: one line. The order of the fields is the order of the columns. Those after `exit` are
/// empty in files of older versions.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct ResultRow {
    /// Which net.
    pub model: String,
    /// Which property of it.
    pub property: String,
    /// Which configuration of the plan.
    pub config: String,
    /// What came of it.
    pub verdict: Word,
    /// What should have.
    pub expected: Option<Word>,
    /// Whether they agree, if both are known.
    pub correct: Option<bool>,
    /// Why there is no verdict.
    pub reason: Option<String>,
    /// Seconds of `brine check` without loading; else what the process lived.
    pub time_s: f64,
    /// The most memory, in mebibytes.
    pub peak_mem_mib: Option<f64>,
    /// States of the automaton of the violations.
    pub automaton_states: Option<u64>,
    /// Its class.
    pub automaton_class: Option<String>,
    /// Whether the formula is stutter-invariant.
    pub stutter_invariant: Option<bool>,
    /// Reachable states of the product; decimal, of any length.
    pub product_states: Option<String>,
    /// The most nodes of diagrams.
    pub peak_nodes: Option<u64>,
    /// States stored by explicit search.
    pub states_stored: Option<u64>,
    /// Transitions seen by explicit search.
    pub transitions: Option<u64>,
    /// Searches for components.
    pub scc_calls: Option<u64>,
    /// Searches that recurring states prevented.
    pub scc_prevented_recurring: Option<u64>,
    /// Searches that abstraction prevented.
    pub scc_prevented_abstraction: Option<u64>,
    /// Seconds in searches for components.
    pub scc_time_s: Option<f64>,
    /// Steps of the violating run before its cycle.
    pub witness_prefix: Option<u64>,
    /// Steps of its cycle.
    pub witness_cycle: Option<u64>,
    /// The exit code; a signal's number, negated, if one ended the process.
    pub exit: Option<i32>,
    /// Seconds of processor time, of the process and all that it started.
    #[serde(default)]
    pub cpu_s: Option<f64>,
    /// Which repetition, from 1.
    #[serde(default)]
    pub repetition: Option<u32>,
    /// The stage of `auto` that decided.
    #[serde(default)]
    pub stage: Option<String>,
    /// Bytes of the certificate, if one was asked for (`--certificate` among the options).
    #[serde(default)]
    pub certificate_bytes: Option<u64>,
    /// Seconds of checking it.
    #[serde(default)]
    pub verify_s: Option<f64>,
    /// The version and the build of Brine.
    #[serde(default)]
    pub version: Option<String>,
    /// The options of `brine check`, limits and question aside.
    #[serde(default)]
    pub options: Option<String>,
    /// The limits of the run.
    #[serde(default)]
    pub limits: Option<String>,
    /// The machine.
    #[serde(default)]
    pub host: Option<String>,
    /// When it began, in UTC.
    #[serde(default)]
    pub date: Option<String>,
    /// What the row depends on (see [`crate::origin`]).
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// The columns, in their order.
pub const COLUMNS: [&str; 34] = [
    "model",
    "property",
    "config",
    "verdict",
    "expected",
    "correct",
    "reason",
    "time_s",
    "peak_mem_mib",
    "automaton_states",
    "automaton_class",
    "stutter_invariant",
    "product_states",
    "peak_nodes",
    "states_stored",
    "transitions",
    "scc_calls",
    "scc_prevented_recurring",
    "scc_prevented_abstraction",
    "scc_time_s",
    "witness_prefix",
    "witness_cycle",
    "exit",
    "cpu_s",
    "repetition",
    "stage",
    "certificate_bytes",
    "verify_s",
    "version",
    "options",
    "limits",
    "host",
    "date",
    "fingerprint",
];

/// The columns that every file has; the others came later.
pub const FIRST_COLUMNS: usize = 23;

impl ResultRow {
    /// The row of a run of which nothing is known yet.
    pub fn open(model: &str, property: &str, config: &str) -> ResultRow {
        ResultRow {
            model: model.to_owned(),
            property: property.to_owned(),
            config: config.to_owned(),
            verdict: Word::Unknown,
            expected: None,
            correct: None,
            reason: None,
            time_s: 0.0,
            peak_mem_mib: None,
            automaton_states: None,
            automaton_class: None,
            stutter_invariant: None,
            product_states: None,
            peak_nodes: None,
            states_stored: None,
            transitions: None,
            scc_calls: None,
            scc_prevented_recurring: None,
            scc_prevented_abstraction: None,
            scc_time_s: None,
            witness_prefix: None,
            witness_cycle: None,
            exit: None,
            cpu_s: None,
            repetition: None,
            stage: None,
            certificate_bytes: None,
            verify_s: None,
            version: None,
            options: None,
            limits: None,
            host: None,
            date: None,
            fingerprint: None,
        }
    }

    /// Compares with the verdict that is expected.
    pub fn expect(&mut self, expected: Word) {
        self.expected = Some(expected);
        self.correct = (self.verdict != Word::Unknown).then_some(self.verdict == expected);
    }

    /// Whether there is a verdict that is not known to be wrong.
    pub fn solved(&self) -> bool {
        self.verdict != Word::Unknown && !self.wrong()
    }

    /// Whether the run ended in an error, not for want of time or memory.
    pub fn failed(&self) -> bool {
        matches!(self.reason.as_deref(), Some("error" | "crash" | "internal-error"))
    }

    /// Whether the verdict is not the expected one.
    pub fn wrong(&self) -> bool {
        self.correct == Some(false)
    }

    /// Model, property, configuration and, if there are several, the repetition.
    pub fn name(&self) -> String {
        let ResultRow { model, property, config, .. } = self;
        match self.repetition {
            Some(n) if n > 1 => format!("{model} {property} [{config}], repetition {n}"),
            _ => format!("{model} {property} [{config}]"),
        }
    }

    /// A line for people about a wrong verdict.
    pub fn complaint(&self) -> String {
        let expected = self.expected.map_or("", Word::name);
        let ResultRow { model, property, config, verdict, .. } = self;
        format!("WRONG {model} {property} [{config}]: {}, expected {expected}", verdict.name())
    }

    /// The row as a line of CSV, with its end of line.
    pub fn line(&self) -> anyhow::Result<String> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(self)?;
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// The header, with its end of line.
pub fn header() -> String {
    COLUMNS.join(",") + "\n"
}

/// The header of files of older versions, with its end of line.
pub(crate) fn old_header() -> String {
    COLUMNS[..FIRST_COLUMNS].join(",") + "\n"
}

/// No run takes longer, in seconds: 30 years.
const LONGEST: f64 = 1e9;

/// Reads a results file.
pub fn read(path: &Path) -> anyhow::Result<Vec<ResultRow>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (whole, torn) = split_torn(&text);
    if !torn.is_empty() {
        let path = path.display();
        crate::tell(&format!("note: {path}: the last line is incomplete and is left out"));
    }
    parse(path, whole)
}

/// The complete lines, and what a killed writer left behind them.
pub fn split_torn(text: &str) -> (&str, &str) {
    text.split_at(text.rfind('\n').map_or(0, |end| end + 1))
}

/// Reads rows from text; `path` is for messages.
pub fn parse(path: &Path, text: &str) -> anyhow::Result<Vec<ResultRow>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let missing: Vec<&str> = COLUMNS
        .into_iter()
        .take(FIRST_COLUMNS)
        .filter(|c| !header.iter().any(|h| h == *c))
        .collect();
    if !missing.is_empty() {
        bail!(
            "{}:1:1: no results of `brine bench`: missing column{} {}",
            path.display(),
            if missing.len() == 1 { "" } else { "s" },
            missing.join(", ")
        );
    }
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    let fault = |error: csv::Error| anyhow::anyhow!("{}", located(path, &header, &error));
    while reader.read_record(&mut record).map_err(fault)? {
        let mut row: ResultRow = record.deserialize(Some(&header)).map_err(fault)?;
        // What a file says about correctness is compared again, not believed.
        if let Some(expected) = row.expected {
            row.expect(expected);
        }
        if !(0.0..=LONGEST).contains(&row.time_s) {
            let line = record.position().map_or(0, csv::Position::line);
            let expected = format!("expected seconds from 0 to {LONGEST}");
            bail!(
                "{}:{line}: column time_s: {:?} is no time: {expected}",
                path.display(),
                row.time_s
            );
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A message of the CSV reader with file and line.
fn located(path: &Path, header: &csv::StringRecord, error: &csv::Error) -> String {
    let line = error.position().map_or(0, csv::Position::line);
    let what = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            match err.field().and_then(|f| header.get(f as usize)) {
                Some(column) => format!("column {column}: {}", err.kind()),
                None => err.kind().to_string(),
            }
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields, expected {expected_len}")
        }
        _ => error.to_string(),
    };
    format!("{}:{line}: {what}", path.display())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row with a verdict and a time.
    pub(crate) fn row(names: [&str; 3], verdict: Word, time_s: f64) -> ResultRow {
        let [model, property, config] = names;
        ResultRow {
            verdict,
            reason: (verdict == Word::Unknown).then(|| "timeout".to_owned()),
            time_s,
            peak_mem_mib: Some(4.5),
            automaton_states: Some(2),
            automaton_class: Some("weak".to_owned()),
            stutter_invariant: Some(true),
            product_states: Some("340282366920938463463374607431768211456".to_owned()),
            exit: Some(0),
            ..ResultRow::open(model, property, config)
        }
    }

    #[test]
    fn lines_have_the_columns_of_the_header_and_come_back() {
        let rows = [
            row(["m", "G (p, q) \"x\"", "a b"], Word::Holds, 0.125),
            row(["m", "p-01", "c"], Word::Unknown, 10.0),
        ];
        let text = header() + &rows[0].line().unwrap() + &rows[1].line().unwrap();
        assert_eq!(parse(Path::new("x.csv"), &text).unwrap(), rows);
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(&rows[0]).unwrap();
        let written = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        assert!(written.starts_with(&header()), "fields and columns agree: {written}");
    }

    #[test]
    fn faults_name_file_line_and_column() {
        let message = |text: &str| parse(Path::new("x.csv"), text).unwrap_err().to_string();
        let cut = header().replace("reason,", "").replace(",exit,", ",");
        let missing = message(&cut);
        assert!(missing.ends_with("missing columns reason, exit"), "{missing}");
        assert!(missing.starts_with("x.csv:1:1: "), "{missing}");
        let line = row(["m", "p", "c"], Word::Holds, 1.0).line().unwrap();
        let bad = message(&(header() + &line + &line.replace("holds", "maybe")));
        assert!(bad.starts_with("x.csv:3: unknown variant `maybe`"), "{bad}");
        let bad = message(&(header() + &line.replace("4.5", "some")));
        assert!(bad.starts_with("x.csv:2: column peak_mem_mib: "), "{bad}");
        for time in ["1e308", "-1", "NaN", "inf"] {
            let bad = message(
                &(header()
                    + &row(["m", "p", "c"], Word::Holds, 1234.5)
                        .line()
                        .unwrap()
                        .replace("1234.5", time)),
            );
            assert!(bad.starts_with("x.csv:2: column time_s: "), "{bad}");
        }
        let short = message(&(header() + "m,p\n"));
        assert_eq!(short, "x.csv:2: 2 fields, expected 34");
    }

    #[test]
    fn files_without_the_later_columns_are_read() {
        let row = row(["m", "p", "c"], Word::Holds, 1.0);
        let line = row.line().unwrap();
        let cells: Vec<&str> = line.trim_end().split(',').collect();
        let old = old_header() + &cells[..FIRST_COLUMNS].join(",") + "\n";
        assert!(old.lines().next().unwrap().ends_with(",exit"));
        assert_eq!(parse(Path::new("x.csv"), &old).unwrap(), [row]);
    }

    /// Whatever the column says, the verdict is compared with the expected one.
    #[test]
    fn correctness_is_not_believed() {
        for said in [Some(true), None] {
            let mut row = row(["m", "p", "c"], Word::Violated, 1.0);
            (row.expected, row.correct) = (Some(Word::Holds), said);
            let text = header() + &row.line().unwrap();
            assert!(parse(Path::new("x.csv"), &text).unwrap()[0].wrong());
        }
    }

    #[test]
    fn the_later_columns_have_the_order_of_the_contract() {
        let later = "cpu_s,repetition,stage,certificate_bytes,verify_s,version,options,limits,\
                     host,date,fingerprint";
        assert_eq!(COLUMNS[FIRST_COLUMNS..].join(","), later);
    }

    #[test]
    fn torn_lines_are_split_off() {
        assert_eq!(split_torn("a\nb\nc,"), ("a\nb\n", "c,"));
        assert_eq!(split_torn("a\n"), ("a\n", ""));
        assert_eq!(split_torn("mod"), ("", "mod"));
    }
}
