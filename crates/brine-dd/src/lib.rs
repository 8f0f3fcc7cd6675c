//! Decision diagrams for sets of state vectors.
