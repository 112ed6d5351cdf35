//! Which functions may take long.

use pydd_ir::{Entity, FuncRef, LibOp, Module, OpKind};

/// By function: whether it has a loop or calls a library function, itself or through others.
#[must_use]
pub fn long_running(module: &Module) -> Vec<bool> {
    let mut long = vec![false; module.funcs.len()];
    loop {
        let before = long.clone();
        for r in module.funcs.keys() {
            long[r.index()] |= is_long(module, r, &before);
        }
        if long == before {
            return long;
        }
    }
}

fn is_long(module: &Module, r: FuncRef, long: &[bool]) -> bool {
    let func = &module.funcs[r];
    func.recursive
        || func.all_ops().into_iter().any(|op| match func.ops[op].kind {
            OpKind::Call(callee) | OpKind::Launch(callee) => long[callee.index()],
            OpKind::Lib(lib) => !matches!(lib, LibOp::Time | LibOp::Draw(_)),
            ref kind => kind.is_loop(),
        })
}
