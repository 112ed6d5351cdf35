//! What tells whether a module was made of a source.

use pydd_frontend::source::SourceFile;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// SHA-256 of a source, in hexadecimal digits: of its bytes as they are, a byte order mark and line ends included. Where the text was made
/// of one file for the compiler, that of the file.
#[must_use]
pub fn of_source(bytes: &[u8]) -> String {
    SourceFile::stated_sha256(bytes).unwrap_or_else(|| hexadecimal(&Sha256::digest(bytes)))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_bytes_or_of_the_one_file() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(of_source(b""), empty);
        let of = |line: &str, rest: &str| of_source(format!("#pydd:part {line}\n{rest}").as_bytes());
        let stated = format!("{{\"file\": \"a.pydd\", \"line\": 1, \"sha256\": \"{empty}\"}}");
        assert_eq!(of(&stated, "x = 1\n"), empty);
        // Of a text of several parts no file's digest says what it is, nor does what is no digest.
        assert_ne!(of(&stated, "x = 1\n#pydd:part {\"file\": \"b.pydd\", \"line\": 1}\n"), empty);
        assert_eq!(of("{\"file\": \"a\", \"line\": 1, \"sha256\": \"e3\"}", "").len(), 64);
    }
}
