//! Everything that is usually asked about a net at once, each answer with what shows it: what
//! `brine analyse` tells.
//!
//! Cheap things come first: the structure, a growing run, walks that look at everything at once.
//! Then a dead marking is searched for with all stages, because a run shows it best; and then all
//! reachable markings are found, which settle the rest together. What a budget leaves open is said
//! to be open.
//!
//! *Invariant.* `least` and `most` of a place were seen in reachable markings; `bound` is proved.
//! They are the same once all reachable markings were found.

mod facts;
mod workflow;

pub use facts::{Analysis, GrowingRun, PlaceTokens, UnitTokens, WorkflowFacts};

use crate::branching::{
    AllMarkings, MarkingsAnswer, MarkingsQuestion, MarkingsWays, RecurrenceQuestion,
};
use crate::budget::Budget;
use crate::decide::{DecideError, Property};
use crate::shorten::{Effort, shorten};
use crate::spec::{Decider, EngineSpec, SetupError};
use crate::verdict::{Reason, Verdict};
use brine_coloured::{Groups, PlaceGroup};
use brine_explicit::survey::Survey;
use brine_ltl::{Ctl, Formula, Formulas};
use brine_net::{Net, PlaceId, Recurrence, Structure, TransitionId, find_growth_within};
use brine_run::{Control, GROWTH, Shelf, Stop, resident_bytes};
use std::ops::Deref;
use std::time::{Duration, Instant};
use workflow::WorkflowShape;

/// Steps of the walks that look at everything at once.
const SURVEY_STEPS: u64 = 400_000;
/// Work of the first turn of each way to find all markings.
const FIRST_WORK: u64 = 200_000;
/// Work for a run in a net that has no end.
const ENDLESS_WORK: u64 = 4_000_000;
/// A run is sought for at most this long where the markings may tell as well, as a part of what
/// is left.
const RUN_SHARE: u32 = 4;

/// A place as the file has it: of a coloured net, all of its unfolded places.
#[derive(Clone, Debug)]
struct AnalysedPlace {
    id: String,
    /// Its places in the net that is searched.
    members: Vec<PlaceId>,
    /// Tokens that never move.
    idle: i64,
    /// The least and the most that was seen.
    least: i64,
    most: i64,
    /// What it never passes.
    bound: Option<i64>,
    /// The invariant behind that.
    invariant: Option<String>,
    /// A run that can be repeated for ever adds to it.
    grows: bool,
}

/// A transition as the file has it: of a coloured net, all of its bindings.
#[derive(Clone, Debug)]
struct AnalysedTransition {
    id: String,
    members: Vec<TransitionId>,
    /// Whether it can ever fire, and always again.
    can_fire: Option<bool>,
    live: Option<bool>,
}

/// Whether a marking of some kind can be reached.
#[derive(Clone, Debug)]
enum Reached {
    /// Yes, by these transitions, if a run was found.
    Yes(Option<Vec<String>>),
    /// No, says this stage.
    No(&'static str),
    Open,
}

/// What is known so far.
struct AnalysisSearch<'n, S> {
    net: &'n Net,
    structure: &'n S,
    coloured: bool,
    shelf: &'n Shelf<Formulas>,
    budget: Budget,
    start: Instant,
    decider: Decider<'n>,
    places: Vec<AnalysedPlace>,
    transitions: Vec<AnalysedTransition>,
    /// A run that adds tokens and can be repeated for ever: what comes before, and what repeats.
    growth: Option<(Vec<String>, Vec<String>)>,
    deadlock: Reached,
    /// How many markings there are, once all were found, and how.
    markings: Option<(String, &'static str)>,
    recurrence: Option<Recurrence>,
    /// Groups of places of which at most one at a time is marked, or the like: the most tokens.
    units: Vec<(Vec<String>, Option<i64>)>,
    workflow: Option<WorkflowFacts>,
    all: Option<AllMarkings<'n>>,
}

/// A net as a whole, and what may be used to look at it from now on.
#[derive(Debug)]
pub struct AnalysisQuestion<'n, S> {
    /// The net.
    pub net: &'n Net,
    /// Of an unfolded net, the coloured places and transitions: the answers are about these.
    pub groups: Option<&'n Groups>,
    /// The structure of the net; it is worked out when it is needed.
    pub structure: &'n S,
    /// What may be used.
    pub budget: Budget,
}

/// Why there is no analysis.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnalysisError {
    /// A budget ran out where nothing further can be found out.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// A defect of an engine.
    #[error(transparent)]
    Decide(#[from] DecideError),
}

impl From<SetupError> for AnalysisError {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::Stop(stop) => AnalysisError::Stop(stop),
            SetupError::BadOption(bad) => AnalysisError::Decide(bad.into()),
        }
    }
}

/// Answers the questions. `tell` is given what is known after each step, and at the end; a stop is
/// a budget that ran out, and `found` has what was known before.
pub fn analyse<S: Deref<Target = Structure>>(
    question: AnalysisQuestion<'_, S>,
    found: &mut Analysis,
    tell: &mut dyn FnMut(&Analysis),
) -> Result<(), AnalysisError> {
    let shelf = Shelf::default();
    let result = AnalysisSearch::new(question, &shelf).and_then(|mut search| {
        let mut tell = |search: &AnalysisSearch<'_, S>| {
            found.fill(search);
            tell(found);
        };
        tell(&search);
        search.look_around()?;
        tell(&search);
        search.find_deadlock()?;
        tell(&search);
        let stopped = search.ask_markings();
        tell(&search);
        search.check_workflow()?;
        tell(&search);
        stopped.map_or(Ok(()), |stop| Err(stop.into()))
    });
    if let Err(AnalysisError::Stop(stop)) = &result {
        found.reason = Some(stop.word());
    }
    result
}

impl<'n, S: Deref<Target = Structure>> AnalysisSearch<'n, S> {
    fn new(
        question: AnalysisQuestion<'n, S>,
        shelf: &'n Shelf<Formulas>,
    ) -> Result<Self, AnalysisError> {
        let AnalysisQuestion { net, groups, structure, budget } = question;
        let start = Instant::now();
        let decider = EngineSpec::default().build(net, structure, &budget.control())?;
        let (places, transitions) = nodes(net, groups);
        let units = structure.units().groups.iter().filter(|group| group.len() > 1);
        let id = |p: &PlaceId| net.place(*p).id().into_owned();
        let units = units.map(|group| (group.iter().map(id).collect(), None)).collect();
        let mut analysis = AnalysisSearch {
            net,
            structure,
            coloured: groups.is_some(),
            shelf,
            budget,
            start,
            decider,
            places,
            transitions,
            growth: None,
            deadlock: Reached::Open,
            markings: None,
            recurrence: None,
            // Those of a coloured net would be single colours.
            units: if groups.is_some() { Vec::new() } else { units },
            workflow: None,
            all: None,
        };
        analysis.use_structure();
        Ok(analysis)
    }

    /// When everything has to stop.
    fn control(&self) -> Control {
        Control { charged: None, ..self.budget.since(self.start).control() }
    }

    /// Bounds, invariants and dead transitions that the structure proves.
    fn use_structure(&mut self) {
        let (net, structure) = (self.net, &**self.structure);
        for place in &mut self.places {
            let of = |p: &PlaceId| i64::try_from(structure.bounds.of(*p)?).ok();
            let bound = place.members.iter().try_fold(place.idle, |sum, p| sum.checked_add(of(p)?));
            place.bound = bound;
            if let ([p], Some(bound)) = (&place.members[..], bound) {
                place.invariant = invariant_of(net, structure, *p, bound);
            }
        }
        let dead = &structure.facts.dead_transitions;
        for transition in &mut self.transitions {
            if transition.members.iter().all(|t| dead.contains(t)) {
                (transition.can_fire, transition.live) = (Some(false), Some(false));
            }
        }
    }

    /// A growing run, and walks that look at everything at once.
    fn look_around(&mut self) -> Result<(), AnalysisError> {
        let (net, control) = (self.net, self.control());
        if self.places.iter().any(|place| place.bound.is_none())
            && let Some(run) = find_growth_within(net, &control)?.filter(|run| run.grows(net))
        {
            let id = |t: &TransitionId| net.transition(*t).id().into_owned();
            let ids = |list: &[TransitionId]| list.iter().map(id).collect();
            self.growth = Some((ids(&run.prefix), ids(&run.cycle)));
            let effect = |p: PlaceId| -> i64 {
                let of = |t: &TransitionId| {
                    let all = self.structure.incidence.effect(*t).iter();
                    all.filter(|(q, _)| *q == p).map(|(_, change)| *change).sum::<i64>()
                };
                run.cycle.iter().map(of).sum()
            };
            for place in &mut self.places {
                place.grows = place.members.iter().any(|&p| effect(p) > 0);
            }
        }
        let sums: Vec<Vec<(PlaceId, i64)>> = self.places.iter().map(AnalysedPlace::terms).collect();
        let mut survey = Survey::new(net, &self.structure.incidence, &sums);
        survey.sums.iter_mut().for_each(|sum| sum.settled = true);
        let share = control.time_left().map_or(Duration::from_secs(1), |left| left / 12);
        // What was seen before the time was up counts.
        let _ = survey.walk(SURVEY_STEPS, &control.at_most(share));
        for (place, seen) in self.places.iter_mut().zip(&survey.sums) {
            (place.least, place.most) = (seen.least + place.idle, seen.most + place.idle);
        }
        for transition in &mut self.transitions {
            if transition.members.iter().any(|t| survey.enabled_once[t.index()]) {
                transition.can_fire = Some(true);
            }
        }
        Ok(())
    }

    /// Whether a dead marking can be reached, with a run.
    fn find_deadlock(&mut self) -> Result<(), AnalysisError> {
        let mut fs = Formulas::new();
        let dead = fs.deadlock();
        self.deadlock = self.reach(&fs, dead)?;
        if matches!(self.deadlock, Reached::Yes(_)) {
            self.transitions.iter_mut().for_each(|t| t.live = Some(false));
        }
        Ok(())
    }

    /// Whether a marking like this can be reached: by all stages, for a part of the time.
    fn reach(&mut self, fs: &Formulas, state: Formula) -> Result<Reached, AnalysisError> {
        let mut fs = fs.clone();
        let never = fs.not(state);
        let always = fs.g(never);
        let left = self.control().time_left();
        let resident = self.budget.resident;
        let room = resident.map(|most| most.saturating_sub(resident_bytes() as u64));
        let mut budget = Budget {
            time: left.map(|left| left / RUN_SHARE),
            memory: [self.budget.memory, room].into_iter().flatten().min(),
            threads: 1,
            ..self.budget.clone()
        };
        if self.growth.is_some() || left.is_none() {
            budget.schedule.ticks = Some(ENDLESS_WORK);
        }
        let property = Property { net: self.net, formulas: self.shelf.put(fs), formula: always };
        let mut decision = self.decider.decide(property, &budget)?;
        shorten(property, &mut decision, &Effort { shortest: false, budget: budget.clone() });
        let after = decision.run_facts.as_ref().and_then(|facts| facts.violated_after);
        Ok(match decision.verdict {
            Verdict::Holds => Reached::No(decision.engine),
            Verdict::Violated(run) => {
                let id = |t: TransitionId| self.net.transition(t).id().into_owned();
                let steps = |run: brine_net::Run| -> Vec<String> {
                    let all = after.unwrap_or(run.prefix.len());
                    run.steps().take(all).map(id).collect()
                };
                Reached::Yes(run.map(steps))
            }
            Verdict::Unknown(_) => Reached::Open,
        })
    }

    /// Finds all markings, and asks them what is still open. What stopped it, if something did.
    fn ask_markings(&mut self) -> Option<Stop> {
        if self.growth.is_some() {
            return None;
        }
        self.try_markings().err()
    }

    fn try_markings(&mut self) -> Result<(), Stop> {
        let ways = MarkingsWays::default();
        self.all = Some(AllMarkings::new(self.net, self.structure, ways));
        let own = self.places.iter().map(AnalysedPlace::terms);
        let by_id = |id: &String| self.places.iter().find(|place| place.id == *id);
        let of_unit = |unit: &(Vec<String>, Option<i64>)| {
            unit.0.iter().filter_map(by_id).flat_map(AnalysedPlace::terms).collect()
        };
        let sums = own.chain(self.units.iter().map(of_unit)).collect();
        let (answer, engine) = self.ask(&Formulas::new(), &MarkingsQuestion::Extents(sums))?;
        let MarkingsAnswer::Extents(extents) = answer else { return Err(Stop::Work) };
        for (place, (least, most)) in self.places.iter_mut().zip(&extents) {
            (place.least, place.most) = (least + place.idle, most + place.idle);
            if place.bound != Some(place.most) {
                (place.bound, place.invariant) = (Some(place.most), None);
            }
        }
        for (unit, (_, most)) in self.units.iter_mut().zip(&extents[self.places.len()..]) {
            unit.1 = Some(*most);
        }
        let count = self.all.as_ref().and_then(AllMarkings::count).unwrap_or_default();
        self.markings = Some((count, engine));
        let groups = self.transitions.iter().map(|t| t.members.clone()).collect();
        let question = RecurrenceQuestion { groups, all_or_nothing: false };
        let (answer, _) = self.ask(&Formulas::new(), &MarkingsQuestion::Recurrence(question))?;
        let MarkingsAnswer::Recurrence(found) = answer else { return Err(Stop::Work) };
        for (i, transition) in self.transitions.iter_mut().enumerate() {
            transition.can_fire = Some(found.can_fire[i]);
            transition.live = Some(found.live[i]);
        }
        self.recurrence = Some(found);
        if matches!(self.deadlock, Reached::Open) {
            let mut fs = Formulas::new();
            let dead = fs.deadlock();
            let dead = Ctl::finally(&mut fs, dead);
            self.deadlock = match self.holds(&fs, &dead)? {
                true => Reached::Yes(None),
                false => Reached::No(engine),
            };
        }
        Ok(())
    }

    /// Whether the initial marking satisfies a formula, if all markings are known.
    fn holds(&mut self, fs: &Formulas, ctl: &Ctl) -> Result<bool, Stop> {
        match self.ask(fs, &MarkingsQuestion::Satisfies(ctl.clone()))? {
            (MarkingsAnswer::Truth(truth), _) => Ok(truth),
            _ => Err(Stop::Work),
        }
    }

    fn ask(
        &mut self,
        fs: &Formulas,
        question: &MarkingsQuestion,
    ) -> Result<(MarkingsAnswer, &'static str), Stop> {
        let control = self.control();
        let left = control.memory_left() / 2;
        let Some(all) = &mut self.all else { return Err(Stop::Work) };
        let mut work = FIRST_WORK;
        // The two ways to find all markings take turns of growing work.
        loop {
            let turn = Control { charged: Some(left), work: Some(work), ..control.clone() };
            match all.answer(fs, question, &turn) {
                Ok(answer) => return Ok(answer),
                Err(Reason::Steps) if work < u64::MAX => work = work.saturating_mul(GROWTH),
                Err(Reason::Timeout) => return Err(Stop::Timeout),
                Err(Reason::Memory) => return Err(Stop::Memory),
                Err(_) => return Err(Stop::Work),
            }
        }
    }

    /// Whether the net is a workflow net, and a sound one.
    fn check_workflow(&mut self) -> Result<(), AnalysisError> {
        if !self.coloured {
            let shape = WorkflowShape::of(self.net, &self.structure.incidence);
            self.workflow = Some(WorkflowFacts::check(shape, self)?);
        }
        Ok(())
    }
}

impl AnalysedPlace {
    fn terms(&self) -> Vec<(PlaceId, i64)> {
        self.members.iter().map(|&p| (p, 1)).collect()
    }
}

/// The places and transitions that the file has.
fn nodes(net: &Net, groups: Option<&Groups>) -> (Vec<AnalysedPlace>, Vec<AnalysedTransition>) {
    let place = |id: String, members: Vec<PlaceId>, idle: i64| {
        let initial: i64 = members.iter().map(|p| i64::from(net.place(*p).initial)).sum();
        let (least, most) = (initial + idle, initial + idle);
        let (bound, invariant, grows) = (None, None, false);
        AnalysedPlace { id, members, idle, least, most, bound, invariant, grows }
    };
    let transition = |id: String, members: Vec<TransitionId>| {
        let (can_fire, live) = (None, None);
        AnalysedTransition { id, members, can_fire, live }
    };
    match groups {
        Some(groups) => {
            let idle = |g: &PlaceGroup| i64::try_from(g.idle_tokens()).unwrap_or(i64::MAX);
            let places = groups.places.iter();
            let places = places.map(|g| place(g.id.clone(), g.members().collect(), idle(g)));
            let transitions = groups.transitions.iter();
            let transitions = transitions.map(|g| transition(g.id.clone(), g.members().collect()));
            (places.collect(), transitions.collect())
        }
        None => {
            let places = net.place_ids();
            let places = places.map(|p| place(net.place(p).id().into_owned(), vec![p], 0));
            let transitions = net.transition_ids();
            let transitions =
                transitions.map(|t| transition(net.transition(t).id().into_owned(), vec![t]));
            (places.collect(), transitions.collect())
        }
    }
}

/// The semiflow that proves a bound, or why there is no need for one.
fn invariant_of(net: &Net, structure: &Structure, p: PlaceId, bound: i64) -> Option<String> {
    let proves = |flow: &&brine_net::invariants::Semiflow| {
        let weight = flow.weights.iter().find(|(q, _)| *q == p).map(|(_, weight)| *weight);
        weight.is_some_and(|weight| i64::try_from(flow.value / weight) == Ok(bound))
    };
    let shortest = structure.semiflows.flows.iter().filter(proves).min_by_key(|f| f.weights.len());
    shortest.map(|flow| flow.equation(net))
}
