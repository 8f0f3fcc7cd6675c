//! Our own coloured nets.

use super::symmetric::{
    SymmetricNet, SymmetricPlace, SymmetricSort, SymmetricTerm, SymmetricTransition,
};

fn names(n: u32) -> Vec<String> {
    (0..n).map(|i| i.to_string()).collect()
}

fn place(id: &str, sort: usize, initial: Option<SymmetricTerm>) -> SymmetricPlace {
    SymmetricPlace { id: id.to_owned(), sort, initial }
}

fn transition(
    id: &str,
    inputs: Vec<(usize, SymmetricTerm)>,
    outputs: Vec<(usize, SymmetricTerm)>,
) -> SymmetricTransition {
    SymmetricTransition { id: id.to_owned(), guard: None, inputs, outputs }
}

/// The philosophers of [`super::philosophers`], as one coloured seat: unfolding gives the
/// same net up to names and order.
pub fn philosophers_coloured(n: u32) -> SymmetricNet {
    const SEAT: usize = 0;
    let [fork, think, left, right, eat] = [0, 1, 2, 3, 4];
    let x = || SymmetricTerm::Variable(0);
    let next = || SymmetricTerm::Successor(Box::new(x()));
    let both = || SymmetricTerm::Add(vec![x(), next()]);
    SymmetricNet {
        name: format!("philosophers-coloured-{n}"),
        sorts: vec![("Seat".to_owned(), SymmetricSort::Cyclic(names(n)))],
        variables: vec![("x".to_owned(), SEAT)],
        places: vec![
            place("fork", SEAT, Some(SymmetricTerm::All(SEAT))),
            place("think", SEAT, Some(SymmetricTerm::All(SEAT))),
            place("left", SEAT, None),
            place("right", SEAT, None),
            place("eat", SEAT, None),
        ],
        transitions: vec![
            transition("take_left", vec![(think, x()), (fork, x())], vec![(left, x())]),
            transition("take_right", vec![(think, x()), (fork, next())], vec![(right, x())]),
            transition("then_right", vec![(left, x()), (fork, next())], vec![(eat, x())]),
            transition("then_left", vec![(right, x()), (fork, x())], vec![(eat, x())]),
            transition("put", vec![(eat, x())], vec![(think, x()), (fork, both())]),
        ],
    }
}

/// The replicated database that textbooks on coloured nets use (after Genrich and
/// Lautenbach): a site changes its copy and sends a message to every other site, which
/// each follow and acknowledge; one change at a time. 1 + n * 3^(n - 1) markings: nothing
/// is going on, or one of n sites waits while each other site has not begun, is at work,
/// or is done.
pub fn database_coloured(n: u32) -> SymmetricNet {
    let [site, message, dot] = [0, 1, 2];
    let [idle, waiting, working, unused, sent, received, answered, exclusive] =
        [0, 1, 2, 3, 4, 5, 6, 7];
    let (s, r) = (|| SymmetricTerm::Variable(0), || SymmetricTerm::Variable(1));
    let token = || SymmetricTerm::Constant(dot, 0);
    let pair = |a: SymmetricTerm, b: SymmetricTerm| SymmetricTerm::Tuple(vec![a, b]);
    let minus =
        |a: SymmetricTerm, b: SymmetricTerm| SymmetricTerm::Subtract(Box::new(a), Box::new(b));
    // The messages from s: to every site but itself.
    let messages = || minus(pair(s(), SymmetricTerm::All(site)), pair(s(), s()));
    let own = |i| pair(SymmetricTerm::Constant(site, i), SymmetricTerm::Constant(site, i));
    let all_messages =
        minus(SymmetricTerm::All(message), SymmetricTerm::Add((0..n).map(own).collect()));
    SymmetricNet {
        name: format!("database-coloured-{n}"),
        sorts: vec![
            ("Site".to_owned(), SymmetricSort::Finite(names(n))),
            ("Message".to_owned(), SymmetricSort::Product(vec![site, site])),
            ("Dot".to_owned(), SymmetricSort::Dot),
        ],
        variables: vec![("s".to_owned(), site), ("r".to_owned(), site)],
        places: vec![
            place("idle", site, Some(SymmetricTerm::All(site))),
            place("waiting", site, None),
            place("working", site, None),
            place("unused", message, Some(all_messages)),
            place("sent", message, None),
            place("received", message, None),
            place("answered", message, None),
            place("exclusive", dot, Some(token())),
        ],
        transitions: vec![
            transition(
                "change",
                vec![(idle, s()), (exclusive, token()), (unused, messages())],
                vec![(waiting, s()), (sent, messages())],
            ),
            transition(
                "follow",
                vec![(idle, r()), (sent, pair(s(), r()))],
                vec![(working, r()), (received, pair(s(), r()))],
            ),
            transition(
                "answer",
                vec![(working, r()), (received, pair(s(), r()))],
                vec![(idle, r()), (answered, pair(s(), r()))],
            ),
            transition(
                "finish",
                vec![(waiting, s()), (answered, messages())],
                vec![(idle, s()), (exclusive, token()), (unused, messages())],
            ),
        ],
    }
}
