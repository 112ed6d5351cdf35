//! Keeps a list as an array whose length follows from the loops that append to it.
//!
//! ```text
//! %l = list_new                                 %a = empty (max %n, 0)
//! for %i in 0, %n {                             for %i in 0, %n {
//!     list_append %l, %x               ⇒            store_raw %a, %x, %i
//! }                                             }
//! %m = list_len %l                              %y = load_raw %a, %j
//! %y = list_get %l, %j
//! ```
//!
//! So a comprehension that becomes an array is an array from the beginning, and loops over both are one loop. Appending stands in
//! loops by one, whose iterations all run to their end, and whose bounds are known before the first of them; where the list is looked
//! at in between, its length is counted. A list that branches append to, that somebody else sees, or that loses items stays one. Lists that
//! loops carry (`previous = current`) are [families](family), appended to before they are handed on, lists of rows are [tables], lists of
//! arrays [stacks], and lists of views nothing at all ([views]).
//!
//! The array is made before the first item is there: a program whose list would not fit into memory says so at once.

mod family;
mod settled;
mod stacks;
mod tables;
mod views;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Layout, Replacements, Use, Uses, build_before, index_in, replace_op};
use pydd_ir::{Block, Builder, DType, ElemOp, Exc, Function, Level, Module, Op, OpKind, Type, Value};

use self::family::family;
use crate::analysis::jumps::runs_to_its_end;
use crate::analysis::patterns::{counts_from_zero, counts_up};
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext, map_functions};

pub const PASS: Pass = Pass {
    name: "array-lists",
    summary: "keep lists whose lengths follow from loops as arrays",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O1),
    run,
};

/// Items beyond which a length is not counted any more: no memory holds so many.
const MOST: i64 = 1 << 58;
/// Places that append to a list, at most: sums of as many lengths are int64.
const PLACES: usize = 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    map_functions(
        module,
        |func| func.level == Level::Loop,
        |func| {
            let is_list = |&op: &Op| func.ops[op].kind == OpKind::ListNew;
            let lists: Vec<Op> = func.all_ops().into_iter().filter(is_list).collect();
            let mut seen = BTreeSet::new();
            for list in lists {
                if !seen.contains(&list) {
                    convert(func, list, &mut seen);
                }
            }
        },
    );
    Ok(())
}

/// Makes a list and those that are carried in its place arrays. Notes which lists need not be looked at again.
fn convert(func: &mut Function, list: Op, seen: &mut BTreeSet<Op>) {
    let (layout, uses) = (Layout::new(func), Uses::new(func));
    let item = match func.ty(func.result(list)).list_item() {
        Some(Type::Scalar(item)) => item,
        Some(Type::Array { .. }) => {
            if let Some(stack) = stacks::stack(func, &layout, &uses, list) {
                stacks::write(func, &stack);
            } else if let Some(views) = views::views(func, &layout, &uses, list) {
                views::write(func, &views);
            }
            return;
        }
        _ => {
            if let Some(table) = tables::table(func, &layout, &uses, list) {
                tables::write(func, &uses, &table);
            }
            return;
        }
    };
    let Some(family) = family(func, &layout, &uses, list) else { return };
    seen.extend(&family.roots);
    let plans: Option<Vec<Plan>> =
        family.roots.iter().map(|&root| plan(func, &layout, &uses, root)).collect();
    let Some(plans) = plans else { return };
    plans.iter().for_each(|plan| write(func, plan, item));
    for other in family.others {
        func.values[other].ty = Type::array(item, 1);
        for one in uses.of(other) {
            if matches!(func.ops[one.op].kind, OpKind::ListGet | OpKind::ListSet | OpKind::ListLen) {
                let value = build_before(func, one.op, |b| {
                    let length = b.dim(other, 0);
                    access_at(b, one.op, (other, &[]), length)
                });
                replace_op(func, one.op, &Vec::from_iter(value));
            }
        }
    }
}

/// How many items a block appends: so many itself, and in each iteration of these loops, in order.
#[derive(Default)]
struct Growth {
    own: usize,
    /// And branches that are taken where the loop in them has a step.
    loops: Vec<(Op, Growth)>,
}

impl Growth {
    fn places(&self) -> usize {
        self.own + self.loops.iter().map(|(_, within)| within.places()).sum::<usize>()
    }

    /// All loops that append.
    fn ranges(&self, func: &Function) -> Vec<Op> {
        let mut found = Vec::new();
        for (op, within) in &self.loops {
            found.extend((func.ops[*op].kind == OpKind::For).then_some(*op));
            found.extend(within.ranges(func));
        }
        found
    }
}

struct Plan {
    list: Op,
    /// Where it is: its block, and in that the first operation that appends or looks at it, or holds one that does.
    home: Block,
    first: Op,
    users: BTreeSet<Op>,
    /// Give it other names, or to another list.
    handed: BTreeSet<Op>,
    growth: Growth,
    /// An array, and the loop that copies the list into it when nobody changes the list any more, or looks at its items.
    copy: Option<(Op, Op)>,
}

fn plan(func: &Function, layout: &Layout, uses: &Uses, list: Op) -> Option<Plan> {
    let value = func.result(list);
    let is_access = |one: &Use| {
        let kind = &func.ops[one.op].kind;
        one.index == 0
            && matches!(kind, OpKind::ListAppend | OpKind::ListGet | OpKind::ListSet | OpKind::ListLen)
    };
    let (users, handed): (Vec<Use>, Vec<Use>) = uses.of(value).iter().copied().partition(is_access);
    let [users, handed]: [BTreeSet<Op>; 2] =
        [users, handed].map(|uses| uses.into_iter().map(|one| one.op).collect());
    let home = layout.block_of(list)?;
    let mut growth = growth(func, layout, home, &users)?;
    growth.own += func.ops[list].args.len();
    if growth.places() > PLACES {
        return None;
    }
    let stands_here = |op: &Op| layout.block_of(*op) == Some(home);
    let outermost = |&op: &Op| std::iter::once(op).chain(layout.ancestors(op)).find(stands_here);
    let first = users.iter().chain(&handed).filter_map(outermost).min_by_key(|&op| layout.index_of(op))?;
    let is_there = |op: &Op| func.ops[*op].args[..2].iter().all(|&end| layout.dominates(func, end, first));
    // Under another name the list is not appended to.
    let appends = users.iter().filter(|&&op| func.ops[op].kind == OpKind::ListAppend).filter_map(outermost);
    let last = appends.max_by_key(|&op| layout.index_of(op));
    let is_full = |op: &Op| {
        let at = outermost(op).and_then(|op| layout.index_of(op));
        last.is_none_or(|last| layout.index_of(last) < at)
    };
    let copy = if handed.is_empty() { copy(func, layout, uses, home, &users) } else { None };
    let fits = growth.ranges(func).iter().all(is_there) && handed.iter().all(is_full);
    fits.then_some(Plan { list, home, first, users, handed, growth, copy })
}

/// `%b = empty %m; for %j in 0, %m { store_raw %b, (list_get %l, %j), %j }`, `%m` being the length that the list has in the end.
fn copy(
    func: &Function,
    layout: &Layout,
    uses: &Uses,
    home: Block,
    users: &BTreeSet<Op>,
) -> Option<(Op, Op)> {
    let last = users.iter().copied().filter(|&op| func.ops[op].kind != OpKind::ListLen);
    let last =
        last.max_by(|&a, &b| if layout.is_before(a, b) { Ordering::Less } else { Ordering::Greater })?;
    let looped = layout.parent(last).filter(|&op| counts_from_zero(func, op))?;
    let body = func.ops[looped].regions[0];
    let &[get, store, end] = &func.blocks[body].ops[..] else { return None };
    let (index, item) = (func.blocks[body].params[0], func.ops[get].results.first()?);
    let store = &func.ops[store];
    let gets = get == last && func.ops[get].kind == OpKind::ListGet && func.ops[get].args[1] == index;
    let stores = store.kind == OpKind::StoreRaw && store.args[1..] == [*item, index];
    if !gets || !stores || func.ops[end].kind != OpKind::Continue(0) || !func.ops[end].args.is_empty() {
        return None;
    }
    let made = func.def_op(store.args[0])?;
    let length = func.def_op(func.ops[looped].args[1])?;
    let is_whole = func.ops[made].kind == OpKind::Empty
        && func.ops[made].args == func.ops[looped].args[1..2]
        && users.contains(&length)
        && func.ops[length].kind == OpKind::ListLen;
    // Nothing is appended behind where the length is asked for, and nobody knows the array before it is filled.
    let is_last = users.iter().all(|&op| {
        op == get || func.ops[op].kind == OpKind::ListLen || {
            let top =
                std::iter::once(op).chain(layout.ancestors(op)).find(|&op| layout.block_of(op) == Some(home));
            top.is_some_and(|top| layout.is_before(top, length))
        }
    });
    let stand_here = [made, length, looped].iter().all(|&op| layout.block_of(op) == Some(home));
    let filled_first = uses
        .of(func.result(made))
        .iter()
        .all(|one| one.op == func.blocks[body].ops[1] || layout.is_before(looped, one.op));
    (is_whole && is_last && stand_here && filled_first).then_some((made, looped))
}

/// What a block, or a body of a loop, appends, where that is the same whatever is computed.
fn growth(func: &Function, layout: &Layout, block: Block, users: &BTreeSet<Op>) -> Option<Growth> {
    let appends = |op: Op| func.ops[op].kind == OpKind::ListAppend;
    let mut found = Growth::default();
    for &op in &func.blocks[block].ops {
        if users.contains(&op) {
            found.own += usize::from(appends(op));
        } else if users.iter().any(|&user| appends(user) && layout.is_inside(user, op)) {
            let body = func.ops[op].regions[0];
            let within = growth(func, layout, body, users)?;
            let is_plain = counts_up(func, op) && runs_to_its_end(func, body);
            if !is_plain && !is_guard(func, layout, op, &within, users) {
                return None;
            }
            found.loops.push((op, within));
        }
    }
    Some(found)
}

/// Whether a branch is taken where the one loop in it has a step.
fn is_guard(func: &Function, layout: &Layout, op: Op, within: &Growth, users: &BTreeSet<Op>) -> bool {
    let data = &func.ops[op];
    let (OpKind::If, 0, &[(looped, _)]) = (&data.kind, within.own, &within.loops[..]) else { return false };
    if func.ops[looped].kind != OpKind::For {
        return false;
    }
    let asks = func.def_op(data.args[0]).is_some_and(|asked| {
        func.ops[asked].kind == OpKind::Elem(ElemOp::Lt) && func.ops[asked].args == func.ops[looped].args[..2]
    });
    let used_otherwise =
        users.iter().any(|&user| layout.is_inside(user, op) && !layout.is_inside(user, looped));
    asks && !used_otherwise
}

/// A list's block, where what it becomes is made.
struct Begun<'f> {
    b: Builder<'f>,
    /// What stands in the block from the first access on.
    rest: Vec<Op>,
    /// How many items there are in the end.
    count: Value,
    /// See [`Writer::lengths`].
    lengths: BTreeMap<Op, (Value, Value)>,
}

impl<'f> Begun<'f> {
    /// Takes the list out of its block, and all that stands behind its first access.
    fn new(func: &'f mut Function, plan: &Plan) -> Self {
        let at = index_in(func, plan.home, plan.first).expect("the first access stands in the list's block");
        let rest = func.blocks[plan.home].ops.split_off(at);
        func.blocks[plan.home].ops.retain(|&op| op != plan.list);
        let mut b = Builder::new(func, plan.home);
        b.loc = b.func.ops[plan.list].loc;
        let mut lengths = BTreeMap::new();
        let count = length(&mut b, &plan.growth, &mut lengths);
        Self { b, rest, count, lengths }
    }
}

fn write(func: &mut Function, plan: &Plan, item: DType) {
    let items = func.ops[plan.list].args.clone();
    let Begun { mut b, mut rest, count: length, lengths } = Begun::new(func, plan);
    let array = b.value(OpKind::Empty, vec![length], Type::array(item, 1));
    let mut at = b.int(0);
    for item in items {
        b.effect(OpKind::StoreRaw, vec![array, item, at]);
        at = next(&mut b, at);
    }
    let mut replacements = Replacements::default();
    if let Some((made, looped)) = plan.copy {
        rest.retain(|&op| op != made && op != looped);
        replacements.replace(func.result(made), array);
    }
    replacements.replace(func.result(plan.list), array);
    let mut writer = Writer {
        users: &plan.users,
        lengths,
        replacements,
        access: &mut |b, op, length| access_at(b, op, (array, &[]), length),
    };
    writer.ops(func, plan.home, rest, at);
    writer.replacements.apply(func);
}

/// How many items are appended in all, or at least [`MOST`] where it is more; notes by loop what an iteration appends and what all do.
fn length(b: &mut Builder<'_>, growth: &Growth, found: &mut BTreeMap<Op, (Value, Value)>) -> Value {
    let mut terms = Vec::new();
    for (looped, within) in &growth.loops {
        let each = length(b, within, found);
        let all = match (&b.func.ops[*looped].kind, b.func.as_int(each)) {
            (OpKind::If, _) => each,
            (_, Some(1)) => trips(b, *looped),
            _ => {
                let trips = trips(b, *looped);
                product(b, trips, each)
            }
        };
        found.insert(*looped, (each, all));
        terms.push(all);
    }
    if growth.own > 0 {
        terms.push(b.int(i64::try_from(growth.own).expect("there are few places")));
    }
    let Some((&first, others)) = terms.split_first() else { return b.int(0) };
    if others.is_empty() {
        return first;
    }
    let most = b.int(MOST);
    let terms: Vec<Value> = terms.into_iter().map(|term| b.elem(ElemOp::Min, &[term, most])).collect();
    let sum = terms[1..].iter().fold(terms[0], |sum, &term| b.add(sum, term));
    b.elem(ElemOp::Min, &[sum, most])
}

/// The iterations of a loop by one, or [`MOST`] where an int64 may not hold them.
fn trips(b: &mut Builder<'_>, looped: Op) -> Value {
    let [start, stop] = [0, 1].map(|i| b.func.ops[looped].args[i]);
    let end = b.elem(ElemOp::Max, &[stop, start]);
    let trips = b.sub(end, start);
    if b.func.as_int(start).is_some_and(|start| start >= 0) {
        return trips;
    }
    let most = b.int(MOST);
    let (trips, most) = (b.cast(trips, DType::U64), b.cast(most, DType::U64));
    let trips = b.elem(ElemOp::Min, &[trips, most]);
    b.cast(trips, DType::I64)
}

/// A product of lengths, or [`MOST`] where it is more.
fn product(b: &mut Builder<'_>, trips: Value, each: Value) -> Value {
    let (one, most) = (b.int(1), b.int(MOST));
    let divisor = b.elem(ElemOp::Max, &[each, one]);
    let room = b.elem(ElemOp::FloorDiv, &[most, divisor]);
    let fits = b.elem(ElemOp::Le, &[trips, room]);
    let product = b.mul(trips, each);
    b.select(fits, product, most)
}

fn next(b: &mut Builder<'_>, at: Value) -> Value {
    let one = b.int(1);
    b.add(at, one)
}

/// Writes accesses of an array for those of a list.
struct Writer<'a> {
    users: &'a BTreeSet<Op>,
    /// By loop, how many items an iteration appends, and how many all of them do.
    lengths: BTreeMap<Op, (Value, Value)>,
    replacements: Replacements,
    /// Writes one access of a list that has so many items, for what it gives.
    access: &'a mut dyn FnMut(&mut Builder<'_>, Op, Value) -> Option<Value>,
}

impl Writer<'_> {
    /// Appends operations to a block before which the list has so many items; gives how many it has behind them.
    fn ops(&mut self, func: &mut Function, block: Block, ops: Vec<Op>, mut length: Value) -> Value {
        for op in ops {
            if self.users.contains(&op) {
                length = self.access(func, block, op, length);
                continue;
            }
            for region in func.ops[op].regions.clone() {
                let mut holds_user = false;
                func.walk(region, &mut |inner| holds_user |= self.users.contains(&inner));
                if holds_user {
                    let inner = std::mem::take(&mut func.blocks[region].ops);
                    let before = self.in_iteration(func, op, length);
                    self.ops(func, region, inner, before);
                }
            }
            func.blocks[block].ops.push(op);
            if let Some(&(_, all)) = self.lengths.get(&op) {
                let mut b = Builder::new(func, block);
                b.loc = b.func.ops[op].loc;
                length = b.add(length, all);
            }
        }
        length
    }

    /// How many items there are where an iteration begins, of a loop that appends; before others as many as before the loop.
    fn in_iteration(&self, func: &mut Function, looped: Op, length: Value) -> Value {
        let Some(&(each, _)) = self.lengths.get(&looped).filter(|_| func.ops[looped].kind == OpKind::For)
        else {
            return length;
        };
        let body = func.ops[looped].regions[0];
        let (start, index) = (func.ops[looped].args[0], func.blocks[body].params[0]);
        let mut b = Builder::new(func, body);
        b.loc = b.func.ops[looped].loc;
        let trips = b.sub(index, start);
        let grown = b.mul(trips, each);
        b.add(length, grown)
    }

    /// Writes one access; gives the list's length behind it.
    fn access(&mut self, func: &mut Function, block: Block, op: Op, length: Value) -> Value {
        let mut b = Builder::new(func, block);
        b.loc = b.func.ops[op].loc;
        if let Some(value) = (self.access)(&mut b, op, length) {
            self.replacements.replace(b.func.result(op), value);
        }
        let appends = b.func.ops[op].kind == OpKind::ListAppend;
        if appends { next(&mut b, length) } else { length }
    }
}

/// Writes an access of an array, or of a row of it, for one of a list that has so many items.
fn access_at(b: &mut Builder<'_>, op: Op, (array, row): (Value, &[Value]), length: Value) -> Option<Value> {
    let data = b.func.ops[op].clone();
    let element = |at: Value| [row, &[at]].concat();
    match data.kind {
        OpKind::ListAppend => {
            b.effect(OpKind::StoreRaw, [&[array, data.args[1]], &element(length)[..]].concat());
            None
        }
        OpKind::ListLen => Some(length),
        OpKind::ListGet => {
            let at = place(b, data.args[1], length, "list index out of range");
            let ty = b.func.ty(data.results[0]);
            Some(b.value(OpKind::LoadRaw, [&[array], &element(at)[..]].concat(), ty))
        }
        OpKind::ListSet => {
            let at = place(b, data.args[1], length, "list assignment index out of range");
            b.effect(OpKind::StoreRaw, [&[array, data.args[2]], &element(at)[..]].concat());
            None
        }
        _ => unreachable!("all users are known"),
    }
}

/// The index of an item, counted from the end where it is negative, if there is one.
fn place(b: &mut Builder<'_>, index: Value, length: Value, message: &str) -> Value {
    let zero = b.int(0);
    let (is_negative, from_end) = (b.elem(ElemOp::Lt, &[index, zero]), b.add(index, length));
    let at = b.select(is_negative, from_end, index);
    let (unsigned, end) = (b.cast(at, DType::U64), b.cast(length, DType::U64));
    let is_there = b.elem(ElemOp::Lt, &[unsigned, end]);
    b.check(is_there, Exc::IndexError, message, &[]);
    at
}
