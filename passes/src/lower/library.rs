//! Library functions: their results; the work itself is a call of the runtime.
//!
//! ```text
//! %c = lib sort %a     ⇒     %c = copy %a     lib sort %c
//! ```
//!
//! In loop IR `sort` works in place.

use pydd_ir::{LibOp, Op, OpKind};

use super::Lower;

impl Lower<'_> {
    pub(super) fn sort(&mut self, op: Op) {
        let source = self.args(op)[0];
        let copy = self.copy_of(source);
        self.b.effect(OpKind::Lib(LibOp::Sort), vec![copy.value]);
        self.define_array(self.src.result(op), &copy);
    }
}
