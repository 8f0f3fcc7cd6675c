//! The project's one generator of random numbers: for tests, random walks and seeded searches.

/// A small deterministic generator of random numbers (SplitMix64).
///
/// ```
/// use brine_net::Rng;
/// let mut rng = Rng::new(7);
/// assert!(rng.below(10) < 10);
/// assert_eq!(Rng::new(7).below(1000), Rng::new(7).below(1000));
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 when `n` is 0).
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 { 0 } else { (self.bits() % u64::from(n)) as u32 }
    }

    /// An index into something of length `n` (0 when `n` is 0).
    pub fn index(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}
