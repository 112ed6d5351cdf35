//! Loops that end after few iterations, since a number loses a bit or is divided in each.
//!
//! ```text
//! while v: v &= v - 1        while v > 0: v //= 10        while v >= 8: v >>= 3        while i: … t[i] …; i -= i & -i
//! ```
//!
//! An integer of 64 bits has no more than 64 of them to lose, so such loops need not look for Ctrl-C, and LLVM knows some of them by
//! their form: it counts bits in one instruction. What is divided or shifted must be above 0 where the loop goes on: negative numbers come
//! to -1 and stay there. So `while v` is enough for numbers without a sign, and for those that cannot have begun with one.

use pydd_ir::{Block, DType, ElemOp, Function, Op, OpKind, Value};

/// How far back it is asked whether a number has a sign.
const DEEPEST: u32 = 8;

/// Whether a `loop` is known to have no more than a few iterations over the bits of its numbers.
#[must_use]
pub fn ends_soon(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    data.kind == OpKind::Loop && (0..data.args.len()).any(|place| Shrinking { func, op, place }.holds())
}

/// What a loop goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    /// Numbers that are not 0.
    NotZero,
    /// Numbers above 0.
    Above,
}

/// A number that a loop carries.
struct Shrinking<'f> {
    func: &'f Function,
    op: Op,
    place: usize,
}

impl Shrinking<'_> {
    /// Whether each iteration takes something from the number, and the loop is left where nothing is left of it.
    fn holds(&self) -> bool {
        let Self { func, op, place } = *self;
        let body = func.ops[op].regions[0];
        let carried = func.blocks[body].params[place];
        if !func.ty(carried).is_scalar() || func.ty(carried).dtype().is_none_or(|dtype| !dtype.is_int()) {
            return false;
        }
        let ops = &func.blocks[body].ops;
        // Behind the test, and only there, may iterations end.
        let tests = ops.iter().enumerate().filter_map(|(at, &op)| Some((at, self.test(op, carried)?)));
        tests.into_iter().any(|(at, goes)| {
            let (early, late) = (self.next_values(&ops[..=at], 0), self.next_values(&ops[at + 1..], 0));
            early.is_empty() && late.iter().all(|&next| self.shrinks(carried, next, goes))
        })
    }

    /// What an operation of the body lets pass, where it leaves the loop with everything else.
    fn test(&self, op: Op, carried: Value) -> Option<Goes> {
        let func = self.func;
        let data = &func.ops[op];
        if data.kind != OpKind::If {
            return None;
        }
        let leaves = |block: Block| {
            let end = func.blocks[block].ops.last().map(|&end| &func.ops[end].kind);
            matches!(end, Some(OpKind::Break(_) | OpKind::Return | OpKind::Raise { .. }))
        };
        match [leaves(data.regions[0]), leaves(data.regions[1])] {
            [false, true] => self.condition(data.args[0], carried, true),
            [true, false] => self.condition(data.args[0], carried, false),
            _ => None,
        }
    }

    /// What a condition says of the number where it is as given.
    fn condition(&self, condition: Value, carried: Value, holds: bool) -> Option<Goes> {
        let func = self.func;
        let data = &func.ops[func.def_op(condition)?];
        let OpKind::Elem(elem) = data.kind else { return None };
        let sides = |&side: &Value| self.condition(side, carried, holds);
        match elem {
            ElemOp::Not => return self.condition(data.args[0], carried, !holds),
            ElemOp::And if holds => return data.args.iter().find_map(sides),
            ElemOp::Or if !holds => return data.args.iter().find_map(sides),
            _ => {}
        }
        let &[left, right] = &data.args[..] else { return None };
        let (elem, number) = if left == carried {
            (elem, func.as_int(right)?)
        } else if right == carried {
            (turned(elem)?, func.as_int(left)?)
        } else {
            return None;
        };
        // What is greater than the greatest number with a sign reads as negative here, and is refused.
        match (elem, holds, number) {
            (ElemOp::Ne, true, 0) | (ElemOp::Eq, false, 0) => Some(Goes::NotZero),
            (ElemOp::Gt, true, 0..) | (ElemOp::Le, false, 0..) => Some(Goes::Above),
            (ElemOp::Ge, true, 1..) | (ElemOp::Lt, false, 1..) => Some(Goes::Above),
            _ => None,
        }
    }

    /// What the number is in the next iteration, wherever one ends in these operations.
    fn next_values(&self, ops: &[Op], depth: u32) -> Vec<Value> {
        let of_op = |&op: &Op| {
            let data = &self.func.ops[op];
            if data.kind == OpKind::Continue(depth) {
                return vec![data.args[self.place]];
            }
            let inside = depth + u32::from(data.kind.is_breakable());
            let regions = data.regions.iter();
            regions.flat_map(|&region| self.next_values(&self.func.blocks[region].ops, inside)).collect()
        };
        ops.iter().flat_map(of_op).collect()
    }

    /// Whether there are few steps from any number that the loop goes on with to 0.
    fn shrinks(&self, carried: Value, next: Value, goes: Goes) -> bool {
        let func = self.func;
        let Some(op) = func.def_op(next) else { return false };
        let (OpKind::Elem(elem), &[left, right]) = (&func.ops[op].kind, &func.ops[op].args[..]) else {
            return false;
        };
        let both_ways = |holds: &dyn Fn(Value, Value) -> bool| holds(left, right) || holds(right, left);
        match elem {
            // Each of these takes the lowest bit, whatever the sign.
            ElemOp::And => both_ways(&|a, b| a == carried && self.is_one_less(b, carried)),
            ElemOp::Xor => both_ways(&|a, b| a == carried && self.is_lowest_bit(b, carried)),
            ElemOp::Sub => left == carried && self.is_lowest_bit(right, carried),
            ElemOp::Shr => left == carried && func.as_int(right) >= Some(1) && self.is_above(carried, goes),
            ElemOp::FloorDiv => {
                left == carried && func.as_int(right) >= Some(2) && self.is_above(carried, goes)
            }
            _ => false,
        }
    }

    fn is_above(&self, carried: Value, goes: Goes) -> bool {
        goes == Goes::Above || is_unsigned(self.func, carried) || {
            // Steps from a number that is not negative give none that is.
            has_no_sign(self.func, self.func.ops[self.op].args[self.place], DEEPEST)
        }
    }

    fn is_one_less(&self, value: Value, carried: Value) -> bool {
        match self.operation(value) {
            Some((ElemOp::Sub, &[of, by])) => of == carried && self.func.as_int(by) == Some(1),
            // `-1` of an unsigned type has other bits, and is none here.
            Some((ElemOp::Add, &[of, by])) => of == carried && self.func.as_int(by) == Some(-1),
            _ => false,
        }
    }

    fn is_lowest_bit(&self, value: Value, carried: Value) -> bool {
        let Some((ElemOp::And, &[left, right])) = self.operation(value) else { return false };
        let is_negated = |value| matches!(self.operation(value), Some((ElemOp::Neg, &[of])) if of == carried);
        left == carried && is_negated(right) || right == carried && is_negated(left)
    }

    fn operation(&self, value: Value) -> Option<(ElemOp, &[Value])> {
        let data = &self.func.ops[self.func.def_op(value)?];
        let OpKind::Elem(elem) = data.kind else { return None };
        Some((elem, &data.args))
    }
}

/// The comparison that says the same with its operands exchanged.
const fn turned(elem: ElemOp) -> Option<ElemOp> {
    Some(match elem {
        ElemOp::Eq | ElemOp::Ne => elem,
        ElemOp::Lt => ElemOp::Gt,
        ElemOp::Le => ElemOp::Ge,
        ElemOp::Gt => ElemOp::Lt,
        ElemOp::Ge => ElemOp::Le,
        _ => return None,
    })
}

fn is_unsigned(func: &Function, value: Value) -> bool {
    func.ty(value).dtype().is_some_and(|dtype| dtype == DType::Bool || dtype.is_unsigned_int())
}

/// Whether an integer is certainly not below 0.
fn has_no_sign(func: &Function, value: Value, deepest: u32) -> bool {
    let Some(op) = func.def_op(value).filter(|_| deepest > 0) else { return is_unsigned(func, value) };
    let data = &func.ops[op];
    let is_plain = |value: Value| has_no_sign(func, value, deepest - 1);
    is_unsigned(func, value)
        || match data.kind {
            OpKind::Const(_) => func.as_int(value) >= Some(0),
            OpKind::Dim(_) | OpKind::ListLen => true,
            // A wider number keeps what a narrower one is.
            OpKind::Cast => width(func, data.args[0]) < width(func, value) && is_plain(data.args[0]),
            OpKind::Elem(ElemOp::And | ElemOp::Max) => data.args.iter().any(|&arg| is_plain(arg)),
            OpKind::Elem(ElemOp::Or | ElemOp::Xor | ElemOp::Min | ElemOp::FloorDiv) => {
                data.args.iter().all(|&arg| is_plain(arg))
            }
            OpKind::Elem(ElemOp::Shr) => is_plain(data.args[0]),
            OpKind::Elem(ElemOp::Mod) => func.as_int(data.args[1]) >= Some(1),
            OpKind::Elem(ElemOp::Select) => data.args[1..].iter().all(|&arg| is_plain(arg)),
            _ => false,
        }
}

/// The bits of an integer; of what is none so many that nothing is wider.
fn width(func: &Function, value: Value) -> u64 {
    match func.ty(value).dtype() {
        Some(DType::Bool) => 1,
        Some(dtype) if dtype.is_int() => 8 * dtype.size(),
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::ends_soon;
    use pydd_ir::OpKind;

    /// Whether a loop over a number of this type is known to end soon, which goes on under this condition and with this step.
    fn ends(ty: &str, first: &str, test: &str, step: &str) -> bool {
        let text = format!(
            "func @f loop fast (%v: {ty}, %b: i64) -> ({ty}) {{
  %zero: {ty} = const 0
  %one: {ty} = const 1
  %three: {ty} = const 3
  %first: {ty} = {first}
  %last: {ty} = loop %first {{
  (%x: {ty}):
    %more: bool = {test}
    if %more {{
      yield
    }} else {{
      break[0] %x
    }}
    {step}
    continue[0] %next
  }}
  return %last
}}
"
        );
        let module = pydd_ir::text::parse(&text).expect("it is IR");
        let func = module.funcs.values().next().expect("a function");
        let ops = func.all_ops();
        let looped = ops.into_iter().find(|&op| func.ops[op].kind == OpKind::Loop).expect("a loop");
        ends_soon(func, looped)
    }

    const HALF: &str = "%next: i64 = shr %x, %one";
    const THIRD: &str = "%next: i64 = floordiv %x, %three";
    const SAME: &str = "add %v, %zero";

    #[test]
    fn numbers_that_are_above_zero_are_halved() {
        for step in [HALF, THIRD] {
            assert!(ends("i64", SAME, "gt %x, %zero", step));
            assert!(ends("i64", SAME, "le %three, %x", step));
            assert!(ends("i64", "and %v, %three", "ne %x, %zero", step));
        }
        assert!(ends("u8", SAME, "ne %x, %zero", "%next: u8 = shr %x, %three"));
    }

    #[test]
    fn numbers_below_zero_come_to_minus_one() {
        for step in [HALF, THIRD] {
            assert!(!ends("i64", SAME, "ne %x, %zero", step));
            assert!(!ends("i64", SAME, "lt %x, %one", step));
            assert!(!ends("i64", SAME, "ge %x, %zero", step));
        }
    }

    #[test]
    fn bits_are_taken_from_any_number() {
        let lower = "%lower: i64 = sub %x, %one\n    %next: i64 = and %lower, %x";
        assert!(ends("i64", SAME, "ne %x, %zero", lower));
        assert!(!ends("i64", SAME, "ne %x, %one", lower));
        let lowest = "%minus: i64 = neg %x\n    %lowest: i64 = and %x, %minus\n    %next: i64 = ";
        assert!(ends("i64", SAME, "gt %x, %zero", &format!("{lowest}sub %x, %lowest")));
        assert!(!ends("i64", SAME, "gt %x, %zero", &format!("{lowest}add %x, %lowest")));
    }

    #[test]
    fn other_steps_say_nothing() {
        assert!(!ends("i64", SAME, "gt %x, %zero", "%next: i64 = shr %x, %zero"));
        assert!(!ends("i64", SAME, "gt %x, %zero", "%next: i64 = shr %x, %b"));
        assert!(!ends("i64", SAME, "gt %x, %zero", "%next: i64 = floordiv %x, %one"));
        assert!(!ends("i64", SAME, "gt %x, %zero", "%next: i64 = sub %x, %one"));
        let sometimes = "%is: bool = gt %x, %three
    if %is { continue[0] %x } else { yield }
    %next: i64 = shr %x, %one";
        assert!(!ends("i64", SAME, "gt %x, %zero", sometimes));
    }
}
