//! Counts negative indices from the end out of the way of those that are not.
//!
//! ```text
//! %w = select (lt %i, 0), (add %i, %n), %i          %w = if (lt %i, %n as unsigned) { yield %i } else {
//! check (lt %w, %n as unsigned), IndexError "…" ⇒       %e = add %i, %n
//!                                                       check (lt %e, %n as unsigned), IndexError "…"
//!                                                       yield %e
//!                                                   }
//! ```
//!
//! An index that is data is seldom negative, and then one comparison is all that stands before the access. An index
//! past the end fails in the other branch: as an unsigned number, the sum is not below the length either.
//!
//! It looks at checks in loops only, and leaves the versions for any arguments as small as they are.

use pydd_ir::rewrite::{Layout, Replacements, Uses, erase_ops, position};
use pydd_ir::{Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};
use std::collections::BTreeSet;

use super::fast_functions;
use crate::analysis::patterns::{unsigned_comparison, wrapped_index};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "split-index",
    summary: "count negative indices from the end out of line",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    fast_functions(module).for_each(split);
    Ok(())
}

/// A check of an index that may count from the end.
struct Wrapped {
    check: Op,
    select: Op,
    /// It, and what the check's condition is made of.
    erased: BTreeSet<Op>,
    index: Value,
    length: Value,
}

/// What is looked up of a function.
struct Context<'f> {
    func: &'f Function,
    layout: Layout,
    uses: Uses,
    /// Lengths of arrays, which are not negative.
    lengths: BTreeSet<Value>,
}

impl<'f> Context<'f> {
    fn new(func: &'f Function) -> Self {
        let mut lengths = BTreeSet::new();
        for op in func.all_ops() {
            let data = &func.ops[op];
            match data.kind {
                OpKind::Dim(_) => lengths.extend(&data.results),
                OpKind::Empty | OpKind::Zeros => lengths.extend(&data.args),
                _ => {}
            }
        }
        Self { func, layout: Layout::new(func), uses: Uses::new(func), lengths }
    }

    fn wrapped(&self, check: Op) -> Option<Wrapped> {
        let data = &self.func.ops[check];
        let in_loop = || self.layout.ancestors(check).any(|around| self.func.ops[around].kind.is_loop());
        if !matches!(data.kind, OpKind::Check { .. }) || !in_loop() {
            return None;
        }
        let [position, length] = unsigned_comparison(self.func, data.args[0])?;
        let index = wrapped_index(self.func, position, &|added| added == length)?;
        let select = self.func.def_op(position)?;
        let erased = self.chain(check, select)?;
        self.lengths.contains(&length).then_some(Wrapped { check, select, erased, index, length })
    }

    /// The operations that the check's condition alone is made of, where all other uses of the position stand
    /// behind the check.
    fn chain(&self, check: Op, select: Op) -> Option<BTreeSet<Op>> {
        let (func, uses) = (self.func, &self.uses);
        let condition = func.def_op(func.ops[check].args[0])?;
        let cast = func.def_op(func.ops[condition].args[0])?;
        let only_for = |value: Value, user: Op| uses.single(value).is_some_and(|only| only.op == user);
        let alone = only_for(func.result(condition), check) && only_for(func.result(cast), condition);
        let mut others = uses.of(func.result(select)).iter().filter(|other| other.op != cast);
        let behind = others.all(|other| self.layout.op_dominates(check, other.op));
        (alone && behind).then(|| BTreeSet::from([condition, cast, select]))
    }
}

fn split(func: &mut Function) {
    let cx = Context::new(func);
    let found: Vec<Wrapped> = func.hot_ops().into_iter().filter_map(|op| cx.wrapped(op)).collect();
    let mut replacements = Replacements::default();
    for wrapped in &found {
        split_one(func, wrapped, &mut replacements);
    }
    replacements.apply(func);
    erase_ops(func, &found.into_iter().flat_map(|wrapped| wrapped.erased).collect());
}

fn split_one(func: &mut Function, wrapped: &Wrapped, replacements: &mut Replacements) {
    let &Wrapped { check, select, index, length, .. } = wrapped;
    let (block, at) = position(func, check).expect("the check stands in a block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[check].loc;
    let below = |b: &mut Builder<'_>, position: Value| {
        let (position, length) = (b.cast(position, DType::U64), b.cast(length, DType::U64));
        b.elem(ElemOp::Lt, &[position, length])
    };
    let inside = below(&mut b, index);
    let then = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![index]);
    });
    let otherwise = b.region(&[], |b, _| {
        let from_end = b.add(index, length);
        let holds = below(b, from_end);
        // The check itself moves here, with its message and its place.
        b.func.ops[check].args[0] = holds;
        b.func.blocks[b.block].ops.push(check);
        b.effect(OpKind::Yield, vec![from_end]);
    });
    let choice = b.op(OpKind::If, vec![inside], &[Type::I64], vec![then, otherwise]);
    let position = func.result(choice);
    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    replacements.replace(func.result(select), position);
}
