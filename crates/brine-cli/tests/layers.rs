//! Who may depend on whom (docs/architecture.md): data flows one way.

use std::path::{Path, PathBuf};

/// Each crate with those of ours that its `[dependencies]` may name.
const ALLOWED: [(&str, &[&str]); 24] = [
    ("brine-run", &[]),
    ("brine-dd", &["brine-run"]),
    ("brine-source", &[]),
    ("brine-net", &["brine-run"]),
    // Plain data in, text out.
    ("brine-page", &[]),
    ("brine-ltl", &["brine-net"]),
    ("brine-coloured", &["brine-run", "brine-net"]),
    ("brine-pnml", &["brine-run", "brine-net", "brine-coloured", "brine-ltl"]),
    ("brine-reduce", &["brine-run", "brine-net"]),
    // Judges what the others find: it must not share code with them.
    ("brine-replay", &["brine-net", "brine-coloured", "brine-ltl"]),
    ("brine-verify", &["brine-net", "brine-ltl"]),
    ("brine-sat", &["brine-run", "brine-dd", "brine-net", "brine-ltl"]),
    ("brine-scc", &["brine-run", "brine-dd", "brine-net", "brine-ltl", "brine-sat"]),
    ("brine-explicit", &["brine-run", "brine-net", "brine-coloured", "brine-ltl"]),
    ("brine-pins", &["brine-run", "brine-dd", "brine-net", "brine-ltl", "brine-sat"]),
    ("brine-dve", &["brine-ltl", "brine-pins"]),
    ("brine-enumerate", &["brine-run", "brine-net", "brine-ltl", "brine-explicit", "brine-pins"]),
    (
        "brine-check",
        &[
            "brine-enumerate",
            "brine-run",
            "brine-dd",
            "brine-net",
            "brine-coloured",
            "brine-ltl",
            "brine-reduce",
            "brine-replay",
            "brine-sat",
            "brine-scc",
            "brine-explicit",
            "brine-page",
            "brine-pins",
            // Certificates are made of what the checker checks.
            "brine-verify",
        ],
    ),
    ("brine-campaign", &["brine-net", "brine-ltl", "brine-pnml"]),
    (
        "brine-cli",
        &[
            "brine-run",
            "brine-campaign",
            "brine-dve",
            "brine-dd",
            "brine-net",
            "brine-coloured",
            "brine-ltl",
            "brine-pnml",
            "brine-sat",
            "brine-scc",
            "brine-explicit",
            "brine-page",
            "brine-pins",
            "brine-check",
            // Runs and certificates from files are judged by these alone.
            "brine-replay",
            "brine-verify",
            "brine-source",
        ],
    ),
    // What programs use: it stands beside the command, on the same engines.
    (
        "brine",
        &[
            "brine-run",
            "brine-dve",
            "brine-dd",
            "brine-net",
            "brine-page",
            "brine-ltl",
            "brine-pnml",
            "brine-sat",
            "brine-pins",
            "brine-check",
            "brine-source",
        ],
    ),
    // For tests and campaigns; nothing that users run depends on them.
    ("brine-oracle", &["brine-net", "brine-ltl"]),
    (
        "brine-models",
        &["brine-run", "brine-net", "brine-coloured", "brine-ltl", "brine-pnml", "brine-oracle"],
    ),
    (
        "brine-fuzz",
        &[
            "brine-oracle",
            "brine-run",
            "brine-explicit",
            "brine-net",
            "brine-coloured",
            "brine-ltl",
            "brine-pnml",
            "brine-models",
            "brine-check",
        ],
    ),
];

/// Our crates that the manifest's `[dependencies]` name.
fn dependencies(manifest: &str) -> Vec<&str> {
    manifest
        .lines()
        .skip_while(|l| *l != "[dependencies]")
        .skip(1)
        .take_while(|l| !l.starts_with('['))
        .filter(|l| l.starts_with("brine-"))
        .map(|l| l.split([' ', '.', '=']).next().unwrap_or(l))
        .collect()
}

#[test]
fn no_crate_reaches_back_up_the_line() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = 0;
    for entry in std::fs::read_dir(&crates).expect("crates/") {
        let dir = entry.expect("an entry").path();
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let manifest = std::fs::read_to_string(dir.join("Cargo.toml")).expect("a manifest");
        let (_, allowed) = ALLOWED
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} has no place in docs/architecture.md"));
        for dependency in dependencies(&manifest) {
            assert!(allowed.contains(&dependency), "{name} must not depend on {dependency}");
            seen += 1;
        }
    }
    assert!(seen >= 10, "{seen} dependencies found");
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { &mut folders } else { &mut files }.push(path);
        }
    }
    files
}

/// Replay judges runs by rules of its own: those of `brine-net`, `brine-ltl` and
/// `brine-coloured`, which engines use, are not called.
#[test]
fn replay_calls_no_rule_that_engines_use() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../brine-replay/src");
    let plain = ["is_enabled", ".fire(", "Net::fire", "fire_in_place", ".eval("];
    // What terms, guards, variables and colours mean.
    let coloured = [
        ".evaluate(",
        "holds(",
        ".apply(",
        ".invert(",
        ".value(",
        ".variable(",
        "guards::variables",
        ".single(",
        ".certain(",
        ".possible(",
        ".components(",
        ".admits(",
        ".choice",
        "ColourLayout",
        ".layout",
        "unfold(",
        "UnfoldLimits",
    ];
    let mut seen = 0;
    for file in sources(&folder) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let rules = if file.parent().is_some_and(|dir| dir.ends_with("coloured")) {
            plain.iter().chain(&coloured[..])
        } else {
            plain.iter().chain(&[])
        };
        let own = text.replace("walk.fire(", "").replace("self.fire(", "");
        for rule in rules {
            assert!(!own.contains(rule), "{} calls {rule}", file.display());
        }
        seen += usize::from(text.contains("checked_sub"));
    }
    assert!(seen > 1, "no firing rules found");
}
