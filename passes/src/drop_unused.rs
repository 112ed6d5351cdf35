//! Removes functions that no export reaches.
//!
//! ```text
//! func @main() { … }  func @helper() { … }  export main = @main
//!     ⇒
//! func @main() { … }  export main = @main
//! ```
//!
//! A module without exports is left alone: its functions are looked at, not compiled.

use pydd_ir::catalogue::{GroupOperation, SparseOperation};
use pydd_ir::{Entity, Export, FuncRef, Function, Level, Module, OpKind, PrimaryMap};

use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "drop-unused",
    summary: "remove functions that no export reaches",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

/// The same, for before [`mask_products`](crate::array::mask_products) and [`group_masks`](crate::array::group_masks): what these may come to
/// call stays.
pub const BEFORE_MASKS: Pass = Pass {
    run: |module, _| {
        let masked = |func: &Function| {
            SparseOperation::of(func) == Some(SparseOperation::MaskedProduct)
                || GroupOperation::of(func).is_some()
        };
        drop_but(module, masked);
        Ok(())
    },
    ..PASS
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    drop_unreached(module);
    Ok(())
}

/// Removes functions that no export reaches, at any level.
pub fn drop_unreached(module: &mut Module) {
    drop_but(module, |_| false);
}

/// Removes functions that neither an export reaches nor one that is `kept`.
fn drop_but(module: &mut Module, kept: impl Fn(&Function) -> bool) {
    if module.exports.is_empty() {
        return;
    }
    let live = reachable(module, kept);
    let mut renumbered = vec![None; module.funcs.len()];
    let mut funcs = PrimaryMap::default();
    for (old, func) in module.funcs.iter().filter(|(f, _)| live[f.index()]) {
        renumbered[old.index()] = Some(funcs.push(func.clone()));
    }
    module.funcs = funcs;
    let new = |f: FuncRef| renumbered[f.index()].expect("reachable functions stay");
    for func in module.funcs.values_mut() {
        for op in func.all_ops() {
            if let OpKind::Call(callee) | OpKind::Launch(callee) = &mut func.ops[op].kind {
                *callee = new(*callee);
            }
        }
    }
    for export in &mut module.exports {
        export.entries.iter_mut().for_each(|entry| entry.func = new(entry.func));
    }
}

fn reachable(module: &Module, kept: impl Fn(&Function) -> bool) -> Vec<bool> {
    let mut live = vec![false; module.funcs.len()];
    let mut work: Vec<FuncRef> = module.exports.iter().flat_map(Export::funcs).collect();
    work.extend(module.funcs.keys().filter(|&f| kept(&module.funcs[f])));
    while let Some(f) = work.pop() {
        if std::mem::replace(&mut live[f.index()], true) {
            continue;
        }
        let func = &module.funcs[f];
        work.extend(func.all_ops().into_iter().filter_map(|op| match func.ops[op].kind {
            OpKind::Call(callee) | OpKind::Launch(callee) => Some(callee),
            _ => None,
        }));
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{export, func};

    #[test]
    fn unreached_function_goes_and_calls_are_renumbered() {
        let mut module = Module::default();
        let ret = |b: &mut pydd_ir::Builder<'_>| {
            b.effect(OpKind::Return, vec![]);
        };
        module.funcs.push(func("dead", &[], |b, _| ret(b)));
        module.funcs.push(func("callee", &[], |b, _| ret(b)));
        let f = module.funcs.push(func("f", &[], |b, _| {
            b.effect(OpKind::Call(FuncRef::new(1)), vec![]);
            ret(b);
        }));
        export(&mut module, f);
        let options = crate::Options::default();
        run(&mut module, &PassContext::quiet(&options)).unwrap();
        assert_eq!(module.funcs.len(), 2);
        assert_eq!(module.funcs[module.exports[0].entries[0].func].name, "f");
        let caller = &module.funcs[module.exports[0].entries[0].func];
        let callee = caller.all_ops().into_iter().find_map(|op| match caller.ops[op].kind {
            OpKind::Call(f) => Some(f),
            _ => None,
        });
        assert_eq!(module.funcs[callee.unwrap()].name, "callee");
    }
}
