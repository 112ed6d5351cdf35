//! A thin wrapper over inkwell, so that lowering reads as intent.
//!
//! Values are dynamically typed ([`V`]); a mismatch is a compiler bug and panics. Instructions have no
//! names: they cost time and say nothing that the IR does not.
//!
//! Unsafe here: address arithmetic, which inkwell cannot check. The offsets come from the IR, whose
//! accesses are in bounds by the checks before them.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::{BasicType, BasicTypeEnum, FloatType, FunctionType, IntType, PointerType};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue, FastMathFlags, FunctionValue,
    InstructionOpcode, InstructionValue, MetadataValue, PhiValue, ValueKind,
};
use inkwell::{AddressSpace, FloatPredicate, IntPredicate};

pub type V<'c> = BasicValueEnum<'c>;
pub type Label<'c> = BasicBlock<'c>;

const BUILT: &str = "the builder stands at a block and operand types fit";

/// Builds instructions at a position.
pub struct Ir<'c> {
    pub cx: &'c Context,
    b: Builder<'c>,
}

/// Types that need no parameter.
impl<'c> Ir<'c> {
    pub fn new(cx: &'c Context) -> Self {
        Self { cx, b: cx.create_builder() }
    }

    pub fn int_type(&self, bits: u32) -> IntType<'c> {
        match bits {
            1 => self.cx.bool_type(),
            8 => self.cx.i8_type(),
            16 => self.cx.i16_type(),
            32 => self.cx.i32_type(),
            64 => self.cx.i64_type(),
            _ => panic!("no integer of {bits} bits"),
        }
    }

    pub fn i64_type(&self) -> BasicTypeEnum<'c> {
        self.cx.i64_type().into()
    }

    pub fn ptr_type(&self) -> PointerType<'c> {
        self.cx.ptr_type(AddressSpace::default())
    }
}

/// Constants.
impl<'c> Ir<'c> {
    pub fn bool(&self, value: bool) -> V<'c> {
        self.cx.bool_type().const_int(u64::from(value), false).into()
    }

    pub fn i8(&self, value: u8) -> V<'c> {
        self.cx.i8_type().const_int(u64::from(value), false).into()
    }

    pub fn i32(&self, value: u32) -> V<'c> {
        self.cx.i32_type().const_int(u64::from(value), false).into()
    }

    pub fn i64(&self, value: i64) -> V<'c> {
        self.cx.i64_type().const_int(value.cast_unsigned(), false).into()
    }

    pub fn null(&self) -> V<'c> {
        self.ptr_type().const_null().into()
    }

    /// An integer of the type of `like`.
    pub fn int_like(&self, value: i64, like: V<'c>) -> V<'c> {
        like.into_int_value().get_type().const_int(value.cast_unsigned(), true).into()
    }

    pub fn float_like(&self, value: f64, like: V<'c>) -> V<'c> {
        like.into_float_value().get_type().const_float(value).into()
    }

    pub fn poison(&self, ty: BasicTypeEnum<'c>) -> V<'c> {
        match ty {
            BasicTypeEnum::IntType(t) => t.get_poison().into(),
            BasicTypeEnum::FloatType(t) => t.get_poison().into(),
            BasicTypeEnum::PointerType(t) => t.get_poison().into(),
            other => panic!("no poison of {other}"),
        }
    }

    /// The constant that an integer is, if it is one.
    pub fn const_value(&self, value: V<'c>) -> Option<i64> {
        value.into_int_value().get_sign_extended_constant()
    }
}

/// Integer arithmetic; wrapping unless the name says otherwise.
impl<'c> Ir<'c> {
    fn binop(&self, op: InstructionOpcode, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_binop(op, a, b, "").expect(BUILT)
    }

    pub fn add(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::Add, a, b)
    }

    pub fn sub(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::Sub, a, b)
    }

    pub fn mul(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::Mul, a, b)
    }

    pub fn add_nsw(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_int_nsw_add(a.into_int_value(), b.into_int_value(), "").expect(BUILT).into()
    }

    pub fn sub_nsw(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_int_nsw_sub(a.into_int_value(), b.into_int_value(), "").expect(BUILT).into()
    }

    pub fn add_nuw(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_int_nuw_add(a.into_int_value(), b.into_int_value(), "").expect(BUILT).into()
    }

    pub fn mul_nsw(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_int_nsw_mul(a.into_int_value(), b.into_int_value(), "").expect(BUILT).into()
    }

    pub fn sdiv(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::SDiv, a, b)
    }

    pub fn udiv(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::UDiv, a, b)
    }

    pub fn srem(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::SRem, a, b)
    }

    pub fn urem(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::URem, a, b)
    }

    pub fn and(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::And, a, b)
    }

    pub fn or(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::Or, a, b)
    }

    pub fn xor(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::Xor, a, b)
    }

    pub fn shl(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::Shl, a, b)
    }

    pub fn ashr(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::AShr, a, b)
    }

    pub fn lshr(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::LShr, a, b)
    }

    pub fn not(&self, a: V<'c>) -> V<'c> {
        self.b.build_not(a.into_int_value(), "").expect(BUILT).into()
    }

    pub fn neg(&self, a: V<'c>) -> V<'c> {
        self.b.build_int_neg(a.into_int_value(), "").expect(BUILT).into()
    }

    pub fn icmp(&self, predicate: IntPredicate, a: V<'c>, b: V<'c>) -> V<'c> {
        if a.is_pointer_value() {
            let (a, b) = (a.into_pointer_value(), b.into_pointer_value());
            return self.b.build_int_compare(predicate, a, b, "").expect(BUILT).into();
        }
        self.b.build_int_compare(predicate, a.into_int_value(), b.into_int_value(), "").expect(BUILT).into()
    }

    pub fn eq(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.icmp(IntPredicate::EQ, a, b)
    }

    pub fn ne(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.icmp(IntPredicate::NE, a, b)
    }

    pub fn slt(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.icmp(IntPredicate::SLT, a, b)
    }

    pub fn sgt(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.icmp(IntPredicate::SGT, a, b)
    }

    pub fn ult(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.icmp(IntPredicate::ULT, a, b)
    }

    pub fn is_null(&self, a: V<'c>) -> V<'c> {
        self.eq(a, self.null())
    }

    pub fn is_zero(&self, a: V<'c>) -> V<'c> {
        self.eq(a, self.int_like(0, a))
    }

    pub fn is_negative(&self, a: V<'c>) -> V<'c> {
        self.slt(a, self.int_like(0, a))
    }
}

/// Float arithmetic.
impl<'c> Ir<'c> {
    fn flagged(&self, value: V<'c>, flags: FastMathFlags) -> V<'c> {
        if !flags.is_empty()
            && let Some(instruction) = value.as_instruction_value()
            && instruction.can_use_fast_math_flags()
        {
            instruction.set_fast_math_flags(flags).expect("just asked");
        }
        value
    }

    pub fn fadd(&self, a: V<'c>, b: V<'c>, flags: FastMathFlags) -> V<'c> {
        self.flagged(self.binop(InstructionOpcode::FAdd, a, b), flags)
    }

    pub fn fsub(&self, a: V<'c>, b: V<'c>, flags: FastMathFlags) -> V<'c> {
        self.flagged(self.binop(InstructionOpcode::FSub, a, b), flags)
    }

    pub fn fmul(&self, a: V<'c>, b: V<'c>, flags: FastMathFlags) -> V<'c> {
        self.flagged(self.binop(InstructionOpcode::FMul, a, b), flags)
    }

    pub fn fdiv(&self, a: V<'c>, b: V<'c>, flags: FastMathFlags) -> V<'c> {
        self.flagged(self.binop(InstructionOpcode::FDiv, a, b), flags)
    }

    /// C's remainder.
    pub fn frem(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        self.binop(InstructionOpcode::FRem, a, b)
    }

    pub fn fneg(&self, a: V<'c>) -> V<'c> {
        self.b.build_float_neg(a.into_float_value(), "").expect(BUILT).into()
    }

    pub fn fcmp(&self, predicate: FloatPredicate, a: V<'c>, b: V<'c>) -> V<'c> {
        let (a, b) = (a.into_float_value(), b.into_float_value());
        self.b.build_float_compare(predicate, a, b, "").expect(BUILT).into()
    }

    /// Compares with a constant.
    pub fn fcmp_const(&self, predicate: FloatPredicate, a: V<'c>, b: f64) -> V<'c> {
        self.fcmp(predicate, a, self.float_like(b, a))
    }
}

/// Selection and conversion.
impl<'c> Ir<'c> {
    pub fn select(&self, cond: V<'c>, a: V<'c>, b: V<'c>) -> V<'c> {
        self.b.build_select(cond.into_int_value(), a, b, "").expect(BUILT)
    }

    fn cast(&self, op: InstructionOpcode, a: V<'c>, ty: BasicTypeEnum<'c>) -> V<'c> {
        self.b.build_cast(op, a, ty, "").expect(BUILT)
    }

    /// Widens or narrows an integer.
    pub fn int_cast(&self, a: V<'c>, ty: IntType<'c>, signed: bool) -> V<'c> {
        let from = a.into_int_value().get_type().get_bit_width();
        match ty.get_bit_width().cmp(&from) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Less => self.cast(InstructionOpcode::Trunc, a, ty.into()),
            std::cmp::Ordering::Greater if signed => self.cast(InstructionOpcode::SExt, a, ty.into()),
            std::cmp::Ordering::Greater => self.cast(InstructionOpcode::ZExt, a, ty.into()),
        }
    }

    pub fn int_to_float(&self, a: V<'c>, ty: FloatType<'c>, signed: bool) -> V<'c> {
        let op = if signed { InstructionOpcode::SIToFP } else { InstructionOpcode::UIToFP };
        self.cast(op, a, ty.into())
    }

    /// Widens or narrows a float.
    pub fn float_cast(&self, a: V<'c>, ty: FloatType<'c>) -> V<'c> {
        let from = a.into_float_value().get_type();
        if from == ty {
            return a;
        }
        let narrows = ty == self.cx.f32_type();
        let op = if narrows { InstructionOpcode::FPTrunc } else { InstructionOpcode::FPExt };
        self.cast(op, a, ty.into())
    }

    pub fn bitcast(&self, a: V<'c>, ty: BasicTypeEnum<'c>) -> V<'c> {
        self.cast(InstructionOpcode::BitCast, a, ty)
    }

    pub fn ptr_to_int(&self, a: V<'c>) -> V<'c> {
        self.cast(InstructionOpcode::PtrToInt, a, self.i64_type())
    }
}

/// Memory.
impl<'c> Ir<'c> {
    pub fn alloca(&self, ty: BasicTypeEnum<'c>) -> V<'c> {
        self.b.build_alloca(ty, "").expect(BUILT).into()
    }

    pub fn load(&self, ty: impl BasicType<'c>, at: V<'c>) -> V<'c> {
        self.b.build_load(ty, at.into_pointer_value(), "").expect(BUILT)
    }

    pub fn store(&self, at: V<'c>, value: V<'c>) -> InstructionValue<'c> {
        self.b.build_store(at.into_pointer_value(), value).expect(BUILT)
    }

    /// `base + offset` bytes, within the object that `base` points into.
    pub fn offset(&self, base: V<'c>, offset: V<'c>) -> V<'c> {
        let (base, offset) = (base.into_pointer_value(), offset.into_int_value());
        // SAFETY: see the file's head.
        unsafe { self.b.build_in_bounds_gep(self.cx.i8_type(), base, &[offset], "") }.expect(BUILT).into()
    }

    /// `base + offset` bytes, wherever that is.
    pub fn wild_offset(&self, base: V<'c>, offset: V<'c>) -> V<'c> {
        let (base, offset) = (base.into_pointer_value(), offset.into_int_value());
        // SAFETY: without `inbounds` any offset is defined.
        unsafe { self.b.build_gep(self.cx.i8_type(), base, &[offset], "") }.expect(BUILT).into()
    }

    /// The field at a constant offset.
    pub fn field(&self, base: V<'c>, offset: usize) -> V<'c> {
        if offset == 0 {
            return base;
        }
        self.offset(base, self.i64(i64::try_from(offset).expect("small")))
    }

    pub fn load_field(&self, ty: impl BasicType<'c>, base: V<'c>, offset: usize) -> V<'c> {
        let at = self.field(base, offset);
        self.load(ty, at)
    }

    pub fn store_field(&self, base: V<'c>, offset: usize, value: V<'c>) {
        let at = self.field(base, offset);
        self.store(at, value);
    }
}

/// Control.
impl<'c> Ir<'c> {
    pub fn at(&self, label: Label<'c>) {
        self.b.position_at_end(label);
    }

    pub fn here(&self) -> Label<'c> {
        self.b.get_insert_block().expect("positioned")
    }

    pub fn function(&self) -> FunctionValue<'c> {
        self.here().get_parent().expect("blocks stand in functions")
    }

    pub fn label(&self, name: &str) -> Label<'c> {
        self.cx.append_basic_block(self.function(), name)
    }

    pub fn br(&self, to: Label<'c>) {
        self.b.build_unconditional_branch(to).expect(BUILT);
    }

    pub fn cond_br(&self, cond: V<'c>, yes: Label<'c>, no: Label<'c>) -> InstructionValue<'c> {
        self.b.build_conditional_branch(cond.into_int_value(), yes, no).expect(BUILT)
    }

    /// Branches where `no` is rare.
    pub fn likely(&self, cond: V<'c>, yes: Label<'c>, no: Label<'c>) {
        let branch = self.cond_br(cond, yes, no);
        let weight = |n: u64| -> BasicMetadataValueEnum<'c> { self.cx.i32_type().const_int(n, false).into() };
        let name = self.cx.metadata_string("branch_weights");
        let node = self.cx.metadata_node(&[name.into(), weight(1 << 20), weight(1)]);
        self.set_metadata(branch, "prof", node);
    }

    pub fn phi(&self, ty: BasicTypeEnum<'c>) -> PhiValue<'c> {
        self.b.build_phi(ty, "").expect(BUILT)
    }

    pub fn ret(&self, value: Option<V<'c>>) {
        match value {
            Some(value) => self.b.build_return(Some(&value)).expect(BUILT),
            None => self.b.build_return(None).expect(BUILT),
        };
    }

    pub fn unreachable(&self) {
        self.b.build_unreachable().expect(BUILT);
    }
}

/// Calls, attributes and metadata.
impl<'c> Ir<'c> {
    fn no_unwind(&self, call: CallSiteValue<'c>) -> CallSiteValue<'c> {
        call.add_attribute(AttributeLoc::Function, self.attribute("nounwind", 0));
        call
    }

    pub fn call(&self, function: FunctionValue<'c>, args: &[V<'c>]) -> CallSiteValue<'c> {
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        self.no_unwind(self.b.build_call(function, &args, "").expect(BUILT))
    }

    pub fn call_metadata(&self, function: FunctionValue<'c>, node: MetadataValue<'c>) {
        self.b.build_call(function, &[node.into()], "").expect(BUILT);
    }

    pub fn call_pointer(&self, ty: FunctionType<'c>, pointer: V<'c>, args: &[V<'c>]) -> CallSiteValue<'c> {
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        let call = self.b.build_indirect_call(ty, pointer.into_pointer_value(), &args, "").expect(BUILT);
        self.no_unwind(call)
    }

    /// Calls an intrinsic that is overloaded on `types`.
    pub fn intrinsic(
        &self,
        module: &Module<'c>,
        name: &str,
        types: &[BasicTypeEnum<'c>],
        args: &[V<'c>],
        flags: FastMathFlags,
    ) -> V<'c> {
        let declaration = intrinsic_declaration(module, name, types);
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&a| a.into()).collect();
        let call = self.b.build_call(declaration, &args, "").expect(BUILT);
        self.flagged(result(call), flags)
    }

    /// A structure of two values, as a function returns it.
    pub fn pair(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        let empty = self.cx.struct_type(&[a.get_type(), b.get_type()], false).get_poison();
        let half = self.b.build_insert_value(empty, a, 0, "").expect(BUILT);
        self.b.build_insert_value(half, b, 1, "").expect(BUILT).into_struct_value().into()
    }

    /// One value of a [`Self::pair`].
    pub fn part(&self, pair: V<'c>, index: u32) -> V<'c> {
        self.b.build_extract_value(pair.into_struct_value(), index, "").expect(BUILT)
    }

    pub fn attribute(&self, name: &str, value: u64) -> Attribute {
        let kind = Attribute::get_named_enum_kind_id(name);
        assert!(kind != 0, "LLVM has no attribute {name}");
        self.cx.create_enum_attribute(kind, value)
    }

    pub fn set_metadata(&self, instruction: InstructionValue<'c>, kind: &str, node: MetadataValue<'c>) {
        instruction.set_metadata(node, self.cx.get_kind_id(kind)).expect("a node");
    }

    /// Promises that the memory a load reads never changes.
    pub fn set_invariant(&self, loaded: V<'c>) -> V<'c> {
        if let Some(load) = loaded.as_instruction_value() {
            self.set_metadata(load, "invariant.load", self.cx.metadata_node(&[]));
        }
        loaded
    }
}

/// The value that a call gives.
pub fn result(call: CallSiteValue<'_>) -> V<'_> {
    match call.try_as_basic_value() {
        ValueKind::Basic(value) => value,
        ValueKind::Instruction(_) => panic!("a call without a result"),
    }
}

pub fn intrinsic_declaration<'c>(
    module: &Module<'c>,
    name: &str,
    types: &[BasicTypeEnum<'c>],
) -> FunctionValue<'c> {
    let intrinsic = Intrinsic::find(name).unwrap_or_else(|| panic!("LLVM has no {name}"));
    intrinsic.get_declaration(module, types).expect("types fit the intrinsic")
}
