//! What a question comes to.

use crate::run::{Run, RunOf};
use brine_check::show::Trace;
use brine_check::{Decision, Reason, Stats};
use brine_page::{DrawnSubject, ShownAnswer, WebPage, html};
use std::time::Duration;

/// The answer in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes: all runs satisfy the formula; what is asked about markings is true.
    Holds,
    /// No.
    Violated,
    /// A budget ran out, or the engine cannot deal with the question.
    Unknown,
}

impl Verdict {
    /// The word in the output of the command.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A verdict, and how it came about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// What was asked.
    pub question: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why there is none: `timeout`, `memory`, `cancelled`, or what is not supported.
    pub reason: Option<String>,
    /// A run that shows it, where one run can; it was replayed.
    pub run: Option<Run>,
    /// The engine that answered.
    pub engine: String,
    /// How long it took.
    pub time: Duration,
    /// The automaton of the violations, if there was one.
    pub automaton: Option<AutomatonFacts>,
    /// What is worth knowing beside the verdict: an implication that holds vacuously, say.
    pub notes: Vec<String>,
    /// Figures of the search.
    pub figures: Vec<Figure>,
}

/// The size and the kind of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AutomatonFacts {
    /// States.
    pub states: usize,
    /// Edges.
    pub edges: usize,
    /// `terminal`, `weak` or `general`.
    pub class: &'static str,
    /// Whether the formula is stutter-invariant; `None` if that was too hard to tell.
    pub stutter_invariant: Option<bool>,
}

/// One figure of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// What was counted: the name of the column in results of `brine bench`, where it has one.
    pub name: &'static str,
    /// The number, or a word.
    pub value: String,
}

impl Answer {
    pub(crate) fn new(
        question: &str,
        decision: &Decision,
        run: Option<(Trace, RunOf)>,
        mut notes: Vec<String>,
    ) -> Self {
        let (verdict, reason) = match &decision.verdict {
            brine_check::Verdict::Holds => (Verdict::Holds, None),
            brine_check::Verdict::Violated(_) => (Verdict::Violated, None),
            brine_check::Verdict::Unknown(reason) => (Verdict::Unknown, Some(reason)),
        };
        if let Some(Reason::Unsupported(what)) = reason {
            notes.push(format!("unsupported: {what}"));
        }
        let automaton = decision.automaton.as_ref().map(|a| AutomatonFacts {
            states: a.states,
            edges: a.edges,
            class: a.class.name(),
            stutter_invariant: a.stutter_invariant,
        });
        Answer {
            question: question.to_owned(),
            verdict,
            reason: reason.map(|r| r.word().to_owned()),
            run: run.map(|(trace, subject)| Run::new(trace, subject)),
            engine: decision.engine.to_owned(),
            time: decision.time,
            automaton,
            notes,
            figures: figures(&decision.stats),
        }
    }
}

impl Answer {
    /// The answer as a page for a browser: the net with the run played on it, what is true where.
    /// One file that loads nothing from anywhere.
    pub fn html(&self) -> String {
        let mut page = WebPage { title: self.question.clone(), ..WebPage::default() };
        let verdict = match self.verdict {
            Verdict::Holds => "Holds.".to_owned(),
            Verdict::Violated => "Violated.".to_owned(),
            Verdict::Unknown => format!("Unknown: {}.", self.reason.as_deref().unwrap_or("-")),
        };
        let (run, words) = match &self.run {
            Some(run) => {
                let (number, words) = run.add_to(&mut page);
                (Some(number), format!("{verdict} {words}"))
            }
            None => (None, format!("{verdict} There is no run to show.")),
        };
        if page.subjects.is_empty() {
            page.subjects.push(DrawnSubject::Variables(Vec::new()));
        }
        page.answers.push(ShownAnswer { property: self.question.clone(), words, run });
        html(&page)
    }
}

fn figures(stats: &Stats) -> Vec<Figure> {
    let scc = stats.scc.as_ref();
    let all = [
        ("product_states", stats.product_states.as_ref().map(ToString::to_string)),
        ("peak_nodes", stats.peak_nodes.map(|n| n.to_string())),
        ("states_stored", stats.states_stored.map(|n| n.to_string())),
        ("transitions", stats.search.map(|s| s.transitions.to_string())),
        ("scc_calls", scc.map(|s| s.calls.to_string())),
        ("scc_prevented_recurring", scc.map(|s| s.prevented_recurring.to_string())),
        ("scc_prevented_abstraction", scc.map(|s| s.prevented_abstraction.to_string())),
        ("order", stats.order.map(|o| o.to_string())),
        ("emptiness", stats.emptiness.map(str::to_owned)),
    ];
    let figure =
        |(name, value): (&'static str, Option<String>)| value.map(|value| Figure { name, value });
    all.into_iter().filter_map(figure).collect()
}
