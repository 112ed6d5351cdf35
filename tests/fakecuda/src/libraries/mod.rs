//! The functions of cuBLAS and cuFFT that are used, for tests: under their files' names a link to this library is each of them.
//!
//! They compute in double precision by the definitions, in streams as the real ones do, and refuse what their documentation does not allow.

mod blas;
mod fft;

use crate::driver::error::Error;
use crate::driver::lock;
use crate::driver::queue::Work;
use crate::driver::state::{Driver, Handle};
use crate::fault::Fault;
use crate::memory::{Kind, Memory};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a stream does for a library.
pub type Task = Box<dyn FnOnce(&mut Memory) -> Result<(), Fault>>;

/// Bytes that a handle or plan has on the device.
const WORKSPACE: u64 = 4096;

/// Status codes of a library.
struct Codes {
    no_memory: c_int,
    invalid_value: c_int,
    failed: c_int,
    /// For `refuse@N`.
    not_supported: c_int,
}

/// What a library made: by its number, the context and the stream that it is for.
type Made<T> = Mutex<BTreeMap<u64, T>>;

fn made<T>(all: &Made<T>) -> MutexGuard<'_, BTreeMap<u64, T>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a function with the driver: a code, 0 if all went well.
fn call(codes: &Codes, body: impl FnOnce(&mut Driver) -> Result<(), c_int>) -> c_int {
    let mut guard = lock();
    let Some(driver) = guard.as_mut() else { return codes.failed };
    if driver.library_refuses() {
        return codes.not_supported;
    }
    body(driver).err().unwrap_or(0)
}

fn failed<T>(codes: &Codes, result: Result<T, Error>) -> Result<T, c_int> {
    result.map_err(|_| codes.failed)
}

/// Memory of a handle or plan, which nobody calls a leak.
fn workspace(driver: &mut Driver, codes: &Codes) -> Result<u64, c_int> {
    let context = failed(codes, driver.current())?;
    let device = driver.device_of(context);
    if driver.allocation_fails() {
        return Err(codes.no_memory);
    }
    driver.memory.allocate(device, context, WORKSPACE, Kind::Variable).ok_or(codes.no_memory)
}

/// A stream of the calling thread's context.
fn stream(driver: &mut Driver, codes: &Codes, handle: Handle) -> Result<Handle, c_int> {
    failed(codes, driver.stream(handle))
}

fn issue(driver: &mut Driver, stream: Handle, name: &str, task: Task) {
    let device = driver.device_of(driver.stream_context(stream));
    driver.log(&format!("library {name} device {device} stream {stream:#x}"));
    driver.issue(stream, Work::Library(task), Vec::new());
}

/// A type of elements: of one float or two.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Element {
    is_double: bool,
    is_complex: bool,
}

impl Element {
    const fn bytes(self) -> u64 {
        (if self.is_double { 8 } else { 4 }) * (if self.is_complex { 2 } else { 1 })
    }

    fn read(self, memory: &mut Memory, base: u64, at: i64) -> Result<(f64, f64), Fault> {
        let address = base.wrapping_add((at * self.bytes() as i64) as u64);
        let bytes = memory.bytes(None, address, self.bytes())?;
        let float = |part: &[u8]| match part {
            [a, b, c, d] => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
            part => f64::from_le_bytes(part.try_into().expect("eight bytes")),
        };
        let (re, im) = bytes.split_at(if self.is_double { 8 } else { 4 });
        Ok((float(re), if self.is_complex { float(im) } else { 0.0 }))
    }

    fn write(self, memory: &mut Memory, base: u64, at: i64, (re, im): (f64, f64)) -> Result<(), Fault> {
        let address = base.wrapping_add((at * self.bytes() as i64) as u64);
        let bytes = memory.bytes(None, address, self.bytes())?;
        let floats = if self.is_complex { vec![re, im] } else { vec![re] };
        let float = |x: f64| {
            if self.is_double { x.to_le_bytes().to_vec() } else { (x as f32).to_le_bytes().to_vec() }
        };
        bytes.copy_from_slice(&floats.into_iter().flat_map(float).collect::<Vec<u8>>());
        Ok(())
    }
}

fn times((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    (a * c - b * d, a * d + b * c)
}
