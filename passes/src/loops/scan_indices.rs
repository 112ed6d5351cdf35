//! Looks at all indices of a loop that gathers elements before it, so that the loop has no checks.
//!
//! ```text
//!                                          %ok = for %i in 0, %n, carried %all = true { … and %all, (lt %k, %m) }
//! for %i in 0, %n {                        if %ok {} else cold { for %i in 0, %n { check (lt %k, %m), IndexError "…" } }
//!     %k = load_raw %index, %i             for %i in 0, %n {
//!     check (lt %k, %m), IndexError "…" ⇒      %k = load_raw %index, %i
//!     %x = load_raw %a, %k                     %x = load_raw %a, %k
//!     store_raw %t, %x, %i                     store_raw %t, %x, %i
//! }                                        }
//! ```
//!
//! What cannot raise can be computed where it is used (see [`forward`](super::forward)), joins the loops around it, and becomes vectors.
//! The loop that raises is the same one without what it writes, so that the same index is complained about.
//!
//! It looks at loops that fill fresh arrays by the indices that other arrays hold, as whole-array gathers do, and whose checks ask for
//! nothing but these indices. It leaves those alone that write to what the indices are read from, and those that carry something or
//! scatter; and single elements by indices that are used once: a second walk over these costs more than the checks.

use std::collections::BTreeSet;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, erase_ops, position};
use pydd_ir::{Block, Builder, DType, ElemOp, Exc, Function, Level, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::jumps::runs_to_its_end;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "scan-indices",
    summary: "look at all indices of a gather before it",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Loops of a function, at most.
const MOST: usize = 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module) {
        let (layout, memory) = (Layout::new(func), MemoryInfo::new(func, &summaries));
        let loops: Vec<Op> =
            func.hot_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::For).collect();
        let found: Vec<Found> =
            loops.into_iter().filter_map(|op| find(func, &layout, &memory, op)).take(MOST).collect();
        let gains = |gather: &&Found| {
            gather.rows || found.iter().filter(|other| other.indices == gather.indices).count() > 1
        };
        for gather in found.iter().filter(gains) {
            scan_before(func, gather);
        }
    }
    Ok(())
}

/// A loop that gathers.
struct Found {
    looped: Op,
    checks: Vec<Op>,
    /// What the checks ask about and complain about, in order.
    steps: Vec<Op>,
    /// The arrays of indices.
    indices: BTreeSet<Value>,
    /// Whether rows are gathered, not elements.
    rows: bool,
}

fn find(func: &Function, layout: &Layout, memory: &MemoryInfo, looped: Op) -> Option<Found> {
    let data = &func.ops[looped];
    let body = data.regions[0];
    let effects = memory.effects(looped);
    let plain = data.results.is_empty() && !effects.io && !effects.owns && !effects.allocates;
    if !plain || !runs_to_its_end(func, body) {
        return None;
    }
    let is_check = |&op: &Op| matches!(func.ops[op].kind, OpKind::Check { .. });
    let checks: Vec<Op> = func.blocks[body].ops.iter().copied().filter(is_check).collect();
    let mut inside = Inside { func, layout, looped, steps: BTreeSet::new(), loads: false };
    for &check in &checks {
        inside.asks_for_data(check)?;
    }
    let steps: Vec<Op> =
        func.blocks[body].ops.iter().copied().filter(|op| inside.steps.contains(op)).collect();
    // What is read of the indices stays as it is, and nothing else raises.
    let fixed = steps.iter().all(|&step| !memory.effects(step).reads.intersects(&effects.writes));
    let only = fills_fresh_arrays(func, looped, checks.len());
    let is_load = |op: &&Op| func.ops[**op].kind == OpKind::LoadRaw;
    let indices = steps.iter().filter(is_load).map(|&load| func.ops[load].args[0]).collect();
    let rows = func.blocks[body].ops.iter().any(|&op| func.ops[op].kind == OpKind::For);
    (!checks.is_empty() && fixed && only).then_some(Found { looped, checks, steps, indices, rows })
}

/// Whether a loop does nothing but compute, and store where its own index says, in arrays that were made for it; with so many checks.
fn fills_fresh_arrays(func: &Function, looped: Op, checks: usize) -> bool {
    let body = func.ops[looped].regions[0];
    let index = func.blocks[body].params[0];
    let (mut suits, mut stores, mut seen) = (true, 0, 0);
    func.walk(body, &mut |op| {
        let data = &func.ops[op];
        match data.kind {
            OpKind::StoreRaw => {
                let made = func.def_op(data.args[0]).is_some_and(|made| func.ops[made].kind == OpKind::Empty);
                suits &= made && data.args.get(2) == Some(&index);
                stores += 1;
            }
            OpKind::Check { .. } => seen += 1,
            OpKind::Elem(_) | OpKind::Const(_) | OpKind::Cast | OpKind::Dim(_) | OpKind::LoadRaw => {}
            OpKind::For | OpKind::Continue(0) => {}
            _ => suits = false,
        }
    });
    suits && stores > 0 && seen == checks
}

/// What stands in a loop's body.
struct Inside<'f> {
    func: &'f Function,
    layout: &'f Layout,
    looped: Op,
    steps: BTreeSet<Op>,
    /// Whether elements are among what was followed last.
    loads: bool,
}

impl Inside<'_> {
    /// Whether a check asks whether something that is made of elements is below a length. Nothing about the loop's own index follows
    /// from that, so what is read by that index may be read before the check.
    fn asks_for_data(&mut self, check: Op) -> Option<()> {
        let func = self.func;
        let data = &func.ops[check];
        let OpKind::Check { exc: Exc::IndexError, .. } = data.kind else { return None };
        let compared = &func.ops[func.def_op(data.args[0])?];
        let (OpKind::Elem(ElemOp::Lt), &[index, length]) = (&compared.kind, &compared.args[..]) else {
            return None;
        };
        if func.ty(index) != Type::Scalar(DType::U64) {
            return None;
        }
        let cast = &func.ops[func.def_op(length)?];
        (cast.kind == OpKind::Cast && self.is_before(cast.args[0])).then_some(())?;
        self.loads = false;
        data.args.iter().try_for_each(|&arg| self.follow(arg))?;
        self.loads.then_some(())
    }

    fn is_before(&self, value: Value) -> bool {
        self.layout.dominates(self.func, value, self.looped)
    }

    fn is_index(&self, value: Value) -> bool {
        self.func.blocks[self.func.ops[self.looped].regions[0]].params[0] == value
    }

    /// Notes what a value is made of in the body.
    fn follow(&mut self, value: Value) -> Option<()> {
        if self.is_before(value) || self.is_index(value) {
            return Some(());
        }
        let func = self.func;
        let op = func.def_op(value)?;
        let data = &func.ops[op];
        let body = func.ops[self.looped].regions[0];
        let here = self.layout.block_of(op) == Some(body);
        let args = match data.kind {
            OpKind::Const(_) | OpKind::Cast => &data.args[..],
            OpKind::Elem(elem) if !func.ty(data.args[0]).dtype().is_some_and(|d| elem.may_raise(d)) => {
                &data.args[..]
            }
            OpKind::LoadRaw => {
                self.loads = true;
                data.args[1..].iter().try_for_each(|&index| self.is_place(index))?;
                &data.args[..]
            }
            _ => return None,
        };
        here.then_some(())?;
        self.steps.insert(op);
        args.iter().try_for_each(|&arg| self.follow(arg))
    }

    /// Whether an index is made of the loop's index and of what is there before it, not of elements.
    fn is_place(&self, value: Value) -> Option<()> {
        if self.is_before(value) || self.is_index(value) {
            return Some(());
        }
        let data = &self.func.ops[self.func.def_op(value)?];
        match data.kind {
            OpKind::Const(_) => Some(()),
            OpKind::Elem(ElemOp::Add | ElemOp::Sub | ElemOp::Mul) => {
                data.args.iter().try_for_each(|&arg| self.is_place(arg))
            }
            _ => None,
        }
    }
}

fn scan_before(func: &mut Function, found: &Found) {
    let (home, at) = position(func, found.looped).expect("the loop stands in a block");
    let rest = func.blocks[home].ops.split_off(at);
    let data = func.ops[found.looped].clone();
    let range = &data.args[..3];
    let mut b = Builder::new(func, home);
    b.loc = data.loc;
    let all = b.bool(true);
    let body = copy_of(&mut b, found, true);
    let fine = b.op(OpKind::For, [range, &[all]].concat(), &[Type::BOOL], vec![body]);
    let fine = b.func.result(fine);
    let idle = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![]);
    });
    let complaint = copy_of(&mut b, found, false);
    let complains = b.region(&[], |b, _| {
        b.op(OpKind::For, range.to_vec(), &[], vec![complaint]);
        b.effect(OpKind::Yield, vec![]);
    });
    b.func.blocks[complains].cold = true;
    b.op(OpKind::If, vec![fine], &[], vec![idle, complains]);
    func.blocks[home].ops.extend(rest);
    erase_ops(func, &found.checks.iter().copied().collect());
}

/// A body of what the checks ask about; it carries whether all of them hold, or has them.
fn copy_of(b: &mut Builder<'_>, found: &Found, carries: bool) -> Block {
    let body = b.func.new_block();
    let old = b.func.blocks[b.func.ops[found.looped].regions[0]].params[0];
    let index = b.func.add_param(body, Type::I64);
    let mut cloner = Cloner::default();
    cloner.values.insert(old, index);
    let before = carries.then(|| b.func.add_param(body, Type::BOOL));
    let order = b.func.blocks[b.func.ops[found.looped].regions[0]].ops.clone();
    for op in order {
        let wanted = found.steps.contains(&op) || !carries && found.checks.contains(&op);
        if wanted {
            let copy = cloner.op(b.func, None, op);
            b.func.blocks[body].ops.push(copy);
        }
    }
    let conditions: Vec<Value> = found.checks.iter().map(|&check| b.func.ops[check].args[0]).collect();
    let mut inner = Builder::new(b.func, body);
    inner.loc = b.loc;
    let mut all = before;
    for condition in conditions {
        let own = cloner.values.get(condition).unwrap_or(condition);
        all = all.map(|all| inner.elem(ElemOp::And, &[all, own]));
    }
    inner.effect(OpKind::Continue(0), all.into_iter().collect());
    body
}
