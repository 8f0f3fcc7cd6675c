//! One question, one verdict.
