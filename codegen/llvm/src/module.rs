//! One LLVM module for one IR module: declarations, shared constants, helper functions.

use crate::builder::{Ir, V};
use crate::function::FuncCx;
use crate::target::Cpu;
use crate::{passes, spec};
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module as LlvmModule};
use inkwell::targets::TargetMachine;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FunctionType};
use inkwell::values::{FastMathFlags, FunctionValue};
use pydd_codegen::polling::{self, Polling};
use pydd_codegen::{CodegenError, CodegenOptions, Layout, SiteTable, parallel, summary, sums};
use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{Entity, Function, Module, Version};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// What is known of a function before it is lowered.
pub struct Facts {
    pub memory: MemoryInfo,
    pub layout: Layout,
    /// Operations that may be reassociated, by `Op`.
    pub sums: Vec<bool>,
    /// How loops look for Ctrl-C, by `Op`.
    pub polling: Vec<Polling>,
}

/// What all functions of a module share.
pub struct ModuleCx<'c, 'm> {
    pub cx: &'c Context,
    pub llvm: LlvmModule<'c>,
    pub module: &'m Module,
    pub options: &'m CodegenOptions,
    pub cpu: &'m Cpu,
    /// By `FuncRef`, as the next.
    pub functions: Vec<FunctionValue<'c>>,
    pub facts: Vec<Facts>,
    pub summaries: Summaries,
    pub sites: RefCell<SiteTable>,
    strings: RefCell<BTreeMap<String, V<'c>>>,
    counter: Cell<u32>,
}

/// Lowers a whole module.
pub fn lower<'c>(
    cx: &'c Context,
    module: &Module,
    options: &CodegenOptions,
    cpu: &Cpu,
    machine: &TargetMachine,
) -> Result<LlvmModule<'c>, CodegenError> {
    let llvm = cx.create_module(&module.name);
    llvm.set_triple(&machine.get_triple());
    llvm.set_data_layout(&machine.get_target_data().get_data_layout());
    let mut m = ModuleCx::new(cx, llvm, module, options, cpu);
    m.declare_functions();
    for (r, func) in module.funcs.iter() {
        FuncCx::define(&m, func, r)?;
    }
    spec::emit(&m);
    if options.verify {
        passes::verify(&m.llvm)?;
    }
    Ok(m.llvm)
}

impl<'c, 'm> ModuleCx<'c, 'm> {
    fn new(
        cx: &'c Context,
        llvm: LlvmModule<'c>,
        module: &'m Module,
        options: &'m CodegenOptions,
        cpu: &'m Cpu,
    ) -> Self {
        let summaries = Summaries::new(module);
        let long = summary::long_running(module);
        let facts = |func: &Function| {
            let memory = MemoryInfo::new(func, &summaries);
            let on_threads = |op| parallel::on_threads(func, &memory, op);
            let polling = polling::plan(func, &long, &on_threads);
            Facts { layout: Layout::new(func), sums: sums::reassociable(func), polling, memory }
        };
        let facts = module.funcs.values().map(facts).collect();
        Self {
            cx,
            llvm,
            module,
            options,
            cpu,
            functions: Vec::new(),
            facts,
            summaries,
            sites: RefCell::default(),
            strings: RefCell::default(),
            counter: Cell::new(0),
        }
    }

    fn declare_functions(&mut self) {
        let ir = Ir::new(self.cx);
        for func in self.module.funcs.values() {
            let ty = function_type(&ir, func);
            let function = self.private_function(&func.name, ty, func.version);
            self.functions.push(function);
        }
    }

    /// Declares a function that only this module sees, with the attributes that all of them have.
    pub fn private_function(&self, name: &str, ty: FunctionType<'c>, version: Version) -> FunctionValue<'c> {
        // A dot keeps it apart from the names of C's functions, which LLVM knows.
        let function = self.llvm.add_function(&format!("pydd.{name}"), ty, Some(Linkage::Private));
        self.set_attributes(function, version);
        function
    }

    pub fn set_attributes(&self, function: FunctionValue<'c>, version: Version) {
        let ir = Ir::new(self.cx);
        let add = |attribute| function.add_attribute(AttributeLoc::Function, attribute);
        add(ir.attribute("nounwind", 0));
        let text = |key, value: &str| add(self.cx.create_string_attribute(key, value));
        text("target-cpu", &self.cpu.name);
        if !self.cpu.features.is_empty() {
            text("target-features", &self.cpu.features);
        }
        if let Some(tune) = &self.cpu.tune {
            text("tune-cpu", tune);
        }
        if version == Version::General && self.options.opt_level > 0 {
            add(ir.attribute("optsize", 0));
            add(ir.attribute("minsize", 0));
        }
    }

    /// A number that no other call gives.
    pub fn unique(&self) -> u32 {
        self.counter.replace(self.counter.get() + 1)
    }

    /// A pointer to a C string.
    pub fn string(&self, text: &str) -> V<'c> {
        *self.strings.borrow_mut().entry(text.to_owned()).or_insert_with(|| {
            let bytes = pydd_codegen::image::c_string(text);
            let data = self.cx.const_string(&bytes, false);
            let global = self.llvm.add_global(data.get_type(), None, "pydd.str");
            global.set_initializer(&data);
            global.set_constant(true);
            global.set_linkage(Linkage::Private);
            global.set_unnamed_addr(true);
            global.set_alignment(1);
            global.as_pointer_value().into()
        })
    }

    /// A function of C's math library, which only depends on its operands.
    pub fn math_function(&self, name: &str, ty: FunctionType<'c>) -> FunctionValue<'c> {
        if let Some(function) = self.llvm.get_function(name) {
            return function;
        }
        let ir = Ir::new(self.cx);
        let function = self.llvm.add_function(name, ty, None);
        for attribute in ["nounwind", "willreturn", "nocallback", "nofree"] {
            function.add_attribute(AttributeLoc::Function, ir.attribute(attribute, 0));
        }
        // The value 0 means `memory(none)`: errno and flags are nobody's business.
        function.add_attribute(AttributeLoc::Function, ir.attribute("memory", 0));
        function
    }

    /// A helper function, made by `build` (which gives the result) when first asked for.
    pub fn helper(
        &self,
        name: &str,
        ty: FunctionType<'c>,
        build: impl FnOnce(&Ir<'c>, FunctionValue<'c>) -> V<'c>,
    ) -> FunctionValue<'c> {
        if let Some(function) = self.llvm.get_function(&format!("pydd.{name}")) {
            return function;
        }
        let function = self.private_function(name, ty, Version::Any);
        let ir = Ir::new(self.cx);
        function.add_attribute(AttributeLoc::Function, ir.attribute("memory", 0));
        function.add_attribute(AttributeLoc::Function, ir.attribute("willreturn", 0));
        ir.at(self.cx.append_basic_block(function, ""));
        let value = build(&ir, function);
        ir.ret(Some(value));
        function
    }

    /// Calls an intrinsic that is overloaded on `types`.
    pub fn intrinsic(&self, ir: &Ir<'c>, name: &str, types: &[BasicTypeEnum<'c>], args: &[V<'c>]) -> V<'c> {
        ir.intrinsic(&self.llvm, name, types, args, FastMathFlags::empty())
    }
}

/// `(ctx, parts of the parameters…, words for the results) -> status`
pub fn function_type<'c>(ir: &Ir<'c>, func: &Function) -> FunctionType<'c> {
    let mut params: Vec<BasicMetadataTypeEnum<'c>> = vec![ir.ptr_type().into()];
    for &param in func.params() {
        params.extend(ir.part_types(func.ty(param)).into_iter().map(BasicMetadataTypeEnum::from));
    }
    params.push(ir.ptr_type().into());
    ir.cx.i32_type().fn_type(&params, false)
}

/// The facts of the function `r`.
pub fn facts<'a>(m: &'a ModuleCx<'_, '_>, r: pydd_ir::FuncRef) -> &'a Facts {
    &m.facts[r.index()]
}
