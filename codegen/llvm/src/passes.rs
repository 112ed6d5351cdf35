//! LLVM's own pipeline.

use crate::lowered::Lowered;
use inkwell::passes::PassBuilderOptions;
use pydd_codegen::CodegenError;
use pydd_codegen::units::Effort;
use pydd_codegen_llvm_base::math;
use pydd_codegen_llvm_base::pipeline::{leave_loops_as_they_are, parse_options, run_passes};
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

/// All that makes code fast. It is LLVM's third level without what it repeats for code that is less tidy than ours, and without what is for whole
/// programs. The vectoriser is followed by the clean-up that LLVM has an option for: it takes the question whether a loop is long
/// enough for vectors out of the loops around it, so that loops over the few coordinates of a point are twice as fast.
const FULL: &str = concat!(
    "function<eager-inv>(lower-expect,simplifycfg<keep-loops;speculate-blocks;simplify-cond-branch>,sroa<modify-cfg>,early-cse<>),",
    "cgscc(inline,function-attrs,function<eager-inv>(",
    "sroa<modify-cfg>,early-cse<memssa>,correlated-propagation,",
    "simplifycfg<switch-range-to-icmp;keep-loops;speculate-blocks;simplify-cond-branch>,",
    "instcombine<max-iterations=1;no-verify-fixpoint>,aggressive-instcombine,constraint-elimination,",
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate<header-duplication>,",
    "licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),",
    "simplifycfg<switch-range-to-icmp;keep-loops;speculate-blocks;simplify-cond-branch>,",
    "instcombine<max-iterations=1;no-verify-fixpoint>,",
    "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,gvn<>,bdce,jump-threading,correlated-propagation,",
    "adce,dse,loop-mssa(licm<allowspeculation>),",
    "simplifycfg<switch-range-to-icmp;switch-to-arithmetic;keep-loops;hoist-common-insts;sink-common-insts;",
    "speculate-blocks;simplify-cond-branch>,",
    "instcombine<max-iterations=1;no-verify-fixpoint>)),globaldce,",
    "function<eager-inv>(loop(loop-rotate<header-duplication>,loop-deletion),loop-vectorize,infer-alignment,loop-load-elim,",
    "instcombine<max-iterations=1;no-verify-fixpoint>,early-cse<>,",
    "loop-mssa(licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),",
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;switch-to-lookup;no-keep-loops;",
    "hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>,",
    "instcombine<max-iterations=1;no-verify-fixpoint>,slp-vectorizer,early-cse<>,vector-combine,",
    "instcombine<max-iterations=1;no-verify-fixpoint>,loop-unroll<O3>,sroa<preserve-cfg>,infer-alignment,",
    "instcombine<max-iterations=1;no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),loop-sink,instsimplify,div-rem-pairs,",
    "simplifycfg<switch-range-to-icmp;switch-to-arithmetic;keep-loops;hoist-loads-stores-with-cond-faulting;speculate-blocks;",
    "simplify-cond-branch;speculate-unpredictables>),globaldce,constmerge",
);

/// Chooses what is counted in a loop. It takes a fifth of a compilation where loops have many arrays, and gains nothing there.
const STRENGTH_REDUCTION: &str = "function<eager-inv>(loop(loop-reduce),instsimplify)";
/// The weight of units up to which it is done: loops over few arrays are faster by up to a half.
const REDUCED: usize = 1_000;

/// What has no other switch than that of the command line, which holds for the process. The vectoriser of straight code follows chains
/// as long as those of iterations side by side. Loops over neighbours of bytes load each anew: what is carried from one iteration to the next
/// leaves up to 63 elements of each row behind the vectors to scalar code.
fn set_switches() {
    static ONCE: Once = Once::new();
    leave_loops_as_they_are();
    ONCE.call_once(|| {
        parse_options(&[
            c"-slp-recursion-max-depth=64",
            c"-hoist-runtime-checks=false",
            c"-enable-load-in-loop-pre=false",
            c"-x86-cmov-converter=false",
        ]);
    });
}

/// Optimises the module.
pub fn run(unit: &Lowered<'_>) -> Result<(), CodegenError> {
    let Lowered { llvm: module, machine, options, effort, weight } = unit;
    set_switches();
    let pipeline = match (options.opt_level, effort) {
        (0, _) => "default<O0>",
        (_, Effort::Least) => LEAST,
        (1, _) => QUICK,
        _ => FULL,
    };
    let vectorize = options.opt_level >= 2;
    let passes = PassBuilderOptions::create();
    passes.set_loop_vectorization(vectorize);
    passes.set_loop_slp_vectorization(vectorize);
    passes.set_loop_interleaving(vectorize);
    passes.set_loop_unrolling(vectorize);
    run_passes(module, machine, pipeline, passes)?;
    if pipeline == FULL && *weight <= REDUCED {
        run_passes(module, machine, STRENGTH_REDUCTION, PassBuilderOptions::create())?;
    }
    if math::release_variants(module) {
        run_passes(module, machine, "globaldce", PassBuilderOptions::create())?;
    }
    Ok(())
}
