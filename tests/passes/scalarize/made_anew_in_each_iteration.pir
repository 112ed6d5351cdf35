; Each iteration begins with zeros again.
; pass: scalarize
; count: zeros = 0
; run: @f([1.0, -2.0, 4.0]) = 5.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %none {
  (%i: i64, %p: f64):
    %t: array<f64, 1> = zeros %one
    %x: f64 = load_raw %a, %i
    %good: bool = gt %x, %none
    if %good {
      store_raw %t, %x, %zero
      yield
    } else {
      yield
    }
    %y: f64 = load_raw %t, %zero
    %q: f64 = add %p, %y
    continue[0] %q
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: f64 = for %2, %1, %3, %4 !r m0 {
  (%6: i64, %7: f64):
    %8: f64 = const 0.0
    %9: f64 = load_raw %0, %6 !r m0
    %10: bool = gt %9, %4
    %11: f64 = if %10 {
      yield %9
    } else {
      yield %8
    }
    %12: f64 = add %7, %11
    continue[0] %12
  }
  return %5
}
