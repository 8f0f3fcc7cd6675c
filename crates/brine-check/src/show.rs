//! Witnesses for people: as text with markings as deltas, and as a DOT graph.

use crate::verdict::Witness;
use brine_net::{Net, PlaceId, TransitionId};
use std::fmt::{self, Write};

/// Longer stretches of a witness are cut in the middle when printed as text.
const STEPS_SHOWN: usize = 200;

/// The tokens that a transition moves: `-2 p +1 "my place"`.
fn delta(net: &Net, t: TransitionId) -> String {
    let t = net.transition(t);
    let mut change: Vec<(PlaceId, i64)> = t.pre.iter().map(|&(p, w)| (p, -i64::from(w))).collect();
    for &(p, w) in &t.post {
        match change.iter_mut().find(|(q, _)| *q == p) {
            Some((_, c)) => *c += i64::from(w),
            None => change.push((p, i64::from(w))),
        }
    }
    change.retain(|&(_, c)| c != 0);
    let word = |&(p, c): &(PlaceId, i64)| format!("{c:+} {}", net.place(p).id);
    let words: Vec<String> = change.iter().map(word).collect();
    if words.is_empty() { "no change".to_owned() } else { words.join("  ") }
}

/// The marked places: `2 p, 1 q`.
fn marking(net: &Net, m: &[u32]) -> String {
    let marked = net.place_ids().filter(|p| m[p.index()] > 0);
    let words: Vec<String> =
        marked.map(|p| format!("{} {}", m[p.index()], net.place(p).id)).collect();
    if words.is_empty() { "no token anywhere".to_owned() } else { words.join(", ") }
}

/// A witness as text, ready to be printed.
#[derive(Debug)]
pub struct Text<'a> {
    /// The net.
    pub net: &'a Net,
    /// The witness.
    pub witness: &'a Witness,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  start   {}", marking(self.net, &self.net.initial_marking()))?;
        self.steps(f, "prefix", &self.witness.prefix)?;
        if self.witness.cycle.is_empty() {
            writeln!(f, "  dead    nothing is enabled; the marking repeats for ever")
        } else {
            self.steps(f, "cycle", &self.witness.cycle)?;
            writeln!(f, "  and so on from the start of the cycle")
        }
    }
}

impl Text<'_> {
    fn steps(&self, f: &mut fmt::Formatter<'_>, part: &str, steps: &[TransitionId]) -> fmt::Result {
        for (i, &t) in steps.iter().enumerate() {
            if steps.len() > STEPS_SHOWN && i == STEPS_SHOWN / 2 {
                writeln!(f, "  ...     {} more steps", steps.len() - STEPS_SHOWN)?;
            }
            if i < STEPS_SHOWN / 2 || i + STEPS_SHOWN / 2 >= steps.len() {
                let id = &self.net.transition(t).id;
                writeln!(f, "  {part:<7} {id:<20} {}", delta(self.net, t))?;
            }
        }
        Ok(())
    }
}

/// A witness as a DOT graph: one node per marking, one edge per firing.
pub fn dot(net: &Net, witness: &Witness) -> String {
    let mut out = String::from("digraph witness {\n  rankdir=LR;\n  node [shape=box];\n");
    let steps: Vec<TransitionId> = witness.prefix.iter().chain(&witness.cycle).copied().collect();
    let mut m = net.initial_marking();
    let home = witness.prefix.len();
    for i in 0..=steps.len() {
        // The marking after a cycle is the one at its beginning.
        if i < steps.len() || witness.cycle.is_empty() {
            let _ = writeln!(out, "  m{i} [label=\"{}\"];", escape(&marking(net, &m)));
        }
        let Some(&t) = steps.get(i) else { break };
        let target = if i + 1 == steps.len() && !witness.cycle.is_empty() { home } else { i + 1 };
        let id = escape(&net.transition(t).id);
        let _ = writeln!(out, "  m{i} -> m{target} [label=\"{id}\"];");
        for &(p, w) in &net.transition(t).pre {
            m[p.index()] = m[p.index()].saturating_sub(w);
        }
        for &(p, w) in &net.transition(t).post {
            m[p.index()] = m[p.index()].saturating_add(w);
        }
    }
    if witness.cycle.is_empty() {
        let _ = writeln!(out, "  m{home} -> m{home} [style=dashed, label=\"dead\"];");
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    fn net() -> Net {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 2), b.place("a \"b\"", 0));
        b.transition("t", &[(p, 2)], &[(q, 1)]);
        b.transition("u", &[(q, 1)], &[(p, 2)]);
        b.build().unwrap()
    }

    #[test]
    fn a_cycle_and_a_deadlock_read_well() {
        let net = net();
        let cycle = Witness { prefix: vec![], cycle: vec![TransitionId(0), TransitionId(1)] };
        assert_eq!(
            Text { net: &net, witness: &cycle }.to_string(),
            "  start   2 p\n  cycle   t                    -2 p  +1 a \"b\"\n  \
             cycle   u                    -1 a \"b\"  +2 p\n  \
             and so on from the start of the cycle\n"
        );
        let dead = Witness { prefix: vec![TransitionId(0)], cycle: vec![] };
        let text = Text { net: &net, witness: &dead }.to_string();
        assert!(text.ends_with("repeats for ever\n"), "{text}");
    }

    #[test]
    fn dot_closes_the_cycle_and_escapes_names() {
        let net = net();
        let witness = Witness { prefix: vec![], cycle: vec![TransitionId(0), TransitionId(1)] };
        let text = dot(&net, &witness);
        assert!(text.contains("m1 -> m0 [label=\"u\"]"), "{text}");
        assert!(text.contains("m1 [label=\"1 a \\\"b\\\"\"]"), "{text}");
        assert!(!text.contains("m2"), "{text}");
        let dead = Witness { prefix: vec![TransitionId(0)], cycle: vec![] };
        assert!(super::dot(&net, &dead).contains("m1 -> m1 [style=dashed"));
    }
}
