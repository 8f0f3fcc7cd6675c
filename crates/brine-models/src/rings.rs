//! Rings of stations.

use super::finish;
use brine_net::{Net, NetBuilder, PlaceId};

/// One node of the slotted ring.
struct RingNode {
    /// The register for the slot that arrived: used, free, or none; and what leaves next.
    used_in: PlaceId,
    free_in: PlaceId,
    none: PlaceId,
    used_out: PlaceId,
    free_out: PlaceId,
    /// The link to the next node: offers a free slot, offers a used one, or is idle.
    offers_free: PlaceId,
    idle: PlaceId,
    offers_used: PlaceId,
}

/// The slotted ring network of Pastor, Roig, Cortadella and Badia (1994), with eight places
/// per node as in the symbolic literature since Ciardo. A node takes the slot that its
/// neighbour offers. A used slot may be its own (`owner`: then it is free again) or not
/// (`other`: pass it on); a free slot is filled (`write`) or passed on (`go`). `give` and
/// `put` hand the slot to the link.
pub fn slotted_ring(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("slotted-ring-{n}"));
    let nodes: Vec<RingNode> = (0..n)
        .map(|i| RingNode {
            offers_free: b.place(&format!("offers_free_{i}"), 1),
            idle: b.place(&format!("idle_{i}"), 0),
            offers_used: b.place(&format!("offers_used_{i}"), 0),
            used_in: b.place(&format!("used_in_{i}"), 0),
            free_in: b.place(&format!("free_in_{i}"), 0),
            none: b.place(&format!("none_{i}"), 1),
            used_out: b.place(&format!("used_out_{i}"), 0),
            free_out: b.place(&format!("free_out_{i}"), 0),
        })
        .collect();
    for (i, node) in nodes.iter().enumerate() {
        let next = &nodes[(i + 1) % nodes.len()];
        let mut add = |name: &str, pre: &[PlaceId], post: &[PlaceId]| {
            let ones = |places: &[PlaceId]| places.iter().map(|&p| (p, 1)).collect::<Vec<_>>();
            b.transition(&format!("{name}_{i}"), &ones(pre), &ones(post));
        };
        add("other", &[node.used_in], &[node.used_out]);
        add("owner", &[node.used_in], &[node.free_in]);
        add("write", &[node.free_in], &[node.used_out]);
        add("go", &[node.free_in], &[node.free_out]);
        add("give", &[node.free_out, node.idle], &[node.none, node.offers_free]);
        add("put", &[node.used_out, node.idle], &[node.none, node.offers_used]);
        add("used", &[node.offers_used, next.none], &[node.idle, next.used_in]);
        add("free", &[node.offers_free, next.none], &[node.idle, next.free_in]);
    }
    finish(b)
}

/// A ring with one token: a station that holds it may work if it wants to, and passes it
/// on when it does not work. (n * 2^n + n * 2^(n - 1) reachable markings: the position of
/// the token, whether each station wants to work, and whether the holder works.)
pub fn token_ring(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("token-ring-{n}"));
    let stations: Vec<[PlaceId; 4]> = (0..n)
        .map(|i| {
            [
                b.place(&format!("rest_{i}"), 1),
                b.place(&format!("want_{i}"), 0),
                b.place(&format!("work_{i}"), 0),
                b.place(&format!("token_{i}"), u32::from(i == 0)),
            ]
        })
        .collect();
    for (i, &[rest, want, work, token]) in stations.iter().enumerate() {
        let next = stations[(i + 1) % stations.len()][3];
        b.transition(&format!("ask_{i}"), &[(rest, 1)], &[(want, 1)]);
        b.transition(&format!("start_{i}"), &[(want, 1), (token, 1)], &[(work, 1)]);
        b.transition(&format!("stop_{i}"), &[(work, 1)], &[(rest, 1), (token, 1)]);
        b.transition(&format!("pass_{i}"), &[(token, 1)], &[(next, 1)]);
    }
    finish(b)
}
