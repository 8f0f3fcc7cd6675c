//! Random formulas.

use brine_ltl::{Binary, Comparison, Expression, Formula, Formulas};
use brine_net::{Net, PlaceId, Rng, TransitionId};

/// What the atoms of a random formula may speak of: the first so many places and transitions.
#[derive(Clone, Copy, Debug)]
pub struct AtomScope {
    /// The first so many places.
    pub places: u32,
    /// The first so many transitions.
    pub transitions: u32,
    /// Whether `deadlock` may occur.
    pub deadlock: bool,
    /// Whether `fires` may occur.
    pub events: bool,
    /// Constants stay below this, or a little above.
    pub tokens: u32,
}

impl AtomScope {
    /// All of a net.
    pub fn of(net: &Net) -> AtomScope {
        let most = net.places().map(|p| p.initial).max().unwrap_or(0);
        AtomScope {
            places: net.places().len() as u32,
            transitions: net.transitions().len() as u32,
            deadlock: true,
            events: false,
            tokens: most,
        }
    }
}

fn sum(rng: &mut Rng, scope: AtomScope) -> Expression {
    let count = if rng.chance(10) { 3 + rng.below(3) } else { 1 + rng.below(2) };
    let weighted = rng.chance(10);
    let mut term = || {
        let coefficient = if weighted { i64::from(rng.below(7)) - 3 } else { 1 };
        (PlaceId(rng.below(scope.places)), coefficient)
    };
    Expression { terms: (0..count).map(|_| term()).collect(), constant: 0 }
}

fn constant(rng: &mut Rng, scope: AtomScope) -> Expression {
    let most = if rng.chance(80) { 3 } else { scope.tokens.saturating_add(1) };
    Expression::constant(i64::from(rng.below(most.saturating_add(1))))
}

fn random_atom(rng: &mut Rng, scope: AtomScope, fs: &mut Formulas) -> Formula {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    // Nothing more is drawn where events are not asked for: seeds keep their meaning.
    if scope.events && rng.chance(50) {
        let count = 1 + rng.below(2);
        let ids = (0..count).map(|_| TransitionId(rng.below(scope.transitions))).collect();
        return fs.fires(ids);
    }
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
enum RandomOperator {
    Not,
    X,
    F,
    G,
    And,
    Or,
    Binary(Binary),
}

impl RandomOperator {
    fn random(rng: &mut Rng) -> RandomOperator {
        match rng.below(12) {
            0 => RandomOperator::Not,
            1 => RandomOperator::X,
            2 | 3 => RandomOperator::F,
            4 | 5 => RandomOperator::G,
            6 => RandomOperator::And,
            7 => RandomOperator::Or,
            8 => RandomOperator::Binary(Binary::Implies),
            9 => RandomOperator::Binary(Binary::U),
            10 => RandomOperator::Binary(Binary::R),
            _ => {
                let rare = [Binary::W, Binary::M, Binary::Iff, Binary::Xor];
                RandomOperator::Binary(rare[rng.below(4) as usize])
            }
        }
    }

    fn is_unary(self) -> bool {
        matches!(
            self,
            RandomOperator::Not | RandomOperator::X | RandomOperator::F | RandomOperator::G
        )
    }

    /// The second operand is used if there is one.
    fn apply(self, fs: &mut Formulas, f: Formula, g: Formula) -> Formula {
        match self {
            RandomOperator::Not => fs.not(f),
            RandomOperator::X => fs.x(f),
            RandomOperator::F => fs.f(f),
            RandomOperator::G => fs.g(f),
            RandomOperator::And => fs.and([f, g]),
            RandomOperator::Or => fs.or([f, g]),
            RandomOperator::Binary(op) => fs.binary(op, f, g),
        }
    }
}

/// A formula over the whole net, nested at most `depth` deep.
pub fn random_formula(rng: &mut Rng, net: &Net, fs: &mut Formulas, depth: u32) -> Formula {
    random_formula_over(rng, AtomScope::of(net), fs, depth)
}

/// A formula over a part of a net, nested at most `depth` deep.
pub fn random_formula_over(
    rng: &mut Rng,
    scope: AtomScope,
    fs: &mut Formulas,
    depth: u32,
) -> Formula {
    if depth == 0 || rng.chance(15) {
        return random_atom(rng, scope, fs);
    }
    let operator = RandomOperator::random(rng);
    let f = random_formula_over(rng, scope, fs, depth - 1);
    let unary = operator.is_unary();
    let g = if unary { f } else { random_formula_over(rng, scope, fs, depth - 1) };
    operator.apply(fs, f, g)
}

/// A formula of so many operators and atoms, before constants are folded.
pub fn sized_formula(rng: &mut Rng, scope: AtomScope, fs: &mut Formulas, size: u32) -> Formula {
    if size <= 1 {
        return random_atom(rng, scope, fs);
    }
    let operator = RandomOperator::random(rng);
    if operator.is_unary() || size == 2 {
        let f = sized_formula(rng, scope, fs, size - 1);
        let operator = if operator.is_unary() { operator } else { RandomOperator::X };
        return operator.apply(fs, f, f);
    }
    let left = 1 + rng.below(size - 2);
    let f = sized_formula(rng, scope, fs, left);
    let g = sized_formula(rng, scope, fs, size - 1 - left);
    operator.apply(fs, f, g)
}
