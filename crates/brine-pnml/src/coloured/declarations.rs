//! Looks up what a net declares: sorts, constants, partitions, variables.
//!
//! Two passes over the declarations, which may come in any order: the first collects them
//! by id, the second resolves every sort after the sorts it is built from (a depth-first
//! search with a stack of its own; a sort below itself is an error).

use rustc_hash::FxHashMap;
use std::sync::Arc;

use super::parts::{Classes, PartitionClass};
use super::tree::{Element, ElementKind, IdAndName, Tree};
use crate::xml::{Position, XmlError};
use brine_coloured::sorts::{BOOL, DOT, Simple, SimpleId, Sorts, Values};

/// Largest simple sort; every value of it may have to be listed.
const LARGEST: i64 = 1 << 24;

/// A sort by name: a product, or a part of a simple sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sort {
    pub(super) product: Vec<SimpleId>,
    /// The values of a part of a partition; the product is then one simple sort.
    pub(super) part: Option<Arc<[u32]>>,
}

/// A partition: the sort of its parts, and which part a value is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Partition {
    pub(super) of: SimpleId,
    pub(super) parts: SimpleId,
    pub(super) part_of: Arc<[u32]>,
}

/// A declared variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DeclaredVariable {
    pub(super) name: String,
    pub(super) sort: Sort,
}

/// Everything that terms may refer to, by id.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) sorts: Sorts,
    pub(super) named: FxHashMap<String, Sort>,
    pub(super) constants: FxHashMap<String, (SimpleId, u32)>,
    pub(super) partitions: FxHashMap<String, Partition>,
    /// Of the partitions.
    pub(super) classes: Classes,
    pub(super) variables: FxHashMap<String, DeclaredVariable>,
}

impl Declarations {
    /// Looks up all declarations of a net.
    pub(super) fn new(trees: &[Tree]) -> Result<Self, XmlError> {
        let mut reader = DeclarationReader::default();
        for tree in trees {
            reader.collect(tree)?;
        }
        reader.resolve_sorts()?;
        reader.resolve_variables()?;
        Ok(reader.found)
    }

    /// The sort with this id.
    pub(super) fn sort(&self, id: &str, at: Position) -> Result<&Sort, XmlError> {
        self.named.get(id).ok_or_else(|| unknown_sort(id, at))
    }

    /// The simple sort of a range of integers.
    pub(super) fn range(
        &mut self,
        start: i64,
        end: i64,
        at: Position,
    ) -> Result<SimpleId, XmlError> {
        range(&mut self.sorts, start, end, at)
    }
}

fn unknown_sort(id: &str, at: Position) -> XmlError {
    XmlError::new(at, format!("unknown sort \"{id}\", expected the id of a declared sort"))
}

fn range(sorts: &mut Sorts, start: i64, end: i64, at: Position) -> Result<SimpleId, XmlError> {
    let size = end.checked_sub(start).and_then(|d| d.checked_add(1)).unwrap_or(i64::MAX);
    if !(1..=LARGEST).contains(&size) {
        let problem = if size < 1 { "no integer" } else { "too many integers" };
        let message = format!(
            "the range {start}..{end} holds {problem}, expected from 1 to {LARGEST} of them"
        );
        return Err(XmlError::new(at, message));
    }
    let values = Values::Integers { start, size: size as u32 };
    Ok(sorts.add(Simple { name: format!("{start}..{end}"), values }))
}

/// A factor of a product that may have to be looked up.
#[derive(Clone, Debug)]
enum Factor {
    Known(SimpleId),
    User(String, Position),
}

/// A part of a partition, and the constants in it.
#[derive(Clone, Debug)]
struct PartitionPart {
    named: IdAndName,
    members: Vec<(PartMember, Position)>,
}

#[derive(Clone, Debug)]
enum PartMember {
    Operator(String),
    Integer(i64),
}

/// What an element below `<declarations>` is worth to its parent.
enum Item {
    Sort(Vec<Factor>),
    Enumeration(Vec<(IdAndName, Position)>),
    Constant(IdAndName, Position),
    Member(PartMember, Position),
    Part(PartitionPart),
    /// Declared; nothing is left to say.
    Done,
}

/// A sort that is declared but not resolved.
#[derive(Debug)]
struct Pending {
    named: IdAndName,
    at: Position,
    factors: Vec<Factor>,
    /// For a partition.
    parts: Option<Vec<PartitionPart>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SortState {
    New,
    Open,
    Done,
}

#[derive(Debug, Default)]
struct DeclarationReader {
    found: Declarations,
    pending: Vec<Pending>,
    /// Sort ids (those of parts too), and which pending sort declares them.
    owner: FxHashMap<String, usize>,
    variables: Vec<(IdAndName, Vec<Factor>, Position)>,
}

impl DeclarationReader {
    /// First pass.
    fn collect(&mut self, tree: &Tree) -> Result<(), XmlError> {
        let mut stack: Vec<Item> = Vec::new();
        for node in &tree.nodes {
            let children = stack.split_off(stack.len() - node.children);
            let item = self.item(node, children)?;
            stack.push(item);
        }
        match tree.nodes.last() {
            Some(Element { kind: ElementKind::Declarations, .. }) => Ok(()),
            _ => Err(XmlError::new(
                tree.at,
                "no declarations, expected <declarations> in this <structure>",
            )),
        }
    }

    fn item(&mut self, node: &Element, children: Vec<Item>) -> Result<Item, XmlError> {
        Ok(match &node.kind {
            ElementKind::Dot => Item::Sort(vec![Factor::Known(DOT)]),
            ElementKind::Bool => Item::Sort(vec![Factor::Known(BOOL)]),
            ElementKind::IntegerRange(start, end) => {
                Item::Sort(vec![Factor::Known(self.found.range(*start, *end, node.at)?)])
            }
            ElementKind::UserSort(id) => Item::Sort(vec![Factor::User(id.clone(), node.at)]),
            ElementKind::Constant(named) => Item::Constant(named.clone(), node.at),
            ElementKind::Operator(id) => Item::Member(PartMember::Operator(id.clone()), node.at),
            ElementKind::IntegerConstant(value) => {
                Item::Member(PartMember::Integer(*value), node.at)
            }
            ElementKind::Product => Item::Sort(factors(node, children)?),
            ElementKind::Enumeration => Item::Enumeration(constants(node, children)?),
            ElementKind::NamedSort(named) => {
                self.named_sort(node, named, children)?;
                Item::Done
            }
            ElementKind::Part(named) => part(node, named, children)?,
            ElementKind::Partition(named) => {
                self.partition(node, named, children)?;
                Item::Done
            }
            ElementKind::VariableDeclaration(named) => {
                let [Item::Sort(sort)] = exactly(node, children, "one sort")? else {
                    return Err(unexpected(node, "one sort"));
                };
                self.variables.push((named.clone(), sort, node.at));
                Item::Done
            }
            ElementKind::Declarations => Item::Done,
            _ => return Err(unexpected_here(node)),
        })
    }

    fn named_sort(
        &mut self,
        node: &Element,
        named: &IdAndName,
        children: Vec<Item>,
    ) -> Result<(), XmlError> {
        let [item] = exactly(node, children, "one sort")?;
        let factors = match item {
            Item::Sort(factors) => factors,
            Item::Enumeration(constants) => {
                vec![Factor::Known(self.enumeration(node, named, constants)?)]
            }
            _ => return Err(unexpected(node, "one sort")),
        };
        self.declare(Pending { named: named.clone(), at: node.at, factors, parts: None })
    }

    /// Adds a sort of constants. They are called by their names, or by their ids where two
    /// of them share a name.
    fn enumeration(
        &mut self,
        node: &Element,
        named: &IdAndName,
        constants: Vec<(IdAndName, Position)>,
    ) -> Result<SimpleId, XmlError> {
        if constants.is_empty() || constants.len() as i64 > LARGEST {
            let message =
                format!("{} constants in this sort, expected from 1 to {LARGEST}", constants.len());
            return Err(XmlError::new(node.at, message));
        }
        let mut names: Vec<String> = constants.iter().map(|(c, _)| c.name.clone()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            names = constants.iter().map(|(c, _)| c.id.clone()).collect();
        }
        let simple = Simple { name: named.name.clone(), values: Values::Named(names) };
        let sort = self.found.sorts.add(simple);
        for (value, (constant, at)) in constants.into_iter().enumerate() {
            let known = self.found.constants.insert(constant.id.clone(), (sort, value as u32));
            if known.is_some() {
                return Err(twice("constant", &constant.id, at));
            }
        }
        Ok(sort)
    }

    fn partition(
        &mut self,
        node: &Element,
        named: &IdAndName,
        children: Vec<Item>,
    ) -> Result<(), XmlError> {
        let mut children = children.into_iter();
        let Some(Item::Sort(factors)) = children.next() else {
            return Err(unexpected(node, "a sort and then its parts"));
        };
        let mut parts = Vec::new();
        for child in children {
            let Item::Part(part) = child else {
                return Err(unexpected(node, "a sort and then its parts"));
            };
            self.own(&part.named.id, node.at)?;
            parts.push(part);
        }
        let parts = Some(parts);
        self.declare(Pending { named: named.clone(), at: node.at, factors, parts })
    }

    fn declare(&mut self, pending: Pending) -> Result<(), XmlError> {
        self.own(&pending.named.id, pending.at)?;
        self.pending.push(pending);
        Ok(())
    }

    /// Says that the next pending sort declares this id.
    fn own(&mut self, id: &str, at: Position) -> Result<(), XmlError> {
        match self.owner.insert(id.to_owned(), self.pending.len()) {
            Some(_) => Err(twice("sort", id, at)),
            None => Ok(()),
        }
    }

    /// Second pass.
    fn resolve_sorts(&mut self) -> Result<(), XmlError> {
        let mut states = vec![SortState::New; self.pending.len()];
        for root in 0..self.pending.len() {
            let mut stack = vec![root];
            while let Some(&top) = stack.last() {
                match self.next_needed(top, &states)? {
                    Some(below) => stack.push(below),
                    None => {
                        if states[top] != SortState::Done {
                            self.finish(top)?;
                        }
                        states[top] = SortState::Done;
                        stack.pop();
                        continue;
                    }
                }
                states[top] = SortState::Open;
            }
        }
        Ok(())
    }

    /// The first sort that `index` is built from and that is not resolved.
    fn next_needed(&self, index: usize, states: &[SortState]) -> Result<Option<usize>, XmlError> {
        for factor in &self.pending[index].factors {
            let Factor::User(id, at) = factor else { continue };
            let owner = *self.owner.get(id).ok_or_else(|| unknown_sort(id, *at))?;
            match states[owner] {
                SortState::Done => {}
                SortState::New if owner != index => return Ok(Some(owner)),
                _ => {
                    let message = format!("sort \"{id}\" is built from itself, expected another");
                    return Err(XmlError::new(*at, message));
                }
            }
        }
        Ok(None)
    }

    /// Registers a sort whose factors are all resolved.
    fn finish(&mut self, index: usize) -> Result<(), XmlError> {
        let Pending { named, at, factors, parts } = &self.pending[index];
        let at = *at;
        let id = named.id.clone();
        let sort = resolve(&self.found, factors)?;
        let Some(parts) = parts else {
            self.found.named.insert(id, sort);
            return Ok(());
        };
        let &[of] = sort.product.as_slice() else {
            let message = "a partition of a product, expected one of a simple sort";
            return Err(XmlError::new(at, message));
        };
        let names = parts.iter().map(|p| p.named.name.clone()).collect();
        let values =
            parts.iter().map(|p| members(&self.found, of, p)).collect::<Result<Vec<_>, _>>()?;
        let members = values.iter().map(|values| values.as_slice().into()).collect();
        let part_of = part_table(&self.found.sorts, of, parts, &values, at)?;
        let simple = Simple { name: named.name.clone(), values: Values::Named(names) };
        let sort = self.found.sorts.add(simple);
        self.found.classes.insert(sort, PartitionClass { sort: of, members });
        for (value, (part, values)) in parts.iter().zip(values).enumerate() {
            let part_id = part.named.id.clone();
            let part_sort = Sort { product: vec![of], part: Some(values.into()) };
            self.found.named.insert(part_id.clone(), part_sort);
            if self.found.constants.insert(part_id, (sort, value as u32)).is_some() {
                return Err(twice("constant", &part.named.id, at));
            }
        }
        self.found.named.insert(id.clone(), Sort { product: vec![sort], part: None });
        self.found.partitions.insert(id, Partition { of, parts: sort, part_of });
        Ok(())
    }

    fn resolve_variables(&mut self) -> Result<(), XmlError> {
        for (named, factors, at) in std::mem::take(&mut self.variables) {
            let sort = resolve(&self.found, &factors)?;
            let variable = DeclaredVariable { name: named.name, sort };
            if self.found.variables.insert(named.id.clone(), variable).is_some() {
                return Err(twice("variable", &named.id, at));
            }
        }
        Ok(())
    }
}

/// The product of factors that are all declared.
fn resolve(found: &Declarations, factors: &[Factor]) -> Result<Sort, XmlError> {
    let mut product = Vec::new();
    for factor in factors {
        match factor {
            Factor::Known(sort) => product.push(*sort),
            Factor::User(id, at) => {
                let sort = found.sort(id, *at)?;
                if sort.part.is_some() && factors.len() > 1 {
                    let message = format!("\"{id}\" is a part of a sort, expected a whole sort");
                    return Err(XmlError::new(*at, message));
                }
                if factors.len() == 1 {
                    return Ok(sort.clone());
                }
                product.extend_from_slice(&sort.product);
            }
        }
    }
    Ok(Sort { product, part: None })
}

/// The values in a part.
fn members(found: &Declarations, of: SimpleId, part: &PartitionPart) -> Result<Vec<u32>, XmlError> {
    let sort = found.sorts.get(of);
    let mut values = Vec::new();
    for (member, at) in &part.members {
        let value = match (member, &sort.values) {
            (PartMember::Operator(id), _) => {
                found.constants.get(id).filter(|&&(s, _)| s == of).map(|&(_, v)| v)
            }
            (PartMember::Integer(n), Values::Integers { start, size }) => {
                n.checked_sub(*start).and_then(|v| u32::try_from(v).ok()).filter(|v| v < size)
            }
            _ => None,
        };
        values.push(value.ok_or_else(|| {
            let message = format!("not a constant of sort {}, expected one", sort.name);
            XmlError::new(*at, message)
        })?);
    }
    values.sort_unstable();
    Ok(values)
}

/// Which part every value is in.
fn part_table(
    sorts: &Sorts,
    of: SimpleId,
    parts: &[PartitionPart],
    values: &[Vec<u32>],
    at: Position,
) -> Result<Arc<[u32]>, XmlError> {
    let sort = sorts.get(of);
    let mut table = vec![None; sort.size() as usize];
    for (i, (part, values)) in parts.iter().zip(values).enumerate() {
        if values.is_empty() {
            let message = format!("part \"{}\" is empty, expected constants", part.named.id);
            return Err(XmlError::new(at, message));
        }
        for &v in values {
            if table[v as usize].replace(i as u32).is_some() {
                let label = sort.label(v);
                let message = format!("{label} is in two parts of {}, expected one", sort.name);
                return Err(XmlError::new(at, message));
            }
        }
    }
    if let Some(v) = table.iter().position(Option::is_none) {
        let label = sort.label(v as u32);
        let message = format!("{label} is in no part of {}, expected one", sort.name);
        return Err(XmlError::new(at, message));
    }
    Ok(table.into_iter().flatten().collect())
}

fn factors(node: &Element, children: Vec<Item>) -> Result<Vec<Factor>, XmlError> {
    let mut all = Vec::new();
    for child in children {
        let Item::Sort(factors) = child else { return Err(unexpected(node, "sorts")) };
        all.extend(factors);
    }
    match all.len() {
        0 => Err(unexpected(node, "sorts")),
        _ => Ok(all),
    }
}

fn constants(node: &Element, children: Vec<Item>) -> Result<Vec<(IdAndName, Position)>, XmlError> {
    let constant = |child| match child {
        Item::Constant(named, at) => Ok((named, at)),
        _ => Err(unexpected(node, "<feconstant>s")),
    };
    children.into_iter().map(constant).collect()
}

fn part(node: &Element, named: &IdAndName, children: Vec<Item>) -> Result<Item, XmlError> {
    let member = |child| match child {
        Item::Member(member, at) => Ok((member, at)),
        _ => Err(unexpected(node, "constants")),
    };
    let members = children.into_iter().map(member).collect::<Result<_, _>>()?;
    Ok(Item::Part(PartitionPart { named: named.clone(), members }))
}

/// All children, if there are `N` of them.
pub(super) fn exactly<T, const N: usize>(
    node: &Element,
    children: Vec<T>,
    wanted: &str,
) -> Result<[T; N], XmlError> {
    children.try_into().map_err(|_| unexpected(node, wanted))
}

/// The error for children that an element cannot have.
pub(super) fn unexpected(node: &Element, wanted: &str) -> XmlError {
    XmlError::new(node.at, format!("malformed <{}>, expected {wanted} in it", node.tag))
}

/// The error for an element in the wrong place.
pub(super) fn unexpected_here(node: &Element) -> XmlError {
    XmlError::new(node.at, format!("<{}> does not belong here, expected another element", node.tag))
}

fn twice(what: &str, id: &str, at: Position) -> XmlError {
    XmlError::new(at, format!("{what} \"{id}\" is declared twice, expected a new id"))
}
