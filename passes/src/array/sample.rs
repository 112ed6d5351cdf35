//! Computes of a product of matrices only the elements that a sparse operation asks for.
//!
//! ```text
//! %d = matmul %a, %b                           %t = copy (transpose %b)     %c = copy %a
//! %e = div 1.0, %d                             %v = if (few entries, lengths fit) {
//! %v = call[@multiply] %sparse…, %e    ⇒           yield call[@multiply.sampled] %sparse…, %c, %t
//!                                              } else { the product, and the call of it }
//! ```
//!
//! `@multiply.sampled` is `@multiply` with `1.0 / (the sum over q of %c[i, q] * %t[j, q])` for the element `[i, j]`: SDDMM, sampled
//! dense-dense matrix multiplication. What stands between product and operation is elementwise, with numbers. Whether there are
//! few entries is asked when it runs, since a whole product takes less time for each element.
//!
//! It does so for operations that do nothing with the dense operand but to load elements, where that operand is used for nothing
//! else. Under `--strict-fp` products stay, since they are summed up in another order.

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, Uses, position};
use pydd_ir::{
    Builder, DType, ElemOp, Exc, FuncRef, Function, Level, LibOp, Module, Op, OpKind, Type, Value, ValueDef,
    Version,
};

use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "sample",
    summary: "compute products of matrices only where a sparse operation looks",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// A product's element costs so many times less where all are computed.
const ADVANTAGE: i64 = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if cx.options.strict_fp {
        return Ok(());
    }
    let samplers: BTreeMap<FuncRef, Sampler> =
        module.funcs.iter().filter_map(|(r, func)| Sampler::of(func).map(|sampler| (r, sampler))).collect();
    if samplers.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    // One function for all calls with the same operations between product and sampler.
    let mut made: BTreeMap<String, FuncRef> = BTreeMap::new();
    let fast: Vec<FuncRef> =
        module.funcs.keys().filter(|&f| module.funcs[f].version != Version::General).collect();
    for f in fast {
        // Calls for many entries are calls of the same functions, and stay.
        for call in calls(&module.funcs[f], &samplers) {
            let OpKind::Call(callee) = module.funcs[f].ops[call].kind else { continue };
            let sampler = &samplers[&callee];
            let Some(sampled) = sampled(&module.funcs[f], &summaries, call, sampler) else { continue };
            report::sampled(cx, &module.funcs[f], sampled.product, call);
            let key = sampled.key(&module.funcs[f], callee);
            let special = made.get(&key).copied().unwrap_or_else(|| {
                let mut func = specialised(&module.funcs[callee], sampler, &module.funcs[f], &sampled);
                func.name = format!("{}.sampled.{}", func.name, module.funcs.len());
                module.funcs.push(func)
            });
            made.insert(key, special);
            let original = module.funcs[callee].clone();
            apply(&mut module.funcs[f], &original, sampler, &sampled, special);
        }
    }
    Ok(())
}

fn calls(func: &Function, samplers: &BTreeMap<FuncRef, Sampler>) -> Vec<Op> {
    let is_sampler =
        |op: &Op| matches!(func.ops[*op].kind, OpKind::Call(callee) if samplers.contains_key(&callee));
    func.all_ops().into_iter().filter(is_sampler).collect()
}

/// What a function does that only loads elements of a matrix.
#[derive(Debug)]
pub struct Sampler {
    /// The matrix's place among the parameters.
    param: usize,
    /// The shape that it is stretched to.
    stretched: Op,
    loads: Vec<Op>,
    /// The place of a parameter with as many elements as there are loads.
    entries: usize,
}

impl Sampler {
    /// What is known of a function, if it is one.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        func.operation.as_ref()?;
        let uses = Uses::new(func);
        let layout = Layout::new(func);
        let place = |value: Value| func.params().iter().position(|&param| param == value);
        let (param, stretched) = func.params().iter().enumerate().find_map(|(place, &param)| {
            let only = uses.single(param)?;
            let matrix = matches!(func.ty(param), Type::Array { dtype: DType::F64 | DType::F32, rank: 2 });
            (matrix && func.ops[only.op].kind == OpKind::BroadcastTo && func.ops[only.op].args.len() == 3)
                .then_some((place, only.op))
        })?;
        let mut matrix = func.result(stretched);
        // Taken out later.
        while let Some(only) = uses.single(matrix).filter(|only| func.ops[only.op].kind == OpKind::ReadOnly) {
            matrix = func.result(only.op);
        }
        let loads: Vec<Op> = uses.of(matrix).iter().map(|found| found.op).collect();
        let mut entries = None;
        for &load in &loads {
            let data = &func.ops[load];
            let in_loop = layout.ancestors(load).any(|around| func.ops[around].kind.is_loop());
            if data.kind != OpKind::Load || !in_loop {
                return None;
            }
            // The second index is an element of an array, of which each is taken once.
            let mut index = func.def_op(data.args[2])?;
            if func.ops[index].kind == OpKind::Cast {
                index = func.def_op(func.ops[index].args[0])?;
            }
            let array = (func.ops[index].kind == OpKind::Load).then(|| func.ops[index].args[0])?;
            entries = Some(place(array)?);
        }
        Some(Self { param, stretched, loads, entries: entries? })
    }

    /// The lengths of the shape, where a caller can compute them.
    fn shape(&self, func: &Function) -> [Value; 2] {
        let args = &func.ops[self.stretched].args;
        [args[1], args[2]]
    }
}

/// A call of a sampler with a product.
struct Sampled {
    call: Op,
    product: Op,
    /// What is done with each element, in order.
    chain: Vec<Op>,
}

fn sampled(func: &Function, summaries: &Summaries, call: Op, sampler: &Sampler) -> Option<Sampled> {
    let (memory, uses) = (MemoryInfo::new(func, summaries), Uses::new(func));
    let mut chain = Vec::new();
    let mut value = func.ops[call].args[sampler.param];
    let product = loop {
        uses.single(value)?;
        let op = func.def_op(value)?;
        let data = &func.ops[op];
        match data.kind {
            OpKind::Lib(LibOp::Matmul) => break op,
            OpKind::Elem(elem) => {
                let arrays: Vec<Value> =
                    data.args.iter().copied().filter(|&arg| func.ty(arg).is_array()).collect();
                let [array] = arrays[..] else { return None };
                let dtype = func.ty(array).dtype()?;
                if elem.may_raise(dtype) || func.ty(value) != func.ty(array) {
                    return None;
                }
                chain.push(op);
                value = array;
            }
            _ => return None,
        }
    };
    chain.reverse();
    let operands = &func.ops[product].args;
    let ty = func.ty(value);
    let plain = operands.len() == 2 && operands.iter().all(|&operand| func.ty(operand) == ty);
    // All of it in one block, and nothing between that could be noticed.
    let (block, end) = position(func, call)?;
    let (other, start) = position(func, product)?;
    let quiet = func.blocks[block].ops.get(start + 1..end)?.iter().all(|&op| {
        let effects = memory.effects(op);
        chain.contains(&op) || effects.writes.is_empty() && !effects.may_exit() && !effects.io
    });
    (plain && block == other && quiet).then_some(Sampled { call, product, chain })
}

impl Sampled {
    /// Equal for calls that one function does for.
    fn key(&self, func: &Function, callee: FuncRef) -> String {
        let numbers = numbers(func, self);
        let steps: Vec<_> = self
            .chain
            .iter()
            .map(|&op| {
                let data = &func.ops[op];
                let places: Vec<_> =
                    data.args.iter().map(|arg| numbers.iter().position(|number| number == arg)).collect();
                (&data.kind, places, func.ty(data.results[0]))
            })
            .collect();
        let types: Vec<_> = numbers.iter().map(|&number| func.ty(number)).collect();
        format!("{callee:?} {steps:?} {types:?}")
    }
}

/// The numbers that a chain takes from the caller.
fn numbers(func: &Function, sampled: &Sampled) -> Vec<Value> {
    let mut numbers = Vec::new();
    for &op in &sampled.chain {
        for &arg in &func.ops[op].args {
            if func.ty(arg).is_scalar() && !numbers.contains(&arg) {
                numbers.push(arg);
            }
        }
    }
    numbers
}

/// The sampler for a product: its matrix is the first factor, the second one's transpose and the chain's numbers are further
/// parameters.
fn specialised(original: &Function, sampler: &Sampler, caller: &Function, sampled: &Sampled) -> Function {
    let mut func = original.clone();
    let entry = func.entry;
    let first = func.params()[sampler.param];
    let second = func.add_param(entry, func.ty(first));
    let mut passed: BTreeMap<Value, Value> = BTreeMap::new();
    for number in numbers(caller, sampled) {
        let param = func.add_param(entry, caller.ty(number));
        passed.insert(number, param);
    }
    let [rows, columns] = sampler.shape(original);
    // The caller has tested these.
    let checks = func.new_block();
    let mut b = Builder::new(&mut func, checks);
    let (own_rows, own_columns) = (b.dim(first, 0), b.dim(second, 0));
    let (length, other) = (b.dim(first, 1), b.dim(second, 1));
    for (own, wanted) in [(own_rows, rows), (own_columns, columns), (length, other)] {
        let same = b.elem(ElemOp::Eq, &[own, wanted]);
        b.check(same, Exc::ValueError, "matmul: mismatch in core dimensions", &[]);
    }
    let made = std::mem::take(&mut func.blocks[checks].ops);
    let (block, at) = position(&func, sampler.stretched).expect("it stands in a block");
    func.blocks[block].ops.splice(at..=at, made);
    for &load in &sampler.loads {
        let data = func.ops[load].clone();
        let (i, j) = (data.args[1], data.args[2]);
        let dtype = func.ty(data.results[0]).dtype().expect("a number");
        let scratch = func.new_block();
        let mut b = Builder::new(&mut func, scratch);
        b.loc = data.loc;
        let (zero, one, nothing) = (b.int(0), b.int(1), b.number(0.0, dtype));
        let sum = b.for_loop([zero, length, one], &[nothing], |b, q, sum| {
            let x = b.value(OpKind::Load, vec![first, i, q], Type::Scalar(dtype));
            let y = b.value(OpKind::Load, vec![second, j, q], Type::Scalar(dtype));
            let product = b.mul(x, y);
            vec![b.add(sum[0], product)]
        });
        let mut element = sum[0];
        for &op in &sampled.chain {
            let step = &caller.ops[op];
            let args =
                step.args.iter().map(|arg| passed.get(arg).copied().unwrap_or(element)).collect::<Vec<_>>();
            element = b.value(step.kind.clone(), args, Type::Scalar(dtype));
        }
        let made = std::mem::take(&mut func.blocks[scratch].ops);
        let (block, at) = position(&func, load).expect("it stands in a block");
        func.blocks[block].ops.splice(at..=at, made);
        let old = data.results[0];
        func.replace_uses(|value| if value == old { element } else { value });
    }
    func
}

/// The call by which there are two ways.
fn apply(func: &mut Function, original: &Function, sampler: &Sampler, sampled: &Sampled, special: FuncRef) {
    let &Sampled { call, product, ref chain } = sampled;
    let data = func.ops[call].clone();
    let factors = func.ops[product].args.clone();
    let numbers = numbers(func, sampled);
    let types: Vec<Type> = data.results.iter().map(|&result| func.ty(result)).collect();
    let (block, _) = position(func, call).expect("the call stands in a block");
    // The product and its chain stand in the other branch.
    func.blocks[block].ops.retain(|op| *op != product && !chain.contains(op));
    let (_, at) = position(func, call).expect("the call stands in a block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let turned = b.value(OpKind::Transpose(vec![1, 0]), vec![factors[1]], b.func.ty(factors[1]));
    let second = b.value(OpKind::Copy, vec![turned], b.func.ty(turned));
    let first = b.value(OpKind::Copy, vec![factors[0]], b.func.ty(factors[0]));
    let mut known: BTreeMap<Value, Value> =
        original.params().iter().copied().zip(data.args.iter().copied()).collect();
    let [rows, columns] =
        sampler.shape(original).map(|length| recomputed(&mut b, original, length, &mut known));
    // One that depends on more than lengths never fits.
    let (own_rows, own_columns) = (b.dim(factors[0], 0), b.dim(factors[1], 1));
    let (length, other) = (b.dim(factors[0], 1), b.dim(factors[1], 0));
    let entries = b.dim(data.args[sampler.entries], 0);
    let advantage = b.int(ADVANTAGE);
    let (work, all) = (b.mul(entries, advantage), b.mul(own_rows, own_columns));
    let mut holds = b.elem(ElemOp::Lt, &[work, all]);
    for (own, wanted) in [(own_rows, rows), (own_columns, columns), (length, Some(other))] {
        let same = match wanted {
            Some(wanted) => b.elem(ElemOp::Eq, &[own, wanted]),
            None => b.bool(false),
        };
        holds = b.elem(ElemOp::And, &[holds, same]);
    }
    let few = b.region(&[], |b, _| {
        let mut args = data.args.clone();
        args[sampler.param] = first;
        args.push(second);
        args.extend_from_slice(&numbers);
        let op = b.op(OpKind::Call(special), args, &types, vec![]);
        let results = b.func.ops[op].results.clone();
        b.effect(OpKind::Yield, results);
    });
    let many = b.region(&[], |b, _| {
        let home = b.block;
        let mut cloner = Cloner::default();
        for &op in std::iter::once(&product).chain(chain).chain([&call]) {
            let copy = cloner.op(b.func, None, op);
            b.func.blocks[home].ops.push(copy);
        }
        let last = *b.func.blocks[home].ops.last().expect("the call");
        let results = b.func.ops[last].results.clone();
        b.effect(OpKind::Yield, results);
    });
    let choice = b.op(OpKind::If, vec![holds], &types, vec![few, many]);
    let new = func.ops[choice].results.clone();
    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    let old = data.results;
    func.replace_uses(|value| old.iter().position(|&one| one == value).map_or(value, |k| new[k]));
}

/// Whether a caller can compute a length that a callee computes of its arguments.
pub(super) fn is_recomputed(callee: &Function, value: Value) -> bool {
    match callee.values[value].def {
        ValueDef::Param(block, _) => block == callee.entry,
        ValueDef::Result(op, _) => {
            let data = &callee.ops[op];
            matches!(data.kind, OpKind::Const(_) | OpKind::Dim(_) | OpKind::Elem(ElemOp::Add | ElemOp::Sub))
                && data.args.iter().all(|&arg| is_recomputed(callee, arg))
        }
    }
}

/// A length that a callee computes of its arguments, computed by the caller.
pub(super) fn recomputed(
    b: &mut Builder<'_>,
    callee: &Function,
    value: Value,
    known: &mut BTreeMap<Value, Value>,
) -> Option<Value> {
    if let Some(&value) = known.get(&value) {
        return Some(value);
    }
    if !is_recomputed(callee, value) {
        return None;
    }
    let data = &callee.ops[callee.def_op(value)?];
    let args = data.args.iter().map(|&arg| recomputed(b, callee, arg, known)).collect::<Option<Vec<_>>>()?;
    let made = b.value(data.kind.clone(), args, callee.ty(value));
    known.insert(value, made);
    Some(made)
}
