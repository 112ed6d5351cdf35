//! `pydd-irfuzz --seeds A..B [--native-every N] [--device FOLDER] [--sets N] [--found FOLDER] [--stop]` fuzzes;
//! `pydd-irfuzz FILE…` checks saved cases; `pydd-irfuzz print SEED` shows a module.

use pydd_ir::Module;
use pydd_irfuzz::check::{Native, Plan};
use pydd_irfuzz::worker::{Worker, serve};
use pydd_irfuzz::{Failure, generate, native, shrink};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What kernel modules call to find the runtime.
#[unsafe(no_mangle)]
pub extern "C" fn PyCapsule_Import(_name: *const c_char, _no_block: i32) -> *const c_void {
    native::capsule_import()
}

struct Options {
    seeds: std::ops::Range<u64>,
    /// Compile every so many modules; 0: none.
    native_every: u64,
    /// Compile for a device instead, whose driver is in this folder.
    device: Option<PathBuf>,
    sets: u64,
    found: PathBuf,
    /// Stop at the first failure.
    stop: bool,
    shrink: u64,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "worker") {
        let big = std::thread::Builder::new().stack_size(256 << 20);
        return match big.spawn(serve).map(std::thread::JoinHandle::join) {
            Ok(Ok(())) => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        };
    }
    if let [word, seed] = &args[..]
        && word == "print"
    {
        println!("{}", text(&generate::module(seed.parse().unwrap_or(0))));
        return ExitCode::SUCCESS;
    }
    let Some(options) = parse(&args) else {
        eprintln!(
            "usage: pydd-irfuzz --seeds A..B [--native-every N] [--device FOLDER] [--sets N] [--found FOLDER] [--shrink SECONDS] [--stop] | FILE…"
        );
        return ExitCode::from(2);
    };
    if options.files.is_empty() { fuzz(&options) } else { check_files(&options) }
}

fn parse(args: &[String]) -> Option<Options> {
    let mut options = Options {
        seeds: 0..200,
        native_every: 4,
        device: None,
        sets: 4,
        found: PathBuf::from("tests/irfuzz/found"),
        stop: false,
        shrink: 30,
        files: Vec::new(),
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--seeds" => {
                let (a, b) = rest.next()?.split_once("..")?;
                options.seeds = a.parse().ok()?..b.parse().ok()?;
            }
            "--native-every" => options.native_every = rest.next()?.parse().ok()?,
            "--device" => options.device = Some(PathBuf::from(rest.next()?)),
            "--sets" => options.sets = rest.next()?.parse().ok()?,
            "--shrink" => options.shrink = rest.next()?.parse().ok()?,
            "--found" => options.found = PathBuf::from(rest.next()?),
            "--stop" => options.stop = true,
            file if !file.starts_with("--") => options.files.push(PathBuf::from(file)),
            _ => return None,
        }
    }
    Some(options)
}

fn text(module: &Module) -> String {
    pydd_ir::text::print(module, &pydd_ir::text::PrintOptions::FULL)
}

fn worker(options: &Options) -> Worker {
    let worker = Worker::new(&std::env::current_exe().expect("this program has a path"));
    match &options.device {
        Some(folder) => worker.with_driver(folder.clone()),
        None => worker,
    }
}

/// What a module is compiled for, of those that are compiled.
const fn native(options: &Options, compiled: bool) -> Native {
    match (&options.device, compiled) {
        (_, false) => Native::None,
        (None, true) => Native::Processors,
        (Some(_), true) => Native::Device,
    }
}

fn check_files(options: &Options) -> ExitCode {
    let mut worker = worker(options);
    let mut failed = 0;
    for file in &options.files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let native = native(options, options.native_every > 0);
        match worker.check(&text, seed_of(&text), Plan { sets: options.sets, native }) {
            Ok(_) => println!("{}: ok", file.display()),
            Err(failure) => {
                failed += 1;
                println!("{}: {}\n{}", file.display(), failure.kind, failure.detail);
            }
        }
    }
    ExitCode::from(u8::from(failed > 0))
}

/// From the line `; seed: N`.
fn seed_of(text: &str) -> u64 {
    let line = text.lines().find_map(|l| l.strip_prefix("; seed:"));
    line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

fn fuzz(options: &Options) -> ExitCode {
    let mut worker = worker(options);
    let start = Instant::now();
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut sums = [0_u64; 6];
    let mut changed: BTreeMap<String, u64> = BTreeMap::new();
    for seed in options.seeds.clone() {
        let native = native(options, options.native_every > 0 && seed % options.native_every == 0);
        let plan = Plan { sets: options.sets, native };
        let module = match std::panic::catch_unwind(|| generate::module(seed)) {
            Ok(module) => module,
            Err(_) => continue,
        };
        if seed % 1000 == 999 {
            eprintln!("seed {seed} after {:.0} s", start.elapsed().as_secs_f64());
        }
        match worker.check(&text(&module), seed, plan) {
            Ok(s) => {
                let refused = u64::from(s.refused);
                for (sum, n) in
                    sums.iter_mut().zip([1, s.returned, s.raised, s.too_long, refused, s.compiled])
                {
                    *sum += n;
                }
                s.changed.into_iter().for_each(|pass| *changed.entry(pass).or_default() += 1);
            }
            Err(failure) => {
                let count = kinds.entry(failure.kind.clone()).or_default();
                *count += 1;
                if *count <= 3 {
                    report(&mut worker, options, seed, plan, &module, &failure);
                }
                if options.stop {
                    break;
                }
            }
        }
    }
    let [modules, returned, raised, long, refused, compiled] = sums;
    println!(
        "{modules} modules in {:.1} s: {returned} calls returned, {raised} raised, {long} took too long; \
         {refused} refused, {compiled} objects",
        start.elapsed().as_secs_f64()
    );
    let shares: Vec<String> = changed.iter().map(|(pass, count)| format!("{pass} {count}")).collect();
    println!("modules that a pass changed: {}", shares.join(", "));
    for (kind, count) in &kinds {
        println!("{count:>6}  {kind}");
    }
    ExitCode::from(u8::from(!kinds.is_empty()))
}

fn report(worker: &mut Worker, options: &Options, seed: u64, plan: Plan, module: &Module, failure: &Failure) {
    println!("---- seed {seed}: {}", failure.kind);
    let limit = Duration::from_secs(options.shrink);
    let small = shrink::shrink(module, limit, |m| {
        worker.check(&text(m), seed, plan).is_err_and(|f| f.kind == failure.kind)
    });
    let body = text(&small);
    let detail = match worker.check(&body, seed, plan) {
        Err(again) if again.kind == failure.kind => again.detail,
        _ => failure.detail.clone(),
    };
    let comment: String = detail.lines().map(|l| format!("; {}\n", shortened(l))).collect();
    let case = format!("; irfuzz: {}\n; seed: {seed}\n{comment}{body}", failure.kind);
    println!("{case}");
    let name: String =
        failure.kind.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let _ = std::fs::create_dir_all(&options.found);
    let path = options.found.join(format!("{name}_{seed}.pir"));
    if let Err(error) = std::fs::write(&path, case) {
        eprintln!("cannot write {}: {error}", path.display());
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(900).collect()
}
