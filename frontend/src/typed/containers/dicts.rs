//! What is built in of dicts and sets: how they are made, and what functions of the prelude do to their entries.

use crate::diagnostics::{Cause, Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::library::Arguments;
use crate::typed::library::printing::{placed, word_of};
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::dict_type::{Container, DictType, Missing, View, is_item, is_key};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::DictOp;
use pydd_ir::{DType, Exc, Message, OpKind};

/// The prelude's file.
pub const FILE: &str = "dicts";

/// The most integers that a message can show.
const MAX_PAYLOAD: usize = 8;

/// The table of a dict without entries: no key, room for five, eight empty slots.
const EMPTY_TABLE: [i64; 10] = [0, 5, -1, -1, -1, -1, -1, -1, -1, -1];

impl Infer<'_, '_> {
    /// An operation of the catalogue's.
    pub(in crate::typed) fn dict_builtin(&mut self, op: DictOp, args: &Arguments) -> Expr {
        let span = args.span;
        match op {
            DictOp::Dict => self.dict_of(args),
            DictOp::Set => self.set_of(args),
            DictOp::DefaultDict => match args.dtype() {
                Some(num) => self.empty_dict(Container::Default(Missing::Zero(num)), span),
                None => Expr::error(span),
            },
            DictOp::Counter => self.counter_of(args),
            DictOp::Keys => Self::view(args.value(0), View::Keys, span),
            DictOp::Values => Self::view(args.value(0), View::Values, span),
            DictOp::Items => Self::view(args.value(0), View::Items, span),
            DictOp::Get => self.dict_get(args),
            DictOp::SetDefault => self.set_default(args),
            DictOp::Pop => self.dict_pop(args),
            DictOp::Add => self.on_item("add", args),
            DictOp::Remove => self.on_item("delete", args),
            DictOp::Discard => self.on_item("discard", args),
            DictOp::Require => self.require_key(&args.value(0), args.value(1), span),
            _ => self.on_entries(op, args),
        }
    }

    // ---- made ----

    /// `{}`, `set()`, `defaultdict(…)`: of what it holds by all that is known.
    pub(in crate::typed) fn empty_dict(&mut self, container: Container, span: Span) -> Expr {
        match self.contents_at(span) {
            Some(Ty::Dict(dict)) => self.new_dict(&dict, span),
            _ => Expr::new(ExprKind::Error, Ty::EmptyDict(span, container), span),
        }
    }

    /// A new one without entries.
    pub(in crate::typed) fn new_dict(&self, dict: &DictType, span: Span) -> Expr {
        let types = dict.parts();
        let table = types.len() - 2;
        let part = |(at, ty): (usize, Ty)| {
            let slots: &[i64] = if at == table { &EMPTY_TABLE } else { &[] };
            let items =
                slots.iter().map(|&slot| self.convert(Expr::int(slot, span), Num::strong(DType::I32)));
            Self::op(OpKind::ListNew, items.collect(), ty, span)
        };
        let parts = types.into_iter().enumerate().map(part).collect();
        Expr::new(ExprKind::Tuple(parts), Ty::Dict(Box::new(dict.clone())), span)
    }

    /// Learns what an empty dict holds from a key and a value that are stored; whether a dict can hold them.
    pub(in crate::typed) fn note_entry(&mut self, dict: &Ty, key: &Expr, value: Option<&Expr>) -> bool {
        let Ty::EmptyDict(at, container) = dict else { return true };
        if key.ty.is_silent() || value.is_some_and(|value| value.ty.is_silent()) {
            return true;
        }
        if !is_key(&key.ty) {
            self.not_a_key(key);
            return false;
        }
        if let Some(value) = value.filter(|value| !is_item(&value.ty)) {
            self.not_a_value(value);
            return false;
        }
        let value_ty = value.map_or(Ty::None, |value| value.ty.clone());
        let value = match container.missing() {
            Some(missing) => match self.meet_items(&missing.ty(*at), &value_ty) {
                Some(met) => met,
                None => return true,
            },
            _ => value_ty,
        };
        let held = DictType { key: key.ty.clone(), value, container: *container };
        self.note_contents(dict, &Ty::Dict(Box::new(held)));
        true
    }

    /// The error for what cannot be a key.
    pub(in crate::typed) fn not_a_key(&mut self, key: &Expr) -> Expr {
        if key.ty.is_silent() {
            return Expr::silent([key], key.span);
        }
        let headline = format!("{} as a key is not supported yet", key.ty);
        let help = match key.ty {
            Ty::Str => "give each text a number, a constant of the module: `RED = 0`",
            Ty::List(_) | Ty::EmptyList(_) | Ty::Array { .. } => "write the numbers as a tuple: `d[i, j]`",
            _ => "keys are integers, floats, bools, and tuples of these",
        };
        let diagnostic =
            Diagnostic::error(code::UNSUPPORTED_YET, headline).primary(key.span, "not a key").help(help);
        self.fail(diagnostic)
    }

    /// The error for what dicts cannot hold.
    pub(in crate::typed) fn not_a_value(&mut self, value: &Expr) -> Expr {
        if value.ty.is_silent() {
            return Expr::silent([value], value.span);
        }
        let headline = format!("a dict of {} is not supported yet", value.ty);
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
            .primary(value.span, "not a value for a dict")
            .help("dicts hold numbers, arrays, lists, dicts, sets, and tuples of these");
        self.fail(diagnostic)
    }

    /// The error for a container of which nothing is known where it has to be.
    pub(in crate::typed) fn unknown_items(&mut self, at: Span, noun: &str) -> Expr {
        let headline = format!("what this {noun} holds is not known yet");
        let diagnostic = Diagnostic::error(code::CANNOT_INFER_TYPE, headline).primary(at, "");
        self.fail(diagnostic.because(Cause::UnknownItems))
    }

    /// `d.keys()` and its like: the same lists, seen in another way.
    fn view(dict: Expr, view: View, span: Span) -> Expr {
        match dict.ty.clone() {
            Ty::Dict(ty) => Expr { ty: Ty::DictView(ty, view), span, ..dict },
            _ => dict,
        }
    }

    // ---- entries ----

    /// What functions of the prelude do; the dict is a variable there.
    fn on_entries(&mut self, op: DictOp, args: &Arguments) -> Expr {
        let (d, span) = (args.value(0), args.span);
        let Some(ty) = d.ty.dict_type().cloned() else { return Expr::error(span) };
        let keys = ty.key_columns();
        let columns = keys + ty.value_columns();
        match op {
            DictOp::Table => self.item_of(&d, columns),
            DictOp::Gone => self.item_of(&d, columns + 1),
            DictOp::Count => {
                let list = self.item_of(&d, 0);
                Self::op(OpKind::ListLen, vec![list], Ty::INT, span)
            }
            DictOp::Key => self.entry_part(&d, &ty.key, 0, args.value(1), span),
            DictOp::Value => self.entry_part(&d, &ty.value, keys, args.value(1), span),
            DictOp::PushKey => self.push_parts(&d, 0, args.value(1), span),
            DictOp::PushValue => self.push_parts(&d, keys, args.value(1), span),
            DictOp::SetValue => self.set_entry_value(&d, args.value(1), args.value(2), span),
            DictOp::CopyEntry => self.each_column(&d, columns, span, |s, at, list| {
                let from = s.item_of(&args.value(1), at);
                let item = Self::column_item(from, args.value(2), span);
                (OpKind::ListAppend, vec![list, item])
            }),
            DictOp::MoveEntry => self.each_column(&d, columns, span, |_, _, list| {
                let item = Self::column_item(list.clone(), args.value(1), span);
                (OpKind::ListSet, vec![list, args.value(2), item])
            }),
            DictOp::Truncate => self.each_column(&d, columns + 2, span, |_, at, list| {
                // The table is no list of entries.
                let keep = if at == columns { Expr::int(i64::MAX, span) } else { args.value(1) };
                (OpKind::ListTruncate, vec![list, keep])
            }),
            DictOp::Like => self.new_dict(&ty, span),
            DictOp::Zero => self.missing_value(&ty, span),
            _ => Expr::error(span),
        }
    }

    /// What a missing key of this dict gets.
    pub(in crate::typed) fn missing_value(&mut self, dict: &DictType, span: Span) -> Expr {
        match (dict.container.missing(), &dict.value) {
            (None, _) => Expr::error(span),
            (Some(Missing::Zero(num)), value) => {
                let zero = self.zero_of(num, span);
                self.convert_to(zero, value)
            }
            (Some(_), Ty::Dict(value)) => self.new_dict(value, span),
            (Some(_), value) => self.new_list(value, Vec::new(), span),
        }
    }

    /// An operation for each list of a dict.
    fn each_column(
        &mut self,
        dict: &Expr,
        columns: usize,
        span: Span,
        mut effect: impl FnMut(&mut Self, usize, Expr) -> (OpKind, Vec<Expr>),
    ) -> Expr {
        let mut stmts = Vec::new();
        for at in 0..columns {
            let list = self.item_of(dict, at);
            let (kind, operands) = effect(self, at, list);
            stmts.push(Stmt::new(StmtKind::Effect(kind, operands), span));
        }
        Self::seq(stmts, Expr::none(span))
    }

    fn column_item(list: Expr, at: Expr, span: Span) -> Expr {
        let ty = list.ty.list_item().unwrap_or(Ty::Error);
        Self::op(OpKind::ListGet, vec![list, at], ty, span)
    }

    /// The key or value of an entry, or the item of a list: from the lists that begin with this one.
    pub(in crate::typed) fn entry_part(
        &mut self,
        dict: &Expr,
        ty: &Ty,
        first: usize,
        at: Expr,
        span: Span,
    ) -> Expr {
        let mut before = Vec::new();
        let at = self.once(at, &mut before);
        let mut column = first;
        let value = self.part_at(dict, ty, &mut column, &at, span);
        Self::seq(before, value)
    }

    fn part_at(&mut self, lists: &Expr, ty: &Ty, column: &mut usize, at: &Expr, span: Span) -> Expr {
        let parts = match ty {
            Ty::Tuple(items) => items.to_vec(),
            _ => match ty.parts() {
                Some(parts) => parts,
                None => {
                    let list = self.item_of(lists, *column);
                    *column += 1;
                    let item = Self::column_item(list, at.clone(), span);
                    return if item.ty.is_silent() { item } else { Expr { ty: ty.clone(), ..item } };
                }
            },
        };
        let parts = parts.iter().map(|part| self.part_at(lists, part, column, at, span)).collect();
        Expr::new(ExprKind::Tuple(parts), ty.clone(), span)
    }

    /// What lists hold of an item, one beside the other: numbers, arrays, the lists that a list or dict is made of. It is kept.
    pub(in crate::typed) fn parts_of(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Vec<Expr> {
        let value = if value.ty.depth() > 0 { self.steady(&value, before) } else { self.once(value, before) };
        let mut parts = Vec::new();
        self.add_parts(&value, &mut parts);
        parts
    }

    fn add_parts(&mut self, value: &Expr, parts: &mut Vec<Expr>) {
        match value.ty.parts() {
            Some(all) => {
                for i in 0..all.len() {
                    let part = self.item_of(value, i);
                    self.add_parts(&part, parts);
                }
            }
            None => parts.push(value.clone()),
        }
    }

    fn push_parts(&mut self, dict: &Expr, first: usize, value: Expr, span: Span) -> Expr {
        let mut stmts = Vec::new();
        for (i, part) in self.parts_of(value, &mut stmts).into_iter().enumerate() {
            let list = self.item_of(dict, first + i);
            stmts.push(Stmt::new(StmtKind::Effect(OpKind::ListAppend, vec![list, part]), span));
        }
        Self::seq(stmts, Expr::none(span))
    }

    pub(in crate::typed) fn set_entry_value(
        &mut self,
        dict: &Expr,
        at: Expr,
        value: Expr,
        span: Span,
    ) -> Expr {
        let Some(first) = dict.ty.dict_type().map(DictType::key_columns) else { return Expr::error(span) };
        let mut stmts = Vec::new();
        let at = self.once(at, &mut stmts);
        for (i, part) in self.parts_of(value, &mut stmts).into_iter().enumerate() {
            let list = self.item_of(dict, first + i);
            stmts.push(Stmt::new(StmtKind::Effect(OpKind::ListSet, vec![list, at.clone(), part]), span));
        }
        Self::seq(stmts, Expr::none(span))
    }

    /// KeyError unless a condition holds. Its argument is the key, as far as it is made of integers.
    fn require_key(&mut self, cond: &Expr, key: Expr, span: Span) -> Expr {
        let mut stmts = Vec::new();
        let (message, payload) = self.key_message(key, &mut stmts).unzip();
        let args = std::iter::once(cond.clone()).chain(payload.unwrap_or_default()).collect();
        let kind = OpKind::Check { exc: Exc::KeyError, message };
        stmts.push(Stmt::new(StmtKind::Effect(kind, args), span));
        Self::seq(stmts, Expr::none(span))
    }

    /// What has a number, or a tuple of numbers, for an exception's argument, and the numbers that it shows; nothing of complex ones, and of too many.
    pub(in crate::typed) fn key_message(
        &mut self,
        key: Expr,
        before: &mut Vec<Stmt>,
    ) -> Option<(Message, Vec<Expr>)> {
        let ty = key.ty.clone();
        let numbers = self.parts_of(key, before);
        let is_shown = |n: &Expr| n.ty.scalar().is_some_and(|num| !num.dtype.is_complex());
        if numbers.len() > MAX_PAYLOAD || !numbers.iter().all(is_shown) {
            return None;
        }
        let (mut count, mut message) = (0, String::new());
        key_text(&ty, &mut count, &mut message);
        let word = |number: &Expr| number.ty.scalar().map_or(DType::I64, |num| word_of(num.dtype));
        let payload =
            numbers.into_iter().map(|number| self.convert(number.clone(), Num::weak(word(&number))));
        Some((Message::Key(message), payload.collect()))
    }
}

/// A key as Python writes it, with places for its numbers.
fn key_text(ty: &Ty, count: &mut usize, out: &mut String) {
    match ty {
        Ty::Tuple(items) => {
            out.push('(');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                key_text(item, count, out);
            }
            out.push_str(if items.len() == 1 { ",)" } else { ")" });
        }
        _ => {
            out.push_str(&placed(*count, ty.scalar().unwrap_or(Num::INT), ""));
            *count += 1;
        }
    }
}
