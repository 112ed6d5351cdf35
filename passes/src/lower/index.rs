//! Element accesses: negative indices, bounds checks, raw loads and stores.
//!
//! ```text
//! %v = load %a, %i     ⇒     %w = select (lt %i, 0), (add %i, %n), %i
//!                            check %w below %n, IndexError "index {0} is out of bounds for axis 0 with size {1}"
//!                            %v = loadraw %a, %w
//! ```

use pydd_ir::{DType, ElemOp, Entity, Exc, Op, OpKind, ReduceOp, Value};

use super::{Fact, Lower};

/// How the message of a check of an index begins.
pub const OUT_OF_BOUNDS: &str = "index {0} is out of bounds for axis";

impl Lower<'_> {
    pub(super) fn load(&mut self, op: Op) {
        let args = self.args(op);
        let indices = self.checked_indices(args[0], &args[1..]);
        let result = self.src.result(op);
        // An element that nobody uses is only looked for.
        if self.used[result.index()] {
            let value = self.load_raw(args[0], &indices);
            self.define(result, value);
        }
    }

    pub(super) fn store(&mut self, op: Op) {
        let args = self.args(op);
        let indices = self.checked_indices(args[0], &args[2..]);
        self.store_raw(args[0], args[1], &indices);
    }

    pub(super) fn update(&mut self, op: Op, reduce: ReduceOp) {
        let args = self.args(op);
        let indices = self.checked_indices(args[0], &args[2..]);
        self.write_raw(OpKind::UpdateRaw(reduce), args[0], args[1], &indices);
    }

    fn checked_indices(&mut self, array: Value, indices: &[Value]) -> Vec<Value> {
        let dims = self.array(array).dims.clone();
        indices
            .iter()
            .zip(dims)
            .enumerate()
            .map(|(axis, (&i, dim))| self.checked_index(i, dim, axis))
            .collect()
    }

    /// The position in `0..dim` that a Python index names; raises IndexError where there is none.
    pub(super) fn checked_index(&mut self, index: Value, dim: Value, axis: usize) -> Value {
        if let Some(&position) = self.known.checked.get(&(index, dim)) {
            return position;
        }
        let position = self.wrapped(index, dim);
        let proved = self.not_negative(position, dim) && self.below(position, dim);
        if !proved {
            let message = format!("{OUT_OF_BOUNDS} {axis} with size {{1}}");
            let ok = self.in_range(position, dim);
            self.b.check(ok, Exc::IndexError, &message, &[index, dim]);
        }
        self.known.checked.insert((index, dim), position);
        self.known.log.push(Fact::Checked(index, dim));
        position
    }

    /// Counts negative indices from the end.
    fn wrapped(&mut self, index: Value, dim: Value) -> Value {
        if self.not_negative(index, dim) {
            return index;
        }
        let from_end = self.add(index, dim);
        if self.b.func.as_int(index).is_some_and(|n| n < 0) {
            return from_end;
        }
        let zero = self.int(0);
        let negative = self.less(index, zero);
        self.b.select(negative, from_end, index)
    }

    /// `0 <= index < dim`, as one unsigned comparison.
    fn in_range(&mut self, index: Value, dim: Value) -> Value {
        if self.not_negative(index, dim) {
            return self.less(index, dim);
        }
        let (index, dim) = (self.b.cast(index, DType::U64), self.b.cast(dim, DType::U64));
        self.b.elem(ElemOp::Lt, &[index, dim])
    }
}
