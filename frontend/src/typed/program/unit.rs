//! What the names at module level stand for: functions, constants, imports.

use super::alias;
use crate::diagnostics::{Diagnostic, Diagnostics, code, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Ident, ImportName, Module, Stmt, StmtKind};
use crate::syntax::types::TypeExpr;
use crate::syntax::visit;
use pydd_ir::catalogue::{self, Found, Space};
use pydd_ir::{Exc, ExceptionClass};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The hint where a constant is none.
pub const WHAT_IS_CONSTANT: &str = "constants are numbers, strings, arrays and tuples of these";

/// A source file, the user's or one of the prelude's, with its names.
#[derive(Debug)]
pub struct Unit {
    pub index: usize,
    /// Whether it is the user's.
    pub user: bool,
    pub module: Module,
    names: BTreeMap<String, Global>,
    /// The exception classes that it defines.
    pub exceptions: Vec<ExceptionClass>,
    /// Statements that define what is no constant, which was reported.
    bad_constants: BTreeSet<usize>,
    /// The statements that say of constants what type they have, and give no value.
    declared: BTreeMap<String, usize>,
}

/// What a name at module level stands for.
#[derive(Clone, Debug)]
pub enum Global {
    /// By index into the module's statements.
    Function(usize),
    /// A constant: the statement that defines it last.
    Constant(usize),
    Module(Space),
    Library(Found),
    /// An exception class, by index into [`Unit::exceptions`].
    Exception(u16),
    /// A name of a type: the statement that defines it.
    Alias(usize),
    /// Imported for annotations or for Python's sake: no value.
    Word,
    /// Defined wrongly, which was reported.
    Error,
}

impl Unit {
    pub fn new(index: usize, user: bool, module: Module, sink: &mut Diagnostics) -> Self {
        let (mut names, mut exceptions, mut declared) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        for name in &module.unparsed {
            names.insert(name.clone(), Global::Error);
        }
        for (at, stmt) in module.body.iter().enumerate() {
            match &stmt.kind {
                StmtKind::FunctionDef(def) => {
                    // It stands for itself from here on, whatever was imported by that name.
                    match names.entry(def.name.name.clone()) {
                        Entry::Vacant(entry) => {
                            entry.insert(Global::Function(at));
                        }
                        Entry::Occupied(mut entry) => match entry.get() {
                            Global::Library(_) | Global::Module(_) => {
                                entry.insert(Global::Function(at));
                            }
                            Global::Exception(_) => defined_twice(&def.name, sink),
                            _ => {}
                        },
                    }
                }
                // It defines nothing.
                StmtKind::Declare { value: None, .. } => {
                    for name in visit::assigned_names(std::slice::from_ref(stmt)) {
                        declared.entry(name.to_owned()).or_insert(at);
                    }
                }
                StmtKind::Assign { .. } | StmtKind::Declare { .. } => {
                    for name in visit::assigned_names(std::slice::from_ref(stmt)) {
                        names.insert(name.to_owned(), Global::Constant(at));
                    }
                }
                StmtKind::Class { name, base, docstring } => {
                    let Some(base) = base_of(base, &names, sink) else {
                        names.insert(name.name.clone(), Global::Error);
                        continue;
                    };
                    let index = u16::try_from(exceptions.len()).unwrap_or(u16::MAX);
                    exceptions.push(ExceptionClass { name: name.name.clone(), base, doc: docstring.clone() });
                    let before = names.insert(name.name.clone(), Global::Exception(index));
                    if let Some(Global::Function(_) | Global::Constant(_) | Global::Exception(_)) = before {
                        defined_twice(name, sink);
                    }
                }
                StmtKind::Alias { name, .. } => {
                    names.insert(name.name.clone(), Global::Alias(at));
                }
                StmtKind::Import(items) => import(items, &mut names, sink),
                StmtKind::ImportFrom { module, names: items, star } => {
                    import_from(&module.name, module.span, items, *star, &mut names, sink);
                }
                _ => {}
            }
        }
        for stmt in &module.body {
            if let StmtKind::Class { name, .. } = &stmt.kind
                && !matches!(names.get(&name.name), Some(Global::Exception(_) | Global::Word | Global::Error))
            {
                defined_twice(name, sink);
            }
        }
        for (name, at) in &declared {
            names.entry(name.clone()).or_insert(Global::Constant(*at));
        }
        let bad_constants = BTreeSet::new();
        let mut unit = Self { index, user, module, names, exceptions, bad_constants, declared };
        alias::expand(&mut unit, sink);
        unit.bad_constants = unit.check_constants(sink);
        unit
    }

    /// Constants must be known when compiling, used or not.
    fn check_constants(&self, sink: &mut Diagnostics) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let twice = defined_again(&self.module.body);
        for (at, stmt) in self.module.body.iter().enumerate() {
            let value = match &stmt.kind {
                StmtKind::Assign { value, .. } => value,
                StmtKind::Declare { value: Some(value), .. } => value,
                _ => continue,
            };
            let mut bad = list_in(value);
            visit::walk_expr(value, &mut |expr| {
                bad = bad.or((!self.may_be_constant(expr)).then_some(expr.span))
            });
            let mut again = None;
            visit::walk_expr(value, &mut |expr| match &expr.kind {
                ExprKind::Name(name) if twice.contains(name.as_str()) => {
                    again = again.or(Some((name, expr.span)))
                }
                _ => {}
            });
            if let (Some((name, span)), None) = (again, bad) {
                all.insert(at);
                let headline = format!("constant `{name}` is defined more than once");
                Diagnostic::error(code::CONSTANT_NOT_CONSTANT, headline)
                    .primary(span, "a constant depends on which of its values this is")
                    .help("give each value a name of its own")
                    .emit(sink);
            }
            if let Some(span) = bad {
                all.insert(at);
                Diagnostic::error(
                    code::CONSTANT_NOT_CONSTANT,
                    "a constant of a module must be known when compiling",
                )
                .primary(span, "computed when the program runs")
                .help(WHAT_IS_CONSTANT)
                .emit(sink);
            }
        }
        all
    }

    /// Whether an expression, its parts apart, may stand in a constant: it is the same wherever it is evaluated.
    fn may_be_constant(&self, expr: &Expr) -> bool {
        let ExprKind::Call { func, args, keywords } = &expr.kind else {
            return !matches!(
                expr.kind,
                ExprKind::Set(_)
                    | ExprKind::Dict(_)
                    | ExprKind::Comprehension { .. }
                    | ExprKind::Lambda { .. }
            );
        };
        let found = match &func.kind {
            ExprKind::Name(name) => match self.global(name) {
                Some(Global::Library(found)) => Some(found),
                _ => None,
            },
            ExprKind::Attribute { value, attr } => {
                let space = match &value.kind {
                    ExprKind::Name(module) => match self.global(module) {
                        Some(Global::Module(space)) => space,
                        _ => Space::Method,
                    },
                    // `np.linalg`, or a value.
                    ExprKind::Attribute { value, attr } => match &value.kind {
                        ExprKind::Name(module) => match self.global(module) {
                            Some(Global::Module(space)) => space.inside(&attr.name).unwrap_or(Space::Method),
                            _ => Space::Method,
                        },
                        _ => Space::Method,
                    },
                    _ => Space::Method,
                };
                catalogue::find(space, &attr.name)
            }
            _ => None,
        };
        found.is_some_and(|found| {
            let changes = |name: &str| matches!(name, "out" | "copy");
            let given = found.entry.params.iter().take(args.len()).map(|param| param.name);
            let named = keywords.iter().map(|keyword| keyword.name.name.as_str());
            found.entry.algebra.is_repeatable() && !given.chain(named).any(changes)
        })
    }

    /// What a name at module level, or of the library, stands for.
    pub fn global(&self, name: &str) -> Option<Global> {
        let internal = || if self.user { None } else { catalogue::find(Space::Internal, name) };
        let library = || internal().or_else(|| catalogue::find(Space::Bare, name));
        self.names.get(name).cloned().or_else(|| library().map(Global::Library))
    }

    /// Whether a name is Python's own: the module gives it no other meaning.
    pub fn is_builtin(&self, name: &str) -> bool {
        !self.names.contains_key(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    pub fn function(&self, at: usize) -> Option<&FunctionDef> {
        match &self.module.body.get(at)?.kind {
            StmtKind::FunctionDef(def) => Some(def),
            _ => None,
        }
    }

    /// What the name of a type stands for, and where it is written.
    pub fn alias(&self, name: &str) -> Option<(&TypeExpr, Span)> {
        let Some(Global::Alias(at)) = self.names.get(name) else { return None };
        match &self.module.body.get(*at)?.kind {
            StmtKind::Alias { name, value, .. } => Some((value, name.span)),
            _ => None,
        }
    }

    /// The names of types.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        let is_alias = |global: &Global| matches!(global, Global::Alias(_));
        self.names.iter().filter(move |(_, global)| is_alias(global)).map(|(name, _)| name.as_str())
    }

    /// Where the module defines a name, imports apart.
    pub fn definition(&self, name: &str) -> Option<Span> {
        let mut all = self.module.body.iter().flat_map(visit::defined_names);
        all.find(|(own, _)| *own == name).map(|(_, span)| span)
    }

    /// Where a constant's name is written, in the statement that defines it last.
    pub fn place_of_constant(&self, name: &str) -> Option<Span> {
        let Some(Global::Constant(at)) = self.global(name) else { return None };
        let bound = visit::bound_names(self.module.body.get(at)?);
        bound.into_iter().find(|(own, _)| *own == name).map(|(_, span)| span)
    }

    /// Whether a statement is the one that says what a constant is.
    pub fn is_constant_of(&self, at: usize, name: &str) -> bool {
        matches!(self.names.get(name), Some(Global::Constant(last)) if *last == at)
    }

    /// Whether a statement was reported to be no constant's.
    pub fn is_bad_constant(&self, at: usize) -> bool {
        self.bad_constants.contains(&at)
    }

    /// The expression of a constant: that of `name` in a statement `name = …` or `a, name = …`.
    pub fn constant(&self, at: usize, name: &str) -> Option<&Expr> {
        match &self.module.body.get(at)?.kind {
            StmtKind::Assign { targets, value, .. } => {
                targets.iter().find_map(|target| constant_part(target, value, name))
            }
            StmtKind::Declare { target, value: Some(value), .. } => constant_part(target, value, name),
            _ => None,
        }
    }

    /// The annotation of a constant: that of the statement which gives it its value, or of one that only declares it.
    pub fn annotation_of_constant(&self, at: usize, name: &str) -> Option<&TypeExpr> {
        let written = |at: usize| match &self.module.body.get(at)?.kind {
            StmtKind::Assign { annotation, .. } => annotation.as_ref(),
            StmtKind::Declare { annotation, .. } => Some(annotation),
            _ => None,
        };
        written(at).or_else(|| written(*self.declared.get(name)?))
    }
}

/// The names to which several statements of the module give values.
fn defined_again(body: &[Stmt]) -> BTreeSet<&str> {
    let mut seen = BTreeSet::new();
    let gives =
        |kind: &StmtKind| matches!(kind, StmtKind::Assign { .. } | StmtKind::Declare { value: Some(_), .. });
    let constants = body.iter().filter(|stmt| gives(&stmt.kind));
    let names = constants.flat_map(|stmt| visit::assigned_names(std::slice::from_ref(stmt)));
    names.filter(|name| !seen.insert(*name)).collect()
}

/// A list that a constant is, or that a tuple holds: functions could change it.
fn list_in(value: &Expr) -> Option<Span> {
    match &value.kind {
        ExprKind::List(_) => Some(value.span),
        ExprKind::Tuple(items) => items.iter().find_map(list_in),
        _ => None,
    }
}

fn constant_part<'e>(target: &Expr, value: &'e Expr, name: &str) -> Option<&'e Expr> {
    match (&target.kind, &value.kind) {
        (ExprKind::Name(target), _) => (target == name).then_some(value),
        (ExprKind::Tuple(targets), ExprKind::Tuple(values)) if targets.len() == values.len() => {
            targets.iter().zip(values).find_map(|(target, value)| constant_part(target, value, name))
        }
        _ => None,
    }
}

/// What an exception class derives from.
fn base_of(base: &Ident, names: &BTreeMap<String, Global>, sink: &mut Diagnostics) -> Option<Exc> {
    let found = match names.get(&base.name) {
        Some(Global::Exception(index)) => Some(Exc::Own(*index)),
        Some(Global::Error) => return None,
        Some(_) => None,
        None => Exc::from_name(&base.name),
    };
    if found.is_none() {
        let near = did_you_mean(&base.name, Exc::ALL.iter().map(|e| e.name()));
        Diagnostic::error(code::RAISE_TYPE, format!("`{}` is not an exception", base.name))
            .primary(base.span, "the base of an exception is one that is built in, or one defined before")
            .maybe_help(near.map(|near| format!("did you mean `{near}`?")))
            .emit(sink);
    }
    found
}

fn defined_twice(name: &Ident, sink: &mut Diagnostics) {
    Diagnostic::error(code::DUPLICATE_FUNCTION, format!("`{}` is defined twice", name.name))
        .primary(name.span, "it stands for an exception and for something else")
        .help("rename one of them")
        .emit(sink);
}

/// Modules that Python needs to read annotations, and whose names mean nothing here or are known.
const FOR_PYTHON: [&str; 6] =
    ["__future__", "typing", "typing_extensions", "numpy.typing", "collections.abc", "jaxtyping"];

fn import(items: &[ImportName], names: &mut BTreeMap<String, Global>, sink: &mut Diagnostics) {
    for item in items {
        let path = if item.alias.is_some() { item.path.name.as_str() } else { item.binding() };
        let known = Space::of_module(&item.path.name).is_some();
        let global = match Space::of_module(path) {
            Some(space) if known => Global::Module(space),
            _ if path == item.path.name && FOR_PYTHON.contains(&path) => Global::Word,
            _ => {
                unknown_module(&item.path.name, item.path.span, sink);
                Global::Error
            }
        };
        names.insert(item.binding().to_owned(), global);
    }
}

fn unknown_module(name: &str, span: Span, sink: &mut Diagnostics) {
    Diagnostic::error(code::UNKNOWN_MODULE, format!("no module named `{name}` can be imported here"))
        .primary(span, "not a module of the language")
        .help(importable(name))
        .emit(sink);
}

/// What can be imported: of SciPy its modules, of others the outermost.
fn importable(instead: &str) -> String {
    let scipy = instead.split('.').next() == Some(Space::Scipy.path());
    let paths = Space::modules().map(Space::path);
    let paths = paths.filter(|path| path.contains('.') == scipy && path.starts_with("scipy.") == scipy);
    let paths: Vec<String> = paths.map(|path| format!("`{path}`")).collect();
    match paths.split_last() {
        Some((last, rest)) => format!("kernels import {} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn import_from(
    module: &str,
    span: Span,
    items: &[ImportName],
    star: bool,
    names: &mut BTreeMap<String, Global>,
    sink: &mut Diagnostics,
) {
    let Some(space) = Space::of_module(module) else {
        let is_for_python = FOR_PYTHON.contains(&module);
        if !is_for_python {
            unknown_module(module, span, sink);
        }
        for item in items {
            let global = if is_for_python { Global::Word } else { Global::Error };
            names.insert(item.binding().to_owned(), global);
        }
        return;
    };
    if star {
        for name in catalogue::names(space) {
            if let Some(found) = catalogue::find(space, name) {
                names.insert(name.to_owned(), Global::Library(found));
            }
        }
    }
    for item in items {
        // What is built in is there without an import, under its own name.
        if module == "builtins" && item.binding() == item.path.name && is_built_in(&item.path.name) {
            continue;
        }
        let global = imported(space, module, item, sink);
        names.insert(item.binding().to_owned(), global);
    }
}

/// Whether a name of `builtins` means the same without an import.
fn is_built_in(name: &str) -> bool {
    catalogue::find(Space::Bare, name).is_some() || Exc::from_name(name).is_some()
}

fn imported(space: Space, module: &str, item: &ImportName, sink: &mut Diagnostics) -> Global {
    let name = item.path.name.as_str();
    if let Some(found) = catalogue::find(space, name) {
        return Global::Library(found);
    }
    if let Some(inner) = space.inside(name) {
        return Global::Module(inner);
    }
    // Decorators, which are known by these names.
    if space == Space::Functools && matches!(name, "cache" | "lru_cache") && item.binding() == name {
        return Global::Word;
    }
    // `from pydd import float64, Array` and the like: words that need no import.
    let is_word = module != "builtins" && Exc::from_name(name).is_none();
    if space == Space::Bare && is_word && item.binding() == name {
        return Global::Word;
    }
    not_in_module(space, module, name, item.path.span).emit(sink);
    Global::Error
}

/// The error for a name that a module does not have, or not yet.
pub fn not_in_module(space: Space, module: &str, name: &str, span: Span) -> Diagnostic {
    if catalogue::is_planned(name) {
        return Diagnostic::error(code::UNSUPPORTED_YET, format!("`{module}.{name}` is not supported yet"))
            .primary(span, "not supported yet");
    }
    let near = did_you_mean(name, catalogue::names(space)).map(|near| format!("did you mean `{near}`?"));
    Diagnostic::error(code::UNKNOWN_IMPORT, format!("module `{module}` has no function `{name}` here"))
        .primary(span, "not known")
        .maybe_help(near)
}
