//! `brine._brine`: the library for Python. What users see is in `source/brine`; here is only what
//! must be Rust: models, questions, sets of markings, and waiting without holding Python up.

mod answer;
mod errors;
mod model;
mod wait;

use pyo3::prelude::*;

/// The native half of the package `brine`.
#[pymodule]
fn _brine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::Model>()?;
    module.add_class::<model::Builder>()?;
    module.add_class::<model::Reachable>()?;
    module.add_class::<model::MarkingIterator>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<answer::Run>()?;
    module.add_class::<answer::States>()?;
    module.add_class::<answer::Automaton>()?;
    module.add_function(wrap_pyfunction!(model::load, module)?)?;
    module.add_function(wrap_pyfunction!(model::read, module)?)?;
    module.add_function(wrap_pyfunction!(model::contest_properties, module)?)?;
    module.add_function(wrap_pyfunction!(answer::automaton, module)?)?;
    module.add_function(wrap_pyfunction!(answer::read_automaton, module)?)?;
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
