//! Runs in files: what Brine writes, TAPAAL's traces, and text written by hand.
//!
//! The first character tells which: `{` is JSON, one document per run (`--witness`, `check
//! --json`, `simulate --json`); `<`, or a line `Trace:` before it, is a trace of TAPAAL's
//! `verifypn`; everything else is text. Text has one step per line, its id or name, in double
//! quotes if need be; `repeat` opens the cycle, `dead` says that the last marking is dead, and
//! without either the run is a beginning. `#` begins a comment.
//!
//! *Invariant:* each step keeps the place where it was written, so that every complaint about it
//! names file, line and column. Nothing is checked against a model here. Cost: linear.

use anyhow::{anyhow, bail};
use brine_coloured::Position;
use brine_pnml::xml::{Token, XmlError, XmlReader};
use brine_source::Text;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A run as a file tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ToldRun {
    /// The property that it belongs to, if the file says so.
    pub(super) property: Option<String>,
    /// All steps in order, the cycle once.
    pub(super) steps: Vec<ToldStep>,
    /// How it goes on.
    pub(super) ends: RunEnd,
}

/// A step as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ToldStep {
    /// Its id or name.
    pub(super) name: String,
    /// Where.
    pub(super) at: Position,
}

/// How a run goes on after its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum RunEnd {
    /// Nobody says.
    #[default]
    Open,
    /// Nothing is enabled any more.
    Dead,
    /// From this step on it repeats, counted from 0.
    Cycle(usize),
}

/// All runs of a file, at least one.
pub(super) fn read_runs(text: &Text) -> anyhow::Result<Vec<ToldRun>> {
    let Text { name, text } = text;
    let runs = match text.trim_start().as_bytes() {
        [b'{', ..] => from_json(text, name)?,
        [b'<', ..] => vec![from_trace(text).map_err(|e| anyhow!("{name}:{e}"))?],
        [b'T', b'r', b'a', b'c', b'e', ..] if trace_start(text).is_some() => {
            vec![from_trace(text).map_err(|e| anyhow!("{name}:{e}"))?]
        }
        _ => vec![from_lines(text).map_err(|e| anyhow!("{name}:{e}"))?],
    };
    if runs.is_empty() {
        bail!("{name}: no run in this file");
    }
    Ok(runs)
}

/// A document with a run: an entry of `check --json`, or a line of `--witness`.
#[derive(Deserialize)]
struct RunDocument<'a> {
    property: Option<String>,
    #[serde(borrow)]
    witness: Option<RunSteps<'a>>,
    #[serde(borrow)]
    prefix: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    cycle: Option<Vec<&'a RawValue>>,
    ends: Option<String>,
}

/// The run itself.
#[derive(Deserialize)]
struct RunSteps<'a> {
    #[serde(borrow)]
    prefix: Vec<&'a RawValue>,
    #[serde(borrow)]
    cycle: Vec<&'a RawValue>,
    ends: Option<String>,
}

fn from_json(text: &str, name: &str) -> anyhow::Result<Vec<ToldRun>> {
    let mut runs = Vec::new();
    // Where the last step stands: positions are counted on from there.
    let mut seen = (0, Position::START);
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<RunDocument<'_>>();
    loop {
        let from = documents.byte_offset();
        let Some(document) = documents.next() else { break };
        let RunDocument { property, witness, prefix, cycle, ends } = document.map_err(|e| {
            let (line, column) = (e.line(), e.column());
            let what = e.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            anyhow!("{name}:{line}:{column}: {what}")
        })?;
        let steps = match (witness, prefix) {
            (Some(steps), _) => steps,
            (None, Some(prefix)) => RunSteps { prefix, cycle: cycle.unwrap_or_default(), ends },
            // A property without a run.
            (None, None) if property.is_some() => continue,
            (None, None) => {
                let blank = text[from..].len() - text[from..].trim_start().len();
                let at = Position::START.after(&text.as_bytes()[..from + blank]);
                bail!("{name}:{at}: no run here, expected \"prefix\" and \"cycle\"");
            }
        };
        let home = steps.prefix.len();
        let is_cycle = !steps.cycle.is_empty();
        let ends = match (is_cycle, steps.ends.as_deref()) {
            (true, _) => RunEnd::Cycle(home),
            (false, Some("open")) => RunEnd::Open,
            (false, _) => RunEnd::Dead,
        };
        let all = steps.prefix.into_iter().chain(steps.cycle);
        let told = |raw: &RawValue| {
            let offset = raw.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
            if let Some(between) = text.as_bytes().get(seen.0..offset) {
                seen = (offset, seen.1.after(between));
            }
            let at = seen.1;
            let step = serde_json::from_str(raw.get());
            let step =
                step.map_err(|_| anyhow!("{name}:{at}: expected the id of a step, in quotes"));
            Ok(ToldStep { name: step?, at })
        };
        let steps = all.map(told).collect::<anyhow::Result<_>>()?;
        runs.push(ToldRun { property, steps, ends });
    }
    Ok(runs)
}

/// Where the trace begins, if only `Trace:` stands before it.
fn trace_start(text: &str) -> Option<usize> {
    let start = text.find('<')?;
    let before = text[..start].trim();
    matches!(before, "" | "Trace" | "Trace:").then_some(start)
}

/// A trace of `verifypn`: `<trace>` with a `<transition id="..">` per step, in which the tokens
/// that it takes are listed (`<token place=".." age=".."/>`, left to the net here); `<loop/>`
/// before the steps that repeat; `<deadlock/>` at the end of a run that ends in a dead marking.
fn from_trace(text: &str) -> Result<ToldRun, XmlError> {
    let start = trace_start(text).unwrap_or(0);
    // What stands before is blanked, so that lines and columns stay what they are.
    let blank: String = text[..start].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
    let blanked = blank + &text[start..];
    let mut xml = XmlReader::new(blanked.as_bytes());
    let mut run = ToldRun::default();
    let mut home = None;
    let mut dead = false;
    let mut is_open = false;
    loop {
        match xml.next()? {
            Token::Start(tag) if !is_open => {
                if tag.name() != "trace" {
                    let message = format!("<{}> is no run, expected <trace>", tag.name());
                    return Err(tag.error(message));
                }
                is_open = true;
            }
            Token::Start(tag) => {
                let at = tag.at();
                match tag.name() {
                    "transition" if !dead => {
                        let id = tag.attribute("id").ok_or_else(|| tag.missing("id"))?;
                        let (id, at) = match tag.attributes(["id"], &["index", "name"])? {
                            [Some((id, at))] => (id.into_owned(), at),
                            [None] => (id, at),
                        };
                        run.steps.push(ToldStep { name: id, at });
                    }
                    "loop" if home.is_none() => home = Some(run.steps.len()),
                    "deadlock" => dead = true,
                    "delay" => {
                        let message = "a delay: runs of nets with time cannot be replayed";
                        return Err(tag.error(message));
                    }
                    other => {
                        let message = format!(
                            "unexpected <{other}>, expected <transition>, one <loop/>, or <deadlock/> at the end"
                        );
                        return Err(tag.error(message));
                    }
                }
                xml.skip_element()?;
            }
            Token::End | Token::Text(..) => (),
            Token::Eof => break,
        }
    }
    run.ends = match home {
        _ if dead => RunEnd::Dead,
        Some(home) if home < run.steps.len() => RunEnd::Cycle(home),
        _ => RunEnd::Open,
    };
    Ok(run)
}

/// A run written by hand.
fn from_lines(text: &str) -> Result<ToldRun, XmlError> {
    let mut run = ToldRun::default();
    let mut home: Option<(usize, Position)> = None;
    let mut dead = None;
    for (i, line) in text.lines().enumerate() {
        let word = line.trim();
        let column = line.chars().take_while(|c| c.is_whitespace()).count() as u32 + 1;
        let at = Position { line: i as u32 + 1, column };
        if word.is_empty() || word.starts_with('#') {
            continue;
        }
        if dead.is_some() {
            return Err(XmlError::new(at, "nothing can follow \"dead\""));
        }
        match word {
            "repeat" => match home.replace((run.steps.len(), at)) {
                None => (),
                Some(_) => return Err(XmlError::new(at, "a second \"repeat\", expected one")),
            },
            "dead" => dead = Some(at),
            _ => run.steps.push(ToldStep { name: unquoted(word, at)?, at }),
        }
    }
    run.ends = match (home, dead) {
        (Some(_), Some(at)) => {
            return Err(XmlError::new(
                at,
                "a run with \"repeat\" goes on for ever, it is never dead",
            ));
        }
        (None, Some(_)) => RunEnd::Dead,
        (None, None) => RunEnd::Open,
        (Some((home, _)), None) if home < run.steps.len() => RunEnd::Cycle(home),
        (Some((_, at)), None) => {
            return Err(XmlError::new(at, "no step after \"repeat\", expected what repeats"));
        }
    };
    Ok(run)
}

/// A name, out of its quotes if it has some.
fn unquoted(word: &str, at: Position) -> Result<String, XmlError> {
    let Some(rest) = word.strip_prefix('"') else {
        // A comment may follow.
        let name = word.split(" #").next().unwrap_or(word);
        return Ok(name.trim_end().to_owned());
    };
    let mut name = String::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => name.extend(letters.next()),
            '"' => {
                let after = letters.as_str().trim();
                if after.is_empty() || after.starts_with('#') {
                    return Ok(name);
                }
                return Err(XmlError::new(at, format!("unexpected {after} behind the name")));
            }
            _ => name.push(letter),
        }
    }
    Err(XmlError::new(at, "the quote is not closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Vec<ToldRun>> {
        read_runs(&Text { name: "run".to_owned(), text: text.to_owned() })
    }

    fn names(run: &ToldRun) -> Vec<&str> {
        run.steps.iter().map(|s| s.name.as_str()).collect()
    }

    #[test]
    fn text_has_a_step_per_line() {
        let run =
            &read("# by hand\n a\n\"b c\" # quoted\nrepeat\n\"repeat\"\nd # last\n").unwrap()[0];
        assert_eq!(names(run), ["a", "b c", "repeat", "d"]);
        assert_eq!(run.ends, RunEnd::Cycle(2));
        assert_eq!(run.steps[0].at, Position { line: 2, column: 2 });
        assert_eq!(read("a\ndead\n").unwrap()[0].ends, RunEnd::Dead);
        assert_eq!(read("a\n").unwrap()[0].ends, RunEnd::Open);
        for (text, what) in [
            ("a\nrepeat\n", "run:2:1: no step after"),
            ("repeat\na\nrepeat\n", "run:3:1: a second"),
            ("dead\na\n", "run:2:1: nothing can follow"),
            ("repeat\na\ndead", "run:3:1: a run with"),
            ("  \"a", "run:1:3: the quote"),
            ("\"a\" b", "run:1:1: unexpected b"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(what), "{error}");
        }
    }

    #[test]
    fn json_keeps_where_each_step_stands() {
        let text = "{\"property\": \"x\", \"witness\": null}\n{\"witness\": {\"prefix\": [\"a\"],\n \
                    \"cycle\": [\"b\\\"\"]}} {\"prefix\": [], \"cycle\": [], \"ends\": \"open\"}";
        let runs = read(text).unwrap();
        assert_eq!(runs.len(), 2);
        assert_eq!((names(&runs[0]), runs[0].ends), (vec!["a", "b\""], RunEnd::Cycle(1)));
        assert_eq!(runs[0].steps[1].at, Position { line: 3, column: 12 });
        assert_eq!(runs[1].ends, RunEnd::Open);
        assert_eq!(read("{\"prefix\":[],\"cycle\":[]}").unwrap()[0].ends, RunEnd::Dead);
        for (text, what) in [
            ("{\"prefix\": [1]}", "run:1:13: expected the id"),
            ("{\"prefix\": [\n}", "run:2:1: "),
            ("{}", "run:1:1: no run here"),
            ("{\"property\":\"a\",\"witness\":null}", "run: no run in this file"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(what), "{error}");
        }
    }

    #[test]
    fn traces_of_verifypn_are_read() {
        let text = "Trace:\n<trace>\n  <transition id=\"t&amp;1\">\n    <token age=\"0\" \
                    place=\"p\"/>\n  </transition>\n  <loop/>\n  <transition id=\"u\" \
                    index=\"3\"/>\n</trace>\n";
        let run = &read(text).unwrap()[0];
        assert_eq!((names(run), run.ends), (vec!["t&1", "u"], RunEnd::Cycle(1)));
        assert_eq!(run.steps[0].at.line, 3);
        let dead = "<trace><transition id=\"t\"/><loop/><deadlock/></trace>";
        assert_eq!(read(dead).unwrap()[0].ends, RunEnd::Dead);
        for (text, what) in [
            ("<trace><delay>1</delay></trace>", "run:1:8: a delay"),
            ("<pnml/>", "run:1:1: <pnml> is no run"),
            ("<trace><transition/></trace>", "run:1:8: <transition> has no attribute id"),
            ("<trace><loop/><loop/></trace>", "run:1:15: unexpected <loop>"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(what), "{error}");
        }
    }
}
