//! Moves negations of floats outwards, so that what differs by a sign only is computed once.
//!
//! ```text
//! %2: f64 = neg %1                 %3: f64 = mul %1, %0
//! %3: f64 = mul %2, %0      ⇒      %4: f64 = erf %3
//! %4: f64 = erf %3                 %5: f64 = neg %4
//! ```
//!
//! All of this is exact, but for the signs of NaN. Functions are left alone under `--strict-fp`, where one that is
//! odd only up to rounding would show. A negated array is looked at where it is used: so neither it nor what it was made of may have
//! been written to in between.

use std::collections::BTreeSet;

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Uses, erase_ops, position};
use pydd_ir::{ElemOp, Entity, Function, Level, Module, Op, OpKind, Value};

use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "signs",
    summary: "move negations of floats outwards",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| move_signs(func, summaries, cx.options.strict_fp));
    Ok(())
}

/// What becomes of an operation.
enum Found {
    /// It is this one.
    Same(ElemOp, Vec<Value>),
    /// It is this one with the other sign.
    Negative(ElemOp, Vec<Value>),
    Value(Value),
}

/// A function before anything is moved in it.
struct Before {
    uses: Uses,
    /// Of one that negates arrays.
    arrays: Option<Arrays>,
}

struct Arrays {
    func: Function,
    layout: Layout,
    memory: MemoryInfo,
}

impl Before {
    fn new(func: &Function, summaries: &Summaries) -> Self {
        let of_array = |op: Op| is_negation(func, op) && func.ty(func.result(op)).is_array();
        let arrays = func.all_ops().into_iter().any(of_array).then(|| Arrays {
            func: func.clone(),
            layout: Layout::new(func),
            memory: MemoryInfo::new(func, summaries),
        });
        Self { uses: Uses::new(func), arrays }
    }
}

impl Arrays {
    /// Whether nothing is written to the memory of these values between two operations. What was made since is written to by nobody.
    fn are_kept(&self, values: [Value; 2], from: Op, to: Op) -> bool {
        let mut classes = ClassSet::default();
        for value in values.into_iter().filter(|value| value.index() < self.func.values.len()) {
            classes.union(self.memory.classes(value));
        }
        if !classes.intersects(self.memory.written()) {
            return true;
        }
        let block = self.layout.block_of(from).filter(|&block| self.layout.block_of(to) == Some(block));
        let places = self.layout.index_of(from).zip(self.layout.index_of(to));
        let between = block.zip(places).and_then(|(block, (from, to))| {
            self.func.blocks[block].ops.get(from + 1..to).filter(|ops| ops.len() <= FARTHEST)
        });
        between.is_some_and(|ops| ops.iter().all(|&op| !self.memory.effects(op).writes.intersects(&classes)))
    }
}

/// Operations between a negation of memory that changes and its use, at most.
const FARTHEST: usize = 1000;

fn move_signs(func: &mut Function, summaries: &Summaries, strict: bool) {
    let before = Before::new(func, summaries);
    let mut replacements = Replacements::default();
    let mut gone = BTreeSet::new();
    for op in func.all_ops() {
        for i in 0..func.ops[op].args.len() {
            func.ops[op].args[i] = replacements.resolve(func.ops[op].args[i]);
        }
        match found(func, &before, op, strict) {
            None => {}
            Some(Found::Value(value)) => {
                replacements.replace(func.result(op), value);
                gone.insert(op);
            }
            Some(Found::Same(elem, args)) => {
                func.ops[op].kind = OpKind::Elem(elem);
                func.ops[op].args = args;
            }
            Some(Found::Negative(elem, args)) => {
                let data = func.ops[op].clone();
                let types = [func.ty(data.results[0])];
                let positive = func.new_op(OpKind::Elem(elem), args, &types, Vec::new(), data.loc);
                let (block, at) = position(func, op).expect("the operation stands in a block");
                func.blocks[block].ops.insert(at, positive);
                func.ops[op].kind = OpKind::Elem(ElemOp::Neg);
                func.ops[op].args = func.ops[positive].results.clone();
            }
        }
    }
    replacements.apply(func);
    erase_ops(func, &gone);
}

fn found(func: &Function, before: &Before, op: Op, strict: bool) -> Option<Found> {
    let data = &func.ops[op];
    let OpKind::Elem(elem) = data.kind else { return None };
    if !data.results.iter().all(|&r| func.ty(r).dtype().is_some_and(pydd_ir::DType::is_float)) {
        return None;
    }
    let of = |value: Value| negated(func, before, value, op);
    // A negation that is needed anyway may as well be used.
    let only = |value: Value| of(value).filter(|_| before.uses.count(value) <= 1);
    match (elem, &data.args[..]) {
        // Of an array it would be the array itself, and no other one.
        (ElemOp::Neg, &[a]) => of(a).filter(|&value| func.ty(value).is_scalar()).map(Found::Value),
        (ElemOp::Add, &[a, b]) => match (only(a), only(b)) {
            (_, Some(b)) => Some(Found::Same(ElemOp::Sub, vec![a, b])),
            // Of arrays, a complaint about shapes names them in order.
            (Some(a), None) if func.ty(data.results[0]).is_scalar() => {
                Some(Found::Same(ElemOp::Sub, vec![b, a]))
            }
            _ => None,
        },
        (ElemOp::Sub, &[a, b]) => only(b).map(|b| Found::Same(ElemOp::Add, vec![a, b])),
        (ElemOp::Mul | ElemOp::Div, &[a, b]) => match (only(a), only(b)) {
            (Some(a), Some(b)) => Some(Found::Same(elem, vec![a, b])),
            (Some(a), None) => Some(Found::Negative(elem, vec![a, b])),
            (None, Some(b)) => Some(Found::Negative(elem, vec![a, b])),
            (None, None) => None,
        },
        (_, &[a]) if !strict && is_odd(elem) => of(a).map(|a| Found::Negative(elem, vec![a])),
        (_, &[a]) if !strict && is_even(elem) => of(a).map(|a| Found::Same(elem, vec![a])),
        _ => None,
    }
}

/// The value of which this is the negative where it is used.
fn negated(func: &Function, before: &Before, value: Value, user: Op) -> Option<Value> {
    let made = func.def_op(value).filter(|&op| is_negation(func, op))?;
    let positive = func.ops[made].args[0];
    let is_kept = |arrays: &Arrays| arrays.are_kept([value, positive], made, user);
    (func.ty(value).is_scalar() || before.arrays.as_ref().is_some_and(is_kept)).then_some(positive)
}

fn is_negation(func: &Function, op: Op) -> bool {
    func.ops[op].kind == OpKind::Elem(ElemOp::Neg)
}

const fn is_odd(elem: ElemOp) -> bool {
    use ElemOp::{Asin, Asinh, Atan, Atanh, Cbrt, Erf, Sin, Sinh, Tan, Tanh};
    matches!(elem, Asin | Asinh | Atan | Atanh | Cbrt | Erf | Sin | Sinh | Tan | Tanh)
}

const fn is_even(elem: ElemOp) -> bool {
    matches!(elem, ElemOp::Abs | ElemOp::Cos | ElemOp::Cosh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::testing::{count, parse};

    #[test]
    fn functions_stay_as_written_where_bits_count() {
        let text = "
        func @f array (%0: f64) -> (f64) {
          %1: f64 = neg %0
          %2: f64 = sin %1
          return %2
        }";
        for (strict_fp, last) in [(true, ElemOp::Sin), (false, ElemOp::Neg)] {
            let mut module = parse(text);
            let options = Options { strict_fp, ..Options::default() };
            run(&mut module, &PassContext::quiet(&options)).unwrap();
            let func = module.funcs.values().next().unwrap();
            assert_eq!(count(func, |kind| matches!(kind, OpKind::Elem(ElemOp::Sin))), 1);
            let returned = func.ops[func.terminator(func.entry).unwrap()].args[0];
            assert_eq!(func.ops[func.def_op(returned).unwrap()].kind, OpKind::Elem(last));
        }
    }
}
