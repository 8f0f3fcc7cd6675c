//! Dining philosophers (Dijkstra), three ways. Philosopher i sits between fork i and fork
//! i + 1 (around the table). Places come seat by seat.

use super::finish;
use brine_net::{Net, NetBuilder, PlaceId};

/// The two forks next to seat `i`.
fn beside(forks: &[PlaceId], i: usize) -> (PlaceId, PlaceId) {
    (forks[i], forks[(i + 1) % forks.len()])
}

/// Philosophers who take their two forks one after the other, in any order, and put both
/// back at once. All holding the same side is a deadlock. 3^n reachable markings: each
/// fork is free, in the hand of its left, or of its right neighbour.
pub fn philosophers(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("philosophers-{n}"));
    let n = n as usize;
    let mut seats = Vec::with_capacity(n);
    let mut forks = Vec::with_capacity(n);
    for i in 0..n {
        forks.push(b.place(&format!("fork_{i}"), 1));
        let think = b.place(&format!("think_{i}"), 1);
        let left = b.place(&format!("left_{i}"), 0);
        let right = b.place(&format!("right_{i}"), 0);
        let eat = b.place(&format!("eat_{i}"), 0);
        seats.push([think, left, right, eat]);
    }
    for (i, &[think, left, right, eat]) in seats.iter().enumerate() {
        let (l, r) = beside(&forks, i);
        b.transition(&format!("take_left_{i}"), &[(think, 1), (l, 1)], &[(left, 1)]);
        b.transition(&format!("take_right_{i}"), &[(think, 1), (r, 1)], &[(right, 1)]);
        b.transition(&format!("then_right_{i}"), &[(left, 1), (r, 1)], &[(eat, 1)]);
        b.transition(&format!("then_left_{i}"), &[(right, 1), (l, 1)], &[(eat, 1)]);
        b.transition(&format!("put_{i}"), &[(eat, 1)], &[(think, 1), (l, 1), (r, 1)]);
    }
    finish(b)
}

/// Philosophers who take the fork with the lower number first: the resources are ordered,
/// so there is no deadlock.
pub fn philosophers_ordered(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("philosophers-ordered-{n}"));
    let n = n as usize;
    let mut seats = Vec::with_capacity(n);
    let mut forks = Vec::with_capacity(n);
    for i in 0..n {
        forks.push(b.place(&format!("fork_{i}"), 1));
        let think = b.place(&format!("think_{i}"), 1);
        let one = b.place(&format!("one_{i}"), 0);
        let eat = b.place(&format!("eat_{i}"), 0);
        seats.push([think, one, eat]);
    }
    for (i, &[think, one, eat]) in seats.iter().enumerate() {
        let (l, r) = beside(&forks, i);
        let (first, second) = if l < r { (l, r) } else { (r, l) };
        b.transition(&format!("take_first_{i}"), &[(think, 1), (first, 1)], &[(one, 1)]);
        b.transition(&format!("take_second_{i}"), &[(one, 1), (second, 1)], &[(eat, 1)]);
        b.transition(&format!("put_{i}"), &[(eat, 1)], &[(think, 1), (l, 1), (r, 1)]);
    }
    finish(b)
}

/// The net of EP10 figure 1: a philosopher takes both forks at once. Place and transition
/// names are the paper's (`i`, `e`, `f`, `t`, `r`, from 1). The reachable markings are the
/// ways to choose eaters of whom no two are neighbours: a Lucas number.
pub fn philosophers_atomic(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("philosophers-atomic-{n}"));
    let mut seats = Vec::new();
    let mut forks = Vec::new();
    for i in 1..=n {
        let idle = b.place(&format!("i{i}"), 1);
        let eats = b.place(&format!("e{i}"), 0);
        forks.push(b.place(&format!("f{i}"), 1));
        seats.push([idle, eats]);
    }
    for (i, &[idle, eats]) in seats.iter().enumerate() {
        let (l, r) = beside(&forks, i);
        b.transition(&format!("t{}", i + 1), &[(idle, 1), (l, 1), (r, 1)], &[(eats, 1)]);
        b.transition(&format!("r{}", i + 1), &[(eats, 1)], &[(idle, 1), (l, 1), (r, 1)]);
    }
    finish(b)
}
