//! `--certificate`: a proof that the property holds, written after the verdict.

use super::{Args, Asked, CheckQuestion};
use anyhow::{Context, bail};
use brine_check::{
    Budget, CertificateFigures, Decision, NoCertificate, Property, Reason, Verdict, certify,
};
use brine_net::Structure;
use std::path::Path;
use std::time::Instant;

/// One property of a net, and a file that can be written.
pub(super) fn ensure(args: &Args, questions: &[CheckQuestion]) -> anyhow::Result<()> {
    let Some(file) = &args.certificate else { return Ok(()) };
    match questions {
        [question] if question.formula().is_some() => (),
        [question] => {
            let kind = if matches!(question.asked, Asked::Branching(_)) { "CTL" } else { "automata" };
            bail!("--certificate is for formulas about all runs, not for {kind}")
        }
        _ => bail!("--certificate is for one property; --only chooses one of a file"),
    }
    crate::files::ensure_writable(file).context("--certificate")
}

/// Makes the certificate and writes it. Without one, the property counts as unknown.
pub(super) fn write(
    file: &Path,
    property: Property<'_>,
    structure: &Structure,
    decision: &mut Decision,
    budget: &Budget,
) {
    let start = Instant::now();
    let made = certify(property, structure, &budget.control());
    let time = start.elapsed();
    decision.time += time;
    let reason = match made {
        Ok(certificate) => match crate::files::replace(file, &certificate.bytes) {
            Ok(()) => {
                let bytes = certificate.bytes.len() as u64;
                let (verified, verify_time) = (certificate.verified, certificate.verify_time);
                let figures = CertificateFigures { bytes, verified, time, verify_time };
                decision.certificate = Some(figures);
                return;
            }
            Err(error) => Reason::Unsupported(format!("it holds, but {error:#}")),
        },
        Err(NoCertificate::Stopped(stop)) => stop.into(),
        Err(error) => Reason::Unsupported(format!(
            "it holds by the {} engine, but there is no certificate: {error}",
            decision.engine
        )),
    };
    decision.verdict = Verdict::Unknown(reason);
}
