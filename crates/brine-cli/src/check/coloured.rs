//! `brine check` on coloured nets, before they are unfolded.
//!
//! `auto` decides formulas about coloured places and transitions on the coloured net itself, and
//! unfolds it only where it has to. Everything else (one engine alone, automata, formulas that name
//! single colours) is asked about the unfolded net.

use super::turns::ask_all;
use super::{Args, CheckQuestion, Sheet, read_questions};
use crate::clock::Clock;
use crate::exit::Exit;
use crate::model::keep;
use crate::watchdog::Watchdog;
use brine_check::coloured::ColouredModel;
use brine_check::{ColouredAnswerer, EngineSpec, Stages};
use brine_ltl::{Formulas, Symbols};
use brine_pnml::{AnyNet, NetFile, coloured_symbols};
use brine_run::Shelf;
use brine_source::Source;

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
        if args.certificate.is_some() {
            crate::model::show_warnings(
                &["note: --certificate: the net is unfolded, its colours decide nothing"
                    .to_owned()],
                args.quiet,
            );
            return Ok(Attempt::Unfold(Box::new(file)));
        }
        if !args.hoa.is_empty() {
            return Ok(Attempt::Unfold(Box::new(file)));
        }
        let (mut formulas, mut symbols) = (Formulas::new(), coloured_symbols(net));
        // A name that is not known here may be one of the unfolded net; if it is not, the message
        // is given there.
        let Ok(questions) = read_questions(args, source, &mut formulas, &mut symbols) else {
            return Ok(Attempt::Unfold(Box::new(file)));
        };
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
        if let Some(page) = &mut dog.words().page {
            page.title(&name);
            page.unfolded(model.net(), &clock.control());
        }
        let about_runs =
            ColouredAnswerer::questions(model, formulas, questions.iter().map(|q| &q.asked));
        let (about_runs, shelves) = (keep(about_runs), keep((Shelf::default(), Shelf::default())));
        let mut answerer =
            ColouredAnswerer::new((model, *stages), (formulas, symbols), about_runs, shelves);
        ask_all(args, dog, &name, questions, &mut answerer, &|_| ())
    }
}
