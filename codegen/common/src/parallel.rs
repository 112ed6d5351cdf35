//! Which `pfor` loops run on threads.

use crate::bits::Bits;
use crate::memory::Memory;
use pydd_ir::{Function, Op, OpKind, Version};

/// Whether a parallel loop of this function may run its iterations in any order.
///
/// `pfor` is checked under the assumption that different array parameters do not overlap. The fast
/// version's test at entry has seen to that; the general version is for arguments that do. Functions
/// called from inside have no test, so there a loop that writes one parameter while it uses another is serial.
#[must_use]
pub fn on_threads(func: &Function, memory: &Memory, op: Op) -> bool {
    match func.version {
        Version::Fast => true,
        Version::General => false,
        Version::Any => !params_may_clash(func, memory, op),
    }
}

fn params_may_clash(func: &Function, memory: &Memory, op: Op) -> bool {
    let mut used = Bits::default();
    let mut writes = false;
    func.walk(func.ops[op].regions[0], &mut |inner| {
        let data = &func.ops[inner];
        if matches!(data.kind, OpKind::StoreRaw | OpKind::Call(_)) {
            writes |= data.args.iter().any(|&arg| memory.param_roots(arg).next().is_some());
        }
        for &arg in &data.args {
            memory.param_roots(arg).for_each(|root| {
                used.insert(root);
            });
        }
    });
    writes && used.len() > 1
}
