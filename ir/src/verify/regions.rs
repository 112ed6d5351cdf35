//! Rules 13 and 17: regions of operations, and what comes out of them.

use super::jumps::list;
use super::typing::{ARRAY_EXPECTED, reduced};
use super::{Check, Context, ensure, fault};
use crate::elem::{ElemDomain, ReduceOp};
use crate::entity::{Block, Op};
use crate::op::{MapTarget, OpKind};
use crate::types::Type;

impl Context<'_> {
    pub(super) fn regions(&self, op: Op) -> Check {
        let data = &self.func.ops[op];
        let count = match data.kind {
            OpKind::If => 2,
            OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::Scope | OpKind::Map(_) => 1,
            _ => 0,
        };
        ensure(data.regions.len() == count, 13, || {
            format!("there are {} regions where {count} belong", data.regions.len())
        })?;
        match &data.kind {
            OpKind::If => data.regions.iter().try_for_each(|&region| self.params(region, &[])),
            OpKind::Scope => self.params(data.regions[0], &[]),
            OpKind::Loop => self.params(data.regions[0], &self.types(&data.args)),
            OpKind::For => self.counted(op),
            OpKind::PFor(parallel) => self
                .counted(op)
                .and_then(|()| self.reductions(&self.carried(op), &parallel.reduce))
                .and_then(|()| self.table(op, parallel)),
            OpKind::Map(target) => self.map(op, target),
            _ => Ok(()),
        }
    }

    fn params(&self, block: Block, expected: &[Type]) -> Check {
        let found = self.types(&self.func.blocks[block].params);
        ensure(found == expected, 13, || {
            format!("the region has parameters ({}) instead of ({})", list(&found), list(expected))
        })
    }

    fn counted(&self, op: Op) -> Check {
        let mut params = vec![Type::I64];
        params.extend(self.carried(op));
        self.params(self.func.ops[op].regions[0], &params)
    }

    pub(super) fn reductions(&self, carried: &[Type], ops: &[ReduceOp]) -> Check {
        ensure(ops.len() == carried.len(), 17, || {
            format!("{} operators for {} carried values", ops.len(), carried.len())
        })?;
        for (i, (reduce, &ty)) in ops.iter().zip(carried).enumerate() {
            let domain = match reduce {
                ReduceOp::Any | ReduceOp::All => ElemDomain::Bool,
                ReduceOp::ArgMin | ReduceOp::ArgMax => {
                    let value = if *reduce == ReduceOp::ArgMin { ReduceOp::Min } else { ReduceOp::Max };
                    let first = ops[..i].iter().rev().find(|op| *op != reduce);
                    let follows = first == Some(&value) && matches!(ty, Type::Scalar(_));
                    ensure(follows, 17, || format!("`{}` comes with no `{}`", reduce.name(), value.name()))?;
                    continue;
                }
                _ => reduce.domain(),
            };
            let fits = matches!(ty, Type::Scalar(dtype) if domain.contains(dtype));
            ensure(fits, 17, || format!("`{}` does not reduce {ty}", reduce.name()))?;
        }
        Ok(())
    }

    fn map(&self, op: Op, target: &MapTarget) -> Check {
        let data = &self.func.ops[op];
        let region = data.regions[0];
        let inputs = self.types(&data.args);
        let elements: Vec<Type> = inputs.iter().filter_map(|ty| ty.dtype()).map(Type::Scalar).collect();
        self.params(region, &elements)?;
        let Some(end) = self.func.terminator(region) else { return Ok(()) };
        let kind = &self.func.ops[end].kind;
        let rank = inputs.iter().filter(|ty| ty.is_array()).map(|ty| ty.rank()).max();
        let Some(rank) = rank else { return fault(8, ARRAY_EXPECTED) };
        let yielded = match kind {
            OpKind::Yield => Some(self.types(&self.func.ops[end].args)),
            _ => None,
        };
        match target {
            MapTarget::Fresh => self.map_fresh(op, yielded, rank),
            MapTarget::Into => self.map_into(op, yielded, &inputs),
            MapTarget::Reduce(spec) => {
                let Some(yielded) = yielded else { return Ok(()) };
                let [Type::Scalar(dtype)] = yielded[..] else {
                    return fault(16, "a reducing `map` yields one scalar");
                };
                self.gives(op, &[reduced(spec, dtype, rank)?])
            }
        }
    }

    fn map_fresh(&self, op: Op, yielded: Option<Vec<Type>>, rank: u8) -> Check {
        let Some(yielded) = yielded else { return Ok(()) };
        let mut arrays = Vec::new();
        for ty in yielded {
            let Type::Scalar(dtype) = ty else {
                return fault(16, format!("a `map` yields scalars, not {ty}"));
            };
            arrays.push(Type::array(dtype, rank));
        }
        self.gives(op, &arrays)
    }

    fn map_into(&self, op: Op, yielded: Option<Vec<Type>>, inputs: &[Type]) -> Check {
        let Some(&Type::Array { dtype, rank }) = inputs.first() else { return fault(8, ARRAY_EXPECTED) };
        let wide = inputs.iter().find(|ty| ty.rank() > rank);
        ensure(wide.is_none(), 8, || "an input has more axes than what is overwritten".to_owned())?;
        let fits = yielded.is_none_or(|types| types == [Type::Scalar(dtype)]);
        ensure(fits, 16, || format!("one {dtype} is to be yielded"))?;
        self.gives(op, &[])
    }
}
