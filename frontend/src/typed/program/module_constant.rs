//! Constants of the module, where functions read them.
//!
//! What is made of values and operations alone is put in where it is used. Arrays are made once in each function that
//! reads them, before its first statement, and marked: a pass refuses the program that could write to one. Those that no
//! function reads are looked at as well, since CPython evaluates them.

use super::session::Session;
use super::tree::{Expr, ExprKind, LocalId, Stmt, StmtKind};
use super::unit::{self, Unit};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::{ast, visit};
use crate::typed::flow::assign::Declared;
use crate::typed::flow::infer::Infer;
use crate::typed::types::annotation;
use crate::typed::types::ty::Ty;
use pydd_ir::OpKind;
use std::collections::BTreeMap;

/// Constants that refer to constants, this deep at most.
const MAX_DEPTH: usize = 1000;
/// Parts of a constant: each use copies it.
pub(in crate::typed) const MAX_SIZE: usize = 200_000;

/// A constant that a function keeps in a local.
#[derive(Debug)]
pub struct KeptConstant {
    name: String,
    local: LocalId,
    /// What makes it.
    stmts: Vec<Stmt>,
}

/// Evaluates the constants of the module that no function has read.
pub(in crate::typed) fn look_at_unread(session: &mut Session, unit: &Unit) {
    at_module_level(session, unit, |infer| {
        for (at, stmt) in unit.module.body.iter().enumerate() {
            if !matches!(
                stmt.kind,
                ast::StmtKind::Assign { .. } | ast::StmtKind::Declare { value: Some(_), .. }
            ) {
                continue;
            }
            // One mistake gives one error.
            let names = visit::bound_names(stmt);
            let known = names.iter().filter(|(name, _)| unit.constant(at, name).is_some());
            let not_known = names.iter().find(|(name, _)| unit.constant(at, name).is_none());
            for (name, span) in known.chain(not_known) {
                infer.unread_constant(at, name, *span);
            }
        }
    });
}

/// What is wrong in an expression at module level; nothing may be said of it where that is told elsewhere. `None`: it has a value.
pub(in crate::typed) fn wrong_in(
    expr: &ast::Expr,
    session: &mut Session,
    unit: &Unit,
) -> Option<Vec<Diagnostic>> {
    at_module_level(session, unit, |infer| infer.wrong_at_module_level(expr))
}

/// Calls `run` with what infers a function that has no names of its own.
pub(in crate::typed) fn at_module_level<R>(
    session: &mut Session,
    unit: &Unit,
    run: impl FnOnce(&mut Infer<'_, '_>) -> R,
) -> R {
    let name = ast::Ident { name: String::new(), span: Span::default() };
    let def = ast::FunctionDef::empty(name);
    run(&mut Infer::new(session, unit, &def, BTreeMap::new()))
}

impl Infer<'_, '_> {
    /// Looks at a constant that may have been read by a function, or defined again further down.
    fn unread_constant(&mut self, at: usize, name: &str, span: Span) {
        let unit = self.unit;
        match unit.constant(at, name) {
            Some(value) if !unit.is_constant_of(at, name) => {
                if !unit.is_bad_constant(at) {
                    self.evaluate_constant(at, value, name, span);
                }
            }
            _ => {
                self.module_constant(at, name, span);
            }
        }
        let told = std::mem::take(&mut self.diagnostics);
        self.session.constant_diagnostics.extend(told);
    }

    /// What is wrong in an expression that is evaluated at module level, as [`wrong_in`] has it.
    pub(in crate::typed) fn wrong_at_module_level(&mut self, expr: &ast::Expr) -> Option<Vec<Diagnostic>> {
        let mut value = Expr::error(expr.span);
        let (_, told) = self.with_names_of_module(|s| s.block(|s| value = s.expr(expr)));
        value.ty.is_silent().then_some(told)
    }

    /// A constant of the module, by the statement that defines it.
    pub(in crate::typed) fn module_constant(&mut self, at: usize, name: &str, span: Span) -> Expr {
        let unit = self.unit;
        if unit.is_bad_constant(at) {
            return Expr::error(span);
        }
        let Some(expr) = unit.constant(at, name) else {
            let headline = format!("`{name}` is not a constant");
            let diagnostic = Diagnostic::error(code::CONSTANT_NOT_CONSTANT, headline)
                .primary(span, "its value is not written in the module")
                .help("give each constant a value of its own: `A, B = 1, 2`");
            return self.fail(diagnostic);
        };
        let key = (unit.index, name.to_owned());
        if let Some(known) = self.session.constants.get(&key) {
            return Expr { span, ..known.clone() };
        }
        if let Some(kept) = self.kept_constants.iter().find(|kept| kept.name == name) {
            let ty = self.locals[kept.local.index()].ty.clone();
            return Expr::new(ExprKind::Local(kept.local), ty, span);
        }
        if self.session.open_constants.contains(&key) {
            let headline = format!("`{name}` is used before it is defined");
            return self.error(code::UNDEFINED_NAME, span, headline, "its own value is asked for here");
        }
        self.session.constant_budget = self.session.constant_budget.saturating_sub(1);
        if self.session.open_constants.len() >= MAX_DEPTH || self.session.constant_budget == 0 {
            return self.error(code::NESTING_TOO_DEEP, span, "constants refer to constants too deeply", "");
        }
        self.session.open_constants.push(key.clone());
        let (value, stmts) = self.evaluate_constant(at, expr, name, span);
        self.session.open_constants.pop();
        // What needs statements or variables is made again in each function.
        if stmts.is_empty() && (value.ty.is_silent() || value.is_closed() && !holds_array(&value.ty)) {
            self.session.constants.insert(key, value.clone());
        } else if !value.ty.is_silent() {
            return self.keep_constant(name, value, stmts, span);
        }
        Expr { span, ..value }
    }

    /// The value of a constant, and the statements before it. What is wrong in it is told once, whoever uses it.
    fn evaluate_constant(
        &mut self,
        at: usize,
        expr: &ast::Expr,
        name: &str,
        span: Span,
    ) -> (Expr, Vec<Stmt>) {
        let ((value, stmts), told) = self.with_names_of_module(|s| {
            let mut value = Expr::error(span);
            let stmts = s.block(|s| value = s.value_of_constant(at, expr, name));
            (value, stmts)
        });
        self.session.constant_diagnostics.extend(told);
        (value, stmts)
    }

    fn value_of_constant(&mut self, at: usize, expr: &ast::Expr, name: &str) -> Expr {
        let value = match self.declared_of_constant(at, name) {
            Some((ty, annotation)) => {
                let value = self.expr_as(expr, &ty);
                self.declare(value, &ty, annotation, "assigned")
            }
            None => self.expr(expr),
        };
        if !is_plain(&value.ty) && !value.ty.is_silent() {
            let help = match &value.ty {
                Ty::Module(space) => format!("import it by that name: `import {} as {name}`", space.path()),
                _ => unit::WHAT_IS_CONSTANT.to_owned(),
            };
            let diagnostic =
                Diagnostic::error(code::CONSTANT_NOT_CONSTANT, format!("`{name}` is not a constant"))
                    .primary(expr.span, format!("this is {}", value.ty))
                    .help(help);
            return self.fail(diagnostic);
        }
        if value.size_up_to(MAX_SIZE) >= MAX_SIZE {
            let headline = format!("constant `{name}` is too large");
            return self.error(code::NESTING_TOO_DEEP, expr.span, headline, "");
        }
        value
    }

    /// The type that a constant's annotation says. Texts are constants, though no variables.
    fn declared_of_constant(&mut self, at: usize, name: &str) -> Declared {
        let written = self.unit.annotation_of_constant(at, name)?;
        if annotation::is_text(written) {
            return Some((Ty::Str, written.span));
        }
        self.declared_type(Some(written))
    }

    /// Calls `run` where names are the module's, whatever the function calls its variables; and what is wrong there.
    pub(in crate::typed) fn with_names_of_module<R>(
        &mut self,
        run: impl FnOnce(&mut Self) -> R,
    ) -> (R, Vec<Diagnostic>) {
        let env = self.env.take();
        let names = std::mem::take(&mut self.names);
        let diagnostics = std::mem::take(&mut self.diagnostics);
        let loops = std::mem::take(&mut self.loops);
        let conditional = std::mem::take(&mut self.conditional);
        let result = run(self);
        self.conditional = conditional;
        self.loops = loops;
        let told = std::mem::replace(&mut self.diagnostics, diagnostics);
        self.names = names;
        self.env = env;
        (result, told)
    }

    /// Makes a constant where the function begins.
    fn keep_constant(&mut self, name: &str, value: Expr, stmts: Vec<Stmt>, span: Span) -> Expr {
        let (ty, at) = (value.ty.clone(), value.span);
        let outer = std::mem::replace(&mut self.out, stmts);
        let marked = self.marked(value);
        let local = self.temporary(&ty);
        self.push(StmtKind::Set(local, marked), at);
        let stmts = std::mem::replace(&mut self.out, outer);
        self.kept_constants.push(KeptConstant { name: name.to_owned(), local, stmts });
        Expr::new(ExprKind::Local(local), ty, span)
    }

    /// A value whose arrays are marked as the module's.
    fn marked(&mut self, value: Expr) -> Expr {
        let (ty, span) = (value.ty.clone(), value.span);
        match &ty {
            Ty::Array { .. } => Self::op(OpKind::ModuleConstant, vec![value], ty, span),
            Ty::Tuple(items) if holds_array(&ty) => {
                let tuple = self.keep(value);
                let part = |at: usize| ExprKind::Item(Box::new(tuple.clone()), at as u32);
                let parts =
                    items.iter().enumerate().map(|(at, item)| Expr::new(part(at), item.clone(), span));
                let parts = parts.collect::<Vec<_>>().into_iter().map(|part| self.marked(part)).collect();
                Expr::new(ExprKind::Tuple(parts), ty, span)
            }
            _ => value,
        }
    }

    /// What makes the constants that the function keeps, in order.
    pub(in crate::typed) fn kept_constants(&mut self) -> Vec<Stmt> {
        std::mem::take(&mut self.kept_constants).into_iter().flat_map(|kept| kept.stmts).collect()
    }
}

fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(items) => items.iter().all(is_plain),
        Ty::Slice(_)
        | Ty::Scalar(_)
        | Ty::Str
        | Ty::DType(_)
        | Ty::None
        | Ty::Array { .. }
        | Ty::Library(..)
        | Ty::Function { .. } => true,
        _ => false,
    }
}

fn holds_array(ty: &Ty) -> bool {
    match ty {
        Ty::Array { .. } => true,
        Ty::Tuple(items) => items.iter().any(holds_array),
        _ => false,
    }
}
