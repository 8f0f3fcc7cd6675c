//! Sets towards a goal: enough to reach a marking of some kind, and nothing else.
//!
//! The goal is a disjunction of cubes, conjunctions of literals over atoms. At a marking m that does
//! not satisfy it, each cube has a literal that is false. *Helpers* of that literal are
//! transitions one of which must fire before it can become true:
//!
//! | literal | helpers |
//! |---|---|
//! | a sum is at most b | what lowers the sum |
//! | a sum is more than b | what raises the sum |
//! | one of some transitions is fireable | these transitions (disabled ones draw in what adds to a place that lacks tokens) |
//! | none of them is | what takes from an input place of one that is enabled |
//! | the marking is dead | what takes from an input place of one that is enabled |
//! | the marking is not dead | none: nothing fires in a dead marking |
//!
//! The set T holds helpers of one false literal of each cube, and is closed under the weak rules of
//! the parent module, so that D1 holds for every member.
//!
//! *Why that is enough.* Let w be a shortest run from m to a marking of the goal. The cube that is
//! true at its end has a literal that is false at m, so w has a helper of it, and T shares a transition
//! with w. The first shared one, t, is enabled at m: if not, what draws in its helpers would be
//! shared earlier. By D1 it can be moved to the front, and what is left of w leads from there to the
//! goal, one step shorter. So the edges of T keep a shortest run, whatever else they drop:
//! neither visible transitions nor a proviso are needed, and a marking whose set has no enabled
//! member reaches no goal at all.
//!
//! (Schmidt, "Stubborn sets for simple linear time properties", 2012; Bønneland, Jensen, Larsen,
//! Muñiz and Srba, "Start pruning when time gets urgent", 2018.)

use super::graph::{Here, NeedNode};
use super::tables::Tables;
use crate::fire::{Step, effect};
use crate::letters::Reader;
use crate::markings::Markings;
use crate::store::MarkingId;
use brine_ltl::{Atom, Automaton, Cube, Label};
use brine_net::{Net, TransitionId};

/// A goal with more cubes costs more than it saves.
const MOST_CUBES: usize = 256;

/// What is to be reached, ready to be asked about at markings.
#[derive(Debug)]
pub struct Goal {
    cubes: Vec<Cube>,
    atoms: Vec<GoalAtom>,
    /// Made when the first marking is at hand.
    reader: Option<Reader>,
    automaton: std::sync::Arc<Automaton>,
}

/// An atom, with what can make it true or false.
#[derive(Debug)]
enum GoalAtom {
    Sum { lowers: Vec<Step>, raises: Vec<Step> },
    Fireable(Vec<Step>),
    Deadlock,
}

impl Goal {
    /// To satisfy this label of an automaton; `None` if that is too much to ask, or about more than
    /// nets. Transitions are numbered by `order`.
    pub(crate) fn new(
        label: &Label,
        automaton: &std::sync::Arc<Automaton>,
        net: &Net,
        order: &[TransitionId],
    ) -> Option<Self> {
        if label.cubes.len() > MOST_CUBES {
            return None;
        }
        let effects: Vec<Vec<(brine_net::PlaceId, i64)>> =
            order.iter().map(|&t| effect(net.transition(t))).collect();
        let mut step_of = vec![Step(0); order.len()];
        for (i, t) in order.iter().enumerate() {
            step_of[t.index()] = Step(i as u32);
        }
        let mut coefficients = vec![0_i64; net.places().len()];
        let mut of_atom = |atom: &Atom| match atom {
            Atom::Deadlock => Some(GoalAtom::Deadlock),
            Atom::Fireable(list) => {
                Some(GoalAtom::Fireable(list.iter().map(|t| step_of[t.index()]).collect()))
            }
            Atom::Linear(linear) => {
                linear.terms.iter().for_each(|&(p, c)| coefficients[p.index()] = c);
                let change = |effect: &Vec<(brine_net::PlaceId, i64)>| -> i128 {
                    let of = |&(p, by): &(brine_net::PlaceId, i64)| {
                        i128::from(coefficients[p.index()]) * i128::from(by)
                    };
                    effect.iter().map(of).sum()
                };
                let (mut lowers, mut raises) = (Vec::new(), Vec::new());
                for (i, effect) in effects.iter().enumerate() {
                    match change(effect).signum() {
                        -1 => lowers.push(Step(i as u32)),
                        1 => raises.push(Step(i as u32)),
                        _ => (),
                    }
                }
                linear.terms.iter().for_each(|&(p, _)| coefficients[p.index()] = 0);
                Some(GoalAtom::Sum { lowers, raises })
            }
            Atom::Prop(_) | Atom::Fires(_) => None,
        };
        let atoms = automaton.atoms().iter().map(&mut of_atom).collect::<Option<Vec<_>>>()?;
        let (cubes, automaton) = (label.cubes.clone(), automaton.clone());
        Some(Goal { cubes, atoms, reader: None, automaton })
    }

    /// Appends the nodes that a set towards the goal must contain at a marking. False if the marking
    /// satisfies the goal.
    pub(super) fn roots(
        &mut self,
        tables: &Tables,
        enabled: (&Here, &[Step]),
        (ms, at): (&Markings<'_>, MarkingId),
        roots: &mut Vec<NeedNode>,
    ) -> bool {
        let reader = self.reader.get_or_insert_with(|| Reader::new(&self.automaton, ms.firing()));
        let letter = reader.letter(ms.store().get(at), ms);
        for cube in &self.cubes {
            let (unmet, unwanted) = (cube.pos & !letter, cube.neg & letter);
            if unmet | unwanted == 0 {
                return false;
            }
            // The literal with the fewest helpers.
            let literals = bits(unmet).map(|i| (i, true)).chain(bits(unwanted).map(|i| (i, false)));
            let chosen = literals.min_by_key(|&(i, wanted)| self.weight(i, wanted));
            let Some((i, wanted)) = chosen else { return false };
            self.atoms[i].add_helpers(wanted, tables, enabled, roots);
        }
        true
    }

    /// How much the helpers of a literal are likely to draw in.
    fn weight(&self, atom: usize, wanted: bool) -> usize {
        match &self.atoms[atom] {
            GoalAtom::Sum { lowers, raises } => {
                if wanted {
                    lowers.len()
                } else {
                    raises.len()
                }
            }
            GoalAtom::Fireable(list) => {
                if wanted {
                    list.len()
                } else {
                    1
                }
            }
            GoalAtom::Deadlock => 1,
        }
    }
}

impl GoalAtom {
    /// The helpers of the atom (`wanted`), or of its negation.
    fn add_helpers(
        &self,
        wanted: bool,
        tables: &Tables,
        (here, enabled): (&Here, &[Step]),
        roots: &mut Vec<NeedNode>,
    ) {
        let mut add_takers = |t: Option<&Step>| {
            let inputs = t.map_or(&[][..], |&t| tables.inputs(t));
            roots.extend(inputs.iter().map(|&(p, _)| tables.takers(p)));
        };
        match (self, wanted) {
            (GoalAtom::Sum { lowers, .. }, true) => {
                roots.extend(lowers.iter().map(|&t| NeedNode::from(t)));
            }
            (GoalAtom::Sum { raises, .. }, false) => {
                roots.extend(raises.iter().map(|&t| NeedNode::from(t)));
            }
            (GoalAtom::Fireable(list), true) => {
                roots.extend(list.iter().map(|&t| NeedNode::from(t)));
            }
            (GoalAtom::Fireable(list), false) => {
                add_takers(list.iter().find(|t| here.enables(**t)));
            }
            (GoalAtom::Deadlock, true) => add_takers(enabled.first()),
            (GoalAtom::Deadlock, false) => (),
        }
    }
}

fn bits(mut letter: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = (letter != 0).then(|| letter.trailing_zeros() as usize)?;
        letter &= letter - 1;
        Some(i)
    })
}
