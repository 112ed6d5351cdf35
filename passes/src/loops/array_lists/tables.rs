//! Lists of rows that are all made anew, and all of one length: two axes of one array.
//!
//! ```text
//! %t = list_new                                       %a = empty %n, %m
//! for %i in 0, %n {                                   for %i in 0, %n {
//!     %r = list_new                                       for %j in 0, %m { store_raw %a, %x, %i, %j }
//!     for %j in 0, %m { list_append %r, %x }     ⇒    }
//!     list_append %t, %r                              %y = load_raw %a, %k, %l
//! }
//! %y = list_get (list_get %t, %k), %l
//! ```
//!
//! Rows are made at one place, and known under their own name only until they are handed over.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::{Layout, Replacements, Uses, build_before, replace_op};
use pydd_ir::{Builder, DType, Function, Op, OpKind, Type};

use super::{Begun, Plan, Writer, access_at, length, place, plan};

/// A list of rows.
pub(super) struct Table {
    rows: Plan,
    row: Plan,
    item: DType,
    /// Give a row.
    gets: BTreeSet<Op>,
}

pub(super) fn table(func: &Function, layout: &Layout, uses: &Uses, list: Op) -> Option<Table> {
    let rows = plan(func, layout, uses, list)?;
    let is = |kind: OpKind| move |op: &Op| func.ops[*op].kind == kind;
    let mut appends = rows.users.iter().copied().filter(is(OpKind::ListAppend));
    let (append, None) = (appends.next()?, appends.next()) else { return None };
    let plain = func.ops[list].args.is_empty() && rows.handed.is_empty();
    if !plain || rows.users.iter().any(is(OpKind::ListSet)) {
        return None;
    }
    let made = func.def_op(func.ops[append].args[1]).filter(is(OpKind::ListNew))?;
    let Some(Type::Scalar(item)) = func.ty(func.result(made)).list_item() else { return None };
    let row = plan(func, layout, uses, made)?;
    let gets: BTreeSet<Op> = rows.users.iter().copied().filter(is(OpKind::ListGet)).collect();
    let is_access = |op: Op| matches!(func.ops[op].kind, OpKind::ListGet | OpKind::ListSet | OpKind::ListLen);
    let only_accessed = gets
        .iter()
        .all(|&get| uses.of(func.result(get)).iter().all(|one| one.index == 0 && is_access(one.op)));
    // How long rows are is known before the first of them.
    let is_known =
        |op: &Op| func.ops[*op].args[..2].iter().all(|&end| layout.dominates(func, end, rows.first));
    let fits = row.handed.iter().eq([&append])
        && row.home != rows.home
        && layout.block_of(append) == Some(row.home)
        && row.growth.ranges(func).iter().all(is_known)
        && only_accessed;
    fits.then_some(Table { rows, row, item, gets })
}

pub(super) fn write(func: &mut Function, uses: &Uses, table: &Table) {
    let Table { rows, row, item, .. } = table;
    let Begun { mut b, rest, count, lengths: of_rows } = Begun::new(func, rows);
    let mut of_row = BTreeMap::new();
    let width = length(&mut b, &row.growth, &mut of_row);
    let array = b.value(OpKind::Empty, vec![count, width], Type::array(*item, 2));
    let none = b.int(0);

    // Which row is appended, and which ones are looked at.
    let (mut own, mut looked_at) = (none, BTreeMap::new());
    let mut writer = Writer {
        users: &rows.users,
        lengths: of_rows,
        replacements: Replacements::default(),
        access: &mut |b, op, length| match b.func.ops[op].kind {
            OpKind::ListAppend => {
                own = length;
                None
            }
            OpKind::ListGet => {
                let index = b.func.ops[op].args[1];
                looked_at.insert(op, place(b, index, length, "list index out of range"));
                None
            }
            _ => Some(length),
        },
    };
    writer.ops(func, rows.home, rest, none);
    writer.replacements.apply(func);

    let ops = std::mem::take(&mut func.blocks[row.home].ops);
    let at = ops.iter().position(|&op| op == row.list).expect("a row is made in its block");
    let (before, behind) = ops.split_at(at);
    func.blocks[row.home].ops = before.to_vec();
    let mut b = Builder::new(func, row.home);
    b.loc = b.func.ops[row.list].loc;
    let mut length = b.int(0);
    for item in b.func.ops[row.list].args.clone() {
        b.effect(OpKind::StoreRaw, vec![array, item, own, length]);
        length = super::next(&mut b, length);
    }
    let mut writer = Writer {
        users: &row.users,
        lengths: of_row,
        replacements: Replacements::default(),
        access: &mut |b, op, length| access_at(b, op, (array, &[own]), length),
    };
    writer.ops(func, row.home, behind[1..].to_vec(), length);
    writer.replacements.apply(func);

    for &get in &table.gets {
        for one in uses.of(func.result(get)) {
            let value =
                build_before(func, one.op, |b| access_at(b, one.op, (array, &[looked_at[&get]]), width));
            replace_op(func, one.op, &Vec::from_iter(value));
        }
    }
}
