//! Why a run is none, in words.

use crate::walked::WalkedModel;
use brine_net::{Run, TransitionId};
use brine_replay::ReplayError;

/// What is told about a run that failed.
pub(super) struct Failure {
    /// The step at which it fails, from 1, if it is one.
    pub(super) step: Option<usize>,
    /// Why.
    pub(super) why: String,
}

/// What went wrong with a run of a model that was not coloured, or is unfolded.
pub(super) fn explain(model: &WalkedModel, run: &Run, error: &ReplayError) -> Failure {
    let names = Names { model };
    let (step, why) = match error {
        ReplayError::NotEnabled { step, .. } => {
            let t = run.step(step - 1);
            let marking = names.marking(run, step - 1);
            let lacking = marking.map(|m| names.lacking(t, &m)).unwrap_or_default();
            let because = if lacking.is_empty() {
                String::new()
            } else {
                format!(": {}", lacking.join(", "))
            };
            (Some(*step), format!("{} is not enabled{because}", names.step(t)))
        }
        ReplayError::NotClosed => {
            let (home, end) = (run.prefix.len(), run.len());
            let difference = names.difference(run, home, end);
            let what = format!(
                "the cycle, {}, does not lead back to where it began: {difference}",
                span(home, end)
            );
            (Some(end), what)
        }
        ReplayError::NotDead => {
            let marking = names.marking(run, run.len());
            let enabled = marking.and_then(|m| names.some_enabled(&m));
            let enabled = enabled.map_or_else(|| "a step".to_owned(), |t| names.step(t));
            (Some(run.len()), format!("the last marking is not dead: {enabled} is enabled"))
        }
        ReplayError::NotSettled => {
            (Some(run.len()), "the cycle adds tokens that change the formula some day".to_owned())
        }
        ReplayError::TooManyTokens(step) => (Some(*step), "more than 2^32 tokens".to_owned()),
        other => (None, other.to_string()),
    };
    Failure { step, why }
}

/// Steps of a run by their numbers from 1.
pub(super) fn span(home: usize, end: usize) -> String {
    match end - home {
        1 => format!("step {end}"),
        _ => format!("steps {} to {end}", home + 1),
    }
}

/// What steps and places are called.
struct Names<'a> {
    model: &'a WalkedModel,
}

impl Names<'_> {
    fn step(&self, t: TransitionId) -> String {
        format!("\"{}\"", self.model.replayable().name(t))
    }

    /// The marking after so many steps, if they can be fired.
    fn marking(&self, run: &Run, steps: usize) -> Option<Vec<u32>> {
        let model = self.model.replayable();
        let mut marking = model.initial();
        run.steps().take(steps).try_for_each(|t| model.step(t, &mut marking)).ok()?;
        Some(marking)
    }

    /// Input places with too few tokens, with how many there are and have to be.
    fn lacking(&self, t: TransitionId, marking: &[u32]) -> Vec<String> {
        let Some(net) = self.model.net() else { return Vec::new() };
        let short = net.transition(t).pre.iter().filter(|(p, n)| marking[p.index()] < *n);
        let told = |&(p, n): &(brine_net::PlaceId, u32)| {
            format!("{} has {}, it takes {n}", net.place(p).id(), marking[p.index()])
        };
        short.map(told).collect()
    }

    fn some_enabled(&self, marking: &[u32]) -> Option<TransitionId> {
        let model = self.model.replayable();
        let mut all = (0..model.transitions() as u32).map(TransitionId);
        all.find(|&t| model.enables(t, marking) == Ok(true))
    }

    /// The first places that differ between two positions of a run.
    fn difference(&self, run: &Run, from: usize, to: usize) -> String {
        const SHOWN: usize = 5;
        let (Some(before), Some(after)) = (self.marking(run, from), self.marking(run, to)) else {
            return "the markings differ".to_owned();
        };
        let places = self.model.trace(&Run::default(), open(), None).place_ids;
        let differ = before.iter().zip(&after).zip(&places).filter(|((b, a), _)| b != a);
        let all: Vec<String> = differ.map(|((b, a), p)| format!("{p} {b} -> {a}")).collect();
        let more = match all.len() {
            0..=SHOWN => String::new(),
            n => format!(", and {} more", n - SHOWN),
        };
        all[..all.len().min(SHOWN)].join(", ") + &more
    }
}

fn open() -> brine_check::shorten::RunFacts {
    brine_check::shorten::RunFacts { open: true, ..Default::default() }
}
