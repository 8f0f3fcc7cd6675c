//! Where an editor drew the nodes of a net.
//!
//! Positions are decoration. So they are read by themselves, in a pass of their own, only by who
//! draws: what [`super::read_net_file`] gives cannot depend on them. Whatever cannot be read here
//! is left out; where the XML itself ends the reading, what was found before counts.
//!
//! PNML says `<graphics><position x=".." y=".."/></graphics>` inside of a place or transition,
//! TAPAAL `positionX` and `positionY` on its tag. Cost: the file.

use crate::xml::{Tag, Token, XmlError, XmlReader};
use std::collections::HashMap;
use std::io::Read;

/// By id: to the right, and down.
pub type Positions = HashMap<String, (f64, f64)>;

/// The positions of places and transitions in a PNML document.
///
/// ```
/// let text = r#"<pnml><net><place id="p"><graphics><position x="40" y="-2.5"/></graphics></place>
///     <transition id="t" positionX="7" positionY="8"/><place id="q"/></net></pnml>"#;
/// let positions = brine_pnml::read_positions(text.as_bytes());
/// assert_eq!(positions["p"], (40.0, -2.5));
/// assert_eq!(positions["t"], (7.0, 8.0));
/// assert_eq!(positions.len(), 2);
/// ```
pub fn read_positions(input: impl Read) -> Positions {
    let mut positions = Positions::new();
    // An error here would be one of the net's reader too, or is about decoration.
    let _ = walk(&mut XmlReader::new(input), &mut positions);
    positions
}

/// What is open around the next element.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    /// Neither of the following.
    Other,
    /// A place or transition.
    Node,
    /// The drawing of a place or transition, not that of one of its labels.
    Drawing,
}

fn walk<R: Read>(xml: &mut XmlReader<R>, positions: &mut Positions) -> Result<(), XmlError> {
    let mut open: Vec<Around> = Vec::new();
    let mut node = String::new();
    loop {
        match xml.next()? {
            Token::Start(tag) => {
                let around = match (open.last(), tag.name()) {
                    (_, "place" | "transition") => {
                        node = tag.attribute("id").unwrap_or_default();
                        note(&tag, ["positionX", "positionY"], &node, positions);
                        Around::Node
                    }
                    (Some(Around::Node), "graphics") => Around::Drawing,
                    (Some(Around::Drawing), "position") => {
                        note(&tag, ["x", "y"], &node, positions);
                        Around::Other
                    }
                    _ => Around::Other,
                };
                open.push(around);
            }
            Token::End => {
                open.pop();
            }
            Token::Text(..) => {}
            Token::Eof => return Ok(()),
        }
    }
}

fn note(tag: &Tag<'_>, names: [&str; 2], node: &str, positions: &mut Positions) {
    let number = |name| tag.attribute(name)?.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    let [x, y] = names.map(number);
    if let (Some(x), Some(y)) = (x, y) {
        positions.insert(node.to_owned(), (x, y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_arcs_and_nonsense_have_no_position() {
        let text = r#"<pnml><net><page>
            <place id="p"><name><graphics><position x="1" y="1"/></graphics></name>
              <graphics><position x="2" y="3"/><offset x="9" y="9"/></graphics></place>
            <place id="q"><graphics><position x="wide" y="3"/></graphics></place>
            <place id="r"><graphics><position x="inf" y="3"/></graphics></place>
            <place id="s"><graphics><position x="4"/></graphics></place>
            <arc id="a"><graphics><position x="5" y="5"/></graphics></arc>
            <transition id="t"><graphics><position x="6" y="7"/></graphics></transition>
            </page></net></pnml>"#;
        let positions = read_positions(text.as_bytes());
        assert_eq!(positions.len(), 2);
        assert_eq!((positions["p"], positions["t"]), ((2.0, 3.0), (6.0, 7.0)));
    }

    #[test]
    fn a_broken_file_gives_what_stands_before() {
        let text = r#"<pnml><place id="p" positionX="1" positionY="2"/><place id="q" <"#;
        assert_eq!(read_positions(text.as_bytes()).len(), 1);
        assert!(read_positions(&b"\xff\xfe\x00nonsense"[..]).is_empty());
    }
}
