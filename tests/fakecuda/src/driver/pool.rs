//! Pools of memory: they exist, but all memory comes from the device.

use super::device::checked;
use super::driver_functions;
use super::error::{Error, INVALID_HANDLE, fail};
use super::memory::allocate_in_stream;
use super::pointer::{In, Out};
use super::state::{Driver, Handle};

/// A device's own pool is its number, one up.
fn check(driver: &Driver, pool: Handle) -> Result<(), Error> {
    let default = (1..=driver.devices.len() as u64).contains(&pool);
    if default || driver.pools.contains_key(&pool) { Ok(()) } else { fail(INVALID_HANDLE) }
}

driver_functions! {
    fn cuDeviceGetDefaultMemPool(pool: Out<Handle>, device: i32) |driver| {
        pool.set(checked(driver, device)? as u64 + 1)
    }

    fn cuDeviceGetMemPool(pool: Out<Handle>, device: i32) |driver| { pool.set(checked(driver, device)? as u64 + 1) }

    fn cuDeviceSetMemPool(device: i32, pool: Handle) |driver| {
        checked(driver, device)?;
        check(driver, pool)
    }

    /// The properties say the device, which the stream of an allocation says as well.
    fn cuMemPoolCreate(pool: Out<Handle>, _properties: In<u8>) |driver| {
        let handle = driver.handle();
        driver.pools.insert(handle, 0);
        pool.set(handle)
    }

    fn cuMemPoolDestroy(pool: Handle) |driver| {
        if driver.pools.remove(&pool).is_some() { Ok(()) } else { fail(INVALID_HANDLE) }
    }

    fn cuMemPoolTrimTo(pool: Handle, _bytes: usize) |driver| { check(driver, pool) }

    fn cuMemPoolSetAttribute(pool: Handle, _attribute: u32, _value: In<u8>) |driver| { check(driver, pool) }

    /// The first three are flags of 32 bits, the others sizes.
    fn cuMemPoolGetAttribute(pool: Handle, attribute: u32, value: Out<u64>) |driver| {
        check(driver, pool)?;
        if attribute <= 3 { value.cast::<i32>().set(1) } else { value.set(0) }
    }

    fn cuMemAllocFromPoolAsync(address: Out<u64>, bytes: usize, pool: Handle, stream: Handle) |driver| {
        check(driver, pool)?;
        allocate_in_stream(driver, address, bytes, stream)
    }
}
