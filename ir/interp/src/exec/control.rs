//! Control: blocks, loops, and what leaves them.

use super::{Flow, Frame, Stop, fault};
use crate::value::{Scalar, Val};
use pydd_ir::{Block, DType, Exc, Level, Op, OpKind};

impl Frame<'_, '_> {
    pub(super) fn block(&mut self, block: Block) -> Result<Flow, Stop> {
        for &op in &self.f.blocks[block].ops {
            self.interp.steps = self.interp.steps.checked_sub(1).ok_or(Stop::OutOfSteps)?;
            if let Some(flow) = self.op(op)? {
                return Ok(flow);
            }
        }
        fault(format!("{block} of {} ends without a terminator", self.f.name))
    }

    /// Runs one operation; a flow where it leaves the block.
    fn op(&mut self, op: Op) -> Result<Option<Flow>, Stop> {
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        match &data.kind {
            OpKind::Yield => return Ok(Some(Flow::Yield(self.get_all(args)?))),
            OpKind::Continue(depth) => return Ok(Some(Flow::Continue(*depth, self.get_all(args)?))),
            OpKind::Break(depth) => return Ok(Some(Flow::Break(*depth, self.get_all(args)?))),
            OpKind::Return => return Ok(Some(Flow::Return(self.get_all(args)?))),
            OpKind::Raise { exc, message } => {
                let message = self.message(message.as_ref(), args)?;
                return self.raise(op, (*exc, message));
            }
            OpKind::Unreachable => return fault("an unreachable operation was reached"),
            OpKind::If => {
                let region = data.regions[usize::from(!self.bool(args[0])?)];
                return match self.block(region)? {
                    Flow::Yield(values) => self.finish(op, values),
                    other => Ok(Some(other)),
                };
            }
            OpKind::For | OpKind::PFor(_) => return self.for_loop(op),
            OpKind::Launch(region) => return self.launch(op, *region),
            OpKind::Loop => return self.endless_loop(op),
            OpKind::Scope => {
                let flow = self.block(data.regions[0])?;
                return self.leave(op, flow);
            }
            _ => {}
        }
        let values = self.plain(op)?;
        let makes = matches!(data.kind, OpKind::Empty | OpKind::Zeros | OpKind::ListNew);
        if makes && self.f.level == Level::Loop {
            values.iter().for_each(|value| self.interp.owners.made(value));
        }
        self.finish(op, values)
    }

    /// What a flow out of a breakable operation's region means outside of it.
    fn leave(&mut self, op: Op, flow: Flow) -> Result<Option<Flow>, Stop> {
        match flow {
            Flow::Break(0, values) => self.finish(op, values),
            Flow::Break(depth, values) => Ok(Some(Flow::Break(depth - 1, values))),
            Flow::Continue(0, _) => fault("a scope cannot be continued"),
            Flow::Continue(depth, values) => Ok(Some(Flow::Continue(depth - 1, values))),
            Flow::Return(values) => Ok(Some(Flow::Return(values))),
            Flow::Yield(_) => fault("a yield leaves a breakable operation"),
        }
    }

    fn for_loop(&mut self, op: Op) -> Result<Option<Flow>, Stop> {
        let data = &self.f.ops[op];
        let (start, stop, step) = (self.i64(data.args[0])?, self.i64(data.args[1])?, self.i64(data.args[2])?);
        if step == 0 {
            return self.raise(op, (Exc::ValueError, "range() arg 3 must not be zero".to_owned()));
        }
        let mut carried = self.get_all(self.f.init(op))?;
        let mut index = i128::from(start);
        while if step > 0 { index < i128::from(stop) } else { index > i128::from(stop) } {
            let body = data.regions[0];
            let mut values = vec![Val::Scalar(Scalar::Int(index, DType::I64))];
            values.append(&mut carried);
            self.bind(&self.f.blocks[body].params, values);
            match self.block(body)? {
                Flow::Continue(0, values) => carried = values,
                other => return self.leave(op, other),
            }
            index += i128::from(step);
        }
        self.finish(op, carried)
    }

    fn endless_loop(&mut self, op: Op) -> Result<Option<Flow>, Stop> {
        let data = &self.f.ops[op];
        let mut carried = self.get_all(&data.args)?;
        loop {
            self.interp.steps = self.interp.steps.checked_sub(1).ok_or(Stop::OutOfSteps)?;
            let body = data.regions[0];
            self.bind(&self.f.blocks[body].params, std::mem::take(&mut carried));
            match self.block(body)? {
                Flow::Continue(0, values) => carried = values,
                other => return self.leave(op, other),
            }
        }
    }
}
