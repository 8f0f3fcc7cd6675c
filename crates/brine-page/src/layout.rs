//! Where the nodes of a graph are drawn, if no editor said so.
//!
//! Stress: the distance of two nodes in the drawing should be that in the graph, counted in
//! arcs. Rings become rings, chains become lines, and equal parts look equal, which layers from
//! top to bottom do not give for nets, most of which are cyclic. The stress is made small as in
//! "Graph Drawing by Stochastic Gradient Descent" (Zheng, Pawar, Goodman 2018): pairs of nodes
//! are moved towards their distance one pair at a time, in mixed order, with steps that become
//! smaller each round. Pieces of the graph that hang together are drawn by themselves, turned
//! so that they lie flat, and put side by side.
//!
//! Deterministic: the numbers that mix the pairs come from a fixed start, and only operations
//! that every machine rounds in the same way are used. Cost: rounds times pairs; of a piece with
//! more than [`MANY`] nodes, only the distances to [`PIVOTS`] of them, and between neighbours,
//! are kept.

use crate::data::Point;
use std::collections::VecDeque;

/// Length of an arc.
pub(crate) const ARC: f64 = 78.0;
/// Rounds; with the first and the last step given, the others follow by square roots alone.
const ROUNDS: usize = 33;
/// Up to so many nodes all pairs count.
const MANY: usize = 900;
/// Nodes to which all distances count, in larger graphs.
const PIVOTS: usize = 60;
/// Space between pieces.
const GAP: f64 = 90.0;
/// Nodes are at least so far apart.
const LEAST: f64 = 52.0;

/// A graph: the neighbours of each node.
pub(crate) type Neighbours = Vec<Vec<usize>>;

/// A point for each node.
pub(crate) fn layout(graph: &Neighbours) -> Vec<Point> {
    let mut points = vec![Point::default(); graph.len()];
    let mut pieces: Vec<(Vec<usize>, Vec<Point>)> = Vec::new();
    for nodes in pieces_of(graph) {
        let mut own = stress(graph, &nodes);
        flatten(&mut own);
        crate::spread::spread(&mut own, LEAST);
        pieces.push((nodes, own));
    }
    pack(&mut pieces);
    for (nodes, own) in pieces {
        nodes.iter().zip(own).for_each(|(&n, p)| points[n] = p);
    }
    points
}

/// The nodes of each connected piece, the largest piece first.
fn pieces_of(graph: &Neighbours) -> Vec<Vec<usize>> {
    let mut seen = vec![false; graph.len()];
    let mut pieces = Vec::new();
    for first in 0..graph.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut piece = vec![first];
        let mut at = 0;
        while at < piece.len() {
            for &next in &graph[piece[at]] {
                if !std::mem::replace(&mut seen[next], true) {
                    piece.push(next);
                }
            }
            at += 1;
        }
        pieces.push(piece);
    }
    pieces.sort_by_key(|piece| usize::MAX - piece.len());
    pieces
}

/// Two nodes of a piece that should be so many arcs apart.
struct Pair {
    a: usize,
    b: usize,
    distance: f64,
    /// Whether a counts for both, or b is a pivot and only a moves.
    both: bool,
}

/// Points for the nodes of a connected piece, by their order in it.
fn stress(graph: &Neighbours, nodes: &[usize]) -> Vec<Point> {
    let mut random = Mixer(0x9E37_79B9_7F4A_7C15);
    // Breadth first from some node: neighbours begin near each other.
    let side = (nodes.len() as f64).sqrt();
    let mut points: Vec<Point> =
        nodes.iter().map(|_| Point { x: random.unit() * side, y: random.unit() * side }).collect();
    let mut pairs = pairs_of(graph, nodes);
    let longest = pairs.iter().map(|p| p.distance).fold(1.0, f64::max);
    let (mut step, last) = (longest * longest, 0.1);
    // The 32nd root.
    let shrink = (0..5).fold(last / step, |x: f64, _| x.sqrt());
    for _ in 0..ROUNDS {
        random.shuffle(&mut pairs);
        for pair in &pairs {
            let share = (step / (pair.distance * pair.distance)).min(1.0);
            move_pair(&mut points, pair, share);
        }
        step *= shrink;
    }
    points.iter().map(|p| Point { x: p.x * ARC, y: p.y * ARC }).collect()
}

/// Moves a pair so that a share of what its distance is wrong by goes away.
fn move_pair(points: &mut [Point], pair: &Pair, share: f64) {
    let (a, b) = (points[pair.a], points[pair.b]);
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1e-9 {
        points[pair.a].x += 0.01;
        return;
    }
    let both = if pair.both { 0.5 } else { 1.0 };
    let factor = share * both * (pair.distance - length) / length;
    points[pair.a] = Point { x: a.x + dx * factor, y: a.y + dy * factor };
    if pair.both {
        points[pair.b] = Point { x: b.x - dx * factor, y: b.y - dy * factor };
    }
}

fn pairs_of(graph: &Neighbours, nodes: &[usize]) -> Vec<Pair> {
    let mut number = vec![usize::MAX; graph.len()];
    nodes.iter().enumerate().for_each(|(i, &n)| number[n] = i);
    let distances = |from: usize| {
        let mut far = vec![0_u32; nodes.len()];
        let mut queue = VecDeque::from([from]);
        far[from] = 1;
        while let Some(a) = queue.pop_front() {
            for &next in &graph[nodes[a]] {
                let b = number[next];
                if far[b] == 0 {
                    far[b] = far[a] + 1;
                    queue.push_back(b);
                }
            }
        }
        far
    };
    let mut pairs = Vec::new();
    if nodes.len() <= MANY {
        for a in 0..nodes.len() {
            let far = distances(a);
            let later = (a + 1..nodes.len()).map(|b| (b, f64::from(far[b] - 1)));
            pairs.extend(later.map(|(b, distance)| Pair { a, b, distance, both: true }));
        }
        return pairs;
    }
    // Pivots far from each other: the next one is a node farthest from all before.
    let mut nearest = vec![u32::MAX; nodes.len()];
    let mut pivot = 0;
    for _ in 0..PIVOTS {
        let far = distances(pivot);
        for a in (0..nodes.len()).filter(|&a| a != pivot) {
            pairs.push(Pair { a, b: pivot, distance: f64::from(far[a] - 1), both: false });
        }
        nearest.iter_mut().zip(&far).for_each(|(n, &f)| *n = (*n).min(f));
        pivot = (0..nodes.len()).max_by_key(|&a| (nearest[a], usize::MAX - a)).unwrap_or(0);
    }
    for (a, &node) in nodes.iter().enumerate() {
        let later = graph[node].iter().map(|&n| number[n]).filter(|&b| b > a);
        pairs.extend(later.map(|b| Pair { a, b, distance: 1.0, both: true }));
    }
    pairs
}

/// Turns the points so that they are as wide as they can be, and begin at 0.
fn flatten(points: &mut [Point]) {
    let count = points.len() as f64;
    let mean = points
        .iter()
        .fold(Point::default(), |m, p| Point { x: m.x + p.x / count, y: m.y + p.y / count });
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for p in points.iter() {
        let (x, y) = (p.x - mean.x, p.y - mean.y);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    // The longer axis of the ellipse with these moments.
    let half = (xx - yy) / 2.0;
    let root = (half * half + xy * xy).sqrt();
    let (mut cos, mut sin) = (half + root, xy);
    let length = (cos * cos + sin * sin).sqrt();
    (cos, sin) = if length > 1e-6 { (cos / length, sin / length) } else { (1.0, 0.0) };
    if length <= 1e-6 && yy > xx {
        (cos, sin) = (0.0, 1.0);
    }
    for p in points.iter_mut() {
        let (x, y) = (p.x - mean.x, p.y - mean.y);
        *p = Point { x: x * cos + y * sin, y: y * cos - x * sin };
    }
}

/// Puts pieces side by side, in rows about as long as the widest piece or a wide page.
fn pack(pieces: &mut [(Vec<usize>, Vec<Point>)]) {
    let extent = |points: &[Point]| {
        let low = points.iter().fold(Point { x: f64::MAX, y: f64::MAX }, |l, p| Point {
            x: l.x.min(p.x),
            y: l.y.min(p.y),
        });
        let high = points.iter().fold(Point { x: f64::MIN, y: f64::MIN }, |h, p| Point {
            x: h.x.max(p.x),
            y: h.y.max(p.y),
        });
        (low, high)
    };
    let extents: Vec<(Point, Point)> = pieces.iter().map(|(_, p)| extent(p)).collect();
    let area: f64 = extents.iter().map(|(l, h)| (h.x - l.x + GAP) * (h.y - l.y + GAP)).sum::<f64>();
    let widest = extents.iter().map(|(l, h)| h.x - l.x + GAP).fold(0.0, f64::max);
    let row = widest.max((area * 1.8).sqrt());
    let (mut x, mut y, mut tall) = (0.0, 0.0, 0.0_f64);
    for ((_, points), (low, high)) in pieces.iter_mut().zip(&extents) {
        let (width, height) = (high.x - low.x + GAP, high.y - low.y + GAP);
        if x > 0.0 && x + width > row + 1.0 {
            (x, y, tall) = (0.0, y + tall, 0.0);
        }
        for p in points.iter_mut() {
            *p = Point { x: p.x - low.x + x, y: p.y - low.y + y };
        }
        x += width;
        tall = tall.max(height);
    }
}

/// Xorshift: enough to mix pairs.
struct Mixer(u64);

impl Mixer {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = (self.next() % (i as u64 + 1)) as usize;
            items.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(n: usize) -> Neighbours {
        (0..n).map(|i| vec![(i + n - 1) % n, (i + 1) % n]).collect()
    }

    fn far(a: Point, b: Point) -> f64 {
        ((a.x - b.x).powi(2) + (a.y - b.y).powi(2)).sqrt()
    }

    #[test]
    fn a_ring_is_drawn_as_a_ring() {
        let points = layout(&ring(12));
        let mean = points
            .iter()
            .fold(Point::default(), |m, p| Point { x: m.x + p.x / 12.0, y: m.y + p.y / 12.0 });
        let radii: Vec<f64> = points.iter().map(|&p| far(p, mean)).collect();
        let (low, high) = (
            radii.iter().copied().fold(f64::MAX, f64::min),
            radii.iter().copied().fold(0.0, f64::max),
        );
        assert!(high < 1.25 * low, "{radii:?}");
    }

    #[test]
    fn nodes_keep_their_distance_in_small_and_large_graphs() {
        for n in [1, 2, 7, 60, 1200] {
            let mut graph = ring(n);
            graph.iter_mut().for_each(Vec::dedup);
            if n == 1 {
                graph = vec![Vec::new()];
            }
            let points = layout(&graph);
            for a in 0..n {
                for b in 0..a {
                    assert!(far(points[a], points[b]) > LEAST * 0.8, "{n}: {a} and {b}");
                }
            }
            assert_eq!(points, layout(&graph), "deterministic");
        }
    }

    #[test]
    fn pieces_do_not_cover_each_other() {
        let mut graph = ring(8);
        let more = ring(5).into_iter().map(|l| l.into_iter().map(|n| n + 8).collect());
        graph.extend(more.collect::<Neighbours>());
        graph.push(Vec::new());
        let points = layout(&graph);
        for a in 0..graph.len() {
            for b in 0..a {
                assert!(far(points[a], points[b]) > LEAST * 0.8, "{a} and {b}");
            }
        }
    }
}
