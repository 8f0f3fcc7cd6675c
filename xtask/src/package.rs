//! `cargo xtask package`: what the Model Checking Contest gets, and a dry run of it.
//!
//! The folder `BenchKit` has the script that BenchKit calls, the program in `bin`, the licences and
//! a file `VERSION` with what it was built from. The program is static, so that it runs on whatever
//! the contest's machines are: the GNU target with the system's C library linked in, or else Rust's
//! musl target, whose allocator costs a sixth of processor time (docs/log.md). Where neither can be
//! built it is linked to this machine's libraries, and `VERSION` says so.
//!
//! The dry run calls the script as BenchKit does, in the folder of each instance, with short limits,
//! for every examination, and the program without an environment or a home, as on a bare machine. It looks at the form of what is printed (verdicts are the business of
//! `cargo xtask contest`): one line for each property of the examination, no other, in time.

use crate::mcc::{Set, data_dir, instances, models};
use anyhow::{Context, bail};
use benchkit::{Call, EXAMINATIONS, check, ids};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One call and its lines: the same as in the tests of the command.
#[path = "../../crates/brine-cli/tests/common/benchkit.rs"]
mod benchkit;

/// Build what the contest asks for, and call it as BenchKit would
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where the folder BenchKit and its archive go
    #[arg(long, default_value = "target/contest-package")]
    folder: PathBuf,
    /// The profile of the build
    #[arg(long, default_value = "release")]
    profile: String,
    /// Take this program instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Ask every examination of every so many-th smoke instance
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// BK_TIME_CONFINEMENT of the dry run
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    time: u64,
}

const MUSL: &str = "x86_64-unknown-linux-musl";
const GNU: &str = "x86_64-unknown-linux-gnu";

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let binary = args.binary.clone().map_or_else(|| build(&root, &args.profile), Ok)?;
    std::fs::create_dir_all(&args.folder)?;
    let folder = args.folder.canonicalize()?;
    let kit = pack(&root, &binary, &folder)?;
    let archive = folder.join("BenchKit.tar.gz");
    tell(
        "tar",
        Command::new("tar").args(["-czf"]).arg(&archive).arg("-C").arg(&folder).arg("BenchKit"),
    )?;
    on_a_bare_machine(&kit)?;
    let size = std::fs::metadata(&archive)?.len() / 1024;
    print!("{}: {size} KiB\n{}", archive.display(), std::fs::read_to_string(kit.join("VERSION"))?);
    dry_run(&kit, args)
}

/// The program: static if this machine can build that.
fn build(root: &Path, profile: &str) -> anyhow::Result<PathBuf> {
    // The C library of the GNU target can be linked in as well; cargo says so for this target alone.
    let gnu_static =
        [("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS", "-Ctarget-feature=+crt-static")];
    for (target, variables) in [(Some(GNU), &gnu_static[..]), (Some(MUSL), &[][..]), (None, &[])] {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--quiet", "--package", "brine-cli", "--profile", profile]);
        command.args(target.iter().flat_map(|t| ["--target", t])).current_dir(root);
        command.envs(variables.iter().copied());
        if command.status().is_ok_and(|status| status.success()) {
            let folder = root.join("target").join(target.unwrap_or_default()).join(profile);
            return Ok(folder.join("brine"));
        }
        match target {
            Some(GNU) => eprintln!("note: no static C library of the system: trying {MUSL}"),
            Some(_) => eprintln!("note: no target {MUSL} (rustup target add {MUSL})"),
            None => (),
        }
    }
    bail!("the build failed")
}

/// Writes the folder.
fn pack(root: &Path, binary: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let kit = folder.join("BenchKit");
    if kit.exists() {
        std::fs::remove_dir_all(&kit)?;
    }
    std::fs::create_dir_all(kit.join("bin"))?;
    let copy = |from: &Path, to: &str| {
        let told = || format!("cannot copy {}", from.display());
        std::fs::copy(from, kit.join(to)).with_context(told)
    };
    copy(binary, "bin/brine")?;
    for (from, to) in [
        ("contest/BenchKit_head.sh", "BenchKit_head.sh"),
        ("contest/README.txt", "README.txt"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("LICENSE-APACHE", "LICENSE-APACHE"),
    ] {
        copy(&root.join(from), to)?;
    }
    let version = tell("brine", Command::new(kit.join("bin/brine")).arg("--version"))?;
    let commit = tell("git", Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root))
        .unwrap_or_else(|_| "unknown\n".to_owned());
    let linked = if is_static(binary)? { "static" } else { "linked to libraries" };
    let text = format!("{}\ncommit {}\n{linked}\n", version.trim(), commit.trim());
    std::fs::write(kit.join("VERSION"), text)?;
    Ok(kit)
}

/// The program in a root of its own, where there is no library, if that can be had here (`chroot` needs
/// root): what is static runs there.
fn on_a_bare_machine(kit: &Path) -> anyhow::Result<()> {
    let mut bare = Command::new("chroot");
    bare.arg(kit).args(["/bin/brine", "--version"]).env_clear();
    let path = std::env::var_os("PATH").unwrap_or_default();
    match tell("chroot", bare.env("PATH", path)) {
        Ok(told) => println!("alone in a root of its own: {}", told.trim()),
        Err(error) => println!("not tried in a root of its own: {error:#}"),
    }
    Ok(())
}

/// A program for Linux that names no interpreter needs no library.
fn is_static(binary: &Path) -> anyhow::Result<bool> {
    let bytes = std::fs::read(binary)?;
    let end = bytes.len().min(4096);
    Ok(!bytes[..end].windows(7).any(|w| w == b"ld-linu"))
}

fn tell(name: &str, command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{name}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn dry_run(kit: &Path, args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let folder = models(Set::Smoke, &data)?;
    let (mut calls, mut open, mut lines) = (0, 0, 0);
    for instance in instances(Set::Smoke, "", &data)?.iter().step_by(args.every.max(1)) {
        let here = folder.join(instance);
        for (examination, file) in EXAMINATIONS {
            if file.is_some_and(|file| !here.join(file).exists()) {
                continue;
            }
            let call = Call { kit, program: None, seconds: args.time };
            let printed = call
                .ask(&here, examination)
                .with_context(|| format!("{instance} {examination}"))?;
            let ids = file.map(|file| ids(&here.join(file))).transpose()?;
            check(examination, ids.as_deref(), &printed)
                .with_context(|| format!("{instance} {examination}:\n{printed}"))?;
            calls += 1;
            lines += printed.lines().count();
            open += printed.lines().filter(|l| l.contains("CANNOT_COMPUTE")).count();
        }
    }
    println!("dry run: {calls} calls, {lines} lines, {open} CANNOT_COMPUTE");
    if calls == 0 { bail!("nothing was called") } else { Ok(()) }
}
