//! From a plan to its list of runs.
//!
//! The list is a function of the plan and the files it names, in a fixed order. That is
//! what makes campaigns resumable and divisible: part `i` of `n` takes every `n`-th run.

use crate::child::why_no_control_groups;
use crate::emit::quote;
use crate::origin::Hash;
use crate::plan::{Plan, Properties};
use crate::results::Word;
use crate::tool::{Meaning, Tool, ToolRun};
use anyhow::{Context, anyhow, bail};
use brine_ltl::{Formulas, Symbols};
use brine_pnml::read_mcc;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One process to start.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    /// The model's name.
    pub model: String,
    /// The property's name.
    pub property: String,
    /// The configuration's name.
    pub config: String,
    /// Which repetition, from 1.
    pub repetition: u32,
    /// The verdict that is known to be right.
    pub expected: Option<Word>,
    /// What follows `brine check`, limits aside.
    pub args: Vec<OsString>,
    /// The options among these, as the shell would read them.
    pub options: String,
    /// What is in the model's file.
    pub model_hash: Hash,
    /// What the property says.
    pub property_hash: Hash,
    /// The program, if it is not Brine.
    pub tool: Option<ToolRun>,
}

impl PlannedRun {
    /// The names of the run.
    pub fn key(&self) -> [&str; 3] {
        [&self.model, &self.property, &self.config]
    }
}

/// A net of the plan.
#[derive(Debug)]
struct PlannedModel {
    name: String,
    path: PathBuf,
    hash: Hash,
}

/// A property of one model.
#[derive(Debug)]
struct PlannedProperty {
    name: String,
    expected: Option<Word>,
    args: Vec<OsString>,
    hash: Hash,
    /// What other programs are told.
    meaning: Meaning,
}

/// The runs of a plan.
#[derive(Debug)]
pub struct Listed {
    /// All runs, repetitions of one beside each other.
    pub runs: Vec<PlannedRun>,
    /// What is not there, and was gone on without.
    pub notes: Vec<String>,
}

/// Spreads a plan out into its runs.
pub fn list(plan: &Plan) -> anyhow::Result<Listed> {
    let mut notes = Vec::new();
    let expected = expected(plan, &mut notes)?;
    let models = models(plan)?;
    let plan = &without_missing_tools(plan, &mut notes)?;
    let mut runs = Vec::new();
    let mut uses = vec![Use::default(); plan.properties.len()];
    for model in &models {
        let mut names = HashSet::new();
        for (properties, of) in plan.properties.iter().zip(&mut uses) {
            if !applies(properties, &model.name)? {
                continue;
            }
            of.fits = true;
            let Some(questions) = questions(properties, model, expected.as_ref())? else {
                of.without.push(&model.name);
                continue;
            };
            of.asked = true;
            for question in questions {
                if !names.insert(question.name.clone()) {
                    bail!("{}: two properties are called \"{}\"", model.name, question.name);
                }
                add_runs(&mut runs, plan, model, &question)?;
            }
        }
    }
    for (i, (properties, of)) in plan.properties.iter().zip(&uses).enumerate() {
        if let Some(note) = of.note(i, properties) {
            if !of.asked && !plan.other_models {
                bail!(note);
            }
            notes.push(note);
        }
    }
    if runs.is_empty() {
        bail!("nothing to run: {}", notes.join("; "));
    }
    Ok(Listed { runs, notes })
}

/// What became of an entry of the properties.
#[derive(Clone, Default, Debug)]
struct Use<'a> {
    /// Whether it is for some model.
    fits: bool,
    /// Whether it asked some model something.
    asked: bool,
    /// The models that do not have its file.
    without: Vec<&'a str>,
}

impl Use<'_> {
    /// What is missing for the `i`-th entry, if something is.
    fn note(&self, i: usize, properties: &Properties) -> Option<String> {
        if !self.fits {
            let pattern = properties.models.as_deref().unwrap_or("*");
            return Some(format!(
                "models = \"{pattern}\" of [[properties]] number {} fits no model",
                i + 1
            ));
        }
        let file = properties.file.as_deref().filter(|_| !self.without.is_empty())?.display();
        if !self.asked {
            return Some(format!("no model has a file {file} beside it"));
        }
        let count = self.without.len();
        let first = self.without[0];
        Some(format!("{count} of the models have no file {file} beside them, the first is {first}"))
    }
}

/// The plan without the configurations whose program is not on this machine.
fn without_missing_tools(plan: &Plan, notes: &mut Vec<String>) -> anyhow::Result<Plan> {
    let mut rest = plan.clone();
    rest.configurations.retain(|c| c.tool.as_ref().and_then(Tool::missing).is_none());
    for configuration in plan.configurations.iter() {
        if let Some(program) = configuration.tool.as_ref().and_then(Tool::missing) {
            let name = &configuration.name;
            notes.push(format!("no program {program}: \"{name}\" is left out"));
        }
    }
    let tools = rest.configurations.iter().any(|c| c.tool.is_some());
    if let Some(why) = why_no_control_groups().filter(|_| tools) {
        notes.push(format!("other programs are watched by Brine, not by the kernel: {why}"));
    }
    if rest.configurations.is_empty() {
        bail!("nothing to run: {}", notes.join("; "));
    }
    Ok(rest)
}

/// The verdicts that are known. A plan may be used where its file of verdicts is not.
fn expected(plan: &Plan, notes: &mut Vec<String>) -> anyhow::Result<Option<ExpectedVerdicts>> {
    match &plan.expected {
        Some(path) if !plan.expected_named && !path.exists() => {
            let path = path.display();
            notes.push(format!(
                "no file {path}: no verdict is compared (--expected FILE names one)"
            ));
            Ok(None)
        }
        path => path.as_deref().map(ExpectedVerdicts::read).transpose(),
    }
}

fn add_runs(
    runs: &mut Vec<PlannedRun>,
    plan: &Plan,
    model: &PlannedModel,
    question: &PlannedProperty,
) -> anyhow::Result<()> {
    for configuration in &plan.configurations {
        if let Some(tool) = &configuration.tool {
            let run = tool_run(plan, &configuration.name, tool, model, question)?;
            add_repetitions(runs, plan, &run);
            continue;
        }
        let mut options = configuration.options.clone();
        // Configurations are compared core by core, unless a plan says otherwise.
        if !options.iter().any(|o| o.starts_with("--threads")) {
            options.extend(["--threads", "1"].map(str::to_owned));
        }
        let mut args = vec![model.path.clone().into_os_string()];
        args.extend(question.args.iter().cloned());
        args.extend(options.iter().map(OsString::from));
        let quoted: Vec<String> = options.iter().map(|o| quote(o)).collect();
        let run = PlannedRun {
            model: model.name.clone(),
            property: question.name.clone(),
            config: configuration.name.clone(),
            repetition: 1,
            expected: question.expected,
            args,
            options: quoted.join(" "),
            model_hash: model.hash,
            property_hash: question.hash,
            tool: None,
        };
        add_repetitions(runs, plan, &run);
    }
    Ok(())
}

fn add_repetitions(runs: &mut Vec<PlannedRun>, plan: &Plan, run: &PlannedRun) {
    runs.extend((1..=plan.repetitions).map(|repetition| PlannedRun { repetition, ..run.clone() }));
}

/// A run of another program.
fn tool_run(
    plan: &Plan,
    config: &str,
    tool: &Tool,
    model: &PlannedModel,
    question: &PlannedProperty,
) -> anyhow::Result<PlannedRun> {
    let text = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        path.to_string_lossy().into_owned()
    };
    let mut meaning = question.meaning.clone();
    meaning.set("{model}", text(&model.path)).set("{name}", &*model.name);
    meaning.set("{folder}", text(model.path.parent().unwrap_or(Path::new("."))));
    meaning.set("{time_s}", plan.limits.time_s.to_string());
    meaning.set("{memory_mib}", plan.limits.memory_mib.to_string());
    let program = tool.program().with_context(|| format!("no program for \"{config}\""))?;
    let run = tool.run(&program, &meaning);
    let run = run.with_context(|| {
        format!("configuration \"{config}\", property \"{}\" of {}", question.name, model.name)
    })?;
    Ok(PlannedRun {
        model: model.name.clone(),
        property: question.name.clone(),
        config: config.to_owned(),
        repetition: 1,
        expected: question.expected,
        args: Vec::new(),
        options: tool.described(),
        model_hash: model.hash,
        property_hash: question.hash,
        tool: Some(run),
    })
}

/// The nets that the plan's globs find.
fn models(plan: &Plan) -> anyhow::Result<Vec<PlannedModel>> {
    let mut models: Vec<PlannedModel> = Vec::new();
    for entry in &plan.models {
        let names = entry.names.as_deref().map(read_names).transpose()?;
        let paths = glob::glob(&entry.glob)
            .map_err(|e| anyhow!("glob \"{}\": {} at {}", entry.glob, e.msg, e.pos))?;
        let before = models.len();
        for path in paths {
            let path = path.map_err(|e| anyhow!("{}: {}", e.path().display(), e.error()))?;
            let name = model_name(&path);
            if names.as_ref().is_none_or(|names| names.contains(&name)) {
                let hash = Hash::of_file(&path)?;
                models.push(PlannedModel { name, path, hash });
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

/// The properties of a model; `None` if it does not have the file.
fn questions(
    properties: &Properties,
    model: &PlannedModel,
    expected: Option<&ExpectedVerdicts>,
) -> anyhow::Result<Option<Vec<PlannedProperty>>> {
    let verdict = |name: &str| expected.and_then(|e| e.of(&model.name, name));
    if let Some(text) = &properties.ltl {
        let fairness = properties.fairness();
        let words = [std::slice::from_ref(text), &fairness].concat().join(" ");
        let name = one_line(properties.name.as_ref().unwrap_or(&words));
        let mut args: Vec<OsString> = vec!["--ltl".into(), text.into()];
        args.extend(fairness.into_iter().map(OsString::from));
        let expected = properties.expected.or_else(|| verdict(&name));
        let hash = Hash::of(words.as_bytes());
        let mut meaning = Meaning::default();
        meaning.set("{formula}", text).set("{id}", &*name);
        return Ok(Some(vec![PlannedProperty { name, expected, args, hash, meaning }]));
    }
    let file = properties.file.as_deref().unwrap_or(Path::new(""));
    let path = model.path.parent().unwrap_or(Path::new("")).join(file);
    if !path.exists() {
        return Ok(None);
    }
    let source = std::fs::read_to_string(&path)
        .with_context(|| format!("model {}: cannot read {}", model.name, path.display()))?;
    // Names of places and transitions are resolved by each run; here only ids matter.
    let read = read_mcc(&source, &mut Formulas::new(), &mut Symbols::open())
        .map_err(|e| anyhow!("{}: {e}", path.display()))?;
    let file_hash = Hash::of(source.as_bytes());
    let question = |(number, id): (usize, String)| {
        let only = if id.contains(',') { number.to_string() } else { id.clone() };
        let args = vec!["--mcc".into(), path.clone().into(), "--only".into(), only.into()];
        let hash = file_hash.and(b"\n").and(id.as_bytes());
        let mut meaning = Meaning::default();
        meaning.set("{file}", path.to_string_lossy()).set("{id}", &*id);
        meaning.set("{number}", number.to_string());
        meaning.set("{position}", (number + 1).to_string());
        PlannedProperty { expected: verdict(&id), name: one_line(&id), args, hash, meaning }
    };
    Ok(Some(read.into_iter().map(|p| p.id).enumerate().map(question).collect()))
}

/// Verdicts that are known.
#[derive(Debug)]
struct ExpectedVerdicts(HashMap<(String, String), Word>);

/// A row of a file of expected verdicts: the contest's column names, or ours.
#[derive(Deserialize, Debug)]
struct ExpectedRow {
    #[serde(alias = "instance")]
    model: String,
    #[serde(alias = "formula")]
    property: String,
    verdict: Word,
}

impl ExpectedVerdicts {
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
        Ok(ExpectedVerdicts(rows.collect::<anyhow::Result<_>>()?))
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
    fn campaign(plan: &str) -> (tempfile::TempDir, anyhow::Result<Listed>) {
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
        let runs = runs.unwrap().runs;
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
        assert_eq!(args[2..], ["--only", "a-01", "--engine", "explicit", "--threads", "1"]);
        assert_eq!(runs[1].options, "--engine explicit --threads 1");
    }

    #[test]
    fn repetitions_stand_beside_each_other_and_names_choose() {
        let plan = "repetitions = 2\n".to_owned()
            + &contest().replace("[[properties]]", "names = \"names.txt\"\n[[properties]]");
        let (_dir, runs) = campaign(&plan);
        let seen: Vec<String> = runs.unwrap().runs.into_iter().map(|r| r.property).collect();
        assert_eq!(seen, ["b-00", "b-00", "b-01", "b-01"]);
    }

    #[test]
    fn what_is_not_there_is_told_before_any_run() {
        let message = |from: &str, to: &str| {
            format!("{:#}", campaign(&contest().replace(from, to)).1.unwrap_err())
        };
        assert!(message("*/model.pnml", "*/net.pnml").contains("finds no file; --models GLOB"));
        assert!(message("P.xml", "Q.xml").contains("no model has a file Q.xml"));
        assert!(message("known.csv", "names.txt").contains("expected columns model (or instance)"));
        assert!(message("file =", "models = \"c*\"\nfile =").contains("fits no model"));
        let twice = "[[models]]\nglob = \"a/model.pnml\"\n[[properties]]";
        assert!(message("[[properties]]", twice).contains("two models are called \"a\""));
    }
    #[test]
    fn what_is_missing_here_and_there_is_told_and_left_out() {
        let (dir, all) = campaign(&contest().replace("known.csv", "unknown.csv"));
        let all = all.unwrap();
        assert!(all.runs.iter().all(|run| run.expected.is_none()));
        assert_eq!(all.notes.len(), 1);
        assert!(all.notes[0].contains("unknown.csv: no verdict is compared"), "{:?}", all.notes);
        let read = || plan::read(&dir.path().join("plan.toml"), &plan::tests::known).unwrap();
        let named = Plan { expected_named: true, ..read() };
        assert!(format!("{:#}", list(&named).unwrap_err()).contains("unknown.csv"));
        std::fs::remove_file(dir.path().join("a/P.xml")).unwrap();
        let some = list(&read()).unwrap();
        assert_eq!(some.runs.len(), 2, "those of the other model");
        assert!(some.notes[1].contains("the first is a"), "{:?}", some.notes);
        std::fs::remove_file(dir.path().join("b/P.xml")).unwrap();
        let nothing = Plan { other_models: true, ..read() };
        assert!(format!("{:#}", list(&nothing).unwrap_err()).contains("nothing to run"));
    }

    #[test]
    fn a_pattern_that_fits_none_of_the_named_models_is_told() {
        let twice = contest() + "[[properties]]\nmodels = \"c*\"\nltl = \"true\"\n";
        let (dir, refused) = campaign(&twice);
        assert!(format!("{:#}", refused.unwrap_err()).contains("fits no model"));
        let read = plan::read(&dir.path().join("plan.toml"), &plan::tests::known).unwrap();
        let listed = list(&Plan { other_models: true, ..read }).unwrap();
        assert_eq!((listed.runs.len(), listed.notes.len()), (4, 1));
    }

    #[test]
    fn models_are_found_in_folders() {
        let (dir, _) = campaign(&contest());
        let glob = |path: &Path| crate::plan::Models::named(&path.to_string_lossy()).glob;
        let contest = dir.path();
        assert_eq!(glob(contest), contest.join("*/model.pnml").to_string_lossy());
        assert_eq!(glob(&contest.join("a")), contest.join("a/model.pnml").to_string_lossy());
        assert_eq!(glob(&contest.join("*/m*")), contest.join("*/m*").to_string_lossy());
        let plain = contest.join("[x]");
        std::fs::create_dir(&plain).unwrap();
        std::fs::write(plain.join("n.pnml"), "").unwrap();
        let found: Vec<_> = glob::glob(&glob(&plain)).unwrap().map(Result::unwrap).collect();
        assert_eq!(found, [plain.join("n.pnml")]);
    }
}
