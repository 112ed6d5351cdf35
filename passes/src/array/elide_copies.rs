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
//!
//! A copy that is written anew as a whole, before anything but elementwise operations reads it, is filled only then:
//!
//! ```text
//! %2 = copy %0                     %2 = empty (dim[0] %0)
//! %3 = add %2, %1           ⇒      %3 = add %0, %1
//! assign %2, %3                    assign %2, %3
//! ```

use pydd_ir::alias::{ClassSet, Effects, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Use, Uses, erase_ops, position};
use pydd_ir::{Block, Builder, Function, Level, Module, Op, OpKind, Value};
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
    each_function(module, |func, summaries| {
        while elide(cx, func, summaries) {}
        fill_later(func, summaries);
    });
    Ok(())
}

/// Makes no copies of arrays that are written anew from their elements.
fn fill_later(func: &mut Function, summaries: &Summaries) {
    let copies: Vec<Op> =
        func.all_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::Copy).collect();
    if copies.is_empty() {
        return;
    }
    let finder = Finder::new(func, summaries);
    let found: Vec<(Op, Vec<Op>)> =
        copies.into_iter().filter_map(|op| Some((op, finder.readers_before_refill(op)?))).collect();
    for (op, readers) in found {
        let (copy, source) = (func.result(op), func.ops[op].args[0]);
        for reader in readers {
            for arg in func.ops[reader].args.iter_mut().filter(|arg| **arg == copy) {
                *arg = source;
            }
        }
        let (block, at) = position(func, op).expect("the copy is made in a block");
        let made = func.new_block();
        let mut b = Builder::new(func, made);
        b.loc = b.func.ops[op].loc;
        let dims = (0..b.func.ty(source).rank()).map(|axis| b.dim(source, axis)).collect();
        let lengths = std::mem::take(&mut func.blocks[made].ops);
        func.blocks[block].ops.splice(at..at, lengths);
        func.ops[op].kind = OpKind::Empty;
        func.ops[op].args = dims;
    }
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

    /// The elementwise operations that read a copy before it is written as a whole, and which alone know it until then; while its
    /// source stays as it is.
    fn readers_before_refill(&self, op: Op) -> Option<Vec<Op>> {
        let copy = self.func.result(op);
        let (own, source) = (self.memory.classes(copy), self.source_classes(op));
        if own.intersects(source) {
            return None;
        }
        let block = self.layout.block_of(op)?;
        let behind = self.layout.index_of(op)? + 1;
        let mut readers = Vec::new();
        for &later in &self.func.blocks[block].ops[behind..] {
            let data = &self.func.ops[later];
            let is_read = data.args.contains(&copy);
            match data.kind {
                OpKind::Assign if data.args[0] == copy => {
                    let by_itself = data.args[1] == copy;
                    return (!by_itself).then_some(readers);
                }
                OpKind::Elem(_) | OpKind::Cast if is_read => readers.push(later),
                OpKind::Dim(_) if is_read => {}
                _ if data.kind.is_terminator() || self.refers_to(later, own) => return None,
                _ => {}
            }
            if self.memory.effects(later).changes().intersects(source) {
                return None;
            }
        }
        None
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
