//! Does rows with the blocks of rows that a product goes over next.
//!
//! ```text
//! for %i in 0, %n { %t[%i] = sum of %a[%i, :] * %x[:] }       for %k in 0, %m, 8 {
//! for %k in 0, %m, 8 { %y[:] += %a[%k, :] * %t[%k] + … }          for %i in %k, %k + 8 { %t[%i] = … }
//! for %k in %m, %n { %y[:] += %a[%k, :] * %t[%k] }        ⇒       %y[:] += %a[%k, :] * %t[%k] + …
//!                                                             }
//!                                                             for %i in %m, %n { %t[%i] = … }
//!                                                             for %k in %m, %n { %y[:] += … }
//! ```
//!
//! That is `A.T @ (A @ x - b)`, the gradient of least squares, and what is like it: the rows of the matrix are still near when they are used once more. `%m` is how many rows whole blocks
//! have. Loops between that compute elements of what goes into the product (`A.T @ f(A @ x)`) go in blocks as well; others that read it (`r @ r`) come behind. Operations keep their order, but for those of
//! different rows, of which no loop touches what another one does.
//!
//! It leaves alone: loops that raise, loops that read or write other rows of what is passed on, loops that read nothing of the same matrix, and what threads or a device are to share.

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Value};

use super::fast_functions;
use super::fuse_loops::uses_results;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::moved;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "join-rows",
    summary: "do rows with the blocks of rows that a product goes over next",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Operations that are looked at before a product.
const FURTHEST: usize = 60;
/// Loops of a function that are made.
const MOST: usize = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !cx.options.makes_parallel(func)) {
        for _ in 0..MOST {
            let memory = MemoryInfo::new(func, &summaries);
            let finder = Finder { func, memory, layout: Layout::new(func) };
            match finder.find() {
                Some(Change::Join(join)) => join.apply(func),
                Some(Change::Lift { block, before, ops }) => lift(func, block, before, &ops),
                None => break,
            }
        }
    }
    Ok(())
}

enum Change {
    Join(Join),
    /// Loops over rows that stand behind come before, with what they need.
    Lift {
        block: Block,
        before: Op,
        ops: Vec<Op>,
    },
}

/// A loop over blocks of rows, those over rows that go along, in their order, and what comes behind both.
struct Join {
    block: Block,
    blocks: Op,
    rows: Vec<Op>,
    behind: Vec<Op>,
}

struct Finder<'a> {
    func: &'a Function,
    memory: MemoryInfo,
    layout: Layout,
}

/// A loop, and how many rows an iteration of it has.
type Rows = (Op, i64);

impl Finder<'_> {
    fn find(&self) -> Option<Change> {
        let mut work = vec![self.func.entry];
        while let Some(block) = work.pop() {
            let ops = &self.func.blocks[block].ops;
            for (at, &op) in ops.iter().enumerate() {
                work.extend(&self.func.ops[op].regions);
                let before = &ops[at.saturating_sub(FURTHEST)..at];
                if let Some((rows, behind)) = self.rows_before(before, op) {
                    return Some(Change::Join(Join { block, blocks: op, rows, behind }));
                }
                if let Some(ops) = self.rows_behind(&ops[at + 1..], op) {
                    return Some(Change::Lift { block, before: op, ops });
                }
            }
        }
        None
    }

    /// The loops among these that can go along with one over blocks, and what then has to come behind it.
    fn rows_before(&self, before: &[Op], blocks: Op) -> Option<(Vec<Op>, Vec<Op>)> {
        let step = self.func.as_int(*self.func.ops[blocks].args.get(2)?)?;
        if !(2..=16).contains(&step) || !self.is_plain(blocks) {
            return None;
        }
        let (mut rows, mut stays, mut behind): (Vec<Op>, Vec<Op>, Vec<Op>) = Default::default();
        let mut shares_rows = false;
        let matrices = self.matrices((blocks, step));
        for &op in before.iter().rev() {
            let reads_rows = || self.matrices((op, 1)).iter().any(|one| matrices.contains(one));
            let is_used = || {
                let writes = &self.memory.effects(op).writes;
                rows.iter().chain([&blocks]).any(|&later| self.memory.effects(later).reads.intersects(writes))
            };
            let mut further = behind.clone();
            let mut gives_way = |other: &Op| {
                // A check may come before what does not rely on it.
                let [own, others] = [op, *other].map(|op| self.memory.effects(op));
                if further.contains(other) || self.memory.may_hoist(own, others) || self.may_swap(op, *other)
                {
                    return true;
                }
                let loops = [rows.as_slice(), &[blocks]].concat();
                let waiting = self.waiting(*other, &stays, &further, &loops);
                further.extend(waiting.iter().flatten());
                waiting.is_some()
            };
            let goes_along = self.is_over_rows(op, (blocks, step))
                && (is_used() || reads_rows())
                && stays.iter().all(&mut gives_way)
                && self.is_apart((op, 1), (blocks, step), true)
                && rows.iter().all(|&later| self.is_apart((op, 1), (later, 1), true));
            if goes_along {
                shares_rows |= reads_rows();
                rows.push(op);
                behind = further;
            } else {
                stays.push(op);
            }
        }
        rows.reverse();
        behind.sort_by_key(|op| before.iter().position(|other| other == op));
        shares_rows.then_some((rows, behind))
    }

    /// A loop over the same rows that stands behind one over blocks and does not need it, and what that needs.
    fn rows_behind(&self, ops: &[Op], blocks: Op) -> Option<Vec<Op>> {
        let step = self.func.as_int(*self.func.ops[blocks].args.get(2)?)?;
        if !(2..=16).contains(&step) || !self.is_plain(blocks) {
            return None;
        }
        let (mut lifted, mut stuck) = (Vec::new(), vec![blocks]);
        let matrices = self.matrices((blocks, step));
        for &op in &ops[..ops.len().min(FURTHEST)] {
            let is_free = stuck.iter().all(|&other| !uses_results(self.func, op, other));
            if is_free
                && self.is_over_rows(op, (blocks, step))
                && self.matrices((op, 1)).iter().any(|one| matrices.contains(one))
                && stuck.iter().all(|&other| self.may_swap(other, op))
            {
                lifted.push(op);
                return Some(lifted);
            }
            let passes = |&other: &Op| {
                let [own, others] = [op, other].map(|op| self.memory.effects(op));
                self.memory.may_hoist(others, own)
            };
            if is_free && stuck.iter().all(passes) { lifted.push(op) } else { stuck.push(op) }
        }
        None
    }

    /// A loop that may come behind others and what stands between, with the arithmetic on what it gives. Of what stands between, the last operation first, `behind` comes there as well.
    fn waiting(&self, op: Op, between: &[Op], behind: &[Op], loops: &[Op]) -> Option<Vec<Op>> {
        if self.func.ops[op].kind != OpKind::For {
            return None;
        }
        let mut waiting = vec![op];
        let at = between.iter().position(|&other| other == op)?;
        for &other in between[..at].iter().rev().filter(|other| !behind.contains(other)) {
            if waiting.iter().any(|&one| uses_results(self.func, other, one)) {
                if !matches!(self.func.ops[other].kind, OpKind::Elem(_) | OpKind::Cast) {
                    return None;
                }
                waiting.push(other);
            } else if !waiting.iter().all(|&one| self.may_swap(one, other)) {
                return None;
            }
        }
        let passes = |&other: &Op| {
            waiting.iter().all(|&one| !uses_results(self.func, other, one) && self.may_swap(one, other))
        };
        (loops.iter().all(passes)).then_some(waiting)
    }

    fn may_swap(&self, one: Op, two: Op) -> bool {
        self.memory.may_swap(one, two)
            || [one, two].iter().all(|&op| self.is_plain(op)) && self.is_apart((one, 1), (two, 1), false)
    }

    /// Whether an operation is a loop that does nothing but compute elements of memory.
    fn is_plain(&self, op: Op) -> bool {
        let (data, effects) = (&self.func.ops[op], self.memory.effects(op));
        data.kind == OpKind::For
            && data.results.is_empty()
            && !(effects.leaves || effects.diverges || effects.io || effects.owns)
            && !(effects.allocates || effects.raises)
            && runs_to_its_end(self.func, data.regions[0])
    }

    /// Whether a loop goes over all rows of which another one has the whole blocks.
    fn is_over_rows(&self, op: Op, (blocks, step): Rows) -> bool {
        let func = self.func;
        if !self.is_plain(op) || func.as_int(func.ops[op].args[2]) != Some(1) {
            return false;
        }
        let ([start, end], [first, mid]) = (range(func, op), range(func, blocks));
        if func.as_int(start) != Some(0) || func.as_int(first) != Some(0) {
            return false;
        }
        if let (Some(end), Some(mid)) = (func.as_int(end), func.as_int(mid)) {
            return end >= 0 && mid == end / step * step;
        }
        let made = |value: Value, elem: ElemOp| {
            let data = func.def_op(value).map(|op| &func.ops[op]);
            data.filter(|data| data.kind == OpKind::Elem(elem)).map(|data| [data.args[0], data.args[1]])
        };
        made(mid, ElemOp::Mul).is_some_and(|[count, size]| {
            func.as_int(size) == Some(step)
                && made(count, ElemOp::FloorDiv)
                    .is_some_and(|[all, by]| all == end && func.as_int(by) == Some(step))
        })
    }

    /// Whether no loop touches what another one writes, or where rows may be shared, only in rows that are own ones of both.
    fn is_apart(&self, one: Rows, two: Rows, may_share: bool) -> bool {
        let (Some(first), Some(second)) = (self.accesses(one.0), self.accesses(two.0)) else { return false };
        // The axes along which accesses of an array that is shared stand in own rows.
        let mut axes: BTreeMap<Value, Vec<usize>> = BTreeMap::new();
        for a in &first {
            for b in &second {
                if !(a.writes || b.writes) || self.are_different(a.array, b.array) {
                    continue;
                }
                if !may_share || a.array != b.array {
                    return false;
                }
                for (access, of) in [(a, one), (b, two)] {
                    let is_own = |&axis: &usize| self.is_own(access.indices[axis], of);
                    let own: Vec<usize> = (0..access.indices.len()).filter(is_own).collect();
                    let known = axes.entry(a.array).or_insert_with(|| own.clone());
                    known.retain(|axis| own.contains(axis));
                }
            }
        }
        axes.values().all(|axes| !axes.is_empty())
    }

    /// Whether two arrays certainly have no memory in common: by their classes, or since one was made when the other one was there.
    fn are_different(&self, a: Value, b: Value) -> bool {
        let is_newer = |one: Value, other: Value| {
            let made = self.func.def_op(one);
            made.is_some_and(|op| {
                matches!(self.func.ops[op].kind, OpKind::Empty | OpKind::Zeros)
                    && self.layout.dominates(self.func, other, op)
            })
        };
        !self.memory.may_alias(a, b) || a != b && (is_newer(a, b) || is_newer(b, a))
    }

    /// What a loop accesses; nothing where that is not elements alone.
    fn accesses(&self, op: Op) -> Option<Vec<Access>> {
        let mut found = Some(Vec::new());
        self.func.walk(self.func.ops[op].regions[0], &mut |inner| {
            let data = &self.func.ops[inner];
            let effects = self.memory.effects(inner);
            if !data.regions.is_empty() || effects.reads.is_empty() && effects.writes.is_empty() {
                return;
            }
            let (first, writes) = match data.kind {
                OpKind::LoadRaw => (1, false),
                OpKind::StoreRaw => (2, true),
                _ => {
                    found = None;
                    return;
                }
            };
            let access = Access { array: data.args[0], indices: data.args[first..].to_vec(), writes };
            found.iter_mut().for_each(|found| found.push(access.clone()));
        });
        found
    }

    /// Whether an index is a row of an iteration's: its own, or one of its block.
    fn is_own(&self, index: Value, (op, step): Rows) -> bool {
        let (base, ahead) = moved(self.func, index);
        base == self.func.blocks[self.func.ops[op].regions[0]].params[0] && (0..step).contains(&ahead)
    }

    /// The arrays of which a loop reads own rows.
    fn matrices(&self, of: Rows) -> Vec<Value> {
        let func = self.func;
        let mut found = Vec::new();
        if func.ops[of.0].kind == OpKind::For {
            func.walk(func.ops[of.0].regions[0], &mut |inner| {
                let data = &func.ops[inner];
                let is_matrix = data.kind == OpKind::LoadRaw && data.args.len() > 2;
                if is_matrix && data.args[1..].iter().any(|&index| self.is_own(index, of)) {
                    found.push(data.args[0]);
                }
            });
        }
        found
    }
}

/// An access to an element.
#[derive(Clone)]
struct Access {
    array: Value,
    indices: Vec<Value>,
    writes: bool,
}

fn range(func: &Function, op: Op) -> [Value; 2] {
    [func.ops[op].args[0], func.ops[op].args[1]]
}

fn lift(func: &mut Function, block: Block, before: Op, ops: &[Op]) {
    let all = &mut func.blocks[block].ops;
    all.retain(|op| !ops.contains(op));
    let at = all.iter().position(|&op| op == before).expect("it stands there");
    all.splice(at..at, ops.iter().copied());
}

impl Join {
    fn apply(&self, func: &mut Function) {
        let [_, mid] = range(func, self.blocks);
        let step = func.ops[self.blocks].args[2];
        let body = func.ops[self.blocks].regions[0];
        let index = func.blocks[body].params[0];
        let old = std::mem::take(&mut func.blocks[body].ops);
        let mut b = Builder::new(func, body);
        let (end, one) = (b.add(index, step), b.int(1));
        for &op in &self.rows {
            let copy = Cloner::default().op(func, None, op);
            func.ops[copy].args[..3].copy_from_slice(&[index, end, one]);
            func.blocks[body].ops.push(copy);
        }
        func.blocks[body].ops.extend(old);
        // Rows that no block has.
        let ops = &mut func.blocks[self.block].ops;
        let moved = [self.rows.as_slice(), &self.behind].concat();
        ops.retain(|op| !moved.contains(op));
        let behind = ops.iter().position(|&op| op == self.blocks).expect("it stands there") + 1;
        ops.splice(behind..behind, moved);
        self.rows.iter().for_each(|&op| func.ops[op].args[0] = mid);
    }
}
