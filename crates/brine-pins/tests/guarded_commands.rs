//! Random guarded-command models: the parser and every way of exploring against an
//! interpreter of its own. BRINE_CASES sets the number of models, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

mod common;

use brine_net::generate::Rng;
use brine_pins::{Dependency, GroupId, Pins, audit, gcl};
use common::{check_model, number};
use std::collections::BTreeSet;
use std::fmt;

/// Variables x0..x2 and arrays a0, a1 of three elements; all values are below three.
const VARIABLES: u32 = 3;
const ARRAYS: u32 = 2;
const LENGTH: u32 = 3;
const SLOTS: u32 = VARIABLES + ARRAYS * LENGTH;

/// An expression as a tree, with the meaning of the language written down once more.
enum Tree {
    Number(u32),
    Variable(u32),
    Element(u32, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Number(n) => write!(f, "{n}"),
            Tree::Variable(x) => write!(f, "x{x}"),
            Tree::Element(a, i) => write!(f, "a{a}[{i}]"),
            Tree::Binary(op, l, r) => write!(f, "({l} {op} {r})"),
            Tree::Not(t) => write!(f, "(!{t})"),
        }
    }
}

impl Tree {
    fn value(&self, state: &[u32]) -> u32 {
        match self {
            Tree::Number(n) => *n,
            Tree::Variable(x) => state[*x as usize],
            Tree::Element(a, i) => state[(VARIABLES + a * LENGTH + i.value(state)) as usize],
            Tree::Not(t) => u32::from(t.value(state) == 0),
            Tree::Binary(op, l, r) => {
                let (l, r) = (l.value(state), r.value(state));
                match *op {
                    "+" => l + r,
                    "*" => l * r,
                    "%" => l % r,
                    "=" => u32::from(l == r),
                    "<" => u32::from(l < r),
                    "&" => u32::from(l != 0 && r != 0),
                    "|" => u32::from(l != 0 || r != 0),
                    other => panic!("no operator {other}"),
                }
            }
        }
    }

    /// A value below three.
    fn random(rng: &mut Rng, depth: u32) -> Tree {
        let kind = if depth == 0 { rng.below(2) } else { rng.below(6) };
        let more = |rng: &mut Rng| Box::new(Tree::random(rng, depth - 1));
        match kind {
            0 => Tree::Number(rng.below(LENGTH)),
            1 | 2 => Tree::Variable(rng.below(VARIABLES)),
            3 => Tree::Element(rng.below(ARRAYS), more(rng)),
            _ => {
                let op = ["+", "*"][rng.below(2) as usize];
                let sum = Box::new(Tree::Binary(op, more(rng), more(rng)));
                Tree::Binary("%", sum, Box::new(Tree::Number(LENGTH)))
            }
        }
    }

    fn random_guard(rng: &mut Rng, depth: u32) -> Tree {
        let kind = if depth == 0 { rng.below(3) } else { rng.below(6) };
        let more = |rng: &mut Rng| Box::new(Tree::random_guard(rng, depth - 1));
        match kind {
            0 => Tree::Number(1),
            1 | 2 => {
                let (left, right) = (Tree::random(rng, 1), Tree::random(rng, 0));
                let op = ["=", "<"][rng.below(2) as usize];
                Tree::Binary(op, Box::new(left), Box::new(right))
            }
            3 => Tree::Not(more(rng)),
            4 => Tree::Binary("&", more(rng), more(rng)),
            _ => Tree::Binary("|", more(rng), more(rng)),
        }
    }
}

struct Command {
    guard: Tree,
    updates: Vec<(Tree, Tree)>,
}

impl Command {
    fn random(rng: &mut Rng) -> Command {
        let mut updates: Vec<(Tree, Tree)> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let value = Tree::random(rng, 2);
            let target = match rng.below(3) {
                0 => Tree::Variable(rng.below(VARIABLES)),
                1 => Tree::Element(rng.below(ARRAYS), Box::new(Tree::random(rng, 0))),
                _ => {
                    let variable = Box::new(Tree::Variable(rng.below(VARIABLES)));
                    let sum = Tree::Binary("+", variable, Box::new(Tree::random(rng, 1)));
                    let index = Tree::Binary("%", Box::new(sum), Box::new(Tree::Number(LENGTH)));
                    Tree::Element(rng.below(ARRAYS), Box::new(index))
                }
            };
            // The language refuses two assignments to one name.
            let text = target.to_string();
            if !updates.iter().any(|u| u.0.to_string() == text) {
                updates.push((target, value));
            }
        }
        Command { guard: Tree::random_guard(rng, 2), updates }
    }

    fn text(&self, name: &str) -> String {
        let updates: Vec<String> =
            self.updates.iter().map(|(target, value)| format!("{target} := {value}")).collect();
        format!("{name}: {} -> {};\n", self.guard, updates.join(", "))
    }

    fn successor(&self, state: &[u32]) -> Option<Vec<u32>> {
        (self.guard.value(state) != 0).then(|| {
            let mut after = state.to_vec();
            // Copies assign nothing.
            for (target, value) in
                self.updates.iter().filter(|u| u.0.to_string() != u.1.to_string())
            {
                let slot = match target {
                    Tree::Variable(x) => *x,
                    Tree::Element(a, i) => VARIABLES + a * LENGTH + i.value(state),
                    _ => panic!("no target"),
                };
                after[slot as usize] = value.value(state);
            }
            after
        })
    }
}

/// All states reachable by the interpreter above.
fn states(initial: Vec<u32>, commands: &[Command]) -> Option<Vec<Vec<u32>>> {
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut all = vec![initial];
    let mut next = 0;
    while next < all.len() {
        let state = all[next].clone();
        for after in commands.iter().filter_map(|c| c.successor(&state)) {
            if seen.insert(after.clone()) {
                all.push(after);
            }
        }
        if all.len() > 400 {
            return None;
        }
        next += 1;
    }
    Some(all)
}

#[test]
fn random_models_have_the_same_states_as_by_brute_force() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 4_000));
    let (mut seen, mut large, mut may_writes, mut collections) = (0, 0, 0, 0);
    let mut seed = first;
    while seen < count {
        let mut rng = Rng::new(seed);
        let initial: Vec<u32> = (0..SLOTS).map(|_| rng.below(LENGTH)).collect();
        let commands: Vec<Command> =
            (0..2 + rng.below(5)).map(|_| Command::random(&mut rng)).collect();
        seed += 1;
        let Some(states) = states(initial.clone(), &commands) else { continue };
        let mut text = String::new();
        for (i, value) in initial[..VARIABLES as usize].iter().enumerate() {
            text.push_str(&format!("var x{i} = {value};\n"));
        }
        for (i, array) in initial[VARIABLES as usize..].chunks(LENGTH as usize).enumerate() {
            let values: Vec<String> = array.iter().map(u32::to_string).collect();
            text.push_str(&format!("var a{i}[{LENGTH}] = {{{}}};\n", values.join(", ")));
        }
        for (i, command) in commands.iter().enumerate() {
            text.push_str(&command.text(&format!("c{i}")));
        }
        let model = gcl::parse(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        let audit = audit(&model, 400).unwrap();
        assert!(audit.complete && audit.violation.is_none(), "{audit:?} in\n{text}");
        assert_eq!(audit.states, states.len(), "BRINE_SEED={}\n{text}", seed - 1);
        large += u64::from(states.len() > 20);
        let may =
            |g: u32| model.row(GroupId(g)).combined().iter().any(|e| e.1 == Dependency::MayWrite);
        may_writes += u64::from((0..model.groups() as u32).any(may));
        collections += check_model(&model, states, &mut rng, seed - 1);
        seen += 1;
    }
    println!("seeds {first}..{seed}: {large} of {count} large, {may_writes} with may-writes");
    if count >= 1_000 {
        assert!(large > count / 20 && may_writes > count / 10 && collections > count);
    }
}
