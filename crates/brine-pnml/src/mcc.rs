//! The property files of the Model Checking Contest (XML).
//!
//! One property is a formula with path quantifiers (`all-paths`, `exists-path`), or a set of places
//! whose bound is asked (`place-bound`). The formula is read bottom-up with an
//! explicit stack of open elements: a closing tag turns the values of its children into
//! one value (a formula, an integer expression, a list of names). What is asked in the end is
//! worked out by [`Quantifiers`]: one quantifier around a formula without others is a question about
//! runs, everything else must be CTL. An error is any element
//! the contest does not have, any element, attribute or text in a place where
//! it would mean nothing, and any other kind of XML. Namespaces and schemas are skipped.
//!
//! `X` means two things in a dead marking: in LTL the marking repeats, in CTL there is no next one.
//! The properties of CTL examinations are told by their ids, which name the examination.

use crate::xml::vocabulary::Vocabulary;
use brine_ltl::{
    Comparison, Expression, Formula, Formulas, NameKind, Overflow, ParseError, Quantifiers, Query,
    Symbols,
};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashSet;

/// One property of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestProperty {
    /// The property's id.
    pub id: String,
    /// What is asked.
    pub query: Query,
}

/// What the ids of CTL examinations contain.
const CTL: &str = "CTL";

/// Reads all properties of a file.
///
/// ```
/// use brine_ltl::{Formulas, Query, Symbols};
/// use brine_pnml::read_mcc;
/// let xml = "<property-set><property><id>p-00</id><formula><all-paths><finally>\
///            <is-fireable><transition>t</transition></is-fireable>\
///            </finally></all-paths></formula></property></property-set>";
/// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
/// let properties = read_mcc(xml, &mut fs, &mut symbols).unwrap();
/// let Query::AllRuns(formula) = properties[0].query else { panic!() };
/// assert_eq!(fs.print(formula, &symbols), "F fireable(t)");
/// ```
pub fn read_mcc(
    source: &str,
    fs: &mut Formulas,
    symbols: &mut Symbols,
) -> Result<Vec<ContestProperty>, ParseError> {
    let mut reader = Reader::from_str(source);
    let (stack, properties, ids) = (Vec::new(), Vec::new(), FxHashSet::default());
    let vocabulary = Vocabulary::default();
    let quantifiers = Quantifiers::default();
    let mut file = File { source, fs, symbols, stack, properties, ids, vocabulary, quantifiers };
    file.stack.push(OpenElement::new(String::new(), 0));
    loop {
        let at = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|e| {
            let message = format!("this is not well-formed XML: {e}");
            ParseError::new(source, reader.error_position() as usize, message)
        })?;
        match event {
            Event::Start(tag) => file.open(&tag, at)?,
            Event::Empty(tag) => {
                file.open(&tag, at)?;
                file.close()?;
            }
            Event::End(_) => file.close()?,
            Event::Text(text) => file.text(&text, at),
            Event::CData(data) => file.text(&data, at),
            Event::GeneralRef(entity) => {
                let name: &str = &entity;
                let text = entity_text(name).ok_or_else(|| {
                    ParseError::new(source, at, format!("unknown entity \"&{name};\""))
                })?;
                file.text(&text, at);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if let [_, open, ..] = file.stack.as_slice() {
        let message = format!("<{}> is never closed", open.tag);
        return Err(ParseError::new(source, open.at, message));
    }
    if let Some((text, at)) = file.stack.first().and_then(OpenElement::stray_text) {
        let message = format!("\"{text}\" stands outside of <property-set>");
        return Err(ParseError::new(source, at, message));
    }
    if file.properties.is_empty() {
        return Err(ParseError::new(source, 0, "the file contains no <property>"));
    }
    Ok(file.properties)
}

/// The character behind `&name;`.
fn entity_text(name: &str) -> Option<String> {
    if let Some(text) = quick_xml::escape::resolve_predefined_entity(name) {
        return Some(text.to_owned());
    }
    let number = name.strip_prefix('#')?;
    let code = match number.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).map(String::from)
}

/// What is wrong with a tag's attributes: only namespaces and schemas may be named.
fn wrong_attribute(tag: &BytesStart<'_>, vocabulary: &Vocabulary) -> Option<String> {
    let wrong = |key: &str, value: &str| {
        let skipped =
            key == "xmlns" || ["xmlns:", "xsi:", "xml:"].iter().any(|p| key.starts_with(p));
        if skipped {
            return vocabulary.refuses_declaration(key, value);
        }
        let name = vocabulary.own_name(tag.name().into_inner());
        Some(format!("unknown attribute \"{key}\" of <{name}>"))
    };
    tag.attributes().find_map(|attribute| match attribute {
        Ok(attribute) => wrong(attribute.key.as_ref(), &attribute.value),
        Err(error) => Some(format!("malformed attribute: {error}")),
    })
}

/// What a closed element is worth to its parent.
enum ElementValue {
    Formula(Formula),
    /// The formula of a property.
    Whole(Formula),
    /// The places whose bound a property asks for.
    Bound(Expression),
    Property,
    /// Words for people.
    Comment,
    /// The two sides of `until`.
    Before(Formula),
    Reach(Formula),
    Integer(Expression),
    Place(String),
    Transition(String),
    Id(String),
}

/// An element whose end has not been seen.
struct OpenElement {
    tag: String,
    at: usize,
    text: String,
    /// Where the first text stands that is not empty.
    text_at: usize,
    children: Vec<(ElementValue, usize)>,
}

impl OpenElement {
    fn new(tag: String, at: usize) -> Self {
        OpenElement { tag, at, text: String::new(), text_at: at, children: Vec::new() }
    }

    /// The text, where there should be none.
    fn stray_text(&self) -> Option<(&str, usize)> {
        let text = self.text.trim().trim_matches('\u{feff}');
        let first = text.split_whitespace().next()?;
        Some((first, self.text_at))
    }
}

struct File<'a> {
    source: &'a str,
    fs: &'a mut Formulas,
    symbols: &'a mut Symbols,
    stack: Vec<OpenElement>,
    properties: Vec<ContestProperty>,
    ids: FxHashSet<String>,
    /// The root's.
    vocabulary: Vocabulary,
    /// Those of the property that is read.
    quantifiers: Quantifiers,
}

impl File<'_> {
    fn open(&mut self, tag: &BytesStart<'_>, at: usize) -> Result<(), ParseError> {
        if self.stack.len() == 1 {
            self.vocabulary = Vocabulary::of_root(tag);
        }
        let error = |message: String| Err(ParseError::new(self.source, at, message));
        let foreign = self.vocabulary.refuses_name(tag.name().into_inner());
        if let Some(wrong) = foreign.or_else(|| wrong_attribute(tag, &self.vocabulary)) {
            return error(wrong);
        }
        let name = self.vocabulary.own_name(tag.name().into_inner()).to_owned();
        if let [file] = self.stack.as_slice() {
            if name == "pnml" {
                return error("this is a net (PNML), expected a property file".to_owned());
            }
            if name != "property-set" || !file.children.is_empty() {
                return error(format!("found <{name}>, expected one <property-set>"));
            }
        }
        self.stack.push(OpenElement::new(name, at));
        Ok(())
    }

    fn text(&mut self, text: &str, at: usize) {
        let Some(open) = self.stack.last_mut() else { return };
        if open.text.is_empty() {
            // Blanks between the many children of an element are not kept: looking through
            // them again for each child would be quadratic.
            let start = text.trim_start();
            open.text_at = at + (text.len() - start.len());
            open.text.push_str(start);
        } else {
            open.text.push_str(text);
        }
    }

    fn close(&mut self) -> Result<(), ParseError> {
        let open = self.stack.pop().expect("the reader checks that tags match");
        let at = open.at;
        let value = self.value(open)?;
        if let Some(parent) = self.stack.last_mut() {
            parent.children.push((value, at));
        }
        Ok(())
    }

    /// The value of a complete element.
    fn value(&mut self, open: OpenElement) -> Result<ElementValue, ParseError> {
        self.check_content(&open)?;
        let text = open.text.trim().to_owned();
        let formula = match open.tag.as_str() {
            "property-set" => return self.set(&open),
            "description" | "tags" => return Ok(ElementValue::Comment),
            "property" => return self.property(open),
            "id" => return Ok(ElementValue::Id(text)),
            "place" => return Ok(ElementValue::Place(text)),
            "transition" => return Ok(ElementValue::Transition(text)),
            "formula" => return self.whole(open),
            "place-bound" => return Ok(ElementValue::Bound(self.tokens_count(open)?)),
            "all-paths" | "exists-path" => {
                let exists = open.tag == "exists-path";
                let f = self.one(open)?;
                self.quantifiers.quantify(self.fs, exists, f)
            }
            "before" => return Ok(ElementValue::Before(self.one(open)?)),
            "reach" => return Ok(ElementValue::Reach(self.one(open)?)),
            "integer-constant" | "integer-sum" | "integer-difference" | "integer-product"
            | "tokens-count" => return Ok(ElementValue::Integer(self.integer(open, &text)?)),
            "integer-le" | "integer-lt" | "integer-ge" | "integer-gt" | "integer-eq"
            | "integer-ne" => self.comparison(open)?,
            "is-fireable" => self.fireable(open)?,
            "deadlock" => self.fs.deadlock(),
            "true" => Formula::TRUE,
            "false" => Formula::FALSE,
            "globally" => {
                let f = self.one(open)?;
                self.fs.g(f)
            }
            "finally" => {
                let f = self.one(open)?;
                self.fs.f(f)
            }
            "next" => {
                let f = self.one(open)?;
                if self.is_ctl() { self.quantifiers.next(self.fs, f) } else { self.fs.x(f) }
            }
            "negation" => {
                let f = self.one(open)?;
                self.fs.not(f)
            }
            "conjunction" => {
                let list = self.formulas(open)?;
                self.fs.and(list)
            }
            "disjunction" => {
                let list = self.formulas(open)?;
                self.fs.or(list)
            }
            "until" => self.until(&open)?,
            "implication" | "equivalence" | "exclusive-disjunction" => self.two(open)?,
            other => {
                let message = format!("<{other}> is not part of a property");
                return Err(self.error(&open, message));
            }
        };
        Ok(ElementValue::Formula(formula))
    }

    /// Text belongs into some elements, elements into the others; constants have neither.
    fn check_content(&self, open: &OpenElement) -> Result<(), ParseError> {
        let is_text = matches!(
            open.tag.as_str(),
            "id" | "description" | "tags" | "place" | "transition" | "integer-constant"
        );
        let is_empty = matches!(open.tag.as_str(), "true" | "false" | "deadlock");
        if let (Some((_, at)), true) = (open.children.first(), is_text || is_empty) {
            let message = format!("there is an element inside <{}>", open.tag);
            return Err(ParseError::new(self.source, *at, message));
        }
        if let (Some((text, at)), false) = (open.stray_text(), is_text) {
            let message = format!("there is text (\"{text}\") inside <{}>", open.tag);
            return Err(ParseError::new(self.source, at, message));
        }
        Ok(())
    }

    fn set(&self, open: &OpenElement) -> Result<ElementValue, ParseError> {
        match open.children.iter().find(|(value, _)| !matches!(value, ElementValue::Property)) {
            Some((_, at)) => {
                let message = "expected only <property> inside <property-set>";
                Err(ParseError::new(self.source, *at, message))
            }
            None => Ok(ElementValue::Comment),
        }
    }

    fn error(&self, open: &OpenElement, message: impl Into<String>) -> ParseError {
        ParseError::new(self.source, open.at, message)
    }

    /// The id of the property that is read, as far as it came before the formula, names CTL.
    fn is_ctl(&self) -> bool {
        // The file, the set, the property.
        self.stack.get(2).is_some_and(|property| {
            let is_ctl = |v: &ElementValue| matches!(v, ElementValue::Id(id) if id.contains(CTL));
            property.children.iter().any(|(value, _)| is_ctl(value))
        })
    }

    /// What stands in `<formula>`.
    fn whole(&mut self, mut open: OpenElement) -> Result<ElementValue, ParseError> {
        match (open.children.pop(), open.children.is_empty()) {
            (Some((ElementValue::Formula(f), _)), true) => Ok(ElementValue::Whole(f)),
            (Some((ElementValue::Bound(sum), _)), true) => Ok(ElementValue::Bound(sum)),
            _ => Err(self.error(
                &open,
                "<formula> must hold one formula, as <all-paths>, or one <place-bound>",
            )),
        }
    }

    fn property(&mut self, open: OpenElement) -> Result<ElementValue, ParseError> {
        let (mut id, mut formula) = (None, None);
        let quantifiers = std::mem::take(&mut self.quantifiers);
        for (value, at) in &open.children {
            let twice = match value {
                ElementValue::Id(text) => id.replace(text.clone()).map(|_| "<id>"),
                ElementValue::Whole(_) | ElementValue::Bound(_) => {
                    formula.replace(value).map(|_| "<formula>")
                }
                ElementValue::Comment => None,
                _ => {
                    let message = "expected <id>, <description> and <formula> inside <property>";
                    return Err(ParseError::new(self.source, *at, message));
                }
            };
            if let Some(tag) = twice {
                let message = format!("this <property> has a second {tag}");
                return Err(ParseError::new(self.source, *at, message));
            }
        }
        match (id, formula) {
            (Some(id), Some(_)) if !self.ids.insert(id.clone()) => {
                Err(self.error(&open, format!("there is another property with the id \"{id}\"")))
            }
            (Some(id), Some(ElementValue::Bound(sum))) => {
                self.properties.push(ContestProperty { id, query: Query::Bound(sum.clone()) });
                Ok(ElementValue::Property)
            }
            (Some(id), Some(ElementValue::Whole(formula))) => {
                let query = quantifiers.query(self.fs, *formula, id.contains(CTL));
                let query = query.map_err(|message| self.error(&open, message))?;
                self.properties.push(ContestProperty { id, query });
                Ok(ElementValue::Property)
            }
            (Some(_), Some(_)) => unreachable!("only these two are formulas of a property"),
            (None, _) => Err(self.error(&open, "this <property> has no <id>")),
            (_, None) => Err(self.error(&open, "this <property> has no <formula>")),
        }
    }

    /// All children as formulas; at least one.
    fn formulas(&mut self, open: OpenElement) -> Result<Vec<Formula>, ParseError> {
        if open.children.is_empty() {
            let message = format!("<{}> needs an operand", open.tag);
            return Err(self.error(&open, message));
        }
        open.children
            .iter()
            .map(|(value, at)| match value {
                ElementValue::Formula(f) => Ok(*f),
                _ => {
                    let message = format!("expected a formula inside <{}>", open.tag);
                    Err(ParseError::new(self.source, *at, message))
                }
            })
            .collect()
    }

    fn one(&mut self, open: OpenElement) -> Result<Formula, ParseError> {
        let (tag, at) = (open.tag.clone(), open.at);
        match self.formulas(open)?.as_slice() {
            [f] => Ok(*f),
            list => {
                let message = format!("<{tag}> has {} operands instead of one", list.len());
                Err(ParseError::new(self.source, at, message))
            }
        }
    }

    /// The sides go by their names, whichever comes first.
    fn until(&mut self, open: &OpenElement) -> Result<Formula, ParseError> {
        match open.children.as_slice() {
            [(ElementValue::Before(a), _), (ElementValue::Reach(b), _)]
            | [(ElementValue::Reach(b), _), (ElementValue::Before(a), _)] => Ok(self.fs.u(*a, *b)),
            _ => Err(self.error(open, "<until> needs one <before> and one <reach>")),
        }
    }

    fn two(&mut self, open: OpenElement) -> Result<Formula, ParseError> {
        let (tag, at) = (open.tag.clone(), open.at);
        match *self.formulas(open)?.as_slice() {
            [a, b] => Ok(match tag.as_str() {
                "implication" => self.fs.implies(a, b),
                "equivalence" => self.fs.iff(a, b),
                _ => self.fs.xor(a, b),
            }),
            ref list => {
                let message = format!("<{tag}> has {} operands instead of two", list.len());
                Err(ParseError::new(self.source, at, message))
            }
        }
    }

    fn comparison(&mut self, open: OpenElement) -> Result<Formula, ParseError> {
        let cmp = match open.tag.as_str() {
            "integer-le" => Comparison::Le,
            "integer-lt" => Comparison::Lt,
            "integer-ge" => Comparison::Ge,
            "integer-gt" => Comparison::Gt,
            "integer-eq" => Comparison::Eq,
            _ => Comparison::Ne,
        };
        match open.children.as_slice() {
            [(ElementValue::Integer(left), _), (ElementValue::Integer(right), _)] => self
                .fs
                .compare(left.clone(), cmp, right.clone())
                .map_err(|Overflow| self.overflow(&open)),
            _ => {
                let message = format!("<{}> needs two integer expressions", open.tag);
                Err(self.error(&open, message))
            }
        }
    }

    fn overflow(&self, open: &OpenElement) -> ParseError {
        self.error(open, "the numbers in this comparison are too large (64 bits)")
    }

    fn integer(&mut self, open: OpenElement, text: &str) -> Result<Expression, ParseError> {
        match open.tag.as_str() {
            "integer-constant" => {
                return text.parse().map(Expression::constant).map_err(|_| {
                    self.error(&open, format!("\"{text}\" is not an integer of 64 bits"))
                });
            }
            "tokens-count" => return self.tokens_count(open),
            _ => {}
        }
        let mut result: Option<Expression> = None;
        for (value, at) in &open.children {
            let ElementValue::Integer(e) = value else {
                let message = format!("expected an integer expression inside <{}>", open.tag);
                return Err(ParseError::new(self.source, *at, message));
            };
            result = Some(match (result, open.tag.as_str()) {
                (None, _) => e.clone(),
                (Some(sum), "integer-sum") => {
                    sum.add_scaled(e, 1).map_err(|Overflow| self.overflow(&open))?
                }
                (Some(sum), "integer-difference") => {
                    sum.add_scaled(e, -1).map_err(|Overflow| self.overflow(&open))?
                }
                (Some(product), _) => product
                    .multiply(e)
                    .ok_or_else(|| {
                        self.error(&open, "only linear expressions: one factor must be a number")
                    })?
                    .map_err(|Overflow| self.overflow(&open))?,
            });
        }
        result.ok_or_else(|| self.error(&open, format!("<{}> needs an operand", open.tag)))
    }

    fn tokens_count(&mut self, open: OpenElement) -> Result<Expression, ParseError> {
        let mut sum = Expression::default();
        for (value, at) in &open.children {
            let ElementValue::Place(name) = value else {
                let message = format!("expected <place> inside <{}>", open.tag);
                return Err(ParseError::new(self.source, *at, message));
            };
            match self.symbols.tokens(name) {
                Ok(tokens) => sum = sum.plus(tokens).map_err(|Overflow| self.overflow(&open))?,
                Err(e) => {
                    let message = self.symbols.trouble(NameKind::Place, &e);
                    return Err(ParseError::new(self.source, *at, message));
                }
            }
        }
        Ok(sum)
    }

    fn fireable(&mut self, open: OpenElement) -> Result<Formula, ParseError> {
        let mut transitions = Vec::new();
        for (value, at) in &open.children {
            let ElementValue::Transition(name) = value else {
                let message = "expected <transition> inside <is-fireable>";
                return Err(ParseError::new(self.source, *at, message));
            };
            match self.symbols.transitions(name) {
                Ok(targets) => transitions.extend(targets),
                Err(e) => {
                    let message = self.symbols.trouble(NameKind::Transition, &e);
                    return Err(ParseError::new(self.source, *at, message));
                }
            }
        }
        Ok(self.fs.fireable(transitions))
    }
}
