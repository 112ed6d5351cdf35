//! Loops within an iteration whose steps several threads share, each with sums of its own, so that neighbouring threads read neighbouring elements: rows of a sparse
//! matrix, of a product with a vector, the parts of a sum.
//!
//! The other operations of the iteration are done by each of these threads, with the same operands. So nothing that the loop writes may be read in it, and all that takes long
//! in an iteration is such loops.

use super::environment;
use crate::CodegenOptions;
use crate::sums;
use crate::words;
use pydd_abi::device::{DeviceLanes, LANES_ONE, LANES_PART, LANES_SHARE, LANES_STEPS};
use pydd_ir::alias::{ClassSet, MemoryInfo};
use pydd_ir::{Block, DType, ElemOp, Function, Op, OpKind, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// The loops, each with what combines the values that it carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shared {
    pub loops: BTreeMap<Op, Vec<ElemOp>>,
    /// How many steps they have.
    pub steps: DeviceLanes,
    /// Those at which an iteration may be left for a whole block, if it has many steps and others have few: nothing is written before.
    pub leaving: BTreeSet<Op>,
}

/// Values at most that threads of a block exchange at once, in words.
pub const MOST_EXCHANGED: usize = 16;

/// What a loop has whose iterations are for one thread each.
pub const NONE: DeviceLanes = DeviceLanes { kind: LANES_ONE, word: 0, count: 0 };

/// The loops of a region with a kernel.
#[must_use]
pub fn shared(func: &Function, memory: &MemoryInfo, options: &CodegenOptions) -> Option<Shared> {
    let ops = func.all_ops();
    let is_call = |&op: &Op| matches!(func.ops[op].kind, OpKind::Call(_) | OpKind::Launch(_));
    if ops.iter().any(is_call) || reads_what_it_writes(func, memory) {
        return None;
    }
    let own = func.blocks[func.entry].ops.iter().copied().find(|&op| func.ops[op].kind.is_loop())?;
    let innermost = ops.iter().copied().filter(|&op| is_innermost(func, op));
    let mut loops = BTreeMap::new();
    let mut steps = None;
    for op in innermost {
        if op == own && func.results.is_empty() {
            // Nothing takes long.
            return None;
        }
        let combined = combined(func, memory, op, options)?;
        let places = Places { func, own, looped: op };
        if !places.is_worth() {
            return None;
        }
        steps = steps.or_else(|| Some(places.steps()));
        loops.insert(op, combined);
    }
    let steps = steps?;
    let words = |op: &Op| words::total(func.ops[*op].results.iter().map(|&result| func.ty(result)));
    let mut leaving = BTreeSet::new();
    if steps.kind == LANES_SHARE
        && func.results.is_empty()
        && loops.keys().all(|op| words(op) <= MOST_EXCHANGED)
    {
        find_leaving(func, memory, func.ops[own].regions[0], &loops, &mut leaving);
    }
    Some(Shared { loops, steps, leaving })
}

/// Adds the loops of a block that is done once in an iteration before which nothing is written. Gives whether it writes.
fn find_leaving(
    func: &Function,
    memory: &MemoryInfo,
    block: Block,
    loops: &BTreeMap<Op, Vec<ElemOp>>,
    found: &mut BTreeSet<Op>,
) -> bool {
    for &op in &func.blocks[block].ops {
        let data = &func.ops[op];
        if loops.contains_key(&op) {
            found.insert(op);
        } else if data.kind == OpKind::If {
            let mut writes = false;
            for &region in &data.regions {
                writes |= find_leaving(func, memory, region, loops, found);
            }
            if writes {
                return true;
            }
        } else if !memory.effects(op).writes.is_empty() {
            return true;
        }
    }
    false
}

fn reads_what_it_writes(func: &Function, memory: &MemoryInfo) -> bool {
    let (mut reads, mut writes) = (ClassSet::default(), ClassSet::default());
    for op in func.all_ops() {
        if func.ops[op].regions.is_empty() {
            reads.union(&memory.effects(op).reads);
            writes.union(&memory.effects(op).writes);
        }
    }
    reads.intersects(&writes)
}

fn is_innermost(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let mut innermost = data.kind.is_loop();
    for &region in &data.regions {
        func.walk(region, &mut |inner| innermost &= !func.ops[inner].kind.is_loop());
    }
    innermost
}

/// What combines the values that a loop carries, if its steps may be shared.
fn combined(func: &Function, memory: &MemoryInfo, op: Op, options: &CodegenOptions) -> Option<Vec<ElemOp>> {
    let data = &func.ops[op];
    if data.kind != OpKind::For || data.results.is_empty() || func.as_int(data.args[2]) != Some(1) {
        return None;
    }
    if !memory.effects(op).writes.is_empty() || !only_computes(func, data.regions[0]) {
        return None;
    }
    let carried = func.blocks[data.regions[0]].params[1..].iter();
    let combine = |&param: &Value| {
        let dtype = func.ty(param).dtype().filter(|_| !func.ty(param).is_array())?;
        let inexact = dtype.is_float() || dtype.is_complex();
        if inexact && options.strict_fp {
            return None;
        }
        sums::accumulation(func, op, param).filter(|elem| inexact || is_exact(*elem, dtype))
    };
    carried.map(combine).collect()
}

/// Whether the order does not matter.
const fn is_exact(elem: ElemOp, dtype: DType) -> bool {
    // Sums of bools are `or`, and products `and`.
    !matches!(elem, ElemOp::Add | ElemOp::Mul if matches!(dtype, DType::Bool))
}

/// Whether a block neither leaves the loop nor does what only one thread may.
fn only_computes(func: &Function, block: Block) -> bool {
    let mut only = true;
    func.walk(block, &mut |op| {
        only &= matches!(
            func.ops[op].kind,
            OpKind::Const(_)
                | OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Dim(_)
                | OpKind::Stride(_)
                | OpKind::RawView
                | OpKind::LoadRaw
                | OpKind::If
                | OpKind::Yield
                | OpKind::Continue(0)
                | OpKind::Check { .. }
        );
    });
    only
}

/// How a number follows another one that is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Follows {
    Not,
    /// By the same steps, most of the time.
    Closely,
    Otherwise,
}

/// Of what a number depends.
#[derive(Clone, Copy, Debug)]
struct Depends {
    /// The loop's own index.
    step: Follows,
    /// The iteration of the parallel loop.
    iteration: Follows,
}

const CONSTANT: Depends = Depends { step: Follows::Not, iteration: Follows::Not };
const UNKNOWN: Depends = Depends { step: Follows::Otherwise, iteration: Follows::Otherwise };

impl Depends {
    fn both(self, other: Self, combine: impl Fn(Follows, Follows) -> Follows) -> Self {
        let step = combine(self.step, other.step);
        Self { step, iteration: combine(self.iteration, other.iteration) }
    }

    const fn is_constant(self) -> bool {
        matches!((self.step, self.iteration), (Follows::Not, Follows::Not))
    }
}

/// Transactions of memory that a warp's access takes.
const ONE: u32 = 1;
const NEIGHBOURS: u32 = 2;
const SCATTERED: u32 = 8;

/// Where a loop within accesses memory.
struct Places<'a> {
    func: &'a Function,
    /// The loop over the iterations.
    own: Op,
    looped: Op,
}

impl Places<'_> {
    /// Whether memory is busy for less time if neighbouring threads do neighbouring steps, and not neighbouring iterations.
    fn is_worth(&self) -> bool {
        let (mut by_iterations, mut by_steps) = (0, 0);
        for (last, others) in self.loads() {
            by_iterations += transactions(last.iteration, others.iteration);
            by_steps += transactions(last.step, others.step);
        }
        2 * by_iterations > 3 * by_steps
    }

    /// Of each load, what the last index depends on, and the others.
    fn loads(&self) -> Vec<(Depends, Depends)> {
        let func = self.func;
        let mut found = Vec::new();
        func.walk(func.ops[self.looped].regions[0], &mut |op| {
            let data = &func.ops[op];
            if data.kind == OpKind::LoadRaw
                && let Some((&last, others)) = data.args[1..].split_last()
            {
                let others =
                    others.iter().fold(CONSTANT, |all, &index| all.both(self.depends(index), Follows::max));
                found.push((self.depends(last), others));
            }
        });
        found
    }

    fn depends(&self, value: Value) -> Depends {
        let func = self.func;
        let op = match func.values[value].def {
            ValueDef::Result(op, _) => op,
            ValueDef::Param(block, 0) => return self.index(block),
            ValueDef::Param(block, _) => return if block == func.entry { CONSTANT } else { UNKNOWN },
        };
        let data = &func.ops[op];
        let of = |i: usize| self.depends(data.args[i]);
        match data.kind {
            OpKind::Const(_) | OpKind::Dim(_) | OpKind::Stride(_) => CONSTANT,
            OpKind::Cast => of(0),
            OpKind::Elem(ElemOp::Add) => of(0).both(of(1), |a, b| match (a, b) {
                (Follows::Not, other) | (other, Follows::Not) => other,
                _ => Follows::Otherwise,
            }),
            OpKind::Elem(ElemOp::Sub) => of(0).both(of(1), |a, b| match (a, b) {
                (a, Follows::Not) => a,
                _ => Follows::Otherwise,
            }),
            // Rows of a nest that became one loop: a row's number seldom changes, and the place in a row follows.
            OpKind::Elem(ElemOp::FloorDiv) if of(1).is_constant() => {
                of(0).both(CONSTANT, |a, _| if a == Follows::Closely { Follows::Not } else { a })
            }
            OpKind::Elem(ElemOp::Mod) if of(1).is_constant() => of(0),
            OpKind::Elem(ElemOp::Select) => of(2),
            OpKind::If => {
                let first =
                    func.terminator(data.regions[0]).filter(|&end| func.ops[end].kind == OpKind::Yield);
                let place = data.results.iter().position(|&result| result == value);
                match first.zip(place) {
                    Some((end, place)) => self.depends(func.ops[end].args[place]),
                    None => UNKNOWN,
                }
            }
            OpKind::Elem(_) | OpKind::LoadRaw => {
                let constant = (0..data.args.len())
                    .all(|i| self.func.ty(data.args[i]).is_array() || of(i).is_constant());
                let all = (0..data.args.len()).filter(|&i| !self.func.ty(data.args[i]).is_array());
                let all = all.fold(CONSTANT, |all, i| all.both(of(i), Follows::max));
                let otherwise = |a, _| if a == Follows::Not { a } else { Follows::Otherwise };
                if constant { CONSTANT } else { all.both(CONSTANT, otherwise) }
            }
            _ => UNKNOWN,
        }
    }

    /// What the index of a loop depends on, by its body.
    fn index(&self, body: Block) -> Depends {
        let func = self.func;
        if body == func.entry {
            // The first iteration of a part.
            return Depends { step: Follows::Not, iteration: Follows::Otherwise };
        }
        let is_reduced = !func.results.is_empty();
        let iteration = |op: Op| {
            let start = self.depends(func.ops[op].args[0]).iteration;
            if start == Follows::Not { Follows::Not } else { Follows::Otherwise }
        };
        let ops = func.all_ops();
        let Some(op) = ops.into_iter().find(|&op| func.ops[op].regions.first() == Some(&body)) else {
            return UNKNOWN;
        };
        if func.ops[op].kind != OpKind::For {
            return UNKNOWN;
        }
        let step = if op == self.looped { Follows::Closely } else { Follows::Not };
        if op == self.own {
            let iteration = if is_reduced { Follows::Otherwise } else { Follows::Closely };
            return Depends { step, iteration };
        }
        Depends { step, iteration: iteration(op) }
    }

    /// How many steps there are.
    fn steps(&self) -> DeviceLanes {
        if self.looped == self.own {
            return DeviceLanes { kind: LANES_PART, ..NONE };
        }
        let many = DeviceLanes { kind: LANES_STEPS, word: 0, count: i64::MAX };
        let func = self.func;
        let [start, stop] = [0, 1].map(|i| func.ops[self.looped].args[i]);
        if let Some(start) = func.as_int(start) {
            if let Some(stop) = func.as_int(stop) {
                return DeviceLanes { count: stop.saturating_sub(start), ..many };
            }
            return environment::number(func, stop).map_or(many, |word| DeviceLanes {
                word,
                count: start.saturating_neg(),
                ..many
            });
        }
        if let Some(most) = self.most_behind(start, stop) {
            return DeviceLanes { count: most, ..many };
        }
        if [start, stop].iter().all(|&end| self.is_loaded(end)) {
            let word = self.segmented().and_then(|array| environment::length(func, array, 0));
            return word.map_or(many, |word| DeviceLanes { kind: LANES_SHARE, word, count: 0 });
        }
        many
    }

    /// How far `stop` is behind `start` at most, where it is the least of that and something else.
    fn most_behind(&self, start: Value, stop: Value) -> Option<i64> {
        let func = self.func;
        let made = |value: Value, elem: ElemOp| {
            let data = func.def_op(value).map(|op| &func.ops[op])?;
            (data.kind == OpKind::Elem(elem)).then_some(data.args.as_slice())
        };
        made(stop, ElemOp::Min)?.iter().find_map(|&end| match made(end, ElemOp::Add)? {
            &[from, by] if from == start => func.as_int(by),
            _ => None,
        })
    }

    /// Whether a number is an element of an array of integers.
    fn is_loaded(&self, value: Value) -> bool {
        let data = self.func.def_op(value).map(|op| &self.func.ops[op]);
        data.is_some_and(|data| match &data.kind {
            OpKind::Cast => self.is_loaded(data.args[0]),
            kind => *kind == OpKind::LoadRaw,
        })
    }

    /// An array that the loop goes through.
    fn segmented(&self) -> Option<Value> {
        let func = self.func;
        let mut found = None;
        func.walk(func.ops[self.looped].regions[0], &mut |op| {
            let data = &func.ops[op];
            if let (OpKind::LoadRaw, [array, index]) = (&data.kind, data.args.as_slice())
                && self.depends(*index).step == Follows::Closely
            {
                found = found.or(Some(*array));
            }
        });
        found
    }
}

/// By how the last index and the others follow what neighbouring threads have.
fn transactions(last: Follows, others: Follows) -> u32 {
    match (last, others) {
        (Follows::Not, Follows::Not) => ONE,
        (Follows::Closely, Follows::Not) => NEIGHBOURS,
        _ => SCATTERED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pydd_ir::alias::Summaries;

    /// The body of `pfor i in range(…)` over `y`, `p` and a matrix `a`, whose loop within is as given.
    fn found(within: &str, strict_fp: bool) -> Option<Shared> {
        let text = format!(
            "module \"m\" file \"m.pydd\"\n\
             func @f.device.region0 loop fast device region[| m0 sliced write [i], m1 invariant, m2 invariant] \
             (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0, %5: array<i64, 1> in m1, %6: array<f64, 2> in m2) \
             -> () {{\n\
             %7: i64 = const 1\n%8: i64 = const 0\n%9: i64 = dim[1] %6\n%10: f64 = const 0.0\n\
             for %0, %1, %7 {{\n(%20: i64):\n{within}continue[0]\n}}\nreturn\n}}\n"
        );
        let module = pydd_ir::text::parse(&text).unwrap();
        let func = module.funcs.values().next().unwrap();
        let memory = MemoryInfo::new(func, &Summaries::of_callees(&module));
        shared(func, &memory, &CodegenOptions { strict_fp, ..CodegenOptions::default() })
    }

    const ROW: &str = "%21: f64 = for %8, %9, %7, %10 {\n(%22: i64, %23: f64):\n\
                       %24: f64 = load_raw %6, %20, %22\n%25: f64 = add %23, %24\ncontinue[0] %25\n}\n\
                       store_raw %4, %21, %20\n";

    #[test]
    fn threads_share_the_sum_of_a_row() {
        let shared = found(ROW, false).unwrap();
        assert_eq!(shared.loops.values().collect::<Vec<_>>(), [&[ElemOp::Add]]);
        // Start and step, y, p, and of a its data, owner and first dimension stand before.
        assert_eq!(shared.steps, DeviceLanes { kind: LANES_STEPS, word: 2 + 4 + 4 + 3, count: 0 });
        assert_eq!(found(ROW, true), None, "floats in order");
        let block =
            "%30: i64 = const 16\n%31: i64 = mul %20, %30\n%32: i64 = add %31, %30\n%33: i64 = min %32, %9\n";
        let row = format!("{block}{}", ROW.replace("for %8, %9", "for %31, %33"));
        let shared = found(&row, false).unwrap();
        assert_eq!(shared.steps, DeviceLanes { kind: LANES_STEPS, word: 0, count: 16 });
    }

    #[test]
    fn threads_share_a_row_of_a_sparse_matrix() {
        let row = "%30: i64 = load_raw %5, %20\n%31: i64 = add %20, %7\n%32: i64 = load_raw %5, %31\n\
                   %21: i64 = for %30, %32, %7, %8 {\n(%22: i64, %23: i64):\n\
                   %24: i64 = load_raw %5, %22\n%25: i64 = add %23, %24\ncontinue[0] %25\n}\n";
        let shared = found(row, true).unwrap();
        assert_eq!(shared.steps, DeviceLanes { kind: LANES_SHARE, word: 2 + 4 + 2, count: 0 });
        assert!(shared.leaving.iter().eq(shared.loops.keys()));
        let chosen = format!("%40: bool = lt %20, %7\nif %40 {{\n{row}yield\n}} else {{\nyield\n}}\n");
        let shared = found(&chosen, true).unwrap();
        assert!(shared.leaving.iter().eq(shared.loops.keys()));
        let written = format!("store_raw %4, %10, %20\n{row}");
        let shared = found(&written, true).unwrap();
        assert!(shared.leaving.is_empty(), "it would be written twice");
    }

    #[test]
    fn an_iteration_is_for_one_thread() {
        let column = ROW.replace("load_raw %6, %20, %22", "load_raw %6, %22, %20");
        assert_eq!(found(&column, false), None, "neighbouring iterations read neighbouring elements");
        let uniform = ROW.replace("load_raw %6, %20, %22", "load_raw %6, %8, %22");
        assert_eq!(found(&uniform, false), None, "all iterations read the same");
        let in_place = ROW.replace("load_raw %6, %20, %22", "load_raw %4, %22");
        assert_eq!(found(&in_place, false), None, "what is read is written");
        let last = ROW.replace("add %23, %24", "sub %24, %23");
        assert_eq!(found(&last, false), None, "no sum");
        let seen = ROW.replace("%25: f64 = add", "store_raw %4, %23, %20\n%25: f64 = add");
        assert_eq!(found(&seen, false), None, "what the loop carries is used");
        let anew = "%26: bool = lt %24, %10\n%25: f64 = if %26 {\nyield %10\n} else {\n%27: f64 = add %23, %24\nyield %27\n}";
        assert_eq!(found(&ROW.replace("%25: f64 = add %23, %24", anew), false), None, "it may begin anew");
        let kept = anew.replace("yield %10", "yield %23");
        assert!(found(&ROW.replace("%25: f64 = add %23, %24", &kept), false).is_some());
        let chosen = "%26: bool = lt %24, %10\n%27: f64 = add %23, %24\n%25: f64 = select %26, %10, %27";
        assert_eq!(found(&ROW.replace("%25: f64 = add %23, %24", chosen), false), None, "likewise");
        let counted = format!("{ROW}update_raw[sum] %5, %7, %20\n");
        assert_eq!(found(&counted, false), None, "each thread would count");
        let ends = ROW.replace("continue[0] %25", "break[0] %25");
        assert_eq!(found(&ends, false), None, "it may end early");
        assert_eq!(found("store_raw %4, %10, %20\n", false), None, "there is no loop within");
        let other = format!("{ROW}for %8, %9, %7 {{\n(%40: i64):\nstore_raw %4, %10, %40\ncontinue[0]\n}}\n");
        assert_eq!(found(&other, false), None, "another loop takes long");
    }
}
