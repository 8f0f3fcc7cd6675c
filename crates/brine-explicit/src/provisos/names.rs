//! The names of provisos: those of DKPR16, put together from their choices, and those of EP10.

use super::{Danger, End, Live, Proviso, Safe, Sccs};

/// A name that is no proviso's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownProviso {
    /// The name.
    pub name: String,
    /// The most similar known one.
    pub suggestion: String,
}

impl std::fmt::Display for UnknownProviso {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let UnknownProviso { name, suggestion } = self;
        write!(f, "unknown proviso \"{name}\"; did you mean {suggestion}? ")?;
        write!(f, "(brine explore --list-provisos lists all)")
    }
}

impl std::error::Error for UnknownProviso {}

/// Other names: those of EP10.
const ALIASES: [(&str, &str); 5] = [
    ("C2L_s", "Source"),
    ("C2L_c", "WeightedSourceKnown"),
    ("C2L_c*", "WeightedSourceKnownScan"),
    ("InQueue", "C2L_q"),
    ("InStack", "C2L_s"),
];

impl Live {
    /// All 46 combinations that make sense.
    ///
    /// Without a condition, what was expanded before makes no difference, so `Known` and
    /// `Unknown` would change nothing; without colours there is nothing to scan for and no
    /// state that left the stack is dangerous; with colours alone, expanding when a state is
    /// left, an early green comes too late to be of use.
    pub fn all() -> Vec<Live> {
        let mut all = Vec::new();
        for end in [End::Source, End::Dest] {
            for sccs in [Sccs::Unused, Sccs::Dead, Sccs::Highlink] {
                for danger in [
                    Danger::Stack,
                    Danger::Cond,
                    Danger::Colored,
                    Danger::Weighted,
                    Danger::Deepest,
                ] {
                    for sorted in [false, true] {
                        for scan in [false, true] {
                            all.push(Live { end, danger, sorted, scan, sccs });
                        }
                    }
                }
            }
        }
        all.retain(|live| live.makes_sense());
        all
    }

    fn makes_sense(self) -> bool {
        let source = self.end == End::Source;
        match self.danger {
            Danger::Stack => !self.sorted && !self.scan && self.sccs == Sccs::Unused,
            Danger::Cond => !self.scan && self.sccs == Sccs::Unused,
            Danger::Colored => !source && !self.scan && self.sccs != Sccs::Highlink,
            Danger::Weighted => true,
            Danger::Deepest => !source,
        }
    }

    fn name(self) -> String {
        let sccs = match self.sccs {
            Sccs::Unused => "",
            Sccs::Dead => "Dead",
            Sccs::Highlink => "Highlink",
        };
        let danger = match self.danger {
            Danger::Stack => "",
            Danger::Cond => "Cond",
            Danger::Colored => "Colored",
            Danger::Weighted => "Weighted",
            Danger::Deepest => "Deepest",
        };
        let (end, sorted) = match self.end {
            End::Source => ("Source", "Known"),
            End::Dest => ("Dest", "Unknown"),
        };
        let sorted = if self.sorted { sorted } else { "" };
        let scan = if self.scan { "Scan" } else { "" };
        format!("{sccs}{danger}{end}{sorted}{scan}")
    }

    fn about(self) -> String {
        let end = if self.end == End::Source { "source" } else { "destination" };
        let mut text = match self.danger {
            Danger::Stack => format!("expand the {end} of every back-edge"),
            Danger::Cond => format!("expand the {end} of a back-edge if neither end is expanded"),
            Danger::Colored => format!("expand the {end} of an edge to a state that is not green"),
            Danger::Weighted => {
                format!("expand the {end} unless the stack has an expanded state in between")
            }
            Danger::Deepest => format!("as WeightedDest, but only the deepest {end} of a state"),
        };
        if self.sorted {
            let first = if self.end == End::Source { "known" } else { "unknown" };
            text += &format!("; {first} successors first");
        }
        text += if self.scan { "; green is passed up the stack early" } else { "" };
        text += match self.sccs {
            Sccs::Unused => "",
            Sccs::Dead => "; finished components are no danger",
            Sccs::Highlink => "; red states point at the stack they lead back to",
        };
        text
    }
}

impl Proviso {
    /// All provisos: the 46 of DKPR16 and the others.
    pub fn all() -> Vec<Proviso> {
        let others = [
            Proviso::None,
            Proviso::Full,
            Proviso::Safe(Safe::Stack),
            Proviso::Safe(Safe::Expanded),
            Proviso::Queue { live: false },
            Proviso::Queue { live: true },
            Proviso::OnTheFly { live: false },
            Proviso::OnTheFly { live: true },
        ];
        others.into_iter().chain(Live::all().into_iter().map(Proviso::Live)).collect()
    }

    /// The name.
    pub fn name(self) -> String {
        match self {
            Proviso::None => "None".to_owned(),
            Proviso::Full => "Full".to_owned(),
            Proviso::Live(live) => live.name(),
            Proviso::Safe(Safe::Stack) => "C2S_s".to_owned(),
            Proviso::Safe(Safe::Expanded) => "C2S_e".to_owned(),
            Proviso::Queue { live: true } => "C2L_q".to_owned(),
            Proviso::Queue { live: false } => "C2S_q".to_owned(),
            Proviso::OnTheFly { live: true } => "Acyclic".to_owned(),
            Proviso::OnTheFly { live: false } => "Delegate".to_owned(),
        }
    }

    /// One line about it.
    pub fn about(self) -> String {
        match self {
            Proviso::None => "no proviso, a lower bound; right for deadlocks only".to_owned(),
            Proviso::Full => "every state is expanded, no reduction; an upper bound".to_owned(),
            Proviso::Live(live) => match self.alias() {
                Some(alias) => format!("{} (EP10: {alias})", live.about()),
                None => live.about(),
            },
            Proviso::Safe(Safe::Stack) => {
                "safety: expand unless some successor is off the stack (EP10)".to_owned()
            }
            Proviso::Safe(Safe::Expanded) => {
                "safety: as C2S_s, or an expanded state is in between on the stack (EP10)"
                    .to_owned()
            }
            Proviso::Queue { live: true } => {
                "breadth first: expand unless all successors are in the queue (EP10)".to_owned()
            }
            Proviso::Queue { live: false } => {
                "safety, breadth first: expand unless a successor is in the queue (EP10)".to_owned()
            }
            Proviso::OnTheFly { live: true } => {
                "any search: expand if that closes a cycle of reduced states (Brine's own)"
                    .to_owned()
            }
            Proviso::OnTheFly { live: false } => {
                "safety, any search: expand unless a successor can be relied on (Brine's own)"
                    .to_owned()
            }
        }
    }

    fn alias(self) -> Option<&'static str> {
        let name = self.name();
        ALIASES.iter().find(|(_, known)| *known == name).map(|(alias, _)| *alias)
    }

    /// The proviso of that name.
    ///
    /// ```
    /// use brine_explicit::provisos::Proviso;
    /// let proviso = Proviso::from_name("C2L_c*").unwrap();
    /// assert_eq!(proviso.name(), "WeightedSourceKnownScan");
    /// let error = Proviso::from_name("ColouredDest").unwrap_err();
    /// assert_eq!(error.suggestion, "ColoredDest");
    /// ```
    pub fn from_name(name: &str) -> Result<Proviso, UnknownProviso> {
        let mut wanted = name.to_owned();
        while let Some((_, known)) = ALIASES.iter().find(|(a, _)| a.eq_ignore_ascii_case(&wanted)) {
            wanted = (*known).to_owned();
        }
        let all = Proviso::all();
        let found = all.iter().find(|p| p.name().eq_ignore_ascii_case(&wanted));
        if let Some(proviso) = found {
            return Ok(*proviso);
        }
        let distance = |known: &String| {
            strsim::osa_distance(&name.to_ascii_lowercase(), &known.to_ascii_lowercase())
        };
        let aliases = ALIASES.iter().map(|(alias, _)| (*alias).to_owned());
        let names = all.iter().map(|p| p.name()).chain(aliases);
        let suggestion = names.min_by_key(distance).unwrap_or_default();
        Err(UnknownProviso { name: name.to_owned(), suggestion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_46_combinations_with_different_names_that_lead_back_to_them() {
        let all = Live::all();
        assert_eq!(all.len(), 46);
        let sources = all.iter().filter(|l| l.end == End::Source).count();
        assert_eq!(sources, 15);
        let names: BTreeSet<String> = Proviso::all().into_iter().map(Proviso::name).collect();
        assert_eq!(names.len(), 46 + 8);
        for proviso in Proviso::all() {
            assert_eq!(Proviso::from_name(&proviso.name()), Ok(proviso));
            assert!(!proviso.about().contains('\n'));
        }
    }

    #[test]
    fn every_name_in_the_tables_of_the_papers_is_known() {
        let names = "Source WeightedSource WeightedSourceKnown CondSource CondSourceKnown \
            WeightedSourceScan WeightedSourceKnownScan DeepestDestUnknown DeepestDest \
            WeightedDestUnknown Dest WeightedDest CondDest CondDestUnknown ColoredDest \
            ColoredDestUnknown DeadDeepestDest DeadWeightedDest DeadWeightedSourceKnownScan \
            DeadColoredDest HighlinkWeightedDest HighlinkWeightedDestScan \
            HighlinkWeightedSourceKnown HighlinkWeightedSourceKnownScan HighlinkDeepestDest \
            HighlinkDeepestDestScan None Full C2S_s C2S_e C2L_s C2L_c C2L_c* C2L_q C2S_q";
        for name in names.split_whitespace() {
            assert!(Proviso::from_name(name).is_ok(), "{name}");
        }
    }
}
