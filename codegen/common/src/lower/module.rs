//! What all functions of a module share, and the functions that generated code needs beside the program's.

use crate::emit::{Declaration, Emit, Linkage, Signature, Ty};
use crate::layout::Layout;
use crate::lower::function::FuncCx;
use crate::lower::{entries, values};
use crate::polling::{self, Polling};
use crate::{CodegenError, CodegenOptions, SiteTable, parallel, summary, sums};
use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{Function, Module};
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
pub struct ModuleCx<'a, E: Emit> {
    /// Declares functions; stands nowhere.
    pub root: &'a E,
    pub module: &'a Module,
    pub options: &'a CodegenOptions,
    /// By `FuncRef`, as the next.
    pub functions: Vec<E::Function>,
    pub facts: Vec<Facts>,
    pub summaries: Summaries,
    pub sites: RefCell<SiteTable>,
    helpers: RefCell<BTreeMap<String, E::Function>>,
    counter: Cell<u32>,
}

/// Lowers a whole module: its functions, their entries, the description for the runtime, and `PyInit_NAME`.
/// `root` only declares functions and opens them; `cpu_features` are what the runtime tests at import.
///
/// # Errors
/// An operation on a type that has no lowering.
pub fn lower<E: Emit>(
    root: &E,
    module: &Module,
    options: &CodegenOptions,
    cpu_features: &[&str],
) -> Result<(), CodegenError> {
    let mut m = ModuleCx::new(root, module, options);
    m.functions = module.funcs.values().map(|func| declare(root, func)).collect();
    for (r, func) in module.funcs.iter() {
        FuncCx::define(&m, func, r)?;
    }
    entries::emit(&m, &cpu_features.join(","));
    Ok(())
}

impl<'a, E: Emit> ModuleCx<'a, E> {
    fn new(root: &'a E, module: &'a Module, options: &'a CodegenOptions) -> Self {
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
            root,
            module,
            options,
            functions: Vec::new(),
            facts,
            summaries,
            sites: RefCell::default(),
            helpers: RefCell::default(),
            counter: Cell::new(0),
        }
    }

    /// A number that no other call gives.
    pub fn unique(&self) -> u32 {
        self.counter.replace(self.counter.get() + 1)
    }

    /// A helper function, made by `build` (which gives the results) when it is first asked for.
    pub fn helper(
        &self,
        name: &str,
        signature: Signature,
        pure: bool,
        build: impl FnOnce(&E, &[E::V]) -> Vec<E::V>,
    ) -> E::Function {
        if let Some(&made) = self.helpers.borrow().get(name) {
            return made;
        }
        let declaration = Declaration { pure, ..Declaration::new(name, signature, Linkage::Private) };
        let function = self.root.declare(&declaration);
        let (ir, params) = self.root.open(function);
        let results = build(&ir, &params);
        ir.ret(&results);
        ir.close();
        self.helpers.borrow_mut().insert(name.to_owned(), function);
        function
    }
}

/// `(ctx, parts of the parameters…, words for the results) -> status`
fn declare<E: Emit>(root: &E, func: &Function) -> E::Function {
    let mut signature = Signature::new(&[Ty::Ptr], &[Ty::I32]);
    for &param in func.params() {
        signature.params.extend(values::part_types(func.ty(param)));
    }
    signature.params.push(Ty::Ptr);
    let declaration = Declaration::new(&func.name, signature, Linkage::Private);
    let (version, recursive, outlined) = (func.version, func.recursive, func.operation.is_some());
    root.declare(&Declaration { version, recursive, outlined, ..declaration })
}
