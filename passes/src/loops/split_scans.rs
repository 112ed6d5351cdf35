//! Runs loops that store what they have accumulated so far in blocks, for devices.
//!
//! ```text
//! %s = for %i in %lo, %hi, 1, carried %t = %a {        pfor %b: %sums[%b] = the values of block %b, combined
//!     %v = …                                           pfor %c: %heads[%c] = the sums of many blocks, combined
//!     %u = op %t, %v                           ⇒       for  %c: %heads[%c] = what was before %c; gives %s
//!     store_raw %r, %u, %i                             pfor %c: %sums[%b] = what was before %b, for its blocks
//!     continue %u                                      pfor %b: the loop over block %b, from %sums[%b] on
//! }
//! ```
//!
//! That is `np.cumsum` and the like, and loops that are written so. Values are computed twice, which takes a device less time than to copy an array. The loop itself stays beside it for where
//! nothing is on a device. Blocks are combined in the order of the iterations, so integers give the same; of floats, whose sums are made in
//! another order, only those without `--strict-fp` are.
//!
//! It leaves alone: products of floats, loops in which something may fail or that hold loops or branches, loops whose running value goes into what is added to it, loops that touch elements of other
//! iterations, loops that can be shared as a whole or stand in such, and what stores nothing.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::poly::Poly;
use pydd_ir::rewrite::{Cloner, choose};
use pydd_ir::sharing::{Footprint, Sharing, Span, Symbol, Table};
use pydd_ir::{
    Block, Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Parallel, ReduceOp, Type, Value,
    ValueDef,
};

use crate::analysis::independent::Finder;
use crate::analysis::patterns::counts_up;
use crate::lower::identity;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "split-scans",
    summary: "run loops that store what they have accumulated in blocks, for devices",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O1),
    run,
};

/// Iterations of a block, and blocks of a group. What is left for the processor is a group's number.
const BLOCK: i64 = 64;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let is_host = |func: &&mut Function| func.level == Level::Loop && func.device && func.region.is_none();
    for func in module.funcs.values_mut().filter(is_host) {
        // Each in its turn: what one gives may go into the next one.
        let mut left: BTreeSet<Op> = func.hot_ops().into_iter().filter(|&op| counts_up(func, op)).collect();
        while let Some(scan) = Scans::new(func, &summaries, cx.options.strict_fp).next(&mut left) {
            scan.split(func);
        }
    }
    Ok(())
}

/// A loop that can be run in blocks.
struct Scan {
    op: Op,
    /// Of each value that it carries, what combines it with what.
    steps: Vec<(ElemOp, Value)>,
    /// What these need of the body, in its order, and loads that give what was just stored.
    needed: Vec<Op>,
    stored: BTreeMap<Op, Value>,
    /// Arrays from outside, whether each is written, and the axis along which an iteration has its own element of these.
    arrays: Vec<(Value, Option<usize>)>,
}

struct Scans<'a> {
    func: &'a Function,
    memory: MemoryInfo,
    finder: Finder<'a>,
    strict_fp: bool,
}

impl<'a> Scans<'a> {
    fn new(func: &'a Function, summaries: &Summaries, strict_fp: bool) -> Self {
        let memory = MemoryInfo::new(func, summaries);
        Self { func, memory, finder: Finder::new(func, summaries, strict_fp), strict_fp }
    }

    /// One of these, with those before it taken out.
    fn next(&self, left: &mut BTreeSet<Op>) -> Option<Scan> {
        std::iter::from_fn(|| left.pop_first()).find_map(|op| self.scan(op))
    }

    fn scan(&self, op: Op) -> Option<Scan> {
        let func = self.func;
        if func.ops[op].results.is_empty() {
            return None;
        }
        let body = func.ops[op].regions[0];
        let (&end, ops) = func.blocks[body].ops.split_last()?;
        let is_plain = func.ops[end].kind == OpKind::Continue(0) && ops.iter().all(|&op| self.is_plain(op));
        if !is_plain || self.is_shared(op) {
            return None;
        }
        let (index, carried) = func.blocks[body].params.split_first()?;
        let step = |(&param, &next): (&Value, &Value)| self.step(body, carried, param, next);
        let steps: Vec<(ElemOp, Value)> =
            carried.iter().zip(&func.ops[end].args).map(step).collect::<Option<_>>()?;
        let (arrays, stored) = self.arrays(body, ops, *index)?;
        let needed = self.needed(ops, &stored, steps.iter().map(|&(_, value)| value));
        let depends = |op: &Op| match stored.get(op) {
            Some(value) => carried.contains(value),
            None => func.ops[*op].args.iter().any(|arg| carried.contains(arg)),
        };
        let kept = needed.iter().any(depends) || steps.iter().any(|(_, value)| carried.contains(value));
        (!kept).then_some(Scan { op, steps, needed, stored, arrays })
    }

    /// Whether an operation has no order among iterations but by memory, and cannot fail.
    fn is_plain(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let is_kind = matches!(
            data.kind,
            OpKind::Const(_)
                | OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Dim(_)
                | OpKind::Stride(_)
                | OpKind::LoadRaw
                | OpKind::StoreRaw
        );
        is_kind && !data.kind.facts(Level::Loop).raises.holds(self.func, op)
    }

    /// Whether the loop's iterations, or those of one around it, have no order.
    fn is_shared(&self, op: Op) -> bool {
        let is_free = |around: Op| match self.func.ops[around].kind {
            OpKind::PFor(_) => true,
            OpKind::For => self.finder.independent(around).is_some(),
            _ => false,
        };
        std::iter::once(op).chain(self.finder.layout.ancestors(op)).any(is_free)
    }

    /// What a carried value is combined with, in any grouping.
    fn step(&self, body: Block, carried: &[Value], param: Value, next: Value) -> Option<(ElemOp, Value)> {
        let func = self.func;
        let dtype = func.ty(param).dtype().filter(|_| func.ty(param).is_scalar())?;
        let op = func.def_op(next).filter(|op| func.blocks[body].ops.contains(op))?;
        let OpKind::Elem(elem) = func.ops[op].kind else { return None };
        let (_, either) = ReduceOp::of_step(elem).filter(|_| elem != ElemOp::Sub)?;
        let inexact = dtype.is_float() || dtype.is_complex();
        // A product of a block may overflow where the running one is zero by then.
        let is_kept = self.strict_fp || elem == ElemOp::Mul;
        if inexact && is_kept || dtype == DType::Bool && matches!(elem, ElemOp::Add | ElemOp::Mul) {
            return None;
        }
        let [first, second] = func.ops[op].args[..] else { return None };
        let with = if first == param {
            second
        } else if either && second == param {
            first
        } else {
            return None;
        };
        (!carried.contains(&with)).then_some((elem, with))
    }

    /// The arrays that the body touches; loads of what the same iteration has stored, with that. Nothing where an iteration touches what another one writes.
    fn arrays(
        &self,
        body: Block,
        ops: &[Op],
        index: Value,
    ) -> Option<(Vec<(Value, Option<usize>)>, BTreeMap<Op, Value>)> {
        let func = self.func;
        let is_inside = |value: Value| match func.values[value].def {
            ValueDef::Result(op, _) => func.blocks[body].ops.contains(&op),
            ValueDef::Param(block, _) => block == body,
        };
        // By array: the element that an iteration has, and what it stored there.
        let mut places: BTreeMap<Value, &[Value]> = BTreeMap::new();
        for &op in ops.iter().filter(|op| func.ops[**op].kind == OpKind::StoreRaw) {
            let (array, place) = (func.ops[op].args[0], &func.ops[op].args[2..]);
            let is_new = places.insert(array, place).is_none_or(|before| before == place);
            let own = place.iter().filter(|&&value| value == index).count() == 1;
            let others_stay = place.iter().all(|&value| value == index || !is_inside(value));
            if !is_new || !own || !others_stay || is_inside(array) {
                return None;
            }
        }
        let written = places.keys().copied().collect::<Vec<_>>();
        let meets =
            |array: Value, other: Value| self.memory.classes(array).intersects(self.memory.classes(other));
        let (mut arrays, mut stored, mut last) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for &op in ops {
            let data = &func.ops[op];
            let (array, place) = match data.kind {
                OpKind::StoreRaw => (data.args[0], &data.args[2..]),
                OpKind::LoadRaw => (data.args[0], &data.args[1..]),
                _ => continue,
            };
            let is_own = places.get(&array).is_some_and(|&own| own == place);
            let is_other = written.iter().any(|&other| (other != array || !is_own) && meets(array, other));
            if is_other || is_inside(array) {
                return None;
            }
            match (&data.kind, last.get(&array)) {
                (OpKind::StoreRaw, _) => {
                    last.insert(array, data.args[1]);
                }
                (_, Some(&value)) => {
                    stored.insert(op, value);
                }
                _ => {}
            }
            if arrays.iter().all(|&(known, _)| known != array) {
                arrays.push((array, places.get(&array).and_then(|own| own.iter().position(|&v| v == index))));
            }
        }
        (!written.is_empty()).then_some((arrays, stored))
    }

    /// What values are computed by, in the body's order.
    fn needed(
        &self,
        ops: &[Op],
        stored: &BTreeMap<Op, Value>,
        values: impl Iterator<Item = Value>,
    ) -> Vec<Op> {
        let mut wanted: BTreeSet<Value> = values.collect();
        let mut needed = Vec::new();
        for &op in ops.iter().rev() {
            let data = &self.func.ops[op];
            if data.results.iter().any(|result| wanted.contains(result)) {
                match stored.get(&op) {
                    Some(&value) => {
                        wanted.insert(value);
                    }
                    None => wanted.extend(&data.args),
                }
                needed.push(op);
            }
        }
        needed.reverse();
        needed
    }
}

impl Scan {
    fn split(&self, func: &mut Function) {
        let wanted = |b: &mut Builder<'_>| (b.value(OpKind::DeviceWanted, vec![], Type::BOOL), ());
        choose(func, self.op, wanted, |b, ()| self.in_blocks(b));
    }

    fn in_blocks(&self, b: &mut Builder<'_>) -> Vec<Value> {
        let data = b.func.ops[self.op].clone();
        let (low, high, init) = (data.args[0], data.args[1], data.args[3..].to_vec());
        let (zero, one) = (b.int(0), b.int(1));
        let length = b.sub(high, low);
        let length = b.elem(ElemOp::Max, &[length, zero]);
        let blocks = in_blocks(b, length);
        let groups = in_blocks(b, blocks);
        let dtypes: Vec<DType> =
            init.iter().map(|&value| b.func.ty(value).dtype().expect("numbers")).collect();
        let make = |b: &mut Builder<'_>, count| -> Vec<Value> {
            let array = |&dtype: &DType| b.value(OpKind::Empty, vec![count], Type::array(dtype, 1));
            dtypes.iter().map(array).collect()
        };
        let (sums, heads) = (make(b, blocks), make(b, groups));
        let nothing: Vec<Value> =
            self.steps.iter().zip(&dtypes).map(|(step, &dtype)| none(b, step.0, dtype)).collect();

        // Of each block, and of each group.
        let values = |b: &mut Builder<'_>, block| {
            let [first, last] = range(b, block, low, high);
            b.for_loop([first, last, one], &nothing, |b, i, seen| self.combine_values(b, i, seen))
        };
        let read: Vec<Value> = self.arrays.iter().map(|&(array, _)| array).collect();
        each(b, blocks, &sums, &read, |b, block| {
            let all = values(b, block);
            store_all(b, &all, &sums, block);
        });
        each(b, groups, &heads, &sums, |b, group| {
            let [first, last] = range(b, group, zero, blocks);
            let all = b.for_loop([first, last, one], &nothing, |b, block, seen| {
                let next = load_all(b, &sums, block);
                self.combine(b, seen, &next)
            });
            store_all(b, &all, &heads, group);
        });
        // What was before each: as few as one processor does at once.
        let total =
            b.for_loop([zero, groups, one], &init, |b, group, seen| self.passed(b, &heads, group, seen));
        let written = |arrays: &[Value]| arrays.iter().map(|&array| (array, Some(0))).collect::<Vec<_>>();
        shared(
            b,
            groups,
            zero,
            &[written(&sums), heads.iter().map(|&head| (head, None)).collect()].concat(),
            |b, group| {
                let before = load_all(b, &heads, group);
                let [first, last] = range(b, group, zero, blocks);
                b.for_loop([first, last, one], &before, |b, block, seen| self.passed(b, &sums, block, seen));
            },
        );
        let known = sums.iter().map(|&sum| (sum, None));
        let arrays: Vec<(Value, Option<usize>)> = self.arrays.iter().copied().chain(known).collect();
        shared(b, blocks, low, &arrays, |b, block| {
            let before = load_all(b, &sums, block);
            let [first, last] = range(b, block, low, high);
            b.for_loop([first, last, one], &before, |b, i, seen| self.body(b, i, seen));
        });
        total
    }

    /// Combines values with those of an iteration.
    fn combine_values(&self, b: &mut Builder<'_>, index: Value, seen: &[Value]) -> Vec<Value> {
        let mut cloner = self.cloner(b, index, &[]);
        for &op in &self.needed {
            if let Some(&value) = self.stored.get(&op) {
                let result = b.func.result(op);
                let known = cloner.values.get(value).unwrap_or(value);
                cloner.values.insert(result, known);
                continue;
            }
            let copy = cloner.op(b.func, None, op);
            let block = b.block;
            b.func.blocks[block].ops.push(copy);
        }
        let values: Vec<Value> =
            self.steps.iter().map(|&(_, value)| cloner.values.get(value).unwrap_or(value)).collect();
        self.combine(b, seen, &values)
    }

    fn combine(&self, b: &mut Builder<'_>, seen: &[Value], next: &[Value]) -> Vec<Value> {
        self.steps.iter().zip(seen).zip(next).map(|((step, &a), &c)| b.elem(step.0, &[a, c])).collect()
    }

    /// Leaves in places what was before them, and goes on with what they had.
    fn passed(&self, b: &mut Builder<'_>, arrays: &[Value], at: Value, seen: &[Value]) -> Vec<Value> {
        let here = load_all(b, arrays, at);
        store_all(b, seen, arrays, at);
        self.combine(b, seen, &here)
    }

    /// The loop's own body.
    fn body(&self, b: &mut Builder<'_>, index: Value, seen: &[Value]) -> Vec<Value> {
        let mut cloner = self.cloner(b, index, seen);
        let body = b.func.ops[self.op].regions[0];
        let mut ops = b.func.blocks[body].ops.clone();
        let end = ops.pop().expect("it ends");
        for op in ops {
            let copy = cloner.op(b.func, None, op);
            let block = b.block;
            b.func.blocks[block].ops.push(copy);
        }
        let next = b.func.ops[end].args.clone();
        next.into_iter().map(|value| cloner.values.get(value).unwrap_or(value)).collect()
    }

    fn cloner(&self, b: &Builder<'_>, index: Value, seen: &[Value]) -> Cloner {
        let mut cloner = Cloner::default();
        let params = &b.func.blocks[b.func.ops[self.op].regions[0]].params;
        cloner.values.insert(params[0], index);
        params[1..].iter().zip(seen).for_each(|(&param, &value)| cloner.values.insert(param, value));
        cloner
    }
}

/// How many blocks so many are.
fn in_blocks(b: &mut Builder<'_>, count: Value) -> Value {
    let (block, less) = (b.int(BLOCK), b.int(BLOCK - 1));
    let rounded = b.add(count, less);
    b.elem(ElemOp::FloorDiv, &[rounded, block])
}

/// What changes nothing.
fn none(b: &mut Builder<'_>, elem: ElemOp, dtype: DType) -> Value {
    let (reduce, _) = ReduceOp::of_step(elem).expect("a step");
    match reduce.identity(dtype) {
        Some(literal) => b.value(OpKind::Const(literal), vec![], Type::Scalar(dtype)),
        None => identity(b, reduce, dtype),
    }
}

/// The first index of a block, and that behind its last one.
fn range(b: &mut Builder<'_>, block: Value, low: Value, high: Value) -> [Value; 2] {
    let length = b.int(BLOCK);
    let before = b.mul(block, length);
    let first = b.add(low, before);
    let end = b.add(first, length);
    [first, b.elem(ElemOp::Min, &[end, high])]
}

fn load_all(b: &mut Builder<'_>, arrays: &[Value], at: Value) -> Vec<Value> {
    let load = |&array: &Value| {
        let dtype = b.func.ty(array).dtype().expect("arrays have elements");
        b.value(OpKind::LoadRaw, vec![array, at], Type::Scalar(dtype))
    };
    arrays.iter().map(load).collect()
}

fn store_all(b: &mut Builder<'_>, values: &[Value], arrays: &[Value], at: Value) {
    for (&value, &array) in values.iter().zip(arrays) {
        b.effect(OpKind::StoreRaw, vec![array, value, at]);
    }
}

/// A parallel loop whose iterations have an element each of what is written.
fn each(
    b: &mut Builder<'_>,
    count: Value,
    written: &[Value],
    read: &[Value],
    build: impl FnOnce(&mut Builder<'_>, Value),
) {
    let own = |&array: &Value| {
        let index = Poly::symbol(Symbol::Index);
        (
            array,
            Sharing::Sliced { writes: true, footprint: Footprint(vec![Span::Range(index.clone(), index)]) },
        )
    };
    let rows = written.iter().map(own).chain(read.iter().map(|&array| (array, Sharing::Invariant)));
    parallel(b, count, rows.collect(), &[], build);
}

/// A parallel loop whose iterations have a block each of what is written, along an axis, from `low` on.
fn shared(
    b: &mut Builder<'_>,
    count: Value,
    low: Value,
    arrays: &[(Value, Option<usize>)],
    build: impl FnOnce(&mut Builder<'_>, Value),
) {
    let number = u32::try_from(arrays.len()).expect("few arrays");
    let first =
        Poly::symbol(Symbol::Number(number)).plus(BLOCK, &Poly::symbol(Symbol::Index)).expect("small");
    let last = first.shift(BLOCK - 1).expect("small");
    let row = |&(array, axis): &(Value, Option<usize>)| {
        let Some(axis) = axis else { return (array, Sharing::Invariant) };
        let mut spans = vec![Span::All; usize::from(b.func.ty(array).rank())];
        spans[axis] = Span::Range(first.clone(), last.clone());
        (array, Sharing::Sliced { writes: true, footprint: Footprint(spans) })
    };
    let rows: Vec<(Value, Sharing<Symbol>)> = arrays.iter().map(row).collect();
    parallel(b, count, rows, &[low], build);
}

fn parallel(
    b: &mut Builder<'_>,
    count: Value,
    rows: Vec<(Value, Sharing<Symbol>)>,
    numbers: &[Value],
    build: impl FnOnce(&mut Builder<'_>, Value),
) {
    let (zero, one) = (b.int(0), b.int(1));
    let body = b.region(&[Type::I64], |b, params| {
        build(b, params[0]);
        b.effect(OpKind::Continue(0), vec![]);
    });
    let (operands, rows): (Vec<Value>, Vec<Sharing<Symbol>>) = rows.into_iter().unzip();
    let kind = OpKind::PFor(Parallel { reduce: Vec::new(), table: Some(Table { rows }) });
    b.op(kind, [&[zero, count, one], operands.as_slice(), numbers].concat(), &[], vec![body]);
}
