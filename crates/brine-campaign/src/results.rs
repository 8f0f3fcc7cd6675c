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

/// One run: one line. The order of the fields is the order of the columns.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Row {
    pub model: String,
    pub property: String,
    pub config: String,
    pub verdict: Word,
    pub expected: Option<Word>,
    pub correct: Option<bool>,
    pub reason: Option<String>,
    pub time_s: f64,
    pub peak_mem_mib: Option<f64>,
    pub automaton_states: Option<u64>,
    pub automaton_class: Option<String>,
    pub stutter_invariant: Option<bool>,
    /// Decimal, of any length.
    pub product_states: Option<String>,
    pub peak_nodes: Option<u64>,
    pub states_stored: Option<u64>,
    pub transitions: Option<u64>,
    pub scc_calls: Option<u64>,
    pub scc_prevented_recurring: Option<u64>,
    pub scc_prevented_abstraction: Option<u64>,
    pub scc_time_s: Option<f64>,
    pub witness_prefix: Option<u64>,
    pub witness_cycle: Option<u64>,
    /// The exit code; a signal's number, negated, if one ended the process.
    pub exit: Option<i32>,
}

/// The columns, in their order.
pub const COLUMNS: [&str; 23] = [
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
];

impl Row {
    /// Whether there is a verdict.
    pub fn solved(&self) -> bool {
        self.verdict != Word::Unknown
    }

    /// Whether the verdict is not the expected one.
    pub fn wrong(&self) -> bool {
        self.correct == Some(false)
    }

    /// A line for people about a wrong verdict.
    pub fn complaint(&self) -> String {
        let expected = self.expected.map_or("", Word::name);
        let Row { model, property, config, verdict, .. } = self;
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

/// No run takes longer, in seconds: 30 years.
const LONGEST: f64 = 1e9;

/// Reads a results file.
pub fn read(path: &Path) -> anyhow::Result<Vec<Row>> {
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
pub fn parse(path: &Path, text: &str) -> anyhow::Result<Vec<Row>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let missing: Vec<&str> =
        COLUMNS.into_iter().filter(|c| !header.iter().any(|h| h == *c)).collect();
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
    let names = reader.headers()?.clone();
    let fault = |error: csv::Error| anyhow::anyhow!("{}", located(path, &error));
    while reader.read_record(&mut record).map_err(fault)? {
        let row: Row = record.deserialize(Some(&names)).map_err(fault)?;
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
fn located(path: &Path, error: &csv::Error) -> String {
    let line = error.position().map_or(0, csv::Position::line);
    let what = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            match err.field().and_then(|f| COLUMNS.get(f as usize)) {
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
    pub(crate) fn row(names: [&str; 3], verdict: Word, time_s: f64) -> Row {
        let [model, property, config] = names.map(str::to_owned);
        Row {
            model,
            property,
            config,
            verdict,
            expected: None,
            correct: None,
            reason: (verdict == Word::Unknown).then(|| "timeout".to_owned()),
            time_s,
            peak_mem_mib: Some(4.5),
            automaton_states: Some(2),
            automaton_class: Some("weak".to_owned()),
            stutter_invariant: Some(true),
            product_states: Some("340282366920938463463374607431768211456".to_owned()),
            peak_nodes: None,
            states_stored: None,
            transitions: None,
            scc_calls: None,
            scc_prevented_recurring: None,
            scc_prevented_abstraction: None,
            scc_time_s: None,
            witness_prefix: None,
            witness_cycle: None,
            exit: Some(0),
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
        let cut = header().replace("reason,", "").replace(",exit", "");
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
        assert_eq!(short, "x.csv:2: 2 fields, expected 23");
    }

    #[test]
    fn torn_lines_are_split_off() {
        assert_eq!(split_torn("a\nb\nc,"), ("a\nb\n", "c,"));
        assert_eq!(split_torn("a\n"), ("a\n", ""));
        assert_eq!(split_torn("mod"), ("", "mod"));
    }
}
