//! Which loops' iterations may run in any order, of those that are no `pfor`.
//!
//! What iterations share is found out by what judges a `pfor` as well; what they carry may only be accumulated. Loops that print or
//! leave early stay in order, and with `--strict-fp` those that add up floats.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::sharing::{Footprint, Span};
use pydd_ir::{DType, Function, Op, OpKind, ReduceOp, Sharing, Table, Value};

use crate::analysis::jumps::stays_in_iteration;
use crate::analysis::patterns::constant_range;
use crate::analysis::reductions;
use crate::array::pfor::table::{Class, classify};

/// Iterations below which a loop of known length is left to the loops within it.
const SHORT: i64 = 8;

/// A loop without an order.
pub struct Independent {
    /// The operator of each value that it carries.
    pub reduce: Vec<ReduceOp>,
    pub table: Table,
    pub operands: Vec<Value>,
}

/// What loops of a function are judged by.
pub struct Finder<'f> {
    pub func: &'f Function,
    pub layout: Layout,
    memory: MemoryInfo,
    uses: Uses,
    strict_fp: bool,
}

impl<'f> Finder<'f> {
    /// Parameters are different arrays to it if the function is of the fast version.
    #[must_use]
    pub fn new(func: &'f Function, summaries: &Summaries, strict_fp: bool) -> Self {
        let (memory, layout, uses) = (MemoryInfo::new(func, summaries), Layout::new(func), Uses::new(func));
        Self { func, layout, memory, uses, strict_fp }
    }

    /// Whether a `for` has no order, whatever its arguments are.
    #[must_use]
    pub fn has_no_order(&self, op: Op) -> bool {
        self.independent(op).is_some_and(|found| found.table.written_segments().next().is_none())
    }

    /// Whether iterations of a `for` need nothing of each other but what they carry, whatever its arguments are.
    #[must_use]
    pub fn only_carries(&self, op: Op) -> bool {
        let found = || self.table(op).is_some_and(|(table, _)| table.written_segments().next().is_none());
        self.may_share(op) && found()
    }

    /// Whether iterations of a `for` that carries nothing need nothing of each other but what is in arrays that are `kept` to their order, whatever
    /// its arguments are.
    #[must_use]
    pub fn only_orders(&self, op: Op, kept: impl Fn(Value) -> bool) -> bool {
        let has_segments =
            |footprint: &Footprint<_>| footprint.0.iter().any(|span| matches!(span, Span::Segment(_)));
        let suits = |(value, class): &(Value, Class)| match class {
            Class::Private | Class::Shared(Sharing::Invariant) => true,
            Class::Shared(Sharing::Sliced { footprint, .. }) => !has_segments(footprint),
            Class::Contended(_) | Class::Shared(_) => kept(*value),
        };
        self.may_share(op)
            && self.func.ops[op].results.is_empty()
            && classify(self.func, &self.memory, op).rows.iter().all(suits)
    }

    /// A `for`, if it has no order. Where its table has segments that are written, that is so if their pointers do not fall: who makes
    /// a launch of it has that tested (see [`outline`](crate::loops::outline)); who tests nothing asks [`Self::has_no_order`].
    #[must_use]
    pub fn independent(&self, op: Op) -> Option<Independent> {
        if !self.may_share(op) {
            return None;
        }
        let reduce = reductions::of_loop(self.func, &self.uses, op)?;
        let results = &self.func.ops[op].results;
        if reduce.iter().zip(results).any(|(&reduce, &value)| self.is_ordered(reduce, value)) {
            return None;
        }
        let (table, operands) = self.table(op)?;
        Some(Independent { reduce, table, operands })
    }

    /// Whether a loop is long and has effects on nothing but memory and values.
    fn may_share(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let effects = self.memory.effects(op);
        let stays = effects.io || effects.leaves || !stays_in_iteration(self.func, data.regions[0]);
        let mut nested = false;
        self.func.walk(data.regions[0], &mut |inner| {
            nested |= matches!(self.func.ops[inner].kind, OpKind::PFor(_))
        });
        !(stays || nested || self.is_short(op) || (effects.writes.is_empty() && data.results.is_empty()))
    }

    /// What iterations touch, if no order of theirs shows in memory.
    fn table(&self, op: Op) -> Option<(Table, Vec<Value>)> {
        let classes = classify(self.func, &self.memory, op);
        let in_order = |(value, class): &(Value, Class)| match class {
            Class::Contended(_) => true,
            Class::Shared(Sharing::Reduced(reduce)) => self.is_ordered(*reduce, *value),
            Class::Shared(_) | Class::Private => false,
        };
        if classes.rows.iter().any(in_order) {
            return None;
        }
        classes.table(self.func, &self.memory, &self.layout, op)
    }

    /// Whether the order in which numbers are combined has to be kept.
    fn is_ordered(&self, reduce: ReduceOp, value: Value) -> bool {
        let is_inexact = |dtype: DType| dtype.is_float() || dtype.is_complex();
        let rounds = matches!(reduce, ReduceOp::Sum | ReduceOp::Prod);
        self.strict_fp && rounds && self.func.ty(value).dtype().is_some_and(is_inexact)
    }

    fn is_short(&self, op: Op) -> bool {
        constant_range(self.func, op)
            .is_some_and(|[start, stop, step]| pydd_ir::cost::length(start, stop, step) < SHORT)
    }
}
