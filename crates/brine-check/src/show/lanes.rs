//! A run as lanes side by side: one column per process, a line per step.
//!
//! Of a net with units (NUPN) a lane is a unit with places of its own, and a cell says where the
//! unit is after the step. Of a coloured net a lane is a binding, `x=2`, and a cell says what that
//! binding does. A dot stands for a lane that the step leaves alone. Lanes that the run never
//! touches are left out, and counted; those that do not fit the width follow below, in a table of
//! their own, so nothing is cut.

use super::text::Look;
use super::trace::Trace;
use std::fmt::Write;

/// Widest cell; longer words are broken off with a star, and `--full` shows them.
const CELL: usize = 20;

/// A lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// What it is called.
    pub name: String,
    /// Its places, of a unit; none of a binding.
    pub places: Vec<usize>,
}

/// The lanes of a run, or why it has none.
pub fn lanes(trace: &Trace, look: &Look) -> Result<String, &'static str> {
    let lanes = lanes_of(trace);
    if lanes.is_empty() {
        return Err("no lanes: the net has no units (NUPN), and its steps have no bindings");
    }
    let columns: Vec<Vec<String>> = lanes.iter().map(|lane| cells(trace, lane)).collect();
    let touched: Vec<usize> =
        (0..lanes.len()).filter(|&l| columns[l].iter().skip(1).any(|c| c != ".")).collect();
    let widest = |l: usize| {
        let words = columns[l].iter().map(|c| c.chars().count());
        words.chain([lanes[l].name.chars().count()]).max().unwrap_or(1)
    };
    let cell = |l: usize| if look.full { widest(l) } else { widest(l).min(CELL) };
    let steps = trace.steps.iter().map(|s| s.label.chars().count());
    let margin = steps.max().unwrap_or(0).clamp(5, 30) + 10;
    let mut out = String::new();
    let mut rest = &touched[..];
    let mut broken = false;
    while !rest.is_empty() {
        let mut width = margin;
        let fits = rest.iter().take_while(|&&l| {
            width += cell(l) + 2;
            width <= look.width
        });
        let now = fits.count().max(1);
        let (here, later) = rest.split_at(now);
        if rest.len() < touched.len() {
            out.push('\n');
        }
        let names = here.iter().map(|&l| (lanes[l].name.as_str(), cell(l)));
        broken |= row(&mut out, "", "", margin, names);
        let steps = trace.steps.iter().enumerate();
        let steps = steps.map(|(i, step)| ((i + 1).to_string(), step.label.as_str()));
        let lines = std::iter::once(("start".to_owned(), "")).chain(steps);
        for (at, (number, label)) in lines.enumerate() {
            // The marking at which the cycle begins stands above it.
            if at == trace.home + 1 && !trace.dead && !trace.is_beginning() {
                let _ = writeln!(out, "  repeat  what follows repeats for ever");
            }
            let words = here.iter().map(|&l| (columns[l][at].as_str(), cell(l)));
            broken |= row(&mut out, &number, label, margin, words);
        }
        rest = later;
    }
    let idle = lanes.len() - touched.len();
    if idle > 0 {
        let lanes = if idle == 1 { "lane is" } else { "lanes are" };
        let _ = writeln!(out, "  {idle} more {lanes} not touched");
    }
    if broken {
        out.push_str("  * a word that was broken off; --full shows it\n");
    }
    Ok(out)
}

/// A line of the table; whether a word was broken off.
fn row<'a>(
    out: &mut String,
    number: &str,
    label: &str,
    margin: usize,
    words: impl Iterator<Item = (&'a str, usize)>,
) -> bool {
    let mut broken = false;
    let mut line = format!("  {number:<5} {label}");
    let mut at = margin;
    for (word, width) in words {
        let pad = at.saturating_sub(line.chars().count()).max(1);
        line.extend(std::iter::repeat_n(' ', pad));
        if word.chars().count() > width {
            line.extend(word.chars().take(width - 1).chain(['*']));
            broken = true;
        } else {
            line.push_str(word);
        }
        at = (at + width).max(line.chars().count()) + 2;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    broken
}

/// What a lane shows at each position.
fn cells(trace: &Trace, lane: &Lane) -> Vec<String> {
    let mut cells = Vec::with_capacity(trace.steps.len() + 1);
    if lane.places.is_empty() {
        cells.push(".".to_owned());
        let suffix = format!("[{}]", lane.name);
        let of = |label: &str| label.strip_suffix(&suffix).unwrap_or(".").to_owned();
        cells.extend(trace.steps.iter().map(|s| of(&s.label)));
        return cells;
    }
    let mut marking = trace.initial.clone();
    cells.push(where_is(trace, lane, &marking));
    for step in &trace.steps {
        let mut moved = false;
        for &(p, _, after) in &step.changes {
            marking[p] = after;
            moved |= lane.places.contains(&p);
        }
        cells.push(if moved { where_is(trace, lane, &marking) } else { ".".to_owned() });
    }
    cells
}

/// The marked places of a unit.
fn where_is(trace: &Trace, lane: &Lane, marking: &[u32]) -> String {
    let marked = lane.places.iter().filter(|&&p| marking[p] > 0);
    let word = |&p: &usize| match marking[p] {
        1 => trace.places[p].clone(),
        n => format!("{n} {}", trace.places[p]),
    };
    let words: Vec<String> = marked.map(word).collect();
    if words.is_empty() { "-".to_owned() } else { words.join("+") }
}

/// The units, or else the bindings.
fn lanes_of(trace: &Trace) -> Vec<Lane> {
    if !trace.units.is_empty() {
        return trace.units.clone();
    }
    let mut lanes: Vec<Lane> = Vec::new();
    for step in &trace.steps {
        let binding = step.label.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
        let Some(name) = binding.filter(|b| b.contains('=')) else { continue };
        if !lanes.iter().any(|lane| lane.name == name) {
            lanes.push(Lane { name: name.to_owned(), places: Vec::new() });
        }
    }
    lanes.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shorten::RunFacts;
    use crate::show::Subject;
    use brine_net::{NetBuilder, Nupn, Run, Unit};

    /// Two processes and a lock, each a unit.
    fn trace(full_names: bool) -> Trace {
        let mut b = NetBuilder::new("n");
        let long = if full_names { "a_place_with_a_very_long_name" } else { "in" };
        let (p, q) = (b.place("out", 1), b.place(long, 0));
        let (r, s, lock) = (b.place("r", 1), b.place("s", 0), b.place("lock", 1));
        let enter = b.transition("enter", &[(p, 1), (lock, 1)], &[(q, 1)]);
        let leave = b.transition("leave", &[(q, 1)], &[(p, 1), (lock, 1)]);
        b.transition("other", &[(r, 1)], &[(s, 1)]);
        let unit = |id: &str, places: &[brine_net::PlaceId], subunits: &[usize]| Unit {
            id: id.to_owned(),
            places: places.to_vec(),
            subunits: subunits.to_vec(),
        };
        let units = vec![
            unit("root", &[], &[1, 2, 3]),
            unit("one", &[p, q], &[]),
            unit("two", &[r, s], &[]),
            unit("mutex", &[lock], &[]),
        ];
        b.nupn(Nupn { units, root: 0, safe: true });
        let net = b.build().unwrap();
        let run = Run { prefix: vec![], cycle: vec![enter, leave] };
        Trace::new(Subject::Net(&net), &run, RunFacts::default(), None)
    }

    #[test]
    fn units_are_lanes_and_those_that_stand_still_are_counted() {
        let text = lanes(&trace(false), &Look::default()).unwrap();
        let expected = "               one  mutex\n  start        out  lock\n  repeat  what follows repeats for ever\n  1     enter  in   -\n  2     leave  out  lock\n  1 more lane is not touched\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn lanes_that_do_not_fit_follow_below_and_nothing_is_cut_in_silence() {
        let narrow = Look { width: 20, ..Look::default() };
        let text = lanes(&trace(false), &narrow).unwrap();
        assert_eq!(text.matches("repeat").count(), 2 * 2, "{text}");
        let text = lanes(&trace(true), &Look::default()).unwrap();
        assert!(
            text.contains("a_place_with_a_very*") && text.contains("--full shows it"),
            "{text}"
        );
        let text = lanes(&trace(true), &Look { full: true, ..Look::default() }).unwrap();
        assert!(text.contains("a_place_with_a_very_long_name") && !text.contains('*'), "{text}");
    }
}
