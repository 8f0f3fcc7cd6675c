//! Walks a place/transition net in PNML: pages, nodes, arcs.
//!
//! There is no recursion: pages nest by a counter, everything below a node has a fixed
//! depth. An arc whose two ends are already known goes straight to its transition; the
//! others wait in `pending` until the file has been read.

use std::io::Read;

use super::error::Failure;
use super::net_type::{self, NetType};
use super::nupn::{self, Units};
use super::symbols::{Meaning, Symbol, Symbols, Unresolved};
use crate::xml::{Position, Tag, Token, XmlError, XmlReader};
use crate::{Net, NetBuilder, PlaceId, TransitionId};

/// Reads the one net of a PNML document.
pub(super) fn read(input: impl Read) -> Result<Net, Failure> {
    let mut xml = XmlReader::new(input);
    open_root(&mut xml)?;
    let mut net = None;
    loop {
        match xml.next()? {
            Token::Start(tag) if tag.name() == "net" => {
                if net.is_some() {
                    return Err(tag.error("a second <net>, expected one net per file").into());
                }
                let mut reader = PtReader::new(xml_net_head(&tag)?);
                reader.net(&mut xml)?;
                net = Some(reader.finish()?);
            }
            Token::Start(tag) if tag.name() == "toolspecific" => xml.skip_element()?,
            Token::Start(tag) => {
                return Err(tag.error(format!("unknown <{}>, expected <net>", tag.name())).into());
            }
            Token::Text(text, at) => no_text(&text, at)?,
            Token::End => break,
            Token::Eof => break,
        }
    }
    let end = xml.position();
    while !matches!(xml.next()?, Token::Eof) {}
    net.ok_or_else(|| XmlError::new(end, "no <net> in this file, expected one").into())
}

/// Reads up to and including `<pnml>`.
fn open_root<R: Read>(xml: &mut XmlReader<R>) -> Result<(), XmlError> {
    loop {
        match xml.next()? {
            Token::Start(tag) if tag.name() == "pnml" => return Ok(()),
            Token::Start(tag) => {
                return Err(tag.error(format!("unknown <{}>, expected <pnml>", tag.name())));
            }
            Token::Text(..) => {}
            Token::End | Token::Eof => {
                return Err(XmlError::new(xml.position(), "expected <pnml>"));
            }
        }
    }
}

/// Where a net starts and what it is called.
struct NetHead {
    at: Position,
    name: String,
}

/// Checks the attributes of `<net>`.
fn xml_net_head(tag: &Tag<'_>) -> Result<NetHead, Failure> {
    let [id, uri] = tag.attributes(["id", "type"])?;
    let (uri, at) = uri.ok_or_else(|| tag.missing("type"))?;
    match net_type::parse(&uri) {
        Some(NetType::PlaceTransition) => {}
        Some(NetType::Coloured) => {
            return Err(Failure::Coloured { at, net_type: uri.into_owned() });
        }
        None => {
            let message = format!(
                "unknown net type \"{uri}\", expected \
                 \"http://www.pnml.org/version-2009/grammar/ptnet\""
            );
            return Err(XmlError::new(at, message).into());
        }
    }
    Ok(NetHead { at: tag.at(), name: id.map_or_else(String::new, |(id, _)| id.into_owned()) })
}

/// The error for text where only elements belong.
fn no_text(text: &str, at: Position) -> Result<(), XmlError> {
    let blank = text.len() - text.trim_start().len();
    if blank == text.len() {
        return Ok(());
    }
    Err(XmlError::new(at.after(&text.as_bytes()[..blank]), "stray text, expected an element"))
}

/// One end of an arc, and where the file states it.
#[derive(Clone, Copy)]
struct End {
    symbol: Symbol,
    at: Position,
}

/// An arc whose ends are not known yet.
struct PendingArc {
    source: End,
    target: End,
    weight: u32,
}

/// A reference place or transition, checked when the file has been read.
struct Reference {
    symbol: Symbol,
    at: Position,
}

/// Children of pages and nodes.
enum Child {
    Name,
    Number,
    Skip,
}

/// The state of one walk.
struct PtReader {
    head: NetHead,
    builder: NetBuilder,
    places: u32,
    transitions: u32,
    symbols: Symbols,
    pending: Vec<PendingArc>,
    references: Vec<Reference>,
    units: Option<Units>,
    /// Scratch space for character data.
    text: String,
}

impl PtReader {
    fn new(head: NetHead) -> Self {
        let builder = NetBuilder::new(&head.name);
        PtReader {
            head,
            builder,
            places: 0,
            transitions: 0,
            symbols: Symbols::default(),
            pending: Vec::new(),
            references: Vec::new(),
            units: None,
            text: String::new(),
        }
    }

    /// Reads to `</net>`.
    fn net<R: Read>(&mut self, xml: &mut XmlReader<R>) -> Result<(), XmlError> {
        let mut pages = 0_usize;
        loop {
            let tag = match xml.next()? {
                Token::Start(tag) => tag,
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::End if pages > 0 => {
                    pages -= 1;
                    continue;
                }
                Token::End | Token::Eof => return Ok(()),
            };
            match tag.name() {
                "page" => pages += 1,
                "place" => {
                    let symbol = self.declare(&tag)?;
                    self.place(xml, symbol)?;
                }
                "transition" => {
                    let symbol = self.declare(&tag)?;
                    self.transition(xml, symbol)?;
                }
                "arc" => {
                    let (source, target) = self.arc_ends(&tag)?;
                    self.arc(xml, source, target)?;
                }
                "referencePlace" | "referenceTransition" => {
                    self.reference(&tag)?;
                    xml.skip_element()?;
                }
                "toolspecific" if nupn::is_nupn(&tag)? => {
                    if self.units.is_some() {
                        return Err(tag.error("a second NUPN part, expected at most one"));
                    }
                    self.units = Some(nupn::read(xml, &mut self.symbols)?);
                }
                "name" | "graphics" | "toolspecific" => xml.skip_element()?,
                other => {
                    let message = format!(
                        "unknown <{other}>, expected a page, place, transition or arc of a \
                         place/transition net"
                    );
                    return Err(tag.error(message));
                }
            }
        }
    }

    /// Interns the id of a node and makes sure it is new.
    fn declare(&mut self, tag: &Tag<'_>) -> Result<Symbol, XmlError> {
        let (id, at) = tag.required("id")?;
        self.fresh(&id, at)
    }

    fn fresh(&mut self, id: &str, at: Position) -> Result<Symbol, XmlError> {
        if id.is_empty() {
            return Err(XmlError::new(at, "empty id, expected a name"));
        }
        let symbol = self.symbols.intern(id);
        if self.symbols.meaning(symbol) != Meaning::Unknown {
            let message = format!("id \"{id}\" is used twice, expected a new one");
            return Err(XmlError::new(at, message));
        }
        Ok(symbol)
    }

    /// Reads the rest of a `<place>`.
    fn place<R: Read>(&mut self, xml: &mut XmlReader<R>, symbol: Symbol) -> Result<(), XmlError> {
        let (name, initial) = self.labels(xml, "place", "initialMarking")?;
        let id = self.symbols.id(symbol);
        let place =
            self.builder.named_place(id, name.as_deref().unwrap_or(id), initial.unwrap_or(0));
        self.symbols.set_meaning(symbol, Meaning::Place(place));
        self.places += 1;
        Ok(())
    }

    /// Reads the rest of a `<transition>`.
    fn transition<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        symbol: Symbol,
    ) -> Result<(), XmlError> {
        let (name, _) = self.labels(xml, "transition", "")?;
        let id = self.symbols.id(symbol);
        let name = name.as_deref().unwrap_or(id);
        let transition = self.builder.named_transition(id, name, Vec::new(), Vec::new());
        self.symbols.set_meaning(symbol, Meaning::Transition(transition));
        self.transitions += 1;
        Ok(())
    }

    /// Interns the ends of an arc, and its id.
    fn arc_ends(&mut self, tag: &Tag<'_>) -> Result<(End, End), XmlError> {
        let [id, source, target] = tag.attributes(["id", "source", "target"])?;
        if let Some((id, at)) = id {
            let symbol = self.fresh(&id, at)?;
            self.symbols.set_meaning(symbol, Meaning::Arc);
        }
        let (source, source_at) = source.ok_or_else(|| tag.missing("source"))?;
        let (target, target_at) = target.ok_or_else(|| tag.missing("target"))?;
        let source = End { symbol: self.symbols.intern(&source), at: source_at };
        let target = End { symbol: self.symbols.intern(&target), at: target_at };
        Ok((source, target))
    }

    /// Reads the rest of an `<arc>`.
    fn arc<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        source: End,
        target: End,
    ) -> Result<(), XmlError> {
        let (_, weight) = self.labels(xml, "arc", "inscription")?;
        let weight = weight.unwrap_or(1);
        match (self.symbols.meaning(source.symbol), self.symbols.meaning(target.symbol)) {
            (Meaning::Place(p), Meaning::Transition(t)) => self.builder.add_input(t, p, weight),
            (Meaning::Transition(t), Meaning::Place(p)) => self.builder.add_output(t, p, weight),
            _ => self.pending.push(PendingArc { source, target, weight }),
        }
        Ok(())
    }

    /// Interns a reference place or transition.
    fn reference(&mut self, tag: &Tag<'_>) -> Result<(), XmlError> {
        let symbol = self.declare(tag)?;
        let (target, at) = tag.required("ref")?;
        let target = self.symbols.intern(&target);
        let meaning = match tag.name() {
            "referencePlace" => Meaning::PlaceReference(target),
            _ => Meaning::TransitionReference(target),
        };
        self.symbols.set_meaning(symbol, meaning);
        self.references.push(Reference { symbol, at });
        Ok(())
    }

    /// Reads the labels of a node or arc to its end: its name, and the number in the
    /// label called `number` (an initial marking or a weight).
    fn labels<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        element: &str,
        number: &str,
    ) -> Result<(Option<String>, Option<u32>), XmlError> {
        let mut name = None;
        let mut value = None;
        loop {
            let (child, at) = match xml.next()? {
                Token::End | Token::Eof => return Ok((name, value)),
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::Start(tag) => match tag.name() {
                    "name" => (Child::Name, tag.at()),
                    "graphics" | "toolspecific" => (Child::Skip, tag.at()),
                    other if other == number => (Child::Number, tag.at()),
                    other => return Err(tag.error(unknown_label(other, element, number))),
                },
            };
            match child {
                Child::Skip => xml.skip_element()?,
                Child::Name => {
                    if self.label(xml)?.is_some() && element != "arc" {
                        name = Some(self.text.trim().to_owned());
                    }
                }
                Child::Number => {
                    if value.is_some() {
                        let message = format!("a second <{number}>, expected at most one");
                        return Err(XmlError::new(at, message));
                    }
                    if let Some(at) = self.label(xml)? {
                        value = Some(parse_number(self.text.trim(), at, number)?);
                    }
                }
            }
        }
    }

    /// Reads the rest of a label into `self.text`; gives the position of its text.
    fn label<R: Read>(&mut self, xml: &mut XmlReader<R>) -> Result<Option<Position>, XmlError> {
        let mut found = None;
        loop {
            // Old files say <value> where the standard says <text>.
            let is_text = match xml.next()? {
                Token::Start(tag) => matches!(tag.name(), "text" | "value"),
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::End | Token::Eof => return Ok(found),
            };
            if is_text && found.is_none() {
                found = Some(xml.read_text(&mut self.text)?);
            } else {
                xml.skip_element()?;
            }
        }
    }

    /// Joins what had to wait and builds the net.
    fn finish(mut self) -> Result<Net, XmlError> {
        for Reference { symbol, at } in std::mem::take(&mut self.references) {
            self.symbols.resolve(symbol).map_err(|e| unresolved(&self.symbols, e, at))?;
        }
        for arc in std::mem::take(&mut self.pending) {
            self.join(&arc)?;
        }
        if let Some(units) = self.units.take() {
            self.builder.nupn(units.resolve(&mut self.symbols)?);
        }
        let at = self.head.at;
        if self.places == 0 && self.transitions == 0 {
            return Err(XmlError::new(at, "the net is empty, expected places and transitions"));
        }
        if self.transitions == 0 {
            let message = "the net has no transitions, so nothing can ever happen in it, \
                           expected at least one transition";
            return Err(XmlError::new(at, message));
        }
        // The index of ids is as large as the net; free it before the net is completed.
        drop(self.symbols);
        self.builder.build().map_err(|e| XmlError::new(at, e.to_string()))
    }

    fn join(&mut self, arc: &PendingArc) -> Result<(), XmlError> {
        let source = self.node(arc.source)?;
        let target = self.node(arc.target)?;
        match (source, target) {
            (Node::Place(p), Node::Transition(t)) => self.builder.add_input(t, p, arc.weight),
            (Node::Transition(t), Node::Place(p)) => self.builder.add_output(t, p, arc.weight),
            (Node::Place(_), Node::Place(_)) => {
                let message = "an arc between two places, expected a transition here";
                return Err(XmlError::new(arc.target.at, message));
            }
            (Node::Transition(_), Node::Transition(_)) => {
                let message = "an arc between two transitions, expected a place here";
                return Err(XmlError::new(arc.target.at, message));
            }
        }
        Ok(())
    }

    fn node(&mut self, end: End) -> Result<Node, XmlError> {
        match self.symbols.resolve(end.symbol) {
            Ok(Meaning::Place(p)) => Ok(Node::Place(p)),
            Ok(Meaning::Transition(t)) => Ok(Node::Transition(t)),
            Ok(_) => Err(unresolved(&self.symbols, Unresolved::WrongKind(end.symbol), end.at)),
            Err(e) => Err(unresolved(&self.symbols, e, end.at)),
        }
    }
}

/// What an arc's end turned out to be.
enum Node {
    Place(PlaceId),
    Transition(TransitionId),
}

fn unknown_label(found: &str, element: &str, number: &str) -> String {
    let known = if number.is_empty() { "<name>".to_owned() } else { format!("<{number}>") };
    format!(
        "unknown <{found}> in a <{element}>, expected {known}, <graphics> or <toolspecific> \
         (place/transition nets have nothing else)"
    )
}

fn unresolved(symbols: &Symbols, error: Unresolved, at: Position) -> XmlError {
    let message = match error {
        Unresolved::Unknown(s) => format!(
            "\"{}\" is not declared, expected the id of a place or transition",
            symbols.id(s)
        ),
        Unresolved::Circle(s) => {
            format!(
                "reference \"{}\" leads back to itself, expected a place or transition",
                symbols.id(s)
            )
        }
        Unresolved::WrongKind(s) => format!(
            "\"{}\" is of another kind, expected a place or transition as the arc or reference needs",
            symbols.id(s)
        ),
    };
    XmlError::new(at, message)
}

/// A number of tokens or a weight.
fn parse_number(text: &str, at: Position, label: &str) -> Result<u32, XmlError> {
    let (what, least) = match label {
        "inscription" => ("weight", 1),
        _ => ("marking", 0),
    };
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let problem = match text.parse::<u32>() {
        Ok(n) if digits && n >= least => return Ok(n),
        Ok(0) if digits => "is zero",
        _ if digits => "is too large",
        _ if text.is_empty() => "is missing",
        _ if text.parse::<i128>().is_ok_and(|n| n < 0) => "is negative",
        _ => "is not a number",
    };
    let shown: String = text.chars().take(40).collect();
    let message =
        format!("{what} \"{shown}\" {problem}, expected a number from {least} to {}", u32::MAX);
    Err(XmlError::new(at, message))
}
