//! A model that is walked step by step: for `brine replay` and `brine simulate`.
//!
//! Nothing of the engines is in here: steps are fired by the replay ([`Replayable`]), of nets with
//! its own firing rule, of DVE models by their interpreter.

use crate::formula_files::GivenFormula;
use crate::model::LanguageModel;
use crate::properties::from_texts;
use anyhow::bail;
use brine_check::ReplayedModel;
use brine_check::TextKind;
use brine_check::shorten::RunFacts;
use brine_check::show::{Subject, Trace, Truth};
use brine_ltl::{Formula, Formulas, Query, Symbols};
use brine_net::{Net, Run, TransitionId};
use brine_pins::{GroupId, SlotId};
use brine_pnml::Model;
use brine_replay::{ReplayError, Replayable, RunWord, beginning_word, word_of};
use brine_run::Control;
use brine_source::Source;
use std::ops::Deref;

/// A model whose steps have names.
pub(crate) enum WalkedModel {
    /// A net; a coloured one unfolded.
    Net(Box<Model>),
    /// A model that is none.
    Language(LanguageModel),
}

/// What fires the steps of a model.
pub(crate) enum Walker<'a> {
    /// Of a net.
    Net(&'a Net),
    /// Of a model that is none.
    Language(ReplayedModel<'a>),
}

impl<'a> Deref for Walker<'a> {
    type Target = dyn Replayable + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Walker::Net(net) => *net,
            Walker::Language(model) => model,
        }
    }
}

impl WalkedModel {
    /// Where steps are fired.
    pub(crate) fn replayable(&self) -> Walker<'_> {
        match self {
            WalkedModel::Net(model) => Walker::Net(&model.net),
            WalkedModel::Language(model) => Walker::Language(ReplayedModel { model: model.pins() }),
        }
    }

    /// What runs are runs of.
    pub(crate) fn subject(&self) -> Subject<'_> {
        match self {
            WalkedModel::Net(model) => Subject::Net(&model.net),
            WalkedModel::Language(model) => Subject::Model(model.pins()),
        }
    }

    /// The net, if it is one.
    pub(crate) fn net(&self) -> Option<&Net> {
        match self {
            WalkedModel::Net(model) => Some(&model.net),
            WalkedModel::Language(_) => None,
        }
    }

    /// The names of places and transitions, or of slots and steps.
    pub(crate) fn symbols(&self) -> Symbols {
        match self {
            WalkedModel::Net(model) => model.symbols(),
            WalkedModel::Language(model) => {
                let model = model.pins();
                let slots: Vec<String> =
                    (0..model.slots() as u32).map(|s| model.slot_name(SlotId(s))).collect();
                let groups: Vec<String> =
                    (0..model.groups() as u32).map(|g| model.group_name(GroupId(g))).collect();
                let slots = slots.iter().map(String::as_str);
                Symbols::of_names(slots, groups.iter().map(String::as_str))
            }
        }
    }

    /// Reads formulas in the language of the model.
    pub(crate) fn read_formulas(
        &mut self,
        texts: &[GivenFormula],
        formulas: &mut Formulas,
        symbols: &mut Symbols,
    ) -> anyhow::Result<Vec<Formula>> {
        if let WalkedModel::Language(LanguageModel::Dve(model)) = self {
            let read = |given: &GivenFormula| {
                let formula = model.formula(&given.text, formulas);
                formula.map_err(|e| given.complaint_at_start("--ltl", &e.to_string()))
            };
            // Its formulas have atoms of their own, which print themselves.
            *symbols = Symbols::open();
            return texts.iter().map(read).collect();
        }
        read_ltl(texts, formulas, symbols)
    }

    /// The word of a run, or of the beginning of one.
    pub(crate) fn word(
        &self,
        formulas: &Formulas,
        formula: Formula,
        run: &Run,
        open: bool,
    ) -> Result<RunWord, ReplayError> {
        let model = self.replayable();
        match open {
            true => {
                let steps: Vec<TransitionId> = run.steps().collect();
                beginning_word(&*model, formulas, formula, &steps)
            }
            false => word_of(&*model, formulas, formula, run),
        }
    }

    /// A run that was replayed, with what a formula says along it.
    pub(crate) fn trace(
        &self,
        run: &Run,
        facts: RunFacts,
        wording: Option<(&Formulas, Formula, &Symbols)>,
    ) -> Trace {
        let word = wording.and_then(|(fs, f, _)| self.word(fs, f, run, facts.open).ok());
        let truth = wording.zip(word.as_ref()).map(|((formulas, formula, symbols), word)| Truth {
            formulas,
            formula,
            symbols,
            word,
            own_places: true,
        });
        Trace::new(self.subject(), run, facts, truth)
    }
}

/// Reads a model; a coloured net is unfolded.
pub(crate) fn load_walked(
    source: &Source,
    control: &Control,
    quiet: bool,
) -> anyhow::Result<WalkedModel> {
    if crate::model::is_language(source.path()) {
        return Ok(WalkedModel::Language(crate::model::load_language(source)?));
    }
    let model = crate::model::load(source, control)?;
    crate::model::show_warnings(&model.warnings, quiet);
    Ok(WalkedModel::Net(Box::new(model)))
}

/// Formulas of LTL about nets and guarded commands.
pub(crate) fn read_ltl(
    texts: &[GivenFormula],
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<Formula>> {
    let mut all = Vec::with_capacity(texts.len());
    for named in from_texts(TextKind::Ltl, texts, formulas, symbols)? {
        let Query::AllRuns(formula) = named.query else {
            bail!("--ltl: {} is no formula of LTL", named.name);
        };
        all.push(formula);
    }
    Ok(all)
}
