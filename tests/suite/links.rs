//! Links of the family's names, as `--install-links` makes them.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::support::{Folder, PROGRAM, Ran};

const NAMES: [&str; 12] = [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512t224",
    "sha512t256",
    "rmd160",
    "skein256",
    "skein512",
    "skein1024",
];

/// A folder with the program as `bin/md5`, and an empty one beside it.
fn installed() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("bin")).unwrap();
    // What this process wrote could not be run while another test's child has the descriptor still open.
    let copied = Command::new("cp").arg(PROGRAM).arg(folder.path("bin/md5")).status().unwrap();
    assert!(copied.success());
    fs::create_dir(folder.path("other")).unwrap();
    folder
}

/// Runs the folder's own program.
fn run(folder: &Folder, args: &[&str]) -> Ran {
    let mut command = Command::new(folder.path("bin/md5"));
    command.arg0("md5").args(args).current_dir(folder.path(".")).output().unwrap().into()
}

#[test]
fn the_names_are_linked_beside_the_program_once() {
    let folder = installed();
    let lines = |end: &str| NAMES[1..].iter().map(|name| format!("bin/{name} -> md5{end}\n")).collect::<String>();
    assert_eq!(run(&folder, &["--install-links", "bin"]).text(), (lines("").as_str(), "", 0));
    assert_eq!(run(&folder, &["--install-links", "bin"]).text(), (lines(" (already there)").as_str(), "", 0));
    let ran: Ran = Command::new(folder.path("bin/skein256")).args(["-s", ""]).output().unwrap().into();
    assert!(ran.text().0.starts_with("Skein256 (\"\") = "));
}

#[test]
fn links_lead_to_the_program_wherever_both_are_moved() {
    let folder = installed();
    let ran = run(&folder, &["--install-links=other/", "--names", "sum,shasum"]);
    let lines: Vec<&str> = ran.text().0.lines().collect();
    assert_eq!((lines.len(), lines[0], ran.status), (25, "other/md5 -> ../bin/md5", 0));
    assert_eq!((lines[12], lines[24]), ("other/md5sum -> ../bin/md5", "other/shasum -> ../bin/md5"));
    fs::create_dir(folder.path("moved")).unwrap();
    for name in ["bin", "other"] {
        fs::rename(folder.path(name), folder.path("moved").join(name)).unwrap();
    }
    let ran: Ran = Command::new(folder.path("moved/other/shasum")).arg("/dev/null").output().unwrap().into();
    assert_eq!(ran.text(), ("da39a3ee5e6b4b0d3255bfef95601890afd80709  /dev/null\n", "", 0));
}

#[test]
fn what_others_made_is_left_and_only_force_replaces_it() {
    let folder = installed().file("other/sha1", "a file").file("other/sha256/file", "in a folder");
    symlink("nowhere", folder.path("other/sha224")).unwrap();
    symlink(folder.path("bin/md5"), folder.path("other/sha384")).unwrap();
    let leads = |name: &str| fs::read_link(folder.path("other").join(name)).ok();
    let ran = run(&folder, &["--install-links", "other"]);
    let taken = ["sha1", "sha224", "sha256"].map(|name| format!("md5: other/{name}: File exists\n")).concat();
    assert_eq!((ran.text().1, ran.status), (taken.as_str(), 1));
    assert_eq!(ran.text().0.lines().count(), NAMES.len() - 3);
    assert_eq!(leads("sha224").as_deref(), Some(Path::new("nowhere")));
    assert!(ran.text().0.contains("bin/md5 (already there)\n"), "by a link of another form");

    let ran = run(&folder, &["--install-links", "other", "--force"]);
    assert_eq!((ran.text().1, ran.status), ("md5: other/sha256: Is a directory\n", 1));
    assert_eq!(leads("sha1").as_deref(), Some(Path::new("../bin/md5")));
    assert_eq!(leads("sha224").as_deref(), Some(Path::new("../bin/md5")));
    let left = fs::read_dir(folder.path("other")).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        !NAMES.iter().any(|known| name == *known)
    });
    assert_eq!(left.count(), 0, "nothing is left behind");
}

#[test]
fn the_program_itself_is_never_replaced() {
    let folder = installed();
    symlink("bin", folder.path("alias")).unwrap();
    let ran = run(&folder, &["--install-links", "alias", "--force", "--names=md5"]);
    assert_eq!((ran.text().0.lines().count(), ran.status), (NAMES.len() - 1, 0));
    assert!(fs::symlink_metadata(folder.path("bin/md5")).unwrap().is_file());
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let ran = run(&installed(), &["--install-links", "nope"]);
    assert_eq!(ran.text(), ("", "md5: nope: No such file or directory\n", 1));
}
