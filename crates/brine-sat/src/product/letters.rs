//! The automaton's side of the product: what it can do under a residual.
//!
//! Once the residual of a marking is a letter class, the automaton moves by a relation on
//! control states. Relations are worked out once per class and direction and then have numbers,
//! so that going through the moves at level 0 costs no look-up in a hash table.

use super::control::{ControlRelation, ControlState, ControlStates};
use super::residual::{Residual, Residuals};
use crate::model::{Level, LevelModel};
use brine_net::{Bounds, Interner, Net};
use rustc_hash::FxHashMap;

/// The number of a relation on control states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RelationId(u32);

/// Residuals, and what letters make the automaton do.
#[derive(Debug)]
pub(super) struct LetterClasses {
    pub(super) residuals: Residuals,
    /// The residual above the top level: nothing is known yet.
    pub(super) root: Residual,
    /// The letter class and the direction of each relation.
    relation_keys: Interner<(Residual, bool)>,
    relations: Vec<ControlRelation>,
    /// Control states that accept a letter of a class for ever, as they get known.
    for_ever: FxHashMap<Residual, Vec<bool>>,
}

impl LetterClasses {
    pub(super) fn new(
        net: &Net,
        model: &LevelModel,
        bounds: &Bounds,
        control: &ControlStates<'_>,
    ) -> Self {
        let (residuals, root) = Residuals::new(net, model, bounds, control);
        LetterClasses {
            residuals,
            root,
            relation_keys: Interner::new(),
            relations: Vec::new(),
            for_ever: FxHashMap::default(),
        }
    }

    /// The residual below `level` when it has the local state `value`.
    #[inline]
    pub(super) fn step(
        &mut self,
        model: &LevelModel,
        residual: Residual,
        level: Level,
        value: u32,
    ) -> Residual {
        if residual == Residual::STUCK || self.residuals.next(residual) < level {
            return residual;
        }
        debug_assert!(self.residuals.next(residual) == level, "a level was left out");
        self.residuals.step(model, residual, value)
    }

    /// The residual below the local states of `above` (top level first), and its level.
    pub(super) fn below(&mut self, model: &LevelModel, above: &[u32]) -> (Residual, Level) {
        let (mut residual, mut level) = (self.root, Level(model.level_count() as u32));
        for &value in above {
            residual = self.step(model, residual, level, value);
            level = level.below();
        }
        (residual, level)
    }

    /// The relation by which the automaton moves (back, if `backward`) under a letter class.
    pub(super) fn relation(
        &mut self,
        control: &ControlStates<'_>,
        class: Residual,
        backward: bool,
    ) -> RelationId {
        let id = RelationId(self.relation_keys.intern((class, backward)));
        if (id.0 as usize) < self.relations.len() {
            return id;
        }
        let (labels, inner) = self.residuals.letter_class(class);
        let forward = control.successors(|l| labels.binary_search(&l.0).is_ok(), inner);
        let relation = if backward { reverse(&forward) } else { forward };
        self.relations.push(relation.into());
        id
    }

    /// For each control state those that it is related to.
    #[inline]
    pub(super) fn related(&self, relation: RelationId) -> &[Box<[ControlState]>] {
        &self.relations[relation.0 as usize]
    }

    /// For each control state: does it accept a letter of this class, repeated for ever?
    pub(super) fn accepts_for_ever(
        &mut self,
        control: &ControlStates<'_>,
        class: Residual,
    ) -> &[bool] {
        let residuals = &self.residuals;
        self.for_ever.entry(class).or_insert_with(|| {
            let (labels, _) = residuals.letter_class(class);
            control.accepts_for_ever(|l| labels.binary_search(&l.0).is_ok())
        })
    }
}

fn reverse(successors: &[Box<[ControlState]>]) -> Vec<Box<[ControlState]>> {
    let mut reversed = vec![Vec::new(); successors.len()];
    for (q, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|t| reversed[t.index()].push(ControlState(q as u32)));
    }
    reversed.into_iter().map(Vec::into_boxed_slice).collect()
}
