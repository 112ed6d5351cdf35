//! Methods of dicts and sets.

use super::dict_ops::item_type;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::CompareOp;
use crate::typed::flow::infer::Infer;
use crate::typed::library::Arguments;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::dict_type::{Container, DictType, is_key};
use crate::typed::types::ty::Ty;
use pydd_ir::ElemOp;

impl Infer<'_, '_> {
    /// A method whose argument is an item of a set.
    pub(in crate::typed) fn on_item(&mut self, function: &str, args: &Arguments) -> Expr {
        let (set, item, span) = (args.value(0), args.value(1), args.span);
        match set.ty {
            Ty::EmptyDict(..) => {
                self.note_entry(&set.ty, &item, None);
                Expr::none(span)
            }
            _ => self.with_key(function, set, item, vec![], span),
        }
    }

    /// `d.get(key)`, which may be None.
    fn dict_get_or_none(&mut self, args: &Arguments, value: Ty) -> Expr {
        let (mut before, span) = (Vec::new(), args.span);
        let dict = self.once(args.value(0), &mut before);
        let key = self.once(args.value(1), &mut before);
        let is_there = self.compare(CompareOp::In, key.clone(), dict.clone(), span);
        if is_there.ty.is_silent() {
            return is_there;
        }
        let ty = Ty::Maybe(Box::new(value));
        let own = self.dict_item_by(dict, key, span);
        let (own, none) = (self.convert_to(own, &ty), self.convert_to(Expr::none(span), &ty));
        Self::seq(before, Self::choose(is_there, own, none, span))
    }

    /// `d.get(key, default)`.
    pub(in crate::typed) fn dict_get(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let Some(default) = args.optional(2) else {
            if let Ty::Dict(ty) = args.value(0).ty
                && ty.value.may_be_absent()
            {
                return self.dict_get_or_none(args, ty.value);
            }
            let diagnostic = Diagnostic::error(
                code::UNSUPPORTED_YET,
                "`.get` without a default, which may give None, is not supported yet",
            )
            .primary(span, "no default")
            .help("give one: `d.get(key, 0)`; or ask `if key in d` first");
            return self.fail(diagnostic);
        };
        let Ty::Dict(ty) = args.value(0).ty else { return Expr { span, ..default } };
        if self.meet_items(&ty.value, &default.ty).is_none() {
            let diagnostic = Diagnostic::error(code::NO_COMMON_TYPE, "the two values have no type in common")
                .primary(default.span, format!("this is {}", default.ty))
                .secondary(args.value(0).span, format!("this is {ty}"));
            return self.fail(diagnostic);
        }
        if default.ty != ty.value {
            return self.item_or_another_type(&ty, false, [args.value(0), args.value(1), default], span);
        }
        self.with_key("item_or", args.value(0), args.value(1), vec![default], span)
    }

    /// An entry's value, which is taken out or not, or a default of another type.
    fn item_or_another_type(
        &mut self,
        ty: &DictType,
        take: bool,
        [dict, key, default]: [Expr; 3],
        span: Span,
    ) -> Expr {
        let mut before = Vec::new();
        let [dict, key, default] = [dict, key, default].map(|value| self.once(value, &mut before));
        let entry = self.with_key("find", dict.clone(), key.clone(), vec![], span);
        if entry.ty.is_silent() {
            return entry;
        }
        let entry = self.once(entry, &mut before);
        let found = Self::elem(ElemOp::Ge, vec![entry.clone(), Expr::int(0, span)], true, span);
        let value = self.conditionally(|s| match take {
            true => s.with_key("pop", dict, key, vec![], span),
            false => s.entry_part(&dict, &ty.value, ty.key_columns(), entry, span),
        });
        let chosen = self.unify_and_choose(found, value, default, span);
        if chosen.ty.is_silent() { chosen } else { Self::seq(before, chosen) }
    }

    /// `d.setdefault(key, value)`.
    pub(in crate::typed) fn set_default(&mut self, args: &Arguments) -> Expr {
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
    pub(in crate::typed) fn dict_pop(&mut self, args: &Arguments) -> Expr {
        let (dict, key, span) = (args.value(0), args.value(1), args.span);
        if let Ty::EmptyDict(_, container) = dict.ty {
            return match args.rest.first() {
                Some(default) => Expr { span, ..default.clone() },
                None => self.unknown_items(span, container.noun()),
            };
        }
        match args.rest.as_slice() {
            [] => self.with_key("pop", dict, key, vec![], span),
            // What was there is lost, or nothing was: only as a statement.
            [default] if default.ty == Ty::None => self.with_key("discard", dict, key, vec![], span),
            [default] => match dict.ty.clone() {
                Ty::Dict(ty)
                    if ty.value != default.ty && self.meet_items(&ty.value, &default.ty).is_some() =>
                {
                    self.item_or_another_type(&ty, true, [dict, key, default.clone()], span)
                }
                _ => self.with_key("pop_or", dict, key, vec![default.clone()], span),
            },
            _ => {
                let headline = "`.pop` takes a key and a default";
                self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "too many arguments")
            }
        }
    }

    /// A function of the prelude with a dict among its arguments of which nothing is known: it may tell.
    pub(in crate::typed) fn on_unknown_dict(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let given: Vec<Expr> = args.given().cloned().collect();
        if let [dict, other] = given.as_slice() {
            self.note_same(&dict.ty, &other.ty);
            self.note_same(&other.ty, &dict.ty);
        }
        Expr::new(ExprKind::Error, Ty::Never, span)
    }

    /// Learns that an empty dict or set holds what another value does.
    pub(in crate::typed) fn note_same(&mut self, empty: &Ty, other: &Ty) {
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
}
