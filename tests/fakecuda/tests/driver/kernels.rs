//! What kernels compute.

use crate::support::*;
use cudarc::driver::{CudaContext, result};
use pydd_test_support::scenario::Scenario;

pub fn scenarios() -> Vec<Scenario> {
    const SEEDS: &[(&str, &str)] = &[("FAKECUDA_SEED", "7")];
    vec![
        Scenario::new("vector_add", vector_add),
        Scenario::new("arithmetic_has_the_processors_bits", mixed),
        Scenario::new("histogram_in_shared_memory", histogram),
        Scenario::new("histogram_in_another_order", histogram).with(SEEDS),
        Scenario::new("divergent_loops", collatz),
        Scenario::new("calls_recursion_structures_and_pointers_to_functions", calls),
        Scenario::new("tables_of_branches", switches),
        Scenario::new("sum_by_a_tree", tree),
        Scenario::new("sum_without_barriers_is_wrong", tree_without_barrier),
        Scenario::new("lanes_of_a_warp", warp),
        Scenario::new("shared_memory_constants_and_variables", reverse),
        Scenario::new("carries_and_bits", carries),
        Scenario::new("safe_layer_of_cudarc", safe_layer),
        Scenario::new("twenty_million_instructions_a_second", speed),
        Scenario::new("threads_of_the_host", host_threads),
    ]
}

fn vector_add() {
    context(0);
    let add = function(load(KERNELS).unwrap(), "vector_add");
    let a: Vec<f64> = (0..10_000).map(|i| f64::from(i) * 0.1).collect();
    let b: Vec<f64> = (0..10_000).map(|i| 1.0 / f64::from(i + 1)).collect();
    let (da, db, dc, n) = (upload(&a), upload(&b), upload(&a), 10_000i64);
    run(add, 40, 256, &mut [parameter(&da), parameter(&db), parameter(&dc), parameter(&n)]).unwrap();
    let sums: Vec<f64> = download(dc, a.len()).unwrap();
    assert!(sums.iter().zip(a.iter().zip(&b)).all(|(s, (x, y))| s.to_bits() == (x + y).to_bits()));
}

fn mixed() {
    context(0);
    let kernel = function(load(KERNELS).unwrap(), "mixed");
    let mut x: Vec<f64> = (0..2000).map(|i| (f64::from(i) - 1000.0) * 0.37).collect();
    x.extend([0.0, -0.0, 5e-324, 1e-310, f64::INFINITY, f64::NAN, 1e308]);
    let (dx, dy, n) = (upload(&x), upload(&x), x.len() as i64);
    run(kernel, 8, 256, &mut [parameter(&dx), parameter(&dy), parameter(&n)]).unwrap();
    let got: Vec<f64> = download(dy, x.len()).unwrap();
    for (x, got) in x.iter().zip(got) {
        let f = (x / (x * x + 1.0).sqrt()).mul_add(*x, 0.1);
        let least = f.floor().min(3.0);
        let wanted = f64::from(f as f32) + f64::from(least as i32);
        assert!(got.to_bits() == wanted.to_bits() || got.is_nan() && wanted.is_nan(), "{x}: {got} {wanted}");
    }
}

fn histogram() {
    context(0);
    let kernel = function(load(KERNELS).unwrap(), "histogram");
    let x: Vec<u8> = (0..5000u32).map(|i| (i * i % 251) as u8).collect();
    let (dx, dh, n) = (upload(&x), upload(&[0u32; 64]), x.len() as i64);
    run(kernel, 20, 256, &mut [parameter(&dx), parameter(&dh), parameter(&n)]).unwrap();
    let mut wanted = vec![0u32; 64];
    x.iter().for_each(|v| wanted[usize::from(v & 63)] += 1);
    assert_eq!(download::<u32>(dh, 64).unwrap(), wanted);
}

fn collatz() {
    context(0);
    let kernel = function(load(KERNELS).unwrap(), "collatz");
    let (steps, n) = (upload(&[0u32; 1000]), 1000i64);
    run(kernel, 8, 128, &mut [parameter(&steps), parameter(&n)]).unwrap();
    for (i, got) in download::<u32>(steps, 1000).unwrap().into_iter().enumerate() {
        let (mut x, mut k) = (i as u64 + 1, 0);
        while x != 1 {
            (x, k) = (if x % 2 == 1 { 3 * x + 1 } else { x / 2 }, k + 1);
        }
        assert_eq!(got, k, "{i}");
    }
}

#[repr(C)]
struct Given {
    a: i32,
    b: i64,
    c: f64,
}

fn calls() {
    context(0);
    let kernel = function(load(KERNELS).unwrap(), "calls");
    let (out, given) = (upload(&[0i64; 16]), Given { a: -1, b: 1000, c: 0.5 });
    for which in [0u32, 1] {
        run(kernel, 1, 16, &mut [parameter(&out), parameter(&given), parameter(&which)]).unwrap();
        let mut fibonacci = (0i64, 1i64);
        for (t, got) in download::<i64>(out, 16).unwrap().into_iter().enumerate() {
            let t = t as i64;
            let operation = if which == 0 { 2 * t } else { t * t };
            assert_eq!(got, fibonacci.0 + (t + given.b) + operation, "thread {t}, {which}");
            fibonacci = (fibonacci.1, fibonacci.0 + fibonacci.1);
        }
    }
    assert_eq!(given.a, -1);
}

fn switches() {
    context(0);
    let kernel = function(load(KERNELS).unwrap(), "switches");
    let (out, n) = (upload(&[0u32; 8]), 123_456u32);
    run(kernel, 1, 8, &mut [parameter(&out), parameter(&n)]).unwrap();
    let reversed = (u64::from(n).reverse_bits() >> 40) as u32;
    let wanted = [7, n + 8, n << 5, reversed, (n as i32 / -7) as u32, n % 5, n % 6, n % 7];
    assert_eq!(download::<u32>(out, 8).unwrap(), wanted);
}

fn tree_sums(name: &str) -> (Vec<f64>, Vec<f64>) {
    let kernel = function(load(COOPERATION).unwrap(), name);
    let x: Vec<f64> = (0..1024).map(|i| f64::from(i).sqrt()).collect();
    let (dx, out) = (upload(&x), upload(&[0f64; 4]));
    run(kernel, 4, 256, &mut [parameter(&dx), parameter(&out)]).unwrap();
    let wanted = x.chunks(256).map(|block| {
        let mut parts = block.to_vec();
        while parts.len() > 1 {
            let half = parts.len() / 2;
            parts = (0..half).map(|i| parts[i] + parts[i + half]).collect();
        }
        parts[0]
    });
    (download(out, 4).unwrap(), wanted.collect())
}

fn tree() {
    context(0);
    let (got, wanted) = tree_sums("sum_of_block");
    assert_eq!(got, wanted);
}

fn tree_without_barrier() {
    context(0);
    let (got, wanted) = tree_sums("sum_without_barrier");
    assert_ne!(got, wanted);
}

fn warp() {
    context(0);
    let kernel = function(load(COOPERATION).unwrap(), "warp");
    let x: Vec<u32> = (0..32).map(|i| i * i).collect();
    let (dx, out) = (upload(&x), upload(&[0u32; 128]));
    run(kernel, 1, 32, &mut [parameter(&dx), parameter(&out)]).unwrap();
    let got: Vec<u32> = download(out, 128).unwrap();
    for lane in 0..32u32 {
        let below = lane.saturating_sub(1);
        let wanted = [x.iter().sum(), 0xaaaa_aaaa, 0x1111_1111 << (lane % 4), below];
        assert_eq!(got[4 * lane as usize..][..4], wanted, "lane {lane}");
    }
}

fn reverse() {
    context(0);
    let module = load(COOPERATION).unwrap();
    let kernel = function(module, "reverse");
    let x: Vec<f64> = (0..64).map(f64::from).collect();
    let dx = upload(&x);
    launch_on(std::ptr::null_mut(), kernel, 1, 64, 512, &mut [parameter(&dx)]).unwrap();
    let got: Vec<f64> = download(dx, 64).unwrap();
    assert!(got.iter().enumerate().all(|(i, v)| *v == 2.0 * (63 - i) as f64));
    // SAFETY: the module has this variable.
    let (counter, bytes) = unsafe { result::module::get_global(module, c"counter".into()) }.unwrap();
    assert_eq!((download::<u32>(counter, 1).unwrap(), bytes), (vec![69], 4));
}

fn carries() {
    context(0);
    let kernel = function(load(COOPERATION).unwrap(), "carries");
    let (x, y) = ([0xffff_ffff_1122_3344u64, 7], [0x0000_0001_0000_0000u64, 1]);
    let (dx, dy, out) = (upload(&x), upload(&y), upload(&[0u64; 3]));
    run(kernel, 1, 1, &mut [parameter(&dx), parameter(&dy), parameter(&out)]).unwrap();
    let (low, high) = (0x1122_3344u32, 0xffff_ffffu32);
    let reversed = low.swap_bytes();
    let majority = low & high | low & reversed | high & reversed;
    let inserted = high & !0xff00 | (majority & 0xff) << 8;
    let wanted = [0x1122_3344, 9, u64::from(inserted) << 32 | u64::from(reversed)];
    assert_eq!(download::<u64>(out, 3).unwrap(), wanted);
}

/// As a user of cudarc writes it.
fn safe_layer() {
    assert!(cudarc_is_present());
    let context = CudaContext::new(0).unwrap();
    assert_eq!(context.name().unwrap(), "fakecuda device 0");
    let stream = context.new_stream().unwrap();
    let a = stream.clone_htod(&[1.0f32, 2.0, 3.0]).unwrap();
    let mut b = stream.alloc_zeros::<f32>(3).unwrap();
    stream.memcpy_dtod(&a, &mut b).unwrap();
    let other = context.new_stream().unwrap();
    other.join(&stream).unwrap();
    assert_eq!(other.clone_dtoh(&b).unwrap(), [1.0, 2.0, 3.0]);
}

fn cudarc_is_present() -> bool {
    // SAFETY: the library does nothing when it is loaded.
    unsafe { cudarc::driver::sys::is_culib_present() }
}

fn speed() {
    context(0);
    let kernel = function(load(KERNELS).unwrap(), "collatz");
    let (steps, n) = (upload(&vec![0u32; 20_000]), 20_000i64);
    let started = std::time::Instant::now();
    run(kernel, 79, 256, &mut [parameter(&steps), parameter(&n)]).unwrap();
    let seconds = started.elapsed().as_secs_f64();
    let rounds: u64 = download::<u32>(steps, 20_000).unwrap().into_iter().map(u64::from).sum();
    // At least eight instructions a round. A fifth of what is promised, since tests share processors.
    let per_second = 8.0 * rounds as f64 / seconds;
    eprintln!("{:.0} million instructions a second", per_second / 1e6);
    assert!(per_second > 4e6, "{per_second}");
}

fn host_threads() {
    context(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                context(0);
                vector_add();
                collatz();
            });
        }
    });
}
