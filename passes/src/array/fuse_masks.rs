//! Computes with the elements that a mask names where they stand, instead of with copies of them.
//!
//! ```text
//! %c = call[@masked_elements] %z, %m         %d = mul %z, %z
//! %d = mul %c, %c                   ⇒   %e = select %m, %d, %z
//! call[@put_masked] %z, %m, %d          assign %z, %e
//!
//! %c = call[@masked_elements] %x, %m         %d = select %m, %x, 0.0
//! %s = reduce[sum] %c               ⇒   %s = reduce[sum] %d
//! ```
//!
//! Elementwise operations of elements by one mask are done for all elements, and a selection keeps those that count. These
//! are ordinary operations on whole arrays, which are then fused: there is no copy, and nothing that depends on how many
//! elements there are but their number, which is a sum.
//!
//! It does so only where all that becomes of the elements is stored by the same mask, reduced, or asked for its length,
//! where the arrays do not change on the way, and where the operations cost little and raise nothing. Sums of floats stay as they are with
//! `--strict-fp`, since their order is another one.

mod renewed;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::catalogue::MaskOperation;
use pydd_ir::rewrite::{Uses, erase_op};
use pydd_ir::{
    Block, Builder, DType, ElemOp, Exc, FuncRef, Function, Level, Module, Op, OpKind, ReduceOp, ReduceSpec,
    ShortPower, Type, Value,
};

use crate::lower::{empty_message, identity};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "fuse-masks",
    summary: "compute with masked elements where they stand",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// What the operations on an element may cost together.
const MOST_COST: i64 = 40;
/// What powers cost that are products or roots.
const SHORT_POWER: i64 = 4;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let operations: BTreeMap<FuncRef, MaskOperation> = module
        .funcs
        .iter()
        .filter_map(|(r, func)| MaskOperation::of(func).map(|operation| (r, operation)))
        .collect();
    if operations.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut().filter(|func| MaskOperation::of(func).is_none()) {
        let blocks: Vec<Block> = func.blocks.keys().collect();
        for block in blocks {
            renewed::take_new_elements(func, &summaries, block, &operations);
            if !takes_masked(func, block, &operations) {
                continue;
            }
            let memory = MemoryInfo::new(func, &summaries);
            let found =
                Finder { func, memory: &memory, operations: &operations, strict: cx.options.strict_fp }
                    .find(block);
            if !found.sinks.is_empty() {
                report::masked(cx, func, found.sinks.keys().copied());
                rewrite(func, block, &found);
            }
        }
    }
    Ok(())
}

/// Whether a block itself takes elements by a mask.
fn takes_masked(func: &Function, block: Block, operations: &BTreeMap<FuncRef, MaskOperation>) -> bool {
    func.blocks[block].ops.iter().any(|&op| is_compress(func, op, operations))
}

fn is_compress(func: &Function, op: Op, operations: &BTreeMap<FuncRef, MaskOperation>) -> bool {
    match func.ops[op].kind {
        OpKind::Call(callee) => operations.get(&callee) == Some(&MaskOperation::Compress),
        _ => false,
    }
}

/// A value of the elements by a mask.
#[derive(Clone, Debug)]
struct Masked {
    mask: Value,
    /// The arrays that its elements are taken from.
    arrays: BTreeSet<Value>,
    /// Where in the block the first of them is.
    first: usize,
    cost: i64,
    op: Op,
}

#[derive(Default)]
struct Found {
    masked: BTreeMap<Value, Masked>,
    /// Calls that take the elements of an array.
    compressed: BTreeMap<Value, Value>,
    /// What is done with them in the end, and with which.
    sinks: BTreeMap<Op, Value>,
}

struct Finder<'a> {
    func: &'a Function,
    memory: &'a MemoryInfo,
    operations: &'a BTreeMap<FuncRef, MaskOperation>,
    strict: bool,
}

impl Finder<'_> {
    fn find(&self, block: Block) -> Found {
        let mut found = Found::default();
        for (at, &op) in self.func.blocks[block].ops.iter().enumerate() {
            if let Some(masked) = self.masked(&found, op, at) {
                let result = self.func.result(op);
                if self.operation(op) == Some(MaskOperation::Compress) {
                    found.compressed.insert(result, self.func.ops[op].args[0]);
                }
                found.masked.insert(result, masked);
            } else if let Some(value) = self.sink(&found, block, op, at) {
                found.sinks.insert(op, value);
            }
        }
        self.drop_seen(&mut found);
        found
    }

    fn operation(&self, op: Op) -> Option<MaskOperation> {
        match self.func.ops[op].kind {
            OpKind::Call(callee) => self.operations.get(&callee).copied(),
            _ => None,
        }
    }

    fn masked(&self, found: &Found, op: Op, at: usize) -> Option<Masked> {
        let func = self.func;
        let data = &func.ops[op];
        if self.operation(op) == Some(MaskOperation::Compress) {
            let (array, mask) = (data.args[0], data.args[1]);
            return Some(Masked { mask, arrays: BTreeSet::from([array]), first: at, cost: 0, op });
        }
        // Elements by one mask are equally many, so only the operation itself could raise.
        let total = match data.kind {
            OpKind::Elem(elem) => {
                !data.args.iter().any(|&arg| func.ty(arg).dtype().is_some_and(|dtype| elem.may_raise(dtype)))
            }
            OpKind::Cast => true,
            _ => false,
        };
        if !total {
            return None;
        }
        let cost = match ShortPower::of_op(func, op, self.strict) {
            Some(_) => SHORT_POWER,
            None => data.kind.facts(func.level).cost,
        };
        let mut all: Option<Masked> = None;
        for &arg in data.args.iter().filter(|&&arg| func.ty(arg).is_array()) {
            let own = found.masked.get(&arg)?;
            let all = all.get_or_insert_with(|| Masked { cost, op, ..own.clone() });
            if all.mask != own.mask {
                return None;
            }
            all.arrays.extend(&own.arrays);
            all.first = all.first.min(own.first);
            all.cost = all.cost.saturating_add(own.cost);
        }
        all
    }

    /// The masked value that an operation stores, reduces or asks for its length.
    fn sink(&self, found: &Found, block: Block, op: Op, at: usize) -> Option<Value> {
        let func = self.func;
        let data = &func.ops[op];
        let value = match &data.kind {
            OpKind::Dim(0) => data.args[0],
            OpKind::Reduce(spec) => {
                let dtype = func.ty(data.args[0]).dtype()?;
                let all = spec.axes.as_ref().is_none_or(|axes| axes == &[0]);
                let suits = all && func.ty(data.results[0]).is_scalar() && self.may_reduce(spec.op, dtype);
                suits.then_some(data.args[0])?
            }
            OpKind::Call(_) if self.operation(op) == Some(MaskOperation::Put) => data.args[2],
            _ => return None,
        };
        let masked = found.masked.get(&value).filter(|masked| masked.cost <= MOST_COST)?;
        if let OpKind::Call(_) = data.kind {
            let target = data.args[0];
            let same_type = func.ty(target).dtype() == func.ty(value).dtype();
            if !same_type || data.args[1] != masked.mask || self.memory.may_alias(target, masked.mask) {
                return None;
            }
        }
        let mut sources = self.memory.classes(masked.mask).clone();
        for &array in &masked.arrays {
            sources.union(self.memory.classes(array));
        }
        let stays = func.blocks[block].ops[masked.first..at]
            .iter()
            .all(|&between| !self.memory.effects(between).changes().intersects(&sources));
        stays.then_some(value)
    }

    fn may_reduce(&self, op: ReduceOp, dtype: DType) -> bool {
        let inexact = dtype.is_float() || dtype.is_complex();
        match op {
            ReduceOp::Sum | ReduceOp::Prod => !(self.strict && inexact),
            ReduceOp::Min | ReduceOp::Max => dtype.is_float() || dtype.is_int(),
            ReduceOp::Any | ReduceOp::All => dtype == DType::Bool,
            _ => false,
        }
    }

    /// Leaves out what needs the copies after all: where something else is done with a value, or with one that it is made of.
    fn drop_seen(&self, found: &mut Found) {
        let uses = Uses::new(self.func);
        let mut seen: BTreeSet<Value> = BTreeSet::new();
        loop {
            let mut changed = false;
            for (&value, masked) in found.masked.iter().rev() {
                let is_seen = |user: Op| match self.func.ops[user].results.first() {
                    Some(result) if found.masked.get(result).is_some_and(|own| own.op == user) => {
                        seen.contains(result)
                    }
                    _ => found.sinks.get(&user) != Some(&value),
                };
                if !seen.contains(&value) && uses.of(value).iter().any(|found| is_seen(found.op)) {
                    seen.insert(value);
                    // All of it is there then.
                    seen.extend(
                        self.func.ops[masked.op].args.iter().filter(|arg| found.masked.contains_key(arg)),
                    );
                    changed = true;
                }
            }
            let before = found.sinks.len();
            found.sinks.retain(|_, value| {
                !made_of(self.func, &found.masked, *value).any(|part| seen.contains(&part))
            });
            changed |= found.sinks.len() != before;
            if !changed {
                return;
            }
        }
    }
}

/// A masked value and those that it is made of.
fn made_of(
    func: &Function,
    masked: &BTreeMap<Value, Masked>,
    value: Value,
) -> impl Iterator<Item = Value> + use<> {
    let (mut all, mut next) = (vec![value], 0);
    while let Some(value) = all.get(next).copied() {
        next += 1;
        for &arg in &func.ops[masked[&value].op].args {
            if masked.contains_key(&arg) && !all.contains(&arg) {
                all.push(arg);
            }
        }
    }
    all.into_iter()
}

fn rewrite(func: &mut Function, block: Block, found: &Found) {
    let ops = std::mem::take(&mut func.blocks[block].ops);
    let mut replaced: Vec<(Value, Value)> = Vec::new();
    for op in ops {
        let Some(&value) = found.sinks.get(&op) else {
            func.blocks[block].ops.push(op);
            continue;
        };
        let data = func.ops[op].clone();
        let mask = found.masked[&value].mask;
        let mut b = Builder::new(func, block);
        b.loc = data.loc;
        match &data.kind {
            OpKind::Dim(_) => replaced.push((data.results[0], count(&mut b, mask))),
            OpKind::Reduce(spec) => {
                let whole =
                    Whole { found, rank: b.func.ty(mask).rank() }.of(&mut b, value, &mut BTreeMap::new());
                let dtype = b.func.ty(value).dtype().expect("an array");
                let nothing = identity(&mut b, spec.op, dtype);
                let ty = b.func.ty(whole);
                let kept = b.value(OpKind::Elem(ElemOp::Select), vec![mask, whole, nothing], ty);
                let spec = ReduceSpec { axes: None, ..spec.clone() };
                let has_identity = spec.op.has_identity();
                let op = spec.op;
                let result = b.value(OpKind::Reduce(spec), vec![kept], b.func.ty(data.results[0]));
                // Behind it, so that both walks may become one.
                if !has_identity {
                    refuse_nothing(&mut b, op, mask);
                }
                replaced.push((data.results[0], result));
            }
            _ => {
                let target = data.args[0];
                let whole =
                    Whole { found, rank: b.func.ty(mask).rank() }.of(&mut b, value, &mut BTreeMap::new());
                let ty = b.func.ty(whole);
                let kept = b.value(OpKind::Elem(ElemOp::Select), vec![mask, whole, target], ty);
                b.effect(OpKind::Assign, vec![target, kept]);
            }
        }
    }
    func.replace_uses(|value| replaced.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new));
    // What nobody uses any more, the last first. A call would stay, since it may raise as far as is known.
    for masked in found.masked.values().rev() {
        if Uses::new(func).is_unused(func.result(masked.op)) {
            erase_op(func, masked.op);
        }
    }
}

/// How many elements a mask names.
fn count(b: &mut Builder<'_>, mask: Value) -> Value {
    let rank = b.func.ty(mask).rank();
    let ones = b.value(OpKind::Cast, vec![mask], Type::array(DType::I64, rank));
    let spec = ReduceSpec { op: ReduceOp::Sum, axes: None, keepdims: false };
    b.value(OpKind::Reduce(spec), vec![ones], Type::I64)
}

fn refuse_nothing(b: &mut Builder<'_>, op: ReduceOp, mask: Value) {
    let (count, zero) = (count(b, mask), b.int(0));
    let some = b.elem(ElemOp::Ne, &[count, zero]);
    b.check(some, Exc::ValueError, empty_message(op), &[]);
}

/// Makes of masked values what they are for all elements.
struct Whole<'a> {
    found: &'a Found,
    rank: u8,
}

impl Whole<'_> {
    fn of(&self, b: &mut Builder<'_>, value: Value, made: &mut BTreeMap<Value, Value>) -> Value {
        if let Some(&array) = self.found.compressed.get(&value) {
            return array;
        }
        if let Some(&whole) = made.get(&value) {
            return whole;
        }
        let data = b.func.ops[self.found.masked[&value].op].clone();
        let mut args = Vec::new();
        for &arg in &data.args {
            let is_masked = self.found.masked.contains_key(&arg);
            args.push(if is_masked { self.of(b, arg, made) } else { arg });
        }
        let dtype = b.func.ty(value).dtype().expect("an array");
        let whole = b.value(data.kind, args, Type::array(dtype, self.rank));
        made.insert(value, whole);
        whole
    }
}
