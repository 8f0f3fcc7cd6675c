//! What is told about a net as a whole; `None` is what is not known.

use super::{AnalysedPlace, AnalysedTransition, AnalysisSearch, Reached};
use brine_net::Net;
use serde::Serialize;
use std::collections::BTreeMap;

/// The answers to the usual questions about a net. What is `None` is not known: a budget ran out
/// ([`Analysis::reason`]), or the net has no end. As JSON it is what `brine analyse --json` prints.
#[derive(Clone, PartialEq, Serialize, Debug, Default)]
#[non_exhaustive]
pub struct Analysis {
    /// The net's name.
    pub model: String,
    /// Whether places and transitions are those of a coloured net.
    pub coloured: bool,
    /// How many places there are.
    pub places: usize,
    /// How many transitions there are.
    pub transitions: usize,
    /// How many reachable markings there are, in decimal.
    pub markings: Option<String>,
    /// Which engine found them.
    pub markings_by: Option<&'static str>,
    /// Whether a dead marking can be reached.
    pub deadlock: Option<bool>,
    /// Who says that none can.
    pub deadlock_because: Option<String>,
    /// A run into a dead marking.
    pub deadlock_run: Option<Vec<String>>,
    /// Whether no place can hold any number of tokens.
    pub bounded: Option<bool>,
    /// A run after which the cycle can be repeated for ever and adds tokens.
    pub growing_run: Option<GrowingRun>,
    /// The most tokens that one place ever holds.
    pub max_token_in_place: Option<i64>,
    /// Whether no place ever holds two tokens.
    pub one_safe: Option<bool>,
    /// The tokens of each place.
    pub bounds: Vec<PlaceTokens>,
    /// Places that together hold few tokens.
    pub units: Vec<UnitTokens>,
    /// Places whose tokens never change.
    pub constant_places: Option<Vec<String>>,
    /// Transitions that can never fire.
    pub dead_transitions: Option<Vec<String>>,
    /// Whether every transition can fire.
    pub quasi_live: Option<bool>,
    /// Whether every transition can always become enabled again.
    pub live: Option<bool>,
    /// Transitions that can be lost for ever.
    pub not_live: Option<Vec<String>>,
    /// Whether the initial marking can always be reached again.
    pub reversible: Option<bool>,
    /// Whether some marking can always be reached again.
    pub has_home_marking: Option<bool>,
    /// Such a marking: places with their tokens.
    pub home_marking: Option<BTreeMap<String, u64>>,
    /// The net as a workflow net.
    pub workflow: Option<WorkflowFacts>,
    /// Which budget ran out, if one did.
    pub reason: Option<&'static str>,
}

/// A run that makes a place grow without end.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[non_exhaustive]
pub struct GrowingRun {
    /// The steps before the cycle.
    pub prefix: Vec<String>,
    /// The steps that can be repeated for ever.
    pub cycle: Vec<String>,
}

/// The tokens of a place.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[non_exhaustive]
pub struct PlaceTokens {
    /// The place.
    pub place: String,
    /// The least that was seen; all there is once all markings are known.
    pub least: i64,
    /// The most that was seen.
    pub most: i64,
    /// What it never passes.
    pub bound: Option<i64>,
    /// What proves that.
    pub because: Option<String>,
    /// It can hold any number of tokens.
    pub unbounded: bool,
}

/// Places together.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[non_exhaustive]
pub struct UnitTokens {
    /// The places.
    pub places: Vec<String>,
    /// The most tokens that they hold together.
    pub most: Option<i64>,
}

/// A net as a workflow net.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[non_exhaustive]
pub struct WorkflowFacts {
    /// Whether it is one.
    pub is_workflow_net: bool,
    /// Why it is none.
    pub because: Option<String>,
    /// The place where it begins.
    pub start: Option<String>,
    /// The place where it ends.
    pub end: Option<String>,
    /// Whether it is sound.
    pub sound: Option<bool>,
    /// What violates soundness.
    pub violations: Vec<String>,
    /// The run behind the violation that has one.
    pub run: Option<Vec<String>>,
}

impl Analysis {
    /// Takes over what is known by now.
    pub(super) fn fill<S>(&mut self, analysis: &AnalysisSearch<'_, S>) {
        self.coloured = analysis.coloured;
        (self.places, self.transitions) = (analysis.places.len(), analysis.transitions.len());
        if let Some((count, engine)) = &analysis.markings {
            (self.markings, self.markings_by) = (Some(count.clone()), Some(*engine));
        }
        match &analysis.deadlock {
            Reached::Yes(run) => (self.deadlock, self.deadlock_run) = (Some(true), run.clone()),
            Reached::No(stage) => {
                (self.deadlock, self.deadlock_because) = (Some(false), Some(words(stage)));
            }
            Reached::Open => (),
        }
        self.fill_places(analysis);
        self.fill_transitions(analysis);
        if let Some(found) = &analysis.recurrence {
            self.reversible = Some(found.reversible);
            self.has_home_marking = Some(found.home.is_some());
            self.home_marking = found.home.as_ref().map(|marking| marked(analysis.net, marking));
        }
        self.workflow = analysis.workflow.clone();
    }

    fn fill_places<S>(&mut self, analysis: &AnalysisSearch<'_, S>) {
        let exact = analysis.markings.is_some();
        let all = &analysis.places;
        let because = |place: &AnalysedPlace| match (&place.invariant, exact) {
            (Some(invariant), _) => Some(invariant.clone()),
            (None, true) => Some("all markings".to_owned()),
            (None, false) => place.bound.map(|_| "structure".to_owned()),
        };
        let tokens = |place: &AnalysedPlace| PlaceTokens {
            place: place.id.clone(),
            least: place.least,
            most: place.most,
            bound: place.bound,
            because: because(place),
            unbounded: place.grows,
        };
        self.bounds = all.iter().map(tokens).collect();
        self.growing_run = analysis.growth.as_ref().map(|(prefix, cycle)| {
            let (prefix, cycle) = (prefix.clone(), cycle.clone());
            GrowingRun { prefix, cycle }
        });
        let bounded = all.iter().all(|place| place.bound.is_some());
        self.bounded =
            if self.growing_run.is_some() { Some(false) } else { bounded.then_some(true) };
        let highest = all.iter().map(|place| place.most).max().unwrap_or(0);
        self.max_token_in_place = exact.then_some(highest);
        let proved = all.iter().all(|place| place.bound.is_some_and(|bound| bound <= 1));
        self.one_safe = if highest > 1 { Some(false) } else { proved.then_some(true) };
        let constant = |place: &&AnalysedPlace| place.least == place.most;
        let ids = all.iter().filter(constant).map(|place| place.id.clone()).collect::<Vec<_>>();
        // Without all markings, those that were seen to change are known, and no others.
        self.constant_places = (exact || ids.is_empty()).then_some(ids);
        let unit = |(places, most): &(Vec<String>, Option<i64>)| {
            let (places, most) = (places.clone(), *most);
            UnitTokens { places, most }
        };
        self.units = analysis.units.iter().map(unit).collect();
    }

    fn fill_transitions<S>(&mut self, analysis: &AnalysisSearch<'_, S>) {
        let all = &analysis.transitions;
        let list = |value: &dyn Fn(&AnalysedTransition) -> bool| -> Vec<String> {
            all.iter().filter(|t| value(t)).map(|t| t.id.clone()).collect()
        };
        let known = all.iter().all(|t| t.can_fire.is_some());
        let dead = list(&|t| t.can_fire == Some(false));
        self.quasi_live = if dead.is_empty() { known.then_some(true) } else { Some(false) };
        self.dead_transitions = known.then_some(dead);
        let known = all.iter().all(|t| t.live.is_some());
        let not_live = list(&|t| t.live == Some(false));
        self.live = if not_live.is_empty() { known.then_some(true) } else { Some(false) };
        self.not_live = known.then_some(not_live);
    }
}

/// A marking by the ids of the net that is searched; places without tokens are left out.
fn marked(net: &Net, marking: &[u32]) -> BTreeMap<String, u64> {
    let tokens = net.place_ids().zip(marking).filter(|(_, n)| **n > 0);
    tokens.map(|(p, &n)| (net.place(p).id().into_owned(), u64::from(n))).collect()
}

/// What a stage has done, for people.
fn words(stage: &str) -> String {
    match stage {
        "simplification" | "structure" | "skeleton" => "the structure says so".to_owned(),
        "explicit" | "hunt" => "explicit search".to_owned(),
        _ => format!("{stage} search"),
    }
}
