//! Rules 14 to 16 for terminators, and 18.

use super::{Check, Context, ensure, fault};
use crate::entity::{Block, Op, Value};
use crate::op::{Literal, OpKind};
use crate::types::Type;

impl Context<'_> {
    /// Checks a terminator; `parents` are the operations around, innermost last.
    pub(super) fn jump(&self, op: Op, parents: &[Op]) -> Check {
        let data = &self.func.ops[op];
        let in_map = parents.iter().any(|&p| matches!(self.func.ops[p].kind, OpKind::Map(_)));
        match data.kind {
            OpKind::Yield => self.yielded(op, parents.last().copied()),
            OpKind::Break(depth) => {
                let target = self.target(depth, false, parents)?;
                self.carries(op, &self.types(&self.func.ops[target].results))
            }
            OpKind::Continue(depth) => {
                let target = self.target(depth, true, parents)?;
                self.carries(op, &self.carried(target))
            }
            OpKind::Return => {
                let through = parents.iter().map(|&p| &self.func.ops[p].kind);
                for kind in through {
                    let fixed = matches!(kind, OpKind::PFor(_) | OpKind::Map(_));
                    ensure(!fixed, 15, || format!("`return` leaves a `{}`", kind.mnemonic()))?;
                }
                self.carries(op, &self.func.results)
            }
            OpKind::Raise { .. } | OpKind::Unreachable => Ok(()),
            _ if in_map => self.in_map(op),
            _ => Ok(()),
        }
    }

    fn yielded(&self, op: Op, parent: Option<Op>) -> Check {
        match parent.map(|p| (&self.func.ops[p].kind, p)) {
            Some((OpKind::If, p)) => self.carries(op, &self.types(&self.func.ops[p].results)),
            // The types are the map's matter.
            Some((OpKind::Map(_), _)) => Ok(()),
            _ => fault(14, "`yield` ends regions of `if` and `map` only"),
        }
    }

    /// The breakable operation that a jump goes to.
    fn target(&self, depth: u32, continues: bool, parents: &[Op]) -> Result<Op, super::Fault> {
        let mut left = depth;
        for &parent in parents.iter().rev() {
            let kind = &self.func.ops[parent].kind;
            match kind {
                OpKind::Map(_) => return fault(15, "the jump leaves a `map`"),
                OpKind::PFor(_) if !(continues && depth == 0) => {
                    return fault(15, "only `continue[0]` leaves an iteration of a `pfor`");
                }
                OpKind::Scope if continues && left == 0 => {
                    return fault(15, "a `scope` has no next iteration");
                }
                _ => {}
            }
            if kind.is_breakable() {
                if left == 0 {
                    return Ok(parent);
                }
                left -= 1;
            }
        }
        fault(15, format!("there is nothing {depth} levels up that the jump could leave"))
    }

    /// What `continue` gives to a loop.
    pub(super) fn carried(&self, target: Op) -> Vec<Type> {
        let data = &self.func.ops[target];
        let init = match &data.kind {
            OpKind::Loop => &data.args[..],
            OpKind::PFor(parallel) => data.args.get(3..3 + parallel.reduce.len()).unwrap_or(&[]),
            _ => data.args.get(3..).unwrap_or(&[]),
        };
        self.types(init)
    }

    pub(super) fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&value| self.func.ty(value)).collect()
    }

    fn carries(&self, op: Op, expected: &[Type]) -> Check {
        let found = self.types(&self.func.ops[op].args);
        ensure(found == expected, 16, || {
            format!("({}) is carried where ({}) is received", list(&found), list(expected))
        })
    }

    /// Rule 14: what a region of `map` may hold.
    fn in_map(&self, op: Op) -> Check {
        let data = &self.func.ops[op];
        let allowed = matches!(
            data.kind,
            OpKind::Const(_)
                | OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Dim(_)
                | OpKind::Load
                | OpKind::ListLen
                | OpKind::ListGet
                | OpKind::If
                | OpKind::Check { .. }
        );
        let scalar = data.results.iter().all(|&r| self.func.ty(r).is_scalar());
        ensure(allowed && scalar, 14, || "a `map` holds only scalar operations that write nothing".to_owned())
    }

    /// Rule 18.
    pub(super) fn unreachable(&self, block: Block, index: usize) -> Check {
        let ops = &self.func.blocks[block].ops;
        if self.func.ops[ops[index]].kind != OpKind::Unreachable || index == 0 {
            return Ok(());
        }
        ensure(self.may_not_end(ops[index - 1]), 18, || {
            "the operation before always ends normally".to_owned()
        })
    }

    fn may_not_end(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Loop | OpKind::Scope => !self.is_broken(op),
            OpKind::If => !data.regions.iter().any(|&region| self.ends_with_yield(region)),
            OpKind::Call(_) | OpKind::Launch(_) => true,
            OpKind::Check { .. } => {
                data.args.first().is_some_and(|&c| self.func.as_const(c) == Some(&Literal::Bool(false)))
            }
            _ => false,
        }
    }

    fn ends_with_yield(&self, block: Block) -> bool {
        self.func.terminator(block).is_some_and(|op| self.func.ops[op].kind == OpKind::Yield)
    }

    /// Whether a `break` leaves this operation.
    fn is_broken(&self, op: Op) -> bool {
        self.func.ops[op].regions.iter().any(|&region| self.breaks(region, 0))
    }

    fn breaks(&self, block: Block, level: u32) -> bool {
        self.func.blocks[block].ops.iter().any(|&op| {
            let data = &self.func.ops[op];
            let inner = level + u32::from(data.kind.is_breakable());
            data.kind == OpKind::Break(level) || data.regions.iter().any(|&r| self.breaks(r, inner))
        })
    }
}

/// `i64, array<f64, 1>`
pub(super) fn list(types: &[Type]) -> String {
    types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
