//! Moves operations on arrays of one shape out of loops that would raise something else first.
//!
//! ```text
//! for … {                          if not (%n > 0 and the lengths of %a and %b fit) cold {
//!     %v = call[@f] …                  for … as before
//!     %c = mul %a, %b        ⇒     } else {
//!     …                                %c = mul %a, %b
//! }                                    for … { %v = call[@f] …; … %c … }
//!                                  }
//! ```
//!
//! All that such an operation raises is that lengths do not fit; where they do, nothing shows when it is done.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, choose, is_defined_inside, position};
use pydd_ir::{Builder, ElemOp, Function, Op, OpKind, Value};

use super::step;
use crate::array::fuse::broadcast_axis;
use crate::pass::PassContext;
use crate::report;

/// Loops of more operations are not copied.
const LONGEST: usize = 300;

/// Whether there were any.
pub(super) fn split(cx: &PassContext<'_>, func: &mut Function, summaries: &Summaries) -> bool {
    let found: Vec<(Op, Vec<Op>)> = {
        let (memory, layout) = (MemoryInfo::new(func, summaries), Layout::new(func));
        let loops = func.hot_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::For);
        let own = |op: Op| (op, fitting(func, &memory, &layout, op));
        loops.map(own).filter(|(_, fitting)| !fitting.is_empty()).collect()
    };
    for (looped, fitting) in &found {
        report::hoisted(cx, func, *looped, fitting);
        copy(func, *looped, fitting);
    }
    !found.is_empty()
}

/// Operations right in the body of a loop that could move if they fitted.
fn fitting(func: &Function, memory: &MemoryInfo, layout: &Layout, looped: Op) -> Vec<Op> {
    let body = func.ops[looped].regions[0];
    let mut size = 0;
    func.walk(body, &mut |_| size += 1);
    if size > LONGEST || step(func, looped).is_none_or(|step| step == 0) {
        return Vec::new();
    }
    let writes = &memory.effects(looped).writes;
    let fits = |&op: &Op| {
        let data = &func.ops[op];
        let OpKind::Elem(elem) = data.kind else { return false };
        let result = data.results[0];
        let is_plain = func.ty(result).is_array()
            && func.ty(data.args[0]).dtype().is_some_and(|dtype| !elem.may_raise(dtype))
            && memory.effects(op).raises;
        let is_outside = |&arg: &Value| !is_defined_inside(func, layout, arg, looped);
        is_plain
            && data.args.iter().all(is_outside)
            && memory.is_value_like(result)
            && !memory.effects(op).reads.intersects(writes)
    };
    func.blocks[body].ops.iter().copied().filter(fits).collect()
}

/// Puts two loops in the place of one.
fn copy(func: &mut Function, looped: Op, fitting: &[Op]) {
    let range = func.ops[looped].args.clone();
    let does_not_fit = |b: &mut Builder<'_>| {
        let forward = step(b.func, looped).is_some_and(|step| step > 0);
        let runs = if forward { ElemOp::Lt } else { ElemOp::Gt };
        let mut ok = Some(b.elem(runs, &[range[0], range[1]]));
        for &op in fitting {
            let args = b.func.ops[op].args.clone();
            let arrays = args.into_iter().filter(|&arg| b.func.ty(arg).is_array()).collect::<Vec<_>>();
            let mut lengths = |array| (0..b.func.ty(array).rank()).map(|axis| b.dim(array, axis)).collect();
            let lengths: Vec<Vec<Value>> = arrays.into_iter().map(&mut lengths).collect();
            let rank = lengths.iter().map(Vec::len).max().unwrap_or(0);
            for axis in 0..rank {
                broadcast_axis(b, &lengths, rank, axis, &mut ok);
            }
        }
        (b.elem(ElemOp::Not, &[ok.expect("it begins with one")]), ())
    };
    choose(func, looped, does_not_fit, |b, ()| {
        b.func.blocks[b.block].cold = true;
        let same = Cloner::default().op(b.func, None, looped);
        b.func.blocks[b.block].ops.push(same);
        b.func.ops[same].results.clone()
    });
    let body = func.ops[looped].regions[0];
    func.blocks[body].ops.retain(|op| !fitting.contains(op));
    let (own, at) = position(func, looped).expect("it stands in the other branch");
    func.blocks[own].ops.splice(at..at, fitting.iter().copied());
}
