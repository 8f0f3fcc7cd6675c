//! What one looks at first when a diagram is slow: how wide it is at each level, and how many
//! nodes there were while it was made.

use crate::manager::Dd;
use crate::table::NodeId;

/// How many nodes there were, by the work done until then.
///
/// Samples are taken where the work is looked at anyway. When there are too many, every second
/// one is dropped and the next ones are taken half as often, so that they stay evenly spread; the
/// same computation gives the same samples.
#[derive(Clone, Default, Debug)]
pub(crate) struct Growth {
    /// Work and nodes, with ascending work.
    samples: Vec<(u64, usize)>,
    /// The least work between two samples.
    stride: u64,
}

/// As many as a picture can show.
const MOST_SAMPLES: usize = 1024;

impl Growth {
    /// Takes a sample if it is time for one.
    pub(crate) fn note(&mut self, ticks: u64, nodes: usize) {
        if self.samples.last().is_some_and(|&(last, _)| ticks < last + self.stride) {
            return;
        }
        if self.samples.len() == MOST_SAMPLES {
            let gap = (ticks / MOST_SAMPLES as u64).max(self.stride);
            self.stride = 2 * gap.max(1);
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
        }
        self.samples.push((ticks, nodes));
    }
}

impl Dd {
    /// Work and nodes alive, from the beginning to now.
    pub fn growth(&self) -> Vec<(u64, usize)> {
        let mut samples = vec![(0, 0)];
        samples.extend(self.growth.samples.iter().filter(|s| s.0 > 0));
        if samples.last().is_some_and(|last| last.0 < self.ticks) {
            samples.push((self.ticks, self.table.live()));
        }
        samples
    }

    /// How many nodes each level of the diagram has, from the root to the terminals.
    pub fn widths(&self, root: NodeId) -> Vec<usize> {
        let mut marks = vec![0u64; self.table.id_bound() / 64 + 1];
        marks[0] = 0b11;
        let mut is_new = |id: NodeId| {
            let (word, bit) = (id.index() >> 6, 1u64 << (id.index() & 63));
            let is_new = marks[word] & bit == 0;
            marks[word] |= bit;
            is_new
        };
        let mut widths = Vec::new();
        let mut lists = vec![root];
        loop {
            let (mut width, mut below) = (0, Vec::new());
            for mut id in lists {
                while is_new(id) {
                    let node = self.node(id);
                    width += 1;
                    below.push(node.down);
                    id = node.right;
                }
            }
            if width == 0 {
                return widths;
            }
            widths.push(width);
            lists = below;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_run::Control;

    #[test]
    fn each_level_has_its_nodes() {
        let mut dd = Dd::new(Control::default());
        let one = dd.make_list(&[(0, NodeId::UNIT)]).unwrap();
        let two = dd.make_list(&[(0, NodeId::UNIT), (1, NodeId::UNIT)]).unwrap();
        let root = dd.make_list(&[(0, one), (3, two), (4, one)]).unwrap();
        // The list of `two` ends with a node of its own: values are 0 and 1 there.
        assert_eq!(dd.widths(root), [3, 3]);
        assert_eq!(dd.widths(root).iter().sum::<usize>(), dd.node_count(root));
        assert_eq!(dd.widths(NodeId::EMPTY), [0usize; 0]);
        assert_eq!(dd.widths(NodeId::UNIT), [0usize; 0]);
    }

    #[test]
    fn samples_stay_few_evenly_spread_and_in_order() {
        let mut growth = Growth::default();
        for work in 0..1_000_000u64 {
            growth.note(work, (work / 2) as usize);
        }
        let samples = &growth.samples;
        assert!((MOST_SAMPLES / 4..=MOST_SAMPLES).contains(&samples.len()), "{}", samples.len());
        assert!(samples.iter().all(|&(work, nodes)| nodes as u64 == work / 2));
        let gaps: Vec<u64> = samples.windows(2).map(|w| w[1].0 - w[0].0).collect();
        let (least, most) = (gaps.iter().min().unwrap(), gaps.iter().max().unwrap());
        assert!(*least > 0 && *most <= 4 * least, "{least} to {most}");
        assert!(samples.last().unwrap().0 > 990_000);
    }
}
