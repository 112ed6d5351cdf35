//! Comprehensions whose elements are arrays, as arguments: `np.array([f(row) for row in rows])`, `np.concatenate([…])`,
//! `sum(a * b for a, b in pairs)`. No list of arrays is made: the elements of all parts go to one list of numbers, and the
//! lengths of the first part to another.

use crate::source::Span;
use crate::syntax::ast::{self, Ident, Keyword};
use crate::typed::expressions::comprehension::{self, LIST, Parts};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{self, Expr};
use crate::typed::types::ty::{Ty, clamped_rank};
use pydd_ir::OpKind;
use pydd_ir::catalogue::Found;

/// What the hidden list does with a part; no program can write these names.
pub const PROBE: &str = "type of";
pub const TAKE_ROW: &str = "take row";
pub const TAKE_PIECE: &str = "take piece";

/// How parts become one array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    /// Along a new first axis.
    Row,
    /// Along the first axis.
    Piece,
}

impl Joint {
    pub const fn method(self) -> &'static str {
        match self {
            Self::Row => TAKE_ROW,
            Self::Piece => TAKE_PIECE,
        }
    }
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
        Some(self.call_library(found, Some(made), rest, keywords, span))
    }

    /// How many axes the elements of a comprehension have, if they are arrays.
    pub(in crate::typed) fn element_rank(&mut self, parts: &Parts<'_>) -> Option<u8> {
        match self.element_type(parts)? {
            Ty::Array { rank, .. } if rank > 0 => Some(rank),
            _ => None,
        }
    }

    /// A method of the hidden list; None for others.
    pub(in crate::typed) fn take_part(
        &mut self,
        items: &Expr,
        method: &Ident,
        args: &[ast::Expr],
    ) -> Option<Expr> {
        let ([part], PROBE | TAKE_ROW | TAKE_PIECE) = (args, method.name.as_str()) else { return None };
        let span = method.span;
        let part = self.expr(part);
        if method.name == PROBE {
            self.probed = Some(part.ty);
            return Some(Expr::none(span));
        }
        let part = match part.ty {
            Ty::List(_) => self.array_of_list(part, span),
            _ => part,
        };
        let Ty::Array { dtype, .. } = part.ty else { return Some(Expr::silent([&part], span)) };
        self.probed = Some(part.ty.clone());
        let held = Ty::list_of(&Ty::strong(dtype))?;
        if let Ty::EmptyList(_) = items.ty {
            self.note_contents(&items.ty, &held);
            return Some(Expr::none(span));
        }
        let part = match items.ty {
            Ty::List(num) => self.convert(part, num),
            _ => return Some(Expr::silent([items], span)),
        };
        let [count, lengths, _] = comprehension::ROWS.map(|name| self.name(name, span));
        let function = if method.name == TAKE_ROW { "take_row" } else { "take_piece" };
        Some(self.prelude_call("sequence", function, vec![items.clone(), lengths, count, part], span))
    }

    /// The array of all parts that were taken.
    pub(in crate::typed) fn parts_taken(&mut self, joint: Joint, some: bool, span: Span) -> Expr {
        let items = self.name(LIST, span);
        let (Ty::List(num), Some(Ty::Array { rank, .. })) = (items.ty.clone(), self.probed.clone()) else {
            return Expr::silent([&items], span);
        };
        let [count, lengths, _] = comprehension::ROWS.map(|name| self.name(name, span));
        if some {
            let needed = self.prelude_call("sequence", "need_one_array", vec![count.clone()], span);
            self.push(tree::StmtKind::Eval(needed), span);
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
