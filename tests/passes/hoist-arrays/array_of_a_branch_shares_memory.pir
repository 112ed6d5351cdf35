; An array within a branch, which may be rare, is made there unless it has few elements.
; pass: hoist-arrays
; count: raw_view in loops = 1
; count: empty in loops = 1
; count: empty = 2
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
  %5: i64 = const 64
  %6: array<f64, 1> in m1 = empty %5
  %7: f64 = for %2, %1, %3, %4 !r m0|m1|m2 !w m1|m2 {
  (%8: i64, %9: f64):
    %10: f64 = load_raw %0, %8 !r m0
    %11: bool = lt %10, %4
    %12: f64 = if %11 !r m1|m2 !w m1|m2 {
      %13: i64 = const 0
      %14: bool = le %13, %1
      %15: bool = le %1, %5
      %16: bool = and %14, %15
      %17: array<f64, 1> in m1|m2 = if %16 {
        %18: i64 = const 8
        %19: i64 = const 0
        %20: array<f64, 1> in m1 = raw_view %6, %19, %1, %18
        yield %20
      } else {
        %21: array<f64, 1> in m2 = empty %1
        yield %21
      }
      store_raw %17, %10, %2 !w m1|m2
      %22: f64 = load_raw %17, %2 !r m1|m2
      %23: f64 = sub %9, %22
      yield %23
    } else {
      yield %9
    }
    continue[0] %12
  }
  return %7
}
