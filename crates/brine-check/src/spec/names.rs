//! The names of engines and of the stages of `auto`, with a line about each.

/// The engines that `--engine` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineName {
    /// See [`crate::EngineSpec::Auto`].
    Auto,
    /// See [`crate::EngineSpec::Explicit`].
    Explicit,
    /// See [`crate::EngineSpec::Hunt`].
    Hunt,
    /// See [`crate::EngineSpec::Symbolic`].
    Symbolic,
    /// Symbolic, with Emerson and Lei's hull.
    HullEl,
    /// Symbolic, with the OWCTY hull.
    HullOwcty,
    /// See [`crate::EngineSpec::Pins`].
    Pins,
}

impl EngineName {
    /// All of them.
    pub const ALL: [EngineName; 7] = [
        EngineName::Auto,
        EngineName::Explicit,
        EngineName::Hunt,
        EngineName::Symbolic,
        EngineName::HullEl,
        EngineName::HullOwcty,
        EngineName::Pins,
    ];

    /// The word for `--engine`, and the engine's name in decisions.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Auto => "auto",
            EngineName::Explicit => "explicit",
            EngineName::Hunt => "hunt",
            EngineName::Symbolic => "symbolic",
            EngineName::HullEl => "hull-el",
            EngineName::HullOwcty => "hull-owcty",
            EngineName::Pins => "pins",
        }
    }

    /// The engine of this name.
    pub fn from_name(name: &str) -> Option<EngineName> {
        EngineName::ALL.into_iter().find(|e| e.name() == name)
    }

    /// One line about it.
    pub fn about(self) -> &'static str {
        match self {
            EngineName::Auto => {
                "Simplification, reduction, hunt, explicit and symbolic search, cheap things first"
            }
            EngineName::Explicit => "Explicit search over the product",
            EngineName::Hunt => {
                "Nothing but the hunt for violations: guided walks and small searches"
            }
            EngineName::Symbolic => {
                "Saturation of the product, searched for accepting cycles while it grows"
            }
            EngineName::HullEl => {
                "The complete product by saturation, then Emerson and Lei's hull of accepting \
                 cycles"
            }
            EngineName::HullOwcty => {
                "The complete product by saturation, then the \"one way catch them young\" hull"
            }
            EngineName::Pins => {
                "Relations learned through the state-vector interface, then Emerson and Lei's hull"
            }
        }
    }
}

/// The stages of `auto` that `--without` leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageName {
    /// See [`crate::Stages::simplification`].
    Simplification,
    /// See [`crate::Stages::reduction`].
    Reduction,
    /// See [`crate::Stages::hunt`].
    Hunt,
    /// See [`crate::Stages::explicit`].
    Explicit,
    /// See [`crate::Stages::symbolic`].
    Symbolic,
}

impl StageName {
    /// All of them.
    pub const ALL: [StageName; 5] = [
        StageName::Simplification,
        StageName::Reduction,
        StageName::Hunt,
        StageName::Explicit,
        StageName::Symbolic,
    ];

    /// The word for `--without`.
    pub fn name(self) -> &'static str {
        match self {
            StageName::Simplification => "simplification",
            StageName::Reduction => "reduction",
            StageName::Hunt => "hunt",
            StageName::Explicit => "explicit",
            StageName::Symbolic => "symbolic",
        }
    }

    /// The stage of this name.
    pub fn from_name(name: &str) -> Option<StageName> {
        StageName::ALL.into_iter().find(|s| s.name() == name)
    }
}
