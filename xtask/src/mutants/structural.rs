//! Bugs planted in structural reductions: one condition of each rule forgotten, and mistakes in
//! lifting. They must show on the traces of small random nets.

use super::{CASES, Mutant, Test};

const AGGLOMERATE: &str = "crates/brine-reduce/src/agglomerate.rs";
const AMPLE: &str = "crates/brine-reduce/src/ample_place.rs";
const CONSTANT: &str = "crates/brine-reduce/src/constant_place.rs";
const DEAD: &str = "crates/brine-reduce/src/dead_transition.rs";
const DOMINATED: &str = "crates/brine-reduce/src/dominated_transition.rs";
const FREE: &str = "crates/brine-reduce/src/free_agglomeration.rs";
const FUSED: &str = "crates/brine-reduce/src/fused_places.rs";
const FUSION: &str = "crates/brine-reduce/src/fusion.rs";
const IMPLIED: &str = "crates/brine-reduce/src/implied_place.rs";
const IRRELEVANT: &str = "crates/brine-reduce/src/irrelevant_part.rs";
const LIFT: &str = "crates/brine-reduce/src/lift.rs";
const PERPETUAL: &str = "crates/brine-reduce/src/perpetual_part.rs";
const POST: &str = "crates/brine-reduce/src/post_agglomeration.rs";
const PRE: &str = "crates/brine-reduce/src/pre_agglomeration.rs";
const SCALED: &str = "crates/brine-reduce/src/scaled_place.rs";
const SINK: &str = "crates/brine-reduce/src/unseen_sink.rs";
const SUMMED: &str = "crates/brine-reduce/src/summed_place.rs";
const WASTEFUL: &str = "crates/brine-reduce/src/wasteful_transition.rs";

const fn planted(
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant { name, file, from, to, more: &[], test: Test::Traces, cases: 40_000 }
}

/// Each is one mistake in one rule.
pub(super) const MUTANTS: [Mutant; 27] = [
    Mutant {
        name: "dominated: what is lent stands in",
        file: DOMINATED,
        from: "draft.lent != Some(u) && ",
        to: "",
        more: &[(
            "crates/brine-reduce/src/draft.rs",
            "assert!(self.lent != Some(other), \"what is lent cannot stand in for a transition\");",
            "",
        )],
        test: Test::Traces,
        cases: CASES,
    },
    planted(
        "structural: transitions at a constant place are never dead",
        CONSTANT,
        "draft.arcs(t).takes(p) > tokens",
        "draft.arcs(t).takes(p) > tokens + 1",
    ),
    planted(
        "structural: a place that is raised still starves its takers",
        DEAD,
        "if changes.iter().any(|&(_, change)| change > 0)",
        "if changes.iter().any(|&(_, change)| change > 1)",
    ),
    planted(
        "structural: an ample place may lose tokens",
        AMPLE,
        "change >= 0 && draft.arcs(t).takes(p) <= tokens",
        "change >= -1 && draft.arcs(t).takes(p) <= tokens",
    ),
    planted(
        "structural: the surplus of an implied place is taken for granted",
        IMPLIED,
        "a == 0 || i128::from(a) <=",
        "a == 0 || i128::from(a) <= 1 +",
    ),
    planted(
        "structural: others may raise the place that implies",
        IMPLIED,
        "fillers.iter().all(|&t| keeps_up(draft, t))",
        "fillers.iter().all(|&t| keeps_up(draft, t) || draft.arcs(t).puts(p) == 0)",
    ),
    planted(
        "structural: a sum may be raised without the place",
        SUMMED,
        "change > draft.arcs(t).change(self.place)",
        "change > draft.arcs(t).change(self.place).max(1)",
    ),
    planted(
        "structural: the initial marking of a sum does not count",
        SUMMED,
        "self.surplus -= i64::from(draft.initial(q));",
        "self.surplus -= i64::from(draft.initial(q) / 2);",
    ),
    planted(
        "structural: bundles are rounded down",
        SCALED,
        ".saturating_sub(rest).div_ceil(bundle)",
        ".saturating_sub(rest) / bundle",
    ),
    planted(
        "structural: the remainder of a scaled place is forgotten",
        SCALED,
        "factor.checked_mul(rest)",
        "factor.checked_mul(rest / 2)",
    ),
    planted(
        "structural: watched transitions are replaced by easier ones",
        DOMINATED,
        "if draft.is_watched(t) {",
        "if draft.is_watched(t) && draft.is_watched(u) {",
    ),
    planted(
        "structural: a transition without effect counts as a sink",
        SINK,
        "arcs.only_takes() && arcs.pre != arcs.post",
        "arcs.only_takes()",
    ),
    planted(
        "structural: others may take from a sink",
        SINK,
        "if member[t.index()] && draft.arcs(t).change(p) != 0 {",
        "if member[t.index()] && draft.arcs(t).change(p) < -1 {",
    ),
    planted(
        "structural: what takes after the place may be visible",
        POST,
        "draft.arcs(f).pre == [(around.place, bundle)] && draft.is_invisible(f)",
        "draft.arcs(f).pre == [(around.place, bundle)] && !draft.is_watched(f)",
    ),
    planted(
        "structural: what takes after the place may need more",
        POST,
        "draft.arcs(f).pre == [(around.place, bundle)]",
        "draft.arcs(f).takes(around.place) == bundle",
    ),
    planted(
        "structural: tokens at the beginning are not moved on",
        POST,
        "if !move_on(draft, f, bundles) {",
        "if !move_on(draft, f, bundles / 2) {",
    ),
    planted(
        "structural: others may take what is taken before the place",
        PRE,
        "if !always_taken && !is_private(draft, &around) {",
        "if !always_taken && is_private(draft, &around) && bundle == 0 {",
    ),
    planted(
        "structural: what fills the place may be visible",
        PRE,
        "if !moves || !draft.is_invisible(h) {",
        "if !moves {",
    ),
    planted(
        "structural: a transition may both take from the place and fill it",
        AGGLOMERATE,
        "self.after.iter().all(|&f| draft.arcs(f).puts(self.place) == 0)",
        "self.after.iter().all(|&f| draft.arcs(f).puts(self.place) <= 1)",
    ),
    planted(
        "structural: free agglomeration without idle transitions",
        FREE,
        "if !draft.is_idle || draft.is_visible(p)",
        "if draft.is_visible(p)",
    ),
    planted(
        "structural: wasteful transitions are removed where runs must go on",
        WASTEFUL,
        "if !draft.is_idle {",
        "if !draft.is_idle && draft.work == 0 {",
    ),
    planted(
        "structural: tokens may leave a perpetual part",
        PERPETUAL,
        "if leaves(draft, &member, t) {",
        "if leaves(draft, &member, t) && draft.initial(p) > 0 {",
    ),
    planted(
        "structural: an irrelevant part may run for ever",
        IRRELEVANT,
        "!(draft.is_idle || is_finite(draft, &rest))",
        "!(draft.is_idle || rest.len() < 4 || is_finite(draft, &rest))",
    ),
    planted(
        "structural: what is read is not relevant",
        IRRELEVANT,
        "for &(q, _) in &draft.arcs(t).pre {",
        "for (q, _) in draft.arcs(t).effect() {",
    ),
    planted(
        "structural: visible places are fused",
        FUSED,
        "from != to && !draft.is_visible(from) && !draft.is_visible(to)",
        "from != to && !draft.is_observed(from) && !draft.is_observed(to)",
    ),
    planted(
        "structural: tokens are not brought back at the end of a cycle",
        FUSION,
        "mover.bring(&before).then_some(())?;",
        "let _ = &before;",
    ),
    planted(
        "structural: starts come after the run",
        LIFT,
        "let prefix = starts.iter().copied().chain(once(&run.prefix));",
        "let prefix = once(&run.prefix).into_iter().chain(starts.to_vec());",
    ),
];
