//! The NUPN tool-specific part: units, their places and subunits, the root, the safe flag.
//!
//! Form (version 1.1): `<structure units= root= safe=>` with one
//! `<unit id=><places>p q</places><subunits>u v</subunits></unit>` per unit. What is read
//! here is a claim; the structure modules say how far it may be trusted.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::labels::no_text;
use super::symbols::{IdMeaning, IdTable, Symbol};
use crate::xml::{Position, Tag, Token, XmlError, XmlReader};
use brine_net::{Nupn, Unit};

/// Whether a `<toolspecific>` element is the NUPN part.
pub(super) fn is_nupn(tag: &Tag<'_>) -> bool {
    tag.attribute("tool").is_some_and(|tool| tool == "nupn")
}

fn unknown(tag: &Tag<'_>, expected: &str) -> XmlError {
    tag.error(format!("unknown <{}> in a NUPN part, expected {expected}", tag.name()))
}

/// Units as read, before the places are known.
#[derive(Debug, Default)]
pub(super) struct RawUnits {
    at: Option<Position>,
    root: Option<(String, Position)>,
    safe: bool,
    units: Vec<RawUnit>,
    numbers: FxHashMap<String, usize>,
}

#[derive(Debug)]
struct RawUnit {
    id: String,
    places: Vec<Symbol>,
    places_at: Position,
    subunits: Vec<String>,
    subunits_at: Position,
}

/// Reads the rest of the NUPN `<toolspecific>` element.
pub(super) fn read<R: Read>(
    xml: &mut XmlReader<R>,
    symbols: &mut IdTable,
) -> Result<RawUnits, XmlError> {
    let mut units = RawUnits::default();
    loop {
        match xml.next()? {
            Token::Start(tag) if tag.name() == "structure" => {
                units.head(&tag)?;
                units.body(xml, symbols)?;
            }
            // How many places, transitions and arcs there are.
            Token::Start(tag) if tag.name() == "size" => xml.skip_element()?,
            Token::Start(tag) => return Err(unknown(&tag, "<size> or <structure>")),
            Token::Text(text, at) => no_text(&text, at)?,
            Token::End | Token::Eof => break,
        }
    }
    if units.at.is_none() {
        return Err(XmlError::new(xml.position(), "NUPN part without <structure>, expected one"));
    }
    Ok(units)
}

impl RawUnits {
    fn head(&mut self, tag: &Tag<'_>) -> Result<(), XmlError> {
        if self.at.is_some() {
            return Err(tag.error("a second <structure>, expected one"));
        }
        self.at = Some(tag.at());
        let [root, safe] = tag.attributes(["root", "safe"], &["units"])?;
        self.root = root.map(|(root, at)| (root.into_owned(), at));
        self.safe = match safe {
            None => false,
            Some((value, at)) => match value.trim() {
                "true" => true,
                "false" => false,
                _ => return Err(XmlError::new(at, "malformed safe, expected true or false")),
            },
        };
        Ok(())
    }

    /// Reads to `</structure>`.
    fn body<R: Read>(
        &mut self,
        xml: &mut XmlReader<R>,
        symbols: &mut IdTable,
    ) -> Result<(), XmlError> {
        loop {
            let (id, id_at) = match xml.next()? {
                Token::Start(tag) if tag.name() == "unit" => {
                    let (id, at) = tag.required("id")?;
                    (id.into_owned(), at)
                }
                Token::Start(tag) => return Err(unknown(&tag, "<unit>")),
                Token::Text(text, at) => {
                    no_text(&text, at)?;
                    continue;
                }
                Token::End | Token::Eof => return Ok(()),
            };
            if self.numbers.insert(id.clone(), self.units.len()).is_some() {
                let message = format!("unit \"{id}\" is declared twice, expected a new id");
                return Err(XmlError::new(id_at, message));
            }
            let unit = read_unit(xml, symbols, id)?;
            self.units.push(unit);
        }
    }

    /// Looks up places, subunits and the root.
    pub(super) fn resolve(self, symbols: &mut IdTable) -> Result<Nupn, XmlError> {
        let at = self.at.unwrap_or(Position::START);
        let root = match &self.root {
            Some((root, at)) => *self.numbers.get(root).ok_or_else(|| {
                XmlError::new(*at, format!("root unit \"{root}\" is not declared, expected a unit"))
            })?,
            None => {
                return Err(XmlError::new(at, "<structure> has no attribute root, expected one"));
            }
        };
        let mut units = Vec::with_capacity(self.units.len());
        for raw in self.units {
            let mut unit = Unit { id: raw.id, ..Unit::default() };
            for symbol in raw.places {
                match symbols.resolve(symbol) {
                    Ok(IdMeaning::Place(p)) => unit.places.push(p),
                    _ => {
                        let message = format!(
                            "unit \"{}\" names \"{}\", expected the id of a place",
                            unit.id,
                            symbols.id(symbol)
                        );
                        return Err(XmlError::new(raw.places_at, message));
                    }
                }
            }
            for subunit in raw.subunits {
                let number = self.numbers.get(&subunit).ok_or_else(|| {
                    let message = format!("subunit \"{subunit}\" is not declared, expected a unit");
                    XmlError::new(raw.subunits_at, message)
                })?;
                unit.subunits.push(*number);
            }
            units.push(unit);
        }
        Ok(Nupn { units, root, safe: self.safe })
    }
}

/// Reads the rest of one `<unit>`.
fn read_unit<R: Read>(
    xml: &mut XmlReader<R>,
    symbols: &mut IdTable,
    id: String,
) -> Result<RawUnit, XmlError> {
    let here = xml.position();
    let mut unit = RawUnit {
        id,
        places: Vec::new(),
        places_at: here,
        subunits: Vec::new(),
        subunits_at: here,
    };
    let mut text = String::new();
    loop {
        let is_places = match xml.next()? {
            Token::Start(tag) if matches!(tag.name(), "places" | "subunits") => {
                tag.plain()?;
                tag.name() == "places"
            }
            Token::Start(tag) => return Err(unknown(&tag, "<places> or <subunits>")),
            Token::Text(text, at) => {
                no_text(&text, at)?;
                continue;
            }
            Token::End | Token::Eof => return Ok(unit),
        };
        let at = xml.read_text(&mut text)?;
        if is_places {
            unit.places_at = at;
            unit.places.extend(text.split_ascii_whitespace().map(|id| symbols.intern(id)));
        } else {
            unit.subunits_at = at;
            unit.subunits.extend(text.split_ascii_whitespace().map(str::to_owned));
        }
    }
}
