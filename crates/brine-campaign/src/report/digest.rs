//! Rows seen as a matrix: questions times configurations.
//!
//! Several repetitions of a run become one cell: the median repetition, where a run without
//! a verdict counts as longer than any with one. If a repetition is wrong, that one stands for
//! all. Wrong verdicts, and verdicts that contradict each other while it is not known which is
//! wrong, are no solutions: [`DigestCell::solved`] is what every count, curve and median goes by.

use crate::results::{ResultRow, Word};
use crate::summary;
use std::collections::{BTreeMap, HashMap};

/// The results of a campaign.
#[derive(Debug)]
pub struct Digest {
    /// Configurations, in the order of the file.
    pub(crate) configs: Vec<String>,
    /// Model and property.
    pub(crate) questions: Vec<DigestQuestion>,
    /// What is wrong, in words.
    pub(crate) complaints: Vec<String>,
    /// Rows that could be compared with an expected verdict.
    pub(crate) compared: usize,
    /// Rows in all.
    pub(crate) runs: usize,
}

/// A property of a model, and what each configuration made of it.
#[derive(Debug)]
pub(crate) struct DigestQuestion {
    pub(crate) model: String,
    pub(crate) property: String,
    /// One for each configuration; `None` where there is no row.
    pub(crate) cells: Vec<Option<DigestCell>>,
}

/// What a configuration made of a question.
#[derive(Clone, Debug)]
pub(crate) struct DigestCell {
    row: ResultRow,
    /// Whether other runs say the contrary, and it is not known who is wrong.
    disputed: bool,
}

impl DigestCell {
    /// Whether there is a verdict that counts.
    pub(crate) fn solved(&self) -> bool {
        self.row.solved() && !self.disputed
    }

    /// Whether there is a verdict that does not count.
    pub(crate) fn doubtful(&self) -> bool {
        self.row.wrong() || (self.row.solved() && self.disputed)
    }
}

impl std::ops::Deref for DigestCell {
    type Target = ResultRow;

    fn deref(&self) -> &ResultRow {
        &self.row
    }
}

impl Digest {
    /// Makes the matrix.
    pub fn new(rows: &[ResultRow]) -> Self {
        let mut configs: Vec<String> = Vec::new();
        for row in rows {
            if !configs.contains(&row.config) {
                configs.push(row.config.clone());
            }
        }
        let index: HashMap<&str, usize> =
            configs.iter().enumerate().map(|(i, c)| (c.as_str(), i)).collect();
        let mut questions: BTreeMap<[&str; 2], Vec<Vec<&ResultRow>>> = BTreeMap::new();
        for row in rows {
            let key = [row.model.as_str(), &row.property];
            let cells = questions.entry(key).or_insert_with(|| vec![Vec::new(); configs.len()]);
            cells[index[row.config.as_str()]].push(row);
        }
        let question = |([model, property], cells): ([&str; 2], Vec<Vec<&ResultRow>>)| {
            let says = |word| cells.iter().flatten().any(|r| r.solved() && r.verdict == word);
            let disputed = says(Word::Holds) && says(Word::Violated);
            let cell = |rows| Some(DigestCell { row: median(rows)?, disputed });
            DigestQuestion {
                model: model.to_owned(),
                property: property.to_owned(),
                cells: cells.into_iter().map(cell).collect(),
            }
        };
        let questions = questions.into_iter().map(question).collect();
        let compared = rows.iter().filter(|r| r.correct.is_some()).count();
        let complaints = summary::complaints(rows);
        Digest { configs, questions, complaints, compared, runs: rows.len() }
    }

    /// The cells of one configuration.
    pub(crate) fn of(&self, config: usize) -> impl Iterator<Item = &DigestCell> {
        self.questions.iter().filter_map(move |q| q.cells[config].as_ref())
    }

    /// Models, each once.
    pub(crate) fn models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = self.questions.iter().map(|q| q.model.as_str()).collect();
        models.dedup();
        models
    }
}

impl DigestQuestion {
    /// Whether some configuration has a verdict.
    pub(crate) fn solved(&self) -> bool {
        self.cells.iter().flatten().any(DigestCell::solved)
    }

    /// The configuration that alone has a verdict.
    pub(crate) fn only_solver(&self) -> Option<usize> {
        let solved = |cell: &Option<DigestCell>| cell.as_ref().is_some_and(DigestCell::solved);
        let mut solvers = (0..self.cells.len()).filter(|&i| solved(&self.cells[i]));
        solvers.next().filter(|_| solvers.next().is_none())
    }
}

/// The middle one of the repetitions; of two, the faster. A wrong one, if there is one.
fn median(mut rows: Vec<&ResultRow>) -> Option<ResultRow> {
    if let Some(wrong) = rows.iter().find(|r| r.wrong()) {
        return Some((*wrong).clone());
    }
    rows.sort_by(|a, b| {
        let open = |r: &ResultRow| r.verdict == Word::Unknown;
        open(a).cmp(&open(b)).then(a.time_s.total_cmp(&b.time_s))
    });
    rows.get(rows.len().saturating_sub(1) / 2).map(|row| (*row).clone())
}

/// The middle of some numbers; of two, the lower.
pub(crate) fn median_of(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::results::tests::row;

    /// Two models, two configurations: one question solved by both, one by one, one by none.
    pub(crate) fn rows() -> Vec<ResultRow> {
        vec![
            row(["m", "p", "a"], Word::Holds, 0.5),
            row(["m", "p", "b"], Word::Holds, 0.001),
            row(["m", "q<1", "a"], Word::Unknown, 10.0),
            row(["m", "q<1", "b"], Word::Violated, 2.0),
            row(["n", "p", "a"], Word::Unknown, 10.0),
            row(["n", "p", "b"], Word::Unknown, 10.0),
        ]
    }

    #[test]
    fn questions_and_configurations_make_a_matrix() {
        let digest = Digest::new(&rows());
        assert_eq!(digest.configs, ["a", "b"]);
        assert_eq!(digest.models(), ["m", "n"]);
        let solvers: Vec<_> = digest.questions.iter().map(DigestQuestion::only_solver).collect();
        assert_eq!(solvers, [None, Some(1), None]);
        let solved: Vec<_> = digest.questions.iter().map(DigestQuestion::solved).collect();
        assert_eq!(solved, [true, true, false]);
        assert_eq!(digest.of(0).count(), 3);
    }

    #[test]
    fn the_median_repetition_stands_for_all() {
        let runs = |times: &[(Word, f64)]| {
            let rows: Vec<ResultRow> =
                times.iter().map(|(w, t)| row(["m", "p", "a"], *w, *t)).collect();
            let cell = Digest::new(&rows).questions[0].cells[0].clone().unwrap();
            (cell.verdict, cell.time_s)
        };
        let (holds, open) = (Word::Holds, Word::Unknown);
        assert_eq!(runs(&[(holds, 3.0), (holds, 1.0), (holds, 2.0)]), (holds, 2.0));
        assert_eq!(runs(&[(open, 0.1), (holds, 5.0), (open, 0.2)]), (open, 0.1));
        assert_eq!(runs(&[(open, 0.1), (holds, 5.0)]), (holds, 5.0));
        let mut rows = [1.0, 2.0, 3.0].map(|t| row(["m", "p", "a"], holds, t));
        rows[2].expect(Word::Violated);
        let cell = Digest::new(&rows).questions[0].cells[0].clone().unwrap();
        assert!(cell.wrong() && !cell.solved(), "two that are right do not hide one that is not");
        assert_eq!(median_of(vec![]), None);
    }
}
