//! What the rows of `brine bench` were made from: rows that do not belong to a campaign as it is
//! now are refused or made again, and never taken for its own.

mod common {
    pub(crate) mod campaign;
}

use common::campaign::{Campaign, PLAN};
use std::collections::HashMap;
use std::path::Path;
use std::process::Output;

const RUN: [&str; 4] = ["plan.toml", "-o", "r.csv", "--quiet"];
const NETS: [&str; 2] = ["peterson-3", "philosophers-5"];
/// Models times two properties, one more for the philosophers, two configurations, twice.
const ROWS: usize = 20;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn exit(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

/// A campaign that has been run.
fn done() -> Campaign {
    let campaign = Campaign::new(PLAN, &NETS);
    let output = campaign.run(&RUN);
    assert_eq!(exit(&output), 0, "{}", text(&output.stderr));
    campaign
}

/// The cells of each row by their column.
fn cells(campaign: &Campaign) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(campaign.path("r.csv")).expect("results");
    let rows = reader.deserialize().map(|row| row.expect("a whole row"));
    rows.collect()
}

fn file(campaign: &Campaign) -> String {
    std::fs::read_to_string(campaign.path("r.csv")).expect("results")
}

fn change_plan(campaign: &Campaign, from: &str, to: &str) {
    let path = campaign.path("plan.toml");
    let plan = std::fs::read_to_string(&path).expect("the plan");
    assert!(plan.contains(from));
    std::fs::write(path, plan.replace(from, to)).expect("written");
}

/// Checks that the command refuses rows, says these words, and leaves the file alone; then that
/// with `--rerun-changed` it makes so many rows again, and that all is well afterwards.
fn refused_then_made_again(campaign: &Campaign, words: &[&str], again: usize) {
    let before = file(campaign);
    let output = campaign.run(&RUN);
    let message = text(&output.stderr);
    assert_eq!(exit(&output), 2, "{message}");
    for word in words.iter().chain(&["--rerun-changed"]) {
        assert!(message.contains(word), "{word} in {message}");
    }
    assert_eq!(file(campaign), before, "nothing is written");
    let output = campaign.run(&[&RUN[..], &["--rerun-changed"]].concat());
    assert_eq!(exit(&output), 0, "{}", text(&output.stderr));
    let kept = |line: &&str| before.lines().any(|old| old == *line);
    let after = file(campaign);
    assert_eq!(after.lines().skip(1).filter(|line| !kept(line)).count(), again);
    assert_eq!(after.lines().count(), before.lines().count());
    assert_eq!(exit(&campaign.run(&RUN)), 0, "the rows are of this campaign now");
    assert_eq!(file(campaign), after);
}

#[test]
fn rows_say_what_they_were_made_from() {
    let campaign = done();
    let rows = cells(&campaign);
    assert_eq!(rows.len(), ROWS);
    let header = file(&campaign).lines().next().expect("a header").to_owned();
    let later = ",exit,cpu_s,repetition,stage,certificate_bytes,verify_s,version,options,limits,\
                 host,date,fingerprint";
    assert!(header.ends_with(later), "{header}");
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row["repetition"], (i % 2 + 1).to_string());
        assert!(row["version"].starts_with(concat!(env!("CARGO_PKG_VERSION"), "+")), "{row:?}");
        let options = if row["config"] == "plain" { "" } else { " --emptiness tarjan" };
        assert_eq!(row["options"], format!("--engine explicit{options} --threads 1"));
        assert_eq!(row["limits"], "60 s, 1024 MiB");
        assert!(!row["host"].is_empty());
        let date = &row["date"];
        let digits = date.replace(|c: char| c.is_ascii_digit(), "0");
        assert_eq!(digits, "0000-00-00T00:00:00Z", "{date}");
        let parts: Vec<&str> = row["fingerprint"].split('-').collect();
        assert!(parts.len() == 3 && parts.iter().all(|p| p.len() == 16), "{row:?}");
        let cpu: f64 = row["cpu_s"].parse().expect("a number");
        assert!(cpu > 0.0 && cpu < 60.0, "{row:?}");
        assert_eq!(row["stage"], "", "not auto");
    }
}

#[test]
fn the_deciding_stage_of_auto_has_its_column() {
    let plan = PLAN.replace("[\"--engine\", \"explicit\"]", "[\"--engine\", \"auto\"]");
    let campaign = Campaign::new(&plan, &["philosophers-5"]);
    assert_eq!(exit(&campaign.run(&RUN)), 0);
    let stages = ["hunt", "simplification", "explicit", "symbolic"];
    for row in cells(&campaign) {
        let stage = row["stage"].as_str();
        assert_eq!(stages.contains(&stage), row["config"] == "plain", "{row:?}");
    }
}

#[test]
fn other_limits_are_another_campaign() {
    let campaign = done();
    change_plan(&campaign, "time_s = 60", "time_s = 61");
    let words = ["20 rows: limits \"60 s, 1024 MiB\", now \"61 s, 1024 MiB\"", "and 10 more"];
    refused_then_made_again(&campaign, &words, ROWS);
    let output = campaign.run(&[&RUN[..], &["--memory", "1000"]].concat());
    assert_eq!(exit(&output), 2);
    assert!(text(&output.stderr).contains("now \"61 s, 1000 MiB\""));
}

#[test]
fn other_options_are_another_configuration() {
    let campaign = done();
    change_plan(&campaign, "\"tarjan\"]", "\"couvreur\"]");
    let words =
        ["10 rows: options \"--engine explicit --emptiness tarjan", "peterson-3", "[tarjan]"];
    refused_then_made_again(&campaign, &words, ROWS / 2);
}

#[test]
fn another_model_or_property_of_the_same_name_is_noticed() {
    let campaign = done();
    let net = campaign.path("nets/peterson-3.pnml");
    let pnml = std::fs::read_to_string(&net).expect("a net");
    std::fs::write(&net, pnml + "<!-- another one -->\n").expect("written");
    refused_then_made_again(&campaign, &["8 rows: the model's file has changed"], 8);
    change_plan(&campaign, "ltl = \"F deadlock\"", "ltl = \"F F deadlock\"");
    refused_then_made_again(&campaign, &["8 rows: the property has changed"], 8);
}

#[test]
fn another_build_is_noticed() {
    let campaign = done();
    // A program of the same version with a byte more, which no loader reads.
    let other = campaign.path("other-brine");
    let mut bytes = std::fs::read(env!("CARGO_BIN_EXE_brine")).expect("the program");
    bytes.push(0);
    std::fs::write(&other, bytes).expect("written");
    let access = std::fs::metadata(env!("CARGO_BIN_EXE_brine")).expect("there").permissions();
    std::fs::set_permissions(&other, access).expect("executable");
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new(&other);
        command.arg("bench").args(args).current_dir(campaign.dir.path()).output().expect("starts")
    };
    let output = run(&RUN);
    assert_eq!(exit(&output), 2);
    assert!(text(&output.stderr).contains("20 rows: version \""), "{}", text(&output.stderr));
    assert_eq!(exit(&run(&[&RUN[..], &["--rerun-changed"]].concat())), 0);
    assert_eq!(exit(&campaign.run(&RUN)), 2, "and back");
}

/// The file as an older version would have written it.
fn make_old(campaign: &Campaign) {
    let new = file(campaign);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(new.as_bytes());
    let mut writer = csv::Writer::from_path(campaign.path("r.csv")).expect("a file");
    for row in reader.records() {
        let row = row.expect("a row");
        writer.write_record(row.iter().take(23)).expect("written");
    }
    writer.flush().expect("written");
}

#[test]
fn files_of_older_versions_are_read_but_not_gone_on_with_unasked() {
    let campaign = done();
    make_old(&campaign);
    let report = std::process::Command::new(env!("CARGO_BIN_EXE_brine"))
        .args(["report", "r.csv", "--markdown", "-"])
        .current_dir(campaign.dir.path())
        .output()
        .expect("brine starts");
    assert_eq!(exit(&report), 0, "{}", text(&report.stderr));
    assert_eq!(exit(&campaign.run(&["--merge", "r.csv", "-o", "m.csv", "--quiet"])), 0);
    assert_eq!(campaign.rows("m.csv").len(), ROWS);
    refused_then_made_again(&campaign, &["20 rows: no fingerprint", "another output file"], ROWS);
}

#[test]
fn killed_while_rows_are_made_again_the_rest_is_made_later() {
    let campaign = done();
    let whole = campaign.rows("r.csv");
    change_plan(&campaign, "time_s = 60", "time_s = 61");
    let args = [&RUN[..], &["--rerun-changed"]].concat();
    let mut child = campaign.command(&args).spawn().expect("brine starts");
    std::thread::sleep(std::time::Duration::from_millis(150));
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert_eq!(exit(&campaign.run(&args)), 0);
    let strip = |rows: &[Vec<String>]| -> Vec<Vec<String>> {
        rows.iter().map(|row| row[..20].to_vec()).collect()
    };
    assert_eq!(strip(&campaign.rows("r.csv")), strip(&whole));
    assert!(cells(&campaign).iter().all(|row| row["limits"] == "61 s, 1024 MiB"));
}

#[test]
fn errors_are_tried_again_when_asked_for() {
    let campaign = done();
    // Peterson's rows become errors of the same origin.
    let whole = file(&campaign);
    let broken = whole.lines().map(|line| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if line.starts_with("peterson-3,G !deadlock,plain") {
            (cells[3], cells[6], cells[22]) = ("unknown".into(), "crash".into(), "4".into());
        }
        cells.join(",") + "\n"
    });
    let broken: String = broken.collect();
    std::fs::write(campaign.path("r.csv"), &broken).expect("written");
    assert_eq!(exit(&campaign.run(&RUN)), 0);
    assert_eq!(file(&campaign).matches(",crash,").count(), 2, "not unasked");
    assert_eq!(exit(&campaign.run(&[&RUN[..], &["--retry", "errors"]].concat())), 0);
    assert!(!file(&campaign).contains(",crash,"));
    let others = |text: &str| {
        let lines = text.lines().filter(|l| !l.starts_with("peterson-3,G !deadlock,plain"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(others(&file(&campaign)), others(&broken), "no other row is made again");
    assert_eq!(cells(&campaign).len(), ROWS);
    let slow = Campaign::new(&PLAN.replace("time_s = 60", "time_s = 0.000001"), &NETS);
    slow.run(&RUN);
    let open = file(&slow);
    slow.run(&[&RUN[..], &["--retry", "errors"]].concat());
    assert_eq!(file(&slow), open, "a timeout is no error");
    slow.run(&[&RUN[..], &["--retry", "unknown"]].concat());
    let again = file(&slow);
    assert!(
        again.lines().skip(1).all(|l| !l.contains(",unknown,") || !open.contains(l)),
        "{again}"
    );
}

#[test]
fn parts_of_different_campaigns_are_told_and_refused() {
    let campaign = done();
    let other = ["plan.toml", "-o", "other.csv", "--quiet", "--timeout", "61"];
    assert_eq!(exit(&campaign.run(&other)), 0);
    let merged = campaign.run(&["--merge", "r.csv", "other.csv", "-o", "m.csv", "--quiet"]);
    let message = text(&merged.stderr);
    assert_eq!(message.matches("MIXED ").count(), ROWS, "{message}");
    assert!(message.contains("60 s, 1024 MiB") && message.contains("61 s, 1024 MiB"));
    assert_eq!(exit(&campaign.run(&["plan.toml", "-o", "m.csv"])), 2);
    let args = ["plan.toml", "-o", "m.csv", "--quiet", "--rerun-changed"];
    assert_eq!(exit(&campaign.run(&args)), 0);
    assert_eq!(campaign.rows("m.csv"), campaign.rows("r.csv"), "what fits is kept, the rest goes");
}

#[test]
fn verdicts_that_become_known_later_are_compared_without_new_runs() {
    let campaign = done();
    let before = cells(&campaign);
    let verdicts = "model,property,verdict\npeterson-3,G !deadlock,violated\n";
    std::fs::write(campaign.path("known.csv"), verdicts).expect("written");
    let output = campaign.run(&[&RUN[..], &["--expected", "known.csv"]].concat());
    assert_eq!(exit(&output), 1, "{}", text(&output.stderr));
    let after = cells(&campaign);
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(old["date"], new["date"], "not run again");
        let wrong = new["model"] == "peterson-3" && new["property"] == "G !deadlock";
        assert_eq!(new["correct"] == "false", wrong, "{new:?}");
    }
    let missing = campaign.run(&[&RUN[..], &["--expected", "nowhere.csv"]].concat());
    assert_eq!(exit(&missing), 2);
    assert!(text(&missing.stderr).contains("nowhere.csv"));
}

/// A folder as the contest lays it out, with nets of ours.
fn contest_folder(at: &Path) {
    for net in ["peterson-3", "philosophers-5"] {
        let folder = at.join(format!("Our{net}-PT-1"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(net);
        std::fs::copy(from.with_extension("pnml"), folder.join("model.pnml")).expect("copied");
        let property = |id: &str, body: &str| {
            let id = format!("Our{net}-PT-1-{id}");
            format!(
                "<property><id>{id}</id><description>ours</description><formula><all-paths>{body}\
                 </all-paths></formula></property>"
            )
        };
        let always = "<globally><integer-le><integer-constant>0</integer-constant>\
                      <integer-constant>1</integer-constant></integer-le></globally>";
        let never = "<finally><integer-le><integer-constant>1</integer-constant>\
                     <integer-constant>0</integer-constant></integer-le></finally>";
        let all = property("LTLCardinality-00", always) + &property("LTLCardinality-01", never);
        let xml = format!(
            "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">{all}</property-set>\n"
        );
        std::fs::write(folder.join("LTLCardinality.xml"), xml).expect("written");
    }
}

#[test]
fn every_shipped_plan_runs_on_any_folder_of_contest_models() {
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let models = dir.path().join("my models [2]");
    contest_folder(&models);
    let mut seen = 0;
    for entry in std::fs::read_dir(plans).expect("plans") {
        // A copy elsewhere, where nothing of what the plan names is there.
        let plan = entry.expect("an entry").path();
        if plan.is_dir() {
            // Plans for other programs, which may not be here.
            continue;
        }
        let copy = dir.path().join("deep/er").join(plan.file_name().expect("a name"));
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        let text_of = std::fs::read_to_string(&plan).expect("a plan");
        std::fs::write(&copy, &text_of).expect("written");
        let out = dir.path().join("r.csv");
        let _ = std::fs::remove_file(&out);
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_brine"))
            .arg("bench")
            .arg(&copy)
            .arg("--models")
            .arg(&models)
            .arg("-o")
            .arg(&out)
            .output()
            .expect("brine starts");
        let message = text(&output.stderr);
        assert_eq!(exit(&output), 0, "{}: {message}", plan.display());
        let mut reader = csv::Reader::from_path(&out).expect("results");
        let rows: Vec<HashMap<String, String>> =
            reader.deserialize().map(|row| row.expect("a row")).collect();
        assert!(rows.iter().all(|row| row["model"].starts_with("Our")), "{rows:?}");
        assert!(rows.iter().all(|row| row["verdict"] != "unknown"), "{rows:?}");
        let configurations = text_of.matches("[[configurations]]").count();
        assert_eq!(rows.len(), 2 * 2 * configurations, "{}", plan.display());
        if text_of.contains("\nexpected = \"..") {
            assert!(message.contains("no verdict is compared"), "{message}");
            assert!(message.contains("no model has a file LTLFireability.xml"), "{message}");
        }
        seen += 1;
    }
    assert!(seen >= 4, "{seen} plans");
}
