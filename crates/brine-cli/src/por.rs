//! `--por` and its options, the same for `check`, `mcc` and `explore`.

use brine_explicit::por::Por;
use brine_explicit::provisos::Proviso;
use brine_explicit::stubborn::{Choice, Strength};

/// Partial-order reduction from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct PorArgs {
    /// Reduce the state space: fire only stubborn sets where the order does not matter
    #[arg(long)]
    pub(crate) por: bool,
    /// The proviso of --por (see brine explore --list-provisos) [default: the one that suits]
    #[arg(long, value_name = "NAME", value_parser = proviso, requires = "por")]
    proviso: Option<Proviso>,
    /// Stubborn sets whose members all stay enabled, or only one of them
    #[arg(long, value_enum, default_value_t = StrengthName::Weak, requires = "por")]
    stubborn: StrengthName,
    /// How many stubborn sets to compare at each marking, from 1; the smallest is used
    #[arg(long, value_name = "N", default_value_t = Choice::default().tries, requires = "por",
        value_parser = tries)]
    tries: usize,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum StrengthName {
    /// All members stay enabled whatever else happens
    Strong,
    /// One does; safety provisos use strong sets all the same
    Weak,
}

fn proviso(name: &str) -> Result<Proviso, String> {
    Proviso::from_name(name).map_err(|e| e.to_string())
}

fn tries(number: &str) -> Result<usize, String> {
    number.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number from 1".to_owned())
}

impl PorArgs {
    /// What was asked for, if anything.
    pub(crate) fn por(self) -> Option<Por> {
        let strength = match self.stubborn {
            StrengthName::Strong => Strength::Strong,
            StrengthName::Weak => Strength::Weak,
        };
        let choice = Choice { strength, tries: self.tries };
        self.por.then_some(Por { proviso: self.proviso, choice })
    }
}
