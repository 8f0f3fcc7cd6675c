//! Programs that some tests need and not every machine has.

use std::process::{Command, Stdio};

/// The first of these programs that is there. Where `CI` is set, Debian's package is
/// installed if none is; otherwise `None`, and the reason is printed.
pub(crate) fn find(names: &[&'static str], package: &str) -> Option<&'static str> {
    let there = || names.iter().copied().find(|n| runs(n));
    if let Some(name) = there() {
        return Some(name);
    }
    if std::env::var_os("CI").is_some() {
        for args in [&["update"][..], &["install", "--yes", "--no-install-recommends", package]] {
            let _ = Command::new("apt-get").args(args).stdout(Stdio::null()).status();
        }
    }
    let found = there();
    if found.is_none() {
        println!("skipped: no {} here (Debian's package: {package})", names.join(", "));
    }
    found
}

fn runs(name: &str) -> bool {
    let mut command = Command::new(name);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}
