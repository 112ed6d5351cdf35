//! Makes one loop of those within another one that hand a row of numbers on, which then is one number at a time.
//!
//! ```text
//! for %i in 0, %n {                                      for %i in 0, %n {
//!     for %j in 0, %m { …; store %t[%j], %x }                %r = for %j in 0, %m, carried %s {
//!     %r = for %j in 0, %m, carried %s {            ⇒            …
//!         %y = load %t[%j] …                                     with %x for %y …
//!     }                                                      }
//! }                                                      }
//! ```
//!
//! That is for lanes alone: else a loop whose steps wait for each other would keep the other one from being made of vectors.

use std::collections::BTreeSet;

use pydd_ir::rewrite::{Layout, Replacements, Uses, erase_ops, index_in};
use pydd_ir::{Block, Function, Op, OpKind, Value};

use crate::loops::fuse_loops;

/// The one loop that those within `outer` become.
pub fn make_one(func: &mut Function, outer: Op, loops: &[Op]) -> Option<Op> {
    let (&first, rest) = loops.split_first()?;
    if rest.is_empty() {
        return Some(first);
    }
    let rows = rows(func, loops)?;
    let body = func.ops[outer].regions[0];
    let mut inner = first;
    for &next in rest {
        let places = [index_in(func, body, inner)?, index_in(func, body, next)?];
        let before = moved_before(func, body, places)?;
        inner = fuse_loops::join(func, body, places, before);
    }
    for row in rows {
        hand_on(func, func.ops[inner].regions[0], row)?;
    }
    Some(inner)
}

/// The arrays that loops over one range fill and read at their own index, and nobody else does.
fn rows(func: &Function, loops: &[Op]) -> Option<BTreeSet<Value>> {
    let (uses, layout) = (Uses::new(func), Layout::new(func));
    let range = func.ops[loops[0]].args.get(..3)?.to_vec();
    let mut rows = BTreeSet::new();
    for &looped in loops {
        let data = &func.ops[looped];
        (data.kind == OpKind::For && data.args[..3] == range).then_some(())?;
        let mut stores = Vec::new();
        let mut plain = true;
        func.walk(data.regions[0], &mut |op| {
            let kind = &func.ops[op].kind;
            plain &= !matches!(kind, OpKind::Check { .. } | OpKind::Break(_) | OpKind::Return);
            if *kind == OpKind::StoreRaw {
                stores.push(op);
            }
        });
        plain.then_some(())?;
        rows.extend(stores.iter().map(|&store| func.ops[store].args[0]));
    }
    let own_element = |op: Op, place: u32| {
        let here = loops.iter().find(|&&looped| layout.block_of(op) == Some(func.ops[looped].regions[0]));
        let indices = match func.ops[op].kind {
            OpKind::LoadRaw => &func.ops[op].args[1..],
            OpKind::StoreRaw => &func.ops[op].args[2..],
            _ => return false,
        };
        place == 0
            && here.is_some_and(|&looped| indices == &func.blocks[func.ops[looped].regions[0]].params[..1])
    };
    let is_row = |&row: &Value| {
        let stores = uses.of(row).iter().filter(|one| func.ops[one.op].kind == OpKind::StoreRaw).count();
        func.def_op(row).is_some_and(|made| func.ops[made].kind == OpKind::Empty)
            && stores == 1
            && uses.of(row).iter().all(|one| own_element(one.op, one.index))
    };
    rows.iter().all(is_row).then_some(rows)
}

/// Of what stands between two loops, what may move before them: what does not use what the first one gives. The rest moves behind
/// them: numbers, and elements of fresh arrays, which the second loop does not use.
fn moved_before(func: &Function, body: Block, [first, second]: [usize; 2]) -> Option<Vec<Op>> {
    let ops = &func.blocks[body].ops;
    let mut made: BTreeSet<Value> = func.ops[ops[first]].results.iter().copied().collect();
    let mut before = Vec::new();
    for &op in &ops[first + 1..second] {
        let data = &func.ops[op];
        let is_store = data.kind == OpKind::StoreRaw;
        let plain = matches!(data.kind, OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_));
        if is_store {
            func.def_op(data.args[0]).filter(|&made| func.ops[made].kind == OpKind::Empty)?;
            made.insert(data.args[0]);
        } else if !plain {
            return None;
        } else if data.args.iter().any(|arg| made.contains(arg)) {
            made.extend(&data.results);
        } else {
            before.push(op);
        }
    }
    let mut uses = func.ops[ops[second]].args.iter().any(|arg| made.contains(arg));
    func.walk(func.ops[ops[second]].regions[0], &mut |op| {
        uses |= func.ops[op].args.iter().any(|arg| made.contains(arg));
    });
    (!uses).then_some(before)
}

/// Uses the number that is stored where it is loaded behind, instead of the row.
fn hand_on(func: &mut Function, body: Block, row: Value) -> Option<()> {
    let mut replacements = Replacements::default();
    let mut gone = BTreeSet::new();
    let mut stored = None;
    for &op in &func.blocks[body].ops {
        let data = &func.ops[op];
        if data.args.first() != Some(&row) {
            continue;
        }
        match data.kind {
            OpKind::StoreRaw => stored = Some(data.args[1]),
            _ => replacements.replace(data.results[0], stored?),
        }
        gone.insert(op);
    }
    gone.extend(func.def_op(row));
    erase_ops(func, &gone);
    replacements.apply(func);
    Some(())
}
