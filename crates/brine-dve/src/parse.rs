//! The structure of a model's text: declarations, processes, transitions.
//!
//! ```text
//! model       ::=  { declaration | channels | process }  system (async | sync) [property NAME] ;
//! declaration ::=  [const] (byte | int) NAME [ [ expr ] ] [= expr | = { expr , ... }] , ... ;
//! channels    ::=  channel NAME , ... ;
//!               |  channel { type , ... } NAME [ NUMBER ] , ... ;
//! process     ::=  process NAME { { declaration | state NAMES ; | init NAME ; | commit NAMES ;
//!                  | accept NAMES ; | assert NAME : expr , ... ; | trans transition , ... ; } }
//! transition  ::=  [NAME] -> NAME { [guard expr ;] [sync NAME (! | ?) values ;]
//!                  [effect target = expr , ... ;] }
//! ```
//!
//! Processes may speak of processes that come later, so expressions are only delimited here
//! (as [`Span`]s of tokens) and read when all names are known: `resolve`, `expression`. Cost:
//! linear in the length of the text; nothing is recursive.

use crate::error::DveError;
use crate::lexer::{DveSpanned, DveToken, tokens};
use crate::syntax::{DveKind, DveMode};

/// A name and the byte where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) offset: usize,
}

/// Tokens from one number up to, not including, another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// A declared variable or constant.
#[derive(Clone, Debug)]
pub(crate) struct ParsedVariable<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) kind: DveKind,
    pub(crate) constant: bool,
    pub(crate) length: Option<Span>,
    pub(crate) initial: Option<Initial>,
}

/// What a variable is set to at first.
#[derive(Clone, Debug)]
pub(crate) enum Initial {
    One(Span),
    List(Vec<Span>),
}

/// A declared channel.
#[derive(Clone, Debug)]
pub(crate) struct ParsedChannel<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) types: Option<Vec<DveKind>>,
    pub(crate) capacity: u32,
}

/// The left side of an assignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParsedTarget<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) index: Option<Span>,
}

/// `sync`
#[derive(Clone, Debug)]
pub(crate) struct ParsedSync<'a> {
    pub(crate) channel: Name<'a>,
    pub(crate) sends: bool,
    pub(crate) values: Vec<Span>,
}

/// A transition.
#[derive(Clone, Debug)]
pub(crate) struct ParsedTransition<'a> {
    pub(crate) source: Name<'a>,
    pub(crate) target: Name<'a>,
    pub(crate) guard: Option<Span>,
    pub(crate) sync: Option<ParsedSync<'a>>,
    pub(crate) effects: Vec<(ParsedTarget<'a>, Span)>,
}

/// A process.
#[derive(Clone, Debug)]
pub(crate) struct ParsedProcess<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) variables: Vec<ParsedVariable<'a>>,
    pub(crate) locations: Vec<Name<'a>>,
    pub(crate) initial: Option<Name<'a>>,
    pub(crate) committed: Vec<Name<'a>>,
    pub(crate) accepting: Vec<Name<'a>>,
    pub(crate) assertions: Vec<(Name<'a>, Span)>,
    pub(crate) transitions: Vec<ParsedTransition<'a>>,
}

/// A whole model.
#[derive(Clone, Debug)]
pub(crate) struct ParsedModel<'a> {
    pub(crate) variables: Vec<ParsedVariable<'a>>,
    pub(crate) channels: Vec<ParsedChannel<'a>>,
    pub(crate) processes: Vec<ParsedProcess<'a>>,
    pub(crate) mode: DveMode,
    pub(crate) property: Option<Name<'a>>,
}

/// A text as tokens, and the model that they make.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) source: &'a str,
    pub(crate) tokens: Vec<DveSpanned<'a>>,
    pub(crate) model: ParsedModel<'a>,
    /// The bytes at which lines end.
    line_ends: Vec<usize>,
}

impl Parsed<'_> {
    /// The line of a byte, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.line_ends.partition_point(|&end| end < offset) + 1
    }
}

/// Reads the structure of a text.
pub(crate) fn structure(source: &str) -> Result<Parsed<'_>, DveError> {
    let tokens = tokens(source)?;
    let model = StructureParser { source, tokens: &tokens, at: 0 }.model()?;
    let line_ends = source.match_indices('\n').map(|(at, _)| at).collect();
    Ok(Parsed { source, tokens, model, line_ends })
}

/// Words that cannot be names.
pub(crate) const KEYWORDS: [&str; 23] = [
    "accept", "and", "assert", "async", "byte", "channel", "commit", "const", "effect", "false",
    "guard", "imply", "init", "int", "not", "or", "process", "property", "state", "sync", "system",
    "trans", "true",
];

struct StructureParser<'s, 'a> {
    source: &'a str,
    tokens: &'s [DveSpanned<'a>],
    at: usize,
}

type Parsing<T> = Result<T, DveError>;

impl<'a> StructureParser<'_, 'a> {
    fn peek(&self) -> Option<DveToken<'a>> {
        self.tokens.get(self.at).map(|t| t.token)
    }

    fn offset(&self) -> usize {
        self.tokens.get(self.at).map_or(self.source.len(), |t| t.offset)
    }

    fn wrong<T>(&self, expected: &str) -> Parsing<T> {
        let found = match self.peek() {
            Some(DveToken::Word(text) | DveToken::Digits(text)) => format!("{text:?}"),
            Some(DveToken::Symbol(text)) => format!("{text:?}"),
            None => "the end of the text".to_owned(),
        };
        let message = format!("expected {expected}, found {found}");
        Err(DveError::new(self.source, self.offset(), message))
    }

    fn takes(&mut self, token: DveToken<'_>) -> bool {
        let takes = self.peek() == Some(token);
        self.at += usize::from(takes);
        takes
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.takes(DveToken::Word(word))
    }

    fn takes_symbol(&mut self, symbol: &'static str) -> bool {
        self.takes(DveToken::Symbol(symbol))
    }

    fn symbol(&mut self, symbol: &'static str) -> Parsing<()> {
        if self.takes_symbol(symbol) { Ok(()) } else { self.wrong(&format!("{symbol:?}")) }
    }

    fn name(&mut self, what: &str) -> Parsing<Name<'a>> {
        let offset = self.offset();
        match self.peek() {
            Some(DveToken::Word(text)) if !KEYWORDS.contains(&text) => {
                self.at += 1;
                Ok(Name { text, offset })
            }
            _ => self.wrong(what),
        }
    }

    /// `what , what , ... ;`
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Parsing<()>) -> Parsing<()> {
        loop {
            item(self)?;
            if self.takes_symbol(";") {
                return Ok(());
            }
            if !self.takes_symbol(",") {
                return self.wrong("\",\" or \";\"");
            }
        }
    }

    fn names(&mut self, what: &str, out: &mut Vec<Name<'a>>) -> Parsing<()> {
        self.list(|p| {
            out.push(p.name(what)?);
            Ok(())
        })
    }

    /// The tokens up to one of `ends` that is not inside brackets.
    fn span(&mut self, ends: &[&str]) -> Parsing<Span> {
        let from = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some(DveToken::Symbol(s)) if depth == 0 && ends.contains(&s) => break,
                Some(DveToken::Symbol("(" | "[")) => depth += 1,
                Some(DveToken::Symbol(")" | "]")) if depth > 0 => depth -= 1,
                Some(DveToken::Symbol(";" | "{" | "}")) | None => {
                    return self.wrong(&format!("{:?}", ends[0]));
                }
                _ => (),
            }
            self.at += 1;
        }
        if from == self.at {
            return self.wrong("an expression");
        }
        Ok(Span { from, to: self.at })
    }

    /// The tokens of an expression in a list that ends with a semicolon.
    fn listed_span(&mut self) -> Parsing<Span> {
        self.span(&[";", ","])
    }

    fn model(mut self) -> Parsing<ParsedModel<'a>> {
        let (mut variables, mut channels, mut processes) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match self.peek() {
                Some(DveToken::Word("const" | "byte" | "int")) => {
                    self.declaration(&mut variables)?;
                }
                Some(DveToken::Word("channel")) => self.channels(&mut channels)?,
                Some(DveToken::Word("process")) => processes.push(self.process()?),
                Some(DveToken::Word("system")) => break,
                _ => return self.wrong("a declaration, a process or \"system\""),
            }
        }
        self.at += 1;
        let mode = match self.peek() {
            Some(DveToken::Word("async")) => DveMode::Async,
            Some(DveToken::Word("sync")) => DveMode::Sync,
            _ => return self.wrong("\"async\" or \"sync\""),
        };
        self.at += 1;
        let property = match self.takes_word("property") {
            true => Some(self.name("the name of the property process")?),
            false => None,
        };
        self.symbol(";")?;
        match self.peek() {
            None => Ok(ParsedModel { variables, channels, processes, mode, property }),
            Some(_) => self.wrong("the end of the text"),
        }
    }

    fn kind(&mut self) -> Parsing<DveKind> {
        if self.takes_word("byte") {
            Ok(DveKind::Byte)
        } else if self.takes_word("int") {
            Ok(DveKind::Int)
        } else {
            self.wrong("\"byte\" or \"int\"")
        }
    }

    fn declaration(&mut self, out: &mut Vec<ParsedVariable<'a>>) -> Parsing<()> {
        let constant = self.takes_word("const");
        let kind = self.kind()?;
        self.list(|p| {
            let name = p.name("the name of a variable")?;
            let length = match p.takes_symbol("[") {
                true => Some(p.bracketed()?),
                false => None,
            };
            let initial = match p.takes_symbol("=") {
                true => Some(p.initial()?),
                false => None,
            };
            out.push(ParsedVariable { name, kind, constant, length, initial });
            Ok(())
        })
    }

    /// An expression up to `]`.
    fn bracketed(&mut self) -> Parsing<Span> {
        let span = self.span(&["]"])?;
        self.symbol("]")?;
        Ok(span)
    }

    fn initial(&mut self) -> Parsing<Initial> {
        match self.takes_symbol("{") {
            true => Ok(Initial::List(self.braced()?)),
            false => Ok(Initial::One(self.listed_span()?)),
        }
    }

    /// Expressions up to `}`.
    fn braced(&mut self) -> Parsing<Vec<Span>> {
        let mut list = Vec::new();
        loop {
            list.push(self.span(&["}", ","])?);
            if self.takes_symbol("}") {
                return Ok(list);
            }
            self.symbol(",")?;
        }
    }

    fn channels(&mut self, out: &mut Vec<ParsedChannel<'a>>) -> Parsing<()> {
        self.at += 1;
        let mut types = None;
        if self.takes_symbol("{") {
            let kinds = types.insert(Vec::new());
            loop {
                kinds.push(self.kind()?);
                if self.takes_symbol("}") {
                    break;
                }
                self.symbol(",")?;
            }
        }
        self.list(|p| {
            let name = p.name("the name of a channel")?;
            let mut capacity = 0;
            if types.is_some() {
                p.symbol("[")?;
                capacity = p.capacity()?;
                p.symbol("]")?;
            }
            out.push(ParsedChannel { name, types: types.clone(), capacity });
            Ok(())
        })
    }

    fn capacity(&mut self) -> Parsing<u32> {
        /// More messages than this are a mistake, or more than anybody can search.
        const MOST: u32 = 1 << 12;
        match self.peek() {
            Some(DveToken::Digits(text)) => match text.parse() {
                Ok(capacity) if capacity <= MOST => {
                    self.at += 1;
                    Ok(capacity)
                }
                _ => self.wrong(&format!("a size of at most {MOST}")),
            },
            _ => self.wrong("the size of the buffer"),
        }
    }

    fn process(&mut self) -> Parsing<ParsedProcess<'a>> {
        self.at += 1;
        let name = self.name("the name of a process")?;
        self.symbol("{")?;
        let mut process = ParsedProcess {
            name,
            variables: Vec::new(),
            locations: Vec::new(),
            initial: None,
            committed: Vec::new(),
            accepting: Vec::new(),
            assertions: Vec::new(),
            transitions: Vec::new(),
        };
        while !self.takes_symbol("}") {
            self.part(&mut process)?;
        }
        Ok(process)
    }

    fn part(&mut self, process: &mut ParsedProcess<'a>) -> Parsing<()> {
        let Some(DveToken::Word(word)) = self.peek() else {
            return self.wrong("a part of a process or \"}\"");
        };
        if let "const" | "byte" | "int" = word {
            return self.declaration(&mut process.variables);
        }
        self.at += 1;
        match word {
            "state" => self.names("the name of a state", &mut process.locations),
            "init" => {
                process.initial = Some(self.name("the name of a state")?);
                self.symbol(";")
            }
            "commit" => self.names("the name of a state", &mut process.committed),
            "accept" => self.names("the name of a state", &mut process.accepting),
            "assert" => self.list(|p| {
                let location = p.name("the name of a state")?;
                p.symbol(":")?;
                process.assertions.push((location, p.listed_span()?));
                Ok(())
            }),
            "trans" => self.transitions(&mut process.transitions),
            _ => {
                self.at -= 1;
                self.wrong("a declaration, state, init, commit, accept, assert, trans or \"}\"")
            }
        }
    }

    fn transitions(&mut self, out: &mut Vec<ParsedTransition<'a>>) -> Parsing<()> {
        self.list(|p| {
            let source = match out.last() {
                // The source of the transition before.
                Some(last) if p.peek() == Some(DveToken::Symbol("->")) => last.source,
                _ => p.name("the name of a state")?,
            };
            p.symbol("->")?;
            let target = p.name("the name of a state")?;
            p.symbol("{")?;
            let mut transition =
                ParsedTransition { source, target, guard: None, sync: None, effects: Vec::new() };
            if p.takes_word("guard") {
                transition.guard = Some(p.span(&[";"])?);
                p.symbol(";")?;
            }
            if p.takes_word("sync") {
                transition.sync = Some(p.sync()?);
            }
            if p.takes_word("effect") {
                p.effects(&mut transition.effects)?;
            }
            if !p.takes_symbol("}") {
                return p.wrong("guard, sync, effect (in this order) or \"}\"");
            }
            out.push(transition);
            Ok(())
        })
    }

    fn sync(&mut self) -> Parsing<ParsedSync<'a>> {
        let channel = self.name("the name of a channel")?;
        let sends = self.takes_symbol("!");
        if !sends && !self.takes_symbol("?") {
            return self.wrong("\"!\" or \"?\"");
        }
        let values = if self.peek() == Some(DveToken::Symbol(";")) {
            Vec::new()
        } else if self.takes_symbol("{") {
            self.braced()?
        } else {
            vec![self.span(&[";"])?]
        };
        self.symbol(";")?;
        Ok(ParsedSync { channel, sends, values })
    }

    fn effects(&mut self, out: &mut Vec<(ParsedTarget<'a>, Span)>) -> Parsing<()> {
        self.list(|p| {
            let name = p.name("the name of a variable")?;
            let index = match p.takes_symbol("[") {
                true => Some(p.bracketed()?),
                false => None,
            };
            p.symbol("=")?;
            out.push((ParsedTarget { name, index }, p.listed_span()?));
            Ok(())
        })
    }
}
