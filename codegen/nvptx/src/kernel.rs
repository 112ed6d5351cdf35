//! The kernel around the body of a loop.
//!
//! Threads, or groups of neighbouring ones, take iterations (or parts of a reduction) in turns, so that neighbours touch neighbouring elements. One that fails
//! goes to the end, where the threads of a block find their lowest, which writes the block's report. Where a thread does several short iterations, the body knows which.
//!
//! Where few elements are added to, blocks have sums of their own (`private`). Where an iteration may be left, a launch notes those that were, and a second one has each done by a block.

use crate::combine::{self, Parts};
use crate::private::Summed;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue};
use inkwell::{AddressSpace, AtomicOrdering, AtomicRMWBinOp};
use pydd_abi::device::{BLOCK, BOARD, COMBINES, LEFT, Report};
use pydd_abi::parts::{LONG, UNIT};
use pydd_abi::{Ctx, MAX_PAYLOAD, layout};
use pydd_codegen::device::private;
use pydd_codegen::emit::{Emit, EmitExt, IntCmp, Ty};
use pydd_codegen::lower::{CTX_LANES, CTX_LIMIT, LEAVES, part_types};
use pydd_codegen::words;
use pydd_codegen_llvm_base::builder::BUILT;
use pydd_codegen_llvm_base::{Ir, Object};
use pydd_ir::{Function, OpKind, Region, Type};
use std::mem::offset_of;

type V<'c> = BasicValueEnum<'c>;

/// LLVM's number of the calling convention of kernels.
const PTX_KERNEL: u32 = 71;
/// Memory of the device that the host sees, and that of a block.
const GLOBAL: u16 = 1;
const SHARED: u16 = 3;

/// The parameters before the environment.
const FIXED: usize = 9;

/// What PTX calls the kernel of a loop: letters, digits and underscores.
pub fn name(region: &Function, number: usize) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let (function, _) = region.name.split_once('.').unwrap_or((&region.name, ""));
    format!("k{number}_{}", function.chars().map(plain).collect::<String>())
}

/// Defines the kernel of a region, whose body is `body`, and what combines the accumulators of its parts.
pub fn define<'c>(
    root: &Ir<'c, '_>,
    object: &Object<'c>,
    region: &Function,
    name: &str,
    (body, combine): (FunctionValue<'c>, Option<FunctionValue<'c>>),
    takes: Takes,
) {
    let kernel = declare(object, region, name);
    let (ir, params) = root.open(kernel);
    let leaves = takes == Takes::OneOrLeaves;
    let builder = Kernel { ir, object, region, body, combine, leaves, params };
    if takes == Takes::Several {
        builder.build_for_several();
    } else {
        builder.build();
    }
}

/// What a thread, or a group of threads, takes at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    One,
    /// An iteration, which it may leave for a second launch.
    OneOrLeaves,
    Several,
}

/// All parameters are words; those that point to memory of the device say so.
fn declare<'c>(object: &Object<'c>, region: &Function, name: &str) -> FunctionValue<'c> {
    let word: BasicMetadataTypeEnum<'c> = object.cx.i64_type().into();
    let pointer: BasicMetadataTypeEnum<'c> = object.cx.ptr_type(AddressSpace::from(GLOBAL)).into();
    let mut params = vec![pointer, word, word, word, word, pointer, word, pointer, word, word, word];
    for ty in captured(region) {
        let first = params.len();
        params.extend(vec![word; words::of(ty)]);
        if ty.is_array() {
            params[first] = pointer;
        }
    }
    params.extend(vec![word; words::total(region.results.iter().copied())]);
    let kernel = object.llvm.add_function(name, object.cx.void_type().fn_type(&params, false), None);
    kernel.set_call_conventions(PTX_KERNEL);
    object.set_processor(kernel);
    let block = object.cx.create_string_attribute("nvvm.maxntid", &BLOCK.to_string());
    kernel.add_attribute(AttributeLoc::Function, block);
    kernel.add_attribute(AttributeLoc::Function, object.attribute("nounwind", 0));
    mark_apart(object, region, kernel);
    kernel
}

/// Arrays that share memory with no other one: of those that are only read, loads may go through the cache for constants.
fn mark_apart<'c>(object: &Object<'c>, region: &Function, kernel: FunctionValue<'c>) {
    let captures = &region.region.as_ref().expect("a kernel is of a region").captures;
    let memory: Vec<(u32, bool)> = captures.iter().map(|c| (c.memory, c.sharing.writes())).collect();
    let mut word = u32::try_from(FIXED + 2).expect("few");
    for (i, ty) in captured(region).into_iter().enumerate() {
        if ty.is_array() {
            let others = || (0..memory.len()).filter(|&j| j != i && memory[j].0 == memory[i].0);
            let is_written = memory[i].1 || others().any(|j| memory[j].1);
            let mark = |name| kernel.add_attribute(AttributeLoc::Param(word), object.attribute(name, 0));
            if others().next().is_none() || !is_written {
                mark("noalias");
            }
            if !is_written {
                mark("readonly");
            }
        }
        word += u32::try_from(words::of(ty)).expect("few");
    }
}

/// The types of what a region captures.
fn captured(region: &Function) -> Vec<Type> {
    let count = region.region.as_ref().expect("a kernel is of a region").captures.len();
    region.params()[Region::CAPTURES..][..count].iter().map(|&param| region.ty(param)).collect()
}

/// Iterations that were left by the first launch, which began with this one.
struct Left<'c> {
    left: V<'c>,
    begin: V<'c>,
    is_second: V<'c>,
}

struct Kernel<'a, 'c, 'o> {
    ir: Ir<'c, 'o>,
    object: &'a Object<'c>,
    region: &'a Function,
    body: FunctionValue<'c>,
    /// Makes of two parts' accumulators those of both.
    combine: Option<FunctionValue<'c>>,
    /// Whether an iteration may be left.
    leaves: bool,
    params: Vec<V<'c>>,
}

impl<'c> Kernel<'_, 'c, '_> {
    /// There are threads for all, and nothing fails.
    fn build_for_several(self) {
        let &[_, begin, end, ..] = self.params.as_slice() else { unreachable!("as declared") };
        let ctx = self.ir.stack_words(size_of::<Ctx>() / 8 + 2);
        self.call(ctx, [begin, end], Vec::new(), self.ir.null());
        self.ir.ret(&[]);
        self.ir.close();
    }

    fn build(self) {
        let ir = &self.ir;
        let &[board, begin, end, iterations, parts, results, lanes, left, limit] = &self.params[..FIXED]
        else {
            unreachable!("as declared")
        };
        let [board, results, left] = [board, results, left].map(|pointer| ir.generic(pointer));
        let ctx = ir.stack_words(size_of::<Ctx>() / 8 + 2);
        ir.store(ctx, layout::CTX_CALLER, ir.i32(0));
        ir.store(ctx, CTX_LANES, lanes);
        ir.store(ctx, CTX_LIMIT, limit);
        let thread = self.special("tid.x");
        let block = self.special("ctaid.x");
        if let Some(function) = self.combine {
            let all = ir.mul(self.special("nctaid.x"), ir.i64(i64::from(BLOCK)));
            let threads = [ir.add(ir.mul(block, ir.i64(i64::from(BLOCK))), thread), all];
            let parts = Parts { count: ir.sub(end, begin), results, nodes: left };
            let words = words::total(self.region.results.iter().copied());
            combine::parts(ir, function, words, ir.eq(lanes, ir.i64(COMBINES.into())), threads, &parts);
        }
        let first = ir.lshr(ir.add(ir.mul(block, ir.i64(i64::from(BLOCK))), thread), lanes);
        let all = ir.lshr(ir.mul(self.special("nctaid.x"), ir.i64(i64::from(BLOCK))), lanes);

        let [next, step, go_on, failed, whole, done] =
            ["next", "step", "go.on", "failed", "whole", "done"].map(|name| ir.label(name));
        // Numbers of what was left, or of iterations.
        let left = self.leaves.then(|| Left { left, begin, is_second: self.is_second(lanes) });
        let (begin, end) = match &left {
            Some(left) => self.range(left, end),
            None => (begin, end),
        };
        let summed = self.summed();
        if !summed.is_empty() {
            summed.iter().for_each(|summed| summed.clear(ir, thread));
            self.barrier();
        }
        let place = ir.params(next, &[Ty::I64])[0];
        let [mine, stopped] = ir.params(done, &[Ty::I64, Ty::I64])[..] else { unreachable!("two") };
        ir.br(next, &[ir.add(begin, first)]);
        ir.at(next);
        ir.cond_br(ir.slt(place, end), step, whole);
        ir.at(step);
        let i = left.as_ref().map_or(place, |left| self.iteration(left, place));
        let status = if self.region.results.is_empty() {
            self.call(ctx, [i, ir.add_nsw(i, ir.i64(1))], Vec::new(), ir.null())
        } else {
            let words = words::total(self.region.results.iter().copied());
            let result = ir.offset(results, ir.mul(ir.sub(i, begin), ir.count(words * 8)));
            let range = [i, ir.add(i, ir.i64(1))].map(|part| self.start_of_part(part, iterations, parts));
            self.call(ctx, range, self.identities(), result)
        };
        ir.likely(ir.is_zero(status), go_on, failed);
        ir.at(go_on);
        let following = self.following(left.as_ref(), place, all, thread);
        ir.br(next, &[following]);
        ir.at(failed);
        if let Some(left) = &left {
            let fails = ir.label("fails");
            let leaves = ir.label("leaves");
            ir.cond_br(ir.eq(status, ir.i32(LEAVES)), leaves, fails);
            ir.at(leaves);
            self.note_left(left, i, thread, lanes, board);
            ir.br(go_on, &[]);
            ir.at(fails);
        }
        ir.br(done, &[i, place]);
        ir.at(whole);
        ir.br(done, &[ir.i64(-1), place]);
        ir.at(done);
        if !summed.is_empty() {
            self.barrier();
            summed.iter().for_each(|summed| summed.add(ir, thread));
        }
        if self.may_fail() {
            self.report(ctx, mine, thread, board, block);
        }
        if let Some(left) = &left {
            // What was left has no order: a lower one may follow that fails.
            let [again, end_of_kernel] = ["again", "end"].map(|name| ir.label(name));
            ir.cond_br(ir.and(left.is_second, ir.slt(stopped, end)), again, end_of_kernel);
            ir.at(again);
            let following = self.following(Some(left), stopped, all, thread);
            ir.br(next, &[following]);
            ir.at(end_of_kernel);
        }
        ir.ret(&[]);
        self.ir.close();
    }

    /// Arrays to which blocks add what they have.
    fn summed(&self) -> Vec<Summed<'c>> {
        let mut word = FIXED + 2;
        let mut found = Vec::new();
        let arrays = private::arrays(self.region);
        for (ty, &param) in captured(self.region).into_iter().zip(&self.region.params()[Region::CAPTURES..]) {
            if let Some(&private) = arrays.iter().find(|private| private.array == param) {
                let rank = usize::from(private.rank);
                let words = &self.params[word..];
                let [dims, strides] = [2, 2 + rank].map(|first| words[first..][..rank].to_vec());
                found.push(Summed { private, data: self.ir.generic(words[0]), dims, strides });
            }
            word += words::of(ty);
        }
        found
    }

    /// Whether a block does an iteration together: one that was left.
    fn is_second(&self, lanes: V<'c>) -> V<'c> {
        self.ir.eq(lanes, self.ir.i64(i64::from(BLOCK.ilog2())))
    }

    /// What is counted: iterations, or those that were left.
    fn range(&self, left: &Left<'c>, end: V<'c>) -> (V<'c>, V<'c>) {
        let ir = &self.ir;
        let [first, second, counted] = ["first", "second", "counted"].map(|name| ir.label(name));
        let [from, to] = ir.params(counted, &[Ty::I64, Ty::I64])[..] else { unreachable!("two") };
        ir.cond_br(left.is_second, second, first);
        ir.at(first);
        ir.br(counted, &[left.begin, end]);
        ir.at(second);
        ir.br(counted, &[ir.i64(0), ir.load(Ty::I64, left.left, 0)]);
        ir.at(counted);
        (from, to)
    }

    fn iteration(&self, left: &Left<'c>, place: V<'c>) -> V<'c> {
        let ir = &self.ir;
        let [itself, number, i] = ["left.itself", "left.number", "left.i"].map(|name| ir.label(name));
        let iteration = ir.params(i, &[Ty::I64])[0];
        ir.cond_br(left.is_second, number, itself);
        ir.at(itself);
        ir.br(i, &[place]);
        ir.at(number);
        let number = ir.load(Ty::I32, ir.offset(left.left, ir.mul(place, ir.i64(4))), LEFT);
        ir.br(i, &[ir.add(left.begin, ir.int_cast(number, Ty::I64, false))]);
        ir.at(i);
        iteration
    }

    /// What comes after a place. Of those that were left, which have very different lengths, a block takes the next one that no other has.
    fn following(&self, left: Option<&Left<'c>>, place: V<'c>, all: V<'c>, thread: V<'c>) -> V<'c> {
        let ir = &self.ir;
        let Some(left) = left else { return ir.add(place, all) };
        let [plain, taken, first, told, joined] =
            ["next.plain", "next.taken", "next.first", "next.told", "next.joined"].map(|name| ir.label(name));
        let following = ir.params(joined, &[Ty::I64])[0];
        ir.cond_br(left.is_second, taken, plain);
        ir.at(plain);
        ir.br(joined, &[ir.add(place, all)]);
        ir.at(taken);
        let word = self.object.cx.i64_type();
        let told_at = self.object.words_of_block(1);
        ir.cond_br(ir.is_zero(thread), first, told);
        ir.at(first);
        let (at, one) = (ir.offset(left.left, ir.i64(8)).into_pointer_value(), word.const_int(1, false));
        let order = AtomicOrdering::Monotonic;
        let taken = ir.raw().build_atomicrmw(AtomicRMWBinOp::Add, at, one, order).expect(BUILT).into();
        // Each block began with that of its own number.
        let number = ir.add(taken, self.special("nctaid.x"));
        ir.raw().build_store(told_at, number).expect(BUILT);
        ir.br(told, &[]);
        ir.at(told);
        ir.barrier();
        let number = ir.raw().build_load(word, told_at, "").expect(BUILT);
        // Before the memory is used again.
        ir.barrier();
        ir.br(joined, &[number]);
        ir.at(joined);
        following
    }

    /// The first thread of a group notes what the group has left.
    fn note_left(&self, left: &Left<'c>, i: V<'c>, thread: V<'c>, lanes: V<'c>, board: V<'c>) {
        let ir = &self.ir;
        let [note, tell, noted] = ["left.note", "left.tell", "left.noted"].map(|name| ir.label(name));
        let others = ir.sub(ir.shl(ir.i64(1), lanes), ir.i64(1));
        ir.cond_br(ir.is_zero(ir.and(thread, others)), note, noted);
        ir.at(note);
        let (count, one) = (left.left.into_pointer_value(), self.object.cx.i64_type().const_int(1, false));
        let order = AtomicOrdering::Monotonic;
        let place = ir.raw().build_atomicrmw(AtomicRMWBinOp::Add, count, one, order).expect(BUILT).into();
        let number = ir.int_cast(ir.sub(i, left.begin), Ty::I32, false);
        ir.store(ir.offset(left.left, ir.mul(place, ir.i64(4))), LEFT, number);
        ir.cond_br(ir.eq(board, ir.null()), noted, tell);
        ir.at(tell);
        ir.store(board, 8, ir.i64(1));
        ir.br(noted, &[]);
        ir.at(noted);
    }

    /// What accumulators begin with: the last parameters.
    fn identities(&self) -> Vec<V<'c>> {
        let types = &self.region.results;
        let mut word = self.params.len() - words::total(types.iter().copied());
        let mut parts = Vec::new();
        for &ty in types {
            for (i, part) in part_types(ty).into_iter().enumerate() {
                parts.push(self.ir.from_word(self.params[word + i], part));
            }
            word += words::of(ty);
        }
        parts
    }

    /// Calls the body for some iterations.
    fn call(&self, ctx: V<'c>, [begin, end]: [V<'c>; 2], sums: Vec<V<'c>>, out: V<'c>) -> V<'c> {
        let mut args = vec![ctx, begin, end, self.params[FIXED], self.params[FIXED + 1]];
        let mut word = FIXED + 2;
        for ty in captured(self.region) {
            for part in part_types(ty) {
                args.push(self.ir.from_word(self.params[word], part));
                word += 1;
            }
        }
        args.extend(sums);
        args.push(out);
        self.ir.call_one(self.body, &args)
    }

    /// As [`pydd_abi::parts::Parts::start`]. There are fewer than 2^31 parts, so that no product overflows.
    fn start_of_part(&self, part: V<'c>, iterations: V<'c>, parts: V<'c>) -> V<'c> {
        let ir = &self.ir;
        let (each, left) = (ir.udiv(iterations, parts), ir.urem(iterations, parts));
        let start = ir.add(ir.mul(each, part), ir.udiv(ir.mul(left, part), parts));
        let is_long = ir.icmp(IntCmp::Sge, each, ir.i64(LONG));
        let is_cut = ir.and(is_long, ir.slt(part, parts));
        ir.select(is_cut, ir.and(start, ir.i64(-UNIT)), start)
    }

    /// The lowest iteration of the block that failed writes the report: that of a thread to which it belongs.
    fn report(&self, ctx: V<'c>, mine: V<'c>, thread: V<'c>, board: V<'c>, block: V<'c>) {
        let ir = &self.ir;
        let word = self.object.cx.i64_type();
        let lowest = self.object.llvm.add_global(word, Some(AddressSpace::from(SHARED)), "lowest");
        lowest.set_linkage(Linkage::Internal);
        lowest.set_initializer(&word.get_undef());
        let lowest = lowest.as_pointer_value();
        let [first, ready, fail, told, compare, write, end] =
            ["first", "ready", "fail", "told", "compare", "write", "end"].map(|name| ir.label(name));
        if self.leaves {
            // All know the lowest of what was reported before.
            self.barrier();
        }
        ir.cond_br(ir.is_zero(thread), first, ready);
        ir.at(first);
        ir.raw().build_store(lowest, word.const_all_ones()).expect(BUILT);
        ir.br(ready, &[]);
        ir.at(ready);
        self.barrier();
        let has_failed = ir.ne(mine, ir.i64(-1));
        ir.cond_br(has_failed, fail, told);
        ir.at(fail);
        let order = AtomicOrdering::Monotonic;
        ir.raw().build_atomicrmw(AtomicRMWBinOp::UMin, lowest, mine.into_int_value(), order).expect(BUILT);
        ir.br(told, &[]);
        ir.at(told);
        self.barrier();
        let least = ir.raw().build_load(word, lowest, "").expect(BUILT);
        ir.cond_br(ir.and(has_failed, ir.eq(least, mine)), compare, end);
        ir.at(compare);
        let report = ir.offset(board, ir.add(ir.count(BOARD), ir.mul(block, ir.count(size_of::<Report>()))));
        // Another launch, or an iteration of this one, may have failed before: 0 less one is the greatest.
        let before = ir.sub(ir.load(Ty::I64, report, offset_of!(Report, failed)), ir.i64(1));
        ir.cond_br(ir.ult(mine, before), write, end);
        ir.at(write);
        ir.store(report, offset_of!(Report, failed), ir.add(mine, ir.i64(1)));
        let copy = |ty, from, to| ir.store(report, to, ir.load(ty, ctx, from));
        copy(Ty::I32, layout::CTX_SITE, offset_of!(Report, site));
        copy(Ty::I32, layout::CTX_CALLER, offset_of!(Report, caller));
        for i in 0..MAX_PAYLOAD {
            copy(Ty::I64, layout::CTX_PAYLOAD + 8 * i, offset_of!(Report, payload) + 8 * i);
        }
        ir.store(board, 0, ir.i64(1));
        ir.br(end, &[]);
        ir.at(end);
    }

    /// Whether any iteration may fail, as far as a look at the operations tells.
    fn may_fail(&self) -> bool {
        self.region.all_ops().into_iter().any(|op| {
            let kind = &self.region.ops[op].kind;
            let fails = matches!(
                kind,
                OpKind::Check { .. } | OpKind::Raise { .. } | OpKind::Call(_) | OpKind::Launch(_)
            );
            fails || kind.facts(self.region.level).raises.holds(self.region, op)
        })
    }

    /// A special register, as an int64.
    fn special(&self, name: &str) -> V<'c> {
        let value = self.ir.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), &[], &[]);
        self.ir.int_cast(value, Ty::I64, false)
    }

    /// Waits for the block's other threads.
    fn barrier(&self) {
        self.ir.call_intrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", &[], &[self.ir.i32(0)]);
    }
}
