//! Docstrings as comments.

/// `/* … */` with the lines of a docstring and of notes, or nothing.
pub fn comment(doc: Option<&str>, notes: &[String]) -> String {
    let doc = doc.unwrap_or_default().replace("*/", "* /").replace("/*", "/ *");
    let lines: Vec<&str> =
        doc.trim().lines().chain(notes.iter().map(String::as_str)).map(str::trim_end).collect();
    match lines.as_slice() {
        [] => String::new(),
        [one] => format!("/* {one} */\n"),
        _ => format!("/* {}\n */\n", lines.join("\n * ")).replace(" * \n", " *\n"),
    }
}
