//! Which kind of net a PNML `type` attribute names.

/// The kinds of nets that PNML files hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NetType {
    /// Place/transition net.
    PlaceTransition,
    /// Symmetric net or another high-level net.
    Coloured,
}

/// Reads the type from its URI. Only the last part of the path counts, because tools
/// disagree on the rest (`http://www.pnml.org/version-2009/grammar/ptnet`,
/// `.../ptnet.pntd`, `ptNet`).
pub(super) fn parse(uri: &str) -> Option<NetType> {
    let last = uri.trim().trim_end_matches(['/', '#']).rsplit(['/', '#']).next()?;
    let lower = last.to_ascii_lowercase();
    let stem = lower.strip_suffix(".pntd").or(lower.strip_suffix(".rng")).unwrap_or(&lower);
    match stem {
        "ptnet" | "ptnetb" => Some(NetType::PlaceTransition),
        "symmetricnet" | "highlevelnet" | "hlpng" | "hlnet" | "pt-hlpng" | "pthlpng" => {
            Some(NetType::Coloured)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_types() {
        let grammar = "http://www.pnml.org/version-2009/grammar/";
        assert_eq!(parse(&format!("{grammar}ptnet")), Some(NetType::PlaceTransition));
        assert_eq!(parse(&format!("{grammar}ptnet/")), Some(NetType::PlaceTransition));
        assert_eq!(parse("ptNet"), Some(NetType::PlaceTransition));
        assert_eq!(parse("x/ptnet.pntd"), Some(NetType::PlaceTransition));
        assert_eq!(parse(&format!("{grammar}symmetricnet")), Some(NetType::Coloured));
        assert_eq!(parse(&format!("{grammar}highlevelnet")), Some(NetType::Coloured));
        assert_eq!(parse(&format!("{grammar}pt-hlpng")), Some(NetType::Coloured));
        assert_eq!(parse("timednet"), None);
        assert_eq!(parse(""), None);
    }
}
