//! The labels that only some dialects of place/transition nets have.
//!
//! Each of them is either skipped because it changes nothing, or may say one thing only:
//! what a plain place/transition net means anyway. The rest is refused by name.
//!
//! - Types of arcs (`<type value=>`, `<type><text>`, `<arctype><text>`): normal ones.
//! - Tina's firing intervals: `[0, infinity)`, which is what no interval means.
//! - PIPE's capacity: 0, which means unlimited there.
//! - PIPE's timed and immediate transitions: all of one kind. An immediate transition goes
//!   before every timed one, and one of high priority before one of low priority, so a net
//!   that mixes them has fewer runs than it seems; a net that does not has all of them.
//! - PIPE's rates: positive numbers. How often or how likely a transition fires changes no
//!   run, as long as it can fire at all. Numbers of servers change none either.
//! - PIPE's tokens: of one class in the whole net. The class of all tokens says nothing; a
//!   second class would be a colour.

use std::io::Read;

use super::labels::{LabelPart, no_text, no_value, part, text_label};
use super::net_type::Dialect;
use super::tools::Warnings;
use crate::xml::{Position, Tag, Token, XmlError, XmlReader, hint};

/// What to do with a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extra {
    /// Decoration.
    Skip,
    ArcType,
    /// The type of an arc, said in an attribute; a text may say it again.
    ArcTypeSaid,
    Capacity,
    Rate,
    Timed,
    Priority,
    Tagged,
    Delay,
}

impl Extra {
    /// The name of the label.
    fn label(self) -> &'static str {
        match self {
            Extra::Skip | Extra::ArcType | Extra::ArcTypeSaid => "type",
            Extra::Capacity => "capacity",
            Extra::Rate => "rate",
            Extra::Timed => "timed",
            Extra::Priority => "priority",
            Extra::Tagged => "tagged",
            Extra::Delay => "delay",
        }
    }
}

/// Which labels of a node or arc a dialect has beyond the standard's. (The types of arcs
/// are not asked for by dialect: what `normal` means is clear everywhere.)
pub(super) fn extra(dialect: Dialect, element: &str, label: &str) -> Option<Extra> {
    Some(match (dialect, element, label) {
        (_, "arc", "type" | "arctype") => Extra::ArcType,
        (Dialect::Tina, "transition", "delay") => Extra::Delay,
        (Dialect::Tina, "place" | "transition", "label") => Extra::Skip,
        (Dialect::Pipe, "place", "capacity") => Extra::Capacity,
        (Dialect::Pipe, "transition", "orientation" | "infiniteServer") => Extra::Skip,
        (Dialect::Pipe, "transition", "rate") => Extra::Rate,
        (Dialect::Pipe, "transition", "timed") => Extra::Timed,
        (Dialect::Pipe, "transition", "priority") => Extra::Priority,
        (Dialect::Pipe, "arc", "tagged") => Extra::Tagged,
        (Dialect::Pipe, "arc", "arcpath") => Extra::Skip,
        _ => return None,
    })
}

/// Whether an element of a net or page is decoration in this dialect; a class of tokens is
/// checked and then counts as such.
pub(super) fn is_decoration(dialect: Dialect, tag: &Tag<'_>) -> Result<bool, XmlError> {
    match (dialect, tag.name()) {
        (Dialect::Pipe, "labels" | "stategroup") => Ok(true),
        (Dialect::Pipe, "token") => {
            tag.attributes(["id"], &["enabled", "red", "green", "blue"]).map(|_| true)
        }
        _ => Ok(false),
    }
}

/// What all transitions, and all tokens, of a PIPE net must agree on.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    /// What the transition at hand says.
    timed: Option<bool>,
    priority: Option<i64>,
    /// What those before it say.
    kind: Option<(bool, i64)>,
    /// The class of all tokens.
    class: Option<String>,
}

impl Agreement {
    /// Reads the rest of a label.
    pub(super) fn read<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        (dialect, extra, at): (Dialect, Extra, Position),
        text: &mut String,
        warnings: &mut Warnings,
    ) -> Result<(), XmlError> {
        match extra {
            Extra::Skip => return xml.skip_element(),
            Extra::Delay => return read_delay(xml, at, text, warnings),
            _ => {}
        }
        let at = match text_label(xml, text, warnings)? {
            Some(at) => at,
            None if extra == Extra::ArcTypeSaid => return Ok(()),
            None => return Err(no_value(extra.label(), at)),
        };
        if matches!(extra, Extra::ArcType | Extra::ArcTypeSaid) {
            return arc_type(text.trim(), dialect.net(), at);
        }
        self.note(extra, text.trim()).map_err(|expected| {
            let shown: String = text.trim().chars().take(40).collect();
            XmlError::new(at, format!("\"{shown}\" in a PIPE net, expected {expected}"))
        })
    }

    /// Checks what a label of PIPE says, or keeps it; otherwise what was expected.
    fn note(&mut self, extra: Extra, text: &str) -> Result<(), String> {
        let (fine, expected) = match extra {
            Extra::Capacity => (text == "0", "0 as capacity, which means none"),
            Extra::Rate => (
                text.parse().is_ok_and(|rate: f64| rate.is_finite() && rate > 0.0),
                "a positive number as rate (a transition of rate 0 never fires, and rates that \
                 depend on the marking are not supported)",
            ),
            Extra::Tagged => (text == "false", "false (tagged tokens are not supported)"),
            Extra::Timed if self.timed.is_some() => (false, "it only once in a transition"),
            Extra::Priority if self.priority.is_some() => (false, "one priority"),
            Extra::Timed => {
                self.timed = Some(text == "true");
                (matches!(text, "true" | "false"), "true or false")
            }
            Extra::Priority => {
                self.priority = text.parse().ok();
                (self.priority.is_some(), "a number as priority")
            }
            Extra::Skip | Extra::ArcType | Extra::ArcTypeSaid | Extra::Delay => (true, ""),
        };
        let hint = if extra == Extra::Capacity { hint("capacity") } else { String::new() };
        if fine { Ok(()) } else { Err(format!("{expected}{hint}")) }
    }

    /// The end of a transition that starts `at`.
    pub(super) fn end_transition(&mut self, at: Position) -> Result<(), XmlError> {
        let this = (self.timed.take().unwrap_or(false), self.priority.take().unwrap_or(1));
        let others = *self.kind.get_or_insert(this);
        if others.0 != this.0 {
            return Err(XmlError::new(
                at,
                "this PIPE net has timed and immediate transitions, expected all of one kind \
                 (immediate ones go first, and priorities are not supported)",
            ));
        }
        if others.1 != this.1 {
            let message = format!(
                "priority {} in a PIPE net that also has priority {}, expected the same \
                 everywhere{}",
                this.1,
                others.1,
                hint("priority")
            );
            return Err(XmlError::new(at, message));
        }
        Ok(())
    }

    /// The number in PIPE's `Default,1`, and `Default,1,Red,0`; a number alone is left alone.
    pub(super) fn count<'t>(&mut self, text: &'t str, at: Position) -> Result<&'t str, XmlError> {
        if !text.contains(',') {
            return Ok(text);
        }
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let mut count = "0";
        for pair in parts.chunks(2) {
            let &[class, number] = pair else {
                let message = "a class of tokens without a number, expected \"Default,1\"";
                return Err(XmlError::new(at, message));
            };
            if !number.is_empty() && number.bytes().all(|b| b == b'0') {
                continue;
            }
            let known = self.class.get_or_insert_with(|| class.to_owned());
            if known != class || count != "0" {
                let message = format!(
                    "tokens of class \"{class}\" and of class \"{known}\", expected one class in \
                     a PIPE net (coloured nets are read as symmetric nets)"
                );
                return Err(XmlError::new(at, message));
            }
            count = number;
        }
        Ok(count)
    }
}

/// Makes sure that an arc is a plain one.
pub(super) fn arc_type(kind: &str, net: &str, at: Position) -> Result<(), XmlError> {
    if kind == "normal" {
        return Ok(());
    }
    let shown: String = kind.chars().take(40).collect();
    let hint = hint(kind);
    let message = format!("an arc of type \"{shown}\" in a {net}, expected a normal one{hint}");
    Err(XmlError::new(at, message))
}

/// Reads the rest of a `<delay>`: the interval from 0 to infinity.
fn read_delay<R: Read>(
    xml: &mut XmlReader<R>,
    at: Position,
    text: &mut String,
    warnings: &mut Warnings,
) -> Result<(), XmlError> {
    let mut found = false;
    loop {
        match part(xml, &["interval"], warnings)? {
            LabelPart::Child(tag_at) => read_interval(xml, text, tag_at)?,
            LabelPart::Skipped => continue,
            LabelPart::End if found => return Ok(()),
            LabelPart::End => {
                return Err(XmlError::new(at, "<delay> without an <interval>, expected one"));
            }
        }
        found = true;
    }
}

fn read_interval<R: Read>(
    xml: &mut XmlReader<R>,
    text: &mut String,
    at: Position,
) -> Result<(), XmlError> {
    let mut ends = Vec::new();
    loop {
        match xml.next()? {
            Token::Start(tag) if matches!(tag.name(), "cn" | "ci") => tag.plain()?,
            Token::Start(tag) => {
                let message = format!("unknown <{}>, expected <cn> or <ci>", tag.name());
                return Err(tag.error(message));
            }
            Token::Text(piece, at) => {
                no_text(&piece, at)?;
                continue;
            }
            Token::End | Token::Eof => break,
        }
        xml.read_text(text)?;
        ends.push(text.trim().to_owned());
    }
    match ends.as_slice() {
        [low, high] if low == "0" && high == "infty" => Ok(()),
        _ => {
            let shown: String = ends.join(", ").chars().take(40).collect();
            let message = format!(
                "a Tina transition with the firing interval {shown}, expected 0, infty{}",
                hint("time")
            );
            Err(XmlError::new(at, message))
        }
    }
}
