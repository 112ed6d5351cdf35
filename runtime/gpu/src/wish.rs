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

/// A number of the environment's, read once.
fn number(cell: &OnceLock<Option<i64>>, variable: &str) -> Option<i64> {
    *cell.get_or_init(|| std::env::var(variable).ok()?.trim().parse().ok())
}

/// `PYDD_DEVICE_PARTS`, for tests: how many parts loops are run in at least, as they are where the device's memory is too small.
pub fn parts() -> i64 {
    static PARTS: OnceLock<Option<i64>> = OnceLock::new();
    number(&PARTS, "PYDD_DEVICE_PARTS").unwrap_or(1).max(1)
}

/// `PYDD_DEVICE_LANES`, for tests and measurements: how many threads do an iteration together, where several can; a power of two up to 32.
pub fn lanes() -> Option<i64> {
    static LANES: OnceLock<Option<i64>> = OnceLock::new();
    number(&LANES, "PYDD_DEVICE_LANES")
}

/// `PYDD_DEVICE_LONG`, for tests and measurements: iterations with more steps than so many are done by a block of threads each.
pub fn long() -> Option<i64> {
    static LONG: OnceLock<Option<i64>> = OnceLock::new();
    number(&LONG, "PYDD_DEVICE_LONG")
}

/// `PYDD_DEVICE_COMBINED`, for tests and measurements: so many parts of a reduction are combined by a launch of their own.
pub fn combined() -> Option<i64> {
    static COMBINED: OnceLock<Option<i64>> = OnceLock::new();
    number(&COMBINED, "PYDD_DEVICE_COMBINED")
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
