//! Lists: access is inline, growth is the runtime's.

use crate::builder::V;
use crate::function::FuncCx;
use crate::memory::ListPart;
use crate::types::Val;
use pydd_abi::layout;
use pydd_codegen::words;
use pydd_ir::{DType, Exc, Op, Value};

impl<'c> FuncCx<'c, '_> {
    fn item_type(&self, list: Value) -> DType {
        self.ty(list).dtype().expect("lists have items")
    }

    fn len(&self, list: V<'c>) -> V<'c> {
        self.load_list_field(list, layout::LIST_LEN, self.ir.i64_type())
    }

    /// The address of item `index`, which is within the list.
    fn item(&self, list: V<'c>, index: V<'c>, dtype: DType) -> V<'c> {
        let items = self.load_list_field(list, layout::LIST_DATA, self.ir.ptr_type().into());
        let size = self.ir.i64(dtype.size().cast_signed());
        self.ir.offset(items, self.ir.mul_nsw(index, size))
    }

    pub fn list_new(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let result = self.func.result(op);
        let dtype = self.item_type(result);
        let out = self.alloca(self.ir.ptr_type().into());
        let count = self.ir.i64(i64::try_from(data.args.len()).expect("few items"));
        // As C passes a byte: with zeros above it.
        let code = self.ir.i32(words::dtype_code(dtype) as u32);
        self.runtime_call(layout::TABLE_LIST_NEW, &[self.ctx, code, count, out], data.loc);
        let list = self.ir.load(self.ir.ptr_type(), out);
        let access = self.list_access(ListPart::Items);
        for (i, &arg) in data.args.iter().enumerate() {
            let at = self.item(list, self.ir.i64(i64::try_from(i).expect("few items")), dtype);
            self.store_element(at, self.val(arg), dtype, &access);
        }
        self.bind(result, Val::List(list));
    }

    pub fn list_len(&mut self, op: Op) {
        let len = self.len(self.val(self.func.ops[op].args[0]).pointer());
        self.bind(self.func.result(op), Val::Scalar(len));
    }

    /// The index from the front, checked.
    fn list_index(&mut self, op: Op, list: V<'c>, message: &str) -> V<'c> {
        let data = &self.func.ops[op];
        let (index, len) = (self.scalar(data.args[1]), self.len(list));
        let from_end = self.ir.add(index, len);
        let index = self.ir.select(self.ir.is_negative(index), from_end, index);
        let site = self.site(Exc::IndexError, data.loc, Some(message));
        self.fail_unless(self.ir.ult(index, len), site, &[]);
        index
    }

    pub fn list_get(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let dtype = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let index = self.list_index(op, list, "list index out of range");
        let at = self.item(list, index, dtype);
        let val = self.load_element(at, dtype, &self.list_access(ListPart::Items));
        self.bind(self.func.result(op), val);
    }

    pub fn list_set(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let dtype = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let index = self.list_index(op, list, "list assignment index out of range");
        let at = self.item(list, index, dtype);
        self.store_element(at, self.val(data.args[2]), dtype, &self.list_access(ListPart::Items));
    }

    pub fn list_append(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let dtype = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let len = self.len(list);
        let cap = self.load_list_field(list, layout::LIST_CAP, self.ir.i64_type());
        let (full, room) = (self.ir.label("grow"), self.ir.label("append"));
        self.ir.likely(self.ir.slt(len, cap), room, full);
        self.ir.at(full);
        self.runtime_call(layout::TABLE_LIST_GROW, &[self.ctx, list], data.loc);
        self.ir.br(room);
        self.ir.at(room);
        let at = self.item(list, len, dtype);
        self.store_element(at, self.val(data.args[1]), dtype, &self.list_access(ListPart::Items));
        self.store_list_len(list, self.ir.add_nsw(len, self.ir.i64(1)));
    }
}
