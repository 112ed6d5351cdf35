//! Copies of masked elements whose elements are all assigned anew, as `x[m] += y[m]` does: what is assigned takes the copy's place.

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::catalogue::MaskOperation;
use pydd_ir::rewrite::{Layout, Use, Uses, erase_op};
use pydd_ir::{Block, FuncRef, Function, Op, OpKind, Value};

use super::is_compress;

/// Takes what is assigned to a copy in the copy's place: nobody else knows the copy.
pub(super) fn take_new_elements(
    func: &mut Function,
    summaries: &Summaries,
    block: Block,
    operations: &BTreeMap<FuncRef, MaskOperation>,
) {
    for assign in func.blocks[block].ops.clone() {
        if func.ops[assign].kind != OpKind::Assign
            || !func.def_op(func.ops[assign].args[0]).is_some_and(|op| is_compress(func, op, operations))
        {
            continue;
        }
        let (uses, layout) = (Uses::new(func), Layout::new(func));
        let finder = Finder { func, uses: &uses, layout: &layout, operations, block };
        let Some((users, new)) = finder.renewed(summaries, assign) else { continue };
        for one in users {
            func.ops[one.op].args[one.index as usize] = new;
        }
        erase_op(func, assign);
    }
}

struct Finder<'a> {
    func: &'a Function,
    uses: &'a Uses,
    layout: &'a Layout,
    operations: &'a BTreeMap<FuncRef, MaskOperation>,
    block: Block,
}

impl Finder<'_> {
    /// Who uses a copy behind the assignment, and what they can use instead.
    fn renewed(&self, summaries: &Summaries, assign: Op) -> Option<(Vec<Use>, Value)> {
        let func = self.func;
        let [copy, new] = func.ops[assign].args[..] else { return None };
        let compress = func.def_op(copy)?;
        let mask = func.ops[compress].args[1];
        let is_known = |op: Op| match func.ops[op].kind {
            OpKind::Call(callee) => self.operations.contains_key(&callee),
            OpKind::Elem(_) | OpKind::Cast | OpKind::Dim(_) | OpKind::Reduce(_) => true,
            _ => op == assign,
        };
        let users = self.uses.of(copy);
        let plain =
            users.iter().all(|one| self.layout.block_of(one.op) == Some(self.block) && is_known(one.op));
        if !plain || self.uses.count(new) != 1 || func.ty(copy) != func.ty(new) {
            return None;
        }
        // The mask is the same for both.
        let first = self.first_of(new, mask, assign)?;
        let memory = MemoryInfo::new(func, summaries);
        let mut on_the_way = func.blocks[self.block]
            .ops
            .iter()
            .filter(|&&op| !self.layout.is_before(op, first) && self.layout.is_before(op, assign));
        let same = on_the_way.all(|&op| !memory.effects(op).changes().intersects(memory.classes(mask)));
        let behind = users.iter().filter(|one| self.layout.is_before(assign, one.op));
        same.then(|| (behind.copied().collect(), new))
    }

    /// The first operation that makes a value of elements, where all are named by this mask.
    fn first_of(&self, new: Value, mask: Value, assign: Op) -> Option<Op> {
        let (mut open, mut first) = (vec![new], assign);
        while let Some(value) = open.pop() {
            let made = self.func.def_op(value).filter(|&op| self.layout.block_of(op) == Some(self.block))?;
            first = if self.layout.is_before(made, first) { made } else { first };
            let data = &self.func.ops[made];
            match data.kind {
                OpKind::Elem(_) | OpKind::Cast => {
                    open.extend(data.args.iter().filter(|&&arg| self.func.ty(arg).is_array()));
                }
                _ if is_compress(self.func, made, self.operations) && data.args[1] == mask => {}
                _ => return None,
            }
        }
        Some(first)
    }
}
