//! From a plan to its list of runs.
//!
//! The list is a function of the plan and the files it names, in a fixed order. That is
//! what makes campaigns resumable and divisible: part `i` of `n` takes every `n`-th run.

use crate::plan::{Plan, Properties};
use crate::results::Word;
use anyhow::{Context, anyhow, bail};
use brine_ltl::{Formulas, Symbols, read_mcc};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One process to start.
#[derive(Clone, Debug)]
pub struct Run {
    pub model: String,
    pub property: String,
    pub config: String,
    pub expected: Option<Word>,
    /// What follows `brine check`, limits aside.
    pub args: Vec<OsString>,
}

/// A net of the plan.
#[derive(Debug)]
struct Model {
    name: String,
    path: PathBuf,
}

/// A property of one model.
#[derive(Debug)]
struct Question {
    name: String,
    expected: Option<Word>,
    args: Vec<OsString>,
}

/// All runs of a plan, repetitions of one beside each other.
pub fn list(plan: &Plan) -> anyhow::Result<Vec<Run>> {
    let expected = plan.expected.as_deref().map(Expected::read).transpose()?;
    let models = models(plan)?;
    let mut runs = Vec::new();
    let mut used = vec![false; plan.properties.len()];
    for model in &models {
        let mut names = HashSet::new();
        for (properties, used) in plan.properties.iter().zip(&mut used) {
            if !applies(properties, &model.name)? {
                continue;
            }
            *used = true;
            for question in questions(properties, model, expected.as_ref())? {
                if !names.insert(question.name.clone()) {
                    bail!("{}: two properties are called \"{}\"", model.name, question.name);
                }
                add_runs(&mut runs, plan, model, &question);
            }
        }
    }
    if let Some(unused) = used.iter().position(|u| !u) {
        let pattern = plan.properties[unused].models.as_deref().unwrap_or("*");
        bail!("models = \"{pattern}\" of [[properties]] number {} fits no model", unused + 1);
    }
    Ok(runs)
}

fn add_runs(runs: &mut Vec<Run>, plan: &Plan, model: &Model, question: &Question) {
    for configuration in &plan.configurations {
        let mut args = vec![model.path.clone().into_os_string()];
        args.extend(question.args.iter().cloned());
        args.extend(configuration.options.iter().map(OsString::from));
        let run = Run {
            model: model.name.clone(),
            property: question.name.clone(),
            config: configuration.name.clone(),
            expected: question.expected,
            args,
        };
        runs.extend(std::iter::repeat_n(run, plan.repetitions as usize));
    }
}

/// The nets that the plan's globs find.
fn models(plan: &Plan) -> anyhow::Result<Vec<Model>> {
    let mut models: Vec<Model> = Vec::new();
    for entry in &plan.models {
        let names = entry.names.as_deref().map(read_names).transpose()?;
        let paths = glob::glob(&entry.glob)
            .map_err(|e| anyhow!("glob \"{}\": {} at {}", entry.glob, e.msg, e.pos))?;
        let before = models.len();
        for path in paths {
            let path = path.map_err(|e| anyhow!("{}: {}", e.path().display(), e.error()))?;
            let name = model_name(&path);
            if names.as_ref().is_none_or(|names| names.contains(&name)) {
                models.push(Model { name, path });
            }
        }
        if models.len() == before {
            let among = entry
                .names
                .as_ref()
                .map_or(String::new(), |f| format!(" with a name of {}", f.display()));
            bail!("glob \"{}\" finds no file{among}; --models GLOB names others", entry.glob);
        }
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = models.windows(2).find(|p| p[0].name == p[1].name) {
        let [a, b] = [0, 1].map(|i| pair[i].path.display());
        bail!("two models are called \"{}\": {a} and {b}", pair[0].name);
    }
    Ok(models)
}

/// A model is called after its file; the contest's `model.pnml` after its folder.
fn model_name(path: &Path) -> String {
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or_else(String::new, |p| p.to_string_lossy().into_owned())
    };
    let stem = text(path.file_stem());
    let folder = text(path.parent().and_then(Path::file_name));
    let name = if stem == "model" && !folder.is_empty() { folder } else { stem };
    one_line(&name)
}

/// Names stand in one line of CSV.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read_names(path: &Path) -> anyhow::Result<HashSet<String>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect())
}

fn applies(properties: &Properties, model: &str) -> anyhow::Result<bool> {
    let Some(pattern) = &properties.models else { return Ok(true) };
    let pattern = glob::Pattern::new(pattern)
        .map_err(|e| anyhow!("models = \"{pattern}\": {} at {}", e.msg, e.pos))?;
    Ok(pattern.matches(model))
}

fn questions(
    properties: &Properties,
    model: &Model,
    expected: Option<&Expected>,
) -> anyhow::Result<Vec<Question>> {
    let verdict = |name: &str| expected.and_then(|e| e.of(&model.name, name));
    if let Some(text) = &properties.ltl {
        let name = one_line(properties.name.as_ref().unwrap_or(text));
        let args = vec!["--ltl".into(), text.into()];
        let expected = properties.expected.or_else(|| verdict(&name));
        return Ok(vec![Question { name, expected, args }]);
    }
    let file = properties.file.as_deref().unwrap_or(Path::new(""));
    let path = model.path.parent().unwrap_or(Path::new("")).join(file);
    let source = std::fs::read_to_string(&path)
        .with_context(|| format!("model {}: cannot read {}", model.name, path.display()))?;
    // Names of places and transitions are resolved by each run; here only ids matter.
    let read = read_mcc(&source, &mut Formulas::new(), &mut Symbols::open())
        .map_err(|e| anyhow!("{}: {e}", path.display()))?;
    let question = |(number, id): (usize, String)| {
        let only = if id.contains(',') { number.to_string() } else { id.clone() };
        let args = vec!["--mcc".into(), path.clone().into(), "--only".into(), only.into()];
        Question { expected: verdict(&id), name: one_line(&id), args }
    };
    Ok(read.into_iter().map(|p| p.id).enumerate().map(question).collect())
}

/// Verdicts that are known.
#[derive(Debug)]
struct Expected(HashMap<(String, String), Word>);

/// A row of a file of expected verdicts: the contest's column names, or ours.
#[derive(Deserialize, Debug)]
struct ExpectedRow {
    #[serde(alias = "instance")]
    model: String,
    #[serde(alias = "formula")]
    property: String,
    verdict: Word,
}

impl Expected {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let mut reader = csv::Reader::from_path(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let header = reader.headers()?.clone();
        let has = |names: &[&str]| header.iter().any(|h| names.contains(&h));
        if !(has(&["model", "instance"]) && has(&["property", "formula"]) && has(&["verdict"])) {
            bail!(
                "{}:1:1: expected columns model (or instance), property (or formula), verdict",
                path.display()
            );
        }
        let rows = reader.deserialize().map(|row: Result<ExpectedRow, csv::Error>| {
            let row = row.with_context(|| path.display().to_string())?;
            Ok(((row.model, row.property), row.verdict))
        });
        Ok(Expected(rows.collect::<anyhow::Result<_>>()?))
    }

    fn of(&self, model: &str, property: &str) -> Option<Word> {
        let known = self.0.get(&(model.to_owned(), property.to_owned())).copied();
        known.filter(|w| *w != Word::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{self, tests::GOOD};

    /// A folder with two nets in the contest's shape, a property file and expected verdicts.
    fn campaign(plan: &str) -> (tempfile::TempDir, anyhow::Result<Vec<Run>>) {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let property = |id: &str| {
            format!(
                "<property><id>{id}</id><formula><all-paths><globally><is-fireable>\
                     <transition>t</transition></is-fireable></globally></all-paths></formula></property>"
            )
        };
        for model in ["b", "a"] {
            file(&format!("{model}/model.pnml"), "");
            let all = property(&format!("{model}-00")) + &property(&format!("{model}-01"));
            file(&format!("{model}/P.xml"), &format!("<property-set>{all}</property-set>"));
        }
        file("known.csv", "instance,examination,formula,verdict\na,P,a-01,TRUE\nb,P,b-00,FALSE\n");
        file("names.txt", "b\n\n");
        file("plan.toml", plan);
        let runs =
            plan::read(&dir.path().join("plan.toml"), &plan::tests::known).and_then(|p| list(&p));
        (dir, runs)
    }

    fn contest() -> String {
        let plan = GOOD.replace("*.pnml", "*/model.pnml");
        "expected = \"known.csv\"\n".to_owned()
            + &plan.replace("ltl = \"G !deadlock\"", "file = \"P.xml\"")
    }

    #[test]
    fn files_ids_and_expected_verdicts_meet() {
        let (_dir, runs) = campaign(&contest());
        let runs = runs.unwrap();
        let seen: Vec<_> =
            runs.iter().map(|r| (r.model.as_str(), r.property.as_str(), r.expected)).collect();
        let expected = [
            ("a", "a-00", None),
            ("a", "a-01", Some(Word::Holds)),
            ("b", "b-00", Some(Word::Violated)),
            ("b", "b-01", None),
        ];
        assert_eq!(seen, expected);
        let args: Vec<_> = runs[1].args[1..].iter().map(|a| a.to_string_lossy()).collect();
        assert_eq!(args[0], "--mcc");
        assert_eq!(args[2..], ["--only", "a-01", "--engine", "explicit"]);
    }

    #[test]
    fn repetitions_stand_beside_each_other_and_names_choose() {
        let plan = "repetitions = 2\n".to_owned()
            + &contest().replace("[[properties]]", "names = \"names.txt\"\n[[properties]]");
        let (_dir, runs) = campaign(&plan);
        let seen: Vec<String> = runs.unwrap().into_iter().map(|r| r.property).collect();
        assert_eq!(seen, ["b-00", "b-00", "b-01", "b-01"]);
    }

    #[test]
    fn what_is_not_there_is_told_before_any_run() {
        let message = |from: &str, to: &str| {
            format!("{:#}", campaign(&contest().replace(from, to)).1.unwrap_err())
        };
        assert!(message("*/model.pnml", "*/net.pnml").contains("finds no file; --models GLOB"));
        assert!(message("P.xml", "Q.xml").contains("model a: cannot read"));
        assert!(message("known.csv", "unknown.csv").contains("unknown.csv"));
        assert!(message("known.csv", "names.txt").contains("expected columns model (or instance)"));
        assert!(message("file =", "models = \"c*\"\nfile =").contains("fits no model"));
        let twice = "[[models]]\nglob = \"a/model.pnml\"\n[[properties]]";
        assert!(message("[[properties]]", twice).contains("two models are called \"a\""));
    }
}
