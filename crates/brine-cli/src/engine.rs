//! `--engine` and the options of each engine, the same for all commands that check.
//!
//! What the words mean, and what does not go together, is known to [`brine_check::EngineSpec`];
//! here they are told to clap, with a line of help each.

use crate::order::OrderArgs;
use crate::pins::PinsArgs;
use crate::por::PorArgs;
use brine_check::{
    BadOption, EngineName, EngineOptions, EngineSpec, SetupError, StageName, parse_emptiness,
};
use brine_explicit::Emptiness;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The engine from the command line.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct EngineArgs {
    /// How to search
    #[arg(long, default_value = "auto", value_name = "ENGINE",
        value_parser = engine_of(EngineName::ALL.map(|e| (e, e.about()))))]
    engine: EngineName,
    /// Emptiness check of the explicit engine [default: by the automaton's class]
    #[arg(long, value_name = "NAME", value_parser = parse_emptiness, hide_short_help = true)]
    emptiness: Option<Emptiness>,
    /// Shuffle the firing order of the explicit engine with this seed; 0 keeps the file's order
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
    #[command(flatten)]
    por: PorArgs,
    #[command(flatten)]
    order: OrderArgs,
    /// Symbolic: search for cycles without looking at recurring states first
    #[arg(help_heading = "Symbolic engine", long, hide_short_help = true)]
    no_recurring: bool,
    /// Symbolic: search for cycles without looking at node-wise abstractions first
    #[arg(help_heading = "Symbolic engine", long, hide_short_help = true)]
    no_abstraction: bool,
    /// Symbolic: build the complete product before searching for cycles
    #[arg(help_heading = "Symbolic engine", long, conflicts_with_all = ["no_recurring", "no_abstraction"], hide_short_help = true)]
    no_otf: bool,
    #[command(flatten)]
    pins: PinsArgs,
    /// Auto: leave these stages out, to see what they are worth
    #[arg(help_heading = "Search", long, value_name = "LIST", value_delimiter = ',', value_parser = stage(), hide_short_help = true)]
    without: Vec<StageName>,
}

/// Reads the name of one of these engines; each comes with a line about it.
pub(crate) fn engine_of<const N: usize>(
    engines: [(EngineName, &'static str); N],
) -> impl TypedValueParser<Value = EngineName> {
    let value = |(engine, about): (EngineName, &'static str)| {
        // Of use to whoever looks into `auto`, and confusing to others.
        PossibleValue::new(engine.name()).help(about).hide(engine == EngineName::Hunt)
    };
    PossibleValuesParser::new(engines.map(value))
        .try_map(|name| EngineName::from_name(&name).ok_or(UnknownEngine))
}

fn stage() -> impl TypedValueParser<Value = StageName> {
    PossibleValuesParser::new(StageName::ALL.map(StageName::name))
        .try_map(|name| StageName::from_name(&name).ok_or(UnknownEngine))
}

/// A name that clap should not have let through.
#[derive(Debug, thiserror::Error)]
#[error("unknown name")]
struct UnknownEngine;

impl EngineArgs {
    /// The engine that these options describe; one that it would ignore is a mistake.
    pub(crate) fn spec(&self) -> Result<EngineSpec, BadOption> {
        let mut options = EngineOptions {
            engine: Some(self.engine),
            emptiness: self.emptiness,
            seed: self.seed,
            no_recurring: self.no_recurring,
            no_abstraction: self.no_abstraction,
            no_otf: self.no_otf,
            without: self.without.clone(),
            ..EngineOptions::default()
        };
        self.por.fill(&mut options);
        self.order.fill(&mut options);
        self.pins.fill(&mut options);
        options.spec()
    }
}

/// The same for callers that tell budgets from mistakes by the error itself.
pub(crate) fn plain(error: SetupError) -> anyhow::Error {
    match error {
        SetupError::BadOption(option) => option.into(),
        SetupError::Stop(stop) => stop.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::Rng;
    use clap::Parser;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        engine: EngineArgs,
        #[arg(long)]
        threads: Option<u32>,
    }

    /// Everything that the campaign can choose means the same to clap and to the library.
    #[test]
    fn clap_reads_what_the_library_reads_and_prints() {
        let mut rng = Rng::new(1);
        let mut specs = Vec::new();
        while specs.len() < 2_000 {
            let words = brine_fuzz::options::draw(&mut rng).words;
            if words[0] != "check" {
                continue;
            }
            let by_clap = |words: &[String]| {
                let name = ["check".to_owned()];
                let parsed = Words::try_parse_from(name.iter().chain(words)).unwrap();
                assert!(parsed.threads.is_none_or(|n| n == 2));
                parsed.engine.spec().unwrap()
            };
            let (options, _) = EngineOptions::split(words[1..].iter().map(String::as_str)).unwrap();
            let spec = options.spec().unwrap();
            assert_eq!(by_clap(&words[1..]), spec, "{words:?}");
            assert_eq!(by_clap(&spec.words()), spec, "{spec}");
            specs.push(spec);
        }
    }
}
