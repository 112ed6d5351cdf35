//! Integers of a `pfor`'s body as polynomials, and what they are certainly not below or above.
//!
//! Arithmetic is taken as that of whole numbers; `depend.rs` says why wrapped sums do no harm.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use pydd_ir::alias::{ClassSet, MemoryInfo};
use pydd_ir::rewrite::{Layout, is_defined_inside};
use pydd_ir::{Block, ElemOp, Entity, Function, Literal, Op, OpKind, Type, Value};

use super::symbol::{Poly, Symbol};
use crate::analysis::shapes::{Length, Shapes};

/// How far operands are followed.
const DEPTH: u32 = 32;
/// The most bounds that are kept of one value.
const MAX_BOUNDS: usize = 4;
/// How many steps all proofs for one `pfor` may take together, so that no program takes for ever.
const FUEL: u32 = 500_000;

/// The most facts that are kept.
const MAX_FACTS: usize = 12;

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
    /// What is at least 0 where the loop runs, by the conditions before it and around it.
    facts: Vec<Poly>,
    /// Loops that are known to run, for the question at hand.
    running: RefCell<Vec<Op>>,
    fuel: Cell<u32>,
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
        for op in func.all_ops() {
            if let (OpKind::For | OpKind::PFor(_), &[start, stop, step, ..]) =
                (&func.ops[op].kind, func.ops[op].args.as_slice())
            {
                let around = layout.ancestors(op).filter(|&a| func.ops[a].kind.is_loop()).count();
                let depth = u32::try_from(around).unwrap_or(u32::MAX);
                let index = func.blocks[func.ops[op].regions[0]].params[0];
                counters.insert(index, Counter { range: [start, stop, step], depth });
            }
        }
        let mut indices = Self {
            func,
            memory,
            layout,
            shapes,
            counters,
            pfor,
            written: &memory.effects(pfor).writes,
            facts: Vec::new(),
            running: RefCell::default(),
            fuel: Cell::new(FUEL),
            polys: RefCell::default(),
            invariants: RefCell::default(),
        };
        let known = guards(func, layout, pfor);
        indices.facts = known.into_iter().filter_map(|guard| indices.fact(guard)).take(MAX_FACTS).collect();
        indices
    }

    /// What a comparison says, as something that is at least 0.
    fn fact(&self, (value, holds): Guard) -> Option<Poly> {
        let (op, args) = self.elem(value)?;
        if op == ElemOp::Not {
            return self.fact((args[0], !holds));
        }
        let is_int = |&arg: &Value| self.func.ty(arg) == Type::I64;
        let &[a, b] = args else { return None };
        if !args.iter().all(is_int) {
            return None;
        }
        let (a, b) = (self.poly(a)?, self.poly(b)?);
        match (op, holds) {
            (ElemOp::Le, true) | (ElemOp::Gt, false) => b.sub(&a),
            (ElemOp::Lt, true) | (ElemOp::Ge, false) => b.sub(&a)?.plus(-1),
            (ElemOp::Ge, true) | (ElemOp::Lt, false) => a.sub(&b),
            (ElemOp::Gt, true) | (ElemOp::Le, false) => a.sub(&b)?.plus(-1),
            _ => None,
        }
    }

    /// From now on, loops of the body around these operations are taken to run at least once.
    pub fn assume_reached(&self, ops: [Op; 2]) {
        let around = ops.into_iter().flat_map(|op| self.layout.ancestors(op));
        let inside = around.filter(|&op| self.layout.is_inside(op, self.pfor));
        *self.running.borrow_mut() = inside.collect();
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
        Symbol::Scalar(self.func.blocks[self.func.ops[self.pfor].regions[0]].params[0])
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
        symbols.iter().all(|&symbol| self.symbol_is_nonnegative(symbol, DEPTH / 2))
    }

    /// Whether no product of the `pfor`'s index and a number from outside is in it; lengths of arrays are small.
    #[must_use]
    pub fn is_plain(&self, poly: &Poly) -> bool {
        let is_other = |symbol: &Symbol| matches!(symbol, Symbol::Scalar(_)) && *symbol != self.index();
        let multiplies = |symbols: &[Symbol]| symbols.contains(&self.index()) && symbols.iter().any(is_other);
        !poly.terms().any(|(symbols, _)| multiplies(symbols))
    }

    /// How many iterations there are, where that is a constant.
    #[must_use]
    pub fn iterations(&self) -> Option<i64> {
        let bound = |i: usize| match self.func.as_const(self.func.ops[self.pfor].args[i]) {
            Some(Literal::Int(value)) => Some(*value),
            _ => None,
        };
        let (start, stop, step) = (bound(0)?, bound(1)?, bound(2)?);
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
        if let Some(Literal::Int(constant)) = self.func.as_const(value) {
            return (constant.abs() < 1 << 31).then(|| Poly::constant(*constant));
        }
        if self.counters.contains_key(&value) {
            return Some(Poly::symbol(Symbol::Scalar(value)));
        }
        if let Some(poly) = self.arithmetic(value, depth) {
            return Some(poly);
        }
        if let Length::Const(n) = self.length(value) {
            return Some(Poly::constant(n));
        }
        match self.length(value) {
            Length::Axis(array, axis) if self.is_invariant(array) => {
                Some(Poly::symbol(Symbol::Length(array, axis)))
            }
            Length::Scalar(other) if other != value => self.poly_within(other, depth),
            _ => self.is_invariant(value).then(|| Poly::symbol(Symbol::Scalar(value))),
        }
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
                self.is_invariant(array).then(|| Poly::symbol(Symbol::Length(array, axis)))
            }
        }
    }

    fn arithmetic(&self, value: Value, depth: u32) -> Option<Poly> {
        let (elem, args) = self.elem(value)?;
        if self.func.ty(value) != Type::I64 {
            return None;
        }
        let arg = |i: usize| self.poly_within(args[i], depth);
        match elem {
            ElemOp::Add => arg(0)?.add(&arg(1)?),
            ElemOp::Sub => arg(0)?.sub(&arg(1)?),
            ElemOp::Mul => arg(0)?.mul(&arg(1)?),
            ElemOp::Neg => Some(arg(0)?.neg()),
            _ => None,
        }
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
        if self.poly(value).is_some_and(|poly| self.is_at_least_zero(&poly, depth)) {
            return true;
        }
        let arg = |args: &[Value], i: usize| self.is_nonnegative_within(args[i], depth);
        match self.elem(value) {
            Some((ElemOp::Min | ElemOp::Add | ElemOp::Mul, args)) => arg(args, 0) && arg(args, 1),
            Some((ElemOp::Max, args)) => arg(args, 0) || arg(args, 1),
            _ => false,
        }
    }

    fn symbol_is_nonnegative(&self, symbol: Symbol, depth: u32) -> bool {
        let Symbol::Scalar(value) = symbol else { return true };
        let Some(depth) = self.spend(depth) else { return false };
        if self.counters.contains_key(&value) {
            let bounds = self.counter_bounds(value, Side::Below, depth);
            return bounds.iter().any(|bound| self.is_at_least_zero(bound, depth));
        }
        let is_fact = |fact: &Poly| {
            let rest = Poly::symbol(symbol).sub(fact).and_then(|rest| rest.as_constant());
            rest.is_some_and(|rest| rest >= 0)
        };
        if self.facts.iter().any(is_fact) || self.ends_running_loop(value, depth) {
            return true;
        }
        let Some(op) = self.func.def_op(value) else { return false };
        let data = &self.func.ops[op];
        let arg = |i: usize| self.is_nonnegative_within(data.args[i], depth);
        let positive = |i: usize| matches!(self.func.as_const(data.args[i]), Some(Literal::Int(v)) if *v > 0);
        match &data.kind {
            OpKind::Dim(_) | OpKind::ListLen => true,
            OpKind::Elem(ElemOp::FloorDiv) => arg(0) && positive(1),
            OpKind::Elem(ElemOp::Mod) => positive(1),
            OpKind::Elem(ElemOp::Abs) => false,
            OpKind::Elem(ElemOp::Min) => arg(0) && arg(1),
            OpKind::Elem(ElemOp::Max) => arg(0) || arg(1),
            OpKind::Cast => {
                let from = self.func.ty(data.args[0]).dtype();
                from.is_some_and(|d| d.is_unsigned_int() && d.size() < 8 || d == pydd_ir::DType::Bool)
            }
            _ => false,
        }
    }

    /// Whether a loop that runs whenever the body does counts up to this value, from 0 or more.
    fn ends_running_loop(&self, value: Value, depth: u32) -> bool {
        let running = self.running.borrow();
        let around = std::iter::once(self.pfor).chain(self.layout.ancestors(self.pfor));
        running.iter().copied().chain(around).any(|op| {
            let data = &self.func.ops[op];
            matches!(data.kind, OpKind::For | OpKind::PFor(_))
                && data.args[1] == value
                && matches!(self.func.as_const(data.args[2]), Some(Literal::Int(1..)))
                && self.is_nonnegative_within(data.args[0], depth)
        })
    }

    /// Whether a polynomial is certainly at least 0.
    #[must_use]
    pub fn is_never_negative(&self, poly: &Poly) -> bool {
        self.is_at_least_zero(poly, DEPTH / 2)
    }

    fn is_at_least_zero(&self, poly: &Poly, depth: u32) -> bool {
        let Some(depth) = self.spend(depth) else { return false };
        let terms = |poly: &Poly| {
            poly.terms().all(|(symbols, coefficient)| {
                coefficient >= 0 && symbols.iter().all(|&s| self.symbol_is_nonnegative(s, depth))
            })
        };
        let follows = |fact: &Poly| poly.sub(fact).is_some_and(|rest| terms(&rest));
        terms(poly)
            || self.facts.iter().any(follows)
            || self.without_counters(poly, Side::Below, |_| true, depth).iter().any(terms)
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
            Symbol::Scalar(value) != index && is_defined_inside(self.func, self.layout, value, self.pfor)
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
        let counters = poly.terms().flat_map(|(symbols, _)| symbols).filter_map(|&symbol| match symbol {
            Symbol::Scalar(value) if wanted(value) => self.counters.get(&value).map(|c| (c.depth, value)),
            _ => None,
        });
        counters.max_by_key(|&(depth, value)| (depth, value.index())).map(|(_, value)| value)
    }

    /// Bounds of `c * counter + k`, by the sign of `c`.
    fn without(&self, poly: &Poly, counter: Value, side: Side, depth: u32) -> Vec<Poly> {
        let Some(depth) = self.spend(depth) else { return Vec::new() };
        let Some((factor, rest)) = poly.split(Symbol::Scalar(counter)) else { return Vec::new() };
        let side = if self.is_at_least_zero(&factor, depth) {
            side
        } else if self.is_at_least_zero(&factor.neg(), depth) {
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
        let upward = match self.func.as_const(step) {
            Some(Literal::Int(step)) => *step > 0,
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
        self.value_bounds(value, side, depth).iter().filter_map(|bound| bound.plus(by)).collect()
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
