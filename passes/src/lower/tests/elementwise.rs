use super::{agree, count_named, fast, module};

const ADD: &str = "%2: array<f64, R> = add %0, %1\n  return %2";

fn add(a: u8, b: u8) -> pydd_ir::Module {
    module(
        &format!("(%0: array<f64, {a}>, %1: array<f64, {b}>) -> (array<f64, {}>)", a.max(b)),
        &ADD.replace('R', &a.max(b).to_string()),
    )
}

#[test]
fn arrays_broadcast() {
    let m = add(2, 2);
    agree(&m, "[[1.0, 2.0]], [[3.0, 4.0]]").unwrap();
    agree(&m, "[[1.0, 2.0]], [[3.0], [4.0]]").unwrap();
    agree(&m, "[[1.0]], [[3.0, 4.0], [5.0, 6.0]]").unwrap();
    let m = add(2, 1);
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [3.0, 4.0]").unwrap();
    agree(&m, "[[1.0], [2.0]], [3.0, 4.0]").unwrap();
    let error = agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [3.0, 4.0, 5.0]").unwrap_err();
    assert_eq!(error, "ValueError: operands could not be broadcast together with shapes (2,2) (3,) ");
    agree(&add(0, 0), "1.0, 2.0").unwrap();
    agree(&add(0, 1), "1.0, [2.0]").unwrap();
}

#[test]
fn empty_arrays_broadcast() {
    let m = add(1, 1);
    agree(&m, "[], []").unwrap();
    agree(&m, "[1.0], []").unwrap();
    agree(&m, "[1.0, 2.0], []").unwrap_err();
}

#[test]
fn lengths_that_may_differ_give_two_loops_in_the_fast_version() {
    let m = add(1, 1);
    assert_eq!(count_named(&fast(&m), "For"), 2);
    let general = super::lowered(&m, pydd_ir::Version::General);
    assert_eq!(count_named(&general.funcs[pydd_ir::Entity::new(0)], "For"), 1);
}

#[test]
fn arrays_without_gaps_are_nests_until_rows_are_joined() {
    let m = module(
        "(%0: array<f64, 3>) -> (array<f64, 3>)",
        "%1: array<f64, 3> = mul %0, %0\n  %2: array<f64, 3> = add %1, %0\n  return %2",
    );
    let f = fast(&m);
    assert_eq!((count_named(&f, "For"), count_named(&f, "If"), count_named(&f, "Check")), (6, 0, 0));
    agree(&m, "[[[1.0, 2.0]], [[3.0, 4.0]]]").unwrap();
}

#[test]
fn transposed_input_is_a_nest() {
    let m = module(
        "(%0: array<f64, 2>) -> (array<f64, 2>)",
        "%1: array<f64, 2> = transpose[1, 0] %0\n  %2: array<f64, 2> = neg %1\n  return %2",
    );
    assert_eq!(count_named(&fast(&m), "For"), 2);
    agree(&m, "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]").unwrap();
}

#[test]
fn scalars_stand_for_themselves() {
    let m = module(
        "(%0: array<i32, 1>, %1: i32) -> (array<bool, 1>, array<i32, 1>)",
        "%2: array<bool, 1> = lt %0, %1\n  %3: array<i32, 1> = select %2, %0, %1\n  return %2, %3",
    );
    agree(&m, "[1, 5, 9], 5").unwrap();
}

#[test]
fn division_by_a_zero_element_raises() {
    let m = module(
        "(%0: array<i64, 1>, %1: array<i64, 1>) -> (array<i64, 1>)",
        "%2: array<i64, 1> = floordiv %0, %1\n  return %2",
    );
    agree(&m, "[7, -7], [2, 2]").unwrap();
    assert!(agree(&m, "[7, -7], [2, 0]").unwrap_err().starts_with("ZeroDivisionError"));
}

#[test]
fn cast_converts_each_element() {
    let m = module("(%0: array<f64, 2>) -> (array<i8, 2>)", "%1: array<i8, 2> = cast %0\n  return %1");
    agree(&m, "[[1.5, -2.5], [300.0, nan]]").unwrap();
}

#[test]
fn map_gives_several_arrays() {
    let m = module(
        "(%0: array<f64, 2>, %1: array<f64, 1>, %2: f64) -> (array<f64, 2>, array<bool, 2>)",
        "%3: array<f64, 2>, %4: array<bool, 2> = map %0, %1, %2 {
  (%5: f64, %6: f64, %7: f64):
    %8: f64 = mul %5, %6
    %9: f64 = add %8, %7
    %10: bool = lt %8, %9
    yield %9, %10
  }
  return %3, %4",
    );
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [3.0, -4.0], 0.5").unwrap();
    agree(&m, "[[1.0], [3.0]], [3.0, -4.0], 0.0").unwrap();
    agree(&m, "[[1.0, 2.0, 3.0]], [3.0, -4.0], 0.5").unwrap_err();
}

#[test]
fn map_into_updates_in_place() {
    let m = module(
        "(%0: array<f64, 2>, %1: array<f64, 1>) -> ()",
        "map[into] %0, %0, %1 {
  (%2: f64, %3: f64, %4: f64):
    %5: f64 = add %2, %3
    %6: f64 = mul %5, %4
    yield %6
  }
  return",
    );
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [3.0, 4.0]").unwrap();
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [3.0]").unwrap();
}

#[test]
fn map_whose_region_raises_does_so_for_an_element() {
    let m = module(
        "(%0: array<f64, 1>) -> (array<f64, 1>)",
        "%1: array<f64, 1> = map %0 {
  (%2: f64):
    raise[ValueError, \"no\"]
  }
  return %1",
    );
    agree(&m, "[]").unwrap();
    agree(&m, "[1.0]").unwrap_err();
}

/// `a[1:] = a[:-1]`
const SHIFT: &str = "%1: i64 = const 1
  %2: i64 = const -1
  %3: array<f64, 1> = view[start:] %0, %1
  %4: array<f64, 1> = view[:stop] %0, %2
  assign %3, %4
  return";

#[test]
fn overlapping_assignment_copies_first() {
    let m = module("(%0: array<f64, 1>) -> ()", SHIFT);
    assert_eq!(agree(&m, "[1.0, 2.0, 3.0]").unwrap()[0], "[1.0, 1.0, 2.0] of shape [3]");
    assert_eq!(count_named(&fast(&m), "Empty"), 1);
}

#[test]
fn assignment_of_another_array_does_not_copy() {
    let m = module("(%0: array<f64, 2>, %1: array<f64, 1>) -> ()", "assign %0, %1\n  return");
    assert_eq!(count_named(&fast(&m), "Empty"), 0);
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]").unwrap();
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [5.0]").unwrap();
    let error = agree(&m, "[[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0, 7.0]").unwrap_err();
    assert_eq!(error, "ValueError: could not broadcast input array from shape (3,) into shape (2,2)");
}

#[test]
fn scalar_assignment_fills() {
    let m = module(
        "(%0: array<f64, 2>, %1: f64) -> ()",
        "%2: array<f64, 2> = transpose[1, 0] %0\n  assign %2, %1\n  return",
    );
    agree(&m, "[[1.0, 2.0], [3.0, 4.0]], 7.0").unwrap();
}
