//! One case: a question, several configurations, one verdict.

use crate::binary::{Binary, GRACE};
use crate::configuration::Configuration;
use crate::space;
use crate::subject::Subject;
use brine_check::{DecideError, Decision, Property, Reason, Verdict};
use brine_ltl::{Formula, Formulas, Symbols, parse};
use brine_oracle::holds;
use brine_oracle::shrink::{NetAndFormula, shrink};
use brine_run::Control;
use std::time::Instant;

/// Candidates that shrinking tries at most.
const ATTEMPTS: usize = 3_000;

/// What a configuration says to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseAnswer {
    /// Every run satisfies the formula.
    Holds,
    /// Some run does not; if it was shown, it was replayed.
    Violated,
    /// A budget ran out.
    Unknown,
    /// The options do not fit the net or the property, or need a process of their own.
    Refused,
    /// The numbers of the state space are right.
    Counted,
}

impl CaseAnswer {
    /// The verdict, if it is one.
    fn verdict(self) -> Option<bool> {
        match self {
            CaseAnswer::Holds => Some(true),
            CaseAnswer::Violated => Some(false),
            _ => None,
        }
    }
}

/// A bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into() }
    }
}

/// A question and ways to ask it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The question.
    pub question: NetAndFormula,
    /// The ways to ask it.
    pub configurations: Vec<Configuration>,
}

/// A question that was read, with what brute force says to it.
#[derive(Debug)]
pub struct Asked<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) text: &'a str,
    pub(crate) formulas: Formulas,
    pub(crate) formula: Formula,
    /// The right verdict, if brute force can tell.
    pub(crate) expected: Option<bool>,
}

impl<'a> Asked<'a> {
    /// Reads the formula, which must also come back from being printed, and asks brute force.
    pub fn new(subject: &'a Subject, text: &'a str) -> Result<Asked<'a>, Failure> {
        let mut formulas = Formulas::new();
        let mut symbols = Symbols::of_net(&subject.net);
        let formula = parse(text, &mut formulas, &mut symbols)
            .map_err(|e| Failure::new(format!("the formula does not read: {e}")))?;
        let printed = formulas.print(formula, &symbols);
        let again = parse(&printed, &mut formulas, &mut symbols);
        if again.as_ref() != Ok(&formula) {
            return Err(Failure::new(format!("{printed} reads as another formula: {again:?}")));
        }
        let expected = holds(&subject.net, &subject.kripke, &formulas, formula);
        Ok(Asked { subject, text, formulas, formula, expected })
    }

    /// Asks in this process.
    fn ask(&self, configuration: &Configuration) -> Result<CaseAnswer, Failure> {
        if configuration.command() == "states" {
            return space::check(self.subject, configuration);
        }
        match self.decide(configuration)?.map(|decision| decision.verdict) {
            None => Ok(CaseAnswer::Refused),
            Some(Verdict::Holds) => Ok(CaseAnswer::Holds),
            Some(Verdict::Violated(_)) => Ok(CaseAnswer::Violated),
            Some(Verdict::Unknown(Reason::Cancelled)) => {
                Err(Failure::new("cancelled, and nobody did that"))
            }
            Some(Verdict::Unknown(_)) => Ok(CaseAnswer::Unknown),
        }
    }

    /// What `brine check` decides, in this process; `None` if it refuses the options.
    pub fn decide(&self, configuration: &Configuration) -> Result<Option<Decision>, Failure> {
        let Subject { net, structure, .. } = self.subject;
        let options = configuration.engine().map_err(|e| Failure::new(e.to_string()))?;
        let spec = options.spec().map_err(|e| Failure::new(e.to_string()))?;
        let Ok(mut decider) = spec.build(net, structure, &Control::default()) else {
            return Ok(None);
        };
        let property = Property { net, formulas: &self.formulas, formula: self.formula };
        let start = Instant::now();
        match decider.decide(property, &configuration.budget(self.subject.time())) {
            Ok(_) if start.elapsed() > self.subject.time() + GRACE => {
                Err(Failure::new("overstays its time"))
            }
            Ok(decision) => Ok(Some(decision)),
            Err(DecideError::BadOption(_)) => Ok(None),
            Err(bug) => Err(Failure::new(bug.to_string())),
        }
    }
}

/// What was found out about a case without a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// One for each configuration.
    pub answers: Vec<CaseAnswer>,
    /// The right verdict, if brute force can tell.
    pub expected: Option<bool>,
}

impl Case {
    /// Asks in every way, through the binary if there is one; compares the verdicts with that
    /// of brute force and with each other.
    pub fn check(&self, subject: &Subject, binary: Option<&Binary>) -> Result<Checked, Failure> {
        let asked = Asked::new(subject, &self.question.formula)?;
        let mut right = asked.expected.map(|v| (v, "brute force".to_owned()));
        let mut answers = Vec::new();
        for configuration in &self.configurations {
            let answer = match binary {
                Some(binary) => binary.ask(&asked, configuration),
                None if configuration.runs_in_process() => asked.ask(configuration),
                None => Ok(CaseAnswer::Refused),
            };
            let answer =
                answer.map_err(|f| Failure::new(format!("{configuration}: {}", f.message)))?;
            answers.push(answer);
            let Some(verdict) = answer.verdict() else { continue };
            let (expected, by) = right.get_or_insert((verdict, configuration.to_string()));
            if verdict != *expected {
                let message = format!("{configuration}: {answer:?}; {by} says otherwise");
                return Err(Failure::new(message));
            }
        }
        Ok(Checked { answers, expected: asked.expected })
    }

    /// Whether the case fails now.
    pub fn fails(&self, binary: Option<&Binary>) -> Option<Failure> {
        self.check(&Subject::new(self.question.net.clone()), binary).err()
    }

    /// The smallest case that fails like this one: as few configurations as possible, then a
    /// small net and formula.
    pub fn shrunk(self, binary: Option<&Binary>) -> Case {
        let with = |configurations: Vec<Configuration>| Case {
            question: self.question.clone(),
            configurations,
        };
        let singles = self.configurations.iter().map(|c| with(vec![c.clone()]));
        let pairs = self.configurations.iter().enumerate().flat_map(|(i, c)| {
            self.configurations[..i].iter().map(move |d| vec![d.clone(), c.clone()])
        });
        let fewer = singles.chain(pairs.map(with)).find(|case| case.fails(binary).is_some());
        let configurations = fewer.unwrap_or_else(|| self.clone()).configurations;
        let question = shrink(self.question.clone(), ATTEMPTS, |question| {
            let case = Case { question: question.clone(), configurations: configurations.clone() };
            case.fails(binary).is_some()
        });
        Case { question, configurations }
    }
}
