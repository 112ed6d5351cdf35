//! Where the user wants loops to run.

use crate::say::{self, Once};
use std::sync::OnceLock;

const VARIABLE: &str = "PYDD_DEVICE";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Never on a device.
    Cpu,
    /// Whatever has a kernel.
    Gpu,
    /// What is expected to take less time there.
    Auto,
}

/// `PYDD_DEVICE`, read once.
pub fn wish() -> Wish {
    static WISH: OnceLock<Wish> = OnceLock::new();
    *WISH.get_or_init(|| {
        let text = std::env::var_os(VARIABLE).unwrap_or_default();
        parse(&text.to_string_lossy()).unwrap_or_else(|| {
            let text = text.to_string_lossy();
            say::once(
                Once::Variable,
                format_args!("{VARIABLE}={text} is none of cpu, gpu, auto; auto is used"),
            );
            Wish::Auto
        })
    })
}

/// For tests: how many parts loops are run in at least, as they are where the device's memory is too small.
const PARTS_VARIABLE: &str = "PYDD_DEVICE_PARTS";

/// `PYDD_DEVICE_PARTS`, read once; 1 without.
pub fn parts() -> i64 {
    static PARTS: OnceLock<i64> = OnceLock::new();
    let read = || std::env::var(PARTS_VARIABLE).ok()?.trim().parse().ok();
    *PARTS.get_or_init(|| read().unwrap_or(1).max(1))
}

/// For tests and measurements: how many threads do an iteration together, where several can; a power of two up to 32.
const LANES_VARIABLE: &str = "PYDD_DEVICE_LANES";

/// `PYDD_DEVICE_LANES`, read once.
pub fn lanes() -> Option<i64> {
    static LANES: OnceLock<Option<i64>> = OnceLock::new();
    let read = || std::env::var(LANES_VARIABLE).ok()?.trim().parse().ok();
    *LANES.get_or_init(read)
}

/// For tests and measurements: iterations with more steps than so many are done by a block of threads each.
const LONG_VARIABLE: &str = "PYDD_DEVICE_LONG";

/// `PYDD_DEVICE_LONG`, read once.
pub fn long() -> Option<i64> {
    static LONG: OnceLock<Option<i64>> = OnceLock::new();
    let read = || std::env::var(LONG_VARIABLE).ok()?.trim().parse().ok();
    *LONG.get_or_init(read)
}

fn parse(text: &str) -> Option<Wish> {
    match text.trim().to_ascii_lowercase().as_str() {
        "cpu" => Some(Wish::Cpu),
        "gpu" => Some(Wish::Gpu),
        "" | "auto" => Some(Wish::Auto),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_no_wish() {
        assert_eq!(
            [" GPU ", "cpu", "Auto", ""].map(parse),
            [Some(Wish::Gpu), Some(Wish::Cpu), Some(Wish::Auto), Some(Wish::Auto)]
        );
        assert_eq!(["cuda", "gpu,cpu", "1"].map(parse), [None; 3]);
    }
}
