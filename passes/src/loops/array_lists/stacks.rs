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
//! keep them all. Of arrays that have other names as well (the state of a simulation that goes on with it) the list has
//! copies, where nobody writes to them any more ([`settled`](super::settled)).

use std::collections::BTreeSet;

use pydd_ir::facts::is_nonnegative;
use pydd_ir::rewrite::{Layout, Replacements, Uses, build_before, replace_op};
use pydd_ir::{Builder, ElemOp, Exc, Function, Op, OpKind, Type, Value};

use super::settled::{only_read, settled_lengths};
use super::{Begun, Plan, Writer, place, plan};
use crate::analysis::patterns::elements_alone;

/// A list of arrays.
pub(super) struct Stack {
    rows: Plan,
    arrays: Arrays,
}

enum Arrays {
    /// What makes an array, which is one of the rows from the beginning.
    Placed(Op),
    /// The lengths of arrays that become rows where they are appended, and their type.
    Copied(Vec<Value>, Type),
}

/// A length of which arrays of no rows may be.
const FEW: i64 = 1 << 16;
/// Axes of the array that is made, at most.
const MOST_AXES: u8 = 4;

pub(super) fn stack(func: &Function, layout: &Layout, uses: &Uses, list: Op) -> Option<Stack> {
    let rows = plan(func, layout, uses, list)?;
    let is = |kind: OpKind| move |op: &&Op| func.ops[**op].kind == kind;
    let appends: BTreeSet<Op> = rows.users.iter().filter(is(OpKind::ListAppend)).copied().collect();
    if !rows.handed.is_empty()
        || rows.users.iter().any(|op| func.ops[*op].kind == OpKind::ListSet)
        || !func.ops[list].args.is_empty()
    {
        return None;
    }
    let array = func.ops[*appends.first()?].args[1];
    if !(1..MOST_AXES).contains(&func.ty(array).rank()) {
        return None;
    }
    let mut gets = rows.users.iter().filter(is(OpKind::ListGet)).map(|&get| func.result(get));
    let is_there = |&axis: &Value| layout.dominates(func, axis, rows.first);
    if let Some(made) = placed(func, layout, uses, &rows, &appends)
        && func.ops[made].args.iter().all(is_there)
        && gets.clone().all(|row| elements_alone(func, uses, row, None))
    {
        return Some(Stack { rows, arrays: Arrays::Placed(made) });
    }
    let lengths = settled_lengths(func, layout, uses, &appends)?;
    let fits = lengths.iter().all(|axis| func.as_int(*axis).is_some() || is_there(axis))
        && gets.all(|row| only_read(func, uses, row));
    fits.then(|| Stack { arrays: Arrays::Copied(lengths, func.ty(array)), rows })
}

/// What makes the arrays, if that is one operation, beside the only one that appends, and nobody else has them.
fn placed(func: &Function, layout: &Layout, uses: &Uses, rows: &Plan, appends: &BTreeSet<Op>) -> Option<Op> {
    let (1, Some(&append)) = (appends.len(), appends.first()) else { return None };
    let array = func.ops[append].args[1];
    let made = func.def_op(array)?;
    let fits = matches!(func.ops[made].kind, OpKind::Empty | OpKind::Zeros)
        && layout.block_of(made) == layout.block_of(append)
        && layout.block_of(made) != Some(rows.home)
        && elements_alone(func, uses, array, Some(append));
    fits.then_some(made)
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
    fn new(b: &mut Builder<'_>, count: Value, kind: OpKind, axes: Vec<Value>, ty: Type) -> Self {
        let (dtype, none) = (ty.dtype().expect("arrays have elements"), b.int(0));
        // Where there are no rows, they may be of any length.
        let some = b.elem(ElemOp::Lt, &[none, count]);
        let mut lengths = Vec::new();
        for &axis in &axes {
            let length = match is_nonnegative(b.func, axis) {
                true => axis,
                false => b.elem(ElemOp::Max, &[axis, none]),
            };
            let few = b.func.as_int(axis).is_some_and(|length| length <= FEW);
            lengths.push(if few { length } else { b.select(some, length, none) });
        }
        let all = [&[count], &lengths[..]].concat();
        let array = b.value(kind, all, Type::array(dtype, ty.rank() + 1));
        let mut bytes = b.int(i64::try_from(dtype.size()).expect("elements are small"));
        let mut strides = Vec::new();
        for &axis in lengths.iter().rev() {
            strides.push(bytes);
            bytes = b.mul(bytes, axis);
        }
        strides.reverse();
        // Where there is a row, no length is negative.
        Self { array, lengths: axes, strides, bytes, ty, views: Vec::new() }
    }

    /// One of them.
    fn row(&mut self, b: &mut Builder<'_>, at: Value) -> Value {
        let start = b.mul(at, self.bytes);
        let args = [&[self.array, start], &self.lengths[..], &self.strides[..]].concat();
        let view = b.value(OpKind::RawView, args, self.ty);
        self.views.push((view, at));
        view
    }

    /// Copies an array into a row.
    fn copy(&self, b: &mut Builder<'_>, array: Value, at: Value, indices: &mut Vec<Value>) {
        let Some(&length) = self.lengths.get(indices.len()) else {
            let item = Type::Scalar(self.ty.dtype().expect("arrays have elements"));
            let element = b.value(OpKind::LoadRaw, [&[array], &indices[..]].concat(), item);
            b.effect(OpKind::StoreRaw, [&[self.array, element, at], &indices[..]].concat());
            return;
        };
        let range = [b.int(0), length, b.int(1)];
        b.for_loop(range, &[], |b, index, _| {
            indices.push(index);
            self.copy(b, array, at, indices);
            indices.pop();
            vec![]
        });
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
    let Stack { rows, arrays } = stack;
    let Begun { mut b, rest, count, lengths } = Begun::new(func, rows);
    let mut all = match arrays {
        Arrays::Placed(made) => {
            let data = b.func.ops[*made].clone();
            let ty = b.func.ty(data.results[0]);
            Rows::new(&mut b, count, data.kind, data.args, ty)
        }
        Arrays::Copied(axes, ty) => {
            // Constants may be written further down.
            let axes =
                axes.iter().map(|&axis| b.func.as_int(axis).map_or(axis, |axis| b.int(axis))).collect();
            Rows::new(&mut b, count, OpKind::Empty, axes, *ty)
        }
    };
    let none = b.int(0);

    let mut own = none;
    let mut writer = Writer {
        users: &rows.users,
        lengths,
        replacements: Replacements::default(),
        access: &mut |b, op, length| match b.func.ops[op].kind {
            OpKind::ListAppend => {
                own = length;
                if let Arrays::Copied(..) = arrays {
                    all.copy(b, b.func.ops[op].args[1], length, &mut Vec::new());
                }
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
    if let &Arrays::Placed(made) = arrays {
        take_place(func, made, own, &mut all);
    }
    all.look_through(func);
}

/// Makes an array a row: which one is known where an iteration begins.
fn take_place(func: &mut Function, made: Op, own: Value, all: &mut Rows) {
    let axes: BTreeSet<Value> = func.ops[made].args.iter().copied().collect();
    let row = build_before(func, made, |b| {
        let none = b.int(0);
        for axis in axes {
            if !is_nonnegative(b.func, axis) {
                let fits = b.elem(ElemOp::Le, &[none, axis]);
                b.check(fits, Exc::ValueError, "negative dimensions are not allowed", &[]);
            }
        }
        all.row(b, own)
    });
    replace_op(func, made, &[row]);
}
