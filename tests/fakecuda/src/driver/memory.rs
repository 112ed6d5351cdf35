//! Memory of devices, and pinned memory of the host.

use super::driver_functions;
use super::error::{
    Error, HOST_MEMORY_ALREADY_REGISTERED, HOST_MEMORY_NOT_REGISTERED, INVALID_VALUE, NOT_SUPPORTED,
    OUT_OF_MEMORY, fail, fail_with,
};
use super::pointer::{Host, Out};
use super::queue::Work;
use super::state::{Driver, Handle};
use super::{Targets, call_in_two};
use crate::memory::Kind;
use std::alloc::{Layout, alloc_zeroed, dealloc};

/// Allocates in the current context. `settle` runs work whose end could free memory, before the driver gives up.
fn allocate(
    driver: &mut Driver,
    bytes: usize,
    context: Handle,
    settle: impl FnOnce(&mut Driver) -> Result<(), Error>,
) -> Result<u64, Error> {
    if bytes == 0 {
        return fail(INVALID_VALUE);
    }
    if driver.allocation_fails() {
        return fail(OUT_OF_MEMORY);
    }
    let device = driver.device_of(context);
    if let Some(address) = driver.memory.allocate(device, context, bytes as u64, Kind::User) {
        return Ok(address);
    }
    settle(driver)?;
    match driver.memory.allocate(device, context, bytes as u64, Kind::User) {
        Some(address) => Ok(address),
        None if bytes as u64 > crate::memory::LARGEST => {
            fail_with(OUT_OF_MEMORY, format!("{bytes} bytes: fakecuda gives less than 4 GiB at a time"))
        }
        None => fail(OUT_OF_MEMORY),
    }
}

pub fn allocate_in_stream(
    driver: &mut Driver,
    address: Out<u64>,
    bytes: usize,
    stream: Handle,
) -> Result<(), Error> {
    let stream = driver.stream(stream)?;
    let context = driver.streams[&stream].context;
    let found = allocate(driver, bytes, context, |driver| driver.drain(|s, _| s == stream))?;
    driver.stream_ordered.insert(found);
    address.set(found)
}

/// All that a context's streams still have to do.
pub fn whole_context(driver: &Driver, context: Handle) -> Targets {
    let all = driver.streams.iter().filter(|(_, s)| s.context == context && !s.is_idle());
    all.map(|(handle, s)| (*handle, s.issued)).collect()
}

fn layout(bytes: usize) -> Result<Layout, Error> {
    Layout::from_size_align(bytes, 4096).or_else(|_| fail(INVALID_VALUE))
}

fn pin(driver: &mut Driver, out: Out<Host>, bytes: usize) -> Result<(), Error> {
    driver.current()?;
    if bytes == 0 {
        return fail(INVALID_VALUE);
    }
    if driver.allocation_fails() {
        return fail(OUT_OF_MEMORY);
    }
    // SAFETY: the layout's size is not zero.
    let memory = unsafe { alloc_zeroed(layout(bytes)?) };
    if memory.is_null() {
        return fail(OUT_OF_MEMORY);
    }
    // SAFETY: `bytes` bytes were just allocated there, and nobody else knows them.
    driver.memory.poison().fill(unsafe { std::slice::from_raw_parts_mut(memory, bytes) });
    let host = Host(memory.cast());
    driver.pinned.insert(host.address(), (bytes, false));
    driver.memory.pinned.insert(host.address() as u64, bytes as u64);
    out.set(host)
}

driver_functions! {
    fn cuMemAlloc_v2(address: Out<u64>, bytes: usize) |driver| {
        let context = driver.current()?;
        let found = allocate(driver, bytes, context, |driver| driver.drain(|_, c| c == context))?;
        address.set(found)
    }

    fn cuMemAllocAsync(address: Out<u64>, bytes: usize, stream: Handle) |driver| {
        allocate_in_stream(driver, address, bytes, stream)
    }

    fn cuMemFreeAsync(address: u64, stream: Handle) |driver| {
        let stream = driver.stream(stream)?;
        match driver.memory.allocation(address) {
            Some((start, found)) if start == address && found.kind == Kind::User => {
                driver.issue(stream, Work::Free(address), Vec::new());
                Ok(())
            }
            _ => fail_with(INVALID_VALUE, format!("{address:#x} is not the beginning of an allocation")),
        }
    }

    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) |driver| {
        let context = driver.current()?;
        let device = driver.device_of(context);
        free.set(driver.memory.free_bytes(device) as usize)?;
        total.set(driver.memory.capacity() as usize)
    }

    fn cuMemGetAddressRange_v2(base: Out<u64>, size: Out<usize>, address: u64) |driver| {
        driver.current()?;
        match driver.memory.allocation(address) {
            Some((start, found)) => {
                base.set_if_wanted(start);
                size.set_if_wanted(found.size as usize);
                Ok(())
            }
            None => fail(INVALID_VALUE),
        }
    }

    /// Context, kind of memory, device pointer, device: what CuPy and DLPack ask for.
    fn cuPointerGetAttribute(data: Out<u64>, attribute: u32, address: u64) |driver| {
        let Some((start, found)) = driver.memory.allocation(address) else { return fail(INVALID_VALUE) };
        let (context, device, size) = (found.context, found.device, found.size);
        match attribute {
            1 => data.set(context),
            2 => data.cast::<u32>().set(2),
            3 => data.set(address),
            9 => data.cast::<u32>().set(device as u32),
            11 => data.set(start),
            12 => data.set(size),
            _ => fail(NOT_SUPPORTED),
        }
    }

    fn cuMemHostAlloc(out: Out<Host>, bytes: usize, _flags: u32) |driver| { pin(driver, out, bytes) }

    fn cuMemAllocHost_v2(out: Out<Host>, bytes: usize) |driver| { pin(driver, out, bytes) }

    fn cuMemHostRegister_v2(memory: Host, bytes: usize, _flags: u32) |driver| {
        driver.current()?;
        let (start, end) = (memory.address(), memory.address().saturating_add(bytes));
        if start == 0 || bytes == 0 {
            return fail(INVALID_VALUE);
        }
        if driver.pinned.range(..end).next_back().is_some_and(|(s, (size, _))| s + size > start) {
            return fail(HOST_MEMORY_ALREADY_REGISTERED);
        }
        driver.pinned.insert(start, (bytes, true));
        Ok(())
    }

    fn cuMemHostUnregister(memory: Host) |driver| {
        let context = driver.current()?;
        let Some((_, true)) = driver.pinned.get(&memory.address()) else { return fail(HOST_MEMORY_NOT_REGISTERED) };
        driver.pinned.remove(&memory.address());
        Ok(whole_context(driver, context))
    }

    fn cuMemHostGetFlags(flags: Out<u32>, memory: Host) |driver| {
        if driver.is_pinned(memory.address(), 1) { flags.set(0) } else { fail(INVALID_VALUE) }
    }
}

/// Waits for the device first, unless the memory is ordered by streams.
#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuMemFree_v2(address: u64) -> u32 {
    let wait = |driver: &mut Driver| {
        let context = driver.current()?;
        let ordered = driver.stream_ordered.contains(&address);
        Ok(if ordered || address == 0 { Vec::new() } else { whole_context(driver, context) })
    };
    call_in_two("cuMemFree_v2", wait, |driver| {
        driver.stream_ordered.remove(&address);
        match driver.memory.free(address) {
            Err(text) if address != 0 => fail_with(INVALID_VALUE, text),
            _ => Ok(()),
        }
    })
}

/// Copies that still use the memory are done first, as with the real driver.
#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuMemFreeHost(memory: Host) -> u32 {
    let wait = |driver: &mut Driver| {
        let context = driver.current()?;
        Ok(whole_context(driver, context))
    };
    call_in_two("cuMemFreeHost", wait, |driver| {
        let Some((bytes, false)) = driver.pinned.get(&memory.address()).copied() else {
            return fail(INVALID_VALUE);
        };
        driver.pinned.remove(&memory.address());
        driver.memory.pinned.remove(&(memory.address() as u64));
        // SAFETY: `pin` allocated it with this layout, and it is forgotten now.
        unsafe { dealloc(memory.0.cast(), layout(bytes)?) };
        Ok(())
    })
}
