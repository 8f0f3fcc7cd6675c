//! Classes of automata: how hard it is to find an accepting run.
//!
//! Judged per strongly connected component that lies on a run: *weak* when all its arcs
//! carry all marks or it has no accepting cycle, *inherently weak* when all its cycles
//! accept or none does, *terminal* when it is weak and, once in an accepting component,
//! no letter leads out of the accepting components.

use crate::acceptance::{has_cycle, members};
use crate::automaton::{Automaton, Class};
use crate::letters::{Lab, Letters};
use crate::tgba::{Components, Tgba};

impl Automaton {
    /// The class of the automaton.
    ///
    /// ```
    /// use brine_ltl::{Class, Formulas, Options, Symbols, parse, translate};
    /// let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    /// let mut class = |text: &str| {
    ///     let f = parse(text, &mut fs, &mut symbols).unwrap();
    ///     translate(&fs, f, &Options::default()).unwrap().class()
    /// };
    /// assert_eq!(class("F a"), Class::Terminal);
    /// assert_eq!(class("F G a"), Class::Weak);
    /// assert_eq!(class("G F a"), Class::General);
    /// ```
    pub fn class(&self) -> Class {
        let mut letters = Letters::new();
        let mut a = Tgba::of(self, &mut letters);
        a.trim();
        let comps = a.components();
        let accepting = a.accepting(&comps);
        let members = members(&comps);
        let mut class = Class::Terminal;
        for c in (0..comps.count).filter(|&c| accepting[c]) {
            class = class.max(component_class(&a, &comps, &members[c], &accepting, &mut letters));
        }
        class
    }
}

fn component_class(
    a: &Tgba,
    comps: &Components,
    states: &[usize],
    accepting: &[bool],
    letters: &mut Letters,
) -> Class {
    let inner = |q: usize| a.out[q].iter().filter(move |e| comps.inside(q, e.dst));
    let weak = states.iter().all(|&q| inner(q).all(|e| e.marks == a.all_marks()));
    if !weak {
        let rejects = (0..a.marks).any(|m| has_cycle(a, comps, states, 1 << m, |_| true));
        return if rejects { Class::General } else { Class::InherentlyWeak };
    }
    let complete = states.iter().all(|&q| {
        let safe = a.out[q].iter().filter(|e| accepting[comps.of[e.dst as usize] as usize]);
        safe.fold(Lab::FALSE, |all, e| letters.or(all, e.label)) == Lab::TRUE
    });
    if complete { Class::Terminal } else { Class::Weak }
}
