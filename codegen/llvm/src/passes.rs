//! LLVM's own pipeline.

use crate::lowered::Lowered;
use crate::math;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use pydd_codegen::CodegenError;
use pydd_codegen::units::Effort;
use std::ffi::CStr;
use std::sync::Once;

/// What most of the speed comes from, in less time than LLVM's own first level takes (strided arguments of the benchmarks: 0.97 to
/// 1.07 of its run time). General versions are mostly there in case, and come with every array.
/// `gvn` leaves memory alone: what it finds out about it takes a seventh of a compilation, and makes no benchmark faster.
const QUICK: &str = concat!(
    "function<eager-inv>(sroa,early-cse<memssa>,simplifycfg),",
    "cgscc(inline,function<eager-inv>(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,",
    "loop-mssa(loop-rotate,licm),gvn<no-memdep>,simplifycfg)),globaldce",
);

/// What takes linear time, for functions of tens of thousands of instructions.
const LEAST: &str = "function<eager-inv>(sroa,early-cse,simplifycfg),globaldce";

/// Asks for LLVM's clean-up after vectorising, which takes the question whether a loop is long enough for vectors out of the
/// loops around it: loops over the few coordinates of a point are twice as fast. And lets the vectoriser of straight code follow chains
/// as long as those of iterations side by side. Loops over neighbours of bytes load each anew: what is carried from one iteration to the next
/// leaves up to 63 elements of each row behind the vectors to scalar code. None has another switch than that of the command line, which holds for the process.
fn clean_up_after_vectorizing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        parse_options(&[
            c"-extra-vectorizer-passes",
            c"-slp-recursion-max-depth=64",
            c"-hoist-runtime-checks=false",
            c"-enable-load-in-loop-pre=false",
        ]);
    });
}

/// Sets options of LLVM's command line, each once in the life of a process, before any thread runs LLVM's passes that ask for them.
pub fn parse_options(options: &[&'static CStr]) {
    let arguments: Vec<_> = [c"pyddc"].iter().chain(options).map(|option| option.as_ptr()).collect();
    let count = i32::try_from(arguments.len()).expect("few");
    // SAFETY: `count` pointers to strings that end with a zero and live as long as the process; LLVM copies what it keeps.
    unsafe { LLVMParseCommandLineOptions(count, arguments.as_ptr(), std::ptr::null()) };
}

/// Optimises the module.
pub fn run(unit: &Lowered<'_>) -> Result<(), CodegenError> {
    let Lowered { llvm: module, machine, options, effort, .. } = unit;
    clean_up_after_vectorizing();
    let pipeline = match (options.opt_level, effort) {
        (0, _) => "default<O0>",
        (_, Effort::Least) => LEAST,
        (1, _) => QUICK,
        (2, _) => "default<O2>",
        _ => "default<O3>",
    };
    let vectorize = options.opt_level >= 2;
    let passes = PassBuilderOptions::create();
    passes.set_loop_vectorization(vectorize);
    passes.set_loop_slp_vectorization(vectorize);
    passes.set_loop_interleaving(vectorize);
    passes.set_loop_unrolling(vectorize);
    run_passes(module, machine, pipeline, passes)?;
    if math::release_variants(module) {
        run_passes(module, machine, "globaldce", PassBuilderOptions::create())?;
    }
    Ok(())
}

fn run_passes(
    module: &Module<'_>,
    machine: &TargetMachine,
    pipeline: &str,
    options: PassBuilderOptions,
) -> Result<(), CodegenError> {
    let run = module.run_passes(pipeline, machine, options);
    run.map_err(|e| CodegenError::Internal(format!("LLVM's passes failed: {e}")))
}

/// Checks the module by LLVM's rules.
pub fn verify(module: &Module<'_>) -> Result<(), CodegenError> {
    module.verify().map_err(|e| CodegenError::Internal(format!("LLVM refuses the module: {e}")))
}
