//! Reading automata in HOA format (version 1).
//!
//! What Brine can use: generalised Büchi acceptance (any conjunction of `Inf(i)`, or
//! `t`), on states or on edges; labels on edges or on states, with aliases; several start
//! states (a fresh initial state takes over their edges). Anything else that the format
//! allows (`Fin`, disjunctions, universal branching, implicit labels) is refused with the
//! place where it stands.
//!
//! Atoms are read with the text syntax of formulas where that makes a single atom, else
//! as named propositions.

use crate::atom::Atom;
use crate::automaton::{Automaton, Edge, LabelId, MAX_ATOMS, MAX_MARKS, StateId};
use crate::error::ParseError;
use crate::formula::{Formulas, Node};
use crate::letters::{Lab, Letters};
use crate::parse::parse;
use crate::symbols::Symbols;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace1, none_of, one_of, satisfy};
use nom::combinator::{map, recognize, value};
use nom::multi::{fold_many0, many0};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};
use rustc_hash::FxHashMap;

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
        tokens,
        at: 0,
        letters: Letters::new(),
        aliases: FxHashMap::default(),
        header: Header::default(),
        edges: Vec::new(),
    };
    reader.automaton(symbols)
}

#[derive(Default)]
struct Header {
    states: Option<u32>,
    start: Vec<u32>,
    atoms: Option<Vec<String>>,
    marks: Option<u32>,
    /// Mark i of the file counts (it occurs as `Inf(i)`).
    used: u64,
}

struct HoaReader<'a> {
    source: &'a str,
    tokens: Vec<(HoaToken, usize)>,
    at: usize,
    letters: Letters,
    aliases: FxHashMap<String, Lab>,
    header: Header,
    edges: Vec<(u32, u32, Lab, u64)>,
}

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

    fn automaton(mut self, symbols: &mut Symbols) -> Result<Automaton, ParseError> {
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
        while let Some(HoaToken::Header(name)) = self.peek() {
            if name != "State" {
                return Err(self.error("expected \"State:\" or \"--END--\""));
            }
            self.at += 1;
            self.state()?;
        }
        if self.peek() != Some(&HoaToken::End) {
            return Err(self.error("expected an edge, \"State:\" or \"--END--\""));
        }
        self.at += 1;
        if self.peek().is_some() {
            return Err(self.error("only one automaton per file is read"));
        }
        self.finish(symbols)
    }

    fn header_item(&mut self) -> Result<(), ParseError> {
        let Some(HoaToken::Header(name)) = self.peek() else {
            return Err(self.error("expected a header such as \"States:\" or \"--BODY--\""));
        };
        let name = name.clone();
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
            return Err(self.error("universal branching is not supported"));
        }
        Ok(())
    }

    fn atoms(&mut self) -> Result<(), ParseError> {
        let count = self.number()?;
        if count as usize > MAX_ATOMS {
            return Err(self.error(format!("more than {MAX_ATOMS} atomic propositions")));
        }
        let mut atoms = Vec::new();
        for _ in 0..count {
            let Some(HoaToken::Text(name)) = self.peek().cloned() else {
                return Err(self.error("expected the name of an atomic proposition in quotes"));
            };
            self.at += 1;
            atoms.push(name);
        }
        self.header.atoms = Some(atoms);
        Ok(())
    }

    /// A conjunction of `Inf(i)`, or `t`; parentheses do not matter in a conjunction.
    fn acceptance(&mut self) -> Result<(), ParseError> {
        let count = self.number()?;
        if count as usize > MAX_MARKS {
            return Err(self.error(format!("more than {MAX_MARKS} acceptance sets")));
        }
        self.header.marks = Some(count);
        let unsupported =
            "only generalised Büchi acceptance, a conjunction of Inf(i), is supported";
        loop {
            match self.peek().cloned() {
                Some(HoaToken::Word(w)) if w == "Inf" => {
                    self.at += 1;
                    self.expect_sign('(')?;
                    if self.peek() == Some(&HoaToken::Sign('!')) {
                        return Err(self.error(unsupported));
                    }
                    let m = self.number()?;
                    if m >= count {
                        return Err(self.error(format!("acceptance set {m} does not exist")));
                    }
                    self.header.used |= 1 << m;
                    self.expect_sign(')')?;
                }
                Some(HoaToken::Word(w)) if w == "t" => self.at += 1,
                Some(HoaToken::Sign('&' | '(' | ')')) => self.at += 1,
                Some(HoaToken::Header(_) | HoaToken::Body) => return Ok(()),
                _ => return Err(self.error(unsupported)),
            }
        }
    }

    /// `[label] number "name" {marks}` and the edges that follow.
    fn state(&mut self) -> Result<(), ParseError> {
        let on_state = self.bracketed_label()?;
        let src = self.number()?;
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
                    return Err(self.error("implicit labels are not supported: expected [label]"));
                }
                Some(HoaToken::Number(_)) => None,
                _ => return Ok(()),
            };
            let dst = self.number()?;
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
                Some(HoaToken::Number(n)) => {
                    let known = self.header.atoms.as_ref().map_or(0, Vec::len);
                    if n as usize >= known {
                        return Err(self.error(format!("atomic proposition {n} does not exist")));
                    }
                    operands.push(self.letters.atom(n as usize));
                }
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

    fn finish(mut self, symbols: &mut Symbols) -> Result<Automaton, ParseError> {
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
        let (atoms, flipped) = read_atoms(self.header.atoms.take().unwrap_or_default(), symbols);
        let mut ids: FxHashMap<Lab, LabelId> = FxHashMap::default();
        let mut labels = Vec::new();
        let mut edges = Vec::new();
        for &(src, dst, label, marks) in &self.edges {
            if label == Lab::FALSE {
                continue;
            }
            let id = *ids.entry(label).or_insert_with(|| {
                let mut plain = self.letters.cubes_between(label, label);
                for cube in &mut plain.cubes {
                    let swap = (cube.pos ^ cube.neg) & flipped;
                    cube.pos ^= swap;
                    cube.neg ^= swap;
                }
                labels.push(plain);
                LabelId(labels.len() as u32 - 1)
            });
            let marks = compact(marks, self.header.used);
            edges.push(Edge { src: StateId(src), dst: StateId(dst), label: id, marks });
        }
        if self.letters.exhausted() {
            return Err(self.error("the labels of this automaton are too large"));
        }
        let marks = self.header.used.count_ones();
        Ok(Automaton::new(atoms, labels, states, StateId(initial), marks, edges))
    }
}

/// The bits of `marks` at the positions in `used`, moved together.
fn compact(marks: u64, used: u64) -> u64 {
    let positions = (0..64).filter(|m| used >> m & 1 == 1);
    positions.enumerate().fold(0, |set, (i, m)| set | (marks >> m & 1) << i)
}

/// The atoms behind the names, and which of them stand for the negation of the name.
fn read_atoms(names: Vec<String>, symbols: &mut Symbols) -> (Vec<Atom>, u64) {
    let mut flipped = 0;
    let atoms = names
        .into_iter()
        .enumerate()
        .map(|(i, name)| {
            let mut fs = Formulas::new();
            let atom = match parse(&name, &mut fs, symbols).map(|f| fs.node(f)) {
                Ok(Node::Atom(a)) => Some(fs.atom(a).clone()),
                Ok(Node::Not(g)) => match fs.node(g) {
                    Node::Atom(a) if matches!(fs.atom(a), Atom::Linear(_)) => {
                        flipped |= 1 << i;
                        Some(fs.atom(a).clone())
                    }
                    _ => None,
                },
                _ => None,
            };
            atom.unwrap_or(Atom::Prop(name))
        })
        .collect();
    (atoms, flipped)
}
