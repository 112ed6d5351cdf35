//! A few seeds for every test run, and all cases that were found once.

use pydd_irfuzz::check::{Native, Plan};
use pydd_irfuzz::generate;
use pydd_irfuzz::worker::Worker;
use std::collections::BTreeMap;
use std::path::Path;

fn worker() -> Worker {
    Worker::new(Path::new(env!("CARGO_BIN_EXE_pydd-irfuzz")))
}

/// Gives how many modules each pass changed.
fn run(seeds: std::ops::Range<u64>, native: Native) -> BTreeMap<String, u64> {
    let mut worker = worker();
    let (mut returned, mut raised) = (0, 0);
    let mut changed = BTreeMap::new();
    for seed in seeds {
        let module = generate::module(seed);
        let text = pydd_ir::text::print(&module, &pydd_ir::text::PrintOptions::FULL);
        match worker.check(&text, seed, Plan { sets: 3, native }) {
            Ok(stats) => {
                returned += stats.returned;
                raised += stats.raised;
                stats.changed.into_iter().for_each(|pass| *changed.entry(pass).or_default() += 1);
            }
            Err(failure) => panic!("seed {seed}: {}\n{}\n{text}", failure.kind, failure.detail),
        }
    }
    // Were all calls to raise, nothing would be compared.
    assert!(returned > raised / 2, "{returned} calls returned and {raised} raised");
    changed
}

#[test]
fn every_pass_keeps_what_a_module_means() {
    let changed = run(0..400, Native::None);
    // Nests that they look for are made on purpose.
    for pass in ["array-lists", "forward", "fuse-loops", "if-convert", "interchange", "lanes"] {
        let count = changed.get(pass).copied().unwrap_or(0);
        assert!(count >= 10, "{pass} changed {count} modules: {changed:?}");
    }
}

#[test]
fn compiled_code_does_what_the_interpreter_does() {
    run(1000..1030, Native::Processors);
}

#[test]
fn found_cases_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.sort();
    let mut worker = worker();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "pir")) {
        let text = std::fs::read_to_string(file).expect("readable");
        let seed = text.lines().find_map(|l| l.strip_prefix("; seed:")?.trim().parse().ok()).unwrap_or(0);
        if let Err(failure) = worker.check(&text, seed, Plan { sets: 4, native: Native::Processors }) {
            panic!("{}: {}\n{}", file.display(), failure.kind, failure.detail);
        }
    }
}
