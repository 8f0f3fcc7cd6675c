//! An automaton as a picture: states in a row, edges as arcs above it (to the right) and below it
//! (to the left), each with its label; loops sit on their state.
//!
//! Edges between the same two states share an arc, their labels stand below each other. An arc is as
//! high as it is wide, so arcs over others are higher. Cost: edges times their labels.

use crate::Automaton;
use std::collections::BTreeMap;
use std::fmt::Write;

const GAP: usize = 150;
const RADIUS: usize = 18;
const LINE: usize = 15;
/// The most that an arc rises.
const HIGHEST: usize = 220;

impl Automaton {
    /// The automaton as a picture. The state with an arrow from nowhere is where it begins; a
    /// number in braces is an acceptance set that the edge is in.
    ///
    /// ```
    /// let automaton = brine::automaton("a U b", brine::Acceptance::Generalised)?;
    /// assert!(automaton.svg().starts_with("<svg"));
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn svg(&self) -> String {
        let mut labels: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for edge in &self.edges {
            let sets: Vec<String> = edge.sets.iter().map(usize::to_string).collect();
            let sets =
                if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(",")) };
            labels.entry((edge.from, edge.to)).or_default().push(format!("{}{sets}", edge.label));
        }
        let lines = labels.values().map(Vec::len).max().unwrap_or(0);
        let reach = labels.keys().map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        let widest = labels.values().flatten().map(|l| l.chars().count()).max().unwrap_or(0);
        // A label is as wide as its letters; states stand so far apart that loops do not meet.
        let gap = GAP.max(widest * 7 + 20);
        let above = rise(reach, gap).max(50) + lines * LINE + 20;
        let below = rise(reach, gap) + lines * LINE + 30;
        let (width, height) = (self.states * gap + 60, above + below);
        let at = |q: usize| 60 + q * gap + gap / 4;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
             <path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let y = above;
        let start = at(self.initial);
        let (from, to) = (start - RADIUS - 25, start - RADIUS);
        line(&mut out, &format!("M{from} {y}L{to} {y}"));
        for (&(a, b), texts) in &labels {
            arc(&mut out, (at(a), at(b)), y, rise(a.abs_diff(b), gap), texts);
        }
        for q in 0..self.states {
            let x = at(q);
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"#eef3fb\" stroke=\"black\"/>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{q}</text>",
                y + 5
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// How high an arc over so many states rises.
fn rise(states: usize, gap: usize) -> usize {
    match states {
        0 => 0,
        1 => 30,
        n => (30 + (n - 1) * gap / 4).min(HIGHEST),
    }
}

fn line(out: &mut String, path: &str) {
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"black\" marker-end=\"url(#tip)\"/>"
    );
}

/// An edge between two places of the row, with its labels.
fn arc(out: &mut String, (from, to): (usize, usize), y: usize, rise: usize, texts: &[String]) {
    let (middle, first) = match from.cmp(&to) {
        std::cmp::Ordering::Equal => {
            let (a, b, top) = (from - 10, from + 10, y - RADIUS - 34);
            let base = y - 15;
            line(out, &format!("M{a} {base}C{} {top} {} {top} {b} {base}", a - 16, b + 16));
            (from, y - RADIUS - 30 - (texts.len() - 1) * LINE)
        }
        std::cmp::Ordering::Less => {
            let (a, b, top) = (from + 13, to - 13, y - 13 - 2 * rise);
            line(out, &format!("M{a} {}Q{} {top} {b} {}", y - 13, (a + b) / 2, y - 13));
            ((a + b) / 2, y - 18 - rise - (texts.len() - 1) * LINE)
        }
        std::cmp::Ordering::Greater => {
            let (a, b, low) = (from - 13, to + 13, y + 13 + 2 * rise);
            line(out, &format!("M{a} {}Q{} {low} {b} {}", y + 13, (a + b) / 2, y + 13));
            ((a + b) / 2, y + 13 + rise + LINE)
        }
    };
    for (i, text) in texts.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            first + i * LINE,
            escape(text)
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
