//! Events.

use super::driver_functions;
use super::error::{Error, INVALID_HANDLE, INVALID_VALUE, NOT_READY, fail};
use super::pointer::Out;
use super::queue::Work;
use super::state::{Driver, Event, Handle};

const DISABLE_TIMING: u32 = 2;

fn record(driver: &mut Driver, event: Handle, stream: Handle) -> Result<(), Error> {
    let stream = driver.stream(stream)?;
    if !driver.events.contains_key(&event) {
        return fail(INVALID_HANDLE);
    }
    let number = driver.issue(stream, Work::Record(event), Vec::new());
    let event = driver.events.get_mut(&event).expect("just looked up");
    (event.recorded, event.time) = (Some((stream, number)), None);
    Ok(())
}

fn found(driver: &mut Driver, event: Handle) -> Result<&Event, Error> {
    let Some(context) = driver.events.get(&event).map(|e| e.context) else { return fail(INVALID_HANDLE) };
    driver.usable(context)?;
    Ok(&driver.events[&event])
}

fn is_done(driver: &mut Driver, event: Handle) -> Result<bool, Error> {
    let recorded = found(driver, event)?.recorded;
    Ok(recorded.is_none_or(|(stream, number)| driver.has_done(stream, number)))
}

fn elapsed(driver: &mut Driver, milliseconds: Out<f32>, start: Handle, end: Handle) -> Result<(), Error> {
    if !is_done(driver, start)? || !is_done(driver, end)? {
        return fail(NOT_READY);
    }
    let (start, end) = (&driver.events[&start], &driver.events[&end]);
    match (start.time, end.time, start.timing && end.timing) {
        (Some(from), Some(to), true) => {
            let seconds = to.checked_duration_since(from).map_or(0.0, |d| d.as_secs_f32());
            milliseconds.set(1000.0 * seconds)
        }
        _ => fail(INVALID_HANDLE),
    }
}

driver_functions! {
    fn cuEventCreate(event: Out<Handle>, flags: u32) |driver| {
        let context = driver.current()?;
        if flags > 7 {
            return fail(INVALID_VALUE);
        }
        let handle = driver.handle();
        let timing = flags & DISABLE_TIMING == 0;
        driver.events.insert(handle, Event { context, timing, recorded: None, time: None });
        event.set(handle)
    }

    fn cuEventDestroy_v2(event: Handle) |driver| {
        if driver.events.remove(&event).is_some() { Ok(()) } else { fail(INVALID_HANDLE) }
    }

    fn cuEventRecord(event: Handle, stream: Handle) |driver| { record(driver, event, stream) }

    fn cuEventRecordWithFlags(event: Handle, stream: Handle, _flags: u32) |driver| { record(driver, event, stream) }

    fn cuEventQuery(event: Handle) |driver| {
        driver.progress();
        if is_done(driver, event)? { Ok(()) } else { fail(NOT_READY) }
    }

    fn cuEventSynchronize(event: Handle) |driver| {
        let recorded = found(driver, event)?.recorded;
        Ok(recorded.into_iter().collect::<Vec<_>>())
    }

    fn cuEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) |driver| {
        elapsed(driver, milliseconds, start, end)
    }

    fn cuEventElapsedTime_v2(milliseconds: Out<f32>, start: Handle, end: Handle) |driver| {
        elapsed(driver, milliseconds, start, end)
    }
}
