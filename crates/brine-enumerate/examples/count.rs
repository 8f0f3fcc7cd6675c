//! Counts the states of DVE files: `count FILE...`
use brine_enumerate::{explore::explore, vectors::Vectors};
use brine_run::Control;
use std::time::{Duration, Instant};
fn main() {
    let limit: u64 = std::env::var("LIMIT").ok().and_then(|s| s.parse().ok()).unwrap_or(20);
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("readable");
        let start = Instant::now();
        let model = match brine_dve::parse(&text) {
            Ok(model) => model,
            Err(e) => { println!("{file}: {e}"); continue; }
        };
        let control = Control { deadline: Some(Instant::now() + Duration::from_secs(limit)), charged: Some(4 << 30), ..Control::default() };
        let mut vectors = Vectors::new(&model, control).expect("an initial state");
        let mut last = Default::default();
        let result = explore(&mut vectors, &mut |e| last = *e);
        let secs = start.elapsed().as_secs_f64();
        println!("{file}: {} states, {} edges, {} dead, depth {}, {:.2} s, {:.1} bytes/state {}", last.states, last.transitions, last.deadlocks, last.depth, secs, vectors.store().bytes() as f64 / last.states as f64, result.err().map_or(String::new(), |e| format!("STOP {e}")));
    }
}
