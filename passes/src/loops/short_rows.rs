//! Adds up short rows several at a time, or column by column.
//!
//! ```text
//! for %i in 0, %n {                                 if %m <= 16 {
//!     for %j in 0, %m {                                 for %b in 0, %n / 16 {
//!         %x = load_raw %a, %i, %j                          for %k in 0, 16 * %m {
//!         %s = load_raw %t, %j                                  %x = load_raw %flat, %b * 16 * %m + %k
//!         store_raw %t, (add %s, %x), %j                        store_raw %u, (add (load_raw %u, %k), %x), %k
//!     }                                          ⇒      } }
//! }                                                     … %t[j] = %t[j] + %u[j] + %u[m + j] + …
//!                                                   }
//!                                                   the loops as they were, for all rows or up to 15 that are left
//! ```
//!
//! That is `X.sum(axis=0)`, `X.min(axis=0)`, `((X - mean) ** 2).mean(axis=0)` of points and tables with few columns: vectors of a row's length are mostly empty, and each
//! element waits for the one of the row before. Sixteen rows of an array without gaps are one long row; what has a number for each column is repeated for that.
//!
//! Where nothing has elements by both indices, as in `np.maximum(q, e[:, None]).sum(axis=0)`, the loops change places instead, and LLVM makes vectors of each sum.
//!
//! It leaves alone: floats under `--strict-fp` (of zeros of both signs the last one is the least), bodies with anything but numbers and elements, rows that are stored into arrays which
//! others may see, devices.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, Uses, position};
use pydd_ir::{Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, ReduceOp, Type, Value};

use super::coalesce::{counted, flat};
use super::{fast_functions, take_out, whole_groups};
use crate::lower::identity;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "short-rows",
    summary: "add up short rows several at a time, or column by column",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Rows that become one.
const ROWS: i64 = 16;
/// Columns at most; vectors are full of more.
const COLUMNS: i64 = 16;
/// Rows at least, for which it is worth to make the arrays.
const FEWEST: i64 = 256;
/// Operations of a body at most.
const LONGEST: usize = 40;
/// The cost of what is computed for each row before its columns, at most.
const MOST: i64 = 4;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in fast_functions(module).filter(|func| !func.device) {
        let memory = MemoryInfo::new(func, &summaries);
        let found = |op: Op| nest(func, &memory, op, cx.options.strict_fp);
        let nests: Vec<Nest> = func.hot_ops().into_iter().filter_map(found).collect();
        for nest in &nests {
            rewrite(func, nest);
        }
    }
    Ok(())
}

/// What an array's elements are named by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Row,
    Column,
    Both,
}

/// Sums of rows.
struct Nest {
    outer: Op,
    inner: Op,
    rows: Value,
    columns: Value,
    /// The loads of the body but for those of sums, and what names their elements.
    loads: BTreeMap<Op, Named>,
    sums: Vec<Sum>,
}

/// An element for each column, with which each row is combined.
struct Sum {
    array: Value,
    elem: ElemOp,
    load: Op,
    store: Op,
}

fn nest(func: &Function, memory: &MemoryInfo, outer: Op, strict_fp: bool) -> Option<Nest> {
    let (rows, body) = counted(func, outer)?;
    let &[ref before @ .., inner, _] = &func.blocks[body].ops[..] else { return None };
    let (columns, inside) = counted(func, inner)?;
    let layout = Layout::new(func);
    let known = |value: Value| layout.dominates(func, value, outer);
    if func.as_int(columns).is_some() || !known(columns) || !known(rows) || cost(func, before) > MOST {
        return None;
    }
    let (i, j) = (func.blocks[body].params[0], func.blocks[inside].params[0]);
    let (&end, ops) = func.blocks[inside].ops.split_last()?;
    let uses = Uses::new(func);
    let by_index = |value: Value| value == i || value == j;
    let mut loads: BTreeMap<Op, Named> = BTreeMap::new();
    let mut stores = Vec::new();
    for &op in before.iter().chain(ops) {
        let data = &func.ops[op];
        match (&data.kind, &data.args[..]) {
            (OpKind::LoadRaw, &[array, index]) if known(array) && by_index(index) => {
                loads.insert(op, if index == i { Named::Row } else { Named::Column });
            }
            (OpKind::LoadRaw, &[array, row, column]) if known(array) && [row, column] == [i, j] => {
                loads.insert(op, Named::Both);
            }
            (OpKind::StoreRaw, &[_, value, index]) if index == j && !by_index(value) => stores.push(op),
            (kind, args) if super::is_number(kind) && !args.iter().any(|&arg| by_index(arg)) => {}
            _ => return None,
        }
    }
    let suits = func.ops[end].kind == OpKind::Continue(0) && ops.len() <= LONGEST && !stores.is_empty();
    if !suits {
        return None;
    }
    let mut sums = Vec::new();
    for store in stores {
        let sum = sum(func, &uses, &loads, store)?;
        loads.remove(&sum.load);
        sums.push(sum);
    }
    let apart = |&load: &Op| {
        let array = func.ops[load].args[0];
        !sums.iter().any(|sum| memory.may_alias(array, sum.array))
    };
    let each_once = sums.iter().map(|sum| sum.array).collect::<BTreeSet<Value>>().len() == sums.len();
    let has = |wanted: Named| loads.values().any(|&named| named == wanted);
    let is_float = |sum: &Sum| func.ty(sum.array).dtype().is_some_and(DType::is_float);
    // Rows that are one, which are combined in another order, or nothing that has rows at all.
    let suits = match (has(Named::Both), has(Named::Row)) {
        (true, false) => !strict_fp || !sums.iter().any(is_float),
        (false, has_rows) => has_rows,
        (true, true) => false,
    };
    (suits && each_once && loads.keys().all(apart)).then_some(Nest {
        outer,
        inner,
        rows,
        columns,
        loads,
        sums,
    })
}

/// What it costs to compute this for each column instead of for each row.
fn cost(func: &Function, ops: &[Op]) -> i64 {
    let cost = |&op: &Op| match func.ops[op].kind {
        OpKind::Elem(elem) => elem.cost(),
        _ => 0,
    };
    ops.iter().map(cost).sum()
}

/// A store of what an element and something else are combined to, into an array that is made here.
fn sum(func: &Function, uses: &Uses, loads: &BTreeMap<Op, Named>, store: Op) -> Option<Sum> {
    let array = func.ops[store].args[0];
    let made = func.def_op(array)?;
    let combined = func.def_op(func.ops[store].args[1])?;
    let (&OpKind::Elem(elem), &[a, b]) = (&func.ops[combined].kind, &func.ops[combined].args[..]) else {
        return None;
    };
    let dtype = func.ty(array).dtype()?;
    let is_number = dtype.is_int() || dtype.is_float();
    if !matches!(elem, ElemOp::Add | ElemOp::Min | ElemOp::Max) || !is_number {
        return None;
    }
    let old = |value: Value| {
        let load = func.def_op(value)?;
        let own = loads.get(&load) == Some(&Named::Column) && func.ops[load].args[0] == array;
        (own && uses.single(value).is_some()).then_some(load)
    };
    let load = old(a).or_else(|| old(b))?;
    let only = uses.single(func.result(combined)).is_some();
    let own = matches!(func.ops[made].kind, OpKind::Empty | OpKind::Zeros);
    (only && own).then_some(Sum { array, elem, load, store })
}

fn rewrite(func: &mut Function, nest: &Nest) {
    take_out(func, nest.outer, |kind| matches!(kind, OpKind::Const(_)));
    let data = func.ops[nest.outer].clone();
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let (most, least) = (b.int(COLUMNS), b.int(FEWEST));
    let few = b.elem(ElemOp::Le, &[nest.columns, most]);
    let many = b.elem(ElemOp::Le, &[least, nest.rows]);
    let mut short = b.elem(ElemOp::And, &[few, many]);
    let both: BTreeSet<Value> = nest
        .loads
        .iter()
        .filter(|(_, named)| **named == Named::Both)
        .map(|(&op, _)| b.func.ops[op].args[0])
        .collect();
    for array in both {
        let holds = has_no_gaps(&mut b, array, nest.columns);
        short = b.elem(ElemOp::And, &[short, holds]);
    }
    let changes_places = nest.loads.values().all(|&named| named != Named::Both);
    let does = b.region(&[], |b, _| {
        let done = if changes_places { by_columns(b, nest) } else { by_rows(b, nest) };
        b.effect(OpKind::Yield, vec![done]);
    });
    let idle = b.region(&[], |b, _| {
        let none = b.int(0);
        b.effect(OpKind::Yield, vec![none]);
    });
    let choice = b.op(OpKind::If, vec![short], &[Type::I64], vec![does, idle]);
    let start = b.func.result(choice);
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, nest.outer).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..at, made);
    func.ops[nest.outer].args[0] = start;
}

/// Whether the rows of a matrix follow each other, each of so many elements.
fn has_no_gaps(b: &mut Builder<'_>, array: Value, columns: Value) -> Value {
    let dtype = b.func.ty(array).dtype().expect("an array");
    let unit = b.int(i64::try_from(dtype.size()).expect("small"));
    let row = b.mul(columns, unit);
    let [rows, elements] = [(0, row), (1, unit)].map(|(axis, expected)| {
        let stride = b.value(OpKind::Stride(axis), vec![array], Type::I64);
        b.elem(ElemOp::Eq, &[stride, expected])
    });
    b.elem(ElemOp::And, &[rows, elements])
}

/// All rows, the loops in the other order, with each sum in a register. Gives how many rows there are.
fn by_columns(b: &mut Builder<'_>, nest: &Nest) -> Value {
    let (none, one) = (b.int(0), b.int(1));
    let inside = b.func.ops[nest.inner].regions[0];
    let outside = b.func.ops[nest.outer].regions[0];
    let indices = [b.func.blocks[outside].params[0], b.func.blocks[inside].params[0]];
    b.for_loop([none, nest.columns, one], &[], |b, column, _| {
        let init: Vec<Value> = nest.sums.iter().map(|sum| load(b, sum.array, column)).collect();
        let sums = b.for_loop([none, nest.rows, one], &init, |b, row, carried| {
            let mut cloner = Cloner::default();
            cloner.values.insert_all(&indices, &[row, column]);
            for (sum, &value) in nest.sums.iter().zip(carried) {
                cloner.values.insert(b.func.result(sum.load), value);
            }
            let done = body(b, nest, &mut cloner, |b, cloner, op| {
                let copy = cloner.op(b.func, None, op);
                let block = b.block;
                b.func.blocks[block].ops.push(copy);
            });
            nest.sums.iter().map(|sum| done.get(b.func.ops[sum.store].args[1])).collect()
        });
        for (sum, value) in nest.sums.iter().zip(sums) {
            b.effect(OpKind::StoreRaw, vec![sum.array, value, column]);
        }
        vec![]
    });
    nest.rows
}

/// As many rows as are whole groups, each group one row. Gives how many these are.
fn by_rows(b: &mut Builder<'_>, nest: &Nest) -> Value {
    let (none, one, group) = (b.int(0), b.int(1), b.int(ROWS));
    let length = b.mul(nest.columns, group);
    let whole = whole_groups(b, none, nest.rows, ROWS);
    // What is combined, and what is repeated, for a group.
    let mut arrays: BTreeMap<Value, Value> = BTreeMap::new();
    for sum in &nest.sums {
        let own = empty(b, sum.array, length);
        arrays.insert(sum.array, own);
    }
    for (&op, &named) in &nest.loads {
        let array = b.func.ops[op].args[0];
        arrays.entry(array).or_insert_with(|| match named {
            Named::Both => flat(b, array, nest.columns),
            Named::Row | Named::Column => empty(b, array, length),
        });
    }
    let repeated: BTreeSet<Value> = nest
        .loads
        .iter()
        .filter(|(_, named)| **named == Named::Column)
        .map(|(&op, _)| b.func.ops[op].args[0])
        .collect();
    b.for_loop([none, group, one], &[], |b, row, _| {
        let first = b.mul(row, nest.columns);
        b.for_loop([none, nest.columns, one], &[], |b, column, _| {
            let place = b.add(first, column);
            for sum in &nest.sums {
                let dtype = b.func.ty(sum.array).dtype().expect("an array");
                let nothing = match sum.elem {
                    ElemOp::Min => identity(b, ReduceOp::Min, dtype),
                    ElemOp::Max => identity(b, ReduceOp::Max, dtype),
                    // Which changes not even the sign of a zero.
                    _ => b.number(-0.0, dtype),
                };
                b.effect(OpKind::StoreRaw, vec![arrays[&sum.array], nothing, place]);
            }
            for &array in &repeated {
                let value = load(b, array, column);
                b.effect(OpKind::StoreRaw, vec![arrays[&array], value, place]);
            }
            vec![]
        });
        vec![]
    });
    b.for_loop([none, whole, group], &[], |b, row, _| {
        let first = b.mul(row, nest.columns);
        b.for_loop([none, length, one], &[], |b, place, _| {
            let at = b.add(first, place);
            let mut cloner = Cloner::default();
            let done = body(b, nest, &mut cloner, |b, cloner, op| {
                let array = b.func.ops[op].args[0];
                let index = if nest.loads.get(&op) == Some(&Named::Both) { at } else { place };
                let value = load(b, arrays[&array], index);
                cloner.values.insert(b.func.result(op), value);
            });
            for sum in &nest.sums {
                let value = done.get(b.func.ops[sum.store].args[1]);
                b.effect(OpKind::StoreRaw, vec![arrays[&sum.array], value, place]);
            }
            vec![]
        });
        vec![]
    });
    b.for_loop([none, nest.columns, one], &[], |b, column, _| {
        for sum in &nest.sums {
            let mut value = load(b, sum.array, column);
            for row in 0..ROWS {
                let row = b.int(row);
                let first = b.mul(row, nest.columns);
                let place = b.add(first, column);
                let own = load(b, arrays[&sum.array], place);
                value = b.elem(sum.elem, &[value, own]);
            }
            b.effect(OpKind::StoreRaw, vec![sum.array, value, column]);
        }
        vec![]
    });
    whole
}

/// What stands for values of a copy.
struct Done(pydd_ir::rewrite::ValueMap);

impl Done {
    fn get(&self, value: Value) -> Value {
        self.0.get(value).unwrap_or(value)
    }
}

/// Copies the body without its stores; `access` copies the loads that nothing stands for yet.
fn body(
    b: &mut Builder<'_>,
    nest: &Nest,
    cloner: &mut Cloner,
    mut access: impl FnMut(&mut Builder<'_>, &mut Cloner, Op),
) -> Done {
    let [outside, inside] = [nest.outer, nest.inner].map(|looped| b.func.ops[looped].regions[0]);
    for op in
        [outside, inside].iter().flat_map(|&block| b.func.blocks[block].ops.clone()).collect::<Vec<Op>>()
    {
        match b.func.ops[op].kind {
            OpKind::StoreRaw | OpKind::For | OpKind::Continue(_) => {}
            OpKind::LoadRaw if cloner.values.get(b.func.result(op)).is_some() => {}
            OpKind::LoadRaw => access(b, cloner, op),
            _ => {
                let copy = cloner.op(b.func, None, op);
                let block = b.block;
                b.func.blocks[block].ops.push(copy);
            }
        }
    }
    Done(cloner.values.clone())
}

fn load(b: &mut Builder<'_>, array: Value, index: Value) -> Value {
    let dtype = b.func.ty(array).dtype().expect("an array");
    b.value(OpKind::LoadRaw, vec![array, index], Type::Scalar(dtype))
}

/// A vector of this length, of the elements of another array.
fn empty(b: &mut Builder<'_>, array: Value, length: Value) -> Value {
    let dtype = b.func.ty(array).dtype().expect("an array");
    b.value(OpKind::Empty, vec![length], Type::array(dtype, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::testing::{count, parse};

    #[test]
    fn sums_of_floats_in_source_order_stay() {
        let text = |elem: &str| {
            format!(
                "
        func @f loop fast (%0: array<f64, 2>) -> (array<f64, 1>) {{
          %1: i64 = dim[0] %0
          %2: i64 = dim[1] %0
          %3: array<f64, 1> = zeros %2
          %4: i64 = const 0
          %5: i64 = const 1
          for %4, %1, %5 {{
          (%6: i64):
            for %4, %2, %5 {{
            (%7: i64):
              %8: f64 = load_raw %0, %6, %7
              %9: f64 = load_raw %3, %7
              %10: f64 = {elem} %9, %8
              store_raw %3, %10, %7
              continue[0]
            }}
            continue[0]
          }}
          return %3
        }}"
            )
        };
        for (elem, strict_fp, loops) in
            [("add", true, 2), ("add", false, 7), ("min", true, 2), ("min", false, 7)]
        {
            let mut module = parse(&text(elem));
            let options = Options { strict_fp, ..Options::default() };
            run(&mut module, &PassContext::quiet(&options)).unwrap();
            let func = module.funcs.values().next().unwrap();
            assert_eq!(count(func, |kind| *kind == OpKind::For), loops, "{elem}");
        }
    }
}
