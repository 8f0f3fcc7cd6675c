//! A strict, streaming, non-recursive reader of XML, for files that strangers wrote.
//!
//! [`XmlReader`] turns a byte stream into [`Token`]s with quick-xml and adds what a
//! model checker's reader needs: the exact line and column of everything, a limit
//! on nesting and on the size of one token, no definitions of entities (so that none blow
//! up) or of default attributes, no attribute that is silently skipped, the usual
//! encodings, resolved character references, and clear one-line errors.
//!
//! Invariant: the bytes consumed from the `source` are exactly those of the
//! tokens handed out so far, so the source's position before a read is where the next
//! token starts. Positions inside a token are found by walking over its raw text.
//!
//! Cost: linear in the input; memory is one buffer plus the largest single token.

mod doctype;
mod encoding;
mod source;
mod strict;
pub(crate) mod vocabulary;

use std::borrow::Cow;
use std::fmt;
use std::io::Read;

use quick_xml::Error;
use quick_xml::errors::{IllFormedError, SyntaxError};
use quick_xml::escape::EscapeError;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

pub use brine_coloured::Position;
use source::XmlSource;
pub use strict::hint;
use vocabulary::Vocabulary;

/// Deepest nesting of elements that is read; PNML files stay below twenty.
pub const MAX_DEPTH: usize = 1024;

/// What is wrong with an XML file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XmlError {
    /// Where it is wrong.
    pub at: Position,
    /// What is wrong and what was expected, in one line.
    pub message: String,
}

impl XmlError {
    /// An error at a position.
    pub fn new(at: Position, message: impl Into<String>) -> Self {
        XmlError { at, message: message.into() }
    }
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for XmlError {}

/// One piece of an XML document. Comments and processing instructions are left out.
#[derive(Debug)]
pub enum Token<'a> {
    /// `<name ...>`; an empty element `<name/>` gives a `Start` and an `End`.
    Start(Tag<'a>),
    /// `</name>`.
    End,
    /// Character data, references resolved, not trimmed, with the position of its start.
    Text(Cow<'a, str>, Position),
    /// The end of the file, after a complete document.
    Eof,
}

/// An attribute's value and the position of its first character.
pub type Value<'a> = (Cow<'a, str>, Position);

/// A start tag.
#[derive(Debug)]
pub struct Tag<'a> {
    start: BytesStart<'a>,
    at: Position,
    vocabulary: &'a Vocabulary,
}

impl<'a> Tag<'a> {
    /// The element's name, without the prefix that the root has. Another prefix stands for another
    /// vocabulary: it stays, so that nobody takes such an element for one of his own.
    pub fn name(&self) -> &str {
        self.vocabulary.own_name(self.start.name().into_inner())
    }

    /// Where the tag starts (its `<`).
    pub fn at(&self) -> Position {
        self.at
    }

    /// An error at the start of this tag.
    pub fn error(&self, message: impl Into<String>) -> XmlError {
        XmlError::new(self.at, message)
    }

    /// The values of the named attributes, references resolved, each with the position
    /// of its first character. Those in `decoration` are skipped, all others are refused.
    pub fn attributes<const N: usize>(
        &self,
        names: [&str; N],
        decoration: &[&str],
    ) -> Result<[Option<Value<'_>>; N], XmlError> {
        let mut values = [const { None }; N];
        if let Some(message) = self.vocabulary.refuses_name(self.start.name().into_inner()) {
            return Err(self.error(message));
        }
        if self.start.len() == self.start.name().as_ref().len() {
            return Ok(values);
        }
        let content: &str = &self.start;
        let mut attributes = self.start.attributes();
        // Well-formed, or there would be no tag.
        attributes.with_checks(false);
        for attribute in attributes {
            let attribute = attribute.map_err(|e| self.attribute_error(&e))?;
            let name = attribute.key.into_inner();
            let Some(i) = names.iter().position(|&n| n == name) else {
                let value = &attribute.value;
                let message = if decoration.contains(&name) {
                    None
                } else if strict::everywhere(name) {
                    self.vocabulary.refuses_declaration(name, value)
                } else {
                    Some(strict::unknown_attribute(self.name(), name, value, &names))
                };
                let Some(message) = message else { continue };
                let offset = name.as_ptr().addr().saturating_sub(content.as_ptr().addr());
                return Err(XmlError::new(self.position_of(offset), message));
            };
            let offset = attribute.value.as_ptr().addr().saturating_sub(content.as_ptr().addr());
            let at = self.position_of(offset);
            if values[i].is_some() {
                let message = format!("attribute {} is given twice, expected it once", names[i]);
                return Err(XmlError::new(at, message));
            }
            let value = attribute
                .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                .map_err(|e| XmlError::new(at, describe_value(&e)))?;
            values[i] = Some((value, at));
        }
        Ok(values)
    }

    /// Makes sure that the attributes are well-formed and differ.
    fn check_attributes(&self) -> Result<(), XmlError> {
        // quick-xml's check for duplicates is quadratic; hostile tags do without it.
        const LONG: usize = 1 << 12;
        let mut attributes = self.start.attributes();
        attributes.with_checks(self.start.len() < LONG);
        for attribute in attributes {
            attribute.map_err(|e| self.attribute_error(&e))?;
        }
        Ok(())
    }

    /// The value of the only attribute, which must be there.
    pub fn required(&self, name: &str) -> Result<Value<'_>, XmlError> {
        let [value] = self.attributes([name], &[])?;
        value.ok_or_else(|| self.missing(name))
    }

    /// Makes sure that there is no attribute.
    pub fn plain(&self) -> Result<(), XmlError> {
        self.attributes([], &[]).map(|[]| ())
    }

    /// An attribute's value, for a message; other attributes are not looked at.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        attributes.with_checks(false);
        let found = attributes.flatten().find(|a| a.key.into_inner() == name)?;
        Some(found.value.into_owned())
    }

    /// Name and attributes as written, for a search for words.
    pub fn raw(&self) -> &str {
        &self.start
    }

    /// The error for an attribute that is not there.
    pub fn missing(&self, name: &str) -> XmlError {
        self.error(format!("<{}> has no attribute {name}, expected {name}=\"...\"", self.name()))
    }

    /// The position of the byte at `offset` of the tag's content (after `<`).
    fn position_of(&self, offset: usize) -> Position {
        let content: &[u8] = self.start.as_bytes();
        let end = offset.min(content.len());
        self.at.after(b"<").after(&content[..end])
    }

    fn attribute_error(&self, error: &AttrError) -> XmlError {
        let (offset, message) = match error {
            AttrError::ExpectedEq(p) => (*p, "malformed attribute, expected name=\"value\""),
            AttrError::ExpectedValue(p) => {
                (*p, "attribute without a value, expected name=\"value\"")
            }
            AttrError::UnquotedValue(p) => {
                (*p, "attribute value without quotes, expected name=\"value\"")
            }
            AttrError::ExpectedQuote(p, _) => {
                (*p, "attribute value is not closed, expected a quote")
            }
            AttrError::Duplicated(p, _) => (*p, "attribute is given twice, expected it once"),
        };
        XmlError::new(self.position_of(offset), message)
    }
}

/// Streams [`Token`]s from bytes.
///
/// ```
/// use brine_pnml::xml::{Token, XmlReader};
/// let mut xml = XmlReader::new("<a>\n  <b/></a>".as_bytes());
/// assert!(matches!(xml.next().unwrap(), Token::Start(tag) if tag.name() == "a"));
/// assert!(matches!(xml.next().unwrap(), Token::Text(..)));
/// let Token::Start(b) = xml.next().unwrap() else { panic!() };
/// assert_eq!((b.name(), b.at().line, b.at().column), ("b", 2, 3));
/// ```
#[derive(Debug)]
pub struct XmlReader<R> {
    reader: Reader<XmlSource<R>>,
    buffer: Vec<u8>,
    open: OpenElements,
    /// The root's; of no use before it.
    vocabulary: Vocabulary,
}

impl<R: Read> XmlReader<R> {
    /// Reads from `input`, which needs no buffering of its own.
    pub fn new(input: R) -> Self {
        let mut reader = Reader::from_reader(XmlSource::new(input));
        reader.config_mut().expand_empty_elements = true;
        XmlReader {
            reader,
            buffer: Vec::new(),
            open: OpenElements::default(),
            vocabulary: Vocabulary::default(),
        }
    }

    /// The position after the last token.
    pub fn position(&self) -> Position {
        self.reader.get_ref().position()
    }

    /// The next token. (Not an iterator: tokens borrow the reader.) A comment or a
    /// processing instruction gives an empty text.
    #[expect(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Token<'_>, XmlError> {
        let at = self.position();
        self.reader.get_mut().start_token();
        self.buffer.clear();
        match self.reader.read_event_into(&mut self.buffer) {
            Ok(Event::Start(start)) => {
                if !self.open.root_seen {
                    self.vocabulary = Vocabulary::of_root(&start);
                }
                let tag = Tag { start, at, vocabulary: &self.vocabulary };
                tag.check_attributes()?;
                self.open.enter(&tag)?;
                Ok(Token::Start(tag))
            }
            Ok(Event::End(_)) => {
                self.open.leave();
                Ok(Token::End)
            }
            Ok(Event::Text(text)) => self.open.text(text.xml10_content(), at),
            Ok(Event::CData(text)) => self.open.text(text.xml10_content(), at.after(b"<![CDATA[")),
            Ok(Event::GeneralRef(reference)) => {
                let text = resolve(&reference).map_err(|message| XmlError::new(at, message))?;
                self.open.text(text, at)
            }
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {
                Ok(Token::Text(Cow::Borrowed(""), at))
            }
            Ok(Event::DocType(declaration)) => {
                doctype::check(&declaration).map_err(|message| XmlError::new(at, message))?;
                self.open.doctype(at)
            }
            Ok(Event::Eof) => self.open.end_of_file(at),
            // quick-xml expands empty elements here; kept for completeness.
            Ok(Event::Empty(start)) => {
                Ok(Token::Start(Tag { start, at, vocabulary: &self.vocabulary }))
            }
            Err(Error::Io(e)) => {
                Err(XmlError::new(self.reader.get_ref().position(), e.to_string()))
            }
            Err(error) => Err(XmlError::new(at, describe(&error))),
        }
    }

    /// Reads on past the end of the element that was opened last.
    pub fn skip_element(&mut self) -> Result<(), XmlError> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next()? {
                Token::Start(_) => depth += 1,
                Token::End => depth -= 1,
                Token::Text(..) => {}
                Token::Eof => break,
            }
        }
        Ok(())
    }

    /// Reads the character data of the element that was opened last, to its end, into
    /// `text` (cleared first, not trimmed); child elements are refused. Returns the
    /// position of the first character that is not white space, or of the element's end.
    pub fn read_text(&mut self, text: &mut String) -> Result<Position, XmlError> {
        text.clear();
        let mut first = None;
        loop {
            let here = self.position();
            match self.next()? {
                Token::Text(piece, at) => {
                    let blank = piece.len() - piece.trim_start().len();
                    if first.is_none() && blank < piece.len() {
                        first = Some(at.after(&piece.as_bytes()[..blank]));
                    }
                    text.push_str(&piece);
                }
                Token::Start(tag) => {
                    return Err(tag.error(format!("<{}> in a text, expected none", tag.name())));
                }
                Token::End | Token::Eof => return Ok(first.unwrap_or(here)),
            }
        }
    }
}

/// The elements that are open, for errors that name them.
#[derive(Debug, Default)]
struct OpenElements {
    /// Their names, one after the other, and where each name ends.
    names: String,
    ends: Vec<usize>,
    root_seen: bool,
    doctype_seen: bool,
}

impl OpenElements {
    /// The name of the innermost open element, or "" outside the root.
    fn innermost(&self) -> &str {
        let start = self.ends.iter().rev().nth(1).copied().unwrap_or(0);
        &self.names[start..]
    }

    fn enter(&mut self, tag: &Tag<'_>) -> Result<(), XmlError> {
        if self.ends.is_empty() && self.root_seen {
            let message =
                format!("<{}> after the end of the document, expected nothing", tag.name());
            return Err(tag.error(message));
        }
        if self.ends.len() == MAX_DEPTH {
            return Err(tag.error(format!(
                "elements are nested more than {MAX_DEPTH} deep, expected a flatter document"
            )));
        }
        self.root_seen = true;
        self.names.push_str(tag.name());
        self.ends.push(self.names.len());
        Ok(())
    }

    fn leave(&mut self) {
        self.ends.pop();
        self.names.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// A document type declaration stands before the root.
    fn doctype<'a>(&mut self, at: Position) -> Result<Token<'a>, XmlError> {
        if self.root_seen || std::mem::replace(&mut self.doctype_seen, true) {
            return Err(XmlError::new(
                at,
                "a document type declaration here, expected at most one, before the root element",
            ));
        }
        Ok(Token::Text(Cow::Borrowed(""), at))
    }

    fn text<'a>(&self, text: Cow<'a, str>, at: Position) -> Result<Token<'a>, XmlError> {
        if self.ends.is_empty() && !text.trim().is_empty() {
            let blank = text.len() - text.trim_start().len();
            let at = at.after(&text.as_bytes()[..blank]);
            return Err(XmlError::new(
                at,
                "text outside the root element, expected an XML element",
            ));
        }
        Ok(Token::Text(text, at))
    }

    fn end_of_file<'a>(&self, at: Position) -> Result<Token<'a>, XmlError> {
        if !self.ends.is_empty() {
            let message = format!("the file ends too early, expected </{}>", self.innermost());
            return Err(XmlError::new(at, message));
        }
        if !self.root_seen {
            return Err(XmlError::new(at, "the file is empty, expected an XML document"));
        }
        Ok(Token::Eof)
    }
}

/// The text a reference such as `&lt;` or `&#228;` stands for.
fn resolve(reference: &quick_xml::events::BytesRef<'_>) -> Result<Cow<'static, str>, String> {
    match reference.resolve_char_ref() {
        Ok(Some(c)) => return Ok(Cow::Owned(c.to_string())),
        Ok(None) => {}
        Err(_) => {
            return Err(format!(
                "&{}; is no character, expected a Unicode character",
                &**reference
            ));
        }
    }
    match quick_xml::escape::resolve_predefined_entity(reference) {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => Err(unknown_entity(reference)),
    }
}

fn unknown_entity(name: &str) -> String {
    format!("unknown entity &{name};, expected one of &lt; &gt; &amp; &quot; &apos; or &#...;")
}

/// An error of an attribute value in our words.
fn describe_value(error: &Error) -> String {
    match error {
        Error::Escape(EscapeError::UnrecognizedEntity(_, name)) => unknown_entity(name),
        Error::Escape(EscapeError::UnterminatedEntity(_)) => {
            "reference is not closed, expected &name; (write &amp; for a plain &)".to_owned()
        }
        other => format!("malformed attribute value: {other}"),
    }
}

/// An error of the document's form in our words.
fn describe(error: &Error) -> String {
    match error {
        Error::Syntax(SyntaxError::InvalidBangMarkup) => {
            "malformed markup after <!, expected a comment".to_owned()
        }
        Error::Syntax(_) => {
            "the file ends inside this markup, expected its closing bracket".to_owned()
        }
        Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
            format!("found </{found}>, expected </{expected}>")
        }
        Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
            format!("found </{found}> without its start, expected no end tag here")
        }
        Error::IllFormed(IllFormedError::UnclosedReference) => {
            "reference is not closed, expected &name; (write &amp; for a plain &)".to_owned()
        }
        other => format!("malformed XML: {other}"),
    }
}

#[cfg(test)]
mod tests;
