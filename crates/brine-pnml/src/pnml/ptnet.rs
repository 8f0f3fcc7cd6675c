//! What the nodes and arcs of a place/transition net say: markings and weights.

use std::io::Read;

use super::error::ReadFailure;
use super::extras::{self, Agreement, Extra, arc_type};
use super::labels::{no_text, no_value, text_label};
use super::net_type::Dialect;
use super::nupn::{self, RawUnits};
use super::symbols::IdTable;
use super::tools::{ToolPart, Warnings};
use super::walk::{Content, NetHead, PtArc, Walker, unknown_part};
use crate::AnyNet;
use crate::xml::{Position, Tag, Token, XmlError, XmlReader, hint};
use brine_net::{Net, NetBuilder, NetError};
use brine_run::Control;

/// Reads a place/transition net to `</net>`.
pub(super) fn read<R: Read>(
    xml: &mut XmlReader<R>,
    head: NetHead,
    dialect: Dialect,
    control: &Control,
) -> Result<(AnyNet, Warnings), ReadFailure> {
    let content = PtContent {
        dialect,
        builder: NetBuilder::new(&head.name),
        units: None,
        text: String::new(),
        agreement: Agreement::default(),
        warnings: Warnings::default(),
    };
    let mut walker = Walker::new(content);
    walker.net(xml)?;
    walker.finish(&head)?;
    let Walker { content, mut symbols, .. } = walker;
    let mut builder = content.builder;
    if let Some(units) = content.units {
        builder.nupn(units.resolve(&mut symbols)?);
    }
    // The index of ids is as large as the net; free it before the net is completed.
    drop(symbols);
    Ok((AnyNet::Plain(build(builder, &head, control)?), content.warnings))
}

/// The net, completed; what is wrong with it as a whole is told where it starts.
pub(super) fn build(
    builder: NetBuilder,
    head: &NetHead,
    control: &Control,
) -> Result<Net, ReadFailure> {
    builder.build_within(control).map_err(|e| match e {
        NetError::Stopped(stop) => ReadFailure::Stopped(stop),
        e => XmlError::new(head.at, e.to_string()).into(),
    })
}

/// Children of nodes and arcs.
enum PtChild {
    Name,
    Number,
    Extra(Extra),
    Tool(ToolPart),
    Skip,
}

struct PtContent {
    dialect: Dialect,
    builder: NetBuilder,
    units: Option<RawUnits>,
    /// Scratch space for character data.
    text: String,
    agreement: Agreement,
    warnings: Warnings,
}

impl Content for PtContent {
    type Inscription = u32;

    fn net(&self) -> &'static str {
        self.dialect.net()
    }

    fn notes(&mut self) -> (&mut Warnings, &mut String) {
        (&mut self.warnings, &mut self.text)
    }

    fn is_decoration(&mut self, tag: &Tag<'_>) -> Result<bool, XmlError> {
        extras::is_decoration(self.dialect, tag)
    }

    fn place<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        _: Position,
    ) -> Result<(), XmlError> {
        let (name, initial) = self.labels(xml, "place", "initialMarking")?;
        self.builder.named_place(id, name.as_deref().unwrap_or(id), initial.unwrap_or(0));
        Ok(())
    }

    fn transition<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        at: Position,
    ) -> Result<(), XmlError> {
        let (name, _) = self.labels(xml, "transition", "")?;
        self.agreement.end_transition(at)?;
        let name = name.as_deref().unwrap_or(id);
        self.builder.named_transition(id, name, &[], &[]);
        Ok(())
    }

    fn inscription<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        _: Position,
    ) -> Result<u32, XmlError> {
        let (_, weight) = self.labels(xml, "arc", "inscription")?;
        Ok(weight.unwrap_or(1))
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
        xml: &mut XmlReader<R>,
        symbols: &mut IdTable,
        at: Position,
    ) -> Result<(), XmlError> {
        if self.units.is_some() {
            return Err(XmlError::new(at, "a second NUPN part, expected at most one"));
        }
        self.units = Some(nupn::read(xml, symbols)?);
        Ok(())
    }

    fn declaration<R: Read>(&mut self, _: &mut XmlReader<R>, at: Position) -> Result<(), XmlError> {
        let message = unknown_part("declaration", self.net());
        Err(XmlError::new(at, message))
    }
}

impl PtContent {
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
                Token::Start(tag) => (self.child(&tag, element, number)?, tag.at()),
            };
            match child {
                PtChild::Skip => xml.skip_element()?,
                PtChild::Tool(tool) => tool.skip(xml, &mut self.warnings)?,
                PtChild::Extra(extra) => {
                    let which = (self.dialect, extra, at);
                    self.agreement.read(xml, which, &mut self.text, &mut self.warnings)?;
                }
                PtChild::Name => {
                    if name.is_some() {
                        return Err(XmlError::new(at, "a second <name>, expected at most one"));
                    }
                    let found = text_label(xml, &mut self.text, &mut self.warnings)?;
                    if found.is_some() && element != "arc" {
                        name = Some(self.text.trim().to_owned());
                    }
                }
                PtChild::Number => {
                    if value.is_some() {
                        let message = format!("a second <{number}>, expected at most one");
                        return Err(XmlError::new(at, message));
                    }
                    let found = text_label(xml, &mut self.text, &mut self.warnings)?;
                    let text_at = found.ok_or_else(|| no_value(number, at))?;
                    let mut text = self.text.trim();
                    if self.dialect == Dialect::Pipe {
                        text = self.agreement.count(text, text_at)?;
                    }
                    value = Some(parse_number(text, text_at, number)?);
                }
            }
        }
    }

    /// What a child of a node or arc is.
    fn child(&self, tag: &Tag<'_>, element: &str, number: &str) -> Result<PtChild, XmlError> {
        let child = match tag.name() {
            "graphics" => return Ok(PtChild::Skip),
            "toolspecific" => return Ok(PtChild::Tool(ToolPart::new(tag))),
            "name" => PtChild::Name,
            label if label == number => PtChild::Number,
            label => match extras::extra(self.dialect, element, label) {
                Some(Extra::Skip) => return Ok(PtChild::Extra(Extra::Skip)),
                Some(Extra::ArcType) => {
                    let [Some((kind, at))] = tag.attributes(["value"], &[])? else {
                        return Ok(PtChild::Extra(Extra::ArcType));
                    };
                    arc_type(&kind, self.net(), at)?;
                    return Ok(PtChild::Extra(Extra::ArcTypeSaid));
                }
                Some(extra) => PtChild::Extra(extra),
                None => return Err(tag.error(self.unknown_label(label, element, number))),
            },
        };
        tag.plain()?;
        Ok(child)
    }

    fn unknown_label(&self, found: &str, element: &str, number: &str) -> String {
        let known = if number.is_empty() { String::new() } else { format!("<{number}>, ") };
        format!(
            "unknown <{found}> in a <{element}> of a {}, expected <name>, {known}<graphics> or \
             <toolspecific>{}",
            self.net(),
            hint(found)
        )
    }
}

/// A number of tokens or a weight.
pub(super) fn parse_number(text: &str, at: Position, label: &str) -> Result<u32, XmlError> {
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
