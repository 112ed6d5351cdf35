//! jaxtyping's annotations of arrays, `Float64[np.ndarray, "m k"]`: classes of element types, and the lengths of axes in a text.

use super::ast::Ident;
use super::types::{TypeExpr, TypeExprKind, dotted};
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use rustpython_parser::ast::{self as py, Constant, Ranged};

/// What the length of an axis must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    /// `_`, `_rows`: anything.
    Any,
    /// `3`.
    Fixed(i64),
    /// `m`: what all axes of that name have.
    Name(String),
}

/// The classes and the types that each stands for. A class of more has no version of a function for each.
const CLASSES: [(&str, &[&str]); 18] = [
    ("Bool", &["bool"]),
    ("Int8", &["int8"]),
    ("Int16", &["int16"]),
    ("Int32", &["int32"]),
    ("Int64", &["int64"]),
    ("UInt8", &["uint8"]),
    ("UInt16", &["uint16"]),
    ("UInt32", &["uint32"]),
    ("UInt64", &["uint64"]),
    ("Float32", &["float32"]),
    ("Float64", &["float64"]),
    ("Complex64", &["complex64"]),
    ("Complex128", &["complex128"]),
    ("Int", &["int64", "int32", "int16", "int8"]),
    ("UInt", &["uint64", "uint32", "uint16", "uint8"]),
    ("Float", &["float64", "float32"]),
    ("Complex", &["complex128", "complex64"]),
    ("Inexact", &["float64", "float32", "complex128", "complex64"]),
];

/// Classes that are refused, and what to write.
const REFUSED: [(&str, &str); 11] = [
    ("Integer", TOO_WIDE),
    ("Real", TOO_WIDE),
    ("Num", TOO_WIDE),
    ("Shaped", TOO_WIDE),
    ("Float16", "the narrowest floats here are those of `Float32`"),
    ("BFloat16", "the narrowest floats here are those of `Float32`"),
    ("Int2", "the narrowest integers here are those of `Int8`"),
    ("Int4", "the narrowest integers here are those of `Int8`"),
    ("UInt2", "the narrowest integers here are those of `UInt8`"),
    ("UInt4", "the narrowest integers here are those of `UInt8`"),
    ("Key", "give the seed of a generator: `seed: int`"),
];
const TOO_WIDE: &str = "write the types that come: `Float64`, `Float` (float64 and float32), `Int64`, `Int` (all that are \
signed), or some of them, as in `Float64[np.ndarray, \"n\"] | Int64[np.ndarray, \"n\"]`";

/// Whether a name is one of jaxtyping's classes.
pub fn is_class(name: &str) -> bool {
    let name = name.rsplit('.').next();
    CLASSES.iter().any(|(known, _)| Some(*known) == name)
}

/// Reads `CLASS[array, "sizes"]`, where `class` is one of jaxtyping's.
pub(super) fn read(class: &Ident, items: &[py::Expr], sink: &mut Diagnostics) -> Option<TypeExprKind> {
    let name = class.name.rsplit('.').next()?;
    if let Some((_, help)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        let headline = format!("no function takes arrays of all that `{name}` stands for");
        return Some(refuse(headline, class.span, "not a type of elements here", help, sink));
    }
    let (_, dtypes) = CLASSES.iter().find(|(known, _)| *known == name)?;
    let [array, py::Expr::Constant(sizes)] = items else {
        return Some(not_two_items(name, class.span, sink));
    };
    let Constant::Str(text) = &sizes.value else { return Some(not_two_items(name, class.span, sink)) };
    let kind = dotted(array);
    if !matches!(kind.as_deref().and_then(|kind| kind.rsplit('.').next()), Some("ndarray" | "Array")) {
        let headline = format!("`{name}[…]` annotates NumPy's arrays here");
        let span = super::span_of(array.range());
        return Some(refuse(headline, span, "not `np.ndarray`", "write `np.ndarray`, or `Array`", sink));
    }
    let span = super::span_of(sizes.range());
    Some(match sizes_of(text) {
        Ok(sizes) => sized(class, dtypes, sizes, span),
        Err((headline, help)) => refuse(headline, span, "not the lengths of axes", help, sink),
    })
}

fn not_two_items(name: &str, span: Span, sink: &mut Diagnostics) -> TypeExprKind {
    let headline = format!("`{name}` takes the class of the array and the names of its lengths");
    let help = format!("as in `{name}[np.ndarray, \"m k\"]`");
    refuse(headline, span, "expected these two", &help, sink)
}

fn refuse(headline: String, span: Span, label: &str, help: &str, sink: &mut Diagnostics) -> TypeExprKind {
    Diagnostic::error(code::ANNOTATION_ARGUMENTS, headline).primary(span, label).help(help).emit(sink);
    TypeExprKind::Error
}

fn sized(class: &Ident, dtypes: &[&str], sizes: Option<Vec<Size>>, span: Span) -> TypeExprKind {
    let of = |kind| TypeExpr { span: class.span, kind };
    let mut elements: Vec<TypeExpr> =
        dtypes.iter().map(|dtype| of(TypeExprKind::Name((*dtype).to_owned()))).collect();
    let element = match elements.len() {
        1 => elements.remove(0),
        _ => of(TypeExprKind::Union(elements)),
    };
    let rank = sizes.as_ref().map(|sizes| TypeExpr {
        span,
        kind: TypeExprKind::Int(u32::try_from(sizes.len()).unwrap_or(u32::MAX)),
    });
    let name = Ident { name: "Array".to_owned(), span: class.span };
    let args = std::iter::once(element).chain(rank).collect();
    let array = Box::new(of(TypeExprKind::Apply { name, args }));
    TypeExprKind::Sized { class: class.name.clone(), array, sizes: sizes.unwrap_or_default() }
}

/// The lengths that a text names; `None` where there may be any number of axes. Else what is wrong, and what to write.
fn sizes_of(text: &str) -> Result<Option<Vec<Size>>, (String, &'static str)> {
    if text.contains(',') {
        return Err(("lengths are divided by blanks".to_owned(), "write `\"m k\"`, without commas"));
    }
    let parts: Vec<&str> = text.split_whitespace().map(without_comment).collect();
    if let ["..." | "*_"] = parts[..] {
        return Ok(None);
    }
    parts.into_iter().map(size_of).collect::<Result<_, _>>().map(Some)
}

/// `rows=4` is `4`, to jaxtyping.
fn without_comment(part: &str) -> &str {
    match part.split_once('=') {
        Some((_, size)) if !size.contains('=') => size,
        _ => part,
    }
}

fn size_of(part: &str) -> Result<Size, (String, &'static str)> {
    let wrong = |what: &str, help| Err((format!("`{part}` {what}"), help));
    let unknown = "write `_` for a length that may be anything";
    if part == "..." || part.starts_with('*') {
        let help =
            "write a name for each axis, or `\"...\"` alone, where the uses say how many axes there are";
        return wrong("stands for any number of axes", help);
    }
    if part.starts_with('#') {
        return wrong("allows a length of 1, which is not checked here", unknown);
    }
    if part.starts_with('?') {
        return wrong("is of trees, which are unknown here", unknown);
    }
    let no_length = "is no length of an axis";
    if part.starts_with(|c: char| c.is_ascii_digit()) && part.bytes().all(|byte| byte.is_ascii_digit()) {
        return part.parse().map(Size::Fixed).or_else(|_| wrong(no_length, "lengths have 64 bits"));
    }
    let is_name = |part: &str| {
        !part.starts_with(char::is_numeric) && part.chars().all(|c| c == '_' || c.is_alphanumeric())
    };
    match part.strip_prefix('_') {
        Some(rest) if is_name(rest) => Ok(Size::Any),
        None if is_name(part) && !part.is_empty() => Ok(Size::Name(part.to_owned())),
        _ => {
            let help =
                "write a name, a number or `_`, and in the function `assert b.shape[0] == a.shape[0] + 1`";
            wrong(no_length, help)
        }
    }
}

/// Sizes as they are written.
pub fn text_of(sizes: &[Size]) -> String {
    let each = |size: &Size| match size {
        Size::Any => "_".to_owned(),
        Size::Fixed(length) => length.to_string(),
        Size::Name(name) => name.clone(),
    };
    sizes.iter().map(each).collect::<Vec<_>>().join(" ")
}
