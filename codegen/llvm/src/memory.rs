//! Element addresses, loads and stores, and what LLVM is told about aliasing.

use crate::builder::{Ir, V, intrinsic_declaration};
use crate::function::FuncCx;
use crate::module::ModuleCx;
use crate::types::{Array, Val};
use inkwell::values::{BasicValue, InstructionValue, MetadataValue};
use pydd_ir::alias::{ClassSet, MemoryInfo, SortedSet};
use pydd_ir::{DType, Entity, Op, Type, Value};
use std::cell::RefCell;

/// The alias classes of a function as scopes of LLVM: one for each class of arrays and lists.
///
/// An access carries the scopes of its own classes and, as `noalias`, those of all others. Lists have two
/// scopes of their own: one for their headers (length and data pointer) and one for their items.
pub struct Scopes<'c> {
    /// Headers, items, then the classes. Empty where there is nothing to tell apart.
    scopes: Vec<MetadataValue<'c>>,
    made: RefCell<Vec<(SortedSet<usize>, [MetadataValue<'c>; 2])>>,
}

/// Classes past this many share the last scope: lists of scopes are written at each access.
const MOST_SCOPES: usize = 48;
const LIST_SCOPES: usize = 2;

impl<'c> Scopes<'c> {
    pub fn new(m: &ModuleCx<'c, '_>, ir: &Ir<'c>, memory: &MemoryInfo) -> Self {
        let classes = memory.class_count();
        let mut scopes = Vec::new();
        if classes > 0 && m.options.opt_level > 0 {
            let domain = m.cx.metadata_string(&format!("pydd.{}", m.unique()));
            let domain = m.cx.metadata_node(&[domain.into()]);
            let declare = intrinsic_declaration(&m.llvm, "llvm.experimental.noalias.scope.decl", &[]);
            for _ in 0..(LIST_SCOPES + classes).min(MOST_SCOPES) {
                let name = m.cx.metadata_string(&format!("m{}", m.unique()));
                let scope = m.cx.metadata_node(&[name.into(), domain.into()]);
                // The declaration ties the scope to this run of the function, for when it is inlined in a loop.
                ir.call_metadata(declare, m.cx.metadata_node(&[scope.into()]));
                scopes.push(scope);
            }
        }
        Self { scopes, made: RefCell::default() }
    }

    /// The scopes of an array's classes.
    fn of_classes(classes: &ClassSet) -> SortedSet<usize> {
        classes.iter().map(|class| (LIST_SCOPES + class.index()).min(MOST_SCOPES - 1)).collect()
    }

    /// Says that an access touches these scopes only; none: nothing is known.
    fn mark(&self, ir: &Ir<'c>, access: InstructionValue<'c>, scopes: &SortedSet<usize>) {
        if self.scopes.is_empty() || scopes.is_empty() {
            return;
        }
        let [own, others] = self.nodes(ir, scopes);
        ir.set_metadata(access, "alias.scope", own);
        ir.set_metadata(access, "noalias", others);
    }

    fn nodes(&self, ir: &Ir<'c>, wanted: &SortedSet<usize>) -> [MetadataValue<'c>; 2] {
        if let Some((_, nodes)) = self.made.borrow().iter().find(|(made, _)| made == wanted) {
            return *nodes;
        }
        let node = |inside: bool| {
            let scopes = self.scopes.iter().enumerate().filter(|&(i, _)| wanted.contains(i) == inside);
            let scopes: Vec<_> = scopes.map(|(_, &scope)| scope.into()).collect();
            ir.cx.metadata_node(&scopes)
        };
        let nodes = [node(true), node(false)];
        self.made.borrow_mut().push((wanted.clone(), nodes));
        nodes
    }
}

/// What an access of a list is to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ListPart {
    Header,
    Items,
}

impl<'c> FuncCx<'c, '_> {
    /// The address of an element; indices are within the dimensions, so each partial sum is in bounds.
    pub fn address(&self, array: &Array<'c>, indices: &[V<'c>]) -> V<'c> {
        array.strides.iter().zip(indices).fold(array.data, |at, (&stride, &index)| {
            let offset = self.ir.mul_nsw(index, stride);
            self.ir.offset(at, offset)
        })
    }

    pub fn load_raw(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = data.args[0];
        let indices: Vec<V<'c>> = data.args[1..].iter().map(|&i| self.scalar(i)).collect();
        let at = self.address(self.val(array).array(), &indices);
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        let access = self.array_access(array);
        let val = self.load_element(at, dtype, &access);
        self.bind(self.func.result(op), val);
    }

    pub fn store_raw(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = data.args[0];
        let indices: Vec<V<'c>> = data.args[2..].iter().map(|&i| self.scalar(i)).collect();
        let at = self.address(self.val(array).array(), &indices);
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        let access = self.array_access(array);
        self.store_element(at, self.val(data.args[1]), dtype, &access);
    }

    fn array_access(&self, array: Value) -> Access {
        let scopes = Scopes::of_classes(self.facts.memory.classes(array));
        Access { scopes, aligned: self.facts.layout.is_aligned(array) }
    }

    pub fn list_access(&self, part: ListPart) -> Access {
        Access { scopes: [usize::from(part == ListPart::Items)].into_iter().collect(), aligned: true }
    }

    /// Loads one element.
    pub fn load_element(&self, at: V<'c>, dtype: DType, access: &Access) -> Val<'c> {
        let part = |at| self.access_part(self.ir.load(self.stored_type(dtype), at), dtype, access);
        if dtype.is_complex() {
            return Val::Complex(part(at), part(self.ir.field(at, half(dtype))));
        }
        let value = part(at);
        Val::Scalar(if dtype == DType::Bool { self.ir.ne(value, self.ir.i8(0)) } else { value })
    }

    /// Stores one element.
    pub fn store_element(&self, at: V<'c>, val: &Val<'c>, dtype: DType, access: &Access) {
        let part = |at, value| {
            let store = self.ir.store(at, value);
            self.describe(store, dtype, access);
        };
        if dtype.is_complex() {
            let (re, im) = val.complex();
            part(at, re);
            part(self.ir.field(at, half(dtype)), im);
        } else if dtype == DType::Bool {
            part(at, self.ir.int_cast(val.scalar(), self.m.cx.i8_type(), false));
        } else {
            part(at, val.scalar());
        }
    }

    fn access_part(&self, loaded: V<'c>, dtype: DType, access: &Access) -> V<'c> {
        self.describe(loaded.as_instruction_value().expect("a load"), dtype, access);
        loaded
    }

    fn describe(&self, access: InstructionValue<'c>, dtype: DType, what: &Access) {
        let natural = u32::try_from(dtype.real().size()).expect("small");
        let alignment = if what.aligned { natural } else { 1 };
        access.set_alignment(alignment).expect("a load or store");
        self.scopes.mark(&self.ir, access, &what.scopes);
    }

    /// The type that an element (or a complex one's part) has in memory.
    pub fn stored_type(&self, dtype: DType) -> inkwell::types::BasicTypeEnum<'c> {
        match dtype {
            DType::Bool => self.m.cx.i8_type().into(),
            other => self.ir.scalar_type(other),
        }
    }

    /// Loads a field of a list's header.
    pub fn load_list_field(
        &self,
        list: V<'c>,
        offset: usize,
        ty: inkwell::types::BasicTypeEnum<'c>,
    ) -> V<'c> {
        let value = self.ir.load_field(ty, list, offset);
        let scopes = self.list_access(ListPart::Header).scopes;
        self.scopes.mark(&self.ir, value.as_instruction_value().expect("a load"), &scopes);
        value
    }

    pub fn store_list_len(&self, list: V<'c>, len: V<'c>) {
        let store = self.ir.store(self.ir.field(list, pydd_abi::layout::LIST_LEN), len);
        self.scopes.mark(&self.ir, store, &self.list_access(ListPart::Header).scopes);
    }

    /// Stores values as words, one after the other.
    pub fn store_words(&self, at: V<'c>, values: &[Value]) {
        let mut word = 0;
        for &value in values {
            let dtype = self.ty(value).dtype();
            for part in self.val(value).parts() {
                self.store_word(self.ir.field(at, word * 8), part, dtype);
                word += 1;
            }
        }
    }

    /// See [`store_word`].
    pub fn store_word(&self, at: V<'c>, part: V<'c>, dtype: Option<DType>) {
        store_word(&self.ir, at, part, dtype);
    }

    /// Loads all parts of a value from words.
    pub fn load_words(&self, at: V<'c>, ty: Type) -> Vec<V<'c>> {
        load_words(&self.ir, at, ty)
    }
}

/// Stores one part of a value as a word.
pub fn store_word<'c>(ir: &Ir<'c>, at: V<'c>, part: V<'c>, dtype: Option<DType>) {
    let word = match part {
        V::IntValue(_) => ir.int_cast(part, ir.int_type(64), dtype.is_some_and(DType::is_signed_int)),
        V::FloatValue(v) if v.get_type() == ir.cx.f32_type() => {
            let bits = ir.bitcast(part, ir.int_type(32).into());
            ir.int_cast(bits, ir.int_type(64), false)
        }
        whole => whole,
    };
    ir.store(at, word);
}

/// See [`FuncCx::load_words`].
pub fn load_words<'c>(ir: &Ir<'c>, at: V<'c>, ty: Type) -> Vec<V<'c>> {
    let types = ir.part_types(ty);
    let load = |(i, part): (usize, &inkwell::types::BasicTypeEnum<'c>)| match part {
        inkwell::types::BasicTypeEnum::IntType(int) => {
            let word = ir.load_field(ir.i64_type(), at, i * 8);
            ir.int_cast(word, *int, false)
        }
        other => ir.load_field(*other, at, i * 8),
    };
    types.iter().enumerate().map(load).collect()
}

/// What is known of an access.
pub struct Access {
    /// The scopes that it touches.
    pub scopes: SortedSet<usize>,
    pub aligned: bool,
}

/// Where a complex number's imaginary part is.
fn half(dtype: DType) -> usize {
    usize::try_from(dtype.real().size()).expect("small")
}
