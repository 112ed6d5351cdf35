//! Scalar operations that array IR lets raise, and loops over a range.
//!
//! ```text
//! %q = floordiv %a, %b     ⇒     check (ne %b, 0), ZeroDivisionError "…"     %q = floordiv %a, %b
//! ```

use pydd_ir::{DType, ElemOp, Exc, Op, OpKind, Value};

use super::Lower;
use super::bounds::Range;

impl Lower<'_> {
    pub(super) fn scalar(&mut self, op: Op, elem: ElemOp) {
        let args = self.args(op);
        let value = self.checked_elem(elem, &args);
        self.define(self.src.result(op), value);
    }

    /// An elementwise operation on scalars, behind its check where it has one.
    pub(super) fn checked_elem(&mut self, elem: ElemOp, args: &[Value]) -> Value {
        let dtype = self.dtype(*args.last().expect("operations have operands"));
        if elem.may_raise(dtype) {
            self.check_operand(elem, args[1], dtype);
        }
        self.b.elem(elem, args)
    }

    fn check_operand(&mut self, elem: ElemOp, operand: Value, dtype: DType) {
        let known = self.b.func.as_int(operand);
        if elem == ElemOp::Pow {
            if dtype.is_signed_int() && known.is_none_or(|n| n < 0) {
                let zero = self.b.number(0.0, dtype);
                let ok = self.b.elem(ElemOp::Ge, &[operand, zero]);
                self.check_value(ok, "Integers to negative integer powers are not allowed.", &[]);
            }
        } else if known.is_none_or(|n| n == 0) {
            let zero = self.b.number(0.0, dtype);
            let ok = self.b.elem(ElemOp::Ne, &[operand, zero]);
            self.b.check(ok, Exc::ZeroDivisionError, "integer division or modulo by zero", &[]);
        }
    }

    /// `For` and `PFor`: the step is checked, the induction variable's range is remembered.
    pub(super) fn counted_loop(&mut self, op: Op) {
        let args = self.args(op);
        let (start, stop, step) = (args[0], args[1], args[2]);
        if self.b.func.as_int(step).is_none_or(|n| n == 0) {
            let zero = self.int(0);
            let ok = self.b.elem(ElemOp::Ne, &[step, zero]);
            self.check_value(ok, "range() arg 3 must not be zero", &[]);
        }
        let keep = |lower: &mut Self| {
            lower.keep(op, |lower, params| {
                lower.ranges.insert(params[0], Range { start, stop, step });
            });
            vec![]
        };
        let Some(short) = self.has_short_rows(op) else {
            keep(self);
            return;
        };
        let in_order = |lower: &mut Self| {
            lower.in_rows = true;
            let none = keep(lower);
            lower.in_rows = false;
            none
        };
        self.if_else(short, &[], in_order, keep);
    }

    /// In place of an exception that ends a `map`'s region.
    pub(super) fn always_raise(&mut self, end: Op) {
        let OpKind::Raise { exc, message } = self.src.ops[end].kind.clone() else { return };
        let never = self.b.bool(false);
        let args = [vec![never], self.args(end)].concat();
        self.b.effect(OpKind::Check { exc, message }, args);
    }
}
