//! Each function is run by the interpreter, which faults where released memory is used and tells what leaks.

use pydd_ir::{Entity, FuncRef, Function, Module, OpKind};

use crate::testing::{call, count, parse, run_pass};

/// The module with owners, and its first function.
fn owned(text: &str) -> (Module, Function) {
    let mut module = parse(text);
    run_pass(&super::PASS, &mut module);
    let func = module.funcs[FuncRef::new(0)].clone();
    (module, func)
}

fn disowns(func: &Function) -> usize {
    count(func, |kind| matches!(kind, OpKind::Disown(_)))
}

fn owns(func: &Function) -> usize {
    count(func, |kind| matches!(kind, OpKind::Own { .. }))
}

#[test]
fn returned_array_is_not_released_early() {
    let (m, f) = owned(
        "func @f loop (%0: i64) -> (array<f64, 1>) {
  %1: array<f64, 1> = zeros %0
  return %1
}",
    );
    assert_eq!((owns(&f), disowns(&f)), (1, 0));
    call(&m, "f", "3").unwrap();
}

#[test]
fn temporary_is_released_after_the_last_use_of_its_views() {
    let (m, f) = owned(
        "func @f loop (%0: i64, %1: bool) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 8
  %4: array<f64, 1> = zeros %0
  %5: array<f64, 1> = raw_view %4, %2, %0, %3
  %6: array<f64, 1> = if %1 {
    yield %5
  } else {
    %7: array<f64, 1> = zeros %0
    yield %7
  }
  %8: f64 = load_raw %6, %2
  %9: f64 = add %8, %8
  return %9
}",
    );
    assert_eq!((owns(&f), disowns(&f)), (2, 2));
    let ops = &f.blocks[f.entry].ops;
    let load = ops.iter().position(|&op| f.ops[op].kind == OpKind::LoadRaw).unwrap();
    assert!(matches!(f.ops[ops[load + 1]].kind, OpKind::Disown(_)), "right behind the last use");
    call(&m, "f", "3, true").unwrap();
    call(&m, "f", "3, false").unwrap();
}

/// `a, b = b, a` in a loop, and an array made in each iteration.
const SWAP: &str = "func @f loop (%0: i64, %1: i64) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: array<f64, 1> = zeros %0
  %6: array<f64, 1> = zeros %0
  store_raw %6, %4, %2
  %7: array<f64, 1>, %8: array<f64, 1> = for %2, %1, %3, %5, %6 {
  (%9: i64, %10: array<f64, 1>, %11: array<f64, 1>):
    BODY
  }
  return %7, %8
}";

#[test]
fn swapped_arrays_stay_alive() {
    let (m, f) = owned(&SWAP.replace("BODY", "continue[0] %11, %10"));
    assert_eq!(owns(&f), 8, "two made, two before the loop, four for the exchange");
    for n in 0..4 {
        call(&m, "f", &format!("3, {n}")).unwrap();
    }
}

#[test]
fn fresh_array_and_shift_need_no_exchange() {
    let (m, f) = owned(&SWAP.replace("BODY", "%12: array<f64, 1> = zeros %0\n    continue[0] %11, %12"));
    assert_eq!(owns(&f), 7);
    for n in 0..4 {
        call(&m, "f", &format!("3, {n}")).unwrap();
    }
}

#[test]
fn view_of_a_carried_array_is_retained_before_it_is_released() {
    let body = "%12: i64 = const 8
    %13: array<f64, 1> = raw_view %10, %2, %0, %12
    %14: array<f64, 1> = zeros %0
    continue[0] %14, %13";
    let (m, _) = owned(&SWAP.replace("BODY", body));
    for n in 0..4 {
        call(&m, "f", &format!("3, {n}")).unwrap();
    }
}

#[test]
fn unchanged_carried_array_is_not_counted() {
    let (m, f) = owned(&SWAP.replace("BODY", "continue[0] %10, %11"));
    assert_eq!(owns(&f), 4);
    call(&m, "f", "3, 2").unwrap();
}

#[test]
fn carried_value_leaves_two_loops() {
    let (m, _) = owned(
        "func @f loop (%0: i64, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> = zeros %0
  %5: array<f64, 1> = loop %4, %2 {
  (%6: array<f64, 1>, %7: i64):
    %8: array<f64, 1> = for %2, %1, %3, %6 {
    (%9: i64, %10: array<f64, 1>):
      %11: array<f64, 1> = zeros %0
      %12: bool = gt %7, %3
      if %12 {
        break[1] %10
      } else {
        yield
      }
      %13: i64 = add %9, %7
      %14: bool = gt %13, %3
      if %14 {
        %15: i64 = add %7, %3
        continue[1] %10, %15
      } else {
        yield
      }
      continue[0] %11
    }
    %16: i64 = add %7, %3
    %17: bool = gt %16, %1
    if %17 {
      break[0] %8
    } else {
      yield
    }
    continue[0] %8, %16
  }
  %18: f64 = load_raw %5, %2
  return %5
}",
    );
    for n in 0..5 {
        call(&m, "f", &format!("3, {n}")).unwrap();
    }
}

#[test]
fn results_of_calls_are_owned() {
    let (m, f) = owned(
        "func @f loop (%0: i64, %1: list<f64>) -> (array<f64, 1>, list<f64>) {
  %2: array<f64, 1>, %3: array<f64, 1> = call[@g] %0
  %4: i64 = const 0
  %5: f64 = load_raw %3, %4
  %6: list<f64> = list_new %5, %5
  list_append %1, %5
  %7: array<f64, 1>, %8: array<f64, 1> = call[@g] %0
  return %2, %6
}
func @g loop (%0: i64) -> (array<f64, 1>, array<f64, 1>) {
  %1: array<f64, 1> = zeros %0
  return %1, %1
}",
    );
    assert_eq!(owns(&f), 5);
    call(&m, "f", "3, [1.0]").unwrap();
}

#[test]
fn parameters_are_borrowed() {
    let (m, f) = owned("func @f loop (%0: array<f64, 1>) -> (array<f64, 1>) {\n  return %0\n}");
    assert_eq!(owns(&f), 0);
    call(&m, "f", "[1.0]").unwrap();
}

#[test]
fn exception_releases_all() {
    let (m, _) = owned(
        "func @f loop (%0: i64, %1: bool) -> (array<f64, 1>) {
  %2: array<f64, 1> = zeros %0
  check[ValueError, \"no\"] %1
  return %2
}",
    );
    call(&m, "f", "3, false").unwrap_err();
    call(&m, "f", "3, true").unwrap();
}

#[test]
fn slots_of_a_parallel_body_are_its_own() {
    let (m, f) = owned(
        "func @f loop (%0: i64) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: array<f64, 1> = zeros %0
  %5: f64 = pfor[sum] %1, %0, %2, %3 {
  (%6: i64, %7: f64):
    %8: array<f64, 1> = zeros %0
    %9: f64 = load_raw %8, %6
    %10: f64 = load_raw %4, %6
    %11: f64 = add %9, %10
    %12: f64 = add %7, %11
    continue[0] %12
  }
  return %5
}",
    );
    assert_eq!((owns(&f), disowns(&f)), (2, 1), "the outer one goes with the function");
    call(&m, "f", "3").unwrap();
}

/// Looks at rows of a list of lists, with something between.
fn rows(between: &str, used: &str) -> (Module, Function) {
    owned(&format!(
        "func @f loop (%0: i64) -> (i64) {{
  %1: i64 = const 0
  %2: list<i64> = list_new %0
  %3: list<list<i64>> = list_new %2, %2
  %4: list<i64> = list_get %3, %1
  {between}
  %5: i64 = list_get %4, %1
  {used}
  return %5
}}"
    ))
}

#[test]
fn rows_that_are_only_looked_at_are_not_counted() {
    for between in ["list_append %4, %0", "list_prepend %4, %0", "list_drop_front %4, %1"] {
        let (m, f) = rows(between, "");
        assert_eq!(owns(&f), 2, "{between}");
        call(&m, "f", "3").unwrap();
    }
}

#[test]
fn rows_that_may_be_let_go_are_counted() {
    for between in
        ["list_truncate %3, %1", "list_drop_front %3, %1", "%6: list<i64> = list_new\n  list_set %3, %1, %6"]
    {
        let (m, f) = rows(between, "");
        let made = f.ops.values().filter(|data| data.kind == OpKind::ListNew).count();
        assert_eq!(owns(&f), made + 1, "{between}");
        call(&m, "f", "3").unwrap();
    }
}

#[test]
fn rows_that_are_put_elsewhere_are_counted() {
    let (m, f) = rows("", "list_append %3, %4");
    assert_eq!(owns(&f), 3);
    call(&m, "f", "3").unwrap();
}

/// Looks at an array that a list holds, with something between.
fn arrays(between: &str, used: &str) -> (Module, Function) {
    owned(&format!(
        "func @f loop (%0: i64) -> (i64) {{
  %1: i64 = const 0
  %2: array<i64, 1> = zeros %0
  %3: list<array<i64, 1>> = list_new
  list_append %3, %2
  %4: array<i64, 1> = list_get %3, %1
  {between}
  %5: i64 = load_raw %4, %1
  {used}
  return %5
}}"
    ))
}

#[test]
fn arrays_that_are_only_looked_at_are_not_counted() {
    let view = "%6: i64 = const 8
  %7: array<i64, 1> = raw_view %4, %6, %1, %6
  %8: i64 = dim[0] %7";
    for between in ["", "store_raw %4, %0, %1", view, "list_append %3, %2"] {
        let (m, f) = arrays(between, "");
        assert_eq!(owns(&f), 2, "{between}");
        call(&m, "f", "3").unwrap();
    }
}

#[test]
fn arrays_that_may_be_let_go_or_are_put_elsewhere_are_counted() {
    for (between, used) in
        [("list_truncate %3, %1", ""), ("list_set %3, %1, %2", ""), ("", "list_append %3, %4")]
    {
        let (m, f) = arrays(between, used);
        assert_eq!(owns(&f), 3, "{between}{used}");
        call(&m, "f", "3").unwrap();
    }
}

#[test]
fn a_list_stays_as_long_as_a_row_of_it_is_looked_at() {
    let (m, f) = owned(
        "func @f loop (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: list<i64> = list_new %0
  %3: list<list<i64>> = list_new %2
  %4: list<list<list<i64>>> = list_new %3
  %5: list<list<i64>> = list_get %4, %1
  %6: list<i64> = list_get %5, %1
  %7: i64 = list_get %6, %1
  return %7
}",
    );
    assert_eq!(owns(&f), 3);
    call(&m, "f", "3").unwrap();
}
