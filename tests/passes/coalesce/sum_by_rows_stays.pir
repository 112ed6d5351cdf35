; The loops carry a sum, which starts anew for each row.
; pass: coalesce
; count: for = 2
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = 15.0
func @f loop fast (%a: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %none {
  (%i: i64, %p: f64):
    %part: f64 = for %zero, %m, %one, %none {
    (%j: i64, %q: f64):
      %x: f64 = load_raw %a, %i, %j
      %r: f64 = add %q, %x
      continue[0] %r
    }
    %s: f64 = add %p, %part
    continue[0] %s
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
  %6: f64 = for %3, %1, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = for %3, %2, %4, %5 !r m0 {
    (%10: i64, %11: f64):
      %12: f64 = load_raw %0, %7, %10 !r m0
      %13: f64 = add %11, %12
      continue[0] %13
    }
    %14: f64 = add %8, %9
    continue[0] %14
  }
  return %6
}
