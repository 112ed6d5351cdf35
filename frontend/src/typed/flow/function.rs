//! A function as a whole: its parameters, its body, its result.

use super::env::Binding;
use super::infer::Infer;
use crate::diagnostics::{Cause, Diagnostic, Severity, code};
use crate::source::Span;
use crate::typed::containers::dicts;
use crate::typed::program::inspect;
use crate::typed::program::session::{ArgKey, Known};
use crate::typed::program::signature::Signature;
use crate::typed::program::tree::{Expr, ExprKind, Function, Stmt, StmtKind};
use crate::typed::program::visit::{self, VisitorMut};
use crate::typed::types::annotation;
use crate::typed::types::dict_type::Container;
use crate::typed::types::meet::advice;
use crate::typed::types::ty::Ty;
use std::collections::BTreeMap;

/// What inference of a function gives.
pub struct Finished {
    pub function: Function,
    pub diagnostics: Vec<Diagnostic>,
    /// A `return` of something whose type is not found yet.
    pub never_at: Option<Span>,
    /// An expression of type `Error`.
    pub wrong: Option<Span>,
    /// Types by place, where they were asked for.
    pub noted: BTreeMap<Span, Ty>,
}

impl Infer<'_, '_> {
    /// Infers the body.
    pub fn function(&mut self, args: &[ArgKey], constants: &[Option<Expr>]) {
        self.read_result_annotation();
        for (name, arg) in args.iter().enumerate() {
            let def = self.def.params[name].name.span;
            if let Some(Some(constant)) = constants.get(name) {
                self.constants.push(constant.clone());
                self.bind(name, Binding::Constant(self.constants.len() - 1));
                continue;
            }
            let local = self.local_of(name, &arg.ty);
            self.params.push(local);
            self.bind(name, Binding::Local { local, flag: None, def });
        }
        let def = self.def;
        self.make_tables(args);
        self.check_sizes_of_parameters(args);
        self.stmts(&def.body);
        if self.env.is_some() {
            self.end_of_body();
        }
        if self.walk_again {
            return;
        }
        self.unresolved_lists(args);
    }

    /// Dicts that come from Python have no tables yet, wherever they stand.
    fn make_tables(&mut self, args: &[ArgKey]) {
        for (name, arg) in args.iter().enumerate() {
            if arg.known != Known::FromPython {
                continue;
            }
            let (local, span) = (self.local_of(name, &arg.ty), self.def.params[name].name.span);
            let argument = Expr::new(ExprKind::Local(local), arg.ty.clone(), span);
            let made = self.prelude_call(dicts::FILE, "make_tables", vec![argument], span);
            self.push(StmtKind::Eval(made), span);
        }
    }

    fn read_result_annotation(&mut self) {
        let Some(annotation) = &self.def.returns else { return };
        match annotation::result(annotation, self.unit) {
            Ok(ty) => self.declared_result = ty.map(|ty| (ty, annotation.span)),
            // Reported once for the function, where its parameters are read.
            Err(_) => self.declared_result = Some((Ty::Error, annotation.span)),
        }
    }

    /// The end of the body is reached: the function returns None there.
    fn end_of_body(&mut self) {
        // What could not be parsed may well have been the `return`.
        if self.def.has_errors {
            self.returns.push((self.def.name.span, Ty::Error));
            return;
        }
        let value =
            self.returns.iter().find(|(_, ty)| !matches!(ty, Ty::None | Ty::Error | Ty::Never)).cloned();
        let name = &self.def.name.name;
        let headline = format!("function `{name}` may end without returning a value");
        let diagnostic =
            Diagnostic::error(code::MISSING_RETURN, headline.clone()).primary(self.def.name.span, "");
        let diagnostic = match (&self.declared_result, value) {
            (Some((Ty::Maybe(_), _)), _) => {
                self.returns.push((self.def.name.span, Ty::None));
                return self.push(StmtKind::Return(None), self.def.name.span);
            }
            (Some((ty, span)), _) if !matches!(ty, Ty::None | Ty::Error) => {
                diagnostic.secondary(*span, format!("{ty} is promised here"))
            }
            (None, Some((span, ty))) if self.is_seen() && ty.export().is_some() => {
                let warning = Diagnostic::warning(code::MISSING_RETURN, headline)
                    .primary(self.def.name.span, "gives None to Python there")
                    .secondary(span, format!("returns {ty} here"))
                    .help("add a `return` or a `raise` at the end");
                self.report(warning);
                self.returns.push((self.def.name.span, Ty::None));
                return self.push(StmtKind::Return(None), self.def.name.span);
            }
            (_, Some((span, ty))) => diagnostic.secondary(span, format!("returns {ty} here")),
            _ => {
                self.returns.push((self.def.name.span, Ty::None));
                return;
            }
        };
        self.report(diagnostic.help("add a `return` or a `raise` at the end"));
    }

    /// What came in empty is the caller's to say.
    fn unresolved_lists(&mut self, args: &[ArgKey]) {
        let passed: Vec<&Ty> = args.iter().filter_map(|arg| arg.ty.unknown()).collect();
        let unknown: Vec<(Span, Ty)> = self
            .locals
            .iter()
            .filter_map(|local| match local.ty.unknown() {
                Some(unknown @ &(Ty::EmptyList(at) | Ty::EmptyDict(at, _)))
                    if !self.contents.contains_key(&at) && !passed.contains(&unknown) =>
                {
                    Some((at, unknown.clone()))
                }
                _ => None,
            })
            .collect();
        for (at, ty) in unknown {
            let (what, label, help) = match ty {
                Ty::EmptyDict(_, Container::Set) => {
                    ("set", "nothing is added to it", "declare it, as in `s: Set(int) = set()`")
                }
                Ty::EmptyDict(..) => {
                    ("dict", "nothing is stored in it", "declare it, as in `d: Dict(int, float) = {}`")
                }
                _ => ("list", "nothing is appended to it", "declare it, as in `xs: List(float64) = []`"),
            };
            let headline = format!("what this {what} holds is not known");
            let diagnostic =
                Diagnostic::error(code::CANNOT_INFER_TYPE, headline).primary(at, label).help(help);
            self.report(diagnostic.because(Cause::UnknownItems));
        }
    }

    /// Where something else is wrong, nothing is said about items being unknown: what is stored may be what is wrong.
    fn drop_unknown_items(&mut self) {
        let unknown = |d: &Diagnostic| d.cause == Cause::UnknownItems;
        let wrong = |d: &Diagnostic| d.severity == Severity::Error && !unknown(d);
        if self.def.has_errors || self.diagnostics.iter().any(wrong) {
            self.diagnostics.retain(|d| !unknown(d));
        }
    }

    /// The finished function and what is to be said about it.
    pub fn finish(mut self) -> Finished {
        self.drop_unknown_items();
        let never_at = self.returns.iter().find(|(_, ty)| *ty == Ty::Never).map(|(span, _)| *span);
        let result = self.result_type();
        let mut body = self.kept_constants();
        body.append(&mut self.out);
        Returns { infer: &mut self, result: result.clone() }.block(&mut body);
        let def = self.def;
        let function = Function {
            name: String::new(),
            source_name: def.name.name.clone(),
            span: def.name.span,
            user: self.unit.user,
            params: self.params,
            locals: self.locals,
            result,
            body,
            edges: self.edges,
            labels: self.labels,
            recursive: false,
            operation: None,
        };
        if let Some(at) = inspect::inspect(&function).too_deep {
            let diagnostic = Diagnostic::error(code::NESTING_TOO_DEEP, "this nests too deep")
                .primary(at, format!("more than {} deep", inspect::LIMIT))
                .help("move a part into a function of its own");
            self.diagnostics.push(diagnostic);
        }
        Finished {
            function,
            diagnostics: self.diagnostics,
            never_at,
            wrong: self.wrong,
            noted: self.noted.unwrap_or_default(),
        }
    }

    /// Whether Python gets the result. It keeps its type then; callers in the module take it as a value of theirs.
    fn is_seen(&self) -> bool {
        self.unit.user && self.def.captures.is_none() && !Signature::is_template(self.def)
    }

    fn result_type(&mut self) -> Ty {
        if let Some((ty, _)) = &self.declared_result
            && !ty.is_open()
        {
            return ty.clone();
        }
        let seen = self.is_seen();
        let mut common: Option<(Span, Ty)> = None;
        for (span, ty) in self.known_returns() {
            common = match common {
                None => Some((span, ty)),
                Some((at, so_far)) => match self.meet_results(&so_far, &ty, seen) {
                    Some(met) => Some((at, met)),
                    None => {
                        self.report(
                            Diagnostic::error(
                                code::RETURN_MISMATCH,
                                format!("function `{}` returns different types", self.def.name.name),
                            )
                            .primary(span, format!("returns {ty} here"))
                            .secondary(at, format!("returns {so_far} here"))
                            .help(advice(&so_far, &ty).unwrap_or_else(|| {
                                "return the same on all ways, or write a function for each".to_owned()
                            })),
                        );
                        return Ty::Error;
                    }
                },
            };
        }
        common.map_or(Ty::None, |(_, ty)| ty)
    }

    /// What is returned where. As long as nothing is known about what the function's calls of itself give,
    /// what was found wrong may be wrong for want of that only.
    fn known_returns(&mut self) -> Vec<(Span, Ty)> {
        let mut returns = std::mem::take(&mut self.returns);
        let known = |(_, ty): &(Span, Ty)| !ty.is_silent();
        if self.guess == Ty::Never && returns.iter().any(known) {
            returns.retain(known);
        }
        returns
    }

    /// `return value`.
    pub fn return_(&mut self, value: Option<&crate::syntax::ast::Expr>, span: Span) {
        let declared = self.declared_result.clone();
        let value = value.map(|v| match &declared {
            Some((ty, at)) => {
                let value = self.expr_as(v, ty);
                self.declare(value, ty, *at, "returned")
            }
            None => self.checked_expr(v),
        });
        let value = value.map(|value| self.without_room(value)).map(|value| self.as_annotated(value));
        match (&declared, &value) {
            (Some((ty, at)), None) if !matches!(ty, Ty::None | Ty::Maybe(_) | Ty::Error) => {
                let diagnostic = Diagnostic::error(code::MISSING_RETURN, "`return` without a value")
                    .primary(span, "returns None")
                    .secondary(*at, format!("{ty} is promised here"));
                self.report(diagnostic);
            }
            _ => {}
        }
        let ty = value.as_ref().map_or(Ty::None, |v| v.ty.clone());
        // What an empty list or dict holds that is returned elsewhere.
        for (_, other) in self.returned.clone() {
            if let Some(met) = self.meet(&other, &ty) {
                self.note_contents(&other, &met);
                self.note_contents(&ty, &met);
            }
        }
        if self.returned.iter().all(|(_, other)| *other != ty) {
            self.returned.push((self.returns.len(), ty.clone()));
        }
        // `return` in a `pfor` was refused when the tree was made.
        self.returns.push((value.as_ref().map_or(span, |v| v.span), ty));
        self.push(StmtKind::Return(value), span);
        self.env = None;
    }
}

/// Converts what is returned to a function's result.
struct Returns<'i, 's, 'u> {
    infer: &'i mut Infer<'s, 'u>,
    result: Ty,
}

impl VisitorMut for Returns<'_, '_, '_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Return(Some(value)) if value.ty != self.result => {
                let old = std::mem::replace(value, Expr::none(stmt.span));
                *value = self.infer.convert_to(old, &self.result);
            }
            StmtKind::Return(value @ None) if matches!(self.result, Ty::Maybe(_)) => {
                *value = Some(self.infer.convert_to(Expr::none(stmt.span), &self.result));
            }
            _ => visit::walk_stmt_mut(self, stmt),
        }
    }

    /// No expression returns.
    fn expr(&mut self, _: &mut Expr) {}
}
