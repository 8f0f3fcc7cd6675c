//! Colours that behave alike are merged: a smaller coloured net with the same LTL verdicts.
//!
//! Every component of a place and every variable of a transition has a partition of its sort's
//! values. The merged net has their classes for values; a token goes to the classes of its
//! components, `all` of n values in a class to n tokens of that class. Formulas speak of all
//! tokens of a place and of some binding of a transition (`docs/coloured.md`).
//!
//! *Conditions* (kept by [`refine`]; `E(x)` is the partition of a variable, `E(c)` of a component):
//!
//! 1. *Classes decide.* Values of a class of `E(x)` are all in the variable's part or none is, give
//!    the same truth to each comparison in the guard (where two variables are compared, they have
//!    the same image), and where an arc has `f(x)` in component c they go to one class of `E(c)`.
//!    Where a multiset subtracts, `E(c)` is discrete unless all its terms have the same in c.
//! 2. *Any token of a class will do.* A constant, or a value of `all`, that an input has in c is
//!    alone in its class of `E(c)`. A variable that inputs name twice, or in a term that takes
//!    several tokens (a count above one, `all` beside it, a product or a difference), has a
//!    discrete `E(x)`. Where an input has `f(x)` in c: if f is a shift, the classes of `E(c)` among
//!    the images of the variable's values are the images of classes of `E(x)`; otherwise each
//!    image is alone in its class.
//!
//! *Why verdicts stay.* Let h take a marking to classes. The pairs (M, h(M)) are a bisimulation in
//! which steps keep their transition, and sums of tokens are the same:
//!
//! - If a binding b is enabled in M, its classes are in h(M): the guard holds and the merged arcs
//!   are the h of the arcs by 1. (h commutes with sums, multiples and products. With a difference:
//!   where all terms have the same A in component c, the multiset is A times the rest, because
//!   (A x a) - (A x b) = A x (a - b); the other components are not merged.) So h(M) steps to h(M').
//! - If classes k are enabled in h(M), choose a binding b of M: variables with a class of one value
//!   have it. Let a term of an input have a variable with a larger class: by 2 it takes one token,
//!   and no other term has this variable. Give each such term a token of its own of its classes:
//!   there are enough, because h(M) has those that all terms of the arc need. The token gives each
//!   such variable a value, in its class by 2; its other components are alone in their classes, so
//!   they are as the term wants. Terms without such variables take tokens whose components are all
//!   alone in their classes by 2, so h(M) and M have equally many. Variables that inputs do not
//!   name take any value of their class. The guard holds by 1, so b is enabled, and leads to a
//!   marking with classes as k says, by the first part.
//!
//! So each step of one is matched by one step of the other with the same atoms before and after;
//! dead markings correspond. Every LTL formula, with X, has the same verdict; all this whatever the
//! initial marking, which need not be told apart.
//!
//! *Cost*: the sizes of the sorts, times rounds of refinement ([`refine`]); no product is listed.

mod lift;
mod partition;
mod refine;
mod rewrite;

use crate::net::ColouredNet;
use crate::run::ColouredRun;
use brine_run::{Control, Stop};
use refine::Partitions;

/// A net over classes of colours.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The smaller net; places and transitions keep their numbers.
    pub net: ColouredNet,
    partitions: Partitions,
}

/// Merges colours; `None` if all behave differently.
pub fn merge(net: &ColouredNet, control: &Control) -> Result<Option<Merged>, Stop> {
    let partitions = refine::refine(net, control)?;
    let Partitions { components, variables } = &partitions;
    if components.iter().chain(variables).flatten().all(|p| p.is_discrete()) {
        return Ok(None);
    }
    let merged = rewrite::rewrite(net, &partitions);
    Ok(merged.map(|net| Merged { net, partitions }))
}

impl Merged {
    /// The classes of a colour of a place, component by component.
    pub fn classes(&self, place: usize, colour: &[u32]) -> Vec<u32> {
        let partitions = &self.partitions.components[place];
        colour.iter().zip(partitions).map(|(&v, partition)| partition.class(v)).collect()
    }

    /// The classes of a transition's binding.
    pub fn binding_classes(&self, transition: usize, binding: &[u32]) -> Vec<u32> {
        let partitions = &self.partitions.variables[transition];
        binding.iter().zip(partitions).map(|(&v, partition)| partition.class(v)).collect()
    }

    /// A run of the net that was merged, for a run of this one. `None` if no run was found within
    /// the work that lifting may take; the verdict stands nevertheless.
    pub fn lift(
        &self,
        net: &ColouredNet,
        run: &ColouredRun,
        control: &Control,
    ) -> Result<Option<ColouredRun>, Stop> {
        lift::lift(net, self, run, control)
    }
}
