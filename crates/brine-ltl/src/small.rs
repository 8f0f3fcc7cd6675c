//! All small formulas over two atoms, for tests that leave nothing to chance.

use crate::formula::{Formula, Formulas};

/// Every way to join two formulas in negation normal form.
type Joiner = fn(&mut Formulas, Formula, Formula) -> Formula;
const JOINS: [Joiner; 6] = [
    |fs, f, g| fs.and([f, g]),
    |fs, f, g| fs.or([f, g]),
    Formulas::u,
    Formulas::r,
    Formulas::w,
    Formulas::m,
];

/// A store, and its formulas with at most one and at most two operators over the literals.
pub(crate) struct Small {
    pub(crate) fs: Formulas,
    pub(crate) one: Vec<Formula>,
    pub(crate) two: Vec<Formula>,
}

/// Formulas over `a`, `b` and `!a` in negation normal form, each once.
pub(crate) fn formulas() -> Small {
    let mut fs = Formulas::new();
    let (a, b) = (fs.prop("a"), fs.prop("b"));
    let literals = vec![a, b, fs.not(a)];
    let one = grown(&mut fs, &literals, &literals);
    let two = grown(&mut fs, &one, &literals);
    Small { fs, one, two }
}

/// `larger`, and one operator above one of them (and one of `smaller`).
fn grown(fs: &mut Formulas, larger: &[Formula], smaller: &[Formula]) -> Vec<Formula> {
    let mut all = larger.to_vec();
    for &f in larger {
        all.extend([fs.x(f), fs.f(f), fs.g(f)]);
        for &g in smaller {
            all.extend(JOINS.iter().flat_map(|join| [join(fs, f, g), join(fs, g, f)]));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A small generator of random numbers (xorshift64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}
