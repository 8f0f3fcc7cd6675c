//! From the structure of a text to a model with numbers instead of names.
//!
//! First all names are collected, then expressions are read. A name inside a process is one
//! of its variables, or else a global one. `P.x` is a location or a variable of process `P`,
//! `P->x` the same.

use crate::error::DveError;
use crate::expression::{Meaning, Scope, expression};
use crate::interpret::Environment;
use crate::parse::{Initial, Name, Parsed, ParsedProcess, ParsedTarget, ParsedVariable, Span};
use crate::parse::{ParsedSync, ParsedTransition};
use crate::syntax::{
    DveChannel, DveExpr, DveProcess, DveSlot, DveSync, DveSystem, DveTarget, DveTransition,
    DveVariable, SlotKind, VariableId,
};
use rustc_hash::FxHashMap;

/// Longer arrays than this are a mistake, or more than anybody can search.
const LONGEST: i32 = 1 << 16;
/// The slot of nothing.
const NO_SLOT: u32 = u32::MAX;

type Resolving<T> = Result<T, DveError>;

/// What the names of a model mean outside of its processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct GlobalNames {
    globals: FxHashMap<String, Meaning>,
    processes: FxHashMap<String, ProcessNames>,
    arrays: Vec<bool>,
}

/// What the names of a process mean.
#[derive(Clone, Debug, Default)]
struct ProcessNames {
    names: FxHashMap<String, Meaning>,
}

impl GlobalNames {
    fn new(resolver: &Resolver<'_, '_>) -> Self {
        let own = |names: &FxHashMap<&str, Meaning>| -> FxHashMap<String, Meaning> {
            names.iter().map(|(name, meaning)| ((*name).to_owned(), *meaning)).collect()
        };
        let process = |(name, &p): (&&str, &usize)| {
            let locals = &resolver.locals[p];
            let mut names = own(&locals.names);
            let at = |location| Meaning::At { process: p as u32, location };
            if locals.slot != NO_SLOT {
                names.extend(locals.locations.iter().map(|(l, &n)| ((*l).to_owned(), at(n))));
            }
            ((*name).to_owned(), ProcessNames { names })
        };
        GlobalNames {
            globals: own(&resolver.globals),
            processes: resolver.processes.iter().map(process).collect(),
            arrays: resolver.variables.iter().map(|v| v.length.is_some()).collect(),
        }
    }

    /// Whether there is a process of that name.
    pub(crate) fn is_process(&self, name: &str) -> bool {
        self.processes.contains_key(name)
    }
}

impl Scope for GlobalNames {
    fn name(&self, name: &str) -> Result<Meaning, String> {
        self.globals.get(name).copied().ok_or_else(|| format!("{name} is not declared"))
    }

    fn member(&self, process: &str, name: &str) -> Result<Meaning, String> {
        let Some(names) = self.processes.get(process) else {
            return Err(format!("there is no process {process}"));
        };
        let missing = || format!("process {process} has neither a state nor a variable {name}");
        names.names.get(name).copied().ok_or_else(missing)
    }

    fn is_array(&self, v: VariableId) -> bool {
        self.arrays[v.0 as usize]
    }
}

/// The model of a text, and its names.
pub(crate) fn resolve(parsed: &Parsed<'_>) -> Resolving<(DveSystem, GlobalNames)> {
    let mut resolver = Resolver::new(parsed)?;
    for variable in &parsed.model.variables {
        resolver.declare(variable, None)?;
    }
    resolver.channels()?;
    let property = resolver.property()?;
    for (p, process) in parsed.model.processes.iter().enumerate() {
        resolver.place(p, process, property == Some(p))?;
    }
    let mut system = DveSystem {
        slots: Vec::new(),
        variables: Vec::new(),
        constants: Vec::new(),
        channels: Vec::new(),
        processes: Vec::new(),
        mode: parsed.model.mode,
        property,
    };
    for (p, process) in parsed.model.processes.iter().enumerate() {
        let process = resolver.process(p, process)?;
        system.processes.push(process);
    }
    let names = GlobalNames::new(&resolver);
    system.channels = resolver.channels;
    (system.slots, system.variables) = (resolver.slots, resolver.variables);
    system.constants = resolver.constants;
    Ok((system, names))
}

/// Names, and what is known of the model so far.
struct Resolver<'p, 'a> {
    parsed: &'p Parsed<'a>,
    globals: FxHashMap<&'a str, Meaning>,
    processes: FxHashMap<&'a str, usize>,
    locals: Vec<Locals<'a>>,
    channel_numbers: FxHashMap<&'a str, usize>,
    slots: Vec<DveSlot>,
    initial: Vec<u32>,
    variables: Vec<DveVariable>,
    constants: Vec<Vec<i32>>,
    channels: Vec<DveChannel>,
}

/// The names of a process.
#[derive(Default)]
struct Locals<'a> {
    slot: u32,
    names: FxHashMap<&'a str, Meaning>,
    locations: FxHashMap<&'a str, u32>,
}

/// What is visible in a process, or outside of all.
struct Visible<'r, 'p, 'a> {
    resolver: &'r Resolver<'p, 'a>,
    process: Option<usize>,
}

impl Scope for Visible<'_, '_, '_> {
    fn name(&self, name: &str) -> Result<Meaning, String> {
        let local = self.process.and_then(|p| self.resolver.locals[p].names.get(name));
        match local.or_else(|| self.resolver.globals.get(name)) {
            Some(&meaning) => Ok(meaning),
            None if self.resolver.channel_numbers.contains_key(name) => {
                Err(format!("{name} is a channel, and a variable is needed here"))
            }
            None => Err(format!("{name} is not declared")),
        }
    }

    fn member(&self, process: &str, name: &str) -> Result<Meaning, String> {
        let Some(&p) = self.resolver.processes.get(process) else {
            return Err(format!("there is no process {process}"));
        };
        let locals = &self.resolver.locals[p];
        if let Some(&location) = locals.locations.get(name) {
            if locals.slot == NO_SLOT {
                return Err(format!("{process} is the property: nothing depends on where it is"));
            }
            return Ok(Meaning::At { process: p as u32, location });
        }
        match locals.names.get(name) {
            Some(&meaning) => Ok(meaning),
            None => Err(format!("process {process} has neither a state nor a variable {name}")),
        }
    }

    fn is_array(&self, v: VariableId) -> bool {
        self.resolver.variables[v.0 as usize].length.is_some()
    }
}

impl<'p, 'a> Resolver<'p, 'a> {
    fn new(parsed: &'p Parsed<'a>) -> Resolving<Self> {
        let mut resolver = Resolver {
            parsed,
            globals: FxHashMap::default(),
            processes: FxHashMap::default(),
            locals: Vec::new(),
            channel_numbers: FxHashMap::default(),
            slots: Vec::new(),
            initial: Vec::new(),
            variables: Vec::new(),
            constants: Vec::new(),
            channels: Vec::new(),
        };
        for (p, process) in parsed.model.processes.iter().enumerate() {
            if resolver.processes.insert(process.name.text, p).is_some() {
                return resolver.twice(process.name);
            }
            let mut locals = Locals { slot: NO_SLOT, ..Locals::default() };
            for (number, location) in process.locations.iter().enumerate() {
                if locals.locations.insert(location.text, number as u32).is_some() {
                    return resolver.twice(*location);
                }
            }
            resolver.locals.push(locals);
        }
        Ok(resolver)
    }

    fn wrong<T>(&self, offset: usize, message: impl Into<String>) -> Resolving<T> {
        Err(DveError::new(self.parsed.source, offset, message))
    }

    fn twice<T>(&self, name: Name<'_>) -> Resolving<T> {
        self.wrong(name.offset, format!("{} is declared twice", name.text))
    }

    fn offset(&self, span: Span) -> usize {
        self.parsed.tokens[span.from].offset
    }

    fn expression(&self, span: Span, process: Option<usize>) -> Resolving<DveExpr> {
        let tokens = &self.parsed.tokens[span.from..span.to];
        expression(self.parsed.source, tokens, &Visible { resolver: self, process })
    }

    /// The value of an expression in the initial state, as far as that is known.
    fn value(&self, span: Span, process: Option<usize>) -> Resolving<i32> {
        let expr = self.expression(span, process)?;
        let locations: Vec<u32> = self.locals.iter().map(|l| l.slot).collect();
        let environment = Environment {
            variables: &self.variables,
            constants: &self.constants,
            locations: &locations,
        };
        match environment.initial_value(&expr, &self.initial) {
            Ok(value) => Ok(value),
            Err(message) => self.wrong(self.offset(span), message),
        }
    }

    /// Takes up a variable or a constant.
    fn declare(&mut self, declared: &ParsedVariable<'a>, process: Option<usize>) -> Resolving<()> {
        let length = match declared.length {
            None => None,
            Some(span) => match self.value(span, process)? {
                length @ 1..=LONGEST => Some(length as u32),
                length => {
                    let message = format!("an array has 1 to {LONGEST} elements, not {length}");
                    return self.wrong(self.offset(span), message);
                }
            },
        };
        let values = self.initial_values(declared, length, process)?;
        let meaning = match (declared.constant, length) {
            (true, None) => Meaning::Number(values[0]),
            (true, Some(_)) => {
                self.constants.push(values);
                Meaning::Constants(self.constants.len() as u32 - 1)
            }
            (false, _) => self.variable(declared, length, &values, process),
        };
        let names = match process {
            Some(p) => &mut self.locals[p].names,
            None => &mut self.globals,
        };
        match names.insert(declared.name.text, meaning) {
            None => Ok(()),
            Some(_) => self.twice(declared.name),
        }
    }

    /// One value for each element; those that the text does not give are 0, those that it
    /// gives in excess are dropped.
    fn initial_values(
        &self,
        declared: &ParsedVariable<'_>,
        length: Option<u32>,
        process: Option<usize>,
    ) -> Resolving<Vec<i32>> {
        let offset = declared.name.offset;
        let spans = match (&declared.initial, length) {
            (None, _) if declared.constant => {
                return self.wrong(offset, "a constant needs a value");
            }
            (None, _) => &[],
            (Some(Initial::One(span)), None) => std::slice::from_ref(span),
            (Some(Initial::List(spans)), Some(_)) => &spans[..],
            (Some(Initial::One(_)), Some(_)) => {
                return self.wrong(offset, "an array needs a list of values: { ... }");
            }
            (Some(Initial::List(_)), None) => {
                return self.wrong(offset, "a single variable cannot hold a list of values");
            }
        };
        let count = length.unwrap_or(1) as usize;
        let mut values = vec![0; count];
        let (low, high) = declared.kind.range();
        for (value, &span) in values.iter_mut().zip(spans) {
            *value = self.value(span, process)?;
            if !(low..=high).contains(value) {
                let kind = declared.kind.name();
                let message = format!("{value} does not fit into type {kind} ({low} to {high})");
                return self.wrong(self.offset(span), message);
            }
        }
        Ok(values)
    }

    /// Gives a variable its slots.
    fn variable(
        &mut self,
        declared: &ParsedVariable<'_>,
        length: Option<u32>,
        values: &[i32],
        process: Option<usize>,
    ) -> Meaning {
        let name = match process {
            Some(p) => {
                format!("{}.{}", self.parsed.model.processes[p].name.text, declared.name.text)
            }
            None => declared.name.text.to_owned(),
        };
        let (kind, first) = (declared.kind, self.slots.len() as u32);
        for (i, &value) in values.iter().enumerate() {
            let name = if length.is_some() { format!("{name}[{i}]") } else { name.clone() };
            self.slot(name, SlotKind::Value(kind), kind.encode(value));
        }
        let global = process.is_none();
        self.variables.push(DveVariable { kind, first, length, global });
        Meaning::Variable(VariableId(self.variables.len() as u32 - 1))
    }

    fn slot(&mut self, name: String, kind: SlotKind, initial: u32) {
        self.slots.push(DveSlot { name, kind, initial });
        self.initial.push(initial);
    }

    fn channels(&mut self) -> Resolving<()> {
        for channel in &self.parsed.model.channels {
            let name = channel.name.text;
            let number = self.channels.len();
            let known = self.globals.contains_key(name);
            if self.channel_numbers.insert(name, number).is_some() || known {
                return self.twice(channel.name);
            }
            let first = self.slots.len() as u32;
            let types = channel.types.clone();
            let channel = DveChannel { types, capacity: channel.capacity, first };
            if channel.is_buffered() {
                let buffer = format!("{name}.messages");
                self.slot(buffer, SlotKind::Messages(number as u32), 0);
                for message in 0..channel.capacity {
                    for (i, &kind) in channel.types.iter().flatten().enumerate() {
                        self.slot(format!("{name}[{message}].{i}"), SlotKind::Value(kind), 0);
                    }
                }
            }
            self.channels.push(channel);
        }
        Ok(())
    }

    fn property(&self) -> Resolving<Option<usize>> {
        let Some(name) = self.parsed.model.property else { return self.some_process(None) };
        match self.processes.get(name.text) {
            Some(&p) => self.some_process(Some(p)),
            None => self.wrong(name.offset, format!("there is no process {}", name.text)),
        }
    }

    fn some_process(&self, property: Option<usize>) -> Resolving<Option<usize>> {
        let movers = self.parsed.model.processes.len() - usize::from(property.is_some());
        match movers {
            0 => self.wrong(self.parsed.source.len(), "a model needs a process"),
            _ => Ok(property),
        }
    }

    /// Gives a process its slots.
    fn place(&mut self, p: usize, process: &ParsedProcess<'a>, property: bool) -> Resolving<()> {
        let name = process.name.text;
        if self.globals.contains_key(name) || self.channel_numbers.contains_key(name) {
            return self.twice(process.name);
        }
        let Some(initial) = process.initial else {
            return self.wrong(process.name.offset, format!("process {name} has no init state"));
        };
        let initial = self.location(p, initial)?;
        if !property {
            self.locals[p].slot = self.slots.len() as u32;
            self.slot(name.to_owned(), SlotKind::Location(p as u32), initial);
        }
        for variable in &process.variables {
            if property && !variable.constant {
                let message = "a property process with variables is not supported";
                return self.wrong(variable.name.offset, message);
            }
            self.declare(variable, Some(p))?;
        }
        Ok(())
    }

    fn location(&self, p: usize, name: Name<'_>) -> Resolving<u32> {
        match self.locals[p].locations.get(name.text) {
            Some(&location) => Ok(location),
            None => self.wrong(name.offset, format!("{} is no state of this process", name.text)),
        }
    }

    fn locations(&self, p: usize, names: &[Name<'_>], count: usize) -> Resolving<Vec<bool>> {
        let mut marked = vec![false; count];
        for &name in names {
            marked[self.location(p, name)? as usize] = true;
        }
        Ok(marked)
    }

    fn process(&self, p: usize, process: &ParsedProcess<'a>) -> Resolving<DveProcess> {
        let count = process.locations.len();
        let assertion = |&(location, span): &(Name<'_>, Span)| {
            let text = self.text(span);
            Ok((self.location(p, location)?, self.expression(span, Some(p))?, text))
        };
        let transition = |t: &ParsedTransition<'a>| self.transition(p, t);
        Ok(DveProcess {
            name: process.name.text.to_owned(),
            slot: self.locals[p].slot,
            locations: process.locations.iter().map(|l| l.text.to_owned()).collect(),
            initial: process.initial.map_or(Ok(0), |initial| self.location(p, initial))?,
            committed: self.locations(p, &process.committed, count)?,
            accepting: self.locations(p, &process.accepting, count)?,
            assertions: process.assertions.iter().map(assertion).collect::<Resolving<_>>()?,
            transitions: process.transitions.iter().map(transition).collect::<Resolving<_>>()?,
        })
    }

    /// The text of an expression.
    fn text(&self, span: Span) -> String {
        let (from, to) = (self.offset(span), self.parsed.tokens.get(span.to));
        let to = to.map_or(self.parsed.source.len(), |t| t.offset);
        self.parsed.source[from..to].trim().to_owned()
    }

    fn transition(&self, p: usize, t: &ParsedTransition<'a>) -> Resolving<DveTransition> {
        let guard = t.guard.map(|span| self.expression(span, Some(p))).transpose()?;
        let sync = t.sync.as_ref().map(|sync| self.sync(p, sync)).transpose()?;
        if self.locals[p].slot == NO_SLOT && (t.sync.is_some() || !t.effects.is_empty()) {
            let message = "transitions of a property process have a guard and nothing else";
            return self.wrong(t.source.offset, message);
        }
        let effect = |(target, value): &(ParsedTarget<'_>, Span)| {
            Ok((self.target(p, target)?, self.expression(*value, Some(p))?))
        };
        Ok(DveTransition {
            line: self.parsed.line(t.source.offset),
            source: self.location(p, t.source)?,
            target: self.location(p, t.target)?,
            guard,
            guard_text: match t.guard {
                Some(span) if self.locals[p].slot == NO_SLOT => self.text(span),
                _ => String::new(),
            },
            sync,
            effects: t.effects.iter().map(effect).collect::<Resolving<_>>()?,
        })
    }

    fn target(&self, p: usize, target: &ParsedTarget<'_>) -> Resolving<DveTarget> {
        let Name { text, offset } = target.name;
        let meaning = match (Visible { resolver: self, process: Some(p) }).name(text) {
            Ok(meaning) => meaning,
            Err(message) => return self.wrong(offset, message),
        };
        let Meaning::Variable(variable) = meaning else {
            return self.wrong(offset, format!("{text} is a constant and cannot be assigned to"));
        };
        let array = self.variables[variable.0 as usize].length.is_some();
        match target.index {
            Some(_) if !array => self.wrong(offset, format!("{text} is no array")),
            Some(span) => Ok(DveTarget { variable, index: Some(self.expression(span, Some(p))?) }),
            None => Ok(DveTarget { variable, index: None }),
        }
    }

    fn sync(&self, p: usize, sync: &ParsedSync<'_>) -> Resolving<DveSync> {
        let Name { text, offset } = sync.channel;
        let Some(&channel) = self.channel_numbers.get(text) else {
            return self.wrong(offset, format!("there is no channel {text}"));
        };
        if let Some(types) = &self.channels[channel].types
            && types.len() != sync.values.len()
        {
            let message = format!("messages of {text} have {} values", types.len());
            return self.wrong(offset, message);
        }
        if sync.sends {
            let values = sync.values.iter().map(|&span| self.expression(span, Some(p)));
            return Ok(DveSync::Send { channel, values: values.collect::<Resolving<_>>()? });
        }
        let targets = sync.values.iter().map(|&span| self.received(p, span));
        Ok(DveSync::Receive { channel, targets: targets.collect::<Resolving<_>>()? })
    }

    /// A variable that receives a value: a name, perhaps with an index.
    fn received(&self, p: usize, span: Span) -> Resolving<DveTarget> {
        use crate::lexer::DveToken::{Symbol, Word};
        let tokens = &self.parsed.tokens;
        let (first, last) = (tokens[span.from], tokens[span.to - 1].token);
        let Word(text) = first.token else {
            return self.wrong(first.offset, "expected the name of a variable that receives");
        };
        let name = Name { text, offset: first.offset };
        let index = match span.to - span.from {
            1 => None,
            n if n > 3 && tokens[span.from + 1].token == Symbol("[") && last == Symbol("]") => {
                Some(Span { from: span.from + 2, to: span.to - 1 })
            }
            _ => return self.wrong(first.offset, "only a variable can receive"),
        };
        self.target(p, &ParsedTarget { name, index })
    }
}
