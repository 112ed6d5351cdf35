//! Expressions and assignment targets.

use super::Converter;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{
    BinaryOp, Clause, CompareOp, ComprehensionKind, Expr, ExprKind, Ident, Keyword, LogicalOp, UnaryOp,
};
use crate::syntax::span_of;
use pydd_ir::catalogue;
use rustpython_parser::ast::{self as py, Constant, Ranged};

impl Converter<'_, '_> {
    /// Converts an expression.
    pub(super) fn expr(&mut self, expr: &py::Expr) -> Expr {
        let span = span_of(expr.range());
        let kind = self.expr_kind(expr, span);
        self.expr_node(span, kind)
    }

    fn boxed(&mut self, expr: &py::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn exprs(&mut self, exprs: &[py::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr_kind(&mut self, expr: &py::Expr, span: Span) -> ExprKind {
        match expr {
            py::Expr::Name(name) => ExprKind::Name(name.id.to_string()),
            py::Expr::Constant(constant) => self.constant(&constant.value, span),
            py::Expr::UnaryOp(unary) => {
                ExprKind::Unary { op: unary_op(unary.op), operand: self.boxed(&unary.operand) }
            }
            py::Expr::BinOp(binary) => ExprKind::Binary {
                op: binary_op(binary.op),
                left: self.boxed(&binary.left),
                right: self.boxed(&binary.right),
            },
            py::Expr::BoolOp(logical) => {
                let op = if logical.op == py::BoolOp::And { LogicalOp::And } else { LogicalOp::Or };
                ExprKind::Logical { op, values: self.exprs(&logical.values) }
            }
            py::Expr::Compare(compare) => self.compare(compare),
            py::Expr::IfExp(conditional) => ExprKind::Conditional {
                test: self.boxed(&conditional.test),
                then: self.boxed(&conditional.body),
                orelse: self.boxed(&conditional.orelse),
            },
            py::Expr::Call(call) => self.call(call),
            py::Expr::Attribute(attribute) => {
                let attr = attribute.attr.to_string();
                let start = span.end.saturating_sub(attr.len() as u32);
                let value = self.boxed(&attribute.value);
                ExprKind::Attribute { value, attr: Ident { name: attr, span: Span::new(start, span.end) } }
            }
            py::Expr::Subscript(subscript) => self.subscript(subscript),
            py::Expr::Slice(slice) => ExprKind::Slice {
                lower: slice.lower.as_deref().map(|expr| self.boxed(expr)),
                upper: slice.upper.as_deref().map(|expr| self.boxed(expr)),
                step: slice.step.as_deref().map(|expr| self.boxed(expr)),
            },
            py::Expr::Tuple(tuple) => {
                ExprKind::Tuple(tuple.elts.iter().map(|item| self.item(item)).collect())
            }
            py::Expr::List(list) => ExprKind::List(list.elts.iter().map(|item| self.item(item)).collect()),
            py::Expr::Set(set) => ExprKind::Set(self.exprs(&set.elts)),
            py::Expr::Dict(dict) => self.dict(dict),
            py::Expr::ListComp(comp) => {
                let element = self.boxed(&comp.elt);
                self.comprehension(ComprehensionKind::List, element, &comp.generators)
            }
            py::Expr::SetComp(comp) => {
                let element = self.boxed(&comp.elt);
                self.comprehension(ComprehensionKind::Set, element, &comp.generators)
            }
            py::Expr::DictComp(comp) => {
                let pair = ExprKind::Tuple(vec![self.expr(&comp.key), self.expr(&comp.value)]);
                let element = Box::new(self.expr_node(span_of(comp.key.range()), pair));
                self.comprehension(ComprehensionKind::Dict, element, &comp.generators)
            }
            // The assignment stands before the statement already.
            py::Expr::NamedExpr(named) if self.named == Some(span_of(named.range()).start) => {
                self.expr(&named.target).kind
            }
            other => self.refused(other, span),
        }
    }

    /// Python's expressions that the language does not have.
    fn refused(&mut self, expr: &py::Expr, span: Span) -> ExprKind {
        let (what, help) = match expr {
            py::Expr::Lambda(_) => {
                ("a `lambda` outside a call's arguments", "define a function at module level")
            }
            py::Expr::GeneratorExp(_) => (
                "a generator",
                "write a list comprehension `[… for … in …]`; `sum`, `min`, `max`, `any` and `all` take a generator as their only argument",
            ),
            py::Expr::NamedExpr(_) => (
                "the operator `:=` here",
                "assign in a statement of its own; `:=` may stand where a statement begins to compute",
            ),
            py::Expr::Await(_) => ("`await`", "`async:` starts a task, and `finish:` waits for it"),
            py::Expr::Yield(_) | py::Expr::YieldFrom(_) => {
                ("`yield`", "append to a list and return it, or fill an array")
            }
            py::Expr::Starred(_) => ("unpacking with `*`", "write each element"),
            py::Expr::FormattedValue(_) | py::Expr::JoinedStr(_) => {
                return self.bad_fstring((span, "an f-string in an f-string"));
            }
            _ => ("this expression", "use an expression of the language reference"),
        };
        self.not_in_language(span, what, help);
        self.error_expr()
    }

    fn constant(&mut self, value: &Constant, span: Span) -> ExprKind {
        match value {
            Constant::None => ExprKind::None,
            Constant::Bool(value) => ExprKind::Bool(*value),
            Constant::Float(value) => ExprKind::Float(*value),
            Constant::Complex { imag, .. } => ExprKind::Imaginary(*imag),
            Constant::Ellipsis => ExprKind::Ellipsis,
            Constant::Int(value) => match value.to_string().parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => self.integer_too_large(span),
            },
            Constant::Str(text) => self.string(text, span),
            Constant::Bytes(_) | Constant::Tuple(_) => {
                self.not_in_language(span, "a bytes literal", "use an array of uint8, or a string");
                self.error_expr()
            }
        }
    }

    fn integer_too_large(&mut self, span: Span) -> ExprKind {
        Diagnostic::error(code::INTEGER_TOO_LARGE, "integer does not fit 64 bits")
            .primary(span, "larger than 18446744073709551615")
            .help(
                "integers have a fixed width here; write a float, as in `1e30`, if an approximation will do",
            )
            .emit(self.sink);
        self.error_expr()
    }

    fn string(&mut self, text: &str, span: Span) -> ExprKind {
        let formatted = |start: &u32| span.start <= *start && *start < span.end;
        if self.tokens.fstrings.iter().any(formatted) {
            return self.fstring(span);
        }
        // The parser puts U+FFFD in place of half a surrogate pair.
        let replaced = text.contains('\u{fffd}') && !self.source.slice(span).contains('\u{fffd}');
        if replaced && !self.source.slice(span).to_ascii_lowercase().contains("fffd") {
            Diagnostic::error(code::BAD_STRING_ESCAPE, "string has an escape that means no character")
                .primary(span, "half of a surrogate pair")
                .help("write the character itself, or `\\U` and its eight hexadecimal digits")
                .emit(self.sink);
        }
        ExprKind::Str(text.to_owned())
    }

    fn compare(&mut self, compare: &py::ExprCompare) -> ExprKind {
        let first = self.boxed(&compare.left);
        let operands = compare.ops.iter().zip(&compare.comparators);
        let rest = operands.map(|(op, operand)| (compare_op(*op), self.expr(operand))).collect();
        ExprKind::Compare { first, rest }
    }

    fn call(&mut self, call: &py::ExprCall) -> ExprKind {
        let func = self.boxed(&call.func);
        let reduces = match &func.kind {
            ExprKind::Name(name) => catalogue::takes_generator(name),
            ExprKind::Attribute { attr, .. } => catalogue::attribute_takes_generator(&attr.name),
            _ => false,
        };
        let args = match call.args.as_slice() {
            [py::Expr::GeneratorExp(generator), rest @ ..] if reduces => {
                let span = span_of(generator.range);
                let element = self.boxed(&generator.elt);
                let kind = self.comprehension(ComprehensionKind::Generator, element, &generator.generators);
                let first = self.expr_node(span, kind);
                std::iter::once(first).chain(rest.iter().map(|arg| self.argument(arg))).collect()
            }
            [first, rest @ ..] if reduces => {
                let first = self.iterable_argument(first);
                std::iter::once(first).chain(rest.iter().map(|arg| self.argument(arg))).collect()
            }
            args if matches!(&func.kind, ExprKind::Name(name) if catalogue::goes_over_all(name)) => {
                args.iter().map(|arg| self.iterable_argument(arg)).collect()
            }
            args => args.iter().map(|arg| self.argument(arg)).collect(),
        };
        let keywords = call.keywords.iter().filter_map(|keyword| self.keyword(keyword)).collect();
        ExprKind::Call { func, args, keywords }
    }

    fn iterable_argument(&mut self, arg: &py::Expr) -> Expr {
        let span = span_of(arg.range());
        match self.mapped(arg) {
            Some(kind) => self.expr_node(span, kind),
            None => self.argument(arg),
        }
    }

    pub(super) fn argument(&mut self, arg: &py::Expr) -> Expr {
        let span = span_of(arg.range());
        match arg {
            py::Expr::Lambda(lambda) => {
                let kind = self.lambda(lambda, span);
                self.expr_node(span, kind)
            }
            py::Expr::Starred(_) => self.item(arg),
            py::Expr::List(py::ExprList { elts, .. }) | py::Expr::Tuple(py::ExprTuple { elts, .. })
                if elts.iter().any(|item| matches!(item, py::Expr::Lambda(_))) =>
            {
                let items = elts.iter().map(|item| self.argument(item)).collect();
                let is_list = matches!(arg, py::Expr::List(_));
                let kind = if is_list { ExprKind::List(items) } else { ExprKind::Tuple(items) };
                self.expr_node(span, kind)
            }
            _ => self.expr(arg),
        }
    }

    /// An item of a list or tuple: it may be `*items`.
    fn item(&mut self, item: &py::Expr) -> Expr {
        match item {
            py::Expr::Starred(starred) => {
                let (span, kind) = (span_of(item.range()), ExprKind::Starred(self.boxed(&starred.value)));
                self.expr_node(span, kind)
            }
            _ => self.expr(item),
        }
    }

    fn lambda(&mut self, lambda: &py::ExprLambda, span: Span) -> ExprKind {
        let args = &lambda.args;
        let plain = args.posonlyargs.is_empty() && args.kwonlyargs.is_empty();
        let plain = plain && args.vararg.is_none() && args.kwarg.is_none();
        if !plain || args.args.iter().any(|arg| arg.default.is_some()) {
            let help = "give it plain parameters, or define a function at module level";
            self.not_in_language(span, "a `lambda` with such parameters", help);
            return self.error_expr();
        }
        let params = args.args.iter().map(|arg| {
            let start = span_of(arg.def.range).start;
            let name = arg.def.arg.to_string();
            Ident { span: Span::new(start, start + name.len() as u32), name }
        });
        ExprKind::Lambda { params: params.collect(), body: self.boxed(&lambda.body) }
    }

    fn keyword(&mut self, keyword: &py::Keyword) -> Option<Keyword> {
        let value = self.argument(&keyword.value);
        let start = span_of(keyword.range).start;
        match &keyword.arg {
            Some(name) => {
                let name = name.to_string();
                let span = Span::new(start, start + name.len() as u32);
                Some(Keyword { name: Ident { name, span }, value })
            }
            None => {
                self.not_in_language(value.span, "unpacking with `**`", "write each argument");
                self.error_nodes += 1;
                None
            }
        }
    }

    fn subscript(&mut self, subscript: &py::ExprSubscript) -> ExprKind {
        let value = self.boxed(&subscript.value);
        match &*subscript.slice {
            py::Expr::Tuple(tuple) => {
                ExprKind::Subscript { value, indices: self.exprs(&tuple.elts), tuple: true }
            }
            index => {
                let index = self.expr(index);
                ExprKind::Subscript { value, indices: vec![index], tuple: false }
            }
        }
    }

    fn dict(&mut self, dict: &py::ExprDict) -> ExprKind {
        let mut items = Vec::new();
        for (key, value) in dict.keys.iter().zip(&dict.values) {
            match key {
                Some(key) => items.push((self.expr(key), self.expr(value))),
                None => {
                    self.not_in_language(span_of(value.range()), "unpacking with `**`", "write each item");
                    return self.error_expr();
                }
            }
        }
        ExprKind::Dict(items)
    }

    fn comprehension(
        &mut self,
        kind: ComprehensionKind,
        element: Box<Expr>,
        generators: &[py::Comprehension],
    ) -> ExprKind {
        let clauses = generators.iter().map(|generator| {
            if generator.is_async {
                let span = span_of(generator.target.range());
                self.not_in_language(span, "`async for`", "use `for`; `async:` starts a task");
            }
            Clause {
                target: self.target(&generator.target),
                iter: self.iterable(&generator.iter),
                conditions: self.exprs(&generator.ifs),
            }
        });
        let clauses = clauses.collect();
        ExprKind::Comprehension { kind, element, clauses }
    }

    /// The targets that a value is unpacked to, of which one may be `*rest`.
    fn targets(&mut self, elts: &[py::Expr]) -> Vec<Expr> {
        let mut starred = None;
        let mut targets = Vec::new();
        for target in elts {
            let span = span_of(target.range());
            let py::Expr::Starred(rest) = target else {
                targets.push(self.target(target));
                continue;
            };
            if let Some(first) = starred.replace(span) {
                Diagnostic::error(code::ASSIGN_TO_EXPRESSION, "multiple starred expressions in assignment")
                    .primary(span, "the second one")
                    .secondary(first, "the first one")
                    .emit(self.sink);
            }
            let kind = ExprKind::Starred(Box::new(self.target(&rest.value)));
            targets.push(self.expr_node(span, kind));
        }
        targets
    }

    /// Something that is assigned to.
    pub(super) fn target(&mut self, target: &py::Expr) -> Expr {
        let span = span_of(target.range());
        let what = match target {
            py::Expr::Name(_) | py::Expr::Attribute(_) | py::Expr::Subscript(_) => return self.expr(target),
            py::Expr::Tuple(py::ExprTuple { elts, .. }) | py::Expr::List(py::ExprList { elts, .. }) => {
                let targets = self.targets(elts);
                return self.expr_node(span, ExprKind::Tuple(targets));
            }
            py::Expr::Starred(_) => "a `*` alone",
            py::Expr::Call(_) => "a call",
            py::Expr::Constant(_) => "a constant",
            py::Expr::Compare(_) => "a comparison",
            _ => "an expression",
        };
        let help = match target {
            py::Expr::Call(_) => Some("index with square brackets: `a[i] = …`"),
            py::Expr::Starred(_) => Some("write a tuple: `*rest, = …`, or make a list: `rest = list(…)`"),
            _ => None,
        };
        Diagnostic::error(code::ASSIGN_TO_EXPRESSION, format!("{what} cannot be assigned to"))
            .primary(span, "expected a name, an element or a slice")
            .maybe_help(help)
            .emit(self.sink);
        let kind = self.error_expr();
        self.expr_node(span, kind)
    }
}

pub(super) fn binary_op(op: py::Operator) -> BinaryOp {
    match op {
        py::Operator::Add => BinaryOp::Add,
        py::Operator::Sub => BinaryOp::Sub,
        py::Operator::Mult => BinaryOp::Mul,
        py::Operator::MatMult => BinaryOp::MatMul,
        py::Operator::Div => BinaryOp::Div,
        py::Operator::Mod => BinaryOp::Mod,
        py::Operator::Pow => BinaryOp::Pow,
        py::Operator::LShift => BinaryOp::ShiftLeft,
        py::Operator::RShift => BinaryOp::ShiftRight,
        py::Operator::BitOr => BinaryOp::BitOr,
        py::Operator::BitXor => BinaryOp::BitXor,
        py::Operator::BitAnd => BinaryOp::BitAnd,
        py::Operator::FloorDiv => BinaryOp::FloorDiv,
    }
}

fn unary_op(op: py::UnaryOp) -> UnaryOp {
    match op {
        py::UnaryOp::Invert => UnaryOp::Invert,
        py::UnaryOp::Not => UnaryOp::Not,
        py::UnaryOp::UAdd => UnaryOp::Pos,
        py::UnaryOp::USub => UnaryOp::Neg,
    }
}

fn compare_op(op: py::CmpOp) -> CompareOp {
    match op {
        py::CmpOp::Eq => CompareOp::Eq,
        py::CmpOp::NotEq => CompareOp::NotEq,
        py::CmpOp::Lt => CompareOp::Lt,
        py::CmpOp::LtE => CompareOp::LtEq,
        py::CmpOp::Gt => CompareOp::Gt,
        py::CmpOp::GtE => CompareOp::GtEq,
        py::CmpOp::Is => CompareOp::Is,
        py::CmpOp::IsNot => CompareOp::IsNot,
        py::CmpOp::In => CompareOp::In,
        py::CmpOp::NotIn => CompareOp::NotIn,
    }
}
