//! The lines that BenchKit reads, each printed at once.
//!
//! Invariant: `open` holds exactly the questions without a line. However the run ends,
//! [`Answers::close`] says `CANNOT_COMPUTE` for them, once.

const CANNOT_COMPUTE: &str = "CANNOT_COMPUTE";

/// What was asked, and what is still open.
#[derive(Default, Debug)]
pub(crate) struct Answers {
    open: Vec<ContestQuestion>,
    answered: usize,
    given_up: usize,
}

/// One thing to answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ContestQuestion {
    /// A property, by its id.
    Formula(String),
    /// A number of the state space, by the contest's name for it.
    StateSpace(&'static str),
}

impl ContestQuestion {
    /// What stands before the answer.
    fn head(&self) -> String {
        match self {
            ContestQuestion::Formula(id) => format!("FORMULA {id}"),
            ContestQuestion::StateSpace(name) => format!("STATE_SPACE {name}"),
        }
    }
}

impl Answers {
    /// Asks further questions.
    pub(crate) fn ask(&mut self, questions: impl IntoIterator<Item = ContestQuestion>) {
        self.open.extend(questions);
    }

    /// Whether a question has no line yet.
    pub(crate) fn is_open(&self, question: &ContestQuestion) -> bool {
        self.open.contains(question)
    }

    /// Prints an answer.
    pub(crate) fn answer(&mut self, question: &ContestQuestion, value: &str, techniques: &str) {
        self.open.retain(|q| q != question);
        self.answered += 1;
        say(&format!("{} {value} TECHNIQUES {techniques}", question.head()));
    }

    /// Gives a question up.
    pub(crate) fn give_up(&mut self, question: &ContestQuestion) {
        self.open.retain(|q| q != question);
        self.given_up += 1;
        if let Some(line) = self.cannot_compute(question) {
            say(&line);
        }
    }

    /// Gives up what is open, or everything if nothing was asked yet. Whether all was answered.
    pub(crate) fn close(&mut self) -> bool {
        if self.open.is_empty() && self.answered + self.given_up == 0 {
            self.given_up = 1;
            say(CANNOT_COMPUTE);
        }
        while let Some(question) = self.open.first().cloned() {
            self.give_up(&question);
        }
        self.given_up == 0
    }

    /// The line for a question given up: a formula is named; of a state space the whole
    /// could not be computed, which is said once, and only if no part of it could.
    fn cannot_compute(&self, question: &ContestQuestion) -> Option<String> {
        match question {
            ContestQuestion::Formula(_) => Some(format!("{} {CANNOT_COMPUTE}", question.head())),
            ContestQuestion::StateSpace(_) => {
                let first = self.answered == 0 && self.given_up == 1;
                first.then(|| CANNOT_COMPUTE.to_owned())
            }
        }
    }
}

/// Prints a line, which is flushed at its end. A reader that went away is no reason to stop:
/// the other properties may still be wanted in a witness file, and the exit code will tell.
fn say(line: &str) {
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_gets_one_line() {
        let questions = ["a-00", "a-01"].map(|id| ContestQuestion::Formula(id.to_owned()));
        let mut answers = Answers::default();
        answers.ask(questions.clone());
        answers.answer(&questions[1], "TRUE", "EXPLICIT");
        assert_eq!(answers.open, [questions[0].clone()]);
        assert!(!answers.close(), "one was not answered");
        assert!(answers.open.is_empty());
        assert!(!answers.close(), "and stays unanswered");
        let mut early = Answers::default();
        assert!(!early.close(), "the time was up before the properties were read");
        assert_eq!(early.given_up, 1);
    }

    #[test]
    fn lines_are_the_contest_s() {
        let formula = ContestQuestion::Formula("x-LTLFireability-03".to_owned());
        let line = Answers::default().cannot_compute(&formula);
        assert_eq!(line.as_deref(), Some("FORMULA x-LTLFireability-03 CANNOT_COMPUTE"));
        let states = ContestQuestion::StateSpace("STATES");
        assert_eq!(states.head(), "STATE_SPACE STATES");
        let after = |answered, given_up| {
            Answers { open: vec![], answered, given_up }.cannot_compute(&states)
        };
        assert_eq!(after(0, 1).as_deref(), Some("CANNOT_COMPUTE"));
        assert_eq!((after(0, 2), after(1, 1)), (None, None), "once, and only for the whole");
    }
}
