//! Function definitions: parameters, annotations, type comments, docstring.

use super::{Converter, take_docstring};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Ident, Param, Stmt, StmtKind, UnaryOp};
use crate::syntax::fresh;
use crate::syntax::memo;
use crate::syntax::recover::is_masked;
use crate::syntax::ufunc::{self, Loop, Ufunc};
use crate::syntax::{span_of, types};
use pydd_ir::DType;
use rustpython_parser::Tok;
use rustpython_parser::ast::{self as py, Ranged};

/// What decorators say of a function.
struct Decorators {
    ufunc: Option<Ufunc>,
    /// Whether it keeps its results.
    cached: bool,
}

impl<'a> Converter<'a, '_> {
    /// A function, at module level or directly inside another.
    pub(super) fn function(&mut self, def: &py::StmtFunctionDef) -> StmtKind {
        let (errors, nodes) = (self.sink.error_count(), self.error_nodes);
        let span = span_of(def.range);
        let def_span = Span::new(self.def_keyword(span), span.end);
        let header = Span::new(def_span.start, self.header_end(def_span));
        let Decorators { ufunc, cached } = self.decorators(def);
        let ufunc = ufunc.or_else(|| self.given_ufunc(def_span));
        let cached = cached || self.is_given_cached(def_span);
        let name = self.function_name(def, def_span);
        let given = self.given_signature(def_span);
        // Who gives types to parameters gives all arguments as well.
        let mut params = self.params(&def.args, given.is_none());
        let written = def.returns.as_deref().filter(|_| !self.ignores_header(span));
        let written = written.map(|expr| types::from_expr(expr, self.sink));
        let mut returns = written.filter(|result| !result.is_any());
        self.signature_comment(header, &mut params, &mut returns);
        if let Some(given) = given {
            self.given_types(given, def_span, &mut params, &mut returns);
        }
        let is_template = returns.is_none() && params.iter().all(|param| param.annotation.is_none());
        let rest = self.rest(&def.args, is_template && given.is_none() && ufunc.is_none());
        let around = std::mem::take(&mut self.guarded);
        let mut body = self.function_body(&def.body);
        let guarded = std::mem::replace(&mut self.guarded, around);
        self.check_guarded(&guarded, &body);
        let docstring = take_docstring(&mut body);
        let has_errors =
            self.sink.error_count() > errors || self.error_nodes > nodes || self.scan.has_broken(def_span);
        StmtKind::FunctionDef(Box::new(FunctionDef {
            name,
            params,
            returns,
            docstring,
            body,
            span: def_span,
            header,
            has_errors,
            is_python: self.ignores_header(span),
            captures: None,
            ufunc,
            cached,
            rest,
        }))
    }

    /// `name = lambda params: body`, which is a function of one statement.
    pub(super) fn named_lambda(&mut self, assign: &py::StmtAssign) -> StmtKind {
        let ([py::Expr::Name(target)], py::Expr::Lambda(lambda)) = (&*assign.targets, &*assign.value) else {
            unreachable!("it was tested")
        };
        let (errors, nodes) = (self.sink.error_count(), self.error_nodes);
        let name = Ident { name: target.id.to_string(), span: span_of(target.range) };
        let params = self.params(&lambda.args, true);
        let rest = self.rest(&lambda.args, true);
        let (span, body) = (span_of(assign.range), self.expr(&lambda.body));
        let header = Span::new(span.start, body.span.start);
        let body = vec![Stmt { span: body.span, kind: StmtKind::Return(Some(body)) }];
        let has_errors = self.sink.error_count() > errors || self.error_nodes > nodes;
        let is_python = self.ignores_header(span);
        StmtKind::FunctionDef(Box::new(FunctionDef {
            params,
            body,
            span,
            header,
            has_errors,
            is_python,
            rest,
            ..FunctionDef::empty(name)
        }))
    }

    /// The statements of a function, functions among them.
    fn function_body(&mut self, stmts: &[py::Stmt]) -> Vec<Stmt> {
        let stmt = |stmt: &py::Stmt| match stmt {
            py::Stmt::FunctionDef(def) if !is_masked(self.scan, stmt) => {
                vec![Stmt { span: span_of(stmt.range()), kind: self.function(def) }]
            }
            py::Stmt::Assign(assign) if is_named_lambda(assign) && !is_masked(self.scan, stmt) => {
                vec![Stmt { span: span_of(stmt.range()), kind: self.named_lambda(assign) }]
            }
            _ => self.with_named(stmt),
        };
        stmts.iter().flat_map(stmt).collect()
    }

    /// The range may begin at a decorator.
    fn def_keyword(&self, span: Span) -> u32 {
        let tokens = self.tokens.within(span);
        tokens.iter().find(|token| matches!(token.tok, Tok::Def)).map_or(span.start, |token| token.span.start)
    }

    fn function_name(&self, def: &py::StmtFunctionDef, span: Span) -> Ident {
        let name = def.name.to_string();
        let is_name = |tok: &Tok| !matches!(tok, Tok::Def);
        let token = self.tokens.within(span).iter().find(|token| is_name(&token.tok));
        Ident { span: token.map_or(Span::at(span.start), |token| token.span), name }
    }

    /// The decorators that a function may have.
    fn decorators(&mut self, def: &py::StmtFunctionDef) -> Decorators {
        let mut found = Decorators { ufunc: None, cached: false };
        for decorator in &def.decorator_list {
            let span = span_of(decorator.range());
            if found.ufunc.is_none()
                && !found.cached
                && let Some(ufunc) = ufunc::decorator(decorator, self.sink)
            {
                found.ufunc = ufunc;
                continue;
            }
            if found.ufunc.is_none() && memo::is_cache(decorator) {
                found.cached = true;
                continue;
            }
            self.not_in_language(
                span,
                "a decorator",
                "remove it: every function with annotations is compiled",
            );
        }
        if let Some(first) = def.type_params.first() {
            let help = "leave the parameters without annotations: the function is then a template";
            self.not_in_language(span_of(first.range()), "a type parameter", help);
        }
        found
    }

    fn params(&mut self, args: &py::Arguments, defaults: bool) -> Vec<Param> {
        if let Some(arg) = args.kwarg.as_deref() {
            self.not_in_language(
                span_of(arg.range),
                "a parameter with `**`",
                "give each argument a parameter",
            );
        }
        let mut all = Vec::new();
        all.extend(
            args.posonlyargs.iter().map(|arg| Param { positional_only: true, ..self.param(arg, defaults) }),
        );
        all.extend(args.args.iter().map(|arg| self.param(arg, defaults)));
        all.extend(
            args.kwonlyargs.iter().map(|arg| Param { keyword_only: true, ..self.param(arg, defaults) }),
        );
        all
    }

    /// `*args`, which functions have that are made for each call.
    fn rest(&mut self, args: &py::Arguments, is_template: bool) -> Option<Ident> {
        let arg = args.vararg.as_deref()?;
        let span = span_of(arg.range);
        if !is_template || arg.annotation.is_some() && !self.ignores_header(span) {
            let help = "give each argument a parameter, or pass a list or an array";
            self.not_in_language(span, "a parameter with `*`", help);
            return None;
        }
        Some(Ident { name: arg.arg.to_string(), span })
    }

    fn param(&mut self, arg: &py::ArgWithDefault, defaults: bool) -> Param {
        let span = span_of(arg.def.range);
        let name = arg.def.arg.to_string();
        let name = Ident { span: Span::new(span.start, span.start + name.len() as u32), name };
        let default = arg.default.as_deref().filter(|_| defaults).map(|default| self.default(default));
        let span = default.as_ref().map_or(span, |default| span.join(default.span));
        let annotation = match arg.def.annotation.as_deref() {
            _ if self.ignores_header(span) => None,
            Some(annotation) => Some(types::from_expr(annotation, self.sink)),
            None => self.comments.after(span.end, &[',', ')'], self.sink),
        };
        Param { name, annotation, default, keyword_only: false, positional_only: false, span }
    }

    fn default(&mut self, default: &py::Expr) -> Expr {
        let value = self.expr(default);
        if !is_constant(&value) {
            Diagnostic::error(code::DEFAULT_NOT_CONSTANT, "the default of a parameter must be a constant")
                .primary(value.span, "computed when the function is defined, in Python")
                .help("use a number, a string or `None`, and compute the value in the function")
                .emit(self.sink);
        }
        value
    }

    /// Whether what a header says of types says nothing here.
    fn ignores_header(&self, span: Span) -> bool {
        self.source.marker(span.start).is_some_and(|marker| marker.plain || marker.signature.is_some())
    }

    /// That a function which came along from a Python file is the one of a ufunc.
    fn given_ufunc(&self, span: Span) -> Option<Ufunc> {
        let line = self.source.line_column(span.start).line;
        let (part, _) = self.source.part_of(line)?;
        let loops = self.source.marker(span.start)?.loops.as_ref().filter(|_| part.start == line)?;
        let named = |name: &String| DType::ALL.into_iter().find(|dtype| dtype.numpy_name() == name);
        let types = |names: &[String]| names.iter().map(named).collect::<Option<Vec<_>>>();
        let of = |[operands, results]: &[Vec<String>; 2]| {
            Some(Loop { operands: types(operands)?, results: types(results)? })
        };
        let loops = loops.iter().map(of).collect::<Option<_>>();
        Some(Ufunc { span, core: None, identity: None, loops })
    }

    /// That a function which came along from a Python file keeps its results.
    fn is_given_cached(&self, span: Span) -> bool {
        let line = self.source.line_column(span.start).line;
        let first = self.source.part_of(line).is_some_and(|(part, _)| part.start == line);
        first && self.source.marker(span.start).is_some_and(|marker| marker.cached)
    }

    /// The types that the part of the text gives its function; functions inside are plain ones.
    fn given_signature(&self, def: Span) -> Option<&'a str> {
        let line = self.source.line_column(def.start).line;
        let (part, _) = self.source.part_of(line)?;
        self.source.marker(def.start)?.signature.as_deref().filter(|_| part.start == line)
    }

    /// Types of a part's function, as if they stood at the names of parameters; all of these are given by position.
    fn given_types(
        &mut self,
        given: &str,
        def: Span,
        params: &mut Vec<Param>,
        returns: &mut Option<types::TypeExpr>,
    ) {
        let Some((types, mut result)) = types::parse_signature(given, 0, self.sink) else { return };
        if let Some(marker) = self.source.marker(def.start) {
            params.retain(|param| !marker.left_out.contains(&param.name.name));
            let span = Span::at(def.start);
            params.extend(marker.globals.iter().map(|name| fresh::param(span, name)));
        }
        for (param, mut annotation) in params.iter_mut().zip(types) {
            annotation.stand_at(param.name.span);
            param.annotation = Some(annotation);
            param.keyword_only = false;
        }
        result.stand_at(def);
        *returns = Some(result).filter(|result| !result.is_any());
    }

    /// `# type: (int64, float64) -> float64` after the header.
    fn signature_comment(
        &mut self,
        header: Span,
        params: &mut [Param],
        returns: &mut Option<types::TypeExpr>,
    ) {
        let Some((types, result, comment)) = self.comments.signature(header.end, self.sink) else { return };
        if types.len() != params.len() {
            let headline = format!(
                "type comment has {} for {}",
                count(types.len(), "type"),
                count(params.len(), "parameter")
            );
            Diagnostic::error(code::TYPE_COMMENT_MISMATCH, headline)
                .primary(comment, "")
                .secondary(header, "the function's parameters")
                .emit(self.sink);
        }
        for (param, annotation) in params.iter_mut().zip(types) {
            param.annotation.get_or_insert(annotation);
        }
        if !result.is_any() {
            returns.get_or_insert(result);
        }
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Literals, and names that may be constants of a module.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Imaginary(_)
        | ExprKind::Bool(_)
        | ExprKind::Str(_) => true,
        ExprKind::None | ExprKind::Error | ExprKind::Name(_) => true,
        ExprKind::Attribute { value, .. } => is_constant(value),
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Pos, operand } => is_constant(operand),
        ExprKind::Tuple(items) => items.iter().all(is_constant),
        ExprKind::Binary { left, right, .. } => is_constant(left) && is_constant(right),
        _ => false,
    }
}

/// Whether this gives a lambda a name.
pub(super) fn is_named_lambda(assign: &py::StmtAssign) -> bool {
    matches!((&*assign.targets, &*assign.value), ([py::Expr::Name(_)], py::Expr::Lambda(_)))
}
