//! Splits a `pfor` that combines values into elements of arrays, so that each part has arrays of its own.
//!
//! ```text
//! pfor[| reduced sum] 0, %n, 1, %h {  if %parts >= 4 {
//! (%i: i64):                             %own = empty %parts, (dim %h)
//!     %k = load %c, %i                   pfor[| sliced write [i, :]] 0, %parts, 1, %own {
//!     %x = load %h, %k                   (%p: i64):
//!     %y = add %x, 1               ⇒         %mine = view[at] %own, %p        assign %mine, 0
//!     store %h, %y, %k                       for (the part's iterations) { … %h is %mine … }
//! }                                      }
//!                                        (%own[%p] += %own[%p + 1], then + 2, + 4 and so on)
//!                                        assign %h, %h + %own[0]
//!                                    } else { the loop in order }
//! ```
//!
//! How many parts there are is decided by the number of iterations, their cost and the size of the arrays, never
//! by the number of threads, and they are combined in a balanced tree, neighbours first. So results do not depend on
//! threads. A part of `min`, `max`, `and` and `or` starts from a copy of the array: to combine an element with itself
//! changes nothing. Sums of floats start from -0.0, which added to anything gives just that.
//!
//! In functions for devices the loop stays beside that as a whole, with updates that threads of a device do at once (`on_device`).
//!
//! Where a loop is not worth it, or what it does with arrays is not understood after inlining, it stays as it is:
//! it runs in order. So does one that reduces into an array that may be another one, as arguments of general versions may.

mod on_device;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::cost::Cost;
use pydd_ir::poly::Poly;
use pydd_ir::rewrite::{Layout, ValueMap, captures, choose, clone_block};
use pydd_ir::sharing::{Footprint, Sharing, Span, Symbol, Table};
use pydd_ir::{
    Block, Builder, DType, ElemOp, Function, Level, Literal, Module, Op, OpKind, Parallel, ReduceOp, Type,
    Value,
};

use crate::array::parts::{self, Work};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "privatize",
    summary: "give parts of parallel loops arrays of their own to reduce into",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// Bounds further from 0 are left to the loop in order, lest a length overflows.
const MOST_BOUND: i64 = 1 << 40;
/// Views of more axes are not made.
const MOST_AXES: u8 = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut() {
        // A copy holds the loops within it once more, so outer loops come first and each is looked at once.
        let loops: Vec<Op> = func.all_ops().into_iter().filter(|&op| reduces_into_arrays(func, op)).collect();
        for op in loops {
            if let Some(split) = plan(func, &summaries, op) {
                report::privatized(cx, func, op, split.arrays.iter().map(|(array, _)| *array));
                on_device::offer(func, &summaries, op, &split.arrays);
                apply(func, op, &split);
            }
        }
    }
    Ok(())
}

fn reduces_into_arrays(func: &Function, op: Op) -> bool {
    matches!(&func.ops[op].kind, OpKind::PFor(parallel) if parallel.reduces_arrays())
}

/// The arrays that a loop reduces into, and how.
struct Split {
    arrays: Vec<(Value, ReduceOp)>,
    /// Other memory that the loop's table is about, as parts share it.
    others: Vec<(Value, Sharing<Symbol>)>,
    step: i64,
}

/// How to split the loop; nothing where that is not known to be right.
fn plan(func: &Function, summaries: &Summaries, op: Op) -> Option<Split> {
    let OpKind::PFor(Parallel { table: Some(table), .. }) = &func.ops[op].kind else { return None };
    let memory = MemoryInfo::new(func, summaries);
    let layout = Layout::new(func);
    let step = func.as_int(func.ops[op].args[2]);
    let step = step.filter(|step| *step != 0 && (-MOST_BOUND + 1..MOST_BOUND).contains(step))?;
    let (mut arrays, mut others) = (Vec::new(), Vec::new());
    for (&value, sharing) in func.table_args(op).iter().zip(&table.rows) {
        match sharing {
            Sharing::Reduced(reduce) => arrays.push((value, *reduce)),
            // Parts touch what their iterations touch, which is not said in terms of parts.
            Sharing::Sliced { writes: true, footprint } => {
                let all = Footprint(vec![Span::All; footprint.0.len()]);
                others.push((value, Sharing::Sliced { writes: true, footprint: all }));
            }
            Sharing::Sliced { .. } | Sharing::Invariant => others.push((value, Sharing::Invariant)),
            Sharing::Appended => others.push((value, Sharing::Appended)),
        }
    }
    let used = captures(func, &layout, op);
    let replaceable = |&(root, reduce): &(Value, ReduceOp)| {
        let by_name = used.iter().all(|&value| value == root || !memory.may_alias(value, root));
        let starts = func.ty(root).dtype().is_some_and(|dtype| start(reduce, dtype).is_some());
        used.contains(&root) && by_name && starts && func.ty(root).rank() < MOST_AXES
    };
    let all = arrays.iter().all(replaceable);
    (all && !arrays.is_empty()).then_some(Split { arrays, others, step })
}

/// What the elements of a part's own array start from.
enum Start {
    Number(Literal),
    /// The array's own elements.
    Copy,
}

fn start(reduce: ReduceOp, dtype: DType) -> Option<Start> {
    match (reduce, reduce.identity(dtype)) {
        // Complex infinities times 1 are not themselves.
        (ReduceOp::Prod, Some(_)) if dtype.is_complex() => None,
        (ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Xor, Some(_)) if dtype == DType::Bool => None,
        (ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Xor, Some(number)) => Some(Start::Number(number)),
        (ReduceOp::ArgMin | ReduceOp::ArgMax, _) => None,
        _ => Some(Start::Copy),
    }
}

/// Puts the loop and the one in parts side by side, and a choice before them.
fn apply(func: &mut Function, op: Op, split: &Split) {
    let data = func.ops[op].clone();
    let cost = Cost::of_iteration(func, &Layout::new(func), op);
    let worth = |b: &mut Builder<'_>| {
        let (count, is_small) = length(b, data.args[0], data.args[1], split.step);
        let work = work(b, split, &cost, count);
        let pays = work.pays(b);
        (b.elem(ElemOp::And, &[pays, is_small]), (work, count))
    };
    choose(func, op, worth, |b, (work, count)| {
        let parts = work.parts(b);
        split_loop(b, op, split, parts, count)
    });
    func.ops[op].kind = OpKind::For;
    func.ops[op].args.truncate(3 + data.results.len());
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

/// What is to be done in parts.
fn work(b: &mut Builder<'_>, split: &Split, cost: &Cost, count: Value) -> Work {
    let mut size = b.int(1);
    for &(array, _) in &split.arrays {
        let dims = parts::dims(b, array);
        let elements = parts::elements(b, &dims);
        size = b.add(size, elements);
    }
    let size = parts::clamped(b, size, parts::MOST_ELEMENTS);
    let each = cost.emit(b, Some(size));
    Work::new(b, count, each, size)
}

/// The loop in parts, and what they give together.
fn split_loop(b: &mut Builder<'_>, op: Op, split: &Split, parts: Value, count: Value) -> Vec<Value> {
    let data = b.func.ops[op].clone();
    let OpKind::PFor(parallel) = &data.kind else { return Vec::new() };
    let own: Vec<Value> = split
        .arrays
        .iter()
        .map(|&(array, _)| {
            let dtype = b.func.ty(array).dtype().expect("arrays have elements");
            let dims = parts::dims(b, array);
            parts::own_array(b, dtype, &dims, parts)
        })
        .collect();
    let (zero, one) = (b.int(0), b.int(1));
    let rounded = b.sub(parts, one);
    let rounded = b.add(count, rounded);
    let length = b.elem(ElemOp::FloorDiv, &[rounded, parts]);

    let carried = &data.args[3..3 + data.results.len()];
    let mut types = vec![Type::I64];
    types.extend(carried.iter().map(|&value| b.func.ty(value)));
    let body = b.region(&types, |b, params| {
        let mut values = ValueMap::default();
        for (&(array, reduce), &own) in split.arrays.iter().zip(&own) {
            let mine = parts::part(b, own, params[0]);
            fill(b, mine, array, reduce);
            values.insert(array, mine);
        }
        let results = part_loop(b, op, split.step, values, params, length);
        b.effect(OpKind::Continue(0), results);
    });
    let table = parts_table(b, split, &own);
    let kind = OpKind::PFor(Parallel { reduce: parallel.reduce.clone(), table: Some(table.0) });
    let args = [&[zero, parts, one], carried, &table.1].concat();
    let results: Vec<Type> = data.results.iter().map(|&result| b.func.ty(result)).collect();
    let parted = b.op(kind, args, &results, vec![body]);
    for (&(array, reduce), &own) in split.arrays.iter().zip(&own) {
        let all = parts::combined(b, own, parts, reduce);
        parts::combine_into(b, array, all, reduce);
    }
    b.func.ops[parted].results.clone()
}

/// How parts share memory, and the operands of their table.
fn parts_table(b: &Builder<'_>, split: &Split, own: &[Value]) -> (Table, Vec<Value>) {
    let (mut rows, mut operands) = (Vec::new(), Vec::new());
    for &own in own {
        let index = Poly::symbol(Symbol::Index);
        let mut spans = vec![Span::Range(index.clone(), index)];
        spans.resize(usize::from(b.func.ty(own).rank()), Span::All);
        rows.push(Sharing::Sliced { writes: true, footprint: Footprint(spans) });
        operands.push(own);
    }
    for (value, sharing) in &split.others {
        rows.push(sharing.clone());
        operands.push(*value);
    }
    (Table { rows }, operands)
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
