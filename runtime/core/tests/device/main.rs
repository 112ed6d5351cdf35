//! Parallel loops on a device, under the driver of `tests/fakecuda`: results are those of threads, whatever fails.

mod loops;

use loops::{Call, LOST, View, sum_anywhere, sum_here, update_here, update_there};
use pydd_abi::device::DECLINED;
use pydd_test_support::scenario::libtest_mimic::{Failed, Trial};
use pydd_test_support::scenario::{self, Scenario};
use std::ops::RangeInclusive;

/// Scalar operations of an iteration, so that a loop takes one launch, or several.
const CHEAP: i64 = 1;
const DEAR: i64 = 1 << 20;

type Environment = &'static [(&'static str, &'static str)];

const GPU: Environment = &[("PYDD_DEVICE", "gpu")];

fn main() {
    let on_gpu = |name, run| Scenario::new(name, run).with(GPU).not_saying("pydd");
    let scenarios = vec![
        on_gpu("results_are_those_of_threads", everything_there),
        Scenario::new("results_in_another_order", everything_there).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_SEED", "1")]),
        Scenario::new("results_in_a_third_order", everything_there).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_SEED", "77")]),
        Scenario::new("results_on_the_oldest_device", everything_there).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_SM", "70")]),
        Scenario::new("copies_of_many_pieces", large).with(GPU).not_saying("pydd"),
        Scenario::new("the_log_has_copies_and_launches", everything_there)
            .with(&[("PYDD_DEVICE", "gpu"), ("PYDD_LOG", "other, gpu")])
            .saying("pydd gpu: launch of update with 4 blocks for 0..1000\n"),
        Scenario::new("only_elements_that_changed_are_written", neighbours).with(GPU),
        Scenario::new("two_threads_at_once", two_threads).with(GPU).not_saying("pydd"),
        Scenario::new("nothing_leaks", without_leaks).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_LEAKS", "1")]),
        Scenario::new("what_is_kept_is_seen_as_a_leak", everything_there)
            .with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_LEAKS", "1")])
            .exiting(86)
            .saying("pinned host memory were never freed"),
        Scenario::new("not_wanted", declines).with(&[("PYDD_DEVICE", "cpu")]).not_saying("pydd"),
        Scenario::new("no_card", declines).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_DEVICES", "0")])
            .saying("pydd: PYDD_DEVICE=gpu, but the CUDA driver finds no device; loops run on the processor\n"),
        Scenario::new("no_card_by_default", declines).with(&[("FAKECUDA_DEVICES", "0")]).not_saying("pydd"),
        Scenario::new("a_wish_that_nobody_knows", declines).with(&[("PYDD_DEVICE", "cuda"), ("FAKECUDA_DEVICES", "0")])
            .saying("pydd: PYDD_DEVICE=cuda is none of cpu, gpu, auto; auto is used\n"),
        Scenario::new("short_loops_stay_by_default", short_loops).with(&[("PYDD_LOG", "gpu")])
            .saying("update runs on the processor: it is short"),
        Scenario::new("dear_copies_stay_by_default", dear_copies).with(&[("PYDD_LOG", "gpu"), ("PYDD_NUM_THREADS", "1")])
            .saying("update runs on the processor: its copies would take longer"),
        Scenario::new("an_old_device", declines).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_SM", "61")])
            .saying("has compute capability 6.1, and there is code from 7.0 on; such loops run on the processor\n"),
        Scenario::new("an_old_driver", newer_code).with(GPU)
            .saying("CUDA_ERROR_UNSUPPORTED_PTX_VERSION: its driver is older than the code"),
        Scenario::new("no_memory", no_memory).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_MEMORY", "100000")])
            .saying("has no memory for a loop over"),
        Scenario::new("within_a_parallel_loop", nested).with(GPU).not_saying("pydd"),
        Scenario::new("loops_in_order_and_none", in_order_and_none).with(GPU),
        Scenario::new("elements_that_are_not_aligned", unaligned).with(&[("PYDD_DEVICE", "gpu"), ("PYDD_LOG", "gpu")])
            .saying("update runs on the processor: an array's elements are not aligned\n"),
        Scenario::new("a_forked_child", forked).with(GPU).saying("pydd: this process was forked from one that uses a GPU"),
        Scenario::new("a_child_forked_before", forked_before).with(GPU).not_saying("pydd"),
        Scenario::new("everything", everything),
        Scenario::new("a_few_kinds", a_few_kinds),
        on_gpu("a_call_copies_each_array_once", each_array_once),
        Scenario::new("a_call_of_many_loops", each_array_once).with(&[("PYDD_DEVICE", "gpu"), ("PYDD_LOG", "gpu")]),
        on_gpu("the_processor_gets_what_it_asks_for", questions),
        on_gpu("views_of_one_array_in_turns", views_in_turns),
        on_gpu("memory_that_is_freed_and_used_again", freed),
        on_gpu("blank_memory_that_is_touched_in_part", touched_in_part),
        Scenario::new("memory_for_one_pair_of_arrays", evicted).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_MEMORY", "300000")])
            .not_saying("pydd"),
        Scenario::new("in_three_parts", everything_there).with(&[("PYDD_DEVICE", "gpu"), ("PYDD_DEVICE_PARTS", "3")])
            .not_saying("pydd"),
        Scenario::new("more_than_the_device_has", large).with(&[("PYDD_DEVICE", "gpu"), ("FAKECUDA_MEMORY", "400000")])
            .not_saying("pydd"),
        Scenario::new("steps_in_parts", each_array_once).with(&[("PYDD_DEVICE", "gpu"), ("PYDD_DEVICE_PARTS", "4"), ("FAKECUDA_MEMORY", "60000")])
            .not_saying("pydd"),
        Scenario::new("copies_pay_in_the_long_run", many_loops_pay).with(&[("PYDD_NUM_THREADS", "1")]),
    ];
    let others = vec![
        Trial::test("lost_at_each_call", || at_each(|n| format!("lost@{n}"), 1..=1)),
        Trial::test("out_of_memory_at_each_allocation", || at_each(|n| format!("oom@{n}"), 0..=0)),
        Trial::test("out_of_memory_at_two_in_a_row", || at_each(|n| format!("oom@{n},oom@{}", n + 1), 0..=1)),
        Trial::test("lost_in_a_part", || at_each_in_parts(|n| format!("lost@{n}"), 1..=1)),
        Trial::test("out_of_memory_in_a_part", || at_each_in_parts(|n| format!("oom@{n}"), 0..=0)),
        Trial::test("out_of_memory_for_the_rest", || {
            let all = |n: u32| (n..n + 40).map(|n| format!("oom@{n}")).collect::<Vec<_>>().join(",");
            at_each_in_parts(all, 0..=1)
        }),
        Trial::test("no_driver", no_driver),
        Trial::test("copies_of_a_call", copies_of_a_call),
        Trial::test("a_device_that_is_lost_with_results", lost_with_results),
    ];
    scenario::run_all(scenarios, others);
}

/// Without the folder of the driver.
fn no_driver() -> Result<(), Failed> {
    let said = said_by("everything", &[("PYDD_DEVICE", "gpu"), ("LD_LIBRARY_PATH", "")])?;
    let expected =
        "pydd: PYDD_DEVICE=gpu, but there is no CUDA driver (libcuda.so.1); loops run on the processor\n";
    if said == expected { Ok(()) } else { Err(said.into()) }
}

/// Stderr of a scenario that must go well.
fn said_by(name: &str, environment: &[(&str, &str)]) -> Result<String, Failed> {
    let output = scenario::start(name, environment)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(said) } else { Err(format!("{environment:?}: {said}").into()) }
}

/// The driver fails at its first, second, … call, until none is left: results are right, and so many lines tell of it.
fn at_each(failure: fn(u32) -> String, lines: RangeInclusive<usize>) -> Result<(), Failed> {
    at_each_with(failure, lines, "1", "everything")
}

/// As [`at_each`], where loops run in parts.
fn at_each_in_parts(failure: fn(u32) -> String, lines: RangeInclusive<usize>) -> Result<(), Failed> {
    at_each_with(failure, lines, "3", "a_few_kinds")
}

fn at_each_with(
    failure: fn(u32) -> String,
    lines: RangeInclusive<usize>,
    parts: &str,
    scenario: &str,
) -> Result<(), Failed> {
    for n in 1.. {
        let failure = failure(n);
        let environment = [
            ("PYDD_DEVICE", "gpu"),
            ("PYDD_LOG", "gpu"),
            ("FAKECUDA_FAIL", &failure),
            ("PYDD_DEVICE_PARTS", parts),
        ];
        let said = said_by(scenario, &environment)?;
        let is_untouched = !said.contains("CUDA_ERROR") && !said.contains("once more without");
        let told = said.lines().filter(|line| line.starts_with("pydd:")).count();
        if is_untouched {
            return if n > 5 && told == 0 { Ok(()) } else { Err(format!("{failure}: {said}").into()) };
        }
        if !lines.contains(&told) {
            return Err(format!("{failure}: {told} lines, not {lines:?}:\n{said}").into());
        }
    }
    Ok(())
}

fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7919 + seed * 104_729) % 10_007) as f64 / 7.0).collect()
}

fn view(data: &mut [f64]) -> View {
    View::new(data.as_mut_ptr(), data.len(), 1)
}

/// All bits, and NaN with NaN.
fn are_same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Runs an update of views that `views` takes of memory, anywhere and here; both must give the same. Gives whether it ran there.
fn same(memory: &[f64], cost: i64, views: impl Fn(&mut [f64]) -> (View, View)) -> bool {
    let (mut there, mut here) = (memory.to_vec(), memory.to_vec());
    let (x, y) = views(&mut there);
    let mut ended = update_there(loops::update(), x, y, cost);
    let declined = ended.0 == DECLINED;
    if ended.0 == LOST {
        assert!(std::env::var_os("FAKECUDA_FAIL").is_some());
        return true;
    }
    if declined {
        assert!(are_same(&there, memory), "what declines changes nothing");
        ended = update_here(x, y);
    }
    let (x, y) = views(&mut here);
    assert_eq!(ended, update_here(x, y));
    if ended.0 == 0 {
        assert!(are_same(&there, &here));
    }
    !declined
}

/// All kinds of loops; each one's result is right. Gives how many ran on the device, and how many there are.
fn all_kinds() -> (usize, usize) {
    let memory = numbers(4000, 1);
    let part = |from: usize, len: usize, stride: isize| {
        move |data: &mut [f64]| View::new(data[from..].as_mut_ptr(), len, stride)
    };
    type Part = Box<dyn Fn(&mut [f64]) -> View>;
    let pairs: Vec<(Part, Part)> = vec![
        // Apart, touching, in place.
        (Box::new(part(0, 1000, 1)), Box::new(part(2000, 1000, 1))),
        (Box::new(part(0, 1000, 1)), Box::new(part(1000, 1000, 1))),
        (Box::new(part(7, 1000, 1)), Box::new(part(7, 1000, 1))),
        // Strided, backwards, one between the other's elements, a scalar read again and again, one element, none.
        (Box::new(part(1, 900, 4)), Box::new(part(2, 900, 4))),
        (Box::new(part(999, 1000, -1)), Box::new(part(3999, 1000, -2))),
        (Box::new(part(0, 1000, 2)), Box::new(part(1, 1000, 2))),
        (Box::new(part(5, 100, 0)), Box::new(part(10, 100, 1))),
        (Box::new(part(5, 1, 1)), Box::new(part(6, 1, 1))),
        (Box::new(part(5, 0, 1)), Box::new(part(6, 0, 1))),
    ];
    let (mut there, mut all) = (0, 0);
    let mut count = |is_there: bool| {
        there += usize::from(is_there);
        all += 1;
    };
    for (x, y) in &pairs {
        count(same(&memory, CHEAP, |data| (x(data), y(data))));
    }
    // The lowest of several failures, in different blocks; NaN is no failure.
    let mut wrong = memory.clone();
    wrong[5] = f64::NAN;
    for i in [990, 431, 700] {
        wrong[i] = -1.0 - i as f64;
    }
    count(same(&wrong, CHEAP, |data| (part(0, 1000, 1)(data), part(2000, 1000, 1)(data))));
    for cost in [CHEAP, 100, DEAR] {
        for (n, stride) in [(1, 1), (3000, 1), (1000, -3)] {
            let mut data = numbers(3000, 2);
            let from = if stride < 0 { 2999 } else { 0 };
            let x = View::new(data[from..].as_mut_ptr(), n, stride);
            let (sum, is_there) = sum_anywhere(x, cost);
            assert_eq!(sum, sum_here(x, cost));
            assert_eq!(sum[1], 10 + n as u64);
            count(is_there);
        }
    }
    (there, all)
}

fn everything() {
    all_kinds();
}

/// In place, between the other's elements, and a sum.
fn a_few_kinds() {
    let memory = numbers(2000, 1);
    let part = |data: &mut [f64], from: usize, stride| View::new(data[from..].as_mut_ptr(), 1000, stride);
    same(&memory, CHEAP, |data| (part(data, 7, 1), part(data, 7, 1)));
    same(&memory, CHEAP, |data| (part(data, 0, 2), part(data, 1, 2)));
    let mut data = numbers(3000, 2);
    assert_eq!(sum_anywhere(view(&mut data), 100).0, sum_here(view(&mut data), 100));
}

fn everything_there() {
    let (there, all) = all_kinds();
    assert_eq!(there, all);
    assert!(pydd_gpu::is_wanted());
}

/// More than one launch, and copies that go through each slot of the ring more than once.
fn large() {
    let n = 70_000;
    assert!(same(&numbers(2 * n, 3), DEAR, |data| {
        let (x, y) = data.split_at_mut(n);
        (view(x), view(y))
    }));
    // Of which the third launch fails.
    let mut wrong = numbers(2 * n, 3);
    wrong[69_000] = -1.0;
    assert!(same(&wrong, DEAR, |data| {
        let (x, y) = data.split_at_mut(n);
        (view(x), view(y))
    }));
    let mut data = numbers(n, 4);
    let x = view(&mut data);
    assert_eq!(sum_anywhere(x, DEAR), (sum_here(x, DEAR), true));
    // 24 MB with few elements, and a ring of 16 MB.
    assert!(same(&numbers(3_000_000, 5), CHEAP, |data| {
        let at = |from: usize| move |data: &mut [f64]| View::new(data[from..].as_mut_ptr(), 2000, 1499);
        (at(1)(data), at(0)(data))
    }));
}

/// While the device works on every second element, another thread may write the others.
fn neighbours() {
    let mut memory = numbers(2000, 6);
    let mut x = numbers(1000, 7);
    let expected: Vec<f64> =
        x.iter().zip(memory.iter().step_by(2)).map(|(x, y)| x.mul_add(2.0, *y)).collect();
    let (y, x) = (View::new(memory.as_mut_ptr(), 1000, 2), view(&mut x));
    let other = memory.as_mut_ptr() as usize;
    let writer = std::thread::spawn(move || {
        for round in 0..200_000_usize {
            // SAFETY: elements that no loop touches.
            unsafe { (other as *mut f64).add(1 + 2 * (round % 1000)).write_volatile(round as f64) };
        }
    });
    assert_eq!(update_there(loops::update(), x, y, CHEAP).0, 0);
    writer.join().unwrap();
    for (i, value) in memory.iter().enumerate() {
        let expected = if i % 2 == 0 { expected[i / 2] } else { (199_000 + i / 2) as f64 };
        assert_eq!(*value, expected, "{i}");
    }
}

fn two_threads() {
    let run = || (0..5).for_each(|_| everything_there());
    let threads = [std::thread::spawn(run), std::thread::spawn(run), std::thread::spawn(run)];
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn without_leaks() {
    two_threads();
    pydd_gpu::release();
}

/// Nothing runs on a device, and all is right.
fn declines() {
    let (there, all) = all_kinds();
    // An empty loop is done wherever it is asked for.
    assert_eq!((there, all > 10), (1, true));
}

fn short_loops() {
    let halves = |data: &mut [f64]| {
        let (x, y) = data.split_at_mut(1000);
        (view(x), view(y))
    };
    assert!(!same(&numbers(2000, 1), 10, halves));
    assert!(pydd_gpu::is_wanted());
}

fn dear_copies() {
    let n = 200_000;
    assert!(!same(&numbers(2 * n, 3), 2, |data| {
        let (x, y) = data.split_at_mut(n);
        (view(x), view(y))
    }));
    // One iteration, and be it long, leaves a device idle; with more to do for many it is worth it.
    assert!(!same(&numbers(2, 3), 1 << 40, |data| {
        let (x, y) = data.split_at_mut(1);
        (view(x), view(y))
    }));
    assert!(same(&numbers(2000, 3), 1 << 30, |data| {
        let (x, y) = data.split_at_mut(1000);
        (view(x), view(y))
    }));
}

/// Ten loops over two arrays, and one that reads what they wrote.
fn each_array_once() {
    let n = 1000;
    let (mut x, mut y) = (numbers(n, 1), numbers(n, 2));
    let (mut also_x, mut also_y) = (x.clone(), y.clone());
    let mut call = Call::new();
    for _ in 0..5 {
        call.update(loops::update_before_writes(), view(&mut x), view(&mut y));
        call.update(loops::update(), view(&mut y), view(&mut x));
        update_here(view(&mut also_x), view(&mut also_y));
        update_here(view(&mut also_y), view(&mut also_x));
    }
    assert!(are_same(&x, &numbers(n, 1)), "results are on the device");
    assert_eq!(call.end(), 0);
    assert!(are_same(&x, &also_x) && are_same(&y, &also_y));
}

/// How many copies there are of all 8000 bytes.
fn copies_of_a_call() -> Result<(), Failed> {
    let said = said_by("a_call_of_many_loops", &[("PYDD_DEVICE", "gpu"), ("PYDD_LOG", "gpu")])?;
    let count = |way: &str| said.matches(&format!("copy of 8000 bytes {way} the device\n")).count();
    if (count("to"), count("from"), said.matches("launch of").count()) == (2, 2, 10) {
        Ok(())
    } else {
        Err(said.into())
    }
}

fn questions() {
    let n = 100;
    let (mut x, mut y) = (numbers(n, 1), numbers(n, 2));
    let (mut also_x, mut also_y) = (x.clone(), y.clone());
    let mut call = Call::new();
    call.update(loops::update(), view(&mut x), view(&mut y));
    update_here(view(&mut also_x), view(&mut also_y));
    // To read is to have what the device wrote; a part stands for all.
    assert_eq!(call.access(View::new(&raw mut y[3], 5, 2), false), 0);
    assert!(are_same(&y, &also_y));
    // What the processor writes the device gets.
    assert_eq!(call.access(view(&mut x), true), 0);
    (x[7], also_x[7]) = (1234.5, 1234.5);
    call.update(loops::update(), view(&mut x), view(&mut y));
    update_here(view(&mut also_x), view(&mut also_y));
    assert_eq!(call.access(view(&mut y), false), 0);
    assert_eq!(call.end(), 0);
    assert!(are_same(&y, &also_y));
}

fn views_in_turns() {
    let mut memory = numbers(1000, 1);
    let mut also = memory.clone();
    let parts = |data: &mut [f64]| {
        let part =
            |data: &mut [f64], from: usize, len, stride| View::new(data[from..].as_mut_ptr(), len, stride);
        [
            (part(data, 0, 100, 1), part(data, 100, 100, 1)),
            (part(data, 50, 100, 1), part(data, 500, 100, 1)),
            (part(data, 0, 300, 3), part(data, 1, 300, 3)),
            (part(data, 999, 200, -1), part(data, 0, 200, 1)),
            (part(data, 100, 100, 1), part(data, 0, 100, 1)),
            (part(data, 7, 50, 0), part(data, 700, 50, 1)),
        ]
    };
    let mut call = Call::new();
    for (x, y) in parts(&mut memory) {
        call.update(loops::update(), x, y);
    }
    assert_eq!(call.end(), 0);
    for (x, y) in parts(&mut also) {
        update_here(x, y);
    }
    assert!(are_same(&memory, &also));
}

/// Arrays that calls allocate: blank ones are not copied to the device, and nothing of one is left when another one gets its memory.
fn freed() {
    let n = 64;
    let array = || pydd_core::owner::new_array(&[n as i64], 8, true).unwrap();
    let mut call = Call::new();
    let mut x = numbers(n, 3);
    for round in 0..20 {
        let (a, b) = (array(), array());
        // SAFETY: arrays of ours, with as many elements.
        unsafe {
            let of = |owner: *mut pydd_abi::Owner| View { owner, ..View::new((*owner).data.cast(), n, 1) };
            let (a_view, b_view) = (of(a), of(b));
            call.update(loops::update_blank(), a_view, b_view);
            call.update(loops::update(), view(&mut x), b_view);
            assert_eq!(call.access(b_view, round % 2 == 0), 0);
            let got = std::slice::from_raw_parts(b_view.data, n);
            assert!(got.iter().zip(&x).all(|(got, x)| *got == 2.0 * x), "{round}: {got:?}");
            if round % 2 == 0 {
                // Touched by the processor, which the device has to see.
                *b_view.data = 5.0;
            }
            call.update(loops::update_blank(), b_view, a_view);
            pydd_core::owner::release(b);
            assert_eq!(call.access(a_view, false), 0);
            let first = if round % 2 == 0 { 10.0 } else { 4.0 * x[0] };
            assert_eq!(*a_view.data, first);
            pydd_core::owner::release(a);
        }
    }
    assert_eq!(call.end(), 0);
}

/// A loop that the processor runs has touched a part of blank memory that no device has.
fn touched_in_part() {
    let array = || pydd_core::owner::new_array(&[300], 8, true).unwrap();
    let (a, b) = (array(), array());
    let mut call = Call::new();
    // SAFETY: arrays of ours, with as many elements.
    unsafe {
        let part = |owner: *mut pydd_abi::Owner, from: usize, len| View {
            owner,
            ..View::new((*owner).data.cast::<f64>().add(from), len, 1)
        };
        call.update(loops::update_blank(), part(a, 0, 100), part(b, 0, 100));
        let declined = call.try_update(loops::update_blank(), part(a, 50, 150), part(b, 50, 150), -5);
        assert_eq!(declined, DECLINED);
        *part(a, 160, 1).data = 7.0;
        call.update(loops::update_blank(), part(a, 150, 50), part(b, 150, 50));
        assert_eq!(call.access(part(b, 0, 300), false), 0);
        assert_eq!(*part(b, 160, 1).data, 14.0);
        pydd_core::owner::release(a);
        pydd_core::owner::release(b);
    }
    assert_eq!(call.end(), 0);
}

/// More arrays than the device has memory for, one after the other and again.
fn evicted() {
    let n = 10_000;
    let mut arrays: Vec<Vec<f64>> = (0..6).map(|i| numbers(n, i)).collect();
    let mut also = arrays.clone();
    let mut call = Call::new();
    for round in 0..12 {
        let (from, to) = (round % 6, (round + 1) % 6);
        let views = |arrays: &mut [Vec<f64>]| (view(&mut arrays[from]), view(&mut arrays[to]));
        let (x, y) = views(&mut arrays);
        call.update(loops::update(), x, y);
        let (x, y) = views(&mut also);
        update_here(x, y);
    }
    assert_eq!(call.end(), 0);
    assert!(arrays.iter().zip(&also).all(|(a, b)| are_same(a, b)));
}

/// One loop is not worth its copies; many over the same arrays are.
fn many_loops_pay() {
    let n = 100_000;
    let (mut x, mut y) = (numbers(n, 1), numbers(n, 2));
    let mut call = Call::new();
    let first = (0..1000).find(|_| call.try_update(loops::update(), view(&mut x), view(&mut y), 2) == 0);
    let first = first.expect("worth it in the end");
    assert!((1..100).contains(&first), "{first}");
    // And from then on.
    assert_eq!(call.try_update(loops::update(), view(&mut x), view(&mut y), 2), 0);
    assert_eq!(call.end(), 0);
}

/// When results are on the device alone, its loss is an error of the call.
fn lost_with_results() -> Result<(), Failed> {
    let mut lost = 0;
    for n in 1.. {
        let failure = format!("lost@{n}");
        let output =
            scenario::start("a_call_of_many_loops", &[("PYDD_DEVICE", "gpu"), ("FAKECUDA_FAIL", &failure)])?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !said.contains("CUDA_ERROR") {
            return if lost > 20 { Ok(()) } else { Err(format!("{lost}: {said}").into()) };
        }
        // The scenario asserts that all goes well.
        lost += usize::from(!output.status.success());
    }
    Ok(())
}

fn newer_code() {
    let mut memory = numbers(20, 1);
    let before = memory.clone();
    let (x, y) = memory.split_at_mut(10);
    for _ in 0..2 {
        assert_eq!(update_there(loops::too_new(), view(x), view(y), CHEAP).0, DECLINED);
    }
    assert_eq!(memory, before);
    everything_there();
}

/// There is none for large loops; small ones still run.
/// Of a loop that may touch anything in any iteration.
fn no_memory() {
    let small = |data: &mut [f64]| {
        let (x, y) = data.split_at_mut(10);
        (view(x), view(y))
    };
    for _ in 0..2 {
        let mut data = numbers(20_000, 1);
        let (x, y) = data.split_at_mut(10_000);
        assert_eq!(update_there(loops::update_anything(), view(x), view(y), CHEAP).0, DECLINED);
        assert!(are_same(&data, &numbers(20_000, 1)), "what declines changes nothing");
        assert!(same(&numbers(20, 1), CHEAP, small));
    }
}

fn nested() {
    let mut ctx = pydd_abi::Ctx::new(std::ptr::null(), std::ptr::null(), 0);
    let inner = |_: std::ops::Range<usize>| {
        let mut data = numbers(20, 1);
        let (x, y) = data.split_at_mut(10);
        assert_eq!(update_there(loops::update(), view(x), view(y), CHEAP).0, DECLINED);
        Ok(())
    };
    pydd_core::parallel::for_each(&mut ctx, 100, 1 << 20, inner).unwrap();
}

fn in_order_and_none() {
    let mut data = numbers(20, 1);
    let before = data.clone();
    let (x, y) = data.split_at_mut(10);
    let (mut x, y) = (view(x), view(y));
    assert_eq!(update_there(loops::update(), x, y, -5).0, DECLINED);
    x.len = 0;
    assert_eq!(update_there(loops::update(), x, y, CHEAP).0, 0);
    assert_eq!(data, before);
}

fn unaligned() {
    let mut bytes = vec![0u8; 200];
    let data = bytes.as_mut_ptr().wrapping_add(4).cast::<f64>();
    let odd = View::new(data.wrapping_byte_add(usize::from(data.is_aligned()) * 4), 5, 1);
    let mut y = numbers(5, 1);
    assert_eq!(update_there(loops::update(), odd, view(&mut y), CHEAP).0, DECLINED);
    assert_eq!(y, numbers(5, 1));
}

/// What a child does ends its process well; the parent waits for it.
fn in_child(run: fn()) {
    // SAFETY: the child ends without what the parent would do at its end.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let result = std::panic::catch_unwind(run);
            libc::_exit(i32::from(result.is_err()));
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
        assert_eq!(status, 0);
    }
}

fn forked() {
    everything_there();
    in_child(declines);
    everything_there();
}

/// A parent that has not used a device leaves its child free to.
fn forked_before() {
    in_child(everything_there);
    everything_there();
}
