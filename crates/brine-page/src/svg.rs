//! A net as SVG: inside of a page, or as a file of its own.
//!
//! What a page moves and colours has classes and the numbers of its node as `data-p` or `data-t`;
//! how it looks is said once, in `web/picture.css`.

use crate::data::{DrawnNet, Point};
use crate::drawing::{Drawing, DrawnArc, PLACE, TRANSITION, draw};
use crate::escape::text;
use serde::Serialize;
use std::fmt::Write;

pub(crate) const STYLE: &str = include_str!("web/picture.css");

/// How far tokens are from the middle of their place: up to five are drawn as dots.
pub(crate) const DOTS: [&[(i8, i8)]; 6] = [
    &[],
    &[(0, 0)],
    &[(-5, 0), (5, 0)],
    &[(0, -5), (-5, 5), (5, 5)],
    &[(-5, -5), (5, -5), (-5, 5), (5, 5)],
    &[(-7, -7), (7, -7), (0, 0), (-7, 7), (7, 7)],
];

/// Where the nodes of a drawing are; `null` if they are not drawn.
#[derive(Serialize, Debug)]
pub(crate) struct Spots {
    places: Vec<Option<(f64, f64)>>,
    transitions: Vec<Option<(f64, f64)>>,
    corners: [f64; 4],
}

impl Spots {
    pub(crate) fn new(net: &DrawnNet, drawing: &Drawing) -> Self {
        let spot = |p: &Option<Point>| p.map(|p| (tenth(p.x), tenth(p.y)));
        let (places, transitions) = drawing.points.split_at(net.places.len());
        let (low, high) = drawing.corners;
        Spots {
            places: places.iter().map(spot).collect(),
            transitions: transitions.iter().map(spot).collect(),
            corners: [low.x, low.y, high.x - low.x, high.y - low.y].map(tenth),
        }
    }
}

/// Rounded, so that the text is short.
fn tenth(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// The net with its first marking, as a file.
pub fn svg(net: &DrawnNet) -> String {
    let drawing = draw(net);
    let (low, high) = drawing.corners;
    let (width, height) = (tenth(high.x - low.x), tenth(high.y - low.y));
    let size = format!("width=\"{width}\" height=\"{height}\" ");
    let style = format!("<style>{STYLE}</style>");
    picture(net, &drawing, &size, &style)
}

/// The element, with attributes and with what comes first in it.
pub(crate) fn picture(net: &DrawnNet, drawing: &Drawing, attributes: &str, head: &str) -> String {
    let (low, high) = drawing.corners;
    let corners = [low.x, low.y, high.x - low.x, high.y - low.y].map(tenth);
    let [x, y, width, height] = corners;
    let name = text(&net.name);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"net\" {attributes}\
         viewBox=\"{x} {y} {width} {height}\"><title>{name}</title>{head}<g class=\"arcs\">\n"
    );
    let count = net.places.len();
    for arc in &drawing.arcs {
        if let (Some(p), Some(t)) =
            (drawing.points[arc.place], drawing.points[count + arc.transition])
        {
            write_arc(&mut out, arc, p, t);
        }
    }
    out.push_str("</g><g class=\"nodes\">\n");
    for (p, place) in net.places.iter().enumerate() {
        let Some(at) = drawing.points[p] else { continue };
        open_node(&mut out, "place", &format!("data-p=\"{p}\""), at, &place.label);
        let _ =
            write!(out, "<circle r=\"{PLACE}\"/><g class=\"tokens\">{}</g>", tokens(place.tokens));
        close_node(&mut out, drawing, p, at);
    }
    for (t, transition) in net.transitions.iter().enumerate() {
        let Some(at) = drawing.points[count + t] else { continue };
        open_node(&mut out, "transition", &format!("data-t=\"{t}\""), at, &transition.label);
        let (corner, side) = (-TRANSITION, 2.0 * TRANSITION);
        let _ = write!(
            out,
            "<rect x=\"{corner}\" y=\"{corner}\" width=\"{side}\" height=\"{side}\" rx=\"2\"/>"
        );
        close_node(&mut out, drawing, count + t, at);
    }
    out.push_str("</g><g class=\"moving\"></g></svg>\n");
    out
}

fn open_node(out: &mut String, class: &str, number: &str, at: Point, label: &str) {
    let (x, y) = (tenth(at.x), tenth(at.y));
    let label = text(label);
    let _ = write!(
        out,
        "<g class=\"{class}\" {number} transform=\"translate({x} {y})\"><title>{label}</title>"
    );
}

fn close_node(out: &mut String, drawing: &Drawing, node: usize, at: Point) {
    if let Some(label) = &drawing.labels[node] {
        let class = if label.is_crowded { "label crowded" } else { "label" };
        let x = tenth((label.low.x + label.high.x) / 2.0 - at.x);
        let y = tenth(label.high.y - 3.0 - at.y);
        let words = text(&label.text);
        let _ = write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{words}</text>");
    }
    out.push_str("</g>\n");
}

/// The tokens of a place around its middle: dots, or their number.
fn tokens(count: u32) -> String {
    match DOTS.get(count as usize) {
        Some(dots) => {
            dots.iter().map(|(x, y)| format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3.7\"/>")).collect()
        }
        None => format!("<text class=\"count\" y=\"4\">{}</text>", short_count(count)),
    }
}

/// A number that fits into a place.
fn short_count(count: u32) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=999_999 => format!("{}k", count / 1_000),
        _ => format!("{}M", count / 1_000_000),
    }
}

fn write_arc(out: &mut String, arc: &DrawnArc, place: Point, transition: Point) {
    let (dx, dy) = (transition.x - place.x, transition.y - place.y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-6);
    let (ux, uy) = (dx / length, dy / length);
    let middle = arc.middle(place, transition);
    let at_place = edge(place, middle, |_| PLACE);
    // A square is met where the larger part of the direction is used up.
    let at_transition =
        edge(transition, middle, |(x, y)| TRANSITION / x.abs().max(y.abs()).max(1e-6));
    let (from, to) = if arc.takes { (at_place, at_transition) } else { (at_transition, at_place) };
    let _ = write!(
        out,
        "<g class=\"arc{}{}\" data-p=\"{}\" data-t=\"{}\"><path d=\"M{} {}Q{} {} {} {}\"/>",
        if arc.takes { " takes" } else { "" },
        if arc.puts { " puts" } else { "" },
        arc.place,
        arc.transition,
        tenth(from.x),
        tenth(from.y),
        tenth(middle.x),
        tenth(middle.y),
        tenth(to.x),
        tenth(to.y)
    );
    write_head(out, middle, to);
    if arc.takes && arc.puts {
        write_head(out, middle, from);
    }
    if arc.weight > 1 {
        let side = if arc.bend < 0.0 { -9.0 } else { 9.0 };
        let half = |own: f64, ends: f64| (own + ends / 2.0) / 2.0;
        let x = tenth(half(middle.x, place.x + transition.x) - uy * side);
        let y = tenth(half(middle.y, place.y + transition.y) + ux * side + 4.0);
        let _ = write!(out, "<text class=\"weight\" x=\"{x}\" y=\"{y}\">{}</text>", arc.weight);
    }
    out.push_str("</g>\n");
}

/// Where a line from the middle of a node towards a point leaves it.
fn edge(node: Point, towards: Point, size: impl Fn((f64, f64)) -> f64) -> Point {
    let (dx, dy) = (towards.x - node.x, towards.y - node.y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-6);
    let (ux, uy) = (dx / length, dy / length);
    let far = size((ux, uy)) + 1.5;
    Point { x: node.x + ux * far, y: node.y + uy * far }
}

/// The head of an arrow that comes from a point.
fn write_head(out: &mut String, from: Point, tip: Point) {
    let (dx, dy) = (tip.x - from.x, tip.y - from.y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-6);
    let (ux, uy) = (dx / length, dy / length);
    let (long, wide) = (8.0, 3.6);
    let base = Point { x: tip.x - ux * long, y: tip.y - uy * long };
    let _ = write!(
        out,
        "<path class=\"head\" d=\"M{} {}L{} {}L{} {}z\"/>",
        tenth(tip.x),
        tenth(tip.y),
        tenth(base.x - uy * wide),
        tenth(base.y + ux * wide),
        tenth(base.x + uy * wide),
        tenth(base.y - ux * wide)
    );
}
