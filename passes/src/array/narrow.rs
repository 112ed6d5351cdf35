//! Carries a number around loops and out of branches in the narrow type that all its values come from.
//!
//! ```text
//! %4: f64 = const 0.0                              %4: f32 = const 0.0
//! %5: f64 = for %1, %2, %3, %4 {(%6, %7: f64):     %5: f32 = for %1, %2, %3, %4 {(%6, %7: f32):
//!   %8: f32 = cast %7
//!   %9: f32 = add %8, %0                     ⇒       %9: f32 = add %7, %0
//!   %10: f64 = cast %9
//!   continue %10                                     continue %9
//! }                                                }
//! ```
//!
//! A value may be narrow where each of its definitions is a conversion from a narrower type that keeps every value, a
//! constant that the narrow type holds, or such a value itself; so no value changes. It becomes narrow where something
//! converts it back. Arithmetic is left in the type that it is written in.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::flow::{carried, flows};
use pydd_ir::rewrite::{Replacements, erase_ops, insert_before};
use pydd_ir::{DType, ElemOp, Entity, Function, Level, Literal, Module, Op, OpKind, ReduceOp, Type, Value};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "narrow",
    summary: "carry numbers in the narrow type that all their values come from",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, _| narrow(func));
    Ok(())
}

/// An operand of an operation.
type Operand = (Op, usize);

/// Values that have one type, and the operands that they come from.
struct Web {
    values: Vec<Value>,
    sources: Vec<Operand>,
    wide: DType,
    holds: Holds,
    /// Something converts it back.
    wanted: bool,
}

/// What the values of a web are, as far as its sources were looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Holds {
    Nothing,
    /// Integers from the first to the second.
    Ints(i128, i128),
    /// What a float of half the width holds.
    HalfFloat,
    Anything,
}

impl Holds {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            (Self::Ints(a, b), Self::Ints(c, d)) => Self::Ints(a.min(c), b.max(d)),
            (Self::HalfFloat, Self::HalfFloat) => Self::HalfFloat,
            _ => Self::Anything,
        }
    }

    /// The narrowest type for it, if that is narrower.
    fn dtype(self, wide: DType) -> Option<DType> {
        use DType::{C64, F32, I8, I16, I32, U8, U16, U32};
        let narrow = match self {
            Self::HalfFloat => Some(if wide.is_complex() { C64 } else { F32 }),
            Self::Ints(least, greatest) => [U8, I8, U16, I16, U32, I32].into_iter().find(|&dtype| {
                let (low, high) = range(dtype);
                low <= least && greatest <= high
            }),
            Self::Nothing | Self::Anything => None,
        };
        narrow.filter(|narrow| narrow.size() < wide.size())
    }
}

const fn range(dtype: DType) -> (i128, i128) {
    let bits = dtype.size() * 8;
    if dtype.is_signed_int() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn narrow(func: &mut Function) {
    let mut webs = Webs::find(func);
    if webs.all.is_empty() {
        return;
    }
    webs.settle(func);
    webs.want(func);
    webs.all.iter_mut().filter(|web| !web.wanted).for_each(|web| web.holds = Holds::Anything);
    webs.settle(func);
    webs.rewrite(func);
}

struct Webs {
    all: Vec<Web>,
    of: BTreeMap<Value, usize>,
}

impl Webs {
    fn find(func: &Function) -> Self {
        let mut webs = Self { all: Vec::new(), of: BTreeMap::new() };
        for op in func.all_ops() {
            webs.add_results(func, op);
        }
        for flow in flows(func) {
            if let (Some(at), Some(&web)) = (flow.arg, webs.of.get(&flow.to)) {
                webs.all[web].sources.push((flow.op, at));
            }
        }
        webs
    }

    fn add(&mut self, func: &Function, values: Vec<Value>, sources: Vec<Operand>) {
        let wide = match func.ty(values[0]) {
            Type::Scalar(wide @ (DType::I64 | DType::U64 | DType::F64 | DType::C128)) => wide,
            _ => return,
        };
        for &value in &values {
            self.of.insert(value, self.all.len());
        }
        self.all.push(Web { values, sources, wide, holds: Holds::Nothing, wanted: false });
    }

    /// Adds what an operation chooses, carries or passes on.
    fn add_results(&mut self, func: &Function, op: Op) {
        let data = &func.ops[op];
        let (params, _) = carried(func, op);
        match &data.kind {
            OpKind::Elem(ElemOp::Select) => {
                self.add(func, data.results.clone(), vec![(op, 1), (op, 2)]);
            }
            OpKind::For | OpKind::PFor(_) => {
                for (at, (&param, &result)) in params.iter().zip(&data.results).enumerate() {
                    let keeps = match &data.kind {
                        OpKind::PFor(parallel) => matches!(
                            parallel.reduce[at],
                            ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax
                        ),
                        _ => true,
                    };
                    if keeps {
                        self.add(func, vec![param, result], vec![]);
                    }
                }
            }
            OpKind::Loop | OpKind::Scope | OpKind::If => {
                params.iter().chain(&data.results).for_each(|&value| self.add(func, vec![value], vec![]));
            }
            _ => {}
        }
    }

    /// Looks at sources until nothing more is learned. What is known only grows, and integers grow to bounds of types.
    fn settle(&mut self, func: &Function) {
        loop {
            let mut changed = false;
            for at in 0..self.all.len() {
                let web = &self.all[at];
                let sources =
                    web.sources.iter().map(|&(op, i)| self.source(func, func.ops[op].args[i], web.wide));
                let holds = sources.fold(web.holds, Holds::join);
                changed |= holds != web.holds;
                self.all[at].holds = holds;
            }
            if !changed {
                return;
            }
        }
    }

    fn source(&self, func: &Function, value: Value, wide: DType) -> Holds {
        if let Some(&web) = self.of.get(&value) {
            return self.all[web].holds;
        }
        let Some(op) = func.def_op(value) else { return Holds::Anything };
        match &func.ops[op].kind {
            OpKind::Const(literal) => of_constant(literal, wide),
            OpKind::Cast => match func.ty(func.ops[op].args[0]) {
                Type::Scalar(from) => of_type(from, wide),
                _ => Holds::Anything,
            },
            _ => Holds::Anything,
        }
    }

    /// Finds what is worth it: what is converted back, and all that this comes from.
    fn want(&mut self, func: &Function) {
        let narrow: Vec<Option<DType>> = self.all.iter().map(|web| web.holds.dtype(web.wide)).collect();
        let mut todo = Vec::new();
        for op in func.all_ops() {
            let data = &func.ops[op];
            if let (OpKind::Cast, Some(&web)) =
                (&data.kind, data.args.first().and_then(|arg| self.of.get(arg)))
                && let (Some(narrow), Type::Scalar(to)) = (narrow[web], func.ty(data.results[0]))
                && to.size() <= narrow.size()
            {
                todo.push(web);
            }
        }
        while let Some(web) = todo.pop() {
            if narrow[web].is_none() || std::mem::replace(&mut self.all[web].wanted, true) {
                continue;
            }
            let args = self.all[web].sources.iter().map(|&(op, at)| func.ops[op].args[at]);
            todo.extend(args.filter_map(|arg| self.of.get(&arg).copied()));
        }
    }

    fn narrow(&self, web: usize) -> Option<DType> {
        self.all[web].holds.dtype(self.all[web].wide)
    }

    fn rewrite(&self, func: &mut Function) {
        let chosen: Vec<usize> = (0..self.all.len()).filter(|&web| self.narrow(web).is_some()).collect();
        if chosen.is_empty() {
            return;
        }
        let known = func.ops.len();
        let mut new_operands = Vec::new();
        for &web in &chosen {
            let Some(to) = self.narrow(web) else { continue };
            for &(op, at) in &self.all[web].sources {
                new_operands.push((op, at, self.narrow_source(func, op, func.ops[op].args[at], to)));
            }
        }
        let mut widened = BTreeMap::new();
        for &web in &chosen {
            let Some(to) = self.narrow(web) else { continue };
            for &value in &self.all[web].values {
                let wide = func.ty(value);
                func.values[value].ty = Type::Scalar(to);
                widened.insert(value, widen(func, value, wide));
            }
        }
        let own: BTreeSet<Op> = widened.values().filter_map(|&wide| func.def_op(wide)).collect();
        for op in func.all_ops().into_iter().filter(|op| op.index() < known) {
            let args = func.ops[op].args.iter().map(|arg| *widened.get(arg).unwrap_or(arg));
            func.ops[op].args = args.collect();
        }
        for (op, at, value) in new_operands {
            func.ops[op].args[at] = value;
        }
        fold_casts(func, &own);
    }

    /// What a source is in the narrow type.
    fn narrow_source(&self, func: &mut Function, user: Op, value: Value, to: DType) -> Value {
        let loc = func.ops[user].loc;
        let before = |func: &mut Function, kind, args| {
            let op = func.new_op(kind, args, &[Type::Scalar(to)], Vec::new(), loc);
            insert_before(func, op, user);
            func.result(op)
        };
        if let Some(&web) = self.of.get(&value) {
            return match self.narrow(web) {
                Some(own) if own == to => value,
                _ => before(func, OpKind::Cast, vec![value]),
            };
        }
        let Some(def) = func.def_op(value) else { return value };
        match func.ops[def].kind.clone() {
            OpKind::Cast => {
                let from = func.ops[def].args[0];
                if func.ty(from) == Type::Scalar(to) { from } else { before(func, OpKind::Cast, vec![from]) }
            }
            kind => before(func, kind, vec![]),
        }
    }
}

/// The value in its wide type, right behind it.
fn widen(func: &mut Function, value: Value, wide: Type) -> Value {
    use pydd_ir::ValueDef;
    let (block, at, loc) = match func.values[value].def {
        ValueDef::Param(block, _) => {
            let loc = func.blocks[block].ops.first().map(|&op| func.ops[op].loc).unwrap_or_default();
            (block, 0, loc)
        }
        ValueDef::Result(op, _) => {
            let (block, at) = pydd_ir::rewrite::position(func, op).expect("the operation stands in a block");
            (block, at + 1, func.ops[op].loc)
        }
    };
    let cast = func.new_op(OpKind::Cast, vec![value], &[wide], Vec::new(), loc);
    func.blocks[block].ops.insert(at, cast);
    func.result(cast)
}

/// Conversions of what was just widened: of the narrow value itself.
fn fold_casts(func: &mut Function, widening: &BTreeSet<Op>) {
    let mut replacements = Replacements::default();
    let mut gone = BTreeSet::new();
    for op in func.all_ops() {
        let data = &func.ops[op];
        if data.kind != OpKind::Cast || widening.contains(&op) {
            continue;
        }
        let Some(wide) = func.def_op(data.args[0]).filter(|def| widening.contains(def)) else { continue };
        let narrow = func.ops[wide].args[0];
        if func.ty(narrow) == func.ty(data.results[0]) {
            replacements.replace(data.results[0], narrow);
            gone.insert(op);
        } else {
            func.ops[op].args = vec![narrow];
        }
    }
    replacements.apply(func);
    erase_ops(func, &gone);
}

/// What values of a type are in a wider one that keeps them.
fn of_type(from: DType, wide: DType) -> Holds {
    let half = DType::F32;
    match wide {
        DType::I64 | DType::U64 if from == DType::Bool => Holds::Ints(0, 1),
        DType::I64 | DType::U64 if from.is_int() => {
            let ((low, high), (least, greatest)) = (range(from), range(wide));
            if least <= low && high <= greatest { Holds::Ints(low, high) } else { Holds::Anything }
        }
        DType::F64 | DType::C128 if from == half || from == DType::C64 && wide == DType::C128 => {
            Holds::HalfFloat
        }
        DType::F64 | DType::C128 if from == DType::Bool || from.is_int() && from.size() <= 2 => {
            Holds::HalfFloat
        }
        _ => Holds::Anything,
    }
}

fn of_constant(literal: &Literal, wide: DType) -> Holds {
    #[allow(clippy::cast_possible_truncation, reason = "that is the question")]
    let halves = |bits: u64| {
        let value = f64::from_bits(bits);
        f64::from(value as f32).to_bits() == bits || value.is_nan()
    };
    match literal {
        Literal::Int(value) if wide == DType::U64 => {
            let value = i128::from(value.cast_unsigned());
            Holds::Ints(value, value)
        }
        Literal::Int(value) if wide == DType::I64 => Holds::Ints(i128::from(*value), i128::from(*value)),
        Literal::Float(bits) if halves(*bits) => Holds::HalfFloat,
        Literal::Complex(re, im) if halves(*re) && halves(*im) => Holds::HalfFloat,
        _ => Holds::Anything,
    }
}
