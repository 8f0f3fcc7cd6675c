//! Two processes and one token that lets one of them in: is the other one ever shut out?
//!
//! Builds a net, asks, shows the run that answers, and looks at all markings.

use brine::{Error, Model, NetBuilder, Options, Question, Size, Verdict};

/// The net: who has the key is inside.
fn mutex() -> Result<Model, Error> {
    let mut net = NetBuilder::new("mutex");
    let key = net.place("key", 1);
    for who in ["a", "b"] {
        let idle = net.place(&format!("{who}_idle"), 1);
        let wants = net.place(&format!("{who}_wants"), 0);
        let inside = net.place(&format!("{who}_inside"), 0);
        net.transition(&format!("{who}_asks"), &[(idle, 1)], &[(wants, 1)]);
        net.transition(&format!("{who}_enters"), &[(wants, 1), (key, 1)], &[(inside, 1)]);
        net.transition(&format!("{who}_leaves"), &[(inside, 1)], &[(idle, 1), (key, 1)]);
    }
    Model::from_net(net.build()?)
}

pub(crate) fn main() -> Result<(), Error> {
    let model = mutex()?;
    let options = Options::new();

    let safe = model.check("G a_inside + b_inside <= 1", &options)?;
    println!("{}: {}", safe.question, safe.verdict.word());
    assert_eq!(safe.verdict, Verdict::Holds);

    // Nothing says that b gets the key if a asks again and again.
    let fair = model.check("G (b_wants = 1 -> F b_inside = 1)", &options.clone().shortest())?;
    println!("{}: {}", fair.question, fair.verdict.word());
    let run = fair.run.ok_or_else(no_run)?;
    print!("{}", run.text(80));
    assert!(run.cycle_start().is_some() && run.cycle().iter().all(|t| t.starts_with('a')));

    let both = model.check(Question::reach("EF a_wants + b_wants = 2"), &options)?;
    assert_eq!(both.verdict, Verdict::Holds);

    let markings = model.reachable(&options)?;
    println!("{} markings, one of them {:?}", markings.count(), markings.sample(7));
    assert_eq!(model.states(&options)?.states, Some(Size::Finite(markings.count())));
    Ok(())
}

/// A violation of this formula is a run.
fn no_run() -> Error {
    unreachable!("the search had no limit")
}
