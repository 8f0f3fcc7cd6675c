//! Shared by the integration tests: the number of cases and the first seed.

/// How many cases to try: BRINE_CASES, or the given default.
pub(crate) fn cases(default: u64) -> u64 {
    std::env::var("BRINE_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// The first case to try: BRINE_SEED, or 0. A failure prints the seed that replays it.
pub(crate) fn first_seed() -> u64 {
    std::env::var("BRINE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0)
}
