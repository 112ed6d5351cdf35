//! Dicts and sets in a program: displays, items, methods, operators. What they do is written in the prelude.

use super::dict_type::{Container, DictType, View, is_key, is_value};
use super::dicts::FILE;
use super::infer::Infer;
use super::library::Arguments;
use super::promote::{meet, same_kind};
use super::tree::{Expr, ExprKind, Stmt, StmtKind};
use super::ty::{Num, Ty};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, CompareOp};
use pydd_ir::DType;
use pydd_ir::catalogue::{self, Algebra, Builtin, DictOp, Space};

pub const fn is_dict(ty: &Ty) -> bool {
    matches!(ty, Ty::Dict(_) | Ty::EmptyDict(..))
}

impl Infer<'_, '_> {
    // ---- displays and constructors ----

    /// `{k: v, …}` and `{x, …}`, which has no values; of the type asked for, if there is one.
    pub(super) fn dict_display(
        &mut self,
        items: Vec<(&ast::Expr, Option<&ast::Expr>)>,
        expected: Option<&DictType>,
        span: Span,
    ) -> Expr {
        let container =
            if items.iter().any(|(_, value)| value.is_none()) { Container::Set } else { Container::Dict };
        if items.is_empty() {
            return match expected {
                Some(dict) => self.new_dict(dict, span),
                None => self.empty_dict(container, span),
            };
        }
        let mut typed = Vec::new();
        let mut held: Option<DictType> = None;
        for (key, value) in items {
            let key = self.expr(key);
            if !is_key(&key.ty) {
                return self.not_a_key(&key);
            }
            let value = value.map(|value| self.expr(value));
            if let Some(value) = value.as_ref().filter(|value| !is_value(&value.ty)) {
                return self.not_a_value(value);
            }
            let value_ty = value.as_ref().map_or(Ty::None, |value| value.ty.clone());
            let own = DictType { key: key.ty.clone(), value: value_ty, container };
            held = match held {
                None => Some(own),
                Some(so_far) => match so_far.joined(&own) {
                    Some(joined) => Some(joined),
                    None => return self.mixed_display(&so_far, &own, container, key.span),
                },
            };
            typed.push((key, value));
        }
        let Some(ty) = expected.cloned().or(held) else { return Expr::error(span) };
        let mut stmts = Vec::new();
        let made = self.new_dict(&ty, span);
        let dict = self.once(made, &mut stmts);
        for (key, value) in typed {
            let stored = self.store_item(&dict, key, value, span);
            if stored.ty.is_silent() {
                return stored;
            }
            stmts.push(Stmt::new(StmtKind::Eval(stored), span));
        }
        Self::seq(stmts, dict)
    }

    fn mixed_display(&mut self, first: &DictType, other: &DictType, container: Container, at: Span) -> Expr {
        let headline = format!("the items of this {} have no type in common", container.noun());
        let diagnostic = Diagnostic::error(code::NO_COMMON_TYPE, headline)
            .primary(at, format!("makes it {other}"))
            .help(format!("the items before make it {first}"));
        self.fail(diagnostic)
    }

    /// `dict()`, `dict(d)`.
    pub(super) fn dict_of(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(from) = args.optional(0) else { return self.empty_dict(Container::Dict, span) };
        match &from.ty {
            Ty::Dict(dict) if !dict.is_set() => {
                let plain = DictType { container: Container::Dict, ..(**dict).clone() };
                let copy = self.prelude_call(FILE, "copied", vec![from], span);
                if copy.ty.is_silent() { copy } else { Expr { ty: Ty::Dict(Box::new(plain)), ..copy } }
            }
            Ty::EmptyDict(..) => from,
            other => {
                let headline = format!("a dict of the items of {other}");
                self.later_expr(span, &headline)
            }
        }
    }

    /// `set()`, `set(values)`.
    pub(super) fn set_of(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(from) = args.optional(0) else { return self.empty_dict(Container::Set, span) };
        if let Ty::EmptyList(_) | Ty::EmptyDict(..) = from.ty {
            return self.empty_dict(Container::Set, span);
        }
        let key = match (item_type(&from.ty), &from.ty) {
            (Some(key), _) if is_key(&key) => key,
            (None, Ty::Tuple(items)) if !from.ty.is_silent() && !items.is_empty() => {
                match items[1..].iter().try_fold(items[0].clone(), |met, item| meet(&met, item)) {
                    Some(key) if is_key(&key) => key,
                    _ => return self.later_expr(span, &format!("a set of the items of {}", from.ty)),
                }
            }
            _ => return self.later_expr(span, &format!("a set of the items of {}", from.ty)),
        };
        let mut stmts = Vec::new();
        let from = self.once(from, &mut stmts);
        let made = self.new_dict(&DictType { key, value: Ty::None, container: Container::Set }, span);
        let set = self.once(made, &mut stmts);
        let filled = self.prelude_call(FILE, "extend", vec![set.clone(), from], span);
        if filled.ty.is_silent() {
            return filled;
        }
        stmts.push(Stmt::new(StmtKind::Eval(filled), span));
        Self::seq(stmts, set)
    }

    // ---- items ----

    /// What stands between the brackets of `d[…]`.
    pub(super) fn key_of(&mut self, indices: &[ast::Expr], span: Span) -> Expr {
        match indices {
            [key] => self.expr(key),
            all => {
                let items = all.iter().map(|item| self.expr(item)).collect();
                Self::tuple(items, span)
            }
        }
    }

    /// A value as a key of a dict, where that is the same number.
    pub(super) fn as_key(&mut self, key: Expr, ty: &Ty) -> Expr {
        match (ty, &key.ty) {
            _ if key.ty.is_silent() => key,
            (Ty::Scalar(to), Ty::Scalar(from)) if from.dtype.is_int() && to.dtype.is_int() => {
                self.integer_key(key, *to)
            }
            (Ty::Scalar(to), Ty::Scalar(from)) if same_kind(Num::weak(from.dtype), to.dtype) => {
                self.convert(key, *to)
            }
            (Ty::Tuple(types), Ty::Tuple(items)) if types.len() == items.len() => {
                let mut before = Vec::new();
                let span = key.span;
                let tuple = self.once(key, &mut before);
                let mut items = Vec::new();
                for (i, ty) in types.iter().enumerate() {
                    let item = self.item_of(&tuple, i);
                    let item = self.as_key(item, ty);
                    if item.ty.is_silent() {
                        return item;
                    }
                    items.push(item);
                }
                Self::seq(before, Expr::new(ExprKind::Tuple(items), ty.clone(), span))
            }
            _ => {
                let integer = matches!((ty, &key.ty), (Ty::Scalar(to), Ty::Scalar(from)) if to.dtype.is_int() && from.is_float());
                let headline = format!("{} is not a key of this dict or set", key.ty);
                let diagnostic = Diagnostic::error(
                    if integer { code::FLOAT_TO_INT } else { code::TYPE_MISMATCH },
                    headline,
                )
                .primary(key.span, format!("its keys are {ty}"))
                .maybe_help(integer.then_some("convert it: `int(…)`"));
                self.fail(diagnostic)
            }
        }
    }

    /// An integer in the type of keys; OverflowError where that does not hold it.
    fn integer_key(&mut self, key: Expr, to: Num) -> Expr {
        let (Some(from), span) = (key.ty.scalar(), key.span) else { return key };
        let (least, greatest) = super::promote::int_range(to.dtype);
        let (own_least, own_greatest) = super::promote::int_range(from.dtype);
        let constant = key.as_wide_int().is_some_and(|value| (least..=greatest).contains(&value));
        if constant || least <= own_least && own_greatest <= greatest {
            return self.convert(key, to);
        }
        let mut before = Vec::new();
        let wide = if from.dtype == DType::U64 {
            let key = self.once(key, &mut before);
            let signed = self.convert(key, Num::INT);
            let signed = self.once(signed, &mut before);
            let fits = Self::elem(pydd_ir::ElemOp::Ge, vec![signed.clone(), Expr::int(0, span)], true, span);
            let message = "an integer is too large for a key of this dict or set";
            before.push(Self::check(fits, pydd_ir::Exc::OverflowError, message, vec![], span));
            signed
        } else {
            self.convert(key, Num::INT)
        };
        let fitting = self.fit_int(wide, to.dtype);
        let key = self.convert(fitting, to);
        Self::seq(before, key)
    }

    /// A function of the prelude on a dict and a key.
    pub(super) fn with_key(
        &mut self,
        function: &str,
        dict: Expr,
        key: Expr,
        more: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let Some(ty) = dict.ty.dict_type().map(|dict| dict.key.clone()) else { return Expr::error(span) };
        let key = self.as_key(key, &ty);
        let args = [dict, key].into_iter().chain(more).collect();
        self.prelude_call(FILE, function, args, span)
    }

    /// `d[key]` as a value.
    pub(super) fn dict_item(&mut self, dict: Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let key = self.key_of(indices, span);
        match dict.ty.clone() {
            Ty::EmptyDict(_, container @ Container::Default(num)) => {
                let zero = self.zero_of(num, span);
                self.note_entry(&dict.ty, &key, Some(&zero));
                self.unknown_dict(span, container)
            }
            Ty::EmptyDict(_, container) => self.unknown_dict(span, container),
            Ty::Dict(ty) if ty.is_set() => {
                let headline = "the items of a set have no numbers";
                let diagnostic = Diagnostic::error(code::NOT_INDEXABLE, headline)
                    .primary(dict.span, "this is a set")
                    .help("ask whether it has one: `x in s`");
                self.fail(diagnostic)
            }
            Ty::Dict(ty) if matches!(ty.container, Container::Default(_)) => {
                let mut before = Vec::new();
                let dict = self.once(dict, &mut before);
                let entry = self.entry_for(&dict, key, span);
                let value = self.entry_part(&dict, &ty.value, ty.key_columns(), entry, span);
                if value.ty.is_silent() { value } else { Self::seq(before, value) }
            }
            _ => self.with_key("item", dict, key, vec![], span),
        }
    }

    /// The entry of a key that is read: KeyError where there is none, but for a defaultdict, which makes one.
    fn entry_for(&mut self, dict: &Expr, key: Expr, span: Span) -> Expr {
        let Some(ty) = dict.ty.dict_type().cloned() else { return Expr::error(span) };
        match ty.container {
            Container::Default(num) => {
                let zero = self.zero_of(num, span);
                let zero = self.convert_to(zero, &ty.value);
                self.with_key("entry_or_new", dict.clone(), key, vec![zero], span)
            }
            _ => self.with_key("entry_of", dict.clone(), key, vec![], span),
        }
    }

    /// `d[key] = value`, `s.add(key)`, as an expression that gives None.
    pub(super) fn store_item(&mut self, dict: &Expr, key: Expr, value: Option<Expr>, span: Span) -> Expr {
        match dict.ty.clone() {
            Ty::EmptyDict(..) => {
                self.note_entry(&dict.ty, &key, value.as_ref());
                Expr::none(span)
            }
            Ty::Dict(ty) => match value {
                Some(value) => {
                    let value = self.declare(value, &ty.value, dict.span, "stored");
                    self.with_key("store", dict.clone(), key, vec![value], span)
                }
                None => self.with_key("add", dict.clone(), key, vec![], span),
            },
            _ => Expr::error(span),
        }
    }

    /// `d[key] op= value`.
    pub(super) fn augment_item(
        &mut self,
        dict: &Expr,
        key: Expr,
        op: BinaryOp,
        value: &ast::Expr,
        span: Span,
    ) {
        if let Ty::EmptyDict(..) = dict.ty {
            let value = self.expr(value);
            self.note_entry(&dict.ty, &key, Some(&value));
            return;
        }
        let Some(ty) = dict.ty.dict_type().cloned() else { return };
        let key = self.as_key(key, &ty.key);
        let key = self.keep(key);
        let entry = self.entry_for(dict, key.clone(), span);
        if entry.ty.is_silent() {
            return;
        }
        let entry = self.keep(entry);
        let old = self.entry_part(dict, &ty.value, ty.key_columns(), entry.clone(), span);
        let old = self.keep(old);
        let value = self.expr(value);
        let calm = !may_change_dicts(&value);
        let result = self.binary(op, old, value, span);
        let result = self.declare(result, &ty.value, dict.span, "stored");
        if result.ty.is_silent() {
            return;
        }
        let stored = if calm {
            self.set_entry_value(dict, entry, result, span)
        } else {
            self.prelude_call(FILE, "store_again", vec![dict.clone(), entry, key, result], span)
        };
        self.push(StmtKind::Eval(stored), span);
    }

    /// `del d[key]`, `del xs[index]`.
    pub(super) fn delete(&mut self, target: &ast::Expr) {
        let span = target.span;
        let ast::ExprKind::Subscript { value: base, indices, .. } = &target.kind else {
            return self.later(span, "`del` of a variable");
        };
        let base = self.expr(base);
        let deleted = match (&base.ty, indices.as_slice()) {
            (Ty::Dict(dict), _) if !dict.is_set() => {
                let key = self.key_of(indices, span);
                self.with_key("delete", base, key, vec![], span)
            }
            (Ty::EmptyDict(..), _) => {
                self.key_of(indices, span);
                return;
            }
            (Ty::List(_), [index]) if !matches!(index.kind, ast::ExprKind::Slice { .. }) => {
                let index = self.index(index);
                self.prelude_call("sequence", "delete_at", vec![base, index], span)
            }
            (ty, _) if ty.is_silent() => return,
            (Ty::List(_), _) => return self.later(span, "`del` of a slice"),
            (other, _) => {
                let headline = format!("the items of {other} cannot be deleted");
                self.error(code::NOT_WRITABLE, span, headline, &format!("this is {other}"));
                return;
            }
        };
        if !deleted.ty.is_silent() {
            self.push(StmtKind::Eval(deleted), span);
        }
    }

    // ---- methods ----

    /// A method whose argument is an item of a set.
    pub(super) fn on_item(&mut self, function: &str, args: &Arguments) -> Expr {
        let (set, item, span) = (args.value(0), args.value(1), args.span);
        match set.ty {
            Ty::EmptyDict(..) => {
                self.note_entry(&set.ty, &item, None);
                Expr::none(span)
            }
            _ => self.with_key(function, set, item, vec![], span),
        }
    }

    /// `d.get(key, default)`.
    pub(super) fn dict_get(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(default) = args.optional(2) else {
            let diagnostic = Diagnostic::error(
                code::UNSUPPORTED_YET,
                "`.get` without a default, which may give None, is not supported yet",
            )
            .primary(span, "no default")
            .help("give one: `d.get(key, 0)`; or ask `if key in d` first");
            return self.fail(diagnostic);
        };
        let Ty::Dict(ty) = args.value(0).ty else { return Expr { span, ..default } };
        if meet(&ty.value, &default.ty).is_none() {
            let diagnostic = Diagnostic::error(code::NO_COMMON_TYPE, "the two values have no type in common")
                .primary(default.span, format!("this is {}", default.ty))
                .secondary(args.value(0).span, format!("this is {ty}"));
            return self.fail(diagnostic);
        }
        self.with_key("item_or", args.value(0), args.value(1), vec![default], span)
    }

    /// `d.setdefault(key, value)`.
    pub(super) fn set_default(&mut self, args: &Arguments) -> Expr {
        let (dict, key, span) = (args.value(0), args.value(1), args.span);
        let Some(value) = args.optional(2) else {
            return self.later_expr(span, "`.setdefault` without a value, which stores None,");
        };
        let Ty::Dict(ty) = dict.ty.clone() else {
            self.note_entry(&dict.ty, &key, Some(&value));
            return Expr { span, ..value };
        };
        let value = self.declare(value, &ty.value, dict.span, "stored");
        let mut before = Vec::new();
        let dict = self.once(dict, &mut before);
        let entry = self.with_key("entry_or_new", dict.clone(), key, vec![value], span);
        if entry.ty.is_silent() {
            return entry;
        }
        let value = self.entry_part(&dict, &ty.value, ty.key_columns(), entry, span);
        Self::seq(before, value)
    }

    /// `d.pop(key)`, `d.pop(key, default)`.
    pub(super) fn dict_pop(&mut self, args: &Arguments) -> Expr {
        let (dict, key, span) = (args.value(0), args.value(1), args.span);
        if let Ty::EmptyDict(_, container) = dict.ty {
            return match args.rest.first() {
                Some(default) => Expr { span, ..default.clone() },
                None => self.unknown_dict(span, container),
            };
        }
        match args.rest.as_slice() {
            [] => self.with_key("pop", dict, key, vec![], span),
            // What was there is lost, or nothing was: only as a statement.
            [default] if default.ty == Ty::None => self.with_key("discard", dict, key, vec![], span),
            [default] => self.with_key("pop_or", dict, key, vec![default.clone()], span),
            _ => {
                let headline = "`.pop` takes a key and a default";
                self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "too many arguments")
            }
        }
    }

    /// A function of the prelude with a dict among its arguments of which nothing is known: it may tell.
    pub(super) fn on_unknown_dict(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let given: Vec<Expr> = args.given().cloned().collect();
        if let [dict, other] = given.as_slice() {
            self.note_same(&dict.ty, &other.ty);
            self.note_same(&other.ty, &dict.ty);
        }
        Expr::new(ExprKind::Error, Ty::Never, span)
    }

    /// Learns that an empty dict or set holds what another value does.
    fn note_same(&mut self, empty: &Ty, other: &Ty) {
        let Ty::EmptyDict(_, container) = empty else { return };
        let held = match (other, item_type(other)) {
            (Ty::Dict(dict), _) if dict.is_set() == matches!(container, Container::Set) => {
                DictType { container: *container, ..(**dict).clone() }
            }
            (_, Some(key)) if matches!(container, Container::Set) && is_key(&key) => {
                DictType { key, value: Ty::None, container: *container }
            }
            _ => return,
        };
        self.note_contents(empty, &Ty::Dict(Box::new(held)));
    }

    // ---- as wholes ----

    /// `len(d)`.
    pub(super) fn dict_length(&mut self, dict: Expr, span: Span) -> Expr {
        let dict = match dict.ty.clone() {
            Ty::DictView(ty, _) => Expr { ty: Ty::Dict(ty), ..dict },
            _ => dict,
        };
        match dict.ty {
            Ty::Dict(_) => self.prelude_call(FILE, "length", vec![dict], span),
            _ => Expr::int(0, span),
        }
    }

    /// The keys, or what a view shows, as a new list; anything else as it is.
    pub(super) fn listed(&mut self, value: Expr) -> Expr {
        let (ty, view) = match value.ty.clone() {
            Ty::Dict(ty) => (ty, View::Keys),
            Ty::DictView(ty, view) => (ty, view),
            Ty::EmptyDict(at, _) => return Expr::new(ExprKind::Error, Ty::EmptyList(at), value.span),
            _ => return value,
        };
        let span = value.span;
        let item = ty.item(view);
        if item.scalar().is_none() {
            let headline = format!("a list of {item} is not supported yet");
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
                .primary(span, format!("the {} of {ty}", view.name()))
                .help("iterate over them, and keep the numbers of each in lists of their own");
            return self.fail(diagnostic);
        }
        let function = if view == View::Keys { "keys_of" } else { "values_of" };
        let dict = Expr { ty: Ty::Dict(ty), ..value };
        self.prelude_call(FILE, function, vec![dict], span)
    }

    /// `max(d, key=d.get)`, `min(d, key=d.get)`; other keys are refused.
    pub(super) fn by_key(
        &mut self,
        builtin: Builtin,
        arg: &ast::Expr,
        key: &ast::Keyword,
        keywords: usize,
        span: Span,
    ) -> Expr {
        let function = if builtin == Builtin::Max { "greatest_key" } else { "least_key" };
        if let (ast::ExprKind::Attribute { value, attr }, 1) = (&key.value.kind, keywords)
            && builtin != Builtin::Sorted
            && catalogue::find(Space::Dict, &attr.name)
                .is_some_and(|found| found.entry.algebra == Algebra::Builtin(Builtin::Dict(DictOp::Get)))
            && super::pfor::same(arg, value)
        {
            let dict = self.expr(arg);
            match &dict.ty {
                Ty::Dict(ty) if ty.value.scalar().is_some_and(|num| !num.dtype.is_complex()) => {
                    return self.prelude_call(FILE, function, vec![dict], span);
                }
                Ty::EmptyDict(_, container) => return self.unknown_dict(span, *container),
                ty if ty.is_silent() => return dict,
                _ => {}
            }
        }
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, "`key=` is not supported yet")
            .primary(key.name.span, "not supported yet")
            .help("compute the keys in an array, and index by `np.argsort(keys, kind=\"stable\")` or `np.argmax(keys)`");
        self.fail(diagnostic)
    }

    /// `item in d`.
    pub(super) fn in_dict(&mut self, item: Expr, container: Expr, span: Span) -> Expr {
        match container.ty.clone() {
            Ty::EmptyDict(..) => Expr::bool(false, span),
            Ty::DictView(ty, View::Keys) => {
                let dict = Expr { ty: Ty::Dict(ty), ..container };
                self.with_key("contains", dict, item, vec![], span)
            }
            Ty::DictView(..) => {
                let list = self.listed(container);
                self.prelude_call("sequence", "contains", vec![list, item], span)
            }
            _ => self.with_key("contains", container, item, vec![], span),
        }
    }

    /// `a == b` and, of sets, `a <= b`; None for other operands.
    pub(super) fn compare_dicts(
        &mut self,
        op: CompareOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        if !is_dict(&left.ty) || !is_dict(&right.ty) {
            return None;
        }
        if let Ty::EmptyDict(..) = left.ty {
            self.note_same(&left.ty, &right.ty);
            return Some(Expr::bool(false, span));
        }
        if let Ty::EmptyDict(..) = right.ty {
            self.note_same(&right.ty, &left.ty);
            return Some(Expr::bool(false, span));
        }
        let (a, b) = (left.ty.dict_type()?, right.ty.dict_type()?);
        let sets = a.is_set() && b.is_set();
        if a.is_set() != b.is_set() {
            return match op {
                CompareOp::Eq => Some(Expr::bool(false, span)),
                CompareOp::NotEq => Some(Expr::bool(true, span)),
                _ => None,
            };
        }
        let (function, swapped) = match op {
            CompareOp::Eq | CompareOp::NotEq if sets => ("same_items", false),
            CompareOp::Eq | CompareOp::NotEq => ("equal", false),
            CompareOp::LtEq if sets => ("is_subset", false),
            CompareOp::GtEq if sets => ("is_subset", true),
            CompareOp::Lt if sets => ("is_proper_subset", false),
            CompareOp::Gt if sets => ("is_proper_subset", true),
            _ => return None,
        };
        let args =
            if swapped { vec![right.clone(), left.clone()] } else { vec![left.clone(), right.clone()] };
        let result = self.prelude_call(FILE, function, args, span);
        Some(if op == CompareOp::NotEq && !result.ty.is_silent() { Self::not(result) } else { result })
    }

    /// `a | b` and its like; None for other operands.
    pub(super) fn dict_operator(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        if !is_dict(&left.ty) || !is_dict(&right.ty) {
            return None;
        }
        if matches!(left.ty, Ty::EmptyDict(..)) || matches!(right.ty, Ty::EmptyDict(..)) {
            self.note_same(&left.ty, &right.ty);
            self.note_same(&right.ty, &left.ty);
            return Some(Expr::new(ExprKind::Error, Ty::Never, span));
        }
        let sets = left.ty.dict_type()?.is_set() && right.ty.dict_type()?.is_set();
        let dicts = !left.ty.dict_type()?.is_set() && !right.ty.dict_type()?.is_set();
        let function = match op {
            BinaryOp::BitOr if dicts => "merged",
            BinaryOp::BitOr if sets => "union",
            BinaryOp::BitAnd if sets => "intersection",
            BinaryOp::Sub if sets => "difference",
            BinaryOp::BitXor if sets => "symmetric_difference",
            _ => return None,
        };
        Some(self.prelude_call(FILE, function, vec![left.clone(), right.clone()], span))
    }

    /// `d op= other`.
    pub(super) fn change_dict(&mut self, dict: Expr, op: BinaryOp, other: Expr, span: Span) {
        if matches!(dict.ty, Ty::EmptyDict(..)) || matches!(other.ty, Ty::EmptyDict(..)) {
            self.note_same(&dict.ty, &other.ty);
            return self.note_same(&other.ty, &dict.ty);
        }
        let sets = [&dict, &other].iter().all(|e| e.ty.dict_type().is_some_and(DictType::is_set));
        let dicts = [&dict, &other].iter().all(|e| e.ty.dict_type().is_some_and(|ty| !ty.is_set()));
        let function = match op {
            BinaryOp::BitOr if dicts => "update",
            BinaryOp::BitOr if sets => "extend",
            BinaryOp::BitAnd if sets => "keep_only",
            BinaryOp::Sub if sets => "take_out",
            BinaryOp::BitXor if sets => "toggle",
            _ if other.ty.is_silent() => return,
            _ => {
                let symbol = format!("{}=", op.symbol());
                self.bad_operands(&symbol, &dict, &other, span);
                return;
            }
        };
        let change = self.prelude_call(FILE, function, vec![dict, other], span);
        if !change.ty.is_silent() {
            self.push(StmtKind::Eval(change), span);
        }
    }
}

/// What an iterable's items are, as far as they are all of one type.
pub fn item_type(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::List(num) => Some(Ty::Scalar(*num)),
        Ty::Array { dtype, rank: 1 } => Some(Ty::strong(*dtype)),
        Ty::Range => Some(Ty::INT),
        Ty::Dict(dict) => Some(dict.key.clone()),
        Ty::DictView(dict, view) => Some(dict.item(*view)),
        _ => None,
    }
}

/// Whether evaluating an expression may change a dict: it calls something that does more than compute.
fn may_change_dicts(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(..) | ExprKind::Seq(..) => true,
        ExprKind::Op(_, parts) | ExprKind::Tuple(parts) => parts.iter().any(may_change_dicts),
        ExprKind::If(parts) | ExprKind::Range(parts) => parts.iter().any(may_change_dicts),
        ExprKind::Item(part, _) => may_change_dicts(part),
        _ => false,
    }
}
