//! Random DVE programs, with the meaning of the language written down once more.
//!
//! Programs are drawn as trees, printed as text with no more parentheses than needed, and
//! interpreted here, by code of its own: values are integers by name, a state is made anew for
//! every step. Most programs stay within their types; some divide by zero, index too far or
//! overflow, and then there is the error state.

use brine_net::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Values of the array.
const LENGTH: i64 = 3;

/// An expression.
#[derive(Clone, Debug)]
pub enum DveTree {
    /// A number.
    Number(i64),
    /// A variable: a global one, or one of a process.
    Variable(Option<usize>, &'static str),
    /// An element of the global array.
    Element(Box<DveTree>),
    /// Whether a process is at a location.
    At(usize, usize),
    /// An operator before its operand.
    Unary(&'static str, Box<DveTree>),
    /// An operator between its operands.
    Binary(&'static str, Box<DveTree>, Box<DveTree>),
}

/// A step went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong;

/// The values of a state, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct DveValues {
    globals: BTreeMap<&'static str, i64>,
    array: [i64; LENGTH as usize],
    buffer: Vec<i64>,
    processes: Vec<(usize, BTreeMap<&'static str, i64>)>,
}

/// How tightly an operator binds, and what a program that groups to the left prints.
fn tightness(operator: &str) -> u32 {
    match operator {
        "imply" => 0,
        "&&" | "||" => 1,
        "&" | "|" | "^" => 2,
        "==" | "!=" => 3,
        "<" | "<=" | ">" | ">=" => 4,
        "<<" | ">>" => 5,
        "+" | "-" => 6,
        _ => 7,
    }
}

impl DveTree {
    /// The text, as process `home` writes it; outside of processes there is none.
    pub fn text(&self, home: Option<usize>) -> String {
        match self {
            DveTree::Number(n) if *n < 0 => format!("(-{})", -n),
            DveTree::Number(n) => n.to_string(),
            DveTree::Variable(None, name) => (*name).to_owned(),
            DveTree::Variable(owner, name) if *owner == home => (*name).to_owned(),
            DveTree::Variable(Some(p), name) => format!("P{p}->{name}"),
            DveTree::Element(index) => format!("a[{}]", index.text(home)),
            DveTree::At(p, l) => format!("P{p}.s{l}"),
            DveTree::Unary(operator, operand) => {
                let text = operand.text(home);
                match **operand {
                    DveTree::Binary(..) => format!("{operator} ({text})"),
                    _ => format!("{operator} {text}"),
                }
            }
            DveTree::Binary(operator, left, right) => {
                let side = |t: &DveTree, least| match t {
                    DveTree::Binary(o, ..) if tightness(o) < least => format!("({})", t.text(home)),
                    _ => t.text(home),
                };
                let own = tightness(operator);
                format!("{} {operator} {}", side(left, own), side(right, own + 1))
            }
        }
    }

    /// The text with all parentheses, as formulas about the program need it.
    pub fn text_with_parentheses(&self) -> String {
        match self {
            DveTree::Element(index) => format!("a[{}]", index.text_with_parentheses()),
            DveTree::Unary(operator, operand) => {
                format!("({operator} {})", operand.text_with_parentheses())
            }
            DveTree::Binary(operator, left, right) => {
                let (left, right) = (left.text_with_parentheses(), right.text_with_parentheses());
                format!("({left} {operator} {right})")
            }
            leaf => leaf.text(None),
        }
    }

    fn value(&self, s: &DveValues) -> Result<i64, Wrong> {
        Ok(match self {
            DveTree::Number(n) => *n,
            DveTree::Variable(None, name) => s.globals[name],
            DveTree::Variable(Some(p), name) => s.processes[*p].1[name],
            DveTree::Element(index) => s.array[element(index.value(s)?)?],
            DveTree::At(p, l) => i64::from(s.processes[*p].0 == *l),
            DveTree::Unary(operator, operand) => {
                let v = operand.value(s)?;
                match *operator {
                    "-" => wrapped(-v),
                    "~" => -v - 1,
                    _ => i64::from(v == 0),
                }
            }
            DveTree::Binary(operator, left, right) => {
                let l = left.value(s)?;
                match (*operator, l != 0) {
                    ("&&", false) => return Ok(0),
                    ("||", true) | ("imply", false) => return Ok(1),
                    _ => (),
                }
                let r = right.value(s)?;
                match *operator {
                    "&&" | "||" | "imply" => i64::from(r != 0),
                    "+" => wrapped(l + r),
                    "-" => wrapped(l - r),
                    "*" => wrapped(l * r),
                    "/" | "%" if r == 0 => return Err(Wrong),
                    "/" => wrapped(l / r),
                    "%" => l % r,
                    "&" => l & r,
                    "|" => l | r,
                    "^" => l ^ r,
                    "<<" => wrapped(l << (r & 31)),
                    ">>" => l >> (r & 31),
                    "==" => i64::from(l == r),
                    "!=" => i64::from(l != r),
                    "<" => i64::from(l < r),
                    "<=" => i64::from(l <= r),
                    ">" => i64::from(l > r),
                    ">=" => i64::from(l >= r),
                    other => panic!("no operator {other}"),
                }
            }
        })
    }
}

/// The value in arithmetic of 32 bits.
fn wrapped(value: i64) -> i64 {
    let low = value & 0xFFFF_FFFF;
    if low >= 1 << 31 { low - (1 << 32) } else { low }
}

fn element(index: i64) -> Result<usize, Wrong> {
    if (0..LENGTH).contains(&index) { Ok(index as usize) } else { Err(Wrong) }
}

/// What a transition does with a channel: `c` has no type, `d` has one, `b` has a buffer.
#[derive(Clone, Debug)]
enum DveMessage {
    None,
    Send(&'static str, Option<DveTree>),
    Receive(&'static str, Option<DveTree>),
}

#[derive(Clone, Debug)]
struct RandomTransition {
    from: usize,
    to: usize,
    guard: Option<DveTree>,
    message: DveMessage,
    effects: Vec<(DveTree, DveTree)>,
}

#[derive(Clone, Debug)]
struct RandomProcess {
    locations: usize,
    initial: usize,
    committed: Vec<bool>,
    transitions: Vec<RandomTransition>,
}

/// A random program.
///
/// ```
/// use brine_net::Rng;
/// use brine_oracle::dve::RandomDve;
/// let program = RandomDve::new(&mut Rng::new(1));
/// assert!(program.text().contains("system"));
/// ```
#[derive(Clone, Debug)]
pub struct RandomDve {
    processes: Vec<RandomProcess>,
    capacity: usize,
    synchronous: bool,
}

/// All that a program does.
#[derive(Clone, Debug)]
pub struct DveSpace {
    /// The states as vectors of numbers, in the order of the text: `int` without its sign.
    pub states: Vec<Vec<u32>>,
    /// The numbers of each state's successors, one for each step.
    pub next: Vec<Vec<usize>>,
    /// Whether some step goes wrong.
    pub wrong: bool,
    values: Vec<Option<DveValues>>,
}

const GLOBALS: [&str; 3] = ["g", "k", "h"];
/// The one of two bytes.
const WIDE: &str = "h";

impl RandomDve {
    /// Draws a program.
    pub fn new(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(3) as usize;
        let locations: Vec<usize> = (0..count).map(|_| 1 + rng.below(3) as usize).collect();
        let capacity = rng.below(3) as usize;
        let synchronous = rng.chance(8);
        let process = |(p, &n): (usize, &usize)| {
            let mut draw = Draw { rng, locations: &locations, home: p, capacity };
            RandomProcess {
                locations: n,
                initial: draw.rng.below(n as u32) as usize,
                committed: (0..n).map(|_| draw.rng.chance(7)).collect(),
                transitions: (0..2 + draw.rng.below(5)).map(|_| draw.transition(n)).collect(),
            }
        };
        let processes = locations.iter().enumerate().map(process).collect();
        RandomDve { processes, capacity, synchronous }
    }

    /// The program as text.
    pub fn text(&self) -> String {
        let mut text =
            String::from("byte g = 1, k; int h = -1;\nbyte a[3] = {0, 1};\nchannel c;\n");
        let _ = writeln!(text, "channel {{byte}} d[0], b[{}];", self.capacity);
        for (p, process) in self.processes.iter().enumerate() {
            let names = |marked: &dyn Fn(usize) -> bool| {
                let names = (0..process.locations).filter(|&l| marked(l));
                names.map(|l| format!("s{l}")).collect::<Vec<_>>().join(", ")
            };
            let _ = write!(text, "process P{p} {{ byte x; state {};", names(&|_| true));
            let _ = write!(text, " init s{};", process.initial);
            if process.committed.contains(&true) {
                let _ = write!(text, " commit {};", names(&|l| process.committed[l]));
            }
            let transitions: Vec<String> = process.transitions.iter().map(|t| t.text(p)).collect();
            let _ = writeln!(text, "\ntrans {};\n}}", transitions.join(",\n "));
        }
        text.push_str(if self.synchronous { "system sync;\n" } else { "system async;\n" });
        text
    }

    /// An expression about the whole program, as formulas use them.
    pub fn expression(&self, rng: &mut Rng) -> DveTree {
        let locations: Vec<usize> = self.processes.iter().map(|p| p.locations).collect();
        let home = rng.below(self.processes.len() as u32) as usize;
        Draw { rng, locations: &locations, home, capacity: 0 }.guard(2)
    }

    /// All reachable states, or `None` if there are more than `limit`.
    pub fn space(&self, limit: usize) -> Option<DveSpace> {
        let initial = DveValues {
            globals: BTreeMap::from([("g", 1), ("k", 0), (WIDE, -1)]),
            array: [0, 1, 0],
            buffer: Vec::new(),
            processes: self
                .processes
                .iter()
                .map(|p| (p.initial, BTreeMap::from([("x", 0)])))
                .collect(),
        };
        let mut number = BTreeMap::from([(Some(initial.clone()), 0)]);
        let mut values = vec![Some(initial)];
        let mut next: Vec<Vec<usize>> = Vec::new();
        while let Some(value) = values.get(next.len()).cloned() {
            let successors = value.map_or(Vec::new(), |v| self.successors(&v));
            let mut numbers = Vec::new();
            for successor in successors {
                let fresh = values.len();
                let at = *number.entry(successor.clone()).or_insert(fresh);
                if at == fresh {
                    values.push(successor);
                }
                numbers.push(at);
            }
            if values.len() > limit {
                return None;
            }
            next.push(numbers);
        }
        let wrong = values.contains(&None);
        let states = values.iter().map(|v| self.vector(v.as_ref())).collect();
        Some(DveSpace { states, next, wrong, values })
    }

    /// A state as numbers.
    fn vector(&self, values: Option<&DveValues>) -> Vec<u32> {
        let width = if self.capacity > 0 { 1 + self.capacity } else { 0 };
        let Some(v) = values else {
            let mut vector = vec![0; GLOBALS.len() + LENGTH as usize + width];
            for (p, process) in self.processes.iter().enumerate() {
                vector.push(if p == 0 { process.locations as u32 } else { 0 });
                vector.push(0);
            }
            return vector;
        };
        let mut vector: Vec<i64> = GLOBALS.iter().map(|g| v.globals[g]).collect();
        vector.extend(v.array);
        if self.capacity > 0 {
            vector.push(v.buffer.len() as i64);
            vector.extend((0..self.capacity).map(|i| v.buffer.get(i).copied().unwrap_or(0)));
        }
        vector.extend(v.processes.iter().flat_map(|(l, locals)| [*l as i64, locals["x"]]));
        vector.iter().map(|&value| (value & 0xFFFF) as u32).collect()
    }

    /// One entry for each step; `None` where it goes wrong.
    fn successors(&self, s: &DveValues) -> Vec<Option<DveValues>> {
        let all: Vec<(usize, &RandomTransition)> = self
            .processes
            .iter()
            .enumerate()
            .flat_map(|(p, process)| process.transitions.iter().map(move |t| (p, t)))
            .collect();
        if self.synchronous {
            return self.synchronous_successors(s);
        }
        let mut found = Vec::new();
        for &(p, t) in &all {
            match &t.message {
                DveMessage::Send(channel, value) if !self.is_buffered(channel) => {
                    for &(q, u) in &all {
                        if let DveMessage::Receive(other, target) = &u.message
                            && other == channel
                            && p != q
                        {
                            let message = (*channel, value.as_ref(), target.as_ref());
                            found.extend(self.meeting(s, (p, t), (q, u), message).transpose());
                        }
                    }
                }
                DveMessage::Receive(channel, _) if !self.is_buffered(channel) => (),
                _ => found.extend(self.alone(s, p, t).transpose()),
            }
        }
        found.into_iter().map(Result::ok).collect()
    }

    fn is_buffered(&self, channel: &str) -> bool {
        channel == "b" && self.capacity > 0
    }

    /// Whether the transition can be taken, messages aside.
    fn ready(&self, s: &DveValues, p: usize, t: &RandomTransition) -> Result<bool, Wrong> {
        let committed = |p: usize| self.processes[p].committed[s.processes[p].0];
        if s.processes[p].0 != t.from {
            return Ok(false);
        }
        if !self.synchronous && (0..self.processes.len()).any(committed) && !committed(p) {
            return Ok(false);
        }
        t.guard.as_ref().map_or(Ok(true), |guard| Ok(guard.value(s)? != 0))
    }

    fn alone(
        &self,
        s: &DveValues,
        p: usize,
        t: &RandomTransition,
    ) -> Result<Option<DveValues>, Wrong> {
        if !self.ready(s, p, t)? {
            return Ok(None);
        }
        match t.message {
            DveMessage::Send(..) if s.buffer.len() == self.capacity => return Ok(None),
            DveMessage::Receive(..) if s.buffer.is_empty() => return Ok(None),
            _ => (),
        }
        let mut after = effects(s.clone(), p, t)?;
        match &t.message {
            DveMessage::Send(_, value) => {
                let value = value.as_ref().map_or(Ok(0), |v| v.value(&after))?;
                after.buffer.push(value & 0xFF);
            }
            DveMessage::Receive(_, target) => {
                let value = after.buffer.remove(0);
                if let Some(target) = target {
                    after = assigned(after, target, value, Some(s))?;
                }
            }
            DveMessage::None => (),
        }
        Ok(Some(after))
    }

    fn meeting(
        &self,
        s: &DveValues,
        (p, t): (usize, &RandomTransition),
        (q, u): (usize, &RandomTransition),
        (channel, value, target): (&str, Option<&DveTree>, Option<&DveTree>),
    ) -> Result<Option<DveValues>, Wrong> {
        // Who is at the wrong place, or not committed, has no guard to go wrong.
        for (p, t) in [(p, t), (q, u)] {
            let plain = RandomTransition { guard: None, ..t.clone() };
            if !self.ready(s, p, &plain)? {
                return Ok(None);
            }
        }
        if !self.ready(s, p, t)? || !self.ready(s, q, u)? {
            return Ok(None);
        }
        if globals_of(t).intersection(&globals_of(u)).next().is_some() {
            return Err(Wrong);
        }
        let mut after = s.clone();
        if let (Some(value), Some(target)) = (value, target) {
            let mut value = value.value(s)?;
            if channel != "c" {
                value &= 0xFF;
            }
            after = assigned(after, target, value, Some(s))?;
        }
        effects(effects(after, q, u)?, p, t).map(Some)
    }

    fn synchronous_successors(&self, s: &DveValues) -> Vec<Option<DveValues>> {
        // All ways to choose a transition of each process.
        let mut ways: Vec<Vec<&RandomTransition>> = vec![Vec::new()];
        for process in &self.processes {
            let mut longer = Vec::new();
            for way in &ways {
                longer.extend(process.transitions.iter().map(|t| [&way[..], &[t]].concat()));
            }
            ways = longer;
        }
        let mut found = Vec::new();
        for way in ways {
            found.extend(self.all_at_once(s, &way).transpose());
        }
        found.into_iter().map(Result::ok).collect()
    }

    fn all_at_once(
        &self,
        s: &DveValues,
        way: &[&RandomTransition],
    ) -> Result<Option<DveValues>, Wrong> {
        if way.iter().enumerate().any(|(p, t)| s.processes[p].0 != t.from) {
            return Ok(None);
        }
        for (p, t) in way.iter().enumerate() {
            if !self.ready(s, p, t)? {
                return Ok(None);
            }
        }
        let mut taken = BTreeSet::new();
        let mut after = s.clone();
        for (p, t) in way.iter().enumerate() {
            let globals = globals_of(t);
            if taken.intersection(&globals).next().is_some() {
                return Err(Wrong);
            }
            let alone = effects(s.clone(), p, t)?;
            after.processes[p] = alone.processes[p].clone();
            for global in &globals {
                match *global {
                    "a" => after.array = alone.array,
                    name => {
                        after.globals.insert(name, alone.globals[name]);
                    }
                }
            }
            taken.extend(globals);
        }
        Ok(Some(after))
    }
}

impl DveSpace {
    /// Whether an expression is true in a state; it says nothing about the error state.
    pub fn holds(&self, tree: &DveTree, state: usize) -> Option<bool> {
        let values = self.values[state].as_ref()?;
        tree.value(values).ok().map(|value| value != 0)
    }
}

/// The global variables that a transition's effects assign to.
fn globals_of(t: &RandomTransition) -> BTreeSet<&'static str> {
    let target = |(target, _): &(DveTree, DveTree)| match target {
        DveTree::Variable(None, name) => Some(*name),
        DveTree::Element(_) => Some("a"),
        _ => None,
    };
    t.effects.iter().filter_map(target).collect()
}

/// A value is assigned; the element is chosen by the state `by`, if there is one.
fn assigned(
    mut s: DveValues,
    target: &DveTree,
    value: i64,
    by: Option<&DveValues>,
) -> Result<DveValues, Wrong> {
    let fits = match target {
        DveTree::Variable(_, name) if *name == WIDE => (-32_768..=32_767).contains(&value),
        _ => (0..=255).contains(&value),
    };
    match target {
        DveTree::Variable(None, name) => {
            s.globals.insert(name, value);
        }
        DveTree::Variable(Some(p), name) => {
            s.processes[*p].1.insert(name, value);
        }
        DveTree::Element(index) => {
            let at = element(index.value(by.unwrap_or(&s))?)?;
            s.array[at] = value;
        }
        other => panic!("{other:?} is no variable"),
    }
    if fits { Ok(s) } else { Err(Wrong) }
}

/// The process moves, and its effects come one after the other.
fn effects(mut s: DveValues, p: usize, t: &RandomTransition) -> Result<DveValues, Wrong> {
    s.processes[p].0 = t.to;
    for (target, value) in &t.effects {
        let value = value.value(&s)?;
        s = assigned(s, target, value, None)?;
    }
    Ok(s)
}

impl RandomTransition {
    fn text(&self, p: usize) -> String {
        let mut text = format!("s{} -> s{} {{", self.from, self.to);
        let home = Some(p);
        if let Some(guard) = &self.guard {
            let _ = write!(text, " guard {};", guard.text(home));
        }
        let value = |v: &Option<DveTree>| v.as_ref().map_or(String::new(), |v| v.text(home));
        match &self.message {
            DveMessage::None => (),
            DveMessage::Send(channel, v) => {
                let _ = write!(text, " sync {channel}!{};", value(v));
            }
            DveMessage::Receive(channel, v) => {
                let _ = write!(text, " sync {channel}?{};", value(v));
            }
        }
        let effect =
            |(target, v): &(DveTree, DveTree)| format!("{} = {}", target.text(home), v.text(home));
        if !self.effects.is_empty() {
            let effects: Vec<String> = self.effects.iter().map(effect).collect();
            let _ = write!(text, " effect {};", effects.join(", "));
        }
        text + " }"
    }
}

/// Draws parts of a program.
struct Draw<'r> {
    rng: &'r mut Rng,
    locations: &'r [usize],
    home: usize,
    capacity: usize,
}

impl Draw<'_> {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.below(of.len() as u32) as usize]
    }

    fn transition(&mut self, locations: usize) -> RandomTransition {
        let n = locations as u32;
        let message = self.message();
        RandomTransition {
            from: self.rng.below(n) as usize,
            to: self.rng.below(n) as usize,
            guard: self.rng.chance(40).then(|| self.guard(2)),
            message,
            effects: (0..self.rng.below(4)).map(|_| self.effect()).collect(),
        }
    }

    fn message(&mut self) -> DveMessage {
        if self.rng.chance(55) {
            return DveMessage::None;
        }
        let channel =
            if self.capacity > 0 { self.one(&["c", "d", "b", "b"]) } else { self.one(&["c", "d"]) };
        // An untyped channel may pass nothing.
        let valued = channel != "c" || self.rng.chance(60);
        match self.rng.chance(50) {
            true => DveMessage::Send(channel, valued.then(|| self.value(2))),
            false => DveMessage::Receive(channel, valued.then(|| self.target())),
        }
    }

    fn target(&mut self) -> DveTree {
        match self.rng.below(5) {
            0 | 1 => DveTree::Variable(None, self.one(&GLOBALS)),
            2 => DveTree::Variable(Some(self.home), "x"),
            3 => DveTree::Element(Box::new(DveTree::Number(i64::from(self.rng.below(3))))),
            _ => DveTree::Element(Box::new(self.value(1))),
        }
    }

    fn effect(&mut self) -> (DveTree, DveTree) {
        (self.target(), self.value(2))
    }

    /// A number from 0 to 2, mostly.
    fn value(&mut self, depth: u32) -> DveTree {
        let tree = self.sum(depth);
        match (&tree, self.rng.chance(93)) {
            (DveTree::Number(_), _) | (_, false) => tree,
            (_, true) => {
                let masked = DveTree::Binary("&", Box::new(tree), Box::new(DveTree::Number(1)));
                let three = Box::new(DveTree::Number(LENGTH));
                match self.rng.chance(50) {
                    true => masked,
                    false => {
                        let shifted =
                            DveTree::Binary("+", Box::new(masked), Box::new(DveTree::Number(1)));
                        DveTree::Binary("%", Box::new(shifted), three)
                    }
                }
            }
        }
    }

    fn leaf(&mut self) -> DveTree {
        match self.rng.below(6) {
            0 | 1 => DveTree::Number(i64::from(self.rng.below(3))),
            2 | 3 => DveTree::Variable(None, self.one(&GLOBALS)),
            4 => DveTree::Variable(Some(self.home), "x"),
            _ => DveTree::Element(Box::new(DveTree::Number(i64::from(self.rng.below(3))))),
        }
    }

    fn sum(&mut self, depth: u32) -> DveTree {
        if depth == 0 || self.rng.chance(30) {
            return self.leaf();
        }
        match self.rng.below(8) {
            0 => DveTree::Element(Box::new(self.value(depth - 1))),
            1 => DveTree::Unary(self.one(&["-", "~"]), Box::new(self.sum(depth - 1))),
            _ => {
                let operators = ["+", "-", "*", "+", "-", "/", "%", "&", "|", "^", "<<", ">>"];
                let operator = self.one(&operators);
                let left = Box::new(self.sum(depth - 1));
                // Mostly by a number that is not zero.
                let right = match operator {
                    "/" | "%" if self.rng.chance(85) => {
                        DveTree::Number(1 + i64::from(self.rng.below(3)))
                    }
                    _ => self.sum(depth - 1),
                };
                DveTree::Binary(operator, left, Box::new(right))
            }
        }
    }

    fn guard(&mut self, depth: u32) -> DveTree {
        if depth == 0 || self.rng.chance(35) {
            return match self.rng.below(4) {
                0 => {
                    let p = self.rng.below(self.locations.len() as u32) as usize;
                    DveTree::At(p, self.rng.below(self.locations[p] as u32) as usize)
                }
                1 => DveTree::Variable(None, self.one(&GLOBALS)),
                _ => {
                    let operator = self.one(&["==", "!=", "<", "<=", ">", ">="]);
                    let (left, right) = (Box::new(self.sum(1)), Box::new(self.sum(1)));
                    DveTree::Binary(operator, left, right)
                }
            };
        }
        match self.rng.below(5) {
            0 => DveTree::Unary("not", Box::new(self.guard(depth - 1))),
            1 => {
                let operator = self.one(&["||", "imply"]);
                DveTree::Binary(
                    operator,
                    Box::new(self.guard(depth - 1)),
                    Box::new(self.guard(depth - 1)),
                )
            }
            _ => DveTree::Binary(
                "&&",
                Box::new(self.guard(depth - 1)),
                Box::new(self.guard(depth - 1)),
            ),
        }
    }
}
