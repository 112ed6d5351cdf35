//! Lists: access is inline, growth is the runtime's. A list of lists or arrays has a count of each of its items; an array is held by its words
//! behind an owner.

use crate::emit::{Access, Emit, EmitExt, Signature, Touches, Ty};
use crate::image::Image;
use crate::lower::function::FuncCx;
use crate::lower::memory::{LIST_HEADERS, LIST_ITEMS, access_to};
use crate::lower::values::{self, Val};
use crate::words;
use pydd_abi::{Owner, RuntimeFn, layout};
use pydd_ir::{Exc, Loc, Message, Op, Type, Value};

/// From as many constants on a list's items are copied from the object's data: a store for each would make functions whose
/// time to compile grows with its square.
const MANY: usize = 64;

impl<E: Emit> FuncCx<'_, E> {
    fn item_type(&self, list: Value) -> Type {
        self.ty(list).list_item().expect("lists have items")
    }

    /// Loads a field of a list's header.
    fn load_list_field(&self, list: E::V, offset: usize, ty: Ty) -> E::V {
        self.ir.load_with(ty, list, offset, &access_to(LIST_HEADERS))
    }

    fn store_list_field(&self, list: E::V, offset: usize, value: E::V) {
        self.ir.store_with(list, offset, value, &access_to(LIST_HEADERS));
    }

    fn len(&self, list: E::V) -> E::V {
        self.load_list_field(list, layout::LIST_LEN, Ty::I64)
    }

    fn cap(&self, list: E::V) -> E::V {
        self.load_list_field(list, layout::LIST_CAP, Ty::I64)
    }

    /// The address of item `index`, which is within the list.
    fn item(&self, list: E::V, index: E::V, ty: Type) -> E::V {
        self.item_of(self.items(list), index, ty)
    }

    /// The memory of a list's items.
    fn items(&self, list: E::V) -> E::V {
        self.load_list_field(list, layout::LIST_DATA, Ty::Ptr)
    }

    fn item_of(&self, items: E::V, index: E::V, ty: Type) -> E::V {
        let size = match ty {
            Type::Scalar(dtype) => dtype.size(),
            _ => size_of::<*const Owner>() as u64,
        };
        let size = self.ir.i64(size.cast_signed());
        self.ir.offset(items, self.ir.mul_nsw(index, size))
    }

    fn load_item(&self, at: E::V, ty: Type) -> Val<E::V> {
        let access = access_to(LIST_ITEMS);
        match ty {
            Type::Scalar(dtype) => self.load_element(at, dtype, &access),
            Type::Array { .. } => {
                let held = self.ir.load_with(Ty::Ptr, at, 0, &access);
                let word = |(i, ty)| self.ir.load_with(ty, held, layout::ARRAY_WORDS + 8 * i, &access);
                let words: Vec<E::V> = values::part_types(ty).into_iter().enumerate().map(word).collect();
                Val::from_parts(ty, &words)
            }
            _ => Val::List(self.ir.load_with(Ty::Ptr, at, 0, &access)),
        }
    }

    /// What a list has of an item, with a count for it where it is no number.
    fn hold_item(&mut self, item: Value, loc: Loc) -> Val<E::V> {
        match self.val(item) {
            Val::Array(_) => {
                let words = self.val(item).parts();
                let out = self.ir.stack_words(1);
                let args = [self.ctx, self.words_of(&words), self.ir.count(words.len()), out];
                self.runtime_call(RuntimeFn::list_array, &args, loc);
                Val::List(self.ir.load(Ty::Ptr, out, 0))
            }
            Val::List(inner) => {
                self.retain(*inner);
                Val::List(*inner)
            }
            number => number.clone(),
        }
    }

    /// Stores an item where none is.
    fn store_item(&self, at: E::V, item: &Val<E::V>, ty: Type) {
        let access = access_to(LIST_ITEMS);
        match ty {
            Type::Scalar(dtype) => self.store_element(at, item, dtype, &access),
            _ => self.ir.store_with(at, 0, item.pointer(), &access),
        }
    }

    pub fn list_new(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let result = self.func.result(op);
        let ty = self.item_type(result);
        // Each list is taken out at once, so that one place serves all.
        let out = *self.new_list.get_or_insert_with(|| self.ir.stack_words(1));
        let count = self.ir.count(data.args.len());
        // As C passes bytes: with zeros above them.
        let byte = |byte: u8| self.ir.i32(u32::from(byte));
        let Type::List { dtype, rank, depth } = self.ty(result) else { return };
        let (code, depth) = (byte(words::dtype_code(dtype) as u8), byte(depth + u8::from(rank.is_some())));
        self.runtime_call(RuntimeFn::list_new, &[self.ctx, code, depth, count, out], data.loc);
        let list = self.ir.load(Ty::Ptr, out, 0);
        if !data.args.is_empty() {
            let items = self.items(list);
            if let Some(table) = self.constant_items(&data.args, ty) {
                self.copy_table(items, table, data.args.len(), ty);
            } else {
                for (i, &arg) in data.args.iter().enumerate() {
                    let item = self.hold_item(arg, data.loc);
                    self.store_item(self.item_of(items, self.ir.count(i), ty), &item, ty);
                }
            }
        }
        self.bind(result, Val::List(list));
    }

    /// The items of a list that lie in the object, if they are constants and many.
    fn constant_items(&self, items: &[Value], ty: Type) -> Option<E::V> {
        if items.len() < MANY {
            return None;
        }
        let dtype = ty.dtype()?;
        let mut image = Image::default();
        for &item in items {
            image.push_number(self.func.as_const(item)?, dtype)?;
        }
        Some(self.ir.image(&image, &|_| unreachable!("numbers alone")))
    }

    /// Copies `count` items out of a table of them.
    fn copy_table(&self, items: E::V, table: E::V, count: usize, ty: Type) {
        let dtype = ty.dtype().expect("a table of numbers");
        let ir = &self.ir;
        let (next, body, done) = (ir.label("next"), ir.label("body"), ir.label("done"));
        let i = ir.params(next, &[Ty::I64])[0];
        ir.br(next, &[ir.i64(0)]);
        ir.at(next);
        ir.cond_br(ir.slt(i, ir.count(count)), body, done);
        ir.at(body);
        let access = Access { constant: true, ..Access::default() };
        let item = self.load_element(self.item_of(table, i, ty), dtype, &access);
        self.store_element(self.item_of(items, i, ty), &item, dtype, &access_to(LIST_ITEMS));
        ir.br(next, &[ir.add(i, ir.i64(1))]);
        ir.at(done);
    }

    pub fn list_len(&mut self, op: Op) {
        let len = self.len(self.val(self.func.ops[op].args[0]).pointer());
        self.bind(self.func.result(op), Val::Scalar(len));
    }

    /// The index from the front, checked. Most are: one that is not takes a way of its own.
    fn list_index(&mut self, op: Op, list: E::V, message: &str) -> E::V {
        let data = &self.func.ops[op];
        let (index, len) = (self.scalar(data.args[1]), self.len(list));
        let (behind, found) = (self.ir.label("behind"), self.ir.label("found"));
        let at = self.ir.params(found, &[Ty::I64])[0];
        let inside = self.ir.label("inside");
        self.ir.likely(self.ir.ult(index, len), inside, behind);
        self.ir.at(inside);
        self.ir.br(found, &[index]);
        self.ir.at(behind);
        let from_end = self.ir.add(index, len);
        let site = self.site(Exc::IndexError, data.loc, Some(Message::text(message)));
        self.fail_unless(self.ir.ult(from_end, len), site, &[]);
        self.ir.br(found, &[from_end]);
        self.ir.at(found);
        at
    }

    pub fn list_get(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let ty = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let index = self.list_index(op, list, "list index out of range");
        let val = self.load_item(self.item(list, index, ty), ty);
        self.bind(self.func.result(op), val);
    }

    pub fn list_set(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let ty = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let index = self.list_index(op, list, "list assignment index out of range");
        let new = self.hold_item(data.args[2], data.loc);
        let at = self.item(list, index, ty);
        if ty.is_scalar() {
            return self.store_item(at, &new, ty);
        }
        // The old item may be the new one, which has its count already.
        let old = self.ir.load_with(Ty::Ptr, at, 0, &access_to(LIST_ITEMS));
        self.store_item(at, &new, ty);
        self.release(old);
    }

    pub fn list_append(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let ty = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let (len, cap) = (self.len(list), self.cap(list));
        self.make_room(self.ir.slt(len, cap), RuntimeFn::list_grow, op);
        let item = self.hold_item(data.args[1], data.loc);
        self.store_item(self.item(list, len, ty), &item, ty);
        self.store_list_field(list, layout::LIST_LEN, self.ir.add_nsw(len, self.ir.i64(1)));
    }

    pub fn list_prepend(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let ty = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let start = self.load_list_field(list, layout::LIST_START, Ty::Ptr);
        self.make_room(self.ir.ne(self.items(list), start), RuntimeFn::list_grow_front, op);
        let item = self.hold_item(data.args[1], data.loc);
        let first = self.item(list, self.ir.i64(-1), ty);
        self.store_item(first, &item, ty);
        self.begin_at(list, first, self.ir.i64(-1));
    }

    /// Has the runtime make room for an item, unless there is some.
    fn make_room(&mut self, has_room: E::V, grow: RuntimeFn, op: Op) {
        let data = &self.func.ops[op];
        let list = self.val(data.args[0]).pointer();
        let (full, room) = (self.ir.label("grow"), self.ir.label("room"));
        self.ir.likely(has_room, room, full);
        self.ir.at(full);
        self.runtime_call(grow, &[self.ctx, list], data.loc);
        self.ir.br(room, &[]);
        self.ir.at(room);
    }

    /// Makes the address that of the first item, which is `later` items behind the one that was.
    fn begin_at(&self, list: E::V, first: E::V, later: E::V) {
        let len = self.ir.sub(self.len(list), later);
        let cap = self.ir.sub(self.cap(list), later);
        self.store_list_field(list, layout::LIST_DATA, first);
        self.store_list_field(list, layout::LIST_LEN, len);
        self.store_list_field(list, layout::LIST_CAP, cap);
    }

    pub fn list_truncate(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let list = self.val(data.args[0]).pointer();
        let length = self.count_of_items(list, data.args[1]);
        if self.item_type(data.args[0]).is_scalar() {
            self.store_list_field(list, layout::LIST_LEN, length);
        } else {
            self.let_go(RuntimeFn::list_truncate, list, length);
        }
    }

    pub fn list_drop_front(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let ty = self.item_type(data.args[0]);
        let list = self.val(data.args[0]).pointer();
        let count = self.count_of_items(list, data.args[1]);
        if ty.is_scalar() {
            self.begin_at(list, self.item(list, count, ty), count);
        } else {
            self.let_go(RuntimeFn::list_drop_front, list, count);
        }
    }

    /// A number of items that the list has: 0 for one below that, its length for one above that.
    fn count_of_items(&self, list: E::V, wanted: Value) -> E::V {
        let (wanted, len) = (self.scalar(wanted), self.len(list));
        let wanted = self.ir.select(self.ir.is_negative(wanted), self.ir.i64(0), wanted);
        self.ir.select(self.ir.slt(wanted, len), wanted, len)
    }

    /// Has the runtime take items out of a list of lists or arrays.
    fn let_go(&self, function: RuntimeFn, list: E::V, count: E::V) {
        let signature = Signature::new(&[Ty::Ptr, Ty::I64], &[]);
        let function = self.table_entry(function);
        self.ir.call_pointer(&signature, function, &[list, count], Touches::Anything);
    }
}
