//! The reachable markings as a set.
//!
//! They are held as a decision diagram, so a set of millions takes little, and is counted, looked
//! into and drawn from without being written out. Counting is linear in the diagram; a draw counts
//! below each node once and then walks down: each marking is equally likely, exactly.

use crate::{Error, Model, Options};
use brine_dd::{NodeId, VectorCursor};
use brine_net::Rng;
use brine_net::order::candidates_within;
use brine_run::{Control, resident_bytes};
use brine_sat::{ReachedSpace, reach_with_best};
use num_bigint::BigUint;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The reachable markings of a net. A marking has a number of tokens for each place of
/// [`Model::net`], in that order.
#[derive(Debug)]
pub struct Reachable {
    model: Model,
    space: ReachedSpace,
    /// How many vectors there are below each node, once somebody draws.
    below: OnceLock<HashMap<NodeId, BigUint>>,
}

impl Model {
    /// Computes the reachable markings, with decision diagrams. An error if a budget ends first,
    /// or if there are infinitely many (then the budget ends it).
    pub fn reachable(&self, options: &Options) -> Result<Reachable, Error> {
        let limits = options.start();
        let plain = self.plain(&limits)?;
        let structure = plain.structure(limits.control());
        let control = limits.budget().control().resident_beyond(resident_bytes());
        let control = Control { progress: options.watched(), ..control };
        let orders = candidates_within(plain.net(), &structure, &control)?;
        let space = reach_with_best(plain.net(), &orders, &control)?;
        Ok(Reachable { model: self.clone(), space, below: OnceLock::new() })
    }
}

impl Reachable {
    /// How many there are.
    pub fn count(&self) -> BigUint {
        self.space.engine.dd.count(self.space.reached)
    }

    /// The nodes of the diagram.
    pub fn nodes(&self) -> usize {
        self.space.engine.dd.node_count(self.space.reached)
    }

    /// The model whose markings these are.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// All of them, one after the other; none is written out before it is asked for.
    pub fn iter(&self) -> Markings<&Reachable> {
        Markings::of(self)
    }

    /// Whether a marking is among them.
    pub fn contains(&self, marking: &[u32]) -> bool {
        let ReachedSpace { engine, reached, .. } = &self.space;
        let vector = engine.model.vector(marking);
        vector.is_some_and(|vector| engine.dd.contains(*reached, &vector))
    }

    /// Draws a marking; each is equally likely. Equal seeds draw equally.
    ///
    /// ```
    /// use brine::{Model, NetBuilder, Options};
    /// let mut net = NetBuilder::new("dice");
    /// let p = net.place("p", 6);
    /// net.transition("take", &[(p, 1)], &[]);
    /// let markings = Model::from_net(net.build()?)?.reachable(&Options::new())?;
    /// assert!(markings.contains(&markings.sample(1)));
    /// assert_eq!(markings.sample(1), markings.sample(1));
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn sample(&self, seed: u64) -> Vec<u32> {
        let ReachedSpace { engine, reached, .. } = &self.space;
        let below = self.below.get_or_init(|| self.counts());
        let mut rng = Rng::new(seed);
        let mut node = *reached;
        let mut vector = Vec::new();
        while !node.is_terminal() {
            let mut rest = below_number(&mut rng, &below[&node]);
            let mut arcs = engine.dd.arcs(node);
            let chosen = arcs.find(|(_, down)| {
                let here = &below[down];
                let taken = rest < *here;
                if !taken {
                    rest -= here;
                }
                taken
            });
            debug_assert!(chosen.is_some(), "the counts of the arcs add up to that of the node");
            let Some((value, down)) = chosen else { break };
            vector.push(value);
            node = down;
        }
        engine.model.marking(&vector)
    }

    /// Vectors below each node, the lowest first.
    fn counts(&self) -> HashMap<NodeId, BigUint> {
        let ReachedSpace { engine, reached, .. } = &self.space;
        let mut below = HashMap::from([(NodeId::UNIT, BigUint::from(1_u32))]);
        for level in engine.dd.levels(*reached).iter().rev() {
            for &id in level {
                let sum = engine.dd.arcs(id).map(|(_, down)| &below[&down]).sum();
                below.insert(id, sum);
            }
        }
        below
    }
}

/// A number below a bound that is not 0, each equally likely: words are drawn until one is.
fn below_number(rng: &mut Rng, bound: &BigUint) -> BigUint {
    let bits = bound.bits();
    loop {
        let words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| rng.bits() as u32).collect();
        let number = BigUint::new(words) >> (bits.div_ceil(32) * 32 - bits);
        if number < *bound {
            return number;
        }
    }
}

/// The markings of a [`Reachable`], one after the other.
#[derive(Debug)]
pub struct Markings<S> {
    set: S,
    cursor: VectorCursor,
}

impl<S: Borrow<Reachable>> Markings<S> {
    /// Iterates over a set that is borrowed or shared, by `Arc` say.
    pub fn of(set: S) -> Self {
        let space = &set.borrow().space;
        let cursor = VectorCursor::new(&space.engine.dd, space.reached);
        Markings { set, cursor }
    }
}

impl<S: Borrow<Reachable>> Iterator for Markings<S> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let engine = &self.set.borrow().space.engine;
        self.cursor.next(&engine.dd).map(|vector| engine.model.marking(&vector))
    }
}
