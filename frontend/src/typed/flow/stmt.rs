//! Statements, loops and assignments apart.

use super::infer::Infer;
use crate::diagnostics::{Diagnostic, code, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{Branch, Expr, ExprKind, Stmt, StmtKind};
use crate::typed::library::printing::in_message;
use crate::typed::program::tree::{self, StmtKind as Typed};
use crate::typed::program::unit::Global;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::Space;
use pydd_ir::{DType, Exc, Message, OpKind};

/// So many branches of an `if` are nested in each other, as the IR has them; more are not.
const LONG_IF: usize = 24;

/// Python's other exceptions, as names that are none are said otherwise.
const OTHER_EXCEPTIONS: [&str; 49] = [
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "EnvironmentError",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportWarning",
    "IndentationError",
    "InterruptedError",
    "IsADirectoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeWarning",
    "StopAsyncIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "Warning",
];

/// Whether an exception may have such a number, or a tuple of Python's own numbers, for its argument: its text is Python's then.
fn is_shown(ty: &Ty, in_tuple: bool) -> bool {
    match ty {
        Ty::Scalar(num) => {
            let dtype = num.dtype;
            (dtype.is_int() || matches!(dtype, DType::Bool | DType::F64)) && (num.weak || !in_tuple)
        }
        Ty::Tuple(items) => items.iter().all(|item| is_shown(item, true)),
        _ => false,
    }
}

impl Infer<'_, '_> {
    /// Statements in order, as far as they are reached.
    pub fn stmts(&mut self, body: &[Stmt]) {
        for stmt in body {
            if self.env.is_none() {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value, annotation } => {
                self.assignment(targets, value, annotation.as_ref(), stmt.span);
            }
            StmtKind::Declare { target, annotation, value } => {
                self.declaration(target, annotation, value.as_ref(), stmt.span);
            }
            StmtKind::AugAssign { target, op, value } => self.augmented(target, *op, value, stmt.span),
            StmtKind::Expr(expr) => self.expression_statement(expr),
            StmtKind::Return(value) => self.return_(value.as_ref(), stmt.span),
            StmtKind::If { branches, orelse } => self.if_(branches, orelse, stmt.span),
            StmtKind::While { test, body, orelse } => self.while_(test, body, orelse, stmt.span),
            StmtKind::For(for_) => self.for_(for_, stmt.span),
            StmtKind::Break => self.break_(stmt.span),
            StmtKind::Continue => self.continue_(),
            StmtKind::Assert { test, message } => self.assert(test, message.as_ref(), stmt.span),
            StmtKind::Raise(exception) => self.raise(exception, stmt.span),
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.delete(target)),
            StmtKind::Block { kind, keyword, .. } => self.later(*keyword, &format!("`{}:`", kind.keyword())),
            StmtKind::Pass | StmtKind::Error => {}
            // Only at module level, where they are read apart.
            StmtKind::FunctionDef(_)
            | StmtKind::Class { .. }
            | StmtKind::Alias { .. }
            | StmtKind::Import(_)
            | StmtKind::ImportFrom { .. } => {}
        }
    }

    /// The error for what belongs to the language and is not compiled yet.
    pub fn later(&mut self, span: Span, what: &str) {
        self.error(code::UNSUPPORTED_YET, span, format!("{what} is not supported yet"), "not supported yet");
    }

    fn expression_statement(&mut self, expr: &Expr) {
        let value = self.expr(expr);
        if value.ty.is_silent() {
            return;
        }
        let is_call = matches!(expr.kind, ExprKind::Call { .. });
        let is_text = matches!(expr.kind, ExprKind::Str(_));
        if !is_call && !is_text {
            let diagnostic =
                Diagnostic::warning(code::UNUSED_RESULT, "the result of this expression is not used")
                    .primary(expr.span, "computed and thrown away");
            self.report(diagnostic);
        }
        if !value.is_constant() {
            self.push(Typed::Eval(value), expr.span);
        }
    }

    fn if_(&mut self, branches: &[Branch], orelse: &[Stmt], span: Span) {
        if branches.len() > LONG_IF {
            return self.long_if(branches, orelse, span);
        }
        let Some((first, rest)) = branches.split_first() else { return self.stmts(orelse) };
        let cond = self.condition(&first.test);
        let then = |s: &mut Self| {
            s.narrow(&first.test, true);
            s.stmts(&first.body);
        };
        self.either_way(cond, first.test.span, then, |s| {
            s.narrow(&first.test, false);
            s.if_(rest, orelse, span);
        });
    }

    /// What `then` makes where a condition holds, else what `orelse` makes.
    pub fn either_way(
        &mut self,
        cond: tree::Expr,
        span: Span,
        then: impl FnOnce(&mut Self),
        orelse: impl FnOnce(&mut Self),
    ) {
        match cond.as_bool() {
            Some(true) => return then(self),
            Some(false) => return orelse(self),
            None => {}
        }
        let before = self.env.clone();
        let mut ways = Vec::new();
        let then = self.block(|s| {
            then(s);
            s.end_way(&mut ways);
        });
        self.env = before;
        let orelse = self.block(|s| {
            orelse(s);
            s.end_way(&mut ways);
        });
        let label = self.label();
        self.push(Typed::If { label, cond, then, orelse }, span);
        self.env = self.join(&ways);
    }

    /// What `then` makes where a condition holds.
    pub fn where_true(&mut self, cond: tree::Expr, span: Span, then: impl FnOnce(&mut Self)) {
        self.either_way(cond, span, then, |_| {});
    }

    /// A value as a statement: it is evaluated if it does something.
    pub fn evaluate(&mut self, value: tree::Expr, span: Span) {
        self.note_wrong(&value);
        if !value.ty.is_silent() && !value.is_constant() {
            self.push(Typed::Eval(value), span);
        }
    }

    /// As `if_`, without nesting each `elif` in the one before: a branch that was taken leaves a scope.
    fn long_if(&mut self, branches: &[Branch], orelse: &[Stmt], span: Span) {
        let outer = self.label();
        let mut ways = Vec::new();
        let body = self.block(|s| {
            for branch in branches {
                let cond = s.condition(&branch.test);
                let before = s.env.clone();
                let then = s.block(|s| {
                    s.narrow(&branch.test, true);
                    s.stmts(&branch.body);
                    if s.env.is_some() {
                        s.end_way(&mut ways);
                        s.push(Typed::Break(outer), span);
                    }
                });
                s.env = before;
                let label = s.label();
                s.push(Typed::If { label, cond, then, orelse: Vec::new() }, branch.test.span);
                s.narrow(&branch.test, false);
            }
            s.stmts(orelse);
            s.end_way(&mut ways);
        });
        self.push(Typed::Scope { label: outer, body }, span);
        self.env = self.join(&ways);
    }

    fn assert(&mut self, test: &Expr, message: Option<&Expr>, span: Span) {
        let cond = self.condition(test);
        self.check_assertion(cond, message, span);
        self.narrow(test, true);
    }

    fn check_assertion(&mut self, cond: tree::Expr, message: Option<&Expr>, span: Span) {
        let message = match message {
            None => None,
            Some(Expr { kind: ExprKind::Str(text), .. }) => Some(self.text_message(text)),
            Some(message) => return self.assert_with(cond, message, span),
        };
        if cond.as_bool() == Some(true) || cond.ty.is_silent() {
            return;
        }
        self.effect(OpKind::Check { exc: Exc::AssertionError, message }, vec![cond], span);
    }

    /// An assertion whose message is computed where it fails.
    fn assert_with(&mut self, cond: tree::Expr, message: &Expr, span: Span) {
        if cond.as_bool() == Some(true) || cond.ty.is_silent() {
            return;
        }
        let before = self.env.clone();
        let then = self.block(|s| {
            let (message, payload) = s.message(message).unzip();
            let payload = payload.unwrap_or_default();
            s.push(Typed::Raise { exc: Exc::AssertionError, message, payload }, span);
        });
        self.env = before;
        let label = self.label();
        self.push(Typed::If { label, cond: Self::not(cond), then, orelse: Vec::new() }, span);
    }

    fn raise(&mut self, exception: &Expr, span: Span) {
        let (name, args) = match &exception.kind {
            ExprKind::Call { func, args, keywords } if keywords.is_empty() => (&**func, args.as_slice()),
            _ => (exception, [].as_slice()),
        };
        let exc = self.exception(name);
        let message = match args {
            [] => None,
            [message] => self.message(message),
            [_, second, ..] => {
                self.error(code::RAISE_TYPE, second.span, "an exception takes one message", "one too many");
                None
            }
        };
        if let Some(exc) = exc {
            let (message, payload) = message.unzip();
            self.push(Typed::Raise { exc, message, payload: payload.unwrap_or_default() }, span);
        }
        self.env = None;
    }

    fn exception(&mut self, name: &Expr) -> Option<Exc> {
        let text = match &name.kind {
            ExprKind::Name(text) => text,
            ExprKind::Error => return None,
            _ if self.names_linear_error(name) => return Some(Exc::LinAlgError),
            _ => {
                self.error(
                    code::RAISE_TYPE,
                    name.span,
                    "only exceptions can be raised, by their names",
                    "not one",
                );
                return None;
            }
        };
        let found = match self.unit.global(text) {
            _ if self.name_index(text).is_some() => None,
            Some(Global::Exception(index)) => Some(Exc::Own(index)),
            Some(Global::Function(_) | Global::Constant(_) | Global::Alias(_)) => None,
            Some(Global::Error) => return None,
            _ => Exc::from_name(text),
        };
        if found.is_none() {
            let own = self.unit.exceptions.iter().map(|class| class.name.as_str());
            let near = did_you_mean(text, Exc::ALL.iter().map(|e| e.name()).chain(own));
            let diagnostic = if OTHER_EXCEPTIONS.contains(&text.as_str()) {
                Diagnostic::error(
                    code::UNSUPPORTED_YET,
                    format!("`{text}` is not an exception that can be raised yet"),
                )
                .primary(name.span, "not supported yet")
                .help("raise one that can be, such as `RuntimeError`, or a class of your own")
            } else {
                Diagnostic::error(code::RAISE_TYPE, format!("`{text}` is not an exception"))
                    .primary(name.span, "not an exception")
                    .maybe_help(near.map(|near| format!("did you mean `{near}`?")))
            };
            self.report(diagnostic);
        }
        found
    }

    /// Whether a dotted name is `np.linalg.LinAlgError`, however these modules are called.
    fn names_linear_error(&self, name: &Expr) -> bool {
        let ExprKind::Attribute { value, attr } = &name.kind else { return false };
        let module = |expr: &Expr| match &expr.kind {
            ExprKind::Name(name) => match self.unit.global(name) {
                Some(Global::Module(space)) => Some(space),
                _ => None,
            },
            _ => None,
        };
        let space = match &value.kind {
            ExprKind::Attribute { value, attr } => module(value).and_then(|space| space.inside(&attr.name)),
            _ => module(value),
        };
        attr.name == Exc::LinAlgError.name() && matches!(space, Some(Space::Linalg | Space::SciPyLinalg))
    }

    fn text_message(&self, text: &str) -> Message {
        Message::Text(if self.unit.user { in_message(text) } else { text.to_owned() })
    }

    /// A message, and the numbers that it shows.
    fn message(&mut self, expr: &Expr) -> Option<(Message, Vec<tree::Expr>)> {
        let value = self.expr(expr);
        match &value.kind {
            tree::ExprKind::Text(text) => return Some((self.text_message(text), Vec::new())),
            tree::ExprKind::Error => return None,
            _ => {}
        }
        if matches!(value.ty, Ty::Format(..)) {
            return self.message_of(value).map(|(text, payload)| (Message::Text(text), payload));
        }
        let ty = value.ty.clone();
        if is_shown(&ty, false) {
            let mut before = Vec::new();
            let made = self.key_message(value, &mut before);
            self.out.append(&mut before);
            if made.is_some() {
                return made;
            }
        }
        let headline = format!("an exception cannot have {ty} for its argument yet");
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
            .primary(expr.span, "not a text, an integer or float of Python's, or a tuple of few of these")
            .help("write what it shows as an f-string");
        self.report(diagnostic);
        None
    }
}
