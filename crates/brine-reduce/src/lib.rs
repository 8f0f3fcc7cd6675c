//! Structural reductions: smaller nets with the same answers.
//!
//! [`reduce`] applies local rules to a net, as long as one applies, so that the property
//! cannot tell the difference. What the property sees is an [`Observed`]; which properties are
//! to be kept is a [`Preserves`]. Each rule is one file, whose head states when it applies,
//! what it preserves, and why. Runs of the reduced net are lifted back ([`Reduced::lift`]).
//! [`markings`] has rules that keep all markings recoverable, to count them.
//! [`state_equation`] proves by linear algebra what no reachable marking can be; simplification
//! of formulas uses it.
//!
//! # The words
//!
//! A place is *observed* if its tokens occur in an atom, a transition is *watched* if an atom
//! asks whether it is enabled; a place is *visible* if it is observed or a watched transition
//! takes from it. A transition is *invisible* if it changes no visible place. Firing it
//! changes the truth of no atom (but `deadlock`).
//!
//! The trace of a maximal run is the sequence of the letters (truth of all atoms) of its
//! markings, where a dead marking repeats for ever. A property is decided by the set of
//! traces. Rules for [`Preserves::AllLtl`] keep this set; rules for
//! [`Preserves::StutterInvariant`] keep it up to repetition of letters. For the latter a run
//! that stops in a dead marking and a run that fires invisible transitions for ever look the
//! same; what must be kept is *where a run may stop changing what is seen*.
//!
//! # Idle nets, safety
//!
//! If a transition without arcs is left (an *idle* transition), a run may stop anywhere, and
//! several rules apply that would otherwise change where runs stop. For a stutter-invariant
//! safety property an idle transition may be added for nothing ([`Preserves::StutterSafety`]):
//! if a run that stops at M violates the property, some prefix is bad, up to repetitions of
//! its last letter; every run that goes on from M has that prefix up to repetitions, and
//! violates it, too.
//!
//! The rules follow Berthelot (1987), Haddad and Pradat-Peyre (2006), Bønneland et al. (2019)
//! and Thierry-Mieg (2020); the proofs in the files are for our semantics.

mod agglomerate;
mod ample_place;
mod arcs;
mod constant_place;
mod dead_transition;
mod dominated_transition;
mod draft;
mod fixpoint;
mod free_agglomeration;
mod fused_places;
mod fusion;
mod implied_place;
mod irrelevant_part;
mod lift;
pub mod markings;
mod names;
mod perpetual_part;
mod post_agglomeration;
mod pre_agglomeration;
mod result;
mod scaled_place;
pub mod solutions;
pub mod state_equation;
mod summed_place;
mod unseen_sink;
mod wasteful_transition;

use brine_net::{Net, PlaceId, TransitionId};
use brine_run::Control;

pub use fixpoint::reduce;
pub use result::{PlaceValue, Reduced};

/// What a property sees of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    places: Vec<bool>,
    transitions: Vec<bool>,
    deadlock: bool,
}

impl Observed {
    /// Nothing yet.
    pub fn new(net: &Net) -> Self {
        Observed {
            places: vec![false; net.places().len()],
            transitions: vec![false; net.transitions().len()],
            deadlock: false,
        }
    }

    /// The property counts the tokens of a place.
    pub fn add_place(&mut self, p: PlaceId) {
        self.places[p.index()] = true;
    }

    /// The property asks whether a transition is enabled.
    pub fn add_transition(&mut self, t: TransitionId) {
        self.transitions[t.index()] = true;
    }

    /// The property asks whether anything is enabled.
    pub fn add_deadlock(&mut self) {
        self.deadlock = true;
    }
}

/// Which properties must keep their answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserves {
    /// All of LTL.
    AllLtl,
    /// Stutter-invariant properties.
    StutterInvariant,
    /// Stutter-invariant properties whose violations show in a finite prefix of a run.
    StutterSafety,
}

/// The rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Transitions that are never enabled are removed.
    DeadTransition,
    /// Places whose tokens never change are removed.
    ConstantPlace,
    /// Places that always have enough tokens are removed.
    AmplePlace,
    /// Places that have enough tokens whenever another place has are removed.
    ImpliedPlace,
    /// Places that have enough tokens whenever some others together have are removed.
    SummedPlace,
    /// Tokens are counted in larger units.
    ScaledPlace,
    /// A transition is removed that does the same as another and needs at least as much.
    DominatedTransition,
    /// Transitions are removed that only take tokens which nobody else wants.
    UnseenSink,
    /// A place is removed by firing what takes from it right after what fills it.
    PostAgglomeration,
    /// A place is removed by firing what fills it right before what takes from it.
    PreAgglomeration,
    /// The same under weaker conditions, where runs may stop anywhere.
    FreeAgglomeration,
    /// Invisible transitions that only take are removed, where runs may stop anywhere.
    WastefulTransition,
    /// An idle transition is added beside invisible tokens that can always move.
    PerpetualPart,
    /// What cannot influence anything visible is removed.
    IrrelevantPart,
    /// Places among which tokens move freely become one.
    FusedPlaces,
}

impl Rule {
    /// All rules, in the order of their numbers.
    pub const ALL: [Rule; 15] = [
        Rule::DeadTransition,
        Rule::ConstantPlace,
        Rule::AmplePlace,
        Rule::ImpliedPlace,
        Rule::SummedPlace,
        Rule::ScaledPlace,
        Rule::DominatedTransition,
        Rule::UnseenSink,
        Rule::PostAgglomeration,
        Rule::PreAgglomeration,
        Rule::FreeAgglomeration,
        Rule::WastefulTransition,
        Rule::PerpetualPart,
        Rule::IrrelevantPart,
        Rule::FusedPlaces,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::DeadTransition => "dead transition",
            Rule::ConstantPlace => "constant place",
            Rule::AmplePlace => "ample place",
            Rule::ImpliedPlace => "implied place",
            Rule::SummedPlace => "summed place",
            Rule::ScaledPlace => "scaled place",
            Rule::DominatedTransition => "dominated transition",
            Rule::UnseenSink => "unseen sink",
            Rule::PostAgglomeration => "post-agglomeration",
            Rule::PreAgglomeration => "pre-agglomeration",
            Rule::FreeAgglomeration => "free agglomeration",
            Rule::WastefulTransition => "wasteful transition",
            Rule::PerpetualPart => "perpetual part",
            Rule::IrrelevantPart => "irrelevant part",
            Rule::FusedPlaces => "fused places",
        }
    }

    /// Whether the rule preserves all of LTL, not only the stutter-invariant part.
    pub fn preserves_all_ltl(self) -> bool {
        matches!(
            self,
            Rule::DeadTransition
                | Rule::ConstantPlace
                | Rule::AmplePlace
                | Rule::ImpliedPlace
                | Rule::SummedPlace
                | Rule::ScaledPlace
                | Rule::DominatedTransition
        )
    }
}

/// What the reduction may do and use. The result is the same for the same `work`, and right for
/// any; a control that stops it leaves none.
#[derive(Clone, Debug)]
pub struct ReduceOptions {
    /// When to stop, with no result.
    pub control: Control,
    /// Elementary steps.
    pub work: u64,
    /// The rules to use, as far as they preserve what they should.
    pub rules: Vec<Rule>,
    /// Transitions that are known to be dead.
    pub dead: Vec<TransitionId>,
}

impl Default for ReduceOptions {
    fn default() -> Self {
        ReduceOptions {
            control: Control::default(),
            work: 200_000_000,
            rules: Rule::ALL.to_vec(),
            dead: Vec::new(),
        }
    }
}
