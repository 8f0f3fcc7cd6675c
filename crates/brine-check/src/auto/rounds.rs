//! Engines that compete for one question, in rounds of growing work.

use super::Stages;
use super::timeline::{Timeline, words};
use crate::budget::Budget;
use crate::decide::DecideError;
use crate::engine::{Engine, Question};
use crate::explicit::ExplicitEngine;
use crate::hunt::HuntEngine;
use crate::symbolic::SymbolicEngine;
use crate::verdict::{Reason, Stats, Verdict};
use brine_dd::{Attempt, side_by_side};
use brine_explicit::hunt::HuntOptions;
use brine_explicit::por::Por;
use brine_net::Structure;
use brine_net::order::{Candidate, OrderSpec, candidates_within};
use brine_run::Stop;
use brine_sat::Trials;
use brine_scc::Method;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Steps of explicit search in the first round: about as long as a first round of orders.
const FIRST_STEPS: u64 = 60_000;
/// How much more work each round gives.
const GROWTH: u64 = 4;

/// One round of the hunt.
pub(super) fn hunt(
    question: Question<'_>,
    round: u32,
    budget: &Budget,
) -> Result<(Verdict, Stats), DecideError> {
    let options = HuntOptions { first: round, rounds: Some(1), ..HuntOptions::default() };
    Ok(HuntEngine::new(question.net, options).answer(question, budget)?)
}

/// What an engine said, and which.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) engine: &'static str,
    pub(super) verdict: Verdict,
    pub(super) stats: Stats,
}

impl Answer {
    /// Nobody knows.
    fn none(reason: Reason) -> Self {
        let (verdict, stats) = (Verdict::Unknown(reason), Stats::default());
        Answer { engine: "auto", verdict, stats }
    }
}

/// Those who take part. The order is that in which they would run on one core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Player {
    Hunt,
    Explicit,
    Symbolic,
}

/// The competition.
#[derive(Debug)]
pub(super) struct Rounds {
    /// Who has not run out of memory or of numbers yet.
    players: Vec<Player>,
    /// Why others left; memory, if it was that for anyone.
    gone: Option<Reason>,
    /// The orders of the symbolic engine, once it has played.
    trials: Option<Trials>,
    order: Option<OrderSpec>,
    round: u32,
}

/// One player's turn, ended.
struct Turn {
    player: Player,
    start: Instant,
    time: Duration,
    result: Result<(Verdict, Stats), DecideError>,
}

impl Rounds {
    pub(super) fn new(stages: Stages, order: Option<OrderSpec>) -> Self {
        let all = [
            (stages.hunt, Player::Hunt),
            (stages.explicit, Player::Explicit),
            (stages.symbolic, Player::Symbolic),
        ];
        let players = all.into_iter().filter(|p| p.0).map(|p| p.1).collect();
        Rounds { players, gone: None, trials: None, order, round: 0 }
    }

    /// Rounds so far.
    pub(super) fn played(&self) -> u32 {
        self.round
    }

    /// One round. `None` if it decided nothing and another one may.
    pub(super) fn play(
        &mut self,
        question: Question<'_>,
        structure: &Structure,
        budget: &Budget,
        timeline: &mut Timeline,
    ) -> Result<Option<Answer>, DecideError> {
        let start = Instant::now();
        if self.round == 0 && self.players.is_empty() {
            let reason = Reason::Unsupported("no stage is left that could answer".to_owned());
            return Ok(Some(Answer::none(reason)));
        }
        let steps = FIRST_STEPS.saturating_mul(GROWTH.saturating_pow(self.round));
        self.round += 1;
        for heat in self.players.clone().chunks(budget.threads.max(1)) {
            // Who plays together shares threads and memory.
            let memory = budget.memory.map(|m| m / heat.len() as u64);
            let threads = budget.threads / heat.len();
            let rest = Budget { memory, threads, ..budget.since(start) };
            let table = Table {
                question,
                structure,
                budget: rest,
                round: self.round,
                steps,
                order: self.order,
            };
            for turn in self.heat(heat, &table) {
                let what = format!("{}, round {}", turn.player.name(), self.round);
                let said = turn.result.as_ref().map(|r| r.0.clone()).map_err(Clone::clone);
                timeline.add_timed(what, turn.start, turn.time, words(&said));
                let (verdict, stats) = turn.result?;
                match verdict {
                    Verdict::Unknown(Reason::Steps) => {}
                    // Who plays alone and runs out of memory would do so again.
                    Verdict::Unknown(reason @ (Reason::Memory | Reason::Unsupported(_))) => {
                        self.players.retain(|p| *p != turn.player);
                        self.gone =
                            self.gone.take().filter(|r| *r == Reason::Memory).or(Some(reason));
                    }
                    Verdict::Unknown(reason) => return Ok(Some(Answer::none(reason))),
                    verdict => {
                        return Ok(Some(Answer { engine: turn.player.name(), verdict, stats }));
                    }
                }
            }
        }
        let nobody = self.players.is_empty();
        Ok(nobody.then(|| Answer::none(self.gone.clone().unwrap_or(Reason::Memory))))
    }

    /// The turns of players who play at the same time, up to the first that decides.
    fn heat(&mut self, players: &[Player], table: &Table<'_>) -> Vec<Turn> {
        let trials = &mut self.trials;
        let mut attempts: Vec<Attempt<'_, Turn>> = Vec::new();
        if players.contains(&Player::Hunt) {
            attempts.push(Box::new(|cancel| table.turn(Player::Hunt, cancel, Table::hunt)));
        }
        if players.contains(&Player::Explicit) {
            attempts.push(Box::new(|cancel| table.turn(Player::Explicit, cancel, Table::explicit)));
        }
        if players.contains(&Player::Symbolic) {
            attempts.push(Box::new(|cancel| {
                table.turn(Player::Symbolic, cancel, |table, budget| {
                    Ok(table.symbolic(trials, budget))
                })
            }));
        }
        let alone = attempts.len() == 1;
        match attempts.pop() {
            Some(only) if alone => vec![only(table.budget.cancel.clone())],
            Some(last) => {
                attempts.push(last);
                side_by_side(attempts, Some(&table.budget.cancel), Turn::decides)
            }
            None => Vec::new(),
        }
    }
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::Hunt => "hunt",
            Player::Explicit => "explicit",
            Player::Symbolic => "symbolic",
        }
    }
}

impl Turn {
    /// Whether nobody after this one is needed.
    fn decides(&self) -> bool {
        let open = |v: &Verdict| {
            use Reason::{Memory, Steps, Unsupported};
            matches!(v, Verdict::Unknown(Memory | Steps | Unsupported(_)))
        };
        !self.result.as_ref().is_ok_and(|r| open(&r.0))
    }
}

/// What is on the table in one heat.
struct Table<'a> {
    question: Question<'a>,
    structure: &'a Structure,
    budget: Budget,
    /// Counted from 1.
    round: u32,
    steps: u64,
    /// The order of levels that the user wants.
    order: Option<OrderSpec>,
}

impl Table<'_> {
    fn turn(
        &self,
        player: Player,
        cancel: Arc<AtomicBool>,
        play: impl FnOnce(&Self, &Budget) -> Result<(Verdict, Stats), DecideError>,
    ) -> Turn {
        let start = Instant::now();
        let result = play(self, &Budget { cancel, ..self.budget.clone() });
        Turn { player, start, time: start.elapsed(), result }
    }

    /// The orders that compete: the one that the user wants, if the net has it.
    fn orders(&self, budget: &Budget) -> Result<Trials, Stop> {
        let (net, control) = (self.question.net, budget.control());
        if let Some(spec) = self.order
            && let Some(layout) = spec.layout_within(net, self.structure, &control)?
        {
            return Ok(Trials::new(&[Candidate { spec, layout, score: 0.0 }]));
        }
        candidates_within(net, self.structure, &control).map(|all| Trials::new(&all))
    }

    fn hunt(&self, budget: &Budget) -> Result<(Verdict, Stats), DecideError> {
        // One round behind the others: it had its first before they began.
        hunt(self.question, self.round - 1, budget)
    }

    fn explicit(&self, budget: &Budget) -> Result<(Verdict, Stats), DecideError> {
        let engine = ExplicitEngine::new(self.question.net, self.structure, None, 0);
        let mut engine = engine.with_por(Some(Por::default())).with_steps(self.steps);
        Ok(engine.answer(self.question, budget)?)
    }

    fn symbolic(&self, trials: &mut Option<Trials>, budget: &Budget) -> (Verdict, Stats) {
        let net = self.question.net;
        let start = Instant::now();
        let orders = trials.take().map_or_else(|| self.orders(budget), Ok);
        let trials = match orders {
            Ok(orders) => trials.insert(orders),
            Err(stop) => return (Verdict::Unknown(stop.into()), Stats::default()),
        };
        let budget = &budget.since(start);
        SymbolicEngine::new("symbolic", net, self.structure, Method::default(), Vec::new()).round(
            self.question,
            trials,
            budget,
        )
    }
}
