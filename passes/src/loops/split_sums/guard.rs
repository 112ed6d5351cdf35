//! One question for the checks of several iterations.
//!
//! ```text
//! %a0 = …                                       %a0 = … ; %a1 = … ; %a2 = … ; %a3 = …
//! %i0 = if (in bounds %a0) { yield %a0 }        %i0, %i1, %i2, %i3 =
//!       else { check … ; yield %e0 }      ⇒        if (in bounds %a0) and … and (in bounds %a3) { yield %a0, %a1, %a2, %a3 }
//! … the same of %a1, %a2, %a3                      else { each of the four choices, in order }
//! ```
//!
//! The body must have no other check and no effect, so that it does not matter that what the next iterations load comes
//! before the check of this one.

use pydd_ir::rewrite::Cloner;
use pydd_ir::{Block, Builder, ElemOp, Function, OpKind, Value};

/// Where the one operation stands in a body that may raise: a check, or a choice of which the first side only yields.
pub(super) fn find(func: &Function, body: Block) -> Option<usize> {
    let (_, ops) = func.blocks[body].ops.split_last()?;
    let mut found = None;
    for (at, &op) in ops.iter().enumerate() {
        let data = &func.ops[op];
        let is_guard = match data.kind {
            OpKind::Elem(_) | OpKind::Cast | OpKind::Const(_) | OpKind::Dim(_) | OpKind::LoadRaw => false,
            OpKind::Check { .. } => true,
            OpKind::If => asks(func, &data.regions),
            _ => return None,
        };
        match (is_guard, found) {
            (true, None) => found = Some(at),
            (true, Some(_)) => return None,
            _ => {}
        }
        if data.kind == OpKind::If && !is_guard {
            return None;
        }
    }
    found
}

/// Whether the first side only yields and the second one computes, checks and yields.
fn asks(func: &Function, regions: &[Block]) -> bool {
    let &[then, otherwise] = regions else { return false };
    let kinds = |block: Block| func.blocks[block].ops.iter().map(|&op| &func.ops[op].kind);
    let quiet = |kind: &OpKind| {
        matches!(
            kind,
            OpKind::Elem(_) | OpKind::Cast | OpKind::Const(_) | OpKind::Check { .. } | OpKind::Yield
        )
    };
    kinds(then).eq([&OpKind::Yield]) && kinds(otherwise).all(quiet)
}

/// Copies the body once for each cloner, which knows its parameters, with one question before all.
pub(super) fn together(b: &mut Builder<'_>, body: Block, at: usize, cloners: &mut [Cloner]) {
    let ops = b.func.blocks[body].ops.clone();
    let (before, guard, behind) = (&ops[..at], ops[at], &ops[at + 1..ops.len() - 1]);
    for cloner in cloners.iter_mut() {
        copy(b, cloner, before);
    }
    let asked = b.func.ops[guard].args[0];
    let conditions: Vec<Value> = cloners.iter().map(|cloner| resolve(cloner, asked)).collect();
    let all = conditions.into_iter().reduce(|a, c| b.elem(ElemOp::And, &[a, c])).expect("several");

    let given = first_yield(b.func, guard);
    let quick: Vec<Value> =
        cloners.iter().flat_map(|cloner| given.iter().map(|&v| resolve(cloner, v))).collect();
    let then = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, quick);
    });
    let results = b.func.ops[guard].results.clone();
    let otherwise = b.region(&[], |b, _| {
        let mut each = Vec::new();
        for cloner in cloners.iter_mut() {
            copy(b, cloner, &[guard]);
            each.extend(results.iter().map(|&result| resolve(cloner, result)));
        }
        b.effect(OpKind::Yield, each);
    });
    let types: Vec<_> = results.iter().map(|&result| b.func.ty(result)).collect();
    let chosen = b.op(OpKind::If, vec![all], &types.repeat(cloners.len()), vec![then, otherwise]);
    let chosen = b.func.ops[chosen].results.clone();
    for (part, cloner) in cloners.iter_mut().enumerate() {
        let own = &chosen[part * results.len()..][..results.len()];
        cloner.values.insert_all(&results, own);
        copy(b, cloner, behind);
    }
}

fn copy(b: &mut Builder<'_>, cloner: &mut Cloner, ops: &[pydd_ir::Op]) {
    for &op in ops {
        let copied = cloner.op(b.func, None, op);
        b.func.blocks[b.block].ops.push(copied);
    }
}

fn resolve(cloner: &Cloner, value: Value) -> Value {
    cloner.values.get(value).unwrap_or(value)
}

/// What a choice gives where its condition holds; a check gives nothing.
fn first_yield(func: &Function, guard: pydd_ir::Op) -> Vec<Value> {
    let end = func.ops[guard].regions.first().and_then(|&region| func.terminator(region));
    end.map(|end| func.ops[end].args.clone()).unwrap_or_default()
}
