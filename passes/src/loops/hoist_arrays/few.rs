//! Memory that is there before a loop, for arrays of few elements that iterations make.
//!
//! ```text
//! for %i in 0, %n {                %b = empty 64
//!     %t = empty %m            ⇒   for %i in 0, %n {
//!     … store %t, load %t …            %t = if 0 <= %m and %m <= 64 { yield raw_view %b, %m } else { yield empty %m }
//! }                                    … store %t, load %t …
//!                                  }
//! ```
//!
//! To take memory costs as much as some thirty operations. Lengths may be any, of each iteration its own: what is refused, or
//! has no room, is so at the same place as before.

use pydd_ir::rewrite::{Layout, Replacements, Uses, erase_op, insert_before, position};
use pydd_ir::{Builder, ElemOp, Function, Op, OpKind, Type, Value};

use crate::analysis::patterns::elements_alone;
use crate::pass::PassContext;
use crate::report;

/// Elements of such an array, at most.
const FEW: i64 = 64;
/// Axes of such an array, at most.
const AXES: usize = 4;
/// Arrays of a function, at most.
const MOST: usize = 16;

/// Gives small arrays of loops memory that is there before.
pub(super) fn share(func: &mut Function, cx: &PassContext<'_>) {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let found: Vec<(Op, Op)> = func
        .hot_ops()
        .into_iter()
        .filter(|&op| matches!(func.ops[op].kind, OpKind::Empty | OpKind::Zeros) && may_be_small(func, op))
        .filter(|&op| elements_alone(func, &uses, func.result(op), None))
        .filter_map(|op| outermost_loop(func, &layout, op).map(|looped| (op, looped)))
        .take(MOST)
        .collect();
    let mut replacements = Replacements::default();
    for (array, looped) in found {
        report::made_once(cx, func, array, looped);
        let (old, new) = (func.result(array), choose(func, array, looped));
        replacements.replace(old, new);
        erase_op(func, array);
    }
    replacements.apply(func);
}

/// Whether an array is not known to be large.
fn may_be_small(func: &Function, array: Op) -> bool {
    let large = |&length: &Value| func.as_int(length).is_some_and(|length| !(0..=FEW).contains(&length));
    let args = &func.ops[array].args;
    (1..=AXES).contains(&args.len()) && !args.iter().any(large)
}

/// The outermost loop around an array that the loops in it run in order.
fn outermost_loop(func: &Function, layout: &Layout, array: Op) -> Option<Op> {
    let mut outermost = None;
    for around in layout.ancestors(array) {
        match func.ops[around].kind {
            OpKind::For | OpKind::Loop => outermost = Some(around),
            OpKind::If | OpKind::Scope => {}
            _ => break,
        }
    }
    outermost
}

/// Puts memory before the loop, and before the array what takes it or makes the array after all. Gives the array.
fn choose(func: &mut Function, array: Op, looped: Op) -> Value {
    let data = func.ops[array].clone();
    let ty = func.ty(data.results[0]);
    let dtype = ty.dtype().expect("arrays have elements");
    let scratch = func.new_block();
    let mut b = Builder { func: &mut *func, block: scratch, loc: data.loc };
    let few = b.int(FEW);
    let memory = b.value(OpKind::Empty, vec![few], Type::array(dtype, 1));
    for op in std::mem::take(&mut b.func.blocks[scratch].ops) {
        insert_before(b.func, op, looped);
    }
    let (fits, count) = is_small(&mut b, &data.args, few);
    let small = b.region(&[], |b, _| {
        if data.kind == OpKind::Zeros {
            super::zero(b, memory, &[count], &mut Vec::new());
        }
        let view = row_major(b, memory, &data.args, ty);
        b.effect(OpKind::Yield, vec![view]);
    });
    let large = b.region(&[], |b, _| {
        let made = b.value(data.kind.clone(), data.args.clone(), ty);
        b.effect(OpKind::Yield, vec![made]);
    });
    let choice = b.op(OpKind::If, vec![fits], &[ty], vec![small, large]);
    let made = std::mem::take(&mut func.blocks[scratch].ops);
    let (block, at) = position(func, array).expect("the array is made in a block");
    func.blocks[block].ops.splice(at..at, made);
    let result = func.result(choice);
    func.names.extend(func.names.get(&data.results[0]).cloned().map(|names| (result, names)));
    result
}

/// Whether an array of these lengths has few elements, and how many it then has.
fn is_small(b: &mut Builder<'_>, lengths: &[Value], few: Value) -> (Value, Value) {
    let none = b.int(0);
    let (mut fits, mut count) = (None, None);
    for &length in lengths {
        let not_negative = b.elem(ElemOp::Le, &[none, length]);
        let short = b.elem(ElemOp::Le, &[length, few]);
        let both = b.elem(ElemOp::And, &[not_negative, short]);
        fits = Some(fits.map_or(both, |fits| b.elem(ElemOp::And, &[fits, both])));
        // Of lengths that are all short, no product overflows.
        count = Some(count.map_or(length, |count| b.mul(count, length)));
    }
    let (fits, count) = fits.zip(count).expect("the array has axes");
    if lengths.len() == 1 {
        return (fits, count);
    }
    let short = b.elem(ElemOp::Le, &[count, few]);
    (b.elem(ElemOp::And, &[fits, short]), count)
}

/// An array of these lengths at the beginning of memory.
fn row_major(b: &mut Builder<'_>, memory: Value, lengths: &[Value], ty: Type) -> Value {
    let size = ty.dtype().expect("arrays have elements").size();
    let mut stride = b.int(i64::try_from(size).expect("elements are small"));
    let mut strides = vec![stride];
    for &length in lengths[1..].iter().rev() {
        stride = b.mul(stride, length);
        strides.push(stride);
    }
    strides.reverse();
    let start = b.int(0);
    b.value(OpKind::RawView, [&[memory, start], lengths, &strides[..]].concat(), ty)
}
