//! Places and transitions that lie on no cycle with what they are connected to.
//!
//! A net that is live and bounded is strongly connected, each connected part of it (the theorem
//! holds for arcs with weights, too). *Why.* Let an arc lead from a place p to a transition t, and no
//! path back. In a run in which t fires for ever, leave out every transition without a path to p:
//! none of them puts tokens where the others take them, so what is left can still fire, and p, which t
//! takes nothing from any more, gets more and more tokens. Let an arc lead from t to p, and no
//! path back: leave out all transitions that p leads to. They put tokens only where p leads to, and
//! the others take none from there; so what is left can fire, and again p gets more and more.
//!
//! So a bounded net that is not strongly connected is not live. Cost: linear in the arcs.

use crate::{Incidence, Net, PlaceId, TransitionId};

/// A place or a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetNode {
    /// A place.
    Place(PlaceId),
    /// A transition.
    Transition(TransitionId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Along {
    Forward,
    Backward,
    Both,
}

/// Two nodes of which the first is connected with the second, but no cycle goes through both; `None`
/// if each connected part is strongly connected.
///
/// ```
/// use brine_net::{Incidence, NetBuilder, NetNode, one_way};
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 1), b.place("q", 0));
/// let t = b.transition("t", &[(p, 1)], &[(q, 1)]);
/// let net = b.build().unwrap();
/// let found = one_way(&net, &Incidence::new(&net));
/// assert_eq!(found, Some((NetNode::Transition(t), NetNode::Place(p))));
/// ```
pub fn one_way(net: &Net, incidence: &Incidence) -> Option<(NetNode, NetNode)> {
    let (places, transitions) = (net.places().len(), net.transitions().len());
    let mut part = vec![false; places + transitions];
    let mut seen = part.clone();
    for t in net.transition_ids() {
        if part[places + t.index()] {
            continue;
        }
        let members = reached(net, incidence, t, Along::Both, &mut part);
        for along in [Along::Forward, Along::Backward] {
            let there = reached(net, incidence, t, along, &mut seen);
            if there.len() < members.len() {
                let other = members.into_iter().find(|&m| !seen[m])?;
                let other = match other.checked_sub(places) {
                    Some(t) => NetNode::Transition(TransitionId(t as u32)),
                    None => NetNode::Place(PlaceId(other as u32)),
                };
                return Some((NetNode::Transition(t), other));
            }
            there.into_iter().for_each(|node| seen[node] = false);
        }
    }
    None
}

/// All nodes that arcs lead to from a transition: places first, then transitions.
fn reached(
    net: &Net,
    incidence: &Incidence,
    from: TransitionId,
    along: Along,
    seen: &mut [bool],
) -> Vec<usize> {
    let places = net.places().len();
    let mut list = vec![places + from.index()];
    seen[places + from.index()] = true;
    let mut next = 0;
    while let Some(&node) = list.get(next) {
        next += 1;
        let mut add = |node: usize| {
            if !std::mem::replace(&mut seen[node], true) {
                list.push(node);
            }
        };
        match node.checked_sub(places) {
            Some(t) => {
                let transition = net.transition(TransitionId(t as u32));
                if along != Along::Forward {
                    transition.pre.iter().for_each(|(p, _)| add(p.index()));
                }
                if along != Along::Backward {
                    transition.post.iter().for_each(|(p, _)| add(p.index()));
                }
            }
            None => {
                let p = PlaceId(node as u32);
                if along != Along::Backward {
                    incidence.consumers(p).iter().for_each(|(t, _)| add(places + t.index()));
                }
                if along != Along::Forward {
                    incidence.producers(p).iter().for_each(|(t, _)| add(places + t.index()));
                }
            }
        }
    }
    list
}
