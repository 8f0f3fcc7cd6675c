//! Which steps a model can take: its transition groups.
//!
//! In an asynchronous system a group is a transition that needs no partner, or a pair of a
//! sending and a receiving transition of two processes over a channel without buffer. In a
//! synchronous system it is one transition of every process, whatever they say about channels.
//! The property process takes no part.

use crate::syntax::{DveMode, DveSync, DveSystem, DveTransition};

/// A transition: its process, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TransitionRef {
    pub(crate) process: usize,
    pub(crate) number: usize,
}

/// A group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DveGroup {
    /// A transition without a partner.
    Alone(TransitionRef),
    /// A message is passed at once.
    Pair { sender: TransitionRef, receiver: TransitionRef },
    /// All processes move.
    Together(Vec<TransitionRef>),
}

/// More combinations of transitions than this are refused.
const MOST_TOGETHER: usize = 1 << 17;

impl TransitionRef {
    /// The transition itself.
    pub(crate) fn of(self, system: &DveSystem) -> &DveTransition {
        &system.processes[self.process].transitions[self.number]
    }
}

impl DveGroup {
    /// The transitions that move: the sender first.
    pub(crate) fn transitions(&self) -> &[TransitionRef] {
        match self {
            DveGroup::Alone(t) => std::slice::from_ref(t),
            DveGroup::Pair { sender, .. } => std::slice::from_ref(sender),
            DveGroup::Together(all) => all,
        }
    }

    /// What the output calls the group: processes and locations.
    pub(crate) fn name(&self, system: &DveSystem) -> String {
        let step = |t: &TransitionRef| {
            let process = &system.processes[t.process];
            let transition = t.of(system);
            let at = |l: u32| &process.locations[l as usize];
            format!("{}: {} -> {}", process.name, at(transition.source), at(transition.target))
        };
        match self {
            DveGroup::Alone(t) => step(t),
            DveGroup::Pair { sender, receiver } => format!("{} | {}", step(sender), step(receiver)),
            DveGroup::Together(all) => all.iter().map(step).collect::<Vec<_>>().join(" | "),
        }
    }
}

/// All groups of a model.
pub(crate) fn groups(system: &DveSystem) -> Result<Vec<DveGroup>, String> {
    match system.mode {
        DveMode::Async => Ok(interleaved(system)),
        DveMode::Sync => together(system),
    }
}

/// All transitions of the processes that move.
fn transitions(system: &DveSystem) -> impl Iterator<Item = TransitionRef> {
    let of = |(process, p): (usize, &crate::syntax::DveProcess)| {
        (0..p.transitions.len()).map(move |number| TransitionRef { process, number })
    };
    system.movers().flat_map(of)
}

fn interleaved(system: &DveSystem) -> Vec<DveGroup> {
    let rendezvous = |channel: usize| !system.channels[channel].is_buffered();
    let mut receivers = vec![Vec::new(); system.channels.len()];
    for t in transitions(system) {
        if let Some(DveSync::Receive { channel, .. }) = t.of(system).sync {
            receivers[channel].push(t);
        }
    }
    let mut groups = Vec::new();
    for t in transitions(system) {
        match t.of(system).sync {
            Some(DveSync::Send { channel, .. }) if rendezvous(channel) => {
                let partners = receivers[channel].iter().filter(|r| r.process != t.process);
                groups.extend(partners.map(|&receiver| DveGroup::Pair { sender: t, receiver }));
            }
            Some(DveSync::Receive { channel, .. }) if rendezvous(channel) => (),
            _ => groups.push(DveGroup::Alone(t)),
        }
    }
    groups
}

fn together(system: &DveSystem) -> Result<Vec<DveGroup>, String> {
    let mut all: Vec<Vec<TransitionRef>> = vec![Vec::new()];
    for (process, p) in system.movers() {
        if all.len().saturating_mul(p.transitions.len()) > MOST_TOGETHER {
            return Err(format!(
                "the processes of this synchronous system have more than {MOST_TOGETHER} \
                 combinations of transitions"
            ));
        }
        let each = |before: &Vec<TransitionRef>| {
            let before = before.clone();
            let more = move |number| [&before[..], &[TransitionRef { process, number }]].concat();
            (0..p.transitions.len()).map(more)
        };
        all = all.iter().flat_map(each).collect();
    }
    Ok(all.into_iter().map(DveGroup::Together).collect())
}
