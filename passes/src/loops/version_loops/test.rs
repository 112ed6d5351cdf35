//! The test before a versioned loop, as operations.

use std::collections::BTreeMap;

use pydd_ir::rewrite::Replacements;
use pydd_ir::{Builder, DType, ElemOp, Value};

use super::plan::Plan;
use crate::analysis::symbol::{Poly, Symbol};

/// Whether all of these plans hold; `known`: values of symbols; `given`: what stands for values that they speak of.
pub(super) fn emit<'p>(
    b: &mut Builder<'_>,
    plans: impl Iterator<Item = &'p Plan>,
    known: BTreeMap<Symbol, Value>,
    given: &Replacements,
) -> Value {
    let mut needs: Vec<&Vec<Poly>> = Vec::new();
    let mut limits: BTreeMap<Symbol, u32> = BTreeMap::new();
    for plan in plans {
        for need in &plan.needs {
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
        for (&symbol, &bits) in &plan.limits {
            let entry = limits.entry(symbol).or_insert(bits);
            *entry = bits.min(*entry);
        }
    }
    let mut emitter = Emitter { b, given, symbols: known };
    let mut conditions: Vec<Value> = limits.iter().map(|(&s, &bits)| emitter.is_within(s, bits)).collect();
    for need in needs {
        let tests: Vec<Value> = need.iter().map(|sum| emitter.is_not_negative(sum)).collect();
        conditions.push(emitter.combine(ElemOp::Or, &tests));
    }
    emitter.combine(ElemOp::And, &conditions)
}

/// Whether something stands on the other side of a comparison with 0, beside a constant.
pub(super) fn has_negative_terms(sum: &Poly) -> bool {
    sum.terms().any(|(_, factor)| factor < 0)
}

struct Emitter<'b, 'f> {
    b: &'b mut Builder<'f>,
    given: &'b Replacements,
    symbols: BTreeMap<Symbol, Value>,
}

impl Emitter<'_, '_> {
    fn combine(&mut self, elem: ElemOp, conditions: &[Value]) -> Value {
        match conditions.split_first() {
            Some((&first, rest)) => rest.iter().fold(first, |all, &c| self.b.elem(elem, &[all, c])),
            None => self.b.bool(true),
        }
    }

    /// `-2^bits <= symbol < 2^bits`, as one unsigned comparison.
    fn is_within(&mut self, symbol: Symbol, bits: u32) -> Value {
        let half = self.b.int(1 << bits);
        let value = self.symbol(symbol);
        let shifted = self.b.add(value, half);
        let shifted = self.b.cast(shifted, DType::U64);
        let size = self.b.int(1 << (bits + 1));
        let size = self.b.cast(size, DType::U64);
        self.b.elem(ElemOp::Lt, &[shifted, size])
    }

    /// Negative terms go to the other side of the comparison.
    fn is_not_negative(&mut self, sum: &Poly) -> Value {
        let positive = self.sum(sum, 1);
        if sum.offset() == -1 && has_negative_terms(sum) {
            let rest = sum.products(|_, _| true);
            let negative = self.sum(&rest, -1);
            return self.b.elem(ElemOp::Lt, &[negative, positive]);
        }
        let negative = self.sum(sum, -1);
        self.b.elem(ElemOp::Le, &[negative, positive])
    }

    /// The terms of this sign, as a sum of positive ones.
    fn sum(&mut self, sum: &Poly, sign: i64) -> Value {
        let mut total = None;
        for (product, factor) in sum.terms().filter(|(_, factor)| factor.signum() == sign) {
            let mut value = None;
            for symbol in product.symbols() {
                let next = self.symbol(symbol);
                value = Some(value.map_or(next, |before| self.b.mul(before, next)));
            }
            let mut value = value.expect("a product has symbols");
            if factor.abs() != 1 {
                let factor = self.constant(i128::from(factor).abs());
                value = self.b.mul(value, factor);
            }
            total = Some(total.map_or(value, |before| self.b.add(before, value)));
        }
        if sum.offset().signum() == i128::from(sign) {
            let constant = self.constant(sum.offset().abs());
            total = Some(total.map_or(constant, |before| self.b.add(before, constant)));
        }
        total.unwrap_or_else(|| self.b.int(0))
    }

    fn constant(&mut self, value: i128) -> Value {
        self.b.int(i64::try_from(value).expect("sums that may overflow are not tested"))
    }

    fn symbol(&mut self, symbol: Symbol) -> Value {
        if let Some(&made) = self.symbols.get(&symbol) {
            return made;
        }
        let value = match symbol {
            Symbol::Value(value) => {
                let value = self.given.resolve(value);
                self.b.cast(value, DType::I64)
            }
            Symbol::Length(array, axis) => {
                let array = self.given.resolve(array);
                self.b.dim(array, axis)
            }
            Symbol::LastIteration(op) | Symbol::Iteration(op) => {
                let [start, stop, step] = [0, 1, 2].map(|i| self.b.func.ops[op].args[i]);
                // The step may stand where the loop does: here is another of its value.
                let step =
                    self.b.func.as_int(step).expect("only loops of constant steps have a last iteration");
                let (from, to) = if step > 0 { (start, stop) } else { (stop, start) };
                let one = self.b.int(1);
                let distance = self.b.sub(to, from);
                let room = self.b.sub(distance, one);
                let size = self.constant(i128::from(step).abs());
                self.b.elem(ElemOp::FloorDiv, &[room, size])
            }
        };
        self.symbols.insert(symbol, value);
        value
    }
}
