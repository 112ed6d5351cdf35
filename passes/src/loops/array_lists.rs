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
//! at in between, its length is counted. A list that branches append to, that somebody else sees, or that loses items stays one.
//!
//! The array is made before the first item is there: a program whose list would not fit into memory says so at once.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Layout, Replacements, Uses, index_in};
use pydd_ir::{Block, Builder, DType, ElemOp, Exc, Function, Level, Module, Op, OpKind, Type, Value};

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
            for list in lists {
                if let Some(plan) = plan(func, list) {
                    write(func, &plan);
                }
            }
        },
    );
    Ok(())
}

/// How many items a block appends: so many itself, and in each iteration of these loops, in order.
#[derive(Default)]
struct Growth {
    own: usize,
    loops: Vec<(Op, Growth)>,
}

impl Growth {
    fn places(&self) -> usize {
        self.own + self.loops.iter().map(|(_, within)| within.places()).sum::<usize>()
    }

    /// All loops that append.
    fn ranges(&self) -> Vec<Op> {
        self.loops.iter().flat_map(|(looped, within)| [vec![*looped], within.ranges()].concat()).collect()
    }
}

struct Plan {
    list: Op,
    item: DType,
    /// Where it is: its block, and in that the first operation that appends or looks at it, or holds one that does.
    home: Block,
    first: Op,
    users: BTreeSet<Op>,
    growth: Growth,
    /// An array, and the loop that copies the list into it when nobody changes the list any more, or looks at its items.
    copy: Option<(Op, Op)>,
}

fn plan(func: &Function, list: Op) -> Option<Plan> {
    let value = func.result(list);
    let Some(Type::Scalar(item)) = func.ty(value).list_item() else { return None };
    let uses = Uses::new(func);
    let is_known = |kind: &OpKind| {
        matches!(kind, OpKind::ListAppend | OpKind::ListGet | OpKind::ListSet | OpKind::ListLen)
    };
    if !uses.of(value).iter().all(|one| one.index == 0 && is_known(&func.ops[one.op].kind)) {
        return None;
    }
    let users: BTreeSet<Op> = uses.of(value).iter().map(|one| one.op).collect();
    let layout = Layout::new(func);
    let home = layout.block_of(list)?;
    let mut growth = growth(func, &layout, home, &users)?;
    growth.own += func.ops[list].args.len();
    if growth.places() > PLACES {
        return None;
    }
    let stands_here = |op: &Op| layout.block_of(*op) == Some(home);
    let outermost = |&op: &Op| std::iter::once(op).chain(layout.ancestors(op)).find(stands_here);
    let first = users.iter().filter_map(outermost).min_by_key(|&op| layout.index_of(op))?;
    let is_there = |op: &Op| func.ops[*op].args[..2].iter().all(|&end| layout.dominates(func, end, first));
    let copy = copy(func, &layout, &uses, home, &users);
    growth.ranges().iter().all(is_there).then_some(Plan { list, item, home, first, users, growth, copy })
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
            if !counts_up(func, op) || !runs_to_its_end(func, body) {
                return None;
            }
            found.loops.push((op, growth(func, layout, body, users)?));
        }
    }
    Some(found)
}

fn write(func: &mut Function, plan: &Plan) {
    let at = index_in(func, plan.home, plan.first).expect("the first access stands in the list's block");
    let rest = func.blocks[plan.home].ops.split_off(at);
    func.blocks[plan.home].ops.retain(|&op| op != plan.list);
    let items = func.ops[plan.list].args.clone();
    let mut b = Builder::new(func, plan.home);
    b.loc = b.func.ops[plan.list].loc;
    let mut lengths = BTreeMap::new();
    let length = length(&mut b, &plan.growth, &mut lengths);
    let array = b.value(OpKind::Empty, vec![length], Type::array(plan.item, 1));
    let mut at = b.int(0);
    for item in items {
        b.effect(OpKind::StoreRaw, vec![array, item, at]);
        at = next(&mut b, at);
    }
    let mut rest = rest;
    let mut replacements = Replacements::default();
    if let Some((made, looped)) = plan.copy {
        rest.retain(|&op| op != made && op != looped);
        replacements.replace(func.result(made), array);
    }
    let mut writer = Writer { plan, array, lengths, replacements };
    writer.ops(func, plan.home, rest, at);
    writer.replacements.apply(func);
}

/// How many items are appended in all, or at least [`MOST`] where it is more; notes by loop what an iteration appends and what all do.
fn length(b: &mut Builder<'_>, growth: &Growth, found: &mut BTreeMap<Op, (Value, Value)>) -> Value {
    let mut terms = Vec::new();
    for (looped, within) in &growth.loops {
        let each = length(b, within, found);
        let trips = trips(b, *looped);
        let all = if b.func.as_int(each) == Some(1) { trips } else { product(b, trips, each) };
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

/// Writes accesses of the array for those of the list.
struct Writer<'a> {
    plan: &'a Plan,
    array: Value,
    /// By loop, how many items an iteration appends, and how many all of them do.
    lengths: BTreeMap<Op, (Value, Value)>,
    replacements: Replacements,
}

impl Writer<'_> {
    /// Appends operations to a block before which the list has so many items; gives how many it has behind them.
    fn ops(&mut self, func: &mut Function, block: Block, ops: Vec<Op>, mut length: Value) -> Value {
        for op in ops {
            if self.plan.users.contains(&op) {
                length = self.access(func, block, op, length);
                continue;
            }
            for region in func.ops[op].regions.clone() {
                let mut holds_user = false;
                func.walk(region, &mut |inner| holds_user |= self.plan.users.contains(&inner));
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
        let Some(&(each, _)) = self.lengths.get(&looped) else { return length };
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
        let data = func.ops[op].clone();
        let mut b = Builder::new(func, block);
        b.loc = data.loc;
        match data.kind {
            OpKind::ListAppend => {
                b.effect(OpKind::StoreRaw, vec![self.array, data.args[1], length]);
                return next(&mut b, length);
            }
            OpKind::ListLen => self.replacements.replace(data.results[0], length),
            OpKind::ListGet => {
                let at = place(&mut b, data.args[1], length, "list index out of range");
                let item = b.value(OpKind::LoadRaw, vec![self.array, at], Type::Scalar(self.plan.item));
                self.replacements.replace(data.results[0], item);
            }
            OpKind::ListSet => {
                let at = place(&mut b, data.args[1], length, "list assignment index out of range");
                b.effect(OpKind::StoreRaw, vec![self.array, data.args[2], at]);
            }
            _ => unreachable!("all users are known"),
        }
        length
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
