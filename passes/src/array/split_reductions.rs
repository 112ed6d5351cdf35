//! Splits reductions along the first axes of arrays into parts, which threads may share (`--auto-parallel`).
//!
//! ```text
//!                                  if %parts >= 4 {
//!                                      %own = empty %parts, (dim[1] %a)
//!                                      pfor[| sliced write [i, :], invariant] 0, %parts, 1, %own, %a {
//!                                      (%p: i64):
//! %r = reduce[sum axes 0] %a   ⇒           assign %own[%p], (reduce[sum axes 0] of the part's rows of %a)
//!                                      }
//!                                      (%own[%p] += %own[%p + 1], then + 2, + 4 and so on)
//!                                      %r = copy %own[0]
//!                                  } else { the reduction as it is }
//! ```
//!
//! That is for results much smaller than what is reduced; wide ones are shared by columns when loops are loops of scalars (see
//! [`auto_parallel`](crate::loops::auto_parallel)). With `--strict-fp` sums of floats stay as they are. Positions (`argmin`) do as well.

use pydd_ir::alias::Summaries;
use pydd_ir::poly::Poly;
use pydd_ir::rewrite::{ValueMap, choose, clone_block};
use pydd_ir::sharing::{Footprint, Sharing, Span, Symbol, Table};
use pydd_ir::{
    Builder, DType, ElemOp, Function, IndexItem, Level, MapTarget, Module, Op, OpKind, Parallel, ReduceOp,
    ReduceSpec, Type, Value,
};

use crate::analysis::independent::Finder;
use crate::array::parts::{self, Work};
use crate::loops::auto_parallel::report;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "split-reductions",
    summary: "split reductions along first axes into parts that threads may share",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// Threads of a device that each add up a column of a part, and rows of a part at least.
const DEVICE_THREADS: i64 = 1 << 17;
const DEVICE_ROWS: i64 = 16;
/// As [`MOST_COLUMNS`], where a thread adds up all of a part.
const DEVICE_MOST_COLUMNS: i64 = 256;
/// As that, where a thread adds up a column of a part: with more there are threads enough.
const DEVICE_COLUMNS: i64 = DEVICE_THREADS / 2;

/// A reduction, its operands that are cut, and how many rows these have.
type Rows<'a> = (Op, &'a [Value], Value);

/// Results of this many elements on are shared by columns.
const MOST_COLUMNS: i64 = 2048;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let strict = cx.options.strict_fp;
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut().filter(|func| cx.options.makes_parallel(func)) {
        let finder = Finder::new(func, &summaries, strict);
        let mut found = Vec::new();
        for op in func.all_ops() {
            let split = Split::of(func, op).filter(|split| !(strict && split.rounds(func, op)));
            found.extend(split.filter(|_| !is_in_parallel(&finder, op)).map(|split| (op, split)));
        }
        for (op, split) in found {
            report(cx, func.ops[op].loc);
            split.apply(func, op);
        }
    }
    Ok(())
}

/// Whether an operation stands in a loop that threads share, or will.
fn is_in_parallel(finder: &Finder<'_>, op: Op) -> bool {
    finder.layout.ancestors(op).any(|around| match finder.func.ops[around].kind {
        OpKind::PFor(_) => true,
        OpKind::For => finder.independent(around).is_some(),
        _ => false,
    })
}

/// A reduction along the first axis, and maybe others, of which some axis stays.
struct Split {
    spec: ReduceSpec,
    /// The rank of what is reduced.
    rank: u8,
}

impl Split {
    fn of(func: &Function, op: Op) -> Option<Self> {
        let data = &func.ops[op];
        let (OpKind::Reduce(spec) | OpKind::Map(MapTarget::Reduce(spec))) = &data.kind else { return None };
        let rank = data.args.iter().map(|&arg| func.ty(arg).rank()).max()?;
        let axes = spec.axes.as_ref()?;
        let fits = axes.first() == Some(&0) && axes.len() < usize::from(rank) && spec.op.step().is_some();
        let &[result] = data.results.as_slice() else { return None };
        (fits && func.ty(result).is_array()).then(|| Self { spec: spec.clone(), rank })
    }

    fn rounds(&self, func: &Function, op: Op) -> bool {
        let dtype = func.ty(func.ops[op].results[0]).dtype();
        let inexact = dtype.is_some_and(|dtype| dtype.is_float() || dtype.is_complex());
        matches!(self.spec.op, ReduceOp::Sum | ReduceOp::Prod) && inexact
    }

    fn apply(&self, func: &mut Function, op: Op) {
        let args = func.ops[op].args.clone();
        let result = func.ops[op].results[0];
        let dtype = func.ty(result).dtype().expect("an array");
        // Those that are cut; others are the same for all rows.
        let whole: Vec<Value> =
            args.iter().copied().filter(|&arg| func.ty(arg).rank() == self.rank).collect();
        let worth = |b: &mut Builder<'_>| {
            let axes = parts::dims(b, whole[0]);
            let rows = axes[0];
            let kept = self.result_dims(b, &axes);
            let (size, each) = (parts::elements(b, &kept), parts::elements(b, &axes[1..]));
            let one = b.int(1);
            let size = b.elem(ElemOp::Max, &[size, one]);
            let work = Work::new(b, rows, each, size);
            // Whether there are elements at all is asked in each part, and so its columns are one thread's.
            let is_asked = matches!(self.spec.op, ReduceOp::Min | ReduceOp::Max);
            let most = b.int(if b.func.device && is_asked { DEVICE_MOST_COLUMNS } else { MOST_COLUMNS });
            let (pays, mut narrow) = (work.pays(b), b.elem(ElemOp::Lt, &[size, most]));
            if b.func.device && !is_asked {
                let most = b.int(DEVICE_COLUMNS);
                let wanted = b.value(OpKind::DeviceWanted, vec![], Type::BOOL);
                let fits = b.elem(ElemOp::Lt, &[size, most]);
                let there = b.elem(ElemOp::And, &[wanted, fits]);
                narrow = b.elem(ElemOp::Or, &[narrow, there]);
            }
            let mut worth = b.elem(ElemOp::And, &[pays, narrow]);
            // What is stretched along the first axis, or does not fit at all, is left to the reduction as it is.
            for &other in &whole[1..] {
                for (axis, &length) in (0..).zip(&axes) {
                    let dim = b.dim(other, axis);
                    let same = b.elem(ElemOp::Eq, &[dim, length]);
                    worth = b.elem(ElemOp::And, &[worth, same]);
                }
            }
            // So is an axis of length 1 that others stretch.
            for &lower in args.iter().filter(|arg| !whole.contains(arg)) {
                let missing = usize::from(self.rank - b.func.ty(lower).rank());
                for (axis, &length) in (0..b.func.ty(lower).rank()).zip(&axes[missing..]) {
                    let dim = b.dim(lower, axis);
                    let (same, single) =
                        (b.elem(ElemOp::Eq, &[dim, length]), b.elem(ElemOp::Eq, &[dim, one]));
                    let fits = b.elem(ElemOp::Or, &[same, single]);
                    worth = b.elem(ElemOp::And, &[worth, fits]);
                }
            }
            (worth, (rows, kept, work))
        };
        choose(func, op, worth, |b, (rows, kept, work)| {
            let on_processor = |b: &mut Builder<'_>| {
                let parts = work.parts(b);
                let (own, parts) = self.each_part(b, (op, &whole, rows), parts, (dtype, &kept), 0);
                let all = parts::combined(b, own, parts, self.spec.op);
                b.value(OpKind::Copy, vec![all], b.func.ty(result))
            };
            if !b.func.device {
                return vec![on_processor(b)];
            }
            let wanted = b.value(OpKind::DeviceWanted, vec![], Type::BOOL);
            let sides = [
                b.region(&[], |b, _| {
                    let all = self.on_device(b, (op, &whole, rows), dtype, &kept);
                    b.effect(OpKind::Yield, vec![all]);
                }),
                b.region(&[], |b, _| {
                    let all = on_processor(b);
                    b.effect(OpKind::Yield, vec![all]);
                }),
            ];
            let ty = b.func.ty(result);
            let chosen = b.op(OpKind::If, vec![wanted], &[ty], sides.to_vec());
            b.func.ops[chosen].results.clone()
        });
    }

    /// More parts, whose results lie beside each other, so that neighbouring threads add them up.
    fn on_device(&self, b: &mut Builder<'_>, rows: Rows<'_>, dtype: DType, kept: &[Value]) -> Value {
        let size = parts::elements(b, kept);
        let one = b.int(1);
        let size = b.elem(ElemOp::Max, &[size, one]);
        let (threads, each) = (b.int(DEVICE_THREADS), b.int(DEVICE_ROWS));
        let by_size = b.elem(ElemOp::FloorDiv, &[threads, size]);
        let by_rows = b.elem(ElemOp::FloorDiv, &[rows.2, each]);
        let parts = b.elem(ElemOp::Min, &[by_size, by_rows]);
        let parts = b.elem(ElemOp::Max, &[parts, one]);
        let (own, _) = self.each_part(b, rows, parts, (dtype, kept), kept.len());
        let rank = b.func.ty(own).rank();
        let spec = ReduceSpec { op: self.spec.op, axes: Some(vec![rank - 1]), keepdims: false };
        b.value(OpKind::Reduce(spec), vec![own], Type::array(dtype, rank - 1))
    }

    /// Reduces parts of the rows, each into its place along an axis of an array; gives that, and how many there are.
    fn each_part(
        &self,
        b: &mut Builder<'_>,
        (op, whole, rows): Rows<'_>,
        parts: Value,
        (dtype, kept): (DType, &[Value]),
        axis: usize,
    ) -> (Value, Value) {
        let args = b.func.ops[op].args.clone();
        let length = in_parts(b, rows, parts);
        // None of them is empty.
        let parts = in_parts(b, rows, length);
        let mut dims = kept.to_vec();
        dims.insert(axis, parts);
        let rank = u8::try_from(kept.len()).expect("few axes");
        let own = b.value(OpKind::Empty, dims, Type::array(dtype, rank + 1));
        let all = IndexItem::Slice { start: false, stop: false, step: false };
        let place = OpKind::View([vec![all; axis].as_slice(), &[IndexItem::At]].concat());
        let (zero, one) = (b.int(0), b.int(1));
        let body = b.region(&[Type::I64], |b, params| {
            let low = b.mul(params[0], length);
            let end = b.add(low, length);
            let high = b.elem(ElemOp::Min, &[end, rows]);
            let block = self.of_rows(b, op, whole, [low, high]);
            let mine = b.value(place, vec![own, params[0]], Type::array(dtype, rank));
            b.effect(OpKind::Assign, vec![mine, block]);
            b.effect(OpKind::Continue(0), vec![]);
        });
        let (table, operands) = shared(b.func, own, axis, &args);
        let kind = OpKind::PFor(Parallel { reduce: Vec::new(), table: Some(table) });
        b.op(kind, [&[zero, parts, one], operands.as_slice()].concat(), &[], vec![body]);
        (own, parts)
    }

    /// The lengths of the result.
    fn result_dims(&self, b: &mut Builder<'_>, axes: &[Value]) -> Vec<Value> {
        let reduced = self.spec.axes.as_deref().unwrap_or_default();
        let length = |(axis, &length): (u8, &Value)| match (reduced.contains(&axis), self.spec.keepdims) {
            (false, _) => Some(length),
            (true, true) => Some(b.int(1)),
            (true, false) => None,
        };
        (0..).zip(axes).filter_map(length).collect()
    }

    /// The reduction of some rows.
    fn of_rows(&self, b: &mut Builder<'_>, op: Op, whole: &[Value], [low, high]: [Value; 2]) -> Value {
        let data = b.func.ops[op].clone();
        let args = data
            .args
            .iter()
            .map(|&arg| {
                if !whole.contains(&arg) {
                    return arg;
                }
                let rows = OpKind::View(vec![IndexItem::Slice { start: true, stop: true, step: false }]);
                b.value(rows, vec![arg, low, high], b.func.ty(arg))
            })
            .collect();
        let regions =
            data.regions.iter().map(|&region| clone_block(b.func, region, ValueMap::default())).collect();
        let ty = b.func.ty(data.results[0]);
        let made = b.op(data.kind, args, &[ty], regions);
        b.func.ops[made].results[0]
    }
}

/// `a / b`, rounded up.
fn in_parts(b: &mut Builder<'_>, all: Value, by: Value) -> Value {
    let one = b.int(1);
    let less = b.sub(by, one);
    let rounded = b.add(all, less);
    b.elem(ElemOp::FloorDiv, &[rounded, by])
}

/// How parts share memory, and the operands of the table: each has a place along an axis of `own`.
fn shared(func: &Function, own: Value, axis: usize, args: &[Value]) -> (Table, Vec<Value>) {
    let index = Poly::symbol(Symbol::Index);
    let mut spans = vec![Span::All; usize::from(func.ty(own).rank())];
    spans[axis] = Span::Range(index.clone(), index);
    let (mut rows, mut operands) =
        (vec![Sharing::Sliced { writes: true, footprint: Footprint(spans) }], vec![own]);
    for &arg in args {
        if func.ty(arg).is_array() && !operands.contains(&arg) {
            rows.push(Sharing::Invariant);
            operands.push(arg);
        }
    }
    (Table { rows }, operands)
}
