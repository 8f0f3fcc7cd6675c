//! The `brine` command.

fn main() {}
