//! Calls of functions of this module and of the runtime.

use crate::emit::{Emit, EmitExt, Signature, Touches, Ty};
use crate::lower::function::FuncCx;
use crate::lower::memory::load_words;
use crate::lower::values::Val;
use crate::words;
use pydd_abi::{ArrayRef, PrintItem, RuntimeFn, TypeKind};
use pydd_ir::{FuncRef, Loc, Op, PrintSpec, Type, Value};
use std::mem::offset_of;

impl<E: Emit> FuncCx<'_, E> {
    pub fn call(&mut self, op: Op, callee: FuncRef) {
        let data = &self.func.ops[op];
        let types: Vec<Type> = data.results.iter().map(|&r| self.ty(r)).collect();
        let count = words::total(types.iter().copied());
        let out = if count == 0 { self.ir.null() } else { self.ir.stack_words(count) };
        let mut args = vec![self.ctx];
        args.extend(data.args.iter().flat_map(|&arg| self.val(arg).parts()));
        args.push(out);
        let status = self.ir.call_one(self.m.functions[&callee], &args);
        let nowhere = self.m.module.funcs[callee].operation.is_some();
        let caller = (nowhere && data.loc.line > 0).then_some(data.loc);
        self.pass_failure_of_call(status, caller);
        let mut word = 0;
        for (&value, &ty) in data.results.iter().zip(&types) {
            let parts = load_words(&self.ir, self.ir.field(out, word * 8), ty);
            word += parts.len();
            self.bind_parts(value, &parts);
        }
    }

    /// A function pointer of the runtime's table.
    pub fn table_entry(&self, function: RuntimeFn) -> E::V {
        self.ir.load_constant(Ty::Ptr, self.table(), function.offset())
    }

    /// Calls a runtime function that gives a status.
    pub fn runtime_status(&self, function: RuntimeFn, args: &[E::V], touches: Touches) -> E::V {
        let params = args.iter().map(|&a| self.ir.ty(a)).collect();
        let signature = Signature { params, results: vec![Ty::I32] };
        self.ir.call_pointer(&signature, self.table_entry(function), args, touches)[0]
    }

    /// Calls a runtime function, whose failure is an error at `loc`.
    pub fn runtime_call(&mut self, function: RuntimeFn, args: &[E::V], loc: Loc) {
        let status = self.runtime_status(function, args, Touches::Anything);
        let site = self.site(pydd_ir::Exc::RuntimeError, loc, None);
        self.pass_failure(status, Some(site));
    }

    /// As [`Self::runtime_call`], for a call that fails with its site set already.
    pub fn runtime_call_sited(&mut self, function: RuntimeFn, args: &[E::V]) {
        let status = self.runtime_status(function, args, Touches::Anything);
        self.pass_failure(status, None);
    }

    /// An array as runtime functions take it, on the stack.
    pub fn array_ref(&self, array: Value) -> E::V {
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        let array = self.val(array).array();
        let rank = u8::try_from(array.dims.len()).expect("small");
        let at = self.ir.stack_words(size_of::<ArrayRef>() / 8);
        self.ir.store(at, offset_of!(ArrayRef, data), array.data);
        self.ir.store(at, offset_of!(ArrayRef, owner), array.owner);
        self.ir.store(at, offset_of!(ArrayRef, dtype), self.ir.i8(words::dtype_code(dtype) as u8));
        self.ir.store(at, offset_of!(ArrayRef, rank), self.ir.i8(rank));
        self.ir.store(at, offset_of!(ArrayRef, dims), self.words_of(&array.dims));
        self.ir.store(at, offset_of!(ArrayRef, strides), self.words_of(&array.strides));
        at
    }

    pub fn print(&mut self, op: Op, spec: &PrintSpec) {
        let data = &self.func.ops[op];
        let items = self.ir.stack_words(data.args.len() * size_of::<PrintItem>() / 8);
        for (i, &arg) in data.args.iter().enumerate() {
            let weak = spec.weak.get(i).copied().unwrap_or(false);
            let at = self.ir.field(items, i * size_of::<PrintItem>());
            self.print_item(at, arg, weak);
            let format = spec.formats.get(&i).map_or_else(|| self.ir.null(), |text| self.ir.string(text));
            self.ir.store(at, offset_of!(PrintItem, format), format);
        }
        let text = |text: &Option<String>| match text {
            Some(text) => self.ir.string(text),
            None => self.ir.null(),
        };
        let count = self.ir.count(data.args.len());
        let args = [self.ctx, items, count, text(&spec.sep), text(&spec.end)];
        self.runtime_call(RuntimeFn::print, &args, data.loc);
    }

    fn print_item(&self, at: E::V, value: Value, weak: bool) {
        let ty = self.ty(value);
        let kind = match ty {
            Type::Scalar(_) => TypeKind::Scalar,
            Type::Array { .. } => TypeKind::Array,
            Type::List { .. } => TypeKind::List,
            Type::Str => TypeKind::Str,
        };
        let dtype = ty.dtype().map_or(0, |d| words::dtype_code(d) as u8);
        let bytes = [
            (offset_of!(PrintItem, kind), kind as u8),
            (offset_of!(PrintItem, dtype), dtype),
            (offset_of!(PrintItem, weak), u8::from(weak)),
            (offset_of!(PrintItem, rank), ty.rank()),
        ];
        for (offset, byte) in bytes {
            self.ir.store(at, offset, self.ir.i8(byte));
        }
        let words = self.ir.field(at, offset_of!(PrintItem, words));
        match self.val(value) {
            Val::Array(_) => {
                let array = self.array_ref(value);
                self.ir.store(words, 0, array);
            }
            _ => self.store_words(words, &[value]),
        }
    }
}
