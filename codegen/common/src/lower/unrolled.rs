//! Loops that a thread of a device runs by itself, several steps at a time: what these read is asked for before the first of them has it, and neighbouring elements that they write
//! reach memory together.

use crate::emit::{Emit, EmitExt, IntCmp, Ty};
use crate::lower::control::{Frame, part_types};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::loops::Range;
use crate::lower::values::Val;
use pydd_ir::{Function, Op, OpKind, Value};

/// Steps at a time of what only reads, and of what writes as well.
const READS: usize = 16;
const WRITES: usize = 8;

/// What the operations of a step may cost, in additions, of which few are done while one element comes from memory.
const MOST: i64 = 16;

/// How many steps of a loop are done at a time.
pub fn at_a_time(func: &Function, op: Op) -> Option<usize> {
    let data = &func.ops[op];
    if data.kind != OpKind::For || func.as_int(data.args[2]) != Some(1) {
        return None;
    }
    let (mut cost, mut loads, mut stores) = (Some(0), false, false);
    func.walk(data.regions[0], &mut |op| {
        let own = match func.ops[op].kind {
            OpKind::Const(_) | OpKind::Dim(_) | OpKind::Stride(_) | OpKind::Continue(0) => Some(0),
            OpKind::Elem(elem) => Some(elem.cost()),
            OpKind::Cast => Some(1),
            OpKind::LoadRaw | OpKind::StoreRaw => Some(2),
            _ => None,
        };
        loads |= func.ops[op].kind == OpKind::LoadRaw;
        stores |= func.ops[op].kind == OpKind::StoreRaw;
        cost = cost.zip(own).map(|(all, own)| all + own);
    });
    let fits = loads && cost? <= MOST;
    fits.then_some(if stores { WRITES } else { READS })
}

impl<E: Emit> FuncCx<'_, E> {
    pub fn loop_unrolled(
        &mut self,
        op: Op,
        [start, stop]: [E::V; 2],
        steps: usize,
        init: &[Val<E::V>],
        results: &[Value],
    ) -> Lowered {
        let func = self.func;
        let body = func.ops[op].regions[0];
        let (&index, carried) = func.blocks[body].params.split_first().expect("an index");
        let [header, many, rest] =
            ["unrolled", "unrolled.steps", "unrolled.rest"].map(|name| self.ir.label(name));
        let mut types = vec![Ty::I64];
        types.extend(part_types(&self.shapes(carried)));
        let params = self.ir.params(header, &types);
        let (&first, own) = params.split_first().expect("an index");
        self.ir.br(header, &[vec![start], self.parts_of(init, carried)].concat());
        self.ir.at(header);
        self.bind_all(carried, own);
        let count = self.ir.count(steps);
        // The difference of far ends is right as an unsigned number.
        let enough = self.ir.icmp(IntCmp::Uge, self.ir.sub(stop, first), count);
        self.ir.cond_br(self.ir.and(self.ir.slt(first, stop), enough), many, rest);
        self.ir.at(many);
        self.frames.push(Frame { exit: self.join("never", &[]), repeat: None });
        for step in 0..steps {
            self.bind(index, Val::Scalar(self.ir.add_nsw(first, self.ir.count(step))));
            let next = self.body_once(body, carried)?;
            self.bind_all(carried, &next);
        }
        let next: Vec<Val<E::V>> = carried.iter().map(|&value| self.val(value).clone()).collect();
        self.ir.br(header, &[vec![self.ir.add_nsw(first, count)], self.parts_of(&next, carried)].concat());
        // Nothing leaves a step.
        let Frame { exit, .. } = self.frames.pop().expect("pushed above");
        self.finish_join(exit, &[]);
        self.ir.unreachable();
        self.ir.at(rest);
        self.bind_all(carried, own);
        let left: Vec<Val<E::V>> = carried.iter().map(|&value| self.val(value).clone()).collect();
        self.loop_over(Range::Unit { start: first, stop, up: true }, op, &left, results)
    }
}
