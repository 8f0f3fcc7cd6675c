//! `cargo xtask`: what maintainers repeat.

fn main() {}
