//! Rules 1 to 5: tables, order and dominance.

use super::{Check, Fault, Faults, MAX_NESTING, ensure, fault};
use crate::entity::{Block, Entity, Op, Value};
use crate::func::{Function, Module, ValueDef};
use crate::op::OpKind;

/// Rules 1 to 3. Afterwards the function can be walked and printed.
pub(super) fn tables(module: &Module, func: &Function) -> Check {
    let mut walk = Walk {
        module,
        func,
        seen_ops: vec![false; func.ops.len()],
        seen_blocks: vec![false; func.blocks.len()],
    };
    walk.block(func.entry, 0)
}

struct Walk<'a> {
    module: &'a Module,
    func: &'a Function,
    seen_ops: Vec<bool>,
    seen_blocks: Vec<bool>,
}

impl Walk<'_> {
    fn block(&mut self, block: Block, depth: usize) -> Check {
        let Some(data) = self.func.blocks.get(block) else {
            return fault(1, format!("there is no {block}"));
        };
        ensure(depth <= MAX_NESTING, 2, || "regions are nested too deeply".to_owned())?;
        let seen = std::mem::replace(&mut self.seen_blocks[block.index()], true);
        ensure(!seen, 2, || format!("{block} is used twice"))?;
        for (index, &param) in (0..).zip(&data.params) {
            self.definition(param, ValueDef::Param(block, index))?;
        }
        data.ops.iter().try_for_each(|&op| self.op(op, depth))
    }

    fn op(&mut self, op: Op, depth: usize) -> Check {
        let Some(data) = self.func.ops.get(op) else { return fault(1, format!("there is no {op}")) };
        let seen = std::mem::replace(&mut self.seen_ops[op.index()], true);
        ensure(!seen, 2, || format!("{op} ({}) stands in two places", data.kind.mnemonic()))?;
        for &arg in &data.args {
            ensure(self.func.values.get(arg).is_some(), 1, || format!("there is no value {arg}"))?;
        }
        for (index, &result) in (0..).zip(&data.results) {
            self.definition(result, ValueDef::Result(op, index))?;
        }
        if let OpKind::Call(callee) | OpKind::Launch(callee) = data.kind {
            ensure(self.module.funcs.get(callee).is_some(), 1, || format!("there is no function {callee}"))?;
        }
        let scope = data.loc.scope as usize;
        ensure(scope == 0 || scope < self.module.scopes.len(), 1, || format!("there is no scope {scope}"))?;
        data.regions.iter().try_for_each(|&region| self.block(region, depth + 1))
    }

    fn definition(&self, value: Value, def: ValueDef) -> Check {
        let Some(data) = self.func.values.get(value) else {
            return fault(1, format!("there is no value {value}"));
        };
        ensure(data.def == def, 3, || format!("{value} is defined by {:?} and by {def:?}", data.def))
    }
}

/// Rules 4 and 5.
pub(super) fn order(func: &Function) -> Faults {
    let mut order = Order { func, defined: vec![false; func.values.len()], faults: Vec::new() };
    order.block(func.entry, None);
    order.faults
}

struct Order<'a> {
    func: &'a Function,
    /// The values that may be used here.
    defined: Vec<bool>,
    faults: Faults,
}

impl Order<'_> {
    fn set(&mut self, values: &[Value], defined: bool) {
        values.iter().for_each(|value| self.defined[value.index()] = defined);
    }

    fn block(&mut self, block: Block, parent: Option<Op>) {
        let data = &self.func.blocks[block];
        self.set(&data.params, true);
        for (index, &op) in data.ops.iter().enumerate() {
            let last = index + 1 == data.ops.len();
            if let Err(fault) = self.op(op, last) {
                self.faults.push((Some(op), fault));
            }
            for &region in &self.func.ops[op].regions {
                self.block(region, Some(op));
            }
            self.set(&self.func.ops[op].results, true);
        }
        if data.ops.is_empty() {
            let message = "a block has no terminator".to_owned();
            self.faults.push((parent, Fault { rule: 4, message }));
        }
        for &op in &data.ops {
            self.set(&self.func.ops[op].results, false);
        }
        self.set(&data.params, false);
    }

    fn op(&self, op: Op, last: bool) -> Check {
        let data = &self.func.ops[op];
        match (last, data.kind.is_terminator()) {
            (true, false) => return fault(4, "the block goes on without a terminator behind this"),
            (false, true) => return fault(4, "the terminator does not stand at the end"),
            _ => {}
        }
        match (1..).zip(&data.args).find(|(_, arg)| !self.defined[arg.index()]) {
            Some((number, _)) => fault(5, format!("operand {number} is not defined here")),
            None => Ok(()),
        }
    }
}
