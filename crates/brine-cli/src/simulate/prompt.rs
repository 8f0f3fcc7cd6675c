//! The prompt of `brine simulate`: list what is enabled, fire, undo.
//!
//! Reads lines from stdin until `quit` or the end; what it prints goes to stdout, or to stderr
//! if the run itself is to be JSON. A mistake in a line is told and asked again, never fatal.

use super::{Shown, Walk};
use crate::runs::{LookArgs, text_of_run};
use brine_ltl::{NameKind, Symbols};
use brine_net::{Rng, TransitionId};
use std::io::{BufRead, IsTerminal, Write};

/// So many enabled transitions are listed at once.
const LISTED: usize = 30;

const HELP: &str = "\
  NUMBER or NAME   fire that step (fire NAME if a command is called like it)
  list [WORD]      all enabled steps, or those with the word in their name
  marking          the marking: all places that are not empty
  run              the run so far
  random [N]       take N steps by chance, one without a number
  undo [N]         take back the last N steps
  quit             end, and print the run
";

/// What a line asks for.
enum Wish<'a> {
    List(&'a str),
    Marking,
    Run,
    Chance(usize),
    Undo(usize),
    Fire(&'a str),
    Help,
    Quit,
    Nothing,
}

fn wish(line: &str) -> Wish<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let count = || if rest.is_empty() { Some(1) } else { rest.parse().ok() };
    match (word, count()) {
        ("", _) => Wish::Nothing,
        ("list" | "l", _) => Wish::List(rest),
        ("marking" | "m", _) if rest.is_empty() => Wish::Marking,
        ("run" | "show", _) if rest.is_empty() => Wish::Run,
        ("random" | "r", Some(n)) => Wish::Chance(n),
        ("undo" | "u", Some(n)) => Wish::Undo(n),
        ("fire" | "f", _) if !rest.is_empty() => Wish::Fire(rest),
        ("help" | "h" | "?", _) if rest.is_empty() => Wish::Help,
        ("quit" | "q" | "exit", _) if rest.is_empty() => Wish::Quit,
        _ => Wish::Fire(line),
    }
}

/// Asks until the user has enough.
pub(super) fn ask(
    walk: &mut Walk<'_>,
    shown: &Shown<'_>,
    look: &LookArgs,
    rng: Rng,
    to_stderr: bool,
) -> anyhow::Result<()> {
    let symbols = walk.model.symbols();
    let mut prompt = Prompt { walk, shown, look, rng, to_stderr, symbols };
    prompt.list("")?;
    let mut lines = std::io::stdin().lock();
    let echo = !std::io::stdin().is_terminal();
    loop {
        prompt.say(&format!("{}> ", prompt.walk.steps.len()))?;
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            prompt.say("\n")?;
            return Ok(());
        }
        if echo {
            prompt.say(&format!("{}\n", line.trim_end()))?;
        }
        match wish(&line) {
            Wish::Quit => return Ok(()),
            wish => prompt.grant(wish)?,
        }
    }
}

struct Prompt<'a, 'm> {
    walk: &'a mut Walk<'m>,
    shown: &'a Shown<'a>,
    look: &'a LookArgs,
    rng: Rng,
    to_stderr: bool,
    symbols: Symbols,
}

impl Prompt<'_, '_> {
    /// Says something at once, without a line's end.
    fn say(&self, text: &str) -> anyhow::Result<()> {
        if self.to_stderr {
            // If that fails, there is nobody to tell.
            let _ = write!(std::io::stderr(), "{text}");
            return Ok(());
        }
        print!("{text}");
        crate::output::ensure()
    }

    fn grant(&mut self, wish: Wish<'_>) -> anyhow::Result<()> {
        match wish {
            Wish::List(word) => return self.list_all(word),
            Wish::Marking => return self.marking(),
            Wish::Run => {
                let text = text_of_run(self.look, &self.walk.trace(self.shown));
                return self.say(&text);
            }
            Wish::Help => return self.say(HELP),
            Wish::Nothing | Wish::Quit => return Ok(()),
            Wish::Fire(name) => match self.chosen(name) {
                Ok(t) => self.fire(t)?,
                Err(message) => return self.say(&format!("{message}\n")),
            },
            Wish::Chance(n) => {
                for _ in 0..n {
                    let Some(&t) = self.walk.enabled.get(self.rng.index(self.walk.enabled.len()))
                    else {
                        break;
                    };
                    self.fire(t)?;
                }
            }
            Wish::Undo(n) => {
                for _ in 0..n {
                    if !self.walk.undo()? {
                        self.say("no step to take back\n")?;
                        break;
                    }
                }
            }
        }
        self.list("")
    }

    /// Fires a step and says so; a model that goes wrong is told and left where it is.
    fn fire(&mut self, t: TransitionId) -> anyhow::Result<()> {
        let name = self.walk.model.replayable().name(t);
        match self.walk.step(t) {
            Ok(()) => self.say(&format!("  {name}\n")),
            Err(error) => self.say(&format!("{error:#}\n")),
        }
    }

    /// The step that a number or a name stands for.
    fn chosen(&mut self, text: &str) -> Result<TransitionId, String> {
        if let Ok(number) = text.parse::<usize>() {
            let chosen = number.checked_sub(1).and_then(|i| self.walk.enabled.get(i));
            let count = self.walk.enabled.len();
            return match chosen {
                Some(&t) => Ok(t),
                None if count == 0 => Err("nothing is enabled: undo, or quit".to_owned()),
                None => Err(format!("no step {number}, expected 1 to {count}")),
            };
        }
        let name = text.trim_matches('"');
        let found = self.symbols.transitions(name);
        let found = found.map_err(|e| {
            self.symbols.trouble(NameKind::Transition, &e) + " (help lists the commands)"
        })?;
        let enabled: Vec<TransitionId> =
            found.into_iter().filter(|t| self.walk.enabled.contains(t)).collect();
        match enabled[..] {
            [t] => Ok(t),
            [] => Err(format!("{name} is not enabled")),
            _ => Err(format!("{} bindings of {name} are enabled: list {name}", enabled.len())),
        }
    }

    /// What is enabled, if it is not too much.
    fn list(&self, word: &str) -> anyhow::Result<()> {
        self.list_up_to(word, LISTED)
    }

    fn list_all(&self, word: &str) -> anyhow::Result<()> {
        self.list_up_to(word, usize::MAX)
    }

    fn list_up_to(&self, word: &str, most: usize) -> anyhow::Result<()> {
        let walker = self.walk.model.replayable();
        let names = self.walk.enabled.iter().map(|&t| walker.name(t)).enumerate();
        let named: Vec<(usize, String)> = names.filter(|(_, name)| name.contains(word)).collect();
        if self.walk.enabled.is_empty() {
            return self.say("nothing is enabled: the marking is dead\n");
        }
        if named.is_empty() {
            return self.say(&format!("no enabled step has {word} in its name\n"));
        }
        for (i, name) in named.iter().take(most) {
            self.say(&format!("{:>4}  {name}\n", i + 1))?;
        }
        if named.len() > most {
            let more = named.len() - most;
            self.say(&format!("      {more} more: list shows all, list WORD some\n"))?;
        }
        Ok(())
    }

    fn marking(&self) -> anyhow::Result<()> {
        let trace = self.walk.trace(self.shown);
        let marking = self.walk.marking().iter().enumerate();
        let mut any = false;
        for (p, &n) in marking {
            let value = trace.value(p, n);
            if value != "0" {
                any = true;
                self.say(&format!("  {} = {value}\n", trace.places[p]))?;
            }
        }
        if any { Ok(()) } else { self.say("  no token anywhere\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        assert!(matches!(wish(" 3 \n"), Wish::Fire("3")));
        assert!(matches!(wish("undo 2"), Wish::Undo(2)));
        assert!(matches!(wish("u"), Wish::Undo(1)));
        assert!(matches!(wish("random x"), Wish::Fire("random x")));
        assert!(matches!(wish("list put"), Wish::List("put")));
        assert!(matches!(wish("fire quit"), Wish::Fire("quit")));
        assert!(matches!(wish("a name"), Wish::Fire("a name")));
        assert!(matches!(wish("\n"), Wish::Nothing));
    }
}
