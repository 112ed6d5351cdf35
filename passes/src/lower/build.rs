//! Scalar arithmetic that folds constants, and regions: what the lowerings write loop IR with.

use pydd_ir::{Block, ElemOp, OpKind, Type, Value};

use super::bounds::Range;
use super::{Fact, Lower};

impl Lower<'_> {
    /// An i64 constant, made once for each block that needs it.
    pub(super) fn int(&mut self, value: i64) -> Value {
        if let Some(&known) = self.known.ints.get(&value) {
            return known;
        }
        let made = self.b.int(value);
        self.known.ints.insert(value, made);
        self.known.log.push(Fact::Int(value));
        made
    }

    /// Whether two i64 values are certainly equal.
    pub(super) fn same(&self, a: Value, b: Value) -> bool {
        a == b || matches!((self.b.func.as_int(a), self.b.func.as_int(b)), (Some(x), Some(y)) if x == y)
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        match (self.b.func.as_int(a), self.b.func.as_int(b)) {
            (Some(x), Some(y)) => self.int(x.wrapping_add(y)),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.b.add(a, b),
        }
    }

    pub(super) fn sub(&mut self, a: Value, b: Value) -> Value {
        match (self.b.func.as_int(a), self.b.func.as_int(b)) {
            (Some(x), Some(y)) => self.int(x.wrapping_sub(y)),
            (_, Some(0)) => a,
            _ if a == b => self.int(0),
            _ => self.b.sub(a, b),
        }
    }

    pub(super) fn mul(&mut self, a: Value, b: Value) -> Value {
        match (self.b.func.as_int(a), self.b.func.as_int(b)) {
            (Some(x), Some(y)) => self.int(x.wrapping_mul(y)),
            (Some(1), _) => b,
            (_, Some(1)) => a,
            (Some(0), _) | (_, Some(0)) => self.int(0),
            _ => self.b.mul(a, b),
        }
    }

    pub(super) fn min(&mut self, a: Value, b: Value) -> Value {
        match (self.b.func.as_int(a), self.b.func.as_int(b)) {
            (Some(x), Some(y)) => self.int(x.min(y)),
            _ if a == b => a,
            _ => self.b.elem(ElemOp::Min, &[a, b]),
        }
    }

    pub(super) fn max(&mut self, a: Value, b: Value) -> Value {
        match (self.b.func.as_int(a), self.b.func.as_int(b)) {
            (Some(x), Some(y)) => self.int(x.max(y)),
            _ if a == b => a,
            _ => self.b.elem(ElemOp::Max, &[a, b]),
        }
    }

    /// The product of lengths; 1 of none.
    pub(super) fn product(&mut self, dims: &[Value]) -> Value {
        let one = self.int(1);
        dims.iter().fold(one, |product, &dim| self.mul(product, dim))
    }

    /// A comparison of i64 values; `None` where it certainly holds.
    pub(super) fn unless_same(&mut self, a: Value, b: Value) -> Option<Value> {
        if self.same(a, b) { None } else { Some(self.b.elem(ElemOp::Eq, &[a, b])) }
    }

    pub(super) fn equals(&mut self, a: Value, n: i64) -> Value {
        let n = self.int(n);
        self.b.elem(ElemOp::Eq, &[a, n])
    }

    pub(super) fn less(&mut self, a: Value, b: Value) -> Value {
        self.b.elem(ElemOp::Lt, &[a, b])
    }

    pub(super) fn or(&mut self, a: Value, b: Value) -> Value {
        self.b.elem(ElemOp::Or, &[a, b])
    }

    /// Whether all of these hold; `None` of nothing.
    pub(super) fn all(&mut self, conditions: &[Value]) -> Option<Value> {
        let (&first, rest) = conditions.split_first()?;
        Some(rest.iter().fold(first, |all, &c| self.b.elem(ElemOp::And, &[all, c])))
    }

    pub(super) fn check_value(&mut self, ok: Value, message: &str, payload: &[Value]) {
        self.check_shapes(ok, message, payload);
    }

    /// A new block; facts found in it are forgotten at its end.
    pub(super) fn region(&mut self, params: &[Type], build: impl FnOnce(&mut Self, &[Value])) -> Block {
        let block = self.b.func.new_block();
        let values: Vec<Value> = params.iter().map(|&ty| self.b.func.add_param(block, ty)).collect();
        let outer = std::mem::replace(&mut self.b.block, block);
        let mark = self.known.log.len();
        build(self, &values);
        self.known.forget_from(mark);
        self.b.block = outer;
        block
    }

    /// `for i in range(stop)` with carried values; `build` gives the next ones.
    pub(super) fn for_each(
        &mut self,
        stop: Value,
        init: &[Value],
        build: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let start = self.int(0);
        self.for_range(start, stop, init, build)
    }

    /// `for i in range(start, stop)` with carried values.
    pub(super) fn for_range(
        &mut self,
        start: Value,
        stop: Value,
        init: &[Value],
        build: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let one = self.int(1);
        self.for_step([start, stop, one], init, build)
    }

    pub(super) fn for_step(
        &mut self,
        range: [Value; 3],
        init: &[Value],
        build: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let carried: Vec<Type> = init.iter().map(|&v| self.b.func.ty(v)).collect();
        let mut params = vec![Type::I64];
        params.extend_from_slice(&carried);
        let [start, stop, step] = range;
        let body = self.region(&params, |lower, p| {
            lower.ranges.insert(p[0], Range { start, stop, step });
            let next = build(lower, p[0], &p[1..]);
            lower.b.effect(OpKind::Continue(0), next);
        });
        let mut args = vec![start, stop, step];
        args.extend_from_slice(init);
        let op = self.b.op(OpKind::For, args, &carried, vec![body]);
        self.b.func.ops[op].results.clone()
    }

    /// `if cond`, each side giving values of these types.
    pub(super) fn if_else(
        &mut self,
        cond: Value,
        types: &[Type],
        then: impl FnOnce(&mut Self) -> Vec<Value>,
        other: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let then = self.region(&[], |lower, _| {
            let values = then(lower);
            lower.b.effect(OpKind::Yield, values);
        });
        let other = self.region(&[], |lower, _| {
            let values = other(lower);
            lower.b.effect(OpKind::Yield, values);
        });
        let op = self.b.op(OpKind::If, vec![cond], types, vec![then, other]);
        self.b.func.ops[op].results.clone()
    }
}
