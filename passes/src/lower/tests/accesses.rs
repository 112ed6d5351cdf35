use super::{agree, count_named, fast, module};

const GET: &str = "%2: f64 = load %0, %1
  return %2";

#[test]
fn load_counts_from_the_end_and_checks() {
    let m = module("(%0: array<f64, 1>, %1: i64) -> (f64)", GET);
    assert_eq!(agree(&m, "[1.0, 2.0, 3.0], -1").unwrap()[0], "3.0");
    assert_eq!(agree(&m, "[1.0, 2.0, 3.0], 0").unwrap()[0], "1.0");
    let error = agree(&m, "[1.0, 2.0, 3.0], -4").unwrap_err();
    assert_eq!(error, "IndexError: index -4 is out of bounds for axis 0 with size 3");
    agree(&m, "[1.0, 2.0, 3.0], 3").unwrap_err();
    agree(&m, "[1.0], 9223372036854775807").unwrap_err();
    agree(&m, "[1.0], -9223372036854775808").unwrap_err();
    agree(&m, "[], 0").unwrap_err();
}

#[test]
fn index_is_checked_on_each_axis() {
    let m =
        module("(%0: array<i64, 2>, %1: i64, %2: i64) -> (i64)", "%3: i64 = load %0, %1, %2\n  return %3");
    agree(&m, "[[1, 2], [3, 4]], -1, 0").unwrap();
    let error = agree(&m, "[[1, 2], [3, 4]], 1, 2").unwrap_err();
    assert_eq!(error, "IndexError: index 2 is out of bounds for axis 1 with size 2");
}

/// `for i in range(a.shape[0]): a[i] = …`
const OWN_LENGTH: &str = "%1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  for %1, %3, %2 {
  (%4: i64):
    %5: f64 = load %0, %4
    store %0, %5, %4
    continue[0]
  }
  return";

#[test]
fn own_length_needs_no_check() {
    let m = module("(%0: array<f64, 1>) -> ()", OWN_LENGTH);
    assert_eq!(count_named(&fast(&m), "Check"), 0);
    agree(&m, "[1.0, 2.0]").unwrap();
}

#[test]
fn other_length_is_checked_once() {
    let m = module("(%0: array<f64, 1>, %9: i64) -> ()", &OWN_LENGTH.replace("%3, %2 {", "%9, %2 {"));
    assert_eq!(count_named(&fast(&m), "Check"), 1);
    assert_eq!(count_named(&fast(&m), "Elem"), 1, "no wrap of negative indices");
    agree(&m, "[1.0, 2.0], 2").unwrap();
    agree(&m, "[1.0, 2.0], 3").unwrap_err();
}

#[test]
fn stencil_of_the_inner_range_needs_no_check() {
    let m = module(
        "(%0: array<f64, 1>) -> (array<f64, 1>)",
        "%1: i64 = const 1
  %2: i64 = dim[0] %0
  %3: array<f64, 1> = zeros %2
  %4: i64 = sub %2, %1
  for %1, %4, %1 {
  (%5: i64):
    %6: i64 = sub %5, %1
    %7: i64 = add %5, %1
    %8: f64 = load %0, %6
    %9: f64 = load %0, %7
    %10: f64 = add %8, %9
    store %3, %10, %5
    continue[0]
  }
  return %3",
    );
    assert_eq!(count_named(&fast(&m), "Check"), 0);
    agree(&m, "[1.0, 2.0, 4.0, 8.0]").unwrap();
    agree(&m, "[]").unwrap();
}

#[test]
fn wrapped_differences_are_no_proof() {
    // `min(x, n) - 1` wraps for the least x.
    let m = module(
        "(%0: array<f64, 1>, %1: i64) -> (f64)",
        "%2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: i64 = min %1, %3
  %5: i64 = sub %4, %2
  %6: f64 = const 0.0
  %7: i64 = const 0
  %8: f64 = for %7, %5, %2, %6 {
  (%9: i64, %10: f64):
    %11: f64 = load %0, %9
    continue[0] %11
  }
  return %8",
    );
    assert_eq!(count_named(&fast(&m), "Check"), 1);
    agree(&m, "[1.0, 2.0], 2").unwrap();
    agree(&m, "[1.0, 2.0], -9223372036854775808").unwrap_err();
}

#[test]
fn counting_down_needs_no_check() {
    let m = module(
        "(%0: array<f64, 1>) -> ()",
        "%1: i64 = const -1
  %2: i64 = const 1
  %3: i64 = dim[0] %0
  %4: i64 = sub %3, %2
  for %4, %1, %1 {
  (%5: i64):
    %6: f64 = load %0, %5
    store %0, %6, %5
    continue[0]
  }
  return",
    );
    assert_eq!(count_named(&fast(&m), "Check"), 0);
    agree(&m, "[1.0, 2.0]").unwrap();
}

#[test]
fn same_index_is_checked_once_in_a_block() {
    let m = module(
        "(%0: array<f64, 1>, %1: i64) -> ()",
        "%2: f64 = load %0, %1\n  %3: f64 = add %2, %2\n  store %0, %3, %1\n  return",
    );
    assert_eq!(count_named(&fast(&m), "Check"), 1);
    agree(&m, "[1.0, 2.0], -2").unwrap();
}

#[test]
fn check_in_one_branch_does_not_hold_in_the_other() {
    let m = module(
        "(%0: array<f64, 1>, %1: i64, %2: bool) -> (f64)",
        "%3: f64 = if %2 {
    %4: f64 = load %0, %1
    yield %4
  } else {
    %5: f64 = load %0, %1
    yield %5
  }
  return %3",
    );
    assert_eq!(count_named(&fast(&m), "Check"), 2);
    agree(&m, "[1.0, 2.0], 1, true").unwrap();
    agree(&m, "[1.0, 2.0], 2, false").unwrap_err();
}
