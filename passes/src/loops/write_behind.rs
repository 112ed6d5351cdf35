//! Writes rows of an array behind the loop that reads them, where a whole array was made first and copied then.
//!
//! ```text
//! %t = empty %n, %m                                   %t = empty 2, %m
//! for %i in 0, %n { … store %t[%i, :]                 for %i in 0, %n + 1 {
//!                   of %u[%i :: %i + 2, :] }     ⇒        if %i < %n { … store %t[%i % 2, :] of %u[%i :: %i + 2, :] }
//! for %i in 0, %n { %u[%i + 1, :] = %t[%i, :] }           if %i >= 1 { %u[%i, :] = %t[(%i - 1) % 2, :] }
//!                                                     }
//! ```
//!
//! `u[1:-1] = …` with neighbours on the right side is so, as are schemes that look into one direction. A row is written as soon as no
//! later iteration reads what was there. The rows between lie in a ring; of arrays of one axis they are numbers, which the loop carries.
//!
//! Iterations that had no order have one then, so nothing is done where loops become parallel by themselves.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Uses, inline_block};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{counts_up, moved, raw_element};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "write-behind",
    summary: "write rows behind the loop that reads them",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// By how many iterations a row is written later, at most.
const FURTHEST: i64 = 2;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !cx.options.makes_parallel(func)) {
        while let Some(found) = find(func, &summaries) {
            found.rewrite(func);
        }
    }
    Ok(())
}

/// A loop that fills an array, and one that copies it.
struct Behind {
    block: Block,
    fill: Op,
    write: Op,
    made: Op,
    /// By how many iterations the second follows the first.
    lag: i64,
}

fn find(func: &Function, summaries: &Summaries) -> Option<Behind> {
    let layout = Layout::new(func);
    let is_number = |op: Op| {
        let kind = &func.ops[op].kind;
        matches!(kind, OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_))
    };
    let neighbours = func.hot_ops().into_iter().filter(|&op| counts_up(func, op)).filter_map(|fill| {
        let (block, at) = (layout.block_of(fill)?, layout.index_of(fill)?);
        let write = func.blocks[block].ops[at + 1..].iter().copied().find(|&op| !is_number(op))?;
        counts_up(func, write).then_some((block, [fill, write]))
    });
    let neighbours: Vec<_> = neighbours.collect();
    if neighbours.is_empty() {
        return None;
    }
    let (memory, uses) = (MemoryInfo::new(func, summaries), Uses::new(func));
    neighbours.into_iter().find_map(|(block, loops)| behind(func, &memory, &uses, block, loops))
}

fn behind(
    func: &Function,
    memory: &MemoryInfo,
    uses: &Uses,
    block: Block,
    [fill, write]: [Op; 2],
) -> Option<Behind> {
    let plain = |op: Op| {
        let (data, effects) = (&func.ops[op], memory.effects(op));
        data.results.is_empty()
            && !(effects.may_exit() || effects.io || effects.owns || effects.allocates)
            && runs_to_its_end(func, data.regions[0])
    };
    let same = |at: usize| {
        let (a, b) = (func.ops[fill].args[at], func.ops[write].args[at]);
        a == b || func.as_int(a).is_some() && func.as_int(a) == func.as_int(b)
    };
    if !(plain(fill) && plain(write) && same(0) && same(1)) {
        return None;
    }
    let first = accesses(func, fill)?;
    let second = accesses(func, write)?;
    // One array is filled, of the block's own, and nobody else uses it.
    let (temporary, target) = (the_stored(func, &first)?, the_stored(func, &second)?);
    let made = func.def_op(temporary)?;
    let is_own = func.ops[made].kind == OpKind::Empty && func.blocks[block].ops.contains(&made);
    let all: BTreeSet<Op> = first.iter().chain(&second).copied().collect();
    let only_here = uses.of(temporary).iter().all(|used| all.contains(&used.op));
    let index = |op: Op| func.blocks[func.ops[op].regions[0]].params[0];
    let row = |op: Op, index: Value| {
        let (base, more) = moved(func, element(func, op).1?);
        (base == index).then_some(more)
    };
    let of = |op: Op, array: Value| element(func, op).0 == array;
    let own_rows =
        first.iter().all(|&op| !of(op, temporary) || is_store(func, op) && row(op, index(fill)) == Some(0))
            && second
                .iter()
                .all(|&op| !of(op, temporary) || !is_store(func, op) && row(op, index(write)) == Some(0));
    let mut stored = second.iter().filter(|&&op| is_store(func, op)).map(|&op| row(op, index(write)));
    let to = stored.next()??;
    let in_one_row = stored.all(|row| row == Some(to));
    // The second loop reads nothing that is written but the temporary.
    let reads_no_target =
        second.iter().all(|&op| is_store(func, op) || !memory.may_alias(element(func, op).0, target));
    let mut lag = 0;
    for &op in first.iter().filter(|&&op| memory.may_alias(element(func, op).0, target)) {
        if !of(op, target) {
            return None;
        }
        lag = lag.max(to.checked_sub(row(op, index(fill))?)?);
    }
    let apart = !memory.may_alias(temporary, target);
    let fits = is_own && only_here && own_rows && in_one_row && reads_no_target && apart && lag <= FURTHEST;
    let is_row = func.ty(temporary).rank() > 1;
    let is_number = || {
        let once = |ops: &[Op]| ops.iter().filter(|&&op| of(op, temporary)).count() == 1;
        lag <= 1
            && once(&first)
            && func.blocks[func.ops[fill].regions[0]].ops.iter().any(|&op| is_store(func, op))
    };
    (fits && (is_row || is_number())).then_some(Behind { block, fill, write, made, lag })
}

/// All loads and stores within a loop, where nothing else touches memory.
pub(super) fn accesses(func: &Function, looped: Op) -> Option<Vec<Op>> {
    let (mut found, mut plain) = (Vec::new(), true);
    func.walk(func.ops[looped].regions[0], &mut |op| match func.ops[op].kind {
        OpKind::LoadRaw | OpKind::StoreRaw => found.push(op),
        OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_) => {}
        OpKind::For | OpKind::If | OpKind::Yield | OpKind::Continue(0) => {}
        _ => plain = false,
    });
    plain.then_some(found)
}

fn is_store(func: &Function, op: Op) -> bool {
    func.ops[op].kind == OpKind::StoreRaw
}

/// The array of a load or store and its first index, if it has an axis.
fn element(func: &Function, op: Op) -> (Value, Option<Value>) {
    let element = raw_element(func, op).expect("a load or store");
    (element[0], element.get(1).copied())
}

/// The one array that is stored into.
fn the_stored(func: &Function, accesses: &[Op]) -> Option<Value> {
    let mut stored = accesses.iter().filter(|&&op| is_store(func, op)).map(|&op| func.ops[op].args[0]);
    let first = stored.next()?;
    (stored.all(|array| array == first) && func.ty(first).rank() > 0).then_some(first)
}

impl Behind {
    fn rewrite(&self, func: &mut Function) {
        // What stands between them are numbers, which come first.
        let ops = &mut func.blocks[self.block].ops;
        ops.retain(|&op| op != self.fill);
        let at = ops.iter().position(|&op| op == self.write).expect("it follows");
        ops.insert(at, self.fill);
        if func.ty(func.result(self.made)).rank() > 1 {
            self.in_rows(func);
        } else {
            self.in_numbers(func);
        }
    }

    /// One loop, with a ring of rows.
    fn in_rows(&self, func: &mut Function) {
        let (fill, write) = (func.ops[self.fill].clone(), func.ops[self.write].clone());
        let temporary = func.result(self.made);
        let made = func.ops[self.made].clone();
        let scratch = func.new_block();
        let mut b = Builder::new(func, scratch);
        b.loc = fill.loc;
        let (count, lag) = (b.int(self.lag + 1), b.int(self.lag));
        let lengths = [&[count], &made.args[1..]].concat();
        let ring = b.value(OpKind::Empty, lengths, b.func.ty(temporary));
        let [start, stop, step] = [fill.args[0], fill.args[1], fill.args[2]];
        let lagged = self.lag > 0;
        let end = if lagged { b.add(stop, lag) } else { stop };
        b.for_loop([start, end, step], &[], |b, index, _| {
            let reads = |b: &mut Builder<'_>| {
                let row = place(b, index, start, count);
                in_ring(b, fill.regions[0], index, temporary, (ring, row));
            };
            let writes = |b: &mut Builder<'_>| {
                let behind = if lagged { b.sub(index, lag) } else { index };
                let row = place(b, behind, start, count);
                in_ring(b, write.regions[0], behind, temporary, (ring, row));
            };
            if lagged {
                let more = b.elem(ElemOp::Lt, &[index, stop]);
                when(b, more, reads);
                let behind = b.sub(index, lag);
                let some = b.elem(ElemOp::Ge, &[behind, start]);
                when(b, some, writes);
            } else {
                reads(b);
                writes(b);
            }
            vec![]
        });
        self.replace(func, scratch);
    }

    /// One loop that carries what is to be written.
    fn in_numbers(&self, func: &mut Function) {
        let (fill, write) = (func.ops[self.fill].clone(), func.ops[self.write].clone());
        let temporary = func.result(self.made);
        let [start, stop, step] = [fill.args[0], fill.args[1], fill.args[2]];
        let (filling, writing) = (fill.regions[0], write.regions[0]);
        let scratch = func.new_block();
        let mut b = Builder::new(func, scratch);
        b.loc = fill.loc;
        if self.lag == 0 {
            b.for_loop([start, stop, step], &[], |b, index, _| {
                let value = compute(b, filling, index, temporary);
                write_number(b, writing, index, temporary, value);
                vec![]
            });
        } else {
            let some = b.elem(ElemOp::Lt, &[start, stop]);
            when(&mut b, some, |b| {
                let first = compute(b, filling, start, temporary);
                let one = b.int(1);
                let second = b.add(start, one);
                let last = b.for_loop([second, stop, step], &[first], |b, index, before| {
                    let value = compute(b, filling, index, temporary);
                    let behind = b.sub(index, one);
                    write_number(b, writing, behind, temporary, before[0]);
                    vec![value]
                });
                let behind = b.sub(stop, one);
                write_number(b, writing, behind, temporary, last[0]);
            });
        }
        self.replace(func, scratch);
    }

    /// Puts the operations of a block in the place of both loops and of what they share.
    fn replace(&self, func: &mut Function, by: Block) {
        let new = std::mem::take(&mut func.blocks[by].ops);
        let ops = &mut func.blocks[self.block].ops;
        let at = ops.iter().position(|&op| op == self.fill).expect("it stands there");
        ops.splice(at..=at, new);
        ops.retain(|&op| op != self.write && op != self.made);
    }
}

/// Where in the ring the row of an iteration lies.
fn place(b: &mut Builder<'_>, index: Value, start: Value, count: Value) -> Value {
    let from_start = b.sub(index, start);
    b.elem(ElemOp::Mod, &[from_start, count])
}

fn when(b: &mut Builder<'_>, condition: Value, build: impl FnOnce(&mut Builder<'_>)) {
    let then = b.region(&[], |b, _| {
        build(b);
        b.effect(OpKind::Yield, vec![]);
    });
    let otherwise = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![]);
    });
    b.op(OpKind::If, vec![condition], &[], vec![then, otherwise]);
}

/// Copies a body for an index, without its end. Gives the loads and stores of an array in the copy, with their blocks.
fn copied(b: &mut Builder<'_>, body: Block, index: Value, array: Value) -> Vec<(Block, Op)> {
    let first = b.func.blocks[b.block].ops.len();
    inline_block(b.func, body, &[index], b.block);
    let mut open = vec![(b.block, first)];
    let mut found = Vec::new();
    while let Some((block, first)) = open.pop() {
        for &op in &b.func.blocks[block].ops[first..] {
            let data = &b.func.ops[op];
            open.extend(data.regions.iter().map(|&region| (region, 0)));
            let is_access = matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw);
            found.extend((is_access && data.args[0] == array).then_some((block, op)));
        }
    }
    found
}

/// Copies a body that keeps a row of `array` in a row of the ring.
fn in_ring(b: &mut Builder<'_>, body: Block, index: Value, array: Value, (ring, row): (Value, Value)) {
    for (_, op) in copied(b, body, index, array) {
        let first = if is_store(b.func, op) { 2 } else { 1 };
        let args = &mut b.func.ops[op].args;
        args[0] = ring;
        args[first] = row;
    }
}

/// Copies a body that stores one number in `array`; gives the number.
fn compute(b: &mut Builder<'_>, body: Block, index: Value, array: Value) -> Value {
    let stored = copied(b, body, index, array);
    let &[(block, store)] = stored.as_slice() else { unreachable!("one number is stored") };
    b.func.blocks[block].ops.retain(|&op| op != store);
    b.func.ops[store].args[1]
}

/// Copies a body that loads a number of `array`.
fn write_number(b: &mut Builder<'_>, body: Block, index: Value, array: Value, value: Value) {
    let mut map = Replacements::default();
    for (block, load) in copied(b, body, index, array) {
        map.replace(b.func.result(load), value);
        b.func.blocks[block].ops.retain(|&op| op != load);
    }
    map.apply(b.func);
}
