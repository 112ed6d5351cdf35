//! `key=` of `sorted`, `min`, `max` and `.sort`: the key of each item is computed into a list first.
//!
//! `sorted(xs, key=lambda x: f(x))` orders a copy of `xs` by `[f(x) for x in copy]`, as CPython does, which calls the
//! function once for each item. A function by name is called like that: `key=f` is `key=lambda x: f(x)`.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, Clause, Ident, Keyword};
use crate::typed::containers::list_ops::is_list;
use crate::typed::expressions::comprehension::{LIST, Parts};
use crate::typed::flow::infer::Infer;
use crate::typed::flow::pfor;
use crate::typed::program::tree::{Expr, Stmt, StmtKind};
use crate::typed::types::dict_type::numbers;
use pydd_ir::catalogue::{self, Algebra, Builtin, DictOp, HeapOp, Space};

const FILE: &str = "sequence";

/// The item of which a function by name gives the key, and the item of a list made of `zip(…)`.
const ITEM: &str = "item of […]";

/// The names that keys, and lists made of `zip` and its like, bind, by their places.
pub fn hidden_names(expr: &ast::Expr, names: &mut Vec<(Span, String)>) {
    let ast::ExprKind::Call { args, keywords, .. } = &expr.kind else { return };
    let keys = keywords.iter().filter(|keyword| keyword.name.name == "key").map(|keyword| &keyword.value);
    for key in keys {
        names.extend([LIST, ITEM].map(|name| (key.span, name.to_owned())));
        if let ast::ExprKind::Lambda { params, .. } = &key.kind {
            names.extend(params.iter().map(|param| (key.span, param.name.clone())));
        }
    }
    let calls = args.iter().filter(|arg| matches!(arg.kind, ast::ExprKind::Call { .. }));
    names.extend(calls.flat_map(|arg| [LIST, ITEM].map(|name| (arg.span, name.to_owned()))));
}

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
            (Builtin::Heap(op @ (HeapOp::NLargest | HeapOp::NSmallest)), [count, arg]) => {
                let mut before = Vec::new();
                let count = self.integer(count);
                let count = self.once(count, &mut before);
                let wanted = if op == HeapOp::NLargest { Wanted::Last(count) } else { Wanted::First(count) };
                let found = self.by_key(wanted, arg, keywords, span);
                Some(if found.ty.is_silent() { found } else { Self::seq(before, found) })
            }
            (_, [arg]) => Some(self.by_key(Wanted::of(builtin)?, arg, keywords, span)),
            (Builtin::Min | Builtin::Max, [_, _, ..]) => {
                let kind = ast::ExprKind::List(args.to_vec());
                let list = ast::Expr { id: ast::ExprId(0), span, kind };
                Some(self.by_key(Wanted::of(builtin)?, &list, keywords, span))
            }
            _ => None,
        }
    }

    /// `sorted(values, key=…)` and its like.
    pub(in crate::typed) fn by_key(
        &mut self,
        wanted: Wanted,
        arg: &ast::Expr,
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let named = |name: &str| keywords.iter().find(|keyword| keyword.name.name == name);
        let (Some(key), reverse) = (named("key"), named("reverse")) else { return Expr::error(span) };
        let known = |name: &str| name == "key" || name == "reverse" && matches!(wanted, Wanted::Sorted);
        if let Some(other) = keywords.iter().find(|keyword| !known(&keyword.name.name)) {
            let headline = format!("`{}=` together with `key=` is not supported yet", other.name.name);
            return self.error(code::UNSUPPORTED_YET, other.name.span, headline, "");
        }
        if let Some(extreme) = self.extreme_of_dict(&wanted, arg, keywords, span) {
            return extreme;
        }
        let values = match self.iterated(arg) {
            Some(list) => list,
            None => self.expr(arg),
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
        let of_dict = self.is_get_of(&key.value, arg);
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
        let name = |name: &str| ast::Expr {
            id: ast::ExprId(0),
            span: key.span,
            kind: ast::ExprKind::Name(name.to_owned()),
        };
        let made = |kind| ast::Expr { id: ast::ExprId(0), span: key.span, kind };
        let (item, body) = match &key.kind {
            // A copy, since sorting moves keys and items.
            ast::ExprKind::None => return self.list_of(list.clone(), key.span),
            ast::ExprKind::Lambda { params, body } => match params.as_slice() {
                [Ident { name, .. }] => (name.as_str(), (**body).clone()),
                _ => {
                    let headline = "the function of `key=` takes one argument: an item";
                    return self.error(code::WRONG_ARGUMENT_COUNT, key.span, headline, "");
                }
            },
            ast::ExprKind::Attribute { value, attr } if of_dict || attr.name == "__getitem__" => {
                let indices = vec![name(ITEM)];
                let item = ast::ExprKind::Subscript { value: value.clone(), indices, tuple: false };
                (ITEM, made(item))
            }
            ast::ExprKind::Attribute { value, .. } if self.static_module(value).is_none() => {
                return self.not_a_key_function(key);
            }
            ast::ExprKind::Name(_) | ast::ExprKind::Attribute { .. } => {
                let func = Box::new(key.clone());
                (ITEM, made(ast::ExprKind::Call { func, args: vec![name(ITEM)], keywords: Vec::new() }))
            }
            _ => return self.not_a_key_function(key),
        };
        let clause = Clause { target: name(item), iter: name(item), conditions: Vec::new() };
        let list = Some(list.clone());
        let keys = self.comprehension(&Parts::of_list(&body, std::slice::from_ref(&clause), list, key.span));
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
        let item =
            ast::Expr { id: ast::ExprId(0), span: arg.span, kind: ast::ExprKind::Name(ITEM.to_owned()) };
        let clause = Clause { target: item.clone(), iter: arg.clone(), conditions: Vec::new() };
        Some(self.comprehension(&Parts::of_list(&item, std::slice::from_ref(&clause), None, arg.span)))
    }
}
