//! `--por` and its options, the same for `check`, `mcc` and `explore`.

use brine_check::{EngineOptions, parse_strength};
use brine_explicit::por::Por;
use brine_explicit::provisos::Proviso;
use brine_explicit::stubborn::{Choice, Strength};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Partial-order reduction from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Partial-order reduction")]
pub(crate) struct PorArgs {
    /// Reduce the state space: fire only stubborn sets where the order does not matter
    #[arg(long)]
    por: bool,
    /// The proviso of --por (see brine explore --list-provisos) [default: the one that suits]
    #[arg(long, value_name = "NAME", value_parser = proviso, requires = "por", hide_short_help = true)]
    proviso: Option<Proviso>,
    /// Stubborn sets whose members all stay enabled, or only one of them
    #[arg(long, default_value = "weak", requires = "por", value_parser = strength(), hide_short_help = true)]
    stubborn: Strength,
    /// How many stubborn sets to compare at each marking, from 1; the smallest is used
    #[arg(long, value_name = "N", default_value_t = Choice::default().tries, requires = "por",
        value_parser = tries, hide_short_help = true)]
    tries: usize,
}

fn strength() -> impl TypedValueParser<Value = Strength> {
    let values = [
        ("strong", "All members stay enabled whatever else happens"),
        ("weak", "One does; safety provisos use strong sets all the same"),
    ];
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values)
        .try_map(|name| parse_strength(&name).map_err(UnknownProvisoName))
}

/// A name that clap should not have let through.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UnknownProvisoName(String);

fn proviso(name: &str) -> Result<Proviso, String> {
    Proviso::from_name(name).map_err(|e| e.to_string())
}

fn tries(number: &str) -> Result<usize, String> {
    number.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number from 1".to_owned())
}

impl PorArgs {
    /// Writes down what was given.
    pub(crate) fn fill(self, options: &mut EngineOptions) {
        options.por = self.por;
        options.proviso = self.proviso;
        // What they are unless --por is there.
        options.stubborn = self.por.then_some(self.stubborn);
        options.tries = self.por.then_some(self.tries);
    }

    /// What was asked for, if anything.
    pub(crate) fn por(self) -> Option<Por> {
        let mut options = EngineOptions::default();
        self.fill(&mut options);
        options.por().ok().flatten()
    }
}
