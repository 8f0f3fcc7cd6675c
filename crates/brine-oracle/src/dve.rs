//! Random DVE programs, with the meaning of the language written down once more.
//!
//! Programs are drawn as trees, printed as text with no more parentheses than needed, and
//! interpreted here, by code of its own: values are integers by name, a state is made anew for
//! every step. Most programs stay within their types; some divide by zero, index too far or
//! overflow, and then there is the error state.

mod draw;
mod tree;

pub use tree::{DveTree, Wrong};

use brine_net::Rng;
use draw::Draw;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tree::{DveValues, LENGTH, element};

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
        RandomDve::of(rng, count, 100)
    }

    /// Draws a program of two to four processes that mostly mind their own business, as
    /// partial-order reduction needs it.
    pub fn concurrent(rng: &mut Rng) -> Self {
        let (count, shared) = (2 + rng.below(3) as usize, 5 + rng.below(60));
        RandomDve::of(rng, count, shared)
    }

    fn of(rng: &mut Rng, count: usize, shared: u32) -> Self {
        let locations: Vec<usize> = (0..count).map(|_| 1 + rng.below(3) as usize).collect();
        let capacity = rng.below(3) as usize;
        let synchronous = rng.chance(if shared < 100 { 2 } else { 8 });
        let committed = if shared < 100 { 2 } else { 7 };
        let process = |(p, &n): (usize, &usize)| {
            let mut draw = Draw { rng, locations: &locations, home: p, capacity, shared };
            RandomProcess {
                locations: n,
                initial: draw.rng.below(n as u32) as usize,
                committed: (0..n).map(|_| draw.rng.chance(committed)).collect(),
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
        Draw { rng, locations: &locations, home, capacity: 0, shared: 100 }.guard(2)
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
