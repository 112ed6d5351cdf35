//! Loop IR to objects through Cranelift: quick to compile, for `-O0` and for the first run in a notebook.
//!
//! `pydd_codegen::lower` walks the IR; here is what its core of instructions is in Cranelift (`builder`)
//! and what belongs to the object as a whole (`object`). Floats are always computed in exact source
//! order: under `--strict-fp` the results are LLVM's, bit for bit, but for the bits of NaN.
//!
//! Only this crate names cranelift.

mod builder;
mod object;
mod target;

use object::Object;
pub use object::Text;
use pydd_codegen::lower::Known;
use pydd_codegen::units;
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_ir::Module;

/// Compiles a module to an ELF object, for `pydd_link`.
///
/// # Errors
/// A program or an option that this backend does not support, or a compiler bug.
pub fn compile(module: &Module, options: &CodegenOptions) -> Result<Vec<u8>, CodegenError> {
    Ok(lower(module, options, None)?.finish()?.bytes)
}

/// The functions of a module as text.
///
/// # Errors
/// As [`compile`].
pub fn text(module: &Module, options: &CodegenOptions, text: Text) -> Result<String, CodegenError> {
    Ok(lower(module, options, Some(text))?.finish()?.listing)
}

fn lower(module: &Module, options: &CodegenOptions, text: Option<Text>) -> Result<Object, CodegenError> {
    let target = target::Target::new(options)?;
    let object = Object::new(&module.name, options, target.isa, target.required.clone(), text)?;
    let units = units::whole(module);
    let known = Known::new(module, &units, options);
    let root = builder::Ir::root(&object);
    pydd_codegen::lower::lower(&root, module, &units[0], &known, options, Some(target.required.as_slice()))?;
    Ok(object)
}
