//! Launched loops: parts of the range, in one piece or in many, and their results combined.

use super::{Frame, Stop, fault};
use crate::exec::Flow;
use crate::exec::footprint::Allowed;
use crate::scalar;
use crate::value::{Scalar, Val};
use pydd_abi::parts::{Nodes, Parts};
use pydd_ir::{ElemOp, Exc, FuncRef, LAUNCH_CAPTURES, Op, ReduceOp, Region, Sharing};
use std::ops::Range;
use std::rc::Rc;

/// What all pieces of a launch share.
struct Launch<'r> {
    callee: FuncRef,
    region: &'r Region,
    start: Val,
    step: Val,
    captures: Vec<Val>,
    identities: Vec<Val>,
    parts: Parts,
}

impl Launch<'_> {
    /// The index of an iteration.
    fn index(&self, iteration: i64) -> i64 {
        let [start, step] =
            [&self.start, &self.step].map(|v| v.as_scalar().and_then(Scalar::as_i64).unwrap_or(0));
        start.wrapping_add(iteration.wrapping_mul(step))
    }
}

/// What a piece gives: nodes of the tree, and the lists of its own that it appended to.
struct Piece {
    nodes: Nodes<Vec<Val>>,
    lists: Vec<Val>,
}

impl Frame<'_, '_> {
    pub(super) fn launch(&mut self, op: Op, callee: FuncRef) -> Result<Option<Flow>, Stop> {
        let module = self.interp.module;
        let Some(region) = &module.funcs[callee].region else {
            return fault("what is launched is no region");
        };
        let args = self.get_all(&self.f.ops[op].args)?;
        let ints: Vec<i64> = args[..4].iter().filter_map(|v| v.as_scalar()?.as_i64()).collect();
        let &[start, stop, step, cost] = ints.as_slice() else { return fault("a range of no integers") };
        if step == 0 {
            return self.raise(op, (Exc::ValueError, "range() arg 3 must not be zero".to_owned()));
        }
        let (captures, init) = args[LAUNCH_CAPTURES..].split_at(region.captures.len());
        let count = pydd_ir::cost::length(start, stop, step);
        let split = self.interp.split.clone();
        let cost = match &split {
            Some(split) if count > 0 => {
                cost.max(split.parts.min(count) * pydd_abi::parts::PART_COST / count + 1)
            }
            _ => cost,
        };
        let launch = Launch {
            callee,
            region,
            start: args[0].clone(),
            step: args[2].clone(),
            captures: captures.to_vec(),
            identities: region.reduce.iter().zip(init).map(|(&op, init)| identity(op, init)).collect(),
            parts: Parts::new(count, cost),
        };
        let mut failed = None;
        let mut combine = |left: &mut Vec<Val>, right: Vec<Val>| {
            *left = combined(&region.reduce, left, &right).unwrap_or_else(|| {
                failed = Some(());
                right
            });
        };
        let mut all = Nodes::new(0);
        // What may meet runs in order.
        let free = args[4].as_scalar() == Some(Scalar::Bool(true));
        for piece in self.pieces(&launch, split.as_ref().filter(|_| free), count)? {
            all.join(piece.nodes, &mut combine);
            self.append(&launch, &piece.lists)?;
        }
        let mut results = init.to_vec();
        if let Some(tree) = all.finish(&mut combine) {
            combine(&mut results, tree);
        }
        if failed.is_some() {
            return fault("accumulators that cannot be combined");
        }
        self.finish(op, results)
    }

    /// Runs the pieces of a split in its order, and gives them in that of the range.
    fn pieces(
        &mut self,
        launch: &Launch<'_>,
        split: Option<&super::Split>,
        count: i64,
    ) -> Result<Vec<Piece>, Stop> {
        let Some(split) = split else { return Ok(vec![self.piece(launch, 0..launch.parts.count(), false)?]) };
        let mut cuts: Vec<i64> = split
            .cuts
            .iter()
            .map(|cut| launch.parts.from_iteration((*cut * count as f64) as i64).min(launch.parts.count()))
            .collect();
        cuts.sort_unstable();
        let ends = cuts.iter().copied().chain([launch.parts.count()]);
        let ranges: Vec<Range<i64>> =
            [0].into_iter().chain(cuts.iter().copied()).zip(ends).map(|(a, b)| a..b).collect();
        let mut order: Vec<usize> = (0..ranges.len()).collect();
        order.sort_by_key(|&piece| split.order.get(piece).copied().unwrap_or(0));
        let mut done: Vec<Option<Piece>> = ranges.iter().map(|_| None).collect();
        for at in order {
            done[at] = Some(self.piece(launch, ranges[at].clone(), true)?);
        }
        Ok(done.into_iter().flatten().collect())
    }

    /// Runs parts one after the other; with lists of its own where other pieces append as well.
    fn piece(&mut self, launch: &Launch<'_>, parts: Range<i64>, own_lists: bool) -> Result<Piece, Stop> {
        let mut captures = launch.captures.clone();
        let mut lists = Vec::new();
        if own_lists {
            for (value, capture) in captures.iter_mut().zip(&launch.region.captures) {
                if let (Val::List(item, _), Sharing::Appended) = (&value, &capture.sharing) {
                    *value = Val::List(*item, Rc::default());
                    lists.push(value.clone());
                }
            }
        }
        let mut nodes = Nodes::new(parts.start);
        let mut wrong = false;
        for part in parts {
            let range = launch.parts.range(part);
            let mut args: Vec<Val> = [range.start, range.end].map(|at| Val::Scalar(Scalar::i64(at))).to_vec();
            args.extend([launch.start.clone(), launch.step.clone()]);
            args.extend(captures.iter().cloned());
            args.extend(launch.identities.iter().cloned());
            let allowed = match (&self.interp.split, range.end - range.start) {
                (Some(_), 1) => {
                    let index = launch.index(range.start);
                    Some(Allowed::new(&launch.region.captures, &captures, index))
                }
                _ => None,
            };
            let outer = std::mem::replace(&mut self.interp.allowed, allowed);
            let results = self.interp.call(launch.callee, args);
            self.interp.allowed = outer;
            let results = results?;
            nodes.push(0, results, &mut |left: &mut Vec<Val>, right| match combined(
                &launch.region.reduce,
                left,
                &right,
            ) {
                Some(both) => *left = both,
                None => wrong = true,
            });
        }
        if wrong { fault("accumulators that cannot be combined") } else { Ok(Piece { nodes, lists }) }
    }

    /// Appends what a piece's own lists hold.
    fn append(&mut self, launch: &Launch<'_>, lists: &[Val]) -> Result<(), Stop> {
        let appended = launch.captures.iter().zip(&launch.region.captures);
        let targets =
            appended.filter(|(_, capture)| capture.sharing == Sharing::Appended).map(|(value, _)| value);
        for (target, list) in targets.zip(lists) {
            let (Val::List(_, to), Val::List(_, from)) = (target, list) else {
                return fault("no list is appended to");
            };
            to.borrow_mut().extend(from.borrow_mut().drain(..));
        }
        Ok(())
    }
}

/// What a part starts from.
fn identity(op: ReduceOp, init: &Val) -> Val {
    let ty = init.ty();
    let literal = ty.dtype().and_then(|dtype| op.identity(dtype));
    literal.map_or_else(|| init.clone(), |literal| super::constant(&literal, Some(ty)))
}

/// Accumulators of two neighbouring ranges together.
fn combined(reduce: &[ReduceOp], left: &[Val], right: &[Val]) -> Option<Vec<Val>> {
    let mut out = Vec::new();
    let mut takes = None;
    for (i, (&op, (before, part))) in reduce.iter().zip(left.iter().zip(right)).enumerate() {
        let (before, part) = (before.as_scalar()?, part.as_scalar()?);
        let apply = |op: ElemOp, args: &[Scalar]| scalar::elem(op, args, false).ok();
        let leads = ReduceOp::leads(&reduce[i..]);
        if let Some(compare) = leads {
            takes = apply(compare, &[part, before])?.as_bool();
        }
        let both = match (op, takes) {
            (ReduceOp::ArgMin | ReduceOp::ArgMax, Some(takes)) => {
                if takes {
                    part
                } else {
                    before
                }
            }
            (_, Some(takes)) if leads.is_some() => {
                if takes {
                    part
                } else {
                    before
                }
            }
            (ReduceOp::Min | ReduceOp::Max, _) => apply(op.step()?, &[part, before])?,
            _ => apply(op.step()?, &[before, part])?,
        };
        out.push(Val::Scalar(both));
    }
    Some(out)
}
