//! Many cached files at once, in turn with the coreutils, by themselves and under `xargs -P2`, and with `--jobs=1`. Compare the ratios
//! of a block with its first line. It writes 3 GB to the folder of temporary files.

mod common;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use common::{compare, median};

/// What passes the names in `$NAMES`, each ended by NUL, to a command, all at once as far as the system lets it.
const ALL: &str = "xargs -0 -s 1900000 <\"$NAMES\"";

fn main() {
    let folder = tempfile::tempdir().unwrap();
    // Where the names are without a folder, as in a shell's `md5 *`.
    let small = folder.path().join("small");
    let names = make_files(&small, 20_000, 4 << 10);
    std::env::set_current_dir(&small).unwrap();
    let commands = ["$MD5".to_owned(), "$MD5 --jobs=1".to_owned(), "md5sum".to_owned()];
    let mut commands = commands.map(|command| format!("{ALL} {command}")).to_vec();
    commands.push("xargs -0 -P2 -n500 md5sum <\"$NAMES\"".to_owned());
    compare("20000 files of 4 KiB, md5", &commands, &[("NAMES", &names)]);
    println!("  opening, reading and closing them, one thread {:31.3} s", median_of_reading(&small));

    let medium = folder.path().join("medium");
    let names = make_files(&medium, 2_000, 1 << 20);
    std::env::set_current_dir(&medium).unwrap();
    let mut commands = ["$MD5", "md5sum"].map(|command| format!("{ALL} {command}")).to_vec();
    commands.push("xargs -0 -P2 -n50 md5sum <\"$NAMES\"".to_owned());
    compare("2000 files of 1 MiB, md5", &commands, &[("NAMES", &names)]);
    for algorithm in ["md5", "sha1", "sha256", "sha512", "rmd160", "skein512"] {
        let commands = ["", " --jobs=1"].map(|jobs| format!("{ALL} $MD5 --algorithm={algorithm}{jobs}"));
        compare(&format!("2000 files of 1 MiB, {algorithm}"), &commands, &[("NAMES", &names)]);
    }

    for tree in [sysroot(), "/usr".to_owned()] {
        let names = folder.path().join("names");
        let find = "find \"$TREE\" -xdev -type f -print0 >\"$NAMES\"; xargs -0 cat <\"$NAMES\" >/dev/null";
        let found = Command::new("sh").args(["-c", find]).env("TREE", &tree).env("NAMES", &names).status().unwrap();
        assert!(found.success());
        for (algorithm, peer) in [("md5", "md5sum"), ("sha256", "sha256sum")] {
            let commands = [format!("{ALL} $MD5 --algorithm={algorithm}"), format!("{ALL} {peer}")];
            compare(&format!("{tree}, {algorithm}"), &commands, &[("NAMES", &names)]);
        }
    }

    std::env::set_current_dir(sysroot()).unwrap();
    let trees = [
        "$MD5 --recursive .",
        "find . -type f -print0 | $MD5 --files-from=- --null",
        "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 $MD5",
        "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum",
    ];
    compare("the tree of the toolchain", &trees.map(str::to_owned), &[]);

    let listed = folder.path().join("listed");
    let names = make_files(&listed, 100_000, 1 << 10);
    std::env::set_current_dir(&listed).unwrap();
    let list = folder.path().join("list");
    let write = format!("{ALL} md5sum >\"$LIST\"");
    assert!(
        Command::new("sh").args(["-c", &write]).env("NAMES", &names).env("LIST", &list).status().unwrap().success()
    );
    let commands = ["$MD5 --check-list \"$LIST\"", "$MD5 --jobs=1 --check-list \"$LIST\"", "md5sum -c \"$LIST\""];
    compare("a list of 100000 files of 1 KiB", &commands.map(str::to_owned), &[("LIST", &list)]);
}

/// Makes as many files of so many bytes, and a file of their names.
fn make_files(folder: &Path, count: usize, size: usize) -> std::path::PathBuf {
    fs::create_dir(folder).unwrap();
    let mut content = vec![0x5a; size];
    let mut names = Vec::new();
    for number in 0..count {
        content[..8].copy_from_slice(&number.to_le_bytes());
        let name = format!("{number:06}");
        fs::write(folder.join(&name), &content).unwrap();
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    let path = folder.with_extension("names");
    fs::write(&path, names).unwrap();
    path
}

/// The median of opening, reading and closing each file of a folder, in seconds.
fn median_of_reading(folder: &Path) -> f64 {
    let paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let mut buffer = vec![0; 1 << 20];
    let times = (0..9).map(|_| {
        let start = Instant::now();
        for path in &paths {
            assert!(File::open(path).unwrap().read(&mut buffer).unwrap() > 0);
        }
        start.elapsed()
    });
    median(times.collect()).as_secs_f64()
}

fn sysroot() -> String {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
