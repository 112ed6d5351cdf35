//! Loops of the source that search a row of sums in each iteration.
//!
//! ```text
//! for %i {                                     if "sums of few terms" { for %i { as below, the sums one by one } } else {
//!     %s = reduce[sum axes 1] …          ⇒     for %i { … }
//!     %p = reduce[argmin] %s   …               }
//! }
//! ```
//!
//! Where sums are short, their loop joins the search, and several iterations go side by side (see [`lanes`](crate::loops::lanes)), as they do for
//! the rows of one operation (see [`search`](super::search)). Iterations have to be free for that: else each step would wait for the one before.

use std::collections::BTreeSet;

use pydd_ir::alias::Summaries;
use pydd_ir::{ElemOp, Entity, Function, MapTarget, Op, OpKind, ReduceOp, ReduceSpec, Value, Version};

use super::Lower;
use super::reduce::{DEPTH, is_position};
use crate::analysis::independent::Finder;
use crate::analysis::patterns::counts_up;
use crate::analysis::shapes::Length;
use crate::loops::lanes;
use crate::pass::{OptLevel, Options};

/// Operations of an iteration, which are written twice, at most.
const LONGEST: usize = 60;

/// A search in a loop, and the sums that it searches.
#[derive(Clone, Copy)]
struct Row {
    search: Op,
    sums: Op,
}

/// The loops whose iterations are free and search a row of sums, where iterations go side by side.
pub(super) fn loops_of_rows(func: &Function, summaries: &Summaries, options: &Options) -> BTreeSet<Op> {
    let has_lanes = options.opt_level >= OptLevel::O3 && lanes::width(options).is_some();
    if func.version == Version::General || func.device || !has_lanes {
        return BTreeSet::new();
    }
    let mut loops: BTreeSet<Op> =
        func.all_ops().into_iter().filter(|&op| row_of(func, op).is_some()).collect();
    if !loops.is_empty() {
        let finder = Finder::new(func, summaries, options.strict_fp);
        loops.retain(|&op| finder.has_no_order(op));
    }
    loops
}

fn row_of(func: &Function, looped: Op) -> Option<Row> {
    let data = &func.ops[looped];
    (counts_up(func, looped) && data.results.is_empty()).then_some(())?;
    let body = &func.blocks[data.regions[0]].ops;
    (body.len() <= LONGEST && body.iter().all(|&op| is_plain(func, op))).then_some(())?;
    let mut reductions = body.iter().copied().filter(|&op| reduced(func, op).is_some());
    let is_search =
        |op: &Op| reduced(func, *op).is_some_and(|spec| is_position(spec.op) && of_vector(func, *op));
    let search = body.iter().copied().find(is_search)?;
    let sums = sums_of(func, search)?;
    // What is searched is asked for its extremes besides, and nothing else takes time.
    let goes_along = |op: Op| {
        let is_extreme = |spec: &ReduceSpec| matches!(spec.op, ReduceOp::Min | ReduceOp::Max);
        op == sums
            || op == search
            || reduced(func, op).is_some_and(is_extreme) && sums_of(func, op) == Some(sums)
    };
    (body.contains(&sums) && reductions.all(goes_along)).then_some(Row { search, sums })
}

/// Whether an operation of an iteration has neither a loop of the source nor other effects than stores.
fn is_plain(func: &Function, op: Op) -> bool {
    matches!(
        func.ops[op].kind,
        OpKind::Const(_)
            | OpKind::Elem(_)
            | OpKind::Cast
            | OpKind::Dim(_)
            | OpKind::View(_)
            | OpKind::Transpose(_)
            | OpKind::Load
            | OpKind::Store
            | OpKind::Check { .. }
            | OpKind::Map(MapTarget::Fresh | MapTarget::Reduce(_))
            | OpKind::Reduce(_)
            | OpKind::Continue(0)
    )
}

fn reduced(func: &Function, op: Op) -> Option<&ReduceSpec> {
    match &func.ops[op].kind {
        OpKind::Reduce(spec) | OpKind::Map(MapTarget::Reduce(spec)) => Some(spec),
        _ => None,
    }
}

/// Whether a reduction gives a number, of a vector.
fn of_vector(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let is_vector = data.args.iter().all(|&arg| func.ty(arg).rank() <= 1);
    is_vector && func.ty(data.results[0]).is_scalar()
}

/// The sums that a reduction of a vector is of, or of what is made of them element by element.
fn sums_of(func: &Function, reduction: Op) -> Option<Op> {
    let mut op = reduction;
    for _ in 0..=DEPTH {
        let mut arrays = func.ops[op].args.iter().filter(|&&arg| func.ty(arg).is_array());
        let (&array, None) = (arrays.next()?, arrays.next()) else { return None };
        op = func.def_op(array)?;
        match reduced(func, op) {
            Some(spec) if spec.op == ReduceOp::Sum && func.ty(array).rank() == 1 => {
                let is_last = spec.axes.as_deref() == Some(&[1]) && !spec.keepdims;
                return is_last.then_some(op);
            }
            Some(_) => return None,
            None => {
                let is_made = matches!(func.ops[op].kind, OpKind::Elem(_) | OpKind::Map(MapTarget::Fresh));
                is_made.then_some(())?;
            }
        }
    }
    None
}

impl Lower<'_> {
    /// Whether the sums that a loop searches in each iteration are short, and some, as far as it is known before the loop.
    pub(super) fn has_short_rows(&mut self, looped: Op) -> Option<Value> {
        let row = self.rows.contains(&looped).then(|| row_of(self.src, looped))??;
        let length = self.greatest_length(row.search, 0)?;
        let terms = self.greatest_length(row.sums, 1)?;
        let (short, zero) = (self.has_short_sums(terms), self.int(0));
        let some = self.less(zero, length);
        Some(self.b.elem(ElemOp::And, &[some, short]))
    }

    /// The length of an axis of what an operation goes over: the greatest one of its arrays', which others are stretched to.
    fn greatest_length(&mut self, op: Op, axis: usize) -> Option<Value> {
        let src = self.src;
        let arrays: Vec<Value> =
            src.ops[op].args.iter().copied().filter(|&arg| src.ty(arg).is_array()).collect();
        let rank = arrays.iter().map(|&array| usize::from(src.ty(array).rank())).max()?;
        let mut greatest: Option<Value> = None;
        for array in arrays {
            let dims = self.shapes.layout(array).dims.clone();
            // Axes in front are missing.
            let Some(&length) = (axis + dims.len()).checked_sub(rank).and_then(|own| dims.get(own)) else {
                continue;
            };
            let length = match length {
                Length::Const(n) => self.int(n),
                Length::Scalar(value) => self.map[value.index()]?,
                Length::Axis(array, axis) => {
                    let array = self.map[array.index()]?;
                    self.arrays.get(&array)?.dims[usize::from(axis)]
                }
            };
            greatest = Some(match greatest {
                Some(other) => self.max(other, length),
                None => length,
            });
        }
        greatest
    }
}
