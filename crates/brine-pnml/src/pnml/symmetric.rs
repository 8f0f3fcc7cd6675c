//! What the nodes and arcs of a symmetric net say: sorts, multisets, conditions.
//!
//! Terms are kept as written until the end of the file, because declarations may come
//! last; `coloured` then checks them.

use std::io::Read;

use super::error::ReadFailure;
use super::labels::{no_text, text_label};
use super::symbols::IdTable;
use super::tools::{ToolPart, Warnings};
use super::walk::{Content, NetHead, PtArc, Walker};
use crate::AnyNet;
use crate::coloured::{RawArc, RawNet, RawPlace, RawTransition, Tree, read_label};
use crate::xml::{Position, Token, XmlError, XmlReader, hint};

/// Reads a symmetric net to `</net>`.
pub(super) fn read<R: Read>(
    xml: &mut XmlReader<R>,
    head: NetHead,
) -> Result<(AnyNet, Warnings), ReadFailure> {
    let content = SymmetricContent {
        net: RawNet::default(),
        text: String::new(),
        warnings: Warnings::default(),
    };
    let mut walker = Walker::new(content);
    walker.net(xml)?;
    walker.finish(&head)?;
    let SymmetricContent { net: mut raw, warnings, .. } = walker.content;
    raw.name.clone_from(&head.name);
    Ok((AnyNet::Coloured(raw.check()?), warnings))
}

struct SymmetricContent {
    net: RawNet,
    /// Scratch space for character data.
    text: String,
    warnings: Warnings,
}

impl Content for SymmetricContent {
    type Inscription = (Option<Tree>, Position);

    fn net(&self) -> &'static str {
        "symmetric net"
    }

    fn notes(&mut self) -> (&mut Warnings, &mut String) {
        (&mut self.warnings, &mut self.text)
    }

    fn place<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        at: Position,
    ) -> Result<(), XmlError> {
        let (name, [sort, initial]) = self.labels(xml, "place", ["type", "hlinitialMarking"])?;
        let Some(sort) = sort else {
            let message = format!("place \"{id}\" has no <type>, expected its sort");
            return Err(XmlError::new(at, message));
        };
        let name = name.unwrap_or_else(|| id.to_owned());
        self.net.places.push(RawPlace { id: id.to_owned(), name, sort, initial, at });
        Ok(())
    }

    fn transition<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        id: &str,
        _: Position,
    ) -> Result<(), XmlError> {
        let (name, [guard]) = self.labels(xml, "transition", ["condition"])?;
        let name = name.unwrap_or_else(|| id.to_owned());
        self.net.transitions.push(RawTransition { id: id.to_owned(), name, guard });
        Ok(())
    }

    fn inscription<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        at: Position,
    ) -> Result<(Option<Tree>, Position), XmlError> {
        let (_, [term]) = self.labels(xml, "arc", ["hlinscription"])?;
        Ok((term, at))
    }

    fn arc(&mut self, join: PtArc, (term, at): (Option<Tree>, Position)) {
        self.net.arcs.push(RawArc {
            place: join.place.index(),
            transition: join.transition.index(),
            input: join.input,
            term,
            at,
        });
    }

    fn nupn<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        _: &mut IdTable,
        _: Position,
    ) -> Result<(), XmlError> {
        // Units are about places without colours.
        xml.skip_element()
    }

    fn declaration<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        at: Position,
    ) -> Result<(), XmlError> {
        self.net.declarations.push(read_label(xml, "declaration", at, &mut self.warnings)?);
        Ok(())
    }
}

/// Children of nodes and arcs.
enum SymmetricChild {
    Name,
    Term(usize),
    Tool(ToolPart),
    Skip,
}

impl SymmetricContent {
    /// Reads the labels of a node or arc to its end: its name, and the terms in the labels
    /// called `terms`.
    fn labels<R: Read, const N: usize>(
        &mut self,
        xml: &mut XmlReader<R>,
        element: &str,
        terms: [&str; N],
    ) -> Result<(Option<String>, [Option<Tree>; N]), XmlError> {
        let mut name = None;
        let mut found = [const { None }; N];
        loop {
            let (child, at) = match xml.next()? {
                Token::End | Token::Eof => return Ok((name, found)),
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::Start(tag) => match tag.name() {
                    "name" => {
                        tag.plain()?;
                        (SymmetricChild::Name, tag.at())
                    }
                    "graphics" => (SymmetricChild::Skip, tag.at()),
                    "toolspecific" => (SymmetricChild::Tool(ToolPart::new(&tag)), tag.at()),
                    other => match terms.iter().position(|&t| t == other) {
                        Some(i) => {
                            tag.plain()?;
                            (SymmetricChild::Term(i), tag.at())
                        }
                        None => {
                            let known: Vec<String> =
                                terms.iter().map(|t| format!("<{t}>")).collect();
                            // In these nets tokens and weights are terms.
                            let hint = match other {
                                "initialMarking" => " (write <hlinitialMarking>)".to_owned(),
                                "inscription" => " (write <hlinscription>)".to_owned(),
                                _ => hint(other),
                            };
                            let message = format!(
                                "unknown <{other}> in the <{element}> of a symmetric net, \
                                 expected <name>, {}, <graphics> or <toolspecific>{hint}",
                                known.join(", "),
                            );
                            return Err(tag.error(message));
                        }
                    },
                },
            };
            match child {
                SymmetricChild::Skip => xml.skip_element()?,
                SymmetricChild::Tool(tool) => tool.skip(xml, &mut self.warnings)?,
                SymmetricChild::Name => {
                    if name.is_some() {
                        return Err(XmlError::new(at, "a second <name>, expected at most one"));
                    }
                    if text_label(xml, &mut self.text, &mut self.warnings)?.is_some() {
                        name = Some(self.text.trim().to_owned());
                    }
                }
                SymmetricChild::Term(i) => {
                    if found[i].is_some() {
                        let message = format!("a second <{}>, expected at most one", terms[i]);
                        return Err(XmlError::new(at, message));
                    }
                    found[i] = Some(read_label(xml, terms[i], at, &mut self.warnings)?);
                }
            }
        }
    }
}
