//! The parts of a file that belong to one tool, `<toolspecific>`, and warnings about them.
//!
//! By the standard they change nothing about the net, so they are skipped. But tools do
//! keep inhibitor arcs, capacities or priorities there; a part of a node or arc that uses
//! such a word is reported, because then the tool sees another net than Brine does.

use std::io::Read;

use crate::xml::{Position, Tag, Token, XmlError, XmlReader};

/// Words that a part which changes nothing would hardly use, each after its stem in lower case.
const WORDS: [(&str, &str); 7] = [
    ("inhib", "inhibitor"),
    ("reset", "reset"),
    ("capacit", "capacity"),
    ("priorit", "priority"),
    ("guard", "guard"),
    ("delay", "delay"),
    ("subprocess", "subprocess"),
];

/// At most so many different warnings are given.
const MOST: usize = 20;

/// Warnings of one kind.
#[derive(Debug)]
struct Warning {
    at: Position,
    tool: String,
    word: &'static str,
    count: usize,
}

/// What the user should know about a net that was read all the same.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    kinds: Vec<Warning>,
}

impl Warnings {
    fn add(&mut self, at: Position, tool: String, word: &'static str) {
        if let Some(known) = self.kinds.iter_mut().find(|w| w.word == word && w.tool == tool) {
            known.count += 1;
        } else if self.kinds.len() < MOST {
            self.kinds.push(Warning { at, tool, word, count: 1 });
        }
    }

    /// These warnings and others.
    pub(crate) fn and(mut self, others: Warnings) -> Warnings {
        self.kinds.extend(others.kinds);
        self
    }

    /// One line for each kind of warning.
    pub(crate) fn lines(&self, file: &str) -> Vec<String> {
        let line = |w: &Warning| {
            let Warning { at, tool, word, count } = w;
            let others = match count {
                1 => String::new(),
                n => format!(", and {} more like it", n - 1),
            };
            format!(
                "{file}:{at}: warning: a <toolspecific> of {tool} mentions \"{word}\"{others}; \
                 such parts are not read, so {tool} may see another net than Brine"
            )
        };
        self.kinds.iter().map(line).collect()
    }
}

/// A `<toolspecific>` whose tag has been read.
pub(crate) struct ToolPart {
    at: Position,
    tool: String,
    word: Option<&'static str>,
}

impl ToolPart {
    /// Looks at the tag. All of its attributes are up to the tool.
    pub(crate) fn new(tag: &Tag<'_>) -> Self {
        let tool = tag.attribute("tool").unwrap_or_else(|| "a tool without name".to_owned());
        let tool = tool.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
        ToolPart { at: tag.at(), tool, word: word(tag.raw()) }
    }

    /// Skips the rest of the element, and warns if need be.
    pub(crate) fn skip<R: Read>(
        mut self,
        xml: &mut XmlReader<R>,
        warnings: &mut Warnings,
    ) -> Result<(), XmlError> {
        let mut depth = 1_usize;
        while depth > 0 {
            let found = match xml.next()? {
                Token::Start(tag) => {
                    depth += 1;
                    word(tag.raw())
                }
                Token::Text(text, _) => word(&text),
                Token::End => {
                    depth -= 1;
                    None
                }
                Token::Eof => break,
            };
            self.word = self.word.or(found);
        }
        if let Some(word) = self.word {
            warnings.add(self.at, self.tool, word);
        }
        Ok(())
    }
}

/// The first of the words that a text uses.
fn word(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return None;
    }
    let text = text.to_ascii_lowercase();
    WORDS.into_iter().find(|(stem, _)| text.contains(stem)).map(|(_, word)| word)
}
