//! Counts bits without the loop that takes one after the other.
//!
//! ```text
//! %r: i64, %z: i64 = loop %c, %v {(%n: i64, %x: i64):           %b = the bits of %v, by sums of neighbours
//!   %7: bool = ne %x, 0                                         %r: i64 = add %c, %b
//!   if %7 { yield } else { break %n, %x }                 ⇒     %z = 0
//!   %8: i64 = sub %x, 1
//!   %9: i64 = and %x, %8
//!   %10: i64 = add %n, 1
//!   continue %10, %9
//! }
//! ```
//!
//! `x & (x - 1)` is x without its lowest bit, whatever its sign. What the loop counts grows by the same in each iteration, maybe by a number other
//! than 1; what it hands on as it was stays. A loop that does anything else stays as it is. The sums are those of Hacker's Delight
//! (second edition, figure 5-2), in 64 bits; LLVM knows them by their form, and has an instruction for them, and for vectors of them.

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Layout, build_before, is_defined_inside, replace_op};
use pydd_ir::{Builder, DType, ElemOp, Function, Level, Literal, Module, Op, OpKind, Type, Value};

use crate::analysis::jumps::ends;
use crate::array::each_function;
use crate::array::head::Head;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "count-bits",
    summary: "count the bits of a number without a loop over them",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| {
        let mut loops = func.all_ops();
        loops.retain(|&op| func.ops[op].kind == OpKind::Loop && func.ops[op].args.len() > 1);
        if loops.is_empty() {
            return;
        }
        // Other loops of this kind, which is all that changes, hold none of these.
        let memory = MemoryInfo::new(func, summaries);
        for op in loops {
            if let Some(bits) = Bits::find(func, &memory, op) {
                bits.rewrite(func);
            }
        }
    });
    Ok(())
}

/// What a loop makes of a value that it carries, with each bit.
enum Step {
    /// Nothing.
    Stays,
    /// It takes the bit away.
    Loses,
    /// Another number is added to it, or taken from it.
    Grows(ElemOp, Value),
}

/// A loop that takes bits from a number, one in each iteration.
struct Bits {
    looped: Op,
    /// Of each carried value.
    steps: Vec<Step>,
    number: usize,
    /// Whether numbers below 0 end the loop.
    above: bool,
    /// What the loop gives: carried values, by their places, and what is there before it.
    given: Vec<Result<usize, Value>>,
}

impl Bits {
    fn find(func: &Function, memory: &MemoryInfo, looped: Op) -> Option<Self> {
        let body = func.ops[looped].regions[0];
        let is_quiet = |op: Op| func.ops[op].regions.is_empty() && memory.effects(op).is_removable();
        let head = Head::of(func, body, is_quiet)?;
        let (&end, before) = func.blocks[body].ops.split_last()?;
        let is_plain = before.iter().all(|&op| op == head.test || is_quiet(op));
        // The end of the iteration, and that of the loop.
        if !is_plain || func.ops[end].kind != OpKind::Continue(0) || ends(func, body).len() != 2 {
            return None;
        }
        let layout = Layout::new(func);
        let params = &func.blocks[body].params;
        let is_outside = |value: Value| !is_defined_inside(func, &layout, value, looped);
        let is_fixed = |value: Value| func.as_const(value).is_some() || is_outside(value);
        let of_param = |(&param, &next): (&Value, &Value)| step(func, param, next, &is_fixed);
        let steps = params.iter().zip(&func.ops[end].args).map(of_param).collect::<Option<Vec<_>>>()?;
        let number = steps.iter().position(|step| matches!(step, Step::Loses))?;
        if steps.iter().filter(|step| matches!(step, Step::Loses)).count() > 1 {
            return None;
        }
        let above = ends_at_zero(func, &head, params[number])?;
        let given = head.given.iter().map(|&value| match params.iter().position(|&param| param == value) {
            Some(place) => Some(Ok(place)),
            None => is_outside(value).then_some(Err(value)),
        });
        Some(Self { looped, steps, number, above, given: given.collect::<Option<_>>()? })
    }

    fn rewrite(self, func: &mut Function) {
        let init = func.ops[self.looped].args.clone();
        let values: Vec<Value> = build_before(func, self.looped, |b| {
            let number = init[self.number];
            let ty = b.func.ty(number);
            let dtype = ty.dtype().expect("an integer");
            let zero = constant(b, 0, dtype);
            let (mut bits, mut rest) = (number, zero);
            if self.above && dtype.is_signed_int() {
                bits = b.elem(ElemOp::Max, &[number, zero]);
                rest = b.elem(ElemOp::Min, &[number, zero]);
            }
            let count = count(b, bits, dtype);
            let finals = init.iter().zip(&self.steps).map(|(&first, step)| match *step {
                Step::Stays => first,
                Step::Loses => rest,
                Step::Grows(elem, by) => grown(b, first, elem, by, count),
            });
            let finals: Vec<Value> = finals.collect();
            self.given.iter().map(|given| given.map_or_else(|value| value, |place| finals[place])).collect()
        });
        replace_op(func, self.looped, &values);
    }
}

/// What the loop makes of the value that it carries as `param`.
fn step(func: &Function, param: Value, next: Value, is_fixed: &impl Fn(Value) -> bool) -> Option<Step> {
    if next == param {
        return Some(Step::Stays);
    }
    let ty = func.ty(param);
    if !ty.is_scalar() || !ty.dtype().is_some_and(DType::is_int) {
        return None;
    }
    let operation = |value: Value| {
        let data = &func.ops[func.def_op(value)?];
        let OpKind::Elem(elem) = data.kind else { return None };
        Some((elem, data.args.as_slice()))
    };
    let is_one_less = |value: Value| match operation(value) {
        Some((ElemOp::Sub, &[of, by])) => of == param && func.as_int(by) == Some(1),
        Some((ElemOp::Add, &[of, by])) => of == param && func.as_int(by) == Some(-1) && !is_unsigned(ty),
        _ => false,
    };
    match operation(next)? {
        (ElemOp::And, &[a, b]) if a == param && is_one_less(b) || b == param && is_one_less(a) => {
            Some(Step::Loses)
        }
        (ElemOp::Add, &[a, b]) if a == param && is_fixed(b) => Some(Step::Grows(ElemOp::Add, b)),
        (ElemOp::Add, &[a, b]) if b == param && is_fixed(a) => Some(Step::Grows(ElemOp::Add, a)),
        (ElemOp::Sub, &[a, b]) if a == param && is_fixed(b) => Some(Step::Grows(ElemOp::Sub, b)),
        _ => None,
    }
}

fn is_unsigned(ty: Type) -> bool {
    ty.dtype().is_some_and(DType::is_unsigned_int)
}

/// Whether a loop ends where the number is 0, and if so, whether below 0 as well.
fn ends_at_zero(func: &Function, head: &Head, number: Value) -> Option<bool> {
    let data = &func.ops[func.def_op(head.condition(func))?];
    let OpKind::Elem(compare) = data.kind else { return None };
    let compare = if head.goes_on_if { compare } else { compare.opposite()? };
    let &[a, b] = data.args.as_slice() else { return None };
    let (compare, bound) = match (a == number, b == number) {
        (true, false) => (compare, func.as_int(b)?),
        (false, true) => (compare.exchanged(), func.as_int(a)?),
        _ => return None,
    };
    match (compare, bound) {
        (ElemOp::Ne, 0) => Some(false),
        (ElemOp::Gt, 0) | (ElemOp::Ge, 1) => Some(true),
        _ => None,
    }
}

fn constant(b: &mut Builder<'_>, value: i64, dtype: DType) -> Value {
    b.value(OpKind::Const(Literal::Int(value)), vec![], Type::Scalar(dtype))
}

/// What `first` is when the number has been added to it, or taken from it, `count` times; it wraps as each of these did.
fn grown(b: &mut Builder<'_>, first: Value, elem: ElemOp, by: Value, count: Value) -> Value {
    let dtype = b.func.ty(first).dtype().expect("an integer");
    let count = b.cast(count, dtype);
    let all = match b.func.as_int(by) {
        Some(1) => count,
        Some(number) => {
            // It stood in the loop, maybe.
            let by = constant(b, number, dtype);
            b.mul(count, by)
        }
        None => b.mul(count, by),
    };
    b.elem(elem, &[first, all])
}

/// How many bits of an integer are 1.
fn count(b: &mut Builder<'_>, number: Value, dtype: DType) -> Value {
    // Bits in front of a sign are not its own.
    let own = match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => other,
    };
    let own = b.cast(number, own);
    let mut x = b.cast(own, DType::U64);
    let shifted = |b: &mut Builder<'_>, x: Value, by: i64| {
        let by = constant(b, by, DType::U64);
        b.elem(ElemOp::Shr, &[x, by])
    };
    let masked = |b: &mut Builder<'_>, x: Value, mask: i64| {
        let mask = constant(b, mask, DType::U64);
        b.elem(ElemOp::And, &[x, mask])
    };
    let upper = shifted(b, x, 1);
    let upper = masked(b, upper, 0x5555_5555_5555_5555);
    x = b.sub(x, upper);
    let upper = shifted(b, x, 2);
    let upper = masked(b, upper, 0x3333_3333_3333_3333);
    let lower = masked(b, x, 0x3333_3333_3333_3333);
    x = b.add(lower, upper);
    let upper = shifted(b, x, 4);
    x = b.add(x, upper);
    x = masked(b, x, 0x0F0F_0F0F_0F0F_0F0F);
    let ones = constant(b, 0x0101_0101_0101_0101, DType::U64);
    x = b.mul(x, ones);
    shifted(b, x, 56)
}
