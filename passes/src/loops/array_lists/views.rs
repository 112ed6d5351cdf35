//! Lists of views that follow from their number: the views are made where they are looked at.
//!
//! ```text
//! %l = list_new
//! for %i in 0, %n {
//!     %v = raw_view %a, (mul %i, 8), %w …
//!     list_append %l, %v              ⇒
//! }
//! %y = list_get %l, %k                      %y = raw_view %a, (mul %k, 8), %w …
//! ```
//!
//! Windows of a series are such (`[x[t : t + w] for t in range(n)]`). One loop appends one view in each iteration, and what it is made of is
//! numbers, and what was there before the loop; nothing looks at the list before the end of that loop.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Cloner, Layout, Replacements, Uses};
use pydd_ir::{Builder, Function, Op, OpKind, Value};

use super::{Begun, Plan, Writer, place, plan};
use crate::loops::is_number;

/// A list of views.
pub(super) struct Views {
    items: Plan,
    /// The loop that appends them.
    looped: Op,
    /// What makes one in an iteration, in order.
    made: Vec<Op>,
}

pub(super) fn views(func: &Function, layout: &Layout, uses: &Uses, list: Op) -> Option<Views> {
    let items = plan(func, layout, uses, list)?;
    let (0, &[(looped, ref within)]) = (items.growth.own, &items.growth.loops[..]) else { return None };
    let body = *func.ops[looped].regions.first()?;
    let is = |kind: OpKind| move |op: &Op| func.ops[*op].kind == kind;
    let append = items.users.iter().copied().find(is(OpKind::ListAppend))?;
    let fits = func.ops[looped].kind == OpKind::For
        && (within.own, within.loops.len()) == (1, 0)
        && layout.block_of(append) == Some(body)
        && items.handed.is_empty()
        && !items.users.iter().any(is(OpKind::ListSet))
        && items.users.iter().all(|&op| op == append || is_behind(layout, looped, op));
    let item = func.def_op(func.ops[append].args[1])?;
    let made = fits.then(|| makers(func, layout, looped, item))??;
    Some(Views { items, looped, made })
}

fn is_behind(layout: &Layout, looped: Op, op: Op) -> bool {
    layout.is_before(looped, op) && !layout.is_inside(op, looped)
}

/// What an iteration makes a view of, and the view, if that is numbers and what was there before the loop.
fn makers(func: &Function, layout: &Layout, looped: Op, view: Op) -> Option<Vec<Op>> {
    let body = func.ops[looped].regions[0];
    let index = func.blocks[body].params[0];
    if func.ops[view].kind != OpKind::RawView {
        return None;
    }
    let (mut waiting, mut made) = (vec![view], BTreeSet::new());
    while let Some(op) = waiting.pop() {
        let data = &func.ops[op];
        let stands_there = layout.block_of(op) == Some(body);
        (stands_there && (op == view || is_number(&data.kind))).then_some(())?;
        if made.insert(op) {
            let own = |&arg: &Value| arg != index && !layout.dominates(func, arg, looped);
            for arg in data.args.iter().copied().filter(own) {
                waiting.push(func.def_op(arg)?);
            }
        }
    }
    Some(func.blocks[body].ops.iter().copied().filter(|op| made.contains(op)).collect())
}

pub(super) fn write(func: &mut Function, views: &Views) {
    let Views { items, looped, made } = views;
    let start = func.ops[*looped].args[0];
    let Begun { mut b, rest, count: _, lengths } = Begun::new(func, items);
    let none = b.int(0);
    let mut writer = Writer {
        users: &items.users,
        lengths,
        replacements: Replacements::default(),
        access: &mut |b, op, length| match b.func.ops[op].kind {
            OpKind::ListAppend => None,
            OpKind::ListGet => {
                let index = b.func.ops[op].args[1];
                let at = place(b, index, length, "list index out of range");
                let number = b.add(start, at);
                Some(make(b, *looped, made, number))
            }
            _ => Some(length),
        },
    };
    writer.ops(func, items.home, rest, none);
    writer.replacements.apply(func);
}

/// The view that an iteration made.
fn make(b: &mut Builder<'_>, looped: Op, made: &[Op], number: Value) -> Value {
    let mut cloner = Cloner::default();
    let body = b.func.ops[looped].regions[0];
    cloner.values.insert(b.func.blocks[body].params[0], number);
    let mut last = None;
    for &op in made {
        let copy = cloner.op(b.func, None, op);
        let block = b.block;
        b.func.blocks[block].ops.push(copy);
        last = Some(copy);
    }
    b.func.result(last.expect("a view is made"))
}
