//! `key=` of `sorted`, `min`, `max` and `.sort`: the key of each item is computed into a list first.
//!
//! `sorted(xs, key=lambda x: f(x))` orders a copy of `xs` by `[f(x) for x in copy]`, as CPython does, which calls the
//! function once for each item. A function by name is called like that: `key=f` is `key=lambda x: f(x)`.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, Ident, Keyword};
use crate::typed::containers::list_ops::is_list;
use crate::typed::flow::hidden::{Hidden, Shadowed};
use crate::typed::flow::infer::Infer;
use crate::typed::flow::iterate::Iteration;
use crate::typed::flow::loops::Place;
use crate::typed::flow::pfor;
use crate::typed::program::tree::{Expr, Stmt, StmtKind};
use crate::typed::types::dict_type::numbers;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::{self, Algebra, Builtin, DictOp, HeapOp, Space};

const FILE: &str = "sequence";

/// What is wanted by a key.
pub enum Wanted {
    Least,
    Greatest,
    Sorted,
    /// So many of the least ones, in ascending order.
    First(Expr),
    /// So many of the greatest ones, in descending order.
    Last(Expr),
}

impl Wanted {
    /// What a function wants that has a parameter `key`.
    pub const fn of(builtin: Builtin) -> Option<Self> {
        match builtin {
            Builtin::Min => Some(Self::Least),
            Builtin::Max => Some(Self::Greatest),
            Builtin::Sorted => Some(Self::Sorted),
            _ => None,
        }
    }
}

impl Infer<'_, '_> {
    /// A call with `key=`; None of functions that take none.
    pub(in crate::typed) fn with_key_function(
        &mut self,
        builtin: Builtin,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Option<Expr> {
        match (builtin, args) {
            (Builtin::Heap(op @ (HeapOp::NLargest | HeapOp::NSmallest)), [count, over]) => {
                let mut before = Vec::new();
                let count = self.integer(count);
                let count = self.once(count, &mut before);
                let wanted = if op == HeapOp::NLargest { Wanted::Last(count) } else { Wanted::First(count) };
                let found = self.by_key(wanted, std::slice::from_ref(over), keywords, span);
                Some(if found.ty.is_silent() { found } else { Self::seq(before, found) })
            }
            (_, [_]) | (Builtin::Min | Builtin::Max, [_, _, ..]) => {
                Some(self.by_key(Wanted::of(builtin)?, args, keywords, span))
            }
            _ => None,
        }
    }

    /// `sorted(values, key=…)` and its like, of what one argument goes over or of several.
    fn by_key(&mut self, wanted: Wanted, args: &[ast::Expr], keywords: &[Keyword], span: Span) -> Expr {
        let named = |name: &str| keywords.iter().find(|keyword| keyword.name.name == name);
        let (Some(key), reverse) = (named("key"), named("reverse")) else { return Expr::error(span) };
        let known = |name: &str| name == "key" || name == "reverse" && matches!(wanted, Wanted::Sorted);
        if let Some(other) = keywords.iter().find(|keyword| !known(&keyword.name.name)) {
            let headline = format!("`{}=` together with `key=` is not supported yet", other.name.name);
            return self.error(code::UNSUPPORTED_YET, other.name.span, headline, "");
        }
        let values = match args {
            [arg] => {
                if let Some(extreme) = self.extreme_of_dict(&wanted, arg, keywords, span) {
                    return extreme;
                }
                match self.iterated(arg) {
                    Some(list) => list,
                    None => self.expr(arg),
                }
            }
            several => self.list(several, None, span),
        };
        let values = self.listed(values);
        let only_read = matches!(wanted, Wanted::Least | Wanted::Greatest) && is_list(&values.ty);
        let list = if only_read { values } else { self.list_of(values, span) };
        if list.ty.is_silent() {
            return list;
        }
        let reverse = match reverse {
            Some(reverse) => {
                let value = self.expr(&reverse.value);
                self.truth(value)
            }
            None => Expr::bool(matches!(wanted, Wanted::Last(_)), span),
        };
        let mut before = Vec::new();
        let list = self.once(list, &mut before);
        let of_dict = matches!(args, [arg] if self.is_get_of(&key.value, arg));
        let keys = self.keys_of_items(&list, &key.value, of_dict);
        if keys.ty.is_silent() || !self.are_ordered(&keys, key.value.span) {
            return Expr::silent([&keys], span);
        }
        let function = match wanted {
            Wanted::Least => "least_by",
            Wanted::Greatest => "greatest_by",
            _ => {
                let sort = self.prelude_call(FILE, "sort_by", vec![list.clone(), keys, reverse], span);
                if sort.ty.is_silent() {
                    return sort;
                }
                before.push(Stmt::new(StmtKind::Eval(sort), span));
                let result = match wanted {
                    Wanted::First(count) | Wanted::Last(count) => self.first_items(list, count, span),
                    _ => list,
                };
                return Self::seq(before, result);
            }
        };
        let found = self.prelude_call(FILE, function, vec![list, keys], span);
        if found.ty.is_silent() { found } else { Self::seq(before, found) }
    }

    /// `list.sort(key=…, reverse=…)`.
    pub(in crate::typed) fn sort_by_key(
        &mut self,
        list: Expr,
        key: &ast::Expr,
        reverse: Expr,
        span: Span,
    ) -> Expr {
        let reverse = self.truth(reverse);
        let mut before = Vec::new();
        let list = self.once(list, &mut before);
        let keys = self.keys_of_items(&list, key, false);
        if keys.ty.is_silent() || !self.are_ordered(&keys, key.span) {
            return Expr::silent([&keys], span);
        }
        let sorted = self.prelude_call(FILE, "sort_by", vec![list, keys, reverse], span);
        if sorted.ty.is_silent() { sorted } else { Self::seq(before, sorted) }
    }

    /// The keys of a list's items, as a new list.
    fn keys_of_items(&mut self, list: &Expr, key: &ast::Expr, of_dict: bool) -> Expr {
        if list.ty.list_item().is_none() {
            return self.unknown_items(list.span, "list");
        }
        let at = key.span;
        // What the item is called, and how a key is made of it.
        let (item, of_item): (Hidden, &dyn Fn(&mut Self, Expr) -> Expr) = match &key.kind {
            // A copy, since sorting moves keys and items.
            ast::ExprKind::None => return self.list_of(list.clone(), at),
            ast::ExprKind::Lambda { params, body } => match params.as_slice() {
                [Ident { name, .. }] => (Hidden::Named(name.clone()), &|s, _| s.expr(body)),
                _ => {
                    let headline = "the function of `key=` takes one argument: an item";
                    return self.error(code::WRONG_ARGUMENT_COUNT, at, headline, "");
                }
            },
            ast::ExprKind::Attribute { value, attr } if of_dict || attr.name == "__getitem__" => {
                (Hidden::Item, &|s, item| s.subscript_by(value, item, at))
            }
            ast::ExprKind::Attribute { value, .. } if self.static_module(value).is_none() => {
                return self.not_a_key_function(key);
            }
            ast::ExprKind::Name(_) | ast::ExprKind::Attribute { .. } => {
                (Hidden::Item, &|s, item| s.call_on(key, vec![item], &[], &[], at))
            }
            ast::ExprKind::Call { func, .. } if self.builtin_named(func) == Some(Builtin::ItemGetter) => {
                (Hidden::Item, &|s, item| s.call_on(key, vec![item], &[], &[], at))
            }
            _ => return self.not_a_key_function(key),
        };
        let outer = match &item {
            Hidden::Named(name) => self.shadow(at, [name.as_str()]),
            _ => Shadowed::new(),
        };
        let place = Place { whole: at, over: at };
        let keys = self.list_over(place, &mut |_| Ok(Iteration::Growing(list.clone())), item, of_item);
        self.unshadow(outer);
        // What is no key was reported.
        if keys.ty.list_item().is_none() { Expr::error(key.span) } else { keys }
    }

    fn not_a_key_function(&mut self, key: &ast::Expr) -> Expr {
        let (label, help) = match self.is_get(key) {
            true => ("may give None", "write a lambda: `key=lambda x: d[x]`"),
            false => ("not a lambda, and no function by name", "write a lambda, as in `key=lambda t: t[1]`"),
        };
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, "this `key=` is not supported yet")
            .primary(key.span, label)
            .help(help);
        self.fail(diagnostic)
    }

    /// Whether keys can be compared, which complex numbers cannot.
    pub(in crate::typed) fn are_ordered(&mut self, keys: &Expr, at: Span) -> bool {
        if self.are_arrays(keys, at) {
            return false;
        }
        if keys.ty.holds_dicts() {
            let headline = format!("the items of {} have no order", keys.ty);
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
                .primary(at, "this puts them in order")
                .help("put numbers of them in order, as in `key=len`");
            self.report(diagnostic);
            return false;
        }
        let complex =
            keys.ty.list_item().is_some_and(|item| numbers(&item).iter().any(|num| num.dtype.is_complex()));
        if complex {
            self.error(code::COMPLEX_ORDER, at, "complex numbers have no order", "not ordered");
        }
        !complex
    }

    /// `d.get`.
    pub(in crate::typed) fn is_get(&self, key: &ast::Expr) -> bool {
        let ast::ExprKind::Attribute { value, attr } = &key.kind else { return false };
        self.static_module(value).is_none()
            && catalogue::find(Space::Dict, &attr.name)
                .is_some_and(|found| found.entry.algebra == Algebra::Builtin(Builtin::Dict(DictOp::Get)))
    }

    /// `d.get` of the dict itself, where no key is missing.
    fn is_get_of(&self, key: &ast::Expr, dict: &ast::Expr) -> bool {
        let ast::ExprKind::Attribute { value, .. } = &key.kind else { return false };
        self.is_get(key) && pfor::same(dict, value)
    }

    /// A new list of what `zip(…)`, `enumerate(…)` and their like give; None for other expressions.
    pub(in crate::typed) fn iterated(&mut self, arg: &ast::Expr) -> Option<Expr> {
        if !self.is_iterator(arg) {
            return None;
        }
        let at = Place { whole: arg.span, over: arg.span };
        Some(self.list_over(at, &mut |s| s.iteration(arg), Hidden::Item, &|_, item| item))
    }

    /// A new list of what is made of each item; `over` says what is gone over.
    fn list_over(
        &mut self,
        at: Place,
        over: &mut dyn FnMut(&mut Self) -> Result<Iteration, Ty>,
        item: Hidden,
        of_item: &dyn Fn(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let span = at.whole;
        self.gathering(span, None, &mut |s| {
            s.list_of_elements(span, &mut |s, list| {
                let iteration = over(s);
                let variable = s.hidden(span, item.clone());
                s.for_each(at, span, iteration, &mut |s, value| {
                    s.assign_name(variable, value, span);
                    let value = s.variable(variable, span);
                    let value = of_item(s, value);
                    let value = s.checked(value, span);
                    let value = s.settle(value);
                    s.append_to(list, value, span);
                });
                s.unbind(variable);
            })
        })
    }
}
