//! Random formulas.

use brine_ltl::{Binary, Comparison, Expression, Formula, Formulas};
use brine_net::{Net, PlaceId, Rng, TransitionId};

/// What the atoms of a random formula may speak of: the first so many places and transitions.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The first so many places.
    pub places: u32,
    /// The first so many transitions.
    pub transitions: u32,
    /// Whether `deadlock` may occur.
    pub deadlock: bool,
    /// Constants stay below this, or a little above.
    pub tokens: u32,
}

impl Scope {
    /// All of a net.
    pub fn of(net: &Net) -> Scope {
        let most = net.places().iter().map(|p| p.initial).max().unwrap_or(0);
        Scope {
            places: net.places().len() as u32,
            transitions: net.transitions().len() as u32,
            deadlock: true,
            tokens: most,
        }
    }
}

fn sum(rng: &mut Rng, scope: Scope) -> Expression {
    let count = if rng.chance(10) { 3 + rng.below(3) } else { 1 + rng.below(2) };
    let weighted = rng.chance(10);
    let mut term = || {
        let coefficient = if weighted { i64::from(rng.below(7)) - 3 } else { 1 };
        (PlaceId(rng.below(scope.places)), coefficient)
    };
    Expression { terms: (0..count).map(|_| term()).collect(), constant: 0 }
}

fn constant(rng: &mut Rng, scope: Scope) -> Expression {
    let most = if rng.chance(80) { 3 } else { scope.tokens.saturating_add(1) };
    Expression::constant(i64::from(rng.below(most.saturating_add(1))))
}

fn random_atom(rng: &mut Rng, scope: Scope, fs: &mut Formulas) -> Formula {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    match rng.below(8) {
        0 if scope.deadlock => return fs.deadlock(),
        1 | 2 => {
            let count = 1 + rng.below(2) + rng.below(2);
            let ids = (0..count).map(|_| TransitionId(rng.below(scope.transitions))).collect();
            return fs.fireable(ids);
        }
        _ => (),
    }
    let comparison = [Le, Ge, Eq, Lt, Gt, Ne][rng.below(6) as usize];
    let left = sum(rng, scope);
    let right = if rng.chance(20) { sum(rng, scope) } else { constant(rng, scope) };
    // Small coefficients and constants below 2^33: nothing overflows.
    fs.compare(left, comparison, right).unwrap_or(Formula::TRUE)
}

/// One of the operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Not,
    X,
    F,
    G,
    And,
    Or,
    Binary(Binary),
}

impl Operator {
    fn random(rng: &mut Rng) -> Operator {
        match rng.below(12) {
            0 => Operator::Not,
            1 => Operator::X,
            2 | 3 => Operator::F,
            4 | 5 => Operator::G,
            6 => Operator::And,
            7 => Operator::Or,
            8 => Operator::Binary(Binary::Implies),
            9 => Operator::Binary(Binary::U),
            10 => Operator::Binary(Binary::R),
            _ => {
                let rare = [Binary::W, Binary::M, Binary::Iff, Binary::Xor];
                Operator::Binary(rare[rng.below(4) as usize])
            }
        }
    }

    fn is_unary(self) -> bool {
        matches!(self, Operator::Not | Operator::X | Operator::F | Operator::G)
    }

    /// The second operand is used if there is one.
    fn apply(self, fs: &mut Formulas, f: Formula, g: Formula) -> Formula {
        match self {
            Operator::Not => fs.not(f),
            Operator::X => fs.x(f),
            Operator::F => fs.f(f),
            Operator::G => fs.g(f),
            Operator::And => fs.and([f, g]),
            Operator::Or => fs.or([f, g]),
            Operator::Binary(op) => fs.binary(op, f, g),
        }
    }
}

/// A formula over the whole net, nested at most `depth` deep.
pub fn random_formula(rng: &mut Rng, net: &Net, fs: &mut Formulas, depth: u32) -> Formula {
    random_formula_over(rng, Scope::of(net), fs, depth)
}

/// A formula over a part of a net, nested at most `depth` deep.
pub fn random_formula_over(rng: &mut Rng, scope: Scope, fs: &mut Formulas, depth: u32) -> Formula {
    if depth == 0 || rng.chance(15) {
        return random_atom(rng, scope, fs);
    }
    let operator = Operator::random(rng);
    let f = random_formula_over(rng, scope, fs, depth - 1);
    let unary = operator.is_unary();
    let g = if unary { f } else { random_formula_over(rng, scope, fs, depth - 1) };
    operator.apply(fs, f, g)
}

/// A formula of so many operators and atoms, before constants are folded.
pub fn sized_formula(rng: &mut Rng, scope: Scope, fs: &mut Formulas, size: u32) -> Formula {
    if size <= 1 {
        return random_atom(rng, scope, fs);
    }
    let operator = Operator::random(rng);
    if operator.is_unary() || size == 2 {
        let f = sized_formula(rng, scope, fs, size - 1);
        let operator = if operator.is_unary() { operator } else { Operator::X };
        return operator.apply(fs, f, f);
    }
    let left = 1 + rng.below(size - 2);
    let f = sized_formula(rng, scope, fs, left);
    let g = sized_formula(rng, scope, fs, size - 1 - left);
    operator.apply(fs, f, g)
}
