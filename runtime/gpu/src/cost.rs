//! Whether a loop takes less time on a device, its copies included.
//!
//! A guess to within a factor of two or three. Launches and copies were measured on an H200; the other numbers are from data sheets, with what usually is reached of them.

use crate::driver::Properties;

/// Seconds for a launch and the wait: a call from Python took 11 to 15 µs on an H200.
const LAUNCH: f64 = 15e-6;

/// Bytes a second of copies, through pinned memory that several threads fill and empty. The bus of an H200 with PCI Express 5 gives 55e9; half as much with each version before, and a processor
/// with few cores, or one that has to compare what came back, is slower than the bus.
const BUS: f64 = 20e9;

/// Seconds more for a copy that is waited for, however short.
const COPY: f64 = 20e-6;

/// Scalar operations a second of one thread of a processor, some of them in vectors.
const THREAD_RATE: f64 = 2e9;

/// Scalar operations for each clock of a multiprocessor: it has 64 to 128 lanes, 32 for 64-bit floats or fewer, and seldom are all busy.
const LANES: f64 = 16.0;

/// Scalar operations for each clock of one of the device's threads, which waits for each result: dependent instructions take 4 clocks and more, loads hundreds.
const THREAD: f64 = 0.1;

/// Hz, and bytes a second of the device's memory, where it does not say: a small card's.
const CLOCK: f64 = 1e9;
const BANDWIDTH: f64 = 200e9;

/// What a loop does.
pub struct Work {
    /// Scalar operations.
    pub operations: f64,
    /// Threads of the device that have something to do: for each iteration, or part of a reduction, one or some.
    pub units: f64,
    /// Bytes of its arrays.
    pub touched: f64,
    /// Bytes that are copied to the device for it, and back.
    pub copied: f64,
    /// Bytes that are copied back first, if the processor does it.
    pub copied_otherwise: f64,
    /// Threads that would do it otherwise.
    pub threads: f64,
}

impl Work {
    /// So many operations, which so many threads of the device can share, or of the processor; nothing of its arrays.
    pub fn new(operations: f64, units: f64, threads: usize) -> Self {
        Self { operations, units, threads: threads as f64, touched: 0.0, copied: 0.0, copied_otherwise: 0.0 }
    }
}

/// Seconds on the processor.
fn on_threads(work: &Work) -> f64 {
    let copies = if work.copied_otherwise > 0.0 { COPY + work.copied_otherwise / BUS } else { 0.0 };
    copies + work.operations / (THREAD_RATE * work.threads.min(work.units).max(1.0))
}

/// Hz.
fn clock(device: &Properties) -> f64 {
    if device.clock == 0 { CLOCK } else { 1e3 * f64::from(device.clock) }
}

/// Scalar operations for each clock of the device.
fn lanes(device: &Properties) -> f64 {
    LANES * f64::from(device.processors.max(1))
}

/// Scalar operations a second of the device, when it is busy.
pub fn rate(device: &Properties) -> f64 {
    lanes(device) * clock(device)
}

/// Seconds on the device, without copies.
fn on_device(device: &Properties, work: &Work) -> f64 {
    // Two transfers for each clock of the memory.
    let bandwidth = 2e3 * f64::from(device.memory_clock) * f64::from(device.memory_bus) / 8.0;
    let bandwidth = if bandwidth == 0.0 { BANDWIDTH } else { bandwidth };
    let together = lanes(device).min(THREAD * work.units);
    let computing = work.operations / (together * clock(device));
    LAUNCH + computing.max(work.touched / bandwidth)
}

/// Whether the device is expected to be the faster one.
///
/// Nobody knows how many loops will use what is copied for the first of them. `missed` is what the loops before would have saved on the device: when that pays for the
/// copies, they are made.
pub fn is_worth(device: &Properties, work: &Work, missed: &mut f64) -> bool {
    let saved = on_threads(work) - on_device(device, work);
    if saved <= 0.0 {
        return false;
    }
    *missed += saved;
    let copies = if work.copied > 0.0 { COPY + work.copied / BUS } else { 0.0 };
    let is_worth = copies < *missed;
    if is_worth {
        *missed = 0.0;
    }
    is_worth
}

/// Whether no device could be the faster one, whatever the loop's arrays are.
pub fn is_small(operations: f64, threads: f64) -> bool {
    operations / (THREAD_RATE * threads) <= LAUNCH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_and_not_size_makes_a_device_worth_it() {
        let device = Properties {
            name: String::new(),
            level: 90,
            memory: 80 << 30,
            processors: 132,
            clock: 1_700_000,
            memory_clock: 2_600_000,
            memory_bus: 5120,
        };
        let work = |n: f64, cost: f64| Work {
            operations: n * cost,
            units: n,
            touched: 16.0 * n,
            copied: 16.0 * n,
            copied_otherwise: 0.0,
            threads: 8.0,
        };
        let worth = |n: f64, cost: f64| is_worth(&device, &work(n, cost), &mut 0.0);
        // A sum of two arrays is over before its operands are there.
        assert!(!worth(1e9, 4.0) && !worth(1e3, 100.0));
        assert!(worth(1e7, 1000.0));
        // And few iterations leave most of a device idle.
        assert!(!worth(10.0, 1e9) && !worth(50.0, 1e9) && worth(1e5, 1e6));
        // Nor is what is over before the first copy is.
        assert!(!worth(2000.0, 100.0));
        // What is there already pays for itself sooner, and so does what is used again and again.
        assert!(is_worth(&device, &Work { copied: 0.0, ..work(1e9, 4.0) }, &mut 0.0));
        let mut missed = 0.0;
        let loops = (0..100).take_while(|_| !is_worth(&device, &work(1e9, 4.0), &mut missed)).count();
        assert!((2..20).contains(&loops), "{loops}");
        assert!(is_small(2e4, 1.0) && !is_small(1e5, 1.0) && is_small(1e5, 8.0));
    }
}
