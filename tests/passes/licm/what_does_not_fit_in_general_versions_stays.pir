; A general version is not made longer.
; pass: licm
; count: for = 1
; run: @f([1.0, 2.0], [3.0, 4.0], 2, 5) = 22.0
func @f array general (%a: array<f64, 1>, %b: array<f64, 1>, %n: i64, %m: i64) -> (f64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %nothing: f64 = const 0.0
  %sum: f64 = for %zero, %n, %one, %nothing {
  (%i: i64, %s: f64):
    %next: i64 = add %i, %one
    %ok: bool = lt %next, %m
    check[IndexError, "far"] %ok
    %c: array<f64, 1> = mul %a, %b
    %d: f64 = reduce[sum] %c
    %t: f64 = add %s, %d
    continue[0] %t
  }
  return %sum
}
; ---- after
func @f array general (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: i64, %3: i64) -> (f64) {
  %4: i64 = const 0
  %5: i64 = const 1
  %6: f64 = const 0.0
  %7: f64 = for %4, %2, %5, %6 !r m0|m1 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %5
    %11: bool = lt %10, %3
    check[IndexError, "far"] %11
    %12: array<f64, 1> in m1 = mul %0, %1 !r m0
    %13: f64 = reduce[sum] %12 !r m1
    %14: f64 = add %9, %13
    continue[0] %14
  }
  return %7
}
