//! Pushes nodes apart that are drawn too near to each other.
//!
//! Nodes lie in a grid of cells as wide as the least distance, so each is compared with those of
//! nine cells only. Each round moves every pair that is too near by what it lacks, half each;
//! after [`ROUNDS`] rounds pairs may still be a little too near, which is only ugly. Cost: rounds
//! times nodes, times those that share a cell.

use crate::data::Point;
use std::collections::BTreeMap;

const ROUNDS: usize = 200;
/// Where nodes go that are in the same point.
const WAYS: [(f64, f64); 5] = [(1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (-0.6, 0.8), (0.8, -0.6)];

/// Moves points until they are about `least` apart.
pub(crate) fn spread(points: &mut [Point], least: f64) {
    for _ in 0..ROUNDS {
        let mut cells: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
        let cell = |p: Point| ((p.x / least).floor() as i64, (p.y / least).floor() as i64);
        for (i, &p) in points.iter().enumerate() {
            cells.entry(cell(p)).or_default().push(i);
        }
        let mut moved = false;
        for a in 0..points.len() {
            let (x, y) = cell(points[a]);
            let around = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
            let near: Vec<usize> = around
                .filter_map(|c| cells.get(&c))
                .flatten()
                .copied()
                .filter(|&b| b > a)
                .collect();
            for b in near {
                moved |= push(points, a, b, least);
            }
        }
        if !moved {
            return;
        }
    }
}

fn push(points: &mut [Point], a: usize, b: usize, least: f64) -> bool {
    let (p, q) = (points[a], points[b]);
    let (dx, dy) = (q.x - p.x, q.y - p.y);
    let length = (dx * dx + dy * dy).sqrt();
    if length >= least {
        return false;
    }
    // Nodes in the same point part in many directions.
    let (ux, uy) =
        if length < 1e-6 { WAYS[(3 * a + b) % WAYS.len()] } else { (dx / length, dy / length) };
    let half = (least - length) / 2.0 + 0.01;
    points[a] = Point { x: p.x - ux * half, y: p.y - uy * half };
    points[b] = Point { x: q.x + ux * half, y: q.y + uy * half };
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_one_place_part() {
        let mut points = vec![Point { x: 5.0, y: 5.0 }; 20];
        spread(&mut points, 50.0);
        for a in 0..20 {
            for b in 0..a {
                let (dx, dy) = (points[a].x - points[b].x, points[a].y - points[b].y);
                assert!((dx * dx + dy * dy).sqrt() > 35.0, "{points:?}");
            }
        }
    }
}
