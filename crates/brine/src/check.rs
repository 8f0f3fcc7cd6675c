//! From a question to an answer: about a net, a coloured net, a model that is none.
//!
//! Everything is decided by the answerers of `brine-check`, as in the command.

use crate::answer::Answer;
use crate::language::LanguageModel;
use crate::model::{Body, PlainNet};
use crate::options::Limits;
use crate::question::Question;
use crate::run::RunOf;
use crate::{Error, Model, Options};
use brine_check::coloured::ColouredModel;
use brine_check::{
    Answerer, Asked, ColouredAnswerer, Decision, EngineSpec, ModelAnswerer, NetAnswerer, Reason,
    Turn,
};
use brine_ltl::{Formulas, Symbols};
use brine_pnml::coloured_symbols;
use brine_run::Shelf;
use std::mem::ManuallyDrop;

impl Model {
    /// Answers a question; a text is a formula of LTL that all runs are to satisfy.
    ///
    /// An error is a mistake in the question or the options, or a defect of Brine; a budget that
    /// runs out is an answer.
    pub fn check(&self, question: impl Into<Question>, options: &Options) -> Result<Answer, Error> {
        let (question, limits) = (question.into(), options.start());
        let asking = Asking { model: self, question: &question, options, limits: &limits };
        let answer = match self.body() {
            Body::Language(model) => asking.language(model),
            Body::Plain(plain) => asking.plain(plain),
            Body::Coloured(coloured) => match asking.coloured(&coloured.net)? {
                Some(answer) => Ok(answer),
                None => self.plain(&limits).and_then(|plain| asking.plain(plain)),
            },
        };
        match answer {
            // What runs out before the search is as unknown as what runs out in it.
            Err(error) if error.kind == crate::ErrorKind::Stopped => {
                Ok(asking.stopped(&error.message))
            }
            answer => answer,
        }
    }
}

/// A question with all that belongs to it.
struct Asking<'a> {
    model: &'a Model,
    question: &'a Question,
    options: &'a Options,
    limits: &'a Limits,
}

impl Asking<'_> {
    /// The net that the run of a decision is a run of.
    fn subject(&self, decision: &Decision) -> RunOf {
        match (&decision.run_net, self.model.body()) {
            (Some(part), _) => RunOf::Part(part.clone()),
            (None, Body::Language(_)) => RunOf::Language,
            (None, _) => RunOf::Net(self.model.clone()),
        }
    }

    fn stopped(&self, message: &str) -> Answer {
        let reason = match self.limits.control().look() {
            Err(stop) => stop.into(),
            Ok(()) if message.contains("memory") => Reason::Memory,
            Ok(()) => Reason::Timeout,
        };
        let decision =
            Decision::unknown(self.options.spec().map_or("", |s| s.name().name()), reason);
        Answer::new(self.question.name(), &decision, None, vec![message.to_owned()])
    }

    /// The whole turn of the only question.
    fn answer(&self, answerer: &mut dyn Answerer, asked: &Asked) -> Result<Answer, Error> {
        let turn = Turn::only(self.limits.budget(), self.options.wants_shortest());
        let mut decision = answerer.advance(asked, &turn)?;
        decision.time = self.limits.began.elapsed();
        let trace = answerer.trace(asked, &decision);
        let run = trace.map(|trace| (trace, self.subject(&decision)));
        Ok(Answer::new(self.question.name(), &decision, run, answerer.notes(&decision)))
    }

    fn plain(&self, plain: &PlainNet) -> Result<Answer, Error> {
        let (mut formulas, mut symbols) = (Formulas::new(), plain.model.symbols());
        let asked = self.question.read(&mut formulas, &mut symbols)?;
        let control = self.limits.control();
        let structure = plain.structure(control.clone());
        let shelf = Shelf::default();
        let (about, words) = ((plain.net(), &structure), (&formulas, &symbols));
        let mut answerer = NetAnswerer::new(self.options.spec()?, about, words, &shelf, &control)?;
        self.answer(&mut answerer, &asked)
    }

    /// `auto` decides formulas about coloured places and transitions without unfolding, if it can;
    /// `None` where the net has to be unfolded.
    fn coloured(&self, model: &ColouredModel) -> Result<Option<Answer>, Error> {
        let EngineSpec::Auto { stages, order: None } = self.options.spec()? else {
            return Ok(None);
        };
        if matches!(self.question, Question::Hoa(_)) {
            return Ok(None);
        }
        let (mut formulas, mut symbols) = (Formulas::new(), coloured_symbols(model.net()));
        // A name that is not known here may be one of the unfolded net.
        let Ok(asked) = self.question.read(&mut formulas, &mut symbols) else { return Ok(None) };
        // Each binding is an event of its own.
        if asked.formula().is_some_and(|f| formulas.has_events(f)) {
            return Ok(None);
        }
        let questions = ColouredAnswerer::questions(model, &formulas, [&asked]);
        let shelves = ManuallyDrop::new((Shelf::default(), Shelf::default()));
        let words = (&formulas, &symbols);
        let mut answerer = ColouredAnswerer::new((model, stages), words, &questions, &shelves);
        self.answer(&mut answerer, &asked).map(Some)
    }

    fn language(&self, model: &LanguageModel) -> Result<Answer, Error> {
        let (mut formulas, mut symbols) = (Formulas::new(), Symbols::open());
        let engine = self.options.spec()?.build_for_model(model.is_dve())?;
        let (asked, model) = model.question(self.question, &mut formulas, &mut symbols)?;
        let (model, formulas, symbols) = (model.pins(), &formulas, &symbols);
        self.answer(&mut ModelAnswerer { model, engine, formulas, symbols }, &asked)
    }
}
