//! What the environment says, read at `cuInit`. `README.md` has the list.

use super::say;
use std::fs::File;

pub struct Settings {
    pub devices: usize,
    pub memory: u64,
    /// 90 is sm_90.
    pub level: u32,
    /// 12090 is 12.9, as `cuDriverGetVersion` gives it.
    pub driver: u32,
    pub seed: u64,
    pub steps: u64,
    pub leaks: bool,
    /// Pageable memory of asynchronous copies is used as late as pinned memory is.
    pub pageable_late: bool,
    pub fail_allocations: Vec<u64>,
    pub lose_device: Option<u64>,
    /// Calls of libraries.
    pub refuse: Vec<u64>,
    pub log: Option<File>,
}

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Err(_) => default,
        Ok(text) => text.parse().unwrap_or_else(|_| {
            say(&format!("{name}={text} is no number; {default} is used"));
            default
        }),
    }
}

/// `12.9` to 12090.
fn version(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    Some(1000 * major.parse::<u32>().ok()? + 10 * minor.parse::<u32>().ok()?)
}

impl Settings {
    pub fn read() -> Self {
        let mut settings = Settings {
            devices: number("FAKECUDA_DEVICES", 1) as usize,
            memory: number("FAKECUDA_MEMORY", 1 << 30),
            level: number("FAKECUDA_SM", 90) as u32,
            driver: 13000,
            seed: number("FAKECUDA_SEED", 0),
            steps: number("FAKECUDA_STEPS", 20_000_000_000),
            leaks: number("FAKECUDA_LEAKS", 0) != 0,
            pageable_late: std::env::var("FAKECUDA_PAGEABLE").is_ok_and(|v| v == "late"),
            fail_allocations: Vec::new(),
            lose_device: None,
            refuse: Vec::new(),
            log: None,
        };
        if let Ok(text) = std::env::var("FAKECUDA_DRIVER") {
            match version(&text) {
                Some(found) => settings.driver = found,
                None => say(&format!("FAKECUDA_DRIVER={text} is no version like 12.0; 13.0 is used")),
            }
        }
        for failure in std::env::var("FAKECUDA_FAIL").unwrap_or_default().split(',').filter(|f| !f.is_empty())
        {
            match failure.split_once('@').map(|(what, n)| (what, n.parse())) {
                Some(("oom", Ok(n))) => settings.fail_allocations.push(n),
                Some(("lost", Ok(n))) => settings.lose_device = Some(n),
                Some(("refuse", Ok(n))) => settings.refuse.push(n),
                _ => say(&format!("FAKECUDA_FAIL={failure} is none of oom@N, lost@N, refuse@N")),
            }
        }
        if let Ok(path) = std::env::var("FAKECUDA_LOG") {
            match File::options().create(true).append(true).open(&path) {
                Ok(file) => settings.log = Some(file),
                Err(error) => say(&format!("FAKECUDA_LOG={path}: {error}")),
            }
        }
        settings
    }

    /// The newest PTX that a driver of this version takes: 9.0 is 90 (table in the PTX ISA's release notes).
    pub fn ptx_version(&self) -> u32 {
        match (self.driver / 1000, self.driver % 1000 / 10) {
            (major @ 13.., minor) => 10 * (major - 4) + minor,
            (12, minor @ ..=5) => 80 + minor,
            (12, minor) => 79 + minor,
            (11, minor) => 70 + minor,
            (_, minor) => 63 + minor,
        }
    }
}
