//! Runs for people: as text with markings as deltas, and as a DOT graph.
//!
//! The text calls places and transitions by their names, as people do; JSON and DOT, which
//! scripts read, have ids.

use brine_net::{Net, PlaceId, Run, TransitionId};
use brine_pins::{GroupId, Pins, SlotId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// Longer stretches of a run are cut in the middle when printed as text.
const STEPS_SHOWN: usize = 200;

/// What the places or the transitions of a net are called in a text.
struct Labels<'a> {
    /// How many of them have this as name or id.
    uses: FxHashMap<Cow<'a, str>, u32>,
}

impl<'a> Labels<'a> {
    /// From ids and names.
    fn new(nodes: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Self {
        let mut uses = FxHashMap::default();
        for (id, name) in nodes {
            if id != name {
                *uses.entry(id).or_default() += 1;
            }
            *uses.entry(name).or_default() += 1;
        }
        Labels { uses }
    }

    /// The name, with the id in brackets if something else is called so too; the id where
    /// there is no name. In quotes, as in a formula, if it has spaces.
    fn of(&self, id: &str, name: &str) -> String {
        let quoted = |text: &str| match text.contains(char::is_whitespace) {
            true => format!("\"{}\"", escape(text).replace(char::is_control, " ")),
            false => text.to_owned(),
        };
        if name.trim().is_empty() || name == id {
            return quoted(id);
        }
        match self.uses.get(name) {
            Some(1) => quoted(name),
            _ => format!("{} ({id})", quoted(name)),
        }
    }
}

/// The tokens that a transition moves: `-2 p  +1 "my place"`.
fn delta(net: &Net, t: TransitionId, label: impl Fn(PlaceId) -> String) -> String {
    let t = net.transition(t);
    let mut change: Vec<(PlaceId, i64)> = t.pre.iter().map(|&(p, w)| (p, -i64::from(w))).collect();
    for &(p, w) in t.post {
        match change.iter_mut().find(|(q, _)| *q == p) {
            Some((_, c)) => *c += i64::from(w),
            None => change.push((p, i64::from(w))),
        }
    }
    change.retain(|&(_, c)| c != 0);
    let word = |&(p, c): &(PlaceId, i64)| format!("{c:+} {}", label(p));
    let words: Vec<String> = change.iter().map(word).collect();
    if words.is_empty() { "no change".to_owned() } else { words.join("  ") }
}

/// The marked places: `2 p, 1 q`.
fn marking(net: &Net, m: &[u32], label: impl Fn(PlaceId) -> String) -> String {
    let marked = net.place_ids().filter(|p| m[p.index()] > 0);
    let words: Vec<String> = marked.map(|p| format!("{} {}", m[p.index()], label(p))).collect();
    if words.is_empty() { "no token anywhere".to_owned() } else { words.join(", ") }
}

/// The run of a net as text, ready to be printed.
pub fn text(net: &Net, run: &Run) -> String {
    let places = Labels::new(net.places().map(|p| (p.id(), p.name())));
    let transitions = Labels::new(net.transitions().map(|t| (t.id(), t.name())));
    let place = |p: PlaceId| places.of(&net.place(p).id(), &net.place(p).name());
    let step = |i: usize| {
        let t = run.step(i);
        let name = transitions.of(&net.transition(t).id(), &net.transition(t).name());
        (name, delta(net, t, place))
    };
    story("marking", &marking(net, &net.initial_marking(), place), run, step)
}

/// The run of a model as text; see [`crate::ModelProperty`].
pub fn model_text(model: &dyn Pins, run: &Run) -> String {
    let mut state = model.initial();
    let start = values(model, &state);
    let mut steps = Vec::new();
    for (i, t) in run.steps().enumerate() {
        let after = successor(model, t, &state);
        // States may be large and runs long: only what is printed is kept.
        let words = || (model.group_name(GroupId(t.0)), changes(model, &state, &after));
        steps.push(is_shown(run, i).then(words));
        state = after;
    }
    story("state", &start, run, |i| steps[i].clone().unwrap_or_default())
}

/// A run in words; `step` gives the name of each step and what it does.
fn story(noun: &str, start: &str, run: &Run, step: impl Fn(usize) -> (String, String)) -> String {
    let mut out = format!("  start   {start}\n");
    let (prefix, cycle) = (run.prefix.len(), run.cycle.len());
    for (part, from, count) in [("prefix", 0, prefix), ("cycle", prefix, cycle)] {
        for i in 0..count {
            if count > STEPS_SHOWN && i == STEPS_SHOWN / 2 {
                let _ = writeln!(out, "  ...     {} more steps", count - STEPS_SHOWN);
            }
            if is_shown(run, from + i) {
                let (name, what) = step(from + i);
                let _ = writeln!(out, "  {part:<7} {name:<20} {what}");
            }
        }
    }
    if cycle == 0 {
        let _ = writeln!(out, "  dead    nothing is enabled; the {noun} repeats for ever");
    } else {
        out.push_str("  and so on from the start of the cycle\n");
    }
    out
}

/// Whether a step is printed: of a long prefix or cycle, both ends are.
fn is_shown(run: &Run, i: usize) -> bool {
    let prefix = run.prefix.len();
    let (at, count) = if i < prefix { (i, prefix) } else { (i - prefix, run.cycle.len()) };
    at < STEPS_SHOWN / 2 || at + STEPS_SHOWN / 2 >= count
}

/// Where a step leads that was replayed before.
fn successor(model: &dyn Pins, t: TransitionId, state: &[u32]) -> Vec<u32> {
    let after = model.step(GroupId(t.0), state).ok().and_then(|mut all| all.pop());
    after.unwrap_or_else(|| state.to_vec())
}

/// The slots that are not zero: `x = 2, b[0] = 1`.
fn values(model: &dyn Pins, state: &[u32]) -> String {
    let word = |(slot, &value): (SlotId, &u32)| {
        let value = model.value_name(slot, value);
        (value != "0").then(|| format!("{} = {value}", model.slot_name(slot)))
    };
    let words: Vec<String> = (0..).map(SlotId).zip(state).filter_map(word).collect();
    if words.is_empty() { "all zero".to_owned() } else { words.join(", ") }
}

/// What a step assigns: `x := 2  b[0] := 1`.
fn changes(model: &dyn Pins, before: &[u32], after: &[u32]) -> String {
    let changed = (0..).map(SlotId).zip(before.iter().zip(after)).filter(|s| s.1.0 != s.1.1);
    let word = |(slot, (_, &value)): (SlotId, (_, &u32))| {
        format!("{} := {}", model.slot_name(slot), model.value_name(slot, value))
    };
    let words: Vec<String> = changed.map(word).collect();
    if words.is_empty() { "no change".to_owned() } else { words.join("  ") }
}

/// The run of a net as a DOT graph: one node per marking, one edge per firing.
pub fn dot(net: &Net, run: &Run) -> String {
    let mut m = net.initial_marking();
    let id = |p: PlaceId| net.place(p).id().into_owned();
    let mut labels = vec![marking(net, &m, id)];
    for t in run.steps() {
        let fired = net.fire_in_place(t, &mut m);
        debug_assert!(fired, "runs are replayed before they are shown");
        labels.push(marking(net, &m, id));
    }
    graph(&labels, run, |t| net.transition(t).id().into_owned())
}

/// The run of a model as a DOT graph.
pub fn model_dot(model: &dyn Pins, run: &Run) -> String {
    let mut state = model.initial();
    let mut labels = vec![values(model, &state)];
    for t in run.steps() {
        state = successor(model, t, &state);
        labels.push(values(model, &state));
    }
    graph(&labels, run, |t| model.group_name(GroupId(t.0)))
}

/// `labels` has one more than there are steps.
fn graph(labels: &[String], run: &Run, name: impl Fn(TransitionId) -> String) -> String {
    let mut out = String::from("digraph witness {\n  rankdir=LR;\n  node [shape=box];\n");
    let (home, steps) = (run.prefix.len(), labels.len() - 1);
    let dead = run.cycle.is_empty();
    for (i, label) in labels.iter().enumerate() {
        // The marking after a cycle is the one at its beginning.
        if i < steps || dead {
            let _ = writeln!(out, "  m{i} [label=\"{}\"];", escape(label));
        }
        if i < steps {
            let target = if i + 1 == steps && !dead { home } else { i + 1 };
            let id = escape(&name(run.step(i)));
            let _ = writeln!(out, "  m{i} -> m{target} [label=\"{id}\"];");
        }
    }
    if dead {
        let _ = writeln!(out, "  m{home} -> m{home} [style=dashed, label=\"dead\"];");
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    fn net() -> Net {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 2), b.place("a \"b\"", 0));
        b.transition("t", &[(p, 2)], &[(q, 1)]);
        b.transition("u", &[(q, 1)], &[(p, 2)]);
        b.build().unwrap()
    }

    #[test]
    fn a_cycle_and_a_deadlock_read_well() {
        let net = net();
        let cycle = Run { prefix: vec![], cycle: vec![TransitionId(0), TransitionId(1)] };
        assert_eq!(
            text(&net, &cycle),
            "  start   2 p\n  cycle   t                    -2 p  +1 \"a \\\"b\\\"\"\n  \
             cycle   u                    -1 \"a \\\"b\\\"\"  +2 p\n  \
             and so on from the start of the cycle\n"
        );
        let dead = Run { prefix: vec![TransitionId(0)], cycle: vec![] };
        let text = text(&net, &dead);
        assert!(text.ends_with("repeats for ever\n"), "{text}");
    }

    /// Names in the text, ids in brackets where a name is not enough; ids in DOT.
    #[test]
    fn names_are_shown() {
        let mut b = NetBuilder::new("n");
        let places = [
            b.named_place("p1", "Fork 1", 1),
            b.named_place("p2", "hand", 1),
            b.named_place("p3", "hand", 1),
            b.named_place("p4", "p5", 1),
            b.named_place("p5", "", 1),
            b.place("p6", 1),
            b.named_place("p7", "two\nlines", 0),
        ];
        let pre: Vec<_> = places[..6].iter().map(|&p| (p, 1)).collect();
        b.named_transition("t1", "take", &pre, &[(places[6], 1)]);
        let net = b.build().unwrap();
        let witness = Run { prefix: vec![TransitionId(0)], cycle: vec![] };
        assert_eq!(
            text(&net, &witness),
            "  start   1 \"Fork 1\", 1 hand (p2), 1 hand (p3), 1 p5 (p4), 1 p5, 1 p6\n  \
             prefix  take                 -1 \"Fork 1\"  -1 hand (p2)  -1 hand (p3)  \
             -1 p5 (p4)  -1 p5  -1 p6  +1 \"two lines\"\n  \
             dead    nothing is enabled; the marking repeats for ever\n"
        );
        let graph = dot(&net, &witness);
        assert!(graph.contains("1 p1, 1 p2") && graph.contains("label=\"t1\""), "{graph}");
    }

    #[test]
    fn dot_closes_the_cycle_and_escapes_names() {
        let net = net();
        let witness = Run { prefix: vec![], cycle: vec![TransitionId(0), TransitionId(1)] };
        let text = dot(&net, &witness);
        assert!(text.contains("m1 -> m0 [label=\"u\"]"), "{text}");
        assert!(text.contains("m1 [label=\"1 a \\\"b\\\"\"]"), "{text}");
        assert!(!text.contains("m2"), "{text}");
        let dead = Run { prefix: vec![TransitionId(0)], cycle: vec![] };
        assert!(super::dot(&net, &dead).contains("m1 -> m1 [style=dashed"));
    }
}
