//! `cargo xtask deps`: do our dependencies keep the policy of `deny.toml`?
//!
//! What cargo-deny checks without the network, so that the gate needs no further program:
//! licences, several versions of one crate, sources. And one rule of our own: versions and
//! features stand in the root manifest, where they are seen together; members only inherit.

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Check dependencies against deny.toml: licences, duplicates, sources, features
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// The part of `deny.toml` that is checked here.
#[derive(Deserialize, Debug)]
struct Policy {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize, Debug)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize, Debug)]
struct Bans {
    skip: Vec<Skip>,
}

/// A version that may stand beside another one.
#[derive(Deserialize, Debug)]
struct Skip {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

/// What of `cargo metadata` is looked at.
#[derive(Deserialize, Debug)]
struct Package {
    name: String,
    version: String,
    id: String,
    license: Option<String>,
    source: Option<String>,
    manifest_path: PathBuf,
}

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Runs the task.
pub(crate) fn run(_: &Args) -> anyhow::Result<()> {
    let packages = packages()?;
    let complaints = complaints(&policy()?, &packages)?;
    for complaint in &complaints {
        println!("{complaint}");
    }
    println!("{} packages, {} complaints", packages.len(), complaints.len());
    if complaints.is_empty() { Ok(()) } else { bail!("the policy is not kept") }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn policy() -> anyhow::Result<Policy> {
    let path = root().join("deny.toml");
    toml::from_str(&std::fs::read_to_string(&path)?)
        .with_context(|| format!("cannot read {}", path.display()))
}

/// Everything that is built here, for this platform, from `Cargo.lock`.
fn packages() -> anyhow::Result<Vec<Package>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let used: BTreeSet<&str> = metadata["resolve"]["nodes"]
        .as_array()
        .context("no graph of dependencies")?
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    let all: Vec<Package> = serde_json::from_value(metadata["packages"].clone())?;
    Ok(all.into_iter().filter(|p| used.contains(p.id.as_str())).collect())
}

/// All that is against the policy, one line each.
fn complaints(policy: &Policy, packages: &[Package]) -> anyhow::Result<Vec<String>> {
    let mut complaints = Vec::new();
    for package in packages.iter().filter(|p| p.source.is_some()) {
        let name = format!("{}@{}", package.name, package.version);
        let license = package.license.as_deref().unwrap_or("");
        if !satisfied(license, &policy.licenses.allow) {
            complaints.push(format!("{name}: licence \"{license}\""));
        }
        if package.source.as_deref() != Some(REGISTRY) {
            complaints.push(format!("{name}: from {:?}", package.source));
        }
    }
    complaints.extend(duplicates(&policy.bans.skip, packages));
    for package in packages.iter().filter(|p| p.source.is_none()) {
        let manifest = std::fs::read_to_string(&package.manifest_path)?;
        let lines = own_versions(&manifest).into_iter();
        complaints.extend(lines.map(|line| format!("{}: {line}", package.name)));
    }
    Ok(complaints)
}

/// Crates in several versions, but for those that are known; and known ones that are gone.
fn duplicates(skip: &[Skip], packages: &[Package]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&Package>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(package);
    }
    let mut open: Vec<&Skip> = skip.iter().collect();
    let mut complaints = Vec::new();
    for (name, all) in versions.into_iter().filter(|(_, all)| all.len() > 1) {
        let known = |p: &&&Package| {
            let full = format!("{}@{}", p.name, p.version);
            let before = open.len();
            open.retain(|s| s.name != full);
            before == open.len()
        };
        let unknown: Vec<&str> = all.iter().filter(known).map(|p| p.version.as_str()).collect();
        if unknown.len() > 1 {
            complaints.push(format!("{name}: several versions, {}", unknown.join(", ")));
        }
    }
    let gone = |s: &Skip| format!("{}: no longer a duplicate ({})", s.name, s.reason);
    complaints.extend(open.into_iter().map(gone));
    complaints
}

/// Whether an SPDX expression allows us to use the crate under the given licences.
fn satisfied(expression: &str, allow: &[String]) -> bool {
    // The innermost parentheses first; what they come to takes their place.
    let mut expression = expression.replace('/', " OR ");
    while let Some(open) = expression.rfind('(') {
        let Some(length) = expression[open..].find(')') else { return false };
        let inner = flat(&expression[open + 1..open + length], allow);
        expression.replace_range(open..=open + length, if inner { "yes" } else { "no" });
    }
    flat(&expression, allow)
}

/// The same without parentheses: AND binds tighter than OR.
fn flat(expression: &str, allow: &[String]) -> bool {
    let allowed = |licence: &str| licence == "yes" || allow.iter().any(|a| a == licence);
    expression.split(" OR ").any(|all| all.split(" AND ").all(|one| allowed(one.trim())))
}

/// Dependencies of a member that do not come from the workspace as they are.
fn own_versions(manifest: &str) -> Vec<&str> {
    let mut in_dependencies = false;
    let mut lines = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.trim_end_matches(']').ends_with("dependencies");
        } else if in_dependencies && !line.trim().is_empty() && !line.starts_with('#') {
            let inherits = line.ends_with("= { workspace = true }");
            lines.extend((!inherits).then_some(line));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_dependencies_keep_the_policy() {
        let packages = packages().unwrap();
        assert!(packages.len() > 50, "{}", packages.len());
        assert_eq!(complaints(&policy().unwrap(), &packages).unwrap(), [""; 0]);
    }

    #[test]
    fn licences_are_understood() {
        let allow = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
        for good in ["MIT", "Apache-2.0 OR MIT", "MIT/GPL-3.0", "(MIT OR X) AND Unicode-3.0"] {
            assert!(satisfied(good, &allow), "{good}");
        }
        for bad in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR X) AND Y", "MIT WITH strings", "(MIT"]
        {
            assert!(!satisfied(bad, &allow), "{bad}");
        }
    }

    #[test]
    fn what_is_against_the_policy_is_told() {
        let package = |name: &str, version: &str| Package {
            name: name.to_owned(),
            version: version.to_owned(),
            id: String::new(),
            license: None,
            source: None,
            manifest_path: PathBuf::new(),
        };
        let skip = |name: &str| Skip { name: name.to_owned(), reason: "why".to_owned() };
        let packages = [package("a", "1.0.0"), package("a", "2.0.0"), package("b", "1.0.0")];
        assert_eq!(duplicates(&[], &packages), ["a: several versions, 1.0.0, 2.0.0"]);
        assert_eq!(duplicates(&[skip("a@1.0.0")], &packages), [""; 0]);
        let gone = duplicates(&[skip("a@1.0.0"), skip("b@0.9.0")], &packages);
        assert_eq!(gone, ["b@0.9.0: no longer a duplicate (why)"]);
        let manifest = "[package]\nname = \"m\"\n[dependencies]\na = { workspace = true }\nb = \"1\"\n\
                        [dev-dependencies]\nc = { workspace = true, features = [\"d\"] }\n";
        assert_eq!(own_versions(manifest).len(), 2);
    }
}
