//! Kernels, made of their text once for a process.
//!
//! Unsafe here: descriptions of loops are read through their pointers. They are constants of a loaded module, which stays.

use crate::device::Device;
use crate::driver::{self, Error, Function, Module};
use crate::say::{self, Once};
use pydd_abi::device::{BLOCK, DeviceCode, DeviceLoop};
use std::collections::BTreeMap;
use std::ffi::CStr;

/// A loop's kernel.
#[derive(Clone, Copy)]
pub struct Kernel {
    pub function: Function,
    /// Blocks of it that the device runs at a time.
    pub resident: u32,
}

/// What was loaded so far, by the addresses of descriptions.
#[derive(Default)]
pub struct Codes {
    modules: BTreeMap<usize, Option<Module>>,
    kernels: BTreeMap<usize, Option<Kernel>>,
}

impl Codes {
    /// A loop's kernel; none where the device does not take its code.
    ///
    /// # Errors
    /// Of the driver, in what has nothing to do with the code.
    ///
    /// # Safety
    /// A description that lives for ever; the device's context is the current one.
    pub unsafe fn kernel(
        &mut self,
        device: &Device,
        device_loop: &DeviceLoop,
    ) -> Result<Option<Kernel>, Error> {
        let key = std::ptr::from_ref(device_loop) as usize;
        if let Some(&known) = self.kernels.get(&key) {
            return Ok(known);
        }
        // SAFETY: by the caller's promise.
        let kernel = match unsafe { self.module(device, device_loop)? } {
            Some(module) => {
                // SAFETY: a C string of the description.
                let name = unsafe { CStr::from_ptr(device_loop.kernel) };
                refused(find(device, module, name), device)?
            }
            None => None,
        };
        self.kernels.insert(key, kernel);
        Ok(kernel)
    }

    unsafe fn module(&mut self, device: &Device, device_loop: &DeviceLoop) -> Result<Option<Module>, Error> {
        let key = device_loop.codes as usize;
        if let Some(&known) = self.modules.get(&key) {
            return Ok(known);
        }
        // SAFETY: by the caller's promise.
        let codes: &[DeviceCode] = unsafe { items(device_loop.codes, device_loop.n_codes) };
        let module = match codes.iter().find(|code| code.level <= device.properties.level) {
            // SAFETY: a C string of the description.
            Some(code) => refused(unsafe { driver::load(code.ptx) }, device)?,
            None => {
                let (name, level) = (&device.properties.name, device.properties.level);
                let least = codes.last().map_or(0, |code| code.level);
                say::once(
                    Once::Code,
                    format_args!(
                        "{name} has compute capability {}.{}, and there is code from {}.{} on; such loops run on the processor",
                        level / 10,
                        level % 10,
                        least / 10,
                        least % 10
                    ),
                );
                None
            }
        };
        self.modules.insert(key, module);
        Ok(module)
    }
}

fn find(device: &Device, module: Module, name: &CStr) -> Result<Kernel, Error> {
    let function = module.function(name)?;
    let blocks = function.resident_blocks(BLOCK)?.max(1);
    Ok(Kernel { function, resident: blocks.saturating_mul(device.properties.processors.max(1)) })
}

/// None, said once, where the code is refused.
fn refused<T>(answer: Result<T, Error>, device: &Device) -> Result<Option<T>, Error> {
    match answer {
        Ok(made) => Ok(Some(made)),
        Err(error) if error.is_refusal() => {
            let name = &device.properties.name;
            let advice = if error.is_newer_code() { ": its driver is older than the code" } else { "" };
            say::once(
                Once::Code,
                format_args!(
                    "{name} does not take a kernel ({error}{advice}); such loops run on the processor"
                ),
            );
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Items of a description.
///
/// # Safety
/// They live for ever.
pub unsafe fn items<T>(pointer: *const T, n: u32) -> &'static [T] {
    if n == 0 {
        return &[];
    }
    // SAFETY: by the caller's promise.
    unsafe { std::slice::from_raw_parts(pointer, n as usize) }
}
