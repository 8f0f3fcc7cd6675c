//! What can be asked about a model.

use crate::Error;
use brine_check::{Asked, NoVerdict, TextKind};
use brine_ltl::{Formulas, Symbols, read_hoa};
use brine_pnml::read_mcc;

/// A question about a model. A text by itself is a formula of LTL.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Question {
    /// Do all runs satisfy this formula of LTL?
    Ltl(String),
    /// `EF f`, can a marking like this be reached, or `AG f`, are all like this?
    Reach(String),
    /// Does the initial marking satisfy this formula of CTL?
    Ctl(String),
    /// Does this automaton, in HOA format, accept no run?
    Hoa(String),
    /// A property of a file of the Model Checking Contest.
    Contest {
        /// The text of the file.
        file: String,
        /// Which of its properties.
        id: String,
    },
    /// Does the property process of a DVE model accept no run?
    PropertyProcess,
}

impl From<&str> for Question {
    fn from(text: &str) -> Self {
        Question::ltl(text)
    }
}

impl From<String> for Question {
    fn from(text: String) -> Self {
        Question::Ltl(text)
    }
}

impl Question {
    /// Do all runs satisfy this formula of LTL?
    pub fn ltl(text: impl Into<String>) -> Self {
        Question::Ltl(text.into())
    }

    /// `EF f`, can a marking like this be reached, or `AG f`, are all like this?
    pub fn reach(text: impl Into<String>) -> Self {
        Question::Reach(text.into())
    }

    /// Does the initial marking satisfy this formula of CTL?
    pub fn ctl(text: impl Into<String>) -> Self {
        Question::Ctl(text.into())
    }

    /// Does this automaton, in HOA format, accept no run?
    pub fn hoa(text: impl Into<String>) -> Self {
        Question::Hoa(text.into())
    }

    /// A property of a file of the Model Checking Contest, by its id ([`contest_properties`]).
    pub fn contest(file: impl Into<String>, id: impl Into<String>) -> Self {
        Question::Contest { file: file.into(), id: id.into() }
    }

    /// What answers call it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Question::Ltl(text) | Question::Reach(text) | Question::Ctl(text) => text,
            Question::Hoa(_) => "automaton",
            Question::Contest { id, .. } => id,
            Question::PropertyProcess => "property",
        }
    }

    /// Reads it about a net, or a model of guarded commands.
    pub(crate) fn read(&self, fs: &mut Formulas, symbols: &mut Symbols) -> Result<Asked, Error> {
        let query = match self {
            Question::Ltl(text) => TextKind::Ltl.read(text, fs, symbols)?,
            Question::Reach(text) => TextKind::Reach.read(text, fs, symbols)?,
            Question::Ctl(text) => TextKind::Ctl.read(text, fs, symbols)?,
            Question::Hoa(text) => {
                return Ok(Asked::Automaton(Box::new(read_hoa(text, symbols)?)));
            }
            Question::Contest { file, id } => {
                let all = read_mcc(file, fs, symbols).map_err(|e| Error::input(e.to_string()))?;
                let found = all.into_iter().find(|p| p.id == *id);
                let missing = || Error::input(format!("the file has no property \"{id}\""));
                found.ok_or_else(missing)?.query
            }
            Question::PropertyProcess => {
                return Err(Error::options("only DVE models have a property process"));
            }
        };
        Asked::of(query, fs).map_err(|why| {
            Error::input(match why {
                NoVerdict::Number => {
                    format!("{} asks for a number, not for a verdict", self.name())
                }
                NoVerdict::Whole => {
                    format!("{} is about a whole net: Model::analyse tells it", self.name())
                }
            })
        })
    }
}

/// The ids of the properties in the text of a contest file, in its order.
///
/// ```
/// let file = "<property-set><property><id>p-00</id><formula><all-paths><globally><deadlock/>\
///             </globally></all-paths></formula></property></property-set>";
/// assert_eq!(brine::contest_properties(file)?, ["p-00"]);
/// # Ok::<(), brine::Error>(())
/// ```
pub fn contest_properties(file: &str) -> Result<Vec<String>, Error> {
    let (mut formulas, mut symbols) = (Formulas::new(), Symbols::open());
    let all = read_mcc(file, &mut formulas, &mut symbols);
    let all = all.map_err(|e| Error::input(e.to_string()))?;
    Ok(all.into_iter().map(|p| p.id).collect())
}
