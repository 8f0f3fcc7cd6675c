//! A run as text: numbered steps in plain words.
//!
//! Each step says what it takes, puts and needs; below it, which parts of the formula have become
//! true or false. Markings at the start of the cycle and at a dead end are written in full. What
//! is left out is counted, with the option that shows it. Lines are broken at the width of the
//! terminal, never cut.

use super::trace::{Row, Trace};
use brine_replay::FairBecause;
use std::fmt::Write;

/// Longer stretches of a run are cut in the middle, unless all of it is asked for.
const STEPS_SHOWN: usize = 200;
/// Reasons why a run is fair, unless all are asked for.
const FAIR_SHOWN: usize = 8;
/// Width of the words before what a line says.
const MARGIN: usize = 10;

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Characters in a line.
    pub width: usize,
    /// With the colours of a terminal.
    pub colour: bool,
    /// Everything: all places, all steps.
    pub full: bool,
}

impl Default for Look {
    fn default() -> Self {
        Look { width: 100, colour: false, full: false }
    }
}

/// What is said how loudly.
#[derive(Clone, Copy)]
enum Tone {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
}

impl Look {
    fn paint(&self, tone: Tone, text: &str) -> String {
        let code = match tone {
            _ if !self.colour => return text.to_owned(),
            Tone::Plain => return text.to_owned(),
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Good => "32",
            Tone::Bad => "31",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The run, ready to be printed.
///
/// ```
/// use brine_check::show::{Look, Subject, Trace, text};
/// use brine_check::shorten::RunFacts;
/// use brine_net::{NetBuilder, Run, TransitionId};
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 2), b.place("q", 0));
/// let t = b.transition("t", &[(p, 2)], &[(q, 1)]);
/// let net = b.build().unwrap();
/// let run = Run { prefix: vec![t], cycle: vec![] };
/// let trace = Trace::new(Subject::Net(&net), &run, RunFacts::default(), None);
/// assert_eq!(
///     text(&trace, &Look { full: true, ..Look::default() }),
///     "  A run of 1 step to a dead marking:\n  start     2 p\n  1         t   takes 2 p; puts q\n  \
///      dead      nothing is enabled; this marking repeats for ever: q\n"
/// );
/// ```
pub fn text(trace: &Trace, look: &Look) -> String {
    let mut page = Page { trace, look, out: String::new(), hidden: 0 };
    page.headline();
    page.start();
    let count = trace.steps.len();
    let name_width = trace.steps.iter().map(|s| s.label.chars().count()).max().unwrap_or(0).min(24);
    for i in 0..count {
        let (from, to) =
            if i < trace.home { (0, trace.home.min(count)) } else { (trace.home, count) };
        let (at, of) = (i - from, to - from);
        if i == trace.home && i > 0 && !trace.is_beginning() {
            page.cycle_start();
        }
        let cut = of > STEPS_SHOWN && !look.full;
        if cut && at == STEPS_SHOWN / 2 {
            let more = of - STEPS_SHOWN;
            page.line("...", &[(Tone::Faint, format!("{more} more steps; --full shows them"))]);
        }
        if !cut || at < STEPS_SHOWN / 2 || at + STEPS_SHOWN / 2 >= of {
            page.step(i, name_width);
        }
    }
    page.end();
    page.out
}

struct Page<'a> {
    trace: &'a Trace,
    look: &'a Look,
    out: String,
    /// Effects that were left out.
    hidden: usize,
}

/// Words of a line with their tones.
type Words = Vec<(Tone, String)>;

fn steps(n: usize) -> String {
    if n == 1 { "1 step".to_owned() } else { format!("{n} steps") }
}

/// What the run is, and whether a shorter one exists.
pub fn headline(trace: &Trace) -> (String, &'static str) {
    let Trace { home, dead, is_example, .. } = *trace;
    let count = trace.steps.len();
    let what = match (trace.is_beginning(), dead) {
        _ if trace.is_open() => format!("The beginning of a run, {}", steps(count)),
        (true, _) if is_example && count == 0 => "The start shows it".to_owned(),
        (true, _) if is_example => format!("A run of {} that shows it", steps(count)),
        (true, true) if count > 0 && home == count => {
            format!("A run of {} to a dead marking, which violates it", steps(count))
        }
        (true, _) if count == 0 => "It is violated at the start, whatever happens".to_owned(),
        (true, _) => format!("{} that violate it, whatever follows", steps(count)),
        (false, true) => format!("A run of {} to a dead marking", steps(count)),
        (false, false) if home + 1 == count => {
            format!("A run of {}; step {count} repeats for ever", steps(count))
        }
        (false, false) => {
            let first = home + 1;
            format!("A run of {}; steps {first} to {count} repeat for ever", steps(count))
        }
    };
    let what = what.replace("1 step that violate", "1 step that violates");
    (what, if trace.is_shortest() && count > 0 { " (none is shorter)" } else { "" })
}

impl Page<'_> {
    fn headline(&mut self) {
        let (what, proof) = headline(self.trace);
        let _ = writeln!(self.out, "  {}{proof}:", self.look.paint(Tone::Strong, &what));
    }

    fn start(&mut self) {
        // A cycle from the start on begins there: its marking is written in full.
        let full = self.look.full || self.trace.home == 0 && !self.trace.is_beginning();
        let words = self.marking(&self.trace.initial, full);
        self.line("start", &words);
        self.truth(0);
    }

    fn cycle_start(&mut self) {
        let marking = self.trace.marking(self.trace.home);
        let mut words = vec![(Tone::Strong, "what follows repeats for ever; marking:".to_owned())];
        words.extend(self.marking(&marking, true));
        self.line("repeat", &words);
    }

    /// The marked places, or the slots that are not zero.
    fn marking(&self, marking: &[u32], full: bool) -> Words {
        let marked = |&(p, n): &(usize, &u32)| self.trace.value(p, *n) != "0";
        let all: Vec<(usize, &u32)> = marking.iter().enumerate().filter(marked).collect();
        let shown: Vec<_> = all.iter().filter(|(p, _)| full || self.trace.needed[*p]).collect();
        let word = |&&(p, &n): &&(usize, &u32)| match self.trace.is_net {
            true => self.tokens(p, n),
            false => format!("{} = {}", self.trace.places[p], self.trace.value(p, n)),
        };
        let mut words: Words = Vec::new();
        for (i, entry) in shown.iter().enumerate() {
            let comma = if i + 1 < shown.len() { "," } else { "" };
            words.push((Tone::Plain, word(entry) + comma));
        }
        let more = all.len() - shown.len();
        match (all.len(), more) {
            (0, _) if self.trace.is_net => {
                words.push((Tone::Plain, "no token anywhere".to_owned()))
            }
            (0, _) => words.push((Tone::Plain, "all zero".to_owned())),
            (_, 0) => (),
            _ => {
                let places = if more == 1 { "place is" } else { "places are" };
                let also = if shown.is_empty() { "" } else { " more" };
                let note = format!("({more}{also} {places} marked; --full)");
                words.push((Tone::Faint, note));
            }
        }
        words
    }

    /// Some tokens of a place: `p`, `2 p`.
    fn tokens(&self, place: usize, n: u32) -> String {
        let name = &self.trace.places[place];
        if n == 1 { name.clone() } else { format!("{n} {name}") }
    }

    fn step(&mut self, i: usize, name_width: usize) {
        let step = &self.trace.steps[i];
        let name = format!("{:<name_width$}  ", step.label);
        let mut words = vec![(Tone::Strong, name)];
        words.extend(self.effects(i));
        self.line(&(i + 1).to_string(), &words);
        self.truth(i + 1);
    }

    fn effects(&mut self, i: usize) -> Words {
        let trace = self.trace;
        let step = &trace.steps[i];
        let seen = |p: &usize| self.look.full || trace.needed[*p];
        let hidden = step.changes.iter().filter(|c| !seen(&c.0)).count();
        let changes: Vec<_> = step.changes.iter().filter(|c| seen(&c.0)).collect();
        if !trace.is_net {
            let word = |c: &&&(usize, u32, u32)| {
                (Tone::Plain, format!("{} := {} ", trace.places[c.0], trace.value(c.0, c.2)))
            };
            self.hidden += hidden;
            return match changes.is_empty() {
                true => vec![(Tone::Faint, "no change".to_owned())],
                false => changes.iter().map(|c| word(&c)).collect(),
            };
        }
        let taken = changes.iter().filter(|c| c.2 < c.1).map(|c| self.tokens(c.0, c.1 - c.2));
        let put = changes.iter().filter(|c| c.2 > c.1).map(|c| self.tokens(c.0, c.2 - c.1));
        let needed = step.needs.iter().map(|n| self.tokens(n.0, n.1));
        let groups = [
            ("takes", Tone::Bad, taken.collect::<Vec<_>>()),
            ("puts", Tone::Good, put.collect()),
            ("needs", Tone::Plain, needed.collect()),
        ];
        let mut words: Words = Vec::new();
        for (verb, tone, list) in groups.into_iter().filter(|g| !g.2.is_empty()) {
            if let Some(last) = words.last_mut() {
                last.1.push(';');
            }
            words.push((Tone::Faint, verb.to_owned()));
            let n = list.len();
            let commas = list.into_iter().enumerate();
            words.extend(commas.map(|(j, w)| (tone, if j + 1 < n { w + "," } else { w })));
        }
        if words.is_empty() {
            let what = if hidden > 0 { "changes nothing that matters here" } else { "no change" };
            words.push((Tone::Faint, what.to_owned()));
        }
        self.hidden += hidden;
        words
    }

    /// What has become true or false at a position, or is so at the start.
    fn truth(&mut self, position: usize) {
        let trace = self.trace;
        // After the last step of a cycle comes its first position again.
        let positions = trace.rows.first().map_or(0, |row| row.values.len());
        if position >= positions {
            return;
        }
        let mut lines: [Vec<&Row>; 2] = Default::default();
        // That the formula is violated at the start is what the whole run is about.
        let is_known = |i: usize| i == 0 && position == 0 && !trace.is_example && !trace.is_open();
        for (i, row) in trace.rows.iter().enumerate() {
            if is_known(i) && row.temporal && row.values[position] == Some(false) {
                continue;
            }
            let now = row.values[position];
            let before = position.checked_sub(1).and_then(|b| row.values[b]);
            if let Some(value) = now.filter(|_| position == 0 || now != before) {
                lines[usize::from(value)].push(row);
            }
        }
        let when = if position == 0 { "" } else { "now " };
        for (rows, word, tone) in [(&lines[0], "false", Tone::Bad), (&lines[1], "true", Tone::Good)]
        {
            if rows.is_empty() {
                continue;
            }
            let mut words = vec![(tone, format!("{when}{word}:"))];
            for (i, row) in rows.iter().enumerate() {
                let comma = if i + 1 < rows.len() { ";" } else { "" };
                words.push((Tone::Plain, format!("{}{comma}", row.text)));
            }
            self.line("", &words);
        }
    }

    fn end(&mut self) {
        let trace = self.trace;
        let count = trace.steps.len();
        let dead_here = trace.dead && trace.home == count;
        if trace.is_open() {
            let noun = if trace.is_net { "marking" } else { "state" };
            let mut words = vec![(Tone::Strong, format!("here; {noun}:"))];
            words.extend(self.marking(&trace.marking(count), true));
            self.line("stopped", &words);
        } else if trace.is_beginning() && !dead_here && trace.is_example {
            self.line("shown", &[(Tone::Good, "whatever follows".to_owned())]);
        } else if trace.is_beginning() && !dead_here {
            self.line("violated", &[(Tone::Bad, "whatever follows".to_owned())]);
        } else if trace.dead {
            let noun = if trace.is_net { "marking" } else { "state" };
            let what = format!("nothing is enabled; this {noun} repeats for ever:");
            let mut words = vec![(Tone::Bad, what)];
            words.extend(self.marking(&trace.marking(count), true));
            self.line("dead", &words);
        } else {
            let first = trace.home + 1;
            self.line("again", &[(Tone::Strong, format!("from step {first}, for ever"))]);
            self.fairness();
        }
        if self.hidden > 0 || trace.rows_left_out > 0 {
            let mut what = Vec::new();
            if self.hidden > 0 {
                let effects = if self.hidden == 1 { "effect" } else { "effects" };
                what.push(format!("{} {effects} on other places; --full shows it", self.hidden));
            }
            if trace.rows_left_out > 0 {
                what.push(format!("{} parts of the formula", trace.rows_left_out));
            }
            let note = format!("left out: {}", what.join("; "));
            self.line("", &[(Tone::Faint, note)]);
        }
    }

    /// Why the cycle is fair.
    fn fairness(&mut self) {
        let rows = &self.trace.fairness;
        let count = if self.look.full { rows.len() } else { rows.len().min(FAIR_SHOWN) };
        let mut words: Words = Vec::new();
        for (i, row) in rows[..count].iter().enumerate() {
            let why = match row.because {
                FairBecause::Fires(step) => format!("fires in step {step}"),
                FairBecause::DisabledBefore(step) => format!("is disabled before step {step}"),
                FairBecause::NeverEnabled => "is never enabled in the cycle".to_owned(),
                FairBecause::Dead => continue,
            };
            let end = if i + 1 < rows.len() { ";" } else { "" };
            words.push((Tone::Plain, format!("{} {why}{end}", row.label)));
        }
        if count < rows.len() {
            words.push((Tone::Faint, format!("({} more; --full)", rows.len() - count)));
        }
        if !words.is_empty() {
            self.line("fair", &words);
        }
    }

    /// A line with a word in its margin, broken where it is too long.
    fn line(&mut self, margin: &str, words: &[(Tone, String)]) {
        let _ =
            write!(self.out, "  {}", self.look.paint(Tone::Faint, &format!("{margin:<MARGIN$}")));
        let mut at = 2 + MARGIN;
        for (i, (tone, word)) in words.iter().enumerate() {
            let length = word.chars().count();
            if i > 0 {
                if at + 1 + length > self.look.width.max(40) && at > 2 + MARGIN + 4 {
                    let _ = write!(self.out, "\n{:1$}", "", 2 + MARGIN + 4);
                    at = 2 + MARGIN + 4;
                } else {
                    self.out.push(' ');
                    at += 1;
                }
            }
            self.out.push_str(&self.look.paint(*tone, word));
            at += length;
        }
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
    }
}
