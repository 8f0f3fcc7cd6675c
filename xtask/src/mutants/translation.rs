//! Planted bugs: from formula to automaton, and reading properties.

use super::{Mutant, Test, mutant};

const RULES: &str = "crates/brine-ltl/src/rules_temporal.rs";
const TABLEAU: &str = "crates/brine-ltl/src/tableau.rs";
const SIMULATION: &str = "crates/brine-ltl/src/simulation.rs";
const ACCEPTANCE: &str = "crates/brine-ltl/src/acceptance.rs";
const ANALYSIS: &str = "crates/brine-ltl/src/analysis.rs";
const IMPLICATION: &str = "crates/brine-ltl/src/implication.rs";
const KNOWLEDGE: &str = "crates/brine-ltl/src/knowledge.rs";
const WDBA: &str = "crates/brine-ltl/src/wdba.rs";
const CONTEST: &str = "crates/brine-pnml/src/mcc.rs";

pub(super) const MUTANTS: [Mutant; 32] = [
    mutant(
        Test::Translation,
        "tableau: F puts off without a promise",
        TABLEAU,
        "let wait = always(self.set(vec![g]), self.promise(a)?);",
        "let wait = always(self.set(vec![g]), self.promise(a)? & 0);",
    ),
    mutant(
        Test::Translation,
        "tableau: GF promises nothing",
        TABLEAU,
        "let wait = always(Self::EMPTY, self.promise(b)?);",
        "let wait = always(Self::EMPTY, self.promise(b)? & 0);",
    ),
    mutant(
        Test::Translation,
        "tableau: fewer promises make a term smaller, whatever it demands",
        TABLEAU,
        "s.promises & !t.promises == 0 && self.subset(s.next, t.next)",
        "s.promises & !t.promises == 0 && (s.promises != t.promises || self.subset(s.next, t.next))",
    ),
    mutant(
        Test::Translation,
        "simulation: marks are not compared",
        SIMULATION,
        "if e.marks & !f.marks == 0 && relation[e.dst as usize]",
        "if relation[e.dst as usize]",
    ),
    mutant(
        Test::Translation,
        "simulation: arcs with other marks are worse",
        SIMULATION,
        "let better = e.marks & !f.marks == 0\n                && ",
        "let better = ",
    ),
    mutant(
        Test::Translation,
        "simulation: backwards, any state may stand for the initial one",
        SIMULATION,
        "(q != initial || r == initial) && ",
        "",
    ),
    mutant(
        Test::Translation,
        "simulation: backwards, accepting states are joined with others",
        SIMULATION,
        "(!state_based || ",
        "(true || ",
    ),
    mutant(
        Test::Translation,
        "acceptance: one of two marks always stands for both",
        ACCEPTANCE,
        "|e| e.marks >> n & 1 == 1)",
        "|e| e.marks >> m & 1 == 1)",
    ),
    mutant(
        Test::Translation,
        "acceptance: components that need fewer marks get no others",
        ACCEPTANCE,
        "let spare = full(marks) & !full(keep.len() as u32);",
        "let spare = full(marks) & 0;",
    ),
    mutant(
        Test::Small,
        "wdba: a colour comes from the last arc alone",
        WDBA,
        "colour[c] = colour[c].max(reached);",
        "colour[c] = reached;",
    ),
    mutant(
        Test::Translation,
        "wdba: a component that accepts some words accepts all",
        WDBA,
        "if !accepts_loop(a, set, &word, letters) {\n                return Verdict::Mixed;\n            }",
        "let _ = accepts_loop(a, set, &word, letters);\n            sure = true;",
    ),
    mutant(
        Test::Translation,
        "powerset: a letter has one target",
        "crates/brine-ltl/src/powerset.rs",
        "if hit == Lab::FALSE || pieces[i].0.contains(&arc.dst) {",
        "if hit == Lab::FALSE || !pieces[i].0.is_empty() {",
    ),
    mutant(
        Test::Agreement,
        "analysis: every weak automaton is terminal",
        ANALYSIS,
        "if terminal { Class::Terminal } else { Class::Weak }",
        "let _ = terminal;\n        Class::Terminal",
    ),
    mutant(
        Test::Small,
        "analysis: one unavoidable mark makes a component accepting",
        ANALYSIS,
        "(true, 0) => Cycles::Accepting,",
        "(true, m) if *m == 0 || *m != a.all_marks() => Cycles::Accepting,",
    ),
    mutant(
        Test::Small,
        "analysis: letters may lead out of the universal states",
        ANALYSIS,
        ".filter(|e| targets[e.dst.index()])",
        ".filter(|e| !targets.is_empty() || e.marks == 0)",
    ),
    mutant(
        Test::Small,
        "cover: a cube counts on both sides of an atom",
        "crates/brine-ltl/src/cover.rs",
        "parts.push(cubes.iter().filter(|c| c.pos & atom == 0).map(rest).collect());",
        "parts.push(cubes.iter().map(rest).collect());",
    ),
    mutant(
        Test::Letters,
        "translations: which letters can occur makes no difference",
        "crates/brine-ltl/src/translate.rs",
        "Key::new(&fs, formula, cubes, options)",
        "Key::new(&fs, formula, cubes.clone().min(Default::default()), options)",
    ),
    mutant(
        Test::Letters,
        "translations: the atoms are those of the first formula",
        "crates/brine-ltl/src/translations.rs",
        "a.with_atoms(atoms.to_vec())",
        "if atoms.is_empty() { a.with_atoms(Vec::new()) } else { a }",
    ),
    mutant(
        Test::Letters,
        "reading: a product that reads targets starts before the first letter",
        "crates/brine-ltl/src/reading.rs",
        "Reading::Target => automaton.after(automaton.initial(), first).collect(),",
        "Reading::Target => vec![automaton.initial(); 1 + (first as usize & 0)],",
    ),
    mutant(
        Test::Translation,
        "degeneralise: a full round goes on for ever",
        "crates/brine-ltl/src/degeneralise.rs",
        "collect(if l == k { 0 } else { l }, e.marks)",
        "collect(l, e.marks)",
    ),
    mutant(
        Test::Translation,
        "rules: u W b = u | b also for eventualities",
        RULES,
        "// u W b = u | b\n        if self.universal(a) {",
        "// u W b = u | b\n        if self.universal(a) || self.eventual(a) {",
    ),
    mutant(
        Test::Translation,
        "rules: a W e = G a | e also for what is not eventual",
        RULES,
        "if self.splits() && self.eventual(b) {\n            let always = self.fs.g(a);",
        "if self.splits() && !self.universal(b) {\n            let always = self.fs.g(a);",
    ),
    mutant(
        Test::Small,
        "implication: weak until implies until",
        IMPLICATION,
        "(Node::W(a, b), Node::W(c, e)) =>",
        "(Node::W(a, b), Node::W(c, e) | Node::U(c, e)) =>",
    ),
    mutant(
        Test::Small,
        "implication: whatever releases, releases",
        IMPLICATION,
        "(Node::R(a, b), Node::R(c, e)) => go(b, e) && (go(a, c) || go(a, g)),",
        "(Node::R(_, b), Node::R(_, e)) => go(b, e),",
    ),
    mutant(
        Test::Translation,
        "nnf: the negation of W is R",
        "crates/brine-ltl/src/nnf.rs",
        "fs.m(at(a).1, at(b).1))",
        "fs.r(at(a).1, at(b).1))",
    ),
    mutant(
        Test::Translation,
        "syntactic: X f is an eventuality",
        "crates/brine-ltl/src/syntactic.rs",
        "Node::X(_) => (all_eventual, all_universal, false),",
        "Node::X(_) => (true, all_universal, false),",
    ),
    mutant(
        Test::Letters,
        "stutter: only one side may stay",
        "crates/brine-ltl/src/stutter.rs",
        "let same = letters.and(last, f.label);",
        "let same = letters.and(Lab::FALSE, f.label);",
    ),
    mutant(
        Test::Letters,
        "knowledge: at most n tokens are at most n - 1",
        KNOWLEDGE,
        "s.bound <= t.bound && ",
        "s.bound <= t.bound + 1 && ",
    ),
    mutant(
        Test::Letters,
        "knowledge: as many tokens as allowed disable",
        KNOWLEDGE,
        "least > i128::from(s.bound)",
        "least >= i128::from(s.bound)",
    ),
    mutant(
        Test::Letters,
        "knowledge: the most demanding transition stands for all",
        KNOWLEDGE,
        "Some((p, v.min(w)))",
        "Some((p, v.max(w)))",
    ),
    mutant(
        Test::Properties,
        "contest: <until> in the order of writing",
        CONTEST,
        "| [(Value::Reach(b), _), (Value::Before(a), _)]",
        "| [(Value::Reach(a), _), (Value::Before(b), _)]",
    ),
    mutant(
        Test::Properties,
        "contest: less than is at most",
        CONTEST,
        "\"integer-lt\" => Comparison::Lt,",
        "\"integer-lt\" => Comparison::Le,",
    ),
];
