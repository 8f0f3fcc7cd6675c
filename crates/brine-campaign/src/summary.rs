//! What a campaign says at its end: a line for each configuration, and all that is wrong.

use crate::results::{ResultRow, Word};
use std::collections::{BTreeMap, HashSet};

/// What `brine check` exits with when it refuses its options or its input.
const BAD_INPUT: i32 = 2;

/// All that is wrong, each once: verdicts that were not expected, and those that contradict
/// another while it is not known which is wrong.
pub fn complaints(rows: &[ResultRow]) -> Vec<String> {
    let mut told = HashSet::new();
    let wrong = rows.iter().filter(|r| r.wrong()).map(ResultRow::complaint);
    wrong.filter(|line| told.insert(line.clone())).chain(disagreements(rows)).collect()
}

/// Tells of a configuration of which every run was refused as bad usage or bad input, if there
/// is one: the plan wants to be corrected. (One that is refused now and then may be meant: some
/// options do not suit every property.)
pub fn refused(rows: &[ResultRow]) -> Option<String> {
    let useless = |config: &str| {
        rows.iter().filter(|r| r.config == config).all(|r| r.exit == Some(BAD_INPUT))
    };
    let row = rows.iter().find(|r| r.exit == Some(BAD_INPUT) && useless(&r.config))?;
    Some(format!(
        "every run of configuration {:?} was refused; `brine check` with its options tells why, \
         for instance on {}, {}. Correct the plan and run it again with --rerun-changed",
        row.config, row.model, row.property
    ))
}

/// A line for each configuration.
pub fn table(rows: &[ResultRow]) -> String {
    let mut configs: Vec<&str> = rows.iter().map(|r| r.config.as_str()).collect();
    configs.sort_unstable();
    configs.dedup();
    let width = configs.iter().map(|c| c.len()).max().unwrap_or(0).max("configuration".len());
    let mut text = format!(
        "{:<width$}  {:>6}  {:>6}  {:>8}  {:>7}  {:>6}  {:>5}  {:>5}\n",
        "configuration", "runs", "holds", "violated", "timeout", "memory", "other", "wrong"
    );
    for config in configs {
        let of: Vec<&ResultRow> = rows.iter().filter(|r| r.config == config).collect();
        let verdict = |v: Word| of.iter().filter(|r| r.verdict == v && !r.wrong()).count();
        let open = || of.iter().filter(|r| r.verdict == Word::Unknown);
        let reason = |w: &str| open().filter(|r| r.reason.as_deref() == Some(w)).count();
        let (timeout, memory) = (reason("timeout"), reason("memory"));
        let other = verdict(Word::Unknown) - timeout - memory;
        text += &format!(
            "{config:<width$}  {:>6}  {:>6}  {:>8}  {timeout:>7}  {memory:>6}  {other:>5}  {:>5}\n",
            of.len(),
            verdict(Word::Holds),
            verdict(Word::Violated),
            of.iter().filter(|r| r.wrong()).count()
        );
    }
    text
}

/// Properties on which two runs gave different verdicts, whatever was expected.
pub fn disagreements(rows: &[ResultRow]) -> Vec<String> {
    let mut seen: BTreeMap<[&str; 2], BTreeMap<Word, &str>> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.solved()) {
        let verdicts = seen.entry([&row.model, &row.property]).or_default();
        verdicts.entry(row.verdict).or_insert(&row.config);
    }
    let split = seen.into_iter().filter(|(_, verdicts)| verdicts.len() > 1);
    let line = |([model, property], verdicts): ([&str; 2], BTreeMap<Word, &str>)| {
        let says = verdicts.iter().map(|(v, config)| format!("{} [{config}]", v.name()));
        format!("DISAGREE {model} {property}: {}", says.collect::<Vec<_>>().join(", "))
    };
    split.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::row;

    #[test]
    fn a_configuration_that_is_always_refused_is_a_mistake() {
        let refuse = |names| ResultRow { exit: Some(2), ..row(names, Word::Unknown, 0.0) };
        let fine = row(["m", "p", "a"], Word::Holds, 1.0);
        let now_and_then = [fine.clone(), refuse(["m", "q", "a"])];
        assert_eq!(refused(&now_and_then), None);
        let always = [fine, refuse(["m", "p", "b"]), refuse(["m", "q", "b"])];
        assert!(refused(&always).unwrap().starts_with("every run of configuration \"b\""));
    }

    #[test]
    fn configurations_are_counted() {
        let rows = [
            row(["m", "p", "a"], Word::Holds, 1.0),
            row(["m", "p", "b"], Word::Unknown, 1.0),
            row(["m", "q", "b"], Word::Violated, 1.0),
        ];
        let expected = "\
configuration    runs   holds  violated  timeout  memory  other  wrong
a                   1       1         0        0       0      0      0
b                   2       0         1        1       0      0      0
";
        assert_eq!(table(&rows), expected);
        assert!(disagreements(&rows).is_empty(), "unknown contradicts nobody");
    }

    #[test]
    fn a_wrong_verdict_is_counted_once() {
        let mut rows =
            vec![row(["m", "p", "a"], Word::Holds, 1.0), row(["m", "p", "b"], Word::Violated, 1.0)];
        rows.iter_mut().for_each(|row| row.expect(Word::Holds));
        rows.push(rows[1].clone());
        assert_eq!(complaints(&rows), ["WRONG m p [b]: violated, expected holds"]);
        let b = "b                   2       0         0        0       0      0      2";
        assert!(table(&rows).lines().any(|l| l == b), "{}", table(&rows));
    }

    #[test]
    fn contradictions_are_found_without_expected_verdicts() {
        let rows = [
            row(["m", "p", "a"], Word::Holds, 1.0),
            row(["m", "p", "b"], Word::Violated, 1.0),
            row(["n", "p", "b"], Word::Violated, 1.0),
        ];
        assert_eq!(disagreements(&rows), ["DISAGREE m p: holds [a], violated [b]"]);
    }
}
