//! The plan of a campaign: what a TOML file says, before it is spread out into runs.
//!
//! Unknown keys and wrong types are errors with line and column, what cannot work with those of
//! the entry. Paths are relative to the
//! folder of the plan, so that plans can be run from anywhere.

use crate::results::Word;
use crate::tool::Tool;
use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Models times properties times configurations times repetitions, under limits.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How often each run is made.
    #[serde(default = "once")]
    pub repetitions: u32,
    /// What each run may use.
    pub limits: Limits,
    /// Which nets.
    pub models: Vec<Models>,
    /// Which properties.
    pub properties: Vec<Properties>,
    /// Which options, each set under a name.
    pub configurations: Vec<Configuration>,
    /// A CSV file of expected verdicts.
    pub expected: Option<PathBuf>,
    /// Whether models were named that the plan was not written for: then a part of it that fits
    /// none of them is told about, and not refused.
    #[serde(skip)]
    pub other_models: bool,
    /// Whether the expected verdicts were named on the command line: then they must be there.
    #[serde(skip)]
    pub expected_named: bool,
}

fn once() -> u32 {
    1
}

/// Time and memory of one run.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Seconds.
    pub time_s: f64,
    /// Mebibytes.
    pub memory_mib: u64,
    /// Seconds of processor time, if that is limited, too.
    pub cpu_s: Option<u64>,
    /// Cores for each run alone, to which it is bound; without, all of them for all.
    pub cores: Option<u32>,
}

impl std::fmt::Display for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} s, {} MiB", self.time_s, self.memory_mib)?;
        if let Some(seconds) = self.cpu_s {
            write!(f, ", {seconds} s of processor time")?;
        }
        self.cores.map_or(Ok(()), |cores| write!(f, ", bound to {cores} cores"))
    }
}

/// Nets by file name.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// PNML files, with `*`, `?`, `[...]` and `**`.
    pub glob: String,
    /// A file with a model's name in each line: only these.
    pub names: Option<PathBuf>,
}

impl Models {
    /// What a user names: files by a glob, a folder with a folder for each model as in the contest,
    /// the folder of one such model, or a folder of PNML files.
    pub fn named(text: &str) -> Models {
        let folder = Path::new(text);
        if !folder.is_dir() {
            return Models { glob: text.to_owned(), names: None };
        }
        let inside = |rest: &str| {
            let folder = glob::Pattern::escape(&folder.to_string_lossy());
            Path::new(&folder).join(rest).to_string_lossy().into_owned()
        };
        let found = |glob: &String| glob::glob(glob).is_ok_and(|mut paths| paths.next().is_some());
        let ways = ["model.pnml", "*/model.pnml", "*.pnml"].map(inside);
        let first = ways.iter().find(|glob| found(glob)).unwrap_or(&ways[1]);
        Models { glob: first.clone(), names: None }
    }
}

/// Properties of each model, or of some.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Properties {
    /// A property file of the contest, beside each model.
    pub file: Option<PathBuf>,
    /// A formula.
    pub ltl: Option<String>,
    /// Which of all runs the formula is about: `weak` or `strong` fairness for all transitions.
    pub fair: Option<String>,
    /// Weak fairness for these transitions, separated by commas.
    pub weak_fair: Option<String>,
    /// The same, strong fairness.
    pub strong_fair: Option<String>,
    /// What the formula is called; by default the formula itself.
    pub name: Option<String>,
    /// Only for models with such a name.
    pub models: Option<String>,
    /// The right verdict of the formula.
    pub expected: Option<Word>,
}

/// A named set of options of `brine check`, or another program.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The name in the results.
    pub name: String,
    /// The options, a word each.
    #[serde(default)]
    pub options: Vec<String>,
    /// Another program that answers instead of Brine.
    pub tool: Option<Tool>,
}

/// Says what is wrong with the options of a configuration, if something is.
pub type OptionCheck = dyn Fn(&[String]) -> Result<(), String>;

/// Reads a plan.
pub fn read(path: &Path, options: &OptionCheck) -> anyhow::Result<Plan> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut plan = parse(path, &text, options)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    plan.resolve(folder);
    Ok(plan)
}

/// Reads a plan from text; `path` is for messages.
fn parse(path: &Path, text: &str, options: &OptionCheck) -> anyhow::Result<Plan> {
    let refuse = |at: Option<Range<usize>>, message: &str| {
        let before = &text[..at.map_or(0, |s| s.start).min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        anyhow!("{}:{line}:{column}: {message}", path.display())
    };
    let plan: Plan = toml::from_str(text).map_err(|error| refuse(error.span(), error.message()))?;
    plan.check(options)
        .map_err(|(entry, error)| refuse(entry.find(text), &format!("{error:#}")))?;
    Ok(plan)
}

/// A part of a plan.
#[derive(Clone, Copy, Debug)]
enum PlanPart {
    Repetitions,
    Limits,
    /// One of a list under this key.
    Item(&'static str, usize),
    Whole,
}

impl PlanPart {
    /// Where it stands in a plan that was read without error.
    fn find(self, text: &str) -> Option<Range<usize>> {
        let plan = toml::de::DeTable::parse(text).ok()?;
        let plan = plan.get_ref();
        match self {
            PlanPart::Repetitions => Some(plan.get("repetitions")?.span()),
            PlanPart::Limits => Some(plan.get("limits")?.span()),
            PlanPart::Item(list, i) => Some(plan.get(list)?.get_ref().as_array()?.get(i)?.span()),
            PlanPart::Whole => None,
        }
    }
}

impl Plan {
    /// What types cannot say.
    fn check(&self, options: &OptionCheck) -> Result<(), (PlanPart, anyhow::Error)> {
        if self.repetitions == 0 {
            return Err((PlanPart::Repetitions, anyhow!("repetitions = 0 leaves nothing to do")));
        }
        if !(self.limits.time_s > 0.0 && self.limits.time_s <= 1e9)
            || self.limits.memory_mib == 0
            || self.limits.cpu_s == Some(0)
            || self.limits.cores == Some(0)
        {
            return Err((PlanPart::Limits, anyhow!("limits must be positive")));
        }
        let lists = [self.models.len(), self.properties.len(), self.configurations.len()];
        for (list, count) in ["models", "properties", "configurations"].into_iter().zip(lists) {
            if count == 0 {
                return Err((PlanPart::Whole, anyhow!("the list of {list} is empty")));
            }
        }
        for (i, configuration) in self.configurations.iter().enumerate() {
            let entry = PlanPart::Item("configurations", i);
            if self.configurations[..i].iter().any(|c| c.name == configuration.name) {
                let name = &configuration.name;
                return Err((entry, anyhow!("two configurations are called \"{name}\"")));
            }
            configuration.check(options).map_err(|error| (entry, error))?;
        }
        let with_tools = self.configurations.iter().any(|c| c.tool.is_some());
        for (i, properties) in self.properties.iter().enumerate() {
            let fairness = properties.check_fairness(options, with_tools);
            fairness.map_err(|error| (PlanPart::Item("properties", i), error))?;
            properties.check().map_err(|error| (PlanPart::Item("properties", i), error))?;
        }
        Ok(())
    }

    /// Makes paths relative to the plan's folder.
    fn resolve(&mut self, folder: &Path) {
        for models in &mut self.models {
            models.glob = folder.join(&models.glob).to_string_lossy().into_owned();
            models.names = models.names.take().map(|f| folder.join(f));
        }
        self.expected = self.expected.take().map(|f| folder.join(f));
        let tools = self.configurations.iter_mut().filter_map(|c| c.tool.as_mut());
        tools.for_each(|tool| tool.resolve(folder));
    }
}

impl Configuration {
    /// Options that the campaign sets itself cannot be part of a configuration; the others
    /// must be ones that `brine check` knows.
    fn check(&self, options: &OptionCheck) -> anyhow::Result<()> {
        const OURS: [&str; 8] =
            ["--ltl", "--mcc", "--only", "--timeout", "--memory", "--json", "--quiet", "--witness"];
        let name = &self.name;
        if let Some(tool) = &self.tool {
            if !self.options.is_empty() {
                bail!("configuration \"{name}\": options are Brine's, a tool has its command");
            }
            return tool.check().with_context(|| format!("configuration \"{name}\""));
        }
        if let Some(ours) = self.options.iter().find(|o| {
            OURS.iter().any(|ours| {
                o.strip_prefix(ours).is_some_and(|r| r.is_empty() || r.starts_with('='))
            })
        }) {
            bail!("configuration \"{name}\": {ours} is set by the plan itself");
        }
        options(&self.options).map_err(|line| anyhow!("configuration \"{name}\": {line}"))
    }
}

impl Properties {
    /// The options that say which runs the formula is about.
    pub fn fairness(&self) -> Vec<String> {
        let given = [
            ("--fair", &self.fair),
            ("--weak-fair", &self.weak_fair),
            ("--strong-fair", &self.strong_fair),
        ];
        let word = |(option, value): (&str, &Option<String>)| {
            value.as_ref().map(|value| format!("{option}={value}"))
        };
        given.into_iter().filter_map(word).collect()
    }

    fn check_fairness(&self, options: &OptionCheck, with_tools: bool) -> anyhow::Result<()> {
        let words = self.fairness();
        if words.is_empty() {
            return Ok(());
        }
        if self.ltl.is_none() {
            bail!("fairness belongs to a formula: write it beside ltl");
        }
        if with_tools {
            bail!("a property with fairness cannot be put to other programs");
        }
        options(&words).map_err(|error| anyhow!("{error}"))
    }

    fn check(&self) -> anyhow::Result<()> {
        match (&self.file, &self.ltl) {
            (Some(_), None) if self.name.is_some() || self.expected.is_some() => {
                bail!("a property file has names of its own, and verdicts in `expected = \"FILE\"`")
            }
            (Some(_), None) => Ok(()),
            (None, Some(text)) => {
                let (mut formulas, mut symbols) =
                    (brine_ltl::Formulas::new(), brine_ltl::Symbols::open());
                brine_ltl::parse(text, &mut formulas, &mut symbols)
                    .map_err(|e| anyhow!("ltl = \"{text}\": {e}"))?;
                if self.expected == Some(Word::Unknown) {
                    bail!("ltl = \"{text}\": expected is holds or violated");
                }
                Ok(())
            }
            _ => bail!("each of [[properties]] needs either `file` or `ltl`"),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::results::Word;
    use crate::tool::{Meaning, ToolAnswer};

    /// A plan that is right.
    pub(crate) const GOOD: &str = "\
[limits]
time_s = 10
memory_mib = 512
[[models]]
glob = \"*.pnml\"
[[properties]]
ltl = \"G !deadlock\"
[[configurations]]
name = \"plain\"
options = [\"--engine\", \"explicit\"]
";

    /// Knows some options.
    pub(crate) fn known(options: &[String]) -> Result<(), String> {
        match options.iter().find(|o| ["--fast"].contains(&o.as_str())) {
            Some(option) => Err(format!("unexpected argument '{option}' found")),
            None => Ok(()),
        }
    }

    fn message(text: &str) -> String {
        format!("{:#}", parse(Path::new("x.toml"), text, &known).unwrap_err())
    }

    #[test]
    fn a_good_plan_is_read_and_paths_are_the_plan_s() {
        let mut plan = parse(Path::new("x.toml"), GOOD, &known).unwrap();
        assert_eq!((plan.repetitions, plan.limits.memory_mib), (1, 512));
        plan.resolve(Path::new("plans"));
        assert_eq!(plan.models[0].glob, "plans/*.pnml");
    }

    #[test]
    fn unknown_keys_and_wrong_types_have_a_place() {
        let unknown = message(&GOOD.replace("glob = ", "globs = "));
        assert!(unknown.starts_with("x.toml:5:1: unknown field `globs`"), "{unknown}");
        let wrong = message(&GOOD.replace("time_s = 10", "time_s = \"ten\""));
        assert!(wrong.starts_with("x.toml:2:10: invalid type"), "{wrong}");
        let syntax = message("[limits\n");
        assert!(syntax.starts_with("x.toml:1:"), "{syntax}");
    }

    #[test]
    fn what_cannot_work_is_refused() {
        for (from, to, at, what) in [
            ("[limits]", "repetitions = 0\n[limits]", "1:15", "repetitions = 0"),
            ("time_s = 10", "time_s = -1", "1:1", "limits must be positive"),
            ("time_s = 10", "time_s = 10\ncpu_s = 0", "1:1", "limits must be positive"),
            ("\"--engine\", \"explicit\"", "\"--fast\"", "8:1", "\"plain\": unexpected"),
            ("\"--engine\"", "\"--timeout\"", "8:1", "--timeout is set by the plan"),
            ("\"--engine\", \"explicit\"", "\"--memory=5\"", "8:1", "=5 is set by the plan"),
            ("G !deadlock", "G (p", "6:1", "line 1, column"),
            ("ltl =", "expected = \"unknown\"\nltl =", "6:1", "holds or violated"),
            ("ltl =", "file = \"x\"\nltl =", "6:1", "either `file` or `ltl`"),
        ] {
            let message = message(&GOOD.replace(from, to));
            assert!(message.starts_with(&format!("x.toml:{at}: ")), "{message}");
            assert!(message.contains(what), "{message}");
        }
        let twice = format!("{GOOD}[[configurations]]\nname = \"plain\"\noptions = []\n");
        let message = message(&twice);
        assert_eq!(message, "x.toml:11:1: two configurations are called \"plain\"");
    }

    /// The lines are of tools that were never run here: written by hand after their manuals.
    #[test]
    fn recipes_read_what_manuals_promise() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans/tools");
        let plans = ["contest.toml", "formulas.toml"]
            .map(|name| super::read(&folder.join(name), &known).unwrap());
        let tools: Vec<(String, &Tool)> = plans
            .iter()
            .flat_map(|plan| &plan.configurations)
            .filter_map(|c| Some((c.name.to_lowercase(), c.tool.as_ref()?)))
            .collect();
        let mut meaning = Meaning::default();
        for word in ["{model}", "{folder}", "{file}", "{formula}", "{time_s}", "{position}"] {
            meaning.set(word, "x");
        }
        meaning.set("{id}", "Philosophers-PT-000005-LTLCardinality-00");
        let mut read = std::collections::BTreeSet::new();
        for entry in std::fs::read_dir(folder.join("examples")).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let Some(name) = name.strip_suffix(".txt") else { continue };
            let (name, exit) = match name.rsplit_once('-') {
                Some((rest, code)) if code.parse::<i32>().is_ok() => (rest, code.parse().unwrap()),
                _ => (name, 0),
            };
            let (name, kind) = name.rsplit_once('-').unwrap();
            let tool = tools.iter().find(|(other, _)| other == name).expect(name).1;
            let run = tool.run(Path::new("/bin/sh"), &meaning).unwrap();
            let told = run.read(&[&std::fs::read(entry.path()).unwrap()], Some(exit));
            let expected = match kind {
                "holds" => ToolAnswer::Verdict(Word::Holds),
                "violated" => ToolAnswer::Verdict(Word::Violated),
                _ => ToolAnswer::GivesUp,
            };
            assert_eq!(told, expected, "{}", entry.path().display());
            read.insert(name.to_owned());
        }
        assert_eq!(read.len(), tools.len(), "each recipe has an example: {read:?}");
    }
}
