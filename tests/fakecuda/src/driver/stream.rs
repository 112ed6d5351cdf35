//! Streams, and functions of the host in them.

use super::driver_functions;
use super::error::Error;
use super::error::{INVALID_HANDLE, INVALID_VALUE, NOT_READY, fail};
use super::pointer::{Host, HostFunction, Out};
use super::queue::{Stream, Work};
use super::state::{Driver, Handle};

const NON_BLOCKING: u32 = 1;

fn create(driver: &mut Driver, stream: Out<Handle>, flags: u32, priority: i32) -> Result<(), Error> {
    let context = driver.current()?;
    if flags > NON_BLOCKING {
        return fail(INVALID_VALUE);
    }
    let handle = driver.handle();
    driver.streams.insert(handle, Stream::new(context, flags == NON_BLOCKING, priority.clamp(-5, 0)));
    stream.set(handle)
}

driver_functions! {
    fn cuStreamCreate(stream: Out<Handle>, flags: u32) |driver| { create(driver, stream, flags, 0) }

    fn cuStreamCreateWithPriority(stream: Out<Handle>, flags: u32, priority: i32) |driver| {
        create(driver, stream, flags, priority)
    }

    /// Returns at once; the stream's work is still done.
    fn cuStreamDestroy_v2(stream: Handle) |driver| {
        match driver.streams.get_mut(&stream) {
            Some(found) if !found.destroyed => {
                found.destroyed = true;
                if found.is_idle() {
                    driver.streams.remove(&stream);
                }
                Ok(())
            }
            _ => fail(INVALID_HANDLE),
        }
    }

    fn cuStreamSynchronize(stream: Handle) |driver| {
        let stream = driver.stream(stream)?;
        let issued = driver.streams[&stream].issued;
        Ok(vec![(stream, issued)])
    }

    fn cuStreamQuery(stream: Handle) |driver| {
        let stream = driver.stream(stream)?;
        driver.progress();
        let context = driver.streams[&stream].context;
        driver.usable(context)?;
        if driver.streams[&stream].is_idle() { Ok(()) } else { fail(NOT_READY) }
    }

    fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: u32) |driver| {
        let stream = driver.stream(stream)?;
        let Some(event) = driver.events.get(&event) else { return fail(INVALID_HANDLE) };
        // An event that was never recorded is waited for by nobody.
        let after = event.recorded.into_iter().collect();
        driver.issue(stream, Work::Wait, after);
        Ok(())
    }

    fn cuStreamGetCtx(stream: Handle, context: Out<Handle>) |driver| {
        let stream = driver.stream(stream)?;
        context.set(driver.streams[&stream].context)
    }

    fn cuStreamGetFlags(stream: Handle, flags: Out<u32>) |driver| {
        let stream = driver.stream(stream)?;
        flags.set(driver.streams[&stream].non_blocking.into())
    }

    fn cuStreamGetPriority(stream: Handle, priority: Out<i32>) |driver| {
        let stream = driver.stream(stream)?;
        priority.set(driver.streams[&stream].priority)
    }

    fn cuStreamGetId(stream: Handle, id: Out<u64>) |driver| {
        let stream = driver.stream(stream)?;
        id.set(stream)
    }

    /// Capturing is not implemented, so no stream does it.
    fn cuStreamIsCapturing(stream: Handle, status: Out<u32>) |driver| {
        driver.stream(stream)?;
        status.set(0)
    }

    fn cuLaunchHostFunc(stream: Handle, function: Option<HostFunction>, data: Host) |driver| {
        let stream = driver.stream(stream)?;
        let Some(function) = function else { return fail(INVALID_VALUE) };
        driver.issue(stream, Work::Call(function, data), Vec::new());
        Ok(())
    }
}
