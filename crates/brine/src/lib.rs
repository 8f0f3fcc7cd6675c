//! Brine decides properties of Petri nets: do all runs satisfy a formula of linear temporal logic,
//! can a marking be reached, how many markings are there?
//!
//! This crate is what programs use; the `brine` command and the Python package stand on the same
//! engines. Every "violated" comes with a run that was replayed by code which shares nothing with
//! the engine that found it, and what could not be decided is [`Verdict::Unknown`], never a guess.
//!
//! # A first question
//!
//! A lamp that is switched on and off. Is it on again and again? No: nobody has to switch it on.
//!
//! ```
//! use brine::{Model, NetBuilder, Options, Verdict};
//! let mut net = NetBuilder::new("lamp");
//! let (off, on) = (net.place("off", 1), net.place("on", 0));
//! net.transition("switch_on", &[(off, 1)], &[(on, 1)]);
//! net.transition("switch_off", &[(on, 1)], &[(off, 1)]);
//! net.transition("wait", &[(off, 1)], &[(off, 1)]);
//! let model = Model::from_net(net.build()?)?;
//!
//! let answer = model.check("G F on = 1", &Options::new())?;
//! assert_eq!(answer.verdict, Verdict::Violated);
//! let run = answer.run.expect("a violation has a run");
//! assert_eq!(run.cycle(), ["wait"]);
//! # Ok::<(), brine::Error>(())
//! ```
//!
//! # Models
//!
//! [`load`] takes what the command takes: PNML files (place/transition nets and symmetric coloured
//! nets, also TAPAAL's), DVE models, guarded commands, each also compressed, in a folder or in an
//! archive of the Model Checking Contest. [`Model::from_pnml`], [`Model::from_dve`] and
//! [`Model::from_commands`] read a text, [`Model::from_net`] takes a net built in code. A [`Model`]
//! may be shared by threads.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/philosophers-5.pnml");
//! let model = brine::load(path)?;
//! assert_eq!((model.places().len(), model.transitions().len()), (25, 25));
//! # Ok::<(), brine::Error>(())
//! ```
//!
//! # Questions
//!
//! A text is a formula of LTL: `!`, `&`, `|`, `->`, `<->`, `X F G U R W M`, over comparisons of token
//! counts (`p + 2 q <= 3`), `fireable(t, u)` and `deadlock`; names that are no plain words stand in
//! double quotes. [`Question`] has the others: reachability, CTL, an automaton in HOA format, a
//! property of a contest file, the property process of a DVE model.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/philosophers-5.pnml");
//! # let model = brine::load(path)?;
//! use brine::{Options, Question, Verdict};
//! let some_order = Options::new().words(["--engine", "symbolic"])?;
//! let answer = model.check(Question::reach("EF deadlock"), &some_order)?;
//! assert_eq!(answer.verdict, Verdict::Holds);
//! let answer = model.check(Question::ctl("AG EF eat_0 = 1"), &Options::new())?;
//! assert_eq!(answer.verdict, Verdict::Violated);
//! # Ok::<(), brine::Error>(())
//! ```
//!
//! [`Options`] say which engine, how long, how much memory, and hold the flag that calls a question
//! off from another thread.
//!
//! # State spaces
//!
//! [`Model::states`] counts markings, [`Model::reachable`] gives them: to count, to iterate over, to
//! look up, to draw from at random.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/philosophers-5.pnml");
//! # let model = brine::load(path)?;
//! use brine::{Options, Size};
//! let states = model.states(&Options::new())?;
//! assert_eq!(states.states, Some(Size::Finite(243_u32.into())));
//! let markings = model.reachable(&Options::new())?;
//! assert_eq!(markings.iter().count(), 243);
//! assert!(markings.contains(&model.initial_marking()));
//! # Ok::<(), brine::Error>(())
//! ```
//!
//! # A net as a whole
//!
//! [`Model::analyse`] answers the usual questions at once, each with what shows it.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/philosophers-5.pnml");
//! # let model = brine::load(path)?;
//! let analysis = model.analyse(&brine::Options::new())?;
//! assert_eq!((analysis.deadlock, analysis.one_safe), (Some(true), Some(true)));
//! assert!(analysis.deadlock_run.is_some());
//! # Ok::<(), brine::Error>(())
//! ```
//!
//! # Automata
//!
//! ```
//! let automaton = brine::automaton("G(request -> F grant)", brine::Acceptance::Generalised)?;
//! assert_eq!(automaton.states, 2);
//! assert!(automaton.hoa.starts_with("HOA: v1"));
//! # Ok::<(), brine::Error>(())
//! ```
//!
//! # Mistakes
//!
//! An [`Error`] has a kind and, where there is one, a line and a column. A budget that ran out is no
//! error but the answer [`Verdict::Unknown`].
//!
//! ```
//! let error = brine::automaton("G(a -> )", brine::Acceptance::Generalised).unwrap_err();
//! assert_eq!((error.kind, error.line, error.column), (brine::ErrorKind::Input, Some(1), Some(8)));
//! ```
//!
//! # What stays
//!
//! Semantic versioning: within one major version (one minor version while it is 0.x), a program that
//! compiles goes on compiling, and verdicts and counts stay, unless one was wrong: that is a defect,
//! mended in a patch and told in the changelog. Not promised: which run shows a violation, how
//! long something takes, the words of messages, the figures of [`Answer::figures`], the text of
//! [`Run::text`], and the other `brine-*` crates, which are internal. Structs and enums marked
//! `#[non_exhaustive]` may grow, and so may the JSON that [`Analysis`] is serialised to. The oldest
//! Rust that compiles it (`rust-version`) only changes with a minor version.

mod analyse;
mod answer;
mod automaton;
mod check;
mod error;
mod language;
mod model;
mod options;
mod picture;
mod question;
mod reachable;
mod run;
mod states;

pub use answer::{Answer, AutomatonFacts, Figure, Verdict};
pub use automaton::{Acceptance, Automaton, AutomatonEdge, automaton, read_automaton};
pub use brine_check::EngineName as Engine;
pub use brine_check::analysis::{Analysis, GrowingRun, PlaceTokens, UnitTokens, WorkflowFacts};
pub use brine_net::{Net, NetBuilder, PlaceId, TransitionId};
pub use brine_run::Progress;
pub use error::{Error, ErrorKind};
pub use model::{Kind, Model, Node, load};
pub use num_bigint::BigUint;
pub use options::Options;
pub use question::{Question, contest_properties};
pub use reachable::{Markings, Reachable};
pub use run::{Run, RunRow, RunStep};
pub use states::{Size, States};
