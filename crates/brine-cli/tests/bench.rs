//! `brine bench` as users see it: rows, resuming, interrupts, parts, refusals.

mod common {
    pub(crate) mod campaign;
    pub(crate) mod programs;
}

use common::campaign::{Campaign, PLAN};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const NETS: [&str; 4] = ["fork-join-8", "peterson-3", "philosophers-5", "token-ring-5"];
/// Models times two properties, one more for the philosophers, two configurations, twice.
const RUNS: usize = (NETS.len() * 2 + 1) * 2 * 2;

impl Campaign {
    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("brine starts")
    }

    /// Processes whose command line names this campaign's folder.
    fn processes(&self) -> usize {
        let folder = self.dir.path().to_str().expect("UTF-8").as_bytes().to_vec();
        let entries = std::fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
        let lines = entries.filter_map(|e| std::fs::read(e.path().join("cmdline")).ok());
        lines.filter(|line| line.windows(folder.len()).any(|w| w == folder)).count()
    }

    fn wait_until(&self, what: &str, done: impl Fn() -> bool) {
        let patience = Instant::now() + Duration::from_secs(60);
        while !done() {
            assert!(Instant::now() < patience, "{what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn rows_stand_in_the_plan_s_order_and_a_rerun_does_nothing() {
    let campaign = Campaign::new(PLAN, &NETS);
    let output = campaign.run(&["plan.toml", "-o", "r.csv", "--jobs", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("configuration "));
    let rows = campaign.rows("r.csv");
    assert_eq!(rows.len(), RUNS);
    assert!(rows.windows(2).all(|w| w[0][0] <= w[1][0]), "by model");
    let key = |row: &Vec<String>| row[..3].join(";");
    let of_peterson: Vec<String> = rows.iter().filter(|r| r[0] == "peterson-3").map(key).collect();
    let expected = [
        "peterson-3;G !deadlock;plain",
        "peterson-3;G !deadlock;plain",
        "peterson-3;G !deadlock;tarjan",
        "peterson-3;G !deadlock;tarjan",
        "peterson-3;ends, some time;plain",
        "peterson-3;ends, some time;plain",
        "peterson-3;ends, some time;tarjan",
        "peterson-3;ends, some time;tarjan",
    ];
    assert_eq!(of_peterson, expected);
    let text = std::fs::read(campaign.path("r.csv")).expect("results");
    assert_eq!(campaign.run(&["plan.toml", "-o", "r.csv"]).status.code(), Some(0));
    assert_eq!(std::fs::read(campaign.path("r.csv")).expect("results"), text, "no second time");
}

#[test]
fn killed_three_times_a_campaign_ends_with_the_same_rows() {
    let campaign = Campaign::new(PLAN, &NETS);
    assert_eq!(campaign.run(&["plan.toml", "-o", "whole.csv"]).status.code(), Some(0));
    // Any moment will do; these are spread over the time that the campaign takes.
    let seed = std::env::var("BRINE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |d| u64::from(d.subsec_nanos()))
    });
    println!("BRINE_SEED={seed}");
    for kill in 1..=3_u64 {
        let mut child = campaign.start(&["plan.toml", "-o", "torn.csv", "--jobs", "2"]);
        std::thread::sleep(Duration::from_micros(20_000 + seed * kill % 60_000));
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    let output = campaign.run(&["plan.toml", "-o", "torn.csv", "--jobs", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(campaign.rows("torn.csv"), campaign.rows("whole.csv"));
}

/// A run of this plan would take a minute.
fn slow() -> Campaign {
    let plan = PLAN.replace("G !deadlock", "G eat_0 + eat_2 <= 2");
    Campaign::new(&plan, &["philosophers-20"])
}

/// Starts a slow campaign and waits until two of its runs are under way.
fn started(campaign: &Campaign) -> Child {
    // The whole path, so that every process of the campaign has it in its command line.
    let plan = campaign.path("plan.toml");
    let plan = plan.to_str().expect("UTF-8");
    let child = campaign.start(&[plan, "-o", "r.csv", "--jobs", "2"]);
    campaign.wait_until("two runs under way", || campaign.processes() == 3);
    child
}

#[test]
fn ctrl_c_leaves_whole_rows_and_no_process() {
    let campaign = slow();
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let mut child = started(&campaign);
        kill(Pid::from_raw(child.id() as i32), signal).expect("sent");
        assert_eq!(child.wait().expect("gone").code(), Some(130));
        assert_eq!(campaign.processes(), 0);
        assert_eq!(campaign.rows("r.csv").len(), 0);
    }
}

#[test]
fn runs_die_with_a_killed_campaign() {
    let campaign = slow();
    let mut child = started(&campaign);
    child.kill().expect("killed");
    child.wait().expect("gone");
    campaign.wait_until("no orphan", || campaign.processes() == 0);
}

#[test]
fn limits_hold_for_each_run() {
    let campaign = slow();
    let args = ["plan.toml", "-o", "time.csv", "--timeout", "0.2"];
    assert_eq!(campaign.run(&args).status.code(), Some(0), "unknown is a result, too");
    let [verdict, reason] = [3, 6];
    assert_eq!(campaign.rows("time.csv")[0][verdict], "unknown");
    assert_eq!(campaign.rows("time.csv")[0][reason], "timeout");
    campaign.run(&["plan.toml", "-o", "memory.csv", "--memory", "8"]);
    assert_eq!(campaign.rows("memory.csv")[0][reason], "memory");
}

#[test]
fn a_wrong_verdict_is_told_at_once_and_at_the_end() {
    let plan = PLAN.replace("expected = \"holds\"", "expected = \"violated\"");
    let campaign = Campaign::new(&plan, &["philosophers-5"]);
    let output = campaign.run(&["plan.toml", "-o", "r.csv"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let complaint = "WRONG philosophers-5 G eat_0 + eat_1 <= 1 [plain]: holds, expected violated";
    assert_eq!(text.matches(complaint).count(), 3, "two runs at once, once at the end: {text}");
    let output = campaign.run(&["plan.toml", "-o", "r.csv", "--quiet"]);
    assert_eq!(output.status.code(), Some(1), "still wrong when nothing is left to do");
}

#[test]
fn bad_input_is_refused_before_any_work() {
    let good = Campaign::new(PLAN, &NETS);
    let refused = |campaign: &Campaign, args: &[&str], what: &str| {
        let output = campaign.run(args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(what), "{what} in {text}");
        assert!(!campaign.path("r.csv").exists(), "nothing is written");
    };
    let changed = |from: &str, to: &str| Campaign::new(&PLAN.replace(from, to), &NETS);
    let plan = ["plan.toml", "-o", "r.csv"];
    refused(&changed("time_s", "seconds"), &plan, "plan.toml:4:1: unknown field `seconds`");
    refused(&changed("nets/*", "gnats/*"), &plan, "finds no file");
    refused(&changed("--emptiness", "--guess"), &plan, "configuration \"tarjan\": unexpected");
    refused(&good, &["plan.toml", "-o", "nowhere/r.csv"], "cannot write nowhere/r.csv");
    refused(&good, &["nothing.toml", "-o", "r.csv"], "cannot read nothing.toml");
    refused(&good, &["-o", "r.csv"], "required");
    std::fs::write(good.path("other.csv"), "model,property\n").expect("written");
    refused(&good, &["plan.toml", "-o", "other.csv"], "other.csv:1:1");
    refused(&good, &["--merge", "other.csv", "-o", "r.csv"], "missing columns config");
}

#[test]
fn parts_make_together_what_the_whole_makes() {
    let campaign = Campaign::new(PLAN, &NETS);
    campaign.run(&["plan.toml", "-o", "whole.csv"]);
    for part in 1..=3 {
        let args = ["plan.toml", "--part", &format!("{part}/3"), "-o", &format!("{part}.csv")];
        assert_eq!(campaign.run(&args).status.code(), Some(0));
    }
    let merged = ["--merge", "1.csv", "2.csv", "3.csv", "-o", "merged.csv"];
    assert_eq!(campaign.run(&merged).status.code(), Some(0));
    // The campaign has nothing left to do but to put the rows into its order.
    campaign.run(&["plan.toml", "-o", "merged.csv"]);
    assert_eq!(campaign.rows("merged.csv"), campaign.rows("whole.csv"));
}

/// Writes the script for an engine of job arrays with five parts, and runs it.
fn run_script(campaign: &Campaign, engine: &str, variable: (&str, &str)) {
    let args = ["plan.toml", "--emit", engine, "--parts", "5", "-o", "out of it/r.csv"];
    let output = campaign.run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(campaign.path("job.sh"), output.stdout).expect("written");
    let job = Command::new("bash")
        .arg("job.sh")
        .env(variable.0, variable.1)
        .current_dir(campaign.dir.path())
        .output()
        .expect("bash starts");
    assert!(job.status.success(), "{}", String::from_utf8_lossy(&job.stderr));
}

/// Checks that the merged parts have the rows of the whole campaign.
fn parts_are_complete(campaign: &Campaign) {
    let parts = std::fs::read_dir(campaign.path("out of it/r.csv.parts")).expect("parts");
    assert_eq!(parts.count(), 5);
    campaign.run(&["plan.toml", "-o", "whole.csv"]);
    let sorted = |name: &str| {
        let mut rows = campaign.rows(name);
        rows.sort();
        rows
    };
    assert_eq!(sorted("out of it/r.csv"), sorted("whole.csv"));
}

#[test]
fn gnu_parallel_runs_the_emitted_script() {
    if common::programs::find(&["parallel"], "parallel").is_none() {
        return;
    }
    let campaign = Campaign::new(PLAN, &NETS);
    run_script(&campaign, "parallel", ("JOBS", "2"));
    parts_are_complete(&campaign);
}

/// What Slurm and HyperQueue do: they run the script with the number of each task.
#[test]
fn scripts_for_clusters_run_one_part_each() {
    for (engine, variable) in [("slurm", "SLURM_ARRAY_TASK_ID"), ("hyperqueue", "HQ_TASK_ID")] {
        let campaign = Campaign::new(PLAN, &NETS);
        for part in ["1", "2", "3", "4", "5"] {
            run_script(&campaign, engine, (variable, part));
        }
        let parts: Vec<String> =
            (1..=5).map(|i| format!("out of it/r.csv.parts/{i}.csv")).collect();
        let parts = parts.iter().map(String::as_str);
        let args: Vec<&str> =
            std::iter::once("--merge").chain(parts).chain(["-o", "out of it/r.csv"]).collect();
        assert_eq!(campaign.run(&args).status.code(), Some(0));
        parts_are_complete(&campaign);
    }
}
