//! Transitions that are proved never to be enabled.
//!
//! Three reasons, each a theorem about all reachable markings:
//! 1. a place can never hold what the transition takes from it;
//! 2. a semiflow y with value v: the transition needs tokens that weigh more than v;
//! 3. some input place can never be marked: it is empty at the start, and everything that
//!    puts tokens there is dead (a least fixpoint over places that may be marked).
//!
//! Cost: the first and third are linear; the second is the sum over all semiflows of the
//! arcs at their places, and stops at a limit (then fewer transitions are found).

use crate::invariants::Semiflow;
use crate::{Bounds, Incidence, Net, PlaceId, TransitionId};

/// Elementary steps for the second reason.
const MAX_STEPS: usize = 10_000_000;

/// What is dead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dead {
    transitions: Vec<bool>,
    unmarked: Vec<bool>,
}

impl Dead {
    /// Finds transitions that can never fire and places that can never be marked.
    ///
    /// ```
    /// use brine_net::{Bounds, Dead, Incidence, NetBuilder};
    /// let mut b = NetBuilder::new("n");
    /// let (p, q) = (b.place("p", 0), b.place("q", 0));
    /// let t = b.transition("t", &[(p, 1)], &[(q, 1)]);
    /// let u = b.transition("u", &[(q, 1)], &[(p, 1)]);
    /// let net = b.build().unwrap();
    /// let incidence = Incidence::new(&net);
    /// let bounds = Bounds::new(&net, &incidence, &[]);
    /// let dead = Dead::new(&net, &incidence, &bounds, &[]);
    /// assert!(dead.is_dead(t) && dead.is_dead(u) && dead.is_unmarked(p));
    /// ```
    pub fn new(net: &Net, incidence: &Incidence, bounds: &Bounds, flows: &[Semiflow]) -> Self {
        let mut transitions = too_heavy(net, incidence, flows);
        for t in net.transition_ids() {
            let short = |&(p, w): &(PlaceId, u32)| bounds.of(p).is_some_and(|b| b < u64::from(w));
            transitions[t.index()] |= net.transition(t).pre.iter().any(short);
        }
        let unmarked = unmarkable(net, incidence, &mut transitions);
        let dead = Dead { transitions, unmarked };
        debug_assert!(dead.is_closed(net), "a dead transition is enabled, or fires into the rest");
        dead
    }

    /// Each dead transition is disabled at the start, and live ones mark no unmarked place.
    fn is_closed(&self, net: &Net) -> bool {
        let initial = net.initial_marking();
        net.transition_ids().all(|t| match self.is_dead(t) {
            true => !net.is_enabled(t, &initial),
            false => net.transition(t).post.iter().all(|&(p, _)| !self.is_unmarked(p)),
        })
    }

    /// The transition can never fire.
    pub fn is_dead(&self, t: TransitionId) -> bool {
        self.transitions[t.index()]
    }

    /// The place is never marked.
    pub fn is_unmarked(&self, p: PlaceId) -> bool {
        self.unmarked[p.index()]
    }

    /// Adds to the bounds what follows: places that are never marked, and places that no
    /// live transition raises.
    pub fn lower_bounds(&self, net: &Net, incidence: &Incidence, bounds: &mut Bounds) {
        for p in net.place_ids() {
            let raises = |&(t, change): &(TransitionId, i64)| change > 0 && !self.is_dead(t);
            if self.is_unmarked(p) {
                bounds.lower(p, 0);
            } else if !incidence.changers(p).iter().any(raises) {
                bounds.lower(p, u64::from(net.place(p).initial));
            }
        }
        debug_assert!(bounds.admit(net), "a bound excludes the initial marking");
    }
}

/// The second reason.
fn too_heavy(net: &Net, incidence: &Incidence, flows: &[Semiflow]) -> Vec<bool> {
    let mut dead = vec![false; net.transitions().len()];
    let mut needs = vec![0_u128; net.transitions().len()];
    let mut steps = 0;
    for flow in flows {
        for &(p, weight) in &flow.weights {
            for &(t, arc) in incidence.consumers(p) {
                needs[t.index()] += u128::from(weight) * u128::from(arc);
            }
            steps += incidence.consumers(p).len();
        }
        for &(t, _) in flow.weights.iter().flat_map(|&(p, _)| incidence.consumers(p)) {
            dead[t.index()] |= needs[t.index()] > u128::from(flow.value);
            needs[t.index()] = 0;
        }
        if steps > MAX_STEPS {
            break;
        }
    }
    dead
}

/// The third reason: marks what may be marked, starting from the initial marking; the
/// transitions that are never reached become dead.
fn unmarkable(net: &Net, incidence: &Incidence, dead: &mut [bool]) -> Vec<bool> {
    let mut unmarked = vec![true; net.places().len()];
    let mut missing: Vec<usize> = net.transitions().map(|t| t.pre.len()).collect();
    let mut places: Vec<PlaceId> = net.place_ids().filter(|&p| net.place(p).initial > 0).collect();
    let mut ready: Vec<TransitionId> =
        net.transition_ids().filter(|t| missing[t.index()] == 0).collect();
    places.iter().for_each(|p| unmarked[p.index()] = false);
    loop {
        while let Some(p) = places.pop() {
            for &(t, _) in incidence.consumers(p) {
                missing[t.index()] -= 1;
                if missing[t.index()] == 0 {
                    ready.push(t);
                }
            }
        }
        let Some(t) = ready.pop() else { break };
        if dead[t.index()] {
            continue;
        }
        for &(p, _) in net.transition(t).post {
            if std::mem::take(&mut unmarked[p.index()]) {
                places.push(p);
            }
        }
    }
    for (dead, missing) in dead.iter_mut().zip(missing) {
        *dead |= missing > 0;
    }
    unmarked
}
