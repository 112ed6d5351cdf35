//! Several steps of a loop at once, so that their loads wait for memory together: all that needs nothing of what the loop carries, operation by operation, and then the rest,
//! step by step, in the loop's order.
//!
//! ```text
//! for k { check c[k]; s += v[k] * x[c[k]] }     ⇒     v0 = v[k], v1 = v[k + n], …; c0 = c[k], …; all checks hold, or one step alone; x0 = x[c0], …; s += v0 * x0; s += v1 * x1; …
//! ```

use crate::CodegenError;
use crate::emit::{Emit, EmitExt};
use crate::lower::control::{Frame, Join};
use crate::lower::function::FuncCx;
use crate::lower::values::Val;
use pydd_ir::{Block, Function, Op, OpKind, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Steps at once.
pub const STEPS: usize = 4;

/// The operations of a body.
pub struct Batch {
    body: Block,
    /// Those that need nothing of what the loop carries.
    free: Vec<Op>,
    /// Those that do, and only compute.
    chained: Vec<Op>,
    /// The values for the next step.
    next: Vec<Value>,
}

impl Batch {
    /// Nothing where an iteration may end early, or a check needs what the loop carries.
    pub fn of(func: &Function, body: Block) -> Option<Self> {
        let block = &func.blocks[body];
        let (&end, ops) = block.ops.split_last()?;
        if func.ops[end].kind != OpKind::Continue(0) {
            return None;
        }
        let mut carried: BTreeSet<Value> = block.params[1..].iter().copied().collect();
        let (mut free, mut chained) = (Vec::new(), Vec::new());
        for &op in ops {
            let mut needs = false;
            let (mut checks, mut leaves) = (false, false);
            visit(func, op, &mut |inner| {
                let data = &func.ops[inner];
                needs |= data.args.iter().any(|arg| carried.contains(arg));
                checks |= matches!(data.kind, OpKind::Check { .. });
                leaves |= matches!(data.kind, OpKind::Continue(_));
            });
            if leaves || needs && checks {
                return None;
            }
            if needs {
                carried.extend(&func.ops[op].results);
                chained.push(op);
            } else {
                free.push(op);
            }
        }
        Some(Self { body, free, chained, next: func.ops[end].args.clone() })
    }
}

/// An operation and those nested in it.
fn visit(func: &Function, op: Op, act: &mut impl FnMut(Op)) {
    act(op);
    for &region in &func.ops[op].regions {
        func.walk(region, act);
    }
}

impl<E: Emit> FuncCx<'_, E> {
    /// Does the steps at `places`, from what the loop carries so far; gives what it carries then. Where a check does not hold, or what an index is expected to be,
    /// goes to `one`, having done nothing.
    pub fn batch(
        &mut self,
        batch: &Batch,
        places: [E::V; STEPS],
        carried: Vec<E::V>,
        one: E::Label,
    ) -> Result<Vec<E::V>, CodegenError> {
        let func = self.func;
        let (&index, params) = func.blocks[batch.body].params.split_first().expect("an index");
        let mut known: [BTreeMap<Value, Val<E::V>>; STEPS] =
            places.map(|place| BTreeMap::from([(index, Val::Scalar(place))]));
        // Nobody leaves by it.
        let exit = Join::new(&self.ir, "batch.left", Vec::new());
        let repeat = self.join("batch.next", params);
        self.frames.push(Frame { exit, repeat: Some(repeat) });
        // Checks within branches as well.
        let around = self.failing.replace(one);
        for &op in &batch.free {
            let data = &func.ops[op];
            let expected = (data.kind == OpKind::If).then(|| self.expected(op)).flatten();
            let asked = match (&data.kind, expected) {
                (OpKind::Check { .. }, _) | (_, Some(_)) => Some(data.args[0]),
                _ => None,
            };
            if let Some(condition) = asked {
                self.go_on_if_all(&known, condition, one);
            }
            for own in &mut known {
                own.iter().for_each(|(&value, val)| self.bind(value, val.clone()));
                match expected {
                    Some(region) => self.in_line(region, &data.results)?,
                    None if asked.is_some() => {}
                    None => self.op(op)?,
                }
                own.extend(data.results.iter().map(|&result| (result, self.val(result).clone())));
            }
        }
        let mut sums = carried;
        for own in &known {
            own.iter().for_each(|(&value, val)| self.bind(value, val.clone()));
            self.bind_all(params, &sums);
            batch.chained.iter().try_for_each(|&op| self.op(op))?;
            sums = batch.next.iter().flat_map(|&value| self.val(value).parts()).collect();
        }
        self.failing = around;
        let end = self.ir.label("batch.end");
        self.ir.br(end, &[]);
        let Frame { exit, repeat } = self.frames.pop().expect("pushed above");
        for join in [Some(exit), repeat].into_iter().flatten() {
            drop(join.finish(&self.ir));
            self.ir.unreachable();
        }
        self.ir.at(end);
        Ok(sums)
    }

    /// Goes on where a condition holds in all steps.
    fn go_on_if_all(&mut self, known: &[BTreeMap<Value, Val<E::V>>; STEPS], condition: Value, one: E::Label) {
        let holds =
            known.iter().map(|own| own.get(&condition).map_or_else(|| self.scalar(condition), Val::scalar));
        let holds: Vec<E::V> = holds.collect();
        let all = holds[1..].iter().fold(holds[0], |all, &also| self.ir.and(all, also));
        let ok = self.ir.label("batch.ok");
        self.ir.likely(all, ok, one);
        self.ir.at(ok);
    }

    /// The region of an `if` that is expected to be taken: the other one checks.
    fn expected(&self, op: Op) -> Option<Block> {
        let regions = &self.func.ops[op].regions;
        (self.only_computes(regions[0]) && self.checks(regions[1])).then_some(regions[0])
    }

    /// The operations of a region of an `if`, as if it were none.
    fn in_line(&mut self, region: Block, results: &[Value]) -> Result<(), CodegenError> {
        let (&end, ops) = self.func.blocks[region].ops.split_last().expect("a region ends");
        ops.iter().try_for_each(|&op| self.op(op))?;
        for (&result, &value) in results.iter().zip(&self.func.ops[end].args) {
            let val = self.val(value).clone();
            self.bind(result, val);
        }
        Ok(())
    }
}
