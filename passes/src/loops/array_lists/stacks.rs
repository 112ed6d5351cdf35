//! Lists of arrays that are all made anew, and all of one shape: one array with an axis more.
//!
//! ```text
//! %l = list_new                                   %a = empty %n, %m
//! for %i in 0, %n {                               for %i in 0, %n {
//!     %r = empty %m                        ⇒          … store_raw %a, %x, %i, %j …
//!     … store_raw %r, %x, %j …                    }
//!     list_append %l, %r                          %z = load_raw %a, %k, %j
//! }
//! %y = list_get %l, %k
//! %z = load_raw %y, %j
//! ```
//!
//! Arrays are made at one place, beside where they are appended, and nothing but their elements is used: somebody who kept one would
//! keep them all.

use std::collections::BTreeSet;

use pydd_ir::facts::is_nonnegative;
use pydd_ir::rewrite::{Layout, Replacements, Uses, build_before, replace_op};
use pydd_ir::{Builder, ElemOp, Exc, Function, Op, OpKind, Type, Value};

use super::{Begun, Plan, Writer, place, plan};
use crate::analysis::patterns::elements_alone;

/// A list of arrays.
pub(super) struct Stack {
    rows: Plan,
    /// What makes an array.
    made: Op,
}

/// A length of which arrays of no rows may be.
const FEW: i64 = 1 << 16;
/// Axes of the array that is made, at most.
const MOST_AXES: u8 = 4;

pub(super) fn stack(func: &Function, layout: &Layout, uses: &Uses, list: Op) -> Option<Stack> {
    let rows = plan(func, layout, uses, list)?;
    let is = |kind: OpKind| move |op: &Op| func.ops[*op].kind == kind;
    let mut appends = rows.users.iter().copied().filter(is(OpKind::ListAppend));
    let (append, None) = (appends.next()?, appends.next()) else { return None };
    if !rows.handed.is_empty() || rows.users.iter().any(is(OpKind::ListSet)) {
        return None;
    }
    let array = func.ops[append].args[1];
    let made = func.def_op(array)?;
    let data = &func.ops[made];
    let mut gets = rows.users.iter().copied().filter(is(OpKind::ListGet));
    let fits = matches!(data.kind, OpKind::Empty | OpKind::Zeros)
        && (1..MOST_AXES).contains(&func.ty(array).rank())
        && layout.block_of(made) == layout.block_of(append)
        && layout.block_of(made) != Some(rows.home)
        && data.args.iter().all(|&axis| layout.dominates(func, axis, rows.first))
        && elements_alone(func, uses, array, Some(append))
        && gets.all(|get| elements_alone(func, uses, func.result(get), None));
    fits.then_some(Stack { rows, made })
}

/// The rows of an array, which have these lengths and strides and so many bytes.
struct Rows {
    array: Value,
    lengths: Vec<Value>,
    strides: Vec<Value>,
    bytes: Value,
    ty: Type,
    /// Rows as views, and which ones they are.
    views: Vec<(Value, Value)>,
}

impl Rows {
    /// Makes an array of so many.
    fn new(b: &mut Builder<'_>, count: Value, made: Op) -> Self {
        let data = b.func.ops[made].clone();
        let ty = b.func.ty(data.results[0]);
        let (dtype, none) = (ty.dtype().expect("arrays have elements"), b.int(0));
        // Where there are no rows, they may be of any length.
        let some = b.elem(ElemOp::Lt, &[none, count]);
        let mut lengths = Vec::new();
        for &axis in &data.args {
            let length = match is_nonnegative(b.func, axis) {
                true => axis,
                false => b.elem(ElemOp::Max, &[axis, none]),
            };
            let few = b.func.as_int(axis).is_some_and(|length| length <= FEW);
            lengths.push(if few { length } else { b.select(some, length, none) });
        }
        let axes = [&[count], &lengths[..]].concat();
        let array = b.value(data.kind, axes, Type::array(dtype, ty.rank() + 1));
        let mut bytes = b.int(i64::try_from(dtype.size()).expect("elements are small"));
        let mut strides = Vec::new();
        for &axis in lengths.iter().rev() {
            strides.push(bytes);
            bytes = b.mul(bytes, axis);
        }
        strides.reverse();
        // Where there is a row, no length is negative.
        Self { array, lengths: data.args, strides, bytes, ty, views: Vec::new() }
    }

    /// One of them.
    fn row(&mut self, b: &mut Builder<'_>, at: Value) -> Value {
        let start = b.mul(at, self.bytes);
        let args = [&[self.array, start], &self.lengths[..], &self.strides[..]].concat();
        let view = b.value(OpKind::RawView, args, self.ty);
        self.views.push((view, at));
        view
    }

    /// Elements of rows as those of the array.
    fn look_through(&self, func: &mut Function) {
        let uses = Uses::new(func);
        for &(view, at) in &self.views {
            for one in uses.of(view) {
                let args = func.ops[one.op].args.clone();
                match func.ops[one.op].kind {
                    OpKind::LoadRaw => func.ops[one.op].args = [&[self.array, at], &args[1..]].concat(),
                    OpKind::StoreRaw => {
                        func.ops[one.op].args = [&[self.array, args[1], at], &args[2..]].concat();
                    }
                    OpKind::Dim(axis) => replace_op(func, one.op, &[self.lengths[usize::from(axis)]]),
                    OpKind::Stride(axis) => replace_op(func, one.op, &[self.strides[usize::from(axis)]]),
                    _ => {}
                }
            }
        }
    }
}

pub(super) fn write(func: &mut Function, stack: &Stack) {
    let Stack { rows, made } = stack;
    let Begun { mut b, rest, count, lengths } = Begun::new(func, rows);
    let mut all = Rows::new(&mut b, count, *made);
    let none = b.int(0);

    let mut own = none;
    let mut writer = Writer {
        users: &rows.users,
        lengths,
        replacements: Replacements::default(),
        access: &mut |b, op, length| match b.func.ops[op].kind {
            OpKind::ListAppend => {
                own = length;
                None
            }
            OpKind::ListGet => {
                let index = b.func.ops[op].args[1];
                let at = place(b, index, length, "list index out of range");
                Some(all.row(b, at))
            }
            _ => Some(length),
        },
    };
    writer.ops(func, rows.home, rest, none);
    writer.replacements.apply(func);

    // Which row an iteration makes is known where it begins.
    let axes: BTreeSet<Value> = func.ops[*made].args.iter().copied().collect();
    let row = build_before(func, *made, |b| {
        for axis in axes {
            if !is_nonnegative(b.func, axis) {
                let fits = b.elem(ElemOp::Le, &[none, axis]);
                b.check(fits, Exc::ValueError, "negative dimensions are not allowed", &[]);
            }
        }
        all.row(b, own)
    });
    replace_op(func, *made, &[row]);
    all.look_through(func);
}
