; `s = s + a - b` is `s += a - b`: one addition from iteration to iteration.
; pass: carried-last
; run: @f([1.0, 2.0, 4.0], [1.0, 1.0, 2.0]) = 17.0
func @f loop fast (%x: array<f64, 1>, %y: array<f64, 1>) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %start: f64 = const 0.0
  %n: i64 = dim[0] %x
  %r: f64 = for %zero, %n, %one, %start {
  (%i: i64, %s: f64):
    %a: f64 = load_raw %x, %i
    %w: f64 = load_raw %y, %i
    %t: f64 = sub %s, %w
    %b: f64 = add %a, %a
    %u: f64 = add %t, %b
    %v: f64 = add %u, %a
    continue[0] %v
  }
  return %r
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> (f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 0.0
  %5: i64 = dim[0] %0
  %6: f64 = for %2, %5, %3, %4 !r m0|m1 {
  (%7: i64, %8: f64):
    %9: f64 = load_raw %0, %7 !r m0
    %10: f64 = load_raw %1, %7 !r m1
    %11: f64 = add %9, %9
    %12: f64 = sub %11, %10
    %13: f64 = add %12, %9
    %14: f64 = add %13, %8
    continue[0] %14
  }
  return %6
}
