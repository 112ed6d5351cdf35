//! Which `pfor` loops run on threads.

use pydd_ir::alias::{MemoryInfo, Origin};
use pydd_ir::{Function, Op, OpKind, Value, Version};

/// Whether `op` is a parallel loop that may run its iterations in any order.
///
/// `pfor` is checked under the assumption that different array parameters do not overlap. The fast
/// version's test at entry has seen to that; the general version is for arguments that do. Functions
/// called from inside have no test, so there a loop that writes one parameter while it uses another is serial.
/// So is a loop that reduces into arrays and was not split.
#[must_use]
pub fn on_threads(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    if !matches!(&func.ops[op].kind, OpKind::PFor(parallel) if !parallel.arrays) {
        return false;
    }
    match func.version {
        Version::Fast => true,
        Version::General => false,
        Version::Any => !params_may_clash(func, memory, op),
    }
}

fn params_may_clash(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    let of_params = |class| matches!(memory.origin(class), Origin::Param(_));
    if !memory.effects(op).writes.iter().any(of_params) {
        return false;
    }
    let mut bases: Vec<Value> = Vec::new();
    func.walk(func.ops[op].regions[0], &mut |inner| {
        for &arg in &func.ops[inner].args {
            if memory.classes(arg).iter().any(of_params) {
                bases.push(base(func, arg));
            }
        }
    });
    bases.iter().any(|&base| base != bases[0])
}

/// The array that a view is of.
fn base(func: &Function, value: Value) -> Value {
    match func.def_op(value).map(|op| &func.ops[op]) {
        Some(view) if view.kind == OpKind::RawView => base(func, view.args[0]),
        _ => value,
    }
}
