//! Processor time.

use std::time::Duration;

/// Time that all threads of this process had so far.
#[must_use]
pub fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes into `time`.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(status, 0, "every Linux has this clock");
    let part = |n: i64| u64::try_from(n).expect("times are not negative");
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Time that the processes which this one has started and waited for had.
#[must_use]
pub fn children_time() -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call writes into `usage`, which is valid zeroed as well.
    let usage = unsafe {
        let status = libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        assert_eq!(status, 0, "every Linux has this");
        usage.assume_init()
    };
    let part = |n: i64| u64::try_from(n).expect("times are not negative");
    let of = |time: libc::timeval| {
        Duration::from_secs(part(time.tv_sec)) + Duration::from_micros(part(time.tv_usec))
    };
    of(usage.ru_utime) + of(usage.ru_stime)
}

#[cfg(test)]
mod tests {
    use super::processor_time;
    use std::time::Duration;

    #[test]
    fn sleep_takes_none_and_work_takes_some() {
        let start = processor_time();
        std::thread::sleep(Duration::from_millis(50));
        let slept = processor_time();
        assert!(slept - start < Duration::from_millis(40), "{:?}", slept - start);
        while processor_time() == slept {
            std::hint::spin_loop();
        }
    }
}
