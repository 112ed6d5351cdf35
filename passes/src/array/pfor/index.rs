//! Integers of a `pfor`'s body as polynomials, and what they are certainly not below or above.
//!
//! Arithmetic is taken as that of whole numbers; `depend.rs` says why wrapped sums do no harm. Facts and proofs are those of
//! [`crate::analysis::known`]: conditions around the loop, bounds of counters, definitions, and, of a question about
//! accesses, what holds wherever they are done.

mod facts;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{ClassSet, MemoryInfo};
use pydd_ir::interval::Interval;
use pydd_ir::rewrite::{Layout, is_defined_inside};
use pydd_ir::{Block, ElemOp, Entity, Function, Op, OpKind, Type, Value};

use crate::analysis::arithmetic;
use crate::analysis::known::Facts;
use crate::analysis::patterns::constant_range;
use crate::analysis::shapes::{Length, Shapes};
use crate::analysis::symbol::{self, Poly, Symbol, small};

/// How far operands are followed.
const DEPTH: u32 = 32;
/// The most bounds that are kept of one value.
const MAX_BOUNDS: usize = 4;
/// How many steps all proofs for one `pfor` may take together, so that no program takes for ever.
const FUEL: u32 = 500_000;

/// A condition, and what it is.
pub type Guard = (Value, bool);

/// What is known to hold wherever an operation is done: conditions around it, checks before it, and conditions before
/// it under which control would have left.
#[must_use]
pub fn guards(func: &Function, layout: &Layout, op: Op) -> Vec<Guard> {
    let mut found = Vec::new();
    let mut inner = op;
    loop {
        let (Some(block), Some(at)) = (layout.block_of(inner), layout.index_of(inner)) else { return found };
        for &before in &func.blocks[block].ops[..at] {
            let data = &func.ops[before];
            let leaves = |region: Block| {
                func.blocks[region].ops.last().is_some_and(|&last| func.ops[last].kind != OpKind::Yield)
            };
            match data.kind {
                OpKind::Check { .. } => found.push((data.args[0], true)),
                OpKind::If => {
                    let [then, otherwise] = [data.regions[0], data.regions[1]].map(leaves);
                    if then != otherwise {
                        found.push((data.args[0], otherwise));
                    }
                }
                _ => {}
            }
        }
        let Some(outer) = layout.parent(inner) else { return found };
        if func.ops[outer].kind == OpKind::If {
            found.push((func.ops[outer].args[0], func.ops[outer].regions[0] == block));
        }
        inner = outer;
    }
}

/// A counted loop's index.
#[derive(Clone, Copy, Debug)]
struct Counter {
    range: [Value; 3],
    /// How many counted loops are around it, itself included.
    depth: u32,
}

/// Which way a bound bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Below,
    Above,
}

impl Side {
    fn flip(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::Above => Self::Below,
        }
    }
}

/// What can be asked of the integers that one `pfor` uses.
pub struct Indices<'a> {
    func: &'a Function,
    memory: &'a MemoryInfo,
    layout: &'a Layout,
    shapes: &'a Shapes<'a>,
    counters: BTreeMap<Value, Counter>,
    pfor: Op,
    /// What the body writes.
    written: &'a ClassSet,
    /// By value: greater for what is defined later.
    order: Vec<u32>,
    /// What holds where the loop runs; then what holds for the question at hand.
    facts: RefCell<Facts>,
    /// How many of them always hold.
    lasting: Cell<usize>,
    /// Counters whose bounds are among the facts.
    bounded: RefCell<BTreeSet<Value>>,
    /// Symbols whose definitions are not yet among the facts.
    undefined: RefCell<Vec<Value>>,
    fuel: Cell<u32>,
    intervals: RefCell<BTreeMap<Value, Interval>>,
    polys: RefCell<BTreeMap<Value, Option<Poly>>>,
    invariants: RefCell<BTreeMap<Value, bool>>,
}

impl<'a> Indices<'a> {
    #[must_use]
    pub fn new(
        func: &'a Function,
        memory: &'a MemoryInfo,
        layout: &'a Layout,
        shapes: &'a Shapes<'a>,
        pfor: Op,
    ) -> Self {
        let mut counters = BTreeMap::new();
        let mut order = vec![0; func.values.len()];
        let mut seen = 0..;
        let mut number = |values: &[Value]| {
            values.iter().zip(&mut seen).for_each(|(value, at)| order[value.index()] = at);
        };
        number(func.params());
        for op in func.all_ops() {
            let data = &func.ops[op];
            data.regions.iter().for_each(|&region| number(&func.blocks[region].params));
            number(&data.results);
            if let (OpKind::For | OpKind::PFor(_), &[start, stop, step, ..]) = (&data.kind, &data.args[..]) {
                let around = layout.ancestors(op).filter(|&a| func.ops[a].kind.is_loop()).count();
                let depth = u32::try_from(around).unwrap_or(u32::MAX);
                let index = func.blocks[data.regions[0]].params[0];
                counters.insert(index, Counter { range: [start, stop, step], depth });
            }
        }
        let indices = Self {
            func,
            memory,
            layout,
            shapes,
            counters,
            pfor,
            written: &memory.effects(pfor).writes,
            order,
            facts: RefCell::default(),
            lasting: Cell::new(0),
            bounded: RefCell::default(),
            undefined: RefCell::default(),
            fuel: Cell::new(FUEL),
            intervals: RefCell::default(),
            polys: RefCell::default(),
            invariants: RefCell::default(),
        };
        indices.assume_surroundings();
        indices
    }

    /// One step of a proof; nothing where it went too deep or took too long.
    fn spend(&self, depth: u32) -> Option<u32> {
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    /// Whether there is time for another proof.
    #[must_use]
    pub fn has_time(&self) -> bool {
        self.spend(1).is_some()
    }

    /// The index of the `pfor`.
    #[must_use]
    pub fn index(&self) -> Symbol {
        Symbol::Value(self.func.blocks[self.func.ops[self.pfor].regions[0]].params[0])
    }

    /// The first iteration's index.
    #[must_use]
    pub fn start(&self) -> Option<Poly> {
        self.poly(self.func.ops[self.pfor].args[0])
    }

    /// What the index grows by from one iteration to the next.
    #[must_use]
    pub fn step(&self) -> Option<Poly> {
        self.poly(self.func.ops[self.pfor].args[2])
    }

    /// `range(start, stop, step)` of a counted loop's index.
    #[must_use]
    pub fn counter_range(&self, value: Value) -> Option<[Value; 3]> {
        self.counters.get(&value).map(|counter| counter.range)
    }

    /// Whether the value is made in an iteration.
    #[must_use]
    pub fn is_inside(&self, value: Value) -> bool {
        is_defined_inside(self.func, self.layout, value, self.pfor)
    }

    /// Whether a product of these is certainly not negative.
    #[must_use]
    pub fn is_product_nonnegative(&self, symbols: &[Symbol]) -> bool {
        symbols.iter().all(|&symbol| self.is_never_negative(&Poly::symbol(symbol)))
    }

    /// Whether no product of the `pfor`'s index and a number from outside is in it; lengths of arrays are small.
    #[must_use]
    pub fn is_plain(&self, poly: &Poly) -> bool {
        let is_other = |symbol| matches!(symbol, Symbol::Value(_)) && symbol != self.index();
        !poly.terms().any(|(product, _)| product.contains(self.index()) && product.symbols().any(is_other))
    }

    /// How many iterations there are, where that is a constant.
    #[must_use]
    pub fn iterations(&self) -> Option<i64> {
        let [start, stop, step] = constant_range(self.func, self.pfor)?;
        let span = if step > 0 { stop.checked_sub(start)? } else { start.checked_sub(stop)? };
        let step = step.checked_abs().filter(|&step| step != 0)?;
        Some(if span <= 0 { 0 } else { (span - 1) / step + 1 })
    }

    /// The value as a polynomial of what is the same in all iterations, and of indices.
    #[must_use]
    pub fn poly(&self, value: Value) -> Option<Poly> {
        self.poly_within(value, DEPTH)
    }

    fn poly_within(&self, value: Value, depth: u32) -> Option<Poly> {
        if let Some(known) = self.polys.borrow().get(&value) {
            return known.clone();
        }
        let poly = self.make_poly(value, depth);
        self.polys.borrow_mut().insert(value, poly.clone());
        poly
    }

    fn make_poly(&self, value: Value, depth: u32) -> Option<Poly> {
        let depth = depth.checked_sub(1)?;
        if let Some(constant) = self.func.as_int(value) {
            return (constant.unsigned_abs() < 1 << 31).then(|| Poly::constant(constant));
        }
        if self.counters.contains_key(&value) {
            return Some(Poly::symbol(Symbol::Value(value)));
        }
        if let Some(poly) = self.arithmetic(value, depth) {
            return Some(poly);
        }
        if let Length::Const(n) = self.length(value) {
            return Some(Poly::constant(n));
        }
        match self.length(value) {
            Length::Axis(array, axis) if self.is_invariant(array) => {
                Symbol::length(array, axis).map(Poly::symbol)
            }
            Length::Scalar(other) if other != value => self.poly_within(other, depth),
            _ => self.is_invariant(value).then(|| self.opaque(value)),
        }
    }

    /// A value that is not taken apart.
    fn opaque(&self, value: Value) -> Poly {
        self.undefined.borrow_mut().push(value);
        symbol::value(value)
    }

    fn length(&self, value: Value) -> Length {
        if self.func.ty(value) == Type::I64 { self.shapes.length(value) } else { Length::Scalar(value) }
    }

    /// The length of an array's axis.
    #[must_use]
    pub fn axis_length(&self, array: Value, axis: usize) -> Option<Poly> {
        match self.shapes.layout(array).dims[axis] {
            Length::Const(n) => Some(Poly::constant(n)),
            Length::Scalar(value) => self.poly(value),
            Length::Axis(array, axis) => {
                Symbol::length(array, axis).filter(|_| self.is_invariant(array)).map(Poly::symbol)
            }
        }
    }

    fn arithmetic(&self, value: Value, depth: u32) -> Option<Poly> {
        if self.func.ty(value) != Type::I64 {
            return None;
        }
        arithmetic::sum(self.func, value, &mut |operand| self.poly_within(operand, depth)).and_then(small)
    }

    fn elem(&self, value: Value) -> Option<(ElemOp, &[Value])> {
        let data = &self.func.ops[self.func.def_op(value)?];
        match data.kind {
            OpKind::Elem(elem) => Some((elem, &data.args)),
            _ => None,
        }
    }

    /// Whether the value is the same in all iterations.
    #[must_use]
    pub fn is_invariant(&self, value: Value) -> bool {
        self.is_invariant_within(value, DEPTH)
    }

    fn is_invariant_within(&self, value: Value, depth: u32) -> bool {
        if !is_defined_inside(self.func, self.layout, value, self.pfor) {
            return true;
        }
        let (Some(op), Some(depth)) = (self.func.def_op(value), depth.checked_sub(1)) else { return false };
        if let Some(&known) = self.invariants.borrow().get(&value) {
            return known;
        }
        let (data, effects) = (&self.func.ops[op], self.memory.effects(op));
        let plain = data.regions.is_empty()
            && effects.writes.is_empty()
            && !(effects.allocates || effects.io || effects.diverges)
            && !effects.reads.intersects(self.written);
        let invariant = plain && data.args.iter().all(|&arg| self.is_invariant_within(arg, depth));
        self.invariants.borrow_mut().insert(value, invariant);
        invariant
    }

    /// Whether the value is certainly not negative.
    #[must_use]
    pub fn is_nonnegative(&self, value: Value) -> bool {
        self.is_nonnegative_within(value, DEPTH)
    }

    fn is_nonnegative_within(&self, value: Value, depth: u32) -> bool {
        let Some(depth) = self.spend(depth) else { return false };
        if self.value_interval(value, DEPTH).low >= 0
            || self.poly(value).is_some_and(|poly| self.is_never_negative(&poly))
        {
            return true;
        }
        let arg = |args: &[Value], i: usize| self.is_nonnegative_within(args[i], depth);
        match self.elem(value) {
            Some((ElemOp::Min | ElemOp::Add | ElemOp::Mul, args)) => arg(args, 0) && arg(args, 1),
            Some((ElemOp::Max, args)) => arg(args, 0) || arg(args, 1),
            Some((ElemOp::FloorDiv, args)) => self.value_interval(args[1], DEPTH).low > 0 && arg(args, 0),
            _ => false,
        }
    }

    fn counters_of<'p>(&'p self, poly: &'p Poly) -> impl Iterator<Item = Value> + 'p {
        poly.symbols().filter_map(|symbol| match symbol {
            Symbol::Value(value) if self.counters.contains_key(&value) => Some(value),
            _ => None,
        })
    }

    /// Bounds of a polynomial, over all values of the indices for which `wanted` holds.
    #[must_use]
    pub fn bounds(&self, poly: &Poly, side: Side, wanted: impl Fn(Value) -> bool) -> Vec<Poly> {
        self.without_counters(poly, side, wanted, DEPTH / 2)
    }

    /// Bounds over everything that changes within one iteration.
    #[must_use]
    pub fn bounds_in_iteration(&self, poly: &Poly, side: Side) -> Vec<Poly> {
        let index = self.index();
        let inner = |value: Value| {
            Symbol::Value(value) != index && is_defined_inside(self.func, self.layout, value, self.pfor)
        };
        self.bounds(poly, side, inner)
    }

    /// Bounds over all iterations.
    #[must_use]
    pub fn bounds_in_loop(&self, poly: &Poly, side: Side) -> Vec<Poly> {
        self.bounds(poly, side, |value| is_defined_inside(self.func, self.layout, value, self.pfor))
    }

    /// Puts bounds in the place of indices, inner ones first: their bounds may speak of outer ones.
    fn without_counters(
        &self,
        poly: &Poly,
        side: Side,
        wanted: impl Fn(Value) -> bool,
        depth: u32,
    ) -> Vec<Poly> {
        let mut work = vec![poly.clone()];
        // Each round takes out one index of each; bounds bring outer ones only, so this ends.
        for _ in 0..self.counters.len() {
            let mut next = Vec::new();
            let mut changed = false;
            for poly in work {
                match self.innermost(&poly, &wanted) {
                    None => next.push(poly),
                    Some(counter) => {
                        changed = true;
                        next.extend(self.without(&poly, counter, side, depth));
                    }
                }
            }
            next.dedup();
            next.truncate(MAX_BOUNDS);
            work = next;
            if !changed {
                break;
            }
        }
        work.retain(|poly| self.innermost(poly, &wanted).is_none());
        work
    }

    fn innermost(&self, poly: &Poly, wanted: &impl Fn(Value) -> bool) -> Option<Value> {
        let counters = self.counters_of(poly).filter(|&value| wanted(value));
        counters.max_by_key(|value| (self.counters[value].depth, value.index()))
    }

    /// Bounds of `c * counter + k`, by the sign of `c`.
    fn without(&self, poly: &Poly, counter: Value, side: Side, depth: u32) -> Vec<Poly> {
        let Some(depth) = self.spend(depth) else { return Vec::new() };
        let Some((factor, rest)) = poly.split(Symbol::Value(counter)) else { return Vec::new() };
        let side = if self.is_never_negative(&factor) {
            side
        } else if self.is_never_negative(&factor.neg()) {
            side.flip()
        } else {
            return Vec::new();
        };
        let bounds = self.counter_bounds(counter, side, depth);
        bounds.iter().filter_map(|bound| factor.mul(bound)?.add(&rest)).collect()
    }

    /// Bounds of an index while its loop runs.
    fn counter_bounds(&self, counter: Value, side: Side, depth: u32) -> Vec<Poly> {
        let [start, stop, step] = self.counters[&counter].range;
        let upward = match self.func.as_int(step) {
            Some(step) => step > 0,
            // A step of 0 raises.
            _ if self.is_nonnegative_within(step, depth) => true,
            _ => return Vec::new(),
        };
        match (upward, side) {
            (true, Side::Below) | (false, Side::Above) => self.value_bounds(start, side, depth),
            (true, Side::Above) => self.moved(stop, side, -1, depth),
            (false, Side::Below) => self.moved(stop, side, 1, depth),
        }
    }

    fn moved(&self, value: Value, side: Side, by: i64, depth: u32) -> Vec<Poly> {
        self.value_bounds(value, side, depth).iter().filter_map(|bound| bound.shift(by)).collect()
    }

    /// Bounds of a value: itself, or what a `min` or `max` is made of.
    #[must_use]
    pub fn value_bounds(&self, value: Value, side: Side, depth: u32) -> Vec<Poly> {
        let Some(depth) = self.spend(depth) else { return Vec::new() };
        if let (Some((ElemOp::Min, args)), Side::Above) | (Some((ElemOp::Max, args)), Side::Below) =
            (self.elem(value), side)
        {
            let mut all: Vec<Poly> =
                args.iter().flat_map(|&arg| self.value_bounds(arg, side, depth)).collect();
            all.truncate(MAX_BOUNDS);
            return all;
        }
        self.poly(value).into_iter().collect()
    }

    /// Bounds of a value, as [`Self::value_bounds`] gives them.
    #[must_use]
    pub fn bounds_of(&self, value: Value, side: Side) -> Vec<Poly> {
        self.value_bounds(value, side, DEPTH)
    }
}
