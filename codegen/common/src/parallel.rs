//! Which `pfor` loops run on threads.

use crate::captures;
use pydd_ir::alias::{MemoryInfo, Origin};
use pydd_ir::{Function, Op, OpKind, Type, Value, Version};

/// Whether `op` is a parallel loop that may run its iterations in any order.
///
/// `pfor` is checked under the assumption that different array parameters do not overlap. The fast
/// version's test at entry has seen to that; the general version is for arguments that do. Functions
/// called from inside have no test, so there a loop that writes one parameter while it uses another is serial.
/// So is a loop that reduces into arrays and was not split, and one that may append to a list by two names.
#[must_use]
pub fn on_threads(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    if !matches!(&func.ops[op].kind, OpKind::PFor(parallel) if !parallel.arrays) {
        return false;
    }
    if version_is_serial(func, memory, op) {
        return false;
    }
    let lists = appended(func, memory, op);
    let others = || captures::of(func, func.ops[op].regions[0]);
    lists.is_empty()
        || !others().iter().any(|&a| lists.iter().any(|&list| a != list && memory.may_alias(a, list)))
}

fn version_is_serial(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    match func.version {
        Version::Fast => false,
        Version::General => true,
        Version::Any => params_may_clash(func, memory, op),
    }
}

/// The lists from outside that the iterations of a `pfor` append to; passes have seen that they do nothing else with them.
#[must_use]
pub fn appended(func: &Function, memory: &MemoryInfo, op: Op) -> Vec<Value> {
    let writes = &memory.effects(op).writes;
    let is_list = |value: &Value| matches!(func.ty(*value), Type::List { .. });
    let mut found = Vec::new();
    if !writes.is_empty() {
        found = captures::of(func, func.ops[op].regions[0]);
        found.retain(|value| is_list(value) && memory.classes(*value).intersects(writes));
    }
    found
}

fn params_may_clash(func: &Function, memory: &MemoryInfo, op: Op) -> bool {
    let of_params = |class| !matches!(memory.origin(class), Origin::Fresh(..));
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
    bases.iter().any(|&base| bases.iter().any(|&other| base != other && memory.may_alias(base, other)))
}

/// The array that a view is of.
fn base(func: &Function, value: Value) -> Value {
    match func.def_op(value).map(|op| &func.ops[op]) {
        Some(view) if view.kind == OpKind::RawView => base(func, view.args[0]),
        _ => value,
    }
}
