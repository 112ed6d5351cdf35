//! Finds loops whose iterations may run in any order, and makes them parallel (`--auto-parallel`).
//!
//! ```text
//! %s: f64 = for %0, %n, %1, %x {              %s: f64 = pfor[sum | sliced read [i]] %0, %n, %1, %x, %a {
//! (%i: i64, %t: f64):                         (%i: i64, %t: f64):
//!     %y: f64 = load_raw %a, %i         ⇒         …
//!     %u: f64 = add %t, %y
//!     continue %u
//! }                                           }
//! ```
//!
//! These are loops of the source, those that whole-array operations and reductions became, and those of the library: they
//! are all alike by now. What a loop's iterations share is found out by what judges a `pfor` as well. Of a nest the outermost loop that
//! can be is made parallel, unless it is known to be short, and none within it; loops around a `pfor` stay. Whether a loop is worth
//! threads is decided when it runs, by its length and cost; an innermost one that loops around it repeat stays beside it for short runs.
//!
//! Loops that print, leave early or carry more than accumulations stay in order, and with `--strict-fp` those that add up floats.
//! What arrays in lists and views made in the loop hold is not told apart. Versions for any arguments stay as small as they are.

use pydd_abi::parts::TWO_PARTS;
use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::cost::Cost;
use pydd_ir::rewrite::{Cloner, Layout, Replacements, Uses, position};
use pydd_ir::{
    Block, Builder, DType, ElemOp, Function, Level, Literal, Module, Op, OpKind, Parallel, ReduceOp, Table,
    Type, Value, Version,
};

use crate::analysis::reductions;
use crate::array::pfor::table::{Class, classify};
use crate::loops::fast_functions;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "auto-parallel",
    summary: "make loops parallel whose iterations may run in any order",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

/// Iterations below which a loop of known length is left to the loops within it.
const SHORT: i64 = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if !cx.options.auto_parallel {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        // As in `prove-pfor`; that parameters are apart is tested before the loop where it is not known.
        let version = std::mem::replace(&mut func.version, Version::Fast);
        let mut chosen = Vec::new();
        let finder = Finder {
            func,
            memory: MemoryInfo::new(func, &summaries),
            layout: Layout::new(func),
            uses: Uses::new(func),
            strict_fp: cx.options.strict_fp,
        };
        finder.block(func.entry, &mut chosen);
        func.version = version;
        for found in chosen {
            if found.is_inner {
                keep_short_in_place(func, found.op, &found.cost);
            }
            let data = &mut func.ops[found.op];
            data.kind = OpKind::PFor(Parallel { reduce: found.reduce, table: Some(found.table) });
            data.args.extend(found.operands);
            let loc = data.loc;
            cx.report(|| {
                Finding::new("loop-parallel", loc, "the iterations of this loop run in any order")
                    .label(loc, "on threads, where there are enough of them")
            });
        }
    }
    Ok(())
}

/// A loop that becomes parallel.
struct Found {
    op: Op,
    reduce: Vec<ReduceOp>,
    table: Table,
    operands: Vec<Value>,
    cost: Cost,
    /// It holds no loop, and stands in one: what surrounds it repeats it often.
    is_inner: bool,
}

struct Finder<'f> {
    func: &'f Function,
    memory: MemoryInfo,
    layout: Layout,
    uses: Uses,
    strict_fp: bool,
}

impl Finder<'_> {
    fn block(&self, block: Block, chosen: &mut Vec<Found>) {
        for &op in &self.func.blocks[block].ops {
            let data = &self.func.ops[op];
            match data.kind {
                OpKind::PFor(_) => {}
                OpKind::For => match self.parallel(op) {
                    Some(found) => chosen.push(found),
                    None => self.block(data.regions[0], chosen),
                },
                _ => data.regions.iter().for_each(|&region| self.block(region, chosen)),
            }
        }
    }

    /// The loop, if it may be parallel.
    fn parallel(&self, op: Op) -> Option<Found> {
        let data = &self.func.ops[op];
        let effects = self.memory.effects(op);
        let stays = effects.io || effects.leaves || leaves_iteration(self.func, data.regions[0], 0);
        if stays || self.is_short(op) || (effects.writes.is_empty() && data.results.is_empty()) {
            return None;
        }
        let mut nested = false;
        self.func.walk(data.regions[0], &mut |inner| {
            nested |= matches!(self.func.ops[inner].kind, OpKind::PFor(_))
        });
        if nested {
            return None;
        }
        let reduce = reductions::of_loop(self.func, &self.uses, op)?;
        let is_inexact = |value: &Value| self.func.ty(*value).dtype().is_some_and(is_inexact);
        let ordered = |(reduce, value): (&ReduceOp, &Value)| {
            matches!(reduce, ReduceOp::Sum | ReduceOp::Prod) && is_inexact(value)
        };
        if self.strict_fp && reduce.iter().zip(&data.results).any(ordered) {
            return None;
        }
        let classes = classify(self.func, &self.memory, op);
        let contended = |(_, class): &(Value, Class)| matches!(class, Class::Contended(_));
        if classes.rows.iter().any(contended) {
            return None;
        }
        let (table, operands) = classes.table(self.func, &self.memory, &self.layout, op)?;
        let cost = Cost::of_iteration(self.func, &self.layout, op);
        let around = self.layout.ancestors(op).any(|outer| self.func.ops[outer].kind.is_loop());
        let by_one = matches!(self.func.as_const(data.args[2]), Some(Literal::Int(1)));
        let is_inner = around && by_one && cost.loops.is_empty();
        (!table.reduces()).then_some(Found { op, reduce, table, operands, cost, is_inner })
    }

    fn is_short(&self, op: Op) -> bool {
        let constant = |at: usize| match self.func.as_const(self.func.ops[op].args[at]) {
            Some(Literal::Int(value)) => Some(*value),
            _ => None,
        };
        match (constant(0), constant(1), constant(2)) {
            (Some(start), Some(stop), Some(step)) => pydd_ir::cost::length(start, stop, step) < SHORT,
            _ => false,
        }
    }
}

const fn is_inexact(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// Puts a copy of the loop beside it, for runs that are one part anyway: it costs nothing where it stands.
fn keep_short_in_place(func: &mut Function, op: Op, cost: &Cost) {
    let data = func.ops[op].clone();
    let types: Vec<Type> = data.results.iter().map(|&result| func.ty(result)).collect();
    let copy = Cloner::default().op(func, None, op);
    let (block, index) = position(func, op).expect("the loop stands in a block");
    let rest = func.blocks[block].ops.split_off(index);
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let trips = b.sub(data.args[1], data.args[0]);
    let most = b.int(TWO_PARTS / cost.ops.clamp(1, TWO_PARTS));
    let is_short = b.elem(ElemOp::Lt, &[trips, most]);
    let side = |b: &mut Builder<'_>, op: Op| {
        let block = b.func.new_block();
        b.func.blocks[block].ops.push(op);
        let results = b.func.ops[op].results.clone();
        let mut inner = Builder { func: &mut *b.func, block, loc: data.loc };
        inner.effect(OpKind::Yield, results);
        block
    };
    let regions = vec![side(&mut b, copy), side(&mut b, op)];
    let choice = b.op(OpKind::If, vec![is_short], &types, regions.clone());
    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &func.ops[choice].results.clone());
    replacements.apply(func);
    // The side itself still yields the loop's own results.
    let end = func.terminator(regions[1]).expect("just made");
    func.ops[end].args = data.results;
}

/// Whether something leaves a loop from within, or an iteration otherwise than by `continue[0]`; `depth` breakable operations are
/// around the block within the loop.
fn leaves_iteration(func: &Function, block: Block, depth: u32) -> bool {
    func.blocks[block].ops.iter().any(|&op| {
        let data = &func.ops[op];
        let inside = depth + u32::from(data.kind.is_breakable());
        match data.kind {
            OpKind::Return => true,
            OpKind::Break(levels) => levels >= depth,
            OpKind::Continue(levels) => levels > depth || levels == depth && depth > 0,
            _ => data.regions.iter().any(|&region| leaves_iteration(func, region, inside)),
        }
    })
}
