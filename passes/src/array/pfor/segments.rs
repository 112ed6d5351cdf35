//! Parts of arrays that lie between pointers: row `i` of a sparse matrix is `data[indptr[i]:indptr[i + 1]]`.
//!
//! Different iterations touch different segments where the pointers do not fall and none is negative. That is no fact of the
//! program: it is tested before the loop (see [`outline`](crate::loops::outline)).

use pydd_ir::alias::MemoryInfo;
use pydd_ir::sharing::Segment;
use pydd_ir::{DType, Function, Op, OpKind, Value};

use super::index::Indices;
use crate::analysis::patterns::wrapped_index;
use crate::analysis::symbol::{Poly, Symbol};

/// What segments are found with.
#[derive(Clone, Copy)]
pub struct Segments<'a> {
    pub func: &'a Function,
    pub memory: &'a MemoryInfo,
    pub indices: &'a Indices<'a>,
    pub pfor: Op,
}

impl Segments<'_> {
    /// Where an index lies that a loop counts from one pointer up to another.
    #[must_use]
    pub fn of_index(&self, index: Value) -> Option<Segment<Symbol>> {
        // Counted from the end where it is negative, which it is not if pointers are as they should be.
        let index = wrapped_index(self.func, index, &|_| true).unwrap_or(index);
        let [start, stop, step] = self.indices.counter_range(index)?;
        let upward = self.func.as_int(step).is_some_and(|step| step > 0);
        upward.then(|| self.between(start, stop))?
    }

    /// What lies from one pointer up to another.
    #[must_use]
    pub fn between(&self, start: Value, stop: Value) -> Option<Segment<Symbol>> {
        let ((pointers, first), (others, last)) = (self.pointer(start)?, self.pointer(stop)?);
        (pointers == others).then_some(Segment { pointers: Symbol::Value(pointers), first, last })
    }

    /// The array that a value is loaded from, which no iteration writes to, and at which index, which moves as the loop's does.
    fn pointer(&self, value: Value) -> Option<(Value, Poly)> {
        let data = &self.func.ops[self.func.def_op(value)?];
        let dtype = self.func.ty(value).dtype()?;
        let &[array, at] = data.args.as_slice() else {
            let widened = data.kind == OpKind::Cast && dtype == DType::I64;
            return widened.then(|| self.pointer(data.args[0]))?;
        };
        let is_load = matches!(data.kind, OpKind::Load | OpKind::LoadRaw) && is_pointer(dtype);
        let is_still = !self.indices.is_inside(array)
            && !self.memory.effects(self.pfor).writes.intersects(self.memory.classes(array));
        let place = self.indices.poly(at).filter(|_| is_load && is_still)?;
        let (factor, rest) = place.split(self.indices.index())?;
        let is_outside = |symbol| match symbol {
            Symbol::Value(value) | Symbol::Length(value, _) => !self.indices.is_inside(value),
            Symbol::Iteration(_) | Symbol::LastIteration(_) => false,
        };
        let moves = factor.as_i64() == Some(1) && rest.symbols().all(is_outside);
        moves.then_some((array, place))
    }
}

/// Whether all numbers of the type are ones of int64.
const fn is_pointer(dtype: DType) -> bool {
    dtype.is_int() && !matches!(dtype, DType::U64)
}

/// The segment around several of one array of pointers, which lie a constant number of pointers from each other.
#[must_use]
pub fn around<'s>(mut all: impl Iterator<Item = Option<&'s Segment<Symbol>>>) -> Option<Segment<Symbol>> {
    let mut found = all.next()??.clone();
    for segment in all {
        let segment = segment.filter(|segment| segment.pointers == found.pointers)?;
        if segment.first.sub(&found.first)?.as_i64()? < 0 {
            found.first = segment.first.clone();
        }
        if segment.last.sub(&found.last)?.as_i64()? > 0 {
            found.last = segment.last.clone();
        }
    }
    Some(found)
}

/// Whether each iteration's segment ends where the next one's begins, or before.
#[must_use]
pub fn are_apart(segment: &Segment<Symbol>) -> bool {
    let length = segment.last.sub(&segment.first).and_then(|length| length.as_i64());
    length.is_some_and(|length| length <= 1)
}
