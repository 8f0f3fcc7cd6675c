//! stand-in
use super::ColouredProperty;
use brine_ltl::{Formula, Formulas};
use brine_run::Control;
pub(super) enum Skeletal {
    Holds,
    Simplified(Formulas, Formula),
    Same,
}
impl Skeletal {
    pub(super) fn words(&self) -> String {
        String::new()
    }
}
pub(super) fn by_skeleton(_: ColouredProperty<'_>, _: &Control) -> Skeletal {
    Skeletal::Same
}
