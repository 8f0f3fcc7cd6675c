//! A net as a drawing for Graphviz.

use std::io::{self, Write};

use crate::Net;

/// Writes a net in the DOT language: circles with their tokens, boxes, arcs with their
/// weights where these are not one.
///
/// ```
/// let mut dot = Vec::new();
/// brine_net::write_dot(&brine_models::fork_join(2), &mut dot).unwrap();
/// assert!(String::from_utf8(dot).unwrap().starts_with("digraph \"fork-join-2\" {"));
/// ```
pub fn write_dot(net: &Net, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(net.name()))?;
    writeln!(out, "  rankdir=LR;")?;
    for (i, place) in net.places().enumerate() {
        let label = match place.initial {
            0 => place.name().into_owned(),
            n => format!("{}\n{n}", place.name()),
        };
        writeln!(out, "  p{i} [shape=circle, label={}];", quoted(&label))?;
    }
    for (i, t) in net.transitions().enumerate() {
        writeln!(out, "  t{i} [shape=box, label={}];", quoted(&t.name()))?;
        for &(p, w) in t.pre {
            writeln!(out, "  p{} -> t{i}{};", p.0, weight(w))?;
        }
        for &(p, w) in t.post {
            writeln!(out, "  t{i} -> p{}{};", p.0, weight(w))?;
        }
    }
    writeln!(out, "}}")
}

fn weight(w: u32) -> String {
    if w == 1 { String::new() } else { format!(" [label=\"{w}\"]") }
}

/// A DOT string: quotes and backslashes escaped, line breaks as `\n`.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
