//! The words of a command line: read, sorted out, printed.
//!
//! [`EngineOptions`] is what was given, whichever engine it belongs to; [`EngineOptions::spec`]
//! finds the engine and refuses what it would ignore. Invariant, asserted when printing: the
//! words of a description read as the same description.

use super::{EngineName, EngineSpec, PinsSpec, StageName};
use crate::auto::Stages;
use crate::engine::BadOption;
use brine_explicit::Emptiness;
use brine_explicit::por::Por;
use brine_explicit::provisos::Proviso;
use brine_explicit::stubborn::{Choice, Strength};
use brine_net::order::OrderSpec;
use brine_pins::{MatrixOptions, Regroup, Strategy};
use brine_scc::{Ideas, Method};
use std::fmt;
use std::str::FromStr;

/// The options that are followed by a value.
const VALUED: [&str; 9] = [
    "--engine",
    "--emptiness",
    "--seed",
    "--proviso",
    "--stubborn",
    "--tries",
    "--order",
    "--strategy",
    "--without",
];

/// The options of all engines, as they were given.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EngineOptions {
    /// `--engine`
    pub engine: Option<EngineName>,
    /// `--emptiness`
    pub emptiness: Option<Emptiness>,
    /// `--seed`; 0 is no seed.
    pub seed: u64,
    /// `--por`
    pub por: bool,
    /// `--proviso`
    pub proviso: Option<Proviso>,
    /// `--stubborn`
    pub stubborn: Option<Strength>,
    /// `--tries`
    pub tries: Option<usize>,
    /// `--order`
    pub order: Option<OrderSpec>,
    /// `--no-recurring`
    pub no_recurring: bool,
    /// `--no-abstraction`
    pub no_abstraction: bool,
    /// `--no-otf`
    pub no_otf: bool,
    /// `--strategy`
    pub strategy: Option<Strategy>,
    /// `--regroup`
    pub regroup: Option<Regroup>,
    /// `--w2W`
    pub must_to_may: bool,
    /// `--W2+`
    pub may_to_read_write: bool,
    /// `--without`
    pub without: Vec<StageName>,
}

/// A word that is no option of an engine, or one whose value makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{option}: {message}")]
pub struct UnknownOption {
    /// The word.
    pub option: String,
    /// What is wrong with it.
    pub message: String,
}

/// Reads the value of `--emptiness`.
pub fn parse_emptiness(name: &str) -> Result<Emptiness, String> {
    let known = || Emptiness::ALL.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
    Emptiness::from_name(name)
        .ok_or_else(|| format!("unknown check \"{name}\"; known are {}", known()))
}

/// Reads the value of `--strategy`.
pub fn parse_strategy(name: &str) -> Result<Strategy, String> {
    Strategy::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        format!("unknown strategy \"{name}\"; known are {names}")
    })
}

/// Reads the value of `--stubborn`.
pub fn parse_strength(name: &str) -> Result<Strength, String> {
    match name {
        "strong" => Ok(Strength::Strong),
        "weak" => Ok(Strength::Weak),
        _ => Err(format!("unknown kind of stubborn sets \"{name}\"; known are strong, weak")),
    }
}

fn strength_name(strength: Strength) -> &'static str {
    match strength {
        Strength::Strong => "strong",
        Strength::Weak => "weak",
    }
}

impl EngineOptions {
    /// What `--regroup` does without a list.
    pub const REGROUP: &'static str = "ru,cs,rs,cw,rs";

    /// Reads words, all of which must be options of engines. Values follow their option, in
    /// the same word after `=` or in the next; that of `--regroup` only after `=`.
    pub fn parse<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Self, UnknownOption> {
        let (options, others) = EngineOptions::split(words)?;
        match others.first() {
            None => Ok(options),
            Some(word) => {
                let message = "no engine has this option".to_owned();
                Err(UnknownOption { option: word.clone(), message })
            }
        }
    }

    /// Tells the options of engines from other words, which are given back in their order.
    pub fn split<'w>(
        words: impl IntoIterator<Item = &'w str>,
    ) -> Result<(Self, Vec<String>), UnknownOption> {
        let mut options = EngineOptions::default();
        let mut others = Vec::new();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            let read = match (option, value) {
                ("--regroup", value) => {
                    let list = value.unwrap_or(EngineOptions::REGROUP).parse();
                    list.map(|list| options.regroup = Some(list))
                }
                (switch, None) if options.switch(switch) => Ok(()),
                (option, value) if VALUED.contains(&option) => {
                    match value.or_else(|| words.next()) {
                        Some(value) => options.set(option, value),
                        None => Err("expected a value".to_owned()),
                    }
                }
                _ => {
                    others.push(word.to_owned());
                    Ok(())
                }
            };
            read.map_err(|message| UnknownOption { option: option.to_owned(), message })?;
        }
        Ok((options, others))
    }

    /// Sets an option without a value; whether there is one of this name.
    fn switch(&mut self, option: &str) -> bool {
        let switch = match option {
            "--por" => &mut self.por,
            "--no-recurring" => &mut self.no_recurring,
            "--no-abstraction" => &mut self.no_abstraction,
            "--no-otf" => &mut self.no_otf,
            "--w2W" => &mut self.must_to_may,
            "--W2+" => &mut self.may_to_read_write,
            _ => return false,
        };
        *switch = true;
        true
    }

    /// Sets an option with a value.
    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|e| format!("{value}: {e}"));
        match option {
            "--engine" => {
                let known = EngineName::from_name(value);
                self.engine = Some(known.ok_or_else(|| format!("unknown engine \"{value}\""))?);
            }
            "--emptiness" => self.emptiness = Some(parse_emptiness(value)?),
            "--seed" => self.seed = number()?,
            "--proviso" => {
                self.proviso = Some(Proviso::from_name(value).map_err(|e| e.to_string())?);
            }
            "--stubborn" => self.stubborn = Some(parse_strength(value)?),
            "--tries" => match number()? {
                0 => return Err("expected a number from 1".to_owned()),
                tries => self.tries = Some(tries as usize),
            },
            "--order" if value == "auto" => self.order = None,
            "--order" => self.order = Some(value.parse().map_err(|e| format!("{e}"))?),
            "--strategy" => self.strategy = Some(parse_strategy(value)?),
            "--without" => {
                let stage = |name: &str| {
                    StageName::from_name(name).ok_or_else(|| format!("unknown stage \"{name}\""))
                };
                self.without = value.split(',').map(stage).collect::<Result<_, _>>()?;
            }
            _ => debug_assert!(false, "{option} is not in the list of options with values"),
        }
        Ok(())
    }

    /// The engine: if none is named, the one that the other options speak of.
    fn chosen(&self) -> EngineName {
        match self.engine {
            Some(engine) if engine != EngineName::Auto => engine,
            _ if self.emptiness.is_some() || self.por || self.seed != 0 => EngineName::Explicit,
            _ if self.ablates() => EngineName::Symbolic,
            _ if self.of_pins().is_some() => EngineName::Pins,
            _ => EngineName::Auto,
        }
    }

    /// Whether a part of symbolic search is left out.
    fn ablates(&self) -> bool {
        self.no_recurring || self.no_abstraction || self.no_otf
    }

    /// The first option that only makes sense with `--engine pins`, if one was given.
    pub fn of_pins(&self) -> Option<&'static str> {
        let options = [
            (self.strategy.is_some(), "--strategy"),
            (self.regroup.is_some(), "--regroup"),
            (self.must_to_may, "--w2W"),
            (self.may_to_read_write, "--W2+"),
        ];
        options.into_iter().find(|o| o.0).map(|o| o.1)
    }

    /// The engine that these options describe. An option that it would ignore is a mistake.
    pub fn spec(&self) -> Result<EngineSpec, BadOption> {
        let engine = self.chosen();
        self.refuse_idle(engine).map_err(BadOption)?;
        let order = self.order;
        Ok(match engine {
            EngineName::Auto => EngineSpec::Auto { stages: self.stages(), order },
            EngineName::Explicit => EngineSpec::Explicit {
                emptiness: self.emptiness,
                seed: self.seed,
                por: self.por().map_err(BadOption)?,
            },
            EngineName::Hunt => EngineSpec::Hunt { seed: self.seed },
            EngineName::Symbolic => EngineSpec::Symbolic { method: self.method(), order },
            EngineName::HullEl | EngineName::HullOwcty => {
                EngineSpec::Symbolic { method: hull(engine), order }
            }
            EngineName::Pins => EngineSpec::Pins { pins: self.pins(), order },
        })
    }

    fn stages(&self) -> Stages {
        let with = |stage| !self.without.contains(&stage);
        Stages {
            simplification: with(StageName::Simplification),
            reduction: with(StageName::Reduction),
            hunt: with(StageName::Hunt),
            explicit: with(StageName::Explicit),
            symbolic: with(StageName::Symbolic),
        }
    }

    /// Partial-order reduction, if it was asked for.
    pub fn por(&self) -> Result<Option<Por>, String> {
        let Choice { strength, tries } = Choice::default();
        let strength = self.stubborn.unwrap_or(strength);
        let choice = Choice { strength, tries: self.tries.unwrap_or(tries) };
        let idle = [
            (self.proviso.is_some(), "--proviso"),
            (self.stubborn.is_some(), "--stubborn"),
            (self.tries.is_some(), "--tries"),
        ];
        match idle.into_iter().find(|o| o.0) {
            Some((_, option)) if !self.por => Err(format!("{option} needs --por")),
            _ => Ok(self.por.then_some(Por { proviso: self.proviso, choice })),
        }
    }

    fn method(&self) -> Method {
        let (recurring, abstraction) = (!self.no_recurring, !self.no_abstraction);
        let ideas = Ideas { recurring, abstraction, ..Ideas::default() };
        if self.no_otf { Method::AtTheEnd } else { Method::OnTheFly(ideas) }
    }

    /// The options of the state-vector interface.
    pub(crate) fn pins(&self) -> PinsSpec {
        let matrix = MatrixOptions {
            must_to_may: self.must_to_may,
            may_to_read_write: self.may_to_read_write,
            regroup: self.regroup.clone().unwrap_or_default(),
        };
        PinsSpec { strategy: self.strategy.unwrap_or_default(), matrix }
    }

    /// Says what the engine would ignore.
    fn refuse_idle(&self, engine: EngineName) -> Result<(), String> {
        let refuse = |message: &str| Err(message.to_owned());
        if self.ablates() && engine != EngineName::Symbolic {
            return refuse("--no-recurring, --no-abstraction and --no-otf need --engine symbolic");
        }
        if self.no_otf && (self.no_recurring || self.no_abstraction) {
            return refuse("--no-otf goes without --no-recurring and --no-abstraction");
        }
        if self.emptiness.is_some() && engine != EngineName::Explicit {
            return refuse("--emptiness needs --engine explicit");
        }
        let one_by_one = matches!(engine, EngineName::Explicit | EngineName::Hunt);
        if self.seed != 0 && !one_by_one {
            return refuse("--seed needs --engine explicit");
        }
        if engine != EngineName::Explicit && self.por()?.is_some() {
            return refuse("--por needs --engine explicit");
        }
        if let (Some(option), true) = (self.of_pins(), engine != EngineName::Pins) {
            return Err(format!("{option} needs --engine pins"));
        }
        if self.order.is_some() && one_by_one {
            return refuse(
                "--order is for engines on decision diagrams; explicit search has --seed",
            );
        }
        if !self.without.is_empty() && engine != EngineName::Auto {
            return refuse("--without needs --engine auto");
        }
        Ok(())
    }
}

fn hull(engine: EngineName) -> Method {
    use brine_scc::Hull;
    Method::Hull(if engine == EngineName::HullEl { Hull::EmersonLei } else { Hull::Owcty })
}

impl FromStr for EngineSpec {
    type Err = BadOption;

    /// Reads options separated by blanks.
    fn from_str(text: &str) -> Result<Self, BadOption> {
        let options = EngineOptions::parse(text.split_whitespace());
        options.map_err(|e| BadOption(e.to_string()))?.spec()
    }
}

impl EngineSpec {
    /// The words that describe this engine, each option that differs from what it is without.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec!["--engine".to_owned(), self.name().name().to_owned()];
        match self {
            EngineSpec::Auto { stages, .. } => push_stages(stages, &mut words),
            EngineSpec::Explicit { emptiness, seed, por } => {
                words.extend(emptiness.iter().flat_map(|e| pair("--emptiness", e.name())));
                push_seed(*seed, &mut words);
                por.iter().for_each(|por| push_por(por, &mut words));
            }
            EngineSpec::Hunt { seed } => push_seed(*seed, &mut words),
            EngineSpec::Symbolic { method, .. } => push_method(*method, &mut words),
            EngineSpec::Pins { pins, .. } => push_pins(pins, &mut words),
        }
        if let EngineSpec::Auto { order: Some(order), .. }
        | EngineSpec::Symbolic { order: Some(order), .. }
        | EngineSpec::Pins { order: Some(order), .. } = self
        {
            words.extend(pair("--order", order));
        }
        debug_assert_eq!(
            EngineOptions::parse(words.iter().map(String::as_str)).map(|o| o.spec()),
            Ok(Ok(self.clone())),
            "what is printed reads as the same"
        );
        words
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

fn pair(option: &str, value: impl ToString) -> [String; 2] {
    [option.to_owned(), value.to_string()]
}

fn push_seed(seed: u64, words: &mut Vec<String>) {
    if seed != 0 {
        words.extend(pair("--seed", seed));
    }
}

fn push_stages(stages: &Stages, words: &mut Vec<String>) {
    let &Stages { simplification, reduction, hunt, explicit, symbolic } = stages;
    let with = [simplification, reduction, hunt, explicit, symbolic];
    let without = StageName::ALL.into_iter().zip(with).filter(|s| !s.1).map(|s| s.0.name());
    let list: Vec<&str> = without.collect();
    if !list.is_empty() {
        words.extend(pair("--without", list.join(",")));
    }
}

fn push_por(por: &Por, words: &mut Vec<String>) {
    let Por { proviso, choice: Choice { strength, tries } } = por;
    let default = Choice::default();
    words.push("--por".to_owned());
    words.extend(proviso.iter().flat_map(|p| pair("--proviso", p.name())));
    if *strength != default.strength {
        words.extend(pair("--stubborn", strength_name(*strength)));
    }
    if *tries != default.tries {
        words.extend(pair("--tries", tries));
    }
}

fn push_method(method: Method, words: &mut Vec<String>) {
    let (recurring, abstraction, otf) = match method {
        Method::OnTheFly(ideas) => (ideas.recurring, ideas.abstraction, true),
        Method::AtTheEnd => (true, true, false),
        Method::Hull(_) => (true, true, true),
    };
    let switches =
        [(recurring, "--no-recurring"), (abstraction, "--no-abstraction"), (otf, "--no-otf")];
    words.extend(switches.into_iter().filter(|s| !s.0).map(|s| s.1.to_owned()));
}

fn push_pins(pins: &PinsSpec, words: &mut Vec<String>) {
    let PinsSpec { strategy, matrix } = pins;
    if *strategy != Strategy::default() {
        words.extend(pair("--strategy", strategy.name()));
    }
    if !matrix.regroup.0.is_empty() {
        words.push(format!("--regroup={}", matrix.regroup));
    }
    let switches = [(matrix.must_to_may, "--w2W"), (matrix.may_to_read_write, "--W2+")];
    words.extend(switches.into_iter().filter(|s| s.0).map(|s| s.1.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(line: &str) -> Result<EngineSpec, String> {
        line.parse().map_err(|BadOption(message)| message)
    }

    #[test]
    fn what_is_printed_is_what_was_read() {
        for line in [
            "--engine auto",
            "--engine auto --without hunt,symbolic --order places/force",
            "--engine explicit --emptiness ndfs --seed 7 --por --stubborn strong --tries 2",
            "--engine hunt --seed 3",
            "--engine symbolic --no-recurring --no-abstraction --order units/sloan/reversed",
            "--engine symbolic --no-otf",
            "--engine hull-el",
            "--engine hull-owcty --order force",
            "--engine pins --strategy chain --regroup=ru,cs --w2W --W2+",
        ] {
            assert_eq!(spec(line).map(|s| s.to_string()), Ok(line.to_owned()));
        }
        let provisos = Proviso::all();
        for proviso in provisos {
            let line = format!("--engine explicit --por --proviso {}", proviso.name());
            assert_eq!(spec(&line).map(|s| s.to_string()), Ok(line));
        }
    }

    #[test]
    fn words_that_are_not_the_engines_are_given_back() {
        let words = ["--threads", "2", "--seed", "5", "--quiet", "--por"];
        let (options, others) = EngineOptions::split(words).unwrap();
        assert_eq!((options.seed, options.por), (5, true));
        assert_eq!(others, ["--threads", "2", "--quiet"]);
    }

    #[test]
    fn the_engine_follows_from_the_options() {
        for (line, engine) in [
            ("", EngineName::Auto),
            ("--seed 0", EngineName::Auto),
            ("--por", EngineName::Explicit),
            ("--emptiness=gv", EngineName::Explicit),
            ("--no-otf", EngineName::Symbolic),
            ("--engine auto --no-otf", EngineName::Symbolic),
            ("--regroup", EngineName::Pins),
            ("--order auto", EngineName::Auto),
        ] {
            assert_eq!(spec(line).map(|s| s.name()), Ok(engine), "{line}");
        }
    }

    #[test]
    fn what_an_engine_would_ignore_is_refused() {
        for (line, message) in [
            ("--engine hunt --no-otf", "--no-otf need --engine symbolic"),
            ("--no-otf --no-recurring", "--no-otf goes without"),
            ("--engine pins --emptiness gv", "--emptiness needs --engine explicit"),
            ("--engine symbolic --seed 1", "--seed needs --engine explicit"),
            ("--engine hunt --por", "--por needs --engine explicit"),
            ("--engine explicit --tries 2", "--tries needs --por"),
            ("--engine auto --proviso None", "--proviso needs --por"),
            ("--engine auto --w2W --por", "--w2W needs --engine pins"),
            ("--engine explicit --order force", "explicit search has --seed"),
            ("--engine hull-el --without hunt", "--without needs --engine auto"),
            ("--engine fast", "--engine: unknown engine \"fast\""),
            ("--fast yes", "--fast: no engine has this option"),
            ("--seed", "--seed: expected a value"),
            ("--tries 0 --por", "--tries: expected a number from 1"),
            ("--without lunch", "--without: unknown stage \"lunch\""),
            ("explicit", "explicit: no engine has this option"),
        ] {
            let error = spec(line).map(|s| s.to_string()).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
