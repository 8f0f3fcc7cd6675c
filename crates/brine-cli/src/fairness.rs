//! `--fair`, `--weak-fair` and `--strong-fair`: which runs of a net count.
//!
//! Names of transitions are looked up as in formulas: that of a coloured transition stands for all
//! its bindings, `t[x=3]` for one. Commas inside brackets and quotes belong to the name.

use anyhow::{anyhow, bail};
use brine_ltl::{NameKind, Symbols};
use brine_net::{Fairness, Net, TransitionId};
use clap::ValueEnum;

/// Fairness for all transitions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FairForAll {
    /// What is enabled for ever from some point on fires infinitely often
    Weak,
    /// What is enabled infinitely often fires infinitely often
    Strong,
}

/// Which runs count.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Fairness")]
pub(crate) struct FairArgs {
    /// Only runs count that are fair for all transitions
    #[arg(long, value_name = "HOW")]
    fair: Option<FairForAll>,
    /// Only runs count that are weakly fair for these transitions: separated by commas
    #[arg(long, value_name = "T,..", conflicts_with = "fair", hide_short_help = true)]
    weak_fair: Vec<String>,
    /// Only runs count that are strongly fair for these transitions: separated by commas
    #[arg(long, value_name = "T,..", hide_short_help = true)]
    strong_fair: Vec<String>,
}

impl FairArgs {
    /// Whether all runs count.
    pub(crate) fn is_none(&self) -> bool {
        self.fair.is_none() && self.weak_fair.is_empty() && self.strong_fair.is_empty()
    }

    /// An error if something is asked for, with the reason why it cannot be had.
    pub(crate) fn refuse(&self, why: &str) -> anyhow::Result<()> {
        if self.is_none() { Ok(()) } else { bail!("--fair, --weak-fair, --strong-fair: {why}") }
    }

    /// For whom runs of the net must be fair.
    pub(crate) fn of_net(&self, net: &Net, symbols: &mut Symbols) -> anyhow::Result<Fairness> {
        let mut named = |option, words: &[String]| -> anyhow::Result<Vec<TransitionId>> {
            let mut all = Vec::new();
            for name in words.iter().flat_map(|list| names(list)) {
                let found = symbols.transitions(name);
                all.extend(found.map_err(|e| {
                    let trouble = symbols.trouble(NameKind::Transition, &e);
                    anyhow!("{option}: {trouble}")
                })?);
            }
            Ok(all)
        };
        let mut weak = named("--weak-fair", &self.weak_fair)?;
        let strong = named("--strong-fair", &self.strong_fair)?;
        match self.fair {
            None => (),
            Some(FairForAll::Strong) => return Ok(Fairness::all_strong(net)),
            Some(FairForAll::Weak) => weak.extend(net.transition_ids()),
        }
        Ok(Fairness::new(weak, strong))
    }
}

/// The names in a list with commas between them.
fn names(list: &str) -> Vec<&str> {
    let (mut names, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_u32, false);
    for (i, c) in list.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                names.push(&list[start..i]);
                start = i + 1;
            }
            _ => (),
        }
    }
    names.push(&list[start..]);
    let bare = |name: &&str| !name.is_empty();
    names.into_iter().map(|name| name.trim().trim_matches('"')).filter(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_and_quotes_belong_to_names() {
        assert_eq!(names("a, t[x=1,y=2],\"b,c\""), ["a", "t[x=1,y=2]", "b,c"]);
        assert_eq!(names(""), [""; 0]);
    }
}
