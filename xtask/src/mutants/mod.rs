//! `cargo xtask mutants`: plant bugs, and see that the tests catch every one of them.
//!
//! An oracle that never failed proves little. Each mutant below is one small, plausible
//! mistake in one algorithm. The workspace is copied to `target/mutants`, one mutant is
//! applied at a time, and the tests named with it must fail. A mutant whose text is no
//! longer found is an error: the list has to follow the code.

mod diagrams;
mod hunt;
mod pins;
mod reading;
mod reduction;
mod simplify;
mod structural;
mod surroundings;
mod symbolic;
mod translation;

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Plant bugs and see that the tests catch them
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only mutants whose name or file contains this
    #[arg(long, default_value = "")]
    filter: String,
}

/// Random cases by default.
const CASES: u32 = 5_000;

/// Where a planted bug must show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    /// Emptiness checks on random graphs.
    Graphs,
    /// Random nets and formulas against the oracle.
    Agreement,
    /// The unit tests of the explicit engine: bugs that only large sets of markings show.
    Units,
    /// The symbolic engine on random nets and formulas against the oracle.
    Symbolic,
    /// Random coloured nets against their naive unfolding.
    Coloured,
    /// Provisos on random transition systems.
    Provisos,
    /// Random nets and stutter-invariant formulas with reduction, against the oracle.
    Por,
    /// Random guarded-command models, explored in every way, against brute force.
    Pins,
    /// LTL through the state-vector interface against the oracle.
    PinsLtl,
    /// LTL on guarded commands.
    Models,
    /// The hunt for violations on random nets and formulas, against the oracle.
    Hunt,
    /// The replay of witnesses.
    Replay,
    /// Traces of small random nets before and after structural reductions.
    Traces,
    /// The state equation's certificates on random nets against brute force.
    Equation,
    /// Simplified formulas on random nets against the oracle.
    Simplify,
    /// Automata of random formulas against words.
    Translation,
    /// Implications between all small formulas, and their minimal automata.
    Small,
    /// What engines rely on: letters that occur, stuttering, classes.
    Letters,
    /// The reader of contest properties.
    Properties,
    /// The algebra of decision diagrams, and the unit tests beside it.
    Diagrams,
    /// Budgets, attempts side by side.
    Running,
    /// Saturation on random nets, against brute force.
    Saturation,
    /// Steps and closures of products, against slower ways to compute them.
    Product,
    /// Budgets that end, full disks, readers that have gone.
    Faults,
    /// The unit tests of campaigns.
    Campaign,
    /// Unknown attributes and elements of nets.
    Strictness,
}

impl Test {
    fn arguments(self) -> [&'static str; 4] {
        match self {
            Test::Graphs => ["-p", "brine-explicit", "--test", "graphs"],
            Test::Agreement => ["-p", "brine-check", "--test", "agreement"],
            Test::Units => ["-p", "brine-explicit", "--lib", "--quiet"],
            Test::Symbolic => ["-p", "brine-check", "--test", "symbolic"],
            Test::Coloured => ["-p", "brine-pnml", "--test", "coloured"],
            Test::Provisos => ["-p", "brine-explicit", "--test", "provisos"],
            Test::Por => ["-p", "brine-check", "--test", "por"],
            Test::Pins => ["-p", "brine-pins", "--test", "guarded_commands"],
            Test::PinsLtl => ["-p", "brine-check", "--test", "pins"],
            Test::Models => ["-p", "brine-check", "--test", "models"],
            Test::Hunt => ["-p", "brine-check", "--test", "hunt"],
            Test::Replay => ["-p", "brine-check", "--lib", "replay"],
            Test::Traces => ["-p", "brine-reduce", "--test", "reductions"],
            Test::Equation => ["-p", "brine-reduce", "--lib", "state_equation"],
            Test::Simplify => ["-p", "brine-check", "--test", "simplify"],
            Test::Translation => ["-p", "brine-ltl", "--test", "translation"],
            Test::Small => ["-p", "brine-ltl", "--lib", "--quiet"],
            Test::Letters => ["-p", "brine-ltl", "--test", "engines"],
            Test::Properties => ["-p", "brine-pnml", "--test", "properties"],
            Test::Diagrams => ["-p", "brine-dd", "--tests", "--quiet"],
            Test::Running => ["-p", "brine-run", "--tests", "--quiet"],
            Test::Saturation => ["-p", "brine-sat", "--test", "agreement"],
            Test::Product => ["-p", "brine-sat", "--test", "product"],
            Test::Faults => ["-p", "brine-cli", "--test", "faults"],
            Test::Campaign => ["-p", "brine-campaign", "--lib", "--quiet"],
            Test::Strictness => ["-p", "brine-oracle", "--test", "strictness"],
        }
    }
}

/// One planted bug.
#[derive(Clone, Copy, Debug)]
struct Mutant {
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    /// What else has to change: file, from, to. All occurrences are replaced.
    more: &'static [(&'static str, &'static str, &'static str)],
    test: Test,
    /// How many random cases it takes to catch it.
    cases: u32,
}

const fn mutant(
    test: Test,
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant { name, file, from, to, more: &[], test, cases: CASES }
}

const EMPTINESS: &str = "crates/brine-explicit/src/emptiness/";
const EXPLICIT: &str = "crates/brine-explicit/src/";
const COLOURED: &str = "crates/brine-pnml/src/coloured/";

/// Emptiness checks: each gets at least one bug of its own.
const CHECKS: [Mutant; 13] = [
    mutant(
        Test::Graphs,
        "hpy: states never leave the stack",
        "hpy.rs",
        "bits.get(s) & !STACK",
        "bits.get(s)",
    ),
    mutant(
        Test::Graphs,
        "hpy: no red search from the initial state",
        "hpy.rs",
        "if graph.accepting(s)",
        "if blue.len() > 1 && graph.accepting(s)",
    ),
    mutant(
        Test::Graphs,
        "gmz: blue successors count as black",
        "gmz.rs",
        "colour.get(edge.target) != Colour::Black",
        "colour.get(edge.target) == Colour::Cyan",
    ),
    mutant(
        Test::Graphs,
        "ndfs: any back edge is a cycle",
        "ndfs.rs",
        "Colour::Cyan if graph.accepting(s) || graph.accepting(edge.target) => {",
        "Colour::Cyan => {",
    ),
    mutant(
        Test::Graphs,
        "ndfs: left states are red at once",
        "ndfs.rs",
        "let mut done = Colour::Blue;",
        "let mut done = Colour::Red;",
    ),
    mutant(
        Test::Graphs,
        "couvreur-state: the root that the edge reaches is not looked at",
        "couvreur_state.rs",
        "if graph.accepting(u) {",
        "if graph.accepting(u) && number.get(u) > num {",
    ),
    mutant(
        Test::Graphs,
        "couvreur-state: merging keeps one root too many",
        "couvreur_state.rs",
        "if number.get(u) <= num {",
        "if number.get(u) <= num + 1 {",
    ),
    mutant(
        Test::Graphs,
        "couvreur: marks between components are lost",
        "couvreur.rs",
        "marks |= root.entry;",
        "let _ = root.entry;",
    ),
    mutant(
        Test::Graphs,
        "numbers: removed states stay current",
        "numbers.rs",
        "self.number.set(t, REMOVED, meter)?;",
        "self.number.set(t, self.number.get(t), meter)?;",
    ),
    mutant(
        Test::Graphs,
        "gv: the goal is not inherited",
        "gv.rs",
        "if accepting { number } else { inherited }",
        "if accepting { number } else { NO_GOAL.min(inherited) }",
    ),
    mutant(
        Test::Graphs,
        "tarjan: marks of tree edges are lost",
        "tarjan.rs",
        "done.marks | done.entry",
        "done.marks",
    ),
    mutant(
        Test::Graphs,
        "dfs-weak: states never leave the stack",
        "dfs_weak.rs",
        "colour.set(s, Colour::Done, graph.meter())?;",
        "colour.set(s, Colour::Cyan, graph.meter())?;",
    ),
    mutant(
        Test::Graphs,
        "reach: the initial state is not looked at",
        "reach.rs",
        "if graph.accepting(s) {",
        "if stack.len() > 1 && graph.accepting(s) {",
    ),
];

/// What the checks stand on.
const GROUND: [Mutant; 9] = [
    mutant(
        Test::Graphs,
        "lasso: the first mark counts for all",
        "emptiness/lasso.rs",
        "missing &= !edge.marks;",
        "missing &= edge.marks & !edge.marks;",
    ),
    mutant(
        Test::Agreement,
        "product: dead markings do not stutter",
        "product.rs",
        "if cursor.major >= degree.max(1) {",
        "if cursor.major >= degree {",
    ),
    mutant(
        Test::Agreement,
        "letters: at most becomes less than",
        "letters.rs",
        "sum <= *bound",
        "sum < *bound",
    ),
    mutant(
        Test::Agreement,
        "letters: one fireable transition stands for all",
        "letters.rs",
        "Test::Fireable(steps) => steps.iter().any(",
        "Test::Fireable(steps) => steps.iter().all(",
    ),
    mutant(
        Test::Agreement,
        "fire: newly enabled transitions are missed",
        "fire.rs",
        "            rest.next_if_eq(&u);\n            if self.enabled(u, words) {",
        "            if rest.next_if_eq(&u).is_some() && self.enabled(u, words) {",
    ),
    mutant(
        Test::Agreement,
        "fire: room is not checked",
        "fire.rs",
        "if clash || self.room.of(step).iter().any(full)",
        "if clash && self.room.of(step).iter().any(full)",
    ),
    mutant(
        Test::Agreement,
        "layout: fields are one bit too narrow",
        "layout.rs",
        "(32 - max.leading_zeros()).max(1) as u8",
        "(31 - (max / 2).leading_zeros().min(31)).max(1) as u8",
    ),
    mutant(
        Test::Units,
        "store: an equal tag counts as an equal marking",
        "store.rs",
        "slot & !id_mask == tag && self.get(slot & id_mask) == m",
        "slot & !id_mask == tag",
    ),
    mutant(
        Test::Agreement,
        "check: the cycle is reported as prefix",
        "check.rs",
        "if i < lasso.prefix.len() {",
        "if i <= lasso.prefix.len() {",
    ),
];

/// The unfolding of coloured nets.
const UNFOLDING: [Mutant; 11] = [
    mutant(
        Test::Coloured,
        "coloured: successors do not go round",
        "terms.rs",
        "((u64::from(v) + u64::from(*by)) % u64::from(*size)) as u32",
        "(v + by).min(size - 1)",
    ),
    mutant(
        Test::Coloured,
        "coloured: subtraction takes away everything of a colour",
        "terms.rs",
        "*n = n.saturating_sub(less[i].1);",
        "*n = 0;",
    ),
    mutant(
        Test::Coloured,
        "coloured: the components below a product are not moved",
        "check.rs",
        "offset: offset + start",
        "offset",
    ),
    mutant(
        Test::Coloured,
        "coloured: every pattern reports a binding",
        "join.rs",
        "first == Some(p) && ",
        "first.is_some() && ",
    ),
    mutant(
        Test::Coloured,
        "coloured: a colour that is not taken reports a binding",
        "join.rs",
        "(certain || self.takes(input, colour, binding)?)",
        "(certain || input < usize::MAX)",
    ),
    mutant(
        Test::Coloured,
        "coloured: a variable twice in a colour is not compared",
        "join.rs",
        "lookup.tests.iter().all(agrees)",
        "lookup.tests.iter().all(agrees) || lookup.tests.len() == 1",
    ),
    mutant(
        Test::Coloured,
        "coloured: arcs with all are not tested as a whole",
        "plan.rs",
        "!is_certain || colours.iter().any(|c| needs_evaluation(c))",
        "!is_certain",
    ),
    mutant(
        Test::Coloured,
        "coloured: bindings that take nothing are forgotten",
        "plan.rs",
        "triggers.push(Trigger::Start);",
        "let _ = Trigger::Start;",
    ),
    mutant(
        Test::Coloured,
        "coloured: implication forgets its premise",
        "check.rs",
        "node.kind == Kind::Imply && i == 0",
        "node.kind == Kind::Imply && i == 2",
    ),
    mutant(
        Test::Coloured,
        "coloured: a part stands for the first of its constants",
        "parts.rs",
        "[one] => Component::Value(one),",
        "[one, ..] => Component::Value(one),",
    ),
    mutant(
        Test::Coloured,
        "coloured: parts below a product are looked for in the wrong component",
        "parts.rs",
        "i.checked_sub(*offset)",
        "i.checked_sub(*offset % 2)",
    ),
];

/// The mutants whose name or file contains `filter`, with their files.
fn chosen(filter: &str) -> Vec<(String, &'static Mutant)> {
    let inside = |folder: &str, list: &'static [Mutant]| -> Vec<(String, &'static Mutant)> {
        list.iter().map(|m| (format!("{folder}{}", m.file), m)).collect()
    };
    let mut all = [
        inside(EMPTINESS, &CHECKS),
        inside(EXPLICIT, &GROUND),
        inside(COLOURED, &UNFOLDING),
        inside("", &translation::MUTANTS),
        inside("", &diagrams::MUTANTS),
        inside("", &symbolic::MUTANTS),
        inside("", &reduction::MUTANTS),
        inside("", &hunt::MUTANTS),
        inside("", &simplify::MUTANTS),
        inside("", &structural::MUTANTS),
        inside("", &pins::MUTANTS),
        inside("", &surroundings::MUTANTS),
        inside("", &reading::MUTANTS),
    ]
    .concat();
    all.retain(|(file, m)| m.name.contains(filter) || file.contains(filter));
    all
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let copy = root.join("target/mutants/work");
    copy_workspace(&root, &copy)?;
    let all = chosen(&args.filter);
    let mut passed: Vec<Test> = Vec::new();
    for test in all.iter().map(|(_, m)| m.test) {
        if !passed.contains(&test) {
            if !tests_pass(&copy, test, CASES)? {
                bail!("the tests fail without any mutant ({test:?})");
            }
            passed.push(test);
        }
    }

    let mut survivors = 0;
    for (file, mutant) in &all {
        let start = Instant::now();
        let caught = try_mutant(&copy, Path::new(file), mutant)?;
        let word = if caught { "caught" } else { "SURVIVED" };
        println!("{word:<8}  {}  ({:.0} s)", mutant.name, start.elapsed().as_secs_f64());
        survivors += usize::from(!caught);
    }
    println!("{} planted, {} caught", all.len(), all.len() - survivors);
    if survivors > 0 {
        bail!("{survivors} planted bugs were not caught");
    }
    Ok(())
}

/// Applies a mutant, runs its tests, and takes it back.
fn try_mutant(copy: &Path, file: &Path, mutant: &Mutant) -> anyhow::Result<bool> {
    let mut originals: Vec<(PathBuf, String)> = Vec::new();
    let first = (file, mutant.from, mutant.to);
    let more = mutant.more.iter().map(|&(file, from, to)| (Path::new(file), from, to));
    for (file, from, to) in std::iter::once(first).chain(more) {
        let path = copy.join(file);
        let source = fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
        if !source.contains(from) {
            bail!("mutant \"{}\": {} no longer contains {from:?}", mutant.name, file.display());
        }
        let times = if mutant.more.is_empty() { 1 } else { usize::MAX };
        fs::write(&path, source.replacen(from, to, times))?;
        originals.push((path, source));
    }
    let passed = tests_pass(copy, mutant.test, mutant.cases);
    for (path, source) in originals.into_iter().rev() {
        fs::write(path, source)?;
    }
    Ok(!passed?)
}

/// Builds and runs a test; a mutant that does not compile is an error. A test that uses too
/// much time or memory counts as failed: `timeout` also ends what cargo started.
fn tests_pass(copy: &Path, test: Test, cases: u32) -> anyhow::Result<bool> {
    let cargo = |prefix: &str, suffix: &str| {
        let test = test.arguments().join(" ");
        let cargo = env!("CARGO");
        let line = format!("{prefix} {cargo} test --profile fast {test} {suffix}");
        Command::new("sh")
            .args(["-c", &line])
            .env("CARGO_TARGET_DIR", copy.join("../target"))
            .env("BRINE_CASES", cases.to_string())
            .current_dir(copy)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
    };
    if !cargo("", "--no-run")?.success() {
        bail!("the mutant does not compile");
    }
    Ok(cargo("ulimit -v 4000000; timeout 900", "")?.success())
}

/// Copies what cargo needs, and nothing that it made.
fn copy_workspace(root: &Path, copy: &Path) -> anyhow::Result<()> {
    if copy.exists() {
        fs::remove_dir_all(copy)?;
    }
    let mut folders: Vec<PathBuf> = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        fs::create_dir_all(copy.join(&folder))?;
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = folder.join(entry.file_name());
            let skip = ["target", ".git", "docs"].iter().any(|s| name == Path::new(s));
            if skip {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(name);
            } else {
                fs::copy(entry.path(), copy.join(&name))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list follows the code: what a mutant replaces is there.
    #[test]
    fn every_bug_can_be_planted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (file, mutant) in chosen("") {
            let first = (file.as_str(), mutant.from, mutant.to);
            for &(file, from, to) in std::iter::once(&first).chain(mutant.more) {
                let source = fs::read_to_string(root.join(file)).unwrap_or_default();
                assert!(source.contains(from), "\"{}\": {file} has no {from:?}", mutant.name);
                assert_ne!(from, to, "\"{}\" changes nothing", mutant.name);
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let all = chosen("");
        let names: std::collections::BTreeSet<&str> = all.iter().map(|(_, m)| m.name).collect();
        assert_eq!(names.len(), all.len());
    }
}
