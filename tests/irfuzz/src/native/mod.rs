//! Compiled code: compiled, linked, loaded and called.

mod call;
mod load;
mod memory;
mod table;

use crate::check::{Expected, guarded};
use crate::compare::differ;
use crate::{Failure, worker};
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_ir::Module;
use pydd_link::LinkOptions;
use std::sync::Arc;

pub use load::capsule_import;

/// A backend.
pub type Compile = fn(&Module, &CodegenOptions) -> Result<Vec<u8>, CodegenError>;

/// Compiles a module of loop IR with a backend and makes all calls.
///
/// # Errors
/// The first call that differs, and what keeps the module from being made.
pub fn check(
    module: &Module,
    compile: Compile,
    opt_level: u8,
    name: &str,
    expected: &[Expected],
) -> Result<(), Failure> {
    let kind = format!("native:{name}");
    let kernel = made(module, compile, &options(opt_level), &kind)?;
    call_all(&kernel, expected, &kind, &[false, true])
}

/// Compiles the versions for devices and makes the calls that they are for, all launches on a device; gives how many modules were made: none where
/// no loop has a kernel.
///
/// # Errors
/// As [`check`].
pub fn check_device(module: &Module, name: &str, expected: &[Expected]) -> Result<u64, Failure> {
    let kind = format!("native:device {name}");
    worker::stage(&format!("{kind} kernels"));
    let options = options(1);
    let kernels = guarded(&kind, || pydd_codegen_nvptx::compile(module, &options, &[75]))?
        .map_err(|e| Failure::new(format!("{kind} kernels"), e.to_string()))?;
    if kernels.names.is_empty() {
        return Ok(0);
    }
    let options = CodegenOptions { kernels: Some(Arc::new(kernels)), ..options };
    let kernel = made(module, pydd_codegen_cranelift::compile, &options, &kind)?;
    if !kernel.is_for_devices() {
        return Ok(0);
    }
    let called = call_all(&kernel, expected, &kind, &[true]);
    // The runtime knows its code by where it is, since Python unloads no module.
    std::mem::forget(kernel);
    called.map(|()| 1)
}

fn options(opt_level: u8) -> CodegenOptions {
    CodegenOptions {
        opt_level,
        strict_fp: true,
        // At one level the runtime cuts loops into parts, at the other one the kernel runs them at once.
        always_launch: opt_level > 0,
        verify: true,
        ..CodegenOptions::default()
    }
}

fn made(
    module: &Module,
    compile: Compile,
    options: &CodegenOptions,
    kind: &str,
) -> Result<load::Kernel, Failure> {
    worker::stage(&format!("{kind} compile"));
    let made = guarded(kind, || compile(module, options))?;
    let object = made.map_err(|e| Failure::new(format!("{kind} compile"), e.to_string()))?;
    let bytes = guarded(kind, || pydd_link::link(&[&object], &LinkOptions::default()))?
        .map_err(|e| Failure::new(format!("{kind} link"), e.to_string()))?;
    load::load(&bytes, &module.name).map_err(|e| Failure::new(format!("{kind} load"), e))
}

fn call_all(
    kernel: &load::Kernel,
    expected: &[Expected],
    kind: &str,
    runtimes: &[bool],
) -> Result<(), Failure> {
    for call in expected {
        let version = if call.general { "general" } else { "fast" };
        for &real in runtimes {
            worker::stage(&format!("{kind} {version}"));
            let got = call::call(kernel, call, real);
            if let Some((what, detail)) = differ(&call.outcome, &got, &call.args) {
                let runtime = if real { "real runtime" } else { "guarded runtime" };
                let detail = format!("{version}, {runtime}: {detail}\nargs: {:?}", call.args);
                return Err(Failure::new(format!("{kind} {what}"), detail));
            }
        }
    }
    Ok(())
}
