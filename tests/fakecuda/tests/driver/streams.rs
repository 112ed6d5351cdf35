//! Streams and events: what is ordered, and that what is not shows.

use crate::support::*;
use cudarc::driver::result::stream::{self, StreamKind};
use cudarc::driver::{result, sys};
use pydd_test_support::scenario::Scenario;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario::new("an_event_orders_streams", ordered),
        Scenario::new("without_an_event_the_order_is_open", unordered),
        Scenario::new("pinned_memory_is_read_late", pinned_late),
        Scenario::new("pageable_memory_is_read_at_once", pageable),
        Scenario::new("pageable_memory_is_read_late_if_asked", pageable_late)
            .with(&[("FAKECUDA_PAGEABLE", "late")]),
        Scenario::new("the_default_stream_waits_for_blocking_ones", default_stream),
        Scenario::new("events_have_times", times),
        Scenario::new("host_functions", host_functions),
    ]
}

fn new_stream() -> sys::CUstream {
    stream::create(StreamKind::NonBlocking).unwrap()
}

/// Fills in one stream and copies in another, many times; whether all copies were of what was filled.
fn producer_and_consumer(with_event: bool) -> bool {
    context(0);
    let (first, second) = (new_stream(), new_stream());
    let event = result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING).unwrap();
    (1..=20u8).all(|round| {
        let (a, b) = (upload(&[0u8; 16]), upload(&[0u8; 16]));
        // SAFETY: sixteen bytes each; streams and events are there.
        unsafe {
            result::memset_d8_async(a, round, 16, first).unwrap();
            if with_event {
                result::event::record(event, first).unwrap();
                stream::wait_event(second, event, sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT).unwrap();
            }
            result::memcpy_dtod_async(b, a, 16, second).unwrap();
            stream::synchronize(second).unwrap();
            stream::synchronize(first).unwrap();
        }
        download::<u8>(b, 16).unwrap() == [round; 16]
    })
}

fn ordered() {
    assert!(producer_and_consumer(true));
}

fn unordered() {
    assert!(!producer_and_consumer(false));
}

/// Changes the source after the copy was issued; what the device got.
fn overwritten_source(source: &mut [u8]) -> Vec<u8> {
    let stream = new_stream();
    let memory = upload(&[0u8; 4]);
    source.fill(1);
    // SAFETY: four bytes; the source lives until the copy is done.
    unsafe { result::memcpy_htod_async(memory, source, stream) }.unwrap();
    source.fill(2);
    // SAFETY: the stream is there.
    unsafe { stream::synchronize(stream) }.unwrap();
    download(memory, 4).unwrap()
}

fn pinned_late() {
    context(0);
    // SAFETY: four bytes that nobody else has.
    let pinned =
        unsafe { std::slice::from_raw_parts_mut(result::malloc_host(4, 0).unwrap().cast::<u8>(), 4) };
    assert_eq!(overwritten_source(pinned), [2; 4]);
    // The host's copy of a result is old until it waits.
    let (stream, memory) = (new_stream(), upload(&[9u8; 4]));
    // SAFETY: four bytes each.
    unsafe {
        result::memcpy_dtoh_async(pinned, memory, stream).unwrap();
        assert_eq!(pinned, [2; 4]);
        stream::synchronize(stream).unwrap();
    }
    assert_eq!(pinned, [9; 4]);
}

fn pageable() {
    context(0);
    assert_eq!(overwritten_source(&mut [0; 4]), [1; 4]);
}

fn pageable_late() {
    context(0);
    assert_eq!(overwritten_source(&mut [0; 4]), [2; 4]);
}

fn default_stream() {
    context(0);
    let blocking = stream::create(StreamKind::Default).unwrap();
    for round in 1..=20u8 {
        let (a, b) = (upload(&[0u8; 4]), upload(&[0u8; 4]));
        // SAFETY: four bytes each.
        unsafe {
            result::memset_d8_async(a, round, 4, blocking).unwrap();
            result::memcpy_dtod_sync(b, a, 4).unwrap();
            result::memset_d8_async(b, round + 100, 2, blocking).unwrap();
            stream::synchronize(blocking).unwrap();
        }
        assert_eq!(download::<u8>(b, 4).unwrap(), [round + 100, round + 100, round, round]);
    }
}

fn times() {
    context(0);
    let stream = new_stream();
    let event = || result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).unwrap();
    let (start, end) = (event(), event());
    let kernel = function(load(KERNELS).unwrap(), "collatz");
    let (steps, n) = (upload(&[0u32; 500]), 500i64);
    // SAFETY: events and the stream are there.
    unsafe {
        result::event::record(start, stream).unwrap();
        launch_on(stream, kernel, 4, 128, 0, &mut [parameter(&steps), parameter(&n)]).unwrap();
        result::event::record(end, stream).unwrap();
        assert_eq!(code(result::event::elapsed(start, end)), Code::CUDA_ERROR_NOT_READY);
        // Polling makes progress, too.
        while code(result::event::query(end)) == Code::CUDA_ERROR_NOT_READY {}
        assert!(result::event::elapsed(start, end).unwrap() > 0.0);
    }
}

fn host_functions() {
    extern "C" fn add(data: *mut std::ffi::c_void) {
        // SAFETY: the test passes a counter that lives until it has waited.
        unsafe { *data.cast::<u32>() += 1 };
    }
    context(0);
    let stream = new_stream();
    let mut count = 0u32;
    for _ in 0..3 {
        // SAFETY: see `add`.
        unsafe { sys::cuLaunchHostFunc(stream, Some(unsafe_function(add)), (&raw mut count).cast()) }
            .result()
            .unwrap();
    }
    assert_eq!(count, 0);
    // SAFETY: the stream is there.
    unsafe { stream::synchronize(stream) }.unwrap();
    assert_eq!(count, 3);
}

fn unsafe_function(f: extern "C" fn(*mut std::ffi::c_void)) -> unsafe extern "C" fn(*mut std::ffi::c_void) {
    f
}
