//! The labels of nodes and arcs: `<name>`, `<initialMarking>` and the like.
//!
//! A label holds a text (old files call it `<value>`), a drawing, and the parts of tools;
//! nothing else, and no attributes.

use std::io::Read;

use super::tools::{ToolPart, Warnings};
use crate::xml::{Position, Token, XmlError, XmlReader};

/// The error for text where only elements belong.
pub(crate) fn no_text(text: &str, at: Position) -> Result<(), XmlError> {
    let blank = text.len() - text.trim_start().len();
    if blank == text.len() {
        return Ok(());
    }
    Err(XmlError::new(at.after(&text.as_bytes()[..blank]), "stray text, expected an element"))
}

/// A piece of a label.
pub(super) enum LabelPart {
    /// One of the children that were asked for has been opened, here.
    Child(Position),
    /// Something that does not matter.
    Skipped,
    /// The label ends.
    End,
}

/// Reads on inside a label that may have these children, beside what every label may have.
pub(super) fn part<R: Read>(
    xml: &mut XmlReader<R>,
    children: &[&str],
    warnings: &mut Warnings,
) -> Result<LabelPart, XmlError> {
    let tool = match xml.next()? {
        Token::Start(tag) => match tag.name() {
            "graphics" => None,
            "toolspecific" => Some(ToolPart::new(&tag)),
            name if children.contains(&name) => {
                // Tina's interval is MathML, said by its namespace.
                let interval = name == "interval";
                let decoration: &[&str] = if interval { &["closure", "xmlns"] } else { &[] };
                tag.attributes([], decoration)?;
                return Ok(LabelPart::Child(tag.at()));
            }
            name => {
                // The hint for these two would recommend what is refused here.
                let hint = match name {
                    "initialMarking" | "inscription" => String::new(),
                    _ => crate::xml::hint(name),
                };
                let message = format!(
                    "unknown <{name}> in a label, expected <{}>, <graphics> or <toolspecific>{hint}",
                    children[0],
                );
                return Err(tag.error(message));
            }
        },
        Token::Text(text, at) => {
            no_text(&text, at)?;
            return Ok(LabelPart::Skipped);
        }
        Token::End | Token::Eof => return Ok(LabelPart::End),
    };
    match tool {
        Some(tool) => tool.skip(xml, warnings)?,
        None => xml.skip_element()?,
    }
    Ok(LabelPart::Skipped)
}

/// Reads the rest of a label into `text`; gives the position of its text.
pub(super) fn text_label<R: Read>(
    xml: &mut XmlReader<R>,
    text: &mut String,
    warnings: &mut Warnings,
) -> Result<Option<Position>, XmlError> {
    let mut found = None;
    loop {
        match part(xml, &["text", "value"], warnings)? {
            LabelPart::Child(at) if found.is_some() => {
                return Err(XmlError::new(at, "a second text in this label, expected one"));
            }
            LabelPart::Child(_) => found = Some(xml.read_text(text)?),
            LabelPart::Skipped => {}
            LabelPart::End => return Ok(found),
        }
    }
}

/// The error for a label that should say something and does not.
pub(super) fn no_value(label: &str, at: Position) -> XmlError {
    let message = format!("<{label}> without a <text>, expected one (or leave <{label}> out)");
    XmlError::new(at, message)
}

/// Reads the rest of an element that may only have a name, a drawing and parts of tools.
pub(super) fn no_labels<R: Read>(
    xml: &mut XmlReader<R>,
    text: &mut String,
    warnings: &mut Warnings,
) -> Result<(), XmlError> {
    loop {
        match part(xml, &["name"], warnings)? {
            LabelPart::Child(_) => {
                text_label(xml, text, warnings)?;
            }
            LabelPart::Skipped => {}
            LabelPart::End => return Ok(()),
        }
    }
}
