//! What can happen again and again: the answer of an engine that has seen all markings.

/// What of a list of groups of transitions comes back, and which markings do.
///
/// A group is *live* if from every reachable marking one can be reached in which a member is
/// enabled. A *home marking* can be reached from every reachable marking; a net is *reversible* if
/// the initial marking is one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recurrence {
    /// Of each group, whether a member is enabled in some reachable marking.
    pub can_fire: Vec<bool>,
    /// Of each group, whether it is live.
    pub live: Vec<bool>,
    /// Whether the initial marking can be reached from everywhere.
    pub reversible: bool,
    /// A marking that can be reached from everywhere, if there is one.
    pub home: Option<Vec<u32>>,
}

impl Recurrence {
    /// Whether all groups are live.
    pub fn is_live(&self) -> bool {
        self.live.iter().all(|&live| live)
    }
}
