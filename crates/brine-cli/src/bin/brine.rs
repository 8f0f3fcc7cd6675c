//! The `brine` binary; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    brine_cli::main()
}
