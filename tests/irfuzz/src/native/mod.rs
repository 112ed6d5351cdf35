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
    worker::stage(&format!("{kind} compile"));
    let options = CodegenOptions {
        opt_level,
        strict_fp: true,
        // At one level the runtime cuts loops into parts, at the other one the kernel runs them at once.
        always_launch: opt_level > 0,
        verify: true,
        ..CodegenOptions::default()
    };
    let made = guarded(&kind, || compile(module, &options))?;
    let object = made.map_err(|e| Failure::new(format!("{kind} compile"), e.to_string()))?;
    let bytes = guarded(&kind, || pydd_link::link(&[&object], &LinkOptions::default()))?
        .map_err(|e| Failure::new(format!("{kind} link"), e.to_string()))?;
    let kernel = load::load(&bytes, &module.name).map_err(|e| Failure::new(format!("{kind} load"), e))?;
    for call in expected {
        let version = if call.general { "general" } else { "fast" };
        for real in [false, true] {
            worker::stage(&format!("{kind} {version}"));
            let got = call::call(&kernel, call, real);
            if let Some((what, detail)) = differ(&call.outcome, &got, &call.args) {
                let runtime = if real { "real runtime" } else { "guarded runtime" };
                let detail = format!("{version}, {runtime}: {detail}\nargs: {:?}", call.args);
                return Err(Failure::new(format!("{kind} {what}"), detail));
            }
        }
    }
    Ok(())
}
