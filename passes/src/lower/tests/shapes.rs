use pydd_ir::Version;

use super::{agree, agree_but_for_words, count_named, fast, lowered, module};
use crate::testing::call;

fn sliced(items: &str, operands: usize, source: u8, rank: u8) -> pydd_ir::Module {
    let params: Vec<String> = (1..=operands).map(|k| format!("%{k}: i64")).collect();
    let names: Vec<String> = (0..=operands).map(|k| format!("%{k}")).collect();
    let view = operands + 1;
    module(
        &format!(
            "({}) -> (array<f64, {rank}>)",
            [vec![format!("%0: array<f64, {source}>")], params].concat().join(", ")
        ),
        &format!("%{view}: array<f64, {rank}> = view[{items}] {}\n  return %{view}", names.join(", ")),
    )
}

const ARRAYS: [&str; 4] = ["[]", "[1.0]", "[1.0, 2.0, 3.0]", "[1.0, 2.0, 3.0, 4.0, 5.0]"];
const BOUNDS: [i64; 12] = [0, 1, 2, 4, 5, 6, -1, -2, -5, -6, i64::MAX, i64::MIN];

#[test]
fn slices_are_those_of_python() {
    let two = sliced("start:stop", 2, 1, 1);
    for array in ARRAYS {
        for start in BOUNDS {
            for stop in BOUNDS {
                agree_quickly(&two, &format!("{array}, {start}, {stop}"));
            }
        }
    }
}

#[test]
fn slices_with_steps_are_those_of_python() {
    let three = sliced("start:stop:step", 3, 1, 1);
    let lowered = super::lowered(&three, pydd_ir::Version::Fast);
    for array in [ARRAYS[0], ARRAYS[3]] {
        for start in BOUNDS {
            for stop in BOUNDS {
                for step in [1, 2, 7, -1, -2, i64::MAX, i64::MIN] {
                    let args = format!("{array}, {start}, {stop}, {step}");
                    let expected = crate::testing::call(&three, "f", &args);
                    assert_eq!(crate::testing::call(&lowered, "f", &args), expected, "{args}");
                }
            }
        }
    }
    let error = agree(&three, "[1.0], 0, 1, 0").unwrap_err();
    assert_eq!(error, "ValueError: slice step cannot be zero");
}

fn agree_quickly(m: &pydd_ir::Module, args: &str) {
    let lowered = super::lowered(m, pydd_ir::Version::Fast);
    assert_eq!(crate::testing::call(&lowered, "f", args), crate::testing::call(m, "f", args), "{args}");
}

#[test]
fn constant_slices_are_those_of_python() {
    for (items, consts) in [
        ("start:", vec![1]),
        ("start:", vec![-2]),
        ("start:", vec![7]),
        (":stop", vec![-1]),
        (":stop", vec![2]),
        ("start:stop", vec![1, -1]),
        ("start:stop", vec![3, 1]),
        ("::step", vec![2]),
        ("::step", vec![-1]),
        ("::step", vec![-2]),
        ("start::step", vec![-2, -1]),
        ("start:stop:step", vec![4, 0, -2]),
        (":stop:step", vec![1, -3]),
        ("start:stop:step", vec![1, 4, 2]),
    ] {
        let defs: Vec<String> =
            consts.iter().enumerate().map(|(k, n)| format!("%{}: i64 = const {n}", k + 1)).collect();
        let names: Vec<String> = (0..=consts.len()).map(|k| format!("%{k}")).collect();
        let m = module(
            "(%0: array<f64, 1>) -> (array<f64, 1>)",
            &format!(
                "{}\n  %9: array<f64, 1> = view[{items}] {}\n  return %9",
                defs.join("\n  "),
                names.join(", ")
            ),
        );
        for array in ARRAYS {
            agree_quickly(&m, array);
        }
    }
}

#[test]
fn rows_columns_and_new_axes() {
    let m = sliced("at", 1, 2, 1);
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], -1").unwrap();
    let error = agree(&m, "[[1.0, 2.0], [3.0, 4.0]], 2").unwrap_err();
    assert_eq!(error, "IndexError: index 2 is out of bounds for axis 0 with size 2");
    let m = sliced(":, at", 1, 2, 1);
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], 1").unwrap();
    let error = agree(&m, "[[1.0, 2.0], [3.0, 4.0]], -3").unwrap_err();
    assert_eq!(error, "IndexError: index -3 is out of bounds for axis 1 with size 2");
    agree(&sliced("new, ::step, new", 1, 1, 3), "[1.0, 2.0, 3.0], 2").unwrap();
    agree(&sliced("at, at", 2, 2, 0), "[[1.0, 2.0], [3.0, 4.0]], 1, 0").unwrap();
}

#[test]
fn row_of_a_matrix_has_no_gaps() {
    let body = "%2: array<f64, 1> = view[at] %0, %1\n  %3: f64 = reduce[sum] %2\n  return %3";
    let m = module("(%0: array<f64, 2>, %1: i64) -> (f64)", body);
    assert_eq!(count_named(&fast(&m), "Stride"), 0);
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], 1").unwrap();
}

fn reshape(source: u8, dims: &[i64]) -> pydd_ir::Module {
    let rank = dims.len();
    let defs: Vec<String> =
        dims.iter().enumerate().map(|(k, n)| format!("%{}: i64 = const {n}", k + 1)).collect();
    let names: Vec<String> = (0..=rank).map(|k| format!("%{k}")).collect();
    module(
        &format!("(%0: array<f64, {source}>) -> (array<f64, {rank}>)"),
        &format!(
            "{}\n  %9: array<f64, {rank}> = reshape {}\n  return %9",
            defs.join("\n  "),
            names.join(", ")
        ),
    )
}

#[test]
fn reshape_infers_and_checks() {
    agree(&reshape(1, &[2, 3]), "[1, 2, 3, 4, 5, 6]").unwrap();
    agree(&reshape(1, &[-1, 3]), "[1, 2, 3, 4, 5, 6]").unwrap();
    agree(&reshape(1, &[3, -1, 1]), "[1, 2, 3, 4, 5, 6]").unwrap();
    agree(&reshape(2, &[-1]), "[[1, 2], [3, 4]]").unwrap();
    let error = agree(&reshape(1, &[4]), "[1, 2, 3, 4, 5, 6]").unwrap_err();
    assert_eq!(error, "ValueError: cannot reshape array of size 6 into shape (4,)");
    let error = agree_but_for_words(&reshape(1, &[-1, 4]), "[1, 2, 3, 4, 5, 6]");
    assert_eq!(error, "ValueError: cannot reshape array of size 6 into shape (4)");
    let error = agree_but_for_words(&reshape(1, &[4, -1]), "[1, 2, 3, 4, 5, 6]");
    assert_eq!(error, "ValueError: cannot reshape array of size 6 into shape (4,newaxis)");
    agree_but_for_words(&reshape(1, &[-1, 0]), "[]");
    agree(&reshape(1, &[0, 3]), "[]").unwrap();
    let huge = reshape(1, &[1 << 32, 1 << 32]);
    call(&lowered(&huge, Version::Fast), "f", "[]").unwrap_err();
}

#[test]
fn reshape_by_values_infers_and_checks() {
    let m = module(
        "(%0: array<f64, 1>, %1: i64, %2: i64) -> (array<f64, 2>)",
        "%3: array<f64, 2> = reshape %0, %1, %2\n  return %3",
    );
    agree(&m, "[1, 2, 3, 4], 2, 2").unwrap();
    agree(&m, "[1, 2, 3, 4], 4, -1").unwrap();
    agree(&m, "[1, 2, 3, 4], -1, -1").unwrap_err();
    agree_but_for_words(&m, "[1, 2, 3, 4], 3, -1");
}

#[test]
fn reshape_of_a_strided_vector_is_a_view() {
    let m = module(
        "(%0: array<f64, 1>) -> ()",
        "%1: i64 = const 2
  %2: i64 = const 1
  %3: array<f64, 1> = view[::step] %0, %1
  %4: array<f64, 2> = reshape %3, %1, %1
  %5: f64 = const 9.0
  store %4, %5, %2, %2
  return",
    );
    let result = call(&lowered(&m, Version::Fast), "f", "[1, 2, 3, 4, 5, 6, 7, 8]").unwrap();
    assert_eq!(result[0], "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 9.0, 8.0] of shape [8]");
}

#[test]
fn reshape_of_a_transposed_matrix_copies() {
    let m = module(
        "(%0: array<f64, 2>) -> (array<f64, 1>)",
        "%1: i64 = const -1
  %2: array<f64, 2> = transpose[1, 0] %0
  %3: array<f64, 1> = reshape %2, %1
  return %3",
    );
    agree(&m, "[[1, 2], [3, 4]]").unwrap();
    assert_eq!(count_named(&fast(&m), "IsContiguous"), 1);
}

#[test]
fn broadcast_to_stretches_and_checks() {
    let m = module(
        "(%0: array<f64, 2>, %1: i64, %2: i64, %3: i64) -> (array<f64, 3>)",
        "%4: array<f64, 3> = broadcast_to %0, %1, %2, %3\n  return %4",
    );
    agree(&m, "[[1, 2]], 2, 3, 2").unwrap();
    agree(&m, "[[1], [2]], 1, 2, 3").unwrap();
    agree_but_for_words(&m, "[[1, 2]], 2, 3, 3");
    let error = call(&lowered(&m, Version::Fast), "f", "[[1, 2]], 2, -3, 2").unwrap_err();
    assert_eq!(error, "ValueError: all elements of broadcast shape must be non-negative");
    agree(&m, "[[1, 2]], 0, 3, 2").unwrap();
}

#[test]
fn creation() {
    let m = module(
        "(%0: i64, %1: f64, %2: i32) -> (array<f64, 2>, array<f64, 1>, array<i32, 1>, array<f64, 1>)",
        "%3: array<f64, 2> = full %1, %0, %0
  %4: array<f64, 1> = iota %1, %1, %0
  %5: array<i32, 1> = iota %2, %2, %0
  %6: f64 = const 0.0
  %7: array<f64, 1> = full %6, %0
  %8: array<f64, 2> = transpose[1, 0] %3
  %9: array<f64, 2> = copy %8
  return %9, %4, %5, %7",
    );
    assert_eq!(count_named(&fast(&m), "Zeros"), 1);
    agree(&m, "3, 0.5, 2").unwrap();
    agree(&m, "0, 0.5, 2").unwrap();
}

#[test]
fn negative_count_of_iota_is_none() {
    let m =
        module("(%0: f64, %1: i64) -> (array<f64, 1>)", "%2: array<f64, 1> = iota %0, %0, %1\n  return %2");
    agree(&m, "0.5, -2").unwrap();
    agree(&m, "0.5, 2").unwrap();
}
