//! Lists as wholes: slices, sums, repetitions, methods. What they do is written in the prelude.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, Ident, Keyword};
use crate::typed::flow::infer::Infer;
use crate::typed::library::Arguments;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::dict_type::{is_of_numbers, same_layout};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::ListMethod;
use pydd_ir::{DType, OpKind};

const FILE: &str = "sequence";

pub const fn is_list(ty: &Ty) -> bool {
    matches!(ty, Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_))
}

/// Whether a list can be repeated so often.
fn is_count(times: &Expr) -> bool {
    times.ty.scalar().is_some_and(|num| num.dtype.is_int())
}

/// `*items`
pub fn is_starred(item: &ast::Expr) -> bool {
    matches!(item.kind, ast::ExprKind::Starred(_))
}

impl Infer<'_, '_> {
    /// `list.method(…)`, as `attr` names it.
    pub(in crate::typed) fn list_method(
        &mut self,
        list: Expr,
        method: ListMethod,
        attr: &Ident,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let value = |s: &mut Self, arg: &ast::Expr| match s.iterated(arg) {
            Some(list) => list,
            None => s.expr(arg),
        };
        let mut evaluated = values;
        evaluated.extend(args.iter().map(|arg| value(self, arg)));
        let mut args = evaluated;
        let mut reverse = None;
        let mut key = None;
        for keyword in keywords {
            match keyword.name.name.as_str() {
                "key" => key = Some(&keyword.value),
                "reverse" => reverse = Some(self.expr(&keyword.value)),
                _ => {
                    self.expr(&keyword.value);
                }
            }
        }
        let known = usize::from(reverse.is_some()) + usize::from(key.is_some());
        let plain = keywords.is_empty();
        let function = match (method, args.len()) {
            (ListMethod::Extend, 1) if plain => {
                let values = args.remove(0);
                return self.extend_list(list, values, span);
            }
            (ListMethod::Copy, 0) if plain => "copied",
            (ListMethod::Reverse, 0) if plain => "reverse",
            (ListMethod::Index, 1) if plain => "index_of",
            (ListMethod::Count, 1) if plain => "count",
            (ListMethod::Pop, 0) if plain => match list.ty {
                Ty::EmptyList(_) => "pop",
                _ => return self.pop_last(&list, span),
            },
            (ListMethod::Pop, 1) if plain => {
                let index = self.as_index(args.remove(0));
                args.push(index);
                "pop_at"
            }
            (ListMethod::Insert, 2) if plain => return self.insert(list, args, span),
            (ListMethod::Remove, 1) if plain => "remove",
            // Of deques, which are lists here.
            (ListMethod::PopLeft, 0) if plain => match list.ty {
                Ty::EmptyList(_) => "pop",
                _ => return self.pop_first(&list, span),
            },
            (ListMethod::AppendLeft, 1) if plain => {
                return self.put(&OpKind::ListPrepend, list, args.remove(0), span);
            }
            (ListMethod::ExtendLeft, 1) if plain => return self.extend_left(list, args.remove(0), span),
            (ListMethod::Rotate, 0) if plain => {
                args.push(Expr::int(1, span));
                "rotate"
            }
            (ListMethod::Rotate, 1) if plain => {
                let count = self.as_index(args.remove(0));
                args.push(count);
                "rotate"
            }
            (ListMethod::Clear, 0) if plain => match list.ty {
                Ty::EmptyList(_) => return Expr::none(span),
                _ => return self.truncate(&list, Expr::int(0, span), span),
            },
            (ListMethod::Sort, 0) if keywords.len() == known => {
                let reverse = reverse.unwrap_or_else(|| Expr::bool(false, span));
                return match key {
                    Some(key) => self.sort_by_key(list, key, reverse, span),
                    None => self.sort_list(list, reverse, span),
                };
            }
            _ => return self.later_expr(attr.span, &format!("`.{}` of a list", attr.name)),
        };
        if matches!(method, ListMethod::Index | ListMethod::Count | ListMethod::Remove)
            && self.are_arrays(&list, span)
        {
            return Expr::error(span);
        }
        let mut operands = vec![list];
        operands.append(&mut args);
        self.on_lists(function, operands, span)
    }

    /// Whether a list, which is to be compared, holds arrays; then that is reported.
    pub(in crate::typed) fn are_arrays(&mut self, list: &Expr, span: Span) -> bool {
        let arrays = list.ty.holds_arrays();
        if arrays {
            let diagnostic = Diagnostic::error(
                code::UNSUPPORTED_OPERAND,
                "arrays in a list have no truth to be compared by",
            )
            .primary(span, format!("this compares what {} holds", list.ty))
            .help("compare two arrays with `np.array_equal`");
            self.report(diagnostic);
        }
        arrays
    }

    /// `list.insert(index, value)`.
    fn insert(&mut self, list: Expr, mut args: Vec<Expr>, span: Span) -> Expr {
        let (Some(value), Some(index)) = (args.pop(), args.pop()) else { return Expr::error(span) };
        let item = match (list.ty.list_item(), Ty::list_of(&value.ty)) {
            (Some(item), _) => item,
            (None, Some(held)) => {
                self.note_contents(&list.ty.clone(), &held);
                return Expr::none(span);
            }
            _ => return self.not_an_item(&value),
        };
        let index = self.as_index(index);
        let value = self.declare(value, &item, list.span, "stored");
        self.on_lists("insert", vec![list, index, value], span)
    }

    /// `collections.deque(values)`: a list.
    pub(in crate::typed) fn deque(&mut self, args: &Arguments) -> Expr {
        if let Some(length) = args.optional(1) {
            let diagnostic =
                Diagnostic::error(code::UNSUPPORTED_YET, "`maxlen` of a deque is not supported yet")
                    .primary(length.span, "")
                    .help("make room before each `append`: `if len(d) == n: d.popleft()`");
            return self.fail(diagnostic);
        }
        match args.optional(0) {
            Some(values) => self.list_of(values, args.span),
            None => self.list(&[], None, args.span),
        }
    }

    /// `deque.extendleft(values)`.
    fn extend_left(&mut self, list: Expr, values: Expr, span: Span) -> Expr {
        if let Ty::EmptyList(_) = values.ty {
            return Expr::none(span);
        }
        let values = self.list_of(values, span);
        if let (Ty::EmptyList(_), true) = (&list.ty, is_list(&values.ty)) {
            self.note_contents(&list.ty, &values.ty);
            return Expr::none(span);
        }
        self.on_lists("extend_left", vec![list, values], span)
    }

    /// The error for what lists cannot hold.
    pub(in crate::typed) fn not_an_item(&mut self, value: &Expr) -> Expr {
        if value.ty.is_silent() {
            return Expr::silent([value], value.span);
        }
        let headline = format!("a list of {} is not supported yet", value.ty);
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
            .primary(value.span, "lists hold numbers, arrays, lists, dicts, sets, and tuples of these")
            .help(match value.ty {
                Ty::Tuple(_) => "one list for each item of the tuples holds the same",
                Ty::Array { .. } => {
                    "arrays in a list have axes: `x[()]` is the number that one without any holds"
                }
                _ => "use the rows of an array with one more axis, or a tuple, whose items may differ",
            });
        self.fail(diagnostic)
    }

    /// The error for a display of items that have no type in common.
    pub(in crate::typed) fn mixed_items(&mut self, before: &[Expr], value: &Expr) -> Expr {
        let headline = "the items of this list have no type in common";
        let mut diagnostic = Diagnostic::error(code::NO_COMMON_TYPE, headline)
            .primary(value.span, format!("this is {}", value.ty));
        // The one that it does not go with, not one of those between.
        let other = before.iter().find(|other| self.meet_items(&other.ty, &value.ty).is_none());
        if let Some(other) = other.or(before.first()) {
            diagnostic = diagnostic.secondary(other.span, format!("this is {}", other.ty));
        }
        self.fail(diagnostic.help("keep them apart in two lists, or in a tuple, whose items may differ"))
    }

    /// `list.sort(reverse=…)`.
    fn sort_list(&mut self, list: Expr, reverse: Expr, span: Span) -> Expr {
        if let Ty::EmptyList(_) = list.ty {
            return Expr::none(span);
        }
        if !self.are_ordered(&list, span) {
            return Expr::error(span);
        }
        let reverse = self.truth(reverse);
        let function = match list.ty {
            Ty::Tuples(ref items) if items.iter().all(is_of_numbers) => "sort_tuples",
            Ty::Lists(_) | Ty::Tuples(_) => "sort_lists",
            _ => "sort",
        };
        self.on_lists(function, vec![list, reverse], span)
    }

    /// `sorted(values, reverse=…)`.
    pub(in crate::typed) fn sorted(&mut self, values: Expr, reverse: Expr, span: Span) -> Expr {
        if let Ty::EmptyList(_) = values.ty {
            return values;
        }
        let mut before = Vec::new();
        let copy = self.list_of(values, span);
        let copy = self.once(copy, &mut before);
        let sort = self.sort_list(copy.clone(), reverse, span);
        if sort.ty.is_silent() {
            return sort;
        }
        before.push(Stmt::new(StmtKind::Eval(sort), span));
        Self::seq(before, copy)
    }

    /// A function of the prelude on lists whose items are known.
    pub(in crate::typed) fn on_lists(&mut self, function: &str, args: Vec<Expr>, span: Span) -> Expr {
        self.on_lists_of(FILE, function, args, span)
    }

    pub(in crate::typed) fn on_lists_of(
        &mut self,
        file: &'static str,
        function: &str,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        if let Some(empty) = args.iter().find(|arg| matches!(arg.ty, Ty::EmptyList(_))) {
            return self.unknown_items(empty.span, "list");
        }
        self.prelude_call(file, function, args, span)
    }

    /// `list += values`, `list.extend(values)`.
    pub(in crate::typed) fn extend_list(&mut self, list: Expr, values: Expr, span: Span) -> Expr {
        match (&list.ty, &values.ty) {
            (_, Ty::EmptyList(_)) => Expr::none(span),
            (Ty::EmptyList(_), Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_)) => {
                self.note_contents(&list.ty, &values.ty);
                Expr::none(span)
            }
            (_, Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_)) => {
                self.on_lists("extend", vec![list, values], span)
            }
            (_, Ty::Array { rank: 1.., .. } | Ty::Range) => {
                self.on_lists("extend_from", vec![list, values], span)
            }
            (_, ty) if ty.is_silent() => Expr::silent([&values], span),
            (_, other) => {
                let headline = format!("a list cannot be extended by {other}");
                self.error(code::NOT_ITERABLE, values.span, headline, &format!("this is {other}"))
            }
        }
    }

    /// `[*xs, x]`: the items of lists among others.
    pub(in crate::typed) fn list_with_starred(
        &mut self,
        items: &[ast::Expr],
        expected: Option<Ty>,
        span: Span,
    ) -> Expr {
        let mut joined: Option<Expr> = None;
        for part in items.chunk_by(|a, b| !is_starred(a) && !is_starred(b)) {
            let list = match part {
                [ast::Expr { kind: ast::ExprKind::Starred(inner), .. }] => {
                    let values = self.expr(inner);
                    let values = self.listed(values);
                    match values.ty {
                        // What is beside it tells what it holds.
                        Ty::EmptyList(_) => values,
                        _ => self.list_of(values, inner.span),
                    }
                }
                _ => self.list(part, expected.clone(), part.first().map_or(span, |item| item.span)),
            };
            joined = Some(match joined {
                None => list,
                Some(before) => self.binary(BinaryOp::Add, before, list, span),
            });
        }
        joined.unwrap_or_else(|| Expr::error(span))
    }

    /// `left + right` of lists of two types of numbers: a list of the one that holds both.
    fn sum_of_numbers(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<Expr> {
        let (Ty::List(a), Ty::List(b)) = (&left.ty, &right.ty) else { return None };
        let met = self.meet_items(&Ty::Scalar(*a), &Ty::Scalar(*b))?;
        let mut stmts = Vec::new();
        let parts = [left, right].map(|part| self.once(part.clone(), &mut stmts));
        let made = self.new_list(&Ty::list_of(&met)?, Vec::new(), span);
        let made = self.once(made, &mut stmts);
        for part in parts {
            let extended = self.on_lists("extend", vec![made.clone(), part], span);
            if extended.ty.is_silent() {
                return Some(extended);
            }
            stmts.push(Stmt::new(StmtKind::Eval(extended), span));
        }
        Some(Self::seq(stmts, made))
    }

    /// `left + right`, `list * count`, `count * list`; None for other operands.
    pub(in crate::typed) fn list_operator(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        let function = match op {
            BinaryOp::Add if is_list(&left.ty) && is_list(&right.ty) => {
                for (empty, other) in [(left, right), (right, left)] {
                    if let (Ty::EmptyList(_), None) = (&empty.ty, other.ty.unknown()) {
                        self.learn_stored(&empty.ty, &other.ty);
                        return Some(other.clone());
                    }
                }
                if let (Some(a), Some(b)) = (left.ty.list_item(), right.ty.list_item())
                    && !same_layout(&a, &b)
                {
                    if let Some(sum) = self.sum_of_numbers(left, right, span) {
                        return Some(sum);
                    }
                    let headline = format!("the sum of {} and {}", left.ty, right.ty);
                    return Some(self.later_expr(span, &headline));
                }
                "concatenated"
            }
            BinaryOp::Mul if is_list(&left.ty) && is_count(right) => "repeated",
            BinaryOp::Mul if is_count(left) && is_list(&right.ty) => {
                return Some(self.on_lists("repeated", vec![right.clone(), left.clone()], span));
            }
            _ => return None,
        };
        Some(self.on_lists(function, vec![left.clone(), right.clone()], span))
    }

    /// Start, stop and step of a slice, None where they are left out.
    pub(in crate::typed) fn slice_parts(&mut self, slice: &ast::Expr) -> [Expr; 3] {
        let ast::ExprKind::Slice { lower, upper, step } = &slice.kind else {
            return [0, 1, 2].map(|_| Expr::error(slice.span));
        };
        [lower, upper, step].map(|part| {
            let value = self.slice_part(part.as_deref());
            value.unwrap_or_else(|| Expr::none(slice.span))
        })
    }

    /// `list[start:stop:step]`: a new list.
    pub(in crate::typed) fn list_part(&mut self, list: Expr, parts: [Expr; 3], span: Span) -> Expr {
        self.on_lists("part", std::iter::once(list).chain(parts).collect(), span)
    }

    /// `list[start:stop:step] = values`.
    pub(in crate::typed) fn set_list_part(
        &mut self,
        list: &Expr,
        parts: &[Expr; 3],
        values: Expr,
        span: Span,
    ) {
        let values = self.listed(values);
        // The list itself may be what its slice becomes.
        let values = match &values.ty {
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) if self.is_fresh(&values) => values,
            Ty::EmptyList(_) => {
                self.learn_stored(&values.ty.clone(), &list.ty);
                self.new_list(&list.ty, Vec::new(), span)
            }
            ty if ty.is_silent() => return,
            _ => self.list_of(values, span),
        };
        let (held, stored) = (list.ty.list_item(), values.ty.list_item());
        let stored = match (held, stored) {
            (None, Some(_)) => return self.note_contents(&list.ty, &values.ty),
            (Some(held), Some(stored)) => {
                let item = Expr::new(ExprKind::Static, stored, values.span);
                self.declare(item, &held, list.span, "stored")
            }
            _ => return,
        };
        if stored.ty.is_silent() {
            return;
        }
        let args =
            std::iter::once(list.clone()).chain(parts.clone()).chain(std::iter::once(values)).collect();
        let change = self.on_lists("set_part", args, span);
        if !change.ty.is_silent() {
            self.push(StmtKind::Eval(change), span);
        }
    }

    /// `list *= times`.
    pub(in crate::typed) fn repeat_in_place(&mut self, list: Expr, times: Expr, span: Span) -> Expr {
        match list.ty {
            Ty::EmptyList(_) => Expr::none(span),
            _ if times.ty.is_silent() => Expr::silent([&times], span),
            _ => self.on_lists("repeat_in_place", vec![list, times], span),
        }
    }

    /// `a.tolist()`: Python's own numbers, in lists for each axis.
    pub(in crate::typed) fn python_list(&mut self, array: Expr, span: Span) -> Expr {
        if let Ty::Array { rank: 2.., .. } = array.ty {
            return self.prelude_call(FILE, "nested_list", vec![array], span);
        }
        // What has no axes gives a number.
        if array.ty.num().is_some() && array.ty.rank().unwrap_or(0) == 0 {
            return self.own_of_python(Self::number_of_rank_zero(array));
        }
        let Ty::Array { dtype, rank: 1 } = array.ty else {
            return self.later_expr(span, &format!("a list of the items of {}", array.ty));
        };
        let own = match dtype {
            DType::Bool => Num::weak(DType::Bool),
            DType::U64 => return self.prelude_call(FILE, "list_of_ints", vec![array], span),
            d if d.is_int() => Num::INT,
            d if d.is_complex() => Num::COMPLEX,
            _ => Num::FLOAT,
        };
        let array = self.convert(array, Num::strong(own.dtype));
        let list = self.list_of(array, span);
        if list.ty.is_silent() { list } else { Expr { ty: Ty::List(own), ..list } }
    }

    /// `list(values)`.
    pub(in crate::typed) fn list_of(&mut self, values: Expr, span: Span) -> Expr {
        match &values.ty {
            Ty::List(_)
            | Ty::Tuples(_)
            | Ty::Lists(_)
            | Ty::EmptyList(_)
            | Ty::Range
            | Ty::Array { rank: 1.., .. } => self.on_lists("copied", vec![values], span),
            Ty::Tuple(items) if !items.is_empty() && items.iter().all(Ty::is_array) => {
                let item = items[0].clone();
                let list = Ty::list_of(&item).filter(|_| items.iter().all(|other| *other == item));
                let Some(list) = list else {
                    return self.later_expr(span, &format!("a list of the items of {}", values.ty));
                };
                let mut before = Vec::new();
                let tuple = self.once(values, &mut before);
                let items = self.items_of(&tuple);
                let made = self.new_list(&list, items, span);
                Self::seq(before, made)
            }
            Ty::Tuple(items)
                if !values.ty.is_silent() && items.iter().all(|item| item.scalar().is_some()) =>
            {
                let common = items.iter().filter_map(Ty::scalar).reduce(promote);
                let Some(num) = common else { return Expr::new(ExprKind::Error, Ty::EmptyList(span), span) };
                let mut before = Vec::new();
                let tuple = self.once(values, &mut before);
                let items = self.items_of(&tuple).into_iter().map(|item| self.convert(item, num)).collect();
                Self::seq(before, Self::op(OpKind::ListNew, items, Ty::List(num), span))
            }
            other => {
                let headline = format!("a list of the items of {other}");
                self.later_expr(span, &headline)
            }
        }
    }
}
