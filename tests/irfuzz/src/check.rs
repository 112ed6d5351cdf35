//! Runs one module in every way and compares.

use crate::args::ArgSet;
use crate::compare::{Outcome, differ, interpret};
use crate::{Failure, native};
use pydd_ir::{Module, Type};
use pydd_passes::{Need, OptLevel, Options, PIPELINE, Quiet, Stopped, run_one};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Argument sets of each kind.
    pub sets: u64,
    /// Compile and run too.
    pub native: Native,
}

/// What modules are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    None,
    Processors,
    /// A device and the processor beside it.
    Device,
}

impl Native {
    pub const ALL: [Self; 3] = [Self::None, Self::Processors, Self::Device];
}

/// What happened to a module without a failure.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    pub returned: u64,
    pub raised: u64,
    pub too_long: u64,
    pub refused: bool,
    pub compiled: u64,
    /// The passes that changed it, at the highest level.
    pub changed: BTreeSet<String>,
}

/// A call whose outcome is known.
pub struct Expected {
    pub general: bool,
    pub args: ArgSet,
    pub outcome: Outcome,
}

const STEPS: u64 = 12_000;

/// Runs `what`; a panic becomes a failure of this kind.
pub fn guarded<R>(kind: &str, what: impl FnOnce() -> R) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(what)).map_err(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Failure::new(format!("{kind} panic"), text)
    })
}

/// Checks a module's export `f`.
///
/// # Errors
/// The first thing that differs.
pub fn check(module: &Module, seed: u64, plan: Plan) -> Result<Stats, Failure> {
    verify(module).map_err(|e| Failure::new("generator", e))?;
    let text = pydd_ir::text::print(module, &pydd_ir::text::PrintOptions::FULL);
    let module = &pydd_ir::text::parse(&text).map_err(|e| Failure::new("text", e.to_string()))?;
    let mut stats = Stats::default();
    let expected = expectations(module, seed, plan.sets, &mut stats)?;
    let device = plan.native == Native::Device;
    let optimized = pipeline(module, &expected, OptLevel::O3, device, &mut stats.changed)?;
    let Some(optimized) = optimized else {
        stats.refused = true;
        return Ok(stats);
    };
    let plain = pipeline(module, &expected, OptLevel::O0, device, &mut BTreeSet::new())?;
    if device {
        stats.compiled += native::check_device(&optimized, "O3", &expected)?;
        if let Some(plain) = &plain {
            stats.compiled += native::check_device(plain, "O0", &expected)?;
        }
    }
    if plan.native == Native::Processors {
        let (llvm, cranelift) = (pydd_codegen_llvm::compile, pydd_codegen_cranelift::compile);
        native::check(&optimized, llvm, 3, "O3", &expected)?;
        native::check(&optimized, llvm, 0, "O3passes", &expected)?;
        native::check(&optimized, cranelift, 1, "cranelift O3passes", &expected)?;
        stats.compiled += 3;
        if let Some(plain) = plain {
            native::check(&plain, llvm, 0, "O0", &expected)?;
            native::check(&plain, cranelift, 0, "cranelift O0", &expected)?;
            stats.compiled += 2;
        }
    }
    Ok(stats)
}

fn verify(module: &Module) -> Result<(), String> {
    pydd_ir::verify::verify(module)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn expectations(module: &Module, seed: u64, sets: u64, stats: &mut Stats) -> Result<Vec<Expected>, Failure> {
    let func = module.exports[0].entries[0].func;
    let f = &module.funcs[func];
    let types: Vec<Type> = f.params().iter().map(|&p| f.ty(p)).collect();
    let written: Vec<bool> = module.exports[0].params.iter().map(|param| param.written).collect();
    // Products of long axes would take too long.
    let flat = |f: &pydd_ir::Function| f.values.values().all(|v| !v.ty.is_array() || v.ty.rank() < 2);
    let long = module.funcs.values().all(flat);
    let mut expected = Vec::new();
    for i in 0..sets * 2 {
        let general = i % 2 == 1;
        let args = ArgSet::new(&types, &written, seed.wrapping_mul(16).wrapping_add(i / 2), general, long);
        let outcome = guarded("interp", || interpret(module, func, &args, STEPS))?;
        match &outcome {
            Outcome::Returned { .. } => stats.returned += 1,
            Outcome::Raised { .. } => stats.raised += 1,
            Outcome::TooLong => stats.too_long += 1,
            Outcome::Fault(what) | Outcome::Leak(what) => {
                return Err(Failure::new("interp fault", what.clone()));
            }
        }
        if !matches!(outcome, Outcome::TooLong) {
            expected.push(Expected { general, args, outcome });
        }
    }
    Ok(expected)
}

/// Runs the passes, comparing after each, and notes which `changed` something. Gives nothing where a pass refuses the module.
fn pipeline(
    module: &Module,
    expected: &[Expected],
    level: OptLevel,
    device: bool,
    changed: &mut BTreeSet<String>,
) -> Result<Option<Module>, Failure> {
    // What gives loops an order is done where none becomes parallel by itself.
    let auto_parallel =
        level > OptLevel::O0 && module.funcs.values().map(|func| func.ops.len()).sum::<usize>() % 2 == 0;
    let options = Options {
        opt_level: level,
        strict_fp: true,
        auto_parallel,
        device,
        verify: true,
        vector_bits: 512,
        ..Options::default()
    };
    let mut module = module.clone();
    let name = if level == OptLevel::O0 { "O0 " } else { "" };
    for (index, pass) in PIPELINE.iter().enumerate() {
        if matches!(pass.need, Need::From(from) if options.opt_level < from) {
            continue;
        }
        let before = module.clone();
        let kind = format!("{name}pass:{}#{index}", pass.name);
        match guarded(&kind, || run_one(pass, &mut module, &options, &mut Quiet))? {
            Ok(()) => {}
            Err(Stopped::Refused(_)) => return Ok(None),
            Err(Stopped::Broken { problem, .. }) => {
                return Err(Failure::new(format!("{kind} verify"), problem));
            }
        }
        if module == before {
            continue;
        }
        changed.insert(pass.name.to_owned());
        for call in expected {
            let export = &module.exports[0];
            let func = export.choose(|_| !call.general).expect("the last entry takes all calls");
            let got = guarded(&kind, || interpret(&module, func, &call.args, STEPS * 60))?;
            if let Some((what, detail)) = differ(&call.outcome, &got, &call.args) {
                let version = if call.general { "general" } else { "fast" };
                let detail = format!("{version}: {detail}\nargs: {:?}", call.args);
                return Err(Failure::new(format!("{kind} {what}"), detail));
            }
        }
    }
    Ok(Some(module))
}
