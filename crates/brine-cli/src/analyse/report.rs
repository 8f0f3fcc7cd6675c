//! What `brine analyse` tells, as JSON; `null` is what is not known.

use super::search::{Analysis, Reached};
use super::workflow::Workflow;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// The JSON document.
#[derive(Serialize, Debug)]
pub(crate) struct AnalysisReport {
    pub(super) model: String,
    pub(super) coloured: bool,
    pub(super) places: usize,
    pub(super) transitions: usize,
    /// How many reachable markings there are, and which engine found them.
    pub(super) markings: Option<String>,
    pub(super) markings_by: Option<&'static str>,
    pub(super) deadlock: Option<bool>,
    pub(super) deadlock_because: Option<String>,
    pub(super) deadlock_run: Option<Vec<String>>,
    pub(super) bounded: Option<bool>,
    /// A run after which the cycle can be repeated for ever and adds tokens.
    pub(super) growing_run: Option<GrowingRun>,
    /// The most tokens that one place ever holds.
    pub(super) max_token_in_place: Option<i64>,
    pub(super) one_safe: Option<bool>,
    pub(super) bounds: Vec<PlaceJson>,
    pub(super) units: Vec<UnitJson>,
    pub(super) constant_places: Option<Vec<String>>,
    pub(super) dead_transitions: Option<Vec<String>>,
    pub(super) quasi_live: Option<bool>,
    pub(super) live: Option<bool>,
    /// Those that can be lost for ever.
    pub(super) not_live: Option<Vec<String>>,
    pub(super) reversible: Option<bool>,
    pub(super) has_home_marking: Option<bool>,
    pub(super) home_marking: Option<BTreeMap<String, u64>>,
    pub(super) workflow: Option<WorkflowJson>,
    pub(super) time_s: f64,
    pub(super) peak_mem_mib: Option<f64>,
    pub(super) reason: Option<&'static str>,
    #[serde(skip)]
    pub(super) full: bool,
    #[serde(skip)]
    pub(super) since: Instant,
}

#[derive(Serialize, Debug)]
pub(super) struct GrowingRun {
    pub(super) prefix: Vec<String>,
    pub(super) cycle: Vec<String>,
}

/// The tokens of a place.
#[derive(Serialize, Debug)]
pub(super) struct PlaceJson {
    pub(super) place: String,
    /// What was seen; all there is if `exact`.
    pub(super) least: i64,
    pub(super) most: i64,
    /// What it never passes.
    pub(super) bound: Option<i64>,
    pub(super) because: Option<String>,
    /// It can hold any number of tokens.
    pub(super) unbounded: bool,
}

/// Places together.
#[derive(Serialize, Debug)]
pub(super) struct UnitJson {
    pub(super) places: Vec<String>,
    pub(super) most: Option<i64>,
}

#[derive(Serialize, Debug)]
pub(super) struct WorkflowJson {
    pub(super) is_workflow_net: bool,
    pub(super) because: Option<String>,
    pub(super) start: Option<String>,
    pub(super) end: Option<String>,
    pub(super) sound: Option<bool>,
    pub(super) violations: Vec<String>,
    pub(super) run: Option<Vec<String>>,
}

impl AnalysisReport {
    pub(super) fn new(model: String, full: bool, since: Instant) -> Self {
        AnalysisReport {
            model,
            coloured: false,
            places: 0,
            transitions: 0,
            markings: None,
            markings_by: None,
            deadlock: None,
            deadlock_because: None,
            deadlock_run: None,
            bounded: None,
            growing_run: None,
            max_token_in_place: None,
            one_safe: None,
            bounds: Vec::new(),
            units: Vec::new(),
            constant_places: None,
            dead_transitions: None,
            quasi_live: None,
            live: None,
            not_live: None,
            reversible: None,
            has_home_marking: None,
            home_marking: None,
            workflow: None,
            time_s: 0.0,
            peak_mem_mib: None,
            reason: None,
            full,
            since,
        }
    }

    /// Takes over what is known by now.
    pub(super) fn fill(&mut self, model: &str, analysis: &Analysis) {
        self.model = model.to_owned();
        self.coloured = analysis.model.coloured.is_some();
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
            self.home_marking = found.home.as_ref().map(|marking| marked(analysis, marking));
        }
        self.workflow = analysis.workflow.as_ref().map(WorkflowJson::new);
    }

    fn fill_places(&mut self, analysis: &Analysis) {
        let exact = analysis.markings.is_some();
        let all = &analysis.places;
        let because = |place: &super::search::AnalysedPlace| match (&place.invariant, exact) {
            (Some(invariant), _) => Some(invariant.clone()),
            (None, true) => Some("all markings".to_owned()),
            (None, false) => place.bound.map(|_| "structure".to_owned()),
        };
        let tokens = |place: &super::search::AnalysedPlace| PlaceJson {
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
        let constant = |place: &&super::search::AnalysedPlace| place.least == place.most;
        let ids = all.iter().filter(constant).map(|place| place.id.clone()).collect::<Vec<_>>();
        // Without all markings, those that were seen to change are known, and no others.
        self.constant_places = (exact || ids.is_empty()).then_some(ids);
        let unit = |(places, most): &(Vec<String>, Option<i64>)| {
            let (places, most) = (places.clone(), *most);
            UnitJson { places, most }
        };
        self.units = analysis.units.iter().map(unit).collect();
    }

    fn fill_transitions(&mut self, analysis: &Analysis) {
        let all = &analysis.transitions;
        let list = |value: &dyn Fn(&super::search::AnalysedTransition) -> bool| -> Vec<String> {
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

impl WorkflowJson {
    fn new(workflow: &Workflow) -> Self {
        WorkflowJson {
            is_workflow_net: workflow.is_none_because.is_none(),
            because: workflow.is_none_because.clone(),
            start: workflow.start.clone(),
            end: workflow.end.clone(),
            sound: workflow.sound,
            violations: workflow.violations.clone(),
            run: workflow.run.clone(),
        }
    }
}

/// A marking by the ids of the net that is searched; places without tokens are left out.
fn marked(analysis: &Analysis, marking: &[u32]) -> BTreeMap<String, u64> {
    let net = &analysis.model.net;
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
