//! Fairness: which of the infinite runs of a net count.
//!
//! A run is *weakly fair* for a transition that is not enabled for ever from some point on without
//! firing infinitely often: infinitely often the transition is disabled, or it fires. It is
//! *strongly fair* if the transition fires infinitely often whenever it is enabled infinitely
//! often. A run that ends in a deadlock is fair for all transitions: nothing is enabled there for
//! ever.
//!
//! A fair run always exists: with finitely many transitions, fire the one that has waited longest
//! among those that are enabled. Each transition that is enabled infinitely often is then fired
//! infinitely often. So fairness never makes a property true because no run is left.

use crate::net::{Net, TransitionId};

/// For whom runs must be fair. No transition twice; what is strongly fair is not listed as weakly
/// fair, which it is as well.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fairness {
    weak: Vec<TransitionId>,
    strong: Vec<TransitionId>,
}

impl Fairness {
    /// All runs count.
    pub const NONE: &'static Fairness = &Fairness { weak: Vec::new(), strong: Vec::new() };

    /// Weakly fair for some transitions, strongly for others.
    ///
    /// ```
    /// use brine_net::{Fairness, TransitionId};
    /// let (t, u) = (TransitionId(0), TransitionId(1));
    /// let fairness = Fairness::new(vec![u, t, u], vec![u]);
    /// assert_eq!((fairness.weak(), fairness.strong()), (&[t][..], &[u][..]));
    /// assert!(!fairness.is_none());
    /// ```
    pub fn new(mut weak: Vec<TransitionId>, mut strong: Vec<TransitionId>) -> Fairness {
        for list in [&mut weak, &mut strong] {
            list.sort_unstable();
            list.dedup();
        }
        weak.retain(|t| strong.binary_search(t).is_err());
        Fairness { weak, strong }
    }

    /// Weakly fair for all transitions.
    pub fn all_weak(net: &Net) -> Fairness {
        Fairness { weak: net.transition_ids().collect(), strong: Vec::new() }
    }

    /// Strongly fair for all transitions.
    pub fn all_strong(net: &Net) -> Fairness {
        Fairness { weak: Vec::new(), strong: net.transition_ids().collect() }
    }

    /// Whether all runs count.
    pub fn is_none(&self) -> bool {
        self.weak.is_empty() && self.strong.is_empty()
    }

    /// The transitions for which weak fairness is asked and no more, ascending.
    pub fn weak(&self) -> &[TransitionId] {
        &self.weak
    }

    /// The transitions for which strong fairness is asked, ascending.
    pub fn strong(&self) -> &[TransitionId] {
        &self.strong
    }
}
