//! A DVE model through the state-vector interface.
//!
//! [`Pins::next`] and [`Pins::fire`] run compiled groups, [`Pins::step`] asks the interpreter:
//! so replaying a run and auditing the matrix compare two independent implementations.
//!
//! A step that goes wrong leads to the *error state*, as in DiVinE: everything is 0 but the
//! location of the first process, which is one that it does not have. Nothing moves there.
//! [`Pins::next`] cannot say that without writing every slot, so there a fault is an error of
//! the model.

use crate::code::Code;
use crate::compile::{CompiledGroup, Marks, Silent};
use crate::error::DveError;
use crate::fault::DveFault;
use crate::groups::{DveGroup, groups};
use crate::guards::Guards;
use crate::interpret::Interpreter;
use crate::parse::structure;
use crate::resolve::{GlobalNames, resolve};
use crate::syntax::{DveExpr, DveProcess, DveSystem, SlotKind};
use brine_pins::{
    Emit, Fired, GroupId, GuardId, MatrixRow, ModelError, Pins, SlotId, StateLabelId,
};
use std::sync::OnceLock;

/// A model in the language DVE; made by [`parse`].
#[derive(Debug)]
pub struct DveModel {
    pub(crate) system: DveSystem,
    pub(crate) names: GlobalNames,
    groups: Vec<DveGroup>,
    /// The groups on whole states.
    whole: Vec<CompiledGroup>,
    /// The groups on their short vectors.
    short: Vec<ShortGroup>,
    /// The conditions of the groups, once somebody asks.
    guards: OnceLock<Guards>,
    /// The slots of the processes' locations.
    locations: Vec<u32>,
    /// Where steps lead that go wrong.
    error: Vec<u32>,
    /// What tells it from all others: the location of the first process.
    error_slot: usize,
    /// Whether there are assertions.
    asserts: bool,
    /// What formulas and the property speak of.
    labels: Vec<DveLabel>,
}

/// An expression that formulas speak of, twice: compiled for short vectors, and as it is.
#[derive(Debug)]
struct DveLabel {
    name: String,
    expr: DveExpr,
    reads: Vec<SlotId>,
    code: Code,
}

/// A group on the vector of the slots that it reads or may write.
#[derive(Debug)]
struct ShortGroup {
    row: MatrixRow,
    length: usize,
    code: CompiledGroup,
    /// Where the slots that are read lie in the vector.
    reads: Vec<u32>,
    /// Where those lie that may be written.
    writes: Vec<u32>,
}

/// Reads a model.
///
/// ```
/// use brine_pins::{Pins, reachable_states};
/// let text = "process P { byte x; state a, b; init a; trans a -> b { effect x = x + 1; }; }
///             system async;";
/// let model = brine_dve::parse(text).unwrap();
/// assert_eq!(reachable_states(&model, 10)?.unwrap().len(), 2);
/// let error = brine_dve::parse("process P { state a; init b; }\nsystem async;").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 27));
/// # Ok::<(), brine_pins::ModelError>(())
/// ```
pub fn parse(text: &str) -> Result<DveModel, DveError> {
    let (system, names) = resolve(&structure(text)?)?;
    let groups = groups(&system).map_err(|message| DveError::new(text, text.len(), message))?;
    Ok(DveModel::new(system, groups, names))
}

impl DveModel {
    fn new(system: DveSystem, groups: Vec<DveGroup>, names: GlobalNames) -> Self {
        let whole: Vec<CompiledGroup> =
            groups.iter().map(|g| CompiledGroup::new(&system, g)).collect();
        let short = whole.iter().map(ShortGroup::new).collect();
        let locations = system.processes.iter().map(|p| p.slot).collect();
        let mut error = vec![0; system.slots.len()];
        let first = system.movers().next().map_or(&system.processes[0], |(_, first)| first);
        let error_slot = first.slot as usize;
        error[error_slot] = first.locations.len() as u32;
        let asserts = system.processes.iter().any(|p| !p.assertions.is_empty());
        DveModel {
            system,
            names,
            groups,
            whole,
            short,
            guards: OnceLock::new(),
            locations,
            error,
            error_slot,
            asserts,
            labels: Vec::new(),
        }
    }

    /// The names of the slots.
    pub fn slot_names(&self) -> impl Iterator<Item = &str> {
        self.system.slots.iter().map(|s| s.name.as_str())
    }

    /// How many processes take steps.
    pub fn processes(&self) -> usize {
        self.system.movers().count()
    }

    /// The conditions of the groups.
    fn conditions(&self) -> &Guards {
        self.guards.get_or_init(|| Guards::new(&self.whole))
    }

    /// Takes up a label, unless there is one of that name.
    pub(crate) fn add_label(&mut self, name: &str, expr: DveExpr) {
        if self.labels.iter().any(|label| label.name == name) {
            return;
        }
        let whole = Code::new(&self.system, &expr, expr.root());
        let mut reads: Vec<u32> = whole.reads().collect();
        reads.sort_unstable();
        reads.dedup();
        let position = |slot: u32| reads.binary_search(&slot).unwrap_or_default() as u32;
        let code = whole.moved(&position);
        let reads = reads.into_iter().map(SlotId).collect();
        self.labels.push(DveLabel { name: name.to_owned(), expr, reads, code });
    }

    /// The independent interpreter.
    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        Interpreter { system: &self.system, locations: &self.locations }
    }

    /// Whether this is the state after a step that went wrong.
    #[inline]
    fn is_error(&self, state: &[u32]) -> bool {
        state[self.error_slot] == self.error[self.error_slot]
    }

    fn wrong(&self, group: GroupId, fault: DveFault) -> ModelError {
        let g = &self.groups[group.index()];
        let line = g.transitions().first().map_or(0, |t| t.of(&self.system).line);
        ModelError(format!("line {line}, {}: {fault}", g.name(&self.system)))
    }
}

impl ShortGroup {
    fn new(whole: &CompiledGroup) -> Self {
        let row = whole.row();
        let slots: Vec<SlotId> = row.combined().iter().map(|e| e.0).collect();
        // Arrays are whole, so their slots follow each other here as well.
        let position = |slot: SlotId| slots.binary_search(&slot).unwrap_or_default() as u32;
        let positions = |of: &[SlotId]| of.iter().map(|&s| position(s)).collect();
        ShortGroup {
            length: slots.len(),
            code: whole.moved(&|slot| position(SlotId(slot))),
            reads: positions(row.read()),
            writes: positions(row.may_write()),
            row,
        }
    }

    fn next(&self, reads: &[u32]) -> Result<Option<Vec<Option<u32>>>, DveFault> {
        let mut old = vec![0; self.length];
        for (&at, &value) in self.reads.iter().zip(reads) {
            old[at as usize] = value;
        }
        if !self.code.can_move(&old)? {
            return Ok(None);
        }
        let (mut next, mut marks) = (old.clone(), vec![false; self.length]);
        self.code.run(&old, &mut next, &mut Marks(&mut marks))?;
        let written = |&at: &u32| marks[at as usize].then(|| next[at as usize]);
        Ok(Some(self.writes.iter().map(written).collect()))
    }
}

impl Pins for DveModel {
    fn slots(&self) -> usize {
        self.system.slots.len()
    }

    fn slot_name(&self, slot: SlotId) -> String {
        self.system.slots[slot.index()].name.clone()
    }

    fn initial(&self) -> Vec<u32> {
        self.system.slots.iter().map(|s| s.initial).collect()
    }

    fn groups(&self) -> usize {
        self.groups.len()
    }

    fn group_name(&self, group: GroupId) -> String {
        self.groups[group.index()].name(&self.system)
    }

    fn row(&self, group: GroupId) -> &MatrixRow {
        &self.short[group.index()].row
    }

    fn next(&self, group: GroupId, reads: &[u32], emit: &mut Emit<'_>) -> Result<(), ModelError> {
        match self.short[group.index()].next(reads) {
            Ok(Some(answer)) => emit(&answer),
            Ok(None) => (),
            Err(fault) => return Err(self.wrong(group, fault)),
        }
        Ok(())
    }

    fn step(&self, group: GroupId, state: &[u32]) -> Result<Vec<Vec<u32>>, ModelError> {
        if self.is_error(state) {
            return Ok(Vec::new());
        }
        match self.interpreter().step(&self.groups[group.index()], state) {
            Ok(successor) => Ok(successor.into_iter().collect()),
            Err(_) => Ok(vec![self.error.clone()]),
        }
    }

    fn largest(&self, slot: SlotId) -> u32 {
        match self.system.slots[slot.index()].kind {
            SlotKind::Value(kind) => kind.encode(-1),
            // One more for the error state.
            SlotKind::Location(p) => self.system.processes[p as usize].locations.len() as u32,
            SlotKind::Messages(channel) => self.system.channels[channel as usize].capacity,
        }
    }

    fn needs(&self, group: GroupId) -> Option<(SlotId, u32)> {
        let t = self.groups[group.index()].transitions().first()?;
        Some((SlotId(self.locations[t.process]), t.of(&self.system).source))
    }

    fn guards(&self) -> usize {
        self.conditions().count()
    }

    fn guards_of(&self, group: GroupId) -> &[GuardId] {
        self.conditions().of(group)
    }

    fn sure_guards(&self, group: GroupId) -> usize {
        self.conditions().sure(group)
    }

    fn guard_reads(&self, guard: GuardId) -> &[SlotId] {
        self.conditions().reads(guard)
    }

    fn guard_holds(&self, guard: GuardId, state: &[u32]) -> bool {
        self.conditions().holds(guard, state)
    }

    fn guard_value(&self, guard: GuardId) -> Option<(SlotId, u32)> {
        self.conditions().value(guard)
    }

    fn sets(&self, group: GroupId) -> &[(SlotId, u32)] {
        self.conditions().sets(group)
    }

    fn moves(&self, group: GroupId, state: &[u32]) -> Result<bool, ModelError> {
        Ok(!self.is_error(state) && self.whole[group.index()].can_move(state).unwrap_or(true))
    }

    fn fire(
        &self,
        group: GroupId,
        state: &[u32],
        scratch: &mut Vec<u32>,
        emit: &mut dyn FnMut(Fired, &[u32]),
    ) -> Result<(), ModelError> {
        if self.is_error(state) {
            return Ok(());
        }
        let code = &self.whole[group.index()];
        let run = |scratch: &mut Vec<u32>| {
            let moves = code.can_move(state)?;
            if moves {
                scratch.clear();
                scratch.extend_from_slice(state);
                code.run(state, scratch, &mut Silent)?;
            }
            Ok::<bool, DveFault>(moves)
        };
        match run(scratch) {
            Ok(true) => emit(Fired::Writes, scratch),
            Ok(false) => (),
            Err(_) => emit(Fired::All, &self.error),
        }
        Ok(())
    }

    fn complaint(&self, state: &[u32]) -> Option<String> {
        if self.is_error(state) {
            return Some("a step goes wrong: a value or an index out of range".to_owned());
        }
        if !self.asserts {
            return None;
        }
        let violated = |(_, process): (usize, &DveProcess)| {
            let here = process.assertions.iter().filter(|a| a.0 == state[process.slot as usize]);
            let mut broken = here.filter(|a| self.interpreter().evaluate(&a.1, state) == Ok(0));
            let (location, _, text) = broken.next()?;
            let (name, location) = (&process.name, &process.locations[*location as usize]);
            Some(format!("assertion {text} is false in {name}.{location}"))
        };
        self.system.movers().find_map(violated)
    }

    fn labels(&self) -> usize {
        self.labels.len()
    }

    fn label_name(&self, label: StateLabelId) -> String {
        self.labels[label.index()].name.clone()
    }

    fn label_reads(&self, label: StateLabelId) -> &[SlotId] {
        &self.labels[label.index()].reads
    }

    fn label(&self, label: StateLabelId, reads: &[u32]) -> Result<bool, ModelError> {
        let DveLabel { name, code, .. } = &self.labels[label.index()];
        code.eval(reads).map(|v| v != 0).map_err(|e| ModelError(format!("{name}: {e}")))
    }

    fn label_holds(&self, label: StateLabelId, state: &[u32]) -> Result<bool, ModelError> {
        let DveLabel { name, expr, .. } = &self.labels[label.index()];
        let value = self.interpreter().evaluate(expr, state);
        value.map(|v| v != 0).map_err(|e| ModelError(format!("{name}: {e}")))
    }

    fn value_name(&self, slot: SlotId, value: u32) -> String {
        match self.system.slots[slot.index()].kind {
            SlotKind::Value(kind) => kind.decode(value).to_string(),
            SlotKind::Messages(_) => value.to_string(),
            SlotKind::Location(p) => {
                let locations = &self.system.processes[p as usize].locations;
                locations.get(value as usize).map_or("error", String::as_str).to_owned()
            }
        }
    }
}
