//! Loops of which a thread does several short iterations, so that memory has more to do at a time than one access of each thread.
//!
//! What the iterations read is asked for before the first of them has it. They are as far apart as neighbouring threads need to touch neighbouring elements: a block's threads, or,
//! where the loop was made of two, a row. Those of a column also find what they share, as stencils do, and the row they are in with one division.

use super::environment;
use pydd_abi::device::{DeviceLanes, LANES_SEVERAL, LANES_SEVERAL_ROWS};
use pydd_ir::{DType, ElemOp, Function, Op, OpKind, Value};
use std::collections::BTreeSet;

/// How a thread does them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Several {
    /// The loop over the iterations.
    pub own: Op,
    pub count: u32,
    /// Where iterations are elements of rows.
    pub rows: Option<Rows>,
    /// What they read before they write, and what that needs, in the iteration's order: iterations do not depend on each other, and so it may be read ahead.
    pub ahead: Vec<Op>,
}

/// A loop that was made of two: how an iteration finds its row, and its place in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// How many iterations a row has.
    pub width: Value,
    /// Its place in the environment.
    word: u32,
    /// The quotient of the index by that.
    pub row: Op,
    /// The rest.
    pub column: Option<Op>,
}

/// What all operations of an iteration may cost, in additions, for as many iterations.
const COUNTS: [(i64, u32); 2] = [(32, 4), (64, 2)];

/// An access to memory, in additions.
const ACCESS: i64 = 2;

impl Several {
    /// How a kernel's threads do the iterations of a region; nothing where each has one at a time.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        if !func.results.is_empty() {
            return None;
        }
        let ops = &func.blocks[func.entry].ops;
        let own = ops.iter().copied().find(|&op| func.ops[op].kind.is_loop())?;
        if func.ops[own].kind != OpKind::For || func.as_int(func.ops[own].args[2]) != Some(1) {
            return None;
        }
        let rows = Rows::of(func, own);
        let mut cost = Some(0);
        func.walk(func.ops[own].regions[0], &mut |op| {
            let is_given = rows.as_ref().is_some_and(|rows| rows.row == op);
            let own = if is_given { Some(0) } else { cost_of(func, op) };
            cost = cost.zip(own).map(|(all, own)| all + own);
        });
        let cost = cost?;
        let &(_, count) = COUNTS.iter().find(|(most, _)| cost <= *most)?;
        Some(Self { own, count, rows, ahead: ahead(func, own) })
    }

    /// As the runtime is told.
    #[must_use]
    pub fn lanes(&self) -> DeviceLanes {
        let (kind, word) = match &self.rows {
            Some(rows) => (LANES_SEVERAL_ROWS, rows.word),
            None => (LANES_SEVERAL, 0),
        };
        DeviceLanes { kind, word, count: self.count.into() }
    }
}

impl Rows {
    fn of(func: &Function, own: Op) -> Option<Self> {
        let body = func.ops[own].regions[0];
        let index = func.blocks[body].params[0];
        let ops = &func.blocks[body].ops;
        let row = ops.iter().copied().find(|&op| {
            let data = &func.ops[op];
            data.kind == OpKind::Elem(ElemOp::FloorDiv) && data.args[0] == index
        })?;
        let width = func.ops[row].args[1];
        let word = environment::number(func, width)?;
        let before = |value: Value| {
            let product = func.def_op(value).map(|op| &func.ops[op]);
            let factors = [func.result(row), width];
            product.is_some_and(|data| {
                data.kind == OpKind::Elem(ElemOp::Mul)
                    && factors.iter().all(|factor| data.args.contains(factor))
            })
        };
        let column = ops.iter().copied().find(|&op| {
            let data = &func.ops[op];
            data.kind == OpKind::Elem(ElemOp::Sub) && data.args[0] == index && before(data.args[1])
        });
        Some(Self { width, word, row, column })
    }
}

fn ahead(func: &Function, own: Op) -> Vec<Op> {
    let ops = &func.blocks[func.ops[own].regions[0]].ops;
    let reads_only =
        |&&op: &&Op| !matches!(func.ops[op].kind, OpKind::StoreRaw | OpKind::UpdateRaw(_) | OpKind::If);
    let before: Vec<Op> = ops.iter().take_while(reads_only).copied().collect();
    let mut needed: BTreeSet<Value> = BTreeSet::new();
    for &op in before.iter().rev() {
        let is_load = func.ops[op].kind == OpKind::LoadRaw;
        if is_load || func.ops[op].results.iter().any(|result| needed.contains(result)) {
            needed.extend(&func.ops[op].args);
            needed.extend(&func.ops[op].results);
        }
    }
    let is_needed = |op: &Op| func.ops[*op].results.iter().any(|result| needed.contains(result));
    before.into_iter().filter(is_needed).collect()
}

/// What an operation costs that may be done several times at once: it neither loops nor fails, nor do threads wait for each other in it.
fn cost_of(func: &Function, op: Op) -> Option<i64> {
    let data = &func.ops[op];
    match data.kind {
        _ if is_of_pairs(func, op) => None,
        OpKind::Const(_) | OpKind::Dim(_) | OpKind::Stride(_) | OpKind::Yield | OpKind::Continue(0) => {
            Some(0)
        }
        OpKind::Elem(elem) => Some(elem.cost()),
        OpKind::Cast | OpKind::If => Some(1),
        OpKind::RawView | OpKind::LoadRaw | OpKind::StoreRaw => Some(ACCESS),
        _ => None,
    }
}

/// Whether an operation accesses a complex number: two accesses, with which threads keep memory busy as they are.
fn is_of_pairs(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let is_complex = || func.ty(data.args[0]).dtype().is_some_and(DType::is_complex);
    matches!(data.kind, OpKind::LoadRaw | OpKind::StoreRaw) && is_complex()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel of `pfor i in range(…)` over `y`, a matrix `a` and `z`, with this body.
    fn found(body: &str) -> Option<Several> {
        let text = format!(
            "module \"m\" file \"m.pydd\"\n\
             func @f.device.region0 loop fast device region[| m0 sliced write [i], m1 invariant, m2 invariant] \
             (%0: i64, %1: i64, %2: i64, %3: i64, %4: array<f64, 1> in m0, %5: array<f64, 2> in m1, %6: array<c128, 1> in m2) \
             -> () {{\n\
             %7: i64 = const 1\n%8: i64 = const 0\n%9: i64 = dim[1] %5\n\
             for %0, %1, %7 {{\n(%20: i64):\n{body}continue[0]\n}}\nreturn\n}}\n"
        );
        let module = pydd_ir::text::parse(&text).unwrap();
        Several::of(module.funcs.values().next().unwrap())
    }

    const ELEMENT: &str = "%21: i64 = floordiv %20, %9\n%22: i64 = mul %21, %9\n%23: i64 = sub %20, %22\n\
                           %24: f64 = load_raw %5, %21, %23\n%25: f64 = add %24, %24\nstore_raw %4, %25, %20\n";

    #[test]
    fn elements_of_rows_are_done_by_columns() {
        let several = found(ELEMENT).unwrap();
        assert_eq!(several.count, 4);
        // All but the addition is what the load needs.
        assert_eq!(several.ahead.len(), 4);
        assert!(several.rows.as_ref().is_some_and(|rows| rows.column.is_some()));
        // Start and step, the four words of y, and of a its data, owner and first dimension stand before.
        let lanes = DeviceLanes { kind: LANES_SEVERAL_ROWS, word: 2 + 4 + 3, count: 4 };
        assert_eq!(several.lanes(), lanes);
        let line =
            found("%21: f64 = load_raw %4, %20\n%22: f64 = mul %21, %21\nstore_raw %4, %22, %20\n").unwrap();
        assert_eq!(line.lanes(), DeviceLanes { kind: LANES_SEVERAL, word: 0, count: 4 });
    }

    #[test]
    fn what_takes_long_fails_or_waits_is_done_one_by_one() {
        let costly = "%26: f64 = pow %25, %24\n%27: f64 = pow %26, %24\nstore_raw %4, %27, %20\n";
        assert_eq!(found(&format!("{ELEMENT}{costly}")), None);
        let fails = format!("%30: bool = lt %20, %9\ncheck[ValueError, \"long\"] %30\n{ELEMENT}");
        assert_eq!(found(&fails), None);
        let looped = format!("for %8, %9, %7 {{\n(%40: i64):\ncontinue[0]\n}}\n{ELEMENT}");
        assert_eq!(found(&looped), None);
        let pairs = format!("%31: c128 = load_raw %6, %20\nstore_raw %6, %31, %20\n{ELEMENT}");
        assert_eq!(found(&pairs), None);
    }

    #[test]
    fn nothing_is_read_ahead_that_was_written() {
        let body = "%21: f64 = load_raw %4, %20\nstore_raw %4, %21, %20\n%22: f64 = load_raw %4, %20\nstore_raw %4, %22, %20\n";
        assert_eq!(found(body).unwrap().ahead.len(), 1);
    }
}
