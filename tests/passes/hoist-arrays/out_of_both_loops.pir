; One loop after the other: in the end the array stands before both.
; pass: hoist-arrays
; count: empty in loops = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = 30.0
; run: @f([]) = 0.0
func @f loop fast (%a: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %none {
  (%i: i64, %p: f64):
    %part: f64 = for %zero, %m, %one, %p {
    (%j: i64, %q: f64):
      %t: array<f64, 1> = empty %m
      %x: f64 = load_raw %a, %i, %j
      store_raw %t, %x, %j
      %y: f64 = load_raw %t, %j
      %z: f64 = add %x, %y
      %r: f64 = add %q, %z
      continue[0] %r
    }
    continue[0] %part
  }
  return %sum
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: array<f64, 1> in m1 = empty %2
  %7: f64 = for %3, %1, %4, %5 !r m0|m1 !w m1 {
  (%8: i64, %9: f64):
    %10: f64 = for %3, %2, %4, %9 !r m0|m1 !w m1 {
    (%11: i64, %12: f64):
      %13: f64 = load_raw %0, %8, %11 !r m0
      store_raw %6, %13, %11 !w m1
      %14: f64 = load_raw %6, %11 !r m1
      %15: f64 = add %13, %14
      %16: f64 = add %12, %15
      continue[0] %16
    }
    continue[0] %10
  }
  return %7
}
