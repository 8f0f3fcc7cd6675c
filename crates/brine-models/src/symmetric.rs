//! Symmetric nets as our generators write them, and their PNML.
//!
//! This is the writing side only, and on purpose it shares nothing with the reader and its
//! checker: the tests give a random net of this kind both to the reader and to a naive
//! interpreter of their own.

use std::io::{self, Write};

use brine_coloured::ColouredNet;
use brine_net::Net;
use brine_pnml::{AnyNet, Model, ReadError, UnfoldLimits, read_model_from, read_net_file};
use brine_run::Control;
use quick_xml::escape::escape;

/// A sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymmetricSort {
    /// Black tokens.
    Dot,
    /// `false` and `true`.
    Bool,
    /// An enumeration with an order but no way round.
    Finite(Vec<String>),
    /// An enumeration whose last value is followed by the first.
    Cyclic(Vec<String>),
    /// The integers from the first to the second.
    Range(i64, i64),
    /// Tuples; the numbers of sorts declared before.
    Product(Vec<usize>),
    /// The parts of a simple sort: their names and the numbers of the values in them.
    Partition(usize, Vec<(String, Vec<u32>)>),
    /// One part of a partition (a sort declared before), by number: the values in it, for
    /// variables and for [`SymmetricTerm::All`].
    Part(usize, usize),
}

/// A term: a colour, or a multiset of colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymmetricTerm {
    /// A variable, by number.
    Variable(usize),
    /// A value of a simple sort. That of a partition, where its class is expected, stands for
    /// the values in the part.
    Constant(usize, u32),
    /// A tuple.
    Tuple(Vec<SymmetricTerm>),
    /// The next value, round a corner.
    Successor(Box<SymmetricTerm>),
    /// The value before, round a corner.
    Predecessor(Box<SymmetricTerm>),
    /// The part of a partition (a sort) that a value is in.
    PartOf(usize, Box<SymmetricTerm>),
    /// Every colour of a sort once.
    All(usize),
    /// No colour.
    Empty(usize),
    /// So many of each.
    NumberOf(u32, Box<SymmetricTerm>),
    /// A sum.
    Add(Vec<SymmetricTerm>),
    /// A difference, never below zero.
    Subtract(Box<SymmetricTerm>, Box<SymmetricTerm>),
}

/// How two colours are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymmetricComparison {
    /// The same.
    Equal,
    /// Different.
    Different,
    /// Before.
    Less,
    /// Before or the same.
    LessOrEqual,
    /// After.
    Greater,
    /// After or the same.
    GreaterOrEqual,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Always, or never.
    Constant(bool),
    /// A comparison of two colours.
    Compare(SymmetricComparison, SymmetricTerm, SymmetricTerm),
    /// All hold.
    And(Vec<Condition>),
    /// One holds.
    Or(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// If the first, then the second.
    Imply(Box<Condition>, Box<Condition>),
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricPlace {
    /// Its id and name.
    pub id: String,
    /// The number of its sort.
    pub sort: usize,
    /// The tokens at the start.
    pub initial: Option<SymmetricTerm>,
}

/// A transition: arcs are places, by number, and what is taken or put.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricTransition {
    /// Its id and name.
    pub id: String,
    /// When it may fire.
    pub guard: Option<Condition>,
    /// What it takes.
    pub inputs: Vec<(usize, SymmetricTerm)>,
    /// What it puts.
    pub outputs: Vec<(usize, SymmetricTerm)>,
}

/// A symmetric net.
///
/// ```
/// use brine_models::philosophers_coloured;
/// let net = philosophers_coloured(5);
/// let model = net.unfold().unwrap();
/// assert_eq!((net.places.len(), model.net.places().len()), (5, 25));
/// assert_eq!(model.net.place(brine_net::PlaceId(7)).id(), "think[2]");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymmetricNet {
    /// The net's id.
    pub name: String,
    /// Names and sorts.
    pub sorts: Vec<(String, SymmetricSort)>,
    /// Names of variables and the numbers of their sorts.
    pub variables: Vec<(String, usize)>,
    /// The places.
    pub places: Vec<SymmetricPlace>,
    /// The transitions.
    pub transitions: Vec<SymmetricTransition>,
}

impl SymmetricNet {
    /// Writes the net as PNML.
    pub fn write_pnml(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">")?;
        let net_type = "http://www.pnml.org/version-2009/grammar/symmetricnet";
        let name = escape(&self.name);
        writeln!(out, "<net id=\"{name}\" type=\"{net_type}\">")?;
        writeln!(out, "<name><text>{name}</text></name>")?;
        self.write_declarations(out)?;
        writeln!(out, "<page id=\"page\">")?;
        for place in &self.places {
            let id = escape(&place.id);
            write!(out, "<place id=\"{id}\"><name><text>{id}</text></name>")?;
            writeln!(out, "<type><structure>{}</structure></type>", self.sort_name(place.sort))?;
            if let Some(term) = &place.initial {
                let term = self.term(term);
                writeln!(
                    out,
                    "<hlinitialMarking><structure>{term}</structure></hlinitialMarking>"
                )?;
            }
            writeln!(out, "</place>")?;
        }
        for transition in &self.transitions {
            let id = escape(&transition.id);
            write!(out, "<transition id=\"{id}\"><name><text>{id}</text></name>")?;
            if let Some(guard) = &transition.guard {
                let guard = self.condition(guard);
                write!(out, "\n<condition><structure>{guard}</structure></condition>")?;
            }
            writeln!(out, "</transition>")?;
        }
        self.write_arcs(out)?;
        writeln!(out, "</page>\n</net>\n</pnml>")
    }

    /// Writes the net and reads it again: the coloured net that engines get.
    pub fn coloured(&self) -> Result<ColouredNet, ReadError> {
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write_pnml(&mut bytes);
        let file = read_net_file(bytes.as_slice(), &self.name, &Control::default())?;
        match file.net {
            AnyNet::Coloured(net) => Ok(net),
            AnyNet::Plain(_) => unreachable!("a symmetric net is written as one"),
        }
    }

    /// Writes the net and reads it again, which unfolds it.
    pub fn unfold(&self) -> Result<Model, ReadError> {
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write_pnml(&mut bytes);
        read_model_from(bytes.as_slice(), &self.name, &UnfoldLimits::default())
    }

    fn write_declarations(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<declaration><structure><declarations>")?;
        for (i, (name, sort)) in self.sorts.iter().enumerate() {
            let name = escape(name);
            if let SymmetricSort::Part(..) = sort {
                continue;
            }
            if let SymmetricSort::Partition(of, parts) = sort {
                writeln!(out, "<partition id=\"s{i}\" name=\"{name}\">{}", self.sort_name(*of))?;
                for (j, (name, values)) in parts.iter().enumerate() {
                    let name = escape(name);
                    write!(out, "<partitionelement id=\"s{i}v{j}\" name=\"{name}\">")?;
                    for &v in values {
                        write!(out, "{}", self.term(&SymmetricTerm::Constant(*of, v)))?;
                    }
                    writeln!(out, "</partitionelement>")?;
                }
                writeln!(out, "</partition>")?;
                continue;
            }
            writeln!(out, "<namedsort id=\"s{i}\" name=\"{name}\">")?;
            writeln!(out, "{}</namedsort>", self.sort_body(i, sort))?;
        }
        for (i, (name, sort)) in self.variables.iter().enumerate() {
            let (name, sort) = (escape(name), self.sort_name(*sort));
            writeln!(out, "<variabledecl id=\"x{i}\" name=\"{name}\">{sort}</variabledecl>")?;
        }
        writeln!(out, "</declarations></structure></declaration>")
    }

    fn write_arcs(&self, out: &mut impl Write) -> io::Result<()> {
        let mut number = 0;
        for transition in &self.transitions {
            let inputs = transition.inputs.iter().map(|arc| (true, arc));
            let outputs = transition.outputs.iter().map(|arc| (false, arc));
            for (input, (place, term)) in inputs.chain(outputs) {
                let (p, t) = (escape(&self.places[*place].id), escape(&transition.id));
                let (source, target) = if input { (p, t) } else { (t, p) };
                let term = self.term(term);
                write!(out, "<arc id=\"arc-{number}\" source=\"{source}\" target=\"{target}\">")?;
                writeln!(
                    out,
                    "<hlinscription><structure>{term}</structure></hlinscription></arc>"
                )?;
                number += 1;
            }
        }
        Ok(())
    }

    fn term(&self, term: &SymmetricTerm) -> String {
        let one = |t: &SymmetricTerm| format!("<subterm>{}</subterm>", self.term(t));
        let many = |ts: &[SymmetricTerm]| ts.iter().map(one).collect::<String>();
        match term {
            SymmetricTerm::Variable(x) => format!("<variable refvariable=\"x{x}\"/>"),
            SymmetricTerm::Constant(sort, value) => self.constant(*sort, *value),
            SymmetricTerm::Tuple(terms) => format!("<tuple>{}</tuple>", many(terms)),
            SymmetricTerm::Successor(t) => format!("<successor>{}</successor>", one(t)),
            SymmetricTerm::Predecessor(t) => format!("<predecessor>{}</predecessor>", one(t)),
            SymmetricTerm::PartOf(sort, t) => {
                let t = one(t);
                format!("<partitionelementof refpartition=\"s{sort}\">{t}</partitionelementof>")
            }
            SymmetricTerm::All(sort) => format!("<all>{}</all>", self.sort_name(*sort)),
            SymmetricTerm::Empty(sort) => format!("<empty>{}</empty>", self.sort_name(*sort)),
            SymmetricTerm::NumberOf(n, t) => format!(
                "<numberof><subterm><numberconstant value=\"{n}\"><natural/></numberconstant>\
                 </subterm>{}</numberof>",
                one(t)
            ),
            SymmetricTerm::Add(terms) => format!("<add>{}</add>", many(terms)),
            SymmetricTerm::Subtract(a, b) => format!("<subtract>{}{}</subtract>", one(a), one(b)),
        }
    }

    fn constant(&self, sort: usize, value: u32) -> String {
        match &self.sorts[sort].1 {
            SymmetricSort::Dot => "<dotconstant/>".to_owned(),
            SymmetricSort::Bool => format!("<booleanconstant value=\"{}\"/>", value == 1),
            SymmetricSort::Range(start, end) => format!(
                "<finiteintrangeconstant value=\"{}\"><finiteintrange start=\"{start}\" \
                 end=\"{end}\"/></finiteintrangeconstant>",
                start + i64::from(value)
            ),
            _ => format!("<useroperator declaration=\"s{sort}v{value}\"/>"),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let one = |c: &Condition| format!("<subterm>{}</subterm>", self.condition(c));
        let many = |cs: &[Condition]| cs.iter().map(one).collect::<String>();
        match condition {
            Condition::Constant(value) => format!("<booleanconstant value=\"{value}\"/>"),
            Condition::Compare(comparison, a, b) => {
                let name = match comparison {
                    SymmetricComparison::Less if self.of_parts(a) => "ltp",
                    SymmetricComparison::Greater if self.of_parts(a) => "gtp",
                    SymmetricComparison::Equal => "equality",
                    SymmetricComparison::Different => "inequality",
                    SymmetricComparison::Less => "lessthan",
                    SymmetricComparison::LessOrEqual => "lessthanorequal",
                    SymmetricComparison::Greater => "greaterthan",
                    SymmetricComparison::GreaterOrEqual => "greaterthanorequal",
                };
                let (a, b) = (self.term(a), self.term(b));
                format!("<{name}><subterm>{a}</subterm><subterm>{b}</subterm></{name}>")
            }
            Condition::And(cs) => format!("<and>{}</and>", many(cs)),
            Condition::Or(cs) => format!("<or>{}</or>", many(cs)),
            Condition::Not(c) => format!("<not>{}</not>", one(c)),
            Condition::Imply(a, b) => format!("<imply>{}{}</imply>", one(a), one(b)),
        }
    }

    /// Whether a colour is a part of a partition.
    fn of_parts(&self, term: &SymmetricTerm) -> bool {
        match term {
            SymmetricTerm::PartOf(..) => true,
            SymmetricTerm::Variable(x) => {
                matches!(self.sorts[self.variables[*x].1].1, SymmetricSort::Partition(..))
            }
            SymmetricTerm::Constant(sort, _) => {
                matches!(self.sorts[*sort].1, SymmetricSort::Partition(..))
            }
            _ => false,
        }
    }

    fn sort_name(&self, sort: usize) -> String {
        match self.sorts[sort].1 {
            SymmetricSort::Part(partition, part) => {
                format!("<usersort declaration=\"s{partition}v{part}\"/>")
            }
            _ => format!("<usersort declaration=\"s{sort}\"/>"),
        }
    }

    fn sort_body(&self, i: usize, sort: &SymmetricSort) -> String {
        let constants = |names: &[String]| {
            let constant = |(v, name): (usize, &String)| {
                format!("<feconstant id=\"s{i}v{v}\" name=\"{}\"/>", escape(name))
            };
            names.iter().enumerate().map(constant).collect::<String>()
        };
        match sort {
            SymmetricSort::Dot => "<dot/>".to_owned(),
            SymmetricSort::Bool => "<bool/>".to_owned(),
            SymmetricSort::Finite(names) => {
                format!("<finiteenumeration>{}</finiteenumeration>", constants(names))
            }
            SymmetricSort::Cyclic(names) => {
                format!("<cyclicenumeration>{}</cyclicenumeration>", constants(names))
            }
            SymmetricSort::Range(start, end) => {
                format!("<finiteintrange start=\"{start}\" end=\"{end}\"/>")
            }
            SymmetricSort::Product(sorts) => {
                let sorts: String = sorts.iter().map(|&s| self.sort_name(s)).collect();
                format!("<productsort>{sorts}</productsort>")
            }
            SymmetricSort::Partition(of, _) | SymmetricSort::Part(of, _) => self.sort_name(*of),
        }
    }
}

/// The unfolded net of a generator's net, which is always in order.
pub(super) fn unfolded(net: &SymmetricNet) -> Net {
    match net.unfold() {
        Ok(model) => model.net,
        Err(error) => unreachable!("a generator made an invalid net: {error}"),
    }
}
