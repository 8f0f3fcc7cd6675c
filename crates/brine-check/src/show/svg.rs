//! A run as a picture: a table from top to bottom.
//!
//! One line per step with what it takes and puts; a column per part of the formula, coloured by
//! its truth; a bracket on the left around the steps that repeat. So 500 steps are a long page
//! that reads like a short one.

use super::trace::Trace;
use std::fmt::Write;

const LINE: usize = 20;
const TOP: usize = 30;
const CELL: usize = 14;
const TRUE: &str = "#2e8b57";
const FALSE: &str = "#c0392b";
const OPEN: &str = "#cccccc";

/// The picture.
pub fn svg(trace: &Trace) -> String {
    let names =
        trace.steps.iter().map(|s| s.label.chars().count()).max().unwrap_or(0).max(5) * 8 + 60;
    let truth = trace.rows.len() * CELL + 10;
    let effects: Vec<String> = (0..trace.steps.len()).map(|i| effect(trace, i)).collect();
    let widest = effects.iter().map(|e| e.chars().count()).max().unwrap_or(0) * 7;
    let legend = trace.rows.iter().map(|r| r.text.chars().count()).max().unwrap_or(0) * 7 + 60;
    let width = (names + truth + widest).max(legend) + 40;
    let height = TOP + (trace.steps.len() + 2 + trace.rows.len() + 1) * LINE + 20;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (k, row) in trace.rows.iter().enumerate() {
        let y = TOP + k * LINE;
        let _ = writeln!(out, "<text x=\"30\" y=\"{y}\">{}: {}</text>", k + 1, escape(&row.text));
    }
    let top = TOP + (trace.rows.len() + 1) * LINE;
    for k in 0..trace.rows.len() {
        let (x, y, number) = (names + k * CELL, top - 15, k + 1);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"9\">{number}</text>");
    }
    line(&mut out, trace, 0, "start", "", top, names);
    for (i, step) in trace.steps.iter().enumerate() {
        let name = format!("{}  {}", i + 1, step.label);
        line(&mut out, trace, i + 1, &name, &effects[i], top + (i + 1) * LINE, names);
    }
    end(&mut out, trace, top);
    out.push_str("</svg>\n");
    out
}

fn line(
    out: &mut String,
    trace: &Trace,
    at: usize,
    name: &str,
    effect: &str,
    y: usize,
    names: usize,
) {
    let _ = writeln!(out, "<text x=\"30\" y=\"{y}\">{}</text>", escape(name));
    for (k, row) in trace.rows.iter().enumerate() {
        // After the last step of a cycle comes its first position again.
        let at = if at < row.values.len() { at } else { trace.home };
        // High and low, so that it can be told without colours.
        let (fill, high) = match row.values.get(at).copied().flatten() {
            Some(true) => (TRUE, CELL - 2),
            Some(false) => (FALSE, 4),
            None => (OPEN, 1),
        };
        let (x, y, size) = (names + k * CELL, y + 1 - high, CELL - 2);
        let title = format!("<title>{}</title>", escape(&row.text));
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{high}\" fill=\"{fill}\">{title}</rect>"
        );
    }
    let x = names + trace.rows.len() * CELL + 10;
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(effect));
}

/// The bracket of the cycle, or what ends the run.
fn end(out: &mut String, trace: &Trace, top: usize) {
    let count = trace.steps.len();
    let y = top + (count + 1) * LINE;
    if trace.is_open() {
        let _ = writeln!(out, "<text x=\"30\" y=\"{y}\">stopped here</text>");
    } else if trace.is_beginning() {
        let _ = writeln!(
            out,
            "<text x=\"30\" y=\"{y}\" fill=\"{FALSE}\">violated, whatever follows</text>"
        );
    } else if trace.dead {
        let _ = writeln!(
            out,
            "<text x=\"30\" y=\"{y}\" fill=\"{FALSE}\">dead: nothing is enabled</text>"
        );
    } else {
        let (from, to) = (top + trace.home * LINE + 8, top + count * LINE);
        let _ = writeln!(
            out,
            "<path d=\"M24 {to} H12 V{from} H20\" fill=\"none\" stroke=\"#555\" stroke-width=\"2\"/>\n\
             <path d=\"M20 {} l8 4 l-8 4 z\" fill=\"#555\"/>\n\
             <text x=\"30\" y=\"{y}\">again from step {}, for ever</text>",
            from - 4,
            trace.home + 1
        );
    }
}

/// What a step does to the places that matter.
fn effect(trace: &Trace, i: usize) -> String {
    let seen = trace.steps[i].changes.iter().filter(|c| trace.needed[c.0]);
    let word = |&(p, before, after): &(usize, u32, u32)| match trace.is_net {
        true => format!("{} {before}\u{2192}{after}", trace.places[p]),
        false => format!("{} := {}", trace.places[p], trace.value(p, after)),
    };
    seen.map(word).collect::<Vec<String>>().join("   ")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(char::is_control, " ")
}
