//! What a module is called and where it goes.

use crate::host::library;
use crate::options::{Options, Stage};
use std::path::{Path, PathBuf};

/// Python's words that are no names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The name by which Python imports the module that is made of a file, and the file that is written; nothing
/// is written for stages that are printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub name: String,
    pub target: Option<PathBuf>,
}

impl Place {
    /// The place of what is made of `input`.
    ///
    /// # Errors
    /// The name is none that Python can import, or the folder does not exist.
    pub fn of(input: &Path, options: &Options) -> Result<Self, String> {
        let output = options.output.as_deref();
        if let Some(host) = options.host {
            return library::place(input, output, host);
        }
        if let Some(folder) = output.filter(|o| ends_with_slash(o) && !o.is_dir()) {
            return Err(format!("there is no folder {}", folder.display()));
        }
        let file = output.filter(|o| !o.is_dir());
        let writes_text = !matches!(options.emit, Stage::Module | Stage::Obj);
        let name = match file {
            // `name.abi3.so`, `name.cpython-312-x86_64-linux-gnu.so`, `name.o`; `/dev/null` names nothing.
            Some(file) if !writes_text && (file.is_file() || !file.exists()) => {
                file_name(file).split('.').next().unwrap_or_default().to_owned()
            }
            _ => input.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        if writes_text {
            // `-` is standard output, as in other compilers.
            let target = file.filter(|file| *file != Path::new("-")).map(Path::to_owned);
            return Ok(Self { name, target });
        }
        if let Some(reason) = unimportable(&name) {
            let ascii = if reason == NOT_ASCII { "module".to_owned() } else { suggestion(&name) };
            return Err(match file {
                Some(file) => format!("{}: `{name}` {reason}; -o {ascii}.abi3.so would do", file.display()),
                None => format!(
                    "{}: `{name}` {reason}, so the module could not be imported; rename the file, or say \
                     -o {ascii}.abi3.so",
                    input.display()
                ),
            });
        }
        let made = format!("{name}.{}", if options.emit == Stage::Obj { "o" } else { "abi3.so" });
        let target = match (file, output) {
            (Some(file), _) => file.to_owned(),
            (None, Some(folder)) => folder.join(made),
            (None, None) => input.with_file_name(made),
        };
        Ok(Self { name, target: Some(target) })
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

const NOT_ASCII: &str = "is not ASCII";

/// Why Python can't import a module of this name; `None` where it can.
pub fn unimportable(name: &str) -> Option<&'static str> {
    if KEYWORDS.contains(&name) {
        return Some("is a keyword of Python");
    }
    // Python looks for another symbol in modules of such names, and many tools stumble over them.
    if !name.is_ascii() {
        return Some(NOT_ASCII);
    }
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on_well = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (!starts_well || !goes_on_well).then_some("is not a Python identifier")
}

/// A name like this one that can be imported.
fn suggestion(name: &str) -> String {
    let mut near: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if KEYWORDS.contains(&name) {
        near.push('_');
    } else if !near.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        near.insert(0, '_');
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(input: &str, output: Option<&str>) -> Result<Place, String> {
        Place::of(Path::new(input), &Options { output: output.map(PathBuf::from), ..Options::default() })
    }

    #[test]
    fn a_module_stands_beside_its_source() {
        let made = place("ref/abs.pydd", None).unwrap();
        assert_eq!((made.name.as_str(), made.target), ("abs", Some(PathBuf::from("ref/abs.abi3.so"))));
        let made = place("a/b.pydd", Some("x/c.cpython-312-x86_64-linux-gnu.so")).unwrap();
        assert_eq!(made.name, "c");
    }

    #[test]
    fn names_that_python_cannot_import() {
        for (input, part) in [
            ("my-kernel.pydd", "-o my_kernel.abi3.so"),
            ("2d.pydd", "-o _2d.abi3.so"),
            ("lambda.pydd", "is a keyword of Python"),
            ("a.b.pydd", "`a.b` is not a Python identifier"),
            ("größe.pydd", "is not ASCII"),
        ] {
            let message = place(input, None).unwrap_err();
            assert!(message.contains(part), "{message}");
            assert!(place(input, Some("good.so")).is_ok());
        }
        assert_eq!(place("good.pydd", Some("/dev/null")).unwrap().name, "good");
        assert!(place("good.pydd", Some("not-good.so")).unwrap_err().contains("-o not_good.abi3.so"));
        assert!(place("good.pydd", Some("no/such/folder/")).unwrap_err().contains("no folder"));
    }

    #[test]
    fn what_is_printed_may_have_any_name() {
        let options = Options { emit: Stage::Ir, ..Options::default() };
        assert_eq!(Place::of(Path::new("my-kernel.pydd"), &options).unwrap().target, None);
        let options = Options { output: Some(PathBuf::from("-")), ..options };
        assert_eq!(Place::of(Path::new("kernel.pydd"), &options).unwrap().target, None);
    }
}
