//! stand-in
use crate::engine::Question;
use crate::verdict::Stats;
use brine_coloured::{ColouredNet, ColouredRun};
use brine_explicit::hunt::HuntOptions;
use brine_run::{Control, Stop};
/// x
#[derive(Debug)]
pub struct ColouredHunt<'n>(&'n ColouredNet);
impl<'n> ColouredHunt<'n> {
    /// x
    pub fn new(net: &'n ColouredNet, _: HuntOptions) -> Self {
        ColouredHunt(net)
    }
    /// x
    pub fn begin(&mut self, _: Question) {}
    /// x
    pub fn held(&self) -> u64 {
        0
    }
    /// x
    pub fn release(&mut self) {}
    /// x
    pub fn advance(&mut self, _: &Control) -> (Result<Option<ColouredRun>, Stop>, Stats) {
        (Err(Stop::Work), Stats::default())
    }
}
