//! TAPAAL's own files (`.tapn`), as far as their nets are untimed.
//!
//! A timed-arc net says everything in attributes. It has the runs of the place/transition
//! net with the same arcs exactly if time never matters: every guard is `[0,inf)`, every
//! invariant is `< inf`, no transition is urgent. Then a transport arc is a plain arc, too,
//! since the age that it keeps is never looked at. Anything else is refused by name, and so
//! are inhibitor arcs and nets that are made of several components.
//!
//! Newer versions write every marking and weight a second time, as a term over black
//! tokens; it has to say the same. What only statistical queries look at (distributions of
//! delays, weights of choices) changes no run and is skipped.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::error::ReadFailure;
use super::labels::no_text;
use super::ptnet::build;
use super::ptnet::parse_number;
use super::symbols::IdTable;
use super::tools::{ToolPart, Warnings};
use super::walk::{Content, NetHead, PtArc, Walker, unknown_part};
use crate::AnyNet;
use crate::coloured::read_label;
use crate::xml::{Position, Tag, Token, Value, XmlError, XmlReader, hint};
use brine_net::NetBuilder;
use brine_run::Control;

/// Where things are drawn.
const DRAWING: [&str; 8] = [
    "displayName",
    "nameOffsetX",
    "nameOffsetY",
    "markingOffsetX",
    "markingOffsetY",
    "positionX",
    "positionY",
    "angle",
];

/// What a transition has beyond that and changes no run.
const TRANSITION: [&str; 20] = [
    "displayName",
    "nameOffsetX",
    "nameOffsetY",
    "positionX",
    "positionY",
    "angle",
    "infiniteServer",
    "weight",
    "firingMode",
    "distribution",
    "a",
    "b",
    "c",
    "rate",
    "mean",
    "stddev",
    "scale",
    "shape",
    "value",
    "mode",
];

/// An element beside the net.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Declaration,
    Skip,
    Empty,
}

/// What stands beside the net: constants, queries, declarations.
#[derive(Debug, Default)]
pub(super) struct Around {
    constants: FxHashMap<String, String>,
    /// The first element that only TAPAAL's files have.
    first: Option<(String, Position)>,
    open: Option<(Beside, Position)>,
    is_tapaal: bool,
}

impl Around {
    /// Takes note of an element beside the net; false if it is none of TAPAAL's.
    pub(super) fn open(&mut self, tag: &Tag<'_>) -> Result<bool, XmlError> {
        let beside = match tag.name() {
            "constant" => {
                let [name, value] = tag.attributes(["name", "value"], &["type"])?;
                let (name, at) = name.ok_or_else(|| tag.missing("name"))?;
                let (value, _) = value.ok_or_else(|| tag.missing("value"))?;
                if name.parse::<i64>().is_ok() {
                    let message = format!("a constant called \"{name}\", expected a name");
                    return Err(XmlError::new(at, message));
                }
                let again = self.constants.insert(name.clone().into_owned(), value.into_owned());
                if again.is_some() {
                    let message = format!("a second constant \"{name}\", expected one");
                    return Err(XmlError::new(at, message));
                }
                Beside::Empty
            }
            "feature" => {
                feature(tag)?;
                Beside::Empty
            }
            "declaration" => {
                tag.plain()?;
                Beside::Declaration
            }
            // What is asked about the net, and how far the engine may go.
            "query" | "queries" | "k-bound" => Beside::Skip,
            "shared-place" | "shared-transition" => {
                return Err(tag.error(format!(
                    "<{}>: TAPAAL nets of several components are not read, expected one \
                     component (TAPAAL's PNML export composes them)",
                    tag.name()
                )));
            }
            _ => return Ok(false),
        };
        self.first.get_or_insert_with(|| (tag.name().to_owned(), tag.at()));
        self.open = Some((beside, tag.at()));
        Ok(true)
    }

    /// Reads the rest of that element.
    pub(super) fn read<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        warnings: &mut Warnings,
    ) -> Result<(), XmlError> {
        match self.open.take() {
            Some((Beside::Declaration, at)) => {
                if !read_label(xml, "declaration", at, warnings)?.is_dot() {
                    return Err(coloured(at));
                }
                Ok(())
            }
            Some((Beside::Empty, _)) => empty(xml),
            Some((Beside::Skip, _)) | None => xml.skip_element(),
        }
    }

    /// The message for a second net.
    pub(super) fn second_net(&self) -> &'static str {
        if self.is_tapaal {
            "a second <net>: TAPAAL nets of several components are not read, expected one \
             component (TAPAAL's PNML export composes them)"
        } else {
            "a second <net>, expected one net per file"
        }
    }

    /// Makes sure that these elements stood in one of TAPAAL's files.
    pub(super) fn finish(self) -> Result<(), XmlError> {
        match self.first {
            Some((name, at)) if !self.is_tapaal => {
                Err(XmlError::new(at, format!("unknown <{name}>, expected <net>")))
            }
            _ => Ok(()),
        }
    }
}

/// `<feature>`: what the whole file makes use of. Time may be there; each use of it is
/// looked at by itself.
fn feature(tag: &Tag<'_>) -> Result<(), XmlError> {
    let names = ["isGame", "isColored", "isStochastic"];
    let values = tag.attributes(names, &["isTimed"])?;
    for (name, value) in names.into_iter().zip(values) {
        match value {
            Some((value, at)) if value != "false" => {
                let message =
                    format!("{name}=\"{value}\" in a TAPAAL net, expected false: not supported");
                return Err(XmlError::new(at, message));
            }
            _ => {}
        }
    }
    Ok(())
}

fn coloured(at: Position) -> XmlError {
    let message = "colours in a TAPAAL net, expected black tokens only (TAPAAL's PNML export of \
                   a coloured net without time is read)";
    XmlError::new(at, message)
}

/// Reads an element to its end that must hold nothing.
fn empty<R: Read>(xml: &mut XmlReader<R>) -> Result<(), XmlError> {
    loop {
        match xml.next()? {
            Token::Start(tag) => {
                return Err(tag.error(format!("unknown <{}>, expected nothing", tag.name())));
            }
            Token::Text(text, at) => no_text(&text, at)?,
            Token::End | Token::Eof => return Ok(()),
        }
    }
}

/// Reads a TAPAAL net to `</net>`.
pub(super) fn read<R: Read>(
    xml: &mut XmlReader<R>,
    head: NetHead,
    around: &mut Around,
    control: &Control,
) -> Result<(AnyNet, Warnings), ReadFailure> {
    around.is_tapaal = true;
    let content = TapaalContent {
        builder: NetBuilder::new(&head.name),
        constants: &around.constants,
        name: String::new(),
        count: 0,
        text: String::new(),
        warnings: Warnings::default(),
    };
    let mut walker = Walker::new(content);
    walker.net(xml)?;
    walker.finish(&head)?;
    let TapaalContent { builder, warnings, .. } = walker.content;
    Ok((AnyNet::Plain(build(builder, &head, control)?), warnings))
}

struct TapaalContent<'c> {
    builder: NetBuilder,
    constants: &'c FxHashMap<String, String>,
    /// What the last tag said: a name, and tokens or a weight.
    name: String,
    count: u32,
    text: String,
    warnings: Warnings,
}

impl Content for TapaalContent<'_> {
    type Inscription = u32;

    fn net(&self) -> &'static str {
        "TAPAAL net"
    }

    fn notes(&mut self) -> (&mut Warnings, &mut String) {
        (&mut self.warnings, &mut self.text)
    }

    fn node<'t>(&mut self, tag: &'t Tag<'_>) -> Result<Value<'t>, XmlError> {
        let (id, name) = match tag.name() {
            "place" => self.place_tag(tag)?,
            _ => transition_tag(tag)?,
        };
        let (id, at) = id.ok_or_else(|| tag.missing("id"))?;
        self.name = name.map_or_else(|| id.clone().into_owned(), |(name, _)| name.into_owned());
        Ok((id, at))
    }

    fn arc_tag<'t>(&mut self, tag: &'t Tag<'_>) -> Result<[Option<Value<'t>>; 3], XmlError> {
        let names = ["id", "source", "target", "type", "inscription", "weight"];
        let [id, source, target, kind, guard, weight] = tag.attributes(names, &DRAWING)?;
        if let Some((kind, at)) = kind
            && !matches!(&*kind, "normal" | "timed" | "transport")
        {
            let hint = hint(&kind);
            let message = format!("an arc of type \"{kind}\" in a TAPAAL net{hint}");
            return Err(XmlError::new(at, message));
        }
        if let Some((guard, at)) = guard {
            check_guard(&guard, at)?;
        }
        self.count = self.number(weight, "inscription", 1)?;
        Ok([id, source, target])
    }

    fn is_decoration(&mut self, tag: &Tag<'_>) -> Result<bool, XmlError> {
        Ok(tag.name() == "labels")
    }

    fn place<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        _: Position,
    ) -> Result<(), XmlError> {
        self.terms(xml, "place", &["type", "hlinitialMarking"])?;
        self.builder.named_place(id, &self.name, self.count);
        Ok(())
    }

    fn transition<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        _: Position,
    ) -> Result<(), XmlError> {
        self.terms(xml, "transition", &[])?;
        self.builder.named_transition(id, &self.name, &[], &[]);
        Ok(())
    }

    fn inscription<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        _: Position,
    ) -> Result<u32, XmlError> {
        self.terms(xml, "arc", &["hlinscription"])?;
        Ok(self.count)
    }

    fn arc(&mut self, join: PtArc, weight: u32) {
        if join.input {
            self.builder.add_input(join.transition, join.place, weight);
        } else {
            self.builder.add_output(join.transition, join.place, weight);
        }
    }

    fn nupn<R: Read>(
        &mut self,
        _: &mut XmlReader<R>,
        _: &mut IdTable,
        at: Position,
    ) -> Result<(), XmlError> {
        Err(XmlError::new(at, unknown_part("toolspecific", self.net())))
    }

    fn declaration<R: Read>(&mut self, _: &mut XmlReader<R>, at: Position) -> Result<(), XmlError> {
        Err(XmlError::new(at, unknown_part("declaration", self.net())))
    }
}

/// The id and the name of a node.
type NodeNames<'t> = (Option<Value<'t>>, Option<Value<'t>>);

fn transition_tag<'t>(tag: &'t Tag<'_>) -> Result<NodeNames<'t>, XmlError> {
    let names = ["id", "name", "urgent", "priority", "player"];
    let [id, name, urgent, priority, player] = tag.attributes(names, &TRANSITION)?;
    let plain = [("urgent", urgent, "false"), ("priority", priority, "0"), ("player", player, "0")];
    for (what, value, expected) in plain {
        match value {
            Some((value, at)) if value != expected => {
                let message = format!(
                    "{what}=\"{value}\" in a TAPAAL net, expected {expected}{}",
                    hint(what)
                );
                return Err(XmlError::new(at, message));
            }
            _ => {}
        }
    }
    Ok((id, name))
}

/// Makes sure that a guard or inscription of an arc says nothing.
fn check_guard(guard: &str, at: Position) -> Result<(), XmlError> {
    let packed: String = guard.split_whitespace().collect();
    // A transport arc has a number that says which of them belong together.
    let interval = match packed.split_once(':') {
        Some((interval, pair)) if pair.bytes().all(|b| b.is_ascii_digit()) => interval,
        _ => &packed,
    };
    if matches!(interval, "[0,inf)" | "1") {
        return Ok(());
    }
    let shown: String = guard.chars().take(40).collect();
    let hint = hint("time");
    let message = format!("guard {shown} on an arc of a TAPAAL net, expected [0,inf){hint}");
    Err(XmlError::new(at, message))
}

impl TapaalContent<'_> {
    fn place_tag<'t>(&mut self, tag: &'t Tag<'_>) -> Result<NodeNames<'t>, XmlError> {
        let names = ["id", "name", "initialMarking", "invariant"];
        let [id, name, marking, invariant] = tag.attributes(names, &DRAWING)?;
        if let Some((invariant, at)) = invariant {
            let packed: String = invariant.split_whitespace().collect();
            if packed != "<inf" {
                let shown: String = invariant.chars().take(40).collect();
                let hint = hint("time");
                let message = format!("invariant {shown} of a TAPAAL place, expected < inf{hint}");
                return Err(XmlError::new(at, message));
            }
        }
        self.count = self.number(marking, "initialMarking", 0)?;
        Ok((id, name))
    }

    /// A number, or the value of a constant.
    fn number(&self, value: Option<Value<'_>>, label: &str, none: u32) -> Result<u32, XmlError> {
        let Some((value, at)) = value else { return Ok(none) };
        let text = self.constants.get(value.trim()).map_or(value.trim(), String::as_str);
        parse_number(text, at, label)
    }

    /// Reads the rest of a node or arc: what is drawn, and terms that say again how many
    /// tokens there are.
    fn terms<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        element: &str,
        labels: &[&'static str],
    ) -> Result<(), XmlError> {
        loop {
            let (label, tool, at) = match xml.next()? {
                Token::Start(tag) => match tag.name() {
                    "graphics" => (None, None, tag.at()),
                    "arcpath" if element == "arc" => (None, None, tag.at()),
                    "toolspecific" => (None, Some(ToolPart::new(&tag)), tag.at()),
                    other => {
                        let Some(label) = labels.iter().find(|&&l| l == other) else {
                            let message = format!(
                                "unknown <{other}> in a <{element}> of a TAPAAL net, expected \
                                 attributes{}",
                                hint(other)
                            );
                            return Err(tag.error(message));
                        };
                        tag.plain()?;
                        (Some(*label), None, tag.at())
                    }
                },
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::End | Token::Eof => return Ok(()),
            };
            match (label, tool) {
                (Some(label), _) => self.check_term(xml, label, at)?,
                (None, Some(tool)) => tool.skip(xml, &mut self.warnings)?,
                (None, None) => xml.skip_element()?,
            }
        }
    }

    fn check_term<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        label: &str,
        at: Position,
    ) -> Result<(), XmlError> {
        let tree = read_label(xml, label, at, &mut self.warnings)?;
        if label == "type" {
            return if tree.is_dot() { Ok(()) } else { Err(coloured(at)) };
        }
        match tree.black_tokens() {
            None => Err(coloured(at)),
            Some(n) if n == u64::from(self.count) => Ok(()),
            Some(n) => {
                let message = format!(
                    "<{label}> says {n}, the attribute says {}, expected the same",
                    self.count
                );
                Err(XmlError::new(at, message))
            }
        }
    }
}
