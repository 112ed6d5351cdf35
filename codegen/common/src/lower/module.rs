//! What all functions of a unit share, and the functions that generated code needs beside the program's.

use crate::emit::{Declaration, Emit, Linkage, Signature, SourceFunction, Ty};
use crate::layout::{self, Layout};
use crate::lower::function::FuncCx;
use crate::lower::helpers::Helper;
use crate::lower::{entries, regions, values};
use crate::polling::{self, Polling};
use crate::recurrences::{self, Fused};
use crate::units::{self, Unit};
use crate::{CodegenError, CodegenOptions, SiteTable, conversions, device, summary, sums};
use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{DType, Entity, FuncRef, Function, Module, Op, OpKind, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a function before it is lowered.
pub struct Facts {
    pub memory: MemoryInfo,
    pub layout: Layout,
    /// Operations that may be reassociated, by `Op`.
    pub sums: Vec<bool>,
    /// What additions are fused with.
    pub fused: Vec<Fused>,
    /// Casts to an integer that are asked whether they worked, by `Op`.
    pub asked: Vec<bool>,
    /// How loops look for Ctrl-C, by `Op`.
    pub polling: Vec<Polling>,
}

/// What is known of a module before any of it is lowered, and what its units share.
pub struct Known {
    /// The places that can raise, in the units lowered so far.
    pub sites: RefCell<SiteTable>,
    /// What the units lowered so far call.
    helpers: RefCell<BTreeSet<Helper>>,
    /// By `FuncRef`, as the next.
    facts: Vec<Facts>,
    shared: Vec<bool>,
    has_one_unit: bool,
}

impl Known {
    #[must_use]
    pub fn new(module: &Module, units: &[Unit], options: &CodegenOptions) -> Self {
        let summaries = Summaries::of_callees(module);
        let long = summary::long_running(module);
        let facts = |(func, layout): (&Function, Layout)| {
            let memory = MemoryInfo::new(func, &summaries);
            let polling = polling::plan(func, &long);
            Facts {
                layout,
                sums: sums::reassociable(func),
                fused: recurrences::fused(func),
                asked: conversions::asked(func),
                polling,
                memory,
            }
        };
        let facts = module.funcs.values().zip(layout::layouts(module)).map(facts).collect();
        Self {
            sites: RefCell::new(
                options.kernels.as_ref().map(|kernels| kernels.sites.clone()).unwrap_or_default(),
            ),
            helpers: RefCell::default(),
            facts,
            shared: units::shared(module, units),
            has_one_unit: units.len() == 1,
        }
    }

    #[must_use]
    pub fn facts(&self, r: FuncRef) -> &Facts {
        &self.facts[r.index()]
    }

    /// The linkage of a function as the unit sees it.
    fn linkage(&self, unit: &Unit, r: FuncRef) -> Linkage {
        if self.shared[r.index()] || !unit.functions.contains(&r) {
            Linkage::Shared
        } else {
            Linkage::Private
        }
    }
}

/// What all functions of a unit share.
pub struct ModuleCx<'a, E: Emit> {
    /// Declares functions; stands nowhere.
    pub root: &'a E,
    pub module: &'a Module,
    pub unit: &'a Unit,
    pub options: &'a CodegenOptions,
    pub known: &'a Known,
    /// Whether the code is for a device, which has no runtime.
    pub on_device: bool,
    /// Those of the unit and those that they call, which are declared only where they are another unit's.
    pub functions: BTreeMap<FuncRef, E::Function>,
    helpers: RefCell<BTreeMap<String, E::Function>>,
    shared_helpers: RefCell<BTreeMap<Helper, E::Function>>,
    /// By function of a parallel loop, what the runtime calls for a part of its range: a loop may be launched at several places.
    parts: RefCell<BTreeMap<FuncRef, E::Function>>,
}

/// Lowers a unit: its functions and their entries. `describe` also makes the description for the runtime and
/// the function that hands it out, once all other units have been lowered; it is given what the runtime tests the processor for.
/// `root` only declares functions and opens them.
///
/// # Errors
/// An operation on a type that has no lowering.
pub fn lower<E: Emit>(
    root: &E,
    module: &Module,
    unit: &Unit,
    known: &Known,
    options: &CodegenOptions,
    describe: Option<&[&str]>,
) -> Result<(), CodegenError> {
    let m = ModuleCx::new(root, module, unit, known, options, false);
    m.define_functions()?;
    entries::emit(&m, describe);
    if describe.is_some() {
        m.define_helpers();
    }
    Ok(())
}

/// What is lowered for a device, by IR functions.
pub struct OnDevice<E: Emit> {
    pub functions: BTreeMap<FuncRef, E::Function>,
    /// `(acc, part)`: what combines the accumulators of the loops that have few.
    pub combine: BTreeMap<FuncRef, E::Function>,
}

/// Lowers functions for a device, with all that they call. None of them asks the runtime for anything.
///
/// # Errors
/// An operation on a type that has no lowering.
pub fn lower_for_device<E: Emit>(
    root: &E,
    module: &Module,
    unit: &Unit,
    known: &Known,
    options: &CodegenOptions,
) -> Result<OnDevice<E>, CodegenError> {
    let m = ModuleCx::new(root, module, unit, known, options, true);
    m.define_functions()?;
    let mut combine = BTreeMap::new();
    for &r in unit.functions.iter().filter(|&&r| device::combines(&module.funcs[r])) {
        let func = &module.funcs[r];
        let types: Vec<DType> = func.results.iter().filter_map(|ty| ty.dtype()).collect();
        if let Some(region) = &func.region {
            let function = m.combine_function(&region.reduce, &types);
            combine.insert(r, function.map_err(CodegenError::Internal)?);
        }
    }
    m.define_helpers();
    Ok(OnDevice { functions: m.functions, combine })
}

impl<'a, E: Emit> ModuleCx<'a, E> {
    fn new(
        root: &'a E,
        module: &'a Module,
        unit: &'a Unit,
        known: &'a Known,
        options: &'a CodegenOptions,
        on_device: bool,
    ) -> Self {
        let declared = unit.mentioned(module).into_iter();
        let declared = declared.map(|r| (r, declare(root, module, r, known.linkage(unit, r), options.debug)));
        Self {
            root,
            module,
            unit,
            options,
            known,
            on_device,
            functions: declared.collect(),
            helpers: RefCell::default(),
            shared_helpers: RefCell::default(),
            parts: RefCell::default(),
        }
    }

    fn define_functions(&self) -> Result<(), CodegenError> {
        self.unit.functions.iter().try_for_each(|&r| FuncCx::define(self, &self.module.funcs[r], r))
    }

    /// Those that any unit lowered so far calls.
    fn define_helpers(&self) {
        for &helper in self.known.helpers.borrow().iter() {
            helper.define(self.root, self.declared_helper(helper));
        }
    }
}

impl<E: Emit> ModuleCx<'_, E> {
    /// A helper function of this unit, made by `build` (which gives the results) when it is first asked for.
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
        let declaration = Declaration::new(name, signature, Linkage::Private);
        let function = self.root.declare(&Declaration { pure, ..declaration });
        let (ir, params) = self.root.open(function);
        let results = build(&ir, &params);
        ir.ret(&results);
        ir.close();
        self.helpers.borrow_mut().insert(name.to_owned(), function);
        function
    }

    /// What the runtime calls for a part of a parallel loop; made where it is first asked for.
    pub fn part_function(&self, callee: FuncRef, make: impl FnOnce() -> E::Function) -> E::Function {
        if let Some(&made) = self.parts.borrow().get(&callee) {
            return made;
        }
        let made = make();
        self.parts.borrow_mut().insert(callee, made);
        made
    }

    /// A helper function that all units share.
    pub fn shared_helper(&self, helper: Helper) -> E::Function {
        self.known.helpers.borrow_mut().insert(helper);
        self.declared_helper(helper)
    }

    /// A library is linked with others into a program, where names that units share would meet: it is one unit.
    fn helper_linkage(&self) -> Linkage {
        let is_alone = self.known.has_one_unit && (self.options.description.is_some() || self.on_device);
        if is_alone { Linkage::Private } else { Linkage::Shared }
    }

    fn declared_helper(&self, helper: Helper) -> E::Function {
        *self
            .shared_helpers
            .borrow_mut()
            .entry(helper)
            .or_insert_with(|| helper.declare(self.root, self.helper_linkage()))
    }
}

/// The function of the source that an IR function is made from.
pub fn source<'a>(module: &'a Module, func: &Function) -> Option<SourceFunction<'a>> {
    let ops = &func.blocks[func.entry].ops;
    let loc = ops.iter().map(|&op| func.ops[op].loc).find(|loc| loc.line != 0)?;
    let name = module.scopes.get(loc.scope as usize)?;
    let place = module.place(loc);
    Some(SourceFunction { name, file: place.file.unwrap_or(&module.file), line: place.line })
}

/// `(ctx, parts of the parameters…, words for the results) -> status`
fn declare<E: Emit>(root: &E, module: &Module, r: FuncRef, linkage: Linkage, debug: bool) -> E::Function {
    let func = &module.funcs[r];
    let mut signature = Signature::new(&[Ty::Ptr], &[Ty::I32]);
    for &param in func.params() {
        signature.params.extend(values::part_types(func.ty(param)));
    }
    signature.params.push(Ty::Ptr);
    let readable = debug.then(|| regions::readable(module, r)).flatten();
    let name = readable.as_ref().map_or(&func.name, |names| &names.symbol);
    let declaration = Declaration::new(name, signature, linkage);
    // What has two callers here, and is called for many iterations, is made once.
    let outlined = func.operation.is_some() || func.region.is_some();
    let (version, recursive) = (func.version, func.recursive);
    let source = match &readable {
        Some(names) => Some(names.source(module)),
        None => source(module, func),
    };
    let wide = computes_functions(func);
    root.declare(&Declaration { version, recursive, outlined, wide, source, ..declaration })
}

/// What a function costs, in additions, of which few are computed while one element comes from memory.
const COSTLY: i64 = 16;

/// Whether loops compute functions such as `exp` of floats.
pub fn computes_functions(func: &Function) -> bool {
    let mut loops = func.hot_ops().into_iter().filter(|&op| func.ops[op].kind.is_loop());
    loops.any(|op| holds_functions(func, op))
}

pub fn holds_functions(func: &Function, looped: Op) -> bool {
    let is_costly = |op: Op| {
        let data = &func.ops[op];
        let is_float = |&value: &Value| func.ty(value).dtype().is_some_and(DType::is_float);
        matches!(data.kind, OpKind::Elem(elem) if elem.cost() >= COSTLY)
            && data.results.first().is_some_and(is_float)
    };
    let mut found = false;
    func.ops[looped].regions.iter().for_each(|&region| func.walk(region, &mut |op| found |= is_costly(op)));
    found
}
