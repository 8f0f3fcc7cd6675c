//! Engines that take turns at one question, in rounds of growing work.

use super::Stages;
use super::timeline::{Timeline, words};
use crate::engine::{BadOption, Engine, FairQuestion, Question};
use crate::explicit::ExplicitEngine;
use crate::hunt::HuntEngine;
use crate::symbolic::SymbolicEngine;
use crate::verdict::{Reason, Stats, Verdict};
use brine_explicit::hunt::HuntOptions;
use brine_explicit::por::Por;
use brine_net::order::OrderSpec;
use brine_net::{Net, Structure};
use brine_run::{Control, Deepening, Shared, Standing, Turn, recent_resident_bytes};
use std::fmt;
use std::time::{Duration, Instant};

/// The work of the first round: about as long for each engine.
pub(super) const FIRST_WORK: u64 = brine_sat::FIRST_TICKS;
/// A search that is left may hold this part of the memory, and at most so many bytes; with more,
/// it starts over.
const HELD_SHARE: u64 = 8;
const HELD_MOST: u64 = 512 << 20;

/// What an engine said, and which.
#[derive(Debug)]
pub(super) struct RoundAnswer {
    pub(super) engine: &'static str,
    pub(super) verdict: Verdict,
    pub(super) stats: Stats,
}

impl RoundAnswer {
    /// No engine has an answer.
    pub(super) fn none(reason: Reason) -> Self {
        let (verdict, stats) = (Verdict::Unknown(reason), Stats::default());
        RoundAnswer { engine: "auto", verdict, stats }
    }
}

type Engines<'a> = Deepening<Box<dyn Engine + Send + 'a>>;

/// The engines that work on one question. The order is that of their turns on one core.
pub(super) struct Rounds<'a> {
    /// Those that have not run out of memory or of numbers yet.
    engines: Engines<'a>,
    /// Why others left; memory, if it was that for any.
    gone: Option<Reason>,
}

impl fmt::Debug for Rounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.engines.members().iter().map(|e| e.name());
        f.debug_list().entries(names).finish()
    }
}

/// The turn of an engine, ended.
struct Ended {
    engine: &'static str,
    start: Instant,
    time: Duration,
    verdict: Verdict,
    stats: Stats,
    /// What others held was in its way.
    crowded: bool,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(
        stages: Stages,
        order: Option<OrderSpec>,
        net: &Shared<'a, Net>,
        structure: &Shared<'a, Structure>,
        question: &Question,
    ) -> Result<Self, BadOption> {
        let mut engines: Vec<Box<dyn Engine + Send + 'a>> = Vec::new();
        if stages.hunt {
            engines.push(Box::new(HuntEngine::new(net.clone(), HuntOptions::default())));
        }
        if stages.explicit {
            let engine = ExplicitEngine::new(net.clone(), structure, None, 0);
            engines.push(Box::new(engine.with_por(Some(Por::default()))));
        }
        if stages.symbolic {
            let engine = SymbolicEngine::of_net(net.clone(), structure.clone(), order);
            engines.push(Box::new(engine));
        }
        for engine in &mut engines {
            engine.begin(question.clone())?;
        }
        let none = Reason::Unsupported("no stage is left that could answer".to_owned());
        let gone = engines.is_empty().then_some(none);
        Ok(Rounds { engines: Deepening::new(engines, FIRST_WORK), gone })
    }

    /// The engines that know of events and fairness.
    pub(super) fn fair(
        stages: Stages,
        order: Option<OrderSpec>,
        net: &Shared<'a, Net>,
        structure: &Shared<'a, Structure>,
        question: &FairQuestion,
    ) -> Self {
        let mut engines: Vec<Box<dyn Engine + Send + 'a>> = Vec::new();
        if stages.explicit {
            engines.push(Box::new(ExplicitEngine::new(net.clone(), structure, None, 0)));
        }
        if stages.symbolic {
            let engine = SymbolicEngine::of_net(net.clone(), structure.clone(), order);
            engines.push(Box::new(engine));
        }
        let mut gone = Reason::without_events("what is left of auto");
        engines.retain_mut(|engine| match engine.begin_fair(question.clone()) {
            Ok(()) => true,
            Err(reason) => {
                gone = reason;
                false
            }
        });
        let gone = engines.is_empty().then_some(gone);
        Rounds { engines: Deepening::new(engines, FIRST_WORK), gone }
    }

    /// Rounds so far.
    pub(super) fn played(&self) -> u32 {
        self.engines.rounds()
    }

    /// The work of the next round.
    pub(super) fn next_work(&self) -> u64 {
        self.engines.next_work()
    }

    /// Bytes that the engines hold between two rounds.
    pub(super) fn held(&self) -> u64 {
        self.engines.members().iter().filter_map(|e| e.held()).sum()
    }

    /// Gives them back.
    pub(super) fn release(&mut self) {
        self.engines.members_mut().iter_mut().for_each(|e| e.release());
    }

    /// One round. `None` if it decided nothing and another one may.
    pub(super) fn play(
        &mut self,
        control: &Control,
        timeline: &mut Timeline,
    ) -> Option<RoundAnswer> {
        if self.engines.members().is_empty() {
            return Some(RoundAnswer::none(self.gone.clone().unwrap_or(Reason::Memory)));
        }
        let (held, base) = (self.held() > 0, recent_resident_bytes());
        let round = self.played() + 1;
        let turn = |engine: &mut Box<dyn Engine + Send + 'a>, turn: Turn| {
            control.enter(engine.name(), Some(round));
            take_turn(&mut **engine, turn, control, held, base)
        };
        let (threads, cancel) = (control.threads, control.cancel.as_deref());
        let ended = self.engines.round(threads, cancel, turn, Ended::standing);
        let mut last = None;
        for ended in ended {
            let what = format!("{}, round {}", ended.engine, self.played());
            timeline.add_timed(what, ended.start, ended.time, words(&Ok(ended.verdict.clone())));
            let Ended { engine, verdict, stats, crowded, .. } = ended;
            match verdict {
                Verdict::Unknown(Reason::Steps) => {}
                Verdict::Unknown(reason @ (Reason::Memory | Reason::Unsupported(_))) => {
                    if crowded && reason == Reason::Memory {
                        self.release();
                    } else {
                        self.gone =
                            self.gone.take().filter(|r| *r == Reason::Memory).or(Some(reason));
                    }
                }
                Verdict::Unknown(reason) => last = Some(RoundAnswer::none(reason)),
                verdict => last = Some(RoundAnswer { engine, verdict, stats }),
            }
        }
        let none = self.engines.members().is_empty();
        last.or_else(|| {
            none.then(|| RoundAnswer::none(self.gone.clone().unwrap_or(Reason::Memory)))
        })
    }
}

/// One engine's turn in a round that began with `base` bytes of the process, and with some of
/// them `held` by engines.
fn take_turn(
    engine: &mut (dyn Engine + Send),
    turn: Turn,
    control: &Control,
    held: bool,
    base: usize,
) -> Ended {
    let mut control = Control { work: Some(turn.work), ..control.share(turn.of, turn.cancel) };
    let counts_its_own = engine.held().is_some();
    if !counts_its_own {
        control = control.resident_beyond(base);
    }
    let start = Instant::now();
    let (verdict, stats) = engine.advance(&control);
    let most = control.charged.map_or(HELD_MOST, |bytes| (bytes / HELD_SHARE).min(HELD_MOST));
    if engine.held().is_some_and(|bytes| bytes > most) {
        engine.release();
    }
    let crowded = held && !counts_its_own;
    Ended { engine: engine.name(), start, time: start.elapsed(), verdict, stats, crowded }
}

impl Ended {
    /// An engine that ran out of the memory of the process while others held some of it has another
    /// turn without that.
    fn standing(&self) -> Standing {
        match &self.verdict {
            Verdict::Unknown(Reason::Steps) => Standing::Open,
            Verdict::Unknown(Reason::Memory) if self.crowded => Standing::Open,
            Verdict::Unknown(Reason::Memory) => Standing::Full,
            Verdict::Unknown(Reason::Unsupported(_)) => Standing::Out,
            _ => Standing::Decided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_run::Search;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Holds bytes whenever it is left; never decides.
    struct Holder(Arc<AtomicU64>);

    /// Decides once nothing is held.
    struct Starved(Arc<AtomicU64>);

    impl Search for Holder {
        type Outcome = (Verdict, Stats);

        fn advance(&mut self, _: &Control) -> (Verdict, Stats) {
            self.0.store(100, Ordering::Relaxed);
            (Verdict::Unknown(Reason::Steps), Stats::default())
        }
    }

    impl Engine for Holder {
        fn name(&self) -> &'static str {
            "holder"
        }

        fn begin(&mut self, _: Question) -> Result<(), BadOption> {
            Ok(())
        }

        fn held(&self) -> Option<u64> {
            Some(self.0.load(Ordering::Relaxed))
        }

        fn release(&mut self) {
            self.0.store(0, Ordering::Relaxed);
        }
    }

    impl Search for Starved {
        type Outcome = (Verdict, Stats);

        fn advance(&mut self, _: &Control) -> (Verdict, Stats) {
            let free = self.0.load(Ordering::Relaxed) == 0;
            let full = Verdict::Unknown(Reason::Memory);
            (if free { Verdict::Holds } else { full }, Stats::default())
        }
    }

    impl Engine for Starved {
        fn name(&self) -> &'static str {
            "starved"
        }

        fn begin(&mut self, _: Question) -> Result<(), BadOption> {
            Ok(())
        }
    }

    /// The verdict and the round, with the one that is short of memory first or last.
    fn play(starved_first: bool, control: &Control) -> (Verdict, u32) {
        let bytes = Arc::new(AtomicU64::new(100));
        let mut engines: Vec<Box<dyn Engine + Send>> =
            vec![Box::new(Starved(bytes.clone())), Box::new(Holder(bytes))];
        if !starved_first {
            engines.reverse();
        }
        let mut rounds = Rounds { engines: Deepening::new(engines, 1), gone: None };
        let mut timeline = Timeline::new(Instant::now());
        for _ in 0..9 {
            if let Some(answer) = rounds.play(control, &mut timeline) {
                return (answer.verdict, rounds.played());
            }
        }
        (Verdict::Unknown(Reason::Steps), rounds.engines.members().len() as u32)
    }

    #[test]
    fn what_is_held_is_given_back_to_whom_it_is_in_the_way_of() {
        assert_eq!(play(true, &Control::default()), (Verdict::Holds, 2));
    }

    #[test]
    fn who_runs_out_of_memory_again_is_left_out() {
        // The other one takes its memory again before each of its turns.
        assert_eq!(play(false, &Control::default()), (Verdict::Unknown(Reason::Steps), 1));
    }

    #[test]
    fn what_holds_too_much_starts_over() {
        let tight = Control { charged: Some(8 * 99), ..Control::default() };
        assert_eq!(play(false, &tight), (Verdict::Holds, 1));
    }
}
