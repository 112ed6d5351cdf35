//! Computes of a product of sparse matrices only the elements that it is multiplied by.
//!
//! ```text
//! %p… = call[@product] %a…, %b…                ⇒   %q… = call[@masked_product] %a…, %b…, %m…
//! %q… = call[@times_entries] %p…, %m…
//! ```
//!
//! Most elements of such a product are wanted by nobody: of a graph's paths of two steps those count that an edge closes. The
//! function for both is of the prelude; the frontend has it made where it may be of use.
//!
//! It does so where the product is used for nothing else, and where nothing between both would be noticed: the product is
//! computed where the other operation stands. Sums are added up in the same order.

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::catalogue::SparseOperation;
use pydd_ir::rewrite::{Uses, erase_op, position};
use pydd_ir::{FuncRef, Function, Level, Module, Op, OpKind, SparseType, Type, Value};

use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "mask-products",
    summary: "compute products of sparse matrices only where they are multiplied by something",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// What is known of a function that is one of these operations.
struct Known {
    operation: SparseOperation,
    params: Vec<Type>,
    results: Vec<Type>,
}

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let known: BTreeMap<FuncRef, Known> =
        module.funcs.iter().filter_map(|(r, func)| Known::of(func).map(|known| (r, known))).collect();
    if !known.values().any(|known| known.operation == SparseOperation::MaskedProduct) {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    // What stands for both does both where it must.
    let callers: Vec<FuncRef> = module.funcs.keys().filter(|caller| !known.contains_key(caller)).collect();
    for caller in callers {
        let func = &mut module.funcs[caller];
        for call in func.all_ops() {
            if let Some((product, masked)) = masked(func, &summaries, &known, call) {
                report::masked_product(cx, func, product, call);
                let mut args = func.ops[product].args.clone();
                args.extend_from_slice(&func.ops[call].args[SparseType::PARTS..]);
                func.ops[call].kind = OpKind::Call(masked);
                func.ops[call].args = args;
                erase_op(func, product);
            }
        }
    }
    Ok(())
}

impl Known {
    fn of(func: &Function) -> Option<Self> {
        let params = func.params().iter().map(|&param| func.ty(param)).collect();
        SparseOperation::of(func).map(|operation| Self { operation, params, results: func.results.clone() })
    }
}

/// The product that a call multiplies by something, and the function that does both.
fn masked(
    func: &Function,
    summaries: &Summaries,
    known: &BTreeMap<FuncRef, Known>,
    call: Op,
) -> Option<(Op, FuncRef)> {
    let is = |op: Op, operation: SparseOperation| match func.ops[op].kind {
        OpKind::Call(callee) => known.get(&callee).is_some_and(|known| known.operation == operation),
        _ => false,
    };
    if !is(call, SparseOperation::TimesEntries) {
        return None;
    }
    let data = &func.ops[call];
    let (matrix, mask) = data.args.split_at_checked(SparseType::PARTS)?;
    let product = func.def_op(matrix[0]).filter(|&op| is(op, SparseOperation::Product))?;
    let uses = Uses::new(func);
    let only = |value: &Value| uses.of(*value).iter().all(|found| found.op == call);
    let results = &func.ops[product].results;
    if results[..] != *matrix || !results.iter().all(only) || mask.iter().any(|part| results.contains(part)) {
        return None;
    }
    let types = |values: &[Value]| -> Vec<Type> { values.iter().map(|&value| func.ty(value)).collect() };
    let wanted = [types(&func.ops[product].args), types(mask)].concat();
    let given = types(&data.results);
    let (&masked, _) = known.iter().find(|(_, known)| {
        known.operation == SparseOperation::MaskedProduct && known.params == wanted && known.results == given
    })?;
    // All of it in one block, and nothing between that could be noticed.
    let memory = MemoryInfo::new(func, summaries);
    let (block, end) = position(func, call)?;
    let (other, start) = position(func, product)?;
    let read = &memory.effects(product).reads;
    let quiet = block == other
        && func.blocks[block].ops.get(start + 1..end)?.iter().all(|&op| {
            let effects = memory.effects(op);
            !effects.writes.intersects(read) && !effects.may_exit() && !effects.io
        });
    quiet.then_some((product, masked))
}
