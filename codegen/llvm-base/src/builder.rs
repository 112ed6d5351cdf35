//! LLVM's instructions for each of the core's.
//!
//! Instructions have no names: they cost time and say nothing that the IR does not.
//!
//! Unsafe here: address arithmetic, which inkwell cannot check. The offsets come from the IR, whose
//! accesses are in bounds by the checks before them.

use crate::debug::Debug;
use crate::loops;
use crate::object::Object;
use crate::scopes::Scopes;
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::debug_info::DISubprogram;
use inkwell::types::{BasicTypeEnum, FloatType, IntType};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue, FastMathFlags, FunctionValue,
    InstructionOpcode, InstructionValue, IntValue, MetadataValue, PhiValue, PointerValue, ValueKind,
};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, FloatPredicate, IntPredicate};
use pydd_codegen::Image;
use pydd_codegen::cpu::Architecture;
use pydd_codegen::emit::{
    Access, Declaration, Emit, EmitExt, Exchange, Extremum, FloatCmp, FloatFn, FloatOp, Freedom, IntCmp,
    IntOp, Signature, Touches, Ty,
};
use pydd_codegen::math::MathFunction;
use pydd_ir::{FuncRef, Type};
use std::cell::RefCell;
use std::collections::BTreeMap;

type V<'c> = BasicValueEnum<'c>;

pub const BUILT: &str = "the builder stands at a block and operand types fit";

/// So many parameters of one type side by side are one vector: where they are lanes, all that is computed of them becomes vectors.
const SIDE_BY_SIDE: u32 = 8;

/// Parameters as phis carry them: one by one, or as many of one type as a vector holds. Lanes have masks or indices beside their numbers;
/// numbers alone are parts of several sums, which are faster apart.
fn runs(types: &[Ty]) -> impl Iterator<Item = &[Ty]> {
    let are_lanes = |same: &[Ty]| same.len() >= SIDE_BY_SIDE as usize && matches!(same[0], Ty::I1 | Ty::I64);
    let lanes = types.chunk_by(|a, b| a == b).any(are_lanes);
    types.chunk_by(|a, b| a == b).flat_map(move |same| {
        let long = same.len() / SIDE_BY_SIDE as usize * SIDE_BY_SIDE as usize;
        let vectors = if lanes && same[0] != Ty::Ptr { long } else { 0 };
        let (lanes, single) = same.split_at(vectors);
        lanes.chunks(SIDE_BY_SIDE as usize).chain(single.chunks(1))
    })
}

/// A block and the index of its parameters.
#[derive(Clone, Copy)]
pub struct Label<'c> {
    block: BasicBlock<'c>,
    index: usize,
}

/// Builds one function.
pub struct Ir<'c, 'o> {
    object: &'o Object<'c>,
    b: Builder<'c>,
    /// Stands in the entry block, where all stack memory is taken.
    entry: Builder<'c>,
    /// Stands where phis are made.
    top: Builder<'c>,
    function: Option<FunctionValue<'c>>,
    /// Who the code belongs to for debuggers.
    subprogram: Option<DISubprogram<'c>>,
    /// The phis of each label.
    phis: RefCell<Vec<Vec<PhiValue<'c>>>>,
    /// Where variables are kept for debuggers.
    variables: RefCell<BTreeMap<(String, Type), PointerValue<'c>>>,
    scopes: RefCell<Scopes<'c>>,
}

impl<'c, 'o> Ir<'c, 'o> {
    /// Declares and opens functions; stands nowhere.
    pub fn new(object: &'o Object<'c>) -> Self {
        let builder = || object.cx.create_builder();
        Self {
            object,
            b: builder(),
            entry: builder(),
            top: builder(),
            function: None,
            subprogram: None,
            phis: RefCell::default(),
            variables: RefCell::default(),
            scopes: RefCell::default(),
        }
    }

    fn function(&self) -> FunctionValue<'c> {
        self.function.expect("opened")
    }

    fn int_type(&self, ty: Ty) -> IntType<'c> {
        self.object.ty(ty).into_int_type()
    }

    /// A float that is a constant as the integer of its bits. Quick selection of instructions puts floats into a pool, which
    /// it goes through for each one, and displays hold thousands.
    fn as_bits(&self, value: V<'c>) -> V<'c> {
        let BasicValueEnum::FloatValue(float) = value else { return value };
        let cx = self.object.cx;
        match float.get_constant() {
            #[allow(clippy::cast_possible_truncation, reason = "exact: a float32 was widened")]
            Some((number, _)) if !number.is_nan() && float.get_type() == cx.f32_type() => {
                cx.i32_type().const_int(u64::from((number as f32).to_bits()), false).into()
            }
            Some((number, _)) if !number.is_nan() && float.get_type() == cx.f64_type() => {
                cx.i64_type().const_int(number.to_bits(), false).into()
            }
            _ => value,
        }
    }

    fn float_type(&self, ty: Ty) -> FloatType<'c> {
        self.object.ty(ty).into_float_type()
    }

    /// The type that carries parameters side by side.
    fn carrier(&self, run: &[Ty]) -> BasicTypeEnum<'c> {
        match (self.object.ty(run[0]), run.len()) {
            (ty, 1) => ty,
            (BasicTypeEnum::FloatType(ty), _) => ty.vec_type(SIDE_BY_SIDE).into(),
            (ty, _) => ty.into_int_type().vec_type(SIDE_BY_SIDE).into(),
        }
    }

    /// The parameters that a phi carries.
    fn carried(&self, phi: V<'c>) -> Vec<V<'c>> {
        let BasicValueEnum::VectorValue(vector) = phi else { return vec![phi] };
        let lane =
            |lane| self.top.build_extract_element(vector, self.i32(lane).into_int_value(), "").expect(BUILT);
        (0..SIDE_BY_SIDE).map(lane).collect()
    }

    /// What a phi of this type is given: the first arguments, which are taken.
    fn carry(&self, ty: BasicTypeEnum<'c>, args: &mut &[V<'c>]) -> V<'c> {
        let BasicTypeEnum::VectorType(ty) = ty else {
            let (&first, rest) = args.split_first().expect("a value for each parameter");
            *args = rest;
            return first;
        };
        let (lanes, rest) = args.split_at(SIDE_BY_SIDE as usize);
        *args = rest;
        let insert = |vector, (lane, &value): (u32, &V<'c>)| {
            self.b.build_insert_element(vector, value, self.i32(lane).into_int_value(), "").expect(BUILT)
        };
        (0..).zip(lanes).fold(ty.get_poison(), insert).into()
    }

    /// Both halves of a word.
    fn exchange_word(&self, exchanged: &impl Fn(V<'c>) -> V<'c>, word: V<'c>) -> V<'c> {
        let low = exchanged(self.int_cast(word, Ty::I32, false));
        let high = exchanged(self.int_cast(self.lshr(word, self.i64(32)), Ty::I32, false));
        let [low, high] = [low, high].map(|half| self.int_cast(half, Ty::I64, false));
        self.or(self.shl(high, self.i64(32)), low)
    }

    fn binop(&self, op: InstructionOpcode, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_binop(op, a, b, "").expect(BUILT)
    }

    fn cast(&self, op: InstructionOpcode, a: V<'c>, ty: BasicTypeEnum<'c>) -> V<'c> {
        self.b.build_cast(op, a, ty, "").expect(BUILT)
    }

    /// Calls an intrinsic that is overloaded on `types` and has a result.
    pub fn intrinsic(&self, name: &str, types: &[BasicTypeEnum<'c>], args: &[V<'c>]) -> V<'c> {
        result(self.call_intrinsic(name, types, args))
    }

    /// Calls an intrinsic that is overloaded on `types`.
    pub fn call_intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'c>],
        args: &[V<'c>],
    ) -> CallSiteValue<'c> {
        let declaration = self.object.intrinsic(name, types);
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        self.b.build_call(declaration, &args, "").expect(BUILT)
    }

    /// inkwell's builder at the same place, for what the core has not.
    pub const fn raw(&self) -> &Builder<'c> {
        &self.b
    }

    /// A pointer into some kind of memory as one into any.
    pub fn generic(&self, pointer: V<'c>) -> V<'c> {
        let pointer = pointer.into_pointer_value();
        self.b.build_address_space_cast(pointer, self.object.ptr_type(), "").expect(BUILT).into()
    }

    /// A number of those that the threads of a block share.
    fn number_of_block(&self, count: usize, place: V<'c>) -> PointerValue<'c> {
        let numbers = self.object.numbers_of_block(count);
        let (ty, place) = (self.object.cx.i32_type(), place.into_int_value());
        // SAFETY: a place among them.
        unsafe { self.b.build_in_bounds_gep(ty, numbers, &[place], "") }.expect(BUILT)
    }

    pub fn get_in_block(&self, count: usize, place: V<'c>) -> V<'c> {
        let at = self.number_of_block(count, place);
        self.b.build_load(self.object.cx.i32_type(), at, "").expect(BUILT)
    }

    pub fn set_in_block(&self, count: usize, place: V<'c>, value: V<'c>) {
        self.b.build_store(self.number_of_block(count, place), value).expect(BUILT);
    }

    /// The part of a value that a word holds: an int64, or a pointer.
    pub fn from_word(&self, word: V<'c>, ty: Ty) -> V<'c> {
        match ty {
            Ty::Ptr if word.is_pointer_value() => self.generic(word),
            Ty::Ptr => self.cast(InstructionOpcode::IntToPtr, word, self.object.ty(ty)),
            Ty::F32 => {
                let bits = self.int_cast(word, Ty::I32, false);
                self.cast(InstructionOpcode::BitCast, bits, self.object.ty(ty))
            }
            Ty::F64 => self.cast(InstructionOpcode::BitCast, word, self.object.ty(ty)),
            int => self.int_cast(word, int, false),
        }
    }

    /// An intrinsic of one type for operands and result.
    fn intrinsic_of(&self, name: &str, args: &[V<'c>]) -> V<'c> {
        self.intrinsic(name, &[args[0].get_type()], args)
    }

    /// An infinity that LLVM does not look into, and other values as they are. It would make of `max(m, c ? x : -inf)` a selection of two
    /// maxima, one of which is `m`, and then find no maximum to make vectors of.
    fn unseen_infinity(&self, a: V<'c>) -> V<'c> {
        let BasicValueEnum::FloatValue(float) = a else { return a };
        match float.get_constant() {
            Some((number, _)) if number.is_infinite() && self.object.makes_vectors() => {
                self.intrinsic_of("llvm.arithmetic.fence", &[a])
            }
            _ => a,
        }
    }

    /// x86-64's own conversion to int64, which LLVM does not vectorise.
    fn cvtt(&self, a: V<'c>) -> V<'c> {
        let (name, lanes) = match self.ty(a) {
            Ty::F32 => ("llvm.x86.sse.cvttss2si64", 4),
            _ => ("llvm.x86.sse2.cvttsd2si64", 2),
        };
        let vector = self.float_type(self.ty(a)).vec_type(lanes).get_poison();
        let first = self.object.cx.i32_type().const_zero();
        let vector = self.b.build_insert_element(vector, a, first, "").expect(BUILT);
        self.intrinsic(name, &[], &[vector.into()])
    }

    fn set_metadata(&self, instruction: InstructionValue<'c>, kind: &str, node: MetadataValue<'c>) {
        instruction.set_metadata(node, self.object.cx.get_kind_id(kind)).expect("a node");
    }

    fn describe(&self, instruction: InstructionValue<'c>, access: &Access) {
        if access.unaligned {
            instruction.set_alignment(1).expect("a load or store");
        }
        if access.constant {
            self.set_metadata(instruction, "invariant.load", self.object.cx.metadata_node(&[]));
        }
        self.scopes.borrow_mut().mark(self.object, instruction, access);
    }

    fn results(&self, call: CallSiteValue<'c>) -> Vec<V<'c>> {
        call.add_attribute(AttributeLoc::Function, self.object.attribute("nounwind", 0));
        match call.try_as_basic_value() {
            ValueKind::Basic(BasicValueEnum::StructValue(all)) => (0..all.get_type().count_fields())
                .map(|i| self.b.build_extract_value(all, i, "").expect(BUILT))
                .collect(),
            ValueKind::Basic(value) => vec![value],
            ValueKind::Instruction(_) => Vec::new(),
        }
    }
}

impl<'c> Emit for Ir<'c, '_> {
    type V = V<'c>;
    type Label = Label<'c>;
    type Function = FunctionValue<'c>;

    const COPIES_MEMORY: bool = true;

    fn declare(&self, declaration: &Declaration<'_>) -> FunctionValue<'c> {
        self.object.declare(declaration)
    }

    fn open(&self, function: FunctionValue<'c>) -> (Self, Vec<V<'c>>) {
        let mut ir = Self::new(self.object);
        ir.function = Some(function);
        ir.entry.position_at_end(self.object.cx.append_basic_block(function, "entry"));
        ir.b.position_at_end(self.object.cx.append_basic_block(function, "begin"));
        let known = |debug: &Debug<'c>| debug.function(&function.get_name().to_string_lossy());
        if let Some((subprogram, line)) = self.object.debug.as_ref().and_then(known) {
            function.set_subprogram(subprogram);
            ir.subprogram = Some(subprogram);
            ir.at_source(line, 0);
        }
        (ir, function.get_params())
    }

    fn close(self) {
        let begin = self.function().get_basic_blocks()[1];
        self.entry.build_unconditional_branch(begin).expect(BUILT);
        // Blocks that nothing jumps to: LLVM wants no phi without a source.
        for phi in self.phis.take().into_iter().flatten().filter(|phi| phi.count_incoming() == 0) {
            match phi.as_basic_value() {
                BasicValueEnum::IntValue(v) => v.replace_all_uses_with(v.get_type().get_poison()),
                BasicValueEnum::FloatValue(v) => v.replace_all_uses_with(v.get_type().get_poison()),
                BasicValueEnum::PointerValue(v) => v.replace_all_uses_with(v.get_type().get_poison()),
                other => panic!("no parameter is {other}"),
            }
            phi.as_instruction().erase_from_basic_block();
        }
    }

    fn at_source(&self, line: u32, column: u32) {
        if let (Some(debug), Some(subprogram)) = (&self.object.debug, self.subprogram) {
            let place = debug.place(self.object.cx, subprogram, line, column);
            self.b.set_current_debug_location(place);
        }
    }

    fn watch(&self, name: &str, ty: Type, parts: &[V<'c>]) {
        let (Some(debug), Some(subprogram)) = (&self.object.debug, self.subprogram) else { return };
        // A byte in memory, as debuggers know it.
        let stored = |&part: &V<'c>| match part.get_type() {
            BasicTypeEnum::IntType(ty) if ty.get_bit_width() == 1 => self.int_cast(part, Ty::I8, false),
            _ => part,
        };
        let parts: Vec<V<'c>> = parts.iter().map(stored).collect();
        let types: Vec<BasicTypeEnum<'c>> = parts.iter().map(|part| part.get_type()).collect();
        let layout = self.object.cx.struct_type(&types, false);
        let key = (name.to_owned(), ty);
        let storage = *self.variables.borrow_mut().entry(key).or_insert_with(|| {
            let storage = self.entry.build_alloca(layout, "").expect(BUILT);
            let block = self.entry.get_insert_block().expect("opened");
            debug.variable(self.object.cx, subprogram, (name, ty), storage, block);
            storage
        });
        for (i, part) in (0..).zip(parts) {
            let at = self.b.build_struct_gep(layout, storage, i, "").expect(BUILT);
            self.b.build_store(at, part).expect(BUILT);
        }
    }

    fn memory_classes(&self, count: usize) {
        *self.scopes.borrow_mut() = Scopes::new(self.object, &self.b, count);
    }

    fn ty(&self, value: V<'c>) -> Ty {
        match value.get_type() {
            BasicTypeEnum::IntType(ty) => match ty.get_bit_width() {
                1 => Ty::I1,
                8 => Ty::I8,
                16 => Ty::I16,
                32 => Ty::I32,
                _ => Ty::I64,
            },
            BasicTypeEnum::FloatType(ty) if ty == self.object.cx.f32_type() => Ty::F32,
            BasicTypeEnum::FloatType(_) => Ty::F64,
            _ => Ty::Ptr,
        }
    }

    fn int(&self, ty: Ty, value: i64) -> V<'c> {
        let cut = value.cast_unsigned() & (u64::MAX >> (64 - ty.bits()));
        self.int_type(ty).const_int(cut, false).into()
    }

    fn float(&self, ty: Ty, value: f64) -> V<'c> {
        self.float_type(ty).const_float(value).into()
    }

    fn null(&self) -> V<'c> {
        self.object.ptr_type().const_null().into()
    }

    fn const_int(&self, value: V<'c>) -> Option<i64> {
        match value {
            BasicValueEnum::IntValue(value) => value.get_sign_extended_constant(),
            BasicValueEnum::PointerValue(value) => value.is_null().then_some(0),
            _ => None,
        }
    }

    fn string(&self, text: &str) -> V<'c> {
        self.object.string(text).into()
    }

    fn function_pointer(&self, function: FunctionValue<'c>) -> V<'c> {
        function.as_global_value().as_pointer_value().into()
    }

    fn image(&self, image: &Image, entry: &dyn Fn(FuncRef) -> FunctionValue<'c>) -> V<'c> {
        self.object.image(image, entry).into()
    }

    fn shared_image(&self, symbol: &str, image: &Image, entry: &dyn Fn(FuncRef) -> FunctionValue<'c>) {
        self.object.shared_image(symbol, image, entry);
    }

    fn int_op(&self, op: IntOp, a: V<'c>, b: V<'c>) -> V<'c> {
        let ints = || (a.into_int_value(), b.into_int_value());
        let opcode = match op {
            IntOp::Add => InstructionOpcode::Add,
            IntOp::Sub => InstructionOpcode::Sub,
            IntOp::Mul => InstructionOpcode::Mul,
            IntOp::Sdiv => InstructionOpcode::SDiv,
            IntOp::Udiv => InstructionOpcode::UDiv,
            IntOp::Srem => InstructionOpcode::SRem,
            IntOp::Urem => InstructionOpcode::URem,
            IntOp::And => InstructionOpcode::And,
            IntOp::Or => InstructionOpcode::Or,
            IntOp::Xor => InstructionOpcode::Xor,
            IntOp::Shl => InstructionOpcode::Shl,
            IntOp::Ashr => InstructionOpcode::AShr,
            IntOp::Lshr => InstructionOpcode::LShr,
            IntOp::AddNsw => return self.b.build_int_nsw_add(ints().0, ints().1, "").expect(BUILT).into(),
            IntOp::SubNsw => return self.b.build_int_nsw_sub(ints().0, ints().1, "").expect(BUILT).into(),
            IntOp::MulNsw => return self.b.build_int_nsw_mul(ints().0, ints().1, "").expect(BUILT).into(),
            IntOp::AddNuw => return self.b.build_int_nuw_add(ints().0, ints().1, "").expect(BUILT).into(),
            IntOp::Smin => return self.intrinsic_of("llvm.smin", &[a, b]),
            IntOp::Smax => return self.intrinsic_of("llvm.smax", &[a, b]),
            IntOp::Umin => return self.intrinsic_of("llvm.umin", &[a, b]),
            IntOp::Umax => return self.intrinsic_of("llvm.umax", &[a, b]),
            IntOp::UmulHigh => {
                let (narrow, wide) = (self.object.cx.i64_type(), self.object.cx.i128_type());
                let widened = |half: IntValue<'c>| self.b.build_int_z_extend(half, wide, "").expect(BUILT);
                let product = self.b.build_int_mul(widened(ints().0), widened(ints().1), "").expect(BUILT);
                let high =
                    self.b.build_right_shift(product, wide.const_int(64, false), false, "").expect(BUILT);
                return self.b.build_int_truncate(high, narrow, "").expect(BUILT).into();
            }
        };
        self.binop(opcode, a, b)
    }

    fn int_abs(&self, a: V<'c>) -> V<'c> {
        self.intrinsic_of("llvm.abs", &[a, self.bool(false)])
    }

    fn leading_zeros(&self, a: V<'c>) -> V<'c> {
        self.intrinsic_of("llvm.ctlz", &[a, self.bool(false)])
    }

    fn icmp(&self, cmp: IntCmp, a: V<'c>, b: V<'c>) -> V<'c> {
        let predicate = match cmp {
            IntCmp::Eq => IntPredicate::EQ,
            IntCmp::Ne => IntPredicate::NE,
            IntCmp::Slt => IntPredicate::SLT,
            IntCmp::Sle => IntPredicate::SLE,
            IntCmp::Sgt => IntPredicate::SGT,
            IntCmp::Sge => IntPredicate::SGE,
            IntCmp::Ult => IntPredicate::ULT,
            IntCmp::Ule => IntPredicate::ULE,
            IntCmp::Ugt => IntPredicate::UGT,
            IntCmp::Uge => IntPredicate::UGE,
        };
        match (a, b) {
            (BasicValueEnum::PointerValue(a), BasicValueEnum::PointerValue(b)) => {
                self.b.build_int_compare(predicate, a, b, "").expect(BUILT).into()
            }
            _ => {
                let (a, b) = (a.into_int_value(), b.into_int_value());
                self.b.build_int_compare(predicate, a, b, "").expect(BUILT).into()
            }
        }
    }

    fn float_op(&self, op: FloatOp, a: V<'c>, b: V<'c>, freedom: Freedom) -> V<'c> {
        let opcode = match op {
            FloatOp::Add => InstructionOpcode::FAdd,
            FloatOp::Sub => InstructionOpcode::FSub,
            FloatOp::Mul => InstructionOpcode::FMul,
            FloatOp::Div => InstructionOpcode::FDiv,
        };
        flagged(self.binop(opcode, a, b), flags(freedom))
    }

    fn float_fn(&self, function: FloatFn, a: V<'c>) -> V<'c> {
        if let Some(rounding) = self.object.rounding_function(function) {
            return self.math(rounding, false, &[a]);
        }
        let name = match function {
            FloatFn::Neg => return self.b.build_float_neg(a.into_float_value(), "").expect(BUILT).into(),
            FloatFn::Abs => "llvm.fabs",
            FloatFn::Sqrt => "llvm.sqrt",
            FloatFn::Floor => "llvm.floor",
            FloatFn::Ceil => "llvm.ceil",
            FloatFn::Trunc => "llvm.trunc",
            FloatFn::Rint => "llvm.rint",
        };
        self.intrinsic_of(name, &[a])
    }

    fn thread_in_warp(&self) -> V<'c> {
        self.intrinsic("llvm.nvvm.read.ptx.sreg.laneid", &[], &[])
    }

    fn thread_in_block(&self) -> V<'c> {
        let thread = self.intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", &[], &[]);
        self.int_cast(thread, Ty::I64, false)
    }

    fn block_in_grid(&self) -> V<'c> {
        let block = self.intrinsic("llvm.nvvm.read.ptx.sreg.ctaid.x", &[], &[]);
        self.int_cast(block, Ty::I64, false)
    }

    fn words_of_block(&self, count: usize) -> V<'c> {
        self.generic(self.object.words_of_block(count).into())
    }

    fn add_in_block(&self, count: usize, place: V<'c>, value: V<'c>) -> V<'c> {
        let at = self.number_of_block(count, place);
        let order = AtomicOrdering::Monotonic;
        self.b.build_atomicrmw(AtomicRMWBinOp::Add, at, value.into_int_value(), order).expect(BUILT).into()
    }

    fn barrier(&self) {
        self.call_intrinsic("llvm.nvvm.barrier.cta.sync.all", &[], &[self.i32(0)]);
    }

    fn exchange(&self, from: Exchange<V<'c>>, value: V<'c>, members: V<'c>, segments: V<'c>) -> V<'c> {
        let (name, from) = match from {
            Exchange::Behind(by) => ("llvm.nvvm.shfl.sync.down.i32", by),
            Exchange::First => ("llvm.nvvm.shfl.sync.idx.i32", self.i32(0)),
        };
        let exchanged = |half: V<'c>| self.intrinsic(name, &[], &[members, half, from, segments]);
        match self.ty(value) {
            Ty::F64 => {
                let bits = self.exchange_word(&exchanged, self.float_bits(value));
                self.cast(InstructionOpcode::BitCast, bits, self.object.ty(Ty::F64))
            }
            Ty::F32 => {
                let bits = exchanged(self.float_bits(value));
                self.cast(InstructionOpcode::BitCast, bits, self.object.ty(Ty::F32))
            }
            Ty::I64 => self.exchange_word(&exchanged, value),
            ty => self.int_cast(exchanged(self.int_cast(value, Ty::I32, false)), ty, false),
        }
    }

    fn holds_in_any(&self, condition: V<'c>, members: V<'c>) -> V<'c> {
        self.intrinsic("llvm.nvvm.vote.any.sync", &[], &[members, condition])
    }

    fn fmuladd(&self, a: V<'c>, b: V<'c>, c: V<'c>) -> V<'c> {
        self.intrinsic_of("llvm.fmuladd", &[a, b, c])
    }

    fn copysign(&self, size: V<'c>, sign: V<'c>) -> V<'c> {
        self.intrinsic_of("llvm.copysign", &[size, sign])
    }

    fn fcmp(&self, cmp: FloatCmp, a: V<'c>, b: V<'c>) -> V<'c> {
        let predicate = match cmp {
            FloatCmp::Oeq => FloatPredicate::OEQ,
            FloatCmp::Une => FloatPredicate::UNE,
            FloatCmp::Olt => FloatPredicate::OLT,
            FloatCmp::Ole => FloatPredicate::OLE,
            FloatCmp::Ogt => FloatPredicate::OGT,
            FloatCmp::Oge => FloatPredicate::OGE,
            FloatCmp::Ord => FloatPredicate::ORD,
            FloatCmp::Uno => FloatPredicate::UNO,
        };
        let (a, b) = (a.into_float_value(), b.into_float_value());
        self.b.build_float_compare(predicate, a, b, "").expect(BUILT).into()
    }

    fn extremum(&self, which: Extremum, a: V<'c>, b: V<'c>) -> Option<V<'c>> {
        let name = match (which.greatest, which.nan_wins) {
            (false, true) => "llvm.minimum",
            (true, true) => "llvm.maximum",
            (false, false) => "llvm.minnum",
            (true, false) => "llvm.maxnum",
        };
        Some(flagged(self.intrinsic_of(name, &[a, b]), FastMathFlags::NoSignedZeros))
    }

    fn math(&self, function: MathFunction, inline: bool, args: &[V<'c>]) -> V<'c> {
        let function = self.object.math_function(function, args[0].get_type(), args.len());
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        let call = self.b.build_call(function, &args, "").expect(BUILT);
        let add = |name| call.add_attribute(AttributeLoc::Function, self.object.attribute(name, 0));
        if self.object.options.strict_fp {
            // Another function in its place would give other bits.
            add("nobuiltin");
        }
        if inline && self.object.inlines_math() {
            add("alwaysinline");
        }
        result(call)
    }

    fn select(&self, cond: V<'c>, a: V<'c>, b: V<'c>) -> V<'c> {
        let (a, b) = (self.unseen_infinity(a), self.unseen_infinity(b));
        self.b.build_select(cond.into_int_value(), a, b, "").expect(BUILT)
    }

    fn int_cast(&self, a: V<'c>, ty: Ty, signed: bool) -> V<'c> {
        let to = self.object.ty(ty);
        match ty.bits().cmp(&self.ty(a).bits()) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Less => self.cast(InstructionOpcode::Trunc, a, to),
            std::cmp::Ordering::Greater if signed => self.cast(InstructionOpcode::SExt, a, to),
            std::cmp::Ordering::Greater => self.cast(InstructionOpcode::ZExt, a, to),
        }
    }

    fn int_to_float(&self, a: V<'c>, ty: Ty, signed: bool) -> V<'c> {
        let op = if signed { InstructionOpcode::SIToFP } else { InstructionOpcode::UIToFP };
        self.cast(op, a, self.object.ty(ty))
    }

    fn float_cast(&self, a: V<'c>, ty: Ty) -> V<'c> {
        match (self.ty(a), ty) {
            (Ty::F64, Ty::F32) => self.cast(InstructionOpcode::FPTrunc, a, self.object.ty(ty)),
            (Ty::F32, Ty::F64) => self.cast(InstructionOpcode::FPExt, a, self.object.ty(ty)),
            _ => a,
        }
    }

    /// Made of a comparison: this becomes a single instruction where one before it has shown that the number fits.
    fn float_to_int(&self, a: V<'c>, ty: Ty, asked: bool) -> V<'c> {
        if self.object.cpu.architecture == Architecture::X86_64 && asked && ty == Ty::I64 {
            return self.cvtt(a);
        }
        let least = i64::MIN >> (64 - ty.bits());
        let limit = self.float(self.ty(a), -(least as f64));
        let fits = self.fcmp(FloatCmp::Olt, self.float_fn(FloatFn::Abs, a), limit);
        let whole = self.cast(InstructionOpcode::FPToSI, a, self.object.ty(ty));
        self.select(fits, whole, self.int(ty, least))
    }

    fn float_bits(&self, a: V<'c>) -> V<'c> {
        let bits = if self.ty(a) == Ty::F32 { Ty::I32 } else { Ty::I64 };
        self.cast(InstructionOpcode::BitCast, a, self.object.ty(bits))
    }

    fn stack_words(&self, count: usize) -> V<'c> {
        let count = u32::try_from(count).expect("few words");
        self.entry.build_alloca(self.object.cx.i64_type().array_type(count), "").expect(BUILT).into()
    }

    fn stack_word(&self, value: i64) -> V<'c> {
        let at = self.entry.build_alloca(self.object.cx.i64_type(), "").expect(BUILT);
        self.entry.build_store(at, self.i64(value)).expect(BUILT);
        at.into()
    }

    fn stack_pointer(&self) -> V<'c> {
        let address = self.intrinsic("llvm.frameaddress", &[self.object.ty(Ty::Ptr)], &[self.i32(0)]);
        self.cast(InstructionOpcode::PtrToInt, address, self.object.ty(Ty::I64))
    }

    fn load_with(&self, ty: Ty, base: V<'c>, offset: usize, access: &Access) -> V<'c> {
        let at = self.field(base, offset).into_pointer_value();
        let value = self.b.build_load(self.object.ty(ty), at, "").expect(BUILT);
        if let Some(load) = value.as_instruction_value() {
            self.describe(load, access);
        }
        value
    }

    fn store_with(&self, base: V<'c>, offset: usize, value: V<'c>, access: &Access) {
        let at = self.field(base, offset).into_pointer_value();
        let value = if self.object.options.opt_level > 1 { value } else { self.as_bits(value) };
        let store = self.b.build_store(at, value).expect(BUILT);
        self.describe(store, access);
    }

    fn update(&self, op: IntOp, at: V<'c>, value: V<'c>) {
        let op = match op {
            IntOp::Add => AtomicRMWBinOp::Add,
            IntOp::And => AtomicRMWBinOp::And,
            IntOp::Or => AtomicRMWBinOp::Or,
            IntOp::Xor => AtomicRMWBinOp::Xor,
            IntOp::Smin => AtomicRMWBinOp::Min,
            IntOp::Smax => AtomicRMWBinOp::Max,
            IntOp::Umin => AtomicRMWBinOp::UMin,
            IntOp::Umax => AtomicRMWBinOp::UMax,
            other => unreachable!("{other:?} is no update"),
        };
        let (at, value) = (at.into_pointer_value(), value.into_int_value());
        self.b.build_atomicrmw(op, at, value, AtomicOrdering::Monotonic).expect(BUILT);
    }

    fn copy_memory(&self, to: V<'c>, from: V<'c>, bytes: V<'c>) {
        let (to, from) = (to.into_pointer_value(), from.into_pointer_value());
        self.b.build_memcpy(to, 1, from, 1, bytes.into_int_value()).expect(BUILT);
    }

    fn offset(&self, base: V<'c>, offset: V<'c>) -> V<'c> {
        let (base, offset) = (base.into_pointer_value(), offset.into_int_value());
        let byte = self.object.cx.i8_type();
        // SAFETY: see the file's head.
        unsafe { self.b.build_in_bounds_gep(byte, base, &[offset], "") }.expect(BUILT).into()
    }

    fn wild_offset(&self, base: V<'c>, offset: V<'c>) -> V<'c> {
        let (base, offset) = (base.into_pointer_value(), offset.into_int_value());
        // SAFETY: without `inbounds` any offset is defined.
        unsafe { self.b.build_gep(self.object.cx.i8_type(), base, &[offset], "") }.expect(BUILT).into()
    }

    fn label(&self, name: &str) -> Label<'c> {
        let mut phis = self.phis.borrow_mut();
        phis.push(Vec::new());
        Label { block: self.object.cx.append_basic_block(self.function(), name), index: phis.len() - 1 }
    }

    fn params(&self, label: Label<'c>, types: &[Ty]) -> Vec<V<'c>> {
        self.top.position_at_end(label.block);
        let phi = |run: &[Ty]| self.top.build_phi(self.carrier(run), "").expect(BUILT);
        let phis: Vec<PhiValue<'c>> = runs(types).map(phi).collect();
        let values = phis.iter().flat_map(|phi| self.carried(phi.as_basic_value())).collect();
        self.phis.borrow_mut()[label.index] = phis;
        values
    }

    fn at(&self, label: Label<'c>) {
        self.b.position_at_end(label.block);
    }

    fn br(&self, to: Label<'c>, args: &[V<'c>]) {
        let here = self.b.get_insert_block().expect("positioned");
        let phis = &self.phis.borrow()[to.index];
        let mut rest = args;
        for phi in phis {
            let value = self.carry(phi.as_basic_value().get_type(), &mut rest);
            phi.add_incoming(&[(&value, here)]);
        }
        assert!(rest.is_empty(), "a value for each parameter");
        self.b.build_unconditional_branch(to.block).expect(BUILT);
    }

    fn br_back_plain(&self, to: Label<'c>, args: &[V<'c>], hot: bool) {
        self.br(to, args);
        let block = self.b.get_insert_block().expect("positioned");
        let branch = block.get_terminator().expect("a branch was built");
        self.set_metadata(branch, "llvm.loop", loops::plain(self.object.cx, hot));
    }

    fn br_back_masked(&self, to: Label<'c>, args: &[V<'c>]) {
        self.br(to, args);
        if self.object.has_masks() {
            let block = self.b.get_insert_block().expect("positioned");
            let branch = block.get_terminator().expect("a branch was built");
            self.set_metadata(branch, "llvm.loop", loops::masked(self.object.cx));
        }
    }

    fn br_back_single(&self, to: Label<'c>, args: &[V<'c>]) {
        self.br(to, args);
        let block = self.b.get_insert_block().expect("positioned");
        let branch = block.get_terminator().expect("a branch was built");
        self.set_metadata(branch, "llvm.loop", loops::single(self.object.cx));
    }

    fn cond_br(&self, cond: V<'c>, yes: Label<'c>, no: Label<'c>) {
        self.b.build_conditional_branch(cond.into_int_value(), yes.block, no.block).expect(BUILT);
    }

    fn likely(&self, cond: V<'c>, yes: Label<'c>, no: Label<'c>) {
        let cond = cond.into_int_value();
        let branch = self.b.build_conditional_branch(cond, yes.block, no.block).expect(BUILT);
        let weight = |n: u32| -> BasicMetadataValueEnum<'c> { self.i32(n).into() };
        let name = self.object.cx.metadata_string("branch_weights");
        let node = self.object.cx.metadata_node(&[name.into(), weight(1 << 20), weight(1)]);
        self.set_metadata(branch, "prof", node);
    }

    fn ret(&self, values: &[V<'c>]) {
        match values {
            [] => self.b.build_return(None).expect(BUILT),
            [one] => self.b.build_return(Some(one)).expect(BUILT),
            several => self.b.build_aggregate_return(several).expect(BUILT),
        };
    }

    fn unreachable(&self) {
        self.b.build_unreachable().expect(BUILT);
    }

    fn call(&self, function: FunctionValue<'c>, args: &[V<'c>]) -> Vec<V<'c>> {
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        self.results(self.b.build_call(function, &args, "").expect(BUILT))
    }

    fn call_pointer(
        &self,
        signature: &Signature,
        pointer: V<'c>,
        args: &[V<'c>],
        touches: Touches,
    ) -> Vec<V<'c>> {
        let ty = self.object.function_type(signature);
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        let pointer = pointer.into_pointer_value();
        let call = self.b.build_indirect_call(ty, pointer, &args, "").expect(BUILT);
        if touches == Touches::Arguments {
            let memory = self.object.attribute("memory", ARGUMENT_AND_INACCESSIBLE);
            call.add_attribute(AttributeLoc::Function, memory);
            let instruction = match call.try_as_basic_value() {
                ValueKind::Basic(value) => value.as_instruction_value(),
                ValueKind::Instruction(instruction) => Some(instruction),
            };
            if let Some(instruction) = instruction {
                self.scopes.borrow_mut().mark_apart(self.object, instruction);
            }
        }
        if touches == Touches::Nothing {
            for (name, value) in [("memory", 0), ("nounwind", 0), ("willreturn", 0)] {
                call.add_attribute(AttributeLoc::Function, self.object.attribute(name, value));
            }
        }
        self.results(call)
    }
}

/// `memory(argmem: readwrite, inaccessiblemem: readwrite)`: two bits for each kind of memory, in this order.
const ARGUMENT_AND_INACCESSIBLE: u64 = 0b1111;

/// `contract` makes multiply-adds. `reassoc` is enough to vectorise accumulations: NaN, infinities and
/// signed zeros stay, since vectorised sums then start from -0.0.
fn flags(freedom: Freedom) -> FastMathFlags {
    match freedom {
        Freedom::Exact => FastMathFlags::empty(),
        Freedom::Contract => FastMathFlags::AllowContract,
        Freedom::Reassociate => FastMathFlags::AllowContract | FastMathFlags::AllowReassoc,
        Freedom::Real => FastMathFlags::all(),
    }
}

fn flagged(value: V<'_>, flags: FastMathFlags) -> V<'_> {
    if !flags.is_empty()
        && let Some(instruction) = value.as_instruction_value()
        && instruction.can_use_fast_math_flags()
    {
        instruction.set_fast_math_flags(flags).expect("just asked");
    }
    value
}

/// The value that a call gives.
pub fn result(call: CallSiteValue<'_>) -> V<'_> {
    match call.try_as_basic_value() {
        ValueKind::Basic(value) => value,
        ValueKind::Instruction(_) => panic!("a call without a result"),
    }
}
