//! Clusters of groups that are tied to each other, by the method of Louvain (Blondel, Guillaume,
//! Lambiotte, Lefebvre 2008), laid out one beside the other.
//!
//! Two vertices are tied by each edge that has both, the more the fewer others it has. Vertices
//! move to the neighbouring cluster that raises modularity most, until none does; then clusters
//! become vertices, and it begins again. The order keeps each cluster together at every depth:
//! clusters stand by their mean position in the order of FORCE, and inside of each its clusters
//! and in the end its vertices likewise.

use super::force::force;
use super::hypergraph::Hypergraph;
use brine_run::{Pace, Stop};
use rustc_hash::FxHashMap;

/// An edge of more vertices ties only those that follow each other in it.
const MOST_TIED: usize = 16;
/// Passes over all vertices before clusters become vertices.
const PASSES: usize = 10;

/// A weighted graph.
struct Ties {
    of: Vec<FxHashMap<u32, f64>>,
    /// What a vertex is tied to itself: the ties inside of a cluster, twice.
    inside: Vec<f64>,
}

/// The order by clusters.
pub(super) fn louvain(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
    let n = h.vertex_count();
    let start: Vec<u32> = (0..n as u32).collect();
    let order = force(h, &start, pace)?;
    let mut position = vec![0.0; n];
    for (i, &v) in order.iter().enumerate() {
        position[v as usize] = i as f64;
    }
    // Of each vertex, the positions of its clusters, the smallest cluster first.
    let mut keys: Vec<Vec<(f64, u32)>> = (0..n).map(|v| vec![(position[v], v as u32)]).collect();
    let mut cluster_of = start;
    let mut ties = Ties::new(h, pace)?;
    loop {
        let clusters = ties.clusters(pace)?;
        let count = clusters.iter().max().map_or(0, |&c| c as usize + 1);
        if count == ties.of.len() {
            break;
        }
        cluster_of.iter_mut().for_each(|c| *c = clusters[*c as usize]);
        let mut sums = vec![(0.0, 0.0); count];
        for (v, &c) in cluster_of.iter().enumerate() {
            let (sum, members) = &mut sums[c as usize];
            *sum += position[v];
            *members += 1.0;
        }
        for (key, &c) in keys.iter_mut().zip(&cluster_of) {
            let (sum, members) = sums[c as usize];
            key.push((sum / members, c));
        }
        pace.steps(n)?;
        ties = ties.between(&clusters, count);
    }
    let mut order = order;
    order.sort_by(|&a, &b| {
        let keys = |v: u32| keys[v as usize].iter().rev();
        let differ = keys(a).zip(keys(b)).map(|(a, b)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        differ.into_iter().find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(order)
}

impl Ties {
    fn new(h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Ties, Stop> {
        let n = h.vertex_count();
        let mut ties = Ties { of: vec![FxHashMap::default(); n], inside: vec![0.0; n] };
        for edge in h.edges() {
            let reach = if edge.len() > MOST_TIED { 1 } else { edge.len() };
            pace.steps(edge.len() * reach)?;
            for (i, &a) in edge.iter().enumerate() {
                for &b in edge[i + 1..].iter().take(reach) {
                    ties.add(a, b, 1.0 / (edge.len() - 1) as f64);
                }
            }
        }
        Ok(ties)
    }

    fn add(&mut self, a: u32, b: u32, weight: f64) {
        *self.of[a as usize].entry(b).or_default() += weight;
        *self.of[b as usize].entry(a).or_default() += weight;
    }

    /// A cluster for each vertex, numbered in the order of their first vertices.
    fn clusters(&self, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
        let n = self.of.len();
        let degree: Vec<f64> =
            (0..n).map(|v| self.inside[v] + self.of[v].values().sum::<f64>()).collect();
        let twice: f64 = degree.iter().sum();
        let mut cluster: Vec<u32> = (0..n as u32).collect();
        let mut total = degree.clone();
        for _ in 0..PASSES {
            let mut moved = false;
            for v in 0..n {
                pace.steps(1 + self.of[v].len())?;
                let old = cluster[v];
                total[old as usize] -= degree[v];
                let mut to: FxHashMap<u32, f64> = FxHashMap::default();
                to.insert(old, 0.0);
                for (&w, &weight) in &self.of[v] {
                    *to.entry(cluster[w as usize]).or_default() += weight;
                }
                let gain = |c: u32, tie: f64| tie - total[c as usize] * degree[v] / twice;
                let stay = gain(old, to[&old]);
                // Ties of equal gain go to the first cluster, so that the order is one.
                let best = to.iter().map(|(&c, &tie)| (gain(c, tie), c));
                let best = best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
                let new = best.filter(|b| b.0 > stay + 1e-9).map_or(old, |b| b.1);
                total[new as usize] += degree[v];
                cluster[v] = new;
                moved |= new != old;
            }
            if !moved {
                break;
            }
        }
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        for c in &mut cluster {
            let next = number.len() as u32;
            *c = *number.entry(*c).or_insert(next);
        }
        Ok(cluster)
    }

    /// The ties between clusters.
    fn between(&self, cluster: &[u32], count: usize) -> Ties {
        let mut ties = Ties { of: vec![FxHashMap::default(); count], inside: vec![0.0; count] };
        for (v, of) in self.of.iter().enumerate() {
            let c = cluster[v];
            ties.inside[c as usize] += self.inside[v];
            let mut sorted: Vec<(u32, f64)> = of.iter().map(|(&w, &weight)| (w, weight)).collect();
            sorted.sort_unstable_by_key(|t| t.0);
            for (w, weight) in sorted {
                let d = cluster[w as usize];
                if c == d {
                    ties.inside[c as usize] += weight;
                } else {
                    *ties.of[c as usize].entry(d).or_default() += weight;
                }
            }
        }
        ties
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_run::Control;

    #[test]
    fn clusters_stay_together() {
        // Three rings of five, numbered in turns, and one edge from each to the next.
        let mut h = Hypergraph::without_edges(15);
        for ring in 0..3u32 {
            for i in 0..5 {
                let (a, b) = (3 * i + ring, 3 * ((i + 1) % 5) + ring);
                h.add_edge(vec![a.min(b)], vec![a.max(b)]);
            }
        }
        h.add_edge(vec![0], vec![1]);
        h.add_edge(vec![4], vec![5]);
        let order = louvain(&h, &mut Control::default().pace()).unwrap();
        let rings: Vec<u32> = order.iter().map(|v| v % 3).collect();
        let changes = rings.windows(2).filter(|w| w[0] != w[1]).count();
        assert_eq!(changes, 2, "{order:?}");
        assert_eq!(rings[7], 1, "the ring that is tied to both others stands between them");
    }

    #[test]
    fn nothing_has_an_order() {
        for n in 0..3 {
            let h = Hypergraph::without_edges(n);
            assert_eq!(louvain(&h, &mut Control::default().pace()).unwrap().len(), n);
        }
    }
}
