//! Slices by the indices of loops: where the first and the last of them end within their arrays, all do.
//!
//! ```text
//! for %i in 0, %n {                        if 0 <= %n - … and %n + 1 <= %l {
//!     %k = min (%i + 2), %l           ⇒        for %i in 0, %n { … %i + 2 for %k … }
//!     …                                    } else { for %i … as before }
//! }
//! ```
//!
//! What is compared are sums of indices, of lengths and of what is known before the loop. In each index such a difference is least
//! at one end of its range. All numbers are tested for being so small that no sum of them overflows.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Cloner, Replacements, position};
use pydd_ir::{Block, Builder, ElemOp, Function, Op, OpKind, Type, Value};

use super::Found;
use super::expected::Expected;
use crate::analysis::symbol::{Poly, Symbol};

/// Operations of a loop that is written twice, at most.
const LONGEST: usize = 300;
/// Those of a function afterwards.
const MOST: usize = 3000;
/// Numbers that are small.
const SMALL: i64 = 1 << 40;
/// Factors and summands that are.
const FEW: i64 = 1 << 20;
/// Tests before a loop, at most.
const TESTS: usize = 24;

/// A loop and those within it whose ranges are known before it.
pub(super) struct LoopScope {
    pub body: Block,
    /// All operations within, in order.
    pub ops: Vec<Op>,
    /// What is defined within.
    inside: BTreeSet<Value>,
    /// Indices, of loops before those of loops within them.
    indices: Vec<Index>,
}

struct Index {
    value: Value,
    start: Value,
    stop: Value,
    up: bool,
}

impl LoopScope {
    fn new(func: &Function, looped: Op) -> Self {
        let body = func.ops[looped].regions[0];
        let (mut ops, mut indices) = (Vec::new(), Vec::new());
        let mut inside: BTreeSet<Value> = func.blocks[body].params.iter().copied().collect();
        indices.extend(index(func, looped));
        func.walk(body, &mut |op| {
            ops.push(op);
            let data = &func.ops[op];
            inside.extend(&data.results);
            data.regions.iter().for_each(|&region| inside.extend(&func.blocks[region].params));
            indices.extend(index(func, op));
        });
        Self { body, ops, inside, indices }
    }

    /// Whether a value is there before the loop.
    pub fn is_outside(&self, func: &Function, value: Value) -> bool {
        !self.inside.contains(&value) || func.as_const(value).is_some()
    }

    /// Whether a value is there before the loop, or an index.
    pub fn is_known(&self, func: &Function, value: Value) -> bool {
        self.is_outside(func, value) || self.indices.iter().any(|index| index.value == value)
    }

    /// The least that `high - low` is in any iteration, in terms of what is there before the loop, and the ends of ranges that it
    /// follows from. `sum` gives that of a value.
    pub fn corner(
        &self,
        low: &Poly,
        high: &Poly,
        sum: &mut dyn FnMut(Value) -> Poly,
    ) -> Option<(Poly, Vec<Value>)> {
        if !(is_plain(low) && is_plain(high)) {
            return None;
        }
        let (mut room, mut ends) = (high.sub(low)?, Vec::new());
        for index in self.indices.iter().rev() {
            let symbol = Symbol::Value(index.value);
            if [low, high, &room].iter().any(|sum| sum.mentions(symbol)) {
                ends.extend([index.start, index.stop]);
            }
            if !room.mentions(symbol) {
                continue;
            }
            let (factor, rest) = room.split(symbol)?;
            let factor = factor.as_i64()?;
            let least = (factor > 0) == index.up;
            let (end, by) = match (least, index.up) {
                (true, _) => (index.start, 0),
                (false, true) => (index.stop, -1),
                (false, false) => (index.stop, 1),
            };
            let end = sum(end).shift(by)?;
            room = rest.add(&end.scale(factor)?)?;
        }
        let is_there = |symbol| match symbol {
            Symbol::Value(value) => !self.inside.contains(&value),
            Symbol::Length(array, _) => !self.inside.contains(&array),
            _ => false,
        };
        let fits = is_plain(&room) && room.symbols().all(is_there);
        fits.then_some((room, ends))
    }

    /// What the ends of ranges and all sums are made of.
    fn symbols(&self, found: &mut Expected<'_>) -> Option<BTreeSet<Symbol>> {
        let mut all: BTreeSet<Symbol> =
            found.corners.iter().flat_map(|corner| corner.symbols().collect::<Vec<_>>()).collect();
        let (mut open, mut seen) = (found.ends.clone(), BTreeSet::new());
        while let Some(end) = open.pop_first() {
            if !seen.insert(end) {
                continue;
            }
            let sum = found.sum(end);
            is_plain(&sum).then_some(())?;
            for symbol in sum.symbols() {
                all.insert(symbol);
                let outer = self.indices.iter().find(|index| Symbol::Value(index.value) == symbol);
                open.extend(outer.into_iter().flat_map(|index| [index.start, index.stop]));
            }
        }
        let own: Vec<Symbol> = self.indices.iter().map(|index| Symbol::Value(index.value)).collect();
        all.retain(|symbol| !own.contains(symbol));
        let is_there = |symbol: &Symbol| match symbol {
            Symbol::Value(value) => !self.inside.contains(value),
            Symbol::Length(array, _) => !self.inside.contains(array),
            _ => false,
        };
        all.iter().all(is_there).then_some(all)
    }
}

/// The index of a `for` by one, up or down.
fn index(func: &Function, op: Op) -> Option<Index> {
    let data = &func.ops[op];
    if data.kind != OpKind::For {
        return None;
    }
    let up = match func.as_int(data.args[2])? {
        1 => true,
        -1 => false,
        _ => return None,
    };
    let value = func.blocks[data.regions[0]].params[0];
    Some(Index { value, start: data.args[0], stop: data.args[1], up })
}

/// Whether a sum of small numbers does not overflow.
fn is_plain(sum: &Poly) -> bool {
    let small = |number: i64| number.abs() <= FEW;
    sum.degree() <= 1
        && i64::try_from(sum.offset()).is_ok_and(small)
        && sum.terms().all(|(_, factor)| small(factor))
        && sum.terms().count() <= 16
}

/// Writes loops twice whose slices are as expected if tests before them hold.
pub(super) fn specialize(func: &mut Function) {
    let mut done: BTreeSet<Op> = BTreeSet::new();
    for looped in func.hot_ops() {
        if func.ops[looped].kind != OpKind::For || done.contains(&looped) || func.all_ops().len() > MOST {
            continue;
        }
        let scope = LoopScope::new(func, looped);
        if scope.ops.len() > LONGEST || !scope.ops.iter().any(|&op| func.ops[op].kind == OpKind::RawView) {
            continue;
        }
        let mut expected = Expected::in_loop(func, &scope);
        let few = (1..=TESTS).contains(&expected.corners.len());
        let Some(symbols) = few.then(|| scope.symbols(&mut expected)).flatten() else { continue };
        let corners = std::mem::take(&mut expected.corners);
        let found = Found::of(expected);
        done.extend(scope.ops.iter().copied());
        write(func, looped, found, &corners, &symbols);
    }
}

fn write(func: &mut Function, looped: Op, found: Found, corners: &[Poly], symbols: &BTreeSet<Symbol>) {
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    let loc = func.ops[looped].loc;
    let types: Vec<Type> = func.ops[looped].results.iter().map(|&result| func.ty(result)).collect();

    // As before.
    let otherwise = func.new_block();
    let mut cloner = Cloner::default();
    let copy = cloner.op(func, None, looped);
    func.blocks[otherwise].ops.push(copy);
    let results = func.ops[copy].results.clone();
    Builder { func: &mut *func, block: otherwise, loc }.effect(OpKind::Yield, results);

    let tests = func.new_block();
    let holds = Builder { func: &mut *func, block: tests, loc }.bool(true);
    found.apply(func, holds, (tests, loc));
    let usual = func.new_block();
    func.blocks[usual].ops.push(looped);
    let results = func.ops[looped].results.clone();
    Builder { func: &mut *func, block: usual, loc }.effect(OpKind::Yield, results.clone());

    let mut b = Builder { func: &mut *func, block: tests, loc };
    let mut all: Option<Value> = None;
    let mut and = |b: &mut Builder<'_>, test: Value| {
        all = Some(all.map_or(test, |all| b.elem(ElemOp::And, &[all, test])));
    };
    let (small, none) = (b.int(SMALL), b.int(0));
    let negative = b.int(-SMALL);
    for &symbol in symbols {
        let value = number(&mut b, symbol);
        let (above, below) = (b.elem(ElemOp::Le, &[negative, value]), b.elem(ElemOp::Le, &[value, small]));
        if matches!(symbol, Symbol::Value(_)) {
            and(&mut b, above);
        }
        and(&mut b, below);
    }
    for corner in corners {
        let mut sum = b.int(i64::try_from(corner.offset()).expect("it is small"));
        for (product, factor) in corner.terms() {
            let symbol = product.symbols().next().expect("a term has one");
            let (value, factor) = (number(&mut b, symbol), b.int(factor));
            let term = b.mul(value, factor);
            sum = b.add(sum, term);
        }
        let holds = b.elem(ElemOp::Le, &[none, sum]);
        and(&mut b, holds);
    }
    let condition = all.expect("there is a test");
    let choice = b.op(OpKind::If, vec![condition], &types, vec![usual, otherwise]);
    let made = std::mem::take(&mut func.blocks[tests].ops);
    func.blocks[home].ops.splice(at..=at, made);
    let new = func.ops[choice].results.clone();
    for (&old, &new) in results.iter().zip(&new) {
        replace_outside(func, (old, new), usual);
    }
}

/// Puts a value in another one's place but for the end of a block.
fn replace_outside(func: &mut Function, (old, new): (Value, Value), block: Block) {
    let end = *func.blocks[block].ops.last().expect("blocks have ends");
    let kept = func.ops[end].args.clone();
    let mut replacements = Replacements::default();
    replacements.replace(old, new);
    replacements.apply(func);
    func.ops[end].args = kept;
}

fn number(b: &mut Builder<'_>, symbol: Symbol) -> Value {
    match symbol {
        Symbol::Value(value) => value,
        Symbol::Length(array, axis) => b.dim(array, axis),
        _ => unreachable!("it is there before the loop"),
    }
}
