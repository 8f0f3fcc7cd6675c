//! Automata as text: the Hanoi omega-automata format (HOA, version 1) and DOT.
//!
//! Output only; [`crate::read_hoa`] reads. Acceptance is written on states when the
//! automaton is state-based with one mark, else on edges.

use crate::automaton::{Automaton, Label, LabelId};
use crate::symbols::Symbols;
use std::fmt::Write;

/// The text of a label with the given names of atoms.
fn label_text(label: &Label, atom: impl Fn(u32) -> String) -> String {
    let cubes: Vec<String> = label
        .cubes
        .iter()
        .map(|cube| {
            let literals: Vec<String> = (0..64)
                .filter(|i| (cube.pos | cube.neg) >> i & 1 == 1)
                .map(|i| if cube.pos >> i & 1 == 1 { atom(i) } else { format!("!{}", atom(i)) })
                .collect();
            if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
        })
        .collect();
    if cubes.is_empty() { "f".to_owned() } else { cubes.join(" | ") }
}

/// ` {0 2}` for a set of marks, nothing for the empty set.
fn marks_text(marks: u64) -> String {
    if marks == 0 {
        return String::new();
    }
    let list: Vec<String> =
        (0..64).filter(|m| marks >> m & 1 == 1).map(|m| m.to_string()).collect();
    format!(" {{{}}}", list.join(" "))
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

impl Automaton {
    /// The automaton in HOA format. `name` is usually the formula.
    ///
    /// ```
    /// use brine_ltl::{Formulas, Options, Symbols, parse, read_hoa, translate};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let f = parse("a U b", &mut fs, &mut symbols).unwrap();
    /// let automaton = translate(&fs, f, &Options::default()).unwrap();
    /// let text = automaton.to_hoa("a U b", &symbols);
    /// assert!(text.starts_with("HOA: v1\n"));
    /// assert_eq!(read_hoa(&text, &mut symbols).unwrap(), automaton);
    /// ```
    pub fn to_hoa(&self, name: &str, symbols: &Symbols) -> String {
        let state_based = self.num_marks() == 1 && self.is_state_based();
        let mut out = String::new();
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        line("HOA: v1".into());
        line(format!("name: \"{}\"", escape(name)));
        line(format!("tool: \"brine\" \"{}\"", env!("CARGO_PKG_VERSION")));
        line(format!("States: {}", self.num_states()));
        line(format!("Start: {}", self.initial().0));
        let atoms: Vec<String> = self
            .atoms()
            .iter()
            .map(|a| match a {
                crate::atom::Atom::Prop(name) => format!(" \"{}\"", escape(name)),
                other => format!(" \"{}\"", escape(&other.print(symbols))),
            })
            .collect();
        line(format!("AP: {}{}", atoms.len(), atoms.concat()));
        let k = self.num_marks();
        line(match k {
            0 => "acc-name: all".into(),
            1 => "acc-name: Buchi".into(),
            _ => format!("acc-name: generalized-Buchi {k}"),
        });
        let all: Vec<String> = (0..k).map(|m| format!("Inf({m})")).collect();
        let condition = if k == 0 { "t".into() } else { all.join("&") };
        line(format!("Acceptance: {k} {condition}"));
        let acceptance = if state_based { "state-acc" } else { "trans-acc" };
        line(format!("properties: trans-labels explicit-labels {acceptance}"));
        line("--BODY--".into());
        for q in self.states() {
            let edges = self.edges_of(q);
            let on_state = if state_based { edges.first().map_or(0, |e| e.marks) } else { 0 };
            line(format!("State: {}{}", q.0, marks_text(on_state)));
            for e in edges {
                let label = label_text(self.label(e.label), |i| i.to_string());
                let marks = if state_based { String::new() } else { marks_text(e.marks) };
                line(format!("[{label}] {}{marks}", e.dst.0));
            }
        }
        line("--END--".into());
        out
    }

    /// A label as text, given what the atoms are called, as `a&!b | c`.
    pub fn label_text(&self, label: LabelId, atoms: &[String]) -> String {
        label_text(self.label(label), |i| atoms[i as usize].clone())
    }

    /// The automaton as a graph in DOT format.
    pub fn to_dot(&self, name: &str, symbols: &Symbols) -> String {
        let state_based = self.num_marks() == 1 && self.is_state_based();
        let mut out = String::new();
        let names: Vec<String> = self.atoms().iter().map(|a| a.print(symbols)).collect();
        let text = |e: std::fmt::Result| e.expect("strings take all text");
        text(writeln!(out, "digraph \"{}\" {{", escape(name)));
        text(writeln!(out, "  rankdir=LR\n  label=\"{}\"\n  node [shape=circle]", escape(name)));
        text(writeln!(out, "  start [shape=point]\n  start -> {}", self.initial().0));
        for q in self.states() {
            let edges = self.edges_of(q);
            let accepting = state_based && edges.first().is_some_and(|e| e.marks == 1);
            let shape = if accepting { " [shape=doublecircle]" } else { "" };
            text(writeln!(out, "  {}{shape}", q.0));
            for e in edges {
                let label = label_text(self.label(e.label), |i| names[i as usize].clone());
                let marks = if state_based { String::new() } else { marks_text(e.marks) };
                let label = escape(&format!("{label}{marks}"));
                text(writeln!(out, "  {} -> {} [label=\"{label}\"]", q.0, e.dst.0));
            }
        }
        out.push_str("}\n");
        out
    }
}
