//! Models that are no nets: guarded commands and DVE.

use crate::Error;
use crate::model::Node;
use crate::question::Question;
use brine_check::Asked;
use brine_dve::DveModel;
use brine_ltl::{Formulas, Symbols};
use brine_pins::gcl::{self, GuardedCommands};
use brine_pins::{GroupId, Pins, SlotId};

/// A model that is no net.
#[derive(Debug)]
pub(crate) struct LanguageModel {
    text: Text,
    file: String,
}

/// DVE takes up the atoms of formulas as labels, so it is read anew for each question.
#[derive(Debug)]
enum Text {
    Commands(Box<GuardedCommands>),
    Dve(String, Box<DveModel>),
}

impl LanguageModel {
    /// Reads a text; `file` is what messages call it.
    pub(crate) fn read(file: &str, text: &str, dve: bool) -> Result<Self, Error> {
        let file = file.to_owned();
        let text = match dve {
            true => Text::Dve(text.to_owned(), Box::new(dve_model(&file, text)?)),
            false => {
                let model = gcl::parse(text);
                let at = |e: gcl::GclError| Error::at(&file, e.line, e.column, &e.message);
                Text::Commands(Box::new(model.map_err(at)?))
            }
        };
        Ok(LanguageModel { text, file })
    }

    pub(crate) fn is_dve(&self) -> bool {
        matches!(self.text, Text::Dve(..))
    }

    pub(crate) fn pins(&self) -> &dyn Pins {
        match &self.text {
            Text::Commands(model) => &**model,
            Text::Dve(_, model) => &**model,
        }
    }

    pub(crate) fn slots(&self) -> Vec<Node> {
        let names = (0..self.pins().slots() as u32).map(|s| self.pins().slot_name(SlotId(s)));
        names.map(|name| Node::new(&name, &name)).collect()
    }

    pub(crate) fn groups(&self) -> Vec<Node> {
        let names = (0..self.pins().groups() as u32).map(|g| self.pins().group_name(GroupId(g)));
        names.map(|name| Node::new(&name, &name)).collect()
    }

    /// Reads a question; engines get the model that is handed back with it.
    pub(crate) fn question(
        &self,
        question: &Question,
        formulas: &mut Formulas,
        symbols: &mut Symbols,
    ) -> Result<(Asked, AskedModel<'_>), Error> {
        let asked = match &self.text {
            Text::Commands(model) => {
                *symbols = Symbols::of_names(model.slot_names(), model.group_names());
                (question.read(formulas, symbols)?, AskedModel::Shared(self.pins()))
            }
            Text::Dve(text, _) => {
                let mut model = dve_model(&self.file, text)?;
                let asked = match question {
                    Question::Ltl(text) => {
                        let at = |e: brine_dve::DveError| {
                            Error::at("formula", e.line, e.column, &e.message)
                        };
                        Asked::Formula(model.formula(text, formulas).map_err(at)?)
                    }
                    Question::PropertyProcess => {
                        let at = |e: brine_dve::DveError| {
                            Error::at(&self.file, e.line, e.column, &e.message)
                        };
                        let none = || Error::options("the model has no property process");
                        let property = model.property().map_err(at)?;
                        Asked::Automaton(Box::new(property.ok_or_else(none)?))
                    }
                    _ => {
                        return Err(Error::options(
                            "a DVE model is asked formulas of LTL and its property process",
                        ));
                    }
                };
                (asked, AskedModel::Own(Box::new(model)))
            }
        };
        match asked.0 {
            Asked::Branching(_) => Err(Error::options("formulas of CTL need a net")),
            _ => Ok(asked),
        }
    }
}

/// The model that a question is about.
pub(crate) enum AskedModel<'a> {
    Shared(&'a dyn Pins),
    Own(Box<DveModel>),
}

impl AskedModel<'_> {
    pub(crate) fn pins(&self) -> &dyn Pins {
        match self {
            AskedModel::Shared(pins) => *pins,
            AskedModel::Own(model) => &**model,
        }
    }
}

fn dve_model(file: &str, text: &str) -> Result<DveModel, Error> {
    brine_dve::parse(text).map_err(|e| Error::at(file, e.line, e.column, &e.message))
}
