//! Lists.

use super::load::{load, options};
use super::make::{Ops, single};
use pydd_abi::{ExcKind, List};
use pydd_ir::{DType, ElemOp, Module, OpKind, Type};
use pydd_test_support::runtime::{Runtime, release};

/// `[0, 1, 4, …]` by appending.
fn squares() -> Module {
    let list = Type::list(DType::I64);
    single(&[Type::I64], &[list, Type::I64], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let made = b.value(OpKind::ListNew, vec![], list);
        b.new_slot();
        b.own(made, 0);
        b.for_loop([zero, p[0], one], &[], |b, i, _| {
            let square = b.mul(i, i);
            b.effect(OpKind::ListAppend, vec![made, square]);
            vec![]
        });
        let len = b.value(OpKind::ListLen, vec![made], Type::I64);
        Some(vec![made, len])
    })
}

#[test]
fn lists_grow() {
    for level in [0, 3] {
        let kernel = load(&squares(), &options(level));
        let before = Runtime::alive();
        let words = kernel.call("f", &[100]).unwrap();
        assert_eq!(words[1], 100);
        // SAFETY: the result is a list with one count, released below.
        unsafe {
            let list = words[0] as *mut List;
            let items = std::slice::from_raw_parts((*list).data.cast::<i64>(), 100);
            assert!(items.iter().enumerate().all(|(i, &x)| x == (i * i) as i64));
            release(list.cast());
        }
        assert_eq!(Runtime::alive(), before);
    }
}

#[test]
fn growth_that_fails_releases_the_list() {
    let kernel = load(&squares(), &options(3));
    let before = Runtime::alive();
    Runtime::fail_after(3);
    let failure = kernel.call("f", &[100]).unwrap_err();
    assert_eq!(failure.kind, ExcKind::MemoryError as u32);
    assert_eq!(Runtime::alive(), before);
    Runtime::fail_after(-1);
}

/// Puts 0, 1, … in front, then takes as many off as is said: what is first, the length, and the list.
fn from_the_front(dtype: DType) -> Module {
    let (list, item) = (Type::list(dtype), Type::Scalar(dtype));
    single(&[Type::I64, Type::I64], &[item, Type::I64, list], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let last = b.value(OpKind::Cast, vec![one], item);
        let made = b.value(OpKind::ListNew, vec![last], list);
        b.new_slot();
        b.own(made, 0);
        b.for_loop([zero, p[0], one], &[], |b, i, _| {
            let value = b.value(OpKind::Cast, vec![i], item);
            b.effect(OpKind::ListPrepend, vec![made, value]);
            vec![]
        });
        b.effect(OpKind::ListDropFront, vec![made, p[1]]);
        let len = b.value(OpKind::ListLen, vec![made], Type::I64);
        b.effect(OpKind::ListAppend, vec![made, last]);
        Some(vec![b.value(OpKind::ListGet, vec![made, zero], item), len, made])
    })
}

#[test]
fn items_are_put_in_front_and_taken_off() {
    for (level, dtype) in [(0, DType::I64), (3, DType::I64), (3, DType::U8), (0, DType::I16)] {
        let kernel = load(&from_the_front(dtype), &options(level));
        let before = Runtime::alive();
        for (count, off, first, left) in [(100, 30, 69, 71), (5, -3, 4, 6), (5, 5, 1, 1), (5, 1 << 40, 1, 0)]
        {
            let words = kernel.call("f", &[count, i64::cast_unsigned(off)]).unwrap();
            assert_eq!(words[..2], [first, left], "{dtype} {count} {off}");
            // SAFETY: the result is a list with one count.
            unsafe { release((words[2] as *mut List).cast()) };
        }
        assert_eq!(Runtime::alive(), before);
    }
}

#[test]
fn growth_in_front_that_fails_releases_the_list() {
    let kernel = load(&from_the_front(DType::I64), &options(3));
    let before = Runtime::alive();
    Runtime::fail_after(3);
    let failure = kernel.call("f", &[100, 0]).unwrap_err();
    assert_eq!(failure.kind, ExcKind::MemoryError as u32);
    assert_eq!(Runtime::alive(), before);
    Runtime::fail_after(-1);
}

/// Three items; reads one, or writes it first.
fn access(dtype: DType, write: bool) -> Module {
    let (list, item) = (Type::list(dtype), Type::Scalar(dtype));
    single(&[Type::I64, item, item, item], &[item], |b, p| {
        let made = b.value(OpKind::ListNew, p[1..].to_vec(), list);
        b.new_slot();
        b.own(made, 0);
        if write {
            let last = p[3];
            b.effect(OpKind::ListSet, vec![made, p[0], last]);
        }
        Some(vec![b.value(OpKind::ListGet, vec![made, p[0]], item)])
    })
}

#[test]
fn indices_count_from_both_ends() {
    for dtype in [DType::I64, DType::Bool, DType::U8, DType::F32] {
        let (get, set) = (load(&access(dtype, false), &options(3)), load(&access(dtype, true), &options(3)));
        for (index, want) in [(0_i64, 0), (1, 1), (2, 1), (-1, 1), (-3, 0)] {
            let words = [index.cast_unsigned(), 0, 1, 1];
            assert_eq!(get.call("f", &words).unwrap(), [want], "{dtype} {index}");
            assert_eq!(set.call("f", &words).unwrap(), [1], "{dtype} {index}");
        }
        for index in [3_i64, -4, i64::MAX, i64::MIN] {
            let words = [index.cast_unsigned(), 0, 1, 1];
            let failure = get.call("f", &words).unwrap_err();
            assert_eq!(failure.message.as_deref(), Some("list index out of range"));
            let failure = set.call("f", &words).unwrap_err();
            assert_eq!(failure.message.as_deref(), Some("list assignment index out of range"));
            assert_eq!(failure.kind, ExcKind::IndexError as u32);
        }
    }
}

#[test]
fn lists_of_complex_numbers() {
    let (list, item) = (Type::list(DType::C128), Type::Scalar(DType::C128));
    let m = single(&[item, item], &[item], |b, p| {
        let made = b.value(OpKind::ListNew, vec![p[0]], list);
        b.new_slot();
        b.own(made, 0);
        b.effect(OpKind::ListAppend, vec![made, p[1]]);
        let one = b.int(1);
        let got = b.value(OpKind::ListGet, vec![made, one], item);
        Some(vec![b.elem(ElemOp::Conj, &[got])])
    });
    let words = load(&m, &options(3)).call("f", &[0, 0, 2.0_f64.to_bits(), 3.0_f64.to_bits()]).unwrap();
    assert_eq!(words, [2.0_f64.to_bits(), (-3.0_f64).to_bits()]);
}
