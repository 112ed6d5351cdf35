//! Statements.

use super::expr::binary_op;
use super::function::is_named_lambda;
use super::{Converter, named};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{BlockKind, Branch, Expr, ExprKind, For, Ident, ImportName, Stmt, StmtKind};
use crate::syntax::recover::is_masked;
use crate::syntax::tokens::Mark;
use crate::syntax::{span_of, types};
use pydd_ir::catalogue::Form;
use rustpython_parser::ast::{self as py, Constant, Ranged};

impl Converter<'_, '_> {
    /// A statement at module level; `None` where it has no meaning for a compiled module.
    pub(super) fn module_stmt(&mut self, stmt: &py::Stmt) -> Option<Stmt> {
        let span = span_of(stmt.range());
        let kind = match stmt {
            _ if is_masked(self.scan, stmt) => return Some(self.stmt(stmt)),
            py::Stmt::FunctionDef(def) => self.function(def),
            py::Stmt::Assign(assign) if is_named_lambda(assign) => self.named_lambda(assign),
            py::Stmt::Import(import) => self.import(import),
            py::Stmt::ImportFrom(import) if is_future(import) => return None,
            py::Stmt::ImportFrom(import) => self.import_from(import, span),
            py::Stmt::ClassDef(class) => self.class(class, span),
            _ if self.defines_type(stmt).is_some() => self.alias(stmt),
            py::Stmt::Assign(assign) if !assign.targets.iter().all(defines) => {
                self.outside_function(stmt, span)
            }
            py::Stmt::AnnAssign(declare) if !defines(&declare.target) => self.outside_function(stmt, span),
            py::Stmt::Assign(_) | py::Stmt::AnnAssign(_) | py::Stmt::Pass(_) => return Some(self.stmt(stmt)),
            py::Stmt::Expr(py::StmtExpr { value, .. }) if is_string(value) => return Some(self.stmt(stmt)),
            // What runs only as a script does not run where the module is imported.
            py::Stmt::If(conditional) if is_main_test(&conditional.test) => {
                self.comments.forget_within(span);
                return None;
            }
            _ => self.outside_function(stmt, span),
        };
        Some(Stmt { span, kind })
    }

    /// The name and the type where a statement gives a type a name, and whether the type is looked at when it is used.
    fn defines_type<'p>(&self, stmt: &'p py::Stmt) -> Option<(&'p py::Expr, &'p py::Expr, bool)> {
        let is_text =
            |value: &py::Expr| matches!(value, py::Expr::Constant(constant) if constant.value.is_str());
        let (name, value, late) = match stmt {
            py::Stmt::TypeAlias(alias) => (&*alias.name, &*alias.value, true),
            py::Stmt::AnnAssign(declare) if is_alias_mark(&declare.annotation) => {
                let value = declare.value.as_deref()?;
                (&*declare.target, value, is_text(value))
            }
            py::Stmt::Assign(assign) if assign.targets.len() == 1 => {
                let is_alias = |name: &str| self.aliases.contains(name);
                if !types::is_shaped_as_type(&assign.value, &is_alias) {
                    return None;
                }
                (&assign.targets[0], &*assign.value, false)
            }
            _ => return None,
        };
        matches!(name, py::Expr::Name(_)).then_some((name, value, late))
    }

    fn alias(&mut self, stmt: &py::Stmt) -> StmtKind {
        let Some((py::Expr::Name(name), value, late)) = self.defines_type(stmt) else {
            return self.error_stmt();
        };
        if let py::Stmt::TypeAlias(py::StmtTypeAlias { type_params, .. }) = stmt
            && let Some(first) = type_params.first()
        {
            let help = "write a name for each type that is used";
            self.not_in_language(span_of(first.range()), "a parameter of a type", help);
            return self.error_stmt();
        }
        self.aliases.insert(name.id.to_string());
        let value = types::from_expr(value, self.sink);
        let name = Ident { name: name.id.to_string(), span: span_of(name.range) };
        StmtKind::Alias { name, value, late }
    }

    /// `class E(ValueError): "doc"`.
    fn class(&mut self, class: &py::StmtClassDef, span: Span) -> StmtKind {
        let keyword = self.first_token(span);
        let base = match class.bases.as_slice() {
            [py::Expr::Name(base)] if class.keywords.is_empty() && class.decorator_list.is_empty() => base,
            _ => {
                let help = "exceptions are classes, `class E(ValueError): pass`; else write functions over arrays, \
                            lists, dicts and tuples";
                self.not_in_language(keyword, "`class`", help);
                self.comments.forget_within(span);
                return self.error_stmt();
            }
        };
        let mut docstring = None;
        for (at, stmt) in class.body.iter().enumerate() {
            match stmt {
                py::Stmt::Pass(_) => {}
                py::Stmt::Expr(py::StmtExpr { value, .. }) if is_string(value) => {
                    if let (0, ExprKind::Str(text)) = (at, self.expr(value).kind) {
                        docstring = Some(text);
                    }
                }
                _ => {
                    let at = self.first_token(span_of(stmt.range()));
                    self.not_in_language(
                        at,
                        "a class with a body",
                        "an exception is `class E(ValueError): pass`",
                    );
                    self.comments.forget_within(span);
                    break;
                }
            }
        }
        let ident = |name: &py::Identifier, span| Ident { name: name.to_string(), span };
        let after = self.tokens.list.get(self.tokens.index_at(keyword.start) + 1).map_or(keyword, |t| t.span);
        let base = ident(&base.id, span_of(base.range()));
        StmtKind::Class { name: ident(&class.name, after), base, docstring }
    }

    fn outside_function(&mut self, stmt: &py::Stmt, span: Span) -> StmtKind {
        let (errors, nodes) = (self.sink.error_count(), self.error_nodes);
        let converted = self.stmt(stmt);
        let reported = self.sink.error_count() > errors || self.error_nodes > nodes;
        if reported || matches!(converted.kind, StmtKind::Error) {
            return StmtKind::Error;
        }
        let diagnostic = if let py::Stmt::Return(_) = stmt {
            Diagnostic::error(code::RETURN_OUTSIDE_FUNCTION, "`return` outside a function")
                .primary(self.first_token(span), "no function is around this")
        } else {
            Diagnostic::error(code::STATEMENT_OUTSIDE_FUNCTION, "this statement stands outside any function")
                .primary(self.first_token(span), "a module holds imports, constants and functions")
        };
        diagnostic.help("put it into a function and call that from Python").emit(self.sink);
        self.error_stmt()
    }

    fn first_token(&self, span: Span) -> Span {
        self.keyword_span(span.start)
    }

    /// The statements of a block.
    pub(super) fn block(&mut self, stmts: &[py::Stmt]) -> Vec<Stmt> {
        stmts.iter().flat_map(|stmt| self.with_named(stmt)).collect()
    }

    /// A statement inside a function.
    pub(super) fn stmt(&mut self, stmt: &py::Stmt) -> Stmt {
        let span = span_of(stmt.range());
        if !is_masked(self.scan, stmt) {
            return Stmt { span, kind: self.stmt_kind(stmt, span) };
        }
        // What stands in the line's place is shorter, and may end inside a character.
        let line = self.scan.line_at(span.start).map_or(span, |line| self.scan.lines[line].span);
        Stmt { span: line, kind: self.masked(stmt, span) }
    }

    /// The line was reported; its block is still read for more.
    fn masked(&mut self, stmt: &py::Stmt, span: Span) -> StmtKind {
        if let py::Stmt::If(conditional) = stmt {
            self.block(&conditional.body);
            self.block(&conditional.orelse);
        } else {
            self.comments.forget_within(span);
        }
        self.error_stmt()
    }

    fn stmt_kind(&mut self, stmt: &py::Stmt, span: Span) -> StmtKind {
        match stmt {
            py::Stmt::Assign(assign) => self.assign(assign, span),
            py::Stmt::AnnAssign(declare) => self.declare(declare),
            py::Stmt::AugAssign(augment) => self.augment(augment),
            py::Stmt::Expr(expr) => StmtKind::Expr(self.expr(&expr.value)),
            py::Stmt::Delete(delete) => {
                StmtKind::Delete(delete.targets.iter().map(|target| self.target(target)).collect())
            }
            py::Stmt::Return(ret) => StmtKind::Return(ret.value.as_deref().map(|value| self.expr(value))),
            py::Stmt::If(conditional) => self.conditional(conditional),
            py::Stmt::While(repeat) => self.repeat(repeat, span),
            py::Stmt::For(repeat) => self.for_loop(repeat, span),
            py::Stmt::With(with) => self.with(with, span),
            py::Stmt::Break(_) => StmtKind::Break,
            py::Stmt::Continue(_) => StmtKind::Continue,
            py::Stmt::Pass(_) => StmtKind::Pass,
            py::Stmt::Assert(assert) => StmtKind::Assert {
                test: self.expr(&assert.test),
                message: assert.msg.as_deref().map(|message| self.expr(message)),
            },
            py::Stmt::Raise(raise) => self.raise(raise, span),
            other => self.refused_stmt(other, span),
        }
    }

    /// Python's statements that the language does not have.
    fn refused_stmt(&mut self, stmt: &py::Stmt, span: Span) -> StmtKind {
        let keyword = self.first_token(span);
        let (what, help) = match stmt {
            py::Stmt::ClassDef(_) => ("`class`", "write functions over arrays, lists, dicts and tuples"),
            py::Stmt::FunctionDef(_) => {
                ("a function inside another's `if` or loop", "define it before, among the first statements")
            }
            py::Stmt::AsyncFunctionDef(_) => ("`async def`", "use `def`; `async:` starts a task"),
            py::Stmt::AsyncFor(_) => ("`async for`", "use `pfor` for a parallel loop"),
            py::Stmt::AsyncWith(_) => ("`async with`", "use `async:`, `finish:` and `isolated:`"),
            py::Stmt::Import(_) | py::Stmt::ImportFrom(_) => {
                ("an import inside a function", "move it to the top of the file")
            }
            py::Stmt::Global(_) => ("`global`", "pass the value as an argument and return the new one"),
            py::Stmt::Nonlocal(_) => ("`nonlocal`", "pass the value as an argument and return the new one"),
            py::Stmt::Try(_) | py::Stmt::TryStar(_) => (
                "`try`",
                "test the condition with `if`, or catch the exception in the Python code that calls this",
            ),
            py::Stmt::Match(_) => ("`match`", "use `if` and `elif`"),
            py::Stmt::TypeAlias(_) => {
                ("a `type` statement inside a function", "move it to the top of the file")
            }
            _ => ("this statement", "use a statement of the language reference"),
        };
        self.not_in_language(keyword, what, help);
        self.comments.forget_within(span);
        self.error_stmt()
    }

    fn assign(&mut self, assign: &py::StmtAssign, span: Span) -> StmtKind {
        let targets = assign.targets.iter().map(|target| self.target(target)).collect();
        if matches!(*assign.value, py::Expr::Lambda(_)) {
            let help = "name it among the first statements of a function, or at module level";
            self.not_in_language(span_of(assign.value.range()), "a `lambda` stored here", help);
            return self.error_stmt();
        }
        let value = self.expr(&assign.value);
        let annotation = self.comments.after(span.end, &[], self.sink);
        StmtKind::Assign { targets, value, annotation }
    }

    fn declare(&mut self, declare: &py::StmtAnnAssign) -> StmtKind {
        let target = self.target(&declare.target);
        if self.source.is_plain(target.span.start) {
            return match declare.value.as_deref() {
                Some(value) => {
                    StmtKind::Assign { targets: vec![target], value: self.expr(value), annotation: None }
                }
                None => StmtKind::Pass,
            };
        }
        if matches!(target.kind, ExprKind::Tuple(_)) {
            Diagnostic::error(code::ANNOTATION_SYNTAX, "a tuple cannot be annotated")
                .primary(target.span, "declares several names")
                .help("declare each name on a line of its own")
                .emit(self.sink);
        }
        let value = declare.value.as_deref().map(|value| self.expr(value));
        // `Final` is for type checkers: the type follows from the value, or is in the brackets.
        let (annotation, value) = match (&*declare.annotation, value) {
            (py::Expr::Name(_) | py::Expr::Attribute(_), Some(value)) if is_final(&declare.annotation) => {
                return StmtKind::Assign { targets: vec![target], value, annotation: None };
            }
            (py::Expr::Subscript(within), value) if is_final(&within.value) => {
                (types::from_expr(&within.slice, self.sink), value)
            }
            (annotation, value) => (types::from_expr(annotation, self.sink), value),
        };
        StmtKind::Declare { target, annotation, value }
    }

    fn augment(&mut self, augment: &py::StmtAugAssign) -> StmtKind {
        let mut target = self.target(&augment.target);
        if matches!(target.kind, ExprKind::Tuple(_)) {
            let operator = binary_op(augment.op).symbol();
            Diagnostic::error(code::ASSIGN_TO_EXPRESSION, format!("a tuple is no target of `{operator}=`"))
                .primary(target.span, "expected a name, an element or a slice")
                .emit(self.sink);
            target.kind = self.error_expr();
        }
        StmtKind::AugAssign { target, op: binary_op(augment.op), value: self.expr(&augment.value) }
    }

    /// The parser nests each `elif` in the `else` of the `if` before it.
    fn conditional(&mut self, conditional: &py::StmtIf) -> StmtKind {
        let mut branches = Vec::new();
        let mut current = conditional;
        loop {
            let test = self.expr(&current.test);
            let body = self.block(&current.body);
            let end = body.last().map_or(test.span.end, |stmt| stmt.span.end);
            branches.push(Branch { test, body, span: Span::new(span_of(current.range).start, end) });
            match current.orelse.as_slice() {
                [py::Stmt::If(next)] if self.is_elif(next) && named::first(&next.test).is_none() => {
                    current = next
                }
                orelse => return StmtKind::If { branches, orelse: self.block(orelse) },
            }
        }
    }

    fn is_elif(&self, conditional: &py::StmtIf) -> bool {
        let span = span_of(conditional.range);
        let start = self.keyword_span(span.start);
        self.source.slice(start) == "elif"
    }

    fn repeat(&mut self, repeat: &py::StmtWhile, span: Span) -> StmtKind {
        let keyword = self.first_token(span);
        if let Some(Mark::Block(kind)) = self.tokens.marks.get(&span.start).copied() {
            let body = self.block(&repeat.body);
            if !repeat.orelse.is_empty() {
                Diagnostic::error(code::BLOCK_ELSE, format!("`{}:` has no `else`", kind.keyword()))
                    .primary(keyword, "this block runs once")
                    .emit(self.sink);
                return self.error_stmt();
            }
            return StmtKind::Block { kind, keyword, body };
        }
        if let Some(named) = named::first(&repeat.test).filter(|_| repeat.orelse.is_empty()) {
            return self.repeat_with_named(repeat, named);
        }
        let test = self.expr(&repeat.test);
        let body = self.block(&repeat.body);
        StmtKind::While { test, body, orelse: self.block(&repeat.orelse) }
    }

    fn for_loop(&mut self, repeat: &py::StmtFor, span: Span) -> StmtKind {
        let keyword = self.first_token(span);
        let mut parallel = self.tokens.marks.get(&span.start) == Some(&Mark::Pfor);
        let annotation = self.comments.after(self.header_end(span), &[], self.sink);
        let target = self.target(&repeat.target);
        let mut iter = self.iterable(&repeat.iter);
        if let ExprKind::Call { func, .. } = &mut iter.kind
            && is_prange(func)
        {
            parallel = true;
            func.kind = ExprKind::Name("range".to_owned());
        }
        let body = self.block(&repeat.body);
        let orelse = self.block(&repeat.orelse);
        StmtKind::For(Box::new(For { keyword, parallel, target, iter, body, orelse, annotation }))
    }

    fn with(&mut self, with: &py::StmtWith, span: Span) -> StmtKind {
        let keyword = self.first_token(span);
        if let [item] = with.items.as_slice()
            && item.optional_vars.is_none()
            && let Some(kind) = block_of(&item.context_expr)
        {
            return StmtKind::Block { kind, keyword, body: self.block(&with.body) };
        }
        if let [item] = with.items.as_slice()
            && item.optional_vars.is_none()
            && is_errstate(&item.context_expr)
        {
            // No arithmetic warns here: the body alone is left.
            let test = self.expr_node(keyword, ExprKind::Bool(true));
            let branches = vec![Branch { test, body: self.block(&with.body), span }];
            return StmtKind::If { branches, orelse: Vec::new() };
        }
        let help = "only `with finish():`, `with spawn():`, `with isolated():` and `with np.errstate(…):` are, one at a time";
        self.not_in_language(keyword, "`with`", help);
        self.comments.forget_within(span);
        self.error_stmt()
    }

    fn raise(&mut self, raise: &py::StmtRaise, span: Span) -> StmtKind {
        if let Some(cause) = raise.cause.as_deref() {
            self.not_in_language(span_of(cause.range()), "`raise … from`", "leave out the cause");
            return self.error_stmt();
        }
        match raise.exc.as_deref() {
            Some(exception) => StmtKind::Raise(self.expr(exception)),
            None => {
                self.not_in_language(
                    span,
                    "`raise` without an exception",
                    "name it: `raise ValueError(\"…\")`",
                );
                self.error_stmt()
            }
        }
    }

    fn import(&mut self, import: &py::StmtImport) -> StmtKind {
        StmtKind::Import(import.names.iter().map(import_name).collect())
    }

    fn import_from(&mut self, import: &py::StmtImportFrom, span: Span) -> StmtKind {
        let relative = import.level.is_some_and(|level| level.to_u32() > 0);
        let Some(module) = import.module.as_ref().filter(|_| !relative) else {
            self.not_in_language(
                span,
                "a relative import",
                "each file is compiled alone: put the functions into it",
            );
            return self.error_stmt();
        };
        let star = import.names.iter().any(|name| name.name.as_str() == "*");
        let names = import.names.iter().filter(|name| name.name.as_str() != "*").map(import_name).collect();
        let token = self.tokens.list.get(self.tokens.index_at(span.start) + 1);
        let start = token.map_or(span.start, |token| token.span.start);
        let module = Ident { name: module.to_string(), span: Span::new(start, start + module.len() as u32) };
        StmtKind::ImportFrom { module, names, star }
    }
}

fn import_name(alias: &py::Alias) -> ImportName {
    let start = span_of(alias.range).start;
    let name = alias.name.to_string();
    let span = Span::new(start, start + name.len() as u32);
    ImportName { path: Ident { name, span }, alias: alias.asname.as_ref().map(ToString::to_string) }
}

/// `TypeAlias`, `typing.TypeAlias`.
fn is_alias_mark(annotation: &py::Expr) -> bool {
    let is_mark = |name: &str| name.rsplit('.').next() == Some("TypeAlias");
    match annotation {
        py::Expr::Constant(constant) => constant.value.as_str().is_some_and(|text| is_mark(text)),
        _ => types::dotted(annotation).is_some_and(|name| is_mark(&name)),
    }
}

/// `Final`, `typing.Final`.
fn is_final(annotation: &py::Expr) -> bool {
    matches!(types::dotted(annotation).as_deref(), Some("Final" | "typing.Final"))
}

fn is_future(import: &py::StmtImportFrom) -> bool {
    import.module.as_ref().is_some_and(|module| module.as_str() == "__future__")
}

fn is_string(expr: &py::Expr) -> bool {
    matches!(expr, py::Expr::Constant(constant) if matches!(constant.value, Constant::Str(_) | Constant::Ellipsis))
}

/// `__name__ == "__main__"`
fn is_main_test(test: &py::Expr) -> bool {
    let py::Expr::Compare(compare) = test else { return false };
    matches!(&*compare.left, py::Expr::Name(name) if name.id.as_str() == "__name__")
}

/// `prange`, `numba.prange`.
fn is_prange(func: &Expr) -> bool {
    let is_range = |name: &str| Form::named(name) == Some(Form::ParallelRange);
    match &func.kind {
        ExprKind::Name(name) => is_range(name),
        ExprKind::Attribute { value, attr } => {
            is_range(&attr.name) && matches!(value.kind, ExprKind::Name(_))
        }
        _ => false,
    }
}

/// `finish()`, `spawn()`, `isolated()`.
/// Whether this is `np.errstate(…)` that lets errors of arithmetic pass.
fn is_errstate(context: &py::Expr) -> bool {
    let py::Expr::Call(call) = context else { return false };
    let passes = |keyword: &py::Keyword| match &keyword.value {
        py::Expr::Constant(py::ExprConstant { value: Constant::Str(text), .. }) => {
            matches!(text.as_str(), "ignore" | "warn" | "print")
        }
        _ => false,
    };
    call.args.is_empty()
        && call.keywords.iter().all(passes)
        && types::dotted(&call.func).and_then(|name| Form::named(&name)) == Some(Form::ErrorState)
}

fn block_of(context: &py::Expr) -> Option<BlockKind> {
    let py::Expr::Call(call) = context else { return None };
    if !call.args.is_empty() || !call.keywords.is_empty() {
        return None;
    }
    match types::dotted(&call.func)?.rsplit('.').next()? {
        "finish" => Some(BlockKind::Finish),
        "spawn" => Some(BlockKind::Async),
        "isolated" => Some(BlockKind::Isolated),
        _ => None,
    }
}

/// Whether an assignment to a target gives names values, and changes nothing that is there.
fn defines(target: &py::Expr) -> bool {
    match target {
        py::Expr::Subscript(_) | py::Expr::Attribute(_) => false,
        py::Expr::Tuple(tuple) => tuple.elts.iter().all(defines),
        py::Expr::List(list) => list.elts.iter().all(defines),
        _ => true,
    }
}
