//! A coloured property on an unfolded net.
//!
//! *What is right about it:* the tokens of a coloured place are those of its unfolded places and
//! those that never move, and a coloured transition is fireable when one of its unfolded
//! transitions is. Steps correspond one to one, so the formula holds in the coloured net if and only
//! if the restated one holds in the unfolded net, `X` and dead markings included.

use super::ColouredProperty;
use crate::branching::{MarkingsQuestion, RecurrenceQuestion};
use brine_coloured::Groups;
use brine_ltl::{Atom, AtomId, Comparison, Expression, Formula, Formulas, Overflow};
use brine_net::{PlaceId, TransitionId};

/// The formula over the places and transitions of the unfolded net.
pub(super) fn restate(
    property: ColouredProperty<'_>,
    groups: &Groups,
) -> Result<(Formulas, Formula), Overflow> {
    let mut formulas = property.formulas.clone();
    let restate = |fs: &mut Formulas, atom: AtomId| restate_atom(fs, atom, groups);
    let formula = formulas.replace_atoms(property.formula, restate)?;
    Ok((formulas, formula))
}

fn restate_atom(fs: &mut Formulas, atom: AtomId, groups: &Groups) -> Result<Formula, Overflow> {
    match fs.atom(atom).clone() {
        Atom::Linear(linear) => {
            let mut sum = Expression::default();
            for &(p, factor) in &linear.terms {
                let group = &groups.places[p.index()];
                let constant = i64::try_from(group.idle_tokens()).map_err(|_| Overflow)?;
                let terms = group.members().map(|p| (p, 1)).collect();
                sum = sum.add_scaled(&Expression { terms, constant }, factor)?;
            }
            fs.compare(sum, Comparison::Le, Expression::constant(linear.bound))
        }
        Atom::Fireable(transitions) => {
            let members = transitions.iter().flat_map(|t| groups.transitions[t.index()].members());
            let members: Vec<TransitionId> = members.collect();
            Ok(if members.is_empty() { Formula::FALSE } else { fs.fireable(members) })
        }
        Atom::Fires(transitions) => {
            let members = transitions.iter().flat_map(|t| groups.transitions[t.index()].members());
            let members: Vec<TransitionId> = members.collect();
            Ok(fs.fires(members))
        }
        Atom::Deadlock | Atom::Prop(_) => Ok(fs.atom_formula(atom)),
    }
}

/// A question to all markings, about the unfolded net, and what the extent of each sum leaves out:
/// tokens that never move.
pub(crate) fn restate_question(
    formulas: &mut Formulas,
    question: &MarkingsQuestion,
    groups: &Groups,
) -> Result<(MarkingsQuestion, Vec<i64>), Overflow> {
    match question {
        MarkingsQuestion::Satisfies(ctl) => {
            let restated = ctl.with_states(|f| {
                formulas.replace_atoms(f, |fs: &mut Formulas, atom| restate_atom(fs, atom, groups))
            })?;
            Ok((MarkingsQuestion::Satisfies(restated), Vec::new()))
        }
        MarkingsQuestion::Extent(terms) => {
            let (members, idle) = restate_sum(terms, groups)?;
            Ok((MarkingsQuestion::Extent(members), vec![idle]))
        }
        MarkingsQuestion::Extents(sums) => {
            let restated = sums.iter().map(|terms| restate_sum(terms, groups));
            let restated: Vec<UnfoldedSum> = restated.collect::<Result<_, Overflow>>()?;
            let (sums, idle) = restated.into_iter().unzip();
            Ok((MarkingsQuestion::Extents(sums), idle))
        }
        MarkingsQuestion::CanFire(list) => {
            Ok((MarkingsQuestion::CanFire(restate_groups(list, groups)), Vec::new()))
        }
        MarkingsQuestion::Recurrence(question) => {
            let restated = restate_groups(&question.groups, groups);
            let question = RecurrenceQuestion { groups: restated, ..*question };
            Ok((MarkingsQuestion::Recurrence(question), Vec::new()))
        }
    }
}

/// A sum over unfolded places, and its tokens that never move.
type UnfoldedSum = (Vec<(PlaceId, i64)>, i64);

fn restate_sum(terms: &[(PlaceId, i64)], groups: &Groups) -> Result<UnfoldedSum, Overflow> {
    let (mut members, mut idle) = (Vec::new(), 0_i64);
    for &(p, factor) in terms {
        let group = &groups.places[p.index()];
        let constant = i64::try_from(group.idle_tokens()).map_err(|_| Overflow)?;
        let constant = constant.checked_mul(factor).ok_or(Overflow)?;
        idle = idle.checked_add(constant).ok_or(Overflow)?;
        members.extend(group.members().map(|p| (p, factor)));
    }
    Ok((members, idle))
}

/// Groups of coloured transitions, as groups of their bindings.
fn restate_groups(list: &[Vec<TransitionId>], groups: &Groups) -> Vec<Vec<TransitionId>> {
    let members = |t: &TransitionId| groups.transitions[t.index()].members();
    list.iter().map(|group| group.iter().flat_map(members).collect()).collect()
}
