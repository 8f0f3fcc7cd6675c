//! Leader election in a ring, over and over again (in the spirit of the model behind SE05
//! Table 1; the protocol is that of Chang and Roberts).
//!
//! Each node may start an election by sending its number to the next node. A node passes on
//! a number of higher rank than its own, swallows one of lower rank (and starts itself, if
//! it had not), and is elected when its own number comes back. The leader then sends an
//! announcement around the ring, which makes all nodes idle again. Channels between
//! neighbours hold one message, so messages do not overtake each other.
//!
//! `rotating`: ranks move on by one node after each election, so that every node gets its
//! turn (SE05's Variant 2). Otherwise the last node wins every time (Variant 1).

use super::finish;
use brine_net::{Net, NetBuilder, PlaceId};

struct Ring {
    nodes: u32,
    rounds: u32,
    builder: NetBuilder,
    idle: Vec<PlaceId>,
    /// Started an election itself.
    active: Vec<PlaceId>,
    /// Passed on the number of another node.
    passive: Vec<PlaceId>,
    leader: Vec<PlaceId>,
    /// Waits for its announcement to come back.
    announced: Vec<PlaceId>,
    /// The channel to the next node is empty, holds number k, holds an announcement.
    free: Vec<PlaceId>,
    number: Vec<Vec<PlaceId>>,
    announcement: Vec<PlaceId>,
    round: Vec<PlaceId>,
}

/// A ring of `n` nodes (at least 2) that elect a leader again and again.
///
/// ```
/// use brine_models::leader_ring;
/// use brine_oracle::reachable_markings;
/// let net = leader_ring(2, false);
/// assert!(reachable_markings(&net, 1_000).is_some());
/// ```
pub fn leader_ring(n: u32, rotating: bool) -> Net {
    let nodes = n.max(2);
    let mut builder =
        NetBuilder::new(if rotating { "leader-ring-rotating" } else { "leader-ring" });
    let mut row = |name: &str, initial: u32| -> Vec<PlaceId> {
        (0..nodes).map(|i| builder.place(&format!("{name}{i}"), initial)).collect()
    };
    let (idle, active, passive) = (row("idle", 1), row("active", 0), row("passive", 0));
    let (leader, announced) = (row("leader", 0), row("announced", 0));
    let (free, announcement) = (row("free", 1), row("announcement", 0));
    let number = (0..nodes).map(|i| row(&format!("chan{i}_"), 0)).collect();
    let rounds = if rotating { nodes } else { 1 };
    let round =
        (0..rounds).map(|r| builder.place(&format!("round{r}"), u32::from(r == 0))).collect();
    let mut ring = Ring {
        nodes,
        rounds,
        builder,
        idle,
        active,
        passive,
        leader,
        announced,
        free,
        number,
        announcement,
        round,
    };
    for i in 0..nodes as usize {
        ring.start(i);
        for k in (0..nodes as usize).filter(|&k| k != i) {
            ring.receive(i, k);
        }
        ring.win(i);
        ring.announce(i);
    }
    finish(ring.builder)
}

impl Ring {
    fn add(&mut self, id: &str, pre: &[PlaceId], post: &[PlaceId]) {
        let arcs = |places: &[PlaceId]| places.iter().map(|&p| (p, 1)).collect::<Vec<_>>();
        self.builder.transition(id, &arcs(pre), &arcs(post));
    }

    fn before(&self, i: usize) -> usize {
        (i + self.nodes as usize - 1) % self.nodes as usize
    }

    /// The rank of a node in a round; the highest wins.
    fn rank(&self, i: usize, round: usize) -> usize {
        (i + round) % self.nodes as usize
    }

    fn start(&mut self, i: usize) {
        let (pre, post) = ([self.idle[i], self.free[i]], [self.active[i], self.number[i][i]]);
        self.add(&format!("start{i}"), &pre, &post);
    }

    /// Node i receives the number of another node k.
    fn receive(&mut self, i: usize, k: usize) {
        let b = self.before(i);
        let (message, emptied) = (self.number[b][k], self.free[b]);
        let (room, passed, own) = (self.free[i], self.number[i][k], self.number[i][i]);
        let (idle, active, passive) = (self.idle[i], self.active[i], self.passive[i]);
        for r in 0..self.rounds as usize {
            let now = self.round[r];
            let id = |what: &str| format!("{what}{i}_{k}_r{r}");
            if self.rank(k, r) > self.rank(i, r) {
                for (what, from) in [("join", idle), ("yield", active), ("pass", passive)] {
                    self.add(
                        &id(what),
                        &[message, room, from, now],
                        &[emptied, passed, passive, now],
                    );
                }
            } else {
                self.add(&id("replace"), &[message, room, idle, now], &[emptied, own, active, now]);
                for (what, state) in [("drop", active), ("ignore", passive)] {
                    self.add(&id(what), &[message, state, now], &[emptied, state, now]);
                }
            }
        }
    }

    /// Node i receives its own number.
    fn win(&mut self, i: usize) {
        let b = self.before(i);
        let (pre, post) = ([self.number[b][i], self.active[i]], [self.free[b], self.leader[i]]);
        self.add(&format!("win{i}"), &pre, &post);
        let (pre, post) =
            ([self.leader[i], self.free[i]], [self.announced[i], self.announcement[i]]);
        self.add(&format!("announce{i}"), &pre, &post);
    }

    /// An announcement reaches node i: others become idle, the leader ends the round.
    fn announce(&mut self, i: usize) {
        let b = self.before(i);
        let (message, emptied) = (self.announcement[b], self.free[b]);
        let (room, passed, idle) = (self.free[i], self.announcement[i], self.idle[i]);
        for (what, state) in [("reset_a", self.active[i]), ("reset_p", self.passive[i])] {
            self.add(&format!("{what}{i}"), &[message, room, state], &[emptied, passed, idle]);
        }
        for r in 0..self.rounds as usize {
            let (now, then) = (self.round[r], self.round[(r + 1) % self.rounds as usize]);
            let pre = [message, self.announced[i], now];
            self.add(&format!("finish{i}_r{r}"), &pre, &[emptied, idle, then]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_oracle::reachable_markings;

    /// No deadlock, at most one leader, and the right one in each round.
    #[test]
    fn elections_are_sound() {
        for (n, rotating) in [(2, false), (2, true), (3, false), (3, true)] {
            let net = leader_ring(n, rotating);
            let markings = reachable_markings(&net, 100_000).unwrap();
            let index = |name: &str| net.places().position(|p| p.id() == name).unwrap();
            let mut winners = 0;
            for m in &markings {
                assert!(m.iter().all(|&tokens| tokens <= 1));
                let enabled =
                    |t: brine_net::Transition<'_>| t.pre.iter().all(|&(p, w)| m[p.index()] >= w);
                assert!(net.transitions().any(enabled), "deadlock in {m:?}");
                let leads = |i: &u32| m[index(&format!("leader{i}"))] == 1;
                let leaders: Vec<u32> = (0..n).filter(leads).collect();
                assert!(leaders.len() <= 1);
                for &i in &leaders {
                    let rounds = if rotating { n } else { 1 };
                    let now = (0..rounds).find(|r| m[index(&format!("round{r}"))] == 1).unwrap();
                    assert_eq!((i + now) % n, n - 1, "node {i} won in round {now}");
                    winners |= 1u32 << i;
                }
            }
            assert_eq!(winners.count_ones(), if rotating { n } else { 1 });
        }
    }
}
