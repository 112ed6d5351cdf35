//! Comprehensions whose elements are arrays, as arguments: `np.array([f(row) for row in rows])`, `np.concatenate([…])`,
//! `sum(a * b for a, b in pairs)`. No list of arrays is made: the elements of all parts go to one list of numbers, and the
//! lengths of the first part to another.

use crate::source::Span;
use crate::syntax::ast::{self, CompareOp, Keyword};
use crate::typed::expressions::comprehension::{self, Parts};
use crate::typed::flow::env::NameId;
use crate::typed::flow::hidden::Hidden;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, StmtKind};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty, clamped_rank};
use pydd_ir::OpKind;
use pydd_ir::catalogue::Found;

/// How parts become one array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    /// Along a new first axis.
    Row,
    /// Along the first axis.
    Piece,
}

/// What becomes of the array that the parts make.
enum Use {
    /// It is the result.
    Result(Joint),
    /// Its columns and rows change places.
    Columns,
    /// It is the argument.
    Argument,
}

impl Infer<'_, '_> {
    /// A call of a library function of a comprehension whose elements are arrays; None for others.
    pub(in crate::typed) fn stacked_call(
        &mut self,
        found: Found,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Option<Expr> {
        let ([arg, rest @ ..], true) = (args, self.unit.user && found.space.takes_lists_of_arrays()) else {
            return None;
        };
        let parts = comprehension::parts(arg).filter(Parts::is_list)?;
        let rank = match self.element_type(&parts)? {
            Ty::Array { rank, .. } if rank > 0 => rank,
            Ty::List(_) => 1,
            _ => return None,
        };
        let made = match use_of(&found, rank, rest, keywords)? {
            Use::Result(joint) => {
                let array = self.joined_parts(&parts, joint, true);
                return Some(array);
            }
            Use::Columns => {
                let rows = self.joined_parts(&parts, Joint::Row, true);
                return Some(self.prelude_call("shape", "columns_as_rows", vec![rows], span));
            }
            Use::Argument => self.joined_parts(&parts, Joint::Row, false),
        };
        if made.ty.is_silent() {
            return Some(made);
        }
        Some(self.call_library(found, vec![made], rest, keywords, span))
    }

    /// How many axes the elements of a comprehension have, if they are arrays.
    pub(in crate::typed) fn element_rank(&mut self, parts: &Parts<'_>) -> Option<u8> {
        match self.element_type(parts)? {
            Ty::Array { rank, .. } if rank > 0 => Some(rank),
            _ => None,
        }
    }

    /// The array that the elements, which are arrays, make together; `some`: there must be one.
    fn joined_parts(&mut self, parts: &Parts<'_>, joint: Joint, some: bool) -> Expr {
        let span = parts.span;
        self.gathering(span, None, &mut |s| {
            let start = s.list(&[], None, span);
            let no_lengths = Self::op(OpKind::ListNew, Vec::new(), Ty::List(Num::INT), span);
            let starts =
                [(Hidden::List, start), (Hidden::Rows, Expr::int(0, span)), (Hidden::Columns, no_lengths)];
            let taken = starts.map(|(variable, start)| {
                let name = s.hidden(span, variable);
                s.assign(name, start, span);
                name
            });
            let mut part = None;
            s.over_elements(parts, &mut |s| {
                part = s.take_part(joint, taken, parts.element, span).or(part);
                s.count(taken[1], span);
            });
            let result = match (&s.env, part) {
                (Some(_), Some(rank)) => s.parts_taken(joint, taken, rank, some, span),
                (Some(_), None) => Expr::silent([&s.variable(taken[0], span)], span),
                (None, _) => Expr::error(span),
            };
            taken.into_iter().for_each(|name| s.unbind(name));
            result
        })
    }

    /// Takes the elements of a part to those of all, and gives its rank, if it is an array.
    fn take_part(
        &mut self,
        joint: Joint,
        [items, count, lengths]: [NameId; 3],
        part: &ast::Expr,
        span: Span,
    ) -> Option<u8> {
        let items = self.variable(items, span);
        let part = self.expr(part);
        if items.ty.is_silent() {
            return None;
        }
        let part = match part.ty {
            Ty::List(_) => self.array_of_list(part, span),
            _ => part,
        };
        let Ty::Array { dtype, rank } = part.ty else { return None };
        match items.ty {
            Ty::EmptyList(_) => {
                if let Some(held) = Ty::list_of(&Ty::strong(dtype)) {
                    self.note_contents(&items.ty, &held);
                }
            }
            Ty::List(num) => {
                let part = self.convert(part, num);
                let [count, lengths] = [count, lengths].map(|name| self.variable(name, span));
                let function = match joint {
                    Joint::Row => "take_row",
                    Joint::Piece => "take_piece",
                };
                let call = self.prelude_call("sequence", function, vec![items, lengths, count, part], span);
                self.evaluate(call, span);
            }
            _ => {}
        }
        Some(rank)
    }

    /// The array of all parts that were taken.
    fn parts_taken(&mut self, joint: Joint, taken: [NameId; 3], rank: u8, some: bool, span: Span) -> Expr {
        let [items, count, lengths] = taken.map(|name| self.variable(name, span));
        let Ty::List(num) = items.ty else { return Expr::silent([&items], span) };
        if some {
            self.need_one(count.clone(), span);
        }
        let array = self.array_of_list(items, span);
        let mut operands = vec![array];
        if joint == Joint::Row {
            operands.push(count);
        }
        for axis in 0..rank {
            let at = Expr::int(i64::from(axis), span);
            operands.push(self.prelude_call("sequence", "length_or_zero", vec![lengths.clone(), at], span));
        }
        let rank = clamped_rank(usize::from(rank) + usize::from(joint == Joint::Row));
        Self::op(OpKind::Reshape, operands, Ty::array(num.dtype, rank), span)
    }

    /// Raises where there was no array.
    fn need_one(&mut self, count: Expr, span: Span) {
        let needed = self.prelude_call("sequence", "need_one_array", vec![count], span);
        self.push(StmtKind::Eval(needed), span);
    }

    // ---- sums ----

    /// `sum(…)` of arrays: the first one is added to 0, as Python does, each other one to those before it.
    pub(in crate::typed) fn sum_of_arrays(&mut self, parts: &Parts<'_>) -> Expr {
        let span = parts.span;
        self.gathering(span, None, &mut |s| {
            let start = match s.element_type(parts) {
                Some(element) => Self::no_sum(&element, span),
                None => Expr::int(0, span),
            };
            let [sum, count] =
                [(Hidden::Sum, start), (Hidden::Rows, Expr::int(0, span))].map(|(variable, start)| {
                    let name = s.hidden(span, variable);
                    s.assign(name, start, span);
                    name
                });
            s.over_elements(parts, &mut |s| {
                let is_first = s.test(CompareOp::Eq, count, |_| Expr::int(0, span), span);
                let first = |s: &mut Self| s.add_element(sum, Expr::int(0, span), parts.element, span);
                s.either_way(is_first, span, first, |s| {
                    let so_far = s.variable(sum, span);
                    s.add_element(sum, so_far, parts.element, span);
                });
                s.count(count, span);
            });
            if s.env.is_some() {
                let count = s.variable(count, span);
                s.need_one(count, span);
            }
            s.unbind(count);
            s.end_of(sum, span)
        })
    }

    /// What a sum of such arrays is before the first one: nothing, in the sum's type.
    fn no_sum(element: &Ty, span: Span) -> Expr {
        let Ty::Array { dtype, rank } = *element else { return Expr::error(span) };
        let sum = promote(Num::INT, Num::strong(dtype)).dtype;
        let sizes = (0..rank).map(|_| Expr::int(0, span)).collect();
        Self::op(OpKind::Empty, sizes, Ty::array(sum, rank), span)
    }
}

/// What a function does with the arrays, of this rank, that it is given; None: it needs them one by one.
fn use_of(found: &Found, rank: u8, rest: &[ast::Expr], keywords: &[Keyword]) -> Option<Use> {
    use pydd_ir::catalogue::{Algebra, Creation, Joining, ParamKind};
    let plain = rest.is_empty() && keywords.is_empty();
    let first_axis = match (rest, keywords) {
        ([], []) => true,
        ([axis], []) => matches!(axis.kind, ast::ExprKind::Int(0)),
        ([], [keyword]) => keyword.name.name == "axis" && matches!(keyword.value.kind, ast::ExprKind::Int(0)),
        _ => false,
    };
    if let Some(joining) = Joining::of(found) {
        return match joining {
            Joining::Concatenated if first_axis => Some(Use::Result(Joint::Piece)),
            Joining::Stacked if first_axis => Some(Use::Result(Joint::Row)),
            Joining::Horizontal if rank == 1 && plain => Some(Use::Result(Joint::Piece)),
            Joining::Vertical if plain => {
                Some(Use::Result(if rank == 1 { Joint::Row } else { Joint::Piece }))
            }
            Joining::Columns if rank == 1 && plain => Some(Use::Columns),
            _ => None,
        };
    }
    match found.entry.algebra {
        Algebra::Creation(Creation::Array | Creation::AsArray) => Some(Use::Argument),
        _ => match found.entry.params.first()?.kind {
            ParamKind::Value | ParamKind::Operand => Some(Use::Argument),
            _ => None,
        },
    }
}
