//! A small language of guarded commands: the state update specifications of MKBP14
//! (Definition 2), with arrays and dynamic indices.
//!
//! ```text
//! // Two counters; one of them is chosen by an index.
//! const N = 2;
//! var i = 0;
//! var a[N] = 0;               // or  var a[N] = {0, 0};
//! flip:  true          -> i := 1 - i;
//! count: a[i] < 3      -> a[i] := a[i] + 1, i := 0;
//! stop:  a[0] = 3 & a[1] = 3 -> skip;
//! ```
//!
//! A command is a name, a guard and assignments. All right-hand sides and indices are
//! evaluated in the old state; when two assignments meet in one element, the later one wins.
//! `x := x` is a copy and assigns nothing. Values are 0 to 4294967294; expressions are
//! integers (`+ - * / %`, comparisons `= != < <= > >=`, `! & |`, `true`, `false`), and
//! whatever is not 0 is true. `&` and `|` look at their right side only when they have to.
//! A value out of range, an index outside of its array or a division by zero in a reachable
//! state is an error of the model.
//!
//! - `lexer`, `parse`: text to commands. `code`: expressions. `model`: the [`crate::Pins`]
//!   side, with the dependencies by Definitions 4, 5 and 7.

mod code;
mod lexer;
mod model;
mod parse;

pub use lexer::GclError;
pub use model::GuardedCommands;
pub use parse::parse;
