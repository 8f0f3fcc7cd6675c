//! The small example nets of the papers, made parametric.

use super::{finish, flat_nupn};
use brine_net::{Net, NetBuilder, Nupn, PlaceId, Unit};

/// The producer-consumer system with timeout of MVDBM16 figure 6 (one cell), as a pipeline
/// of `cells` buffer cells.
///
/// The figure itself is not in our copy of the paper. This is a reconstruction from the
/// prose of its Examples 1 and 2: three components with two places each, "left" (0) and
/// "right" (1); a decision diagram with one node per level, so all eight states are
/// reachable; and only the top level's (the consumer's) node-wise abstraction has a cycle,
/// in the order consumer, buffer, producer. The last fact means that the timeout must
/// involve the consumer ("if the consumer is too slow"): it needs the consumer at rest.
/// Places come in that order, left before right.
pub fn producer_consumer(cells: u32) -> Net {
    let cells = cells.max(1);
    let mut b = NetBuilder::new(&format!("producer-consumer-{cells}"));
    let rests = b.place("consumer_rests", 1);
    let consumes = b.place("consumer_consumes", 0);
    let buffer: Vec<[PlaceId; 2]> = (0..cells)
        .rev()
        .map(|i| [b.place(&format!("empty_{i}"), 1), b.place(&format!("full_{i}"), 0)])
        .collect();
    let ready = b.place("producer_ready", 1);
    let holds = b.place("producer_holds", 0);
    // The buffer is listed from the consumer's end.
    let (first, last) = (buffer[buffer.len() - 1], buffer[0]);
    b.transition("finish", &[(consumes, 1)], &[(rests, 1)]);
    b.transition("get", &[(rests, 1), (last[1], 1)], &[(consumes, 1), (last[0], 1)]);
    b.transition("timeout", &[(rests, 1), (last[1], 1)], &[(rests, 1), (last[0], 1)]);
    for (i, pair) in buffer.windows(2).enumerate() {
        let (to, from) = (pair[0], pair[1]);
        b.transition(
            &format!("move_{i}"),
            &[(from[1], 1), (to[0], 1)],
            &[(from[0], 1), (to[1], 1)],
        );
    }
    b.transition("put", &[(holds, 1), (first[0], 1)], &[(ready, 1), (first[1], 1)]);
    b.transition("produce", &[(ready, 1)], &[(holds, 1)]);
    let mut groups = vec![vec![rests, consumes]];
    groups.extend(buffer.iter().map(|cell| cell.to_vec()));
    groups.push(vec![ready, holds]);
    b.nupn(flat_nupn(groups));
    finish(b)
}

/// The 1-safe net of MKBP14 figure 2 and listing 1.1 (two branches; names as there): one
/// token forks into branches that each move between two places, and join again when all
/// are at their second place. 1 + 2^n reachable markings.
pub fn fork_join(branches: u32) -> Net {
    let mut b = NetBuilder::new(&format!("fork-join-{branches}"));
    let start = b.place("p0", 1);
    let pairs: Vec<[PlaceId; 2]> = (0..branches)
        .map(|i| [b.place(&format!("p{}", 2 * i + 1), 0), b.place(&format!("p{}", 2 * i + 2), 0)])
        .collect();
    let all = |k: usize| pairs.iter().map(|pair| (pair[k], 1)).collect::<Vec<_>>();
    b.transition("t0", &[(start, 1)], &all(0));
    for (i, &[near, far]) in pairs.iter().enumerate() {
        b.transition(&format!("t{}", 2 * i + 1), &[(near, 1)], &[(far, 1)]);
        b.transition(&format!("t{}", 2 * i + 2), &[(far, 1)], &[(near, 1)]);
    }
    b.transition(&format!("t{}", 2 * pairs.len() + 1), &all(1), &[(start, 1)]);
    let mut units = vec![Unit {
        id: "u0".to_owned(),
        places: vec![start],
        subunits: (1..=pairs.len()).collect(),
    }];
    units.extend(pairs.iter().enumerate().map(|(i, pair)| Unit {
        id: format!("u{}", i + 1),
        places: pair.to_vec(),
        subunits: Vec::new(),
    }));
    b.nupn(Nupn { units, root: 0, safe: true });
    finish(b)
}
