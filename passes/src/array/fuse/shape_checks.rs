//! What fused operations said about shapes, said by checks in their places, and how long their results were.

use pydd_ir::{Block, Builder, ElemOp, Exc, Function, Op, OpKind, Value};
use std::collections::BTreeMap;

use super::group::{Group, is_elementwise};
use crate::lower::{broadcast_message, shown};

fn arrays(func: &Function, op: Op) -> Vec<Value> {
    func.ops[op].args.iter().copied().filter(|&arg| func.ty(arg).is_array()).collect()
}

/// Puts the checks of a group before the operations whose they are. Gives the lengths that it computed for members' results.
pub(super) fn emit(
    func: &mut Function,
    group: &Group,
    places: &mut BTreeMap<Op, Vec<Op>>,
) -> BTreeMap<Value, Vec<Value>> {
    let mut checks = Checks { func, places, dims: BTreeMap::new() };
    for &op in &group.members {
        checks.emit_one(group, op);
    }
    match checks.func.ops[group.root].kind {
        OpKind::Assign => checks.emit_assign(group.root),
        _ if is_elementwise(checks.func, group.root) => checks.emit_one(group, group.root),
        _ => {}
    }
    checks.dims
}

/// Checks in the making.
struct Checks<'a> {
    func: &'a mut Function,
    /// By operation, what is to stand before it.
    places: &'a mut BTreeMap<Op, Vec<Op>>,
    /// Lengths that were computed for members.
    dims: BTreeMap<Value, Vec<Value>>,
}

/// Lengths of an operand: those that were computed for a member, else `dim`s.
fn lengths(b: &mut Builder<'_>, dims: &BTreeMap<Value, Vec<Value>>, array: Value) -> Vec<Value> {
    match dims.get(&array) {
        Some(known) => known.clone(),
        None => (0..b.func.ty(array).rank()).map(|axis| b.dim(array, axis)).collect(),
    }
}

impl Checks<'_> {
    /// Runs `build` on a new block and puts what it made before `op`.
    fn before<R>(
        &mut self,
        op: Op,
        build: impl FnOnce(&mut Builder<'_>, &BTreeMap<Value, Vec<Value>>) -> R,
    ) -> R {
        let block: Block = self.func.new_block();
        let loc = self.func.ops[op].loc;
        let mut b = Builder { func: &mut *self.func, block, loc };
        let result = build(&mut b, &self.dims);
        let made = std::mem::take(&mut self.func.blocks[block].ops);
        self.places.entry(op).or_default().extend(made);
        result
    }

    fn emit_one(&mut self, group: &Group, op: Op) {
        let operands = arrays(self.func, op);
        let result = self.func.result(op);
        let unchecked = group.unchecked.contains(&op);
        let computed = self.before(op, |b, dims| {
            let all: Vec<Vec<Value>> = operands.iter().map(|&a| lengths(b, dims, a)).collect();
            let rank = all.iter().map(Vec::len).max().unwrap_or(0);
            let mut ok = None;
            let out: Vec<Value> =
                (0..rank).map(|axis| broadcast_axis(b, &all, rank, axis, &mut ok)).collect();
            if let (Some(ok), true) = (ok, unchecked) {
                let ranks: Vec<usize> = all.iter().map(Vec::len).collect();
                let lengths = all.concat();
                let message = broadcast_message(&ranks);
                let (message, payload) = shown(&message, &lengths);
                b.check(ok, Exc::ValueError, message, payload);
            }
            out
        });
        self.dims.insert(result, computed);
    }

    /// "could not broadcast input array from shape (3,) into shape (4,)".
    fn emit_assign(&mut self, op: Op) {
        let (target, source) = (self.func.ops[op].args[0], self.func.ops[op].args[1]);
        self.before(op, |b, dims| {
            let (from, to) = (lengths(b, dims, source), lengths(b, dims, target));
            let one = b.int(1);
            let mut ok = None;
            for (&from, &to) in from.iter().zip(&to) {
                let equal = b.elem(ElemOp::Eq, &[from, to]);
                let from_is_one = b.elem(ElemOp::Eq, &[from, one]);
                let fits = b.elem(ElemOp::Or, &[equal, from_is_one]);
                ok = Some(ok.map_or(fits, |ok| b.elem(ElemOp::And, &[ok, fits])));
            }
            if let Some(ok) = ok {
                let message = crate::lower::assign_message(from.len(), to.len());
                let lengths = [from, to].concat();
                let (message, payload) = shown(&message, &lengths);
                b.check(ok, Exc::ValueError, message, payload);
            }
        });
    }
}

/// The length of one axis of the result; `ok` collects the conditions.
pub(in crate::array) fn broadcast_axis(
    b: &mut Builder<'_>,
    all: &[Vec<Value>],
    rank: usize,
    axis: usize,
    ok: &mut Option<Value>,
) -> Value {
    let mut present = all.iter().filter(|d| axis + d.len() >= rank).map(|d| d[axis + d.len() - rank]);
    let mut out = present.next().expect("some operand has the axis");
    for other in present {
        let one = b.int(1);
        let equal = b.elem(ElemOp::Eq, &[out, other]);
        let out_is_one = b.elem(ElemOp::Eq, &[out, one]);
        let other_is_one = b.elem(ElemOp::Eq, &[other, one]);
        let stretched = b.elem(ElemOp::Or, &[out_is_one, other_is_one]);
        let fits = b.elem(ElemOp::Or, &[equal, stretched]);
        *ok = Some(ok.map_or(fits, |ok| b.elem(ElemOp::And, &[ok, fits])));
        out = b.select(out_is_one, other, out);
    }
    out
}
