//! Which kind of net a PNML `type` attribute names, and in whose dialect.

/// The kinds of nets that PNML files hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NetType {
    /// Place/transition net.
    PlaceTransition(Dialect),
    /// Symmetric net or another high-level net.
    Coloured,
    /// A place/transition net of PIPE, or a timed-arc net of TAPAAL, which comes from PIPE.
    PipeOrTapaal,
}

/// Who writes place/transition nets in ways of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// The standard, and those who keep to it (TAPAAL's export, WoPeD, GreatSPN).
    Standard,
    /// ProM and pm4py: nets of the core model, which have no type at all.
    ProM,
    /// Yasper: EPNML 1.1.
    Yasper,
    /// Tina's editor `nd`: time nets.
    Tina,
    /// PIPE, versions 2 to 5.
    Pipe,
}

impl Dialect {
    /// What the net is called in messages.
    pub(super) fn net(self) -> &'static str {
        match self {
            Dialect::Standard => "place/transition net",
            Dialect::ProM => "ProM or pm4py net",
            Dialect::Yasper => "Yasper net",
            Dialect::Tina => "Tina net",
            Dialect::Pipe => "PIPE net",
        }
    }
}

/// What stands after the last slash of a URI.
pub(super) fn last_part(uri: &str) -> &str {
    let uri = uri.trim_end_matches(['/', '#']);
    uri.rsplit(['/', '#']).next().unwrap_or(uri)
}

/// Reads the type from its URI. Only the last part of the path counts, because tools
/// disagree on the rest (`http://www.pnml.org/version-2009/grammar/ptnet`,
/// `.../ptnet.pntd`, `ptNet`).
pub(super) fn parse(uri: &str) -> Option<NetType> {
    let uri = uri.trim();
    if uri == "P/T net" {
        return Some(NetType::PipeOrTapaal);
    }
    let lower = last_part(uri).to_ascii_lowercase();
    let stem = lower.strip_suffix(".pntd").or(lower.strip_suffix(".rng")).unwrap_or(&lower);
    Some(match stem {
        "ptnet" | "ptnetb" => NetType::PlaceTransition(Dialect::Standard),
        "pnmlcoremodel" => NetType::PlaceTransition(Dialect::ProM),
        "epnml-1.1" => NetType::PlaceTransition(Dialect::Yasper),
        "tpn" if uri.contains("laas.fr/tina") => NetType::PlaceTransition(Dialect::Tina),
        "symmetricnet" | "highlevelnet" | "hlpng" | "hlnet" | "pt-hlpng" | "pthlpng" => {
            NetType::Coloured
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_types() {
        let plain = |dialect| Some(NetType::PlaceTransition(dialect));
        let grammar = "http://www.pnml.org/version-2009/grammar/";
        assert_eq!(parse(&format!("{grammar}ptnet")), plain(Dialect::Standard));
        assert_eq!(parse(&format!("{grammar}ptnet/")), plain(Dialect::Standard));
        assert_eq!(parse("ptNet"), plain(Dialect::Standard));
        assert_eq!(parse("x/ptnet.pntd"), plain(Dialect::Standard));
        assert_eq!(parse(&format!("{grammar}pnmlcoremodel")), plain(Dialect::ProM));
        assert_eq!(parse("http://www.yasper.org/specs/epnml-1.1"), plain(Dialect::Yasper));
        assert_eq!(parse("http://www.laas.fr/tina/tpn"), plain(Dialect::Tina));
        assert_eq!(parse("P/T net"), Some(NetType::PipeOrTapaal));
        assert_eq!(parse(&format!("{grammar}symmetricnet")), Some(NetType::Coloured));
        assert_eq!(parse(&format!("{grammar}highlevelnet")), Some(NetType::Coloured));
        assert_eq!(parse(&format!("{grammar}pt-hlpng")), Some(NetType::Coloured));
        assert_eq!(parse("timednet"), None);
        assert_eq!(parse("x.org/tpn"), None);
        assert_eq!(parse("net"), None);
        assert_eq!(parse(""), None);
    }
}
