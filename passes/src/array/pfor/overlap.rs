//! Whether two accesses can touch one element in different iterations: as a system of integers.
//!
//! Unknown are, for each of the two accesses, the counters of the loops that it stands in, and what both share:
//! lengths and values from outside. Known are the loops' bounds, the conditions around, and that the accesses meet
//! on each axis. Where no integers fulfil all that, different iterations touch different elements. What is not linear
//! becomes an unknown of its own, which only weakens what is known.

use std::collections::BTreeMap;

use pydd_ir::rewrite::Layout;
use pydd_ir::{Block, ElemOp, Function, Literal, Op, OpKind, Type, Value};

use super::access::{Access, Place};
use super::index::{Indices, guards};
use super::integers::{Column, Constraints, Row, System};
use crate::analysis::arithmetic::{self, Claim};
use crate::analysis::symbol::{Poly, Symbol, small};

/// How far operands are followed.
const DEPTH: u32 = 24;
/// Alternatives of one condition beyond this are forgotten.
const MAX_ALTERNATIVES: usize = 6;

/// An unknown of the system.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unknown {
    /// A product of what is the same for both accesses.
    Shared(Vec<Symbol>),
    /// A product of which a part belongs to one of the accesses.
    Product(usize, Vec<Symbol>),
    /// How often a loop has gone round, for one of the accesses.
    Round(usize, Value),
    /// A value in the iteration of one of the accesses.
    Varying(usize, Value),
    /// A value's quotient by a number.
    Quotient(usize, Value, i64),
    /// How far into a slice an access goes, by access and axis.
    Within(usize, usize),
}

pub struct Overlap<'a> {
    func: &'a Function,
    layout: &'a Layout,
    indices: &'a Indices<'a>,
    pfor: Op,
    unknowns: BTreeMap<Unknown, Column>,
    system: System,
}

/// Whether different iterations certainly touch different elements by two accesses to the same root.
#[must_use]
pub fn never_meet(
    func: &Function,
    layout: &Layout,
    indices: &Indices<'_>,
    pfor: Op,
    accesses: [&Access; 2],
) -> bool {
    let mut overlap =
        Overlap { func, layout, indices, pfor, unknowns: BTreeMap::new(), system: System::default() };
    overlap.describe(accesses).is_some() && overlap.system.has_no_solution()
}

impl Overlap<'_> {
    fn describe(&mut self, accesses: [&Access; 2]) -> Option<()> {
        let axes = [accesses[0].places.as_ref()?, accesses[1].places.as_ref()?];
        self.order()?;
        for (side, access) in accesses.iter().enumerate() {
            self.surroundings(side, access.op);
        }
        for (axis, (a, b)) in axes[0].iter().zip(axes[1]).enumerate() {
            self.meet(accesses[0].root, axis, [a, b]);
        }
        self.split_numbers(axes);
        Some(())
    }

    fn unknown(&mut self, unknown: Unknown) -> Row {
        let next = Column(u32::try_from(self.unknowns.len()).expect("few unknowns"));
        Row::symbol(*self.unknowns.entry(unknown).or_insert(next))
    }

    fn is_known(&self, unknown: &Unknown) -> bool {
        self.unknowns.contains_key(unknown)
    }

    /// What overflows is not known, which is always right.
    fn at_least_zero(&mut self, row: Option<Row>) {
        self.system.constraints.positive.extend(row);
    }

    fn equal(&mut self, a: &Row, b: &Row) {
        self.system.constraints.zero.extend(a.sub(b));
    }

    /// The first access is in another iteration than the second one.
    fn order(&mut self) -> Option<()> {
        let counter = self.func.blocks[self.func.ops[self.pfor].regions[0]].params[0];
        let (first, second) = (self.round(0, counter)?, self.round(1, counter)?);
        let before = Constraints { zero: vec![], positive: vec![second.sub(&first)?.shift(-1)?] };
        let after = Constraints { zero: vec![], positive: vec![first.sub(&second)?.shift(-1)?] };
        self.system.choices.push(vec![before, after]);
        Some(())
    }

    /// What is different in each round of a loop.
    fn round(&mut self, side: usize, counter: Value) -> Option<Row> {
        let index = self.value(side, counter, DEPTH)?;
        let round = Unknown::Round(side, counter);
        Some(if self.is_known(&round) { self.unknown(round) } else { index })
    }

    /// The bounds of all loops and the conditions around an access.
    fn surroundings(&mut self, side: usize, op: Op) {
        for outer in self.layout.ancestors(op) {
            if let OpKind::For | OpKind::PFor(_) = self.func.ops[outer].kind {
                let counter = self.func.blocks[self.func.ops[outer].regions[0]].params[0];
                self.value(side, counter, DEPTH);
            }
        }
        for (value, holds) in guards(self.func, self.layout, op) {
            self.condition(side, value, holds);
        }
    }

    fn condition(&mut self, side: usize, value: Value, holds: bool) {
        let mut alternatives = self.alternatives(side, value, holds, DEPTH);
        match alternatives.len() {
            0 => self.system.constraints.positive.push(Row::constant(-1)),
            1 => {
                let facts = alternatives.remove(0);
                self.system.constraints.zero.extend(facts.zero);
                self.system.constraints.positive.extend(facts.positive);
            }
            // A choice of which one alternative says nothing says nothing.
            _ if alternatives.contains(&Constraints::default()) => {}
            _ => self.system.choices.push(alternatives),
        }
    }

    /// Of these one holds, when the value is `holds`. Of what is not understood nothing is said.
    fn alternatives(&mut self, side: usize, value: Value, holds: bool, depth: u32) -> Vec<Constraints> {
        self.understood(side, value, holds, depth).unwrap_or_else(|| vec![Constraints::default()])
    }

    fn understood(&mut self, side: usize, value: Value, holds: bool, depth: u32) -> Option<Vec<Constraints>> {
        let depth = depth.checked_sub(1)?;
        if let Some(Literal::Bool(constant)) = self.func.as_const(value) {
            return Some(if *constant == holds { vec![Constraints::default()] } else { Vec::new() });
        }
        let op = self.func.def_op(value)?;
        let (kind, args) = (self.func.ops[op].kind.clone(), self.func.ops[op].args.clone());
        match kind {
            OpKind::Elem(ElemOp::Not) => Some(self.alternatives(side, args[0], !holds, depth)),
            OpKind::Elem(both @ (ElemOp::And | ElemOp::Or)) => {
                let a = self.alternatives(side, args[0], holds, depth);
                let b = self.alternatives(side, args[1], holds, depth);
                Some(if (both == ElemOp::And) == holds { all_of(&a, &b) } else { one_of(a, b) })
            }
            OpKind::Elem(compare) if self.func.ty(args[0]) == Type::I64 => {
                let (a, b) = (self.value(side, args[0], depth)?, self.value(side, args[1], depth)?);
                let positive = |sum| Constraints { zero: vec![], positive: vec![sum] };
                Some(match Claim::new(compare, &a, &b, holds)? {
                    Claim::AtLeastZero(sum) => vec![positive(sum)],
                    Claim::Zero(sum) => vec![Constraints { zero: vec![sum], positive: vec![] }],
                    Claim::Either(sums) => sums.map(positive).into(),
                })
            }
            OpKind::If => {
                let which = self.func.ops[op].results.iter().position(|&result| result == value)?;
                let mut ways = Vec::new();
                for (region, taken) in [(0, true), (1, false)] {
                    let yielded = self.yielded(self.func.ops[op].regions[region], which)?;
                    let cond = self.alternatives(side, args[0], taken, depth);
                    let inner = self.alternatives(side, yielded, holds, depth);
                    ways = one_of(ways, all_of(&cond, &inner));
                }
                Some(ways)
            }
            _ => None,
        }
    }

    fn yielded(&self, block: Block, which: usize) -> Option<Value> {
        let last = *self.func.blocks[block].ops.last()?;
        let data = &self.func.ops[last];
        (data.kind == OpKind::Yield).then(|| data.args[which])
    }

    /// An integer in the iteration of an access.
    fn value(&mut self, side: usize, value: Value, depth: u32) -> Option<Row> {
        let depth = depth.checked_sub(1)?;
        if let Some(range) = self.indices.counter_range(value) {
            return Some(self.counter(side, value, range, depth));
        }
        if self.indices.is_invariant(value) {
            if let Some(bounded) = self.bounded(value, depth) {
                return Some(bounded);
            }
            return Some(match self.indices.poly(value) {
                Some(poly) => self.poly(side, &poly)?,
                None => self.opaque(Unknown::Shared(vec![Symbol::Value(value)]), value),
            });
        }
        if let Some(linear) = self.arithmetic(side, value, depth) {
            return Some(linear);
        }
        match self.indices.poly(value) {
            Some(poly) => self.poly(side, &poly),
            None => Some(self.opaque(Unknown::Varying(side, value), value)),
        }
    }

    /// A value from outside of which more is known than its name.
    fn bounded(&mut self, value: Value, depth: u32) -> Option<Row> {
        let op = self.func.def_op(value)?;
        let OpKind::Elem(elem) = self.func.ops[op].kind else { return None };
        let is_bounded = matches!(elem, ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Min | ElemOp::Max);
        is_bounded.then(|| self.arithmetic(0, value, depth))?
    }

    /// A value of which only the sign may be known.
    fn opaque(&mut self, unknown: Unknown, value: Value) -> Row {
        let is_new = !self.is_known(&unknown);
        let linear = self.unknown(unknown);
        if is_new && self.indices.is_nonnegative(value) {
            self.system.constraints.positive.push(linear.clone());
        }
        linear
    }

    fn arithmetic(&mut self, side: usize, value: Value, depth: u32) -> Option<Row> {
        if self.func.ty(value) != Type::I64 {
            return None;
        }
        let func = self.func;
        let operand = &mut |operand| self.value(side, operand, depth);
        if let Some(sum) = arithmetic::sum(func, value, operand) {
            return small(sum).filter(|sum| sum.degree() <= 1);
        }
        let op = self.func.def_op(value)?;
        let OpKind::Elem(elem) = self.func.ops[op].kind else { return None };
        let args = self.func.ops[op].args.clone();
        match elem {
            ElemOp::FloorDiv | ElemOp::Mod => {
                let by = self.func.as_int(args[1]).filter(|by| (1..1 << 31).contains(by))?;
                let dividend = self.value(side, args[0], depth)?;
                let quotient = self.quotient(side, args[0], by, &dividend);
                if elem == ElemOp::FloorDiv { Some(quotient) } else { dividend.plus(-by, &quotient) }
            }
            ElemOp::Min | ElemOp::Max => {
                let (a, b) = (self.value(side, args[0], depth)?, self.value(side, args[1], depth)?);
                let result = self.unknown(Unknown::Varying(side, value));
                self.system.constraints.positive.extend(arithmetic::definition(elem, &result, &a, &b));
                Some(result)
            }
            _ => None,
        }
    }

    /// `dividend // by`, with what that means.
    fn quotient(&mut self, side: usize, value: Value, by: i64, dividend: &Row) -> Row {
        let unknown = Unknown::Quotient(side, value, by);
        let is_new = !self.is_known(&unknown);
        let quotient = self.unknown(unknown);
        if is_new {
            let facts = arithmetic::definition(ElemOp::FloorDiv, &quotient, dividend, &Row::constant(by));
            self.system.constraints.positive.extend(facts);
        }
        quotient
    }

    /// The index of a loop around, with its bounds.
    fn counter(&mut self, side: usize, counter: Value, range: [Value; 3], depth: u32) -> Row {
        let inside = self.indices.is_inside(counter);
        let side = if inside { side } else { 0 };
        let (varying, round) = (Unknown::Varying(side, counter), Unknown::Round(side, counter));
        let step = self.func.as_int(range[2]).filter(|step| (1..1 << 31).contains(&step.unsigned_abs()));
        let is_new = !self.is_known(&varying);
        let index = self.unknown(varying);
        if !is_new {
            return index;
        }
        let (start, stop) = (self.value(side, range[0], depth), self.value(side, range[1], depth));
        let upward = match step {
            Some(step) => step > 0,
            // Multiples of the index may come round where it makes leaps.
            None if self.func.as_const(range[2]).is_some() => return index,
            None if self.indices.is_nonnegative(range[2]) => true,
            None => return index,
        };
        let sign = if upward { 1 } else { -1 };
        if let Some(start) = &start {
            let gone = index.sub(start).and_then(|way| way.scale(sign));
            self.at_least_zero(gone);
            if let Some(step) = step.filter(|step| step.abs() != 1) {
                let round = self.unknown(round);
                if let Some(at) = start.plus(step, &round) {
                    self.equal(&index, &at);
                }
            }
        }
        if let Some(stop) = stop {
            let left = stop.sub(&index).and_then(|way| way.scale(sign)?.shift(-1));
            self.at_least_zero(left);
        }
        index
    }

    fn poly(&mut self, side: usize, poly: &Poly) -> Option<Row> {
        let mut sum = Row::constant(poly.offset());
        for (product, factor) in poly.terms() {
            let symbols: Vec<Symbol> = product.symbols().collect();
            let term = match symbols[..] {
                [Symbol::Value(value)] if self.indices.counter_range(value).is_some() => {
                    self.value(side, value, DEPTH)?
                }
                [Symbol::Value(value)] => match self.bounded(value, DEPTH) {
                    Some(bounded) => bounded,
                    None => self.product(side, &symbols),
                },
                _ => self.product(side, &symbols),
            };
            sum = sum.plus(factor, &term)?;
        }
        Some(sum)
    }

    fn product(&mut self, side: usize, symbols: &[Symbol]) -> Row {
        let varies =
            |symbol: &Symbol| matches!(symbol, Symbol::Value(value) if self.indices.is_inside(*value));
        let unknown = if symbols.iter().any(varies) {
            Unknown::Product(side, symbols.to_vec())
        } else {
            Unknown::Shared(symbols.to_vec())
        };
        let is_new = !self.is_known(&unknown);
        let linear = self.unknown(unknown);
        if is_new && self.indices.is_product_nonnegative(symbols) {
            self.system.constraints.positive.push(linear.clone());
        }
        linear
    }

    /// Both touch the same place of an axis.
    fn meet(&mut self, root: Value, axis: usize, places: [&Place; 2]) {
        let (Some(a), Some(b)) = (self.place(0, axis, places[0]), self.place(1, axis, places[1])) else {
            return;
        };
        let wraps = |place: &Place| matches!(place, Place::At { wraps: true, .. });
        if !wraps(places[0]) && !wraps(places[1]) {
            return self.equal(&a, &b);
        }
        // Equal as written, or one of them counted from the other end.
        let length = self.indices.axis_length(root, axis).and_then(|length| self.poly(0, &length));
        let Some(length) = length else {
            if same_sign(places[0], places[1]) {
                self.equal(&a, &b);
            }
            return;
        };
        for (place, index) in places.iter().zip([&a, &b]) {
            self.within(place, index, &length);
        }
        let mut ways = Vec::new();
        for around in [0, 1, -1] {
            let difference = a.sub(&b).and_then(|gap| gap.plus(around, &length));
            match difference {
                Some(row) => ways.push(Constraints { zero: vec![row], positive: vec![] }),
                None => return,
            }
        }
        self.system.choices.push(ways);
    }

    /// An index that is not within the length raises.
    fn within(&mut self, place: &Place, index: &Row, length: &Row) {
        let lowest = match place {
            Place::At { wraps: true, .. } => length.add(index),
            _ => Some(index.clone()),
        };
        self.at_least_zero(lowest);
        self.at_least_zero(length.sub(index).and_then(|room| room.shift(-1)));
    }

    fn place(&mut self, side: usize, axis: usize, place: &Place) -> Option<Row> {
        match place {
            Place::Any | Place::All => None,
            Place::At { offset, scale, index, .. } => {
                let index = self.value(side, *index, DEPTH)?;
                self.poly(side, offset)?.plus(*scale, &index)
            }
            Place::Run { low, stride, high, .. } => {
                let low = self.poly(side, low)?;
                let within = self.unknown(Unknown::Within(side, axis));
                self.at_least_zero(Some(within.clone()));
                let at = low.plus(*stride, &within)?;
                for high in high {
                    let room = self.poly(side, high)?.sub(&at);
                    self.at_least_zero(room);
                }
                Some(at)
            }
        }
    }

    /// `k // n` and `k % n` are equal only for equal `k`, whatever `n` is.
    fn split_numbers(&mut self, axes: [&Vec<Place>; 2]) {
        let parts = |axis: usize| {
            let [a, b] = [self.division(&axes[0][axis])?, self.division(&axes[1][axis])?];
            (a == b).then_some(a)
        };
        let found: Vec<(ElemOp, Value, Value)> = (0..axes[0].len()).filter_map(parts).collect();
        for &(op, number, by) in &found {
            if op == ElemOp::FloorDiv && found.contains(&(ElemOp::Mod, number, by)) {
                let (a, b) = (self.value(0, number, DEPTH), self.value(1, number, DEPTH));
                if let (Some(a), Some(b)) = (a, b) {
                    self.equal(&a, &b);
                }
            }
        }
    }

    fn division(&self, place: &Place) -> Option<(ElemOp, Value, Value)> {
        let Place::At { index, wraps: true, .. } = place else { return None };
        let data = &self.func.ops[self.func.def_op(*index)?];
        let OpKind::Elem(op @ (ElemOp::FloorDiv | ElemOp::Mod)) = data.kind else { return None };
        let (number, by) = (data.args[0], data.args[1]);
        let plain = self.indices.is_invariant(by) && self.indices.is_nonnegative(number);
        (plain && self.indices.is_nonnegative(by)).then_some((op, number, by))
    }
}

fn same_sign(a: &Place, b: &Place) -> bool {
    let sign = |place: &Place| match place {
        Place::At { never_negative, .. } => *never_negative,
        Place::Run { .. } => true,
        Place::Any | Place::All => false,
    };
    sign(a) && sign(b)
}

fn all_of(a: &[Constraints], b: &[Constraints]) -> Vec<Constraints> {
    if a.len() * b.len() > MAX_ALTERNATIVES {
        return a.to_vec();
    }
    let both = |a: &Constraints, b: &Constraints| Constraints {
        zero: [a.zero.as_slice(), &b.zero].concat(),
        positive: [a.positive.as_slice(), &b.positive].concat(),
    };
    a.iter().flat_map(|a| b.iter().map(move |b| both(a, b))).collect()
}

fn one_of(mut a: Vec<Constraints>, b: Vec<Constraints>) -> Vec<Constraints> {
    a.extend(b);
    if a.len() > MAX_ALTERNATIVES { vec![Constraints::default()] } else { a }
}
