//! Whether and how partial-order reduction is used for one question.
//!
//! It is used only where it is known to be right, and the answer says whether it was: the
//! language must be stutter-invariant, the proviso must promise what the automaton needs.
//!
//! | the automaton | needs | default |
//! |---|---|---|
//! | sees nothing but `deadlock` | deadlocks and the existence of infinite runs | `None` |
//! | is terminal: violations show in a finite prefix | safety | `Delegate` |
//! | any other | liveness | `Acyclic` |

use crate::provisos::{Promise, Proviso};
use crate::stubborn::visible::Sight;
use crate::stubborn::{Choice, Dependencies, Strength, Stubborn};
use brine_ltl::{Automaton, Class};
use brine_net::{Net, TransitionId};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Por {
    /// The proviso; by the automaton's class if there is none.
    pub proviso: Option<Proviso>,
    /// How stubborn sets are chosen.
    pub choice: Choice,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PorUse {
    /// The net was reduced.
    Applied {
        /// With this proviso.
        proviso: Proviso,
        /// And so many markings were expanded.
        expanded: u64,
    },
    /// The net was not reduced, and why.
    NotApplied(&'static str),
}

/// A question that the net is to be reduced for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PorQuestion<'a> {
    pub(crate) net: &'a Net,
    pub(crate) order: &'a [TransitionId],
    pub(crate) automaton: &'a Automaton,
    /// Whether the automaton's language is; `None` if that is not known.
    pub(crate) stutter_invariant: Option<bool>,
}

impl Por {
    /// The stubborn sets and the proviso for a question, or why there are none.
    pub(crate) fn plan(
        self,
        question: PorQuestion<'_>,
        dependencies: &Dependencies,
    ) -> Result<(Stubborn, Proviso), &'static str> {
        match question.stutter_invariant {
            Some(true) => (),
            Some(false) => return Err("the formula is not stutter-invariant"),
            None => return Err("it is not known whether the formula is stutter-invariant"),
        }
        let sight = Sight::of(question.automaton.atoms(), question.net, question.order);
        let (visible, need) = match sight {
            Sight::All => return Err("the formula has `deadlock` beside other atoms"),
            Sight::Deadlocks => (Vec::new(), Promise::Deadlocks),
            Sight::Some(visible) if question.automaton.class() == Class::Terminal => {
                (visible, Promise::Safety)
            }
            Sight::Some(visible) => (visible, Promise::Liveness),
        };
        if visible.len() == question.order.len() {
            return Err("the formula sees every transition");
        }
        let proviso = self.proviso.unwrap_or(match need {
            Promise::Deadlocks => Proviso::None,
            Promise::Safety => Proviso::OnTheFly { live: false },
            Promise::Liveness => Proviso::OnTheFly { live: true },
        });
        if proviso.promise() < need {
            return Err(match need {
                Promise::Liveness => "the formula needs a liveness proviso",
                _ => "the formula needs a safety or liveness proviso",
            });
        }
        // The path to an expanded marking that safety provisos promise may use any enabled
        // member of a set, so all must be keys.
        let weak_will_do = proviso.promise() != Promise::Safety;
        let strength = if weak_will_do { self.choice.strength } else { Strength::Strong };
        let choice = Choice { strength, ..self.choice };
        Ok((Stubborn::new(dependencies, visible, choice), proviso))
    }
}
