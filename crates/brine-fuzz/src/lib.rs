//! The standing campaign: random nets, formulas and configurations against brute force.
//!
//! A [`Case`] is a question with a few [`Configuration`]s, each a line of options as users
//! write them. [`Case::check`] asks all of them, in this process or through the binary, and
//! compares the verdicts with that of brute force and with each other. A case that fails is
//! shrunk and written into a folder ([`regression`]), which a test reads from then on. What
//! can be chosen is in one table ([`options::TABLE`]): a new engine or option is one line.

mod binary;
mod campaign;
mod case;
mod configuration;
pub mod options;
pub mod regression;
mod space;
mod subject;

pub use binary::Binary;
pub use campaign::{Campaign, Failing, Tally, draw_formula, draw_net};
pub use case::{Asked, Case, CaseAnswer, Checked, Failure};
pub use configuration::Configuration;
pub use subject::Subject;
