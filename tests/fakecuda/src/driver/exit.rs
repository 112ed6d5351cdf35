//! What is said when the process ends.

use super::{lock, say};

/// The exit code of a process that leaks, with `FAKECUDA_LEAKS=1`.
const LEAKED: i32 = 86;

pub fn report_leaks_at_exit() {
    // SAFETY: the function needs nothing but this library, which is not unloaded: cudarc and Python keep what they load.
    unsafe { libc::atexit(report) };
}

extern "C" fn report() {
    let Some((count, bytes, ended, pinned)) = lock().as_ref().map(|driver| {
        let (count, bytes) = driver.memory.leaks();
        (count, bytes, driver.leaked, driver.pinned.values().filter(|(_, registered)| !registered).count())
    }) else {
        return;
    };
    if count + ended + pinned == 0 {
        return;
    }
    if count > 0 {
        say(&format!("{count} allocations of a device, {bytes} bytes, were never freed"));
    }
    if ended > 0 {
        say(&format!("{ended} allocations of a device were left to the end of their context"));
    }
    if pinned > 0 {
        say(&format!("{pinned} allocations of pinned host memory were never freed"));
    }
    // SAFETY: plain calls; what C's streams still hold is written first.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(LEAKED)
    }
}
