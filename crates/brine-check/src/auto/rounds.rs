//! Engines that take turns at one question, in rounds of growing work.

use super::Stages;
use super::timeline::{Timeline, words};
use crate::engine::{BadOption, Engine, Question};
use crate::explicit::ExplicitEngine;
use crate::hunt::HuntEngine;
use crate::symbolic::SymbolicEngine;
use crate::verdict::{Reason, Stats, Verdict};
use brine_explicit::hunt::HuntOptions;
use brine_explicit::por::Por;
use brine_net::order::OrderSpec;
use brine_net::{Net, Structure};
use brine_run::{Control, Deepening, Shared, Standing, Turn};
use std::fmt;
use std::time::{Duration, Instant};

/// The work of the first round: about as long for each engine.
pub(super) const FIRST_WORK: u64 = brine_sat::FIRST_TICKS;
/// A search that is left may hold this part of the memory; with more, it starts over.
const HELD_SHARE: u64 = 8;

/// What an engine said, and which.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) engine: &'static str,
    pub(super) verdict: Verdict,
    pub(super) stats: Stats,
}

impl Answer {
    /// No engine has an answer.
    fn none(reason: Reason) -> Self {
        let (verdict, stats) = (Verdict::Unknown(reason), Stats::default());
        Answer { engine: "auto", verdict, stats }
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

    /// Rounds so far.
    pub(super) fn played(&self) -> u32 {
        self.engines.rounds()
    }

    /// The work of the next round.
    pub(super) fn next_work(&self) -> u64 {
        self.engines.next_work()
    }

    /// One round. `None` if it decided nothing and another one may.
    pub(super) fn play(&mut self, control: &Control, timeline: &mut Timeline) -> Option<Answer> {
        if self.engines.members().is_empty() {
            return Some(Answer::none(self.gone.clone().unwrap_or(Reason::Memory)));
        }
        // An engine that runs out of the memory of the process while others hold some of it has
        // another turn without that.
        let held = self.engines.members().iter().any(|e| e.held().is_some_and(|bytes| bytes > 0));
        let turn = |engine: &mut Box<dyn Engine + Send + 'a>, turn: Turn| {
            let work = Some(turn.work);
            let control = Control { work, ..control.share(turn.of, turn.cancel) };
            let start = Instant::now();
            let (verdict, stats) = engine.advance(&control);
            let too_much = |bytes| control.charged.is_some_and(|most| bytes > most / HELD_SHARE);
            if engine.held().is_some_and(too_much) {
                engine.release();
            }
            let crowded = held && engine.held().is_none();
            let (engine, time) = (engine.name(), start.elapsed());
            Ended { engine, start, time, verdict, stats, crowded }
        };
        let standing = |ended: &Ended| match &ended.verdict {
            Verdict::Unknown(Reason::Steps) => Standing::Open,
            Verdict::Unknown(Reason::Memory) if ended.crowded => Standing::Open,
            Verdict::Unknown(Reason::Memory) => Standing::Full,
            Verdict::Unknown(Reason::Unsupported(_)) => Standing::Out,
            _ => Standing::Decided,
        };
        let ended = self.engines.round(control.threads, control.cancel.as_deref(), turn, standing);
        let mut last = None;
        for ended in ended {
            let what = format!("{}, round {}", ended.engine, self.played());
            timeline.add_timed(what, ended.start, ended.time, words(&Ok(ended.verdict.clone())));
            let Ended { engine, verdict, stats, crowded, .. } = ended;
            match verdict {
                Verdict::Unknown(Reason::Steps) => {}
                Verdict::Unknown(reason @ (Reason::Memory | Reason::Unsupported(_))) => {
                    if crowded && reason == Reason::Memory {
                        self.engines.members_mut().iter_mut().for_each(|e| e.release());
                    } else {
                        self.gone =
                            self.gone.take().filter(|r| *r == Reason::Memory).or(Some(reason));
                    }
                }
                Verdict::Unknown(reason) => last = Some(Answer::none(reason)),
                verdict => last = Some(Answer { engine, verdict, stats }),
            }
        }
        let none = self.engines.members().is_empty();
        last.or_else(|| none.then(|| Answer::none(self.gone.clone().unwrap_or(Reason::Memory))))
    }
}
