//! The contest's examinations.

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Examination {
    /// The properties of this file.
    Ltl(&'static str),
    /// The numbers of the state space.
    StateSpace,
    /// An examination of the contest that Brine takes no part in.
    Other,
}

/// Reads a name of the contest's.
pub(crate) fn parse(name: &str) -> Result<Examination, String> {
    Ok(match name {
        "LTLCardinality" => Examination::Ltl("LTLCardinality.xml"),
        "LTLFireability" => Examination::Ltl("LTLFireability.xml"),
        "StateSpace" => Examination::StateSpace,
        "CTLCardinality"
        | "CTLFireability"
        | "GlobalProperties"
        | "Liveness"
        | "OneSafe"
        | "QuasiLiveness"
        | "ReachabilityCardinality"
        | "ReachabilityDeadlock"
        | "ReachabilityFireability"
        | "StableMarking"
        | "UpperBounds" => Examination::Other,
        _ => {
            return Err("no examination of the contest; Brine knows LTLCardinality, \
                 LTLFireability and StateSpace"
                .to_owned());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_contest_are_told_from_mistakes() {
        assert_eq!(parse("LTLFireability"), Ok(Examination::Ltl("LTLFireability.xml")));
        assert_eq!(parse("StateSpace"), Ok(Examination::StateSpace));
        assert_eq!(parse("UpperBounds"), Ok(Examination::Other));
        assert!(parse("ltl").unwrap_err().contains("LTLCardinality"));
    }
}
