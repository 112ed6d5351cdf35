//! Where control passes values on: `yield`, `continue`, `break`, and the initial values of loops.

use pydd_ir::{Block, Function, Op, OpKind, Value};

/// One use of a value that only passes it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copy {
    /// The operation that uses the value, and as which operand.
    pub op: Op,
    pub arg: usize,
    pub from: Value,
    pub to: Value,
}

/// All such uses of a function.
#[must_use]
pub fn copies(func: &Function) -> Vec<Copy> {
    let mut walk = Walk { func, breakable: Vec::new(), copies: Vec::new() };
    walk.block(func.entry, None);
    walk.copies
}

struct Walk<'f> {
    func: &'f Function,
    breakable: Vec<Op>,
    copies: Vec<Copy>,
}

impl Walk<'_> {
    fn copy(&mut self, op: Op, first: usize, to: &[Value]) {
        for (i, &to) in to.iter().enumerate() {
            let arg = first + i;
            if let Some(&from) = self.func.ops[op].args.get(arg) {
                self.copies.push(Copy { op, arg, from, to });
            }
        }
    }

    /// The carried parameters of a loop's body.
    fn carried(&self, op: Op) -> &[Value] {
        let data = &self.func.ops[op];
        let params = &self.func.blocks[data.regions[0]].params;
        match data.kind {
            OpKind::For | OpKind::PFor(_) => &params[1..],
            OpKind::Loop => params,
            _ => &[],
        }
    }

    fn target(&self, depth: u32) -> Option<Op> {
        self.breakable.iter().rev().nth(depth as usize).copied()
    }

    fn block(&mut self, block: Block, yields_to: Option<Op>) {
        for &op in &self.func.blocks[block].ops {
            self.op(op, yields_to);
        }
    }

    fn op(&mut self, op: Op, yields_to: Option<Op>) {
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Yield => {
                if let Some(target) = yields_to {
                    self.copy(op, 0, &self.func.ops[target].results);
                }
            }
            OpKind::Continue(depth) => {
                if let Some(target) = self.target(depth) {
                    let carried = self.carried(target).to_vec();
                    self.copy(op, 0, &carried);
                }
            }
            OpKind::Break(depth) => {
                if let Some(target) = self.target(depth) {
                    self.copy(op, 0, &self.func.ops[target].results);
                }
            }
            OpKind::For | OpKind::PFor(_) => {
                let carried = self.carried(op).to_vec();
                self.copy(op, 3, &carried);
                // The results are the carried values when the range is used up.
                for (&from, &to) in carried.iter().zip(&data.results) {
                    self.copies.push(Copy { op, arg: usize::MAX, from, to });
                }
            }
            OpKind::Loop => {
                let carried = self.carried(op).to_vec();
                self.copy(op, 0, &carried);
            }
            _ => {}
        }
        if data.kind.is_breakable() {
            self.breakable.push(op);
        }
        for &region in &data.regions {
            self.block(region, matches!(data.kind, OpKind::If).then_some(op));
        }
        if data.kind.is_breakable() {
            self.breakable.pop();
        }
    }
}
