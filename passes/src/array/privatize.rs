//! Splits a `pfor` that combines values into elements of arrays, so that each part has arrays of its own.
//!
//! ```text
//! pfor[arrays] 0, %n, 1 {            if %parts >= 4 {
//! (%i: i64):                             %own = empty %parts, (dim %h)
//!     %k = load %c, %i                   pfor 0, %parts, 1 {
//!     %x = load %h, %k                   (%p: i64):
//!     %y = add %x, 1               ⇒         %mine = view[at] %own, %p        assign %mine, 0
//!     store %h, %y, %k                       for (the part's iterations) { … %h is %mine … }
//! }                                      }
//!                                        for 0, %parts, 1 { assign %h, %h + %own[%p] }
//!                                    } else { the loop as it was }
//! ```
//!
//! How many parts there are is decided by the number of iterations, their cost and the size of the arrays, never
//! by the number of threads, and they are combined in the order of iterations. So results do not depend on
//! threads. A part of `min`, `max`, `and` and `or` starts from a copy of the array: to combine an element with itself
//! changes nothing. Sums of floats start from -0.0, which added to anything gives just that.
//!
//! Where a loop is not worth it, or what it does with arrays is not understood after inlining, it stays as it is:
//! backends run it in order. General versions, which are to be small, stay so too.

mod cost;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, ValueMap, captures, clone_block, position};
use pydd_ir::{
    Block, Builder, DType, ElemOp, Function, IndexItem, Level, Literal, Module, Op, OpKind, Parallel,
    ReduceOp, Type, Value, Version,
};

use crate::array::pfor::table::{Sharing, classify};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "privatize",
    summary: "give parts of parallel loops arrays of their own to reduce into",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// Parts of a loop at most: each costs memory, and time to combine.
const MOST_PARTS: i64 = 16;
/// Backends run a `pfor` of fewer iterations on one thread.
const LEAST_PARTS: i64 = 4;
/// Scalar operations worth a part.
const PART_COST: i64 = 1 << 17;
/// Scalar operations worth an element of a part's own arrays.
const ELEMENT_COST: i64 = 8;
/// Elements of all parts' own arrays at most.
const MOST_ELEMENTS: i64 = 1 << 23;
/// Bounds further from 0 are left to the loop in order, lest a length overflows.
const MOST_BOUND: i64 = 1 << 40;
/// Views of more axes are not made.
const MOST_AXES: u8 = 8;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut().filter(|func| func.version != Version::General) {
        // A copy holds the loops within it once more, so outer loops come first and each is looked at once.
        let loops: Vec<Op> = func.all_ops().into_iter().filter(|&op| reduces_into_arrays(func, op)).collect();
        for op in loops {
            if let Some(split) = plan(func, &summaries, op) {
                apply(func, op, &split);
            }
        }
    }
    Ok(())
}

fn reduces_into_arrays(func: &Function, op: Op) -> bool {
    matches!(&func.ops[op].kind, OpKind::PFor(parallel) if parallel.arrays)
}

/// The arrays that a loop reduces into, and how.
struct Split {
    arrays: Vec<(Value, ReduceOp)>,
    step: i64,
}

/// How to split the loop; nothing where that is not known to be right.
fn plan(func: &Function, summaries: &Summaries, op: Op) -> Option<Split> {
    let memory = MemoryInfo::new(func, summaries);
    let layout = Layout::new(func);
    let step = match func.as_const(func.ops[op].args[2]) {
        Some(Literal::Int(step)) if *step != 0 && step.abs() < MOST_BOUND => *step,
        _ => return None,
    };
    let mut arrays = Vec::new();
    for (root, sharing) in classify(func, &memory, op).rows {
        match sharing {
            Sharing::Contended(_) => return None,
            Sharing::Reduced(reduce) if func.ty(root).is_array() => arrays.push((root, reduce)),
            _ => {}
        }
    }
    let used = captures(func, &layout, op);
    let replaceable = |&(root, reduce): &(Value, ReduceOp)| {
        let by_name = used.iter().all(|&value| value == root || !memory.may_alias(value, root));
        let starts = func.ty(root).dtype().is_some_and(|dtype| start(reduce, dtype).is_some());
        used.contains(&root) && by_name && starts && func.ty(root).rank() < MOST_AXES
    };
    let all = arrays.iter().all(replaceable);
    (all && !arrays.is_empty()).then_some(Split { arrays, step })
}

/// What the elements of a part's own array start from.
enum Start {
    Number(Literal),
    /// The array's own elements.
    Copy,
}

fn start(reduce: ReduceOp, dtype: DType) -> Option<Start> {
    let number = |value: f64| match dtype {
        DType::Bool => None,
        dtype if dtype.is_complex() => Some(Literal::Complex(value.to_bits(), value.to_bits())),
        dtype if dtype.is_float() => Some(Literal::float(value)),
        _ if value == 1.0 => Some(Literal::Int(1)),
        _ => Some(Literal::Int(0)),
    };
    match reduce {
        ReduceOp::Sum | ReduceOp::Xor => number(-0.0).map(Start::Number),
        // Complex infinities times 1 are not themselves.
        ReduceOp::Prod if !dtype.is_complex() => number(1.0).map(Start::Number),
        ReduceOp::Min | ReduceOp::Max | ReduceOp::And | ReduceOp::Or | ReduceOp::All | ReduceOp::Any => {
            Some(Start::Copy)
        }
        ReduceOp::Prod | ReduceOp::ArgMin | ReduceOp::ArgMax => None,
    }
}

const fn operator(reduce: ReduceOp) -> ElemOp {
    match reduce {
        ReduceOp::Prod => ElemOp::Mul,
        ReduceOp::Min => ElemOp::Min,
        ReduceOp::Max => ElemOp::Max,
        ReduceOp::And | ReduceOp::All => ElemOp::And,
        ReduceOp::Or | ReduceOp::Any => ElemOp::Or,
        ReduceOp::Xor => ElemOp::Xor,
        _ => ElemOp::Add,
    }
}

/// Puts the loop and the one in parts side by side, and a choice before them.
fn apply(func: &mut Function, op: Op, split: &Split) {
    let data = func.ops[op].clone();
    let types: Vec<Type> = data.results.iter().map(|&result| func.ty(result)).collect();
    let cost = cost::Cost::of(func, op);
    let (block, index) = position(func, op).expect("the loop stands in a block");
    let rest = func.blocks[block].ops.split_off(index);

    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let (start, stop) = (data.args[0], data.args[1]);
    let (count, is_small) = length(&mut b, start, stop, split.step);
    let parts = parts(&mut b, split, &cost, count);
    let least = b.int(LEAST_PARTS);
    let enough = b.elem(ElemOp::Ge, &[parts, least]);
    let worth = b.elem(ElemOp::And, &[enough, is_small]);
    let in_parts = b.region(&[], |b, _| {
        let results = split_loop(b, op, split, parts, count);
        b.effect(OpKind::Yield, results);
    });
    let in_order = b.func.new_block();
    b.func.blocks[in_order].ops.push(op);
    let mut inner = Builder { func: &mut *b.func, block: in_order, loc: data.loc };
    let end = inner.effect(OpKind::Yield, data.results.clone());
    let choice = b.op(OpKind::If, vec![worth], &types, vec![in_parts, in_order]);
    func.blocks[block].ops.extend(rest.into_iter().skip(1));

    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &func.ops[choice].results.clone());
    replacements.apply(func);
    // The branch itself still yields the loop's own results.
    func.ops[end].args = data.results;
}

fn clamped(b: &mut Builder<'_>, value: Value, most: i64) -> Value {
    let most = b.int(most);
    b.elem(ElemOp::Min, &[value, most])
}

/// How many iterations there are, and whether the bounds are near enough to 0 that this is so.
fn length(b: &mut Builder<'_>, start: Value, stop: Value, step: i64) -> (Value, Value) {
    let (zero, far) = (b.int(0), b.int(MOST_BOUND));
    let (from, to) = if step > 0 { (start, stop) } else { (stop, start) };
    let span = b.sub(to, from);
    let (by, most) = (b.int(step.abs()), b.int(step.abs() - 1));
    let rounded = b.add(span, most);
    let count = b.elem(ElemOp::FloorDiv, &[rounded, by]);
    let count = b.elem(ElemOp::Max, &[count, zero]);
    let near = |b: &mut Builder<'_>, value: Value| {
        let back = b.elem(ElemOp::Neg, &[value]);
        let size = b.elem(ElemOp::Max, &[value, back]);
        // The least integer is its own negative.
        let above = b.elem(ElemOp::Ge, &[size, zero]);
        let below = b.elem(ElemOp::Le, &[size, far]);
        b.elem(ElemOp::And, &[above, below])
    };
    let (a, c) = (near(b, start), near(b, stop));
    (count, b.elem(ElemOp::And, &[a, c]))
}

/// The number of parts; below [`LEAST_PARTS`] where parts do not pay off.
fn parts(b: &mut Builder<'_>, split: &Split, cost: &cost::Cost, count: Value) -> Value {
    let mut size = b.int(1);
    for &(array, _) in &split.arrays {
        let mut elements = b.int(1);
        for axis in 0..b.func.ty(array).rank() {
            let dim = b.dim(array, axis);
            elements = b.mul(elements, dim);
        }
        size = b.add(size, elements);
    }
    let size = clamped(b, size, MOST_BOUND);
    let each = cost.emit(b, size);
    let count = clamped(b, count, 1 << 31);
    let work = b.mul(count, each);
    let worth = b.int(ELEMENT_COST);
    let copies = b.mul(size, worth);
    let (cost, most) = (b.int(PART_COST), b.int(MOST_ELEMENTS));
    let limits = [
        b.elem(ElemOp::FloorDiv, &[work, copies]),
        b.elem(ElemOp::FloorDiv, &[work, cost]),
        b.elem(ElemOp::FloorDiv, &[most, size]),
        count,
    ];
    let parts = limits.into_iter().reduce(|a, c| b.elem(ElemOp::Min, &[a, c])).expect("four limits");
    clamped(b, parts, MOST_PARTS)
}

/// The loop in parts, and what they give together.
fn split_loop(b: &mut Builder<'_>, op: Op, split: &Split, parts: Value, count: Value) -> Vec<Value> {
    let data = b.func.ops[op].clone();
    let OpKind::PFor(parallel) = &data.kind else { return Vec::new() };
    let own: Vec<Value> = split.arrays.iter().map(|&(array, _)| own_array(b, array, parts)).collect();
    let (zero, one) = (b.int(0), b.int(1));
    let rounded = b.sub(parts, one);
    let rounded = b.add(count, rounded);
    let length = b.elem(ElemOp::FloorDiv, &[rounded, parts]);

    let carried = &data.args[3..];
    let mut types = vec![Type::I64];
    types.extend(carried.iter().map(|&value| b.func.ty(value)));
    let body = b.region(&types, |b, params| {
        let mut values = ValueMap::default();
        for (&(array, reduce), &own) in split.arrays.iter().zip(&own) {
            let mine = part(b, own, params[0]);
            fill(b, mine, array, reduce);
            values.insert(array, mine);
        }
        let results = part_loop(b, op, split.step, values, params, length);
        b.effect(OpKind::Continue(0), results);
    });
    let kind = OpKind::PFor(Parallel { reduce: parallel.reduce.clone(), arrays: false });
    let args = [&[zero, parts, one], carried].concat();
    let results: Vec<Type> = data.results.iter().map(|&result| b.func.ty(result)).collect();
    let parted = b.op(kind, args, &results, vec![body]);
    for (&(array, reduce), &own) in split.arrays.iter().zip(&own) {
        b.for_loop([zero, parts, one], &[], |b, index, _| {
            let part = part(b, own, index);
            let operands = match reduce {
                // Of two zeros the one before, as in a loop that keeps the first.
                ReduceOp::Min | ReduceOp::Max => [part, array],
                _ => [array, part],
            };
            let combined = b.elem(operator(reduce), &operands);
            b.effect(OpKind::Assign, vec![array, combined]);
            Vec::new()
        });
    }
    b.func.ops[parted].results.clone()
}

/// The arrays of all parts, one after the other.
fn own_array(b: &mut Builder<'_>, array: Value, parts: Value) -> Value {
    let ty = b.func.ty(array);
    let mut dims = vec![parts];
    dims.extend((0..ty.rank()).map(|axis| b.dim(array, axis)));
    let dtype = ty.dtype().expect("arrays have elements");
    b.value(OpKind::Empty, dims, Type::array(dtype, ty.rank() + 1))
}

fn part(b: &mut Builder<'_>, own: Value, index: Value) -> Value {
    let ty = b.func.ty(own);
    let dtype = ty.dtype().expect("arrays have elements");
    b.value(OpKind::View(vec![IndexItem::At]), vec![own, index], Type::array(dtype, ty.rank() - 1))
}

fn fill(b: &mut Builder<'_>, mine: Value, array: Value, reduce: ReduceOp) {
    let dtype = b.func.ty(mine).dtype().expect("arrays have elements");
    let from = match start(reduce, dtype) {
        Some(Start::Number(literal)) => b.value(OpKind::Const(literal), vec![], Type::Scalar(dtype)),
        _ => array,
    };
    b.effect(OpKind::Assign, vec![mine, from]);
}

/// The iterations of one part, in order.
fn part_loop(
    b: &mut Builder<'_>,
    op: Op,
    step: i64,
    values: ValueMap,
    params: &[Value],
    length: Value,
) -> Vec<Value> {
    let data = b.func.ops[op].clone();
    let before = b.mul(params[0], length);
    let by = b.int(step);
    let gone = b.mul(before, by);
    let first = b.add(data.args[0], gone);
    let reach = b.mul(length, by);
    let end = b.add(first, reach);
    let nearer = if step > 0 { ElemOp::Min } else { ElemOp::Max };
    let stop = b.elem(nearer, &[end, data.args[1]]);
    let body: Block = clone_block(b.func, data.regions[0], values);
    let args = [&[first, stop, by], &params[1..]].concat();
    let types: Vec<Type> = data.results.iter().map(|&result| b.func.ty(result)).collect();
    let inner = b.op(OpKind::For, args, &types, vec![body]);
    b.func.ops[inner].results.clone()
}
