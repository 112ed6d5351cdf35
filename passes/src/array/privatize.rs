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
//! Where a loop is not worth it, or what it does with arrays is not understood after inlining, it stays as it is:
//! it runs in order. General versions, which are to be small, stay so too.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::cost::Cost;
use pydd_ir::poly::Poly;
use pydd_ir::rewrite::{Layout, Replacements, ValueMap, captures, clone_block, position};
use pydd_ir::sharing::{Footprint, Sharing, Span, Symbol, Table};
use pydd_ir::{
    Block, Builder, DType, ElemOp, Function, IndexItem, Level, Literal, Module, Op, OpKind, Parallel,
    ReduceOp, Type, Value, Version,
};

use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "privatize",
    summary: "give parts of parallel loops arrays of their own to reduce into",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

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
/// Costs of an iteration beyond this are all the same.
const MOST_COST: i64 = 1 << 20;
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
    let step = match func.as_const(func.ops[op].args[2]) {
        Some(Literal::Int(step)) if *step != 0 && step.abs() < MOST_BOUND => *step,
        _ => return None,
    };
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
    let types: Vec<Type> = data.results.iter().map(|&result| func.ty(result)).collect();
    let cost = Cost::of_iteration(func, &Layout::new(func), op);
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
    func.ops[op].kind = OpKind::For;
    func.ops[op].args.truncate(3 + data.results.len());

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
fn parts(b: &mut Builder<'_>, split: &Split, cost: &Cost, count: Value) -> Value {
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
    let each = cost.emit(b, Some(size));
    let each = clamped(b, each, MOST_COST);
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
    limits.into_iter().reduce(|a, c| b.elem(ElemOp::Min, &[a, c])).expect("four limits")
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

    let carried = &data.args[3..3 + data.results.len()];
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
    let table = parts_table(b, split, &own);
    let kind = OpKind::PFor(Parallel { reduce: parallel.reduce.clone(), table: Some(table.0) });
    let args = [&[zero, parts, one], carried, &table.1].concat();
    let results: Vec<Type> = data.results.iter().map(|&result| b.func.ty(result)).collect();
    let parted = b.op(kind, args, &results, vec![body]);
    for (&(array, reduce), &own) in split.arrays.iter().zip(&own) {
        combine_parts(b, own, parts, reduce);
        let first = part(b, own, zero);
        combine_into(b, array, first, reduce);
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

/// Combines the arrays of neighbouring parts, then those of pairs, and so on; the first part's is the result.
fn combine_parts(b: &mut Builder<'_>, own: Value, parts: Value, reduce: ReduceOp) {
    let (one, two) = (b.int(1), b.int(2));
    let outer = b.region(&[Type::I64], |b, carried| {
        let distance = carried[0];
        let zero = b.int(0);
        let more = b.elem(ElemOp::Lt, &[distance, parts]);
        let go_on = b.region(&[], |b, _| {
            b.effect(OpKind::Yield, vec![]);
        });
        let leave = b.region(&[], |b, _| {
            b.effect(OpKind::Break(0), vec![]);
        });
        b.op(OpKind::If, vec![more], &[], vec![go_on, leave]);
        let stop = b.sub(parts, distance);
        let step = b.mul(distance, two);
        b.for_loop([zero, stop, step], &[], |b, index, _| {
            let other = b.add(index, distance);
            let (left, right) = (part(b, own, index), part(b, own, other));
            combine_into(b, left, right, reduce);
            Vec::new()
        });
        b.effect(OpKind::Continue(0), vec![step]);
    });
    b.op(OpKind::Loop, vec![one], &[], vec![outer]);
}

/// `array = array op part`, elementwise.
fn combine_into(b: &mut Builder<'_>, array: Value, part: Value, reduce: ReduceOp) {
    let operands = match reduce {
        // Of two zeros the one before, as in a loop that keeps the first.
        ReduceOp::Min | ReduceOp::Max => [part, array],
        _ => [array, part],
    };
    let combined = b.elem(reduce.step().expect("arrays are reduced by an operation"), &operands);
    b.effect(OpKind::Assign, vec![array, combined]);
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
