use super::{agree, count_named, fast, module};

#[test]
fn integer_division_is_checked() {
    for op in ["floordiv", "mod", "fmod"] {
        let m = module("(%0: i32, %1: i32) -> (i32)", &format!("%2: i32 = {op} %0, %1\n  return %2"));
        agree(&m, "-7, 2").unwrap();
        agree(&m, "-2147483648, -1").unwrap();
        assert!(agree(&m, "7, 0").unwrap_err().starts_with("ZeroDivisionError"));
    }
}

#[test]
fn constant_divisor_needs_no_check() {
    let m = module("(%0: i64) -> (i64)", "%1: i64 = const 3\n  %2: i64 = floordiv %0, %1\n  return %2");
    assert_eq!(count_named(&fast(&m), "Check"), 0);
    agree(&m, "-7").unwrap();
}

#[test]
fn negative_integer_power_is_checked() {
    let m = module("(%0: i64, %1: i64) -> (i64)", "%2: i64 = pow %0, %1\n  return %2");
    agree(&m, "3, 4").unwrap();
    let error = agree(&m, "3, -1").unwrap_err();
    assert_eq!(error, "ValueError: Integers to negative integer powers are not allowed.");
    let m = module("(%0: u8, %1: u8) -> (u8)", "%2: u8 = pow %0, %1\n  return %2");
    assert_eq!(count_named(&fast(&m), "Check"), 0);
}

#[test]
fn zero_step_is_checked() {
    let m = module(
        "(%0: i64) -> (i64)",
        "%1: i64 = const 0
  %2: i64 = const 10
  %3: i64 = for %1, %2, %0, %1 {
  (%4: i64, %5: i64):
    %6: i64 = add %5, %4
    continue[0] %6
  }
  return %3",
    );
    agree(&m, "3").unwrap();
    agree(&m, "-3").unwrap();
    assert_eq!(agree(&m, "0").unwrap_err(), "ValueError: range() arg 3 must not be zero");
}

#[test]
fn carried_arrays_keep_their_lengths() {
    // u, v = v, u * 2, three times
    let m = module(
        "(%0: i64) -> (array<f64, 1>, array<f64, 1>)",
        "%1: f64 = const 1.0
  %2: f64 = const 3.0
  %3: array<f64, 1> = full %1, %0
  %4: array<f64, 1> = full %2, %0
  %5: i64 = const 0
  %6: i64 = const 1
  %7: i64 = const 3
  %8: array<f64, 1>, %9: array<f64, 1> = for %5, %7, %6, %3, %4 {
  (%10: i64, %11: array<f64, 1>, %12: array<f64, 1>):
    %13: array<f64, 1> = add %11, %12
    continue[0] %12, %13
  }
  return %8, %9",
    );
    let f = fast(&m);
    assert_eq!(count_named(&f, "Check"), 0, "equal lengths are known");
    assert_eq!(count_named(&f, "If"), 0);
    agree(&m, "2").unwrap();
}

#[test]
fn branches_calls_and_lists_are_kept() {
    let m = crate::testing::parse(
        "func @f array (%0: list<f64>, %1: array<f64, 1>) -> (f64) {
  %2: f64 = call[@g] %1
  list_append %0, %2
  %3: i64 = list_len %0
  %4: i64 = const 1
  %5: i64 = sub %3, %4
  %6: f64 = list_get %0, %5
  return %6
}
func @g array (%0: array<f64, 1>) -> (f64) {
  %1: f64 = reduce[sum] %0
  return %1
}
",
    );
    agree(&m, "[1.0], [1.0, 2.0]").unwrap();
}

#[test]
fn parallel_loop_is_kept() {
    let m = module(
        "(%0: array<f64, 1>) -> (f64)",
        "%1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: f64 = const 0.0
  %5: f64 = pfor[sum] %1, %3, %2, %4 {
  (%6: i64, %7: f64):
    %8: f64 = load %0, %6
    %9: array<f64, 1> = full %8, %2
    %10: f64 = load %9, %1
    %11: f64 = add %7, %10
    continue[0] %11
  }
  return %5",
    );
    assert_eq!(count_named(&fast(&m), "Check"), 0);
    agree(&m, "[1.0, 2.0, 4.0]").unwrap();
}
