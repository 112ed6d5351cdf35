//! Calls of functions of the program and of the prelude: arguments, versions, what they give.

use crate::diagnostics::{Cause, Diagnostic, code, counted, did_you_mean, were_given};
use crate::source::Span;
use crate::syntax::ast::{self, FunctionDef, Keyword};
use crate::typed::containers::list_ops::is_starred;
use crate::typed::flow::infer::Infer;
use crate::typed::program::session::{ArgKey, Key, Known};
use crate::typed::program::signature::{self, Choice, Signature};
use crate::typed::program::static_param;
use crate::typed::program::tree::{self, Expr, ExprKind};
use crate::typed::program::unit::{Global, Unit};
use crate::typed::types::annotation::Annotation;
use crate::typed::types::meet;
use crate::typed::types::promote::same_kind;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::reference;
use std::rc::Rc;

impl Infer<'_, '_> {
    /// A call of a function of the program; `values` are arguments in front of those that are written.
    pub(in crate::typed) fn call_function(
        &mut self,
        unit: &Rc<Unit>,
        at: usize,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let Some(def) = unit.function(at) else { return Expr::error(span) };
        self.session.note_call(unit.index, at);
        let signature = Signature::of(def, unit);
        let mut given: Vec<Option<Expr>> = vec![None; def.params.len()];
        let mut positional = values;
        let unpacks = args.iter().any(is_starred);
        for arg in args {
            if let ast::ExprKind::Starred(value) = &arg.kind {
                match self.unpacked(value) {
                    Ok(items) => positional.extend(items),
                    Err(silent) => return Expr::silent([&silent], span),
                }
                continue;
            }
            let expected = expected_type(&signature, positional.len());
            let value = match expected {
                Some(ty) => self.expr_as(arg, &ty),
                None => self.either_expr(arg),
            };
            // What is unpacked is evaluated in a statement of its own, which must not come before this.
            positional.push(if unpacks { self.keep(value) } else { value });
        }
        let by_place = def.params.iter().take_while(|param| !param.keyword_only).count();
        if positional.len() > by_place {
            return self.argument_count(def, by_place, positional.len(), span);
        }
        for (slot, value) in given.iter_mut().zip(positional) {
            *slot = Some(value);
        }
        for keyword in keywords {
            let named = def.params.iter().position(|param| param.name.name == keyword.name.name);
            let value = match named.and_then(|index| expected_type(&signature, index)) {
                Some(ty) => self.expr_as(&keyword.value, &ty),
                None => self.either_expr(&keyword.value),
            };
            self.bind_keyword(def, &mut given, keyword, value);
        }
        // What is wrong with the signature is told where the function is defined.
        let Ok(signature) = signature else { return Expr::error(span) };
        let Some(values) = self.with_defaults(unit, def, given, span) else { return Expr::error(span) };
        if Self::is_by_elements(def, &values) {
            return self.call_by_elements(unit, at, def, &signature, values, keywords, span);
        }
        self.call_with(unit, at, def, &signature, values, span)
    }

    /// The items of a tuple that `*` unpacks among arguments.
    pub(in crate::typed) fn unpacked(&mut self, value: &ast::Expr) -> Result<Vec<Expr>, Expr> {
        let value = self.expr(value);
        let value = self.keep(value);
        match &value.ty {
            Ty::Tuple(_) => Ok(self.items_of(&value)),
            ty if ty.is_silent() => Err(value),
            ty => {
                let diagnostic =
                    Diagnostic::error(code::TYPE_MISMATCH, "`*` unpacks tuples only, whose length is known")
                        .primary(value.span, format!("this is {ty}"))
                        .help("write each argument: `f(xs[0], xs[1])`");
                Err(self.fail(diagnostic))
            }
        }
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
            Some(index) if def.params[index].positional_only => {
                let headline = format!("`{}()` takes `{name}` by its position only", def.name.name);
                let diagnostic = Diagnostic::error(code::KEYWORD_ARGUMENT_UNKNOWN, headline)
                    .primary(keyword.name.span, "given by its name")
                    .secondary(def.params[index].span, "before `/`");
                self.report(diagnostic);
            }
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

    fn argument_count(&mut self, def: &FunctionDef, by_place: usize, count: usize, span: Span) -> Expr {
        let name = &def.name.name;
        let what = if by_place == def.params.len() { "argument" } else { "positional argument" };
        let takes = counted(by_place, what);
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
        unit: &Unit,
        def: &FunctionDef,
        given: Vec<Option<Expr>>,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let mut values = Vec::new();
        let mut missing = Vec::new();
        for (param, value) in def.params.iter().zip(given) {
            let default = param.default.as_ref().map(|default| (default, signature::constant(default, unit)));
            match (value, default) {
                (Some(value), _) | (None, Some((_, Some(value)))) => values.push(value),
                (None, Some((default, None))) => {
                    // That of a function inside another one may be a variable there.
                    let wrong = def.captures.is_none().then(|| self.wrong_at_module_level(default)).flatten();
                    if let Some(wrong) = wrong {
                        self.diagnostics.extend(wrong);
                        return None;
                    }
                    let headline = format!("the default of `{}` is no constant", param.name.name);
                    let diagnostic = Diagnostic::error(code::DEFAULT_NOT_CONSTANT, headline)
                        .primary(default.span, "its value is not written in the module");
                    self.report(diagnostic);
                    return None;
                }
                (None, None) => missing.push(format!("`{}`", param.name.name)),
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
        let mut listed = Vec::new();
        for ((value, allowed), param) in values.into_iter().zip(&signature.params).zip(&def.params) {
            let mut is_listed = false;
            typed.push(match allowed {
                None if unit.user => value,
                None => self.settle(value),
                Some((allowed, at)) => {
                    let value = self.settle(value);
                    match choose(&value, allowed) {
                        Some(Choice { value: Some(_), .. }) => {
                            is_listed = true;
                            value
                        }
                        Some(Choice { ty, value: None }) => self.declare(value, &ty, *at, "passed"),
                        None if value.ty.is_silent() => value,
                        None => self.not_listed(&param.name.name, &value, allowed, *at),
                    }
                }
            });
            listed.push(is_listed);
        }
        if let Some(silent) = typed.iter().find(|v| v.ty.is_silent()) {
            return Expr { ty: silent.ty.clone(), ..Expr::error(span) };
        }
        // Among functions of the prelude every constant counts, since axes are passed on.
        let is_static = |e: &Expr| {
            !unit.user
                || matches!(
                    e.ty,
                    Ty::Str
                        | Ty::None
                        | Ty::DType(_)
                        | Ty::TypeOf(_)
                        | Ty::Module(_)
                        | Ty::Library(..)
                        | Ty::Function { .. }
                )
        };
        let constants = typed
            .iter()
            .zip(def.params.iter().zip(&signature.params).zip(listed))
            .map(|(value, ((param, allowed), is_listed))| {
                let passed_on = || allowed.is_none() && static_param::is_static(def, &param.name.name);
                (value.is_constant() && (is_listed || is_static(value) || passed_on())).then(|| value.clone())
            })
            .collect();
        self.call_instance(unit.index, at, typed, constants, signature.result.clone(), span)
    }

    /// The error for a value that a parameter's `Literal` does not list, or that is known only when the program runs.
    fn not_listed(&mut self, name: &str, value: &Expr, allowed: &[Annotation], at: Span) -> Expr {
        let listed: Vec<String> = allowed.iter().filter_map(shown).collect();
        let (headline, help) = if value.is_constant() {
            (format!("`{name}` does not take this value"), format!("it takes {}", listed.join(", ")))
        } else {
            let help = format!("call it once for each, as in `if {name} == {}:`", listed[0]);
            (format!("the value of `{name}` must be known when the program is compiled"), help)
        };
        let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, headline)
            .primary(
                value.span,
                format!(
                    "this is {}",
                    value.as_literal().map_or_else(|| value.ty.to_string(), |v| v.python())
                ),
            )
            .secondary(at, "its values are listed here")
            .help(help);
        self.fail(diagnostic)
    }

    /// A call of the version of a function for these arguments; those with a constant are part of the version.
    pub(in crate::typed) fn call_instance(
        &mut self,
        unit: usize,
        function: usize,
        args: Vec<Expr>,
        constants: Vec<Option<Expr>>,
        declared: Option<Ty>,
        span: Span,
    ) -> Expr {
        let is_call =
            |c: &&Expr| c.ty == Ty::None && !matches!(c.kind, ExprKind::Static | ExprKind::Local(_));
        if let Some(call) = constants.iter().flatten().find(is_call) {
            return self.none_value(call);
        }
        // A variable that is None is none of the callee's variables: what counts is its type.
        let constant = |c: Expr| if c.ty == Ty::None { Expr::none(c.span) } else { c };
        let constants: Vec<Option<Expr>> = constants.into_iter().map(|c| c.map(constant)).collect();
        let keys = args
            .iter()
            .zip(&constants)
            .map(|(arg, constant)| ArgKey {
                ty: arg.ty.clone(),
                known: constant.as_ref().map_or(Known::Nothing, |value| Known::Constant(constant_key(value))),
            })
            .collect();
        let key = Key { unit, function, args: keys };
        let is_template = self.session.units[unit].function(function).is_some_and(Signature::is_template);
        let called_at = (self.unit.user && is_template).then_some(span);
        let called = self.session.instance(key, constants.clone(), declared, called_at);
        for arg in &args {
            if let Some(unknown @ (Ty::EmptyList(at) | Ty::EmptyDict(at, _))) = arg.ty.unknown()
                && let Some(stored) = called.stores.get(at)
            {
                self.note_contents(unknown, stored);
            }
        }
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
        if ty.has_maybe() && !ty.may_be_kept() {
            let diagnostic = Diagnostic::error(code::MISSING_RETURN, format!("this call gives {ty}"))
                .primary(span, "a value in the language is never None")
                .help("let the function return a value on every way");
            return self.fail(diagnostic);
        }
        let value = meet::canonical(&ty);
        let call = Expr::new(ExprKind::Call(called.id, args), ty, span);
        self.convert_to(call, &value)
    }

    /// The called function is wrong for these types. That is told where it is written, if the user wrote it.
    fn failed_call(&mut self, id: tree::FuncId, span: Span) -> Expr {
        if !self.session.is_prelude(id) {
            return Expr::error(span);
        }
        if !self.unit.user {
            let inner = self.session.first_error(id).cloned();
            return inner.map_or_else(|| Expr::error(span), |inner| self.fail(inner));
        }
        let name = self.session.name(id).trim_start_matches("pydd.").to_owned();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        let Some(inner) = self.session.first_error(id).cloned() else { return Expr::error(span) };
        let diagnostic = self.call_refused(&name, &inner, span);
        self.fail(diagnostic)
    }

    /// The error for a call of a library function whose text does not fit the arguments.
    fn call_refused(&self, name: &str, inner: &Diagnostic, span: Span) -> Diagnostic {
        let Some(args) = &self.library_call else {
            return Diagnostic::error(code::TYPE_MISMATCH, format!("`{name}` does not take these arguments"))
                .primary(span, inner.headline.clone());
        };
        let shown = Self::shown_name(&args.found);
        let help = format!("the library has {}", reference::line(args.found.entry));
        // The prelude's `unsupported` says which parameter does not fit.
        if let Cause::Parameter(param) = &inner.cause {
            let at = args.named(param).map_or(span, |value| value.span);
            let what = inner.primary.as_ref().map(|label| label.text.clone()).unwrap_or_default();
            return Diagnostic::error(inner.code, format!("`{shown}` {}", inner.headline))
                .primary(at, what)
                .help(help);
        }
        let code = if inner.code == code::UNSUPPORTED_YET { inner.code } else { code::TYPE_MISMATCH };
        let headline = format!("`{shown}` does not take these arguments");
        let mut diagnostic = Diagnostic::error(code, headline).primary(span, inner.headline.clone());
        for value in args.given().filter(|value| value.ty.num().is_some() && !value.is_constant()) {
            diagnostic = diagnostic.secondary(value.span, format!("this is {}", value.ty));
        }
        diagnostic.help(help)
    }

    /// A call of a prelude function by arguments that are typed already.
    pub(in crate::typed) fn prelude_call(
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
            .map(|a| matches!(a.ty, Ty::None | Ty::DType(_) | Ty::TypeOf(_) | Ty::Str).then(|| a.clone()))
            .collect();
        self.prelude_instance(file, function, args, constants, span)
    }

    pub(in crate::typed) fn prelude_instance(
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
}

/// Of what an annotation allows that which is for this value; `None` where it allows certain values alone, and this is none of them.
fn choose(value: &Expr, allowed: &[Annotation]) -> Option<Choice> {
    let own = value.as_literal();
    if let Some(listed) =
        allowed.iter().find(|a| matches!(a, Annotation::Value(v) if own.as_ref() == Some(v)))
    {
        let Annotation::Value(listed) = listed else { return None };
        return Some(Choice::of_value(listed, value.span));
    }
    let types: Vec<Ty> = allowed
        .iter()
        .filter_map(|annotation| match (annotation, &value.ty) {
            (Annotation::Type(ty), _) => Some(ty.clone()),
            (Annotation::Unranked(dtype), Ty::Array { rank, .. }) => Some(Ty::array(*dtype, *rank)),
            (Annotation::Unranked(dtype), _) => Some(Ty::array(*dtype, 1)),
            (Annotation::Value(_), _) => None,
        })
        .collect();
    let alike = |ty: &Ty| match (ty, &value.ty) {
        (Ty::Sparse(to), Ty::Sparse(from)) => (to.dtype, to.index) == (from.dtype, from.index),
        (Ty::Sparse(_), _) | (_, Ty::Sparse(_)) => false,
        _ => ty.num() == value.ty.num() && ty.rank() == value.ty.rank(),
    };
    let exact = types.iter().find(|ty| **ty == value.ty || alike(ty));
    let fitting = || {
        types.iter().find(|ty| match (ty, &value.ty) {
            (Ty::Scalar(to), Ty::Scalar(from)) => same_kind(*from, to.dtype),
            _ => false,
        })
    };
    // Beside listed values, None is no type that another value is refused for.
    let other = || types.iter().find(|ty| **ty != Ty::None || types.len() == allowed.len());
    exact.or_else(fitting).or_else(other).cloned().map(Choice::of_type)
}

/// A value that a parameter may have, as it is written.
fn shown(annotation: &Annotation) -> Option<String> {
    match annotation {
        Annotation::Value(value) => Some(value.python()),
        Annotation::Type(Ty::None) => Some(Ty::None.to_string()),
        _ => None,
    }
}

/// The type of list, dict or array that a parameter asks for, so that a display is made of it, or `squeeze` knows what stays.
fn expected_type(signature: &Result<Signature, Diagnostic>, index: usize) -> Option<Ty> {
    match signature.as_ref().ok()?.params.get(index)? {
        Some((allowed, _)) => {
            match *allowed.iter().filter(|a| **a != Annotation::Type(Ty::None)).collect::<Vec<_>>() {
                [
                    Annotation::Type(
                        ty @ (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::Dict(_) | Ty::Array { .. }),
                    ),
                ] => Some(ty.clone()),
                _ => None,
            }
        }
        None => None,
    }
}

/// What tells constants apart.
pub(in crate::typed) fn constant_key(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Literal(literal) => format!("{literal:?}"),
        ExprKind::Text(text) => text.clone(),
        ExprKind::Tuple(items) => items.iter().map(constant_key).collect::<Vec<_>>().join(","),
        _ => String::new(),
    }
}
