//! Memory of a device, kept for later loops.
//!
//! Allocating and freeing both wait for the whole device and take up to a millisecond, so what was freed is kept by its size. Memory comes back here when
//! the stream that used it is idle; so any stream may have it next. Plain allocations and not the driver's own pool, which not every device has.

use crate::driver::{self, Error};
use crate::say;
use std::collections::BTreeMap;

/// Of a device's memory at most so much is kept: other libraries of the process want some as well.
const KEPT_FRACTION: usize = 4;
/// The smallest size that is allocated.
const LEAST: usize = 4096;

pub struct Memory {
    /// Addresses by size.
    free: BTreeMap<usize, Vec<u64>>,
    kept: usize,
    most: usize,
}

/// The device's addresses have the last bits of the host's, so that what is aligned there is here.
const ALIGNMENT: usize = 256;

/// Bytes of a buffer for memory of the host.
pub const fn room(bytes: usize) -> usize {
    bytes.saturating_add(ALIGNMENT)
}

/// Some memory of a device.
#[derive(Debug)]
pub struct Buffer {
    pub address: u64,
    /// As allocated.
    bytes: usize,
}

impl Buffer {
    /// Where the memory of the host begins that has [`room`] in it.
    pub const fn begin(&self, host: usize) -> u64 {
        self.address + (host % ALIGNMENT) as u64
    }

    /// Frees it, where it was taken for good.
    ///
    /// # Safety
    /// No stream uses it.
    pub unsafe fn free(self) {
        // SAFETY: by the caller's promise, and nobody else has it.
        let _ = unsafe { driver::free(self.address) };
    }

    /// Whether it is what is given for so many bytes.
    pub fn is_for(&self, bytes: usize) -> bool {
        rounded(bytes) == Some(self.bytes)
    }
}

/// Sizes in steps of an eighth, so that loops over arrays of nearly the same size find each other's.
fn rounded(bytes: usize) -> Option<usize> {
    let step = (bytes.max(1).checked_next_power_of_two()? / 16).max(LEAST);
    bytes.max(1).checked_next_multiple_of(step)
}

impl Memory {
    /// Of a device of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self { free: BTreeMap::new(), kept: 0, most: bytes / KEPT_FRACTION }
    }

    /// Whether some for so many bytes is kept.
    pub fn has(&self, bytes: usize) -> bool {
        rounded(bytes).and_then(|bytes| self.free.get(&bytes)).is_some_and(|kept| !kept.is_empty())
    }

    /// # Errors
    /// Of the driver.
    pub fn take(&mut self, bytes: usize) -> Result<Buffer, Error> {
        // An absurd size is the driver's to refuse.
        let bytes = rounded(bytes).unwrap_or(usize::MAX);
        if let Some(address) = self.free.get_mut(&bytes).and_then(Vec::pop) {
            self.kept -= bytes;
            return Ok(Buffer { address, bytes });
        }
        say::log(format_args!("allocation of {bytes} bytes"));
        Ok(Buffer { address: driver::allocate(bytes)?, bytes })
    }

    /// Takes back what no stream uses.
    pub fn put(&mut self, buffer: Buffer) {
        if self.kept + buffer.bytes > self.most {
            say::log(format_args!("freeing {} bytes", buffer.bytes));
            // SAFETY: allocated here, and nobody else has it.
            let _ = unsafe { driver::free(buffer.address) };
            return;
        }
        self.kept += buffer.bytes;
        self.free.entry(buffer.bytes).or_default().push(buffer.address);
    }

    /// Frees all that is kept.
    pub fn release(&mut self) {
        if self.kept > 0 {
            say::log(format_args!("freeing {} bytes that were kept", self.kept));
        }
        self.kept = 0;
        for address in std::mem::take(&mut self.free).into_values().flatten() {
            // SAFETY: as above.
            let _ = unsafe { driver::free(address) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_by_an_eighth_at_most() {
        for bytes in [0, 1, 4095, 4096, 4097, 1 << 20, (1 << 20) + 1, 3_000_000_001] {
            let rounded = rounded(bytes).unwrap();
            assert!(rounded >= bytes && rounded <= bytes + (bytes / 8).max(LEAST), "{bytes} {rounded}");
        }
        assert_eq!(rounded(usize::MAX), None);
    }
}
