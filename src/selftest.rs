//! The self-test: the known messages, and whether each digest is the published one.

use crate::algorithm::Algorithm;
use crate::vectors::MESSAGES;

/// The first line.
pub fn heading(algorithm: &Algorithm) -> String {
    format!("{} test suite:\n", algorithm.tag)
}

/// A line for each message, with whether its digest is right.
pub fn lines(algorithm: &Algorithm) -> impl Iterator<Item = (String, bool)> {
    MESSAGES.iter().zip(algorithm.answers).map(|(message, answer)| {
        let digest = algorithm.digest(message.as_bytes()).to_hex();
        let right = digest == *answer;
        let verdict = if right { "verified correct" } else { "INCORRECT RESULT!" };
        (format!("{} (\"{message}\") = {digest} - {verdict}\n", algorithm.tag), right)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ALGORITHMS;

    #[test]
    fn a_wrong_digest_is_told() {
        let [md5, sha1, ..] = &ALGORITHMS;
        let mixed_up = Algorithm { answers: sha1.answers, other_tags: &[], perl: None, ..*md5 };
        let (line, right) = lines(&mixed_up).next().unwrap();
        assert_eq!(line, "MD5 (\"\") = d41d8cd98f00b204e9800998ecf8427e - INCORRECT RESULT!\n");
        assert!(!right);
    }
}
