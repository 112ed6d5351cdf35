//! Checks, exceptions, and what is released when they leave a function.

use super::load::{load, options};
use super::make::{F64_1, Ops, export, function, module, single};
use pydd_abi::{ExcKind, SITE_KEY};
use pydd_ir::{ElemOp, Exc, Loc, Message, Module, OpKind, Type, Version};
use pydd_test_support::runtime::Runtime;

/// `if not 0 <= p < 10: raise IndexError`
fn checked() -> Module {
    single(&[Type::I64], &[Type::I64], |b, p| {
        let (zero, ten) = (b.int(0), b.int(10));
        let low = b.elem(ElemOp::Ge, &[p[0], zero]);
        let high = b.elem(ElemOp::Lt, &[p[0], ten]);
        let ok = b.elem(ElemOp::And, &[low, high]);
        b.loc = Loc { line: 7, column: 3, scope: 0 };
        b.check(ok, Exc::IndexError, "index {0} is out of bounds for size {1}", &[p[0], ten]);
        Some(vec![p[0]])
    })
}

#[test]
fn a_failing_check_says_where_and_what() {
    let kernel = load(&checked(), &options(3));
    assert_eq!(kernel.call("f", &[9]).unwrap(), [9]);
    let failure = kernel.call("f", &[(-4_i64).cast_unsigned()]).unwrap_err();
    assert_eq!(failure.kind, ExcKind::IndexError as u32);
    assert_eq!((failure.line, failure.function.as_str()), (7, "<module>"));
    assert_eq!(failure.message.as_deref(), Some("index {0} is out of bounds for size {1}"));
    assert_eq!(failure.payload[..2], [-4, 10]);
}

#[test]
fn an_exception_may_have_no_message() {
    let m = single(&[], &[], |b, _| {
        b.effect(OpKind::Raise { exc: Exc::KeyError, message: None }, vec![]);
        None
    });
    let failure = load(&m, &options(1)).call("f", &[]).unwrap_err();
    assert_eq!(failure.kind, ExcKind::KeyError as u32);
    assert_eq!(failure.message, None);
}

#[test]
fn a_key_is_told_from_a_text_that_looks_like_one() {
    let one = |message| OpKind::Check { exc: Exc::KeyError, message: Some(message) };
    let m = single(&[Type::BOOL, Type::I64], &[], |b, p| {
        b.effect(one(Message::Text("{0}".to_owned())), p.to_vec());
        b.effect(one(Message::Key("{0}".to_owned())), p.to_vec());
        Some(vec![])
    });
    let flags: Vec<u32> = load(&m, &options(0)).sites().iter().map(|site| site.flags).collect();
    assert_eq!(flags, [0, SITE_KEY]);
}

#[test]
fn equal_sites_are_one() {
    let m = single(&[Type::BOOL], &[], |b, p| {
        for _ in 0..3 {
            b.check(p[0], Exc::ValueError, "no", &[]);
        }
        b.loc.line = 2;
        b.check(p[0], Exc::ValueError, "no", &[]);
        Some(vec![])
    });
    assert_eq!(load(&m, &options(0)).sites().len(), 2);
}

#[test]
fn callees_name_their_own_site() {
    let mut m = module();
    let scope = m.scope("inner");
    let inner = function("inner", Version::Any, &[Type::BOOL], &[], |b, p| {
        b.loc = Loc { line: 3, column: 1, scope };
        b.check(p[0], Exc::ValueError, "inner", &[]);
        Some(vec![])
    });
    let inner = m.funcs.push(inner);
    let outer = function("outer", Version::Any, &[Type::BOOL], &[], |b, p| {
        b.loc.line = 9;
        b.effect(OpKind::Call(inner), vec![p[0]]);
        Some(vec![])
    });
    export(&mut m, outer);
    let failure = load(&m, &options(0)).call("outer", &[0]).unwrap_err();
    assert_eq!((failure.line, failure.function.as_str()), (3, "inner"));
}

/// Holds two arrays, then checks.
fn holding() -> Module {
    single(&[Type::I64, Type::BOOL], &[F64_1], |b, p| {
        let first = b.empty(&[p[0]], F64_1);
        b.empty(&[p[0]], F64_1);
        b.check(p[1], Exc::ValueError, "no", &[]);
        Some(vec![first])
    })
}

#[test]
fn an_error_releases_what_the_frame_holds() {
    for level in [0, 3] {
        let kernel = load(&holding(), &options(level));
        let before = Runtime::alive();
        kernel.call("f", &[10, 0]).unwrap_err();
        assert_eq!(Runtime::alive(), before);
        let words = kernel.call("f", &[10, 1]).unwrap();
        assert_eq!(Runtime::alive(), before + 1);
        drop(pydd_test_support::runtime::Returned::new(&words));
        assert_eq!(Runtime::alive(), before);
    }
}

#[test]
fn failed_allocations_are_memory_errors_at_their_line() {
    let kernel = load(&holding(), &options(3));
    let before = Runtime::alive();
    for nth in [0, 1] {
        Runtime::fail_after(nth);
        let failure = kernel.call("f", &[10, 1]).unwrap_err();
        assert_eq!((failure.kind, failure.line), (ExcKind::MemoryError as u32, 1));
        assert_eq!(Runtime::alive(), before);
    }
    Runtime::fail_after(-1);
}
