//! The examinations of properties, from a file or of the whole net: what is asked, about a plain net
//! or a coloured one.

use super::examination::GlobalProperty;
use super::sheet::{Asked, Combination, ContestSheet, Learned, Seen};
use super::{Contest, ContestNet};
use crate::engine::plain;
use crate::model::keep;
use crate::properties::{self, NamedProperty};
use brine_check::coloured::{ColouredAuto, ColouredModel};
use brine_check::{
    Budget, ColouredAsker, Decider, PlainAsker, QueryAnswer, Stages, always_returns,
};
use brine_coloured::Unfolded;
use brine_explicit::survey::Survey;
use brine_explicit::trap::find_trap;
use brine_ltl::{Comparison, Ctl, Expression, Formulas, Overflow, Query, Symbols, WholeNet};
use brine_net::{Incidence, Net, NetBuilder, PlaceId, Run, Structure, TransitionId, one_way};
use brine_pnml::coloured_symbols;
use brine_run::Shelf;
use brine_source::Source;
use std::time::Duration;

/// What an examination is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'s> {
    /// The properties of this file, beside the model.
    File(&'s Source, &'static str),
    /// A property of the whole net.
    Global(GlobalProperty),
}

/// Steps of the walks that look at everything at once, and the part of the time they may take.
const SURVEY_STEPS: u64 = 4_000_000;
const SURVEY_SHARE: u32 = 12;
const SURVEY_MOST: Duration = Duration::from_secs(5);

/// What part of the time the proof may take that the initial marking can always be reached again.
const RETURN_SHARE: u32 = 4;

/// Steps from the end of a run that was found for one question, and the part of the time they may
/// take: it has come to where no walk has been.
const FOLLOW_STEPS: u64 = 20_000;
const FOLLOW_SHARE: u32 = 200;

/// Answers about a plain net, or an unfolded one.
pub(super) fn run(
    contest: &Contest<'_>,
    net: ContestNet<'_>,
    subject: Subject<'_>,
) -> anyhow::Result<()> {
    let mut symbols = net.model.symbols();
    let initial = net.net.initial_marking();
    let places = net.net.place_ids().map(|p| (net.net.place(p).id().into_owned(), p));
    let nodes = Nodes {
        places: places.map(|(id, p)| (id, Some(initial[p.index()]))).collect(),
        transitions: net.net.transitions().map(|t| t.id().into_owned()).collect(),
    };
    let queries = Queries::new(subject, &mut symbols, &nodes)?;
    let members = |p: PlaceId| (vec![p], 0);
    let transitions = |t: TransitionId| vec![t];
    let view = PlainView { net: net.net, structure: net.structure, members: &members };
    let mut look = Look::new(&view, &queries.sums());
    look.walk(contest);
    let mut learned = queries.learned(&look, &transitions);
    learned.answers.extend(queries.not_live(&view, &transitions, true, contest));
    if learned.answers.is_empty() {
        learned.answers.extend(queries.is_live(&view, &look, &transitions, contest)?);
    }
    let mut sheet = ContestSheet::new(contest, net.net, queries.asked(&look));
    sheet.note_learned(learned);
    let shelf = keep(Shelf::default());
    let asker = PlainAsker::new(net.net, contest.decider(net)?, shelf);
    let mut asker = match contest.spec.markings() {
        Some(ways) => asker.with_markings(net.structure, ways),
        None => asker,
    };
    let mut learn = |run: &Run| {
        look.follow(run, contest);
        queries.learned(&look, &transitions)
    };
    let mut renew = |asker: &mut _| renew_engine(contest, net, asker);
    sheet.answer(&mut asker, &mut renew, &mut learn)
}

/// Whatever a property that was given up holds, the next one needs the memory more.
fn renew_engine<'n>(
    contest: &Contest<'_>,
    net: ContestNet<'n>,
    asker: &mut PlainAsker<'n>,
) -> anyhow::Result<()> {
    if matches!(asker.decider(), Decider::Engine(_)) {
        asker.replace(contest.decider(net)?);
    }
    Ok(())
}

/// The same about a coloured net that is unfolded only where it has to be.
pub(super) fn run_coloured(
    contest: &Contest<'_>,
    model: &'static ColouredModel,
    stages: Stages,
    subject: Subject<'_>,
) -> anyhow::Result<()> {
    let mut symbols = coloured_symbols(model.net());
    let net = model.net();
    let initial = model.initial_tokens(&contest.watchdog.control());
    let nodes = Nodes {
        places: net.places.iter().map(|p| p.id.clone()).zip(initial).collect(),
        transitions: net.transitions.iter().map(|t| t.id.clone()).collect(),
    };
    let queries = Queries::new(subject, &mut symbols, &nodes)?;
    let mut learned = Learned::default();
    let mut asked = queries.asked(&Look::default());
    if queries.wants_survey()
        && let Some((unfolded, structure)) = model.unfolded(&contest.watchdog.control())
    {
        let members = |p: PlaceId| members_of(unfolded, p);
        let transitions =
            |t: TransitionId| unfolded.groups.transitions[t.index()].members().collect();
        let view = PlainView { net: &unfolded.net, structure, members: &members };
        let mut look = Look::new(&view, &queries.sums());
        look.walk(contest);
        asked = queries.asked(&look);
        learned = queries.learned(&look, &transitions);
        learned.answers.extend(queries.not_live(&view, &transitions, false, contest));
        if learned.answers.is_empty() {
            learned.answers.extend(queries.is_live(&view, &look, &transitions, contest)?);
        }
    }
    // Runs come with a net of their own.
    let nothing = NetBuilder::new("").build()?;
    let mut sheet = ContestSheet::new(contest, &nothing, asked);
    sheet.note_learned(learned);
    let auto = ColouredAuto::new(model, stages);
    let mut asker = ColouredAsker::new(model, auto, keep(Shelf::default()), keep(Shelf::default()));
    sheet.answer(&mut asker, &mut |_| Ok(()), &mut |_| Learned::default())
}

/// The unfolded places of a coloured one, and its tokens that never move.
fn members_of(unfolded: &Unfolded, p: PlaceId) -> (Vec<PlaceId>, i64) {
    let group = &unfolded.groups.places[p.index()];
    (group.members().collect(), i64::try_from(group.idle_tokens()).unwrap_or(i64::MAX))
}

impl Contest<'_> {
    /// A new engine.
    fn decider<'n>(&self, net: ContestNet<'n>) -> anyhow::Result<Decider<'n>> {
        let control = self.watchdog.control();
        self.spec.build(net.net, net.structure, &control).map_err(plain)
    }
}

/// The places of a net with their initial tokens, and its transitions: names.
struct Nodes {
    places: Vec<(String, Option<u32>)>,
    transitions: Vec<String>,
}

impl Nodes {
    fn place_ids(&self) -> Vec<PlaceId> {
        (0..self.places.len()).map(|i| PlaceId(i as u32)).collect()
    }

    fn transition_ids(&self) -> Vec<TransitionId> {
        (0..self.transitions.len()).map(|i| TransitionId(i as u32)).collect()
    }
}

/// The queries of an examination.
struct Queries {
    /// One store for all queries, or one for each: those of a large net are many.
    formulas: Vec<Formulas>,
    named: Vec<NamedProperty>,
    combination: Combination,
    /// Something that belongs to the examination cannot be asked.
    incomplete: bool,
}

impl Queries {
    fn new(subject: Subject<'_>, symbols: &mut Symbols, nodes: &Nodes) -> anyhow::Result<Queries> {
        let mut wanted = 0;
        let (formulas, named, combination) = match subject {
            Subject::File(source, file) => {
                let mut formulas = Formulas::new();
                let text = source.file_beside(file)?;
                let named = properties::from_text(&text, &mut formulas, symbols)?;
                (vec![formulas], named, Combination::Each)
            }
            Subject::Global(property) => {
                if property == GlobalProperty::StableMarking {
                    wanted = nodes.places.len();
                }
                let (queries, combination) = global(property, nodes)?;
                let (formulas, named) = queries.into_iter().unzip();
                (formulas, named, combination)
            }
        };
        let incomplete = named.iter().filter(|p| p.place.is_some()).count() < wanted;
        Ok(Queries { formulas, named, combination, incomplete })
    }

    /// Whether walks that look at everything at once may answer something.
    fn wants_survey(&self) -> bool {
        let bound = |p: &NamedProperty| matches!(p.query, Query::Bound(_));
        self.combination != Combination::Each || self.named.iter().any(bound)
    }

    /// The sums that are asked about: of bounds, and of places one by one.
    fn sums(&self) -> Vec<Expression> {
        let sum = |p: &NamedProperty| match &p.query {
            Query::Bound(sum) => sum.clone(),
            _ => p.place.map_or_else(Expression::default, |p| Expression::places(&[p])),
        };
        if self.wants_survey() { self.named.iter().map(sum).collect() } else { Vec::new() }
    }

    /// The same for the sheet, with what was seen of sums.
    fn asked(&self, look: &Look<'_>) -> Asked<'_> {
        let seen = |i: usize| {
            look.extent(i).map_or_else(Seen::default, |e| Seen { value: e.most, most: e.high })
        };
        let seen = (0..self.named.len()).map(seen).collect();
        let Queries { formulas, named, combination, incomplete } = self;
        Asked { formulas, named, seen, combination: *combination, incomplete: *incomplete }
    }

    /// What was seen says this.
    fn learned(
        &self,
        look: &Look<'_>,
        members: &dyn Fn(TransitionId) -> Vec<TransitionId>,
    ) -> Learned {
        let mut learned = Learned::default();
        for i in 0..self.named.len() {
            let Some(Extent { least, most, high }) = look.extent(i) else { break };
            if matches!(self.named[i].query, Query::Bound(_)) {
                learned.values.push((i, most));
            }
            let answer = match (&self.named[i].query, self.named[i].place, self.combination) {
                (Query::SomeRun(_), _, _) => self.named[i].transition.and_then(|t| {
                    let seen = members(t).iter().any(|&t| look.has_enabled(t));
                    seen.then_some(QueryAnswer::Holds)
                }),
                (_, Some(_), Combination::All(_)) => (most > 1)
                    .then_some(QueryAnswer::Fails)
                    .or_else(|| high.is_some_and(|high| high <= 1).then_some(QueryAnswer::Holds)),
                (_, Some(_), Combination::Any(_)) => (most != least).then_some(QueryAnswer::Fails),
                _ => None,
            };
            learned.answers.extend(answer.map(|answer| (i, answer)));
        }
        learned
    }

    /// Says that a net is not live, if that is seen at once: a bounded one that is not strongly
    /// connected is not (a coloured transition may be live though one of its bindings is not, so
    /// this is about plain nets), and one in which walks end where something is lost is not.
    fn not_live(
        &self,
        view: &PlainView<'_>,
        members: &dyn Fn(TransitionId) -> Vec<TransitionId>,
        plain: bool,
        contest: &Contest<'_>,
    ) -> Option<(usize, QueryAnswer)> {
        let found = self.named.iter().enumerate().find_map(|(i, p)| match &p.query {
            Query::Whole(WholeNet::Live(transitions)) => Some((i, transitions)),
            _ => None,
        });
        let (all, transitions) = found?;
        let PlainView { net, structure, .. } = view;
        let bounded = structure.bounds.max().is_some();
        let groups: Vec<Vec<TransitionId>> = transitions.iter().map(|&t| members(t)).collect();
        let control = contest.watchdog.control();
        let control = control.at_most(contest.watchdog.time_left() / SURVEY_SHARE);
        let lost = plain && bounded && one_way(net, &structure.incidence).is_some()
            || matches!(find_trap(net, &structure.incidence, &groups, &control), Ok(Some(_)));
        lost.then_some((all, QueryAnswer::Fails))
    }

    /// Says that a net is live, if that is seen without all markings: every transition was seen
    /// enabled, and the initial marking can always be reached again.
    fn is_live(
        &self,
        view: &PlainView<'_>,
        look: &Look<'_>,
        members: &dyn Fn(TransitionId) -> Vec<TransitionId>,
        contest: &Contest<'_>,
    ) -> anyhow::Result<Option<(usize, QueryAnswer)>> {
        let asked = self.named.iter().enumerate().find_map(|(i, p)| match &p.query {
            Query::Whole(WholeNet::Live(transitions)) => Some((i, transitions)),
            _ => None,
        });
        let enabled = |&t: &TransitionId| members(t).iter().any(|&t| look.has_enabled(t));
        let Some((all, _)) = asked.filter(|(_, list)| list.iter().all(enabled)) else {
            return Ok(None);
        };
        let watchdog = contest.watchdog;
        let budget = Budget {
            time: Some(watchdog.time_left() / RETURN_SHARE),
            memory: Some(watchdog.confinement().memory_left()),
            ..Budget::default()
        };
        let returns = always_returns(view.net, &view.structure, Stages::default(), &budget)?;
        Ok(returns.then_some((all, QueryAnswer::Holds)))
    }
}

/// A query, and the store of its formulas.
type StoredQuery = (Formulas, NamedProperty);

/// The queries of a property of the whole net.
fn global(
    property: GlobalProperty,
    nodes: &Nodes,
) -> anyhow::Result<(Vec<StoredQuery>, Combination)> {
    let name = property.name();
    let places = || nodes.places.iter().enumerate().map(|(i, p)| (PlaceId(i as u32), p));
    Ok(match property {
        GlobalProperty::ReachabilityDeadlock => {
            let mut fs = Formulas::new();
            let dead = fs.deadlock();
            let query = Query::SomeRun(fs.f(dead));
            (vec![(fs, NamedProperty::new(name.to_owned(), query))], Combination::Each)
        }
        GlobalProperty::OneSafe => {
            let query = |(p, (id, _)): (PlaceId, &(String, _))| {
                always(p, id, Comparison::Le, Expression::constant(1))
            };
            let one_by_one = places().map(query).collect::<anyhow::Result<_>>()?;
            let all = nodes.place_ids();
            (together(WholeNet::AtMost(all, 1), one_by_one), Combination::All(name))
        }
        GlobalProperty::StableMarking => {
            // A place whose tokens are not known at the start cannot be asked about.
            let query = |(p, (id, initial)): (PlaceId, &(String, Option<u32>))| {
                let initial = Expression::constant(i64::from((*initial)?));
                Some(always(p, id, Comparison::Eq, initial))
            };
            let one_by_one = places().filter_map(query).collect::<anyhow::Result<_>>()?;
            let all = nodes.place_ids();
            (together(WholeNet::SomeConstant(all), one_by_one), Combination::Any(name))
        }
        GlobalProperty::QuasiLiveness => {
            let queries = nodes.transitions.iter().enumerate().map(|(i, id)| {
                let (mut fs, t) = (Formulas::new(), TransitionId(i as u32));
                let fireable = fs.fireable(vec![t]);
                let query = Query::SomeRun(fs.f(fireable));
                (fs, NamedProperty::of_transition(id.clone(), query, t))
            });
            let all = nodes.transition_ids();
            (together(WholeNet::CanFire(all), queries.collect()), Combination::All(name))
        }
        GlobalProperty::Liveness => (live(nodes), Combination::All(name)),
    })
}

/// All runs keep the tokens of a place in this relation to a number.
fn always(
    p: PlaceId,
    id: &str,
    comparison: Comparison,
    number: Expression,
) -> anyhow::Result<StoredQuery> {
    let mut fs = Formulas::new();
    let compared = fs.compare(Expression::places(&[p]), comparison, number);
    let compared =
        compared.map_err(|Overflow| anyhow::anyhow!("a place with more than 64 bits of tokens"))?;
    let query = Query::AllRuns(fs.g(compared));
    Ok((fs, NamedProperty::of_place(id.to_owned(), query, p)))
}

/// Every transition can always become fireable again. So there is no dead marking, which is asked
/// first, unless there is no transition. All markings know about all transitions at once, runs about
/// one at a time.
fn live(nodes: &Nodes) -> Vec<StoredQuery> {
    let mut queries = Vec::new();
    if !nodes.transitions.is_empty() {
        let mut fs = Formulas::new();
        let dead = fs.deadlock();
        let alive = fs.not(dead);
        let query = Query::AllRuns(fs.g(alive));
        queries.push((fs, NamedProperty::new("no dead marking".to_owned(), query)));
    }
    let mut one_by_one = Vec::new();
    for (i, id) in nodes.transitions.iter().enumerate() {
        let (mut fs, t) = (Formulas::new(), TransitionId(i as u32));
        let fireable = fs.fireable(vec![t]);
        let query = Query::Branching(Ctl::always_possible(&mut fs, fireable));
        one_by_one.push((fs, NamedProperty::of_transition(id.clone(), query, t)));
    }
    queries.extend(together(WholeNet::Live(nodes.transition_ids()), one_by_one));
    queries
}

/// The same question about all nodes at once, then one by one: what all reachable markings say, and
/// what runs say.
fn together(question: WholeNet, one_by_one: Vec<StoredQuery>) -> Vec<StoredQuery> {
    let all = NamedProperty::of_all("all together".to_owned(), Query::Whole(question));
    let first = (!one_by_one.is_empty()).then(|| (Formulas::new(), all));
    first.into_iter().chain(one_by_one).collect()
}

/// The values of a sum that were seen, and one that it never passes.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: i64,
    most: i64,
    high: Option<i64>,
}

/// A plain net, and what a place of the question is there: places, and tokens that never move.
struct PlainView<'a> {
    net: &'a Net,
    structure: &'a Structure,
    members: &'a dyn Fn(PlaceId) -> (Vec<PlaceId>, i64),
}

impl PlainView<'_> {
    /// A sum over the places of this net, and its constant part.
    fn restated(&self, sum: &Expression) -> (Vec<(PlaceId, i64)>, i64) {
        let (mut terms, mut constant) = (Vec::new(), sum.constant);
        for &(p, factor) in &sum.terms {
            let (members, idle) = (self.members)(p);
            terms.extend(members.into_iter().map(|p| (p, factor)));
            constant = constant.saturating_add(idle.saturating_mul(factor));
        }
        (terms, constant)
    }

    /// What the bounds of its places say about a sum.
    fn high(&self, terms: &[(PlaceId, i64)]) -> Option<i64> {
        terms.iter().try_fold(0_i64, |high, &(p, factor)| {
            let bound = i64::try_from(self.structure.bounds.of(p)?).ok()?;
            if factor < 0 { Some(high) } else { high.checked_add(factor.checked_mul(bound)?) }
        })
    }
}

/// A look at everything at once: what walks have seen of sums and transitions.
#[derive(Default)]
struct Look<'a> {
    survey: Option<Survey<'a>>,
    /// Of each sum, its constant part and what the rest of it never passes.
    known: Vec<(i64, Option<i64>)>,
}

impl<'a> Look<'a> {
    /// Nothing but the initial marking was seen; nothing at all if there is no sum.
    fn new(view: &PlainView<'a>, sums: &[Expression]) -> Self {
        if sums.is_empty() {
            return Look::default();
        }
        let (terms, idle): (Vec<Vec<(PlaceId, i64)>>, Vec<i64>) =
            sums.iter().map(|sum| view.restated(sum)).unzip();
        let incidence: &Incidence = &view.structure.incidence;
        let survey = Survey::new(view.net, incidence, &terms);
        let known = idle.into_iter().zip(terms.iter().map(|t| view.high(t))).collect();
        let mut look = Look { survey: Some(survey), known };
        look.settle_sums();
        look
    }

    /// Sums that have come to what they never pass are not looked at any more.
    fn settle_sums(&mut self) {
        let sums = self.survey.iter_mut().flat_map(|survey| &mut survey.sums);
        for (sum, (_, high)) in sums.zip(&self.known) {
            sum.settled = *high == Some(sum.most);
        }
    }

    /// Walks for a while.
    fn walk(&mut self, contest: &Contest<'_>) {
        let share = contest.watchdog.time_left() / SURVEY_SHARE;
        let control = contest.watchdog.control().at_most(share.min(SURVEY_MOST));
        if let Some(survey) = &mut self.survey {
            // What was seen before the time was up counts.
            let _ = survey.walk(SURVEY_STEPS, &control);
        }
        self.settle_sums();
    }

    /// Goes along a run that was found, and on from there.
    fn follow(&mut self, run: &Run, contest: &Contest<'_>) {
        let control = contest.watchdog.control();
        let control = control.at_most(contest.watchdog.time_left() / FOLLOW_SHARE);
        if let Some(survey) = &mut self.survey {
            let _ = survey.follow(run, FOLLOW_STEPS, &control);
        }
    }

    fn extent(&self, i: usize) -> Option<Extent> {
        let sum = self.survey.as_ref()?.sums.get(i)?;
        let (idle, high) = self.known[i];
        let high = high.and_then(|high| high.checked_add(idle));
        Some(Extent { least: sum.least + idle, most: sum.most + idle, high })
    }

    fn has_enabled(&self, t: TransitionId) -> bool {
        self.survey.as_ref().is_some_and(|survey| survey.enabled_once[t.index()])
    }
}
