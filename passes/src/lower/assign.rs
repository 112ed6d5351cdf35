//! Whole-array assignment, as if the source were copied first.
//!
//! ```text
//! assign %a[1:], %a[:-1]     ⇒     %t = copy of the source     for %i … storeraw %a[1:], (loadraw %t, %i), %i
//! ```
//!
//! The copy is left out where source and target cannot overlap or are the very same elements.

use pydd_ir::{Op, Value};

use super::Lower;
use super::broadcast::assign_message;

impl Lower<'_> {
    pub(super) fn assign(&mut self, op: Op) {
        let args = self.args(op);
        let target = self.array(args[0]).clone();
        if !self.b.func.ty(args[1]).is_array() {
            return self.fill(&target, args[1]);
        }
        let operands = &self.src.ops[op].args;
        let source =
            if self.may_overlap(operands[0], operands[1]) { self.copy_of(args[1]).value } else { args[1] };
        let shape = self.shape_into(&target, &[source], |lower, ok, arrays| {
            let message = assign_message(arrays[0].rank(), target.rank());
            let payload = [&arrays[0].dims[..], &target.dims[..]].concat();
            lower.check_shapes(ok, &message, &payload);
        });
        self.over(&shape, &[target], &[source], &mut |_, elements| elements.to_vec());
    }

    /// Whether writing `target` element by element may change elements of `source` yet to be read.
    fn may_overlap(&self, target: Value, source: Value) -> bool {
        target != source && self.memory.as_ref().is_none_or(|memory| memory.may_alias(target, source))
    }
}
