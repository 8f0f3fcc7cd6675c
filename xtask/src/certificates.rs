//! `cargo xtask certificates`: proofs of what holds, of contest properties whose expected verdict
//! is TRUE. Each is decided and certified by one process and verified by another; sizes, and time
//! to check against time to find.

use crate::mcc::{build_binary, data_dir};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Certify and verify contest properties that hold
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The properties: smoke, dev, or panel
    #[arg(long, default_value = "panel")]
    set: String,
    /// Seconds for deciding and certifying a property, and for verifying it
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Memory for each process, in MiB
    #[arg(long, default_value_t = 4096)]
    memory: u64,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Only every so many-th property
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Use this binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the results go
    #[arg(long, default_value = "target/certificates.csv")]
    out: PathBuf,
}

#[derive(Deserialize, Debug)]
struct Expected {
    instance: String,
    examination: String,
    formula: String,
    verdict: String,
}

/// What came of a property.
#[derive(Serialize, Debug)]
struct CertificateRow {
    formula: String,
    verdict: String,
    reason: String,
    stage: String,
    time_s: f64,
    certificate_bytes: Option<u64>,
    make_s: Option<f64>,
    verify_s: Option<f64>,
    /// Of `brine verify`; reading the net is in its time.
    exit: Option<i32>,
    verify_wall_s: Option<f64>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let binary = args.binary.clone().map_or_else(build_binary, Ok)?;
    let table = match args.set.as_str() {
        "panel" => data.join("../peers/ltl-panel.csv"),
        "smoke" | "dev" => data.join("expected-ltl.csv"),
        other => bail!("--set {other}: expected smoke, dev or panel"),
    };
    let smoke = std::fs::read_to_string(data.join("smoke.txt")).unwrap_or_default();
    let smoke: HashSet<&str> = smoke.lines().collect();
    if args.set == "smoke" && smoke.is_empty() {
        bail!("{}: expected the names of the smoke set", data.join("smoke.txt").display());
    }
    let mut properties: Vec<Expected> = Vec::new();
    for row in csv::Reader::from_path(&table)?.deserialize() {
        let row: Expected = row?;
        let asked = row.verdict == "TRUE" && row.instance.contains(&args.filter);
        if asked && (args.set != "smoke" || smoke.contains(&*row.instance)) {
            properties.push(row);
        }
    }
    let chosen: Vec<Expected> = properties.into_iter().step_by(args.every.max(1)).collect();
    let proof = std::env::temp_dir().join(format!("brine-proof-{}.gz", std::process::id()));
    let mut rows = Vec::new();
    let mut out = csv::Writer::from_path(&args.out)?;
    for property in &chosen {
        let row = one(args, &binary, &data, property, &proof)?;
        println!(
            "{}: {} {} by {}, {:.2} s, {} bytes, verified in {:.2} s: {:?}",
            row.formula,
            row.verdict,
            row.reason,
            row.stage,
            row.time_s,
            row.certificate_bytes.unwrap_or(0),
            row.verify_s.unwrap_or(0.0),
            row.exit
        );
        out.serialize(&row)?;
        out.flush()?;
        rows.push(row);
    }
    summarise(&rows);
    Ok(())
}

/// Decides, certifies and verifies one property.
fn one(
    args: &Args,
    binary: &Path,
    data: &Path,
    property: &Expected,
    proof: &Path,
) -> anyhow::Result<CertificateRow> {
    let folder = data.join("models").join(&property.instance);
    let question = |command: &str| {
        let mut process = Command::new(binary);
        process.arg(command).arg(folder.join("model.pnml"));
        process.arg("--mcc").arg(folder.join(format!("{}.xml", property.examination)));
        process.args(["--only", &property.formula, "--json", "--quiet"]);
        process.args(["--timeout", &args.timeout.to_string()]);
        process.args(["--memory", &args.memory.to_string()]);
        process
    };
    if proof.exists() {
        std::fs::remove_file(proof)?;
    }
    let output = question("check").arg("--certificate").arg(proof).output()?;
    let json: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or(serde_json::Value::Null);
    let text = |key: &str| json[key].as_str().unwrap_or("-").to_owned();
    let certificate = &json["certificate"];
    let mut row = CertificateRow {
        formula: property.formula.clone(),
        verdict: text("verdict"),
        reason: text("reason"),
        stage: text("engine"),
        time_s: json["time_s"].as_f64().unwrap_or(f64::NAN),
        certificate_bytes: certificate["bytes"].as_u64(),
        make_s: certificate["time_s"].as_f64(),
        verify_s: certificate["verify_s"].as_f64(),
        exit: None,
        verify_wall_s: None,
    };
    if proof.exists() {
        let start = Instant::now();
        let verified = question("verify").arg(proof).output().context("brine verify")?;
        row.exit = verified.status.code();
        row.verify_wall_s = Some(start.elapsed().as_secs_f64());
        let json: serde_json::Value =
            serde_json::from_slice(&verified.stdout).unwrap_or(serde_json::Value::Null);
        row.verify_s = json["time_s"].as_f64().or(row.verify_s);
    }
    Ok(row)
}

fn summarise(rows: &[CertificateRow]) {
    let count = |test: &dyn Fn(&CertificateRow) -> bool| rows.iter().filter(|r| test(r)).count();
    println!(
        "{} hold as expected; {} certified, {} verified; {} unknown, {} said violated",
        rows.len(),
        count(&|r| r.certificate_bytes.is_some()),
        count(&|r| r.exit == Some(0)),
        count(&|r| r.verdict == "unknown"),
        count(&|r| r.verdict == "violated"),
    );
    let spread = |name: &str, mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        let at = |part: usize| all.get((all.len() * part / 100).min(all.len().saturating_sub(1)));
        println!(
            "{name}: median {:.3}, 90 % {:.3}, max {:.3}",
            at(50).unwrap_or(&f64::NAN),
            at(90).unwrap_or(&f64::NAN),
            all.last().unwrap_or(&f64::NAN)
        );
    };
    let done = || rows.iter().filter(|r| r.exit == Some(0));
    spread("bytes", done().filter_map(|r| r.certificate_bytes).map(|b| b as f64).collect());
    spread("seconds to decide", done().map(|r| r.time_s - r.make_s.unwrap_or(0.0)).collect());
    spread("seconds to certify", done().filter_map(|r| r.make_s).collect());
    spread("seconds to verify", done().filter_map(|r| r.verify_s).collect());
}
