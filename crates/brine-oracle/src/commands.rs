//! Random guarded-command models, with the meaning of the language written down once more.
//!
//! Models are drawn as trees, printed as the text that the parser of `brine-pins` reads, and
//! interpreted here, by code of its own.

use brine_net::Rng;
use std::collections::BTreeSet;
use std::fmt;

/// Variables x0..x2 and arrays a0, a1 of three elements; all values are below three.
const VARIABLES: u32 = 3;
const ARRAYS: u32 = 2;
const LENGTH: u32 = 3;
const SLOTS: u32 = VARIABLES + ARRAYS * LENGTH;

/// An expression as a tree, with the meaning of the language written down once more.
#[derive(Clone, Debug)]
enum CommandTree {
    Number(u32),
    Variable(u32),
    Element(u32, Box<CommandTree>),
    Binary(&'static str, Box<CommandTree>, Box<CommandTree>),
    Not(Box<CommandTree>),
}

impl fmt::Display for CommandTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandTree::Number(n) => write!(f, "{n}"),
            CommandTree::Variable(x) => write!(f, "x{x}"),
            CommandTree::Element(a, i) => write!(f, "a{a}[{i}]"),
            CommandTree::Binary(op, l, r) => write!(f, "({l} {op} {r})"),
            CommandTree::Not(t) => write!(f, "(!{t})"),
        }
    }
}

impl CommandTree {
    fn value(&self, state: &[u32]) -> u32 {
        match self {
            CommandTree::Number(n) => *n,
            CommandTree::Variable(x) => state[*x as usize],
            CommandTree::Element(a, i) => state[(VARIABLES + a * LENGTH + i.value(state)) as usize],
            CommandTree::Not(t) => u32::from(t.value(state) == 0),
            CommandTree::Binary(op, l, r) => {
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
    fn random(rng: &mut Rng, depth: u32) -> CommandTree {
        let kind = if depth == 0 { rng.below(2) } else { rng.below(6) };
        let more = |rng: &mut Rng| Box::new(CommandTree::random(rng, depth - 1));
        match kind {
            0 => CommandTree::Number(rng.below(LENGTH)),
            1 | 2 => CommandTree::Variable(rng.below(VARIABLES)),
            3 => CommandTree::Element(rng.below(ARRAYS), more(rng)),
            _ => {
                let op = ["+", "*"][rng.below(2) as usize];
                let sum = Box::new(CommandTree::Binary(op, more(rng), more(rng)));
                CommandTree::Binary("%", sum, Box::new(CommandTree::Number(LENGTH)))
            }
        }
    }

    fn random_guard(rng: &mut Rng, depth: u32) -> CommandTree {
        let kind = if depth == 0 { rng.below(3) } else { rng.below(6) };
        let more = |rng: &mut Rng| Box::new(CommandTree::random_guard(rng, depth - 1));
        match kind {
            0 => CommandTree::Number(1),
            1 | 2 => {
                let (left, right) = (CommandTree::random(rng, 1), CommandTree::random(rng, 0));
                let op = ["=", "<"][rng.below(2) as usize];
                CommandTree::Binary(op, Box::new(left), Box::new(right))
            }
            3 => CommandTree::Not(more(rng)),
            4 => CommandTree::Binary("&", more(rng), more(rng)),
            _ => CommandTree::Binary("|", more(rng), more(rng)),
        }
    }
}

#[derive(Clone, Debug)]
struct RandomCommand {
    guard: CommandTree,
    updates: Vec<(CommandTree, CommandTree)>,
}

impl RandomCommand {
    fn random(rng: &mut Rng) -> RandomCommand {
        let mut updates: Vec<(CommandTree, CommandTree)> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let value = CommandTree::random(rng, 2);
            let target = match rng.below(3) {
                0 => CommandTree::Variable(rng.below(VARIABLES)),
                1 => CommandTree::Element(rng.below(ARRAYS), Box::new(CommandTree::random(rng, 0))),
                _ => {
                    let variable = Box::new(CommandTree::Variable(rng.below(VARIABLES)));
                    let sum =
                        CommandTree::Binary("+", variable, Box::new(CommandTree::random(rng, 1)));
                    let index = CommandTree::Binary(
                        "%",
                        Box::new(sum),
                        Box::new(CommandTree::Number(LENGTH)),
                    );
                    CommandTree::Element(rng.below(ARRAYS), Box::new(index))
                }
            };
            // The language refuses two assignments to one name.
            let text = target.to_string();
            if !updates.iter().any(|u| u.0.to_string() == text) {
                updates.push((target, value));
            }
        }
        RandomCommand { guard: CommandTree::random_guard(rng, 2), updates }
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
                    CommandTree::Variable(x) => *x,
                    CommandTree::Element(a, i) => VARIABLES + a * LENGTH + i.value(state),
                    _ => panic!("no target"),
                };
                after[slot as usize] = value.value(state);
            }
            after
        })
    }
}

/// A random model.
#[derive(Clone, Debug)]
pub struct RandomCommands {
    /// The values at the start: those of `x0`, `x1`, `x2`, `a0[0]`, `a0[1]` and so on.
    pub initial: Vec<u32>,
    commands: Vec<RandomCommand>,
}

/// The names of the slots, in their order.
pub fn slot_names() -> Vec<String> {
    let variables = (0..VARIABLES).map(|x| format!("x{x}"));
    let elements = (0..ARRAYS).flat_map(|a| (0..LENGTH).map(move |i| format!("a{a}[{i}]")));
    variables.chain(elements).collect()
}

impl RandomCommands {
    /// A model of two to six commands.
    pub fn new(rng: &mut Rng) -> Self {
        let initial = (0..SLOTS).map(|_| rng.below(LENGTH)).collect();
        let commands = (0..2 + rng.below(5)).map(|_| RandomCommand::random(rng)).collect();
        RandomCommands { initial, commands }
    }

    /// How many commands there are; they are called c0, c1, ..
    pub fn groups(&self) -> usize {
        self.commands.len()
    }

    /// The model in the language.
    pub fn text(&self) -> String {
        let (variables, elements) = self.initial.split_at(VARIABLES as usize);
        let mut text = String::new();
        for (i, value) in variables.iter().enumerate() {
            text.push_str(&format!("var x{i} = {value};\n"));
        }
        for (i, array) in elements.chunks(LENGTH as usize).enumerate() {
            let values: Vec<String> = array.iter().map(u32::to_string).collect();
            text.push_str(&format!("var a{i}[{LENGTH}] = {{{}}};\n", values.join(", ")));
        }
        for (i, command) in self.commands.iter().enumerate() {
            text.push_str(&command.text(&format!("c{i}")));
        }
        text
    }

    /// Where a command leads, if its guard holds.
    pub fn successor(&self, group: usize, state: &[u32]) -> Option<Vec<u32>> {
        self.commands[group].successor(state)
    }

    /// All reachable states, the initial one first; `None` if there are more than `limit`.
    pub fn states(&self, limit: usize) -> Option<Vec<Vec<u32>>> {
        let mut seen = BTreeSet::from([self.initial.clone()]);
        let mut all = vec![self.initial.clone()];
        let mut next = 0;
        while next < all.len() {
            let state = all[next].clone();
            for after in self.commands.iter().filter_map(|c| c.successor(&state)) {
                if seen.insert(after.clone()) {
                    all.push(after);
                }
            }
            if all.len() > limit {
                return None;
            }
            next += 1;
        }
        Some(all)
    }
}
