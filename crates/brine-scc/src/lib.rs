//! Accepting cycles in symbolic products.
//!
//! [`check`] asks whether a net has a run that an automaton of violations accepts, by
//! saturating their product ([`brine_sat::product`]) and looking for accepting cycles while
//! it grows: MVDBM16 sections 5 and 6, with one fair set for each acceptance mark of a
//! generalised automaton. The hulls of the textbooks are there for comparison. A
//! violation comes with a run, or with the limit that ended the search for one.
//!
//! ```
//! use brine_dd::Control;
//! use brine_ltl::{Formulas, Options, Symbols, parse, translate};
//! use brine_net::order::Layout;
//! use brine_net::{NetBuilder, Structure};
//! use brine_scc::{SymbolicAnswer, Method, SymbolicQuestion, check};
//! let mut b = NetBuilder::new("lamp");
//! let (on, off) = (b.place("on", 1), b.place("off", 0));
//! b.transition("down", &[(on, 1)], &[(off, 1)]);
//! b.transition("up", &[(off, 1)], &[(on, 1)]);
//! let net = b.build().unwrap();
//! // The violations of "some day it stays on" are the runs that are off again and again.
//! let mut formulas = Formulas::new();
//! let negation = parse("G F off >= 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
//! let violations = translate(&formulas, negation, &Options::default()).unwrap();
//! let bounds = Structure::new(&net).bounds;
//! let question = SymbolicQuestion { net: &net, violations: &violations, bounds: &bounds };
//! let layout = Layout { levels: vec![vec![on], vec![off]] };
//! let control = Control::default();
//! let (answer, _) =
//!     check(question, &layout, Method::default(), &control, Control::default).unwrap();
//! let SymbolicAnswer::Violation(Ok(run)) = answer else { panic!("it goes on and off for ever") };
//! assert_eq!(run.cycle.len(), 2);
//! ```

mod abstraction;
mod check;
mod detect;
mod fair;
mod hull;
mod incremental;
mod lasso;
mod must;
mod recurring;

pub use check::{Method, SymbolicAnswer, SymbolicQuestion, SymbolicStats, check};
pub use fair::{FairSet, FairSymbolicQuestion, check_fair};
pub use hull::Hull;
pub use incremental::{Effort, Ideas, SccStats};
