//! Whether and how partial-order reduction is used for one question.
//!
//! It is used only where it is known to be right, and the answer says whether it was: the
//! language must be stutter-invariant, the proviso must promise what the automaton needs.
//!
//! | the automaton | needs | default |
//! |---|---|---|
//! | sees nothing but `deadlock` | deadlocks and the existence of infinite runs | `None` |
//! | is `G f` negated, f about one marking | a marking without f, if one can be reached | `None`, with sets towards it ([`crate::stubborn::goal`]) |
//! | is terminal: violations show in a finite prefix | safety | `Delegate` |
//! | any other | liveness | `Acyclic` |

use crate::fire::Step;
use crate::provisos::{Promise, Proviso};
use crate::stubborn::goal::Goal;
use crate::stubborn::visible::Sight;
use crate::stubborn::{Choice, Dependencies, Strength, Stubborn};
use brine_ltl::{Atom, Automaton, Class};
use brine_net::{Net, TransitionId};
use std::sync::Arc;

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
    pub(crate) automaton: &'a Arc<Automaton>,
    /// Whether the automaton's language is; `None` if that is not known.
    pub(crate) stutter_invariant: Option<bool>,
    /// Whether the question is if a marking of some kind can be reached.
    pub(crate) reachability: bool,
}

impl PorQuestion<'_> {
    /// What is to be reached, if that is the question: the label by which the automaton goes from
    /// its first state, where it has accepted nothing, to the other, where it accepts everything.
    fn goal(&self) -> Option<Goal> {
        let automaton = self.automaton;
        let fits = self.reachability
            && automaton.class() == Class::Terminal
            && automaton.num_states() == 2
            && !automaton.atoms().is_empty();
        let initial = automaton.initial();
        let mut edges = automaton.edges_of(initial).iter().filter(|e| e.dst != initial);
        match (fits, edges.next(), edges.next()) {
            (true, Some(edge), None) => {
                Goal::new(automaton.label(edge.label), automaton, self.net, self.order)
            }
            _ => None,
        }
    }
}

/// How a graph is reduced for a question that does not ask for a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PorPlan {
    /// The steps that the property sees.
    pub visible: Vec<Step>,
    /// The proviso.
    pub proviso: Proviso,
    /// How stubborn sets are chosen.
    pub choice: Choice,
}

impl Por {
    /// The visible steps, the proviso and the kind of sets for a property that sees this of so many
    /// steps, or why there are none. `least` is what the proviso must promise at least.
    pub fn suit(
        self,
        automaton: &Automaton,
        stutter_invariant: Option<bool>,
        (sight, steps): (impl FnOnce() -> Sight, usize),
        least: Promise,
    ) -> Result<PorPlan, &'static str> {
        match stutter_invariant {
            Some(true) => (),
            Some(false) => return Err("the formula is not stutter-invariant"),
            None => return Err("it is not known whether the formula is stutter-invariant"),
        }
        let (visible, need) = match sight() {
            Sight::All => return Err("the formula has `deadlock` beside other atoms"),
            Sight::Deadlocks => (Vec::new(), Promise::Deadlocks),
            Sight::Some(visible) if automaton.class() == Class::Terminal => {
                (visible, Promise::Safety)
            }
            Sight::Some(visible) => (visible, Promise::Liveness),
        };
        let need = need.max(least);
        if visible.len() == steps {
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
        Ok(PorPlan { visible, proviso, choice: Choice { strength, ..self.choice } })
    }

    /// The stubborn sets and the proviso for a question, or why there are none.
    pub(crate) fn plan(
        self,
        question: PorQuestion<'_>,
        dependencies: &Dependencies,
    ) -> Result<(Stubborn, Proviso), &'static str> {
        if self.proviso.is_none()
            && question.automaton.atoms() != [Atom::Deadlock]
            && let Some(goal) = question.goal()
        {
            return Ok((Stubborn::towards(dependencies, goal), Proviso::None));
        }
        let automaton = &**question.automaton;
        let sight = || Sight::of(automaton.atoms(), question.net, question.order);
        let sight = (sight, question.order.len());
        let plan = self.suit(automaton, question.stutter_invariant, sight, Promise::Deadlocks)?;
        Ok((Stubborn::new(dependencies, plan.visible, plan.choice), plan.proviso))
    }
}
