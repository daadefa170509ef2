//! The tour in the README shows what the programs really print.

use std::fs;

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
