//! Allocation, limits, copies and what is found at the end.

use crate::support::*;
use cudarc::driver::{result, sys};
use pydd_test_support::scenario::Scenario;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario::new("fresh_memory_is_poisoned", poison),
        Scenario::new("out_of_memory", out_of_memory).with(&[("FAKECUDA_MEMORY", "1000000")]),
        Scenario::new("freed_in_a_stream_is_there_again", stream_ordered)
            .with(&[("FAKECUDA_MEMORY", "1000000")]),
        Scenario::new("the_third_allocation_fails", third_allocation).with(&[("FAKECUDA_FAIL", "oom@3")]),
        Scenario::new("the_device_is_lost", lost).with(&[("FAKECUDA_FAIL", "lost@4")]),
        Scenario::new("missing_free", leak)
            .with(LEAKS)
            .exiting(86)
            .saying("1 allocations of a device, 40 bytes"),
        Scenario::new("missing_free_before_the_context_ends", leak_in_context)
            .with(LEAKS)
            .exiting(86)
            .saying("left to the end of their context"),
        Scenario::new("nothing_missing", no_leak).with(LEAKS),
        Scenario::new("a_host_that_follows_a_device_pointer_crashes", host_follows),
        Scenario::new("two_devices", two_devices).with(&[("FAKECUDA_DEVICES", "2")]),
        Scenario::new("no_device", no_device).with(&[("FAKECUDA_DEVICES", "0")]),
        Scenario::new("fills", fills),
        Scenario::new("log", log),
    ]
}

const LEAKS: &[(&str, &str)] = &[("FAKECUDA_LEAKS", "1")];

fn poison() {
    context(0);
    // SAFETY: freed at the end of the process.
    let memory = unsafe { result::malloc_sync(64) }.unwrap();
    assert!(download::<f64>(memory, 8).unwrap().into_iter().all(f64::is_nan));
    assert!(download::<f32>(memory, 16).unwrap().into_iter().all(f32::is_nan));
}

fn out_of_memory() {
    context(0);
    // SAFETY: what is allocated is freed once.
    unsafe {
        let half = result::malloc_sync(600_000).unwrap();
        assert_eq!(code(result::malloc_sync(600_000)), Code::CUDA_ERROR_OUT_OF_MEMORY);
        let (left, total) = result::mem_get_info().unwrap();
        assert!(total == 1_000_000 && left < 400_000);
        result::free_sync(half).unwrap();
        result::malloc_sync(600_000).unwrap();
    }
}

fn stream_ordered() {
    context(0);
    // SAFETY: what is allocated is freed once.
    unsafe {
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking).unwrap();
        for _ in 0..3 {
            let memory = result::malloc_async(stream, 600_000).unwrap();
            result::memset_d8_async(memory, 1, 600_000, stream).unwrap();
            result::free_async(memory, stream).unwrap();
        }
        result::stream::synchronize(stream).unwrap();
    }
}

fn third_allocation() {
    context(0);
    let codes: Vec<_> = (0..4)
        // SAFETY: freed at the end of the process.
        .map(|_| code(unsafe { result::malloc_sync(4) }))
        .collect();
    assert_eq!(codes[2], Code::CUDA_ERROR_OUT_OF_MEMORY);
    assert!(codes[0] == Code::CUDA_SUCCESS && codes[3] == Code::CUDA_SUCCESS);
}

fn lost() {
    context(0);
    let codes: Vec<_> = (0..6).map(|_| code(synchronize())).collect();
    assert_eq!(codes[2], Code::CUDA_SUCCESS);
    assert!(codes[3..].iter().all(|c| *c == Code::CUDA_ERROR_UNKNOWN), "{codes:?}");
}

fn leak() {
    context(0);
    upload(&[0u64; 5]);
}

fn leak_in_context() {
    context(0);
    upload(&[0u64; 5]);
    // SAFETY: retained once.
    unsafe { result::primary_ctx::release(result::device::get(0).unwrap()) }.unwrap();
}

fn no_leak() {
    context(0);
    free(upload(&[0u64; 5]));
    // SAFETY: freed as it was allocated.
    unsafe {
        let pinned = result::malloc_host(100, 0).unwrap();
        result::free_host(pinned).unwrap();
    }
    load(COOPERATION).unwrap();
}

fn host_follows() {
    context(0);
    let memory = upload(&[1u8]);
    let child = std::thread::spawn(move || {
        // SAFETY: forks only to see the child crash; nothing else happens there.
        unsafe {
            let pid = libc::fork();
            if pid == 0 {
                std::ptr::read_volatile(memory as *const u8);
                libc::_exit(0);
            }
            let mut status = 0;
            libc::waitpid(pid, &mut status, 0);
            libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGSEGV
        }
    });
    assert!(child.join().unwrap(), "a device's address could be read");
}

fn two_devices() {
    assert_eq!(
        {
            result::init().unwrap();
            result::device::get_count().unwrap()
        },
        2
    );
    let first = context(0);
    let a = upload(&[1u32, 2, 3]);
    let second = context(1);
    let b = upload(&[0u32; 3]);
    // SAFETY: both have twelve bytes.
    unsafe {
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking).unwrap();
        sys::cuMemcpyPeerAsync(b, second, a, first, 12, stream).result().unwrap();
        result::stream::synchronize(stream).unwrap();
    }
    assert_eq!(download::<u32>(b, 3).unwrap(), [1, 2, 3]);
    // A kernel needs more: access to the other's memory.
    let store = function(load(COOPERATION).unwrap(), "store");
    let (offset, value) = (0u64, 9u32);
    // SAFETY: the context is there.
    unsafe { sys::cuCtxEnablePeerAccess(first, 0) }.result().unwrap();
    run(store, 1, 1, &mut [parameter(&a), parameter(&offset), parameter(&value)]).unwrap();
    // SAFETY: as above.
    unsafe { sys::cuCtxDisablePeerAccess(first) }.result().unwrap();
    let refused = run(store, 1, 1, &mut [parameter(&a), parameter(&offset), parameter(&value)]);
    assert_eq!(code(refused), Code::CUDA_ERROR_ILLEGAL_ADDRESS);
    context(0);
    assert_eq!(download::<u32>(a, 1).unwrap(), [9]);
}

fn no_device() {
    assert_eq!(code(result::init()), Code::CUDA_ERROR_NO_DEVICE);
}

fn fills() {
    context(0);
    let memory = upload(&[0u32; 4]);
    // SAFETY: within sixteen bytes.
    unsafe {
        sys::cuMemsetD32_v2(memory, 0x0102_0304, 3).result().unwrap();
        sys::cuMemsetD16_v2(memory, 0xabcd, 2).result().unwrap();
        sys::cuMemsetD8_v2(memory + 15, 7, 1).result().unwrap();
        let outside = sys::cuMemsetD32_v2(memory, 0, 5).result();
        assert_eq!(code(outside), Code::CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!(download::<u32>(memory, 4).unwrap(), [0xabcd_abcd, 0x0102_0304, 0x0102_0304, 0x0700_0000]);
}

fn log() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // SAFETY: no other thread is there yet.
    unsafe { std::env::set_var("FAKECUDA_LOG", file.path()) };
    context(0);
    let memory = upload(&[0u8; 100]);
    let store = function(load(COOPERATION).unwrap(), "store");
    let (offset, value) = (0u64, 9u32);
    run(store, 2, 3, &mut [parameter(&memory), parameter(&offset), parameter(&value)]).unwrap();
    download::<u8>(memory, 10).unwrap();
    let text = std::fs::read_to_string(file.path()).unwrap();
    let lines: Vec<&str> = text.lines().map(|l| l.split(" stream").next().unwrap()).collect();
    assert_eq!(
        lines,
        [
            "copy host-to-device bytes 100 device 0",
            "launch store grid 2 1 1 block 3 1 1 shared 0 device 0",
            "copy device-to-host bytes 10 device 0"
        ]
    );
}
