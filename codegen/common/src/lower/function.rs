//! The state of one function, and the dispatch over operations.

use crate::CodegenError;
use crate::device::lanes::{self, Shared};
use crate::device::private::{self, Private};
use crate::device::several::Several;
use crate::emit::{Emit, EmitExt, Touches, Ty};
use crate::lower::checks::Failure;
use crate::lower::control::{Frame, Join};
use crate::lower::draws::Stream;
use crate::lower::module::{Facts, ModuleCx};
use crate::lower::owners::{self, Slots};
use crate::lower::scalar::divider::Divider;
use crate::lower::values::{self, Val};
use pydd_abi::RuntimeFn;
use pydd_abi::layout;
use pydd_ir::{Block, Entity, Exc, FuncRef, Function, Literal, Loc, Op, OpKind, Slot, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

pub type Lowered = Result<(), CodegenError>;

/// One function that is being made.
pub struct FuncCx<'a, E: Emit> {
    pub m: &'a ModuleCx<'a, E>,
    pub func: &'a Function,
    pub facts: &'a Facts,
    pub ir: E,
    values: Vec<Option<Val<E::V>>>,
    pub ctx: E::V,
    /// Where the results go.
    pub out: E::V,
    pub slots: Slots<E::V>,
    pub filled_once: BTreeSet<Slot>,
    pub frames: Vec<Frame<E>>,
    pub yields: Vec<Join<E>>,
    /// Of what the loops around divide by.
    pub dividers: BTreeMap<Value, Divider<E::V>>,
    /// Releases all slots and returns the status.
    exit: E::Label,
    status: E::V,
    /// How a thread of a device does several iterations, if it does.
    pub several: Option<Several>,
    /// Operations whose results are known where they stand.
    pub given: BTreeMap<Op, Val<E::V>>,
    /// Arrays with sums of a block's own.
    pub private: Vec<Private>,
    /// Loops whose steps threads of a device share.
    pub shared: Option<Shared>,
    /// Where failures go in such a loop, instead of out of the function.
    pub failing: Option<E::Label>,
    /// Where failures of callees leave the function, by what they say in the context.
    pub failures: BTreeMap<Failure, E::Label>,
    /// Where the runtime puts a new list.
    pub new_list: Option<E::V>,
    /// Where the words of streams are that the function draws from.
    pub streams: Vec<(Stream, E::V)>,
    /// Operations until the next poll, where this frame counts them.
    budget: Option<E::V>,
    /// Where what is lowered stands.
    place: Loc,
    /// Whether what is lowered stands in a cold block.
    pub(super) is_cold: bool,
}

impl<'a, E: Emit> FuncCx<'a, E> {
    /// Defines an IR function.
    pub fn define(m: &'a ModuleCx<'a, E>, func: &'a Function, r: FuncRef) -> Lowered {
        let (ir, params) = m.root.open(m.functions[&r]);
        let out = params[params.len() - 1];
        let mut f = Self::new(m, func, m.known.facts(r), ir, params[0], out);
        if m.on_device && func.has_kernel() {
            f.shared = lanes::shared(func, &m.known.facts(r).memory, m.options);
            f.several = Several::of(func);
            f.private = private::arrays(func);
        }
        f.slots = Slots::take(&f.ir, &owners::used(func));
        let mut next = 1;
        for &param in func.params() {
            let n = values::part_types(func.ty(param)).len();
            f.bind_parts(param, &params[next..next + n]);
            next += n;
        }
        if func.recursive {
            f.stack_check();
        }
        f.find_streams();
        f.block(func.entry)?;
        f.finish(m.module.is_for_device(r));
        Ok(())
    }

    /// Begins where a function's code does.
    pub fn new(
        m: &'a ModuleCx<'a, E>,
        func: &'a Function,
        facts: &'a Facts,
        ir: E,
        ctx: E::V,
        out: E::V,
    ) -> Self {
        let exit = ir.label("exit");
        let status = ir.params(exit, &[Ty::I32])[0];
        ir.memory_classes(crate::lower::memory::class_count(&facts.memory));
        Self {
            m,
            func,
            facts,
            ir,
            values: vec![None; func.values.len()],
            ctx,
            out,
            slots: Slots::default(),
            filled_once: owners::filled_once(func),
            frames: Vec::new(),
            yields: Vec::new(),
            dividers: BTreeMap::new(),
            exit,
            status,
            shared: None,
            several: None,
            given: BTreeMap::new(),
            private: Vec::new(),
            failing: None,
            failures: BTreeMap::new(),
            new_list: None,
            streams: Vec::new(),
            budget: None,
            place: Loc::default(),
            is_cold: false,
        }
    }

    /// Closes the function: the common exit. Where a call ends that may have arrays on a device, it gets them back, but for what was freed.
    fn finish(self, ends_on_device: bool) {
        self.ir.at(self.exit);
        self.release_slots();
        let mut status = self.status;
        if ends_on_device {
            let end = self.func.terminator(self.func.entry).expect("a function ends");
            let site = self.site(Exc::RuntimeError, self.func.ops[end].loc, None);
            let args = [self.ctx, status, self.ir.i32(site)];
            status = self.runtime_status(RuntimeFn::device_end, &args, Touches::Anything);
        }
        self.ir.ret(&[status]);
        self.ir.close();
    }

    /// Leaves the function.
    pub fn leave(&self, failed: bool) {
        self.leave_with(u32::from(failed));
    }

    pub fn leave_with(&self, status: u32) {
        self.ir.br(self.exit, &[self.ir.i32(status)]);
    }

    /// The count of operations until the next poll.
    pub fn budget(&mut self) -> E::V {
        *self.budget.get_or_insert_with(|| self.ir.stack_word(crate::polling::BUDGET))
    }

    pub fn ty(&self, value: Value) -> Type {
        self.func.ty(value)
    }

    pub fn val(&self, value: Value) -> &Val<E::V> {
        self.values[value.index()].as_ref().expect("defined before it is used")
    }

    pub fn is_bound(&self, value: Value) -> bool {
        self.values[value.index()].is_some()
    }

    pub fn scalar(&self, value: Value) -> E::V {
        self.val(value).scalar()
    }

    pub fn bind(&mut self, value: Value, val: Val<E::V>) {
        if self.m.options.debug
            && let Some(names) = self.func.names.get(&value)
        {
            let parts = watched(&val);
            names.iter().for_each(|name| self.ir.watch(name, self.ty(value), &parts));
        }
        self.values[value.index()] = Some(val);
    }

    /// Binds a value given all its parts; what is known of an array replaces its strides.
    pub fn bind_parts(&mut self, value: Value, parts: &[E::V]) {
        let (ty, contiguous) = self.shape(value);
        let known = values::free_part_types(ty, contiguous).len();
        let val = values::assemble(&self.ir, ty, contiguous, &parts[..known]);
        self.bind(value, val);
    }

    /// A value's type, and whether its strides follow from its dimensions.
    pub fn shape(&self, value: Value) -> (Type, bool) {
        (self.ty(value), self.facts.layout.is_contiguous(value))
    }

    /// The table of the runtime's functions.
    pub fn table(&self) -> E::V {
        self.ir.load_constant(Ty::Ptr, self.ctx, layout::CTX_TABLE)
    }

    pub fn unsupported<R>(&self, op: Op, what: impl Into<String>) -> Result<R, CodegenError> {
        Err(CodegenError::Unsupported { what: what.into(), loc: self.func.ops[op].loc })
    }

    /// Lowers the operations of a block.
    pub fn block(&mut self, block: Block) -> Lowered {
        let (around, outer) = (self.place, self.is_cold);
        self.is_cold |= self.func.blocks[block].cold;
        for &op in &self.func.blocks[block].ops {
            self.go_to(self.func.ops[op].loc);
            self.op(op)?;
        }
        self.is_cold = outer;
        self.go_to(around);
        Ok(())
    }

    /// What follows stands at this place of the source, if it is one.
    fn go_to(&mut self, loc: Loc) {
        if loc.line != 0 && loc != self.place {
            self.place = loc;
            let place = self.m.module.place(loc);
            self.ir.at_source(place.line, place.column);
        }
    }

    pub fn op(&mut self, op: Op) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        if let Some(given) = self.given.get(&op) {
            self.bind(func.result(op), given.clone());
            return Ok(());
        }
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
            OpKind::Empty | OpKind::Zeros if self.m.on_device => {
                return Err(CodegenError::Internal(format!("{} makes an array on a device", func.name)));
            }
            OpKind::Empty => self.new_array(op, false),
            OpKind::Zeros => self.new_array(op, true),
            OpKind::RawView => self.raw_view(op),
            OpKind::IsContiguous => self.is_contiguous(op),
            OpKind::Address => self.array_address(op),
            OpKind::LoadRaw => self.load_raw(op),
            OpKind::StoreRaw => self.store_raw(op),
            OpKind::UpdateRaw(reduce) => self.update_raw(op, *reduce),
            OpKind::Own { slot, retain } => self.own(*slot, data.args[0], *retain),
            OpKind::Disown(slot) => self.disown(*slot),
            OpKind::DeviceWanted => self.device_wanted(op),
            OpKind::HostAccess { writes } => self.host_access(op, *writes),
            OpKind::ListNew => self.list_new(op),
            OpKind::ListLen => self.list_len(op),
            OpKind::ListGet => self.list_get(op),
            OpKind::ListSet => self.list_set(op),
            OpKind::ListAppend => self.list_append(op),
            OpKind::ListPrepend => self.list_prepend(op),
            OpKind::ListTruncate => self.list_truncate(op),
            OpKind::ListDropFront => self.list_drop_front(op),
            OpKind::If => return self.lower_if(op),
            OpKind::For => return self.lower_for(op),
            OpKind::Loop => return self.lower_loop(op),
            OpKind::Scope => return self.lower_scope(op),
            OpKind::Call(callee) => self.call(op, *callee),
            OpKind::Launch(callee) => return self.launch(op, *callee),
            OpKind::Lib(lib) => return self.library(op, *lib),
            OpKind::Print(spec) => self.print(op, spec),
            OpKind::Check { exc, message } => self.check(op, *exc, message.as_ref()),
            OpKind::Raise { exc, message } => self.raise(op, *exc, message.as_ref()),
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
            Literal::Str(text) => Val::Str(self.ir.string(text)),
            number => self.literal(number, self.ty(result)),
        };
        self.bind(result, val);
    }

    /// A number as a constant.
    pub fn literal(&self, literal: &Literal, ty: Type) -> Val<E::V> {
        let ty = values::scalar_type(ty.dtype().expect("numbers have a dtype"));
        let float = |bits: u64| self.ir.float(ty, f64::from_bits(bits));
        match *literal {
            Literal::Bool(value) => Val::Scalar(self.ir.bool(value)),
            Literal::Int(value) => Val::Scalar(self.ir.int(ty, value)),
            Literal::Float(bits) => Val::Scalar(float(bits)),
            Literal::Complex(re, im) => Val::Complex(float(re), float(im)),
            Literal::Str(_) => panic!("a string is no number"),
        }
    }
}

/// The parts of a value that debuggers show: all but an array's owner.
fn watched<V: Copy + std::fmt::Debug>(val: &Val<V>) -> Vec<V> {
    match val {
        Val::Array(a) => std::iter::once(&a.data).chain(&a.dims).chain(&a.strides).copied().collect(),
        other => other.parts(),
    }
}
