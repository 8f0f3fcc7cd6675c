//! Other programs in a plan: how one is called, and how its verdict is read.
//!
//! A template is a list of words. In each, `{model}`, `{folder}`, `{name}`, `{formula}`, `{file}`,
//! `{id}`, `{number}`
//! (from 0), `{position}` (from 1), `{time_s}` and `{memory_mib}` stand for what the run is about. What the
//! program prints is looked through line by line: a line that contains one of the texts after
//! `holds`, `violated` or `gives_up` says so; `{id}` and the others may stand in these texts, too. Of
//! programs that tell it by their exit code, `holds_exit` and `violated_exit` name the codes.
//!
//! A program is not believed beyond that: signs of both verdicts are no verdict, nor is what a
//! killed process said.

use crate::emit::quote;
use crate::origin::Hash;
use crate::results::Word;
use anyhow::{anyhow, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A program that is no Brine.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The program and its words.
    pub command: Vec<String>,
    /// Other programs that it calls: where one is missing, so is this one.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A line with one of these texts says that the property holds.
    #[serde(default)]
    pub holds: Vec<String>,
    /// The same for a violation.
    #[serde(default)]
    pub violated: Vec<String>,
    /// The same for "I cannot tell".
    #[serde(default)]
    pub gives_up: Vec<String>,
    /// An exit code that says that the property holds.
    #[serde(default)]
    pub holds_exit: Vec<i32>,
    /// The same for a violation.
    #[serde(default)]
    pub violated_exit: Vec<i32>,
}

/// What a template may speak of.
const WORDS: [&str; 10] = [
    "{model}",
    "{folder}",
    "{name}",
    "{formula}",
    "{file}",
    "{id}",
    "{number}",
    "{position}",
    "{time_s}",
    "{memory_mib}",
];

/// What the words of a template stand for in one run; what the run does not have is `None`.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// In the order of the words.
    values: [Option<String>; WORDS.len()],
}

impl Meaning {
    /// Lets a word stand for a value.
    pub fn set(&mut self, word: &str, value: impl Into<String>) -> &mut Self {
        let at = WORDS.iter().position(|w| *w == word);
        debug_assert!(at.is_some(), "{word} is not in the list");
        if let Some(at) = at {
            self.values[at] = Some(value.into());
        }
        self
    }

    /// A text with its words replaced, from left to right: what is put in is not looked at again.
    fn fill(&self, text: &str) -> anyhow::Result<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            let (before, at) = rest.split_at(start);
            out.push_str(before);
            match WORDS.iter().position(|w| at.starts_with(w)) {
                None => {
                    out.push('{');
                    rest = &at[1..];
                }
                Some(i) => {
                    let word = WORDS[i];
                    let value = self.values[i].as_ref();
                    out.push_str(value.ok_or_else(|| anyhow!("{word} has no value here"))?);
                    rest = &at[word.len()..];
                }
            }
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// A tool with all that is known of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolRun {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its name, and a hash of its file.
    pub version: String,
    holds: Vec<String>,
    violated: Vec<String>,
    gives_up: Vec<String>,
    holds_exit: Vec<i32>,
    violated_exit: Vec<i32>,
}

impl Tool {
    /// What cannot work, whatever the run.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.command.first().is_none_or(String::is_empty) {
            bail!("tool.command names no program");
        }
        let exits = [&self.holds_exit, &self.violated_exit];
        if self.holds.is_empty() && self.violated.is_empty() && exits.iter().all(|e| e.is_empty()) {
            bail!("tool.holds and tool.violated are empty: no verdict could be read");
        }
        if let Some(code) = self.holds_exit.iter().find(|code| self.violated_exit.contains(code)) {
            bail!("exit code {code} stands for both verdicts");
        }
        let all = self.holds.iter().chain(&self.violated).chain(&self.gives_up);
        if all.clone().any(String::is_empty) {
            bail!("an empty text is in every line");
        }
        let texts = self.command.iter().chain(all);
        for text in texts {
            for (start, _) in text.match_indices('{') {
                let known = WORDS.iter().any(|w| text[start..].starts_with(w));
                let inner = text[start + 1..].split('}').next().unwrap_or_default();
                let looks_so = text[start..].contains('}')
                    && inner.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                if looks_so && !known {
                    bail!("{{{inner}}} stands for nothing; known are {}", WORDS.join(" "));
                }
            }
        }
        Ok(())
    }

    /// Makes a path to the program relative to the plan's folder.
    pub(crate) fn resolve(&mut self, folder: &Path) {
        if let Some(program) = self.command.first_mut().filter(|p| p.contains('/')) {
            *program = folder.join(&*program).to_string_lossy().into_owned();
        }
    }

    /// The program's file: a path, or looked up as shells do; `None` if it is not there.
    pub fn program(&self) -> Option<PathBuf> {
        found(self.command.first()?)
    }

    /// The first program that is not there, of the one that is called and those that it needs.
    pub fn missing(&self) -> Option<&str> {
        let all = self.command.first().into_iter().chain(&self.needs);
        all.map(String::as_str).find(|name| found(name).is_none())
    }

    /// The template and the texts as they stand in the column `options`.
    pub fn described(&self) -> String {
        let words: Vec<String> = self.command.iter().map(|w| quote(w)).collect();
        let texts = |name: &str, texts: &[String]| {
            texts.iter().map(|t| format!(" {name}={}", quote(t))).collect::<String>()
        };
        let (holds, violated) = (texts("holds", &self.holds), texts("violated", &self.violated));
        let gives_up = texts("gives_up", &self.gives_up);
        let codes = |name: &str, codes: &[i32]| {
            codes.iter().map(|code| format!(" {name}={code}")).collect::<String>()
        };
        let (good, bad) = (&self.holds_exit, &self.violated_exit);
        let exits = codes("holds_exit", good) + &codes("violated_exit", bad);
        format!("{}{holds}{violated}{gives_up}{exits}", words.join(" "))
    }

    /// The tool for one run.
    pub fn run(&self, program: &Path, meaning: &Meaning) -> anyhow::Result<ToolRun> {
        let fill = |texts: &[String]| {
            texts.iter().map(|t| meaning.fill(t)).collect::<anyhow::Result<Vec<String>>>()
        };
        let name = program.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
        Ok(ToolRun {
            program: program.to_owned(),
            args: fill(&self.command[1..])?,
            version: format!("{name}+{}", Hash::of_file(program)?),
            holds: fill(&self.holds)?,
            violated: fill(&self.violated)?,
            gives_up: fill(&self.gives_up)?,
            holds_exit: self.holds_exit.clone(),
            violated_exit: self.violated_exit.clone(),
        })
    }
}

/// A program's file: a path, or looked up as shells do.
fn found(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return std::path::absolute(path).ok().filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// What a program said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolAnswer {
    /// A verdict.
    Verdict(Word),
    /// That it cannot tell.
    GivesUp,
    /// Nothing that the plan knows, or both verdicts.
    Nothing,
}

impl ToolRun {
    /// Reads what the program printed, and its exit code.
    pub fn read(&self, printed: &[&[u8]], exit: Option<i32>) -> ToolAnswer {
        let text: Vec<_> = printed.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
        let says = |texts: &[String]| {
            text.iter().flat_map(|t| t.lines()).any(|l| texts.iter().any(|t| l.contains(t)))
        };
        let ends = |codes: &[i32]| exit.is_some_and(|code| codes.contains(&code));
        let holds = says(&self.holds) || ends(&self.holds_exit);
        match (holds, says(&self.violated) || ends(&self.violated_exit)) {
            (true, false) => ToolAnswer::Verdict(Word::Holds),
            (false, true) => ToolAnswer::Verdict(Word::Violated),
            (false, false) if says(&self.gives_up) => ToolAnswer::GivesUp,
            _ => ToolAnswer::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(words: &[&str]) -> Tool {
        let list = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        Tool {
            command: list(words),
            needs: Vec::new(),
            holds: list(&["FORMULA {id} TRUE"]),
            violated: list(&["FORMULA {id} FALSE"]),
            gives_up: list(&["CANNOT_COMPUTE"]),
            holds_exit: Vec::new(),
            violated_exit: Vec::new(),
        }
    }

    #[test]
    fn words_are_replaced_once() {
        let mut meaning = Meaning::default();
        meaning.set("{id}", "{model}").set("{model}", "m.pnml").set("{number}", "3");
        let run = tool(&["sh", "-{number}", "{id}:{model}", "{", "{ x }"]);
        run.check().unwrap();
        let run = run.run(Path::new("/bin/sh"), &meaning).unwrap();
        assert_eq!(run.args, ["-3", "{model}:m.pnml", "{", "{ x }"]);
        assert!(run.version.starts_with("sh+"));
        let missing = tool(&["sh", "{formula}"]).run(Path::new("/bin/sh"), &meaning);
        assert_eq!(missing.unwrap_err().to_string(), "{formula} has no value here");
    }

    #[test]
    fn what_cannot_work_is_refused() {
        for (bad, what) in [
            (tool(&[]), "no program"),
            (tool(&["x", "{modle}"]), "{modle} stands for nothing"),
            (Tool { holds: vec![], violated: vec![], ..tool(&["x"]) }, "no verdict"),
            (
                Tool { holds_exit: vec![0], violated_exit: vec![1, 0], ..tool(&["x"]) },
                "code 0 stands",
            ),
            (Tool { holds: vec![String::new()], ..tool(&["x"]) }, "in every line"),
        ] {
            let message = bad.check().unwrap_err().to_string();
            assert!(message.contains(what), "{message}");
        }
    }

    #[test]
    fn verdicts_are_read_line_by_line_and_both_are_none() {
        let mut meaning = Meaning::default();
        let run = tool(&["sh"]).run(Path::new("/bin/sh"), meaning.set("{id}", "a-1")).unwrap();
        let read = |text: &str| run.read(&[text.as_bytes(), b""], Some(1));
        assert_eq!(read("x\nFORMULA a-1 TRUE T"), ToolAnswer::Verdict(Word::Holds));
        assert_eq!(read("FORMULA a-1 FALSE\nCANNOT_COMPUTE"), ToolAnswer::Verdict(Word::Violated));
        assert_eq!(read("FORMULA a-1\nTRUE"), ToolAnswer::Nothing);
        assert_eq!(read("FORMULA a-1 TRUE\nFORMULA a-1 FALSE"), ToolAnswer::Nothing);
        assert_eq!(read("CANNOT_COMPUTE"), ToolAnswer::GivesUp);
        assert_eq!(read("FORMULA a-2 TRUE"), ToolAnswer::Nothing);
    }

    #[test]
    fn exit_codes_are_verdicts_where_the_plan_says_so() {
        let mut meaning = Meaning::default();
        meaning.set("{id}", "a");
        let by_code = Tool { holds_exit: vec![0], violated_exit: vec![1], ..tool(&["sh"]) };
        let run = by_code.run(Path::new("/bin/sh"), &meaning).unwrap();
        let read = |text: &str, exit| run.read(&[text.as_bytes()], exit);
        assert_eq!(read("", Some(0)), ToolAnswer::Verdict(Word::Holds));
        assert_eq!(read("CANNOT_COMPUTE", Some(1)), ToolAnswer::Verdict(Word::Violated));
        assert_eq!(read("CANNOT_COMPUTE", Some(2)), ToolAnswer::GivesUp);
        assert_eq!(read("FORMULA a FALSE", Some(0)), ToolAnswer::Nothing);
        assert_eq!(read("", None), ToolAnswer::Nothing);
        assert!(by_code.described().ends_with("holds_exit=0 violated_exit=1"));
    }

    #[test]
    fn what_a_program_needs_must_be_there_too() {
        let with = |needs: &str| Tool { needs: vec![needs.to_owned()], ..tool(&["sh"]) };
        assert_eq!(with("env").missing(), None);
        assert_eq!(with("no-such-program").missing(), Some("no-such-program"));
        assert_eq!(tool(&["./no-such-script"]).missing(), Some("./no-such-script"));
    }
}
