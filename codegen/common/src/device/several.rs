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
