//! A launch that combines what parts of a reduction have given, as far as the tree over them has nodes of one size: then the processor has few left.

use inkwell::values::{BasicValueEnum, FunctionValue};
use pydd_abi::device::NODE;
use pydd_codegen::emit::{Emit, EmitExt, IntCmp, Ty};
use pydd_codegen_llvm_base::Ir;

type V<'c> = BasicValueEnum<'c>;

/// Parts that a thread makes one of.
const SIZE: usize = 1 << NODE;

/// What parts have given, and where nodes go, with what is left at the end behind them.
pub struct Parts<'c> {
    pub count: V<'c>,
    pub results: V<'c>,
    pub nodes: V<'c>,
}

/// Combines parts where this is such a launch, and returns; goes on where it is none. `threads` are the number of this one in the launch, and that of all.
pub fn parts<'c>(
    ir: &Ir<'c, '_>,
    combine: FunctionValue<'c>,
    words: usize,
    is_launched: V<'c>,
    [thread, all]: [V<'c>; 2],
    parts: &Parts<'c>,
) {
    let [some, next, node, rest, copy, end, none] =
        ["combine", "node.next", "node", "node.rest", "node.copy", "node.end", "combine.none"]
            .map(|name| ir.label(name));
    let own = ir.stack_words(SIZE * words);
    let place = ir.params(next, &[Ty::I64])[0];
    ir.cond_br(is_launched, some, none);
    ir.at(some);
    let count = ir.lshr(parts.count, ir.i64(NODE.into()));
    ir.br(next, &[thread]);
    ir.at(next);
    ir.cond_br(ir.slt(place, count), node, rest);
    ir.at(node);
    let from = ir.offset(parts.results, ir.mul(place, ir.count(8 * SIZE * words)));
    for word in 0..SIZE * words {
        ir.store(own, 8 * word, ir.load(Ty::I64, from, 8 * word));
    }
    for half in (0..NODE).map(|level| 1 << level) {
        for before in (0..SIZE).step_by(2 * half) {
            let both = [before, before + half].map(|part| ir.field(own, 8 * words * part));
            ir.call(combine, &both);
        }
    }
    let to = ir.offset(parts.nodes, ir.mul(place, ir.count(8 * words)));
    for word in 0..words {
        ir.store(to, 8 * word, ir.load(Ty::I64, own, 8 * word));
    }
    ir.br(next, &[ir.add(place, all)]);
    ir.at(rest);
    let first = ir.mul(count, ir.count(SIZE));
    let left = ir.mul(ir.sub(parts.count, first), ir.count(words));
    ir.cond_br(ir.icmp(IntCmp::Ult, thread, left), copy, end);
    ir.at(copy);
    let at = |base, parts| ir.offset(base, ir.mul(ir.add(ir.mul(parts, ir.count(words)), thread), ir.i64(8)));
    ir.store(at(parts.nodes, count), 0, ir.load(Ty::I64, at(parts.results, first), 0));
    ir.br(end, &[]);
    ir.at(end);
    ir.ret(&[]);
    ir.at(none);
}
