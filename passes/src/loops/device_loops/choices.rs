//! Choices between a loop for a device and one for the processor.

use std::collections::BTreeSet;

use pydd_ir::rewrite::insert_before;
use pydd_ir::{Block, Builder, FuncRef, Function, Module, Op, OpKind};

/// Has the processor's side of each choice run on the processor alone, where a device can run the other side; else decides for that side. Gives the
/// loops that lost their kernels.
pub(super) fn decide(module: &mut Module) -> BTreeSet<FuncRef> {
    let (mut lost, mut decided) = (BTreeSet::new(), Vec::new());
    for (r, func) in module.funcs.iter() {
        for choice in func.all_ops().into_iter().filter(|&op| is_choice(func, op)) {
            let [device, processor] = [0, 1].map(|side| launched(func, func.ops[choice].regions[side]));
            if device.iter().any(|&region| module.funcs[region].has_kernel()) {
                lost.extend(processor);
            } else {
                decided.push((r, choice));
            }
        }
    }
    for &region in &lost {
        module.funcs[region].device = false;
    }
    for (r, choice) in decided {
        let func = &mut module.funcs[r];
        let scratch = func.new_block();
        let no = Builder::new(func, scratch).bool(false);
        let made = func.def_op(no).expect("just made");
        insert_before(func, made, choice);
        func.ops[choice].args[0] = no;
    }
    lost
}

fn is_choice(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let asks = |op: Op| func.ops[op].kind == OpKind::DeviceWanted;
    data.kind == OpKind::If && func.def_op(data.args[0]).is_some_and(asks)
}

fn launched(func: &Function, side: Block) -> Vec<FuncRef> {
    let mut found = Vec::new();
    func.walk(side, &mut |op| {
        if let OpKind::Launch(region) = func.ops[op].kind {
            found.push(region);
        }
    });
    found
}
