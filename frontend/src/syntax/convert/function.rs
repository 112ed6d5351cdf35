//! Function definitions: parameters, annotations, type comments, docstring.

use super::{Converter, take_docstring};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Ident, Param, Stmt, StmtKind, UnaryOp};
use crate::syntax::recover::is_masked;
use crate::syntax::{span_of, types};
use rustpython_parser::Tok;
use rustpython_parser::ast::{self as py, Ranged};

impl Converter<'_, '_> {
    /// A function, at module level or directly inside another.
    pub(super) fn function(&mut self, def: &py::StmtFunctionDef) -> StmtKind {
        let (errors, nodes) = (self.sink.error_count(), self.error_nodes);
        let span = span_of(def.range);
        let def_span = Span::new(self.def_keyword(span), span.end);
        let header = Span::new(def_span.start, self.header_end(def_span));
        self.refuse_decorators(def);
        let name = self.function_name(def, def_span);
        let mut params = self.params(&def.args);
        let mut returns = def.returns.as_deref().map(|expr| types::from_expr(expr, self.sink));
        self.signature_comment(header, &mut params, &mut returns);
        let mut body = self.function_body(&def.body);
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
            captures: None,
        }))
    }

    /// The statements of a function, functions among them.
    fn function_body(&mut self, stmts: &[py::Stmt]) -> Vec<Stmt> {
        let stmt = |stmt: &py::Stmt| match stmt {
            py::Stmt::FunctionDef(def) if !is_masked(self.scan, stmt) => {
                vec![Stmt { span: span_of(stmt.range()), kind: self.function(def) }]
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

    fn refuse_decorators(&mut self, def: &py::StmtFunctionDef) {
        for decorator in &def.decorator_list {
            let span = span_of(decorator.range());
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
    }

    fn params(&mut self, args: &py::Arguments) -> Vec<Param> {
        if let Some(arg) = args.vararg.as_deref() {
            let help = "give each argument a parameter, or pass a list or an array";
            self.not_in_language(span_of(arg.range), "a parameter with `*`", help);
        }
        if let Some(arg) = args.kwarg.as_deref() {
            self.not_in_language(
                span_of(arg.range),
                "a parameter with `**`",
                "give each argument a parameter",
            );
        }
        let mut all = Vec::new();
        all.extend(args.posonlyargs.iter().map(|arg| Param { positional_only: true, ..self.param(arg) }));
        all.extend(args.args.iter().map(|arg| self.param(arg)));
        all.extend(args.kwonlyargs.iter().map(|arg| Param { keyword_only: true, ..self.param(arg) }));
        all
    }

    fn param(&mut self, arg: &py::ArgWithDefault) -> Param {
        let span = span_of(arg.def.range);
        let name = arg.def.arg.to_string();
        let name = Ident { span: Span::new(span.start, span.start + name.len() as u32), name };
        let default = arg.default.as_deref().map(|default| self.default(default));
        let span = default.as_ref().map_or(span, |default| span.join(default.span));
        let annotation = match arg.def.annotation.as_deref() {
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
        returns.get_or_insert(result);
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
