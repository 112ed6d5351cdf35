//! Cranelift's instructions for each of the core's.

use crate::object::{Object, machine_signature, machine_type};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    self, Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind,
    TrapCode, UserFuncName, Value, types,
};
use cranelift_module::{DataId, FuncId, Module as _};
use pydd_codegen::Image;
use pydd_codegen::emit::{
    Access, Declaration, Emit, EmitExt, FloatCmp, FloatFn, FloatOp, Freedom, IntCmp, IntOp, Linkage,
    Signature, Touches, Ty,
};
use pydd_codegen::math::MathFunction;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// A value. Constants and stack addresses become instructions where they are used: so they are
/// immediate operands or cost little, and live in no register in between.
#[derive(Clone, Copy, Debug)]
pub enum V {
    Value(Value, Ty),
    Int(i64, Ty),
    Stack(StackSlot),
}

/// Builds one function.
pub struct Ir<'o> {
    object: &'o Object,
    id: Option<FuncId>,
    func: RefCell<ir::Function>,
    /// Where first values of stack words are stored.
    entry: Block,
    at: Cell<Block>,
    stack_words: RefCell<Vec<(StackSlot, i64)>>,
    callees: RefCell<BTreeMap<FuncId, FuncRef>>,
}

type Ins<'f, 'c> = ir::InsertBuilder<'c, &'c mut FuncCursor<'f>>;

impl<'o> Ir<'o> {
    /// Declares and opens functions; stands nowhere.
    pub fn root(object: &'o Object) -> Self {
        let func = ir::Function::new();
        Self::new(object, None, func)
    }

    fn new(object: &'o Object, id: Option<FuncId>, mut func: ir::Function) -> Self {
        let entry = func.dfg.make_block();
        let begin = func.dfg.make_block();
        func.layout.append_block(entry);
        func.layout.append_block(begin);
        Self {
            object,
            id,
            func: RefCell::new(func),
            entry,
            at: Cell::new(begin),
            stack_words: RefCell::default(),
            callees: RefCell::default(),
        }
    }

    /// Adds an instruction to a block.
    fn ins_at<R>(&self, block: Block, build: impl FnOnce(Ins<'_, '_>) -> R) -> R {
        let mut func = self.func.borrow_mut();
        let mut cursor = FuncCursor::new(&mut func).at_bottom(block);
        build(cursor.ins())
    }

    fn ins<R>(&self, build: impl FnOnce(Ins<'_, '_>) -> R) -> R {
        self.ins_at(self.at.get(), build)
    }

    /// An instruction that gives a value.
    fn value(&self, ty: Ty, build: impl FnOnce(Ins<'_, '_>) -> Value) -> V {
        V::Value(self.ins(build), ty)
    }

    /// A value in a register.
    fn get(&self, value: V) -> Value {
        match value {
            V::Value(value, _) => value,
            V::Int(value, ty) => self.ins(|ins| ins.iconst(machine_type(ty), value)),
            V::Stack(slot) => self.ins(|ins| ins.stack_addr(types::I64, slot, 0)),
        }
    }

    fn get_all(&self, values: &[V]) -> Vec<Value> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    fn callee(&self, id: FuncId) -> FuncRef {
        *self.callees.borrow_mut().entry(id).or_insert_with(|| {
            self.object.module.borrow_mut().declare_func_in_func(id, &mut self.func.borrow_mut())
        })
    }

    fn data(&self, id: DataId) -> V {
        let global = self.object.module.borrow().declare_data_in_func(id, &mut self.func.borrow_mut());
        self.value(Ty::Ptr, |ins| ins.symbol_value(types::I64, global))
    }

    /// What a call gives, typed as `results` says.
    fn results(&self, call: ir::Inst, results: &[Ty]) -> Vec<V> {
        let func = self.func.borrow();
        let values = func.dfg.inst_results(call);
        values.iter().zip(results).map(|(&value, &ty)| V::Value(value, ty)).collect()
    }

    fn flags(access: &Access) -> MemFlagsData {
        let mut flags = MemFlagsData::new().with_notrap();
        if !access.unaligned {
            flags = flags.with_aligned();
        }
        if access.constant {
            flags = flags.with_readonly().with_can_move();
        }
        flags
    }

    /// The smaller or greater of two integers.
    fn choose(&self, cmp: IntCmp, a: V, b: V) -> V {
        let first = self.icmp(cmp, a, b);
        self.select(first, a, b)
    }
}

impl Emit for Ir<'_> {
    type V = V;
    type Label = Block;
    type Function = FuncId;

    fn declare(&self, declaration: &Declaration<'_>) -> FuncId {
        self.object.declare(declaration)
    }

    fn open(&self, function: FuncId) -> (Self, Vec<V>) {
        let signature = self.object.signature_of(function);
        let name = UserFuncName::user(0, function.as_u32());
        let func = ir::Function::with_name_signature(name, machine_signature(&signature));
        let ir = Self::new(self.object, Some(function), func);
        let params = ir.params(ir.entry, &signature.params);
        (ir, params)
    }

    fn close(self) {
        for &(slot, value) in self.stack_words.borrow().iter() {
            let value = self.ins_at(self.entry, |ins| ins.iconst(types::I64, value));
            self.ins_at(self.entry, |ins| ins.stack_store(types::I64, value, slot, 0));
        }
        let begin = self.func.borrow().layout.next_block(self.entry).expect("made with it");
        self.ins_at(self.entry, |ins| ins.jump(begin, &[]));
        self.object.define(self.id.expect("opened"), self.func.into_inner());
    }

    fn memory_classes(&self, _count: usize) {}

    fn ty(&self, value: V) -> Ty {
        match value {
            V::Value(_, ty) | V::Int(_, ty) => ty,
            V::Stack(_) => Ty::Ptr,
        }
    }

    fn int(&self, ty: Ty, value: i64) -> V {
        let unused = 64 - ty.bits();
        let extended = value << unused >> unused;
        // A truth value is 0 or 1.
        V::Int(if ty == Ty::I1 { value & 1 } else { extended }, ty)
    }

    fn float(&self, ty: Ty, value: f64) -> V {
        #[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
        match ty {
            Ty::F32 => self.value(ty, |ins| ins.f32const(value as f32)),
            _ => self.value(ty, |ins| ins.f64const(value)),
        }
    }

    fn null(&self) -> V {
        V::Int(0, Ty::Ptr)
    }

    fn const_int(&self, value: V) -> Option<i64> {
        match value {
            V::Int(value, _) => Some(value),
            _ => None,
        }
    }

    fn string(&self, text: &str) -> V {
        self.data(self.object.string(text))
    }

    fn function_pointer(&self, function: FuncId) -> V {
        let callee = self.callee(function);
        self.value(Ty::Ptr, |ins| ins.func_addr(types::I64, callee))
    }

    fn image(&self, image: &Image, entry: &dyn Fn(pydd_ir::FuncRef) -> FuncId) -> V {
        self.data(self.object.image(image, entry))
    }

    fn shared_image(&self, symbol: &str, image: &Image, entry: &dyn Fn(pydd_ir::FuncRef) -> FuncId) {
        self.object.shared_image(symbol, image, entry);
    }

    fn int_op(&self, op: IntOp, a: V, b: V) -> V {
        let ty = self.ty(a);
        match op {
            IntOp::Smin => return self.choose(IntCmp::Slt, a, b),
            IntOp::Smax => return self.choose(IntCmp::Sgt, a, b),
            IntOp::Umin => return self.choose(IntCmp::Ult, a, b),
            IntOp::Umax => return self.choose(IntCmp::Ugt, a, b),
            _ => {}
        }
        let (a, b) = (self.get(a), self.get(b));
        self.value(ty, |ins| match op {
            IntOp::Add | IntOp::AddNsw | IntOp::AddNuw => ins.iadd(a, b),
            IntOp::Sub | IntOp::SubNsw => ins.isub(a, b),
            IntOp::Mul | IntOp::MulNsw => ins.imul(a, b),
            IntOp::Sdiv => ins.sdiv(a, b),
            IntOp::Udiv => ins.udiv(a, b),
            IntOp::Srem => ins.srem(a, b),
            IntOp::Urem => ins.urem(a, b),
            IntOp::And => ins.band(a, b),
            IntOp::Or => ins.bor(a, b),
            IntOp::Xor => ins.bxor(a, b),
            IntOp::Shl => ins.ishl(a, b),
            IntOp::Ashr => ins.sshr(a, b),
            IntOp::Lshr => ins.ushr(a, b),
            IntOp::UmulHigh => ins.umulhi(a, b),
            IntOp::Smin | IntOp::Smax | IntOp::Umin | IntOp::Umax => unreachable!("done above"),
        })
    }

    fn int_abs(&self, a: V) -> V {
        self.select(self.is_negative(a), self.neg(a), a)
    }

    fn leading_zeros(&self, a: V) -> V {
        let number = self.get(a);
        self.value(self.ty(a), |ins| ins.clz(number))
    }

    fn icmp(&self, cmp: IntCmp, a: V, b: V) -> V {
        let cc = match cmp {
            IntCmp::Eq => IntCC::Equal,
            IntCmp::Ne => IntCC::NotEqual,
            IntCmp::Slt => IntCC::SignedLessThan,
            IntCmp::Sle => IntCC::SignedLessThanOrEqual,
            IntCmp::Sgt => IntCC::SignedGreaterThan,
            IntCmp::Sge => IntCC::SignedGreaterThanOrEqual,
            IntCmp::Ult => IntCC::UnsignedLessThan,
            IntCmp::Ule => IntCC::UnsignedLessThanOrEqual,
            IntCmp::Ugt => IntCC::UnsignedGreaterThan,
            IntCmp::Uge => IntCC::UnsignedGreaterThanOrEqual,
        };
        let (a, b) = (self.get(a), self.get(b));
        self.value(Ty::I1, |ins| ins.icmp(cc, a, b))
    }

    fn float_op(&self, op: FloatOp, a: V, b: V, _freedom: Freedom) -> V {
        let ty = self.ty(a);
        let (a, b) = (self.get(a), self.get(b));
        self.value(ty, |ins| match op {
            FloatOp::Add => ins.fadd(a, b),
            FloatOp::Sub => ins.fsub(a, b),
            FloatOp::Mul => ins.fmul(a, b),
            FloatOp::Div => ins.fdiv(a, b),
        })
    }

    fn float_fn(&self, function: FloatFn, a: V) -> V {
        let ty = self.ty(a);
        let a = self.get(a);
        self.value(ty, |ins| match function {
            FloatFn::Neg => ins.fneg(a),
            FloatFn::Abs => ins.fabs(a),
            FloatFn::Sqrt => ins.sqrt(a),
            FloatFn::Floor => ins.floor(a),
            FloatFn::Ceil => ins.ceil(a),
            FloatFn::Trunc => ins.trunc(a),
            FloatFn::Rint => ins.nearest(a),
        })
    }

    fn copysign(&self, size: V, sign: V) -> V {
        let ty = self.ty(size);
        let (size, sign) = (self.get(size), self.get(sign));
        self.value(ty, |ins| ins.fcopysign(size, sign))
    }

    fn fcmp(&self, cmp: FloatCmp, a: V, b: V) -> V {
        let cc = match cmp {
            FloatCmp::Oeq => FloatCC::Equal,
            FloatCmp::Une => FloatCC::NotEqual,
            FloatCmp::Olt => FloatCC::LessThan,
            FloatCmp::Ole => FloatCC::LessThanOrEqual,
            FloatCmp::Ogt => FloatCC::GreaterThan,
            FloatCmp::Oge => FloatCC::GreaterThanOrEqual,
            FloatCmp::Ord => FloatCC::Ordered,
            FloatCmp::Uno => FloatCC::Unordered,
        };
        let (a, b) = (self.get(a), self.get(b));
        self.value(Ty::I1, |ins| ins.fcmp(cc, a, b))
    }

    /// Functions are never inlined; those of `pydd_math` come from its object when the module is linked.
    fn math(&self, function: MathFunction, _inline: bool, args: &[V]) -> V {
        let ty = self.ty(args[0]);
        let name = match function {
            MathFunction::C(name) if ty == Ty::F32 => format!("{name}f"),
            MathFunction::C(name) => name.to_owned(),
            MathFunction::Own(name) => pydd_math::symbol(name, ty == Ty::F32, false),
        };
        let signature = Signature { params: vec![ty; args.len()], results: vec![ty] };
        let function = self.declare(&Declaration::new(&name, signature, Linkage::Import));
        self.call_one(function, args)
    }

    fn select(&self, cond: V, a: V, b: V) -> V {
        let ty = self.ty(a);
        let (cond, a, b) = (self.get(cond), self.get(a), self.get(b));
        self.value(ty, |ins| ins.select(cond, a, b))
    }

    fn int_cast(&self, a: V, ty: Ty, signed: bool) -> V {
        let (from, to) = (self.ty(a), machine_type(ty));
        if let V::Int(value, _) = a
            && (signed || value >= 0)
        {
            return self.int(ty, value);
        }
        let wider = to.bits() > machine_type(from).bits();
        let narrower = to.bits() < machine_type(from).bits();
        let value = self.get(a);
        let cast = match (wider, narrower) {
            (true, _) if signed => self.value(ty, |ins| ins.sextend(to, value)),
            (true, _) => self.value(ty, |ins| ins.uextend(to, value)),
            (_, true) => self.value(ty, |ins| ins.ireduce(to, value)),
            _ => V::Value(value, ty),
        };
        if ty == Ty::I1 && from != Ty::I1 { self.and(cast, self.bool(true)) } else { cast }
    }

    fn int_to_float(&self, a: V, ty: Ty, signed: bool) -> V {
        let big = !signed && self.ty(a) == Ty::I64;
        let wide = self.int_cast(a, Ty::I64, signed);
        let (value, to) = (self.get(wide), machine_type(ty));
        // Unsigned numbers of fewer than 64 bits are not negative in 64.
        self.value(ty, |ins| if big { ins.fcvt_from_uint(to, value) } else { ins.fcvt_from_sint(to, value) })
    }

    fn float_cast(&self, a: V, ty: Ty) -> V {
        let from = self.ty(a);
        let value = self.get(a);
        match (from, ty) {
            (Ty::F64, Ty::F32) => self.value(ty, |ins| ins.fdemote(types::F32, value)),
            (Ty::F32, Ty::F64) => self.value(ty, |ins| ins.fpromote(types::F64, value)),
            _ => a,
        }
    }

    fn float_to_int(&self, a: V, ty: Ty, _: bool) -> V {
        let least = i64::MIN >> (64 - ty.bits());
        let value = self.get(a);
        #[allow(clippy::cast_precision_loss, reason = "a power of two")]
        let fits = self.fcmp_const(FloatCmp::Olt, self.fabs(a), -(least as f64));
        let whole = self.value(Ty::I64, |ins| ins.fcvt_to_sint_sat(types::I64, value));
        let whole = self.select(fits, whole, self.i64(least));
        self.int_cast(whole, ty, true)
    }

    fn float_bits(&self, a: V) -> V {
        let ty = if self.ty(a) == Ty::F32 { Ty::I32 } else { Ty::I64 };
        let value = self.get(a);
        self.value(ty, |ins| ins.bitcast(machine_type(ty), MemFlagsData::new(), value))
    }

    fn stack_words(&self, count: usize) -> V {
        let size = u32::try_from(count * 8).expect("few words");
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
        V::Stack(self.func.borrow_mut().create_sized_stack_slot(slot))
    }

    fn stack_word(&self, value: i64) -> V {
        let at = self.stack_words(1);
        if let V::Stack(slot) = at {
            self.stack_words.borrow_mut().push((slot, value));
        }
        at
    }

    fn stack_pointer(&self) -> V {
        self.value(Ty::I64, |ins| ins.get_stack_pointer(types::I64))
    }

    fn load_with(&self, ty: Ty, base: V, offset: usize, access: &Access) -> V {
        let offset = i32::try_from(offset).expect("small");
        if let V::Stack(slot) = base {
            return self.value(ty, |ins| ins.stack_load(types::I64, machine_type(ty), slot, offset));
        }
        let base = self.get(base);
        self.value(ty, |ins| ins.load(machine_type(ty), Self::flags(access), base, offset))
    }

    fn store_with(&self, base: V, offset: usize, value: V, access: &Access) {
        let offset = i32::try_from(offset).expect("small");
        let value = self.get(value);
        if let V::Stack(slot) = base {
            self.ins(|ins| ins.stack_store(types::I64, value, slot, offset));
            return;
        }
        let base = self.get(base);
        self.ins(|ins| ins.store(Self::flags(access), value, base, offset));
    }

    fn offset(&self, base: V, offset: V) -> V {
        if self.const_int(offset) == Some(0) {
            return base;
        }
        let (base, offset) = (self.get(base), self.get(offset));
        self.value(Ty::Ptr, |ins| ins.iadd(base, offset))
    }

    fn wild_offset(&self, base: V, offset: V) -> V {
        self.offset(base, offset)
    }

    fn label(&self, _name: &str) -> Block {
        self.func.borrow_mut().dfg.make_block()
    }

    fn params(&self, label: Block, types: &[Ty]) -> Vec<V> {
        let mut func = self.func.borrow_mut();
        let add = |&ty| V::Value(func.dfg.append_block_param(label, machine_type(ty)), ty);
        types.iter().map(add).collect()
    }

    fn at(&self, label: Block) {
        let mut func = self.func.borrow_mut();
        if !func.layout.is_block_inserted(label) {
            func.layout.append_block(label);
        }
        self.at.set(label);
    }

    fn br(&self, to: Block, args: &[V]) {
        let args: Vec<BlockArg> = args.iter().map(|&arg| BlockArg::Value(self.get(arg))).collect();
        self.ins(|ins| ins.jump(to, &args));
    }

    fn cond_br(&self, cond: V, yes: Block, no: Block) {
        let cond = self.get(cond);
        self.ins(|ins| ins.brif(cond, yes, &[], no, &[]));
    }

    fn likely(&self, cond: V, yes: Block, no: Block) {
        self.cond_br(cond, yes, no);
        self.func.borrow_mut().layout.set_cold(no);
    }

    fn ret(&self, values: &[V]) {
        let values = self.get_all(values);
        self.ins(|ins| ins.return_(&values));
    }

    fn unreachable(&self) {
        self.ins(|ins| ins.trap(TrapCode::unwrap_user(1)));
    }

    fn call(&self, function: FuncId, args: &[V]) -> Vec<V> {
        let callee = self.callee(function);
        let args = self.get_all(args);
        let call = self.ins(|ins| ins.call(callee, &args));
        self.results(call, &self.object.signature_of(function).results)
    }

    fn call_pointer(&self, signature: &Signature, pointer: V, args: &[V], _touches: Touches) -> Vec<V> {
        let imported = self.func.borrow_mut().import_signature(machine_signature(signature));
        let (pointer, args) = (self.get(pointer), self.get_all(args));
        let call = self.ins(|ins| ins.call_indirect(imported, pointer, &args));
        self.results(call, &signature.results)
    }
}
