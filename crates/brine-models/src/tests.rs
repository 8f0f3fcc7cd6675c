//! The families against what is known about them, by brute force on small members.

use super::*;
use brine_net::{Structure, UnitSafety};
use brine_oracle::{count_states, reachable_markings};
use brine_pnml::{read_pnml_from, write_pnml};

const LIMIT: usize = 120_000;

fn states(net: &Net) -> u64 {
    count_states(net, LIMIT).expect("small").states
}

fn deadlocks(net: &Net) -> usize {
    let dead =
        |m: &Vec<u32>| net.transitions().all(|t| t.pre.iter().any(|&(p, w)| m[p.index()] < w));
    reachable_markings(net, LIMIT).expect("small").iter().filter(|m| dead(m)).count()
}

/// In no reachable marking are two of the named places marked.
fn exclusive(net: &Net, is_critical: impl Fn(&str) -> bool) -> bool {
    let critical: Vec<usize> =
        (0..).zip(net.places()).filter(|(_, p)| is_critical(&p.id())).map(|(i, _)| i).collect();
    assert!(critical.len() > 1);
    let markings = reachable_markings(net, LIMIT).expect("small");
    let inside = |m: &Vec<u32>| critical.iter().map(|&p| m[p]).sum::<u32>();
    assert!(markings.iter().any(|m| inside(m) == 1));
    markings.iter().all(|m| inside(m) <= 1)
}

#[test]
fn philosophers_follow_their_formulas() {
    for n in 2..9 {
        let counts = count_states(&philosophers(n), LIMIT).expect("small");
        assert_eq!(counts.states, 3_u64.pow(n));
        if n > 2 {
            assert_eq!(counts.edges, u64::from(n) * 7 * 3_u64.pow(n - 2));
        }
        assert_eq!(deadlocks(&philosophers(n)), 2);
        assert_eq!(deadlocks(&philosophers_ordered(n)), 0);
        assert_eq!(deadlocks(&philosophers_atomic(n)), 0);
    }
    // Lucas numbers, and Pell numbers.
    let (mut lucas, mut pell) = ((3, 4), (5, 12));
    for n in 2..12 {
        assert_eq!(states(&philosophers_atomic(n)), lucas.0);
        lucas = (lucas.1, lucas.0 + lucas.1);
        assert_eq!(states(&philosophers_ordered(n)), pell.0);
        pell = (pell.1, pell.0 + 2 * pell.1);
    }
}

#[test]
fn published_counts() {
    assert_eq!([1, 2, 3].map(|n| states(&kanban(n))), [160, 4_600, 58_400]);
    assert_eq!([1, 2].map(|n| states(&fms(n))), [120, 3_444]);
    assert_eq!([2, 3, 4, 5].map(|n| states(&slotted_ring(n))), [52, 504, 5_136, 53_856]);
}

#[test]
fn closed_formulas() {
    for n in 2..9 {
        assert_eq!(states(&token_ring(n)), u64::from(n) * (2_u64.pow(n) + 2_u64.pow(n - 1)));
        assert_eq!(states(&fork_join(n)), 1 + 2_u64.pow(n));
        assert_eq!(states(&producer_consumer(n)), 2_u64.pow(n + 2));
    }
    for (digits, largest) in [(1, 1), (2, 7), (3, 4), (4, 3)] {
        let counts = count_states(&counters(digits, largest), LIMIT).expect("small");
        let (m, d) = (u64::from(largest), digits);
        let carries = if d > 1 { 2 * u64::from(d - 1) * m * (m + 1).pow(d - 2) } else { 0 };
        assert_eq!(counts.states, (m + 1).pow(d));
        // A digit of one is full and empty in one step each way.
        assert_eq!(counts.edges, 2 * m * (m + 1).pow(d - 1) + carries, "{d} {m}");
    }
}

#[test]
fn papers_examples() {
    // MKBP14 Example 2 lists the five states.
    let mut markings = reachable_markings(&fork_join(2), 10).expect("small");
    markings.sort();
    let listed =
        [[0, 0, 1, 0, 1], [0, 0, 1, 1, 0], [0, 1, 0, 0, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 0]];
    assert_eq!(markings, listed);
    // MVDBM16 Example 1: three components of two values, all eight combinations reachable.
    assert_eq!(states(&producer_consumer(1)), 8);
    assert_eq!(producer_consumer(1).places().len(), 6);
}

#[test]
fn mutual_exclusion_holds_and_nobody_is_stuck() {
    for n in [2, 3] {
        let net = peterson(n);
        let last = (n - 1) * (n + 1);
        assert!(
            exclusive(&net, |id| id.starts_with("process_") && id.ends_with(&format!("_{last}")))
        );
        assert_eq!(deadlocks(&net), 0);
        let net = lamport(n);
        assert!(exclusive(&net, |id| id.ends_with("_critical")));
        assert_eq!(deadlocks(&net), 0);
    }
    assert!(exclusive(&token_ring(5), |id| id.starts_with("work_")));
    assert!(exclusive(&load_balancer(3), |id| id.starts_with("served_0_")));
    assert_eq!(deadlocks(&load_balancer(3)), 0);
}

#[test]
fn claimed_units_are_proved() {
    for net in [fork_join(3), producer_consumer(3), peterson(3), lamport(3)] {
        let structure = Structure::new(&net);
        let safety = structure.nupn.and_then(|check| check.safety);
        assert_eq!(safety, Some(UnitSafety::Proved), "{}", net.name());
        assert!(structure.bounds.is_safe());
    }
}

#[test]
fn every_family_is_written_and_read_back() {
    for family in FAMILIES {
        let net = family.net(family.min_size + 2, family.tokens.map(|_| 5));
        let mut bytes = Vec::new();
        let tokens = family.tokens.map(|_| 5);
        family.write_pnml(family.min_size + 2, tokens, &mut bytes).expect("memory");
        assert_eq!(read_pnml_from(bytes.as_slice(), family.name).as_ref(), Ok(&net));
        assert_eq!(net.name(), family.net_name(family.min_size + 2, family.tokens.map(|_| 5)));
    }
}

#[test]
fn strange_names_are_written_and_read_back() {
    let mut b = NetBuilder::new("<net & \"name\">");
    let p = b.named_place("a0", "Fork \u{2192} <1>", 7);
    let q = b.named_place("a_1", "'quoted'", 0);
    b.named_transition("a&b", "t", &[(p, 3)], &[(q, u32::MAX)]);
    let net = b.build().expect("valid");
    let mut bytes = Vec::new();
    write_pnml(&net, &mut bytes).expect("memory");
    assert_eq!(read_pnml_from(bytes.as_slice(), "n"), Ok(net));
}

#[test]
fn committed_files_are_what_the_generators_write() {
    let directory = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml"));
    let read = |name: &str| {
        let path = directory.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let mut table = format!("{HEADER}\n");
    for entry in CATALOGUE {
        let net = entry.net();
        let mut bytes = Vec::new();
        entry.write_pnml(&mut bytes).expect("memory");
        assert!(
            bytes == read(&entry.file_name()).as_bytes(),
            "{} is out of date; run `cargo xtask gen-models`",
            entry.file_name()
        );
        let counts = match entry.source {
            CountSource::BruteForce => count_states(&net, LIMIT).expect("small"),
            CountSource::Published(counts) | CountSource::Formula(counts) => counts,
        };
        table.push_str(&table_line(entry, &counts));
        table.push('\n');
    }
    assert_eq!(read("states.csv"), table, "run `cargo xtask gen-models`");
}

#[test]
fn tiny_sizes_do_not_panic() {
    for family in FAMILIES {
        for size in 0..3 {
            assert!(family.net(size, Some(0)).places().len() > 0, "{}", family.name);
        }
    }
    for n in 0..2 {
        philosophers(n);
        philosophers_ordered(n);
        philosophers_atomic(n);
        slotted_ring(n);
        token_ring(n);
        producer_consumer(n);
        fork_join(n);
        peterson(n);
        lamport(n);
        load_balancer(n);
        counters(n, n);
    }
}

#[test]
fn coloured_families_have_the_known_numbers_of_markings() {
    for n in 2..7 {
        let coloured = family("philosophers-coloured").expect("known").net(n, None);
        let plain = philosophers(n);
        assert_eq!(count_states(&coloured, LIMIT), count_states(&plain, LIMIT));
        assert_eq!(coloured.transitions().len(), plain.transitions().len());
        let database = family("database-coloured").expect("known").net(n, None);
        let states = count_states(&database, LIMIT).expect("small").states;
        assert_eq!(states, 1 + u64::from(n) * 3_u64.pow(n - 1));
    }
}
