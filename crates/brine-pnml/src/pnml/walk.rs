//! Walks the pages, nodes and arcs of a PNML net, whatever its type.
//!
//! What all net types share is here: nesting pages, ids, references, arcs that come before
//! their ends. What a place, a transition or an arc *says* is read by a [`Content`], one
//! per net type. There is no recursion: pages nest by a counter, everything below a node
//! is up to its content. An arc whose two ends are already known goes straight to the
//! content; the others wait in `pending` until the file has been read.

use std::io::Read;

use super::error::ReadFailure;
use super::extras::arc_type;
use super::labels::{no_labels, no_text, text_label};
use super::net_type::{self, Dialect, NetType};
use super::nupn;
use super::symbols::{IdMeaning, IdTable, Symbol, Unresolved};
use super::tools::{ToolPart, Warnings};
use super::{ptnet, symmetric, tapaal};
use crate::AnyNet;
use crate::xml::{Position, Tag, Token, Value, XmlError, XmlReader, hint};
use brine_net::{PlaceId, TransitionId};
use brine_run::Control;

/// Reads the one net of a PNML document.
pub(super) fn read(input: impl Read, control: &Control) -> Result<(AnyNet, Warnings), ReadFailure> {
    let mut xml = XmlReader::new(input);
    open_root(&mut xml)?;
    let mut net = None;
    let mut warnings = Warnings::default();
    let mut around = tapaal::Around::default();
    loop {
        let tool = match xml.next()? {
            Token::Start(tag) if tag.name() == "net" => {
                if net.is_some() {
                    return Err(tag.error(around.second_net()).into());
                }
                let head = NetHead::new(&tag)?;
                let read = match head.net_type {
                    NetType::PlaceTransition(dialect) => {
                        ptnet::read(&mut xml, head, dialect, control)?
                    }
                    NetType::Coloured => symmetric::read(&mut xml, head)?,
                    NetType::PipeOrTapaal if head.active => {
                        tapaal::read(&mut xml, head, &mut around, control)?
                    }
                    NetType::PipeOrTapaal => ptnet::read(&mut xml, head, Dialect::Pipe, control)?,
                };
                net = Some(read);
                continue;
            }
            Token::Start(tag) if tag.name() == "toolspecific" => Some(ToolPart::new(&tag)),
            Token::Start(tag) if around.open(&tag)? => None,
            Token::Start(tag) => {
                return Err(tag.error(format!("unknown <{}>, expected <net>", tag.name())).into());
            }
            Token::Text(text, at) => {
                no_text(&text, at)?;
                continue;
            }
            Token::End | Token::Eof => break,
        };
        match tool {
            Some(tool) => tool.skip(&mut xml, &mut warnings)?,
            None => around.read(&mut xml, &mut warnings)?,
        }
    }
    let end = xml.position();
    while !matches!(xml.next()?, Token::Eof) {}
    around.finish()?;
    let (net, more) =
        net.ok_or_else(|| XmlError::new(end, "no <net> in this file, expected one"))?;
    Ok((net, warnings.and(more)))
}

/// Reads up to and including `<pnml>`.
fn open_root<R: Read>(xml: &mut XmlReader<R>) -> Result<(), XmlError> {
    loop {
        match xml.next()? {
            Token::Start(tag) if tag.name() == "pnml" => return tag.plain(),
            Token::Start(tag) if tag.name() == "property-set" => {
                let message = "this is a property file, which --mcc takes, expected a net: <pnml>";
                return Err(tag.error(message));
            }
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

/// Where a net starts, what it is called, and what it is.
pub(super) struct NetHead {
    pub(super) at: Position,
    pub(super) name: String,
    net_type: NetType,
    /// TAPAAL's mark of a component that takes part.
    active: bool,
}

impl NetHead {
    /// Checks the attributes of `<net>`.
    fn new(tag: &Tag<'_>) -> Result<Self, XmlError> {
        // The type says which attributes there are.
        let is_pipe = tag.attribute("type").as_deref().and_then(net_type::parse)
            == Some(NetType::PipeOrTapaal);
        let ([id, uri], active) = if is_pipe {
            let [id, uri, active] = tag.attributes(["id", "type", "active"], &[])?;
            ([id, uri], active)
        } else {
            (tag.attributes(["id", "type"], &[])?, None)
        };
        let (uri, at) = uri.ok_or_else(|| tag.missing("type"))?;
        let Some(net_type) = net_type::parse(&uri) else {
            let message = format!(
                "unknown net type \"{uri}\", expected \
                 \"http://www.pnml.org/version-2009/grammar/ptnet\" or .../symmetricnet{}",
                hint(net_type::last_part(&uri))
            );
            return Err(XmlError::new(at, message));
        };
        if let Some((value, at)) = active.as_ref().filter(|(value, _)| value != "true") {
            let message = format!(
                "active=\"{value}\": this component of a TAPAAL net is switched off, expected \
                 active=\"true\""
            );
            return Err(XmlError::new(*at, message));
        }
        let name = id.map_or_else(String::new, |(id, _)| id.into_owned());
        Ok(NetHead { at: tag.at(), name, net_type, active: active.is_some() })
    }
}

/// An arc between a place and a transition.
#[derive(Clone, Copy)]
pub(super) struct PtArc {
    pub(super) place: PlaceId,
    pub(super) transition: TransitionId,
    /// From the place to the transition.
    pub(super) input: bool,
}

/// What the nodes and arcs of one net type say. Places and transitions are numbered in the
/// order in which they are read.
pub(super) trait Content {
    /// What an arc says.
    type Inscription;

    /// What the net type is called in messages.
    fn net(&self) -> &'static str;

    /// Where warnings go, and scratch space for character data.
    fn notes(&mut self) -> (&mut Warnings, &mut String);

    /// The id of a place or transition, and whatever else its tag says.
    fn node<'t>(&mut self, tag: &'t Tag<'_>) -> Result<Value<'t>, XmlError> {
        tag.required("id")
    }

    /// The id, source and target of an arc, and whatever else its tag says.
    fn arc_tag<'t>(&mut self, tag: &'t Tag<'_>) -> Result<[Option<Value<'t>>; 3], XmlError> {
        let [id, source, target, kind] = tag.attributes(["id", "source", "target", "type"], &[])?;
        if let Some((kind, at)) = kind {
            arc_type(&kind, self.net(), at)?;
        }
        Ok([id, source, target])
    }

    /// Whether an element of a net or page is decoration in this dialect.
    fn is_decoration(&mut self, _: &Tag<'_>) -> Result<bool, XmlError> {
        Ok(false)
    }

    /// Reads the rest of a `<place>` that starts `at`.
    fn place<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        at: Position,
    ) -> Result<(), XmlError>;

    /// Reads the rest of a `<transition>` that starts `at`.
    fn transition<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        at: Position,
    ) -> Result<(), XmlError>;

    /// Reads the rest of an `<arc>` that starts `at`.
    fn inscription<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        at: Position,
    ) -> Result<Self::Inscription, XmlError>;

    /// Adds an arc.
    fn arc(&mut self, join: PtArc, inscription: Self::Inscription);

    /// Reads the rest of a NUPN part that starts `at`.
    fn nupn<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        symbols: &mut IdTable,
        at: Position,
    ) -> Result<(), XmlError>;

    /// Reads the rest of a `<declaration>` that starts `at`.
    fn declaration<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        at: Position,
    ) -> Result<(), XmlError>;
}

/// One end of an arc, and where the file states it.
#[derive(Clone, Copy)]
struct ArcEnd {
    symbol: Symbol,
    at: Position,
}

/// An arc whose ends are not known yet.
struct PendingArc<I> {
    source: ArcEnd,
    target: ArcEnd,
    inscription: I,
}

/// A reference place or transition, checked when the file has been read.
struct Reference {
    symbol: Symbol,
    at: Position,
}

/// An element below a net or page.
enum NetPart {
    Page,
    Place(Symbol),
    Transition(Symbol),
    Arc(ArcEnd, ArcEnd),
    Reference,
    Nupn,
    Declaration,
    Name,
    Tool(ToolPart),
    Skip,
}

/// The state of one walk.
pub(super) struct Walker<C: Content> {
    pub(super) content: C,
    pub(super) symbols: IdTable,
    pub(super) places: u32,
    pub(super) transitions: u32,
    pending: Vec<PendingArc<C::Inscription>>,
    references: Vec<Reference>,
}

impl<C: Content> Walker<C> {
    pub(super) fn new(content: C) -> Self {
        Walker {
            content,
            symbols: IdTable::default(),
            places: 0,
            transitions: 0,
            pending: Vec::new(),
            references: Vec::new(),
        }
    }

    /// Reads to `</net>`.
    pub(super) fn net<R: Read>(&mut self, xml: &mut XmlReader<R>) -> Result<(), XmlError> {
        let mut pages = 0_usize;
        loop {
            let (part, at) = match xml.next()? {
                Token::Start(tag) => (self.part(&tag)?, tag.at()),
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::End if pages > 0 => {
                    pages -= 1;
                    continue;
                }
                Token::End | Token::Eof => {
                    debug_assert!(pages == 0, "the net ended inside of a page");
                    return Ok(());
                }
            };
            match part {
                NetPart::Page => pages += 1,
                NetPart::Place(symbol) => self.place(xml, symbol, at)?,
                NetPart::Transition(symbol) => self.transition(xml, symbol, at)?,
                NetPart::Arc(source, target) => self.arc(xml, source, target, at)?,
                NetPart::Nupn => self.content.nupn(xml, &mut self.symbols, at)?,
                NetPart::Declaration => self.content.declaration(xml, at)?,
                NetPart::Reference => {
                    let (warnings, text) = self.content.notes();
                    no_labels(xml, text, warnings)?;
                }
                NetPart::Name => {
                    let (warnings, text) = self.content.notes();
                    text_label(xml, text, warnings)?;
                }
                NetPart::Tool(tool) => tool.skip(xml, self.content.notes().0)?,
                NetPart::Skip => xml.skip_element()?,
            }
        }
    }

    fn part(&mut self, tag: &Tag<'_>) -> Result<NetPart, XmlError> {
        Ok(match tag.name() {
            "page" => {
                tag.attributes([], &["id"])?;
                NetPart::Page
            }
            "place" => NetPart::Place(self.declare(tag)?),
            "transition" => NetPart::Transition(self.declare(tag)?),
            "arc" => {
                let (source, target) = self.arc_ends(tag)?;
                NetPart::Arc(source, target)
            }
            "referencePlace" | "referenceTransition" => {
                self.reference(tag)?;
                NetPart::Reference
            }
            "toolspecific" if nupn::is_nupn(tag) => {
                tag.attributes([], &["tool", "version", "xmlns"])?;
                NetPart::Nupn
            }
            "toolspecific" => NetPart::Tool(ToolPart::new(tag)),
            "declaration" => {
                tag.plain()?;
                NetPart::Declaration
            }
            "name" => {
                tag.plain()?;
                NetPart::Name
            }
            // Which markings a process may end in says nothing about its steps.
            "graphics" | "finalmarkings" => NetPart::Skip,
            _ if self.content.is_decoration(tag)? => NetPart::Skip,
            other => return Err(tag.error(unknown_part(other, self.content.net()))),
        })
    }

    /// Interns the id of a node and makes sure it is new.
    fn declare(&mut self, tag: &Tag<'_>) -> Result<Symbol, XmlError> {
        let (id, at) = self.content.node(tag)?;
        self.fresh(&id, at)
    }

    fn fresh(&mut self, id: &str, at: Position) -> Result<Symbol, XmlError> {
        if id.is_empty() {
            return Err(XmlError::new(at, "empty id, expected a name"));
        }
        let symbol = self.symbols.intern(id);
        if self.symbols.meaning(symbol) != IdMeaning::Unknown {
            let message = format!("id \"{id}\" is used twice, expected a new one");
            return Err(XmlError::new(at, message));
        }
        Ok(symbol)
    }

    fn place<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        symbol: Symbol,
        at: Position,
    ) -> Result<(), XmlError> {
        self.content.place(xml, self.symbols.id(symbol), at)?;
        self.symbols.set_meaning(symbol, IdMeaning::Place(PlaceId(self.places)));
        self.places += 1;
        Ok(())
    }

    fn transition<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        symbol: Symbol,
        at: Position,
    ) -> Result<(), XmlError> {
        self.content.transition(xml, self.symbols.id(symbol), at)?;
        self.symbols.set_meaning(symbol, IdMeaning::Transition(TransitionId(self.transitions)));
        self.transitions += 1;
        Ok(())
    }

    /// Interns the ends of an arc, and its id.
    fn arc_ends(&mut self, tag: &Tag<'_>) -> Result<(ArcEnd, ArcEnd), XmlError> {
        let [id, source, target] = self.content.arc_tag(tag)?;
        if let Some((id, at)) = id {
            let symbol = self.fresh(&id, at)?;
            self.symbols.set_meaning(symbol, IdMeaning::Arc);
        }
        let (source, source_at) = source.ok_or_else(|| tag.missing("source"))?;
        let (target, target_at) = target.ok_or_else(|| tag.missing("target"))?;
        let source = ArcEnd { symbol: self.symbols.intern(&source), at: source_at };
        let target = ArcEnd { symbol: self.symbols.intern(&target), at: target_at };
        Ok((source, target))
    }

    fn arc<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        source: ArcEnd,
        target: ArcEnd,
        at: Position,
    ) -> Result<(), XmlError> {
        let inscription = self.content.inscription(xml, at)?;
        let ends = (self.symbols.meaning(source.symbol), self.symbols.meaning(target.symbol));
        let (place, transition, input) = match ends {
            (IdMeaning::Place(p), IdMeaning::Transition(t)) => (p, t, true),
            (IdMeaning::Transition(t), IdMeaning::Place(p)) => (p, t, false),
            _ => {
                self.pending.push(PendingArc { source, target, inscription });
                return Ok(());
            }
        };
        self.content.arc(PtArc { place, transition, input }, inscription);
        Ok(())
    }

    /// Interns a reference place or transition.
    fn reference(&mut self, tag: &Tag<'_>) -> Result<(), XmlError> {
        let [id, target] = tag.attributes(["id", "ref"], &[])?;
        let (id, id_at) = id.ok_or_else(|| tag.missing("id"))?;
        let symbol = self.fresh(&id, id_at)?;
        let (target, at) = target.ok_or_else(|| tag.missing("ref"))?;
        let target = self.symbols.intern(&target);
        let meaning = match tag.name() {
            "referencePlace" => IdMeaning::PlaceReference(target),
            _ => IdMeaning::TransitionReference(target),
        };
        self.symbols.set_meaning(symbol, meaning);
        self.references.push(Reference { symbol, at });
        Ok(())
    }

    /// Joins what had to wait.
    pub(super) fn finish(&mut self, head: &NetHead) -> Result<(), XmlError> {
        for Reference { symbol, at } in std::mem::take(&mut self.references) {
            self.symbols.resolve(symbol).map_err(|e| unresolved(&self.symbols, e, at))?;
        }
        for arc in std::mem::take(&mut self.pending) {
            self.join(arc)?;
        }
        if self.places == 0 && self.transitions == 0 {
            return Err(XmlError::new(
                head.at,
                "the net is empty, expected places and transitions",
            ));
        }
        if self.transitions == 0 {
            let message = "the net has no transitions, so nothing can ever happen in it, \
                           expected at least one transition";
            return Err(XmlError::new(head.at, message));
        }
        Ok(())
    }

    fn join(&mut self, arc: PendingArc<C::Inscription>) -> Result<(), XmlError> {
        let source = self.node(arc.source)?;
        let target = self.node(arc.target)?;
        let (place, transition, input) = match (source, target) {
            (ArcNode::Place(p), ArcNode::Transition(t)) => (p, t, true),
            (ArcNode::Transition(t), ArcNode::Place(p)) => (p, t, false),
            (ArcNode::Place(_), ArcNode::Place(_)) => {
                let message = "an arc between two places, expected a transition here";
                return Err(XmlError::new(arc.target.at, message));
            }
            (ArcNode::Transition(_), ArcNode::Transition(_)) => {
                let message = "an arc between two transitions, expected a place here";
                return Err(XmlError::new(arc.target.at, message));
            }
        };
        self.content.arc(PtArc { place, transition, input }, arc.inscription);
        Ok(())
    }

    fn node(&mut self, end: ArcEnd) -> Result<ArcNode, XmlError> {
        match self.symbols.resolve(end.symbol) {
            Ok(IdMeaning::Place(p)) => Ok(ArcNode::Place(p)),
            Ok(IdMeaning::Transition(t)) => Ok(ArcNode::Transition(t)),
            Ok(_) => Err(unresolved(&self.symbols, Unresolved::WrongKind(end.symbol), end.at)),
            Err(e) => Err(unresolved(&self.symbols, e, end.at)),
        }
    }
}

/// What an arc's end turned out to be.
enum ArcNode {
    Place(PlaceId),
    Transition(TransitionId),
}

fn unresolved(symbols: &IdTable, error: Unresolved, at: Position) -> XmlError {
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

/// The message for an element that a net of this type does not have.
pub(super) fn unknown_part(name: &str, net: &str) -> String {
    let hint = hint(name);
    format!("unknown <{name}>, expected a page, place, transition or arc of a {net}{hint}")
}
