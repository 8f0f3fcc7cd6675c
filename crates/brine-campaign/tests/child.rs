//! Processes under limits. This program is started again as its own hidden command `limited`, so
//! it has a `main` of its own.

use brine_campaign::child::{ChildEnd, Finished, Job, why_no_control_groups};
use clap::Parser;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[derive(clap::Parser, Debug)]
enum Cli {
    Limited(brine_campaign::limited::Args),
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("limited") {
        let Cli::Limited(args) = Cli::parse();
        let error = match brine_campaign::limited::run(&args) {
            Ok(never) => match never {},
            Err(error) => error,
        };
        eprintln!("error: {error:#}");
        std::process::exit(2);
    }
    let tests: [(&str, fn()); 9] = [
        ("what_is_said_and_how_it_ended_is_kept", what_is_said_and_how_it_ended_is_kept),
        ("late_processes_are_killed_with_their_group", late_processes_are_killed_with_their_group),
        ("too_much_memory_is_too_much", too_much_memory_is_too_much),
        ("the_kernel_counts_processor_time", the_kernel_counts_processor_time),
        ("an_interrupt_ends_it_at_once", an_interrupt_ends_it_at_once),
        ("a_group_is_measured_as_a_whole", a_group_is_measured_as_a_whole),
        ("nothing_escapes_a_control_group", nothing_escapes_a_control_group),
        ("a_bound_process_has_its_core_alone", a_bound_process_has_its_core_alone),
        ("what_cannot_be_started_is_an_error", what_cannot_be_started_is_an_error),
    ];
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    for (name, test) in tests.into_iter().filter(|(name, _)| name.contains(&filter)) {
        test();
        println!("test {name} ... ok");
    }
}

const LONG: Option<Duration> = Some(Duration::from_secs(600));

fn shell(script: &str) -> Job {
    let mut job = Job::new("sh");
    job.args(["-c", script]);
    Job { time: LONG, ..job }
}

fn run(job: &Job) -> Finished {
    job.run(&AtomicBool::new(false)).expect("started")
}

fn what_is_said_and_how_it_ended_is_kept() {
    let ended = run(&shell("echo out; echo; echo err >&2; exit 3"));
    assert_eq!(ended.exit(), Some(3));
    assert_eq!(ended.stdout, b"out\n\n");
    assert_eq!(ended.message().as_deref(), Some("err"));
    let elsewhere = Job {
        env: vec![("COLOUR".to_owned(), "red".to_owned())],
        folder: Some("/".into()),
        ..shell("echo $COLOUR; pwd; kill -SEGV $$")
    };
    let ended = run(&elsewhere);
    assert_eq!(ended.stdout, b"red\n/\n");
    assert_eq!((ended.exit(), ended.reason()), (Some(-11), "crash"));
}

fn late_processes_are_killed_with_their_group() {
    let start = Instant::now();
    let job = Job { time: Some(Duration::from_millis(50)), ..shell("sleep 600 & sleep 600") };
    let ended = run(&job);
    assert_eq!((ended.end, ended.exit()), (ChildEnd::Timeout, Some(-9)));
    // The pipes are closed: what was started in the background has gone, too.
    assert!(start.elapsed() < Duration::from_secs(300));
    // What is left behind by a process that has ended holds nobody up either.
    let ended = run(&shell("sleep 600 &"));
    assert_eq!(ended.exit(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(300));
}

fn too_much_memory_is_too_much() {
    let ended = run(&Job { memory: Some(1 << 10), ..shell("sleep 600") });
    assert_eq!(ended.end, ChildEnd::Memory);
    assert!(ended.peak_mem_mib.is_some_and(|mib| mib > 0.001));
    let ended = run(&Job { address_space: Some(64 << 20), ..shell("ulimit -v") });
    assert_eq!(ended.stdout, b"65536\n");
}

fn the_kernel_counts_processor_time() {
    // A shell that counts, in a process that another one waits for.
    let count = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
    let ended = run(&shell(&format!("sh -c '{count}'; true")));
    assert!(ended.cpu > Duration::from_millis(10), "{ended:?}");
    let ended = run(&shell("sleep 0.3"));
    assert!(ended.wall >= Duration::from_millis(300) && ended.cpu < ended.wall, "{ended:?}");
    let ended = run(&Job { cpu_s: Some(1), ..shell("while :; do :; done") });
    assert_eq!((ended.exit(), ended.reason()), (Some(-24), "timeout"));
    // The kernel looks now and then, and has ended it after 0.899 s.
    assert!(ended.cpu >= Duration::from_millis(500), "{ended:?}");
}

fn an_interrupt_ends_it_at_once() {
    let ended = shell("sleep 600").run(&AtomicBool::new(true)).expect("started");
    assert_eq!((ended.end, ended.exit()), (ChildEnd::Interrupted, None));
}

fn what_cannot_be_started_is_an_error() {
    let ended = run(&Job::new("/nowhere/program"));
    assert_eq!(ended.exit(), Some(2));
    let message = ended.message().expect("a message");
    assert!(message.starts_with("error: cannot start /nowhere/program: No such file"), "{message}");
}

/// A child that nobody waits for: its work and its memory count if the group does.
fn a_group_is_measured_as_a_whole() {
    let script = "(x=$(head -c 60000000 /dev/zero | tr '\\0' a); i=0; \
                  while [ $i -lt 600000 ]; do i=$((i+1)); done; sleep 0.2) & sleep 0.1; \
                  while kill -0 $! 2>/dev/null; do sleep 0.05; done";
    let alone = run(&shell(script));
    for control_group in [false, has_control_groups()] {
        measured_as_a_whole(script, control_group, &alone);
    }
}

/// Whether this machine has control groups, which not every one lends.
fn has_control_groups() -> bool {
    let why = why_no_control_groups();
    why.iter().for_each(|why| println!("no control groups, which is not tested: {why}"));
    why.is_none()
}

fn measured_as_a_whole(script: &str, control_group: bool, alone: &Finished) {
    let shell = |script: &str| Job { whole_group: true, control_group, ..shell(script) };
    let whole = run(&shell(script));
    let memory = |ended: &Finished| ended.peak_mem_mib.expect("seen");
    assert!(memory(&whole) > 50.0 && memory(alone) < 50.0, "{whole:?}");
    let limited = Job { memory: Some(30 << 20), ..shell(script) };
    let ended = run(&limited);
    assert_eq!(ended.end, ChildEnd::Memory, "{ended:?}");
    assert!(memory(&ended) > 20.0, "{ended:?}");
    // Killed together, so nobody waited: seen all the same.
    let busy = shell("(while :; do :; done) & while :; do sleep 1; done");
    let busy = Job { time: Some(Duration::from_millis(700)), ..busy };
    let ended = run(&busy);
    assert_eq!(ended.end, ChildEnd::Timeout);
    assert!(ended.cpu > Duration::from_millis(10), "{:?}", ended.cpu);
}

/// Nothing leaves a control group: not even what has a session of its own, and whose parent is gone.
fn nothing_escapes_a_control_group() {
    if !has_control_groups() {
        return;
    }
    let start = Instant::now();
    let script = "setsid sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; sleep 600' & \
                  sleep 1";
    let ended = run(&Job { whole_group: true, control_group: true, ..shell(script) });
    assert_eq!(ended.exit(), Some(0));
    assert!(ended.cpu > Duration::from_millis(10), "{ended:?}");
    // It is killed, so the pipes are closed.
    assert!(start.elapsed() < Duration::from_secs(300));
}

fn a_bound_process_has_its_core_alone() {
    let ended = run(&Job { cores: vec![0], ..shell("grep Cpus_allowed_list /proc/self/status") });
    let told = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(told.split_whitespace().nth(1), Some("0"), "{told}");
}
