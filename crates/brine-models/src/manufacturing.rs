//! Two classics of symbolic state-space generation, with many tokens in few places.

use super::finish;
use brine_net::{Net, NetBuilder, PlaceId};

/// One kanban cell: cards, part on the machine, part to be redone, finished part.
struct KanbanCell {
    cards: PlaceId,
    machine: PlaceId,
    done: PlaceId,
}

/// The kanban system of Ciardo and Tilgner (1996): four cells with `n` cards each; a part
/// goes through cell 1, then through cells 2 and 3 at once, then through cell 4.
pub fn kanban(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("kanban-{n}"));
    let cells: Vec<KanbanCell> = (1..=4)
        .map(|i| {
            let machine = b.place(&format!("machine_{i}"), 0);
            let back = b.place(&format!("back_{i}"), 0);
            let cards = b.place(&format!("cards_{i}"), n);
            let done = b.place(&format!("done_{i}"), 0);
            b.transition(&format!("ok_{i}"), &[(machine, 1)], &[(done, 1)]);
            b.transition(&format!("fail_{i}"), &[(machine, 1)], &[(back, 1)]);
            b.transition(&format!("redo_{i}"), &[(back, 1)], &[(machine, 1)]);
            KanbanCell { cards, machine, done }
        })
        .collect();
    let [c1, c2, c3, c4] = cells.as_slice() else { unreachable!("four cells") };
    b.transition("enter", &[(c1.cards, 1)], &[(c1.machine, 1)]);
    b.transition(
        "split",
        &[(c1.done, 1), (c2.cards, 1), (c3.cards, 1)],
        &[(c1.cards, 1), (c2.machine, 1), (c3.machine, 1)],
    );
    b.transition(
        "join",
        &[(c2.done, 1), (c3.done, 1), (c4.cards, 1)],
        &[(c2.cards, 1), (c3.cards, 1), (c4.machine, 1)],
    );
    b.transition("leave", &[(c4.done, 1)], &[(c4.cards, 1)]);
    finish(b)
}

/// The flexible manufacturing system of Ciardo and Trivedi (1993): three kinds of parts
/// with `n` pallets each, three machines (with 3, 1 and 2 units), and an assembly of parts
/// 1 and 2.
pub fn fms(n: u32) -> Net {
    let mut b = NetBuilder::new(&format!("fms-{n}"));
    let part = |b: &mut NetBuilder, k: u32, units: u32| {
        let raw = b.place(&format!("P{k}"), n);
        let waits = b.place(&format!("P{k}_waits"), 0);
        let works = b.place(&format!("P{k}_works"), 0);
        let machine = b.place(&format!("M{k}"), units);
        let done = b.place(&format!("P{k}_done"), 0);
        let ships = b.place(&format!("P{k}_ships"), 0);
        let partner = b.place(&format!("P{k}_to_assembly"), 0);
        b.transition(&format!("arrive_{k}"), &[(raw, 1)], &[(waits, 1)]);
        b.transition(&format!("start_{k}"), &[(waits, 1), (machine, 1)], &[(works, 1)]);
        b.transition(&format!("finish_{k}"), &[(works, 1)], &[(done, 1), (machine, 1)]);
        b.transition(&format!("alone_{k}"), &[(done, 1)], &[(ships, 1)]);
        b.transition(&format!("ship_{k}"), &[(ships, 1)], &[(raw, 1)]);
        b.transition(&format!("pair_{k}"), &[(done, 1)], &[(partner, 1)]);
        (raw, machine, partner)
    };
    let (raw_1, _, partner_1) = part(&mut b, 1, 3);
    let (raw_2, machine_2, partner_2) = part(&mut b, 2, 1);
    assembly(&mut b, [raw_1, raw_2], [partner_1, partner_2]);
    third_part(&mut b, n, machine_2);
    finish(b)
}

/// Parts 1 and 2 meet and go through machine 3.
fn assembly(b: &mut NetBuilder, raw: [PlaceId; 2], partners: [PlaceId; 2]) {
    let both = b.place("P12", 0);
    let waits = b.place("P12_waits", 0);
    let works = b.place("P12_works", 0);
    let machine = b.place("M3", 2);
    let ships = b.place("P12_ships", 0);
    b.transition("meet", &partners.map(|p| (p, 1)), &[(both, 1)]);
    b.transition("arrive_12", &[(both, 1)], &[(waits, 1)]);
    b.transition("start_12", &[(waits, 1), (machine, 1)], &[(works, 1)]);
    b.transition("finish_12", &[(works, 1)], &[(ships, 1), (machine, 1)]);
    b.transition("ship_12", &[(ships, 1)], &raw.map(|p| (p, 1)));
}

/// Part 3 shares machine 2, which it uses in passing: it needs the machine to be free, but
/// does not occupy it.
fn third_part(b: &mut NetBuilder, n: u32, machine: PlaceId) {
    let raw = b.place("P3", n);
    let waits = b.place("P3_waits", 0);
    let ships = b.place("P3_ships", 0);
    b.transition("arrive_3", &[(raw, 1)], &[(waits, 1)]);
    b.transition("pass_3", &[(waits, 1), (machine, 1)], &[(ships, 1), (machine, 1)]);
    b.transition("ship_3", &[(ships, 1)], &[(raw, 1)]);
}
