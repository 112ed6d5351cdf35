//! The names that may stand at a place, and the function whose arguments are being written there. Both look at the text
//! before the place, since what is being written is seldom a program.

use super::words::{WORDS, Word};
use super::{Analysis, members, scope};
use crate::source::{SourceFile, Span};
use crate::syntax::ast::FunctionDef;
use crate::typed::program::unit::Global;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::{self, Found, ListMethod, Space};
use std::collections::BTreeSet;

/// A name that may stand at a place.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// As it is written.
    pub name: String,
    /// What it is.
    pub what: What<'a>,
}

/// What a name is.
#[derive(Debug)]
pub enum What<'a> {
    /// A variable or constant, with its types.
    Variable(&'a [Ty]),
    /// A function of the program.
    Function(&'a FunctionDef),
    /// A function or constant of the library.
    Library(Found),
    /// A method of lists.
    ListMethod,
    /// A module of the library.
    Module(Space),
    /// A word of the language.
    Word(&'static Word),
    /// The name of a type, and what it stands for.
    Alias(String),
}

/// What is being written at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Context {
    /// A name by itself.
    Name,
    /// A name behind a dot; what stands before the dot, where it is a dotted name.
    Member(Option<String>),
    /// The module of an `import`.
    Import,
    /// A name that is imported from a module.
    ImportFrom(String),
    /// A comment, a text or a number.
    Nothing,
}

/// How far back the call around a place is looked for, in bytes.
const CALL: u32 = 4096;

/// What is being written before a place.
pub fn context(source: &SourceFile, at: u32) -> Context {
    let line = source.line_span(source.line_column(at).line);
    let before = source.slice(Span::new(line.start, at.min(line.end)));
    if in_text_or_comment(before) {
        return Context::Nothing;
    }
    let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let mut words = before.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("from"), Some(module), Some("import")) => return Context::ImportFrom(module.to_owned()),
        (Some("import" | "from"), ..) if before.starts_with(['i', 'f']) => return Context::Import,
        _ => {}
    }
    if before[word.len()..].starts_with(|c: char| c.is_ascii_digit()) {
        return Context::Nothing;
    }
    let Some(receiver) = word.strip_suffix('.') else { return Context::Name };
    if receiver.ends_with(|c: char| c.is_ascii_digit()) && is_number(receiver) {
        return Context::Nothing;
    }
    let name = dotted_end(receiver);
    let is_name = !name.is_empty() && !name.starts_with('.');
    Context::Member(is_name.then(|| name.to_owned()))
}

/// Whether a line's end is a digit of a number: `1.`, not that of `a1.`.
fn is_number(text: &str) -> bool {
    !dotted_end(text).starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The dotted name that a text ends with.
fn dotted_end(text: &str) -> &str {
    &text[text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.').len()..]
}

/// Whether a line's end is within a comment or a text.
fn in_text_or_comment(before: &str) -> bool {
    let (mut quote, mut escaped) = (None, false);
    for c in before.chars() {
        match quote {
            None if c == '#' => return true,
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

impl Analysis {
    /// What may stand at a place where this is being written. `receiver`: the types of what stands before the dot.
    pub fn candidates(&self, context: &Context, receiver: &[Ty], at: u32) -> Vec<Candidate<'_>> {
        match context {
            Context::Nothing => Vec::new(),
            Context::Name => self.names_at(at),
            Context::Import => Space::modules()
                .filter(|space| *space != Space::Bare)
                .map(|space| Candidate { name: space.path().to_owned(), what: What::Module(space) })
                .collect(),
            Context::ImportFrom(module) => Space::of_module(module).map(of_module).unwrap_or_default(),
            Context::Member(path) => {
                let module = path.as_deref().filter(|path| !self.is_bound(path, at));
                match module.and_then(|path| self.module_named(path)) {
                    Some(space) => of_module(space),
                    None => of_types(receiver),
                }
            }
        }
    }

    /// Whether the first name of a path is a variable at a place.
    fn is_bound(&self, path: &str, at: u32) -> bool {
        let first = path.split('.').next().unwrap_or(path);
        self.functions_around(at).iter().any(|def| scope::bound(def).iter().any(|(own, _)| *own == first))
    }

    /// The names that are seen at a place, those of inner functions before those that they hide.
    fn names_at(&self, at: u32) -> Vec<Candidate<'_>> {
        let around = self.functions_around(at);
        let variables = around.iter().flat_map(|def| scope::bound(def)).map(|(name, _)| Candidate {
            name: name.to_owned(),
            what: What::Variable(self.types_of_name(name, at)),
        });
        let words = WORDS.iter().map(|word| Candidate { name: word.name.to_owned(), what: What::Word(word) });
        let library = members::functions(&[Space::Bare]).into_iter().map(of_library);
        let all = variables.chain(self.names_of_module(at)).chain(words).chain(library);
        let mut seen = BTreeSet::new();
        all.filter(|candidate| seen.insert(candidate.name.clone())).collect()
    }

    fn names_of_module(&self, at: u32) -> impl Iterator<Item = Candidate<'_>> {
        let unit = self.unit.as_ref();
        unit.into_iter().flat_map(move |unit| unit.names().map(move |name| (unit, name))).filter_map(
            move |(unit, name)| {
                let what = match unit.global(name)? {
                    Global::Function(index) => What::Function(unit.function(index)?),
                    Global::Library(found) => What::Library(found),
                    Global::Module(space) => What::Module(space),
                    Global::Alias(_) => What::Alias(unit.alias(name)?.0.to_string()),
                    Global::Constant(_) | Global::Exception(_) | Global::Word | Global::Error => {
                        What::Variable(self.types_of_name(name, at))
                    }
                };
                Some(Candidate { name: scope::shown(name).to_owned(), what })
            },
        )
    }

    /// The call whose arguments are being written at a place: what may be called there, and the number of arguments
    /// before the place.
    pub fn call_at(&self, at: u32) -> Option<(Vec<Callee<'_>>, usize)> {
        let from = self.source.clamp(Span::at(at.saturating_sub(CALL))).start;
        let before = self.source.slice(Span::new(from, at));
        let (open, commas) = open_bracket(before)?;
        let callee = dotted_end(before[..open].trim_end());
        let (path, name) = callee.rsplit_once('.').map_or((None, callee), |(path, name)| (Some(path), name));
        if name.is_empty() {
            return None;
        }
        let place = from + open as u32;
        let functions = match path {
            None => match self.unit.as_ref()?.global(name)? {
                _ if self.is_bound(name, place) => return None,
                Global::Function(index) => vec![Callee::Function(self.unit.as_ref()?.function(index)?)],
                Global::Library(found) => vec![Callee::Library(found)],
                _ => return None,
            },
            Some(path) => {
                let module = self.module_named(path).filter(|_| !self.is_bound(path, place));
                let found = match module {
                    Some(space) => catalogue::find(space, name).into_iter().collect(),
                    None => self.member(self.types_of_name(path, place), name),
                };
                found.into_iter().map(Callee::Library).collect()
            }
        };
        Some((functions, commas))
    }
}

/// What is called.
#[derive(Debug)]
pub enum Callee<'a> {
    /// A function of the program.
    Function(&'a FunctionDef),
    /// One of the library's.
    Library(Found),
}

/// The last bracket of a text that is a call's and open, and the commas behind it that are not inside others.
fn open_bracket(text: &str) -> Option<(usize, usize)> {
    let (mut depth, mut commas) = (0usize, 0);
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => return Some((at, commas)),
            // What stands in a display or a subscript is no argument of the call around it.
            '[' | '{' if depth == 0 => return None,
            '(' | '[' | '{' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

fn of_library<'a>(found: Found) -> Candidate<'a> {
    Candidate { name: found.name.to_owned(), what: What::Library(found) }
}

fn of_module(space: Space) -> Vec<Candidate<'static>> {
    let inner = members::modules(space).filter_map(|name| {
        Some(Candidate { name: name.to_owned(), what: What::Module(space.inside(name)?) })
    });
    members::functions(&[space]).into_iter().map(of_library).chain(inner).collect()
}

/// What values of these types have behind a dot.
fn of_types(types: &[Ty]) -> Vec<Candidate<'static>> {
    let spaces: Vec<Space> = types.iter().flat_map(|ty| members::spaces(ty)).copied().collect();
    let is_list = types.iter().any(|ty| ty.list_item().is_some() || matches!(ty, Ty::EmptyList(_)));
    let own = ListMethod::names().filter(|_| is_list);
    let own = own.map(|name| Candidate { name: name.to_owned(), what: What::ListMethod });
    let mut seen = BTreeSet::new();
    let all = own.chain(members::functions(&spaces).into_iter().map(of_library));
    all.filter(|candidate| seen.insert(candidate.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_written() {
        let context = |text: &str| context(&SourceFile::new("f.pydd", text), text.len() as u32);
        let member = |path: &str| Context::Member(Some(path.to_owned()));
        for (text, expected) in [
            ("    x = ze", Context::Name),
            ("    x = np.", member("np")),
            ("    x = np.linalg.no", member("np.linalg")),
            ("    x = a[i].su", Context::Member(None)),
            ("    x = f(a).", Context::Member(None)),
            ("    x = a1.", member("a1")),
            ("    x = 1.", Context::Nothing),
            ("    x = 12", Context::Nothing),
            ("    x = a # np.", Context::Nothing),
            ("    raise ValueError(\"np.", Context::Nothing),
            ("    raise ValueError(\"é\\\"\") + np.", member("np")),
            ("import nu", Context::Import),
            ("from numpy.lin", Context::Import),
            ("from numpy import sq", Context::ImportFrom("numpy".to_owned())),
            ("    größe = grö", Context::Name),
        ] {
            assert_eq!(context(text), expected, "{text}");
        }
    }

    #[test]
    fn the_call_around_a_place() {
        assert_eq!(open_bracket("f(a, g(b, c), d"), Some((1, 2)));
        assert_eq!(open_bracket("f(a, b)"), None);
        assert_eq!(open_bracket("f(a, [1, "), None);
    }
}
