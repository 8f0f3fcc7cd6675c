//! A run as a DOT graph: one node per marking, one edge per firing.
//!
//! Rows of [`ROW`] markings, one below the other, so that a run of hundreds of steps is still a
//! page and not a ribbon. The first marking, that of the cycle's start and the last are written
//! in full, the others as what has changed. Ids, not names: scripts read this.

use super::labels::escape;
use super::trace::Trace;
use std::fmt::Write;

/// Markings in a row.
const ROW: usize = 8;
/// Characters in a line of a label.
const WIDTH: usize = 28;

/// The graph.
pub fn dot(trace: &Trace) -> String {
    let mut out = String::from(
        "digraph witness {\n  rankdir=TB;\n  node [shape=box, fontsize=10];\n  edge [fontsize=10];\n",
    );
    let count = trace.steps.len();
    let closes = !trace.dead && !trace.is_beginning();
    // The marking after a cycle is the one at its beginning.
    let nodes = if closes { count } else { count + 1 };
    for i in 0..nodes {
        let full = i == 0 || i + 1 == nodes || i == trace.home && !trace.is_beginning();
        let label = if full { marking(trace, i) } else { changes(trace, i) };
        let colour =
            if closes && i >= trace.home { ", style=filled, fillcolor=lightyellow" } else { "" };
        let _ = writeln!(out, "  m{i} [label=\"{label}\"{colour}];");
    }
    for first in (0..nodes).step_by(ROW) {
        let row: Vec<String> = (first..nodes.min(first + ROW)).map(|i| format!("m{i}")).collect();
        let _ = writeln!(out, "  {{ rank=same; {}; }}", row.join("; "));
    }
    for (i, step) in trace.steps.iter().enumerate() {
        let target = if i + 1 == count && closes { trace.home } else { i + 1 };
        let back = if target <= i { ", constraint=false, penwidth=2" } else { "" };
        let label = format!("{}: {}", i + 1, escape(&step.id));
        let _ = writeln!(out, "  m{i} -> m{target} [label=\"{label}\"{back}];");
    }
    if trace.is_beginning() && !trace.is_open() {
        let _ = writeln!(out, "  m{count} [color=red, penwidth=2, xlabel=\"violated\"];");
    }
    if trace.dead && trace.home == count {
        let _ = writeln!(out, "  m{count} -> m{count} [style=dashed, label=\"dead\"];");
    }
    out.push_str("}\n");
    out
}

/// The marked places by id.
fn marking(trace: &Trace, at: usize) -> String {
    let marking = trace.marking(at);
    let marked = marking.iter().enumerate().filter(|&(p, &n)| trace.value(p, n) != "0");
    let word = |(p, &n): (usize, &u32)| match trace.is_net {
        true => format!("{n} {}", trace.place_ids[p]),
        false => format!("{} = {}", trace.place_ids[p], trace.value(p, n)),
    };
    let words: Vec<String> = marked.map(word).collect();
    if words.is_empty() { "no token anywhere".to_owned() } else { wrapped(&words, ", ") }
}

/// What the step before has changed.
fn changes(trace: &Trace, at: usize) -> String {
    let word = |&(p, before, after): &(usize, u32, u32)| match trace.is_net {
        true => format!("{:+} {}", i64::from(after) - i64::from(before), trace.place_ids[p]),
        false => format!("{} := {}", trace.place_ids[p], trace.value(p, after)),
    };
    let words: Vec<String> = trace.steps[at - 1].changes.iter().map(word).collect();
    if words.is_empty() { "no change".to_owned() } else { wrapped(&words, "  ") }
}

/// Words in lines, for a label.
fn wrapped(words: &[String], between: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            out.push_str(between.trim_end_matches(' '));
            let breaks = at + word.len() > WIDTH;
            out.push_str(if breaks {
                "\\n"
            } else {
                &between[between.trim_end_matches(' ').len()..]
            });
            at = if breaks { 0 } else { at + between.len() };
        }
        out.push_str(&escape(word));
        at += word.len();
    }
    out
}
