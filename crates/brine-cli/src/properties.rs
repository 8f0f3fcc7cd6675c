//! Properties named on the command line: texts and contest files.

use crate::formula_files::GivenFormula;
use anyhow::{anyhow, bail};
use brine_check::TextKind;
use brine_ltl::{Formulas, Query, Symbols};
use brine_net::{PlaceId, TransitionId};
use brine_pnml::read_mcc;
use brine_source::{Source, Text};
use std::ops::RangeInclusive;
use std::path::Path;

/// A query with the name that the output gives it.
#[derive(Clone, Debug)]
pub(crate) struct NamedProperty {
    pub(crate) name: String,
    pub(crate) query: Query,
    /// The place that it is about, if it is one.
    pub(crate) place: Option<PlaceId>,
    /// The transition that it is about, if it is one.
    pub(crate) transition: Option<TransitionId>,
    /// Its answer is that of all queries beside it, whatever they say.
    pub(crate) decides_all: bool,
}

impl NamedProperty {
    pub(crate) fn new(name: String, query: Query) -> Self {
        NamedProperty { name, query, place: None, transition: None, decides_all: false }
    }

    pub(crate) fn of_all(name: String, query: Query) -> Self {
        NamedProperty { decides_all: true, ..NamedProperty::new(name, query) }
    }

    pub(crate) fn of_place(name: String, query: Query, place: PlaceId) -> Self {
        NamedProperty { place: Some(place), ..NamedProperty::new(name, query) }
    }

    pub(crate) fn of_transition(name: String, query: Query, transition: TransitionId) -> Self {
        NamedProperty { transition: Some(transition), ..NamedProperty::new(name, query) }
    }
}

/// The option on the command line for texts of a kind.
pub(crate) fn option_of(kind: TextKind) -> &'static str {
    match kind {
        TextKind::Ltl => "--ltl",
        TextKind::Reach => "--reach",
        TextKind::Ctl => "--ctl",
    }
}

/// Queries given as text, or in files.
pub(crate) fn from_texts(
    kind: TextKind,
    texts: &[GivenFormula],
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<NamedProperty>> {
    let read = |given: &GivenFormula| {
        let query = kind.read(&given.text, formulas, symbols);
        let query = query.map_err(|e| given.complaint(option_of(kind), &e))?;
        Ok(NamedProperty::new(given.name.clone(), query))
    };
    texts.iter().map(read).collect()
}

/// All properties of a contest file: on disk, or beside the model.
pub(crate) fn from_mcc(
    model: &Source,
    path: &Path,
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<NamedProperty>> {
    from_text(&model.property_file(path)?, formulas, symbols)
}

/// All properties of the text of a contest file.
pub(crate) fn from_text(
    Text { name, text }: &Text,
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<NamedProperty>> {
    let properties = read_mcc(text, formulas, symbols).map_err(|e| anyhow!("{name}: {e}"))?;
    if properties.is_empty() {
        bail!("{name}: no property in this file");
    }
    Ok(properties.into_iter().map(|p| NamedProperty::new(p.id, p.query)).collect())
}

/// A number, or two with a dash between them.
fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some(first..=last)
}

/// The chosen ones of a file, in the order of the choice; all of them without a choice.
pub(crate) fn choose(
    all: Vec<NamedProperty>,
    only: &[String],
) -> anyhow::Result<Vec<NamedProperty>> {
    if only.is_empty() {
        return Ok(all);
    }
    let mut chosen = Vec::new();
    for name in only {
        let by_id = all.iter().position(|p| p.name == *name);
        let places = by_id.map(|i| i..=i).or_else(|| range(name)).filter(|r| *r.end() < all.len());
        let Some(places) = places else {
            let last = all.len() - 1;
            bail!(
                "no property \"{name}\" (expected an id, a number from 0 to {last}, or a range of \
                 them as 3-5)"
            );
        };
        chosen.extend_from_slice(&all[places]);
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::Formula;

    #[test]
    fn numbers_and_ids_choose_and_misses_are_told() {
        let named = |name: &str| NamedProperty::new(name.to_owned(), Query::AllRuns(Formula::TRUE));
        let all = vec![named("a-00"), named("a-01"), named("a-02")];
        let only = ["2".to_owned(), "a-00".to_owned()];
        let names: Vec<String> =
            choose(all.clone(), &only).unwrap().into_iter().map(|p| p.name).collect();
        assert_eq!(names, ["a-02", "a-00"]);
        let of = |only: &str| choose(all.clone(), &[only.to_owned()]);
        let names: Vec<String> = of("1-2").unwrap().into_iter().map(|p| p.name).collect();
        assert_eq!(names, ["a-01", "a-02"]);
        for only in ["3", "1-3", "2-1", "x-2", "1-"] {
            let error = of(only).unwrap_err();
            assert!(error.to_string().contains("from 0 to 2"), "{error}");
        }
    }
}
