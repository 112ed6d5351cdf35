//! Elementary functions: declared where they are used, then taken from `pydd_math`'s bitcode.
//!
//! The bitcode is read lazily: only functions that the module names are materialised, so that the rest costs nothing.
//! Loops of fast code inline them and vectorise. Elsewhere they stay calls, which is small.
//!
//! Rare arguments (sines of huge angles) take a branch to a function that is not inlined. LLVM vectorises a loop with
//! such a branch where the function has vector variants that take a mask, so this file makes those.
//!
//! Unsafe here: inkwell has no lazy reading of bitcode.

use crate::builder::{BUILT, result};
use crate::object::Object;
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::builder::Builder;
use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use inkwell::llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRange, LLVMDisposeMemoryBuffer, LLVMSetPersonalityFn,
};
use inkwell::module::{Linkage, Module as LlvmModule};
use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicValueEnum, FunctionValue, IntValue};
use pydd_codegen::CodegenError;
use pydd_codegen::emit::FloatFn;
use pydd_codegen::math::MathFunction;
use std::ptr;

/// Lengths of vectors that a loop may work on.
const LANES: [u32; 4] = [2, 4, 8, 16];
/// Keeps functions alive through LLVM's passes.
const KEPT: &str = "llvm.compiler.used";
/// What rustc says of its own target, which is not the kernel's.
const FOREIGN_ATTRIBUTES: [&str; 3] = ["target-cpu", "target-features", RUSTC];
/// An attribute of all functions that rustc makes, and of no others.
const RUSTC: &str = "probe-stack";

/// What a function that only depends on its operands is said to be. `memory` 0 is `memory(none)`: errno and flags are
/// nobody's business.
const PURE: [&str; 5] = ["nounwind", "willreturn", "nocallback", "nofree", "memory"];

/// Whether rustc made a function.
fn is_foreign(function: &FunctionValue<'_>) -> bool {
    function.get_string_attribute(AttributeLoc::Function, RUSTC).is_some()
}

impl<'c> Object<'c> {
    /// Whether a function of ours may have multiply-adds that are single instructions.
    fn fuses(&self, name: &str) -> bool {
        self.cpu.fuses() && (!self.options.strict_fp || pydd_math::is_exact(name))
    }

    /// Whether loops inline functions.
    pub fn inlines_math(&self) -> bool {
        self.options.opt_level >= 2
    }

    /// The function for a rounding, on processors without an instruction for it.
    pub fn rounding_function(&self, function: FloatFn) -> Option<MathFunction> {
        let name = match function {
            FloatFn::Floor => "floor",
            FloatFn::Ceil => "ceil",
            FloatFn::Trunc => "trunc",
            FloatFn::Rint => "rint",
            FloatFn::Neg | FloatFn::Abs | FloatFn::Sqrt => return None,
        };
        (!self.cpu.rounds()).then_some(MathFunction::Own(name))
    }

    /// Declares an elementary function of so many operands of a type.
    pub fn math_function(
        &self,
        function: MathFunction,
        ty: BasicTypeEnum<'c>,
        arity: usize,
    ) -> FunctionValue<'c> {
        let single = ty == BasicTypeEnum::FloatType(self.cx.f32_type());
        let name = match function {
            MathFunction::C(name) => format!("{name}{}", if single { "f" } else { "" }),
            MathFunction::Own(name) => pydd_math::symbol(name, single, self.fuses(name)),
        };
        if let Some(function) = self.llvm.get_function(&name) {
            return function;
        }
        let function = self.llvm.add_function(&name, ty.fn_type(&vec![ty.into(); arity], false), None);
        for attribute in PURE {
            function.add_attribute(AttributeLoc::Function, self.attribute(attribute, 0));
        }
        function
    }

    /// Defines the functions of `pydd_math` that are declared.
    pub fn link_math(&self) -> Result<(), CodegenError> {
        let is_own = |f: &FunctionValue<'_>| f.get_name().to_bytes().starts_with(b"pydd_math_");
        if !self.llvm.get_functions().any(|f| is_own(&f)) {
            return Ok(());
        }
        let library = read(self.cx, pydd_math::BITCODE)?;
        library.set_triple(&self.llvm.get_triple());
        library.set_data_layout(&self.llvm.get_data_layout());
        // Of this linkage the linker takes only what is needed.
        library.get_functions().filter(is_own).for_each(|f| f.set_linkage(Linkage::LinkOnceODR));
        let linked = self.llvm.link_in_module(library);
        linked.map_err(|error| CodegenError::Internal(format!("math functions: {error}")))?;
        for function in self.llvm.get_functions().filter(is_own) {
            function.set_linkage(Linkage::Internal);
        }
        // What they call has other names.
        for function in self.llvm.get_functions().filter(is_foreign) {
            for name in FOREIGN_ATTRIBUTES {
                function.remove_string_attribute(AttributeLoc::Function, name);
            }
            self.set_processor(function);
            if !self.makes_vectors() {
                // No device unwinds.
                // SAFETY: a function may have none.
                unsafe { LLVMSetPersonalityFn(function.as_value_ref(), ptr::null_mut()) };
            }
        }
        if self.inlines_math() && self.makes_vectors() {
            let rare: Vec<FunctionValue<'c>> =
                pydd_math::RARE.iter().filter_map(|name| self.llvm.get_function(name)).collect();
            self.add_vector_variants(&rare);
        }
        Ok(())
    }

    fn add_vector_variants(&self, functions: &[FunctionValue<'c>]) {
        let mut variants = Vec::new();
        for &function in functions {
            let name = function.get_name().to_string_lossy();
            let operands = "v".repeat(function.get_params().len());
            let mappings = LANES.map(|n| format!("_ZGV_LLVM_M{n}{operands}_{name}({name}.v{n})")).join(",");
            let attribute = self.cx.create_string_attribute("vector-function-abi-variant", &mappings);
            function.add_attribute(AttributeLoc::Function, attribute);
            variants.extend(LANES.map(|lanes| self.vector_variant(function, &name, lanes)));
        }
        if variants.is_empty() {
            return;
        }
        let pointers: Vec<_> = variants.iter().map(|f| f.as_global_value().as_pointer_value()).collect();
        let list = self.ptr_type().const_array(&pointers);
        let kept = self.llvm.add_global(list.get_type(), None, KEPT);
        kept.set_linkage(Linkage::Appending);
        kept.set_section(Some("llvm.metadata"));
        kept.set_initializer(&list);
    }

    /// `function` of each lane, if the mask has any lane at all; what it gives for lanes outside of the mask is not used.
    fn vector_variant(&self, function: FunctionValue<'c>, name: &str, lanes: u32) -> FunctionValue<'c> {
        let element = function.get_type().get_return_type().expect("a number").into_float_type();
        let vector = element.vec_type(lanes);
        let mask = self.cx.bool_type().vec_type(lanes);
        let mut params = vec![vector.into(); function.get_params().len()];
        params.push(mask.into());
        let ty = vector.fn_type(&params, false);
        let variant = self.llvm.add_function(&format!("{name}.v{lanes}"), ty, Some(Linkage::Internal));
        self.set_processor(variant);
        for attribute in PURE.into_iter().chain(["noinline"]) {
            variant.add_attribute(AttributeLoc::Function, self.attribute(attribute, 0));
        }
        let b = self.cx.create_builder();
        let [begin, each, end] = ["begin", "lane", "end"].map(|n| self.cx.append_basic_block(variant, n));
        let mut operands = variant.get_params();
        let wanted = operands.pop().expect("the mask");
        let x = operands[0];
        b.position_at_end(begin);
        let any = self.intrinsic("llvm.vector.reduce.or", &[mask.into()]);
        let any = result(b.build_call(any, &[wanted.into()], "").expect(BUILT)).into_int_value();
        b.build_conditional_branch(any, each, end).expect(BUILT);

        b.position_at_end(each);
        let index = self.cx.i64_type();
        let lane = b.build_phi(index, "").expect(BUILT);
        let results = b.build_phi(vector, "").expect(BUILT);
        let at = lane.as_basic_value().into_int_value();
        let next_results = self.apply_to_lane(&b, function, &operands, results.as_basic_value(), at);
        let next = b.build_int_add(at, index.const_int(1, false), "").expect(BUILT);
        lane.add_incoming(&[(&index.const_zero(), begin), (&next, each)]);
        results.add_incoming(&[(&x, begin), (&next_results, each)]);
        let count = index.const_int(u64::from(lanes), false);
        let finished = b.build_int_compare(IntPredicate::EQ, next, count, "").expect(BUILT);
        b.build_conditional_branch(finished, end, each).expect(BUILT);

        b.position_at_end(end);
        let given = b.build_phi(vector, "").expect(BUILT);
        given.add_incoming(&[(&x, begin), (&next_results, each)]);
        b.build_return(Some(&given.as_basic_value())).expect(BUILT);
        variant
    }

    /// `results` with the function's value for an element of each operand.
    fn apply_to_lane(
        &self,
        b: &Builder<'c>,
        function: FunctionValue<'c>,
        operands: &[BasicValueEnum<'c>],
        results: BasicValueEnum<'c>,
        at: IntValue<'c>,
    ) -> BasicValueEnum<'c> {
        let element = |x: &BasicValueEnum<'c>| {
            b.build_extract_element(x.into_vector_value(), at, "").expect(BUILT).into()
        };
        let elements: Vec<_> = operands.iter().map(element).collect();
        let of_element = result(b.build_call(function, &elements, "").expect(BUILT));
        b.build_insert_element(results.into_vector_value(), of_element, at, "").expect(BUILT).into()
    }
}

/// Lets go of what was kept for the vectoriser. Returns whether there was any.
pub fn release_variants(module: &LlvmModule<'_>) -> bool {
    let Some(kept) = module.get_global(KEPT) else { return false };
    // SAFETY: nothing refers to this list; LLVM only looks at what is in it.
    unsafe { kept.delete() };
    true
}

/// Reads bitcode without the bodies of its functions.
fn read<'c>(
    cx: &'c inkwell::context::Context,
    bitcode: &'static [u8],
) -> Result<LlvmModule<'c>, CodegenError> {
    let mut module = ptr::null_mut();
    // SAFETY: the bytes live as long as the program. LLVM takes the buffer when it succeeds, and then gives a module of
    // this context that nobody else owns.
    unsafe {
        let start = bitcode.as_ptr().cast();
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(start, bitcode.len(), c"math".as_ptr(), 0);
        if LLVMGetBitcodeModuleInContext2(cx.raw(), buffer, &raw mut module) != 0 {
            LLVMDisposeMemoryBuffer(buffer);
            return Err(CodegenError::Internal("the bitcode of math functions is damaged".to_owned()));
        }
        Ok(LlvmModule::new(module))
    }
}
