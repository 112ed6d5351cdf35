; Each way out of the loop or of an iteration takes what the elements are at that point.
; pass: scalarize
; count: store_raw = 0
; run: @f([1.0, 2.0]) = 3.0, 2.0
; run: @f([1.0, -2.0, 2.0]) = 3.0, 3.0
; run: @f([1.0, 16.0, 2.0]) = 17.0, 1.0
; run: @f([]) = 0.0, 0.0
func @f loop fast (%a: array<f64, 1>) -> (f64, f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %none: f64 = const 0.0
  %unit: f64 = const 1.0
  %limit: f64 = const 8.0
  %t: array<f64, 1> = zeros %two
  for %zero, %n, %one {
  (%i: i64):
    %x: f64 = load_raw %a, %i
    %negative: bool = lt %x, %none
    if %negative {
      %count: f64 = load_raw %t, %one
      %more: f64 = add %count, %unit
      store_raw %t, %more, %one
      continue[0]
    } else {
      yield
    }
    %old: f64 = load_raw %t, %zero
    %new: f64 = add %old, %x
    store_raw %t, %new, %zero
    %great: bool = gt %x, %limit
    if %great {
      break[0]
    } else {
      yield
    }
    %seen: f64 = load_raw %t, %one
    %next: f64 = add %seen, %unit
    store_raw %t, %next, %one
    continue[0]
  }
  %sum: f64 = load_raw %t, %zero
  %times: f64 = load_raw %t, %one
  return %sum, %times
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = const 0.0
  %6: f64 = const 1.0
  %7: f64 = const 8.0
  %8: f64 = const 0.0
  %9: f64, %10: f64 = for %2, %1, %3, %8, %8 !r m0 {
  (%11: i64, %12: f64, %13: f64):
    %14: f64 = load_raw %0, %11 !r m0
    %15: bool = lt %14, %5
    %16: f64 = if %15 {
      %17: f64 = add %13, %6
      continue[0] %12, %17
    } else {
      yield %13
    }
    %18: f64 = add %12, %14
    %19: bool = gt %14, %7
    if %19 {
      break[0] %18, %16
    } else {
      yield
    }
    %20: f64 = add %16, %6
    continue[0] %18, %20
  }
  return %9, %10
}
