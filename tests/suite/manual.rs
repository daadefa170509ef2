//! The manual pages that `--generate man` prints.

use std::ffi::OsStr;
use std::process::Command;

use bsdigest::cli;
use bsdigest::invocation::{Dialect, Invocation};

use crate::support::{Folder, is_there};

fn page(name: &str) -> String {
    let ran = Folder::new().run(name, ["--generate", "man"]);
    assert_eq!((ran.text().1, ran.status), ("", 0));
    ran.text().0.to_owned()
}

#[test]
fn each_name_has_the_page_of_its_dialect_with_every_name_and_option_in_it() {
    for dialect in Dialect::ALL {
        let names = dialect.names();
        let page = page(&names[0]);
        assert!(page.contains(&format!("\n.SH NAME\n{} \\- ", names.join(", "))), "{page}");
        for name in &names {
            assert_eq!(self::page(name), page, "{name}");
        }
        let command = cli::command(&Invocation::from_argv0(OsStr::new(&names[0])));
        for option in command.get_arguments() {
            let long = option.get_long().map(|long| format!("\\fB\\-\\-{}\\fR", long.replace('-', "\\-")));
            let letter = option.get_short().map(|letter| format!("\\fB\\-{letter}\\fR"));
            for shown in long.into_iter().chain(letter) {
                assert!(page.contains(&shown), "{shown} of {}", names[0]);
            }
        }
    }
}

#[test]
fn mandoc_and_groff_find_nothing_wrong_with_the_pages() {
    for name in ["md5", "md5sum", "shasum"] {
        let folder = Folder::new().file("page", page(name));
        let told = |command: &mut Command| {
            let output = command.arg(folder.path("page")).output().unwrap();
            let told = if command.get_program() == "mandoc" { output.stdout } else { output.stderr };
            String::from_utf8(told).unwrap()
        };
        if is_there("mandoc") {
            let told = told(Command::new("mandoc").args(["-T", "lint"]));
            // All names must stand on one line, from which the index of manual pages is made.
            let is_about_names = |line: &&str| line.contains("STYLE: input text line longer than 80 bytes: md5");
            assert_eq!(told.lines().find(|line| !is_about_names(line)), None, "{name}");
        }
        if is_there("groff") {
            assert_eq!(told(Command::new("groff").args(["-ww", "-man", "-Tutf8"])), "", "{name}");
        }
    }
}

#[test]
fn the_pages_examples_are_what_is_printed() {
    for name in ["md5", "md5sum", "shasum"] {
        let page = page(name).replace("\\-", "-").replace("\\e", "\\");
        let examples = page.split("\n.EX\n").skip(1).filter_map(|text| text.split("\n.EE\n").next());
        let (typed, printed): (Vec<&str>, Vec<&str>) = examples
            .filter(|text| text.starts_with("$ "))
            .flat_map(str::lines)
            .partition(|line| line.starts_with("$ "));
        let script = typed.iter().map(|line| format!("{}\n", &line[2..])).collect::<String>();
        let ran = Folder::new().file("a.txt", "alpha\n").file("b.txt", "beta\n").shell(&script);
        assert_eq!((ran.text().0.lines().collect::<Vec<_>>(), ran.text().1), (printed, ""), "{name}");
        assert!(typed.len() >= 4, "{name}");
    }
}
