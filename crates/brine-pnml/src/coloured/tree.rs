//! Declarations and terms as the file writes them, before anything is looked up.
//!
//! A `<structure>` is kept as its elements in postfix order, each with its number of
//! children: a program for a stack, which the later passes run without recursion. Sorts
//! and variables may be declared after the places that use them, so the check has to wait
//! for the end of the file; an element that no symmetric net has is refused at once.
//! `<subterm>` is only punctuation and is left out.

use std::io::Read;

use crate::pnml::tools::{ToolPart, Warnings};
use crate::xml::{Position, Tag, Token, Value, XmlError, XmlReader, hint};
use brine_coloured::guards::ColourComparison;

/// An id and a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IdAndName {
    /// The id.
    pub(super) id: String,
    /// The name; the id when there is none.
    pub(super) name: String,
}

/// What an element is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ElementKind {
    /// `<declarations>`
    Declarations,
    /// `<namedsort>`
    NamedSort(IdAndName),
    /// `<variabledecl>`
    VariableDeclaration(IdAndName),
    /// `<partition>`
    Partition(IdAndName),
    /// `<partitionelement>`
    Part(IdAndName),
    /// `<finiteenumeration>` or `<cyclicenumeration>`
    Enumeration,
    /// `<feconstant>`
    Constant(IdAndName),
    /// `<finiteintrange>`, both ends included
    IntegerRange(i64, i64),
    /// `<productsort>`
    Product,
    /// `<usersort>`
    UserSort(String),
    /// `<dot>`
    Dot,
    /// `<bool>`
    Bool,
    /// `<positive>`, `<natural>`, `<integer>`: the sort of a count
    NumberSort,
    /// `<variable>`
    Variable(String),
    /// `<useroperator>`
    Operator(String),
    /// `<dotconstant>`
    DotConstant,
    /// `<booleanconstant>`
    BoolConstant(bool),
    /// `<finiteintrangeconstant>`
    IntegerConstant(i64),
    /// `<numberconstant>`
    Number(i64),
    /// `<tuple>`
    Tuple,
    /// `<all>`
    All,
    /// `<empty>`
    Empty,
    /// `<numberof>`
    NumberOf,
    /// `<scalarproduct>`
    ScalarProduct,
    /// `<add>`
    Add,
    /// `<subtract>`
    Subtract,
    /// `<successor>`
    Successor,
    /// `<predecessor>`
    Predecessor,
    /// `<partitionelementof>`
    PartOf(String),
    /// `<equality>` and its kin
    Compare(ColourComparison),
    /// `<ltp>` and `<gtp>`, which compare parts of a partition
    CompareParts(ColourComparison),
    /// `<and>`
    And,
    /// `<or>`
    Or,
    /// `<not>`
    Not,
    /// `<imply>`
    Imply,
}

/// One element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Element {
    /// What it is.
    pub(super) kind: ElementKind,
    /// The element's name, for messages.
    pub(super) tag: &'static str,
    /// Where it starts.
    pub(super) at: Position,
    /// How many children it has.
    pub(super) children: usize,
}

/// A term or a list of declarations, in postfix order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tree {
    /// Where the label starts.
    pub(super) at: Position,
    /// Its elements; the root is the last one.
    pub(super) nodes: Vec<Element>,
}

impl Tree {
    /// The number of tokens, if this is a sum of multiples of the black token.
    pub(crate) fn black_tokens(&self) -> Option<u64> {
        let (mut sum, mut colours, mut multiples) = (0_u64, 0_usize, 0_usize);
        for node in &self.nodes {
            match &node.kind {
                ElementKind::Number(n) => sum = sum.checked_add(u64::try_from(*n).ok()?)?,
                ElementKind::NumberOf => multiples += 1,
                ElementKind::All | ElementKind::DotConstant => colours += 1,
                ElementKind::UserSort(id) if id == "dot" => {}
                ElementKind::Dot | ElementKind::NumberSort | ElementKind::Add => {}
                _ => return None,
            }
        }
        (colours == multiples).then_some(sum)
    }

    /// Whether this names, or declares, the sort of black tokens and nothing else.
    pub(crate) fn is_dot(&self) -> bool {
        self.nodes.iter().all(|node| match &node.kind {
            ElementKind::UserSort(id) => id == "dot",
            ElementKind::NamedSort(named) => named.id == "dot",
            ElementKind::Dot | ElementKind::Declarations => true,
            _ => false,
        })
    }
}

/// Reads the rest of a label (`<type>`, `<hlinscription>`, ...) whose tag starts `at`.
pub(crate) fn read_label<R: Read>(
    xml: &mut XmlReader<R>,
    label: &str,
    at: Position,
    warnings: &mut Warnings,
) -> Result<Tree, XmlError> {
    let mut tree = None;
    loop {
        let (child, at) = match xml.next()? {
            Token::Start(tag) => (child(&tag, label)?, tag.at()),
            Token::Text(..) => continue,
            Token::End | Token::Eof => break,
        };
        match child {
            LabelChild::Text => {
                xml.read_text(&mut String::new())?;
            }
            LabelChild::Graphics => xml.skip_element()?,
            LabelChild::Tool(tool) => tool.skip(xml, warnings)?,
            LabelChild::Structure if tree.is_some() => {
                return Err(XmlError::new(at, "a second <structure>, expected one"));
            }
            LabelChild::Structure => tree = Some(Tree { at, nodes: read_structure(xml, at)? }),
        }
    }
    tree.ok_or_else(|| {
        let message =
            format!("<{label}> has no <structure>, expected one (text alone is for human readers)");
        XmlError::new(at, message)
    })
}

/// A child of a label.
enum LabelChild {
    Text,
    Structure,
    Graphics,
    Tool(ToolPart),
}

fn child(tag: &Tag<'_>, label: &str) -> Result<LabelChild, XmlError> {
    let child = match tag.name() {
        "graphics" => return Ok(LabelChild::Graphics),
        "toolspecific" => return Ok(LabelChild::Tool(ToolPart::new(tag))),
        "text" => LabelChild::Text,
        "structure" => LabelChild::Structure,
        other => {
            let message = format!(
                "unknown <{other}> in <{label}>, expected <text>, <structure>, <graphics> or \
                 <toolspecific>{}",
                hint(other)
            );
            return Err(tag.error(message));
        }
    };
    tag.plain()?;
    Ok(child)
}

/// An element whose end has not been seen.
struct OpenTerm {
    /// `None`: a `<subterm>`.
    node: Option<Element>,
    children: usize,
}

/// Reads the rest of a `<structure>`: exactly one element.
fn read_structure<R: Read>(xml: &mut XmlReader<R>, at: Position) -> Result<Vec<Element>, XmlError> {
    let mut nodes = Vec::new();
    let mut open = vec![OpenTerm { node: None, children: 0 }];
    while let Some(top) = open.last_mut() {
        match xml.next()? {
            Token::Start(tag) => open.push(OpenTerm { node: node(&tag)?, children: 0 }),
            // Terms have no text of their own, and contest files hold stray characters.
            Token::Text(..) => {}
            Token::End | Token::Eof => {
                let children = top.children;
                let closed = open.pop().and_then(|o| o.node);
                let worth = if closed.is_some() { 1 } else { children };
                nodes.extend(closed.map(|node| Element { children, ..node }));
                match open.last_mut() {
                    Some(parent) => parent.children += worth,
                    None if worth != 1 => {
                        let message =
                            format!("<structure> holds {worth} elements, expected exactly one");
                        return Err(XmlError::new(at, message));
                    }
                    None => {}
                }
            }
        }
    }
    Ok(nodes)
}

/// What a tag stands for; `None` for `<subterm>`.
fn node(tag: &Tag<'_>) -> Result<Option<Element>, XmlError> {
    let Some((name, kind)) = kind(tag)? else { return Ok(None) };
    Ok(Some(Element { kind, tag: name, at: tag.at(), children: 0 }))
}

fn kind(tag: &Tag<'_>) -> Result<Option<(&'static str, ElementKind)>, XmlError> {
    Ok(Some(match tag.name() {
        "subterm" => {
            tag.plain()?;
            return Ok(None);
        }
        "namedsort" => ("namedsort", ElementKind::NamedSort(named(tag)?)),
        "variabledecl" => ("variabledecl", ElementKind::VariableDeclaration(named(tag)?)),
        "partition" => ("partition", ElementKind::Partition(named(tag)?)),
        "partitionelement" => ("partitionelement", ElementKind::Part(named(tag)?)),
        "feconstant" => ("feconstant", ElementKind::Constant(named(tag)?)),
        "finiteintrange" => {
            let [start, end] = tag.attributes(["start", "end"], &[])?;
            let (start, end) = (number(tag, "start", start)?, number(tag, "end", end)?);
            ("finiteintrange", ElementKind::IntegerRange(start, end))
        }
        "usersort" => ("usersort", ElementKind::UserSort(text(tag, "declaration")?)),
        "variable" => ("variable", ElementKind::Variable(text(tag, "refvariable")?)),
        "useroperator" => ("useroperator", ElementKind::Operator(text(tag, "declaration")?)),
        "booleanconstant" => ("booleanconstant", ElementKind::BoolConstant(boolean(tag)?)),
        "finiteintrangeconstant" => {
            ("finiteintrangeconstant", ElementKind::IntegerConstant(integer(tag, "value")?))
        }
        "numberconstant" => ("numberconstant", ElementKind::Number(integer(tag, "value")?)),
        "partitionelementof" => {
            ("partitionelementof", ElementKind::PartOf(text(tag, "refpartition")?))
        }
        other => {
            let known = without_attributes(other).ok_or_else(|| tag.error(not_read(other)))?;
            tag.plain()?;
            known
        }
    }))
}

/// The elements that have no attributes.
fn without_attributes(name: &str) -> Option<(&'static str, ElementKind)> {
    Some(match name {
        "declarations" => ("declarations", ElementKind::Declarations),
        "finiteenumeration" => ("finiteenumeration", ElementKind::Enumeration),
        "cyclicenumeration" => ("cyclicenumeration", ElementKind::Enumeration),
        "productsort" => ("productsort", ElementKind::Product),
        "dot" => ("dot", ElementKind::Dot),
        "bool" => ("bool", ElementKind::Bool),
        "positive" => ("positive", ElementKind::NumberSort),
        "natural" => ("natural", ElementKind::NumberSort),
        "integer" => ("integer", ElementKind::NumberSort),
        "dotconstant" => ("dotconstant", ElementKind::DotConstant),
        "tuple" => ("tuple", ElementKind::Tuple),
        "all" => ("all", ElementKind::All),
        "empty" => ("empty", ElementKind::Empty),
        "numberof" => ("numberof", ElementKind::NumberOf),
        "scalarproduct" => ("scalarproduct", ElementKind::ScalarProduct),
        "add" => ("add", ElementKind::Add),
        "subtract" => ("subtract", ElementKind::Subtract),
        "successor" => ("successor", ElementKind::Successor),
        "predecessor" => ("predecessor", ElementKind::Predecessor),
        "equality" => ("equality", ElementKind::Compare(ColourComparison::Equal)),
        "inequality" => ("inequality", ElementKind::Compare(ColourComparison::Different)),
        "ltp" => ("ltp", ElementKind::CompareParts(ColourComparison::Less)),
        "gtp" => ("gtp", ElementKind::CompareParts(ColourComparison::Greater)),
        "lessthan" => ("lessthan", ElementKind::Compare(ColourComparison::Less)),
        "lessthanorequal" => {
            ("lessthanorequal", ElementKind::Compare(ColourComparison::LessOrEqual))
        }
        "greaterthan" => ("greaterthan", ElementKind::Compare(ColourComparison::Greater)),
        "greaterthanorequal" => {
            ("greaterthanorequal", ElementKind::Compare(ColourComparison::GreaterOrEqual))
        }
        "and" => ("and", ElementKind::And),
        "or" => ("or", ElementKind::Or),
        "not" => ("not", ElementKind::Not),
        "imply" => ("imply", ElementKind::Imply),
        _ => return None,
    })
}

/// The message for an element that is not read: the standard has it, or it has not.
fn not_read(name: &str) -> String {
    let wanted = "expected a sort, a term or a declaration";
    match name {
        "unparsed" => {
            "<unparsed> is text that only the tool that wrote it can read, expected a term in \
             elements"
                .to_owned()
        }
        "cardinality" | "cardinalityof" | "contains" => format!(
            "<{name}> asks about a multiset, which no condition and no arc can use here, {wanted}"
        ),
        "multisetsort" => {
            "<multisetsort>: places hold colours, not multisets of them, expected the sort of the \
             colours"
                .to_owned()
        }
        "namedoperator" | "arbitraryoperator" | "arbitrarysort" => {
            format!("<{name}> belongs to high-level nets that are not symmetric, {wanted}")
        }
        _ => format!("<{name}> is not known in a symmetric net, {wanted}"),
    }
}

fn text(tag: &Tag<'_>, attribute: &str) -> Result<String, XmlError> {
    Ok(tag.required(attribute)?.0.into_owned())
}

fn named(tag: &Tag<'_>) -> Result<IdAndName, XmlError> {
    let [id, name] = tag.attributes(["id", "name"], &[])?;
    let id = id.ok_or_else(|| tag.missing("id"))?.0.into_owned();
    let name = name.map_or_else(|| id.clone(), |(name, _)| name.into_owned());
    Ok(IdAndName { id, name })
}

fn integer(tag: &Tag<'_>, attribute: &str) -> Result<i64, XmlError> {
    let [value] = tag.attributes([attribute], &[])?;
    number(tag, attribute, value)
}

fn number(tag: &Tag<'_>, attribute: &str, value: Option<Value<'_>>) -> Result<i64, XmlError> {
    let (value, at) = value.ok_or_else(|| tag.missing(attribute))?;
    value.trim().parse().map_err(|_| {
        let shown: String = value.chars().take(40).collect();
        XmlError::new(at, format!("{attribute} \"{shown}\" is not a number, expected an integer"))
    })
}

fn boolean(tag: &Tag<'_>) -> Result<bool, XmlError> {
    let (value, at) = tag.required("value")?;
    match value.trim() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(XmlError::new(at, "malformed value, expected true or false")),
    }
}
