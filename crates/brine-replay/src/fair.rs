//! Whether a run is fair, read off its cycle.
//!
//! The markings of the cycle are those that occur infinitely often, and its transitions those that
//! fire infinitely often. So a transition is treated fairly if it fires in the cycle; weakly also if
//! some marking of the cycle does not enable it; strongly if none does. A run that ends in a
//! dead marking is fair.
//!
//! A cycle that *grows* adds tokens in each round: a transition is disabled for ever at a position
//! only if it lacks tokens of a place that does not grow; in others it is enabled some day, and from
//! then on. With a growth of zero that is the plain meaning. Cost: positions times fair transitions.

use super::{ReplayError, fire, growing};
use brine_net::{Fairness, Net, Run, TransitionId};
use std::fmt;

/// Why a run is fair for a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FairBecause {
    /// Nothing is enabled in the end.
    Dead,
    /// It is fired by this step of the run, counted from 1; the step belongs to the cycle.
    Fires(usize),
    /// It is not enabled before this step of the run, counted from 1, which belongs to the cycle.
    DisabledBefore(usize),
    /// It is not enabled before any step of the cycle.
    NeverEnabled,
}

/// What a run is not fair for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfair {
    /// The transition's id.
    pub transition: String,
    /// Strong fairness was asked for.
    pub strong: bool,
    /// It is enabled before this step of the run, counted from 1; the step belongs to the cycle.
    pub enabled_before: usize,
}

impl fmt::Display for Unfair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unfair { transition, strong, enabled_before } = self;
        let (how, when) = match strong {
            true => ("again and again", format!("before step {enabled_before}")),
            false => ("all the time", "before each step of the cycle".to_owned()),
        };
        write!(f, "\"{transition}\" is enabled {how} ({when}) and never fires in the cycle")
    }
}

/// Why a run, which must be one, is fair for each transition that fairness is asked for: the weak
/// ones, then the strong ones.
///
/// ```
/// use brine_net::{Fairness, NetBuilder, Run};
/// use brine_replay::{FairBecause, ReplayError, why_fair};
/// let mut b = NetBuilder::new("two switches");
/// let (on, off, lamp) = (b.place("on", 1), b.place("off", 0), b.place("lamp", 1));
/// let down = b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let up = b.transition("up", &[(off, 1)], &[(on, 1)]);
/// let blow = b.transition("break", &[(on, 1), (lamp, 1)], &[(on, 1)]);
/// let net = b.build().unwrap();
/// let run = Run { prefix: vec![], cycle: vec![down, up] };
/// let weak = Fairness::new(vec![blow], vec![up]);
/// let why = why_fair(&net, &weak, &run).unwrap();
/// assert_eq!(why, [(blow, FairBecause::DisabledBefore(2)), (up, FairBecause::Fires(2))]);
/// let strong = Fairness::new(vec![], vec![blow]);
/// assert!(matches!(why_fair(&net, &strong, &run), Err(ReplayError::Unfair(_))));
/// ```
pub fn why_fair(
    net: &Net,
    fairness: &Fairness,
    run: &Run,
) -> Result<Vec<(TransitionId, FairBecause)>, ReplayError> {
    let all = fairness.weak().iter().map(|&t| (t, false));
    let all = all.chain(fairness.strong().iter().map(|&t| (t, true)));
    if fairness.is_none() || run.cycle.is_empty() {
        return Ok(all.map(|(t, _)| (t, FairBecause::Dead)).collect());
    }
    let mut marking = net.initial_marking();
    for (i, &t) in run.prefix.iter().enumerate() {
        fire(net, t, &mut marking, i + 1)?;
    }
    let mut markings = Vec::with_capacity(run.cycle.len());
    for (i, &t) in run.cycle.iter().enumerate() {
        markings.push(marking.clone());
        fire(net, t, &mut marking, run.prefix.len() + i + 1)?;
    }
    let growth = growing::growth(&markings[0], &marking).ok_or(ReplayError::NotClosed)?;
    // Step numbers of the cycle, from 1 at the start of the run.
    let number = |i: usize| run.prefix.len() + i + 1;
    let mut reasons = Vec::new();
    for (t, strong) in all {
        let lacks = |m: &Vec<u32>| {
            let mut inputs = net.transition(t).pre.iter();
            inputs.any(|&(p, w)| growth[p.index()] == 0 && m[p.index()] < w)
        };
        let because = if let Some(i) = run.cycle.iter().position(|&u| u == t) {
            FairBecause::Fires(number(i))
        } else if let Some(i) = markings.iter().position(|m| !lacks(m)).filter(|_| strong) {
            let transition = net.transition(t).id().into_owned();
            let unfair = Unfair { transition, strong, enabled_before: number(i) };
            return Err(ReplayError::Unfair(unfair));
        } else if markings.iter().all(lacks) {
            FairBecause::NeverEnabled
        } else if let Some(i) = markings.iter().position(lacks) {
            FairBecause::DisabledBefore(number(i))
        } else {
            let transition = net.transition(t).id().into_owned();
            return Err(ReplayError::Unfair(Unfair {
                transition,
                strong,
                enabled_before: number(0),
            }));
        };
        reasons.push((t, because));
    }
    Ok(reasons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{replay_beginning, word_of};
    use brine_ltl::{Formulas, Symbols, parse};
    use brine_net::NetBuilder;

    /// A pump that fills `r`, from which `take` needs two tokens, and a switch that `other` needs.
    fn pump() -> (Net, [TransitionId; 4]) {
        let mut b = NetBuilder::new("pump");
        let (r, on, off) = (b.place("r", 0), b.place("on", 1), b.place("off", 0));
        let fill = b.transition("fill", &[(on, 1)], &[(off, 1), (r, 1)]);
        let back = b.transition("back", &[(off, 1)], &[(on, 1)]);
        let take = b.transition("take", &[(r, 2)], &[]);
        let other = b.transition("other", &[(on, 1)], &[(on, 1)]);
        (b.build().unwrap(), [fill, back, take, other])
    }

    /// In a cycle that grows, `take` is not enabled in the first round, and is for ever later.
    #[test]
    fn what_a_growing_cycle_enables_some_day_counts() {
        let (net, [fill, back, take, other]) = pump();
        let run = Run { prefix: vec![], cycle: vec![fill, back] };
        let judge = |weak: &[TransitionId], strong: &[TransitionId]| {
            why_fair(&net, &Fairness::new(weak.to_vec(), strong.to_vec()), &run)
        };
        assert!(matches!(judge(&[take], &[]), Err(ReplayError::Unfair(_))));
        assert!(matches!(judge(&[], &[take]), Err(ReplayError::Unfair(_))));
        assert_eq!(judge(&[other], &[]), Ok(vec![(other, FairBecause::DisabledBefore(2))]));
        assert!(matches!(judge(&[], &[other]), Err(ReplayError::Unfair(_))));
        assert_eq!(judge(&[], &[fill]), Ok(vec![(fill, FairBecause::Fires(1))]));
    }

    #[test]
    fn runs_that_end_are_fair() {
        let mut b = NetBuilder::new("end");
        let p = b.place("p", 1);
        let (stop, never) =
            (b.transition("stop", &[(p, 1)], &[]), b.transition("n", &[(p, 2)], &[]));
        let net = b.build().unwrap();
        let run = Run { prefix: vec![stop], cycle: vec![] };
        let why = why_fair(&net, &Fairness::all_strong(&net), &run);
        assert_eq!(why, Ok(vec![(stop, FairBecause::Dead), (never, FairBecause::Dead)]));
    }

    /// What a position says of events is known one step later, and nothing fires at a dead end.
    #[test]
    fn events_are_known_when_they_happen() {
        let (net, [fill, back, take, _]) = pump();
        let mut fs = Formulas::new();
        let mut symbols = Symbols::of_net(&net);
        let mut of = |text: &str| parse(text, &mut fs, &mut symbols).unwrap();
        let (never, now) = (of("G !fires(back)"), of("!fires(fill)"));
        let run = Run { prefix: vec![], cycle: vec![fill, back] };
        let after = |f| word_of(&net, &fs, f, &run).unwrap().violated_after(&fs, f);
        assert_eq!((after(never), after(now)), (Some(2), Some(1)));
        assert_eq!(replay_beginning(&net, &fs, never, &[fill, back, fill]), Ok(2));
        assert_eq!(replay_beginning(&net, &fs, never, &[fill]), Err(ReplayError::Satisfies));
        assert_eq!(replay_beginning(&net, &fs, now, &[]), Err(ReplayError::Satisfies));
        assert!(replay_beginning(&net, &fs, now, &[take]).is_err(), "not enabled");
        let mut b = NetBuilder::new("end");
        let p = b.place("p", 1);
        let stop = b.transition("stop", &[(p, 1)], &[]);
        let net = b.build().unwrap();
        let mut fs = Formulas::new();
        let mut symbols = Symbols::of_net(&net);
        let f = parse("F X fires(stop)", &mut fs, &mut symbols).unwrap();
        let run = Run { prefix: vec![stop], cycle: vec![] };
        assert_eq!(crate::replay(&net, &fs, f, &run), Ok(()), "it fires at the first position");
    }
}
