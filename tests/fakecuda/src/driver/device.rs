//! `cuInit`, devices and their properties.

use super::error::{Error, INVALID_DEVICE, INVALID_VALUE, NO_DEVICE, fail};
use super::pointer::{Out, write_string};
use super::settings::Settings;
use super::state::Driver;
use super::{call, driver_functions, exit};
use crate::decode::STATIC_SHARED;
use std::ffi::c_char;

#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuInit(flags: u32) -> u32 {
    call("cuInit", |state| {
        if flags != 0 {
            return fail(INVALID_VALUE);
        }
        if state.is_none() {
            let settings = Settings::read();
            if settings.devices == 0 {
                return fail(NO_DEVICE);
            }
            if settings.leaks {
                exit::report_leaks_at_exit();
            }
            *state = Some(Driver::new(settings));
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuDriverGetVersion(version: Out<i32>) -> u32 {
    call("cuDriverGetVersion", |state| {
        let known = state.as_ref().map(|d| d.settings.driver);
        version.set(known.unwrap_or_else(|| Settings::read().driver) as i32)
    })
}

pub fn checked(driver: &Driver, device: i32) -> Result<usize, Error> {
    match usize::try_from(device) {
        Ok(n) if n < driver.devices.len() => Ok(n),
        _ => fail(INVALID_DEVICE),
    }
}

pub const MOST_THREADS: u32 = 1024;
pub const THREADS_PER_PROCESSOR: u32 = 2048;
/// Shared memory of a block that asks for more than the static limit.
pub const MOST_SHARED: u32 = 227 << 10;
pub const SHARED_PER_PROCESSOR: u32 = 228 << 10;
const PROCESSORS: i32 = 16;

/// By CUdevice_attribute; those of an H100, but with few processors.
fn attribute(driver: &Driver, attribute: u32) -> i32 {
    match attribute {
        1..=3 => MOST_THREADS as i32,
        4 => 64,
        5 => i32::MAX,
        6 | 7 => 65535,
        8 => STATIC_SHARED as i32,
        9 => 65536,
        10 => 32,
        12 | 82 => 65536,
        13 => 1_000_000,
        14 => 512,
        15 => 1,
        16 => PROCESSORS,
        // Mapping host memory is left out: a kernel that uses a host's address fails.
        19 => 0,
        31 => 1,
        36 => 1_000_000,
        37 => 1024,
        38 => 4 << 20,
        39 => THREADS_PER_PROCESSOR as i32,
        40 => 2,
        41 => 1,
        75 => (driver.settings.level / 10) as i32,
        76 => (driver.settings.level % 10) as i32,
        78..=80 => 1,
        81 => SHARED_PER_PROCESSOR as i32,
        95 => 1,
        97 => MOST_SHARED as i32,
        106 => 32,
        111 => 1024,
        115 => 1,
        _ => 0,
    }
}

driver_functions! {
    fn cuDeviceGetCount(count: Out<i32>) |driver| { count.set(driver.devices.len() as i32) }

    fn cuDeviceGet(device: Out<i32>, ordinal: i32) |driver| {
        checked(driver, ordinal)?;
        device.set(ordinal)
    }

    fn cuDeviceGetName(name: *mut c_char, length: i32, device: i32) |driver| {
        let device = checked(driver, device)?;
        write_string(name, length.max(0) as usize, &format!("fakecuda device {device}"));
        Ok(())
    }

    fn cuDeviceGetAttribute(value: Out<i32>, which: u32, device: i32) |driver| {
        checked(driver, device)?;
        value.set(attribute(driver, which))
    }

    fn cuDeviceComputeCapability(major: Out<i32>, minor: Out<i32>, device: i32) |driver| {
        checked(driver, device)?;
        major.set((driver.settings.level / 10) as i32)?;
        minor.set((driver.settings.level % 10) as i32)
    }

    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: i32) |driver| {
        checked(driver, device)?;
        bytes.set(driver.memory.capacity() as usize)
    }

    fn cuDeviceGetUuid(uuid: Out<[u8; 16]>, device: i32) |driver| {
        let device = checked(driver, device)?;
        uuid.set(unique(device))
    }

    fn cuDeviceGetUuid_v2(uuid: Out<[u8; 16]>, device: i32) |driver| {
        let device = checked(driver, device)?;
        uuid.set(unique(device))
    }

    fn cuDeviceGetPCIBusId(text: *mut c_char, length: i32, device: i32) |driver| {
        let device = checked(driver, device)?;
        write_string(text, length.max(0) as usize, &format!("0000:{:02x}:00.0", device + 1));
        Ok(())
    }

    fn cuDeviceCanAccessPeer(can: Out<i32>, device: i32, peer: i32) |driver| {
        can.set((checked(driver, device)? != checked(driver, peer)?).into())
    }

    fn cuDeviceGetP2PAttribute(value: Out<i32>, which: u32, from: i32, to: i32) |driver| {
        let apart = checked(driver, from)? != checked(driver, to)?;
        // Performance rank, access, native atomics, arrays.
        value.set((apart && matches!(which, 2 | 3)).into())
    }
}

fn unique(device: usize) -> [u8; 16] {
    let mut uuid = *b"fakecuda device ";
    uuid[15] = device as u8;
    uuid
}
