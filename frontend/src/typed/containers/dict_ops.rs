//! Dicts and sets in a program: displays, constructors, items. What they do is written in the prelude.

use super::dicts::FILE;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp};
use crate::typed::flow::infer::Infer;
use crate::typed::flow::pfor::is_changed_in_place;
use crate::typed::library::Arguments;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::program::visit::{self, Visitor};
use crate::typed::types::dict_type::{Container, DictType, Missing, is_item, is_key};
use crate::typed::types::promote::{self, same_kind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{Builtin, DictOp};
use pydd_ir::{DType, ElemOp, Exc};

pub const fn is_dict(ty: &Ty) -> bool {
    matches!(ty, Ty::Dict(_) | Ty::EmptyDict(..))
}

impl Infer<'_, '_> {
    // ---- displays and constructors ----

    /// `{k: v, …}` and `{x, …}`, which has no values; of the type asked for, if there is one.
    pub(in crate::typed) fn dict_display(
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
            if let Some(value) = value.as_ref().filter(|value| !is_item(&value.ty)) {
                return self.not_a_value(value);
            }
            let value_ty = value.as_ref().map_or(Ty::None, |value| value.ty.clone());
            let own = DictType { key: key.ty.clone(), value: value_ty, container };
            held = match held {
                None => Some(own),
                Some(so_far) => match so_far.joined(&own, |a, b| self.meet_items(a, b)) {
                    Some(joined) => Some(joined),
                    None => {
                        let before = typed.first().map(|(key, _): &(Expr, Option<Expr>)| key.span);
                        return self.mixed_display((&so_far, before), (&own, key.span), container);
                    }
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

    fn mixed_display(
        &mut self,
        (first, before): (&DictType, Option<Span>),
        (other, at): (&DictType, Span),
        container: Container,
    ) -> Expr {
        let noun = container.noun();
        let headline = format!("the items of this {noun} have no type in common");
        let mut diagnostic =
            Diagnostic::error(code::NO_COMMON_TYPE, headline).primary(at, format!("makes it {other}"));
        if let Some(before) = before {
            diagnostic = diagnostic.secondary(before, format!("makes it {first}"));
        }
        self.fail(diagnostic.help(format!("use a {noun} for each")))
    }

    /// `dict()`, `dict(d)`.
    pub(in crate::typed) fn dict_of(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(from) = args.optional(0) else { return self.empty_dict(Container::Dict, span) };
        match &from.ty {
            Ty::Dict(dict) if !dict.is_set() => {
                let plain = DictType { container: Container::Dict, ..(**dict).clone() };
                let copy = self.prelude_call(FILE, "copied", vec![from], span);
                if copy.ty.is_silent() { copy } else { Expr { ty: Ty::Dict(Box::new(plain)), ..copy } }
            }
            Ty::EmptyDict(..) => from,
            Ty::EmptyList(_) => self.empty_dict(Container::Dict, span),
            Ty::Tuples(items) if matches!(items.as_slice(), [key, value] if is_key(key) && is_item(value)) => {
                let (key, value) = (items[0].clone(), items[1].clone());
                let ty = DictType { key, value, container: Container::Dict };
                self.filled_dict(&ty, "store_pairs", from, span)
            }
            other => {
                let headline = format!("a dict of the items of {other}");
                self.later_expr(span, &headline)
            }
        }
    }

    /// What `defaultdict` gives that is made with this: `list`, `dict`, `set`, `lambda: []`, `lambda: defaultdict(int)` and their like; None of
    /// others, as types of numbers.
    pub(in crate::typed) fn missing_of(&mut self, factory: &ast::Expr) -> Option<Missing> {
        let body = match &factory.kind {
            ast::ExprKind::Lambda { params, body } if params.is_empty() => body,
            ast::ExprKind::Lambda { .. } => return None,
            _ => return Self::empty_of(self.builtin_named(factory)?),
        };
        match &body.kind {
            ast::ExprKind::Int(0) => Some(Missing::Zero(Num::INT)),
            ast::ExprKind::Float(zero) if *zero == 0.0 && !zero.is_sign_negative() => {
                Some(Missing::Zero(Num::FLOAT))
            }
            ast::ExprKind::Bool(false) => Some(Missing::Zero(Num::BOOL)),
            ast::ExprKind::List(items) if items.is_empty() => Some(Missing::List),
            ast::ExprKind::Dict(items) if items.is_empty() => Some(Missing::Dict),
            ast::ExprKind::Call { func, args, keywords } if keywords.is_empty() => {
                match (self.builtin_named(func)?, args.as_slice()) {
                    (Builtin::Dict(DictOp::DefaultDict), [inner]) => match self.missing_of(inner) {
                        Some(Missing::List) => Some(Missing::Lists),
                        Some(Missing::Zero(num)) => Some(Missing::Zeros(num)),
                        Some(_) => None,
                        None => self.expr(inner).ty.named_type().map(Missing::Zeros),
                    },
                    (builtin, []) => Self::empty_of(builtin),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What calling this without arguments gives.
    const fn empty_of(builtin: Builtin) -> Option<Missing> {
        match builtin {
            Builtin::List | Builtin::Deque => Some(Missing::List),
            Builtin::Dict(DictOp::Dict) => Some(Missing::Dict),
            Builtin::Dict(DictOp::Set) => Some(Missing::Set),
            _ => None,
        }
    }

    /// `Counter()`, `Counter(values)`, `Counter(d)`.
    pub(in crate::typed) fn counter_of(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(from) = args.optional(0) else { return self.empty_dict(Container::Counter, span) };
        if let Ty::EmptyList(_) | Ty::EmptyDict(..) = from.ty {
            return self.empty_dict(Container::Counter, span);
        }
        let held = match (&from.ty, item_type(&from.ty)) {
            (Ty::Dict(dict), _) if !dict.is_set() => (dict.key.clone(), dict.value.clone()),
            (_, Some(key)) if is_key(&key) => (key, Ty::INT),
            _ => return self.later_expr(span, &format!("a Counter of the items of {}", from.ty)),
        };
        let (key, value) = held;
        let counter = DictType { key, value, container: Container::Counter };
        self.filled_dict(&counter, "update", from, span)
    }

    /// A new dict or set that a function of the prelude puts something into.
    fn filled_dict(&mut self, ty: &DictType, function: &str, from: Expr, span: Span) -> Expr {
        let mut stmts = Vec::new();
        let from = self.once(from, &mut stmts);
        let made = self.new_dict(ty, span);
        let made = self.once(made, &mut stmts);
        let filled = self.prelude_call(FILE, function, vec![made.clone(), from], span);
        if filled.ty.is_silent() {
            return filled;
        }
        stmts.push(Stmt::new(StmtKind::Eval(filled), span));
        Self::seq(stmts, made)
    }

    /// `set()`, `set(values)`.
    pub(in crate::typed) fn set_of(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(from) = args.optional(0) else { return self.empty_dict(Container::Set, span) };
        if let Ty::EmptyList(_) | Ty::EmptyDict(..) = from.ty {
            return self.empty_dict(Container::Set, span);
        }
        let key = match (item_type(&from.ty), &from.ty) {
            (Some(key), _) if is_key(&key) => key,
            (None, Ty::Tuple(items)) if !from.ty.is_silent() && !items.is_empty() => {
                match items[1..].iter().try_fold(items[0].clone(), |met, item| self.meet_items(&met, item)) {
                    Some(key) if is_key(&key) => key,
                    _ => return self.later_expr(span, &format!("a set of the items of {}", from.ty)),
                }
            }
            _ => return self.later_expr(span, &format!("a set of the items of {}", from.ty)),
        };
        self.filled_dict(&DictType { key, value: Ty::None, container: Container::Set }, "extend", from, span)
    }

    // ---- items ----

    /// What stands between the brackets of `d[…]`.
    pub(in crate::typed) fn key_of(&mut self, indices: &[ast::Expr], span: Span) -> Expr {
        match indices {
            [key] => self.expr(key),
            all => {
                let items = all.iter().map(|item| self.expr(item)).collect();
                Self::tuple(items, span)
            }
        }
    }

    /// A value as a key of a dict, where that is the same number.
    pub(in crate::typed) fn as_key(&mut self, key: Expr, ty: &Ty) -> Expr {
        match (ty, &key.ty) {
            _ if key.ty.is_silent() => key,
            (Ty::Scalar(to), Ty::Scalar(from)) if from.dtype.is_int() && to.dtype.is_int() => {
                self.integer_key(key, *to)
            }
            (Ty::Scalar(to), Ty::Scalar(from)) if same_kind(Num::weak(from.dtype), to.dtype) => {
                if from.dtype.is_float() && from.dtype != to.dtype && to.dtype == DType::F32 {
                    return self.float_key(key, *to);
                }
                self.exact(key, *to)
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

    /// A float in the narrower type of keys; OverflowError where that does not hold it.
    fn float_key(&mut self, key: Expr, to: Num) -> Expr {
        let (Some(from), span) = (key.ty.scalar(), key.span) else { return key };
        let mut before = Vec::new();
        let key = self.once(key, &mut before);
        let narrow = self.convert(key.clone(), to);
        let narrow = self.once(narrow, &mut before);
        let back = self.convert(narrow.clone(), from);
        let same = Self::elem(ElemOp::Eq, vec![back, key.clone()], true, span);
        let nan = Self::elem(ElemOp::Ne, vec![key.clone(), key], true, span);
        let fits = Self::elem(ElemOp::Or, vec![same, nan], true, span);
        let message = format!("this float is none of {}, the type of the keys", to.dtype.numpy_name());
        before.push(Self::check(fits, Exc::OverflowError, &message, vec![], span));
        Self::seq(before, narrow)
    }

    /// An integer in the type of keys; OverflowError where that does not hold it.
    fn integer_key(&mut self, key: Expr, to: Num) -> Expr {
        let (Some(from), span) = (key.ty.scalar(), key.span) else { return key };
        let (least, greatest) = promote::int_range(to.dtype);
        let (own_least, own_greatest) = promote::int_range(from.dtype);
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
    pub(in crate::typed) fn with_key(
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
    pub(in crate::typed) fn dict_item(&mut self, dict: Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let key = self.key_of(indices, span);
        self.dict_item_by(dict, key, span)
    }

    /// The value of a key.
    pub(in crate::typed) fn dict_item_by(&mut self, dict: Expr, key: Expr, span: Span) -> Expr {
        match dict.ty.clone() {
            Ty::EmptyDict(at, container) => match container.missing() {
                Some(missing) => {
                    let value = Expr::new(ExprKind::Error, missing.ty(at), span);
                    self.note_entry(&dict.ty, &key, Some(&value));
                    match missing {
                        Missing::Zero(_) => self.unknown_items(span, container.noun()),
                        _ => value,
                    }
                }
                None => self.unknown_items(span, container.noun()),
            },
            Ty::Dict(ty) if ty.is_set() => {
                let headline = "the items of a set have no numbers";
                let diagnostic = Diagnostic::error(code::NOT_INDEXABLE, headline)
                    .primary(dict.span, "this is a set")
                    .help("ask whether it has one: `x in s`");
                self.fail(diagnostic)
            }
            Ty::Dict(ty) if ty.is_counter() => {
                let zero = self.convert_to(Expr::int(0, span), &ty.value);
                self.with_key("item_or", dict, key, vec![zero], span)
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
        match ty.container.missing() {
            Some(Missing::Zero(_)) => {
                let zero = self.missing_value(&ty, span);
                self.with_key("entry_or_new", dict.clone(), key, vec![zero], span)
            }
            Some(_) => self.with_key("entry_or_missing", dict.clone(), key, vec![], span),
            _ => self.with_key("entry_of", dict.clone(), key, vec![], span),
        }
    }

    /// `d[key] = value`, `s.add(key)`, as an expression that gives None.
    pub(in crate::typed) fn store_item(
        &mut self,
        dict: &Expr,
        key: Expr,
        value: Option<Expr>,
        span: Span,
    ) -> Expr {
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
    pub(in crate::typed) fn augment_item(
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
        if is_changed_in_place(&old.ty) {
            return self.change_object(old, op, value, span);
        }
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
    pub(in crate::typed) fn delete(&mut self, target: &ast::Expr) {
        let span = target.span;
        let ast::ExprKind::Subscript { value: base, indices, .. } = &target.kind else {
            return self.later(span, "`del` of a variable");
        };
        let base = self.expr(base);
        let deleted = match (&base.ty, indices.as_slice()) {
            (Ty::Dict(dict), _) if !dict.is_set() => {
                let key = self.key_of(indices, span);
                // A Counter does not mind.
                let function = if dict.is_counter() { "discard" } else { "delete" };
                self.with_key(function, base, key, vec![], span)
            }
            (Ty::EmptyDict(..), _) => {
                self.key_of(indices, span);
                return;
            }
            (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_), [index])
                if !matches!(index.kind, ast::ExprKind::Slice { .. }) =>
            {
                let index = self.index(index);
                self.prelude_call("sequence", "delete_at", vec![base, index], span)
            }
            (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_), [slice]) => {
                let parts = self.slice_parts(slice);
                let args = std::iter::once(base).chain(parts).collect();
                self.prelude_call("sequence", "delete_part", args, span)
            }
            (Ty::EmptyList(_), _) => return,
            (ty, _) if ty.is_silent() => return,
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
}

/// What an iterable's items are, as far as they are all of one type.
pub fn item_type(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => ty.list_item(),
        Ty::Array { dtype, rank: 1 } => Some(Ty::strong(*dtype)),
        Ty::Range => Some(Ty::INT),
        Ty::Dict(dict) => Some(dict.key.clone()),
        Ty::DictView(dict, view) => Some(dict.item(*view)),
        _ => None,
    }
}

/// Whether evaluating an expression may change a dict: it calls something that does more than compute.
fn may_change_dicts(expr: &Expr) -> bool {
    let mut changes = Changes { found: false };
    changes.expr(expr);
    changes.found
}

/// See [`may_change_dicts`].
struct Changes {
    found: bool,
}

impl Visitor for Changes {
    fn expr(&mut self, expr: &Expr) {
        self.found |= matches!(expr.kind, ExprKind::Call(..) | ExprKind::Seq(..));
        if !self.found {
            visit::walk_expr(self, expr);
        }
    }
}
