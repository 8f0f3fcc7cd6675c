//! Reading automata in HOA format (version 1).
//!
//! What Brine can use: generalised Büchi acceptance (any conjunction of `Inf(i)`, or
//! `t`), on states or on edges; labels on edges or on states, with aliases; several start
//! states (a fresh initial state takes over their edges). Anything else that the format
//! allows (`Fin`, disjunctions, universal branching, implicit labels) is refused with the
//! place where it stands, and so is what contradicts itself: a header, or a state, given twice.
//!
//! Where names are known ([`Symbols::of_net`]), an atomic proposition is a formula without
//! temporal operators in the text syntax: `p <= 1`, `fireable(t)`, `p = 1 | deadlock`. Labels
//! are then sets of letters over the atoms in those formulas. Where any name is welcome
//! ([`Symbols::open`]), what is no single atom is a named proposition.

use crate::automaton::{Automaton, Edge, LabelId, MAX_ATOMS, MAX_MARKS, StateId};
use crate::error::ParseError;
use crate::hoa_atoms::Propositions;
use crate::letters::{Lab, Letters};
use crate::symbols::Symbols;
use brine_net::Interner;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace1, none_of, one_of, satisfy};
use nom::combinator::{map, recognize, value};
use nom::multi::{fold_many0, many0};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, PartialEq, Eq, Debug)]
enum HoaToken {
    /// `name:`
    Header(String),
    Word(String),
    Alias(String),
    Text(String),
    Number(u32),
    /// One of `{ } [ ] ( ) & | !`
    Sign(char),
    Body,
    End,
}

fn word(input: &str) -> IResult<&str, &str> {
    recognize(pair(
        satisfy(|c: char| c.is_ascii_alphabetic() || c == '_'),
        take_while(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
    ))
    .parse(input)
}

fn token(input: &str) -> IResult<&str, Option<HoaToken>> {
    let space = value(None, many0(alt((multispace1, comment))));
    let quoted = delimited(
        char('"'),
        fold_many0(
            alt((none_of("\"\\"), preceded(char('\\'), satisfy(|_| true)))),
            String::new,
            |mut s, c| {
                s.push(c);
                s
            },
        ),
        char('"'),
    );
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let some = alt((
        value(HoaToken::Body, tag("--BODY--")),
        value(HoaToken::End, tag("--END--")),
        map(terminated(word, char(':')), |s: &str| HoaToken::Header(s.to_owned())),
        map(word, |s: &str| HoaToken::Word(s.to_owned())),
        map(preceded(char('@'), name), |s: &str| HoaToken::Alias(s.to_owned())),
        map(quoted, HoaToken::Text),
        nom::combinator::map_res(digit1, |s: &str| s.parse().map(HoaToken::Number)),
        map(one_of("{}[]()&|!"), HoaToken::Sign),
    ));
    alt((map(some, Some), space)).parse(input)
}

fn comment(input: &str) -> IResult<&str, &str> {
    delimited(tag("/*"), take_until("*/"), tag("*/")).parse(input)
}

/// Reads one automaton.
///
/// ```
/// use brine_ltl::{Symbols, read_hoa};
/// let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)\n\
///             --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--";
/// let automaton = read_hoa(text, &mut Symbols::open()).unwrap();
/// assert!(automaton.accepts(&[], &[0, 1]));
/// assert!(!automaton.accepts(&[], &[0]));
/// ```
pub fn read_hoa(source: &str, symbols: &mut Symbols) -> Result<Automaton, ParseError> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while !rest.is_empty() {
        let offset = source.len() - rest.len();
        match token(rest) {
            Ok((next, found)) if next.len() < rest.len() => {
                tokens.extend(found.map(|t| (t, offset)));
                rest = next;
            }
            _ => return Err(ParseError::new(source, offset, "this is not part of HOA")),
        }
    }
    let reader = HoaReader {
        source,
        symbols,
        tokens,
        at: 0,
        letters: Letters::new(),
        propositions: Propositions::default(),
        aliases: FxHashMap::default(),
        header: Header::default(),
        edges: Vec::new(),
    };
    reader.automaton()
}

#[derive(Default)]
struct Header {
    /// Headers that may stand once.
    seen: Vec<String>,
    states: Option<u32>,
    start: Vec<u32>,
    marks: Option<u32>,
    /// Mark i of the file counts (it occurs as `Inf(i)`).
    used: u64,
}

struct HoaReader<'a> {
    source: &'a str,
    symbols: &'a mut Symbols,
    tokens: Vec<(HoaToken, usize)>,
    at: usize,
    letters: Letters,
    propositions: Propositions,
    aliases: FxHashMap<String, Lab>,
    header: Header,
    edges: Vec<(u32, u32, Lab, u64)>,
}

/// What to do about automata of other kinds.
const CONVERT: &str = "convert the automaton first, say with Spot's \"autfilt --tgba\"";

impl HoaReader<'_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        let offset = self.tokens.get(self.at).map_or(self.source.len(), |t| t.1);
        ParseError::new(self.source, offset, message)
    }

    fn peek(&self) -> Option<&HoaToken> {
        self.tokens.get(self.at).map(|t| &t.0)
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&HoaToken::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn expect_sign(&mut self, sign: char) -> Result<(), ParseError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.error(format!("expected '{sign}'"))) }
    }

    fn number(&mut self) -> Result<u32, ParseError> {
        match self.peek() {
            Some(&HoaToken::Number(n)) => {
                self.at += 1;
                Ok(n)
            }
            _ => Err(self.error("expected a number")),
        }
    }

    fn automaton(mut self) -> Result<Automaton, ParseError> {
        if self.peek() != Some(&HoaToken::Header("HOA".into())) {
            return Err(self.error("expected \"HOA: v1\""));
        }
        self.at += 1;
        if self.peek() != Some(&HoaToken::Word("v1".into())) {
            return Err(self.error("only version v1 of HOA is known"));
        }
        self.at += 1;
        while self.peek() != Some(&HoaToken::Body) {
            self.header_item()?;
        }
        self.at += 1;
        if self.header.marks.is_none() {
            return Err(self.error("the header has no \"Acceptance:\""));
        }
        let mut described = FxHashSet::default();
        while let Some(HoaToken::Header(name)) = self.peek() {
            if name != "State" {
                return Err(self.error("expected \"State:\" or \"--END--\""));
            }
            let at = self.at;
            self.at += 1;
            let state = self.state()?;
            if !described.insert(state) {
                self.at = at;
                return Err(self.error(format!("state {state} is described twice")));
            }
        }
        if self.peek() != Some(&HoaToken::End) {
            return Err(self.error("expected an edge, \"State:\" or \"--END--\""));
        }
        self.at += 1;
        if self.peek().is_some() {
            return Err(self.error("only one automaton per file is read"));
        }
        self.finish()
    }

    fn header_item(&mut self) -> Result<(), ParseError> {
        let Some(HoaToken::Header(name)) = self.peek() else {
            return Err(self.error("expected a header such as \"States:\" or \"--BODY--\""));
        };
        let name = name.clone();
        if matches!(name.as_str(), "States" | "AP" | "Acceptance") {
            if self.header.seen.contains(&name) {
                return Err(self.error(format!("a second \"{name}:\"; expected one")));
            }
            self.header.seen.push(name.clone());
        }
        self.at += 1;
        match name.as_str() {
            "States" => self.header.states = Some(self.number()?),
            "Start" => {
                let q = self.number()?;
                self.header.start.push(q);
                self.no_conjunction()?;
            }
            "AP" => self.atoms()?,
            "Alias" => {
                let Some(HoaToken::Alias(alias)) = self.peek().cloned() else {
                    return Err(self.error("expected @name"));
                };
                self.at += 1;
                let label = self.label()?;
                self.aliases.insert(alias, label);
            }
            "Acceptance" => self.acceptance()?,
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                self.at -= 1;
                return Err(self.error(format!("header \"{name}:\" is not supported")));
            }
            // Headers in lower case may be ignored.
            _ => {
                while !matches!(self.peek(), None | Some(HoaToken::Header(_) | HoaToken::Body)) {
                    self.at += 1;
                }
            }
        }
        Ok(())
    }

    fn no_conjunction(&mut self) -> Result<(), ParseError> {
        if self.peek() == Some(&HoaToken::Sign('&')) {
            return Err(self.error(format!("universal branching is not supported: {CONVERT}")));
        }
        Ok(())
    }

    fn atoms(&mut self) -> Result<(), ParseError> {
        let count = self.number()?;
        if count as usize > MAX_ATOMS {
            return Err(self.error(format!("more than {MAX_ATOMS} atomic propositions")));
        }
        for number in 0..count {
            let Some(HoaToken::Text(name)) = self.peek().cloned() else {
                return Err(self.error("expected the name of an atomic proposition in quotes"));
            };
            let (propositions, letters) = (&mut self.propositions, &mut self.letters);
            let meaning = match self.symbols.is_open() {
                true => propositions.named(name.clone(), self.symbols, letters),
                false => propositions.formula(&name, self.symbols, letters),
            };
            let meaning = meaning.map_err(|message| {
                self.error(format!("atomic proposition {number}, \"{name}\": {message}"))
            })?;
            self.at += 1;
            self.propositions.meaning.push(meaning);
        }
        Ok(())
    }

    /// A conjunction of `Inf(i)` and `t`, with parentheses.
    fn acceptance(&mut self) -> Result<(), ParseError> {
        let count = self.number()?;
        if count as usize > MAX_MARKS {
            return Err(self.error(format!("more than {MAX_MARKS} acceptance sets")));
        }
        self.header.marks = Some(count);
        let other = format!(
            "only (generalised) Büchi acceptance, a conjunction of Inf(i), is supported: {CONVERT}"
        );
        let (mut open, mut operand) = (0_usize, true);
        loop {
            match (self.peek().cloned(), operand) {
                (Some(HoaToken::Word(w)), true) if w == "Inf" => {
                    self.at += 1;
                    self.inf(count, &other)?;
                    operand = false;
                    continue;
                }
                (Some(HoaToken::Word(w)), true) if w == "t" => operand = false,
                (Some(HoaToken::Sign('(')), true) => open += 1,
                (Some(HoaToken::Sign(')')), false) if open > 0 => open -= 1,
                (Some(HoaToken::Sign('&')), false) => operand = true,
                (Some(HoaToken::Header(_) | HoaToken::Body), false) if open == 0 => return Ok(()),
                _ => return Err(self.error(other)),
            }
            self.at += 1;
        }
    }

    /// The rest of `Inf(i)`.
    fn inf(&mut self, count: u32, other: &str) -> Result<(), ParseError> {
        self.expect_sign('(')?;
        if self.peek() == Some(&HoaToken::Sign('!')) {
            return Err(self.error(other));
        }
        let m = self.number()?;
        if m >= count {
            self.at -= 1;
            return Err(self.error(format!("acceptance set {m} does not exist")));
        }
        self.header.used |= 1 << m;
        self.expect_sign(')')
    }

    /// The number of a state.
    fn state_number(&mut self) -> Result<u32, ParseError> {
        let state = self.number()?;
        match self.header.states {
            Some(states) if state >= states => {
                self.at -= 1;
                Err(self.error(format!("state {state} is not below \"States: {states}\"")))
            }
            _ => Ok(state),
        }
    }

    /// `[label] number "name" {marks}` and the edges that follow; the number.
    fn state(&mut self) -> Result<u32, ParseError> {
        let on_state = self.bracketed_label()?;
        let src = self.state_number()?;
        if let Some(HoaToken::Text(_)) = self.peek() {
            self.at += 1;
        }
        let state_marks = self.marks()?;
        loop {
            let on_edge = match self.peek() {
                Some(HoaToken::Sign('[')) if on_state.is_none() => self.bracketed_label()?,
                Some(HoaToken::Sign('[')) => {
                    return Err(self.error("the state has a label already"));
                }
                Some(HoaToken::Number(_)) if on_state.is_none() => {
                    return Err(self.error(format!(
                        "implicit labels are not supported, expected [label]: {CONVERT}"
                    )));
                }
                Some(HoaToken::Number(_)) => None,
                _ => return Ok(src),
            };
            let dst = self.state_number()?;
            self.no_conjunction()?;
            let marks = self.marks()? | state_marks;
            let label = on_edge.or(on_state).unwrap_or(Lab::TRUE);
            self.edges.push((src, dst, label, marks));
        }
    }

    fn marks(&mut self) -> Result<u64, ParseError> {
        let mut marks = 0;
        if self.take_sign('{') {
            while !self.take_sign('}') {
                let m = self.number()?;
                if m >= self.header.marks.unwrap_or(0) {
                    self.at -= 1;
                    return Err(self.error(format!("acceptance set {m} does not exist")));
                }
                marks |= 1 << m;
            }
        }
        Ok(marks)
    }

    fn bracketed_label(&mut self) -> Result<Option<Lab>, ParseError> {
        if !self.take_sign('[') {
            return Ok(None);
        }
        let label = self.label()?;
        self.expect_sign(']')?;
        Ok(Some(label))
    }

    /// A label expression: a shunting yard over `!`, `&`, `|` and parentheses.
    fn label(&mut self) -> Result<Lab, ParseError> {
        let (mut operands, mut waiting) = (Vec::new(), Vec::new());
        loop {
            match self.peek().cloned() {
                Some(HoaToken::Sign(sign @ ('!' | '('))) => {
                    waiting.push(sign);
                    self.at += 1;
                    continue;
                }
                Some(HoaToken::Word(w)) if w == "t" => operands.push(Lab::TRUE),
                Some(HoaToken::Word(w)) if w == "f" => operands.push(Lab::FALSE),
                Some(HoaToken::Number(n)) => match self.propositions.meaning.get(n as usize) {
                    Some(&label) => operands.push(label),
                    None => {
                        let message = format!("atomic proposition {n} does not exist");
                        return Err(self.error(message));
                    }
                },
                Some(HoaToken::Alias(alias)) => match self.aliases.get(&alias) {
                    Some(&label) => operands.push(label),
                    None => return Err(self.error(format!("unknown alias @{alias}"))),
                },
                _ => return Err(self.error("expected a label")),
            }
            self.at += 1;
            self.apply('!', &mut operands, &mut waiting);
            while self.peek() == Some(&HoaToken::Sign(')')) {
                self.apply('|', &mut operands, &mut waiting);
                if waiting.pop().is_none() {
                    return Err(self.error("this parenthesis was never opened"));
                }
                self.apply('!', &mut operands, &mut waiting);
                self.at += 1;
            }
            match self.peek() {
                Some(&HoaToken::Sign(sign @ ('&' | '|'))) => {
                    self.apply(sign, &mut operands, &mut waiting);
                    waiting.push(sign);
                    self.at += 1;
                }
                _ => break,
            }
        }
        self.apply('|', &mut operands, &mut waiting);
        match (operands.pop(), waiting.is_empty()) {
            (Some(label), true) => Ok(label),
            _ => Err(self.error("a parenthesis is never closed")),
        }
    }

    /// Applies waiting operators that bind at least as tightly as `until`.
    fn apply(&mut self, until: char, operands: &mut Vec<Lab>, waiting: &mut Vec<char>) {
        let strength = |sign: char| match sign {
            '!' => 3,
            '&' => 2,
            '|' => 1,
            _ => 0,
        };
        while let Some(&sign) = waiting.last() {
            if sign == '(' || strength(sign) < strength(until) {
                return;
            }
            waiting.pop();
            let right = operands.pop().expect("an operand follows each operator");
            let result = if sign == '!' {
                self.letters.not(right)
            } else {
                let left = operands.pop().expect("an operand precedes each operator");
                if sign == '&' {
                    self.letters.and(left, right)
                } else {
                    self.letters.or(left, right)
                }
            };
            operands.push(result);
        }
    }

    fn finish(mut self) -> Result<Automaton, ParseError> {
        let highest = self.edges.iter().map(|e| e.0.max(e.1).saturating_add(1)).max().unwrap_or(0);
        let states = self.header.states.unwrap_or(highest);
        if highest > states || self.header.start.iter().any(|&q| q >= states) {
            self.at = 0;
            return Err(self.error(format!("a state number is not below \"States: {states}\"")));
        }
        if states as usize > self.source.len() {
            self.at = 0;
            return Err(self.error(format!("{states} states are more than this file describes")));
        }
        let (states, initial) = match self.header.start.as_slice() {
            [] => {
                self.at = 0;
                return Err(self.error("the header has no \"Start:\""));
            }
            &[q] => (states, q),
            several => {
                let several = several.to_vec();
                let copies: Vec<_> = self
                    .edges
                    .iter()
                    .filter(|e| several.contains(&e.0))
                    .map(|&(_, dst, label, marks)| (states, dst, label, marks))
                    .collect();
                self.edges.extend(copies);
                (states + 1, states)
            }
        };
        let mut sets: Interner<Lab> = Interner::new();
        let mut labels = Vec::new();
        let mut edges = Vec::new();
        for &(src, dst, label, marks) in &self.edges {
            if label == Lab::FALSE {
                continue;
            }
            let id = LabelId(sets.intern(label));
            if id.index() == labels.len() {
                labels.push(self.letters.cubes_between(label, label));
            }
            let marks = compact(marks, self.header.used);
            edges.push(Edge { src: StateId(src), dst: StateId(dst), label: id, marks });
        }
        if self.letters.exhausted() {
            return Err(self.error("the labels of this automaton are too large"));
        }
        let marks = self.header.used.count_ones();
        Ok(Automaton::new(self.propositions.atoms, labels, states, StateId(initial), marks, edges))
    }
}

/// The bits of `marks` at the positions in `used`, moved together.
fn compact(marks: u64, used: u64) -> u64 {
    let positions = (0..64).filter(|m| used >> m & 1 == 1);
    positions.enumerate().fold(0, |set, (i, m)| set | (marks >> m & 1) << i)
}
