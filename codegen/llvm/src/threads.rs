//! LLVM modules finished side by side.

use inkwell::module::Module as LlvmModule;
use inkwell::targets::TargetMachine;
use pydd_codegen::{CodegenError, CodegenOptions};
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A lowered unit, how it is compiled, and its options.
pub type Lowered<'c> = (LlvmModule<'c>, TargetMachine, CodegenOptions);

/// A unit on its way to another thread.
struct Moved<'c>(Lowered<'c>);

// SAFETY: a unit and its context are used by one thread at a time: they are moved once, no two units share a
// context, and who made them waits until they are gone.
unsafe impl Send for Moved<'_> {}

/// `finish` of each unit, in the units' order; of several errors the first unit's.
pub fn map<R: Send>(
    units: Vec<Lowered<'_>>,
    finish: impl Fn(Lowered<'_>) -> Result<R, CodegenError> + Sync,
) -> Result<Vec<R>, CodegenError> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(units.len());
    let mut results: Vec<Option<Result<R, CodegenError>>> = units.iter().map(|_| None).collect();
    let units: Vec<Moved<'_>> = units.into_iter().map(Moved).collect();
    let waiting = Mutex::new(units.into_iter().enumerate());
    let work = || {
        let mut done = Vec::new();
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((i, unit)) = next else { return done };
            done.push((i, finish(unit.taken())));
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        for (i, result) in done {
            results[i] = Some(result);
        }
    });
    results.into_iter().flatten().collect()
}

impl<'c> Moved<'c> {
    fn taken(self) -> Lowered<'c> {
        self.0
    }
}
