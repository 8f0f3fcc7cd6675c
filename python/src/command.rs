//! The `brine` command, as the wheel installs it.

fn main() -> std::process::ExitCode {
    brine_cli::main()
}
