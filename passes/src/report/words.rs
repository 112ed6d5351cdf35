//! Values and operations as the language writes them.

use pydd_ir::{ElemOp, Function, Level, LibOp, Op, OpKind, Value};

/// The variable of the source that a value is the value of. Names that no source can have are the compiler's own.
#[must_use]
pub fn variable(func: &Function, value: Value) -> Option<&str> {
    let names = func.names.get(&value)?.iter().map(String::as_str);
    names.into_iter().find(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// A value as a noun: its variable, or what computes it.
#[must_use]
pub fn noun(func: &Function, value: Value) -> String {
    match (variable(func, value), func.def_op(value)) {
        (Some(name), _) => format!("`{name}`"),
        (None, Some(op)) => match operation(func, op) {
            Some(word) => format!("the result of `{word}`"),
            None => "a temporary array".to_owned(),
        },
        (None, None) => "an array".to_owned(),
    }
}

/// An operation as the source calls it; nothing for what no source says.
#[must_use]
pub fn operation(func: &Function, op: Op) -> Option<&'static str> {
    let made_by_source = func.level == Level::Array;
    Some(match &func.ops[op].kind {
        OpKind::Elem(elem) => symbol(*elem),
        OpKind::Cast => "astype",
        OpKind::Reduce(spec) => spec.op.name(),
        OpKind::Assign => "=",
        OpKind::Copy => "copy",
        OpKind::Zeros if made_by_source => "zeros",
        OpKind::Empty if made_by_source => "empty",
        OpKind::Full => "full",
        OpKind::Iota => "arange",
        OpKind::Lib(LibOp::Matmul) => "@",
        OpKind::Lib(lib) => lib.name(),
        _ => return None,
    })
}

const fn symbol(elem: ElemOp) -> &'static str {
    match elem {
        ElemOp::Add => "+",
        ElemOp::Sub | ElemOp::Neg => "-",
        ElemOp::Mul => "*",
        ElemOp::Div => "/",
        ElemOp::FloorDiv => "//",
        ElemOp::Mod => "%",
        ElemOp::Pow => "**",
        ElemOp::Eq => "==",
        ElemOp::Ne => "!=",
        ElemOp::Lt => "<",
        ElemOp::Le => "<=",
        ElemOp::Gt => ">",
        ElemOp::Ge => ">=",
        ElemOp::And => "&",
        ElemOp::Or => "|",
        ElemOp::Xor => "^",
        ElemOp::Not => "~",
        ElemOp::Shl => "<<",
        ElemOp::Shr => ">>",
        ElemOp::Min => "minimum",
        ElemOp::Max => "maximum",
        ElemOp::Select => "where",
        other => other.name(),
    }
}

/// `1 array`, `2 arrays`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
