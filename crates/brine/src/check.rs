//! From a question to an answer: about a net, a coloured net, a model that is none.
//!
//! Everything is decided by `brine-check`, in the same steps as in the command: decide (which
//! replays), shorten the run (which replays), annotate it.

use crate::answer::Answer;
use crate::language::LanguageModel;
use crate::model::{Body, PlainNet};
use crate::options::Limits;
use crate::question::{Asked, Question};
use crate::run::RunOf;
use crate::{Error, Model, Options};
use brine_check::coloured::{ColouredAuto, ColouredModel, ColouredProperty, ColouredQuestion};
use brine_check::shorten::{self, Effort};
use brine_check::show::{coloured_trace, model_trace, net_trace, vacuity_note};
use brine_check::{
    Asker, ColouredAsker, DecideError, Decision, EngineSpec, ModelProperty, PlainAsker, Property,
    QueryCase, Reason, SetupError, Violations,
};
use brine_ltl::{Ctl, Formulas, Symbols};
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
        match &decision.run_net {
            Some(part) => RunOf::Part(part.clone()),
            None => RunOf::Net(self.model.clone()),
        }
    }

    fn effort(&self) -> Effort {
        Effort { shortest: self.options.wants_shortest(), budget: self.limits.budget() }
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

    fn notes(&self, formulas: &Formulas, symbols: &Symbols, decision: &Decision) -> Vec<String> {
        decision.vacuous.iter().map(|&f| vacuity_note(formulas, f, symbols)).collect()
    }

    fn plain(&self, plain: &PlainNet) -> Result<Answer, Error> {
        let net = plain.net();
        let (mut formulas, mut symbols) = (Formulas::new(), plain.model.symbols());
        let asked = self.question.read(&mut formulas, &mut symbols)?;
        let formulas = formulas;
        let control = self.limits.control();
        let structure = plain.structure(control.clone());
        let spec = self.options.spec()?;
        let budget = self.limits.budget();
        let shelf = Shelf::default();
        let built = spec.build(net, &structure, &control);
        let mut decision = match &asked {
            Asked::Formula(formula) | Asked::SomeRun(formula) => {
                let property = Property { net, formulas: &formulas, formula: *formula };
                let mut decision = built?.decide(property, &budget)?;
                shorten::shorten(property, &mut decision, &self.effort());
                decision
            }
            Asked::Automaton(automaton) => {
                let violations = Violations::new((**automaton).clone(), &budget);
                let rest = self.limits.budget();
                let mut decision = built?.decide_automaton(net, &violations, &rest)?;
                shorten::shorten_automaton(net, &violations, &mut decision, &self.effort());
                decision
            }
            Asked::Branching(ctl) => {
                let decider = match built {
                    Ok(decider) => decider,
                    Err(SetupError::Stop(stop)) => return Err(stop.into()),
                    Err(SetupError::BadOption(bad)) => return Err(bad.into()),
                };
                let asker = PlainAsker::new(net, decider, &shelf);
                let mut asker = match spec.markings() {
                    Some(ways) => asker.with_markings(&structure, ways),
                    None => asker,
                };
                branching(&mut asker, &formulas, ctl, self.limits)?
            }
        };
        decision.time = self.limits.began.elapsed();
        let decision = asked.about(decision);
        let words = asked.formula().map(|f| (&formulas, f, &symbols));
        let trace = net_trace(net, words, &decision);
        let run = trace.map(|trace| (trace, self.subject(&decision)));
        let notes = self.notes(&formulas, &symbols, &decision);
        Ok(Answer::new(self.question.name(), &decision, run, notes))
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
        let formulas = formulas;
        let auto = ColouredAuto::new(model, stages);
        let property =
            |formula| ColouredProperty { net: model.net(), formulas: &formulas, formula };
        let budget = self.limits.budget();
        let question = asked.formula().map(|formula| ColouredQuestion::new(property(formula)));
        // Questions on the second shelf borrow from the first and from each other, so they cannot
        // be dropped: a formula of CTL costs its own text, for good.
        let shelves = ManuallyDrop::new((Shelf::default(), Shelf::default()));
        let decision = match (&asked, &question) {
            (Asked::Branching(ctl), _) => {
                let mut asker = ColouredAsker::new(model, auto, &shelves.0, &shelves.1);
                branching(&mut asker, &formulas, ctl, self.limits)?
            }
            (Asked::Formula(formula) | Asked::SomeRun(formula), Some(question)) => {
                let mut decision = auto.decide(question, &budget)?;
                shorten::shorten_coloured(property(*formula), &mut decision, &self.effort());
                decision
            }
            _ => return Ok(None),
        };
        let decision = asked.about(decision);
        let trace = asked.formula().and_then(|f| coloured_trace(property(f), &symbols, &decision));
        let run = trace.map(|trace| (trace, self.subject(&decision)));
        let notes = self.notes(&formulas, &symbols, &decision);
        Ok(Some(Answer::new(self.question.name(), &decision, run, notes)))
    }

    fn language(&self, model: &LanguageModel) -> Result<Answer, Error> {
        let (mut formulas, mut symbols) = (Formulas::new(), Symbols::open());
        let engine = self.options.spec()?.build_for_model(model.is_dve())?;
        let (asked, model) = model.question(self.question, &mut formulas, &mut symbols)?;
        let (model, formulas) = (model.pins(), &formulas);
        let budget = self.limits.budget();
        let decision = match (&asked, asked.formula()) {
            (_, Some(formula)) => {
                let property = ModelProperty { model, formulas, formula };
                let mut decision = engine.decide(property, &budget)?;
                shorten::shorten_model(property, &mut decision, &self.effort());
                decision
            }
            (Asked::Automaton(automaton), _) => {
                let violations = Violations::new((**automaton).clone(), &budget);
                let rest = self.limits.budget();
                let mut decision = engine.decide_automaton(model, &violations, &rest)?;
                shorten::shorten_model_automaton(model, &violations, &mut decision, &self.effort());
                decision
            }
            _ => return Err(Error::options("formulas of CTL need a net")),
        };
        let decision = asked.about(decision);
        let words = asked.formula().map(|f| (formulas, f, &symbols));
        let trace = model_trace(model, words, &decision);
        let run = trace.map(|trace| (trace, RunOf::Language));
        let notes = self.notes(formulas, &symbols, &decision);
        Ok(Answer::new(self.question.name(), &decision, run, notes))
    }
}

/// Decides a formula of CTL.
fn branching<A: Asker>(
    asker: &mut A,
    formulas: &Formulas,
    ctl: &Ctl,
    limits: &Limits,
) -> Result<Decision, DecideError> {
    let mut case = QueryCase::branching(formulas, ctl);
    case.advance(asker, &limits.budget(), u64::MAX).map(|(_, decision)| decision)
}
