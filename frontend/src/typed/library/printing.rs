//! `print` and f-strings: values are taken apart into texts and what the runtime writes.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, FormatPart};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::dict_type::Container;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::{DType, OpKind, PrintSpec, python_text};
use std::collections::BTreeMap;

/// The prelude's functions for what is printed item by item.
const FILE: &str = "printing";
/// The format of `{x}`: Python's numbers as `str` shows them, NumPy's as Python's.
const PLAIN: &str = "\0";
/// What a message may show.
const MAX_PAYLOAD: usize = 8;

/// A piece of what is printed.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// A number, array or list, with its format.
    Value(Expr, String),
    /// A number of one of several types; whether as `repr` shows it.
    Either(Expr, bool, String),
    /// What the prelude prints.
    Items(Expr),
}

/// What one operation prints, with nothing between the items.
#[derive(Default)]
struct Together {
    items: Vec<Expr>,
    weak: Vec<bool>,
    formats: BTreeMap<usize, String>,
    /// Texts behind the last item, not yet one of them.
    text: String,
}

impl Together {
    fn is_empty(&self) -> bool {
        self.items.is_empty() && self.text.is_empty()
    }

    fn push(&mut self, value: Expr, format: String, span: Span) {
        self.end_text(span);
        if !format.is_empty() {
            self.formats.insert(self.items.len(), format);
        }
        self.weak.push(is_weak(&value.ty));
        self.items.push(value);
    }

    fn end_text(&mut self, span: Span) {
        if !self.text.is_empty() {
            self.items.push(Expr::new(ExprKind::Text(std::mem::take(&mut self.text)), Ty::Str, span));
            self.weak.push(false);
        }
    }

    fn stmt(mut self, end: Option<&str>, span: Span) -> Stmt {
        self.end_text(span);
        let spec = PrintSpec {
            sep: Some(String::new()),
            end: end.map(str::to_owned),
            weak: self.weak,
            formats: self.formats,
        };
        Stmt::new(StmtKind::Effect(OpKind::Print(spec), self.items), span)
    }
}

impl Infer<'_, '_> {
    /// An f-string: a tuple of its values, whose type says what stands between them.
    pub(in crate::typed) fn format(
        &mut self,
        parts: &[FormatPart],
        values: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let mut typed = Vec::new();
        for value in values {
            typed.push(self.either_expr(value));
        }
        if let Some(silent) = typed.iter().find(|value| value.ty.is_silent()) {
            return Expr { ty: silent.ty.clone(), ..Expr::error(span) };
        }
        if typed.is_empty() {
            let text = parts.iter().map(|part| if let FormatPart::Text(text) = part { text } else { "" });
            return Expr::new(ExprKind::Text(text.collect()), Ty::Str, span);
        }
        let types = typed.iter().map(|value| value.ty.clone()).collect();
        Expr::new(ExprKind::Tuple(typed), Ty::Format(types, parts.to_vec()), span)
    }

    /// Whether values stay what they are when the f-string is kept: numbers and texts.
    pub(in crate::typed) fn may_keep_format(types: &[Ty]) -> bool {
        types.iter().all(|ty| match ty {
            Ty::Scalar(_) | Ty::Either(_) => true,
            Ty::Tuple(items) => Self::may_keep_format(items),
            _ => false,
        })
    }

    pub(in crate::typed) fn print(&mut self, args: &Arguments) -> Expr {
        let text = |value: Option<Expr>| match value.map(|v| v.kind) {
            Some(ExprKind::Text(text)) => Some(text),
            _ => None,
        };
        let (sep, end) = (text(args.named("sep")), text(args.named("end")));
        let span = args.span;
        if let Some(silent) = args.rest.iter().find(|item| item.ty.is_silent()) {
            return silent.clone();
        }
        let plain = |item: &Expr| matches!(item.ty, Ty::Scalar(_) | Ty::Str | Ty::Array { .. } | Ty::List(_));
        if args.rest.iter().all(plain) {
            let mut spec = PrintSpec { sep, end, ..PrintSpec::default() };
            spec.weak = args.rest.iter().map(|item| is_weak(&item.ty)).collect();
            return self.effect_expr(OpKind::Print(spec), args.rest.clone(), span);
        }
        let (mut before, mut pieces) = (Vec::new(), Vec::new());
        for (i, item) in args.rest.iter().enumerate() {
            if i > 0 {
                pieces.push(Piece::Text(sep.clone().unwrap_or_else(|| " ".to_owned())));
            }
            if let Err(wrong) = self.pieces(item.clone(), false, "", &mut pieces, &mut before) {
                return self.fail(wrong);
            }
        }
        let printed = self.print_pieces(pieces, end.as_deref(), span);
        if printed.ty.is_silent() { printed } else { Self::seq(before, printed) }
    }

    /// The items of a tuple, each of which is computed once when it is looked at; texts are known and stored nowhere.
    fn items_once(&mut self, value: Expr, count: usize, before: &mut Vec<Stmt>) -> Vec<Expr> {
        match value.kind {
            ExprKind::Tuple(items) if items.len() == count => items,
            _ => {
                let tuple = self.once(value, before);
                (0..count).map(|i| self.item_of(&tuple, i)).collect()
            }
        }
    }

    /// Takes a value apart. `repr`: as it stands in a tuple.
    fn pieces(
        &mut self,
        value: Expr,
        repr: bool,
        format: &str,
        out: &mut Vec<Piece>,
        before: &mut Vec<Stmt>,
    ) -> Result<(), Diagnostic> {
        let span = value.span;
        let text = |text: &str| Piece::Text(text.to_owned());
        if let Ty::Either(_) = value.ty {
            let value = self.once(value, before);
            out.push(Piece::Either(value, repr, format.to_owned()));
            return Ok(());
        }
        let (is_plain, format) = (format == PLAIN, if format == PLAIN { "" } else { format });
        match value.ty.clone() {
            Ty::Scalar(num) => {
                let value = self.once(value, before);
                let num =
                    if is_plain && num.dtype != DType::Bool { Num::weak(shown_as(num.dtype)) } else { num };
                let value = self.convert(value, num);
                self.number_pieces(value, num, repr, format, out)?;
            }
            Ty::Str if format.is_empty() => match &value.kind {
                ExprKind::Text(own) if repr => out.push(Piece::Text(python_text(own))),
                ExprKind::Text(own) => out.push(text(own)),
                // Whether it has quotes in it is not known.
                _ if repr => {
                    let headline = "a text in a variable is shown in quotes where it stands alone only";
                    return Err(Diagnostic::error(code::STRING_OPERATION, headline)
                        .primary(span, "which text this is, is not known here")
                        .help("print its items one by one"));
                }
                _ => out.push(Piece::Value(value, String::new())),
            },
            Ty::None if format.is_empty() => out.push(text("None")),
            Ty::Array { .. } | Ty::List(_) if format.is_empty() && !(repr && value.ty.is_array()) => {
                let value = self.once(value, before);
                out.push(Piece::Value(value, String::new()));
            }
            Ty::Lists(_) if format.is_empty() && value.ty.parts().is_none() && !value.ty.holds_arrays() => {
                let value = self.once(value, before);
                out.push(Piece::Value(value, String::new()));
            }
            Ty::Tuple(items) if format.is_empty() => {
                let single = items.len() == 1;
                out.push(text("("));
                for (i, item) in self.items_once(value, items.len(), before).into_iter().enumerate() {
                    out.extend((i > 0).then(|| text(", ")));
                    self.pieces(item, true, "", out, before)?;
                }
                out.push(text(if single { ",)" } else { ")" }));
            }
            Ty::Format(types, parts) if !repr && format.is_empty() => {
                let mut values = self.items_once(value, types.len(), before).into_iter();
                for part in parts {
                    match part {
                        FormatPart::Text(own) => out.push(Piece::Text(own)),
                        FormatPart::Value { repr, spec } => {
                            let spec = if spec.is_empty() && !repr { PLAIN } else { &spec };
                            if let Some(value) = values.next() {
                                self.pieces(value, repr, spec, out, before)?;
                            }
                        }
                    }
                }
            }
            Ty::Tuples(_) if format.is_empty() => {
                let value = self.once(value, before);
                out.push(Piece::Items(value));
            }
            Ty::Dict(dict) if format.is_empty() && matches!(dict.container, Container::Dict) => {
                let value = self.once(value, before);
                out.push(Piece::Items(value));
            }
            other => {
                let how = if format.is_empty() { "printing" } else { "formatting" };
                let headline = format!("{how} {other} is not supported yet");
                return Err(Diagnostic::error(code::UNSUPPORTED_YET, headline).primary(span, ""));
            }
        }
        Ok(())
    }

    /// A number, by `str`, `repr` or a format.
    fn number_pieces(
        &mut self,
        value: Expr,
        num: Num,
        repr: bool,
        format: &str,
        out: &mut Vec<Piece>,
    ) -> Result<(), Diagnostic> {
        let text = |text: &str| Piece::Text(text.to_owned());
        if !format.is_empty() {
            let own = self.convert(value, Num::weak(shown_as(num.dtype)));
            if !is_format(format, num.dtype) {
                let headline = format!("`{format}` is no format of {}", num.name());
                let diagnostic =
                    Diagnostic::error(code::UNSUPPORTED_YET, headline).primary(own.span, "formatted here");
                return Err(diagnostic.help("formats are like `.3f`, `>8`, `05d`, `,`, `.2%`"));
            }
            out.push(Piece::Value(own, format.to_owned()));
            return Ok(());
        }
        if !repr || num.weak {
            out.push(Piece::Value(value, String::new()));
            return Ok(());
        }
        // As NumPy shows its own numbers.
        match num.dtype {
            DType::Bool => out.extend([text("np."), Piece::Value(value, String::new()), text("_")]),
            dtype if dtype.is_complex() => {
                let headline = format!("printing {} in a tuple is not supported yet", dtype.numpy_name());
                return Err(Diagnostic::error(code::UNSUPPORTED_YET, headline).primary(value.span, ""));
            }
            dtype => {
                let name = format!("np.{}(", dtype.numpy_name());
                out.extend([Piece::Text(name), Piece::Value(value, String::new()), text(")")]);
            }
        }
        Ok(())
    }

    /// Prints pieces one after the other, as many at a time as one operation prints.
    fn print_pieces(&mut self, pieces: Vec<Piece>, end: Option<&str>, span: Span) -> Expr {
        let (mut stmts, mut together) = (Vec::new(), Together::default());
        for piece in pieces {
            let printed = match piece {
                Piece::Text(text) => {
                    together.text.push_str(&text);
                    continue;
                }
                Piece::Value(value, format) => {
                    together.push(value, format, span);
                    continue;
                }
                Piece::Items(value) => {
                    let function = if matches!(value.ty, Ty::Dict(_)) { "print_dict" } else { "print_list" };
                    self.prelude_call(FILE, function, vec![value], span)
                }
                Piece::Either(number, repr, format) => {
                    self.each_way(&number, &mut |s, one| s.print_one(one, repr, &format, span))
                }
            };
            if printed.ty.is_silent() {
                return printed;
            }
            if !together.is_empty() {
                stmts.push(std::mem::take(&mut together).stmt(Some(""), span));
            }
            stmts.push(Stmt::new(StmtKind::Eval(printed), span));
        }
        stmts.push(together.stmt(end, span));
        Self::seq(stmts, Expr::none(span))
    }

    /// Prints a value without an end.
    fn print_one(&mut self, value: Expr, repr: bool, format: &str, span: Span) -> Expr {
        let (mut pieces, mut before) = (Vec::new(), Vec::new());
        if let Err(wrong) = self.pieces(value, repr, format, &mut pieces, &mut before) {
            return self.fail(wrong);
        }
        let printed = self.print_pieces(pieces, Some(""), span);
        if printed.ty.is_silent() { printed } else { Self::seq(before, printed) }
    }

    /// The message of an exception: its text with places for numbers, and these.
    pub(in crate::typed) fn message_of(&mut self, value: Expr) -> Option<(String, Vec<Expr>)> {
        let (mut before, mut pieces) = (Vec::new(), Vec::new());
        let span = value.span;
        if let Err(wrong) = self.pieces(value, false, "", &mut pieces, &mut before) {
            self.report(wrong);
            return None;
        }
        self.out.append(&mut before);
        let (mut message, mut payload) = (String::new(), Vec::new());
        for piece in pieces {
            match piece {
                Piece::Text(text) => message.push_str(&in_message(&text)),
                Piece::Value(value, format)
                    if value.ty.scalar().is_some_and(|num| !num.dtype.is_complex()) =>
                {
                    let num = value.ty.scalar()?;
                    message.push_str(&placed(payload.len(), num, &format));
                    payload.push(self.convert(value, Num::weak(word_of(num.dtype))));
                }
                Piece::Value(value, _) | Piece::Either(value, ..) | Piece::Items(value) => {
                    let headline = format!("a message shows numbers and tuples of these, not {}", value.ty);
                    let diagnostic =
                        Diagnostic::error(code::RAISE_TYPE, headline).primary(value.span, "not a number");
                    self.report(diagnostic.help("print it before"));
                    return None;
                }
            }
        }
        if payload.len() > MAX_PAYLOAD {
            let headline = format!("a message shows at most {MAX_PAYLOAD} numbers");
            self.error(code::RAISE_TYPE, span, headline, "more");
            return None;
        }
        Some((message, payload))
    }
}

/// A text in a message, where braces stand around places.
pub(in crate::typed) fn in_message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// The place of a number in a message.
pub(in crate::typed) fn placed(at: usize, num: Num, format: &str) -> String {
    let colon = if format.is_empty() { "" } else { ":" };
    let kind = match num.dtype {
        DType::Bool => 'b',
        DType::U64 => 'u',
        DType::F32 if format.is_empty() => 'g',
        dtype if dtype.is_float() => 'f',
        _ if format.is_empty() => return format!("{{{at}}}"),
        _ => 'd',
    };
    format!("{{{at}!{kind}{colon}{format}}}")
}

/// What a message carries a number in.
pub(in crate::typed) const fn word_of(dtype: DType) -> DType {
    if dtype.is_float() { DType::F64 } else { DType::I64 }
}

/// The number of Python's that a format is applied to.
const fn shown_as(dtype: DType) -> DType {
    match dtype {
        DType::Bool | DType::U64 | DType::C128 => dtype,
        _ if dtype.is_float() => DType::F64,
        _ if dtype.is_complex() => DType::C128,
        _ => DType::I64,
    }
}

const fn is_weak(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(num) | Ty::List(num) => num.weak,
        Ty::Lists(_) => true,
        _ => false,
    }
}

/// Whether a format is one of those that Python has for a number: `[[fill]align][sign][#][0][width][grouping][.precision][type]`.
fn is_format(format: &str, dtype: DType) -> bool {
    let mut rest: Vec<char> = format.chars().collect();
    rest.reverse();
    let aligns = ['<', '>', '^', '='];
    if rest.len() > 1 && aligns.contains(&rest[rest.len() - 2]) {
        rest.truncate(rest.len() - 2);
    } else if rest.last().is_some_and(|c| aligns.contains(c)) {
        rest.pop();
    }
    let mut eat = |wanted: &dyn Fn(char) -> bool| {
        let found = rest.last().is_some_and(|c| wanted(*c));
        if found {
            rest.pop();
        }
        found
    };
    let digit = |c: char| c.is_ascii_digit();
    eat(&|c| "+- ".contains(c));
    let alternate = eat(&|c| c == '#');
    let mut width = 0;
    while eat(&digit) {
        width += 1;
    }
    let grouped = eat(&|c| c == ',' || c == '_');
    let mut precision = 0;
    let point = eat(&|c| c == '.');
    while point && eat(&digit) {
        precision += 1;
    }
    let Some(kind) = rest.pop() else {
        return rest.is_empty() && width < 4 && (!point || dtype.is_float() && precision > 0);
    };
    let is_int = dtype.is_int() || dtype == DType::Bool;
    let whole = is_int && (kind == 'd' || "boxX".contains(kind) && !grouped) && !point;
    let real = !dtype.is_complex() && "eEfFgG%".contains(kind) && (!point || precision > 0) && precision < 4;
    let _ = alternate;
    rest.is_empty() && width < 4 && (whole || real)
}
