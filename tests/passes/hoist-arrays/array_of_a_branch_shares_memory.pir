; An array within a branch stays there: the branch may be rare.
; pass: hoist-arrays
; count: empty in loops = 1
; run: @f([1.0, -2.0]) = 2.0
func @f loop fast (%a: array<f64, 1>) -> (f64) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %none {
  (%i: i64, %p: f64):
    %x: f64 = load_raw %a, %i
    %rare: bool = lt %x, %none
    %q: f64 = if %rare {
      %t: array<f64, 1> = empty %n
      store_raw %t, %x, %zero
      %y: f64 = load_raw %t, %zero
      %z: f64 = sub %p, %y
      yield %z
    } else {
      yield %p
    }
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
  %5: f64 = for %2, %1, %3, %4 !r m0|m1 !w m1 {
  (%6: i64, %7: f64):
    %8: f64 = load_raw %0, %6 !r m0
    %9: bool = lt %8, %4
    %10: f64 = if %9 !r m1 !w m1 {
      %11: array<f64, 1> in m1 = empty %1
      store_raw %11, %8, %2 !w m1
      %12: f64 = load_raw %11, %2 !r m1
      %13: f64 = sub %7, %12
      yield %13
    } else {
      yield %7
    }
    continue[0] %10
  }
  return %5
}
