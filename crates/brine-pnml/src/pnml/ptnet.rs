//! What the nodes and arcs of a place/transition net say: markings and weights.

use std::io::Read;

use super::error::Failure;
use super::nupn::{self, Units};
use super::symbols::Symbols;
use super::walk::{Content, Join, NetHead, Walker, no_text, text_label, unknown_part};
use crate::Model;
use crate::xml::{Position, Token, XmlError, XmlReader};
use brine_net::{NetBuilder, NetError};
use brine_run::Control;

/// Reads a place/transition net to `</net>`.
pub(super) fn read<R: Read>(
    xml: &mut XmlReader<R>,
    head: NetHead,
    control: &Control,
) -> Result<Model, Failure> {
    let content =
        PtContent { builder: NetBuilder::new(&head.name), units: None, text: String::new() };
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
    let net = builder.build_within(control).map_err(|e| match e {
        NetError::Stopped(stop) => Failure::Stopped(stop),
        e => XmlError::new(head.at, e.to_string()).into(),
    })?;
    Ok(Model { net, coloured: None })
}

/// Children of nodes and arcs.
enum Child {
    Name,
    Number,
    Skip,
}

struct PtContent {
    builder: NetBuilder,
    units: Option<Units>,
    /// Scratch space for character data.
    text: String,
}

impl Content for PtContent {
    type Inscription = u32;
    const NET: &'static str = "place/transition net";

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

    fn transition<R: Read>(&mut self, xml: &mut XmlReader<R>, id: &str) -> Result<(), XmlError> {
        let (name, _) = self.labels(xml, "transition", "")?;
        let name = name.as_deref().unwrap_or(id);
        self.builder.named_transition(id, name, Vec::new(), Vec::new());
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

    fn arc(&mut self, join: Join, weight: u32) {
        if join.input {
            self.builder.add_input(join.transition, join.place, weight);
        } else {
            self.builder.add_output(join.transition, join.place, weight);
        }
    }

    fn nupn<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        symbols: &mut Symbols,
        at: Position,
    ) -> Result<(), XmlError> {
        if self.units.is_some() {
            return Err(XmlError::new(at, "a second NUPN part, expected at most one"));
        }
        self.units = Some(nupn::read(xml, symbols)?);
        Ok(())
    }

    fn declaration<R: Read>(&mut self, _: &mut XmlReader<R>, at: Position) -> Result<(), XmlError> {
        let message = unknown_part("declaration", Self::NET);
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
                    if text_label(xml, &mut self.text)?.is_some() && element != "arc" {
                        name = Some(self.text.trim().to_owned());
                    }
                }
                Child::Number => {
                    if value.is_some() {
                        let message = format!("a second <{number}>, expected at most one");
                        return Err(XmlError::new(at, message));
                    }
                    if let Some(at) = text_label(xml, &mut self.text)? {
                        value = Some(parse_number(self.text.trim(), at, number)?);
                    }
                }
            }
        }
    }
}

fn unknown_label(found: &str, element: &str, number: &str) -> String {
    let known = if number.is_empty() { "<name>".to_owned() } else { format!("<{number}>") };
    format!(
        "unknown <{found}> in a <{element}>, expected {known}, <graphics> or <toolspecific> \
         (place/transition nets have nothing else)"
    )
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
