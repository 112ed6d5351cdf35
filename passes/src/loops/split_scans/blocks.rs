//! The loops over blocks that stand for a loop with a running value.

use pydd_ir::poly::Poly;
use pydd_ir::rewrite::{Cloner, choose};
use pydd_ir::sharing::{Footprint, Sharing, Span, Symbol, Table};
use pydd_ir::{Builder, DType, ElemOp, Function, Op, OpKind, Parallel, ReduceOp, Type, Value};

use super::{Scan, Step, Touched};
use crate::lower::identity;

/// Iterations of a block: as many as a thread's accesses bring the neighbours of, so that these are there for its next ones.
const BLOCK: i64 = 16;
/// Blocks of a group. What is left for the processor is a group's number.
const GROUP: i64 = 256;

impl Scan {
    pub(super) fn split(&self, func: &mut Function) {
        let wanted = |b: &mut Builder<'_>| (b.value(OpKind::DeviceWanted, vec![], Type::BOOL), ());
        choose(func, self.op, wanted, |b, ()| self.in_blocks(b));
    }

    fn in_blocks(&self, b: &mut Builder<'_>) -> Vec<Value> {
        let data = b.func.ops[self.op].clone();
        let (low, high, init) = (data.args[0], data.args[1], data.args[3..].to_vec());
        let (zero, one) = (b.int(0), b.int(1));
        let length = b.sub(high, low);
        let length = b.elem(ElemOp::Max, &[length, zero]);
        let blocks = cut(b, length, BLOCK);
        let groups = cut(b, blocks, GROUP);
        let dtypes: Vec<DType> =
            init.iter().map(|&value| b.func.ty(value).dtype().expect("numbers")).collect();
        let make = |b: &mut Builder<'_>, count| -> Vec<Value> {
            let array = |&dtype: &DType| b.value(OpKind::Empty, vec![count], Type::array(dtype, 1));
            dtypes.iter().map(array).collect()
        };
        let (sums, heads) = (make(b, blocks), make(b, groups));
        let nothing: Vec<Value> =
            self.steps.iter().zip(&dtypes).map(|(step, &dtype)| identity_of(b, step.elem, dtype)).collect();

        // Of each block, and of each group.
        let values = |b: &mut Builder<'_>, block| {
            let [first, last] = range(b, block, BLOCK, [low, high]);
            b.for_loop([first, last, one], &nothing, |b, i, seen| self.combine_values(b, i, seen))
        };
        let read: Vec<Value> = self.arrays.iter().map(|&(array, _)| array).collect();
        each(b, blocks, &sums, &read, |b, block| {
            let all = values(b, block);
            store_all(b, &all, &sums, block);
        });
        each(b, groups, &heads, &sums, |b, group| {
            let [first, last] = range(b, group, GROUP, [zero, blocks]);
            let all = b.for_loop([first, last, one], &nothing, |b, block, seen| {
                let next = load_all(b, &sums, block);
                self.combine(b, seen, &next)
            });
            store_all(b, &all, &heads, group);
        });
        // What was before each: as few as one processor does at once.
        let total =
            b.for_loop([zero, groups, one], &init, |b, group, seen| self.passed(b, &heads, group, seen));
        let fits = self.fits(b, &init, &total);
        let write = |b: &mut Builder<'_>| {
            self.write(b, [low, high], [blocks, groups], [&sums, &heads]);
            total.clone()
        };
        let Some(fits) = fits else { return write(b) };
        let types: Vec<Type> = total.iter().map(|&value| b.func.ty(value)).collect();
        let written = b.region(&[], |b, _| {
            let total = write(b);
            b.effect(OpKind::Yield, total);
        });
        // Its check fails where it would have failed.
        let as_it_was = b.region(&[], |b, _| {
            let copy = Cloner::default().op(b.func, None, self.op);
            push(b, copy);
            let results = b.func.ops[copy].results.clone();
            b.effect(OpKind::Yield, results);
        });
        let choice = b.op(OpKind::If, vec![fits], &types, vec![written, as_it_was]);
        b.func.ops[choice].results.clone()
    }

    /// Whether all that is stored where running values say stands within the arrays, of which they are these before and after; nothing where nothing was asked.
    fn fits(&self, b: &mut Builder<'_>, before: &[Value], after: &[Value]) -> Option<Value> {
        let zero = b.int(0);
        let mut all = None;
        for &(number, length) in &self.limits {
            for asked in [[zero, before[number]], [before[number], after[number]], [after[number], length]] {
                let holds = b.elem(ElemOp::Le, &asked);
                all = Some(all.map_or(holds, |before| b.elem(ElemOp::And, &[before, holds])));
            }
        }
        all
    }

    /// The loops that go over blocks once more, where it is known what was before each group.
    fn write(
        &self,
        b: &mut Builder<'_>,
        [low, high]: [Value; 2],
        [blocks, groups]: [Value; 2],
        [sums, heads]: [&[Value]; 2],
    ) {
        let (zero, one) = (b.int(0), b.int(1));
        let read = |arrays: &[Value]| arrays.iter().map(|&array| (array, Touched::Read)).collect::<Vec<_>>();
        let written = sums.iter().map(|&sum| (sum, Touched::Own(0))).collect();
        shared(b, groups, (GROUP, zero), &[written, read(heads)].concat(), |b, group| {
            let before = load_all(b, heads, group);
            let [first, last] = range(b, group, GROUP, [zero, blocks]);
            b.for_loop([first, last, one], &before, |b, block, seen| self.passed(b, sums, block, seen));
        });
        shared(b, blocks, (BLOCK, low), &[self.arrays.clone(), read(sums)].concat(), |b, block| {
            let before = load_all(b, sums, block);
            let [first, last] = range(b, block, BLOCK, [low, high]);
            b.for_loop([first, last, one], &before, |b, i, seen| self.body(b, i, seen));
        });
    }

    /// Combines values with those of an iteration.
    fn combine_values(&self, b: &mut Builder<'_>, index: Value, seen: &[Value]) -> Vec<Value> {
        let mut cloner = self.cloner(b, index, seen);
        for &op in &self.needed {
            if let Some(&value) = self.stored.get(&op) {
                let result = b.func.result(op);
                let known = cloner.values.get(value).unwrap_or(value);
                cloner.values.insert(result, known);
            } else {
                let copy = cloner.op(b.func, None, op);
                push(b, copy);
            }
        }
        if let Some((branch, needed)) = &self.branch {
            branched(b, &mut cloner, *branch, |_, op| needed.contains(&op));
        }
        let (_, nexts) = self.own_body(b.func);
        let next = |b: &mut Builder<'_>, ((step, &next), &seen): ((&Step, &Value), &Value)| match step.with {
            Some(with) => {
                let with = cloner.values.get(with).unwrap_or(with);
                b.elem(step.elem, &[seen, with])
            }
            None => cloner.values.get(next).expect("the branch gives it"),
        };
        self.steps.iter().zip(&nexts).zip(seen).map(|each| next(b, each)).collect()
    }

    fn combine(&self, b: &mut Builder<'_>, seen: &[Value], next: &[Value]) -> Vec<Value> {
        self.steps.iter().zip(seen).zip(next).map(|((step, &a), &c)| b.elem(step.elem, &[a, c])).collect()
    }

    /// Leaves in places what was before them, and goes on with what they had.
    fn passed(&self, b: &mut Builder<'_>, arrays: &[Value], at: Value, seen: &[Value]) -> Vec<Value> {
        let here = load_all(b, arrays, at);
        store_all(b, seen, arrays, at);
        self.combine(b, seen, &here)
    }

    /// The loop's own body, without its checks.
    fn body(&self, b: &mut Builder<'_>, index: Value, seen: &[Value]) -> Vec<Value> {
        let mut cloner = self.cloner(b, index, seen);
        let (ops, nexts) = self.own_body(b.func);
        for op in ops {
            if b.func.ops[op].kind == OpKind::If {
                let is_kept = |func: &Function, op: Op| !matches!(func.ops[op].kind, OpKind::Check { .. });
                branched(b, &mut cloner, op, is_kept);
            } else {
                let copy = cloner.op(b.func, None, op);
                push(b, copy);
            }
        }
        nexts.into_iter().map(|value| cloner.values.get(value).unwrap_or(value)).collect()
    }

    /// The operations of the loop's body, and what it goes on with.
    fn own_body(&self, func: &Function) -> (Vec<Op>, Vec<Value>) {
        let body = func.ops[self.op].regions[0];
        let mut ops = func.blocks[body].ops.clone();
        let end = ops.pop().expect("it ends");
        (ops, func.ops[end].args.clone())
    }

    fn cloner(&self, b: &Builder<'_>, index: Value, seen: &[Value]) -> Cloner {
        let mut cloner = Cloner::default();
        let params = &b.func.blocks[b.func.ops[self.op].regions[0]].params;
        cloner.values.insert(params[0], index);
        params[1..].iter().zip(seen).for_each(|(&param, &value)| cloner.values.insert(param, value));
        cloner
    }
}

fn push(b: &mut Builder<'_>, op: Op) {
    let block = b.block;
    b.func.blocks[block].ops.push(op);
}

/// Copies a branch with these of the operations on its sides.
fn branched(b: &mut Builder<'_>, cloner: &mut Cloner, branch: Op, is_kept: impl Fn(&Function, Op) -> bool) {
    let data = b.func.ops[branch].clone();
    let types: Vec<Type> = data.results.iter().map(|&result| b.func.ty(result)).collect();
    let sides = data.regions.iter().map(|&side| {
        b.region(&[], |b, _| {
            let mut ops = b.func.blocks[side].ops.clone();
            let end = ops.pop().expect("it ends");
            for op in ops {
                if is_kept(b.func, op) {
                    let copy = cloner.op(b.func, None, op);
                    push(b, copy);
                }
            }
            let yields = b.func.ops[end].args.iter().map(|&value| cloner.values.get(value).unwrap_or(value));
            let yields = yields.collect();
            b.effect(OpKind::Yield, yields);
        })
    });
    let sides = sides.collect();
    let condition = cloner.values.get(data.args[0]).unwrap_or(data.args[0]);
    let copy = b.op(OpKind::If, vec![condition], &types, sides);
    for (&result, &made) in data.results.iter().zip(&b.func.ops[copy].results) {
        cloner.values.insert(result, made);
    }
}

/// How many blocks, or groups, of a size so many are.
fn cut(b: &mut Builder<'_>, count: Value, size: i64) -> Value {
    let (block, less) = (b.int(size), b.int(size - 1));
    let rounded = b.add(count, less);
    b.elem(ElemOp::FloorDiv, &[rounded, block])
}

/// The identity of a step: what it changes nothing with.
fn identity_of(b: &mut Builder<'_>, elem: ElemOp, dtype: DType) -> Value {
    let (reduce, _) = ReduceOp::of_step(elem).expect("a step");
    match reduce.identity(dtype) {
        Some(literal) => b.value(OpKind::Const(literal), vec![], Type::Scalar(dtype)),
        None => identity(b, reduce, dtype),
    }
}

/// The first index of a block, and that behind its last one.
fn range(b: &mut Builder<'_>, block: Value, size: i64, [low, high]: [Value; 2]) -> [Value; 2] {
    let length = b.int(size);
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

/// A parallel loop whose iterations have a block each of what they write along an axis, from `low` on.
fn shared(
    b: &mut Builder<'_>,
    count: Value,
    (size, low): (i64, Value),
    arrays: &[(Value, Touched)],
    build: impl FnOnce(&mut Builder<'_>, Value),
) {
    let number = u32::try_from(arrays.len()).expect("few arrays");
    let first = Poly::symbol(Symbol::Number(number)).plus(size, &Poly::symbol(Symbol::Index)).expect("small");
    let last = first.shift(size - 1).expect("small");
    let row = |&(array, touched): &(Value, Touched)| {
        let mut spans = vec![Span::All; usize::from(b.func.ty(array).rank())];
        match touched {
            Touched::Read => return (array, Sharing::Invariant),
            Touched::Own(axis) => spans[axis] = Span::Range(first.clone(), last.clone()),
            Touched::Compacted { .. } => {}
        }
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
