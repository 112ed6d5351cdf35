//! What is expected of the integers that a function can compute from its arguments' lengths before anything else.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::interval::Interval;
use pydd_ir::poly::Product;
use pydd_ir::rewrite::{Use, Uses};
use pydd_ir::{ElemOp, Entity, Function, Literal, Op, OpKind, Type, Value, ValueDef};

use crate::analysis::lengths::{CarriedLengths, Lengths, length_of};
use crate::analysis::patterns::param_length;
use crate::analysis::symbol::{self, Poly, Symbol};
use crate::analysis::{arithmetic, intervals};

use super::in_loops::LoopScope;

/// A constant length up to which arrays are expected to be so long.
const FEW: i64 = 64;

/// A comparison of two values that can be computed first, and that code relies on.
pub(super) struct Test {
    pub op: ElemOp,
    pub a: Value,
    pub b: Value,
}

/// What a function's code may rely on where some tests hold, and what follows; or that of a loop.
pub(super) struct Expected<'f> {
    func: &'f Function,
    equals: Equals,
    scope: Option<&'f LoopScope>,
    computable: Vec<Option<bool>>,
    sums: Vec<Option<Poly>>,
    ranges: Vec<Option<Interval>>,
    /// Values that others are expected to be: what clamps leave as it is.
    pub picks: BTreeMap<Value, Value>,
    /// Comparisons for equality that are expected to hold.
    pub equal: BTreeSet<Value>,
    /// Comparisons with constant lengths that others may have to be stretched to.
    constants: BTreeSet<Value>,
    /// Symbols that equal lengths are solved for; no sum mentions one of them.
    solved: BTreeMap<Symbol, Poly>,
    /// That slices end within their arrays, and that lengths are equal.
    pub clamps: Vec<Test>,
    pub equalities: Vec<Test>,
    /// The same of a loop, in all of its iterations: sums that are not negative.
    pub corners: Vec<Poly>,
    /// And the ends of the ranges of indices that these follow from.
    pub ends: BTreeSet<Value>,
}

/// Which lengths are taken to be equal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Equals {
    /// Those that are.
    Certain,
    /// Those that are compared.
    Compared,
}

impl<'f> Expected<'f> {
    /// Where `equals` is `Certain`, what is found follows from `clamps` alone.
    pub fn of(func: &'f Function, equals: Equals) -> Self {
        // Where lengths are equal, what loops carry may be as long in all iterations, which is true if it follows from itself.
        let mut carried = match equals {
            Equals::Certain => CarriedLengths::default(),
            Equals::Compared => CarriedLengths::candidates(func),
        };
        loop {
            let mut this = Self::with(func, equals, None, &mut carried);
            let agrees = |known: &Lengths, from, axis, length| {
                let next = length_of(func, known, from, axis);
                next.is_some_and(|next| this.broadcast_sum(next) == this.sum(length))
            };
            if !carried.drop_unless(agrees) {
                return this;
            }
        }
    }

    /// What a loop's body may rely on.
    pub fn in_loop(func: &'f Function, scope: &'f LoopScope) -> Self {
        Self::with(func, Equals::Certain, Some(scope), &mut CarriedLengths::default())
    }

    fn with(
        func: &'f Function,
        equals: Equals,
        scope: Option<&'f LoopScope>,
        carried: &mut CarriedLengths,
    ) -> Self {
        let values = func.values.len();
        let mut this = Self {
            func,
            equals,
            scope,
            computable: vec![None; values],
            sums: vec![None; values],
            ranges: vec![None; values],
            picks: BTreeMap::new(),
            equal: BTreeSet::new(),
            constants: BTreeSet::new(),
            solved: BTreeMap::new(),
            clamps: Vec::new(),
            equalities: Vec::new(),
            corners: Vec::new(),
            ends: BTreeSet::new(),
        };
        carried.retain(|length| this.is_computable(length));
        for (op, length) in carried.asked(func) {
            let value = func.result(op);
            this.computable[value.index()] = Some(true);
            this.picks.insert(value, length);
        }
        let order = scope.map_or_else(|| func.all_ops(), |scope| scope.ops.clone());
        let compared = this.compared(&order);
        let asked = this.asked(&compared);
        for op in order {
            let data = &func.ops[op];
            let (OpKind::Elem(elem), &[value]) = (&data.kind, &data.results[..]) else { continue };
            if compared.contains(&value) {
                this.compare(value, data.args[0], data.args[1]);
            } else if asked.contains(&value) && func.ty(value) == Type::I64 {
                match (elem, &data.args[..]) {
                    (ElemOp::Min, &[a, b]) => this.min(value, a, b),
                    (ElemOp::Max, &[a, b]) => this.max(value, a, b),
                    (ElemOp::Select, &[condition, a, b]) => this.select(value, condition, a, b),
                    _ => {}
                }
            }
        }
        this
    }

    /// The lengths that are tested for being equal.
    pub fn pairs(&self) -> Vec<[Value; 2]> {
        self.equalities.iter().map(|test| [test.a, test.b].map(|value| self.picked(value))).collect()
    }

    /// What a value is expected to be, of those that stand before everything else.
    fn picked(&self, value: Value) -> Value {
        self.picks.get(&value).map_or(value, |&pick| self.picked(pick))
    }

    /// Values that are what others before them are where all is as expected, and those that are constants.
    pub fn same(&mut self) -> (BTreeMap<Value, Value>, BTreeMap<Value, i64>) {
        let func = self.func;
        let (mut same, mut constants) = (BTreeMap::new(), BTreeMap::new());
        let mut first: BTreeMap<Vec<(Product<Symbol>, i64)>, Vec<(i128, Value)>> = BTreeMap::new();
        let (block, ops) = match self.scope {
            Some(scope) => (scope.body, scope.ops.clone()),
            None => (func.entry, func.all_ops()),
        };
        let outermost: BTreeSet<Op> = func.blocks[block].ops.iter().copied().collect();
        let results = ops.into_iter().filter(|&op| func.ops[op].results.len() == 1);
        let made = results.map(|op| (func.result(op), outermost.contains(&op)));
        for (value, is_visible) in func.blocks[block].params.iter().map(|&param| (param, true)).chain(made) {
            let is_length = func.ty(value) == Type::I64 && func.as_const(value).is_none();
            if !is_length || !self.is_computable(value) {
                continue;
            }
            let sum = self.sum(value);
            if let Some(constant) = sum.as_i64() {
                constants.insert(value, constant);
                continue;
            }
            if self.picks.contains_key(&value) {
                continue;
            }
            let known = first.entry(sum.terms().collect()).or_default();
            match known.iter().find(|(offset, _)| *offset == sum.offset()) {
                Some(&(_, other)) => _ = same.insert(value, other),
                None if is_visible => known.push((sum.offset(), value)),
                None => {}
            }
        }
        (same, constants)
    }

    /// Comparisons of lengths for equality that more is asked of than to raise where they fail.
    fn compared(&mut self, order: &[Op]) -> BTreeSet<Value> {
        let (func, uses) = (self.func, Uses::new(self.func));
        let is_open = |found: &Use| !matches!(func.ops[found.op].kind, OpKind::Check { .. });
        let mut found = BTreeSet::new();
        for &op in order {
            let data = &func.ops[op];
            let (OpKind::Elem(ElemOp::Eq), &[a, b]) = (&data.kind, &data.args[..]) else { continue };
            let value = data.results[0];
            if func.ty(a) != Type::I64 || !uses.of(value).iter().any(is_open) {
                continue;
            }
            let constant = [a, b].iter().find_map(|&side| func.as_int(side));
            if constant.is_none_or(|length| may_be_length(func, &uses, value, length))
                && self.is_computable(value)
            {
                found.insert(value);
                self.constants.extend(constant.map(|_| value));
            }
        }
        found
    }

    /// What these are made of.
    fn asked(&self, compared: &BTreeSet<Value>) -> BTreeSet<Value> {
        let (mut asked, mut work) = (BTreeSet::new(), compared.iter().copied().collect::<Vec<_>>());
        while let Some(value) = work.pop() {
            if asked.insert(value)
                && let Some(op) = self.func.def_op(value)
                && matches!(self.func.ops[op].kind, OpKind::Elem(_))
            {
                work.extend(&self.func.ops[op].args);
            }
        }
        asked
    }

    /// Whether arguments and their lengths are all that a value takes.
    fn is_computable(&mut self, value: Value) -> bool {
        if let Some(known) = self.computable[value.index()] {
            return known;
        }
        let func = self.func;
        let is_int = intervals::limits(func.ty(value)).is_some() || func.ty(value) == Type::BOOL;
        let is_there = || self.scope.is_some_and(|scope| scope.is_known(func, value));
        let computable = is_int
            && (is_there()
                || match func.values[value].def {
                    ValueDef::Param(block, _) => block == func.entry,
                    ValueDef::Result(op, _) => {
                        let data = &func.ops[op];
                        match &data.kind {
                            OpKind::Const(Literal::Int(_) | Literal::Bool(_)) => true,
                            OpKind::Dim(_) => param_length(func, value).is_some(),
                            OpKind::Elem(_) | OpKind::Cast => {
                                data.args.iter().all(|&arg| self.is_computable(arg))
                            }
                            _ => false,
                        }
                    }
                });
        self.computable[value.index()] = Some(computable);
        computable
    }

    /// The value as a sum of lengths and other values, if all is as expected. Both wrap alike.
    pub fn sum(&mut self, value: Value) -> Poly {
        let known = match &self.sums[value.index()] {
            Some(known) => known.clone(),
            None => self.first_sum(value),
        };
        let sum = self.reduced(&known);
        self.sums[value.index()] = Some(sum.clone());
        sum
    }

    /// The sum of a length that broadcasting may have made of two.
    fn broadcast_sum(&mut self, value: Value) -> Poly {
        let data = self.func.def_op(value).map(|op| &self.func.ops[op]);
        if let Some((OpKind::Elem(ElemOp::Select), &[_, a, b])) =
            data.map(|data| (&data.kind, &data.args[..]))
        {
            let (a, b) = (self.broadcast_sum(a), self.broadcast_sum(b));
            if a == b {
                return a;
            }
        }
        self.sum(value)
    }

    fn first_sum(&mut self, value: Value) -> Poly {
        let func = self.func;
        if let Some(&pick) = self.picks.get(&value) {
            return self.sum(pick);
        }
        if let Some(Literal::Int(number)) = func.as_const(value) {
            return Poly::constant(*number);
        }
        if let Some((array, axis)) = param_length(func, value) {
            return Symbol::length(array, axis).map_or_else(|| symbol::value(value), Poly::symbol);
        }
        let is_wide = func.ty(value) == Type::I64;
        let sum = arithmetic::sum(func, value, &mut |operand| is_wide.then(|| self.sum(operand)));
        sum.unwrap_or_else(|| symbol::value(value))
    }

    fn reduced(&self, sum: &Poly) -> Poly {
        if !sum.symbols().any(|symbol| self.solved.contains_key(&symbol)) {
            return sum.clone();
        }
        let solved = |symbol| Some(self.solved.get(&symbol).cloned().unwrap_or_else(|| Poly::symbol(symbol)));
        sum.replace(&mut { solved }).unwrap_or_else(|| sum.clone())
    }

    /// The constant range of a value, if all is as expected.
    fn range(&mut self, value: Value) -> Interval {
        if let Some(known) = self.ranges[value.index()] {
            return known;
        }
        let func = self.func;
        let limits = intervals::limits(func.ty(value)).unwrap_or(Interval::I64);
        let range = match (self.picks.get(&value), func.def_op(value)) {
            (Some(&pick), _) => self.range(pick),
            (None, Some(op)) => {
                let args = &func.ops[op].args;
                let is_int = |arg: &Value| intervals::limits(func.ty(*arg)).is_some();
                let known: BTreeMap<Value, Interval> =
                    args.iter().copied().filter(is_int).map(|arg| (arg, self.range(arg))).collect();
                let of = |arg| known.get(&arg).copied().unwrap_or(Interval::I64);
                intervals::of_result(func, op, limits, &of)
            }
            (None, None) => limits,
        };
        self.ranges[value.index()] = Some(range);
        range
    }

    /// Whether `a <= b` whatever the arguments are.
    fn is_at_most(&mut self, a: Value, b: Value) -> bool {
        if self.range(a).high <= self.range(b).low {
            return true;
        }
        let (x, y) = (self.sum(a), self.sum(b));
        let fits = |sum: &Poly| Interval::I64.contains(sum.interval(&Symbol::limits));
        let room = y.sub(&x).map(|room| room.interval(&Symbol::limits));
        fits(&x) && fits(&y) && room.is_some_and(|room| room.low >= 0)
    }

    /// A value is what another one is, which a test says unless it always holds.
    fn pick(&mut self, value: Value, pick: Value, (op, a, b): (ElemOp, Value, Value)) {
        let (low, high) = if op == ElemOp::Le { (a, b) } else { (b, a) };
        let holds = if op == ElemOp::Lt {
            self.range(a).high < self.range(b).low
        } else {
            self.is_at_most(low, high)
        };
        if let (false, Some(scope)) = (holds, self.scope) {
            let (low, high) = if op == ElemOp::Ge { (b, a) } else { (a, b) };
            let (low, high) = (self.sum(low), self.sum(high));
            let corner = scope.corner(&low, &high, &mut |value| self.sum(value));
            let Some((corner, ends)) = corner else { return };
            let Some(corner) = corner.shift(-i128::from(op == ElemOp::Lt)) else { return };
            match corner.as_constant() {
                Some(room) if room < 0 => return,
                Some(_) => {}
                None if self.corners.contains(&corner) => {}
                None => self.corners.push(corner),
            }
            self.ends.extend(ends);
        } else if !holds {
            self.clamps.push(Test { op, a, b });
        }
        self.picks.insert(value, pick);
    }

    /// What is cut at the end of an array is expected to end before. Of two lengths, slices have the array's second.
    fn min(&mut self, value: Value, a: Value, b: Value) {
        if self.is_at_most(a, b) {
            self.pick(value, a, (ElemOp::Le, a, b));
        } else if self.is_at_most(b, a) {
            self.pick(value, b, (ElemOp::Le, b, a));
        } else if self.is_end(b) {
            self.pick(value, a, (ElemOp::Le, a, b));
        } else if self.is_end(a) {
            self.pick(value, b, (ElemOp::Le, b, a));
        } else if let Some(scope) = self.scope {
            match [a, b].map(|side| scope.is_outside(self.func, side)) {
                [false, true] => self.pick(value, a, (ElemOp::Le, a, b)),
                [true, false] => self.pick(value, b, (ElemOp::Le, b, a)),
                _ => {}
            }
        }
    }

    /// Whether a value is the length of an array, or what broadcasting makes of some, maybe less some elements.
    fn is_end(&mut self, value: Value) -> bool {
        let func = self.func;
        if let Some(op) = func.def_op(value)
            && let (OpKind::Elem(ElemOp::Select), &[is_one, other, length]) =
                (&func.ops[op].kind, &func.ops[op].args[..])
            && let Some(compared) = func.def_op(is_one)
            && func.ops[compared].kind == OpKind::Elem(ElemOp::Eq)
            && func.ops[compared].args[0] == length
            && func.as_const(func.ops[compared].args[1]) == Some(&Literal::Int(1))
        {
            return self.is_end(other) && self.is_end(length);
        }
        let sum = self.first_sum(value);
        let mut terms = sum.terms();
        let is_length = terms.next().is_some_and(|(product, factor)| {
            factor == 1
                && product.degree() == 1
                && matches!(product.symbols().next(), Some(Symbol::Length(..)))
        });
        is_length && terms.next().is_none() && sum.offset() <= 0
    }

    /// Lengths, and ends of slices, are expected to be no less than 0 or -1.
    fn max(&mut self, value: Value, a: Value, b: Value) {
        let is_const = |side| self.func.as_const(side).is_some();
        if is_const(b) && !is_const(a) {
            self.pick(value, a, (ElemOp::Ge, a, b));
        } else if is_const(a) && !is_const(b) {
            self.pick(value, b, (ElemOp::Ge, b, a));
        }
    }

    fn select(&mut self, value: Value, condition: Value, a: Value, b: Value) {
        let func = self.func;
        if self.sum(a) == self.sum(b) {
            self.picks.insert(value, b);
            return;
        }
        let Some(data) = func.def_op(condition).map(|op| &func.ops[op]) else { return };
        // An index that counts from the end where it is negative.
        if let (OpKind::Elem(ElemOp::Lt), &[index, zero]) = (&data.kind, &data.args[..])
            && func.as_const(zero) == Some(&Literal::Int(0))
            && func.ty(index) == Type::I64
        {
            let sum = self.sum(index);
            let is_negative = sum.offset() <= 0 && sum.terms().all(|(_, factor)| factor < 0);
            let (pick, op) = if is_negative { (a, ElemOp::Lt) } else { (b, ElemOp::Ge) };
            self.pick(value, pick, (op, index, zero));
        }
    }

    /// Lengths that are compared are expected to be equal.
    fn compare(&mut self, value: Value, a: Value, b: Value) {
        let (x, y) = (self.sum(a), self.sum(b));
        let Some(room) = x.sub(&y) else { return };
        if room.is_zero() {
            self.equal.insert(value);
            return;
        }
        let is_length = |symbol| matches!(symbol, Symbol::Length(..));
        if self.equals == Equals::Certain {
            return;
        }
        let is_constant = [&x, &y].iter().any(|side| side.as_constant().is_some());
        if !room.symbols().any(is_length) || is_constant && !self.constants.contains(&value) {
            return;
        }
        if self.is_quotient(a, &y) || self.is_quotient(b, &x) {
            return;
        }
        let Some((symbol, sum)) = self.solve(&room) else { return };
        let only = BTreeMap::from([(symbol, sum.clone())]);
        for known in self.solved.values_mut() {
            let with = |other| Some(only.get(&other).cloned().unwrap_or_else(|| Poly::symbol(other)));
            if let Some(replaced) = known.replace(&mut { with }) {
                *known = replaced;
            }
        }
        self.solved.insert(symbol, sum);
        self.equal.insert(value);
        self.equalities.push(Test { op: ElemOp::Eq, a, b });
    }

    /// Whether a value is a quotient of `dividend`, which hardly is as large.
    fn is_quotient(&mut self, value: Value, dividend: &Poly) -> bool {
        let data = self.func.def_op(value).map(|op| &self.func.ops[op]);
        let Some((OpKind::Elem(ElemOp::FloorDiv), args)) = data.map(|data| (&data.kind, &data.args)) else {
            return false;
        };
        self.sum(args[0]) == *dividend
    }

    /// A symbol and what it is where the sum is 0: of what is computed first of all, else of the last length.
    fn solve(&self, sum: &Poly) -> Option<(Symbol, Poly)> {
        let mut best: Option<(bool, Symbol, Poly)> = None;
        for symbol in sum.symbols() {
            let Some((factor, rest)) = sum.split(symbol) else { continue };
            let other = match factor.as_i64() {
                Some(1) => rest.neg(),
                Some(-1) => rest,
                _ => continue,
            };
            let is_made = matches!(symbol, Symbol::Value(value) if self.func.def_op(value).is_some());
            if best.as_ref().is_none_or(|(made, known, _)| (*made, *known) < (is_made, symbol)) {
                best = Some((is_made, symbol, other));
            }
        }
        best.map(|(_, symbol, other)| (symbol, other))
    }
}

/// Whether a comparison is of two lengths that broadcasting asks to be equal, unless one is 1: as that of an array that may have any and of one
/// that has few elements, `np.array([x, y, z])`.
fn may_be_length(func: &Function, uses: &Uses, equal: Value, length: i64) -> bool {
    let is_check = |one: &Use| matches!(func.ops[one.op].kind, OpKind::Check { .. });
    (2..=FEW).contains(&length)
        && uses.of(equal).iter().any(|one| {
            let either = &func.ops[one.op];
            either.kind == OpKind::Elem(ElemOp::Or) && uses.of(either.results[0]).iter().any(is_check)
        })
}
