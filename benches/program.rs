//! The whole program on one cached file of 1 GiB, in turn with its peers: by algorithm with and without read-ahead, by buffer size,
//! with several digests, with its progress shown, and passing through a pipe beside tee(1). Compare the ratios of a block with its
//! first line.

mod common;

use std::fs::File;
use std::io::Write;

use common::compare;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cached");
    let mut file = File::create(&path).unwrap();
    let part = vec![0x5a; 1 << 20];
    (0..1024).for_each(|_| file.write_all(&part).unwrap());
    let ours = |arguments: &str| format!("$MD5 {arguments} \"$FILE\"");
    for name in ["md5", "sha256", "sha512"] {
        let commands = [
            ours(&format!("--read-ahead=0 --algorithm={name}")),
            ours(&format!("--algorithm={name}")),
            format!("openssl dgst -{name} \"$FILE\""),
            format!("{name}sum \"$FILE\""),
        ];
        compare(name, &commands, &[("FILE", &path)]);
    }
    let sizes = ["1M", "64K", "256K", "4M", "16M"];
    compare("buffer sizes", &sizes.map(|size| ours(&format!("--buffer-size={size}"))), &[("FILE", &path)]);
    let several = ["md5,sha256,sha512", "md5,sha256,sha512 --jobs=1", "md5", "sha256", "sha512"];
    compare("several digests", &several.map(|names| ours(&format!("--algorithm={names}"))), &[("FILE", &path)]);
    // On a terminal, which script(1) of util-linux makes.
    let shown = ["", " --progress"].map(|option| format!("script -qec '$MD5{option} \"$FILE\" \"$FILE\"' /dev/null"));
    compare("two files, on a terminal", &shown, &[("FILE", &path)]);
    let passing = ["$MD5 --algorithm=sha256 -p", "tee /dev/null"];
    compare(
        "passing through",
        &passing.map(|command| format!("{command} <\"$FILE\" | cat >/dev/null")),
        &[("FILE", &path)],
    );
}
