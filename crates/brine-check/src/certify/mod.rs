//! Certificates: after "holds", a proof that [`brine_verify`] accepts.
//!
//! Engines are not asked how they came to their verdict. A certificate is made afterwards, from
//! the net and the formula as they were given:
//!
//! ```text
//! facts      atoms with one value, by the state equation                        (prover)
//! anywhere   automaton states with which all reachable markings are harmless    (anywhere)
//! explicit   the product states that are left, one by one, if they are few      (explicit)
//! symbolic   else as diagrams                                                   (symbolic)
//! layers     their order                                                        (layers)
//! ```
//!
//! What is harmless anywhere needs no markings: the first part does what
//! [simplification](crate::Simplifier) does, in terms of the checker's own tableau.
//! *Invariant:* nothing is written that the checker refuses; the text is judged before it is
//! given away, so a bug here costs a certificate, never the truth.

mod anywhere;
mod explicit;
mod layers;
mod prover;
mod symbolic;
mod tableau;

use crate::decide::Property;
use anywhere::Anywhere;
use brine_net::{Net, Structure};
use brine_run::{Control, Stop};
use brine_verify::{Claim, FALSE, Foreign, Literal, Parts, Refusal, System, TooLarge, Verified};
use explicit::Explicit;
use flate2::Compression;
use flate2::write::GzEncoder;
use layers::Layers;
use prover::Prover;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::time::{Duration, Instant};
use symbolic::Symbolic;
use tableau::Tableau;

/// So many edges of the product are looked at one by one if diagrams do not get done.
const MANY: usize = 200_000_000;

/// A proof that a property holds, as it is written to a file.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The packed text.
    pub bytes: Vec<u8>,
    /// What the checker said about it.
    pub verified: Verified,
    /// How long the checker took.
    pub verify_time: Duration,
}

/// Its size, and how long the checker took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CertificateFigures {
    /// Bytes of the packed file.
    pub bytes: u64,
    /// What was checked.
    pub verified: Verified,
    /// How long making it took.
    pub time: Duration,
    /// How long checking it took.
    pub verify_time: Duration,
}

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoCertificate {
    /// The budget ran out.
    #[error("no time or memory was left ({0})")]
    Stopped(Stop),
    /// The formula has too many cases for the checker.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The formula has a part that certificates cannot name.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// The property does not hold.
    #[error("the property does not hold")]
    Violated,
    /// A bug: the checker refuses what was made.
    #[error("the checker refuses it: {0}")]
    Refused(#[from] Refusal),
}

impl From<Stop> for NoCertificate {
    fn from(stop: Stop) -> Self {
        NoCertificate::Stopped(stop)
    }
}

/// Makes a certificate for a property that holds, and has it checked.
///
/// ```
/// use brine_check::{Property, certify};
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Structure};
/// use brine_run::Control;
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("F off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let property = Property { net: &net, formulas: &formulas, formula };
/// let certificate = certify(property, &Structure::new(&net), &Control::default()).unwrap();
/// assert!(brine_verify::verify(&net, &formulas, formula, &certificate.bytes[..]).is_ok());
/// ```
pub fn certify(
    property: Property<'_>,
    structure: &Structure,
    control: &Control,
) -> Result<Certificate, NoCertificate> {
    certify_with(property, structure, CertifyOptions::default(), control)
}

/// How certificates are made; what is usual suits all but tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertifyOptions {
    /// So many edges of the product are looked at one by one before diagrams are tried.
    pub few_edges: usize,
    /// Whether facts about all reachable markings are used.
    pub facts: bool,
}

impl Default for CertifyOptions {
    fn default() -> Self {
        CertifyOptions { few_edges: 1_000_000, facts: true }
    }
}

/// The same with options.
pub fn certify_with(
    property: Property<'_>,
    structure: &Structure,
    options: CertifyOptions,
    control: &Control,
) -> Result<Certificate, NoCertificate> {
    let text = certificate_text(property, structure, options, control)?;
    control.look()?;
    let start = Instant::now();
    let verified =
        brine_verify::verify(property.net, property.formulas, property.formula, text.as_bytes())?;
    let verify_time = start.elapsed();
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let bytes = packed.write_all(text.as_bytes()).and_then(|()| packed.finish());
    Ok(Certificate { bytes: bytes.unwrap_or_default(), verified, verify_time })
}

fn certificate_text(
    property: Property<'_>,
    structure: &Structure,
    options: CertifyOptions,
    control: &Control,
) -> Result<String, NoCertificate> {
    let Property { net, formulas, formula } = property;
    let system = System::new(net);
    let mut parts = Parts::default();
    parts.add_atoms_of(formulas, formula)?;
    parts.add_atom(Claim::Deadlock);
    let mut prover = Prover::new(net, structure, &system, parts.atoms().to_vec(), control)?;
    let constants = if options.facts { prover.constants(control)? } else { Vec::new() };
    constants.into_iter().for_each(|(atom, value)| parts.set_known(atom, value));
    let root = parts.add_negation(formulas, formula)?;
    let mut tableau = Tableau::new(&parts, root);
    let mut layers = Layers::default();
    let mut anywhere = Anywhere::default();
    let mut rest = Rest::Nothing;
    if root != FALSE {
        if options.facts {
            let first = tableau.first(&system, prover.conflicts())?;
            anywhere = Anywhere::new(&mut tableau, &mut prover, &first, &mut layers, control)?;
        }
        let (system, conflicts, anywhere) = (&system, prover.conflicts(), &anywhere);
        let left = Left { net, structure, system, conflicts, anywhere };
        rest = Rest::new(&left, &mut tableau, &mut layers, options.few_edges, control)?;
    }
    let sections = Sections { system: &system, parts: &parts, prover: &prover, root };
    let mut text = sections.to_string();
    // Writing to a string does not fail.
    let _ = write!(text, "{tableau}{layers}{anywhere}{rest}");
    let lines = text.lines().count();
    let _ = writeln!(text, "end {lines}");
    Ok(text)
}

/// The product states that facts alone do not show to be harmless.
enum Rest {
    Nothing,
    Explicit(Explicit),
    Symbolic(Symbolic),
}

/// What the search for the rest starts from.
struct Left<'l> {
    net: &'l Net,
    structure: &'l Structure,
    system: &'l System,
    conflicts: &'l [Vec<Literal>],
    anywhere: &'l Anywhere,
}

impl Rest {
    /// One by one if they are few, else as diagrams; one by one after all if these do not get done.
    fn new(
        left: &Left<'_>,
        tableau: &mut Tableau<'_>,
        layers: &mut Layers,
        few_edges: usize,
        control: &Control,
    ) -> Result<Self, NoCertificate> {
        match Explicit::new(left, tableau, layers, few_edges, control) {
            Err(NoCertificate::Stopped(Stop::Work)) => (),
            other => return other.map(Rest::Explicit),
        }
        let share = control.time_left().map_or(control.clone(), |left| control.at_most(left / 2));
        match Symbolic::new(left, tableau, layers, &share) {
            Err(NoCertificate::Stopped(_)) => (),
            other => return other.map(Rest::Symbolic),
        }
        Explicit::new(left, tableau, layers, MANY, control).map(Rest::Explicit)
    }
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rest::Nothing => Ok(()),
            Rest::Explicit(explicit) => write!(f, "{explicit}"),
            Rest::Symbolic(symbolic) => write!(f, "{symbolic}"),
        }
    }
}

/// The first sections of a certificate.
struct Sections<'c> {
    system: &'c System,
    parts: &'c Parts,
    prover: &'c Prover<'c>,
    root: u32,
}

impl fmt::Display for Sections<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let System { initial, steps, .. } = self.system;
        writeln!(f, "brine-certificate {}", brine_verify::VERSION)?;
        let fingerprint = self.system.fingerprint();
        writeln!(f, "net {} {} {fingerprint:016x}", initial.len(), steps.len())?;
        self.parts.atoms().iter().try_for_each(|atom| writeln!(f, "atom {atom}"))?;
        f.write_str(self.prover.lines())?;
        self.parts.parts().iter().skip(2).try_for_each(|part| writeln!(f, "node {part}"))?;
        writeln!(f, "root {}", self.root)
    }
}
