//! The running example of MKBP14: Listing 1.1, Example 3, Table 2, figures 3 to 5.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_dd::{Control, Dd, NodeId};
use brine_net::Structure;
use brine_pins::{
    Dependency, Explorer, GroupId, NetModel, Pins, PinsStop, Plan, Strategy, gcl, matrix_text,
    reachable_states,
};

/// Listing 1.1 with the data of Example 3; also among the models that Brine ships.
const EXTENDED: &str = include_str!("../../../gcl/fork-join-data.gcl");

/// Listing 1.1 alone.
fn listing() -> gcl::GuardedCommands {
    let keep =
        |line: &&str| !["var i", "var b", "w:", "W:"].iter().any(|start| line.starts_with(start));
    let text: Vec<&str> = EXTENDED.lines().filter(keep).collect();
    gcl::parse(&text.join("\n")).unwrap()
}

#[test]
fn the_net_has_the_five_states_of_example_2() {
    let expected =
        [[0, 0, 1, 0, 1], [0, 0, 1, 1, 0], [0, 1, 0, 0, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 0]];
    let net = brine_models::fork_join(2);
    let bounds = Structure::new(&net).bounds;
    let models: [&dyn Pins; 2] = [&NetModel::new(&net, &bounds), &listing()];
    for model in models {
        for strategy in Strategy::ALL {
            let mut explorer = Explorer::new(model, &Plan::new(model), Control::default());
            let reached = explorer.reach(strategy).unwrap();
            let states: Vec<Vec<u32>> = explorer.dd.vectors(reached).collect();
            assert_eq!(states, expected, "{strategy:?}");
        }
    }
}

#[test]
fn table_2() {
    // Columns p0 p1 p2 p3 p4 i b0 b1. The paper's table leaves t5 out; its row follows from
    // the listing: it reads and clears p2 and p4, and sets p0.
    let table = [
        "+w-w----", "-+w-----", "-w+-----", "---+w---", "---w+---", "w-+-+---", "-r---w--",
        "-----rWW",
    ];
    assert_eq!(matrix_text(&gcl::parse(EXTENDED).unwrap()), table);
    // As a net, the first five columns are the same: the places are proved to be safe.
    let net = brine_models::fork_join(2);
    let model = NetModel::new(&net, &Structure::new(&net).bounds);
    let five: Vec<String> = table[..6].iter().map(|row| row[..5].to_owned()).collect();
    assert_eq!(matrix_text(&model), five);
}

#[test]
fn the_extended_net_is_explored_with_copies() -> Result<(), PinsStop> {
    let model = gcl::parse(EXTENDED).unwrap();
    let expected = reachable_states(&model, 1000)?.unwrap().len();
    for strategy in Strategy::ALL {
        let mut explorer = Explorer::new(&model, &Plan::new(&model), Control::default());
        let reached = explorer.reach(strategy)?;
        assert_eq!(explorer.dd.count(reached).to_string(), expected.to_string(), "{strategy:?}");
        // W reads i alone, so two calls tell everything: one for each value of i.
        assert_eq!(explorer.counters().next_state[7], 2, "{strategy:?}");
    }
    Ok(())
}

#[test]
fn figure_4_projections_with_and_without_separation() -> Result<(), PinsStop> {
    let model = listing();
    let calls_of_t0 = |plan: &Plan| -> Result<u64, PinsStop> {
        let mut explorer = Explorer::new(&model, plan, Control::default());
        explorer.reach(Strategy::BfsPrev)?;
        Ok(explorer.counters().next_state[0])
    };
    let mut plan = Plan::new(&model);
    // Read-projected, the five states are two short vectors: p0 = 1 and p0 = 0.
    assert_eq!(calls_of_t0(&plan)?, 2);
    // On p0, p1 and p3 they are five: four of them with p0 = 0.
    plan.must_to_may();
    assert_eq!(calls_of_t0(&plan)?, 2, "a may-write is not read either");
    plan.may_to_read_write();
    assert_eq!(calls_of_t0(&plan)?, 5);
    Ok(())
}

#[test]
fn figure_5_the_square_as_a_diagram() {
    let mut dd = Dd::default();
    let mut square = NodeId::EMPTY;
    for vector in [[0, 0], [0, 1], [1, 0], [1, 1]] {
        let one = dd.singleton(&vector).unwrap();
        square = dd.union(square, one).unwrap();
    }
    // Two nodes for x0, and two for x1, shared below both values of x0.
    assert_eq!(dd.node_count(square), 4);
    let [zero, one]: [(u32, NodeId); 2] = dd.arcs(square).collect::<Vec<_>>().try_into().unwrap();
    assert_eq!((zero.0, one.0, zero.1), (0, 1, one.1));
    assert_eq!(dd.arcs(zero.1).collect::<Vec<_>>(), [(0, NodeId::UNIT), (1, NodeId::UNIT)]);
}

#[test]
fn figure_3_the_order_of_dependencies() {
    use Dependency::{Copy, MayWrite, MustWrite, Read, ReadWrite};
    let all = [Copy, Read, MustWrite, MayWrite, ReadWrite];
    let below = |b: Dependency| all.into_iter().filter(|a| a.is_below(b)).collect::<Vec<_>>();
    assert_eq!(below(Copy), [Copy]);
    assert_eq!(below(Read), [Copy, Read]);
    assert_eq!(below(MustWrite), [MustWrite]);
    assert_eq!(below(MayWrite), [Copy, MustWrite, MayWrite]);
    assert_eq!(below(ReadWrite), all);
}

#[test]
fn assignments_of_example_1() {
    // c := c + 1, a[i] := a[1 - i], i := c
    let text = "var c = 0; var a[2] = {3, 5}; var i = 0;
                t: c < 1 -> c := c + 1, a[i] := a[1 - i], i := c;";
    let model = gcl::parse(text).unwrap();
    assert_eq!(matrix_text(&model), ["++++"]);
    assert_eq!(model.step(GroupId(0), &[0, 3, 5, 0]).unwrap(), [[1, 5, 5, 0]]);
    assert_eq!(model.step(GroupId(0), &[0, 3, 5, 1]).unwrap(), [[1, 3, 3, 0]]);
    assert!(model.step(GroupId(0), &[1, 3, 5, 1]).unwrap().is_empty());
}
