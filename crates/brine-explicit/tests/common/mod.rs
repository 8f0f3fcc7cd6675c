//! Shared by the integration tests: a small random generator and the number of cases.

/// SplitMix64: reproducible, good enough for test data.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// How many cases to try: BRINE_CASES, or the given default.
pub(crate) fn cases(default: u64) -> u64 {
    std::env::var("BRINE_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// The first case to try: BRINE_SEED, or 0. A failure prints the seed that replays it.
pub(crate) fn first_seed() -> u64 {
    std::env::var("BRINE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0)
}
