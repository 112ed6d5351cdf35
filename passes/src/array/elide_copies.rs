//! Copies that nothing can tell from their sources.
//!
//! ```text
//! %3: array<i64, 1> = copy %1                 for %i … {
//! for %i … {                                      %4 = load %1, %i
//!     %4 = load %3, %i                   ⇒        store %0, %2, %4
//!     store %0, %2, %4                        }
//! }
//! ```
//!
//! The frontend copies what a statement reads while it writes, as the index of `a[i] = v`, since it does not know what
//! overlaps. A copy goes where neither it nor its source is written as long as anything reads it, and where it never leaves the
//! function. It stays where it saves more than it costs: a source with gaps that is read several times.

use pydd_ir::alias::{ClassSet, Effects, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Use, Uses, erase_ops};
use pydd_ir::{Block, Function, Level, Module, Op, OpKind, Value};
use std::collections::BTreeSet;

use crate::analysis::shapes::Shapes;
use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "elide-copies",
    summary: "read the source instead of a copy that nothing can tell from it",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| while elide(cx, func, summaries) {});
    Ok(())
}

/// Takes out copies of which none is the source of another, since each lengthens the time for which its source is read.
/// Whether there were any.
fn elide(cx: &PassContext<'_>, func: &mut Function, summaries: &Summaries) -> bool {
    if !func.all_ops().iter().any(|&op| func.ops[op].kind == OpKind::Copy) {
        return false;
    }
    let found = Finder::new(func, summaries).find();
    report::copies(cx, func, found.iter().copied());
    let mut replacements = Replacements::default();
    for &op in &found {
        replacements.replace(func.result(op), func.ops[op].args[0]);
    }
    erase_ops(func, &found);
    replacements.apply(func);
    !found.is_empty()
}

struct Finder<'f> {
    func: &'f Function,
    memory: MemoryInfo,
    uses: Uses,
    layout: Layout,
    shapes: Shapes<'f>,
}

impl<'f> Finder<'f> {
    fn new(func: &'f Function, summaries: &Summaries) -> Self {
        Self {
            func,
            memory: MemoryInfo::new(func, summaries),
            uses: Uses::new(func),
            layout: Layout::new(func),
            shapes: Shapes::of(func),
        }
    }

    fn find(&self) -> BTreeSet<Op> {
        let (mut found, mut sources, mut copies) =
            (BTreeSet::new(), ClassSet::default(), ClassSet::default());
        for op in self.func.all_ops() {
            if self.func.ops[op].kind != OpKind::Copy {
                continue;
            }
            let (own, source) = (self.memory.classes(self.func.result(op)), self.source_classes(op));
            if !sources.intersects(own) && !copies.intersects(source) && self.is_needless(op) {
                sources.union(source);
                copies.union(own);
                found.insert(op);
            }
        }
        found
    }

    fn source_classes(&self, op: Op) -> &ClassSet {
        self.memory.classes(self.func.ops[op].args[0])
    }

    fn is_needless(&self, op: Op) -> bool {
        let copy = self.func.result(op);
        self.memory.is_value_like(copy)
            && self.layout.block_of(op).is_some_and(|block| self.source_stays(op, block))
            && (self.shapes.layout(self.func.ops[op].args[0]).contiguous || self.is_read_once(op, copy))
    }

    /// Whether nothing writes the source from the copy on to where the copy is last read, which is in its block.
    fn source_stays(&self, op: Op, block: Block) -> bool {
        let source = self.source_classes(op);
        let own = self.memory.classes(self.func.result(op));
        let behind = self.layout.index_of(op).map_or(0, |index| index + 1);
        let ops = &self.func.blocks[block].ops[behind..];
        let Some(last) = ops.iter().rposition(|&later| self.refers_to(later, own)) else { return true };
        let changes = |effects: &Effects| effects.changes().intersects(source);
        !self.func.ops[ops[last]].kind.is_terminator()
            && ops[..=last].iter().all(|&later| !changes(self.memory.effects(later)))
    }

    /// Whether an operation, or one inside it, has an operand or a result in this memory.
    fn refers_to(&self, op: Op, memory: &ClassSet) -> bool {
        let data = &self.func.ops[op];
        let is = |&value: &Value| self.memory.classes(value).intersects(memory);
        data.args.iter().any(is)
            || data.results.iter().any(is)
            || data.regions.iter().any(|&region| {
                self.func.blocks[region].ops.iter().any(|&inner| self.refers_to(inner, memory))
            })
    }

    /// Whether each element is read about once: by whole, or by a loop over elements.
    fn is_read_once(&self, op: Op, copy: Value) -> bool {
        let reads = |used: &&Use| !matches!(self.func.ops[used.op].kind, OpKind::Dim(_));
        let mut readers = self.uses.of(copy).iter().filter(reads);
        let (Some(used), None) = (readers.next(), readers.next()) else { return false };
        let around: Vec<Op> =
            self.layout.ancestors(used.op).take_while(|&outer| !self.layout.is_inside(op, outer)).collect();
        let in_loops = around.iter().filter(|&&outer| self.func.ops[outer].kind.is_loop()).count();
        match self.func.ops[used.op].kind {
            OpKind::Load => in_loops <= 1,
            OpKind::Elem(_) | OpKind::Cast | OpKind::Reduce(_) | OpKind::Assign | OpKind::Copy => {
                in_loops == 0
            }
            _ => false,
        }
    }
}
