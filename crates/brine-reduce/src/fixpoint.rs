//! All rules, as long as one applies.
//!
//! Work lists hold the places and transitions around which something changed. Rules about one
//! place are tried on those places, the cheap and certain ones first; agglomerations only when
//! nothing else is left to do, because they make nets denser. Rules about sets of transitions
//! look at the whole net, once per round. When the lists are empty, everything is looked at
//! once more, since an implied place may depend on places further away.
//!
//! Cost: a round is linear in the net but for the arcs of places that are looked at several
//! times; rounds are few, because a chain of places disappears in one. [`ReduceOptions::work`]
//! is a limit in any case, and stopping early is always right.

use super::arcs::TransitionArcs;
use super::draft::{Draft, WorkList};
use super::result::Reduced;
use super::{
    Observed, Preserves, ReduceOptions, Rule, ample_place, constant_place, dead_transition,
    dominated_transition, free_agglomeration, fused_places, implied_place, irrelevant_part,
    perpetual_part, post_agglomeration, pre_agglomeration, scaled_place, summed_place, unseen_sink,
    wasteful_transition,
};
use brine_net::{Net, PlaceId};
use brine_run::{Pace, Stop};

/// A rule about one place: true if it was applied.
type PlaceRule = fn(&mut Draft, PlaceId) -> bool;
/// A rule about the whole net: true if it was applied.
type NetRule = fn(&mut Draft) -> bool;

/// Reduces a net so that the properties of a class that see no more than `observed` keep
/// their answers.
///
/// ```
/// use brine_net::{NetBuilder, Run};
/// use brine_reduce::{Observed, Preserves, ReduceOptions, reduce};
/// let mut b = NetBuilder::new("chain");
/// let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 0));
/// let t = b.transition("t", &[(p, 1)], &[(q, 1)]);
/// let u = b.transition("u", &[(q, 1)], &[(r, 1)]);
/// let net = b.build().unwrap();
/// let mut observed = Observed::new(&net);
/// observed.add_place(r);
/// let class = Preserves::StutterInvariant;
/// let reduced = reduce(&net, &observed, class, &ReduceOptions::default()).unwrap();
/// assert_eq!(reduced.net.places().len(), 2);
/// let run = Run { prefix: reduced.net.transition_ids().collect(), cycle: vec![] };
/// let lifted = reduced.lift(&net, &run, &|_, _| true, &|| false).unwrap();
/// assert_eq!(lifted.prefix, [t, u]);
/// ```
pub fn reduce(
    net: &Net,
    observed: &Observed,
    preserves: Preserves,
    options: &ReduceOptions,
) -> Result<Reduced, Stop> {
    let mut reducer = Reducer::new(observed, preserves, options);
    let mut draft = Draft::new(net, observed, &mut reducer.pace)?;
    if reducer.allows(Rule::DeadTransition) {
        dead_transition::start(&mut draft, net, &options.dead);
    }
    // For safety an idle transition may be lent: see the head of the module.
    if reducer.stutter && preserves == Preserves::StutterSafety {
        draft.lent = Some(draft.agglomerate(TransitionArcs::default(), Vec::new()));
    }
    draft.lifting.ends_anyhow(draft.lent.is_some());
    reducer.run(&mut draft)?;
    if let Some(idle) = draft.lent {
        draft.live[idle.index()] = false;
    }
    Reduced::new(net, draft, &mut reducer.pace)
}

/// The rules that may be applied.
struct Reducer<'a> {
    options: &'a ReduceOptions,
    pace: Pace<'a>,
    /// The draft's work at the last count.
    counted: u64,
    stutter: bool,
    place_rules: Vec<PlaceRule>,
    net_rules: Vec<NetRule>,
    agglomerations: Vec<PlaceRule>,
}

impl<'a> Reducer<'a> {
    fn new(observed: &Observed, preserves: Preserves, options: &'a ReduceOptions) -> Self {
        let stutter = preserves != Preserves::AllLtl && !observed.deadlock;
        let mut reducer = Reducer {
            options,
            pace: options.control.pace(),
            counted: 0,
            stutter,
            place_rules: Vec::new(),
            net_rules: Vec::new(),
            agglomerations: Vec::new(),
        };
        let about_places: [(Rule, PlaceRule); 6] = [
            (Rule::ConstantPlace, constant_place::apply),
            (Rule::AmplePlace, ample_place::apply),
            (Rule::DeadTransition, dead_transition::apply),
            (Rule::ScaledPlace, scaled_place::apply),
            (Rule::ImpliedPlace, implied_place::apply),
            (Rule::SummedPlace, summed_place::apply),
        ];
        let about_nets: [(Rule, NetRule); 6] = [
            (Rule::IrrelevantPart, irrelevant_part::sweep),
            (Rule::DominatedTransition, dominated_transition::sweep),
            (Rule::UnseenSink, unseen_sink::sweep),
            (Rule::PerpetualPart, perpetual_part::sweep),
            (Rule::WastefulTransition, wasteful_transition::sweep),
            (Rule::FusedPlaces, fused_places::sweep),
        ];
        let agglomerations: [(Rule, PlaceRule); 3] = [
            (Rule::PostAgglomeration, post_agglomeration::apply),
            (Rule::PreAgglomeration, pre_agglomeration::apply),
            (Rule::FreeAgglomeration, free_agglomeration::apply),
        ];
        reducer.place_rules = reducer.allowed(&about_places);
        reducer.net_rules = reducer.allowed(&about_nets);
        reducer.agglomerations = reducer.allowed(&agglomerations);
        reducer
    }

    fn allows(&self, rule: Rule) -> bool {
        self.options.rules.contains(&rule) && (self.stutter || rule.preserves_all_ltl())
    }

    fn allowed<R: Copy>(&self, rules: &[(Rule, R)]) -> Vec<R> {
        rules.iter().filter(|&&(rule, _)| self.allows(rule)).map(|&(_, apply)| apply).collect()
    }

    /// Whether the work is used up; `Err` if the control says stop.
    fn is_over(&mut self, draft: &Draft) -> Result<bool, Stop> {
        let units = draft.work - std::mem::replace(&mut self.counted, draft.work);
        self.pace.steps(1 + units as usize)?;
        Ok(draft.work > self.options.work)
    }

    /// Applies rules until none applies or the limits are reached.
    fn run(&mut self, draft: &mut Draft) -> Result<(), Stop> {
        let mut applied = true;
        let mut dense = WorkList::default();
        while std::mem::take(&mut applied) {
            draft.touch_everything();
            loop {
                applied |= self.places(draft, &mut dense)?;
                if !draft.transitions.take().is_empty() {
                    applied |= self.nets(draft)?;
                } else if !dense.is_empty() {
                    applied |= self.agglomerate(draft, &mut dense)?;
                } else {
                    break;
                }
                if self.is_over(draft)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Rules about places, where something changed. The places are noted for agglomeration.
    fn places(&mut self, draft: &mut Draft, dense: &mut WorkList) -> Result<bool, Stop> {
        let mut applied = false;
        while !draft.places.is_empty() {
            for (i, p) in draft.places.take().into_iter().enumerate() {
                if i % 64 == 0 && self.is_over(draft)? {
                    return Ok(applied);
                }
                dense.push(p);
                applied |= try_rules(&self.place_rules, draft, PlaceId(p));
            }
        }
        Ok(applied)
    }

    /// Rules about the whole net. Each is linear, and not interrupted.
    fn nets(&mut self, draft: &mut Draft) -> Result<bool, Stop> {
        draft.find_idle();
        let mut applied = false;
        for rule in &self.net_rules {
            self.pace.look()?;
            applied |= rule(draft);
        }
        Ok(applied)
    }

    fn agglomerate(&mut self, draft: &mut Draft, dense: &mut WorkList) -> Result<bool, Stop> {
        let mut applied = false;
        for (i, p) in dense.take().into_iter().enumerate() {
            if i % 64 == 0 && self.is_over(draft)? {
                return Ok(applied);
            }
            applied |= try_rules(&self.agglomerations, draft, PlaceId(p));
        }
        Ok(applied)
    }
}

/// Tries rules on a place while it is there.
fn try_rules(rules: &[PlaceRule], draft: &mut Draft, p: PlaceId) -> bool {
    let mut applied = false;
    for rule in rules {
        if draft.is_kept(p) {
            applied |= rule(draft, p);
        }
    }
    applied
}
