//! Source lines and variables for debuggers and profilers (DWARF).
//!
//! Every function of one `.pydd` file is a subprogram under the name that it has there; what is inlined stands in
//! the function that it became part of, at the lines of its own.

use inkwell::AddressSpace;
use inkwell::basic_block::BasicBlock;
use inkwell::context::Context;
use inkwell::debug_info::{
    AsDIScope, DICompileUnit, DIFlags, DIFlagsConstants, DILocation, DISubprogram, DIType, DWARFEmissionKind,
    DWARFSourceLanguage, DebugInfoBuilder,
};
use inkwell::module::{FlagBehavior, Module as LlvmModule};
use inkwell::values::PointerValue;
use pydd_codegen::CodegenOptions;
use pydd_codegen::emit::SourceFunction;
use pydd_ir::{DType, Type};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

/// `DW_ATE_…`, the encodings of numbers.
const BOOLEAN: u32 = 2;
const COMPLEX_FLOAT: u32 = 3;
const FLOAT: u32 = 4;
const SIGNED: u32 = 5;
const UNSIGNED: u32 = 7;

/// The description of one module.
pub struct Debug<'c> {
    builder: DebugInfoBuilder<'c>,
    unit: DICompileUnit<'c>,
    optimized: bool,
    /// Functions of the source, by the name of what is built.
    functions: RefCell<BTreeMap<String, (DISubprogram<'c>, u32)>>,
}

impl<'c> Debug<'c> {
    /// Describes a module that is made from `file`.
    pub fn new(cx: &'c Context, llvm: &LlvmModule<'c>, file: &str, options: &CodegenOptions) -> Self {
        let optimized = options.opt_level > 0;
        // Remarks of LLVM's passes want places, and nothing of them in the object.
        let kind = if options.debug { DWARFEmissionKind::Full } else { DWARFEmissionKind::None };
        let path = Path::new(file);
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let name = absolute.file_name().unwrap_or_default().to_string_lossy();
        let folder = absolute.parent().unwrap_or(Path::new("")).to_string_lossy();
        let number = |value: u64| cx.i32_type().const_int(value, false);
        let version = u64::from(inkwell::debug_info::debug_metadata_version());
        llvm.add_basic_value_flag("Debug Info Version", FlagBehavior::Warning, number(version));
        llvm.add_basic_value_flag("Dwarf Version", FlagBehavior::Warning, number(4));
        let (builder, unit) = llvm.create_debug_info_builder(
            true,
            // Debuggers that know no Python evaluate expressions on numbers and arrays as C does.
            DWARFSourceLanguage::C,
            &name,
            &folder,
            concat!("pyddc ", env!("CARGO_PKG_VERSION")),
            optimized,
            "",
            0,
            "",
            kind,
            0,
            false,
            false,
            "",
            "",
        );
        Self { builder, unit, optimized, functions: RefCell::default() }
    }

    /// Remembers whose code the function `name` is.
    pub fn declare(&self, name: &str, source: SourceFunction<'_>) {
        let file = self.unit.get_file();
        let ty = self.builder.create_subroutine_type(file, None, &[], DIFlags::ZERO);
        let subprogram = self.builder.create_function(
            self.unit.as_debug_info_scope(),
            source.name,
            Some(name),
            file,
            source.line,
            ty,
            true,
            true,
            source.line,
            DIFlags::ZERO,
            self.optimized,
        );
        self.functions.borrow_mut().insert(name.to_owned(), (subprogram, source.line));
    }

    /// The subprogram and the line of a function that was declared with its source.
    pub fn function(&self, name: &str) -> Option<(DISubprogram<'c>, u32)> {
        self.functions.borrow().get(name).copied()
    }

    /// A place in a function, for the builder.
    pub fn place(&self, cx: &'c Context, of: DISubprogram<'c>, line: u32, column: u32) -> DILocation<'c> {
        self.builder.create_debug_location(cx, line, column, of.as_debug_info_scope(), None)
    }

    /// Describes a variable of a function, kept at `storage` while the function runs.
    pub fn variable(
        &self,
        cx: &'c Context,
        of: DISubprogram<'c>,
        (name, ty): (&str, Type),
        storage: PointerValue<'c>,
        entry: BasicBlock<'c>,
    ) {
        let Some(described) = self.ty(ty) else { return };
        let (scope, file) = (of.as_debug_info_scope(), self.unit.get_file());
        let variable =
            self.builder.create_auto_variable(scope, name, file, 0, described, true, DIFlags::ZERO, 0);
        let place = self.place(cx, of, 0, 0);
        self.builder.insert_declare_at_end(storage, Some(variable), None, place, entry);
    }

    /// How a variable of a type lies in memory; `None` where a debugger can't be told.
    fn ty(&self, ty: Type) -> Option<DIType<'c>> {
        match ty {
            Type::Scalar(dtype) => Some(self.number(dtype)),
            Type::Array { dtype, rank } => Some(self.array(dtype, rank)),
            Type::List { .. } | Type::Str => None,
        }
    }

    fn number(&self, dtype: DType) -> DIType<'c> {
        let encoding = match dtype {
            DType::Bool => BOOLEAN,
            DType::F32 | DType::F64 => FLOAT,
            DType::C64 | DType::C128 => COMPLEX_FLOAT,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => UNSIGNED,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => SIGNED,
        };
        let bits = 8 * dtype.size();
        let made = self.builder.create_basic_type(dtype.name(), bits, encoding, DIFlags::ZERO);
        made.expect("a name").as_type()
    }

    /// `struct { T *data; int64 shape[rank]; int64 strides[rank]; }`, strides in bytes.
    fn array(&self, dtype: DType, rank: u8) -> DIType<'c> {
        let (scope, file) = (self.unit.as_debug_info_scope(), self.unit.get_file());
        let element = self.number(dtype);
        let pointer =
            self.builder.create_pointer_type("", element, 64, 64, AddressSpace::default()).as_type();
        let words = 64 * u64::from(rank);
        let range = 0..i64::from(rank);
        let numbers = self.builder.create_array_type(self.number(DType::I64), words, 64, &[range]).as_type();
        let member = |name: &str, ty: DIType<'c>, size: u64, offset: u64| {
            self.builder
                .create_member_type(scope, name, file, 0, size, 64, offset, DIFlags::ZERO, ty)
                .as_type()
        };
        let mut members = vec![member("data", pointer, 64, 0)];
        if rank > 0 {
            members
                .extend([member("shape", numbers, words, 64), member("strides", numbers, words, 64 + words)]);
        }
        let name = format!("Array({}, {rank})", dtype.name());
        let size = 64 + 2 * words;
        let made = self.builder.create_struct_type(
            scope,
            &name,
            file,
            0,
            size,
            64,
            DIFlags::ZERO,
            None,
            &members,
            0,
            None,
            &name,
        );
        made.as_type()
    }

    /// Ends the description.
    pub fn finish(&self) {
        self.builder.finalize();
    }
}
