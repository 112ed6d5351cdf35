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
//! Of loops within each other, as `a[rows[:, None], columns]` makes them, a check is looked at in those whose indices it depends on.
//! What cannot raise can be computed where it is used (see [`forward`](super::forward)), joins the loops around it, and becomes vectors.
//! The loop that raises is the same one without what it writes, so that the same index is complained about.
//!
//! It looks at loops that fill fresh arrays by the indices that other arrays hold, as whole-array gathers do, and whose checks ask for
//! nothing but these indices. It leaves those alone that write to what the indices are read from, and those that carry something or
//! scatter; and single elements by indices of which none is used twice: a second walk over these costs more than the checks.

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
        let mut found: Vec<Found> = Vec::new();
        for looped in loops {
            // A loop within a nest is looked at as part of that.
            if found.len() < MOST && !found.iter().any(|nest| nest.nest.contains(&looped)) {
                found.extend(find(func, &layout, &memory, looped));
            }
        }
        let gains = |gather: &&Found| {
            gather.rows
                || found.iter().filter(|other| !other.indices.is_disjoint(&gather.indices)).count() > 1
        };
        for gather in found.iter().filter(gains) {
            scan_before(func, gather);
        }
    }
    Ok(())
}

/// Loops that gather.
struct Found {
    /// A loop, the one in it, and so on, as far as there are checks.
    nest: Vec<Op>,
    /// The checks of the nest, by the loops whose elements they ask for.
    groups: Vec<Group>,
    /// The arrays of indices.
    indices: BTreeSet<Value>,
    /// Whether rows are gathered, not elements.
    rows: bool,
}

/// Checks that depend on the same loops.
struct Group {
    /// Depths in the nest.
    loops: BTreeSet<usize>,
    checks: BTreeSet<Op>,
    /// What the checks ask about and complain about.
    steps: BTreeSet<Op>,
}

fn find(func: &Function, layout: &Layout, memory: &MemoryInfo, looped: Op) -> Option<Found> {
    let effects = memory.effects(looped);
    if effects.io || effects.owns || effects.allocates {
        return None;
    }
    let nest = nest_of(func, layout, looped)?;
    let mut groups: Vec<Group> = Vec::new();
    let mut checks = 0;
    for &level in &nest {
        for &op in &func.blocks[func.ops[level].regions[0]].ops {
            if !matches!(func.ops[op].kind, OpKind::Check { .. }) {
                continue;
            }
            checks += 1;
            let mut inside = Inside {
                func,
                layout,
                nest: &nest,
                steps: BTreeSet::new(),
                loops: BTreeSet::new(),
                loads: false,
            };
            inside.asks_for_data(op)?;
            let Inside { steps, loops, .. } = inside;
            match groups.iter_mut().find(|group| group.loops == loops) {
                Some(group) => {
                    group.checks.insert(op);
                    group.steps.extend(steps);
                }
                None => groups.push(Group { loops, checks: BTreeSet::from([op]), steps }),
            }
        }
    }
    // What is read of the indices stays as it is, and nothing else raises.
    let steps: BTreeSet<Op> = groups.iter().flat_map(|group| &group.steps).copied().collect();
    let fixed = steps.iter().all(|&step| !memory.effects(step).reads.intersects(&effects.writes));
    let only = fills_fresh_arrays(func, looped, checks);
    let is_load = |op: &&Op| func.ops[**op].kind == OpKind::LoadRaw;
    let indices = steps.iter().filter(is_load).map(|&load| func.ops[load].args[0]).collect();
    let innermost = func.ops[*nest.last()?].regions[0];
    // Fewer indices than elements are looked at where one stands for a row, or for all rows.
    let rows = func.blocks[innermost].ops.iter().any(|&op| func.ops[op].kind == OpKind::For)
        || groups.iter().all(|group| group.loops.len() < nest.len());
    (checks > 0 && fixed && only).then_some(Found { nest, groups, indices, rows })
}

/// A loop and those within it, each the only one there, down to the last that has checks; what they go over is known before the first.
fn nest_of(func: &Function, layout: &Layout, looped: Op) -> Option<Vec<Op>> {
    let (mut nest, mut depth, mut next) = (Vec::new(), 0, Some(looped));
    while let Some(level) = next {
        let data = &func.ops[level];
        let known = data.args.iter().all(|&arg| layout.dominates(func, arg, looped));
        if !data.results.is_empty() || !known || !runs_to_its_end(func, data.regions[0]) {
            break;
        }
        nest.push(level);
        let ops = &func.blocks[data.regions[0]].ops;
        if ops.iter().any(|&op| matches!(func.ops[op].kind, OpKind::Check { .. })) {
            depth = nest.len();
        }
        let mut loops = ops.iter().copied().filter(|&op| func.ops[op].kind == OpKind::For);
        next = loops.next().filter(|_| loops.next().is_none());
    }
    nest.truncate(depth);
    (!nest.is_empty()).then_some(nest)
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

/// What stands in the bodies of a nest.
struct Inside<'f> {
    func: &'f Function,
    layout: &'f Layout,
    nest: &'f [Op],
    steps: BTreeSet<Op>,
    /// The loops, by depth, whose indices were met.
    loops: BTreeSet<usize>,
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
        self.layout.dominates(self.func, value, self.nest[0])
    }

    fn body(&self, level: Op) -> Block {
        self.func.ops[level].regions[0]
    }

    /// Whether a value is the index of a loop of the nest, which is noted.
    fn is_index(&mut self, value: Value) -> bool {
        let index = |&level: &Op| self.func.blocks[self.body(level)].params[0] == value;
        let depth = self.nest.iter().position(index);
        self.loops.extend(depth);
        depth.is_some()
    }

    /// Notes what a value is made of in the bodies.
    fn follow(&mut self, value: Value) -> Option<()> {
        if self.is_before(value) || self.is_index(value) {
            return Some(());
        }
        let func = self.func;
        let op = func.def_op(value)?;
        let data = &func.ops[op];
        let here = self.nest.iter().any(|&level| self.layout.block_of(op) == Some(self.body(level)));
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

    /// Whether an index is made of the loops' indices and of what is there before them, not of elements.
    fn is_place(&mut self, value: Value) -> Option<()> {
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
    let outermost = found.nest[0];
    let (home, at) = position(func, outermost).expect("the loop stands in a block");
    let rest = func.blocks[home].ops.split_off(at);
    let mut b = Builder::new(func, home);
    b.loc = b.func.ops[outermost].loc;
    // As NumPy does, all of one index array before the next.
    for group in &found.groups {
        let all = b.bool(true);
        let fine = Copier { nest: &found.nest, group, cloner: Cloner::default() }.level(&mut b, 0, Some(all));
        let idle = b.region(&[], |b, _| {
            b.effect(OpKind::Yield, vec![]);
        });
        let complains = b.region(&[], |b, _| {
            Copier { nest: &found.nest, group, cloner: Cloner::default() }.level(b, 0, None);
            b.effect(OpKind::Yield, vec![]);
        });
        b.func.blocks[complains].cold = true;
        b.op(OpKind::If, vec![fine.expect("it was carried")], &[], vec![idle, complains]);
    }
    func.blocks[home].ops.extend(rest);
    erase_ops(func, &found.groups.iter().flat_map(|group| &group.checks).copied().collect());
}

/// Makes loops of what the checks of a group ask about.
struct Copier<'a> {
    nest: &'a [Op],
    group: &'a Group,
    cloner: Cloner,
}

impl Copier<'_> {
    /// A loop of the nest. If it carries whether all checks hold, what no check depends on is left out; else the checks are there.
    fn level(&mut self, b: &mut Builder<'_>, depth: usize, all: Option<Value>) -> Option<Value> {
        if all.is_some() && !self.group.loops.contains(&depth) {
            return self.body(b, depth, all);
        }
        let data = b.func.ops[self.nest[depth]].clone();
        let body = b.func.new_block();
        let index = b.func.add_param(body, Type::I64);
        let carried = all.map(|_| b.func.add_param(body, Type::BOOL));
        self.cloner.values.insert(b.func.blocks[data.regions[0]].params[0], index);
        let mut inner = Builder::new(b.func, body);
        inner.loc = data.loc;
        let next = self.body(&mut inner, depth, carried);
        inner.effect(OpKind::Continue(0), next.into_iter().collect());
        let args = data.args.into_iter().chain(all).collect();
        let types: &[Type] = if all.is_some() { &[Type::BOOL] } else { &[] };
        let made = b.op(OpKind::For, args, types, vec![body]);
        all.map(|_| b.func.result(made))
    }

    fn body(&mut self, b: &mut Builder<'_>, depth: usize, mut all: Option<Value>) -> Option<Value> {
        let ops = b.func.blocks[b.func.ops[self.nest[depth]].regions[0]].ops.clone();
        for op in ops {
            if self.nest.get(depth + 1) == Some(&op) {
                all = self.level(b, depth + 1, all);
            } else if self.group.steps.contains(&op) || all.is_none() && self.group.checks.contains(&op) {
                let copy = self.cloner.op(b.func, None, op);
                let block = b.block;
                b.func.blocks[block].ops.push(copy);
            } else if self.group.checks.contains(&op) {
                let condition = b.func.ops[op].args[0];
                let own = self.cloner.values.get(condition).unwrap_or(condition);
                all = all.map(|all| b.elem(ElemOp::And, &[all, own]));
            }
        }
        all
    }
}
