//! Comprehensions, and generators as arguments: loops that gather.
//!
//! `[f(x) for x in xs if x > 0]` is walked as
//!
//! ```text
//! list = []
//! for x in xs:
//!     if x > 0:
//!         list.append(f(x))
//! ```
//!
//! with variables of its own ([`Hidden`]): no syntax is made for it, the loops are those of statements, and what they do
//! with an element is a function of the compiler. `sum`, `any` and `all` of a generator need no list. What becomes of
//! elements that are arrays is in `library/stacked.rs`.

use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, Clause, CompareOp, ComprehensionKind, ExprKind};
use crate::syntax::visit;
use crate::typed::flow::env::NameId;
use crate::typed::flow::hidden::Hidden;
use crate::typed::flow::infer::Infer;
use crate::typed::flow::iterate::Iteration;
use crate::typed::flow::loops::Place;
use crate::typed::program::tree::{Expr, StmtKind};
use crate::typed::types::dict_type::Container;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::Builtin;
use pydd_ir::{DType, Exc, Message, OpKind};

/// How often one comprehension is looked at before its items' type is declared endless.
const MAX_ROUNDS: usize = 4;

/// A comprehension.
pub struct Parts<'e> {
    kind: ComprehensionKind,
    pub element: &'e ast::Expr,
    clauses: &'e [Clause],
    pub span: Span,
}

impl Parts<'_> {
    /// Whether it is `[… for …]`.
    pub fn is_list(&self) -> bool {
        self.kind == ComprehensionKind::List
    }
}

/// The comprehension that an expression is.
pub fn parts(expr: &ast::Expr) -> Option<Parts<'_>> {
    match &expr.kind {
        ExprKind::Comprehension { kind, element, clauses } => {
            Some(Parts { kind: *kind, element, clauses, span: expr.span })
        }
        _ => None,
    }
}

/// The names that clauses bind.
fn targets(clauses: &[Clause]) -> impl Iterator<Item = &str> {
    clauses.iter().flat_map(|clause| visit::target_names(&clause.target))
}

impl Infer<'_, '_> {
    /// `[element for …]`, `{element for …}`, `{key: value for …}`.
    pub(in crate::typed) fn comprehension(&mut self, parts: &Parts<'_>) -> Expr {
        self.comprehension_of(parts, None)
    }

    /// As [`comprehension`](Self::comprehension), with the type of the list or dict declared.
    pub(in crate::typed) fn comprehension_as(&mut self, parts: &Parts<'_>, ty: &Ty) -> Expr {
        let is_list = matches!(parts.kind, ComprehensionKind::List | ComprehensionKind::Generator);
        let fits = match ty {
            Ty::Dict(dict) if dict.is_set() => parts.kind == ComprehensionKind::Set,
            Ty::Dict(_) => parts.kind == ComprehensionKind::Dict,
            _ => is_list,
        };
        self.comprehension_of(parts, fits.then(|| ty.clone()))
    }

    fn comprehension_of(&mut self, parts: &Parts<'_>, declared: Option<Ty>) -> Expr {
        let span = parts.span;
        match parts.kind {
            ComprehensionKind::List | ComprehensionKind::Generator => {
                self.gathering(span, declared, &mut |s| {
                    s.list_of_elements(span, &mut |s, list| {
                        s.over_elements(parts, &mut |s| {
                            let element = s.expr(parts.element);
                            s.append_to(list, element, span);
                        });
                    })
                })
            }
            ComprehensionKind::Set => self.gathering(span, declared, &mut |s| {
                let start = s.empty_dict(Container::Set, span);
                s.after_gathering(Hidden::Entries, start, span, &mut |s, set| {
                    s.over_elements(parts, &mut |s| {
                        let element = s.expr(parts.element);
                        s.add_to(set, element, span);
                    });
                })
            }),
            ComprehensionKind::Dict => self.gathering(span, declared, &mut |s| {
                let start = s.empty_dict(Container::Dict, span);
                s.after_gathering(Hidden::Entries, start, span, &mut |s, dict| {
                    s.over_elements(parts, &mut |s| s.store_pair(dict, parts.element, span));
                })
            }),
        }
    }

    /// A function of a comprehension that needs no list; None for others.
    pub(in crate::typed) fn reduced_comprehension(
        &mut self,
        builtin: Builtin,
        arg: &ast::Expr,
    ) -> Option<Expr> {
        let parts = parts(arg)?;
        match (builtin, parts.kind) {
            (Builtin::Sum, ComprehensionKind::List | ComprehensionKind::Generator) => {
                if self.element_rank(&parts).is_some() {
                    return Some(self.sum_of_arrays(&parts));
                }
                Some(self.sum_of_elements(&parts))
            }
            // Of a list, all elements are computed first.
            (Builtin::Any, ComprehensionKind::Generator) => Some(self.search(&parts, true)),
            (Builtin::All, ComprehensionKind::Generator) => Some(self.search(&parts, false)),
            _ => None,
        }
    }

    /// The type of the elements, as far as it is known.
    pub(in crate::typed) fn element_type(&mut self, parts: &Parts<'_>) -> Option<Ty> {
        let (mark, env, known) = (self.mark(), self.env.clone(), self.contents.clone());
        let again = self.walk_again;
        let mut probed = None;
        self.block(|s| {
            let nothing = Self::op(OpKind::ListNew, Vec::new(), Ty::List(Num::INT), parts.span);
            s.after_gathering(Hidden::List, nothing, parts.span, &mut |s, _| {
                s.over_elements(parts, &mut |s| probed = Some(s.expr(parts.element).ty));
            });
        });
        self.back_to(mark);
        self.env = env;
        self.contents = known;
        self.walk_again = again;
        probed
    }

    /// What `gather` makes of a loop at this place, whose elements may tell what the place holds.
    pub(in crate::typed) fn gathering(
        &mut self,
        span: Span,
        declared: Option<Ty>,
        gather: &mut dyn FnMut(&mut Self) -> Expr,
    ) -> Expr {
        if let Some(declared) = declared {
            self.contents.insert(span, declared);
        }
        for _ in 0..MAX_ROUNDS {
            let (mark, env, again) = (self.mark(), self.env.clone(), self.walk_again);
            let before = self.contents.clone();
            let mut result = Expr::error(span);
            let stmts = self.block(|s| result = gather(s));
            // What this list holds is all that was learned: no need to walk over the whole function again.
            let mut others = self.contents.clone();
            match before.get(&span) {
                Some(known) => others.insert(span, known.clone()),
                None => others.remove(&span),
            };
            if again || !self.walk_again || others != before {
                return if result.ty.is_silent() { result } else { Self::seq(stmts, result) };
            }
            self.back_to(mark);
            self.env = env;
            self.walk_again = false;
        }
        self.walk_again = true;
        Expr::silent([], span)
    }

    // ---- loops ----

    /// What a variable is after `fill` has gone over all elements.
    pub(in crate::typed) fn after_gathering(
        &mut self,
        variable: Hidden,
        start: Expr,
        span: Span,
        fill: &mut dyn FnMut(&mut Self, NameId),
    ) -> Expr {
        let name = self.hidden(span, variable);
        self.assign(name, start, span);
        fill(self, name);
        self.end_of(name, span)
    }

    /// What a variable is after a loop; it ends there.
    pub(in crate::typed) fn end_of(&mut self, name: NameId, span: Span) -> Expr {
        let result = if self.env.is_some() { self.variable(name, span) } else { Expr::error(span) };
        self.unbind(name);
        result
    }

    /// A new list, which `fill` appends to.
    pub(in crate::typed) fn list_of_elements(
        &mut self,
        span: Span,
        fill: &mut dyn FnMut(&mut Self, NameId),
    ) -> Expr {
        let start = self.list(&[], None, span);
        self.after_gathering(Hidden::List, start, span, fill)
    }

    /// The loops of a comprehension, in which `each` looks at the element.
    pub(in crate::typed) fn over_elements(&mut self, parts: &Parts<'_>, each: &mut dyn FnMut(&mut Self)) {
        self.over_clauses(parts, each, &mut |_| {});
    }

    /// As [`over_elements`](Self::over_elements), with what stands behind each inner loop.
    fn over_clauses(
        &mut self,
        parts: &Parts<'_>,
        each: &mut dyn FnMut(&mut Self),
        behind: &mut dyn FnMut(&mut Self),
    ) {
        let Some((first, rest)) = parts.clauses.split_first() else { return };
        // The first iterable is of the place outside.
        let iteration = self.iteration(&first.iter);
        let outer = self.shadow(parts.span, targets(parts.clauses));
        self.over_clause(first, iteration, parts.span, &mut |s| s.inner_clauses(rest, each, behind));
        self.unshadow(outer);
        parts.clauses.iter().for_each(|clause| self.unbind_items(&clause.target));
    }

    /// Ends the items of `map` and its like among targets.
    fn unbind_items(&mut self, target: &ast::Expr) {
        match &target.kind {
            ExprKind::Item(at) => {
                let item = self.hidden(target.span, Hidden::Mapped(*at));
                self.unbind(item);
            }
            ExprKind::Tuple(targets) => targets.iter().for_each(|target| self.unbind_items(target)),
            _ => {}
        }
    }

    /// Loops inside another one.
    pub(in crate::typed) fn inner_clauses(
        &mut self,
        clauses: &[Clause],
        each: &mut dyn FnMut(&mut Self),
        behind: &mut dyn FnMut(&mut Self),
    ) {
        let Some((first, rest)) = clauses.split_first() else { return each(self) };
        let iteration = self.iteration(&first.iter);
        self.over_clause(first, iteration, first.iter.span, &mut |s| s.inner_clauses(rest, each, behind));
        if self.env.is_some() {
            behind(self);
        }
    }

    fn over_clause(
        &mut self,
        clause: &Clause,
        iteration: Result<Iteration, Ty>,
        whole: Span,
        body: &mut dyn FnMut(&mut Self),
    ) {
        let at = Place { whole, over: clause.iter.span };
        self.for_each(at, clause.target.span, iteration, &mut |s, item| {
            s.assign_target(&clause.target, item, None);
            s.where_all(&clause.conditions, body);
        });
    }

    /// `if` by `if`.
    fn where_all(&mut self, conditions: &[ast::Expr], body: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = conditions.split_first() else { return body(self) };
        let cond = self.condition(first);
        self.where_true(cond, first.span, |s| {
            s.narrow(first, true);
            s.where_all(rest, body);
        });
    }

    // ---- elements ----

    /// `list.append(value)`.
    pub(in crate::typed) fn append_to(&mut self, list: NameId, value: Expr, span: Span) {
        let list = self.variable(list, span);
        if !list.ty.is_silent() && !value.ty.is_silent() {
            let appended = self.append(list, value, span);
            self.evaluate(appended, span);
        }
    }

    /// `set.add(value)`.
    fn add_to(&mut self, set: NameId, value: Expr, span: Span) {
        let set = self.variable(set, span);
        if !set.ty.is_silent() && !value.ty.is_silent() {
            let added = self.store_item(&set, value, None, span);
            self.evaluate(added, span);
        }
    }

    /// `dict[key] = value`, of a pair.
    fn store_pair(&mut self, dict: NameId, pair: &ast::Expr, span: Span) {
        let (key, value) = match &pair.kind {
            ExprKind::Tuple(items) if items.len() == 2 => (&items[0], &items[1]),
            _ => (pair, pair),
        };
        let value = self.assigned_value(value, None);
        let value = self.keep(value);
        let dict = self.variable(dict, span);
        let dict = self.keep(dict);
        self.store(dict, std::slice::from_ref(key), value, span);
    }

    fn sum_of_elements(&mut self, parts: &Parts<'_>) -> Expr {
        let span = parts.span;
        self.gathering(span, None, &mut |s| {
            s.after_gathering(Hidden::Sum, Expr::int(0, span), span, &mut |s, sum| {
                s.over_elements(parts, &mut |s| {
                    let so_far = s.variable(sum, span);
                    s.add_element(sum, so_far, parts.element, span);
                });
            })
        })
    }

    /// `sum = so_far + element`
    pub(in crate::typed) fn add_element(
        &mut self,
        sum: NameId,
        so_far: Expr,
        element: &ast::Expr,
        span: Span,
    ) {
        let element = self.operand_beside(&so_far, element);
        self.set_sum(sum, BinaryOp::Add, so_far, element, span);
    }

    fn set_sum(&mut self, sum: NameId, op: BinaryOp, left: Expr, right: Expr, span: Span) {
        let value = self.binary(op, left, right, span);
        self.assign_name(sum, value, span);
    }

    /// `variable = variable + 1`
    pub(in crate::typed) fn count(&mut self, variable: NameId, span: Span) {
        let so_far = self.variable(variable, span);
        self.set_sum(variable, BinaryOp::Add, so_far, Expr::int(1, span), span);
    }

    /// Whether an element is true, or none is false: `wanted` is what ends the search.
    fn search(&mut self, parts: &Parts<'_>, wanted: bool) -> Expr {
        let (span, at) = (parts.span, parts.element.span);
        let variable = if wanted { Hidden::Any } else { Hidden::All };
        self.gathering(span, None, &mut |s| {
            s.after_gathering(variable.clone(), Expr::bool(!wanted, span), span, &mut |s, found| {
                let mut look = |s: &mut Self| {
                    let is_true = s.condition(parts.element);
                    let is_it = if wanted { is_true } else { Self::not(Expr { span: at, ..is_true }) };
                    s.where_true(is_it, at, |s| {
                        s.assign_name(found, Expr::bool(wanted, span), span);
                        s.break_(span);
                    });
                };
                // An inner loop that has found it ends those around it as well.
                let mut leave = |s: &mut Self| {
                    let known = s.variable(found, span);
                    let known = s.truth(known);
                    let known = if wanted { known } else { Self::not(known) };
                    s.where_true(known, span, |s| s.break_(span));
                };
                s.over_clauses(parts, &mut look, &mut leave);
            })
        })
    }

    // ---- rows of a matrix ----

    /// A matrix of `[[f(x, y) for y in ys] for x in xs]` or `[[f(x), g(x)] for x in xs]`; None for others.
    pub(in crate::typed) fn matrix_of(&mut self, arg: &ast::Expr) -> Option<Expr> {
        let parts = parts(arg)?;
        let is_row = matches!(
            parts.element.kind,
            ExprKind::List(_)
                | ExprKind::Tuple(_)
                | ExprKind::Comprehension { kind: ComprehensionKind::List, .. }
        );
        let span = parts.span;
        (is_row && parts.is_list()).then(|| self.gathering(span, None, &mut |s| s.matrix(&parts)))
    }

    /// Of the items of all rows in one list, the number of rows and the length of the first.
    fn matrix(&mut self, parts: &Parts<'_>) -> Expr {
        let span = parts.span;
        let start = self.list(&[], None, span);
        let list = self.hidden(span, Hidden::List);
        self.assign(list, start, span);
        let counts @ [rows, columns, _] = [Hidden::Rows, Hidden::Columns, Hidden::Items].map(|count| {
            let name = self.hidden(span, count);
            self.assign(name, Expr::int(0, span), span);
            name
        });
        self.over_elements(parts, &mut |s| s.row(list, counts, parts.element, span));
        let result = if self.env.is_some() {
            self.matrix_of_items(list, [rows, columns], span)
        } else {
            Expr::error(span)
        };
        counts.into_iter().chain([list]).for_each(|name| self.unbind(name));
        result
    }

    fn matrix_of_items(&mut self, list: NameId, sizes: [NameId; 2], span: Span) -> Expr {
        let items = self.variable(list, span);
        let array = match items.ty {
            Ty::List(_) => self.array_of_list(items, span),
            Ty::EmptyList(_) => Self::empty_array(DType::F64, span),
            _ => return Expr::silent([&items], span),
        };
        let Some(num) = array.ty.num() else { return Expr::silent([&array], span) };
        let sizes = sizes.map(|name| self.variable(name, span));
        let operands = std::iter::once(array).chain(sizes).collect();
        Self::op(OpKind::Reshape, operands, Ty::array(num.dtype, 2), span)
    }

    /// Appends the items of a row, counts, and checks that all rows are as long as the first.
    fn row(&mut self, list: NameId, counts: [NameId; 3], element: &ast::Expr, span: Span) {
        let [rows, columns, items] = counts;
        let add = |s: &mut Self, item: &ast::Expr| {
            let value = s.expr(item);
            s.append_to(list, value, span);
            s.count(items, span);
        };
        match &element.kind {
            ExprKind::Comprehension { element: item, clauses, .. } => {
                let outer = self.shadow(element.span, targets(clauses));
                self.inner_clauses(clauses, &mut |s| add(s, item), &mut |_| {});
                self.unshadow(outer);
            }
            ExprKind::List(all) | ExprKind::Tuple(all) => all.iter().for_each(|item| add(self, item)),
            _ => add(self, element),
        }
        self.count(rows, span);
        let is_first = self.test(CompareOp::Eq, rows, |_| Expr::int(1, span), span);
        self.where_true(is_first, span, |s| {
            let length = s.variable(items, span);
            s.assign_name(columns, length, span);
        });
        let product = |s: &mut Self| {
            let [rows, columns] = [rows, columns].map(|name| s.variable(name, span));
            s.binary(BinaryOp::Mul, rows, columns, span)
        };
        let is_ragged = self.test(CompareOp::NotEq, items, product, span);
        self.where_true(is_ragged, span, |s| {
            let text =
                "setting an array element with a sequence. The requested array has an inhomogeneous shape";
            let message = Some(Message::text(text));
            s.push(StmtKind::Raise { exc: Exc::ValueError, message, payload: Vec::new() }, span);
            s.env = None;
        });
    }

    /// `variable op other` as a condition.
    pub(in crate::typed) fn test(
        &mut self,
        op: CompareOp,
        variable: NameId,
        other: impl FnOnce(&mut Self) -> Expr,
        span: Span,
    ) -> Expr {
        let variable = self.variable(variable, span);
        let other = other(self);
        let result = self.compare(op, variable, other, span);
        self.truth(result)
    }
}
