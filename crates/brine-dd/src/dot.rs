//! Diagrams as Graphviz text.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use crate::manager::Dd;
use crate::table::NodeId;

impl Dd {
    /// The diagram of `set` in DOT, one record per MDD node, arcs labelled by values.
    pub fn dot(&self, set: NodeId) -> String {
        let mut out = String::from("digraph dd {\n  node [shape=record];\n");
        let mut seen = FxHashSet::default();
        let mut stack = vec![set];
        while let Some(id) = stack.pop() {
            if id.is_terminal() || !seen.insert(id) {
                continue;
            }
            let ports: Vec<String> =
                self.arcs(id).map(|(value, _)| format!("<v{value}> {value}")).collect();
            let _ = writeln!(out, "  n{} [label=\"{}\"];", id.0, ports.join("|"));
            for (value, down) in self.arcs(id) {
                let _ = writeln!(out, "  n{}:v{value} -> n{};", id.0, down.0);
                stack.push(down);
            }
        }
        out.push_str("  n1 [label=\"1\", shape=box];\n}\n");
        out
    }
}
