//! Sorts: the finite sets that colours are taken from.
//!
//! A *simple* sort is a set of values numbered from 0: the one dot, the two Booleans, an
//! enumeration, a range of integers, or the parts of a partition. Every other sort is a
//! product of simple ones and is kept flat: `(A x B) x C` is `[A, B, C]`. So a colour is a
//! short list of small numbers, and with the [`ColourLayout`] of its sort one number.
//!
//! Invariant: the numbers of colours are ordered like the lists, first component first.

use std::borrow::Cow;

/// Index of a simple sort in [`Sorts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SimpleId(pub u32);

/// The sort of black tokens; always there.
pub const DOT: SimpleId = SimpleId(0);

/// The Booleans, `false` then `true`; always there.
pub const BOOL: SimpleId = SimpleId(1);

/// What the values of a simple sort are called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// Constants with a name each.
    Named(Vec<String>),
    /// The integers from `start` on.
    Integers {
        /// The first.
        start: i64,
        /// How many.
        size: u32,
    },
}

/// A simple sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Simple {
    /// What messages call it.
    pub name: String,
    /// Its values.
    pub values: Values,
}

impl Simple {
    /// How many values it has; never zero.
    pub fn size(&self) -> u32 {
        match &self.values {
            Values::Named(names) => names.len() as u32,
            Values::Integers { size, .. } => *size,
        }
    }

    /// What a value is called.
    pub fn label(&self, value: u32) -> Cow<'_, str> {
        match &self.values {
            Values::Named(names) => Cow::Borrowed(&names[value as usize]),
            Values::Integers { start, .. } => Cow::Owned((start + i64::from(value)).to_string()),
        }
    }
}

/// All simple sorts of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sorts {
    simple: Vec<Simple>,
}

impl Default for Sorts {
    fn default() -> Self {
        let named = |name: &str, values: &[&str]| Simple {
            name: name.to_owned(),
            values: Values::Named(values.iter().map(|&v| v.to_owned()).collect()),
        };
        Sorts { simple: vec![named("dot", &["dot"]), named("bool", &["false", "true"])] }
    }
}

impl Sorts {
    /// Adds a simple sort. Ranges of the same integers are the same sort.
    pub fn add(&mut self, sort: Simple) -> SimpleId {
        if let Values::Integers { .. } = sort.values
            && let Some(i) = self.simple.iter().position(|s| s.values == sort.values)
        {
            return SimpleId(i as u32);
        }
        self.simple.push(sort);
        SimpleId(self.simple.len() as u32 - 1)
    }

    /// One simple sort.
    pub fn get(&self, id: SimpleId) -> &Simple {
        &self.simple[id.0 as usize]
    }

    /// A product as text, for messages: `A`, or `A x B`.
    pub fn show(&self, product: &[SimpleId]) -> String {
        let names: Vec<&str> = product.iter().map(|&s| self.get(s).name.as_str()).collect();
        names.join(" x ")
    }
}

/// How the colours of a product are numbered: mixed radix, first component first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ColourLayout {
    /// Of every component: how far apart its values are, and how many it has.
    radices: Vec<(u64, u64)>,
}

impl ColourLayout {
    /// The layout of a product; `None` when it has 2^63 colours or more.
    pub fn new(sorts: &Sorts, product: &[SimpleId]) -> Option<ColourLayout> {
        let mut size = 1_u64;
        let mut radices = Vec::with_capacity(product.len());
        for &sort in product.iter().rev() {
            let values = u64::from(sorts.get(sort).size());
            radices.push((size, values));
            size = size.checked_mul(values).filter(|&s| s < 1 << 63)?;
        }
        radices.reverse();
        Some(ColourLayout { radices })
    }

    /// The value of one component.
    pub fn component(&self, colour: u64, i: usize) -> u32 {
        let (stride, values) = self.radices[i];
        (colour / stride % values) as u32
    }

    /// What one component's value adds to the number of the colour.
    pub fn weight(&self, i: usize, value: u32) -> u64 {
        debug_assert!(u64::from(value) < self.radices[i].1, "a value of another sort");
        self.radices[i].0 * u64::from(value)
    }
}
