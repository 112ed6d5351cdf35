//! LLVM modules on their way to other threads.

use inkwell::module::Module as LlvmModule;
use inkwell::targets::TargetMachine;
use pydd_codegen::units::Effort;
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_ir::threads;

/// A lowered unit, and how it is compiled.
pub struct Lowered<'c> {
    pub llvm: LlvmModule<'c>,
    pub machine: TargetMachine,
    pub options: CodegenOptions,
    pub effort: Effort,
    /// How much work it is, compared to others.
    pub weight: usize,
}

/// A unit on its way to another thread.
struct Moved<'c>(Lowered<'c>);

// SAFETY: a unit and its context are used by one thread at a time: they are moved once, no two units share a
// context, and who made them waits until they are gone.
unsafe impl Send for Moved<'_> {}

impl<'c> Moved<'c> {
    fn taken(self) -> Lowered<'c> {
        self.0
    }
}

/// `finish` of each unit, in the units' order; of several errors the first unit's.
pub fn map<R: Send>(
    units: Vec<Lowered<'_>>,
    finish: impl Fn(Lowered<'_>) -> Result<R, CodegenError> + Sync,
) -> Result<Vec<R>, CodegenError> {
    let units = units.into_iter().map(Moved).collect();
    threads::map(units, |unit: &Moved<'_>| unit.0.weight, |unit| finish(unit.taken())).into_iter().collect()
}
