//! Nets and runs as what `brine-page` draws.
//!
//! A net of up to [`DRAWN`] nodes is drawn whole. Of a larger one the part that the run touches is
//! drawn: the transitions that it fires with all their places, and the places that the formula
//! looks at while there is room for them. In a part every step fires as in the whole net, since
//! all its arcs are there; what else is enabled cannot be told, so there is no token game.
//!
//! Cost: the net, or the run's arcs and one pass over the net's places.

use super::labels::Labels;
use super::trace::{Trace, TraceStep};
use brine_net::{Net, PlaceId, TransitionId};
use brine_page::{
    DRAWN, DrawnNet, DrawnPlace, DrawnSubject, DrawnTransition, Point, RunEnd, ShownRun, ShownStep,
    ShownValue, ShownVariable, TruthRow, WebPage,
};
use rustc_hash::FxHashMap;

/// Where an editor put the node with this id.
pub type Spots<'a> = &'a dyn Fn(&str) -> Option<Point>;

/// All of a net.
///
/// ```
/// use brine_net::NetBuilder;
/// let mut b = NetBuilder::new("lamp");
/// let (off, on) = (b.place("off", 1), b.place("on", 0));
/// b.transition("press", &[(off, 1)], &[(on, 1)]);
/// let drawn = brine_check::show::drawn_net(&b.build().unwrap(), &|_| None);
/// assert_eq!((drawn.transitions[0].takes[0], drawn.transitions[0].puts[0]), ((0, 1), (1, 1)));
/// ```
pub fn drawn_net(net: &Net, spots: Spots<'_>) -> DrawnNet {
    let places = (0..net.places().len()).collect();
    let transitions = (0..net.transitions().len()).collect();
    Part { places, transitions }.draw(net, spots, true)
}

/// Adds a run to a page, with its net: `None` if the model is no net. A net that `is_whole` has
/// all its transitions, so that it can be played with; a page has one such net at most, the first
/// that is added. The run of another net is shown in that one, by ids, if it has all that the run
/// touches: a coloured net has a part for each run. Gives the number of the run.
pub fn add_run(
    page: &mut WebPage,
    net: Option<(&Net, bool)>,
    trace: &Trace,
    spots: Spots<'_>,
) -> usize {
    let run = match net {
        None => {
            let subject = add(page, variables(trace));
            shown_run(trace, subject, &Numbers { place: &Some, transition: &|_, _| None })
        }
        Some((net, true)) if net.places().len() + net.transitions().len() <= DRAWN => {
            let there = page.subjects.iter().position(is_whole_net);
            let whole = || DrawnSubject::Net(drawn_net(net, spots));
            let subject = there.unwrap_or_else(|| add(page, whole()));
            shown_run(trace, subject, &Numbers { place: &Some, transition: &|t, _| Some(t) })
        }
        Some((net, is_whole)) => match in_whole_net(page, trace).filter(|_| !is_whole) {
            Some(run) => run,
            None => in_part(page, net, trace, spots),
        },
    };
    page.runs.push(run);
    page.runs.len() - 1
}

fn is_whole_net(subject: &DrawnSubject) -> bool {
    matches!(subject, DrawnSubject::Net(net) if net.is_whole)
}

/// The run in the page's whole net, by ids; none if something it touches is not there.
fn in_whole_net(page: &WebPage, trace: &Trace) -> Option<ShownRun> {
    let subject = page.subjects.iter().position(is_whole_net)?;
    let DrawnSubject::Net(net) = &page.subjects[subject] else { return None };
    let places: FxHashMap<&str, usize> =
        net.places.iter().enumerate().map(|(i, p)| (p.id.as_str(), i)).collect();
    let transitions: FxHashMap<&str, usize> =
        net.transitions.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect();
    let place = |p: usize| places.get(trace.place_ids[p].as_str()).copied();
    let fits = |step: &TraceStep| {
        let changed = step.changes.iter().map(|c| c.0).chain(step.needs.iter().map(|n| n.0));
        let mut same = changed.map(|p| place(p).map(|n| net.places[n].tokens == trace.initial[p]));
        transitions.contains_key(step.id.as_str()) && same.all(|same| same == Some(true))
    };
    if !trace.steps.iter().all(fits) {
        return None;
    }
    let transition = |_, id: &str| transitions.get(id).copied();
    Some(shown_run(trace, subject, &Numbers { place: &place, transition: &transition }))
}

/// The run in the part of its net that it touches.
fn in_part(page: &mut WebPage, net: &Net, trace: &Trace, spots: Spots<'_>) -> ShownRun {
    let part = Part::touched(net, trace);
    let mut drawn = part.draw(net, spots, false);
    let (places, transitions) = (net.places().len(), net.transitions().len());
    if part.places.len() + part.transitions.len() < places + transitions {
        drawn.note = Some(format!(
            "The part of the net that the run touches: {} of {places} places, {} of \
             {transitions} transitions.",
            part.places.len(),
            part.transitions.len(),
        ));
    }
    let subject = add(page, DrawnSubject::Net(drawn));
    let place = |p: usize| part.places.binary_search(&p).ok();
    let transition = |t: usize, _: &str| part.transitions.binary_search(&t).ok();
    shown_run(trace, subject, &Numbers { place: &place, transition: &transition })
}

fn add(page: &mut WebPage, subject: DrawnSubject) -> usize {
    page.subjects.push(subject);
    page.subjects.len() - 1
}

fn variables(trace: &Trace) -> DrawnSubject {
    let variable = |(i, label): (usize, &String)| ShownVariable {
        label: label.clone(),
        value: trace.value(i, trace.initial[i]),
    };
    DrawnSubject::Variables(trace.places.iter().enumerate().map(variable).collect())
}

/// Places and transitions of a net, in order.
struct Part {
    places: Vec<usize>,
    transitions: Vec<usize>,
}

impl Part {
    fn touched(net: &Net, trace: &Trace) -> Self {
        let mut transitions: Vec<usize> =
            trace.steps.iter().map(|s| s.transition.index()).collect();
        transitions.sort_unstable();
        transitions.dedup();
        let mut in_part = vec![false; trace.place_ids.len()];
        for &t in &transitions {
            let node = net.transition(TransitionId(t as u32));
            node.pre.iter().chain(node.post).for_each(|(p, _)| in_part[p.index()] = true);
        }
        let touched = in_part.iter().filter(|&&p| p).count();
        let room = DRAWN.saturating_sub(touched + transitions.len());
        let looked_at: Vec<usize> =
            (0..in_part.len()).filter(|&p| trace.needed[p] && !in_part[p]).collect();
        if looked_at.len() <= room {
            looked_at.iter().for_each(|&p| in_part[p] = true);
        }
        let places = (0..in_part.len()).filter(|&p| in_part[p]).collect();
        Part { places, transitions }
    }

    fn draw(&self, net: &Net, spots: Spots<'_>, is_whole: bool) -> DrawnNet {
        let number: FxHashMap<usize, usize> =
            self.places.iter().enumerate().map(|(i, &p)| (p, i)).collect();
        let arcs = |side: &[(PlaceId, u32)]| -> Vec<(usize, u32)> {
            side.iter().map(|&(p, weight)| (number[&p.index()], weight)).collect()
        };
        let labels = Labels::new(net.places().map(|p| (p.id(), p.name())));
        let places = self.places.iter().map(|&p| {
            let place = net.place(PlaceId(p as u32));
            let (id, name) = (place.id(), place.name());
            let (label, at) = (labels.of(&id, &name), spots(&id));
            DrawnPlace { id: id.into(), label, tokens: place.initial, at }
        });
        let labels = Labels::new(net.transitions().map(|t| (t.id(), t.name())));
        let transitions = self.transitions.iter().map(|&t| {
            let node = net.transition(TransitionId(t as u32));
            let (id, name) = (node.id(), node.name());
            let (label, at) = (labels.of(&id, &name), spots(&id));
            let (takes, puts) = (arcs(node.pre), arcs(node.post));
            DrawnTransition { id: id.into(), label, takes, puts, at }
        });
        DrawnNet {
            name: net.name().to_owned(),
            places: places.collect(),
            transitions: transitions.collect(),
            note: None,
            is_whole,
        }
    }
}

/// Numbers of the run's net as numbers of what is drawn.
struct Numbers<'a> {
    place: &'a dyn Fn(usize) -> Option<usize>,
    /// By number and id.
    transition: &'a dyn Fn(usize, &str) -> Option<usize>,
}

fn shown_run(trace: &Trace, subject: usize, numbers: &Numbers<'_>) -> ShownRun {
    let Numbers { place, transition } = numbers;
    let value = |p: usize, v: u32| match trace.is_net {
        true => ShownValue::Tokens(v),
        false => ShownValue::Text(trace.value(p, v)),
    };
    let step = |step: &TraceStep| {
        let changes = step.changes.iter();
        let change = |&(p, before, after): &(usize, u32, u32)| {
            place(p).map(|n| (n, value(p, before), value(p, after)))
        };
        ShownStep {
            transition: transition(step.transition.index(), &step.id),
            label: step.label.clone(),
            changes: changes.filter_map(change).collect(),
            needs: step.needs.iter().filter_map(|&(p, n)| place(p).map(|p| (p, n))).collect(),
        }
    };
    let letter = |value: &Option<bool>| value.map_or('?', |v| if v { 'T' } else { 'F' });
    let row = |row: &super::trace::Row| TruthRow {
        text: row.text.clone(),
        values: row.values.iter().map(letter).collect(),
    };
    let end = match (trace.is_beginning(), trace.is_example, trace.dead) {
        (true, true, _) => RunEnd::Shown,
        (true, false, _) => RunEnd::Violated,
        (false, _, true) => RunEnd::Dead,
        (false, _, false) => RunEnd::Repeats,
    };
    ShownRun {
        subject,
        steps: trace.steps.iter().map(step).collect(),
        home: trace.home,
        end,
        truth: trace.rows.iter().map(row).collect(),
    }
}
