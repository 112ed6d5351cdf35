//! Where the first extreme element stands: `argmin` and `argmax`.
//!
//! ```text
//! %p = reduce argmin %a     ⇒     the block with the least of %a, and in it the first element that is that; of few, one after the other
//! ```
//!
//! Where the extreme itself is asked for as well, the search gives it.

use std::cell::RefCell;

use pydd_ir::rewrite::{Uses, position};
use pydd_ir::{DType, ElemOp, Entity, MapTarget, Op, OpKind, ReduceOp, ReduceSpec, Type, Value, Version};

use super::Lower;
use super::reduce::{DEPTH, EXTREME_BLOCK, FLAG_BLOCK, Kind, is_position};

/// Elements that are compared one by one: two walks over so few cost more.
const FEW: i64 = 40;
/// Terms of sums that are compared one by one.
const SHORT_SUM: i64 = 4;
/// Operations between a search and the extreme that it gives as well, at most.
const FARTHEST: usize = 1000;

/// How the place of an extreme element is found.
#[derive(Clone, Copy)]
pub(super) enum Way {
    InOrder,
    /// Where elements are made of sums, which the loop may make.
    Sums,
    InBlocks,
}

impl Lower<'_> {
    /// The row-major position of the first extreme element, and the extreme: of the first block with the extreme value, the first such
    /// element.
    fn find_extreme(
        &mut self,
        kind: Kind,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        let Kind { op, dtype, total, .. } = kind;
        let zero = self.int(0);
        let Some((&inner, outer)) = dims.split_last() else {
            // The one element, which may raise.
            return [zero, element(self, &[])];
        };
        let stops = dtype == DType::Bool && total;
        let block = self.int(if stops { FLAG_BLOCK } else { EXTREME_BLOCK });
        let start = self.identity(op, dtype);
        // The extreme, the indices of the outer axes, and where the block begins.
        let mut init = vec![start];
        init.resize(outer.len() + 2, zero);
        let found = self.nest(outer, &init, &mut |lower, outer, best| {
            lower.for_step([zero, inner, block], best, |lower, first, best| {
                let last = lower.block_end(first, inner, block);
                let extreme = lower.accumulate_run(op, start, start, [first, last], &mut |lower, i| {
                    element(lower, &[outer, &[i]].concat())
                });
                let wins = lower.wins(op, extreme, best[0]);
                let new = [&[extreme], outer, &[first]].concat();
                if stops {
                    lower.leave_if(wins, &new);
                    return best.to_vec();
                }
                new.iter().zip(best).map(|(&new, &old)| lower.b.select(wins, new, old)).collect()
            })
        });
        let (best, first) = (found[0], found[outer.len() + 1]);
        let mut place = found[1..=outer.len()].to_vec();
        let last = self.block_end(first, inner, block);
        let is_nan = dtype.is_float().then(|| self.b.elem(ElemOp::IsNan, &[best]));
        let at = self.for_range(first, last, &[last], |lower, i, acc| {
            let x = element(lower, &[&place[..], &[i]].concat());
            let mut hit = lower.b.elem(ElemOp::Eq, &[x, best]);
            if stops {
                lower.leave_if(hit, &[i]);
                return vec![last];
            }
            if let Some(is_nan) = is_nan {
                let nan = lower.b.elem(ElemOp::IsNan, &[x]);
                let both = lower.b.elem(ElemOp::And, &[nan, is_nan]);
                hit = lower.or(hit, both);
            }
            let here = lower.b.select(hit, i, last);
            vec![lower.min(acc[0], here)]
        })[0];
        place.push(at);
        [self.position(&place, dims), best]
    }

    /// Whether elements are so few that they are compared one by one.
    pub(super) fn has_few(&mut self, length: Value) -> Value {
        let most = self.int(FEW);
        self.b.elem(ElemOp::Le, &[length, most])
    }

    /// Whether they are compared one by one, however many there are, since they are sums of so few terms that their loop joins the search
    /// and several rows go side by side (see [`lanes`](crate::loops::lanes)).
    pub(super) fn has_short_sums(&mut self, terms: Value) -> Value {
        let short = self.int(SHORT_SUM);
        self.b.elem(ElemOp::Le, &[terms, short])
    }

    /// How many terms the sums have that the operands of a search are made of, if nobody else uses them but for the extremes of the same
    /// rows: what others use as well is made beside its loop.
    pub(super) fn terms_of(&self, search: Op, spec: &ReduceSpec) -> Option<Value> {
        if !is_position(spec.op) {
            return None;
        }
        let (src, uses) = (self.src, Uses::new(self.src));
        let goes_along = |user: Op| match &src.ops[user].kind {
            OpKind::Reduce(other) | OpKind::Map(MapTarget::Reduce(other)) => {
                let extreme = matches!(other.op, ReduceOp::Min | ReduceOp::Max) || is_position(other.op);
                user == search || extreme && other.axes == spec.axes
            }
            _ => false,
        };
        let mut open = vec![(search, DEPTH)];
        while let Some((op, depth)) = open.pop() {
            let own = |&arg: &Value| {
                let users = uses.of(arg);
                let is_row = src.ty(arg).rank() > 1 || self.in_rows && src.ty(arg).is_array();
                is_row && (users.len() == 1 || users.iter().all(|used| goes_along(used.op)))
            };
            let loops = |&array: &Value| self.terms_of_loops(&uses, array, &goes_along);
            if let Some(terms) = src.ops[op].args.iter().find_map(loops) {
                return Some(terms);
            }
            for array in src.ops[op].args.iter().copied().filter(own) {
                if let Some(&terms) = self.terms.get(&array) {
                    return Some(terms);
                }
                let made = src.def_op(array).filter(|&made| {
                    depth > 0 && matches!(src.ops[made].kind, OpKind::Elem(_) | OpKind::Map(MapTarget::Fresh))
                });
                open.extend(made.map(|made| (made, depth - 1)));
            }
        }
        None
    }

    /// The same of an array that loops of the source fill, in one place with what they make of a sum.
    fn terms_of_loops(&self, uses: &Uses, array: Value, goes_along: &dyn Fn(Op) -> bool) -> Option<Value> {
        let src = self.src;
        let is_made = matches!(src.ops[src.def_op(array)?].kind, OpKind::Empty | OpKind::Zeros);
        let is_other = |&user: &Op| !goes_along(user) && !matches!(src.ops[user].kind, OpKind::Dim(_));
        let mut stores = uses.of(array).iter().map(|used| used.op).filter(is_other);
        let store = stores.next().filter(|_| is_made && src.ty(array).rank() > 1)?;
        if src.ops[store].kind != OpKind::Store || stores.next().is_some() {
            return None;
        }
        let mut value = src.ops[store].args[1];
        for _ in 0..DEPTH {
            let data = &src.ops[src.def_op(value)?];
            match (&data.kind, &data.args[..]) {
                (OpKind::Elem(_), &[of]) => value = of,
                (OpKind::For, &[_, stop, _, _]) if src.ty(value).dtype().is_some_and(DType::is_float) => {
                    // It is asked for before the rows.
                    let stop = self.map[stop.index()]?;
                    let func = &self.b.func;
                    let is_ready = match func.def_op(stop) {
                        Some(op) => func.blocks[func.entry].ops.contains(&op),
                        None => func.params().contains(&stop),
                    };
                    return is_ready.then_some(stop);
                }
                _ => return None,
            }
        }
        None
    }

    /// The place of the first extreme element, and the extreme; how, is asked here where it is not decided yet.
    pub(super) fn find(
        &mut self,
        way: Option<Way>,
        kind: Kind,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        let asks = dims.len() == 1 && kind.dtype != DType::Bool && self.src.version != Version::General;
        match way {
            Some(way) => self.find_by(way, kind, dims, element),
            None if kind.dtype.is_complex() => self.find_in_order(kind.op, kind.dtype, dims, element),
            None if asks => self.find_by_length(kind, dims[0], element),
            None => self.find_extreme(kind, dims, element),
        }
    }

    fn find_by(
        &mut self,
        way: Way,
        kind: Kind,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        match (way, dims) {
            _ if kind.dtype.is_complex() => self.find_in_order(kind.op, kind.dtype, dims, element),
            (Way::Sums, &[length]) => self.find_in_row(kind.op, kind.dtype, length, element),
            (Way::InOrder, &[length]) if kind.dtype != DType::Bool => {
                self.find_among_few(kind, length, element)
            }
            _ => self.find_extreme(kind, dims, element),
        }
    }

    /// As [`Self::find_extreme`] along one axis, element by element, each of which is looked at once.
    fn find_in_row(
        &mut self,
        op: ReduceOp,
        dtype: DType,
        length: Value,
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        let mut init = vec![self.identity(op, dtype), self.int(0)];
        if dtype.is_float() {
            init.push(self.b.bool(true));
        }
        let found = self.for_each(length, &init, |lower, i, acc| {
            let x = element(lower, &[i]);
            let (better, as_good) = match op {
                ReduceOp::ArgMin => (ElemOp::Lt, ElemOp::Ge),
                _ => (ElemOp::Gt, ElemOp::Le),
            };
            let Some(&numbers) = acc.get(2) else {
                let wins = lower.b.elem(better, &[x, acc[0]]);
                return vec![lower.b.select(wins, x, acc[0]), lower.b.select(wins, i, acc[1])];
            };
            // NaN is neither, and the first one stays.
            let stays = lower.b.elem(as_good, &[x, acc[0]]);
            let other = lower.b.elem(ElemOp::Not, &[stays]);
            let wins = lower.b.elem(ElemOp::And, &[other, numbers]);
            let nan = lower.b.elem(ElemOp::IsNan, &[x]);
            let number = lower.b.elem(ElemOp::Not, &[nan]);
            let next = [lower.b.select(wins, x, acc[0]), lower.b.select(wins, i, acc[1])];
            [&next[..], &[lower.b.elem(ElemOp::And, &[numbers, number])]].concat()
        });
        [found[1], found[0]]
    }

    /// As [`Self::find_extreme`] along one axis, and of few elements one by one.
    fn find_by_length(
        &mut self,
        kind: Kind,
        length: Value,
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        let few = self.has_few(length);
        let element = RefCell::new(element);
        let found = self.if_else(
            few,
            &[Type::I64, Type::Scalar(kind.dtype)],
            |lower| lower.find_among_few(kind, length, &mut **element.borrow_mut()).to_vec(),
            |lower| lower.find_extreme(kind, &[length], &mut **element.borrow_mut()).to_vec(),
        );
        [found[0], found[1]]
    }

    /// The place of the first extreme element, where nothing is looked at twice but NaN.
    fn find_among_few(
        &mut self,
        kind: Kind,
        length: Value,
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        let Kind { op, dtype, .. } = kind;
        let (best, zero) = (self.identity(op, dtype), self.int(0));
        let mut init = vec![best, zero];
        if dtype.is_float() {
            init.push(self.b.bool(false));
        }
        let compare = if op == ReduceOp::ArgMin { ElemOp::Lt } else { ElemOp::Gt };
        let found = self.for_each(length, &init, |lower, i, acc| {
            let x = element(lower, &[i]);
            let wins = lower.b.elem(compare, &[x, acc[0]]);
            let mut next = vec![lower.b.select(wins, x, acc[0]), lower.b.select(wins, i, acc[1])];
            if let Some(&nan_before) = acc.get(2) {
                let nan = lower.b.elem(ElemOp::IsNan, &[x]);
                next.push(lower.or(nan_before, nan));
            }
            next
        });
        let Some(&some_nan) = found.get(2) else { return [found[1], found[0]] };
        let place = self.if_else(
            some_nan,
            &[Type::I64],
            |lower| {
                lower.for_each(length, &[zero], |lower, i, _| {
                    let x = element(lower, &[i]);
                    let nan = lower.b.elem(ElemOp::IsNan, &[x]);
                    lower.leave_if(nan, &[i]);
                    vec![zero]
                })
            },
            |_| vec![found[1]],
        )[0];
        let nan = self.b.number(f64::NAN, dtype);
        [place, self.b.select(some_nan, nan, found[0])]
    }

    /// The extreme of what is searched, or the search for it, that stands behind a reduction in the same block, if both may as well be
    /// found here.
    pub(super) fn beside(&self, op: Op, spec: &ReduceSpec) -> Option<Op> {
        let (src, memory) = (self.src, self.memory.as_ref()?);
        let wanted = match spec.op {
            ReduceOp::ArgMin => ReduceOp::Min,
            ReduceOp::ArgMax => ReduceOp::Max,
            ReduceOp::Min => ReduceOp::ArgMin,
            ReduceOp::Max => ReduceOp::ArgMax,
            _ => return None,
        };
        let array = src.ops[op].args[0];
        // Of zeros the search has the first one, an extreme the last.
        let dtype = src.ty(array).dtype()?;
        if dtype.is_complex() || self.strict_fp && dtype.is_float() {
            return None;
        }
        let is_it = |other: Op| match &src.ops[other].kind {
            OpKind::Reduce(found) if src.ops[other].args[0] == array => {
                found.op == wanted && found.axes == spec.axes && found.keepdims == spec.keepdims
            }
            _ => false,
        };
        let (block, at) = position(src, op)?;
        let behind = src.blocks[block].ops.iter().skip(at + 1).copied();
        let keeps = |&other: &Op| !memory.effects(other).changes().intersects(memory.classes(array));
        behind.take(FARTHEST).take_while(keeps).find(|&other| is_it(other))
    }

    /// Leaves the loop around with these values if a condition holds.
    pub(super) fn leave_if(&mut self, condition: Value, values: &[Value]) {
        let leave = self.region(&[], |lower, _| {
            lower.b.effect(OpKind::Break(0), values.to_vec());
        });
        let stay = self.region(&[], |lower, _| {
            lower.b.effect(OpKind::Yield, vec![]);
        });
        self.b.op(OpKind::If, vec![condition], &[], vec![leave, stay]);
    }

    /// As [`Self::find_extreme`], element by element.
    fn find_in_order(
        &mut self,
        op: ReduceOp,
        dtype: DType,
        dims: &[Value],
        element: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) -> [Value; 2] {
        let (best, zero, one) = (self.identity(op, dtype), self.int(0), self.int(1));
        if dims.len() == 1 {
            let found = self.nest(dims, &[best, zero], &mut |lower, indices, acc| {
                let x = element(lower, indices);
                lower.better(op, [acc[0], acc[1]], [x, indices[0]])
            });
            return [found[1], found[0]];
        }
        let found = self.nest(dims, &[best, zero, zero], &mut |lower, indices, acc| {
            let x = element(lower, indices);
            let mut next = lower.better(op, [acc[0], acc[1]], [x, acc[2]]);
            next.push(lower.add(acc[2], one));
            next
        });
        [found[1], found[0]]
    }

    /// The better of two elements with their positions; the first of equals, NaN above all.
    pub(super) fn better(&mut self, op: ReduceOp, best: [Value; 2], new: [Value; 2]) -> Vec<Value> {
        let wins = self.wins(op, new[0], best[0]);
        vec![self.b.select(wins, new[0], best[0]), self.b.select(wins, new[1], best[1])]
    }

    /// Whether an element is better than the best one so far; NaN is above all.
    fn wins(&mut self, op: ReduceOp, new: Value, best: Value) -> Value {
        let compare = if op == ReduceOp::ArgMin { ElemOp::Lt } else { ElemOp::Gt };
        let wins = self.b.elem(compare, &[new, best]);
        if !self.dtype(new).is_float() {
            return wins;
        }
        let new_nan = self.b.elem(ElemOp::IsNan, &[new]);
        let best_nan = self.b.elem(ElemOp::IsNan, &[best]);
        let best_number = self.b.elem(ElemOp::Not, &[best_nan]);
        let wins = self.or(wins, new_nan);
        self.b.elem(ElemOp::And, &[wins, best_number])
    }
}
