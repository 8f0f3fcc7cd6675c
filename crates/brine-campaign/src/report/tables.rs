//! The tables of a report, free of any markup.

use super::digest::{Digest, DigestCell, median_of};
use crate::results::{ResultRow, Word};
use std::collections::BTreeMap;

/// A table: the first column is text, the others are numbers.
#[derive(Debug)]
pub(crate) struct ReportTable {
    pub(crate) title: &'static str,
    /// A sentence below the title.
    pub(crate) note: &'static str,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// What is not there.
const NONE: &str = "–";

/// All tables that have something to say.
pub(crate) fn all(digest: &Digest) -> Vec<ReportTable> {
    let tables = [solved(digest), searches(digest), sccs(digest), classes(digest), models(digest)];
    tables.into_iter().filter(|t| !t.rows.is_empty()).collect()
}

/// The figures on the cards: a word and a number.
pub(crate) fn cards(digest: &Digest) -> Vec<(&'static str, String)> {
    let total = digest.questions.len();
    let solved = digest.questions.iter().filter(|q| q.solved()).count();
    vec![
        ("models", digest.models().len().to_string()),
        ("properties", total.to_string()),
        ("configurations", digest.configs.len().to_string()),
        ("runs", digest.runs.to_string()),
        ("solved by some configuration", format!("{solved} of {total}")),
        ("wrong or contradictory", digest.complaints.len().to_string()),
    ]
}

/// One sentence on correctness.
pub(crate) fn correctness(digest: &Digest) -> String {
    let compared = digest.compared;
    match digest.complaints.len() {
        0 if compared == 0 => {
            "No two configurations disagree. No verdict was expected beforehand.".to_owned()
        }
        0 => format!(
            "No wrong verdict: {compared} compared with expected ones, no two configurations disagree."
        ),
        1 => "1 verdict is wrong, or contradicts another one.".to_owned(),
        n => format!("{n} verdicts are wrong, or contradict others."),
    }
}

fn head(first: &str, others: &[&str]) -> Vec<String> {
    std::iter::once(&first).chain(others).map(|h| (*h).to_owned()).collect()
}

/// A line for each configuration.
fn by_config(
    digest: &Digest,
    line: impl Fn(usize, &[&DigestCell]) -> Vec<String>,
) -> Vec<Vec<String>> {
    let configs = digest.configs.iter().enumerate();
    let row = |(i, name): (usize, &String)| {
        let cells: Vec<&DigestCell> = digest.of(i).collect();
        std::iter::once(name.clone()).chain(line(i, &cells)).collect()
    };
    configs.map(row).collect()
}

fn solved(digest: &Digest) -> ReportTable {
    let alone = |config| {
        digest.questions.iter().filter(|q| q.only_solver() == Some(config)).count().to_string()
    };
    let rows = by_config(digest, |config, cells| {
        let count = |test: &dyn Fn(&DigestCell) -> bool| cells.iter().filter(|c| test(c)).count();
        let verdict = |w: Word| count(&|c| c.solved() && c.verdict == w);
        let open = |c: &DigestCell| c.verdict == Word::Unknown;
        let reason = |w: &str| count(&|c| open(c) && c.reason.as_deref() == Some(w));
        let (timeout, memory) = (reason("timeout"), reason("memory"));
        let counts = [
            count(&DigestCell::solved),
            verdict(Word::Holds),
            verdict(Word::Violated),
            timeout,
            memory,
            count(&open) - timeout - memory,
            count(&DigestCell::doubtful),
        ];
        counts.into_iter().map(|n| n.to_string()).chain([alone(config)]).collect()
    });
    let columns =
        ["solved", "holds", "violated", "timeout", "memory", "other", "wrong", "only here"];
    ReportTable {
        title: "Solved by configuration",
        note: "“wrong”: not the expected verdict, or contradicted by another run while none is \
               expected; not among the solved. “only here”: no other configuration has a verdict.",
        head: head("configuration", &columns),
        rows,
    }
}

fn searches(digest: &Digest) -> ReportTable {
    let rows = by_config(digest, |_, cells| {
        let solved: Vec<&DigestCell> = cells.iter().copied().filter(|r| r.solved()).collect();
        let of = |value: fn(&ResultRow) -> Option<f64>| {
            median_of(solved.iter().filter_map(|r| value(r)).collect())
        };
        let total: f64 = cells.iter().map(|r| r.time_s).sum();
        vec![
            seconds(of(|r| Some(r.time_s))),
            seconds(Some(total)),
            number(of(|r| r.peak_mem_mib), " MiB"),
            number(of(|r| r.product_states.as_ref()?.parse().ok()), ""),
            number(of(|r| Some(r.states_stored? as f64)), ""),
            number(of(|r| Some(r.peak_nodes? as f64)), ""),
            number(of(|r| Some((r.witness_prefix? + r.witness_cycle?) as f64)), ""),
        ]
    });
    let columns = [
        "time",
        "time of all runs",
        "memory",
        "product states",
        "states stored",
        "peak nodes",
        "witness length",
    ];
    ReportTable {
        title: "Time and size",
        note: "Medians over solved properties, but for the time of all runs.",
        head: head("configuration", &columns),
        rows,
    }
}

/// What MVDBM16 counts in Table 1, for the configurations that search for components.
fn sccs(digest: &Digest) -> ReportTable {
    let line = |cells: &[&DigestCell]| {
        let sum = |value: fn(&ResultRow) -> Option<u64>| -> Option<u64> {
            let values: Vec<u64> = cells.iter().filter_map(|r| value(r)).collect();
            (!values.is_empty()).then(|| values.iter().sum())
        };
        let calls = sum(|r| r.scc_calls)?;
        let recurring = sum(|r| r.scc_prevented_recurring).unwrap_or(0);
        let abstraction = sum(|r| r.scc_prevented_abstraction).unwrap_or(0);
        let occasions = calls + recurring + abstraction;
        let share = |n: u64| percent(n as f64, occasions as f64);
        let counted = cells.iter().filter(|r| r.scc_time_s.is_some());
        let (scc, all) = counted
            .fold((0.0, 0.0), |(scc, all), r| (scc + r.scc_time_s.unwrap_or(0.0), all + r.time_s));
        Some(vec![
            occasions.to_string(),
            calls.to_string(),
            share(recurring),
            share(abstraction),
            share(recurring + abstraction),
            percent(scc, all),
        ])
    };
    let rows = by_config(digest, |_, cells| line(cells).unwrap_or_default());
    let columns = [
        "occasions",
        "SCC searches",
        "prevented by recurring states",
        "prevented by abstraction",
        "prevented in all",
        "share of time",
    ];
    ReportTable {
        title: "Searches for strongly connected components",
        note: "An occasion is a saturated node; nodes without accepting states count as prevented \
               by recurring states. Sums over all properties.",
        head: head("configuration", &columns),
        rows: rows.into_iter().filter(|r| r.len() > 1).collect(),
    }
}

/// Does the class of the automaton matter?
fn classes(digest: &Digest) -> ReportTable {
    let mut classes: BTreeMap<&str, Vec<Vec<&DigestCell>>> = BTreeMap::new();
    for (config, _) in digest.configs.iter().enumerate() {
        for row in digest.of(config) {
            let Some(class) = row.automaton_class.as_deref() else { continue };
            let cells = classes.entry(class).or_insert_with(|| vec![vec![]; digest.configs.len()]);
            cells[config].push(row);
        }
    }
    let cell = |rows: &Vec<&DigestCell>| {
        let times: Vec<f64> = rows.iter().filter(|r| r.solved()).map(|r| r.time_s).collect();
        if rows.is_empty() {
            return NONE.to_owned();
        }
        format!("{} of {}, {}", times.len(), rows.len(), seconds(median_of(times)))
    };
    let rows = classes.iter().map(|(class, configs)| {
        std::iter::once((*class).to_owned()).chain(configs.iter().map(cell)).collect()
    });
    ReportTable {
        title: "By class of the automaton",
        note: "Solved, and the median time of those.",
        head: std::iter::once("class".to_owned()).chain(digest.configs.iter().cloned()).collect(),
        rows: rows.collect(),
    }
}

fn models(digest: &Digest) -> ReportTable {
    let mut models: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for question in &digest.questions {
        let counts =
            models.entry(&question.model).or_insert_with(|| vec![(0, 0); digest.configs.len()]);
        for (count, cell) in counts.iter_mut().zip(&question.cells) {
            count.0 += usize::from(cell.as_ref().is_some_and(DigestCell::solved));
            count.1 += usize::from(cell.is_some());
        }
    }
    let rows = models.iter().map(|(model, counts)| {
        let cells = counts.iter().map(|(solved, all)| format!("{solved} of {all}"));
        std::iter::once((*model).to_owned()).chain(cells).collect()
    });
    ReportTable {
        title: "By model",
        note: "Properties solved.",
        head: std::iter::once("model".to_owned()).chain(digest.configs.iter().cloned()).collect(),
        rows: rows.collect(),
    }
}

fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1} %", 100.0 * part / whole) } else { NONE.to_owned() }
}

/// A time with a fitting unit.
pub(crate) fn seconds(time: Option<f64>) -> String {
    match time {
        None => NONE.to_owned(),
        Some(t) if t < 1e-3 => format!("{:.0} µs", t * 1e6),
        Some(t) if t < 1.0 => format!("{:.1} ms", t * 1e3),
        Some(t) if t < 600.0 => format!("{t:.2} s"),
        Some(t) if t < 36_000.0 => format!("{:.0} min", t / 60.0),
        Some(t) => format!("{:.1} h", t / 3600.0),
    }
}

/// A number with at most three digits that count, if it is large.
fn number(value: Option<f64>, unit: &str) -> String {
    match value {
        None => NONE.to_owned(),
        Some(v) if v < 1e4 => format!("{v:.0}{unit}"),
        Some(v) => format!("{v:.2e}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::digest::tests::rows;
    use super::*;

    #[test]
    fn solved_counts_are_right() {
        let tables = all(&Digest::new(&rows()));
        let titles: Vec<&str> = tables.iter().map(|t| t.title).collect();
        let expected =
            ["Solved by configuration", "Time and size", "By class of the automaton", "By model"];
        assert_eq!(titles, expected, "nobody searched for components");
        assert_eq!(tables[0].rows[0], ["a", "1", "1", "0", "2", "0", "0", "0", "0"]);
        assert_eq!(tables[0].rows[1], ["b", "2", "1", "1", "1", "0", "0", "0", "1"]);
        assert_eq!(tables[2].rows, [["weak", "1 of 3, 500.0 ms", "2 of 3, 1.0 ms"]]);
        assert_eq!(tables[3].rows, [["m", "1 of 2", "2 of 2"], ["n", "0 of 1", "0 of 1"]]);
        for table in &tables {
            assert!(table.rows.iter().all(|r| r.len() == table.head.len()), "{}", table.title);
        }
    }

    /// A wrong verdict among the rows: it is wrong once, and solved nowhere.
    fn with_a_wrong_one() -> Digest {
        let mut rows = rows();
        rows[3].expect(Word::Holds);
        // The same run again, and as wrong.
        rows.push(rows[3].clone());
        Digest::new(&rows)
    }

    #[test]
    fn a_wrong_verdict_is_counted_once_and_never_as_solved() {
        let digest = with_a_wrong_one();
        let tables = all(&digest);
        assert_eq!(tables[0].rows[1], ["b", "1", "1", "0", "1", "0", "0", "1", "0"]);
        assert_eq!(tables[1].rows[1][1], "1.0 ms", "the median time of what is solved");
        assert_eq!(tables[2].rows, [["weak", "1 of 3, 500.0 ms", "1 of 3, 1.0 ms"]]);
        assert_eq!(tables[3].rows, [["m", "1 of 2", "1 of 2"], ["n", "0 of 1", "0 of 1"]]);
        assert_eq!(cards(&digest)[4].1, "1 of 3");
        assert_eq!(cards(&digest)[5].1, "1");
        assert_eq!(correctness(&digest), "1 verdict is wrong, or contradicts another one.");
    }

    #[test]
    fn a_wrong_verdict_that_contradicts_a_right_one_is_one_complaint() {
        let mut rows = rows();
        rows[1].verdict = Word::Violated;
        let disputed = Digest::new(&rows);
        assert_eq!(disputed.complaints.len(), 1);
        assert_eq!(cards(&disputed)[4].1, "1 of 3", "nobody knows who is right");
        assert_eq!(all(&disputed)[0].rows[0], ["a", "0", "0", "0", "2", "0", "0", "1", "0"]);
        rows.iter_mut().take(2).for_each(|row| row.expect(Word::Holds));
        let decided = Digest::new(&rows);
        assert_eq!(decided.complaints, ["WRONG m p [b]: violated, expected holds"]);
        assert_eq!(cards(&decided)[4].1, "2 of 3");
        assert_eq!(all(&decided)[0].rows[0], ["a", "1", "1", "0", "2", "0", "0", "0", "1"]);
    }

    #[test]
    fn shares_of_prevented_searches_add_up() {
        let mut rows = rows();
        for row in &mut rows[..2] {
            row.scc_calls = Some(1);
            row.scc_prevented_recurring = Some(6);
            row.scc_prevented_abstraction = Some(3);
            row.scc_time_s = Some(row.time_s / 4.0);
        }
        let table = sccs(&Digest::new(&rows));
        assert_eq!(table.rows[0], ["a", "10", "1", "60.0 %", "30.0 %", "90.0 %", "25.0 %"]);
    }

    #[test]
    fn cards_and_the_sentence_on_correctness() {
        let mut rows = rows();
        let digest = Digest::new(&rows);
        assert_eq!(cards(&digest)[4], ("solved by some configuration", "2 of 3".to_owned()));
        assert!(correctness(&digest).contains("No verdict was expected"));
        rows[0].expected = Some(Word::Violated);
        rows[0].correct = Some(false);
        let digest = Digest::new(&rows);
        assert_eq!(correctness(&digest), "1 verdict is wrong, or contradicts another one.");
        assert_eq!(cards(&digest)[5].1, "1");
    }

    #[test]
    fn units_fit() {
        let texts = [2e-6, 0.0456, 1.0, 900.0, 72_000.0].map(|t| seconds(Some(t)));
        assert_eq!(texts, ["2 µs", "45.6 ms", "1.00 s", "15 min", "20.0 h"]);
        assert_eq!(number(Some(123_456.0), ""), "1.23e5");
    }
}
