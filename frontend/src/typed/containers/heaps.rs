//! Heaps: lists of numbers or tuples in the order that `heapq` keeps. What happens to them is written in the prelude.

use super::list_ops::is_list;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::library::Arguments;
use crate::typed::program::tree::{Expr, Stmt, StmtKind};
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::HeapOp;

const FILE: &str = "heaps";

impl Infer<'_, '_> {
    pub(in crate::typed) fn heap_builtin(&mut self, op: HeapOp, args: &Arguments) -> Expr {
        let span = args.span;
        let heap = args.value(0);
        match op {
            HeapOp::Empty => return self.list(&[], None, span),
            HeapOp::New => return self.new_heap(args),
            HeapOp::NLargest | HeapOp::NSmallest => return self.extremes(op, args),
            _ => {}
        }
        if !is_list(&heap.ty) {
            let headline = format!("`{}` needs a list, not {}", Self::shown_name(&args.found), heap.ty);
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, headline)
                .primary(heap.span, format!("this is {}", heap.ty))
                .help("a heap is a list of numbers or tuples: `h = []`");
            return self.fail(diagnostic);
        }
        if !self.are_ordered(&heap, heap.span) {
            return Expr::error(span);
        }
        match op {
            HeapOp::Push => self.on_heap(op, "push", heap, Some(Self::heap_item(args, 1)), span),
            HeapOp::Replace => self.on_heap(op, "replace", heap, Some(args.value(1)), span),
            HeapOp::PushPop => self.on_heap(op, "push_pop", heap, Some(args.value(1)), span),
            HeapOp::Pop => self.on_heap(op, "pop", heap, None, span),
            HeapOp::Drop => self.on_heap(op, "drop", heap, None, span),
            HeapOp::Size if matches!(heap.ty, Ty::EmptyList(_)) => Expr::int(0, span),
            HeapOp::Size => self.list_length(&heap, span),
            HeapOp::Heapify if matches!(heap.ty, Ty::EmptyList(_)) => Expr::none(span),
            HeapOp::Heapify => self.on_heap(op, "heapify", heap, None, span),
            HeapOp::Peek => self.key_at(&heap, Expr::int(0, span), span),
            HeapOp::Key => {
                let index = self.as_index(args.value(1));
                self.key_at(&heap, index, span)
            }
            HeapOp::Empty | HeapOp::New | HeapOp::NLargest | HeapOp::NSmallest => Expr::error(span),
        }
    }

    /// A key, or a key with a value: the arguments from `first` on.
    fn heap_item(args: &Arguments, first: usize) -> Expr {
        let key = args.value(first);
        match args.found.entry.params.get(first + 1).and_then(|_| args.optional(first + 1)) {
            Some(value) => Self::tuple(vec![key, value], args.span),
            None => key,
        }
    }

    fn new_heap(&mut self, args: &Arguments) -> Expr {
        let item = Self::heap_item(args, 0);
        match Ty::list_of(&item.ty) {
            Some(ty) => {
                let heap = self.new_list(&ty, vec![item], args.span);
                if heap.ty.is_silent() || self.are_ordered(&heap, args.span) {
                    heap
                } else {
                    Expr::error(args.span)
                }
            }
            None => self.not_an_item(&item),
        }
    }

    /// What a function of the prelude does.
    fn on_heap(&mut self, op: HeapOp, function: &str, heap: Expr, item: Option<Expr>, span: Span) -> Expr {
        let item = match (item, heap.ty.list_item()) {
            (None, _) => None,
            (Some(item), Some(ty)) => Some(self.declare(item, &ty, heap.span, "stored")),
            (Some(item), None) => match Ty::list_of(&item.ty) {
                Some(held) => {
                    self.note_contents(&heap.ty.clone(), &held);
                    return if op == HeapOp::Push { Expr::none(span) } else { item };
                }
                None => return self.not_an_item(&item),
            },
        };
        self.on_lists_of(FILE, function, std::iter::once(heap).chain(item).collect(), span)
    }

    /// The first number of an item, which is its key.
    fn key_at(&mut self, heap: &Expr, index: Expr, span: Span) -> Expr {
        if let Ty::EmptyList(_) = heap.ty {
            return self.on_lists_of(FILE, "pop", vec![heap.clone()], span);
        }
        let mut before = Vec::new();
        let item = self.list_item(heap, index, span);
        let item = self.once(item, &mut before);
        let key = if matches!(item.ty, Ty::Tuple(_)) { self.item_of(&item, 0) } else { item };
        Self::seq(before, key)
    }

    /// `nlargest(n, values)`, `nsmallest(n, values)`: the first items of the sorted list.
    fn extremes(&mut self, op: HeapOp, args: &Arguments) -> Expr {
        let span = args.span;
        let count = self.as_index(args.value(0));
        let mut before = Vec::new();
        let count = self.once(count, &mut before);
        let values = self.listed(args.value(1));
        let backwards = Expr::bool(op == HeapOp::NLargest, span);
        let sorted = self.sorted(values, backwards, span);
        let first = self.first_items(sorted, count, span);
        if first.ty.is_silent() { first } else { Self::seq(before, first) }
    }

    /// A new list, cut to its first items.
    pub(in crate::typed) fn first_items(&mut self, list: Expr, count: Expr, span: Span) -> Expr {
        if list.ty.is_silent() || list.ty.list_item().is_none() {
            return list;
        }
        let mut before = Vec::new();
        let list = self.once(list, &mut before);
        let cut = self.truncate(&list, count, span);
        before.push(Stmt::new(StmtKind::Eval(cut), span));
        Self::seq(before, list)
    }
}
