//! Copies and fills.

use super::error::{Error, INVALID_VALUE, fail, fail_with};
use super::pointer::Host;
use super::queue::Work;
use super::state::{Driver, Handle};
use super::{Targets, driver_functions};

/// Whether the host waits for a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Wait,
    Issue,
}

/// A stream's memory is checked when the copy is issued, as the real driver does it, and again when it runs.
fn check(driver: &Driver, address: u64, bytes: u64) -> Result<(), Error> {
    match driver.memory.allocation(address) {
        Some((start, found)) if bytes <= found.size - (address - start) => Ok(()),
        Some((start, found)) => fail_with(
            INVALID_VALUE,
            format!("{bytes} bytes at byte {} of an allocation of {} bytes", address - start, found.size),
        ),
        None => fail_with(INVALID_VALUE, format!("{address:#x} is no address in an allocation of a device")),
    }
}

fn issue(driver: &mut Driver, stream: Handle, work: Work, way: Way) -> Targets {
    let number = driver.issue(stream, work, Vec::new());
    if way == Way::Wait { vec![(stream, number)] } else { Vec::new() }
}

fn log(driver: &mut Driver, what: &str, bytes: usize, stream: Handle) {
    let device = driver.device_of(driver.streams[&stream].context);
    driver.log(&format!("copy {what} bytes {bytes} device {device} stream {stream:#x}"));
}

/// Pageable memory: CUDA's documentation promises that an asynchronous copy has read it, or filled it, when the call returns.
/// `FAKECUDA_PAGEABLE=late` does not, for programs that mean to pin all they copy.
fn is_late(driver: &Driver, host: Host, bytes: usize) -> bool {
    driver.settings.pageable_late || driver.is_pinned(host.address(), bytes)
}

fn upload(
    driver: &mut Driver,
    to: u64,
    from: Host,
    bytes: usize,
    stream: Handle,
    way: Way,
) -> Result<Targets, Error> {
    let stream = driver.stream(stream)?;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    if from.address() == 0 {
        return fail(INVALID_VALUE);
    }
    check(driver, to, bytes as u64)?;
    log(driver, "host-to-device", bytes, stream);
    let work = if way == Way::Wait || is_late(driver, from, bytes) {
        Work::Upload { from, to, bytes: bytes as u64 }
    } else {
        let mut staged = vec![0; bytes];
        from.read(&mut staged);
        Work::UploadStaged { from: staged, to }
    };
    Ok(issue(driver, stream, work, way))
}

fn download(
    driver: &mut Driver,
    to: Host,
    from: u64,
    bytes: usize,
    stream: Handle,
    way: Way,
) -> Result<Targets, Error> {
    let stream = driver.stream(stream)?;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    if to.address() == 0 {
        return fail(INVALID_VALUE);
    }
    check(driver, from, bytes as u64)?;
    log(driver, "device-to-host", bytes, stream);
    let way = if is_late(driver, to, bytes) { way } else { Way::Wait };
    Ok(issue(driver, stream, Work::Download { from, to, bytes: bytes as u64 }, way))
}

fn between(driver: &mut Driver, to: u64, from: u64, bytes: usize, stream: Handle) -> Result<(), Error> {
    let stream = driver.stream(stream)?;
    if bytes == 0 {
        return Ok(());
    }
    check(driver, to, bytes as u64)?;
    check(driver, from, bytes as u64)?;
    let device = |a| driver.memory.allocation(a).map(|(_, found)| found.device);
    let what = if device(to) == device(from) { "device-to-device" } else { "peer-to-peer" };
    log(driver, what, bytes, stream);
    driver.issue(stream, Work::Copy { from, to, bytes: bytes as u64 }, Vec::new());
    Ok(())
}

fn any(
    driver: &mut Driver,
    to: u64,
    from: u64,
    bytes: usize,
    stream: Handle,
    way: Way,
) -> Result<Targets, Error> {
    let host = |address: u64| Host(address as usize as *mut _);
    match (driver.memory.allocation(to).is_some(), driver.memory.allocation(from).is_some()) {
        (true, false) => upload(driver, to, host(from), bytes, stream, way),
        (false, true) => download(driver, host(to), from, bytes, stream, way),
        _ => between(driver, to, from, bytes, stream).map(|()| Vec::new()),
    }
}

/// A fill returns at once even without a stream: the device does it.
fn fill(driver: &mut Driver, to: u64, pattern: &[u8], count: usize, stream: Handle) -> Result<(), Error> {
    let stream = driver.stream(stream)?;
    if count == 0 {
        return Ok(());
    }
    let Some(bytes) = count.checked_mul(pattern.len()) else { return fail(INVALID_VALUE) };
    check(driver, to, bytes as u64)?;
    if !to.is_multiple_of(pattern.len() as u64) {
        return fail(INVALID_VALUE);
    }
    let device = driver.device_of(driver.streams[&stream].context);
    driver.log(&format!("fill bytes {bytes} device {device} stream {stream:#x}"));
    driver.issue(stream, Work::Fill { to, pattern: pattern.to_vec(), count: count as u64 }, Vec::new());
    Ok(())
}

driver_functions! {
    fn cuMemcpyHtoD_v2(to: u64, from: Host, bytes: usize) |driver| { upload(driver, to, from, bytes, 0, Way::Wait) }

    fn cuMemcpyHtoDAsync_v2(to: u64, from: Host, bytes: usize, stream: Handle) |driver| {
        upload(driver, to, from, bytes, stream, Way::Issue)
    }

    fn cuMemcpyDtoH_v2(to: Host, from: u64, bytes: usize) |driver| { download(driver, to, from, bytes, 0, Way::Wait) }

    fn cuMemcpyDtoHAsync_v2(to: Host, from: u64, bytes: usize, stream: Handle) |driver| {
        download(driver, to, from, bytes, stream, Way::Issue)
    }

    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) |driver| { between(driver, to, from, bytes, 0) }

    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) |driver| {
        between(driver, to, from, bytes, stream)
    }

    fn cuMemcpyPeer(to: u64, _to_context: Handle, from: u64, _from_context: Handle, bytes: usize) |driver| {
        between(driver, to, from, bytes, 0)
    }

    fn cuMemcpyPeerAsync(
        to: u64, _to_context: Handle, from: u64, _from_context: Handle, bytes: usize, stream: Handle
    ) |driver| { between(driver, to, from, bytes, stream) }

    fn cuMemcpy(to: u64, from: u64, bytes: usize) |driver| { any(driver, to, from, bytes, 0, Way::Wait) }

    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: Handle) |driver| {
        any(driver, to, from, bytes, stream, Way::Issue)
    }

    fn cuMemsetD8_v2(to: u64, value: u8, count: usize) |driver| { fill(driver, to, &[value], count, 0) }

    fn cuMemsetD16_v2(to: u64, value: u16, count: usize) |driver| { fill(driver, to, &value.to_le_bytes(), count, 0) }

    fn cuMemsetD32_v2(to: u64, value: u32, count: usize) |driver| { fill(driver, to, &value.to_le_bytes(), count, 0) }

    fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) |driver| {
        fill(driver, to, &[value], count, stream)
    }

    fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) |driver| {
        fill(driver, to, &value.to_le_bytes(), count, stream)
    }

    fn cuMemsetD32Async(to: u64, value: u32, count: usize, stream: Handle) |driver| {
        fill(driver, to, &value.to_le_bytes(), count, stream)
    }
}
