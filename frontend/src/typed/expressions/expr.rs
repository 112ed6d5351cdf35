//! Expressions: names, literals, logic, displays. Operators, subscripts and calls stand apart.

use super::comprehension;
use crate::diagnostics::{Diagnostic, code, did_you_mean};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::containers::list_ops::is_starred;
use crate::typed::flow::env::Binding;
use crate::typed::flow::hidden::Hidden;
use crate::typed::flow::infer::Infer;
use crate::typed::program::alias;
use crate::typed::program::module_constant;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::program::unit::Global;
use crate::typed::types::meet::advice;
use crate::typed::types::ty::{MAX_RANK, Num, Ty};
use pydd_ir::catalogue::{self, Algebra, Form, Found, Space};
use pydd_ir::{ElemOp, Exc, Literal};

/// Items of a tuple, those of inner tuples counted.
const MAX_TUPLE: usize = 4096;

impl Infer<'_, '_> {
    /// The typed form of an expression; of type `Error` where something was reported.
    pub fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.checked_expr(expr);
        self.settle(value)
    }

    pub(in crate::typed) fn checked_expr(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.any_expr(expr);
        self.checked(value, expr.span)
    }

    /// A value, unless it is of a type that nothing can be done with.
    pub(in crate::typed) fn checked(&mut self, value: Expr, span: Span) -> Expr {
        self.note_wrong(&value);
        self.note_type(span, &value.ty);
        if value.ty.rank().is_some_and(|rank| rank > MAX_RANK) {
            return self.later_expr(span, &format!("an array of more than {MAX_RANK} dimensions"));
        }
        value
    }

    fn any_expr(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Name(name) => self.name(name, span),
            ast::ExprKind::Item(at) => {
                let item = self.hidden(span, Hidden::Mapped(*at));
                self.variable(item, span)
            }
            ast::ExprKind::Int(value) => self.int_literal(*value, span),
            ast::ExprKind::Float(value) => Expr::float(*value, span),
            ast::ExprKind::Imaginary(value) => {
                let literal = Literal::Complex(0, value.to_bits());
                Expr::new(ExprKind::Literal(literal), Ty::Scalar(Num::COMPLEX), span)
            }
            ast::ExprKind::Bool(value) => Expr::bool(*value, span),
            ast::ExprKind::Str(text) => Expr::new(ExprKind::Text(text.clone()), Ty::Str, span),
            ast::ExprKind::Format { parts, values } => self.format(parts, values, span),
            ast::ExprKind::None => Expr::none(span),
            ast::ExprKind::Unary { op, operand } => {
                let is_operation = matches!(operand.kind, ast::ExprKind::Binary { .. });
                match self.constant_int(expr).filter(|_| is_operation) {
                    Some(constant) => self.wide_int(constant, span),
                    None => self.unary(*op, operand, span),
                }
            }
            ast::ExprKind::Binary { op, left, right } => {
                if let Some(constant) = self.constant_int(expr) {
                    return self.wide_int(constant, span);
                }
                let [left, right] = self.beside_floats(left, right);
                self.binary(*op, left, right, span)
            }
            ast::ExprKind::Logical { op, values } => self.logical(*op, values, span),
            ast::ExprKind::Compare { first, rest } => self.comparison(first, rest, span),
            ast::ExprKind::Conditional { test, then, orelse } => self.conditional(test, then, orelse, span),
            ast::ExprKind::Call { func, args, keywords } => self.call(func, args, keywords, span),
            ast::ExprKind::Attribute { value, attr } => self.attribute(value, attr, span),
            ast::ExprKind::Subscript { value, indices, .. } => self.subscript(value, indices, span),
            ast::ExprKind::Tuple(items) => {
                let items = self.tuple_items(items, &mut |s, item| s.checked_expr(item));
                self.checked_tuple(items, span)
            }
            ast::ExprKind::List(items) => self.list(items, None, span),
            ast::ExprKind::Comprehension { .. } => match comprehension::parts(expr) {
                Some(parts) => self.comprehension(&parts),
                None => Expr::error(span),
            },
            ast::ExprKind::Set(items) => {
                let items = items.iter().map(|item| (item, None)).collect();
                self.dict_display(items, None, span)
            }
            ast::ExprKind::Dict(items) => {
                let items = items.iter().map(|(key, value)| (key, Some(value))).collect();
                self.dict_display(items, None, span)
            }
            ast::ExprKind::Lambda { .. } => self.later_expr(span, "a lambda"),
            ast::ExprKind::Starred(_) => {
                let diagnostic = Diagnostic::error(
                    code::NOT_IN_LANGUAGE,
                    "unpacking with `*` is not in the language here",
                )
                .primary(span, "")
                .help("write each element");
                self.fail(diagnostic)
            }
            ast::ExprKind::Ellipsis | ast::ExprKind::Slice { .. } => {
                self.error(code::INDEX_TYPE, span, "this stands only in a subscript", "not a value")
            }
            ast::ExprKind::Error => Expr::error(span),
        }
    }

    /// As [`expr`](Self::expr), where a value of type `ty` is asked for: says what an empty list holds, and how many axes
    /// `squeeze` leaves.
    pub fn expr_as(&mut self, expr: &ast::Expr, ty: &Ty) -> Expr {
        match (&expr.kind, ty) {
            (_, Ty::Maybe(_)) => self.checked_expr(expr),
            (ast::ExprKind::List(items), Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_)) => {
                self.list(items, ty.list_item(), expr.span)
            }
            (ast::ExprKind::Set(items), Ty::Dict(dict)) if dict.is_set() => {
                let items = items.iter().map(|item| (item, None)).collect();
                self.dict_display(items, Some(dict), expr.span)
            }
            (ast::ExprKind::Dict(items), Ty::Dict(dict)) if !dict.is_set() => {
                let items = items.iter().map(|(key, value)| (key, Some(value))).collect();
                self.dict_display(items, Some(dict), expr.span)
            }
            (
                ast::ExprKind::Comprehension { .. },
                Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::Dict(_),
            ) => match comprehension::parts(expr) {
                Some(parts) => self.comprehension_as(&parts, ty),
                None => Expr::error(expr.span),
            },
            (ast::ExprKind::Call { .. }, Ty::Array { rank, .. }) if !ty.is_open() => {
                let outer = self.wanted_rank.replace((expr.span, *rank));
                let value = self.expr(expr);
                self.wanted_rank = outer;
                value
            }
            (ast::ExprKind::Tuple(items), Ty::Tuple(types))
                if items.len() == types.len() && !items.iter().any(is_starred) =>
            {
                let items = items.iter().zip(types.iter()).map(|(item, ty)| match ty {
                    Ty::Array { .. } => self.expr_as(item, ty),
                    _ => self.checked_expr(item),
                });
                let items = items.collect();
                self.checked_tuple(items, expr.span)
            }
            _ => self.expr(expr),
        }
    }

    pub(in crate::typed) fn later_expr(&mut self, span: Span, what: &str) -> Expr {
        self.later(span, what);
        Expr::error(span)
    }

    /// The items of a tuple's display; those of a tuple behind `*` are several.
    pub(in crate::typed) fn tuple_items(
        &mut self,
        items: &[ast::Expr],
        value: &mut dyn FnMut(&mut Self, &ast::Expr) -> Expr,
    ) -> Vec<Expr> {
        let unpacks = items.iter().any(is_starred);
        let mut all = Vec::new();
        for item in items {
            match &item.kind {
                ast::ExprKind::Starred(tuple) => match self.unpacked(tuple) {
                    Ok(several) => all.extend(several),
                    Err(silent) => all.push(silent),
                },
                _ => {
                    let value = value(self, item);
                    // What is unpacked is evaluated in a statement of its own, which must not come before this.
                    all.push(if unpacks { self.keep(value) } else { value });
                }
            }
        }
        all
    }

    /// A tuple, unless it is absurdly large: doubling one a few times fills memory.
    fn checked_tuple(&mut self, items: Vec<Expr>, span: Span) -> Expr {
        let tuple = Self::tuple(items, span);
        let most = if tuple.is_constant() { module_constant::MAX_SIZE } else { MAX_TUPLE };
        if tuple.ty.size() <= most {
            return tuple;
        }
        let label = format!("more than {most} items, those of inner tuples counted");
        self.error(code::NESTING_TOO_DEEP, span, "this tuple is too large", &label)
    }

    pub(in crate::typed) fn tuple(items: Vec<Expr>, span: Span) -> Expr {
        let ty = Ty::Tuple(items.iter().map(|i| i.ty.clone()).collect());
        Expr::new(ExprKind::Tuple(items), ty, span)
    }

    fn int_literal(&mut self, value: u64, span: Span) -> Expr {
        match i64::try_from(value) {
            Ok(value) => Expr::int(value, span),
            // Python's own, as far as uint64 holds it.
            Err(_) => {
                let literal = Literal::Int(value.cast_signed());
                Expr::new(ExprKind::Literal(literal), Ty::Scalar(Num::weak(pydd_ir::DType::U64)), span)
            }
        }
    }

    // ---- names ----

    /// What a name stands for here, as a value.
    pub(in crate::typed) fn name(&mut self, name: &str, span: Span) -> Expr {
        match self.name_index(name) {
            Some(index) => self.variable(index, span),
            None => self.global_name(name, span),
        }
    }

    /// What a variable stands for here, as a value.
    pub(in crate::typed) fn variable(&mut self, index: usize, span: Span) -> Expr {
        let binding = self.env.as_ref().and_then(|env| env.get(index));
        match binding {
            Some(Binding::Local { local, flag: None, .. }) => {
                Expr::new(ExprKind::Local(local), self.locals[local.index()].ty.clone(), span)
            }
            Some(Binding::Local { local, flag: Some(flag), def }) => {
                if self.conditional == 0 {
                    self.bind(index, Binding::Local { local, flag: None, def });
                }
                let ty = self.locals[local.index()].ty.clone();
                Expr::new(ExprKind::Checked { local, flag }, ty, span)
            }
            Some(Binding::Constant(constant)) => Expr { span, ..self.constants[constant].clone() },
            Some(poison) => self.poisoned(index, poison, span),
            None => {
                let name = self.name_of(index);
                let headline =
                    format!("cannot access local variable `{name}` where it is not associated with a value");
                let wrong = self.error(code::POSSIBLY_UNBOUND, span, headline, "has no value here");
                // A loop's first walk does not know yet what later iterations find.
                if self.in_first_walk { Expr { ty: Ty::Never, ..wrong } } else { wrong }
            }
        }
    }

    /// The error for reading what must not be read; once for each variable.
    fn poisoned(&mut self, index: usize, poison: Binding, span: Span) -> Expr {
        let name = self.name_of(index).to_owned();
        let quoted = format!("`{name}` ");
        let told = [code::MEET_CONFLICT, code::PFOR_CARRIED, code::PFOR_LOCAL_AFTER];
        if self.diagnostics.iter().any(|d| told.contains(&d.code) && d.headline.starts_with(&quoted)) {
            return Expr::error(span);
        }
        let diagnostic = match poison {
            Binding::Conflict(conflict) => {
                let [(at_a, a), (at_b, b)] = self.conflicts[conflict].clone();
                Diagnostic::error(code::MEET_CONFLICT, format!("`{name}` has two types here"))
                    .primary(span, "which one depends on the way taken")
                    .secondary(at_a, format!("{a} here"))
                    .secondary(at_b, format!("{b} here"))
                    .help(advice(&a, &b).unwrap_or_else(|| "use two variables, or convert one".to_owned()))
            }
            Binding::OtherIteration { pfor, write } => Diagnostic::error(
                code::PFOR_CARRIED,
                format!("`{name}` carries a value between `pfor` iterations"),
            )
            .primary(write, "")
            .secondary(pfor, "iterations run in no fixed order")
            .secondary(span, "reads another iteration's write")
            .help("use `for` to keep the order"),
            Binding::AfterPfor { pfor, write } => {
                let headline =
                    format!("`{name}` is assigned in a `pfor` body and has no value after the loop");
                Diagnostic::error(code::PFOR_LOCAL_AFTER, headline)
                    .primary(span, "used after the loop")
                    .secondary(pfor, "iterations run in no fixed order")
                    .secondary(write, "each iteration has its own")
            }
            Binding::Local { .. } | Binding::Constant(_) => return Expr::error(span),
        };
        self.report(diagnostic);
        let local = self.local_of(index, &Ty::Error);
        self.bind(index, Binding::Local { local, flag: None, def: span });
        Expr::error(span)
    }

    fn global_name(&mut self, name: &str, span: Span) -> Expr {
        match self.unit.global(name) {
            Some(Global::Constant(at)) => self.module_constant(at, name, span),
            Some(Global::Module(space)) => Expr::new(ExprKind::Static, Ty::Module(space), span),
            Some(Global::Library(found)) => self.library_value(found, span),
            Some(Global::Function(at)) => match self.unit.function(at).and_then(|def| def.captures) {
                // What it reads of the function around it is passed where it is called.
                Some(1..) => {
                    let headline = format!("function `{name}` is used as a value");
                    let diagnostic = Diagnostic::error(code::ASSIGN_TO_FUNCTION, headline)
                        .primary(span, "a function that reads variables of the one around it")
                        .help("call it, or define it at module level");
                    self.fail(diagnostic)
                }
                _ => Expr::function(self.unit.index, at, span),
            },
            Some(Global::Exception(_)) => self.exception_as_value(name, span),
            Some(Global::Alias(_)) => {
                let defined = self.unit.alias(name).map(|(_, at)| at);
                self.fail(alias::as_value(name, span, defined))
            }
            Some(Global::Error) => Expr::error(span),
            None if Exc::from_name(name).is_some() => self.exception_as_value(name, span),
            Some(Global::Word) => self.word(name, span),
            None => self.undefined(name, span),
        }
    }

    /// What is imported for annotations or for Python's sake.
    fn word(&mut self, name: &str, span: Span) -> Expr {
        let help = (name == "pfor").then_some("a parallel loop is written `pfor i in range(n):`");
        let diagnostic =
            Diagnostic::error(code::UNDEFINED_NAME, format!("name `{name}` stands for no value in kernels"))
                .primary(span, "imported, but no value")
                .maybe_help(help);
        self.fail(diagnostic)
    }

    fn exception_as_value(&mut self, name: &str, span: Span) -> Expr {
        let headline = format!("exception `{name}` is used as a value");
        self.error(code::RAISE_TYPE, span, headline, "exceptions are raised: `raise …`")
    }

    /// A library name that is not called: a constant, a type or a function.
    pub(in crate::typed) fn library_value(&mut self, found: Found, span: Span) -> Expr {
        match found.entry.algebra {
            Algebra::Constant(value) => Expr::float(value, span),
            Algebra::Convert { dtype, weak } => {
                Expr::new(ExprKind::Static, Ty::DType(Num { dtype, weak }), span)
            }
            _ => Expr::new(ExprKind::Static, Ty::Library(found.space, found.name), span),
        }
    }

    pub(in crate::typed) fn undefined(&mut self, name: &str, span: Span) -> Expr {
        if self.unit.module.incomplete || self.def.has_errors {
            return Expr::error(span);
        }
        if catalogue::is_planned(name) {
            return self.later_expr(span, &format!("`{name}`"));
        }
        // A function of the prelude has no more to say.
        match Form::named(name).filter(|_| !self.unit.user) {
            Some(Form::Unsupported) => return self.later_expr(span, "this combination of arguments"),
            Some(Form::UnsupportedForReal) => {
                let what = "eigenvalues of a real matrix, which NumPy gives as real or as complex numbers by their \
                            values (those of `a.astype(np.complex128)` are complex),";
                return self.later_expr(span, what);
            }
            _ => {}
        }
        let help = match name {
            "np" | "numpy" | "math" => {
                let import = if name == "np" { "numpy as np" } else { name };
                Some(format!("add `import {import}` at the top"))
            }
            "str" | "repr" => Some(
                "messages are plain strings: pass values to `print` as arguments of their own".to_owned(),
            ),
            _ => {
                let own = self.near_name(name, self.all_names().chain(self.unit.names()));
                let library = || self.near_name(name, catalogue::names(Space::Bare));
                own.or_else(|| self.needs_prefix(name)).or_else(library)
            }
        };
        let diagnostic = Diagnostic::error(code::UNDEFINED_NAME, format!("name `{name}` is not defined"))
            .primary(span, "not defined")
            .maybe_help(help);
        self.fail(diagnostic)
    }

    fn near_name<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
        did_you_mean(name, known.collect::<Vec<_>>()).map(|near| format!("did you mean `{near}`?"))
    }

    /// The hint for a name that a module has.
    fn needs_prefix(&self, name: &str) -> Option<String> {
        let mut modules = Space::modules().filter(|&space| space != Space::Bare);
        let space = modules.find(|&space| catalogue::find(space, name).is_some())?;
        Some(format!("`{}` has it: `{}`", space.path(), space.spelled(name)))
    }

    // ---- logic ----

    /// A condition, as a bool.
    pub fn condition(&mut self, expr: &ast::Expr) -> Expr {
        match &expr.kind {
            ast::ExprKind::Logical { op, values } => {
                let parts = self.conditions(*op, values);
                Self::fold_logic(*op, parts, expr.span)
            }
            ast::ExprKind::Unary { op: ast::UnaryOp::Not, operand } => {
                let cond = self.condition(operand);
                Self::not(Expr { span: expr.span, ..cond })
            }
            _ => {
                let value = self.checked_expr(expr);
                self.truth(value)
            }
        }
    }

    /// The parts of a condition. What follows one that constants or types decide is not looked at: `x is not None and
    /// x > 0` where `x` is None.
    fn conditions(&mut self, op: ast::LogicalOp, values: &[ast::Expr]) -> Vec<Expr> {
        let Some((asked, rest)) = values.split_first() else { return Vec::new() };
        let first = self.condition(asked);
        let decides = |part: &Expr| part.as_bool() == Some(op == ast::LogicalOp::Or);
        if decides(&first) {
            return vec![first];
        }
        let walk = |s: &mut Self| {
            let mut parts = Vec::new();
            let is_and = op == ast::LogicalOp::And;
            let mut wider = vec![s.narrow_within(asked, is_and)];
            for value in rest {
                parts.push(s.condition(value));
                if parts.last().is_some_and(decides) {
                    break;
                }
                wider.push(s.narrow_within(value, is_and));
            }
            wider.into_iter().rev().for_each(|before| s.widen(before));
            parts
        };
        let rest = self.conditionally(walk);
        std::iter::once(first).chain(rest).collect()
    }

    /// Bools joined by `and` or `or`, the later ones evaluated only where they count.
    fn fold_logic(op: ast::LogicalOp, parts: Vec<Expr>, span: Span) -> Expr {
        // In halves, so that long chains nest little.
        let mut parts = parts;
        match parts.len() {
            0 => Expr::error(span),
            1 => parts.remove(0),
            count => {
                let right = parts.split_off(count / 2);
                let left = Self::fold_logic(op, parts, span);
                let right = Self::fold_logic(op, right, span);
                Self::both(op, left, right, span)
            }
        }
    }

    /// Two bools joined by `and` or `or`.
    fn both(op: ast::LogicalOp, left: Expr, right: Expr, span: Span) -> Expr {
        let and = op == ast::LogicalOp::And;
        match left.as_bool() {
            Some(value) if value == and => right,
            Some(value) => Expr::bool(value, span),
            None if and => Self::choose(left, right, Expr::bool(false, span), span),
            None => {
                let ty = right.ty.clone();
                Self::choose(left, Expr { ty, ..Expr::bool(true, span) }, right, span)
            }
        }
    }

    /// Whether a value counts as true.
    pub(in crate::typed) fn truth(&mut self, value: Expr) -> Expr {
        if let Ty::Maybe(_) = value.ty {
            return self.truth_of_maybe(value);
        }
        let value = self.settle(value);
        let span = value.span;
        match &value.ty {
            Ty::Scalar(num) if num.dtype == pydd_ir::DType::Bool => self.convert(value, Num::BOOL),
            Ty::Scalar(num) => match value.as_bool() {
                Some(constant) => Expr::bool(constant, span),
                None => {
                    let zero = self.convert(Expr::int(0, span), *num);
                    Self::elem(ElemOp::Ne, vec![value, zero], true, span)
                }
            },
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_) => {
                let length = self.list_length(&value, span);
                Self::elem(ElemOp::Ne, vec![length, Expr::int(0, span)], true, span)
            }
            Ty::Dict(_) | Ty::DictView(..) | Ty::EmptyDict(..) => {
                let length = self.dict_length(value, span);
                if length.ty.is_silent() {
                    return length;
                }
                Self::elem(ElemOp::Ne, vec![length, Expr::int(0, span)], true, span)
            }
            Ty::None => Self::known(vec![value], Expr::bool(false, span)),
            Ty::Tuple(items) if !value.ty.is_silent() => {
                let some = Expr::bool(!items.is_empty(), span);
                Self::known(vec![value], some)
            }
            Ty::Array { .. } => {
                let diagnostic = Diagnostic::error(
                    code::BOOL_OF_ARRAY,
                    "The truth value of an array with more than one element is ambiguous",
                )
                .primary(span, format!("this is {}", value.ty))
                .help("use `.any()` or `.all()`");
                self.fail(diagnostic)
            }
            ty if ty.is_silent() => Expr::silent([&value], span),
            other => {
                let headline = format!("{other} is not a condition");
                self.error(code::TYPE_MISMATCH, span, headline, "expected a bool or a number")
            }
        }
    }

    /// `a and b`, `a or b` as a value: one of the operands.
    fn logical(&mut self, op: ast::LogicalOp, values: &[ast::Expr], span: Span) -> Expr {
        let Some((asked, rest)) = values.split_first() else { return Expr::error(span) };
        let first = self.either_expr(asked);
        if rest.is_empty() {
            return first;
        }
        let plain = first.is_constant() || matches!(first.kind, ExprKind::Local(_));
        if let Some(known) = first.as_bool()
            && plain
        {
            let decides = known == (op == ast::LogicalOp::Or);
            return if decides { first } else { self.logical(op, rest, span) };
        }
        let rest = self
            .conditionally(|s| s.narrowed(asked, op == ast::LogicalOp::And, |s| s.logical(op, rest, span)));
        let is_bool = |e: &Expr| e.ty.scalar().is_some_and(|n| n.dtype == pydd_ir::DType::Bool);
        if is_bool(&first) && is_bool(&rest) {
            return Self::fold_logic(op, vec![first, rest], span);
        }
        let mut before = Vec::new();
        let first = self.once(first, &mut before);
        let test = self.truth(first.clone());
        let (then, orelse) = if op == ast::LogicalOp::And { (rest, first) } else { (first, rest) };
        let chosen = self.unify_and_choose(test, then, orelse, span);
        Self::seq(before, chosen)
    }

    fn conditional(&mut self, asked: &ast::Expr, then: &ast::Expr, orelse: &ast::Expr, span: Span) -> Expr {
        let test = self.condition(asked);
        match test.as_bool() {
            Some(true) => return self.checked_expr(then),
            Some(false) => return self.checked_expr(orelse),
            None => {}
        }
        let (then, orelse) = self.conditionally(|s| {
            let then = s.narrowed(asked, true, |s| s.checked_expr(then));
            (then, s.narrowed(asked, false, |s| s.checked_expr(orelse)))
        });
        self.unify_and_choose(test, then, orelse, span)
    }

    pub(in crate::typed) fn unify_and_choose(
        &mut self,
        test: Expr,
        then: Expr,
        orelse: Expr,
        span: Span,
    ) -> Expr {
        if then.ty.is_silent() {
            return if then.ty == Ty::Never { orelse } else { then };
        }
        if orelse.ty.is_silent() {
            return if orelse.ty == Ty::Never { then } else { orelse };
        }
        if test.ty.is_silent() {
            return Expr::silent([&test], span);
        }
        let Some(ty) = self.meet(&then.ty, &orelse.ty) else {
            return self.no_common_type(&then, &orelse);
        };
        if ty == Ty::Str {
            return self.error(
                code::STRING_OPERATION,
                span,
                "a choice between strings is not in the language",
                "",
            );
        }
        let then = self.convert_to(then, &ty);
        let orelse = self.convert_to(orelse, &ty);
        Self::choose(test, then, orelse, span)
    }

    // ---- displays ----

    /// `[items, …]`, of the item type asked for, if there is one.
    pub(in crate::typed) fn list(&mut self, items: &[ast::Expr], expected: Option<Ty>, span: Span) -> Expr {
        if let Some(list) = self.long_list(items, expected.as_ref(), span) {
            return list;
        }
        if items.iter().any(is_starred) {
            return self.list_with_starred(items, expected, span);
        }
        let mut typed = Vec::new();
        let mut common = expected.clone();
        for item in items {
            let value = self.expr(item);
            if value.ty.is_silent() {
                return Expr::silent([&value], span);
            }
            if Ty::list_of(&value.ty).is_none() {
                return self.not_an_item(&value);
            }
            if expected.is_none() {
                let met = common
                    .as_ref()
                    .map_or(Some(value.ty.clone()), |so_far| self.meet_items(so_far, &value.ty));
                match met {
                    Some(met) => common = Some(met),
                    None => return self.mixed_items(&typed, &value),
                }
            }
            typed.push(value);
        }
        let known = || self.contents_at(span).as_ref().and_then(Ty::list_item);
        let Some((item, ty)) =
            common.or_else(known).and_then(|item| Some((item.clone(), Ty::list_of(&item)?)))
        else {
            return Expr::new(ExprKind::Error, Ty::EmptyList(span), span);
        };
        let typed = typed.into_iter().map(|value| self.declare(value, &item, span, "stored")).collect();
        self.new_list(&ty, typed, span)
    }
}
