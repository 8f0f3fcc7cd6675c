//! The property process as an automaton of violations.
//!
//! Its transitions read the state in which the system stands (DiVinE lets both move at once,
//! and guards see the state before the step), so they are the edges of an automaton that reads
//! the source of a step. A run is accepted if it passes accepting locations for ever: each edge
//! that leaves one carries the mark. Each guard is an atom, and a label of the model.

use crate::error::DveError;
use crate::model::DveModel;
use brine_ltl::{Atom, Automaton, Cube, Edge, Label, LabelId, MAX_ATOMS, StateId};

impl DveModel {
    /// Whether the text names a property process.
    pub fn has_property(&self) -> bool {
        self.system.property.is_some()
    }

    /// The automaton of the property process: it accepts what must not happen. Its guards
    /// become labels of the model.
    pub fn property(&mut self) -> Result<Option<Automaton>, DveError> {
        let Some(p) = self.system.property else { return Ok(None) };
        let process = self.system.processes[p].clone();
        let everything = Label { cubes: vec![Cube { pos: 0, neg: 0 }] };
        let (mut atoms, mut labels) = (Vec::<Atom>::new(), vec![everything]);
        let mut edges = Vec::new();
        for t in &process.transitions {
            let label = match &t.guard {
                None => 0,
                Some(guard) => {
                    let atom = Atom::Prop(t.guard_text.clone());
                    self.add_label(&t.guard_text, guard.clone());
                    match atoms.iter().position(|known| *known == atom) {
                        Some(number) => number + 1,
                        None => {
                            labels.push(Label {
                                cubes: vec![Cube { pos: 1 << atoms.len(), neg: 0 }],
                            });
                            atoms.push(atom);
                            atoms.len()
                        }
                    }
                }
            };
            if atoms.len() > MAX_ATOMS - 1 {
                let message = format!("the property has more than {} guards", MAX_ATOMS - 1);
                return Err(DveError { line: t.line, column: 1, message });
            }
            edges.push(Edge {
                src: StateId(t.source),
                label: LabelId(label as u32),
                marks: u64::from(process.accepting[t.source as usize]),
                dst: StateId(t.target),
            });
        }
        let states = process.locations.len() as u32;
        Ok(Some(Automaton::new(atoms, labels, states, StateId(process.initial), 1, edges)))
    }
}
