//! Strides as NumPy's iterator gives them to a new array (`npyiter_find_best_axis_ordering` of its `nditer_constr.c`, and
//! `PyArray_NewLikeArray` for copies): axes are inserted from the innermost on, each behind those that no operand moves along
//! in smaller steps. Of operands that differ those in row-major order win. It is straight code, since ranks are small.

use pydd_ir::{Block, Builder, ElemOp, Function, Keep, Op, OpKind, ReduceSpec, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

use super::order::{Order, Orders, follows_operands, is_copy, kept_axes, telling};

/// Lengths and strides of an array. Strides that are computed have the right order, and lengths of 1 any.
#[derive(Clone)]
struct Lie {
    dims: Vec<Value>,
    strides: Vec<Value>,
}

/// An axis that is sorted.
#[derive(Clone)]
struct Axis {
    number: Value,
    dim: Value,
    /// By operand, how far it moves.
    steps: Vec<Value>,
}

pub(super) struct Arranger<'a> {
    func: &'a mut Function,
    orders: &'a Orders,
    moved: BTreeSet<Op>,
    /// Results whose strides are asked for.
    exact: BTreeSet<Value>,
    /// Of temporaries.
    lies: BTreeMap<Value, Lie>,
    /// By operation, what comes behind it.
    code: BTreeMap<Op, Vec<Op>>,
    /// By result, the array in its place, and the assignment that fills it.
    laid_out: BTreeMap<Value, (Value, Op)>,
}

/// Code that was made: where the function's is to be changed.
pub(super) type Made = (BTreeMap<Op, Vec<Op>>, BTreeMap<Value, (Value, Op)>);

impl<'a> Arranger<'a> {
    pub fn new(
        func: &'a mut Function,
        orders: &'a Orders,
        moved: BTreeSet<Op>,
        exact: BTreeSet<Value>,
    ) -> Self {
        Self {
            func,
            orders,
            moved,
            exact,
            lies: BTreeMap::new(),
            code: BTreeMap::new(),
            laid_out: BTreeMap::new(),
        }
    }

    pub fn finish(self) -> Made {
        (self.code, self.laid_out)
    }

    pub fn arrange_all(&mut self) {
        let wanted = wanted(self.func, &self.moved);
        for op in self.func.all_ops() {
            if wanted.contains(&op) {
                let block = self.func.new_block();
                self.arrange(op, block);
                let made = std::mem::take(&mut self.func.blocks[block].ops);
                self.code.insert(op, made);
            }
        }
    }

    fn arrange(&mut self, op: Op, block: Block) {
        let result = self.func.result(op);
        let told = operands(self.func, &self.moved, op);
        let mut operands: Vec<Lie> = told.iter().map(|&v| self.lie(v, block, op)).collect();
        if let OpKind::Reduce(spec) = self.func.ops[op].kind.clone() {
            let mut b = Builder::new(self.func, block);
            operands.iter_mut().for_each(|lie| *lie = reduced(&mut b, lie, &spec));
        }
        let order = self.orders.at(result).clone();
        let is_copy = is_copy(self.func, op);
        let in_columns = self.func.ops[op].kind == OpKind::KeepOrder(Keep::Columns);
        let ty = self.func.ty(result);
        let told = told.first().map_or(ty, |&value| self.func.ty(value));
        let mut b = Builder::new(self.func, block);
        b.loc = b.func.ops[op].loc;
        let lengths = lengths(&mut b, op, &operands);
        let dims = broadcast(&mut b, &lengths, usize::from(ty.rank()));
        let order = match order {
            // Axes of length 1 have strides as well.
            Order::Axes(_) if self.exact.contains(&result) => Order::Any,
            order => order,
        };
        if let (Order::Axes(axes), true) = (&order, self.moved.contains(&op)) {
            let inner: Vec<Value> = axes.iter().map(|&axis| dims[usize::from(axis)]).collect();
            let made = b.value(OpKind::Empty, inner, ty);
            let place = |axis: u8| axes.iter().position(|&a| a == axis).and_then(|at| u8::try_from(at).ok());
            let back = (0..ty.rank()).filter_map(place).collect();
            let target = b.value(OpKind::Transpose(back), vec![made], ty);
            let assign = b.effect(OpKind::Assign, vec![target, result]);
            self.laid_out.insert(result, (target, assign));
            return;
        }
        let axes = match order {
            Order::Axes(axes) => axes
                .iter()
                .rev()
                .map(|&axis| usize::from(axis))
                .map(|axis| known(&mut b, axis, dims[axis]))
                .collect(),
            Order::Any if in_columns => columns_or_rows(&mut b, &dims, &operands[0], told),
            Order::Any => sorted(&mut b, &dims, &operands, is_copy),
            _ => (0..dims.len()).rev().map(|axis| known(&mut b, axis, dims[axis])).collect(),
        };
        let strides = strides(&mut b, &axes, ty);
        if self.moved.contains(&op) {
            let target = b.value(OpKind::EmptyStrided, [&dims[..], &strides].concat(), ty);
            let assign = b.effect(OpKind::Assign, vec![target, result]);
            self.laid_out.insert(result, (target, assign));
        } else {
            self.lies.insert(result, Lie { dims, strides });
        }
    }

    fn lie(&mut self, value: Value, block: Block, op: Op) -> Lie {
        if let Some(lie) = self.lies.get(&value) {
            return lie.clone();
        }
        let array = self.laid_out.get(&value).map_or(value, |&(array, _)| array);
        let mut b = Builder::new(self.func, block);
        b.loc = b.func.ops[op].loc;
        let axes = 0..b.func.ty(array).rank();
        let dims = axes.clone().map(|axis| b.dim(array, axis)).collect();
        let strides = axes.map(|axis| b.value(OpKind::Stride(axis), vec![array], Type::I64)).collect();
        Lie { dims, strides }
    }
}

/// Results that move, and the temporaries on whose order theirs depends.
pub(super) fn wanted(func: &Function, moved: &BTreeSet<Op>) -> BTreeSet<Op> {
    let mut wanted = BTreeSet::new();
    let mut waiting: Vec<Op> = moved.iter().copied().collect();
    while let Some(op) = waiting.pop() {
        if wanted.insert(op) {
            let makers = operands(func, moved, op).into_iter().filter_map(|v| func.def_op(v));
            waiting.extend(makers.filter(|&maker| follows_operands(func, maker)));
        }
    }
    wanted
}

/// The arrays of several axes that an operation goes over: of operands that are converted for it what they were.
pub(super) fn operands(func: &Function, moved: &BTreeSet<Op>, op: Op) -> Vec<Value> {
    let converts = matches!(func.ops[op].kind, OpKind::Cast | OpKind::KeepOrder(_));
    let args = telling(func, op).iter().copied().filter(|&arg| func.ty(arg).rank() > 1);
    args.map(|arg| match func.def_op(arg) {
        Some(maker) if !converts && func.ops[maker].kind == OpKind::Cast && !moved.contains(&maker) => {
            func.ops[maker].args[0]
        }
        _ => arg,
    })
    .collect()
}

/// What is left of an operand's axes.
fn reduced(b: &mut Builder<'_>, lie: &Lie, spec: &ReduceSpec) -> Lie {
    let (zero, one) = (b.int(0), b.int(1));
    let kept = kept_axes(spec, u8::try_from(lie.dims.len()).expect("ranks are small"));
    let pick = |of: &[Value], new: Value| {
        kept.iter().map(|axis| axis.map_or(new, |axis| of[usize::from(axis)])).collect::<Vec<_>>()
    };
    Lie { dims: pick(&lie.dims, one), strides: pick(&lie.strides, zero) }
}

/// The shapes of which the result's is made.
fn lengths(b: &mut Builder<'_>, op: Op, operands: &[Lie]) -> Vec<Vec<Value>> {
    let args = b.func.ops[op].args.clone();
    if matches!(b.func.ops[op].kind, OpKind::KeepOrder(_)) {
        return vec![(0..b.func.ty(args[0]).rank()).map(|axis| b.dim(args[0], axis)).collect()];
    }
    let mut lengths: Vec<Vec<Value>> = operands.iter().map(|lie| lie.dims.clone()).collect();
    for arg in args {
        if b.func.ty(arg).rank() == 1 {
            lengths.push(vec![b.dim(arg, 0)]);
        }
    }
    lengths
}

/// The shape of the result; that operands go together was checked.
fn broadcast(b: &mut Builder<'_>, lengths: &[Vec<Value>], rank: usize) -> Vec<Value> {
    let one = b.int(1);
    (0..rank)
        .map(|axis| {
            let mut here = lengths
                .iter()
                .filter(|dims| axis + dims.len() >= rank)
                .map(|dims| dims[axis + dims.len() - rank]);
            let first = here.next().expect("an operand has all axes");
            here.fold(first, |dim, other| {
                let is_one = b.elem(ElemOp::Eq, &[dim, one]);
                b.select(is_one, other, dim)
            })
        })
        .collect()
}

fn known(b: &mut Builder<'_>, axis: usize, dim: Value) -> Axis {
    Axis { number: b.int(i64::try_from(axis).expect("ranks are small")), dim, steps: Vec::new() }
}

/// The axes from the innermost to the outermost.
fn sorted(b: &mut Builder<'_>, dims: &[Value], operands: &[Lie], is_copy: bool) -> Vec<Axis> {
    let (zero, one) = (b.int(0), b.int(1));
    let mut axes: Vec<Axis> = Vec::new();
    for (axis, &dim) in dims.iter().enumerate().rev() {
        let mut next = known(b, axis, dim);
        for operand in operands {
            let missing = dims.len() - operand.dims.len();
            let Some(at) = axis.checked_sub(missing) else {
                next.steps.push(zero);
                continue;
            };
            let step = b.elem(ElemOp::Abs, &[operand.strides[at]]);
            next.steps.push(if is_copy {
                step
            } else {
                let single = b.elem(ElemOp::Eq, &[operand.dims[at], one]);
                b.select(single, zero, step)
            });
        }
        insert(b, &mut axes, &next, is_copy);
    }
    axes
}

/// The axes from the first on if an array of such elements lies so without gaps, and not as well from the last on; else these.
fn columns_or_rows(b: &mut Builder<'_>, dims: &[Value], told: &Lie, ty: Type) -> Vec<Axis> {
    let size = element_size(ty);
    let axes = || told.dims.iter().copied().zip(told.strides.iter().copied());
    let columns = without_gaps(b, axes(), size);
    let rows = without_gaps(b, axes().rev(), size);
    let others = b.elem(ElemOp::Not, &[rows]);
    let columns = b.elem(ElemOp::And, &[columns, others]);
    let forth: Vec<Axis> = dims.iter().enumerate().map(|(axis, &dim)| known(b, axis, dim)).collect();
    forth.iter().zip(forth.iter().rev()).map(|(first, last)| choose(b, columns, first, last)).collect()
}

/// Whether axes, lengths and strides, lie from the innermost on without gaps.
fn without_gaps(b: &mut Builder<'_>, axes: impl Iterator<Item = (Value, Value)>, size: i64) -> Value {
    let one = b.int(1);
    let (mut size, mut all) = (b.int(size), b.bool(true));
    for (dim, stride) in axes {
        let fits = b.elem(ElemOp::Eq, &[stride, size]);
        let single = b.elem(ElemOp::Eq, &[dim, one]);
        let fits = b.elem(ElemOp::Or, &[fits, single]);
        all = b.elem(ElemOp::And, &[all, fits]);
        size = b.mul(size, dim);
    }
    all
}

/// In bytes.
fn element_size(ty: Type) -> i64 {
    ty.dtype().map_or(1, |dtype| i64::try_from(dtype.size()).expect("small"))
}

/// Puts an axis in its place, which is found from the outermost one inwards.
fn insert(b: &mut Builder<'_>, axes: &mut Vec<Axis>, next: &Axis, is_copy: bool) {
    let mut goes_on = b.bool(true);
    let mut inside = Vec::new();
    for axis in axes.iter().rev() {
        let (is_known, is_inside) = compare(b, next, axis, is_copy);
        inside.push(b.elem(ElemOp::And, &[goes_on, is_inside]));
        let open = b.elem(ElemOp::Not, &[is_known]);
        let open = b.elem(ElemOp::Or, &[open, is_inside]);
        goes_on = b.elem(ElemOp::And, &[goes_on, open]);
    }
    inside.reverse();
    // By place, whether the axis goes there or further in.
    let mut before = b.bool(false);
    let mut moved: Vec<Axis> = Vec::new();
    for (at, axis) in axes.iter().enumerate() {
        let here = b.elem(ElemOp::Or, &[before, inside[at]]);
        let first =
            at.checked_sub(1).map_or_else(|| next.clone(), |last| choose(b, before, &axes[last], next));
        moved.push(choose(b, here, &first, axis));
        before = here;
    }
    let outermost = match axes.last() {
        Some(last) => choose(b, before, last, next),
        None => next.clone(),
    };
    moved.push(outermost);
    *axes = moved;
}

/// Whether any operand tells which of two axes is further in, and whether it is the first.
fn compare(b: &mut Builder<'_>, first: &Axis, second: &Axis, is_copy: bool) -> (Value, Value) {
    let zero = b.int(0);
    let (mut is_known, mut is_outside) = (b.bool(is_copy), b.bool(false));
    for (&own, &other) in first.steps.iter().zip(&second.steps) {
        let mut outside = b.elem(ElemOp::Le, &[other, own]);
        if !is_copy {
            // What does not move says nothing.
            let own_moves = b.elem(ElemOp::Ne, &[own, zero]);
            let other_moves = b.elem(ElemOp::Ne, &[other, zero]);
            let tells = b.elem(ElemOp::And, &[own_moves, other_moves]);
            is_known = b.elem(ElemOp::Or, &[is_known, tells]);
            outside = b.elem(ElemOp::And, &[tells, outside]);
        }
        is_outside = b.elem(ElemOp::Or, &[is_outside, outside]);
    }
    let not_outside = b.elem(ElemOp::Not, &[is_outside]);
    let is_inside = b.elem(ElemOp::And, &[is_known, not_outside]);
    (is_known, is_inside)
}

fn choose(b: &mut Builder<'_>, cond: Value, then: &Axis, other: &Axis) -> Axis {
    let steps =
        then.steps.iter().zip(&other.steps).map(|(&then, &other)| b.select(cond, then, other)).collect();
    Axis {
        number: b.select(cond, then.number, other.number),
        dim: b.select(cond, then.dim, other.dim),
        steps,
    }
}

/// The strides of an array without gaps whose axes lie in this order.
fn strides(b: &mut Builder<'_>, axes: &[Axis], ty: Type) -> Vec<Value> {
    let mut stride = b.int(element_size(ty));
    let mut by_place = Vec::new();
    for axis in axes {
        by_place.push((axis.number, stride));
        stride = b.mul(stride, axis.dim);
    }
    (0..axes.len())
        .map(|axis| {
            let number = b.int(i64::try_from(axis).expect("ranks are small"));
            let mut places = by_place.iter();
            let first = places.next().expect("several axes").1;
            places.fold(first, |found, &(at, stride)| {
                let is_here = b.elem(ElemOp::Eq, &[at, number]);
                b.select(is_here, stride, found)
            })
        })
        .collect()
}
