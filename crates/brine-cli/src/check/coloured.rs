//! `brine check` on coloured nets, before they are unfolded.
//!
//! `auto` decides formulas about coloured places and transitions on the coloured net itself, and
//! unfolds it only where it has to. Everything else (one engine alone, automata, formulas that name
//! single colours) is asked about the unfolded net.

use super::branching::decide;
use super::turns::{Cases, ask_all};
use super::{Args, Asked, CheckQuestion, Sheet, read_questions};
use crate::clock::Clock;
use crate::exit::Exit;
use crate::model::keep;
use crate::watchdog::Watchdog;
use brine_check::coloured::{
    ColouredAuto, ColouredCase, ColouredModel, ColouredProperty, ColouredQuestion,
};
use brine_check::shorten::shorten_coloured;
use brine_check::show::{coloured_trace, vacuity_note};
use brine_check::{ColouredAsker, Decision, EngineSpec, Stages};
use brine_ltl::{Formulas, Symbols};
use brine_pnml::{AnyNet, NetFile, coloured_symbols};
use brine_run::{Search, Shelf};
use brine_source::Source;
use std::time::Instant;

/// Whether a file and what is asked about it can be dealt with here.
pub(super) enum Attempt {
    /// Yes.
    Possible(Box<ColouredQuestions>),
    /// The net has to be unfolded, or is a plain one.
    Unfold(Box<NetFile>),
}

/// Formulas about a coloured net.
pub(super) struct ColouredQuestions {
    model: ColouredModel,
    stages: Stages,
    formulas: Formulas,
    symbols: Symbols,
    questions: Vec<CheckQuestion>,
}

impl Attempt {
    pub(super) fn new(args: &Args, source: &Source, file: NetFile) -> anyhow::Result<Self> {
        let AnyNet::Coloured(net) = &file.net else { return Ok(Attempt::Unfold(Box::new(file))) };
        let EngineSpec::Auto { stages, order: None } = args.engine.spec()? else {
            return Ok(Attempt::Unfold(Box::new(file)));
        };
        if !args.hoa.is_empty() || !args.fair.is_none() {
            return Ok(Attempt::Unfold(Box::new(file)));
        }
        let (mut formulas, mut symbols) = (Formulas::new(), coloured_symbols(net));
        // A name that is not known here may be one of the unfolded net; if it is not, the message
        // is given there.
        let Ok(questions) = read_questions(args, source, &mut formulas, &mut symbols) else {
            return Ok(Attempt::Unfold(Box::new(file)));
        };
        // Each binding is an event of its own.
        let events = |q: &CheckQuestion| q.formula().is_some_and(|f| formulas.has_events(f));
        if questions.iter().any(events) {
            return Ok(Attempt::Unfold(Box::new(file)));
        }
        let AnyNet::Coloured(net) = file.net else { unreachable!("seen above") };
        let model = ColouredModel::new(net);
        let questions = ColouredQuestions { model, stages, formulas, symbols, questions };
        Ok(Attempt::Possible(Box::new(questions)))
    }
}

impl ColouredQuestions {
    /// Has each question decided, and prints what comes of it.
    pub(super) fn ask(
        self,
        args: &Args,
        clock: &Clock,
        dog: &Watchdog<Sheet>,
    ) -> anyhow::Result<Exit> {
        let ColouredQuestions { model, stages, formulas, symbols, questions } = keep(self);
        let name = crate::model::name_or_file(&model.net().name, &args.model);
        let property = |formula| ColouredProperty { net: model.net(), formulas, formula };
        let about_runs =
            |q: &CheckQuestion| q.formula().map(|f| ColouredQuestion::new(property(f)));
        let asked: Vec<Option<ColouredQuestion<'_>>> = questions.iter().map(about_runs).collect();
        let asked = keep(asked);
        if let Some(page) = &mut dog.words().page {
            page.title(&name);
            page.unfolded(model.net(), &clock.control());
        }
        let auto = ColouredAuto::new(model, *stages);
        let shelves = (keep(Shelf::default()), keep(Shelf::default()));
        let mut asker = ColouredAsker::new(model, auto.clone(), shelves.0, shelves.1);
        let words = |f| vacuity_note(formulas, f, symbols);
        let traces = |question: &CheckQuestion, decision: &Decision| {
            let trace = coloured_trace(property(question.formula()?), symbols, decision)?;
            let part = decision.run_net.as_deref().map(|part| (part, false));
            dog.words().draw(part, &trace);
            Some(trace)
        };
        let (mut cases, mut branching) = (Cases::default(), Cases::default());
        ask_all(args, dog, &name, questions, &words, &traces, |turn, question| {
            let start = Instant::now();
            let mut decision = match (&question.asked, &asked[turn.number]) {
                (Asked::Branching(ctl), _) => {
                    decide(&mut asker, &mut branching, formulas, ctl, turn)?
                }
                (_, Some(asked)) => {
                    let waiting: Option<ColouredCase<'_>> = cases.take(turn.number);
                    let mut case = waiting.unwrap_or_else(|| auto.case(asked));
                    let decision = case.advance(&turn.limited().search_control())?;
                    case.hold_at_most(turn.share.held);
                    cases.keep(turn.number, case, &decision);
                    decision
                }
                (_, None) => unreachable!("automata are asked about unfolded nets"),
            };
            if let Some(formula) = question.formula() {
                let effort = args.runs.effort(turn.budget.since(start));
                shorten_coloured(property(formula), &mut decision, &effort);
            }
            Ok(decision)
        })
    }
}
