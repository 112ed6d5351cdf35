use super::{agree, count_named, fast, module};

fn reduction(op: &str, from: &str, to: &str) -> pydd_ir::Module {
    module(&format!("(%0: {from}) -> ({to})"), &format!("%1: {to} = reduce[{op}] %0\n  return %1"))
}

const MATRIX: &str = "[[1.0, -2.0, 3.0], [4.0, 0.5, -6.0]]";

#[test]
fn all_axes() {
    for op in ["sum", "prod", "min", "max"] {
        let m = reduction(op, "array<f64, 2>", "f64");
        agree(&m, MATRIX).unwrap();
        agree(&m, "[[1.0, nan], [2.0, 3.0]]").unwrap();
        agree(&m, "[[inf]]").unwrap();
    }
    for op in ["any", "all"] {
        agree(&reduction(op, "array<f64, 2>", "bool"), MATRIX).unwrap();
        agree(&reduction(op, "array<f64, 1>", "bool"), "[0.0, nan]").unwrap();
        agree(&reduction(op, "array<f64, 1>", "bool"), "[]").unwrap();
    }
    for op in ["argmin", "argmax"] {
        let m = reduction(op, "array<f64, 2>", "i64");
        agree(&m, MATRIX).unwrap();
        agree(&m, "[[1.0, nan], [nan, -3.0]]").unwrap();
        agree(&m, "[[nan]]").unwrap();
        agree(&m, "[[inf, inf], [-inf, -inf]]").unwrap();
    }
}

#[test]
fn all_element_types() {
    for ty in ["i8", "u8", "i64", "u64", "f32"] {
        for op in ["sum", "prod", "min", "max"] {
            agree(&reduction(op, &format!("array<{ty}, 1>"), ty), "[3, 1, 7, 2]").unwrap();
        }
        agree(&reduction("argmax", &format!("array<{ty}, 1>"), "i64"), "[3, 1, 7, 2]").unwrap();
    }
    agree(&reduction("argmin", "array<i64, 1>", "i64"), "[9223372036854775807]").unwrap();
    agree(&reduction("max", "array<i8, 1>", "i8"), "[-128, -127]").unwrap();
    agree(&reduction("argmin", "array<bool, 1>", "i64"), "[true, false, false]").unwrap();
    agree(&reduction("max", "array<bool, 1>", "bool"), "[true, false]").unwrap();
    agree(&reduction("sum", "array<c128, 1>", "c128"), "[1+2j, 3-1j]").unwrap();
}

#[test]
fn nothing_to_reduce_raises() {
    let error = agree(&reduction("min", "array<f64, 1>", "f64"), "[]").unwrap_err();
    assert!(error.contains("zero-size array to reduction operation minimum"), "{error}");
    let error = agree(&reduction("argmax", "array<f64, 1>", "i64"), "[]").unwrap_err();
    assert_eq!(error, "ValueError: attempt to get argmax of an empty sequence");
    agree(&reduction("sum", "array<f64, 1>", "f64"), "[]").unwrap();
    agree(&reduction("max axes 1", "array<f64, 2>", "array<f64, 1>"), "[[], []]").unwrap_err();
    agree(&reduction("sum axes 1", "array<f64, 2>", "array<f64, 1>"), "[[], []]").unwrap();
}

#[test]
fn some_axes() {
    for op in ["sum", "prod", "min", "max"] {
        for axes in ["axes 0", "axes 1", "axes 2", "axes 0 2", "axes 1 2", "axes 0 1"] {
            let rank = 4 - axes.split(' ').count();
            let m = reduction(&format!("{op} {axes}"), "array<f64, 3>", &format!("array<f64, {rank}>"));
            agree(&m, "[[[1.0, 2.0], [3.0, 4.0], [5.0, 0.5]], [[-1.0, 2.0], [-3.0, 0.25], [9.0, 1.0]]]")
                .unwrap();
            let m = reduction(&format!("{op} {axes} keepdims"), "array<f64, 3>", "array<f64, 3>");
            agree(&m, "[[[1.0, 2.0], [3.0, 4.0], [5.0, 0.5]], [[-1.0, 2.0], [-3.0, 0.25], [9.0, 1.0]]]")
                .unwrap();
        }
    }
    for op in ["argmin", "argmax"] {
        for axis in 0..2 {
            let m = reduction(&format!("{op} axes {axis}"), "array<f64, 2>", "array<i64, 1>");
            agree(&m, "[[1.0, nan, 3.0], [1.0, 2.0, -3.0], [0.5, nan, 3.0]]").unwrap();
        }
    }
    agree(&reduction("sum keepdims", "array<f64, 2>", "array<f64, 2>"), MATRIX).unwrap();
    agree(&reduction("any axes 0", "array<f64, 2>", "array<bool, 1>"), "[[0.0, 1.0], [0.0, 0.0]]").unwrap();
}

#[test]
fn rows_are_accumulated_for_the_first_axis() {
    let f = fast(&reduction("sum axes 0", "array<f64, 2>", "array<f64, 1>"));
    assert_eq!(count_named(&f, "StoreRaw"), 2, "the start and the accumulation");
    let f = fast(&reduction("sum axes 1", "array<f64, 2>", "array<f64, 1>"));
    assert_eq!(count_named(&f, "StoreRaw"), 1);
}

#[test]
fn mapped_reduction_has_no_temporary() {
    let m = module(
        "(%0: array<f64, 2>, %1: array<f64, 1>) -> (f64, array<f64, 1>, array<f64, 1>)",
        "%2: f64 = map[reduce sum] %0, %1 {
  (%3: f64, %4: f64):
    %5: f64 = mul %3, %4
    yield %5
  }
  %6: array<f64, 1> = map[reduce max axes 0] %0, %1 {
  (%7: f64, %8: f64):
    %9: f64 = mul %7, %8
    yield %9
  }
  %10: array<f64, 1> = map[reduce sum axes 1] %0, %1 {
  (%11: f64, %12: f64):
    %13: f64 = mul %11, %12
    yield %13
  }
  return %2, %6, %10",
    );
    assert_eq!(count_named(&fast(&m), "Empty"), 2);
    agree(&m, "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [1.0, 0.0, -1.0]").unwrap();
    agree(&m, "[[1.0], [4.0]], [1.0, 0.0, -1.0]").unwrap();
    agree(&m, "[[1.0, 2.0], [4.0, 5.0]], [1.0, 0.0, -1.0]").unwrap_err();
}

#[test]
fn long_sum_is_blocked() {
    let m = module(
        "(%0: i64) -> (f64)",
        "%1: f64 = const 1.0\n  %2: array<f64, 1> = full %1, %0\n  %3: f64 = reduce[sum] %2\n  return %3",
    );
    for n in ["4095", "4096", "4097", "10000", "0"] {
        agree(&m, n).unwrap();
    }
}
