//! `[tool.pydd]` of the nearest `pyproject.toml` that has one: options that hold for the files of a project. What the command
//! line says comes first.

use crate::options::{Cpus, Devices, Options};
use pydd_frontend::diagnostics::did_you_mean;
use pydd_frontend::source::SourceFile;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const FILE: &str = "pyproject.toml";

/// What may stand in the table; the last ones are for those who build packages.
const KEYS: [&str; 7] = ["opt-level", "cpu", "flags", "sources", "target", "root", "wraps"];

/// The options that may stand in `flags`, and what each sets. Of two that exclude each other the command line's counts.
const FLAGS: [(&str, fn(&mut Options)); 7] = [
    ("--strict-fp", |options| options.strict_fp |= !options.fast_math),
    ("--fast-math", |options| options.fast_math |= !options.strict_fp),
    ("--unchecked", |options| options.unchecked |= !options.check_races),
    ("--check-races", |options| options.check_races |= !options.unchecked),
    ("--auto-parallel", |options| options.auto_parallel = true),
    ("--gpu", |options| {
        if options.gpu.0.is_empty() {
            options.gpu = Devices::of(Devices::DEFAULT).unwrap_or_default();
        }
    }),
    ("-g", |options| options.debug = true),
];

/// Of the options that always have a value, those that the command line gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Given {
    pub opt_level: bool,
    pub cpu: bool,
}

/// The options for a file, with what its project says.
///
/// # Errors
/// The settings can't be read, or are wrong: in a user's words.
pub fn apply(options: &Options, path: &Path, bytes: &[u8]) -> Result<Options, String> {
    let mut options = options.clone();
    let Some(given) = options.project else { return Ok(options) };
    let Some((file, table)) = folder(path, bytes).map(|folder| nearest(&folder)).transpose()?.flatten()
    else {
        return Ok(options);
    };
    let wrong = |what: String| format!("{}: [tool.pydd] {what}", file.display());
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(wrong(format!("has no key `{key}`{}", hint(key, &KEYS))));
    }
    if let Some(value) = table.get("opt-level") {
        let level = value.as_integer().and_then(|level| u8::try_from(level).ok()).filter(|level| *level <= 3);
        let level = level.ok_or_else(|| wrong("`opt-level` must be 0, 1, 2 or 3".to_owned()))?;
        options.opt_level = if given.opt_level { options.opt_level } else { level };
    }
    if let Some(value) = table.get("cpu") {
        let cpu =
            value.as_str().ok_or_else(|| wrong("`cpu` must be a text, such as \"native\"".to_owned()))?;
        let cpus =
            Cpus::of(Some(cpu), options.target).map_err(|message| wrong(format!("`cpu`: {message}")))?;
        options.cpu = if given.cpu { options.cpu } else { cpus };
    }
    for set in flags(table.get("flags")).map_err(wrong)? {
        set(&mut options);
    }
    Ok(options)
}

/// What the flags of the settings set.
fn flags(value: Option<&Value>) -> Result<Vec<fn(&mut Options)>, String> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let texts: Option<Vec<&str>> = value.as_array().and_then(|all| all.iter().map(Value::as_str).collect());
    let texts = texts.ok_or("`flags` must be a list of options, such as [\"--strict-fp\"]")?;
    for (one, other) in [("--strict-fp", "--fast-math"), ("--unchecked", "--check-races")] {
        if texts.contains(&one) && texts.contains(&other) {
            return Err(format!("`flags` has both {one} and {other}"));
        }
    }
    let names = FLAGS.map(|(name, _)| name);
    let find = |text: &&str| match FLAGS.iter().find(|(name, _)| name == text) {
        Some((_, set)) => Ok(*set),
        None => Err(format!("`flags` may not have `{text}`{}", hint(text, &names))),
    };
    texts.iter().map(find).collect()
}

fn hint(wrong: &str, known: &[&str]) -> String {
    match did_you_mean(wrong, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; there are {}", known.join(", ")),
    }
}

/// The folder that a source comes from: what is put together of parts of files lies elsewhere. `None` where it comes from none.
fn folder(path: &Path, bytes: &[u8]) -> Option<PathBuf> {
    let source = bytes.starts_with(b"#pydd:part ").then(|| SourceFile::from_bytes("", bytes));
    match source.filter(|source| !source.parts().is_empty()) {
        Some(source) => {
            // Cells and texts have names that are no paths.
            let mut files = source.parts().iter().map(|part| Path::new(&part.file));
            files.find(|file| file.is_absolute())?.parent().map(Path::to_owned)
        }
        None => std::path::absolute(path).ok()?.parent().map(Path::to_owned),
    }
}

/// The table of the nearest file that has one, from a folder upwards.
fn nearest(folder: &Path) -> Result<Option<(PathBuf, Table)>, String> {
    for folder in folder.ancestors() {
        let file = folder.join(FILE);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            Err(error) => return Err(format!("cannot read {}: {error}", file.display())),
        };
        let mut table: Table = text.parse().map_err(|error: toml::de::Error| syntax(&file, &text, &error))?;
        let tool = table.get_mut("tool").and_then(Value::as_table_mut);
        match tool.and_then(|tool| tool.remove("pydd")) {
            Some(Value::Table(own)) => return Ok(Some((file, own))),
            Some(_) => return Err(format!("{}: `tool.pydd` must be a table", file.display())),
            None => {}
        }
    }
    Ok(None)
}

fn syntax(file: &Path, text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!(
        "{}:{}: {}",
        file.display(),
        before.matches('\n').count() + 1,
        error.message().replace('\n', ", ")
    )
}
