//! Where everything is: nodes, arcs, labels.
//!
//! The editor's positions are taken if all nodes that are drawn have one and no more than a few
//! share it; they are scaled so that neighbours are a readable distance apart, and nodes that would
//! cover each other are pushed apart. Otherwise [`layout`] says where nodes are.

use crate::data::{DrawnNet, Point};
use crate::labels::{NodeLabel, place_labels};
use crate::layout::{Neighbours, layout};
use crate::part::{drawn, graph_of};
use crate::spread::spread;

/// Half the width of a place.
pub(crate) const PLACE: f64 = 16.0;
/// Half the width of a transition.
pub(crate) const TRANSITION: f64 = 12.0;
/// Nearest neighbours are about so far apart.
const NEAR: (f64, f64) = (62.0, 110.0);

/// How far arcs there and back are from the line between their ends.
const BESIDE: f64 = 16.0;
/// Arcs keep so far from the middle of nodes that are not theirs.
const CLEAR: f64 = PLACE + 3.0;

/// An arc, or two that read a place.
#[derive(Debug)]
pub(crate) struct DrawnArc {
    pub(crate) place: usize,
    pub(crate) transition: usize,
    /// From the place to the transition, from the transition to the place.
    pub(crate) takes: bool,
    pub(crate) puts: bool,
    pub(crate) weight: u32,
    /// How far its middle is beside the straight line, to the right as seen from the place.
    pub(crate) bend: f64,
}

impl DrawnArc {
    /// The point that the arc is drawn towards from both ends.
    pub(crate) fn middle(&self, place: Point, transition: Point) -> Point {
        let (dx, dy) = (transition.x - place.x, transition.y - place.y);
        let length = (dx * dx + dy * dy).sqrt().max(1e-6);
        Point {
            x: (place.x + transition.x) / 2.0 - dy / length * self.bend,
            y: (place.y + transition.y) / 2.0 + dx / length * self.bend,
        }
    }
}

/// A drawing of a net.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// Of places, then of transitions; none of what is not drawn.
    pub(crate) points: Vec<Option<Point>>,
    /// The same for labels.
    pub(crate) labels: Vec<Option<NodeLabel>>,
    pub(crate) arcs: Vec<DrawnArc>,
    /// Upper left and lower right corner.
    pub(crate) corners: (Point, Point),
}

impl Drawing {
    /// How many nodes are drawn.
    pub(crate) fn count(&self) -> usize {
        self.points.iter().flatten().count()
    }
}

/// Draws a net.
pub(crate) fn draw(net: &DrawnNet) -> Drawing {
    let graph = graph_of(net);
    let nodes = drawn(net, &graph);
    let own = positions(net, &graph, &nodes);
    let mut points = vec![None; graph.len()];
    nodes.iter().zip(own).for_each(|(&n, p)| points[n] = Some(p));
    let mut arcs = arcs_of(net, &points);
    go_around(&mut arcs, net.places.len(), &points);
    let labels = place_labels(net, &points, &arcs);
    let corners = corners(&points, &labels);
    Drawing { points, labels, arcs, corners }
}

fn positions(net: &DrawnNet, graph: &Neighbours, nodes: &[usize]) -> Vec<Point> {
    let places = net.places.len();
    let given = |&n: &usize| match n < places {
        true => net.places[n].at,
        false => net.transitions[n - places].at,
    };
    let given: Option<Vec<Point>> = nodes.iter().map(given).collect();
    if let Some(points) = given.and_then(scaled) {
        return points;
    }
    let mut number = vec![usize::MAX; graph.len()];
    nodes.iter().enumerate().for_each(|(i, &n)| number[n] = i);
    let within = |&n: &usize| {
        let drawn = graph[n].iter().map(|&m| number[m]).filter(|&m| m != usize::MAX);
        drawn.collect()
    };
    let mut points = layout(&nodes.iter().map(within).collect());
    tokens_to_the_left(net, nodes, &mut points);
    points
}

/// Positions of an editor, with nodes at a readable distance; none if many are in one point.
fn scaled(mut points: Vec<Point>) -> Option<Vec<Point>> {
    if points.iter().any(|p| !p.x.is_finite() || !p.y.is_finite()) {
        return None;
    }
    let mut nearest: Vec<f64> = (0..points.len())
        .map(|a| {
            let others = points.iter().enumerate().filter(|&(b, _)| b != a);
            let far = others.map(|(_, q)| square(points[a], *q)).fold(f64::MAX, f64::min);
            far.sqrt()
        })
        .collect();
    nearest.sort_unstable_by(f64::total_cmp);
    let stacked = nearest.iter().filter(|&&far| far < 1.0).count();
    if stacked * 10 > points.len() {
        return None;
    }
    let usual = nearest.get(nearest.len() / 2).copied().filter(|&far| far < 1e12).unwrap_or(1.0);
    let factor = usual.clamp(NEAR.0, NEAR.1) / usual.max(1e-6);
    for p in &mut points {
        *p = Point { x: p.x * factor, y: p.y * factor };
    }
    spread(&mut points, 2.0 * PLACE + 6.0);
    Some(points)
}

fn square(a: Point, b: Point) -> f64 {
    (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
}

/// Mirrors the drawing if the marked places are on the right: one reads from the left.
fn tokens_to_the_left(net: &DrawnNet, nodes: &[usize], points: &mut [Point]) {
    let mean = |chosen: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = chosen.fold((0.0, 0.0), |(s, n), x| (s + x, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let marked = |&n: &usize| n < net.places.len() && net.places[n].tokens > 0;
    let all = mean(&mut points.iter().map(|p| p.x));
    let tokens = nodes.iter().zip(points.iter()).filter(|(n, _)| marked(n));
    let tokens = mean(&mut tokens.map(|(_, p)| p.x));
    if tokens > all + 1.0 {
        points.iter_mut().for_each(|p| p.x = 2.0 * all - p.x);
    }
}

fn arcs_of(net: &DrawnNet, points: &[Option<Point>]) -> Vec<DrawnArc> {
    let places = net.places.len();
    let mut arcs = Vec::new();
    for (t, transition) in net.transitions.iter().enumerate() {
        if points[places + t].is_none() {
            continue;
        }
        let arc = |place, weight, takes: bool, puts, bent: bool| DrawnArc {
            place,
            transition: t,
            takes,
            puts,
            weight,
            bend: [0.0, if takes { BESIDE } else { -BESIDE }][usize::from(bent)],
        };
        for &(p, weight) in transition.takes.iter().filter(|a| points[a.0].is_some()) {
            let back = transition.puts.iter().find(|a| a.0 == p);
            let same = back.is_some_and(|a| a.1 == weight);
            arcs.push(arc(p, weight, true, same, back.is_some() && !same));
        }
        for &(p, weight) in transition.puts.iter().filter(|a| points[a.0].is_some()) {
            let back = transition.takes.iter().find(|a| a.0 == p);
            if back.is_none_or(|a| a.1 != weight) {
                arcs.push(arc(p, weight, false, true, back.is_some()));
            }
        }
    }
    arcs
}

/// Bends arcs that would run through nodes: to the side where they need to bend least.
fn go_around(arcs: &mut [DrawnArc], places: usize, points: &[Option<Point>]) {
    for arc in arcs.iter_mut().filter(|a| a.bend == 0.0) {
        let (from, to) = (arc.place, places + arc.transition);
        let (Some(a), Some(b)) = (points[from], points[to]) else { continue };
        let reach = square(a, b).sqrt() / 2.0 + PLACE + 80.0;
        let centre = Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 };
        let near: Vec<Point> = points
            .iter()
            .enumerate()
            .filter(|&(n, _)| n != from && n != to)
            .filter_map(|(_, p)| p.filter(|&p| square(p, centre) < reach * reach))
            .collect();
        let hits = |bend: f64| {
            let middle = DrawnArc { bend, ..*arc }.middle(a, b);
            let hit = |p: &&Point| {
                (1..16)
                    .any(|i| square(**p, curve(a, middle, b, f64::from(i) / 16.0)) < CLEAR * CLEAR)
            };
            near.iter().filter(hit).count()
        };
        let bends = [0.0, 30.0, -30.0, 55.0, -55.0, 80.0, -80.0];
        // The first of the least.
        let best = bends
            .into_iter()
            .map(|bend| (hits(bend), bend))
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        arc.bend = best.map_or(0.0, |b| b.1);
    }
}

/// A point of the curve that leaves `a` and reaches `b` in the direction of `middle`.
pub(crate) fn curve(a: Point, middle: Point, b: Point, at: f64) -> Point {
    let (u, v, w) = ((1.0 - at) * (1.0 - at), 2.0 * at * (1.0 - at), at * at);
    Point { x: u * a.x + v * middle.x + w * b.x, y: u * a.y + v * middle.y + w * b.y }
}

fn corners(points: &[Option<Point>], labels: &[Option<NodeLabel>]) -> (Point, Point) {
    let mut low = Point { x: f64::MAX, y: f64::MAX };
    let mut high = Point { x: f64::MIN, y: f64::MIN };
    let mut add = |x: f64, y: f64| {
        low = Point { x: low.x.min(x), y: low.y.min(y) };
        high = Point { x: high.x.max(x), y: high.y.max(y) };
    };
    for p in points.iter().flatten() {
        add(p.x - PLACE, p.y - PLACE);
        add(p.x + PLACE, p.y + PLACE);
    }
    for label in labels.iter().flatten().filter(|l| !l.is_crowded) {
        add(label.low.x, label.low.y);
        add(label.high.x, label.high.y);
    }
    if low.x > high.x {
        (low, high) = (Point::default(), Point::default());
    }
    let margin = 14.0;
    (
        Point { x: low.x - margin, y: low.y - margin },
        Point { x: high.x + margin, y: high.y + margin },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DrawnPlace, DrawnTransition};

    fn chain(n: usize, at: impl Fn(usize) -> Option<Point>) -> DrawnNet {
        let place = |i: usize| DrawnPlace {
            id: format!("p{i}"),
            label: format!("p{i}"),
            tokens: u32::from(i == 0),
            at: at(i),
        };
        let transition = |i: usize| DrawnTransition {
            id: format!("t{i}"),
            label: format!("t{i}"),
            takes: vec![(i, 1)],
            puts: vec![((i + 1) % n, 1)],
            at: at(n + i),
        };
        DrawnNet {
            places: (0..n).map(place).collect(),
            transitions: (0..n).map(transition).collect(),
            is_whole: true,
            ..DrawnNet::default()
        }
    }

    #[test]
    fn the_editor_is_followed_unless_it_put_everything_in_one_point() {
        let line = |i: usize| Some(Point { x: 10.0 * i as f64, y: 0.0 });
        let drawing = draw(&chain(5, line));
        let points: Vec<Point> = drawing.points.iter().flatten().copied().collect();
        assert!(points.iter().all(|p| (p.y - points[0].y).abs() < 1e-6), "{points:?}");
        let apart = points[1].x - points[0].x;
        assert!(apart >= NEAR.0 - 1e-6);
        assert!(points.windows(2).all(|w| (w[1].x - w[0].x - apart).abs() < 1e-6));
        // One missing, all in one point, no numbers: laid out.
        let laid_out = draw(&chain(5, |_| None)).points;
        assert_eq!(draw(&chain(5, |i| line(i).filter(|_| i != 3))).points, laid_out);
        assert_eq!(draw(&chain(5, |_| Some(Point::default()))).points, laid_out);
        let nan = |i| line(i).map(|p| Point { x: f64::NAN, ..p });
        assert_eq!(draw(&chain(5, nan)).points, laid_out);
    }

    #[test]
    fn of_a_large_net_what_is_near_the_tokens_is_drawn() {
        let drawing = draw(&chain(400, |_| None));
        assert_eq!(drawing.count(), crate::DRAWN);
        assert!(drawing.points[0].is_some() && drawing.points[200].is_none());
        let part = DrawnNet { is_whole: false, ..chain(400, |_| None) };
        assert_eq!(draw(&part).count(), 800);
    }

    #[test]
    fn an_arc_bends_around_a_node_in_its_way() {
        let spots = [(0.0, 0.0), (60.0, 0.0), (120.0, 0.0), (60.0, 300.0)];
        let mut net = chain(2, |i| Some(Point { x: spots[i].0, y: spots[i].1 }));
        net.transitions[0].takes = vec![(0, 1)];
        net.transitions[0].puts = vec![];
        net.transitions[1].takes = vec![(1, 1)];
        let drawing = draw(&net);
        let bend = |t: usize| drawing.arcs.iter().find(|a| a.transition == t).map(|a| a.bend);
        assert!(bend(0).is_some_and(|b| b != 0.0), "p1 is in the way");
        assert_eq!(bend(1), Some(0.0));
    }

    #[test]
    fn a_place_that_is_read_has_one_arc_and_other_loops_two() {
        let mut net = chain(2, |_| None);
        net.transitions[0] = DrawnTransition {
            takes: vec![(0, 1), (1, 2)],
            puts: vec![(0, 1), (1, 3)],
            ..net.transitions[0].clone()
        };
        let arcs = arcs_of(&net, &[Some(Point::default()); 4]);
        let of_first: Vec<_> = arcs
            .iter()
            .filter(|a| a.transition == 0)
            .map(|a| (a.place, a.takes, a.puts, a.weight, a.bend != 0.0))
            .collect();
        let wanted =
            [(0, true, true, 1, false), (1, true, false, 2, true), (1, false, true, 3, true)];
        assert_eq!(of_first, wanted);
    }
}
