//! Where control passes values on: `yield`, `continue`, `break`, the initial values of loops, and the results of those that end.

use crate::entity::{Block, Op, Value};
use crate::func::Function;
use crate::op::OpKind;

/// One way on which a value becomes another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// The operation that passes it on.
    pub op: Op,
    /// As which operand; none where what a loop carried is its result in the end.
    pub arg: Option<usize>,
    pub from: Value,
    pub to: Value,
}

/// All such ways of a function.
#[must_use]
pub fn flows(func: &Function) -> Vec<Flow> {
    let mut walk = Walk { func, breakable: Vec::new(), flows: Vec::new() };
    walk.block(func.entry, None);
    walk.flows
}

/// The region parameters that a loop carries, and where the operands stand that they begin with.
#[must_use]
pub fn carried(func: &Function, op: Op) -> (&[Value], usize) {
    let data = &func.ops[op];
    let params = data.regions.first().map_or(&[][..], |&region| &func.blocks[region].params);
    match data.kind {
        OpKind::For | OpKind::PFor(_) => (params.get(1..).unwrap_or_default(), 3),
        OpKind::Loop => (params, 0),
        _ => (&[], 0),
    }
}

struct Walk<'f> {
    func: &'f Function,
    breakable: Vec<Op>,
    flows: Vec<Flow>,
}

impl Walk<'_> {
    fn pass_on(&mut self, op: Op, first: usize, to: &[Value]) {
        let args = self.func.ops[op].args.iter().enumerate().skip(first);
        self.flows.extend(args.zip(to).map(|((arg, &from), &to)| Flow { op, arg: Some(arg), from, to }));
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
        let func = self.func;
        let data = &func.ops[op];
        match data.kind {
            OpKind::Yield => {
                if let Some(target) = yields_to {
                    self.pass_on(op, 0, &func.ops[target].results);
                }
            }
            OpKind::Continue(depth) => {
                if let Some(target) = self.target(depth) {
                    self.pass_on(op, 0, carried(func, target).0);
                }
            }
            OpKind::Break(depth) => {
                if let Some(target) = self.target(depth) {
                    self.pass_on(op, 0, &func.ops[target].results);
                }
            }
            OpKind::For | OpKind::PFor(_) | OpKind::Loop => {
                let (params, first) = carried(func, op);
                // Behind the initial values of a `pfor` are the operands of its table.
                self.pass_on(op, first, params);
                if data.kind != OpKind::Loop {
                    // The results are the carried values when the range is used up.
                    let ends = params.iter().zip(&data.results);
                    self.flows.extend(ends.map(|(&from, &to)| Flow { op, arg: None, from, to }));
                }
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
