; What a branch stores is what it gives.
; pass: scalarize
; count: store_raw = 0
; count: empty = 0
; run: @f([1.0, 2.0], 1) = 3.0
; run: @f([1.0, 2.0], 0) = 4.0
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %x: f64 = load_raw %a, %zero
  %y: f64 = load_raw %a, %one
  %t: array<f64, 1> = empty %two
  store_raw %t, %y, %zero
  store_raw %t, %y, %one
  %is: bool = eq %k, %one
  if %is {
    store_raw %t, %x, %zero
    yield
  } else {
    yield
  }
  %u: f64 = load_raw %t, %zero
  %v: f64 = load_raw %t, %one
  %w: f64 = add %u, %v
  return %w
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: i64 = const 2
  %5: f64 = load_raw %0, %2 !r m0
  %6: f64 = load_raw %0, %3 !r m0
  %7: f64 = const 0.0
  %8: bool = eq %1, %3
  %9: f64 = if %8 {
    yield %5
  } else {
    yield %6
  }
  %10: f64 = add %9, %6
  return %10
}
