//! The slow references: breadth-first search and chaining with plain images.
//!
//! Both compute what saturation computes, in the way of the textbooks: images of whole
//! sets under events, from the top of the diagram. They share the events with
//! saturation, but neither its strategy nor its caches' meaning.

use brine_dd::{NodeId, Stop};

use crate::driver;
use crate::model::TailId;
use crate::saturate::Saturation;
use crate::tailset::TailSet;

impl Saturation {
    /// Reachable markings layer by layer: the image of the newest layer under all events.
    pub fn reach_breadth_first(&mut self) -> Result<NodeId, Stop> {
        let all = self.all_events();
        let mut reached = self.initial()?;
        let mut layer = reached;
        while layer != NodeId::EMPTY {
            let image = self.image(layer, all)?;
            layer = self.dd.minus(image, reached)?;
            reached = self.dd.union(reached, layer)?;
        }
        Ok(reached)
    }

    /// Reachable markings by chaining: event after event, each on all that is known.
    pub fn reach_chaining(&mut self) -> Result<NodeId, Stop> {
        let events: Vec<TailSet> =
            self.model.events.clone().into_iter().map(|t| self.alone(t)).collect();
        let mut reached = self.initial()?;
        loop {
            let before = reached;
            for &event in &events {
                let image = self.image(reached, event)?;
                reached = self.dd.union(reached, image)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }

    /// The states that the events of `rests` reach in one step from `set`.
    pub(crate) fn image(&mut self, set: NodeId, rests: TailSet) -> Result<NodeId, Stop> {
        if set == NodeId::EMPTY {
            return Ok(set);
        }
        let top = self.top_level();
        driver::image(self, set, rests, top)
    }

    pub(crate) fn alone(&mut self, event: TailId) -> TailSet {
        self.sets.intern(&self.model, vec![event])
    }

    fn all_events(&mut self) -> TailSet {
        self.sets.intern(&self.model, self.model.events.clone())
    }

    /// The set of just the initial marking.
    pub fn initial(&mut self) -> Result<NodeId, Stop> {
        let vector: Vec<u32> = self.model.initial[1..].iter().rev().copied().collect();
        self.dd.singleton(&vector)
    }
}
