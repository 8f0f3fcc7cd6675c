//! The contest's examinations.

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Examination {
    /// The properties of this file.
    Properties(&'static str),
    /// A property of the whole net.
    Global(GlobalProperty),
    /// The numbers of the state space.
    StateSpace,
    /// No examination of its own: the global properties come one by one.
    Together,
}

/// A property of a whole net, by its examination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GlobalProperty {
    /// A dead marking can be reached.
    ReachabilityDeadlock,
    /// No place ever holds more than one token.
    OneSafe,
    /// Some place never changes.
    StableMarking,
    /// Every transition can fire at least once.
    QuasiLiveness,
    /// Every transition can always become fireable again.
    Liveness,
}

impl GlobalProperty {
    const ALL: [GlobalProperty; 5] = [
        GlobalProperty::ReachabilityDeadlock,
        GlobalProperty::OneSafe,
        GlobalProperty::StableMarking,
        GlobalProperty::QuasiLiveness,
        GlobalProperty::Liveness,
    ];

    /// The contest's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            GlobalProperty::ReachabilityDeadlock => "ReachabilityDeadlock",
            GlobalProperty::OneSafe => "OneSafe",
            GlobalProperty::StableMarking => "StableMarking",
            GlobalProperty::QuasiLiveness => "QuasiLiveness",
            GlobalProperty::Liveness => "Liveness",
        }
    }
}

/// Reads a name of the contest's.
pub(crate) fn parse(name: &str) -> Result<Examination, String> {
    if let Some(global) = GlobalProperty::ALL.into_iter().find(|g| g.name() == name) {
        return Ok(Examination::Global(global));
    }
    Ok(match name {
        "LTLCardinality" => Examination::Properties("LTLCardinality.xml"),
        "LTLFireability" => Examination::Properties("LTLFireability.xml"),
        "CTLCardinality" => Examination::Properties("CTLCardinality.xml"),
        "CTLFireability" => Examination::Properties("CTLFireability.xml"),
        "ReachabilityCardinality" => Examination::Properties("ReachabilityCardinality.xml"),
        "ReachabilityFireability" => Examination::Properties("ReachabilityFireability.xml"),
        "UpperBounds" => Examination::Properties("UpperBounds.xml"),
        "StateSpace" => Examination::StateSpace,
        "GlobalProperties" => Examination::Together,
        _ => {
            return Err("no examination of the contest; those are CTLCardinality, \
                 CTLFireability, LTLCardinality, LTLFireability, ReachabilityCardinality, \
                 ReachabilityFireability, UpperBounds, StateSpace, ReachabilityDeadlock, OneSafe, \
                 StableMarking, QuasiLiveness and Liveness"
                .to_owned());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_contest_are_told_from_mistakes() {
        assert_eq!(parse("LTLFireability"), Ok(Examination::Properties("LTLFireability.xml")));
        assert_eq!(parse("StateSpace"), Ok(Examination::StateSpace));
        assert_eq!(parse("OneSafe"), Ok(Examination::Global(GlobalProperty::OneSafe)));
        assert!(parse("ltl").unwrap_err().contains("LTLCardinality"));
    }
}
