//! The state of one LLVM function, and the dispatch over operations.

use crate::builder::{Ir, Label, V};
use crate::control::{Frame, Join};
use crate::memory::Scopes;
use crate::module::{Facts, ModuleCx, facts};
use crate::types::Val;
use inkwell::attributes::AttributeLoc;
use inkwell::types::BasicTypeEnum;
use inkwell::values::FunctionValue;
use pydd_abi::layout;
use pydd_codegen::{CodegenError, captures, parallel};
use pydd_ir::{Block, Entity, FuncRef, Function, Literal, Op, OpKind, Slot, Type, Value};
use std::collections::BTreeMap;

pub type Lowered = Result<(), CodegenError>;

/// One LLVM function that is being made: an IR function, or the body of a parallel loop.
pub struct FuncCx<'c, 'a> {
    pub m: &'a ModuleCx<'c, 'a>,
    pub func: &'a Function,
    pub facts: &'a Facts,
    pub ir: Ir<'c>,
    /// Stands in the entry block, where all stack memory is taken.
    entry: Ir<'c>,
    values: Vec<Option<Val<'c>>>,
    pub ctx: V<'c>,
    /// Where the results go.
    pub out: V<'c>,
    pub slots: BTreeMap<Slot, V<'c>>,
    pub frames: Vec<Frame<'c>>,
    pub yields: Vec<Join<'c>>,
    /// Releases all slots and returns the status.
    exit: Label<'c>,
    exits: Vec<(V<'c>, Label<'c>)>,
    pub scopes: Scopes<'c>,
    /// Operations until the next poll, where this frame counts them.
    budget: Option<V<'c>>,
}

impl<'c, 'a> FuncCx<'c, 'a> {
    /// Defines the LLVM function of an IR function.
    pub fn define(m: &'a ModuleCx<'c, 'a>, func: &'a Function, r: FuncRef) -> Lowered {
        let function = m.functions[r.index()];
        let params: Vec<V<'c>> = function.get_params();
        let out = params[params.len() - 1];
        let facts = facts(m, r);
        let mut f = Self::new(m, func, facts, function, params[0], out);
        f.take_slots(func.entry);
        let mut next = 1;
        for &param in func.params() {
            let n = f.ir.part_types(func.ty(param)).len();
            f.bind_parts(param, &params[next..next + n]);
            next += n;
        }
        if func.recursive {
            // As a loop, endless recursion would never end.
            let calls = m.cx.create_string_attribute("disable-tail-calls", "true");
            function.add_attribute(AttributeLoc::Function, calls);
            f.stack_check();
        }
        f.block(func.entry)?;
        f.finish();
        Ok(())
    }

    /// Starts an LLVM function; the builder then stands where its code begins.
    pub fn new(
        m: &'a ModuleCx<'c, 'a>,
        func: &'a Function,
        facts: &'a Facts,
        function: FunctionValue<'c>,
        ctx: V<'c>,
        out: V<'c>,
    ) -> Self {
        let (ir, entry) = (Ir::new(m.cx), Ir::new(m.cx));
        entry.at(m.cx.append_basic_block(function, "entry"));
        ir.at(m.cx.append_basic_block(function, "begin"));
        let exit = ir.label("exit");
        let scopes = Scopes::new(m, &ir, &facts.memory);
        Self {
            m,
            func,
            facts,
            ir,
            entry,
            values: vec![None; func.values.len()],
            ctx,
            out,
            slots: BTreeMap::new(),
            frames: Vec::new(),
            yields: Vec::new(),
            exit,
            exits: Vec::new(),
            scopes,
            budget: None,
        }
    }

    /// Takes the owner slots that this frame needs, empty at first.
    pub fn take_slots(&mut self, region: Block) {
        let outlined = |op: Op| self.runs_on_threads(op);
        for slot in captures::slots(self.func, region, &outlined) {
            let at = self.entry.alloca(self.entry.ptr_type().into());
            self.entry.store(at, self.entry.null());
            self.slots.insert(slot, at);
        }
    }

    pub fn runs_on_threads(&self, op: Op) -> bool {
        parallel::on_threads(self.func, &self.facts.memory, op)
    }

    /// Closes the function: the common exit.
    pub fn finish(&mut self) {
        self.entry.br(self.entry.function().get_basic_blocks()[1]);
        self.ir.at(self.exit);
        if self.exits.is_empty() {
            self.ir.unreachable();
            return;
        }
        let status = self.ir.phi(self.m.cx.i32_type().into());
        for &(value, from) in &self.exits {
            status.add_incoming(&[(&value, from)]);
        }
        let slots: Vec<V<'c>> = self.slots.values().copied().collect();
        for slot in slots {
            let owner = self.ir.load(self.ir.ptr_type(), slot);
            self.release(owner);
        }
        self.ir.ret(Some(status.as_basic_value()));
    }

    /// Leaves the function.
    pub fn leave(&mut self, failed: bool) {
        self.exits.push((self.ir.i32(u32::from(failed)), self.ir.here()));
        self.ir.br(self.exit);
    }

    /// Stack memory that lives as long as the frame.
    pub fn alloca(&self, ty: BasicTypeEnum<'c>) -> V<'c> {
        self.entry.alloca(ty)
    }

    /// The count of operations until the next poll.
    pub fn budget(&mut self) -> V<'c> {
        *self.budget.get_or_insert_with(|| {
            let at = self.entry.alloca(self.entry.i64_type());
            self.entry.store(at, self.entry.i64(pydd_codegen::polling::BUDGET));
            at
        })
    }

    /// Stack memory for words.
    pub fn alloca_words(&self, count: usize) -> V<'c> {
        let count = u32::try_from(count).expect("few words");
        self.alloca(self.m.cx.i64_type().array_type(count).into())
    }

    pub fn ty(&self, value: Value) -> Type {
        self.func.ty(value)
    }

    pub fn val(&self, value: Value) -> &Val<'c> {
        self.values[value.index()].as_ref().expect("defined before it is used")
    }

    pub fn is_bound(&self, value: Value) -> bool {
        self.values[value.index()].is_some()
    }

    pub fn scalar(&self, value: Value) -> V<'c> {
        self.val(value).scalar()
    }

    pub fn bind(&mut self, value: Value, val: Val<'c>) {
        self.values[value.index()] = Some(val);
    }

    /// Binds a value given all its parts; what is known of an array replaces its strides.
    pub fn bind_parts(&mut self, value: Value, parts: &[V<'c>]) {
        let (ty, contiguous) = self.shape(value);
        let known = self.ir.free_part_types(ty, contiguous).len();
        let val = self.ir.assemble(ty, contiguous, &parts[..known]);
        self.bind(value, val);
    }

    /// A value's type, and whether its strides follow from its dimensions.
    pub fn shape(&self, value: Value) -> (Type, bool) {
        (self.ty(value), self.facts.layout.is_contiguous(value))
    }

    /// The table of the runtime's functions.
    pub fn table(&self) -> V<'c> {
        let table = self.ir.load_field(self.ir.ptr_type(), self.ctx, layout::CTX_TABLE);
        self.ir.set_invariant(table)
    }

    pub fn unsupported<R>(&self, op: Op, what: impl Into<String>) -> Result<R, CodegenError> {
        Err(CodegenError::Unsupported { what: what.into(), loc: self.func.ops[op].loc })
    }

    /// Lowers the operations of a block.
    pub fn block(&mut self, block: Block) -> Lowered {
        for &op in &self.func.blocks[block].ops {
            self.op(op)?;
        }
        Ok(())
    }

    pub fn op(&mut self, op: Op) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        match &data.kind {
            OpKind::Const(literal) => self.constant(op, literal),
            OpKind::Elem(_) | OpKind::Cast => return self.scalar_op(op),
            OpKind::Dim(axis) => {
                let dim = self.val(data.args[0]).array().dims[usize::from(*axis)];
                self.bind(data.results[0], Val::Scalar(dim));
            }
            OpKind::Stride(axis) => {
                let stride = self.val(data.args[0]).array().strides[usize::from(*axis)];
                self.bind(data.results[0], Val::Scalar(stride));
            }
            OpKind::Empty => self.new_array(op, false),
            OpKind::Zeros => self.new_array(op, true),
            OpKind::RawView => self.raw_view(op),
            OpKind::IsContiguous => self.is_contiguous(op),
            OpKind::LoadRaw => self.load_raw(op),
            OpKind::StoreRaw => self.store_raw(op),
            OpKind::Own { slot, retain } => self.own(*slot, data.args[0], *retain),
            OpKind::Disown(slot) => self.disown(*slot),
            OpKind::ListNew => self.list_new(op),
            OpKind::ListLen => self.list_len(op),
            OpKind::ListGet => self.list_get(op),
            OpKind::ListSet => self.list_set(op),
            OpKind::ListAppend => self.list_append(op),
            OpKind::If => return self.lower_if(op),
            OpKind::For => return self.lower_for(op),
            OpKind::PFor(_) if self.runs_on_threads(op) => return self.lower_pfor(op),
            OpKind::PFor(_) => return self.lower_for(op),
            OpKind::Loop => return self.lower_loop(op),
            OpKind::Scope => return self.lower_scope(op),
            OpKind::Call(callee) => self.call(op, *callee),
            OpKind::Lib(lib) => return self.library(op, *lib),
            OpKind::Print(spec) => self.print(op, spec),
            OpKind::Check { exc, message } => self.check(op, *exc, message.as_deref()),
            OpKind::Raise { exc, message } => self.raise(op, *exc, message.as_deref()),
            OpKind::Yield => self.lower_yield(op),
            OpKind::Continue(depth) => self.lower_continue(op, *depth),
            OpKind::Break(depth) => self.lower_break(op, *depth),
            OpKind::Return => self.lower_return(op),
            OpKind::Unreachable => self.ir.unreachable(),
            other => {
                return Err(CodegenError::Internal(format!("{other:?} in loop IR of {}", func.name)));
            }
        }
        Ok(())
    }

    fn constant(&mut self, op: Op, literal: &Literal) {
        let result = self.func.result(op);
        let val = match literal {
            Literal::Str(text) => Val::Str(self.m.string(text)),
            number => self.literal(number, self.ty(result)),
        };
        self.bind(result, val);
    }

    /// A number as a constant.
    pub fn literal(&self, literal: &Literal, ty: Type) -> Val<'c> {
        let dtype = ty.dtype().expect("numbers have a dtype");
        let float =
            |bits: u64| -> V<'c> { self.ir.float_type(dtype).const_float(f64::from_bits(bits)).into() };
        let int = |value: u64| -> V<'c> {
            self.ir.int_type(crate::types::bits(dtype)).const_int(value, false).into()
        };
        match *literal {
            Literal::Bool(value) => Val::Scalar(int(u64::from(value))),
            Literal::Int(value) => Val::Scalar(int(value.cast_unsigned())),
            Literal::Float(bits) => Val::Scalar(float(bits)),
            Literal::Complex(re, im) => Val::Complex(float(re), float(im)),
            Literal::Str(_) => panic!("a string is no number"),
        }
    }
}
