//! What `for` loops go over: ranges, arrays, lists, dicts, tuples, `zip`, `enumerate`, `reversed`.

use super::infer::Infer;
use super::itertools::Composed;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::containers::dicts;
use crate::typed::containers::list_ops::is_starred;
use crate::typed::program::tree::{Expr, ExprKind, LocalId, Stmt, StmtKind};
use crate::typed::program::unit::Global;
use crate::typed::types::dict_type::View;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::{self, Algebra, Builtin, Itertool, Space};
use pydd_ir::{ElemOp, IndexItem, OpKind};

/// How a loop goes. All expressions are evaluated before it and stand for kept values.
#[derive(Clone, Debug)]
pub enum Iteration {
    /// `range(start, stop, step)`; the item is the index.
    Range([Expr; 3]),
    /// Items by position.
    Indexed(Positions),
    /// A list, whose length may change meanwhile.
    Growing(Expr),
    /// Items by position, some of lists, whose lengths may change meanwhile.
    Stepped(Positions),
    /// A dict or what a view shows of it; that it changed meanwhile is an error.
    Entries(Entries),
    /// A tuple.
    Unrolled(Vec<Expr>),
    /// Several loops.
    Composed(Composed),
}

/// Items by position, and how many there are.
#[derive(Clone, Debug)]
pub struct Positions {
    pub items: Item,
    /// As long as no list changes its length.
    pub count: Expr,
    /// How many items those have that are not in lists.
    pub fixed: Option<Expr>,
    /// Whether some are in a list that has a name.
    pub grows: bool,
}

impl Positions {
    pub(super) fn fixed(count: Expr, items: Item) -> Self {
        let fixed = Some(count.clone());
        Self { items, count, fixed, grows: false }
    }
}

/// How a loop goes over a dict.
#[derive(Clone, Debug)]
pub struct Entries {
    pub dict: Expr,
    pub view: View,
    /// How many keys there were at first.
    pub count: Expr,
    /// How many are still to come.
    pub left: LocalId,
    /// The entry of this iteration.
    pub entry: LocalId,
}

/// The item at a position.
#[derive(Clone, Debug)]
pub enum Item {
    /// Of a range: start and step.
    Counter(Expr, Expr),
    Array(Expr),
    List(Expr),
    /// The same in each iteration.
    Same(Expr),
    /// From a start in steps.
    Strided(Box<Item>, Expr, Expr),
    Reversed(Box<Item>, Expr),
    Tuple(Vec<Item>),
    /// The index in each axis, of these lengths with the products of those behind each.
    Index(Vec<(Expr, Expr)>),
    /// The elements of an array in row-major order.
    Flat(Expr, Vec<(Expr, Expr)>),
    /// Of a copy of a dict, which must have so many keys as the copy was made of.
    Entry {
        copy: Expr,
        view: View,
        dict: Expr,
        count: Expr,
    },
}

impl Iteration {
    /// The range that a loop counts through, unless its end is not known before.
    pub fn range(&self) -> Option<[Expr; 3]> {
        match self {
            Self::Range(parts) => Some(parts.clone()),
            Self::Indexed(Positions { count, .. }) => {
                let span = count.span;
                Some([Expr::int(0, span), count.clone(), Expr::int(1, span)])
            }
            Self::Growing(_)
            | Self::Stepped(_)
            | Self::Entries(_)
            | Self::Unrolled(_)
            | Self::Composed(_) => None,
        }
    }
}

impl Infer<'_, '_> {
    /// How a loop over `iter` goes; `None`: it can't, which was reported.
    pub(in crate::typed) fn iteration(&mut self, iter: &ast::Expr) -> Result<Iteration, Ty> {
        match self.iterator_call(iter) {
            Some((Builtin::Itertool(tool), _)) => return self.itertool(tool, iter),
            Some((Builtin::Enumerate, [over, start @ ..])) if self.composed_tool(over).is_some() => {
                let over = self.iteration(over)?;
                let start = self.start_of_count(iter, start);
                return Ok(Iteration::Composed(Composed::Counted(Box::new(over), start)));
            }
            Some(_) => return Ok(Iteration::Indexed(self.indexed(iter)?)),
            None => {}
        }
        let value = self.expr(iter);
        let value = self.keep_parts(value);
        self.iteration_of(value, self.is_nonzero_elements(iter))
    }

    /// How a loop over a kept value goes, which may be the entries of a sparse matrix.
    pub(super) fn iteration_of(&mut self, value: Expr, is_entries: bool) -> Result<Iteration, Ty> {
        match &value.ty {
            Ty::Range => match value.kind {
                ExprKind::Range(parts) => Ok(Iteration::Range(*parts)),
                _ => Ok(Iteration::Range(self.range_parts(&value))),
            },
            Ty::Tuple(_) if is_entries => Ok(Iteration::Indexed(self.entries(&value))),
            Ty::Tuple(_) => Ok(Iteration::Unrolled(self.items_of(&value))),
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_) => Ok(Iteration::Growing(value)),
            // Nothing is known of its items in this walk.
            Ty::EmptyDict(at, _) => Ok(Iteration::Growing(Expr { ty: Ty::EmptyList(*at), ..value })),
            Ty::Dict(_) | Ty::DictView(..) => Ok(Iteration::Entries(self.entries_of(value))),
            _ => Ok(Iteration::Indexed(self.indexed_value(value)?)),
        }
    }

    /// The dict that a value shows, and what it shows.
    fn shown(value: Expr) -> (Expr, View) {
        match value.ty.clone() {
            Ty::DictView(ty, view) => (Expr { ty: Ty::Dict(ty), ..value }, view),
            _ => (value, View::Keys),
        }
    }

    fn entries_of(&mut self, value: Expr) -> Entries {
        let span = value.span;
        let (dict, view) = Self::shown(value);
        let count = self.dict_length(dict.clone(), span);
        let count = self.keep(count);
        let (left, entry) = (self.temporary(&Ty::INT), self.temporary(&Ty::INT));
        self.push(StmtKind::Set(left, count.clone()), span);
        Entries { dict, view, count, left, entry }
    }

    /// Whether a loop goes over the entries of a sparse matrix.
    fn is_nonzero_elements(&self, iter: &ast::Expr) -> bool {
        let ast::ExprKind::Call { func, .. } = &iter.kind else { return false };
        let ast::ExprKind::Attribute { attr, .. } = &func.kind else { return false };
        catalogue::find(Space::Sparse, &attr.name).is_some_and(|found| found.gives_entries())
    }

    /// Rows, columns and values side by side.
    fn entries(&mut self, arrays: &Expr) -> Positions {
        let parts: Vec<Expr> = (0..3).map(|i| self.item_of(arrays, i)).collect();
        let count = Self::op(OpKind::Dim(0), vec![parts[0].clone()], Ty::INT, arrays.span);
        Positions::fixed(self.keep(count), Item::Tuple(parts.into_iter().map(Item::Array).collect()))
    }

    /// A call of `zip` and its like, with the arguments; `a.flat` counts as one.
    fn iterator_call<'e>(&self, iter: &'e ast::Expr) -> Option<(Builtin, &'e [ast::Expr])> {
        let (found, args) = match &iter.kind {
            // `zip(strict=True)` must raise where lengths differ: left to the call, which refuses it.
            ast::ExprKind::Call { func, keywords, .. }
                if keywords.iter().any(|keyword| keyword.name.name == "strict")
                    && matches!(&func.kind, ast::ExprKind::Name(name) if name == "zip") =>
            {
                return None;
            }
            ast::ExprKind::Call { func, args, .. } => match &func.kind {
                ast::ExprKind::Name(name) if self.name_index(name).is_none() => {
                    match self.unit.global(name)? {
                        Global::Library(found) => (found, args.as_slice()),
                        _ => return None,
                    }
                }
                ast::ExprKind::Attribute { value, attr } => {
                    (catalogue::find(self.static_module(value)?, &attr.name)?, args.as_slice())
                }
                _ => return None,
            },
            ast::ExprKind::Attribute { value, attr } if self.static_module(value).is_none() => {
                (catalogue::find(Space::Attribute, &attr.name)?, std::slice::from_ref(&**value))
            }
            _ => return None,
        };
        match found.entry.algebra {
            Algebra::Builtin(
                builtin @ (Builtin::Zip
                | Builtin::Enumerate
                | Builtin::Reversed
                | Builtin::NdIndex
                | Builtin::NdEnumerate
                | Builtin::Flat
                | Builtin::Itertool(_)),
            ) => Some((builtin, args)),
            _ => None,
        }
    }

    /// Whether an expression is a call of `zip`, `enumerate` or `reversed`.
    pub(in crate::typed) fn is_iterator(&self, iter: &ast::Expr) -> bool {
        let found = self.iterator_call(iter).map(|(builtin, _)| builtin);
        matches!(found, Some(Builtin::Zip | Builtin::Enumerate | Builtin::Reversed | Builtin::Itertool(_)))
    }

    /// The function of `itertools` that an expression calls, where positions do not tell what it gives.
    fn composed_tool(&self, iter: &ast::Expr) -> Option<Itertool> {
        match self.iterator_call(iter) {
            Some((Builtin::Itertool(tool), _)) if !Self::has_positions(tool) => Some(tool),
            _ => None,
        }
    }

    /// Where `enumerate` starts to count.
    fn start_of_count(&mut self, iter: &ast::Expr, start: &[ast::Expr]) -> Expr {
        let keyword = match &iter.kind {
            ast::ExprKind::Call { keywords, .. } => keywords.first().map(|k| &k.value),
            _ => None,
        };
        match start.first().or(keyword) {
            Some(start) => {
                let start = self.integer(start);
                self.keep(start)
            }
            None => Expr::int(0, iter.span),
        }
    }

    /// Items by position and how many there are.
    pub(super) fn indexed(&mut self, iter: &ast::Expr) -> Result<Positions, Ty> {
        let span = iter.span;
        match self.iterator_call(iter) {
            Some((Builtin::Zip, args)) => self.zip(args, span),
            Some((Builtin::Enumerate, [over, start @ ..])) => {
                let over = self.indexed(over)?;
                let start = self.start_of_count(iter, start);
                let items = Item::Tuple(vec![Item::Counter(start, Expr::int(1, span)), over.items]);
                Ok(Positions { items, ..over })
            }
            Some((Builtin::Reversed, [over])) => {
                let Positions { items, count, grows, .. } = self.indexed(over)?;
                let items = Item::Reversed(Box::new(items), count.clone());
                Ok(Positions { grows, ..Positions::fixed(count, items) })
            }
            Some((Builtin::NdIndex, args)) => {
                let shape = match args {
                    [one] => self.display(one),
                    all => {
                        let items = all.iter().map(|size| self.expr(size)).collect();
                        Self::tuple(items, span)
                    }
                };
                let mut before = Vec::new();
                let sizes = self.sizes(shape, &mut before);
                self.out.extend(before);
                let (count, axes) = self.row_major(sizes.ok_or(Ty::Error)?, span);
                Ok(Positions::fixed(count, Item::Index(axes)))
            }
            Some((Builtin::NdEnumerate, [over])) => {
                let (count, axes, array) = self.elements(over)?;
                let items = Item::Tuple(vec![Item::Index(axes.clone()), Item::Flat(array, axes)]);
                Ok(Positions::fixed(count, items))
            }
            Some((Builtin::Flat, [over])) => {
                let (count, axes, array) = self.elements(over)?;
                Ok(Positions::fixed(count, Item::Flat(array, axes)))
            }
            Some((Builtin::Itertool(tool), _)) => self.indexed_tool(tool, iter),
            _ => {
                let value = self.expr(iter);
                let value = self.keep_parts(value);
                self.indexed_value(value)
            }
        }
    }

    /// What a function of `itertools` gives, by position: of what is chosen from copies a list.
    fn indexed_tool(&mut self, tool: Itertool, iter: &ast::Expr) -> Result<Positions, Ty> {
        if Self::has_positions(tool) {
            return match self.itertool(tool, iter)? {
                Iteration::Indexed(positions) => Ok(positions),
                _ => Err(Ty::Error),
            };
        }
        if !Self::is_of_copies(tool) {
            let diagnostic = Diagnostic::error(
                code::UNSUPPORTED_YET,
                "this has no positions, by which it could be gone over together with others",
            )
            .primary(iter.span, "gives one item after the other")
            .help("make a list of it before: `xs = list(…)`");
            self.report(diagnostic);
            return Err(Ty::Error);
        }
        let list = self.iterated(iter).unwrap_or_else(|| Expr::error(iter.span));
        let list = self.keep(list);
        self.indexed_value(list)
    }

    /// How many elements an array has, its axes, and the array.
    fn elements(&mut self, over: &ast::Expr) -> Result<(Expr, Vec<(Expr, Expr)>, Expr), Ty> {
        let span = over.span;
        let array = self.expr(over);
        let Ty::Array { rank, .. } = array.ty else {
            if array.ty.is_silent() {
                return Err(array.ty);
            }
            let headline = format!("{} has no elements to iterate over", array.ty);
            self.error(code::NOT_ITERABLE, span, headline, &format!("this is {}", array.ty));
            return Err(Ty::Error);
        };
        let array = self.keep(array);
        let lengths = (0..rank).map(|axis| Self::op(OpKind::Dim(axis), vec![array.clone()], Ty::INT, span));
        let lengths = lengths.collect();
        let (count, axes) = self.row_major(lengths, span);
        Ok((count, axes, array))
    }

    /// The number of elements, and each length with the product of those behind it; all are kept.
    fn row_major(&mut self, lengths: Vec<Expr>, span: Span) -> (Expr, Vec<(Expr, Expr)>) {
        let mut behind = Expr::int(1, span);
        let mut axes = Vec::new();
        for length in lengths.into_iter().rev() {
            let length = self.keep(length);
            let product = Self::elem(ElemOp::Mul, vec![behind.clone(), length.clone()], true, span);
            axes.push((length, behind));
            behind = self.keep(product);
        }
        axes.reverse();
        (behind, axes)
    }

    /// The index in each axis of a position in row-major order.
    fn index_at(axes: &[(Expr, Expr)], at: &Expr, span: Span) -> Vec<Expr> {
        let elem = |op, a: Expr, b: &Expr| Self::elem(op, vec![a, b.clone()], true, span);
        let index = |(k, (length, behind)): (usize, &(Expr, Expr))| {
            let whole = match behind.as_int() {
                Some(1) => at.clone(),
                _ => elem(ElemOp::FloorDiv, at.clone(), behind),
            };
            if k == 0 { whole } else { elem(ElemOp::Mod, whole, length) }
        };
        axes.iter().enumerate().map(index).collect()
    }

    fn zip(&mut self, args: &[ast::Expr], span: Span) -> Result<Positions, Ty> {
        let (mut count, mut fixed): (Option<Expr>, Option<Expr>) = (None, None);
        let (mut items, mut grows) = (Vec::new(), false);
        let least = |so_far: Option<Expr>, own: Expr| match so_far {
            None => own,
            Some(so_far) => Self::elem(ElemOp::Min, vec![so_far, own], true, span),
        };
        if let Some(arg) = args.iter().find(|arg| is_starred(arg)) {
            self.columns_of_rows(arg.span);
            return Err(Ty::Error);
        }
        for arg in args {
            let own = self.indexed(arg)?;
            items.push(own.items);
            grows |= own.grows;
            count = Some(least(count, own.count));
            fixed = match own.fixed {
                Some(own) => Some(least(fixed, own)),
                None => fixed,
            };
        }
        let count = self.keep(count.unwrap_or_else(|| Expr::int(0, span)));
        let fixed = match fixed {
            None if args.is_empty() => Some(count.clone()),
            fixed => fixed.map(|fixed| self.keep(fixed)),
        };
        Ok(Positions { items: Item::Tuple(items), count, fixed, grows })
    }

    /// The error for `zip(*rows)`, whose tuples are as long as there are rows.
    pub(in crate::typed) fn columns_of_rows(&mut self, span: Span) -> Expr {
        let headline = "`zip(*…)` is not supported yet: its tuples are as long as what is unpacked";
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
            .primary(span, "unpacked when the program runs")
            .help("make lists: `xs = [p[0] for p in points]`, `columns = [[r[j] for r in rows] for j in range(n)]`");
        self.fail(diagnostic)
    }

    pub(super) fn indexed_value(&mut self, value: Expr) -> Result<Positions, Ty> {
        let span = value.span;
        match &value.ty {
            Ty::Array { rank: 1.., .. } => {
                let count = Self::op(OpKind::Dim(0), vec![value.clone()], Ty::INT, span);
                Ok(Positions::fixed(self.keep(count), Item::Array(value)))
            }
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                let count = self.list_length(&value, span);
                let count = self.keep(count);
                Ok(Positions { items: Item::List(value), count, fixed: None, grows: true })
            }
            Ty::Range => {
                let parts = match value.kind {
                    ExprKind::Range(parts) => *parts,
                    _ => self.range_parts(&value),
                };
                let count = self.length_of_range(&parts, span);
                let count = self.keep(count);
                let [start, _, step] = parts;
                Ok(Positions::fixed(count, Item::Counter(start, step)))
            }
            Ty::Dict(_) | Ty::DictView(..) => {
                let (dict, view) = Self::shown(value);
                let copy = self.prelude_call(dicts::FILE, "copied", vec![dict.clone()], span);
                let copy = self.keep(copy);
                let count = self.dict_length(copy.clone(), span);
                let count = self.keep(count);
                Ok(Positions::fixed(count.clone(), Item::Entry { copy, view, dict, count }))
            }
            // Items of one type: what a list holds.
            Ty::Tuple(items) if items.iter().all(|item| *item == items[0] && item.scalar().is_some()) => {
                let list = self.list_of(value, span);
                let list = self.keep(list);
                let Positions { items, count, .. } = self.indexed_value(list)?;
                Ok(Positions::fixed(count, items))
            }
            Ty::EmptyList(_) | Ty::EmptyDict(..) => Err(Ty::Never),
            Ty::Error | Ty::Never => Err(value.ty),
            other => {
                let diagnostic = Diagnostic::error(
                    code::NOT_ITERABLE,
                    format!("{other} is not something to iterate over"),
                )
                .primary(span, format!("this is {other}"))
                .help(match other {
                    Ty::Scalar(num) if num.dtype.is_int() => "iterate over `range(…)` of it",
                    _ => "iterate over `range(…)`, an array, a list, a dict, a tuple, `zip(…)` or `enumerate(…)`",
                });
                self.report(diagnostic);
                Err(Ty::Error)
            }
        }
    }

    /// Keeps a value that is read in each iteration; of a range its parts.
    pub(super) fn keep_parts(&mut self, value: Expr) -> Expr {
        match value.kind {
            ExprKind::Range(parts) => {
                let parts = parts.map(|part| self.keep(part));
                Expr::new(ExprKind::Range(Box::new(parts)), value.ty, value.span)
            }
            _ => self.keep(value),
        }
    }

    /// Start, stop and step of a range in a variable.
    pub(in crate::typed) fn range_parts(&mut self, range: &Expr) -> [Expr; 3] {
        let as_tuple = Expr { ty: Ty::Tuple(vec![Ty::INT; 3].into()), ..range.clone() };
        [0, 1, 2].map(|i| self.item_of(&as_tuple, i))
    }

    /// `len(range(start, stop, step))`.
    pub(in crate::typed) fn length_of_range(&mut self, parts: &[Expr; 3], span: Span) -> Expr {
        let [start, stop, step] = parts.clone();
        let step = match step.as_int() {
            Some(1..) => step,
            _ => self.prelude_call("sequence", "step", vec![step], span),
        };
        Self::range_length(&[start, stop, step], span)
    }

    /// The number of steps from a start before a stop.
    pub(in crate::typed) fn range_length([start, stop, step]: &[Expr; 3], span: Span) -> Expr {
        let elem = |op, a: &Expr, b: &Expr| Self::elem(op, vec![a.clone(), b.clone()], true, span);
        // -((start - stop) // step): the distance in steps, rounded up; the caller knows of a step of 0.
        let steps = match step.as_int() {
            Some(1) => elem(ElemOp::Sub, stop, start),
            _ => {
                let quotient = elem(ElemOp::FloorDiv, &elem(ElemOp::Sub, start, stop), step);
                Self::elem(ElemOp::Neg, vec![quotient], true, span)
            }
        };
        elem(ElemOp::Max, &steps, &Expr::int(0, span))
    }

    /// The item of an iteration at a position.
    pub(in crate::typed) fn iteration_item(&mut self, iteration: &Iteration, at: &Expr, span: Span) -> Expr {
        match iteration {
            Iteration::Range(_) => at.clone(),
            Iteration::Indexed(Positions { items, .. }) => self.item_at(items, at, span),
            Iteration::Growing(list) => {
                let at = Self::before(at, span);
                self.item_at(&Item::List(list.clone()), &at, span)
            }
            Iteration::Stepped(Positions { items, .. }) => {
                let at = Self::before(at, span);
                self.item_at(items, &at, span)
            }
            Iteration::Entries(Entries { dict, view, entry, .. }) => {
                let entry = Expr::new(ExprKind::Local(*entry), Ty::INT, span);
                self.shown_entry(dict, *view, &entry, span)
            }
            Iteration::Unrolled(_) | Iteration::Composed(_) => Expr::error(span),
        }
    }

    /// What a view shows of an entry.
    fn shown_entry(&mut self, dict: &Expr, view: View, at: &Expr, span: Span) -> Expr {
        let Some(ty) = dict.ty.dict_type().cloned() else { return Expr::error(span) };
        let mut parts = Vec::new();
        if view != View::Values {
            parts.push(self.entry_part(dict, &ty.key, 0, at.clone(), span));
        }
        if view != View::Keys {
            parts.push(self.entry_part(dict, &ty.value, ty.key_columns(), at.clone(), span));
        }
        if parts.len() == 1 { parts.remove(0) } else { Self::tuple(parts, span) }
    }

    pub(super) fn item_at(&mut self, item: &Item, at: &Expr, span: Span) -> Expr {
        match item {
            Item::Counter(start, step) => Self::strided_position(start, step, at, span),
            Item::Same(value) => value.clone(),
            Item::Strided(item, start, step) => {
                let at = Self::strided_position(start, step, at, span);
                self.item_at(item, &at, span)
            }
            Item::Array(array) => {
                let Ty::Array { dtype, rank } = array.ty else { return Expr::error(span) };
                let args = vec![array.clone(), at.clone()];
                match rank {
                    0 | 1 => Self::op(OpKind::Load, args, Ty::strong(dtype), span),
                    _ => Self::op(OpKind::View(vec![IndexItem::At]), args, Ty::array(dtype, rank - 1), span),
                }
            }
            Item::List(list) => match list.ty {
                Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => self.list_item(list, at.clone(), span),
                _ => Expr::new(ExprKind::Error, Ty::Never, span),
            },
            Item::Reversed(item, count) => {
                let at = Self::reversed_position(count, at, span);
                self.item_at(item, &at, span)
            }
            Item::Entry { copy, view, dict, count } => {
                let args = vec![dict.clone(), count.clone()];
                let checked = self.prelude_call(dicts::FILE, "unchanged", args, span);
                let shown = self.shown_entry(copy, *view, at, span);
                Self::seq(vec![Stmt::new(StmtKind::Eval(checked), span)], shown)
            }
            Item::Index(axes) => Self::tuple(Self::index_at(axes, at, span), span),
            Item::Flat(array, axes) => {
                let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
                let mut args = vec![array.clone()];
                args.extend(Self::index_at(axes, at, span));
                Self::op(OpKind::Load, args, Ty::strong(dtype), span)
            }
            Item::Tuple(items) => {
                let items: Vec<Expr> = items.iter().map(|item| self.item_at(item, at, span)).collect();
                let ty = Ty::Tuple(items.iter().map(|i| i.ty.clone()).collect());
                Expr::new(ExprKind::Tuple(items), ty, span)
            }
        }
    }

    /// `start + at * step`
    pub(super) fn strided_position(start: &Expr, step: &Expr, at: &Expr, span: Span) -> Expr {
        let offset = Self::elem(ElemOp::Mul, vec![at.clone(), step.clone()], true, span);
        Self::elem(ElemOp::Add, vec![start.clone(), offset], true, span)
    }

    /// An integer of Python's family from an expression: a size, a bound.
    pub(in crate::typed) fn integer(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.expr(expr);
        self.as_index(value)
    }

    /// Converts an integer of any type to Python's.
    pub(in crate::typed) fn as_index(&mut self, value: Expr) -> Expr {
        match &value.ty {
            Ty::Scalar(num) if num.dtype.is_int() || (num.weak && num.dtype == pydd_ir::DType::Bool) => {
                self.signed(value)
            }
            ty if ty.is_silent() => Expr::silent([&value], value.span),
            other => {
                let headline = format!("{other} cannot be used as an integer");
                let diagnostic = Diagnostic::error(code::FLOAT_TO_INT, headline)
                    .primary(value.span, format!("this is {other}"));
                let help = matches!(other, Ty::Scalar(n) if n.is_float()).then_some("convert it: `int(…)`");
                self.fail(diagnostic.maybe_help(help))
            }
        }
    }
}
