//! The automaton: a tableau, made again by the checker, one state at a time.
//!
//! A state is a set of formulas that must hold from here on. It is *expanded* by the laws
//!
//! ```text
//! a U b = b | (a & X(a U b))        a R b = b & (a | X(a R b))
//! ```
//!
//! into *covers*: literals that hold now, a set that holds from the next position on, and the
//! formulas `a U b` that were put off, that is, for which the second choice was taken. A sequence
//! of covers is *accepted* if each U is infinitely often not put off.
//!
//! *Why every word that satisfies the root has an accepted sequence of covers whose literals hold
//! along it.* Let the word from position i on satisfy the set S. Take the cover of S that
//! chooses, of each `|` and R, a side that is true at i, and of each U the first side if b is true
//! at i and the second if not. Its literals hold, and its set holds from i + 1 on. It puts off
//! only formulas a U b that hold at i and whose b is false at i; such a b is true later, and there
//! a U b is not put off. That stays true of what is done besides:
//!
//! - a cover is dropped if another one has fewer literals, formulas and put-off formulas (then the
//!   other one can be taken, and puts off no more);
//! - a set is made smaller by leaving out what others in it imply now (`b` beside `a R b`, `a U b`
//!   beside `b`): the word satisfies the smaller set, too;
//! - a cover is dropped if its literals exclude each other, or no reachable marking has them.
//!
//! The converse (that only such words have one) is not needed: a larger automaton only makes
//! the proof harder.

use crate::formula::{FALSE, Part, Parts, TRUE};

/// Most covers of one set, before and after the smaller ones are taken out.
const MOST: usize = 1 << 14;
const MOST_KEPT: usize = 1 << 12;

/// A literal: an atom's number, and whether it is true.
pub type Literal = (u32, bool);

/// One way to satisfy a set of formulas. All lists ascend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// What holds now.
    pub literals: Vec<Literal>,
    /// What holds from the next position on.
    pub next: Vec<u32>,
    /// The untils that were put off.
    pub put_off: Vec<u32>,
}

/// There are too many covers to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the formula has too many cases")]
pub struct TooLarge;

/// A cover that is being made.
#[derive(Clone, Default)]
struct Draft {
    todo: Vec<u32>,
    done: Vec<u32>,
    literals: Vec<Literal>,
    next: Vec<u32>,
    put_off: Vec<u32>,
}

impl Parts {
    /// The covers of a set. `conflicts` are sets of literals that no reachable marking has.
    pub fn covers(&self, set: &[u32], conflicts: &[Vec<Literal>]) -> Result<Vec<Cover>, TooLarge> {
        let mut covers: Vec<Cover> = Vec::new();
        let mut drafts = vec![Draft { todo: set.to_vec(), ..Draft::default() }];
        while let Some(mut draft) = drafts.pop() {
            if covers.len() + drafts.len() > MOST {
                return Err(TooLarge);
            }
            let Some(formula) = draft.todo.pop() else {
                covers.extend(self.finish(draft).filter(|c| !excluded(c, conflicts)));
                continue;
            };
            if !insert(&mut draft.done, formula) {
                drafts.push(draft);
                continue;
            }
            match *self.part(formula) {
                Part::False => (),
                Part::True => drafts.push(draft),
                Part::Literal(atom, value) => {
                    if !draft.literals.contains(&(atom, !value)) {
                        insert(&mut draft.literals, (atom, value));
                        drafts.push(draft);
                    }
                }
                Part::And(ref all) => {
                    draft.todo.extend_from_slice(all);
                    drafts.push(draft);
                }
                Part::Or(ref all) => drafts.extend(all.iter().map(|&f| {
                    let mut with = draft.clone();
                    with.todo.push(f);
                    with
                })),
                Part::Next(a) => {
                    insert(&mut draft.next, a);
                    drafts.push(draft);
                }
                Part::Until(a, b) => {
                    let mut now = draft.clone();
                    now.todo.push(b);
                    draft.todo.push(a);
                    insert(&mut draft.next, formula);
                    insert(&mut draft.put_off, formula);
                    drafts.extend([now, draft]);
                }
                Part::Release(a, b) => {
                    draft.todo.push(b);
                    let mut now = draft.clone();
                    now.todo.push(a);
                    insert(&mut draft.next, formula);
                    drafts.extend([now, draft]);
                }
            }
        }
        least(covers)
    }

    fn finish(&self, draft: Draft) -> Option<Cover> {
        let next = self.normal(draft.next)?;
        Some(Cover { literals: draft.literals, next, put_off: draft.put_off })
    }

    /// The set without what others in it imply; `None` if it holds nowhere.
    pub fn normal(&self, set: Vec<u32>) -> Option<Vec<u32>> {
        let mut all = Vec::with_capacity(set.len());
        let mut todo = set;
        while let Some(f) = todo.pop() {
            match self.part(f) {
                Part::And(parts) => todo.extend_from_slice(parts),
                _ if f == FALSE => return None,
                _ if f == TRUE => (),
                _ => drop(insert(&mut all, f)),
            }
        }
        let implied: Vec<u32> = all
            .iter()
            .filter_map(|&f| match *self.part(f) {
                Part::Release(_, b) => Some(b),
                _ => None,
            })
            .collect();
        all.retain(|f| !implied.contains(f));
        let kept = all.clone();
        let follows = |f: &u32| match *self.part(*f) {
            Part::Until(_, b) => kept.contains(&b) || implied.contains(&b),
            _ => false,
        };
        all.retain(|f| !follows(f));
        Some(all)
    }
}

/// Whether the literals of a cover contain a conflict.
fn excluded(cover: &Cover, conflicts: &[Vec<Literal>]) -> bool {
    conflicts.iter().any(|conflict| within(conflict, &cover.literals))
}

/// Drops covers that ask for more than another one.
fn least(mut covers: Vec<Cover>) -> Result<Vec<Cover>, TooLarge> {
    let size = |c: &Cover| c.literals.len() + c.next.len() + c.put_off.len();
    let order = |c: &Cover| (size(c), c.literals.clone(), c.next.clone(), c.put_off.clone());
    covers.sort_by_cached_key(order);
    covers.dedup();
    let mut kept: Vec<Cover> = Vec::new();
    for cover in covers {
        let weaker = |k: &Cover| {
            within(&k.literals, &cover.literals)
                && within(&k.next, &cover.next)
                && within(&k.put_off, &cover.put_off)
        };
        if !kept.iter().any(weaker) {
            kept.push(cover);
        }
        if kept.len() > MOST_KEPT {
            return Err(TooLarge);
        }
    }
    Ok(kept)
}

/// Inserts into an ascending list; whether it was not there.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) -> bool {
    match list.binary_search(&item) {
        Ok(_) => false,
        Err(at) => {
            list.insert(at, item);
            true
        }
    }
}

/// Whether all items of an ascending list are in another one.
pub(crate) fn within<T: Ord>(few: &[T], many: &[T]) -> bool {
    few.len() <= many.len() && few.iter().all(|item| many.binary_search(item).is_ok())
}
