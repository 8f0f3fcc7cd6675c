//! `cargo xtask mutants`: plant bugs, and see that the tests catch every one of them.
//!
//! An oracle that never failed proves little. Each mutant below is one small, plausible
//! mistake in one algorithm. The workspace is copied to `target/mutants`, one mutant is
//! applied at a time, and the tests named with it must fail. A mutant whose text is no
//! longer found is an error: the list has to follow the code.

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Plant bugs and see that the tests catch them
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only mutants whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
}

/// Where a planted bug must show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    /// Emptiness checks on random graphs.
    Graphs,
    /// Random nets and formulas against the oracle.
    Agreement,
    /// The unit tests of the explicit engine: bugs that only large sets of markings show, and
    /// stubborn sets against their definition.
    Units,
    /// Provisos on random transition systems.
    Provisos,
    /// Random nets and stutter-invariant formulas with reduction, against the oracle.
    Por,
}

impl Test {
    fn arguments(self) -> [&'static str; 4] {
        match self {
            Test::Graphs => ["-p", "brine-explicit", "--test", "graphs"],
            Test::Agreement => ["-p", "brine-check", "--test", "agreement"],
            Test::Units => ["-p", "brine-explicit", "--lib", "--quiet"],
            Test::Provisos => ["-p", "brine-explicit", "--test", "provisos"],
            Test::Por => ["-p", "brine-check", "--test", "por"],
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
    test: Test,
}

const fn mutant(
    test: Test,
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant { name, file, from, to, test }
}

const EMPTINESS: &str = "crates/brine-explicit/src/emptiness";
const EXPLICIT: &str = "crates/brine-explicit/src";

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
        "couvreur: removed states stay current",
        "couvreur.rs",
        "self.number.set(t, REMOVED, meter)?;",
        "self.number.set(t, self.number.get(t), meter)?;",
    ),
    mutant(
        Test::Graphs,
        "gv: the goal is not inherited",
        "gv.rs",
        "if accepting { self.count } else { inherited }",
        "if accepting { self.count } else { NO_GOAL.min(inherited) }",
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
const GROUND: [Mutant; 12] = [
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
        "degeneralise: the top level is never left",
        "degeneralise.rs",
        "if from == top { 0 } else { from }",
        "from",
    ),
    mutant(
        Test::Agreement,
        "shape: every automaton without mixed components is terminal",
        "shape.rs",
        "return false;\n        }\n        if letter == support {",
        "return true;\n        }\n        if letter == support {",
    ),
    mutant(
        Test::Units,
        "shape: one unavoidable mark makes a component accepting",
        "shape.rs",
        "let avoidable = (0..aut.num_marks()).any(",
        "let avoidable = aut.num_marks() > 0 && (0..aut.num_marks()).all(",
    ),
    mutant(
        Test::Agreement,
        "check: the cycle is reported as prefix",
        "check.rs",
        "if i < lasso.prefix.len() {",
        "if i <= lasso.prefix.len() {",
    ),
];

/// Partial-order reduction: each family of provisos, each rule of stubborn sets, and the
/// conditions of their use.
const REDUCTION: [Mutant; 30] = [
    mutant(
        Test::Provisos,
        "proviso Source: self-loops are forgotten",
        "provisos/danger.rs",
        "(Danger::Stack, _) if !dest.is_on_stack() => Ok(()),",
        "(Danger::Stack, _) if !dest.is_on_stack() || target == s => Ok(()),",
    ),
    mutant(
        Test::Provisos,
        "proviso CondSource: the initial state counts as expanded",
        "provisos/danger.rs",
        "if !dest.is_on_stack() || dest.expanded => Ok(())",
        "if !dest.is_on_stack() || dest.expanded || dest.depth == 1 => Ok(())",
    ),
    mutant(
        Test::Provisos,
        "proviso Dest: the initial state is not expanded",
        "provisos/search.rs",
        "let dangerous = state.mark &&",
        "let dangerous = state.mark && state.depth > 1 &&",
    ),
    mutant(
        Test::Provisos,
        "proviso CondDest: a purple destination counts as marked",
        "provisos/danger.rs",
        "(Danger::Cond, End::Dest) if source.mark => Ok(()),",
        "(Danger::Cond, End::Dest) if source.mark || dest.depth + 1 == source.depth => Ok(()),",
    ),
    mutant(
        Test::Provisos,
        "proviso Colored: a red child leaves its parent orange",
        "provisos/danger.rs",
        "self.turn_purple(s)?;\n        match self.highlink(child)? {",
        "match self.highlink(child)? {",
    ),
    mutant(
        Test::Provisos,
        "proviso Weighted: weights off by one",
        "provisos/search.rs",
        "is_none_or(|&e| e < depth)",
        "is_none_or(|&e| e + 1 < depth)",
    ),
    mutant(
        Test::Provisos,
        "proviso Weighted: red states are no danger",
        "provisos/danger.rs",
        "} else if self.links.is_none() {\n            return self.expand();",
        "} else if self.links.is_none() {\n            return Ok(());",
    ),
    mutant(
        Test::Provisos,
        "proviso Deepest: the highest instead of the deepest",
        "provisos/danger.rs",
        "depth_of(t) > depth_of(stack_state)",
        "depth_of(t) < depth_of(stack_state)",
    ),
    mutant(
        Test::Provisos,
        "proviso Unknown: the first known successor is lost",
        "provisos/search.rs",
        "for i in first..self.deferred.len()",
        "for i in first + 1..self.deferred.len()",
    ),
    mutant(
        Test::Provisos,
        "proviso Known: only the last known successor is looked at",
        "provisos/search.rs",
        "        if live.end == End::Dest && live.sorted && target != s {",
        "        if live.end == End::Source && live.sorted && self.top().next > 0 {\n            return Ok(());\n        }\n        if live.end == End::Dest && live.sorted && target != s {",
    ),
    mutant(
        Test::Provisos,
        "proviso Scan: states that wait for others become green",
        "provisos/search.rs",
        "if state.colour != Colour::Orange || !self.waits_only_for_child(i)? {",
        "if state.colour != Colour::Orange {",
    ),
    mutant(
        Test::Provisos,
        "proviso Dead: edges do not join components",
        "provisos/search.rs",
        "components.join(target);",
        "let _ = components;",
    ),
    mutant(
        Test::Provisos,
        "proviso Highlink: nothing is inherited",
        "provisos/danger.rs",
        "if deep != high {",
        "if deep != high && frame.link == Some(to) {",
    ),
    mutant(
        Test::Provisos,
        "proviso Highlink: the highest link instead of the deepest",
        "provisos/danger.rs",
        "if self.states.get(old).depth > self.states.get(to).depth {",
        "if self.states.get(old).depth < self.states.get(to).depth {",
    ),
    mutant(
        Test::Provisos,
        "proviso C2S_s: any other state will do",
        "provisos/search.rs",
        "if !state.is_on_stack() || relies {",
        "if t != s || relies {",
    ),
    mutant(
        Test::Provisos,
        "proviso C2S_e: any expanded state on the stack will do",
        "provisos/search.rs",
        "!self.none_expanded_below(state.depth)",
        "!self.none_expanded_below(1)",
    ),
    mutant(
        Test::Provisos,
        "proviso C2L_q: a state counts as behind itself",
        "provisos/queue.rs",
        "at > position.get(s)",
        "at >= position.get(s)",
    ),
    mutant(
        Test::Provisos,
        "proviso Acyclic: the walk ends after one step",
        "provisos/fates.rs",
        "Fate::Reduced if self.seen.insert(target)",
        "Fate::Reduced if from == s && self.seen.insert(target)",
    ),
    mutant(
        Test::Provisos,
        "proviso Acyclic: safe in spite of undecided states",
        "provisos/fates.rs",
        "Fate::Undecided => open = true,",
        "Fate::Undecided => open = from == s,",
    ),
    mutant(
        Test::Provisos,
        "proviso Delegate: chains are not followed",
        "provisos/fates.rs",
        "if self.end_of_chain(target, lts.meter())? != s {",
        "if target != s {",
    ),
    mutant(
        Test::Units,
        "stubborn: readers do not conflict with takers",
        "stubborn/tables.rs",
        "[|a| a.taken > 0, |a|",
        "[|a| a.taken > a.put, |a|",
    ),
    mutant(
        Test::Units,
        "stubborn: producers that need what is there are left out",
        "stubborn/needs.rs",
        "producer.needs <= self.tokens(p)",
        "producer.needs < self.tokens(p)",
    ),
    mutant(
        Test::Units,
        "stubborn: visible transitions are not drawn in",
        "stubborn/needs.rs",
        "i == list.len() && self.visible.has(t)",
        "i > list.len() && self.visible.has(t)",
    ),
    mutant(
        Test::Units,
        "stubborn: a visible key will do",
        "stubborn/mod.rs",
        "first_invisible.is_none() || !self.visible.has(t)",
        "first_invisible.is_none() || self.tables.steps() > 0 || !self.visible.has(t)",
    ),
    mutant(
        Test::Units,
        "stubborn: weak members draw in nothing",
        "stubborn/tables.rs",
        "                self.weak.items.push(self.consumers(p));\n",
        "",
    ),
    mutant(
        Test::Units,
        "stubborn: components below are forgotten",
        "stubborn/components.rs",
        "above.heavy |= heavy;",
        "above.heavy |= heavy && above.low > u32::MAX - 1;",
    ),
    mutant(
        Test::Por,
        "reduction: fireability watches no place",
        "stubborn/visible.rs",
        "watched[p.index()] = true",
        "watched[p.index()] = false",
    ),
    mutant(
        Test::Por,
        "reduction: used for every formula",
        "por.rs",
        "Some(false) => return Err(\"the formula is not stutter-invariant\"),",
        "Some(false) => (),",
    ),
    mutant(
        Test::Por,
        "reduction: safety rules for liveness",
        "por.rs",
        "Promise::Liveness => Proviso::OnTheFly { live: true },",
        "Promise::Liveness => Proviso::OnTheFly { live: false },",
    ),
    mutant(
        Test::Por,
        "reduction: deadlock is an atom like others",
        "stubborn/visible.rs",
        "if only { Sight::Deadlocks } else { Sight::All }",
        "if only { Sight::Deadlocks } else { Sight::Some(Vec::new()) }",
    ),
];

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let copy = root.join("target/mutants/work");
    copy_workspace(&root, &copy)?;
    let checks = CHECKS.iter().map(|m| (format!("{EMPTINESS}/{}", m.file), m));
    let ground = GROUND.iter().map(|m| (format!("{EXPLICIT}/{}", m.file), m));
    let reduction = REDUCTION.iter().map(|m| (format!("{EXPLICIT}/{}", m.file), m));
    let all: Vec<(String, &Mutant)> = checks
        .chain(ground)
        .chain(reduction)
        .filter(|(_, m)| m.name.contains(&args.filter))
        .collect();
    for test in [Test::Graphs, Test::Agreement, Test::Units, Test::Provisos, Test::Por] {
        if all.iter().any(|(_, m)| m.test == test) && !tests_pass(&copy, test)? {
            bail!("the tests fail without any mutant ({test:?})");
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
    let path = copy.join(file);
    let source = fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
    if !source.contains(mutant.from) {
        bail!(
            "mutant \"{}\": {} no longer contains {:?}",
            mutant.name,
            file.display(),
            mutant.from
        );
    }
    fs::write(&path, source.replacen(mutant.from, mutant.to, 1))?;
    let passed = tests_pass(copy, mutant.test);
    fs::write(&path, source)?;
    Ok(!passed?)
}

/// Builds and runs a test; a mutant that does not compile is an error. A test that uses too
/// much time or memory counts as failed: `timeout` also ends what cargo started.
fn tests_pass(copy: &Path, test: Test) -> anyhow::Result<bool> {
    let cargo = |prefix: &str, suffix: &str| {
        let test = test.arguments().join(" ");
        let cargo = env!("CARGO");
        let line = format!("{prefix} {cargo} test --profile fast {test} {suffix}");
        Command::new("sh")
            .args(["-c", &line])
            .env("CARGO_TARGET_DIR", copy.join("../target"))
            .env("BRINE_CASES", "5000")
            .env("RUSTFLAGS", "-Awarnings")
            .current_dir(copy)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
    };
    if !cargo("", "--no-run")?.success() {
        bail!("the mutant does not compile");
    }
    Ok(cargo("ulimit -v 4000000; timeout 300", "")?.success())
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
