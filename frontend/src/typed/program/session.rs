//! All functions of a compilation: which are made for which types, and how recursion is resolved.

use super::notes::Notes;
use super::renumber;
use super::tree::{Expr, FuncId, Function, Stmt, StmtKind};
use super::unit::Unit;
use super::visit::{self, Visitor};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity, code};
use crate::source::{SourceFile, Span};
use crate::typed::flow::infer::{self, Infer};
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::RangeOperation;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Calls of templates nested deeper than this do not end, as far as anyone can tell.
const MAX_DEPTH: usize = 400;
/// How often a recursive function is looked at before its types are declared endless.
const MAX_ROUNDS: usize = 12;

/// A function and the types it is for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    pub unit: usize,
    /// Index into the unit's statements.
    pub function: usize,
    pub args: Vec<ArgKey>,
}

/// The type of a parameter, and what else of it the function is made for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArgKey {
    pub ty: Ty,
    pub known: Known,
}

/// What is known of an argument beside its type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    Nothing,
    /// Its value, by what tells constants of one type apart.
    Constant(String),
    /// Dicts come from Python, without tables: a function that the program calls as well is made twice, so that calls
    /// inside only read them.
    FromPython,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Being inferred; its result is a guess.
    Open,
    /// Inferred with a guess of a function that is still open.
    Provisional,
    /// As provisional, and the guess has changed since.
    Stale,
    Done,
}

struct Instance {
    key: Key,
    name: String,
    state: State,
    result: Ty,
    /// Depth of the outermost open function whose guess was used.
    low: usize,
    recursive: bool,
    function: Option<Function>,
    diagnostics: Vec<Diagnostic>,
    /// A `return` whose type depends on the function's own result.
    never_at: Option<Span>,
    /// The first call in the user's text, of a function that is made for the types of its calls.
    called_at: Option<Span>,
    calls: BTreeSet<FuncId>,
    constants: Vec<Option<Expr>>,
    /// What it stores in empty displays of its callers, by their places.
    stores: BTreeMap<Span, Ty>,
    /// An expression of type `Error`.
    wrong: Option<Span>,
    noted: BTreeMap<Span, Ty>,
}

/// What a call gets.
pub struct Called {
    pub id: FuncId,
    pub result: Ty,
    /// Whether the function is wrong for these types.
    pub failed: bool,
    /// Calls nest without end.
    pub too_deep: bool,
    /// What the function stores in empty displays that are passed to it, by their places.
    pub stores: BTreeMap<Span, Ty>,
}

/// The functions of a program.
pub struct Functions {
    pub functions: Vec<Function>,
    pub renumbered: BTreeMap<FuncId, FuncId>,
    /// A function with an expression of type `Error`, and its place if it is the user's.
    pub wrong: Option<(String, Option<Span>)>,
    pub notes: Notes,
}

pub struct Session {
    pub units: Vec<Rc<Unit>>,
    prelude: BTreeMap<&'static str, usize>,
    instances: Vec<Instance>,
    /// Those that are provisional or stale.
    waiting: Vec<FuncId>,
    /// The user's functions that are called or were made for any types, by their statements.
    used: BTreeSet<usize>,
    by_key: BTreeMap<Key, FuncId>,
    stack: Vec<FuncId>,
    names: BTreeMap<String, u32>,
    /// Constants of modules, by unit and name.
    pub constants: BTreeMap<(usize, String), Expr>,
    /// Constants being looked at, each for the one before it.
    pub open_constants: Vec<(usize, String)>,
    /// How many constants may still be looked at: those that are not kept may double with each use.
    pub constant_budget: u32,
    /// What is wrong in constants.
    pub constant_diagnostics: Vec<Diagnostic>,
    /// Whether somebody asks for the types of expressions by their places.
    pub takes_notes: bool,
}

impl Instance {
    /// Says for which call something is wrong in a template.
    fn with_call(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.called_at {
            Some(at) if diagnostic.severity == Severity::Error => {
                let types: Vec<String> = self.key.args.iter().map(|arg| arg.ty.to_string()).collect();
                diagnostic.secondary(at, format!("called here with {}", types.join(", ")))
            }
            _ => diagnostic,
        }
    }
}

impl Session {
    pub fn new(user: Unit) -> Self {
        Self {
            units: vec![Rc::new(user)],
            prelude: BTreeMap::new(),
            instances: Vec::new(),
            waiting: Vec::new(),
            used: BTreeSet::new(),
            by_key: BTreeMap::new(),
            stack: Vec::new(),
            names: BTreeMap::new(),
            constants: BTreeMap::new(),
            open_constants: Vec::new(),
            constant_budget: 100_000,
            constant_diagnostics: Vec::new(),
            takes_notes: false,
        }
    }

    /// The unit of a prelude file, parsed when it is first needed.
    pub fn prelude(&mut self, file: &'static str) -> Option<Rc<Unit>> {
        if let Some(&index) = self.prelude.get(file) {
            return Some(Rc::clone(&self.units[index]));
        }
        let text = crate::prelude::text(file)?;
        let mut sink = Diagnostics::new();
        let source = SourceFile::new(format!("prelude/{file}.pydd"), text);
        let module = crate::syntax::parse(&source, &mut sink)?;
        let index = self.units.len();
        let unit = Rc::new(Unit::new(index, false, module, &mut sink));
        debug_assert!(sink.is_empty(), "prelude {file}: {:?}", sink.sorted());
        self.units.push(Rc::clone(&unit));
        self.prelude.insert(file, index);
        Some(unit)
    }

    /// The function for these types, made when it is first needed. `constants` stand for parameters.
    pub fn instance(
        &mut self,
        key: Key,
        constants: Vec<Option<Expr>>,
        declared: Option<Ty>,
        called_at: Option<Span>,
    ) -> Called {
        let id = match self.by_key.get(&key) {
            Some(&id) => id,
            None => {
                let id = self.create(key, constants);
                self.instances[id.index()].called_at = called_at;
                id
            }
        };
        if let Some(&caller) = self.stack.last() {
            self.instances[caller.index()].calls.insert(id);
        }
        let too_deep = self.stack.len() >= MAX_DEPTH;
        match self.instances[id.index()].state {
            State::Done => {}
            State::Open if self.stack.contains(&id) => self.use_guess(id),
            State::Provisional => self.use_guess(id),
            State::Open | State::Stale if too_deep => {}
            State::Open | State::Stale => self.run(id, declared),
        }
        let instance = &self.instances[id.index()];
        let failed = instance.diagnostics.iter().any(|d| d.severity == Severity::Error);
        Called {
            id,
            result: instance.result.clone(),
            stores: instance.stores.clone(),
            failed,
            too_deep: too_deep && instance.function.is_none(),
        }
    }

    fn create(&mut self, key: Key, constants: Vec<Option<Expr>>) -> FuncId {
        let id = FuncId(self.instances.len() as u32);
        let unit = &self.units[key.unit];
        let plain = unit.function(key.function).map_or("?", |def| def.name.name.as_str());
        let base = if unit.user { plain.to_owned() } else { format!("pydd.{plain}") };
        let count = self.names.entry(base.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base}.{}", *count) };
        self.by_key.insert(key.clone(), id);
        self.note_call(key.unit, key.function);
        self.instances.push(Instance {
            key,
            name,
            state: State::Open,
            result: Ty::Never,
            low: usize::MAX,
            recursive: false,
            function: None,
            diagnostics: Vec::new(),
            never_at: None,
            called_at: None,
            calls: BTreeSet::new(),
            constants,
            stores: BTreeMap::new(),
            wrong: None,
            noted: BTreeMap::new(),
        });
        id
    }

    /// A call of a function that is open: the result is a guess, and the caller depends on it.
    fn use_guess(&mut self, id: FuncId) {
        let depth = self.stack.iter().position(|&open| open == id).unwrap_or(self.instances[id.index()].low);
        self.instances[id.index()].recursive = true;
        if let Some(&caller) = self.stack.last() {
            let caller = &mut self.instances[caller.index()];
            caller.low = caller.low.min(depth);
        }
    }

    /// Infers a function until its result is what was assumed of it.
    fn run(&mut self, id: FuncId, declared: Option<Ty>) {
        let depth = self.stack.len();
        self.stack.push(id);
        if let Some(declared) = declared {
            self.instances[id.index()].result = declared;
        }
        for round in 0.. {
            self.instances[id.index()].low = usize::MAX;
            self.instances[id.index()].calls.clear();
            let result = self.infer(id);
            let instance = &mut self.instances[id.index()];
            // A wrong result says nothing about the next guess: with it, the next round would be silent about
            // the cause, which this one has reported.
            let settled = instance.low > depth || result == instance.result || result.has_error();
            instance.result = result;
            if settled {
                break;
            }
            if round >= MAX_ROUNDS {
                self.never_settles(id);
                break;
            }
            self.reopen(depth);
        }
        self.stack.pop();
        self.close(id, depth);
    }

    /// What depends on the guess at `depth` must be looked at again.
    fn reopen(&mut self, depth: usize) {
        for id in &self.waiting {
            let instance = &mut self.instances[id.index()];
            if instance.state == State::Provisional && instance.low >= depth {
                instance.state = State::Stale;
            }
        }
    }

    fn close(&mut self, id: FuncId, depth: usize) {
        let low = self.instances[id.index()].low;
        if low < depth {
            self.instances[id.index()].state = State::Provisional;
            self.waiting.push(id);
            self.instances[id.index()].recursive = true;
            if let Some(&caller) = self.stack.last() {
                let caller = &mut self.instances[caller.index()];
                caller.low = caller.low.min(low);
            }
            return;
        }
        self.instances[id.index()].state = State::Done;
        self.check_result(id);
        self.waiting.retain(|id| {
            let instance = &mut self.instances[id.index()];
            if instance.low >= depth && instance.low != usize::MAX {
                instance.state = State::Done;
            }
            matches!(instance.state, State::Provisional | State::Stale)
        });
    }

    /// Each guess of the result gave another: it has no type.
    fn never_settles(&mut self, id: FuncId) {
        let instance = &mut self.instances[id.index()];
        instance.result = Ty::Error;
        let Some(function) = &instance.function else { return };
        let headline = format!("the result type of `{}` depends on itself", function.source_name);
        instance.diagnostics.push(
            Diagnostic::error(code::RECURSIVE_TYPE, headline)
                .primary(function.span, "a call gives another type than the call inside it, without end")
                .help("give the same type on every way to a `return`"),
        );
    }

    /// A result that only comes from itself has no type.
    fn check_result(&mut self, id: FuncId) {
        let instance = &mut self.instances[id.index()];
        let (Ty::Never, Some(at), Some(function)) = (&instance.result, instance.never_at, &instance.function)
        else {
            return;
        };
        let headline = format!("the result type of `{}` depends on itself", function.source_name);
        instance.diagnostics.push(
            Diagnostic::error(code::RECURSIVE_TYPE, headline)
                .primary(at, "every way to a `return` calls the function again")
                .help("add a case that ends the recursion, or annotate the result: `-> float64`"),
        );
    }

    /// Remembers that something calls a function, though the call may be wrong.
    pub fn note_call(&mut self, unit: usize, function: usize) {
        if unit == 0 {
            self.used.insert(function);
        }
    }

    /// Whether something calls a function of the user's, or Python sees it.
    pub fn is_used(&self, function: usize) -> bool {
        self.used.contains(&function)
    }

    /// Walks over the function, again where that taught what its lists and dicts hold.
    fn infer(&mut self, id: FuncId) -> Ty {
        let key = self.instances[id.index()].key.clone();
        let constants = self.instances[id.index()].constants.clone();
        let unit = Rc::clone(&self.units[key.unit]);
        let Some(def) = unit.function(key.function) else { return Ty::Error };
        let guess = self.instances[id.index()].result.clone();
        // What was wrong with an earlier guess does not make the calls of itself wrong.
        self.instances[id.index()].diagnostics.clear();
        let mut contents: BTreeMap<Span, Ty> = BTreeMap::new();
        let mut round = 0;
        // Each walk learns what one more list or dict holds.
        while round < MAX_ROUNDS + contents.len() {
            round += 1;
            // What an earlier walk called, with lists of which less was known, may not be called any more.
            self.instances[id.index()].calls.clear();
            let takes_notes = self.takes_notes && unit.user;
            let mut infer = Infer::new(self, &unit, def, contents);
            infer.noted = takes_notes.then(BTreeMap::new);
            infer.guess = guess.clone();
            infer.function(&key.args, &constants);
            let again = infer.walk_again;
            contents = std::mem::take(&mut infer.contents);
            if !again {
                let finished = infer.finish();
                let result = finished.function.result.clone();
                let instance = &mut self.instances[id.index()];
                if unit.user {
                    instance.stores = stored_in_arguments(&key, &contents);
                }
                instance.function = Some(finished.function);
                instance.diagnostics = finished.diagnostics;
                instance.never_at = finished.never_at;
                instance.wrong = finished.wrong;
                instance.noted = finished.noted;
                return result;
            }
        }
        let headline = format!("what the lists in `{}` hold is not known", def.name.name);
        let unsettled = Diagnostic::error(code::CANNOT_INFER_TYPE, headline)
            .primary(def.name.span, "their types depend on each other")
            .help("declare them, as in `xs: List(float64) = []`");
        self.instances[id.index()].diagnostics = vec![unsettled];
        Ty::Error
    }

    pub fn name(&self, id: FuncId) -> &str {
        &self.instances[id.index()].name
    }

    /// Whether a function is the library's, so that its text is none of the user's business.
    pub fn is_prelude(&self, id: FuncId) -> bool {
        !self.units[self.instances[id.index()].key.unit].user
    }

    /// The first thing that is wrong in a function.
    pub fn first_error(&self, id: FuncId) -> Option<&Diagnostic> {
        self.instances[id.index()].diagnostics.iter().find(|d| d.severity == Severity::Error)
    }

    /// The functions that `roots` need, renumbered in order of need; what is wrong in them goes to `sink`.
    pub fn finish(mut self, roots: &[FuncId], sink: &mut Diagnostics) -> Functions {
        let mut order: Vec<FuncId> = Vec::new();
        let mut renumbered = BTreeMap::new();
        let mut waiting: Vec<FuncId> = roots.iter().rev().copied().collect();
        while let Some(id) = waiting.pop() {
            if renumbered.contains_key(&id) {
                continue;
            }
            renumbered.insert(id, FuncId(order.len() as u32));
            order.push(id);
            waiting.extend(self.instances[id.index()].calls.iter().rev());
        }
        sink.extend(std::mem::take(&mut self.constant_diagnostics));
        let mut functions = Vec::new();
        let mut wrong = None;
        let mut notes = self.notes_of_constants();
        for id in order {
            let instance = &mut self.instances[id.index()];
            notes.add(std::mem::take(&mut instance.noted));
            let user = self.units[instance.key.unit].user;
            if let (None, Some(span)) = (&wrong, instance.wrong) {
                wrong = Some((instance.name.clone(), user.then_some(span)));
            }
            // Errors in the prelude are told where it is called.
            if user {
                let diagnostics = std::mem::take(&mut instance.diagnostics);
                let instance = &self.instances[id.index()];
                sink.extend(diagnostics.into_iter().map(|d| instance.with_call(d)));
            }
            let instance = &mut self.instances[id.index()];
            if let Some(mut function) = instance.function.take() {
                function.name.clone_from(&instance.name);
                function.recursive = instance.recursive;
                let is_operation = has_loop(&function.body)
                    || !instance.calls.is_empty()
                    || RangeOperation::named(&function.source_name).is_some();
                if !user && is_operation {
                    function.operation = Some(function.source_name.clone());
                }
                renumber::calls(&mut function, &renumbered);
                functions.push(function);
            }
        }
        Functions { functions, renumbered, wrong, notes }
    }

    /// The types of the module's constants that were looked at.
    fn notes_of_constants(&self) -> Notes {
        let mut notes = Notes::default();
        if self.takes_notes {
            let unit = &self.units[0];
            let own = self.constants.iter().filter(|((index, _), _)| *index == unit.index);
            notes.add(
                own.filter_map(|((_, name), value)| Some((unit.place_of_constant(name)?, value.ty.clone()))),
            );
        }
        notes
    }
}

/// What is stored in lists and dicts that came in empty, by the places of their displays.
fn stored_in_arguments(key: &Key, contents: &BTreeMap<Span, Ty>) -> BTreeMap<Span, Ty> {
    let places = key.args.iter().filter_map(|arg| match arg.ty.unknown() {
        Some(&(Ty::EmptyList(at) | Ty::EmptyDict(at, _))) => Some(at),
        _ => None,
    });
    places.filter_map(|at| Some((at, infer::contents_at(contents, at)?))).collect()
}

/// Whether there is a loop among these statements.
fn has_loop(stmts: &[Stmt]) -> bool {
    let mut loops = Loops { found: false };
    loops.block(stmts);
    loops.found
}

/// Looks for loops of statements; those that expressions hold do not count.
struct Loops {
    found: bool,
}

impl Visitor for Loops {
    fn stmt(&mut self, stmt: &Stmt) {
        self.found |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Loop { .. });
        if !self.found {
            visit::walk_stmt(self, stmt);
        }
    }

    fn expr(&mut self, _: &Expr) {}
}
