//! The completions that `--generate` prints, in the shells themselves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{Folder, feed, is_there};

/// Writes its own name and its arguments, each with a line feed, and a NUL behind them.
const RECORDER: &str = "#!/bin/sh\nprintf '%s\\n' \"${0##*/}\" \"$@\" >>../record\nprintf '\\0' >>../record\n";

/// What is typed, and the last word that TAB makes of it. They are typed in a folder that holds `alpha.txt` alone.
const CASES: [(&str, &str); 27] = [
    ("md5 --buf", "--buffer-size"),
    ("sha256 --buf", "--buffer-size"),
    ("skein1024 --check-", "--check-list"),
    ("md5 ", "alpha.txt"),
    ("sha256 al", "alpha.txt"),
    ("rmd160 -q ", "alpha.txt"),
    ("sha1 --quiet al", "alpha.txt"),
    ("md5 --algorithm sk", "skein"),
    ("sha512t224 --algorithm rm", "rmd160"),
    ("md5 --check-list al", "alpha.txt"),
    ("sha1 --files-from al", "alpha.txt"),
    ("md5 --base ../b", "../bin"),
    ("sha384 --install-links ../b", "../bin"),
    ("md5 --generate complete-z", "complete-zsh"),
    ("md5sum --ign", "--ignore-missing"),
    ("sha256sum --buf", "--buffer-size"),
    ("skein256sum -c al", "alpha.txt"),
    ("sha1sum ", "alpha.txt"),
    ("sha512sum --base ../b", "../bin"),
    ("sha224sum --generate complete-f", "complete-fish"),
    ("rmd160sum --zer", "--zero"),
    ("shasum --alg", "--algorithm"),
    ("shasum --algorithm 51222", "512224"),
    ("shasum -a 38", "384"),
    ("shasum --UNI", "--UNIVERSAL"),
    ("shasum -a 256 ", "alpha.txt"),
    ("shasum --generate m", "man"),
];

/// A folder with a shell's script, and in `bin` programs by the names of the cases that record how they are called.
fn folder(shell: &str) -> Folder {
    let scripts = ["md5", "md5sum", "shasum"].map(|name| {
        let ran = Folder::new().run(name, [format!("--generate=complete-{shell}")]);
        assert_eq!((ran.text().1, ran.status), ("", 0));
        ran.text().0.to_owned()
    });
    let folder = Folder::new().file("work/alpha.txt", "").file("script", scripts.concat());
    CASES.iter().fold(folder, |folder, (typed, _)| {
        let path = format!("bin/{}", typed.split(' ').next().unwrap());
        let folder = folder.file(&path, RECORDER);
        fs::set_permissions(folder.path(&path), fs::Permissions::from_mode(0o755)).unwrap();
        folder
    })
}

/// Types each case, a TAB and a line feed to a shell at a terminal; gives the last word of each line that ran.
fn type_to(shell: &str, folder: &Folder) -> Vec<String> {
    let lines = CASES.iter().map(|(typed, _)| format!("{typed}\t\n")).collect::<String>();
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("script");
    command.args(["-qec", shell, "/dev/null"]).current_dir(folder.path("work")).env("PATH", path).env("HOME", "..");
    feed(command.env("TERM", "dumb").env_remove("ZDOTDIR"), format!("{lines}exit\n").as_bytes());
    let record = fs::read_to_string(folder.path("record")).unwrap();
    let last_word = |call: &str| call.lines().last().unwrap_or_default().trim_end_matches('/').to_owned();
    record.split_terminator('\0').map(last_word).collect()
}

fn wanted() -> Vec<&'static str> {
    CASES.map(|(_, word)| word).to_vec()
}

#[test]
fn bash_completes_options_values_and_files_for_every_name() {
    if is_there("bash") && is_there("script") {
        assert_eq!(type_to("bash --rcfile ../script -i", &folder("bash")), wanted());
    }
}

#[test]
fn zsh_completes_options_values_and_files_for_every_name() {
    if is_there("zsh") && is_there("script") {
        let setup = "autoload -Uz compinit\ncompinit -u -D\nsource ../script\n";
        assert_eq!(type_to("zsh -i", &folder("zsh").file(".zshrc", setup)), wanted());
    }
}

#[test]
fn fish_completes_options_values_and_files_for_every_name() {
    if !is_there("fish") {
        return;
    }
    let folder = folder("fish");
    let complete = |(typed, _): &(&str, &str)| {
        let mut command = Command::new("fish");
        let args = ["--no-config", "-c", "source ../script; complete -C $argv[1]", typed];
        let output = command.args(args).current_dir(folder.path("work")).env("HOME", "..").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        common_start(text.lines().map(|line| line.split('\t').next().unwrap())).trim_end_matches('/').to_owned()
    };
    assert_eq!(CASES.iter().map(complete).collect::<Vec<_>>(), wanted());
}

/// What all candidates start with, which is what TAB writes.
fn common_start<'a>(candidates: impl Iterator<Item = &'a str>) -> &'a str {
    let shared = |one: &'a str, other: &str| &one[..one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()];
    candidates.reduce(shared).unwrap_or_default()
}
