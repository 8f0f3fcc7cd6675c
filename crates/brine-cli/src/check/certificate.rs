//! `--certificate`: a proof that the property holds, written after the verdict.

use super::{Args, CheckQuestion};
use anyhow::{Context, bail};
use brine_check::show::Trace;
use brine_check::{
    Answerer, Asked, CertificateFigures, DecideError, Decision, NoCertificate, Property, Reason,
    Turn, Verdict, certify,
};
use brine_ltl::{Formula, Formulas, Symbols};
use brine_net::{Net, Structure};
use brine_run::Control;
use std::ops::Deref;
use std::path::Path;
use std::time::Instant;

/// One property of a net, and a file that can be written.
pub(super) fn ensure(args: &Args, questions: &[CheckQuestion]) -> anyhow::Result<()> {
    let Some(file) = &args.certificate else { return Ok(()) };
    match questions {
        [question] if question.asked.formula().is_some() => (),
        [_] => bail!("--certificate is for formulas about all runs, not for CTL or automata"),
        _ => bail!("--certificate is for one property; --only chooses one of a file"),
    }
    crate::files::ensure_writable(file).context("--certificate")
}

/// An answerer that proves what holds on all runs; what it cannot prove counts as unknown.
pub(super) struct Proving<'p, A, S> {
    pub(super) inner: &'p mut A,
    pub(super) file: &'p Path,
    pub(super) net: &'p Net,
    /// Worked out when it is needed.
    pub(super) structure: &'p S,
}

impl<A: Answerer, S: Deref<Target = Structure>> Answerer for Proving<'_, A, S> {
    fn advance(&mut self, asked: &Asked, turn: &Turn) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let mut decision = self.inner.advance(asked, turn)?;
        let on_all_runs = match (asked, &decision.verdict) {
            (Asked::Formula(formula), Verdict::Holds) => Some(*formula),
            // No run is as the question has it.
            (Asked::SomeRun(formula), Verdict::Violated(_)) => Some(*formula),
            _ => None,
        };
        if let Some(formula) = on_all_runs {
            let control = turn.budget.since(start).control();
            self.prove(formula, &mut decision, &control);
        }
        Ok(decision)
    }

    fn trace(&self, asked: &Asked, decision: &Decision) -> Option<Trace> {
        self.inner.trace(asked, decision)
    }

    fn wording(&self) -> (&Formulas, &Symbols) {
        self.inner.wording()
    }

    fn drawn<'d>(&'d self, decision: &'d Decision) -> Option<(&'d Net, bool)> {
        self.inner.drawn(decision)
    }
}

impl<A: Answerer, S: Deref<Target = Structure>> Proving<'_, A, S> {
    /// Makes the certificate and writes it.
    fn prove(&self, formula: Formula, decision: &mut Decision, control: &Control) {
        let start = Instant::now();
        let formulas = self.inner.wording().0;
        let property = Property { net: self.net, formulas, formula };
        let made = certify(property, self.structure, control);
        let time = start.elapsed();
        decision.time += time;
        let by = decision.engine;
        let reason = match made {
            Ok(certificate) => match crate::files::replace(self.file, &certificate.bytes) {
                Ok(()) => {
                    let bytes = certificate.bytes.len() as u64;
                    let (verified, verify_time) = (certificate.verified, certificate.verify_time);
                    let figures = CertificateFigures { bytes, verified, time, verify_time };
                    decision.certificate = Some(figures);
                    return;
                }
                Err(error) => Reason::Unsupported(format!("{error:#}")),
            },
            Err(NoCertificate::Stopped(stop)) => stop.into(),
            Err(error) => {
                Reason::Unsupported(format!("decided by {by}, but no certificate: {error}"))
            }
        };
        decision.verdict = Verdict::Unknown(reason);
    }
}
