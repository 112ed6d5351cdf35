//! Makes a new array where a loop over time updates one whose other elements it reads.
//!
//! ```text
//! %u = copy %0                                  %u = copy %0
//! for %t in 0, %n {                             %r = for %t in 0, %n, carried %u as %old {
//!     … view %u …                                   … view %old …
//!     %new = add %u, %3                  ⇒          %new = add %old, %3
//!     assign %u, %new                               continue %new
//! }                                             }
//! return %u                                     return %r
//! ```
//!
//! `u += f(u)` with neighbours in it, as `np.roll(u, 1)` or `u[1:]` are, has to compute all of `f` before it writes, in arrays of
//! its own; `u = u + f(u)` is one loop over both. The function alone has the array: it is made beside the loop, in row-major order, and within
//! the loop it is read and written as a whole, by an operation on elements that nobody else has the result of. Loops within the loop may
//! be around that; neighbours are read by slices, or in loops of their own. A view of before is made again for who looks at it behind the update. Where only rows and columns are read
//! (`a -= np.outer(a[:, k], a[k])`), a copy of these is less than a new array.

use std::collections::BTreeMap;

use pydd_ir::rewrite::{Cloner, Layout, Replacements, Use, Uses, erase_ops, insert_before, position};
use pydd_ir::{Block, ElemOp, Function, IndexItem, Level, Module, Op, OpKind, Type, Value, Version};

use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::shapes::Shapes;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "rebind",
    summary: "make a new array where a loop updates one whose neighbours it reads",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in module.funcs.values_mut() {
        if func.level == Level::Array && func.version == Version::Fast {
            while let Some(update) = find(func) {
                rebind(func, &update);
            }
        }
    }
    Ok(())
}

/// The update of an array in a loop.
struct Update {
    array: Value,
    new: Value,
    assign: Op,
    /// The loops around it, from the outermost to the innermost.
    loops: Vec<Op>,
    uses: Vec<Used>,
}

/// A use of an array.
struct Used {
    by: Use,
    /// The views between, the first one of the array itself.
    views: Vec<Op>,
    time: Time,
}

/// Which of an array's states an operation meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    /// That before all loops.
    First,
    /// That with which an iteration of such a loop begins.
    Old(usize),
    /// That which the update makes.
    New,
    /// That which such a loop leaves.
    Left(usize),
}

fn find(func: &Function) -> Option<Update> {
    let assigns: Vec<Op> =
        func.hot_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::Assign).collect();
    if assigns.is_empty() {
        return None;
    }
    let finder = Finder { func, layout: Layout::new(func), uses: Uses::new(func), shapes: Shapes::of(func) };
    assigns.into_iter().find_map(|assign| finder.update(assign))
}

struct Finder<'a> {
    func: &'a Function,
    layout: Layout,
    uses: Uses,
    shapes: Shapes<'a>,
}

impl Finder<'_> {
    fn update(&self, assign: Op) -> Option<Update> {
        let func = self.func;
        let &[array, new] = &func.ops[assign].args[..] else { return None };
        let (made, maker) = (func.def_op(array)?, func.def_op(new)?);
        let is_own =
            matches!(func.ops[made].kind, OpKind::Copy | OpKind::Empty | OpKind::Zeros | OpKind::Full);
        let is_fresh = matches!(func.ops[maker].kind, OpKind::Elem(_))
            && self.layout.block_of(maker) == self.layout.block_of(assign)
            && self.uses.of(new).len() == 1;
        let alike =
            func.ty(array) == func.ty(new) && self.shapes.layout(array).dims == self.shapes.layout(new).dims;
        if !is_own || !is_fresh || !alike {
            return None;
        }
        let home = self.layout.block_of(made)?;
        let mut loops = Vec::new();
        let mut inner = assign;
        while self.layout.block_of(inner) != Some(home) {
            inner = self.layout.parent(inner)?;
            let data = &func.ops[inner];
            let counts = data.kind == OpKind::For && runs_to_its_end(func, data.regions[0]);
            counts.then(|| loops.push(inner))?;
        }
        loops.reverse();
        let outermost = *loops.first()?;
        let mut update = Update { array, new, assign, loops, uses: Vec::new() };
        self.add_uses(&mut update, array, &[])?;
        let is_inside = |used: &&Used| used.views.is_empty() && self.layout.is_inside(used.by.op, outermost);
        let mut reads = update.uses.iter().filter(is_inside).map(|used| used.by.op);
        reads.any(|op| self.is_of_neighbours(op, assign)).then_some(update)
    }

    /// Whether an operation reads other elements than those at their own places, and more than a row or a column, of which the update keeps a copy.
    fn is_of_neighbours(&self, op: Op, assign: Op) -> bool {
        let in_loop = self.layout.block_of(op) != self.layout.block_of(assign);
        match self.func.ops[op].kind {
            OpKind::Load => in_loop,
            OpKind::View(ref items) => {
                let cuts = |item: &IndexItem| match *item {
                    IndexItem::Slice { start, stop, step } => start || stop || step,
                    IndexItem::At | IndexItem::New => false,
                };
                in_loop || items.iter().any(cuts) && !self.is_row_or_column(op, items)
            }
            _ => false,
        }
    }

    /// Whether a view is of one element along an axis.
    fn is_row_or_column(&self, view: Op, items: &[IndexItem]) -> bool {
        let func = self.func;
        let mut operands = func.ops[view].args[1..].iter().copied();
        items.iter().any(|&item| {
            let own: Vec<Value> = operands.by_ref().take(item.operands()).collect();
            match (item, &own[..]) {
                (IndexItem::At, _) => true,
                (IndexItem::Slice { start: true, stop: true, step: false }, &[start, stop]) => {
                    let next = func.def_op(stop).map(|op| &func.ops[op]);
                    next.is_some_and(|next| {
                        next.kind == OpKind::Elem(ElemOp::Add)
                            && next.args[0] == start
                            && func.as_int(next.args[1]) == Some(1)
                    }) || func
                        .as_int(start)
                        .zip(func.as_int(stop))
                        .is_some_and(|(start, stop)| stop - start == 1)
                }
                (IndexItem::Slice { start: false, stop: true, step: false }, &[stop]) => {
                    func.as_int(stop) == Some(1)
                }
                _ => false,
            }
        })
    }

    /// Adds the uses of the array, or of a view of it, and those of views of that.
    fn add_uses(&self, update: &mut Update, value: Value, views: &[Op]) -> Option<()> {
        for one in self.uses.of(value) {
            let time = self.time(update, one.op);
            let suits = match time {
                _ if one.op == update.assign => views.is_empty() && one.index == 0,
                _ if self.func.ops[one.op].kind.is_view() => {
                    self.add_uses(update, self.func.result(one.op), &[views, &[one.op]].concat())?;
                    true
                }
                Time::Left(0) => true,
                Time::First => self.is_read(one) || self.is_written(one),
                _ => self.is_read(one),
            };
            suits.then_some(())?;
            update.uses.push(Used { by: *one, views: views.to_vec(), time });
        }
        Some(())
    }

    /// Which state of the array an operation meets.
    fn time(&self, update: &Update, op: Op) -> Time {
        let mut time = Time::First;
        let mut around: Option<Block> = self.layout.block_of(update.loops[0]);
        for depth in 0..=update.loops.len() {
            // What stands in this block and is the operation, or holds it, against the next loop or the update.
            let next = update.loops.get(depth).copied().unwrap_or(update.assign);
            let own = std::iter::once(op)
                .chain(self.layout.ancestors(op))
                .find(|&op| self.layout.block_of(op) == around);
            let Some(own) = own else { return time };
            if own == next && depth < update.loops.len() {
                time = Time::Old(depth);
                around = Some(self.func.ops[next].regions[0]);
                continue;
            }
            if self.layout.index_of(own) <= self.layout.index_of(next) {
                return time;
            }
            return if depth == update.loops.len() { Time::New } else { Time::Left(depth) };
        }
        time
    }

    /// Whether an operation looks at an operand's elements or lengths, and no more.
    fn is_read(&self, one: &Use) -> bool {
        match self.func.ops[one.op].kind {
            OpKind::Elem(_)
            | OpKind::Cast
            | OpKind::Copy
            | OpKind::Dim(_)
            | OpKind::Stride(_)
            | OpKind::Load
            | OpKind::Reduce(_) => true,
            OpKind::Assign => one.index == 1,
            _ => false,
        }
    }

    /// Whether an operation writes elements of an operand, and no more.
    fn is_written(&self, one: &Use) -> bool {
        matches!(self.func.ops[one.op].kind, OpKind::Store | OpKind::Assign | OpKind::Update(_))
            && one.index == 0
    }
}

/// Carries the array through the loops.
fn rebind(func: &mut Function, update: &Update) {
    let ty = func.ty(update.array);
    let mut old = Vec::new();
    for &looped in &update.loops {
        let body = func.ops[looped].regions[0];
        old.push(func.add_param(body, ty));
    }
    let mut replacements = Replacements::default();
    // From the innermost outwards: what a loop leaves is the next state of the one around.
    let mut next = update.new;
    let mut left = BTreeMap::new();
    for (depth, &looped) in update.loops.iter().enumerate().rev() {
        let data = func.ops[looped].clone();
        let end = func.terminator(data.regions[0]).expect("a loop's body ends");
        func.ops[end].args.push(next);
        let mut args = data.args;
        args.push(if depth == 0 { update.array } else { old[depth - 1] });
        let types: Vec<Type> = data.results.iter().map(|&r| func.ty(r)).chain([ty]).collect();
        let new = func.new_op(OpKind::For, args, &types, data.regions, data.loc);
        let results = func.ops[new].results.clone();
        replacements.replace_all(&data.results, &results[..data.results.len()]);
        next = results[data.results.len()];
        left.insert(depth, next);
        let (home, at) = position(func, looped).expect("the loop stands in a block");
        func.blocks[home].ops[at] = new;
    }
    let state = |time: Time| match time {
        Time::First => update.array,
        Time::Old(depth) => old[depth],
        Time::New => update.new,
        Time::Left(depth) => left[&depth],
    };
    let met: BTreeMap<Op, Time> = update.uses.iter().map(|used| (used.by.op, used.time)).collect();
    for used in &update.uses {
        let Use { op, index } = used.by;
        let is_view = func.ops[op].kind.is_view();
        let Some(first) = used.views.first() else {
            func.ops[op].args[index as usize] = state(used.time);
            continue;
        };
        // The same view of another state, where it is asked for.
        if !is_view && met[first] != used.time {
            let mut seen = state(used.time);
            for &view in &used.views {
                let again = Cloner::default().op(func, None, view);
                func.ops[again].args[0] = seen;
                insert_before(func, again, op);
                seen = func.result(again);
            }
            func.ops[op].args[index as usize] = seen;
        }
    }
    erase_ops(func, &[update.assign].into());
    replacements.apply(func);
}
