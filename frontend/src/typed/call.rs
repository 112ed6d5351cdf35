//! Calls: what is called, with which arguments; functions of the program.

use super::annotation::Annotation;
use super::infer::Infer;
use super::promote::same_kind;
use super::session::{ArgKey, Key};
use super::signature::{self, Signature};
use super::tree::{Expr, ExprKind};
use super::ty::Ty;
use super::unit::{Global, Unit, module_name, not_in_module};
use crate::diagnostics::{Diagnostic, code, counted, did_you_mean, were_given};
use crate::source::Span;
use crate::syntax::ast::{self, FunctionDef, Ident, Keyword};
use pydd_ir::catalogue::{self, Found, Space};
use std::rc::Rc;

impl Infer<'_, '_> {
    pub(super) fn call(
        &mut self,
        func: &ast::Expr,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        match &func.kind {
            ast::ExprKind::Name(name) if self.name_index(name).is_none() => {
                self.call_global(name, func.span, args, keywords, span)
            }
            ast::ExprKind::Attribute { value, attr } if self.ufunc_method(value, attr) => {
                self.look_at(args, keywords);
                self.later_expr(func.span, &format!("`.{}` of a function", attr.name))
            }
            ast::ExprKind::Attribute { value, attr } => {
                self.call_attribute(value, attr, args, keywords, span)
            }
            ast::ExprKind::Error => {
                self.look_at(args, keywords);
                Expr::error(span)
            }
            _ => {
                let callee = self.expr(func);
                self.call_value(callee, args, keywords, span)
            }
        }
    }

    /// Arguments of a call that is wrong are looked at for what is wrong in them.
    fn look_at(&mut self, args: &[ast::Expr], keywords: &[Keyword]) {
        for arg in args.iter().chain(keywords.iter().map(|k| &k.value)) {
            self.expr(arg);
        }
    }

    fn call_value(&mut self, callee: Expr, args: &[ast::Expr], keywords: &[Keyword], span: Span) -> Expr {
        match &callee.ty {
            Ty::DType(num) => {
                let num = *num;
                match args {
                    [arg] if keywords.is_empty() => {
                        let value = self.expr(arg);
                        self.conversion(value, num, span)
                    }
                    _ => self.zero_of(num, span),
                }
            }
            ty if ty.is_silent() => {
                self.look_at(args, keywords);
                Expr::error(span)
            }
            other => {
                let headline = format!("{other} is not callable");
                self.error(code::NOT_CALLABLE, callee.span, headline, "not a function")
            }
        }
    }

    fn call_global(
        &mut self,
        name: &str,
        at: Span,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        match self.unit.global(name) {
            Some(Global::Function(function)) => {
                let unit = Rc::clone(&self.session.units[self.unit.index]);
                self.call_function(&unit, function, None, args, keywords, span)
            }
            Some(Global::Library(found)) => self.call_library(found, None, args, keywords, span),
            Some(_) => {
                let callee = self.name(name, at);
                self.call_value(callee, args, keywords, span)
            }
            None => {
                self.look_at(args, keywords);
                Expr { span, ..self.undefined(name, at) }
            }
        }
    }

    /// The module that an expression names.
    pub(super) fn static_module(&self, expr: &ast::Expr) -> Option<Space> {
        match &expr.kind {
            ast::ExprKind::Name(name) if self.name_index(name).is_none() => match self.unit.global(name)? {
                Global::Module(space) => Some(space),
                _ => None,
            },
            ast::ExprKind::Attribute { value, attr } if attr.name == "linalg" => {
                (self.static_module(value)? == Space::Numpy).then_some(Space::Linalg)
            }
            _ => None,
        }
    }

    /// `np.add.outer` and its like.
    fn ufunc_method(&self, value: &ast::Expr, attr: &Ident) -> bool {
        let ast::ExprKind::Attribute { value: module, attr: function } = &value.kind else { return false };
        let known = |space| catalogue::find(space, &function.name).is_some();
        matches!(attr.name.as_str(), "outer" | "reduce" | "accumulate" | "reduceat" | "at")
            && self.static_module(module).is_some_and(known)
    }

    fn call_attribute(
        &mut self,
        value: &ast::Expr,
        attr: &Ident,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        if let Some(space) = self.static_module(value) {
            return match catalogue::find(space, &attr.name) {
                Some(found) => self.call_library(found, None, args, keywords, span),
                None => {
                    self.look_at(args, keywords);
                    self.not_in(space, attr)
                }
            };
        }
        let receiver = self.expr(value);
        if receiver.ty.is_silent() {
            self.look_at(args, keywords);
            return Expr::silent([&receiver], span);
        }
        if receiver.ty == Ty::Str {
            return self.error(
                code::STRING_OPERATION,
                attr.span,
                "strings are for messages only",
                "a string operation",
            );
        }
        let own_method = is_list(&receiver.ty) && LIST_METHODS.contains(&attr.name.as_str());
        if own_method {
            self.look_at(args, keywords);
            return self.later_expr(attr.span, &format!("`.{}` of a list", attr.name));
        }
        if let Some(found) = catalogue::find(Space::Method, &attr.name) {
            return self.call_library(found, Some(receiver), args, keywords, span);
        }
        // Intrepydd's `a.f(…)` for `f(a, …)`.
        match self.unit.global(&attr.name) {
            Some(Global::Function(function)) => {
                let unit = Rc::clone(&self.session.units[self.unit.index]);
                self.call_function(&unit, function, Some(receiver), args, keywords, span)
            }
            Some(Global::Library(found)) if !found.entry.params.is_empty() => {
                self.call_library(found, Some(receiver), args, keywords, span)
            }
            _ => match catalogue::find(Space::Numpy, &attr.name) {
                Some(found) if !found.entry.params.is_empty() => {
                    self.call_library(found, Some(receiver), args, keywords, span)
                }
                _ => self.unknown_attribute(&receiver, attr),
            },
        }
    }

    /// The error for a name that a module lacks.
    fn not_in(&mut self, space: Space, attr: &Ident) -> Expr {
        let mut diagnostic = not_in_module(space, module_name(space), &attr.name, attr.span);
        if diagnostic.code == code::UNKNOWN_IMPORT {
            diagnostic.code = code::UNKNOWN_FUNCTION;
        }
        self.fail(diagnostic)
    }

    pub(super) fn unknown_attribute(&mut self, receiver: &Expr, attr: &Ident) -> Expr {
        let name = attr.name.as_str();
        if catalogue::is_planned(name) || is_list(&receiver.ty) && LIST_METHODS.contains(&name) {
            return self.later_expr(attr.span, &format!("`.{name}`"));
        }
        let known = catalogue::names(Space::Method).chain(catalogue::names(Space::Attribute));
        let near = match (&receiver.ty, name) {
            (Ty::List(_) | Ty::EmptyList(_), "push" | "add" | "push_back") => {
                Some("lists grow by `.append(…)`".to_owned())
            }
            (Ty::Array { .. } | Ty::List(_), "length" | "len") => {
                Some("write `len(…)`, or `.size` of arrays".to_owned())
            }
            (Ty::Array { .. }, _) => did_you_mean(name, known).map(|near| format!("did you mean `.{near}`?")),
            (Ty::Scalar(_), _) if catalogue::find(Space::Attribute, name).is_some() => {
                Some(format!("arrays have `.{name}`"))
            }
            _ => None,
        };
        let headline = format!("{} has no attribute `{}`", receiver.ty, attr.name);
        let diagnostic = Diagnostic::error(code::UNKNOWN_ATTRIBUTE, headline)
            .primary(attr.span, "no such attribute")
            .secondary(receiver.span, format!("this is {}", receiver.ty))
            .maybe_help(near);
        self.fail(diagnostic)
    }

    /// `value.attr`.
    pub(super) fn attribute(&mut self, value: &ast::Expr, attr: &Ident, span: Span) -> Expr {
        if let Some(space) = self.static_module(value) {
            return match catalogue::find(space, &attr.name) {
                Some(found) => self.library_value(found, span),
                None if attr.name == "newaxis" => Expr::none(span),
                None if attr.name == "linalg" => Expr::new(ExprKind::Static, Ty::Module(Space::Linalg), span),
                None => self.not_in(space, attr),
            };
        }
        let receiver = self.expr(value);
        if receiver.ty.is_silent() {
            return Expr::silent([&receiver], span);
        }
        match catalogue::find(Space::Attribute, &attr.name) {
            Some(found) if receiver.ty.is_array() || is_of_numbers(&found) && receiver.ty.num().is_some() => {
                self.call_library(found, Some(receiver), &[], &[], span)
            }
            _ if catalogue::find(Space::Method, &attr.name).is_some() => {
                let name = &attr.name;
                let diagnostic =
                    Diagnostic::error(code::ASSIGN_TO_FUNCTION, format!("method `{name}` is not called"))
                        .primary(attr.span, "a method")
                        .help(format!("call it: `.{name}(…)`"));
                self.fail(diagnostic)
            }
            _ => self.unknown_attribute(&receiver, attr),
        }
    }

    // ---- functions of the program ----

    pub(super) fn call_function(
        &mut self,
        unit: &Rc<Unit>,
        at: usize,
        receiver: Option<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let Some(def) = unit.function(at) else { return Expr::error(span) };
        let signature = Signature::of(def, unit);
        let mut given: Vec<Option<Expr>> = vec![None; def.params.len()];
        let mut positional: Vec<Expr> = receiver.into_iter().collect();
        for arg in args {
            let expected = list_type(&signature, positional.len());
            positional.push(match expected {
                Some(ty) => self.expr_as(arg, &ty),
                None => self.expr(arg),
            });
        }
        if positional.len() > def.params.len() {
            return self.argument_count(def, positional.len(), span);
        }
        for (slot, value) in given.iter_mut().zip(positional) {
            *slot = Some(value);
        }
        for keyword in keywords {
            let value = self.expr(&keyword.value);
            self.bind_keyword(def, &mut given, keyword, value);
        }
        // What is wrong with the signature is told where the function is defined.
        let Ok(signature) = signature else { return Expr::error(span) };
        let Some(values) = self.with_defaults(def, given, span) else { return Expr::error(span) };
        self.call_with(unit, at, def, &signature, values, span)
    }

    fn bind_keyword(
        &mut self,
        def: &FunctionDef,
        given: &mut [Option<Expr>],
        keyword: &Keyword,
        value: Expr,
    ) {
        let name = &keyword.name.name;
        match def.params.iter().position(|p| p.name.name == *name) {
            Some(index) if given[index].is_none() => given[index] = Some(value),
            Some(_) => {
                let headline = format!("`{}()` got multiple values for argument `{name}`", def.name.name);
                self.error(
                    code::DUPLICATE_ARGUMENT,
                    keyword.name.span,
                    headline,
                    "given by position as well",
                );
            }
            None => {
                let near = did_you_mean(name, def.params.iter().map(|p| p.name.name.as_str()));
                let headline = format!("`{}()` got an unexpected keyword argument `{name}`", def.name.name);
                let diagnostic = Diagnostic::error(code::KEYWORD_ARGUMENT_UNKNOWN, headline)
                    .primary(keyword.name.span, "no such parameter")
                    .maybe_help(near.map(|near| format!("did you mean `{near}`?")));
                self.report(diagnostic);
            }
        }
    }

    fn argument_count(&mut self, def: &FunctionDef, count: usize, span: Span) -> Expr {
        let name = &def.name.name;
        let takes = counted(def.params.len(), "argument");
        let headline = format!("`{name}()` takes {takes} but {}", were_given(count));
        let mut diagnostic =
            Diagnostic::error(code::WRONG_ARGUMENT_COUNT, headline).primary(span, "too many arguments");
        if self.unit.user {
            diagnostic = diagnostic.secondary(def.name.span, "defined here");
        }
        self.fail(diagnostic)
    }

    fn with_defaults(
        &mut self,
        def: &FunctionDef,
        given: Vec<Option<Expr>>,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let mut values = Vec::new();
        let mut missing = Vec::new();
        for (param, value) in def.params.iter().zip(given) {
            let default = || param.default.as_ref().and_then(signature::constant);
            match value.or_else(default) {
                Some(value) => values.push(value),
                None => missing.push(format!("`{}`", param.name.name)),
            }
        }
        if missing.is_empty() {
            return Some(values);
        }
        let what = if missing.len() == 1 { "argument" } else { "arguments" };
        let headline = format!("`{}()` is missing {what} {}", def.name.name, missing.join(", "));
        let diagnostic = Diagnostic::error(code::WRONG_ARGUMENT_COUNT, headline)
            .primary(span, "not enough arguments")
            .secondary(def.name.span, "defined here");
        self.report(diagnostic);
        None
    }

    fn call_with(
        &mut self,
        unit: &Rc<Unit>,
        at: usize,
        def: &FunctionDef,
        signature: &Signature,
        values: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let mut typed = Vec::new();
        for (value, allowed) in values.into_iter().zip(&signature.params) {
            typed.push(match allowed {
                None => value,
                Some((allowed, at)) => {
                    let ty = self.choose_type(&value, allowed, unit, def);
                    self.declare(value, &ty, *at, "passed")
                }
            });
        }
        if typed.iter().any(|value| unit.user && self.refuse_part(value)) {
            return Expr::error(span);
        }
        if let Some(silent) = typed.iter().find(|v| v.ty.is_silent()) {
            return Expr { ty: silent.ty.clone(), ..Expr::error(span) };
        }
        // Among functions of the prelude every constant counts, since axes are passed on.
        let is_static =
            |e: &Expr| !unit.user || matches!(e.ty, Ty::Str | Ty::None | Ty::DType(_) | Ty::Module(_));
        let constants = typed
            .iter()
            .zip(def.params.iter().zip(&signature.params))
            .map(|(value, (param, allowed))| {
                let passed_on = || allowed.is_none() && super::static_param::is_static(def, &param.name.name);
                (value.is_constant() && (is_static(value) || passed_on())).then(|| value.clone())
            })
            .collect();
        self.call_instance(unit.index, at, typed, constants, signature.result.clone(), span)
    }

    /// Of the types that an annotation allows the one for this value.
    fn choose_type(
        &mut self,
        value: &Expr,
        allowed: &[Annotation],
        unit: &Rc<Unit>,
        def: &FunctionDef,
    ) -> Ty {
        let _ = (unit, def);
        let types: Vec<Ty> = allowed
            .iter()
            .map(|annotation| match (annotation, &value.ty) {
                (Annotation::Type(ty), _) => ty.clone(),
                (Annotation::Unranked(dtype), Ty::Array { rank, .. }) => Ty::array(*dtype, *rank),
                (Annotation::Unranked(dtype), _) => Ty::array(*dtype, 1),
            })
            .collect();
        let exact = types
            .iter()
            .find(|ty| **ty == value.ty || ty.num() == value.ty.num() && ty.rank() == value.ty.rank());
        let fitting = || {
            types.iter().find(|ty| match (ty, &value.ty) {
                (Ty::Scalar(to), Ty::Scalar(from)) => same_kind(*from, to.dtype),
                _ => false,
            })
        };
        exact.or_else(fitting).or(types.first()).cloned().unwrap_or(Ty::Error)
    }

    /// A call of the version of a function for these arguments; those with a constant are part of the version.
    pub(super) fn call_instance(
        &mut self,
        unit: usize,
        function: usize,
        args: Vec<Expr>,
        constants: Vec<Option<Expr>>,
        declared: Option<Ty>,
        span: Span,
    ) -> Expr {
        let keys = args
            .iter()
            .zip(&constants)
            .map(|(arg, constant)| ArgKey {
                ty: arg.ty.clone(),
                constant: constant.as_ref().map(|c| constant_key(c)),
            })
            .collect();
        let key = Key { unit, function, args: keys };
        let is_template = self.session.units[unit].function(function).is_some_and(Signature::is_template);
        let called_at = (self.unit.user && is_template).then_some(span);
        let called = self.session.instance(key, constants.clone(), declared, called_at);
        if called.too_deep {
            let diagnostic = Diagnostic::error(
                code::TOO_MANY_SPECIALIZATIONS,
                "calls nest too deep for the types to be found",
            )
            .primary(span, "in this call")
            .help("annotate the parameters and the result");
            return self.fail(diagnostic);
        }
        if called.failed {
            return self.failed_call(called.id, span);
        }
        let args = args.into_iter().zip(&constants).filter(|(_, c)| c.is_none()).map(|(a, _)| a).collect();
        let ty = called.result;
        if ty == Ty::Never || ty == Ty::Error {
            return Expr { ty, ..Expr::error(span) };
        }
        Expr::new(ExprKind::Call(called.id, args), ty, span)
    }

    /// The called function is wrong for these types. That is told where it is written, if the user wrote it.
    fn failed_call(&mut self, id: super::tree::FuncId, span: Span) -> Expr {
        if !self.session.is_prelude(id) {
            return Expr::error(span);
        }
        if !self.unit.user {
            let inner = self.session.first_error(id).cloned();
            return inner.map_or_else(|| Expr::error(span), |inner| self.fail(inner));
        }
        let name = self.session.name(id).trim_start_matches("pydd.").to_owned();
        let name = name.split('.').next().unwrap_or_default();
        let reason = self.session.first_error(id).map(|d| d.headline.clone()).unwrap_or_default();
        let diagnostic =
            Diagnostic::error(code::TYPE_MISMATCH, format!("`{name}` does not take these arguments"))
                .primary(span, reason);
        self.fail(diagnostic)
    }

    /// A call of a prelude function by arguments that are typed already.
    pub(super) fn prelude_call(
        &mut self,
        file: &'static str,
        function: &str,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        if args.iter().any(|a| a.ty.is_silent()) {
            return Expr::silent(&args, span);
        }
        let constants = args
            .iter()
            .map(|a| matches!(a.ty, Ty::None | Ty::DType(_) | Ty::Str).then(|| a.clone()))
            .collect();
        self.prelude_instance(file, function, args, constants, span)
    }

    pub(super) fn prelude_instance(
        &mut self,
        file: &'static str,
        function: &str,
        args: Vec<Expr>,
        constants: Vec<Option<Expr>>,
        span: Span,
    ) -> Expr {
        let Some(unit) = self.session.prelude(file) else { return Expr::error(span) };
        let Some(Global::Function(at)) = unit.global(function) else { return Expr::error(span) };
        self.call_instance(unit.index, at, args, constants, None, span)
    }

    /// Finishes a library call whose result is of NumPy's family.
    pub(super) fn strong(&self, value: Expr) -> Expr {
        match value.ty {
            Ty::Scalar(num) if num.weak => Expr { ty: Ty::strong(num.dtype), ..value },
            _ => value,
        }
    }

    /// What a library function found by this name is called by.
    pub(super) fn shown_name(found: &Found) -> String {
        match found.space {
            Space::Numpy => format!("np.{}", found.name),
            Space::Math => format!("math.{}", found.name),
            Space::Linalg => format!("np.linalg.{}", found.name),
            Space::Method | Space::Attribute => format!(".{}", found.name),
            Space::Bare => found.name.to_owned(),
        }
    }
}

/// Methods of Python's lists that are not compiled yet.
const LIST_METHODS: [&str; 10] =
    ["pop", "insert", "extend", "remove", "clear", "sort", "reverse", "index", "count", "copy"];

const fn is_list(ty: &Ty) -> bool {
    matches!(ty, Ty::List(_) | Ty::EmptyList(_))
}

/// The list type that a parameter asks for, so that a display is made of it.
fn list_type(signature: &Result<Signature, Diagnostic>, index: usize) -> Option<Ty> {
    match signature.as_ref().ok()?.params.get(index)? {
        Some((allowed, _)) => match allowed.as_slice() {
            [Annotation::Type(ty @ Ty::List(_))] => Some(ty.clone()),
            _ => None,
        },
        None => None,
    }
}

/// Whether an attribute is one that numbers have as well.
fn is_of_numbers(found: &Found) -> bool {
    !matches!(found.entry.algebra, catalogue::Algebra::Shape(_))
}

/// What tells constants apart.
fn constant_key(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Literal(literal) => format!("{literal:?}"),
        ExprKind::Text(text) => text.clone(),
        ExprKind::Tuple(items) => items.iter().map(constant_key).collect::<Vec<_>>().join(","),
        _ => String::new(),
    }
}
