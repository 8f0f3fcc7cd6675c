//! The campaign: one seed, one net, a few questions, a few ways to ask each.

use crate::binary::Binary;
use crate::case::{Case, CaseAnswer, Failure};
use crate::configuration::Configuration;
use crate::options;
use crate::subject::Subject;
use brine_ltl::{Formulas, Symbols};
use brine_net::{Net, Rng};
use brine_oracle::formulas::{AtomScope, sized_formula};
use brine_oracle::nets::SHAPES;
use brine_oracle::shrink::NetAndFormula;
use brine_pnml::{read_pnml_from, write_pnml};
use std::collections::BTreeMap;

/// Questions about each net, and about one with more markings than brute force can take:
/// there the verdicts are compared with each other, and most searches end with their budget.
const QUESTIONS: usize = 5;
const QUESTIONS_OF_LARGE: usize = 1;
/// Ways to ask each question.
const WAYS: usize = 4;
/// One net in so many is asked about through the binary.
const BINARY_SHARE: u32 = 25;
/// Operators and atoms of a formula at most.
const SIZE_MAX: u32 = 30;

/// What a campaign has seen, so that nobody is deceived by its silence.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Questions times ways to ask.
    pub cases: u64,
    /// Of these, through the binary.
    pub through_binary: u64,
    /// Nets.
    pub nets: u64,
    /// Nets by shape.
    pub shapes: BTreeMap<&'static str, u64>,
    /// Cases by command and engine.
    pub engines: BTreeMap<String, u64>,
    /// Cases by answer.
    pub answers: BTreeMap<&'static str, u64>,
    /// Questions.
    pub questions: u64,
    /// Questions that brute force answered.
    pub decided: u64,
    /// Configurations with collections or caches out of the ordinary.
    pub stressed: u64,
}

impl Tally {
    fn add(&mut self, configuration: &Configuration, answer: CaseAnswer) {
        self.cases += 1;
        let engine = configuration.option("--engine").unwrap_or("");
        let name = format!("{} {engine}", configuration.command());
        *self.engines.entry(name.trim().to_owned()).or_default() += 1;
        let word = match answer {
            CaseAnswer::Holds => "holds",
            CaseAnswer::Violated => "violated",
            CaseAnswer::Unknown => "unknown",
            CaseAnswer::Refused => "refused",
            CaseAnswer::Counted => "counted",
        };
        *self.answers.entry(word).or_default() += 1;
        let schedule = configuration.schedule;
        let stressed = schedule.gc_interval.is_some() || schedule.cache_entries.is_some();
        self.stressed += u64::from(stressed);
    }
}

/// A case that failed.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The seed of its net.
    pub seed: u64,
    /// The case as it was drawn.
    pub case: Case,
    /// Whether it was asked through the binary.
    pub through_binary: bool,
    /// What went wrong.
    pub failure: Failure,
}

/// Where cases come from and how they are asked.
#[derive(Debug, Default)]
pub struct Campaign {
    /// The binary for its share of the cases; without one, all are asked in this process.
    pub binary: Option<Binary>,
}

impl Campaign {
    /// All cases of one seed: a net with its questions.
    pub fn step(&self, seed: u64, tally: &mut Tally) -> Result<(), Box<Failing>> {
        let mut rng = Rng::new(seed);
        let (net, shape) = draw_net(&mut rng);
        tally.nets += 1;
        *tally.shapes.entry(shape).or_default() += 1;
        let share = rng.below(BINARY_SHARE) == 0;
        let binary = self.binary.as_ref().filter(|_| share);
        let subject = Subject::new(net);
        let file = survives_a_file(&subject.net);
        let complete = subject.kripke.complete;
        for _ in 0..if complete { QUESTIONS } else { QUESTIONS_OF_LARGE } {
            let case = draw_case(&mut rng, &subject.net, share);
            let checked = file.clone().and_then(|()| case.check(&subject, binary));
            let failing = |failure| {
                let through_binary = binary.is_some();
                Box::new(Failing { seed, case: case.clone(), through_binary, failure })
            };
            let checked = checked.map_err(failing)?;
            tally.questions += 1;
            tally.decided += u64::from(checked.expected.is_some());
            for (configuration, &answer) in case.configurations.iter().zip(&checked.answers) {
                tally.add(configuration, answer);
                tally.through_binary += u64::from(binary.is_some());
            }
        }
        Ok(())
    }
}

/// A net, and the name of its shape.
pub fn draw_net(rng: &mut Rng) -> (Net, &'static str) {
    let shape = SHAPES[rng.below(SHAPES.len() as u32) as usize];
    ((shape.draw)(rng), shape.name)
}

/// A formula: of any size, more often a small one.
pub fn draw_formula(rng: &mut Rng, net: &Net) -> String {
    let size = if rng.chance(70) { 1 + rng.below(8) } else { 1 + rng.below(SIZE_MAX) };
    let mut fs = Formulas::new();
    let formula = sized_formula(rng, AtomScope::of(net), &mut fs, size);
    fs.print(formula, &Symbols::of_net(net))
}

fn draw_case(rng: &mut Rng, net: &Net, share: bool) -> Case {
    let text = draw_formula(rng, net);
    let mut configurations = Vec::new();
    while configurations.len() < WAYS {
        let configuration = options::draw(rng);
        if share || configuration.runs_in_process() {
            configurations.push(configuration);
        }
    }
    Case { question: NetAndFormula { net: net.clone(), formula: text }, configurations }
}

/// A net that is written and read is the same.
fn survives_a_file(net: &Net) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    write_pnml(net, &mut bytes).map_err(|e| Failure::new(e.to_string()))?;
    let read = read_pnml_from(bytes.as_slice(), "net").map_err(|e| Failure::new(e.to_string()))?;
    if read == *net { Ok(()) } else { Err(Failure::new("the net is another after a file")) }
}
