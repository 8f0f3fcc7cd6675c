//! Properties named on the command line: texts and contest files.

use anyhow::{anyhow, bail};
use brine_ltl::{Formula, Formulas, Symbols, parse};
use brine_pnml::read_mcc;
use brine_source::{Source, Text};
use std::path::Path;

/// A formula with the name that the output gives it.
#[derive(Clone, Debug)]
pub(crate) struct NamedProperty {
    pub(crate) name: String,
    pub(crate) formula: Formula,
}

/// Formulas given as text; their name is the text.
pub(crate) fn from_texts(
    texts: &[String],
    formulas: &mut Formulas,
    symbols: &mut Symbols,
) -> anyhow::Result<Vec<NamedProperty>> {
    let read = |text: &String| {
        let formula = parse(text, formulas, symbols).map_err(|e| anyhow!("--ltl: {e}"))?;
        Ok(NamedProperty { name: text.clone(), formula })
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
    Ok(properties.into_iter().map(|p| NamedProperty { name: p.id, formula: p.formula }).collect())
}

/// The chosen ones of a file, in the order of the choice; all of them without a choice.
pub(crate) fn choose(
    all: Vec<NamedProperty>,
    only: &[String],
) -> anyhow::Result<Vec<NamedProperty>> {
    if only.is_empty() {
        return Ok(all);
    }
    let pick = |name: &String| {
        let by_id = all.iter().find(|p| p.name == *name);
        let by_number = name.parse::<usize>().ok().and_then(|n| all.get(n));
        by_id.or(by_number).cloned().ok_or_else(|| {
            let last = all.len() - 1;
            anyhow!("no property \"{name}\" (expected an id, or a number from 0 to {last})")
        })
    };
    only.iter().map(pick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ids_choose_and_misses_are_told() {
        let named = |name: &str| NamedProperty { name: name.to_owned(), formula: Formula::TRUE };
        let all = vec![named("a-00"), named("a-01"), named("a-02")];
        let only = ["2".to_owned(), "a-00".to_owned()];
        let names: Vec<String> =
            choose(all.clone(), &only).unwrap().into_iter().map(|p| p.name).collect();
        assert_eq!(names, ["a-02", "a-00"]);
        let error = choose(all, &["3".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("from 0 to 2"), "{error}");
    }
}
