//! What is written of the program: the tour in the README shows what is really printed, and the promises name tests there are.

use std::fs;
use std::path::Path;

use crate::support::Folder;

const README: &str = "README.md";
const INDENT: &str = "    ";

/// The tour's text with the output of each of its commands behind it.
fn with_output(tour: &str) -> String {
    let folder = Folder::new().file("a.txt", "alpha\n").file("b.txt", "beta\n");
    let commands = tour.lines().filter_map(|line| line.strip_prefix(INDENT)?.strip_prefix("$ "));
    // One shell runs them all, so that each sees the status of the one before.
    let script: String = commands.map(|command| format!("{command}\nstatus=$?; echo '--'; (exit $status)\n")).collect();
    let ran = folder.shell(&format!("exec 2>&1\n{script}"));
    let mut outputs = ran.text().0.split("--\n").map(|output| output.lines().map(|line| format!("{INDENT}{line}\n")));
    let mut text = String::new();
    for line in tour.lines() {
        let is_command = line.strip_prefix(INDENT).is_some_and(|line| line.starts_with("$ "));
        if is_command || !line.starts_with(INDENT) {
            text += &format!("{line}\n");
        }
        if is_command {
            text.extend(outputs.next().unwrap());
        }
    }
    text
}

#[test]
fn the_tour_shows_what_is_printed() {
    let path = format!("{}/{README}", env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(&path).unwrap();
    let start = readme.find("## A short tour").unwrap();
    let end = start + readme[start..].find("## Options").unwrap();
    let tour = with_output(&readme[start..end]);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, [&readme[..start], &tour, &readme[end..]].concat()).unwrap();
        return;
    }
    assert_eq!(readme[start..end], tour, "UPDATE_DOCS=1 cargo test the_tour writes it anew");
}

/// The text of a file of tests, or of all in a folder of them, by its name.
fn tests_in(module: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/suite", "src"].map(|folder| root.join(folder).join(module));
    let files =
        folders.iter().flat_map(|folder| [folder.with_extension("rs"), folder.join("mod.rs"), folder.join("tests.rs")]);
    let text: String = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
    text.contains("#[test]").then_some(text)
}

#[test]
fn each_promise_names_tests_that_there_are() {
    let page = fs::read_to_string(format!("{}/tests/promises.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || b"_:0123456789".contains(&byte));
    let mut names = 0;
    for (promise, tests) in rows.skip(1) {
        let before = names;
        for name in tests.split('`').skip(1).step_by(2).filter(is_name) {
            names += 1;
            let path = name.replace("::tests", "");
            let (module, test) = path.rsplit_once("::").unwrap_or((&path, ""));
            let as_file = tests_in(&path.replace("::", "/"));
            let is_test =
                tests_in(&module.replace("::", "/")).is_some_and(|text| text.contains(&format!("fn {test}() {{")));
            assert!(as_file.is_some() || is_test, "there is no {name}");
        }
        assert!(names > before || tests.contains("sanitize"), "nothing tries this: {promise}");
    }
    assert!(names > 20, "{names}");
}
