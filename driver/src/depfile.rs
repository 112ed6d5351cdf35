//! What a module was made of, as a rule for Make; Ninja, CMake and Meson read it too. gcc's `-MD` writes the same.

use std::path::Path;

/// The rule that `made` is out of date where one of the files is newer.
///
/// # Errors
/// A path that such a rule can't hold, in a user's words.
pub fn rule(made: &Path, read: &[&Path]) -> Result<String, String> {
    let words: Vec<String> = read.iter().map(|file| escaped(file)).collect::<Result<_, _>>()?;
    Ok(format!("{}: {}\n", escaped(made)?, words.join(" \\\n  ")))
}

/// A path as a word of a rule: backslashes are literal, except those before a blank, which are doubled.
fn escaped(path: &Path) -> Result<String, String> {
    let Some(text) = path.to_str().filter(|text| !text.contains(['\n', '\r'])) else {
        return Err(format!("--depfile: a rule for Make cannot hold the name {path:?}"));
    };
    let mut word = String::new();
    let mut backslashes = 0;
    for c in text.chars() {
        match c {
            ' ' | '\t' => word.push_str(&"\\".repeat(backslashes + 1)),
            '#' => word.push('\\'),
            '$' => word.push('$'),
            _ => {}
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        word.push(c);
    }
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_something_to_make() {
        let made =
            rule(Path::new("out dir/k.abi3.so"), &[Path::new("a $x#1.pydd"), Path::new("samples.txt")]);
        assert_eq!(made.unwrap(), "out\\ dir/k.abi3.so: a\\ $$x\\#1.pydd \\\n  samples.txt\n");
        assert_eq!(escaped(Path::new("a\\b")).unwrap(), "a\\b");
        assert_eq!(escaped(Path::new("a\\ b")).unwrap(), "a\\\\\\ b");
        assert!(escaped(Path::new("a\nb")).unwrap_err().contains("cannot hold"));
    }
}
