//! Sloan's profile reduction (1986).
//!
//! Labels vertices one by one, always the one with the highest priority: far from the
//! end vertex, and with few neighbours that are not labelled or in front yet. The
//! front stays small, which is what events with short spans need. Weights 1 (distance)
//! and 8 (degree).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Bipartite, BreadthFirst};
use super::hypergraph::Hypergraph;
use brine_run::{Pace, Stop};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Inactive,
    Preactive,
    Active,
    Done,
}

const DISTANCE: i64 = 1;
const DEGREE: i64 = 8;

struct Front<'a> {
    graph: Bipartite<'a>,
    status: Vec<Status>,
    priority: Vec<i64>,
    /// May hold outdated entries; the one with the current priority counts.
    heap: BinaryHeap<(i64, Reverse<u32>)>,
}

impl Front<'_> {
    fn raise(&mut self, v: u32) {
        if self.status[v as usize] == Status::Done {
            return;
        }
        self.priority[v as usize] += DEGREE;
        if self.status[v as usize] == Status::Inactive {
            self.status[v as usize] = Status::Preactive;
        }
        self.heap.push((self.priority[v as usize], Reverse(v)));
    }

    fn pop(&mut self, pace: &mut Pace<'_>) -> Result<Option<u32>, Stop> {
        while let Some((priority, Reverse(v))) = self.heap.pop() {
            pace.step()?;
            if self.status[v as usize] != Status::Done && self.priority[v as usize] == priority {
                return Ok(Some(v));
            }
        }
        Ok(None)
    }

    fn label(&mut self, v: u32, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let neighbours: Vec<u32> = self.graph.neighbours(v).collect();
        pace.steps(1 + neighbours.len())?;
        if self.status[v as usize] == Status::Preactive {
            neighbours.iter().for_each(|&n| self.raise(n));
        }
        self.status[v as usize] = Status::Done;
        for n in neighbours {
            if self.status[n as usize] == Status::Preactive {
                self.status[n as usize] = Status::Active;
                self.raise(n);
                let second: Vec<u32> = self.graph.neighbours(n).collect();
                pace.steps(second.len())?;
                second.into_iter().for_each(|m| self.raise(m));
            }
        }
        Ok(())
    }
}

/// Orders the vertices of the hypergraph.
pub(super) fn sloan(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
    let graph = Bipartite::new(h);
    let n = graph.len();
    let mut front = Front {
        graph,
        status: vec![Status::Inactive; n],
        priority: vec![0; n],
        heap: BinaryHeap::new(),
    };
    let mut order = Vec::new();
    let mut search = BreadthFirst::new(n);
    for seed in 0..h.vertex_count() as u32 {
        if front.status[seed as usize] == Status::Done {
            continue;
        }
        let (start, end) = front.graph.far_pair(seed, &mut search, pace)?;
        search.run(&front.graph, end, pace)?;
        for &v in &search.layers {
            front.priority[v as usize] = DISTANCE * i64::from(search.distance[v as usize])
                - DEGREE * (front.graph.degree(v) as i64 + 1);
        }
        front.status[start as usize] = Status::Preactive;
        front.heap.push((front.priority[start as usize], Reverse(start)));
        while let Some(v) = front.pop(pace)? {
            front.label(v, pace)?;
            if front.graph.is_vertex(v) {
                order.push(v);
            }
        }
    }
    Ok(order)
}
