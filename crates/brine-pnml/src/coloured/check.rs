//! The type checker: turns terms as written into terms that can be evaluated.
//!
//! It runs over the postfix elements of a term with a stack of [`TermValue`]s: every element
//! takes its children's values and leaves its own, with its sort. Sorts are compared
//! after flattening, so a tuple of tuples fits a product of the same simple sorts, and a
//! tuple of one component is that component. A part of a partition fits where its class
//! is expected (`parts`).

use rustc_hash::FxHashMap;

use super::declarations::{Declarations, Sort, exactly, unexpected, unexpected_here};
use super::parts;
use super::tree::{Element, ElementKind, Tree};
use crate::xml::{Position, XmlError};
use brine_coloured::guards::{ColourComparison, Guard, GuardOp, join};
use brine_coloured::net::Variable;
use brine_coloured::sorts::{BOOL, DOT, SimpleId, Values};
use brine_coloured::terms::{Bag, BagOp, Component, Map};

/// The variables of one transition, as its terms name them one after the other.
#[derive(Debug, Default)]
pub(super) struct TransitionScope {
    pub(super) variables: Vec<Variable>,
    /// Index of the first component of each declared variable.
    first: FxHashMap<String, usize>,
}

/// What a checked element is worth.
enum TermValue {
    Number(u64),
    NumberSort,
    Sort(Sort),
    Bag(Bag),
    /// A Boolean constant: a colour or a condition.
    Bool(bool),
    Guard(Guard),
}

/// Checks terms against the declarations of a net.
pub(super) struct TermChecker<'d> {
    declarations: &'d mut Declarations,
    /// `None` where variables are not allowed.
    scope: Option<&'d mut TransitionScope>,
}

impl<'d> TermChecker<'d> {
    /// A checker for the terms of one transition, or for terms without variables.
    pub(super) fn new(
        declarations: &'d mut Declarations,
        scope: Option<&'d mut TransitionScope>,
    ) -> Self {
        TermChecker { declarations, scope }
    }

    /// A sort, as in the `<type>` of a place.
    pub(super) fn sort(&mut self, tree: &Tree) -> Result<Vec<SimpleId>, XmlError> {
        let at = root(tree);
        match self.run(tree)? {
            TermValue::Sort(Sort { product, part: None }) => Ok(product),
            TermValue::Sort(_) => Err(XmlError::new(at, "a part of a sort, expected a whole sort")),
            _ => Err(XmlError::new(at, "not a sort, expected one")),
        }
    }

    /// A multiset of colours of a sort.
    pub(super) fn bag(&mut self, tree: &Tree, sort: &[SimpleId]) -> Result<Bag, XmlError> {
        let at = root(tree);
        let mut bag = match self.run(tree)? {
            TermValue::Bag(bag) => bag,
            TermValue::Bool(value) => constant(BOOL, u32::from(value)),
            _ => {
                return Err(XmlError::new(
                    at,
                    "this does not stand for tokens, expected a term that does",
                ));
            }
        };
        let found = bag.sort.clone();
        match parts::widen(&self.declarations.classes, &mut bag, sort) {
            true => Ok(bag),
            false => Err(self.other_sort(sort, &found, at)),
        }
    }

    /// A condition.
    pub(super) fn guard(&mut self, tree: &Tree) -> Result<Guard, XmlError> {
        let at = root(tree);
        condition(self.run(tree)?).ok_or_else(|| XmlError::new(at, "not a condition, expected one"))
    }

    fn run(&mut self, tree: &Tree) -> Result<TermValue, XmlError> {
        let mut stack: Vec<TermValue> = Vec::new();
        for node in &tree.nodes {
            let children = stack.split_off(stack.len() - node.children);
            let value = self.value(node, children)?;
            stack.push(value);
        }
        debug_assert!(stack.len() <= 1, "a structure holds one term");
        stack.pop().ok_or_else(|| XmlError::new(tree.at, "expected a term"))
    }

    fn value(&mut self, node: &Element, children: Vec<TermValue>) -> Result<TermValue, XmlError> {
        match &node.kind {
            ElementKind::NumberSort => Ok(TermValue::NumberSort),
            ElementKind::Dot => Ok(TermValue::Sort(Sort { product: vec![DOT], part: None })),
            ElementKind::Bool => Ok(TermValue::Sort(Sort { product: vec![BOOL], part: None })),
            ElementKind::UserSort(id) => {
                Ok(TermValue::Sort(self.declarations.sort(id, node.at)?.clone()))
            }
            ElementKind::IntegerRange(start, end) => {
                let sort = self.declarations.range(*start, *end, node.at)?;
                Ok(TermValue::Sort(Sort { product: vec![sort], part: None }))
            }
            ElementKind::Product => product(node, children).map(TermValue::Sort),
            ElementKind::Variable(id) => self.variable(id, node.at).map(TermValue::Bag),
            ElementKind::Operator(id) => match self.declarations.constants.get(id) {
                Some(&(sort, value)) => Ok(TermValue::Bag(constant(sort, value))),
                None => Err(XmlError::new(
                    node.at,
                    format!("unknown constant \"{id}\", expected the id of a declared one"),
                )),
            },
            ElementKind::DotConstant => Ok(TermValue::Bag(constant(DOT, 0))),
            ElementKind::BoolConstant(value) => Ok(TermValue::Bool(*value)),
            ElementKind::IntegerConstant(value) => self.integer(node, *value, children),
            ElementKind::Number(value) => self.number(node, *value, children),
            ElementKind::Tuple => tuple(bags(node, children)?)
                .map(TermValue::Bag)
                .ok_or_else(|| unexpected(node, "terms")),
            ElementKind::All => {
                let [TermValue::Sort(sort)] = exactly(node, children, "one sort")? else {
                    return Err(unexpected(node, "one sort"));
                };
                Ok(TermValue::Bag(self.all(sort)))
            }
            ElementKind::Empty => {
                let [TermValue::Sort(sort)] = exactly(node, children, "one sort")? else {
                    return Err(unexpected(node, "one sort"));
                };
                Ok(TermValue::Bag(Bag { sort: sort.product, ops: vec![BagOp::Empty] }))
            }
            ElementKind::NumberOf | ElementKind::ScalarProduct => {
                times(node, children).map(TermValue::Bag)
            }
            ElementKind::Add => self.add(node, children).map(TermValue::Bag),
            ElementKind::Subtract => self.subtract(node, children).map(TermValue::Bag),
            ElementKind::Successor | ElementKind::Predecessor | ElementKind::PartOf(_) => {
                self.apply(node, children).map(TermValue::Bag)
            }
            ElementKind::Compare(comparison) | ElementKind::CompareParts(comparison) => {
                self.compare(node, *comparison, children).map(TermValue::Guard)
            }
            ElementKind::And | ElementKind::Or | ElementKind::Not | ElementKind::Imply => {
                connective(node, children).map(TermValue::Guard)
            }
            ElementKind::Declarations
            | ElementKind::NamedSort(_)
            | ElementKind::VariableDeclaration(_)
            | ElementKind::Partition(_)
            | ElementKind::Part(_)
            | ElementKind::Enumeration
            | ElementKind::Constant(_) => Err(unexpected_here(node)),
        }
    }

    fn same_sort(
        &self,
        wanted: &[SimpleId],
        found: &[SimpleId],
        at: Position,
    ) -> Result<(), XmlError> {
        match wanted == found {
            true => Ok(()),
            false => Err(self.other_sort(wanted, found, at)),
        }
    }

    fn other_sort(&self, wanted: &[SimpleId], found: &[SimpleId], at: Position) -> XmlError {
        let Declarations { sorts, classes, .. } = &*self.declarations;
        let (shown, expected) = (sorts.show(found), sorts.show(wanted));
        let mut message = format!("this is of sort {shown}, expected one of sort {expected}");
        if parts::common(classes, wanted, found).is_some() {
            message.push_str(
                " (a part stands for the constants in it only where it is named, in a marking \
                 or at an arc; <partitionelementof> gives the part of a constant)",
            );
        }
        XmlError::new(at, message)
    }

    fn variable(&mut self, id: &str, at: Position) -> Result<Bag, XmlError> {
        let Some(variable) = self.declarations.variables.get(id) else {
            let message = format!("unknown variable \"{id}\", expected the id of a declared one");
            return Err(XmlError::new(at, message));
        };
        let Some(scope) = &mut self.scope else {
            let message = format!("variable \"{id}\" in an initial marking, expected constants");
            return Err(XmlError::new(at, message));
        };
        let product = &variable.sort.product;
        let first = *scope.first.entry(id.to_owned()).or_insert(scope.variables.len());
        let sizes = product.iter().map(|&s| (s, self.declarations.sorts.get(s).size()));
        if first == scope.variables.len() {
            for (i, (sort, size)) in sizes.clone().enumerate() {
                let name = match product.len() {
                    1 => variable.name.clone(),
                    _ => format!("{}.{}", variable.name, i + 1),
                };
                let part = variable.sort.part.clone();
                scope.variables.push(Variable { name, sort, size, part });
            }
        }
        let component = |(i, (_, size))| Component::Variable {
            variable: first + i,
            map: Map::Shift { by: 0, size },
        };
        let colour = sizes.enumerate().map(component).collect();
        let ops = vec![BagOp::Push { count: 1, offset: 0, colour }];
        Ok(Bag { sort: product.clone(), ops })
    }

    /// `<finiteintrangeconstant>`: the range it is from is its child.
    fn integer(
        &mut self,
        node: &Element,
        value: i64,
        children: Vec<TermValue>,
    ) -> Result<TermValue, XmlError> {
        let wanted = "one range of integers";
        let [TermValue::Sort(sort)] = exactly(node, children, wanted)? else {
            return Err(unexpected(node, wanted));
        };
        let &[simple] = sort.product.as_slice() else { return Err(unexpected(node, wanted)) };
        let Values::Integers { start, size } = self.declarations.sorts.get(simple).values else {
            return Err(unexpected(node, wanted));
        };
        let index = value.checked_sub(start).and_then(|v| u32::try_from(v).ok());
        let Some(index) = index.filter(|&v| v < size) else {
            let range = &self.declarations.sorts.get(simple).name;
            let message = format!("{value} is not in the range, expected one of {range}");
            return Err(XmlError::new(node.at, message));
        };
        Ok(TermValue::Bag(constant(simple, index)))
    }

    /// `<numberconstant>`: a count, or an integer if its child is a range.
    fn number(
        &mut self,
        node: &Element,
        value: i64,
        children: Vec<TermValue>,
    ) -> Result<TermValue, XmlError> {
        if let [TermValue::Sort(_)] = children.as_slice() {
            return self.integer(node, value, children);
        }
        match (children.as_slice(), u32::try_from(value)) {
            ([] | [TermValue::NumberSort], Ok(n)) => Ok(TermValue::Number(u64::from(n))),
            ([] | [TermValue::NumberSort], Err(_)) => {
                let message = format!("count {value}, expected a number from 0 to {}", u32::MAX);
                Err(XmlError::new(node.at, message))
            }
            _ => Err(unexpected(node, "the sort of the number")),
        }
    }

    fn all(&self, sort: Sort) -> Bag {
        let each =
            |&simple: &SimpleId| match (&sort.part, self.declarations.sorts.get(simple).size()) {
                (Some(part), _) => Component::Each(part.clone()),
                (None, 1) => Component::Value(0),
                (None, size) => Component::Each((0..size).collect()),
            };
        let colour = sort.product.iter().map(each).collect();
        Bag { sort: sort.product, ops: vec![BagOp::Push { count: 1, offset: 0, colour }] }
    }

    /// Terms of one sort, as multisets, if there are any.
    fn alike(&self, node: &Element, children: Vec<TermValue>) -> Result<Vec<Bag>, XmlError> {
        let mut bags = bags(node, children)?;
        let classes = &self.declarations.classes;
        let mut sort = bags.first().ok_or_else(|| unexpected(node, "terms"))?.sort.clone();
        for bag in &bags {
            sort = parts::common(classes, &sort, &bag.sort)
                .ok_or_else(|| self.other_sort(&sort, &bag.sort, node.at))?;
        }
        for bag in &mut bags {
            let found = bag.sort.clone();
            if !parts::widen(classes, bag, &sort) {
                return Err(self.other_sort(&sort, &found, node.at));
            }
        }
        Ok(bags)
    }

    fn add(&mut self, node: &Element, children: Vec<TermValue>) -> Result<Bag, XmlError> {
        let bags = self.alike(node, children)?;
        let (n, sort) = (bags.len(), bags[0].sort.clone());
        let mut ops: Vec<BagOp> = bags.into_iter().flat_map(|bag| bag.ops).collect();
        ops.push(BagOp::Add(n));
        Ok(Bag { sort, ops })
    }

    fn subtract(&mut self, node: &Element, children: Vec<TermValue>) -> Result<Bag, XmlError> {
        let mut bags = self.alike(node, children)?.into_iter();
        let mut rest = bags.next().ok_or_else(|| unexpected(node, "terms"))?;
        for bag in bags {
            rest.ops.extend(bag.ops);
            rest.ops.push(BagOp::Subtract);
        }
        Ok(rest)
    }

    /// A successor, a predecessor, or the part of a partition that a value is in.
    fn apply(&mut self, node: &Element, children: Vec<TermValue>) -> Result<Bag, XmlError> {
        let [mut bag] = exactly(node, bags(node, children)?, "one term of a simple sort")?;
        let (&[sort], [BagOp::Push { colour, .. }]) = (bag.sort.as_slice(), bag.ops.as_mut_slice())
        else {
            return Err(unexpected(node, "one term of a simple sort"));
        };
        if !matches!(node.kind, ElementKind::PartOf(_))
            && self.declarations.classes.contains_key(&sort)
        {
            return Err(unexpected(node, "a constant of an enumeration or a range, not a part"));
        }
        let size = self.declarations.sorts.get(sort).size();
        let (map, result) = match &node.kind {
            ElementKind::Successor => (Map::Shift { by: 1 % size, size }, sort),
            ElementKind::Predecessor => (Map::Shift { by: size - 1, size }, sort),
            ElementKind::PartOf(id) => {
                let Some(partition) = self.declarations.partitions.get(id) else {
                    let message = format!("unknown partition \"{id}\", expected a declared one");
                    return Err(XmlError::new(node.at, message));
                };
                self.same_sort(&[partition.of], &[sort], node.at)?;
                (Map::Table(partition.part_of.clone()), partition.parts)
            }
            _ => return Err(unexpected_here(node)),
        };
        for component in colour.iter_mut() {
            *component = match &*component {
                Component::Value(v) => Component::Value(map.apply(*v)),
                Component::Variable { variable, map: first } => {
                    let arguments =
                        self.scope.as_ref().map_or(size, |s| s.variables[*variable].size);
                    Component::Variable { variable: *variable, map: first.then(&map, arguments) }
                }
                Component::Each(_) if result != sort => {
                    return Err(unexpected(node, "one colour, not all of them"));
                }
                Component::Each(values) => {
                    let mut values: Vec<u32> = values.iter().map(|&v| map.apply(v)).collect();
                    values.sort_unstable();
                    Component::Each(values.into())
                }
            };
        }
        bag.sort = vec![result];
        Ok(bag)
    }

    fn compare(
        &mut self,
        node: &Element,
        comparison: ColourComparison,
        children: Vec<TermValue>,
    ) -> Result<Guard, XmlError> {
        let [left, right] = exactly(node, bags(node, children)?, "two terms")?;
        self.same_sort(&left.sort, &right.sort, node.at)?;
        let of_parts = |sort| self.declarations.classes.contains_key(sort);
        if matches!(node.kind, ElementKind::CompareParts(_)) && !left.sort.iter().all(of_parts) {
            return Err(unexpected(node, "two parts of a partition (see <partitionelementof>)"));
        }
        let (Some(a), Some(b)) = (left.single(), right.single()) else {
            return Err(unexpected(node, "two single colours"));
        };
        let pairs = a.iter().zip(b);
        let parts = pairs.map(|(a, b)| GuardOp::Compare(comparison, a.clone(), b.clone()));
        match comparison {
            ColourComparison::Equal => Ok(parts.map(|op| vec![op]).collect()),
            ColourComparison::Different => {
                let mut ops: Vec<GuardOp> = parts.collect();
                ops.push(GuardOp::Or(a.len()));
                Ok(vec![ops])
            }
            _ if a.len() == 1 => Ok(vec![parts.collect()]),
            _ => {
                let message = "products have no order, expected terms of a simple sort";
                Err(XmlError::new(node.at, message))
            }
        }
    }
}

/// Where the outermost element of a term starts.
fn root(tree: &Tree) -> Position {
    tree.nodes.last().map_or(tree.at, |node| node.at)
}

fn constant(sort: SimpleId, value: u32) -> Bag {
    let colour = vec![Component::Value(value)];
    Bag { sort: vec![sort], ops: vec![BagOp::Push { count: 1, offset: 0, colour }] }
}

fn product(node: &Element, children: Vec<TermValue>) -> Result<Sort, XmlError> {
    let mut product = Vec::new();
    for child in children {
        match child {
            TermValue::Sort(Sort { product: p, part: None }) => product.extend(p),
            _ => return Err(unexpected(node, "whole sorts")),
        }
    }
    match product.len() {
        0 => Err(unexpected(node, "whole sorts")),
        _ => Ok(Sort { product, part: None }),
    }
}

/// All children as multisets.
fn bags(node: &Element, children: Vec<TermValue>) -> Result<Vec<Bag>, XmlError> {
    let bag = |value| match value {
        TermValue::Bag(bag) => Ok(bag),
        TermValue::Bool(value) => Ok(constant(BOOL, u32::from(value))),
        _ => Err(unexpected(node, "terms that stand for colours")),
    };
    children.into_iter().map(bag).collect()
}

/// The product of multisets. Single colour terms make one colour term; `None` for none.
fn tuple(factors: Vec<Bag>) -> Option<Bag> {
    let sort: Vec<SimpleId> = factors.iter().flat_map(|f| f.sort.iter().copied()).collect();
    let mut ops: Vec<BagOp> = Vec::new();
    let mut start = 0;
    let simple = factors.iter().all(|f| matches!(f.ops.as_slice(), [BagOp::Push { .. }]));
    let n = factors.len();
    for factor in factors {
        let arity = factor.sort.len();
        for op in factor.ops {
            match (op, ops.last_mut()) {
                (
                    BagOp::Push { count, colour, .. },
                    Some(BagOp::Push { count: all, colour: whole, .. }),
                ) if simple => {
                    *all = all.saturating_mul(count);
                    whole.extend(colour);
                }
                (BagOp::Push { count, offset, colour }, _) => {
                    ops.push(BagOp::Push { count, offset: offset + start, colour });
                }
                (op, _) => ops.push(op),
            }
        }
        start += arity;
    }
    if !simple {
        ops.push(BagOp::Cross(n));
    }
    (!sort.is_empty()).then_some(Bag { sort, ops })
}

fn times(node: &Element, children: Vec<TermValue>) -> Result<Bag, XmlError> {
    let wanted = "a number and a term";
    let [first, second] = exactly(node, children, wanted)?;
    let (TermValue::Number(n), [mut bag]) =
        (first, exactly(node, bags(node, vec![second])?, wanted)?)
    else {
        return Err(unexpected(node, wanted));
    };
    match bag.ops.as_mut_slice() {
        [BagOp::Push { count, .. }] => *count = count.saturating_mul(n),
        _ => bag.ops.push(BagOp::Times(n)),
    }
    Ok(bag)
}

/// A value as a condition.
fn condition(value: TermValue) -> Option<Guard> {
    match value {
        TermValue::Guard(guard) => Some(guard),
        TermValue::Bool(value) => Some(vec![vec![GuardOp::Constant(value)]]),
        TermValue::Bag(bag) if bag.sort == [BOOL] => {
            let [term] = bag.single()? else { return None };
            Some(vec![vec![GuardOp::Compare(
                ColourComparison::Equal,
                term.clone(),
                Component::Value(1),
            )]])
        }
        _ => None,
    }
}

fn connective(node: &Element, children: Vec<TermValue>) -> Result<Guard, XmlError> {
    let wanted = if node.kind == ElementKind::Not { "one condition" } else { "conditions" };
    let wrong = || unexpected(node, wanted);
    let guards: Vec<Guard> =
        children.into_iter().map(|c| condition(c).ok_or_else(wrong)).collect::<Result<_, _>>()?;
    let n = guards.len();
    let arity = match node.kind {
        ElementKind::Not => n == 1,
        ElementKind::Imply => n == 2,
        _ => n >= 1,
    };
    if !arity {
        return Err(wrong());
    }
    if node.kind == ElementKind::And {
        return Ok(guards.into_iter().flatten().collect());
    }
    let mut ops = Vec::new();
    for (i, guard) in guards.into_iter().enumerate() {
        ops.extend(join(guard));
        if node.kind == ElementKind::Imply && i == 0 {
            ops.push(GuardOp::Not);
        }
    }
    ops.push(if node.kind == ElementKind::Not { GuardOp::Not } else { GuardOp::Or(n) });
    Ok(vec![ops])
}
