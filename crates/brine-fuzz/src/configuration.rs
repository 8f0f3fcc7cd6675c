//! One way to ask: a command with its options, and the schedule of decision diagrams.

use brine_check::{Budget, EngineOptions, Schedule, UnknownOption};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A command, options and a schedule. As text: the command line, then words like `gc=3`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    /// The command and its options, without the question.
    pub words: Vec<String>,
    /// Bytes for the search.
    pub memory: Option<u64>,
    /// What happens to decision diagrams, and when they give up.
    pub schedule: Schedule,
}

impl Configuration {
    /// The command of `brine`.
    pub fn command(&self) -> &str {
        self.words.first().map_or("check", String::as_str)
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let at = self.words.iter().position(|w| w == name)?;
        self.words.get(at + 1).map(String::as_str)
    }

    /// Whether this can be asked without a process of its own.
    pub fn runs_in_process(&self) -> bool {
        matches!(self.command(), "check" | "states")
    }

    /// The options that say how to search.
    pub(crate) fn engine(&self) -> Result<EngineOptions, UnknownOption> {
        // Other words are the budget's.
        EngineOptions::split(self.words.iter().skip(1).map(String::as_str)).map(|split| split.0)
    }

    pub(crate) fn budget(&self, time: Duration) -> Budget {
        let threads = self.option("--threads").and_then(|n| n.parse().ok()).unwrap_or(1);
        Budget {
            time: Some(time),
            threads,
            memory: self.memory,
            schedule: self.schedule,
            ..Budget::default()
        }
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))?;
        let Schedule { ticks, gc_interval, cache_entries } = self.schedule;
        let numbers = [
            ("memory", self.memory),
            ("ticks", ticks),
            ("gc", gc_interval.map(|n| n as u64)),
            ("cache", cache_entries.map(|n| n as u64)),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                write!(f, " {name}={value}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Configuration {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut configuration = Configuration::default();
        for word in line.split_whitespace() {
            let number = |value: &str| value.parse::<u64>().map_err(|e| format!("{word}: {e}"));
            let schedule = &mut configuration.schedule;
            match word.split_once('=') {
                Some(("memory", n)) => configuration.memory = Some(number(n)?),
                Some(("ticks", n)) => schedule.ticks = Some(number(n)?),
                Some(("gc", n)) => schedule.gc_interval = Some(number(n)? as usize),
                Some(("cache", n)) => schedule.cache_entries = Some(number(n)? as usize),
                _ => configuration.words.push(word.to_owned()),
            }
        }
        Ok(configuration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let line = "check --engine symbolic --no-otf memory=65536 ticks=7 gc=3 cache=16";
        let configuration: Configuration = line.parse().unwrap();
        assert_eq!(configuration.to_string(), line);
        assert_eq!(configuration.option("--engine"), Some("symbolic"));
        assert_eq!(configuration.schedule.gc_interval, Some(3));
        assert!(configuration.engine().is_ok());
        let unknown: Configuration = "check --engine nonsense".parse().unwrap();
        assert!(unknown.engine().is_err());
        assert!("check gc=many".parse::<Configuration>().is_err());
    }
}
