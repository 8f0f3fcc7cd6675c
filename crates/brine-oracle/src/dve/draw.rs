//! Drawing transitions and expressions.

use super::{DveMessage, DveTree, GLOBALS, LENGTH, RandomTransition};
use brine_net::Rng;

/// Draws parts of a program.
pub(super) struct Draw<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) locations: &'r [usize],
    pub(super) home: usize,
    pub(super) capacity: usize,
    /// How many of a hundred things concern other processes.
    pub(super) shared: u32,
}

impl Draw<'_> {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.below(of.len() as u32) as usize]
    }

    /// Whether the next thing concerns the process alone.
    fn is_local(&mut self) -> bool {
        self.shared < 100 && !self.rng.chance(self.shared)
    }

    fn own(&self) -> DveTree {
        DveTree::Variable(Some(self.home), "x")
    }

    pub(super) fn transition(&mut self, locations: usize) -> RandomTransition {
        let n = locations as u32;
        let message = self.message();
        RandomTransition {
            from: self.rng.below(n) as usize,
            to: self.rng.below(n) as usize,
            guard: self.rng.chance(40).then(|| self.guard(2)),
            message,
            effects: (0..self.rng.below(4)).map(|_| self.effect()).collect(),
        }
    }

    fn message(&mut self) -> DveMessage {
        if self.is_local() || self.rng.chance(55) {
            return DveMessage::None;
        }
        let channel =
            if self.capacity > 0 { self.one(&["c", "d", "b", "b"]) } else { self.one(&["c", "d"]) };
        // An untyped channel may pass nothing.
        let valued = channel != "c" || self.rng.chance(60);
        match self.rng.chance(50) {
            true => DveMessage::Send(channel, valued.then(|| self.value(2))),
            false => DveMessage::Receive(channel, valued.then(|| self.target())),
        }
    }

    fn target(&mut self) -> DveTree {
        if self.is_local() {
            return self.own();
        }
        match self.rng.below(5) {
            0 | 1 => DveTree::Variable(None, self.one(&GLOBALS)),
            2 => DveTree::Variable(Some(self.home), "x"),
            3 => DveTree::Element(Box::new(DveTree::Number(i64::from(self.rng.below(3))))),
            _ => DveTree::Element(Box::new(self.value(1))),
        }
    }

    fn effect(&mut self) -> (DveTree, DveTree) {
        (self.target(), self.value(2))
    }

    /// A number from 0 to 2, mostly.
    pub(super) fn value(&mut self, depth: u32) -> DveTree {
        let tree = self.sum(depth);
        match (&tree, self.rng.chance(93)) {
            (DveTree::Number(_), _) | (_, false) => tree,
            (_, true) => {
                let masked = DveTree::Binary("&", Box::new(tree), Box::new(DveTree::Number(1)));
                let three = Box::new(DveTree::Number(LENGTH));
                match self.rng.chance(50) {
                    true => masked,
                    false => {
                        let shifted =
                            DveTree::Binary("+", Box::new(masked), Box::new(DveTree::Number(1)));
                        DveTree::Binary("%", Box::new(shifted), three)
                    }
                }
            }
        }
    }

    fn leaf(&mut self) -> DveTree {
        if self.is_local() {
            return match self.rng.chance(50) {
                true => self.own(),
                false => DveTree::Number(i64::from(self.rng.below(3))),
            };
        }
        match self.rng.below(6) {
            0 | 1 => DveTree::Number(i64::from(self.rng.below(3))),
            2 | 3 => DveTree::Variable(None, self.one(&GLOBALS)),
            4 => DveTree::Variable(Some(self.home), "x"),
            _ => DveTree::Element(Box::new(DveTree::Number(i64::from(self.rng.below(3))))),
        }
    }

    fn sum(&mut self, depth: u32) -> DveTree {
        if depth == 0 || self.rng.chance(30) {
            return self.leaf();
        }
        match self.rng.below(8) {
            0 if !self.is_local() => DveTree::Element(Box::new(self.value(depth - 1))),
            1 => DveTree::Unary(self.one(&["-", "~"]), Box::new(self.sum(depth - 1))),
            _ => {
                let operators = ["+", "-", "*", "+", "-", "/", "%", "&", "|", "^", "<<", ">>"];
                let operator = self.one(&operators);
                let left = Box::new(self.sum(depth - 1));
                // Mostly by a number that is not zero.
                let right = match operator {
                    "/" | "%" if self.rng.chance(85) => {
                        DveTree::Number(1 + i64::from(self.rng.below(3)))
                    }
                    _ => self.sum(depth - 1),
                };
                DveTree::Binary(operator, left, Box::new(right))
            }
        }
    }

    pub(super) fn guard(&mut self, depth: u32) -> DveTree {
        if depth == 0 || self.rng.chance(35) {
            let kind = if self.is_local() { 2 } else { self.rng.below(4) };
            return match kind {
                0 => {
                    let p = self.rng.below(self.locations.len() as u32) as usize;
                    DveTree::At(p, self.rng.below(self.locations[p] as u32) as usize)
                }
                1 => DveTree::Variable(None, self.one(&GLOBALS)),
                _ => {
                    let operator = self.one(&["==", "!=", "<", "<=", ">", ">="]);
                    let (left, right) = (Box::new(self.sum(1)), Box::new(self.sum(1)));
                    DveTree::Binary(operator, left, right)
                }
            };
        }
        match self.rng.below(5) {
            0 => DveTree::Unary("not", Box::new(self.guard(depth - 1))),
            1 => {
                let operator = self.one(&["||", "imply"]);
                DveTree::Binary(
                    operator,
                    Box::new(self.guard(depth - 1)),
                    Box::new(self.guard(depth - 1)),
                )
            }
            _ => DveTree::Binary(
                "&&",
                Box::new(self.guard(depth - 1)),
                Box::new(self.guard(depth - 1)),
            ),
        }
    }
}
