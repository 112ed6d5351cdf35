//! Parallel loops to kernels for NVIDIA's devices, as PTX, through LLVM.
//!
//! The body of a loop is the function that threads call as well, lowered by the same walk; here is the kernel around it (`kernel`), which gives iterations to
//! the device's threads and collects sums and errors. [`pydd_abi::device`] says how the runtime calls it.

mod combine;
mod kernel;
mod private;
mod target;
mod zeros;

use inkwell::context::Context;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::FileType;
use kernel::Takes;
use pydd_abi::device::DeviceLanes;
use pydd_codegen::cpu::Cpu;
use pydd_codegen::device::Kernels;
use pydd_codegen::device::lanes::{self, Shared};
use pydd_codegen::device::several::Several;
use pydd_codegen::lower::{Known, lower_for_device};
use pydd_codegen::units::{Effort, Unit};
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_codegen_llvm_base::pipeline::{emit, leave_loops_as_they_are, run_passes, verify};
use pydd_codegen_llvm_base::{Ir, Object};
use pydd_ir::alias::Summaries;
use pydd_ir::{FuncRef, Module};
use std::collections::{BTreeMap, BTreeSet};

/// What the assembler cannot do, in half of the time of LLVM's third level: all is inlined into kernels, memory of a thread becomes registers, and accesses leave
/// loops. Instructions are chosen, ordered and unrolled by ptxas, or by the driver, which has it.
const PASSES: &str = concat!(
    "function<eager-inv>(sroa,early-cse<memssa>,simplifycfg),",
    "cgscc(inline,function<eager-inv>(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,",
    "loop-mssa(loop-rotate,licm),loop(indvars,loop-deletion,loop-unroll-full),sroa,early-cse<memssa>,",
    "instcombine<no-verify-fixpoint>,gvn<no-memdep>,simplifycfg)),globaldce",
);

/// Compute capabilities (10 * major + minor) that code can be made for.
pub const LEVELS: [u32; 11] = [70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120];

/// Makes the kernels of a module in loop IR, for each of the compute capabilities; none where no loop can have one.
///
/// # Errors
/// A compiler bug.
pub fn compile(module: &Module, options: &CodegenOptions, levels: &[u32]) -> Result<Kernels, CodegenError> {
    let is_kernel = |&r: &FuncRef| module.funcs[r].has_kernel();
    let regions: Vec<FuncRef> = module.funcs.keys().filter(is_kernel).collect();
    if regions.is_empty() || levels.is_empty() {
        return Ok(Kernels::default());
    }
    let options =
        CodegenOptions { opt_level: 3, debug: false, remarks: false, kernels: None, ..options.clone() };
    let unit = Unit { functions: reached(module, &regions), light: false, effort: Effort::Full };
    let known = Known::new(module, std::slice::from_ref(&unit), &options);
    let names: BTreeMap<FuncRef, String> =
        regions.iter().enumerate().map(|(i, &r)| (r, kernel::name(&module.funcs[r], i))).collect();
    let mut levels = levels.to_vec();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    let shared = |r: FuncRef| lanes::shared(&module.funcs[r], &known.facts(r).memory, &options);
    let shared: BTreeMap<FuncRef, Shared> = regions.iter().filter_map(|&r| Some((r, shared(r)?))).collect();
    let leaving: BTreeSet<FuncRef> =
        shared.iter().filter(|(_, shared)| !shared.leaving.is_empty()).map(|(&r, _)| r).collect();
    let several: BTreeMap<FuncRef, Several> =
        regions.iter().filter_map(|&r| Some((r, Several::of(&module.funcs[r])?))).collect();
    let takes = |r| match () {
        () if several.contains_key(&r) => Takes::Several,
        () if leaving.contains(&r) => Takes::OneOrLeaves,
        () => Takes::One,
    };
    let mut codes = Vec::new();
    for level in levels {
        codes.push((level, text(module, &unit, &known, &options, (&names, &takes), level)?));
    }
    let mut lanes: BTreeMap<FuncRef, DeviceLanes> =
        several.iter().map(|(&r, several)| (r, several.lanes())).collect();
    lanes.extend(shared.into_iter().map(|(r, shared)| (r, shared.steps)));
    let sites = known.sites.into_inner();
    let summaries = Summaries::of_callees(module);
    let fails = |r: &FuncRef| summaries.get(*r).is_none_or(|summary| summary.raises);
    let failing = regions.into_iter().filter(fails).collect();
    Ok(Kernels { codes, names, lanes, leaving, failing, sites })
}

fn text(
    module: &Module,
    unit: &Unit,
    known: &Known,
    options: &CodegenOptions,
    (names, takes): (&BTreeMap<FuncRef, String>, &dyn Fn(FuncRef) -> Takes),
    level: u32,
) -> Result<String, CodegenError> {
    let cpu = Cpu::device(level);
    let processor = target::processor(&cpu);
    let machine = target::machine(&processor)?;
    let context = Context::create();
    let object = Object::new(&context, module, options, &cpu, &processor, &machine);
    let root = Ir::new(&object);
    let lowered = lower_for_device(&root, module, unit, known, options)?;
    for (r, name) in names {
        let combine = lowered.combine.get(r).copied();
        kernel::define(&root, &object, &module.funcs[*r], name, (lowered.functions[r], combine), takes(*r));
    }
    object.link_math()?;
    leave_loops_as_they_are();
    if options.verify {
        verify(&object.llvm)?;
    }
    run_passes(&object.llvm, &machine, PASSES, PassBuilderOptions::create())?;
    zeros::keep_signs(&object.llvm);
    let bytes = emit(&object.llvm, &machine, FileType::Assembly)?;
    String::from_utf8(bytes).map_err(|e| CodegenError::Internal(e.to_string()))
}

/// The functions with all that they call, in the module's order.
fn reached(module: &Module, roots: &[FuncRef]) -> Vec<FuncRef> {
    let mut reached = BTreeSet::new();
    let mut work = roots.to_vec();
    while let Some(r) = work.pop() {
        if reached.insert(r) {
            let unit = Unit { functions: vec![r], light: false, effort: Effort::Full };
            work.extend(unit.mentioned(module));
        }
    }
    reached.into_iter().collect()
}
