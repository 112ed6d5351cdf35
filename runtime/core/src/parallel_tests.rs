use super::*;
use crate::testing::{ctx, error};
use pydd_abi::ExcKind;
use std::sync::atomic::AtomicI64;

/// Tests that change the number of threads run one at a time.
static THREADS: Mutex<()> = Mutex::new(());

fn with_threads<T>(n: usize, f: impl FnOnce() -> T) -> T {
    let _lock = lock(&THREADS);
    pool::set_num_threads(n);
    f()
}

/// # Safety
/// `acc` points to one word.
unsafe extern "C" fn sum_body(_: *mut Ctx, _: *const u64, b: i64, e: i64, acc: *mut u64) -> Status {
    let sum: f64 = (b..e).map(|i| 1.0 / (i as f64 + 1.0)).sum();
    // SAFETY: one accumulator word.
    unsafe { *acc = (f64::from_bits(*acc) + sum).to_bits() };
    0
}

/// # Safety
/// `acc` and `part` point to one word each.
unsafe extern "C" fn add(acc: *mut u64, part: *const u64) {
    // SAFETY: one word each.
    unsafe { *acc = (f64::from_bits(*acc) + f64::from_bits(*part)).to_bits() };
}

fn harmonic(n: i64) -> f64 {
    let mut c = ctx();
    let mut acc = 10f64.to_bits();
    let identity = [0u64];
    // SAFETY: the words fit the body.
    let status =
        unsafe { par_for(&mut c, n, 8, sum_body, ptr::null(), &mut acc, identity.as_ptr(), 1, Some(add)) };
    assert_eq!(status, 0);
    f64::from_bits(acc)
}

#[test]
#[cfg_attr(miri, ignore = "takes long: millions of iterations")]
fn sums_do_not_depend_on_the_number_of_threads() {
    for n in [0, 1, 1000, 100_000, 3_000_000] {
        let one = with_threads(1, || harmonic(n));
        for threads in [2, 3, 8] {
            assert_eq!(with_threads(threads, || harmonic(n)).to_bits(), one.to_bits());
        }
    }
    assert_eq!(harmonic(0), 10.0);
}

/// # Safety
/// `ctx` is this chunk's.
unsafe extern "C" fn failing(ctx: *mut Ctx, _: *const u64, b: i64, e: i64, _: *mut u64) -> Status {
    for i in b..e {
        if i % 1000 == 777 {
            // SAFETY: this chunk's context.
            let ctx = unsafe { &mut *ctx };
            ctx.site = 9;
            ctx.payload[0] = i;
            return 1;
        }
    }
    0
}

#[test]
fn the_lowest_failing_iteration_is_reported() {
    for threads in [1, 2, 8] {
        with_threads(threads, || {
            for _ in 0..20 {
                let mut c = ctx();
                // SAFETY: no words at all.
                let status = unsafe {
                    par_for(
                        &mut c,
                        100_000,
                        1000,
                        failing,
                        ptr::null(),
                        ptr::null_mut(),
                        ptr::null(),
                        0,
                        None,
                    )
                };
                assert_eq!((status, c.site, c.kind, c.payload[0]), (1, 9, 0, 777));
            }
        });
    }
}

#[test]
fn nested_loops_end_and_use_every_iteration_once() {
    with_threads(4, || {
        for outer in [2, 3, 64] {
            let count = AtomicI64::new(0);
            let inner = |_: Range<usize>| {
                for_each(&mut ctx(), 1000, 1 << 20, |r| {
                    count.fetch_add(i64::try_from(r.len()).unwrap(), Ordering::Relaxed);
                    Ok(())
                })
                .map_err(|_| Error::value("inner"))
            };
            for_each(&mut ctx(), outer, 1 << 40, |r| r.into_iter().try_for_each(|i| inner(i..i + 1)))
                .unwrap();
            assert_eq!(count.load(Ordering::Relaxed), 1000 * i64::try_from(outer).unwrap());
        }
    });
}

#[test]
fn panics_and_errors_come_back_as_errors() {
    with_threads(4, || {
        let raised = for_each(&mut ctx(), 100, 1 << 20, |_| panic!("bang")).unwrap_err();
        assert_eq!(raised.kind, ExcKind::SystemError as u32);
        let mut c = ctx();
        for_each(&mut c, 10, 1, |_| Err(Error::value("bad"))).unwrap_err().put(&mut c);
        assert_eq!(error(&mut c), (ExcKind::ValueError as u32, "bad".into()));
    });
}

#[test]
#[cfg_attr(miri, ignore = "Miri does not fork")]
fn a_forked_child_has_its_own_pool() {
    with_threads(4, || {
        let before = harmonic(1_000_000);
        // SAFETY: the child only computes and exits.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let same = harmonic(1_000_000).to_bits() == before.to_bits();
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(if same { 7 } else { 8 }) };
        }
        let mut status = 0;
        // SAFETY: our child.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(libc::WEXITSTATUS(status), 7);
    });
}

#[test]
fn many_threads_call_at_once() {
    // Some chunks each; Miri would take long for more.
    let n = if cfg!(miri) { 20_000 } else { 1_000_000 };
    with_threads(3, || {
        let one = harmonic(n);
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| assert_eq!(harmonic(n).to_bits(), one.to_bits()));
            }
        });
    });
}

#[test]
fn a_time_with_one_thread_keeps_the_pool() {
    let pool_of_two = || Arc::as_ptr(&pool::pool().unwrap());
    with_threads(2, || {
        let before = pool_of_two();
        pool::set_num_threads(1);
        assert!(pool::pool().is_none());
        pool::set_num_threads(2);
        assert_eq!(pool_of_two(), before);
        pool::set_num_threads(3);
        assert_eq!(pool::pool().unwrap().threads, 3);
    });
}
