//! A load balancer, and counters with many tokens.

use super::finish;
use brine_net::{Net, NetBuilder, PlaceId};

/// `n` clients, one balancer, two servers. A client's request goes to the balancer, which
/// sends it to a server that has no more requests than the other; a server answers its
/// requests one by one, in any order. The load of a server is a group of places, one per
/// number, so that loads can be compared.
pub fn load_balancer(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("load-balancer-{n}"));
    let ready = b.place("balancer_ready", 1);
    let loads: Vec<Vec<PlaceId>> = (0..2)
        .map(|s| (0..=n).map(|k| b.place(&format!("load_{s}_{k}"), u32::from(k == 0))).collect())
        .collect();
    let free: Vec<PlaceId> = (0..2).map(|s| b.place(&format!("server_{s}_free"), 1)).collect();
    for c in 0..n {
        let idle = b.place(&format!("idle_{c}"), 1);
        let asks = b.place(&format!("asks_{c}"), 0);
        let routed = b.place(&format!("routed_{c}"), 0);
        b.transition(&format!("ask_{c}"), &[(idle, 1)], &[(asks, 1)]);
        b.transition(&format!("route_{c}"), &[(asks, 1), (ready, 1)], &[(routed, 1)]);
        for s in 0..2 {
            let waits = b.place(&format!("waits_{s}_{c}"), 0);
            let served = b.place(&format!("served_{s}_{c}"), 0);
            send(
                &mut b,
                &format!("send_{s}_{c}"),
                [routed, waits, ready],
                [&loads[s], &loads[1 - s]],
            );
            b.transition(&format!("serve_{s}_{c}"), &[(waits, 1), (free[s], 1)], &[(served, 1)]);
            for k in 1..loads[s].len() {
                b.transition(
                    &format!("answer_{s}_{c}_{k}"),
                    &[(served, 1), (loads[s][k], 1)],
                    &[(idle, 1), (free[s], 1), (loads[s][k - 1], 1)],
                );
            }
        }
    }
    finish(b)
}

/// Sends a routed request to a server whose load is at most the other's.
fn send(
    b: &mut NetBuilder,
    name: &str,
    [routed, waits, ready]: [PlaceId; 3],
    [own, other]: [&Vec<PlaceId>; 2],
) {
    for k in 0..own.len() - 1 {
        for (m, &load) in other.iter().enumerate().skip(k).filter(|&(m, _)| k + m < own.len() - 1) {
            b.transition(
                &format!("{name}_{k}_{m}"),
                &[(routed, 1), (own[k], 1), (load, 1)],
                &[(waits, 1), (ready, 1), (own[k + 1], 1), (load, 1)],
            );
        }
    }
}

/// A number with `digits` digits from 0 to `largest`, each a place with its value and one
/// with the rest. The lowest digit counts up and down; a full digit can be exchanged for
/// one more in the next, and back. (largest + 1)^digits reachable markings.
pub fn counters(digits: u32, largest: u32) -> Net {
    let largest = largest.max(1);
    let mut b = NetBuilder::new(&format!("counters-{digits}-{largest}"));
    let places: Vec<[PlaceId; 2]> = (0..digits)
        .map(|i| [b.place(&format!("value_{i}"), 0), b.place(&format!("rest_{i}"), largest)])
        .collect();
    if let Some(&[value, rest]) = places.first() {
        b.transition("up", &[(rest, 1)], &[(value, 1)]);
        b.transition("down", &[(value, 1)], &[(rest, 1)]);
    }
    for (i, pair) in places.windows(2).enumerate() {
        let ([value, rest], [next, next_rest]) = (pair[0], pair[1]);
        let full = [(value, largest), (next_rest, 1)];
        let carried = [(rest, largest), (next, 1)];
        b.transition(&format!("carry_{i}"), &full, &carried);
        b.transition(&format!("borrow_{i}"), &carried, &full);
    }
    finish(b)
}
