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
/// that is added. Gives the number of the run.
pub fn add_run(
    page: &mut WebPage,
    net: Option<(&Net, bool)>,
    trace: &Trace,
    spots: Spots<'_>,
) -> usize {
    let (subject, part) = match net {
        None => (add(page, variables(trace)), None),
        Some((net, is_whole)) => {
            let size = net.places().len() + net.transitions().len();
            if is_whole && size <= DRAWN {
                let is_there = |s: &DrawnSubject| matches!(s, DrawnSubject::Net(n) if n.is_whole);
                let there = page.subjects.iter().position(is_there);
                let whole = || DrawnSubject::Net(drawn_net(net, spots));
                (there.unwrap_or_else(|| add(page, whole())), None)
            } else {
                let part = Part::touched(net, trace);
                let mut drawn = part.draw(net, spots, false);
                if part.places.len() + part.transitions.len() < size {
                    drawn.note = Some(format!(
                        "The part of the net that the run touches: {} of {} places, {} of {} \
                         transitions.",
                        part.places.len(),
                        net.places().len(),
                        part.transitions.len(),
                        net.transitions().len()
                    ));
                }
                (add(page, DrawnSubject::Net(drawn)), Some(part))
            }
        }
    };
    page.runs.push(shown_run(trace, subject, part.as_ref()));
    page.runs.len() - 1
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

    /// Numbers in the net as numbers in the part.
    fn numbers(of: &[usize]) -> impl Fn(usize) -> Option<usize> + '_ {
        move |n| of.binary_search(&n).ok()
    }
}

fn shown_run(trace: &Trace, subject: usize, part: Option<&Part>) -> ShownRun {
    let place = |p: usize| match part {
        Some(part) => Part::numbers(&part.places)(p),
        None => Some(p),
    };
    let transition = |t: usize| match part {
        Some(part) => Part::numbers(&part.transitions)(t),
        None => Some(t).filter(|_| trace.is_net),
    };
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
            transition: transition(step.transition.index()),
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
