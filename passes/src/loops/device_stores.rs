//! Gives a device the elements that the processor would write between its loops.
//!
//! ```text
//! for %t … {                                      for %t … {
//!     pfor … { store_raw %u, … }                      pfor … { store_raw %u, … }
//!     %a = load_raw %u, %1                   ⇒        pfor[| sliced write [:]] 0, 1, 1, %u {
//!     store_raw %u, %a, %0                                %a = load_raw %u, %1
//!     store_raw %u, %end, %last                           store_raw %u, %a, %0
//! }                                                       store_raw %u, %end, %last
//!                                                     }
//!                                                 }
//! ```
//!
//! Else all of an array would come back from a device for its borders, and go there again for the next loop. What is computed for the stores alone goes with them. It
//! does so for arrays that a parallel loop touches: one that the innermost loop around both repeats as often. What may fail, and elements that other code reads, stay.
//! Small arrays are copied in less time than a loop takes to begin, so the stores stay beside the loop, and the arrays' size decides.

use std::collections::BTreeSet;

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, Uses, choose};
use pydd_ir::sharing::{Footprint, Sharing, Span, Table};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Parallel, Type, Value};

use crate::analysis::patterns::viewed;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "device-stores",
    summary: "give devices the elements that are written between their loops",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut().filter(|func| func.level == Level::Loop && func.device) {
        let groups = Finder::new(func, &summaries).groups();
        groups.into_iter().for_each(|group| group.enclose(func));
    }
    Ok(())
}

/// Bytes of an array that is copied as fast as it is written there.
const SMALL: i64 = 1 << 17;

/// Operations of a block, in order, that become one iteration of a loop.
struct Group {
    block: Block,
    ops: Vec<Op>,
    table: Table,
    arrays: Vec<Value>,
}

struct Finder<'a> {
    func: &'a Function,
    memory: MemoryInfo,
    layout: Layout,
    uses: Uses,
    /// Parallel loops, and the memory that each touches.
    loops: Vec<(Op, ClassSet)>,
}

impl<'a> Finder<'a> {
    fn new(func: &'a Function, summaries: &Summaries) -> Self {
        let memory = MemoryInfo::new(func, summaries);
        let pfors = func.hot_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::PFor(_)));
        let touched = |op: Op| {
            let effects = memory.effects(op);
            let mut all = effects.reads.clone();
            all.union(&effects.writes);
            (op, all)
        };
        let loops = pfors.map(touched).collect();
        Self { func, memory, layout: Layout::new(func), uses: Uses::new(func), loops }
    }

    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        if !self.loops.is_empty() {
            self.block(self.func.entry, None, &mut groups);
        }
        groups
    }

    /// Of a block, and what is nested in it; `around` is the innermost loop.
    fn block(&self, block: Block, around: Option<Op>, groups: &mut Vec<Group>) {
        let func = self.func;
        if func.blocks[block].cold {
            return;
        }
        let with_these =
            self.loops.iter().filter(|(op, _)| around.is_none_or(|loop_| self.layout.is_inside(*op, loop_)));
        let mut touched = ClassSet::default();
        with_these.for_each(|(_, classes)| {
            touched.union(classes);
        });
        let ops = &func.blocks[block].ops;
        let mut at = 0;
        while at < ops.len() {
            let run = ops[at..].iter().take_while(|&&op| self.is_simple(op, &touched)).count();
            let (group, len) = self.group(block, &ops[at..at + run], &touched);
            groups.extend(group);
            // What ended the run may begin the next one, if anything was before it.
            at += if len == 0 { run + 1 } else { len };
        }
        for &op in ops {
            let data = &func.ops[op];
            let inner = if data.kind.is_loop() { Some(op) } else { around };
            if !matches!(data.kind, OpKind::PFor(_)) {
                data.regions.iter().for_each(|&region| self.block(region, inner, groups));
            }
        }
    }

    fn is_simple(&self, op: Op, touched: &ClassSet) -> bool {
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Const(_)
            | OpKind::Elem(_)
            | OpKind::Cast
            | OpKind::Dim(_)
            | OpKind::Stride(_)
            | OpKind::RawView
            | OpKind::LoadRaw => !data.kind.facts(Level::Loop).raises.holds(self.func, op),
            OpKind::StoreRaw => self.is_touched(data.args[0], touched),
            _ => false,
        }
    }

    fn is_touched(&self, array: Value, touched: &ClassSet) -> bool {
        self.memory.classes(array).intersects(touched)
    }

    /// The group of a run, and how many operations of it were looked at.
    fn group(&self, block: Block, run: &[Op], touched: &ClassSet) -> (Option<Group>, usize) {
        let func = self.func;
        let mut run = run;
        loop {
            let inside = self.inside(run, touched);
            let first = run.iter().position(|op| func.ops[*op].kind == OpKind::StoreRaw);
            let Some(first) = first else { return (None, 0) };
            // What stays outside is done before, so it must not read what is written.
            let late = |(at, op): &(usize, &Op)| {
                *at > first && func.ops[**op].kind == OpKind::LoadRaw && !inside.contains(*op)
            };
            if let Some((at, _)) = run.iter().enumerate().find(late) {
                run = &run[..at];
                continue;
            }
            let ops: Vec<Op> = run.iter().copied().filter(|op| inside.contains(op)).collect();
            let (table, arrays) = self.table(&ops);
            return (Some(Group { block, ops, table, arrays }), run.len());
        }
    }

    /// The stores of a run with what is computed for them alone.
    fn inside(&self, run: &[Op], touched: &ClassSet) -> BTreeSet<Op> {
        let mut inside = BTreeSet::new();
        for &op in run.iter().rev() {
            let data = &self.func.ops[op];
            let only_for_these = || {
                let mut uses = data.results.iter().flat_map(|&result| self.uses.of(result));
                uses.all(|found| inside.contains(&found.op))
            };
            let goes = match data.kind {
                OpKind::StoreRaw => true,
                OpKind::LoadRaw => self.is_touched(data.args[0], touched) && only_for_these(),
                OpKind::Elem(_) | OpKind::Cast => only_for_these(),
                // Made again wherever they are needed.
                _ => false,
            };
            if goes {
                inside.insert(op);
            }
        }
        inside
    }

    /// One iteration may share its memory as it likes.
    fn table(&self, ops: &[Op]) -> (Table, Vec<Value>) {
        let mut written = ClassSet::default();
        for &op in ops.iter().filter(|&&op| self.func.ops[op].kind == OpKind::StoreRaw) {
            written.union(self.memory.classes(self.func.ops[op].args[0]));
        }
        let (mut rows, mut arrays) = (Vec::new(), Vec::new());
        for &op in ops {
            let data = &self.func.ops[op];
            if !matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw) || arrays.contains(&data.args[0]) {
                continue;
            }
            let array = data.args[0];
            let footprint = Footprint(vec![Span::All; self.func.ty(array).rank().into()]);
            let is_written = self.memory.classes(array).intersects(&written);
            rows.push(if is_written {
                Sharing::Sliced { writes: true, footprint }
            } else {
                Sharing::Invariant
            });
            arrays.push(array);
        }
        (Table { rows }, arrays)
    }
}

impl Group {
    /// Puts the operations into a loop of one iteration, where the last of them is.
    fn enclose(self, func: &mut Function) {
        let Some(&last) = self.ops.last() else { return };
        let around = func.new_block();
        let loc = func.ops[last].loc;
        let mut b = Builder::new(func, around);
        b.loc = loc;
        let (zero, one) = (b.int(0), b.int(1));
        let ops = &self.ops;
        let body = b.region(&[Type::I64], |b, _| {
            let block = b.block;
            b.func.blocks[block].ops.extend(ops);
            b.effect(OpKind::Continue(0), Vec::new());
        });
        let kind = OpKind::PFor(Parallel { reduce: Vec::new(), table: Some(self.table) });
        b.op(kind, [vec![zero, one, one], self.arrays.clone()].concat(), &[], vec![body]);
        let made = std::mem::take(&mut func.blocks[around].ops);
        let home = &mut func.blocks[self.block].ops;
        let at = home.iter().position(|&op| op == last).expect("the group stands in its block");
        let enclosed = *made.last().expect("just made");
        home.splice(at..=at, made);
        home.retain(|op| !self.ops.contains(op));
        keep_for_small(func, enclosed, &self.arrays);
    }
}

/// Puts the operations of the loop beside it, for arrays that are all small.
fn keep_for_small(func: &mut Function, enclosed: Op, arrays: &[Value]) {
    let mut roots: Vec<Value> = arrays.iter().map(|&array| viewed(func, array)).collect();
    roots.sort_unstable();
    roots.dedup();
    let are_small = |b: &mut Builder<'_>| {
        let small = roots.iter().map(|&array| is_small(b, array)).collect::<Vec<_>>();
        let all = small.into_iter().reduce(|all, one| b.elem(ElemOp::And, &[all, one]));
        (all.expect("the loop has arrays"), ())
    };
    choose(func, enclosed, are_small, |b, ()| {
        let body = b.func.ops[enclosed].regions[0];
        let ops = b.func.blocks[body].ops.clone();
        let mut cloner = Cloner::default();
        for op in
            ops.into_iter().take_while(|&op| b.func.ops[op].kind != OpKind::Continue(0)).collect::<Vec<_>>()
        {
            let copy = cloner.op(b.func, None, op);
            let block = b.block;
            b.func.blocks[block].ops.push(copy);
        }
        Vec::new()
    });
}

fn is_small(b: &mut Builder<'_>, array: Value) -> Value {
    let (rank, dtype) = (b.func.ty(array).rank(), b.func.ty(array).dtype().expect("arrays have elements"));
    let most = b.int(SMALL / i64::try_from(dtype.size()).expect("small"));
    let mut elements = b.int(1);
    for axis in 0..rank {
        let dim = b.dim(array, axis);
        // No product overflows: of what is large the size does not matter.
        let some = b.elem(ElemOp::Min, &[dim, most]);
        let product = b.mul(elements, some);
        elements = b.elem(ElemOp::Min, &[product, most]);
    }
    b.elem(ElemOp::Lt, &[elements, most])
}
