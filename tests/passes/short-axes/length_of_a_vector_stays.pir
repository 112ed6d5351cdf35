; The argument has one axis: these are no coordinates of points.
; pass: short-axes
; count: for = 3
; run: @f([1.0, 2.0, 4.0], 2) = 28.0
func @f loop fast (%p: array<f64, 1>, %n: i64) -> (f64) {
  %k: i64 = dim[0] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %part: f64 = for %zero, %n, %one, %a {
    (%j: i64, %b: f64):
      %sum: f64 = for %zero, %k, %one, %b {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %c
        %t: f64 = add %s, %x
        continue[0] %t
      }
      continue[0] %sum
    }
    continue[0] %part
  }
  return %all
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
  %2: i64 = dim[0] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 0.0
  %6: f64 = for %3, %1, %4, %5 !r m0 {
  (%7: i64, %8: f64):
    %9: f64 = for %3, %1, %4, %8 !r m0 {
    (%10: i64, %11: f64):
      %12: f64 = for %3, %2, %4, %11 !r m0 {
      (%13: i64, %14: f64):
        %15: f64 = load_raw %0, %13 !r m0
        %16: f64 = add %14, %15
        continue[0] %16
      }
      continue[0] %12
    }
    continue[0] %9
  }
  return %6
}
