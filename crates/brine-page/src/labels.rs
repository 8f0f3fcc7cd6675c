//! What is written beside each node, and where.
//!
//! Long names are shortened in the middle; the whole name is told on pointing at the node. A label
//! stands below, above, right or left of its node, where it covers least: nodes count most, then
//! other labels, then arcs. It is greedy, node by node, those with the fewest neighbours last,
//! because they have room. A label that would still cover something is *crowded*: it is only
//! shown on demand. Cost: nodes times nodes and arcs.

use crate::data::{DrawnNet, Point};
use crate::drawing::{DrawnArc, PLACE, TRANSITION, curve};

/// Characters of a label.
const LONGEST: usize = 18;
/// Width of a character, and height of a line.
const CHARACTER: f64 = 6.3;
const LINE: f64 = 13.0;
/// Bent arcs are taken for so many straight lines.
const PARTS: usize = 6;

/// A label: its text and the rectangle around it.
#[derive(Clone, Debug)]
pub(crate) struct NodeLabel {
    pub(crate) text: String,
    pub(crate) low: Point,
    pub(crate) high: Point,
    /// Whether it covers something.
    pub(crate) is_crowded: bool,
}

impl NodeLabel {
    fn area_shared(&self, low: Point, high: Point) -> f64 {
        let width = self.high.x.min(high.x) - self.low.x.max(low.x);
        let height = self.high.y.min(high.y) - self.low.y.max(low.y);
        width.max(0.0) * height.max(0.0)
    }

    fn is_crossed(&self, a: Point, b: Point) -> bool {
        if a.x.max(b.x) < self.low.x || a.x.min(b.x) > self.high.x {
            return false;
        }
        if a.y.max(b.y) < self.low.y || a.y.min(b.y) > self.high.y {
            return false;
        }
        // The corners are not all on one side of the line.
        let side = |x: f64, y: f64| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        let sides = [
            side(self.low.x, self.low.y),
            side(self.low.x, self.high.y),
            side(self.high.x, self.low.y),
            side(self.high.x, self.high.y),
        ];
        sides.iter().any(|&s| s > 0.0) && sides.iter().any(|&s| s < 0.0)
    }
}

/// A name of at most [`LONGEST`] characters.
pub(crate) fn shortened(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let count = clean.chars().count();
    if count <= LONGEST {
        return clean;
    }
    let head: String = clean.chars().take(LONGEST / 2).collect();
    let tail: String = clean.chars().skip(count - (LONGEST - 1 - LONGEST / 2)).collect();
    format!("{head}\u{2026}{tail}")
}

/// Labels for all nodes that are drawn.
pub(crate) fn place_labels(
    net: &DrawnNet,
    points: &[Option<Point>],
    arcs: &[DrawnArc],
) -> Vec<Option<NodeLabel>> {
    let places = net.places.len();
    let size = |n: usize| if n < places { PLACE } else { TRANSITION };
    let mut degree = vec![0_usize; points.len()];
    let mut lines = Vec::with_capacity(arcs.len());
    for arc in arcs {
        let t = places + arc.transition;
        degree[arc.place] += 1;
        degree[t] += 1;
        if let (Some(a), Some(b)) = (points[arc.place], points[t]) {
            let middle = arc.middle(a, b);
            let part = |i: usize| curve(a, middle, b, i as f64 / PARTS as f64);
            lines.extend((0..PARTS).map(|i| (part(i), part(i + 1))));
        }
    }
    let mut order: Vec<usize> = (0..points.len()).filter(|&n| points[n].is_some()).collect();
    order.sort_by_key(|&n| usize::MAX - degree[n]);
    let mut labels: Vec<Option<NodeLabel>> = vec![None; points.len()];
    for n in order {
        let Some(at) = points[n] else { continue };
        let name = match n < places {
            true => &net.places[n].label,
            false => &net.transitions[n - places].label,
        };
        let text = shortened(name);
        let mut best: Option<(f64, f64, NodeLabel)> = None;
        for (i, label) in candidates(&text, at, size(n)).into_iter().enumerate() {
            let mut covered = 0.0;
            for (m, p) in points.iter().enumerate() {
                let Some(p) = p.filter(|_| m != n) else { continue };
                let r = size(m) + 1.0;
                let low = Point { x: p.x - r, y: p.y - r };
                covered += 2.0 * label.area_shared(low, Point { x: p.x + r, y: p.y + r });
            }
            let others = labels.iter().flatten().filter(|l| !l.is_crowded);
            covered += others.map(|l| label.area_shared(l.low, l.high)).sum::<f64>();
            let crossed = lines.iter().filter(|(a, b)| label.is_crossed(*a, *b)).count();
            let cost = covered + 60.0 * crossed as f64 + i as f64;
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, covered, label));
            }
        }
        labels[n] =
            best.map(|(_, covered, label)| NodeLabel { is_crowded: covered > 25.0, ..label });
    }
    labels
}

/// Below, above, right, left, and at the corners.
fn candidates(text: &str, at: Point, size: f64) -> Vec<NodeLabel> {
    let width = text.chars().count().max(1) as f64 * CHARACTER;
    let (half, gap) = (width / 2.0, size + 2.0);
    let corner = size * 0.75 + 2.0;
    let spots = [
        (-half, gap),
        (-half, -gap - LINE),
        (gap + 2.0, -LINE / 2.0),
        (-gap - 2.0 - width, -LINE / 2.0),
        (corner, corner),
        (corner, -corner - LINE),
        (-corner - width, corner),
        (-corner - width, -corner - LINE),
    ];
    let label = |(dx, dy): (f64, f64)| NodeLabel {
        text: text.to_owned(),
        low: Point { x: at.x + dx, y: at.y + dy },
        high: Point { x: at.x + dx + width, y: at.y + dy + LINE },
        is_crowded: false,
    };
    spots.into_iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("fork_3"), "fork_3");
        let short = shortened("Philosopher_17_takes_left_fork_3");
        assert_eq!((short.chars().count(), short.as_str()), (LONGEST, "Philosoph\u{2026}t_fork_3"));
        assert_eq!(shortened("a\nb"), "a b");
    }

    #[test]
    fn a_label_knows_which_lines_cross_it() {
        let label = &candidates("abcd", Point::default(), 10.0)[0];
        let at = |x, y| Point { x, y };
        assert!(label.is_crossed(at(0.0, 0.0), at(0.0, 90.0)));
        assert!(!label.is_crossed(at(0.0, 0.0), at(90.0, 0.0)));
        assert!(!label.is_crossed(at(-90.0, 12.0), at(0.0, 90.0)));
    }
}
