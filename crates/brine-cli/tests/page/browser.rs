//! A headless browser for pages: does what a person would do and tells what is to be seen.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const DRIVER: &str = include_str!("drive.js");

/// What is to be seen after an act.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// By the name that is written beside the place, or of the variable.
    pub(crate) tokens: BTreeMap<String, Value>,
    pub(crate) enabled: Vec<String>,
    pub(crate) words: String,
    pub(crate) now: String,
    pub(crate) place: String,
    pub(crate) truth: Vec<String>,
    pub(crate) chosen: Vec<String>,
}

/// The browser, if there is one: `BRINE_BROWSER`, or what Debian and others call Chromium.
pub(crate) fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("BRINE_BROWSER") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let mut files = std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name)));
    let found = files.find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium (apt-get install chromium, or set BRINE_BROWSER)");
    }
    found
}

/// A browser that shows nothing, reaches nothing and forgets everything.
pub(crate) fn command(browser: &Path, profile: &Path) -> Command {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--virtual-time-budget=60000",
    ]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command
}

/// Does these acts in a page; what is to be seen after each.
pub(crate) fn drive(browser: &Path, page: &str, acts: &Value, moves: bool) -> Vec<Sight> {
    let dir = tempfile::tempdir().expect("a folder");
    let acts = acts.to_string().replace('<', "\\u003c");
    let driver = format!(
        "<script type=\"application/json\" id=\"acts\">{acts}</script><script>{DRIVER}</script>"
    );
    let (before, after) = page.rsplit_once("</body>").expect("a page");
    let file = dir.path().join("page.html");
    std::fs::write(&file, format!("{before}{driver}</body>{after}")).expect("a file");
    let mut command = command(browser, &dir.path().join("profile"));
    if !moves {
        command.arg("--force-prefers-reduced-motion");
    }
    let output = command
        .args(["--window-size=1200,800", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let seen = text
        .split_once("<pre id=\"seen\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .unwrap_or_else(|| {
            panic!("the driver did not end: {}", String::from_utf8_lossy(&output.stderr))
        });
    let result: Value = serde_json::from_str(&decoded(seen.0)).expect("JSON");
    assert_eq!(result["faults"], Value::Array(Vec::new()), "faults in the page");
    result["seen"].as_array().expect("a list").iter().map(sight).collect()
}

fn sight(value: &Value) -> Sight {
    let text = |key: &str| value[key].as_str().expect("a text").to_owned();
    let list = |key: &str| {
        let all = value[key].as_array().expect("a list").iter();
        all.map(|v| v.as_str().expect("a text").to_owned()).collect()
    };
    let tokens = value["tokens"].as_object().expect("tokens");
    Sight {
        tokens: tokens.iter().map(|(name, count)| (name.clone(), count.clone())).collect(),
        enabled: list("enabled"),
        words: text("words"),
        now: text("now"),
        place: text("where"),
        truth: list("truth"),
        chosen: list("chosen"),
    }
}

/// What `encodeURIComponent` was given.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.trim().bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next().expect("a digit"), rest.next().expect("a digit")];
        let digits = std::str::from_utf8(&digits).expect("ASCII").to_owned();
        bytes.push(u8::from_str_radix(&digits, 16).expect("two digits"));
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// Takes a picture of a page at an address inside of it.
pub(crate) fn picture(browser: &Path, page: &Path, hash: &str, size: (u32, u32), to: &Path) {
    let dir = tempfile::tempdir().expect("a folder");
    let status = command(browser, dir.path())
        .arg("--force-prefers-reduced-motion")
        .arg(format!("--window-size={},{}", size.0, size.1))
        .arg(format!("--screenshot={}", to.display()))
        .arg(format!("file://{}#{hash}", page.display()))
        .stderr(std::process::Stdio::null())
        .status()
        .expect("the browser starts");
    assert!(status.success() && to.is_file());
}
