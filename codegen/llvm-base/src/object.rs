//! One LLVM module: its functions, strings and data.

use crate::debug::Debug;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::{Linkage as LlvmLinkage, Module as LlvmModule};
use inkwell::targets::TargetMachine;
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum, FunctionType, IntType, PointerType};
use inkwell::values::{BasicValueEnum, FunctionValue, GlobalValue, PointerValue};
use inkwell::{AddressSpace, GlobalVisibility};
use pydd_codegen::cpu::{Architecture, Cpu};
use pydd_codegen::emit::{Declaration, Linkage, Signature, Ty};
use pydd_codegen::{CodegenOptions, Image, Target};
use pydd_ir::{FuncRef, Module, Version};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// LLVM's number of the memory of a block of a device's threads.
const SHARED: u16 = 3;

/// A processor in LLVM's names.
pub struct Processor {
    /// What may be used.
    pub name: String,
    /// What may be used in addition.
    pub features: String,
    /// What the code shall be fastest on.
    pub tune: Option<&'static str>,
}

/// The module that is being made, and what all its functions share.
pub struct Object<'c> {
    pub cx: &'c Context,
    pub llvm: LlvmModule<'c>,
    pub options: &'c CodegenOptions,
    pub cpu: &'c Cpu,
    processor: &'c Processor,
    pub debug: Option<Debug<'c>>,
    strings: RefCell<BTreeMap<String, PointerValue<'c>>>,
    counter: Cell<u32>,
}

impl<'c> Object<'c> {
    pub fn new(
        cx: &'c Context,
        module: &Module,
        options: &'c CodegenOptions,
        cpu: &'c Cpu,
        processor: &'c Processor,
        machine: &TargetMachine,
    ) -> Self {
        let llvm = cx.create_module(&module.name);
        llvm.set_triple(&machine.get_triple());
        llvm.set_data_layout(&machine.get_target_data().get_data_layout());
        let described = options.debug || options.remarks;
        let debug = described.then(|| Debug::new(cx, &llvm, &module.file, options));
        Self { cx, llvm, options, cpu, processor, debug, strings: RefCell::default(), counter: Cell::new(0) }
    }

    /// Whether code is made faster by vectors, as on all processors and no device.
    #[must_use]
    pub fn makes_vectors(&self) -> bool {
        self.cpu.architecture != Architecture::Nvptx
    }

    /// A number that no other call gives.
    pub fn unique(&self) -> u32 {
        self.counter.replace(self.counter.get() + 1)
    }

    pub fn ptr_type(&self) -> PointerType<'c> {
        self.cx.ptr_type(AddressSpace::default())
    }

    pub fn ty(&self, ty: Ty) -> BasicTypeEnum<'c> {
        match ty {
            Ty::I1 => self.cx.bool_type().into(),
            Ty::I8 => self.cx.i8_type().into(),
            Ty::I16 => self.cx.i16_type().into(),
            Ty::I32 => self.cx.i32_type().into(),
            Ty::I64 => self.cx.i64_type().into(),
            Ty::F32 => self.cx.f32_type().into(),
            Ty::F64 => self.cx.f64_type().into(),
            Ty::Ptr => self.ptr_type().into(),
        }
    }

    pub fn function_type(&self, signature: &Signature) -> FunctionType<'c> {
        let params: Vec<BasicMetadataTypeEnum<'c>> =
            signature.params.iter().map(|&ty| self.ty(ty).into()).collect();
        match *signature.results.as_slice() {
            [] => self.cx.void_type().fn_type(&params, false),
            [one] => self.ty(one).fn_type(&params, false),
            _ => {
                let results: Vec<_> = signature.results.iter().map(|&ty| self.ty(ty)).collect();
                self.cx.struct_type(&results, false).fn_type(&params, false)
            }
        }
    }

    pub fn attribute(&self, name: &str, value: u64) -> Attribute {
        let kind = Attribute::get_named_enum_kind_id(name);
        assert!(kind != 0, "LLVM has no attribute {name}");
        self.cx.create_enum_attribute(kind, value)
    }

    pub fn declare(&self, declaration: &Declaration<'_>) -> FunctionValue<'c> {
        let ty = self.function_type(&declaration.signature);
        let function = match declaration.linkage {
            Linkage::Import => return self.llvm.add_function(declaration.name, ty, None),
            Linkage::Export => self.llvm.add_function(declaration.name, ty, None),
            // A dot keeps it apart from the names of C's functions, which LLVM knows.
            Linkage::Private | Linkage::Shared => {
                let name = format!("{}.{}", self.options.variant.symbols, declaration.name);
                // Profilers know functions by their symbols, which private ones have none of.
                let local = if self.options.debug { LlvmLinkage::Internal } else { LlvmLinkage::Private };
                self.llvm.add_function(&name, ty, Some(local))
            }
        };
        if declaration.linkage == Linkage::Shared {
            function.set_linkage(LlvmLinkage::External);
            function.as_global_value().set_visibility(GlobalVisibility::Hidden);
        }
        let add = |attribute| function.add_attribute(AttributeLoc::Function, attribute);
        add(self.attribute("nounwind", 0));
        if declaration.pure {
            // The value 0 means `memory(none)`.
            add(self.attribute("memory", 0));
            add(self.attribute("willreturn", 0));
        }
        if declaration.recursive {
            // As a loop, endless recursion would never end.
            add(self.cx.create_string_attribute("disable-tail-calls", "true"));
        }
        if !self.makes_vectors() && !declaration.recursive {
            // Calls are slow on devices, and what is called knows less of memory.
            add(self.attribute("alwaysinline", 0));
            // Threads may wait for each other in it.
            add(self.attribute("convergent", 0));
        } else if declaration.outlined || declaration.cold {
            add(self.attribute("noinline", 0));
        }
        if declaration.cold && self.makes_vectors() {
            add(self.attribute("cold", 0));
            add(self.attribute("nomerge", 0));
        }
        self.set_processor(function);
        if declaration.wide && self.has_masks() {
            // Narrower than a processor has them LLVM takes vectors for the sake of code that makes few.
            add(self.cx.create_string_attribute("prefer-vector-width", "512"));
        }
        if let (Some(debug), Some(source)) = (&self.debug, declaration.source) {
            debug.declare(&function.get_name().to_string_lossy(), source);
        }
        if declaration.version == Version::General && self.options.opt_level > 0 {
            add(self.attribute("optsize", 0));
            add(self.attribute("minsize", 0));
        }
        if declaration.linkage == Linkage::Export {
            // Start-up code runs once.
            add(self.attribute("optsize", 0));
        }
        function
    }

    /// Whether the widest vectors have masks, which cost nothing.
    pub fn has_masks(&self) -> bool {
        self.makes_vectors() && self.cpu.has("avx512f")
    }

    /// Says which processor a function's code is for.
    pub fn set_processor(&self, function: FunctionValue<'c>) {
        let add = |key, value: &str| {
            function.add_attribute(AttributeLoc::Function, self.cx.create_string_attribute(key, value));
        };
        add("target-cpu", &self.processor.name);
        if !self.processor.features.is_empty() {
            add("target-features", &self.processor.features);
        }
        if let Some(tune) = self.processor.tune {
            add("tune-cpu", tune);
        }
    }

    pub fn intrinsic(&self, name: &str, types: &[BasicTypeEnum<'c>]) -> FunctionValue<'c> {
        let intrinsic = Intrinsic::find(name).unwrap_or_else(|| panic!("LLVM has no {name}"));
        intrinsic.get_declaration(&self.llvm, types).expect("types fit the intrinsic")
    }

    /// A pointer to a C string.
    pub fn string(&self, text: &str) -> PointerValue<'c> {
        *self.strings.borrow_mut().entry(text.to_owned()).or_insert_with(|| {
            let bytes = pydd_codegen::image::c_string(text);
            let data = self.cx.const_string(&bytes, false);
            let global = self.constant(data.get_type(), "pydd.str", 1);
            global.set_initializer(&data);
            global.set_unnamed_addr(true);
            global.as_pointer_value()
        })
    }

    /// So many words of memory that the threads of a block share.
    pub fn words_of_block(&self, count: usize) -> PointerValue<'c> {
        self.shared(&format!("pydd.block.{count}"), self.cx.i64_type(), count)
    }

    /// So many numbers of 32 bits that the threads of a block share.
    pub fn numbers_of_block(&self, count: usize) -> PointerValue<'c> {
        self.shared(&format!("pydd.numbers.{count}"), self.cx.i32_type(), count)
    }

    fn shared(&self, name: &str, element: IntType<'c>, count: usize) -> PointerValue<'c> {
        let global = self.llvm.get_global(name).unwrap_or_else(|| {
            let elements = element.array_type(u32::try_from(count).expect("few"));
            let global = self.llvm.add_global(elements, Some(AddressSpace::from(SHARED)), name);
            global.set_linkage(LlvmLinkage::Internal);
            global.set_initializer(&elements.get_undef());
            global
        });
        global.as_pointer_value()
    }

    fn constant(&self, ty: impl BasicType<'c>, name: &str, alignment: u32) -> GlobalValue<'c> {
        let global = self.llvm.add_global(ty, None, name);
        global.set_constant(true);
        global.set_linkage(LlvmLinkage::Private);
        global.set_alignment(alignment);
        global
    }

    /// Defines the image under a symbol that the module's other objects see.
    pub fn shared_image(&self, symbol: &str, image: &Image, entry: &dyn Fn(FuncRef) -> FunctionValue<'c>) {
        let global = self.define_image(image, entry);
        // Code of this object may have named it already.
        if let Some(declared) = self.llvm.get_global(symbol) {
            declared.as_pointer_value().replace_all_uses_with(global.as_pointer_value());
            // SAFETY: nothing uses it any more.
            unsafe { declared.delete() };
        }
        global.set_name(symbol);
        global.set_linkage(LlvmLinkage::External);
        global.set_visibility(GlobalVisibility::Hidden);
    }

    /// The image as a constant.
    pub fn image(&self, image: &Image, entry: &dyn Fn(FuncRef) -> FunctionValue<'c>) -> PointerValue<'c> {
        self.define_image(image, entry).as_pointer_value()
    }

    /// Runs of bytes, and pointers, which the loader relocates.
    fn define_image(&self, image: &Image, entry: &dyn Fn(FuncRef) -> FunctionValue<'c>) -> GlobalValue<'c> {
        let mut fields = Vec::new();
        let mut next = 0;
        for &(at, _) in &image.pointers {
            fields.push(self.cx.const_string(&image.bytes[next..at], false).get_type().into());
            fields.push(self.ptr_type().into());
            next = at + 8;
        }
        fields.push(self.cx.const_string(&image.bytes[next..], false).get_type().into());
        let ty = self.cx.struct_type(&fields, true);
        let global = self.constant(ty, "pydd.module", 8);
        let base = global.as_pointer_value();

        let mut values: Vec<BasicValueEnum<'c>> = Vec::new();
        next = 0;
        for (at, target) in &image.pointers {
            let at = *at;
            values.push(self.cx.const_string(&image.bytes[next..at], false).into());
            let pointer = match target {
                Target::Image(offset) => self.const_offset(base, *offset),
                Target::Entry(func) => entry(*func).as_global_value().as_pointer_value(),
                Target::Symbol(symbol) => self.other(symbol),
            };
            values.push(pointer.into());
            next = at + 8;
        }
        values.push(self.cx.const_string(&image.bytes[next..], false).into());
        global.set_initializer(&self.cx.const_struct(&values, true));
        global
    }

    /// Data of another object of the module.
    fn other(&self, symbol: &str) -> PointerValue<'c> {
        if let Some(defined) = self.llvm.get_global(symbol) {
            return defined.as_pointer_value();
        }
        let global = self.llvm.add_global(self.cx.i8_type(), None, symbol);
        global.set_visibility(GlobalVisibility::Hidden);
        global.as_pointer_value()
    }

    /// A constant address within the image.
    fn const_offset(&self, base: PointerValue<'c>, offset: usize) -> PointerValue<'c> {
        let offset = self.cx.i64_type().const_int(offset as u64, false);
        // SAFETY: offsets of an image's pointers lie within it.
        unsafe { base.const_in_bounds_gep(self.cx.i8_type(), &[offset]) }
    }
}
