//! Type annotations as they are written. What the names mean is decided later.

use super::ast::Ident;
use super::limits;
use super::sizes::{self, Size};
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use pydd_ir::Literal;
use pydd_ir::catalogue::{self, Algebra, Space};
use rustpython_parser::ast::{self as py, Constant, Ranged};
use rustpython_parser::{Parse, text_size::TextSize};

/// A type annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// Where it is written.
    pub span: Span,
    /// Which.
    pub kind: TypeExprKind,
}

/// Which annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeExprKind {
    /// `float64`, `np.float64`: the dotted name.
    Name(String),
    /// `Array(float64, 2)`, `Array[float64, 2]`, `float64()`: both spellings of the same.
    Apply {
        /// The dotted name before the bracket.
        name: Ident,
        /// What stands in the brackets.
        args: Vec<TypeExpr>,
    },
    /// A rank: the `2` of `Array(float64, 2)`.
    Int(u32),
    /// `float32 | float64`: two or more.
    Union(Vec<TypeExpr>),
    /// `None`.
    None,
    /// `Literal["sum", 2, True, None]`: its values; without one where it is `None`.
    Values(Vec<Option<Literal>>),
    /// `(float64, int64)`.
    Tuple(Vec<TypeExpr>),
    /// `Array(float64, 2, cast=True)`: the array, and how an argument from Python is taken.
    Passed { array: Box<TypeExpr>, how: Passing },
    /// `Float64[np.ndarray, "m k"]`: an array whose axes have lengths that names are given to.
    Sized {
        /// The dotted name before the bracket.
        class: String,
        /// The array without its lengths.
        array: Box<TypeExpr>,
        /// One for each axis; none where there may be any number of axes.
        sizes: Vec<Size>,
    },
    /// Reported when the annotation was read.
    Error,
}

/// How a parameter takes an array from Python.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Passing {
    /// `cast=True`: one of another type is converted.
    pub cast: bool,
    /// `order="F"`: column-major ones are the fast case, not row-major ones.
    pub column_major: bool,
}

impl Passing {
    /// What either of them says.
    pub const fn or(self, other: Self) -> Self {
        Self { cast: self.cast || other.cast, column_major: self.column_major || other.column_major }
    }

    /// What is written where it is not the usual way.
    pub const fn keyword(self) -> &'static str {
        if self.cast { "`cast=True`" } else { "`order=\"F\"`" }
    }
}

impl TypeExpr {
    /// Whether it is `Any`, which of a result says that it is inferred.
    pub(super) fn is_any(&self) -> bool {
        matches!(&self.kind, TypeExprKind::Name(name) if matches!(name.as_str(), "Any" | "typing.Any"))
    }

    /// Whether it is a type, and not a number of axes.
    pub fn is_type(&self) -> bool {
        !matches!(self.kind, TypeExprKind::Int(_))
    }

    /// Calls `visit` for each type in it, inner ones first.
    pub fn walk_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        match &mut self.kind {
            TypeExprKind::Apply { args: items, .. }
            | TypeExprKind::Union(items)
            | TypeExprKind::Tuple(items) => items.iter_mut().for_each(|item| item.walk_mut(visit)),
            TypeExprKind::Passed { array, .. } | TypeExprKind::Sized { array, .. } => array.walk_mut(visit),
            TypeExprKind::Name(_)
            | TypeExprKind::Int(_)
            | TypeExprKind::None
            | TypeExprKind::Values(_)
            | TypeExprKind::Error => {}
        }
        visit(self);
    }

    /// Says that all of it is written at a place.
    pub fn stand_at(&mut self, span: Span) {
        self.span = span;
        match &mut self.kind {
            TypeExprKind::Apply { name, args } => {
                name.span = span;
                args.iter_mut().for_each(|arg| arg.stand_at(span));
            }
            TypeExprKind::Union(items) | TypeExprKind::Tuple(items) => {
                items.iter_mut().for_each(|item| item.stand_at(span));
            }
            TypeExprKind::Passed { array, .. } | TypeExprKind::Sized { array, .. } => array.stand_at(span),
            _ => {}
        }
    }
}

/// Words that stand for types with what they hold behind them, or without.
const CONSTRUCTORS: [&str; 11] = [
    "Array",
    "NDArray",
    "List",
    "Dict",
    "Set",
    "Tuple",
    "Heap",
    "SparseMat",
    "SparseArray",
    "Optional",
    "Union",
];

/// Python's own, which are calls of functions with round brackets.
const SUBSCRIPTED: [&str; 5] = ["list", "dict", "set", "tuple", "Literal"];

/// Whether an expression that is assigned can only be a type, and no value: `Array1[float64]`, `int64 | None`. `is_alias` knows
/// names of types. A name of a type of numbers is a value as well.
pub(super) fn is_shaped_as_type(expr: &py::Expr, is_alias: &dyn Fn(&str) -> bool) -> bool {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let constructs = |name: &str| {
        CONSTRUCTORS.contains(&name)
            || rank_in(name).is_some()
            || sizes::is_class(name)
            || name == "Generator"
    };
    match expr {
        py::Expr::Call(call) => dotted(&call.func).is_some_and(|name| {
            let name = last(&name);
            CONSTRUCTORS.contains(&name.as_str()) || rank_in(&name).is_some()
        }),
        py::Expr::Subscript(subscript) => dotted(&subscript.value).is_some_and(|name| {
            is_alias(&name) || constructs(&last(&name)) || SUBSCRIPTED.contains(&last(&name).as_str())
        }),
        py::Expr::BinOp(binary) if binary.op == py::Operator::BitOr => {
            let is_member = |side: &py::Expr| {
                matches!(side, py::Expr::Constant(constant) if constant.value.is_none())
                    || dotted(side).is_some_and(|name| is_number(&last(&name)))
                    || is_shaped_as_type(side, is_alias)
            };
            is_member(&binary.left) || is_member(&binary.right)
        }
        py::Expr::Name(_) | py::Expr::Attribute(_) => {
            dotted(expr).is_some_and(|name| is_alias(&name) || constructs(&last(&name)) || name == "str")
        }
        _ => false,
    }
}

/// Whether a name is that of a type of numbers.
pub fn is_number(name: &str) -> bool {
    let found = catalogue::find(Space::Bare, name);
    found.is_some_and(|found| matches!(found.entry.algebra, Algebra::Convert { .. }))
}

/// Reads an annotation from the parser's expression.
pub(super) fn from_expr(expr: &py::Expr, sink: &mut Diagnostics) -> TypeExpr {
    read(expr, false, sink)
}

/// `in_text`: the annotation stands in quotes or in a comment, where quotes hold no further one. Each would be read by calling
/// this function again, as deep as someone cares to nest them.
fn read(expr: &py::Expr, in_text: bool, sink: &mut Diagnostics) -> TypeExpr {
    let span = super::span_of(expr.range());
    let kind = match expr {
        py::Expr::Name(_) | py::Expr::Attribute(_) => match dotted(expr) {
            Some(name) => TypeExprKind::Name(name),
            None => invalid(span, sink),
        },
        py::Expr::Call(call) => apply(&call.func, &call.args, &call.keywords, in_text, sink),
        py::Expr::Subscript(subscript) => {
            let items = match &*subscript.slice {
                py::Expr::Tuple(tuple) => tuple.elts.as_slice(),
                one => std::slice::from_ref(one),
            };
            let head = ident(&subscript.value);
            let sized = head.and_then(|class| sizes::read(&class, items, sink));
            sized.unwrap_or_else(|| apply(&subscript.value, items, &[], in_text, sink))
        }
        py::Expr::BinOp(binary) if binary.op == py::Operator::BitOr => {
            let mut members = Vec::new();
            union_members(expr, &mut members, in_text, sink);
            TypeExprKind::Union(members)
        }
        py::Expr::Tuple(tuple) => TypeExprKind::Tuple(from_exprs(&tuple.elts, in_text, sink)),
        py::Expr::Constant(constant) => from_constant(&constant.value, span, in_text, sink),
        _ => invalid(span, sink),
    };
    TypeExpr { span, kind }
}

fn from_exprs(exprs: &[py::Expr], in_text: bool, sink: &mut Diagnostics) -> Vec<TypeExpr> {
    exprs.iter().map(|expr| read(expr, in_text, sink)).collect()
}

fn union_members(expr: &py::Expr, members: &mut Vec<TypeExpr>, in_text: bool, sink: &mut Diagnostics) {
    match expr {
        py::Expr::BinOp(binary) if binary.op == py::Operator::BitOr => {
            union_members(&binary.left, members, in_text, sink);
            union_members(&binary.right, members, in_text, sink);
        }
        _ => members.push(read(expr, in_text, sink)),
    }
}

fn apply(
    head: &py::Expr,
    args: &[py::Expr],
    keywords: &[py::Keyword],
    in_text: bool,
    sink: &mut Diagnostics,
) -> TypeExprKind {
    let span = super::span_of(head.range());
    if let Some(keyword) = keywords.first() {
        return match passing(head, keywords) {
            None => invalid(super::span_of(keyword.range()), sink),
            Some(how) => {
                let kind = apply(head, args, &[], in_text, sink);
                if how == Passing::default() {
                    kind
                } else {
                    TypeExprKind::Passed { array: Box::new(TypeExpr { span, kind }), how }
                }
            }
        };
    }
    let Some(name) = ident(head) else { return invalid(span, sink) };
    if name.name.rsplit('.').next() == Some("Literal") {
        return values(args, span, sink);
    }
    let args = from_exprs(args, in_text, sink);
    match rank_in(&name.name) {
        Some(rank) => ranked(name, rank, args, sink),
        None => TypeExprKind::Apply { name, args },
    }
}

/// The rank that is part of a name: 2 of `Array2`.
pub fn rank_in(name: &str) -> Option<u32> {
    let digits = name.rsplit('.').next()?.strip_prefix("Array")?;
    digits
        .parse()
        .ok()
        .filter(|rank: &u32| rank.to_string() == digits && (1..=u32::from(limits::RANK)).contains(rank))
}

/// `Array2[float64]` is `Array[float64, 2]`.
fn ranked(name: Ident, rank: u32, mut args: Vec<TypeExpr>, sink: &mut Diagnostics) -> TypeExprKind {
    let span = name.span;
    if args.len() != 1 {
        Diagnostic::error(
            code::ANNOTATION_ARGUMENTS,
            format!("`{}` takes the type of its elements alone", name.name),
        )
        .primary(span, format!("has {rank} axes by its name"))
        .help(format!("as in `{}[float64]`", name.name))
        .emit(sink);
        return TypeExprKind::Error;
    }
    args.push(TypeExpr { span, kind: TypeExprKind::Int(rank) });
    TypeExprKind::Apply { name: Ident { name: "Array".to_owned(), span }, args }
}

/// A dotted name and where it stands.
fn ident(expr: &py::Expr) -> Option<Ident> {
    dotted(expr).map(|name| Ident { name, span: super::span_of(expr.range()) })
}

/// What the keywords of an array's type say, each once.
fn passing(head: &py::Expr, keywords: &[py::Keyword]) -> Option<Passing> {
    let is_array =
        dotted(head).is_some_and(|name| name.rsplit('.').next() == Some("Array") || rank_in(&name).is_some());
    let (mut cast, mut order) = (None, None);
    for keyword in keywords.iter().filter(|_| is_array) {
        let py::Expr::Constant(constant) = &keyword.value else { return None };
        let (place, is_said) = match (keyword.arg.as_deref(), &constant.value) {
            (Some("cast"), Constant::Bool(value)) => (&mut cast, *value),
            (Some("order"), Constant::Str(value)) if matches!(value.as_str(), "C" | "F") => {
                (&mut order, value == "F")
            }
            _ => return None,
        };
        if place.replace(is_said).is_some() {
            return None;
        }
    }
    is_array.then(|| Passing { cast: cast.unwrap_or(false), column_major: order.unwrap_or(false) })
}

/// What stands in the brackets of `Literal`.
fn values(args: &[py::Expr], span: Span, sink: &mut Diagnostics) -> TypeExprKind {
    let mut values = Vec::new();
    for arg in args {
        match value(arg) {
            Some(value) => values.push(value),
            None => return no_value(super::span_of(arg.range()), sink),
        }
    }
    if values.is_empty() { no_value(span, sink) } else { TypeExprKind::Values(values) }
}

fn value(expr: &py::Expr) -> Option<Option<Literal>> {
    let (negative, constant) = match expr {
        py::Expr::Constant(constant) => (false, &constant.value),
        py::Expr::UnaryOp(unary) if unary.op == py::UnaryOp::USub => match &*unary.operand {
            py::Expr::Constant(constant) => (true, &constant.value),
            _ => return None,
        },
        _ => return None,
    };
    match constant {
        Constant::Int(number) => {
            let sign = if negative { "-" } else { "" };
            format!("{sign}{number}").parse().ok().map(|number| Some(Literal::Int(number)))
        }
        _ if negative => None,
        Constant::None => Some(None),
        Constant::Bool(value) => Some(Some(Literal::Bool(*value))),
        // Texts come to kernels as C has them.
        Constant::Str(text) if !text.contains('\0') => Some(Some(Literal::Str(text.clone()))),
        _ => None,
    }
}

fn no_value(span: Span, sink: &mut Diagnostics) -> TypeExprKind {
    Diagnostic::error(
        code::ANNOTATION_ARGUMENTS,
        "`Literal` takes texts, integers of 64 bits, True, False and None",
    )
    .primary(span, "expected such values, as they are written")
    .help("as in `Literal[\"sum\", \"mean\"]`, `Literal[1, 2, 3]`; write `float` for any float")
    .emit(sink);
    TypeExprKind::Error
}

fn from_constant(value: &Constant, span: Span, in_text: bool, sink: &mut Diagnostics) -> TypeExprKind {
    match value {
        Constant::None => TypeExprKind::None,
        Constant::Int(rank) => match rank.to_string().parse() {
            Ok(rank) => TypeExprKind::Int(rank),
            Err(_) => invalid(span, sink),
        },
        // The quotes are one byte each: escapes and prefixes have no place in a type.
        Constant::Str(text) if !in_text && text.len() + 2 == span.len() as usize => {
            parse(text, span.start + 1, sink).kind
        }
        _ => invalid(span, sink),
    }
}

/// `a.b.c`, where the expression is nothing but that.
pub(super) fn dotted(expr: &py::Expr) -> Option<String> {
    let mut parts = Vec::new();
    let mut expr = expr;
    while let py::Expr::Attribute(attribute) = expr {
        parts.push(attribute.attr.as_str());
        expr = &attribute.value;
    }
    let py::Expr::Name(name) = expr else { return None };
    parts.push(name.id.as_str());
    parts.reverse();
    Some(parts.join("."))
}

fn invalid(span: Span, sink: &mut Diagnostics) -> TypeExprKind {
    Diagnostic::error(code::ANNOTATION_SYNTAX, "this is not a type")
        .primary(span, "expected a type")
        .help("types are written as in `int64`, `Array(float64, 2)`, `List(int64)`, `float32 | float64`")
        .emit(sink);
    TypeExprKind::Error
}

/// Reads an annotation from text that starts at `offset`: a type comment, or an annotation in quotes.
pub(super) fn parse(text: &str, offset: u32, sink: &mut Diagnostics) -> TypeExpr {
    let trimmed = text.trim_start();
    let start = offset + (text.len() - trimmed.len()) as u32;
    let trimmed = trimmed.trim_end();
    let span = Span::new(start, start + trimmed.len() as u32);
    // The length bounds the depth, so that no walk over the tree is deep.
    if trimmed.len() > limits::TYPE_TEXT {
        return TypeExpr { span, kind: invalid(span, sink) };
    }
    match py::Expr::parse_starts_at(trimmed, "", TextSize::from(start)) {
        Ok(expr) => read(&expr, true, sink),
        Err(_) => TypeExpr { span, kind: invalid(span, sink) },
    }
}

/// Reads `(A, B) -> R`, the type comment of a function, from text that starts at `offset`.
pub(super) fn parse_signature(
    text: &str,
    offset: u32,
    sink: &mut Diagnostics,
) -> Option<(Vec<TypeExpr>, TypeExpr)> {
    let arrow = text.rfind("->")?;
    let returns = parse(&text[arrow + 2..], offset + arrow as u32 + 2, sink);
    let params = parse(&text[..arrow], offset, sink);
    // Parentheses around one parameter's type leave no trace in the tree.
    let params = match params.kind {
        TypeExprKind::Tuple(params) => params,
        _ => vec![params],
    };
    Some((params, returns))
}
