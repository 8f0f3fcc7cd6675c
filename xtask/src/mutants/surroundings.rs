//! Planted bugs: budgets, exit codes, files and output.

use super::{Mutant, Test, mutant};

const EXIT: &str = "crates/brine-cli/src/exit.rs";
const LIMITS: &str = "crates/brine-dd/src/limits.rs";
const STORE: &str = "crates/brine-cli/src/bench/store.rs";

pub(super) const MUTANTS: [Mutant; 12] = [
    mutant(
        Test::Faults,
        "check: a budget that ran out is success",
        "crates/brine-cli/src/check.rs",
        "Ok(Verdict::Unknown(_)) => Exit::Unknown,",
        "Ok(Verdict::Unknown(_)) => Exit::Done,",
    ),
    mutant(
        Test::Faults,
        "exit: no room at the start is bad input",
        EXIT,
        "is_too_large(error) || error.is::<NoRoom>()",
        "is_too_large(error)",
    ),
    mutant(
        Test::Faults,
        "exit: a reader that has gone is success",
        EXIT,
        "return NO_READER;",
        "return 0;",
    ),
    mutant(
        Test::Faults,
        "exit: what could not be said is not asked for",
        EXIT,
        "command().and_then(|exit| output::ensure().map(|()| exit))",
        "command().inspect(|_| drop(output::ensure()))",
    ),
    mutant(
        Test::Faults,
        "output: the first failure is forgotten",
        "crates/brine-cli/src/output.rs",
        "let result = failure.map_or_else(|| stdout().flush(), Err);",
        "let result = stdout().flush();\n    drop(failure);",
    ),
    mutant(
        Test::Faults,
        "files: written in place",
        "crates/brine-cli/src/files.rs",
        "let new = PathBuf::from(name);",
        "let new = PathBuf::from(name).with_file_name(path.file_name().unwrap_or_default());",
    ),
    mutant(
        Test::Faults,
        "limits: the clock is not looked at",
        LIMITS,
        "if self.deadline.is_some_and(|d| Instant::now() >= d) {",
        "if self.deadline.is_some_and(|d| Instant::now() < d && Instant::now() >= d) {",
    ),
    mutant(
        Test::Faults,
        "limits: memory is not looked at",
        LIMITS,
        "resident_bytes() > self.memory",
        "resident_bytes() == usize::MAX",
    ),
    mutant(
        Test::Faults,
        "store: a torn line stays",
        STORE,
        "file.set_len(whole.len() as u64).with_context(cannot)?;",
        "",
    ),
    mutant(
        Test::Program,
        "store: a campaign goes on in any file",
        STORE,
        "if !header().starts_with(torn) {",
        "if torn.len() > header().len() {",
    ),
    mutant(
        Test::Program,
        "store: two campaigns write to one file",
        STORE,
        "Err(TryLockError::WouldBlock) => {\n                bail!(\"{}: another campaign is writing to this file\", path.display())\n            }",
        "Err(TryLockError::WouldBlock) => {}",
    ),
    mutant(
        Test::Program,
        "files: pipes are replaced by files",
        "crates/brine-cli/src/files.rs",
        "Ok(there) if !there.is_file() => std::fs::write(path, text),",
        "Ok(there) if there.is_dir() => std::fs::write(path, text),",
    ),
];
